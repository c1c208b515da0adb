// The field that a query is written in: YASQE where it is there, the plain text area of the page where it is not.
// Both have text(), setText(), markFault(), clearFault() and focus().

import { make } from "./dom.js";
import { completeAsTyped, registerCompleters } from "./completion.js";

/** The plain field. `run` is called at Ctrl-Enter. */
export function plainField(area, run) {
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
  });
  return {
    text: () => area.value,
    setText: (text) => { area.value = text; },
    focus: () => area.focus(),
    clearFault: () => area.removeAttribute("aria-invalid"),
    markFault: ({ line, column }) => {
      area.setAttribute("aria-invalid", "true");
      if (!line) return;
      const lines = area.value.split("\n");
      const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
      const at = before + units(lines[line - 1] ?? "", column);
      area.setSelectionRange(at, at + 1);
    },
  };
}

/** YASQE in the place of the text area. */
export async function richField({ url, area, place, words, run, say }) {
  const { Yasqe } = await import(url);
  Yasqe.defaults.autocompleters = [];
  Yasqe.prototype.checkSyntax = checkSyntax;
  let left = false;
  const leave = { Tab: false, "Shift-Tab": false }; // false: the browser's own meaning
  place.hidden = false;
  const yasqe = new Yasqe(place, {
    value: area.value,
    autocompleters: registerCompleters(Yasqe, words),
    persistenceId: null,
    consumeShareLink: null,
    createShareableLink: null,
    prefixCcApi: null,
    showQueryButton: false,
    editorHeight: "22rem",
    inputStyle: "contenteditable", // what screen readers read best
    screenReaderLabel: "Query",
    extraKeys: {
      "Ctrl-Enter": run,
      "Cmd-Enter": run,
      Esc: (editor) => {
        if (left) return;
        left = true;
        editor.addKeyMap(leave);
        say("Tab leaves the editor now.");
      },
    },
  });
  const stay = () => {
    if (!left) return;
    left = false;
    yasqe.removeKeyMap(leave);
    say("");
  };
  yasqe.on("blur", stay);
  yasqe.on("change", stay);
  completeAsTyped(yasqe);
  const input = yasqe.getInputField();
  input.setAttribute("aria-describedby", "keys");
  input.setAttribute("aria-multiline", "true");
  input.setAttribute("role", "textbox");
  area.hidden = true;
  document.querySelector(`label[for=${area.id}]`).addEventListener("click", () => yasqe.focus());
  return { yasqe, ...faults(yasqe, input), text: () => yasqe.getValue(), setText: (text) => yasqe.setValue(text), focus: () => yasqe.focus() };
}

function faults(yasqe, input) {
  let mark = null, faultyLine = null;
  const clearFault = () => {
    mark?.clear();
    if (faultyLine) yasqe.removeLineClass(faultyLine, "background", "fault-line");
    mark = faultyLine = null;
    input.removeAttribute("aria-invalid");
  };
  const markFault = ({ line, column }) => {
    clearFault();
    input.setAttribute("aria-invalid", "true");
    if (!line || line > yasqe.lineCount()) return;
    const text = yasqe.getLine(line - 1), at = Math.min(units(text, column), Math.max(text.length - 1, 0));
    const end = Math.max(yasqe.getTokenAt({ line: line - 1, ch: at + 1 }).end, at + 1);
    mark = yasqe.markText({ line: line - 1, ch: at }, { line: line - 1, ch: end }, { className: "fault-mark" });
    faultyLine = yasqe.addLineClass(line - 1, "background", "fault-line");
    yasqe.setCursor({ line: line - 1, ch: at });
    yasqe.scrollIntoView({ line: line - 1, ch: at }, 60);
  };
  yasqe.on("change", clearFault);
  return { markFault, clearFault };
}

/** A column of a parser, in characters from 1, as an offset in UTF-16 units. */
function units(line, column) {
  return [...line].slice(0, Math.max((column ?? 1) - 1, 0)).join("").length;
}

/**
 * Marks the first line that YASQE's grammar cannot read on with. In the place of its own check, which writes markup with
 * style attributes, and shows it to a mouse only. The grammar is SPARQL 1.1's: a server may know more.
 */
function checkSyntax() {
  this.queryValid = true;
  this.clearGutter("gutterErrorBar");
  for (let line = 0; line < this.lineCount(); line += 1) {
    const { state } = this.getTokenAt({ line, ch: this.getLine(line).length }, true);
    this.setOption("queryType", state.queryType);
    if (state.OK !== false) continue;
    this.queryValid = false;
    const expected = (state.possibleCurrent ?? []).slice(0, 12).join(" ");
    const told = state.errorMsg || `This line cannot be read on from here${expected ? `; expected: ${expected}` : ""}`;
    this.setGutterMarker(line, "gutterErrorBar", make("span", { class: "gutter-fault", title: told, role: "img", "aria-label": told }, "!"));
    return;
  }
}
