/* SPDX-License-Identifier: MIT */
/**
 * The closed form of a planar impact with springs and friction: exact up to rounding, phase by
 * phase.
 *
 * The impact (ic_impact) defines the problem: v = v(0) + W P, and springs k_x, k_y between the
 * point of contact and a massless sledge that rubs on the surface with mu. tau advances by one each
 * second, because a case with an impact view sets k_y = m/(1 s)^2.
 *
 * STICKING. In xi = (sqrt(k_x) x, sqrt(k_y) y) the motion is xi'' = -K xi with the symmetric
 * positive definite
 *
 *     K = [[k_x w_xx, sqrt(k_x k_y) w_xy], [sqrt(k_x k_y) w_xy, k_y w_yy]].
 *
 * One Jacobi rotation R diagonalises it, whether its eigenvalues are equal or far apart; the
 * smaller one is det K over the larger one. With q = R' xi, p = q'/omega and the time s since the
 * phase began, each of the two harmonics is
 *
 *     q(s) = q cos(omega s) + p sin(omega s),    integral of q = (q sin(omega s) + p (1 - cos(omega s)))/omega,
 *
 * and the impulse is minus the integral of (sqrt(k_x) xi_x, sqrt(k_y) xi_y).
 *
 * SLIDING to the side +1 or -1. F_x = -side mu F_y, and x' = -side r v_y with r = mu k_y/k_x. With
 * the normal impulse P of the phase,
 *
 *     v_y = v_y0 + n P,             n = w_yy - side mu w_xy,
 *     u = side x_s' = u_0 - d P,    d = mu w_xx - side w_xy - r n,
 *     y^2 = y_0^2 - P (v_y0 + v_y)/k_y.
 *
 * P only grows, so the sledge stops at P = u_0/d and the contact ends at the first P with y = 0,
 * whichever comes first. The time follows from y'' = -lambda y, lambda = k_y n:
 *
 *     P/(k_y |y_0 + y|) = tan(omega s/2)/omega,  omega = sqrt(lambda);
 *     with tanh and sqrt(-lambda) for lambda < 0;  s/2 for lambda = 0.
 *
 * Nothing in this cancels, however small lambda is. At other times y, P and its integral are sums
 * of Stumpff's functions c_k(lambda s^2): c_0 = cos(sqrt(z)), c_k = 1/k! - z c_{k+2}.
 *
 * EVENTS IN STICKING are the first zeros of mu F_y + F_x or mu F_y - F_x, each a sum of two
 * harmonics. To miss no zero, the search uses a lower bound: with the cosine and sine parts alpha
 * and beta of the harmonics at s, for all d >= 0,
 *
 *     g(s + d) >= g + g' d + g'' d^2/2 - sum max(beta, 0) omega^3 d^3/6 - sum max(-alpha, 0) omega^4 d^4/24,
 *
 * since cos x >= 1 - x^2/2, cos x <= 1 - x^2/2 + x^4/24, sin x <= x and sin x >= x - x^3/6 for x >=
 * 0. Each step of the search goes to a point before the first zero of this bound, or of the same
 * bound for the slow harmonic alone minus the amplitude of the fast one. The bound is exact to
 * second order, so the search converges to a simple zero cubically and from one side. It ends when
 * Taylor's cubic is proved to give the zero to rounding, and g to fall monotonically through it.
 * Until then mu F_y > |F_x|, so lift-off needs no search of its own unless the guards of slipping
 * are disabled.
 *
 * After a stop, the guard of that edge starts with an exact double zero, g'' > 0. Soon after the
 * start guards are summed from their increments, so that such a zero costs no precision. A guard
 * that starts at zero is judged by its next derivative that is not zero by rounding (event
 * contract, clause 2). A guard that stays within rounding of zero without being proved to cross is
 * a touch (clause 8).
 *
 * Work counts: a step is a phase; root iterations are the points at which the search in sticking
 * evaluates a guard. The flow is never called.
 */
#include "core/event_loop.h"
#include "core/model.h"
#include "core/numbers.h"
#include "solvers/rigid/impulse_plane.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    X = IC_IMPACT_X,
    Y = IC_IMPACT_Y,
    X_S = IC_IMPACT_X_S,
    P_X = IC_IMPACT_P_X,
    P_Y = IC_IMPACT_P_Y,
    TAU = IC_IMPACT_TAU
};
enum { FAST, SLOW, HARMONICS };
enum { PLUS, MINUS, PRESSURE, GUARDS }; /* mu F_y + F_x, mu F_y - F_x, F_y */

#define TWO_PI 6.28318530717958647693
/* Defaults as in core/model.c, which would find them by evaluating texts. */
#define DEFAULT_MAX_STEPS 1e8
/* relative to the time scale, 2 pi over the root of the trace of K */
#define DEFAULT_EVENT_TOL 1e-13
/*
 * Rounding error of a sum of two harmonics, in eps times its moduli: one unit for a sine, two for
 * its product with the amplitude, three for the amplitude, one for the sum, and one to spare.
 */
#define NOISE_ULPS 8.0
/*
 * Rounding error of a sum of six products of the state, likewise: one unit for each product and
 * three for the sums.
 */
#define START_ULPS 4.0
/*
 * Up to this angle of the fast harmonic, guards are summed from their increments; the series of x -
 * sin x is accurate that far.
 */
#define SERIES_REACH 1.0
/* Angle of a trial step, if nothing suggests another one. The bound decides whether it is safe. */
#define REACH 1.5
/*
 * The search ends when the remainder of Taylor's cubic moves the zero by less than this fraction of
 * its last place.
 */
#define REMAINDER 0.25
/*
 * Up to this tanh of half an angle, the duration is computed from it; beyond, from the growth,
 * which is then more than threefold.
 */
#define MOST_TANH 0.5
/* Observation: parts per period, least number per phase, and greatest number. */
#define NODES_PER_PERIOD 8.0
#define LEAST_NODES 4.0
#define MOST_NODES 1e6

