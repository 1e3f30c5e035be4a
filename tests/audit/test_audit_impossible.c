/* SPDX-License-Identifier: MIT */
/**
 * Trajectories that the case cannot have: a ball that hovers, that turns round in mid-air, that
 * stops too early; masses stuck apart.
 */
#include "audit/common/tolerances.h"
#include "tests/audit/audited.h"
#include "tests/audit/families.h"

IC_SUITE(audits, "audit of impossible trajectories")

/* ---- a ball, exactly */

typedef struct ball {
    const char *path;
    double e, g;

    /* m; where it bounces */
    double floor;

    /* m; likewise; INFINITY: none */
    double ceiling;

    /* s; in mid-air; INFINITY: never */
    double turns;

    /* m/s; an impact that is slower is plastic */
    double rests_from;

    /* s */
    double until;

    ic_audit_verdict verdict;

    /* that fails; NULL: none */
    const char *check;

    ic_mistake_id mistake;
} ball;

/* s; until a height is met from x with v: the root that lies ahead. */
static double time_to(double x, double v, double g, double height)
{
    const double square = v * v + 2 * g * (x - height);
    if (square < 0) return INFINITY;
    const double early = (v - sqrt(square)) / g, late = (v + sqrt(square)) / g;
    return x < height && early > 0 ? early : late;
}

/* The next event: its time, and what it does to the velocity. */
static double next_event(const ball *b, double t, double x, double v, double *factor)
{
    double first = time_to(x, v, b->g, b->floor);
    const double speed = sqrt(v * v + 2 * b->g * (x - b->floor));
    *factor = speed < b->rests_from ? 0 : -b->e;
    const double up = x < b->ceiling && v > 0 ? time_to(x, v, b->g, b->ceiling) : INFINITY;
    if (up < first) first = up, *factor = -b->e;
    if (b->turns > t && b->turns - t < first) first = b->turns - t, *factor = -1;
    return first;
}

static void throw_ball(ic_trajectory *tr, const ball *b)
{
    double t = 0, x = 1, v = 0;
    bool rests = false;
    for (size_t i = 0; i < tr->n; i++) {
        const double goal = b->until * (double)i / (double)(tr->n - 1);
        double factor;
        for (double d; !rests && (d = next_event(b, t, x, v, &factor)) <= goal - t;) {
            x += v * d - 0.5 * b->g * d * d;
            v = factor * (v - b->g * d);
            t += d;
            rests = v == 0;
            if (fabs(x - b->floor) < 1e-9) x = b->floor;
        }
        const double d = goal - t;
        tr->t[i] = goal;
        tr->x[2 * i] = rests ? x : x + v * d - 0.5 * b->g * d * d;
        tr->x[2 * i + 1] = rests ? 0 : v - b->g * d;
    }
}

#define RIGHT .e = 0.9, .g = 9.81, .ceiling = INFINITY, .turns = INFINITY, .until = 5
static const char lively[] = "bouncing-ball/lively";

static const ball balls[] = {
    {lively, RIGHT, .verdict = IC_AUDIT_GOOD},
    {lively, RIGHT, .floor = 0.1, .verdict = IC_AUDIT_FAILED, .check = "events",
     .mistake = IC_MISTAKE_ORIGIN_SHIFTED},
    {lively, .e = 0.9, .g = 9.81, .ceiling = 0.6, .turns = INFINITY, .until = 5, .verdict = IC_AUDIT_FAILED,
     .check = "events"},
    {lively, .e = 0.9, .g = 9.81, .ceiling = INFINITY, .turns = 1, .until = 5, .verdict = IC_AUDIT_FAILED,
     .check = "events"},
    {lively, .e = 0.899, .g = 9.81, .ceiling = INFINITY, .turns = INFINITY, .until = 5,
     .verdict = IC_AUDIT_FAILED, .check = "restitution", .mistake = IC_MISTAKE_RESTITUTION_WRONG},
    /* at rest after an impact at 0.07 m/s */
    {"bouncing-ball/drop", .e = 0.5, .g = 9.81, .ceiling = INFINITY, .turns = INFINITY, .until = 2,
     .rests_from = 0.1, .verdict = IC_AUDIT_FAILED, .check = "events"},
    {"bouncing-ball/drop", .e = 0.5, .g = 9.81, .ceiling = INFINITY, .turns = INFINITY, .until = 2,
     .rests_from = 1e-6, .verdict = IC_AUDIT_GOOD},
    /* before its first impact nothing is known of impacts */
    {lively, .e = 0.9, .g = 9.81, .ceiling = INFINITY, .turns = INFINITY, .until = 0.4,
     .verdict = IC_AUDIT_UNDECIDED},
};

