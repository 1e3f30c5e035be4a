/* SPDX-License-Identifier: MIT */
/**
 * Two masses, each on its own spring and damper, that collide, move together and separate.
 *
 * G. A. Dedow, K. D. Murphy, Numerical computation of separation events (2021). The equations of
 * the paper were images and are lost; the model below is what its text describes:
 *
 *     m1 u1'' + c1 u1' + k1 u1 = f1 cos(omega t + p1) - F_i
 *     m2 u3'' + c2 u3' + k2 u3 = f2 cos(omega t + p2) + F_i        gap r = u3 - u1 >= 0
 *
 * Free: F_i = 0, until the gap closes (impact; a displacement step). Stuck: u1 = u3 = u, and with M
 * = m1 + m2, C = c1 + c2, K = k1 + k2,
 *
 *     M u'' + C u' + K u = f1 cos(omega t + p1) + f2 cos(omega t + p2),
 *     F_i = a u + b v + (m2 f1 cos(omega t + p1) - m1 f2 cos(omega t + p2))/M,
 *     a = (m1 k2 - m2 k1)/M,   b = (m1 c2 - m2 c1)/M,
 *
 * until the interaction force falls to zero (separation; a force step).
 *
 * An impact conserves momentum, and reverses the relative velocity times e. If e = 0 or there is no
 * relative velocity, the masses take the common velocity; if the interaction force of the common
 * motion is then positive, they stick. The same holds at the limit of accumulating impacts
 * (complete chatter).
 *
 * Right after separation the gap has a triple zero: r = r' = 0 and r'' = F_i/m2 + F_i/m1 = 0, with
 * r''' > 0 because F_i is decreasing.
 */
#include "cases/common/functions.h"
#include "impactcheck/impactcheck.h"

#include <math.h>

enum {
    M1,
    M2,
    K1,
    K2,
    C1,
    C2,
    F1,
    F2,
    P1,
    P2,
    OMEGA,
    E,
    START_U1,
    START_V1,
    START_U3,
    START_V3,
    STUCK_AT_START
};
enum { U1, V1, U3, V3 };
enum { FREE, STUCK };

