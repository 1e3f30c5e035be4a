/* SPDX-License-Identifier: MIT */
#include "reference/beam_series.h"
#include "reference/cantilever.h"

#include <math.h>

/* ---- constants */

void ic_beam_number(arb_t value, const ic_beam_problem *problem, ic_beam_parameter which)
{
    if (problem->exact == NULL) arb_set_d(value, problem->number[which]);
    else arb_get_mid_arb(value, problem->exact + which);
}

static void set_shape(ic_beam_model *b, const ic_cantilever_mode *modes, slong r)
{
    const slong prec = b->prec;
    arb_t area, first, at;
    arb_init(area), arb_init(first), arb_init(at);
    ic_cantilever_integral(area, &(ic_cantilever_integrand){.weight = {1}, .first = &modes[r]});
    ic_cantilever_integral(first, &(ic_cantilever_integrand){.weight = {0, 1}, .first = &modes[r]});
    arb_mul(b->weight + r, b->m, area, prec);
    ic_beam_number(at, b->problem, IC_BEAM_L);
    arb_mul(b->S + r, first, at, prec);
    ic_beam_number(at, b->problem, IC_BEAM_A);
    arb_addmul(b->S + r, area, at, prec);
    arb_mul(b->S + r, b->S + r, b->m, prec);
    ic_beam_number(b->k + r, b->problem, IC_BEAM_EI);
    ic_beam_number(at, b->problem, IC_BEAM_L);
    for (int i = 0; i < 3; i++) arb_div(b->k + r, b->k + r, at, prec);
    for (int i = 0; i < 4; i++) arb_mul(b->k + r, b->k + r, modes[r].lambda, prec);
    ic_beam_number(first, b->problem, IC_BEAM_X_P);
    arb_div(at, first, at, modes[r].prec);
    ic_cantilever_mode_at(b->phi + r, &modes[r], at, 0);
    arb_clear(area), arb_clear(first), arb_clear(at);
}

static void set_stiffening(ic_beam_model *b, const ic_cantilever_mode *modes, slong r, slong j)
{
    arb_t entry, term, ratio;
    arb_init(entry), arb_init(term), arb_init(ratio);
    ic_cantilever_integrand integrand = {
        .weight = {1, 0, -1}, .first = &modes[r], .second = &modes[j], .derivative = 1};
    ic_cantilever_integral(term, &integrand);
    arb_mul_2exp_si(term, term, -1);
    arb_set_si(entry, r == j);
    arb_sub(entry, entry, term, b->prec);
    integrand.weight[1] = -1, integrand.weight[2] = 0;
    ic_cantilever_integral(term, &integrand);
    ic_beam_number(ratio, b->problem, IC_BEAM_L);
    arb_div(term, term, ratio, b->prec);
    ic_beam_number(ratio, b->problem, IC_BEAM_A);
    arb_submul(entry, term, ratio, b->prec);
    arb_mul(arb_mat_entry(b->G, r, j), entry, b->m, b->prec);
    arb_set(arb_mat_entry(b->G, j, r), arb_mat_entry(b->G, r, j));
    arb_clear(entry), arb_clear(term), arb_clear(ratio);
}

