"""The four checks of an ontology and the data that use it: profile, consistency, shapes, counts.

Each takes graphs and returns a result that says what it found; none prints, and none stops the others. Which graphs
are checked is the caller's business.
"""

from collections.abc import Iterable, Iterator, Sequence

import pyoxigraph as ox
from pyowl2_profiles import detect_profiles

from ontology import terms
from ontology.catalogue import Catalogue
from ontology.conformance import check_shapes
from ontology.consistency import check_consistency
from ontology.files import bundled_shapes
from ontology.owl_view import CLASS, INDIVIDUAL, PROPERTY_KINDS, owl_view
from ontology.result import CheckResult, Outcome, failed

EXPECTED = {"entity classes": 7, "base relations": 16, "conditioned relations": 142}
"""What ``mhw.ttl`` declares (Table 6 of the paper, and the relation catalogue)."""

_TERM_KINDS = {CLASS, INDIVIDUAL, *PROPERTY_KINDS}


def run_checks(ontology_quads: Iterable[ox.Quad], data_quads: Iterable[ox.Quad] = ()) -> list[CheckResult]:
    """All four, in a fixed order, over the ontology together with the data; the counts are those of the ontology.

    ``data_quads`` are the graphs of the sources, their facts and the catalogue of minted relations. Graph names are
    not looked at. A few seconds for the bundled graph.
    """
    ontology = list(ontology_quads)
    everything = [*ontology, *data_quads]
    return [
        check_profile(everything),
        check_consistency(everything),
        check_shapes(everything, bundled_shapes()),
        check_counts(ontology),
    ]


def check_profile(quads: Iterable[ox.Quad]) -> CheckResult:
    """Whether the triples stay within OWL 2 DL: declarations, punning, role hierarchy, reserved vocabulary."""
    view = owl_view(quads)
    store = ox.Store()
    store.bulk_extend(ox.Quad(t.subject, t.predicate, t.object) for t in view.triples)
    found = detect_profiles(store)["dl"]
    if not found["in_profile"]:
        lines = [f"{one['axiom_type']}: {one['details'] or one['subject_iri']}" for one in found["sample_violations"]]
        return failed("profile", f"{found['total_violations']} violations of OWL 2 DL", lines)
    assumed = f", {len(view.assumed)} properties of other vocabularies taken as annotations" if view.assumed else ""
    return CheckResult("profile", Outcome.PASSED, f"{len(view.triples)} triples are OWL 2 DL{assumed}")


def check_counts(ontology_quads: Iterable[ox.Quad]) -> CheckResult:
    """Whether the game's vocabulary has its classes and relations, and every term a label and a comment."""
    quads = list(ontology_quads)
    counted = dict(zip(EXPECTED, _counts(quads), strict=True))
    problems = [f"{counted[key]} {key}, expected {n}" for key, n in EXPECTED.items() if counted[key] != n]
    problems += [f"{iri.value} lacks a {what}" for iri, what in _undescribed(quads)]
    if problems:
        return failed("counts", f"{len(problems)} counts or descriptions are wrong", problems)
    summary = ", ".join(f"{n} {key}" for key, n in counted.items())
    return CheckResult("counts", Outcome.PASSED, f"{summary}; every term has a label and a comment")


def _counts(quads: Sequence[ox.Quad]) -> tuple[int, int, int]:
    classes = {q.subject for q in quads if q.predicate == terms.RDF_TYPE and q.object == CLASS}
    entity_classes = [c for c in classes if isinstance(c, ox.NamedNode) and c.value.startswith(terms.MHW_NS)]
    relations = list(Catalogue.from_quads(quads).within(terms.MHW_NS))
    conditioned = sum(relation.condition is not None for relation in relations)
    return len(entity_classes), len(relations) - conditioned, conditioned


def _undescribed(quads: Sequence[ox.Quad]) -> Iterator[tuple[ox.NamedNode, str]]:
    """The named terms that lack a label or a comment, with what they lack."""
    declared = {q.subject for q in quads if q.predicate == terms.RDF_TYPE and q.object in _TERM_KINDS}
    for predicate, what in ((terms.RDFS_LABEL, "label"), (terms.RDFS_COMMENT, "comment")):
        described = {
            q.subject
            for q in quads
            if q.predicate == predicate and isinstance(q.object, ox.Literal) and q.object.value.strip()
        }
        missing = [node for node in declared - described if isinstance(node, ox.NamedNode)]
        yield from ((node, what) for node in sorted(missing, key=lambda node: node.value))
