/* SPDX-License-Identifier: MIT */
/*
 * The equations of Kecskemethy & Lange (1999). The truth is Newton's and Euler's laws for the bar, integrated by power
 * series; it knows no C, no eigenvector and no constant of Table 1.
 */
#include "impactcheck/impactcheck.h"
#include "validation/claims/printed.h"

#include <math.h>

/* A bar, its contact and its state: one random set. */
typedef struct bar {
    /*
     * mass, kg; length l and radius of gyration rho, m; angle phi, clockwise from the normal, rad
     */
    double m, l, rho, phi;

    /* 1, N/m */
    double kappa, c_y;

    /* mu* of the paper: F_x/F_y while sliding */
    double friction;

    /* (x, y) or (x^, y) at tau = 0, and their derivatives with respect to tau, m */
    double at[2], rate[2];

    /* N s, at tau = 0 */
    double impulse[2];

    /* time at which motions are compared */
    double tau;

    /* Radius of gyration of the motion, m. It differs from rho if a wrong truth is planted. */
    double true_rho;
} bar;

enum { TANGENT, NORMAL };

/* ---- the truth: forces of the contact, Newton's and Euler's laws, power series in tau =
   sqrt(c_y/m) t */

typedef void law(double acceleration[2], const bar *b, const double at[2]);

/* m a_C = F, m rho^2 alpha = r x F, a_O = a_C + alpha x r with r = O - C; velocities do not matter
   during an impact */
static void accelerate_bar(double acceleration[2], const bar *b, const double force[2])
{
    const double r[2] = {-b->l * sin(b->phi), -b->l * cos(b->phi)};
    const double alpha = (r[0] * force[1] - r[1] * force[0]) / (b->m * b->true_rho * b->true_rho);
    acceleration[TANGENT] = force[TANGENT] / b->m - alpha * r[1];
    acceleration[NORMAL] = force[NORMAL] / b->m + alpha * r[0];
}

/* d^2/dtau^2 = m/c_y d^2/dt^2 */
static void push_dimensionless(double acceleration[2], const bar *b, const double force[2])
{
    accelerate_bar(acceleration, b, force);
    for (int i = 0; i < 2; i++) acceleration[i] *= b->m / b->c_y;
}

static void spring_forces(double force[2], const bar *b, const double at[2])
{
    force[TANGENT] = -b->kappa * b->c_y * at[TANGENT];
    force[NORMAL] = -b->c_y * at[NORMAL];
}

static void sticking_acceleration(double acceleration[2], const bar *b, const double at[2])
{
    double force[2];
    spring_forces(force, b, at);
    push_dimensionless(acceleration, b, force);
}

static void sliding_acceleration(double acceleration[2], const bar *b, const double at[2])
{
    const double F_y = -b->c_y * at[NORMAL];
    push_dimensionless(acceleration, b, (const double[2]){b->friction * F_y, F_y});
}

/* u'' = -K u */
static void matrix_of(double K[2][2], law *law_, const bar *b)
{
    for (int j = 0; j < 2; j++) {
        const double unit[2] = {j == 0, j == 1};
        double column[2];
        law_(column, b, unit);
        for (int i = 0; i < 2; i++) K[i][j] = -column[i];
    }
}

typedef struct bar_motion {
    /* the integral from 0 */
    double at[2], rate[2], integral[2];
} bar_motion;

/* Terms of the series: 40 with (omega tau)^2 below 60 leave less than 60^40/80! = 1e-48. */
enum { TERMS = 40 };

static bar_motion follow_motion(law *law_, const bar *b, double tau)
{
    bar_motion m = {{0}, {0}, {0}};
    double even[2] = {b->at[0], b->at[1]}, odd[2] = {b->rate[0], b->rate[1]}, power = 1;
    for (int k = 0; k < 2 * TERMS; k += 2) { /* even tau^k + odd tau^(k+1) */
        double next_even[2], next_odd[2];
        law_(next_even, b, even);
        law_(next_odd, b, odd);
        for (int i = 0; i < 2; i++) {
            m.at[i] += power * (even[i] + odd[i] * tau);
            m.rate[i] += power * ((k > 0 ? k * even[i] / tau : 0) + (k + 1) * odd[i]);
            m.integral[i] += power * tau * (even[i] / (k + 1) + odd[i] * tau / (k + 2));
            even[i] = next_even[i] / ((k + 1) * (k + 2));
            odd[i] = next_odd[i] / ((k + 2) * (k + 3));
        }
        power *= tau * tau;
    }
    return m;
}

