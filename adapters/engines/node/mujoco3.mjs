// SPDX-License-Identifier: MIT
//
// MuJoCo 3, by its official bindings. Contact is a spring and a damper in the space of
// accelerations. default: its own settings and steps of 2 ms; E is ignored. best: 16 steps per row,
// RK4, elliptic cones, and a contact that lasts 10 steps with the damper for which the restitution
// is E.
import {startsOverlapping, topics} from './limits.mjs';
import {serve, substeps, Unsupported} from './protocol.mjs';
import {conjugate, hasLimits, multiply, rotate, subtract} from './vectors.mjs';
import load from '@mujoco/mujoco';

const M = await load();
const STEPS_PER_CONTACT = 10; // half a period of the spring
const IMPEDANCE = 0.9999;
const Z_TO_Y = [Math.SQRT1_2, -Math.SQRT1_2, 0, 0]; // the normal of a plane is z

// Restitution of a spring with the damping ratio z < 1, whose contact ends when its force, not its
// deflection, is zero.
function restitution(z) {
  const w = Math.sqrt(1 - z * z);
  return Math.exp((-z / w) * (Math.PI - Math.atan2(2 * z * w, 1 - 2 * z * z)));
}

function dampingRatio(e) {
  if (e >= 1) return 0;
  let [low, high] = [0, 1 - 1e-12];
  for (let i = 0; i < 100; i++) {
    const z = (low + high) / 2;
    if (restitution(z) > e)
      low = z;
    else
      high = z;
  }
  return low;
}

