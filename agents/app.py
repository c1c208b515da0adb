"""What commands of this package and of those above it find in click's context: where the data are, and the engine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from agents.domain import Domain
from agents.engine import Engine
from agents.llm_roles import RULES, Wording
from agents.media_retrieval import MediaRetriever
from kg.home import Home
from kg.store import Store


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which models play the LLM policy: ``models`` is role → model name, "default" for the rest.

    ``base_url`` is that of an OpenAI-compatible endpoint; without one the names are local ``transformers`` models.
    ``rules`` and ``wording`` are the expander's and the validator's (see agents.llm); ``cache`` keeps answers in the
    home.
    """

    base_url: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = RULES
    wording: Wording = "sufficient"
    cache: bool = True


class App(Protocol):
    """The composition root, as commands see it."""

    @property
    def home_dir(self) -> Path:
        """The data directory."""

    @property
    def domain(self) -> Domain:
        """What the agents are told of the graph's domain."""

    @property
    def endpoint(self) -> str:
        """The address of the SPARQL endpoint whose graph is walked; "" where it is the home's."""

    @property
    def token(self) -> str:
        """What somebody must send to a server to change the graph; "" where nobody may."""

    @property
    def home(self) -> Home:
        """The home, filled with the bundled graph where it was empty. Raises kg.errors.GraphError."""

    def media_retriever(self, store: Store | None = None) -> MediaRetriever:
        """Retrieval by the media of the home's graph, or of ``store``, which shows it.

        Raises kg, agents and retrieval errors.
        """

    def engine(self, models: ModelOptions | None = None, *, with_sample: bool = True) -> Engine:
        """The engine over the home's graph, or what it holds beside the bundled sample; an empty home is filled first.

        Raises kg, agents and retrieval errors.
        """
