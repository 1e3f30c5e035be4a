/* SPDX-License-Identifier: MIT */
/* Laws of their own with one mistake each. */
#include "tests/plugins/faulty/export.h"

#if defined FAULTY_tsuji_slope
/* Tsuji's law by the slope of the force, 2 sqrt(5/6) beta sqrt(S m), with K sqrt(d) for the slope 3/2 K sqrt(d). */
enum { STIFFNESS, MASS, E };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"K", "N/m^(3/2)", "4/3 E* sqrt(R)", "2e9", "(0, inf)"},
    [MASS] = {"meff", "kg", "m_1 m_2/(m_1 + m_2)", "0.02", "(0, inf)"},
    [E] = {"e", "1", "coefficient of restitution", "0.6", "(0, 1]"},
};
LAW_FUNCTION(beta, loss, -loss / sqrt(loss * loss + M_PI * M_PI))
LAW_FUNCTION(slope, d, par[STIFFNESS] * sqrt(d))
FORCE(d <= 0 ? 0
             : par[STIFFNESS] * pow(d, 1.5) +
                   2 * sqrt(5. / 6) * beta(log(par[E]), par) * sqrt(slope(d, par) * par[MASS]) * v)
LAW("tsuji", "for tests", "Tsuji, Tanaka & Ishida 1992", ONSET | LOSES, IC_CONDITION_A, .restitution = "e")
#elif defined FAULTY_nothing_above_surface
/* A spring and dashpot whose contact begins above the surface, where this one does nothing. */
SPRING_AND_DASHPOT("1e6", "1500")
FORCE(d >= 0 ? fmax(0, par[K] * d + par[C] * v) : 0)
LAW_FUNCTION(reach, v, -par[C] * v / par[K])
LAW("kelvin-voigt-B", "F = k d + c d'", "Jonsson, Bathelt & Broman 2005", ONSET | PUSHES, IC_CONDITION_B,
    .reach = reach)
#elif defined FAULTY_reach_reversed
/* A spring and dashpot whose contact is said to begin below the surface, where it begins above. */
SPRING_AND_DASHPOT("1e6", "1500")
FORCE(fmax(0, par[K] * d + par[C] * v))
LAW_FUNCTION(reach, v, par[C] * v / par[K])
LAW("kelvin-voigt-B", "F = k d + c d'", "Jonsson, Bathelt & Broman 2005", ONSET | PUSHES, IC_CONDITION_B,
    .reach = reach)
#else
#error "no FAULTY_name is defined"
#endif
