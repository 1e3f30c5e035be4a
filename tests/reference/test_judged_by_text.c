/* SPDX-License-Identifier: MIT */
/**
 * Certificates held against the text of their case. A fault of the translation is planted by judging the certificate of
 * one text by another text, which differs by exactly that fault; judged by its own text it is confirmed.
 */
#include "casefile/casefile.h"
#include "core/model.h"
#include "reference/judge/judge.h"
#include "registry/registry.h"
#include "tests/machine.h"

IC_SUITE(solvers, "judged by the text")

enum { TEXT = 4096, SAMPLES = 33 };

/* Half a unit of the last digit of the wrong ends, as the table has them, and more; and of the right ones. */
#define WRONG_END 1e-3
#define RIGHT_END 1e-6
/* Relative rounding error of a rate: some 5000 units in the last place, since some terms cancel. */
#define ROUNDING 1e-12

/* The status of the certificate of a text, judged by another one (NULL: by itself), and its first state. */
static ic_status certify_text(const char *text, const char *judged_by, double *state, char *judged, size_t size)
{
    IC_OWN(ic_certificate) c;
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    m.exact = ic_tests_exact(&m.setup);
    ic_certify_judged(&c, &m.exact.problem, &(ic_certify_options){0}, judged_by);
    const ic_status status = c.status;
    *state = arf_get_d(arb_midref(c.x), ARF_RND_NEAR);
    snprintf(judged, size, "%s; %s", c.judged, c.reason);
    return status;
}

/* ---- answers that were certified once and are false */

typedef struct false_answer {
    const char *name;

    /* the text, and one that moves as the false certificate did */
    const char *text, *false_text;

    /* the first state at the end: false, and right */
    double is, should_be;
} false_answer;

#define FRICTION "parameters: {s: 3 m/s^2, k: 2 m/s^2, vs: 0.5 m/s, F: 1 m/s^2}\n"
#define TANK "parameters: {q: 0.065 m/s, c: 1 m/s, sill: 5 m}\nstates: {A: m, B: {unit: m, start: 4 m}}\n"
#define SHIP                                                                                                   \
    "parameters: {q: 0.065 m/s, c: \"1 m^0.5/s\", sill: 5 m}\nstates: {A: m, B: {unit: m, start: 4 m}}\n"
#define SPEED "states: {v: {unit: m/s, start: 2 m/s}}\n"
#define PHASE "discrete: {phase: {values: [1, 2, 3], start: 1}}\n"
#define END "presets: {default: {until: 5 s}}\n"

static const false_answer answers[] = {
    {"dry friction", SPEED "flow: {v: \"-where(v >= 0, (2 m/s^2), -(2 m/s^2))\"}\n" END,
     SPEED "flow: {v: \"-(2 m/s^2)\"}\n" END, -8, 0},
    {"dry friction with a force", FRICTION SPEED "flow: {v: \"F - where(v >= 0, k, -k)\"}\n" END,
     FRICTION SPEED "flow: {v: F - k}\n" END, -3, 0},
    {"friction that is greater at low speed",
     FRICTION SPEED "flow: {v: \"F - where(v > 0, where(v > vs, k, s), -s)\"}\n" END,
     FRICTION SPEED PHASE "flow: {v: \"where(phase = 1, F - k, where(phase = 2, F - s, F + s))\"}\n"
                          "until:\n  slow: {falls: v - vs, if: phase < 1.5, then: {phase: 2}}\n"
                          "  rest: {falls: v, then: {phase: 3}}\n" END,
     13, 0},
    {"nested kinks",
     "states: {x: {unit: m, start: -1 m}}\nflow: {x: \"(1 m/s) - where(x > 0, (2 m/s)*sign(x + (9 m)), 0)\"}\n" END,
     "states: {x: {unit: m, start: -1 m}}\n" PHASE "flow: {x: \"where(phase = 1, (1 m/s), -(1 m/s))\"}\n"
     "until: {zero: {rises: x, then: {phase: 2}}}\n" END,
     -4, 0},
    {"a tank with an overflow",
     TANK "definitions: {over: \"where(B > sill, c*sign(B - A), 0)\"}\nflow: {A: over, B: q - over}\n"
          "presets: {default: {until: 50 s}}\n",
     TANK PHASE
     "flow: {A: \"where(phase = 1, 0, where(phase = 2, c, q/2))\", B: \"where(phase = 1, q, where(phase = 2, q - "
     "c, q/2))\"}\nuntil:\n  full: {rises: B - sill, then: {phase: 2}}\n  level: {falls: B - A + (phase - 2)*(9 m), "
     "then: {phase: 3}}\npresets: {default: {until: 50 s}}\n",
     3.625, 2.25},
    {"a sinking ship",
     SHIP
     "definitions: {over: \"where(B > sill, c*sign(B - A)*sqrt(abs(B - A)), 0)\"}\nflow: {A: over, B: q - over}\n"
     "presets: {default: {until: 16 s}}\n",
     SHIP PHASE
     "flow: {A: \"where(phase = 1, 0, c*sqrt(B - A))\", B: \"q - where(phase = 1, 0, c*sqrt(B - A))\"}\n"
     "until: {full: {rises: B - sill, then: {phase: 2}}}\npresets: {default: {until: 16 s}}\n",
     1.18973, 0.04},
};

