"""What the whole site stands on: the graph as it is now, who may change it, and how the server is set up."""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from agents.engine import Engine
from agents.media_retrieval import MediaRetriever
from kg.errors import StoreError
from kg.home import Home
from kg.store import Store
from sparql.guard.limits import Limits
from sparql.guard.requests import Guard
from web.about import GraphAbout, read_about
from web.addresses import Addresses, read_addresses
from web.examples import BUNDLED, SAMPLE, load_examples
from web.metrics import MeteredGuard, Metrics

_LOG = logging.getLogger(__name__)
_PATIENCE_S = 2.0
"""How long a page waits for a new generation before it shows the old one; a million quads take some ten seconds."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WebSettings:
    """
    How the server is set up.

    ``hosts`` are the names by which it may be called, without ports; none means any. Who sends ``token`` may change the
    graph; without one nobody may. ``origins`` are the sites whose pages may read the endpoint and the API ("*": all).
    ``limits`` are what strangers' SPARQL may use; ``union_default_graph`` is whether it sees the graphs as one;
    ``endpoint`` is where the graph is, if it is elsewhere.
    ``ask_rate`` and ``query_rate`` are how often one address may ask (see web.rates; "": the defaults, which do not
    limit this machine), ``trusted_proxies`` how many proxies stand before the server and say truly who asks.
    """

    hosts: tuple[str, ...] = ()
    token: str = ""
    origins: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    union_default_graph: bool = True
    endpoint: str = ""
    ask_rate: str = ""
    query_rate: str = ""
    trusted_proxies: int = 0


class View:
    """The graph at one generation: what every page of one request reads. It never changes."""

    def __init__(self, engine: Engine, *, about: GraphAbout, addresses: Addresses, generation: int | None) -> None:
        self.engine, self.about, self.addresses, self.generation = engine, about, addresses, generation
        self._made: dict[object, object] = {}
        self._making: defaultdict[object, threading.Lock] = defaultdict(threading.Lock)

    def once(self, make: "Callable[[View], T]") -> T:
        """
        What ``make`` gives of this view, made at the first call: an index of labels, a table of relations.

        Who asks for it meanwhile waits, and nobody else: a page does not wait for what it does not show.
        """
        if make not in self._made:
            with self._making[make]:
                if make not in self._made:
                    self._made[make] = make(self)
        return self._made[make]  # type: ignore[return-value]  # what was kept under this maker is of its type


@dataclass
class Site:
    """
    The graph behind the pages, which follows its home.

    ``build`` makes the engine over the home's current generation. ``home`` and ``guard`` are None where the graph lies
    behind an endpoint elsewhere: then nothing can be imported, and strangers' SPARQL is for that endpoint.
    ``retriever`` makes what searches the graph's media, None where they cannot be searched.
    """

    build: Callable[[], Engine]
    home: Home | None = None
    guard: Guard | None = None
    settings: WebSettings = field(default_factory=WebSettings)
    retriever: Callable[[Store], MediaRetriever] | None = None
    metrics: Metrics = field(default_factory=Metrics)
    _view: View | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        if self.guard is not None:
            self.guard = MeteredGuard(self.guard, self.metrics, quick_s=self.settings.limits.quick_s)

    @property
    def view(self) -> View:
        """
        The graph as it is now: a new generation is read at the first call after it was published. Where that takes
        long, who comes meanwhile is shown the old one.

        Raises kg.errors.StoreError where there is no graph to show at all, HomeDamaged where the home does not say
        which it is or has it no more; one that cannot be opened any more is shown as it was.
        """
        generation = self.home.check() if self.home else None
        view = self._view
        if view is not None and view.generation == generation:
            return view
        if not self._lock.acquire(timeout=_PATIENCE_S if view else -1) and view:
            return view  # another request is reading the new one
        try:
            if self._view is None or self._view.generation != generation:
                self._view = self._read(generation, before=self._view)
            return self._view
        finally:
            self._lock.release()

    def _read(self, generation: int | None, *, before: View | None) -> View:
        try:
            engine = self.build()
            about = read_about(engine.store, examples=(*load_examples(BUNDLED), *load_examples(SAMPLE)))
            addresses = read_addresses(self.home) if self.home else Addresses()
        except StoreError as error:
            if before is None:
                raise
            _LOG.error("the new generation cannot be read, the pages show the one before: %s", error)
            return View(before.engine, about=before.about, addresses=before.addresses, generation=generation)
        return View(engine, about=about, addresses=addresses, generation=generation)
