"""Every address that the site answers, attacked: no failure, no raw markup, all the headers, no traceback."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask, Response, request

from sparql.guard.limits import Limits
from sparql.guard.pool import WorkerPool
from tests.web.safety.attacks import MARK, Attack, attacks_on, faults_of
from tests.web.whole import TOKEN as SECRET
from tests.web.whole import hostile_home, whole_site
from web.app import create_app
from web.protection import protect
from web.site import WebSettings

EACH = 40


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The site over the hostile graph, with a guard of the real kind."""
    home = hostile_home(tmp_path_factory.mktemp("attacked"))
    with WorkerPool(home.path, Limits(seconds=2, workers=2)) as guard:
        yield create_app(whole_site(home, guard=guard))


def test_every_address_stands_what_strangers_send(attacked: Flask, tmp_path: Path) -> None:
    chance, told, count = random.Random(4), (SECRET, str(tmp_path.parent), "root:x:"), 0
    faults: list[str] = []
    for rule in sorted(attacked.url_map.iter_rules(), key=str):
        for attack in attacks_on(rule, each=EACH, chance=chance):
            count += 1
            faults += [f"{fault}: {attack}" for fault in _answer(attacked, attack, told)]
    assert count > 400
    assert faults == [], f"{len(faults)} faults:\n" + "\n".join(faults[:10])


@pytest.mark.parametrize(
    "view",
    [
        lambda: 1 // 0,
        lambda: f"<p>{request.args.get('q', '')}</p>",
        lambda: "<p><a href='javascript:x'>y</a></p>",
        lambda: "<script>x()</script>",
        lambda: Response("Traceback (most recent call last):", mimetype="text/plain"),
        lambda: f"<p>{SECRET}</p>",
    ],
)
def test_an_address_that_does_not_is_found_out(view: Callable[[], str | Response]) -> None:
    app = Flask(__name__)
    app.add_url_rule("/odd", "odd", view)
    protect(app, WebSettings())
    attack = Attack("GET", "/odd?q=" + MARK)
    assert _answer(app, attack, (SECRET,))


def _answer(app: Flask, attack: Attack, told: tuple[str, ...]) -> list[str]:
    headers = {"Authorization": f"Bearer {SECRET}"} | attack.headers  # what lies behind the token is attacked too
    response = app.test_client().open(
        attack.address, method=attack.method, headers=headers, data=attack.body, content_type=attack.content_type
    )
    try:
        return faults_of(response, told=told)
    finally:
        response.close()
