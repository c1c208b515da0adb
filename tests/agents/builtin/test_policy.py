"""What the built-in policy retrieves on the graph of coffee machines, mechanism by mechanism."""

from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from agents.budget import Budget
from agents.builtin.policy import build_builtin_policy
from agents.domain import Domain, DomainClass
from agents.errors import NothingFits
from agents.roles import Path as Route
from agents.roles import Policy, Question, ScoredPath
from agents.walk import WalkResult, WalkSettings, walk
from kg.store import EmbeddedStore
from ontology.catalogue import Relation
from retrieval.encoder import WordLlamaEncoder
from sparql.graph import Edge, Entity
from tests.agents.builtin.conftest import COFFEE, Ask
from tests.fakes import entity, little_graph

KNOCKS = "The machine rattles while its pump hammers water through the coffee in hard knocks."
STEAM = "Steam shoots out of the nozzle as a white jet and a cloud covers everything."
STEAM_UP = "Steam roars straight up out of the open lid in a tall column up to the ceiling."
DROPS = "Dark drops of coffee fall slowly into the cup without a sound."
RINSE = "Hot water runs out for a few seconds and rinses the grounds into the tray."
TWICE = "Hot water runs out of nozzles, twice in a row, into both trays."
WHICH = "Which work step is it?"


# -- what is shown


@pytest.mark.parametrize(
    ("shows", "path"),
    [
        (KNOCKS, "Brewer>Brew Mode>Pump Burst"),
        (DROPS, "Brewer>Brew Mode>Slow Drip"),
        (STEAM, "Brewer>Brew Mode>Steam Blast"),
    ],
)
def test_the_candidate_whose_caption_fits_is_found_behind_its_group(ask: Ask, shows: str, path: str) -> None:
    assert ask("Which work step is the Brewer doing?", shows=shows) == [path]


@pytest.mark.parametrize("mode", ["Standby Mode", "Brew Mode"])
def test_the_group_that_is_named_is_gone_through(ask: Ask, mode: str) -> None:
    assert ask(WHICH, extra=f"The Brewer is in {mode}.", shows=RINSE) == [f"Brewer>{mode}>Flush"]


@pytest.mark.parametrize(
    ("extra", "mode"),
    [("The lamp glows green.", "Brew Mode"), ("The lamp is dim and nothing has pressure.", "Standby Mode")],
)
def test_the_group_is_told_from_what_is_known(ask: Ask, extra: str, mode: str) -> None:
    assert ask(WHICH, extra=extra, shows=RINSE)[0] == f"Brewer>{mode}>Flush"


def test_a_group_is_the_answer_where_it_is_asked_for(ask: Ask) -> None:
    shows = "The lamp glows green and there is pressure in the boiler."
    assert ask("Which working mode is the Brewer in?", shows=shows) == ["Brewer>Brew Mode"]


# -- conditions


def test_a_condition_that_is_stated_chooses_the_variant(ask: Ask) -> None:
    (path,) = ask(WHICH, extra="The lid is open.", shows=STEAM)
    assert path == "Brewer>Brew Mode>Steam Blast>Roaring Steam Blast"


def test_a_condition_that_is_denied_rules_the_variant_out(ask: Ask) -> None:
    assert ask(WHICH, extra="The lid is not open.", shows=STEAM_UP) == ["Brewer>Brew Mode>Steam Blast"]


def test_where_nothing_is_said_of_the_condition_the_look_decides(ask: Ask) -> None:
    assert ask(WHICH, shows=STEAM) == ["Brewer>Brew Mode>Steam Blast"]
    assert ask(WHICH, shows=STEAM_UP) == ["Brewer>Brew Mode>Steam Blast>Roaring Steam Blast"]


def test_a_condition_may_be_a_negation(ask: Ask) -> None:
    spits = "It spits."
    stated = ask(WHICH, topic="Grand Brewer", extra="It is not descaled.", shows=spits)
    assert stated == ["Grand Brewer>Cough"]


# -- what is mentioned


def test_a_candidate_that_is_named_needs_no_look(ask: Ask) -> None:
    assert ask("Which work step comes after Pump Burst?") == ["Brewer>Brew Mode>Pump Burst>Slow Drip"]
    assert ask("Which work step comes after Pomp Burst?") == ["Brewer>Brew Mode>Pump Burst>Slow Drip"]


def test_a_candidate_that_is_named_goes_before_the_look(ask: Ask) -> None:
    assert ask("Which work step comes after Slow Drip?", extra="The tank is empty.", shows=STEAM) == [
        "Brewer>Brew Mode>Slow Drip>Flush"
    ]


def test_the_longer_of_two_names_is_meant(ask: Ask) -> None:
    assert ask("What does the work step Double Flush do?", topic="Grand Brewer") == ["Grand Brewer>Double Flush"]


