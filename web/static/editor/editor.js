// The editor's page with JavaScript: a better field, results without a new page, drawings. Without it, or where a part of
// it is not installed, the form of the page does what it says.

import { ACCEPT, drawable, readAnswer, readProblem } from "./answers.js";
import { count, make } from "./dom.js";
import { showDrawing } from "./drawing.js";
import { showTable } from "./table.js";
import { makeTabs } from "./tabs.js";
import { plainField, richField } from "./writing.js";

const LONGEST_ADDRESS = 6000;
const LONGEST_RAW = 200_000;
const at = (id) => document.getElementById(id);
const page = at("editor-page");
// The path of the endpoint as the server says it, at the origin that the browser knows: a proxy may have changed it.
const endpoint = new URL(new URL(page.dataset.endpoint).pathname, location.href).href;
const context = { prefixes: {}, entity: page.dataset.entity, cytoscape: page.dataset.cytoscape, words: [] };
const panels = { table: at("panel-table"), graph: at("panel-graph"), raw: at("panel-raw") };
let field, running = null, current = null;

const openTab = makeTabs(at("tabs"), (name) => {
  if (!current) return;
  current.tab = name;
  if (name === "graph" && !current.drawn) {
    current.drawn = true;
    showDrawing(panels.graph, current.triples, context).catch((error) => panels.graph.replaceChildren(make("p", { class: "problem" }, `It cannot be drawn: ${error.message}`)));
  }
});

function say(text) {
  at("shared").textContent = text;
}

async function ask(query, accept, signal) {
  const response = await fetch(endpoint, { method: "POST", headers: { Accept: accept }, body: new URLSearchParams({ query }), signal });
  const type = response.headers.get("Content-Type") ?? "", text = await response.text();
  return { response, type, text };
}

async function run() {
  running?.abort();
  const mine = (running = new AbortController()), query = field.text(), started = performance.now();
  clearFault();
  at("run").textContent = "Stop";
  page.setAttribute("aria-busy", "true");
  try {
    const { response, type, text } = await ask(query, ACCEPT, mine.signal);
    if (!response.ok) return showFault(readProblem(response, type, text));
    history.replaceState(null, "", addressOf(query));
    showAnswer({ ...readAnswer(type, text), query, type, text, seconds: (performance.now() - started) / 1000 });
  } catch (error) {
    if (mine.signal.aborted) say("Stopped.");
    else showFault({ text: `The server gave no answer that can be read (${error.message}).` });
  } finally {
    if (running === mine) {
      running = null;
      at("run").textContent = "Run";
      page.removeAttribute("aria-busy");
    }
  }
}

function showAnswer(answer) {
  // The way one looked at the last answer stays, if this one is of the same kind.
  const before = current && current.isGraph === answer.isGraph ? current.tab : null;
  current = { ...answer, triples: drawable(answer), drawn: false };
  at("results").hidden = false;
  at("tabs").hidden = false;
  at("summary").textContent = `${typeof answer.boolean === "boolean" ? "" : `${count(answer.rows.length, answer.isGraph ? "triple" : "row")}, `}${answer.seconds.toFixed(2)} s`;
  at("download-query").value = answer.query;
  for (const group of document.querySelectorAll("[data-formats]")) group.hidden = (group.dataset.formats === "graph") !== answer.isGraph;
  at("tab-graph").hidden = !context.cytoscape || !current.triples.length;
  showTable(panels.table, answer, context);
  showRaw(answer);
  openTab(before ?? (answer.isGraph && !at("tab-graph").hidden ? "graph" : "table"));
  at("results-title").scrollIntoView({ block: "nearest" });
}

/** The answer as it came, and in the other formats that the server has. */
function showRaw(answer) {
  const text = make("pre", { tabIndex: 0, "aria-label": "The answer as it came" });
  const fill = (body) => {
    text.textContent = body.length > LONGEST_RAW ? `${body.slice(0, LONGEST_RAW)}\n… ${(body.length - LONGEST_RAW).toLocaleString("en")} characters more: download it` : body;
  };
  const choice = make("select", { id: "raw-format" });
  for (const button of document.querySelectorAll(`[data-formats=${answer.isGraph ? "graph" : "solutions"}] button`)) {
    choice.append(make("option", { value: button.dataset.type, selected: answer.type.startsWith(button.dataset.type) }, button.textContent));
  }
  choice.addEventListener("change", async () => {
    try {
      fill((await ask(answer.query, choice.value)).text);
    } catch (error) {
      fill(`The server gave no answer (${error.message}).`);
    }
  });
  fill(answer.text);
  panels.raw.replaceChildren(make("div", { class: "raw-format" }, make("label", { htmlFor: "raw-format" }, "Format"), choice), text);
}

function showFault(fault) {
  const told = at("fault");
  const place = fault.line ? `Line ${fault.line}${fault.column ? `, column ${fault.column}` : ""}:` : "";
  told.replaceChildren(...(place ? [make("button", { type: "button", class: "place", onclick: field.focus }, place), " "] : []), fault.text);
  told.hidden = false;
  at("results").hidden = true;
  field.markFault(fault);
}

function clearFault() {
  at("problem")?.remove();
  at("fault").hidden = true;
  at("fault").replaceChildren();
  field.clearFault();
  say("");
}

/** Where this query can be met again: in the address's query where it fits, else in its fragment. */
function addressOf(query) {
  const url = new URL(location.href), said = new URLSearchParams({ query, run: "1" }).toString();
  const fits = said.length <= LONGEST_ADDRESS;
  url.search = fits ? said : "";
  url.hash = fits ? "" : new URLSearchParams({ query }).toString();
  return url.href;
}

async function share() {
  const address = addressOf(field.text());
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    say("The link is copied.");
  } catch {
    say("The link stands in the address bar."); // a page that came by plain HTTP may not copy
  }
}

async function vocabulary() {
  try {
    const response = await fetch(page.dataset.vocabulary);
    if (response.ok) return await response.json();
  } catch {
    // Without it there is nothing to complete; queries run all the same.
  }
  return { prefixes: {}, classes: [], relations: [] };
}

function wire() {
  at("query-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (running) running.abort();
    else run();
  });
  at("share").hidden = false;
  at("share").addEventListener("click", share);
  for (const link of document.querySelectorAll("a[data-query]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      field.setText(`${link.dataset.query}\n`);
      at("query-form").scrollIntoView({ block: "nearest" });
      run();
    });
  }
}

async function start() {
  const area = at("query"), given = new URLSearchParams(location.hash.slice(1)).get("query");
  if (given !== null) area.value = given;
  field = plainField(area, run);
  wire();
  const words = await vocabulary();
  Object.assign(context.prefixes, words.prefixes);
  context.words = [...words.classes, ...words.relations].map((word) => [word.iri, word.label]);
  if (page.dataset.yasqe) {
    try {
      field = await richField({ url: page.dataset.yasqe, area, place: at("editor"), words, run, say });
      at("keys").hidden = false;
    } catch (error) {
      console.warn("The plain field stays:", error);
      at("editor").hidden = true;
      area.hidden = false;
    }
  }
  page.dataset.ready = "yes";
  const asked = new URLSearchParams(location.search);
  if (given !== null || ["query", "example", "run"].some((name) => asked.has(name))) await run();
}

start();
