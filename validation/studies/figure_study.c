/* SPDX-License-Identifier: MIT */
/*
 * A figure as a study. The curves are computed at the values of the varied parameter, and again at
 * each published point of the curve that it is compared with: at the parameter at which the abscissa
 * is that of the point.
 */
#include "validation/studies/figure_study.h"

#include "casefile/dimension.h"
#include "core/names.h"
#include "validation/claims/measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns before and after those of the curves. */
enum { POINTS, PARAMETER, X, CURVES };
enum { PUBLISHED, Y_ERROR, X_ERROR, DEVIATION, AFTER };

/* Halvings of an interval of the parameter: below the rounding of a double. */
enum { HALVINGS = 60 };

/* Two integers, or two abscissas of them, are the same within this part. */
#define SAME_ABSCISSA 1e-9

typedef struct figure_study {
    ic_study study;
    const ic_case *system;
    const ic_figure *figure;

    /* CASE/FIGURE, and CASE/PRESET */
    char name[IC_LONGEST_PATH], path[IC_LONGEST_PATH];

    const ic_parameter *parameter;

    /* Ends of the parameter, SI. */
    double from, to;

    /* SI units in the units of the axes. */
    double x_factor, y_factor;
    const char *x_unit, *y_unit;

    /* by curve, empty for formulas */
    ic_quantity *quantities;
    ic_study_column *columns;
} figure_study;

/* ---- reading */

typedef struct figure_reader {
    figure_study *f;
    ic_figure_report *report;
    void *context;
} figure_reader;

static bool report_fault(const figure_reader *r, const char *key, size_t offset, const char *text)
{
    r->report(r->f->figure->name, key, offset, text, r->context);
    return false;
}

/* The unit of an axis in SI units. */
static bool read_unit(const figure_reader *r, double *factor, const char *unit, const char *si)
{
    ic_unit given, wanted;
    ic_error error;
    size_t offset;
    *factor = 1;
    if (strcmp(unit, si) == 0) return true;
    if (!ic_unit_read(&given, unit, NULL, NULL, &offset, &error))
        return report_fault(r, "units", 0, error.text);
    *factor = given.factor;
    if (ic_unit_read(&wanted, si, NULL, NULL, &offset, &error) &&
        ic_dimensions_equal(&given.dimension, &wanted.dimension))
        return true;
    ic_error_set(&error, "'%s' is not a unit of this axis (%s)", unit, si);
    return report_fault(r, "units", 0, error.text);
}

/* Whether both are the same unit: SI units without a factor, or unknown. */
static bool is_same_unit(const char *a, const char *b)
{
    ic_unit one, other;
    ic_error error;
    size_t offset;
    return strcmp(a, b) == 0 || (ic_unit_read(&one, a, NULL, NULL, &offset, &error) &&
                                 ic_unit_read(&other, b, NULL, NULL, &offset, &error) &&
                                 ic_dimensions_equal(&one.dimension, &other.dimension));
}

static bool read_curves(const figure_reader *r)
{
    figure_study *f = r->f;
    const char *si = "1";
    ic_error error;
    for (size_t i = 0; i < f->figure->n_curves; i++) {
        const ic_figure_curve *curve = &f->figure->curves[i];
        const bool measured = curve->measure[0] != '\0';
        size_t offset = 0;
        if (measured &&
            !ic_quantity_parse_on(&f->quantities[i], curve->measure, f->path, f->system, &offset, &error)) {
            ic_error whole;
            ic_error_set(&whole, "curve '%.100s', character %zu of its measure: %.300s", curve->name,
                         offset + 1, error.text);
            return report_fault(r, "curves", 0, whole.text);
        }
        const char *unit = measured ? f->quantities[i].unit : curve->unit;
        if (unit == NULL) unit = f->figure->y_unit[0] != '\0' ? f->figure->y_unit : "1";
        if (i == 0) si = unit;
        if (is_same_unit(si, unit)) continue;
        ic_error_set(&error, "units differ: curve '%s' is in %s, but curve '%s' is in %s", curve->name, unit,
                     f->figure->curves[0].name, si);
        return report_fault(r, "curves", 0, error.text);
    }
    f->y_unit = f->figure->y_unit[0] != '\0' ? f->figure->y_unit : si;
    f->x_unit = f->figure->x_unit[0] != '\0' ? f->figure->x_unit : f->figure->x_si;
    return read_unit(r, &f->x_factor, f->x_unit, f->figure->x_si) && read_unit(r, &f->y_factor, f->y_unit, si);
}

