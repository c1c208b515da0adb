"""
Coverage (equation 2 of M3KG-RAG): how many triples have a media item, so that a query by media can reach them.

A graph made by agents promises that all of its triples do; of any other graph it is a number to know.
"""

from collections.abc import Iterable

import pyoxigraph as ox

from ontology import terms
from ontology.result import CheckResult, Outcome, failed

_MADE = {terms.term("prov:wasGeneratedBy"), terms.term("prov:wasAttributedTo")}
Triple = tuple[object, object, object]


def check_coverage(quads: Iterable[ox.Quad]) -> CheckResult:
    """
    The share of triples by relations that a fact ties to media as evidence, and of those of which an end has media.

    Fails where a fact that an agent or an activity made has no evidence. Graph names are not looked at.
    """
    held = list(quads)
    relations = {quad.subject for quad in held if quad.predicate == terms.BASE_RELATION}
    triples: set[Triple] = {(q.subject, q.predicate, q.object) for q in held if q.predicate in relations}
    if not triples:
        return CheckResult("coverage", Outcome.NOT_CHECKED, "the graph has no triples by relations")
    with_media = {quad.subject for quad in held if quad.predicate == terms.HAS_MEDIA}
    evidenced = {quad.subject for quad in held if quad.predicate == terms.EVIDENCE}
    made = {quad.subject for quad in held if quad.predicate in _MADE}
    said: dict[object, dict[object, object]] = {}
    for quad in held:
        if quad.predicate in (terms.RDF_SUBJECT, terms.RDF_PREDICATE, terms.RDF_OBJECT):
            said.setdefault(quad.subject, {})[quad.predicate] = quad.object
    of_fact: dict[object, Triple] = {
        fact: (parts.get(terms.RDF_SUBJECT), parts.get(terms.RDF_PREDICATE), parts.get(terms.RDF_OBJECT))
        for fact, parts in said.items()
    }
    covered = {of_fact[fact] for fact in evidenced if fact in of_fact} & triples
    reached = {triple for triple in triples if triple[0] in with_media or triple[2] in with_media} | covered
    detail = (
        f"{_share(covered, triples)} have media as evidence, {_share(reached, triples)} can be reached by media "
        "(as evidence, or of an end)"
    )
    bare = sorted(
        str(fact) for fact in made & set(of_fact) if of_fact[fact] in triples and of_fact[fact] not in covered
    )
    if bare:
        return failed("coverage", f"{len(bare)} facts that agents made have no media; {detail}", bare)
    return CheckResult("coverage", Outcome.PASSED, detail)


def _share(some: set[Triple], everything: set[Triple]) -> str:
    return f"{len(some)} of {len(everything)} triples ({len(some) / len(everything):.1%})"
