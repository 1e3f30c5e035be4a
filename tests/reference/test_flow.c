/* SPDX-License-Identifier: MIT */
/**
 * Certified flows: against closed forms of free impacts; formulas from texts; ties; sets that do not wrap; and what is
 * refused. Affine flows have a suite of their own. Checks assert containment; each has a planted wrong answer.
 */
#include "casefile/casefile.h"
#include "core/model.h"
#include "reference/flow/certify.h"
#include "reference/flow/flow_parts.h"
#include "reference/flow/flow_set.h"
#include "reference/flow/flow_step.h"
#include "reference/judge/judge.h"
#include "reference/law/contact_law.h"
#include "tests/machine.h"
#include "tests/reference/certified.h"

#include <time.h>

IC_SUITE(solvers, "certified flows")
IC_OWNED(ic_flow_set, ic_flow_set_clear)
IC_OWNED(ic_flow_terms, ic_flow_terms_clear)

/* Rounding of a speed of 1.5 m/s whose phase has some thousand units in the last place, m/s. */
#define CAM_ROUNDING 1e-12

/* MOST_BITS: sets that lost a part of the differences of speeds needed 5000 and more. */
enum { BITS = 256, MOST_SECONDS = 60, MOST_BITS = 2000 };

/* ---- problems */

static void certify_path(certified *r, const char *path, const char *variant, const char *setting,
                         const char *until, const ic_certify_options *options)
{
    const ic_request request = {
        .path = path, .variant = variant, .settings = &setting, .n_settings = setting != NULL, .until = until};
    certify(r, NULL, &request, options);
}

static void certify_text(certified *r, const char *text, const char *setting, const ic_certify_options *options)
{
    certify(r, text, &(ic_request){.settings = &setting, .n_settings = setting != NULL}, options);
}

/* ---- free impacts against closed forms */

/* Whether restitution, peaks and duration of a run overlap those of the law's first integral. */
static bool impact_agrees(const certified *r, const ic_law_certificate *law)
{
    const ic_free_impact *names = r->m.setup.problem.variant->free_impact;
    const struct {
        const char *name;
        arb_srcptr value;
    } rows[] = {{names->restitution, law->e_out},
                {names->peak_force, law->F_max},
                {names->peak_indentation, law->d_max},
                {names->duration, law->duration}};
    bool agrees = true;
    IC_BALLS(value);
    for (size_t i = 0; i < IC_COUNT(rows); i++)
        agrees = certified_output(value, r, rows[i].name) && arb_overlaps(value, rows[i].value) && agrees;
    return agrees;
}

static void check_impact(const char *variant, const char *setting)
{
    CERTIFIED(r);
    ic_law_certificate law;
    certify_path(&r, "ball/hertz", variant, setting, NULL, &(ic_certify_options){.digits = 20});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    ic_law_certificate_init(&law);
    ic_law_certify_problem(&law, &r.m.setup.problem, 25);
    CU_ASSERT_EQUAL(law.status, IC_OK);
    CU_ASSERT(impact_agrees(&r, &law));
    /* planted: a time that is longer by 2^-63 of itself */
    arb_mul_2exp_si(law.e_out, law.duration, -63);
    arb_add(law.duration, law.duration, law.e_out, BITS);
    CU_ASSERT(!impact_agrees(&r, &law));
    ic_law_certificate_clear(&law);
}

IC_TEST(test_free_impacts)
{
    static const char *const laws[] = {
        "hertz",    "hunt-crossley",       "flores",       "gonthier-exact", "improved",      "liu",
        "bai-zhao", "lankarani-nikravesh", "kelvin-voigt", "kelvin-voigt-B", "kelvin-voigt-C"};
    for (size_t i = 0; i < IC_COUNT(laws); i++) check_impact(laws[i], NULL);
    /* roots of other orders: u^4 = d, u^3 = d, u^8 = d; and none */
    check_impact("hunt-crossley", "n=5/4");
    /* the first of its variant: units of the text are those of its own n */
    check_impact("lee-wang", "n=5/4");
    check_impact("hunt-crossley", "n=4/3");
    check_impact("hertz", "n=1.125");
    check_impact("hunt-crossley", "n=2");
}

/* Compares the restitution of a certified impact with a number; another one by 1e-17 is refused. */
static void check_restitution(const char *path, const char *setting, const char *e)
{
    CERTIFIED(r);
    IC_BALLS(value);
    certify_path(&r, path, NULL, setting, NULL, &(ic_certify_options){.digits = 20});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT(certified_output(value, &r, "restitution") && ball_is(value, e, "1e-17"));
}

