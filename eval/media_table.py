"""The outcomes of the leave-out protocol as records, and as tables in Markdown and CSV."""

import csv
import io
from collections.abc import Iterable, Sequence

from eval.media_bench import MEASURES, Outcome

_HEAD = ("what is held out", "encoder", "altered", "GRASP", "n")


def records(outcome: Outcome) -> Iterable[dict[str, object]]:
    """One for each query: what was held out, and where the first right entity and the first right topic stand."""
    about = outcome.condition
    for query, place in zip(outcome.queries, outcome.ranks, strict=True):
        yield {
            "modality": about.modality,
            "encoder": about.encoder,
            "alteration": about.alteration,
            "strict": about.strict,
            "grasp": about.grasp,
            "query": query,
            "entity_rank": place.entity,
            "topic_rank": place.topic,
        }


def markdown(outcomes: Sequence[Outcome], of: str) -> str:
    """A table of the right ``entity`` or the right ``topic``: means with their 95 % intervals."""
    lines = [
        "| " + " | ".join((*_HEAD, *(name.replace("mrr", "MRR").replace("recall", "R") for name in MEASURES))) + " |",
        "| --- | --- | --- | --- | ---: |" + " ---: |" * len(MEASURES),
    ]
    for outcome in outcomes:
        cells = [f"{one.mean:.3f} [{one.low:.3f}, {one.high:.3f}]" for one in outcome.measures(of).values()]
        lines.append("| " + " | ".join((*_about(outcome), *cells)) + " |")
    return "\n".join(lines)


def as_csv(outcomes: Sequence[Outcome]) -> str:
    """Both tables in one, with the ends of the intervals in columns of their own."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    columns = [f"{name} {part}" for name in MEASURES for part in ("mean", "low", "high")]
    writer.writerow(["right", *_HEAD, *columns])
    for of in ("entity", "topic"):
        for outcome in outcomes:
            found = outcome.measures(of)
            numbers = [f"{n:.6f}" for name in MEASURES for n in (found[name].mean, found[name].low, found[name].high)]
            writer.writerow([of, *_about(outcome), *numbers])
    return target.getvalue()


def _about(outcome: Outcome) -> tuple[str, ...]:
    about = outcome.condition
    held = f"{about.modality}, all but one" if about.strict else about.modality
    return held, about.encoder, about.alteration, "yes" if about.grasp else "no", str(len(outcome.ranks))
