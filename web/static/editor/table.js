// The rows of an answer, a hundred at a time.

import { count, make } from "./dom.js";
import { show } from "./terms.js";

const PER_PAGE = 100;

/** Fills `panel` with the answer. */
export function showTable(panel, answer, context) {
  if (typeof answer.boolean === "boolean") {
    panel.replaceChildren(make("p", { class: "yes-no" }, answer.boolean ? "Yes" : "No"));
  } else if (!answer.rows.length) {
    panel.replaceChildren(make("p", {}, "Nothing in the graph matches this query."));
  } else {
    showPage(panel, answer, context, 0);
  }
}

function showPage(panel, answer, context, page) {
  const start = page * PER_PAGE;
  const rows = answer.rows.slice(start, start + PER_PAGE);
  const head = make("thead", {}, make("tr", {}, ...answer.columns.map((name) => make("th", { scope: "col" }, name))));
  const body = make("tbody");
  for (const row of rows) {
    body.append(make("tr", {}, ...row.map((term) => make("td", {}, show(term, context)))));
  }
  const scroll = make("div", { class: "scroll", role: "region", "aria-label": "Table of results", tabIndex: 0 });
  scroll.append(make("table", { class: "answers" }, head, body));
  panel.replaceChildren(scroll);
  const pages = Math.ceil(answer.rows.length / PER_PAGE);
  if (pages > 1) panel.append(pager(panel, answer, context, page, pages));
}

function pager(panel, answer, context, page, pages) {
  const turn = (to) => () => {
    showPage(panel, answer, context, to);
    const buttons = [...panel.querySelectorAll(".pager button")];
    (buttons.find((button) => !button.disabled && (button.dataset.to < to) === (to < page)) ?? buttons[0]).focus();
  };
  const button = (text, to) =>
    make("button", { type: "button", class: "quiet", disabled: to < 0 || to >= pages, onclick: turn(to), "data-to": to }, text);
  const last = Math.min((page + 1) * PER_PAGE, answer.rows.length);
  const where = `${(page * PER_PAGE + 1).toLocaleString("en")} to ${last.toLocaleString("en")} of ${count(answer.rows.length, "row")}`;
  return make("nav", { class: "pager", "aria-label": "Rows" }, button("Previous", page - 1), make("span", {}, where), button("Next", page + 1));
}
