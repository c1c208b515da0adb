"""What the prompts say of a domain: who the model is, what to look for in pictures, which classes the rules are about.

It comes with a data set, as a TOML file; nothing in the code knows any domain.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from agents.errors import DomainError


@dataclass(frozen=True, slots=True)
class DomainClass:
    """A class that a rule is about: its IRI, and what the prompts call one of its members."""

    iri: ox.NamedNode
    label: str


@dataclass(frozen=True, slots=True)
class Domain:
    """``preferred_class``: neighbours that are mostly what is sought. ``single_choice_class``: neighbours that exclude
    each other. A rule without its class does not apply.
    """

    persona: str = "You are a careful expert on the subject of the question."
    look_for: str = "who or what is there, what it does and how it moves, the surroundings and anything unusual"
    preferred_class: DomainClass | None = None
    single_choice_class: DomainClass | None = None


def load_domain(path: Path) -> Domain:
    """The domain that a TOML file describes. Raises DomainError with the file's name."""
    try:
        return parse_domain(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DomainError(f"cannot read domain file {path}: {error.strerror or error}") from error
    except (DomainError, UnicodeDecodeError) as error:
        raise DomainError(f"domain file {path}: {error}") from error


def parse_domain(text: str) -> Domain:
    """The domain that TOML text describes; keys left out keep their defaults. Raises DomainError.

    >>> parse_domain('persona = "You keep bees."').persona
    'You keep bees.'
    """
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DomainError(f"not TOML: {error}") from error
    unknown = sorted(set(said) - set(Domain.__dataclass_fields__))
    if unknown:
        raise DomainError(f"unknown key {unknown[0]!r}: the keys are {', '.join(Domain.__dataclass_fields__)}")
    default = Domain()
    return Domain(
        persona=_text(said.get("persona", default.persona), "persona"),
        look_for=_text(said.get("look_for", default.look_for), "look_for"),
        preferred_class=_class(said, "preferred_class"),
        single_choice_class=_class(said, "single_choice_class"),
    )


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DomainError(f"{key} has to be text")
    return " ".join(value.split())


def _class(said: dict[str, object], key: str) -> DomainClass | None:
    table = said.get(key)
    if table is None:
        return None
    if not isinstance(table, dict) or set(table) != {"iri", "label"}:
        raise DomainError(f"[{key}] has to have iri and label, and nothing else")
    try:
        iri = ox.NamedNode(_text(table["iri"], f"{key}.iri"))
    except ValueError as error:
        raise DomainError(f"{key}.iri is no IRI: {error}") from error
    return DomainClass(iri, _text(table["label"], f"{key}.label"))
