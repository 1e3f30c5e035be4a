/* SPDX-License-Identifier: MIT */
#include "adapters/engines/scene.h"

#include <string.h>

static bool is_placed(const size_t *order, size_t n, size_t body)
{
    for (size_t i = 0; i < n; i++)
        if (order[i] == body) return true;
    return false;
}

/* The angle of body a relative to b about the same axis is the opposite of that of b relative to a. */
static scene_link link_of(const scene_hinge *h, size_t parent)
{
    const bool along = parent == h->a;
    scene_link link = {.hinged = true,
                       .parent = parent,
                       .lower = along ? h->lower : -h->upper,
                       .upper = along ? h->upper : -h->lower};
    memcpy(link.point, h->point, sizeof link.point);
    memcpy(link.axis, h->axis, sizeof link.axis);
    return link;
}

/* Places the bodies that hinges connect to those already placed. */
static size_t follow_hinges(scene_link *links, size_t *order, size_t n, const scene *s)
{
    for (size_t i = 0; i < s->n_hinges;) {
        const scene_hinge *h = &s->hinges[i++];
        const bool has_a = is_placed(order, n, h->a), has_b = is_placed(order, n, h->b);
        if (has_a == has_b) continue;
        const size_t child = has_a ? h->b : h->a;
        links[child] = link_of(h, has_a ? h->a : h->b);
        order[n++] = child;
        i = 0; /* an earlier hinge may continue from here */
    }
    return n;
}

bool scene_tree(scene_link *links, size_t *order, const scene *s)
{
    size_t n = 0, linked = 0;
    for (size_t i = 0; i < s->n_bodies; i++) {
        links[i] = (scene_link){.hinged = false};
        if (s->bodies[i].fixed) order[n++] = i;
    }
    n = follow_hinges(links, order, n, s);
    for (size_t i = 0; i < s->n_bodies; i++) {
        if (is_placed(order, n, i)) continue;
        order[n++] = i;
        n = follow_hinges(links, order, n, s);
    }
    for (size_t i = 0; i < s->n_bodies; i++) linked += links[i].hinged;
    return linked == s->n_hinges;
}

double scene_link_rate(const scene *s, const scene_link *links, size_t body)
{
    const scene_link *link = &links[body];
    double rate = 0;
    for (int i = 0; i < 3; i++)
        rate += link->axis[i] * (s->bodies[body].spin[i] - s->bodies[link->parent].spin[i]);
    return rate;
}
