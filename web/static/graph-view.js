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
 *   layout         "star": what is opened gets its own around it; "tree": all from left to right
 *   classes        [[IRI, label]] of the classes that have a colour of their own, which is the same on every page
 *   label          what the drawing shows, for those who do not see it
 * data, as /api/neighbourhood gives it
 *   nodes: [{iri, label, kind, href, types: [IRI]}]
 *   edges: [{id, source, target, relation, relation_label, base, base_label, condition, conditions: [text]}]
 *           condition: what the relation stands under by itself, "" where nothing; conditions: the texts to show
 *   total, truncated (optional): how many edges there are; whether some were left out
 *
 * Where Cytoscape cannot be loaded the list alone is shown. Knows nothing of addresses: `expand` fetches.
 * Styles: graph-view.css.
 */

import { growTree, scatter } from "./graph-layout.js";
import { Lists } from "./graph-lists.js";

const COLOURS = 10; // the last is that of all other classes
const LONGEST = 40; // characters of a condition in the drawing; the list has all of it
const CLOSEST = 1.2; // a drawing of few entities is not blown up to fill its frame
const READABLE = 0.72; // a drawing of many is not shrunk until its names cannot be read: it can be moved
const NARROW = 560;
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
  constructor(container, { expand = null, focus = null, maxNodes = 200, label = "A graph of entities", layout = "star", classes = [] }) {
    Object.assign(this, { container, expand, focus, maxNodes, layout, classes });
    this.nodes = new Map();
    this.edges = new Map();
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
    if (this.cy && (nodes.length || edges.length)) this.fit(around);
    const told = said(nodes.length, edges.length, { refused, maxNodes: this.maxNodes, data });
    if (told) this.lists.tell(told);
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
    const middle = this.cy.getElementById(around ?? "");
    const at = middle.nonempty() ? { ...middle.position() } : { x: 0, y: 0 };
    const others = this.cy.nodes().toArray();
    this.cy.add(nodes.map(node => ({
      group: "nodes",
      data: { id: node.iri, label: node.label },
      classes: `kind${this.kindOf(node)}${node.iri === this.focus ? " focus" : ""}`,
      position: { ...at },
    })));
    this.cy.add(edges.map(edge => ({
      group: "edges",
      data: { id: edge.id, source: edge.source, target: edge.target, label: caption(edge), name: edge.base_label },
      classes: (edge.conditions ?? []).length ? "conditioned" : "",
    })));
    if (this.layout === "tree") this.growTree();
    else this.scatter(nodes, { at, around, others });
  }

  growTree() {
    const narrow = this.cy.width() < NARROW;
    this.cy.elements().addClass("tree").toggleClass("narrow", narrow);
    growTree(this.cy, this.focus, { column: narrow ? 150 : 222 });
  }

  /** The new ones around the one they were fetched for; what was there stays, so that it is found again. */
  scatter(nodes, { at, around, others }) {
    const added = nodes.map(node => this.cy.getElementById(node.iri));
    const [middle, ...rest] = others.length ? [null, ...added] : sortedFirst(added, around);
    const focus = this.cy.getElementById(this.focus ?? "");
    const away = others.length && around !== this.focus && focus.nonempty() ? focus.position() : null;
    const gap = this.edges.size > LABELLED ? 110 : 170;  // where edges have names there has to be room for them
    scatter(rest, at, { others: middle ? [middle] : others, away, stretch: this.stretch(), gap });
  }

  /** How much wider than high a star is: as the frame, within reason. */
  stretch() {
    return Math.min(Math.max(this.cy.width() / this.cy.height() || 1, 0.8), 1.5);
  }

  /** The number of the colour of a node: that of the first of the graph's classes that it is in. */
  kindOf({ types = [] }) {
    const found = this.classes.findIndex(([iri]) => types.includes(iri));
    return found < 0 || found >= COLOURS - 1 ? COLOURS - 1 : found;
  }

  /** The colours that are drawn, and what they stand for. */
  legend() {
    const drawn = [...new Set([...this.nodes.values()].map(node => this.kindOf(node)))].sort((a, b) => a - b);
    return this.classes.length ? drawn.map(kind => [kind, this.classes[kind]?.[1] ?? "other"]) : [];
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
    return !this.hidden.conditions.has(edge.condition ?? "");
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

  /** All that is drawn; where its names could not be read then, a part of it: what is around an entity. */
  fit(around = this.focus) {
    if (!this.cy) return;
    const shown = this.cy.elements().not(".hidden"), middle = this.cy.getElementById(around ?? "");
    this.cy.fit(shown, 24);
    if (this.cy.zoom() > CLOSEST) {
      this.cy.zoom(CLOSEST);
      this.cy.center(shown);
    } else if (this.cy.zoom() < READABLE) {
      this.cy.zoom(READABLE);
      if (this.layout === "tree") this.showStart(shown);
      else this.cy.center(middle.nonempty() ? middle : shown);
    }
  }

  /** A tree that does not fit is read from its root. */
  showStart(shown) {
    const box = shown.boundingBox(), root = this.cy.getElementById(this.focus ?? ""), zoom = this.cy.zoom();
    const high = box.h * zoom, half = this.cy.height() / 2;
    const wide = box.w * zoom <= this.cy.width();
    const y = root.nonempty() ? root.position().y : box.y1;
    this.cy.pan({
      x: wide ? (this.cy.width() - box.w * zoom) / 2 - box.x1 * zoom : 16 - box.x1 * zoom,
      y: high <= 2 * half ? half - ((box.y1 + box.y2) / 2) * zoom : half - y * zoom,
    });
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
    { selector: "node.leaf", style: { "text-halign": "right", "text-valign": "center", "text-margin-x": 4, "text-margin-y": 0, "text-max-width": 160 } },
    { selector: "edge.quiet", style: { label: "" } },
    { selector: "edge.told, edge.path, edge.chosen", style: { label: "data(label)", "font-size": 11, "z-index": 9 } },
    { selector: "edge.tree", style: {
      "curve-style": "taxi", "taxi-direction": "rightward", "taxi-turn": 30, label: "",
      "target-label": "data(name)", "target-text-offset": 84, "font-size": 11, "text-wrap": "ellipsis", "text-max-width": 122, "text-rotation": "none" } },
    { selector: "edge.tree.cross", style: { "curve-style": "unbundled-bezier", "line-style": "dotted", "target-label": "" } },
    { selector: "edge.tree.narrow", style: { "target-label": "", "taxi-turn": 20 } },
    { selector: ".rejected", style: { opacity: 0.4 } },
    { selector: ".faint", style: { opacity: 0.2 } },
    { selector: ".hidden", style: { display: "none" } },
  ];
}

/** The element of an IRI first, if it is there; else nothing is. */
function sortedFirst(elements, iri) {
  const first = elements.find(element => element.id() === iri) ?? null;
  return [first, ...elements.filter(element => element !== first)];
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
  const added = nodes || edges;
  const parts = added ? [`${count(nodes, "entity", "entities")} and ${count(edges, "relation", "relations")} added.`] : [];
  if (refused) parts.push(`${count(refused, "entity is", "entities are")} not drawn: no more than ${maxNodes} are.`);
  if (data.truncated) parts.push(`${data.edges.length} of ${data.total ?? "more"} relations were fetched.`);
  return parts.join(" ");
}