typedef struct sliding_form {
    int side;

    /* dv_x/dP and dv_y/dP, 1/kg */
    double n_x, n;

    /* -du/dP, 1/kg */
    double d;

    /* Square of the frequency, 1/s^2. */
    double lambda;
} sliding_form;

/** A run. */
typedef struct impact_form {
    const ic_problem *problem;
    ic_options options;
    ic_log *log;
    ic_work *work;
    ic_impact impact;
    double r;

    /* sliding to +x and to -x */
    sliding_form sliding[2];

    /* the impact has a tangential part: the guards of slipping are enabled */
    bool cone_counts;

    /* sticking: rows of R' */
    double axis[HARMONICS][2];

    /* sticking: sqrt(k_x), sqrt(k_y) */
    double root[2];

    /* frequencies, rounded, and their remainders */
    double omega[HARMONICS], omega_rest[HARMONICS];

    double row[GUARDS][HARMONICS];

    /* The phase: its mode, and at its start the state, the velocity, and q and p if it sticks. */
    int mode;

    double x[IC_IMPACT_STATES], v[2];
    double q[HARMONICS], p[HARMONICS];
    long double now;
    double tau_start;

    /* side on which the sledge has just stopped, or 0 */
    int edge;

    /* the sledge has just started to slide */
    bool departs;

    /* time and sequence number of the last event */
    double last_t;

    int sequence;
} impact_form;

typedef struct phase_end {
    /* duration of the phase; INFINITY if it does not end */
    double s;

    /* name of the event */
    const char *name;

    /* the next mode */
    int mode;

    /* after sliding: y at the end, and the normal impulse of the phase */
    double y, P;
} phase_end;

/* The smaller and the larger of two numbers, faster than fmin and fmax, which handle NAN. */
static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- constants of an impact */

/*
 * Near lambda = 0 and d = 0 the sums cancel: long double preserves the precision of the parameters.
 */
static void set_sliding(impact_form *f, sliding_form *form, int side)
{
    const ic_impact *m = &f->impact;
    const long double n = m->w_yy - side * (long double)m->mu * m->w_xy;
    const long double r = (long double)m->mu * m->k_y / m->k_x;
    form->side = side;
    form->n_x = (double)(m->w_xy - side * (long double)m->mu * m->w_xx);
    form->n = (double)n;
    form->d = (double)((long double)m->mu * m->w_xx - side * (long double)m->w_xy - r * n);
    form->lambda = (double)(m->k_y * n);
}

/* Express the guard a F_x + b F_y in terms of q. */
static void set_guard_row(impact_form *f, int guard, double a, double b)
{
    for (int i = 0; i < HARMONICS; i++) {
        f->row[guard][i] = -(a * f->root[0] * f->axis[i][0] + b * f->root[1] * f->axis[i][1]);
    }
}

/*
 * Jacobi's rotation (Golub & Van Loan 2013, 8.5.2); the larger eigenvalue is free of cancellation.
 */
static void set_harmonics(impact_form *f)
{
    const ic_impact *m = &f->impact;
    const long double k_x = m->k_x, k_y = m->k_y, w_xy = m->w_xy;
    const long double a = k_x * m->w_xx, b = sqrtl(k_x * k_y) * w_xy, c = k_y * m->w_yy;
    const long double det = k_x * k_y * ((long double)m->w_xx * m->w_yy - w_xy * w_xy);
    long double tangent = 0;
    if (b != 0) {
        const long double cotangent = (c - a) / (2 * b); /* of the double angle */
        const long double size = 1 / (fabsl(cotangent) + sqrtl(1 + cotangent * cotangent));
        tangent = cotangent < 0 ? -size : size;
    }
    const double cosine = (double)(1 / sqrtl(1 + tangent * tangent)), sine = (double)tangent * cosine;
    /* for the eigenvalues a - tangent b and c + tangent b */
    const double eigenvectors[2][2] = {{cosine, -sine}, {sine, cosine}};
    const bool first_is_fast = a > c;
    const long double large = first_is_fast ? a - tangent * b : c + tangent * b;
    memcpy(f->axis[FAST], eigenvectors[first_is_fast ? 0 : 1], sizeof f->axis[FAST]);
    memcpy(f->axis[SLOW], eigenvectors[first_is_fast ? 1 : 0], sizeof f->axis[SLOW]);
    const long double omega[HARMONICS] = {[FAST] = sqrtl(large), [SLOW] = sqrtl(det / large)};
    for (int i = 0; i < HARMONICS; i++) {
        f->omega[i] = (double)omega[i];
        f->omega_rest[i] = (double)(omega[i] - f->omega[i]);
    }
    f->root[0] = sqrt(m->k_x);
    f->root[1] = sqrt(m->k_y);
    set_guard_row(f, PLUS, 1, m->mu);
    set_guard_row(f, MINUS, -1, m->mu);
    set_guard_row(f, PRESSURE, 0, 1);
    if (!(f->options.event_tol > 0)) {
        f->options.event_tol = DEFAULT_EVENT_TOL * TWO_PI / sqrt((double)(a + c));
    }
}

static ic_status set_impact(impact_form *f)
{
    const ic_problem *problem = f->problem;
    ic_impact *m = &f->impact;
    if (problem->system->impact == NULL || problem->system->n_states != IC_IMPACT_STATES) {
        ic_log_message(f->log, "case '%s' has no impact view", problem->system->name);
        return IC_UNSUPPORTED;
    }
    if (strcmp(problem->variant->name, "regularized") != 0) {
        ic_log_message(f->log, "variant '%s' is not the regularized one, which this solver needs",
                       problem->variant->name);
        return IC_UNSUPPORTED;
    }
    problem->system->impact(m, problem->par);
    const char *fault = ic_impact_fault(m);
    if (fault != NULL) {
        ic_log_message(f->log, "%s", fault);
        return IC_INVALID;
    }
    f->r = m->mu * m->k_y / m->k_x;
    f->cone_counts = m->v[0] * m->v[0] + m->w_xy * m->w_xy > 0;
    set_sliding(f, &f->sliding[0], +1);
    set_sliding(f, &f->sliding[1], -1);
    set_harmonics(f);
    if (m->k_x > 0 && m->k_y > 0 && f->omega[SLOW] > 0 && isfinite(f->omega[FAST])) return IC_OK;
    ic_log_message(f->log, "stiffnesses must be positive, and the inverse mass matrix not singular");
    return IC_INVALID;
}

