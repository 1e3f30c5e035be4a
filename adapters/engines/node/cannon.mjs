// SPDX-License-Identifier: MIT
//
// cannon-es. default: as its documentation's first example, World.fixedStep() of 1/60 s, with the
// engine's damping of 0.01 and its contact stiffness. best: 16 steps per row, 100 iterations, no
// damping, stiff contacts (1e12 N/m) that restore little of their depth per step (relaxation 30).
import {damped, OF_VELOCITY} from './limits.mjs';
import {serve, substeps, Unsupported} from './protocol.mjs';
import {hasLimits} from './vectors.mjs';
import {Body, Box, HingeConstraint, Plane, Quaternion, Sphere, Vec3, World} from 'cannon-es';

const BEST_CONTACT = {
  contactEquationStiffness: 1e12,
  contactEquationRelaxation: 30,
  frictionEquationStiffness: 1e12,
  frictionEquationRelaxation: 30
};
const Z_TO_Y = new Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2); // the normal of a Plane is z

const DAMPING = 'documentation, class Body: linearDamping and angularDamping are 0.01 by default';

const vec3 = ([x, y, z]) => new Vec3(x, y, z);
const quaternion = ([w, x, y, z]) => new Quaternion(x, y, z, w);

function addShape(body, shape) {
  if (shape.type === 'sphere')
    body.addShape(new Sphere(shape.radius), vec3(shape.centre));
  else if (shape.type === 'box')
    body.addShape(new Box(vec3(shape.half)), vec3(shape.centre));
  else
    body.addShape(new Plane(), new Vec3(), Z_TO_Y);
}

function addBody(world, scene, body) {
  const made = new Body({
    mass: body.fixed ? 0 : body.mass,
    position: vec3(body.position),
    quaternion: quaternion(body.orientation),
    velocity: vec3(body.velocity),
    angularVelocity: vec3(body.spin),
  });
  if (scene.best) made.linearDamping = made.angularDamping = 0;
  for (const shape of body.shapes) addShape(made, shape);
  if (!body.fixed) { // after the last shape, since each sets the moments of inertia
    made.inertia.copy(vec3(body.inertia));
    made.invInertia.copy(vec3(body.inertia.map((x) => 1 / x)));
    made.updateInertiaWorld(true);
  }
  world.addBody(made);
  return made;
}

function addHinge(world, bodies, hinge) {
  if (hasLimits(hinge)) throw new Unsupported('hinges have no limits');
  world.addConstraint(new HingeConstraint(bodies[hinge.a], bodies[hinge.b], {
    pivotA: vec3(hinge.inA.point),
    axisA: vec3(hinge.inA.axis),
    pivotB: vec3(hinge.inB.point),
    axisB: vec3(hinge.inB.axis),
    collideConnected: false,
  }));
}

function build(scene) {
  const world = new World({gravity: vec3(scene.gravity)});
  const contact = world.defaultContactMaterial;
  contact.friction = scene.mu;
  contact.restitution = scene.e;
  if (scene.best) {
    Object.assign(contact, BEST_CONTACT);
    world.solver.iterations = 100;
    world.solver.tolerance = 0;
  }
  const bodies = scene.bodies.map((body) => addBody(world, scene, body));
  for (const hinge of scene.hinges) addHinge(world, bodies, hinge);
  const n = substeps(scene, 1 / 60);
  return {
    settings: [
      `${n} steps per row; ${world.solver.iterations} iterations; ` +
        (scene.best ? 'stiffness 1e12, relaxation 30; no damping' :
                      'stiffness 1e7, relaxation 3; damping 0.01'),
    ],
    unpromised: scene.best ? {} : damped(scene, 0.01, OF_VELOCITY, DAMPING),
    steps: n,
    step: (h) => world.step(h),
    state(i) {
      const {position: p, quaternion: q, velocity: v, angularVelocity: w} = bodies[i];
      return [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
    },
  };
}

await serve({name: 'cannon', package: 'cannon-es', planar: false, build});
