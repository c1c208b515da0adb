"""A21: zero disappears from the XML results, because the writer tests a value for truth.

0, 0.0, false and the empty text come through in every result format, and in the table for people.
"""

import csv
import io
import json
from xml.etree.ElementTree import fromstring

import pyoxigraph as ox
import pytest

from kg.querying import answer

QUERY = 'SELECT ?v ?none WHERE { VALUES ?v { 0 0.0 0e0 false "" ""@en } }'


def values(fmt: str) -> list[str]:
    data = answer(ox.Store(), QUERY, fmt=fmt)
    if fmt == "json":
        return [binding["v"]["value"] for binding in json.loads(data)["results"]["bindings"]]
    if fmt == "xml":
        return [node.text or "" for node in fromstring(data).iter() if node.tag.endswith("}literal")]
    rows = list(csv.reader(io.StringIO(data.decode()), delimiter="," if fmt == "csv" else "\t", quoting=csv.QUOTE_NONE))
    return [row[0].partition("^^")[0].partition("@")[0].strip('"') for row in rows[1:]]


@pytest.mark.parametrize("fmt", ["json", "xml", "csv", "tsv"])
def test_falsy_values_come_through_in_every_result_format(fmt: str) -> None:
    got = values(fmt)
    assert len(got) == 6
    assert got[0] == "0"
    assert got[3:] == ["false", "", ""]
    assert [float(text) for text in got[:3]] == [0.0, 0.0, 0.0]


def test_falsy_values_come_through_in_the_table() -> None:
    lines = answer(ox.Store(), QUERY).decode().splitlines()
    assert [line.strip() for line in lines[2:8]] == ["0", "0", "0", "false", '""', '""@en']
    assert lines[-1] == "(6 rows)"
