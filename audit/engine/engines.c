/* SPDX-License-Identifier: MIT */
#include "audit/engine/engines.h"

#include "audit/engine/engine_impact.h"
#include "audit/engine/engine_laws.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ic_engine_known ic_engines_known[] = {
#define IC_ENGINE(name_, language_, debian_) {#name_, debian_},
#include "adapters/engines/engines.def"
#undef IC_ENGINE
};
const size_t ic_engines_known_count = IC_COUNT(ic_engines_known);

/* s; of the scenes, and where impacts are slow or the law is asked for */
#define STEP 1e-3
#define FINE_STEP 1e-4

/* The ball falls 1 m, hits after 0.45 s and is free again for 0.2 s at least; the bar hits after 0.05 s. */
#define BALL_UNTIL 0.7  /* s */
#define BALL_HEIGHT 1.0 /* m */
#define BAR_UNTIL 0.25  /* s */

/* Table 2 of the paper. */
#define BAR_ANGLE 45.0     /* degrees */
#define BAR_TANGENTIAL 0.8 /* m/s */

/* The restitution that must differ from IC_ENGINE_RESTITUTION, if it has any effect. */
#define OTHER_RESTITUTION 0.3

/* The speed of an impact is known to gravity's part in one step, before or after it: twice that and its return. */
#define RESTITUTION_TOLERANCE                                                                                  \
    (2 * (1 + IC_ENGINE_RESTITUTION) * IC_ENGINE_GRAVITY * STEP / sqrt(2 * IC_ENGINE_GRAVITY * BALL_HEIGHT))

/* m/s; normal speeds of slow impacts. At the slowest gravity's part in a fine step is 2 %. */
static const double slow_speeds[] = {1, 0.45, 0.14, 0.044};
/* Restitution is lost where less than this part of it is left. */
#define LOST 0.5

/* The impact of the bar is in one step, in which it turns by omega h = 3e-3 rad; energy is quadratic in speeds. */
#define ENERGY_TOLERANCE 0.005
/* Part of Newton's tangential impulse below which friction is as good as none. */
#define LITTLE_FRICTION 0.1
/* N s; of 0.25 in Table 2: where so little stops the slip, nothing can be said of friction */
#define STOPPED_ALREADY 0.02
/* m; no contact is this soft, and what falls through is deeper by far */
#define THROUGH 0.05
/* Laws are asked at twice the speed of Table 2: some engines have thresholds at 1 m/s. */
#define LAW_SPEED 2.0
#define LAW_UNTIL 0.12 /* s */

/* Of the impulse's greatest: the bar turns by some 1e-3 rad in the few fine steps of a compliant impact. */
#define SPIN_TOLERANCE 0.02

/* The ball falls 1 m in 0.45 s: until then it is free. */
#define FLIGHT_UNTIL 0.4      /* s */
#define FLIGHT_SPEED 0.5      /* m/s */
#define FLIGHT_TOLERANCE 0.01 /* a step of 1 ms more or less of 400, and single precision */
#define REST_UNTIL 1.0        /* s */
#define REST_TOLERANCE 1e-3   /* m; a contact of 1e4 N/m gives way by that much */

#define TABLE_2 "Kecskemethy & Lange 1999, Table 2"

static const ic_audit_check runs = {"runs", "whether the program comes back with a motion",
                                    "nothing can be said of the engine", "adapters/engines/scene.h"};
static const ic_audit_check restitution = {
    "restitution", "restitution in effect, over the places of a step where the impact may fall",
    "rebounds are not those that were asked for", "v' = -e v, at 4.4 m/s, e = 0.8"};
static const ic_audit_check slow_impacts = {"slow-impacts",
                                            "the greatest normal speed at which restitution is lost",
                                            "slow bodies do not bounce", "v' = -e v, at 1 to 0.044 m/s"};
static const ic_audit_check energy = {"energy", "energy that the impact creates, by what there was",
                                      "simulations with impacts gain energy", TABLE_2};
