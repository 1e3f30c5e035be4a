/* SPDX-License-Identifier: MIT */
/**
 * A double-acting cylinder drives two arms between their limits: gas, valve, sensors, controller,
 * and four contacts.
 *
 * After the example of A. Kecskemethy, C. Lange, section 4 (1999), whose data are not printed. The
 * mechanism is our own design; each parameter states its source.
 *
 * **Mechanism.** The piston, at the distance s from the middle of its stroke S, is one piece with a
 * rack, which turns two pinions, each with an arm. The tip of an arm moves by i s, where the arm
 * ratio i is the length of the arm over the radius of the pinion. Arms are slender rods, whose
 * inertia at the piston is m_a i^2/3 each:
 *
 *     M s'' = p_1 A_1 - p_2 A_2 - p_a (A_1 - A_2) - c s' + sum of contacts,   M = m_p + 2 m_a i^2/3
 *
 * **Contacts.** The piston meets head 1 and head 2, arm 2 its limit when the piston is in, and arm
 * 1 its limit when it is out. Indentations d are affine in s. Each force is the law `lee-wang-1` of
 * cases/laws under its condition: it acts for d > 0 while it pushes.
 *
 * **Gas.** Each chamber holds ideal gas with the mass m, pressure p, volume V and temperature T = p
 * V/(m R). Mass flows in at the rate q and the temperature T_q:
 *
 *     m' = q,   p' V = n (R T_q q - p V')
 *
 * For n = kappa this is the first law without heat. Any other polytropic exponent n is the first
 * law with a heat flow from the walls,
 *
 *     Q' = (n - kappa)/(kappa - 1) (R T_q q - p V').
 *
 * **Valve and lines.** A line connects each chamber to supply or ambient, at p_r and T_a, with the
 * sonic conductance C and the critical ratio b of ISO 6358. From the upstream end u to the
 * downstream end d,
 *
 *     q = C rho_0 p_u sqrt(T_0/T_u) w(p_d/p_u),   w(r) = 1 for r <= b,  sqrt(1 - ((r - b)/(1 - b))^2) beyond.
 *
 * The slope of w is infinite at r = 1. Therefore, between the ratio B and its inverse, the flow is
 * linear in the difference of pressures, and the temperature changes linearly from that of one end
 * to that of the other, so that nothing has a kink at p_u = p_d:
 *
 *     q = C rho_0 sqrt(T_0/T) w(B)/(1 - B) (p_r - p),   T = T_p + (T_a - T_p) (p_r/B - p)/(p_r/B - B p_r),   T_q = T.
 *
 * A chamber exhausts through the throttle of its cushion while the piston is within the length of
 * the cushion from that head. A supplied chamber is filled past the seal of the cushion.
 *
 * **Control.** `start` makes the piston run out. At sensor 2 the controller may reverse the valve
 * for a while (an air brake), then holds for a time; then the piston runs in, and sensor 1 does the
 * same. The valve follows a command after a delay; a command withdrawn before that has no effect.
 *
 * **Discrete states.** The position of the valve, the branch of each line, the contacts that act,
 * the cushion and the step of the controller are states that only jumps change. Between jumps the
 * field is smooth. The `enabled` functions of guards select the discrete states in which they fire,
 * so one mode is enough.
 */
#include "cases/common/functions.h"
#include "cases/laws/laws.h"

#include <math.h>
#include <string.h>

enum {
    STROKE,
    BORE,
    ROD,
    V_1,
    V_2,
    M_P,
    M_A,
    RATIO,
    REACH_1,
    REACH_2,
    DAMPING,
    K_HEAD,
    N_HEAD,
    C_HEAD,
    K_ARM,
    N_ARM,
    C_ARM,
    P_S,
    P_A,
    T_A,
    GAS,
    KAPPA,
    POLYTROPIC,
    RHO_0,
    T_0,
    B_CRITICAL,
    B_LAMINAR,
    SUPPLY_1,
    SUPPLY_2,
    EXHAUST_1,
    EXHAUST_2,
    CUSHION_1,
    CUSHION_2,
    LENGTH_1,
    LENGTH_2,
    SENSOR_1,
    SENSOR_2,
    DELAY,
    BRAKE_1,
    BRAKE_2,
    HOLD_1,
    HOLD_2,
    T_ON,
    CYCLES
};

enum { HEAD_1, HEAD_2, ARM_1, ARM_2, CONTACTS };

enum {
    S,
    V,

    /* of chamber 1, then of chamber 2 */
    P,

    M = P + 2,
    M_SUPPLY = M + 2,
    M_AMBIENT,
    H_SUPPLY,
    H_AMBIENT,
    HEAT,
    LOSS,
    M_START,
    E_START,
    VALVE,
    COMMAND,
    VALVE_DUE,

    /* line of chamber 1, then of chamber 2 */
    BRANCH,

    CUSHION = BRANCH + 2,

    /* one per contact */
    CONTACT,

    /* arm 1, then arm 2 */
    TOUCHED = CONTACT + CONTACTS,

    STEP = TOUCHED + 2,
    TIMER_DUE,
    CYCLE_START,
    CYCLES_DONE,
    CYCLE_TIME,
    HOLD_TIME,
    N_STATES
};

/*
 * States of a contact; branches of a line, in the order of increasing pressure in the chamber;
 * steps of the controller; modes.
 */
enum { OPEN, PUSHING, RELEASED };
enum { CHOKED_IN = -2, SUBSONIC_IN, LAMINAR, SUBSONIC_OUT, CHOKED_OUT };
enum { READY, OUT, OUT_BRAKE, OUT_HOLD, IN, IN_BRAKE, IN_HOLD };
enum { RUNNING, FINISHED };

