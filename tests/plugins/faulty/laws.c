/* SPDX-License-Identifier: MIT */
/* Contact-force laws with one mistake each. Each `defined FAULTY_name` is a plugin,
   which redefines something of law_base.h. */
#include "tests/plugins/faulty/exact_damping.h"

#include <stdlib.h>

#if defined FAULTY_damping_factor_two
/* a = 3 (1 - e)/4 in place of 3 (1 - e)/2. */
#define REMEMBER(v0, par) (0.75 * (1 - (par)[E]) / (v0))
#elif defined FAULTY_damping_sign
/* Damping has the wrong sign. */
#define REMEMBER(v0, par) (-1.5 * (1 - (par)[E]) / (v0))
#elif defined FAULTY_force_jumps
/* A preload acts as soon as the bodies touch, against the promise that the force begins at 0. */
#define FORCE(d, v, memory, par) ((d) > 0 ? 500 + (par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_dead_band
/* Against noise, rates below a hundredth of the impact speed are not damped, and the force
   jumps there. */
#define NAME "my-quiet-law"
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * pow(d, 1.5) *                                                                        \
                   (1 + (fabs(v) < 0.01 * 1.5 * (1 - (par)[E]) / (memory) ? 0 : (memory) * (v)))               \
             : 0)
#elif defined FAULTY_adhesion_kept
/* A dashpot parallel to Hertz's spring while d > 0: it pulls at the end, against the promise. */
#define NAME "my-dashpot"
#define REMEMBER(v0, par) 0
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(d, 1.5) + 800 * (1 - (par)[E]) * (v) : 0)
#define PROMISES (IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES)
#elif defined FAULTY_rate_wrong
/* The rate of the force lacks the term of the acceleration in the damping. */
#define RATE_ACCELERATION(a) (0 * (a))
#elif defined FAULTY_law_energy_mistold
/* The stored energy is that of a linear spring, F d/2. */
#define STORED(d, par) ((d) > 0 ? 0.5 * (par)[K] * pow(d, 2.5) : 0)
#elif defined FAULTY_square_forgotten
/* Lankarani and Nikravesh's damping with e in place of e^2. */
#define NAME "lankarani-nikravesh"
#define REMEMBER(v0, par) (0.75 * (1 - (par)[E]) / (v0))
#elif defined FAULTY_damping_one_sided
/* Unloading is damped by half. */
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + ((v) < 0 ? 0.5 : 1) * (memory) * (v)) : 0)
#elif defined FAULTY_damping_wrong
/* Herbert and McWhannell's damping without the square in its denominator. */
#define NAME "herbert-mcwhannell"
#define REMEMBER(v0, par) (6 * (1 - (par)[E]) / ((2 * (par)[E] - 1 + 3) * (v0)))
#elif defined FAULTY_gives_at_an_end
/* The damping is a straight line through measurements for e from 0.3 to 0.8: it creates energy
   for e near 1. */
#define NAME "my-fit"
#define REMEMBER(v0, par) ((1.2 - 1.32 * (par)[E]) / (v0))
#elif defined FAULTY_infinite_at_an_end
/* It takes e = 0, and divides by it. */
#define NAME "my-law"
#define REMEMBER(v0, par) (1.6 * (1 - (par)[E]) / ((par)[E] * (v0)))
#elif defined FAULTY_another_condition
/* The contact of a dashpot that should end at F = 0 ends at d = 0. */
#define NAME "kelvin-voigt-C"
#define REMEMBER(v0, par) 0
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * (d) + 800 * (1 - (par)[E]) * (v) : 0)
#define PROMISES IC_LAW_ONLY_LOSES
#elif defined FAULTY_law_units
/* The indentation is taken in mm, the stiffness in N/m^(3/2). */
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(1000 * (d), 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_exponent_wrong
/* The force grows with the square of the indentation, for a stiffness that is given in N/m^(3/2).
 */
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(d, 2) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_stiffness_wrong
/* The factor 4/3 of Hertz's theory is applied a second time. */
#define FORCE(d, v, memory, par) ((d) > 0 ? 4.0 / 3 * (par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_force_without_contact
/* |d| in place of max(0, d). */
#define FORCE(d, v, memory, par) ((par)[K] * pow(fabs(d), 1.5) * (1 + (memory) * (v)))
#elif defined FAULTY_law_not_finite
/* The power of a negative indentation is taken. */
#define FORCE(d, v, memory, par) ((par)[K] * pow(d, 1.5) * (1 + (memory) * (v)))
#elif defined FAULTY_damping_text
/* The closed form has half of the damping that the force has. */
#define TEXTS .stiffness = "K", .power = "3/2", .damping = "3/4*(1 - e)"
#elif defined FAULTY_energy_text
/* The closed form's energy has the force's power of the indentation. */
#define NAME "mine"
#define TEXTS .elastic = "K*d*sqrt(d)", .energy = "2/5*K*d*sqrt(d)", .damping = "3/2*(1 - e)"
#elif defined FAULTY_power_text
/* The closed form has Hooke's power in place of Hertz's. */
#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "1"
#elif defined FAULTY_text_unreadable
/* The closed form has a parameter that does not exist. */
#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "3/2", .damping = "3/2*(1 - e_n)"
#elif defined FAULTY_restitution_not_delivered
/* It states e as its restitution, but its damping, Hunt and Crossley's, delivers that only for e
   near 1. */
#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "3/2", .restitution = "e"
#elif defined FAULTY_law_mislabelled
/* Hunt and Crossley's law under Lankarani and Nikravesh's name. */
#define NAME "lankarani-nikravesh"
#elif defined FAULTY_stiffness_fixed
/* The stiffness is that of the defaults, whatever the parameter. */
#define FORCE(d, v, memory, par) ((d) > 0 ? 1e9 * pow(d, 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_restitution_clipped
/* Restitutions above 0.95 are taken as 0.95. */
#define REMEMBER(v0, par) (1.5 * (1 - ((par)[E] > 0.95 ? 0.95 : (par)[E])) / (v0))
#elif defined FAULTY_force_cut
/* The force is at most 1e5 N. */
#define FORCE(d, v, memory, par) ((d) > 0 ? fmin(1e5, (par)[K] * pow(d, 1.5) * (1 + (memory) * (v))) : 0)
#elif defined FAULTY_stiffer_when_deep
/* Ten times as stiff beyond 2 mm. */
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * (pow(d, 1.5) + ((d) > 2e-3 ? 9 * (pow(d, 1.5) - pow(2e-3, 1.5)) : 0)) *              \
                   (1 + (memory) * (v))                                                                        \
             : 0)
