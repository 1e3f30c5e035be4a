#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// A small engine for `impactcheck audit --engine ./engine.js --scenes ...`: balls on the ground and among each other.
//
// It reads scenes from standard input and writes motions to standard output (docs/engines.md). Copy it for your own
// engine: read a scene, give its bodies to your engine, and write a row for each moving body after each step.
"use strict";
const readline = require("node:readline");

const SMALL_STEPS = 16; // to a row, at least
const PART_OF_RADIUS = 0.2; // a ball moves less than this in a small step
const SLOP = 1e-6; // overlap that is left, over the radius: bodies at rest stay in contact

const add = (a, s, b) => a.map((x, k) => x + s * b[k]);
const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const isMoving = (body) => body.mass < Infinity;

/** The orientation after a turn by w h, q' = (1, w h / 2) q, as a unit quaternion. */
function turned([q0, ...p], w, h) {
    const q = [q0 - (h / 2) * dot(w, p), ...add(add(p, (h / 2) * q0, w), h / 2, cross(w, p))];
    return q.map((x) => x / Math.hypot(...q));
}

/** Take a line of a scene. */
function take(scene, [word, ...rest]) {
    const numbers = rest.map(Number).filter((x) => !Number.isNaN(x));
    const body = scene.bodies.at(-1);
    if (word === "body") {
        const [mass, x, y, z] = numbers.length > 0 ? numbers : Array(4).fill(Infinity);
        if (x !== y || y !== z) scene.cannot = "moments of inertia that differ";
        scene.bodies.push({ name: rest[0], mass, inertia: x, velocity: [0, 0, 0], spin: [0, 0, 0], radius: null });
    } else if (word === "sphere") {
        body.radius = numbers[0];
        if (numbers.slice(1).some((x) => x !== 0)) scene.cannot = "spheres off the centre of mass";
    } else if (["at", "turned", "velocity", "spin"].includes(word)) body[word] = numbers;
    else if (word === "box" || word === "hinge") scene.cannot = `no ${word}`;
    else scene[word] = numbers;
}

/** Normal from a to b, point of contact and overlap; a without a radius is a plane. */
function touch(a, b) {
    const d = add(b.at, -1, a.at), distance = Math.hypot(...d);
    let n = distance > 0 ? d.map((x) => x / distance) : [0, 1, 0];
    let overlap = a.radius + b.radius - distance;
    if (a.radius === null) {
        const [w, x, y, z] = a.turned; // the plane's normal is the y axis of its frame
        n = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
        overlap = b.radius - dot(n, d);
    }
    return { n, at: add(b.at, overlap / 2 - b.radius, n), overlap };
}

function collide(a, b, scene, h) {
    const { n, at, overlap } = touch(a, b), [e, mu] = scene.material;
    if (overlap < 0) return;
    const arms = [add(at, -1, a.at), add(at, -1, b.at)];
    const speeds = [a, b].map((c, k) => add(c.velocity, 1, cross(c.spin, arms[k])));
    const v = add(speeds[1], -1, speeds[0]), normal = dot(v, n), mass = 1 / (1 / a.mass + 1 / b.mass);
    // what gravity gave in this step does not bounce: a body at rest stays at rest
    const before = normal - (isMoving(b) - isMoving(a)) * h * dot(scene.gravity, n);
    const P = mass * Math.max(0, -normal + e * Math.max(0, -before));
    // friction stops the slip, or is mu P against it
    const slip = add(v, -normal, n), speed = Math.hypot(...slip);
    const compliance = 1 / mass + dot(arms[0], arms[0]) / a.inertia + dot(arms[1], arms[1]) / b.inertia;
    const friction = speed > 0 ? Math.min(mu * P, speed / compliance) / speed : 0;
    const impulse = add(n.map((x) => P * x), -friction, slip);
    // the overlap is removed without a velocity
    const shift = mass * Math.max(0, overlap - SLOP * b.radius);
    for (const [c, sign, arm] of [[a, -1, arms[0]], [b, 1, arms[1]]].filter(([c]) => isMoving(c))) {
        c.velocity = add(c.velocity, sign / c.mass, impulse);
        c.spin = add(c.spin, sign / c.inertia, cross(arm, impulse));
        c.at = add(c.at, (sign * shift) / c.mass, n);
    }
}

/** The lines of the motion. */
function play(scene) {
    const [step] = scene.step, [steps] = scene.steps, moving = scene.bodies.filter(isMoving), lines = [];
    // planes come first in their pairs; fixed bodies do not collide with each other
    const ordered = [...scene.bodies].sort((a, b) => (a.radius !== null) - (b.radius !== null));
    const pairs = ordered.flatMap((a, i) => ordered.slice(i + 1).map((b) => [a, b])).filter((pair) => pair.some(isMoving));
    const radius = Math.min(...scene.bodies.map((b) => b.radius ?? Infinity));
    for (let i = 0; ; i++) {
        for (const b of moving) lines.push(["row", i * step, b.name, ...b.at, ...b.turned, ...b.velocity, ...b.spin].join(" "));
        if (i === steps) return lines;
        const speed = Math.max(...moving.map((b) => Math.hypot(...b.velocity)));
        const n = Math.max(SMALL_STEPS, Math.ceil((speed * step) / (PART_OF_RADIUS * radius))), h = step / n;
        for (let k = 0; k < n; k++) {
            for (const b of moving) b.velocity = add(b.velocity, h, scene.gravity);
            for (const [a, b] of pairs) collide(a, b, scene, h);
            for (const b of moving) {
                b.at = add(b.at, h, b.velocity);
                b.turned = turned(b.turned, b.spin, h);
            }
        }
    }
}

async function main() {
    let scene = { bodies: [] };
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const words = line.trim().split(/\s+/);
        if (words[0] !== "run") {
            take(scene, words);
            continue;
        }
        const motion = scene.cannot ? [`unsupported ${scene.cannot}`] : play(scene);
        const head = ["engine small-balls-js 1", `setting ${SMALL_STEPS} small steps in a row at least`];
        process.stdout.write([...head, ...motion, "end", ""].join("\n"));
        scene = { bodies: [] };
    }
}

main();
