"""The commands of this package: ``ask``, and the options that commands above share with it."""

import json
import math
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path as FilePath
from typing import Any, TypeVar, get_args

import click

from agents.app import App, ModelOptions
from agents.budget import Budget
from agents.errors import MediaUnreadable
from agents.images import media_type
from agents.llm import DEFAULT_MODEL, ROLES
from agents.llm_roles import RULES, Wording
from agents.report import result_to_text
from agents.roles import Question
from agents.trace import Event, ignore
from agents.walk import Strategy, WalkSettings

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


@click.command()
@click.argument("question")
@click.option("--topic", default="", help="Where to start: the label or IRI of an entity. Chosen where left out.")
@click.option("--extra", default="", help="What else is known, e.g. 'It is angry.'")
@click.option("--caption", default="", help="What the picture or video of the question shows, in words.")
@click.option(
    "--image",
    "images",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=FilePath),
    help="A picture that the question is about, for a policy that sees (llm); may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Everything, for programs.")
@click.option("--verbose", is_flag=True, help="Say what the walk does, and print the generated SPARQL.")
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
    as_json: bool,
    verbose: bool,
    policy: str,
    settings: WalkSettings,
    models: ModelOptions,
) -> None:
    """Answer QUESTION by a walk over the graph, and show the route."""
    engine = app.engine(models)
    if images:
        _check_images(images, caption, sees=engine.policy(policy).sees, policy=policy)
    run_id, result = engine.ask(
        Question(question, topic, extra, caption, images),
        policy=policy,
        settings=settings,
        observe=_tell if verbose else ignore,
    )
    if as_json:
        click.echo(json.dumps(engine.runs.load(run_id), ensure_ascii=False, indent=1))
    else:
        click.echo(result_to_text(result, verbose=verbose))
        click.echo(f"Run {run_id}, kept in {app.home_dir / 'runs' / run_id}", err=True)


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


COMMANDS = (ask,)