#define CHOSEN "; chosen"
static const ic_parameter parameters[] = {
    [STROKE] = {"S", "m", "stroke between the heads" CHOSEN, "0.1", "(0, inf)"},
    [BORE] = {"D", "m", "bore: a size of ISO 15552", "0.032", "(0, inf)"},
    [ROD] = {"d_r", "m", "diameter of the rod: that of ISO 15552 for this bore", "0.012", "[0, inf)"},
    [V_1] = {"V_1", "m^3", "dead volume of chamber 1 with its hose" CHOSEN, "1e-5", "(0, inf)"},
    [V_2] = {"V_2", "m^3", "dead volume of chamber 2 with its hose" CHOSEN, "1e-5", "(0, inf)"},
    [M_P] = {"m_p", "kg", "mass of piston, rod and rack" CHOSEN, "0.8", "(0, inf)"},
    [M_A] = {"m_a", "kg", "mass of an arm" CHOSEN, "1", "[0, inf)"},
    [RATIO] = {"i", "1", "arm ratio: travel of an arm's tip over that of the piston" CHOSEN, "2", "(0, inf)"},
    [REACH_1] = {"Y_1", "m", "travel of arm 1's tip from the middle to its limit" CHOSEN, "0.098", "(0, inf)"},
    [REACH_2] = {"Y_2", "m", "travel of arm 2's tip from the middle to its limit" CHOSEN, "0.098", "(0, inf)"},
    [DAMPING] = {"c", "N s/m", "viscous friction of seals and guides" CHOSEN, "40", "[0, inf)"},
    [K_HEAD] = {"K_h", "N/m^n", "stiffness of a head's contact" CHOSEN ": 2 kN at 0.16 mm", "1e9", "(0, inf)"},
    [N_HEAD] = {"n_h", "1", "power of its indentation: Hertz's", "3/2", "[1, inf)"},
    [C_HEAD] = {"C_h", "N s/m^2", "its damping over indentation" CHOSEN, "1e7", "[0, inf)"},
    [K_ARM] = {"K_a", "N/m^n", "stiffness of an arm's buffer" CHOSEN ": 240 N at 1.4 mm", "1.2e8", "(0, inf)"},
    [N_ARM] = {"n_a", "1", "power of its indentation" CHOSEN ": progressive", "2", "[1, inf)"},
    [C_ARM] = {"C_a", "N s/m^2", "its damping over indentation" CHOSEN, "2e5", "[0, inf)"},
    [P_S] = {"p_s", "Pa", "supply pressure, absolute: 6 bar above ambient, common in workshops", "7e5",
             "(0, inf)"},
    [P_A] = {"p_a", "Pa", "ambient pressure: reference of ISO 8778", "1e5", "(0, inf)"},
    [T_A] = {"T_a", "K", "temperature of supply and ambient: reference of ISO 8778", "293.15", "(0, inf)"},
    [GAS] = {"R", "J/(kg K)", "gas constant of dry air", "287", "(0, inf)"},
    [KAPPA] = {"kappa", "1", "isentropic exponent of air", "7/5", "(1, inf)"},
    [POLYTROPIC] = {"n", "1", "polytropic exponent; kappa: adiabatic", "kappa", "[1, inf)"},
    [RHO_0] = {"rho_0", "kg/m^3", "density at the reference of ISO 6358", "1.185", "(0, inf)"},
    [T_0] = {"T_0", "K", "temperature at the reference of ISO 6358", "293.15", "(0, inf)"},
    [B_CRITICAL] = {"b", "1", "critical pressure ratio of the lines" CHOSEN ": usual for a valve with hose",
                    "0.3", "(0, 1)"},
    [B_LAMINAR] = {"B", "1", "pressure ratio beyond which flow is linear" CHOSEN, "0.99", "(0, 1)"},
    [SUPPLY_1] = {"C_s1", "m^3/(s Pa)", "sonic conductance, supply to chamber 1" CHOSEN, "1.5e-8", "(0, inf)"},
    [SUPPLY_2] = {"C_s2", "m^3/(s Pa)", "sonic conductance, supply to chamber 2" CHOSEN, "1.5e-8", "(0, inf)"},
    [EXHAUST_1] = {"C_e1", "m^3/(s Pa)", "sonic conductance, chamber 1 to ambient" CHOSEN, "8e-9", "(0, inf)"},
    [EXHAUST_2] = {"C_e2", "m^3/(s Pa)", "sonic conductance, chamber 2 to ambient" CHOSEN, "8e-9", "(0, inf)"},
    [CUSHION_1] = {"C_c1", "m^3/(s Pa)", "the same within cushion 1" CHOSEN, "5e-9", "(0, inf)"},
    [CUSHION_2] = {"C_c2", "m^3/(s Pa)", "the same within cushion 2" CHOSEN, "5e-9", "(0, inf)"},
    [LENGTH_1] = {"l_1", "m", "length of cushion 1" CHOSEN, "0.01", "(0, inf)"},
    [LENGTH_2] = {"l_2", "m", "length of cushion 2" CHOSEN, "0.01", "(0, inf)"},
    [SENSOR_1] = {"z_1", "m", "distance of sensor 1 from head 1" CHOSEN, "0.02", "(0, inf)"},
    [SENSOR_2] = {"z_2", "m", "distance of sensor 2 from head 2" CHOSEN, "0.02", "(0, inf)"},
    [DELAY] = {"delay", "s",
               "delay from a command to the switching of the valve" CHOSEN ": usual for such valves", "0.012",
               "(0, inf)"},
    [BRAKE_1] = {"brake_1", "s", "duration of reversal (air brake) after sensor 1; 0: none", "0", "[0, inf)"},
    [BRAKE_2] = {"brake_2", "s", "the same after sensor 2", "0", "[0, inf)"},
    [HOLD_1] = {"hold_1", "s", "time from there to the next run out" CHOSEN, "0.2", "(0, inf)"},
    [HOLD_2] = {"hold_2", "s", "time from there to the next run in" CHOSEN, "0.2", "(0, inf)"},
    [T_ON] = {"t_on", "s", "time at which the controller is started" CHOSEN, "0.01", "[0, inf)"},
    [CYCLES] = {"N", "1", "number of cycles in a run" CHOSEN, "2", "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}"},
};

static const ic_requirement requirements[] = {
    {"p_s - p_a", "the supply pressure p_s must be above the ambient pressure p_a"},
    {"S - l_1 - l_2", "the stroke S must be longer than the cushions l_1 + l_2"},
    {"S - z_1 - z_2", "sensor 1 must be nearer to head 1 than sensor 2: z_1 + z_2 < S"},
    {"D - d_r", "the rod must be thinner than the bore: d_r < D"},
    {"B - b", "flow is linear only beyond the critical pressure ratio: B > b"},
};

