/* SPDX-License-Identifier: MIT */
/* A contact-force law, for people. */
#include "cli/command.h"
#include "cli/law.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reports/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 6, ERROR_DIGITS = 3, INDENT = 2, TENTH = CLI_LAW_POINTS / 10 };

const char *cli_law_promise(const ic_law *law, size_t i)
{
    static const struct {
        unsigned flag;
        const char *text;
    } promises[] = {{IC_LAW_CONTINUOUS_ONSET, "continuous onset"},
                    {IC_LAW_NO_TENSION, "no tension"},
                    {IC_LAW_ONLY_LOSES, "no energy gain"}};
    for (size_t k = 0; k < IC_COUNT(promises); k++) {
        if ((law->promises & promises[k].flag) != 0 && i-- == 0) return promises[k].text;
    }
    return NULL;
}

/* ---- pieces */

static void add_fact(cli_table *table, const char *name, const char *value, const char *meaning)
{
    CLI_ROW(table, name, value, meaning);
}

/* "+0.0321", "-0.0159", "0" */
static ic_hint error_text(double error)
{
    ic_hint text;
    snprintf(text.text, sizeof text.text, "%s%s", error > 0 ? "+" : "",
             ic_number_short(error, ERROR_DIGITS).text);
    return text;
}

/* ---- description of the law */

static bool print_facts(const ic_law *law)
{
    cli_table *table = cli_table_of("||");
    add_fact(table, "source", law->source, "");
    if (law->basis != NULL) add_fact(table, "basis", law->basis, "");
    if (law->promises == 0) add_fact(table, "promises", "(none)", "");
    for (size_t i = 0; cli_law_promise(law, i) != NULL; i++) {
        add_fact(table, i == 0 ? "promises" : "", cli_law_promise(law, i), "");
    }
    return cli_table_finish(table, INDENT, false);
}

/* "1e10 N/m^n", "3/2 = 1.5" */
static ic_hint parameter_text(const ic_parameters *parameters, size_t i)
{
    const char *exact = parameters->text[i], *unit = parameters->table[i].unit;
    const bool plain = strspn(exact, "0123456789.eE+-") == strlen(exact);
    const bool has_unit = strcmp(unit, "1") != 0;
    ic_hint text;
    snprintf(text.text, sizeof text.text, "%.60s%s%s%s%s", exact, plain ? "" : " = ",
             plain ? "" : ic_number_short(parameters->value[i], DIGITS).text, has_unit ? " " : "",
             has_unit ? unit : "");
    return text;
}

static bool print_parameters(const ic_parameters *parameters)
{
    cli_table *table = cli_table_of("||");
    cli_table_heading("Parameters");
    for (size_t i = 0; i < parameters->n; i++) {
        add_fact(table, parameters->table[i].name, parameter_text(parameters, i).text,
                 parameters->table[i].meaning);
    }
    return cli_table_finish(table, INDENT, false);
}

/* ---- results of an impact */

static void add_number(cli_table *table, const char *name, double value, const char *unit, const char *meaning)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s%s", ic_number_short(value, DIGITS).text, unit[0] == '\0' ? "" : " ",
             unit);
    add_fact(table, name, text, meaning);
}

static void add_restitution(cli_table *table, double wanted, double restitution)
{
    char text[256];
    snprintf(text, sizeof text, "coefficient of restitution; prescribed %s: error %s",
             ic_number_short(wanted, DIGITS).text, error_text(restitution - wanted).text);
    add_number(table, "e_out", restitution, "", isnan(wanted) ? "coefficient of restitution" : text);
}

static bool print_impact(const cli_law_result *result)
{
    char title[128];
    cli_table *table = cli_table_of("||");
    snprintf(title, sizeof title, "Free impact of %s kg at %s m/s", ic_number_short(result->mass, DIGITS).text,
             ic_number_short(result->speed, DIGITS).text);
    cli_table_heading(title);
    if (result->law->dashpot != NULL)
        add_number(table, "zeta", result->impact.damping, "", "damping, c/(2 sqrt(k m))");
    else add_number(table, "a", result->impact.damping, "", "damping");
    add_restitution(table, result->wanted, result->impact.restitution);
    add_number(table, "u_peak", result->impact.u_peak, "", "velocity over impact speed, at the greatest force");
    add_number(table, "d_peak", result->impact.peak_indentation, "m", "greatest indentation");
    add_number(table, "F_peak", result->impact.peak_force, "N", "greatest force");
    if (isinf(result->duration))
        add_fact(table, "T", "infinite", "duration of contact, certified: it never opens");
    else if (!isnan(result->duration))
        add_number(table, "T", result->duration, "s", "duration of contact, certified");
    return cli_table_finish(table, INDENT, false);
}

static bool print_curve(const cli_law_result *result)
{
    cli_table *table = cli_table_of("e_in.|a.|e_out.|error.");
    cli_table_heading("Prescribed restitution, and restitution in effect");
    for (size_t i = TENTH - 1; i < CLI_LAW_POINTS - 1; i += TENTH) {
        const cli_law_point *point = &result->curve[i];
        CLI_ROW(table, ic_number_short(point->wanted, DIGITS).text,
                ic_number_short(point->damping, DIGITS).text, ic_number_short(point->restitution, DIGITS).text,
                error_text(point->restitution - point->wanted).text);
    }
    return cli_table_finish(table, INDENT, true);
}

bool cli_law_print(const cli_law_result *result)
{
    const ic_law *law = result->law;
    printf("%s  %s\n", cli_paint(stdout, CLI_BOLD, law->name).text, law->title);
    if (!print_facts(law) || !print_parameters(&result->parameters)) return false;
    if (!ic_law_is_solved(law)) {
        printf("\n"
               "The law has no first integral, and is not linear: "
               "the result of an impact is not known in closed form.\n");
        return true;
    }
    return print_impact(result) && (!result->has_curve || print_curve(result));
}
