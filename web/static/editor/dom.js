// Makes elements. Texts are set as texts: nothing here, or in what uses it, is parsed as markup.

/** An element with properties ("class", "aria-…" and "data-…" as attributes) and children: elements and texts. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") element.className = value;
    else if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

/** "1 row", "1,234 rows". */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
