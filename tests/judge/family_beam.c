/* SPDX-License-Identifier: MIT */
/*
 * The rotating beam of the suite, derived anew from energies; the integrals over its modes come from their power series.
 *
 * A point of the beam at x is at (a + x - s) e_r + w e_theta, with w = sum_r phi_r(x/l) q_r and the shortening
 * s = 1/2 integral of (dw/dx)^2 from 0 to x. To second order in w the kinetic energy is
 *
 *     1/2 theta'^2 (J + rho integral of w^2 - 2 rho integral of (a + x) s)
 *         + theta' rho integral of (a + x) w' + 1/2 rho integral of w'^2,
 *
 * and 2 integral of (a + x) s dx = integral of ((l^2 - x^2)/2 + a (l - x)) (dw/dx)^2 dx. With m = rho l, xi = x/l and
 *
 *     m_rj = m integral of phi_r phi_j,   k_rj = EI/l^3 integral of phi_r'' phi_j'',   W_r = m integral of phi_r,
 *     S_r = m integral of (a + l xi) phi_r,
 *     G_rj = m_rj - m integral of ((1 - xi^2)/2 + a/l (1 - xi)) phi_r' phi_j',
 *
 * Lagrange's equations, with the force F of the stop, are
 *
 *     | J + q.G q   S^T  | |theta''|   | T - 2 theta' q'.G q - g m (l/2 + a) cos theta + g W.q sin theta - (x_p + a) F |
 *     | S           m_rj | |q''    | = | theta'^2 G q - k q - g W cos theta - phi(x_p) F                               |.
 */
#include "tests/judge/families.h"

#include <math.h>
#include <stdio.h>

enum {
    L,
    RHO,
    EI,
    A,
    RATIO,
    PLACE,
    ANGLE,
    GRAVITY,
    TORQUE,
    PULSE,
    K,
    DAMPING,
    EPS,
    STEEPNESS,
    E,
    T
}; /* parameters */
enum { MODES = 2, COORDINATES = MODES + 1, TERMS = 96, DERIVATIVES = 3 };
/* coordinate i, theta or q_i, and its rate are states 2 i and 2 i + 1 */
enum { THETA, OMEGA, DRIVE = 2 * COORDINATES, BEYOND, STATES };
enum { RIGID, HERTZ, FIRST, SECOND, KINDS };
enum { FREE, CONTACT, RELEASED };
enum { TORQUE_END, IMPACT, TOUCH_DOWN, EXIT, RELEASE, REGAINED, TRANSITION, GUARDS };

static const second_guard guards[GUARDS] = {
    {"torque-end", 1, false}, {"impact", 1, false},           {"touch-down", 1, true},  {"exit", -1, true},
    {"release", -1, false},   {"regained contact", 1, false}, {"transition", 0, false},
};
static const char *const modes[] = {"free", "contact", "released"};

/* ---- constants of the equations, which a run computes at its start */

static struct {
    /* coordinates of the draw */
    int n;

    /* whether it has the terms q.G q and 2 theta' q'.G q, which Eq. (16) lacks as printed */
    bool is_consistent;

    bool is_made;

    /* the mass matrix without q.G q */
    mpfr_t mass[COORDINATES][COORDINATES];

    /* G_rj */
    mpfr_t G[COORDINATES][COORDINATES];

    /* k_rj */
    mpfr_t k[COORDINATES][COORDINATES];

    /* W_r */
    mpfr_t W[COORDINATES];

    /* x_p + a and phi(x_p) */
    mpfr_t arm[COORDINATES];

    /* m (l/2 + a) */
    mpfr_t lever;
} beam;

static void set(mpfr_t constant, num value)
{
    if (beam.is_made) mpfr_clear(constant);
    mpfr_init2(constant, r_bits());
    mpfr_set(constant, value, MPFR_RNDN);
}

/* Coefficients of powers of xi: of a mode's derivatives; of 1. */
typedef struct power_series {
    num c[DERIVATIVES][TERMS];
} power_series;