static const ic_audit_check friction = {"friction", "how much of the tangential impulse is missing",
                                        "rough surfaces are slippery", TABLE_2};
static const ic_audit_check surface = {"surface", "how far a body is below the ground in the end",
                                       "bodies pass through each other", "y = 0"};

static const ic_audit_check free_flight = {
    "free-flight", "momentum that is gained in free flight, beside gravity's, over gravity's",
    "bodies fall otherwise than they should", "v' = -g"};
static const ic_audit_check spin = {
    "spin", "change of spin in an impact, less that of the impulse on the tip, over the impulse's greatest",
    "bodies turn otherwise than they should", "I d omega = r_y P_x - r_x P_y"};
static const ic_audit_check rest = {"rest", "how far a ball on the ground moves", "what should stand moves",
                                    "a ball on the ground, without speed"};

/* An audit that is under way. */
typedef struct audit {
    ic_findings *findings;
    const ic_engine_request *request;
    ic_engine_row *row;
    double depth; /* m; the greatest so far */
    double spin;  /* greatest error of the spin after an impact of the bar */
} audit;

/* ---- findings */

typedef struct judged {
    double measured, tolerance;
    const char *unit, *origin;
    ic_mistake_id cause;
} judged;

static void subject_of(char *text, size_t size, const audit *a)
{
    if (a->request->library != NULL) snprintf(text, size, "engine '%.60s'", a->row->name);
    else snprintf(text, size, "%.60s, %s", a->row->name, a->row->config);
}

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static void
add(audit *a, const ic_audit_check *check, const judged *j, const char *format, ...)
{
    ic_finding f = {
        .check = check, .measured = j->measured, .tolerance = j->tolerance, .unit = j->unit, .cause = j->cause};
    f.verdict = j->measured <= j->tolerance ? IC_FINDING_PASS : IC_FINDING_FAIL;
    if (isnan(j->measured) && j->cause == IC_NO_MISTAKE) f.verdict = IC_FINDING_OPEN;
    if (f.verdict != IC_FINDING_FAIL) f.cause = IC_NO_MISTAKE;
    subject_of(f.subject, sizeof f.subject, a);
    snprintf(f.origin, sizeof f.origin, "%s", j->origin);
    va_list list;
    va_start(list, format);
    vsnprintf(f.detail, sizeof f.detail, format, list);
    va_end(list);
    ic_findings_add(a->findings, &f);
}

static void add_broken(audit *a, const ic_engine_scene *scene, const ic_engine_motion *motion)
{
    static const struct {
        const char *what;
        ic_mistake_id cause;
    } ends[] = {
        [IC_ENGINE_REFUSED] = {"could not be started", IC_NO_MISTAKE},
        [IC_ENGINE_CRASHED] = {"crashed", IC_MISTAKE_CRASHES},
        [IC_ENGINE_HUNG] = {"did not come back", IC_MISTAKE_HANGS},
        [IC_ENGINE_FAILED] = {"gave up", IC_NO_MISTAKE},
        [IC_ENGINE_GARBAGE] = {"wrote no motion", IC_NO_MISTAKE},
        [IC_ENGINE_NOT_FINITE] = {"wrote what is no finite number", IC_MISTAKE_NOT_FINITE},
    };
    a->row->broken = true;
    if (motion->end == IC_ENGINE_NO_MEMORY) {
        a->findings->no_memory = true;
        return;
    }
    const judged j = {1, 0, "runs", "none may", ends[motion->end].cause};
    add(a, &runs, &j, "it %s: %s (%s, step %g s)", ends[motion->end].what, motion->detail,
        scene->bar ? "bar" : "ball", scene->step);
}

/* ---- runs */

