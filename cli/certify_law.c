/* SPDX-License-Identifier: MIT */
#include "cli/certify_law.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/composition.h"
#include "reference/certify.h"
#include "reference/contact_law.h"
#include "reference/system.h"
#include "reports/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of the path: u = 1, 3/4, ..., above -e_out, and -e_out. JSON has some digits more, as of other certificates. */
enum { INDENT = 2, PARTS = 4, LAST_PART = 2 * PARTS, MOST_ROWS = LAST_PART + 2, SPARE_DIGITS = 3 };

typedef struct shown {
    const cli_request *request;
    const ic_law_certificate *certificate;
    long digits;
    bool out_of_memory;
} shown;

/* An answer under the name of the output that it is the final value of; without one, its own. */
typedef struct answer {
    const char *name, *unit, *meaning;
    arb_srcptr value;
} answer;

enum { RESTITUTION, U_PEAK, PEAK_INDENTATION, PEAK_FORCE, DURATION, ANSWERS };

static void list_answers(answer *list, const shown *s)
{
    const ic_free_impact *impact = s->request->setup.problem.variant->free_impact;
    const ic_law_certificate *c = s->certificate;
    list[RESTITUTION] = (answer){impact->restitution, "1", "speed after the impact over that before", c->e_out};
    list[U_PEAK] = (answer){"u_peak", "1", "velocity over impact speed, at the greatest force", c->u_peak};
    list[PEAK_INDENTATION] = (answer){impact->peak_indentation, "m", "greatest indentation", c->d_max};
    list[PEAK_FORCE] = (answer){impact->peak_force, "N", "greatest force", c->F_max};
    list[DURATION] = (answer){impact->duration, "s", "of contact", c->duration};
}

/* ---- the path in the phase plane */

typedef struct path {
    arb_ptr u, d; /* MOST_ROWS each */
    slong n;      /* 0: the law has none */
} path;

static void path_open(path *p, const ic_law_certificate *c)
{
    p->u = _arb_vec_init(MOST_ROWS);
    p->d = _arb_vec_init(MOST_ROWS);
    p->n = 0;
    arb_one(p->u); /* d = 0 there, and at -e_out: by their meaning, exactly */
    for (slong i = 1; i <= LAST_PART; i++) {
        arb_set_si(p->u + i, PARTS - i);
        arb_div_si(p->u + i, p->u + i, PARTS, c->precision);
        arb_add(p->d + i, p->u + i, c->e_out, c->precision);
        if (!arb_is_positive(p->d + i)) {
            p->n = i + 1;
            arb_neg(p->u + i, c->e_out);
            arb_zero(p->d + i);
            return;
        }
        if (!ic_law_indentation(p->d + i, c, p->u + i)) return;
    }
}

static void path_close(path *p)
{
    _arb_vec_clear(p->u, MOST_ROWS);
    _arb_vec_clear(p->d, MOST_ROWS);
}

/* ---- JSON: the shape of the other certificates */

static void json_pair(ic_json *json, shown *s, const arb_t ball)
{
    char *value = NULL, *radius = NULL;
    if (!ic_ball_decimal(&value, &radius, ball, s->digits + SPARE_DIGITS)) s->out_of_memory = true;
    ic_json_text(json, "value", value);
    ic_json_text(json, "radius", radius);
    free(value);
    free(radius);
}

/* null: infinite */
static void json_ball(ic_json *json, const char *key, shown *s, const arb_t ball)
{
    if (!arb_is_finite(ball)) {
        ic_json_null(json, key);
        return;
    }
    ic_json_object_line(json, key);
    json_pair(json, s, ball);
    ic_json_end(json);
}

static void json_parameters(ic_json *json, shown *s)
{
    const ic_problem *problem = &s->request->setup.problem;
    const slong n = (slong)problem->system->n_parameters;
    char message[256];
    arb_ptr par = _arb_vec_init(n);
    const bool known = ic_ball_parameters(par, problem, s->certificate->precision, message, sizeof message);
    ic_json_object(json, "parameters");
    for (slong i = 0; i < n && known; i++) {
        if (ic_parameter_repeats(problem->system->parameters, (size_t)i)) continue;
        ic_json_object_line(json, problem->system->parameters[i].name);
        ic_json_text(json, "exact", problem->par_text[i]);
        json_pair(json, s, par + i);
        ic_json_end(json);
    }
    ic_json_end(json);
    _arb_vec_clear(par, n);
}

/* Of the outputs only the last values are enclosed: no extremes. */
static void json_outputs(ic_json *json, shown *s)
{
    static const char *const not_enclosed[] = {"min", "t_min", "max", "t_max"};
    answer list[ANSWERS];
    list_answers(list, s);
    ic_json_object(json, "outputs");
    for (size_t i = 0; i < ANSWERS; i++) {
        if (i == U_PEAK) continue;
        ic_json_object_line(json, list[i].name);
        for (size_t k = 0; k < IC_COUNT(not_enclosed); k++) ic_json_null(json, not_enclosed[k]);
        json_ball(json, "final", s, list[i].value);
        ic_json_end(json);
    }
    ic_json_end(json);
    json_ball(json, list[U_PEAK].name, s, list[U_PEAK].value);
}

static void json_path(ic_json *json, shown *s)
{
    path p;
    path_open(&p, s->certificate);
    ic_json_array(json, "path");
    for (slong i = 0; i < p.n; i++) {
        ic_json_object_line(json, NULL);
        json_ball(json, "u", s, p.u + i);
        json_ball(json, "d", s, p.d + i);
        ic_json_end(json);
    }
    ic_json_end(json);
    path_close(&p);
}

