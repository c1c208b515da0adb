"""What a stranger may send to any address: values, headers, bodies that mean harm or nonsense; and what is no answer.

``MARK`` stands in every text that holds markup, so that it is found again wherever it comes back raw.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.web.markup import Page
from web.protection import HEADERS

MARK = "<zq onload=x>"
VALUES = (
    MARK,
    f"\"'>{MARK}",
    f"</script></title></textarea>{MARK}",
    f"javascript:alert(1)//{MARK}",
    f"http://example.org/{MARK}",
    f"https://w3id.org/scoutfly/mhw/id/{MARK}",
    "http://example.org/top",
    "https://w3id.org/scoutfly/ns#Entity",
    "mhw",
    "bundled-mhw",
    "turtle",
    "data:text/html,<script>alert(1)</script>",
    "{{ 7 * 7 }}${7*7}#{7*7}%s%n{0}",
    "../../../../etc/passwd",
    "..%2f..%2fetc/passwd",
    "/etc/passwd",
    "C:\\windows\\win.ini",
    "\\\\host\\share",
    ".",
    "..",
    "",
    " ",
    "a/b//c",
    "x" * 3000,
    "\x00",
    "a\x00.ttl",
    "a\r\nX-Injected: yes",
    "\x1b[31m\x7f\x85",
    "\u202e\u2066\ufeff\ufffe",
    "\U0001f409\u0301" * 20,
    "\u0661\u0662",
    "%",
    "%zz",
    "%ff%fe",
    "%ed%a0%80",
    "+",
    "-1",
    "0",
    "1e309",
    "NaN",
    "9" * 400,
    "true",
    "null",
    "[]",
    '{"a": {"b": []}}',
    "SELECT * { ?s ?p ?o } LIMIT 1",
    f"SELECT ('{MARK}' AS ?x) {{}}",
    f"SELECT {MARK} WHERE",
    "ASK { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
    "DROP ALL",
    "' OR 1=1 --",
    "*",
    "a:b:c",
    "@en",
    "_:b0",
    "urn:x",
    "<>",
    "http://[",
    "http://example.org/ space",
    "#",
    "?",
    "20260101T000000Z-00000000",
)
PARAMETERS = (
    "q", "query", "iri", "page", "sort", "class", "topic", "phase", "condition", "media", "format", "run", "example",
    "limit", "offset", "lang", "relation", "graph", "default", "default-graph-uri", "named-graph-uri", "update",
    "using-graph-uri", "depth", "question", "policy", "source", "after", "v", "size", "q[]", "", "constructor",
    "type", "direction", "used", "state",
)  # fmt: skip
HEADER_VALUES = {
    "Accept": ("text/html", "application/json", "text/turtle;q=0.3, */*;q=0.1", "text/csv"),
    "accept": ("q=;;,,=", "text/html;q=nan", "\xff\xfe", "*" * 2000, MARK),
    "Accept-Language": ("de", "en;q=x", "\xff", MARK, "-", "x" * 500),
    "Accept-Encoding": ("gzip", "*;q=0", "\xff"),
    "Range": ("bytes=0-", "bytes=-1", "bytes=9-1", "bytes=0-0,2-2,4-", "lines=1", "bytes=" + "9" * 100 + "-"),
    "If-None-Match": ("*", '"x"', "W/", MARK),
    "If-Match": ("*", '"x"'),
    "If-Modified-Since": ("yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 99 Jan 99999 99:99:99 GMT"),
    "Authorization": ("Bearer", "Bearer \xff", "Basic Og==", "Basic !!", "Digest x", MARK),
    "Cookie": ("a=b", "=;;=", "\xff=\xff", f"session={MARK}"),
    "Origin": ("null", "http://[", "https://evil.example", MARK),
    "Sec-Fetch-Site": ("cross-site", "none", MARK),
    "Referer": (MARK, "javascript:alert(1)", "http://[" ),
    "Last-Event-ID": ("-1", "9" * 400, MARK, "x"),
    "X-Forwarded-For": ("192.0.2.1", MARK, "::"),
    "X-Forwarded-Host": ("evil.example", MARK),
    "X-Forwarded-Prefix": ("/evil", f"/{MARK}"),
    "Forwarded": ("for=192.0.2.1;host=evil.example",),
    "X-HTTP-Method-Override": ("DELETE",),
    "Content-Encoding": ("gzip", MARK),
    "Slug": (MARK,),
}  # fmt: skip
_PART = b"--x\r\nContent-Disposition: form-data; name="
BODIES: tuple[tuple[str, bytes], ...] = (
    ("", b""),
    ("", b"\x00\xff"),
    ("application/json", b""),
    ("application/json", b"{"),
    ("application/json", b"[" * 50_000),
    ("application/json", b'{"question": "\\ud800", "iri": "\\u0000"}'),
    ("application/json", f'{{"question": "{MARK}", "topic": "{MARK}", "policy": "{MARK}"}}'.encode()),
    ("application/json", b'{"question": "Why?", "paths": 1e400}'),
    ("application/json; charset=utf-16", b"\xff\xfe{\x00}\x00"),
    ("application/json", b"null"),
    ("application/x-www-form-urlencoded", b"query=%ff&query=&=&&question=%00&%zz"),
    ("application/x-www-form-urlencoded", f"query={quote(MARK)}&question={quote(MARK)}&topic={quote(MARK)}".encode()),
    ("application/x-www-form-urlencoded", b"update=DROP+ALL"),
    ("application/x-www-form-urlencoded", b"&".join(b"a=1" for _ in range(3000))),
    ("multipart/form-data", b"--x"),
    ("multipart/form-data; boundary=x", _PART + b'"file"; filename="../../x"\r\n\r\nq\r\n--x--\r\n'),
    ("multipart/form-data; boundary=x", _PART + b'"question"\r\n\r\n\xff\xfe\r\n--x'),
    ("application/sparql-query", b"SELECT * { ?s ?p"),
    ("application/sparql-query", b"\xff\xfe"),
    ("application/sparql-update", b"LOAD <file:///etc/passwd>"),
    ("text/turtle", f"<a> <b> '{MARK}".encode()),
    ("text/turtle", b"\xff"),
    ("application/rdf+xml", b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rdf:RDF>&b;</rdf:RDF>'),
    ("application/ld+json", b'{"@context": "http://127.0.0.1:1/context"}'),
    ("application/zip", b"PK\x03\x04nonsense"),
    ("text/plain; charset=nonsense", b"x"),
    ("/;;=", b"x"),
)  # fmt: skip
_FAILURES = {500, 504, 505}


@dataclass(frozen=True, slots=True)
class Attack:
    """One request."""

    method: str
    address: str
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = ""
    body: bytes = b""


def attacks_on(rule: Rule, *, each: int, chance: random.Random, right: Mapping[str, Sequence[str]]) -> Iterator[Attack]:
    """
    ``each`` requests for every method of a rule, made of the values above.

    ``right`` are values that the site knows, by the names of parameters: mixed in, so that what lies behind them is
    reached too.
    """
    for method in [*sorted((rule.methods or set()) - {"HEAD"}), "PATCH"]:
        for number in range(each if method in {"GET", "POST", "PUT"} else 3):
            known = right if chance.random() < 0.6 else {}
            address = _filled(str(rule), chance, known)
            if number:
                address += "?" + _query(chance, known)
            kind, body = chance.choice(BODIES) if method in {"POST", "PUT", "PATCH", "DELETE"} else ("", b"")
            yield Attack(method, address, dict(_headers(chance)), kind, body)


def faults_of(response: TestResponse, *, told: Sequence[str] = ()) -> list[str]:
    """What is wrong with an answer: a failure, a header that is missing, raw markup of a stranger, a traceback."""
    faults = [f"status {response.status_code}"] if response.status_code in _FAILURES else []
    faults += [f"without {name}" for name in HEADERS if name not in response.headers]
    place = response.headers.get("Location", "/")
    faults += [f"leads to {place}"] if not _is_own(place) else []
    faults += ["a header was put in"] if "X-Injected" in response.headers else []
    if response.mimetype == "text/event-stream":
        return faults  # it ends when its run does
    text = response.get_data().decode("utf-8", "replace")
    faults += ["a traceback"] if "Traceback (most recent" in text else []
    faults += [f"tells {secret}" for secret in told if secret in text]
    if response.mimetype in {"text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "application/xml"}:
        faults += ["raw markup of a stranger"] if MARK in text else []
    if response.mimetype == "text/html":
        faults += _faults_of_page(Page(text))
    return faults


def _faults_of_page(page: Page) -> Iterator[str]:
    for name, attributes in page.tags:
        for attribute, value in attributes.items():
            if attribute.startswith("on") or attribute in {"style", "srcdoc"}:
                yield f"<{name} {attribute}>"
            if attribute in {"href", "src", "action", "formaction", "poster", "data"} and not _is_safe(value):
                yield f"<{name} {attribute}={value[:80]!r}>"
        if name == "script" and not attributes.get("src", "").startswith("/static/"):
            yield "a script in the page"
        if name in {"iframe", "object", "embed", "base"} or (name == "meta" and "http-equiv" in attributes):
            yield f"<{name}>"


def _is_own(place: str) -> bool:
    return (place.startswith("/") and not place.startswith(("//", "/\\"))) or place.startswith("http://localhost/")


def _is_safe(address: str) -> bool:
    lowered = address.strip().lower()
    ours = lowered.startswith(("/", "#", "?")) and not lowered.startswith("//")
    return not lowered or ours or lowered.startswith(("http://", "https://", "data:image/"))


def _filled(rule: str, chance: random.Random, known: Mapping[str, Sequence[str]]) -> str:
    """The rule with a value for each of its parameters, most of them a stranger's."""

    def value(match: re.Match[str]) -> str:
        name = match[0].strip("<>").rpartition(":")[2]
        return quote(chance.choice(known.get(name) or VALUES), safe="%/") or "x"

    return re.sub(r"<[^>]+>", value, rule)


def _query(chance: random.Random, known: Mapping[str, Sequence[str]]) -> str:
    names = [name for name in known if name in PARAMETERS]
    pairs = [
        (name, chance.choice(known[name])) for name in chance.sample(names, min(len(names), chance.choice((1, 3))))
    ]
    pairs += [(chance.choice(PARAMETERS), chance.choice(VALUES)) for _ in range(chance.choice((0, 1, 1, 2, 8)))]
    return "&".join(f"{quote(name)}={quote(value, safe='%')}" for name, value in pairs)


def _headers(chance: random.Random) -> Iterator[tuple[str, str]]:
    for name in chance.sample(sorted(HEADER_VALUES), chance.choice((0, 0, 1, 2, 4))):
        yield name, chance.choice(HEADER_VALUES[name])