/* ---- states in sticking */

static void begin_sticking(impact_form *f)
{
    for (int i = 0; i < HARMONICS; i++) {
        const double along_x = f->axis[i][0] * f->root[0], along_y = f->axis[i][1] * f->root[1];
        f->q[i] = along_x * f->x[X] + along_y * f->x[Y];
        f->p[i] = (along_x * f->v[0] + along_y * f->v[1]) / f->omega[i];
    }
}

/** Sine and 1 - cosine of the angles omega s. */
typedef struct turn {
    double s, sine[HARMONICS], versine[HARMONICS];
} turn;

/* Each angle is a rounded number plus a remainder, so that many periods cost no precision. */
static turn compute_turn(const impact_form *f, double s)
{
    turn at = {.s = s};
    for (int i = 0; i < HARMONICS; i++) {
        const double half = 0.5 * f->omega[i], rounded = half * s;
        const double rest = fma(half, s, -rounded) + 0.5 * f->omega_rest[i] * s;
        const double sine = sin(rounded), cosine = cos(rounded);
        const double half_sine = sine + rest * cosine, half_cosine = cosine - rest * sine;
        at.sine[i] = 2 * half_sine * half_cosine;
        at.versine[i] = 2 * half_sine * half_sine;
    }
    return at;
}

static void advance_sticking(const impact_form *f, double s, double *x, double *v)
{
    const turn at = compute_turn(f, s);
    for (int i = 0; i < HARMONICS; i++) {
        const double rise = f->p[i] * at.sine[i] - f->q[i] * at.versine[i];
        const double sum = (f->q[i] * at.sine[i] + f->p[i] * at.versine[i]) / f->omega[i];
        x[X] += f->axis[i][0] * rise / f->root[0];
        x[Y] += f->axis[i][1] * rise / f->root[1];
        x[P_X] -= f->axis[i][0] * sum * f->root[0];
        x[P_Y] -= f->axis[i][1] * sum * f->root[1];
        const double turned = f->omega[i] * (f->q[i] * at.sine[i] + f->p[i] * at.versine[i]);
        v[0] -= f->axis[i][0] * turned / f->root[0];
        v[1] -= f->axis[i][1] * turned / f->root[1];
    }
}

/* ---- states in sliding */

static const sliding_form *sliding_form_of(const impact_form *f)
{
    return &f->sliding[f->mode == IC_IMPACT_SLIDING_MINUS];
}

/*
 * u at the start of the phase. A sledge that has just started to slide does not move backwards,
 * even if rounding gives it a negative speed.
 */
static double sledge_velocity(const impact_form *f)
{
    const double u = sliding_form_of(f)->side * f->v[0] + f->r * f->v[1];
    return f->departs ? larger(u, 0) : u;
}

/* 1 - factors[n - 1] z (1 - factors[n - 2] z (...)) */
static double nested_series(const double *factors, size_t n, double z)
{
    double sum = 1;
    for (size_t i = 0; i < n; i++) sum = 1 - z * factors[i] * sum;
    return sum;
}

/* 6 c_3(z) for |z| <= 1; the first term omitted is 6/19! < 2^-53. */
static double series_c3(double z)
{
    static const double factors[] = {1.0 / (17 * 16), 1.0 / (15 * 14), 1.0 / (13 * 12), 1.0 / (11 * 10),
                                     1.0 / (9 * 8),   1.0 / (7 * 6),   1.0 / (5 * 4)};
    return nested_series(factors, IC_COUNT(factors), z);
}

/* 2 c_2(z) for |z| <= 1; the first term omitted is 2/20! < 2^-53. */
static double series_c2(double z)
{
    static const double factors[] = {1.0 / (18 * 17), 1.0 / (16 * 15), 1.0 / (14 * 13), 1.0 / (12 * 11),
                                     1.0 / (10 * 9),  1.0 / (8 * 7),   1.0 / (6 * 5),   1.0 / (4 * 3)};
    return nested_series(factors, IC_COUNT(factors), z);
}

typedef struct stumpff {
    double c1, c2, c3;
} stumpff;

static stumpff stumpff_at(double z)
{
    if (fabs(z) <= 1) {
        const double c3 = series_c3(z) / 6;
        return (stumpff){1 - z * c3, series_c2(z) / 2, c3};
    }
    const double angle = sqrt(fabs(z));
    const double half = z > 0 ? sin(0.5 * angle) : sinh(0.5 * angle);
    const double c1 = (z > 0 ? sin(angle) : sinh(angle)) / angle;
    return (stumpff){c1, 2 * half * half / fabs(z), (1 - c1) / z};
}

static void add_normal_impulse(const impact_form *f, double P, double *x, double *v)
{
    const sliding_form *form = sliding_form_of(f);
    x[P_Y] += P;
    x[P_X] -= form->side * f->impact.mu * P;
    v[0] += form->n_x * P;
    v[1] += form->n * P;
}

static void advance_sliding(const impact_form *f, double s, double *x, double *v)
{
    const sliding_form *form = sliding_form_of(f);
    const double k_y = f->impact.k_y, y0 = f->x[Y], v0 = f->v[1];
    const stumpff c = stumpff_at(form->lambda * s * s);
    const double P = -k_y * s * (y0 * c.c1 + v0 * s * c.c2);
    const double sum = -k_y * s * s * (y0 * c.c2 + v0 * s * c.c3); /* integral of P */
    const double rise = v0 * s + form->n * sum;
    x[X] -= form->side * f->r * rise;
    x[Y] += rise;
    x[X_S] += form->side * (sledge_velocity(f) * s - form->d * sum);
    add_normal_impulse(f, P, x, v);
}

