"""Command line and composition root: reads the settings, builds the engine, mounts each package's commands.

Settings come from the command line and a few environment variables (SCOUTFLY_HOME, SCOUTFLY_BASE_URL, SCOUTFLY_MODEL,
SCOUTFLY_API_KEY, SCOUTFLY_TOKEN), read here and nowhere else. Nothing is opened before a command asks for it.
"""

import errno
import logging
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import click

import agents.commands
import eval.commands
import kg.commands
import kg.media.commands
import retrieval.commands
import web.commands
from agents.app import ModelOptions
from agents.builtin.policy import build_builtin_policy
from agents.cache import CachedChat
from agents.chat import ChatModel
from agents.domain import Domain, load_domain
from agents.engine import Engine
from agents.errors import AgentError, SettingsError
from agents.llm import DEFAULT_MODEL, build_llm_policy
from agents.media_retrieval import MediaRetriever
from agents.openai_chat import OpenAIChat, read_key
from agents.roles import Policy
from agents.runs import RunFolder
from agents.transformers_chat import TransformersChat
from eval.errors import EvaluationError
from kg.bundled import FOLDER, SAMPLE_NAME, ensure_bundled, ensure_sample, holds_bundled, holds_sample
from kg.errors import GraphError
from kg.home import Home
from kg.remote import RemoteStore
from kg.store import Store
from ontology.errors import OntologyError
from ontology.terms import facts_graph, source_graph
from retrieval.encoder import WordLlamaEncoder
from retrieval.errors import RetrievalError
from retrieval.media_index import MediaIndexes
from retrieval.search import MediaSearcher
from sparql.errors import QueryError
from web.errors import WebError

CHECKOUT = Path(__file__).resolve().parent
DEFAULT_HOME = CHECKOUT / ".scoutfly"
ERRORS = (OntologyError, GraphError, QueryError, RetrievalError, AgentError, EvaluationError, WebError)


@dataclass
class Scoutfly:
    """What commands find in click's context (see agents.app.App)."""

    home_dir: Path
    endpoint: str = ""
    say: Callable[[str], None] = field(default=lambda line: click.echo(line, err=True))

    @property
    def token(self) -> str:
        """See agents.app.App."""
        return os.environ.get("SCOUTFLY_TOKEN", "").strip()

    @cached_property
    def home(self) -> Home:
        """See agents.app.App."""
        home = Home(self.home_dir)
        ensure_bundled(home, progress=self.say)
        ensure_sample(home, progress=self.say)
        # Once copied it is the user's to edit; of two processes that fill a home, either may come to this first.
        if not self._domain_file.exists() and holds_bundled(home):
            shutil.copyfile(FOLDER / "domain.toml", self._domain_file)
        return home

    @cached_property
    def domain(self) -> Domain:
        """The home's ``domain.toml``, where it has one."""
        return load_domain(self._domain_file) if self._domain_file.is_file() else Domain()

    def media_retriever(self, store: Store | None = None) -> MediaRetriever:
        """See agents.app.App."""
        if self.endpoint:
            raise SettingsError("media are searched in the home's own graph: leave --endpoint out")
        return MediaRetriever(store or self.home.reader(), self._searcher, self._encoder)

    def engine(self, models: ModelOptions | None = None, *, with_sample: bool = True) -> Engine:
        """See agents.app.App."""
        store: Store = RemoteStore(self.endpoint) if self.endpoint else self._reader(with_sample=with_sample)

        @cache
        def policy(name: str) -> Policy:
            if name == "builtin":
                return self._builtin(store)
            return self._llm(models or ModelOptions())

        runs = RunFolder(self.home_dir / "runs")
        if models and DEFAULT_MODEL in models.models:
            return Engine(store, policy, ("llm", "builtin"), runs)  # the first is the default
        return Engine(store, policy, ("builtin",), runs, missing={"llm": "start the server with --model"})

    def _reader(self, *, with_sample: bool) -> Store:
        ours = not with_sample and holds_sample(self.home)
        return self.home.reader(without=(source_graph(SAMPLE_NAME), facts_graph(SAMPLE_NAME)) if ours else ())

    @cached_property
    def indexes(self) -> MediaIndexes:
        """See retrieval.commands.HasIndexes."""
        return MediaIndexes(self.home_dir / "indexes", self.home_dir / "cache" / "vectors")

    @cached_property
    def _searcher(self) -> MediaSearcher:
        return MediaSearcher(self.indexes)

    @property
    def _domain_file(self) -> Path:
        return self.home_dir / "domain.toml"

    @cached_property
    def _encoder(self) -> WordLlamaEncoder:
        return WordLlamaEncoder()

    def _builtin(self, store: Store) -> Policy:
        return build_builtin_policy(store, self._encoder, self.domain)

    def _llm(self, options: ModelOptions) -> Policy:
        if not options.models:
            raise SettingsError(
                "the llm policy needs a model: give --model NAME (and --base-url URL for an endpoint), "
                "or use --policy builtin"
            )
        chats = {role: self._chat(name, options) for role, name in options.models.items()}
        if DEFAULT_MODEL not in chats:
            raise SettingsError("give --model NAME for the roles that no --role-model names")
        return build_llm_policy(chats, self.domain, rules=options.rules, wording=options.wording)

    def _chat(self, name: str, options: ModelOptions) -> ChatModel:
        if options.base_url:
            key = read_key(os.environ, options.base_url)
            chat: ChatModel = OpenAIChat(name, base_url=options.base_url, api_key=key)
        else:
            chat = TransformersChat(name)
        return CachedChat(chat, self.home_dir / "cache") if options.cache else chat


class OneLineErrors(click.Group):
    """Makes an error of the packages, or of the machine, one line and exit status 1; --debug keeps its traceback."""

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except ERRORS as error:
            if ctx.params["debug"]:
                raise
            raise click.ClickException(str(error)) from error
        except OSError as error:  # a disk that is full or damaged, a place that may not be read or written
            if ctx.params["debug"] or error.errno == errno.EPIPE:  # click ends quietly where a pipe's reader is gone
                raise
            raise click.ClickException(_told(error)) from error


def _told(error: OSError) -> str:
    what = error.strerror or " ".join(str(error).split())
    return f"{error.filename}: {what}" if error.filename else what


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="SCOUTFLY_HOME",
    default=DEFAULT_HOME,
    help="Where the graph, runs and caches live (default: .scoutfly in the checkout).",
)
@click.option(
    "--endpoint",
    default="",
    envvar="SCOUTFLY_ENDPOINT",
    metavar="URL",
    help="Walk the graph behind a SPARQL 1.1 endpoint, not the home's (ask, bench, serve).",
)
@click.option("--debug", is_flag=True, help="Log what goes on, and show tracebacks.")
@click.version_option(package_name="scoutfly")
@click.pass_context
def main(context: click.Context, home: Path, endpoint: str, debug: bool) -> None:
    """Scoutfly: multimodal knowledge graphs in RDF, walked by agents."""
    level = logging.DEBUG if debug else logging.WARNING
    # "force": a library that configures logging when it is imported would have had the first word.
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s", force=True)
    context.obj = Scoutfly(home.expanduser(), endpoint)


for command in (
    *kg.commands.COMMANDS,
    *kg.media.commands.COMMANDS,
    *retrieval.commands.COMMANDS,
    *agents.commands.COMMANDS,
    *eval.commands.COMMANDS,
    web.commands.serve_command,
):
    main.add_command(command)


if __name__ == "__main__":
    main()
