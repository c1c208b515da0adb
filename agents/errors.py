"""What can go wrong when agents walk.

AgentError
├── NoQuestion          nothing is asked
├── NoTopic             no entity can root the walk
├── NothingFits         no route has anything to do with the question; the walk catches it and says so
├── WalkStopped         a walk was stopped before it had a topic to start from
├── RunNotFound         there is no run of that id
├── PicturesFull        the pictures of questions take all the room that there is for them
├── SettingsError       a policy was put together wrongly (a role without a model, a rule that is not known)
├── DomainError         a domain file cannot be read
├── PromptError         a prompt and the variables given for it do not fit
├── MediaUnreadable     an image that a model was to see cannot be read
└── ChatError           a model did not answer
    ├── MissingKey          the endpoint wants a key and the environment has none
    ├── ModelsMissing       a local model was asked for and torch or transformers is not installed
    ├── ModelUnreadable     a local model cannot be loaded
    ├── EndpointUnreachable  nothing answers at the address
    ├── EndpointRefused     the endpoint turned the request down (key, model name, parameters): asking again is no use
    ├── EndpointFailed      the endpoint kept failing (busy, broken, slow) until the attempts were spent
    └── UnusableAnswer      the model answered with nothing that can be used
        ├── EmptyAnswer         no text, however often it was asked
        └── AnswerCutOff        the token limit was reached before any text came

The roles of the LLM policy catch UnusableAnswer and report it in their calls; every other ChatError ends the walk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.chat import Reply


class AgentError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class NoQuestion(AgentError):
    """Nothing is asked."""


class NoTopic(AgentError):
    """No entity can root the walk."""


class NothingFits(AgentError):
    """No route has anything to do with the question; the text says why."""


class WalkStopped(AgentError):
    """A walk was stopped before it had a topic to start from: there is nothing to give back."""


class RunNotFound(AgentError):
    """There is no run of that id."""


class PicturesFull(AgentError):
    """The pictures of questions take all the room that there is for them."""


class SettingsError(AgentError):
    """A policy was put together wrongly."""


class DomainError(AgentError):
    """A domain file cannot be read."""


class PromptError(AgentError):
    """A prompt and the variables given for it do not fit."""


class MediaUnreadable(AgentError):
    """An image that a model was to see cannot be read."""


class ChatError(AgentError):
    """A model did not answer."""


class MissingKey(ChatError):
    """The endpoint wants a key and the environment has none."""


class ModelsMissing(ChatError):
    """A local model was asked for and torch or transformers is not installed."""


class ModelUnreadable(ChatError):
    """A local model cannot be loaded."""


class EndpointUnreachable(ChatError):
    """Nothing answers at the address."""


class EndpointRefused(ChatError):
    """The endpoint turned the request down: asking again is no use. ``status`` is the HTTP status."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class EndpointFailed(ChatError):
    """The endpoint kept failing until the attempts were spent."""


class UnusableAnswer(ChatError):
    """The model answered with nothing that can be used. ``reply`` is what it cost, where known."""

    def __init__(self, message: str, *, reply: Reply | None = None) -> None:
        super().__init__(message)
        self.reply = reply


class EmptyAnswer(UnusableAnswer):
    """No text, however often it was asked."""


class AnswerCutOff(UnusableAnswer):
    """The token limit was reached before any text came."""
