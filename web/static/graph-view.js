/*
 * A graph to look at and to walk through: drawn by Cytoscape, and mirrored by a list for keyboards and screen readers.
 *
 *   import { createGraph } from "./graph-view.js";
 *   const graph = await createGraph(container, { expand: iri => neighbourhood(iri), focus: iri });
 *   graph.addNeighbourhood({ nodes, edges });
 *
 * createGraph(container, options) -> Promise of
 *   addNeighbourhood(data, {around})  add nodes and edges; those that are there already stay as they are
 *   highlight({nodes, edges})         draw these IRIs of nodes and ids of edges strongly and the rest faintly; null ends it
 *   mark(ids, name)                   say of nodes or edges that they are "open", "chosen", "rejected" or "end"; "" ends it
 *   fit(), clear(), destroy()
 * options
 *   expand(iri)    gives a promise of more data when a node is opened; without it nodes do not open
 *   focus          IRI of the node in the middle
 *   maxNodes       how many nodes are drawn at most (200)
 *   label          what the drawing shows, for those who do not see it
 * data, as /api/neighbourhood gives it
 *   nodes: [{iri, label, kind, href}]
 *   edges: [{id, source, target, relation, relation_label, base, base_label, conditions: [text]}]
 *   total, truncated (optional): how many edges there are; whether some were left out
 *
 * Where Cytoscape cannot be loaded the list alone is shown. Knows nothing of addresses: `expand` fetches.
 * Styles: graph-view.css.
 */

import { Lists } from "./graph-lists.js";

const COLOURS = 8;
const LONGEST = 40; // characters of a condition in the drawing; the list has all of it
const CLOSEST = 1.2; // a drawing of few entities is not blown up to fill its frame
const LABELLED = 8; // with more edges than these, only those that are pointed at or on the path are labelled
const MARKS = ["open", "chosen", "rejected", "end"];
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
const darkness = matchMedia("(prefers-color-scheme: dark)");

