"""
Reads one upload, in a process of its own: unpacks it, finds the source, and imports it into the home or tries to.

``python -m web.importing.worker`` (see web.processes). What a kill leaves behind is the upload and, at worst, a draft
that the next write clears away: the home itself changes at one moment or not at all.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

from kg.disk import is_full
from kg.errors import GraphError, NothingImported, StoreError, StoreLocked
from kg.home import Home
from kg.importing import import_path
from kg.iri import file_slug
from kg.media.sniffing import media_type_of
from kg.media_roots import MediaRoots
from kg.report import ImportReport
from web.importing.choosing import find_source, is_archive, refuse_empty, safe_name
from web.importing.limits import ImportLimits
from web.importing.unpacking import unpack
from web.processes import Values, work

FILES, SOURCE = "files", "source"
_OPTIONS = {
    "another --name": "another name",
    "with --base-iri": "in the form",
    "--base-iri": "the base IRI",
    "give --name": "give another name",
    "nothing was imported: --strict": "nothing was imported, since it stops at the first bad row",
    "(see --json)": "",
}
"""What messages for the command line are in the words of a page."""
_MOST_KEPT = 10_000
_WHOLE = ("notes",)


def read(job: Values, say: Callable[[str], None]) -> Values:
    """
    Import, or try to where ``publish`` is false: home, folder (of the upload), name, base, strict, publish, limits.

    Answers "report", or "failed" with the reason (and the report, where there is one), or "busy" with who else writes.
    """
    home, folder, publish = Home(Path(str(job["home"]))), Path(str(job["folder"])), bool(job["publish"])
    limits, name = _limits(job["limits"]), str(job["name"])
    media: Path | None = None
    try:
        source = _source(folder, name, limits, say)
        if publish and source.is_dir():
            media = _link_media(source, home.path / "media" / f"{file_slug(name)}.{folder.name}")
        report = import_path(
            home,
            source,
            strict=bool(job["strict"]),
            base_iri=str(job["base"]) or None,
            name=name,
            dry_run=not publish,
            media_root=media,
            progress=lambda line: say(_said(folder, line)),
        )
    except StoreLocked as error:
        _drop(media)
        return {"busy": str(error)}
    except GraphError as error:
        _drop(media)
        told = {"report": _bounded(error.report, folder)} if isinstance(error, NothingImported) else {}
        return {"failed": _reason(folder, error), **told}
    except RecursionError:
        _drop(media)
        return {"failed": "the source is nested too deep to be read"}
    if publish:
        _drop_older_media(home)
    return {"report": _bounded(report, folder, publish=publish)}


def _bounded(report: ImportReport, folder: Path, *, publish: bool = True) -> dict[str, object]:
    """The report as JSON, its lists cut to what a page and a file of state can carry."""
    values = report.as_json()
    for name, items in values.items():
        if isinstance(items, list) and name not in _WHOLE and len(items) > _MOST_KEPT:
            values[name] = items[:_MOST_KEPT]
            report.note(f"{name}: only the first {_MOST_KEPT} of {len(items)} are kept in this report")
    values["notes"] = [_said(folder, note, publish=publish) for note in report.notes[-_MOST_KEPT:]]
    values["rejected_rows"] = len(report.rejected)
    return values


def _limits(values: object) -> ImportLimits:
    given = dict(values) if isinstance(values, dict) else {}
    return ImportLimits(**{field.name: given[field.name] for field in fields(ImportLimits) if field.name in given})


def _source(folder: Path, name: str, limits: ImportLimits, say: Callable[[str], None]) -> Path:
    """The source in the upload; what was unpacked by an earlier run is there still."""
    place = folder / SOURCE
    if not place.exists():
        files = sorted((folder / FILES).iterdir())
        refuse_empty(files)
        draft = folder / f"{SOURCE}.new"
        shutil.rmtree(draft, ignore_errors=True)
        # A topic of workbooks is called as its folder is, so the folder is called as the source is to be.
        inner = draft / safe_name(name)
        if len(files) == 1 and is_archive(files[0]):
            say(f"unpacking {files[0].name}")
            unpack(files[0], inner, limits)
        else:
            inner.mkdir(parents=True)
            for file in files:
                os.link(file, inner / file.name)
        draft.rename(place)
    return find_source(place)


def _link_media(source: Path, folder: Path) -> Path:
    """A folder with the media files of the source under their own paths, if any, for pages to show."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found = [path for path in source.rglob("*") if path.is_file() and not path.is_symlink() and _is_media(path)]
    for path in found:
        target = folder / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.link(path, target)
    return folder


def _is_media(path: Path) -> bool:
    kind = media_type_of(path)
    return (kind is not None and kind.partition("/")[0] in ("image", "video", "audio")) or kind == "application/ogg"


def _drop(folder: Path | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _drop_older_media(home: Home) -> None:
    """Remove the media folders that no source has any more."""
    place = home.path / "media"
    used = {root.resolve() for root in MediaRoots(home.path).read().values()}
    for folder in place.iterdir() if place.is_dir() else ():
        if folder.resolve() not in used:
            shutil.rmtree(folder, ignore_errors=True)


def _reason(folder: Path, error: GraphError) -> str:
    """Why it failed. What the home or its disk says of itself names places, which are for the server's log."""
    if is_full(error):
        return "the disk of this server is full: nothing was changed"
    if isinstance(error, StoreError):
        sys.stderr.write(f"the home cannot be read or written: {error}\n")
        return "the home of this server cannot be read or written; why stands in its log"
    return _said(folder, str(error))


def _said(folder: Path, text: str, *, publish: bool = True) -> str:
    """A message as the page says it: without the path of our own folder, and without options of a command line."""
    place = re.escape(str(folder))
    text = re.sub(rf"{place}/(?:{SOURCE}/[^/\s]+/|{SOURCE}/|{FILES}/)?", "", text)
    for option, word in _OPTIONS.items():
        text = text.replace(option, word)
    return text if publish else text.replace("was replaced", "would be replaced")


if __name__ == "__main__":
    work(read)
