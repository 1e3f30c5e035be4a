/* SPDX-License-Identifier: MIT */
#include "validation/claims_measure.h"
#include "core/registry.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the n-th argument of a measure must be. */
typedef enum argument_kind {
    NOTHING,
    PATH,
    OUTPUT,
    VARIABLE, /* output or state */
    MODE,
    EVENT,
    PARAMETER,
    EXPRESSION,
    ORDINAL, /* 1, 2, ... */
    TIME,
    SOLVER,
    LEAST_OR_GREATEST,
    SIDE,
    STEADY_FIELD,
} argument_kind;

/* Words that an argument may be, for kinds that are a choice. */
static const char *const words_of[][5] = {
    [LEAST_OR_GREATEST] = {"min", "max"},
    [SIDE] = {"before", "after"},
    [STEADY_FIELD] = {"multiple", "residual", "spectral_radius"},
};

/* A call that is being measured. */
typedef struct bench {
    ic_laboratory *laboratory;
    ic_subject *subject; /* of the first path */
    const ic_call *call;
    ic_error *error;
} bench;

typedef struct measure {
    const char *name;
    ic_measure_info info;
    argument_kind kinds[IC_MOST_ARGUMENTS];
    const char *unit; /* NULL: that of the output, variable or parameter named; if there is none, any */
    bool (*value)(double *value, const bench *b);
} measure;

static bool fails(const bench *b, const char *what, const char *name)
{
    ic_error_set(b->error, "%s: %s%s", b->subject->path, what, name);
    return false;
}

/* ---- names */

static size_t find_output(const ic_case *system, const char *name)
{
    size_t i = 0;
    while (i < system->n_outputs && strcmp(system->outputs[i].name, name) != 0) i++;
    return i;
}

static size_t find_state(const ic_case *system, const char *name)
{
    size_t i = 0;
    while (i < system->n_states && strcmp(system->states[i].name, name) != 0) i++;
    return i;
}

static size_t find_parameter(const ic_case *system, const char *name)
{
    size_t i = 0;
    while (i < system->n_parameters && strcmp(system->parameters[i].name, name) != 0) i++;
    return i;
}

/* Index of a mode of the variant, or -1. */
static int find_mode(const ic_variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (strcmp(variant->modes[i].name, name) == 0) return (int)i;
    }
    return -1;
}

static bool has_event(const ic_variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_modes; i++) {
        for (size_t k = 0; k < variant->modes[i].n_guards; k++) {
            if (strcmp(variant->modes[i].guards[k].name, name) == 0) return true;
        }
    }
    for (size_t i = 0; i < variant->n_time_events; i++) {
        if (strcmp(variant->time_events[i].name, name) == 0) return true;
    }
    return false;
}

/* ---- arguments of a call that was checked */

static int mode_argument(const bench *b, size_t i)
{
    return find_mode(b->subject->setup.problem.variant, b->call->arguments[i]);
}

static const ic_output *output_argument(const bench *b, size_t i)
{
    const ic_case *system = b->subject->setup.problem.system;
    return &system->outputs[find_output(system, b->call->arguments[i])];
}

static bool is_word(const bench *b, size_t i, const char *word)
{
    return strcmp(b->call->arguments[i], word) == 0;
}

static double variable_value(const bench *b, size_t i, double t, const double *x, int mode)
{
    const ic_case *system = b->subject->setup.problem.system;
    const size_t state = find_state(system, b->call->arguments[i]);
    return state < system->n_states ? x[state]
                                    : output_argument(b, i)->value(t, x, mode, b->subject->setup.par);
}

/* The greater, or for "min" the lesser, of two; NAN is none. */
static double better(const bench *b, size_t i, double so_far, double value)
{
    if (isnan(so_far)) return value;
    return is_word(b, i, "min") ? fmin(so_far, value) : fmax(so_far, value);
}

/* ---- measures of parameters */

static bool measure_parameter(double *value, const bench *b)
{
    const ic_setup *setup = &b->subject->setup;
    *value = setup->par[find_parameter(setup->problem.system, b->call->arguments[1])];
    return true;
}

