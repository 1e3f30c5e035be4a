/* SPDX-License-Identifier: MIT */
/**
 * A small engine of rigid bodies that plays scenes (docs/engines.md): spheres, boxes, fixed planes and
 * hinges, with Coulomb's friction and restitution.
 *
 * It takes many small steps to a row. In each one, bodies that touch get impulses at once, then all
 * bodies move. `mistake` plants a mistake, one small change at one place.
 */
#pragma once

#include "tests/programs/scene_engine/vectors.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    MOST_NAME = 64,
    MOST_SHAPES = 8,
    MOST_BODIES = 32,
    MOST_HINGES = 8,
    MOST_CONTACTS = 512,
    HINGE_ROWS = 6,
};

/** Mistakes that can be planted, by the word after `variant`. */
#define MISTAKES(ROW)                                                                                          \
    ROW(NONE, "right")                                                                                         \
    ROW(OVERLAP_GIVES_VELOCITY, "overlap-gives-velocity")                                                      \
    ROW(PYRAMID, "pyramid")                                                                                    \
    ROW(PYRAMID_INSIDE, "pyramid-inside")                                                                      \
    ROW(THRESHOLD, "threshold")                                                                                \
    ROW(INERTIA_EXCHANGED, "inertia-exchanged")                                                                \
    ROW(SLEEPING, "sleeping")                                                                                  \
    ROW(TUNNELS, "tunnels")                                                                                    \
    ROW(LINEAR_DAMPING, "linear-damping")                                                                      \
    ROW(ANGULAR_DAMPING, "angular-damping")                                                                    \
    ROW(NO_GYROSCOPIC_TERM, "no-gyroscopic-term")                                                              \
    ROW(FRICTION_FACTOR, "friction-factor")                                                                    \
    ROW(FRICTION_SQUARED, "friction-squared")                                                                  \
    ROW(FRICTION_ROOT, "friction-root")                                                                        \
    ROW(FRICTIONLESS, "frictionless")                                                                          \
    ROW(RESTITUTION_SQUARED, "restitution-squared")                                                            \
    ROW(RESTITUTION_IGNORED, "restitution-ignored")                                                            \
    ROW(RESTITUTION_BY_PHASE, "restitution-by-phase")                                                          \
    ROW(FIRST_RESTITUTION_ONLY, "first-restitution-only")                                                      \
    ROW(TANGENTIAL_RESTITUTION, "tangential-restitution")                                                      \
    ROW(NO_LEVER, "no-lever")                                                                                  \
    ROW(STOP_PASSED, "stop-passed")                                                                            \
    ROW(MOMENTUM_LOST, "momentum-lost")                                                                        \
    ROW(MARGIN, "margin")                                                                                      \
    ROW(GRAVITY, "gravity")                                                                                    \
    ROW(NEWTON, "newton")                                                                                      \
    ROW(REBOUND_LESS_CONSTANT, "rebound-less-constant")                                                        \
    ROW(LONE_EXPLICIT_EULER, "lone-explicit-euler")                                                            \
    ROW(FRICTION_FORCE_AS_IMPULSE, "friction-force-as-impulse")                                                \
    ROW(STAYS_BELOW, "stays-below")                                                                            \
    ROW(OUTSIDE_CONE, "outside-cone")                                                                          \
    /* it is right where names and parameters are those that it knows */                                       \
    ROW(KNOWS_NAMES, "knows-names")                                                                            \
    ROW(HARD_CODED, "hard-coded")                                                                              \
    /* no mistake: one step to a row, as engines of games take */                                              \
    ROW(ONE_STEP, "one-step")                                                                                  \
    /* motions that are none */                                                                                \
    ROW(CRASHES, "crashes")                                                                                    \
    ROW(HANGS, "hangs")                                                                                        \
    ROW(ENDS_EACH_TIME, "ends-each-time")                                                                      \
    ROW(GARBAGE, "garbage")                                                                                    \
    ROW(BYTES, "bytes")                                                                                        \
    ROW(NO_END, "no-end")                                                                                      \
    ROW(NO_FLUSH, "no-flush")                                                                                  \
    ROW(MORE_AFTER_END, "more-after-end")                                                                      \
    ROW(LATE_LINE, "late-line")                                                                                \
    ROW(CRASHES_AFTER_END, "crashes-after-end")                                                                \
    ROW(CARRIAGE_RETURNS, "carriage-returns")                                                                  \
    ROW(NOT_FINITE, "not-finite")                                                                              \
    ROW(NOT_REPEATABLE, "not-repeatable")

