"""Turns the label of a relation or a condition into the last part of its IRI.

The same label gives the same name on every machine and in any order of import. Names are NCNames without percent
escapes, because RDF/XML writes a predicate as an element name (https://www.w3.org/TR/xml-names/#NT-NCName). It does
not know which names are taken.
"""

import hashlib
import re
import unicodedata

LONGEST = 60
"""Characters kept of a long label; beyond that a checksum keeps two labels apart."""

_NOT_NCNAME = re.compile(
    "[^0-9A-Za-z_\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u203f\u2040\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff]"
)
_SEPARATORS = re.compile(r"[\s_]+|(?<=\w)['\u2019-](?=[^\W\d])")
_FINAL_STOP = re.compile(r"(?<=\w)[.!?,;:]+$")


def tidy(label: str) -> str:
    """The label in NFC, trimmed, with each run of white space as one space.

    >>> tidy("  is\\n angry ")
    'is angry'
    """
    return " ".join(unicodedata.normalize("NFC", label).split())


def local_name(label: str) -> str:
    """The camel-cased name of ``label``; a checksum is added where letters and digits alone do not tell it apart.

    >>> local_name("has attack action of")
    'hasAttackActionOf'
    >>> local_name("2nd form")
    'r2ndForm'
    >>> local_name("HP is < 3") == local_name("HP is > 3")
    False
    """
    plain = _FINAL_STOP.sub("", tidy(label))
    pieces = _SEPARATORS.split(plain)
    words = ["".join(filter(_is_word, piece)) for piece in pieces]
    name = _camel([word for word in words if word])
    lossy = words != pieces or len(name) > LONGEST
    if lossy:
        name = f"{name[:LONGEST]}-{checksum(tidy(label).casefold())}"
    return name if name[:1].isalpha() else f"r{name}"


def checksum(text: str) -> str:
    """Eight hexadecimal digits that differ between texts."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def is_name(text: str) -> bool:
    """Whether a text can be the last part of a predicate's IRI as it stands.

    >>> is_name("P31"), is_name("term%20"), is_name("2nd")
    (True, False, False)
    """
    return text[:1].isalpha() and all(_is_word(character) or character in "_-" for character in text)


def _is_word(character: str) -> bool:
    """Whether a character may stand in a name: a letter, a digit or a combining mark that XML names allow."""
    category = unicodedata.category(character)
    return (character.isalnum() or category[0] == "M") and not _NOT_NCNAME.match(character)


def _camel(words: list[str]) -> str:
    """Joins words; two digits that meet keep an underscore between them, so that "1 5" is not "15"."""
    name = ""
    for word in words:
        if not name:
            name = word.lower() if word.isupper() else word[0].lower() + word[1:]
            continue
        gap = "_" if name[-1].isdigit() and word[0].isdigit() else ""
        name += gap + word[0].upper() + word[1:]
    return name
