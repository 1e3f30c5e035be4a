// SPDX-License-Identifier: MIT
//
// OimoPhysics. default: the engine's own settings and steps of 1/60 s, as in its demos. best: 16
// steps per row, 100 iterations, no sleep, no threshold of bouncing, a slop of 0.01 mm.
import {readFileSync} from 'node:fs';
import {leastImpact, mayRest} from './limits.mjs';
import {serve, substeps} from './protocol.mjs';
import {groundOf, hasLimits} from './vectors.mjs';

// The package does not say that its file is a module, which Node 18 needs to know.
const text = readFileSync(new URL('./node_modules/oimophysics/OimoPhysics.js', import.meta.url));
const {oimo} = await import(`data:text/javascript;base64,${text.toString('base64')}`);
const {Quat, Setting, Vec3} = oimo.common;
const {RigidBody, RigidBodyConfig, RigidBodyType, Shape, ShapeConfig} = oimo.dynamics.rigidbody;
const {BoxGeometry, SphereGeometry} = oimo.collision.geometry;

const GROUND = groundOf(1000);
const DEFAULTS = {
  contactEnableBounceThreshold: Setting.contactEnableBounceThreshold,
  linearSlop: Setting.linearSlop,
  disableSleeping: Setting.disableSleeping,
};
const BEST = {
  contactEnableBounceThreshold: 0,
  linearSlop: 1e-5,
  disableSleeping: true
};

const vec3 = ([x, y, z]) => new Vec3(x, y, z);
const matrix = ([w, x, y, z]) => new Quat(x, y, z, w).toMat3();

function shapeOf(shape, scene) {
  const config = new ShapeConfig();
  config.friction = scene.mu; // Oimo takes the geometric mean of two bodies
  config.restitution = scene.e;
  if (shape.type === 'plane') {
    config.position = vec3([0, -GROUND.depth, 0]);
    config.geometry = new BoxGeometry(vec3([GROUND.halfWidth, GROUND.depth, GROUND.halfWidth]));
  } else {
    config.position = vec3(shape.centre);
    config.geometry =
      shape.type === 'sphere' ? new SphereGeometry(shape.radius) : new BoxGeometry(vec3(shape.half));
  }
  return new Shape(config);
}

// After the last shape, since each sets the mass and the moments of inertia.
function weigh(made, body) {
  const data = made.getMassData();
  data.mass = body.mass;
  data.localInertia.init(body.inertia[0], 0, 0, 0, body.inertia[1], 0, 0, 0, body.inertia[2]);
  made.setMassData(data);
}

function addBody(world, scene, body) {
  const config = new RigidBodyConfig();
  config.type = body.fixed ? RigidBodyType.STATIC : RigidBodyType.DYNAMIC;
  config.position = vec3(body.position);
  config.rotation = matrix(body.orientation);
  config.linearVelocity = vec3(body.velocity);
  config.angularVelocity = vec3(body.spin);
  const made = new RigidBody(config);
  for (const shape of body.shapes) made.addShape(shapeOf(shape, scene));
  if (!body.fixed) weigh(made, body);
  world.addRigidBody(made);
  return made;
}

function addHinge(world, bodies, hinge) {
  const {RevoluteJoint, RevoluteJointConfig} = oimo.dynamics.constraint.joint;
  const config = new RevoluteJointConfig();
  config.init(bodies[hinge.a], bodies[hinge.b], vec3(hinge.point), vec3(hinge.axis));
  config.allowCollision = false;
  const joint = new RevoluteJoint(config);
  world.addJoint(joint);
  const start = joint.getAngle(); // depends on the orientations of the bodies
  if (hasLimits(hinge)) joint.getLimitMotor().setLimits(start + hinge.lower, start + hinge.upper);
}

function build(scene) {
  Object.assign(Setting, scene.best ? BEST : DEFAULTS);
  const world = new oimo.dynamics.World(oimo.collision.broadphase.BroadPhaseType.BVH, vec3(scene.gravity));
  if (scene.best) {
    world.setNumVelocityIterations(100);
    world.setNumPositionIterations(100);
  }
  const bodies = scene.bodies.map((body) => addBody(world, scene, body));
  for (const hinge of scene.hinges) addHinge(world, bodies, hinge);
  const n = substeps(scene, 1 / 60);
  return {
    settings: [
      `${n} steps per row; ${world.getNumVelocityIterations()} velocity and ${
        world.getNumPositionIterations()} position iterations; ` +
        (scene.best ? 'no sleep; contactEnableBounceThreshold 0; slop 0.01 mm' :
                      'bodies may sleep; contactEnableBounceThreshold 0.5 m/s; slop 5 mm'),
      GROUND.is,
    ],
    unpromised: scene.best ? undefined : {
      ...(leastImpact(scene) <= Setting.contactEnableBounceThreshold && {
        'slow-restitution': 'API documentation, Setting.contactEnableBounceThreshold: 0.5 m/s',
      }),
      ...(mayRest(scene, Setting.sleepingVelocityThreshold, Setting.sleepingAngularVelocityThreshold) && {
        'slow-motion':
          'API documentation, RigidBodyConfig.autoSleep, with Setting.sleepingVelocityThreshold 0.2 m/s ' +
          'and sleepingAngularVelocityThreshold 0.5 rad/s',
      }),
    },
    steps: n,
    step: (h) => world.step(h),
    state(i) {
      const [p, q] = [bodies[i].getPosition(), bodies[i].getOrientation()];
      const [v, w] = [bodies[i].getLinearVelocity(), bodies[i].getAngularVelocity()];
      return [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
    },
  };
}

await serve({name: 'oimo', package: 'oimophysics', planar: false, build});
