/* SPDX-License-Identifier: MIT */
/*
 * Impulses of contacts and hinges, one after the other until none changes.
 *
 * An impact has two parts, as Poisson says: in compression the normal impulses stop the approach; in
 * restitution each contact gets e times its impulse of compression at least. Friction lies in Coulomb's
 * cone in each part. For central impacts that is Newton's v' = -e v; for others it makes no energy.
 */
#include "tests/programs/scene_engine/engine.h"

enum { MOST_ITERATIONS = 200 };
/* The iteration ends when impulses change velocities by less than this part of the present speeds. */
#define CONVERGED 1e-6
/* Overlaps are removed down to this part of the width, by this part in a step. */
#define SLOP 1e-5
#define REMOVED 0.2
enum { OVERLAP_ITERATIONS = 10 };

/* the planted mistakes */
#define THRESHOLD 0.7     /* m/s */
#define LOST_SPEED 0.1635 /* m/s; 9.81 m/s^2 in 1/60 s */
#define FACTOR 0.8
#define TANGENTIAL 0.5
#define BAUMGARTE 0.2

/* ---- rows */

static double inverse_mass(const world *w, const size_t bodies[2], int k)
{
    const body *a = &w->bodies[bodies[0]], *b = &w->bodies[bodies[k]];
    const bool lost = w->planted == MISTAKE_MOMENTUM_LOST && !a->fixed && !b->fixed;
    return lost ? a->inverse_mass : b->inverse_mass;
}

static void make_row(row *r, const world *w, const size_t bodies[2], vector along, const vector arm[2])
{
    r->along = along;
    double sum_of_inverse = 0;
    for (int k = 0; k < 2; k++) {
        const body *b = &w->bodies[bodies[k]];
        r->arm[k] = arm[k];
        r->turn[k] = times(&b->inverse_inertia_now, arm[k]);
        sum_of_inverse += inverse_mass(w, bodies, k) * dot(along, along) + dot(r->turn[k], arm[k]);
    }
    r->mass = 1 / sum_of_inverse;
}

static double velocity(const world *w, const size_t bodies[2], const row *r)
{
    const body *a = &w->bodies[bodies[0]], *b = &w->bodies[bodies[1]];
    return dot(r->along, difference(b->velocity, a->velocity)) + dot(r->arm[1], b->spin) -
           dot(r->arm[0], a->spin);
}

static void push(world *w, const size_t bodies[2], const row *r, double impulse, bool turns)
{
    for (int k = 0; k < 2; k++) {
        body *b = &w->bodies[bodies[k]];
        const double signed_impulse = k == 0 ? -impulse : impulse;
        b->velocity = sum(b->velocity, scaled(signed_impulse * inverse_mass(w, bodies, k), r->along));
        if (turns) b->spin = sum(b->spin, scaled(signed_impulse, r->turn[k]));
    }
}

static double shifted(const world *w, const size_t bodies[2], const row *r)
{
    const body *a = &w->bodies[bodies[0]], *b = &w->bodies[bodies[1]];
    return dot(r->along, difference(b->shift, a->shift)) + dot(r->arm[1], b->shift_angle) -
           dot(r->arm[0], a->shift_angle);
}

static void shift(world *w, const size_t bodies[2], const row *r, double by)
{
    for (int k = 0; k < 2; k++) {
        body *b = &w->bodies[bodies[k]];
        const double signed_by = k == 0 ? -by : by;
        b->shift = sum(b->shift, scaled(signed_by * b->inverse_mass, r->along));
        b->shift_angle = sum(b->shift_angle, scaled(signed_by, r->turn[k]));
    }
}

/* ---- contacts */

/* 1 over the greater principal value of the tangential 2 x 2 matrix. */
static double mass_of_friction(const contact *c)
{
    double coupling = 0;
    for (int k = 0; k < 2; k++) coupling += dot(c->rows[1].turn[k], c->rows[2].arm[k]);
    const double a = 1 / c->rows[1].mass, b = 1 / c->rows[2].mass;
    return 2 / (a + b + sqrt((a - b) * (a - b) + 4 * coupling * coupling));
}