/* Largest deviation divided by the largest of the right values. */
static double deviation(const double *value, const double *right, size_t n)
{
    double largest = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = fabs(value[i] - right[i]);
        if (!(off <= largest)) largest = off; /* NAN stays */
        scale = fmax(scale, fabs(right[i]));
    }
    return largest / scale;
}

/* ---- symbols of the paper */

typedef struct symbols {
    /* lambda_x, lambda_y */
    double l_x, l_y;

    /* of Eq. (1), with C_xx and C_yy where they belong */
    double C_xx, C_xy, C_yy;

    /* what Eqs. (2) to (11) call C_xy: they hold as printed with lambda_x lambda_y */
    double c;
} symbols;

static symbols symbols_of(const bar *b)
{
    const double l_x = b->l / b->rho * sin(b->phi), l_y = b->l / b->rho * cos(b->phi);
    return (symbols){l_x, l_y, 1 + l_y * l_y, -l_x * l_y, 1 + l_x * l_x, l_x * l_y};
}

/* ---- Eq. (1) */

static double eq1(const bar *b, bool printed)
{
    const symbols s = symbols_of(b);
    const double C_xx = printed ? s.C_yy : s.C_xx, C_yy = printed ? s.C_xx : s.C_yy;
    const double force[2] = {b->rate[0], b->rate[1]}; /* any */
    const double value[2] = {(C_xx * force[0] + s.C_xy * force[1]) / b->m,
                             (s.C_xy * force[0] + C_yy * force[1]) / b->m};
    double right[2];
    accelerate_bar(right, b, force);
    return deviation(value, right, 2);
}

/* C_xy does not depend on which of the two is which */
static double eq1_C_xy(const bar *b, bool printed)
{
    (void)printed;
    double right[2];
    accelerate_bar(right, b, (const double[2]){b->m, 0});
    return deviation(&(const double){symbols_of(b).C_xy}, &right[NORMAL], 1);
}

/* ---- Eq. (2), one row each, with the C_xy of Eq. (1) */

enum { STICKING_X, STICKING_Y, SLIDING_X, SLIDING_Y, ROWS };

/* The four rows with a value for C_xy and a sign for it. */
static void rows_of_eq2(double value[ROWS], double right[ROWS], const bar *b, double C_xy)
{
    const symbols s = symbols_of(b);
    const double x = b->at[0], y = b->at[1];
    value[STICKING_X] = -(b->kappa * s.C_xx * x + C_xy * y);
    value[STICKING_Y] = -(b->kappa * C_xy * x + s.C_yy * y);
    value[SLIDING_X] = -(b->friction * s.C_xx + C_xy) * y;
    value[SLIDING_Y] = -(s.C_yy + b->friction * C_xy) * y;
    sticking_acceleration(right, b, b->at);
    sliding_acceleration(right + SLIDING_X, b, b->at);
}

static double eq2_row(const bar *b, bool printed, int row)
{
    double value[ROWS], right[ROWS];
    rows_of_eq2(value, right, b, (printed ? -1 : 1) * symbols_of(b).C_xy);
    return deviation(&value[row], &right[row], 1);
}

static double eq2_sticking_x(const bar *b, bool printed)
{
    return eq2_row(b, printed, STICKING_X);
}

static double eq2_sticking_y(const bar *b, bool printed)
{
    return eq2_row(b, printed, STICKING_Y);
}

static double eq2_sliding_x(const bar *b, bool printed)
{
    return eq2_row(b, printed, SLIDING_X);
}

static double eq2_sliding_y(const bar *b, bool printed)
{
    return eq2_row(b, printed, SLIDING_Y);
}

/* All four rows as printed, with lambda_x lambda_y for C_xy. */
static double eq2_other_sign(const bar *b, bool printed)
{
    (void)printed;
    double value[ROWS], right[ROWS];
    rows_of_eq2(value, right, b, -symbols_of(b).c);
    return deviation(value, right, ROWS);
}

/* With the printed C_xy of Eq. (1) and the printed direction of friction, the normal row is right:
   two errors cancel. */
static double eq2_literal(const bar *b, bool printed)
{
    (void)printed;
    const symbols s = symbols_of(b);
    double right[2];
    sliding_acceleration(right, b, b->at);
    return deviation(&(const double){-(s.C_yy - -b->friction * s.C_xy) * b->at[1]}, &right[NORMAL], 1);
}

