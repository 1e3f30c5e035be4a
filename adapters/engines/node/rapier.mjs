// SPDX-License-Identifier: MIT
//
// Rapier, in the plane and in space. default: as the "Getting started" of its guide: World.step()
// of 1/60 s, the ground as its half-space. best: 16 steps per row, no sleep, CCD with 8 substeps
// for bodies that start fast (two bodies with CCD do not see each other). More than 4 solver
// iterations, each of which divides a step, lose to the rounding of numbers of 32 bits.
import {mayTunnel} from './limits.mjs';
import {isFast, substeps} from './protocol.mjs';
import {angleOf, conjugate, fromXAxisTo, hasLimits, multiply, planarLimits, planarState} from './vectors.mjs';

const xyz = ([x, y, z]) => ({x, y, z});
const turn = ([w, x, y, z]) => ({w, x, y, z});

// What differs between the plane and space.
const space = {
  place: (description, body) => description.setTranslation(...body.position)
                                  .setRotation(turn(body.orientation))
                                  .setLinvel(...body.velocity)
                                  .setAngvel(xyz(body.spin)),
  weigh: (description, body) =>
    description.setAdditionalMassProperties(body.mass, xyz([0, 0, 0]), xyz(body.inertia), turn([1, 0, 0, 0])),
  joint: (R, {inA, inB}) =>
    R.JointData.revoluteWithAxes(xyz(inA.point), xyz(inB.point), xyz(inA.axis), xyz(inB.axis)),
  limits: (hinge) => [hinge.lower, hinge.upper],
  // The joint turns about the x axis of two frames, which must agree at angle 0.
  align: (joint, scene, hinge) => {
    const frame = fromXAxisTo(hinge.axis);
    const inBody = (i) => turn(multiply(conjugate(scene.bodies[i].orientation), frame));
    joint.setLocalFrame1(xyz(hinge.inA.point), inBody(hinge.a));
    joint.setLocalFrame2(xyz(hinge.inB.point), inBody(hinge.b));
  },
  state: (body) => {
    const [p, q, v, w] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
  },
};
const plane = {
  place: (description, body) => description.setTranslation(...body.position.slice(0, 2))
                                  .setRotation(angleOf(body.orientation))
                                  .setLinvel(...body.velocity.slice(0, 2))
                                  .setAngvel(body.spin[2]),
  weigh: (description, body) =>
    description.setAdditionalMassProperties(body.mass, xyz([0, 0]), body.inertia[2]),
  joint: (R, {inA, inB}) => R.JointData.revolute(xyz(inA.point), xyz(inB.point)),
  limits: (hinge) => {
    const start = angleOf(hinge.relative); // the engine measures from equal orientations
    return planarLimits(hinge).map((angle) => angle + start);
  },
  align: () => {},
  state: (body) => {
    const [p, v] = [body.translation(), body.linvel()];
    return planarState(p.x, p.y, body.rotation(), v.x, v.y, body.angvel());
  },
};

export function rapier(R, name, planar) {
  const kind = planar ? plane : space;
  const dimensions = planar ? 2 : 3;

  function colliderOf(shape) {
    if (shape.type === 'plane') return new R.ColliderDesc(new R.HalfSpace(xyz([0, 1, 0])));
    const made = shape.type === 'sphere' ? R.ColliderDesc.ball(shape.radius) :
                                           R.ColliderDesc.cuboid(...shape.half.slice(0, dimensions));
    return made.setTranslation(...shape.centre.slice(0, dimensions));
  }

  function addBody(world, scene, body) {
    const description = body.fixed ? R.RigidBodyDesc.fixed() : R.RigidBodyDesc.dynamic();
    kind.place(description, body);
    if (!body.fixed) kind.weigh(description, body);
    if (scene.best) description.setCcdEnabled(isFast(scene, body)).setCanSleep(false);
    const made = world.createRigidBody(description);
    for (const shape of body.shapes) {
      const collider = colliderOf(shape).setDensity(0).setFriction(scene.mu).setRestitution(scene.e);
      world.createCollider(collider, made);
    }
    return made;
  }

  function addHinge(world, scene, bodies, hinge) {
    const joint = world.createImpulseJoint(kind.joint(R, hinge), bodies[hinge.a], bodies[hinge.b], true);
    joint.setContactsEnabled(false);
    kind.align(joint, scene, hinge);
    if (hasLimits(hinge)) joint.setLimits(...kind.limits(hinge));
  }

  function build(scene) {
    const [x, y, z] = scene.gravity;
    const world = new R.World({x, y, z});
    const n = substeps(scene, 1 / 60);
    const parameters = world.integrationParameters;
    world.timestep = scene.step / n;
    if (scene.best) {
      parameters.maxCcdSubsteps = 8;
    }
    const bodies = scene.bodies.map((body) => addBody(world, scene, body));
    for (const hinge of scene.hinges) addHinge(world, scene, bodies, hinge);
    return {
      settings: [
        `${n} steps per row; ${parameters.numSolverIterations} solver iterations; ` +
          (scene.best ? 'CCD for fast bodies; no sleep' : 'bodies may sleep'),
      ],
      unpromised: scene.best ? undefined : {
        ...(mayTunnel(scene, scene.step / n) && {
          'fast-bodies':
            'guide, Rigid-bodies, Continuous collision detection: disabled for all the rigid-bodies by default',
        }),
        // the guide names no speed
        'slow-motion':
          'guide, Rigid-bodies, Sleeping: a body that moves very slowly during a few seconds will sleep',
      },
      steps: n,
      step: () => world.step(),
      state: (i) => kind.state(bodies[i]),
      free: () => world.free(),
    };
  }

  return {name, package: `@dimforge/${name}-compat`, planar, build};
}
