"""How long to wait before asking an endpoint again.

Exponential growth with jitter (Brooker, "Exponential Backoff And Jitter", 2015); where the endpoint names a time, that
time and a little more, so that many clients do not come back together.
"""

import email.utils
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waits:
    """``first_s`` doubles with each attempt up to ``longest_s``; ``patience_s`` is the most an endpoint may ask for.

    ``scale`` multiplies every wait (for tests).
    """

    first_s: float = 1.0
    longest_s: float = 30.0
    patience_s: float = 120.0
    scale: float = 1.0

    def seconds(self, attempt: int, *, retry_after_s: float | None = None) -> float:
        """The wait after attempt number ``attempt`` (from 1)."""
        if retry_after_s is not None:
            return self.scale * (retry_after_s + random.uniform(0.0, 0.25))  # noqa: S311 - spreads clients, guards nothing
        bound = min(self.longest_s, self.first_s * 2 ** (attempt - 1))
        return self.scale * random.uniform(bound / 2, bound)  # noqa: S311

    def too_long(self, retry_after_s: float | None) -> bool:
        """Whether the time that an endpoint names is more than anybody would wait."""
        return retry_after_s is not None and retry_after_s > self.patience_s


def read_retry_after(headers: Mapping[str, str], *, now: float | None = None) -> float | None:
    """Seconds named by ``Retry-After-Ms`` or ``Retry-After`` (RFC 9110, 10.2.3: seconds or a date), or None.

    >>> read_retry_after({"retry-after": "7"})
    7.0
    >>> read_retry_after({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, now=40.0)
    60.0
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if text.replace(".", "", 1).isdigit():
            return float(text) * unit
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, date.timestamp() - (time.time() if now is None else now))
