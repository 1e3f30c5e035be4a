// SPDX-License-Identifier: MIT
//
// p2-es. default: as the sample code of its README, which steps 1/60 s, with the engine's damping
// of 0.1 and its contact stiffness. best: 16 steps per row, 100 iterations, friction from the
// normal force instead of the weight, continuous collision detection, no damping, stiff contacts
// (1e12 N/m) that restore little of their depth per step (relaxation 30). Numbers are of 64 bits in
// both.
globalThis.P2_ARRAY_TYPE = Array;
const {serve, substeps} = await import('./protocol.mjs');
const {damped, mayTunnel, OF_VELOCITY} = await import('./limits.mjs');
const {angleOf, hasLimits, planarLimits, planarState} = await import('./vectors.mjs');
const {Body, Box, Circle, Plane, RevoluteConstraint, World} = await import('p2-es');

const DAMPING = 'documentation, Body.damping and Body.angularDamping: 0.1 by default';
const BEST_CONTACT = {
  stiffness: 1e12,
  relaxation: 30,
  frictionStiffness: 1e12,
  frictionRelaxation: 30
};

function addShape(body, shape) {
  if (shape.type === 'sphere')
    body.addShape(new Circle({radius: shape.radius}), shape.centre.slice(0, 2));
  else if (shape.type === 'box')
    body.addShape(new Box({width: 2 * shape.half[0], height: 2 * shape.half[1]}), shape.centre.slice(0, 2));
  else
    body.addShape(new Plane());
}

function addBody(world, scene, body) {
  const made = new Body({
    mass: body.fixed ? 0 : body.mass,
    position: body.position.slice(0, 2),
    angle: angleOf(body.orientation),
    velocity: body.velocity.slice(0, 2),
    angularVelocity: body.spin[2],
    ...(scene.best ? {damping: 0, angularDamping: 0, ccdSpeedThreshold: 0, ccdIterations: 50} : {}),
  });
  for (const shape of body.shapes) addShape(made, shape);
  if (!body.fixed) { // after the last shape, since each sets the moment of inertia
    made.inertia = body.inertia[2];
    made.invInertia = 1 / body.inertia[2];
  }
  world.addBody(made);
  return made;
}

function addHinge(world, bodies, hinge) {
  const joint = new RevoluteConstraint(bodies[hinge.a], bodies[hinge.b], {
    localPivotA: hinge.inA.point.slice(0, 2),
    localPivotB: hinge.inB.point.slice(0, 2),
    collideConnected: false,
  });
  if (hasLimits(hinge)) {
    const start = bodies[hinge.b].angle - bodies[hinge.a].angle;
    joint.setLimits(...planarLimits(hinge).map((angle) => angle + start));
  }
  world.addConstraint(joint);
}

function build(scene) {
  const world = new World({gravity: scene.gravity.slice(0, 2)});
  Object.assign(world.defaultContactMaterial, {friction: scene.mu, restitution: scene.e});
  if (scene.best) {
    Object.assign(world.defaultContactMaterial, BEST_CONTACT);
    world.defaultContactMaterial.contactSkinSize = 0;
    world.narrowphase.enableFrictionReduction = false;
    Object.assign(world.solver, {iterations: 100, tolerance: 0, frictionIterations: 100});
  }
  const bodies = scene.bodies.map((body) => addBody(world, scene, body));
  for (const hinge of scene.hinges) addHinge(world, bodies, hinge);
  const n = substeps(scene, 1 / 60);
  return {
    settings: [
      `${n} steps per row; ${world.solver.iterations} iterations; ` +
        (scene.best ? 'frictionIterations 100; CCD; stiffness 1e12, relaxation 30; no damping' :
                      'frictionIterations 0; stiffness 1e6, relaxation 4; damping 0.1'),
    ],
    unpromised: scene.best ? undefined : {
      ...damped(scene, 0.1, OF_VELOCITY, DAMPING),
      friction:
        'documentation, World.frictionGravity and GSSolver.frictionIterations 0: the friction max force is ' +
        'approximated by mu * mass * gravity',
      ...(mayTunnel(scene, scene.step / n) && {
        'fast-bodies':
          'documentation, Body.ccdSpeedThreshold: -1 by default; a negative number disables continuous ' +
          'collision detection',
      }),
    },
    steps: n,
    step: (h) => world.step(h),
    state(i) {
      const {position, angle, velocity, angularVelocity} = bodies[i];
      return planarState(position[0], position[1], angle, velocity[0], velocity[1], angularVelocity);
    },
  };
}

await serve({name: 'p2', package: 'p2-es', planar: true, build});
