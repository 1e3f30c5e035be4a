/* SPDX-License-Identifier: MIT */
/**
 * A flexible beam on a rigid shaft turns and hits a stop.
 *
 * A. S. Yigit, A. G. Ulsoy, R. A. Scott, Spring-dashpot models for the dynamics of a radially
 * rotating beam with impact, J. Sound Vib. (1990), with their earlier equations of motion.
 *
 * The shaft has the radius a. The beam, of length l, bends by w(x, t) = sum_r phi_r(x/l) q_r with
 * the modes phi_r of a cantilever, where the integral of phi_r^2 over x is l. A torque T turns the
 * shaft from rest for a limited time; the stop is at the angle theta_s and meets the beam at x_p.
 * With a second-order shortening of the beam, the Lagrangian is
 *
 *     1/2 theta'^2 (J + q.G q) + theta' S.q' + 1/2 m q'.q' - 1/2 k.q^2 - g (rho l (l/2 + a) sin theta + cos theta S*.q),
 *
 *     m = rho l,  k_r = EI lambda_r^4/l^3,  J = (1 + I_R/I_B) I_B,  I_B = rho ((l + a)^3 - a^3)/3,  S*_r = rho l 2 sigma_r/lambda_r,
 *     S_r = rho l (2 l/lambda_r^2 + a 2 sigma_r/lambda_r),  G = m (1 - A/2 - a/l B),
 *
 * where A and B are the integrals of (1 - xi^2) phi_r' phi_j' and (1 - xi) phi_r' phi_j'
 * (cases/cantilever.h). With the contact force F >= 0 against the motion, it follows that
 *
 *     m q_r'' + S_r theta'' = theta'^2 (G q)_r - k_r q_r - g S*_r cos theta - phi_r(x_p) F
 *     S.q'' + (J + q.G q) theta'' = T - 2 theta' q'.G q - g rho l (l/2 + a) cos theta + g sin theta S*.q - (x_p + a) F.
 *
 * The printed Eq. (16) lacks q.G q theta'' + 2 theta' q'.G q, the counterparts of the centrifugal
 * terms in Eq. (15), so that energy drifts. The parameter `consistent` selects either form. The
 * following printed signs and factors are corrected: F in both equations, c_rj in Eq. (18), and the
 * moment of the weight in Eq. (16); see reference/errata.csv.
 *
 * The beam is indented by x_c = (x_p + a)(theta - theta_s) + sum_r phi_r(x_p) q_r > 0. All laws act
 * while they push (Eq. 22): where the law would pull there is no force, until it pushes again or
 * the beam has left the stop. The variant `momentum-balance` has a rigid stop: an impulse along
 * (x_p + a, phi_r(x_p)) reverses x_c' to -e x_c'. When impacts accumulate, the beam stays on the
 * stop while it is pressed there.
 *
 * Geometry, shaft, stop and measured torque are lost. The defaults fit the printed results (67 Hz,
 * 110 000 rad/s^2) and are assumed, except EI, k, n, eps, Q, C1, C2 and the torque pulse. The
 * thickness h follows from EI and rho for aluminium with 68.95 GPa and 2700 kg/m^3.
 */
#include "cases/cantilever.h"
#include "cases/common/functions.h"
#include "cases/laws/laws.h"

#include <math.h>
#include <string.h>

enum {
    MODES,
    L,
    RHO,
    EI,
    A,
    I_R_RATIO,
    X_P,
    THETA_S,
    G,
    TORQUE,
    PULSE,
    X_STRAIN,
    H,
    CONSISTENT,
    STIFFNESS,
    POWER,
    C_1,
    C_2,
    EPS,
    Q,
    E,
    OF_THE_LAW
};
/* followed by q_1, q_1', q_2, q_2', ..., and the memory of a law */
enum { THETA, OMEGA, DRIVE, FIRST_PAIR };
enum { FREE, CONTACT, RELEASED, RESTING };

static const ic_parameter parameters[] = {
    [MODES] = {"N", "1", "number of modes", "3", "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}"},
    [L] = {"l", "m", "length of the beam; assumed", "0.4", "(0, inf)"},
    [RHO] = {"rho", "kg/m", "mass of the beam per length; assumed", "0.258", "(0, inf)"},
    [EI] = {"EI", "N m^2", "flexural rigidity", "5.50", "(0, inf)"},
    [A] = {"a", "m", "radius of the shaft; assumed", "0", "[0, inf)"},
    [I_R_RATIO] = {"I_R_ratio", "1", "moment of inertia of the shaft over that of the beam; assumed", "0.01",
                   "(0, inf)"},
    [X_P] = {"x_p", "m", "place where the stop meets the beam; assumed", "0.30", "(0, inf)"},
    [THETA_S] = {"theta_s", "rad", "angle of the stop; assumed. The beam starts at 0", "0.5", "(0, inf)"},
    [G] = {"g", "m/s^2", "constant of gravity, against theta = pi/2; assumed", "0", "[0, inf)"},
    [TORQUE] = {"torque", "N m", "torque on the shaft", "1", "(-inf, inf)"},
    [PULSE] = {"pulse", "s", "duration of the torque", "0.05", "[0, inf)"},
    [X_STRAIN] = {"x_strain", "m", "place where strain is measured", "0.275", "[0, inf)"},
    [H] = {"h", "m", "thickness of the beam, for strain; assumed", "0.003165", "(0, inf)"},
    [CONSISTENT] = {"consistent", "1",
                    "1: the full equations; 0: Eq. (16) as printed, without q.G q theta'' + 2 theta' q'.G q",
                    "1", "{0, 1}"},
    [STIFFNESS] = {"k", "N/m^n", "stiffness of the contact", "3.2e9", "(0, inf)"},
    [POWER] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [C_1] = {"C1", "N s/m^2", "damping of Lee and Wang's first model", "1.92e8", "[0, inf)"},
    [C_2] = {"C2", "N s/m", "damping of Lee and Wang's second model", "800", "[0, inf)"},
    [EPS] = {"eps", "m", "depth of the second model's transition zone", "5e-6", "(0, inf)"},
    [Q] = {"Q", "1", "steepness of the transition", "3", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution, for momentum-balance and the laws that need one", "0.46",
           "[0, 1]"},
};

