"""
How names are compared: without regard to case, accents and punctuation.

Only accents of the Latin, Greek and Cyrillic scripts are taken away; in others, marks tell letters apart.
"""

import re
import unicodedata

_ACCENTS = re.compile("[\u0300-\u036f]")
_BETWEEN = re.compile(
    r"[\s!-/:-@\[-`{-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u3000-\u3004\u3008-\u3020]+"
)
"""What stands between words: spaces and the punctuation of ASCII, Latin-1, and the general and the CJK blocks."""
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"})
"""Letters that Unicode does not take apart."""


def words(text: str) -> list[str]:
    """
    The words of a text as they are compared; a text of punctuation only is one word.

    >>> words("L'Étoile — №1"), words("雄火竜"), words("!?")
    (['l', 'etoile', 'no1'], ['雄火竜'], ['!?'])
    """
    folded = text.casefold()
    if not folded.isascii():
        parted = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))
        folded = unicodedata.normalize("NFC", parted).casefold().translate(_PLAIN)
    return [word for word in _BETWEEN.split(folded) if word] or [word for word in [folded.strip()] if word]


def fold(text: str) -> str:
    """
    The words of a text with single spaces between them.

    >>> fold("  Triple-FIREBALLS ")
    'triple fireballs'
    """
    return " ".join(words(text))
