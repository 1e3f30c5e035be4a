/* SPDX-License-Identifier: MIT */
/** Audit of trajectories: rows of a text with one change, which must be named, and alone. */
#include "casefile/casefile.h"
#include "core/names.h"
#include "tests/audit/audited.h"
#include "tests/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

IC_SUITE(audit_changes, "audit of trajectories: changes of a text")

#define COUPLED                                                                                                \
    "parameters: {m: 1 kg, M: 2 kg, k: 100 N/m, kc: 80 N/m, c: 0.8 N s/m, F: 20 N, f: 1.7 Hz, gap: 0.1 m}\n"   \
    "states: {x: {unit: m, start: 0.02 m}, v: m/s, y: m, w: m/s}\n"                                            \
    "flow: {x: v, v: (F*cos(2*pi*f*t) - k*x - kc*(x - y) - c*v)/m, y: w, w: (-k*y - kc*(y - x) - c*w)/M}\n"    \
    "elements: {wall: {stop: {gap: gap - x, restitution: 0.7}}}\n"                                             \
    "presets: {default: {until: 3 s}}\n"
#define PENDULA                                                                                                \
    "parameters: {J: 2 kg m^2, C: 0.6 kg m^2, k: 10 N m/rad}\n"                                                \
    "states: {p: {unit: rad, start: 0.5}, u: rad/s, q: rad, w: rad/s}\n"                                       \
    "flow: {p: u, q: w}\n"                                                                                     \
    "mass: {of: [u, w], matrix: [[J, C], [C, J]], force: [-k*p, -k*(q - p)]}\n"                                \
    "presets: {default: {until: 10 s}}\n"
#define SIGN                                                                                                   \
    "parameters: {k: 50 1/s^2, mu: 0.2, g: 9.81 m/s^2, a: 12 m/s^2, s: 0.02 m/s, o: 5 rad/s}\n"                \
    "states: {x: m, v: m/s}\n"                                                                                 \
    "flow: {x: v, v: a*cos(o*t) - k*x - mu*g*sign(v)}\n"                                                       \
    "presets: {default: {until: 5 s}}\n"
#define BELT                                                                                                   \
    "parameters: {k: 40 1/s^2, V: 0.1 m/s, N: 10 N, mu: 0.25, m: 1 kg, s: 5 mm/s}\n"                           \
    "states: {x: m, v: m/s}\n"                                                                                 \
    "flow: {x: v, v: -k*x}\n"                                                                                  \
    "elements: {b: {friction: {slip: v - V, normal: N, kinetic: mu, pushes: {v: 1/m}}}}\n"                     \
    "presets: {default: {until: 5 s}}\n"
#define BALL                                                                                                   \
    "parameters: {m: 1 kg, g: 9.81 m/s^2, k: 2e4 N/m, c: 60 N s/m}\n"                                          \
    "states: {x: {unit: m, start: 0.3 m}, v: m/s}\n"                                                           \
    "presets: {default: {until: 2 s}}\n"
#define SOIL(condition)                                                                                        \
    BALL "flow: {x: v, v: -g}\n"                                                                               \
         "elements: {soil: {contact: {indentation: -x, condition: " condition ", pushes: {v: 1/m}}}}\n"
#define SPRING(force) BALL "flow: {x: v, v: \"-g + where(x < 0, " force ", 0)/m\"}\n"
#define SPIN                                                                                                   \
    "parameters: {g: 9.81 m/s^2, e: 0.85, mu: 0.25, R: 20 mm, b: 0.4}\n"                                       \
    "definitions: {slip: vx + R*w, p: \"min(mu*(1 + e)*abs(vy), abs(slip)*b/(1 + b))*sign(slip)\"}\n"          \
    "states: {x: m, y: {unit: m, start: 0.5 m}, vx: {unit: m/s, start: 1.5 m/s}, vy: m/s, w: {unit: rad/s,\n"  \
    "  start: 60 rad/s}}\n"                                                                                    \
    "flow: {x: vx, y: vy, vx: 0 m/s^2, vy: -g, w: 0 rad/s^2}\n"                                                \
    "until: {floor: {falls: y, then: {y: 0, vy: -e*vy, vx: vx - p, w: w - p/(b*R)}}}\n"                        \
    "presets: {default: {until: 3 s}}\n"

