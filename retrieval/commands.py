"""The commands of this package: ``index build``, ``status``, ``verify`` and ``remove``."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any, Protocol

import click
from tqdm import tqdm

from kg.commands import HasHome, say
from kg.home import Snapshot
from kg.importers.media import MediaFolder
from kg.media.errors import BadMedia
from kg.media.items import MediaItem, Modality
from kg.media.listing import media_items
from kg.media.pairs import audiovisual_pairs
from kg.media_roots import MediaRoots
from retrieval.encoders.registry import DEFAULT_SPEC, encoder_for, specs
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.media_index import INDEXES, MODALITIES, IndexName, IndexReport, MediaIndexes
from retrieval.vectors import VectorIndex

_SHOWN = 10
"""Items left out that are named before the rest is counted."""


class HasIndexes(HasHome, Protocol):
    """What these commands ask of the context's object."""

    @property
    def indexes(self) -> MediaIndexes:
        """The home's indexes."""


@click.group()
def index() -> None:
    """Index the graph's media, by modality, for search by their content."""


def _encoder_option(modality: Modality) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        f"--{modality}-encoder",
        default=DEFAULT_SPEC,
        show_default=True,
        metavar="SPEC",
        help=f"Who encodes {modality} items: {', '.join(specs(modality))}.",
    )


@index.command("build")
@_encoder_option("image")
@_encoder_option("video")
@_encoder_option("audio")
@click.option("--modality", "modalities", multiple=True, type=click.Choice(MODALITIES), help="Only this one.")
@click.option("--download", is_flag=True, help="Fetch models that are not on this machine.")
@click.option("--json", "as_json", is_flag=True, help="The report, for programs.")
@click.pass_obj
def build(
    app: HasIndexes,
    *,
    image_encoder: str,
    video_encoder: str,
    audio_encoder: str,
    modalities: tuple[Modality, ...],
    download: bool,
    as_json: bool,
) -> None:
    """Bring the indexes up to date with the graph: what is known by its checksum is not encoded again."""
    wanted = {"image": image_encoder, "video": video_encoder, "audio": audio_encoder}
    with app.home.snapshot() as snapshot:
        items = _items(app, snapshot)
        present = [name for name in MODALITIES if any(item.modality == name for item in items)]
        films = any(item.modality == "video" and not item.media_type.startswith("image/") for item in items)
        chosen = [name for name in modalities or MODALITIES if name in present or (name == "audio" and films)]
        if not items:
            say("no media item of the graph has its file on this machine: scoutfly media add, or import with --media")
        encoders = {name: encoder_for(name, wanted[name], download=download) for name in chosen}
        pairs = [(film.value, sound.value) for film, sound in audiovisual_pairs(snapshot, items)]
        with _Bars() as bars:
            reports = app.indexes.build(items, encoders, pairs=pairs, generation=snapshot.number, progress=bars.show)
    click.echo(json.dumps([asdict(report) for report in reports], indent=1) if as_json else _told(reports))


@index.command("status")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_obj
def status(app: HasIndexes, *, as_json: bool) -> None:
    """What is indexed, by which encoder, and what of the graph is not."""
    with app.home.snapshot() as snapshot:
        found = app.indexes.status(_items(app, snapshot))
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=1))
        return
    if not found:
        click.echo("nothing is indexed yet: scoutfly index build")
    for one in found:
        made = one.manifest
        old = f"; {one.missing} items of the graph are not in it, {one.stale} are no more in the graph: build it anew"
        click.echo(
            f"{one.name}: {made.count} vectors by {made.fingerprint}, {made.kind}, {made.created}"
            + (old if one.missing or one.stale else "")
        )


@index.command("verify")
@click.option("--files", "with_files", is_flag=True, help="Hold each media file against its checksum, too.")
@click.pass_obj
def verify(app: HasIndexes, *, with_files: bool) -> None:
    """Hold indexes against their manifests, and with --files media against the graph. Ends with status 1 at a fault."""
    faults: list[str] = []
    for name in INDEXES:
        try:
            held = VectorIndex.load(app.indexes.directory(name), whole=True)
            click.echo(f"{name}: {len(held)} vectors, as the manifest says")
        except IndexMissing:
            continue
        except IndexDamaged as error:
            faults.append(f"{name}: {error}")
    if with_files:
        with app.home.snapshot() as snapshot:
            faults += list(_changed_files(_items(app, snapshot)))
    for fault in faults:
        click.echo(fault)
    if faults:
        raise IndexDamaged(f"{len(faults)} faults were found")


@index.command("remove")
@click.argument("name", type=click.Choice([*INDEXES, "all"]))
@click.pass_obj
def remove(app: HasIndexes, *, name: str) -> None:
    """Remove an index; the cache of vectors stays, so that building it again is quick."""
    chosen: Iterable[IndexName] = INDEXES if name == "all" else [one for one in INDEXES if one == name]
    removed = [one for one in chosen if app.indexes.remove(one)]
    click.echo(f"removed: {', '.join(removed)}" if removed else "there was nothing to remove")


def _items(app: HasIndexes, snapshot: Snapshot) -> list[MediaItem]:
    return media_items(snapshot, MediaRoots(app.home_dir).read())


def _changed_files(items: Iterable[MediaItem]) -> Iterable[str]:
    for item in items:
        if len(item.files) != 1:
            continue
        try:
            found = MediaFolder(item.files[0].parent.resolve()).read(item.files[0].resolve()).sha256
        except BadMedia as error:
            yield f"{item.iri.value}: {error}"
            continue
        if item.sha256 and found != item.sha256:
            yield f"{item.iri.value}: {item.files[0]} has the SHA-256 {found}, the graph says {item.sha256}"


def _told(reports: Iterable[IndexReport]) -> str:
    lines = []
    for report in reports:
        made = f"by {report.manifest.fingerprint}, {report.manifest.kind}" if report.manifest else "no index"
        known = f" ({report.reused} known before)" if report.reused else ""
        lines.append(f"{report.name}: {report.rows} items{known}, {made}{'' if report.changed else ', unchanged'}")
        lines += [f"  left out: {one.iri}: {one.reason}" for one in report.left_out[:_SHOWN]]
        if len(report.left_out) > _SHOWN:
            lines.append(f"  ... and {len(report.left_out) - _SHOWN} more (--json lists them)")
    return "\n".join(lines) or "nothing was indexed"


class _Bars:
    """A progress bar a modality, on stderr."""

    def __init__(self) -> None:
        self._bars: dict[str, tqdm[Any]] = {}

    def __enter__(self) -> "_Bars":
        return self

    def __exit__(self, *_: object) -> None:
        for bar in self._bars.values():
            bar.close()

    def show(self, name: str, done: int, total: int) -> None:
        """Move a bar to where the work is."""
        bar = self._bars.setdefault(name, tqdm(total=total, desc=name, unit="item", leave=False))
        bar.update(done - bar.n)


COMMANDS = (index,)
