// SPDX-License-Identifier: MIT
//
// ammo.js, a port of Bullet 2.82 by Emscripten. default: as its examples/hello_world.js, with steps
// of 1/60 s and the ground as a box (on its plane, boxes that slide sink in). best: 16 steps per
// row, continuous collision detection, no sleep, margins of 0.1 mm, no impulse before bodies touch;
// the port cannot change the 10 iterations of the solver.
import {hasSizeOutside, massRatio, mayRest, mayTunnel, mayTurn, topics} from './limits.mjs';
import {serve, substeps} from './protocol.mjs';
import {conjugate, factor, fromXAxisTo, groundOf, hasLimits, multiply} from './vectors.mjs';
import A from 'ammo.js';

const DISABLE_DEACTIVATION = 4;
const BEST_MARGIN = 1e-4; // m
const GROUND = groundOf(100);
const X_TO_Z = [Math.SQRT1_2, 0, -Math.SQRT1_2, 0]; // Bullet's hinges turn about z

let garbage = [];
const kept = (object) => {
  garbage.push(object);
  return object;
};
const vec3 = ([x, y, z]) => kept(new A.btVector3(x, y, z));
const arrayOf = (v) => [v.x(), v.y(), v.z()];

function transform(position, [w, x, y, z] = [1, 0, 0, 0]) {
  const made = kept(new A.btTransform());
  made.setIdentity();
  made.setOrigin(vec3(position));
  made.setRotation(kept(new A.btQuaternion(x, y, z, w)));
  return made;
}

function makeWorld(scene) {
  const configuration = kept(new A.btDefaultCollisionConfiguration());
  const dispatcher = kept(new A.btCollisionDispatcher(configuration));
  const world = new A.btDiscreteDynamicsWorld(
    dispatcher, kept(new A.btDbvtBroadphase()), kept(new A.btSequentialImpulseConstraintSolver()),
    configuration);
  world.setGravity(vec3(scene.gravity));
  return world;
}

function makeShape(shape, best) {
  if (shape.type === 'sphere') return kept(new A.btSphereShape(shape.radius)); // its margin is its radius
  const half = shape.type === 'plane' ? [GROUND.halfWidth, GROUND.depth, GROUND.halfWidth] : shape.half;
  const box = kept(new A.btBoxShape(vec3(half)));
  if (best) box.setMargin(BEST_MARGIN);
  return box;
}

function shapeOf(body, best) {
  const centreOf = (shape) => (shape.type === 'plane' ? [0, -GROUND.depth, 0] : shape.centre);
  if (body.shapes.length === 1 && centreOf(body.shapes[0]).every((x) => x === 0))
    return makeShape(body.shapes[0], best);
  const compound = kept(new A.btCompoundShape());
  for (const shape of body.shapes) compound.addChildShape(transform(centreOf(shape)), makeShape(shape, best));
  return compound;
}

// Radius within which continuous collision detection sees a body.
function sweptRadius(body) {
  return Math.min(
           ...body.shapes.map((shape) => (shape.type === 'sphere' ? shape.radius : Math.min(...shape.half)))) /
    2;
}

function addBody(world, scene, body) {
  const state = kept(new A.btDefaultMotionState(transform(body.position, body.orientation)));
  const inertia = vec3(body.fixed ? [0, 0, 0] : body.inertia);
  const info = kept(
    new A.btRigidBodyConstructionInfo(body.fixed ? 0 : body.mass, state, shapeOf(body, scene.best), inertia));
  const made = new A.btRigidBody(info);
  made.setFriction(factor(scene.mu)); // Bullet multiplies the values of two bodies
  made.setRestitution(factor(scene.e));
  if (!body.fixed) {
    made.setLinearVelocity(vec3(body.velocity));
    made.setAngularVelocity(vec3(body.spin));
  }
  if (scene.best) made.setContactProcessingThreshold(0); // no impulse before bodies touch
  if (scene.best && !body.fixed) {
    made.setActivationState(DISABLE_DEACTIVATION);
    made.setCcdMotionThreshold(sweptRadius(body));
    made.setCcdSweptSphereRadius(sweptRadius(body));
  }
  world.addRigidBody(made);
  return made;
}

function makeHinge(world, scene, bodies, hinge) {
  const frame = multiply(fromXAxisTo(hinge.axis), X_TO_Z);
  const inBody = (i, {point}) => transform(point, multiply(conjugate(scene.bodies[i].orientation), frame));
  const joint = new A.btHingeConstraint(
    bodies[hinge.a], bodies[hinge.b], inBody(hinge.a, hinge.inA), inBody(hinge.b, hinge.inB), false);
  if (hasLimits(hinge)) joint.setLimit(hinge.lower, hinge.upper, 0.9, 0.3, 1);
  world.addConstraint(joint, true);
  return joint;
}

// Topics that the documentation of Bullet 2.82 excludes.
function unpromisedOf(scene, h) {
  const tips = 'Bullet User Manual, General Tips, ';
  const heavy = massRatio(scene) > 10 && {
    'mass-ratio':
      `${tips}Avoid large mass ratios: unstable when a heavy object is resting on a very light object`,
  };
  // the port has no setFlags
  const spinning = scene.dimension === 3 && mayTurn(scene) && {
    'free-flight':
      'btRigidBody.h, BT_ENABLE_GYROPSCOPIC_FORCE: can easily introduce instability, best not enabled',
  };
  if (scene.best) return {...heavy, ...spinning};
  return {
    ...heavy,
    ...spinning,
    ...(mayTunnel(scene, h) && {
      'fast-bodies':
        'btCollisionObject.h, setCcdMotionThreshold: no continuous collision detection without a threshold',
    }),
    ...(mayRest(scene, 0.8, 1) && {
      'slow-motion': 'btRigidBody.h, setSleepingThresholds: bodies below 0.8 m/s and 1 rad/s are deactivated',
    }),
    // smaller bodies need more than 60 steps in a second: at least 300 for 1 cm
    ...(
      hasSizeOutside(scene, h > 1 / 300 ? 0.2 : 0, 5) &&
      topics(
        ['restitution', 'friction', 'rest'],
        `${tips}Avoid very small and very large collision shapes: moving objects of 0.2 to 5 m at 60 Hz`)),
  };
}

function build(scene) {
  const world = makeWorld(scene);
  const bodies = scene.bodies.map((body) => addBody(world, scene, body));
  const joints = scene.hinges.map((hinge) => makeHinge(world, scene, bodies, hinge));
  const n = substeps(scene, 1 / 60);
  return {
    settings: [
      `${n} steps per row; 10 iterations; ` +
        (scene.best ? 'contactProcessingThreshold 0; CCD; no sleep; margin 0.1 mm' :
                      'bodies may sleep; margin 40 mm'),
      GROUND.is,
    ],
    unpromised: unpromisedOf(scene, scene.step / n),
    steps: n,
    step: (h) => world.stepSimulation(h, 0),
    state(i) {
      const at = bodies[i].getCenterOfMassTransform();
      const q = at.getRotation();
      return [
        ...arrayOf(at.getOrigin()), q.w(), q.x(), q.y(), q.z(), ...arrayOf(bodies[i].getLinearVelocity()),
        ...arrayOf(bodies[i].getAngularVelocity())
      ];
    },
    free() {
      for (const joint of joints) world.removeConstraint(joint);
      for (const body of bodies) world.removeRigidBody(body);
      for (const object of [...joints, ...bodies, world, ...garbage.reverse()]) A.destroy(object);
      garbage = [];
    },
  };
}

await serve({name: 'ammo', package: 'ammo.js', planar: false, build});
