"""Names blank nodes by what is said of them, so that the same graph is written as the same bytes.

Colour refinement: a node's colour is the hash of its triples, with the colours of its blank neighbours, until no more
nodes are told apart; nodes that look alike even then are numbered one by one. That is time polynomial in any graph,
where the standard algorithm (RDFC-1.0, https://www.w3.org/TR/rdf-canon/) does not end on a list of a thousand equal
members. The price: in graphs made to defeat refinement (several regular graphs of blank nodes alone) names may depend
on the order.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

import pyoxigraph as ox

_Statement = tuple[object, ...]
_LABEL_DIGITS = 16


def named_by_content(quads: Sequence[ox.Quad]) -> list[ox.Quad]:
    """The quads with every blank node renamed after its place in the graph; no triple terms are looked into."""
    statements = _statements(quads)
    if not statements:
        return list(quads)
    colours = _distinct(statements)
    names = {node: ox.BlankNode(f"b{colour[:_LABEL_DIGITS]}") for node, colour in colours.items()}
    if len(set(names.values())) < len(names):
        names = {node: ox.BlankNode(f"b{colour}") for node, colour in colours.items()}
    return [
        ox.Quad(
            names.get(quad.subject, quad.subject),  # type: ignore[arg-type]
            quad.predicate,
            names.get(quad.object, quad.object),  # type: ignore[arg-type]
            names.get(quad.graph_name, quad.graph_name),  # type: ignore[arg-type]
        )
        for quad in quads
    ]


def _statements(quads: Iterable[ox.Quad]) -> dict[ox.BlankNode, list[_Statement]]:
    """Blank node → its quads as (its own places, the four terms), in which blank nodes stay nodes."""
    found: dict[ox.BlankNode, list[_Statement]] = {}
    for quad in quads:
        terms = [quad.subject, quad.predicate, quad.object, quad.graph_name]
        if not any(isinstance(term, ox.BlankNode) for term in terms):
            continue
        written = [term if isinstance(term, ox.BlankNode) else str(term) for term in terms]
        for node in {term for term in terms if isinstance(term, ox.BlankNode)}:
            own = "".join(str(place) for place, term in enumerate(terms) if term == node)
            found.setdefault(node, []).append((own, *written))
    return found


def _distinct(statements: dict[ox.BlankNode, list[_Statement]]) -> dict[ox.BlankNode, str]:
    """A colour of its own for every node."""
    colours = _refined(dict.fromkeys(statements, ""), statements)
    components = _components(statements)
    for component in components:
        while alike := _alike(component, colours):
            first = alike[0]
            colours[first] = _hash([colours[first], "the first of those that look alike"])
            within = {node: statements[node] for node in component}
            colours.update(_refined({node: colours[node] for node in component}, within))
    return _numbered(components, colours)


def _refined(
    colours: dict[ox.BlankNode, str], statements: dict[ox.BlankNode, list[_Statement]]
) -> dict[ox.BlankNode, str]:
    """Colours that tell apart all that their triples can tell apart."""
    kinds = len(set(colours.values()))
    while True:
        finer = {node: _hash([colours[node], *_seen(statements[node], colours)]) for node in statements}
        now = len(set(finer.values()))
        if now == len(finer) or now == kinds:
            return finer
        colours, kinds = finer, now


def _seen(statements: list[_Statement], colours: dict[ox.BlankNode, str]) -> list[str]:
    return sorted(
        " ".join(f"_:{colours[part]}" if isinstance(part, ox.BlankNode) else str(part) for part in statement)
        for statement in statements
    )


def _alike(component: list[ox.BlankNode], colours: dict[ox.BlankNode, str]) -> list[ox.BlankNode]:
    """The nodes of one colour, the smallest that several nodes of the component share."""
    counted = Counter(colours[node] for node in component)
    shared = min((colour for colour, count in counted.items() if count > 1), default=None)
    return [node for node in component if colours[node] == shared]


def _components(statements: dict[ox.BlankNode, list[_Statement]]) -> list[list[ox.BlankNode]]:
    """The nodes by connected component; nodes are connected by a quad that holds both."""
    seen: set[ox.BlankNode] = set()
    components = []
    for start in statements:
        if start in seen:
            continue
        component, open_nodes = [], [start]
        seen.add(start)
        while open_nodes:
            node = open_nodes.pop()
            component.append(node)
            neighbours = {part for said in statements[node] for part in said if isinstance(part, ox.BlankNode)}
            open_nodes.extend(neighbours - seen)
            seen |= neighbours
        components.append(component)
    return components


def _numbered(components: list[list[ox.BlankNode]], colours: dict[ox.BlankNode, str]) -> dict[ox.BlankNode, str]:
    """Whole components that look alike are interchangeable: they get numbers."""
    met: Counter[str] = Counter()
    numbered = {}
    for component in components:
        shape = _hash(sorted(colours[node] for node in component))
        number = met[shape]
        met[shape] += 1
        for node in component:
            numbered[node] = _hash([colours[node], str(number)]) if number else colours[node]
    return numbered


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
