// SPDX-License-Identifier: MIT
//
// crashcat, an engine in JavaScript modelled on Jolt. default: as the "Quick Start" of its README,
// which steps 1/60 s, with the engine's damping of 0.05. best: 16 steps per row, 50 velocity and 20
// position iterations, linear cast, gyroscopic forces, no damping, no sleep, no slop, no least
// speed for restitution, sharp edges.
import {damped, leastHalf, leastImpact, mayRest, mayTunnel, OF_VELOCITY} from './limits.mjs';
import {serve, substeps, Unsupported} from './protocol.mjs';
import {across, hasLimits, scale} from './vectors.mjs';
import * as C from 'crashcat';

C.registerAll();
const MOST_BODIES = 31;     // each has its own bit of the mask of collisions
const CONVEX_RADIUS = 0.05; // m, the engine's default
const PART_OF_SIZE = 0.01;  // of a body, by which scenes let it sink
const NO_LIMIT = 1e6;

const toEngine = ([w, x, y, z]) => [x, y, z, w];

function refine(settings) {
  Object.assign(
    settings.solver,
    {velocityIterations: 50, positionIterations: 20, minVelocityForRestitution: 0, penetrationSlop: 0});
  settings.sleeping.allowSleeping = false;
  settings.ccd.minVelocityForRestitution = 0;
}

function makeWorld(scene) {
  const settings = C.createWorldSettings();
  const [moving, fixed] = [C.addBroadphaseLayer(settings), C.addBroadphaseLayer(settings)];
  const layers = {moving: C.addObjectLayer(settings, moving), fixed: C.addObjectLayer(settings, fixed)};
  C.enableCollision(settings, layers.moving, layers.fixed);
  C.enableCollision(settings, layers.moving, layers.moving);
  settings.gravity = scene.gravity;
  if (scene.best) refine(settings);
  return {world: C.createWorld(settings), layers, settings};
}

function makeShape(shape, best) {
  if (shape.type === 'sphere') return C.sphere.create({radius: shape.radius});
  if (shape.type === 'box') {
    return C.box.create(
      {halfExtents: shape.half, convexRadius: best ? 0 : Math.min(CONVEX_RADIUS, ...shape.half)});
  }
  return C.plane.create({plane: {normal: [0, 1, 0], constant: 0}});
}

// The shapes of a body as one, with the centre of mass at its origin.
function shapeOf(body, best) {
  const [first] = body.shapes;
  if (body.shapes.length === 1 && (first.centre ?? [0, 0, 0]).every((x) => x === 0))
    return makeShape(first, best);
  const shape = C.compound.create({
    children: body.shapes.map(
      (part) => ({position: part.centre ?? [0, 0, 0], quaternion: [0, 0, 0, 1], shape: makeShape(part, best)})),
  });
  if (body.fixed || shape.centerOfMass.every((x) => x === 0)) return shape;
  return C.offsetCenterOfMass.create({shape, offset: scale(shape.centerOfMass, -1)});
}

function massOf(body) {
  const made = C.massProperties.create();
  made.mass = body.mass;
  made.inertia = [body.inertia[0], 0, 0, 0, 0, body.inertia[1], 0, 0, 0, 0, body.inertia[2], 0, 0, 0, 0, 1];
  return made;
}

// The bodies that a hinge joins do not collide.
function maskOf(scene, index) {
  let mask = 2 ** MOST_BODIES - 1;
  for (const {a, b} of scene.hinges) {
    if (a === index) mask &= ~(1 << b);
    if (b === index) mask &= ~(1 << a);
  }
  return mask;
}

function addBody({world, layers}, scene, body, index) {
  const made = C.rigidBody.create(world, {
    motionType: body.fixed ? C.MotionType.STATIC : C.MotionType.DYNAMIC,
    objectLayer: body.fixed ? layers.fixed : layers.moving,
    shape: shapeOf(body, scene.best),
    position: body.position,
    quaternion: toEngine(body.orientation),
    friction: scene.mu,
    restitution: scene.e,
    collisionGroups: 1 << index,
    collisionMask: maskOf(scene, index),
    ...(body.fixed ? {} : {massPropertiesOverride: massOf(body)}),
    ...(
      scene.best ? {
        linearDamping: 0,
        angularDamping: 0,
        allowSleeping: false,
        maxLinearVelocity: NO_LIMIT,
        maxAngularVelocity: NO_LIMIT,
        motionQuality: C.MotionQuality.LINEAR_CAST
      } :
                   {}),
  });
  if (!body.fixed) {
    C.rigidBody.setLinearVelocity(world, made, body.velocity);
    C.rigidBody.setAngularVelocity(world, made, body.spin);
  }
  return made;
}