static bool measure_formula(double *value, const bench *b)
{
    const ic_setup *setup = &b->subject->setup;
    const ic_names names = {.system = setup->problem.system, .par = setup->par};
    return ic_expression_number(value, b->call->arguments[1], &names, b->error);
}

/* ---- measures of the steady state */

static const ic_steady *found_steady(const bench *b)
{
    const ic_steady *steady = ic_subject_steady(b->subject, b->error);
    if (steady == NULL || steady->multiple > 0) return steady;
    fails(b, "no stable steady state was found", "");
    return NULL;
}

static bool measure_steady(double *value, const bench *b)
{
    const ic_steady *steady = ic_subject_steady(b->subject, b->error);
    if (steady == NULL) return false;
    if (is_word(b, 1, "multiple")) *value = steady->multiple;
    if (is_word(b, 1, "residual")) *value = steady->residual;
    if (is_word(b, 1, "spectral_radius")) *value = steady->spectral_radius;
    return true;
}

/* What is left of a small deviation after n periods is its largest multiplier to the power n/multiple. */
static bool measure_settling(double *value, const bench *b)
{
    static const double settled = 1e-9;
    const ic_steady *steady = found_steady(b);
    if (steady == NULL) return false;
    *value = steady->multiple * log(settled) / log(steady->spectral_radius);
    return true;
}

static bool measure_extreme(double *value, const bench *b)
{
    const ic_steady *steady = found_steady(b);
    const size_t output = find_output(b->subject->setup.problem.system, b->call->arguments[1]);
    if (steady == NULL) return false;
    if (output >= steady->n_outputs) return fails(b, "extremes are not kept of output ", b->call->arguments[1]);
    *value = is_word(b, 2, "min") ? steady->extremes[output].min : steady->extremes[output].max;
    return true;
}

/* Steady states keep books of their first eight modes. */
static bool is_counted(const bench *b)
{
    const size_t counted = IC_COUNT(b->subject->steady.fraction);
    return (size_t)mode_argument(b, 1) < counted ||
           fails(b, "no books are kept of mode ", b->call->arguments[1]);
}

static bool measure_fraction(double *value, const bench *b)
{
    const ic_steady *steady = found_steady(b);
    if (steady == NULL || !is_counted(b)) return false;
    *value = steady->fraction[mode_argument(b, 1)];
    return true;
}

static bool measure_events(double *value, const bench *b)
{
    const ic_steady *steady = found_steady(b);
    if (steady == NULL) return false;
    *value = (double)steady->events / steady->multiple;
    return true;
}

static bool measure_entries(double *value, const bench *b)
{
    const ic_steady *steady = found_steady(b);
    if (steady == NULL || !is_counted(b)) return false;
    *value = (double)steady->entries[mode_argument(b, 1)] / steady->multiple;
    return true;
}

/* Twice around the orbit, so that a stay over its seam is seen whole. */
static bool measure_longest(double *value, const bench *b)
{
    const ic_log *orbit = ic_subject_orbit(b->subject, b->error);
    if (orbit == NULL) return false;
    const int wanted = mode_argument(b, 1);
    const double length = b->subject->orbit_problem.t_end;
    const size_t n = ic_log_event_count(orbit);
    int mode = b->subject->orbit_problem.mode_start;
    double since = 0;
    bool stays = mode == wanted;
    *value = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        const ic_event event = ic_log_event_at(orbit, i < n ? i : i - n);
        const double t = event.t + (i < n ? 0 : length);
        if (event.mode_to == mode) continue;
        if (mode == wanted) *value = fmax(*value, t - since);
        mode = event.mode_to;
        since = t;
        stays = false;
    }
    if (stays) *value = length;
    return true;
}

static bool measure_at_entry(double *value, const bench *b)
{
    const ic_log *orbit = ic_subject_orbit(b->subject, b->error);
    if (orbit == NULL) return false;
    const int mode = mode_argument(b, 1);
    *value = NAN;
    for (size_t i = 0; i < ic_log_event_count(orbit); i++) {
        const ic_event event = ic_log_event_at(orbit, i);
        if (event.mode_to != mode || event.mode_from == mode) continue;
        const bool before = is_word(b, 3, "before");
        const double at = variable_value(b, 2, event.t, before ? event.x_pre : event.x_post,
                                         before ? event.mode_from : event.mode_to);
        *value = better(b, 4, *value, at);
    }
    return !isnan(*value) || fails(b, "the steady state never enters mode ", b->call->arguments[1]);
}

