"""The built-in policy over the graph of coffee machines, with and without a domain's classes."""

from collections.abc import Callable

import pyoxigraph as ox
import pytest

from agents.builtin.policy import build_builtin_policy
from agents.builtin.scoring import Weights
from agents.domain import Domain, DomainClass
from agents.roles import Policy, Question
from agents.walk import WalkSettings, walk
from kg.store import EmbeddedStore
from retrieval.encoder import WordLlamaEncoder

SPACE = "https://example.org/brew#"
COFFEE = Domain(
    preferred_class=DomainClass(ox.NamedNode(f"{SPACE}Step"), "work step"),
    single_choice_class=DomainClass(ox.NamedNode(f"{SPACE}Mode"), "working mode"),
)
Ask = Callable[..., list[str]]


@pytest.fixture(scope="session")
def encoder() -> WordLlamaEncoder:
    return WordLlamaEncoder()


@pytest.fixture(scope="session")
def policy(tiny_store: EmbeddedStore, encoder: WordLlamaEncoder) -> Policy:
    return build_builtin_policy(tiny_store, encoder, COFFEE)


@pytest.fixture
def ask(tiny_store: EmbeddedStore, encoder: WordLlamaEncoder, policy: Policy) -> Ask:
    """The labels of the paths kept, as ``Brewer>Brew Mode>Flush``, best first; ``off`` are weights to change."""

    def asked(
        text: str,
        *,
        topic: str = "Brewer",
        extra: str = "",
        shows: str = "",
        domain: Domain = COFFEE,
        margin: float = 0.15,
        settings: WalkSettings | None = None,
        **off: float,
    ) -> list[str]:
        player = policy
        if domain is not COFFEE or off or margin != 0.15:
            player = build_builtin_policy(tiny_store, encoder, domain, weights=Weights(**off), margin=margin)  # type: ignore[arg-type]
        result = walk(tiny_store, player, Question(text, topic, extra, shows), settings=settings)
        return [">".join(entity.label for entity in scored.path.entities) for scored in result.paths]

    return asked