static void list_columns(figure_study *f)
{
    const ic_figure *figure = f->figure;
    ic_study_column *c = f->columns;
    c[POINTS] = (ic_study_column){"points", NULL, "name of published points; empty for the curves"};
    c[PARAMETER] = (ic_study_column){f->parameter->name, f->parameter->unit, f->parameter->meaning};
    c[X] = (ic_study_column){"x", f->x_unit, figure->x};
    for (size_t i = 0; i < figure->n_curves; i++) {
        const ic_figure_curve *curve = &figure->curves[i];
        c[CURVES + i] = (ic_study_column){curve->name, f->y_unit,
                                          curve->measure[0] != '\0' ? curve->measure : curve->formula};
    }
    c += CURVES + figure->n_curves;
    c[PUBLISHED] = (ic_study_column){"published", f->y_unit, "published value"};
    c[Y_ERROR] = (ic_study_column){"published_error", f->y_unit, "half the length of its error bar"};
    c[X_ERROR] = (ic_study_column){"x_error", f->x_unit, "half the length of the error bar of x"};
    c[DEVIATION] =
        (ic_study_column){"deviation", f->y_unit, "published value minus the curve that it is compared with"};
    f->study.columns = f->columns;
    f->study.n_columns = CURVES + figure->n_curves + (figure->n_points > 0 ? AFTER : 0);
}

/* ---- values */

/* The problem at a value of the parameter. */
static bool open_at(ic_setup *setup, const figure_study *f, double value, ic_error *error)
{
    char path[IC_LONGEST_PATH];
    snprintf(path, sizeof path, "%s", f->path);
    char setting[96];
    snprintf(setting, sizeof setting, "[%.60s=%.17g]", f->parameter->name, value);
    return ic_path_add_settings(path, setting, error) && ic_path_open(setup, path, error);
}

static bool formula_of(double *result, const ic_setup *setup, const char *formula, ic_error *error)
{
    const ic_names names = {.system = setup->problem.system, .par = setup->par};
    return ic_expression_number(result, formula, &names, error);
}

/* The abscissa in its unit; NAN: none. */
static double abscissa_of(const figure_study *f, double value)
{
    ic_setup setup;
    double x = NAN;
    if (!open_at(&setup, f, value, NULL)) return NAN;
    const bool good = formula_of(&x, &setup, f->figure->x, NULL);
    ic_setup_close(&setup);
    return good ? x / f->x_factor : NAN;
}

static bool measure_curve(double *y, const figure_study *f, size_t curve, double value,
                          ic_claim_evaluator *evaluator, ic_error *error)
{
    char setting[96];
    ic_quantity quantity = f->quantities[curve];
    ic_measured measured = {.value = NAN};
    snprintf(setting, sizeof setting, "[%.60s=%.17g]", f->parameter->name, value);
    if (!ic_quantity_set(&quantity, setting, error)) return false;
    if (!ic_quantity_measure(&measured, &quantity, evaluator, error)) return false;
    *y = measured.value;
    return true;
}

/* Values of curves `first` to `last` in their unit, NAN where there is none. The first reason is kept. */
static void values_at(double *y, const figure_study *f, size_t first, size_t last, double value,
                      ic_error *reason)
{
    ic_claim_evaluator evaluator = {0};
    ic_setup setup;
    ic_error error = {""};
    const bool open = open_at(&setup, f, value, &error);
    for (size_t i = first; i <= last; i++) {
        const ic_figure_curve *curve = &f->figure->curves[i];
        double result = NAN;
        const bool good =
            open && (curve->measure[0] != '\0' ? measure_curve(&result, f, i, value, &evaluator, &error)
                                               : formula_of(&result, &setup, curve->formula, &error));
        y[i] = good ? result / f->y_factor : NAN;
        if (isnan(y[i]) && reason->text[0] == '\0')
            ic_error_set(reason, "%s", error.text[0] != '\0' ? error.text : "the value does not exist");
    }
    if (open) ic_setup_close(&setup);
    ic_claim_evaluator_close(&evaluator);
}