/* Trapezoids between samples and the one-sided limits at events. */
static bool measure_mean(double *value, const bench *b)
{
    const ic_log *orbit = ic_subject_orbit(b->subject, b->error);
    if (orbit == NULL) return false;
    const size_t n_events = ic_log_event_count(orbit);
    size_t next = 0;
    ic_sample at = ic_log_sample_at(orbit, 0);
    double integral = 0, t = at.t, height = variable_value(b, 1, t, at.x, at.mode);
    for (size_t i = 1; i < ic_log_sample_count(orbit); i++) {
        at = ic_log_sample_at(orbit, i);
        for (; next < n_events && ic_log_event_at(orbit, next).t <= at.t; next++) {
            const ic_event event = ic_log_event_at(orbit, next);
            const double end = variable_value(b, 1, event.t, event.x_pre, event.mode_from);
            integral += 0.5 * (height + end) * (event.t - t);
            t = event.t;
            height = variable_value(b, 1, t, event.x_post, event.mode_to);
        }
        const double end = variable_value(b, 1, at.t, at.x, at.mode);
        integral += 0.5 * (height + end) * (at.t - t);
        t = at.t;
        height = end;
    }
    *value = integral / b->subject->orbit_problem.t_end;
    return true;
}

/* ---- differences of two steady states */

/* An output over one orbit, IC_SAMPLES_PER_PERIOD values for each period of the forcing. */
typedef struct signal {
    double *value;
    size_t count;
    double least, greatest;
} signal;

static bool signal_take(signal *s, ic_subject *subject, const char *output, ic_error *error)
{
    const ic_log *orbit = ic_subject_orbit(subject, error);
    if (orbit == NULL) return false;
    const ic_case *system = subject->setup.problem.system;
    const size_t i_output = find_output(system, output);
    if (i_output == system->n_outputs) {
        ic_error_set(error, "case '%s' has no output '%s'", system->name, output);
        return false;
    }
    *s = (signal){.count = ic_log_sample_count(orbit) - 1, .least = INFINITY, .greatest = -INFINITY};
    s->value = malloc(s->count * sizeof *s->value);
    if (s->value == NULL) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        const ic_sample at = ic_log_sample_at(orbit, i);
        s->value[i] = system->outputs[i_output].value(at.t, at.x, at.mode, subject->setup.par);
        s->least = fmin(s->least, s->value[i]);
        s->greatest = fmax(s->greatest, s->value[i]);
    }
    return true;
}

/* Largest and mean difference of a and b moved by `shift` samples, over their common multiple. */
static void compare_shifted(const signal *a, const signal *b, size_t shift, double *largest, double *mean)
{
    const size_t n = a->count * (b->count / IC_SAMPLES_PER_PERIOD);
    *largest = *mean = 0;
    for (size_t i = 0; i < n; i++) {
        const double difference = fabs(a->value[i % a->count] - b->value[(i + shift) % b->count]);
        *largest = fmax(*largest, difference);
        *mean += difference / (double)n;
    }
}

/* Steady states of several periods may be passed through with a shift of whole periods: the best fit counts. */
static bool compare_orbits(const bench *b, double *largest, double *mean)
{
    signal one = {0}, two = {0};
    ic_subject *other = ic_laboratory_subject(b->laboratory, b->call->arguments[1], b->error);
    bool good = other != NULL && signal_take(&one, b->subject, b->call->arguments[2], b->error);
    good = good && signal_take(&two, other, b->call->arguments[2], b->error);
    if (good) {
        const double range = fmax(one.greatest, two.greatest) - fmin(one.least, two.least);
        *largest = *mean = INFINITY;
        for (size_t shift = 0; shift < two.count; shift += IC_SAMPLES_PER_PERIOD) {
            double shifted_largest, shifted_mean;
            compare_shifted(&one, &two, shift, &shifted_largest, &shifted_mean);
            *largest = fmin(*largest, shifted_largest / range);
            *mean = fmin(*mean, shifted_mean / range);
        }
    }
    free(one.value);
    free(two.value);
    return good;
}