/* ln(e) = -pi alpha/sqrt(2 (n + 1) - alpha^2): over d^((n + 1)/2) the motion is that of a linear spring and dashpot. */
IC_TEST(test_tsuji)
{
    static const char *const rows[][2] = {
        {"c_r=1/2", "0.5"}, {"c_r=1/8", "0.125"}, {"n=2", "0.8"}, {"n=5/4", "0.8"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) check_restitution("ball/tsuji", rows[i][0], rows[i][1]);
}

/*
 * By hand, in units of k and m: d = sin(w t)/w with w = sqrt(2) until k d = c v, tan(w t) = c w, then the damped
 * oscillation until k d + c v = 0, and no force from there on; with mpmath to 30 digits for c/(2 sqrt(k m)) of e = 0.8.
 */
IC_TEST(test_elasto_gap)
{
    check_restitution("ball/elasto-gap", NULL, "0.816119343595344404943541365772 +/- 1e-29");
}

/* ---- formulas from texts */

static bool events_agree(const ic_certificate *a, const ic_certificate *b)
{
    bool agree = a->status == b->status && a->count == b->count && a->mode == b->mode;
    for (size_t i = 0; i < a->count && agree; i++) {
        const ic_ball_event *x = &a->events[i], *y = &b->events[i];
        agree = strcmp(x->name, y->name) == 0 && x->mode_from == y->mode_from && x->mode_to == y->mode_to &&
                x->sequence == y->sequence && arb_overlaps(x->t, y->t);
        for (slong k = 0; k < a->n && agree; k++)
            agree = arb_overlaps(x->before + k, y->before + k) && arb_overlaps(x->after + k, y->after + k);
    }
    for (slong k = 0; k < a->n && agree; k++) agree = arb_overlaps(a->x + k, b->x + k);
    return agree;
}

/* The texts of a linear view, which cases in C give alone, say the same as the formulas of the case file. */
static void check_texts(const char *path, const char *until)
{
    CERTIFIED(general);
    IC_OWN(ic_certificate) texts;
    const ic_certify_options options = {.digits = 20, .time_limit = MOST_SECONDS};
    certify_path(&general, path, NULL, NULL, until, &options);
    ic_certify(&texts, &general.m.setup.problem, &options);
    CU_ASSERT(general.c.steps > 0 && events_agree(&general.c, &texts));
    CU_ASSERT_FATAL(texts.count > 0);
    /* planted: an event that is left out */
    texts.count--;
    CU_ASSERT(!events_agree(&general.c, &texts));
    texts.count++;
    /* outputs too */
    IC_BALLS(value, other);
    const ic_problem *problem = &general.m.setup.problem;
    const ic_output *output = &problem->system->outputs[0];
    CU_ASSERT(ic_certified_output(value, problem, output, texts.mode, texts.t, texts.x, BITS));
    CU_ASSERT(certified_output(other, &general, output->name));
    CU_ASSERT(arb_overlaps(value, other));
}

/*
 * Impacts that accumulate where the relative acceleration is near zero: at the last of them the masses differ in
 * speed by 1e-36 m/s.
 */
IC_TEST(test_chatter)
{
    CERTIFIED(r);
    certify_path(&r, "two-mass/example-2", NULL, NULL, NULL,
                 &(ic_certify_options){.digits = 30, .time_limit = MOST_SECONDS});
    CU_ASSERT_EQUAL(r.c.status, IC_ZENO);
    CU_ASSERT(r.c.count > 200 && r.c.precision < MOST_BITS);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.c.reason, "accumulate"));
}

/* The limit of an accumulation; NULL: the certificate has none. */
static const ic_ball_event *limit_of(const ic_certificate *c)
{
    size_t i = 0;
    while (i < c->count && c->events[i].kind != IC_EVENT_ACCUMULATION) i++;
    return i < c->count ? &c->events[i] : NULL;
}

/* A ball that rests after (1 + e)/(1 - e) sqrt(2 h/g); a follower on a cam x = a (1 - cos(omega t)). */
IC_TEST(test_limits_of_impacts)
{
    CERTIFIED(r);
    certify_path(&r, "bouncing-ball/drop", NULL, NULL, NULL, &(ic_certify_options){.digits = 30});
    const ic_ball_event *limit = limit_of(&r.c);
    CU_ASSERT_FATAL(r.c.status == IC_OK && limit != NULL && limit == &r.c.events[r.c.count - 1]);
    CU_ASSERT(ball_is(limit->t, "sqrt(18/9.81)", "1e-29"));
    CU_ASSERT_FALSE(ball_is(limit[-1].t, "sqrt(18/9.81)", "1e-29")); /* planted */
    certify_path(&r, "cam/above", NULL, NULL, NULL, &(ic_certify_options){.digits = 15});
    limit = limit_of(&r.c);
    CU_ASSERT_FATAL(r.c.status == IC_OK && limit != NULL);
    const double omega = 2 * M_PI * 1400 / 60, speed = ic_flow_middle(limit->after + 1);
    CU_ASSERT_DOUBLE_EQUAL(speed, 0.01 * omega * sin(omega * ic_flow_middle(limit->t)), CAM_ROUNDING);
    CU_ASSERT(fabs(ic_flow_middle(limit[-1].after + 1) - speed) > CAM_ROUNDING); /* planted */
    /* a proof has no place for it */
    FILE *proof = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(proof);
    certify_path(&r, "bouncing-ball/drop", NULL, NULL, NULL, &(ic_certify_options){.proof = proof});
    CU_ASSERT_EQUAL(r.c.status, IC_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.c.reason, "no place in a proof"));
    fclose(proof);
}

IC_TEST(test_linear_texts)
{
    check_texts("roller/III/C", "0.3");
    check_texts("planar-bar/kappa-100", NULL);
    check_texts("two-mass/forced", NULL);
    check_texts("bouncing-ball/drop", "1.3");
}

/* ---- ties */