/** The neighbourhood of an IRI, from this server. `root` is where the site stands, `search` more parameters. */
export async function fetchNeighbourhood(root, iri, search = {}) {
  const parameters = new URLSearchParams({ iri, ...search });
  const response = await fetch(`${root}/api/neighbourhood?${parameters}`, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json();
}

export async function createGraph(container, options = {}) {
  const graph = new Graph(container, options);
  await graph.start();
  return graph;
}

class Graph {
  constructor(container, { expand = null, focus = null, maxNodes = 200, label = "A graph of entities" }) {
    Object.assign(this, { container, expand, focus, maxNodes });
    this.nodes = new Map();
    this.edges = new Map();
    this.kinds = [];
    this.opened = new Set();
    this.hidden = { relations: new Set(), conditions: new Set() };
    this.path = null;
    this.marks = new Map();
    this.lists = new Lists(this, label);
  }

  async start() {
    this.lists.build();
    const cytoscape = await loadCytoscape();
    if (!cytoscape) {
      this.container.classList.add("graph-plain");
      return;
    }
    this.cy = cytoscape({
      container: this.lists.canvas,
      style: styles(this.container),
      layout: { name: "preset" },
      minZoom: 0.15,
      maxZoom: 3,
      boxSelectionEnabled: false,
      autounselectify: true,
    });
    this.cy.on("tap", "node", event => this.open(event.target.id()));
    this.cy.on("tap", "edge", event => this.lists.tell(sentence(this.edges.get(event.target.id()), this.nodes)));
    this.cy.on("mouseover", "node, edge", event => this.point(event.target));
    this.cy.on("mouseout", "node, edge", () => this.point(null));
    this.repaint = () => this.cy.style(styles(this.container));
    darkness.addEventListener("change", this.repaint);
  }

  addNeighbourhood(data, { around = this.focus } = {}) {
    const [nodes, edges] = this.admit(data);
    for (const node of nodes) this.nodes.set(node.iri, node);
    for (const edge of edges) this.edges.set(edge.id, edge);
    const refused = data.nodes.filter(node => !this.nodes.has(node.iri)).length;
    if (this.cy) this.draw(nodes, edges, around);
    this.lists.refresh();
    this.apply();
    this.lists.tell(said(nodes.length, edges.length, { refused, maxNodes: this.maxNodes, data }));
  }

  /** Those of the nodes and edges that are new and for which there is room. */
  admit(data) {
    const room = Math.max(0, this.maxNodes - this.nodes.size);
    const nodes = unique(data.nodes, node => node.iri).filter(node => !this.nodes.has(node.iri)).slice(0, room);
    const known = new Set([...this.nodes.keys(), ...nodes.map(node => node.iri)]);
    const edges = unique(data.edges, edge => edge.id).filter(edge => !this.edges.has(edge.id)
      && known.has(edge.source) && known.has(edge.target));
    return [nodes, edges];
  }

  draw(nodes, edges, around) {
    const at = around && this.cy.getElementById(around).nonempty()
      ? this.cy.getElementById(around).position() : { x: 0, y: 0 };
    const first = this.cy.elements().empty();
    this.cy.add(nodes.map((node, index) => ({
      group: "nodes",
      data: { id: node.iri, label: node.label },
      classes: this.classesOf(node),
      position: node.iri === this.focus ? { ...at } : beside(at, index, nodes.length, this.stretch()),
    })));
    this.cy.add(edges.map(edge => ({
      group: "edges",
      data: { id: edge.id, source: edge.source, target: edge.target, label: caption(edge) },
      classes: (edge.conditions ?? []).length ? "conditioned" : "",
    })));
    if (first && nodes.some(node => node.iri === this.focus)) this.fit();  // a star is laid out already
    else this.arrange(first);
  }

  /** How much wider than high a star is: as the frame, within reason. */
  stretch() {
    return Math.min(Math.max(this.cy.width() / this.cy.height() || 1, 0.8), 1.5);
  }

  classesOf(node) {
    if (!this.kinds.includes(node.kind)) this.kinds.push(node.kind);
    const classes = [`kind${this.kinds.indexOf(node.kind) % COLOURS}`];
    if (node.iri === this.focus) classes.push("focus");
    return classes;
  }

  arrange(first) {
    const animate = !stillness.matches && !first && this.nodes.size < 120;
    this.layout?.stop();
    this.layout = this.cy.layout({
      name: "cose",
      animate: animate ? "end" : false,
      animationDuration: 350,
      randomize: false,
      fit: true,
      padding: 24,
      nodeRepulsion: () => 200000,
      idealEdgeLength: () => 170,
      nodeOverlap: 24,
      gravity: 0.6,
      numIter: this.nodes.size > 100 ? 300 : 700,
    });
    this.layout.one("layoutstop", () => this.keepDistance());
    this.layout.run();
  }

  /** Open a node: fetch its neighbourhood, once. */
  async open(iri) {
    const node = this.nodes.get(iri);
    this.select(iri);
    if (!node || !this.expand || this.opened.has(iri)) return;
    if (this.nodes.size >= this.maxNodes) {
      this.lists.tell(`No more than ${this.maxNodes} entities are drawn. Open the page of ${node.label} to go on from there.`);
      return;
    }
    this.opened.add(iri);
    this.lists.tell(`Fetching what is next to ${node.label}…`);
    try {
      this.addNeighbourhood(await this.expand(iri), { around: iri });
    } catch (error) {
      this.opened.delete(iri);
      this.lists.tell(`What is next to ${node.label} could not be fetched. ${error.message}`);
    }
  }

  select(iri) {
    this.cy?.nodes(".selected").removeClass("selected");
    this.cy?.getElementById(iri).addClass("selected");
    this.lists.select(iri);
  }

  /** What the mouse or the focus is on is drawn strongly, and its edges are labelled. Null ends it. */
  point(target) {
    this.cy?.batch(() => {
      this.cy.elements(".pointed, .told").removeClass("pointed told");
      target?.addClass("pointed");
      // Those of the one in the middle may be all that there are: they would cover one another.
      const edges = target?.isNode() ? target.connectedEdges(":visible") : target;
      if (edges && edges.length <= LABELLED) edges.addClass("told");
    });
  }

  /** As point, by IRI. */
  pointAt(iri) {
    const node = iri ? this.cy?.getElementById(iri) : null;
    this.point(node?.nonempty() ? node : null);
  }

  highlight(path) {
    this.path = path && { nodes: new Set(path.nodes ?? []), edges: new Set(path.edges ?? []) };
    this.apply();
  }

  mark(ids, name) {
    for (const id of [ids].flat()) this.marks.set(id, name);
    this.apply();
  }

  /** Show a relation or a condition, or hide it. */
  filter(what, key, shown) {
    if (shown) this.hidden[what].delete(key);
    else this.hidden[what].add(key);
    this.apply();
  }

  isShown(edge) {
    if (this.hidden.relations.has(edge.base)) return false;
    const conditions = edge.conditions?.length ? edge.conditions : [""];
    return conditions.some(condition => !this.hidden.conditions.has(condition));
  }

  /** Brings drawing and list in line with the filters, the marks and the path. */
  apply() {
    const edges = [...this.edges.values()].filter(edge => this.isShown(edge));
    const shown = new Set(edges.map(edge => edge.id));
    const reached = new Set([this.focus, ...edges.flatMap(edge => [edge.source, edge.target])]);
    if (!this.focus || this.edges.size === 0) for (const iri of this.nodes.keys()) reached.add(iri);
    this.lists.apply(shown, reached);
    this.cy?.batch(() => {
      for (const edge of this.cy.edges()) this.dress(edge, shown.has(edge.id()), this.path?.edges);
      for (const node of this.cy.nodes()) this.dress(node, reached.has(node.id()), this.path?.nodes);
      this.cy.edges().toggleClass("quiet", edges.length > LABELLED);
    });
  }

  dress(element, isShown, path) {
    element.toggleClass("hidden", !isShown);
    element.toggleClass("path", Boolean(path?.has(element.id())));
    element.toggleClass("faint", Boolean(this.path) && !path.has(element.id()));
    for (const name of MARKS) element.toggleClass(name, this.marks.get(element.id()) === name);
  }

  fit() {
    this.cy?.fit(this.cy.elements().not(".hidden"), 24);
    this.keepDistance();
  }

  keepDistance() {
    if (!this.cy || this.cy.zoom() <= CLOSEST) return;
    this.cy.zoom(CLOSEST);
    this.cy.center(this.cy.elements().not(".hidden"));
  }

  zoom(factor) {
    this.cy?.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
  }

  async picture() {
    const colour = getComputedStyle(this.container).getPropertyValue("--card").trim() || "#ffffff";
    return this.cy?.png({ output: "blob-promise", full: true, scale: 2, bg: colour, maxWidth: 4000, maxHeight: 4000 });
  }

  clear() {
    this.nodes.clear();
    this.edges.clear();
    this.opened.clear();
    this.marks.clear();
    this.path = null;
    this.cy?.elements().remove();
    this.lists.refresh();
  }

  destroy() {
    darkness.removeEventListener("change", this.repaint);
    this.cy?.destroy();
    this.container.replaceChildren();
  }
}

async function loadCytoscape() {
  // Cytoscape puts a style element into the page, which the page's policy refuses; it does not where it finds one of
  // this name. What it would say stands in graph-view.css.
  if (!document.getElementById("__________cytoscape_stylesheet")) {
    const placeholder = document.createElement("meta");
    placeholder.id = "__________cytoscape_stylesheet";
    document.head.append(placeholder);
  }
  try {
    return (await import("./vendor/cytoscape.js")).default;
  } catch {
    return null;
  }
}

function styles(container) {
  const values = getComputedStyle(container);
  const colour = name => values.getPropertyValue(name).trim() || "#888888";
  const kinds = Array.from({ length: COLOURS }, (_, index) => ({
    selector: `.kind${index}`, style: { "background-color": colour(`--kind${index}`) },
  }));
  return [
    { selector: "node", style: {
      width: 26, height: 26, label: "data(label)", color: colour("--text"), "font-size": 12, "text-wrap": "wrap",
      "text-max-width": 110, "text-valign": "bottom", "text-margin-y": 4, "border-width": 2,
      "border-color": colour("--card"), "text-outline-color": colour("--card"), "text-outline-width": 2,
      "font-family": values.fontFamily, "min-zoomed-font-size": 6 } },
    ...kinds,
    { selector: "edge", style: {
      width: 1.5, "line-color": colour("--field-line"), "target-arrow-color": colour("--field-line"),
      "target-arrow-shape": "triangle", "curve-style": "bezier", label: "data(label)", color: colour("--muted"),
      "font-size": 9, "text-wrap": "wrap", "text-max-width": 120, "text-rotation": "autorotate",
      "text-background-color": colour("--card"), "text-background-opacity": 0.85, "text-background-padding": 2,
      "font-family": values.fontFamily, "min-zoomed-font-size": 7 } },
    { selector: "edge.conditioned", style: { "line-style": "dashed" } },
    { selector: "node.focus", style: { width: 38, height: 38, "font-size": 14, "font-weight": 700 } },
    { selector: "node.open", style: { "border-color": colour("--lit"), "border-width": 4 } },
    { selector: "node.selected, node.pointed, .chosen, .path, .end", style: { "border-color": colour("--accent"), "border-width": 4 } },
    { selector: "edge.pointed, edge.chosen, edge.path", style: {
      width: 3, "line-color": colour("--accent"), "target-arrow-color": colour("--accent"), color: colour("--text") } },
    { selector: ".end", style: { shape: "round-rectangle" } },
    { selector: "edge.quiet", style: { label: "" } },
    { selector: "edge.told, edge.path, edge.chosen", style: { label: "data(label)", "font-size": 11, "z-index": 9 } },
    { selector: ".rejected", style: { opacity: 0.4 } },
    { selector: ".faint", style: { opacity: 0.2 } },
    { selector: ".hidden", style: { display: "none" } },
  ];
}

function beside(at, index, count, stretch) {
  const angle = (2 * Math.PI * index) / Math.max(count, 1) + 0.3;
  const radius = Math.max(140, count * 9) + (index % 2) * 60;
  return { x: at.x + stretch * radius * Math.cos(angle), y: at.y + radius * Math.sin(angle) };
}

function unique(items, key) {
  return [...new Map(items.map(item => [key(item), item])).values()];
}

function caption(edge) {
  const conditions = (edge.conditions ?? []).join("; ");
  const brief = conditions.length > LONGEST ? `${conditions.slice(0, LONGEST)}…` : conditions;
  return brief ? `${edge.base_label}\n(${brief})` : edge.base_label;
}

/** An edge in words. */
export function sentence(edge, nodes) {
  const name = iri => nodes.get(iri)?.label ?? iri;
  const when = edge.conditions?.length ? ` (${edge.conditions.join("; ")})` : "";
  return `${name(edge.source)}, ${edge.base_label}${when}, ${name(edge.target)}`;
}

function said(nodes, edges, { refused, maxNodes, data }) {
  const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  const parts = [`${count(nodes, "entity", "entities")} and ${count(edges, "relation", "relations")} added.`];
  if (refused) parts.push(`${count(refused, "entity is", "entities are")} not drawn: no more than ${maxNodes} are.`);
  if (data.truncated) parts.push(`${data.edges.length} of ${data.total ?? "more"} relations were fetched.`);
  return parts.join(" ");
}