#define MASS "(m_p + 2*m_a*i^2/3)"
#define FORCE "((p_s - p_a)*pi/4*D^2)"
#define VOLUME "(pi/4*D^2*S)"
#define TIME "sqrt(S*" MASS "/" FORCE ")"
#define GAS_MASS "p_s*" VOLUME "/(R*T_a)"
#define WORK "p_s*" VOLUME
#define OF_CONTACT(index_, name_)                                                                              \
    [CONTACT + (index_)] = {"on_" name_, "1", "contact of " name_ ": 0 open, 1 pushing, 2 released", "1"}

static const ic_state states[] = {
    [S] = {"s", "m", "distance of the piston from the middle of its stroke", "S/4"},
    [V] = {"v", "m/s", "its speed", "S/" TIME},
    [P] = {"p_1", "Pa", "pressure in chamber 1", "p_s"},
    [P + 1] = {"p_2", "Pa", "pressure in chamber 2", "p_s"},
    [M] = {"m_1", "kg", "mass of gas in chamber 1", GAS_MASS},
    [M + 1] = {"m_2", "kg", "mass of gas in chamber 2", GAS_MASS},
    [M_SUPPLY] = {"m_s", "kg", "gas from the supply so far", GAS_MASS},
    [M_AMBIENT] = {"m_e", "kg", "gas from ambient so far; negative: exhausted", GAS_MASS},
    [H_SUPPLY] = {"H_s", "J", "enthalpy from the supply so far", WORK},
    [H_AMBIENT] = {"H_e", "J", "enthalpy from ambient so far; negative: exhausted", WORK},
    [HEAT] = {"Q", "J", "heat from the walls so far", WORK},
    [LOSS] = {"W_d", "J", "energy dissipated by friction and contacts so far", WORK},
    [M_START] = {"m_0", "kg", "gas in both chambers at the start", GAS_MASS},
    [E_START] = {"E_0", "J", "stored energy at the start", WORK},
    [VALVE] = {"valve", "1", "1: chamber 1 is supplied and 2 exhausts, -1: the other way round", "1"},
    [COMMAND] = {"command", "1", "commanded position of the valve", "1"},
    [VALVE_DUE] = {"t_valve", "s", "time at which the valve follows the last command", TIME},
    [BRANCH] =
        {"line_1", "1",
         "branch of the line of chamber 1: -2 choked in, -1 subsonic in, 0 linear, 1 subsonic out, 2 choked out",
         "1"},
    [BRANCH + 1] = {"line_2", "1", "the same for chamber 2", "1"},
    [CUSHION] = {"cushion", "1", "-1: within cushion 1, 1: within cushion 2, 0: outside both", "1"},
    OF_CONTACT(HEAD_1, "head_1"),
    OF_CONTACT(HEAD_2, "head_2"),
    OF_CONTACT(ARM_1, "arm_1"),
    OF_CONTACT(ARM_2, "arm_2"),
    [TOUCHED] = {"t_arm_1", "s", "time at which arm 1 last met its limit", TIME},
    [TOUCHED + 1] = {"t_arm_2", "s", "time at which arm 2 last met its limit", TIME},
    [STEP] = {"step", "1", "step of the controller: 0 ready, 1 out, 2 brake, 3 hold, 4 in, 5 brake, 6 hold",
              "1"},
    [TIMER_DUE] = {"t_timer", "s", "time at which the timer of the controller is due", TIME},
    [CYCLE_START] = {"t_cycle", "s", "time at which the cycle began", TIME},
    [CYCLES_DONE] = {"cycles", "1", "completed cycles", "1"},
    [CYCLE_TIME] = {"cycle", "s", "longest cycle so far; 0 before the first is complete", TIME},
    [HOLD_TIME] = {"hold", "s", "shortest hold so far; -1 before the first is complete", TIME},
};

/* Whether a discrete state has a value. */
static bool has_value(const double *x, int state, int value)
{
    return fabs(x[state] - value) < 0.5;
}

static int discrete(const double *x, int state)
{
    return (int)lround(x[state]);
}

/* ---- geometry: chamber 0 is behind the piston, chamber 1 around the rod */

static double area(int chamber, const double *par)
{
    const double rod = chamber == 0 ? 0 : par[ROD];
    return acos(-1) / 4 * (par[BORE] * par[BORE] - rod * rod);
}

/* direction in which a chamber drives the piston */
static double drives(int chamber)
{
    return chamber == 0 ? 1 : -1;
}

static double volume(int chamber, double s, const double *par)
{
    return par[V_1 + chamber] + area(chamber, par) * (par[STROKE] / 2 + drives(chamber) * s);
}

static double mass(const double *par)
{
    return par[M_P] + 2 * par[M_A] * par[RATIO] * par[RATIO] / 3;
}

/* ---- contacts: d = gear s - distance of the limit from the middle */

static const ic_law *const law = &ic_law_lee_wang_1; /* its K, n and C_1 are in this order above */

static double gear(int contact, const double *par)
{
    switch (contact) {
    case HEAD_1: return -1;
    case HEAD_2: return 1;
    case ARM_1: return par[RATIO];
    default: return -par[RATIO];
    }
}

static double indentation(int contact, const double *x, const double *par)
{
    const double distance = contact == ARM_1 ? par[REACH_1] : contact == ARM_2 ? par[REACH_2] : par[STROKE] / 2;
    return gear(contact, par) * x[S] - distance;
}

static double indentation_rate(int contact, const double *x, const double *par)
{
    return gear(contact, par) * x[V];
}

static const double *of_law(int contact, const double *par)
{
    return par + (contact == HEAD_1 || contact == HEAD_2 ? K_HEAD : K_ARM);
}

static double contact_force(int contact, const double *x, const double *par)
{
    if (!has_value(x, CONTACT + contact, PUSHING)) return 0;
    return law->force(indentation(contact, x, par), indentation_rate(contact, x, par), 0, of_law(contact, par));
}

static double elastic_force(int contact, const double *x, const double *par)
{
    if (has_value(x, CONTACT + contact, OPEN)) return 0;
    return law->force(indentation(contact, x, par), 0, 0, of_law(contact, par));
}

/* Power taken by the contact. While released, the spring loses its energy to no body. */
static double contact_loss(int contact, const double *x, const double *par)
{
    return (contact_force(contact, x, par) - elastic_force(contact, x, par)) *
           indentation_rate(contact, x, par);
}

