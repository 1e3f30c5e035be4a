/* SPDX-License-Identifier: MIT */
#include "cli/sweep_plot.h"
#include "cli/figure.h"
#include "core/names.h"
#include "reports/columns.h"
#include "reports/number.h"
#include "sweep/grid.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Colours of classes; the greatest period that has one, and levels of a value; rows that are marks and not dots. */
enum { AXES = 2, MOST_SHOWN = 8, CLASSES = 8, MOST_PERIOD = 7, LEVELS = 7, FEW = 300, DIGITS = 3 };

/* Rows repeat that differ by no more than this part of their column's range. */
#define REPEATS 1e-4

/* A varied parameter, or a column of the record. */
typedef struct quantity {
    char name[80], unit[32];

    /* of a parameter: values, and whether they are even in the logarithm */
    size_t count;
    bool log;

    /* of a column: in the file */
    int column;

    double least, greatest;
} quantity;

/* A map shows a column, the mode at the end, or the number of periods after which rows repeat. */
typedef enum shown_kind { COLUMN, MODE, PERIOD } shown_kind;

struct cli_sweep_plot {
    /* "roller/III/C"; "strobe", "peak" or an output */
    char subject[128], record[80];

    quantity axes[AXES];
    size_t n_axes;

    /* of the record */
    quantity *columns;
    size_t n_columns;

    /* rows of a set */
    size_t n_rows;

    shown_kind kind;
    size_t shown[MOST_SHOWN], n;

    ic_columns rows;
    ic_plot figure;
    char title[512], x_label[128], y_label[256], labels[IC_PLOT_SERIES][96];
};

/* ---- the lines before the rows, as cli/sweep_file.c writes them */

static bool read_axis(cli_sweep_plot *plot, const char *line)
{
    quantity axis = {.count = 0};
    int end = 0;
    if (sscanf(line, "# vary: %63s from %*f to %*f %31[^,], %zu values%n", axis.name, axis.unit, &axis.count,
               &end) != 3)
        return false;
    axis.log = strncmp(line + end, ", evenly", 8) == 0;
    if (plot->n_axes < AXES) plot->axes[plot->n_axes] = axis;
    plot->n_axes++;
    return axis.count > 0 && axis.count <= IC_MOST_PARAMETER_SETS;
}

/* "x2 in m, v2 in m/s" */
static bool read_columns(cli_sweep_plot *plot, const char *at)
{
    int length = 0;
    for (;; at += length + 1) {
        quantity q = {.least = INFINITY, .greatest = -INFINITY};
        quantity *more = realloc(plot->columns, (plot->n_columns + 1) * sizeof *more);
        if (more == NULL) return false;
        plot->columns = more;
        if (sscanf(at, "%79s in %31[^,\n]%n", q.name, q.unit, &length) != 2) return false;
        plot->columns[plot->n_columns++] = q;
        if (at[length] != ',') return true;
    }
}

static bool read_line(cli_sweep_plot *plot, const char *line)
{
    static const char units[] = "# units: ";
    if (strncmp(line, "# vary:", 7) == 0) return read_axis(plot, line);
    if (strncmp(line, units, strlen(units)) == 0) return read_columns(plot, line + strlen(units));
    sscanf(line, "# record: %79[^;]; periods skipped: %*u, kept: %zu", plot->record, &plot->n_rows);
    sscanf(line, "# sweep of %127s", plot->subject);
    return true;
}

/* Passes the lines that begin with #, up to the names, and reads them (`plot` NULL: does not). false: one is wrong. */
static bool pass_lines(FILE *stream, cli_sweep_plot *plot)
{
    char *line = NULL;
    size_t room = 0;
    long at = 0;
    bool good = true;
    while (good && (at = ftell(stream), getline(&line, &room, stream)) > 0 && line[0] == '#')
        good = plot == NULL || read_line(plot, line);
    free(line);
    return good && fseek(stream, at, SEEK_SET) == 0;
}

static bool read_header(cli_sweep_plot *plot, FILE *stream, const char *path, ic_error *error)
{
    const bool good = pass_lines(stream, plot);
    if (strcmp(plot->record, "peak") == 0) plot->n_rows = 1;
    if (good && plot->n_axes > AXES)
        ic_error_set(error, "option --plot: %zu parameters are varied; a figure shows one or two",
                     plot->n_axes);
    else if (good && plot->n_axes > 0 && plot->n_columns > 0 && plot->n_rows > 0) return true;
    else
        ic_error_set(error,
                     "'%s' is no result of impactcheck sweep: its first lines do not state what was varied and "
                     "recorded",
                     path);
    return false;
}

