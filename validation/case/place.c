/* SPDX-License-Identifier: MIT */
#include "validation/case/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Number of states in a message; more would not fit into a row. */
enum { STATES_SHOWN = 4 };

void ic_place_write(char *text, size_t size, const ic_judge *judge, const ic_place *place)
{
    text[0] = '\0';
    ic_text_append(text, size, "variant %s", judge->problem->variant->name);
    if (place->mode != NULL) ic_text_append(text, size, ", mode %s", place->mode->name);
    if (place->guard != NULL) ic_text_append(text, size, ", guard '%s'", place->guard->name);
    if (place->of != NULL) ic_text_append(text, size, ", %s", place->of);
}

static void write_point(char *text, size_t size, const ic_judge *judge, const ic_point *at)
{
    const ic_case *system = judge->problem->system;
    if (judge->preset != NULL) ic_text_append(text, size, " (preset %s", judge->preset->name);
    if (at != NULL) {
        ic_text_append(text, size, "%st = %.6g", judge->preset != NULL ? ", " : " (", at->t);
        for (size_t i = 0; i < system->n_states && i < STATES_SHOWN; i++)
            ic_text_append(text, size, ", %s = %.6g", system->states[i].name, at->x[i]);
        if (system->n_states > STATES_SHOWN) ic_text_append(text, size, ", ...");
    }
    if (judge->preset != NULL || at != NULL) ic_text_append(text, size, ")");
}

bool ic_contradicts(ic_judge *judge, const ic_place *place, const ic_point *at, const char *what,
                    const char *format, ...)
{
    ic_result *row = judge->row;
    char where[160] = "";
    va_list arguments;
    if (place != NULL) ic_place_write(where, sizeof where, judge, place);
    snprintf(row->what, sizeof row->what, "%s%s%s", where, where[0] != '\0' ? ": " : "", what);
    va_start(arguments, format);
    vsnprintf(row->detail, sizeof row->detail, format, arguments);
    va_end(arguments);
    write_point(row->detail, sizeof row->detail, judge, at);
    row->verdict = IC_FAIL;
    return false;
}

bool ic_judge_equal(ic_judge *judge, const ic_place *place, const ic_point *at, const char *what,
                    const char *name_a, double a, const char *name_b, double b, double tolerance)
{
    judge->comparisons++;
    if (fabs(a - b) <= tolerance) return true;
    judge->row->error = fabs(a - b);
    judge->row->tolerance = tolerance;
    return ic_contradicts(judge, place, at, what, "%s %.9g, %s %.9g", name_a, a, name_b, b);
}

void ic_remark(char *list, size_t size, const char *text)
{
    if (strstr(list, text) != NULL) return;
    ic_text_append(list, size, "%s%s", list[0] != '\0' ? "; " : "", text);
}

void ic_meet(ic_met *met, const void *what)
{
    size_t i = 0;
    while (i < met->count && met->what[i] != what) i++;
    if (i == met->count && met->count < met->of) met->what[met->count++] = what;
}

/* Errors of setting up a problem are only texts. */
bool ic_memory_ran_out(const ic_error *error)
{
    return strcmp(error->text, ic_status_text(IC_NO_MEMORY)) == 0;
}
