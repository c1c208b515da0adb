"""The roles that a model plays: what they ask, and what they make of the answer."""

from pathlib import Path as FilePath

import pyoxigraph as ox
import pytest

from agents.asking import Asker, Sampling
from agents.chat import Reply
from agents.domain import Domain, DomainClass
from agents.errors import EndpointFailed
from agents.llm import FirstPaths, build_llm_policy
from agents.llm_roles import LlmExpander, LlmTopicSelector
from agents.prompts import load_prompt
from agents.roles import Path, Question, ScoredPath
from sparql.graph import Entity
from tests.fakes import EX, ScriptedChat, edge, entity

DOMAIN = Domain(
    persona="You have kept bears for thirty years.",
    look_for="paws and jaws",
    preferred_class=DomainClass(ox.NamedNode(EX + "Food"), "kind of food"),
    single_choice_class=DomainClass(ox.NamedNode(EX + "Season"), "season"),
)
BEAR = entity("Bear", context="Lives in the woods.")
SUMMER = entity("Summer", kind="Season")
WINTER = entity("Winter", kind="Season")
HONEY = entity("Honey", kind="Food", caption="A jar with a spoon in it.")
OFFER = [
    edge(BEAR, "is active in", SUMMER),
    edge(BEAR, "eats", HONEY, condition="is hungry", information="Twice a day"),
    edge(BEAR, "is active in", WINTER),
]
QUESTION = Question("What does it eat?", topic="Bear", extra="It is  hungry.\n", caption="It licks its paw.")


def test_the_expander_offers_numbered_sentences_with_condition_class_and_description() -> None:
    model = ScriptedChat(['{"choices": [2]}'])
    expansion = build_llm_policy({"default": model}, DOMAIN).expander.expand(QUESTION, Path(BEAR), OFFER, {})
    assert expansion.chosen == (1,)
    prompt = model.asked[0].prompt
    for part in (
        "You have kept bears for thirty years.",
        "Question: What does it eat?\nIt is about: Bear\nWhat else is known: It is hungry.",
        "What the pictures show: It licks its paw.",
        "- Bear: additional information: Lives in the woods.",
        "1. Bear is active in Summer [season]",
        "2. Bear eats Honey (condition: is hungry; information: Twice a day) [kind of food]\n"
        "   Honey: description: A jar with a spoon in it.",
    ):
        assert part in prompt
    assert model.asked[0].schema == {
        "type": "object",
        "properties": {"choices": {"type": "array", "items": {"type": "integer", "enum": [1, 2, 3]}}},
        "required": ["choices"],
        "additionalProperties": False,
    }


def test_a_caption_made_for_this_question_stands_in_the_place_of_the_graph_s() -> None:
    model = ScriptedChat(['{"choices": [2]}'])
    overlay = {HONEY.iri: "Something golden."}
    build_llm_policy({"default": model}, DOMAIN).expander.expand(QUESTION, Path(BEAR), OFFER, overlay)
    assert "Something golden." in model.asked[0].prompt
    assert "A jar" not in model.asked[0].prompt


def test_of_what_excludes_each_other_the_first_chosen_is_kept_and_noted() -> None:
    model = ScriptedChat(['{"choices": [3, 2, 1]}'])
    expansion = build_llm_policy({"default": model}, DOMAIN).expander.expand(QUESTION, Path(BEAR), OFFER, {})
    assert expansion.chosen == (2, 1)
    assert expansion.calls[-1].note == "at most one season: kept Winter, left out Summer"
    assert expansion.calls[-1].problem == ""


def test_parallel_edges_to_the_one_kept_stay() -> None:
    offer = [*OFFER, edge(BEAR, "sleeps in", WINTER)]
    model = ScriptedChat(['{"choices": [3, 4, 1]}'])
    assert build_llm_policy({"default": model}, DOMAIN).expander.expand(QUESTION, Path(BEAR), offer, {}).chosen == (
        2,
        3,
    )