IC_TEST(test_false_answers)
{
    char judged[600];
    double state;
    for (size_t i = 0; i < IC_COUNT(answers); i++) {
        const false_answer *a = &answers[i];
        /* the false motion is certified for its own text, and not for the other one */
        CU_ASSERT_EQUAL(certify_text(a->false_text, NULL, &state, judged, sizeof judged), IC_OK);
        CU_ASSERT_DOUBLE_EQUAL(state, a->is, WRONG_END);
        const ic_status status = certify_text(a->false_text, a->text, &state, judged, sizeof judged);
        IC_EXPECT(status == IC_CONTRADICTED, "%s: %s", a->name, judged);
        /* the text itself is never certified with another value than the right one */
        if (certify_text(a->text, NULL, &state, judged, sizeof judged) == IC_OK)
            CU_ASSERT_DOUBLE_EQUAL(state, a->should_be, RIGHT_END);
    }
}

/* ---- planted faults */

typedef struct fault {
    const char *name;

    /* the text with %s, and what stands there: of the certificate, and of the judge */
    const char *text, *certified, *judged;

    /* no defect: of a jump, a time or a start, of what the run's memory and delays hold, or below a solver's accuracy */
    bool hidden;
} fault;

#define BODY "parameters: {m: 1 kg, g: 9.81 m/s^2}\nstates: {x: {unit: m, start: 1 m}, v: m/s}\n"
#define FALLS "flow: {x: v, v: -g}\n"
#define BELT "parameters: {m: 1 kg, k: 4 N/m, N: 1 N, b: 0.1 m/s, F: 1 N}\nstates: {x: m, v: m/s}\n"
#define PAIR "states: {y: {unit: 1, start: -2}, z: {unit: 1, start: -2}, n: 1}\n"
#define FLOW_OF_PAIR "flow: {y: 1/(1 s), z: 1/(1 s), n: 0}"
#define TICKS FLOW_OF_PAIR "\n"
#define THREE_SECONDS "presets: {default: {until: 3 s}}\n"
#define ONE_SECOND "presets: {default: {until: 1 s}}\n"

