/* SPDX-License-Identifier: MIT */
/* Where bodies touch each other. */
#include "tests/programs/scene_engine/engine.h"

/* A gap up to this part of the smaller width counts as contact: rounding does not open it. */
#define MARGIN 1e-5
/* Contacts of two steps are the same if they are closer than this part of the smaller width. */
#define SAME_PLACE 0.02
/* the planted mistake */
#define RADIUS_FACTOR 1.02

static double least_width(const world *w, const size_t bodies[2])
{
    return fmin(w->bodies[bodies[0]].width, w->bodies[bodies[1]].width);
}

double contact_margin(const world *w, const size_t bodies[2])
{
    return MARGIN * least_width(w, bodies);
}

/* The impulses of the same contact in the last step are a good guess. */
static void keep_impulses(const world *w, contact *c)
{
    double nearest = SAME_PLACE * least_width(w, c->bodies);
    for (size_t i = 0; i < w->n_contacts_before; i++) {
        const contact *old = &w->contacts_before[i];
        if (old->bodies[0] != c->bodies[0] || old->bodies[1] != c->bodies[1] || old->bounced) continue;
        const double distance = length(difference(old->at, c->at));
        if (distance >= nearest) continue;
        nearest = distance;
        for (int k = 0; k < 3; k++) c->impulse[k] = old->impulse[k];
    }
}

/* Where borders of two faces coincide, corners are found twice. */
static bool is_there(const world *w, const size_t bodies[2], vector at)
{
    bool there = false;
    for (size_t i = w->n_contacts; i-- > 0 && !there;) {
        const contact *c = &w->contacts[i];
        if (c->bodies[0] != bodies[0] || c->bodies[1] != bodies[1]) break;
        there = length(difference(c->at, at)) < SAME_PLACE * least_width(w, bodies);
    }
    return there;
}

/* The normal points from the first body to the second. */
void add_contact(world *w, const size_t bodies[2], vector at, vector normal, double overlap)
{
    if (w->n_contacts == MOST_CONTACTS || overlap < -contact_margin(w, bodies) || is_there(w, bodies, at))
        return;
    contact *c = &w->contacts[w->n_contacts++];
    *c = (contact){.bodies = {bodies[0], bodies[1]}, .at = at, .normal = normal, .overlap = overlap};
    keep_impulses(w, c);
    for (int k = 0; k < 2; k++) w->bodies[bodies[k]].touches = true;
}

static vector centre(const body *b, const shape *s)
{
    return sum(b->at, rotated(b->turned, s->at));
}

static double radius_of(const world *w, const shape *s)
{
    return w->planted == MISTAKE_MARGIN ? RADIUS_FACTOR * s->size.x : s->size.x;
}

static void find_spheres(world *w, const size_t bodies[2], const shape *shapes[2])
{
    const vector a = centre(&w->bodies[bodies[0]], shapes[0]), b = centre(&w->bodies[bodies[1]], shapes[1]);
    const vector d = difference(b, a);
    const double r[] = {radius_of(w, shapes[0]), radius_of(w, shapes[1])}, distance = length(d);
    const vector normal = distance > 0 ? scaled(1 / distance, d) : (vector){0, 1, 0};
    const double overlap = r[0] + r[1] - distance;
    add_contact(w, bodies, sum(a, scaled(r[0] - overlap / 2, normal)), normal, overlap);
}

/* A plane or a box first, then a sphere. */
static void find_sphere_on_plane(world *w, const size_t bodies[2], const shape *shapes[2])
{
    const body *a = &w->bodies[bodies[0]];
    const vector c = centre(&w->bodies[bodies[1]], shapes[1]), normal = rotated(a->turned, axis(1));
    const double r = radius_of(w, shapes[1]), height = dot(normal, difference(c, a->at));
    add_contact(w, bodies, difference(c, scaled((r + height) / 2, normal)), normal, r - height);
}

