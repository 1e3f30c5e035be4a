/* SPDX-License-Identifier: MIT */
/**
 * Audit of trajectories: rows of a ball that were written wrongly, come from time-stepping schemes,
 * or have single wrong impacts. The first cause named must be the mistake that was made.
 */
#include "casefile/casefile.h"
#include "tests/audit/audited.h"

IC_SUITE(audits, "audit of trajectories: readings, schemes, single impacts")

#define G 9.81
#define E 0.9
#define FOOT 0.3048

/* The ball whose rows are put in place of those of the run. */
typedef struct ball {
    /* m, m/s */
    double x, v;

    /* so far */
    int impacts;

    /* rows since the start, and the time until the impact that the step in which they are has found, s */
    int rows;
    double hit;
} ball;

typedef double restitution_of(int impact, double speed);
typedef void step_of(ball *b, double h);

static ic_mistake_id first_cause(const audited *a)
{
    for (size_t i = 0; i < a->audit.findings.count; i++) {
        const ic_finding *f = &a->audit.findings.rows[i];
        if (f->verdict == IC_FINDING_FAIL && f->cause != IC_NO_MISTAKE) return f->cause;
    }
    return IC_NO_MISTAKE;
}

static void expect(audited *a, const char *what, ic_mistake_id wanted)
{
    audited_judge(a, 0);
    const ic_mistake_id found = first_cause(a);
    IC_EXPECT(found == wanted, "%s: '%s' in place of '%s'", what, ic_mistake_name(found),
              ic_mistake_name(wanted));
}

/* ---- rows of the case, written otherwise */

/* Times and columns times factors, a number of rows late, or moved. */
typedef struct writing {
    const char *what;
    double t, x, v;
    size_t late_x, late_v;

    /* m; to every position */
    double origin;

    /* of a row; by which velocities are early */
    double early;

    ic_mistake_id mistake;
} writing;

static void write_otherwise(ic_trajectory *tr, const writing *w)
{
    const double h = tr->t[1] - tr->t[0];
    for (size_t i = tr->n; i-- > 0;) {
        tr->t[i] *= w->t;
        tr->x[2 * i] = w->x * tr->x[2 * (i - (i > 0) * w->late_x)] + w->origin;
        tr->x[2 * i + 1] = w->v * (tr->x[2 * (i - (i > 0) * w->late_v) + 1] + w->early * G * h);
    }
}

IC_TEST(test_readings)
{
    static const writing writings[] = {
        {"a clock 0.1 % fast", 1.001, 1, 1, 0, 0, 0, 0, IC_MISTAKE_CLOCK_WRONG},
        {"positions a row late", 1, 1, 1, 1, 0, 0, 0, IC_MISTAKE_STALE_STATE},
        {"velocities a row late", 1, 1, 1, 0, 1, 0, 0, IC_MISTAKE_STALE_STATE},
        {"all a row late", 1, 1, 1, 1, 1, 0, 0, IC_MISTAKE_STALE_STATE},
        {"velocities half a row early", 1, 1, 1, 0, 0, 0, 0.5, IC_MISTAKE_VELOCITY_STAGGERED},
        {"feet", 1, 1 / FOOT, 1 / FOOT, 0, 0, 0, 0, IC_MISTAKE_UNITS_MIXED},
        {"ms, mm, mm/s", 1e3, 1e3, 1e3, 0, 0, 0, 0, IC_MISTAKE_UNITS_MIXED},
        {"ms", 1e3, 1, 1, 0, 0, 0, 0, IC_MISTAKE_UNITS_MIXED},
        {"m/s read as km/h", 1, 1, 1 / 3.6, 0, 0, 0, 0, IC_MISTAKE_UNITS_MIXED},
        {"seconds for minutes", 60, 1, 1, 0, 0, 0, 0, IC_MISTAKE_UNITS_MIXED},
        {"another origin", 1, 1, 1, 0, 0, 0.1, 0, IC_MISTAKE_ORIGIN_SHIFTED},
    };
    for (size_t i = 0; i < IC_COUNT(writings); i++) {
        IC_OWN(audited) a = audited_open("bouncing-ball/lively", "3", 301);
        write_otherwise(&a.rows, &writings[i]);
        expect(&a, writings[i].what, writings[i].mistake);
    }
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "3", 301);
    for (size_t i = 1; i + 1 < a.rows.n; i++)
        a.rows.x[2 * i + 1] = (a.rows.x[2 * i + 2] - a.rows.x[2 * i - 2]) / (a.rows.t[i + 1] - a.rows.t[i - 1]);
    expect(&a, "differences", IC_MISTAKE_VELOCITY_DIFFERENCED);
}