/* Unit of time, s: dt = time_unit dtau */
static double time_unit(const bar *b)
{
    return sqrt(b->m / b->c_y);
}

/* dx_s/dtau, of x_s = x^ - x with x = mu* y/kappa */
static double sledge_rate(const bar *b, const bar_motion *m)
{
    return m->rate[0] - b->friction / b->kappa * m->rate[1];
}

/* Kinetic energy of the bar, which does not rotate at first, and energy of both springs, while the
   sledge slides */
static double energy_sliding(const bar *b, const bar_motion *m)
{
    const double T = time_unit(b), r[2] = {-b->l * sin(b->phi), -b->l * cos(b->phi)};
    const double P_y = -b->c_y * m->integral[1] * T, P_x = b->friction * P_y;
    const double spin = (r[0] * P_y - r[1] * P_x) / (b->m * b->rho * b->rho);
    /* of the centre */
    const double v_x = m->rate[0] / T + spin * r[1], v_y = m->rate[1] / T - spin * r[0];
    const double x = b->friction * m->at[1] / b->kappa, y = m->at[1];
    return 0.5 * b->m * (v_x * v_x + v_y * v_y + b->rho * b->rho * spin * spin) +
           0.5 * b->c_y * (b->kappa * x * x + y * y);
}

static bar_motion start_of(const bar *b)
{
    return (bar_motion){.at = {b->at[0], b->at[1]}, .rate = {b->rate[0], b->rate[1]}};
}

enum { FRICTION_PANELS = 32 };

/* Energy that friction takes: integral of mu F_y |dx_s/dt| dt, by Simpson's rule. */
static double friction_work(const bar *b)
{
    double sum = 0;
    for (int i = 0; i <= 2 * FRICTION_PANELS; i++) {
        const double weight = i == 0 || i == 2 * FRICTION_PANELS ? 1 : i % 2 == 1 ? 4 : 2;
        const bar_motion m =
            i == 0 ? start_of(b) : follow_motion(sliding_acceleration, b, b->tau * i / (2 * FRICTION_PANELS));
        sum += weight * fabs(b->friction) * -b->c_y * m.at[1] * fabs(sledge_rate(b, &m));
    }
    return sum * b->tau / (6 * FRICTION_PANELS);
}

/*
 * The sledge slides along the friction on the bar, as printed, or against it. Compares the change
 * of the energy with the energy that friction takes.
 */
static double eq2_friction(const bar *b, bool printed)
{
    bar slides = *b;
    const double along = copysign(1, b->friction) * (printed ? 1 : -1);
    slides.tau = 0.1; /* short enough that the sledge does not turn back */
    slides.rate[0] = b->friction / b->kappa * b->rate[1] + along * (1 + fabs(b->rate[0]));
    const bar_motion start = start_of(&slides), end = follow_motion(sliding_acceleration, &slides, slides.tau);
    const double change = energy_sliding(&slides, &end) - energy_sliding(&slides, &start);
    return deviation(&change, &(const double){-friction_work(&slides)}, 1);
}

/* ---- Eqs. (3), (4): eigenvalues and eigenvectors of sticking */

static void eigenvalues(double lambda[2], const bar *b)
{
    const symbols s = symbols_of(b);
    const double one = b->kappa * s.C_xx, two = s.C_yy;
    const double root = sqrt((one - two) * (one - two) + 4 * b->kappa * s.c * s.c);
    lambda[0] = 0.5 * (one + two + root);
    lambda[1] = 0.5 * (one + two - root);
}

/* Columns r_1, r_2: the first row of (K - lambda) r = 0; where that vanishes (C_xy = 0), the
   second. */
static void eigenvectors(double R[2][2], const bar *b, const double lambda[2], bool printed)
{
    const symbols s = symbols_of(b);
    for (int i = 0; i < 2; i++) {
        const double one = b->kappa * s.C_xx - lambda[i], two = s.C_yy - lambda[i];
        const bool first = printed || fabs(one) > fabs(two);
        R[0][i] = first ? s.c : two;
        R[1][i] = first ? one : b->kappa * s.c;
    }
}