static bool measure_difference(double *value, const bench *b)
{
    double mean;
    return compare_orbits(b, value, &mean);
}

static bool measure_mean_difference(double *value, const bench *b)
{
    double largest;
    return compare_orbits(b, &largest, value);
}

/* ---- measures of the run from the start */

/* The n-th event of a name. false with an error where there are fewer. */
static bool nth_event(ic_event *event, const bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    long left = strtol(b->call->arguments[2], NULL, 10);
    for (size_t i = 0; i < ic_log_event_count(run); i++) {
        *event = ic_log_event_at(run, i);
        if (strcmp(event->name, b->call->arguments[1]) == 0 && --left == 0) return true;
    }
    return fails(b, "there are fewer events named ", b->call->arguments[1]);
}

static bool measure_event_time(double *value, const bench *b)
{
    ic_event event;
    if (!nth_event(&event, b)) return false;
    *value = event.t;
    return true;
}

static bool measure_entry_time(double *value, const bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    long left = strtol(b->call->arguments[2], NULL, 10);
    for (size_t i = 0; i < ic_log_event_count(run); i++) {
        const ic_event event = ic_log_event_at(run, i);
        *value = event.t;
        if (event.mode_to == mode_argument(b, 1) && event.mode_from != event.mode_to && --left == 0)
            return true;
    }
    return fails(b, "the run has fewer entries into mode ", b->call->arguments[1]);
}

static bool measure_event_count(double *value, const bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    *value = 0;
    for (size_t i = 0; i < ic_log_event_count(run); i++) *value += is_word(b, 1, ic_log_event_at(run, i).name);
    return true;
}

static bool measure_at_event(double *value, const bench *b)
{
    ic_event event;
    if (!nth_event(&event, b)) return false;
    const bool before = is_word(b, 4, "before");
    *value = variable_value(b, 3, event.t, before ? event.x_pre : event.x_post,
                            before ? event.mode_from : event.mode_to);
    return true;
}

static bool measure_mode_after(double *value, const bench *b)
{
    ic_event event;
    if (!nth_event(&event, b)) return false;
    *value = event.mode_to == mode_argument(b, 3);
    return true;
}

static bool measure_mode_at_start(double *value, const bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    *value = ic_log_sample_at(run, 0).mode == mode_argument(b, 1);
    return true;
}

static bool measure_mode_at_end(double *value, const bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    *value = ic_log_end(run).mode == mode_argument(b, 1);
    return true;
}

static bool measure_during(double *value, const bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    *value = NAN;
    for (size_t i = 0; i < ic_log_sample_count(run); i++) {
        const ic_sample at = ic_log_sample_at(run, i);
        if (at.mode == mode_argument(b, 1))
            *value = better(b, 3, *value, variable_value(b, 2, at.t, at.x, at.mode));
    }
    return !isnan(*value) || fails(b, "the run has no sample in mode ", b->call->arguments[1]);
}

static bool run_otherwise(ic_log **log, const bench *b, const ic_problem *problem, const ic_solver *solver,
                          const ic_options *options)
{
    *log = ic_log_new(problem);
    if (*log == NULL) return fails(b, "memory ran out", "");
    const ic_status status = solver->solve(*log, problem, options);
    if (status == IC_OK) return true;
    fails(b, ic_status_text(status), "");
    ic_log_free(*log);
    return false;
}

static bool measure_value_at(double *value, const bench *b)
{
    ic_problem problem = b->subject->setup.problem;
    ic_log *log = NULL;
    if (!ic_expression_number(&problem.t_end, b->call->arguments[2], NULL, b->error)) return false;
    problem.t_end_text = NULL;
    if (!run_otherwise(&log, b, &problem, b->subject->solver, &b->subject->options)) return false;
    const ic_sample end = ic_log_end(log);
    *value = variable_value(b, 1, end.t, end.x, end.mode);
    ic_log_free(log);
    return true;
}

