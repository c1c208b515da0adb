"""The built-in policy on questions of one step over a plain graph: those that MarKG answers, and those it does not.

    scoutfly --home markg import ../shared/data/markg
    python -m benchmarks.one_hop markg ../shared/data/markg

"What is the RELATION of ENTITY?", put together from the labels, drawn with seed 1: a relation that the entity has, with
at most five tails, and one that it has not. Entities whose label another one has, and relations about Wikimedia's own
housekeeping or of class and likeness, are left out.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import click

from agents.builtin.policy import build_builtin_policy
from agents.domain import Domain
from agents.errors import NoTopic
from agents.roles import Policy, Question
from agents.walk import walk
from kg.home import Home
from kg.store import Store
from retrieval.encoder import WordLlamaEncoder

_BASE = "https://w3id.org/scoutfly/data/markg/"
_LEFT_OUT = {"P910", "P5008", "P1343", "P1792", "P31", "P279", "P1889", "P460"}
_HOUSEKEEPING = ("Category:", "Template:", "Wikimedia")
Asked = tuple[str, str]
Tails = dict[str, dict[str, set[str]]]


@click.command()
@click.argument("home", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--number", default=200, show_default=True, help="Questions of each kind.")
def main(home: Path, folder: Path, *, number: int) -> None:
    """Prints how many were answered with exactly the right tails, and how many were not answered."""
    labels, relations = _read(folder / "entity2text.txt"), _read(folder / "relation2text.txt")
    tails = _tails(folder / "wiki_tuple_ids.txt")
    store = Home(home).reader()
    policy = build_builtin_policy(store, WordLlamaEncoder(), Domain())
    answerable, others = draw(tails, labels, relations, number=number)
    for name, asked in (("answerable", answerable), ("not answerable", others)):
        counts: Counter[str] = Counter()
        for head, relation in asked:
            question = Question(f"What is the {relations[relation]} of {labels[head]}?", labels[head])
            counts[_outcome(store, policy, question, wanted=tails[head][relation])] += 1
        click.echo(f"{name}: {dict(sorted(counts.items()))}")


def draw(
    tails: Tails, labels: dict[str, str], relations: dict[str, str], *, number: int
) -> tuple[list[Asked], list[Asked]]:
    """Heads with a relation that they have, and with one that they have not."""
    bearers = Counter(labels.values())
    heads = sorted(
        head
        for head in tails
        if head in labels and bearers[labels[head]] == 1 and not labels[head].startswith(_HOUSEKEEPING)
    )
    usable = sorted(relations.keys() - _LEFT_OUT)
    dice = random.Random(1)
    answerable: list[Asked] = []
    while len(answerable) < number:
        head = dice.choice(heads)
        held = sorted(relation for relation in tails[head] if relation in usable and len(tails[head][relation]) <= 5)
        if held:
            answerable.append((head, dice.choice(held)))
    others: list[Asked] = []
    while len(others) < number:
        head, relation = dice.choice(heads), dice.choice(usable)
        if relation not in tails[head]:
            others.append((head, relation))
    return answerable, others


def _outcome(store: Store, policy: Policy, question: Question, *, wanted: set[str]) -> str:
    try:
        paths = walk(store, policy, question).paths
    except NoTopic:
        return "no one topic of that name"
    ends = {scored.path.leaf.iri.value.removeprefix(_BASE) for scored in paths}
    if not ends:
        return "nothing fits"
    if ends == wanted:
        return "exactly right"
    return "partly right" if ends & wanted else "wrong"


def _tails(file: Path) -> Tails:
    tails: Tails = defaultdict(lambda: defaultdict(set))
    for head, relation, tail in _rows(file, columns=3):
        tails[head][relation].add(tail)
    return tails


def _read(file: Path) -> dict[str, str]:
    return {row[0]: row[1] for row in _rows(file, columns=2)}


def _rows(file: Path, *, columns: int) -> list[Sequence[str]]:
    rows = (line.split("\t") for line in file.read_text(encoding="utf-8").split("\n"))
    return [row for row in rows if len(row) == columns]


if __name__ == "__main__":
    main()
