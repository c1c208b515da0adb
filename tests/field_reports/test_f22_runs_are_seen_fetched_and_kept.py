"""F22: nobody could see, fetch or keep what an answer was made of.

Every run has an address at which its routes, its steps, its queries and its provenance can be had, also where no answer
was written: then what was retrieved stands by itself.
"""

import json
from pathlib import Path

import rdflib

from agents.engine import Engine
from agents.run_status import request_stop
from agents.runs import RunFolder
from tests.fakes import FakeRoles, little_graph
from tests.web.stage import site_of
from web.app import create_app


def test_what_was_retrieved_can_be_fetched_in_three_forms_without_an_answer(tmp_path: Path) -> None:
    runs = RunFolder(tmp_path / "runs")

    def before(role: str, place: str) -> None:
        if role == "validator":
            request_stop(runs.folder(runs.all_ids()[0]))

    engine = Engine(little_graph("root>a a>b"), lambda _: FakeRoles(before=before).policy, ("fake",), runs)
    client = create_app(site_of(engine)).test_client()
    asked = {"question": "Where to?", "topic": "http://example.org/root", "wait": 20}
    run = client.post("/api/ask", json=asked).get_json()
    assert run["result"]["answer"] == ""
    assert [path["text"] for path in run["result"]["paths"]] == ["root -leads to-> a"]
    assert "SELECT" in run["result"]["queries"][0]
    trace = client.get(run["links"]["trace"]).get_data(as_text=True)
    assert [json.loads(line)["kind"] for line in trace.splitlines()][:3] == ["topic", "round", "expanded"]
    graph = rdflib.Graph().parse(data=client.get(run["links"]["provenance"]).get_data(), format="turtle")
    assert len(set(graph.subjects(rdflib.RDF.type, rdflib.PROV.Plan))) == 1
    assert run["run"] in [listed["run"] for listed in client.get("/api/runs").get_json()["runs"]]
