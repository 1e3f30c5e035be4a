/* SPDX-License-Identifier: MIT */
/* Right laws, written differently from ours: each `defined CORRECT_name` is a plugin. */
#include "tests/plugins/faulty/export.h"

#if defined CORRECT_hunt_crossley_pow
/* Hunt and Crossley's law with pow() for any power and other names of the parameters. */
enum { STIFFNESS, EXPONENT, CR };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m^power", "of the spring", "4.2e8", "(0, inf)"},
    [EXPONENT] = {"power", "1", "of the indentation", "1.4", "[1, 3]"},
    [CR] = {"CR", "1", "coefficient of restitution", "0.65", "[0, 1]"},
};
LAW_FUNCTION(elastic, d, par[STIFFNESS] * pow(fmax(d, 0), par[EXPONENT]))
LAW_FUNCTION(remember, v0, 3 * (1 - par[CR]) / (2 * v0))
FORCE(elastic(d, par) * (1 + memory * v))
FORCE_RATE(d <= 0 ? 0 : elastic(d, par) * (par[EXPONENT] * v / d * (1 + memory * v) + memory * acceleration))
LAW_FUNCTION(stored_energy, d, par[STIFFNESS] * pow(fmax(d, 0), par[EXPONENT] + 1) / (par[EXPONENT] + 1))
LAW("hunt-crossley", "F = K d^n (1 + a d'/v0)", "Hunt & Crossley 1975", ONSET | PUSHES | LOSES, IC_CONDITION_A,
    .remember = remember, .memory_unit = "s/m", .force_rate = force_rate, .stored_energy = stored_energy)
#elif defined CORRECT_older_struct
/* A plugin that was compiled before laws said what they implement. */
enum { SPRING };
static const ic_parameter parameters[] = {[SPRING] = {"k", "N/m", "of the spring", "2e5", "(0, inf)"}};
FORCE(par[SPRING] * fmax(0, d))
static const ic_law law = {.abi_version = IC_ABI_VERSION,
                           .struct_size = offsetof(ic_law, implements),
                           .name = "older",
                           .title = "F = k d",
                           .source = "textbook",
                           .parameters = parameters,
                           .n_parameters = IC_COUNT(parameters),
                           .force = force,
                           .implements = "behind its end"};
EXPORT_LAW(law)
#elif defined CORRECT_dashpot_c
/* A linear spring and dashpot whose contact ends at zero force; the damping is given over the
   critical one of 1 kg. */
enum { STIFFNESS, ZETA };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m", "of the spring", "2e5", "(0, inf)"},
    [ZETA] = {"zeta", "1", "damping over the critical one of 1 kg", "0.2", "[0, inf)"},
};
FORCE(par[STIFFNESS] * d + 2 * par[ZETA] * sqrt(par[STIFFNESS]) * v)
FORCE_RATE(par[STIFFNESS] * v + 2 * par[ZETA] * sqrt(par[STIFFNESS]) * acceleration)
LAW("kelvin-voigt-C", "F = k d + c d'", "textbook", PUSHES | LOSES, IC_CONDITION_C, .force_rate = force_rate)
#elif defined CORRECT_quarter_power
/* A dashpot like d^(1/4), steep at the onset but without a jump, with a force that is cut at 0
   (Tsuji, Tanaka & Ishida 1992). */
enum { SPRING, ETA };
static const ic_parameter parameters[] = {
    [SPRING] = {"stiffness", "N/m^(3/2)", "of the spring", "1e9", "(0, inf)"},
    [ETA] = {"eta", "N s/m^(5/4)", "of the dashpot", "3e3", "[0, inf)"},
};
FORCE(d > 0 ? fmax(0, par[SPRING] * pow(d, 1.5) + par[ETA] * pow(d, 0.25) * v) : 0)
FORCE_RATE(!(force(d, v, memory, par) > 0)
               ? 0
               : 1.5 * par[SPRING] * sqrt(d) * v +
                     par[ETA] * (0.25 * pow(d, -0.75) * v * v + pow(d, 0.25) * acceleration))
LAW("quarter-power", "F = K d^(3/2) + eta d^(1/4) d', at least 0", "Tsuji, Tanaka & Ishida 1992",
    ONSET | PUSHES | LOSES, IC_CONDITION_C_STAR, .force_rate = force_rate, .implements = "own")
#elif defined CORRECT_exponential_layer
/* A soft layer that stiffens exponentially, by a force and a length of its own. */
enum { SCALE, LENGTH };
static const ic_parameter parameters[] = {
    [SCALE] = {"F_s", "N", "scale of the force", "50", "(0, inf)"},
    [LENGTH] = {"lambda", "m", "length over which it stiffens", "1e-4", "(0, inf)"},
};
FORCE(d > 0 ? par[SCALE] * expm1(d / par[LENGTH]) : 0)
FORCE_RATE(d > 0 ? par[SCALE] / par[LENGTH] * exp(d / par[LENGTH]) * v : 0)
LAW_FUNCTION(stored_energy, d,
             d > 0 ? par[SCALE] * par[LENGTH] * (expm1(d / par[LENGTH]) - d / par[LENGTH]) : 0)
