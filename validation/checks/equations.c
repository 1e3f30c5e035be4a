/* SPDX-License-Identifier: MIT */
#include "validation/checks/equations.h"
#include "core/random.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values */

static void write_values(FILE *out, const char *mode, const char *what, const double *value, size_t n)
{
    fprintf(out, "%s;%s", mode, what);
    for (size_t i = 0; i < n; i++) fprintf(out, ";%.12g", value[i]);
    fprintf(out, "\n");
}

/* Number of the mode after the jump, and the state. */
static void write_jump(FILE *out, const char *mode, const char *what, const ic_jump *jump, int from, double t,
                       const double *x, const ic_problem *problem)
{
    double value[1 + IC_MAX_STATES];
    if (jump->apply == NULL) return;
    for (size_t i = 0; i < problem->system->n_states; i++) value[1 + i] = x == NULL ? 0 : x[i];
    const int to = jump->branches[jump->apply(value + 1, t, x, problem->par)].mode;
    value[0] = to == IC_SAME_MODE ? from : to;
    write_values(out, mode, what, value, 1 + problem->system->n_states);
}

static void write_guard(FILE *out, int mode, const ic_guard *guard, double t, const double *x,
                        const ic_problem *problem)
{
    const double *par = problem->par;
    const char *name = problem->variant->modes[mode].name;
    char what[128];
    const double value[] = {guard->direction, guard->value(t, x, par), guard->rate(t, x, par),
                            guard->enabled == NULL || guard->enabled(t, x, par) > 0};
    snprintf(what, sizeof what, "guard %s", guard->name);
    write_values(out, name, what, value, IC_COUNT(value));
    if (!(value[3] > 0)) return;
    snprintf(what, sizeof what, "jump at %s", guard->name);
    write_jump(out, name, what, &guard->jump, mode, t, x, problem);
    snprintf(what, sizeof what, "accumulation of %s", guard->name);
    write_jump(out, name, what, &guard->accumulation, mode, t, x, problem);
}

static void write_mode(FILE *out, const ic_mode *mode, int number, double t, const double *x,
                       const ic_problem *problem)
{
    const ic_case *system = problem->system;
    const double *par = problem->par;
    double value[IC_MAX_STATES];
    if (mode->flow != NULL) {
        mode->flow(value, t, x, par);
        write_values(out, mode->name, "flow", value, system->n_states);
    }
    for (size_t i = 0; i < mode->n_invariants; i++) {
        char what[128];
        snprintf(what, sizeof what, "keeps %s", mode->invariants[i].name);
        value[0] = mode->invariants[i].value(t, x, par);
        write_values(out, mode->name, what, value, 1);
    }
    if (mode->stored_energy != NULL) {
        value[0] = mode->stored_energy(t, x, par);
        value[1] = mode->supplied_power(t, x, par);
        value[2] = mode->dissipated_power(t, x, par);
        write_values(out, mode->name, "energy", value, 3);
    }
    for (size_t i = 0; i < mode->n_guards; i++) write_guard(out, number, &mode->guards[i], t, x, problem);
    for (size_t i = 0; i < system->n_outputs; i++) {
        char what[128];
        snprintf(what, sizeof what, "output %s", system->outputs[i].name);
        value[0] = system->outputs[i].value(t, x, number, par);
        write_values(out, mode->name, what, value, 1);
    }
}

static void write_time_event(FILE *out, const ic_time_event *event, const double *x, const ic_problem *problem)
{
    const double when[] = {event->when(0, problem->par), event->when(1, problem->par)};
    char what[128];
    write_values(out, "time", event->name, when, IC_COUNT(when));
    snprintf(what, sizeof what, "jump at %s", event->name);
    write_jump(out, "time", what, &event->jump, IC_SAME_MODE, when[0], x, problem);
}

static bool leads_to(const ic_jump *jump, int mode)
{
    for (size_t i = 0; i < jump->n_branches; i++) {
        if (jump->branches[i].mode == mode) return true;
    }
    return false;
}

/* Whether a jump of the variant enters a mode: a variant may leave out some of the case's. */
static bool is_entered(const ic_variant *variant, int mode)
{
    bool entered = leads_to(&variant->start, mode);
    for (size_t m = 0; m < variant->n_modes && !entered; m++) {
        for (size_t g = 0; g < variant->modes[m].n_guards && !entered; g++) {
            const ic_guard *guard = &variant->modes[m].guards[g];
            entered = leads_to(&guard->jump, mode) || leads_to(&guard->accumulation, mode);
        }
    }
    for (size_t i = 0; i < variant->n_time_events && !entered; i++)
        entered = leads_to(&variant->time_events[i].jump, mode);
    return entered;
}

