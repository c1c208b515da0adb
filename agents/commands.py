"""The commands of this package: ``ask``, and the options that commands above share with it."""

import json
import math
from collections.abc import Callable, Sequence
from functools import partial, wraps
from pathlib import Path as FilePath
from typing import Any, Literal, TypeVar, get_args

import click

from agents.app import App, ModelOptions
from agents.budget import Budget
from agents.errors import MediaUnreadable
from agents.images import media_type
from agents.llm import DEFAULT_MODEL, ROLES
from agents.llm_roles import RULES, Wording
from agents.media_files import read_media
from agents.media_report import evidence_to_json, evidence_to_text
from agents.media_retrieval import Evidence, RetrievalSettings, with_evidence
from agents.report import cost, result_to_text
from agents.roles import Policy, Question
from agents.trace import Event, ignore
from agents.walk import Strategy, WalkSettings
from retrieval.media_index import INDEXES
from retrieval.search import TOP_K

T = TypeVar("T")
Command = Callable[..., Any]


def model_options(command: Callable[..., T]) -> Callable[..., T]:
    """Adds the options that say which models play the ``llm`` policy; the command gets them as ``models``."""

    @wraps(command)
    def call(
        *args: object,
        base_url: str,
        model: str,
        role_model: tuple[str, ...],
        without_rule: tuple[str, ...],
        wording: Wording,
        no_cache: bool,
        **rest: object,
    ) -> T:
        rules = tuple(rule for rule in RULES if rule not in without_rule)
        models = {**({DEFAULT_MODEL: model} if model else {}), **_role_models(role_model)}
        return command(*args, models=ModelOptions(base_url, models, rules, wording, cache=not no_cache), **rest)

    options = (
        click.option(
            "--base-url",
            default="",
            envvar="SCOUTFLY_BASE_URL",
            help="OpenAI-compatible endpoint; its key is taken from SCOUTFLY_API_KEY.",
        ),
        click.option("--model", default="", envvar="SCOUTFLY_MODEL", help="Model of all roles (--policy llm)."),
        click.option(
            "--role-model", multiple=True, metavar="ROLE=MODEL", help=f"Model of one role: {', '.join(ROLES)}."
        ),
        click.option(
            "--without-rule",
            multiple=True,
            type=click.Choice(RULES),
            help="Leave this rule out of the expander's prompt.",
        ),
        click.option(
            "--wording",
            type=click.Choice(get_args(Wording)),
            default="sufficient",
            show_default=True,
            help="What the validator is asked of a path: does it suffice, or is it needed?",
        ),
        click.option("--no-cache", is_flag=True, help="Ask the model again for what it has answered before."),
    )
    return _with_options(call, options)


def walk_options(command: Callable[..., T]) -> Callable[..., T]:
    """Adds the options that say how to walk and what it may cost; the command gets ``policy`` and ``settings``."""

    @wraps(command)
    def call(
        *args: object,
        strategy: Strategy,
        paths: int,
        concurrency: int,
        max_depth: int,
        max_calls: int,
        max_tokens: int | None,
        max_seconds: float | None,
        **rest: object,
    ) -> T:
        if max_seconds is not None and math.isnan(max_seconds):
            raise click.BadParameter("nan is no number of seconds", param_hint="--max-seconds")
        budget = Budget(depth=max_depth, calls=max_calls, tokens=max_tokens, seconds=max_seconds)
        return command(*args, settings=WalkSettings(strategy, paths, budget, concurrency), **rest)

    options = (
        click.option(
            "--policy",
            type=click.Choice(["builtin", "llm"]),
            default="builtin",
            show_default=True,
            help="Who plays the roles: text similarity, or a language model (--model).",
        ),
        click.option(
            "--strategy",
            type=click.Choice(get_args(Strategy)),
            default="bfs",
            show_default=True,
            help="Breadth first or depth first.",
        ),
        click.option("--paths", type=click.IntRange(1, 100), default=5, show_default=True, help="Most paths to keep."),
        click.option("--concurrency", type=click.IntRange(1, 64), default=32, show_default=True, help="Calls at once."),
        click.option("--max-depth", type=click.IntRange(1), default=6, show_default=True, help="Edges from the topic."),
        click.option("--max-calls", type=click.IntRange(1), default=200, show_default=True, help="Calls of one walk."),
        click.option("--max-tokens", type=click.IntRange(1), help="Tokens in and out of one walk."),
        click.option("--max-seconds", type=click.FloatRange(0, min_open=True), help="Wall time of one walk."),
    )
    return _with_options(call, options)


