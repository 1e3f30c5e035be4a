/* SPDX-License-Identifier: MIT */
/*
 * The equations of Yigit, Ulsoy & Scott (1990). The truth is the mechanics from which coefficients are derived: energies
 * and virtual work of a beam that bends, by quadrature; Hertz's contact of two spheres; and independence of the unit of
 * length.
 */
#include "impactcheck/impactcheck.h"
#include "validation/claims/printed.h"

#include <math.h>

enum { MODES = 3 };

/* A beam, its stop and its state: one random set. */
typedef struct beam {
    /* m, kg/m, m, N m^2, m/s^2 */
    double l, rho, a, EI, g;

    /* m, rad, N */
    double x_p, theta, force;

    /* m */
    double q[MODES];

    /* m, Pa, 1: two spheres that touch */
    double radius[2], E, nu;

    /* kg, m/s, 1: a free impact */
    double mass, speed, e;

    /* of a cantilever */
    double lambda[MODES];

    /* true restitution and gravity: other than e and g if a wrong truth is planted */
    double true_e, true_g;
} beam;

static double pi(void)
{
    return acos(-1);
}

/* Deviation of a from b, divided by the larger of the two. */
static double relative(double a, double b)
{
    const double size = fmax(fabs(a), fabs(b));
    return size > 0 ? fabs(a - b) / size : 0;
}

/* ---- modes of a cantilever, cos(lambda) cosh(lambda) = -1, by their definition */

static double root_lambda(int r)
{
    double lambda = (r + 0.5) * pi();
    if (r == 0) lambda = 1.875;
    for (int i = 0; i < 20; i++) { /* Newton on cos + 1/cosh */
        const double f = cos(lambda) + 1 / cosh(lambda);
        lambda -= f / (-sin(lambda) - tanh(lambda) / cosh(lambda));
    }
    return lambda;
}

/* d^k phi_r/dx^k at x, with integral of phi_r^2 dx = l */
static double shape(const beam *b, int r, int k, double x)
{
    const double lambda = b->lambda[r], y = lambda * x / b->l;
    const double sigma = (sinh(lambda) - sin(lambda)) / (cosh(lambda) + cos(lambda));
    const double even[4] = {cos(y), -sin(y), -cos(y), sin(y)}, odd[4] = {sin(y), cos(y), -sin(y), -cos(y)};
    const double hyperbolic_even = k % 2 == 0 ? cosh(y) : sinh(y),
                 hyperbolic_odd = k % 2 == 0 ? sinh(y) : cosh(y);
    return pow(lambda / b->l, k) * (hyperbolic_even - even[k % 4] - sigma * (hyperbolic_odd - odd[k % 4]));
}

/* ---- quadrature: Gauss's of three points in even panels; phi_r phi_j with lambda up to 8 leaves
   1e-11 */

enum { PANELS = 128 };

typedef double integrand(const beam *b, int r, int j, double x);

static double integral(const beam *b, integrand *f, int r, int j)
{
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const double h = b->l / PANELS, node[3] = {0.5 - sqrt(0.15), 0.5, 0.5 + sqrt(0.15)};
    double sum = 0;
    for (int i = 0; i < PANELS; i++) {
        for (int k = 0; k < 3; k++) sum += weight[k] * h * f(b, r, j, (i + node[k]) * h);
    }
    return sum;
}

/* ---- Eqs. (2) to (5): stiffness of two spheres of one material */

static double hertz(const beam *b)
{
    const double R = b->radius[0] * b->radius[1] / (b->radius[0] + b->radius[1]);
    return 4.0 / 3 * sqrt(R) * b->E / (2 * (1 - b->nu * b->nu));
}

/* q_k of a sphere */
#define SPHERE (1 / pi())

static double eq3(const beam *b, bool printed)
{
    const double Q = (1 - b->nu * b->nu) / (b->E * pi()), curvature = 1 / b->radius[0] + 1 / b->radius[1];
    const double below = printed ? Q + Q * sqrt(curvature) : (Q + Q) * sqrt(curvature);
    return relative(4.0 / 3 * SPHERE / below, hertz(b));
}

static double eq3_curvature(const beam *b, bool printed)
{
    const double Q = (1 - b->nu * b->nu) / (b->E * pi());
    const double part = printed ? 0.5 : 1, curvature = part / b->radius[0] + part / b->radius[1];
    return relative(4.0 / 3 * SPHERE / ((Q + Q) * sqrt(curvature)), hertz(b));
}

