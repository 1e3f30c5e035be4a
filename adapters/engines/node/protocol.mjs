// SPDX-License-Identifier: MIT
//
// The protocol of docs/engines.md: serve() reads scenes from standard input, has an engine play
// them, and writes their motions to standard output.
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {conjugate, multiply, rotate} from './vectors.mjs';

// Standard output belongs to the protocol: what engines print goes to standard error.
console.log = console.info = console.debug = console.error;

/** Thrown by an engine that cannot play a scene, with the reason. */
export class Unsupported extends Error {}

const numbers = (words) => words.map((word) => Number(word.replace('inf', 'Infinity')));

const readers = {
  config: (scene, [name]) => {
    scene.best = name === 'best';
  },
  variant: (scene, [name]) => {
    scene.variant = name;
  },
  dimension: (scene, [n]) => {
    scene.dimension = Number(n);
  },
  gravity: (scene, words) => {
    scene.gravity = numbers(words);
  },
  material: (scene, words) => {
    [scene.e, scene.mu] = numbers(words);
  },
  step: (scene, [h]) => {
    scene.step = Number(h);
  },
  steps: (scene, [n]) => {
    scene.steps = Number(n);
  },
  body: (scene, [name, kind, ...words]) => {
    const [mass, ...inertia] = numbers(words);
    const still = {velocity: [0, 0, 0], spin: [0, 0, 0]};
    scene.bodies.push({name, fixed: kind === 'fixed', mass, inertia, ...still, shapes: []});
  },
  at: (scene, words) => {
    scene.bodies.at(-1).position = numbers(words);
  },
  turned: (scene, words) => {
    scene.bodies.at(-1).orientation = numbers(words);
  },
  velocity: (scene, words) => {
    scene.bodies.at(-1).velocity = numbers(words);
  },
  spin: (scene, words) => {
    scene.bodies.at(-1).spin = numbers(words);
  },
  sphere: (scene, words) => {
    const [radius, ...centre] = numbers(words);
    scene.bodies.at(-1).shapes.push({type: 'sphere', radius, centre});
  },
  box: (scene, words) => {
    const [a, b, c, ...centre] = numbers(words);
    scene.bodies.at(-1).shapes.push({type: 'box', half: [a, b, c], centre});
  },
  plane: (scene) => {
    scene.bodies.at(-1).shapes.push({type: 'plane'});
  },
  hinge: (scene, [nameA, nameB, ...words]) => {
    const [x, y, z, u, v, w, lower, upper] = numbers(words);
    scene.hinges.push(hingeOf(scene, nameA, nameB, [x, y, z], [u, v, w], lower, upper));
  },
};

// A point and an axis in the frame of a body.
function local(body, point, axis) {
  const back = conjugate(body.orientation);
  return {
    point: rotate(back, point.map((x, i) => x - body.position[i])),
    axis: rotate(back, axis),
  };
}

function hingeOf(scene, nameA, nameB, point, axis, lower, upper) {
  const length = Math.hypot(...axis);
  const unit = axis.map((x) => x / length);
  const [a, b] = [nameA, nameB].map((name) => scene.bodies.findIndex((body) => body.name === name));
  if (a < 0 || b < 0) throw new Error(`a hinge of ${nameA} and ${nameB}, which are not both bodies`);
  return {
    a,
    b,
    point,
    axis: unit,
    lower,
    upper,
    inA: local(scene.bodies[a], point, unit),
    inB: local(scene.bodies[b], point, unit),
    // orientation of B in the frame of A at the angle 0
    relative: multiply(conjugate(scene.bodies[a].orientation), scene.bodies[b].orientation),
  };
}

// Returns whether the scene is complete.
function readLine(scene, line) {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === 'run') return true;
  if (word === '') return false;
  if (!readers[word]) throw new Error(`the line "${line}" is not part of a scene`);
  readers[word](scene, rest);
  return false;
}

function rowsOf(scene, world) {
  const lines = [];
  const moving = scene.bodies.flatMap((body, i) => (body.fixed ? [] : [i]));
  const add = (time) => {
    for (const i of moving) lines.push(`row ${time} ${scene.bodies[i].name} ${world.state(i).join(' ')}`);
  };
  add(0);
  for (let i = 1; i <= scene.steps; i++) {
    for (let k = 0; k < (world.steps ?? 1); k++) world.step(scene.step / (world.steps ?? 1));
    world.finish?.();
    add(i * scene.step);
  }
  return lines;
}

function motionOf(scene, engine, version) {
  const lines = [`engine ${engine.name} ${version}`];
  let world;
  try {
    if (engine.planar && scene.dimension !== 2) throw new Unsupported('a planar engine');
    if (scene.variant) throw new Unsupported(`no variant ${scene.variant}`);
    world = engine.build(scene);
    lines.push(...(engine.binding ? [`setting ${engine.binding}`] : []));
    lines.push(...world.settings.map((text) => `setting ${text}`));
    lines.push(...Object.entries(world.unpromised ?? {}).map(([topic, text]) => `unpromised ${topic} ${text}`));
    lines.push(...rowsOf(scene, world));
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    lines.push(`unsupported ${error.message}`);
  }
  world?.free?.();
  lines.push('end', '');
  return lines.join('\n');
}

// Ends when the text has left this process: process.exit() would drop what has not.
const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve));

/**
 * Number of an engine's own steps within one row of the motion: `most` if its user wants accuracy,
 * otherwise as many as its default step requires.
 */
export function substeps(scene, defaultStep, most = 16) {
  return scene.best ? most : Math.max(1, Math.ceil(scene.step / defaultStep - 1e-9));
}

/** Whether a body starts so fast that it moves by more than its size in a row. */
export function isFast(scene, body) {
  if (body.fixed) return false;
  const sizes = body.shapes.map((shape) => (shape.type === 'sphere' ? shape.radius : Math.min(...shape.half)));
  return Math.hypot(...body.velocity) * scene.step > Math.min(...sizes);
}

/**
 * Plays all scenes of standard input. `engine` has
 *   name, package   of the engine, and of its npm package;
 *   planar          true: plays scenes in the plane only;
 *   version         of the engine, if its package has another one, which then is a setting;
 *   build(scene)    returns a world, or throws Unsupported. The world has settings: texts;
 *                   unpromised: texts by topic, or undefined; steps: of a row, or undefined: 1;
 *                   step(h): takes one of h s; finish(), if a row needs it after its steps;
 *                   state(i): the 13 numbers of body i; free(), if memory must be released.
 */
export async function serve(engine) {
  const file = new URL(`./node_modules/${engine.package}/package.json`, import.meta.url);
  const {version: packaged} = JSON.parse(readFileSync(file, 'utf8'));
  const version = engine.version ?? packaged;
  const binding = engine.version && `${engine.package} ${packaged}`;
  let scene;
  try {
    for await (const line of createInterface({input: process.stdin})) {
      if (line.startsWith('scene '))
        scene = {name: line.slice(6), bodies: [], hinges: [], best: false, dimension: 3};
      else if (scene && readLine(scene, line))
        await write(motionOf(scene, {...engine, binding}, version));
    }
    process.exitCode = 0; // an engine's own failure handlers may have set another
  } catch (error) {
    console.error(`${engine.name}, scene ${scene?.name}: ${error?.stack ?? error}`);
    process.exitCode = 1;
  }
  process.exit(); // engines with threads would keep the process alive
}