/* The first impact of a scene. Nothing more is run once a run has failed. */
static ic_engine_impact impact_of(audit *a, ic_engine_scene *scene)
{
    ic_engine_impact impact = {0};
    if (a->row->broken) return impact;
    scene->config = a->row->config;
    scene->variant = a->request->variant;
    const ic_engine_source source = {a->request->program, a->request->library, a->request->index};
    ic_engine_motion motion = ic_engine_run(&source, scene, a->request->time_limit);
    if (motion.end != IC_ENGINE_GOOD) add_broken(a, scene, &motion);
    else impact = ic_engine_impact_in(&motion, scene->bar, scene->step);
    ic_engine_motion_free(&motion);
    a->depth = fmax(a->depth, impact.depth);
    return impact;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ic_engine_span span_of(double *values, size_t n)
{
    if (n == 0) return (ic_engine_span){NAN, NAN, NAN, 0};
    qsort(values, n, sizeof *values, by_size);
    return (ic_engine_span){values[0], values[n / 2], values[n - 1], n};
}

/* NAN: the ball has not met the ground, or has not left it again. */
static double ball(audit *a, double e, double height, double step, double until, double phase)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    scene.e = e;
    scene.height = height;
    scene.step = step;
    scene.until = until;
    scene.phase = phase;
    const ic_engine_impact impact = impact_of(a, &scene);
    return impact.left ? ic_engine_restitution(&impact) : NAN;
}

static void measure_balls(audit *a)
{
    double values[IC_ENGINE_PHASES_MOST];
    const size_t phases = a->row->phases;
    size_t n = 0;
    for (size_t i = 0; i < phases; i++) {
        const double e =
            ball(a, IC_ENGINE_RESTITUTION, BALL_HEIGHT, STEP, BALL_UNTIL, (double)i / (double)phases);
        if (!isnan(e)) values[n++] = e;
    }
    a->row->restitution = span_of(values, n);
}

/* The impact of Table 2, at every phase. */
static void measure_bars(audit *a)
{
    double ratio[IC_ENGINE_PHASES_MOST], tip_x[IC_ENGINE_PHASES_MOST], tip_y[IC_ENGINE_PHASES_MOST];
    const size_t phases = a->row->phases;
    size_t n = 0;
    for (size_t i = 0; i < phases; i++) {
        ic_engine_scene scene = ic_engine_scene_of(true);
        double v[2];
        scene.step = STEP;
        scene.until = BAR_UNTIL;
        scene.phase = (double)i / (double)phases;
        const ic_engine_impact impact = impact_of(a, &scene);
        if (!impact.left) continue;
        ic_engine_tip_velocity(v, &impact);
        ratio[n] = ic_engine_energy_ratio(&impact);
        tip_x[n] = v[0];
        tip_y[n++] = v[1];
    }
    a->row->energy = span_of(ratio, n);
    a->row->tip_x = span_of(tip_x, n);
    a->row->tip_y = span_of(tip_y, n);
}

static void ask_law(audit *a)
{
    ic_engine_probe probes[IC_ENGINE_PROBES];
    for (size_t i = 0; i < IC_ENGINE_PROBES; i++) {
        probes[i] = ic_engine_probe_of(i);
        ic_engine_scene scene = ic_engine_scene_of(true);
        scene.angle = probes[i].angle;
        scene.mu = probes[i].mu;
        scene.e = probes[i].e;
        scene.step = FINE_STEP;
        scene.until = LAW_UNTIL;
        scene.speed = LAW_SPEED;
        scene.tangential = LAW_SPEED * IC_ENGINE_PROBE_TANGENTIAL;
        const ic_engine_impact impact = impact_of(a, &scene);
        if (!impact.left) continue;
        a->spin = fmax(a->spin, ic_engine_spin_error(&impact));
        ic_engine_tip_velocity(probes[i].tip, &impact);
        probes[i].tip[0] /= LAW_SPEED;
        probes[i].tip[1] /= LAW_SPEED;
    }
    if (a->row->broken) return;
    const double tip[] = {a->row->tip_x.median, a->row->tip_y.median};
    a->row->table_2 = ic_engine_law_of(tip, BAR_ANGLE, 1, 1);
    subject_of(a->row->law.subject, sizeof a->row->law.subject, a);
    ic_engine_classify(&a->row->law, probes);
}

