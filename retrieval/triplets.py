"""A triplet as retrieval sees it: labels and IRIs, whatever graph and query they come from."""

from dataclasses import dataclass

import pyoxigraph as ox


@dataclass(frozen=True, slots=True)
class Triplet:
    """
    ``(h, r, t)`` of M3KG-RAG, section 3.1. ``*_label`` are for people and for text models.

    ``head_text`` and ``tail_text`` are the entities' descriptions d_h and d_t, "" where there are none; ``condition``
    is the label of what must hold, "" where nothing.
    """

    head: ox.NamedNode
    relation: ox.NamedNode
    tail: ox.NamedNode
    head_label: str
    relation_label: str
    tail_label: str
    condition: str = ""
    head_text: str = ""
    tail_text: str = ""

    @property
    def sentence(self) -> str:
        """The triplet as the sentence "h r t" that text-to-audio grounding is asked about (equation 5)."""
        return f"{self.head_label} {self.relation_label} {self.tail_label}"
