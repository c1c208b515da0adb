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


BARN = """
@prefix ex: <https://example.org/barn/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sf: <https://w3id.org/scoutfly/ns#> .
ex:eats a owl:ObjectProperty ; rdfs:label "eats" ; sf:baseRelation ex:eats .
ex:lives a owl:ObjectProperty ; rdfs:label "lives in" ; sf:baseRelation ex:lives .
ex:hunted a owl:ObjectProperty ; rdfs:label "is hunted by" ; sf:baseRelation ex:hunted .
ex:large a owl:ObjectProperty ; rdfs:label "is hunted by large animal" ; sf:baseRelation ex:large .
ex:far a owl:ObjectProperty ; rdfs:label "is hunted by large animal abroad" ; sf:baseRelation ex:far .
ex:coloured a owl:ObjectProperty ; rdfs:label "is coloured" ; sf:baseRelation ex:coloured .
ex:owl a sf:Entity, sf:TopicEntity ; rdfs:label "Owl" ; ex:eats ex:mouse, ex:vole ;
  ex:lives ex:barn ; ex:hunted ex:eagle .
ex:mouse a sf:Entity ; rdfs:label "Mouse" ; ex:eats ex:cheese ; ex:coloured ex:grey .
ex:vole a sf:Entity ; rdfs:label "Vole" ; ex:eats ex:grass .
ex:barn a sf:Entity ; rdfs:label "Barn" .
ex:cheese a sf:Entity ; rdfs:label "Cheese" .
ex:eagle a sf:Entity ; rdfs:label "Eagle" ; ex:large ex:bear ; ex:far ex:lion .
ex:bear a sf:Entity ; rdfs:label "Bear" .
ex:lion a sf:Entity ; rdfs:label "Lion" .
ex:grass a sf:Entity ; rdfs:label "Grass" .
ex:grey a sf:Entity ; rdfs:label "Grey" .
"""


@pytest.fixture(scope="session")
def barn() -> EmbeddedStore:
    """A plain graph with labels and nothing else: one topic, and relations without conditions."""
    return EmbeddedStore.from_quads(ox.parse(BARN, format=ox.RdfFormat.TURTLE))