static double contact_energy(int contact, const double *x, const double *par)
{
    if (has_value(x, CONTACT + contact, OPEN)) return 0;
    return law->stored_energy(indentation(contact, x, par), of_law(contact, par));
}

/* ---- motion */

static double gas_force(const double *x, const double *par)
{
    return (x[P] - par[P_A]) * area(0, par) - (x[P + 1] - par[P_A]) * area(1, par);
}

static double acceleration(const double *x, const double *par)
{
    double force = gas_force(x, par) - par[DAMPING] * x[V];
    for (int k = 0; k < CONTACTS; k++) force -= gear(k, par) * contact_force(k, x, par);
    return force / mass(par);
}

static double dissipated_power(double t, const double *x, const double *par)
{
    (void)t;
    double power = par[DAMPING] * x[V] * x[V];
    for (int k = 0; k < CONTACTS; k++) power += contact_loss(k, x, par);
    return power;
}

/* ---- lines */

static double temperature(int chamber, const double *x, const double *par)
{
    return x[P + chamber] * volume(chamber, x[S], par) / (x[M + chamber] * par[GAS]);
}

static bool supplied(int chamber, const double *x)
{
    return x[VALVE] * drives(chamber) > 0;
}

static double reservoir(int chamber, const double *x, const double *par)
{
    return supplied(chamber, x) ? par[P_S] : par[P_A];
}

/* m^3/(s Pa) */
static double conductance(int chamber, const double *x, const double *par)
{
    if (supplied(chamber, x)) return par[SUPPLY_1 + chamber];
    return par[(has_value(x, CUSHION, chamber == 0 ? -1 : 1) ? CUSHION_1 : EXHAUST_1) + chamber];
}

/* w(r) for r >= b */
static double subsonic(double ratio, const double *par)
{
    const double part = (ratio - par[B_CRITICAL]) / (1 - par[B_CRITICAL]);
    return sqrt(1 - part * part);
}

typedef struct stream {
    /* mass flow into the chamber, kg/s */
    double q;

    /* temperature of the gas that flows, K */
    double T;
} stream;

static stream linear_stream(double p, double p_r, double T, const double *par)
{
    const double B = par[B_LAMINAR], weight = (p_r / B - p) / (p_r / B - B * p_r);
    const double mixed = T + (par[T_A] - T) * weight;
    return (stream){sqrt(par[T_0] / mixed) * subsonic(B, par) / (1 - B) * (p_r - p), mixed};
}

static stream line_stream(int chamber, const double *x, const double *par)
{
    const double p = x[P + chamber], p_r = reservoir(chamber, x, par), T = temperature(chamber, x, par);
    const double unit = conductance(chamber, x, par) * par[RHO_0];
    const double in = p_r * sqrt(par[T_0] / par[T_A]), out = p * sqrt(par[T_0] / T);
    stream y;
    switch (discrete(x, BRANCH + chamber)) {
    case CHOKED_IN: y = (stream){in, par[T_A]}; break;
    case SUBSONIC_IN: y = (stream){in * subsonic(p / p_r, par), par[T_A]}; break;
    case LAMINAR: y = linear_stream(p, p_r, T, par); break;
    case SUBSONIC_OUT: y = (stream){-out * subsonic(p_r / p, par), T}; break;
    default: y = (stream){-out, T}; break;
    }
    return (stream){unit * y.q, y.T};
}

/* p/p_r at the upper end of a branch */
static double branch_end(int branch, const double *par)
{
    switch (branch) {
    case CHOKED_IN: return par[B_CRITICAL];
    case SUBSONIC_IN: return par[B_LAMINAR];
    case LAMINAR: return 1 / par[B_LAMINAR];
    default: return 1 / par[B_CRITICAL];
    }
}

static void choose_branches(double *x, const double *par)
{
    for (int chamber = 0; chamber < 2; chamber++) {
        const double ratio = x[P + chamber] / reservoir(chamber, x, par);
        int branch = CHOKED_IN;
        while (branch < CHOKED_OUT && ratio >= branch_end(branch, par)) branch++;
        x[BRANCH + chamber] = branch;
    }
}

/* ---- the field of the continuous states */

/* R T_q q - p V', W */
static double gas_power(int chamber, const stream *y, const double *x, const double *par)
{
    return par[GAS] * y->T * y->q - x[P + chamber] * drives(chamber) * area(chamber, par) * x[V];
}

/* c_p T_q q, W */
static double enthalpy_flow(const stream *y, const double *par)
{
    return par[KAPPA] / (par[KAPPA] - 1) * par[GAS] * y->T * y->q;
}

static double heat_flow(int chamber, const stream *y, const double *x, const double *par)
{
    return (par[POLYTROPIC] - par[KAPPA]) / (par[KAPPA] - 1) * gas_power(chamber, y, x, par);
}

static double pressure_rate(int chamber, const double *x, const double *par)
{
    const stream y = line_stream(chamber, x, par);
    return par[POLYTROPIC] * gas_power(chamber, &y, x, par) / volume(chamber, x[S], par);
}

static void flow(double *dxdt, double t, const double *x, const double *par)
{
    memset(dxdt, 0, N_STATES * sizeof *dxdt);
    dxdt[S] = x[V];
    dxdt[V] = acceleration(x, par);
    for (int chamber = 0; chamber < 2; chamber++) {
        const stream y = line_stream(chamber, x, par);
        dxdt[P + chamber] = par[POLYTROPIC] * gas_power(chamber, &y, x, par) / volume(chamber, x[S], par);
        dxdt[M + chamber] = y.q;
        dxdt[supplied(chamber, x) ? M_SUPPLY : M_AMBIENT] += y.q;
        dxdt[supplied(chamber, x) ? H_SUPPLY : H_AMBIENT] += enthalpy_flow(&y, par);
        dxdt[HEAT] += heat_flow(chamber, &y, x, par);
    }
    dxdt[LOSS] = dissipated_power(t, x, par);
}

/* ---- energy: of the gas, the motion, the contacts, and the air displaced by the rod */

