"""D10: an upload's name with ``../`` in it wrote outside the upload folder.

The name that a browser sends for a picture is used for nothing: pictures are called as we call them, inside their run.
"""

import io
from pathlib import Path

import pytest

from agents.engine import Engine
from agents.runs import RunFolder
from tests.fakes import FakeRoles, little_graph
from tests.web.stage import finish, site_of
from web.app import create_app

GIF = b"GIF89a\x05\x00\x04\x00\x00\x00\x00;"


@pytest.mark.parametrize(
    "name", ["../../x", "../../../../etc/cron.d/x.gif", "/tmp/x.gif", "..\\..\\x.gif", "x\x00.gif"]
)
def test_nothing_is_written_outside_the_run(tmp_path: Path, name: str) -> None:
    root = tmp_path / "a" / "b"
    policy = FakeRoles().policy
    app = create_app(site_of(Engine(little_graph("root>a"), lambda _: policy, ("fake",), RunFolder(root / "runs"))))
    data = {
        "question": "Where to?",
        "topic": "http://example.org/root",
        "caption": "A tail.",
        "images": (io.BytesIO(GIF), name),
    }
    response = app.test_client().post("/ask", data=data, content_type="multipart/form-data")
    assert response.status_code == 303
    finish(app, response.headers["Location"])
    pictures = [path for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes() == GIF]
    assert [path.relative_to(root / "runs").parts[1:] for path in pictures] == [("image-1.gif",)]
