"""From a filled-in form to a run under way: what is checked before a walk begins, for the page and the API alike."""

from collections.abc import Sequence
from dataclasses import replace

from agents.engine import Engine
from agents.errors import AgentError, NoTopic
from agents.roles import Policy
from agents.started import Picture, StartedRun
from agents.topic import resolve_topic
from kg.errors import GraphError
from retrieval.errors import RetrievalError
from web.ask.forms import AskForm
from web.ask.walks import Walks
from web.errors import BadForm
from web.site import View

PAGE_WAIT_S = 0.4
"""How long an asker's page waits for the walk: those that are over by then are shown whole at once."""


def start(
    view: View, form: AskForm, walks: Walks, *, pictures: Sequence[Picture] = (), wait_s: float = PAGE_WAIT_S
) -> str:
    """
    Begin the run that ``form`` asks for, over the graph of ``view``; returns its id.

    Raises BadForm, agents.errors.AgentError (NoTopic, NoQuestion, a policy that cannot be had), sparql.errors.Busy,
    kg.errors.StoreError, retrieval.errors.RetrievalError; then nothing is kept.
    """
    engine = view.engine
    form = replace(form, policy=form.policy or engine.policies[0])
    form.check(policies=engine.policies, missing=engine.missing)
    _check_topic(view, form)
    player = engine.policy(form.policy)
    if pictures and not form.caption and not player.sees:
        raise BadForm(
            "caption",
            f"The {form.policy} policy cannot see pictures: say here what they show, or choose a policy that sees.",
        )

    def begin() -> StartedRun:
        return engine.begin(
            form.to_question(), policy=form.policy, settings=form.to_settings(), pictures=tuple(pictures)
        )

    return walks.start(begin, wait_s=wait_s)


def players_of(view: View) -> dict[str, Policy | str]:
    """The policy of each name that can be chosen, or why it cannot be had at this moment."""
    return {name: _player(view.engine, name) for name in view.engine.policies}


def models_of(player: Policy) -> list[str]:
    """The models that play the roles, in words: one name where one plays all."""
    played = {
        name.removeprefix("model."): model for name, model in player.settings.items() if name.startswith("model.")
    }
    if len(set(played.values())) <= 1:
        return sorted(set(played.values()))
    return [f"{model} ({role.replace('_', ' ')})" for role, model in played.items()]


def _player(engine: Engine, name: str) -> Policy | str:
    try:
        return engine.policy(name)
    except (AgentError, GraphError, RetrievalError) as error:
        return str(error)


def _check_topic(view: View, form: AskForm) -> None:
    if form.topic:
        resolve_topic(view.engine.store, form.topic)
    elif not view.about.topics:
        raise NoTopic("this graph declares no topic entities: name the entity to start from")
