// SPDX-License-Identifier: MIT
//
// Box2D 3, by box2d3-wasm. default: as the "Hello Box2D" of its manual, which steps 1/60 s with 4
// sub-steps, with the ground as a box. best: 16 steps per row with 4 sub-steps each, no sleep, no
// threshold of restitution; no bullets, since a body with this flag passes through fixed ones here.
import * as limits from './limits.mjs';
import {serve, substeps} from './protocol.mjs';
import {angleOf, groundOf, hasLimits, planarLimits, planarState} from './vectors.mjs';
import load from 'box2d3-wasm';

const B = await load();
const {greatestSpeed, hasSizeOutside, leastHalf, leastImpact, massRatio, mayRest, mayTunnel, topics} = limits;
const GROUND = groundOf(1000);
const NO_LIMIT = 1e6; // m/s

const vec2 = ([x, y]) => new B.b2Vec2(x, y);
const rotation = (angle) => B.b2MakeRot(angle);

function addShape(id, shape, definition) {
  if (shape.type === 'sphere') {
    const circle = new B.b2Circle();
    circle.center = vec2(shape.centre);
    circle.radius = shape.radius;
    B.b2CreateCircleShape(id, definition, circle);
    return;
  }
  const [half, centre] =
    shape.type === 'box' ? [shape.half, shape.centre] : [[GROUND.halfWidth, GROUND.depth], [0, -GROUND.depth]];
  B.b2CreatePolygonShape(id, definition, B.b2MakeOffsetBox(half[0], half[1], vec2(centre), rotation(0)));
}

function addBody(world, scene, body) {
  const definition = B.b2DefaultBodyDef();
  definition.type = body.fixed ? B.b2BodyType.b2_staticBody : B.b2BodyType.b2_dynamicBody;
  definition.position = vec2(body.position);
  definition.rotation = rotation(angleOf(body.orientation));
  definition.linearVelocity = vec2(body.velocity);
  definition.angularVelocity = body.spin[2];
  if (scene.best) {
    definition.allowFastRotation = true;
    definition.enableSleep = false;
  }
  const id = B.b2CreateBody(world, definition);
  const shapes = B.b2DefaultShapeDef();
  shapes.material.friction = scene.mu;
  shapes.material.restitution = scene.e;
  for (const shape of body.shapes) addShape(id, shape, shapes);
  if (!body.fixed) weigh(id, body);
  return id;
}

function weigh(id, body) {
  const mass = new B.b2MassData();
  mass.mass = body.mass;
  mass.center = vec2([0, 0]);
  mass.rotationalInertia = body.inertia[2];
  B.b2Body_SetMassData(id, mass);
}

// The frames of the joint have the axes of the ground at the start, when the angle is 0.
function addHinge(world, scene, ids, hinge) {
  const definition = B.b2DefaultRevoluteJointDef();
  for (const [i, side, where] of [[hinge.a, 'A', hinge.inA], [hinge.b, 'B', hinge.inB]]) {
    definition.base[`bodyId${side}`] = ids[i];
    definition.base[`localFrame${side}`].p = vec2(where.point);
    definition.base[`localFrame${side}`].q = rotation(-angleOf(scene.bodies[i].orientation));
  }
  const [lower, upper] = planarLimits(hinge);
  definition.enableLimit = hasLimits(hinge);
  definition.lowerAngle = lower;
  definition.upperAngle = upper;
  B.b2CreateRevoluteJoint(world, definition);
}

// Topics that the documentation excludes.
function unpromisedOf(scene, definition, h) {
  const always = {
    ...(scene.hinges.length > 0 && {
      joints: 'manual, Loose Ends, Limitations: soft constraints can lead to joint and contact flexing',
    }),
    ...(mayTunnel(scene, h, true) && {
      'fast-bodies':
        'manual, Loose Ends, Limitations: general dynamic versus dynamic continuous collision is not handled',
    }),
    ...(massRatio(scene) > 10 && {
      'mass-ratio':
        'manual, Loose Ends, Limitations: extreme mass ratios may cause joint stretching and collision overlap',
    }),
    ...(greatestSpeed(scene) > definition.maximumLinearSpeed && {
      'free-flight': `types.h, b2WorldDef::maximumLinearSpeed: ${definition.maximumLinearSpeed} m/s`,
    }),
    ...(
      hasSizeOutside(scene, 0.1, 10) &&
      topics(
        ['restitution', 'friction', 'rest'],
        'manual, Overview, Units: tuned to work well with moving shapes between 0.1 and 10 meters')),
  };
  if (scene.best) return always;
  const asleep = B.b2DefaultBodyDef().sleepThreshold;
  return {
    ...always,
    ...(leastImpact(scene) <= definition.restitutionThreshold && {
      'slow-restitution':
        'types.h, b2WorldDef::restitutionThreshold: collisions above this speed, 1 m/s, bounce',
    }),
    ...(mayRest(scene, asleep, asleep / leastHalf(scene)) && {
      'slow-motion':
        'types.h, b2BodyDef::sleepThreshold: bodies below 0.05 m/s go to sleep; b2WorldDef::enableSleep',
    }),
  };
}

function build(scene) {
  const definition = B.b2DefaultWorldDef();
  definition.gravity = vec2(scene.gravity);
  if (scene.best) {
    definition.enableSleep = false;
    definition.restitutionThreshold = 0;
    definition.maximumLinearSpeed = NO_LIMIT;
  }
  const world = B.b2CreateWorld(definition);
  const ids = scene.bodies.map((body) => addBody(world, scene, body));
  for (const hinge of scene.hinges) addHinge(world, scene, ids, hinge);
  const n = substeps(scene, 1 / 60);
  const inner = 4;
  return {
    settings: [
      `${n} steps per row with ${inner} sub-steps each; ` +
        (scene.best ? 'no sleep; restitutionThreshold 0' : 'bodies may sleep; restitutionThreshold 1 m/s'),
      GROUND.is,
    ],
    unpromised: unpromisedOf(scene, definition, scene.step / n),
    steps: n,
    step: (h) => B.b2World_Step(world, h, inner),
    state(i) {
      const at = B.b2Body_GetPosition(ids[i]);
      const v = B.b2Body_GetLinearVelocity(ids[i]);
      return planarState(
        at.x, at.y, B.b2Rot_GetAngle(B.b2Body_GetRotation(ids[i])), v.x, v.y,
        B.b2Body_GetAngularVelocity(ids[i]));
    },
    free: () => B.b2DestroyWorld(world),
  };
}

await serve({name: 'box2d3', package: 'box2d3-wasm', planar: true, build});
