/* SPDX-License-Identifier: MIT */
/**
 * The equations of each case against values that a second statement of them gave, at places where
 * every term counts (reference/equations). A case's text is the only source of its functions, of the
 * certifier's input, and of most closed forms: a wrong sign in the text affects all of them alike.
 */
#include "registry/registry.h"
#include "validation/checks/equations.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"
#include "validation/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void compare_line(record *r, char *expected, char *got)
{
    const char *mode = next_field(&expected), *what = next_field(&expected);
    const char *mode_got = next_field(&got), *what_got = next_field(&got);
    if (what == NULL || what_got == NULL || strcmp(mode, mode_got) != 0 || strcmp(what, what_got) != 0) {
        char how[96];
        snprintf(how, sizeof how, "in its place is mode %s, %s", mode_got,
                 what_got == NULL ? "nothing" : what_got);
        note_difference(r, mode, what == NULL ? "nothing" : what, how, INFINITY);
        return;
    }
    compare_values(r, mode, what, expected, got);
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
    char path[IC_LONGEST_PATH];
    size_t n = 0;
    ic_error error;
    while (fields != NULL && n < MOST_SETTINGS) settings[n++] = next_field(&fields);
    for (size_t i = 0; i < r->system->n_presets; i++) {
        const ic_preset *known = &r->system->presets[i];
        if (strcmp(known->name, preset) == 0 && !ic_selects_preset(r->selection, r->system, known)) return;
    }
    snprintf(path, sizeof path, "%s/%s", r->system->name, preset);
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
    ic_equations_evaluate(out, &r->setup.problem, t, x);
    if (fclose(out) == 0) {
        char *got = text;
        while (got != NULL && *got != '\0') {
            char *line = cut_part(&got, '\n'), *expected = cut_part(&r->rest, '\n');
            if (expected == NULL) {
                note_difference(r, "any", "record", "the record ends early", INFINITY);
                break;
            }
            compare_line(r, expected, line);
        }
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
                                     run_check, 5};
