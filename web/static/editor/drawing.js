// Triples as a drawing, by Cytoscape.js. What it shows stands in the table too; it can be walked through by keyboard.

import { count, make } from "./dom.js";
import { brief, show } from "./terms.js";

const MOST_EDGES = 300;
const MOST_EDGE_LABELS = 40;
const LONGEST = 40;
const READABLE = 0.65;
const TEXT_WIDTH = 120;
const LABELS = ["http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#prefLabel"];

/** Fills `panel` with a drawing of the triples; the panel must be in sight, since it is measured. */
export async function showDrawing(panel, triples, context) {
  panel.replaceChildren(make("p", { class: "muted" }, "Drawing…"));
  const { default: cytoscape } = await import(context.cytoscape);
  cytoscape.warnings(false); // of edges between nodes that overlap, which is as it should be
  const graph = elementsOf(triples, context);
  const canvas = make("div", { class: "canvas", tabIndex: 0, role: "application" });
  const about = make("p", { class: "about", role: "status" });
  const buttons = make("div", { class: "zoom" });
  panel.replaceChildren(
    ...(graph.left ? [make("p", { class: "muted" }, `The first ${MOST_EDGES} edges are drawn, ${graph.left} are not.`)] : []),
    buttons,
    canvas,
    about,
  );
  canvas.setAttribute(
    "aria-label",
    `The graph, drawn: ${count(graph.nodes.length, "node")}, ${count(graph.edges.length, "edge")}. ` +
      "Arrow keys go from node to node, Enter opens the page of one. The table says the same.",
  );
  const drawing = cytoscape({
    container: canvas,
    elements: { nodes: graph.nodes, edges: graph.edges },
    style: styleOf(canvas, graph.edges.length <= MOST_EDGE_LABELS),
    layout: {
      name: "cose", animate: false, randomize: false, padding: 24, numIter: graph.nodes.length > 100 ? 500 : 2000, gravity: 3,
      nodeRepulsion: () => 90000, idealEdgeLength: () => 100, nodeOverlap: 20, componentSpacing: 30,
    },
    minZoom: 0.1,
    maxZoom: 3,
    // The wheel scrolls the page, and zooms with Ctrl, as it does in maps; two fingers always zoom.
    userZoomingEnabled: matchMedia("(pointer: coarse)").matches,
  });
  canvas.addEventListener("wheel", (event) => drawing.userZoomingEnabled(event.ctrlKey), { capture: true, passive: true });
  if (drawing.zoom() < READABLE) {
    drawing.zoom(READABLE); // so that names can be read; the drawing can be moved, and "Fit" shows all
    drawing.center();
  }
  drawing.edges().filter(isCovered).addClass("short");
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", () => drawing.style(styleOf(canvas, graph.edges.length <= MOST_EDGE_LABELS)));
  buttons.append(
    ...[["+", "Nearer", 1.3], ["−", "Farther", 1 / 1.3]].map(([text, label, by]) =>
      make("button", { type: "button", class: "quiet", "aria-label": label, onclick: () => zoom(drawing, by) }, text)),
    make("button", { type: "button", class: "quiet", onclick: () => drawing.fit(undefined, 24) }, "Fit"),
  );
  const choose = (node) => describe(drawing, about, node, context);
  drawing.on("tap", "node", (event) => choose(event.target));
  drawing.on("tap", (event) => event.target === drawing && choose(null));
  canvas.addEventListener("keydown", (event) => walk(event, drawing, choose, context));
  choose(null);
  return drawing;
}

function zoom(drawing, by) {
  const center = { x: drawing.width() / 2, y: drawing.height() / 2 };
  drawing.zoom({ level: drawing.zoom() * by, renderedPosition: center });
}

