"""The download page, the files and the citations: what each address answers."""

from base64 import b64encode
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, make_response, render_template, request, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from kg.exporting import FORMATS
from kg.metadata import DATASET
from ontology import terms
from web.download.citing import STYLES, Cited, of_dataset, of_graph
from web.download.datasets import DataSet, find_dataset, read_datasets
from web.download.files import Files, Made
from web.download.wanted import TITLES, Wanted
from web.errors import NotHeld, Preparing
from web.problems import sentence
from web.site import Site

_RETRY_S = 10
_MAX_IRI = 2000
_CHECKSUM = ".sha256"
_ELSEWHERE = (
    "The graph lies behind a SPARQL endpoint elsewhere, and there are no files of it here. Ask that endpoint with a "
    "CONSTRUCT query, or whoever runs it for a dump."
)


_PRIVATE = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test")
"""The ends of names that mean something in one network only (RFC 6761, RFC 6762, RFC 8375)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One format in the table of a part: the file and the packed file, each with what is known of it."""

    title: str
    plain: Wanted
    packed: Wanted
    plain_made: Made | None
    packed_made: Made | None


def download_blueprint(site: Site) -> Blueprint:
    """The page, the files and the citations."""
    pages, area = Pages(site), Blueprint("download", __name__)
    area.add_url_rule("/download", "page", pages.page)
    area.add_url_rule("/download/class", "choice", pages.choice)
    area.add_url_rule("/download/<name>", "part", pages.part)
    area.add_url_rule("/download/source/<name>", "source", pages.source)
    area.add_url_rule("/download/source/<slug>/<name>", "source_citation", pages.source_citation)
    return area


