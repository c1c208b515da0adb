// Tabs by the pattern of https://www.w3.org/WAI/ARIA/apg/patterns/tabs/: arrow keys go from tab to tab.

/** Makes the buttons in `list` tabs of the panels that they control; gives what opens one of them by its name. */
export function makeTabs(list, opened) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const shown = () => tabs.filter((tab) => !tab.hidden);
  const open = (chosen) => {
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute("aria-selected", selected);
      tab.tabIndex = selected ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !selected;
    }
    opened(nameOf(chosen));
  };
  for (const tab of tabs) {
    const panel = document.getElementById(tab.getAttribute("aria-controls"));
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      const all = shown(), at = all.indexOf(tab);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = all.at(to % all.length);
      next.focus();
      open(next);
    });
  }
  return (name) => open(shown().find((tab) => nameOf(tab) === name) ?? shown()[0]);
}

function nameOf(tab) {
  return tab.id.replace("tab-", "");
}