/* ---- what is shown */

static bool is_strobe(const cli_sweep_plot *plot)
{
    return strcmp(plot->record, "strobe") == 0;
}

static bool take_column(void *self, const char *name, ic_error *error)
{
    cli_sweep_plot *plot = self;
    ic_nearest nearest = {.wrong = name};
    size_t i = 0;
    for (; i < plot->n_columns && strcmp(plot->columns[i].name, name) != 0; i++)
        ic_nearest_offer(&nearest, plot->columns[i].name);
    plot->shown[plot->n++] = i;
    if (i == plot->n_columns)
        ic_error_set(error, "option --show: '%s' is no column of the sweep%s", name,
                     ic_nearest_hint(&nearest).text);
    else if (strcmp(plot->columns[i].unit, plot->columns[plot->shown[0]].unit) != 0)
        ic_error_set(error, "option --show: %s is not in %s: a figure has one unit", name,
                     plot->columns[plot->shown[0]].unit);
    else return true;
    return false;
}

static bool read_show(cli_sweep_plot *plot, const char *show, ic_error *error)
{
    const bool map = plot->n_axes == 2, states = map && is_strobe(plot);
    if (show == NULL && states && plot->n_rows > 1) show = "period";
    if (states && show != NULL && strcmp(show, "mode") == 0) plot->kind = MODE;
    if (states && show != NULL && strcmp(show, "period") == 0) plot->kind = PERIOD;
    if (plot->kind == PERIOD && plot->n_rows < 2) {
        ic_error_set(error, "option --show: period requires --keep 2 at least, so that rows can repeat");
        return false;
    }
    if (plot->kind != COLUMN) return true;
    if (show != NULL)
        return cli_shown_names(show, map ? 1 : MOST_SHOWN, map ? "map" : "figure", take_column, plot, error);
    /* the least and greatest value of an output over one parameter; in a map, the greatest */
    const bool one = is_strobe(plot) || strcmp(plot->record, "peak") == 0 || plot->n_columns < 2;
    const size_t last = one ? 0 : 1;
    for (size_t i = map ? last : 0; i <= last; i++) plot->shown[plot->n++] = i;
    return true;
}

void cli_sweep_plot_free(cli_sweep_plot *plot)
{
    if (plot == NULL) return;
    ic_plot_free(&plot->figure);
    ic_columns_free(&plot->rows);
    free(plot->columns);
    free(plot);
}

/* ---- rows */

cli_sweep_plot *cli_sweep_plot_read(const char *path, const char *show, ic_error *error)
{
    FILE *stream = fopen(path, "r");
    cli_sweep_plot *plot = calloc(1, sizeof *plot);
    bool good = stream != NULL && plot != NULL;
    if (stream == NULL) ic_error_set(error, "cannot read '%s': %s", path, strerror(errno));
    else if (plot == NULL) ic_error_no_memory(error);
    good = good && read_header(plot, stream, path, error) && read_show(plot, show, error);
    if (stream != NULL) fclose(stream);
    if (good) return plot;
    cli_sweep_plot_free(plot);
    return NULL;
}

static double number(const cli_sweep_plot *plot, size_t set, size_t row, int column)
{
    return ic_columns_number(&plot->rows, set * plot->n_rows + row, column);
}

static size_t count_sets(const cli_sweep_plot *plot)
{
    return plot->axes[0].count * (plot->n_axes == 2 ? plot->axes[1].count : 1);
}

/* Reads the rows: those of a set follow each other, and sets are in their order. */
static bool read_rows(cli_sweep_plot *plot, FILE *stream)
{
    const size_t n_sets = count_sets(plot);
    if (!pass_lines(stream, NULL) || !ic_columns_read(&plot->rows, stream)) return false;
    if (plot->rows.n_rows % plot->n_rows != 0 || plot->rows.n_rows / plot->n_rows != n_sets ||
        plot->rows.n_columns < 2 + plot->n_axes + plot->n_columns)
        return false;
    for (size_t set = 0; set < n_sets; set++) {
        if (number(plot, set, 0, 0) != (double)set) return false;
    }
    for (size_t k = 0; k < plot->n_columns; k++) {
        quantity *q = &plot->columns[k];
        q->column = (int)(plot->rows.n_columns - plot->n_columns + k);
        for (size_t i = 0; i < plot->rows.n_rows; i++) {
            q->least = fmin(q->least, ic_columns_number(&plot->rows, i, q->column));
            q->greatest = fmax(q->greatest, ic_columns_number(&plot->rows, i, q->column));
        }
    }
    return true;
}