/* ---- other motions of the ball */

static void fill(audited *a, step_of *step, int steps)
{
    ic_trajectory *tr = &a->rows;
    ball b = {.x = 1};
    for (size_t i = 0; i < tr->n; i++) {
        tr->x[2 * i] = b.x;
        tr->x[2 * i + 1] = b.v;
        for (int s = 0; s < steps && i + 1 < tr->n; s++) step(&b, (tr->t[i + 1] - tr->t[i]) / steps);
    }
}

static void moreau(ball *b, double h)
{
    double u = b->v - G * h;
    if (b->x + 0.5 * h * b->v <= 0) u = fmax(u, -E * b->v);
    b->x += 0.5 * h * (b->v + u);
    b->v = u;
}

static void moreau_projected(ball *b, double h)
{
    moreau(b, h);
    b->x = fmax(b->x, 0);
}

static void at_the_end(ball *b, double h)
{
    b->x += b->v * h - 0.5 * G * h * h;
    b->v -= G * h;
    if (b->x < 0 && b->v < 0) b->v *= -E;
}

/* The time of an impact by one linear interpolation. */
static void on_chord(ball *b, double h)
{
    const double x = b->x + b->v * h - 0.5 * G * h * h;
    if (x >= 0) {
        b->x = x;
        b->v -= G * h;
        return;
    }
    const double hit = h * b->x / (b->x - x), rest = h - hit, v = -E * (b->v - G * hit);
    b->x = v * rest - 0.5 * G * rest * rest;
    b->v = v - G * rest;
}

/* The same in steps of four rows. */
static void on_long_chord(ball *b, double h)
{
    const double step = 4 * h, x = b->x + b->v * step - 0.5 * G * step * step;
    if (b->rows++ % 4 == 0) b->hit = x < 0 ? step * b->x / (b->x - x) : INFINITY;
    const double fall = fmin(h, b->hit), rest = h - fall;
    b->x = fall < h ? 0 : b->x + b->v * h - 0.5 * G * h * h;
    b->v = fall < h ? -E * (b->v - G * fall) : b->v - G * h;
    b->x += b->v * rest - 0.5 * G * rest * rest;
    b->v -= G * rest;
    b->hit = fall < h ? INFINITY : b->hit - h;
}

static void step_with(ball *b, double h, restitution_of *e)
{
    while (h > 0) {
        if (b->x == 0 && b->v == 0) return;
        const double x = b->x + b->v * h - 0.5 * G * h * h;
        if (x >= 0) {
            b->x = x;
            b->v -= G * h;
            return;
        }
        const double hit = (b->v + sqrt(b->v * b->v + 2 * G * b->x)) / G, v = G * hit - b->v;
        b->x = 0;
        b->impacts++;
        b->v = (e != NULL ? e(b->impacts, v) : E) * v;
        h -= hit;
    }
}

static double third_weak(int impact, double speed)
{
    (void)speed;
    return impact % 3 == 0 ? 0.6 : E;
}

static double none_below(int impact, double speed)
{
    (void)impact;
    return speed < 3.5 ? 0 : E;
}

static void step_third_weak(ball *b, double h)
{
    step_with(b, h, third_weak);
}

static void step_threshold(ball *b, double h)
{
    step_with(b, h, none_below);
}

/* Drag of 2 % of the square of the velocity, by small steps. */
static void step_drag(ball *b, double h)
{
    enum { PARTS = 100 };
    for (int i = 0; i < PARTS; i++) {
        const double v = b->v - h / PARTS * (G + 0.02 * b->v * fabs(b->v));
        b->x += 0.5 * h / PARTS * (b->v + v);
        b->v = b->x < 0 && v < 0 ? -E * v : v;
    }
}

/* Each impact lifts the ball by 2 mm. */
static void step_lifted(ball *b, double h)
{
    const int before = b->impacts;
    step_with(b, h, NULL);
    b->x += b->impacts > before ? 0.002 : 0;
}

/* A floor that is a spring and a dashpot. */
static void step_soft(ball *b, double h)
{
    enum { PARTS = 400 };
    for (int i = 0; i < PARTS; i++) {
        b->v += h / PARTS * (b->x < 0 ? -1e5 * b->x - 20 * b->v - G : -G);
        b->x += h / PARTS * b->v;
    }
}