/* A bar that sticks until lift-off: both deflections vanish at t = pi, since the frequencies are 1 and 2. */
IC_TEST(test_tie_of_bar)
{
    CERTIFIED(r);
    IC_BALLS(impulse);
    certify_path(&r, "planar-bar/sticking", NULL, NULL, NULL, &(ic_certify_options){.digits = 20});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT_EQUAL_FATAL(r.c.count, 1);
    CU_ASSERT_STRING_EQUAL(r.c.events[0].name, "lift-off");
    CU_ASSERT(ball_is(r.c.t, "pi", "1e-18"));
    CU_ASSERT(certified_output(impulse, &r, "P_y") && ball_is(impulse, "1.8", "1e-18"));
}

/* x and y vanish at t = 1. What happens at x = 0 ends the run; y = 0 leads to another mode. */
#define TIE_TEXT(then_, other_)                                                                                \
    "title: A tie\n"                                                                                           \
    "states: {x: {unit: 1, scale: 1, start: 1}, y: {unit: 1, scale: 1, start: 1}}\n"                           \
    "time_scale: 1 s\n"                                                                                        \
    "modes:\n"                                                                                                 \
    "  first:\n"                                                                                               \
    "    flow: {x: \"-1/(1 s)\", y: \"-3*t^2/(1 s^3)\"}\n"                                                     \
    "    until:\n"                                                                                             \
    "      ends: {falls: x, then: {mode: over}}\n"                                                             \
    "      leaves: {falls: y, then: " then_ "}\n"                                                              \
    "  second:\n"                                                                                              \
    "    flow: {x: \"-1/(2 s)\", y: 1/(1 s)}\n"                                                                \
    "    until:\n" other_ "  over: {flow: {x: 0, y: 0}, ends: true}\n"                                         \
    "presets: {default: {until: 2 s}}\n"

static ic_status certify_tie(certified *r, const char *text)
{
    certify_text(r, text, NULL, &(ic_certify_options){.digits = 10});
    const ic_status status = r->c.status;
    const bool named = strstr(r->c.reason, "simultaneous") != NULL;
    CU_ASSERT_EQUAL(named, status == IC_UNDECIDED);
    CU_ASSERT(r->c.precision <= 4 * (slong)IC_FLOW_TIE_BITS);
    CU_ASSERT(status != IC_OK ||
              (r->c.count == 1 && ball_is(r->c.t, "1", "1e-18") && ball_is(r->c.x, "0", "1e-18")));
    return status;
}

IC_TEST(test_ties)
{
    CERTIFIED(r);
    /* the other mode ends there too; in its own place; not at all; or somewhere else */
    CU_ASSERT_EQUAL(certify_tie(&r, TIE_TEXT("{mode: second}", "      ends: {falls: x, then: {mode: over}}\n")),
                    IC_OK);
    CU_ASSERT_EQUAL(certify_tie(&r, TIE_TEXT("[{if: x > 5, mode: second}, {mode: over}]",
                                             "      ends: {falls: x, then: {mode: over}}\n")),
                    IC_OK);
    CU_ASSERT_EQUAL(
        certify_tie(&r, TIE_TEXT("{mode: second}", "      ends: {falls: x + 1, then: {mode: over}}\n")),
        IC_UNDECIDED);
    CU_ASSERT_EQUAL(
        certify_tie(&r, TIE_TEXT("{mode: second}", "      ends: {falls: x, then: {mode: over, x: 1}}\n")),
        IC_UNDECIDED);
    CU_ASSERT_EQUAL(certify_tie(&r, TIE_TEXT("{mode: second}", "      ends: {rises: x, then: {mode: over}}\n")),
                    IC_UNDECIDED);
}

/* What is undecided is named, and is not what lies behind the next event: x - d would touch zero there. */
IC_TEST(test_reasons)
{
#define KICK(start, then)                                                                                      \
    "states: {x: {unit: m, start: 1 m}, v: {unit: m/s, start: " start "}}\nflow: {x: v, v: 0 m/s^2}\n"         \
    "elements: {w: {stop: {gap: x, restitution: 0.5}}}\ntimes: {k: {at: 1 s, then: {" then "}}}\n"             \
    "presets: {default: {until: 2 s}}\n"
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {KICK("-1 m/s", "v: v + (3 m/s)"),
         "whether 'w' or 'k' comes first: they are simultaneous at t = 1.000000"},
        {KICK("0 m/s", "x: -1 m"), "a body that 'k' puts behind the stop 'w'"},
        {"parameters: {d: 0.5 m, k: 1 1/s^2}\nstates: {x: {unit: m, start: 1.5 m}, v: m/s}\n"
         "flow: {x: v, v: \"-k*(max(0*d, x - d) - max(0*d, -x - d))\"}\npresets: {default: {until: 20 s}}\n",
         NULL}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        CERTIFIED(r);
        certify_text(&r, rows[i].text, NULL, &(ic_certify_options){.digits = 10});
        CU_ASSERT_EQUAL(r.c.status, rows[i].reason == NULL ? IC_OK : IC_UNDECIDED);
        CU_ASSERT(rows[i].reason == NULL || strstr(r.c.reason, rows[i].reason) != NULL);
    }
}

