"""Names blank nodes by what is said of them, so that the same graph is written as the same bytes.

Colour refinement in each connected component: nodes of one colour are told apart by their triples and the colours of
their blank neighbours, until no more are told apart; one of those that look alike even then is given a colour of its
own, and so on. Of the parts that a colour falls into the largest keeps it, and only the neighbours of the others are
looked at again (Hopcroft 1971, doi:10.1016/B978-0-12-417750-5.50022-1), so that long chains and rings cost no more
than short ones a node. The standard algorithm (RDFC-1.0, https://www.w3.org/TR/rdf-canon/) does not end on a list of a
thousand equal members. The price: in graphs made to defeat refinement (several regular graphs of blank nodes alone)
names may depend on the order.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush

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
    twins: dict[tuple[str, ...], list[ox.BlankNode]] = {}
    for node in statements:
        twins.setdefault(_unnamed(node, statements), []).append(node)
    met: Counter[str] = Counter()
    distinct: dict[ox.BlankNode, str] = {}
    for component in _components(statements):
        partition = _Partition(component, statements)
        partition.tell_all_apart(lambda node: twins[_unnamed(node, statements)])
        colours = {node: _hash([partition.colours[node], partition.signature(node)]) for node in component}
        # A colour says what its class is within the component; only all of them together say what the component is.
        shape = _hash(sorted(colours.values()))
        number = str(met[shape])  # components that look alike are interchangeable
        met[shape] += 1
        distinct |= {node: _hash([shape, number, colour]) for node, colour in colours.items()}
    return distinct


class _Partition:
    """The nodes of a component by colour: those of one colour have one signature."""

    def __init__(self, nodes: Iterable[ox.BlankNode], statements: dict[ox.BlankNode, list[_Statement]]) -> None:
        self._statements = statements
        self._members: dict[str, dict[ox.BlankNode, None]] = {"": dict.fromkeys(nodes)}
        self._signatures: dict[str, str] = {"": ""}
        self._shared = [""]
        """The colours that several nodes have, and some that several had, as a heap."""
        self._round = 0
        self.colours = dict.fromkeys(self._members[""], "")

    def signature(self, node: ox.BlankNode) -> str:
        """What is said of a node, with the colours of its neighbours."""
        said = (" ".join(self._written(part, node) for part in statement) for statement in self._statements[node])
        return _hash(sorted(said))

    def tell_all_apart(self, twins_of: Callable[[ox.BlankNode], list[ox.BlankNode]]) -> None:
        """Until every node has a colour of its own; the twins of a node are those with the very same neighbours."""
        self._refine(self.colours)
        while self._shared:
            colour = heappop(self._shared)
            if len(self._members[colour]) < 2:
                continue
            first = next(iter(self._members[colour]))
            alike = [node for node in twins_of(first) if self.colours[node] == colour]
            self._round += 1
            for number, node in enumerate(alike):
                self._part(colour, [node], signature=f"the like {number}")
            if len(self._members[colour]) > 1:
                heappush(self._shared, colour)
            self._refine(self._around(alike))

    def _refine(self, touched: Iterable[ox.BlankNode]) -> None:
        while touched:
            self._round += 1
            found: dict[str, dict[str, list[ox.BlankNode]]] = {}
            for node in touched:
                colour = self.colours[node]
                if len(self._members[colour]) > 1:  # one alone is told apart already
                    found.setdefault(colour, {}).setdefault(self.signature(node), []).append(node)
            changed = [node for colour, groups in found.items() for node in self._split(colour, groups)]
            touched = self._around(changed)

    def _split(self, colour: str, groups: dict[str, list[ox.BlankNode]]) -> list[ox.BlankNode]:
        """Parts a colour by the signatures that some of its nodes have now; gives the nodes with new colours."""
        before = self._signatures[colour]
        groups.pop(before, None)
        moved = {node for group in groups.values() for node in group}
        rest = len(self._members[colour]) - len(moved)
        sizes = {signature: len(group) for signature, group in groups.items()} | ({before: rest} if rest else {})
        kept = min(sizes, key=lambda signature: (-sizes[signature], signature), default=before)
        if kept != before and rest:
            groups[before] = [node for node in self._members[colour] if node not in moved]
        self._signatures[colour] = kept
        groups.pop(kept, None)
        for signature, group in groups.items():
            self._part(colour, group, signature=signature)
        if groups and len(self._members[colour]) > 1:
            heappush(self._shared, colour)
        return [node for group in groups.values() for node in group]

    def _part(self, colour: str, nodes: list[ox.BlankNode], *, signature: str) -> None:
        """Gives some nodes of a colour one of their own."""
        new = _hash([colour, signature, str(self._round)])
        self._signatures[new] = signature
        self._members[new] = dict.fromkeys(nodes)
        for node in nodes:
            del self._members[colour][node]
            self.colours[node] = new
        if len(nodes) > 1:
            heappush(self._shared, new)

    def _around(self, nodes: Iterable[ox.BlankNode]) -> dict[ox.BlankNode, None]:
        """The neighbours, in order."""
        return {
            part: None
            for node in nodes
            for statement in self._statements[node]
            for part in statement
            if isinstance(part, ox.BlankNode) and part != node
        }

    def _written(self, part: object, node: ox.BlankNode) -> str:
        if not isinstance(part, ox.BlankNode):
            return str(part)
        return "_:" if part == node else f"_:{self.colours[part]}"


def _unnamed(node: ox.BlankNode, statements: dict[ox.BlankNode, list[_Statement]]) -> tuple[str, ...]:
    """What is said of a node, with the very neighbours but not itself."""
    return tuple(sorted(" ".join("_:" if part == node else str(part) for part in said) for said in statements[node]))


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


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