#define TURNS                                                                                                  \
    "parameters: {J: 2 kg m^2, C: 1 kg m^2, k: 10 N m/rad}\n"                                                  \
    "states: {p: rad, u: {unit: rad/s, start: 6 rad/s}, q: rad, w: rad/s}\n"                                   \
    "flow: {p: u, q: w}\n"                                                                                     \
    "mass: {of: [u, w], matrix: [[J, C*cos(p - q)], [C*cos(p - q), J]],\n"                                     \
    "  force: [-C*w^2*sin(p - q) - k*p, C*u^2*sin(p - q) - k*q]}\n"                                            \
    "elements: {wall: {stop: {gap: 0.2 - p, restitution: 0.7}}}\n"                                             \
    "presets: {default: {until: 5 s}}\n"
#define TEETH(condition)                                                                                       \
    "parameters: {m: 1 kg, k: 2e4 N/m, c: 60 N s/m, b: 0.01 m, F: 20 N, o: 9 rad/s}\n"                         \
    "states: {x: m, v: m/s}\n"                                                                                 \
    "flow: {x: v, v: F*cos(o*t)/m}\n"                                                                          \
    "elements: {a: {contact: {indentation: x - b, " condition ", pushes: {v: -1/m}}},\n"                       \
    "  d: {contact: {indentation: -x - b, " condition ", pushes: {v: 1/m}}}}\n"                                \
    "presets: {default: {until: 3 s}}\n"

#define PAIR                                                                                                   \
    "parameters: {m: 1 kg, k: 2e3 N/m, c: 6 N s/m, b: 0.01 m, F: 20 N, o: 9 rad/s, K: 30 1/s^2}\n"             \
    "states: {x: m, v: m/s, y: m, w: m/s}\n"                                                                   \
    "flow: {x: v, v: F*cos(o*t)/m - K*x, y: w, w: -K*y}\n"                                                     \
    "elements: {a: {contact: {indentation: x - y - b, pushes: {v: -1/m, w: 1/m}}}}\n"                          \
    "presets: {default: {until: 3 s}}\n"
#define PLAY                                                                                                    \
    "parameters: {k: 4 1/s^2, F: 2 m/s^2, o: 3 rad/s, b: 0.1 m, d: 0.1 m}\n"                                    \
    "states: {x: m, v: m/s}\n"                                                                                  \
    "flow: {x: v, v: F*cos(o*t) - k*x}\n"                                                                       \
    "elements: {right: {stop: {gap: b - x, restitution: 0.7}}, left: {stop: {gap: d + x, restitution: 0.7}}}\n" \
    "presets: {default: {until: 8 s}}\n"

#define CRASH                                                                                                  \
    "parameters: {m: 1 kg, k: 30 1/s^2, F: 20 m/s^2, o: 9 rad/s}\n"                                            \
    "states: {x: m, v: m/s, y: {unit: m, start: 0.12 m}, w: m/s}\n"                                            \
    "flow: {x: v, v: F*cos(o*t) - k*x, y: w, w: k*((0.1 m) - y)}\n"                                            \
    "elements: {bump: {stop: {gap: y - x, restitution: 0.6, pushes: {v: -1/m, w: 1/m}}}}\n"                    \
    "presets: {default: {until: 5 s}}\n"
#define HELD                                                                                                   \
    "parameters: {k: 100 1/s^2, F: 14 m/s^2, o: 4 rad/s, N: 10 m/s^2}\n"                                       \
    "states: {x: m, v: m/s}\n"                                                                                 \
    "flow: {x: v, v: F*cos(o*t) - k*x}\n"                                                                      \
    "elements: {f: {friction: {slip: v, normal: N, kinetic: 0.2, static: 0.5, pushes: {v: 1}}}}\n"             \
    "presets: {default: {until: 8 s}}\n"
