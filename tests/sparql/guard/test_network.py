"""No query, update or document opens a socket (field report B13): refused by its words, and by the kernel."""

import signal
import subprocess
import sys

import pytest

from sparql.errors import GuardError, Malformed, Refused
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import QueryRequest, UpdateRequest
from tests.sparql.guard.stage import Listener

REFUSED = {
    "plain": "SELECT * { SERVICE <$url> { ?s ?p ?o } }",
    "silent": "SELECT * { SERVICE SILENT <$url> { ?s ?p ?o } }",
    "small letters": "select * { service silent <$url> { ?s ?p ?o } }",
    "no space": "SELECT * {SERVICE<$url>{?s ?p ?o}}",
    "after a comment": "SELECT * { # SERVICE\nSERVICE # <http://example.org/>\n<$url> { ?s ?p ?o } }",
    "prefixed": "PREFIX x: <$url> SELECT * { SERVICE x: { ?s ?p ?o } }",
    "by a variable": "SELECT * { VALUES ?x { <$url> } SERVICE ?x { ?s ?p ?o } }",
    "bound": "SELECT * { BIND(<$url> AS ?x) SERVICE SILENT ?x { ?s ?p ?o } }",
    "after a comparison": "SELECT * { FILTER(1<2)SERVICE<$url>{ ?s ?p ?o } FILTER(2>1) }",
    "in an option": "SELECT * { OPTIONAL { SERVICE SILENT <$url> { ?s ?p ?o } } }",
    "in a subquery": "SELECT * { { SELECT * { SERVICE <$url> { ?s ?p ?o } } } }",
    "in EXISTS": "SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE <$url> { ?a ?b ?c } } }",
    "behind a quote in a comment": 'SELECT * { # "\nSERVICE <$url> { ?s ?p ?o } # "\n}',
    "behind a quote in a string": "SELECT * { FILTER('\"' != '') SERVICE <$url> { ?s ?p ?o } FILTER('\"' != '') }",
    "behind an escaped quote": r"""SELECT * { FILTER("\"" != '') SERVICE <$url> { ?s ?p ?o } FILTER("\"" != '') }""",
    "constructed": "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <$url> { ?s ?p ?o } }",
}
DISGUISED = {
    "after a number": "SELECT * { ?s ?p 1SERVICE SILENT <$url> { ?a ?b ?c } }",
    "after a boolean": "SELECT * { ?s ?p trueSERVICE SILENT <$url> { ?a ?b ?c } }",
    "after a decimal": "SELECT * { ?s ?p 1.5e3SERVICE SILENT <$url> { ?a ?b ?c } }",
    "before its word": "SELECT * { SERVICESILENT<$url> { ?a ?b ?c } }",
    "before a name": "PREFIX x: <$url> SELECT * { SERVICEx: { ?a ?b ?c } }",
    "before a variable": "SELECT * { VALUES ?x { <$url> } SERVICE?x { ?a ?b ?c } }",
    "after a brace": "SELECT * { { SELECT * { ?s ?p ?o } LIMIT 1}SERVICE<$url>{ ?a ?b ?c } }",
    "in what looks like an IRI": "SELECT * { FILTER(1<2)SERVICE?x{?a?b?c}FILTER(2>1) VALUES ?x { <$url> } }",
}
NOT_UNDERSTOOD = {
    "escaped": r"SELECT * { \u0053ERVICE <$url> { ?s ?p ?o } }",
    "an address that is escaped": r"SELECT * { \u0053ERV\u0049CE <\u0068ttp://127.0.0.1/> { ?s ?p ?o } }",
}
HARMLESS = {
    "in a string": 'SELECT * { FILTER("SERVICE <$url> { ?s ?p ?o }" = "") }',
    "in a long string": "SELECT * { FILTER('''\nSERVICE <$url> { '' }''' = '') }",
    "in a comment": "SELECT * { # SERVICE <$url> { ?s ?p ?o }\n}",
    "a variable": "SELECT ?service { ?service ?p ?o } LIMIT 1",
    "a prefix": "PREFIX service: <$url> SELECT * { ?s service:service ?o }",
    "in an IRI": "SELECT * { ?s <$url/SERVICE> ?o }",
    "in a longer word": "PREFIX x: <$url> SELECT * { ?s x:not-service.service ?o . ?s x:a%20SERVICE ?b }",
    "a blank node and a language": 'SELECT * { _:service ?p "SERVICE"@en-service }',
}
UPDATES = {
    "LOAD": "LOAD <$url>",
    "LOAD SILENT": "LOAD SILENT <$url>",
    "LOAD INTO": "load <$url> INTO GRAPH <http://example.org/g>",
    "LOAD of a file": "LOAD <file:///etc/passwd>",
    "LOAD after something else": "INSERT DATA { <a:s> <a:p> <a:o> } ; LOAD <$url>",
    "LOAD after a comment": "# harmless\nLOAD#\n<$url>",
    "SERVICE": "INSERT { ?s ?p ?o } WHERE { SERVICE SILENT <$url> { ?s ?p ?o } }",
    "SERVICE in USING": "DELETE { ?s ?p ?o } USING <a:g> WHERE { SERVICE <$url> { ?s ?p ?o } }",
}