/* ---- states within a phase and at its end */

static void state_at(const impact_form *f, double s, double *x, double *v)
{
    memcpy(x, f->x, sizeof f->x);
    memcpy(v, f->v, sizeof f->v);
    x[TAU] = f->tau_start + (double)(f->now - f->problem->t_start + s);
    if (f->mode == IC_IMPACT_STICKING) advance_sticking(f, s, x, v);
    else advance_sliding(f, s, x, v);
}

static void interpolate_state(void *self, double t, double *x)
{
    const impact_form *f = self;
    double v[2];
    state_at(f, larger((double)(t - f->now), 0), x, v);
}

/* Sliding ends at a known impulse, which is more accurate than the time. */
static void state_at_end(const impact_form *f, const phase_end *end, double *x, double *v)
{
    state_at(f, end->s, x, v);
    if (f->mode == IC_IMPACT_STICKING) return;
    x[P_X] = f->x[P_X];
    x[P_Y] = f->x[P_Y];
    memcpy(v, f->v, sizeof f->v);
    add_normal_impulse(f, end->P, x, v);
    x[X] = f->x[X] - sliding_form_of(f)->side * f->r * (end->y - f->x[Y]);
    x[Y] = end->y;
}

/* ---- the end of sliding */

/* The impulse until y = 0, and v_y there; INFINITY if that is never reached. */
static double impulse_to_lift_off(const impact_form *f, double *v_end)
{
    const sliding_form *form = sliding_form_of(f);
    const double y = smaller(f->x[Y], 0), v = f->v[1], omega = sqrt(fabs(form->lambda));
    const double square = form->lambda < 0 ? (v - omega * y) * (v + omega * y) : v * v + form->lambda * y * y;
    *v_end = sqrt(square);
    if (square < 0 || (y == 0 && v == 0)) return INFINITY;
    if (v > 0) return f->impact.k_y * y * y / (v + *v_end);
    return form->n > 0 ? (*v_end - v) / form->n : INFINITY;
}

/*
 * y after the impulse P, when v_y is v; lift-off would be at P_end with v_end. The formula without
 * cancellation is used.
 */
static double deflection_after(const impact_form *f, double P, double v, double P_end, double v_end)
{
    const double k_y = f->impact.k_y, y = f->x[Y];
    if (v > 0 && P_end < INFINITY) return -sqrt((P_end - P) * (v_end + v) / k_y);
    return -sqrt(larger(y * y - P * (f->v[1] + v) / k_y, 0));
}

/* The time from the start until y, when v_y is v and the normal impulse is P. */
static double duration(const impact_form *f, double y, double v, double P)
{
    const double lambda = sliding_form_of(f)->lambda, omega = sqrt(fabs(lambda)), y0 = smaller(f->x[Y], 0),
                 v0 = f->v[1];
    if (P == 0) return 0;
    const double half = P / (f->impact.k_y * fabs(y0 + y)); /* tan(omega s/2)/omega */
    if (omega == 0) return 2 * half;
    if (lambda > 0) return 2 * atan(omega * half) / omega;
    if (omega * half <= MOST_TANH) return 2 * atanh(omega * half) / omega;
    /*
     * v + omega y grows as e^{omega s}, v - omega y decays; one of them is a sum of terms of equal
     * sign
     */
    const bool from_decay = v0 > 0 && v > 0;
    return log(from_decay ? (v0 - omega * y0) / (v - omega * y) : (v + omega * y) / (v0 + omega * y0)) / omega;
}

static void find_end_of_sliding(const impact_form *f, phase_end *end)
{
    const sliding_form *form = sliding_form_of(f);
    const double u = sledge_velocity(f);
    double v_end = 0;
    const double P_end = impulse_to_lift_off(f, &v_end);
    const double P_stop = f->impact.mu > 0 && form->d > 0 && u >= 0 ? u / form->d : INFINITY;
    if (P_stop < P_end) {
        const double v = f->v[1] + form->n * P_stop;
        end->P = P_stop;
        end->y = deflection_after(f, P_stop, v, P_end, v_end);
        end->s = duration(f, end->y, v, P_stop);
        end->name = IC_IMPACT_STOP;
        end->mode = IC_IMPACT_STICKING;
    } else if (P_end < INFINITY) {
        end->P = P_end;
        end->y = 0;
        end->s = duration(f, 0, v_end, P_end);
        end->name = IC_IMPACT_LIFT_OFF;
        end->mode = IC_IMPACT_LIFTED_OFF;
    }
}

/* ---- the search for the end of sticking */

/** g(s + d) >= value + rate d + second d^2/2 - third d^3/6 - fourth d^4/24 for d >= 0. */
typedef struct lower_bound {
    double value, rate, second, third, fourth;
} lower_bound;

/** A guard that is watched. Its numbers are multiplied by `side`. */
typedef struct guard_watch {
    int guard;

    /* side of zero that the guard is on; 0: it is not watched */
    int side;

    /* value and rate at the start of the phase */
    double value, rate;

    /* rounding error of the value */
    double noise;

    /* (0, safe) does not contain a zero */
    double safe;

    /* there is a zero at `safe`, at which the guard fires */
    bool crosses;

    /* the last point was within a touch */
    bool touches;
} guard_watch;

/**
 * A watched guard at s: cosine and sine parts, value, first and second derivative, and the rounding
 * error of the value.
 */
typedef struct jet {
    double alpha[HARMONICS], beta[HARMONICS];
    double value, rate, second, noise;
} jet;

static void add_harmonic(lower_bound *b, double alpha, double beta, double omega)
{
    const double square = omega * omega;
    b->second -= alpha * square;
    b->third += larger(beta, 0) * square * omega;
    b->fourth += larger(-alpha, 0) * square * square;
}

