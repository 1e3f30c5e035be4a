// SPDX-License-Identifier: MIT
//
// Matter.js, whose unit of length is the pixel and whose velocities are pixels per 1/60 s. default:
// as its "Getting started": Engine.update of 1000/60 ms. Its gravity of 1000 px/s^2 is that of the
// earth if 1 m has about 100 px. best: 16 steps per row, 60 position and 60 velocity iterations, no
// friction of the air, discs with 120 corners, and 10000 px for 1 m, since thresholds and slop are
// pixels.
import {damped, OF_VELOCITY} from './limits.mjs';
import {serve, substeps, Unsupported} from './protocol.mjs';
import {angleOf, groundOf, hasLimits, planarState} from './vectors.mjs';
import Matter from 'matter-js';

const {Bodies, Body, Composite, Constraint, Engine} = Matter;
const GROUND = groundOf(1000);
const RATE = 60;           // 1/s: the engine's velocities are per 1/60 s, whatever the step
const FRICTION_AIR = 0.01; // of the velocity in 1/60 s, the engine's default
const DAMPING = 'documentation, Body.frictionAir: air resistance, 0.01 by default';
const MOST_BODIES = 31; // each has its own bit of the filter of collisions

function partOf(shape, options, scale, best) {
  if (shape.type === 'plane') {
    return Bodies.rectangle(
      0, -GROUND.depth * scale, 2 * GROUND.halfWidth * scale, 2 * GROUND.depth * scale, options);
  }
  const [x, y] = shape.centre.map((c) => c * scale);
  if (shape.type === 'box')
    return Bodies.rectangle(x, y, 2 * shape.half[0] * scale, 2 * shape.half[1] * scale, options);
  return best ? Bodies.polygon(x, y, 120, shape.radius * scale, options) :
                Bodies.circle(x, y, shape.radius * scale, options);
}

// The bodies that a hinge joins do not collide.
function maskOf(scene, index) {
  let mask = -1;
  for (const {a, b} of scene.hinges) {
    if (a === index) mask &= ~(1 << b);
    if (b === index) mask &= ~(1 << a);
  }
  return mask;
}

function makeBody(scene, body, index, scale) {
  const collisionFilter = {category: 1 << index, mask: maskOf(scene, index), group: 0};
  const options = {restitution: scene.e, friction: scene.mu, collisionFilter};
  if (scene.best) options.frictionAir = 0;
  const parts = body.shapes.map((shape) => partOf(shape, options, scale, scene.best));
  const made = parts.length === 1 ? parts[0] : Body.create({parts, ...options});
  Body.setCentre(made, {x: 0, y: 0});
  Body.setPosition(made, {x: body.position[0] * scale, y: body.position[1] * scale});
  Body.setAngle(made, angleOf(body.orientation));
  if (body.fixed) {
    Body.setStatic(made, true);
    return made;
  }
  Body.setMass(made, body.mass);
  Body.setInertia(made, body.inertia[2] * scale * scale);
  Body.setVelocity(made, {x: body.velocity[0] * scale / RATE, y: body.velocity[1] * scale / RATE});
  Body.setAngularVelocity(made, body.spin[2] / RATE);
  return made;
}

// The points of a constraint are offsets with the axes of the ground at the start.
function makeHinge(scene, bodies, hinge, scale) {
  if (hasLimits(hinge)) throw new Unsupported('hinges have no limits');
  const offset = (i) => ({
    x: (hinge.point[0] - scene.bodies[i].position[0]) * scale,
    y: (hinge.point[1] - scene.bodies[i].position[1]) * scale,
  });
  return Constraint.create({
    bodyA: bodies[hinge.a],
    pointA: offset(hinge.a),
    bodyB: bodies[hinge.b],
    pointB: offset(hinge.b),
    length: 0,
  });
}

function build(scene) {
  if (scene.bodies.length > MOST_BODIES) throw new Unsupported(`more than ${MOST_BODIES} bodies`);
  const scale = scene.best ? 10000 : 100; // px/m
  const iterations = {positionIterations: 60, velocityIterations: 60, constraintIterations: 60};
  const engine = Engine.create(scene.best ? iterations : {});
  engine.gravity = {x: scene.gravity[0] * scale, y: scene.gravity[1] * scale, scale: 1e-6}; // px/ms^2
  const bodies = scene.bodies.map((body, i) => makeBody(scene, body, i, scale));
  Composite.add(engine.world, bodies);
  Composite.add(engine.world, scene.hinges.map((hinge) => makeHinge(scene, bodies, hinge, scale)));
  const n = substeps(scene, 1 / 60);
  return {
    settings: [
      `${n} steps per row; ${engine.positionIterations} position and ${
        engine.velocityIterations} velocity iterations; ` +
        (scene.best ? 'no friction of the air' : 'frictionAir 0.01'),
      `${scale} px for 1 m; a sphere is a polygon; ${GROUND.is}`,
    ],
    unpromised: {
      ...(scene.best ? {} : damped(scene, FRICTION_AIR * RATE, OF_VELOCITY, DAMPING)),
      friction: 'documentation, Body.friction: "The effects of the value may be non-linear"',
    },
    steps: n,
    step: () => Engine.update(engine, 1000 * scene.step / n),
    state(i) {
      const {position: at, angle} = bodies[i];
      const v = Body.getVelocity(bodies[i]);
      return planarState(
        at.x / scale, at.y / scale, angle, v.x / scale * RATE, v.y / scale * RATE,
        Body.getAngularVelocity(bodies[i]) * RATE);
    },
  };
}

await serve({name: 'matter', package: 'matter-js', planar: true, build});