static void set_whole(ic_beam_model *b)
{
    const ic_beam_problem *p = b->problem;
    const slong prec = b->prec;
    arb_t l, a, end;
    arb_init(l), arb_init(a), arb_init(end);
    ic_beam_number(l, p, IC_BEAM_L), ic_beam_number(a, p, IC_BEAM_A);
    ic_beam_number(b->m, p, IC_BEAM_RHO);
    arb_mul(b->m, b->m, l, prec);
    arb_add(end, l, a, prec); /* J = (1 + I_R/I_B) rho ((l + a)^3 - a^3)/3 */
    arb_pow_ui(end, end, 3, prec);
    arb_pow_ui(b->J, a, 3, prec);
    arb_sub(b->J, end, b->J, prec);
    ic_beam_number(end, p, IC_BEAM_RHO);
    arb_mul(b->J, b->J, end, prec);
    arb_div_si(b->J, b->J, 3, prec);
    ic_beam_number(end, p, IC_BEAM_I_R_RATIO);
    arb_add_si(end, end, 1, prec);
    arb_mul(b->J, b->J, end, prec);
    ic_beam_number(b->arm, p, IC_BEAM_X_P);
    arb_add(b->arm, b->arm, a, prec);
    arb_mul_2exp_si(l, l, -1);
    arb_add(b->moment, l, a, prec);
    arb_mul(b->moment, b->moment, b->m, prec);
    ic_beam_number(b->eps, p, IC_BEAM_EPS);
    ic_beam_number(b->steepness, p, IC_BEAM_Q);
    arb_mul_2exp_si(b->steepness, b->steepness, 1);
    arb_div(b->steepness, b->steepness, b->eps, prec);
    arb_clear(l), arb_clear(a), arb_clear(end);
}

double ic_beam_rate(const ic_beam_problem *problem)
{
    const double *number = problem->number, l = number[IC_BEAM_L];
    return sqrt(number[IC_BEAM_EI] / number[IC_BEAM_RHO]) / (l * l);
}

/* The radii are dropped here: from now on only midpoints are computed. */
static void drop_radii(arb_ptr x, slong n)
{
    for (slong i = 0; i < n; i++) mag_zero(arb_radref(x + i));
}

void ic_beam_model_init(ic_beam_model *b, const ic_beam_problem *problem, slong prec)
{
    const slong n = problem->modes;
    *b = (ic_beam_model){.problem = problem, .n = n, .prec = prec};
    b->rate = ic_beam_rate(problem);
    arb_init(b->m), arb_init(b->J), arb_init(b->arm), arb_init(b->moment);
    arb_init(b->eps), arb_init(b->steepness);
    b->S = _arb_vec_init(n), b->weight = _arb_vec_init(n);
    b->k = _arb_vec_init(n), b->phi = _arb_vec_init(n);
    arb_mat_init(b->G, n, n);
    set_whole(b);
    ic_cantilever_mode *modes = flint_malloc((size_t)n * sizeof *modes);
    for (slong r = 0; r < n; r++) {
        ic_cantilever_mode_init(&modes[r], r, prec);
        set_shape(b, modes, r);
        for (slong j = 0; j <= r; j++) set_stiffening(b, modes, r, j);
    }
    for (slong r = 0; r < n; r++) ic_cantilever_mode_clear(&modes[r]);
    flint_free(modes);
    drop_radii(b->m, 1), drop_radii(b->J, 1), drop_radii(b->arm, 1), drop_radii(b->moment, 1);
    drop_radii(b->steepness, 1);
    drop_radii(b->S, n), drop_radii(b->weight, n), drop_radii(b->k, n), drop_radii(b->phi, n);
    for (slong r = 0; r < n; r++) drop_radii(arb_mat_entry(b->G, r, 0), n);
}

void ic_beam_model_clear(ic_beam_model *b)
{
    arb_clear(b->m), arb_clear(b->J), arb_clear(b->arm), arb_clear(b->moment);
    arb_clear(b->eps), arb_clear(b->steepness);
    _arb_vec_clear(b->S, b->n), _arb_vec_clear(b->weight, b->n);
    _arb_vec_clear(b->k, b->n), _arb_vec_clear(b->phi, b->n);
    arb_mat_clear(b->G);
}

/* ---- indentation, mass matrix, impact */

void ic_beam_indentation(arb_t d, const ic_beam_model *b, arb_srcptr x)
{
    arb_t theta_s;
    arb_init(theta_s);
    ic_beam_number(theta_s, b->problem, IC_BEAM_THETA_S);
    arb_sub(d, x + IC_BEAM_THETA, theta_s, b->prec);
    arb_mul(d, d, b->arm, b->prec);
    arb_dot(d, d, 0, b->phi, 1, x + IC_BEAM_PAIRS, 2, b->n, b->prec);
    drop_radii(d, 1);
    arb_clear(theta_s);
}