/* Sums of decimals are fractions: 0.1 + 0.2 - 0.3 is zero, and 1 + 0.05*(-20) too; a digit more is not. */
IC_TEST(test_sums_of_decimals)
{
    static const char text[] = "parameters: {a: 0.1, b: 0.2, c: 0.3, R: 0.05, w0: -20}\n"
                               "states: {x: {unit: 1, start: a + b - c}, y: {unit: 1, start: 1 + R*w0}}\n"
                               "flow: {x: 0, y: 0}\n"
                               "start: [{if: x < 0 or x > 0, mode: moved}, {if: y < 0 or y > 0, mode: turned}, "
                               "{mode: level}]\n"
                               "modes: {moved: {}, turned: {}, level: {}}\n"
                               "presets: {default: {until: 1 s}}\n";
    static const char *const settings[] = {NULL, "c=0.30000000000000001", "w0=-20.0000000000000001"};
    static const int modes[] = {2, 0, 1};
    for (size_t i = 0; i < 3; i++) {
        CERTIFIED(r);
        certify_text(&r, text, settings[i], &(ic_certify_options){.digits = 20});
        CU_ASSERT_EQUAL(r.c.status, IC_OK);
        CU_ASSERT_EQUAL(r.c.mode, modes[i]);
    }
}

/*
 * Friction mu_k + (mu_s - mu_k) exp(-s/v_s) begins with mu_s, so that the mass that starts to slip has no slip
 * acceleration yet.
 */
IC_TEST(test_friction_that_begins_static)
{
    static const char *const variants[] = {"two masses, stribeck", "two masses, hyperbolic"};
    for (size_t i = 0; i < 2; i++) {
        CERTIFIED(r);
        certify_path(&r, "stick-slip/two", variants[i], NULL, "0.55",
                     &(ic_certify_options){.digits = 10, .time_limit = MOST_SECONDS});
        CU_ASSERT_EQUAL(r.c.status, IC_OK);
        CU_ASSERT_EQUAL(r.c.count, 3);
    }
    /* x + (y - x) = y, and only that */
    enum { PREC = 64 };
    static const bool constant[3] = {false};
    IC_OWN(ic_flow_terms) terms;
    IC_BALLS(clock);
    IC_BALL_VECTOR(start, 3);
    ic_flow_terms_init(&terms, 2, start, clock, constant, PREC);
    const int x = ic_flow_term_variable(&terms, 0), y = ic_flow_term_variable(&terms, 1);
    const int rest = ic_flow_term_subtract(&terms, y, x);
    CU_ASSERT_EQUAL(ic_flow_term_add(&terms, x, rest), y);
    CU_ASSERT_EQUAL(ic_flow_term_add(&terms, rest, x), y);
    CU_ASSERT_NOT_EQUAL(ic_flow_term_add(&terms, y, rest), x);
    CU_ASSERT_NOT_EQUAL(ic_flow_term_add(&terms, x, ic_flow_term_subtract(&terms, x, y)), y);
}

/* ---- rest at a guard */

/*
 * An oscillator in equilibrium stays where its guard is zero. With a force that begins as t^20, or a guard that moves
 * like that, it does not, although the first derivatives vanish.
 */
IC_TEST(test_equilibrium_at_a_guard)
{
    static const char *const texts[] = {"v: -x/(1 s^2)", "v: \"-x/(1 s^2) + (t/(1 s))^20*(1 m/s^2)\""};
    static const char *const guards[] = {"x", "\"x - (t/(1 s))^20*(1 m)\""};
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "states: {x: {unit: m, scale: 1 m}, v: {unit: m/s, scale: 1 m/s}}\ntime_scale: 1 s\n"
                 "flow: {x: v, %s}\nuntil: {floor: {falls: %s, then: {v: -v}}}\n"
                 "presets: {default: {until: 2 s}}\n",
                 texts[i == 1], guards[i == 2]);
        CERTIFIED(r);
        certify_text(&r, text, NULL, &(ic_certify_options){.digits = 10, .time_limit = MOST_SECONDS});
        CU_ASSERT_EQUAL(r.c.status, i == 0 ? IC_OK : IC_UNDECIDED);
        if (i == 0) CU_ASSERT_EQUAL(r.c.count, 0);
    }
}

/* ---- how many bits are tried */

/* A touch is not decided with any number of bits: the first reason is given after a few attempts. */
IC_TEST(test_bound_of_attempts)
{
    static const char *text = "title: A touch\n"
                              "states: {x: {unit: 1, scale: 1, start: 1}}\n"
                              "time_scale: 1 s\n"
                              "flow: {x: \"2*(t/(1 s) - 1)/(1 s)\"}\n"
                              "until: {touch: {falls: x, then: {}}}\n"
                              "presets: {default: {until: 2 s}}\n";
    CERTIFIED(r);
    certify_text(&r, text, NULL, &(ic_certify_options){.digits = 10});
    CU_ASSERT_EQUAL(r.c.status, IC_UNDECIDED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.c.reason, "whether 'touch' crosses or touches zero"));
    CU_ASSERT(r.c.precision < 500);
}

/* ---- machines from text */