static void prepare_contact(contact *c, const world *w)
{
    /* the first tangent is x as far as possible */
    vector tangent = difference(axis(0), scaled(c->normal.x, c->normal));
    if (length(tangent) < 0.1) tangent = difference(axis(1), scaled(c->normal.y, c->normal));
    tangent = scaled(1 / length(tangent), tangent);
    const vector directions[] = {c->normal, tangent, cross(tangent, c->normal)};
    for (int i = 0; i < 3; i++) {
        vector arm[2];
        for (int k = 0; k < 2; k++)
            arm[k] = cross(difference(c->at, w->bodies[c->bodies[k]].at), directions[i]);
        make_row(&c->rows[i], w, c->bodies, directions[i], arm);
        c->before[i] = velocity(w, c->bodies, &c->rows[i]);
    }
    c->friction_mass = mass_of_friction(c);
}

static double friction_of(const world *w)
{
    const double mu = w->friction;
    switch (w->planted) {
    case MISTAKE_FRICTION_FACTOR: return FACTOR * mu;
    case MISTAKE_FRICTION_SQUARED: return mu * mu;
    case MISTAKE_FRICTION_ROOT: return sqrt(mu);
    case MISTAKE_FRICTIONLESS: return 0;
    case MISTAKE_FRICTION_FORCE_AS_IMPULSE: return mu / w->step;
    case MISTAKE_OUTSIDE_CONE: return mu * (0.2 + 1.7 * w->restitution);
    case MISTAKE_PYRAMID_INSIDE: return mu / sqrt(2);
    default: return mu;
    }
}

/* Coulomb's disc. */
static void bound_friction(double friction[2], double most, mistake planted)
{
    const double size = hypot(friction[0], friction[1]);
    for (int i = 0; i < 2; i++) {
        if (planted == MISTAKE_PYRAMID || planted == MISTAKE_PYRAMID_INSIDE)
            friction[i] = fmax(-most, fmin(most, friction[i]));
        else if (size > most) friction[i] *= most / size;
    }
}

/* The greatest change of a velocity. */
static double solve_contact(world *w, contact *c, double mu)
{
    const double approach = velocity(w, c->bodies, &c->rows[0]);
    double aim = 0;
    if (w->planted == MISTAKE_OVERLAP_GIVES_VELOCITY && c->overlap > 0) aim = BAUMGARTE * c->overlap / w->step;
    if (w->planted == MISTAKE_NEWTON) aim = c->bounce_speed;
    const double normal = fmax(c->least, c->impulse[0] - c->rows[0].mass * (approach - aim));
    double changed = fabs(normal - c->impulse[0]) / c->rows[0].mass;
    push(w, c->bodies, &c->rows[0], normal - c->impulse[0], true);
    c->impulse[0] = normal;
    if (mu <= 0) return changed;
    double friction[2];
    for (int i = 0; i < 2; i++) {
        double slip = velocity(w, c->bodies, &c->rows[i + 1]);
        if (w->planted == MISTAKE_TANGENTIAL_RESTITUTION && c->before[0] < 0)
            slip += TANGENTIAL * c->before[i + 1];
        friction[i] = c->impulse[i + 1] - c->base[i + 1] - c->friction_mass * slip;
    }
    bound_friction(friction, mu * (normal - c->base[0]), w->planted);
    for (int i = 0; i < 2; i++) {
        const double now = c->base[i + 1] + friction[i], change = now - c->impulse[i + 1];
        push(w, c->bodies, &c->rows[i + 1], change, w->planted != MISTAKE_NO_LEVER);
        c->impulse[i + 1] = now;
        changed = fmax(changed, fabs(change) / c->rows[i + 1].mass);
    }
    return changed;
}

/* ---- hinges */

