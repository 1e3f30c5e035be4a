/* SPDX-License-Identifier: MIT */
/**
 * Courses of events that are known without a computation: certified, and by a solver. Each machine has a wrong course,
 * which a certifier could prove that asks for too little: whether a guard crosses zero without firing, whether each
 * part of a condition holds there, which guards of the next mode are those that have fired, and which jumps turn them.
 */
#include "casefile/casefile.h"
#include "core/names.h"
#include "reference/flow/certify.h"
#include "tests/machine.h"

IC_SUITE(solvers, "certified courses")

enum { DIGITS = 15, NAMES = 200 };

/* Values at the end are multiples of 1/4; those of a solver with a relative tolerance of 1e-10 differ by less. */
#define SOLVER_ERROR 1e-6

typedef struct course {
    const char *text;

    /* names of events, each followed by a comma */
    const char *events;

    /* name of a state that is looked at, at the end */
    const char *state;

    /* right value of this state */
    double value;

    /* wrong value of this state */
    double wrong;
} course;

/* x = 1 - t, y = t - 2, and a counter */
#define COUNTER                                                                                                \
    "states: {x: {unit: 1, start: 1}, y: {unit: 1, start: -2}, n: {unit: 1}}\n"                                \
    "flow: {x: -1/(1 s), y: 1/(1 s), n: 0}\n"
#define LATE "  late: {rises: \"where(x > 0, y, y - 3)\", then: {n: n + t/(1 s)}}\n"
#define UNTIL_6 "presets: {default: {until: 6 s}}\n"
#define BALL                                                                                                   \
    "states: {x: {unit: 1, start: 0.5}, v: {unit: 1/s, start: -1 1/s}, n: {unit: 1}}\n"                        \
    "flow: {x: v, v: -1 1/s^2, n: 0}\nuntil:\n  floor: {falls: x, then: {v: -0.5*v}}\n"
#define UNTIL_06 "presets: {default: {until: 0.6 s}}\n"
#define PAD                                                                                                    \
    "parameters: {m: 1 kg, k: 1 N/m, K: 100 N/m, C: 1 N s/m, gap: 0.5 m, F: 2 N}\n"                            \
    "states: {x: m, v: m/s, n: {unit: 1}}\n"
#define PAD_EVENTS "pad,pad leaves,pad,pad leaves,"

#define CLIPPED(force)                                                                                         \
    "states: {x: {unit: 1, start: 0.5}, v: {unit: 1, start: -1}}\nflow: {x: v/(1 s), v: \"(" force             \
    ")/(1 s)\"}\n"                                                                                             \
    "presets: {default: {until: 4 s}}\n"