@pytest.mark.parametrize(
    ("rules", "said", "chosen"),
    [
        (("prefer-class", "single-choice"), {"[season]", "[kind of food]", "one of them at most"}, (2, 1)),
        (("prefer-class",), {"[kind of food]"}, (2, 1, 0)),
        (("single-choice",), {"[season]", "one of them at most"}, (2, 1)),
        ((), set(), (2, 1, 0)),
    ],
)
def test_each_rule_can_be_switched_off(rules: tuple[str, ...], said: set[str], chosen: tuple[int, ...]) -> None:
    model = ScriptedChat(['{"choices": [3, 2, 1]}'])
    policy = build_llm_policy({"default": model}, DOMAIN, rules=rules)
    assert policy.expander.expand(QUESTION, Path(BEAR), OFFER, {}).chosen == chosen
    everything = {"[season]", "[kind of food]", "one of them at most"}
    assert {part for part in everything if part in model.asked[0].prompt} == said


def test_a_domain_without_classes_has_no_rules() -> None:
    model = ScriptedChat(['{"choices": [3, 2, 1]}'])
    assert build_llm_policy({"default": model}, Domain()).expander.expand(QUESTION, Path(BEAR), OFFER, {}).chosen == (
        2,
        1,
        0,
    )
    assert "[" not in model.asked[0].prompt.split("JSON")[0].replace("[]", "")


def test_a_wide_offer_is_made_in_batches() -> None:
    offer = [edge(BEAR, "eats", entity(f"Berry {number}")) for number in range(5)]
    model = ScriptedChat(['{"choices": [2]}', '{"choices": []}', '{"choices": [1]}'])
    expander = LlmExpander(Asker("expander", model, load_prompt("expander")), DOMAIN, batch=2)
    expansion = expander.expand(QUESTION, Path(BEAR), offer, {})
    assert expansion.chosen == (1, 4)
    assert len(expansion.calls) == 3


def test_nothing_on_offer_asks_nobody() -> None:
    model = ScriptedChat(["never"])
    assert build_llm_policy({"default": model}, DOMAIN).expander.expand(QUESTION, Path(BEAR), [], {}).calls == ()
    assert model.asked == []


@pytest.mark.parametrize(
    ("answer", "expected"), [('{"choice": 2}', "Fox"), ("Reynard", "Fox"), ('{"choice": 0}', None), ("None", None)]
)
def test_the_topic_selector_picks_by_number_or_any_name(answer: str, expected: str | None) -> None:
    topics = [BEAR, entity("Fox", alt=["Reynard"], context="Red and quick.")]
    model = ScriptedChat([answer])
    choice = build_llm_policy({"default": model}, DOMAIN).topic_selector.select_topic(Question("Who is red?"), topics)
    assert (choice.topic.label if choice.topic else None) == expected
    assert "2. Fox (also called Reynard): Red and quick." in model.asked[0].prompt
    assert choice.calls[-1].problem == ""


def test_a_topic_selector_that_cannot_decide_is_asked_again() -> None:
    model = ScriptedChat(["Bear; Fox", "1"])
    choice = build_llm_policy({"default": model}, DOMAIN).topic_selector.select_topic(
        Question("Who?"), [BEAR, entity("Fox")]
    )
    assert choice.topic == BEAR
    assert choice.calls[0].problem == "choose one option only"


def test_many_topics_meet_in_rounds() -> None:
    topics: list[Entity] = [entity(f"Animal {number}") for number in range(5)]
    model = ScriptedChat(['{"choice": 2}', '{"choice": 0}', '{"choice": 1}', '{"choice": 2}'])
    selector = LlmTopicSelector(Asker("topic_selector", model, load_prompt("topic_selector")), DOMAIN, batch=2)
    choice = selector.select_topic(Question("Who?"), topics)
    assert choice.topic == topics[4]
    assert len(choice.calls) == 4


@pytest.mark.parametrize(
    ("wording", "word"), [("sufficient", "sufficient to answer"), ("necessary", "necessary to answer")]
)
def test_the_validator_has_two_wordings(wording: str, word: str) -> None:
    model = ScriptedChat(['{"answer": "yes"}'])
    policy = build_llm_policy({"default": model}, DOMAIN, wording=wording)  # type: ignore[arg-type]
    verdict = policy.validator.validate(QUESTION, Path(BEAR, (OFFER[1],)), {})
    assert (verdict.sufficient, verdict.caption) == (True, "")
    assert word in model.asked[0].prompt
    assert "on the way to Honey" in model.asked[0].prompt
    assert "- Bear eats Honey (condition: is hungry; information: Twice a day)" in model.asked[0].prompt


