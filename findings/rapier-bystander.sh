#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# findings/rapier-bystander.sh
#
# Expected: how far a ball falls in 1 s does not depend on a box that rests 20 m away.
# So it is: in Rapier 0.7.6 a ball that is alone in the world falls by explicit Euler (g/2 (1 - h) = 4.823 m at 1/60 s);
# where any contact exists in the world it falls by semi-implicit Euler (g/2 (1 + h) = 4.987 m).
# It matters: a scene of one body, which tests of engines are made of, is solved by another method than a game or a
# robot, and a difference of 16 cm is put down to something else. Later releases (0.19.0) have one method.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts \
    old@npm:@dimforge/rapier3d-compat@0.7.6 new@npm:@dimforge/rapier3d-compat@0.19.0
cat >fall.mjs <<'END'
const R = (await import(process.argv[2])).default, Body = R.RigidBodyDesc, Shape = R.ColliderDesc;
await R.init();
function fall(bystander) {
  const world = new R.World({x: 0, y: 0, z: -9.81});
  const add = (kind, shape, x, z) => {
    const body = world.createRigidBody(kind.setTranslation(x, 0, z));
    world.createCollider(shape, Body.dynamic ? body : body.handle);
    return body;
  };
  const free = () => Body.dynamic ? Body.dynamic() : Body.newDynamic();
  world.timestep = 1 / 60;
  const ball = add(free(), Shape.ball(0.5), 0, 100);
  if (bystander) {
    add(Body.fixed ? Body.fixed() : Body.newStatic(), Shape.cuboid(1, 1, 1), 20, -1);
    add(free(), Shape.cuboid(0.5, 0.5, 0.5), 20, 0.5);
  }
  for (let i = 0; i < 60; i++) world.step();
  return (100 - ball.translation().z).toFixed(3);
}
console.log(R.version(), fall(false), fall(true));
END
{ node fall.mjs old; node fall.mjs new; } 2>/dev/null | tee seen
diff seen - <<'END'
0.7.6 4.823 4.987
0.19.0 4.925 4.925
END
echo "rapier3d-compat 0.7.6 and 0.19.0: as found"
