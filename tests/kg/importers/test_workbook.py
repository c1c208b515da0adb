"""The MH-MMKG layout, with small workbooks written for each test."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import NothingImported
from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport
from ontology import terms
from ontology.conformance import check_shapes
from ontology.files import bundled_quads, bundled_shapes
from ontology.result import Outcome

ID = "http://example.org/id/"
GRAPH = terms.source_graph("test")
FACTS = terms.facts_graph("test")
NODE = ("Name", "Image", "Video", "Action Description", "Additional Information")
RELATION = ("Head", "Relation", "Information", "Condition", "Tail")
PNG = b"\x89PNG\r\n\x1a\n"
MP4 = b"\x00\x00\x00\x20ftypisom"

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]
Write = Callable[..., Path]


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(ID + name)


def mhw(name: str) -> ox.NamedNode:
    return ox.NamedNode(terms.MHW_NS + name)


def label(text: str) -> ox.Literal:
    return ox.Literal(text)


@pytest.fixture
def mmkg(tmp_path: Path, write_workbook: Write) -> Path:
    """Two sub-graphs that name each other's monsters, have a "Roar" each, and share an element and a prop."""
    root = tmp_path / "mmkg"
    write_workbook(
        root / "Zinogre" / "Node.xlsx",
        [
            NODE,
            ("Zinogre", None, None, None, "Fanged wyvern."),
            ("Charged Phase", None, None, None, "Sparks all over."),
            ("Roar", "roar", "roar.mp4", "Zinogre lifts its head and howls.", None),
            ("Tail Slam", "slam.png", None, None, None),
        ],
    )
    write_workbook(
        root / "Zinogre" / "Relations.xlsx",
        [
            RELATION,
            ("Zinogre", "has attack phase of", None, None, "Charged Phase"),
            ("Charged Phase", "Has  attack action of", None, "When Zinogre is angry.", "Roar"),
            ("Roar", "continues with attack action of", "Quickly", "When the hunter hides in a bush", "Tail Slam"),
            ("Zinogre", "is mostly weaken with", None, None, "Ice Element"),
            ("Tail Slam", "can be stopped by", None, None, "Pierce Pod"),
            ("Zinogre", "has subspecies of", None, None, "Rathian"),
        ],
    )
    write_workbook(root / "Rathian" / "Node.xlsx", [NODE, ("Rathian",), ("Roar", None, None, "Rathian cries.", None)])
    write_workbook(
        root / "Rathian" / "Relation.xlsx",
        [
            RELATION,
            ("Rathian", "has attack action of", None, "is angry", "Roar"),
            ("Rathian", "is weaken with", None, None, "Ice Element"),
            ("Roar", "can be stopped by", None, None, "Pierce Pod"),
            ("Rathian", "mated pair with", None, None, "Rathalos"),
            ("Rathian", "lives in", None, None, "Ancient Forest"),
        ],
    )
    images = root / "Zinogre" / "Knowledge_Images"
    (images / "roar").mkdir(parents=True)
    for name in ("frame10.png", "frame2.png", "frame1.png"):
        (images / "roar" / name).write_bytes(PNG + name.encode())
    (images / "slam.png").write_bytes(b"\xff\xd8\xff really a JPEG")
    videos = root / "Zinogre" / "Knowledge_Videos"
    videos.mkdir()
    (videos / "roar.mp4").write_bytes(MP4)
    return tmp_path


def triples(quads: set[ox.Quad]) -> set[tuple[object, object, object]]:
    return {(quad.subject, quad.predicate, quad.object) for quad in quads}


def test_a_name_belongs_to_its_sub_graph_and_shared_words_to_the_data_set(mmkg: Path, run_importer: Run) -> None:
    quads, report = run_importer(WorkbookFolder(), mmkg)
    said = triples(quads)
    assert not report.rejected
    assert (node("zinogre/roar"), terms.RDFS_LABEL, label("Roar")) in said
    assert (node("rathian/roar"), terms.RDFS_LABEL, label("Roar")) in said
    ice, pod = node("element/ice-element"), node("prop/pierce-pod")
    assert (node("zinogre"), mhw("isMostlyWeakenWith"), ice) in said
    assert (node("rathian"), mhw("isWeakenWith"), ice) in said
    assert (node("zinogre/tail-slam"), mhw("canBeStoppedBy"), pod) in said
    assert (node("rathian/roar"), mhw("canBeStoppedBy"), pod) in said
    assert (node("zinogre"), mhw("hasSubspeciesOf"), node("rathian")) in said
    assert report.entities == len(
        {q.subject for q in quads if q.predicate == terms.RDFS_LABEL and q.graph_name == GRAPH}
    )