static const ic_requirement requirements[] = {
    {"l*(1 + 1e-12) - x_p", "the stop must meet the beam: x_p <= l"},
    {"l*(1 + 1e-12) - x_strain", "strain must be measured on the beam: x_strain <= l"},
};

static const ic_law_default law_defaults[] = {{"K", "k"}, {"C_1", "C1"}, {"C_2", "C2"}};

#define I_B "rho*((l + a)^3 - a^3)/3"
#define SPEED "sqrt(2*sqrt(torque^2)*theta_s/((1 + I_R_ratio)*" I_B "))"
#define BENDING "sqrt(rho*l^4/EI)" /* s */
#define PAIR(i_)                                                                                               \
    {"q" #i_, "m", "deflection of bending mode " #i_ " (its tip: twice as much)", "l/100"},                    \
    {                                                                                                          \
        "p" #i_, "m/s", "its rate", "l/100/" BENDING                                                           \
    }

static const ic_state states[] = {
    [THETA] = {"theta", "rad", "angle of the shaft", "2*theta_s"},
    [OMEGA] = {"omega", "rad/s", "its rate", SPEED},
    [DRIVE] = {"T", "N m", "acting torque", "torque"},
    PAIR(1),
    PAIR(2),
    PAIR(3),
    PAIR(4),
    PAIR(5),
    PAIR(6),
    PAIR(7),
    PAIR(8),
    PAIR(9),
    PAIR(10),
    PAIR(11),
    PAIR(12),
    PAIR(13),
    PAIR(14),
    PAIR(15),
    PAIR(16),
};

/* ---- the beam, from its parameters */

typedef struct beam {
    /* modes */
    size_t n;

    /* mass and moment of inertia, kg and kg m^2 */
    double m, J;

    /* lever arm of the contact force: x_p + a, m */
    double arm;

    /* kg m */
    double S[IC_CANTILEVER_MODES];

    /* S*, kg */
    double weight[IC_CANTILEVER_MODES];

    /* N/m */
    double k[IC_CANTILEVER_MODES];

    /* phi_r at the stop */
    double phi[IC_CANTILEVER_MODES];

    /* phi_r'' where strain is measured, 1/m^2 */
    double bending[IC_CANTILEVER_MODES];

    /* kg */
    double G[IC_CANTILEVER_MODES][IC_CANTILEVER_MODES];
} beam;

static size_t mode_count(const double *par)
{
    return (size_t)par[MODES];
}

static size_t memory_index(const double *par)
{
    return FIRST_PAIR + 2 * mode_count(par);
}

static double q(const double *x, size_t r)
{
    return x[FIRST_PAIR + 2 * r];
}

static double p(const double *x, size_t r)
{
    return x[FIRST_PAIR + 2 * r + 1];
}

static void compute_beam(beam *b, const double *par)
{
    const double l = par[L], a = par[A], end = l + a;
    const double *at_a = ic_cantilever_a, *at_b = ic_cantilever_b;
    b->n = mode_count(par);
    b->m = par[RHO] * l;
    b->J = (1 + par[I_R_RATIO]) * par[RHO] * (end * end * end - a * a * a) / 3;
    b->arm = par[X_P] + a;
    for (size_t r = 0; r < b->n; r++) {
        const double lambda = ic_cantilever_lambda[r], area = 2 * ic_cantilever_sigma[r] / lambda;
        b->weight[r] = b->m * area;
        b->S[r] = b->m * (2 * l / (lambda * lambda) + a * area);
        b->k[r] = par[EI] * lambda * lambda * lambda * lambda / (l * l * l);
        b->phi[r] = ic_cantilever_shape(r, par[X_P] / l);
        b->bending[r] = ic_cantilever_curvature(r, par[X_STRAIN] / l) / (l * l);
        for (size_t j = 0; j <= r; j++) {
            b->G[r][j] = b->G[j][r] = b->m * ((r == j ? 1 : 0) - 0.5 * *at_a++ - a / l * *at_b++);
        }
    }
}

/*
 * The beam with these parameters. It is kept until the parameters change: a call of the flow should
 * not evaluate a hundred sines.
 */
static const beam *find_beam(const double *par)
{
    static _Thread_local double made_of[H];
    static _Thread_local beam kept;
    size_t same = 0;
    while (same < IC_COUNT(made_of) && made_of[same] == par[same]) same++;
    if (same < IC_COUNT(made_of)) {
        memcpy(made_of, par, sizeof made_of);
        compute_beam(&kept, par);
    }
    return &kept;
}

/* G y, for y = q or q' */
static void multiply_by_G(double *Gy, const beam *b, const double *y)
{
    for (size_t r = 0; r < b->n; r++) Gy[r] = 0;
    for (size_t j = 0; j < b->n; j++) {
        for (size_t r = 0; r < b->n; r++) Gy[r] += b->G[j][r] * y[j];
    }
}

/* Terms of the motion at a state: G q, q.G q, 2 theta' q'.G q. */
typedef struct centrifugal {
    double Gq[IC_CANTILEVER_MODES];

    /* kg m^2 */
    double inertia;

    /* N m */
    double coriolis;
} centrifugal;

static void compute_centrifugal(centrifugal *c, const beam *b, const double *x)
{
    double deflection[IC_CANTILEVER_MODES];
    for (size_t r = 0; r < b->n; r++) deflection[r] = q(x, r);
    multiply_by_G(c->Gq, b, deflection);
    c->inertia = c->coriolis = 0;
    for (size_t r = 0; r < b->n; r++) {
        c->inertia += q(x, r) * c->Gq[r];
        c->coriolis += 2 * x[OMEGA] * p(x, r) * c->Gq[r];
    }
}

/* theta'' and q'', and x_c'' = arm theta'' + phi.q'' */
typedef struct accelerations {
    double theta, q[IC_CANTILEVER_MODES], x_c;
} accelerations;

/*
 * Solve the equations of motion for theta'' and q''. The modes are orthogonal, so eliminating them
 * leaves one equation for theta''. Its effective inertia J - S.S/m, that of the elastic beam at the
 * shaft, approaches that of the shaft alone as N grows.
 */
static void solve_accelerations(accelerations *y, const beam *b, double inertia, double torque,
                                const double load[IC_CANTILEVER_MODES])
{
    for (size_t r = 0; r < b->n; r++) {
        inertia -= b->S[r] * b->S[r] / b->m;
        torque -= b->S[r] * load[r] / b->m;
    }
    y->theta = torque / inertia;
    y->x_c = b->arm * y->theta;
    for (size_t r = 0; r < b->n; r++) {
        y->q[r] = (load[r] - b->S[r] * y->theta) / b->m;
        y->x_c += b->phi[r] * y->q[r];
    }
}

static void compute_accelerations(accelerations *y, const beam *b, const double *par, const double *x,
                                  double force)
{
    const double sine = sin(x[THETA]), cosine = cos(x[THETA]), g = par[G];
    double load[IC_CANTILEVER_MODES], inertia = b->J;
    double torque = x[DRIVE] - g * b->m * (par[L] / 2 + par[A]) * cosine - b->arm * force;
    centrifugal c;
    compute_centrifugal(&c, b, x);
    for (size_t r = 0; r < b->n; r++) {
        torque += g * sine * b->weight[r] * q(x, r);
        load[r] =
            x[OMEGA] * x[OMEGA] * c.Gq[r] - b->k[r] * q(x, r) - g * b->weight[r] * cosine - b->phi[r] * force;
    }
    if (par[CONSISTENT] != 0) {
        torque -= c.coriolis;
        inertia += c.inertia;
    }
    solve_accelerations(y, b, inertia, torque, load);
}

/* decrease of x_c'' per unit of force: (arm, phi) M^-1 (arm, phi), 1/kg */
static double mobility(const beam *b, const double *par, const double *x)
{
    accelerations y;
    double inertia = b->J;
    centrifugal c;
    compute_centrifugal(&c, b, x);
    if (par[CONSISTENT] != 0) inertia += c.inertia;
    solve_accelerations(&y, b, inertia, b->arm, b->phi);
    return y.x_c;
}

/* ---- indentation */

static double indentation_of(const beam *b, const double *par, const double *x)
{
    double sum = b->arm * (x[THETA] - par[THETA_S]);
    for (size_t r = 0; r < b->n; r++) sum += b->phi[r] * q(x, r);
    return sum;
}

static double rate_of(const beam *b, const double *x)
{
    double sum = b->arm * x[OMEGA];
    for (size_t r = 0; r < b->n; r++) sum += b->phi[r] * p(x, r);
    return sum;
}

static double indentation(double t, const double *x, const double *par)
{
    (void)t;
    const beam *b = find_beam(par);
    return indentation_of(b, par, x);
}

static double indentation_rate(double t, const double *x, const double *par)
{
    (void)t;
    const beam *b = find_beam(par);
    return rate_of(b, x);
}

/* ---- energy, power and momentum */

static double kinetic_energy(const beam *b, const double *x)
{
    double sum = b->J * x[OMEGA] * x[OMEGA];
    centrifugal c;
    compute_centrifugal(&c, b, x);
    sum += c.inertia * x[OMEGA] * x[OMEGA];
    for (size_t r = 0; r < b->n; r++) sum += (2 * x[OMEGA] * b->S[r] + b->m * p(x, r)) * p(x, r);
    return 0.5 * sum;
}

static double potential_energy(const beam *b, const double *par, const double *x)
{
    double sum = par[G] * b->m * (par[L] / 2 + par[A]) * sin(x[THETA]);
    for (size_t r = 0; r < b->n; r++)
        sum += 0.5 * b->k[r] * q(x, r) * q(x, r) + par[G] * cos(x[THETA]) * b->weight[r] * q(x, r);
    return sum;
}

static double beam_energy(double t, const double *x, const double *par)
{
    (void)t;
    const beam *b = find_beam(par);
    return kinetic_energy(b, x) + potential_energy(b, par, x);
}

/*
 * Power of the drive, and of the terms q.G q theta'' + 2 theta' q'.G q that the printed equations
 * lack, which act like a torque.
 */
static double power_with_force(const double *x, const double *par, double force)
{
    accelerations y;
    centrifugal c;
    if (par[CONSISTENT] != 0) return x[DRIVE] * x[OMEGA];
    const beam *b = find_beam(par);
    compute_accelerations(&y, b, par, x, force);
    compute_centrifugal(&c, b, x);
    return (x[DRIVE] + c.inertia * y.theta + c.coriolis) * x[OMEGA];
}

IC_FUNCTION(free_power, power_with_force(x, par, 0))
IC_FUNCTION(no_power, 0)

/* ---- flows */

static void flow_with_force(double *dxdt, const beam *b, const double *x, const double *par, double force)
{
    accelerations y;
    compute_accelerations(&y, b, par, x, force);
    dxdt[THETA] = x[OMEGA];
    dxdt[OMEGA] = y.theta;
    dxdt[DRIVE] = 0;
    for (size_t r = 0; r < b->n; r++) {
        dxdt[FIRST_PAIR + 2 * r] = p(x, r);
        dxdt[FIRST_PAIR + 2 * r + 1] = y.q[r];
    }
}

static void rigid_free(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    const beam *b = find_beam(par);
    flow_with_force(dxdt, b, x, par, 0);
}

static void free_flow(double *dxdt, double t, const double *x, const double *par)
{
    rigid_free(dxdt, t, x, par);
    dxdt[memory_index(par)] = 0;
}

/* ---- jumps of all variants */

static void copy_states(double *x_post, const double *x_pre, size_t n)
{
    memcpy(x_post, x_pre, n * sizeof *x_post);
}

static int torque_ends(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    copy_states(x_post, x_pre, memory_index(par));
    x_post[DRIVE] = 0;
    return 0;
}

static int torque_ends_on_law(double *x_post, double t, const double *x_pre, const double *par)
{
    torque_ends(x_post, t, x_pre, par);
    x_post[memory_index(par)] = x_pre[memory_index(par)];
    return 0;
}

static double end_of_torque(int n, const double *par)
{
    return n == 0 && par[PULSE] > 0 ? par[PULSE] : INFINITY;
}

static int set_start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    memset(x, 0, memory_index(par) * sizeof *x);
    x[DRIVE] = par[PULSE] > 0 ? par[TORQUE] : 0;
    return 0;
}