def _sent(text: str, listener: Listener) -> str:
    return text.replace("$url", f"http://127.0.0.1:{listener.port}/")


@pytest.mark.parametrize("form", REFUSED)
def test_service_is_refused_and_no_socket_is_opened(pool: WorkerPool, listener: Listener, form: str) -> None:
    with pytest.raises(Refused, match="SERVICE"):
        pool.query(QueryRequest(_sent(REFUSED[form], listener)))
    assert listener.connections == 0


@pytest.mark.parametrize("form", DISGUISED)
def test_service_in_disguise_is_refused_by_someone(pool: WorkerPool, listener: Listener, form: str) -> None:
    with pytest.raises((Refused, Malformed)):
        pool.query(QueryRequest(_sent(DISGUISED[form], listener)))
    assert listener.connections == 0


@pytest.mark.parametrize("form", NOT_UNDERSTOOD)
def test_what_the_parser_does_not_take_for_service_opens_no_socket(
    pool: WorkerPool, listener: Listener, form: str
) -> None:
    with pytest.raises(Malformed):
        pool.query(QueryRequest(_sent(NOT_UNDERSTOOD[form], listener)))
    assert listener.connections == 0


@pytest.mark.parametrize("form", HARMLESS)
def test_the_word_alone_is_not_refused(pool: WorkerPool, listener: Listener, form: str) -> None:
    assert pool.query(QueryRequest(_sent(HARMLESS[form], listener))).form == "SELECT"
    assert listener.connections == 0


@pytest.mark.parametrize("form", UPDATES)
def test_updates_reach_nothing_either(own_pool: WorkerPool, listener: Listener, form: str) -> None:
    with pytest.raises(Refused):
        own_pool.update(UpdateRequest(_sent(UPDATES[form], listener)))
    assert listener.connections == 0
    assert own_pool.query(QueryRequest("ASK { <a:s> ?p ?o }")).body == b'{"head":{},"boolean":false}'


@pytest.mark.parametrize(
    ("media_type", "document"),
    [
        ("application/ld+json", b'{"@context": "$url", "@id": "a:b", "name": "c"}'),
        ("application/ld+json", b'{"@context": {"@import": "$url"}, "@id": "a:b", "name": "c"}'),
        (
            "application/rdf+xml",
            b'<!DOCTYPE a [<!ENTITY b SYSTEM "$url">]><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            b'<r:Description r:about="a:b"><r:value>&b;</r:value></r:Description></r:RDF>',
        ),
        (
            "application/rdf+xml",
            b'<!DOCTYPE a SYSTEM "$url"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
        ),
    ],
)
def test_a_document_cannot_fetch_its_parts(
    pool: WorkerPool, listener: Listener, media_type: str, document: bytes
) -> None:
    sent = document.replace(b"$url", f"http://127.0.0.1:{listener.port}/".encode())
    try:
        assert pool.parse(sent, media_type, base_iri="http://example.org/") == b""
    except GuardError as error:
        assert isinstance(error, Refused | Malformed)
    assert listener.connections == 0


