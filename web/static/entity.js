/* The graph around an entity, on its page. */

import { createGraph, fetchNeighbourhood } from "./graph-view.js";

for (const place of document.querySelectorAll("[data-graph]")) {
  const { graph: iri, root, name } = place.dataset;
  const before = [...place.childNodes];
  try {
    const data = await fetchNeighbourhood(root, iri);
    const graph = await createGraph(place, {
      focus: iri,
      classes: JSON.parse(place.dataset.classes ?? "[]"),
      label: `The graph around ${name}`,
      expand: next => fetchNeighbourhood(root, next),
    });
    graph.opened.add(iri);
    graph.addNeighbourhood(data);
  } catch (error) {
    place.replaceChildren(...before);
    console.warn(`The graph cannot be drawn. ${error.message}`);
  }
}