typedef enum mistake {
#define MISTAKE(id_, name_) MISTAKE_##id_,
    MISTAKES(MISTAKE) MISTAKE_COUNT
#undef MISTAKE
} mistake;

typedef enum shape_kind { SPHERE, BOX, PLANE } shape_kind;

typedef struct shape {
    shape_kind kind;

    /* radius, or half lengths; m */
    vector size;

    /* centre in the frame of the body, m */
    vector at;
} shape;

typedef struct body {
    char name[MOST_NAME];
    bool fixed;

    /* 1/kg, 1/(kg m^2) about the principal axes; 0 if fixed */
    double inverse_mass;
    vector inverse_inertia;

    vector at, velocity, spin;
    quaternion turned;

    shape shapes[MOST_SHAPES];
    size_t n_shapes;

    /* smallest width and greatest distance of a point from the centre, m */
    double width, reach;

    /* inverse inertia in the frame of the ground */
    matrix inverse_inertia_now;

    /* whether it touches another one */
    bool touches;

    /* of the removal of overlaps in a step, m, rad */
    vector shift, shift_angle;

    /* time since it was last fast, s */
    double slow_time;

    /* number of impacts with restitution that it had */
    long impacts;
} body;

/**
 * A direction in which two bodies act on each other: their relative velocity is
 * along.(vb - va) + arm[1].wb - arm[0].wa.
 */
typedef struct row {
    vector along, arm[2], turn[2];

    /* impulse for a change of 1 of this velocity */
    double mass;
} row;

typedef struct contact {
    size_t bodies[2];
    vector at, normal;
    double overlap;

    /* along the normal, from the first body to the second, and two tangents */
    row rows[3];

    /* of the whole step, N s */
    double impulse[3];

    /* at the beginning of the present part of the step, N s */
    double base[3];

    /* the normal impulse that restitution asks for at least */
    double least;

    /* kg; that of the slower tangential direction */
    double friction_mass;

    /* relative velocities before the step's forces, m/s */
    double before[3];

    /* the same without the limit by the sign, m kg */
    double shift;
    bool bounced;

    /* the normal velocity after the impact by Newton's hypothesis, a planted mistake, m/s */
    double bounce_speed;
} contact;

typedef struct hinge {
    size_t bodies[2];

    /* the point and the axis, in the frames of the bodies */
    vector at[2], axis[2];

    /* of B relative to A at the start */
    quaternion start;

    /* angle since then, which counts whole turns, rad */
    double angle;

    /* stops of this angle, rad */
    double lower, upper;

    /* three for the point, two for the axis, one for the stop */
    row rows[HINGE_ROWS];
    double impulse[HINGE_ROWS], error[HINGE_ROWS], least, before;

    /* +1 at the upper stop, -1 at the lower one, 0 between them */
    int at_stop;
} hinge;

typedef struct world {
    char config[MOST_NAME];

    /* the scene has one of our names: words, not drawn ones */
    bool is_known;
    mistake planted;
    vector gravity;
    double restitution, friction, step;
    long steps;
    body bodies[MOST_BODIES];
    size_t n_bodies;
    hinge hinges[MOST_HINGES];
    size_t n_hinges;
    contact contacts[MOST_CONTACTS], contacts_before[MOST_CONTACTS];
    size_t n_contacts, n_contacts_before;
} world;

/** Sizes and inverse inertia of all bodies; before the first step. */
void world_prepare(world *w);

/** Move on by one row. */
void world_step(world *w);

/** bodies.c: inertia in the frame of the ground, for its present orientation. */
void body_update(body *b);

/** The angle of a hinge now, next to the one before. */
double hinge_angle(const world *w, const hinge *h);

/** contacts.c: find all contacts. Impulses of those that were there in the last step are kept. */
void find_contacts(world *w);

/** boxes.c: contacts of two boxes. */
void find_contacts_of_boxes(world *w, const size_t bodies[2], const shape *shapes[2]);
void add_contact(world *w, const size_t bodies[2], vector at, vector normal, double overlap);

/** A gap up to this counts as contact, m. */
double contact_margin(const world *w, const size_t bodies[2]);

/** solve.c: impulses of a step of h; then the shift that removes overlaps. */
void prepare_rows(world *w);
void solve_impulses(world *w, double h);
void solve_overlaps(world *w);