/* ---- checks */

/* The greatest difference from what was asked; a ball that stays is off by all of it. */
static double restitution_error(const ic_engine_row *row)
{
    if (row->restitution.count < row->phases) return IC_ENGINE_RESTITUTION;
    return fmax(row->restitution.greatest - IC_ENGINE_RESTITUTION,
                IC_ENGINE_RESTITUTION - row->restitution.least);
}

static bool ignores_restitution(audit *a)
{
    const double other = ball(a, OTHER_RESTITUTION, BALL_HEIGHT, STEP, BALL_UNTIL, 0);
    const double difference = fabs((isnan(other) ? 0 : other) - a->row->restitution.median);
    return difference < LOST * (IC_ENGINE_RESTITUTION - OTHER_RESTITUTION);
}

/* What differs by much from phase to phase says nothing of what was asked for; what hardly does may ignore it. */
static ic_mistake_id restitution_cause(audit *a)
{
    const ic_engine_span *e = &a->row->restitution;
    const double least = e->count < a->row->phases ? 0 : e->least, spread = e->greatest - least;
    if (e->count == 0) return IC_NO_MISTAKE;
    if (spread > LOST * (IC_ENGINE_RESTITUTION - OTHER_RESTITUTION)) return IC_MISTAKE_RESTITUTION_BY_PHASE;
    if (ignores_restitution(a)) return IC_MISTAKE_RESTITUTION_IGNORED;
    if (spread > 2 * RESTITUTION_TOLERANCE) return IC_MISTAKE_RESTITUTION_BY_PHASE;
    const double square = IC_ENGINE_RESTITUTION * IC_ENGINE_RESTITUTION;
    return fabs(e->median - square) <= RESTITUTION_TOLERANCE ? IC_MISTAKE_RESTITUTION_SQUARED
                                                             : IC_MISTAKE_RESTITUTION_WRONG;
}

static void check_restitution(audit *a)
{
    const ic_engine_row *row = a->row;
    const ic_engine_span *e = &row->restitution;
    judged j = {restitution_error(row), RESTITUTION_TOLERANCE, "1", "gravity's part in one step, twice",
                IC_NO_MISTAKE};
    if (j.measured > j.tolerance) j.cause = restitution_cause(a);
    if (row->broken) return;
    add(a, &restitution, &j, "asked for %g, in effect %.3f to %.3f; %zu of %zu impacts ended",
        IC_ENGINE_RESTITUTION, e->least, e->greatest, e->count, row->phases);
}

/* Slow impacts say nothing where fast ones have lost it already. */
static void check_slow_impacts(audit *a)
{
    judged j = {0, 0, "m/s", "restitution has no speed in it", IC_MISTAKE_RESTITUTION_THRESHOLD};
    double kept = NAN;
    const ic_engine_span *fast = &a->row->restitution;
    if (fast->count < a->row->phases || fast->least < LOST * IC_ENGINE_RESTITUTION) return;
    for (size_t i = 0; i < IC_COUNT(slow_speeds); i++) {
        const double v = slow_speeds[i], fall = v / IC_ENGINE_GRAVITY,
                     flight = 2 * IC_ENGINE_RESTITUTION * fall;
        const double e = ball(a, IC_ENGINE_RESTITUTION, v * fall / 2, FINE_STEP, fall + 0.9 * flight, 0.5);
        if (e >= LOST * IC_ENGINE_RESTITUTION) kept = v;
        else j.measured = fmax(j.measured, v);
    }
    if (a->row->broken) return;
    add(a, &slow_impacts, &j,
        "asked for %g; lost at %g m/s (0: nowhere), the slowest impact that keeps it is at %g m/s",
        IC_ENGINE_RESTITUTION, j.measured, kept);
}

static bool follows_newton(const ic_engine_row *row)
{
    const char *law = row->law.decided ? row->law.candidates[0].name : row->table_2;
    return law != NULL && strncmp(law, "newton", strlen("newton")) == 0;
}

