"""The terms of the core vocabulary and of the vocabularies it reuses, as pyoxigraph nodes.

Knows names only: what a term means stands in ``core.ttl``, and a test holds each name here against that file.
"""

from pyoxigraph import NamedNode

SF_NS = "https://w3id.org/scoutfly/ns#"
MHW_NS = "https://w3id.org/scoutfly/mhw#"
GRAPH_NS = "https://w3id.org/scoutfly/graph/"

PREFIXES: dict[str, str] = {
    "sf": SF_NS,
    "mhw": MHW_NS,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "dcterms": "http://purl.org/dc/terms/",
    "void": "http://rdfs.org/ns/void#",
    "dcat": "http://www.w3.org/ns/dcat#",
}


def term(prefixed: str) -> NamedNode:
    """The node of a prefixed name.

    >>> term("sf:Entity").value
    'https://w3id.org/scoutfly/ns#Entity'
    """
    prefix, _, local = prefixed.partition(":")
    return NamedNode(PREFIXES[prefix] + local)


RDF_TYPE = term("rdf:type")
RDF_SUBJECT = term("rdf:subject")
RDF_PREDICATE = term("rdf:predicate")
RDF_OBJECT = term("rdf:object")
RDFS_LABEL = term("rdfs:label")
RDFS_COMMENT = term("rdfs:comment")
RDFS_SUBCLASS_OF = term("rdfs:subClassOf")
RDFS_SUBPROPERTY_OF = term("rdfs:subPropertyOf")
SKOS_ALT_LABEL = term("skos:altLabel")
CONTENT_URL = term("schema:contentUrl")
ENCODING_FORMAT = term("schema:encodingFormat")
DCTERMS_SOURCE = term("dcterms:source")

ENTITY = term("sf:Entity")
TOPIC_ENTITY = term("sf:TopicEntity")
MEDIA_ITEM = term("sf:MediaItem")
IMAGE = term("sf:Image")
VIDEO = term("sf:Video")
AUDIO = term("sf:Audio")
KEYFRAME = term("sf:Keyframe")
IMAGE_SEQUENCE = term("sf:ImageSequence")
CONDITION_CLASS = term("sf:Condition")
FACT = term("sf:Fact")
CAPTION_CLASS = term("sf:Caption")
HUMAN_CAPTION = term("sf:HumanCaption")
GENERATED_CAPTION = term("sf:GeneratedCaption")

RELATED_TO = term("sf:relatedTo")
BASE_RELATION = term("sf:baseRelation")
CONDITION = term("sf:condition")
CONDITION_TEXT = term("sf:conditionText")
INFORMATION = term("sf:information")
EVIDENCE = term("sf:evidence")
CONTEXT = term("sf:context")
HAS_CAPTION = term("sf:hasCaption")
CAPTION_TEXT = term("sf:text")
CAPTION_MODEL = term("sf:model")
CAPTION_SETTING = term("sf:setting")
DESCRIBES = term("sf:describes")
HAS_MEDIA = term("sf:hasMedia")
KEYFRAME_OF = term("sf:keyframeOf")
FRAME_INDEX = term("sf:frameIndex")
SHA256 = term("sf:sha256")
WIDTH = term("schema:width")
HEIGHT = term("schema:height")
DURATION = term("schema:duration")
FRAME_RATE = term("sf:frameRate")

ONTOLOGY_GRAPH = NamedNode(GRAPH_NS + "ontology")
CATALOGUE_GRAPH = NamedNode(GRAPH_NS + "catalogue")
SOURCES_GRAPH = NamedNode(GRAPH_NS + "sources")
INFERRED_GRAPH = NamedNode(GRAPH_NS + "inferred")


def source_graph(slug: str) -> NamedNode:
    """The named graph that holds the plain triples of the source called ``slug``."""
    return NamedNode(f"{GRAPH_NS}source/{slug}")


def facts_graph(slug: str) -> NamedNode:
    """The named graph that holds what the source called ``slug`` says *about* its triples."""
    return NamedNode(f"{GRAPH_NS}facts/{slug}")