/* phi = cosh - cos - sigma (sinh - sin) of lambda xi: 2 (lambda xi)^k/k! for k = 2 mod 4, -2 sigma of it for k = 3. */
static void expand_mode(power_series *s, int r)
{
    num lambda = r_fraction(r == 1 ? 18751 : 46941, 10000), one = r_si(1), sigma = one;
    for (int i = 0; i < 6; i++) { /* Newton on cos + 1/cosh */
        num e = r_exp(lambda), cosh2 = r_add(e, r_div(one, e)), tanh = r_tanh(lambda);
        num f = r_add(r_cos(lambda), r_div(r_si(2), cosh2));
        num slope = r_neg(r_add(r_sin(lambda), r_div(r_times(tanh, 2), cosh2)));
        sigma = r_div(r_sub(r_mul(cosh2, tanh), r_times(r_sin(lambda), 2)),
                      r_add(cosh2, r_times(r_cos(lambda), 2)));
        lambda = r_sub(lambda, r_div(f, slope));
    }
    num term = r_si(2), zero = r_si(0);
    for (int k = 0; k < TERMS; k++) {
        s->c[0][k] = k % 4 == 2 ? term : k % 4 == 3 ? r_neg(r_mul(sigma, term)) : zero;
        term = r_over(r_mul(term, lambda), k + 1);
    }
    for (int i = 1; i < DERIVATIVES; i++) {
        for (int k = 0; k < TERMS; k++) s->c[i][k] = k + 1 < TERMS ? r_times(s->c[i - 1][k + 1], k + 1) : zero;
    }
}

/* Integral over xi from 0 to 1 of (w_0 + w_1 xi + w_2 xi^2) times two series. */
static num integral(const num w[3], const num *f, const num *g)
{
    mpfr_ptr sum = r_new();
    mpfr_set_zero(sum, 1);
    const size_t mark = r_mark();
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j < TERMS && !mpfr_zero_p(f[i]); j++) {
            if (mpfr_zero_p(g[j])) continue;
            num weight = r_add_products(w[0], r_fraction(1, i + j + 1), w[1], r_fraction(1, i + j + 2));
            weight = r_add(weight, r_over(w[2], i + j + 3));
            mpfr_add(sum, sum, r_mul(r_mul(f[i], g[j]), weight), MPFR_RNDN);
            r_forget(mark);
        }
    }
    return sum;
}

static num mode_at(const power_series *s, num xi)
{
    num sum = r_si(0);
    for (int k = TERMS - 1; k >= 0; k--) sum = r_add(s->c[0][k], r_mul(sum, xi));
    return sum;
}

static void make_pair(const draw *d, const power_series *f, const power_series *g, int r, int j)
{
    num l = d->par[L], m = r_mul(d->par[RHO], l), half = r_fraction(1, 2), zero = r_si(0),
        a = r_div(d->par[A], l);
    const num plain[3] = {r_si(1), zero, zero}, shortening[3] = {r_add(half, a), r_neg(a), r_neg(half)};
    num mass = integral(plain, f->c[0], g->c[0]);
    set(beam.mass[r][j], r_mul(m, mass));
    set(beam.G[r][j], r_mul(m, r_sub(mass, integral(shortening, f->c[1], g->c[1]))));
    set(beam.k[r][j], r_mul(r_div(d->par[EI], r_mul(l, r_square(l))), integral(plain, f->c[2], g->c[2])));
}

static void make_beam(const draw *d)
{
    static power_series shapes[COORDINATES];
    num one = r_si(1), zero = r_si(0), l = d->par[L], a = d->par[A], m = r_mul(d->par[RHO], l);
    for (int k = 0; k < TERMS; k++) shapes[0].c[0][k] = k == 0 ? one : zero;
    const num plain[3] = {one, zero, zero}, lever[3] = {a, l, zero},
              inertia[3] = {r_square(a), r_times(r_mul(a, l), 2), r_square(l)};
    set(beam.mass[0][0],
        r_mul(r_add(one, d->par[RATIO]), r_mul(m, integral(inertia, shapes[0].c[0], shapes[0].c[0]))));
    set(beam.arm[0], r_add(d->par[PLACE], a));
    set(beam.lever, r_mul(m, integral(lever, shapes[0].c[0], shapes[0].c[0])));
    for (int r = 1; r < COORDINATES; r++) {
        expand_mode(&shapes[r], r);
        set(beam.mass[0][r], r_mul(m, integral(lever, shapes[0].c[0], shapes[r].c[0])));
        set(beam.mass[r][0], beam.mass[0][r]);
        set(beam.W[r], r_mul(m, integral(plain, shapes[0].c[0], shapes[r].c[0])));
        set(beam.arm[r], mode_at(&shapes[r], r_div(d->par[PLACE], l)));
    }
    for (int r = 1; r < COORDINATES; r++) {
        for (int j = 1; j < COORDINATES; j++) make_pair(d, &shapes[r], &shapes[j], r, j);
    }
    beam.is_made = true;
}

/* ---- the motion */

static num product(mpfr_t matrix[COORDINATES][COORDINATES], int r, const num *y)
{
    num sum = r_si(0);
    for (int j = 1; j < beam.n; j++) {
        const int q = 2 * j;
        sum = r_add(sum, r_mul(matrix[r][j], y[q]));
    }
    return sum;
}

