#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# findings/havok-rebound.sh
#
# Expected: with restitution 1 a ball leaves a wall at the speed at which it came, in a world without gravity exactly.
# So it is: Havok (@babylonjs/havok 1.3.14) returns the speed less |g| h, h being the step: also if gravity acts along
# the wall, and if gravity is zero, which counts as 9.81 m/s^2 here. (From 5 m/s; slower impacts lose a little more.)
# It matters: restitution read from one impact depends on gravity and on the step, where neither acts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @babylonjs/havok@1.3.14
cat >bounce.mjs <<'END'
import {readFileSync} from 'fs';
import start from '@babylonjs/havok';
const H = await start({wasmBinary: readFileSync('node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm')});
function add(world, shape, position, motion) {
  const body = H.HP_Body_Create()[1];
  H.HP_Shape_SetMaterial(shape, [0, 0, 1, H.MaterialCombine.MULTIPLY, H.MaterialCombine.MAXIMUM]);
  H.HP_Body_SetShape(body, shape);
  H.HP_Body_SetMotionType(body, motion);
  H.HP_Body_SetQTransform(body, [position, [0, 0, 0, 1]]);
  H.HP_World_AddBody(world, body, false);
  return body;
}
/* the speed that is lost, times steps in a second */
function lost(gravity, rate) {
  const world = H.HP_World_Create()[1], upright = [0, 0, 0, 1];
  H.HP_World_SetGravity(world, gravity);
  H.HP_World_SetIdealStepTime(world, 1 / rate);
  add(world, H.HP_Shape_CreateBox([0, 0, 0], upright, [20, 20, 2])[1], [0, 0, -1], H.MotionType.STATIC);
  const ball = add(world, H.HP_Shape_CreateSphere([0, 0, 0], 0.5)[1], [0, 0, 0.8], H.MotionType.DYNAMIC);
  H.HP_Body_SetMassProperties(ball, [[0, 0, 0], 1, [0.1, 0.1, 0.1], upright]);
  H.HP_Body_SetLinearDamping(ball, 0);
  H.HP_Body_SetLinearVelocity(ball, [0, 0, -5]);
  for (let i = 0; i < rate; i++) H.HP_World_Step(world, 1 / rate);
  return ((5 - H.HP_Body_GetLinearVelocity(ball)[1][2]) * rate).toFixed(2);
}
for (const along of [9.81, 3.7, 0]) console.log(`gravity ${along} along the wall:`, lost([along, 0, 0], 60), lost([along, 0, 0], 240));
END
node bounce.mjs | tee seen
diff seen - <<'END'
gravity 9.81 along the wall: 9.81 9.81
gravity 3.7 along the wall: 3.70 3.70
gravity 0 along the wall: 9.81 9.81
END
echo "@babylonjs/havok 1.3.14: as found"
