"""The policy that language models play: puts the roles together with their models, prompts and settings."""

from collections.abc import Mapping, Sequence
from typing import get_args

from agents.asking import Asker, Sampling
from agents.chat import ChatModel
from agents.domain import Domain
from agents.errors import SettingsError
from agents.llm_roles import (
    RULES,
    LlmExpander,
    LlmPerceiver,
    LlmSummarizer,
    LlmTopicSelector,
    LlmValidator,
    MediaFiles,
    Wording,
)
from agents.prompts import load_prompt
from agents.roles import Policy, Question, ScoredPath

ROLES = ("perceiver", "topic_selector", "expander", "validator", "summarizer")
DEFAULT_MODEL = "default"


class FirstPaths:
    """The selector of the paper: the first paths in the order in which the walk found them."""

    def select_paths(self, question: Question, paths: Sequence[ScoredPath], limit: int) -> list[ScoredPath]:
        """See :class:`agents.roles.Selector`."""
        del question
        return list(paths[:limit])


def build_llm_policy(
    models: Mapping[str, ChatModel],
    domain: Domain,
    *,
    rules: Sequence[str] = RULES,
    wording: Wording = "sufficient",
    media_files: MediaFiles | None = None,
    summarizer_sees: bool = False,
    sampling: Sampling | None = None,
) -> Policy:
    """The policy in which each role is played by ``models[role]``, or by ``models["default"]``.

    ``rules`` are the expander's rules in force (of RULES); ``media_files`` turns on the validator's online captions.
    Raises SettingsError for a role without a model, an unknown role, rule or wording.
    """
    _check(models, rules, wording)
    asker = {
        role: Asker(role, models.get(role) or models[DEFAULT_MODEL], load_prompt(role), sampling or Sampling())
        for role in ROLES
    }
    settings = {"rules": " ".join(rules), "wording": wording, "captions": "online" if media_files else "from the graph"}
    settings |= {f"model.{role}": asker[role].model.identity for role in ROLES}
    settings |= {f"prompt.{role}": asker[role].prompt.sha256 for role in ROLES}
    return Policy(
        name="llm",
        perceiver=LlmPerceiver(asker["perceiver"], domain),
        topic_selector=LlmTopicSelector(asker["topic_selector"], domain),
        expander=LlmExpander(asker["expander"], domain, tuple(rules)),
        validator=LlmValidator(asker["validator"], domain, wording, media_files),
        selector=FirstPaths(),
        summarizer=LlmSummarizer(asker["summarizer"], domain, summarizer_sees),
        settings=settings,
        sees=True,
    )


def _check(models: Mapping[str, ChatModel], rules: Sequence[str], wording: str) -> None:
    unknown = sorted(set(models) - {*ROLES, DEFAULT_MODEL})
    if unknown:
        raise SettingsError(f"no role is called {unknown[0]!r}: the roles are {', '.join(ROLES)}")
    unplayed = [role for role in ROLES if role not in models]
    if unplayed and DEFAULT_MODEL not in models:
        raise SettingsError(f"no model plays the {unplayed[0]}: name one for it, or a model for all roles")
    strange = sorted(set(rules) - set(RULES))
    if strange:
        raise SettingsError(f"no rule is called {strange[0]!r}: the rules are {', '.join(RULES)}")
    if wording not in get_args(Wording):
        raise SettingsError(f"no wording is called {wording!r}: there are {' and '.join(get_args(Wording))}")
