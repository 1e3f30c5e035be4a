/* SPDX-License-Identifier: MIT */
#include "cli/plot.h"

#include "core/names.h"
#include "reports/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 8 };

/* A state or an output; time, if its name is NULL. */
typedef struct quantity {
    const char *name, *unit;

    /* of the states, which the outputs follow */
    size_t number;
} quantity;

struct cli_plot {
    quantity over, shown[MOST_SHOWN];
    size_t n;
};

static bool find_quantity(quantity *q, const ic_case *system, const char *name, size_t length, ic_error *error)
{
    char wrong[64];
    snprintf(wrong, sizeof wrong, "%.*s", (int)length, name);
    ic_nearest nearest = {.wrong = wrong};
    for (size_t i = 0; i < system->n_states + system->n_outputs; i++) {
        const bool is_state = i < system->n_states;
        const ic_state *state = &system->states[is_state ? i : 0];
        const ic_output *output = is_state ? NULL : &system->outputs[i - system->n_states];
        *q = (quantity){is_state ? state->name : output->name, is_state ? state->unit : output->unit, i};
        if (strcmp(q->name, wrong) == 0) return true;
        ic_nearest_offer(&nearest, q->name);
    }
    ic_error_set(error, "option --show: '%s' is no state or output of case '%s'%s", wrong, system->name,
                 ic_nearest_hint(&nearest).text);
    return false;
}

/* The quantities of a list, which have one unit. */
static bool read_list(cli_plot *plot, const char *list, const ic_case *system, ic_error *error)
{
    for (const char *at = list; plot->n < MOST_SHOWN; at++) {
        quantity *q = &plot->shown[plot->n++];
        const size_t length = strcspn(at, ",");
        if (!find_quantity(q, system, at, length, error)) return false;
        if (strcmp(q->unit, plot->shown[0].unit) != 0) {
            ic_error_set(error, "option --show: %s is in %s, %s in %s: a figure has one unit",
                         plot->shown[0].name, plot->shown[0].unit, q->name, q->unit);
            return false;
        }
        at += length;
        if (*at == '\0') return true;
    }
    ic_error_set(error, "option --show: more than %d names", MOST_SHOWN);
    return false;
}

cli_plot *cli_plot_read(const char *show, const ic_case *system, ic_error *error)
{
    cli_plot *plot = calloc(1, sizeof *plot);
    if (plot == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    const char *list = show != NULL ? show : system->states[0].name, *colon = strchr(list, ':');
    if ((colon == NULL || find_quantity(&plot->over, system, list, (size_t)(colon - list), error)) &&
        read_list(plot, colon != NULL ? colon + 1 : list, system, error))
        return plot;
    free(plot);
    return NULL;
}

/* ---- the figure */

typedef struct drawing {
    const ic_problem *problem;
    const cli_plot *plot;
    ic_plot figure;
} drawing;

static double value_of(const quantity *q, const ic_problem *problem, double t, int mode, const double *x)
{
    const size_t n = problem->system->n_states;
    if (q->name == NULL) return t;
    return q->number < n ? x[q->number]
                         : problem->system->outputs[q->number - n].value(t, x, mode, problem->par);
}

static void take_row(void *self, double t, int mode, const double *x)
{
    drawing *d = self;
    const double over = value_of(&d->plot->over, d->problem, t, mode, x);
    for (size_t i = 0; i < d->plot->n; i++)
        ic_plot_point(&d->figure, &d->figure.series[i], over,
                      value_of(&d->plot->shown[i], d->problem, t, mode, x));
}

/* "t / s", "x2, x3 / m" */
static void name_axis(char *label, size_t size, const quantity *q, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(label + used, size - used, "%s%s", i > 0 ? ", " : "",
                                 q[i].name != NULL ? q[i].name : "t");
    if (used < size) snprintf(label + used, size - used, " / %s", q->name != NULL ? q->unit : "s");
}

bool cli_plot_write(FILE *stream, const cli_plot *plot, const cli_result *result)
{
    char title[512], x_label[96], y_label[96];
    const ic_problem *problem = ic_log_problem(result->log);
    drawing d = {.problem = problem, .plot = plot};
    name_axis(x_label, sizeof x_label, &plot->over, 1);
    name_axis(y_label, sizeof y_label, plot->shown, plot->n);
    snprintf(title, sizeof title, "%.200s: %.80s over %.80s", problem->system->title, y_label, x_label);
    d.figure = (ic_plot){.title = title, .alone = true};
    d.figure.x = (ic_plot_axis){.label = x_label, .from = NAN, .to = NAN};
    d.figure.y = (ic_plot_axis){.label = y_label, .from = NAN, .to = NAN};
    for (size_t i = 0; i < plot->n; i++)
        ic_plot_add(&d.figure, plot->n > 1 ? plot->shown[i].name : "", IC_PLOT_LINE, (int)i);
    cli_result_rows(result, take_row, &d);
    const bool good = !d.figure.out_of_memory;
    if (good) ic_plot_write(&d.figure, stream);
    ic_plot_free(&d.figure);
    return good;
}