static const fault faults[] = {
    {"condition flipped", BODY "flow: {x: v, v: \"-g*where(x %s (0.5 m), 1, 2)\"}\n" ONE_SECOND, ">", "<",
     false},
    {"branch swapped", BODY "flow: {x: v, v: \"-g*where(x > (0.5 m), %s)\"}\n" ONE_SECOND, "1, 2", "2, 1",
     false},
    {"branch of a nested condition",
     BODY "flow: {x: v, v: \"-g*where(x > (0.5 m), 1, where(v > -(3.5 m/s), %s))\"}\n" ONE_SECOND, "1, 3",
     "2, 3", false},
    {"level of a condition", BODY "flow: {x: v, v: \"-g*where(x > %s, 1, 2)\"}\n" ONE_SECOND, "(0.5 m)",
     "(0.499 m)", true},
    {"sliding dropped", BODY "flow: {x: v, v: \"%s\"}\n" ONE_SECOND, "-g", "-g*sign(v + (5 m/s))", false},
    {"sliding into rest", BODY "flow: {x: v, v: \"(8 m/s^2)*sign(-v - (5 m/s)) + %s\"}\n" ONE_SECOND,
     "(0 m/s^2)", "(9 m/s^2)*step((0.2 m) - x)", false},
    {"sign of a jump", BODY FALLS "until: {floor: {falls: x, then: {v: %s0.5*v}}}\n" ONE_SECOND, "-", "-0.9*",
     true},
    {"state set by a jump", BODY FALLS "until: {mark: {falls: x - (0.5 m), then: {%s}}}\n" ONE_SECOND, "v: v/2",
     "x: x/2", true},
    {"direction of an event", BODY FALLS "until: {mark: {%s: x - (0.5 m), then: {v: v/2}}}\n" ONE_SECOND,
     "rises", "falls", true},
    {"condition of an event",
     BODY FALLS "until: {mark: {falls: x - (0.5 m), if: v %s -(1 m/s), then: {v: v/2}}}\n" ONE_SECOND, ">", "<",
     true},
    {"mode after an event",
     BODY
     "modes:\n  high: {flow: {x: v, v: -g}, until: {mark: {falls: x - (0.5 m), then: {mode: %s}}}}\n"
     "  low: {flow: {x: v, v: -2*g}, until: {deep: {falls: x + (9 m), then: {mode: other}}}}\n  other: {flow: {x: v, v: -3*g}, until: {deep: {falls: x + (9 m), then: {mode: low}}}}\n" ONE_SECOND,
     "low", "other", true},
    {"time of a time event", BODY FALLS "times: {strike: {at: %s s, then: {v: v + (1 m/s)}}}\n" ONE_SECOND,
     "0.5", "0.6", true},
    {"start", "states: {x: {unit: m, start: %s m}}\nflow: {x: 1 m/s}\n" ONE_SECOND, "1", "2", true},
    {"side of friction",
     BELT "flow: {x: v, v: F/m}\nelements: {belt: {friction: {slip: %s, normal: N, kinetic: 0.3, pushes: {v: "
          "1/m}}}}\n" ONE_SECOND,
     "v + b", "v - b", false},
    {"coefficient of friction",
     BELT "flow: {x: v, v: -k*x/m}\nelements: {belt: {friction: {slip: v - b, normal: N, kinetic: %s, "
          "pushes: {v: 1/m}}}}\n" ONE_SECOND,
     "0.3", "0.31", false},
    {"friction that does not hold at the start",
     BELT "flow: {x: v, v: \"(F + min(v, b)*(1 kg/s))/m\"}\n"
          "elements: {belt: {friction: {slip: v, normal: N, kinetic: %s, pushes: {v: 1/m}}}}\n" ONE_SECOND,
     "0.3", "0.31", false},
    {"static friction",
     BELT
     "flow: {x: v, v: -k*x/m}\nelements: {belt: {friction: {slip: v - b, normal: N, static: %s, kinetic: 0.3, "
     "pushes: {v: 1/m}}}}\n"
     "presets: {default: {until: 4 s}}\n",
     "0.9", "0.5", false},
    {"element forgotten", BODY FALLS "elements: {floor: {stop: {gap: x%s}}}\n" ONE_SECOND, " + (9 m)", "",
     false},
    {"restitution", BODY FALLS "elements: {floor: {stop: {gap: x, restitution: %s}}}\n" ONE_SECOND, "0.8",
     "0.81", true},
    {"restitution of impacts that accumulate",
     BODY FALLS "elements: {floor: {stop: {gap: x, restitution: %s}}}\npresets: {default: {until: 2 s}}\n",
     "0.5", "0.51", true},
    {"where impacts accumulate",
     BODY FALLS "until: {floor: {falls: x, then: {x: 0, v: -v/2}, accumulates: {x: %s m, v: 2 m/s}}}\n"
                "presets: {default: {until: 1.5 s}}\n",
     "0", "1e-5", true},
    {"no limit of impacts",
     BODY "discrete: {on: {values: [0, 1], start: 1}}\nflow: {x: on*v, v: -g*on}\n"
          "until: {floor: {falls: x, then: {x: 0, v: -v/2}%s}}\npresets: {default: {until: 1.5 s}}\n",
     ", accumulates: {on: 0}", "", true},
    {"rest at a stop",
     BODY "flow: {x: v, v: \"g*sin(9*t/(1 s)) - g/2\"}\nelements: {floor: {stop: {gap: x%s}}}\n" ONE_SECOND,
     " - (0.8 m)", " - (0.8 m)*(1 + 1e-9)", true},
    {"law of a contact",
     BODY FALLS
     "elements: {floor: {contact: {indentation: -x, law: %s, with: {K: 1e4 N/m^1.5, e: 0.8}, pushes: {v: "
     "1/m}}}}\n" ONE_SECOND,
     "hunt-crossley", "flores", true},
    {"stiffness of a contact",
     BODY FALLS "elements: {floor: {contact: {indentation: -x, with: {k: %s N/m, c: 1 N s/m}, pushes: {v: "
                "1/m}}}}\n" ONE_SECOND,
     "1e3", "1.01e3", false},
    {"level of a switch",
     BODY "flow: {x: v, v: -g*(1 + s)}\nelements: {s: {switch: {input: -x, on: -%s m}}}\n" ONE_SECOND, "0.5",
     "0.6", false},
    {"delay",
     BODY
     "flow: {x: v, v: -g*(1 + d)}\nelements: {s: {switch: {input: -x, on: -0.9 m}}, d: {delay: {input: s, time: %s "
     "s}}}\n" ONE_SECOND,
     "0.1", "0.2", true},
    {"index of a family",
     "parameters: {k: 9 s^-2}\nstates: {for i in 1..3: {\"x[i]\": {unit: m, start: i*(1 m)}, \"v[i]\": m/s}}\n"
     "flow: {for i in 1..3: {\"x[i]\": \"v[i]\", \"v[i]\": \"-k*(x[i] - where(i = 1, 0, x[%s]))\"}}\n" ONE_SECOND,
     "i-1", "1", false},
    {"entry of a mass matrix",
     "parameters: {J: 1 kg m^2, c: 2 N m}\nstates: {p: {unit: 1, start: 1}, q: 1, v: 1/s, w: 1/s}\nflow: {p: v, q: w}\n"
     "mass: {of: [v, w], matrix: [[2*J, %s*J*cos(p - q)], [%s*J*cos(p - q), J]], force: [-c*p, -c*q]}\n" ONE_SECOND,
     "0.5", "0.6", false},
    {"second of two events at one instant",
     PAIR "until: {first: {crosses: y, then: {mode: b}}, second: {crosses: 2*y%s, then: {n: n + 1}}}\n"
          "modes: {a: {" FLOW_OF_PAIR "}, b: {" FLOW_OF_PAIR "}}\n" THREE_SECONDS,
     ", if: n > 5", "", true},
    {"second of two events of one value",
     PAIR TICKS
     "until: {first: {crosses: y, then: {n: 2}}, second: {crosses: y%s, then: {n: 3*n}}}\n" THREE_SECONDS,
     ", if: n > 5", "", true},
    {"event beside a condition",
     PAIR "flow: {y: \"where(y > 0, 1, 2)/(1 s)\", z: 0, n: 0}\n"
          "until: {turn: {crosses: 3*y%s, then: {n: n + 1}}}\n" THREE_SECONDS,
     ", if: n > 5", "", true},
    {"order of two events", PAIR TICKS "until: {%s}\n" THREE_SECONDS,
     "p: {crosses: y, then: {n: n + 2}}, q: {crosses: 2*y, then: {n: 3*n}}",
     "q: {crosses: 2*y, then: {n: 3*n}}, p: {crosses: y, then: {n: n + 2}}", true},
    {"second of two conditions at one instant",
     PAIR
     "flow: {y: 1/(1 s), z: 1/(1 s), n: \"(where(y > 0, 1, 2) + where(z > %s, 3, 5))/(1 s)\"}\n" THREE_SECONDS,
     "9", "0", false},
    {"static friction that could hold where a slip ends, if another friction breaks",
     "states: {x: m, v: {unit: m/s, start: 1 m/s}, y: m, w: {unit: m/s, start: 1 m/s}}\n"
     "flow: {x: v, v: 0 m/s^2, y: w, w: -3 m/s^2}\nelements:\n"
     "  floor: {friction: {slip: v, normal: 1 N, static: %s, kinetic: 1, pushes: {v: 1/(1 kg)}}}\n"
     "  rider: {friction: {slip: w - v, normal: 1.2 N, kinetic: 1, pushes: {v: -1/(1 kg), w: 1/(1 kg)}}}\n" ONE_SECOND,
     "1.1", "1.3", true},
    {"static friction that could hold where a slip ends, beside a body pressed on a stop",
     "states: {x: m, v: {unit: m/s, start: 1 m/s}, y: m, w: m/s}\n"
     "flow: {x: v, v: -2 m/s^2, y: w, w: -1 m/s^2}\nelements:\n"
     "  wall: {stop: {gap: y}}\n"
     "  rider: {friction: {slip: v - w, normal: 1 N, static: %s, kinetic: 0.5, pushes: {v: 1/(1 kg), w: -1/(1 kg)}}}\n" ONE_SECOND,
     "1.9", "2.1", true},
    {"second of two stops at one instant",
     "states: {x: {unit: m, start: 1 m}, v: m/s, y: {unit: m, start: 1 m}, w: m/s}\n"
     "flow: {x: v, v: -(9.81 m/s^2), y: w, w: -(9.81 m/s^2)}\n"
     "elements: {a: {stop: {gap: x, restitution: 0.5}}, b: {stop: {gap: y + (%s m), restitution: 0.5}}}\n" ONE_SECOND,
     "9", "0", false},
};