IC_TEST(test_motions)
{
    static const struct motion {
        const char *what;
        step_of *step;
        int steps;
        size_t rows;
        ic_mistake_id mistake;
    } motions[] = {
        {"Moreau-Jean", moreau, 1, 601, IC_MISTAKE_COARSE_STEPS},
        {"Moreau-Jean with projection, two steps for each row", moreau_projected, 2, 601,
         IC_MISTAKE_COARSE_STEPS},
        {"impacts at the ends of steps", at_the_end, 5, 601, IC_MISTAKE_NO_EVENT_LOCATION},
        {"impacts on a chord", on_chord, 1, 151, IC_MISTAKE_LINEAR_EVENT_LOCATION},
        {"impacts on a chord of longer steps", on_long_chord, 1, 601, IC_MISTAKE_LINEAR_EVENT_LOCATION},
        {"each third impact weak", step_third_weak, 1, 601, IC_MISTAKE_IMPACTS_UNEQUAL},
        {"no restitution below a speed", step_threshold, 1, 601, IC_MISTAKE_RESTITUTION_THRESHOLD},
        {"impacts that lift", step_lifted, 1, 601, IC_MISTAKE_POSITION_JUMPS},
        {"drag", step_drag, 1, 601, IC_MISTAKE_DRAG_ADDED},
        {"a compliant floor", step_soft, 1, 1501, IC_MISTAKE_CONTACT_SOFT},
    };
    for (size_t i = 0; i < IC_COUNT(motions); i++) {
        IC_OWN(audited) a = audited_open("bouncing-ball/lively", "3", motions[i].rows);
        fill(&a, motions[i].step, motions[i].steps);
        expect(&a, motions[i].what, motions[i].mistake);
    }
}

/* ---- rows that no motion has */

typedef void spoiling(ic_trajectory *tr);

/* Rows between every fifth one are on lines. */
static void interpolate(ic_trajectory *tr)
{
    const size_t apart = 5;
    for (size_t i = 0; i / apart * apart + apart < tr->n; i++) {
        const double *x = &tr->x[2 * (i / apart * apart)], part = (double)(i % apart) / (double)apart;
        for (size_t j = 0; j < 2; j++) tr->x[2 * i + j] = x[j] + part * (x[2 * apart + j] - x[j]);
    }
}

static void explode(ic_trajectory *tr)
{
    enum { LAST = 20 };
    for (size_t i = tr->n - LAST; i < tr->n; i++) {
        tr->x[2 * i] *= pow(1.5, (double)(i + LAST - tr->n));
        tr->x[2 * i + 1] *= pow(1.7, (double)(i + LAST - tr->n));
    }
}

static void hit_after_impact(ic_trajectory *tr)
{
    size_t i = 1;
    while (tr->x[2 * i + 1] < 0) i++;
    tr->x[2 * i + 1] *= 1.03;
}

/* From the third turn on, the body goes on. */
static void pass_stop(ic_trajectory *tr)
{
    const size_t n = tr->n_states;
    size_t i = 0;
    for (size_t turns = 0; turns < 3; i++) turns += tr->x[i * n + 1] * tr->x[(i + 1) * n + 1] < 0;
    for (size_t row = i; row < tr->n; row++) {
        tr->x[row * n + 1] = tr->x[(i - 1) * n + 1];
        tr->x[row * n] = tr->x[(i - 1) * n] + (tr->t[row] - tr->t[i - 1]) * tr->x[(i - 1) * n + 1];
    }
}

IC_TEST(test_spoilt_rows)
{
    static const struct spoilt {
        const char *what, *path;
        spoiling *spoil;
        ic_mistake_id mistake;
    } all[] = {
        {"rows on lines", "bouncing-ball/lively", interpolate, IC_MISTAKE_COARSE_STEPS},
        {"an explosion", "bouncing-ball/lively", explode, IC_MISTAKE_ROWS_GARBAGE},
        {"the row after an impact", "bouncing-ball/lively", hit_after_impact, IC_MISTAKE_ROW_CORRUPTED},
        {"an impact left out", "impact-oscillator/rattle", pass_stop, IC_MISTAKE_EVENT_LOST},
    };
    for (size_t i = 0; i < IC_COUNT(all); i++) {
        IC_OWN(audited) a = audited_open(all[i].path, i < 3 ? "3" : "6", 601);
        all[i].spoil(&a.rows);
        expect(&a, all[i].what, all[i].mistake);
    }
}

/* ---- two rows for each impact */

static void add_row(ic_trajectory *tr, size_t *n, double t, double x, double v)
{
    if (*n == tr->n) return;
    tr->t[*n] = t;
    tr->x[2 * *n] = x;
    tr->x[2 * (*n)++ + 1] = v;
}