LAW("exponential-layer", "F = F_s (exp(d/lambda) - 1)", "textbook", ONSET | PUSHES | LOSES, IC_CONDITION_A,
    .force_rate = force_rate, .stored_energy = stored_energy, .implements = "own")
#elif defined CORRECT_two_springs
/* A second spring that begins at a depth: a kink, which the law states. */
enum { FIRST, SECOND, KNEE };
static const ic_parameter parameters[] = {
    [FIRST] = {"k_1", "N/m", "of the first spring", "1e6", "(0, inf)"},
    [SECOND] = {"k_2", "N/m", "of the second", "3e6", "(0, inf)"},
    [KNEE] = {"d_2", "m", "where the second begins", "2e-4", "(0, inf)"},
};
FORCE(par[FIRST] * fmax(0, d) + par[SECOND] * fmax(0, d - par[KNEE]))
FORCE_RATE(d <= 0 ? 0 : (par[FIRST] + (d > par[KNEE] ? par[SECOND] : 0)) * v)
LAW_FUNCTION(kink, v, par[KNEE])
LAW("two-springs", "F = k_1 d, and k_2 (d - d_2) more beyond d_2", "textbook", ONSET | PUSHES | LOSES,
    IC_CONDITION_A, .force_rate = force_rate, .kink = kink, .implements = "own")
#elif defined CORRECT_reaches_out
/* A spring and dashpot under condition B: contact begins above the surface, where the dashpot
   pushes. */
SPRING_AND_DASHPOT("4e5", "250")
FORCE(fmax(0, par[K] * d + par[C] * v))
FORCE_RATE(force(d, v, memory, par) > 0 ? par[K] * v + par[C] * acceleration : 0)
LAW_FUNCTION(reach, v, -par[C] * v / par[K])
LAW("reaches-out", "F = k d + c d' where that pushes", "Jonsson, Bathelt & Broman 2005", ONSET | PUSHES,
    IC_CONDITION_B, .force_rate = force_rate, .reach = reach)
#elif defined CORRECT_root_of_rate
/* Damping like the cube root of the rate: steep at the turning point of the contact, but without
   a jump. */
enum { SPRING, LOSS };
static const ic_parameter parameters[] = {
    [SPRING] = {"spring", "N/m^(3/2)", "stiffness", "1e9", "(0, inf)"},
    [LOSS] = {"loss", "(s/m)^(1/3)", "damping over the elastic force", "0.2", "[0, inf)"},
};
FORCE(d > 0 ? par[SPRING] * pow(d, 1.5) * (1 + par[LOSS] * cbrt(v)) : 0)
FORCE_RATE(d <= 0 ? 0
                  : par[SPRING] * sqrt(d) *
                        (1.5 * v * (1 + par[LOSS] * cbrt(v)) +
                         d * par[LOSS] * acceleration / (3 * cbrt(v) * cbrt(v))))
LAW("root-of-rate", "F = K d^(3/2) (1 + b d'^(1/3))", "textbook", ONSET | LOSES, IC_CONDITION_A,
    .force_rate = force_rate, .implements = "own")
#elif defined CORRECT_cut_force
/* Lee and Wang's first law, whose force is cut at 0 as its condition says; and no function but the force. */
enum { K, N, C_1 };
static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e9", "(0, inf)"},
    [N] = {"n", "1", "power", "3/2", "[1, 3]"},
    [C_1] = {"C_1", "N s/m^2", "damping", "1e6", "[0, inf)"},
};
FORCE(d > 0 ? fmax(0, par[K] * pow(d, par[N]) + par[C_1] * d * v) : 0)
LAW("lee-wang-1", "F = max(0, K d^n + C_1 d d')", "Lee & Wang 1983", ONSET | PUSHES | LOSES,
    IC_CONDITION_C_STAR)
#elif defined CORRECT_elasto_gap_names
/* ElastoGap under the names of the Modelica Standard Library: c is the spring's, not the damper's. */
enum { C, D };
static const ic_parameter parameters[] = {
    [C] = {"c", "N/m", "spring constant", "5e5", "(0, inf)"},
    [D] = {"d", "N s/m", "damping constant", "300", "[0, inf)"},
};
FORCE(d > 0 ? par[C] * d + fmax(-par[C] * d, fmin(par[D] * v, par[C] * d)) : 0)
LAW("elasto-gap", "F = c s_rel + d v_rel, limited", "Modelica Standard Library", ONSET | PUSHES | LOSES,
    IC_CONDITION_A)
#elif defined CORRECT_memory_of_restitution
/* A memory that does not depend on the speed of the impact, of a damping that is a parameter. */
enum { STIFFNESS, RATIO };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m^1.5", "of the contact", "2e8", "(0, inf)"},
    [RATIO] = {"eps", "1", "coefficient of restitution of slow impacts", "0.7", "(0, 1]"},
};
LAW_FUNCTION(remember, v0, 1.5 * (1 - par[RATIO]))
FORCE(d > 0 ? par[STIFFNESS] * d * sqrt(d) * fmax(0, 1 + memory * v / (1 + fabs(v))) : 0)
LAW("by-ratio", "Hertz, with a drag that saturates", "textbook", ONSET | PUSHES | LOSES, IC_CONDITION_A,
    .remember = remember, .memory_unit = "1", .implements = "own")
