"""Evidence for a question out of its media: over a real index of a small graph, by the command line and beneath it."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyoxigraph as ox
import pytest
import rdflib
from click.testing import CliRunner, Result

from agents.media_files import read_media
from agents.media_retrieval import Evidence, MediaRetriever, RetrievalSettings, with_evidence
from agents.provenance import RUN_BASE, provenance
from agents.roles import Question
from kg.home import Home
from kg.media.items import Sound
from retrieval.encoder import WordLlamaEncoder
from retrieval.grasp import Grasp, SimilarityFilter, Thresholds
from retrieval.grounding.exemplar import ExemplarGrounder
from retrieval.search import MediaQuery, MediaSearcher
from retrieval.triplets import Triplet
from scoutfly import Scoutfly, main
from tests.kg.media.stage import film, picture
from tests.zoo import BASE, import_zoo, write_zoo


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("zoo")
    write_zoo(found)
    import_zoo(found, Scoutfly(found / "home").home)
    run(found, "index", "build")
    return found


@pytest.fixture
def retriever(folder: Path) -> Iterator[MediaRetriever]:
    yield Scoutfly(folder / "home").media_retriever()


def run(folder: Path, *words: str) -> Result:
    result = CliRunner().invoke(main, ["--home", str(folder / "home"), *words])
    assert result.exit_code in (0, 1, 2)
    return result


def found(retriever: MediaRetriever, *paths: Path, question: str = "", **more: object) -> Evidence:
    return retriever.retrieve(question, read_media(paths), settings=RetrievalSettings(**more))  # type: ignore[arg-type]


def triples(evidence: Evidence) -> set[str]:
    return {f"{one.head.label} {one.relation.base_label} {one.tail.label}" for one in evidence.triplets}


def test_a_picture_finds_its_entity_and_what_the_graph_says_of_it(folder: Path, retriever: MediaRetriever) -> None:
    evidence = found(retriever, folder / "media" / "lion.png", k=1)
    assert [hit.items for hit in evidence.hits] == [(f"{BASE}media/lion.png",)]
    assert [entity.label for entity in evidence.entities] == ["Lion"]
    assert triples(evidence) == {
        "Lion has call Roar of Lion",
        "Lion has call Purr of Lion",
        "Lion lives in savanna",
        "Lion likes Zebra",
    }
    assert [topic.label for topic in evidence.topics] == ["Lion"]


def test_a_frame_or_a_sound_of_a_call_leads_to_its_topic(folder: Path, retriever: MediaRetriever) -> None:
    for name in ("roar2.png", "roar.wav"):
        evidence = found(retriever, folder / "media" / name, k=1)
        assert [entity.label for entity in evidence.entities] == ["Roar of Lion"]
        assert [topic.label for topic in evidence.topics] == ["Lion"]


def test_grounding_drops_what_does_not_look_like_the_query(folder: Path, retriever: MediaRetriever) -> None:
    everything = found(retriever, folder / "media" / "lion.png", k=8, grounding=False, filtering=False)
    # The pictures are all as far apart as neighbours are, at a presence of 0.37.
    grounded = found(retriever, folder / "media" / "lion.png", k=8, eta=Thresholds(visual=0.5))
    assert len(everything.triplets) > len(grounded.triplets)
    assert "Parrot lives in jungle" in triples(everything) - triples(grounded)
    assert {one.stage for one in grounded.dropped} == {"grounding"}
    assert len(grounded.triplets) + len(grounded.dropped) == len(everything.triplets)


def test_the_question_drops_what_is_of_no_use(folder: Path, retriever: MediaRetriever) -> None:
    evidence = found(retriever, folder / "media" / "lion.png", question="Where does it live?", k=1)
    assert "Lion lives in savanna" in triples(evidence)
    assert {one.stage for one in evidence.dropped} == {"filter"}


def test_tau_leaves_out_what_is_far(folder: Path, retriever: MediaRetriever) -> None:
    near = found(retriever, folder / "media" / "lion.png", k=8, tau={"image": 0.01})
    assert [hit.distance for hit in near.hits] == [pytest.approx(0, abs=1e-3)]
    (folder / "other.png").unlink(missing_ok=True)
    nothing = found(retriever, picture(folder / "other.png", seed=77), k=8, tau={"image": 0.01})
    assert (nothing.hits, nothing.triplets, nothing.topics) == ((), (), ())


def test_a_film_with_sound_is_asked_in_the_space_of_both(folder: Path, retriever: MediaRetriever) -> None:
    query = read_media([film(folder / "film.mp4", sound=True)])
    assert len(query.films) == len(query.sounds) == 1
    assert {hit.index for hit in retriever.retrieve("", query).hits} == {"audiovisual"}
    silent = read_media([film(folder / "silent.mp4")])
    assert {hit.index for hit in retriever.retrieve("", silent).hits} == {"video"}


def test_a_question_is_told_where_to_start_unless_it_knows(folder: Path, retriever: MediaRetriever) -> None:
    evidence = found(retriever, folder / "media" / "lion.png", k=1)
    told = with_evidence(Question("What does it like?"), evidence)
    assert told.topic == f"{BASE}lion"
    assert told.extra == "Its media are most like those of Lion."
    assert with_evidence(Question("x", topic="Zebra"), evidence).topic == "Zebra"


def test_search_on_the_command_line(folder: Path) -> None:
    shown = run(folder, "search", "--image", str(folder / "media" / "lion.png"), "--k", "1")
    assert shown.exit_code == 0, shown.output
    assert f"0.000  image        {BASE}media/lion.png: Lion" in shown.stdout
    assert "Lion -lives in-> savanna" in shown.stdout
    assert "image encoded by classical-image" in shown.stdout
    said = json.loads(run(folder, "search", "--audio", str(folder / "media" / "purr.wav"), "--json").stdout)
    assert said["hits"][0]["shows"] == [{"iri": f"{BASE}lion/purr", "label": "Purr of Lion"}]
    assert said["topics"][0]["label"] == "Lion"


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ([], 2, "say what to look for"),
        (["--text", "lion"], 1, "no index was made by an encoder that texts share a space with"),
        (["--text", "lion", "--image", "zoo.toml"], 2, "not for both at once"),
        (["--image", "zoo.toml"], 1, "zoo.toml is no picture, film or sound"),
        (["--image", "none.png"], 2, "does not exist"),
    ],
)
def test_searches_that_cannot_be(folder: Path, words: list[str], status: int, reason: str) -> None:
    given = [str(folder / word) if "." in word else word for word in words]
    result = run(folder, "search", *given)
    assert result.exit_code == status
    assert reason in result.stderr


def test_a_home_without_indexes_says_how_to_make_them(tmp_path: Path) -> None:
    write_zoo(tmp_path)
    import_zoo(tmp_path, Scoutfly(tmp_path / "home").home)
    result = run(tmp_path, "search", "--image", str(tmp_path / "media" / "lion.png"))
    assert result.exit_code == 1
    assert result.stderr == "Error: there is no index of pictures: scoutfly index build makes one\n"


def test_a_question_with_a_sound_is_walked_from_what_sounds_like_it(folder: Path) -> None:
    result = run(folder, "ask", "--media", str(folder / "media" / "roar.wav"), "Where does the animal live?")
    assert result.exit_code == 0, result.output
    assert "Topic: Lion" in result.stdout
    assert f"{BASE}media/roar.wav: Roar of Lion" in result.stdout
    said = json.loads(
        run(folder, "ask", "--media", str(folder / "media" / "roar.wav"), "--json", "Where does it live?").stdout
    )
    assert said["evidence"]["topics"][0]["label"] == "Lion"


def test_an_answer_from_what_is_retrieved_alone(folder: Path) -> None:
    words = ["ask", "--retrieval", "media", "--media", str(folder / "media" / "lion.png"), "--k", "1"]
    result = run(folder, *words, "Where does it live?")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("savanna\n")
    refused = run(folder, "ask", "--retrieval", "media", "Where?")
    assert refused.exit_code == 2
    assert "give --media FILE" in refused.stderr


def triplet(head: str, relation: str, tail: str) -> Triplet:
    nodes = [ox.NamedNode(f"http://example.org/{name.replace(' ', '-')}") for name in (head, relation, tail)]
    return Triplet(nodes[0], nodes[1], nodes[2], head, relation, tail)


def test_equation_4_sums_head_and_tail_and_thresholds_are_of_what_the_query_has() -> None:
    class Given:
        name = "given"

        def __init__(self, *scores: float) -> None:
            self._scores = np.array(scores)

        def scores(self, triplets: object, query: MediaQuery) -> np.ndarray:
            return self._scores

    one = triplet("a", "r", "b")
    seen = MediaQuery(pictures=(np.zeros((1, 1, 3), np.uint8),))
    both = MediaQuery(seen.pictures, sounds=(Sound(np.zeros(4, np.float32), 8),))
    grasp = Grasp(Given(0.5, 1.5), Given(0.9, 0.1), eta=Thresholds(visual=1.0, audio=0.5, both=1.5))
    assert grasp.prune([one, one], "", seen).kept == (1,)
    assert grasp.prune([one, one], "", MediaQuery(sounds=both.sounds)).kept == (0,)
    assert grasp.prune([one, one], "", both).kept == (1,)
    assert grasp.prune([one, one], "", MediaQuery()).kept == (0, 1)
    # Where one sense cannot judge, the other does, by its own threshold; where neither can, the triplet stays.
    partly = Grasp(
        Given(np.nan, 1.2, np.nan), Given(0.6, np.nan, np.nan), eta=Thresholds(visual=1.0, audio=0.7, both=9.0)
    )
    assert partly.prune([one, one, one], "", both).kept == (1, 2)
    (dropped,) = grasp.prune([one, one], "", both).dropped
    assert (dropped.place, dropped.reason) == (0, "seen and heard 1.40, less than 1.50")


def test_the_filter_keeps_the_order_and_something() -> None:
    of = [triplet("Lion", "eats", "Zebra"), triplet("Car", "has colour", "red"), triplet("Lion", "sleeps in", "den")]
    kept = SimilarityFilter(WordLlamaEncoder()).keep("What do lions eat?", of)
    assert [one for one, _ in kept][:2] == [True, False]
    assert all(one for one, _ in SimilarityFilter(WordLlamaEncoder()).keep("  ", of))
    assert any(one for one, _ in SimilarityFilter(WordLlamaEncoder(), least=2.0).keep("xyzzy", of))


def test_what_cannot_be_judged_is_kept(folder: Path, retriever: MediaRetriever) -> None:
    """Neither the lion nor the savanna has a sound of its own: a roar says nothing against either."""
    evidence = found(retriever, folder / "media" / "roar.wav", question="Where does it live?", k=1, hops=2)
    assert "Lion lives in savanna" in triples(evidence)


def test_what_was_found_is_kept_with_the_run_and_told_by_its_provenance(folder: Path) -> None:
    scoutfly = Scoutfly(folder / "home")
    path = str(folder / "media" / "roar.wav")
    run_id = json.loads(run(folder, "ask", "--media", path, "--json", "Where does it live?").stdout)["run"]
    runs = scoutfly.engine().runs
    assert runs.asked(run_id)["evidence"]["hits"][0]["items"] == [f"{BASE}media/roar.wav"]  # type: ignore[index]
    told = provenance(
        run_id, status=runs.status(run_id), asked=runs.asked(run_id), result=runs.load(run_id), trace=runs.trace(run_id)
    )
    graph = rdflib.Graph().parse(data=told, format="turtle")
    used = {str(one) for one in graph.objects(rdflib.URIRef(RUN_BASE + run_id), rdflib.PROV.used)}
    assert f"{BASE}media/roar.wav" in used


def test_media_are_added_on_the_command_line(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    picture(tmp_path / "files" / "lion.png", seed=5)
    write_zoo(tmp_path)
    import_zoo(tmp_path, Home(tmp_path / "home"))
    result = run(tmp_path, "media", "add", str(tmp_path / "files"), "--name", "more")
    assert result.exit_code == 0, result.output
    assert "media found 1, missing 0" in result.stdout


def test_equation_4_by_hand(folder: Path) -> None:
    """At no distance an entity is there wholly; an end without media adds nothing."""
    searcher = MediaSearcher(Scoutfly(folder / "home").indexes)
    opened = searcher.opened("image")
    lion, zebra = (ox.NamedNode(f"http://example.org/{name}") for name in ("Lion", "Zebra"))
    items = {lion: (f"{BASE}media/lion.png",), zebra: (f"{BASE}media/zebra.png",)}
    query = read_media([folder / "media" / "lion.png"])
    scores = ExemplarGrounder("visual", opened.index, opened.encoders[0], items).scores(
        [triplet("Lion", "likes", "Zebra"), triplet("Lion", "sleeps in", "den"), triplet("den", "is near", "den")],
        query,
    )
    far = np.linalg.norm(np.subtract(*opened.index.vectors_of([items[lion][0], items[zebra][0]])))
    presence = np.exp(-((far / opened.index.neighbour_distance) ** 2))
    assert scores[:2] == pytest.approx([1 + presence, 1.0], abs=1e-3)
    assert np.isnan(scores[2])


def test_grounding_looks_at_four_frames_of_a_film() -> None:
    film_of_ten = tuple(np.full((1, 1, 3), number, np.uint8) for number in range(10))
    assert [int(frame[0, 0, 0]) for frame in MediaQuery(films=(film_of_ten,)).glimpses] == [0, 3, 6, 9]
    assert len(MediaQuery(films=(film_of_ten[:2],)).glimpses) == 2


def test_a_kind_that_no_index_holds_is_told(folder: Path, tmp_path: Path) -> None:
    write_zoo(tmp_path)
    import_zoo(tmp_path, Home(tmp_path / "home"))
    assert run(tmp_path, "index", "build", "--modality", "image").exit_code == 0
    words = ["search", "--image", str(folder / "media" / "lion.png"), "--audio", str(folder / "media" / "roar.wav")]
    assert run(tmp_path, *words).stdout.startswith("There is no index of sounds: they were not looked for.\n")