/* ---- Eq. (14) in metres and in millimetres: kg/s is the same in both */

static double eq14_damping(double stiffness, double mass, double e)
{
    const double L = log(e) * log(e);
    return 2 * mass * sqrt(stiffness / mass) * sqrt(L / (L + pi() * pi()));
}

/* k in N/m^1.5, or the slope of a chord k x^1.5/x in N/m at the greatest depth of an elastic impact
 */
static double eq14(const beam *b, bool printed)
{
    const double mm = 1e3; /* per m; N = kg m/s^2 */
    const double k = hertz(b), depth = pow(1.25 * b->mass * b->speed * b->speed / k, 0.4);
    const double in_m = printed ? k : k * sqrt(depth);
    const double in_mm = printed ? k * mm / pow(mm, 1.5) : k * mm / pow(mm, 1.5) * sqrt(depth * mm);
    return relative(eq14_damping(in_m, b->mass, b->e), eq14_damping(in_mm, b->mass, b->e));
}

/* A linear spring with a dashpot: half a damped vibration from d = 0 to d = 0, e = exp(-zeta
   pi/sqrt(1 - zeta^2)) */
static double eq14_linear(const beam *b, bool printed)
{
    const double k = hertz(b), zeta = eq14_damping(k, b->mass, b->e) / (2 * sqrt(k * b->mass));
    (void)printed;
    return relative(exp(-zeta * pi() / sqrt(1 - zeta * zeta)), b->true_e);
}

/* ---- Eqs. (15), (16): forces by virtual work */

/* Point x of the beam with a deflection w, from the axis of the shaft */
static void place(double p[2], const beam *b, double x, double w)
{
    p[0] = (x + b->a) * cos(b->theta) - w * sin(b->theta);
    p[1] = (x + b->a) * sin(b->theta) + w * cos(b->theta);
}

static double deflection(const beam *b, double x)
{
    double w = 0;
    for (int r = 0; r < MODES; r++) w += b->q[r] * shape(b, r, 0, x);
    return w;
}

/* The stop pushes back: against the growth of theta, and perpendicular to the undeformed beam */
static void push_of_stop(double force[2], const beam *b)
{
    force[0] = b->force * sin(b->theta);
    force[1] = -b->force * cos(b->theta);
}

/* Work of the stop when q_1 grows by 1 m: the place is linear in it */
static double eq15_force(const beam *b, bool printed)
{
    const double phi = shape(b, 0, 0, b->x_p), w = deflection(b, b->x_p);
    double from[2], to[2], force[2];
    place(from, b, b->x_p, w);
    place(to, b, b->x_p, w + phi);
    push_of_stop(force, b);
    const double truth = force[0] * (to[0] - from[0]) + force[1] * (to[1] - from[1]);
    return relative((printed ? phi : -phi) * b->force, truth);
}

/* Moment of the stop's force about the axis */
static double moment_of_stop(const beam *b)
{
    double at[2], force[2];
    place(at, b, b->x_p, deflection(b, b->x_p));
    push_of_stop(force, b);
    return at[0] * force[1] - at[1] * force[0];
}

static double eq16_force(const beam *b, bool printed)
{
    return relative((printed ? 1 : -1) * b->force * (b->x_p + b->a), moment_of_stop(b));
}

static double eq16_arm(const beam *b, bool printed)
{
    return relative(-b->force * (printed ? b->x_p : b->x_p + b->a), moment_of_stop(b));
}

static double shape_alone(const beam *b, int r, int j, double x)
{
    (void)j;
    return shape(b, r, 0, x);
}

/* Integral of phi_r in closed form: 2 l sigma/lambda */
static double integral_of_shape(const beam *b, int r)
{
    const double lambda = b->lambda[r];
    return 2 * b->l / lambda * (sinh(lambda) - sin(lambda)) / (cosh(lambda) + cos(lambda));
}

/*
 * g S*_r cos(theta), S* as in Eq. (21), which includes rho and has no sum; compared with the
 * weight's height per q_1
 */