/* A pendulum, a bead on it, and a wall: mass matrix, sine, stop. */
static const char pendulum[] = "name: pendulum\n"
                               "title: A pendulum hits a wall\n"
                               "parameters:\n"
                               "  g: {value: 9.81 m/s^2, range: positive, meaning: gravity}\n"
                               "  l: {value: 1 m, range: positive, meaning: length}\n"
                               "  e: {value: 1/2, range: \"[0, 1]\", meaning: restitution}\n"
                               "states:\n"
                               "  phi: {unit: rad, scale: 1, start: 1, meaning: angle}\n"
                               "  w: {unit: rad/s, scale: sqrt(g/l), meaning: its rate}\n"
                               "time_scale: sqrt(l/g)\n"
                               "modes:\n"
                               "  swing:\n"
                               "    flow: {phi: w, w: -g/l*sin(phi)}\n"
                               "    until:\n"
                               "      wall: {falls: phi, then: {w: -e*w}, meaning: it hits the wall}\n"
                               "presets:\n"
                               "  first: {until: 3*sqrt(l/g), meaning: a few impacts}\n";

/*
 * The pendulum falls from phi_0 = 1 in K(sin(1/2)) sqrt(l/g), where K is the complete elliptic integral with
 * the modulus k = sin(phi_0/2); with mpmath to 45 digits.
 */
IC_TEST(test_pendulum)
{
    CERTIFIED(r);
    certify_text(&r, pendulum, NULL, &(ic_certify_options){.digits = 30});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT_FATAL(r.c.count > 0);
    CU_ASSERT(ball_is(r.c.events[0].t, "0.534784400139672211199432756665521921162511157 +/- 1e-44", "1e-28"));
}

/* A mass on a spring that stiffens meets two buffers of different powers, driven. */
static const char buffers[] = "name: buffers\n"
                              "title: A driven mass between two buffers\n"
                              "parameters:\n"
                              "  p: {value: 3/2, range: \"[1, inf)\", meaning: power of the first buffer}\n"
                              "states:\n"
                              "  x: {unit: 1, scale: 1, start: 0, meaning: place}\n"
                              "  v: {unit: 1/s, scale: 1 1/s, start: 1 1/s, meaning: speed}\n"
                              "time_scale: 1 s\n"
                              "definitions:\n"
                              "  F: 20*max(x - 0.5, 0)^p - 30*max(-x - 0.4, 0)^2\n"
                              "modes:\n"
                              "  all:\n"
                              "    flow: {x: v, v: \"(-x - x^3 - F + cos(1.3*t/(1 s)))/(1 s^2)\"}\n"
                              "    until:\n"
                              "      right: {crosses: x - 0.5, then: {}, meaning: the first buffer}\n"
                              "      left: {crosses: x + 0.4, then: {}, meaning: the second buffer}\n"
                              "presets:\n"
                              "  first: {until: 6 s, meaning: several contacts}\n";

/* Two precisions give answers that agree; another parameter gives another answer. */
IC_TEST(test_buffers)
{
    CERTIFIED(low);
    CERTIFIED(high);
    CERTIFIED(other);
    certify_text(&low, buffers, NULL, &(ic_certify_options){.digits = 12});
    certify_text(&high, buffers, NULL, &(ic_certify_options){.digits = 40});
    IC_EXPECT(low.c.status == IC_OK, "%s", low.c.reason);
    CU_ASSERT(low.c.count >= 6);
    CU_ASSERT(events_agree(&low.c, &high.c));
    /* 1.5000000001 is no fraction p/q with q <= 8 */
    certify_text(&other, buffers, "p=1.5000000001", &(ic_certify_options){.digits = 12});
    CU_ASSERT_EQUAL(other.c.status, IC_UNDECIDED);
    CU_ASSERT_PTR_NOT_NULL(strstr(other.c.reason, "no fraction p/q with q <= 8"));
}

/* A journal that moves through its bearing, past the centre, and hits the wall, which is a Hertz contact. */
static const char journal[] = "title: A journal in a bearing\n"
                              "parameters: {c: 1 mm, y_0: 0.25 mm, u: 1 m/s, m: 1 kg, K: 1e9 N/m^1.5}\n"
                              "states:\n"
                              "  x: {unit: m, start: -c/2, scale: c}\n"
                              "  v: {unit: m/s, start: u, scale: u}\n"
                              "  y: {unit: m, start: y_0, scale: c}\n"
                              "  w: {unit: m/s, start: 0 m/s, scale: u}\n"
                              "time_scale: c/u\n"
                              "definitions: {r: sqrt(x^2 + y^2)}\n"
                              "flow: {x: v, v: 0 m/s^2, y: w, w: 0 m/s^2}\n"
                              "elements:\n"
                              "  wall: {contact: {indentation: r - c, law: hertz, with: {K: K},"
                              " pushes: {v: -x/(r*m), w: -y/(r*m)}}}\n"
                              "outputs: {spin: {value: x*w - y*v, unit: m^2/s}, speed: sqrt(v^2 + w^2)}\n"
                              "presets: {first: {until: 3*c/u}}\n";

/* The bases of two roots: x^2 + y^2, which formulas divide by, and r - c. Spin and, apart, speed do not change. */
IC_TEST(test_journal)
{
    CERTIFIED(r);
    IC_BALLS(value);
    certify_text(&r, journal, NULL, &(ic_certify_options){.digits = 12});
    IC_EXPECT(r.c.status == IC_OK, "%s", r.c.reason);
    CU_ASSERT_EQUAL(r.c.count, 2);
    CU_ASSERT(certified_output(value, &r, "speed") && ball_is(value, "1", "1e-8"));
    CU_ASSERT(certified_output(value, &r, "spin") && ball_is(value, "-0.00025", "-1e-14"));
}

