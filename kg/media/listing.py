"""Which media items of the graph have their bytes on this machine."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from kg.home import Snapshot
from kg.media.errors import BadMedia
from kg.media.items import MediaItem, Modality
from kg.media.sniffing import media_type_of
from kg.media_roots import file_below
from ontology import terms

_SHA256 = re.compile("[0-9a-f]{64}")
_CLASSES: Mapping[ox.NamedNode, Modality] = {
    terms.IMAGE: "image",
    terms.KEYFRAME: "image",
    terms.VIDEO: "video",
    terms.IMAGE_SEQUENCE: "video",
    terms.AUDIO: "audio",
}


def media_items(snapshot: Snapshot, roots: Mapping[str, Path]) -> list[MediaItem]:
    """
    The media items whose bytes are here, sorted by IRI; ``roots`` are the folders of the sources, by short name.

    An image sequence is here where all its keyframes are. What lies elsewhere, is missing, or would lead out of its
    source's folder is left out.
    """
    graph = _Media(snapshot, roots)
    items = [item for node, modality in graph.typed().items() if (item := graph.item(node, modality)) is not None]
    return sorted(items, key=lambda item: item.iri.value)


@dataclass(frozen=True, slots=True)
class _Media:
    snapshot: Snapshot
    roots: Mapping[str, Path]

    def typed(self) -> dict[ox.NamedNode, Modality]:
        """The nodes of each class; a keyframe may be typed as an image, too."""
        found: dict[ox.NamedNode, Modality] = {}
        for kind, modality in _CLASSES.items():
            for quad in self.snapshot.store.quads_for_pattern(None, terms.RDF_TYPE, kind, None):
                if isinstance(quad.subject, ox.NamedNode):
                    found.setdefault(quad.subject, modality)
        return found

    def item(self, node: ox.NamedNode, modality: Modality) -> MediaItem | None:
        """The item, or None where its bytes are not here."""
        file = self._file(node)
        if file is not None:
            return MediaItem(node, modality, (file,), self._digest(node, file), self._type(node, file))
        frames = self._frames(node) if modality == "video" else []
        files = [found for frame in frames if (found := self._file(frame)) is not None]
        if not files or len(files) < len(frames):
            return None
        digests = "\n".join(self._digest(frame, found) for frame, found in zip(frames, files, strict=True))
        whole = hashlib.sha256(digests.encode()).hexdigest()
        return MediaItem(node, modality, tuple(files), whole, self._type(frames[0], files[0]))

    def _digest(self, node: ox.NamedNode, file: Path) -> str:
        """The checksum that the graph states, or that of the file, where it states none."""
        stated = self._text(node, terms.SHA256)
        if _SHA256.fullmatch(stated):
            return stated
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def _type(self, node: ox.NamedNode, file: Path) -> str:
        return self._text(node, terms.ENCODING_FORMAT) or media_type_of(file) or ""

    def _frames(self, node: ox.NamedNode) -> list[ox.NamedNode]:
        found = self.snapshot.store.quads_for_pattern(None, terms.KEYFRAME_OF, node, None)
        frames = {quad.subject for quad in found if isinstance(quad.subject, ox.NamedNode)}
        return sorted(frames, key=lambda frame: (int(self._text(frame, terms.FRAME_INDEX) or 0), frame.value))

    def _file(self, node: ox.NamedNode) -> Path | None:
        for quad in self.snapshot.store.quads_for_pattern(node, terms.CONTENT_URL, None, None):
            if not isinstance(quad.graph_name, ox.NamedNode) or not isinstance(quad.object, ox.Literal):
                continue
            root = self.roots.get(quad.graph_name.value.removeprefix(terms.source_graph("").value))
            if root is None:
                continue
            try:
                return file_below(root, quad.object.value)
            except BadMedia:
                continue
        return None

    def _text(self, node: ox.NamedNode, name: ox.NamedNode) -> str:
        values = [
            q.object.value
            for q in self.snapshot.store.quads_for_pattern(node, name, None, None)
            if isinstance(q.object, ox.Literal)
        ]
        return min(values, default="")
