// SPDX-License-Identifier: MIT
// node check.mjs BROWSER FOLDER AXE [quick]: looks at each page of a report as tools/check-report.sh says. AXE: the
// file axe.min.js; "": rules of accessibility are not tried. Prints what is wrong, and how many pages were looked at.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import * as browsers from './browser.mjs';

const [which, folder, axe, quick] = process.argv.slice(2);
const look = readFileSync(new URL('look.js', import.meta.url), 'utf8'),
      rules = axe ? readFileSync(axe, 'utf8') : '';
// Firefox looks at the first pages of cases and of solvers only: they are made alike.
const kindOf = (name) => name.replace(/-.*/, '');
const pages = readdirSync(folder)
                .filter((name) => name.endsWith('.html'))
                .filter(
                  (name, i, all) => which !== 'firefox' ||
                    all.filter((other) => kindOf(other) === kindOf(name)).indexOf(name) < 3);
const FEW = [[360, 'dark'], [1280, 'light', 'axe', 'keys']]; // width, scheme, what else
const SIGHTS = quick || which === 'firefox' ?
  FEW :
  [[360, 'light'], [390, 'dark', 'axe'], [768, 'light'], [1280, 'light', 'axe', 'keys'], [1920, 'dark']];
const browser = await browsers[which]();
const run = (expression) => browser.run(`(async () => { ${look}; return ${expression}; })()`);

// By axe, without rules that a page of a larger site keeps.
const judge = async () => {
  if (!(await browser.run('typeof axe === \'object\''))) await browser.run(`${rules}; 0`);
  return browser.run(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map((v) => \`axe: \${v.id}: \${v.help}: \${v.nodes[0].html.slice(0, 120)}\`))`);
};
const byKeys = async () => {
  const said = [];
  for (let i = 0; i < 3000; i++) {
    await browser.key('Tab');
    const answer = await run('reach()');
    if (answer === 'end') break;
    if (answer) said.push(answer);
  }
  return said.concat(await run('left()'));
};
const tryFigure = async () => {
  const said = [], state = () => run('figureState()'), start = await state();
  const expect = (good, text) => good || said.push(`a figure ${text}`);
  said.push(...(await run('pointAtLine()')));
  await run('figure().focus()');
  await browser.key('ArrowRight');
  expect((await state()).said, 'says nothing of a point');
  await browser.key('+');
  const near = await state();
  expect(near.drawn !== start.drawn && near.ticks !== start.ticks, 'does not become larger');
  await browser.key('0');
  expect(
    (await state()).drawn === start.drawn && (await state()).ticks === start.ticks,
    'does not become whole again');
  await run('figure().querySelector(\'.key\').focus()');
  await browser.key('Enter');
  expect((await state()).shown < start.shown, 'does not switch off a curve');
  await browser.key('Enter');
  expect((await state()).shown === start.shown, 'does not switch on a curve');
  return said;
};

const said = new Set();
let looks = 0, figures = 0;
for (const name of pages) {
  const say = (width, texts) =>
    texts.forEach((text) => said.add(`${browser.name}: ${name} at ${width}: ${text}`));
  let shown = 0;
  for (const [width, scheme, ...more] of SIGHTS) {
    await browser.size(width, 900);
    await browser.scheme(scheme);
    await browser.go(`file://${join(folder, name)}`);
    const engines = await run('document.querySelector(\'.board .cell.fail\') !== null');
    if (more.includes('keys')) say(width, await byKeys());
    if (more.includes('keys') && (await run('figure() !== undefined')))
      say(width, await tryFigure()), figures++;
    if (engines) say(width, await run('tryEngines()'));
    say(width, await run(`look(${width})`));
    if (engines && (await run('document.querySelector(\'dialog[open]\') !== null')))
      say(width, await run('closePanel()'));
    if (rules && more.includes('axe')) say(width, await judge());
    say(width, (await browser.faults()).map((text) => `script: ${text}`));
    shown =
      await run('[...document.querySelectorAll(\'svg.plot\')].filter((svg) => svg.checkVisibility()).length');
    looks++;
  }
  if (browser.scripts) {
    await browser.scripts(false);
    await browser.go(`file://${join(folder, name)}`);
    await run('document.querySelectorAll(\'details\').forEach((part) => (part.open = true))');
    if (
      (await run(
        '[...document.querySelectorAll(\'svg.plot\')].filter((svg) => svg.checkVisibility()).length')) !==
      shown)
      say('any width', ['figures are missing without scripts']);
    await browser.scripts(true);
  }
}
console.log([
  ...said,
  `${browser.name} looked ${looks} times at ${pages.length} pages, tried ${figures} figures${
    rules ? '' : ', without rules of accessibility'}`
].join('\n'));
process.exit(0);