/* The base of the power is never zero: x = sqrt(2) sinh(asinh(5/sqrt(2)) - t). */
static const char rootless[] = "title: A power of a number that is never zero\n"
                               "states: {x: {unit: 1, scale: 1, start: 5}, y: {unit: 1, scale: 1}}\n"
                               "time_scale: 1 s\n"
                               "flow: {x: \"-sqrt(2 + x^2)/(1 s)\", y: \"(2 + x^2)^(-2/5)/(1 s)\"}\n"
                               "until: {middle: {falls: x, then: {}}}\n"
                               "presets: {default: {until: 4 s}}\n";

IC_TEST(test_positive_forms)
{
    CERTIFIED(r);
    certify_text(&r, rootless, NULL, &(ic_certify_options){.digits = 20, .time_limit = MOST_SECONDS});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT_EQUAL_FATAL(r.c.count, 1);
    CU_ASSERT(ball_is(r.c.events[0].t, "log(5/sqrt(2) + sqrt(27/2))", "1e-18"));
}

/* A ball that comes to rest on a stiff floor; x and v shrink to rounding, what the contact remembers does not. */
static const char resting[] = "title: A ball that comes to rest on a stiff floor\n"
                              "parameters: {m: 1.419 kg, g: 2.65 m/s^2, h: 0.0105 m, v0: 0.392 m/s,\n"
                              "  n: 8/7, K: 9.0644e9 N/m^n, e: 0.647}\n"
                              "states: {x: {unit: m, start: h}, v: {unit: m/s, start: v0}}\n"
                              "flow: {x: v, v: -g}\n"
                              "elements:\n"
                              "  floor: {contact: {indentation: -x, pushes: {v: 1/m}, law: hu-guo}}\n"
                              "presets: {default: {until: 0.96 s}}\n";

IC_TEST(test_rest)
{
    CERTIFIED(r);
    certify_text(&r, resting, NULL, &(ic_certify_options){.digits = 30, .time_limit = MOST_SECONDS});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT_EQUAL(r.c.count, 33);
    CU_ASSERT_EQUAL(r.c.precision, 155); /* errors that grew from step to step took more */
    /* the depth of rest: K d^n = m g */
    CU_ASSERT(ball_is(r.c.x, "-exp(7/8*log(1.419*2.65/9064400000))", "1e-25"));
}

/* A plastic impact through a mass matrix leaves the gap without a rate; equal decimals of parameters are equal. */
IC_TEST(test_zeros_by_value)
{
    static const char text[] =
        "parameters: {a: 0.8, b: 0.8}\nstates: {q: {unit: rad, start: -0.5 rad}, w: 1/s, y: 1}\nflow: {q: w, y: 0}\n"
        "mass: {of: [w], matrix: [[1 kg m^2]], force: [\"-(9.81 N m)*sin(q)\"]}\n"
        "elements: {wall: {stop: {gap: (0.1 m) - (1 m)*sin(q)}}}\n"
        "times: {late: {at: 1 s, then: [{if: a = b, y: 1}, {y: 2}]}}\npresets: {default: {until: 2 s}}\n";
    for (int planted = 0; planted < 2; planted++) {
        CERTIFIED(r);
        certify_text(&r, text, planted ? "b=0.8000000000000001" : NULL,
                     &(ic_certify_options){.digits = 20, .time_limit = MOST_SECONDS});
        CU_ASSERT_EQUAL(r.c.status, IC_OK);
        CU_ASSERT(arb_equal_si(r.c.x + 2, planted ? 2 : 1));
    }
}

/* x = cos 3t: conditions of several parts, each of which changes while the others hold. */
static const char windows[] =
    "title: An oscillator with windows\n"
    "parameters: {w: 3 1/s}\n"
    "states: {x: {unit: 1, scale: 1, start: 1}, v: {unit: 1/s, scale: 3 1/s, start: 0 1/s}, n: {unit: 1, scale: 1}}\n"
    "time_scale: 1 s\n"
    "flow: {x: v, v: -w^2*x, n: 0 1/s}\n"
    "until:\n"
    "  mark: {crosses: x - 0.5, if: t > (1 s) and t < (3 s) and (v > 0 or x > 0.4 and t > (2 s)), then: {n: n + 1}}\n"
    "  low: {falls: v, if: x > 0.1 or v < (1 1/s), then: {n: n + 100}}\n"
    "presets: {default: {until: 6 s}}\n";

IC_TEST(test_joined_conditions)
{
    static const char *const expected[][2] = {
        {"low", "0"}, {"mark", "5*pi/9"}, {"low", "6*pi/9"}, {"mark", "7*pi/9"}, {"low", "12*pi/9"}};
    CERTIFIED(r);
    certify_text(&r, windows, NULL, &(ic_certify_options){.digits = 20, .time_limit = MOST_SECONDS});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT_EQUAL_FATAL(r.c.count, IC_COUNT(expected));
    for (size_t i = 0; i < IC_COUNT(expected); i++) {
        CU_ASSERT_STRING_EQUAL(r.c.events[i].name, expected[i][0]);
        CU_ASSERT(ball_is(r.c.events[i].t, expected[i][1], "1e-18"));
    }
    CU_ASSERT(ball_is(r.c.x + 2, "302", "1")); /* planted: one part is left out */
}

/* ---- what is not proved */

