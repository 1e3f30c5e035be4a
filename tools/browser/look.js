// SPDX-License-Identifier: MIT
// What is looked at inside a page (tools/browser/check.mjs): each function returns or adds what is wrong.
const luminance = (c) => {
  const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
};
const colour = (text) => (text.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
const ground = (node) => {
  for (let at = node; at; at = at.parentElement) {
    const c = colour(getComputedStyle(at).backgroundColor);
    if ((c[3] ?? 1) > 0) return c;
  }
  return [255, 255, 255];
};
const contrast = (a, b) => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};
const look = (width) => {
  const faults = [], say = (text) => faults.push(text);
  for (const details of document.querySelectorAll("details")) details.open = true;
  if (document.documentElement.scrollWidth > width) {
    const wide = [...document.querySelectorAll("body *")].find((e) => e.getBoundingClientRect().right > width + 1);
    say(`scrolls sideways to ${document.documentElement.scrollWidth}: ${wide?.outerHTML.slice(0, 120)}`);
  }
  // text that is cut: outside the screen, or of a part that hides what is too large for it
  const letters = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let text; (text = letters.nextNode()); ) {
    const within = text.parentElement;
    if (!text.data.trim() || within.closest(".hidden, [hidden], thead, .formula, title, script, output") || !within.checkVisibility()) continue;
    range.selectNodeContents(text);
    const { left, right, bottom } = range.getBoundingClientRect(), cell = within.closest("td, th");
    if (cell && right > cell.getBoundingClientRect().right + 1) say(`text leaves its cell: ${text.data.trim().slice(0, 40)}`);
    if (within.closest(".scrolls")) continue;
    if (right > left && (left < -1 || right > width + 1)) say(`text is cut: ${text.data.trim().slice(0, 40)}`);
    for (let at = within; at && !at.closest("svg"); at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at), frame = at.getBoundingClientRect();
      if ((/hidden|clip/.test(overflowX) && right > frame.right + 1) || (/hidden|clip/.test(overflowY) && bottom > frame.bottom + 2)) say(`text is cut: ${text.data.trim().slice(0, 40)}`);
    }
  }
  const seen = new Set();
  const name_of = (node) => `${node.tagName}.${node.getAttribute("class") ?? ""}.${node.parentElement.getAttribute("class") ?? ""}`;
  const hold = (node, kind, paint, least) => {
    if (paint === "none" || seen.has(kind) || !node.getClientRects().length) return;
    seen.add(kind);
    const ratio = contrast(colour(paint), ground(node));
    if (ratio < least) say(`contrast ${ratio.toFixed(2)} of ${kind}`);
  };
  for (const node of document.querySelectorAll("main *, nav a, footer p")) {
    if (![...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const style = getComputedStyle(node);
    hold(node, name_of(node), node.closest("svg") ? style.fill : style.color, 4.5);
  }
  for (const node of document.querySelectorAll("svg .line, svg .marks, svg .dots, svg .frame")) hold(node, name_of(node), getComputedStyle(node).stroke, 3);
  for (const table of document.querySelectorAll("main table")) {
    let after = table;
    while (after && !after.matches(".command") && !(after !== table && after.matches("h2, table"))) after = after.nextElementSibling ?? after.parentElement?.closest("details, dl")?.nextElementSibling;
    const said = table.querySelector('[title*="impactcheck "], code') || after?.matches(".command");
    if (!said) say(`no command for the table ${table.caption?.textContent ?? table.textContent.slice(0, 60)}`);
  }
  for (const formula of document.querySelectorAll(".formula")) {
    if (formula.scrollHeight > formula.clientHeight) say(`a formula is taller than its line: ${formula.textContent.slice(0, 60)}`);
  }
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    if (!document.getElementById(decodeURIComponent(link.hash.slice(1)))) say(`a link leads nowhere: ${link.hash}`);
  }
  for (const bar of document.querySelectorAll(".filterbar input")) {
    const rows = [...bar.parentElement.nextElementSibling.tBodies[0].rows];
    bar.value = "zzzz-nothing";
    bar.dispatchEvent(new Event("input"));
    if (rows.some((row) => !row.hidden)) say("a filter leaves rows that it should not");
    bar.value = rows[0].cells[1].textContent;
    bar.dispatchEvent(new Event("input"));
    if (rows[0].hidden) say("a filter hides the row that it is for");
  }
  for (const button of document.querySelectorAll("th button")) {
    button.click();
    if (!button.parentElement.hasAttribute("aria-sort")) say("a table does not sort");
    break;
  }
  return faults;
};
const wait = async (good) => {
  for (let i = 0; i < 100 && !good(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  return good();
};
// Leaves the panel open, whose contrast is then looked at.
const tryEngines = async () => {
  const said = [], rows = () => [...document.querySelectorAll(".board tbody tr")];
  const say = (text) => said.push(`engines: ${text}`);
  const names = () => rows().map((row) => row.cells[0].dataset.v).join();
  document.querySelector(".board th button").click();
  if (names() !== names().split(",").sort((a, b) => a.localeCompare(b)).join()) say("a click does not sort engines by name");
  document.querySelector("input[value=best]").click();
  if (rows().some((row) => row.dataset.config !== "best" && row.getClientRects().length)) say("rows of other settings are left");
  document.querySelector("input[value=all]").click();
  if (rows().some((row) => !row.getClientRects().length)) say("rows are not shown again");
  const cell = document.querySelector(".board .cell.fail a");
  location.hash = cell.hash;
  if (!(await wait(() => document.querySelector("dialog[open] .film .moving")))) return said.concat("engines: the address of a cell does not open it");
  if (!document.querySelector("dialog .plot .marks")) say("a panel has no chart");
  const time = document.querySelector("dialog [aria-label=time]"), button = document.querySelector(".controls button");
  const shape = () => document.querySelector(".film .moving").getAttribute("d"), before = shape();
  button.click();
  if (!(await wait(() => Number(time.value) > 0))) say("a motion does not play");
  if (button.textContent === "Pause") button.click();
  time.value = time.max;
  time.dispatchEvent(new Event("input"));
  if (shape() === before) say("a body does not move");
  return said;
};
const closePanel = async () => {
  const said = [];
  document.querySelector("dialog .close").click();
  if (!(await wait(() => !document.querySelector("dialog[open]") && location.hash === ""))) said.push("engines: a panel does not close");
  if (!document.activeElement.matches(".board .cell a")) said.push("engines: a closed panel does not give back the focus");
  return said;
};
// What Tab must reach, of a group of radio buttons the one that is on; `reached` marks what it has.
const stops = () => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && (e.type !== "radio" || e.checked));
const reach = () => {
  const at = document.activeElement;
  if (at === document.body || at === document.documentElement || at.dataset.reached) return "end";
  at.dataset.reached = 1;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  return outlineStyle === "none" || outlineWidth === "0px" ? `no sign of focus: ${at.outerHTML.slice(0, 80)}` : "";
};
const left = () => stops().filter((e) => !e.dataset.reached).map((e) => `Tab does not reach ${e.outerHTML.slice(0, 80)}`);
// The first figure with a line and a legend: its state, and what is said of its curve at a place.
const figure = () => [...document.querySelectorAll("svg.plot[data-x]")].find((svg) => svg.querySelector(".line") && svg.querySelector(".key") && !svg.closest("details:not([open])"));
const figureState = () => ({ said: figure().nextElementSibling.querySelector("output").textContent, ticks: figure().querySelector(".ticks").textContent,
  drawn: [...figure().querySelectorAll("svg path")].map((path) => path.getAttribute("d")).join(), shown: [...figure().querySelectorAll("svg path")].filter((path) => path.checkVisibility()).length });
// A pointer at a point of the line: the value at the abscissa must be that between two labels of its axis.
const pointAtLine = () => {
  const svg = figure(), numbers = svg.querySelector(".line").getAttribute("d").match(/-?[\d.]+/g).map(Number), inner = svg.querySelector("svg");
  const [x, y] = numbers, client = new DOMPoint(x, y).matrixTransform(inner.getScreenCTM());
  inner.dispatchEvent(new PointerEvent("pointermove", { clientX: client.x, clientY: client.y, bubbles: true }));
  const number = (text) => Number(text.replace("−", "-").replace(/·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, (_, up) => `e${[...up].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)).map((d) => (d < 0 ? "-" : d)).join("")}`));
  const ticks = [...svg.querySelectorAll(".ticks text[text-anchor=middle]:not(:has(tspan))")].map((text) => [Number(text.getAttribute("x")), number(text.textContent)]);
  if (ticks.length < 2) return [];
  const [[a, from], [b, to]] = [ticks[0], ticks.at(-1)], wanted = from + ((x - a) / (b - a)) * (to - from), name = svg.querySelector(".of-x").textContent.split(" / ")[0];
  const said = number(figureState().said.split(`${name} = `)[1]?.split(/[ ,]/)[0] ?? "");
  return Math.abs(said - wanted) <= 2e-3 * Math.abs(to - from) ? [] : [`a figure says ${figureState().said} at ${wanted}`];
};