IC_TEST(test_planted_faults)
{
    char own[TEXT], other[TEXT], judged[600];
    double state;
    for (size_t i = 0; i < IC_COUNT(faults); i++) {
        const fault *f = &faults[i];
        snprintf(own, sizeof own, f->text, f->certified, f->certified);
        snprintf(other, sizeof other, f->text, f->judged, f->judged);
        ic_status status = certify_text(own, NULL, &state, judged, sizeof judged);
        IC_EXPECT(status == IC_OK && strncmp(judged, "confirmed", 9) == 0, "%s, as it is: %s", f->name, judged);
        status = certify_text(own, other, &state, judged, sizeof judged);
        if (status != IC_CONTRADICTED) fprintf(stderr, "%s, planted: %s\n", f->name, judged);
        CU_ASSERT(status == IC_CONTRADICTED || status == IC_UNDECIDED);
    }
}

/* The defect of a run of a text, judged by another one (NULL: by itself). */
static ic_defect defect_of(const char *text, const char *judged_by)
{
    ic_defect d;
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    m.log = ic_tests_solve(ic_accurate_solver(m.setup.problem.variant)->name, &m.setup.problem,
                           &(ic_options){.samples = SAMPLES});
    ic_judge_defect(&d, m.log, judged_by);
    return d;
}

IC_TEST(test_defects)
{
    char own[TEXT], other[TEXT];
    for (size_t i = 0; i < IC_COUNT(faults); i++) {
        const fault *f = &faults[i];
        snprintf(own, sizeof own, f->text, f->certified, f->certified);
        snprintf(other, sizeof other, f->text, f->judged, f->judged);
        ic_defect d = defect_of(own, NULL);
        CU_ASSERT(d.status == IC_OK && d.judged >= SAMPLES / 2 && d.undecided == 0);
        CU_ASSERT(d.greatest <= ROUNDING);
        d = defect_of(own, other);
        const bool found = d.status == IC_CONTRADICTED && d.reason[0] != '\0';
        IC_EXPECT(found != f->hidden, "%s, planted: %s", f->name, d.reason);
    }
}
