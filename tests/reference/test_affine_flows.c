/* SPDX-License-Identifier: MIT */
/**
 * Certificates of affine flows against the exponential of a matrix, which shares no code with the certifier:
 * the formulas of each mode are read by the reader of the solvers, and with z = (x, 1, cos w t, sin w t)
 *
 *     z' = M z,     z(t) = exp(M (t - a)) z(a)
 *
 * from event to event. Guards vanish at their events, and states after these follow by the texts of the jumps.
 */
#include "core/expression.h"
#include "core/model.h"
#include "reference/flow/certify.h"
#include "reference/flow/flow_set.h"
#include "registry/registry.h"
#include "tests/machine.h"

IC_SUITE(solvers, "affine flows")

enum { BITS = 128, DIGITS = 12, MOST_SECONDS = 60 };

/* Forms are computed in double precision, by less than 2^5 roundings; and a number near 1 becomes 0 by these. */
enum { FORM_BITS = 48 };

/* ---- rows over z */

static void set_number(arb_t entry, double x)
{
    IC_BOUNDS(error);
    arb_set_d(entry, x);
    arb_get_mag(error, entry);
    mag_mul_2exp_si(error, error, -FORM_BITS);
    arb_add_error_mag(entry, error);
}

/* row: n + 3 balls; its frequency, if it has one, becomes that of the mode. */
static void read_row(arb_ptr row, double *frequency, const ic_problem *problem, const char *text)
{
    const size_t n = problem->system->n_states;
    ic_form form;
    ic_error error;
    const ic_names names = {.system = problem->system, .par = problem->par, .states = true, .time = true};
    CU_ASSERT_FATAL(ic_expression(&form, text, &names, &error));
    for (size_t i = 0; i < n; i++) set_number(row + i, form.state[i]);
    set_number(row + n, form.constant);
    set_number(row + n + 1, form.cosine);
    set_number(row + n + 2, form.sine);
    if (form.cosine != 0 || form.sine != 0) *frequency = form.frequency;
}

/* z for a state, at the time t. */
static void place(arb_ptr z, arb_srcptr x, const arb_t t, double frequency, slong n)
{
    IC_BALLS(angle);
    _arb_vec_set(z, x, n);
    arb_one(z + n);
    set_number(angle, frequency);
    arb_mul(angle, angle, t, BITS);
    arb_sin_cos(z + n + 2, z + n + 1, angle, BITS);
}

/* Whether row . z overlaps a value. */
static bool row_gives(const ic_problem *problem, const char *text, arb_srcptr x, const arb_t t,
                      const arb_t value)
{
    const slong n = (slong)problem->system->n_states;
    double frequency = 0;
    IC_BALLS(product);
    IC_BALL_VECTOR(row, n + 3);
    IC_BALL_VECTOR(z, n + 3);
    read_row(row, &frequency, problem, text);
    place(z, x, t, frequency, n);
    arb_dot(product, NULL, 0, row, 1, z, 1, n + 3, BITS);
    return arb_overlaps(product, value);
}

/* ---- from event to event */

/* Whether the flow of a mode leads from x at the time a to y at the time b. */
static bool flow_leads(const ic_problem *problem, const ic_mode *mode, arb_srcptr x, const arb_t a,
                       arb_srcptr y, const arb_t b)
{
    const slong n = (slong)problem->system->n_states, dim = n + 3;
    double frequency = 0;
    bool leads = true;
    IC_BALLS(interval, value);
    IC_BALL_VECTOR(z, dim);
    IC_BALL_VECTOR(row, dim);
    IC_BALL_MATRIX(M, dim, dim);
    arb_sub(interval, b, a, BITS);
    for (slong i = 0; i < n; i++) {
        read_row(row, &frequency, problem, mode->linear[i]);
        for (slong k = 0; k < dim; k++) arb_set(arb_mat_entry(M, i, k), row + k);
    }
    set_number(arb_mat_entry(M, n + 1, n + 2), -frequency);
    set_number(arb_mat_entry(M, n + 2, n + 1), frequency);
    place(z, x, a, frequency, n);
    arb_mat_scalar_mul_arb(M, M, interval, BITS);
    arb_mat_exp(M, M, BITS);
    for (slong i = 0; i < n && leads; i++) {
        arb_zero(value);
        for (slong k = 0; k < dim; k++) arb_addmul(value, arb_mat_entry(M, i, k), z + k, BITS);
        leads = arb_overlaps(value, y + i);
    }
    return leads;
}

