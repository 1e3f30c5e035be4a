// Tables that can be sorted and filtered, and the command behind a number. The pages say all there is without it.
"use strict";
const value = (row, i) => {
  const cell = row.cells[i];
  const text = cell ? cell.dataset.v ?? cell.textContent.trim() : "";
  const number = text === "" ? NaN : Number(text);
  return Number.isNaN(number) ? text : number;
};
const compare = (a, b) => typeof a === typeof b ? (typeof a === "number" ? a - b : a.localeCompare(b)) : typeof a === "number" ? -1 : 1;

for (const table of document.querySelectorAll("table.sort")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * compare(value(a, i), value(b, i)));
      body.append(...rows);
    });
  });
}

for (const table of document.querySelectorAll("table.filter")) {
  if (table.tBodies[0].rows.length < 8) continue;
  const label = document.createElement("label");
  const input = document.createElement("input");
  label.className = "filterbar";
  input.type = "search";
  label.append("Filter", input);
  table.before(label);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of table.tBodies[0].rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
}

const shown = document.createElement("output");
shown.id = "shown";
document.body.append(shown);
for (const part of document.querySelectorAll('[title*="impactcheck "]')) part.dataset.cmd = part.title.replace(/^.*: (?=impactcheck)/, "");
document.addEventListener("click", (event) => {
  const part = event.target.closest("a, button, summary, input") ? null : event.target.closest("[data-cmd]");
  const code = document.createElement("code");
  code.textContent = part ? part.dataset.cmd : "";
  shown.replaceChildren(...(part ? [code] : []));
});

// On paper what is folded up is opened, but for tables of all rows; browsers that know ::details-content do it without this.
addEventListener("beforeprint", () => document.querySelectorAll("details:not(.long)").forEach((part) => (part.open = true)));
