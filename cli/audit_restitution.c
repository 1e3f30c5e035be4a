/* SPDX-License-Identifier: MIT */
#include "cli/audit_restitution.h"

#include "cli/table.h"
#include "reports/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 5, DIGITS_OF_INPUT = 3, MOST_SPEEDS = 8 };

static bool same_row(const ic_restitution_point *a, const ic_restitution_point *b)
{
    return strcmp(a->subject, b->subject) == 0 && (a->e_in == b->e_in || (isnan(a->e_in) && isnan(b->e_in)));
}

/* The speeds of the law of `points`. Returns their number. */
static size_t speeds_of(double speeds[MOST_SPEEDS], const ic_restitution_point *points, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < n && speeds[k] != points[i].speed) k++;
        if (k == n && n < MOST_SPEEDS) speeds[n++] = points[i].speed;
    }
    return n;
}

/* "0.5", or "0.41 to 0.5" where it depends on the speed. */
static void told_cell(cli_table *table, const ic_restitution_point *row, size_t count)
{
    double least = INFINITY, most = -INFINITY;
    char text[96];
    for (size_t i = 0; i < count; i++) least = fmin(least, row[i].told), most = fmax(most, row[i].told);
    const ic_number_text low = ic_number_short(least, DIGITS), high = ic_number_short(most, DIGITS);
    if (!(least <= most)) snprintf(text, sizeof text, "-");
    else if (strcmp(low.text, high.text) == 0) snprintf(text, sizeof text, "%s", low.text);
    else snprintf(text, sizeof text, "%s to %s", low.text, high.text);
    cli_table_cell(table, text);
}

static void add_row(cli_table *table, const ic_restitution_point *row, size_t count, const double *speeds,
                    size_t n_speeds)
{
    cli_table_cell(table, isnan(row->e_in) ? "-" : ic_number_short(row->e_in, DIGITS_OF_INPUT).text);
    for (size_t k = 0; k < n_speeds; k++) {
        size_t i = 0;
        while (i < count && row[i].speed != speeds[k]) i++;
        cli_table_cell(table, i < count ? ic_number_short(row[i].e_out, DIGITS).text : "-");
    }
    told_cell(table, row, count);
}

static bool print_law(const ic_restitution_point *points, size_t count)
{
    char heads[MOST_SPEEDS][32];
    double speeds[MOST_SPEEDS];
    cli_column columns[MOST_SPEEDS + 2] = {{"e_in", CLI_RIGHT}};
    const size_t n = speeds_of(speeds, points, count);
    for (size_t k = 0; k < n; k++) {
        snprintf(heads[k], sizeof heads[k], "%.3g m/s", speeds[k]);
        columns[k + 1] = (cli_column){heads[k], CLI_RIGHT};
    }
    columns[n + 1] = (cli_column){"declared", CLI_RIGHT};
    printf("\n%s, restitution in effect: e_out of free impacts of 1 kg or of the law's mass, by the speed\n",
           points->subject);
    cli_table *table = cli_table_new(columns, n + 2);
    for (size_t i = 0, in_row; i < count; i += in_row) {
        for (in_row = 1; i + in_row < count && same_row(&points[i], &points[i + in_row]);) in_row++;
        add_row(table, &points[i], in_row, speeds, n);
    }
    return cli_table_finish(table, 2, true);
}

bool cli_restitution_print(const ic_restitution_point *points, size_t count)
{
    bool good = true;
    for (size_t i = 0, of_law; i < count && good; i += of_law) {
        for (of_law = 1; i + of_law < count && strcmp(points[i].subject, points[i + of_law].subject) == 0;)
            of_law++;
        good = print_law(&points[i], of_law);
    }
    return good;
}
