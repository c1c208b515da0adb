"""Literals from texts that people typed.

Language tags are normalised once, here: ``_`` becomes ``-`` and case is lowered, as pyoxigraph and rdflib both do.
Codes and identifiers are ``xsd:string`` always: Oxigraph and rdflib write numbers in their canonical form, so ``007``
as an integer would come back as ``7``, ``1.10`` as a double as ``1.1`` and a decimal ``10`` as ``10.0``.
"""

import re

import pyoxigraph as ox

from kg.errors import BadTerm

# What XML 1.0 cannot hold, so that RDF/XML and spreadsheets cannot either; tab and line ends are legal.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def language_tag(text: str) -> str:
    """A BCP 47 language tag in lower case. Raises BadTerm, with the reason, for what is none.

    >>> language_tag("en_GB"), language_tag(" zh-Hant-TW ")
    ('en-gb', 'zh-hant-tw')
    """
    tag = text.strip().replace("_", "-").lower()
    try:
        return ox.Literal("", language=tag).language or ""
    except ValueError as error:
        raise BadTerm(f"{text!r} is not a language tag: {error}") from error


def text_literal(text: str, *, language: str | None = None) -> ox.Literal:
    """``text`` as it stands, as a literal of type ``xsd:string`` or of the given language.

    Control characters, which XML cannot hold, become spaces. Raises BadTerm for a lone surrogate or a bad tag.
    """
    if _SURROGATE.search(text):
        raise BadTerm(f"{text!r} holds half a character (a lone surrogate)")
    value = _CONTROL.sub(" ", text)
    return ox.Literal(value, language=language_tag(language)) if language else ox.Literal(value)
