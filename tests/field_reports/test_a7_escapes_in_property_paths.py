"""A7: a query parser decodes ``%20`` in a name, so that nothing matches.

Percent escapes are kept byte for byte, from the file through the store to the answer.
"""

from pathlib import Path

import pyoxigraph as ox

from kg.home import Home
from kg.importing import import_path

PREDICATE = ox.NamedNode("http://example.org/part%20of")


def test_a_path_over_an_escaped_predicate_matches(tmp_path: Path) -> None:
    path = tmp_path / "g.ttl"
    path.write_text(f"@prefix : <http://example.org/> . :a {PREDICATE} :b . :b :part%20of :c .")
    home = Home(tmp_path / "home")
    import_path(home, path)
    reader = home.reader()
    assert reader.ask(f"ASK {{ <http://example.org/a> {PREDICATE}+ <http://example.org/c> }}")
    assert reader.ask("PREFIX : <http://example.org/> ASK { :a :part%20of/:part%20of :c }")
