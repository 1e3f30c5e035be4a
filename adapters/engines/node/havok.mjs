// SPDX-License-Identifier: MIT
//
// Havok, in the build for Babylon.js. default: as Babylon's plugin uses it in its "Your First
// Physics Scene": the time of a step is also told as its ideal time, and materials combine as the
// plugin has them. best: 16 steps per row, no damping, no sleep, no limit of speed.
import {readFileSync} from 'node:fs';
import {damped, greatestSpeed, mayTurn} from './limits.mjs';
import {serve, substeps} from './protocol.mjs';
import {across, conjugate, groundOf, hasLimits, rotate, scale} from './vectors.mjs';
import load from '@babylonjs/havok';

const wasmBinary =
  readFileSync(new URL('./node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm', import.meta.url));
const H = await load({wasmBinary});
const GROUND = groundOf(100); // a wider one disturbs impacts, with numbers of 32 bits
const NO_LIMIT = 1e6;
// The engine's defaults, m/s and 1/s.
const SPEED_LIMIT = 200;
const ANGULAR_DAMPING = 0.1;
const DAMPING = 'CHANGELOG 1.3.0: "Re-enable a small amount of angular damping per-body by default"';
const NO_TURN = [0, 0, 0, 1];

const toEngine = ([w, x, y, z]) => [x, y, z, w];

// Results are lists of a status and values.
function call(name, ...args) {
  const result = H[name](...args);
  const [status, ...values] = Array.isArray(result) ? result : [result];
  if (status !== H.Result.RESULT_OK) throw new Error(`${name} fails`);
  return values[0];
}

function makeShape(shape, material) {
  let made;
  if (shape.type === 'sphere')
    made = call('HP_Shape_CreateSphere', shape.centre, shape.radius);
  else if (shape.type === 'box')
    made = call('HP_Shape_CreateBox', shape.centre, NO_TURN, scale(shape.half, 2));
  else
    made = call(
      'HP_Shape_CreateBox', [0, -GROUND.depth, 0], NO_TURN,
      scale([GROUND.halfWidth, GROUND.depth, GROUND.halfWidth], 2));
  call('HP_Shape_SetMaterial', made, material);
  return made;
}

function shapeOf(body, material) {
  const shapes = body.shapes.map((shape) => makeShape(shape, material));
  if (shapes.length === 1) return shapes[0];
  const container = call('HP_Shape_CreateContainer');
  for (const shape of shapes) call('HP_Shape_AddChild', container, shape, [[0, 0, 0], NO_TURN, [1, 1, 1]]);
  return container;
}

function addBody(world, scene, body) {
  const {MAXIMUM, MINIMUM} = H.MaterialCombine;
  const made = call('HP_Body_Create');
  call('HP_Body_SetShape', made, shapeOf(body, [scene.mu, scene.mu, scene.e, MINIMUM, MAXIMUM]));
  call('HP_Body_SetMotionType', made, body.fixed ? H.MotionType.STATIC : H.MotionType.DYNAMIC);
  call('HP_Body_SetQTransform', made, [body.position, toEngine(body.orientation)]);
  if (!body.fixed) {
    // Havok takes moments of inertia of a unit mass
    const moments = body.inertia.map((moment) => moment / body.mass);
    call('HP_Body_SetMassProperties', made, [[0, 0, 0], body.mass, moments, NO_TURN]);
    if (scene.best) {
      call('HP_Body_SetLinearDamping', made, 0);
      call('HP_Body_SetAngularDamping', made, 0);
      call('HP_Body_SetActivationControl', made, H.ActivationControl.ALWAYS_ACTIVE);
    }
  }
  call('HP_World_AddBody', world, made, false);
  if (!body.fixed) {
    call('HP_Body_SetLinearVelocity', made, body.velocity);
    call('HP_Body_SetAngularVelocity', made, body.spin);
  }
  return made;
}

function makeHinge(scene, bodies, hinge) {
  const joint = call('HP_Constraint_Create');
  const side = across(hinge.axis);
  const sideIn = (i) => rotate(conjugate(scene.bodies[i].orientation), side);
  call('HP_Constraint_SetParentBody', joint, bodies[hinge.a]);
  call('HP_Constraint_SetChildBody', joint, bodies[hinge.b]);
  call('HP_Constraint_SetAnchorInParent', joint, hinge.inA.point, hinge.inA.axis, sideIn(hinge.a));
  call('HP_Constraint_SetAnchorInChild', joint, hinge.inB.point, hinge.inB.axis, sideIn(hinge.b));
  const {LINEAR_X, LINEAR_Y, LINEAR_Z, ANGULAR_X, ANGULAR_Y, ANGULAR_Z} = H.ConstraintAxis;
  for (const axis of [LINEAR_X, LINEAR_Y, LINEAR_Z, ANGULAR_Y, ANGULAR_Z]) {
    call('HP_Constraint_SetAxisMode', joint, axis, H.ConstraintAxisLimitMode.LOCKED);
  }
  if (hasLimits(hinge)) {
    call('HP_Constraint_SetAxisMode', joint, ANGULAR_X, H.ConstraintAxisLimitMode.LIMITED);
    call('HP_Constraint_SetAxisMinLimit', joint, ANGULAR_X, hinge.lower);
    call('HP_Constraint_SetAxisMaxLimit', joint, ANGULAR_X, hinge.upper);
  }
  call('HP_Constraint_SetCollisionsEnabled', joint, 0);
  call('HP_Constraint_SetEnabled', joint, 1);
  return joint;
}

// Topics that the documentation excludes with the default settings.
function unpromisedOf(scene) {
  return {
    ...(greatestSpeed(scene) > SPEED_LIMIT && {
      'free-flight':
        'CHANGELOG 1.3.1 and HavokPhysics.d.ts, HP_World_SetSpeedLimit: the maximum speed, 200 m/s',
    }),
    ...(mayTurn(scene) && damped(scene, ANGULAR_DAMPING, ['friction'], DAMPING)),
  };
}

function build(scene) {
  const world = call('HP_World_Create');
  call('HP_World_SetGravity', world, scene.gravity);
  if (scene.best) call('HP_World_SetSpeedLimit', world, NO_LIMIT, NO_LIMIT);
  const bodies = scene.bodies.map((body) => addBody(world, scene, body));
  const joints = scene.hinges.map((hinge) => makeHinge(scene, bodies, hinge));
  const n = substeps(scene, 1 / 60);
  call('HP_World_SetIdealStepTime', world, scene.step / n);
  return {
    settings: [
      `${n} steps per row; ` +
        (scene.best ? 'no damping; no sleep; no limit of speed' :
                      'angular damping 0.1; bodies may sleep; speeds limited to 200 m/s and 100 rad/s'),
      GROUND.is,
    ],
    unpromised: scene.best ? undefined : unpromisedOf(scene),
    steps: n,
    step: (h) => call('HP_World_Step', world, h),
    state(i) {
      const [at, [x, y, z, w]] = call('HP_Body_GetQTransform', bodies[i]);
      return [
        ...at, w, x, y, z, ...call('HP_Body_GetLinearVelocity', bodies[i]),
        ...call('HP_Body_GetAngularVelocity', bodies[i])
      ];
    },
    free() {
      for (const joint of joints) call('HP_Constraint_Release', joint);
      for (const body of bodies) {
        call('HP_World_RemoveBody', world, body);
        call('HP_Body_Release', body);
      }
      call('HP_World_Release', world);
    },
  };
}

await serve({name: 'havok', package: '@babylonjs/havok', planar: false, build});