def _with_options(command: Callable[..., T], options: Sequence[Callable[[Command], Command]]) -> Callable[..., T]:
    for option in reversed(options):
        command = option(command)
    return command


def _role_models(pairs: Sequence[str]) -> dict[str, str]:
    models = {}
    for pair in pairs:
        role, equals, name = pair.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--role-model takes ROLE=MODEL, not {pair!r}")
        models[role] = name
    return models


_FILE = click.Path(exists=True, dir_okay=False, path_type=FilePath)
Retrieval = Literal["walk", "media", "both"]


def retrieval_options(command: Callable[..., T], *, hops_away: int = 1) -> Callable[..., T]:
    """Adds the options that say how media are searched, by default so many hops; the command gets ``retrieving``."""

    @wraps(command)
    def call(*args: object, k: int, tau: float | None, hops: int, no_grasp: bool, **rest: object) -> T:
        far = dict.fromkeys(INDEXES, tau) if tau is not None else {}
        retrieving = RetrievalSettings(k=k, tau=far, hops=hops, grounding=not no_grasp, filtering=not no_grasp)
        return command(*args, retrieving=retrieving, **rest)

    options = (
        click.option("--k", type=click.IntRange(1, 100), default=TOP_K, show_default=True, help="Items a modality."),
        click.option("--tau", type=click.FloatRange(0), help="The farthest that an item may be (L2 distance)."),
        click.option(
            "--hops", type=click.IntRange(1, 5), default=hops_away, show_default=True, help="Triples away from items."
        ),
        click.option("--no-grasp", is_flag=True, help="Keep all triplets, whatever they have to do with the query."),
    )
    return _with_options(call, options)


@click.command()
@click.argument("question")
@click.option("--topic", default="", help="Where to start: the label or IRI of an entity. Chosen where left out.")
@click.option("--extra", default="", help="What else is known, e.g. 'It is angry.'")
@click.option("--caption", default="", help="What the picture or video of the question shows, in words.")
@click.option(
    "--image",
    "images",
    multiple=True,
    type=_FILE,
    help="A picture that the question is about, for a policy that sees (llm); may be given several times.",
)
@click.option(
    "--media",
    "media",
    multiple=True,
    type=_FILE,
    help="A picture, film or sound that the question is about, to be found among the graph's own; several times.",
)
@click.option(
    "--retrieval",
    type=click.Choice(get_args(Retrieval)),
    help="From what to answer: a walk, what is like the media, or a walk that starts there (both: with --media).",
)
@click.option("--json", "as_json", is_flag=True, help="Everything, for programs.")
@click.option("--verbose", is_flag=True, help="Say what the walk does, and print the generated SPARQL.")
@partial(retrieval_options, hops_away=2)
@walk_options
@model_options
@click.pass_obj
def ask(
    app: App,
    *,
    question: str,
    topic: str,
    extra: str,
    caption: str,
    images: tuple[FilePath, ...],
    media: tuple[FilePath, ...],
    retrieval: Retrieval | None,
    as_json: bool,
    verbose: bool,
    policy: str,
    settings: WalkSettings,
    models: ModelOptions,
    retrieving: RetrievalSettings,
) -> None:
    """Answer QUESTION by a walk over the graph, and show the route; with --media also by what looks or sounds alike."""
    engine = app.engine(models)
    if images:
        _check_images(images, caption, sees=engine.policy(policy).sees, policy=policy)
    asked, evidence = Question(question, topic, extra, caption, images), None
    if retrieval in ("media", "both") and not media:
        raise click.UsageError(f"--retrieval {retrieval} looks for what is like media: give --media FILE")
    if retrieval == "walk" and media:
        raise click.UsageError("--retrieval walk does not look at --media: leave one of the two out")
    if media:
        evidence = app.media_retriever().retrieve(question, read_media(media), settings=retrieving)
        if retrieval == "media":
            _answer_from(evidence, engine.policy(policy), asked, as_json=as_json)
            return
        asked = with_evidence(asked, evidence)
    run_id, result = engine.ask(
        asked,
        policy=policy,
        settings=settings,
        observe=_tell if verbose else ignore,
        evidence=evidence_to_json(evidence) if evidence else None,
    )
    if as_json:
        click.echo(json.dumps(engine.runs.load(run_id), ensure_ascii=False, indent=1))
        return
    click.echo(result_to_text(result, verbose=verbose))
    if evidence:
        click.echo(f"\n{evidence_to_text(evidence)}")
    click.echo(f"Run {run_id}, kept in {app.home_dir / 'runs' / run_id}", err=True)


