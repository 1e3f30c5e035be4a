/* SPDX-License-Identifier: MIT */
/*
 * Contacts of two boxes: the face through which the overlap is least, and the opposite face of the
 * other box, cut off at the borders of the first one. Edges that cross without a face are not seen.
 */
#include "tests/programs/scene_engine/engine.h"

enum { MOST_CORNERS = 12 };

/* Another face must be better by this part of the width, so that rounding does not choose. */
#define BETTER 1e-6

typedef struct placed_box {
    vector at, axes[3], size;
} placed_box;

static placed_box place(const body *b, const shape *s)
{
    placed_box p = {.at = sum(b->at, rotated(b->turned, s->at)), .size = s->size};
    for (int k = 0; k < 3; k++) p.axes[k] = rotated(b->turned, axis(k));
    return p;
}

/* half the length of the box's shadow on a direction */
static double shadow(const placed_box *p, vector along)
{
    return fabs(dot(p->axes[0], along)) * p->size.x + fabs(dot(p->axes[1], along)) * p->size.y +
           fabs(dot(p->axes[2], along)) * p->size.z;
}

/* The part of a polygon where along.x <= most; its number of corners. */
static size_t cut(vector *corners, size_t n, vector along, double most)
{
    vector kept[MOST_CORNERS];
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        const vector p = corners[i], q = corners[(i + 1) % n];
        const double a = dot(along, p) - most, b = dot(along, q) - most;
        if (a <= 0 && m < MOST_CORNERS) kept[m++] = p;
        if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
            if (m < MOST_CORNERS) kept[m++] = sum(p, scaled(a / (a - b), difference(q, p)));
        }
    }
    for (size_t i = 0; i < m; i++) corners[i] = kept[i];
    return m;
}

/* The corners of the face that looks most against a direction. */
static void opposite_face(vector corners[4], const placed_box *p, vector direction)
{
    static const int signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    int k = 0;
    for (int i = 1; i < 3; i++) {
        if (fabs(dot(p->axes[i], direction)) > fabs(dot(p->axes[k], direction))) k = i;
    }
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double side = dot(p->axes[k], direction) > 0 ? -1 : 1;
    const vector middle = sum(p->at, scaled(side * component(p->size, k), p->axes[k]));
    for (int c = 0; c < 4; c++) {
        corners[c] = sum(middle, sum(scaled(signs[c][0] * component(p->size, i), p->axes[i]),
                                     scaled(signs[c][1] * component(p->size, j), p->axes[j])));
    }
}

void find_contacts_of_boxes(world *w, const size_t bodies[2], const shape *shapes[2])
{
    const placed_box p[] = {place(&w->bodies[bodies[0]], shapes[0]), place(&w->bodies[bodies[1]], shapes[1])};
    const vector d = difference(p[1].at, p[0].at);
    double least = INFINITY;
    int owner = 0, face = 0;
    for (int k = 0; k < 6; k++) {
        const vector along = p[k / 3].axes[k % 3];
        const double overlap = shadow(&p[0], along) + shadow(&p[1], along) - fabs(dot(along, d));
        if (overlap < -contact_margin(w, bodies)) return;
        if (overlap >= least - BETTER * w->bodies[bodies[0]].width) continue;
        least = overlap;
        owner = k / 3;
        face = k % 3;
    }
    const placed_box *own = &p[owner], *other = &p[1 - owner];
    const vector out =
        scaled(dot(own->axes[face], difference(other->at, own->at)) < 0 ? -1 : 1, own->axes[face]);
    const vector normal = owner == 0 ? out : scaled(-1, out);
    vector corners[MOST_CORNERS];
    size_t n = 4;
    opposite_face(corners, other, out);
    for (int k = 1; k < 3; k++) {
        const int side = (face + k) % 3;
        const vector along = own->axes[side];
        const double middle = dot(along, own->at), half = component(own->size, side);
        n = cut(corners, n, along, middle + half);
        n = cut(corners, n, scaled(-1, along), half - middle);
    }
    const double surface = dot(out, own->at) + component(own->size, face);
    for (size_t i = 0; i < n; i++) add_contact(w, bodies, corners[i], normal, surface - dot(out, corners[i]));
}
