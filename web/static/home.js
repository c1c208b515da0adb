/* Copies the text of a field: <button data-copy="ID OF THE FIELD" hidden>. Shown only where the browser can copy. */

for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  if (!field || !navigator.clipboard) continue;
  const name = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      field.select();
      button.textContent = "Press Ctrl-C";
    }
    setTimeout(() => { button.textContent = name; }, 2000);
  });
}