void ic_beam_approach(arb_t v, const ic_beam_model *b, arb_srcptr x)
{
    arb_mul(v, x + IC_BEAM_OMEGA, b->arm, b->prec);
    arb_dot(v, v, 0, b->phi, 1, x + IC_BEAM_PAIRS + 1, 2, b->n, b->prec);
    drop_radii(v, 1);
}

/* M^-1 at a state. */
static void invert_mass(arb_mat_t inverse, const ic_beam_model *b, arb_srcptr x)
{
    const slong n = b->n, prec = b->prec;
    arb_t Gq;
    arb_init(Gq);
    arb_mat_zero(inverse);
    arb_ptr whole = arb_mat_entry(inverse, 0, 0);
    arb_set(whole, b->J);
    for (slong r = 0; r < n; r++) {
        if (b->problem->consistent) {
            arb_dot(Gq, NULL, 0, arb_mat_entry(b->G, r, 0), 1, x + IC_BEAM_PAIRS, 2, n, prec);
            arb_addmul(whole, Gq, x + IC_BEAM_PAIRS + 2 * r, prec);
        }
        arb_set(arb_mat_entry(inverse, 0, r + 1), b->S + r);
        arb_set(arb_mat_entry(inverse, r + 1, 0), b->S + r);
        arb_set(arb_mat_entry(inverse, r + 1, r + 1), b->m);
    }
    arb_mat_inv(inverse, inverse, prec);
    for (slong i = 0; i <= n; i++) drop_radii(arb_mat_entry(inverse, i, 0), n + 1);
    arb_clear(Gq);
}

void ic_beam_strike(arb_ptr x, const ic_beam_model *b)
{
    const slong n = b->n, prec = b->prec;
    arb_mat_t inverse;
    arb_t impulse, v, share;
    arb_ptr direction = _arb_vec_init(n + 1), change = _arb_vec_init(n + 1);
    arb_mat_init(inverse, n + 1, n + 1);
    arb_init(impulse), arb_init(v), arb_init(share);
    invert_mass(inverse, b, x);
    arb_set(direction, b->arm);
    _arb_vec_set(direction + 1, b->phi, n);
    for (slong i = 0; i <= n; i++)
        arb_dot(change + i, NULL, 0, arb_mat_entry(inverse, i, 0), 1, direction, 1, n + 1, prec);
    arb_dot(share, NULL, 0, change, 1, direction, 1, n + 1, prec);
    ic_beam_approach(v, b, x);
    ic_beam_number(impulse, b->problem, IC_BEAM_RESTITUTION);
    arb_add_si(impulse, impulse, 1, prec);
    arb_mul(impulse, impulse, v, prec);
    arb_div(impulse, impulse, share, prec);
    for (slong i = 0; i <= n; i++) arb_submul(x + 2 * i + 1, change + i, impulse, prec);
    drop_radii(x, 2 * (n + 1));
    arb_mat_clear(inverse);
    arb_clear(impulse), arb_clear(v), arb_clear(share);
    _arb_vec_clear(direction, n + 1), _arb_vec_clear(change, n + 1);
}

/* ---- series */

/* Rows after those of the states; then G q (n rows), and theta'', q'' (n + 1 rows). */
enum {
    TIME,
    CLOCK,       /* u = dt/ds */
    INDENTATION, /* d */
    APPROACH,    /* v = d' */
    SQUARE_ROOT, /* sqrt(d) */
    POWER,       /* sqrt(d)^(2n); in the first model sqrt(d)^(2n - 2) */
    TRANSITION,  /* T */
    PUSH,
    FORCE,
    INERTIA,  /* q.G q */
    CORIOLIS, /* q'.G q */
    SPIN,     /* theta'^2 */
    SINE,
    COSINE,
    SAG, /* S*.q */
    OWN_ROWS
};

