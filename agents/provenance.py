"""
A run as PROV-O (https://www.w3.org/TR/prov-o/): who answered, from what, by which steps, in Turtle.

The run is an activity that used the question and the entities of the graph, and generated the routes and the answer.
Its rounds are activities, each informed by the one before and planned by its generated SPARQL; its calls are
activities, each informed by the step before it and carried out by a model, a software agent. A route derives from the
facts and entities on it, the answer from the routes and the media items. Every node has an IRI under the run's own;
every text is a literal. It is made of what was kept of the run, so that any run has one, an unfinished one, too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pyoxigraph as ox

from agents.run_status import RunStatus
from ontology.terms import PREFIXES, RDF_TYPE, RDFS_LABEL, term

RUN_BASE = "https://w3id.org/scoutfly/run/"
_PREFIXES = {"prov": PREFIXES["prov"], "rdfs": PREFIXES["rdfs"], "xsd": PREFIXES["xsd"], "dcterms": PREFIXES["dcterms"]}
_ACTIVITY, _ENTITY, _PLAN, _AGENT, _SOFTWARE, _ASSOCIATION = (
    term(f"prov:{name}") for name in ("Activity", "Entity", "Plan", "Agent", "SoftwareAgent", "Association")
)
_USED, _VALUE, _GENERATED_BY, _DERIVED_FROM, _ATTRIBUTED_TO, _INFORMED_BY = (
    term(f"prov:{name}")
    for name in ("used", "value", "wasGeneratedBy", "wasDerivedFrom", "wasAttributedTo", "wasInformedBy")
)
_ASSOCIATED_WITH, _QUALIFIED, _BY_AGENT, _HAD_PLAN, _STARTED, _ENDED = (
    term(f"prov:{name}")
    for name in ("wasAssociatedWith", "qualifiedAssociation", "agent", "hadPlan", "startedAtTime", "endedAtTime")
)
_PART_OF, _IDENTIFIER, _DESCRIPTION = (term(f"dcterms:{name}") for name in ("isPartOf", "identifier", "description"))
_DATE_TIME = term("xsd:dateTime")
_USERINFO = re.compile(r"(?<=://)[^/\s@]+@")
"""A name and a password in an address."""

Json = Mapping[str, object]


def provenance(
    run_id: str,
    *,
    status: RunStatus,
    asked: Json,
    result: Json | None = None,
    trace: Sequence[Json] = (),
) -> str:
    """
    The provenance of a run, in Turtle.

    ``asked`` is what agents.runs.RunFolder.asked gives, or the result; ``result`` is what it loads, None where the run
    has none; ``trace`` are its events, in order.
    """
    account = _Account(run_id)
    account.tell_run(status, asked)
    account.tell_question(asked)
    last = account.tell_trace(trace)
    if result is not None:
        account.tell_result(result, last)
    return account.to_turtle()


class _Account:
    """The triples of one run as they are told."""

    def __init__(self, run_id: str) -> None:
        self._id = run_id
        self._run = ox.NamedNode(RUN_BASE + run_id)
        self._triples: dict[ox.Triple, None] = {}
        self._started: datetime | None = None
        self._models: dict[str, ox.NamedNode] = {}
        self._rounds = 0
        self._platform = self._agent("scoutfly", "Scoutfly")

    def tell_run(self, status: RunStatus, asked: Json) -> None:
        self._add(self._run, RDF_TYPE, _ACTIVITY)
        self._say(self._run, RDFS_LABEL, f"Run {self._id}")
        self._say(self._run, _IDENTIFIER, self._id)
        policy = _text(_table(asked.get("policy")).get("name"))
        said = [f"state: {status.state}", f"policy: {policy}" if policy else "", status.problem]
        self._say(self._run, _DESCRIPTION, "; ".join(filter(None, said)))
        self._add(self._run, _ASSOCIATED_WITH, self._platform)
        self._started = _time(status.started) or _stamp(self._id)
        if self._started is not None:
            self._at(self._run, _STARTED, self._started)
            if status.state in {"finished", "stopped", "failed"}:
                self._at(self._run, _ENDED, self._started + timedelta(seconds=status.seconds))

    def tell_question(self, asked: Json) -> None:
        question = _table(asked.get("question"))
        labels = {"text": "question", "topic": "topic", "extra": "extra information", "caption": "caption"}
        for name, label in labels.items():
            if _text(question.get(name)):
                node = self._entity(label.replace(" ", "-"), label.capitalize(), _text(question[name]))
                self._add(self._run, _USED, node)
        for number, image in enumerate(_list(question.get("images")), 1):
            name = _text(image).replace("\\", "/").rsplit("/", 1)[-1]
            self._add(self._run, _USED, self._entity(f"picture-{number}", f"Picture {number}: {name}"))
        for hit in _list(_table(asked.get("evidence")).get("hits")):
            for item in _list(_table(hit).get("items")):
                self._used(self._run, self._graph_entity(_text(item)))

    def tell_trace(self, trace: Iterable[Json]) -> ox.NamedNode | None:
        """The rounds and the calls; returns the call that wrote the answer."""
        step, last, number = self._run, None, 0
        for event in trace:
            if event.get("kind") == "topic" and _text(event.get("topic")):
                topic = self._graph_entity(_text(event["topic"]), _text(event.get("label")))
                self._used(self._run, topic)
            if event.get("kind") == "round":
                step = self._tell_round(event, step)
            for call in _list(event.get("calls")):
                number += 1
                node = self._tell_call(_table(call), number, step)
                last = node if _table(call).get("role") == "summarizer" else last
            if event.get("kind") == "expanded":
                for offer in _list(event.get("chosen")):
                    chosen = _table(offer)
                    self._used(step, self._graph_entity(_text(chosen.get("iri")), _text(chosen.get("label"))))
        return last

    def _tell_round(self, event: Json, before: ox.NamedNode) -> ox.NamedNode:
        self._rounds += 1
        number = self._rounds
        node = self._activity(f"round-{number}", f"Round {number}")
        if before != self._run:
            self._add(node, _INFORMED_BY, before)
        for iri in _list(event.get("frontier")):
            self._used(node, self._graph_entity(_text(iri)))
        seconds = event.get("seconds")
        if self._started is not None and isinstance(seconds, (int, float)):
            self._at(node, _STARTED, self._started + timedelta(seconds=seconds))
        plan = self._entity(f"query-{number}", f"SPARQL of round {number}", _text(event.get("sparql")))
        self._add(plan, RDF_TYPE, _PLAN)
        association = self._node(f"association-{number}")
        self._add(association, RDF_TYPE, _ASSOCIATION)
        self._add(association, _BY_AGENT, self._platform)
        self._add(association, _HAD_PLAN, plan)
        self._add(node, _QUALIFIED, association)
        self._add(node, _ASSOCIATED_WITH, self._platform)
        return node

    def _tell_call(self, call: Json, number: int, step: ox.NamedNode) -> ox.NamedNode:
        role = _text(call.get("role")).replace("_", " ")
        node = self._activity(f"call-{number}", f"Call {number}: {role}")
        if step != self._run:
            self._add(node, _INFORMED_BY, step)
        model = _text(call.get("model"))
        if model:
            self._add(node, _ASSOCIATED_WITH, self._model(model))
        said = [f"{_text(call.get(name))} {unit}" for name, unit in _COSTS.items() if call.get(name)]
        said += ["from the cache"] if call.get("cached") else []
        self._say(node, _DESCRIPTION, "; ".join([*said, *filter(None, (_text(call.get("problem")),))]))
        if _text(call.get("prompt_sha256")):
            prompt = self._entity(f"prompt-{number}", f"Prompt of call {number}, by its SHA-256")
            self._say(prompt, _IDENTIFIER, f"sha256:{_text(call['prompt_sha256'])}")
            self._add(node, _USED, prompt)
        if _text(call.get("answer")):
            reply = self._entity(f"reply-{number}", f"Reply to call {number}", _text(call["answer"]))
            self._add(reply, _GENERATED_BY, node)
        return node

    def tell_result(self, result: Json, writing: ox.NamedNode | None) -> None:
        """The routes, and what was written from them by the call ``writing``: a run that was stopped has no answer."""
        routes = [self._tell_route(_table(path), number) for number, path in enumerate(_list(result.get("paths")), 1)]
        tables = [_table(item) for item in _list(result.get("media"))]
        media = [self._graph_entity(_text(item.get("iri")), _text(item.get("label"))) for item in tables]
        if not _text(result.get("answer")):
            return
        answer = self._entity("answer", "Answer", _text(result["answer"]))
        self._add(answer, _GENERATED_BY, self._run)
        if writing is not None:
            self._add(answer, _GENERATED_BY, writing)
        self._add(answer, _ATTRIBUTED_TO, self._platform)
        for origin in (*routes, *media):
            self._derived(answer, origin)

    def _tell_route(self, path: Json, number: int) -> ox.NamedNode:
        route = self._entity(f"route-{number}", f"Route {number}", _text(path.get("text")))
        self._add(route, _GENERATED_BY, self._run)
        for entity in _list(path.get("entities")):
            said = _table(entity)
            self._derived(route, self._graph_entity(_text(said.get("iri")), _text(said.get("label"))))
        for edge in _list(path.get("edges")):
            for fact in _list(_table(edge).get("facts")):
                written = _text(fact)  # as N-Triples has it: a blank node's name says nothing outside the store
                if written.startswith("<") and written.endswith(">"):
                    self._derived(route, self._graph_entity(written[1:-1]))
            for evidence in _list(_table(edge).get("evidence")):
                self._derived(route, self._graph_entity(_text(evidence)))
        return route

    def to_turtle(self) -> str:
        place = {triple.subject: number for number, triple in reversed(list(enumerate(self._triples)))}
        together = sorted(self._triples, key=lambda triple: place[triple.subject])
        prefixes = {**_PREFIXES, "run": f"{self._run.value}#"}
        written = ox.serialize(together, format=ox.RdfFormat.TURTLE, prefixes=prefixes)
        return written.decode("utf-8") if written is not None else ""

    def _node(self, name: str) -> ox.NamedNode:
        return ox.NamedNode(f"{self._run.value}#{name}")

    def _activity(self, name: str, label: str) -> ox.NamedNode:
        node = self._node(name)
        self._add(node, RDF_TYPE, _ACTIVITY)
        self._add(node, _PART_OF, self._run)
        self._say(node, RDFS_LABEL, label)
        return node

    def _entity(self, name: str, label: str, value: str = "") -> ox.NamedNode:
        node = self._node(name)
        self._add(node, RDF_TYPE, _ENTITY)
        self._say(node, RDFS_LABEL, label)
        self._say(node, _VALUE, value)
        return node

    def _agent(self, name: str, label: str) -> ox.NamedNode:
        node = self._node(name)
        self._add(node, RDF_TYPE, _AGENT)
        self._add(node, RDF_TYPE, _SOFTWARE)
        self._say(node, RDFS_LABEL, label)
        return node

    def _model(self, name: str) -> ox.NamedNode:
        if name not in self._models:
            self._models[name] = self._agent(f"model-{len(self._models) + 1}", name)
        return self._models[name]

    def _graph_entity(self, iri: str, label: str = "") -> ox.NamedNode | None:
        """An entity of the graph; None for an IRI that no document can name."""
        try:
            node = ox.NamedNode(iri)
        except ValueError:
            return None
        self._add(node, RDF_TYPE, _ENTITY)
        self._say(node, RDFS_LABEL, label)
        return node

    def _used(self, activity: ox.NamedNode, entity: ox.NamedNode | None) -> None:
        if entity is not None:
            self._add(activity, _USED, entity)

    def _derived(self, entity: ox.NamedNode, origin: ox.NamedNode | None) -> None:
        if origin is not None:
            self._add(entity, _DERIVED_FROM, origin)

    def _at(self, node: ox.NamedNode, when: ox.NamedNode, time: datetime) -> None:
        self._add(node, when, ox.Literal(time.isoformat(timespec="milliseconds"), datatype=_DATE_TIME))

    def _say(self, node: ox.NamedNode, what: ox.NamedNode, text: str) -> None:
        if text:
            self._add(node, what, ox.Literal(_USERINFO.sub("", text)))

    def _add(self, subject: ox.NamedNode, predicate: ox.NamedNode, object_: ox.NamedNode | ox.Literal) -> None:
        self._triples[ox.Triple(subject, predicate, object_)] = None


_COSTS = {"prompt_tokens": "tokens in", "completion_tokens": "tokens out", "seconds": "s"}


def _text(value: object) -> str:
    """A text that has a UTF-8 form; half a surrogate pair has none."""
    text = "" if value is None else str(value)
    return text.encode("utf-8", "replace").decode("utf-8")


def _table(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _stamp(run_id: str) -> datetime | None:
    try:
        return datetime.strptime(run_id[:16], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
