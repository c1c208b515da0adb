"""What the page of a resource shows, as its template reads it. Holds no term of the graph, only words and addresses."""

from dataclasses import dataclass

from sparql.names import Name
from web.entity.gallery import Caption, Gallery, Item
from web.entity.provenance import Origin
from web.entity.words import Link, Row, Value


@dataclass(frozen=True, slots=True)
class FactShown:
    """What a fact says of an edge."""

    href: str
    conditions: tuple[Value, ...]
    information: tuple[Value, ...]
    evidence: tuple[Item, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class EdgeShown:
    """An edge; ``conditions`` are the chips."""

    other: Value
    relation: Link
    conditions: tuple[str, ...]
    facts: tuple[FactShown, ...]
    origins: tuple[Origin, ...]
    picture: str = ""


@dataclass(frozen=True, slots=True)
class GroupShown:
    """The edges of one base relation, and how many lead to blank nodes; ``more``: there are others than these."""

    base: Link
    total: int
    edges: tuple[EdgeShown, ...]
    is_incoming: bool
    is_relation: bool
    unnamed: int = 0

    @property
    def more(self) -> bool:
        return len(self.edges) + self.unnamed < self.total


@dataclass(frozen=True, slots=True)
class EntityPage:
    """The page of one resource."""

    iri: str
    name: Name
    labels: tuple[Value, ...]
    alternatives: tuple[Value, ...]
    types: tuple[Link, ...]
    contexts: tuple[Value, ...]
    captions: tuple[Caption, ...]
    own: Item | None
    gallery: Gallery
    outgoing: tuple[GroupShown, ...]
    incoming: tuple[GroupShown, ...]
    counted_all: bool
    rows: tuple[Row, ...]
    uses: tuple[tuple[Value, Value], ...]
    use_count: int
    origins: tuple[Origin, ...]
    origins_known: bool

    @property
    def is_walkable(self) -> bool:
        """Whether there is a graph to draw around it."""
        return any(group.is_relation for group in (*self.outgoing, *self.incoming))
