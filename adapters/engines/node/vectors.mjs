// SPDX-License-Identifier: MIT
//
// Vectors are arrays [x, y, z]; quaternions are arrays [w, x, y, z], from the frame of a body to
// that of the ground.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const cross =
  (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];

export function multiply([w, x, y, z], [k, p, q, r]) {
  return [
    w * k - x * p - y * q - z * r,
    w * p + x * k + y * r - z * q,
    w * q - x * r + y * k + z * p,
    w * r + x * q - y * p + z * k,
  ];
}

/** The vector v, given in the frame of a body with orientation q, in the frame of the ground. */
export function rotate(q, v) {
  const u = [q[1], q[2], q[3]];
  const t = scale(cross(u, v), 2);
  return add(add(v, scale(t, q[0])), cross(u, t));
}

/** The quaternion that turns the x axis into the unit vector `axis`. */
export function fromXAxisTo(axis) {
  const [x, y, z] = axis;
  if (x < -0.999999) return [0, 0, 1, 0];
  const w = Math.sqrt((1 + x) / 2);
  return [w, 0, -z / (2 * w), y / (2 * w)];
}

/** A unit vector across a unit vector. */
export function across(axis) {
  const other = cross(axis, Math.abs(axis[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]);
  return scale(other, 1 / Math.hypot(...other));
}

/** Angle about z of an orientation that is a turn about z. */
export const angleOf = (q) => 2 * Math.atan2(q[3], q[0]);

/** The 13 numbers of a row for a motion in the plane. */
export function planarState(x, y, angle, vx, vy, spin) {
  return [x, y, 0, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2), vx, vy, 0, 0, 0, spin];
}

/** The box that stands for a plane, and what its setting says: m. */
export const groundOf = (halfWidth) =>
  ({halfWidth, depth: 10, is: `the ground is a box ${2 * halfWidth} m wide`});

/** Coefficients of two equal bodies which an engine that multiplies them combines to `value`. */
export const factor = (value) => Math.sqrt(value);

/** Whether a hinge has limits: no turn is free of them. */
export const hasLimits = (hinge) => hinge.upper - hinge.lower < 2 * Math.PI;

/** The limits of a hinge of planar bodies, about +z. */
export function planarLimits(hinge) {
  return hinge.axis[2] > 0 ? [hinge.lower, hinge.upper] : [-hinge.upper, -hinge.lower];
}
