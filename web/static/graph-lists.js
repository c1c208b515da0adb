/*
 * What stands around and beside the drawing of graph-view.js: buttons, filters, a line that tells what happens, and the
 * list of entities and relations that says in words what the drawing shows.
 *
 * Keys in the list: up and down, Home and End go from entity to entity, Enter opens one, Escape goes back to the buttons.
 */

export class Lists {
  constructor(graph, label) {
    Object.assign(this, { graph, label, items: new Map() });
  }

  build() {
    this.canvas = element("div", { className: "graph-canvas", role: "img", ariaLabel: `${this.label}. The list beside it says the same in words.` });
    this.status = element("p", { className: "graph-status", role: "status" });
    this.filters = element("div", { className: "graph-filters" });
    this.legend = element("ul", { className: "graph-legend", ariaLabel: "Colours" });
    this.list = element("ul", { className: "graph-list", ariaLabel: `${this.label}, as a list` });
    this.list.addEventListener("keydown", event => this.move(event));
    for (const name of ["focusin", "mouseover"]) {
      this.list.addEventListener(name, event => this.graph.pointAt(iriAt(event.target)));
    }
    for (const name of ["focusout", "mouseleave"]) this.list.addEventListener(name, () => this.graph.pointAt(""));
    const side = element("div", { className: "graph-side" }, element("h3", { textContent: "In words" }), this.list);
    this.bar = element("div", { className: "graph-bar", role: "toolbar", ariaLabel: "The drawing" }, ...this.buttons());
    this.graph.container.classList.add("graph-view");
    this.graph.container.replaceChildren(
      this.bar, this.filters, element("div", { className: "graph-both" }, element("div", {}, this.canvas, this.legend), side), this.status);
  }

  buttons() {
    const button = (textContent, onclick, ariaLabel) =>
      element("button", { type: "button", textContent, onclick, ...(ariaLabel && { ariaLabel }) });
    return [
      button("+", () => this.graph.zoom(1.3), "Closer"),
      button("−", () => this.graph.zoom(1 / 1.3), "Farther"),
      button("Show all", () => this.graph.fit()),
      button("Save picture", () => this.save()),
    ];
  }

  async save() {
    const picture = await this.graph.picture();
    if (!picture) return;
    const link = element("a", { href: URL.createObjectURL(picture), download: "graph.png" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  tell(text) {
    this.status.textContent = text;
  }

  /** The lists anew, after nodes and edges have come. */
  refresh() {
    const held = this.graph.container.contains(document.activeElement) && document.activeElement?.dataset.iri;
    const leaving = grouped(this.graph.edges.values());
    this.items.clear();
    this.list.replaceChildren(...[...this.graph.nodes.values()].map(node => this.item(node, leaving.get(node.iri) ?? [])));
    this.buildFilters();
    this.legend.replaceChildren(...this.graph.legend().map(([kind, label]) =>
      element("li", {}, element("span", { className: `graph-swatch kind${kind}` }), label)));
    this.rove(this.items.get(held) ?? this.items.values().next().value, Boolean(held));
  }

  item(node, edges) {
    const opened = this.graph.opened.has(node.iri) || node.iri === this.graph.focus;
    const button = element("button", { type: "button", className: "graph-node", tabIndex: -1, textContent: node.label });
    button.dataset.iri = node.iri;
    button.title = this.graph.expand && !opened ? "Show what is next to it" : node.label;
    button.onclick = () => this.graph.open(node.iri);
    const parts = [button];
    if (node.kind) parts.push(element("span", { className: "muted", textContent: ` ${node.kind} ` }));
    if (node.href) parts.push(element("a", { href: node.href, textContent: "page", ariaLabel: `Page of ${node.label}` }));
    const said = edges.map(edge => this.said(edge));
    if (said.length) parts.push(element("ul", {}, ...said));
    const item = element("li", {}, ...parts);
    this.items.set(node.iri, button);
    return item;
  }

  said(edge) {
    const name = this.graph.nodes.get(edge.target)?.label ?? edge.target;
    const item = element("li", { textContent: `${edge.base_label} → ${name}` });
    for (const condition of edge.conditions ?? []) {
      item.append(" ", element("span", { className: "chip", textContent: condition }));
    }
    item.dataset.edge = edge.id;
    return item;
  }

  buildFilters() {
    const edges = [...this.graph.edges.values()];
    const relations = new Map(edges.map(edge => [edge.base, edge.base_label]));
    const conditions = new Map(edges.map(edge => edge.condition ?? "").map(condition => [condition, condition || "no condition"]));
    const open = [...this.filters.querySelectorAll("details[open]")].map(details => details.dataset.what);
    this.filters.replaceChildren(
      ...this.choice("relations", "Relations", relations, open), ...this.choice("conditions", "Conditions", conditions, open));
  }

  choice(what, name, choices, open) {
    if (choices.size < 2) return [];
    const boxes = [...choices].sort((a, b) => a[1].localeCompare(b[1])).map(([key, label]) => {
      const box = element("input", { type: "checkbox", checked: !this.graph.hidden[what].has(key) });
      box.onchange = () => this.graph.filter(what, key, box.checked);
      return element("label", {}, box, ` ${label}`);
    });
    const legend = element("legend", { className: "hidden-text", textContent: `${name} to show` });
    const details = element("details", { open: open.includes(what) },
      element("summary", { textContent: `${name} (${choices.size})` }), element("fieldset", {}, legend, ...boxes));
    details.dataset.what = what;
    return [details];
  }

  apply(shown, reached) {
    for (const item of this.list.querySelectorAll("[data-edge]")) item.hidden = !shown.has(item.dataset.edge);
    for (const [iri, button] of this.items) button.parentElement.hidden = !reached.has(iri);
    const path = this.graph.path;
    for (const [iri, button] of this.items) button.classList.toggle("path", Boolean(path?.nodes.has(iri)));
    if (this.list.querySelector("[tabindex='0']")?.closest("[hidden]")) this.rove(this.visible()[0], false);
  }

  select(iri) {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = this.items.get(iri);
    if (!button) return;
    button.setAttribute("aria-current", "true");
    this.rove(button, this.list.contains(document.activeElement));
    this.list.scrollTop = button.offsetTop - this.list.offsetTop - 8; // not scrollIntoView, which moves the page too
  }

  move(event) {
    if (!event.target.dataset?.iri) return;
    if (event.key === "Escape") {
      this.bar.querySelector("button").focus();
      return;
    }
    const buttons = this.visible();
    const at = buttons.indexOf(event.target);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.rove(buttons[Math.min(Math.max(next, 0), buttons.length - 1)], true);
  }

  visible() {
    return [...this.items.values()].filter(button => !button.parentElement.hidden);
  }

  /** One button of the list is reached by Tab, the others from there. */
  rove(button, focus) {
    for (const other of this.list.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    if (!button) return;
    button.tabIndex = 0;
    if (focus) button.focus();
  }
}

/** Of which entity the list tells here. */
function iriAt(place) {
  return [...place.closest("li:has(> .graph-node)")?.children ?? []].find(child => child.dataset.iri)?.dataset.iri ?? "";
}

function grouped(edges) {
  const groups = new Map();
  for (const edge of edges) groups.set(edge.source, [...(groups.get(edge.source) ?? []), edge]);
  return groups;
}

function element(name, properties, ...children) {
  const made = document.createElement(name);
  const { role, ...others } = properties;
  if (role) made.setAttribute("role", role);
  Object.assign(made, others);
  made.append(...children);
  return made;
}
