"""How long a walk takes against a model server that answers every call in the same time.

    python -m benchmarks.walk_latency [--delay SECONDS] [--choices N]

The calls of a round run at the same time, so a walk of r rounds should take as long as 2 r + 3 calls one after the
other: an expansion and a validation a round, and the topic selection, the topic's validation and the answer. The bound
is 1.3 times that. The same walk with one call at a time pays for every call. Ends with status 1 where the bound is
passed, or where the two walks retrieve different paths.
"""

import argparse
import sys

from agents.domain import load_domain
from agents.llm import build_llm_policy
from agents.openai_chat import OpenAIChat
from agents.roles import Question
from agents.trace import Event
from agents.walk import WalkResult, WalkSettings, walk
from benchmarks.bundled_graph import DOMAIN_FILE, BundledGraph, load_bundled_graph, table
from benchmarks.model_server import serve_model

ALLOWED = 1.3
QUESTION = Question("What does it do next?")


def main() -> int:
    options = _options()
    graph = load_bundled_graph()
    rows, results = [], []
    with serve_model(delay_s=options.delay, choices=options.choices) as base_url:
        for name, settings in (("together", WalkSettings()), ("one at a time", WalkSettings(concurrency=1))):
            result, widest = _walk(graph, base_url, settings)
            bound = ALLOWED * (2 * result.rounds + 3) * options.delay
            counts = map(str, (settings.concurrency, result.rounds, widest, len(result.calls)))
            rows.append([name, *counts, f"{result.seconds:.2f}", f"{bound:.2f}"])
            results.append((result, result.seconds <= bound))
    print(f"{options.delay * 1e3:g} ms a call, {options.choices} neighbours followed from each entity\n")
    header = ["calls of a round", "at most", "rounds", "widest frontier", "calls", "seconds", "bound"]
    print(table(header, rows))
    (together, sound), (alone, _) = results
    if together.paths != alone.paths:
        print("\nthe two walks retrieved different paths")
    return 0 if sound and together.paths == alone.paths else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--delay", type=float, default=0.2, metavar="SECONDS", help="what every call takes")
    parser.add_argument("--choices", type=int, default=6, metavar="N", help="neighbours followed from each entity")
    return parser.parse_args()


def _walk(graph: BundledGraph, base_url: str, settings: WalkSettings) -> tuple[WalkResult, int]:
    """The result, and the width of the widest frontier."""
    widths: list[int] = [0]

    def observe(event: Event) -> None:
        frontier = event.data.get("frontier")
        if isinstance(frontier, list):
            widths.append(len(frontier))

    with OpenAIChat("same-time", base_url=base_url, api_key="none") as chat:
        policy = build_llm_policy({"default": chat}, load_domain(DOMAIN_FILE))
        result = walk(graph.store, policy, QUESTION, settings=settings, observe=observe)
    return result, max(widths)


if __name__ == "__main__":
    sys.exit(main())