function addHinge({world}, bodies, hinge) {
  const normal = across(hinge.axis);
  C.hingeConstraint.create(world, {
    bodyIdA: bodies[hinge.a].id,
    bodyIdB: bodies[hinge.b].id,
    pointA: hinge.point,
    pointB: hinge.point,
    hingeAxisA: hinge.axis,
    hingeAxisB: hinge.axis,
    normalAxisA: normal,
    normalAxisB: normal,
    space: C.ConstraintSpace.WORLD,
    ...(hasLimits(hinge) ? {limitsMin: hinge.lower, limitsMax: hinge.upper} : {}),
  });
}

// The gyroscopic torque, which a step does not apply by itself.
function turnByInertia(scene, bodies, step) {
  scene.bodies.forEach((body, i) => {
    if (!body.fixed)
      C.motionProperties.applyGyroscopicForce(bodies[i].motionProperties, bodies[i].quaternion, step);
  });
}

// Topics that the documentation excludes with the default settings.
function unpromisedOf(scene, {solver, sleeping}, h) {
  const slow = sleeping.pointVelocitySleepThreshold;
  return {
    ...damped(scene, 0.05, OF_VELOCITY, 'README, Damping: linear and angular damping are 0.05 by default'),
    ...(leastImpact(scene) <= solver.minVelocityForRestitution && {
      'slow-restitution':
        'world-settings.d.ts, solver.minVelocityForRestitution: below 1 m/s the restitution will be zero',
    }),
    ...(mayTunnel(scene, h) && {
      'fast-bodies':
        'README, Continuous Collision Detection: motionQuality LINEAR_CAST enables it, to prevent tunneling',
    }),
    ...(mayRest(scene, slow, slow / leastHalf(scene)) && {
      'slow-motion':
        'world-settings.d.ts, sleeping.pointVelocitySleepThreshold: bodies below 0.03 m/s may go to sleep',
    }),
    ...(solver.penetrationSlop > PART_OF_SIZE * 2 * leastHalf(scene) && {
      slop: 'world-settings.d.ts, solver.penetrationSlop: bodies are allowed to sink 2 cm into each other',
    }),
  };
}

function build(scene) {
  if (scene.bodies.length > MOST_BODIES) throw new Unsupported(`more than ${MOST_BODIES} bodies`);
  const made = makeWorld(scene);
  const bodies = scene.bodies.map((body, i) => addBody(made, scene, body, i));
  for (const hinge of scene.hinges) addHinge(made, bodies, hinge);
  const n = substeps(scene, 1 / 60);
  const {velocityIterations, positionIterations} = made.settings.solver;
  return {
    settings: [
      `${n} steps per row; ${velocityIterations} velocity and ${positionIterations} position iterations; ` +
        (scene.best ?
           'linear cast; gyroscopic forces; no damping; no sleep; slop 0; minVelocityForRestitution 0' :
           'damping 0.05 1/s; bodies may sleep; slop 20 mm; minVelocityForRestitution 1 m/s'),
    ],
    unpromised: scene.best ? undefined : unpromisedOf(scene, made.settings, scene.step / n),
    steps: n,
    step(h) {
      if (scene.best) turnByInertia(scene, bodies, h);
      C.updateWorld(made.world, undefined, h);
    },
    state(i) {
      const {centerOfMassPosition, quaternion: [x, y, z, w], motionProperties} = bodies[i];
      return [
        ...centerOfMassPosition, w, x, y, z, ...motionProperties.linearVelocity,
        ...motionProperties.angularVelocity
      ];
    },
  };
}

await serve({name: 'crashcat', package: 'crashcat', planar: false, build});
