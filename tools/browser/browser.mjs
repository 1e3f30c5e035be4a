// SPDX-License-Identifier: MIT
// A browser without a window, driven without packages: Chromium by its debugging pipe, Firefox by Marionette.
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// What the key sends: its code of Windows, of WebDriver, and its text.
const KEYS = {
  Tab: [9, '\uE004'],
  Enter: [13, '\uE007', '\r'],
  Escape: [27, '\uE00C'],
  ArrowRight: [39, '\uE014'],
  '+': [187, '+', '+'],
  0: [48, '0', '0']
};

// Numbered requests: `send` writes one, `answer` gives an answer to who waits for it.
const requests = (write) => {
  const waiting = new Map();
  let count = 0;
  const send = (name, parameters = {}, session) => new Promise((good, bad) => {
    waiting.set(++count, {good, bad: (text) => bad(new Error(`${name}: ${text}`))});
    write(count, name, parameters, session);
  });
  const answer = (id, error, result) => {
    const {good, bad} = waiting.get(id);
    waiting.delete(id);
    error ? bad(error.message) : good(result);
  };
  return {send, answer};
};

// The browser and its profile end with this program, however it ends.
const start = (program, words, stdio) => {
  const profile = mkdtempSync(join(tmpdir(), 'impactcheck-browser-'));
  const child = spawn(program, words(profile), {stdio, env: {...process.env, HOME: profile}});
  process.once('SIGTERM', () => process.exit(143));
  process.once('exit', () => {
    child.kill('SIGKILL');
    for (let i = 0; i < 50; i++) { // while its processes end, they may write
      try {
        return rmSync(profile, {recursive: true, force: true});
      } catch {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      }
    }
  });
  return {child, profile};
};

export const chromium = async () => {
  const words = (profile) =>
    ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--allow-file-access-from-files',
     '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'];
  const {child} = start('chromium', words, ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']);
  const faults = [];
  let rest = '', loaded = () => {};
  const {send, answer} = requests(
    (id, method, params, sessionId) =>
      child.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`));
  const take = (message) => {
    if (message.id) return answer(message.id, message.error, message.result);
    if (message.method === 'Page.loadEventFired') loaded();
    if (message.method === 'Runtime.exceptionThrown')
      faults.push(message.params.exceptionDetails.exception?.description ?? 'an exception');
    if (message.method === 'Log.entryAdded' && message.params.entry.level === 'error')
      faults.push(message.params.entry.text);
  };
  child.stdio[4].setEncoding('utf8').on('data', (text) => {
    const parts = (rest + text).split('\0');
    rest = parts.pop();
    parts.forEach((part) => take(JSON.parse(part)));
  });
  const {targetId} = await send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await send('Target.attachToTarget', {targetId, flatten: true});
  const ask = (name, parameters) => send(name, parameters, sessionId);
  for (const name of ['Page', 'Runtime', 'Log']) await ask(`${name}.enable`);
  return {
    name: 'Chromium',
    go: async (url) => {
      const whole = new Promise((resolve) => (loaded = resolve));
      await ask('Page.navigate', {url});
      await whole;
    },
    size: (width, height) =>
      ask('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false}),
    scheme: (value) => ask('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value}]}),
    scripts: (on) => ask('Emulation.setScriptExecutionDisabled', {value: !on}),
    run: async (expression) => {
      const {result, exceptionDetails} =
        await ask('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    key: async (key) => {
      const [windowsVirtualKeyCode, , text] = KEYS[key];
      await ask('Input.dispatchKeyEvent', {type: 'keyDown', key, code: key, windowsVirtualKeyCode, text});
      await ask('Input.dispatchKeyEvent', {type: 'keyUp', key, code: key, windowsVirtualKeyCode});
    },
    faults: async () => faults.splice(0),
  };
};

const PREFERENCES = {
  'marionette.port': 0,
  'security.fileuri.strict_origin_policy': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.disabledForTesting': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'toolkit.cosmeticAnimations.enabled': false
};

export const firefox = async () => {
  const words = (profile) => {
    writeFileSync(
      join(profile, 'user.js'),
      Object.entries(PREFERENCES)
        .map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`)
        .join(''));
    return [
      '--headless', '--no-remote', '--marionette', '--remote-allow-system-access', '--profile', profile,
      'about:blank'
    ];
  };
  const {profile} = start('firefox-esr', words, 'ignore');
  let port = '', rest = Buffer.alloc(0);
  for (let i = 0; i < 300 && !port; i++) { // it chooses a port, and writes it down
    await sleep(100);
    try {
      port = readFileSync(join(profile, 'MarionetteActivePort'), 'utf8');
    } catch { /* not yet */
    }
  }
  if (!port) throw new Error('Firefox does not start');
  const socket = connect(Number(port), '127.0.0.1');
  const {send, answer} = requests((id, name, parameters) => {
    const text = JSON.stringify([0, id, name, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
  });
  socket.on('data', (data) => { // LENGTH:MESSAGE, in bytes
    rest = Buffer.concat([rest, data]);
    for (let colon; (colon = rest.indexOf(':')) > 0;) {
      const end = colon + 1 + Number(rest.subarray(0, colon));
      if (rest.length < end) break;
      const message = JSON.parse(rest.subarray(colon + 1, end));
      rest = rest.subarray(end);
      if (Array.isArray(message))
        answer(message[1], message[2], message[3]?.value ?? message[3]); // the first is a greeting
    }
  });
  await send('WebDriver:NewSession', {capabilities: {alwaysMatch: {pageLoadStrategy: 'normal'}}});
  await send('WebDriver:SetTimeouts', {script: 300000});
  const inside = async (script, args = []) => {
    await send('Marionette:SetContext', {value: 'chrome'});
    const value = await send('WebDriver:ExecuteScript', {script, args});
    await send('Marionette:SetContext', {value: 'content'});
    return value;
  };
  return {
    name: 'Firefox',
    go: (url) => send('WebDriver:Navigate', {url}),
    size: async (width, height) => { // a window would not become narrow
      await send('WebDriver:SetWindowRect', {width: 2000, height: height + 200});
      await inside(
        'const s = gBrowser.selectedBrowser.style; s.minWidth = s.maxWidth = `${arguments[0]}px`; s.minHeight = s.maxHeight = `${arguments[1]}px`',
        [width, height]);
    },
    scheme: (value) => inside(
      'Services.prefs.setIntPref(\'layout.css.prefers-color-scheme.content-override\', arguments[0])',
      [value === 'dark' ? 0 : 1]),
    run: async (expression) => {
      const said = await send('WebDriver:ExecuteAsyncScript', {
        args: [expression],
        sandbox: null,
        script:
          'const end = arguments[1]; Promise.resolve(window.eval(arguments[0])).then((value) => end({ value }), (error) => end({ error: String(error) }))'
      });
      if (said.error) throw new Error(said.error);
      return said.value;
    },
    key: (key) => send('WebDriver:PerformActions', {
      actions:
        [{type: 'key', id: 'keys', actions: ['keyDown', 'keyUp'].map((type) => ({type, value: KEYS[key][1]}))}]
    }),
    faults: () => inside(
      'const all = Services.console.getMessageArray().filter((m) => m instanceof Ci.nsIScriptError && m.sourceName.startsWith(\'file:\') && !(m.flags & m.warningFlag)).map((m) => m.errorMessage); Services.console.reset(); return all'),
  };
};