static bool jump_leads(const ic_problem *problem, const ic_jump *jump, const ic_ball_event *event)
{
    bool leads = false;
    for (size_t b = 0; b < jump->n_branches && !leads; b++) {
        const ic_branch *branch = &jump->branches[b];
        leads = branch->mode == event->mode_to || branch->mode == IC_SAME_MODE;
        for (size_t i = 0; i < problem->system->n_states && leads; i++) {
            leads = branch->state == NULL
                        ? arb_overlaps(event->before + i, event->after + i)
                        : row_gives(problem, branch->state[i], event->before, event->t, event->after + i);
        }
    }
    return leads;
}

static bool event_follows(const ic_problem *problem, const ic_ball_event *event)
{
    const ic_mode *mode = &problem->variant->modes[event->mode_from];
    bool found = false;
    IC_BALLS(zero);
    for (size_t i = 0; i < mode->n_guards && !found; i++) {
        found = strcmp(mode->guards[i].name, event->name) == 0 &&
                row_gives(problem, mode->guards[i].linear, event->before, event->t, zero) &&
                jump_leads(problem, &mode->guards[i].jump, event);
    }
    return found;
}

/* Whether every event after the first, and the end, follow from the event before. */
static bool run_follows(const ic_problem *problem, const ic_certificate *c)
{
    bool follows = c->status == IC_OK && c->count > 0;
    for (size_t i = 0; i < c->count && follows; i++) {
        const ic_ball_event *event = &c->events[i];
        const bool last = i + 1 == c->count;
        const ic_mode *mode = &problem->variant->modes[event->mode_to];
        follows = event_follows(problem, event);
        if (!follows || mode->terminal) continue;
        follows = flow_leads(problem, mode, event->after, event->t, last ? c->x : event[1].before,
                             last ? c->t : event[1].t);
    }
    return follows;
}

/* Moves a value by 1e-9 of its size, which is far more than the width of all balls. */
static void plant(arb_t value, bool back)
{
    IC_BALLS(part);
    arb_set_d(part, 1e-9);
    arb_add_ui(part, part, 1, BITS);
    if (back) arb_div(value, value, part, BITS);
    else arb_mul(value, value, part, BITS);
}

static slong largest(arb_srcptr x, slong n)
{
    slong k = 0;
    for (slong i = 1; i < n; i++) {
        if (arf_cmpabs(arb_midref(x + i), arb_midref(x + k)) > 0) k = i;
    }
    return k;
}

static void check_run(const char *path, const char *setting, const char *until)
{
    IC_OWN(ic_certificate) c;
    const ic_request request = {
        .path = path, .settings = &setting, .n_settings = setting != NULL, .until = until};
    IC_OWN(ic_setup) setup = ic_tests_setup(&request);
    IC_OWN(ic_setup) exact = ic_tests_exact(&setup);
    ic_certify(&c, &exact.problem, &(ic_certify_options){.digits = DIGITS, .time_limit = MOST_SECONDS});
    IC_EXPECT(run_follows(&setup.problem, &c), "%s: %s", path, c.reason);
    if (c.count > 0) {
        ic_ball_event *event = &c.events[c.count / 2];
        plant(event->t, false);
        CU_ASSERT(!run_follows(&setup.problem, &c));
        plant(event->t, true);
        const slong k = largest(event->before, c.n);
        plant(event->before + k, false);
        CU_ASSERT(!run_follows(&setup.problem, &c));
    }
}

IC_TEST(test_runs)
{
    check_run("roller/II/A", NULL, "0.3");
    check_run("roller/II/B", NULL, "0.3");
    check_run("roller/III/C", NULL, "0.5");
    check_run("roller/IV/C*", NULL, "0.3");
    check_run("roller/III/D", NULL, "0.3");
    check_run("planar-bar/kappa-1", NULL, NULL);
    check_run("planar-bar/kappa-100", NULL, NULL);
    check_run("planar-bar/kappa-100", "kappa=3000", NULL);
    check_run("two-mass/example-1", NULL, NULL);
    check_run("two-mass/forced", NULL, NULL);
    check_run("bouncing-ball/drop", NULL, "1.3");
}