/* Two carts; `back` is the force of the second cart on the first one. */
#define CARTS(back)                                                                                            \
    "parameters: {m: 1 kg, k: 100 N/m, kc: 80 N/m, c: 0.8 N s/m, F: 20 N, o: 9 rad/s}\n"                       \
    "states: {x: {unit: m, start: 0.02 m}, v: m/s, y: m, w: m/s}\n"                                            \
    "flow: {x: v, v: (F*cos(o*t) - k*x" back ")/m, y: w, w: (-k*y - kc*(y - x) - c*(w - v))/m}\n"              \
    "presets: {default: {until: 3 s}}\n"
/* Rows are 10 ms apart, and one is at the first impact. */
#define FREE                                                                                                   \
    "parameters: {b: 0.5 m, e: 0.8}\n"                                                                         \
    "states: {x: m, v: {unit: m/s, start: 1 m/s}}\n"                                                           \
    "flow: {x: v, v: 0 m/s^2}\n"                                                                               \
    "elements: {right: {stop: {gap: b - x, restitution: e}}, left: {stop: {gap: b + x, restitution: e}}}\n"    \
    "presets: {default: {until: 10 s}}\n"
#define CRATE(motion)                                                                                          \
    "parameters: {k: 40 1/s^2, a: 3 m/s^2, F: 5 m/s^2, o: 3 rad/s, s: 5 mm/s}\n"                               \
    "definitions: {f: F*cos(o*t) - k*x}\n"                                                                     \
    "states: {x: m, v: m/s}\n" motion "presets: {default: {until: 8 s}}\n"
#define STICKS                                                                                                 \
    "start: [{mode: right}]\n"                                                                                 \
    "modes:\n"                                                                                                 \
    "  right: {flow: {x: v, v: f - a}, until: {stops: {falls: v, then: {mode: stuck, v: 0}}}}\n"               \
    "  left: {flow: {x: v, v: f + a}, until: {stops: {rises: v, then: {mode: stuck, v: 0}}}}\n"                \
    "  stuck: {flow: {x: 0, v: 0}, keeps: {slip: {zero: v}}, until: {\n"                                       \
    "    starts right: {rises: f - a, then: {mode: right, departs: {stops: [2, +1]}}},\n"                      \
    "    starts left: {falls: f + a, then: {mode: left, departs: {stops: [2, -1]}}}}}\n"