static arb_ptr state_row(const ic_beam_series *s, slong i)
{
    return s->rows + i * s->order;
}
static arb_ptr series_row(const ic_beam_series *s, slong i)
{
    return state_row(s, 2 + 2 * s->model->n + i);
}
static arb_ptr stiffened_row(const ic_beam_series *s, slong r)
{
    return series_row(s, OWN_ROWS + r);
}
static arb_ptr acceleration_row(const ic_beam_series *s, slong i)
{
    return series_row(s, OWN_ROWS + s->model->n + i);
}
static slong row_count(slong n)
{
    return 2 + 2 * n + OWN_ROWS + n + n + 1;
}

/* out = initial + sum of a_i b_(k-i), i = from ... k; initial may be NULL */
static void convolve_coefficient(arb_ptr out, arb_srcptr initial, arb_srcptr a, arb_srcptr b, slong from,
                                 slong k, slong prec)
{
    arb_dot(out, initial, 0, a + from, 1, b + k - from, -1, k - from + 1, prec);
    drop_radii(out, 1);
}

/* out = the k-th coefficient of a^2 */
static void square_coefficient(arb_ptr out, arb_srcptr a, slong k, slong prec)
{
    const slong pairs = (k + 1) / 2;
    arb_dot(out, NULL, 0, a, 1, a + k, -1, pairs, prec);
    arb_mul_2exp_si(out, out, 1);
    if (k % 2 == 0) arb_addmul(out, a + k / 2, a + k / 2, prec);
    drop_radii(out, 1);
}

static void update_geometry(const ic_beam_series *s, slong k)
{
    const ic_beam_model *b = s->model;
    const slong n = b->n, prec = b->prec, order = s->order;
    arb_ptr q = state_row(s, IC_BEAM_PAIRS) + k, p = q + order;
    if (s->root == 0 && k > 0) { /* otherwise known already */
        arb_ptr d = series_row(s, INDENTATION) + k;
        arb_mul(d, state_row(s, IC_BEAM_THETA) + k, b->arm, prec);
        arb_dot(d, d, 0, b->phi, 1, q, 2 * order, n, prec);
        drop_radii(d, 1);
    }
    arb_ptr v = series_row(s, APPROACH) + k;
    arb_mul(v, state_row(s, IC_BEAM_OMEGA) + k, b->arm, prec);
    arb_dot(v, v, 0, b->phi, 1, p, 2 * order, n, prec);
    drop_radii(v, 1);
    if (b->problem->number[IC_BEAM_G] != 0) {
        arb_ptr sag = series_row(s, SAG) + k;
        arb_dot(sag, NULL, 0, b->weight, 1, q, 2 * order, n, prec);
        drop_radii(sag, 1);
    }
    for (slong r = 0; r < n; r++) {
        arb_dot(stiffened_row(s, r) + k, NULL, 0, arb_mat_entry(b->G, r, 0), 1, q, 2 * order, n, prec);
        drop_radii(stiffened_row(s, r) + k, 1);
    }
}

/* At the start of a step q.G q is a sum; within it its rate is 2 q'.G q, since G is symmetric, and
   `advance_series` integrates that. */
static void update_products(const ic_beam_series *s, slong k)
{
    const ic_beam_model *b = s->model;
    const slong prec = b->prec;
    square_coefficient(series_row(s, SPIN) + k, state_row(s, IC_BEAM_OMEGA), k, prec);
    if (!b->problem->consistent) return;
    arb_ptr inertia = series_row(s, INERTIA), coriolis = series_row(s, CORIOLIS) + k;
    for (slong r = 0; r < b->n; r++) {
        arb_srcptr q = state_row(s, IC_BEAM_PAIRS + 2 * r), Gq = stiffened_row(s, r);
        if (k == 0) convolve_coefficient(inertia, r == 0 ? NULL : inertia, q, Gq, 0, 0, prec);
        convolve_coefficient(coriolis, r == 0 ? NULL : coriolis, q + s->order, Gq, 0, k, prec);
    }
}