/* Another solver as it comes, with its default accuracy. */
static bool measure_solver_difference(double *value, const bench *b)
{
    const ic_log *run = ic_subject_run(b->subject, b->error);
    if (run == NULL) return false;
    const ic_problem *problem = &b->subject->setup.problem;
    ic_options options = ic_options_resolved(problem, &(ic_options){0});
    ic_log *other = NULL;
    options.samples = ic_log_sample_count(run);
    if (!run_otherwise(&other, b, problem, ic_solver_find(b->call->arguments[1]), &options)) return false;
    double largest = 0, least = INFINITY, greatest = -INFINITY;
    for (size_t i = 0; i < options.samples; i++) {
        const ic_sample at = ic_log_sample_at(run, i), at_other = ic_log_sample_at(other, i);
        const double mine = variable_value(b, 2, at.t, at.x, at.mode);
        const double theirs = variable_value(b, 2, at_other.t, at_other.x, at_other.mode);
        largest = fmax(largest, fabs(mine - theirs));
        least = fmin(least, mine);
        greatest = fmax(greatest, mine);
    }
    ic_log_free(other);
    *value = largest / (greatest - least);
    return true;
}

/* ---- the measures */

static const measure measures[] = {
    {"parameter",
     {"parameter(PATH; PARAMETER)", "value of a parameter"},
     {PATH, PARAMETER},
     NULL,
     measure_parameter},
    {"formula",
     {"formula(PATH; EXPRESSION)", "value of an expression in the parameters"},
     {PATH, EXPRESSION},
     NULL,
     measure_formula},
    {"steady",
     {"steady(PATH; multiple|residual|spectral_radius)",
      "of the steady state: its period over the forcing's (0: none found), what a period changes, largest "
      "multiplier"},
     {PATH, STEADY_FIELD},
     "1",
     measure_steady},
    {"settling",
     {"settling(PATH)",
      "periods of the forcing until a small deviation from the steady state is 1e-9 of itself"},
     {PATH},
     "1",
     measure_settling},
    {"extreme",
     {"extreme(PATH; OUTPUT; min|max)",
      "least or greatest value in the steady state, limits at events included"},
     {PATH, OUTPUT, LEAST_OR_GREATEST},
     NULL,
     measure_extreme},
    {"mean", {"mean(PATH; OUTPUT)", "mean over the steady state"}, {PATH, VARIABLE}, NULL, measure_mean},
    {"fraction",
     {"fraction(PATH; MODE)", "part of the steady state that is spent in a mode"},
     {PATH, MODE},
     "1",
     measure_fraction},
    {"longest",
     {"longest(PATH; MODE)", "longest uninterrupted stay in a mode in the steady state"},
     {PATH, MODE},
     "s",
     measure_longest},
    {"events",
     {"events(PATH)", "events for each period of the forcing in the steady state"},
     {PATH},
     "1",
     measure_events},
    {"entries",
     {"entries(PATH; MODE)", "entries into a mode for each period of the forcing in the steady state"},
     {PATH, MODE},
     "1",
     measure_entries},
    {"at_entry",
     {"at_entry(PATH; MODE; VARIABLE; before|after; min|max)",
      "least or greatest value just before or after the steady state enters a mode"},
     {PATH, MODE, VARIABLE, SIDE, LEAST_OR_GREATEST},
     NULL,
     measure_at_entry},
    {"difference",
     {"difference(PATH; PATH; OUTPUT)", "largest difference of two steady states over their common range"},
     {PATH, PATH, OUTPUT},
     "1",
     measure_difference},
    {"mean_difference",
     {"mean_difference(PATH; PATH; OUTPUT)",
      "mean difference of two steady states over their common range: the area between the curves"},
     {PATH, PATH, OUTPUT},
     "1",
     measure_mean_difference},
    {"event_time",
     {"event_time(PATH; EVENT; N)", "time of the n-th event of a name"},
     {PATH, EVENT, ORDINAL},
     "s",
     measure_event_time},
    {"entry_time",
     {"entry_time(PATH; MODE; N)", "time when the run enters a mode for the n-th time"},
     {PATH, MODE, ORDINAL},
     "s",
     measure_entry_time},
    {"event_count",
     {"event_count(PATH; EVENT)", "number of events of a name until the preset's end"},
     {PATH, EVENT},
     "1",
     measure_event_count},
    {"at_event",
     {"at_event(PATH; EVENT; N; VARIABLE; before|after)",
      "value just before or after the n-th event of a name"},
     {PATH, EVENT, ORDINAL, VARIABLE, SIDE},
     NULL,
     measure_at_event},
    {"mode_after",
     {"mode_after(PATH; EVENT; N; MODE)", "1 if the n-th event of a name leads to a mode, else 0"},
     {PATH, EVENT, ORDINAL, MODE},
     "1",
     measure_mode_after},
    {"mode_at_start",
     {"mode_at_start(PATH; MODE)", "1 if the run starts in a mode, else 0"},
     {PATH, MODE},
     "1",
     measure_mode_at_start},
    {"mode_at_end",
     {"mode_at_end(PATH; MODE)", "1 if the run ends in a mode, else 0"},
     {PATH, MODE},
     "1",
     measure_mode_at_end},
    {"during",
     {"during(PATH; MODE; VARIABLE; min|max)", "least or greatest sampled value while the run is in a mode"},
     {PATH, MODE, VARIABLE, LEAST_OR_GREATEST},
     NULL,
     measure_during},
    {"value_at",
     {"value_at(PATH; VARIABLE; TIME)", "value at a time of the run"},
     {PATH, VARIABLE, TIME},
     NULL,
     measure_value_at},
    {"solver_difference",
     {"solver_difference(PATH; SOLVER; VARIABLE)",
      "largest sampled difference of a solver's run over the variable's range"},
     {PATH, SOLVER, VARIABLE},
     "1",
     measure_solver_difference},
};