/** Nodes, edges and how many edges were left out. Labels name their nodes; other literals are nodes of their own. */
function elementsOf(triples, { prefixes, words }) {
  const names = new Map(words);
  for (const [subject, predicate, object] of triples) {
    if (LABELS.includes(predicate.value) && !names.has(subject.value)) names.set(subject.value, object.value);
  }
  const edges = triples.filter(([, predicate]) => !LABELS.includes(predicate.value));
  const drawn = edges.slice(0, MOST_EDGES);
  const nodes = new Map();
  const add = (term, id) => {
    if (!nodes.has(id)) nodes.set(id, { data: { id, term, name: short(names.get(term.value) ?? brief(term, prefixes)), kind: term.type } });
    return id;
  };
  const lines = drawn.map(([subject, predicate, object], number) => {
    // Two equal texts are two nodes: a text is no thing that others share.
    const target = object.type === "literal" ? `text ${number}` : key(object);
    return {
      data: { id: `edge ${number}`, source: add(subject, key(subject)), target: add(object, target), name: short(names.get(predicate.value) ?? brief(predicate, prefixes), 90) },
    };
  });
  if (!edges.length) for (const [subject] of triples) add(subject, key(subject));
  const all = [...nodes.values()];
  all.forEach((node, at) => {
    const angle = (2 * Math.PI * at) / all.length, radius = 40 * Math.sqrt(all.length) + 60;
    node.position = { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  return { nodes: all, edges: lines, left: edges.length - drawn.length };
}

function key(term) {
  return `${term.type} ${term.type === "triple" ? JSON.stringify(term.value) : term.value}`;
}

function short(text, longest = LONGEST) {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** Goes on to another node with the arrow keys, opens the page of the chosen one with Enter. */
function walk(event, drawing, choose, context) {
  const nodes = drawing.nodes().toArray(), chosen = drawing.nodes(":selected").first();
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" && chosen.length && chosen.data("kind") === "uri") {
    location.assign(context.entity + encodeURIComponent(chosen.data("term").value));
  } else if (step && nodes.length) {
    event.preventDefault();
    const at = chosen.length ? nodes.findIndex((node) => node.same(chosen)) + step : 0;
    const next = nodes.at(at % nodes.length);
    choose(next);
    drawing.center(next);
  }
}

/** Says under the drawing what the chosen node is and what leads from it; how to choose one, where none is. */
function describe(drawing, about, node, context) {
  drawing.elements().unselect();
  if (!node) {
    about.replaceChildren("Choose a node to see its edges with their names.");
    return;
  }
  node.select();
  node.connectedEdges().select();
  const links = node.outgoers("edge").map((edge) => `${edge.data("name")} → ${edge.target().data("name")}`);
  const back = node.incomers("edge").length;
  about.replaceChildren(show(node.data("term"), context));
  if (links.length) about.append(`: ${links.slice(0, 12).join("; ")}${links.length > 12 ? `; and ${links.length - 12} more` : ""}`);
  about.append(back ? `. ${count(back, "edge")} ${back === 1 ? "leads" : "lead"} to it.` : ".");
}

const SEEN = 36; // pixels of an edge that are left beside its name

/** Whether the name of an edge would hide it: then it is shown when the edge or one of its nodes is chosen. */
function isCovered(edge) {
  const from = edge.sourceEndpoint(), to = edge.targetEndpoint();
  const across = Math.abs(to.x - from.x), down = Math.abs(to.y - from.y), length = Math.hypot(across, down);
  measure.font = "10px sans-serif";
  const whole = measure.measureText(edge.data("name")).width + 6;
  const width = Math.min(whole, 96), height = Math.ceil(whole / 90) * 12 + 4;
  const hidden = Math.min(width * (length / Math.max(across, 1)), height * (length / Math.max(down, 1)));
  return length - hidden < SEEN;
}

const boxes = new Map();
const measure = document.createElement("canvas").getContext("2d");

/** The size of a node that its name fits into, broken into lines as Cytoscape breaks it. */
function boxOf(node, font) {
  const name = node.data("name"), kept = boxes.get(name);
  if (kept) return kept;
  measure.font = `12px ${font}`;
  let lines = 1, line = 0, widest = 0;
  for (const word of name.split(" ")) {
    const width = measure.measureText(word).width, space = line ? 4 : 0;
    if (line && line + space + width > TEXT_WIDTH) {
      lines += 1;
      line = width;
    } else line += space + width;
    widest = Math.max(widest, line);
  }
  const box = { width: Math.ceil(widest) + 16, height: lines * 15 + 12 };
  boxes.set(name, box);
  return box;
}

function styleOf(canvas, edgeLabels) {
  const css = getComputedStyle(canvas);
  const color = (name) => css.getPropertyValue(name).trim();
  const font = css.fontFamily;
  return [
    {
      selector: "node",
      style: {
        label: "data(name)", "font-family": font, "font-size": 12, color: color("--text"), "text-wrap": "wrap",
        "text-max-width": TEXT_WIDTH, "text-valign": "center", "text-halign": "center", shape: "round-rectangle",
        width: (node) => boxOf(node, font).width, height: (node) => boxOf(node, font).height, "background-color": color("--accent-soft"),
        "border-width": 1.5, "border-color": color("--accent"),
      },
    },
    { selector: "node[kind = 'literal']", style: { "background-color": color("--card"), "border-color": color("--field-line"), "border-style": "dashed" } },
    { selector: "node[kind = 'bnode']", style: { "background-color": color("--card"), "border-color": color("--field-line") } },
    {
      selector: "edge",
      style: {
        width: 1.5, "curve-style": "bezier", "line-color": color("--field-line"), "target-arrow-shape": "triangle",
        "target-arrow-color": color("--field-line"), "arrow-scale": 0.9, "font-family": font, "font-size": 10, color: color("--muted"),
        "text-wrap": "wrap", "text-max-width": 90, "text-background-color": color("--card"), "text-background-opacity": 0.9, "text-background-padding": 2,
      },
    },
    ...(edgeLabels ? [{ selector: "edge", style: { label: "data(name)" } }, { selector: "edge.short", style: { label: "" } }] : []),
    { selector: "edge:selected", style: { label: "data(name)" } },
    { selector: "node:selected", style: { "border-width": 3.5 } },
    { selector: "edge:selected", style: { width: 3, "line-color": color("--accent"), "target-arrow-color": color("--accent"), color: color("--text") } },
  ];
}