static void find_sphere_on_box(world *w, const size_t bodies[2], const shape *shapes[2])
{
    const body *a = &w->bodies[bodies[0]];
    const vector c = centre(&w->bodies[bodies[1]], shapes[1]), size = shapes[0]->size;
    const vector own = rotated(inverse(a->turned), difference(c, centre(a, shapes[0])));
    const vector nearest = {fmax(-size.x, fmin(size.x, own.x)), fmax(-size.y, fmin(size.y, own.y)),
                            fmax(-size.z, fmin(size.z, own.z))};
    const vector out = difference(own, nearest);
    double distance = length(out);
    vector normal = distance > 0 ? scaled(1 / distance, out) : axis(0);
    if (!(distance > 0)) { /* the centre is inside: through the nearest face */
        double least = INFINITY;
        for (int k = 0; k < 3; k++) {
            const double depth = component(size, k) - fabs(component(own, k));
            if (depth >= least) continue;
            least = depth;
            normal = scaled(component(own, k) < 0 ? -1 : 1, axis(k));
        }
        distance = -least;
    }
    normal = rotated(a->turned, normal);
    const double r = radius_of(w, shapes[1]);
    add_contact(w, bodies, difference(c, scaled((r + distance) / 2, normal)), normal, r - distance);
}

static void find_box_on_plane(world *w, const size_t bodies[2], const shape *shapes[2])
{
    const body *a = &w->bodies[bodies[0]], *b = &w->bodies[bodies[1]];
    const vector normal = rotated(a->turned, axis(1));
    for (int corner = 0; corner < 8; corner++) {
        const vector sign = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
        const vector own = sum(shapes[1]->at, product(sign, shapes[1]->size));
        const vector at = sum(b->at, rotated(b->turned, own));
        add_contact(w, bodies, at, normal, -dot(normal, difference(at, a->at)));
    }
}

static void find_of_shapes(world *w, size_t i, const shape *s, size_t j, const shape *t)
{
    /* planes before boxes before spheres */
    const bool ordered = s->kind >= t->kind;
    const size_t bodies[] = {ordered ? i : j, ordered ? j : i};
    const shape *shapes[] = {ordered ? s : t, ordered ? t : s};
    const shape_kind first = shapes[0]->kind, second = shapes[1]->kind;
    if (first == SPHERE) find_spheres(w, bodies, shapes);
    else if (first == BOX && second == SPHERE) find_sphere_on_box(w, bodies, shapes);
    else if (first == BOX) find_contacts_of_boxes(w, bodies, shapes);
    else if (second == SPHERE) find_sphere_on_plane(w, bodies, shapes);
    else if (second == BOX) find_box_on_plane(w, bodies, shapes);
}

static bool may_touch(const world *w, size_t i, size_t j)
{
    bool may = !(w->bodies[i].fixed && w->bodies[j].fixed);
    for (size_t k = 0; k < w->n_hinges; k++) {
        const size_t *of = w->hinges[k].bodies;
        may &= !((of[0] == i && of[1] == j) || (of[0] == j && of[1] == i));
    }
    return may;
}

void find_contacts(world *w)
{
    w->n_contacts_before = w->n_contacts;
    for (size_t i = 0; i < w->n_contacts; i++) w->contacts_before[i] = w->contacts[i];
    w->n_contacts = 0;
    for (size_t i = 0; i < w->n_bodies; i++) w->bodies[i].touches = false;
    for (size_t i = 0; i < w->n_bodies; i++) {
        const body *a = &w->bodies[i];
        for (size_t j = i + 1; j < w->n_bodies; j++) {
            const body *b = &w->bodies[j];
            if (!may_touch(w, i, j)) continue;
            for (size_t k = 0; k < a->n_shapes; k++) {
                for (size_t l = 0; l < b->n_shapes; l++) find_of_shapes(w, i, &a->shapes[k], j, &b->shapes[l]);
            }
        }
    }
    for (size_t i = 0; i < w->n_hinges; i++) {
        for (int k = 0; k < 2; k++) w->bodies[w->hinges[i].bodies[k]].touches = true;
    }
}