/* ---- one varied parameter */

static void draw_diagram(cli_sweep_plot *plot)
{
    for (size_t i = 0; i < plot->n; i++) {
        const quantity *q = &plot->columns[plot->shown[i]];
        ic_plot_series *series = ic_plot_add(&plot->figure, plot->n > 1 ? q->name : "",
                                             plot->rows.n_rows <= FEW ? IC_PLOT_MARKS : IC_PLOT_DOTS, (int)i);
        for (size_t row = 0; row < plot->rows.n_rows; row++)
            ic_plot_point(&plot->figure, series, ic_columns_number(&plot->rows, row, 2),
                          ic_columns_number(&plot->rows, row, q->column));
    }
}

/* ---- two: a map of classes; -1: the set was not solved to its end */

static bool rows_repeat(const cli_sweep_plot *plot, size_t set, size_t period)
{
    for (size_t k = 0; k < plot->n_columns; k++) {
        const quantity *q = &plot->columns[k];
        for (size_t row = 0; row + period < plot->n_rows; row++) {
            const double change =
                number(plot, set, row + period, q->column) - number(plot, set, row, q->column);
            if (!(fabs(change) <= REPEATS * (q->greatest - q->least))) return false;
        }
    }
    return true;
}

/* Up to half of the rows, so that all of them have a repetition. */
static int most_period(const cli_sweep_plot *plot)
{
    return plot->n_rows / 2 < MOST_PERIOD ? (int)(plot->n_rows / 2) : MOST_PERIOD;
}

static int class_by_period(const cli_sweep_plot *plot, size_t set)
{
    int period = 1;
    if (isnan(number(plot, set, plot->n_rows - 1, plot->columns[0].column))) return -1;
    while (period <= most_period(plot) && !rows_repeat(plot, set, (size_t)period)) period++;
    return period - 1;
}

/* Modes have classes in the order in which they are met; the last class is of all others. */
static int class_by_mode(cli_sweep_plot *plot, size_t set)
{
    const char *name =
        ic_columns_text(&plot->rows, (set + 1) * plot->n_rows - 1, ic_columns_find(&plot->rows, "mode"));
    int class = 0;
    if (name[0] == '\0') return -1;
    while (class < CLASSES - 1 && plot->labels[class][0] != '\0' && strcmp(plot->labels[class], name) != 0)
        class ++;
    snprintf(plot->labels[class], sizeof plot->labels[class], "%s", class < CLASSES - 1 ? name : "another");
    return class;
}

static double level_begin(const cli_sweep_plot *plot, int level)
{
    const quantity *q = &plot->columns[plot->shown[0]];
    return q->least + level * (q->greatest - q->least) / LEVELS;
}

/* A set is shown by its last row for a state, by its least row for least values, and by its greatest row otherwise. */
static int class_by_value(const cli_sweep_plot *plot, size_t set)
{
    const int column = plot->columns[plot->shown[0]].column;
    const bool least = plot->shown[0] == 0 && strcmp(plot->record, "peak") != 0;
    double value = number(plot, set, plot->n_rows - 1, column);
    for (size_t row = 0; row < plot->n_rows && !is_strobe(plot); row++)
        value = (least ? fmin : fmax)(value, number(plot, set, row, column));
    int level = LEVELS - 1;
    while (level > 0 && value < level_begin(plot, level)) level--;
    return isfinite(value) ? level : -1;
}

static void name_class(cli_sweep_plot *plot, int class)
{
    char *label = plot->labels[class];
    const size_t size = sizeof plot->labels[class];
    if (class == CLASSES) snprintf(label, size, "not solved");
    else if (plot->kind == PERIOD && class == most_period(plot)) snprintf(label, size, "none up to %d", class);
    else if (plot->kind == PERIOD) snprintf(label, size, "%d", class + 1);
    else if (plot->kind == COLUMN)
        snprintf(label, size, "%s to %s", ic_number_short(level_begin(plot, class), DIGITS).text,
                 ic_number_short(level_begin(plot, class + 1), DIGITS).text);
}