static double eq3(const bar *b, bool printed)
{
    (void)printed;
    double K[2][2], lambda[2];
    matrix_of(K, sticking_acceleration, b);
    eigenvalues(lambda, b);
    const double trace = K[0][0] + K[1][1], determinant = K[0][0] * K[1][1] - K[0][1] * K[1][0];
    return deviation((const double[2]){lambda[0] + lambda[1], lambda[0] * lambda[1]},
                     (const double[2]){trace, determinant}, 2);
}

/* Their product, kappa (1 + lambda_x^2 + lambda_y^2), and their sum are positive, and so are both.
 */
static double eq3_positive(const bar *b, bool printed)
{
    (void)printed;
    double K[2][2], lambda[2];
    const symbols s = symbols_of(b);
    matrix_of(K, sticking_acceleration, b);
    eigenvalues(lambda, b);
    const double determinant = K[0][0] * K[1][1] - K[0][1] * K[1][0];
    const double off =
        deviation(&(const double){b->kappa * (1 + s.l_x * s.l_x + s.l_y * s.l_y)}, &determinant, 1);
    return lambda[1] > 0 && lambda[0] > 0 ? off : INFINITY;
}

/* |K r - lambda r| divided by |lambda r|. A vector that vanishes is not an eigenvector: 0/0 */
static double eigenvector_residual(double K[2][2], double R[2][2], const double lambda[2], int i)
{
    const double r[2] = {R[0][i], R[1][i]};
    const double Kr[2] = {K[0][0] * r[0] + K[0][1] * r[1], K[1][0] * r[0] + K[1][1] * r[1]};
    return deviation(Kr, (const double[2]){lambda[i] * r[0], lambda[i] * r[1]}, 2);
}

