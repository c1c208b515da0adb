/*
 * Shows a walk as it happens, from the run's server-sent events (see web/ask/stream.py): what is open, what was chosen
 * and what was not, what was judged enough, what it has cost, and the graph as it grows.
 *
 *   <section data-events="/runs/<id>/events" data-entity="/entity?iri=" [data-replay]> ... </section>
 *
 * When the walk is over, the page of the run with its answer takes the place of this one. With data-replay the walk is
 * over already, is shown again at a pace that can be followed, and the page stays. Texts of the graph and of models are
 * put into the page as text only.
 */

const PACE_MS = 350;
const SAY_MS = 1500;
const TICK_MS = 200;
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

class Walk {
  constructor(section) {
    this.section = section;
    this.isReplay = "replay" in section.dataset;
    this.steps = document.getElementById("steps");
    this.said = document.getElementById("said");
    this.names = new Map();
    this.types = new Map();
    this.counts = { rounds: 0, calls: 0, tokens: 0 };
    this.queue = [];
    this.seconds = 0;
    this.saying = "";
    this.graph = null;
  }

  start() {
    this.list = element("ol", { className: "rounds" });
    this.steps.replaceChildren(this.list);
    for (const name of Object.keys(this.counts)) this.count(name, 0);
    this.source = new EventSource(this.section.dataset.events);
    this.source.onopen = () => this.opened();
    this.source.onmessage = message => this.take(message.data);
    this.source.addEventListener("done", message => this.end(message.data));
    this.source.onerror = () => this.lost();
    this.heard = performance.now();
    this.ticking = setInterval(() => this.tick(), TICK_MS);
    setInterval(() => this.speak(), SAY_MS);
    this.stopByScript();
  }

  opened() {
    if (this.wasLost) this.say("The connection is there again.");
    this.wasLost = false;
  }

  lost() {
    if (this.over) return;
    if (this.source.readyState === EventSource.CLOSED) {
      this.say("The walk cannot be watched from here just now. This page looks again in a little while.");
      setTimeout(() => location.reload(), 4000);
    } else {
      this.wasLost = true;
    }
  }

  take(data) {
    const event = parsed(data);
    if (!event) return;
    if (!this.isReplay || stillness.matches) return this.show(event);
    this.queue.push(() => this.show(event));
    this.pace();
  }

  /** Shows what waits, one at a time. */
  pace() {
    if (this.pacing) return;
    this.pacing = setInterval(() => {
      const next = this.queue.shift();
      if (next) return next();
      clearInterval(this.pacing);
      this.pacing = null;
    }, PACE_MS);
  }

  end(data) {
    this.over = true;
    this.source.close();
    const status = parsed(data) ?? {};
    const finish = () => {
      clearInterval(this.ticking);
      this.count("seconds", (status.seconds ?? 0).toFixed(1));
      if (this.isReplay) return this.say("That was the walk.");
      this.say("The walk is over.");
      this.speak();
      location.replace(location.pathname);
    };
    if (!this.isReplay || stillness.matches) return finish();
    this.queue.push(finish);
    this.pace();
  }

  show(event) {
    const shown = this.seconds + (performance.now() - this.heard) / 1000;
    this.seconds = Math.max(this.isReplay ? 0 : shown, event.seconds ?? 0);
    this.heard = performance.now();
    for (const call of event.calls ?? []) {
      this.counts.calls += 1;
      this.counts.tokens += (call.prompt_tokens ?? 0) + (call.completion_tokens ?? 0);
    }
    const shows = {
      perceived: this.perceived, topic: this.topic, round: this.round, expanded: this.expanded,
      validated: this.validated, selected: this.selected, answered: this.answered,
    };
    shows[event.kind]?.call(this, event);
    for (const [name, value] of Object.entries(this.counts)) this.count(name, value.toLocaleString("en"));
  }

  perceived(event) {
    this.list.append(element("li", { className: "round" },
      element("p", {}, "What the pictures show: ", event.caption || "nothing was seen in them")));
  }

  topic(event) {
    if (!event.topic) return this.say("No topic was found.");
    this.names.set(event.topic, event.label);
    this.types.set(event.topic, event.types ?? []);
    this.list.append(element("li", { className: "round" },
      element("p", {}, "The walk starts at ", this.link(event.topic), ".")));
    this.say(`The walk starts at ${event.label}.`);
    this.grow([event.topic], []);
  }

  round(event) {
    this.counts.rounds = event.number;
    const open = (event.frontier ?? []).map(iri => this.names.get(iri) ?? iri);
    this.current = element("li", { className: "round fresh" },
      element("h3", {}, `Round ${event.number} `, element("span", { className: "muted", textContent: `at ${event.seconds.toFixed(2)} s` })),
      element("p", {}, "Open: ", open.join(", "), "."));
    this.verdicts = null;
    this.list.append(this.current);
    this.say(`Round ${event.number}: ${open.length} open.`);
    this.graph?.mark(event.frontier ?? [], "open");
  }

