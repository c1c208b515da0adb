"""
What the fuzzing asks for where the description names a format: queries and documents that nearly or really are some.

schemathesis loads this module (SCHEMATHESIS_HOOKS); the formats stand in ``web/openapi``. The ids of runs that are
there come in FUZZ_RUNS, separated by blanks.
"""

import json
import os

import schemathesis
from hypothesis import strategies as st

SAMPLE = "https://w3id.org/scoutfly/mhw/id/"
IRIS = (
    f"{SAMPLE}rathian",
    f"{SAMPLE}rathian/bite",
    "https://w3id.org/scoutfly/mhw#Monster",
    "https://w3id.org/scoutfly/ns#Entity",
    "https://w3id.org/scoutfly/ns#hasCaption",
    "http://example.org/nothing",
    "urn:x-odd:1",
)
"""Some that the bundled graph holds and some that it does not."""
_TERMS = st.sampled_from(
    [*(f"<{iri}>" for iri in IRIS), "?s", "?o", "?x", "$y", '"a"@en', "'''b'''", "1.0e3", "_:b", "[]", "()"]
)
_PATHS = st.sampled_from(["?p", "a", "<http://www.w3.org/2000/01/rdf-schema#label>", "^?p", "!a", "(a|!a)*", "(^a/a)+"])
_PATTERNS = st.recursive(
    st.builds("{} {} {} .".format, _TERMS, _PATHS, _TERMS),
    lambda inner: st.one_of(
        st.builds("{{ {} }} UNION {{ {} }}".format, inner, inner),
        st.builds("OPTIONAL {{ {} }}".format, inner),
        st.builds("MINUS {{ {} }}".format, inner),
        st.builds("GRAPH ?g {{ {} }}".format, inner),
        st.builds("SERVICE <http://127.0.0.1:1/> {{ {} }}".format, inner),
        st.builds("{} FILTER(REGEX(STR(?s), {}))".format, inner, st.sampled_from(['"(a+)+$"', '"["', "?o", '"ä"'])),
        st.builds(
            "{} BIND({} AS ?x)".format, inner, st.sampled_from(["1/0", "CONCAT(?s, ?s)", "NOW()", "?undefined + 1"])
        ),
        st.builds("{{ SELECT * {{ {} }} }}".format, inner),
    ),
    max_leaves=6,
)
_TAILS = st.sampled_from(
    [
        "",
        " LIMIT 5",
        " ORDER BY ?s LIMIT 3",
        " GROUP BY ?s",
        " OFFSET -1",
        " # end",
        " }",
        " LIMIT 99999999999999999999",
    ]
)
_HEADS = st.sampled_from(
    [
        "SELECT *",
        "SELECT (COUNT(*) AS ?n)",
        "SELECT DISTINCT ?s",
        "ASK",
        "CONSTRUCT { ?s ?p ?o }",
        "DESCRIBE ?s",
        "select ?<b>",
    ]
)
QUERIES = st.one_of(st.builds("{} WHERE {{ {} }}{}".format, _HEADS, _PATTERNS, _TAILS), st.text(max_size=50))
UPDATES = st.one_of(
    st.builds("INSERT DATA {{ {} {} {} }}".format, _TERMS, _PATHS, _TERMS),
    st.builds("DELETE WHERE {{ <urn:x-odd:1> {} {} }}".format, _PATHS, _TERMS),
    st.builds("INSERT {{ <urn:x-odd:1> <urn:x-odd:2> ?o }} WHERE {{ {} }}".format, _PATTERNS),
    st.sampled_from(
        [
            "LOAD <http://127.0.0.1:1/>",
            "LOAD SILENT <file:///etc/passwd>",
            "CREATE GRAPH <urn:x-odd:1>",
            "CLEAR GRAPH <urn:x-odd:9>",
        ]
    ),
    st.text(max_size=50),
)
TURTLE = st.one_of(st.builds("{} {} {} .".format, _TERMS, _PATHS, _TERMS), st.text(max_size=50))
XML = st.sampled_from(
    [
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
        '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><r>&b;</r>',
        '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>',
        '<?xml version="1.0" encoding="nonsense"?><r/>',
        "<r",
    ]
)
FORMATS = {
    "iri": st.sampled_from(IRIS),
    "sparql-query": QUERIES,
    "sparql-update": UPDATES,
    "turtle": TURTLE,
    "n-triples": TURTLE,
    "rdf-xml": XML,
    "source": st.sampled_from(["bundled-mhw", "nothing"]),
    "local-name": st.sampled_from(
        ["rathian", "rathian.ttl", "rathian.jsonld", "element/fire.rdf", "nothing", ".ttl", "/a"]
    ),
    "download": st.sampled_from(
        ["graph.ttl", "graph.trig.gz", "graph.nq.sha256", "metadata.jsonld", "class.nt", "citation.bib"]
    ),
    "source-file": st.sampled_from(["bundled-mhw.ttl", "bundled-mhw.rdf.gz", "nothing.ttl", "bundled-mhw.exe"]),
    "citation": st.sampled_from(["citation.bib", "citation.cff", "citation.ris", "citation"]),
    "run-id": st.sampled_from([*os.environ.get("FUZZ_RUNS", "").split(), "20260101T000000Z-00000000"]),
}
_TEXTS = (
    "application/sparql-query",
    "application/sparql-update",
    "application/n-triples",
    "application/rdf+xml",
    "application/ld+json",
)

for name, strategy in FORMATS.items():
    schemathesis.openapi.format(name, strategy)


@schemathesis.serializer(*_TEXTS)
def as_text(context: schemathesis.SerializationContext, value: object) -> bytes:
    """A body as it is sent; what is no text is sent as its JSON."""
    del context
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "surrogatepass")