/* `text` has another part in place of one; NULL: of all. */
static const struct changed_text {
    const char *text, *from, *to;
    ic_mistake_id mistake;
} changed_texts[] = {
    {COUPLED, " - kc*(y - x)", "", IC_MISTAKE_COUPLING_LOST},
    {COUPLED, "kc: 80", "kc: 0", IC_MISTAKE_COUPLING_LOST},
    {PENDULA, "[J, C], [C, J]", "[J, 0], [0, J]", IC_MISTAKE_COUPLING_LOST},
    {PENDULA, "k*(q - p)", "k*q", IC_MISTAKE_COUPLING_LOST},
    {COUPLED, " - c*w", "", IC_MISTAKE_TERM_MISSING},
    {COUPLED, "2*pi*f", "f", IC_MISTAKE_UNITS_MIXED},
    {COUPLED, "m: 1 kg", "m: 1.2 kg", IC_MISTAKE_PARAMETER_WRONG},
    {COUPLED, "gap: 0.1", "gap: 0.2", IC_MISTAKE_PARAMETER_WRONG},
    {BELT, "V: 0.1", "V: 0.15", IC_MISTAKE_PARAMETER_WRONG},
    {PLAY, "b: 0.1 m, d: 0.1 m", "b: 0.2 m, d: 0.2 m", IC_MISTAKE_PARAMETER_WRONG},
    {SIGN, "sign(v)", "tanh(v/s)", IC_MISTAKE_FRICTION_REGULARISED},
    {BELT, "-k*x}\nelements: {b: {friction: {slip: v - V, normal: N, kinetic: mu, pushes: {v: 1/m}}}}",
     "-k*x - mu*N/m*tanh((v - V)/s)}", IC_MISTAKE_FRICTION_REGULARISED},
    {SOIL("C"), "condition: C", "condition: A", IC_MISTAKE_ADHESION_KEPT},
    {SOIL("A"), "condition: A", "condition: C", IC_MISTAKE_FORCE_CLIPPED},
    {TEETH("condition: C"), NULL, TEETH("condition: A"), IC_MISTAKE_ADHESION_KEPT},
    {SPRING("max(0, -k*x - c*v)"), "max(0, -k*x - c*v)", "(-k*x - c*v)", IC_MISTAKE_ADHESION_KEPT},
    {SPRING("-k*x - c*v"), "-k*x - c*v", "max(0, -k*x - c*v)", IC_MISTAKE_FORCE_CLIPPED},
    {TURNS, "-C*w^2*sin(p - q) - k*p, C*u^2*sin(p - q)", "-k*p, 0", IC_MISTAKE_COUPLING_LOST},
    {TURNS, "-C*w^2*sin(p - q) - k*p", "-k*p", IC_MISTAKE_COUPLING_LOST},
    {TURNS, "restitution: 0.7", "restitution: 0.7, pushes: {u: -1/J}", IC_MISTAKE_COUPLING_LOST},
    {PAIR, "v: -1/m, w: 1/m", "v: -1/m, w: 0/m", IC_MISTAKE_COUPLING_LOST},
    {SPIN, "slip: vx + R*w", "slip: vx", IC_MISTAKE_ROTATION_IGNORED},
    {SPIN, "min(mu*", "min(0*", IC_MISTAKE_FRICTIONLESS},
    {COUPLED, " - c*w", " - c*v", IC_MISTAKE_STATES_CONFUSED},
    {COUPLED, "c: 0.8", "c: -0.8", IC_MISTAKE_DAMPING_SIGN},
    {SIGN, "sign(v)", "1", IC_MISTAKE_SIGN_LOST},
    {SPRING("-k*x - c*v"), "- c*v", "- min(0, c*v)", IC_MISTAKE_DAMPING_ONE_SIDED},
    {CARTS(" + kc*(y - x) + c*(w - v)"), " + kc*(y - x) + c*(w - v)", "", IC_MISTAKE_COUPLING_LOST},
    {FREE, "b + x, restitution: e", "b + x, restitution: 0.75*e", IC_MISTAKE_IMPACTS_UNEQUAL},
    {CRASH, "w: 1/m", "w: 1.3/m", IC_MISTAKE_MOMENTUM_LOST},
    {CRASH, "gap: y - x", "gap: y - x + (9 m)", IC_MISTAKE_EVENT_LOST},
    {CRASH, "o*t", "o*t*pi/30", IC_MISTAKE_UNITS_MIXED},
    {CRASH, "o", "o", IC_NO_MISTAKE},
    {TEETH("condition: C"), "-x - b", "-x - 1.3*b", IC_MISTAKE_PARAMETER_WRONG},
    {HELD, ", static: 0.5", "", IC_MISTAKE_PARAMETER_WRONG},
    {CRATE(STICKS), STICKS, "flow: {x: v, v: f - a*tanh(v/s)}\n", IC_MISTAKE_FRICTION_REGULARISED},
    {CRATE(STICKS), "a", "a", IC_NO_MISTAKE},
    {COUPLED, "gap", "gap", IC_NO_MISTAKE},
    {PENDULA, "J", "J", IC_NO_MISTAKE},
    {SIGN, "mu", "mu", IC_NO_MISTAKE},
    {BELT, "mu", "mu", IC_NO_MISTAKE},
    {SOIL("C"), "k", "k", IC_NO_MISTAKE},
    {SPRING("-k*x - c*v"), "k", "k", IC_NO_MISTAKE},
    {SPIN, "mu", "mu", IC_NO_MISTAKE},
};

