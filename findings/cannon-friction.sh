#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# findings/cannon-friction.sh
#
# Expected: sliding friction is mu times the force that presses the bodies together, so a body of 5 m/s stops after
# v^2/(2 mu g) = 4.17 m (mu = 0.3, g = 10 m/s^2), after a tenth of it if it is pressed by ten times its weight, and the
# step changes little.
# So it is: cannon-es 0.20.0 bounds the friction of each point of contact by mu m |g|, whatever presses it, and takes
# this force for the impulse of a step. A ball stops after mu |g| h-th of the way (0.12 m at 1/60 s, 0.03 m at 1/240 s),
# a box, which has four points of contact, within one step; a load of 90 N or a lift of 9 N changes no digit.
# It matters: friction cannot be calibrated by mu, and refining the step leads away from Coulomb's law, to zero.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts cannon-es@0.20.0
cat >slide.mjs <<'END'
import {Body, Box, ContactMaterial, Material, Sphere, Vec3, World} from 'cannon-es';
function slide(shape, load, rate) {
  const world = new World({gravity: new Vec3(0, -10, 0)}), material = new Material('any');
  world.addContactMaterial(new ContactMaterial(material, material, {friction: 0.3, restitution: 0}));
  world.addBody(new Body({mass: 0, material, shape: new Box(new Vec3(99, 1, 99)), position: new Vec3(0, -1, 0)}));
  const body = new Body({mass: 1, material, shape, position: new Vec3(0, 0.5, 0), linearDamping: 0, fixedRotation: true});
  body.velocity.set(5, 0, 0);
  world.addBody(body);
  for (let i = 0; i < 3 * rate; i++) {
    body.applyForce(new Vec3(0, -load, 0));
    world.step(1 / rate);
  }
  return body.position.x.toFixed(4);
}
const box = () => new Box(new Vec3(0.5, 0.5, 0.5)), ball = () => new Sphere(0.5);
for (const rate of [60, 240])
  console.log(`1/${rate} s: box`, ...[0, 90, -9].map(load => slide(box(), load, rate)), 'ball',
    ...[0, 90, -9].map(load => slide(ball(), load, rate)));
END
node slide.mjs | tee seen
diff seen - <<'END'
1/60 s: box 0.0069 0.0069 0.0069 ball 0.1194 0.1194 0.1194
1/240 s: box 0.0017 0.0017 0.0017 ball 0.0299 0.0299 0.0299
END
echo "cannon-es 0.20.0: as found"