static double value_at(const figure_study *f, size_t k)
{
    if (f->figure->n_values == 0) return ceil(f->from) + (double)k;
    if (k + 1 == f->figure->n_values) return f->to;
    const double part = (double)k / (double)(f->figure->n_values - 1);
    return f->figure->logarithmic ? f->from * pow(f->to / f->from, part) : f->from + part * (f->to - f->from);
}

/* The value of the parameter between two others at which the abscissa is x. */
static double find_between(const figure_study *f, double a, double b, double x)
{
    const double side = abscissa_of(f, a) - x;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (a + b), off = abscissa_of(f, middle) - x;
        if (off == 0) return middle;
        if ((off < 0) == (side < 0)) a = middle;
        else b = middle;
    }
    return 0.5 * (a + b);
}

/* The value of the parameter at which the abscissa is x; NAN: none. */
static double find_value(const figure_study *f, const double *xs, size_t n, double x)
{
    for (size_t k = 0; k < n; k++) {
        const double near = SAME_ABSCISSA * fmax(fabs(x), fabs(xs[k]));
        if (fabs(xs[k] - x) <= near) return value_at(f, k);
        if (k > 0 && f->figure->n_values > 0 && (xs[k - 1] < x) != (xs[k] < x) && isfinite(xs[k - 1] + xs[k]))
            return find_between(f, value_at(f, k - 1), value_at(f, k), x);
    }
    return NAN;
}

/* ---- rows */

static void add_rest(ic_study_data *data, const figure_study *f)
{
    for (size_t i = 0; i < AFTER && f->figure->n_points > 0; i++) ic_study_number(data, NAN);
}

/* Rows of the curves; xs receives their abscissas. */
static void add_curves(ic_study_data *data, const figure_study *f, double *xs, size_t n, double *y)
{
    const ic_figure *figure = f->figure;
    size_t failed = 0;
    ic_error reason = {""};
    for (size_t k = 0; k < n && !data->failed; k++) {
        const double value = value_at(f, k);
        bool whole = true;
        xs[k] = abscissa_of(f, value);
        values_at(y, f, 0, figure->n_curves - 1, value, &reason);
        ic_study_text(data, "");
        IC_STUDY_NUMBERS(data, value, xs[k]);
        for (size_t i = 0; i < figure->n_curves; i++) {
            ic_study_number(data, y[i]);
            whole = whole && !isnan(y[i]);
        }
        add_rest(data, f);
        failed += !whole;
    }
    if (failed == n) ic_study_fail(data, "no value can be computed: %.300s", reason.text);
    else if (failed > 0)
        ic_study_finding(data, "At %zu of %zu values a curve has no value: %.300s", failed, n, reason.text);
}

/* Deviations of points from their curve. */
typedef struct deviations {
    size_t n, with_error, within;
    double largest, at, sum;
} deviations;

static double number_of(const char *text)
{
    double number = NAN;
    if (text[0] != '\0') ic_expression_number(&number, text, NULL, NULL);
    return number;
}

static void take_deviation(deviations *d, double x, double deviation, double y_error)
{
    if (isnan(deviation)) return;
    d->n++;
    d->sum += fabs(deviation);
    if (fabs(deviation) >= d->largest) {
        d->largest = fabs(deviation);
        d->at = x;
    }
    if (isnan(y_error)) return;
    d->with_error++;
    d->within += fabs(deviation) <= y_error;
}