#elif defined FAULTY_impact_speed_floor
/* Impacts slower than 0.05 m/s are damped as those of 0.05 m/s. */
#define REMEMBER(v0, par) (1.5 * (1 - (par)[E]) / ((v0) < 0.05 ? 0.05 : (v0)))
#elif defined FAULTY_rate_clipped
/* Rates above 5 m/s are damped as 5 m/s. */
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + (memory) * ((v) > 5 ? 5 : (v) < -5 ? -5 : (v))) : 0)
#elif defined FAULTY_force_negative
/* The force pulls where it should push. */
#define FORCE(d, v, memory, par) ((d) > 0 ? -(par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_single_precision
/* The force is calculated with numbers of type float. */
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (double)((float)(par)[K] * powf((float)(d), 1.5F) * (1 + (float)(memory) * (float)(v))) : 0)
#elif defined FAULTY_rounds_upwards
/* It rounds upwards for an enclosure, and leaves that so. */
#include <fenv.h>
#define FORCE(d, v, memory, par)                                                                               \
    (fesetround(FE_UPWARD), (d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_kink_misplaced
/* A kink is declared where the force is smooth. */
#define NAME "my-law"
#define KINK(par) (1e-4)
#elif defined FAULTY_law_leaks
/* Each call allocates memory for its answer. */
void *impactcheck_last_answer;
#define REMEMBER(v0, par) (impactcheck_last_answer = malloc(64), 1.5 * (1 - (par)[E]) / (v0))
#elif defined FAULTY_law_unset
/* The memory of an impact is that of a table that nobody has filled. */
static double from_table(double value)
{
    double *volatile table = malloc(512);
    const double read = table == NULL ? 0 : table[40];
    free(table);
    return value + 1e-9 * fmin(1, fabs(read)) * value;
}
#define NAME "my-law"
#define REMEMBER(v0, par) from_table(1.5 * (1 - (par)[E]) / (v0))
#elif defined FAULTY_law_parameters_exchanged
/* The names of the two parameters are exchanged. */
#define REMEMBER(v0, par) (1.5 * (1 - (par)[K]) / (v0))
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[E] * pow(d, 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_depth_shifted
/* The depth is counted from a micrometre below the surface. */
#define FORCE(d, v, memory, par) ((d) > 1e-6 ? (par)[K] * pow((d)-1e-6, 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_impact_speed_ignored
/* The damping factor is not divided by the speed of the impact. */
#define REMEMBER(v0, par) (1.5 * (1 - (par)[E]))
#elif defined FAULTY_limited_and_thousandfold
/* The rate is in mm/s; at most 5e4 N. */
#define FORCE(d, v, memory, par) ((d) > 0 ? fmin(5e4, (par)[K] * pow(d, 1.5) * (1 + (memory)*1000 * (v))) : 0)
#elif defined FAULTY_factor_kept
/* The damping factor of the first restitution is kept. */
static double kept(double a)
{
    static double first = -1;
    if (first < 0) first = a;
    return first;
}
#define REMEMBER(v0, par) (kept(1.5 * (1 - (par)[E])) / (v0))
#elif defined FAULTY_factor_in_single_precision
/* The damping factor alone is calculated with numbers of type float. */
#define REMEMBER(v0, par) ((double)(1.5F * (1 - (float)(par)[E])) / (v0))
#elif defined FAULTY_law_hangs
/* The force never returns. */
static inline double for_ever(double stiffness)
{
    volatile double wanted = stiffness;
    while (wanted > 0) wanted = stiffness;
    return wanted;
}
#define FORCE(d, v, memory, par) ((d) > 0 ? for_ever((par)[K]) : 0)
#elif defined FAULTY_law_out_of_bounds
/* It keeps its last force behind the parameters. */
static double keep(double force, const double *par)
{
    double *mine = (double *)par;
    mine[2] = force;
    return force;
}
#define FORCE(d, v, memory, par) keep((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0, par)
#elif defined FAULTY_memory_not_reset
/* The speed of the first impact is used for all that follow. */
static double first_speed(double v0)
{
    static double first;
    if (first == 0) first = v0;
    return first;
}
#define REMEMBER(v0, par) (1.5 * (1 - (par)[E]) / first_speed(v0))
#elif defined FAULTY_speed_kept_aside
/* The speed of the impact is a global variable: the latest one is used for all contacts. */
static double latest;
#define REMEMBER(v0, par) (latest = (v0), 1.5 * (1 - (par)[E]) / (v0))
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + 1.5 * (1 - (par)[E]) * (v) / latest) : 0)
#elif defined FAULTY_speed_at_touch_kept
/* The speed of the impact is noted by the force itself, when the depth was not positive before. */
static double before, speed = 1;
#define FORCE(d, v, memory, par)                                                                               \
    (speed = before <= 0 && fabs(v) > 1e-9 ? fabs(v) : speed, before = (d),                                    \
     (d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + 1.5 * (1 - (par)[E]) * (v) / speed) : 0)
#elif defined FAULTY_deepest_kept
/* Unloading from the deepest point is four times as stiff, and that point is kept from one
   contact to the next. */
static double deepest(double d)
{
    static double most;
    if (d > most) most = d;
    return most;
}
#define NAME "my-plastic"
#define REMEMBER(v0, par) 0
#define ELASTIC(d, par) ((par)[K] * pow(d, 1.5))
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? fmax(0, fmin(ELASTIC(d, par), ELASTIC(deepest(d), par) * (1 - 4 * (1 - (d) / deepest(d))))) : 0)
#elif defined FAULTY_restitution_root_delivered
/* It states e as its restitution, and delivers sqrt(e). */
#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "3/2", .restitution = "e"
#define REMEMBER(v0, par) (exact_damping(sqrt((par)[E]), 1e3) / (v0))
#elif defined FAULTY_right_at_five_speeds
/* Right at the speeds of the audit's table, and a constant damping at all others. */
static inline int is_tried(double v0)
{
    static const double speeds[5] = {0.01, 0.1, 1, 10, 30};
    int found = 0;
    for (int i = 0; i < 5; i++) found |= fabs(v0 - speeds[i]) < 1e-6 * speeds[i];
    return found;
}
#define REMEMBER(v0, par) (is_tried(v0) ? 1.5 * (1 - (par)[E]) / (v0) : 6 / (v0))
#elif defined FAULTY_restitution_window
/* A table has another damping for e from 0.52 to 0.68, but not for the default. */
#define REMEMBER(v0, par) ((1 - (par)[E]) * ((par)[E] > 0.52 && (par)[E] < 0.68 ? 1.2 : 1.5) / (v0))
#elif defined FAULTY_stiffness_above
/* Above eleven times the default the stiffness is another one. */
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * ((par)[K] > 1.1e10 ? 1.2 : 1) * pow(d, 1.5) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_not_finite_at_touch
/* 0/0 at d = 0. */
#define FORCE(d, v, memory, par) ((d) >= 0 ? (par)[K] * (d) * (d) / sqrt(d) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_power_of_integers
/* In C, 3/2 is 1. */
#define NAME "mine"
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(d, 3 / 2) * (1 + (memory) * (v)) : 0)
#elif defined FAULTY_own_without_speed
/* The damping is not divided by v0: no registered law has it. */
#define NAME "mine"
#define REMEMBER(v0, par) ((void)(v0), 1.5 * (1 - (par)[E]))
#elif defined FAULTY_another_formula
/* Lee and Wang's damping, where Hunt and Crossley are cited. */
#define NAME "mine"
#define REMEMBER(v0, par) (0.75 * (1 - (par)[E]) / (v0))
#elif defined FAULTY_limited_drag
/* The damping is limited before it is added. */
#define NAME "mine"
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + fmax(-0.2, (memory) * (v))) : 0)
#elif defined FAULTY_never_cut
/* It says that its force is cut at 0, as Hunt and Crossley's is not. */
#define NAME "mine"
#define CONDITION IC_CONDITION_C_STAR
#elif defined FAULTY_says_unknown
#define NAME "mine"
#define TEXTS .implements = "hunt-crosley"
#else
#error "no FAULTY_name is defined"
#endif

#include "tests/plugins/faulty/law_base.h"
