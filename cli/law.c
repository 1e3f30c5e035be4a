/* SPDX-License-Identifier: MIT */
/* impactcheck law: a contact-force law, with prescribed restitution and restitution in effect. */
#include "cli/law.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/instance.h"
#include "cli/table.h"
#include "core/free_impact.h"
#include "core/names.h"
#include "reference/law/contact_law.h"
#include "registry/registry.h"
#include "reports/json.h"
#include "reports/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SET, MASS, SPEED, CURVE, JSON, QUIET };
enum { DURATION_DIGITS = 10 };

static const cli_option options[] = {
    [SET] = {CLI_OPTION_SET},
    [MASS] = {"--mass", "M", "mass of the impact, kg; default 1", false},
    [SPEED] = {"--speed", "V", "impact speed, m/s; default 1", false},
    [CURVE] = {"--curve", "FILE",
               "write prescribed restitution, damping and restitution in effect at 1000 points, as CSV", false},
    [JSON] = {CLI_OPTION_JSON},
    [QUIET] = {"--quiet", NULL, "no tables; --json and --curve are still written", false},
};

/* ---- without a name */

static int list_json(void)
{
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    ic_json_array(&json, "laws");
    for (size_t i = 0; i < ic_law_count; i++) {
        IC_JSON_ROW(&json, NULL, IC_TEXT("name", ic_laws[i]->name), IC_TEXT("title", ic_laws[i]->title),
                    IC_TEXT("source", ic_laws[i]->source));
    }
    ic_json_end(&json);
    ic_json_end(&json);
    return CLI_GOOD;
}

static int list_laws(const cli_arguments *arguments)
{
    for (size_t i = 0; i < arguments->n_given; i++) {
        if (arguments->given[i].option == JSON) continue;
        return cli_bad_input(arguments->command,
                             "option %s needs the NAME of a law (impactcheck law shows all)",
                             options[arguments->given[i].option].name);
    }
    if (cli_has(arguments, JSON)) return list_json();
    cli_table *table = cli_table_of("law|title|source");
    for (size_t i = 0; i < ic_law_count; i++) {
        CLI_ROW(table, ic_laws[i]->name, ic_laws[i]->title, ic_laws[i]->source);
    }
    return cli_table_finish(table, 0, false) ? CLI_GOOD : cli_no_memory(arguments->command);
}

/* ---- results of a law */

/*
 * A point of the curve. It stays NAN if the law does not accept this e, or if its damping is then
 * not finite.
 */
static bool evaluate_point(cli_law_point *point, ic_parameters *parameters, const cli_law_result *result)
{
    char setting[64];
    ic_error error;
    ic_impact_outcome outcome;
    snprintf(setting, sizeof setting, "e=%s", ic_number_exact(point->wanted).text);
    if (!ic_parameters_set(parameters, setting, &error)) return false;
    if (!ic_parameters_evaluate(parameters, &error)) return true;
    if (!ic_law_impact(&outcome, result->law, parameters->value, result->mass, result->speed, &error))
        return true;
    point->damping = outcome.damping;
    point->restitution = outcome.restitution;
    return true;
}

/* `parameters` are changed: e is set for each point. */
static bool evaluate_curve(cli_law_result *result, ic_parameters *parameters)
{
    const ic_law *law = result->law;
    result->has_curve = ic_law_is_solved(law) && ic_law_parameter(law, "e") < law->n_parameters;
    for (size_t i = 0; result->has_curve && i < CLI_LAW_POINTS; i++) {
        cli_law_point *point = &result->curve[i];
        *point = (cli_law_point){(double)(i + 1) / CLI_LAW_POINTS, NAN, NAN};
        if (!evaluate_point(point, parameters, result)) return false;
    }
    return true;
}

/* ---- the request */

static const ic_law *find_law(const cli_arguments *arguments)
{
    const char *name = arguments->operands[0];
    const ic_law *law = ic_law_find(name);
    ic_nearest nearest = {.wrong = name};
    if (law != NULL) return law;
    for (size_t i = 0; i < ic_law_count; i++) ic_nearest_offer(&nearest, ic_laws[i]->name);
    cli_nearest_unknown(&nearest, arguments->command, "law", "law");
    return NULL;
}

static bool open_parameters(ic_parameters *parameters, const ic_law *law, const char *const *settings, size_t n,
                            ic_error *error)
{
    if (!ic_parameters_open(parameters, "law", law->name, law->parameters, law->n_parameters, error))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!ic_parameters_set(parameters, settings[i], error)) return false;
    }
    return ic_parameters_evaluate(parameters, error);
}

