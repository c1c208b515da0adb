"""The commands for media: ``media add``."""

import json
from pathlib import Path

import click

from kg.commands import HasHome, say
from kg.media.adding import Adding, add_media


@click.group()
def media() -> None:
    """Pictures, films and sounds of the graph's entities and facts."""


@media.command("add")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--name", help="What to call the source; by default after its file. One name, one source.")
@click.option("--copy", is_flag=True, help="Keep the files in the home, by their checksums; else they stay in place.")
@click.option("--keyframes", is_flag=True, help="Take keyframes out of films: two a second, ten at most.")
@click.option("--split-audio", is_flag=True, help="Take the sound out of films, as items of its own.")
@click.option("--strict", is_flag=True, help="Stop at the first file that cannot be used, with nothing changed.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON, with every rejected row.")
@click.pass_obj
def add(
    settings: HasHome,
    *,
    path: Path,
    name: str | None,
    copy: bool,
    keyframes: bool,
    split_audio: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Add the files of PATH to what they show: a folder, or a manifest in CSV or JSON Lines.

    In a folder, a file or sub-folder is called as its entity is; a sub-folder of numbered pictures is one image
    sequence. A manifest has the columns file and entity, or file, subject, predicate and object, and maybe modality,
    caption, licence and creator. Adding a source again replaces it.
    """
    adding = Adding(copy, keyframes, split_audio)
    report = add_media(settings.home, path, name=name, adding=adding, strict=strict, progress=say)
    click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2) if as_json else report.as_text())


COMMANDS = (media,)
