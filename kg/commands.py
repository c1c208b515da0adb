"""The commands that read and write the graph: import, export, stats, query, check, infer.

Data go to stdout, progress and errors to stderr. Each finds the home in the click context's object, which the root
command makes; an empty home is filled with the bundled graph by the commands that read, and not by ``import``.
"""

import json
from pathlib import Path
from typing import IO, Protocol

import click

from kg.bundled import NAME
from kg.errors import BadTerm, NothingImported, StoreError
from kg.exporting import FORMATS, export, format_of
from kg.home import Home
from kg.importers.mapping import MappedSource
from kg.importing import import_path, source_title
from kg.infer import infer
from kg.iri import file_slug, parse_iri
from kg.media.coverage import check_coverage
from kg.querying import RESULT_FORMATS, TABLE, answer
from kg.report import ImportReport
from kg.selection import described, everything, of_sources
from kg.stats import stats, vocabulary_size
from ontology import terms
from ontology.check import run_checks
from ontology.result import Outcome


class HasHome(Protocol):
    """What these commands ask of the context's object."""

    @property
    def home_dir(self) -> Path:
        """The data directory."""

    @property
    def home(self) -> Home:
        """The home there, filled with the bundled graph where it was empty."""


def say(text: str) -> None:
    """Tell a person what goes on, apart from the data."""
    click.echo(text, err=True)


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", help="What to call the source; by default its file name. One name, one source: it is replaced.")
@click.option("--base-iri", help="What relative IRIs and the IRIs of new entities and relations start with.")
@click.option(
    "--media",
    "media_root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder in which the media files lie that the source names; by default the source, where it is a folder.",
)
@click.option(
    "--mapping",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What the records of JSON, JSON Lines or CSV files are in the graph: see docs/importing.md.",
)
@click.option("--strict", is_flag=True, help="Stop at the first bad row, with nothing changed.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON, with every rejected row.")
@click.pass_obj
def import_command(
    settings: HasHome,
    *,
    path: Path,
    name: str | None,
    base_iri: str | None,
    media_root: Path | None,
    mapping: Path | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Import a file or folder: RDF, MH-MMKG workbooks, sub-graphs in TOML, tables of triples.

    An import never stops at a bad row: it reports each and imports the rest. Importing a source again replaces it.
    """
    if file_slug(source_title(path, name)) == NAME:
        raise click.UsageError(f"the name {NAME!r} is that of the bundled graph, which would replace it: give --name")
    try:
        report = import_path(
            Home(settings.home_dir),
            path,
            strict=strict,
            base_iri=base_iri,
            name=name,
            media_root=media_root,
            importer=MappedSource(mapping) if mapping else None,
            progress=say,
        )
    except NothingImported as failure:
        _show(failure.report, as_json=as_json)
        raise
    _show(report, as_json=as_json)


def _show(report: ImportReport, *, as_json: bool) -> None:
    click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2) if as_json else report.as_text())


@click.command("export")
@click.argument("output", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True), default=Path("-"))
@click.option("--format", "fmt", type=click.Choice(list(FORMATS)), help="By default what the file's name says.")
@click.option("--gzip", is_flag=True, help="Pack it; also where the file's name ends in .gz.")
@click.option("--source", "sources", multiple=True, help="Only this source and the catalogue (may be repeated).")
@click.option("--title", help="The title in the description of the data set.")
@click.option("--licence", help="The IRI of the licence, where the sources do not state one.")
@click.option("--prefix", "prefixes", multiple=True, metavar="NAME=IRI", help="A prefix to use (may be repeated).")
@click.option("--no-metadata", is_flag=True, help="Leave the VoID and DCAT description out.")
@click.pass_obj
def export_command(
    settings: HasHome,
    *,
    output: Path,
    fmt: str | None,
    gzip: bool,
    sources: tuple[str, ...],
    title: str | None,
    licence: str | None,
    prefixes: tuple[str, ...],
    no_metadata: bool,
) -> None:
    """Write the graph to OUTPUT (- or none: Turtle to stdout): the same graph gives the same bytes.

    Turtle, N-Triples and RDF/XML merge the graphs; TriG, N-Quads and JSON-LD keep them.
    """
    to_stdout = str(output) == "-"
    chosen = FORMATS[fmt or "turtle"] if fmt or to_stdout else format_of(output)
    if chosen is None:
        raise click.UsageError(f"the name {output} does not say the format: give --format")
    with settings.home.snapshot() as snapshot:
        slugs = [file_slug(source) for source in sources]
        quads = of_sources(snapshot, slugs) if slugs else everything(snapshot)
        if not no_metadata:
            stated = parse_iri(licence).iri if licence else None
            in_graph = chosen.has_graphs
            quads += described(snapshot, quads, sources=slugs, title=title, licence=stated, in_graph=in_graph)
    packed, known = gzip or output.suffix == ".gz", {**terms.PREFIXES, **_prefixes(prefixes)}
    if to_stdout:
        with click.open_file("-", "wb") as stdout:
            count = export(quads, chosen, stdout, gzip=packed, prefixes=known)
    else:
        count = export(quads, chosen, output, gzip=packed, prefixes=known)
    say(f"{count} statements written to {'stdout' if to_stdout else output}")


def _prefixes(pairs: tuple[str, ...]) -> dict[str, str]:
    split = [pair.partition("=") for pair in pairs]
    for name, equals, _ in split:
        if not equals:
            raise BadTerm(f"--prefix {name} must have the form NAME=IRI")
    return {name: namespace for name, _, namespace in split}


@click.command("stats")
@click.option("--json", "as_json", is_flag=True, help="The counts as JSON.")
@click.pass_obj
def stats_command(settings: HasHome, as_json: bool) -> None:
    """Count what the graph holds: what is asserted, without notes on sources and without what is inferred."""
    with settings.home.snapshot() as snapshot:
        vocabulary = vocabulary_size(snapshot.store)
    counted = stats(settings.home.reader(in_memory_quads=0), vocabulary=vocabulary)
    click.echo(json.dumps(counted.as_json(), indent=2) if as_json else counted.as_text())


@click.command("query")
@click.argument("file", type=click.File("r", encoding="utf-8"))
@click.option(
    "--format",
    "fmt",
    type=click.Choice([TABLE, *RESULT_FORMATS, *FORMATS]),
    help="table, json, xml, csv, tsv for SELECT and ASK; the RDF formats for CONSTRUCT and DESCRIBE.",
)
@click.pass_obj
def query_command(settings: HasHome, file: IO[str], fmt: str | None) -> None:
    """Run the SPARQL query in FILE (- for stdin) over all graphs as one.

    The prefixes of an export (sf, mhw, rdf, rdfs, owl, skos, dcterms, ...) need no declaration.
    """
    with settings.home.snapshot() as snapshot:
        click.echo(answer(snapshot.store, _text(file), fmt=fmt), nl=False)


def _text(file: IO[str]) -> str:
    try:
        return file.read()
    except UnicodeDecodeError as error:
        raise StoreError(f"the query in {file.name} is not UTF-8: {error.reason} at byte {error.start}") from error


@click.command("check")
@click.option("--json", "as_json", is_flag=True, help="The results as JSON.")
@click.pass_obj
def check_command(settings: HasHome, as_json: bool) -> None:
    """Check profile, consistency, shapes, counts and coverage by media; exit 1 where one fails."""
    with settings.home.snapshot() as snapshot:
        quads = list(snapshot.asserted_quads())
    ontology = [quad for quad in quads if quad.graph_name == terms.ONTOLOGY_GRAPH]
    data = [quad for quad in quads if quad.graph_name != terms.ONTOLOGY_GRAPH]
    results = [*run_checks(ontology, data), check_coverage(quads)]
    if as_json:
        fields = [
            {"name": one.name, "outcome": one.outcome.value, "detail": one.detail, "problems": list(one.problems)}
            for one in results
        ]
        click.echo(json.dumps(fields, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(str(result) for result in results))
    failures = [result.name for result in results if result.outcome == Outcome.FAILED]
    if failures:
        raise click.ClickException(f"the check of {', '.join(failures)} failed")


@click.command("infer")
@click.pass_obj
def infer_command(settings: HasHome) -> None:
    """Work out what follows from the graph, into a graph of its own that queries see and walks do not."""
    click.echo(f"{infer(settings.home, progress=say)} triples follow")


COMMANDS = (import_command, export_command, stats_command, query_command, check_command, infer_command)