/* The greater; NAN is greatest. */
static double greater_deviation(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

static double eq4(const bar *b, bool printed)
{
    double K[2][2], R[2][2], lambda[2];
    matrix_of(K, sticking_acceleration, b);
    eigenvalues(lambda, b);
    eigenvectors(R, b, lambda, printed);
    return greater_deviation(eigenvector_residual(K, R, lambda, 0), eigenvector_residual(K, R, lambda, 1));
}

static void choose_central(bar *b)
{
    b->phi = 0;
}

/* ---- Eqs. (5) to (7): response of sticking */

/* R diag(d) R^-1 u, with R as printed */
static void modal(double result[2], const bar *b, const double d[2], const double u[2])
{
    double R[2][2], lambda[2];
    eigenvalues(lambda, b);
    eigenvectors(R, b, lambda, true);
    const double determinant = R[0][0] * R[1][1] - R[0][1] * R[1][0];
    const double q[2] = {d[0] * (R[1][1] * u[0] - R[0][1] * u[1]) / determinant,
                         d[1] * (R[0][0] * u[1] - R[1][0] * u[0]) / determinant};
    for (int i = 0; i < 2; i++) result[i] = R[i][0] * q[0] + R[i][1] * q[1];
}

typedef double shape(double omega, double tau);

/* R [diag{of_at} R^-1 x_0 + diag{of_rate} R^-1 x'_0] */
static void response(double result[2], const bar *b, shape *of_at, shape *of_rate)
{
    double lambda[2], d_at[2], d_rate[2], from_at[2], from_rate[2];
    eigenvalues(lambda, b);
    for (int i = 0; i < 2; i++) {
        d_at[i] = of_at(sqrt(lambda[i]), b->tau);
        d_rate[i] = of_rate(sqrt(lambda[i]), b->tau);
    }
    modal(from_at, b, d_at, b->at);
    modal(from_rate, b, d_rate, b->rate);
    for (int i = 0; i < 2; i++) result[i] = from_at[i] + from_rate[i];
}

static double cosine(double omega, double tau)
{
    return cos(omega * tau);
}

static double sine_over_omega(double omega, double tau)
{
    return sin(omega * tau) / omega;
}

static double minus_omega_sine(double omega, double tau)
{
    return -omega * sin(omega * tau);
}

/* the integral of sin(omega tau)/omega */
static double versine(double omega, double tau)
{
    return (1 - cos(omega * tau)) / (omega * omega);
}

static double versine_as_printed(double omega, double tau)
{
    return 1 - cos(omega * tau) / (omega * omega);
}

static double eq5(const bar *b, bool printed)
{
    (void)printed;
    double value[2];
    response(value, b, cosine, sine_over_omega);
    return deviation(value, follow_motion(sticking_acceleration, b, b->tau).at, 2);
}

static double eq6(const bar *b, bool printed)
{
    (void)printed;
    double value[2];
    response(value, b, minus_omega_sine, cosine);
    return deviation(value, follow_motion(sticking_acceleration, b, b->tau).rate, 2);
}

/* P = P_0 + integral of F dt, dt = sqrt(m/c_y) dtau */
static void true_impulse(double P[2], const bar *b)
{
    const bar_motion m = follow_motion(sticking_acceleration, b, b->tau);
    spring_forces(P, b, m.integral);
    for (int i = 0; i < 2; i++) P[i] = b->impulse[i] + sqrt(b->m / b->c_y) * P[i];
}

/* diag{k_i} or, as printed, of their roots; the bracket as it should be or as printed */
static double impulse_residual(const bar *b, bool of_roots, shape *of_rate)
{
    const double k[2] = {b->kappa * b->c_y, b->c_y};
    double bracket[2], value[2], right[2];
    response(bracket, b, sine_over_omega, of_rate);
    for (int i = 0; i < 2; i++) {
        value[i] = b->impulse[i] - sqrt(b->m / b->c_y) * (of_roots ? sqrt(k[i]) : k[i]) * bracket[i];
    }
    true_impulse(right, b);
    return deviation(value, right, 2);
}

static double eq7_stiffness(const bar *b, bool printed)
{
    return impulse_residual(b, printed, versine);
}

static double eq7_bracket(const bar *b, bool printed)
{
    return impulse_residual(b, false, printed ? versine_as_printed : versine);
}

/* m v = impulse, by Newton's and Euler's laws, from the change of the velocity of the contact point
 */
static void impulse_of_velocities(double P[2], const bar *b)
{
    const bar_motion m = follow_motion(sticking_acceleration, b, b->tau);
    const double T = time_unit(b), change[2] = {(m.rate[0] - b->rate[0]) / T, (m.rate[1] - b->rate[1]) / T};
    double of_x[2], of_y[2];
    accelerate_bar(of_x, b, (const double[2]){1, 0});
    accelerate_bar(of_y, b, (const double[2]){0, 1});
    const double determinant = of_x[0] * of_y[1] - of_y[0] * of_x[1];
    P[0] = b->impulse[0] + (change[0] * of_y[1] - change[1] * of_y[0]) / determinant;
    P[1] = b->impulse[1] + (change[1] * of_x[0] - change[0] * of_x[1]) / determinant;
}

/* The expression between the two signs of equality. */
static double eq7_start(const bar *b, bool printed)
{
    const bar_motion m = follow_motion(sticking_acceleration, b, b->tau);
    const double c[2] = {b->kappa * b->c_y, b->c_y};
    double value[2], right[2];
    for (int i = 0; i < 2; i++) {
        value[i] = (printed ? 0 : b->impulse[i]) + sqrt(b->m / b->c_y) * -c[i] * m.integral[i];
    }
    impulse_of_velocities(right, b);
    return deviation(value, right, 2);
}

/* ---- Eq. (8): sliding */

typedef struct mode {
    /* r_2 and lambda_2 */
    double r[2], lambda;
} mode;

static mode second_mode(const bar *b)
{
    const symbols s = symbols_of(b);
    const double lambda = s.C_yy - b->friction * s.c;
    return (mode){{b->friction * s.C_xx - s.c, lambda}, lambda};
}

static double eq8(const bar *b, bool printed)
{
    (void)printed;
    const mode second = second_mode(b);
    double K[2][2], R[2][2] = {{1, second.r[0]}, {0, second.r[1]}};
    const double lambda[2] = {0, second.lambda};
    matrix_of(K, sliding_acceleration, b);
    const double rigid_body = fabs(K[0][0]) + fabs(K[1][0]); /* K (1, 0) = 0 */
    return greater_deviation(rigid_body, eigenvector_residual(K, R, lambda, 1));
}

/* ---- Eqs. (9) to (11) with Table 1. `at` of the bar is (x^, y). */

typedef struct constants {
    double a_1, b_1, a_2, b_2;
} constants;

static double ratio_of(const mode *second)
{
    return second->r[0] / second->lambda;
}

/* a_1, b_1 of cases 1 and 2 */
static constants rigid_body_constants(const bar *b)
{
    const mode second = second_mode(b);
    return (constants){.a_1 = b->at[0] - ratio_of(&second) * b->at[1],
                       .b_1 = b->rate[0] - ratio_of(&second) * b->rate[1]};
}

static double compare_sliding(const bar *b, const constants *k, double y_mode)
{
    const mode second = second_mode(b);
    const double value[2] = {k->a_1 + k->b_1 * b->tau + y_mode * second.r[0], y_mode * second.r[1]};
    return deviation(value, follow_motion(sliding_acceleration, b, b->tau).at, 2);
}

/* x^ minus its part in the second mode */
static double table1_rigid_body(const bar *b, bool printed)
{
    (void)printed;
    const mode second = second_mode(b);
    const constants k = rigid_body_constants(b);
    const bar_motion m = follow_motion(sliding_acceleration, b, b->tau);
    const double value[2] = {k.a_1 + k.b_1 * b->tau + ratio_of(&second) * m.at[1], m.at[1]};
    return deviation(value, m.at, 2);
}

/* Case 1, with a_2 > 0 and the quadrant of b_2 from numerator and denominator. */
static constants case1_constants(const bar *b, double factor)
{
    const mode second = second_mode(b);
    const double omega = sqrt(second.lambda), y = b->at[1], rate = b->rate[1];
    constants k = rigid_body_constants(b);
    k.a_2 = sqrt(rate * rate + second.lambda * y * y) / (omega * second.lambda);
    k.b_2 = atan2(-factor * y, rate);
    return k;
}

static double case1_residual(const bar *b, const constants *k)
{
    return compare_sliding(b, k, k->a_2 * sin(sqrt(second_mode(b).lambda) * b->tau - k->b_2));
}

static double table1_case1_b2(const bar *b, bool printed)
{
    const double lambda = second_mode(b).lambda;
    const constants k = case1_constants(b, printed ? lambda : sqrt(lambda));
    return case1_residual(b, &k);
}

/* The arctangent in (-pi/2, pi/2) and no sign at a_2. */
static double table1_case1_quadrant(const bar *b, bool printed)
{
    const double omega = sqrt(second_mode(b).lambda);
    constants k = case1_constants(b, omega);
    if (printed) k.b_2 = atan(-omega * b->at[1] / b->rate[1]);
    return case1_residual(b, &k);
}

/* y = a_2 lambda_2 sin(...), from which the amplitude is recognised later. */
static double table1_case1_a2(const bar *b, bool printed)
{
    (void)printed;
    const double lambda = second_mode(b).lambda;
    const bar_motion m = follow_motion(sliding_acceleration, b, b->tau);
    const double seen = hypot(m.at[1], m.rate[1] / sqrt(lambda)) / lambda;
    return deviation(&(const double){case1_constants(b, sqrt(lambda)).a_2}, &seen, 1);
}

/*
 * The points in closed form at which the sledge stops, x^' = mu* y'/kappa, and contact ends, y = 0.
 */
static double analytic_ends(const bar *b, bool printed)
{
    (void)printed;
    const mode second = second_mode(b);
    const double omega = sqrt(second.lambda), along = b->friction / b->kappa;
    const constants k = case1_constants(b, omega);
    const double stop =
        (k.b_2 + acos(-k.b_1 / (k.a_2 * omega * (second.r[0] - along * second.lambda)))) / omega;
    const double lift_off = (k.b_2 + acos(-1)) / omega;
    const bar_motion at_stop = follow_motion(sliding_acceleration, b, stop),
                     at_end = follow_motion(sliding_acceleration, b, lift_off);
    const double sledge = at_stop.rate[0] - along * at_stop.rate[1];
    const double scale = fabs(at_stop.rate[0]) + fabs(k.a_2 * omega * second.lambda) + fabs(k.b_1);
    return greater_deviation(fabs(sledge) / scale, fabs(at_end.at[1]) / fabs(k.a_2 * second.lambda));
}

/* Case 2. The root of Table 1 belongs to sqrt(cosh(2 b_2)); `sign` is that of a_2. */
static double case2_residual(const bar *b, bool root_of_cosh, double sign)
{
    const double lambda = second_mode(b).lambda, nu = sqrt(-lambda), y = b->at[1], rate = b->rate[1];
    constants k = rigid_body_constants(b);
    k.b_2 = atanh(nu * y / -rate);
    const double cosh_2b = cosh(2 * k.b_2);
    k.a_2 = sign * sqrt(rate * rate - lambda * y * y) /
            (nu * fabs(lambda) * (root_of_cosh ? sqrt(cosh_2b) : cosh_2b));
    return compare_sliding(b, &k, k.a_2 * sinh(nu * b->tau - k.b_2));
}

static double table1_case2_a2(const bar *b, bool printed)
{
    return case2_residual(b, !printed, 1);
}

static double table1_case2_sign(const bar *b, bool printed)
{
    return case2_residual(b, true, printed ? 1 : -copysign(1, b->rate[1]));
}

/* without Table 1's hyperbolic arctangent: y = y_0 cosh(nu tau) + y'_0/nu sinh(nu tau) */
static double table1_case2_range(const bar *b, bool printed)
{
    const mode second = second_mode(b);
    const double nu = sqrt(-second.lambda);
    const double y = b->at[1] * cosh(nu * b->tau) + b->rate[1] / nu * sinh(nu * b->tau);
    const constants k = rigid_body_constants(b);
    if (printed) return case2_residual(b, true, -copysign(1, b->rate[1]));
    return compare_sliding(b, &k, y / second.lambda);
}

/* Case 3 of Table 1: x_0, x'_0, y_0, y'_0 */
static double eq11(const bar *b, bool printed)
{
    (void)printed;
    const double tau = b->tau, r_x = second_mode(b).r[0];
    const double value[2] = {b->at[0] + b->rate[0] * tau - b->at[1] * r_x * tau * tau / 2 -
                                 b->rate[1] * r_x * tau * tau * tau / 6,
                             b->at[1] + b->rate[1] * tau};
    return deviation(value, follow_motion(sliding_acceleration, b, tau).at, 2);
}

/* The state matrix of (x^, y, x^', y') is nilpotent: K^2 = 0, while K = 0 is not. */
static double eq11_quadruple(const bar *b, bool printed)
{
    (void)printed;
    double K[2][2], largest = 0, square = 0;
    matrix_of(K, sliding_acceleration, b);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            largest = fmax(largest, fabs(K[i][j]));
            square = fmax(square, fabs(K[i][0] * K[0][j] + K[i][1] * K[1][j]));
        }
    }
    return square / (largest * largest);
}