void ic_equations_evaluate(FILE *out, const ic_problem *problem, double t, const double *x)
{
    const ic_variant *variant = problem->variant;
    write_jump(out, "start", "state", &variant->start, 0, t, NULL, problem);
    for (size_t m = 0; m < variant->n_modes; m++) {
        if (is_entered(variant, (int)m)) write_mode(out, &variant->modes[m], (int)m, t, x, problem);
    }
    for (size_t i = 0; i < variant->n_time_events; i++)
        write_time_event(out, &variant->time_events[i], x, problem);
    if (problem->system->impact != NULL) {
        ic_impact impact;
        problem->system->impact(&impact, problem->par);
        const double value[] = {impact.v[0], impact.v[1], impact.w_xx, impact.w_xy, impact.w_yy,
                                impact.mu,   impact.e,    impact.k_x,  impact.k_y};
        write_values(out, "impact", "numbers", value, IC_COUNT(value));
    }
}

/* ---- places */

enum { MOST_TRIES = 64, LONGEST_SETTING = 96, MOST_SETTINGS = 64, LONGEST_KEY = 256 };

/* Factor by which a parameter is moved at first; less if requirements do not permit it. */
#define MOVED 0.2

/*
 * Random number in [a, b) that depends on the name, so that the order in which parameters and
 * states are listed does not matter.
 */
static double random_of(const char *name, unsigned number, double a, double b)
{
    uint64_t seed = 14695981039346656037u + number;
    for (; *name != '\0'; name++) seed = (seed ^ (unsigned char)*name) * 1099511628211u;
    ic_uniform(&seed, 0, 1);
    return ic_uniform(&seed, a, b);
}

static bool is_switch(const ic_parameter *p)
{
    return p->range != NULL && p->range[0] == '{';
}

/* Switches and numbers of bodies or modes are not moved. */
static bool is_fixed(const ic_parameter *p, double value)
{
    return is_switch(p) || (strcmp(p->unit, "1") == 0 && value == floor(value) && value >= 2);
}

static size_t choose_settings(char (*text)[LONGEST_SETTING], const ic_setup *setup, double moved,
                              unsigned number)
{
    const ic_case *system = setup->problem.system;
    size_t n = 0;
    for (size_t i = 0; i < system->n_parameters && n < MOST_SETTINGS; i++) {
        const ic_parameter *p = &system->parameters[i];
        const double value = setup->par[i], u = moved * random_of(p->name, number, -1, 1);
        if (is_fixed(p, value)) continue;
        snprintf(text[n++], LONGEST_SETTING, "%s=%.6g", p->name,
                 value == 0 ? 0.1 * (moved + u) : value * (1 + u));
    }
    return n;
}

/* Opens a preset with other parameters, all of them moved as far as requirements let them. */
static bool open_moved(ic_setup *setup, char (*text)[LONGEST_SETTING], size_t *n_text,
                       const ic_request *request, ic_error *error)
{
    const char *settings[MOST_SETTINGS];
    ic_setup plain;
    if (!ic_setup_open(&plain, request, error)) return false;
    bool opened = false;
    double moved = MOVED;
    for (unsigned k = 0; k < MOST_TRIES && !opened; k++) {
        *n_text = choose_settings(text, &plain, moved, k);
        for (size_t i = 0; i < *n_text; i++) settings[i] = text[i];
        ic_request other = *request;
        other.settings = settings;
        other.n_settings = *n_text;
        opened = ic_setup_open(setup, &other, error);
        if (k % 8 == 7) moved /= 2;
    }
    ic_setup_close(&plain);
    return opened;
}

static double read_rounded(const char *format, double value)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    return strtod(text, NULL);
}

/*
 * Examines a case with switches among its states at states that it reaches. At other states they
 * contradict the rest of the state.
 */
static bool has_switches(const ic_case *system)
{
    for (size_t i = 0; i < system->n_states; i++) {
        if (strcmp(system->states[i].unit, "1") == 0) return true;
    }
    return false;
}

/* Distance from those states, in scales. */
#define NEARBY 1e-3

static void write_place(FILE *out, const ic_problem *problem, const ic_log *run, unsigned number,
                        unsigned places)
{
    const ic_case *system = problem->system;
    double scale[IC_MAX_STATES], x[IC_MAX_STATES];
    ic_state_scales(problem, scale);
    double t = ic_time_scale(problem) * random_of("t", number, 0.1, 0.9);
    for (size_t i = 0; i < system->n_states; i++)
        x[i] = scale[i] * random_of(system->states[i].name, number, -1.5, 1.5);
    if (run != NULL) {
        /* The steps of a controller may be short; each of them begins with an event. */
        const bool by_event = number % 2 == 1 && ic_log_event_count(run) > 0;
        const size_t count = by_event ? ic_log_event_count(run) : ic_log_sample_count(run);
        const size_t index = (2 * (size_t)number + 1) * count / (2 * (size_t)places);
        const double *at = by_event ? ic_log_event_at(run, index).x_post : ic_log_sample_at(run, index).x;
        t = by_event ? ic_log_event_at(run, index).t : ic_log_sample_at(run, index).t;
        for (size_t i = 0; i < system->n_states; i++) {
            const bool moved = strcmp(system->states[i].unit, "1") != 0;
            x[i] = at[i] + moved * NEARBY * x[i];
        }
    }
    t = read_rounded("%.6g", t);
    fprintf(out, "at;%.6g", t);
    for (size_t i = 0; i < system->n_states; i++) {
        x[i] = read_rounded("%.6g", x[i]);
        fprintf(out, ";%.6g", x[i]);
    }
    fprintf(out, "\n");
    ic_equations_evaluate(out, problem, t, x);
}

