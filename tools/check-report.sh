#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-report.sh [FOLDER]
#
# Opens every page of a report (default: build/report) in a browser, light and dark, 390, 760 and
# 1280 pixels wide, and checks: no errors, no horizontal scrolling, text and lines with the contrast
# of WCAG AA (4.5 and 3), working filters, sorting and links, and a command for every table. Planted
# faults must each be found. tidy must accept the markup. A scoreboard of engines is sorted and
# filtered, a cell is opened by its address, and its motion played.
set -euo pipefail
pages=$(readlink -f "${1-$(dirname "${BASH_SOURCE[0]}")/../build/report}")
# shellcheck source=tools/failures.sh
. "$(dirname "${BASH_SOURCE[0]}")/failures.sh"
files=("$pages"/*.html)

# The checks, in a page that opens the other pages: prints a line for each fault, and the number of pages.
cat >"$scratch/look.js" <<'JS'
const luminance = (c) => {
  const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
};
const colour = (text) => (text.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
const ground = (view, node) => {
  for (let at = node; at; at = at.parentElement) {
    const c = colour(view.getComputedStyle(at).backgroundColor);
    if ((c[3] ?? 1) > 0) return c;
  }
  return [255, 255, 255];
};
const contrast = (a, b) => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};
const look = (name, width, view) => {
  const faults = [], page = view.document, say = (text) => faults.push(`${name} at ${width}: ${text}`);
  for (const details of page.querySelectorAll("details")) details.open = true;
  if (page.documentElement.scrollWidth > width) {
    const wide = [...page.querySelectorAll("body *")].find((e) => e.getBoundingClientRect().right > width + 1);
    say(`scrolls sideways to ${page.documentElement.scrollWidth}: ${wide?.outerHTML.slice(0, 120)}`);
  }
  const seen = new Set();
  const name_of = (node) => `${node.tagName}.${node.getAttribute("class") ?? ""}.${node.parentElement.getAttribute("class") ?? ""}`;
  const hold = (node, kind, paint, least) => {
    if (paint === "none" || seen.has(kind) || !node.getClientRects().length) return;
    seen.add(kind);
    const ratio = contrast(colour(paint), ground(view, node));
    if (ratio < least) say(`contrast ${ratio.toFixed(2)} of ${kind}`);
  };
  for (const node of page.querySelectorAll("main *, nav a, footer p")) {
    if (![...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const style = view.getComputedStyle(node);
    hold(node, name_of(node), node.closest("svg") ? style.fill : style.color, 4.5);
  }
  for (const node of page.querySelectorAll("svg .line, svg .marks, svg .dots, svg .frame")) hold(node, name_of(node), view.getComputedStyle(node).stroke, 3);
  for (const table of page.querySelectorAll("main table")) {
    let after = table;
    while (after && !after.matches(".command") && !(after !== table && after.matches("h2, table"))) after = after.nextElementSibling ?? after.parentElement?.closest("details, dl")?.nextElementSibling;
    const said = table.querySelector('[title*="impactcheck "], code') || after?.matches(".command");
    if (!said) say(`no command for the table ${table.caption?.textContent ?? table.textContent.slice(0, 60)}`);
  }
  for (const formula of page.querySelectorAll(".formula")) {
    if (formula.scrollHeight > formula.clientHeight) say(`a formula is taller than its line: ${formula.textContent.slice(0, 60)}`);
  }
  for (const link of page.querySelectorAll('a[href^="#"]')) {
    if (!page.getElementById(decodeURIComponent(link.hash.slice(1)))) say(`a link leads nowhere: ${link.hash}`);
  }
  for (const bar of page.querySelectorAll(".filterbar input")) {
    const rows = [...bar.parentElement.nextElementSibling.tBodies[0].rows];
    bar.value = "zzzz-nothing";
    bar.dispatchEvent(new view.Event("input"));
    if (rows.some((row) => !row.hidden)) say("a filter leaves rows that it should not");
    bar.value = rows[0].cells[1].textContent;
    bar.dispatchEvent(new view.Event("input"));
    if (rows[0].hidden) say("a filter hides the row that it is for");
  }
  for (const button of page.querySelectorAll("th button")) {
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
const try_engines = async (view, said) => {
  const page = view.document, rows = () => [...page.querySelectorAll(".board tbody tr")];
  const say = (text) => said.push(`engines at ${view.innerWidth}: ${text}`);
  const names = () => rows().map((row) => row.cells[0].dataset.v).join();
  page.querySelector(".board th button").click();
  if (names() !== names().split(",").sort((a, b) => a.localeCompare(b)).join()) say("a click does not sort engines by name");
  page.querySelector("input[value=best]").click();
  if (rows().some((row) => row.dataset.config !== "best" && row.getClientRects().length)) say("rows of other settings are left");
  page.querySelector("input[value=all]").click();
  if (rows().some((row) => !row.getClientRects().length)) say("rows are not shown again");
  const cell = page.querySelector(".board .cell.fail a");
  view.location.hash = cell.hash;
  if (!(await wait(() => page.querySelector("dialog[open] .film .moving")))) return say("the address of a cell does not open it");
  if (!page.querySelector("dialog .plot .marks")) say("a panel has no chart");
  const time = page.querySelector("dialog [aria-label=time]"), button = page.querySelector(".controls button");
  const shape = () => page.querySelector(".film .moving").getAttribute("d"), before = shape();
  button.click();
  if (!(await wait(() => Number(time.value) > 0))) say("a motion does not play");
  if (button.textContent === "Pause") button.click();
  time.value = time.max;
  time.dispatchEvent(new view.Event("input"));
  if (shape() === before) say("a body does not move");
};
const close_panel = async (view, said) => {
  const page = view.document;
  page.querySelector("dialog .close").click();
  if (!(await wait(() => !page.querySelector("dialog[open]") && view.location.hash === ""))) said.push("engines: a panel does not close");
  if (!page.activeElement.matches(".board .cell a")) said.push("engines: a closed panel does not give back the focus");
};
const main = async () => {
  const said = [];
  let count = 0;
  for (const name of NAMES) {
    for (const width of [390, 760, 1280]) {
      const frame = document.createElement("iframe");
      frame.style = `border:0;width:${width}px;height:900px`;
      const loaded = new Promise((resolve) => (frame.onload = resolve));
      frame.src = `PAGES/${name}`;
      document.body.append(frame);
      await loaded;
      const engines = frame.contentDocument.querySelector(".board .cell.fail");
      if (engines) await try_engines(frame.contentWindow, said);
      said.push(...look(name, width, frame.contentWindow));
      if (engines && frame.contentDocument.querySelector("dialog[open]")) await close_panel(frame.contentWindow, said);
      frame.remove();
      count++;
    }
  }
  document.body.textContent = [...said, `looked at ${count}`].join("\n");
};
main().catch((error) => (document.body.textContent = `fault: ${error.stack}`));
JS

browse() { # FOLDER SCHEME: 0 dark, 1 light
    local names
    names=$(cd "$1" && printf '"%s",' *.html)
    {
        echo '<!DOCTYPE html><meta charset="utf-8"><body><script>'
        sed "s|NAMES|[$names]|; s|PAGES/|file://$1/|" "$scratch/look.js"
        echo '</script>'
    } >"$scratch/look.html"
    timeout 300 chromium --headless=new --no-sandbox --disable-gpu --allow-file-access-from-files --window-size=1400,1000 \
        --blink-settings=preferredColorScheme="$2" --enable-logging=stderr --v=0 --user-data-dir="$scratch/profile" \
        --virtual-time-budget=600000 --dump-dom "file://$scratch/look.html" 2>"$scratch/log" | sed -n '/<body>/,/<\/body>/p' | sed 's/<[^>]*>//g; /^$/d'
    grep -o 'CONSOLE.*' "$scratch/log" || true
}

for scheme in 1 0; do
    said=$(browse "$pages" "$scheme")
    found=$(grep -v '^looked at' <<<"$said" || true)
    [[ $said == *"looked at $((3 * ${#files[@]}))"* ]] || wrong "not all pages were checked: $said"
    [[ -z $found ]] || wrong "scheme $scheme: $found"
done

# planted: one page with one fault each
plant() { # MESSAGE SED-EXPRESSION FILE
    mkdir "$scratch/planted"
    cp "$pages"/{index.html,case-roller.html,report.css,report.js} "$scratch/planted"
    [[ $3 != engines* ]] || cp "$pages"/engines* "$scratch/planted"
    sed -i "$2" "$scratch/planted/$3"
    local said
    said=$(browse "$scratch/planted" 1)
    [[ $said == *"$1"* ]] || wrong "planted fault not found: $1 (output: $said)"
    rm -rf "$scratch/planted"
}
plant "scrolls sideways" 's|<h1|<div style="width:900px">wide</div><h1|' index.html
plant "contrast" 's|--soft: #5b5f66|--soft: #c5c5c5|' report.css
plant "contrast 1" 's|--c2: #1d7a4a|--c2: #e0f0e8|' report.css
plant "a link leads nowhere" 's|id="names"|id="no-names"|' index.html
plant "no command for the table" 's| title="impactcheck verify[^"]*"||; s|<p class="command">|<p>|' index.html
plant "a formula is taller" 's|overflow: auto hidden|overflow: auto hidden; height: 9px|' report.css
plant "CONSOLE" '1i no_such_name();' report.js
plant "does not sort" 's|head.setAttribute|head.hasAttribute|' report.js
if [[ -f $pages/engines.html ]]; then
    plant "does not open it" 's/addEventListener("hashchange", follow);//' engines.js
    plant "does not play" 's/setTimeout(step, 30)/{}/' engines.js
    plant "rows of other settings" 's|data-config="default"|data-config="other"|' engines.html
    plant "does not close" 's|history.replaceState|void |' engines.js
fi

# links from one page to another
while IFS='#' read -r page id; do
    if [[ ! -f $pages/$page ]]; then wrong "a link leads to $page, which does not exist"; fi
    [[ ! $id ]] || grep -q "id=\"$id\"" "$pages/$page" || wrong "a link leads to $page#$id, which does not exist"
done < <(grep -oh 'href="[a-z][^":]*\.html[^"]*"' "$pages"/*.html | sed 's/^href="//; s/"$//' | sort -u)

if command -v tidy >/dev/null; then
    for page in "$pages"/*.html; do # this old tidy knows little MathML, SVG and WAI-ARIA
        said=$(tidy -q -e --show-warnings no "$page" 2>&1 | grep -vE '<(math|m[a-z]+|wbr|output)> is not recognized' || true)
        [[ -z $said ]] || wrong "${page##*/}: $said"
    done
fi
echo "report: $(du -sk "$pages" | cut -f1) kB, ${#files[@]} pages"
((failures == 0))