size_t ic_measure_count(void)
{
    return IC_COUNT(measures);
}

ic_measure_info ic_measure_describe(size_t i)
{
    return measures[i].info;
}

/* ---- checking arguments: all names must exist before anything is run */

static bool unknown(ic_error *error, const char *owner, const char *kind, const char *name)
{
    ic_error_set(error, "'%s' has no %s '%s'", owner, kind, name);
    return false;
}

static bool check_word(argument_kind kind, const char *text, ic_error *error)
{
    for (size_t i = 0; words_of[kind][i] != NULL; i++) {
        if (strcmp(words_of[kind][i], text) == 0) return true;
    }
    ic_error_set(error, "'%s' or '%s' expected, or the like, not '%s'", words_of[kind][0], words_of[kind][1],
                 text);
    return false;
}

static bool check_ordinal(const char *text, ic_error *error)
{
    char *end = NULL;
    if (strtol(text, &end, 10) > 0 && *end == '\0') return true;
    ic_error_set(error, "a number 1, 2, ... expected, not '%s'", text);
    return false;
}

static bool check_time(const char *text, ic_error *error)
{
    double t = NAN;
    if (!ic_expression_number(&t, text, NULL, error)) return false;
    if (t > 0) return true;
    ic_error_set(error, "a time after the start expected, not '%s'", text);
    return false;
}

static bool check_expression(const char *text, const ic_setup *setup, ic_error *error)
{
    const ic_names names = {.system = setup->problem.system, .par = setup->par};
    double value = NAN;
    return ic_expression_number(&value, text, &names, error);
}

static bool check_path(const char *text, ic_error *error)
{
    ic_setup setup;
    if (!ic_path_open(&setup, text, error)) return false;
    ic_setup_close(&setup);
    return true;
}

/* A name that belongs to the case or variant of the first path. */
static bool check_name(argument_kind kind, const char *text, const ic_problem *problem, ic_error *error)
{
    const ic_case *system = problem->system;
    const bool is_output = find_output(system, text) < system->n_outputs;
    switch (kind) {
    case OUTPUT: return is_output || unknown(error, system->name, "output", text);
    case VARIABLE:
        return is_output || find_state(system, text) < system->n_states ||
               unknown(error, system->name, "output or state", text);
    case PARAMETER:
        return find_parameter(system, text) < system->n_parameters ||
               unknown(error, system->name, "parameter", text);
    case MODE:
        return find_mode(problem->variant, text) >= 0 || unknown(error, problem->variant->name, "mode", text);
    default: return has_event(problem->variant, text) || unknown(error, problem->variant->name, "event", text);
    }
}