/* M x = right, by elimination; changes `right`. */
static void solve(num *x, const num *y, num *right)
{
    num M[COORDINATES][COORDINATES];
    for (int i = 0; i < beam.n; i++) {
        for (int j = 0; j < beam.n; j++) M[i][j] = beam.mass[i][j];
    }
    for (int r = 1; r < beam.n && beam.is_consistent; r++) {
        const int q = 2 * r;
        M[0][0] = r_add(M[0][0], r_mul(y[q], product(beam.G, r, y)));
    }
    for (int p = 0; p < beam.n; p++) {
        for (int i = p + 1; i < beam.n; i++) {
            num factor = r_div(M[i][p], M[p][p]);
            for (int j = p; j < beam.n; j++) M[i][j] = r_sub(M[i][j], r_mul(factor, M[p][j]));
            right[i] = r_sub(right[i], r_mul(factor, right[p]));
        }
    }
    for (int i = beam.n - 1; i >= 0; i--) {
        for (int j = i + 1; j < beam.n; j++) right[i] = r_sub(right[i], r_mul(M[i][j], x[j]));
        x[i] = r_div(right[i], M[i][i]);
    }
}

/* The indentation less arm theta_s, or with which = 1 its rate. */
static num along_stop(const num *y, int which)
{
    num sum = r_si(0);
    for (int i = 0; i < beam.n; i++) sum = r_add(sum, r_mul(beam.arm[i], y[2 * i + which]));
    return sum;
}

static num depth(const draw *d, const num *y)
{
    return r_sub(along_stop(y, 0), r_mul(beam.arm[0], d->par[ANGLE]));
}

static num force(const draw *d, const num *y)
{
    num in = depth(d, y), spring = r_mul(d->par[K], r_power(in, d->p, 2)), factor = r_si(1);
    if (d->kind == HERTZ) return spring;
    if (d->kind == FIRST) factor = in;
    if (d->kind == SECOND && mpfr_sgn(y[BEYOND]) == 0)
        factor = r_exp(r_times(r_mul(d->par[STEEPNESS], r_div(r_sub(in, d->par[EPS]), d->par[EPS])), 2));
    return r_add(spring, r_mul(d->par[DAMPING], r_mul(factor, along_stop(y, 1))));
}

static int start(const draw *d, num *y)
{
    make_beam(d);
    for (int i = 0; i < STATES; i++) y[i] = r_si(0);
    y[DRIVE] = d->par[TORQUE];
    return FREE;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    num F = mode == CONTACT ? force(d, y) : r_si(0), right[COORDINATES], change[COORDINATES];
    num weight = r_mul(d->par[GRAVITY], r_cos(y[THETA])), sine = r_mul(d->par[GRAVITY], r_sin(y[THETA]));
    (void)t;
    right[0] = r_sub(r_sub(y[DRIVE], r_mul(weight, beam.lever)), r_mul(beam.arm[0], F));
    for (int r = 1; r < beam.n; r++) {
        const int q = 2 * r, v = q + 1;
        num Gq = product(beam.G, r, y);
        if (beam.is_consistent) right[0] = r_sub(right[0], r_mul(r_times(y[OMEGA], 2), r_mul(y[v], Gq)));
        right[0] = r_add(right[0], r_mul(sine, r_mul(beam.W[r], y[q])));
        right[r] = r_sub(r_mul(r_square(y[OMEGA]), Gq), product(beam.k, r, y));
        right[r] = r_sub(right[r], r_add_products(weight, beam.W[r], beam.arm[r], F));
    }
    solve(change, y, right);
    for (int i = 0; i < beam.n; i++) {
        const int q = 2 * i, v = q + 1;
        rates[q] = y[v], rates[v] = change[i];
    }
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    const bool yields = d->kind == FIRST || d->kind == SECOND;
    num none = NULL;
    switch (guard) {
    case TORQUE_END: return mpfr_zero_p(y[DRIVE]) ? none : r_sub(t, d->par[PULSE]);
    case IMPACT: return d->kind == RIGID ? depth(d, y) : none;
    case TOUCH_DOWN: return d->kind != RIGID && mode == FREE ? depth(d, y) : none;
    case EXIT: return mode != FREE ? depth(d, y) : none;
    case TRANSITION: return d->kind == SECOND && mode != FREE ? r_sub(depth(d, y), d->par[EPS]) : none;
    default: /* whether the law pushes; F/d for the first law */
        if (!yields || mode != (guard == RELEASE ? CONTACT : RELEASED)) return none;
        if (d->kind == SECOND) return force(d, y);
        return r_add_products(d->par[K], r_power(depth(d, y), d->p - 2, 2), d->par[DAMPING], along_stop(y, 1));
    }
}