/* k y_k = sum of i x_i z_(k-i): the k-th coefficient of y where y' = x' z */
static void chain_coefficient(arb_t y, arb_srcptr x, arb_srcptr z, slong k, slong prec)
{
    arb_t term;
    arb_init(term);
    arb_zero(y);
    for (slong i = 1; i <= k; i++) {
        arb_mul_si(term, x + i, i, prec);
        arb_addmul(y, term, z + k - i, prec);
    }
    arb_div_si(y, y, k, prec);
    drop_radii(y, 1);
    arb_clear(term);
}

static void update_angles(const ic_beam_series *s, slong k)
{
    const slong prec = s->model->prec;
    arb_srcptr theta = state_row(s, IC_BEAM_THETA);
    arb_ptr sine = series_row(s, SINE), cosine = series_row(s, COSINE);
    if (s->model->problem->number[IC_BEAM_G] == 0) return;
    if (k == 0) {
        arb_sin_cos(sine, cosine, theta, prec);
        drop_radii(sine, 1), drop_radii(cosine, 1);
        return;
    }
    chain_coefficient(sine + k, theta, cosine, k, prec);
    chain_coefficient(cosine + k, theta, sine, k, prec);
    arb_neg(cosine + k, cosine + k);
}

/* ---- the law */

/* sqrt(d): w^2 = d in t; root (s_0 + s) in s */
static void update_square_root(const ic_beam_series *s, slong k)
{
    const slong prec = s->model->prec;
    arb_srcptr d = series_row(s, INDENTATION);
    arb_ptr w = series_row(s, SQUARE_ROOT);
    if (k == 0) {
        arb_sqrt(w, d, prec);
    } else if (s->root != 0) {
        arb_set_si(w + k, k == 1 ? s->root : 0);
    } else {
        arb_dot(w + k, d + k, 1, w + 1, 1, w + k - 1, -1, k - 1, prec);
        arb_div(w + k, w + k, w, prec);
        arb_mul_2exp_si(w + k, w + k, -1);
    }
    drop_radii(w + k, 1);
}

/* sqrt(d)^exponent, exponent = 0 ... 4 */
static void update_power(const ic_beam_series *s, long exponent, slong k)
{
    arb_ptr out = series_row(s, POWER) + k;
    arb_srcptr d = series_row(s, INDENTATION), w = series_row(s, SQUARE_ROOT);
    switch (exponent) {
    case 0: arb_set_si(out, k == 0); break;
    case 1: arb_set(out, w + k); break;
    case 2: arb_set(out, d + k); break;
    case 3: convolve_coefficient(out, NULL, d, w, 0, k, s->model->prec); break;
    default: convolve_coefficient(out, NULL, d, d, 0, k, s->model->prec); break;
    }
}

/* T: T' = 2 Q/eps d' T below eps */
static void update_transition(const ic_beam_series *s, slong k)
{
    const ic_beam_model *b = s->model;
    arb_srcptr d = series_row(s, INDENTATION);
    arb_ptr T = series_row(s, TRANSITION) + k;
    if (s->regime->beyond) {
        arb_set_si(T, k == 0);
    } else if (k == 0) {
        arb_sub(T, d, b->eps, b->prec);
        arb_mul(T, T, b->steepness, b->prec);
        arb_exp(T, T, b->prec);
    } else {
        chain_coefficient(T, d, series_row(s, TRANSITION), k, b->prec);
        arb_mul(T, T, b->steepness, b->prec);
    }
    drop_radii(T, 1);
}

/* F and a function of the same sign: F/d in the first model, F in the second, otherwise 1 + damping
   v/v0. */