static bool check_argument(argument_kind kind, const char *text, const ic_setup *setup, ic_error *error)
{
    switch (kind) {
    case NOTHING: return true;
    case PATH: return check_path(text, error);
    case EXPRESSION: return check_expression(text, setup, error);
    case ORDINAL: return check_ordinal(text, error);
    case TIME: return check_time(text, error);
    case SOLVER: return ic_solver_find(text) != NULL || unknown(error, "impactcheck", "solver", text);
    case LEAST_OR_GREATEST:
    case SIDE:
    case STEADY_FIELD: return check_word(kind, text, error);
    default: return check_name(kind, text, &setup->problem, error);
    }
}

/* ---- parsing */

typedef struct parser {
    const char *text, *at;
    size_t offsets[IC_MOST_ARGUMENTS]; /* of the arguments of the call last read */
    size_t wrong;                      /* where an error is */
    ic_error *error;
} parser;

static size_t here(const parser *p)
{
    return (size_t)(p->at - p->text);
}

static void skip_blanks(parser *p)
{
    while (*p->at == ' ') p->at++;
}

static bool wrong_here(parser *p, const char *expected)
{
    p->wrong = here(p);
    ic_error_set(p->error, "%s expected", expected);
    return false;
}

static bool read_measure(parser *p, size_t *index)
{
    size_t length = 0;
    skip_blanks(p);
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_') length++;
    for (*index = 0; *index < IC_COUNT(measures); ++*index) {
        const char *name = measures[*index].name;
        if (strlen(name) == length && memcmp(name, p->at, length) == 0) break;
    }
    if (*index == IC_COUNT(measures)) {
        p->wrong = here(p);
        ic_error_set(p->error, "unknown measure '%.*s'", (int)length, p->at);
        return false;
    }
    p->at += length;
    skip_blanks(p);
    if (*p->at != '(') return wrong_here(p, "'('");
    p->at++;
    return true;
}

/* Text up to ';' or the parenthesis that closes the call, without blanks at its ends. */
static bool read_argument(parser *p, char *argument, size_t *offset)
{
    int depth = 0;
    skip_blanks(p);
    *offset = here(p);
    const char *start = p->at;
    for (; *p->at != '\0' && !(depth == 0 && (*p->at == ';' || *p->at == ')')); p->at++) {
        depth += (*p->at == '(') - (*p->at == ')');
    }
    if (*p->at == '\0') return wrong_here(p, "';' or ')'");
    size_t length = (size_t)(p->at - start);
    while (length > 0 && start[length - 1] == ' ') length--;
    if (length == 0) return wrong_here(p, "an argument");
    if (length >= IC_LONGEST_PATH) return wrong_here(p, "a shorter argument");
    memcpy(argument, start, length);
    argument[length] = '\0';
    return true;
}

static size_t arguments_of(const measure *m)
{
    size_t n = 0;
    while (n < IC_MOST_ARGUMENTS && m->kinds[n] != NOTHING) n++;
    return n;
}

static bool read_arguments(parser *p, ic_call *call)
{
    const size_t expected = arguments_of(&measures[call->measure]);
    for (size_t i = 0; i < expected; i++) {
        if (!read_argument(p, call->arguments[i], &p->offsets[i])) return false;
        if (*p->at != (i + 1 < expected ? ';' : ')')) break;
        p->at++;
        if (i + 1 == expected) return true;
    }
    p->wrong = here(p);
    ic_error_set(p->error, "%zu arguments expected: %s", expected, measures[call->measure].info.call);
    return false;
}