static void print_json(shown *s)
{
    const ic_problem *problem = &s->request->setup.problem;
    const ic_law_certificate *c = s->certificate;
    const bool proved = c->status == IC_OK;
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    ic_json_text(&json, "case", problem->system->name);
    ic_json_text(&json, "preset", s->request->setup.preset->name);
    ic_json_text(&json, "variant", problem->variant->name);
    ic_json_text(&json, "solver", "certify");
    json_parameters(&json, s);
    ic_json_integer(&json, "digits", s->digits);
    ic_json_text(&json, "status", proved ? "certified" : ic_status_name(c->status));
    ic_json_text(&json, "reason", proved ? NULL : c->message);
    if (proved) {
        ic_json_bool(&json, "opens", arb_is_finite(c->duration));
        json_outputs(&json, s);
        json_path(&json, s);
    }
    ic_json_object_line(&json, "work");
    ic_json_integer(&json, "precision_bits", c->precision);
    ic_json_end(&json);
    ic_json_end(&json);
}

/* ---- tables */

/* Two cells: the value, and "± radius". */
static void add_ball(cli_table *table, shown *s, const arb_t ball)
{
    char *value = NULL, *radius = NULL, text[64];
    if (!arb_is_finite(ball)) {
        cli_table_cell(table, "infinite");
        cli_table_cell(table, "exact");
        return;
    }
    if (!ic_ball_decimal(&value, &radius, ball, s->digits)) s->out_of_memory = true;
    snprintf(text, sizeof text, "%s %.40s", cli_plus_minus(), radius != NULL ? radius : "");
    cli_table_cell(table, value != NULL ? value : "");
    cli_table_cell(table, radius != NULL && strcmp(radius, "0") == 0 ? "exact" : text);
    free(value);
    free(radius);
}

static bool finish(cli_table *table)
{
    const bool good = cli_table_print(table, stdout, INDENT, true);
    cli_table_free(table);
    return good;
}

static void heading(const char *text)
{
    printf("\n%s\n", cli_paint(stdout, CLI_BOLD, text).text);
}

static bool print_answers(shown *s)
{
    static const cli_column columns[] = {{"output", CLI_LEFT},
                                         {"value", CLI_POINT},
                                         {"radius", CLI_LEFT},
                                         {"unit", CLI_LEFT},
                                         {"meaning", CLI_LEFT}};
    answer list[ANSWERS];
    cli_table *table = cli_table_new(columns, IC_COUNT(columns));
    if (table == NULL) return false;
    list_answers(list, s);
    heading("Free impact");
    for (size_t i = 0; i < ANSWERS; i++) {
        cli_table_cell(table, list[i].name);
        add_ball(table, s, list[i].value);
        cli_table_cell(table, list[i].unit);
        cli_table_cell(table, list[i].meaning);
    }
    if (!finish(table)) return false;
    if (!arb_is_finite(s->certificate->duration)) printf("%*sThe contact never opens.\n", INDENT, "");
    return true;
}

static bool print_path(shown *s)
{
    static const cli_column columns[] = {
        {"d'/v0", CLI_POINT}, {"radius", CLI_LEFT}, {"d, m", CLI_POINT}, {"radius", CLI_LEFT}};
    path p;
    bool good = true;
    path_open(&p, s->certificate);
    cli_table *table = p.n > 0 ? cli_table_new(columns, IC_COUNT(columns)) : NULL;
    if (table != NULL) {
        heading("Path in the phase plane");
        for (slong i = 0; i < p.n; i++) {
            add_ball(table, s, p.u + i);
            add_ball(table, s, p.d + i);
        }
        good = finish(table);
    } else {
        good = p.n == 0;
    }
    path_close(&p);
    return good;
}

static bool print_tables(shown *s)
{
    if (!cli_request_print_model(s->request, "by",
                                 "the law's closed form in ball arithmetic; parameters are exact") ||
        !print_answers(s) || !print_path(s))
        return false;
    printf("\n%s %s with %ld bits\n", cli_paint(stdout, CLI_BOLD, "Status:").text,
           cli_paint(stdout, CLI_GREEN, "certified").text, (long)s->certificate->precision);
    return true;
}

/* ---- the certificate */

static int exit_status(ic_status status)
{
    return status == IC_OK ? CLI_GOOD : status == IC_UNDECIDED ? CLI_CHECK_FAILED : CLI_BAD_INPUT;
}

int cli_certify_law(const cli_arguments *arguments, const cli_request *request, long digits, bool json,
                    bool quiet)
{
    ic_law_certificate certificate;
    bool good = true;
    ic_law_certificate_init(&certificate);
    ic_law_certify_problem(&certificate, &request->setup.problem, digits);
    shown s = {.request = request, .certificate = &certificate, .digits = digits};
    const ic_status status = certificate.status;
    if (json && exit_status(status) != CLI_BAD_INPUT) print_json(&s);
    else if (!quiet && status == IC_OK) good = print_tables(&s);
    fflush(stdout);
    int result = exit_status(status);
    if (!good || s.out_of_memory) result = cli_no_memory(arguments->command);
    else if (result == CLI_BAD_INPUT) cli_bad_input(arguments->command, "%s", certificate.message);
    else if (status != IC_OK)
        cli_failure(arguments->command, "%s; %s", ic_status_text(status), certificate.message);
    ic_law_certificate_clear(&certificate);
    flint_cleanup();
    return result;
}