/* The ends of an axis: half a step beyond the centres of its first and last cell. */
static void set_ends(ic_plot_axis *axis, const quantity *q, double first, double last)
{
    const double a = q->log ? log(first) : first, b = q->log ? log(last) : last;
    const double half = q->count > 1 ? 0.5 * fabs(b - a) / (double)(q->count - 1) : fmax(0.5 * fabs(a), 0.5);
    axis->from = q->log ? exp(fmin(a, b) - half) : fmin(a, b) - half;
    axis->to = q->log ? exp(fmax(a, b) + half) : fmax(a, b) + half;
}

static void draw_map(cli_sweep_plot *plot)
{
    static const char *const levels[LEVELS] = {"l0", "l1", "l2", "l3", "l4", "l5", "l6"};
    ic_plot *figure = &plot->figure;
    const size_t n_sets = count_sets(plot);
    set_ends(&figure->x, &plot->axes[0], number(plot, 0, 0, 2), number(plot, n_sets - 1, 0, 2));
    set_ends(&figure->y, &plot->axes[1], number(plot, 0, 0, 3), number(plot, n_sets - 1, 0, 3));
    figure->cells_x = plot->axes[0].count;
    figure->cells_y = plot->axes[1].count;
    for (int class = 0; class <= CLASSES; class ++) {
        ic_plot_series *series =
            ic_plot_add(figure, plot->labels[class], IC_PLOT_CELLS, class < CLASSES ? class : -1);
        if (plot->kind == COLUMN && class < LEVELS) series->class = levels[class];
    }
    for (size_t set = 0; set < n_sets; set++) {
        const int class = plot->kind == PERIOD ? class_by_period(plot, set)
                          : plot->kind == MODE ? class_by_mode(plot, set)
                                               : class_by_value(plot, set);
        ic_plot_point(figure, &figure->series[class < 0 ? CLASSES : class], number(plot, set, 0, 2),
                      number(plot, set, 0, 3));
    }
    for (int class = 0; class <= CLASSES; class ++) {
        if (figure->series[class].n > 0) name_class(plot, class);
    }
}

/* ---- the figure */

static void name_figure(cli_sweep_plot *plot)
{
    static const char *const what[] = {"", "the mode at the end",
                                       "number of periods after which the states repeat"};
    const quantity *x = &plot->axes[0], *y = &plot->axes[1];
    char values[200] = "";
    size_t used = strcmp(plot->record, "peak") == 0 ? (size_t)snprintf(values, sizeof values, "greatest ") : 0;
    for (size_t i = 0; i < plot->n && used < sizeof values; i++)
        used += (size_t)snprintf(values + used, sizeof values - used, "%s%s%s%s", i > 0 ? ", " : "",
                                 plot->columns[plot->shown[i]].name, i + 1 < plot->n ? "" : " / ",
                                 i + 1 < plot->n ? "" : plot->columns[plot->shown[0]].unit);
    snprintf(plot->x_label, sizeof plot->x_label, "%s / %s", x->name, x->unit);
    if (plot->n_axes == 1) snprintf(plot->y_label, sizeof plot->y_label, "%s", values);
    else snprintf(plot->y_label, sizeof plot->y_label, "%.99s / %.99s", y->name, y->unit);
    snprintf(plot->title, sizeof plot->title, "%s: %s%s%.64s", plot->subject,
             plot->kind == COLUMN ? values : what[plot->kind], plot->n_axes == 1 ? " over " : "",
             plot->n_axes == 1 ? x->name : "");
    plot->figure = (ic_plot){.title = plot->title};
    plot->figure.x = (ic_plot_axis){.label = plot->x_label, .log = x->log, .from = NAN, .to = NAN};
    plot->figure.y = (ic_plot_axis){.label = plot->y_label, .log = y->log, .from = NAN, .to = NAN};
}

const ic_plot *cli_sweep_plot_draw(cli_sweep_plot *plot, const char *path, ic_error *error)
{
    FILE *stream = fopen(path, "r");
    const bool good = stream != NULL && read_rows(plot, stream);
    if (stream != NULL) fclose(stream);
    if (!good) {
        ic_error_set(error,
                     "cannot draw '%s': its rows are not those that its first lines state, or memory ran out",
                     path);
        return NULL;
    }
    name_figure(plot);
    if (plot->n_axes == 1) draw_diagram(plot);
    else draw_map(plot);
    return &plot->figure;
}
