// SPDX-License-Identifier: MIT
//
// Sizes, speeds and masses that a scene has, for engines whose documentation restricts sizes, masses or speeds. Each
// function tells of the scene alone; scene_limits.c has the same for engines in C.
import {rotate, subtract} from './vectors.mjs';

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const movingOf = (scene) => scene.bodies.filter((body) => !body.fixed);
const shapesOf = (scene) => movingOf(scene).flatMap((body) => body.shapes);

/** Topics with the same text. */
export const topics = (names, text) => Object.fromEntries(names.map((name) => [name, text]));

const DAMPING_SEEN = 0.02; // part of a velocity, as the tolerances of scenes

/**
 * Free flight, and other topics if a documented damping, 1/s, takes more of a velocity in the time
 * of the scene than figures allow.
 */
export function damped(scene, rate, names, text) {
  const seen = rate * scene.step * scene.steps > DAMPING_SEEN;
  return topics(seen ? ['free-flight', ...names] : ['free-flight'], text);
}

/** What velocities are measured for. */
export const OF_VELOCITY = ['restitution', 'slow-restitution', 'friction'];

/** The greatest ratio of the masses of two moving bodies. */
export function massRatio(scene) {
  const masses = movingOf(scene).map((body) => body.mass);
  return Math.max(...masses) / Math.min(...masses);
}

/** The greatest speed of a body at the start, m/s. */
export const greatestSpeed = (scene) =>
  Math.max(...movingOf(scene).map((body) => Math.hypot(...body.velocity)));

/** Whether a body turns: at the start, or by friction. */
export const mayTurn = (scene) => scene.mu > 0 || movingOf(scene).some((body) => Math.hypot(...body.spin) > 0);

// The sides that matter in the dimensions of the scene.
const halvesOf = (scene, shape) =>
  (shape.type === 'sphere' ? [shape.radius] : shape.half.slice(0, scene.dimension));

const leastHalfOf = (scene, body) => Math.min(
  ...body.shapes.filter((shape) => shape.type !== 'plane').map((shape) => Math.min(...halvesOf(scene, shape))));

/** Whether a moving body has a box. */
export const hasBoxes = (scene) => shapesOf(scene).some((shape) => shape.type === 'box');

/** The least half length of all moving bodies, m. */
export const leastHalf = (scene) => Math.min(...movingOf(scene).map((body) => leastHalfOf(scene, body)));

/** Whether a length of a moving body's shape, its diameter or longest side, is not from `low` to `high`, m. */
export function hasSizeOutside(scene, low, high) {
  const sizes = shapesOf(scene).map((shape) => 2 * Math.max(...halvesOf(scene, shape)));
  return sizes.some((size) => size < low * (1 - 1e-9) || size > high);
}

/**
 * Whether a body may pass through another, not a plane, within h seconds: they move farther than
 * their least half lengths. `bothMove`: only bodies neither of which is fixed.
 */
export function mayTunnel(scene, h, bothMove = false) {
  return scene.bodies.some((p, i) => scene.bodies.slice(0, i).some((q) => {
    if ((p.fixed && q.fixed) || (bothMove && (p.fixed || q.fixed))) return false;
    return Math.hypot(...subtract(p.velocity, q.velocity)) * h > leastHalfOf(scene, p) + leastHalfOf(scene, q);
  }));
}

/**
 * Whether a moving body may be slower than a speed, m/s, and a spin, rad/s: with gravity, in which
 * friction stops bodies, always; without it, if one starts so.
 */
export function mayRest(scene, speed, spin) {
  if (Math.hypot(...scene.gravity) > 0) return true;
  return movingOf(scene).some(
    (body) => Math.hypot(...body.velocity) < speed && Math.hypot(...body.spin) < spin);
}

const placeOf = (body, shape) =>
  rotate(body.orientation, shape.centre ?? [0, 0, 0]).map((x, i) => x + body.position[i]);

// Along the line of centres, when spheres meet that move straight on; Infinity: they do not meet.
function speedOfSpheres(position, velocity, radii) {
  const towards = -dot(position, velocity);
  if (towards <= 0) return Infinity;
  const square = dot(velocity, velocity);
  const passes = Math.max(0, dot(position, position) - towards ** 2 / square) / radii ** 2;
  return passes < 1 ? Math.sqrt(square * (1 - passes)) : Infinity;
}

function speedOfShapes(p, shape, q, other) {
  if (shape.type === 'plane') return other.type === 'plane' ? Infinity : speedOfShapes(q, other, p, shape);
  const velocity = subtract(p.velocity, q.velocity);
  if (shape.type === 'sphere' && other.type === 'sphere')
    return speedOfSpheres(
      subtract(placeOf(p, shape), placeOf(q, other)), velocity, shape.radius + other.radius);
  const speed =
    other.type === 'plane' ? -dot(rotate(q.orientation, [0, 1, 0]), velocity) : Math.hypot(...velocity);
  return speed > 0 ? speed : Infinity;
}

/**
 * The least speed along the normal, m/s, at which bodies meet that move straight on, or are hit in
 * a row; Infinity where they do not meet, and with gravity.
 */
export function leastImpact(scene) {
  if (Math.hypot(...scene.gravity) > 0) return Infinity;
  let least = Infinity;
  scene.bodies.forEach((p, i) => {
    for (const q of scene.bodies.slice(0, i)) {
      if (p.fixed && q.fixed) continue;
      for (const shape of p.shapes)
        for (const other of q.shapes) least = Math.min(least, speedOfShapes(p, shape, q, other));
    }
  });
  // in a row of equal bodies each passes on (1 + e)/2 of its speed
  return least * ((1 + scene.e) / 2) ** Math.max(0, movingOf(scene).length - 2);
}

/** Whether two spheres overlap at the start. */
export function startsOverlapping(scene) {
  const spheres = scene.bodies.flatMap(
    (body) => body.shapes.filter((shape) => shape.type === 'sphere')
                .map((shape) => [placeOf(body, shape), shape.radius]));
  return spheres.some(
    ([x, r], i) => spheres.slice(0, i).some(([y, q]) => Math.hypot(...subtract(x, y)) < (r + q) * (1 - 1e-9)));
}
