"""Whether an error says that the disk is full, however it came to us."""

import errno

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_WORDS = ("no space left on device", "disk quota exceeded")
"""How the C library says it, which RocksDB passes on in an OSError or a RuntimeError without a number."""


def is_full(error: BaseException | None) -> bool:
    """
    Whether an error, or what it was raised from, says that the disk or a quota is used up.

    >>> is_full(OSError(28, "No space left on device")), is_full(OSError(13, "Permission denied"))
    (True, False)
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, OSError) and error.errno in _FULL:
            return True
        if isinstance(error, (OSError, RuntimeError)) and any(words in str(error).lower() for words in _WORDS):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