static void prepare_hinge(world *w, hinge *h)
{
    const body *a = &w->bodies[h->bodies[0]], *b = &w->bodies[h->bodies[1]];
    const vector arm[] = {rotated(a->turned, h->at[0]), rotated(b->turned, h->at[1])};
    const vector about[] = {rotated(a->turned, h->axis[0]), rotated(b->turned, h->axis[1])};
    const vector apart = difference(sum(b->at, arm[1]), sum(a->at, arm[0]));
    const vector across = cross(about[0], about[1]);
    vector side = cross(about[0], fabs(about[0].x) < 0.5 ? axis(0) : axis(1));
    side = scaled(1 / length(side), side);
    const vector sides[] = {side, cross(about[0], side)}, none = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const vector arms[] = {cross(arm[0], axis(k)), cross(arm[1], axis(k))};
        make_row(&h->rows[k], w, h->bodies, axis(k), arms);
        h->error[k] = component(apart, k);
    }
    for (int k = 0; k < 2; k++) {
        make_row(&h->rows[3 + k], w, h->bodies, none, (const vector[]){sides[k], sides[k]});
        h->error[3 + k] = dot(across, sides[k]);
    }
    make_row(&h->rows[5], w, h->bodies, none, (const vector[]){about[0], about[0]});
    h->at_stop = h->angle >= h->upper ? 1 : h->angle <= h->lower ? -1 : 0;
    if (w->planted == MISTAKE_STOP_PASSED) h->at_stop = 0;
    h->error[5] = h->at_stop > 0 ? h->angle - h->upper : h->angle - h->lower;
    if (h->at_stop == 0) h->impulse[5] = h->error[5] = 0;
    h->before = velocity(w, h->bodies, &h->rows[5]);
}

static double solve_hinge(world *w, hinge *h)
{
    double changed = 0;
    const int n = h->at_stop != 0 ? HINGE_ROWS : HINGE_ROWS - 1;
    for (int k = 0; k < n; k++) {
        double now = h->impulse[k] - h->rows[k].mass * velocity(w, h->bodies, &h->rows[k]);
        /* a stop only pushes back */
        if (k == 5) now = -h->at_stop * fmax(h->least, -h->at_stop * now);
        push(w, h->bodies, &h->rows[k], now - h->impulse[k], true);
        changed = fmax(changed, fabs(now - h->impulse[k]) / h->rows[k].mass);
        h->impulse[k] = now;
    }
    return changed;
}

/* ---- a step */

void prepare_rows(world *w)
{
    for (size_t i = 0; i < w->n_contacts; i++) prepare_contact(&w->contacts[i], w);
    for (size_t i = 0; i < w->n_hinges; i++) prepare_hinge(w, &w->hinges[i]);
}

static double greatest_speed(const world *w)
{
    double speed = 0;
    for (size_t i = 0; i < w->n_bodies; i++)
        speed = fmax(speed, length(w->bodies[i].velocity) + length(w->bodies[i].spin) * w->bodies[i].reach);
    return speed;
}

static void iterate(world *w, double h)
{
    const double mu = friction_of(w), enough = CONVERGED * (greatest_speed(w) + h * length(w->gravity));
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double changed = 0;
        for (size_t k = 0; k < w->n_hinges; k++) changed = fmax(changed, solve_hinge(w, &w->hinges[k]));
        /* up and down a stack in turn */
        for (size_t k = 0; k < w->n_contacts; k++) {
            const size_t next = i % 2 == 0 ? k : w->n_contacts - 1 - k;
            changed = fmax(changed, solve_contact(w, &w->contacts[next], mu));
        }
        if (changed <= enough) break;
    }
}

static double restitution_of(const world *w, const contact *c, double h)
{
    const double e = w->restitution, speed = -c->before[0];
    switch (w->planted) {
    case MISTAKE_THRESHOLD: return speed < THRESHOLD ? 0 : e;
    case MISTAKE_RESTITUTION_SQUARED: return e * e;
    case MISTAKE_RESTITUTION_IGNORED: return 0;
    case MISTAKE_REBOUND_LESS_CONSTANT: return e * fmax(0, 1 - LOST_SPEED / speed);
    case MISTAKE_STAYS_BELOW: return 0;
    case MISTAKE_KNOWS_NAMES: return w->is_known ? e : e * e;
    case MISTAKE_HARD_CODED: return fmin(1, ceil(10 * e - 1e-9) / 10);
    case MISTAKE_RESTITUTION_BY_PHASE: return e * fmax(0, 1 - c->overlap / (speed * h));
    case MISTAKE_FIRST_RESTITUTION_ONLY:
        return w->bodies[c->bodies[0]].impacts + w->bodies[c->bodies[1]].impacts > 0 ? 0 : e;
    default: return e;
    }
}

/*
 * The normal impulse that restitution asks for. Only the part of the approach that was there before
 * the step's forces bounces: a body at rest does not.
 */