static int start_on_law(double *x, double t, const double *x_pre, const double *par)
{
    x[memory_index(par)] = 0;
    return set_start(x, t, x_pre, par);
}

static const ic_branch goes_on[] = {{.mode = IC_SAME_MODE}};
static const ic_branch starts[] = {{.mode = FREE}};

#define TORQUE_ENDS(apply_)                                                                                    \
    {                                                                                                          \
        {                                                                                                      \
            .name = "torque-end", .meaning = "the torque on the shaft ends", .when = end_of_torque, .jump = {  \
                .apply = (apply_),                                                                             \
                .branches = goes_on,                                                                           \
                .n_branches = 1                                                                                \
            }                                                                                                  \
        }                                                                                                      \
    }
static const ic_time_event time_events[] = TORQUE_ENDS(torque_ends);
static const ic_time_event law_time_events[] = TORQUE_ENDS(torque_ends_on_law);

/* ---- contact by a law */

static double contact_force(const ic_law *law, const beam *b, const double *x, const double *par)
{
    return law->force(indentation_of(b, par, x), rate_of(b, x), x[memory_index(par)], par + OF_THE_LAW);
}

static double elastic_force(const ic_law *law, const beam *b, const double *x, const double *par)
{
    return law->force(indentation_of(b, par, x), 0, x[memory_index(par)], par + OF_THE_LAW);
}

