// SPDX-License-Identifier: MIT
//
// PhysX 5, by physx-js-webidl. default: as its helloworld.html, which steps at most 0.03 s. best:
// 16 steps per row, solver TGS with 50 position and 4 velocity iterations, CCD, gyroscopic forces,
// no damping, no sleep, no threshold of bouncing, 1 mm of contact offset.
import {readFileSync} from 'node:fs';
import * as limits from './limits.mjs';
import {serve, substeps} from './protocol.mjs';
import {conjugate, fromXAxisTo, hasLimits, multiply} from './vectors.mjs';
import load from 'physx-js-webidl';

const {damped, leastHalf, leastImpact, massRatio, mayRest, mayTunnel, mayTurn, startsOverlapping, topics} =
  limits;
const DAMPING = 'PxRigidBody.h: setAngularDamping 0.05 by default; without ' +
  'PxRigidBodyFlag::eENABLE_GYROSCOPIC_FORCES no gyroscopic forces';
const NO_LIMIT = 1e6;
const BOUNCE_THRESHOLD = 2; // m/s, the engine's default
const SLEEP_SPEED = 0.1;    // m/s: half its square is the energy by the mass of the engine's default
const GYROSCOPIC_FORCES =
  1 << 10; // PxRigidBodyFlag::eENABLE_GYROSCOPIC_FORCES, which the binding does not name
const X_TO_Y = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]; // PhysX's planes have their normal along x

// The package is made for browsers only: it looks for Node's `process` while it loads.
async function loadAsInBrowser() {
  const wasmBinary =
    readFileSync(new URL('./node_modules/physx-js-webidl/physx-js-webidl.wasm', import.meta.url));
  const {process} = globalThis;
  globalThis.process = undefined;
  globalThis.window = globalThis;
  try {
    return await load({wasmBinary});
  } finally {
    globalThis.process = process;
    delete globalThis.window;
  }
}

