"""Holds a graph against SHACL shapes, with pyshacl (https://www.w3.org/TR/shacl/).

Knows no shape: they stand in ``shapes.ttl``. No inference runs before; a shape's target class covers the subclasses
that the graph states.
"""

from collections.abc import Iterable

import pyoxigraph as ox
import pyshacl
import rdflib

from ontology.files import ntriples
from ontology.result import MOST_PROBLEMS, MOST_TRIPLES, CheckResult, Outcome, failed, too_many

NAME = "shapes"
_SH = rdflib.Namespace("http://www.w3.org/ns/shacl#")


def check_shapes(
    quads: Iterable[ox.Quad], shapes: Iterable[ox.Quad], *, most_triples: int = MOST_TRIPLES
) -> CheckResult:
    """Whether the graph conforms; a warning (sh:Warning) does not fail it and is counted.

    About a second for the bundled graph; not checked where the graph is larger than ``most_triples``.
    """
    data = _graph(quads)
    if len(data) > most_triples:
        return too_many(NAME, len(data), most_triples)
    conforms, report, _ = pyshacl.validate(data, shacl_graph=_graph(shapes), allow_warnings=True, inplace=True)
    if not isinstance(report, rdflib.Graph):
        return failed(NAME, "the shapes themselves are at fault", [str(report)])
    findings = sorted(_findings(report))
    if not conforms:
        wrong = [line for severity, line in findings if severity == _SH.Violation]
        return failed(NAME, f"{len(wrong)} violations of the shapes", wrong)
    warnings = tuple(f"warning: {line}" for _, line in findings[:MOST_PROBLEMS])
    return CheckResult(NAME, Outcome.PASSED, f"{len(data)} triples conform, {len(findings)} warnings", warnings)


def _graph(quads: Iterable[ox.Quad]) -> rdflib.Graph:
    return rdflib.Graph().parse(data=ntriples(quads), format="nt")


def _findings(report: rdflib.Graph) -> Iterable[tuple[rdflib.term.Node | None, str]]:
    for finding in report.subjects(rdflib.RDF.type, _SH.ValidationResult):
        focus = report.value(finding, _SH.focusNode)
        value = report.value(finding, _SH.value)
        message = report.value(finding, _SH.resultMessage)
        shown = "" if value is None or value == focus else f" (value: {value})"
        yield report.value(finding, _SH.resultSeverity), f"{focus}: {message}{shown}"