IC_TEST(test_limits)
{
    CERTIFIED(r);
    certify_path(&r, "rotating-beam/main", NULL, NULL, "0.1",
                 &(ic_certify_options){.digits = 30, .time_limit = 0.2});
    CU_ASSERT_EQUAL(r.c.status, IC_TOO_MUCH_WORK);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.c.reason, "time limit"));
    CU_ASSERT(arf_cmp_d(arb_midref(r.c.t), 0) >= 0);
    /* the first step of this run takes minutes */
    const double begin = (double)clock() / CLOCKS_PER_SEC;
    certify_path(&r, "planar-bar/kappa-1e4", NULL, NULL, NULL,
                 &(ic_certify_options){.digits = 1000, .time_limit = 0.2});
    CU_ASSERT_EQUAL(r.c.status, IC_TOO_MUCH_WORK);
    CU_ASSERT((double)clock() / CLOCKS_PER_SEC - begin < 5);
    /* without its formulas */
    IC_OWN(ic_certificate) c;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/law"});
    ic_certify(&c, &setup.problem, &(ic_certify_options){.digits = 10});
    CU_ASSERT_EQUAL(c.status, IC_UNSUPPORTED);
}

/* A case that is read again for one size is not taken for another. */
IC_TEST(test_sizes)
{
    static const struct {
        const char *setting;
        slong n;
    } runs[] = {{"N=2", 8}, {NULL, 10}, {"N=1", 6}, {"N=2", 8}, {NULL, 10}};
    for (size_t i = 0; i < IC_COUNT(runs); i++) {
        CERTIFIED(r);
        certify_path(&r, "rotating-beam/main", NULL, runs[i].setting, "0.001",
                     &(ic_certify_options){.digits = 5});
        CU_ASSERT_EQUAL(r.c.status, IC_OK);
        CU_ASSERT_EQUAL(r.c.n, runs[i].n);
        CU_ASSERT_EQUAL(r.m.exact.problem.system->n_states, r.m.setup.problem.system->n_states);
    }
}

/* ---- states at times on the way */

enum { TIMES = 60 };

typedef struct states_at {
    ic_certificate c[TIMES];
    size_t calls;
} states_at;

static void take_state(size_t number, const ic_certificate *c, void *context)
{
    states_at *s = context;
    ic_certificate *kept = &s->c[number];
    arb_set(kept->t, c->t);
    _arb_vec_set(kept->x, c->x, c->n);
    kept->mode = c->mode;
    s->calls++;
}

/* Each state on the way is that of a run that ends there; so is the end, after it. */
static void check_states_on_the_way(const char *path, double end)
{
    double times[TIMES];
    states_at s = {.calls = 0};
    CERTIFIED(whole);
    CERTIFIED(r);
    char until[40];
    snprintf(until, sizeof until, "%.17g", end);
    /* several are in one step, before and after an event; their texts are exact */
    for (int i = 0; i < TIMES; i++) times[i] = floor(end * sqrt((i + 0.5) / TIMES) * 1024) / 1024;
    certify_path(&whole, path, NULL, NULL, until, &(ic_certify_options){.digits = 12});
    for (int i = 0; i < TIMES; i++) {
        arb_init(s.c[i].t);
        s.c[i].x = _arb_vec_init(whole.c.n);
    }
    certify_path(&r, path, NULL, NULL, until,
                 &(ic_certify_options){
                     .digits = 12, .times = times, .n_times = TIMES, .at_time = take_state, .context = &s});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT(s.calls >= TIMES);
    CU_ASSERT_EQUAL(r.c.count, whole.c.count);
    for (slong k = 0; k < r.c.n; k++) CU_ASSERT(arb_overlaps(r.c.x + k, whole.c.x + k));
    for (int i = 0; i < TIMES; i += 7) {
        CERTIFIED(one);
        snprintf(until, sizeof until, "%.17g", times[i]);
        certify_path(&one, path, NULL, NULL, until, &(ic_certify_options){.digits = 12});
        CU_ASSERT_EQUAL(one.c.status, IC_OK);
        CU_ASSERT_EQUAL(one.c.mode, s.c[i].mode);
        CU_ASSERT(arb_equal(one.c.t, s.c[i].t));
        for (slong k = 0; k < one.c.n; k++) {
            CU_ASSERT(arb_overlaps(one.c.x + k, s.c[i].x + k));
            CU_ASSERT(arb_rel_accuracy_bits(s.c[i].x + k) > 30 || arb_contains_zero(s.c[i].x + k));
        }
    }
    for (int i = 0; i < TIMES; i++) {
        arb_clear(s.c[i].t);
        _arb_vec_clear(s.c[i].x, whole.c.n);
    }
}

IC_TEST(test_states_on_the_way)
{
    check_states_on_the_way("bouncing-ball/drop", 1.25);
    check_states_on_the_way("ball/hertz", 1);
    check_states_on_the_way("stick-slip", 5);
    check_states_on_the_way("impact-oscillator", 5);
}