/*
 * The first d > 0 with value + rate d + second d^2/2 = 0, if value >= 0; INFINITY if it does not
 * exist.
 */
static double first_root(double value, double rate, double second)
{
    const double discriminant = rate * rate - 2 * value * second;
    if (discriminant < 0) return INFINITY;
    if (rate < 0) return 2 * value / (sqrt(discriminant) - rate);
    return second < 0 ? (rate + sqrt(discriminant)) / -second : INFINITY;
}

/* A curvature K such that on [0, length] the bound is at least value + rate d + K d^2/2. */
static double curvature_on(const lower_bound *b, double length)
{
    return b->second - length * (b->third / 3 + length * b->fourth / 12);
}

/*
 * A step on which the bound is not negative. If the parabola has a root, the first zero of the
 * bound is before it, and the curvature on that whole length gives a point before the zero.
 * Otherwise, the longer of two candidates: the length up to which the curvature may change sign,
 * and `reach`.
 */
static double safe_step(const lower_bound *b, double reach)
{
    const double root = first_root(b->value, b->rate, b->second);
    if (root < INFINITY) return first_root(b->value, b->rate, curvature_on(b, root));
    const double third = b->third / 3, fourth = b->fourth / 12;
    const double divisor = third + sqrt(third * third + 4 * fourth * b->second);
    const double until_inflection = divisor > 0 ? 2 * b->second / divisor : INFINITY;
    const double convex = smaller(until_inflection, first_root(b->value, b->rate, 0));
    return larger(convex, smaller(reach, first_root(b->value, b->rate, curvature_on(b, reach))));
}

/*
 * A step from s on which the guard has no zero. `value` may be more accurate than that of the jet.
 */
static double zero_free_step(const impact_form *f, const jet *j, double value)
{
    const double fast = sqrt(j->alpha[FAST] * j->alpha[FAST] + j->beta[FAST] * j->beta[FAST]);
    lower_bound both = {.value = value, .rate = j->rate};
    lower_bound slow = {.value = j->alpha[SLOW] - fast, .rate = f->omega[SLOW] * j->beta[SLOW]};
    for (int i = 0; i < HARMONICS; i++) add_harmonic(&both, j->alpha[i], j->beta[i], f->omega[i]);
    const double step = safe_step(&both, REACH / f->omega[FAST]);
    if (!(slow.value > 0)) return step;
    add_harmonic(&slow, j->alpha[SLOW], j->beta[SLOW], f->omega[SLOW]);
    return larger(step, safe_step(&slow, REACH / f->omega[SLOW]));
}

static jet guard_jet(const impact_form *f, const guard_watch *w, const turn *at)
{
    const bool near = f->omega[FAST] * at->s <= SERIES_REACH;
    jet j = {.noise = w->noise};
    double moduli = 0;
    if (near) {
        j.value = w->value + w->rate * at->s;
        j.rate = w->rate;
        moduli = fabs(w->rate) * at->s;
    }
    for (int i = 0; i < HARMONICS; i++) {
        const double row = w->side * f->row[w->guard][i], omega = f->omega[i], q = row * f->q[i],
                     p = row * f->p[i];
        j.alpha[i] = q + (p * at->sine[i] - q * at->versine[i]);
        j.beta[i] = p - (q * at->sine[i] + p * at->versine[i]);
        j.second -= omega * omega * j.alpha[i];
        if (near) {
            const double angle = omega * at->s;
            /* <angle - sine */
            const double beyond = angle * angle * angle / 6 * series_c3(angle * angle);
            j.value -= q * at->versine[i] + p * beyond;
            j.rate -= omega * (q * at->sine[i] + p * at->versine[i]);
            moduli += fabs(q) * at->versine[i] + fabs(p) * beyond;
        } else {
            j.value += j.alpha[i];
            j.rate += omega * j.beta[i];
            moduli += fabs(q) + fabs(p);
        }
    }
    j.noise += NOISE_ULPS * DBL_EPSILON * moduli;
    return j;
}

/** Taylor's cubic of a guard after s, and bounds of its derivatives from the third on. */
typedef struct taylor_terms {
    double third, most_third, fourth, fifth;
} taylor_terms;

static taylor_terms taylor_at(const impact_form *f, const jet *j)
{
    taylor_terms t = {.third = 0};
    for (int i = 0; i < HARMONICS; i++) {
        const double omega = f->omega[i], cube = omega * omega * omega;
        t.third -= j->beta[i] * cube;
        t.most_third += fabs(j->beta[i]) * cube;
        t.fourth += fabs(j->alpha[i]) * cube * omega;
        t.fifth += fabs(j->beta[i]) * cube * omega * omega;
    }
    return t;
}

/*
 * A Newton step for the zero of the cubic. Each squares the error, so two of them from the zero of
 * the tangent are enough.
 */
static double newton_step(const jet *j, const taylor_terms *t, double d)
{
    const double value = j->value + d * (j->rate + d * (j->second / 2 + d * t->third / 6));
    return d - value / (j->rate + d * (j->second + d * t->third / 2));
}

/*
 * Whether within this distance the rate keeps at least half its size, and the remainder of the
 * cubic moves its zero by less than rounding.
 */
static bool cubic_decides(const jet *j, const taylor_terms *t, double s, double span)
{
    const double least_rate = -j->rate / 2;
    const double bend = span * (fabs(j->second) + span * (t->most_third / 2 + span * t->fourth / 6));
    const double remainder = span * span * span * span * (t->fourth / 24 + span * t->fifth / 120);
    return bend <= least_rate &&
           remainder <= REMAINDER * larger(DBL_EPSILON * least_rate * (s + span), j->noise);
}

/*
 * Whether the guard is proved to fall monotonically through a zero ahead, at a distance accurate to
 * rounding.
 */