static bool begin_restitution(world *w, double h)
{
    bool any = false;
    for (size_t i = 0; i < w->n_contacts; i++) {
        contact *c = &w->contacts[i];
        const size_t *of = c->bodies;
        const double forces =
            (w->bodies[of[0]].fixed - w->bodies[of[1]].fixed) * h * dot(c->normal, w->gravity);
        const double now = -c->before[0] - forces;
        const double share = c->before[0] < 0 && now > 0 ? fmin(1, -c->before[0] / now) : 0;
        const double bounce = share > 0 ? restitution_of(w, c, h) * share * c->impulse[0] : 0;
        for (int k = 0; k < 3; k++) c->base[k] = c->impulse[k];
        c->least = c->impulse[0] + bounce;
        if (w->planted == MISTAKE_NEWTON) {
            c->least = c->base[0] = c->base[1] = c->base[2] = 0;
            c->bounce_speed = bounce > 0 ? w->restitution * -c->before[0] : 0;
        }
        c->bounced = bounce > 0;
        any |= c->bounced;
    }
    for (size_t i = 0; i < w->n_hinges; i++) {
        hinge *j = &w->hinges[i];
        const bool approaches = j->at_stop * j->before > 0;
        const double bounce = approaches ? w->restitution * fabs(j->impulse[5]) : 0;
        j->least = fabs(j->impulse[5]) + bounce;
        any |= bounce > 0;
    }
    return any;
}

/* Bodies get the impulses of the last step first. */
static void begin_compression(world *w)
{
    for (size_t i = 0; i < w->n_contacts; i++) {
        contact *c = &w->contacts[i];
        c->least = 0;
        for (int k = 0; k < 3; k++) {
            c->base[k] = 0;
            push(w, c->bodies, &c->rows[k], c->impulse[k], k == 0 || w->planted != MISTAKE_NO_LEVER);
        }
    }
    for (size_t i = 0; i < w->n_hinges; i++) {
        w->hinges[i].least = 0;
        for (int k = 0; k < HINGE_ROWS; k++)
            push(w, w->hinges[i].bodies, &w->hinges[i].rows[k], w->hinges[i].impulse[k], true);
    }
}

void solve_impulses(world *w, double h)
{
    begin_compression(w);
    iterate(w, h);
    if (!begin_restitution(w, h)) return;
    iterate(w, h);
    for (size_t i = 0; i < w->n_contacts; i++) {
        for (int k = 0; k < 2 && w->contacts[i].bounced; k++) w->bodies[w->contacts[i].bodies[k]].impacts++;
    }
    for (size_t i = 0; i < w->n_hinges; i++) w->hinges[i].impulse[5] = 0;
}

/* Overlaps and gaps of hinges are removed by moving bodies, which changes no velocity. */
void solve_overlaps(world *w)
{
    for (size_t i = 0; i < w->n_bodies; i++) w->bodies[i].shift = w->bodies[i].shift_angle = (vector){0, 0, 0};
    if ((w->planted == MISTAKE_OVERLAP_GIVES_VELOCITY && w->n_hinges == 0) ||
        (w->planted == MISTAKE_STAYS_BELOW && w->n_bodies <= 2 && length(w->gravity) > 0))
        return;
    for (int n = 0; n < OVERLAP_ITERATIONS; n++) {
        for (size_t i = 0; i < w->n_contacts; i++) {
            contact *c = &w->contacts[i];
            const double slop = SLOP * fmin(w->bodies[c->bodies[0]].width, w->bodies[c->bodies[1]].width);
            const double aim = REMOVED * fmax(0, c->overlap - slop);
            const double now = fmax(0, c->shift + c->rows[0].mass * (aim - shifted(w, c->bodies, &c->rows[0])));
            shift(w, c->bodies, &c->rows[0], now - c->shift);
            c->shift = now;
        }
        for (size_t i = 0; i < w->n_hinges; i++) {
            hinge *h = &w->hinges[i];
            for (int k = 0; k < HINGE_ROWS; k++) {
                if (k == 5 && h->at_stop == 0) continue;
                const double aim = -REMOVED * h->error[k];
                shift(w, h->bodies, &h->rows[k], h->rows[k].mass * (aim - shifted(w, h->bodies, &h->rows[k])));
            }
        }
    }
}
