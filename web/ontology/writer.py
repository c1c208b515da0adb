"""
Lets pyLODE (profile OntPub) describe one document, in a process of its own: it configures logging, and may exit.

``python -m web.ontology.writer`` (see web.processes). What it gives is the inside of a page: sections of HTML without
styles, scripts or links to other hosts' files, and a table of contents. pyLODE shows neither conditions, nor
which condition a relation has, nor alternative labels: these are added here.
"""

import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

from dominate.dom_tag import dom_tag
from dominate.tags import a, code, div, h2, h3, html_tag, li, p, script, style, table, td, th, tr, ul
from pylode import OntPub
from rdflib import RDF, RDFS, SKOS, Graph, Namespace, URIRef

from web.processes import Values, work

SF = Namespace("https://w3id.org/scoutfly/ns#")
_ANCHOR = "#%s"
_TITLES = {
    "classes": "Classes",
    "objectproperties": "Object properties",
    "datatypeproperties": "Datatype properties",
    "annotationproperties": "Annotation properties",
    "conditions": "Conditions",
    "namespaces": "Namespaces",
}
_WORDS = {
    "License": "Licence",
    "Version Iri": "Version IRI",
    "Version Info": "Version",
    "Sub Class Of": "Subclass of",
    "Super Class Of": "Superclass of",
    "Sub Property Of": "Subproperty of",
    "Super Property Of": "Superproperty of",
    "In Domain Of": "In the domain of",
    "In Range Of": "In the range of",
    "Inverse Of": "Inverse of",
}
"""pyLODE makes these of the names of properties."""
_MADE_UP = re.compile(r"ns\d+")
"""The prefixes that rdflib makes up; nothing is written with them."""
_UNKNOWN = ("Defined in None", "None. ")


def write(job: Values, say: Callable[[str], None]) -> Values:
    """
    Describe the file ``path``: ``anchors`` are those of its own terms, ``elsewhere`` the addresses of others' terms.

    Gives "html", and "contents", a list of sections: anchor, title, and (anchor, title) of each term.
    """
    logging.disable(logging.CRITICAL)
    anchors: dict[str, str] = dict(job["anchors"])  # type: ignore[call-overload]
    elsewhere: dict[str, str] = dict(job["elsewhere"])  # type: ignore[call-overload]
    graph = Graph().parse(str(job["path"]), format="turtle")
    graph.bind("schema", "http://schema.org/", override=True, replace=True)
    publication = OntPub(graph)
    publication.fids.update(anchors)
    say("describing the terms")
    publication.make_html()
    content: html_tag = publication.content
    contents = _contents(publication.toc)
    if (conditions := _conditions(graph, anchors)) is not None:
        last = next(one for one in content.children if one.attributes.get("id") == "namespaces")
        content.children.insert(content.children.index(last), conditions)
        place = next(index for index, section in enumerate(contents) if section[0] == "namespaces")
        contents.insert(place, ["conditions", _TITLES["conditions"], _entries(conditions)])
    _add_rows(content, graph, anchors)
    _tidy(content, publication.fids, elsewhere)
    return {"html": "".join(_sections(content)), "contents": contents}


def _contents(toc: dict[str, list[tuple[str, Any]]]) -> list[list[Any]]:
    return [
        [
            section,
            _TITLES.get(section, section),
            [[href.removeprefix("#"), _text(title)] for href, title in terms if not _MADE_UP.fullmatch(href[1:])],
        ]
        for section, terms in toc.items()
        if terms
    ]


def _text(title: Any) -> str:
    return str(title[0]) if isinstance(title, list) else str(title)