static bool is_falling_through(const impact_form *f, const jet *j, double s, double *distance)
{
    if (!(j->rate < 0)) return false;
    const double tangent = j->value / -j->rate;
    if (!(fabs(j->second * tangent) <= -j->rate / 2)) return false;
    const taylor_terms t = taylor_at(f, j);
    if (!cubic_decides(j, &t, s, fabs(tangent))) return false;
    *distance = newton_step(j, &t, newton_step(j, &t, tangent));
    return cubic_decides(j, &t, s, fabs(*distance));
}

static const char *const sticking_events[] = {
    [PLUS] = IC_IMPACT_SLIP_PLUS, [MINUS] = IC_IMPACT_SLIP_MINUS, [PRESSURE] = IC_IMPACT_LIFT_OFF};

/* Record a crossing. Downwards, the guard fires; upwards, it has changed sides. */
static void record_crossing(guard_watch *w, double s)
{
    w->safe = larger(s, 0);
    w->crosses = w->side > 0;
    w->value *= w->side;
    w->rate *= w->side;
    w->side = 1;
}

/*
 * Advance the search for one guard to w->safe. A guard that is within rounding of zero and neither
 * falls through it nor rises is flat; if it bends upwards, it is passed as a touch.
 */
static ic_status advance_search(const impact_form *f, guard_watch *w)
{
    const turn at = compute_turn(f, w->safe);
    const jet j = guard_jet(f, w, &at);
    double distance = 0, step = 0;
    if (!isfinite(j.value) || !isfinite(j.rate)) return IC_NOT_FINITE;
    if (j.value >= -j.noise && is_falling_through(f, &j, at.s, &distance)) {
        record_crossing(w, at.s + distance);
        return IC_OK;
    }
    const bool rises = j.rate > 0 && j.rate * j.rate > 2 * j.noise * fabs(j.second);
    if (j.value > j.noise || (rises && j.value >= -j.noise)) step = zero_free_step(f, &j, larger(j.value, 0));
    const bool marches = at.s + step > at.s, touched = w->touches;
    if (!marches && j.value >= -j.noise && j.second > 0) {
        step = 2 * (fabs(j.rate) + sqrt(2 * j.noise * j.second)) / j.second;
    }
    w->safe = at.s + step;
    w->touches = !marches && w->safe > at.s;
    if (!(w->safe > at.s)) record_crossing(w, at.s);
    if (touched || !w->touches) return IC_OK;
    return ic_log_note(f->log, IC_NOTE_GRAZING, (double)(f->now + at.s), sticking_events[w->guard]);
}

/* ---- the start of sticking */

enum { DERIVATIVES = 4 };

/* Value and three derivatives of a guard at the start, with their rounding errors. */
static void guard_at_start(const impact_form *f, int guard, double *g, double *noise)
{
    const ic_impact *m = &f->impact;
    const double a = guard == PRESSURE ? 0 : guard == PLUS ? -m->k_x : m->k_x;
    const double b = guard == PRESSURE ? -m->k_y : -m->mu * m->k_y;
    const double P[2] = {fabs(f->x[P_X]), fabs(f->x[P_Y])};
    g[0] = a * f->x[X] + b * f->x[Y];
    g[1] = a * f->v[0] + b * f->v[1];
    noise[0] = fabs(a * f->x[X]) + fabs(b * f->x[Y]);
    noise[1] = fabs(a) * (fabs(m->v[0]) + m->w_xx * P[0] + fabs(m->w_xy) * P[1]) +
               fabs(b) * (fabs(m->v[1]) + fabs(m->w_xy) * P[0] + m->w_yy * P[1]);
    g[2] = g[3] = noise[2] = noise[3] = 0;
    for (int i = 0; i < HARMONICS; i++) {
        const double square = f->omega[i] * f->omega[i];
        const double second = f->row[guard][i] * f->q[i] * square;
        const double third = f->row[guard][i] * f->p[i] * square * f->omega[i];
        g[2] -= second;
        g[3] -= third;
        noise[2] += fabs(second);
        noise[3] += fabs(third);
    }
    for (int i = 0; i < DERIVATIVES; i++) noise[i] *= START_ULPS * DBL_EPSILON;
}

/*
 * First step from a zero of third order: a sum of sines is at least g''' d^3/6 minus the
 * fifth-order terms of those that rise.
 */
static double step_off_third_order(const impact_form *f, int guard, double third)
{
    double fifth = 0;
    for (int i = 0; i < HARMONICS; i++) {
        const double cube = f->omega[i] * f->omega[i] * f->omega[i];
        fifth += larger(-f->row[guard][i] * f->p[i], 0) * cube * f->omega[i] * f->omega[i];
    }
    return fifth > 0 ? sqrt(20 * third / fifth) : INFINITY;
}

static double first_step(const impact_form *f, const guard_watch *w, int order, const double *g)
{
    lower_bound b = {.value = w->value, .rate = w->rate};
    if (order == 3) return step_off_third_order(f, w->guard, g[3]);
    for (int i = 0; i < HARMONICS; i++) {
        const double row = w->side * f->row[w->guard][i];
        add_harmonic(&b, row * f->q[i], row * f->p[i], f->omega[i]);
    }
    if (order == 2) b.second = g[2];
    return safe_step(&b, REACH / f->omega[FAST]);
}

/*
 * Begin to watch a guard: find its side, the order of its zero at the start, if any, and a first
 * step.
 */
static void begin_watch(const impact_form *f, guard_watch *w, int guard)
{
    const int edge = guard == PRESSURE ? 0 : guard == PLUS ? 1 : -1;
    double g[DERIVATIVES], noise[DERIVATIVES];
    int order = 0;
    guard_at_start(f, guard, g, noise);
    if (edge != 0 && f->edge == edge && f->x[Y] < 0) {
        /* <the sledge has stopped: g'' = -k_x side x_s'' = k_x d F_y > 0 */
        order = 2;
        g[2] = f->impact.k_x * f->sliding[edge < 0].d * f->impact.k_y * -f->x[Y];
    } else {
        while (order < DERIVATIVES && fabs(g[order]) <= noise[order]) order++;
    }
    if (order == DERIVATIVES) return; /* No body moves. */
    *w = (guard_watch){.guard = guard, .side = g[order] > 0 ? 1 : -1};
    if (order > 0 && w->side < 0) { /* clause 2: it leaves zero to its firing side */
        w->side = 1;
        w->crosses = true;
        return;
    }
    if (order == 0) w->value = w->side * g[0], w->noise = noise[0];
    if (order <= 1) w->rate = w->side * g[1];
    w->safe = larger(first_step(f, w, order, g), DBL_EPSILON / f->omega[FAST]);
}

