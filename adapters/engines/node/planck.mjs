// SPDX-License-Identifier: MIT
//
// Planck, a port of Box2D 2.4 to JavaScript. default: as its HelloWorld.ts, which steps 1/60 s with
// 6 and 2 iterations, with the ground as a box. best: 16 steps per row, 60 and 60 iterations,
// bullets, no sleep, a slop of 0.1 mm, and no threshold of restitution.
import {greatestSpeed, hasBoxes, leastHalf, leastImpact, massRatio, mayRest, mayTunnel} from './limits.mjs';
import {serve, substeps} from './protocol.mjs';
import {angleOf, groundOf, hasLimits, planarLimits, planarState} from './vectors.mjs';
import {Box, Circle, RevoluteJoint, Settings, World} from 'planck';

const DEFAULTS = {
  linearSlop: Settings.linearSlop,
  velocityThreshold: Settings.velocityThreshold,
  maxTranslation: Settings.maxTranslation,
  maxRotation: Settings.maxRotation,
};
const BEST = {
  linearSlop: 1e-4,
  velocityThreshold: 0,
  maxTranslation: 1e6,
  maxRotation: 1e6
};
const PART_OF_SIZE = 0.01; // of a body, by which scenes let it sink
const GROUND = groundOf(1000);
function shapeOf(shape) {
  if (shape.type === 'sphere') return new Circle({x: shape.centre[0], y: shape.centre[1]}, shape.radius);
  if (shape.type === 'box')
    return new Box(shape.half[0], shape.half[1], {x: shape.centre[0], y: shape.centre[1]}, 0);
  return new Box(GROUND.halfWidth, GROUND.depth, {x: 0, y: -GROUND.depth}, 0);
}

function addBody(world, scene, body) {
  const made = world.createBody({
    type: body.fixed ? 'static' : 'dynamic',
    position: {x: body.position[0], y: body.position[1]},
    angle: angleOf(body.orientation),
    linearVelocity: {x: body.velocity[0], y: body.velocity[1]},
    angularVelocity: body.spin[2],
    bullet: scene.best,
  });
  for (const shape of body.shapes) {
    made.createFixture({shape: shapeOf(shape), density: 1, friction: scene.mu, restitution: scene.e});
  }
  if (!body.fixed) made.setMassData({mass: body.mass, center: {x: 0, y: 0}, I: body.inertia[2]});
  return made;
}

function addHinge(world, scene, bodies, hinge) {
  const [lowerAngle, upperAngle] = planarLimits(hinge);
  const [a, b] = [hinge.a, hinge.b].map((i) => scene.bodies[i]);
  world.createJoint(new RevoluteJoint({
    bodyA: bodies[hinge.a],
    bodyB: bodies[hinge.b],
    localAnchorA: {x: hinge.inA.point[0], y: hinge.inA.point[1]},
    localAnchorB: {x: hinge.inB.point[0], y: hinge.inB.point[1]},
    referenceAngle: angleOf(b.orientation) - angleOf(a.orientation),
    enableLimit: hasLimits(hinge),
    lowerAngle,
    upperAngle,
  }));
}

// Topics that the documentation excludes.
function unpromisedOf(scene, h) {
  const always = massRatio(scene) > 10 && {
    'mass-ratio':
      'docs, Limitations: heavy bodies on much lighter bodies are not stable; stability degrades as the mass ' +
      'ratio passes 10:1',
  };
  if (scene.best) return {...always};
  return {
    ...always,
    ...(leastImpact(scene) <= Settings.velocityThreshold && {
      'slow-restitution':
        'docs, Fixture, Restitution; Settings.velocityThreshold: collisions below 1 m/s are inelastic',
    }),
    ...(mayTunnel(scene, h, true) && {
      'fast-bodies':
        'docs, Body, Bullets: normally continuous collision detection is not used between dynamic bodies',
    }),
    ...(greatestSpeed(scene) * h > Settings.maxTranslation && {
      'free-flight': 'docs, Settings.maxTranslation: a body moves 2 m in a step at most',
    }),
    // between boxes, less the slop
    ...(hasBoxes(scene) && 2 * Settings.polygonRadius > PART_OF_SIZE * 2 * leastHalf(scene) && {
      slop:
        'docs, Polygon Shapes: a polygon skin keeps the polygons separated, with small gaps between the shapes',
    }),
    ...(mayRest(scene, Settings.linearSleepTolerance, Settings.angularSleepTolerance) && {
      'slow-motion':
        'docs, Settings.linearSleepTolerance, angularSleepTolerance: bodies below 0.01 m/s and 2 degrees/s ' +
        'fall asleep; BodyDef.allowSleep',
    }),
  };
}

function build(scene) {
  Object.assign(Settings, scene.best ? BEST : DEFAULTS);
  const world = new World({gravity: {x: scene.gravity[0], y: scene.gravity[1]}, allowSleep: !scene.best});
  const bodies = scene.bodies.map((body) => addBody(world, scene, body));
  for (const hinge of scene.hinges) addHinge(world, scene, bodies, hinge);
  const n = substeps(scene, 1 / 60);
  const [velocityIterations, positionIterations] = scene.best ? [60, 60] : [6, 2];
  return {
    settings: [
      `${n} steps per row; ${velocityIterations} velocity and ${positionIterations} position iterations; ` +
        (scene.best ? 'bullets; no sleep; slop 0.1 mm; velocityThreshold 0' :
                      'bodies may sleep; slop 5 mm; velocityThreshold 1 m/s'),
      GROUND.is,
    ],
    unpromised: unpromisedOf(scene, scene.step / n),
    steps: n,
    step: (h) => world.step(h, velocityIterations, positionIterations),
    state(i) {
      const body = bodies[i];
      const at = body.getPosition();
      const v = body.getLinearVelocity();
      return planarState(at.x, at.y, body.getAngle(), v.x, v.y, body.getAngularVelocity());
    },
  };
}

await serve({name: 'planck', package: 'planck', planar: true, build});