/* ---- bars that the cases of sliding speak of */

/* With the side on which friction turns the bar so that lambda_2 = C_yy + mu |lambda_x lambda_y|.
 */
static void choose_case1(bar *b)
{
    b->friction = copysign(b->friction, -symbols_of(b).c);
}

/* Such that the sledge stops while y' changes its sign once: |b_1| below the amplitude. */
static void choose_stop(bar *b)
{
    choose_case1(b);
    const mode second = second_mode(b);
    const double omega = sqrt(second.lambda), share = 0.8 * b->at[0] / (fabs(b->at[0]) + 1);
    const double amplitude =
        case1_constants(b, omega).a_2 * omega * (second.r[0] - b->friction / b->kappa * second.lambda);
    b->rate[0] = share * amplitude + ratio_of(&second) * b->rate[1];
}

/* lambda_2 = -excess */
static void make_case2(bar *b, double excess)
{
    const symbols s = symbols_of(b);
    b->friction = (s.C_yy + excess) / s.c;
}

/* The normal motion is fast enough for a hyperbolic sine: nu |y_0| < |y'_0|. */
static void choose_case2(bar *b)
{
    make_case2(b, fabs(b->friction));
    b->at[1] = 0.7 * b->at[1] / (fabs(b->at[1]) + 1) * fabs(b->rate[1]) / sqrt(fabs(second_mode(b).lambda));
}