def _conditions(graph: Graph, anchors: dict[str, str]) -> html_tag | None:
    """A section like pyLODE's own, with the conditions and the relations that each makes."""
    named = sorted((str(graph.value(one, RDFS.label)), one) for one in graph.subjects(RDF.type, SF.Condition))
    if not named:
        return None
    section = div(h2(_TITLES["conditions"]), id="conditions", _class="section")
    for label, iri in named:
        if str(iri) not in anchors:
            continue
        rows = [tr(th("IRI"), td(code(str(iri))))]
        comment = graph.value(iri, RDFS.comment)
        if comment is not None:
            rows.append(tr(th("Description"), td(p(str(comment)))))
        relations = sorted(graph.subjects(SF.condition, iri), key=str)
        links = [li(_link(graph, relation, anchors)) for relation in relations if str(relation) in anchors]
        rows.append(tr(th("Condition of"), td(ul(*links))))
        section.add(div(h3(label), table(*rows), id=anchors[str(iri)], _class="property entity"))
    return section


def _entries(section: html_tag) -> list[list[str]]:
    return [[str(one["id"]), str(one.get(h3)[0].children[0])] for one in section.get(div, _class="property entity")]


def _link(graph: Graph, iri: Any, anchors: dict[str, str]) -> html_tag:
    return a(str(graph.value(iri, RDFS.label) or iri), href=_ANCHOR % anchors[str(iri)])


def _add_rows(content: html_tag, graph: Graph, anchors: dict[str, str]) -> None:
    """Say of each term what else it is called, and of each conditioned relation its base and its condition."""
    places = {anchor: URIRef(iri) for iri, anchor in anchors.items()}
    for entry in content.get(div, _class="property entity"):
        relation = places.get(str(entry["id"]))
        names = sorted(str(name) for name in graph.objects(relation, SKOS.altLabel)) if relation is not None else []
        if names:
            entry.get(table)[0].add(tr(th("Also called"), td(", ".join(names))))
        condition = graph.value(relation, SF.condition) if relation is not None else None
        base = graph.value(relation, SF.baseRelation) if relation is not None else None
        for name, value in (("Base relation", base), ("Condition", condition)):
            if condition is not None and str(value) in anchors:
                entry.get(table)[0].add(tr(th(name), td(_link(graph, value, anchors))))


def _tidy(content: html_tag, fids: dict[str, str], elsewhere: dict[str, str]) -> None:
    """Take away what the site's policy forbids, and mend links that lead nowhere."""
    ids = {str(one["id"]) for one in _walk(content) if "id" in one.attributes}
    iris = {fid: iri for iri, fid in fids.items()}
    for one in list(_walk(content)):
        _reword(one)
        for name in [name for name in one.attributes if name == "style" or name.startswith("on")]:
            del one.attributes[name]
        if any(sign in str(one.attributes.get("title", "")) for sign in _UNKNOWN):
            del one.attributes["title"]
        one.children[:] = [child for child in one.children if not isinstance(child, (script, style))]
        href = str(one.attributes.get("href", ""))
        if href in elsewhere:
            one.attributes["href"] = elsewhere[href]
        elif href.startswith("#") and href[1:] not in ids:
            target = elsewhere.get(iris.get(href[1:], ""), iris.get(href[1:], ""))
            if target:
                one.attributes["href"] = target
            else:
                del one.attributes["href"]


def _reword(one: html_tag) -> None:
    """Our words for pyLODE's; prefixes that were made up are taken out of the list of namespaces."""
    one.children[:] = [_WORDS.get(child, child) if isinstance(child, str) else child for child in one.children]
    made_up = [
        index
        for index, child in enumerate(one.children)
        if isinstance(child, html_tag) and _MADE_UP.fullmatch(str(child.attributes.get("id", "")))
    ]
    for index in reversed(made_up):  # the prefix, and what it stands for
        del one.children[index : index + 2]


def _walk(tag: dom_tag) -> Iterator[html_tag]:
    for child in getattr(tag, "children", ()):
        if isinstance(child, dom_tag):
            if isinstance(child, html_tag):
                yield child
            yield from _walk(child)


def _sections(content: html_tag) -> Iterator[str]:
    """The sections of the page but for the legend, whose letters are explained by their titles."""
    for child in content.children:
        if isinstance(child, html_tag) and child.attributes.get("id") != "legend":
            yield child.render(pretty=False)


if __name__ == "__main__":
    work(write)