def test_the_graph_conforms_to_the_shapes(mmkg: Path, run_importer: Run) -> None:
    quads, _report = run_importer(WorkbookFolder(), mmkg)
    result = check_shapes({*quads, *bundled_quads()}, bundled_shapes())
    assert result.outcome is Outcome.PASSED, result


def test_classes_come_from_domains_and_ranges(mmkg: Path, run_importer: Run) -> None:
    said = triples(run_importer(WorkbookFolder(), mmkg)[0])
    for name, kind in (
        ("zinogre", terms.TOPIC_ENTITY),
        ("zinogre", mhw("Monster")),
        ("zinogre/charged-phase", mhw("AttackPhase")),
        ("zinogre/roar", mhw("AttackAction")),
        ("element/ice-element", mhw("Element")),
        ("prop/pierce-pod", mhw("Prop")),
        ("rathalos", mhw("Monster")),
        ("rathalos", terms.TOPIC_ENTITY),
        ("rathian/ancient-forest", terms.ENTITY),
    ):
        assert (node(name), terms.RDF_TYPE, kind) in said, name


def test_a_known_condition_makes_the_conditioned_relation_and_keeps_its_wording(mmkg: Path, run_importer: Run) -> None:
    quads, report = run_importer(WorkbookFolder(), mmkg)
    said = triples(quads)
    angry = mhw("hasAttackActionOf-isAngry")
    assert (node("zinogre/charged-phase"), angry, node("zinogre/roar")) in said
    assert (node("rathian"), angry, node("rathian/roar")) in said
    texts = [q for q in quads if q.predicate == terms.CONDITION_TEXT]
    assert {q.object for q in texts} == {label("When Zinogre is angry."), label("When the hunter hides in a bush")}
    assert {q.graph_name for q in texts} == {FACTS}
    assert f"{ID}relation/livesIn" in report.new_relations


def test_a_new_condition_is_free_text_on_the_base_relation(mmkg: Path, run_importer: Run) -> None:
    quads, _report = run_importer(WorkbookFolder(), mmkg)
    said = triples(quads)
    roar, slam, base = node("zinogre/roar"), node("zinogre/tail-slam"), mhw("continuesWithAttackActionOf")
    assert (roar, base, slam) in said
    facts = {q.subject for q in quads if q.predicate == terms.RDF_OBJECT and q.object == slam}
    assert len(facts) == 1
    fact = facts.pop()
    assert (fact, terms.RDF_SUBJECT, roar) in said
    assert (fact, terms.RDF_PREDICATE, base) in said
    assert (fact, terms.CONDITION_TEXT, label("When the hunter hides in a bush")) in said
    assert (fact, terms.INFORMATION, label("Quickly")) in said


def test_media_are_told_by_content_ordered_and_checksummed(mmkg: Path, run_importer: Run) -> None:
    quads, report = run_importer(WorkbookFolder(), mmkg)
    said = triples(quads)
    video = node("media/Zinogre/Knowledge_Videos/roar.mp4")
    assert report.media_found == 5
    assert not report.media_missing
    assert (video, terms.RDF_TYPE, terms.VIDEO) in said
    for index, name in enumerate(("frame1.png", "frame2.png", "frame10.png")):
        frame = node(f"media/Zinogre/Knowledge_Images/roar/{name}")
        number = ox.Literal(str(index), datatype=terms.term("xsd:nonNegativeInteger"))
        assert (frame, terms.FRAME_INDEX, number) in said
        assert (frame, terms.KEYFRAME_OF, video) in said
        assert (node("zinogre/roar"), terms.HAS_MEDIA, frame) in said
    slam = node("media/Zinogre/Knowledge_Images/slam.png")
    assert (slam, terms.ENCODING_FORMAT, label("image/jpeg")) in said
    assert (slam, terms.CONTENT_URL, label("mmkg/Zinogre/Knowledge_Images/slam.png")) in said
    digest = hashlib.sha256(b"\xff\xd8\xff really a JPEG").hexdigest()
    assert (slam, terms.SHA256, label(digest)) in said


def test_a_caption_describes_the_media_of_its_row(mmkg: Path, run_importer: Run) -> None:
    quads, _report = run_importer(WorkbookFolder(), mmkg)
    said = triples(quads)
    caption = node("zinogre/roar/caption")
    assert (node("zinogre/roar"), terms.HAS_CAPTION, caption) in said
    assert (caption, terms.RDF_TYPE, terms.term("sf:HumanCaption")) in said
    assert (caption, terms.CAPTION_TEXT, label("Zinogre lifts its head and howls.")) in said
    assert len([q for q in quads if q.subject == caption and q.predicate == terms.DESCRIBES]) == 4
    assert (node("zinogre"), terms.CONTEXT, label("Fanged wyvern.")) in said