/* The event on the chord of a step, whose end is dropped. */
static void fill_chords(ic_trajectory *tr, double h)
{
    double t = 0, x = 1, v = 0;
    for (size_t n = 0; n < tr->n;) {
        const double y = x + v * h - 0.5 * G * h * h, part = x / (x - y);
        add_row(tr, &n, t, x, v);
        t += y < 0 ? part * h : h;
        v -= G * (y < 0 ? part * h : h);
        x = fmax(0, y);
        if (y < 0) {
            add_row(tr, &n, t, 0, v);
            v *= -E;
        }
    }
}

/* Explicit Euler, put back to the floor at the end of the step, with the right e. */
static void fill_put_back(ic_trajectory *tr, double h)
{
    double t = 0, x = 1, v = 0;
    for (size_t n = 0; n < tr->n; t += h) {
        add_row(tr, &n, t, x, v);
        if (x < 0) {
            x = 0, v *= -E;
            add_row(tr, &n, t, x, v);
        }
        x += h * v;
        v -= h * G;
    }
}

IC_TEST(test_pairs)
{
    static const struct pair {
        void (*fill)(ic_trajectory *tr, double h);
        double h;
        ic_mistake_id mistake;
    } pairs[] = {{fill_chords, 0.02, IC_MISTAKE_LINEAR_EVENT_LOCATION},
                 {fill_put_back, 2e-3, IC_MISTAKE_NO_EVENT_LOCATION}};
    for (size_t i = 0; i < IC_COUNT(pairs); i++) {
        IC_OWN(audited) a = audited_open("bouncing-ball/lively", "3", i == 0 ? 160 : 1500);
        pairs[i].fill(&a.rows, pairs[i].h);
        audited_judge(&a, 0);
        IC_EXPECT(first_cause(&a) == pairs[i].mistake ||
                      finding_blames(&a.audit.findings, "penetration", pairs[i].mistake),
                  "'%s' in place of '%s'", ic_mistake_name(first_cause(&a)), ic_mistake_name(pairs[i].mistake));
        CU_ASSERT_EQUAL(ic_findings_find(&a.audit.findings, "restitution")->verdict, IC_FINDING_PASS);
    }
}

/* ---- a moving wall */

static const char table[] = "title: A ball on a moving table\n"
                            "parameters: {g: 9.81 m/s^2, a: 1 mm, w: 188.5 rad/s, e: 0.9}\n"
                            "states: {x: {unit: m, start: 10 mm}, v: m/s}\n"
                            "flow: {x: v, v: -g}\n"
                            "elements: {table: {stop: {gap: x - a*sin(w*t), restitution: e}}}\n"
                            "presets: {default: {until: 0.5 s}}\n";

/* Rows with v+ = -e (v - before w) + after w; right: 1, 1 + e. */
static void fill_table(ic_trajectory *tr, double before, double after)
{
    const double a = 1e-3, w = 188.5, h = tr->t[1] / 1000;
    double x = 0.01, v = 0, t = 0;
    for (size_t i = 0; i < tr->n; i++) {
        for (; t < tr->t[i] - 0.5 * h; t += h) {
            double y = x + h * v - 0.5 * G * h * h, u = v - G * h;
            const double wall = a * w * cos(w * (t + h));
            if (y < a * sin(w * (t + h)) && u < wall)
                y = a * sin(w * (t + h)), u = -E * (u - before * wall) + after * wall;
            x = y, v = u;
        }
        tr->x[2 * i] = x;
        tr->x[2 * i + 1] = v;
    }
}

IC_TEST(test_moving_wall)
{
    static const double factors[][2] = {{1, 1}, {0, 0}, {1, -1}, {0, 1}, {-1, 1}};
    ic_error error = {""};
    IC_OWN(ic_casefile) *file = ic_casefile_read("table.yaml", table, sizeof table - 1, NULL, 0, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (size_t i = 0; i < IC_COUNT(factors); i++) {
        IC_OWN(audited) a = {.rows = {0}};
        CU_ASSERT_FATAL(ic_setup_open_case(&a.setup, ic_casefile_case(file), &(ic_request){0}, &error));
        audited_take_rows(&a.rows, &a.setup.problem, NULL, &(ic_options){.samples = 401});
        fill_table(&a.rows, factors[i][0], factors[i][1]);
        audited_judge(&a, AUDITED_ACCURACY);
        IC_EXPECT(finding_blames(&a.audit.findings, "events", IC_MISTAKE_WALL_VELOCITY) == (i > 0),
                  "%g, %g: '%s'", factors[i][0], factors[i][1], ic_mistake_name(first_cause(&a)));
    }
}
