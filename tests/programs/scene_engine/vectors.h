/* SPDX-License-Identifier: MIT */
/** Vectors, matrices and rotations of three dimensions. */
#pragma once

#include <math.h>

typedef struct vector {
    double x, y, z;
} vector;

/** A rotation, from the frame of a body to that of the ground. */
typedef struct quaternion {
    double w, x, y, z;
} quaternion;

typedef struct matrix {
    vector rows[3];
} matrix;

static inline vector sum(vector a, vector b)
{
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vector difference(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vector scaled(double s, vector a)
{
    return (vector){s * a.x, s * a.y, s * a.z};
}

static inline vector product(vector a, vector b) /* of components */
{
    return (vector){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double length(vector a)
{
    return sqrt(dot(a, a));
}

static inline double component(vector a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

static inline vector axis(int k)
{
    return (vector){k == 0, k == 1, k == 2};
}

static inline vector times(const matrix *m, vector a)
{
    return (vector){dot(m->rows[0], a), dot(m->rows[1], a), dot(m->rows[2], a)};
}

/** One rotation after another: first q, then p. */
static inline quaternion after(quaternion p, quaternion q)
{
    return (quaternion){
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

static inline quaternion inverse(quaternion q)
{
    return (quaternion){q.w, -q.x, -q.y, -q.z};
}

/** v = u + 2 w (p x u) + 2 p x (p x u), q = (w, p) */
static inline vector rotated(quaternion q, vector u)
{
    const vector p = {q.x, q.y, q.z}, c = cross(p, u);
    return sum(u, sum(scaled(2 * q.w, c), scaled(2, cross(p, c))));
}

/** The rotation about a vector by its length. */
static inline quaternion turn(vector angle)
{
    const double size = length(angle), s = size > 0 ? sin(size / 2) / size : 0.5;
    return (quaternion){cos(size / 2), s * angle.x, s * angle.y, s * angle.z};
}

static inline quaternion unit(quaternion q)
{
    const double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (quaternion){q.w / size, q.x / size, q.y / size, q.z / size};
}