/* M (change of the rates) = -P arm, with P such that d' becomes -e d' */
static void strike(const draw *d, num *y)
{
    num right[COORDINATES], change[COORDINATES], mobility = r_si(0);
    for (int i = 0; i < beam.n; i++) right[i] = beam.arm[i];
    solve(change, y, right);
    for (int i = 0; i < beam.n; i++) mobility = r_add(mobility, r_mul(beam.arm[i], change[i]));
    num impulse = r_div(r_mul(r_add(r_si(1), d->par[E]), along_stop(y, 1)), mobility);
    for (int i = 0; i < beam.n; i++) y[2 * i + 1] = r_sub(y[2 * i + 1], r_mul(impulse, change[i]));
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)t;
    switch (guard) {
    case TORQUE_END: y[DRIVE] = r_si(0); return mode;
    case IMPACT: strike(d, y); return mode;
    case TRANSITION: y[BEYOND] = r_sub(r_si(1), y[BEYOND]); return mode;
    case EXIT: return FREE;
    default: return guard == RELEASE ? RELEASED : CONTACT;
    }
}

/* The torque turns the beam to some speed, with which it meets the stop. */
static void draw_parameters(draw *d)
{
    DRAW_RANGES(d, {0.3, 1, 3}, {0.1, 0.6, 3}, {1, 20, 3});
    draw_given(d, draw_choice(d, 3) ? "0.03" : "0");
    draw_parameter(d, 0.01, 1, 3);
    draw_number(d, draw_value(d, L) * (0.5 + 0.1 * draw_choice(d, 5)), 3);
    draw_parameter(d, 0.1, 0.5, 3);
    draw_given(d, draw_choice(d, 2) ? "9.81" : "0");
    const double pulse = 0.005 + 0.005 * draw_choice(d, 4), speed = 3 + draw_choice(d, 8), l = draw_value(d, L);
    const double inertia = (1 + draw_value(d, RATIO)) * draw_value(d, RHO) * l * l * l / 3;
    const double weight = draw_value(d, GRAVITY) * draw_value(d, RHO) * l * (l / 2 + draw_value(d, A));
    draw_number(d, inertia * speed / pulse + weight, 3);
    draw_number(d, pulse, 2);
    draw_parameter(d, 1e6, 1e9, 3);
    draw_number(
        d, d->kind == FIRST ? draw_value(d, K) * (0.05 + 0.01 * draw_choice(d, 20)) : 50 + draw_choice(d, 700),
        3);
    DRAW_RANGES(d, {1e-6, 1e-4, 2}, {1, 3, 2}, {0.3, 0.9, 3});
    draw_number(d, (pulse / 2 + draw_value(d, ANGLE) / speed) * (1.3 + 0.1 * draw_choice(d, 5)), 4);
}

void draw_beam(draw *d)
{
    static const char *const names[] = {"l",      "rho",   "EI", "a",  "I_R_ratio", "x_p", "theta_s", "g",
                                        "torque", "pulse", "k",  NULL, "eps",       "Q",   "e"};
    static const char *const variants[KINDS] = {"momentum-balance", "hertz", "lee-wang-1", "lee-wang-2"};
    static const char *const states[MODES][STATES] = {{"theta", "omega", "q1", "p1", NULL, NULL, "T"},
                                                      {"theta", "omega", "q1", "p1", "q2", "p2", "T"}};
    const int n = 1 + draw_choice(d, MODES);
    d->kind = draw_choice(d, KINDS);
    d->p = 3 + draw_choice(d, 2);
    beam.is_consistent = draw_choice(d, 4) > 0;
    draw_parameters(d);
    for (int i = 0; i < T; i++) draw_set(d, i == DAMPING ? d->kind == FIRST ? "C1" : "C2" : names[i], i);
    const char *const other[] = {n == 1 ? "N=1" : "N=2", d->p == 3 ? "n=3/2" : "n=2",
                                 beam.is_consistent ? "consistent=1" : "consistent=0"};
    for (int i = 0; i < 3; i++) snprintf(d->settings[d->n_settings++], sizeof d->settings[0], "%s", other[i]);
    snprintf(d->what, sizeof d->what, "%s, %s, %s, %s", variants[d->kind], other[0], other[1], other[2]);
    d->path = "rotating-beam/main";
    d->variant = variants[d->kind];
    d->states = states[n - 1];
    beam.n = n + 1;
    const double l = draw_value(d, L), highest = n == 1 ? 10 : 60;
    d->machine =
        DRAW_MACHINE(GUARDS, guards, sqrt(draw_value(d, RHO) / draw_value(d, EI)) * l * l / highest, 1);
    d->machine.modes = modes;
}
