"""Where the page's JavaScript comes from: a lock file, npm or a stand-in for it, and a page that does without."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from web import frontend
from web.errors import PackagesMissing
from web.frontend import FILES, FOLDER, LICENCES, install, main

LOCK = {
    "packages": {
        "": {"name": "site"},
        "node_modules/shown": {"version": "1.0.0"},
        "node_modules/for-tests": {"version": "2.0.0", "dev": True},
    }
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as ``web/`` is, with a lock file of two packages."""
    place = tmp_path / "site"
    place.mkdir()
    (place / "package-lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
    return place


def program(path: Path, body: str) -> None:
    """An npm that is the Python code ``body``, at the head of the PATH that ``path`` stands for."""
    path.mkdir(exist_ok=True)
    npm = path / "npm"
    npm.write_text(f"#!{sys.executable}\nimport json, pathlib, sys\n{body}\n", encoding="utf-8")
    npm.chmod(0o755)


def works() -> str:
    """The code of an npm that lays out all that is wanted and notes its arguments."""
    return f"""
for name in {list(FILES.values())!r}:
    file = pathlib.Path("node_modules", name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("// " + name)
for name in ("shown", "for-tests"):
    package = pathlib.Path("node_modules", name)
    package.mkdir(exist_ok=True)
    (package / "package.json").write_text(json.dumps({{"name": name, "version": "1.0.0", "license": "MIT"}}))
    (package / "LICENSE").write_text("Terms of " + name)
pathlib.Path("arguments").write_text(" ".join(sys.argv[1:]))
"""


def test_the_files_are_laid_out_with_their_licences(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", works())
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    vendor = tmp_path / "static" / "vendor"
    vendor.mkdir(parents=True)
    (vendor / "old.js").write_text("")
    install(pytest.fail, folder=folder, vendor=vendor)
    assert {file.name for file in vendor.iterdir()} == {*FILES, LICENCES}
    assert "Terms of shown" in (vendor / LICENCES).read_text(encoding="utf-8")
    assert "for-tests" not in (vendor / LICENCES).read_text(encoding="utf-8")
    assert [file.name for file in vendor.parent.iterdir()] == ["vendor"]
    arguments = (folder / "arguments").read_text(encoding="utf-8")
    assert arguments.startswith("ci ") and "--ignore-scripts" in arguments


def test_without_npm_and_network_the_reason_is_one_line_and_what_was_there_stays(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(frontend, "NODE_LOCK", tmp_path / "no-such-file.lock")
    vendor = tmp_path / "vendor"
    vendor.mkdir()
    (vendor / "yasqe.js").write_text("")
    said: list[str] = []
    with pytest.raises(PackagesMissing, match=r"^pip: ERROR: .*no-such-file") as raised:
        install(said.append, folder=folder, vendor=vendor)
    assert "\n" not in str(raised.value)
    assert len(said) == 1
    assert [file.name for file in vendor.iterdir()] == ["yasqe.js"]


def test_an_npm_that_fails_is_followed_by_the_other(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", "sys.exit('npm error code ETOOOLD')")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(frontend, "NODE_LOCK", tmp_path / "no-such-file.lock")
    with pytest.raises(PackagesMissing, match=r"^npm: npm error code ETOOOLD; pip: "):
        install(lambda _line: None, folder=folder, vendor=tmp_path / "vendor")
    assert not (tmp_path / "vendor").exists()


def test_the_command_ends_well_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_say: object) -> None:
        raise PackagesMissing("npm: no network")

    monkeypatch.setattr(frontend, "install", fail)
    result = CliRunner().invoke(main)
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].endswith("no graph views (npm: no network)")


def test_the_lock_file_names_hashes_and_no_server() -> None:
    packages = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    wanted = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    assert packages[""]["dependencies"] == wanted["dependencies"]
    assert packages[""]["devDependencies"] == wanted["devDependencies"]
    for place, package in packages.items():
        assert "resolved" not in package, place
        assert not place or package["integrity"].startswith("sha512-"), place
    for source in FILES.values():
        assert any(source.startswith(place.removeprefix("node_modules/") + "/") for place in packages if place), source


def test_what_is_installed_is_not_committed() -> None:
    ignored = (FOLDER.parent / ".gitignore").read_text(encoding="utf-8").split()
    assert {"web/node_modules/", "web/static/vendor/"} <= set(ignored)
