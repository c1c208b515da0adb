// What YASQE completes: the prefixes, classes and relations of this graph, as the server says them. Its own completers,
// which ask servers elsewhere, are not used.

import { make } from "./dom.js";

const MOST = 40;
const LOCAL = /^[\p{L}\p{N}_-]+$/u;

/** Registers the completers with `Yasqe`, and gives their names. `words` is what /api/vocabulary answers. */
export function registerCompleters(Yasqe, words) {
  const bundled = Yasqe.Autocompleters.prefixes;
  Yasqe.forkAutocompleter("prefixes", {
    name: "graph-prefixes",
    persistenceId: null,
    // YASQE brings a list of usual prefixes; where ours has the same prefix, ours counts.
    get: async (yasqe) => {
      const usual = (await bundled.get(yasqe)).filter((line) => !(line.split(":")[0] in words.prefixes));
      return [...Object.entries(words.prefixes).map(([prefix, iri]) => `${prefix}: <${iri}>`), ...usual].sort();
    },
  }, false);
  forkWords(Yasqe, "class", "graph-classes", words.classes, words.prefixes);
  forkWords(Yasqe, "property", "graph-relations", words.relations, words.prefixes);
  return ["variables", "graph-prefixes", "graph-classes", "graph-relations"];
}

/** Opens the list of completions as a prefixed name is typed. */
export function completeAsTyped(yasqe) {
  yasqe.on("inputRead", (_, change) => {
    if (!/[\p{L}\p{N}:_-]$/u.test(change.text.join("\n")) || yasqe.state.completionActive) return;
    if (/^[\w-]+:/.test(yasqe.getCompleteToken().string)) yasqe.autocomplete();
  });
}

function forkWords(Yasqe, from, name, list, prefixes) {
  const offered = new Map();
  Yasqe.forkAutocompleter(from, {
    name,
    persistenceId: null,
    get: (yasqe, token) => {
      offered.clear();
      return find(list, token, prefixes).map((word) => {
        offered.set(word.iri, word);
        return word.iri;
      });
    },
    postProcessSuggestion: (yasqe, token, iri) => {
      const text = written(iri, { ...prefixes, ...yasqe.getPrefixesFromQuery() });
      offered.set(text, offered.get(iri));
      return text;
    },
    postprocessHints: (yasqe, hints) => hints.map((hint) => ({ ...hint, render: (item) => describe(item, hint, offered.get(hint.text)) })),
  }, false);
}

/** The words that fit what was typed, most used first: those that begin with it, then those that hold it. */
function find(list, token, prefixes) {
  const typed = (token.autocompletionString ?? token.string).trim();
  const [prefix, rest] = token.string.split(":");
  const iri = token.tokenPrefix && !token.tokenPrefixUri && prefix in prefixes ? prefixes[prefix] + rest : typed;
  const part = token.string.includes(":") && !token.string.startsWith("<") ? (rest ?? "") : typed;
  const space = iri.includes(":") ? iri.slice(0, iri.length - part.length) : "";
  const begins = list.filter((word) => space && word.iri.startsWith(iri) && word.iri !== iri);
  const sought = part.toLowerCase();
  const holds = list.filter((word) =>
    word.iri.startsWith(space) && !begins.includes(word) && word.iri !== iri &&
    (word.label.toLowerCase().includes(sought) || word.iri.toLowerCase().slice(space.length).includes(sought)));
  return [...begins, ...holds].slice(0, MOST);
}

/** An IRI as it stands in a query: by a prefix where one fits. */
function written(iri, prefixes) {
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    if (iri.startsWith(namespace) && LOCAL.test(iri.slice(namespace.length))) return `${prefix}:${iri.slice(namespace.length)}`;
  }
  return `<${iri}>`;
}

function describe(item, hint, word) {
  item.append(make("span", { class: "hint-name" }, hint.text));
  if (!word) return;
  const uses = word.count ? `${word.count.toLocaleString("en")}×` : "not used";
  item.append(make("span", { class: "hint-about" }, ` ${word.label} · ${uses}`));
}