static void update_law(const ic_beam_series *s, slong k)
{
    const ic_beam_problem *p = s->model->problem;
    const slong prec = s->model->prec;
    const bool first = p->contact == IC_BEAM_LEE_WANG_1;
    arb_t K, damping;
    arb_ptr push = series_row(s, PUSH), force = series_row(s, FORCE);
    arb_init(K), arb_init(damping);
    ic_beam_number(K, p, IC_BEAM_K), ic_beam_number(damping, p, IC_BEAM_DAMPING);
    update_square_root(s, k);
    update_power(s, (long)(2 * p->number[IC_BEAM_EXPONENT]) - (first ? 2 : 0), k);
    arb_srcptr v = series_row(s, APPROACH);
    if (p->contact == IC_BEAM_POWER) {
        arb_mul(push + k, v + k, damping, prec);
        arb_div(push + k, push + k, s->regime->v0, prec);
        if (k == 0) arb_add_si(push, push, 1, prec);
        drop_radii(push + k, 1);
        convolve_coefficient(force + k, NULL, series_row(s, POWER), push, 0, k, prec);
        arb_mul(force + k, force + k, K, prec);
    } else {
        arb_mul(push + k, series_row(s, POWER) + k, K, prec);
        if (!first) {
            update_transition(s, k);
            convolve_coefficient(force + k, NULL, series_row(s, TRANSITION), v, 0, k, prec);
        }
        arb_addmul(push + k, first ? v + k : force + k, damping, prec);
        drop_radii(push + k, 1);
        if (first) convolve_coefficient(force + k, NULL, series_row(s, INDENTATION), push, 0, k, prec);
        else arb_set(force + k, push + k);
    }
    drop_radii(force + k, 1);
    arb_clear(K), arb_clear(damping);
}

/* ---- equations of motion */

/* Loads on theta and q_r, without the terms of M from earlier coefficients. */
static void load_shaft(arb_t load, const ic_beam_series *s, slong k)
{
    const ic_beam_model *b = s->model;
    const slong prec = b->prec;
    arb_t term, g;
    arb_init(term), arb_init(g);
    arb_zero(load);
    if (k == 0) arb_set(load, s->regime->torque);
    if (b->problem->consistent) {
        convolve_coefficient(term, NULL, state_row(s, IC_BEAM_OMEGA), series_row(s, CORIOLIS), 0, k, prec);
        arb_submul_si(load, term, 2, prec);
        if (k > 0) {
            convolve_coefficient(term, NULL, series_row(s, INERTIA), acceleration_row(s, 0), 1, k, prec);
            arb_sub(load, load, term, prec);
        }
    }
    if (b->problem->number[IC_BEAM_G] != 0) {
        arb_mul(term, b->moment, series_row(s, COSINE) + k, prec);
        arb_neg(term, term);
        convolve_coefficient(term, term, series_row(s, SINE), series_row(s, SAG), 0, k, prec);
        ic_beam_number(g, b->problem, IC_BEAM_G);
        arb_addmul(load, term, g, prec);
    }
    if (s->regime->pushes) arb_submul(load, b->arm, series_row(s, FORCE) + k, prec);
    arb_clear(term), arb_clear(g);
}

static void load_mode(arb_t load, const ic_beam_series *s, slong r, slong k)
{
    const ic_beam_model *b = s->model;
    const slong prec = b->prec;
    convolve_coefficient(load, NULL, series_row(s, SPIN), stiffened_row(s, r), 0, k, prec);
    arb_submul(load, b->k + r, state_row(s, IC_BEAM_PAIRS + 2 * r) + k, prec);
    if (b->problem->number[IC_BEAM_G] != 0) {
        arb_t g;
        arb_init(g);
        ic_beam_number(g, b->problem, IC_BEAM_G);
        arb_mul(g, g, b->weight + r, prec);
        arb_submul(load, g, series_row(s, COSINE) + k, prec);
        arb_clear(g);
    }
    if (s->regime->pushes) arb_submul(load, b->phi + r, series_row(s, FORCE) + k, prec);
}

