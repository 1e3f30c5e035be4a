/* SPDX-License-Identifier: MIT */
#include "cli/plot.h"

#include "core/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 8 };

/* A state or an output; time, if its name is NULL. */
typedef struct quantity {
    const char *name, *unit;

    /* of the states, which the outputs follow */
    size_t number;

    bool is_output;
} quantity;

struct cli_plot {
    quantity over, shown[MOST_SHOWN];
    size_t n;

    ic_plot figure;

    /* labels of its series, which it borrows */
    char labels[IC_PLOT_SERIES][96];

    char title[512], x_label[96], y_label[96];
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
        *q = (quantity){is_state ? state->name : output->name, is_state ? state->unit : output->unit, i,
                        !is_state};
        if (strcmp(q->name, wrong) == 0) return true;
        ic_nearest_offer(&nearest, q->name);
    }
    ic_error_set(error, "option --show: '%s' is no state or output of case '%s'%s", wrong, system->name,
                 ic_nearest_hint(&nearest).text);
    return false;
}

typedef struct list_reader {
    cli_plot *plot;
    const ic_case *system;
} list_reader;

/* The quantities of a list have one unit. */
static bool take_quantity(void *self, const char *name, ic_error *error)
{
    const list_reader *r = self;
    quantity *q = &r->plot->shown[r->plot->n++];
    if (!find_quantity(q, r->system, name, strlen(name), error)) return false;
    if (strcmp(q->unit, r->plot->shown[0].unit) == 0) return true;
    ic_error_set(error, "option --show: %s is in %s, %s in %s: a figure has one unit", r->plot->shown[0].name,
                 r->plot->shown[0].unit, q->name, q->unit);
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
        cli_shown_names(colon != NULL ? colon + 1 : list, MOST_SHOWN, "figure", take_quantity,
                        &(list_reader){plot, system}, error))
        return plot;
    cli_plot_free(plot);
    return NULL;
}

void cli_plot_free(cli_plot *plot)
{
    if (plot != NULL) ic_plot_free(&plot->figure);
    free(plot);
}

bool cli_plot_open(cli_plot **plot, cli_figure *figure, const cli_arguments *arguments, const size_t options[3],
                   const ic_case *system)
{
    const size_t file = options[0], show = options[1], json = options[2];
    ic_error error;
    if (!cli_has(arguments, file))
        return !cli_has(arguments, show) ||
               cli_refuse(arguments->command, "option --show requires --plot FILE, which it is for");
    *plot = cli_plot_read(cli_value(arguments, show), system, &error);
    if (*plot == NULL) return cli_refuse(arguments->command, "%s", error.text);
    return cli_figure_open(figure, arguments, file, json);
}

bool cli_plot_has_states_alone(const cli_plot *plot)
{
    bool alone = !plot->over.is_output;
    for (size_t i = 0; i < plot->n; i++) alone = alone && !plot->shown[i].is_output;
    return alone;
}

/* ---- the figure */

/* Rows on their way to series of the figure, from number `first` on. */
typedef struct drawing {
    const ic_problem *problem;
    cli_plot *plot;
    size_t first;
} drawing;

static double value_of(const quantity *q, const ic_problem *problem, double t, int mode, const double *x)
{
    const size_t n = problem->system->n_states;
    if (q->name == NULL) return t;
    return q->is_output ? problem->system->outputs[q->number - n].value(t, x, mode, problem->par)
                        : x[q->number];
}

static void take_row(void *self, double t, int mode, const double *x)
{
    drawing *d = self;
    cli_plot *plot = d->plot;
    const double over = value_of(&plot->over, d->problem, t, mode, x);
    for (size_t i = 0; i < plot->n && d->first + i < plot->figure.n_series; i++)
        ic_plot_point(&plot->figure, &plot->figure.series[d->first + i], over,
                      value_of(&plot->shown[i], d->problem, t, mode, x));
}

/* A further series; NULL: there are too many. */
static ic_plot_series *add_series(cli_plot *plot, ic_plot_style style, const char *name, const char *whose)
{
    const size_t i = plot->figure.n_series;
    if (i == IC_PLOT_SERIES) return NULL;
    snprintf(plot->labels[i], sizeof plot->labels[i], "%.64s%s%.24s", name,
             name[0] != '\0' && whose[0] != '\0' ? ", " : "", whose);
    return ic_plot_add(&plot->figure, plot->labels[i], style, (int)i);
}

static drawing begin_rows(cli_plot *plot, const ic_problem *problem, ic_plot_style style, const char *whose)
{
    const drawing d = {problem, plot, plot->figure.n_series};
    for (size_t i = 0; i < plot->n; i++) add_series(plot, style, plot->n > 1 ? plot->shown[i].name : "", whose);
    return d;
}

void cli_plot_draw(cli_plot *plot, const cli_result *result, const char *whose)
{
    drawing d = begin_rows(plot, ic_log_problem(result->log), IC_PLOT_LINE, whose);
    cli_result_rows(result, take_row, &d);
}

void cli_plot_dots(cli_plot *plot, const ic_problem *problem, size_t n, const double *t, const double *x,
                   const char *whose)
{
    static const char *const wide[] = {"wide s0", "wide s1", "wide s2", "wide s3",
                                       "wide s4", "wide s5", "wide s6", "wide s7"};
    drawing d = begin_rows(plot, problem, IC_PLOT_DOTS, whose);
    for (size_t i = d.first; i < plot->figure.n_series; i++)
        plot->figure.series[i].class = wide[i % IC_COUNT(wide)];
    for (size_t i = 0; i < n; i++) take_row(&d, t[i], -1, x + i * problem->system->n_states);
}

static ic_plot_series *series_named(cli_plot *plot, const char *name)
{
    for (size_t i = 0; i < plot->figure.n_series; i++) {
        if (plot->figure.series[i].style == IC_PLOT_MARKS && strcmp(plot->labels[i], name) == 0)
            return &plot->figure.series[i];
    }
    return add_series(plot, IC_PLOT_MARKS, name, "");
}

void cli_plot_mark(cli_plot *plot, const ic_problem *problem, double t, int mode, const double *x,
                   const char *name)
{
    ic_plot_series *series = series_named(plot, name);
    for (size_t i = 0; i < plot->n && series != NULL; i++)
        ic_plot_point(&plot->figure, series, value_of(&plot->over, problem, t, mode, x),
                      value_of(&plot->shown[i], problem, t, mode, x));
}

void cli_plot_mark_events(cli_plot *plot, const cli_result *result)
{
    for (size_t i = 0; i < ic_log_event_count(result->log); i++) {
        const ic_event e = ic_log_event_at(result->log, i);
        cli_plot_mark(plot, ic_log_problem(result->log), e.t, e.mode_from, e.x_pre, e.name);
    }
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

const ic_plot *cli_plot_figure(cli_plot *plot, const char *what, const ic_problem *problem)
{
    name_axis(plot->x_label, sizeof plot->x_label, &plot->over, 1);
    name_axis(plot->y_label, sizeof plot->y_label, plot->shown, plot->n);
    snprintf(plot->title, sizeof plot->title, "%.200s%s", problem->system->title, what);
    plot->figure.title = plot->title;
    plot->figure.x = (ic_plot_axis){.label = plot->x_label, .from = NAN, .to = NAN};
    plot->figure.y = (ic_plot_axis){.label = plot->y_label, .from = NAN, .to = NAN};
    return &plot->figure;
}