@pytest.mark.parametrize("inside", ["", "mmkg", "mmkg/Zinogre"])
def test_the_path_may_be_the_parent_the_folder_or_one_topic(mmkg: Path, run_importer: Run, inside: str) -> None:
    path = mmkg / inside
    assert WorkbookFolder().recognises(path)
    whole, _report = run_importer(WorkbookFolder(), mmkg)
    quads, report = run_importer(WorkbookFolder(), path)
    assert not report.rejected
    zinogre = {q for q in whole if q.subject == node("zinogre/roar")}
    assert zinogre
    assert zinogre <= quads


def test_reading_twice_gives_the_same_quads(mmkg: Path, run_importer: Run) -> None:
    assert run_importer(WorkbookFolder(), mmkg)[0] == run_importer(WorkbookFolder(), mmkg)[0]


def test_a_first_row_that_holds_data_is_no_header(tmp_path: Path, write_workbook: Write, run_importer: Run) -> None:
    write_workbook(tmp_path / "Tigrex" / "Relations.xlsx", [("Tigrex", "has attack action of", None, None, "Bite")])
    write_workbook(tmp_path / "Tigrex" / "Node.xlsx", [("Bite", None, None, "Tigrex bites.", None)])
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert report.rows_read == 2
    assert (node("tigrex"), mhw("hasAttackActionOf"), node("tigrex/bite")) in triples(quads)
    assert (node("tigrex/bite/caption"), terms.CAPTION_TEXT, label("Tigrex bites.")) in triples(quads)


def test_a_missing_workbook_is_reported_and_the_other_is_read(
    tmp_path: Path, write_workbook: Write, run_importer: Run
) -> None:
    write_workbook(tmp_path / "Tigrex" / "Node.xlsx", [NODE, ("Tigrex", None, None, None, "A flying wyvern.")])
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert [(r.file, r.row) for r in report.rejected] == [("Tigrex", None)]
    assert (node("tigrex"), terms.CONTEXT, label("A flying wyvern.")) in triples(quads)


def test_an_edge_of_an_impossible_class_is_noted(mmkg: Path, write_workbook: Write, run_importer: Run) -> None:
    write_workbook(
        mmkg / "mmkg" / "Tigrex" / "Relations.xlsx",
        [
            RELATION,
            ("Tigrex", "has attack action of", None, None, "Bite"),
            ("Tigrex", "is weaken with", None, None, "Bite"),
        ],
    )
    _quads, report = run_importer(WorkbookFolder(), mmkg)
    assert any("'Bite' is of another class" in note for note in report.notes)


def test_a_name_without_a_row_of_its_own_is_noted(mmkg: Path, run_importer: Run) -> None:
    _quads, report = run_importer(WorkbookFolder(), mmkg)
    assert "Rathian/Relation.xlsx: 'Ancient Forest' has no row in Node.xlsx" in report.notes
    assert not any("Pierce Pod" in note for note in report.notes)


def test_a_rejected_row_mints_nothing(mmkg: Path, write_workbook: Write, run_importer: Run) -> None:
    rows = [RELATION, ("New Name", "has attack action of", None, None, "---")]
    write_workbook(mmkg / "mmkg" / "Tigrex" / "Relations.xlsx", rows)
    quads, report = run_importer(WorkbookFolder(), mmkg)
    assert [(r.row, r.column) for r in report.rejected if r.row] == [(2, "E (tail)")]
    assert node("tigrex/new-name") not in {q.subject for q in quads}


def test_an_attack_called_caption_does_not_become_one(tmp_path: Path, write_workbook: Write, run_importer: Run) -> None:
    rows = [NODE, ("Tigrex", None, None, "Tigrex stands.", None), ("Caption", None, None, None, "An odd name.")]
    write_workbook(tmp_path / "Tigrex" / "Node.xlsx", rows)
    rows = [RELATION, ("Tigrex", "has attack action of", None, None, "Caption")]
    write_workbook(tmp_path / "Tigrex" / "Relations.xlsx", rows)
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert [r.file for r in report.rejected] == ["Tigrex/Node.xlsx", "Tigrex/Relations.xlsx"]
    kinds = {q.object for q in quads if q.subject == node("tigrex/caption") and q.predicate == terms.RDF_TYPE}
    assert kinds == {terms.term("sf:HumanCaption")}


def test_a_folder_of_headers_only_is_no_source(tmp_path: Path, write_workbook: Write, run_importer: Run) -> None:
    write_workbook(tmp_path / "Tigrex" / "Node.xlsx", [NODE])
    with pytest.raises(NothingImported):
        run_importer(WorkbookFolder(), tmp_path)


def test_other_folders_are_not_recognised(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(PNG)
    assert not WorkbookFolder().recognises(tmp_path)
    assert not WorkbookFolder().recognises(tmp_path / "pictures" / "a.png")