def test_a_name_behind_a_group_is_found_without_the_word_for_its_class(ask: Ask) -> None:
    assert ask("What does the Steam Blast release?") == ["Brewer>Brew Mode>Steam Blast>Hot Vapour"]


def test_a_group_that_is_named_is_the_answer_where_nothing_else_is(ask: Ask) -> None:
    assert ask("What is known of the Standby Mode?") == ["Brewer>Standby Mode"]


def test_a_question_on_the_topic_itself_stays_there(ask: Ask) -> None:
    assert ask("How many cups does the Brewer serve?") == ["Brewer"]


# -- before and after


def test_what_follows_is_asked_for(ask: Ask) -> None:
    assert sorted(ask("Which work step comes next?", shows=DROPS)) == [
        "Brewer>Brew Mode>Slow Drip>Flush",
        "Brewer>Brew Mode>Slow Drip>Steam Blast",
    ]


def test_a_condition_chooses_between_followers(ask: Ask) -> None:
    following = "Which work step comes next?"
    assert ask(following, extra="The tank is empty.", shows=DROPS) == ["Brewer>Brew Mode>Slow Drip>Flush"]
    assert ask(following, extra="The tank is not empty.", shows=DROPS) == ["Brewer>Brew Mode>Slow Drip>Steam Blast"]


def test_how_a_follower_looks_is_not_read_from_what_it_follows(ask: Ask) -> None:
    """No variant of the follower, unless its condition is stated."""
    found = ask("Which work step comes next?", extra="The tank is not empty.", shows=DROPS)
    assert found == ["Brewer>Brew Mode>Slow Drip>Steam Blast"]
    found = ask("Which work step comes next?", extra="The tank is not empty. The lid is open.", shows=DROPS)
    assert found == ["Brewer>Brew Mode>Slow Drip>Steam Blast>Roaring Steam Blast"]


def test_what_came_before_is_asked_for(ask: Ask) -> None:
    assert ask("What was the previous work step?", shows=STEAM) == ["Brewer>Brew Mode>Slow Drip>Steam Blast"]


def test_what_happens_within_the_thing_shown_is_no_follower(ask: Ask) -> None:
    assert ask("What will it do next within this work step?", shows=KNOCKS) == ["Brewer>Brew Mode>Pump Burst"]


# -- relatives and comparison


def test_a_relative_is_gone_to_by_the_words_of_the_relation(ask: Ask) -> None:
    assert ask("Does its larger model have a similar work step?", shows=TWICE) == ["Brewer>Grand Brewer>Double Flush"]


def test_a_relative_is_gone_to_by_its_name(ask: Ask) -> None:
    assert ask("Which work step is the same in the Grand Brewer?", shows=TWICE) == ["Brewer>Grand Brewer>Double Flush"]


def test_a_relative_that_nobody_asks_for_is_left_alone(ask: Ask) -> None:
    assert ask(WHICH, shows=TWICE) != []
    assert not any("Grand" in path for path in ask(WHICH, shows=TWICE))


def test_both_sides_of_a_comparison_keep_their_best(ask: Ask) -> None:
    found = ask("How does this work step differ from that of the larger model?", shows=RINSE)
    assert any(path.endswith("Mode>Flush") for path in found)
    assert "Brewer>Grand Brewer>Flush" in found


# -- outcomes


def test_what_a_candidate_leads_to_is_told_where_the_question_speaks_of_it(ask: Ask) -> None:
    end = "Brewer>Brew Mode>Steam Blast"
    assert ask("What is released when this happens?", shows=STEAM) == [f"{end}>Hot Vapour"]
    assert ask("How hot is the vapour of it?", shows=STEAM) == [f"{end}>Hot Vapour"]
    assert ask("How long does this work step last?", shows=STEAM) == [end]


# -- how sure it is


def test_the_margin_says_how_many_are_kept(ask: Ask) -> None:
    vague = "Water runs somewhere."
    counts = [len(ask(WHICH, shows=vague, margin=margin)) for margin in (0.0, 0.15, 5.0)]
    assert counts == sorted(counts)
    assert (counts[0], counts[2]) == (1, 4)


def test_no_more_paths_than_wanted(ask: Ask) -> None:
    assert len(ask(WHICH, shows="Water.", margin=5.0, settings=WalkSettings(paths=2))) == 2