def test_the_thought_before_the_verdict_is_no_part_of_it() -> None:
    model = ScriptedChat(['{"missing": "yes, the spoon", "answer": "no"}'])
    verdict = build_llm_policy({"default": model}, DOMAIN).validator.validate(QUESTION, Path(BEAR), {})
    assert not verdict.sufficient
    assert verdict.calls[-1].problem == ""


def test_the_perceiver_shows_the_images_and_asks_what_to_look_for(tmp_path: FilePath) -> None:
    frame = tmp_path / "frame.png"
    frame.write_bytes(b"png")
    model = ScriptedChat(['Description: "A bear licks its paw."'])
    question = Question("What does it eat?", images=(frame, tmp_path / "clip.mp4"))
    perception = build_llm_policy({"default": model}, DOMAIN).perceiver.perceive(question)
    assert perception.caption == "A bear licks its paw."
    assert model.asked[0].messages[-1].images == (frame,)
    assert model.asked[0].schema is None
    assert "paws and jaws" in model.asked[0].prompt


def test_a_perceiver_with_nothing_to_show_asks_nobody(tmp_path: FilePath) -> None:
    model = ScriptedChat(["never"])
    question = Question("What?", images=(tmp_path / "clip.mp4",))
    assert build_llm_policy({"default": model}, DOMAIN).perceiver.perceive(question).caption == ""
    assert model.asked == []


def test_the_summarizer_answers_from_the_paths(tmp_path: FilePath) -> None:
    frame = tmp_path / "frame.png"
    model = ScriptedChat(["Honey, when it is hungry."])
    question = Question("What does it eat?", images=(frame,))
    answer = build_llm_policy({"default": model}, DOMAIN).summarizer.summarize(
        question, [Path(BEAR, (OFFER[1],)), Path(BEAR, (OFFER[0],))], {}
    )
    assert answer.text == "Honey, when it is hungry."
    assert "Path 1:\n" in model.asked[0].prompt
    assert "Path 2:\n" in model.asked[0].prompt
    assert model.asked[0].messages[-1].images == ()
    seeing = build_llm_policy({"default": model}, DOMAIN, summarizer_sees=True).summarizer
    seeing.summarize(question, [Path(BEAR)], {})
    assert model.asked[1].messages[-1].images == (frame,)


def test_without_paths_no_answer_is_made_up() -> None:
    model = ScriptedChat(["never"])
    answer = build_llm_policy({"default": model}, DOMAIN).summarizer.summarize(QUESTION, [], {})
    assert "nothing in it was found" in answer.text
    assert model.asked == []


def test_the_first_paths_are_selected() -> None:
    paths = [ScoredPath(Path(BEAR, (one,))) for one in OFFER]
    assert FirstPaths().select_paths(QUESTION, paths, 2) == paths[:2]
    assert FirstPaths().select_paths(QUESTION, paths, 9) == paths


def test_sampling_reaches_the_model() -> None:
    model = ScriptedChat(['{"choices": [2]}'])
    sampling = Sampling(max_tokens=77, temperature=0.7, repeat=3)
    build_llm_policy({"default": model}, DOMAIN, sampling=sampling).expander.expand(QUESTION, Path(BEAR), OFFER, {})
    asked = model.asked[0]
    assert (asked.max_tokens, asked.temperature, asked.repeat) == (77, 0.7, 3)


def test_an_endpoint_that_fails_ends_the_walk() -> None:
    class Broken(ScriptedChat):
        def complete(self, *args: object, **kwargs: object) -> Reply:
            raise EndpointFailed("the endpoint is gone")

    policy = build_llm_policy({"default": Broken([""])}, DOMAIN)
    with pytest.raises(EndpointFailed):
        policy.validator.validate(QUESTION, Path(BEAR), {})
