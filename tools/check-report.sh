#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-report.sh [FOLDER...]
#
# Opens every page of reports (default: build/report) in Chromium, and some in Firefox, light and dark, from 360 to
# 1920 pixels wide, and checks: no errors, no horizontal scrolling, no text that is cut, text and lines with the
# contrast of WCAG AA (4.5 and 3), the rules of accessibility of axe-core, all that can be pressed reached by Tab and
# seen there, working filters, sorting and links, a command for every table; figures that say the value at a point, that
# are enlarged and whole again, whose curves are switched off, and that are there without scripts. A scoreboard of
# engines is sorted and filtered, a cell is opened by its address, and its motion played. Planted faults, in pages of
# the first folder, must each be found. tidy must accept the markup. No page has more than a million bytes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folders=()
for folder in "${@:-$root/build/report}"; do folders+=("$(readlink -f "$folder")"); done
pages=${folders[0]}
# shellcheck source=tools/failures.sh
. "$root/tools/failures.sh"

axe=$root/build/browser/node_modules/axe-core/axe.min.js
"$root/tools/npm.sh" "$root/tools/browser" "$root/build/browser" || axe=
browsers=(chromium)
if command -v firefox-esr >/dev/null; then browsers+=(firefox); else echo "check-report: Firefox (firefox-esr) is missing: not tried"; fi

browse() { # BROWSER FOLDER [quick]: prints what is wrong, and how many pages were looked at
    timeout 1200 node "$root/tools/browser/check.mjs" "$1" "$2" "$axe" "${3-}" 2>&1 || echo "check.mjs ended with status $?"
}

for folder in "${folders[@]}"; do
    for browser in "${browsers[@]}"; do
        said=$(browse "$browser" "$folder")
        echo "${said##*$'\n'}"
        [[ ${said##*$'\n'} == *' looked '* && $said != *$'\n'* ]] || wrong "$folder: $said"
    done
    for page in "$folder"/*.html; do
        (($(stat -c %s "$page") < 1000000)) || wrong "$page has more than a million bytes"
    done
done

# planted: one page with one fault each
plant() { # MESSAGE SED-EXPRESSION FILE [PAGE [BROWSER]]
    local page=${4-index.html} said
    [[ $3 != *.html ]] || page=$3
    mkdir "$scratch/planted"
    cp "$pages"/{"$page",report.css,report.js,figures.js} "$scratch/planted"
    [[ $page != engines* ]] || cp "$pages"/engines*.js "$scratch/planted"
    sed -i "$2" "$scratch/planted/$3"
    said=$(browse "${5-chromium}" "$scratch/planted" quick)
    [[ $said == *"$1"* ]] || wrong "planted fault not found: $1 (output: $said)"
    rm -rf "$scratch/planted"
}
plant "scrolls sideways" 's|<h1|<div style="width:900px">wide</div><h1|' index.html
plant "scrolls sideways" 's|<table class|<table style="width: 1400px" class|' results.html
plant "text is cut" 's|h1 { font-size|h1 { height: 9px; overflow: hidden; font-size|' report.css
plant "text leaves its cell" 's|^th, td {|th, td { max-width: 8px; white-space: nowrap;|' report.css
plant "contrast" 's|--soft: #5b5f66|--soft: #c5c5c5|' report.css
plant "contrast 1" 's|--c0: #1c5b9c|--c0: #e0f0e8|' report.css case-roller.html
plant "a link leads nowhere" 's|id="names"|id="no-names"|' index.html
plant "no command for the table" 's| title="impactcheck verify[^"]*"||; s|<p class="command">|<p>|' index.html
plant "a formula is taller" 's|overflow: auto hidden|overflow: auto hidden; height: 9px|' report.css case-roller.html
plant "script: " '1i no_such_name();' report.js
plant "does not sort" 's|head.setAttribute|head.hasAttribute|' report.js
plant "Tab does not reach" 's|<a href="audits.html"|<a tabindex="-1" href="audits.html"|' index.html
plant "no sign of focus" 's|:focus-visible { outline: 2px|:focus-visible { outline: 0|' report.css
figures=case-bouncing-ball.html
plant "does not become larger" 's|"+": () => zoom(2)|"+": () => zoom(1)|' figures.js "$figures"
plant "does not become whole" 's|whole = () => ((now = { x: { ...home.x }|whole = () => ((now = { x: { ...now.x }|' figures.js "$figures"
plant "does not switch off" 's|hidden ? "none"|hidden ? ""|' figures.js "$figures"
plant "a figure says" 's|const real = a.log ? 10 \*\* value : value|const real = 1.1 * value|' figures.js "$figures"
plant "missing without scripts" '1i svg.plot:not([tabindex]) { display: none; }' report.css "$figures"
if [[ $axe ]]; then
    for browser in "${browsers[@]}"; do plant "axe: html-has-lang" 's|<html lang="en">|<html>|' results.html results.html "$browser"; done
fi
if [[ -f $pages/engines.html ]]; then
    plant "does not open it" 's/addEventListener("hashchange", follow);//' engines.js engines.html
    plant "does not play" 's/setTimeout(step, 30)/{}/' engines.js engines.html
    plant "rows of other settings" 's|data-config="default"|data-config="other"|' engines.html
    plant "does not close" 's|history.replaceState|void |' engines.js engines.html
fi

for folder in "${folders[@]}"; do
    while IFS='#' read -r page id; do # links from one page to another
        if [[ ! -f $folder/$page ]]; then wrong "$folder: a link leads to $page, which does not exist"; fi
        [[ ! $id ]] || grep -q "id=\"$id\"" "$folder/$page" || wrong "$folder: a link leads to $page#$id, which does not exist"
    done < <(grep -oh 'href="[a-z][^":]*\.html[^"]*"' "$folder"/*.html | sed 's/^href="//; s/"$//' | sort -u)
    if command -v tidy >/dev/null; then
        for page in "$folder"/*.html; do # this old tidy knows little MathML, SVG and WAI-ARIA
            said=$(tidy -q -e --show-warnings no "$page" 2>&1 | grep -vE '<(math|m[a-z]+|wbr|output)> is not recognized' || true)
            [[ -z $said ]] || wrong "$page: $said"
        done
    fi
    echo "report: $(du -sk "$folder" | cut -f1) kB, $(find "$folder" -name '*.html' | wc -l) pages"
done
((failures == 0))