@pytest.mark.parametrize(
    ("off", "text", "extra", "shows"),
    [
        ({"condition": 0.0}, WHICH, "The lid is open.", STEAM),
        ({"mention": 0.0}, "Which work step comes after Pump Burst?", "", STEAM),
        ({"follows": False}, "Which work step comes next?", "", DROPS),
        ({"relatives": False}, "Does its larger model have a similar work step?", "", TWICE),
        ({"comparisons": False}, "How does this work step differ from that of the larger model?", "", RINSE),
        ({"caption": 0.0, "label": 0.0}, WHICH, "", KNOCKS),
    ],
)
def test_each_mechanism_can_be_switched_off(ask: Ask, off: dict[str, float], text: str, extra: str, shows: str) -> None:
    assert ask(text, extra=extra, shows=shows, **off) != ask(text, extra=extra, shows=shows)


# -- the topic


@pytest.mark.parametrize(
    ("text", "shows", "topic"),
    [
        ("What does the Milk Frother do?", "", "Milk Frother"),
        ("What does the frother do?", "", "Milk Frother"),
        ("What does the Grand Brewer do?", "", "Grand Brewer"),
        ("What does the Brewer do that the Grand Brewer does not?", "", "Brewer"),
        ("Is old faithful of the counter better than the Grand Brewer?", "", "Brewer"),
        ("What is this?", "A jug with a whisk at its bottom.", "Milk Frother"),
        ("Which machine with four nozzles stands in hotels?", "", "Grand Brewer"),
    ],
)
def test_the_topic_is_the_one_named_first_or_else_the_one_that_fits(
    tiny_store: EmbeddedStore, policy: Policy, text: str, shows: str, topic: str
) -> None:
    assert walk(tiny_store, policy, Question(text, caption=shows)).topic.label == topic


def test_no_topics_are_no_topic(policy: Policy) -> None:
    assert policy.topic_selector.select_topic(Question("What?"), []).topic is None


@pytest.mark.parametrize("text", ["Which work step comes next?", WHICH, "What is it?"])
def test_a_walk_may_start_at_any_entity(ask: Ask, text: str) -> None:
    for shows in ("", DROPS):
        paths = ask(text, topic="Slow Drip", shows=shows)
        assert paths
        assert all(path.startswith("Slow Drip") for path in paths)


def test_what_follows_an_entity_that_is_named_as_the_topic(ask: Ask) -> None:
    assert ask("Which work step comes next?", topic="Whirl") == ["Whirl>Whirl Again"]


# -- the other roles


def test_it_says_that_it_cannot_see(policy: Policy) -> None:
    perception = policy.perceiver.perceive(Question("What?", images=(Path("a.png"),)))
    assert perception.caption == ""
    assert perception.calls[0].problem == "the built-in policy cannot see media: give a caption"


def test_the_answer_names_the_ends_and_reports_the_routes(tiny_store: EmbeddedStore, policy: Policy) -> None:
    answer = walk(
        tiny_store, policy, Question("Which work step comes next?", "Brewer", "The tank is empty.", DROPS)
    ).answer
    assert answer.splitlines() == [
        "Slow Drip, then Flush",
        "Brewer has working mode Brew Mode.",
        "Brew Mode has work step Slow Drip.",
        "Slow Drip continues with work step Flush (condition: tank is empty).",
        "Flush. Looks: Clear hot water runs out of the group head for a few seconds and rinses the grounds away into "
        "the tray below.",
    ]


def test_a_caption_made_for_the_question_is_reported_and_used(policy: Policy) -> None:
    jug = entity("Jug", caption="A jug.")
    answer = policy.summarizer.summarize(Question("?"), [Route(jug)], {jug.iri: "A broken jug."})
    assert answer.text == "Jug\nJug. Looks: A broken jug."


def follows(head: Entity, tail: Entity) -> Edge:
    iri = ox.NamedNode("urn:next")
    return Edge(head.iri, Relation(iri, "continues with", iri, "continues with"), tail)


def test_what_follows_the_same_is_told_together_and_what_it_follows_first(policy: Policy) -> None:
    drip, stop, lid = entity("Slow Drip"), entity("Stop"), entity("Lid")
    ends = [entity(label) for label in ("Flush", "Rinse", "Grind")]
    paths = [Route(drip, (follows(drip, end),)) for end in ends]
    told = policy.summarizer.summarize(Question("?"), [*paths, Route(lid), Route(stop, (follows(stop, ends[0]),))], {})
    assert told.text.splitlines()[0] == "Slow Drip, then Flush, Rinse or Grind; Lid; Stop, then Flush"
    two = policy.summarizer.summarize(Question("?"), [*paths[:2], paths[0]], {})
    assert two.text.splitlines()[0] == "Slow Drip, then Flush or Rinse"


def test_captions_and_contexts_of_an_end_are_told_on_one_line(policy: Policy) -> None:
    jug = replace(entity("Jug", caption="A jug"), contexts=("Holds a litre.",))
    answer = policy.summarizer.summarize(Question("?"), [Route(jug)], {})
    assert answer.text.splitlines() == ["Jug", "Jug. Looks: A jug. Note: Holds a litre."]


