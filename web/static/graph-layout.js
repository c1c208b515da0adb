/*
 * Where the nodes of graph-view.js stand, so that neither they nor their names lie on one another.
 *
 *   scatter(nodes, at, {others, away, stretch, gap})   new nodes on free ground around a place; others stay where they are
 *   growTree(cy, root, {column})                       all nodes as a tree from left to right
 *
 * Nodes are Cytoscape's, and have their names already: how large these are is measured.
 */

const RING = 34; // between one ring of places and the next
const STEP = 70; // between two places of a ring
const APART = 8; // between two boxes
const ROWS_APART = 26; // between two rows of a tree
const MOST_RINGS = 90;

/** How far a node with its name reaches to each side. */
function reach(node) {
  const box = node.boundingBox({ includeOverlays: false, includeEdges: false });
  const { x, y } = node.position();
  return { left: x - box.x1, right: box.x2 - x, top: y - box.y1, bottom: box.y2 - y };
}

function boxAt({ x, y }, size) {
  return { x1: x - size.left, x2: x + size.right, y1: y - size.top, y2: y + size.bottom };
}

function touch(a, b) {
  return a.x1 < b.x2 + APART && b.x1 < a.x2 + APART && a.y1 < b.y2 + APART && b.y1 < a.y2 + APART;
}

/** `away`: the place to leave behind, null where all directions will do. `gap`: how far from the middle they begin. */
export function scatter(nodes, at, { others, away = null, stretch = 1, gap = 110 }) {
  const taken = others.map(node => boxAt(node.position(), reach(node)));
  const outward = away ? Math.atan2(at.y - away.y, at.x - away.x) : null;
  const places = [...around(at, outward, stretch, gap)];
  for (const node of nodes) {
    const size = reach(node);
    const free = places.findIndex(place => !taken.some(box => touch(box, boxAt(place, size))));
    const place = free < 0 ? below(taken, at) : places.splice(free, 1)[0];
    node.position(place);
    taken.push(boxAt(place, size));
  }
}

/** Places on ellipses around a place, the near ones first; where there is an outward direction, those that lie in it. */
function* around(at, outward, stretch, gap) {
  for (let ring = 0; ring < MOST_RINGS; ring += 1) {
    const radius = gap + ring * RING;
    const count = Math.floor((2 * Math.PI * radius) / STEP);
    const turns = Array.from({ length: count }, (_, n) => (2 * Math.PI * (n + (ring % 2) / 2)) / count + 0.3);
    const angles = outward === null ? turns
      : turns.filter(turn => apart(turn, outward) < 1.6).sort((a, b) => apart(a, outward) - apart(b, outward));
    for (const angle of angles) yield { x: at.x + stretch * radius * Math.cos(angle), y: at.y + radius * Math.sin(angle) };
  }
}

function apart(a, b) {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return Math.min(turn, 2 * Math.PI - turn);
}

function below(taken, at) {
  return { x: at.x, y: Math.max(...taken.map(box => box.y2)) + 60 };
}

/**
 * A tree from left to right: each node in the column of its distance from the root, in the middle of those that it led
 * to. What cannot be reached stands in the first column. Edges that are no branches get the class "cross".
 */
export function growTree(cy, root, { column }) {
  const branches = branchesFrom(cy, root);
  let bottom = 0;
  const place = (node, depth) => {
    const below = branches.get(node.id()) ?? [];
    node.toggleClass("leaf", !below.length && depth > 0);
    const size = reach(node), top = bottom;
    for (const child of below) place(child, depth + 1);
    const middles = below.map(child => child.position().y);
    const y = middles.length ? (middles[0] + middles.at(-1)) / 2 : top + size.top;
    node.position({ x: depth * column, y: Math.max(y, top + size.top) });
    bottom = Math.max(bottom, node.position().y + size.bottom + ROWS_APART);
  };
  for (const node of branches.get(null)) place(node, 0);
}

function branchesFrom(cy, root) {
  const branches = new Map([[null, []]]), seen = new Set();
  cy.edges().addClass("cross");
  const grow = start => {
    branches.get(null).push(start);
    seen.add(start.id());
    for (let queue = [start]; queue.length;) {
      const node = queue.shift();
      for (const edge of node.outgoers("edge").toArray()) {
        const next = edge.target();
        if (seen.has(next.id())) continue;
        seen.add(next.id());
        edge.removeClass("cross");
        branches.set(node.id(), [...(branches.get(node.id()) ?? []), next]);
        queue.push(next);
      }
    }
  };
  if (root && cy.getElementById(root).nonempty()) grow(cy.getElementById(root));
  for (const node of cy.nodes().toArray()) if (!seen.has(node.id())) grow(node);
  return branches;
}