static void contact(const ic_law *law, double *dxdt, const double *x, const double *par)
{
    const beam *b = find_beam(par);
    flow_with_force(dxdt, b, x, par, contact_force(law, b, x, par));
    dxdt[memory_index(par)] = 0;
}

static double pushing(const ic_law *law, const double *x, const double *par)
{
    const beam *b = find_beam(par);
    return ic_law_pushing(law, indentation_of(b, par, x), rate_of(b, x), x[memory_index(par)],
                          par + OF_THE_LAW);
}

static double pushing_rate_with(const ic_law *law, const double *x, const double *par, bool acts)
{
    accelerations y;
    const beam *b = find_beam(par);
    compute_accelerations(&y, b, par, x, acts ? contact_force(law, b, x, par) : 0);
    return ic_law_pushing_rate(law, indentation_of(b, par, x), rate_of(b, x), y.x_c, x[memory_index(par)],
                               par + OF_THE_LAW);
}

static double pushing_rate(const ic_law *law, const double *x, const double *par)
{
    return pushing_rate_with(law, x, par, true);
}

static double pushing_rate_released(const ic_law *law, const double *x, const double *par)
{
    return pushing_rate_with(law, x, par, false);
}

static double beyond_kink(const ic_law *law, const double *x, const double *par)
{
    return ic_law_beyond_kink(law, indentation(0, x, par), par + OF_THE_LAW);
}

