"""
How often one address may ask: of questions, which walk the graph, and of queries; and how often it may guess the token.

Each address has an allowance of each kind over a sliding window, kept in the memory of this process (of each process,
where several serve). An IPv6 network of 64 bits counts as one address, since one person has all of it. By default
this machine itself is not limited, so that a tool or a benchmark on it runs at full speed, and everybody else is; a
rate that was set holds for everybody. What comes through a proxy is somebody else's, whatever address it has.
"""

import functools
import ipaddress
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, ParamSpec, TypeVar

from flask import Flask, Response, current_app, g, request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from werkzeug.exceptions import TooManyRequests

from web.errors import BadRate

Kind = Literal["ask", "query", "token"]
P = ParamSpec("P")
T = TypeVar("T")

DEFAULTS: dict[Kind, str] = {"ask": "30/minute", "query": "600/minute", "token": "20/minute"}
"""What a stranger may do where nothing else is set: more than a person does, less than would take the server away."""
NO_RATE = "none"
_NAME = "scoutfly.rates"
_SAID: dict[Kind, str] = {"ask": "questions", "query": "queries", "token": "wrong tokens"}


@dataclass(frozen=True, slots=True)
class Allowance:
    """What an address has left: ``limit`` in ``window_s`` seconds, ``left`` until ``reset_s`` seconds from now."""

    kind: Kind
    limit: int
    window_s: int
    left: int
    reset_s: int
    granted: bool


class Rates:
    """The allowances of all addresses. A rate is ``parse_rate``'s, "none", or "" for the default."""

    def __init__(self, *, ask: str = "", query: str = "") -> None:
        said: dict[Kind, str] = {"ask": ask, "query": query, "token": ""}
        self._set = {kind for kind, text in said.items() if text}
        self._items = {kind: parse_rate(text or DEFAULTS[kind]) for kind, text in said.items()}
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def take(self, kind: Kind, address: str | None, *, through_proxy: bool = False) -> Allowance | None:
        """One of the address's allowance; None where it has no bound."""
        item, client = self._bound(kind, address, through_proxy=through_proxy)
        if item is None:
            return None
        granted = self._limiter.hit(item, kind, client)
        return self._allowance(kind, item, client, granted=granted)

    def left(self, kind: Kind, address: str | None, *, through_proxy: bool = False) -> Allowance | None:
        """The allowance of an address as :meth:`take` gives it, but nothing is taken; granted where one could be."""
        item, client = self._bound(kind, address, through_proxy=through_proxy)
        if item is None:
            return None
        return self._allowance(kind, item, client, granted=self._limiter.test(item, kind, client))

    def _bound(self, kind: Kind, address: str | None, *, through_proxy: bool) -> tuple[RateLimitItem | None, str]:
        client = _client(address)
        is_free = client == "loopback" and kind not in self._set and not through_proxy
        return (None if is_free else self._items[kind]), client

    def _allowance(self, kind: Kind, item: RateLimitItem, client: str, *, granted: bool) -> Allowance:
        stats = self._limiter.get_window_stats(item, kind, client)
        reset_s = max(1, math.ceil(stats.reset_time - time.time()))
        return Allowance(kind, item.amount, item.get_expiry(), max(0, stats.remaining), reset_s, granted)


def parse_rate(text: str) -> RateLimitItem | None:
    """
    A rate as it is written, "60/minute" or "5 per 2 seconds"; None for "none". Raises BadRate.

    >>> parse_rate("60/minute").get_expiry()
    60
    """
    if text.strip().lower() == NO_RATE:
        return None
    try:
        item = parse(text)
    except ValueError as error:
        raise BadRate(f"{text!r} is no rate: write one like 60/minute or 5/second, or none") from error
    if item.amount < 1:
        raise BadRate(f"{text!r} would let nobody in: write a rate like 60/minute, or none")
    return item


def limit_rates(app: Flask, rates: Rates) -> None:
    """Have :func:`spend` and :func:`limited` go by ``rates``."""
    app.extensions[_NAME] = rates
    app.after_request(_tell)


def spend(kind: Kind) -> None:
    """
    Take one of the allowance of whoever sent this request.

    To be called in a view, before the work. Raises TooManyRequests, which says when to come again.
    """
    rates: Rates = current_app.extensions[_NAME]
    g.allowance = allowance = rates.take(kind, request.remote_addr, through_proxy=_is_through_proxy())
    if allowance is not None and not allowance.granted:
        raise _too_many(allowance)


def refuse_spent(kind: Kind) -> None:
    """
    Go on only while whoever sent this request has some of the allowance left; takes nothing of it.

    To be called before a token is looked at: after too many wrong guesses a right one must not show that it is right.
    Raises TooManyRequests.
    """
    rates: Rates = current_app.extensions[_NAME]
    allowance = rates.left(kind, request.remote_addr, through_proxy=_is_through_proxy())
    if allowance is not None and not allowance.granted:
        g.allowance = allowance
        raise _too_many(allowance)


def _is_through_proxy() -> bool:
    return any(name in request.headers for name in ("X-Forwarded-For", "Forwarded"))


def _too_many(allowance: Allowance) -> TooManyRequests:
    return TooManyRequests(
        f"That was too much in too short a time: {allowance.limit:,} {_SAID[allowance.kind]} in "
        f"{allowance.window_s:,} seconds are the most. Try again in {allowance.reset_s} s.",
        retry_after=allowance.reset_s,
    )


def limited(kind: Kind) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A view that spends before it does anything."""

    def decorate(view: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(view)
        def spending(*args: P.args, **kwargs: P.kwargs) -> T:
            spend(kind)
            return view(*args, **kwargs)

        return spending

    return decorate


def _tell(response: Response) -> Response:
    """The allowance as headers; https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/."""
    allowance: Allowance | None = g.get("allowance")
    if allowance is not None:
        response.headers["RateLimit-Policy"] = f'"{allowance.kind}";q={allowance.limit};w={allowance.window_s}'
        response.headers["RateLimit"] = f'"{allowance.kind}";r={allowance.left};t={allowance.reset_s}'
    return response


@functools.lru_cache(maxsize=4096)
def _client(address: str | None) -> str:
    """
    Whom an address stands for.

    >>> _client("192.0.2.7"), _client("2001:db8::7"), _client("::ffff:127.0.0.1"), _client(None)
    ('192.0.2.7', '2001:db8::/64', 'loopback', 'unknown')
    """
    try:
        ip = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    if ip.is_loopback:
        return "loopback"
    return str(ip if ip.version == 4 else ipaddress.ip_network((ip, 64), strict=False))
