"""
How to cite data sets: as a sentence, as BibTeX, as a CITATION.cff file.

Says only what the sources say of themselves, and how many triples there are; there is no date, since a graph has none.
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
    """What is cited. ``licence`` is a name, ``spdx`` and ``licence_address`` are "" where they are not known."""

    key: str
    title: str
    creators: tuple[str, ...]
    triples: int
    address: str
    licence: str = ""
    licence_address: str = ""
    spdx: str = ""
    description: str = ""

    @property
    def authors(self) -> tuple[str, ...]:
        """Whom to name: the creators, or what stands for them."""
        return self.creators or (f"The authors of {self.title}",)


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
    )


def of_graph(datasets: Sequence[DataSet], *, triples: int, address: str) -> Cited:
    """All of them as one: a licence is named where all have the same one."""
    creators = tuple(dict.fromkeys(one.creator or f"The authors of {one.title}" for one in datasets))
    licences = {(one.licence_name, one.licence_address, one.spdx) for one in datasets}
    licence = licences.pop() if len(licences) == 1 else ("", "", "")
    title = ", ".join(one.title for one in datasets) or "A knowledge graph"
    return Cited("scoutfly-graph", title, creators, triples, address, *licence)


def plain(cited: Cited) -> str:
    """
    A sentence.

    >>> print(plain(Cited("cafe", "Coffee machines", ("A. Bean",), 1200, "http://localhost/download")), end="")
    A. Bean: Coffee machines. RDF data set, 1,200 triples. http://localhost/download
    """
    licence = f" {cited.licence}." if cited.licence else ""
    size = f"RDF data set, {cited.triples:,} triples."
    return f"{', '.join(cited.authors)}: {cited.title}. {size}{licence} {cited.address}\n"


def bibtex(cited: Cited) -> str:
    """An entry of BibTeX."""
    note = f"RDF data set, {cited.triples} triples" + (f", {cited.licence}" if cited.licence else "")
    authors = " and ".join(f"{{{_tex(author)}}}" for author in cited.authors)
    fields = {
        "title": f"{{{_tex(cited.title)}}}",
        "author": authors,
        "howpublished": f"\\url{{{cited.address}}}",
        "note": _tex(note),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return f"@misc{{{re.sub('[^A-Za-z0-9-]', '', cited.key) or 'graph'},\n" + ",\n".join(lines) + "\n}\n"


def cff(cited: Cited) -> str:
    """A CITATION.cff file. A JSON string is a YAML string, so nothing in a text can end it."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use this data set, please cite it as below."',
        "type: dataset",
        f"title: {_quoted(cited.title)}",
        "authors:",
        *(f"  - name: {_quoted(author)}" for author in cited.authors),
        f"abstract: {_quoted(cited.description)}" if cited.description else "",
        f"license: {cited.spdx}" if cited.spdx else "",
        f"license-url: {_quoted(cited.licence_address)}" if cited.licence_address and not cited.spdx else "",
        f"url: {_quoted(cited.address)}",
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
