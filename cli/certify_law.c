/* SPDX-License-Identifier: MIT */
#include "cli/certified.h"
#include "reference/law/contact_law.h"

#include <stdio.h>

/* Rows of the path: u = 1, 3/4, ..., above -e_out, and -e_out. */
enum { PARTS = 4, LAST_PART = 2 * PARTS };

/* An answer has the name of the output whose final value it is. */
static cli_quantity *add_answer(cli_certified *answer, const char *name, const char *unit, const char *meaning,
                                arb_srcptr value)
{
    cli_quantity *added = cli_certified_add(answer, &answer->outputs, name, value);
    added->unit = unit;
    added->meaning = meaning;
    return added;
}

/* The path in the phase plane, if the law has one. At both ends d = 0 exactly, by definition. */
static void add_path(cli_certified *answer, const ic_law_certificate *c)
{
    bool more = true;
    arb_t u, d;
    arb_init(u);
    arb_init(d);
    arb_one(u);
    cli_certified_add(answer, &answer->path, "u", u);
    cli_certified_add(answer, &answer->path, "d", d);
    for (slong i = 1; i <= LAST_PART && more; i++) {
        arb_set_si(u, PARTS - i);
        arb_div_si(u, u, PARTS, c->precision);
        arb_add(d, u, c->e_out, c->precision);
        more = arb_is_positive(d);
        if (!more) {
            arb_neg(u, c->e_out);
            arb_zero(d);
        } else if (!ic_law_indentation(d, c, u)) {
            break;
        }
        cli_certified_add(answer, &answer->path, "u", u);
        cli_certified_add(answer, &answer->path, "d", d);
    }
    if (more) cli_quantities_free(&answer->path);
    arb_clear(u);
    arb_clear(d);
}

static void fill_answer(cli_certified *answer, const ic_law_certificate *c)
{
    cli_certified_set_status(answer, c->status, "certified", c->message);
    answer->colour = CLI_GREEN;
    snprintf(answer->outcome, sizeof answer->outcome, " with %ld bits", (long)c->precision);
    if (!answer->has_json) return;
    answer->precision = c->precision;
    cli_certified_add_parameters(answer, true);
    answer->is_impact = answer->has_outputs = c->status == IC_OK;
    if (c->status != IC_OK) return;
    answer->opens = arb_is_finite(c->duration);
    const ic_free_impact *impact = answer->instance->setup.problem.variant->free_impact;
    add_answer(answer, impact->restitution, "1", "speed after the impact over that before", c->e_out);
    add_answer(answer, "u_peak", "1", "velocity over impact speed, at the greatest force", c->u_peak)
        ->no_output = true;
    add_answer(answer, impact->peak_indentation, "m", "greatest indentation", c->d_max);
    add_answer(answer, impact->peak_force, "N", "greatest force", c->F_max);
    add_answer(answer, impact->duration, "s", "of contact", c->duration);
    add_path(answer, c);
}

int cli_certify_law(const cli_arguments *arguments, const cli_instance *instance,
                    const cli_certified_format *format)
{
    ic_law_certificate certificate;
    cli_certified answer = {.instance = instance,
                            .format = *format,
                            .method = "the law's closed form in ball arithmetic; parameters are exact",
                            .outputs_title = "Free impact"};
    ic_law_certificate_init(&certificate);
    ic_law_certify_problem(&certificate, &instance->setup.problem, format->digits);
    fill_answer(&answer, &certificate);
    const int status = cli_certified_show(&answer, arguments->command);
    ic_law_certificate_clear(&certificate);
    flint_cleanup();
    return status;
}
