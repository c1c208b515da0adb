"""``bench media``: what a graph's own media find when one of them is held out."""

import json
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from agents.app import App
from eval.errors import EvaluationError
from eval.media_bench import SEED, MediaBench, Outcome, RandomEncoder, encode_items
from eval.media_graph import owners_of_media, topics_of_entities
from eval.media_table import as_csv, markdown, records
from kg.media.items import MediaItem, Modality
from kg.media.listing import media_items
from kg.media_roots import MediaRoots
from retrieval.encoders.base import MediaEncoder, Vectors
from retrieval.encoders.cache import VectorCache
from retrieval.encoders.registry import encoder_for, specs


@click.command("media")
@click.option(
    "--image-encoder",
    "pictures",
    multiple=True,
    default=("classical", "colour-histogram"),
    show_default=True,
    metavar="SPEC",
    help=f"Who encodes pictures: {', '.join(specs('image'))}. Several times for several.",
)
@click.option(
    "--audio-encoder",
    "sounds",
    multiple=True,
    default=("classical",),
    show_default=True,
    metavar="SPEC",
    help=f"Who encodes sounds: {', '.join(specs('audio'))}.",
)
@click.option("--seed", default=SEED, show_default=True, type=click.IntRange(0), help="Which items are held out.")
@click.option("--no-grasp", is_flag=True, help="Leave the rows with GRASP out.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for records.jsonl (one a query), table.md and table.csv.",
)
@click.pass_obj
def bench_media(
    app: App, *, pictures: tuple[str, ...], sounds: tuple[str, ...], seed: int, no_grasp: bool, out: Path | None
) -> None:
    """Hold out one picture or sound of each entity, ask with it, as it is and altered, and see what is found.

    Right is the entity that it shows, and the topic entity which that belongs to. GRASP is asked of the first encoder
    of a kind. The same seed gives the same numbers.
    """

    def encode(encoder: MediaEncoder[Any], items: list[MediaItem]) -> tuple[Vectors, list[int]]:
        if isinstance(encoder, RandomEncoder):
            return encoder.encode(items), list(range(len(items)))
        with tqdm(total=len(items), desc=encoder.fingerprint.name, unit="item", leave=False) as bar:
            cache = VectorCache(app.home_dir / "cache" / "vectors", encoder.fingerprint)
            return encode_items(encoder, items, cache=cache, progress=bar.update)

    with app.home.snapshot() as snapshot:
        items = media_items(snapshot, MediaRoots(app.home_dir).read())
        owners = owners_of_media(snapshot)
        topics = topics_of_entities(snapshot, frozenset(entity for some in owners.values() for entity in some))
    bench = MediaBench(items, owners, topics, app.home.reader(), encode, seed)  # type: ignore[arg-type]
    outcomes = list(_outcomes(bench, pictures, sounds, grasp=not no_grasp))
    if not outcomes:
        raise EvaluationError("no entity has two media items of a kind, so that none can be held out")
    tables = {of: markdown(outcomes, of) for of in ("entity", "topic")}
    text = f"The right entity:\n\n{tables['entity']}\n\nThe right topic entity:\n\n{tables['topic']}\n"
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for one in outcomes for record in records(one))
        (out / "records.jsonl").write_text("".join(lines), encoding="utf-8")
        (out / "table.md").write_text(text, encoding="utf-8")
        (out / "table.csv").write_text(as_csv(outcomes), encoding="utf-8")
    click.echo(text, nl=False)


def _outcomes(bench: MediaBench, pictures: tuple[str, ...], sounds: tuple[str, ...], *, grasp: bool) -> list[Outcome]:
    found: list[Outcome] = []
    kinds: tuple[tuple[Modality, tuple[str, ...]], ...] = (("image", pictures), ("audio", sounds))
    for modality, names in kinds:
        encoders = [encoder_for(modality, spec) for spec in names]
        for place, encoder in enumerate((*encoders, *(RandomEncoder(one) for one in encoders[:1]))):
            found += bench.run(modality, encoder, grasp=grasp and place == 0)
    for spec in pictures:
        for other in sounds:
            found += bench.run_both(encoder_for("image", spec), encoder_for("audio", other))
    return found