def test_no_paths_are_an_empty_answer(policy: Policy) -> None:
    assert policy.summarizer.summarize(Question("?"), [], {}).text == ""


def test_the_topic_alone_is_what_is_kept_where_it_is_named_and_nothing_else_asked(policy: Policy) -> None:
    paths = [ScoredPath(Route(entity("Jug")))]
    assert policy.selector.select_paths(Question("What is a jug?"), paths, 5) == paths
    with pytest.raises(NothingFits, match="the question names nothing"):
        policy.selector.select_paths(Question("?"), paths, 5)


# -- the same every time


def shape(result: WalkResult) -> object:
    return result.paths, result.answer, result.queries, [call.answer for call in result.calls]


@pytest.mark.parametrize("text", [WHICH, "Which work step comes next?", "How does it differ from the larger model?"])
def test_the_same_question_has_the_same_answer(
    tiny_store: EmbeddedStore, tiny_quads: tuple[ox.Quad, ...], policy: Policy, encoder: WordLlamaEncoder, text: str
) -> None:
    question = Question(text, "Brewer", "The lid is open.", "Something white comes out.")
    first = shape(walk(tiny_store, policy, question))
    assert shape(walk(tiny_store, policy, question, settings=WalkSettings(concurrency=1))) == first
    other = EmbeddedStore.from_quads(reversed(tiny_quads))
    assert shape(walk(other, build_builtin_policy(other, encoder, COFFEE), question)) == first


def test_nothing_of_a_question_is_kept_for_the_next(tiny_store: EmbeddedStore, policy: Policy) -> None:
    asked = Question(WHICH, "Brewer", "The lid is open.", STEAM)
    first = shape(walk(tiny_store, policy, asked))
    walk(tiny_store, policy, Question("What follows the Whirl?", "Frother", "", "Foam."))
    assert shape(walk(tiny_store, policy, asked)) == first


# -- graphs without a domain, and graphs without texts


@pytest.mark.parametrize(
    ("text", "shows", "path"),
    [
        ("What is the Brewer doing?", KNOCKS, "Brewer>Brew Mode>Pump Burst"),
        ("What happens here?", STEAM, "Brewer>Brew Mode>Steam Blast"),
        ("When does hot water run out?", "", "Brewer>Standby Mode>Flush"),
        ("What is known of the Steam Blast?", "", "Brewer>Brew Mode>Steam Blast"),
        ("How many cups does the Brewer serve?", "", "Brewer"),
    ],
)
def test_without_the_classes_of_a_domain_the_texts_decide(ask: Ask, text: str, shows: str, path: str) -> None:
    assert ask(text, shows=shows, domain=Domain())[0] == path


def test_a_domain_may_have_one_class_only(ask: Ask) -> None:
    steps = Domain(preferred_class=COFFEE.preferred_class)
    assert ask(WHICH, topic="Grand Brewer", shows=TWICE, domain=steps) == ["Grand Brewer>Double Flush"]
    modes = Domain(single_choice_class=COFFEE.single_choice_class)
    assert ask("What is it doing?", shows=KNOCKS, domain=modes)[0] == "Brewer>Brew Mode>Pump Burst"


def test_classes_that_the_graph_does_not_have_leave_the_topic(ask: Ask) -> None:
    other = DomainClass(ox.NamedNode("http://example.org/Other"), "other")
    assert ask(WHICH, shows=KNOCKS, domain=Domain(preferred_class=other)) == ["Brewer"]


@pytest.mark.parametrize("domain", [Domain(), COFFEE])
@pytest.mark.parametrize("shows", ["", "A red door."])
def test_a_graph_without_any_text_is_walked_too(encoder: WordLlamaEncoder, domain: Domain, shows: str) -> None:
    store = little_graph("root>a root>b a>c c>root")
    policy = build_builtin_policy(store, encoder, domain)
    result = walk(store, policy, Question("Where does it lead?", "root", caption=shows))
    assert result.paths
    assert result.stopped == ""


def test_an_empty_graph_makes_a_policy(encoder: WordLlamaEncoder) -> None:
    policy = build_builtin_policy(EmbeddedStore.from_quads([]), encoder, COFFEE)
    assert (policy.name, policy.settings) == ("builtin", {"encoder": encoder.fingerprint})


def test_a_budget_ends_it_with_what_was_found(tiny_store: EmbeddedStore, policy: Policy) -> None:
    asked = Question(WHICH, "Brewer", caption=KNOCKS)
    result = walk(tiny_store, policy, asked, settings=WalkSettings(budget=Budget(depth=1)))
    assert result.stopped == "depth limit of 1 edges reached"
    assert all(len(scored.path.edges) <= 1 for scored in result.paths)