TRIES = {
    "SERVICE SILENT": "ox.Store().query('SELECT * { SERVICE SILENT <http://127.0.0.1:PORT/> { ?s ?p ?o } }')",
    "SERVICE at a name": "ox.Store().query('SELECT * { SERVICE SILENT <http://example.org/> { ?s ?p ?o } }')",
    "LOAD SILENT": "ox.Store().update('LOAD SILENT <http://127.0.0.1:PORT/>')",
    "socket": "socket.socket()",
    "socketpair": "socket.socketpair()",
    "a name to look up": "socket.getaddrinfo(b'example.org', 80)",
    "connect": "ready.connect(('127.0.0.1', PORT))",
    "sendto": "ready.sendto(b'x', ('127.0.0.1', PORT))",
    "bind": "ready.bind(('127.0.0.1', 0))",
    "listen": "ready.listen()",
    "accept": "ready.accept()",
}
PROGRAM = """
import socket, sys
import pyoxigraph as ox
from sparql.guard.confinement import confine, limit
ready = socket.socket(socket.AF_INET, socket.SOCK_{kind})
limit("{role}", memory_bytes=1 << 30)
confine("{role}")
{attempt}
"""


@pytest.mark.parametrize("role", ["memory", "disk", "writer"])
@pytest.mark.parametrize("attempt", TRIES)
def test_the_kernel_kills_who_asks_for_the_network(listener: Listener, role: str, attempt: str) -> None:
    code = TRIES[attempt].replace("PORT", str(listener.port))
    kind = "DGRAM" if attempt == "sendto" else "STREAM"
    program = PROGRAM.format(role=role, attempt=code, kind=kind)
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, timeout=20)
    assert done.returncode == -signal.SIGSYS, done.stderr
    assert listener.connections == 0


FORBIDDEN = {
    "a new program": "os.execv('/bin/true', ['true'])",
    "a new process": "os.fork()",
    "a process by posix_spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "a signal to its parent": "os.kill(os.getppid(), 0)",
    "a look into another process": "libc.ptrace(16, os.getppid(), 0, 0) == 0 or fail()",
    "reading another process": "libc.process_vm_readv(os.getppid(), None, 0, None, 0, 0) == 0 or fail()",
    "io_uring": "libc.syscall(425, 1, None) >= 0 or fail()",
    "a handle on another process": "os.pidfd_open(os.getppid())",
    "a new namespace": "libc.unshare(0x10000000) == 0 or fail()",
}
FILES = {
    "writing a file": "open('/tmp/written-by-a-worker', 'w')",
    "appending to a file": "os.open('/dev/null', os.O_RDONLY | os.O_APPEND)",
    "removing a file": "os.unlink('/tmp/written-by-a-worker')",
    "renaming a file": "os.rename('/tmp/a', '/tmp/b')",
    "a directory": "os.mkdir('/tmp/made-by-a-worker')",
    "a signal to itself": "os.kill(os.getpid(), 0)",
}
READING = {"reading a file": "open('/etc/passwd')", "listing a directory": "os.listdir('/')"}
CASES = [
    *((role, name, code) for role in ("memory", "disk", "writer") for name, code in FORBIDDEN.items()),
    *((role, name, code) for role in ("memory", "disk") for name, code in FILES.items()),
    *(("memory", name, code) for name, code in READING.items()),
]


@pytest.mark.parametrize(("role", "name", "code"), CASES, ids=[f"{role}-{name}" for role, name, _ in CASES])
def test_the_kernel_refuses_the_rest(role: str, name: str, code: str) -> None:
    program = f"""
import ctypes, os
from sparql.guard.confinement import confine
libc = ctypes.CDLL(None, use_errno=True)
def fail(): raise OSError(ctypes.get_errno(), "refused")
confine("{role}")
try:
    {code}
except OSError as error:
    os._exit(error.errno)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, timeout=20)
    assert done.returncode == 1, (done.returncode, done.stderr)  # EPERM
