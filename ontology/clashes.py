"""Says which individual is in two classes that exclude each other, and why.

A reasoner answers "inconsistent" and no more. This looks for the mistake that data usually make: an individual whose
class is disjoint with another of its classes, or with what the domain or range of one of its relations allows. It
knows subclasses, subproperties, unions and disjointness, and is no reasoner: no finding does not mean consistent.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

import pyoxigraph as ox

from ontology import terms

Node = ox.NamedNode | ox.BlankNode
_SUBCLASS = terms.RDFS_SUBCLASS_OF
_SUBPROPERTY = terms.RDFS_SUBPROPERTY_OF
_DOMAIN = terms.term("rdfs:domain")
_RANGE = terms.term("rdfs:range")
_UNION = terms.term("owl:unionOf")
_MEMBERS = terms.term("owl:members")
_DISJOINT = terms.term("owl:disjointWith")
_FIRST = terms.term("rdf:first")
_REST = terms.term("rdf:rest")


def clashes(triples: Iterable[ox.Triple]) -> list[str]:
    """One line for each individual's membership in classes that exclude each other, sorted."""
    return sorted(set(_Classes(triples).clashes()))


class _Classes:
    """The classes of a graph, what excludes what, and where each individual stands."""

    def __init__(self, triples: Iterable[ox.Triple]) -> None:
        self._triples = list(triples)
        self._objects: dict[ox.NamedNode, dict[object, list[Node]]] = defaultdict(lambda: defaultdict(list))
        for triple in self._triples:
            if isinstance(triple.object, Node):
                self._objects[triple.predicate][triple.subject].append(triple.object)
        self._ancestors: dict[tuple[ox.NamedNode, Node], frozenset[Node]] = {}
        self._excluded = self._exclusions()

    def clashes(self) -> Iterator[str]:
        types = self._objects[terms.RDF_TYPE]
        for subject, classes in types.items():
            for one, other in combinations(sorted(classes, key=lambda node: node.value), 2):
                if self._exclude(one, other):
                    yield f"{_short(subject)} is both {_short(one)} and {_short(other)}, which exclude each other"
        for triple in self._triples:
            for prop in self._above(_SUBPROPERTY, triple.predicate):
                yield from self._ends(triple, prop, types)

    def _ends(self, triple: ox.Triple, prop: Node, types: dict[object, list[Node]]) -> Iterator[str]:
        for predicate, node, side in ((_DOMAIN, triple.subject, "starts at"), (_RANGE, triple.object, "leads to")):
            for allowed in self._objects[predicate].get(prop, []):
                members = self._union(allowed)
                for one in types.get(node, []):
                    if members and all(self._exclude(one, member) for member in members):
                        wanted = " or ".join(_short(member) for member in members)
                        yield (
                            f"{_short(triple.subject)} {_short(triple.predicate)} {_short(triple.object)}: "
                            f"the relation {side} {wanted}, and {_short(node)} is {_short(one)}"
                        )

    def _exclude(self, one: Node, other: Node) -> bool:
        above = self._above(_SUBCLASS, other)
        return any(above & self._excluded[ancestor] for ancestor in self._above(_SUBCLASS, one))

    def _above(self, predicate: ox.NamedNode, node: Node) -> frozenset[Node]:
        """The node and all that it is a kind of."""
        key = (predicate, node)
        if key not in self._ancestors:
            seen, waiting = {node}, [node]
            while waiting:
                new = [up for up in self._objects[predicate].get(waiting.pop(), []) if up not in seen]
                seen.update(new)
                waiting.extend(new)
            self._ancestors[key] = frozenset(seen)
        return self._ancestors[key]

    def _exclusions(self) -> defaultdict[Node, set[Node]]:
        excluded: defaultdict[Node, set[Node]] = defaultdict(set)
        groups = [self._list(head) for heads in self._objects[_MEMBERS].values() for head in heads]
        pairs = [(one, other) for group in groups for one in group for other in group if one != other]
        for triple in self._triples:
            one, other = triple.subject, triple.object
            if triple.predicate == _DISJOINT and isinstance(one, Node) and isinstance(other, Node):
                pairs += [(one, other), (other, one)]
        for one, other in pairs:
            excluded[one].add(other)
        return excluded

    def _union(self, node: Node) -> list[Node]:
        heads = self._objects[_UNION].get(node, [])
        return self._list(heads[0]) if heads else [node]

    def _list(self, head: Node) -> list[Node]:
        items: list[Node] = []
        seen: set[Node] = set()
        while head not in seen and self._objects[_FIRST].get(head):
            seen.add(head)
            items += self._objects[_FIRST][head][:1]
            head = next(iter(self._objects[_REST].get(head, [])), head)
        return items


def _short(node: object) -> str:
    """A node as a prefixed name where one of our prefixes fits."""
    if not isinstance(node, ox.NamedNode):
        return str(node)
    for prefix, namespace in terms.PREFIXES.items():
        if node.value.startswith(namespace) and "/" not in node.value[len(namespace) :]:
            return f"{prefix}:{node.value[len(namespace) :]}"
    return str(node)