static void solve_accelerations(const ic_beam_series *s, slong k)
{
    const slong n = s->model->n, prec = s->model->prec;
    arb_ptr load = _arb_vec_init(n + 1);
    load_shaft(load, s, k);
    for (slong r = 0; r < n; r++) load_mode(load + r + 1, s, r, k);
    drop_radii(load, n + 1);
    for (slong i = 0; i <= n; i++) {
        arb_dot(acceleration_row(s, i) + k, NULL, 0, arb_mat_entry(s->inverse, i, 0), 1, load, 1, n + 1, prec);
        drop_radii(acceleration_row(s, i) + k, 1);
    }
    _arb_vec_clear(load, n + 1);
}

/* u v = 2 (s_0 + s) root^2, s_0 = root sqrt(d_0) */
static void clock_rate(const ic_beam_series *s, slong k)
{
    const slong prec = s->model->prec;
    arb_ptr u = series_row(s, CLOCK);
    arb_srcptr v = series_row(s, APPROACH);
    arb_dot(u + k, NULL, 0, v + 1, 1, u + k - 1, -1, k, prec);
    arb_neg(u + k, u + k);
    if (k == 0) {
        arb_mul_si(u, series_row(s, SQUARE_ROOT), 2L * s->root, prec);
    } else if (k == 1) {
        arb_add_si(u + 1, u + 1, 2, prec);
    }
    arb_div(u + k, u + k, v, prec);
    drop_radii(u + k, 1);
}

/* (k + 1) x_(k+1) = (u rate)_k */
static void integrate_coefficient(arb_ptr x, const ic_beam_series *s, arb_srcptr rate, slong k)
{
    const slong prec = s->model->prec;
    if (s->root == 0) arb_set(x + k + 1, rate + k);
    else convolve_coefficient(x + k + 1, NULL, series_row(s, CLOCK), rate, 0, k, prec);
    arb_div_si(x + k + 1, x + k + 1, k + 1, prec);
    drop_radii(x + k + 1, 1);
}

static void right_hand_side_of(const ic_beam_series *s, slong k)
{
    update_geometry(s, k);
    update_products(s, k);
    update_angles(s, k);
    if (s->regime->near_stop) update_law(s, k);
    solve_accelerations(s, k);
}

static void advance_series(const ic_beam_series *s, slong k)
{
    arb_ptr time = series_row(s, TIME), clock = series_row(s, CLOCK);
    if (s->root != 0) clock_rate(s, k);
    else arb_set_si(clock + k, k == 0);
    for (slong i = 0; i <= s->model->n; i++) {
        integrate_coefficient(state_row(s, 2 * i), s, state_row(s, 2 * i + 1), k);
        integrate_coefficient(state_row(s, 2 * i + 1), s, acceleration_row(s, i), k);
    }
    if (s->model->problem->consistent) {
        integrate_coefficient(series_row(s, INERTIA), s, series_row(s, CORIOLIS), k);
        arb_mul_2exp_si(series_row(s, INERTIA) + k + 1, series_row(s, INERTIA) + k + 1, 1);
    }
    arb_div_si(time + k + 1, clock + k, k + 1, s->model->prec);
    drop_radii(time + k + 1, 1);
}

/* In t, sqrt(d) is singular at d = 0, about d/|v| away; in sqrt(d), time is singular at v = 0,
   about |v|/|v'| away. The variable whose singular point is farther is chosen. */
static int choose_root(const ic_beam_series *s)
{
    const ic_beam_model *b = s->model;
    const double d = arf_get_d(arb_midref(series_row(s, INDENTATION)), ARF_RND_NEAR),
                 v = arf_get_d(arb_midref(series_row(s, APPROACH)), ARF_RND_NEAR);
    arb_t sum;
    arb_init(sum);
    arb_mul(sum, b->arm, acceleration_row(s, 0), b->prec);
    for (slong r = 0; r < b->n; r++) arb_addmul(sum, b->phi + r, acceleration_row(s, r + 1), b->prec);
    const double rate = arf_get_d(arb_midref(sum), ARF_RND_NEAR);
    arb_clear(sum);
    if (!s->regime->near_stop || v * v <= 2 * s->onset * fabs(rate) * d) return 0;
    return v > 0 ? 1 : -1;
}

