/*
 * Completes names of the graph as one types: the combobox pattern of https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 * with the focus staying in the field (aria-activedescendant). Without this script each field is a plain one.
 *
 *   <div class="combobox"><input data-complete="/api/search" ...></div>
 *   data-complete-choose="go"    choosing goes to the page of what was chosen (a search box);
 *                        "fill"  choosing fills the field with the label, or the IRI where others bear that label
 *   data-complete-type="IRI"     only entities of this class; by default any entity where a field is filled, else anything
 *
 * A form with data-search="/api/search" has its search field completed so. A field that is filled gets a bubbling
 * "input" event, and "chosen" with the whole result in event.detail.
 */

const WAIT_MS = 120;
const LIMIT = 8;
const ENTITY = "https://w3id.org/scoutfly/ns#Entity";
let made = 0;

class Completion {
  constructor(input, { address, choose, type }) {
    Object.assign(this, { input, address, choose, type, results: [], active: -1, timer: 0, asked: null });
    this.list = document.createElement("ul");
    this.list.className = "listbox";
    this.list.id = `completion-${++made}`;
    this.list.hidden = true;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Names that fit");
    this.status = document.createElement("span");
    this.status.className = "visually-hidden";
    this.status.setAttribute("role", "status");
    const around = input.closest(".combobox") ?? input.parentElement;
    around.classList.add("combobox");
    around.append(this.list, this.status);
    for (const [name, value] of Object.entries({
      role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.list.id,
      autocomplete: "off", spellcheck: "false",
    })) input.setAttribute(name, value);
    input.removeAttribute("list");
    input.addEventListener("input", () => this.typed());
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());  // the field keeps the focus
    this.list.addEventListener("click", (event) => this.clicked(event));
  }

  typed() {
    clearTimeout(this.timer);
    this.asked?.abort();
    if (this.filling) return;
    const text = this.input.value.trim();
    if (!text) return this.close();
    this.timer = setTimeout(() => this.ask(text), WAIT_MS);
  }

  async ask(text) {
    const address = new URL(this.address, location.href);
    address.searchParams.set("q", text.slice(0, 200));
    address.searchParams.set("limit", LIMIT);
    if (this.type) address.searchParams.set("type", this.type);
    const asked = this.asked = new AbortController();
    try {
      const response = await fetch(address, { signal: asked.signal, headers: { Accept: "application/json" } });
      if (!response.ok) return this.close();
      const answer = await response.json();
      if (!asked.signal.aborted && document.activeElement === this.input) this.show(answer);
    } catch (error) {
      if (error.name !== "AbortError") this.close();
    }
  }

  show({ results, total }) {
    this.results = results;
    this.active = -1;
    this.list.replaceChildren(...results.map((result, number) => this.option(result, number)));
    this.list.hidden = results.length === 0;
    this.input.setAttribute("aria-expanded", String(results.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    this.status.textContent = results.length ? `${results.length} of ${total} names that fit` : "No name fits";
  }

  option(result, number) {
    const option = document.createElement("li");
    option.id = `${this.list.id}-${number}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    const name = document.createElement("bdi");
    name.textContent = result.label;
    if (result.lang) name.lang = result.lang;
    const more = document.createElement("span");
    more.textContent = [
      result.type_label,
      result.matched ? `also “${result.matched}”${result.matched_lang ? ` (${result.matched_lang})` : ""}` : "",
      result.homonym ? result.note || result.iri : "",
      result.homonym ? result.context : "",
    ].filter(Boolean).join(" · ");
    option.append(name, more);
    return option;
  }

  move(number) {
    const options = [...this.list.children];
    this.active = (number + options.length + 1) % (options.length + 1);  // one past the last: back in the field
    if (this.active === options.length) this.active = -1;
    options.forEach((option, place) => option.setAttribute("aria-selected", String(place === this.active)));
    if (this.active < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", options[this.active].id);
    options[this.active].scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const open = !this.list.hidden;
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) return this.typed();
      const from = this.active < 0 && event.key === "ArrowUp" ? this.list.children.length : this.active;
      this.move(from + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && open && this.active >= 0) {
      event.preventDefault();
      this.take(this.results[this.active]);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      this.close();
    } else if (event.key === "Tab") {
      this.close();
    }
  }

  clicked(event) {
    const option = event.target.closest("[role=option]");
    if (option) this.take(this.results[[...this.list.children].indexOf(option)]);
  }

  take(result) {
    this.close();
    if (this.choose === "go") return location.assign(result.page);
    this.input.value = result.homonym ? result.iri : result.label;
    this.filling = true;
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
    this.filling = false;
    this.input.dispatchEvent(new CustomEvent("chosen", { bubbles: true, detail: result }));
  }

  close() {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.list.hidden = true;
    this.active = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.status.textContent = "";
  }
}

for (const input of document.querySelectorAll("input[data-complete]")) {
  const { complete: address, completeChoose: choose = "fill", completeType: type } = input.dataset;
  new Completion(input, { address, choose, type: type ?? (choose === "fill" ? ENTITY : "") });
}
for (const form of document.querySelectorAll("form[data-search]")) {
  const input = form.querySelector("input[name=q]");
  if (input) new Completion(input, { address: form.dataset.search, choose: "go", type: "" });
}