#elif defined CORRECT_tsuji_meff
/* Tsuji's law as codes for grains write it: 2 sqrt(5/6) beta sqrt(S m), S the slope of Hertz's force with 3/2 left out. */
enum { STIFFNESS, MASS, CR };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"kn", "N/m^(3/2)", "4/3 E* sqrt(R)", "2e9", "(0, inf)"},
    [MASS] = {"meff", "kg", "m_1 m_2/(m_1 + m_2)", "0.02", "(0, inf)"},
    [CR] = {"cor", "1", "coefficient of restitution", "0.6", "(0, 1]"},
};
LAW_FUNCTION(beta, loss, -loss / sqrt(loss * loss + M_PI * M_PI))
LAW_FUNCTION(slope, d, 1.5 * par[STIFFNESS] * sqrt(d))
FORCE(d <= 0 ? 0
             : par[STIFFNESS] * pow(d, 1.5) +
                   2 * sqrt(5. / 6) * beta(log(par[CR]), par) * sqrt(slope(d, par) * par[MASS]) * v)
LAW("tsuji", "Hertz with damping for a constant restitution", "Tsuji, Tanaka & Ishida 1992", ONSET | LOSES,
    IC_CONDITION_A, .restitution = "cor")
#elif defined CORRECT_tsuji_alpha
/* Tsuji's law for bodies of 1 kg, with the damping alpha itself in place of a restitution. */
enum { STIFFNESS, ALPHA };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"K", "N/m^1.5", "stiffness", "1e8", "(0, inf)"},
    [ALPHA] = {"alpha", "kg^(1/2)", "damping", "0.2", "[0, 1]"},
};
FORCE(d <= 0 ? 0 : par[STIFFNESS] * d * sqrt(d) + par[ALPHA] * sqrt(par[STIFFNESS] * sqrt(d)) * v)
LAW("tsuji", "F = K d^1.5 + alpha sqrt(K) d^(1/4) v", "Tsuji, Tanaka & Ishida 1992", ONSET | LOSES,
    IC_CONDITION_A)
#elif defined CORRECT_elasto_gap_cut
/* The elasto-gap as its library writes it, both limits in the force and no kink declared. */
SPRING_AND_DASHPOT("4e5", "250")
LAW_FUNCTION(spring, d, par[K] * fmax(d, 0))
FORCE(spring(d, par) + fmax(-spring(d, par), fmin(spring(d, par), par[C] * v)))
LAW("elasto-gap", "spring and damper, whose force is limited to that of the spring",
    "Modelica Standard Library", ONSET | PUSHES | LOSES, IC_CONDITION_C_STAR)
#elif defined CORRECT_mixed_damping
/* F = K d^n + C d d'/v0: the drag is far greater than the spring of shallow contacts. */
enum { K, N, C };
static const ic_parameter parameters[] = {
    [K] = {"K", "N/m^n", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power of the indentation", "3/2", "[1, inf)"},
    [C] = {"C", "N/m", "drag per depth, at the speed of the impact", "3e9", "[0, inf)"},
};
LAW_FUNCTION(remember, v0, par[C] / v0)
FORCE(d > 0 ? par[K] * pow(d, par[N]) + memory * d * v : 0)
LAW("mixed-damping", "F = K d^n + C d d'/v0", "own", ONSET | LOSES, IC_CONDITION_C_STAR, .remember = remember,
    .memory_unit = "N s/m^2", .implements = "own")
#elif defined CORRECT_dashpot_from_touch
/* A spring and dashpot whose force jumps at the touch and ends at d = 0, with its restitution as a text. */
enum { STIFFNESS, DAMPING };
static const ic_parameter parameters[] = {
    [STIFFNESS] = {"stiffness", "N/m", "of the spring", "2e5", "(0, inf)"},
    [DAMPING] = {"damping", "N s/m", "of the dashpot", "150", "[0, 300]"},
};
FORCE(d > 0 ? par[STIFFNESS] * d + par[DAMPING] * v : 0)
LAW("dem-dashpot", "F = k d + c d' for d > 0", "Cundall & Strack 1979", LOSES, IC_CONDITION_A,
    .restitution = "exp(-pi*damping/sqrt(4*stiffness - damping^2))")
#elif defined CORRECT_viscous_seat
/* A spring and dashpot so viscous that the body stops at once and creeps back. */
SPRING_AND_DASHPOT("100", "1e6")
FORCE(par[K] * d + par[C] * v)
LAW("kelvin-voigt", "F = k d + c d'", "Jonsson, Bathelt & Broman 2005", LOSES, IC_CONDITION_A)
#else
#error "no CORRECT_name is defined"
#endif
