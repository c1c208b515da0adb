"""One address of every kind of page there is, chosen to have few links, so that all can be gone through by keyboard."""

from urllib.parse import quote

from tests.web.flows.premises import KITCHEN, MHW, RATHIAN

_QUERY = quote("SELECT ?s ?o { ?s a ?o } ORDER BY ?s LIMIT 3", safe="")
_GRAPH = quote("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o . ?s a <http://example.org/kitchen/Step> }", safe="")
PAGES = {
    "home": "/",
    "search": "/search?q=pour",
    "nothing found": "/search?q=zzzzzz",
    "media search": "/search/media",
    "classes": "/browse",
    "list": f"/browse?type={quote(KITCHEN, safe='')}Step",
    "relations": "/relations?q=cause",
    "relation": f"/relations?iri={quote(MHW, safe='')}cause",
    "conditions": "/conditions?q=mud",
    "entity with media": "/id/kitchen/kettle",
    "entity": "/id/bundled-mhw/rathian/bite",
    "entity elsewhere": "/entity?iri=http%3A%2F%2Fwww.w3.org%2F2002%2F07%2Fowl%23Class",
    "edges": "/id/kitchen/boil?relation=" + quote(KITCHEN, safe="") + "goesOn&direction=out",
    "editor": "/query",
    "results": f"/query?query={_QUERY}&run=1",
    "graph of results": f"/query?query={_GRAPH}&run=1",
    "question": "/ask",
    "runs": "/runs",
    "download": "/download",
    "ontology": "/ontology",
    "import": "/import",
}
"""By name; those of a walk, of a document of the ontology and of an upload are made by the tests."""
LONG = {
    "attacks": f"/browse?type={quote(MHW, safe='')}AttackAction&page=2",
    "monster": f"/entity?iri={quote(RATHIAN, safe='')}",
    "document": "/ontology/ns",
    "all relations": "/relations",
}
"""Pages of many links."""
