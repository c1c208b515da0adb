"""
How long a browser keeps the site's own files: for good where their address names their version, else until asked again.

``url_for("static", filename=...)`` puts the version, which is of the file's content, into the address. A module that
another imports by its plain name is looked at again each time, and not sent again while it is the same.
"""

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, Response, request

_FOR_GOOD = "public, max-age=31536000, immutable"


def version_assets(app: Flask) -> None:
    """Give the files in ``app``'s static folder addresses with a version, and the headers that go with them."""
    folder = Path(app.static_folder or "")

    def add_version(endpoint: str, values: dict[str, object]) -> None:
        if endpoint == "static" and "v" not in values:
            version = _version_of(folder / str(values.get("filename")))
            values.update({"v": version} if version else {})

    def keep(response: Response) -> Response:
        if request.endpoint == "static" and response.status_code in {200, 304}:
            path = folder / str((request.view_args or {}).get("filename"))
            asked = request.args.get("v")
            response.headers["Cache-Control"] = _FOR_GOOD if asked and asked == _version_of(path) else "no-cache"
        return response

    app.url_defaults(add_version)
    app.after_request(keep)


def _version_of(path: Path) -> str:
    """The version of a file; "" where there is none."""
    try:
        stat = path.stat()
    except (OSError, ValueError):
        return ""
    return _digest(path, stat.st_mtime_ns, stat.st_size) if path.is_file() else ""


@cache
def _digest(path: Path, changed_ns: int, size: int) -> str:
    del changed_ns, size  # they tell one content of the file from another
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10]