/* Time events at times of their own begin an instant each. */
IC_TEST(test_time_events)
{
    static const char *text = "title: A mass that is struck\n"
                              "parameters: {k: 40 N/m, m: 1 kg, dv: 0.3 m/s, T: 0.3 s}\n"
                              "states: {x: {unit: m, start: 0.1 m}, v: m/s}\n"
                              "flow: {x: v, v: -k*x/m}\n"
                              "times: {strike: {at: n*T, count: 40, then: {v: v + dv}}}\n"
                              "presets: {default: {until: 13 s}}\n";
    CERTIFIED(r);
    certify_text(&r, text, NULL, &(ic_certify_options){.digits = 10});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT_EQUAL(r.c.count, 40);
    for (size_t i = 0; i < r.c.count; i++) CU_ASSERT_EQUAL(r.c.events[i].sequence, 0);
}

/* ---- sets */

/* Rotates a set by one radian, n times; returns the radius of its first coordinate. */
static double rotated_radius(int n, bool as_boxes)
{
    IC_OWN(ic_flow_set) set;
    IC_BOUNDS(spread);
    IC_BALL_VECTOR(y, 2);
    ic_flow_set_init(&set, 2);
    IC_BALL_MATRIX(d, 2, 2);
    mag_set_d(spread, 1e-30);
    arb_add_error_mag(y, spread);
    arb_add_error_mag(y + 1, spread);
    ic_flow_set_place(&set, y);
    for (int i = 0; i < n; i++) {
        arb_set_ui(arb_mat_entry(d, 0, 1), 1);
        arb_sin_cos(arb_mat_entry(d, 0, 1), arb_mat_entry(d, 0, 0), arb_mat_entry(d, 0, 1), BITS);
        arb_neg(arb_mat_entry(d, 1, 0), arb_mat_entry(d, 0, 1));
        arb_set(arb_mat_entry(d, 1, 1), arb_mat_entry(d, 0, 0));
        _arb_vec_zero(y, 2);
        ic_flow_set_map(&set, y, d);
        if (!as_boxes) continue;
        ic_flow_set_box(y, &set);
        ic_flow_set_place(&set, y);
    }
    ic_flow_set_spread(spread, &set, 0);
    return mag_get_d(spread);
}

IC_TEST(test_sets)
{
    CU_ASSERT(rotated_radius(200, false) >= 1e-30);
    CU_ASSERT(rotated_radius(200, false) < 4e-30);
    /* boxes along the coordinates wrap */
    CU_ASSERT(rotated_radius(200, true) > 1e-20);
}

/* Whether a step of x' = v, v' = -x encloses dx/dx(0) = cos h at its end. *more: and cos h + 1/8. */
static bool encloses_cosine(slong prec, bool v_is_exact, bool *more)
{
    IC_OWN(ic_flow_terms) terms;
    IC_OWN(ic_flow_set) set;
    ic_step step;
    IC_BALLS(clock, cosine);
    IC_BOUNDS(spread);
    const bool constant[3] = {false};
    const double sizes[] = {1, 1, 1};
    double shortening = 1;
    slong low_order = 0;
    IC_BALL_VECTOR(y, 3);
    IC_BALL_MATRIX(d, 3, 3);
    mag_set_d(spread, 1e-30);
    arb_one(y);
    arb_add_error_mag(y, spread);
    if (!v_is_exact) arb_add_error_mag(y + 1, spread);
    ic_flow_set_init(&set, 3);
    ic_flow_set_place(&set, y);
    ic_flow_terms_init(&terms, 2, y, clock, constant, prec);
    int variables[3];
    for (slong i = 0; i < 3; i++) variables[i] = ic_flow_term_variable(&terms, i);
    int rates[] = {variables[1], ic_flow_term_negate(&terms, variables[0]), ic_flow_term_integer(&terms, 1)};
    ic_flow_terms_mark(&terms, variables, 3);
    ic_flow_terms_mark(&terms, rates, 3);
    const ic_flow_formulas phase = {.terms = terms, .variables = variables, .rates = rates};
    const ic_step_request request = {
        .sizes = sizes, .longest = 10, .prec = prec, .shortening = &shortening, .low_order = &low_order};
    CU_ASSERT_EQUAL(ic_step_open(&step, &phase, &set, clock, &request), IC_STEP_PROVED);
    arb_one(clock);
    ic_step_derivative(d, &step, clock);
    arb_set_arf(clock, step.length);
    arb_cos(cosine, clock, 2 * prec);
    const bool encloses = arb_contains(arb_mat_entry(d, 0, 0), cosine);
    arb_set_d(clock, 0.125);
    arb_add(cosine, cosine, clock, prec);
    *more = arb_contains(arb_mat_entry(d, 0, 0), cosine);
    ic_step_close(&step);
    return encloses;
}

/* A coordinate that is exact at the start depends on the start later: the remainders of derivatives include that. */
IC_TEST(test_derivatives)
{
    for (slong prec = 64; prec <= 320; prec += 16) {
        bool more = true;
        CU_ASSERT(encloses_cosine(prec, false, &more));
        CU_ASSERT(!more);
        CU_ASSERT(encloses_cosine(prec, true, &more));
        CU_ASSERT(!more);
    }
}

/* The friction of the planar bar changes 55 times: fewer than two bits are lost in each event. */
IC_TEST(test_radii)
{
    enum { SPARE = 60 };
    CERTIFIED(r);
    certify_path(&r, "planar-bar/kappa-100", NULL, "kappa=1e4", NULL, &(ic_certify_options){.digits = 20});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT(r.c.count > 50);
    CU_ASSERT((double)r.c.precision < 3.33 * 20 + 96 + 2 * (double)r.c.count - SPARE);
}