/* Parameters are exact, mass and speed the doubles that were read. */
static double certified_duration(const cli_law_result *result)
{
    const ic_number_text mass = ic_number_exact(result->mass), speed = ic_number_exact(result->speed);
    ic_law_certificate certificate;
    double duration = NAN;
    ic_law_certificate_init(&certificate);
    ic_law_certify(&certificate, result->law, (const char *const *)result->parameters.text, mass.text,
                   speed.text, DURATION_DIGITS);
    if (certificate.status == IC_OK) duration = arf_get_d(arb_midref(certificate.duration), ARF_RND_NEAR);
    ic_law_certificate_clear(&certificate);
    flint_cleanup();
    return duration;
}

/* The law with its parameters, twice, because the curve changes e. */
static bool evaluate_law(cli_law_result *result, const cli_arguments *arguments)
{
    ic_parameters varied = {0};
    ic_error error;
    size_t n = 0;
    const char **settings = cli_settings(arguments, SET, &n);
    if (settings == NULL) return false;
    const bool good = open_parameters(&result->parameters, result->law, settings, n, &error) &&
                      open_parameters(&varied, result->law, settings, n, &error) &&
                      ic_law_impact(&result->impact, result->law, result->parameters.value, result->mass,
                                    result->speed, &error);
    free(settings);
    if (!good) cli_bad_input(arguments->command, "%s", error.text);
    if (good && ic_law_parameter(result->law, "e") < result->law->n_parameters)
        result->wanted = result->parameters.value[ic_law_parameter(result->law, "e")];
    if (good) result->duration = certified_duration(result);
    const bool whole = good && evaluate_curve(result, &varied);
    if (good && !whole) cli_no_memory(arguments->command);
    ic_parameters_close(&varied);
    return whole;
}

/* Checks that the options are meaningful for this law. */
static bool law_has_it(const cli_arguments *arguments, const ic_law *law)
{
    const bool impact = cli_has(arguments, MASS) || cli_has(arguments, SPEED);
    if (!ic_law_is_solved(law) && (impact || cli_has(arguments, CURVE)))
        return cli_refuse(arguments->command,
                          "law '%s' has no first integral, and is not linear: option %s has no meaning for it",
                          law->name, impact ? cli_has(arguments, MASS) ? "--mass" : "--speed" : "--curve");
    if (!cli_has(arguments, CURVE) || ic_law_parameter(law, "e") < law->n_parameters) return true;
    return cli_refuse(arguments->command, "option --curve: law '%s' has no parameter e", law->name);
}

static int report_law(const cli_arguments *arguments, const cli_law_result *result, cli_file *file)
{
    if (file->stream != NULL) cli_law_csv(result, file->stream);
    const bool written = cli_file_finish(file, arguments, NULL);
    if (cli_has(arguments, JSON)) cli_law_json(result, stdout);
    else if (!cli_has(arguments, QUIET) && !cli_law_print(result)) return cli_no_memory(arguments->command);
    return written ? CLI_GOOD : CLI_FAILURE;
}

static int run_law(const cli_arguments *arguments)
{
    cli_file file = {0};
    cli_law_result result = {.mass = 1, .speed = 1, .wanted = NAN};
    if (arguments->n_operands == 0) return list_laws(arguments);
    result.law = find_law(arguments);
    const bool good = result.law != NULL && law_has_it(arguments, result.law) &&
                      cli_positive(arguments, MASS, INFINITY, &result.mass) &&
                      cli_positive(arguments, SPEED, INFINITY, &result.speed) &&
                      evaluate_law(&result, arguments) && cli_file_open_option(&file, arguments, CURVE);
    const int status = good ? report_law(arguments, &result, &file) : CLI_BAD_INPUT;
    cli_file_discard(&file);
    ic_parameters_close(&result.parameters);
    return status;
}

const cli_command cli_law = {
    .name = "law",
    .operands = "[NAME]",
    .least = 0,
    .most = 1,
    .title = "A contact-force law: prescribed restitution and restitution in effect.",
    .details =
        "Without NAME, the command lists the laws, one on a line. "
        "With NAME, it shows source, parameters and promises of the law, and a free impact: "
        "damping, restitution, greatest indentation and force, in closed form, and the certified duration of contact. "
        "impactcheck list laws --long explains the parameters.",
    CLI_OPTIONS(options),
    .run = run_law,
};
