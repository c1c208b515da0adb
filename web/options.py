"""The options of ``scoutfly serve`` that say who may ask what, and how much of it."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import click

from sparql.guard.limits import Limits
from web.rates import DEFAULTS
from web.serving import hosts_for
from web.site import WebSettings

T = TypeVar("T")
_MIB = 1 << 20
_USUAL = Limits()


def settings_options(command: Callable[..., T]) -> Callable[..., T]:
    """Adds the options; the command gets them as ``settings``, still without token and endpoint."""

    @wraps(command)
    def call(
        *args: object,
        host: str,
        query_seconds: float,
        query_memory: int,
        answer_size: int,
        workers: int,
        cors_origin: tuple[str, ...],
        no_union_default_graph: bool,
        ask_rate: str,
        query_rate: str,
        trusted_proxies: int,
        **rest: object,
    ) -> T:
        settings = WebSettings(
            hosts=hosts_for(host),
            origins=tuple(origin.rstrip("/") for origin in cors_origin),
            limits=Limits(
                seconds=query_seconds,
                memory_bytes=query_memory * _MIB,
                answer_bytes=answer_size * _MIB,
                workers=workers,
            ),
            union_default_graph=not no_union_default_graph,
            ask_rate=ask_rate,
            query_rate=query_rate,
            trusted_proxies=trusted_proxies,
        )
        return command(*args, host=host, settings=settings, **rest)

    for option in reversed(_OPTIONS):
        call = option(call)
    return call


def _rate(kind: str) -> str:
    return f'"none", or one like 5/second (default: {kind} for others, none for this machine).'


_OPTIONS = (
    click.option(
        "--query-seconds",
        type=click.FloatRange(0, 86_400, min_open=True),
        default=_USUAL.seconds,
        show_default=True,
        help="How long a query at /sparql may take.",
    ),
    click.option(
        "--query-memory",
        type=click.IntRange(min=16),
        default=_USUAL.memory_bytes // _MIB,
        show_default=True,
        metavar="MIB",
        help="How much memory a query may use beside the graph.",
    ),
    click.option(
        "--answer-size",
        type=click.IntRange(min=1),
        default=_USUAL.answer_bytes // _MIB,
        show_default=True,
        metavar="MIB",
        help="How large its answer may be.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1, 256),
        default=_USUAL.workers,
        show_default="by the number of processors",
        help="How many queries are answered at once.",
    ),
    click.option(
        "--cors-origin",
        multiple=True,
        metavar="ORIGIN",
        help='A site whose pages may ask the endpoint and the API, "*" for all (may be repeated).',
    ),
    click.option(
        "--no-union-default-graph",
        is_flag=True,
        help="Queries without FROM see the default graph alone, not all asserted graphs as one.",
    ),
    click.option(
        "--query-rate", default="", metavar="RATE", help=f"Queries of one address: {_rate(DEFAULTS['query'])}"
    ),
    click.option("--ask-rate", default="", metavar="RATE", help=f"Questions of one address: {_rate(DEFAULTS['ask'])}"),
    click.option(
        "--trusted-proxies",
        type=click.IntRange(0, 10),
        default=0,
        show_default=True,
        help="How many proxies stand before the server and say truly, in X-Forwarded headers, who asks.",
    ),
)