const P = await loadAsInBrowser();
const tolerances = new P.PxTolerancesScale();
const foundation =
  P.CreateFoundation(P.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
const physics = P.CreatePhysics(P.PHYSICS_VERSION, foundation, tolerances);
P.InitExtensions(physics);
const dispatcher = P.DefaultCpuDispatcherCreate(0);
const shapeFlags =
  new P.PxShapeFlags(P.PxShapeFlagEnum.eSCENE_QUERY_SHAPE | P.PxShapeFlagEnum.eSIMULATION_SHAPE);

// Objects of one scene that must be destroyed after it.
let garbage = [];
const kept = (object) => {
  garbage.push(object);
  return object;
};
const vec3 = ([x, y, z]) => kept(new P.PxVec3(x, y, z));
const transform = (p, [w, x, y, z] = [1, 0, 0, 0]) =>
  kept(new P.PxTransform(vec3(p), kept(new P.PxQuat(x, y, z, w))));
const arrayOf = (v) => [v.get_x(), v.get_y(), v.get_z()];

function newScene(scene) {
  const description = kept(new P.PxSceneDesc(tolerances));
  description.set_gravity(vec3(scene.gravity));
  description.set_cpuDispatcher(dispatcher);
  description.set_filterShader(P.DefaultFilterShader());
  if (scene.best) {
    description.get_flags().raise(P.PxSceneFlagEnum.eENABLE_CCD);
    description.get_flags().raise(P.PxSceneFlagEnum.eENABLE_FRICTION_EVERY_ITERATION);
    description.set_solverType(P.PxSolverTypeEnum.eTGS);
    description.set_bounceThresholdVelocity(1e-6);
    description.set_ccdMaxPasses(8);
  }
  return physics.createScene(description);
}

function geometryOf(shape) {
  if (shape.type === 'sphere') return kept(new P.PxSphereGeometry(shape.radius));
  if (shape.type === 'box') return kept(new P.PxBoxGeometry(...shape.half));
  return kept(new P.PxPlaneGeometry());
}

function attach(actor, shape, material, best) {
  const made = physics.createShape(geometryOf(shape), material, true, shapeFlags);
  made.setLocalPose(shape.type === 'plane' ? transform([0, 0, 0], X_TO_Y) : transform(shape.centre));
  const flags = best ? P.PxPairFlagEnum.eDETECT_CCD_CONTACT : 0;
  made.setSimulationFilterData(kept(new P.PxFilterData(1, 1, flags, 0)));
  if (best) made.setContactOffset(0.001);
  actor.attachShape(made);
  made.release();
}

function refine(actor) {
  actor.setLinearDamping(0);
  actor.setAngularDamping(0);
  actor.setSleepThreshold(0);
  actor.setStabilizationThreshold(0);
  actor.setMaxLinearVelocity(NO_LIMIT);
  actor.setMaxAngularVelocity(NO_LIMIT);
  actor.setSolverIterationCounts(50, 4);
  actor.setRigidBodyFlag(P.PxRigidBodyFlagEnum.eENABLE_CCD, true);
  actor.setRigidBodyFlag(GYROSCOPIC_FORCES, true);
}

function addBody(world, scene, body, material) {
  const pose = transform(body.position, body.orientation);
  const actor = body.fixed ? physics.createRigidStatic(pose) : physics.createRigidDynamic(pose);
  for (const shape of body.shapes) attach(actor, shape, material, scene.best);
  if (!body.fixed) {
    actor.setMass(body.mass);
    actor.setMassSpaceInertiaTensor(vec3(body.inertia));
    if (scene.best) refine(actor);
  }
  world.addActor(actor);
  if (!body.fixed) {
    actor.setLinearVelocity(vec3(body.velocity));
    actor.setAngularVelocity(vec3(body.spin));
  }
  return actor;
}

// PhysX's hinges turn about the x axis of two frames that agree at angle 0.
function addHinge(scene, actors, hinge) {
  const frame = fromXAxisTo(hinge.axis);
  const inBody = (i, {point}) => transform(point, multiply(conjugate(scene.bodies[i].orientation), frame));
  const joint = P.RevoluteJointCreate(
    physics, actors[hinge.a], inBody(hinge.a, hinge.inA), actors[hinge.b], inBody(hinge.b, hinge.inB));
  if (hasLimits(hinge)) {
    joint.setLimit(kept(new P.PxJointAngularLimitPair(hinge.lower, hinge.upper)));
    joint.setRevoluteJointFlag(P.PxRevoluteJointFlagEnum.eLIMIT_ENABLED, true);
  }
  return joint;
}

// Topics that the documentation excludes.
function unpromisedOf(scene, h) {
  if (scene.best) {
    const corrects = Math.hypot(...scene.gravity) > 0 || scene.hinges.length > 0 || startsOverlapping(scene);
    const energy =
      'PxSceneDesc.h, PxSolverType: eTGS can introduce more energy to correct joint and contact errors';
    return corrects ? {energy} : {};
  }
  return {
    ...(mayTurn(scene) && damped(scene, 0.05, ['friction'], DAMPING)),
    ...(
      leastImpact(scene) <= BOUNCE_THRESHOLD &&
      topics(
        ['restitution', 'slow-restitution'],
        'PxSceneDesc.h, bounceThresholdVelocity: with a relative velocity below this, 2 m/s, no bounce')),
    ...(mayTunnel(scene, h) && {
      'fast-bodies': 'PxSceneDesc.h, PxSceneFlag::eENABLE_CCD: prevents tunneling, false by default',
    }),
    ...(mayRest(scene, SLEEP_SPEED, SLEEP_SPEED / leastHalf(scene)) && {
      'slow-motion': 'PxRigidDynamic.h, setSleepThreshold: bodies below 0.1 m/s (5e-5 times the square of ' +
        'PxTolerancesScale::speed, 10 m/s) are candidates for sleeping',
    }),
    ...(scene.dimension === 3 && {
      friction:
        'PxSceneDesc.h, PxFrictionType: with PGS two axes of friction are processed separately, which can ' +
        'lead to asymmetries; only the last 3 position iterations apply friction',
    }),
    ...(massRatio(scene) > 10 && {
      'mass-ratio': 'PxSceneDesc.h, PxSolverType: eTGS, not the default, can handle large mass ratios better',
    }),
  };
}

function build(scene) {
  const world = newScene(scene);
  const material = physics.createMaterial(scene.mu, scene.mu, scene.e);
  const actors = scene.bodies.map((body) => addBody(world, scene, body, material));
  const joints = scene.hinges.map((hinge) => addHinge(scene, actors, hinge));
  const n = substeps(scene, 0.03);
  return {
    settings: [
      `${n} steps per row; ` +
        (scene.best ?
           'TGS; 50 position and 4 velocity iterations; contact offset 1 mm; bounceThresholdVelocity 1e-6 m/s' :
           'PGS; 4 position iterations and 1 velocity iteration; bounceThresholdVelocity 2 m/s'),
      scene.best ? 'CCD; gyroscopic forces; no damping; no sleep' :
                   'angular damping 0.05 1/s; bodies may sleep',
    ],
    unpromised: unpromisedOf(scene, scene.step / n),
    steps: n,
    step(h) {
      world.simulate(h);
      world.fetchResults(true);
    },
    state(i) {
      const [pose, v, w] =
        [actors[i].getGlobalPose(), actors[i].getLinearVelocity(), actors[i].getAngularVelocity()];
      const q = pose.get_q();
      return [...arrayOf(pose.get_p()), q.get_w(), ...arrayOf(q), ...arrayOf(v), ...arrayOf(w)];
    },
    free() {
      for (const object of [...joints, ...actors, material, world]) object.release();
      for (const object of garbage) P.destroy(object);
      garbage = [];
    },
  };
}

const version = [24, 16, 8].map((shift) => (P.PHYSICS_VERSION >> shift) & 0xff).join('.');
await serve({name: 'physx', package: 'physx-js-webidl', version, planar: false, build});
