"""Reads a page as a browser would, for the tests: its tags, its attributes, its text."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

ALLOWED = set(
    re.findall(
        r"\w+",
        """html head meta title link body a aside header footer div svg path circle nav main section article
        h1 h2 h3 h4 p span strong form label textarea datalist select option input fieldset legend button ul
        ol li dl dt dd time details summary pre code desc defs marker g polyline rect text table caption
        thead tbody tr th td figure figcaption bdi img video audio source script kbd""",
    )
)


@dataclass
class Page(HTMLParser):
    """A parsed page: ``tags`` are (name, attributes) in order, ``text`` all that is shown."""

    html: str
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        self.text += " " if tag in {"dt", "dd", "li", "p", "h1", "h2", "h3", "h4", "td", "th"} else ""

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        """The attributes of each such tag that has these among them."""
        return [found for name, found in self.tags if name == tag and attributes.items() <= found.items()]

    def check_harmless(self) -> None:
        """Fails where a text has become markup, or an address leads away; scripts are files of ours."""
        for name, attributes in self.tags:
            assert name in ALLOWED, f"<{name}> {attributes}"
            assert tag_is_ours(name, attributes), f"<{name}> {attributes}"
            for attribute, value in attributes.items():
                assert not attribute.startswith("on") and attribute != "style", (name, attributes)
                if attribute in {"href", "src", "action", "poster"}:
                    assert value.startswith(("/", "#")) and not value.startswith("//"), (name, attributes)


def tag_is_ours(name: str, attributes: dict[str, str]) -> bool:
    """Whether a script comes from a file of ours, an image from an address of ours; anything else is."""
    if name == "script":
        return attributes.get("src", "").startswith("/static/")
    return name not in {"img", "video", "audio", "source"} or attributes.get("src", "/").startswith("/")