// An element of MuJoCo's XML; lists of numbers become words.
function element(tag, attributes, children = []) {
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}="${[value].flat().join(' ')}"`);
  return `<${tag}${words.join('')}>${children.join('')}</${tag}>`;
}

function geomOf(shape, name) {
  const {type, centre: pos} = shape;
  if (type === 'sphere') return element('geom', {name, type, pos, size: shape.radius});
  if (type === 'box') return element('geom', {name, type, pos, size: shape.half});
  return element('geom', {name, type, size: [0, 0, 1], quat: Z_TO_Y});
}

// Names of the geoms of two bodies that may touch.
function pairsOf(scene) {
  const pairs = [];
  const hinged = (i, j) => scene.hinges.some(({a, b}) => (a === i && b === j) || (a === j && b === i));
  for (let i = 0; i < scene.bodies.length; i++) {
    for (let j = 0; j < i; j++) {
      if (hinged(i, j) || (scene.bodies[i].fixed && scene.bodies[j].fixed)) continue;
      for (const p of scene.bodies[i].shapes.keys()) {
        for (const q of scene.bodies[j].shapes.keys()) pairs.push({geom1: `g${i}-${p}`, geom2: `g${j}-${q}`});
      }
    }
  }
  return pairs;
}

// Only explicit pairs have a separate damper for friction, here one that ends slip in some 4 steps;
// that of the normal direction would be too weak for it.
function contactsOf(scene, step) {
  if (!scene.best) return scene.hinges.map(({a, b}) => element('exclude', {body1: `b${a}`, body2: `b${b}`}));
  const omega = Math.PI / (STEPS_PER_CONTACT * step);
  const law = {
    condim: 3,
    friction: [scene.mu, scene.mu, 0, 0, 0],
    solref: [-omega * omega, -2 * dampingRatio(scene.e) * omega],
    solreffriction: [0, -0.25 / step],
    solimp: [IMPEDANCE, IMPEDANCE, 0.001, 0.5, 1],
  };
  return pairsOf(scene).map((pair) => element('pair', {...pair, ...law}));
}

// The hinges as a tree: `parents` has for each body that hangs on another one its hinge; a hinge is
// turned round if its second body is fixed or hangs on another already.
function treeOf(scene) {
  const parents = new Map();
  for (const hinge of scene.hinges) {
    const turned = scene.bodies[hinge.b].fixed || parents.has(hinge.b);
    const [parent, child] = turned ? [hinge.b, hinge.a] : [hinge.a, hinge.b];
    if (scene.bodies[child].fixed || parents.has(child)) throw new Unsupported('hinges that are no tree');
    const {point, axis} = turned ? hinge.inA : hinge.inB;
    const range = turned ? [-hinge.upper, -hinge.lower] : [hinge.lower, hinge.upper];
    parents.set(child, {parent, point, axis, worldAxis: hinge.axis, range, limited: hasLimits(hinge)});
  }
  return parents;
}

function jointOf(body, hinge) {
  if (!hinge) return element('freejoint', {});
  const limits = hinge.limited ? {limited: true, range: hinge.range} : {};
  return element('joint', {type: 'hinge', pos: hinge.point, axis: hinge.axis, ...limits});
}

function bodyText(scene, tree, index) {
  const body = scene.bodies[index];
  const hinge = tree.get(index);
  const parent = hinge ? scene.bodies[hinge.parent] : {position: [0, 0, 0], orientation: [1, 0, 0, 0]};
  const back = conjugate(parent.orientation);
  const pos = rotate(back, subtract(body.position, parent.position));
  const quat = multiply(back, body.orientation);
  const motion = body.fixed ? [] : [
    jointOf(body, hinge),
    element('inertial', {pos: [0, 0, 0], mass: body.mass, diaginertia: body.inertia}),
  ];
  const geoms = body.shapes.map((shape, i) => geomOf(shape, `g${index}-${i}`));
  const children = [...tree].filter(([, {parent: p}]) => p === index).map(([i]) => bodyText(scene, tree, i));
  return element('body', {name: `b${index}`, pos, quat}, [...motion, ...geoms, ...children]);
}

function modelText(scene, tree, step) {
  const roots = [...scene.bodies.keys()].filter((i) => !tree.has(i));
  const settings = {timestep: step, gravity: scene.gravity};
  const geoms = {condim: 3, friction: [scene.mu, 0, 0]};
  if (scene.best) {
    Object.assign(
      settings, {integrator: 'RK4', cone: 'elliptic', impratio: 10, iterations: 200, tolerance: 1e-12});
    Object.assign(geoms, {contype: 0, conaffinity: 0});
  }
  return element('mujoco', {}, [
    element('compiler', {angle: 'radian'}),
    element('option', settings),
    element('default', {}, [element('geom', geoms)]),
    element('worldbody', {}, roots.map((i) => bodyText(scene, tree, i))),
    element('contact', {}, contactsOf(scene, step)),
  ]);
}

// Velocities of joints, in the order in which the tree is written.
function setVelocities(scene, tree, data) {
  const velocities = [];
  const visit = (index) => {
    const body = scene.bodies[index];
    const hinge = tree.get(index);
    if (hinge) {
      const relative = subtract(body.spin, scene.bodies[hinge.parent].spin);
      velocities.push(relative.reduce((sum, x, i) => sum + x * hinge.worldAxis[i], 0));
    } else if (!body.fixed) {
      velocities.push(...body.velocity, ...rotate(conjugate(body.orientation), body.spin));
    }
    for (const [i, {parent}] of tree)
      if (parent === index) visit(i);
  };
  scene.bodies.forEach((_, i) => {
    if (!tree.has(i)) visit(i);
  });
  velocities.forEach((v, i) => {
    data.qvel[i] = v;
  });
}

// Positions and velocities of bodies from those of joints, after a step.
function refresh(model, data) {
  M.mj_kinematics(model, data);
  M.mj_comPos(model, data);
  M.mj_comVel(model, data);
}

// Topics that the manual excludes.
function unpromisedOf(scene) {
  const always = {
    rest: 'manual, Modeling, Preventing slip, Slow slippage: a property of the contact model by design',
    ...(startsOverlapping(scene) && {
      energy: 'manual, Overview, Divergence: where bodies start in penetration, large repulsive forces could ' +
        'push them away',
    }),
  };
  if (scene.best) return always;
  return {
    ...always,
    ...topics(
      ['restitution', 'slow-restitution'],
      'manual, Modeling, Restitution: contacts rebound with solref (-stiffness, -damping), unlike the default'),
    ...(scene.hinges.length > 0 && {
      joints:
        'manual, Overview, Softness and slip: the model of contact and other constraints is inherently soft',
    }),
    ...(scene.dimension === 3 && {
      friction:
        'manual, Modeling, Solver settings: elliptic cones correspond more closely to physical reality than ' +
        'the default, pyramids',
    }),
  };
}

function build(scene) {
  const n = substeps(scene, 0.002);
  const tree = treeOf(scene);
  const model = M.MjModel.from_xml_string(modelText(scene, tree, scene.step / n));
  const data = new M.MjData(model);
  const ids = scene.bodies.map((_, i) => M.mj_name2id(model, M.mjtObj.mjOBJ_BODY.value, `b${i}`));
  const velocity = new M.DoubleBuffer(6); // of rotation, then of translation
  setVelocities(scene, tree, data);
  refresh(model, data);
  return {
    settings: [
      scene.best ? `${n} steps per row; RK4; elliptic cones; impratio 10; at most 200 iterations` :
                   `${n} steps per row; Euler`,
      scene.best ? `contacts last ${STEPS_PER_CONTACT} steps, damped for E` : 'solref 0.02 1; E is ignored',
    ],
    unpromised: unpromisedOf(scene),
    steps: n,
    step: () => M.mj_step(model, data),
    finish: () => refresh(model, data),
    state(i) {
      const id = ids[i];
      M.mj_objectVelocity(model, data, M.mjtObj.mjOBJ_BODY.value, id, velocity, 0);
      const v = velocity.GetView();
      return [
        ...data.xpos.subarray(3 * id, 3 * id + 3),
        ...data.xquat.subarray(4 * id, 4 * id + 4),
        ...v.subarray(3, 6),
        ...v.subarray(0, 3),
      ];
    },
    free() {
      velocity.delete();
      data.delete();
      model.delete();
    },
  };
}

await serve({name: 'mujoco3', package: '@mujoco/mujoco', planar: false, build});