/* ... and the bar leaves. */
static void choose_case2_leaving(bar *b)
{
    choose_case2(b);
    b->rate[1] = -b->rate[1];
}

/* ... it is slower: pulled in. */
static void choose_case2_slow(bar *b)
{
    choose_case2(b);
    b->rate[1] *= 0.3 * fabs(b->at[1]) / (1 + fabs(b->at[1]));
}

static void choose_case3(bar *b)
{
    make_case2(b, 0);
}

/* The condition in the heading of case 3, as printed and as it should be. */
static double eq11_condition(const bar *b, bool printed)
{
    bar other = *b;
    if (!printed) choose_case3(&other);
    return eq11(&other, printed);
}

/* ---- the equations */

static const struct {
    ic_printed_equation is;

    /* changes a random bar so that the equation applies; NULL: it always applies */
    void (*choose)(bar *b);

    double (*residual)(const bar *b, bool printed);
} equations[] = {
    {{"eq1", false}, NULL, eq1},
    {{"eq1-C_xy", true}, NULL, eq1_C_xy},
    {{"eq2-sticking-x", false}, NULL, eq2_sticking_x},
    {{"eq2-sticking-y", false}, NULL, eq2_sticking_y},
    {{"eq2-sliding-x", false}, NULL, eq2_sliding_x},
    {{"eq2-sliding-y", false}, NULL, eq2_sliding_y},
    {{"eq2-other-sign", true}, NULL, eq2_other_sign},
    {{"eq2-literal", true}, NULL, eq2_literal},
    {{"eq2-friction", false}, NULL, eq2_friction},
    {{"eq3", true}, NULL, eq3},
    {{"eq3-positive", true}, NULL, eq3_positive},
    {{"eq4", true}, NULL, eq4},
    {{"eq4-central", false}, choose_central, eq4},
    {{"eq5", true}, NULL, eq5},
    {{"eq6", true}, NULL, eq6},
    {{"eq7-start", false}, NULL, eq7_start},
    {{"eq7-stiffness", false}, NULL, eq7_stiffness},
    {{"eq7-bracket", false}, NULL, eq7_bracket},
    {{"eq8", true}, NULL, eq8},
    {{"table1-rigid-body", true}, choose_case1, table1_rigid_body},
    {{"table1-rigid-body-2", true}, choose_case2, table1_rigid_body},
    {{"table1-case1-a2", true}, choose_case1, table1_case1_a2},
    {{"table1-case1-b2", false}, choose_case1, table1_case1_b2},
    {{"table1-case1-quadrant", false}, choose_case1, table1_case1_quadrant},
    {{"analytic-ends", true}, choose_stop, analytic_ends},
    {{"table1-case2-a2", false}, choose_case2, table1_case2_a2},
    {{"table1-case2-sign", false}, choose_case2_leaving, table1_case2_sign},
    {{"table1-case2-range", false}, choose_case2_slow, table1_case2_range},
    {{"eq11", true}, choose_case3, eq11},
    {{"eq11-quadruple", true}, choose_case3, eq11_quadruple},
    {{"eq11-condition", false}, choose_case2, eq11_condition},
};