/* d = (root sqrt(d_0) + s)^2 */
static void square_d(const ic_beam_series *s)
{
    arb_ptr d = series_row(s, INDENTATION);
    arb_mul_si(d + 1, series_row(s, SQUARE_ROOT), 2L * s->root, s->model->prec);
    arb_one(d + 2);
}

void ic_beam_series_init(ic_beam_series *s, const ic_beam_model *b, const ic_beam_regime *regime, arb_srcptr x,
                         const arb_t d, slong order, double onset)
{
    *s = (ic_beam_series){.model = b, .regime = regime, .order = order, .onset = onset};
    s->rows = _arb_vec_init(row_count(b->n) * order);
    arb_mat_init(s->inverse, b->n + 1, b->n + 1);
    invert_mass(s->inverse, b, x);
    for (slong i = 0; i < 2 + 2 * b->n; i++) arb_set(state_row(s, i), x + i);
    arb_set(series_row(s, INDENTATION), d);
    right_hand_side_of(s, 0);
    s->root = choose_root(s);
    if (s->root != 0) square_d(s);
    for (slong k = 0; k + 1 < order; k++) {
        if (k > 0) right_hand_side_of(s, k);
        advance_series(s, k);
    }
    right_hand_side_of(s, order - 1);
}

void ic_beam_series_clear(ic_beam_series *s)
{
    _arb_vec_clear(s->rows, row_count(s->model->n) * s->order);
    arb_mat_clear(s->inverse);
}

/* ---- outputs of a step */

/* Shortens the step so that the last two terms of a row fall below 2^-bits of `scale`. */
static void shorten_step(double *step, arb_srcptr c, slong order, double scale, slong bits)
{
    mag_t size;
    mag_init(size);
    for (slong k = order - 2; k < order; k++) {
        arb_get_mag(size, c + k);
        if (mag_is_zero(size)) continue;
        const double log2_size = mag_get_d_log2_approx(size);
        *step = fmin(*step, exp2((log2(scale) - (double)bits - log2_size) / (double)k));
    }
    mag_clear(size);
}

double ic_beam_series_step(const ic_beam_series *s, slong bits)
{
    /* l/100 and 1/100 rad, in the beam's own time */
    enum { PART = 100 };
    const ic_beam_model *b = s->model;
    const double length = b->problem->number[IC_BEAM_L] / PART;
    double step = INFINITY;
    for (slong i = 0; i < 2 + 2 * b->n; i++) {
        const double scale = (i < IC_BEAM_PAIRS ? 1. / PART : length) * (i % 2 == 0 ? 1 : b->rate);
        shorten_step(&step, state_row(s, i), s->order, scale, bits);
    }
    shorten_step(&step, series_row(s, TIME), s->order, 1 / (PART * b->rate), bits);
    if (s->regime->near_stop) {
        mag_t size;
        mag_init(size);
        arb_get_mag(size, series_row(s, PUSH));
        const double push = fmax(mag_get_d(size), b->problem->number[IC_BEAM_DAMPING] * length * b->rate);
        mag_clear(size);
        shorten_step(&step, series_row(s, PUSH), s->order, fmax(push, 1. / PART), bits);
    }
    return step;
}

arb_srcptr ic_beam_series_state(const ic_beam_series *s, slong i)
{
    return state_row(s, i);
}
arb_srcptr ic_beam_series_time(const ic_beam_series *s)
{
    return series_row(s, TIME);
}
arb_srcptr ic_beam_series_d(const ic_beam_series *s)
{
    return series_row(s, INDENTATION);
}
arb_srcptr ic_beam_series_sqrt_d(const ic_beam_series *s)
{
    return series_row(s, SQUARE_ROOT);
}
arb_srcptr ic_beam_series_push(const ic_beam_series *s)
{
    return series_row(s, PUSH);
}