static double eq15_weight(const beam *b, bool printed)
{
    const double truth = b->rho * b->true_g * integral_of_shape(b, 0) * cos(b->theta);
    double sum = 0;
    for (int j = 0; j < MODES; j++)
        sum += b->rho * b->g * b->rho * integral(b, shape_alone, j, 0) * cos(b->theta);
    const double corrected = b->g * (b->rho * integral(b, shape_alone, 0, 0)) * cos(b->theta);
    return relative(printed ? sum : corrected, truth);
}

static double lever(const beam *b, int r, int j, double x)
{
    (void)r, (void)j;
    return x + b->a;
}

/* The weight's moment g cos(theta) integral rho (x + a) dx; the printed c is read as 1, whose unit
   it must have */
static double eq16_weight(const beam *b, bool printed)
{
    const double truth = b->rho * b->true_g * cos(b->theta) * integral(b, lever, 0, 0);
    const double without = 0.5 * b->rho * b->g * b->l * b->l * cos(b->theta);
    return relative(printed ? without : b->rho * b->g * b->l * (b->l / 2 + b->a) * cos(b->theta), truth);
}

/* - g sin(theta) sum S*_j q_j, from the height (x + a) sin(theta) + w cos(theta) of each piece */
static double eq16_bent_weight(const beam *b, bool printed)
{
    double moment = 0, sum = 0;
    (void)printed;
    for (int j = 0; j < MODES; j++) {
        sum += b->rho * integral(b, shape_alone, j, 0) * b->q[j] * b->g * sin(b->theta);
        moment += b->rho * b->true_g * sin(b->theta) * b->q[j] * integral_of_shape(b, j);
    }
    return fabs(sum - moment) / fabs(b->rho * b->g * b->l * b->q[0]);
}

/* ---- Eqs. (17) to (21): the integrals, compared with the energies to which they belong */

/* Unit kg/m m^2. Half of it is the kinetic energy that a slope takes, per theta'^2. */
static double tension(const beam *b, double x)
{
    return 0.5 * b->rho * (b->l * b->l - x * x + 2 * b->a * b->l - 2 * b->a * x);
}

static double slopes(const beam *b, int r, int j, double x)
{
    return tension(b, x) * shape(b, r, 1, x) * shape(b, j, 1, x);
}

static double eq18_printed(const beam *b, int r, int j, double x)
{
    return -(tension(b, x) * shape(b, r, 2, x) + b->rho * (x + b->a) * shape(b, r, 1, x)) * shape(b, j, 0, x);
}

static double eq18_corrected(const beam *b, int r, int j, double x)
{
    return -(tension(b, x) * shape(b, r, 2, x) - b->rho * (x + b->a) * shape(b, r, 1, x)) * shape(b, j, 0, x);
}

/*
 * Largest deviation of an integral over all pairs of modes from the energy, relative to its
 * diagonal.
 */
static double deviation_of_pairs(const beam *b, integrand *f, integrand *energy)
{
    double worst = 0;
    for (int r = 0; r < MODES; r++) {
        for (int j = 0; j < MODES; j++) {
            const double size = sqrt(integral(b, energy, r, r) * integral(b, energy, j, j));
            worst = fmax(worst, fabs(integral(b, f, r, j) - integral(b, energy, r, j)) / size);
        }
    }
    return worst;
}

static double eq18(const beam *b, bool printed)
{
    return deviation_of_pairs(b, printed ? eq18_printed : eq18_corrected, slopes);
}

/* c_rj belongs to an energy: c_rj = c_jr */
static double eq18_symmetric(const beam *b, bool printed)
{
    integrand *f = printed ? eq18_printed : eq18_corrected;
    const double size = sqrt(integral(b, slopes, 0, 0) * integral(b, slopes, 1, 1));
    return fabs(integral(b, f, 0, 1) - integral(b, f, 1, 0)) / size;
}

static double product(const beam *b, int r, int j, double x)
{
    return b->rho * shape(b, r, 0, x) * shape(b, j, 0, x);
}

/* m_rj = rho l delta_rj with modes normalised to the integral l */
static double eq17(const beam *b, bool printed)
{
    double worst = 0;
    (void)printed;
    for (int r = 0; r < MODES; r++) {
        for (int j = 0; j < MODES; j++)
            worst = fmax(worst, fabs(integral(b, product, r, j) / (b->rho * b->l) - (r == j)));
    }
    return worst;
}

