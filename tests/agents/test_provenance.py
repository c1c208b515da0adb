"""PROV-O of a run: read by rdflib, each term used as PROV-O means it, every text a literal, nothing that is secret."""

import json
from pathlib import Path

import pytest
import rdflib
from rdflib import PROV, RDF, RDFS

from agents.engine import Engine
from agents.provenance import RUN_BASE, provenance
from agents.roles import Question
from agents.run_status import request_stop
from agents.runs import RunFolder
from tests.fakes import EX, FakeRoles, little_graph

HOSTILE = "\"\"\"'''<script>alert(1)</script>\\ } . <urn:x> a <urn:y> \n\u2028 \x00 half \ud83d 茶"
# https://www.w3.org/TR/prov-o/: property → class of its subject, class of its object (None: a literal)
TERMS: dict[rdflib.term.Node, tuple[rdflib.URIRef, rdflib.URIRef | None]] = {
    PROV.used: (PROV.Activity, PROV.Entity),
    PROV.wasInformedBy: (PROV.Activity, PROV.Activity),
    PROV.wasAssociatedWith: (PROV.Activity, PROV.Agent),
    PROV.qualifiedAssociation: (PROV.Activity, PROV.Association),
    PROV.agent: (PROV.Association, PROV.Agent),
    PROV.hadPlan: (PROV.Association, PROV.Plan),
    PROV.wasGeneratedBy: (PROV.Entity, PROV.Activity),
    PROV.wasDerivedFrom: (PROV.Entity, PROV.Entity),
    PROV.wasAttributedTo: (PROV.Entity, PROV.Agent),
    PROV.value: (PROV.Entity, None),
    PROV.startedAtTime: (PROV.Activity, None),
    PROV.endedAtTime: (PROV.Activity, None),
}


@pytest.fixture
def runs(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "runs")


def told(runs: RunFolder, run_id: str, *, with_result: bool = True) -> tuple[str, rdflib.Graph]:
    """The document and what rdflib makes of it."""
    result = runs.load(run_id) if with_result else None
    text = provenance(
        run_id, status=runs.status(run_id), asked=runs.asked(run_id), result=result, trace=runs.trace(run_id)
    )
    return text, rdflib.Graph().parse(data=text, format="turtle")


def check(graph: rdflib.Graph) -> None:
    """Every term of PROV-O stands between what it is meant for, and no node is without an IRI."""
    for subject, predicate, value in graph:
        assert not isinstance(subject, rdflib.BNode) and not isinstance(value, rdflib.BNode)
        if not str(predicate).startswith(str(PROV)):
            continue
        domain, range_ = TERMS[predicate]
        assert (subject, RDF.type, domain) in graph, (subject, predicate)
        if range_ is None:
            assert isinstance(value, rdflib.Literal)
        else:
            assert (value, RDF.type, range_) in graph, (predicate, value)


def node(run_id: str, name: str) -> rdflib.URIRef:
    return rdflib.URIRef(f"{RUN_BASE}{run_id}#{name}")


def test_a_run_says_who_did_what_with_what(runs: RunFolder) -> None:
    engine = Engine(little_graph("root>a a>b"), lambda _: FakeRoles().policy, ("fake",), runs)
    run_id, _ = engine.ask(Question("Where to?", "root", "It is angry.", "A tail."), policy="fake")
    _, graph = told(runs, run_id)
    check(graph)
    run = rdflib.URIRef(RUN_BASE + run_id)
    assert (run, RDF.type, PROV.Activity) in graph
    began, ended = graph.value(run, PROV.startedAtTime), graph.value(run, PROV.endedAtTime)
    assert began is not None and ended is not None
    assert began.toPython() <= ended.toPython()  # type: ignore[attr-defined]
    assert str(graph.value(node(run_id, "question"), PROV.value)) == "Where to?"
    assert str(graph.value(node(run_id, "caption"), PROV.value)) == "A tail."
    assert str(graph.value(node(run_id, "answer"), PROV.value)) == "root>a>b"
    assert (node(run_id, "answer"), PROV.wasDerivedFrom, node(run_id, "route-1")) in graph
    assert {str(origin).removeprefix(EX) for origin in graph.objects(node(run_id, "route-1"), PROV.wasDerivedFrom)} == {
        *("root", "a", "b")
    }
    # the rounds, one after the other, each by its query
    assert (node(run_id, "round-2"), PROV.wasInformedBy, node(run_id, "round-1")) in graph
    assert (node(run_id, "round-2"), PROV.used, rdflib.URIRef(EX + "a")) in graph
    association = graph.value(node(run_id, "round-1"), PROV.qualifiedAssociation)
    plan = graph.value(association, PROV.hadPlan)
    assert f"<{EX}root>" in str(graph.value(plan, PROV.value))
    # the calls, by their model
    (model,) = graph.subjects(RDFS.label, rdflib.Literal("fake"))
    calls = list(graph.subjects(PROV.wasAssociatedWith, model))
    assert len(calls) == len([call for event in runs.trace(run_id) for call in event.get("calls", [])])  # type: ignore[attr-defined]