static double stored_energy(const ic_law *law, const double *x, const double *par)
{
    const double d = indentation(0, x, par);
    return beam_energy(0, x, par) + (d > 0 ? law->stored_energy(d, par + OF_THE_LAW) : 0);
}

static double supplied_power(const ic_law *law, const double *x, const double *par)
{
    const beam *b = find_beam(par);
    return power_with_force(x, par, contact_force(law, b, x, par));
}

static double dissipated_power(const ic_law *law, const double *x, const double *par)
{
    const beam *b = find_beam(par);
    return (contact_force(law, b, x, par) - elastic_force(law, b, x, par)) * rate_of(b, x);
}

/* While released, the spring of the contact loses its energy to no body. */
static double released_dissipated(const ic_law *law, const double *x, const double *par)
{
    const beam *b = find_beam(par);
    return -elastic_force(law, b, x, par) * rate_of(b, x);
}

static int touch_down(const ic_law *law, double *x_post, const double *x_pre, const double *par)
{
    const size_t memory = memory_index(par);
    copy_states(x_post, x_pre, memory);
    x_post[memory] = ic_law_memory(law, indentation_rate(0, x_pre, par), par + OF_THE_LAW);
    return 0;
}

static int go_on(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    copy_states(x_post, x_pre, memory_index(par) + 1);
    return 0;
}

/*
 * Guards by number: FREE {touch-down}, CONTACT {release, transition, exit}, RELEASED {regained
 * contact, transition, exit}.
 */
static const ic_branch touches[] = {{.mode = CONTACT, IC_DEPARTS(2, 1, +1)}};
static const ic_branch exits[] = {{.mode = FREE, IC_DEPARTS(0, 1, -1)}};
static const ic_branch releases[] = {{.mode = RELEASED, IC_DEPARTS(0, 1, -1)}};
static const ic_branch regains[] = {{.mode = CONTACT, IC_DEPARTS(0, 1, +1)}};

/*
 * While released too: the guard `regained contact` has the kink of the law, and is nonzero only for
 * a few microseconds after it.
 */
#define TRANSITION(law_)                                                                                       \
    IC_GUARD("transition", "m", "the indentation passes a kink of the force", 0, law_##_beyond_kink,           \
             indentation_rate, NULL, go_on, goes_on)

#define EXIT                                                                                                   \
    IC_GUARD("exit", "m", "the beam leaves the stop", -1, indentation, indentation_rate, NULL, go_on, exits)

