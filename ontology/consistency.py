"""Asks HermiT, through owlready2, whether an ontology and its individuals can be true together.

owlready2 reads N-Triples and RDF/XML; some Turtle it "loads" as rubbish without a word, so it is handed N-Triples, told
that they are, and asked afterwards how many classes and individuals it saw. It runs in a world of its own.
"""

import io
import logging
import shutil
from collections.abc import Iterable

import owlready2
import pyoxigraph as ox

from ontology.clashes import clashes
from ontology.errors import LoadedOtherwise
from ontology.files import ntriples
from ontology.owl_view import OWL_NS, OwlView, owl_view
from ontology.result import MOST_TRIPLES, CheckResult, Outcome, failed, too_many

NAME = "consistency"
log = logging.getLogger(__name__)


def check_consistency(quads: Iterable[ox.Quad], *, java: str = "java", most_triples: int = MOST_TRIPLES) -> CheckResult:
    """Whether classes and individuals are free of contradictions; not checked where Java is missing.

    ``java`` is the name or path of the runtime. Takes about two seconds for the bundled graph. Raises LoadedOtherwise.
    """
    runtime = shutil.which(java)
    if runtime is None:
        return CheckResult(NAME, Outcome.NOT_CHECKED, f"HermiT needs a Java runtime, and no {java!r} is on the PATH")
    view = owl_view(quads)
    if len(view.triples) > most_triples:
        return too_many(NAME, len(view.triples), most_triples)
    found = clashes(view.triples)
    if found:
        return failed(NAME, "individuals belong to classes that exclude each other", found)
    return _reason(view, runtime)


def load_world(view: OwlView) -> owlready2.World:
    """The view in a fresh owlready2 world. Raises LoadedOtherwise where not all of it arrived."""
    world = owlready2.World()
    ontology = world.get_ontology("urn:scoutfly:check#")
    ontology.load(fileobj=io.BytesIO(ntriples(view.triples)), format="ntriples")
    for kind, wanted in (("Class", view.classes), ("NamedIndividual", view.individuals)):
        query = f"SELECT DISTINCT ?x {{ ?x a <{OWL_NS}{kind}> . FILTER(isIRI(?x)) }}"
        seen = len(list(world.sparql(query)))
        if seen != len(wanted):
            raise LoadedOtherwise(f"owlready2 saw {seen} of kind {kind} where {len(wanted)} were handed to it")
    return world


def _reason(view: OwlView, runtime: str) -> CheckResult:
    world = load_world(view)
    owlready2.JAVA_EXE = runtime
    try:
        owlready2.sync_reasoner_hermit(world, debug=0, ignore_unsupported_datatypes=True)
    except owlready2.OwlReadyInconsistentOntologyError:
        return failed(NAME, "HermiT finds that the ontology and its individuals contradict each other", [])
    except owlready2.OwlReadyJavaError as error:
        log.debug("HermiT stopped", exc_info=True)
        return failed(NAME, "HermiT could not read the ontology", [_first_line(str(error))])
    empty = sorted(str(one.iri) for one in world.inconsistent_classes() if one is not owlready2.Nothing)
    if empty:
        return failed(NAME, "some classes can have no member", empty)
    seen = f"{len(view.classes)} classes and {len(view.individuals)} individuals"
    return CheckResult(NAME, Outcome.PASSED, f"HermiT finds no contradiction among {seen}")


def _first_line(text: str) -> str:
    """The first line of a Java error that says something, past owlready2's own heading."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith("Java error message")), text)