def test_hostile_texts_are_literals(runs: RunFolder) -> None:
    class Roles(FakeRoles):
        @property
        def policy(self):  # type: ignore[no-untyped-def]
            from dataclasses import replace

            return replace(super().policy, name=HOSTILE, settings={"x": HOSTILE})

    engine = Engine(little_graph("root>a"), lambda _: Roles().policy, ("fake",), runs)
    run_id, _ = engine.ask(Question(HOSTILE, "root", HOSTILE, HOSTILE), policy="fake")
    result = runs.load(run_id) | {"answer": HOSTILE}
    trace = runs.trace(run_id)
    for event in trace:
        for call in event.get("calls", []):  # type: ignore[attr-defined]
            call |= {"model": HOSTILE, "answer": HOSTILE, "problem": HOSTILE, "role": HOSTILE}
    text = provenance(run_id, status=runs.status(run_id), asked=result, result=result, trace=trace)
    graph = rdflib.Graph().parse(data=text, format="turtle")
    check(graph)
    assert str(graph.value(node(run_id, "answer"), PROV.value)) == HOSTILE.encode("utf-8", "replace").decode()
    assert "urn:x" not in {str(subject) for subject in graph.subjects()}


def test_damaged_traces_do_not_break_it(runs: RunFolder) -> None:
    run_id, _ = runs.new()
    odd: list[dict[str, object]] = [
        {"kind": "round", "number": HOSTILE, "frontier": ["not an iri", HOSTILE, 7, None], "sparql": None},
        {"kind": "expanded", "chosen": [None, 7, {"iri": "x y"}], "calls": [None, {"model": 7}]},
        {"kind": "topic", "topic": "<"},
        {},
    ]
    asked: dict[str, object] = {"question": "none", "policy": 7}
    text = provenance(run_id, status=runs.status(run_id), asked=asked, result={"paths": [None], "media": 7}, trace=odd)
    check(rdflib.Graph().parse(data=text, format="turtle"))


def test_no_password_of_an_address_is_told(runs: RunFolder) -> None:
    engine = Engine(little_graph("root>a"), lambda _: FakeRoles().policy, ("fake",), runs)
    run_id, _ = engine.ask(Question("Where to?", "root"), policy="fake")
    trace = json.loads(json.dumps(runs.trace(run_id)).replace('"fake"', '"m at https://me:s3cret@models.example/v1"'))
    text = provenance(run_id, status=runs.status(run_id), asked=runs.asked(run_id), trace=trace)
    assert "s3cret" not in text
    assert "m at https://models.example/v1" in text


def test_a_run_without_an_answer_has_a_provenance_too(runs: RunFolder) -> None:
    engine = Engine(little_graph("root>a a>b"), lambda _: FakeRoles().policy, ("fake",), runs)

    def before(role: str, place: str) -> None:
        request_stop(runs.folder(runs.all_ids()[0]))

    stopped = Engine(engine.store, lambda _: FakeRoles(before=before).policy, ("fake",), runs)
    run_id, _ = stopped.ask(Question("Where to?", "root"), policy="fake")
    _, graph = told(runs, run_id)
    check(graph)
    assert graph.value(node(run_id, "answer"), RDF.type) is None
    assert (node(run_id, "route-1"), RDF.type, PROV.Entity) in graph
    open_run = engine.begin(Question("Where to?", "root"), policy="fake")
    (open_run.folder / "trace.jsonl").write_text("", encoding="utf-8")
    _, graph = told(runs, open_run.run_id, with_result=False)
    check(graph)
    assert graph.value(rdflib.URIRef(RUN_BASE + open_run.run_id), PROV.endedAtTime) is None
    open_run.abandon("given up")
    assert runs.status(open_run.run_id).state == "failed"