static double fourth(const beam *b, int r, int j, double x)
{
    return b->EI * shape(b, r, 4, x) * shape(b, j, 0, x);
}

static double curvatures(const beam *b, int r, int j, double x)
{
    return b->EI * shape(b, r, 2, x) * shape(b, j, 2, x);
}

/* By parts twice: the energy of bending */
static double eq19(const beam *b, bool printed)
{
    (void)printed;
    return deviation_of_pairs(b, fourth, curvatures);
}

static double moment_of_shape(const beam *b, int r, int j, double x)
{
    (void)j;
    return b->rho * (x + b->a) * shape(b, r, 0, x);
}

/* S_r = rho l (2 l/lambda^2 + a 2 sigma/lambda): coupling of the momenta of rotation and mode r. */
static double eq20(const beam *b, bool printed)
{
    double worst = 0;
    (void)printed;
    for (int r = 0; r < MODES; r++) {
        const double lambda = b->lambda[r], sigma = (sinh(lambda) - sin(lambda)) / (cosh(lambda) + cos(lambda));
        const double truth = b->rho * b->l * (2 * b->l / (lambda * lambda) + b->a * 2 * sigma / lambda);
        worst = fmax(worst, relative(integral(b, moment_of_shape, r, 0), truth));
    }
    return worst;
}

/* ---- the table */

static const struct {
    ic_printed_equation is;
    double (*residual)(const beam *b, bool printed);
} equations[] = {
    {{"eq3", false}, eq3},
    {{"eq3-curvature", false}, eq3_curvature},
    {{"eq14", false}, eq14},
    {{"eq14-linear", true}, eq14_linear},
    {{"eq15-force", false}, eq15_force},
    {{"eq15-weight", false}, eq15_weight},
    {{"eq16-force", false}, eq16_force},
    {{"eq16-arm", false}, eq16_arm},
    {{"eq16-weight", false}, eq16_weight},
    {{"eq16-bent-weight", true}, eq16_bent_weight},
    {{"eq17", true}, eq17},
    {{"eq18", false}, eq18},
    {{"eq18-symmetric", false}, eq18_symmetric},
    {{"eq19", true}, eq19},
    {{"eq20", true}, eq20},
};

static const ic_printed_equation *equation_at(size_t i)
{
    return i < IC_COUNT(equations) ? &equations[i].is : NULL;
}

/* ---- random beams */

/* rho stays clear of 1 kg/m, where a factor too much does not show; spheres are larger than 1 m
   nowhere */
static beam random_beam(unsigned long long *seed)
{
    beam b = {.l = ic_printed_random(seed, 0.3, 1),
              .rho = ic_printed_random(seed, 0.1, 0.6),
              .EI = ic_printed_random(seed, 1, 20),
              .g = 9.81};
    b.a = b.l * ic_printed_random(seed, 0.2, 0.5);
    b.x_p = b.l * ic_printed_random(seed, 0.4, 1);
    b.theta = ic_printed_random(seed, 0.1, 1.2);
    b.force = ic_printed_random(seed, 100, 2000);
    for (int r = 0; r < MODES; r++) {
        b.q[r] = ic_printed_random(seed, 0.001, 0.01) * b.l;
        b.lambda[r] = root_lambda(r);
    }
    b.radius[0] = ic_printed_random(seed, 0.005, 0.02);
    b.radius[1] = ic_printed_random(seed, 0.005, 0.02);
    b.E = ic_printed_random(seed, 6e10, 2.2e11);
    b.nu = ic_printed_random(seed, 0.2, 0.4);
    b.mass = ic_printed_random(seed, 0.01, 0.1);
    b.speed = ic_printed_random(seed, 0.5, 3);
    b.e = ic_printed_random(seed, 0.3, 0.9);
    return b;
}

static double deviation_of(size_t i, unsigned long long *seed, ic_printed_form form)
{
    const double factor = form == IC_PLANTED ? 1 + IC_PRINTED_PLANT : 1;
    beam b = random_beam(seed);
    for (int r = 0; r < MODES; r++) b.lambda[r] *= factor;
    b.true_e = factor * b.e;
    b.true_g = factor * b.g;
    return equations[i].residual(&b, form != IC_CORRECTED);
}

const ic_printed_paper ic_printed_beam = {"rotating-beam", 1990, 16, equation_at, deviation_of};
