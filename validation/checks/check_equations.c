/* SPDX-License-Identifier: MIT */
/**
 * The equations of each case against values that a second statement of them gave, at places where
 * every term counts (reference/equations). A case's text is the only source of its functions, of the
 * certifier's input, and of most closed forms: a wrong sign in the text affects all of them alike.
 */
#include "registry/registry.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"
#include "validation/table.h"

#include <math.h>
#include <stdio.h>
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

/*
 * Writes the values of all equations of the problem's variant, at time t and at x, in lines MODE;WHAT;VALUE;... The
 * state is used as it is, whether or not a mode can have it.
 */
static void write_equations(FILE *out, const ic_problem *problem, double t, const double *x)
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

/* ---- the record */

enum { MOST_SETTINGS = 64 };

/* A record that is being read, and the results for the current variant. */
typedef struct record {
    char *rest;
    const ic_case *system;
    const ic_selection *selection;
    ic_setup setup;
    bool open;
    ic_result row;
    size_t compared;
} record;

/* Cuts off the part of a text before a separator; NULL: nothing is left. */
static char *cut_part(char **rest, char separator)
{
    char *part = *rest;
    if (part == NULL) return NULL;
    char *end = strchr(part, separator);
    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL) *end = '\0';
    return part;
}

static char *next_field(char **line)
{
    return cut_part(line, ';');
}

/* ---- one line */

/* Relative error of a value; INFINITY: the record has a different line. */
static void note_difference(record *r, const char *mode, const char *what, const char *how, double error)
{
    if (r->row.detail[0] == '\0')
        snprintf(r->row.detail, sizeof r->row.detail, "mode %s, %s: %s", mode, what, how);
    r->row.error = fmax(r->row.error, error);
}

/* Compares the rest of two lines, whose numbers are at least as precise as the tolerance. */
static void compare_values(record *r, const char *mode, const char *what, char *expected, char *got)
{
    for (int k = 1;; k++) {
        const char *a_text = next_field(&expected), *b_text = next_field(&got);
        char how[96];
        if (a_text == NULL && b_text == NULL) return;
        if (a_text == NULL || b_text == NULL) {
            note_difference(r, mode, what, "a different number of values", INFINITY);
            return;
        }
        const double a = strtod(a_text, NULL), b = strtod(b_text, NULL);
        r->compared++;
        if (a == b || (isnan(a) && isnan(b))) continue;
        const double error = fabs(a - b) / fmax(fabs(a), fabs(b));
        snprintf(how, sizeof how, "value %d is %s, recorded %s", k, b_text, a_text);
        if (!(error <= r->row.tolerance)) note_difference(r, mode, what, how, isfinite(error) ? error : 1);
        else r->row.error = fmax(r->row.error, error);
    }
}

/* A line MODE;WHAT;VALUE;... of the equations; the record leaves out what finds no change of a text by itself. */
static void compare_line(record *r, char *got)
{
    const size_t length = strcspn(got, ";"), name = length + 1 + strcspn(got + length + 1, ";");
    if (r->rest == NULL || strncmp(r->rest, got, name) != 0 || strchr(";\n", r->rest[name]) == NULL) return;
    char *expected = cut_part(&r->rest, '\n');
    const char *mode = next_field(&expected), *what = next_field(&expected);
    compare_values(r, mode, what, expected, got[name] == '\0' ? NULL : got + name + 1);
}

/* ---- a record */

static void finish_variant(ic_results *results, record *r)
{
    if (!r->open) return;
    if (r->row.detail[0] == '\0') snprintf(r->row.detail, sizeof r->row.detail, "%zu values", r->compared);
    ic_results_compare(results, r->row);
    ic_setup_close(&r->setup);
    r->open = false;
}

/* variant;VARIANT;PRESET;SETTING;... */
static void begin_variant(ic_results *results, record *r, char *fields)
{
    const char *settings[MOST_SETTINGS], *variant = next_field(&fields), *preset = next_field(&fields);
    size_t n = 0;
    ic_error error;
    while (fields != NULL && n < MOST_SETTINGS) settings[n++] = next_field(&fields);
    for (size_t i = 0; i < r->system->n_presets; i++) {
        const ic_preset *known = &r->system->presets[i];
        if (strcmp(known->name, preset) == 0 && !ic_selects_preset(r->selection, r->system, known)) return;
    }
    const char *path = IC_PATH("%s/%s", r->system->name, preset);
    r->row = ic_row("equations", path, NULL, "1");
    snprintf(r->row.what, sizeof r->row.what, "equations of variant %s at recorded places", variant);
    ic_row_accept(&r->row, &ic_tolerance_equations);
    r->row.error = 0;
    r->row.detail[0] = '\0';
    r->compared = 0;
    r->open = ic_setup_open(
        &r->setup, &(ic_request){.path = path, .variant = variant, .settings = settings, .n_settings = n},
        &error);
    if (!r->open) ic_add_failure(results, "equations", path, r->row.what, error.text);
}

/* Reads a line at;T;STATE;... and the lines that follow, one for each equation. */
static void compare_place(record *r, char *fields)
{
    double t = NAN, x[IC_MAX_STATES] = {0};
    char *text = NULL;
    size_t size = 0, n = 0;
    const char *field = next_field(&fields);
    if (field != NULL) t = strtod(field, NULL);
    while ((field = next_field(&fields)) != NULL && n < IC_MAX_STATES) x[n++] = strtod(field, NULL);
    if (n != r->setup.problem.system->n_states) {
        note_difference(r, "any", "states", "a different number of states", INFINITY);
        return;
    }
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return;
    write_equations(out, &r->setup.problem, t, x);
    if (fclose(out) == 0) {
        char *got = text;
        while (got != NULL && *got != '\0') compare_line(r, cut_part(&got, '\n'));
    }
    free(text);
}

static void compare_case(ic_results *results, const ic_selection *selection, const ic_case *system,
                         const ic_embedded *file)
{
    char *text = strdup(file->text);
    record r = {.rest = text, .system = system, .selection = selection};
    if (text == NULL) {
        results->out_of_memory = true;
        return;
    }
    while (r.rest != NULL && *r.rest != '\0') {
        char *line = cut_part(&r.rest, '\n');
        const char *kind = next_field(&line);
        if (strcmp(kind, "variant") == 0) {
            finish_variant(results, &r);
            begin_variant(results, &r, line);
        } else if (strcmp(kind, "at") == 0 && r.open) {
            compare_place(&r, line);
        } else if (kind[0] != '#' && r.open) {
            note_difference(&r, kind, line == NULL ? "" : line, "is recorded, but the case does not have it",
                            INFINITY);
        }
    }
    finish_variant(results, &r);
    free(text);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    /* A file of the same name is another case, unless it replaces the built-in one. */
    for (size_t i = 0; ic_registry_is_built_in() && i < ic_case_count; i++) {
        char path[128];
        snprintf(path, sizeof path, "equations/%s.csv", ic_cases[i]->name);
        const ic_embedded *file = ic_embedded_find(path);
        if (file == NULL || !ic_selects_case(selection, ic_cases[i]) || !ic_results_part(results)) continue;
        compare_case(results, selection, ic_cases[i], file);
    }
}

const ic_check ic_check_equations = {"equations", "each case's equations agree with a second statement of them",
                                     .run = run_check, .cost = 5};