/* The rows of another problem, in the order of the states of this one. */
static void take_rows_of(audited *a, const ic_problem *other)
{
    IC_OWN(ic_trajectory) rows;
    const ic_case *system = a->setup.problem.system;
    audited_take_rows(&rows, other, NULL, &(ic_options){.samples = 1001, .rtol = 1e-11});
    CU_ASSERT_FATAL(ic_trajectory_open(&a->rows, rows.n, system->n_states, false));
    memcpy(a->rows.t, rows.t, rows.n * sizeof *rows.t);
    for (size_t j = 0; j < system->n_states; j++) {
        const size_t from = ic_state_find(other->system, system->states[j].name);
        const bool known = from < rows.n_states && !ic_state_is_derived(system, j);
        a->rows.source[j] = known ? IC_FROM_FILE : IC_FROM_TRACKING;
        for (size_t i = 0; i < rows.n && known; i++)
            a->rows.x[i * system->n_states + j] = rows.x[i * rows.n_states + from];
    }
}

/* The quick tier takes every so many. */
enum { PARTS = 3 };

IC_TEST(test_changes)
{
    for (size_t i = 0; i < IC_COUNT(changed_texts); i++) {
        if (!ic_tests_is_turn(i, PARTS)) continue;
        const struct changed_text *c = &changed_texts[i];
        const char *from = c->from != NULL ? c->from : c->text, *at = strstr(c->text, from);
        char text[1024];
        size_t others = 0;
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - c->text), c->text, c->to, at + strlen(from));
        IC_OWN(ic_casefile) *file = ic_tests_read(c->text), *changed = ic_tests_read(text);
        IC_OWN(audited) a = {.setup = ic_tests_setup_of(file, NULL)};
        IC_OWN(ic_setup) other = ic_tests_setup_of(changed, NULL);
        take_rows_of(&a, &other.problem);
        const bool good = audited_judge(&a, AUDITED_ACCURACY) == IC_AUDIT_GOOD;
        for (size_t f = 0; f < a.audit.findings.count; f++)
            others +=
                a.audit.findings.rows[f].cause != IC_NO_MISTAKE && a.audit.findings.rows[f].cause != c->mistake;
        IC_EXPECT(good == (c->mistake == IC_NO_MISTAKE) && others == 0 &&
                      (good || findings_naming(&a.audit.findings, c->mistake) > 0),
                  "'%s' for '%s' is not '%s' alone", c->to, from, ic_mistake_name(c->mistake));
        if (others > 0) findings_print_failed(&a.audit.findings, c->to);
    }
}

#define ROOM                                                                                                   \
    "parameters: {C: 2000 J/K, h: 8 W/K, P: 300 W, Ta: 5 K, on: 18 K, off: 22 K}\n"                            \
    "states: {T: {unit: K, start: 10 K}}\n"                                                                    \
    "flow: {T: (P*(1 - cold) - h*(T - Ta))/C}\n"                                                               \
    "elements: {cold: {switch: {input: T, on: off, off: on}}}\n"                                               \
    "presets: {default: {until: 3000 s}}\n"
#define GROUND                                                                                                 \
    "parameters: {m: 1 kg, k: 100 N/m, F: 8 N, o: 4 rad/s, N: 10 N, mu: 0.4}\n"                                \
    "states: {x: m, v: m/s}\n"                                                                                 \
    "flow: {x: v, v: (-k*x + F*sin(o*t))/m}\n"                                                                 \
    "elements: {f: {friction: {slip: v, normal: N, kinetic: mu, pushes: {v: 1/m}}}}\n"                         \
    "presets: {default: {until: 5 s}}\n"