static const course courses[] = {
    /* the sign of x is used: x passes zero against the direction of its guard */
    {"title: machine A\n" COUNTER "until:\n  up: {rises: x, then: {n: n + 10}}\n" LATE UNTIL_6, "late,", "n", 5,
     2},
    /* a guard that has fired is disarmed in the next mode, which has it too */
    {"title: machine C\nstates: {y: {unit: 1, start: -2}, n: {unit: 1}}\nuntil: {late: {rises: y, then: {mode: b, n: n + 1}}}\n"
     "modes: {a: {flow: {y: 1/(1 s), n: 0}}, b: {flow: {y: 2/(1 s), n: 0}}}\n" UNTIL_6,
     "late,", "n", 1, 2},
    /* a guard that crosses zero together with one that changes the mode fires there */
    {"title: machine D\nstates: {y: {unit: 1, start: -2}, n: {unit: 1}}\n"
     "until: {first: {crosses: y, then: {mode: b}}, second: {crosses: 2*y, then: {n: n + 1}}}\n"
     "modes: {a: {flow: {y: 1/(1 s), n: 0}}, b: {flow: {y: 2/(1 s), n: 0}}}\n" UNTIL_6,
     "first,second,", "n", 1, 0},
    /* so does one that crosses with the value of the one that fired */
    {"title: machine Q\n" COUNTER
     "until:\n  first: {crosses: y, then: {n: 2}}\n  second: {crosses: y, then: {n: 3*n}}\n" UNTIL_6,
     "first,second,", "n", 6, 2},
    /* a guard that rises does not fire again after a kink of its value */
    {"title: machine R\nstates: {y: {unit: 1, start: -2}, z: 1, n: 1}\n"
     "flow: {y: 1/(1 s), z: \"where(y > 0, -1, 1)/(1 s)\", n: 0}\nuntil: {up: {rises: y, then: {n: n + 1}}}\n" UNTIL_6,
     "up,y = 0,", "n", 1, 2},
    /* a guard that another one has turned back does not fire, unless it fires in both directions */
    {"title: machine E\n" BALL "  twice: {falls: 2*x, then: {n: n + 1}}\n" UNTIL_06, "floor,", "n", 0, 1},
    {"title: machine F\n" BALL "  twice: {crosses: 2*x, then: {n: n + 1}}\n" UNTIL_06, "floor,twice,", "n", 1,
     0},
    /* a contact under C* is not regained above the surface: as an element, by a condition, and by a formula */
    {"title: machine H\n" PAD
     "flow: {x: v, v: (F - k*x)/m, n: 0}\nelements: {pad: {contact: {indentation: x - gap, law: "
     "kelvin-voigt, condition: C*, with: {k: K, c: C}, pushes: {v: -1/m}}}}\npresets: {default: {until: 3 s}}\n",
     PAD_EVENTS, "n", 0, 1},
    {"title: machine I\n" PAD
     "flow: {x: v, v: (F - k*x)/m, n: 0}\nelements: {pad: {contact: {indentation: x - gap, law: "
     "kelvin-voigt, condition: C*, with: {k: K, c: 0}, pushes: {v: -1/m}}}}\npresets: {default: {until: 3 s}}\n",
     PAD_EVENTS, "n", 0, 1},
    {"title: machine J\n" PAD
     "definitions: {d: x - gap, P: K*d + C*v}\nmodes:\n  apart:\n    flow: {x: v, v: (F - k*x)/m, n: 0}\n"
     "    until:\n      pad: {rises: d, then: {mode: pressed}}\n"
     "      again: {rises: \"where(d > 0, P, d*(1 N/m) - abs(P))\", then: {mode: pressed, n: n + 1}}\n"
     "  pressed:\n    flow: {x: v, v: (F - k*x - P)/m, n: 0}\n"
     "    until: {pad leaves: {falls: P, then: {mode: apart}}}\npresets: {default: {until: 3 s}}\n",
     PAD_EVENTS, "n", 0, 1},
    /* two conditions change at one instant, x = 0 */
    {"title: machine L\n" COUNTER "until:\n  late: {rises: y, if: x^2 < 1.5*x^3 + 4, then: {n: n + 1}}\n"
     "  first: {rises: y + 1.5, if: x > 0, then: {n: n + 2}}\n  second: {rises: y + 0.5, if: x*(x - 9) > 0, then: {n: n + 4}}\n" UNTIL_6,
     "first,second,late,", "n", 7, 3},
    /* kinetic friction equals the static one where bodies do not slip, and while they slip forwards */
    {"title: machine M\nparameters: {m: 1 kg, mu_s: 0.3, vs: 0.1 m/s, r: 1 N/s}\nstates: {x: m, v: m/s}\n"
     "flow: {x: v, v: r*t/m}\nelements: {f: {friction: {slip: v, normal: 5 N, static: mu_s, "
     "kinetic: mu_s*exp((v - abs(v))/vs), pushes: {v: 1/m}}}}\npresets: {default: {until: 3.5 s}}\n",
     "f slips forwards,", "v", 2, 0},
    /* clipped forces have no events in flight */
    {"title: machine N\n" CLIPPED("where(x < 0, max(0, 100*(-x)^1.5), 0)"), "x = 0,x = 0,", "v", 1, -1},
    {"title: machine O\n" CLIPPED("max(0, 100*max(-x, 0)^1.5*(1 - 0*v))"), "x = 0,x = 0,", "v", 1, -1},
    {"title: machine P\n" CLIPPED("max(0, where(x < 0, 10*max(0, -x - 0.1)^1.5, 0))"),
     "x = 0,-x - 0.1 = 0,-x - 0.1 = 0,x = 0,", "v", 1, -1},
};

