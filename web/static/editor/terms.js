// How terms are shown: IRIs as links to their pages on this server, whatever their scheme, everything else as text.

import { make } from "./dom.js";

const LOCAL = /^[\p{L}\p{N}_-]+$/u;
const LONGEST = 2000;
const PLAIN = ["http://www.w3.org/2001/XMLSchema#string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"];

/** The namespace and the rest of an IRI; no namespace, and a prefixed name, where a prefix fits. */
export function part(iri, prefixes) {
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    if (iri.startsWith(namespace) && LOCAL.test(iri.slice(namespace.length))) {
      return ["", `${prefix}:${iri.slice(namespace.length)}`];
    }
  }
  const at = Math.max(iri.lastIndexOf("/", iri.length - 2), iri.lastIndexOf("#", iri.length - 2)) + 1;
  return [iri.slice(0, at), iri.slice(at)];
}

/** A term on few words, for a drawing. */
export function brief(term, prefixes) {
  if (term.type === "uri") return part(term.value, prefixes)[1];
  if (term.type === "bnode") return `_:${term.value}`;
  return term.type === "triple" ? "triple" : term.value;
}

/** A term as content of a cell. */
export function show(term, { prefixes, entity }) {
  if (term === null) return "";
  if (term.type === "uri") {
    const [space, rest] = part(term.value, prefixes);
    const link = make("a", { href: entity + encodeURIComponent(term.value), title: term.value });
    link.append(...(space ? [make("span", { class: "space" }, space)] : []), rest);
    return link;
  }
  if (term.type === "bnode") return make("span", { class: "note" }, `_:${term.value}`);
  if (term.type === "triple") {
    const { subject, predicate, object } = term.value;
    const shown = [subject, predicate, object].flatMap((inner) => [show(inner, { prefixes, entity }), " "]);
    return make("span", {}, "<<( ", ...shown, ")>>");
  }
  const note = term["xml:lang"] || (term.datatype && !PLAIN.includes(term.datatype) ? part(term.datatype, prefixes).join("") : "");
  const text = make("span", { class: "text" }, cut(term.value));
  return note ? make("span", {}, text, " ", make("span", { class: "note" }, note)) : text;
}

function cut(text) {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length.toLocaleString("en")} characters)`;
}