static double stored_energy(double t, const double *x, const double *par)
{
    (void)t;
    double energy = mass(par) * x[V] * x[V] / 2 + par[P_A] * (area(0, par) - area(1, par)) * x[S];
    for (int chamber = 0; chamber < 2; chamber++)
        energy += x[P + chamber] * volume(chamber, x[S], par) / (par[KAPPA] - 1);
    for (int k = 0; k < CONTACTS; k++) energy += contact_energy(k, x, par);
    return energy;
}

static double supplied_power(double t, const double *x, const double *par)
{
    double power = 0;
    (void)t;
    for (int chamber = 0; chamber < 2; chamber++) {
        const stream y = line_stream(chamber, x, par);
        power += enthalpy_flow(&y, par) + heat_flow(chamber, &y, x, par);
    }
    return power;
}

IC_FUNCTION(no_power, 0)

/* ---- jumps of the discrete states */

static void copy_state(double *x_post, const double *x_pre)
{
    memcpy(x_post, x_pre, N_STATES * sizeof *x_post);
}

/* Begin, release, regain or end a contact. */
static int set_contact(int contact, int state, double *x_post, double t, const double *x_pre)
{
    copy_state(x_post, x_pre);
    if (has_value(x_pre, CONTACT + contact, OPEN) && contact >= ARM_1) x_post[TOUCHED + contact - ARM_1] = t;
    x_post[CONTACT + contact] = state;
    return 0;
}

/* Move a line between `branch` and the next one. */
static int pass_branch(int chamber, int branch, double *x_post, const double *x_pre)
{
    copy_state(x_post, x_pre);
    x_post[BRANCH + chamber] = has_value(x_pre, BRANCH + chamber, branch) ? branch + 1 : branch;
    return 0;
}

static int pass_cushion(int cushion, double *x_post, const double *x_pre)
{
    copy_state(x_post, x_pre);
    x_post[CUSHION] = has_value(x_pre, CUSHION, cushion) ? 0 : cushion;
    return 0;
}

static int switch_valve(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    copy_state(x_post, x_pre);
    x_post[VALVE] = x_pre[COMMAND];
    choose_branches(x_post, par);
    return 0;
}

/* ---- the controller */

static void command_valve(double *x, int position, double t, const double *par)
{
    if (!has_value(x, COMMAND, position)) x[VALVE_DUE] = t + par[DELAY];
    x[COMMAND] = position;
}

static void start_timer(double *x, int step, double due)
{
    x[STEP] = step;
    x[TIMER_DUE] = due;
}

/* Record how long the arm has been at its limit; 0 if it is not. */
static void note_hold(double *x, int arm, double t)
{
    const double held = has_value(x, CONTACT + arm, OPEN) ? 0 : t - x[TOUCHED + arm - ARM_1];
    x[HOLD_TIME] = x[HOLD_TIME] < 0 ? held : fmin(x[HOLD_TIME], held);
}

static void run_out(double *x, double t, const double *par)
{
    x[STEP] = OUT;
    x[CYCLE_START] = t;
    command_valve(x, 1, t, par);
}

static int press_start(double *x_post, double t, const double *x_pre, const double *par)
{
    copy_state(x_post, x_pre);
    run_out(x_post, t, par);
    return 0;
}

/* The end of a stroke: brake, if requested, then hold. */
static int end_stroke(bool out, double *x_post, double t, const double *x_pre, const double *par)
{
    const double brake = par[out ? BRAKE_2 : BRAKE_1], hold = par[out ? HOLD_2 : HOLD_1];
    copy_state(x_post, x_pre);
    if (brake > 0) {
        start_timer(x_post, out ? OUT_BRAKE : IN_BRAKE, t + brake);
        command_valve(x_post, out ? -1 : 1, t, par);
    } else {
        start_timer(x_post, out ? OUT_HOLD : IN_HOLD, t + hold);
    }
    return 0;
}

static int sense_1(double *x_post, double t, const double *x_pre, const double *par)
{
    return end_stroke(false, x_post, t, x_pre, par);
}

static int sense_2(double *x_post, double t, const double *x_pre, const double *par)
{
    return end_stroke(true, x_post, t, x_pre, par);
}

enum { GOES_ON, IS_DONE };

static int end_cycle(double *x, double t, const double *par)
{
    x[CYCLES_DONE] += 1;
    x[CYCLE_TIME] = fmax(x[CYCLE_TIME], t - x[CYCLE_START]);
    if (x[CYCLES_DONE] > par[CYCLES] - 0.5) return IS_DONE;
    run_out(x, t, par);
    return GOES_ON;
}

static int end_timer(double *x_post, double t, const double *x_pre, const double *par)
{
    copy_state(x_post, x_pre);
    switch (discrete(x_pre, STEP)) {
    case OUT_BRAKE:
        command_valve(x_post, 1, t, par);
        start_timer(x_post, OUT_HOLD, t + par[HOLD_2]);
        return GOES_ON;
    case IN_BRAKE:
        command_valve(x_post, -1, t, par);
        start_timer(x_post, IN_HOLD, t + par[HOLD_1]);
        return GOES_ON;
    case OUT_HOLD:
        note_hold(x_post, ARM_1, t);
        x_post[STEP] = IN;
        command_valve(x_post, -1, t, par);
        return GOES_ON;
    default: note_hold(x_post, ARM_2, t); return end_cycle(x_post, t, par);
    }
}

static const ic_branch goes_on[] = {{.mode = IC_SAME_MODE}};
static const ic_branch after_time_out[] = {[GOES_ON] = {.mode = IC_SAME_MODE}, [IS_DONE] = {.mode = FINISHED}};

/* ---- guards */

IC_FUNCTION(always_1, 1)
IC_FUNCTION(speed, x[V])

#define JUMP(name_, value_)                                                                                    \
    static int name_(double *x_post, double t, const double *x_pre, const double *par)                         \
    {                                                                                                          \
        (void)t, (void)par;                                                                                    \
        return (value_);                                                                                       \
    }
#define WHERE(condition_) ((condition_) ? 1 : -1)

