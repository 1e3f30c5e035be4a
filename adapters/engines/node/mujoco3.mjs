// SPDX-License-Identifier: MIT
//
// MuJoCo 3, by its official bindings. Contact is a spring and a damper in the space of accelerations.
// default: its own settings and steps of 2 ms; E is ignored. best: 16 steps per row, RK4, elliptic cones,
// and a contact that lasts 10 steps with the damper for which the restitution is E.
import { serve, substeps, Unsupported } from './protocol.mjs';
import { conjugate, hasLimits, multiply, rotate, subtract } from './vectors.mjs';
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
    if (restitution(z) > e) low = z;
    else high = z;
  }
  return low;
}

function geomOf(shape, name) {
  const common = `<geom name="${name}" condim="3"`;
  if (shape.type === 'sphere') return `${common} type="sphere" size="${shape.radius}" pos="${shape.centre.join(' ')}"/>`;
  if (shape.type === 'box') return `${common} type="box" size="${shape.half.join(' ')}" pos="${shape.centre.join(' ')}"/>`;
  return `${common} type="plane" size="0 0 1" quat="${Z_TO_Y.join(' ')}"/>`;
}

// Names of the geoms of two bodies that may touch.
function pairsOf(scene) {
  const pairs = [];
  const hinged = (i, j) => scene.hinges.some(({ a, b }) => (a === i && b === j) || (a === j && b === i));
  for (let i = 0; i < scene.bodies.length; i++) {
    for (let j = 0; j < i; j++) {
      if (hinged(i, j) || (scene.bodies[i].fixed && scene.bodies[j].fixed)) continue;
      scene.bodies[i].shapes.forEach((_, p) => scene.bodies[j].shapes.forEach((__, q) => pairs.push([`g${i}-${p}`, `g${j}-${q}`])));
    }
  }
  return pairs;
}

// Only explicit pairs have a separate damper for friction, here one that ends slip in some 4 steps; that
// of the normal direction would be too weak for it.
function contactsOf(scene, step) {
  if (!scene.best) return scene.hinges.map(({ a, b }) => `<exclude body1="b${a}" body2="b${b}"/>`).join('');
  const omega = Math.PI / (STEPS_PER_CONTACT * step);
  const law = `condim="3" friction="${scene.mu} ${scene.mu} 0 0 0" solref="${-omega * omega} ${-2 * dampingRatio(scene.e) * omega}" ` +
    `solreffriction="0 ${-0.25 / step}" solimp="${IMPEDANCE} ${IMPEDANCE} 0.001 0.5 1"`;
  return pairsOf(scene).map(([a, b]) => `<pair geom1="${a}" geom2="${b}" ${law}/>`).join('');
}

// The hinges as a tree: `parents` has for each body that hangs on another one its hinge; a hinge is
// turned round if its second body is fixed or hangs on another already.
function treeOf(scene) {
  const parents = new Map();
  for (const hinge of scene.hinges) {
    const turned = scene.bodies[hinge.b].fixed || parents.has(hinge.b);
    const [parent, child] = turned ? [hinge.b, hinge.a] : [hinge.a, hinge.b];
    if (scene.bodies[child].fixed || parents.has(child)) throw new Unsupported('hinges that are no tree');
    parents.set(child, { parent, point: turned ? hinge.inA.point : hinge.inB.point, axis: turned ? hinge.inA.axis : hinge.inB.axis,
      worldAxis: hinge.axis, range: turned ? [-hinge.upper, -hinge.lower] : [hinge.lower, hinge.upper], limited: hasLimits(hinge) });
  }
  return parents;
}

function jointOf(body, hinge) {
  if (body.fixed) return '';
  if (!hinge) return '<freejoint/>';
  const limits = hinge.limited ? `limited="true" range="${hinge.range.join(' ')}"` : '';
  return `<joint type="hinge" pos="${hinge.point.join(' ')}" axis="${hinge.axis.join(' ')}" ${limits}/>`;
}

function bodyText(scene, tree, index) {
  const body = scene.bodies[index];
  const hinge = tree.get(index);
  const parent = hinge ? scene.bodies[hinge.parent] : { position: [0, 0, 0], orientation: [1, 0, 0, 0] };
  const back = conjugate(parent.orientation);
  const at = rotate(back, subtract(body.position, parent.position));
  const inertia = body.fixed ? '' : `<inertial pos="0 0 0" mass="${body.mass}" diaginertia="${body.inertia.join(' ')}"/>`;
  const children = [...tree].filter(([, { parent: p }]) => p === index).map(([i]) => bodyText(scene, tree, i));
  return `<body name="b${index}" pos="${at.join(' ')}" quat="${multiply(back, body.orientation).join(' ')}">` +
    `${jointOf(body, hinge)}${inertia}${body.shapes.map((shape, i) => geomOf(shape, `g${index}-${i}`)).join('')}${children.join('')}</body>`;
}

function modelText(scene, tree, step) {
  const roots = scene.bodies.map((_, i) => i).filter((i) => !tree.has(i));
  const option = scene.best ? 'integrator="RK4" cone="elliptic" impratio="10" iterations="200" tolerance="0"' : '';
  return `<mujoco><compiler angle="radian"/><option timestep="${step}" gravity="${scene.gravity.join(' ')}" ${option}/>` +
    `<default><geom friction="${scene.mu} 0 0" ${scene.best ? 'contype="0" conaffinity="0"' : ''}/></default>` +
    `<worldbody>${roots.map((i) => bodyText(scene, tree, i)).join('')}</worldbody>` +
    `<contact>${contactsOf(scene, step)}</contact></mujoco>`;
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
    for (const [i, { parent }] of tree) if (parent === index) visit(i);
  };
  scene.bodies.forEach((_, i) => { if (!tree.has(i)) visit(i); });
  velocities.forEach((v, i) => { data.qvel[i] = v; });
}

// Positions and velocities of bodies from those of joints, after a step.
function refresh(model, data) {
  M.mj_kinematics(model, data);
  M.mj_comPos(model, data);
  M.mj_comVel(model, data);
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
      `${n} steps per row; ` + (scene.best
        ? `RK4; elliptic cones; impratio 10; 200 iterations; contacts last ${STEPS_PER_CONTACT} steps, with the damper for E`
        : 'Euler; solref 0.02 1; E is ignored'),
    ],
    unpromised: {
      restitution: 'Modeling, Solver parameters: contacts are springs and dampers (solref), which have no coefficient of restitution',
      rest: 'Modeling, Preventing slip: constraints are soft, and friction lets bodies creep',
    },
    advance() {
      for (let i = 0; i < n; i++) M.mj_step(model, data);
      refresh(model, data);
    },
    state(i) {
      const id = ids[i];
      M.mj_objectVelocity(model, data, M.mjtObj.mjOBJ_BODY.value, id, velocity, 0);
      const v = velocity.GetView();
      return [
        ...data.xpos.subarray(3 * id, 3 * id + 3), ...data.xquat.subarray(4 * id, 4 * id + 4),
        v[3], v[4], v[5], v[0], v[1], v[2],
      ];
    },
    free() {
      velocity.delete();
      data.delete();
      model.delete();
    },
  };
}

await serve({ name: 'mujoco3', package: '@mujoco/mujoco', planar: false, build });
