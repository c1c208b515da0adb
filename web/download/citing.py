"""
How to cite data sets: as a sentence, as BibTeX, as a CITATION.cff file.

Says only what the sources say of themselves, and how many triples there are: nobody is credited, and no year is named,
that no source names.
CFF: https://github.com/citation-file-format/citation-file-format/blob/main/schema-guide.md (1.2.0).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from web.download.datasets import DataSet

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}


@dataclass(frozen=True, slots=True)
class Cited:
    """
    What is cited. ``licence`` is a name; ``spdx``, ``licence_address``, ``issued`` (a date that starts with its year)
    and ``version`` are "" where they are not known. ``address`` is a page that others can open, or an IRI.
    """

    key: str
    title: str
    creators: tuple[str, ...]
    triples: int
    address: str
    licence: str = ""
    licence_address: str = ""
    spdx: str = ""
    description: str = ""
    issued: str = ""
    version: str = ""

    @property
    def year(self) -> str:
        """The year in which it was issued; "" where that is not known."""
        return match[0] if (match := re.match(r"\d{4}(?!\d)", self.issued)) else ""


def of_dataset(one: DataSet, *, address: str) -> Cited:
    """One data set."""
    creators = (one.creator,) if one.creator else ()
    return Cited(
        one.slug,
        one.title,
        creators,
        one.triples,
        address,
        one.licence_name,
        one.licence_address,
        one.spdx,
        one.description,
        one.issued,
        one.version,
    )


def of_graph(datasets: Sequence[DataSet], *, triples: int, address: str) -> Cited:
    """All of them as one: a licence, a date and a version are named where all have the same one."""
    creators = tuple(dict.fromkeys(one.creator for one in datasets if one.creator))
    licences = {(one.licence_name, one.licence_address, one.spdx) for one in datasets}
    licence = licences.pop() if len(licences) == 1 else ("", "", "")
    title = ", ".join(one.title for one in datasets) or "A knowledge graph"
    issued, version = ({one.issued for one in datasets}, {one.version for one in datasets})
    return Cited(
        "scoutfly-graph",
        title,
        creators,
        triples,
        address,
        *licence,
        issued=issued.pop() if len(issued) == 1 else "",
        version=version.pop() if len(version) == 1 else "",
    )


def plain(cited: Cited) -> str:
    """
    A sentence.

    >>> cafe = Cited("cafe", "Coffee machines", ("A. Bean",), 1200, "http://cafe.example/download", issued="2025-03-01")
    >>> print(plain(cafe), end="")
    A. Bean (2025): Coffee machines. RDF data set, 1,200 triples. http://cafe.example/download
    >>> print(plain(Cited("birds", "Birds", (), 3, "https://w3id.org/scoutfly/graph/source/birds")), end="")
    Birds. RDF data set, 3 triples. https://w3id.org/scoutfly/graph/source/birds
    """
    year = f" ({cited.year})" if cited.year else ""
    head = f"{', '.join(cited.creators)}{year}: {cited.title}" if cited.creators else f"{cited.title}{year}"
    version = f" Version {cited.version}." if cited.version else ""
    licence = f" {cited.licence}." if cited.licence else ""
    return f"{head}.{version} RDF data set, {cited.triples:,} triples.{licence} {cited.address}\n"


def bibtex(cited: Cited) -> str:
    """An entry of BibTeX."""
    note = f"RDF data set, {cited.triples} triples" + (f", {cited.licence}" if cited.licence else "")
    authors = " and ".join(f"{{{_tex(author)}}}" for author in cited.creators)
    fields = {
        "title": f"{{{_tex(cited.title)}}}",
        "author": authors,
        "year": cited.year,
        "version": _tex(cited.version),
        "howpublished": f"\\url{{{cited.address}}}",
        "note": _tex(note),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@misc{{{re.sub('[^A-Za-z0-9-]', '', cited.key) or 'graph'},\n" + ",\n".join(lines) + "\n}\n"


def cff(cited: Cited) -> str:
    """A CITATION.cff file. A JSON string is a YAML string, so nothing in a text can end it."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use this data set, please cite it as below."',
        "type: dataset",
        f"title: {_quoted(cited.title)}",
        "authors:",
        *(f"  - name: {_quoted(author)}" for author in cited.creators or ("anonymous",)),  # the schema asks for one
        f"date-released: {cited.issued[:10]}" if re.match(r"\d{4}-\d\d-\d\d", cited.issued) else "",
        f"version: {_quoted(cited.version)}" if cited.version else "",
        f"abstract: {_quoted(cited.description)}" if cited.description else "",
        f"license: {cited.spdx}" if cited.spdx else "",
        f"license-url: {_quoted(cited.licence_address)}" if cited.licence_address and not cited.spdx else "",
        f"url: {_quoted(cited.address)}" if cited.address.startswith(("https://", "http://")) else "",
    ]
    return "\n".join(line for line in lines if line) + "\n"


STYLES: Mapping[str, tuple[Callable[[Cited], str], str, str]] = {
    ".txt": (plain, "text/plain", "citation.txt"),
    ".bib": (bibtex, "application/x-bibtex", "citation.bib"),
    ".cff": (cff, "application/yaml", "CITATION.cff"),
}
"""By suffix: how it is written, its media type, and what the file is called."""


def _tex(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in " ".join(text.split()))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