/* ---- records */

static bool write_block(FILE *out, const ic_request *request, unsigned places, ic_error *error)
{
    char text[MOST_SETTINGS][LONGEST_SETTING];
    size_t n_text;
    ic_setup setup;
    if (!open_moved(&setup, text, &n_text, request, error)) return false;
    fprintf(out, "variant;%s;%s", request->variant, setup.preset->name);
    for (size_t i = 0; i < n_text; i++) fprintf(out, ";%s", text[i]);
    fprintf(out, "\n");
    ic_status status;
    ic_log *run = has_switches(setup.problem.system)
                      ? ic_solve(ic_accurate_solver(setup.problem.variant), &setup.problem,
                                 &(ic_options){.samples = (size_t)4 * places}, &status)
                      : NULL;
    for (unsigned k = 0; k < places; k++) write_place(out, &setup.problem, run, k, places);
    ic_log_free(run);
    ic_setup_close(&setup);
    return true;
}

/* The switches: "consistent=1 ". */
static void write_key(char *key, const ic_setup *setup)
{
    size_t length = 0;
    key[0] = '\0';
    for (size_t i = 0; i < setup->problem.system->n_parameters && length < LONGEST_KEY; i++) {
        const ic_parameter *p = &setup->problem.system->parameters[i];
        if (is_switch(p))
            length += (size_t)snprintf(key + length, LONGEST_KEY - length, "%s=%g ", p->name, setup->par[i]);
    }
}

enum { MOST_BLOCKS = 8 };

/*
 * A block for each choice of switches among the presets of the variant; the first preset if it has
 * none.
 */
static bool write_variant(FILE *out, const ic_case *system, const ic_variant *variant, unsigned places,
                          ic_error *error)
{
    char key[MOST_BLOCKS][LONGEST_KEY], path[128];
    size_t n_keys = 0;
    for (size_t i = 0; i <= system->n_presets && n_keys < MOST_BLOCKS; i++) {
        const bool last = i == system->n_presets;
        ic_setup setup;
        if (last ? n_keys > 0 : strcmp(system->presets[i].variant, variant->name) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", system->name, system->presets[last ? 0 : i].name);
        const ic_request request = {.path = path, .variant = variant->name};
        if (!ic_setup_open(&setup, &request, error)) return false;
        write_key(key[n_keys], &setup);
        ic_setup_close(&setup);
        bool known = false;
        for (size_t k = 0; k < n_keys && !known; k++) known = strcmp(key[k], key[n_keys]) == 0;
        if (known) continue;
        n_keys++;
        if (!write_block(out, &request, places, error)) return false;
    }
    return true;
}

/*
 * Whether to skip a variant: of those that differ only in their law, one with and one without a
 * memory are recorded.
 */
static bool is_repeated(const ic_case *system, size_t number)
{
    const ic_variant *variant = &system->variants[number];
    if (variant->law == NULL) return false;
    for (size_t i = 0; i < number; i++) {
        const ic_law *law = system->variants[i].law;
        if (law != NULL && law->condition == variant->law->condition &&
            (law->remember == NULL) == (variant->law->remember == NULL) &&
            (law->kink == NULL) == (variant->law->kink == NULL) &&
            system->variants[i].n_modes == variant->n_modes)
            return true;
    }
    return false;
}

bool ic_equations_write(FILE *out, const ic_case *system, unsigned places, ic_error *error)
{
    fprintf(
        out,
        "# Values of the equations of '%s' at some places, from their second statement, which reference/equations/README\n"
        "# names. Lines of fields: variant;VARIANT;PRESET;SETTING;..., at;T;STATE;..., and what holds there,\n"
        "# MODE;WHAT;VALUE;... For a guard: direction, value, rate, enabled; for a jump: the mode after it, the state.\n",
        system->name);
    for (size_t i = 0; i < system->n_variants; i++) {
        if (!is_repeated(system, i) && !write_variant(out, system, &system->variants[i], places, error))
            return false;
    }
    return true;
}