static const ic_parameter parameters[] = {
    [M1] = {"m1", "kg", "first mass", "1", "(0, inf)"},
    [M2] = {"m2", "kg", "second mass", "1", "(0, inf)"},
    [K1] = {"k1", "N/m", "stiffness of the first spring", "0.2", "[0, inf)"},
    [K2] = {"k2", "N/m", "stiffness of the second spring", "0.4", "[0, inf)"},
    [C1] = {"c1", "N s/m", "damping of the first mass", "0.2", "[0, inf)"},
    [C2] = {"c2", "N s/m", "damping of the second mass", "0.2", "[0, inf)"},
    [F1] = {"f1", "N", "amplitude of the force on the first mass", "0", "(-inf, inf)"},
    [F2] = {"f2", "N", "amplitude of the force on the second mass", "0", "(-inf, inf)"},
    [P1] = {"p1", "rad", "phase of the force on the first mass", "0", "(-inf, inf)"},
    [P2] = {"p2", "rad", "phase of the force on the second mass", "0", "(-inf, inf)"},
    [OMEGA] = {"omega", "rad/s", "angular frequency of the forces", "1", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution", "0.8", "[0, 1]"},
    [START_U1] = {"u1", "m", "displacement of the first mass at the start", "1", "(-inf, inf)"},
    [START_V1] = {"v1", "m/s", "velocity of the first mass at the start", "0", "(-inf, inf)"},
    [START_U3] = {"u3", "m", "displacement of the second mass at the start (unless stuck)", "1", "(-inf, inf)"},
    [START_V3] = {"v3", "m/s", "velocity of the second mass at the start (unless stuck)", "0", "(-inf, inf)"},
    [STUCK_AT_START] = {"stuck", "1", "1: start together, with u1 and v1; 0: start free", "0", "{0, 1}"},
};

#define STARTING_SIZE "sqrt(u1^2 + u3^2) + sqrt(v1^2*m1 + v3^2*m2)/sqrt(k1 + k2 + m1 + m2)"
#define FORCED_SIZE "sqrt(f1^2 + f2^2)/(k1 + k2 + (m1 + m2)*omega^2)"

static const ic_state states[] = {
    [U1] = {"u1", "m", "displacement of the first mass", STARTING_SIZE " + " FORCED_SIZE},
    [V1] = {"v1", "m/s", "velocity of the first mass", STARTING_SIZE " + " FORCED_SIZE},
    [U3] = {"u3", "m", "displacement of the second mass", STARTING_SIZE " + " FORCED_SIZE},
    [V3] = {"v3", "m/s", "velocity of the second mass", STARTING_SIZE " + " FORCED_SIZE},
};

/* ---- forces and flows */

static double force_1(double t, const double *par)
{
    return par[F1] * cos(par[OMEGA] * t + par[P1]);
}

static double force_2(double t, const double *par)
{
    return par[F2] * cos(par[OMEGA] * t + par[P2]);
}

static double force_1_rate(double t, const double *par)
{
    return -par[F1] * par[OMEGA] * sin(par[OMEGA] * t + par[P1]);
}

static double force_2_rate(double t, const double *par)
{
    return -par[F2] * par[OMEGA] * sin(par[OMEGA] * t + par[P2]);
}

static void free_motion(double *dxdt, double t, const double *x, const double *par)
{
    dxdt[U1] = x[V1];
    dxdt[V1] = (force_1(t, par) - par[C1] * x[V1] - par[K1] * x[U1]) / par[M1];
    dxdt[U3] = x[V3];
    dxdt[V3] = (force_2(t, par) - par[C2] * x[V3] - par[K2] * x[U3]) / par[M2];
}

static double common_acceleration(double t, double u, double v, const double *par)
{
    return (force_1(t, par) + force_2(t, par) - (par[C1] + par[C2]) * v - (par[K1] + par[K2]) * u) /
           (par[M1] + par[M2]);
}

static void common_motion(double *dxdt, double t, const double *x, const double *par)
{
    dxdt[U1] = dxdt[U3] = x[V1];
    dxdt[V1] = dxdt[V3] = common_acceleration(t, x[U1], x[V1], par);
}

static const char *const free_linear[] = {"v1", "(f1*cos(omega*t + p1) - c1*v1 - k1*u1)/m1", "v3",
                                          "(f2*cos(omega*t + p2) - c2*v3 - k2*u3)/m2"};

#define COMMON "(f1*cos(omega*t + p1) + f2*cos(omega*t + p2) - (c1 + c2)*v1 - (k1 + k2)*u1)/(m1 + m2)"
static const char *const stuck_linear[] = {"v1", COMMON, "v1", COMMON};

/* ---- interaction force while stuck, from the common displacement u and velocity v */

static double interaction(double t, double u, double v, const double *par)
{
    const double a = par[M1] * par[K2] - par[M2] * par[K1], b = par[M1] * par[C2] - par[M2] * par[C1];
    return (a * u + b * v + par[M2] * force_1(t, par) - par[M1] * force_2(t, par)) / (par[M1] + par[M2]);
}

IC_FUNCTION(interaction_force, interaction(t, x[U1], x[V1], par))

static double interaction_rate(double t, const double *x, const double *par)
{
    const double a = par[M1] * par[K2] - par[M2] * par[K1], b = par[M1] * par[C2] - par[M2] * par[C1];
    return (a * x[V1] + b * common_acceleration(t, x[U1], x[V1], par) + par[M2] * force_1_rate(t, par) -
            par[M1] * force_2_rate(t, par)) /
           (par[M1] + par[M2]);
}

/* the same as text, from a common displacement u_ and velocity v_ */
#define INTERACTION(u_, v_)                                                                                    \
    "((m1*k2 - m2*k1)*(" u_ ") + (m1*c2 - m2*c1)*(" v_ ")"                                                     \
    " + m2*f1*cos(omega*t + p1) - m1*f2*cos(omega*t + p2))/(m1 + m2)"

/* ---- gap */

IC_FUNCTION(gap, x[U3] - x[U1])
IC_FUNCTION(gap_rate, x[V3] - x[V1])

/* ---- jumps */

enum { REBOUNDS, STICKS, PASSES_ON };

/* Put both masses at u1, with the velocity that conserves momentum. */
static int merge(double *x_post, double t, const double *x_pre, const double *par)
{
    const double v = (par[M1] * x_pre[V1] + par[M2] * x_pre[V3]) / (par[M1] + par[M2]);
    x_post[U1] = x_post[U3] = x_pre[U1];
    x_post[V1] = x_post[V3] = v;
    return interaction(t, x_pre[U1], v, par) > 0 ? STICKS : PASSES_ON;
}

static int impact(double *x_post, double t, const double *x_pre, const double *par)
{
    const double approach = par[E] * (x_pre[V1] - x_pre[V3]), mass = par[M1] + par[M2];
    const int after = merge(x_post, t, x_pre, par);
    const double v1 = x_post[V1] - approach * par[M2] / mass, v3 = x_post[V3] + approach * par[M1] / mass;
    if (!(approach > 0) || !(v3 > v1)) return after; /* a rebound below the rounding error is none */
    x_post[V1] = v1;
    x_post[V3] = v3;
    return REBOUNDS;
}

/* The table of branches for accumulation lacks `rebounds`, the first of the three. */
static int merge_at_limit(double *x_post, double t, const double *x_pre, const double *par)
{
    return merge(x_post, t, x_pre, par) - STICKS;
}

#define COMMON_VELOCITY "(m1*v1 + m2*v3)/(m1 + m2)"
static const char *const rebounded[] = {"u1", COMMON_VELOCITY " - e*m2*(v1 - v3)/(m1 + m2)", "u1",
                                        COMMON_VELOCITY " + e*m1*(v1 - v3)/(m1 + m2)"};
static const char *const merged[] = {"u1", COMMON_VELOCITY, "u1", COMMON_VELOCITY};

/*
 * Common velocity, but no force that holds the masses together: r = r' = 0 and r'' > 0, a zero of
 * order 2.
 */
#define BRANCH_STICKS                                                                                          \
    {                                                                                                          \
        .mode = STUCK, .condition = INTERACTION("u1", COMMON_VELOCITY), .state = merged                        \
    }
#define BRANCH_PASSES_ON                                                                                       \
    {                                                                                                          \
        .mode = FREE, .state = merged, IC_DEPARTS(0, 2, +1)                                                    \
    }

static const ic_branch impact_branches[] = {
    [REBOUNDS] = {.mode = FREE, .condition = "e*(v1 - v3)", .state = rebounded, IC_DEPARTS(0, 1, +1)},
    [STICKS] = BRANCH_STICKS,
    [PASSES_ON] = BRANCH_PASSES_ON,
};
static const ic_branch limit_branches[] = {BRANCH_STICKS, BRANCH_PASSES_ON};

static int separate(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    x_post[U1] = x_post[U3] = x_pre[U1];
    x_post[V1] = x_post[V3] = x_pre[V1];
    return 0;
}

static const char *const together[] = {"u1", "v1", "u1", "v1"};
static const ic_branch separation_branches[] = {{.mode = FREE, .state = together, IC_DEPARTS(0, 3, +1)}};

static const ic_guard free_guards[] = {
    {.name = "impact",
     .unit = "m",
     .meaning = "the gap between the masses closes",
     .direction = -1,
     .value = gap,
     .rate = gap_rate,
     .linear = "u3 - u1",
     .jump = IC_LINEAR_JUMP(impact, impact_branches),
     .accumulation = IC_LINEAR_JUMP(merge_at_limit, limit_branches)},
};

static const ic_guard stuck_guards[] = {
    {.name = "separation",
     .unit = "N",
     .meaning = "the interaction force falls to zero",
     .direction = -1,
     .value = interaction_force,
     .rate = interaction_rate,
     .linear = INTERACTION("u1", "v1"),
     .jump = IC_LINEAR_JUMP(separate, separation_branches)},
};

/* ---- energy */

IC_FUNCTION(stored_energy, 0.5 * (par[M1] * x[V1] * x[V1] + par[K1] * x[U1] * x[U1] + par[M2] * x[V3] * x[V3] +
                                  par[K2] * x[U3] * x[U3]))
IC_FUNCTION(supplied_power, force_1(t, par) * x[V1] + force_2(t, par) * x[V3])
IC_FUNCTION(dissipated_power, par[C1] * x[V1] * x[V1] + par[C2] * x[V3] * x[V3])

static const ic_invariant stuck_invariants[] = {
    {"gap", "m", "the masses touch", 0, gap, "u3 - u1"},
    {"relative velocity", "m/s", "and keep touching", 0, gap_rate, "v3 - v1"},
};

static const ic_mode modes[] = {
    [FREE] = {.name = "free",
              .meaning = "the masses move on their own",
              .flow = free_motion,
              .linear = free_linear,
              .guards = free_guards,
              .n_guards = IC_COUNT(free_guards),
              .stored_energy = stored_energy,
              .supplied_power = supplied_power,
              .dissipated_power = dissipated_power},
    [STUCK] = {.name = "stuck",
               .meaning = "the masses move together",
               .flow = common_motion,
               .linear = stuck_linear,
               .guards = stuck_guards,
               .n_guards = IC_COUNT(stuck_guards),
               .invariants = stuck_invariants,
               .n_invariants = IC_COUNT(stuck_invariants),
               .stored_energy = stored_energy,
               .supplied_power = supplied_power,
               .dissipated_power = dissipated_power},
};

/*
 * ---- start: masses that should start together but are not pressed together start free, with a gap
 * of 0
 */

enum { STARTS_STUCK, STARTS_PARTING, STARTS_FREE };

static int set_start(double *x, double t, const double *x_pre, const double *par)
{
    const bool together_at_start = par[STUCK_AT_START] > 0;
    (void)x_pre;
    x[U1] = par[START_U1];
    x[V1] = par[START_V1];
    x[U3] = together_at_start ? par[START_U1] : par[START_U3];
    x[V3] = together_at_start ? par[START_V1] : par[START_V3];
    if (!together_at_start) return x[U3] < x[U1] ? IC_NO_START : STARTS_FREE;
    return interaction_force(t, x, par) > 0 ? STARTS_STUCK : STARTS_PARTING;
}

static const char *const starts_free[] = {"u1", "v1", "u3", "v3"};

static const ic_branch start_branches[] = {
    [STARTS_STUCK] = {.mode = STUCK, .condition = "stuck*" INTERACTION("u1", "v1"), .state = together},
    [STARTS_PARTING] = {.mode = FREE, .condition = "stuck", .state = together, IC_DEPARTS(0, 2, +1)},
    [STARTS_FREE] = {.mode = FREE, .state = starts_free},
};

static const ic_variant variants[] = {
    {.name = "newton",
     .meaning = "u3 >= u1; Newton's restitution, sticking and separation",
     .modes = modes,
     .n_modes = IC_COUNT(modes),
     .start = IC_LINEAR_JUMP(set_start, start_branches)},
};

/* ---- outputs */

IC_OUTPUT(out_gap, mode == STUCK ? 0 : gap(t, x, par))
IC_OUTPUT(out_relative_velocity, mode == STUCK ? 0 : gap_rate(t, x, par))
IC_OUTPUT(out_interaction_force, mode == STUCK ? interaction_force(t, x, par) : 0)
IC_OUTPUT(out_momentum, par[M1] * x[V1] + par[M2] * x[V3])
IC_OUTPUT(out_energy, stored_energy(t, x, par))

static const ic_output outputs[] = {
    {"gap", "m", "distance between the masses", out_gap, (const char *const[]){"u3 - u1", "0"}},
    {"relative_velocity", "m/s", "rate of the gap", out_relative_velocity,
     (const char *const[]){"v3 - v1", "0"}},
    {"interaction_force", "N", "force of the first mass on the second; without impulses", out_interaction_force,
     (const char *const[]){"0", INTERACTION("u1", "v1")}},
    {"momentum", "kg m/s", "momentum of both masses", out_momentum,
     (const char *const[]){"m1*v1 + m2*v3", "m1*v1 + m2*v3"}},
    {"energy", "J", "kinetic and elastic energy", out_energy, NULL},
};

/*
 * In example 2 the masses meet at t = 4.53 with r = r' = r'' = 0 and r''' < 0, a triple root. The
 * 21 digits of the start determine the time of contact to about 1e-7 s; rounded to double precision
 * they would determine it only to 2e-5 s.
 */
static const ic_preset presets[] = {
    {"example-1", "newton", "stuck=1", "20",
     "first example: start together; its data are lost and very likely recovered here (e = 0.8 by convention)"},
    {"example-2", "newton",
     "u1=-3.31854988019323211705, v1=-0.28618883159687876165, u3=-0.77465311267016850537, "
     "v3=-1.41932157664336493046",
     "15",
     "second example: grazing impact, common motion, separation; a start that leads to it (e = 0.8 by convention)"},
    {"forced", "newton", "f1=1, f2=1/2, p2=pi/3, omega=3/2, u3=3/2", "40",
     "both masses forced: repeated impacts"},
    {"plastic", "newton", "e=0, f1=1, omega=1, u3=2, k2=0.3", "40",
     "forced, without restitution: impact, common motion, separation"},
};

static const ic_contact_view contact_view = {.contact = STUCK,
                                             .free = FREE,
                                             .gap = "gap",
                                             .force = "interaction_force",
                                             .rigid = true,
                                             .restitution = "e"};

static const ic_trial trials[] = {{.preset = "forced"}, {.preset = "example-1"}};

const ic_case ic_case_two_mass = {
    IC_ABI(ic_case),
    .name = "two-mass",
    .title = "Two masses that collide, stick and separate",
    .source = "Dedow & Murphy 2021",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .states = states,
    .n_states = IC_COUNT(states),
    .outputs = outputs,
    .n_outputs = IC_COUNT(outputs),
    .variants = variants,
    .n_variants = IC_COUNT(variants),
    .presets = presets,
    .n_presets = IC_COUNT(presets),
    .time_scale = "2*pi/sqrt((k1 + k2)/(m1 + m2) + omega^2*(f1^2 + f2^2)/(1 + f1^2 + f2^2))",
    .period = "2*pi/omega",
    .contact = &contact_view,
    .trials = trials,
    .n_trials = IC_COUNT(trials),
};