#define CONTACT_FUNCTIONS(symbol_, contact_)                                                                   \
    IC_FUNCTION(symbol_##_indentation, indentation(contact_, x, par))                                          \
    IC_FUNCTION(symbol_##_rate, indentation_rate(contact_, x, par))                                            \
    IC_FUNCTION(symbol_##_pushing,                                                                             \
                ic_law_pushing(law, indentation(contact_, x, par), indentation_rate(contact_, x, par), 0,      \
                               of_law(contact_, par)))                                                         \
    IC_FUNCTION(symbol_##_pushing_rate,                                                                        \
                ic_law_pushing_rate(law, indentation(contact_, x, par), indentation_rate(contact_, x, par),    \
                                    gear(contact_, par) * acceleration(x, par), 0, of_law(contact_, par)))     \
    IC_FUNCTION(symbol_##_is_open, WHERE(has_value(x, CONTACT + (contact_), OPEN)))                            \
    IC_FUNCTION(symbol_##_is_not_open, WHERE(!has_value(x, CONTACT + (contact_), OPEN)))                       \
    IC_FUNCTION(symbol_##_is_pushing, WHERE(has_value(x, CONTACT + (contact_), PUSHING)))                      \
    IC_FUNCTION(symbol_##_is_released, WHERE(has_value(x, CONTACT + (contact_), RELEASED)))                    \
    JUMP(symbol_##_push, set_contact(contact_, PUSHING, x_post, t, x_pre))                                     \
    JUMP(symbol_##_let_go, set_contact(contact_, RELEASED, x_post, t, x_pre))                                  \
    JUMP(symbol_##_open, set_contact(contact_, OPEN, x_post, t, x_pre))
CONTACT_FUNCTIONS(head_1, HEAD_1)
CONTACT_FUNCTIONS(head_2, HEAD_2)
CONTACT_FUNCTIONS(arm_1, ARM_1)
CONTACT_FUNCTIONS(arm_2, ARM_2)

#define LINE_FUNCTIONS(symbol_, chamber_, branch_)                                                             \
    IC_FUNCTION(symbol_, x[P + (chamber_)] - branch_end(branch_, par) * reservoir(chamber_, x, par))           \
    IC_FUNCTION(symbol_##_near, WHERE(has_value(x, BRANCH + (chamber_), branch_) ||                            \
                                      has_value(x, BRANCH + (chamber_), (branch_) + 1)))                       \
    JUMP(symbol_##_pass, pass_branch(chamber_, branch_, x_post, x_pre))
IC_FUNCTION(pressure_rate_1, pressure_rate(0, x, par))
IC_FUNCTION(pressure_rate_2, pressure_rate(1, x, par))
LINE_FUNCTIONS(choked_in_1, 0, CHOKED_IN)
LINE_FUNCTIONS(linear_in_1, 0, SUBSONIC_IN)
LINE_FUNCTIONS(linear_out_1, 0, LAMINAR)
LINE_FUNCTIONS(choked_out_1, 0, SUBSONIC_OUT)
LINE_FUNCTIONS(choked_in_2, 1, CHOKED_IN)
LINE_FUNCTIONS(linear_in_2, 1, SUBSONIC_IN)
LINE_FUNCTIONS(linear_out_2, 1, LAMINAR)
LINE_FUNCTIONS(choked_out_2, 1, SUBSONIC_OUT)

IC_FUNCTION(cushion_1, x[S] + par[STROKE] / 2 - par[LENGTH_1])
IC_FUNCTION(cushion_2, x[S] - par[STROKE] / 2 + par[LENGTH_2])
JUMP(pass_cushion_1, pass_cushion(-1, x_post, x_pre))
JUMP(pass_cushion_2, pass_cushion(1, x_post, x_pre))
IC_FUNCTION(sensor_1, x[S] + par[STROKE] / 2 - par[SENSOR_1])
IC_FUNCTION(sensor_2, x[S] - par[STROKE] / 2 + par[SENSOR_2])
IC_FUNCTION(runs_in, WHERE(has_value(x, STEP, IN)))
IC_FUNCTION(runs_out, WHERE(has_value(x, STEP, OUT)))
IC_FUNCTION(timer, t - x[TIMER_DUE])
IC_FUNCTION(timer_runs,
            WHERE(!has_value(x, STEP, READY) && !has_value(x, STEP, OUT) && !has_value(x, STEP, IN)))
IC_FUNCTION(valve, t - x[VALVE_DUE])
IC_FUNCTION(valve_is_told, -x[COMMAND] * x[VALVE])

#define CONTACT_GUARDS(symbol_, name_)                                                                         \
    IC_GUARD(name_ " touch", "m", "the contact begins", +1, symbol_##_indentation, symbol_##_rate,             \
             symbol_##_is_open, symbol_##_push, goes_on),                                                      \
        IC_GUARD(name_ " release", "N/m", "the law would pull: the force ends", -1, symbol_##_pushing,         \
                 symbol_##_pushing_rate, symbol_##_is_pushing, symbol_##_let_go, goes_on),                     \
        IC_GUARD(name_ " regained", "N/m", "the law pushes again", +1, symbol_##_pushing,                      \
                 symbol_##_pushing_rate, symbol_##_is_released, symbol_##_push, goes_on),                      \
        IC_GUARD(name_ " leave", "m", "the contact ends", -1, symbol_##_indentation, symbol_##_rate,           \
                 symbol_##_is_not_open, symbol_##_open, goes_on)
#define LINE_GUARD(symbol_, chamber_, name_, meaning_)                                                         \
    IC_GUARD(name_ " " #chamber_, "Pa", meaning_, 0, symbol_##_##chamber_, pressure_rate_##chamber_,           \
             symbol_##_##chamber_##_near, symbol_##_##chamber_##_pass, goes_on)
#define LINE_GUARDS(chamber_)                                                                                  \
    LINE_GUARD(choked_in, chamber_, "choked inflow", "flow into the chamber becomes choked or subsonic"),      \
        LINE_GUARD(linear_in, chamber_, "linear inflow", "flow into the chamber becomes linear or subsonic"),  \
        LINE_GUARD(linear_out, chamber_, "linear outflow", "flow out of it becomes linear or subsonic"),       \
        LINE_GUARD(choked_out, chamber_, "choked outflow", "flow out of it becomes choked or subsonic")

static const ic_guard guards[] = {
    CONTACT_GUARDS(head_1, "head 1"),
    CONTACT_GUARDS(head_2, "head 2"),
    CONTACT_GUARDS(arm_1, "arm 1"),
    CONTACT_GUARDS(arm_2, "arm 2"),
    IC_GUARD("cushion 1", "m", "the piston enters or leaves cushion 1", 0, cushion_1, speed, NULL,
             pass_cushion_1, goes_on),
    IC_GUARD("cushion 2", "m", "the piston enters or leaves cushion 2", 0, cushion_2, speed, NULL,
             pass_cushion_2, goes_on),
    IC_GUARD("sensor 1", "m", "the piston, running in, passes sensor 1", -1, sensor_1, speed, runs_in, sense_1,
             goes_on),
    IC_GUARD("sensor 2", "m", "the piston, running out, passes sensor 2", +1, sensor_2, speed, runs_out,
             sense_2, goes_on),
    IC_GUARD("timer", "s", "the controller's timer is due", +1, timer, always_1, timer_runs, end_timer,
             after_time_out),
    IC_GUARD("valve", "s", "the valve switches", +1, valve, always_1, valve_is_told, switch_valve, goes_on),
    LINE_GUARDS(1),
    LINE_GUARDS(2),
};

static double when_started(int n, const double *par)
{
    return n == 0 ? par[T_ON] : INFINITY;
}

static const ic_time_event time_events[] = {
    {.name = "start",
     .meaning = "the controller is started",
     .when = when_started,
     .jump = {.apply = press_start, .branches = goes_on, .n_branches = IC_COUNT(goes_on)}},
};

/*
 * ---- invariants: gas and energy balance; gas does not run out, since it leaves at a rate that
 * decreases with its pressure; each line is in the branch that its pressures require
 */

IC_FUNCTION(mass_error, x[M] + x[M + 1] - x[M_START] - x[M_SUPPLY] - x[M_AMBIENT])
IC_FUNCTION(energy_error,
            stored_energy(0, x, par) - x[E_START] - x[H_SUPPLY] - x[H_AMBIENT] - x[HEAT] + x[LOSS])
IC_FUNCTION(gas_pressure_1, x[P])
IC_FUNCTION(gas_pressure_2, x[P + 1])
IC_FUNCTION(gas_mass_1, x[M])
IC_FUNCTION(gas_mass_2, x[M + 1])

/* distance of the pressure from the ends of the branch of its line */
static double within_branch(int chamber, const double *x, const double *par)
{
    const int branch = discrete(x, BRANCH + chamber);
    const double p = x[P + chamber], p_r = reservoir(chamber, x, par);
    const double above = branch == CHOKED_IN ? p : p - branch_end(branch - 1, par) * p_r;
    return branch == CHOKED_OUT ? above : fmin(above, branch_end(branch, par) * p_r - p);
}
IC_FUNCTION(within_branch_1, within_branch(0, x, par))
IC_FUNCTION(within_branch_2, within_branch(1, x, par))

static const ic_invariant invariants[] = {
    {"gas", "kg", "the gas in the chambers equals the initial gas plus the inflow", 0, mass_error, NULL},
    {"energy", "J", "the stored energy equals the initial energy plus the supply minus the dissipation", 0,
     energy_error, NULL},
    {"pressure 1", "Pa", "absolute pressure in chamber 1", +1, gas_pressure_1, NULL},
    {"pressure 2", "Pa", "absolute pressure in chamber 2", +1, gas_pressure_2, NULL},
    {"mass 1", "kg", "mass of gas in chamber 1", +1, gas_mass_1, NULL},
    {"mass 2", "kg", "mass of gas in chamber 2", +1, gas_mass_2, NULL},
    {"line 1", "Pa", "the pressure of chamber 1 is within the branch of its line", +1, within_branch_1, NULL},
    {"line 2", "Pa", "the pressure of chamber 2 is within the branch of its line", +1, within_branch_2, NULL},
};

static const ic_mode modes[] = {
    [RUNNING] = {.name = "running",
                 .meaning = "discrete states select the forces and flows",
                 .flow = flow,
                 .guards = guards,
                 .n_guards = IC_COUNT(guards),
                 .invariants = invariants,
                 .n_invariants = IC_COUNT(invariants),
                 .stored_energy = stored_energy,
                 .supplied_power = supplied_power,
                 .dissipated_power = dissipated_power},
    [FINISHED] = {.name = "finished",
                  .meaning = "all cycles are done",
                  .flow = flow,
                  .terminal = true,
                  .stored_energy = stored_energy,
                  .supplied_power = no_power,
                  .dissipated_power = no_power},
};

/*
 * ---- start: piston in and at rest, chamber 2 at supply pressure, pressed on head 1 and the limit
 * of arm 2
 */

/* Net force of gas and contacts on the piston at s. */
static double net_force(double s, double *x, const double *par)
{
    double force = gas_force(x, par);
    x[S] = s;
    for (int k = 0; k < CONTACTS; k++) {
        x[CONTACT + k] = indentation(k, x, par) > 0 ? PUSHING : OPEN;
        force -= gear(k, par) * contact_force(k, x, par);
    }
    return force;
}

/* The net force decreases with s, and grows without bound as s decreases. */
static void find_rest(double *x, const double *par)
{
    double low = -par[STROKE], high = 0;
    while (net_force(low, x, par) < 0) low *= 2;
    for (;;) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        if (net_force(middle, x, par) > 0) low = middle;
        else high = middle;
    }
    net_force(low, x, par);
}

static int set_start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    memset(x, 0, N_STATES * sizeof *x);
    x[VALVE] = x[COMMAND] = -1;
    x[P] = par[P_A];
    x[P + 1] = par[P_S];
    find_rest(x, par);
    for (int chamber = 0; chamber < 2; chamber++) {
        x[M + chamber] = x[P + chamber] * volume(chamber, x[S], par) / (par[GAS] * par[T_A]);
        x[M_START] += x[M + chamber];
    }
    choose_branches(x, par);
    x[CUSHION] = cushion_1(0, x, par) < 0 ? -1 : 0;
    x[HOLD_TIME] = -1;
    x[E_START] = stored_energy(0, x, par);
    return 0;
}

static const ic_branch starts[] = {{.mode = RUNNING}};

static const ic_variant variants[] = {
    {.name = "lee-wang-1",
     .meaning = "all contacts on the law of this name",
     .modes = modes,
     .n_modes = IC_COUNT(modes),
     .start = {.apply = set_start, .branches = starts, .n_branches = IC_COUNT(starts)},
     .time_events = time_events,
     .n_time_events = IC_COUNT(time_events)},
};

/* ---- outputs */

IC_OUTPUT(out_position, x[S])
IC_OUTPUT(out_tip, par[RATIO] * x[S])
IC_OUTPUT(out_pressure_1, x[P])
IC_OUTPUT(out_pressure_2, x[P + 1])
IC_OUTPUT(out_mass_1, x[M])
IC_OUTPUT(out_mass_2, x[M + 1])
IC_OUTPUT(out_temperature_1, temperature(0, x, par))
IC_OUTPUT(out_temperature_2, temperature(1, x, par))
IC_OUTPUT(out_flow_1, line_stream(0, x, par).q)
IC_OUTPUT(out_flow_2, line_stream(1, x, par).q)
IC_OUTPUT(out_piston_force, gas_force(x, par))
IC_OUTPUT(out_head_1, contact_force(HEAD_1, x, par))
IC_OUTPUT(out_head_2, contact_force(HEAD_2, x, par))
IC_OUTPUT(out_arm_1, contact_force(ARM_1, x, par))
IC_OUTPUT(out_arm_2, contact_force(ARM_2, x, par))
IC_OUTPUT(out_cycle_time, x[CYCLE_TIME] > 0 ? x[CYCLE_TIME] : NAN)
IC_OUTPUT(out_hold_time, x[HOLD_TIME] < 0 ? NAN : x[HOLD_TIME])
IC_OUTPUT(out_energy, stored_energy(t, x, par))
IC_OUTPUT(out_dissipated_power, dissipated_power(t, x, par))
IC_OUTPUT(out_mass_error, x[M] + x[M + 1] - x[M_START] - x[M_SUPPLY] - x[M_AMBIENT])
IC_OUTPUT(out_energy_error,
          stored_energy(t, x, par) - x[E_START] - x[H_SUPPLY] - x[H_AMBIENT] - x[HEAT] + x[LOSS])

static double out_contact_force(double t, const double *x, int mode, const double *par)
{
    double greatest = 0;
    (void)t, (void)mode;
    for (int k = 0; k < CONTACTS; k++) greatest = fmax(greatest, contact_force(k, x, par));
    return greatest;
}

static const ic_output outputs[] = {
    {"contact_force", "N", "greatest of the four contact forces", out_contact_force, NULL},
    {"head_force_1", "N", "force of head 1 on the piston", out_head_1, NULL},
    {"head_force_2", "N", "force of head 2 on the piston", out_head_2, NULL},
    {"arm_force_1", "N", "force of its limit on the tip of arm 1", out_arm_1, NULL},
    {"arm_force_2", "N", "force of its limit on the tip of arm 2", out_arm_2, NULL},
    {"piston_force", "N", "force of the gas on the piston, relative to ambient pressure", out_piston_force,
     NULL},
    {"position", "m", "distance of the piston from the middle of its stroke", out_position, NULL},
    {"tip", "m", "travel of an arm's tip from the middle", out_tip, NULL},
    {"pressure_1", "Pa", "absolute pressure in chamber 1", out_pressure_1, NULL},
    {"pressure_2", "Pa", "absolute pressure in chamber 2", out_pressure_2, NULL},
    {"mass_1", "kg", "mass of gas in chamber 1", out_mass_1, NULL},
    {"mass_2", "kg", "mass of gas in chamber 2", out_mass_2, NULL},
    {"temperature_1", "K", "temperature of the gas in chamber 1", out_temperature_1, NULL},
    {"temperature_2", "K", "temperature of the gas in chamber 2", out_temperature_2, NULL},
    {"mass_flow_1", "kg/s", "mass flow into chamber 1", out_flow_1, NULL},
    {"mass_flow_2", "kg/s", "mass flow into chamber 2", out_flow_2, NULL},
    {"cycle_time", "s", "longest cycle so far", out_cycle_time, NULL},
    {"hold_time", "s", "shortest time so far that an arm was at its limit before the next stroke",
     out_hold_time, NULL},
    {"energy", "J", "energy of gas, motion and contacts", out_energy, NULL},
    {"dissipated_power", "W", "power dissipated by friction and contacts", out_dissipated_power, NULL},
    {"mass_error", "kg", "gas in the chambers minus initial gas and inflow", out_mass_error, NULL},
    {"energy_error", "J", "stored energy minus initial energy and supply plus dissipation", out_energy_error,
     NULL},
};

/*
 * Found by
 *
 *     impactcheck optimise pneumatic-mechanism/first-design --solver dop853 --rtol 1e-8
 *         --minimise contact_force:max --subject-to 'cycle_time<=start' --subject-to 'hold_time>=start'
 *         --over C_c1=5e-10:8e-9:log --over C_c2=5e-10:8e-9:log --over l_1=0.005:0.03
 *         --over l_2=0.005:0.03 --over i=1.9:2.6 --over C_s1=5e-9:2e-8:log
 *         --over C_s2=5e-9:2e-8:log --over hold_2=0.15:0.25
 *
 * and rounded to four digits.
 */
#define OPTIMISED                                                                                              \
    "C_c1=3.673e-9, C_c2=2.876e-9, l_1=0.01727, l_2=0.02156, i=2.075, C_s1=1.383e-8, C_s2=1.970e-8, "          \
    "hold_2=0.2026"

static const ic_preset presets[] = {
    {"first-design", "lee-wang-1", "", "5", "the defaults: hardly cushioned"},
    {"optimised", "lee-wang-1", OPTIMISED, "5",
     "least contact force at the cycle and hold times of the first design"},
};

/* none: a run on which every solver's steps are small enough takes too long for an audit */
static const ic_trial no_trials[1];

const ic_case ic_case_pneumatic_mechanism = {
    IC_ABI(ic_case),
    .name = "pneumatic-mechanism",
    .title = "A pneumatic cylinder with valve and controller drives two arms between limits",
    .source = "own design, after Kecskemethy & Lange 1999, section 4",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .requirements = requirements,
    .n_requirements = IC_COUNT(requirements),
    .states = states,
    .n_states = IC_COUNT(states),
    .outputs = outputs,
    .n_outputs = IC_COUNT(outputs),
    .variants = variants,
    .n_variants = IC_COUNT(variants),
    .presets = presets,
    .n_presets = IC_COUNT(presets),
    .time_scale = TIME "/2",
    .trials = no_trials,
};