def _answer_from(evidence: Evidence, policy: Policy, question: Question, *, as_json: bool) -> None:
    """Graph-augmented generation (M3KG-RAG, equation 6): the answer from the triplets kept, without a walk."""
    answer = policy.summarizer.summarize(with_evidence(question, evidence), evidence.paths(), {})
    if as_json:
        said = {"answer": answer.text, "media": evidence_to_json(evidence), "cost": cost(answer.calls)}
        click.echo(json.dumps(said, ensure_ascii=False, indent=1))
        return
    click.echo(answer.text or "Nothing in the graph is near enough to answer from.")
    click.echo(f"\n{evidence_to_text(evidence)}")


@click.command()
@click.option(
    "--image", "--video", "--audio", "--media", "files", multiple=True, type=_FILE, help="A file to look for."
)
@click.option("--text", default="", help="Words to look for, where texts and media share an encoder (CLIP, CLAP).")
@click.option("--question", default="", help="What the triplets are to help with; without one all are kept.")
@click.option("--json", "as_json", is_flag=True, help="Everything, for programs.")
@retrieval_options
@click.pass_obj
def search(
    app: App,
    *,
    files: tuple[FilePath, ...],
    text: str,
    question: str,
    as_json: bool,
    retrieving: RetrievalSettings,
) -> None:
    """Find the graph's media that are like a picture, a film or a sound, and what the graph says of them.

    What a file is, is told by its bytes. Distances are L2, within one encoder's space.
    """
    if not files and not text:
        raise click.UsageError("say what to look for: --image FILE, --video FILE, --audio FILE or --text WORDS")
    if files and text:
        raise click.UsageError("look for files or for words, not for both at once")
    retriever = app.media_retriever()
    if files:
        evidence = retriever.retrieve(question, read_media(files), settings=retrieving)
    else:
        evidence = retriever.retrieve_text(text, settings=retrieving)
    found = evidence_to_json(evidence)
    click.echo(json.dumps(found, ensure_ascii=False, indent=1) if as_json else evidence_to_text(evidence))


def _check_images(images: Sequence[FilePath], caption: str, *, sees: bool, policy: str) -> None:
    if not sees and not caption:
        raise click.UsageError(f"the {policy} policy cannot see pictures: say what they show with --caption")
    for image in images:
        try:
            media_type(image)
        except MediaUnreadable as error:
            raise click.BadParameter(str(error), param_hint="--image") from error


def _tell(event: Event) -> None:
    data = event.data
    line = {
        "topic": lambda: f"start at {data['label']}" if data["label"] else "no topic was chosen",
        "round": lambda: f"round {data['number']}: {len(_list(data['frontier']))} open",
        "expanded": lambda: f"  {' > '.join(map(str, _list(data['path'])))}: {_chosen(data)}",
        "validated": lambda: f"  {' > '.join(map(str, _list(data['path'])))}: sufficient" if data["sufficient"] else "",
        "selected": lambda: (
            f"{len(_list(data['paths']))} of {data['retrieved']} paths kept"
            + (f": {data['unanswered']}" if data.get("unanswered") else "")
        ),
    }.get(event.kind, lambda: "")()
    if line:
        click.echo(line, err=True)


def _chosen(data: object) -> str:
    chosen = _list(data["chosen"]) if isinstance(data, dict) else []
    return ", ".join(str(edge["label"]) for edge in chosen if isinstance(edge, dict)) or "nothing"


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) else []


COMMANDS = (ask, search)