  expanded(event) {
    const [chosen, rejected] = [event.chosen ?? [], event.rejected ?? []];
    for (const offer of chosen) {
      this.names.set(offer.iri, offer.label);
      this.types.set(offer.iri, offer.types ?? []);
    }
    const offered = chosen.length + rejected.length;
    const told = offered ? `${chosen.length} of ${offered} followed` : "leads nowhere new";
    const block = element("div", { className: "expansion" },
      element("h4", {}, event.path.join(" › "), " ", element("span", { className: "muted", textContent: told })));
    if (chosen.length) block.append(element("ul", { className: "offers" }, ...chosen.map(offer => this.offer(offer))));
    if (rejected.length) {
      block.append(element("details", {},
        element("summary", { textContent: `${rejected.length} not followed` }),
        element("ul", { className: "offers" }, ...rejected.map(offer => this.offer(offer)))));
    }
    (this.current ?? this.list).append(block);
    this.say(`${event.path.at(-1)}: ${told}.`);
    this.grow(chosen.map(offer => offer.iri), chosen.map(offer => edge(event.entity, offer)), event.entity);
    this.graph?.mark([event.entity], "");
  }

  validated(event) {
    if (!this.current) return;
    if (!this.verdicts) {
      this.verdicts = element("ul", { className: "verdicts" });
      this.current.append(element("p", { className: "eyebrow", textContent: "Judged" }), this.verdicts);
    }
    const verdict = event.sufficient ? "enough to answer" : "not enough yet";
    const item = element("li", {}, event.path.join(" › "), " ",
      element("span", { className: event.sufficient ? "badge good" : "badge", textContent: verdict }));
    if (event.caption) item.append(element("p", { className: "hint", textContent: `Seen: ${event.caption}` }));
    this.verdicts.append(item);
    if (event.sufficient) this.say(`${event.path.at(-1)}: enough to answer.`);
  }

  selected(event) {
    const count = (event.paths ?? []).length;
    this.list.append(element("li", { className: "round" },
      element("p", { textContent: `${count} of ${event.retrieved} route${event.retrieved === 1 ? "" : "s"} kept${event.unanswered ? `: ${event.unanswered}` : ""}.` }),
      element("ul", {}, ...(event.paths ?? []).map(path => element("li", { textContent: path.join(" › ") })))));
    this.say(`${count} of ${event.retrieved} routes kept; the answer is being written.`);
    this.current = null;
  }

  answered(event) {
    if (event.answer) this.list.append(element("li", { className: "round" },
      element("h3", { textContent: "Answer" }), element("p", { className: "answer-text", textContent: event.answer })));
  }

  offer(offer) {
    const parts = [element("span", { className: "relation", textContent: offer.relation_label }), " ", this.link(offer.iri, offer.label)];
    if (offer.score) parts.push(" ", element("span", { className: "score", textContent: `score ${offer.score.toFixed(2)}` }));
    for (const condition of offer.conditions ?? []) {
      if (!offer.relation_label.includes(condition)) parts.push(" ", element("span", { className: "condition", textContent: condition }));
    }
    return element("li", {}, ...parts);
  }

  link(iri, name = this.names.get(iri) ?? iri) {
    return element("a", { href: this.section.dataset.entity + encodeURIComponent(iri), textContent: name });
  }

  /** The graph, as far as it has been found. */
  grow(iris, edges, around = null) {
    const nodes = iris.map(iri => ({
      iri, label: this.names.get(iri) ?? iri, kind: "", types: this.types.get(iri) ?? [], href: this.section.dataset.entity + encodeURIComponent(iri),
    }));
    this.growing = (this.growing ?? this.makeGraph(iris[0])).then(() =>
      this.graph?.addNeighbourhood({ nodes, edges }, around ? { around } : {}));
  }

  async makeGraph(focus) {
    try {
      const { createGraph } = await import("./graph-view.js");
      document.getElementById("graph-card").hidden = false;
      const place = document.getElementById("walk-graph"), classes = JSON.parse(place.dataset.classes ?? "[]");
      this.graph = await createGraph(place, { focus, classes, layout: "tree", label: "The graph that the walk has found" });
    } catch {
      document.getElementById("graph-card").hidden = true;  // the steps say the same in words
    }
  }

  count(name, value) {
    const place = this.section.querySelector(`[data-count="${name}"]`);
    if (place) place.textContent = value;
  }

  /** The walk began before this page was opened: what its last event says is added to the time since then. */
  tick() {
    const now = this.isReplay || this.over ? this.seconds : this.seconds + (performance.now() - this.heard) / 1000;
    this.count("seconds", now.toFixed(1));
  }

  /** What is to be said next; said every so often, so that a screen reader can follow. */
  say(text) {
    this.saying = text;
    if (!this.spoken) this.speak();
  }

  speak() {
    if (this.saying && this.said.textContent !== this.saying) this.said.textContent = this.saying;
    this.spoken = this.saying;
  }

  stopByScript() {
    const form = document.getElementById("stop");
    form?.addEventListener("submit", async event => {
      event.preventDefault();
      const button = form.querySelector("button");
      button.disabled = true;
      try {
        const response = await fetch(form.action, { method: "POST", redirect: "manual" });
        if (response.type !== "opaqueredirect" && !response.ok) throw new Error(`the server answered ${response.status}`);
        this.say("Stopping: no further call begins. A call that a model is at is abandoned; it may still be billed.");
      } catch (error) {
        button.disabled = false;
        this.say(`The walk could not be stopped: ${error.message}.`);
      }
      this.speak();
    });
  }
}

function edge(source, offer) {
  return {
    id: `${source} ${offer.relation} ${offer.iri}`, source, target: offer.iri, relation: offer.relation,
    relation_label: offer.relation_label, base: offer.base ?? offer.relation,
    base_label: offer.base_label ?? offer.relation_label, condition: offer.condition ?? "",
    conditions: offer.conditions ?? [],
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const section = document.querySelector("[data-events]");
if (section) new Walk(section).start();
