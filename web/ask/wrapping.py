"""
Breaks text into lines that fit a width.

A server has no fonts to measure with, so widths are estimated, by the table of a wide font: with a narrower one some
room is left, and nothing runs over.
"""

import unicodedata
from collections.abc import Iterator

_NARROW = frozenset("ijlftrI.,:;'`|!()[]{}-/ ")
_WIDE = frozenset("mwMWQ@%&<>=+~#…")
_NARROWEST = 0.4


def wrap(text: str, width_px: float, font_px: float, *, max_lines: int) -> tuple[str, ...]:
    """
    ``text`` in lines that fit, words broken only where one alone does not; an ellipsis ends what had to be cut.

    >>> wrap("continues with attack action of", 130, 12.5, max_lines=3)
    ('continues with', 'attack action of')
    """
    # More than this cannot be shown, so it is not measured either: a text may be of any length.
    limit = int((max_lines + 1) * width_px / (_NARROWEST * font_px)) + 1
    lines, current = [], ""
    for word in text[:limit].split():
        for piece in _pieces(word, width_px, font_px):
            longer = f"{current} {piece}" if current else piece
            if text_width(longer, font_px) <= width_px:
                current = longer
            else:
                lines.append(current)
                current = piece
    lines.append(current)
    if len(lines) > max_lines or len(text) > limit:
        *lines, last = lines[:max_lines]
        lines.append(last.rstrip(" ,;.") + "…")
    return tuple(line for line in lines if line)


def text_width(text: str, font_px: float) -> float:
    """About how wide ``text`` is, in pixels, and rather more than less; bold text is a tenth wider."""
    return font_px * sum(map(_em, text))


def _em(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in {"W", "F"}:
        return 1.0
    if char in _NARROW:
        return _NARROWEST
    if char in _WIDE:
        return 1.0
    return 0.77 if char.isupper() else 0.63


def _pieces(word: str, width_px: float, font_px: float) -> Iterator[str]:
    piece = ""
    for char in word:
        if piece and text_width(piece + char, font_px) > width_px:
            yield piece
            piece = ""
        piece += char
    yield piece