#define BEAM_ON_LAW(law_)                                                                                      \
    static void law_##_contact(double *dxdt, double t, const double *x, const double *par)                     \
    {                                                                                                          \
        (void)t;                                                                                               \
        contact(&ic_law_##law_, dxdt, x, par);                                                                 \
    }                                                                                                          \
    static int law_##_touch_down(double *x_post, double t, const double *x_pre, const double *par)             \
    {                                                                                                          \
        (void)t;                                                                                               \
        return touch_down(&ic_law_##law_, x_post, x_pre, par);                                                 \
    }                                                                                                          \
    IC_ON_LAW(law_, pushing)                                                                                   \
    IC_ON_LAW(law_, pushing_rate)                                                                              \
    IC_ON_LAW(law_, pushing_rate_released)                                                                     \
    IC_ON_LAW(law_, beyond_kink)                                                                               \
    IC_ON_LAW(law_, stored_energy)                                                                             \
    IC_ON_LAW(law_, supplied_power)                                                                            \
    IC_ON_LAW(law_, dissipated_power)                                                                          \
    IC_ON_LAW(law_, released_dissipated)                                                                       \
    IC_OUTPUT(law_##_contact_force, out_contact_force_on(&ic_law_##law_, x, mode, par))                        \
    IC_OUTPUT(law_##_shaft_acceleration,                                                                       \
              shaft_acceleration(x, par, out_contact_force_on(&ic_law_##law_, x, mode, par)))                  \
    IC_OUTPUT(law_##_energy, stored_energy(&ic_law_##law_, x, par))                                            \
    static const ic_output_value law_##_output_values[] = {                                                    \
        {.output = "contact_force", .value = law_##_contact_force},                                            \
        {.output = "shaft_acceleration", .value = law_##_shaft_acceleration},                                  \
        {.output = "energy", .value = law_##_energy}};                                                         \
    static const ic_guard law_##_free_guards[] = {IC_GUARD("touch-down", "m", "the beam meets the stop", +1,   \
                                                           indentation, indentation_rate, NULL,                \
                                                           law_##_touch_down, touches)};                       \
    static const ic_guard law_##_contact_guards[] = {                                                          \
        IC_GUARD("release", "N", "the law would pull: the force ends", -1, law_##_pushing,                     \
                 law_##_pushing_rate, NULL, go_on, releases),                                                  \
        TRANSITION(law_), EXIT};                                                                               \
    static const ic_guard law_##_released_guards[] = {                                                         \
        IC_GUARD("regained contact", "N", "the law pushes again", +1, law_##_pushing,                          \
                 law_##_pushing_rate_released, NULL, go_on, regains),                                          \
        TRANSITION(law_), EXIT};                                                                               \
    static const ic_mode law_##_modes[] = {                                                                    \
        [FREE] = {.name = "free",                                                                              \
                  .meaning = "away from the stop",                                                             \
                  .flow = free_flow,                                                                           \
                  .guards = law_##_free_guards,                                                                \
                  .n_guards = IC_COUNT(law_##_free_guards),                                                    \
                  .stored_energy = beam_energy,                                                                \
                  .supplied_power = free_power,                                                                \
                  .dissipated_power = no_power},                                                               \
        [CONTACT] = {.name = "contact",                                                                        \
                     .meaning = "the law pushes the beam back",                                                \
                     .flow = law_##_contact,                                                                   \
                     .guards = law_##_contact_guards,                                                          \
                     .n_guards = IC_COUNT(law_##_contact_guards),                                              \
                     .stored_energy = law_##_stored_energy,                                                    \
                     .supplied_power = law_##_supplied_power,                                                  \
                     .dissipated_power = law_##_dissipated_power},                                             \
        [RELEASED] = {.name = "released",                                                                      \
                      .meaning = "indented, but the law would pull: no force",                                 \
                      .flow = free_flow,                                                                       \
                      .guards = law_##_released_guards,                                                        \
                      .n_guards = IC_COUNT(law_##_released_guards),                                            \
                      .stored_energy = law_##_stored_energy,                                                   \
                      .supplied_power = free_power,                                                            \
                      .dissipated_power = law_##_released_dissipated},                                         \
    };

/* ---- outputs */

static double shaft_acceleration(const double *x, const double *par, double force)
{
    accelerations y;
    const beam *b = find_beam(par);
    compute_accelerations(&y, b, par, x, force);
    return y.theta;
}

static double out_contact_force_on(const ic_law *law, const double *x, int mode, const double *par)
{
    if (mode != CONTACT) return 0;
    const beam *b = find_beam(par);
    return contact_force(law, b, x, par);
}

/* The force that keeps the beam on a rigid stop: x_c'' = 0. */
static double holding_force(double t, const double *x, const double *par)
{
    accelerations y;
    (void)t;
    const beam *b = find_beam(par);
    compute_accelerations(&y, b, par, x, 0);
    return y.x_c / mobility(b, par, x);
}

IC_OUTPUT(out_contact_force, mode == RESTING ? holding_force(t, x, par) : 0)
IC_OUTPUT(out_gap, -indentation(t, x, par))

static double out_tip_deflection(double t, const double *x, int mode, const double *par)
{
    double sum = 0;
    (void)t, (void)mode;
    for (size_t r = 0; r < mode_count(par); r++) sum += (r % 2 == 0 ? 2 : -2) * q(x, r); /* phi_r(l) */
    return sum;
}

IC_OUTPUT(out_tip_displacement, (par[L] + par[A]) * x[THETA] + out_tip_deflection(t, x, mode, par))

static double out_strain(double t, const double *x, int mode, const double *par)
{
    const beam *b = find_beam(par);
    double curvature = 0;
    (void)t, (void)mode;
    for (size_t r = 0; r < b->n; r++) curvature += b->bending[r] * q(x, r);
    return 0.5 * par[H] * curvature;
}

IC_OUTPUT(out_shaft_acceleration, shaft_acceleration(x, par, out_contact_force(t, x, mode, par)))
IC_OUTPUT(out_energy, beam_energy(t, x, par))

static double out_angular_momentum(double t, const double *x, int mode, const double *par)
{
    centrifugal c;
    (void)t, (void)mode;
    const beam *b = find_beam(par);
    compute_centrifugal(&c, b, x);
    double sum = (b->J + c.inertia) * x[OMEGA];
    for (size_t r = 0; r < b->n; r++) sum += b->S[r] * p(x, r);
    return sum;
}

static const ic_output outputs[] = {
    {"contact_force", "N", "force of the stop on the beam", out_contact_force, NULL},
    {"gap", "m", "distance of the beam from the stop; negative: indented", out_gap, NULL},
    {"tip_deflection", "m", "deflection of the beam's tip", out_tip_deflection, NULL},
    {"tip_displacement", "m", "path of the tip: (l + a) theta plus deflection", out_tip_displacement, NULL},
    {"strain", "1",
     "bending strain at x_strain; negative on the side of the stop when the beam bends away from it",
     out_strain, NULL},
    {"shaft_acceleration", "rad/s^2", "angular acceleration of the shaft", out_shaft_acceleration, NULL},
    {"energy", "J", "kinetic, elastic and potential energy, including the contact", out_energy, NULL},
    {"angular_momentum", "N m s", "angular momentum of shaft and beam about the axis", out_angular_momentum,
     NULL},
};

/* Linear laws act while they push, under the conditions B, C and D as under A. */
#define BEAM_ON_A(law_) BEAM_ON_LAW(law_)
#define BEAM_ON_B(law_)
#define BEAM_ON_C(law_)
#define BEAM_ON_D(law_)
#define BEAM_ON_C_STAR(law_) BEAM_ON_LAW(law_)
#define IC_LAW(law_, name_, condition_) BEAM_ON_##condition_(law_)
#include "cases/laws/laws.def"
#undef IC_LAW

/* ---- momentum balance: a rigid stop */

enum { REBOUNDS, STAYS };

/* M dv = -I (arm, phi), x_c' to -e x_c' */
static int impact(double *x_post, double t, const double *x_pre, const double *par)
{
    accelerations per_impulse;
    centrifugal c;
    (void)t;
    const beam *b = find_beam(par);
    compute_centrifugal(&c, b, x_pre);
    solve_accelerations(&per_impulse, b, b->J + (par[CONSISTENT] != 0 ? c.inertia : 0), b->arm, b->phi);
    const double impulse = (1 + par[E]) * rate_of(b, x_pre) / per_impulse.x_c;
    copy_states(x_post, x_pre, memory_index(par));
    x_post[OMEGA] -= impulse * per_impulse.theta;
    for (size_t r = 0; r < b->n; r++) x_post[FIRST_PAIR + 2 * r + 1] -= impulse * per_impulse.q[r];
    return par[E] * rate_of(b, x_pre) > 0 ? REBOUNDS : STAYS;
}

/* An impact with e = 0 stops the rest of x_c'. */
static int come_to_rest(double *x_post, double t, const double *x_pre, const double *par)
{
    double plastic[OF_THE_LAW];
    memcpy(plastic, par, sizeof plastic);
    plastic[E] = 0;
    impact(x_post, t, x_pre, plastic);
    return 0;
}

static int lift_off(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    copy_states(x_post, x_pre, memory_index(par));
    return 0;
}

static void resting(double *dxdt, double t, const double *x, const double *par)
{
    const beam *b = find_beam(par);
    flow_with_force(dxdt, b, x, par, holding_force(t, x, par));
}

/* the holding force at x + s f */
static double holding_force_along(const double *f, double s, double t, const double *x, const double *par)
{
    enum { MOST = FIRST_PAIR + 2 * IC_CANTILEVER_MODES };
    const size_t n = memory_index(par);
    double moved[MOST] = {0};
    for (size_t k = 0; k < n; k++) moved[k] = x[k] + s * f[k];
    return holding_force(t, moved, par);
}

/*
 * By differences of order 4 along the flow, over a thousandth of a radian of the fastest mode;
 * their error is about 1e-12.
 */
static double holding_force_rate(double t, const double *x, const double *par)
{
    enum { MOST = FIRST_PAIR + 2 * IC_CANTILEVER_MODES };
    double f[MOST] = {0};
    const beam *b = find_beam(par);
    const double h = 1e-3 * sqrt(b->m / b->k[b->n - 1]);
    resting(f, t, x, par);
    const double near = holding_force_along(f, h, t, x, par) - holding_force_along(f, -h, t, x, par);
    const double far = holding_force_along(f, 2 * h, t, x, par) - holding_force_along(f, -2 * h, t, x, par);
    return (8 * near - far) / (12 * h);
}

static const ic_branch impact_branches[] = {
    [REBOUNDS] = {.mode = FREE},
    [STAYS] = {.mode = RESTING},
};
static const ic_branch rest_branches[] = {{.mode = RESTING}};
/*
 * x_c, x_c' and x_c'' are 0 when the force has fallen to 0, and x_c''' has the sign of the rate of
 * the force
 */
static const ic_branch lift_off_branches[] = {{.mode = FREE, IC_DEPARTS(0, 3, -1)}};

static const ic_guard rigid_free_guards[] = {
    {.name = "impact",
     .unit = "m",
     .meaning = "the beam hits the stop",
     .direction = +1,
     .value = indentation,
     .rate = indentation_rate,
     .jump = {.apply = impact, .branches = impact_branches, .n_branches = IC_COUNT(impact_branches)},
     .accumulation = {.apply = come_to_rest, .branches = rest_branches, .n_branches = 1}},
};
static const ic_guard resting_guards[] = {
    IC_GUARD("lift-off", "N", "the beam is no longer pressed on the stop", -1, holding_force,
             holding_force_rate, NULL, lift_off, lift_off_branches),
};

IC_FUNCTION(resting_power, power_with_force(x, par, holding_force(t, x, par)))

/* Mode numbers are the same in all variants. */
#define NOT_OF_THIS_VARIANT(name_)                                                                             \
    {                                                                                                          \
        .name = (name_), .meaning = "(not of this variant)", .flow = rigid_free, .terminal = true,             \
        .stored_energy = beam_energy, .supplied_power = no_power, .dissipated_power = no_power                 \
    }

static const ic_invariant resting_invariants[] = {
    {"indentation", "m", "the beam touches the stop", 0, indentation, NULL},
    {"rate of indentation", "m/s", "and keeps touching it", 0, indentation_rate, NULL},
};

static const ic_mode rigid_modes[] = {
    [FREE] = {.name = "free",
              .meaning = "away from the stop",
              .flow = rigid_free,
              .guards = rigid_free_guards,
              .n_guards = IC_COUNT(rigid_free_guards),
              .stored_energy = beam_energy,
              .supplied_power = free_power,
              .dissipated_power = no_power},
    [CONTACT] = NOT_OF_THIS_VARIANT("contact"),
    [RELEASED] = NOT_OF_THIS_VARIANT("released"),
    [RESTING] = {.name = "resting",
                 .meaning = "held on the stop",
                 .flow = resting,
                 .guards = resting_guards,
                 .n_guards = IC_COUNT(resting_guards),
                 .invariants = resting_invariants,
                 .n_invariants = IC_COUNT(resting_invariants),
                 .stored_energy = beam_energy,
                 .supplied_power = resting_power,
                 .dissipated_power = no_power},
};

/* ---- variants and presets */

static const ic_variant variants[] = {
    {.name = "momentum-balance",
     .meaning = "a rigid stop and a coefficient of restitution",
     .modes = rigid_modes,
     .n_modes = IC_COUNT(rigid_modes),
     .start = {.apply = set_start, .branches = starts, .n_branches = 1},
     .time_events = time_events,
     .n_time_events = IC_COUNT(time_events)},
#define VARIANT_A(law_, name_)                                                                                 \
    {.name = (name_),                                                                                          \
     .meaning = "contact by the law of this name, while it pushes",                                            \
     .modes = law_##_modes,                                                                                    \
     .n_modes = IC_COUNT(law_##_modes),                                                                        \
     .start = {.apply = start_on_law, .branches = starts, .n_branches = 1},                                    \
     .time_events = law_time_events,                                                                           \
     .n_time_events = IC_COUNT(law_time_events),                                                               \
     .law = &ic_law_##law_,                                                                                    \
     .output_values = law_##_output_values,                                                                    \
     .n_output_values = IC_COUNT(law_##_output_values)},
#define VARIANT_B(law_, name_)
#define VARIANT_C(law_, name_)
#define VARIANT_D(law_, name_)
#define VARIANT_C_STAR(law_, name_) VARIANT_A(law_, name_)
#define IC_LAW(law_, name_, condition_) VARIANT_##condition_(law_, name_)
#include "cases/laws/laws.def"
#undef IC_LAW
};

static const ic_preset presets[] = {
    {"main", "lee-wang-2", "", "0.1", "second model, C2 = 800: the paper's, on assumed data"},
    {"first-model", "lee-wang-1", "", "0.1", "first model, C1 = 1.92e8"},
    {"momentum-balance", "momentum-balance", "", "0.1", "restitution 0.46 on a rigid stop"},
    {"C2-500", "lee-wang-2", "C2=500", "0.2", "second model, C2 = 500: the middle of the sensitivity study"},
    {"N5", "lee-wang-2", "N=5", "0.1", "second model with five modes"},
    {"N7", "lee-wang-2", "N=7", "0.1", "second model with seven modes"},
    {"N16", "lee-wang-2", "N=16", "0.1", "second model with sixteen modes"},
    {"as-printed", "lee-wang-2", "consistent=0", "0.1", "Eq. (16) as printed"},
    {"heavy-shaft", "lee-wang-2", "I_R_ratio=1", "0.2", "a shaft as heavy to turn as the beam"},
};

static const ic_contact_view contact_view = {.contact = CONTACT,
                                             .free = FREE,
                                             .gap = "gap",
                                             .force = "contact_force",
                                             .derived = (const char *const[]){"T", NULL},
                                             .restitution = "e"};

static const ic_trial trials[] = {{.preset = "N5", .until = "0.05"},
                                  {.preset = "momentum-balance", .until = "0.05"}};

const ic_case ic_case_rotating_beam = {
    IC_ABI(ic_case),
    .name = "rotating-beam",
    .title = "A rotating flexible beam hits a stop",
    .source = "Yigit, Ulsoy & Scott 1990",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .requirements = requirements,
    .n_requirements = IC_COUNT(requirements),
    .states = states,
    .n_states = IC_COUNT(states),
    .states_used = "3 + 2*N",
    .outputs = outputs,
    .n_outputs = IC_COUNT(outputs),
    .variants = variants,
    .n_variants = IC_COUNT(variants),
    .presets = presets,
    .n_presets = IC_COUNT(presets),
    .law_defaults = law_defaults,
    .n_law_defaults = IC_COUNT(law_defaults),
    .time_scale = BENDING "/10",
    .contact = &contact_view,
    .trials = trials,
    .n_trials = IC_COUNT(trials),
};
