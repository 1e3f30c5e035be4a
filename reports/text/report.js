// Tables that can be sorted and filtered, and the command behind a number. The pages say all there is without it.
"use strict";
const make = (kind, attributes, ...children) => {
  const made = kind.startsWith("svg:") ? document.createElementNS("http://www.w3.org/2000/svg", kind.slice(4)) : document.createElement(kind);
  for (const [name, text] of Object.entries(attributes)) made.setAttribute(name, text);
  made.append(...children);
  return made;
};
// Round numbers, some `most` of them, for the labels of an axis.
const nice = (low, high, most) => {
  const raw = (high - low || 1) / most, unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * [1, 2, 5, 10].find((s) => s * unit >= raw * (1 - 1e-9));
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) ticks.push(k * step);
  return ticks;
};

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

// What scrolls sideways can be reached by keys, in every browser.
const reachable = () => document.querySelectorAll(".formula").forEach((part) => part.scrollWidth > part.clientWidth ? (part.tabIndex = 0) : part.removeAttribute("tabindex"));
addEventListener("resize", reachable);
addEventListener("toggle", reachable, true);
reachable();

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