static bool check_arguments(parser *p, const ic_call *call)
{
    ic_setup setup;
    size_t i = 0;
    p->wrong = p->offsets[0];
    if (!ic_path_open(&setup, call->arguments[0], p->error)) return false;
    while (i < IC_MOST_ARGUMENTS &&
           check_argument(measures[call->measure].kinds[i], call->arguments[i], &setup, p->error)) {
        i++;
    }
    ic_setup_close(&setup);
    if (i < IC_MOST_ARGUMENTS) p->wrong = p->offsets[i];
    return i == IC_MOST_ARGUMENTS;
}

static const char *unit_of(const ic_call *call)
{
    const measure *m = &measures[call->measure];
    ic_setup setup;
    const char *unit = m->unit;
    if (unit != NULL || !ic_path_open(&setup, call->arguments[0], NULL)) return unit;
    const ic_case *system = setup.problem.system;
    for (size_t i = 0; i < IC_MOST_ARGUMENTS; i++) {
        const char *name = call->arguments[i];
        const size_t output = find_output(system, name), state = find_state(system, name);
        if (m->kinds[i] == PARAMETER) unit = system->parameters[find_parameter(system, name)].unit;
        if (m->kinds[i] != OUTPUT && m->kinds[i] != VARIABLE) continue;
        unit = state < system->n_states ? system->states[state].unit : system->outputs[output].unit;
    }
    ic_setup_close(&setup);
    return unit;
}

static bool read_call(parser *p, ic_call *call)
{
    *call = (ic_call){0};
    return read_measure(p, &call->measure) && read_arguments(p, call) && check_arguments(p, call);
}

static bool units_agree(const ic_quantity *quantity, const char *unit)
{
    return quantity->unit == NULL || unit == NULL || strcmp(quantity->unit, unit) == 0;
}

static bool read_quantity(parser *p, ic_quantity *quantity)
{
    if (!read_call(p, &quantity->first)) return false;
    quantity->unit = unit_of(&quantity->first);
    skip_blanks(p);
    if (*p->at == '\0') return true;
    if (*p->at != '-' && *p->at != '/') return wrong_here(p, "'-', '/' or the end");
    quantity->operation = *p->at++;
    const size_t second = here(p);
    if (!read_call(p, &quantity->second)) return false;
    if (!units_agree(quantity, unit_of(&quantity->second))) {
        p->wrong = second;
        ic_error_set(p->error, "the two quantities have different units");
        return false;
    }
    if (quantity->operation == '/') quantity->unit = "1";
    skip_blanks(p);
    return *p->at == '\0' || wrong_here(p, "the end");
}

bool ic_quantity_parse(ic_quantity *quantity, const char *text, size_t *offset, ic_error *error)
{
    parser p = {.text = text, .at = text, .error = error};
    *quantity = (ic_quantity){0};
    const bool good = read_quantity(&p, quantity);
    *offset = p.wrong;
    return good;
}

/* ---- measuring */

static bool measure_call(double *value, const ic_call *call, ic_laboratory *laboratory, ic_error *error)
{
    bench b = {.laboratory = laboratory, .call = call, .error = error};
    b.subject = ic_laboratory_subject(laboratory, call->arguments[0], error);
    return b.subject != NULL && measures[call->measure].value(value, &b);
}

bool ic_quantity_locate(ic_measured *measured, const ic_quantity *quantity, ic_laboratory *laboratory,
                        ic_error *error)
{
    const ic_subject *subject = ic_laboratory_subject(laboratory, quantity->first.arguments[0], error);
    if (subject == NULL) return false;
    *measured = (ic_measured){NAN, subject->solver->name, subject->setup.problem.system, subject->setup.preset};
    return true;
}

bool ic_quantity_measure(ic_measured *measured, const ic_quantity *quantity, ic_laboratory *laboratory,
                         ic_error *error)
{
    double second = NAN;
    if (!ic_quantity_locate(measured, quantity, laboratory, error)) return false;
    if (!measure_call(&measured->value, &quantity->first, laboratory, error)) return false;
    if (quantity->operation == '\0') return true;
    if (!measure_call(&second, &quantity->second, laboratory, error)) return false;
    measured->value = quantity->operation == '/' ? measured->value / second : measured->value - second;
    return true;
}