static void state_deviations(ic_study_data *data, const figure_study *f, const ic_figure_points *set,
                             const deviations *d)
{
    const char *y = strcmp(f->y_unit, "1") == 0 ? "" : f->y_unit,
               *x = strcmp(f->x_unit, "1") == 0 ? "" : f->x_unit;
    char rest[96] = "", bars[96] = "";
    if (set->compare[0] == '\0') return;
    if (d->n == 0) {
        ic_study_finding(data, "%s: no point lies in the range of the curve '%s'", set->name, set->compare);
        return;
    }
    if (d->with_error > 0)
        snprintf(bars, sizeof bars, "; %zu of %zu lie within their error bars", d->within, d->with_error);
    if (d->n < set->n_rows)
        snprintf(rest, sizeof rest, "; not compared, beyond the curve: %zu", set->n_rows - d->n);
    ic_study_finding(data,
                     "%s deviates from the curve '%s' by at most %.3g%s%s, at x = %.4g%s%s, and by %.3g%s%s on "
                     "average (%zu %s)%s%s",
                     set->name, set->compare, d->largest, y[0] != '\0' ? " " : "", y, d->at,
                     x[0] != '\0' ? " " : "", x, d->sum / (double)d->n, y[0] != '\0' ? " " : "", y, d->n,
                     d->n == 1 ? "point" : "points", bars, rest);
}

static void add_points(ic_study_data *data, const figure_study *f, const ic_figure_points *set,
                       const double *xs, size_t n, double *y)
{
    const size_t n_curves = f->figure->n_curves;
    size_t curve = 0;
    deviations d = {0};
    while (curve < n_curves && strcmp(f->figure->curves[curve].name, set->compare) != 0) curve++;
    for (size_t k = 0; k < set->n_rows; k++) {
        const ic_figure_point *p = &set->rows[k];
        const double x = number_of(p->x), published = number_of(p->y), error = number_of(p->y_error);
        const double value = curve < n_curves ? find_value(f, xs, n, x) : NAN;
        ic_error reason = {""};
        for (size_t i = 0; i < n_curves; i++) y[i] = NAN;
        if (!isnan(value)) values_at(y, f, curve, curve, value, &reason);
        const double deviation = curve < n_curves ? published - y[curve] : NAN;
        take_deviation(&d, x, deviation, error);
        ic_study_text(data, set->name);
        IC_STUDY_NUMBERS(data, value, x);
        for (size_t i = 0; i < n_curves; i++) ic_study_number(data, y[i]);
        IC_STUDY_NUMBERS(data, published, error, number_of(p->x_error), deviation);
    }
    state_deviations(data, f, set, &d);
}

static void run_study(ic_study_data *data)
{
    const figure_study *f = (const figure_study *)data->study;
    const size_t n = f->figure->n_values > 0 ? f->figure->n_values : (size_t)(floor(f->to) - ceil(f->from)) + 1;
    double *xs = calloc(n + f->figure->n_curves, sizeof *xs), *y = xs == NULL ? NULL : xs + n;
    if (xs == NULL) {
        ic_study_fail(data, "memory ran out");
        return;
    }
    add_curves(data, f, xs, n, y);
    for (size_t i = 0; i < f->figure->n_points && !data->failed; i++)
        add_points(data, f, &f->figure->points[i], xs, n, y);
    free(xs);
}

/* ---- studies */

const ic_study *ic_figure_study_new(const ic_case *system, size_t i, ic_figure_report *report, void *context)
{
    const ic_figure *figure = &system->figures[i];
    figure_study *f = calloc(1, sizeof *f);
    const figure_reader r = {f, report, context};
    if (f == NULL) return NULL;
    f->system = system;
    f->figure = figure;
    f->quantities = calloc(figure->n_curves + 1, sizeof *f->quantities);
    f->columns = calloc(CURVES + figure->n_curves + AFTER, sizeof *f->columns);
    f->parameter = &system->parameters[ic_parameter_find(system, figure->parameter)];
    snprintf(f->name, sizeof f->name, "%.60s/%.60s", system->name, figure->name);
    snprintf(f->path, sizeof f->path, "%.60s/%.60s", system->name, figure->preset);
    f->from = number_of(figure->from);
    f->to = number_of(figure->to);
    f->study = (ic_study){.name = f->name, .title = figure->title, .question = "", .run = run_study};
    if (f->quantities != NULL && f->columns != NULL && read_curves(&r)) {
        list_columns(f);
        return &f->study;
    }
    ic_figure_study_free(&f->study);
    return NULL;
}

void ic_figure_study_free(const ic_study *study)
{
    figure_study *f = (figure_study *)study;
    if (f == NULL) return;
    free(f->quantities);
    free(f->columns);
    free(f);
}