static void check_energy(audit *a)
{
    const ic_engine_row *row = a->row;
    const ic_mistake_id cause = follows_newton(row) ? IC_MISTAKE_NEWTON_ENERGY_GAIN : IC_MISTAKE_ENERGY_APPEARS;
    judged j = {row->energy.greatest - 1, ENERGY_TOLERANCE, "1", "the turn of the bar in one step", cause};
    if (row->energy.count == 0) j.cause = IC_NO_MISTAKE;
    add(a, &energy, &j, "E+/E- of the bar %.3f to %.3f, tip (%.3f, %.3f) m/s; %zu of %zu impacts ended",
        row->energy.least, row->energy.greatest, row->tip_x.median, row->tip_y.median, row->energy.count,
        row->phases);
    const double rebound = row->restitution.greatest;
    if (rebound > 1 + RESTITUTION_TOLERANCE) {
        const judged ball_gains = {rebound * rebound - 1, ENERGY_TOLERANCE, "1", "a ball on the ground",
                                   IC_MISTAKE_ENERGY_APPEARS};
        add(a, &energy, &ball_gains, "the ball returns with %.3f of its speed", rebound);
    }
}

/* Against the tangential impulse that stops the slip at the end, w_xx P_x + w_xy P_y = -v_x: the bar is rough enough for it. */
static void check_friction(audit *a)
{
    const ic_engine_row *row = a->row;
    const double before[] = {BAR_TANGENTIAL, -1};
    const ic_impact p = ic_engine_bar_impact(BAR_ANGLE, before, 1, 1);
    const double det = p.w_xx * p.w_yy - p.w_xy * p.w_xy;
    const double d_x = row->tip_x.median - before[0], d_y = row->tip_y.median - before[1];
    const double P_x = (p.w_yy * d_x - p.w_xy * d_y) / det, P_y = (p.w_xx * d_y - p.w_xy * d_x) / det;
    const double stop = -(before[0] + p.w_xy * P_y) / p.w_xx;
    if (row->energy.count == 0 || fabs(stop) < STOPPED_ALREADY) return;
    const judged j = {1 - P_x / stop, 1 - LITTLE_FRICTION, "1", "friction as good as none",
                      IC_MISTAKE_FRICTIONLESS};
    add(a, &friction, &j, "tangential impulse %.3f N s; %.3f N s would stop the slip", P_x, stop);
}

/* The impulse acts on the tip alone. */
static void check_spin(audit *a)
{
    const ic_engine_span *e = &a->row->restitution;
    const bool pushed = e->greatest - e->least > 2 * RESTITUTION_TOLERANCE; /* speeds that no impulse gives */
    const judged j = {a->spin, SPIN_TOLERANCE, "1", "the turn of the bar in some steps",
                      pushed ? IC_MISTAKE_RESTITUTION_BY_PHASE : IC_MISTAKE_SPIN_WRONG};
    add(a, &spin, &j, "worst of %d impacts of the bar", IC_ENGINE_PROBES);
}

static void check_surface(audit *a)
{
    const judged j = {a->depth, THROUGH, "m", "softer than any contact", IC_MISTAKE_FALLS_THROUGH};
    add(a, &surface, &j, "the ball's centre or the bar's tip, whichever is deeper");
}

/* A motion of the ball; false: there is none. */
static bool ball_motion(audit *a, ic_engine_scene *scene, ic_engine_motion *motion)
{
    const ic_engine_source source = {a->request->program, a->request->library, a->request->index};
    if (a->row->broken) return false;
    *motion = ic_engine_run(&source, scene, a->request->time_limit);
    if (motion->end != IC_ENGINE_GOOD) add_broken(a, scene, motion);
    else if (motion->n_rows > 1) return true;
    ic_engine_motion_free(motion);
    return false;
}

