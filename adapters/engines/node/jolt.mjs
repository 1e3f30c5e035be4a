// SPDX-License-Identifier: MIT
//
// Jolt Physics. default: as JoltPhysics.js's Examples/falling_shapes.html, which steps at most 1/55
// s, with the engine's own damping of 0.05 1/s. best: 16 steps per row, 50 velocity and 20 position
// steps, linear cast, gyroscopic forces, no damping, no sleep, no slop, no least speed for
// restitution, boxes with sharp edges.
import * as limits from './limits.mjs';
import {serve, substeps} from './protocol.mjs';
import {across, hasLimits, scale} from './vectors.mjs';
import load from 'jolt-physics/wasm-compat';

const J = await load();
const {damped, greatestSpeed, hasSizeOutside, leastHalf, leastImpact, mayRest, mayTunnel, OF_VELOCITY, topics} =
  limits;
const DAMPING =
  'BodyCreationSettings.h: mLinearDamping and mAngularDamping are 0.05 1/s, mApplyGyroscopicForce false';
const FIXED = 0;
const MOVING = 1;
const CONVEX_RADIUS = 0.05; // m, the engine's default
const PART_OF_SIZE = 0.01;  // of a body, by which scenes let it sink
const NO_LIMIT = 1e6;
const BEST = {
  mNumVelocitySteps: 50,
  mNumPositionSteps: 20,
  mMinVelocityForRestitution: 0,
  mPenetrationSlop: 0,
  mAllowSleeping: false,
};

const vec3 = ([x, y, z]) => new J.Vec3(x, y, z);
const rvec3 = ([x, y, z]) => new J.RVec3(x, y, z);
const quat = ([w, x, y, z]) => new J.Quat(x, y, z, w);
const arrayOf = (v) => [v.GetX(), v.GetY(), v.GetZ()];
const still = () => quat([1, 0, 0, 0]);

