"""Domain files."""

from pathlib import Path

import pytest

from agents.domain import Domain, load_domain, parse_domain
from agents.errors import DomainError
from ontology import terms

BUNDLED = Path(__file__).parents[2] / "kg" / "mhw" / "domain.toml"


def test_the_bundled_domain_names_classes_of_its_ontology() -> None:
    domain = load_domain(BUNDLED)
    assert domain.preferred_class is not None
    assert domain.single_choice_class is not None
    assert domain.preferred_class.iri.value == terms.MHW_NS + "AttackAction"
    assert domain.single_choice_class.iri.value == terms.MHW_NS + "AttackPhase"
    assert "Monster Hunter: World" in domain.persona
    assert "\n" not in domain.persona


def test_what_a_file_leaves_out_keeps_its_default() -> None:
    assert parse_domain("") == Domain()
    assert parse_domain('look_for = "the hive"').persona == Domain().persona


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("persona = ", "not TOML"),
        ('personna = "x"', "unknown key 'personna'"),
        ("persona = 3", "persona has to be text"),
        ('preferred_class = "x"', r"\[preferred_class\] has to have iri and label"),
        ('[preferred_class]\niri = "http://example.org/A"', "has to have iri and label"),
        ('[preferred_class]\niri = "not an iri"\nlabel = "a"', "iri is no IRI"),
    ],
)
def test_a_bad_file_says_what_is_wrong(text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "domain.toml"
    file.write_text(text)
    with pytest.raises(DomainError, match=reason) as raised:
        load_domain(file)
    assert str(file) in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"nowhere\.toml"):
        load_domain(tmp_path / "nowhere.toml")
