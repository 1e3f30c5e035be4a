/* SPDX-License-Identifier: MIT */
#include "reference/beam_case.h"
#include "reference/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Indices of the parameters of the case and of its laws. */
static const struct {
    const char *name;
    ic_beam_parameter which;
} names[] = {{"l", IC_BEAM_L},
             {"rho", IC_BEAM_RHO},
             {"EI", IC_BEAM_EI},
             {"a", IC_BEAM_A},
             {"I_R_ratio", IC_BEAM_I_R_RATIO},
             {"x_p", IC_BEAM_X_P},
             {"theta_s", IC_BEAM_THETA_S},
             {"g", IC_BEAM_G},
             {"torque", IC_BEAM_TORQUE},
             {"pulse", IC_BEAM_PULSE},
             {"K", IC_BEAM_K},
             {"n", IC_BEAM_EXPONENT},
             {"eps", IC_BEAM_EPS},
             {"Q", IC_BEAM_Q},
             {"e", IC_BEAM_RESTITUTION}};

static const struct {
    const char *law, *damping;
    ic_beam_contact contact;
} laws[] = {{"lee-wang-1", "C_1", IC_BEAM_LEE_WANG_1},
            {"lee-wang-2", "C_2", IC_BEAM_LEE_WANG_2},
            {"hertz", NULL, IC_BEAM_POWER}};

bool ic_beam_is(const ic_case *system)
{
    return strcmp(system->name, "rotating-beam") == 0;
}

size_t ic_beam_state_of(slong i)
{
    enum { DRIVE_STATES = 1 }; /* theta, omega, T, q1, p1, ... */
    return (size_t)(i < IC_BEAM_PAIRS ? i : i + DRIVE_STATES);
}

/* Index of a parameter; parameters of a law follow the case's own, have the same symbols and take
   precedence. -1: not found. */
static slong parameter_index(const ic_problem *problem, const char *name)
{
    for (size_t i = problem->system->n_parameters; name != NULL && i-- > 0;) {
        if (strcmp(problem->system->parameters[i].name, name) == 0) return (slong)i;
    }
    return -1;
}

static double parameter_value(const ic_problem *problem, const char *name)
{
    const slong i = parameter_index(problem, name);
    return i < 0 ? 0 : problem->par[i];
}

static const char *damping_of(const ic_law *law)
{
    for (size_t i = 0; law != NULL && i < IC_COUNT(laws); i++) {
        if (strcmp(laws[i].law, law->name) == 0) return laws[i].damping;
    }
    return NULL;
}

static bool set_contact(ic_beam_problem *beam, const ic_law *law, char *message, size_t size)
{
    beam->contact = IC_BEAM_RIGID;
    if (law == NULL) return true;
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        beam->contact = laws[i].contact;
        if (strcmp(laws[i].law, law->name) == 0) return true;
    }
    snprintf(message, size, "the law %.40s: series exist for lee-wang-1, lee-wang-2 and hertz only", law->name);
    return false;
}

bool ic_beam_problem_of(ic_beam_problem *beam, const ic_problem *problem, char *message, size_t size)
{
    *beam = (ic_beam_problem){.modes = 0};
    if (!ic_beam_is(problem->system) || problem->x_start != NULL) {
        snprintf(message, size, "%s",
                 problem->x_start != NULL ? "it starts from a given state"
                                          : "it is not a problem of the case rotating-beam");
        return false;
    }
    beam->modes = (long)parameter_value(problem, "N");
    beam->consistent = parameter_value(problem, "consistent") > 0;
    for (size_t i = 0; i < IC_COUNT(names); i++)
        beam->number[names[i].which] = parameter_value(problem, names[i].name);
    beam->number[IC_BEAM_DAMPING] = parameter_value(problem, damping_of(problem->variant->law));
    beam->number[IC_BEAM_T_END] = problem->t_end;
    return set_contact(beam, problem->variant->law, message, size);
}

/* The same numbers as balls. */
static bool enclose_parameters(arb_ptr exact, const ic_problem *problem, arb_ptr par, slong prec, char *message,
                               size_t size)
{
    const ic_ball_names parameters = {.system = problem->system, .par = par};
    if (!ic_ball_parameters(par, problem, prec, message, size)) return false;
    for (size_t i = 0; i < IC_COUNT(names); i++) {
        const slong at = parameter_index(problem, names[i].name);
        if (at >= 0) arb_set(exact + names[i].which, par + at);
    }
    const slong damping = parameter_index(problem, damping_of(problem->variant->law));
    if (damping >= 0) arb_set(exact + IC_BEAM_DAMPING, par + damping);
    arb_set_d(exact + IC_BEAM_T_END, problem->t_end);
    return problem->t_end_text == NULL ||
           ic_ball_number(exact + IC_BEAM_T_END, problem->t_end_text, &parameters, prec, message, size);
}

static void set_message(ic_beam_answer *answer, ic_status status, const char *message)
{
    *answer = (ic_beam_answer){.status = status, .mode = ""};
    arb_init(answer->t);
    snprintf(answer->message, sizeof answer->message, "%s", message);
}

void ic_beam_reference_of(ic_beam_answer *answer, const ic_problem *problem, long digits)
{
    /* more bits than any run uses: runs round parameters themselves */
    enum { BITS_PER_DIGIT = 8, MORE_BITS = 256 };
    const slong prec = BITS_PER_DIGIT * digits + MORE_BITS, n = (slong)problem->system->n_parameters;
    ic_beam_problem beam;
    char message[sizeof answer->message];
    arb_ptr exact = _arb_vec_init(IC_BEAM_NUMBERS), par = _arb_vec_init(n);
    if (!ic_beam_problem_of(&beam, problem, message, sizeof message)) {
        set_message(answer, IC_UNSUPPORTED, message);
    } else if (!enclose_parameters(exact, problem, par, prec, message, sizeof message)) {
        set_message(answer, IC_INVALID, message);
    } else {
        beam.exact = exact;
        ic_beam_reference(answer, &beam, digits);
    }
    _arb_vec_clear(exact, IC_BEAM_NUMBERS);
    _arb_vec_clear(par, n);
}