#define SHAKEN                                                                                                 \
    "parameters: {g: 9.81 m/s^2, a: 4 mm, o: 40 rad/s}\n"                                                      \
    "states: {y: {unit: m, start: 0.12 m}, v: m/s}\n"                                                          \
    "flow: {y: v, v: -g}\n"                                                                                    \
    "elements: {table: {stop: {gap: y - a*sin(o*t), restitution: 0.8}}}\n"                                     \
    "presets: {default: {until: 1.2 s}}\n"

/* A ball is put back on its table at the end of a step. */
static void fall(double *x, double t, double h)
{
    const double table = 4e-3 * sin(40 * (t + h)), u = 0.16 * cos(40 * (t + h));
    x[0] += h * x[1] - 0.5 * 9.81 * h * h, x[1] -= 9.81 * h;
    if (x[0] < table && x[1] < u) x[0] = table, x[1] = u - 0.8 * (x[1] - u);
}

/* The heater, whose state is the second number, is switched at the end of a step. */
static void heat(double *x, double t, double h)
{
    const double rest = x[1] > 0 ? 5 : 42.5;
    (void)t;
    x[0] = rest + (x[0] - rest) * exp(-8 * h / 2000);
    if (x[0] > 22) x[1] = 1;
    if (x[0] < 18) x[1] = 0;
}

static void rub(double *f, double t, const double *x, const double *par)
{
    (void)par;
    f[0] = x[1];
    f[1] = 8 * sin(4 * t) - 100 * x[0] - (x[1] > 0 ? 4 : -4);
}

static void slide(double *x, double t, double h)
{
    double f[2];
    rub(f, t, x, NULL);
    x[1] += h * f[1], x[0] += h * x[1];
}

static void slide_by_stages(double *x, double t, double h)
{
    ic_tests_step(rub, NULL, 2, t, h, x);
}

IC_TEST(test_steps)
{
    static const struct {
        const char *text;
        void (*step)(double *x, double t, double h);

        /* s */
        double start, spacing;

        size_t steps, rows;
        ic_mistake_id mistake;
    } of_steps[] = {{ROOM, heat, 10, 10, 1, 301, IC_MISTAKE_NO_EVENT_LOCATION},
                    {ROOM, heat, 10, 20, 4, 151, IC_MISTAKE_NO_EVENT_LOCATION},
                    {SHAKEN, fall, 0.12, 2e-3, 1, 601, IC_MISTAKE_NO_EVENT_LOCATION},
                    {GROUND, slide, 0, 5e-3, 10, 1001, IC_MISTAKE_FRICTION_CHATTERS},
                    {GROUND, slide_by_stages, 0, 5e-3, 1, 1001, IC_MISTAKE_FRICTION_CHATTERS}};
    for (size_t i = 0; i < IC_COUNT(of_steps); i++) {
        IC_OWN(ic_casefile) *file = ic_tests_read(of_steps[i].text);
        IC_OWN(audited) a = {.setup = ic_tests_setup_of(file, NULL)};
        const size_t n = a.setup.problem.system->n_states;
        double x[2] = {of_steps[i].start, 0};
        const double h = of_steps[i].spacing / (double)of_steps[i].steps;
        CU_ASSERT_FATAL(ic_trajectory_open(&a.rows, of_steps[i].rows, n, false));
        for (size_t j = 0; j < n; j++)
            a.rows.source[j] = ic_state_is_derived(a.setup.problem.system, j) ? IC_FROM_TRACKING : IC_FROM_FILE;
        for (size_t r = 0; r < a.rows.n; r++) {
            a.rows.t[r] = (double)r * of_steps[i].spacing;
            for (size_t j = 0; j < n && j < 2; j++) a.rows.x[r * n + j] = x[j];
            for (size_t s = 0; s < of_steps[i].steps; s++) of_steps[i].step(x, a.rows.t[r] + (double)s * h, h);
        }
        (void)audited_judge(&a, AUDITED_ACCURACY);
        IC_EXPECT(findings_naming(&a.audit.findings, of_steps[i].mistake) == 1, "not '%s', %zu",
                  ic_mistake_name(of_steps[i].mistake), i);
    }
}