/* Courses that rounding may change in a solver. */
static const course exact_courses[] = {
    /* y <= 0 holds where y = 0, and y < 0 does not */
    {"title: machine K\n" COUNTER "until:\n  early: {rises: y, if: y < 0, then: {n: n + 10}}\n"
     "  late: {rises: y, if: y <= 0, then: {n: n + 1}}\n" UNTIL_6,
     "late,", "n", 1, 11},
    /* a part of a condition is zero with its guard; a guard stands on the zero of another one */
    {"title: machine B\n" COUNTER "until:\n  early: {rises: y, if: y < 0 and x > -9, then: {n: n + 10}}\n"
     "  late: {rises: y, then: {n: n + 1}}\n" UNTIL_6,
     "late,", "n", 1, 11},
    /* a stop that another one has turned again is hit again */
    {"title: machine G\nparameters: {m: 2 kg, J: 0.1 kg m^2, a: 0.5 m, e: 0.5}\n"
     "states: {th: rad, om: rad/s, y: m, v: {unit: m/s, start: -1 m/s}}\nflow: {th: om, om: 0, y: v, v: 0}\nelements:\n"
     "  left: {stop: {gap: y - a*th, restitution: e, pushes: {v: 1/m, om: -a/J}}}\n"
     "  right: {stop: {gap: y + a*th, restitution: e, pushes: {v: 1/m, om: a/J}}}\n"
     "presets: {default: {until: 1 s}}\n",
     "left,right,left,right,", "v", 0.25, -0.25}};

static void add_name(char *list, const char *name)
{
    const size_t length = strlen(list);
    snprintf(list + length, NAMES - length, "%s,", name);
}

static bool solver_agrees(const course *row, const ic_problem *problem, const char *solver)
{
    char names[NAMES] = "";
    IC_OWN(ic_log) *log = ic_tests_solve(solver, problem, &(ic_options){.rtol = 1e-10});
    for (size_t i = 0; i < ic_log_event_count(log); i++) add_name(names, ic_log_event_at(log, i).name);
    const double value = ic_log_end(log).x[ic_state_find(problem->system, row->state)];
    const bool agrees = strcmp(names, row->events) == 0 && fabs(value - row->value) < SOLVER_ERROR;
    if (!agrees) fprintf(stderr, "%s: %s %.12g\n%s", solver, names, value, row->text);
    return agrees;
}

static bool certificate_agrees(const course *row, const ic_problem *problem, const ic_certificate *c)
{
    char names[NAMES] = "";
    IC_BALLS(value);
    arb_srcptr found = c->x + ic_state_find(problem->system, row->state);
    for (size_t i = 0; i < c->count; i++) add_name(names, c->events[i].name);
    arb_set_d(value, row->wrong);
    const bool rejects = !arb_overlaps(found, value);
    arb_set_d(value, row->value);
    const bool agrees =
        c->status == IC_OK && rejects && arb_overlaps(found, value) && strcmp(names, row->events) == 0;
    if (!agrees) fprintf(stderr, "certified: %s %s\n%s", names, c->reason, row->text);
    return agrees;
}

static void check_course(const course *row, bool by_solvers)
{
    IC_OWN(ic_certificate) c;
    IC_OWN(ic_machine) m = ic_tests_open(row->text, NULL);
    m.exact = ic_tests_exact(&m.setup);
    ic_certify(&c, &m.exact.problem, &(ic_certify_options){.digits = DIGITS});
    CU_ASSERT(certificate_agrees(row, &m.exact.problem, &c));
    CU_ASSERT(!by_solvers || solver_agrees(row, &m.setup.problem, "dop853"));
    CU_ASSERT(!by_solvers || solver_agrees(row, &m.setup.problem, "taylor"));
}

IC_TEST(test_courses)
{
    for (size_t i = 0; i < IC_COUNT(courses); i++) check_course(&courses[i], true);
    for (size_t i = 0; i < IC_COUNT(exact_courses); i++) check_course(&exact_courses[i], false);
}