/* The ball is thrown sideways, and followed for half of its fall: only gravity may change its momentum. */
static void check_flight(audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    scene.step = STEP;
    scene.height = BALL_HEIGHT;
    scene.tangential = FLIGHT_SPEED;
    scene.until = FLIGHT_UNTIL;
    if (!ball_motion(a, &scene, &motion)) return;
    const ic_engine_state *first = &motion.rows[0], *last = &motion.rows[motion.n_rows - 1];
    const double fall = IC_ENGINE_GRAVITY * (last->t - first->t), dv = last->vy - first->vy;
    const double lost =
        fmax(fabs(last->vx - first->vx), fabs(last->omega - first->omega) * IC_ENGINE_BALL_RADIUS);
    const bool upward = dv > 0;
    const judged j = {fmax(fabs(dv + fall), lost) / fall, FLIGHT_TOLERANCE, "1",
                      "single precision and half a step",
                      upward             ? IC_MISTAKE_GRAVITY_SIGN
                      : dv < -1.1 * fall ? IC_MISTAKE_ENERGY_APPEARS
                                         : IC_NO_MISTAKE};
    add(a, &free_flight, &j,
        "after %.3g s of free flight vy has changed by %.4g m/s where gravity makes it %.4g; vx by %.2g m/s",
        last->t - first->t, dv, -fall, last->vx - first->vx);
    ic_engine_motion_free(&motion);
}

/* The ball is put on the ground, without speed. */
static void check_rest(audit *a)
{
    ic_engine_scene scene = ic_engine_scene_of(false);
    ic_engine_motion motion;
    double moved = 0;
    scene.step = STEP;
    scene.height = 0;
    scene.e = 0;
    scene.mu = 1;
    scene.until = REST_UNTIL;
    if (!ball_motion(a, &scene, &motion)) return;
    for (size_t i = 0; i < motion.n_rows; i++)
        moved = fmax(moved, hypot(motion.rows[i].x - motion.rows[0].x, motion.rows[i].y - motion.rows[0].y));
    const judged j = {moved, REST_TOLERANCE, "m", "more than any contact gives way", IC_MISTAKE_DRIFTS_AT_REST};
    add(a, &rest, &j, "greatest distance from where it was put, over %g s", REST_UNTIL);
    ic_engine_motion_free(&motion);
}

/* ---- all */

static void audit_config(audit *a)
{
    measure_balls(a);
    measure_bars(a);
    ask_law(a);
    check_restitution(a);
    check_slow_impacts(a);
    if (a->row->broken) return;
    check_energy(a);
    check_friction(a);
    check_surface(a);
    if (a->request->library != NULL) {
        check_spin(a);
        check_flight(a);
        check_rest(a);
    }
    if (a->row->broken) return;
    const judged j = {0, 0, "runs", "none may", IC_NO_MISTAKE};
    add(a, &runs, &j, "every run came back with a motion");
}

static ic_engine_row empty_row(const ic_engine_request *request, const char *config)
{
    const ic_engine_span none = {NAN, NAN, NAN, 0};
    ic_engine_row row = {
        .config = config, .step = STEP, .restitution = none, .energy = none, .tip_x = none, .tip_y = none};
    const bool has_variant = request->variant != NULL && request->variant[0] != '\0';
    row.phases = request->phases < IC_ENGINE_PHASES_MOST ? request->phases : IC_ENGINE_PHASES_MOST;
    snprintf(row.name, sizeof row.name, "%.30s%s%.30s", request->name, has_variant ? ":" : "",
             has_variant ? request->variant : "");
    return row;
}

void ic_audit_engine(ic_findings *findings, ic_engine_row rows[IC_ENGINE_CONFIGS],
                     const ic_engine_request *request)
{
    static const char *const configs[IC_ENGINE_CONFIGS] = {"default", "best"};
    const bool plugin = request->library != NULL;
    for (size_t i = 0; i < (plugin ? 1 : IC_ENGINE_CONFIGS); i++) {
        rows[i] = empty_row(request, plugin ? "" : configs[i]);
        audit a = {findings, request, &rows[i], 0, 0};
        audit_config(&a);
    }
}