class Pages:
    """The views, bound to one site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._files = Files(site.home) if site.home else None

    def page(self) -> str:
        """All that can be had, with what is known of each file that was made before."""
        about = self._site.view.about
        if self._files is None:
            return render_template("download/elsewhere.html", text=_ELSEWHERE)
        datasets = self._datasets()
        graph = self._cited(None, datasets)
        return render_template(
            "download/download.html",
            about=about,
            graph=self._lines("graph"),
            metadata=self._lines("metadata"),
            datasets=[(one, self._lines("source", one.slug)) for one in datasets],
            classes=[(iri, about.label(iri), count) for iri, count in about.counts.entities_by_class.items()],
            formats=[(fmt.suffix, TITLES[fmt.name]) for fmt in FORMATS.values()],
            cited=graph,
            citations={suffix: write(graph) for suffix, (write, _, _) in STYLES.items()},
        )

    def choice(self) -> AnyResponse:
        """The form for a class: to the address of the file."""
        wanted = Wanted.read("class", request.args.get("format", ".ttl"), name=self._class())
        if wanted is None:
            abort(404, "There is no such format.")
        response = make_response("", 303)
        response.headers["Location"] = request.script_root + wanted.address
        return response

    def part(self, name: str) -> AnyResponse:
        """A file of the whole graph, of its description or of a class; or the citation of the graph."""
        part, suffix = _split(name)
        if part == "citation":
            return self._citation(suffix, None)
        if part not in {"graph", "metadata", "class"}:
            abort(404, "There is no such download: /download lists them all.")
        return self._answer(part, suffix, self._class() if part == "class" else "")

    def source(self, name: str) -> AnyResponse:
        """A file of one source."""
        slug, suffix = _split(name)
        self._dataset(slug)
        return self._answer("source", suffix, slug)

    def source_citation(self, slug: str, name: str) -> AnyResponse:
        """How to cite one source."""
        stem, suffix = _split(name)
        if stem != "citation":
            abort(404)
        return self._citation(suffix, self._dataset(slug))

    def _answer(self, part: str, suffix: str, name: str) -> AnyResponse:
        wanted = Wanted.read(part, suffix.removesuffix(_CHECKSUM), name=name)
        if wanted is None:
            known = ", ".join(fmt.suffix for fmt in FORMATS.values())
            abort(404, f"There is no such format. These are written, each also with .gz behind it: {known}.")
        try:
            made = self._of_home().file(wanted)
        except Preparing:
            return _come_back(wanted)
        except NotHeld as error:
            abort(406, sentence(error))
        return _checksum(wanted, made) if suffix.endswith(_CHECKSUM) else _sent(wanted, made)

    def _citation(self, suffix: str, one: DataSet | None) -> AnyResponse:
        if suffix not in STYLES:
            abort(404, f"Citations are written as {', '.join(STYLES)}.")
        write, media_type, file_name = STYLES[suffix]
        response = Response(write(self._cited(one, self._datasets())), content_type=f"{media_type}; charset=utf-8")
        response.headers["Content-Disposition"] = f'inline; filename="{file_name}"'
        response.add_etag()
        return response.make_conditional(request)

    def _cited(self, one: DataSet | None, datasets: list[DataSet]) -> Cited:
        public = url_for("download.page", _external=True) if is_public(request.host) else ""
        if one is not None:
            return of_dataset(one, address=public or terms.source_graph(one.slug).value)
        own = terms.source_graph(datasets[0].slug) if len(datasets) == 1 else DATASET
        return of_graph(datasets, triples=self._site.view.about.counts.triples, address=public or own.value)

    def _lines(self, part: str, name: str = "") -> list[Line]:
        lines = []
        for fmt in FORMATS.values():
            plain = Wanted.read(part, fmt.suffix, name=name)
            packed = Wanted.read(part, f"{fmt.suffix}.gz", name=name)
            if plain is not None and packed is not None:
                files = self._of_home()
                lines.append(Line(TITLES[fmt.name], plain, packed, files.made(plain), files.made(packed)))
        return lines

    def _class(self) -> str:
        """The class that is asked for. Only those that the graph has entities of: each makes a file of its own."""
        iri = request.args.get("iri", "")[:_MAX_IRI]
        counts = self._site.view.about.counts
        if iri not in counts.entities_by_class and iri not in counts.media:
            abort(404, "There is no entity of that class in the graph.")
        return iri

    def _datasets(self) -> list[DataSet]:
        if self._site.home is None:
            abort(404, _ELSEWHERE)
        return read_datasets(self._site.home, self._site.view.about.sources)

    def _dataset(self, slug: str) -> DataSet:
        found = find_dataset(self._datasets(), slug)
        if found is None:
            abort(404, f"There is no source called {slug}.")
        return found

    def _of_home(self) -> Files:
        if self._files is None:
            abort(404, _ELSEWHERE)
        return self._files


def is_public(host: str) -> bool:
    """
    Whether others can open what stands at a host, as far as its name tells.

    >>> [is_public(host) for host in ("127.0.0.1:8000", "localhost", "[::1]:80", "10.0.0.5", "mybox", "mybox.local")]
    [False, False, False, False, False, False]
    >>> is_public("graph.example.org:8443"), is_public("93.184.215.14")
    (True, True)
    """
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    try:
        return ip_address(name).is_global
    except ValueError:
        return "." in name and not name.endswith(_PRIVATE)


def _split(name: str) -> tuple[str, str]:
    """
    The stem of a file's name and all its suffixes.

    >>> _split("graph.ttl.gz")
    ('graph', '.ttl.gz')
    """
    stem, dot, suffix = name.partition(".")
    return stem, dot + suffix


def _sent(wanted: Wanted, made: Made) -> AnyResponse:
    response = send_file(
        made.path,
        mimetype=wanted.media_type,
        as_attachment=True,
        download_name=wanted.file_name,
        etag=made.sha256,
        last_modified=None,
        conditional=True,
    )
    response.headers.pop("Last-Modified", None)  # that of the file: it says when it was made, not what it holds
    # RFC 9530: what was sent can be checked without another request.
    response.headers["Repr-Digest"] = f"sha-256=:{b64encode(bytes.fromhex(made.sha256)).decode()}:"
    return response


def _checksum(wanted: Wanted, made: Made) -> AnyResponse:
    """What ``sha256sum --check`` reads."""
    response = Response(f"{made.sha256}  {wanted.file_name}\n", mimetype="text/plain")
    response.set_etag(made.sha256)
    return response.make_conditional(request)


def _come_back(wanted: Wanted) -> AnyResponse:
    """A large file is being written: browsers come back by themselves, programs by Retry-After."""
    response = make_response(render_template("download/preparing.html", wanted=wanted, seconds=_RETRY_S), 503)
    response.headers["Retry-After"] = response.headers["Refresh"] = str(_RETRY_S)
    response.headers["Cache-Control"] = "no-store"
    return response