/* Lift-off is watched only if the guards of slipping do not enclose it. */
static void begin_watches(const impact_form *f, guard_watch *watches)
{
    bool enclosed = f->cone_counts;
    for (int guard = 0; guard < PRESSURE && f->cone_counts; guard++) {
        begin_watch(f, &watches[guard], guard);
        enclosed = enclosed && watches[guard].side > 0;
    }
    if (!enclosed) begin_watch(f, &watches[PRESSURE], PRESSURE);
}

/* The guard searched least far that may still cross before `until`; NULL if it does not exist. */
static guard_watch *find_guard_to_search(guard_watch *watches, double until)
{
    guard_watch *next = NULL;
    for (guard_watch *w = watches; w < watches + GUARDS; w++) {
        if (w->side == 0 || w->crosses || w->safe > until) continue;
        if (next == NULL || w->safe < next->safe) next = w;
    }
    return next;
}

static const int modes_entered[] = {
    [PLUS] = IC_IMPACT_SLIDING_PLUS, [MINUS] = IC_IMPACT_SLIDING_MINUS, [PRESSURE] = IC_IMPACT_LIFTED_OFF};

/*
 * The friction cone closes at lift-off: if F_y vanishes at the instant of a slip, the event is
 * lift-off, the first guard in the table of the case.
 */
static void prefer_lift_off(const impact_form *f, phase_end *end, double tie)
{
    guard_watch pressure = {.side = 0};
    begin_watch(f, &pressure, PRESSURE);
    if (!pressure.crosses) { /* not at once */
        const turn at = compute_turn(f, end->s);
        const jet j = guard_jet(f, &pressure, &at);
        if (!(j.rate < 0) || !(j.value <= -j.rate * tie)) return;
        end->s = larger(end->s - j.value / j.rate, 0);
    }
    end->name = sticking_events[PRESSURE];
    end->mode = modes_entered[PRESSURE];
}

static ic_status find_end_of_sticking(const impact_form *f, double limit, phase_end *end)
{
    const double tie = larger(f->options.event_tol, IC_INSTANT_ULPS * DBL_EPSILON * fabs((double)f->now));
    guard_watch watches[GUARDS] = {{.side = 0}};
    double first = INFINITY; /* time of the first crossing found so far */
    begin_watches(f, watches);
    for (;;) {
        for (int k = 0; k < GUARDS; k++) {
            if (watches[k].crosses) first = smaller(first, watches[k].safe);
        }
        guard_watch *next = find_guard_to_search(watches, smaller(limit, first + tie));
        if (next == NULL) break;
        if (ic_has_to_end(&f->options, ++f->work->root_iterations)) return IC_TOO_MUCH_WORK;
        const ic_status status = advance_search(f, next);
        if (status != IC_OK) return status;
    }
    /* clause 4: of guards that cross at one instant, the first in the table fires */
    for (int k = GUARDS - 1; k >= 0; k--) {
        if (!watches[k].crosses || watches[k].safe > first + tie) continue;
        end->s = watches[k].safe;
        end->name = sticking_events[k];
        end->mode = modes_entered[k];
    }
    if (end->s < INFINITY) prefer_lift_off(f, end, tie);
    return IC_OK;
}

/* ---- the run */

static void enter_mode(impact_form *f, int mode)
{
    f->mode = mode;
    if (mode == IC_IMPACT_STICKING) begin_sticking(f);
}

static ic_status start_from_variant(impact_form *f, int *mode)
{
    const ic_jump *begins = &f->problem->variant->start;
    const int branch = begins->apply(f->x, f->problem->t_start, NULL, f->problem->par);
    if (branch == IC_NO_START || branch < 0 || (size_t)branch >= begins->n_branches) {
        ic_log_message(f->log, "these parameters do not permit a start");
        return IC_INVALID;
    }
    *mode = begins->branches[branch].mode;
    return IC_OK;
}

static ic_status start_run(impact_form *f)
{
    const ic_problem *problem = f->problem;
    const ic_impact *m = &f->impact;
    int mode = problem->mode_start;
    if (problem->x_start != NULL) {
        memcpy(f->x, problem->x_start, sizeof f->x);
    } else {
        const ic_status status = start_from_variant(f, &mode);
        if (status != IC_OK) return status;
    }
    if (mode < IC_IMPACT_STICKING || mode > IC_IMPACT_LIFTED_OFF) {
        ic_log_message(f->log, "mode %d does not belong to the regularized impact", mode);
        return IC_UNSUPPORTED;
    }
    if (mode != IC_IMPACT_LIFTED_OFF && f->x[Y] > 0) {
        ic_log_message(f->log, "the start is not in contact: y = %.17g > 0", f->x[Y]);
        return IC_UNSUPPORTED;
    }
    f->now = problem->t_start;
    f->tau_start = f->x[TAU];
    f->departs = problem->x_start == NULL;
    f->last_t = NAN;
    f->v[0] = m->v[0] + (m->w_xx * f->x[P_X] + m->w_xy * f->x[P_Y]);
    f->v[1] = m->v[1] + (m->w_xy * f->x[P_X] + m->w_yy * f->x[P_Y]);
    enter_mode(f, mode);
    if (f->options.extremes) ic_log_extremes(f->log, problem->t_start, mode, f->x);
    return f->options.samples > 0 ? ic_log_sample(f->log, problem->t_start, mode, f->x) : IC_OK;
}

