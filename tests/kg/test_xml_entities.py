"""What passes the check of XML entities cannot grow beyond its bound in the real parser, however it is hidden."""

import io
import random
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner

import scoutfly
from kg.errors import ImportFailed
from kg.rdf_files import RdfFile
from kg.xml_entities import LEAST_EXPANSION_BYTES, MOST_EXPANSION, refuse_entity_bombs

HEAD = '<?xml version="1.0"?>\n'
OPEN = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="urn:p:">'
LEVELS = 5
DECLARED = '<!ENTITY l0 "%s">' % ("A" * 40) + "".join(
    f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, LEVELS)
)
BOMB = f"<!DOCTYPE r [{DECLARED}]>"
USE = f"&l{LEVELS - 1};"
SHORT = "<!DOCTYPE rdf:RDF [<!ENTITY a 'x'>]>".replace("'", '"')


def body(text: str, before: str = "") -> str:
    return f'{OPEN}{before}<rdf:Description rdf:about="urn:x"><p:p>{text}</p:p></rdf:Description></rdf:RDF>'


BOMBS = {
    "plain": BOMB + body(USE),
    "lower case": BOMB.replace("DOCTYPE", "doctype") + body(USE),
    "behind an undeclared parameter": BOMB.replace("[", "[ %x; ") + body(USE),
    "behind a declared parameter": BOMB.replace("[", '[ <!ENTITY % x ""> %x; ') + body(USE),
    "as parameters": BOMB.replace("<!ENTITY ", "<!ENTITY % ") + body(USE),
    "after the root's start tag": body(USE, BOMB),
    "in the text": body(BOMB + USE),
    "after an empty one": "<!DOCTYPE r []>" + BOMB + body(USE),
    "after a harmless one": SHORT + body(USE, BOMB),
    "in a comment of the DTD": f"<!DOCTYPE r [<!-- {DECLARED} -->]>" + body(USE),
    "in the name of a file": f"<!DOCTYPE r SYSTEM '{DECLARED}'>" + body(USE),
    "behind an open <": "<!DOCTYPE r [<!ENTITY a '<'>]>" + body(f"<![CDATA[{DECLARED}>>>>]]>{USE}"),
    "behind a comment's <": "<!DOCTYPE r [<!-- < -->]>" + body(f"<![CDATA[{DECLARED}]]>> {USE}"),
    "after a comment that is none": f"<!--> {BOMB} <!-- -->" + body(USE),
    "with an odd space": BOMB.replace("ENTITY ", "ENTITY\u00a0") + body(USE),
    "with character references": "<!DOCTYPE r [<!ENTITY a '&#38;b;'>]>" + body("&a;"),
    "another file": '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + body("&a;"),
    "long": f'<!DOCTYPE r [<!ENTITY a "{"A" * 2000}">]>' + body("&a;"),
    "many references": f'<!DOCTYPE r [<!ENTITY a "{"A" * 1000}">]>' + body("&a;" * 5000),
    "unclosed": f"<!DOCTYPE r [{DECLARED}",
}
NAMESPACES = """<!DOCTYPE rdf:RDF [
    <!ENTITY owl "http://www.w3.org/2002/07/owl#" >
    <!ENTITY xsd 'http://www.w3.org/2001/XMLSchema#' >
]>"""
HONEST = {
    "nothing": body("text"),
    "a namespace": NAMESPACES.replace("'", '"') + body("&owl;Class"),
    "used often": NAMESPACES.replace("'", '"') + body("&owl;" * 50_000),
    "in a comment": f"<!-- {BOMB.replace('--', '')} -->" + body("text"),
    "in a comment behind the root": body("text", f"<!-- {BOMB} -->"),
    "in CDATA": body(f"<![CDATA[{BOMB}]]>"),
    "in CDATA beside one": NAMESPACES.replace("'", '"') + body(f"<![CDATA[{BOMB}]]>").replace("urn:x", "&owl;x"),
    "of a file": '<!DOCTYPE rdf:RDF PUBLIC "-//DUBLIN CORE//DCMES DTD" "http://dublincore.org/a%20b.dtd">' + body("x"),
}


def check(document: bytes) -> None:
    refuse_entity_bombs(lambda: io.BytesIO(document), "the document")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_wherever_it_hides(name: str, encoding: str) -> None:
    head = HEAD if encoding != "utf-16-be" else "\ufeff" + HEAD
    with pytest.raises(ImportFailed):
        check((head + BOMBS[name]).encode(encoding))


@pytest.mark.parametrize("name", HONEST)
def test_what_is_honest_passes_and_is_read_within_the_bound(name: str) -> None:
    document = (HEAD + HONEST[name]).encode()
    check(document)
    quads = list(ox.parse(document, ox.RdfFormat.RDF_XML, base_iri="urn:b"))
    grown = sum(len(str(quad)) for quad in quads)
    assert len(quads) == 1
    assert grown <= max(LEAST_EXPANSION_BYTES, MOST_EXPANSION * len(document)) + len(document)


@pytest.mark.parametrize("name", HONEST)
def test_honest_documents_in_utf_16_are_left_to_the_parser(name: str) -> None:
    check((HEAD + HONEST[name]).encode("utf-16"))


def test_the_parser_would_have_been_caught() -> None:
    """Otherwise the bombs of this file prove nothing."""
    grown = {}
    for name, text in BOMBS.items():
        try:
            quads = list(ox.parse((HEAD + text).encode(), ox.RdfFormat.RDF_XML, base_iri="urn:b"))
        except (SyntaxError, ValueError):
            continue
        grown[name] = sum(len(str(quad)) for quad in quads) / len(text)
    assert {name for name, times in grown.items() if times > MOST_EXPANSION} >= {
        "plain",
        "behind an undeclared parameter",
        "after the root's start tag",
        "in a comment of the DTD",
        "in the name of a file",
        "many references",
    }


@pytest.mark.parametrize("seed", range(200))
def test_pieces_put_together_at_random_never_grow_beyond_the_bound(seed: int) -> None:
    pieces = ["<!DOCTYPE r [", "]>", "<!--", "-->", "<![CDATA[", "]]>", DECLARED, OPEN, USE, "%x;", "<", ">", '"', "'"]
    pieces += ["<?x", "?>", "<p:q>", "</p:q>", "</rdf:RDF>", SHORT, BOMB, body(USE), "SYSTEM '", "<a b='"]
    chosen = random.Random(seed)
    for _ in range(50):
        text = HEAD + "".join(chosen.choice(pieces) for _ in range(chosen.randint(1, 9))) + body(USE)
        try:
            check(text.encode())
        except ImportFailed:
            continue
        try:
            quads = list(ox.parse(text.encode(), ox.RdfFormat.RDF_XML, base_iri="urn:b"))
        except (SyntaxError, ValueError):
            continue
        assert sum(len(str(quad)) for quad in quads) <= 2 * len(text) + 1000, text


@pytest.mark.parametrize("name", ["behind an undeclared parameter", "after the root's start tag"])
def test_a_file_with_one_is_refused_and_the_command_says_so(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bomb.rdf"
    path.write_text(HEAD + BOMBS[name])
    with pytest.raises(ImportFailed):
        RdfFile(path)
    result = CliRunner().invoke(scoutfly.main, ["--home", str(tmp_path / "home"), "import", str(path)])
    assert result.exit_code != 0
    assert "bomb.rdf" in result.output
