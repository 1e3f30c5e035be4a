/* SPDX-License-Identifier: MIT */
/* The coefficient of restitution that is asked of a contact-force law, and the one that comes out of it: exact curves. */
#include "core/free_impact.h"
#include "core/parameters.h"
#include "core/registry.h"
#include "validation/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* e = 0.01, 0.02, ..., 1 */
enum { PARTS = 100 };

/* An error that a user would call wrong; the number is ours. */
#define WRONG 0.05

enum { LAW, E_IN, DAMPING, E_OUT, ERROR };

static const ic_study_column columns[] = {
    [LAW] = {"law", NULL, "contact-force law"},
    [E_IN] = {"e_in", "1", "coefficient of restitution that is asked for"},
    [DAMPING] = {"a", "1", "damping factor that the law makes of it"},
    [E_OUT] = {"e_out", "1", "coefficient of restitution of a free impact"},
    [ERROR] = {"error", "1", "e_out - e_in"},
};

static bool has_restitution(const ic_law *law)
{
    for (size_t i = 0; i < law->n_parameters; i++) {
        if (ic_law_is_solved(law) && strcmp(law->parameters[i].name, "e") == 0) return true;
    }
    return false;
}

static void add_law(ic_study_data *data, const ic_law *law)
{
    ic_parameters parameters;
    ic_error error;
    bool good = ic_parameters_open(&parameters, "law", law->name, law->parameters, law->n_parameters, &error);
    for (int k = 1; k <= PARTS && good; k++) {
        char setting[32];
        ic_impact_outcome outcome = {0};
        snprintf(setting, sizeof setting, "e=%d/%d", k, PARTS);
        good = ic_parameters_set(&parameters, setting, &error) && ic_parameters_evaluate(&parameters, &error) &&
               ic_law_impact(&outcome, law, parameters.value, 1, 1, &error);
        if (!good) break;
        const double e = (double)k / PARTS, out = outcome.restitution;
        ic_study_text(data, law->name);
        ic_study_number(data, e);
        ic_study_number(data, outcome.damping);
        ic_study_number(data, out);
        ic_study_number(data, out - e);
    }
    if (!good) ic_study_fail(data, "%s", error.text);
    ic_parameters_close(&parameters);
}

/* Rows of a law stand together, e rising. */
static void find_law(ic_study_data *data, size_t first)
{
    double worst = 0, worst_at = 0, wrong_below = 0;
    for (size_t i = first; i < first + PARTS; i++) {
        const double e = ic_study_at(data, i, E_IN)->number, off = ic_study_at(data, i, ERROR)->number;
        if (fabs(off) > fabs(worst)) worst = off, worst_at = e;
        if (fabs(off) > WRONG) wrong_below = e;
    }
    const double near_one = ic_study_at(data, first + PARTS - 2, ERROR)->number; /* e = 0.99 */
    ic_study_finding(
        data,
        "%s: at most %+.3f off, at e = %.2f; %s%.2f; for e -> 1 energy losses are %.3f of what they "
        "should be.",
        ic_study_at(data, first, LAW)->text, worst, worst_at,
        wrong_below > 0 ? "more than 0.05 off up to e = " : "never more than 0.05 off, down to e = ",
        wrong_below > 0 ? wrong_below : 0.01, 1 - near_one * PARTS);
}

static void run(ic_study_data *data)
{
    size_t laws = 0;
    for (size_t l = 0; l < ic_law_count && !data->failed; l++) {
        if (!has_restitution(ic_laws[l])) continue;
        add_law(data, ic_laws[l]);
        laws++;
    }
    for (size_t l = 0; l < laws && !data->failed; l++) find_law(data, l * PARTS);
}

const ic_study ic_study_law_restitution = {
    .name = "law-restitution",
    .title = "Contact-force laws: restitution asked for, and restitution that comes out",
    .question = "Does a contact-force law give the coefficient of restitution that it is given?",
    .columns = columns,
    .n_columns = IC_COUNT(columns),
    .run = run,
};