// Two layers: bodies that are fixed, and others, which collide with all.
function newInterface() {
  const settings = new J.JoltSettings();
  const pairs = new J.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(FIXED, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const layers = new J.BroadPhaseLayerInterfaceTable(2, 2);
  layers.MapObjectToBroadPhaseLayer(FIXED, new J.BroadPhaseLayer(0));
  layers.MapObjectToBroadPhaseLayer(MOVING, new J.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  const jolt = new J.JoltInterface(settings);
  J.destroy(settings);
  return jolt;
}

function settingsOf(shape, best) {
  if (shape.type === 'sphere') return new J.SphereShapeSettings(shape.radius, null);
  if (shape.type === 'box') {
    const rounding = best ? 0 : Math.min(CONVEX_RADIUS, ...shape.half);
    return new J.BoxShapeSettings(vec3(shape.half), rounding, null);
  }
  return new J.PlaneShapeSettings(new J.Plane(vec3([0, 1, 0]), 0), null, 1000);
}

// The shapes of a body as one, with the centre of mass at its origin.
function shapeOf(body, best) {
  if (body.shapes.length === 0) return new J.EmptyShape(vec3([0, 0, 0]));
  let made = settingsOf(body.shapes[0], best);
  const {centre} = body.shapes[0];
  if (body.shapes.length > 1) {
    made = new J.StaticCompoundShapeSettings();
    for (const shape of body.shapes)
      made.AddShapeShapeSettings(vec3(shape.centre ?? [0, 0, 0]), still(), settingsOf(shape, best), 0);
  } else if (centre?.some((x) => x !== 0)) {
    made = new J.RotatedTranslatedShapeSettings(vec3(centre), still(), made);
  }
  const shape = made.Create().Get();
  shape.AddRef();
  const offset = scale(arrayOf(shape.GetCenterOfMass()), -1);
  if (body.fixed || offset.every((x) => x === 0)) return shape;
  const moved = new J.OffsetCenterOfMassShapeSettings(vec3(offset), made).Create().Get();
  moved.AddRef();
  return moved;
}

function weigh(settings, body) {
  settings.mOverrideMassProperties = J.EOverrideMassProperties_MassAndInertiaProvided;
  settings.mMassPropertiesOverride.mMass = body.mass;
  settings.mMassPropertiesOverride.mInertia = J.Mat44.prototype.sScaleVec3(vec3(body.inertia));
}

function addBody(bodies, scene, body, group) {
  const settings = new J.BodyCreationSettings(
    shapeOf(body, scene.best), rvec3(body.position), quat(body.orientation),
    body.fixed ? J.EMotionType_Static : J.EMotionType_Dynamic, body.fixed ? FIXED : MOVING);
  settings.mFriction = scene.mu;
  settings.mRestitution = scene.e;
  settings.mCollisionGroup = group;
  if (!body.fixed) {
    weigh(settings, body);
    settings.mLinearVelocity = vec3(body.velocity);
    settings.mAngularVelocity = vec3(body.spin);
  }
  if (scene.best) {
    Object.assign(settings, {
      mLinearDamping: 0,
      mAngularDamping: 0,
      mApplyGyroscopicForce: true,
      mAllowSleeping: false,
      mMotionQuality: J.EMotionQuality_LinearCast,
      mMaxLinearVelocity: NO_LIMIT,
      mMaxAngularVelocity: NO_LIMIT
    });
  }
  const made = bodies.CreateBody(settings);
  bodies.AddBody(made.GetID(), J.EActivation_Activate);
  J.destroy(settings);
  return made;
}

function addHinge(system, bodies, hinge) {
  const settings = new J.HingeConstraintSettings();
  settings.mPoint1 = settings.mPoint2 = rvec3(hinge.point);
  settings.mHingeAxis1 = settings.mHingeAxis2 = vec3(hinge.axis);
  settings.mNormalAxis1 = settings.mNormalAxis2 = vec3(across(hinge.axis));
  if (hasLimits(hinge)) {
    settings.mLimitsMin = Math.max(hinge.lower, -Math.PI);
    settings.mLimitsMax = Math.min(hinge.upper, Math.PI);
  }
  system.AddConstraint(settings.Create(bodies[hinge.a], bodies[hinge.b]));
}

function groupsOf(scene) {
  const table = new J.GroupFilterTable(scene.bodies.length);
  for (const {a, b} of scene.hinges) table.DisableCollision(a, b);
  return scene.bodies.map((_, i) => new J.CollisionGroup(table, 0, i));
}

// Topics that the documentation excludes.
function unpromisedOf(scene, settings, h) {
  const always = {
    ...(
      (hasSizeOutside(scene, 0.1, 10) || greatestSpeed(scene) > 500) &&
      topics(
        ['restitution', 'friction', 'rest'],
        'Architecture, Conventions and Limits: to be accurate, dynamic objects ' +
          'should be in the order [0.1, 10] meters long, with speeds in the order of [0, 500] m/s')),
  };
  if (scene.best) return always;
  const slow = settings.mPointVelocitySleepThreshold;
  return {
    ...always,
    ...damped(scene, 0.05, OF_VELOCITY, DAMPING),
    ...(leastImpact(scene) <= settings.mMinVelocityForRestitution && {
      'slow-restitution':
        'PhysicsSettings.h, mMinVelocityForRestitution: below 1 m/s along the normal there is no restitution',
    }),
    ...(mayTunnel(scene, h) && {
      'fast-bodies':
        'MotionQuality.h, EMotionQuality::Discrete: tunnels through thin objects if its velocity is ' +
        'high enough',
    }),
    ...(mayRest(scene, slow, slow / leastHalf(scene)) && {
      'slow-motion':
        'PhysicsSettings.h, mPointVelocitySleepThreshold: bodies below 0.03 m/s are allowed to go to sleep',
    }),
    ...(settings.mPenetrationSlop > PART_OF_SIZE * 2 * leastHalf(scene) && {
      slop: 'PhysicsSettings.h, mPenetrationSlop: bodies are allowed to sink 2 cm into each other',
    }),
  };
}

function build(scene) {
  const jolt = newInterface();
  const system = jolt.GetPhysicsSystem();
  system.SetGravity(vec3(scene.gravity));
  const settings = system.GetPhysicsSettings();
  if (scene.best) {
    Object.assign(settings, BEST);
    system.SetPhysicsSettings(settings);
  }
  const groups = groupsOf(scene);
  const bodies = scene.bodies.map((body, i) => addBody(system.GetBodyInterface(), scene, body, groups[i]));
  for (const hinge of scene.hinges) addHinge(system, bodies, hinge);
  const n = substeps(scene, 1 / 55);
  return {
    settings: [
      `${n} steps per row; ${settings.mNumVelocitySteps} velocity and ${
        settings.mNumPositionSteps} position steps; ` +
        (scene.best ?
           'linear cast; gyroscopic forces; no damping; no sleep; slop 0; mMinVelocityForRestitution 0' :
           'damping 0.05 1/s; bodies may sleep; slop 20 mm; mMinVelocityForRestitution 1 m/s'),
    ],
    unpromised: unpromisedOf(scene, settings, scene.step / n),
    step: (h) => jolt.Step(h, n),
    state(i) {
      const [x, q, body] = [bodies[i].GetCenterOfMassPosition(), bodies[i].GetRotation(), bodies[i]];
      const motion = [body.GetLinearVelocity(), body.GetAngularVelocity()];
      return [...arrayOf(x), q.GetW(), ...arrayOf(q), ...motion.flatMap(arrayOf)];
    },
    free: () => J.destroy(jolt),
  };
}

await serve({name: 'jolt', package: 'jolt-physics', planar: false, build});