IC_TEST(test_balls)
{
    static const size_t rows[] = {501, 2001};
    for (size_t i = 0; i < 2 * IC_COUNT(balls); i++) {
        const ball *b = &balls[i / 2];
        IC_OWN(audited) a = audited_open(b->path, NULL, 0);
        CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&a.rows, rows[i % 2], 2, false));
        throw_ball(&a.rows, b);
        CU_ASSERT_EQUAL(audited_judge(&a, 0), b->verdict);
        if (b->check != NULL) {
            const ic_finding *f = ic_findings_find(&a.audit.findings, b->check);
            CU_ASSERT_EQUAL(f->verdict, IC_FINDING_FAIL);
            if (b->mistake != IC_NO_MISTAKE) CU_ASSERT_EQUAL(f->cause, b->mistake);
        }
    }
}

/* ---- the verdict, by the number of rows, noise and the accuracy that is accepted */

/* The verdict on rows as those of bouncing-ball/lively, until 1 s. */
static ic_audit_verdict verdict_on_ball(size_t n, double g, double e, double noise, double accept)
{
    uint64_t seed = 1;
    IC_OWN(audited) a = audited_open(lively, NULL, 0);
    CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&a.rows, n, 2, false));
    throw_ball(&a.rows, &(ball){lively, .e = e, .g = g, .ceiling = INFINITY, .turns = INFINITY, .until = 1});
    for (size_t i = 0; i < 2 * n; i++) a.rows.x[i] += noise * family_normal(&seed);
    return audited_judge(&a, accept);
}

IC_TEST(test_rows)
{
    CU_ASSERT_EQUAL(verdict_on_ball(301, 9.81, 0.9, 0, 0), IC_AUDIT_GOOD);
    CU_ASSERT_EQUAL(verdict_on_ball(301, 9.81, 0.5, 0, 0), IC_AUDIT_FAILED);
    CU_ASSERT_EQUAL(verdict_on_ball(301, 5, 0.9, 0, 0), IC_AUDIT_FAILED);
    CU_ASSERT_EQUAL(verdict_on_ball(2, 9.81, 0.9, 0, 0), IC_AUDIT_UNDECIDED);
    CU_ASSERT_NOT_EQUAL(verdict_on_ball(2, 5, 0.5, 0, 0), IC_AUDIT_GOOD);
    CU_ASSERT_NOT_EQUAL(verdict_on_ball(301, 9.81, 0.9, 1, 0), IC_AUDIT_GOOD); /* as large as the motion */
}

/*
 * An error that exact rows show passes with an accuracy that just decides on e; a gross mistake does
 * not.
 */
IC_TEST(test_accept)
{
    const double coarse = 0.8 * ic_tolerance_noise_hides.value / ic_tolerance_restitution.value,
                 e = 0.9 - coarse / 2;
    CU_ASSERT_EQUAL(verdict_on_ball(301, 9.81, e, 0, 0), IC_AUDIT_FAILED);
    CU_ASSERT_EQUAL(verdict_on_ball(301, 9.81, e, 0, coarse), IC_AUDIT_GOOD);
    CU_ASSERT_EQUAL(verdict_on_ball(301, 9.81, 0.5, 0, coarse), IC_AUDIT_FAILED);
    CU_ASSERT_EQUAL(verdict_on_ball(301, 5, 0.9, 0, coarse), IC_AUDIT_FAILED);
}

/* ---- states that a mode does not have */