static const ic_printed_equation *equation_at(size_t i)
{
    return i < IC_COUNT(equations) ? &equations[i].is : NULL;
}

/* ---- random bars */

static double sign_of(unsigned long long *seed)
{
    return ic_printed_random(seed, -1, 1) < 0 ? -1 : 1;
}

/*
 * In compression and on its way in, at an angle that is not a multiple of 45 degrees; kappa C_xx
 * stays below 10.
 */
static bar random_bar(unsigned long long *seed)
{
    bar b = {.m = ic_printed_random(seed, 0.5, 3), .rho = ic_printed_random(seed, 0.2, 0.6)};
    b.l = b.rho * ic_printed_random(seed, 0.6, 1.7);
    b.phi = sign_of(seed) * (ic_printed_random(seed, -1, 1) < 0 ? ic_printed_random(seed, 0.3, 0.7)
                                                                : ic_printed_random(seed, 0.9, 1.2));
    b.kappa = ic_printed_random(seed, 0.4, 3);
    b.c_y = ic_printed_random(seed, 20, 500);
    b.friction = sign_of(seed) * ic_printed_random(seed, 0.2, 1.5);
    for (int i = 0; i < 2; i++) {
        b.at[i] = -ic_printed_random(seed, 0.2, 1);
        b.rate[i] = -ic_printed_random(seed, 0.2, 1);
        b.impulse[i] = ic_printed_random(seed, 1, 5);
    }
    b.at[0] *= sign_of(seed);
    b.rate[0] *= sign_of(seed);
    b.tau = ic_printed_random(seed, 0.5, 1.2);
    return b;
}

static double deviation_of(size_t i, unsigned long long *seed, ic_printed_form form)
{
    bar b = random_bar(seed);
    if (equations[i].choose != NULL) equations[i].choose(&b);
    b.true_rho = form == IC_PLANTED ? (1 + IC_PRINTED_PLANT) * b.rho : b.rho;
    return equations[i].residual(&b, form != IC_CORRECTED);
}

const ic_printed_paper ic_printed_bar = {"planar-bar", 1999, 64, equation_at, deviation_of};
