"""
The media items and captions of a page: what kind each is (by property and class, never by file name), its captions and
who wrote them, its file or where it lies, and keyframes in the order of their film.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import pyoxigraph as ox

from kg.media.errors import BadMedia
from kg.store import Term
from ontology import terms
from sparql.resource import CaptionSaid, Said
from web.entity.media import FILMS, PICTURES, SOUNDS, LocalFile, MediaFiles, remote_address
from web.entity.words import Link, Value, Words, texts

SHOWN = 60
"""Media items on a page."""
MEDIA_CLASSES = {terms.IMAGE, terms.VIDEO, terms.AUDIO, terms.KEYFRAME, terms.MEDIA_ITEM}
_KINDS = ((terms.KEYFRAME, "keyframe"), (terms.IMAGE, "image"), (terms.VIDEO, "video"), (terms.AUDIO, "audio"))
_WRITERS = (terms.term("prov:wasAttributedTo"), terms.term("dcterms:creator"))
_FAMILIES = ((PICTURES, "image"), (FILMS, "video"), (SOUNDS, "audio"))


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption: ``writer`` says who wrote it, ``writers`` link to them, ``about`` to the media that it describes."""

    text: Value
    writer: str
    writers: tuple[Value, ...] = ()
    about: tuple[Link, ...] = ()
    href: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """
    A media item: ``kind`` is image, keyframe, video, audio or file.

    ``extent`` is how large it is or how long it lasts, in words, "" where the graph does not say.
    ``src`` is the address of its file on this server, "" where there is none to show: then ``missing`` says why, and
    ``remote`` is where it lies elsewhere, if anywhere.
    """

    link: Link
    kind: str
    src: str = ""
    missing: str = ""
    remote: str = ""
    media_type: str = ""
    sha256: str = ""
    frame: int | None = None
    film: str = ""
    extent: str = ""
    captions: tuple[Caption, ...] = ()

    @property
    def alternative(self) -> str:
        """What it shows, in words, for those who do not see it."""
        return self.captions[0].text.text if self.captions else self.link.label


@dataclass(frozen=True, slots=True)
class Gallery:
    """The media of a page, by kind; keyframes are in the order of their films and of their places in them."""

    items: tuple[Item, ...] = ()
    more: int = 0

    def of(self, *kinds: str) -> list[Item]:
        """The items of these kinds."""
        return [item for item in self.items if item.kind in kinds]


@dataclass(frozen=True, slots=True)
class Curator:
    """Makes items and captions of what is stated of them."""

    words: Words
    files: MediaFiles
    captions: Sequence[CaptionSaid]

    def gallery(self, items: Mapping[ox.NamedNode, Said], more: int = 0) -> Gallery:
        """The items in order: films, keyframes, pictures, sounds, other files."""
        made = [self.item(iri, said) for iri, said in items.items()]
        rank = {"video": 0, "keyframe": 1, "image": 2, "audio": 3, "file": 4}
        made.sort(key=lambda one: (rank[one.kind], one.film, one.frame or 0, one.link.label, one.link.iri))
        return Gallery(tuple(made), more)

    def item(self, iri: ox.NamedNode, said: Said) -> Item:
        """One item."""
        link, file, missing = self.words.link(iri), None, ""
        try:
            file = self.files.find(iri)
        except BadMedia as error:
            missing = str(error)
        frame = _first(said.get(terms.FRAME_INDEX, ()))
        return Item(
            link,
            _kind(said, file),
            src=f"{self.words.root}/media?{urlencode({'iri': iri.value})}" if file else "",
            missing=missing,
            remote=remote_address(said.get(terms.CONTENT_URL, ())),
            media_type=file.media_type if file else _first(said.get(terms.ENCODING_FORMAT, ())),
            sha256=_first(said.get(terms.SHA256, ())),
            frame=int(frame) if frame.isascii() and frame.isdigit() and len(frame) < 10 else None,
            film=_first(said.get(terms.KEYFRAME_OF, ())),
            extent=_extent(said),
            captions=self.captions_of(iri),
        )

    def captions_of(self, iri: ox.NamedNode) -> tuple[Caption, ...]:
        """The captions of an entity or a media item, those of people first."""
        made = [self._caption(caption) for caption in self.captions if caption.resource == iri]
        return tuple(
            sorted((one for one in made if one), key=lambda one: (one.writer.startswith("model"), one.text.text))
        )

    def _caption(self, caption: CaptionSaid) -> Caption | None:
        words = texts(caption.said.get(terms.CAPTION_TEXT, ()), self.words.languages)
        if not words:
            return None
        about = [node for node in caption.said.get(terms.DESCRIBES, ()) if isinstance(node, ox.NamedNode)]
        return Caption(
            words[0],
            _writer(caption.said),
            tuple(self.words.value(who) for prop in _WRITERS for who in caption.said.get(prop, ())),
            tuple(self.words.link(node) for node in about if node != caption.resource),
            self.words.href(caption.node) if isinstance(caption.node, ox.NamedNode) else "",
        )


def is_media(said: Said) -> bool:
    """Whether what is stated of a resource makes it a media item."""
    return bool(MEDIA_CLASSES & set(said.get(terms.RDF_TYPE, ()))) or terms.CONTENT_URL in said


def _kind(said: Said, file: LocalFile | None) -> str:
    types = set(said.get(terms.RDF_TYPE, ()))
    stated = next((name for kind, name in _KINDS if kind in types), None)
    media_type = file.media_type if file else _first(said.get(terms.ENCODING_FORMAT, ())).lower()
    return stated or next((name for family, name in _FAMILIES if media_type in family), "file")


def _extent(said: Said) -> str:
    """Pixels and seconds, where they are stated as numbers."""
    width, height, lasts = (_first(said.get(name, ())) for name in (terms.WIDTH, terms.HEIGHT, terms.DURATION))
    pixels = f"{width} by {height} px" if width.isdecimal() and height.isdecimal() else ""
    seconds = re.fullmatch(r"PT(\d+(?:\.\d+)?)S", lasts)
    return ", ".join(filter(None, (pixels, f"{float(seconds[1]):.1f} s" if seconds else "")))


def _writer(said: Said) -> str:
    """Who wrote a caption, in words."""
    model, setting = (_first(said.get(prop, ())) for prop in (terms.CAPTION_MODEL, terms.CAPTION_SETTING))
    types = set(said.get(terms.RDF_TYPE, ()))
    if model or terms.GENERATED_CAPTION in types:
        return f"model {model or 'not named'}" + (f", setting {setting}" if setting else "")
    return "a person" if terms.HUMAN_CAPTION in types else "an unknown writer"


def _first(values: Iterable[Term]) -> str:
    return min((value.value for value in values if isinstance(value, (ox.Literal, ox.NamedNode))), default="")
