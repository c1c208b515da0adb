// Reads what an endpoint answers: SPARQL JSON results (https://www.w3.org/TR/sparql11-results-json/), N-Triples, and the
// problem documents of a refusal (RFC 9457). A term is { type: "uri" | "bnode" | "literal" | "triple", value, ... }.

const SOLUTIONS = "application/sparql-results+json";
const TRIPLES = "application/n-triples";
export const ACCEPT = `${SOLUTIONS}, ${TRIPLES}, application/problem+json;q=0.5`;

const TERM = /\s*(?:<([^>]*)>|_:(\S+)|"((?:[^"\\]|\\.)*)"(?:@([\w-]+)|\^\^<([^>]*)>)?)/y;
const ESCAPES = { t: "\t", b: "\b", n: "\n", r: "\r", f: "\f" };

/** The answer: { boolean } of an ASK, or { columns, rows, isGraph }; a row is a list of terms, null where unbound. */
export function readAnswer(type, text) {
  if (type.startsWith(TRIPLES)) {
    return { columns: ["subject", "predicate", "object"], rows: readTriples(text), isGraph: true };
  }
  const said = JSON.parse(text);
  if (typeof said.boolean === "boolean") return { boolean: said.boolean, columns: [], rows: [], isGraph: false };
  const columns = said.head.vars;
  return { columns, rows: said.results.bindings.map((row) => columns.map((name) => row[name] ?? null)), isGraph: false };
}

/** The triples of N-Triples as lists of three terms. */
export function readTriples(text) {
  return text.split("\n").filter((line) => line.trim()).map((line) => {
    TERM.lastIndex = 0;
    return [readTerm(line), readTerm(line), readTerm(line)];
  });
}

function readTerm(line) {
  const found = TERM.exec(line);
  if (!found) throw new Error(`this is no N-Triples: ${line.slice(0, 80)}`);
  const [, iri, blank, text, language, datatype] = found;
  if (iri !== undefined) return { type: "uri", value: unescape(iri) };
  if (blank !== undefined) return { type: "bnode", value: blank };
  return { type: "literal", value: unescape(text), "xml:lang": language, datatype: datatype && unescape(datatype) };
}

function unescape(text) {
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/gs, (_, four, eight, one) =>
    one ? (ESCAPES[one] ?? one) : String.fromCodePoint(parseInt(four ?? eight, 16)),
  );
}

/** Why there is no answer: { text, line, column }, whatever form the refusal has. */
export function readProblem(response, type, text) {
  if (type.includes("json")) {
    try {
      const { title, detail, line, column } = JSON.parse(text);
      // The reason may begin with the place, which is said apart.
      return { text: (detail || title).replace(/^line \d+(, column \d+)?: /i, ""), line, column };
    } catch {
      // It is said to be JSON and is not: it is shown as it came.
    }
  }
  const plain = type.startsWith("text/plain") ? text.trim() : "";
  return { text: plain.slice(0, 2000) || `The server answered ${response.status} ${response.statusText}.` };
}

/** The triples that can be drawn: all of a graph; of a table, those of columns called s, p, o or the whole words. */
export function drawable(answer) {
  if (answer.isGraph) return answer.rows;
  const names = [["s", "p", "o"], ["subject", "predicate", "object"]];
  const places = names.map((three) => three.map((name) => answer.columns.indexOf(name))).find((three) => !three.includes(-1));
  if (!places) return [];
  return answer.rows.map((row) => places.map((place) => row[place])).filter((three) => !three.includes(null));
}