/* Rows of one state. */
static ic_audit_verdict verdict_of_state(const char *path, const double *x, double until, size_t rows,
                                         bool *broken)
{
    IC_OWN(audited) a = audited_open(path, NULL, 0);
    const size_t n = a.setup.problem.system->n_states;
    CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&a.rows, rows, n, false));
    for (size_t i = 0; i < rows; i++) {
        a.rows.t[i] = until * (double)i / (double)(rows - 1);
        memcpy(&a.rows.x[i * n], x, n * sizeof *x);
    }
    const ic_audit_verdict verdict = audited_judge(&a, 0);
    *broken = ic_findings_find(&a.audit.findings, "invariants")->verdict == IC_FINDING_FAIL;
    return verdict;
}

IC_TEST(test_hovering)
{
    static const size_t rows[] = {2, 3, 10, 201, 2001};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        /* fewer rows do not show their noise */
        const ic_audit_verdict wrong = rows[i] > IC_LEAST_INTERVALS ? IC_AUDIT_FAILED : IC_AUDIT_UNDECIDED;
        bool broken;
        CU_ASSERT_EQUAL(verdict_of_state(lively, (const double[]){1, 0}, 5, rows[i], &broken), wrong);
        CU_ASSERT_EQUAL(broken, wrong == IC_AUDIT_FAILED);
        CU_ASSERT_EQUAL(
            verdict_of_state("bouncing-ball/elastic", (const double[]){0.01, 0}, 10, rows[i], &broken), wrong);
        CU_ASSERT_NOT_EQUAL(
            verdict_of_state("two-mass/example-1", (const double[]){1, 0, 1.4, 0}, 20, rows[i], &broken),
            IC_AUDIT_GOOD);
        /* on the floor a ball may rest, but says nothing of impacts */
        CU_ASSERT_EQUAL(verdict_of_state(lively, (const double[]){0, 0}, 5, rows[i], &broken),
                        IC_AUDIT_UNDECIDED);
        CU_ASSERT_FALSE(broken);
    }
}

/* ---- parameters without effect */

/* The roller's free decay does not know the frequency of a force that is zero: audits must not
   either. */
IC_TEST(test_no_effect)
{
    static const char *const paths[] = {"roller/III/C F_w=0 omega=80pi", "roller/III/C F_w=0 omega=7"};
    double spacing[2];
    for (int s = 0; s < 2; s++) {
        double x[5] = {-2e-3, 0, -1.2e-2, 0, 0};
        IC_OWN(audited) a = audited_open(paths[s], "0.5", 0);
        a.setup.problem.x_start = x;
        a.setup.problem.mode_start = 0;
        audited_take_rows(&a.rows, &a.setup.problem, "dop853", &(ic_options){.samples = 2001});
        a.setup.problem.x_start = NULL;
        audited_judge(&a, 0);
        CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), 0);
        CU_ASSERT_TRUE(a.audit.tracking.n_intervals > 100);
        spacing[s] = a.audit.tracking.time_scale;
    }
    CU_ASSERT_DOUBLE_EQUAL(spacing[0], spacing[1], 1e-6 * spacing[0]);
}

/* A sphere that starts higher, and is lowered with all its rows, sinks below the floor, where the run ends. */
IC_TEST(test_after_the_end)
{
    for (int sinks = 0; sinks < 2; sinks++) {
        static const char *const own[] = {"settling-sphere/lands", "settling-sphere/lands y_0=11e-3"};
        IC_OWN(audited) a = audited_open_as(own[0], own[sinks], NULL, NULL, &(ic_options){.samples = 301});
        for (size_t i = 0; i < a.rows.n; i++) a.rows.x[i * a.rows.n_states] -= sinks * 1e-3;
        const ic_audit_verdict verdict = audited_judge(&a, 0);
        CU_ASSERT_EQUAL(verdict == IC_AUDIT_FAILED, sinks == 1);
        CU_ASSERT_EQUAL(finding_blames(&a.audit.findings, "events", IC_MISTAKE_TERMINAL_IGNORED), sinks == 1);
    }
}