/* Log the phase up to t1. */
static ic_status log_phase(impact_form *f, double t1)
{
    if (f->options.samples == 0 && !f->options.extremes) return IC_OK;
    const ic_phase phase = {.problem = f->problem,
                            .options = &f->options,
                            .log = f->log,
                            .n = IC_IMPACT_STATES,
                            .mode_index = f->mode};
    const double omega =
        f->mode == IC_IMPACT_STICKING ? f->omega[FAST] : sqrt(fabs(sliding_form_of(f)->lambda));
    const double nodes = NODES_PER_PERIOD * omega / TWO_PI * (double)(t1 - f->now);
    return ic_phase_observe(&phase, (double)f->now, t1,
                            (int)ceil(smaller(larger(nodes, LEAST_NODES), MOST_NODES)), interpolate_state, f);
}

/*
 * While the sledge slides, or when it has just stopped, x follows from y; after lift-off both are
 * zero.
 */
static void apply_jump(const impact_form *f, const phase_end *end, double *x)
{
    const int mode = end->mode == IC_IMPACT_STICKING ? f->mode : end->mode;
    if (mode == IC_IMPACT_LIFTED_OFF) x[X] = x[Y] = 0;
    else x[X] = (mode == IC_IMPACT_SLIDING_MINUS ? f->r : -f->r) * x[Y];
}

static ic_status fire_event(impact_form *f, const phase_end *end, double t)
{
    double before[IC_IMPACT_STATES], after[IC_IMPACT_STATES], v[2];
    const bool same_instant = fabs(t - f->last_t) <= IC_INSTANT_ULPS * DBL_EPSILON * fabs(t);
    state_at_end(f, end, before, v);
    if (!ic_all_finite(before, IC_IMPACT_STATES)) return IC_NOT_FINITE;
    memcpy(after, before, sizeof after);
    apply_jump(f, end, after);
    f->sequence = same_instant ? f->sequence + 1 : 0;
    if (!same_instant) f->last_t = t;
    const ic_event event = {IC_EVENT_GUARD, end->name, f->last_t, f->sequence,
                            f->mode,        end->mode, before,    after};
    if (f->options.extremes) {
        ic_log_extremes(f->log, f->last_t, f->mode, before);
        ic_log_extremes(f->log, f->last_t, end->mode, after);
    }
    const ic_status status = ic_log_event(f->log, &event);
    if (status != IC_OK) return status;
    if (f->sequence > IC_CHAIN_MAX) {
        ic_log_message(f->log, "more than %d jumps at t = %.17g, the last by '%s'", IC_CHAIN_MAX, t, end->name);
        return IC_CHAIN;
    }
    f->edge = end->mode == IC_IMPACT_STICKING ? sliding_form_of(f)->side : 0;
    f->departs = f->mode == IC_IMPACT_STICKING && end->mode != IC_IMPACT_LIFTED_OFF;
    f->now += end->s;
    memcpy(f->x, after, sizeof f->x);
    memcpy(f->v, v, sizeof f->v); /* more accurate than from the impulse if W is ill-conditioned */
    /*
     * the point of contact, at x + x_s, is continuous; if r is large, it is more accurate than x =
     * -+ r y
     */
    if (f->departs) f->x[X_S] += before[X] - after[X];
    enter_mode(f, end->mode);
    return IC_OK;
}

static ic_status run_to_end(impact_form *f)
{
    ic_status status = IC_OK;
    while (status == IC_OK && f->mode != IC_IMPACT_LIFTED_OFF) {
        const double left = (double)(f->problem->t_end - f->now);
        phase_end end = {.s = INFINITY};
        if (ic_has_to_end(&f->options, ++f->work->steps)) return IC_TOO_MUCH_WORK;
        if (!ic_all_finite(f->x, IC_IMPACT_STATES)) return IC_NOT_FINITE;
        if (f->mode == IC_IMPACT_STICKING) status = find_end_of_sticking(f, left, &end);
        else find_end_of_sliding(f, &end);
        if (status != IC_OK) return status;
        const bool fires = end.s <= left;
        const double t = fires ? (double)(f->now + end.s) : f->problem->t_end;
        status = log_phase(f, t);
        if (status == IC_OK && fires) status = fire_event(f, &end, t);
        if (status != IC_OK || fires) continue;
        double x[IC_IMPACT_STATES], v[2];
        state_at(f, left, x, v);
        f->now = f->problem->t_end;
        memcpy(f->x, x, sizeof x);
        return ic_all_finite(x, IC_IMPACT_STATES) ? IC_OK : IC_NOT_FINITE;
    }
    return status;
}

static ic_status solve_modal_closed_form(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    impact_form f = {.problem = problem, .options = *options, .log = log, .work = ic_log_work(log)};
    f.work->guard_calls = NAN;
    if (!(f.options.max_steps > 0)) f.options.max_steps = DEFAULT_MAX_STEPS;
    ic_status status = set_impact(&f);
    if (status == IC_OK) status = start_run(&f);
    if (status == IC_INVALID || status == IC_UNSUPPORTED) return status;
    if (status == IC_OK) status = run_to_end(&f);
    if (f.options.extremes) ic_log_extremes(log, (double)f.now, f.mode, f.x);
    ic_log_final(log, (double)f.now, f.mode, f.x);
    if (status != IC_OK && ic_log_text(log)[0] == '\0') {
        ic_log_message(log, "at t = %.17g in mode '%s'", (double)f.now, problem->variant->modes[f.mode].name);
    }
    return status;
}

const ic_solver ic_solver_modal_closed_form = {
    IC_ABI(ic_solver),
    .name = "modal_closed_form",
    .title = "Closed form of planar impacts: two harmonics while sticking, no iteration while sliding",
    .source = "Kecskemethy & Lange 1999, corrected",
    .needs = IC_NEEDS_IMPACT_VIEW,
    .order = 0,
    .control = IC_CONTROL_NONE,
    .variant = "regularized",
    .solve = solve_modal_closed_form,
};
