/* SPDX-License-Identifier: MIT */
#include "validation/checks/enclosures.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/certified.h"
#include "validation/truth.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_SECONDS = 90 };

static void write_ball(FILE *out, const arb_t ball)
{
    char *value = NULL, *radius = NULL;
    if (ic_ball_decimal(&value, &radius, ball, IC_STORED_DIGITS)) fprintf(out, ";%s;%s", value, radius);
    free(value);
    free(radius);
}

static void write_certificate(FILE *out, const char *preset, const ic_problem *problem, const ic_certificate *c)
{
    const ic_mode *modes = problem->variant->modes;
    fprintf(out, "%s;status;%s;%s\n", preset, ic_status_name(c->status), c->reason);
    for (size_t i = 0; i < c->count; i++) {
        const ic_ball_event *event = &c->events[i];
        fprintf(out, "%s;event", preset);
        write_ball(out, event->t);
        fprintf(out, ";%s;%s;%s\n", event->name, modes[event->mode_from].name, modes[event->mode_to].name);
    }
    fprintf(out, "%s;end", preset);
    write_ball(out, c->t);
    fprintf(out, ";%s\n", modes[c->mode].name);
    for (slong k = 0; k < c->n; k++) {
        fprintf(out, "%s;state;%s", preset, problem->system->states[k].name);
        write_ball(out, c->x + k);
        fprintf(out, "\n");
    }
}

bool ic_enclosures_write(FILE *out, const ic_case *system, ic_error *error)
{
    fprintf(out, "# Certified enclosures of the presets of '%s', from the start to each preset's own end.\n",
            system->name);
    fprintf(out, "# Made by impactcheck-enclosures (validation/checks/enclosures.c) from reference/certify.c: "
                 "Taylor series in\n");
    fprintf(
        out,
        "# ball arithmetic with proven remainders and proof that no event is skipped; %d digits or better.\n"
        "# too_much_work: the proof ends after %d s of processor time.\n",
        IC_CERTIFIED_DIGITS, MOST_SECONDS);
    fprintf(out, "# Parameters are exact: the texts of cases/, with pi itself.\n");
    if (system->text != NULL) fprintf(out, IC_DIGEST_LINE "%016" PRIx64 "\n", ic_motion_digest(system->text));
    for (size_t p = 0; p < system->n_presets; p++) {
        char path[128];
        ic_setup setup;
        ic_certificate c;
        snprintf(path, sizeof path, "%s/%s", system->name, system->presets[p].name);
        if (!ic_setup_open(&setup, &(ic_request){.path = path}, error)) return false;
        if (setup.problem.variant->free_impact != NULL) { /* answers come from its closed form */
            ic_setup_close(&setup);
            continue;
        }
        ic_certify_case(&c, &setup.problem,
                        &(ic_certify_options){.digits = IC_CERTIFIED_DIGITS, .time_limit = MOST_SECONDS});
        write_certificate(out, system->presets[p].name, &setup.problem, &c);
        fprintf(stderr, "%s: %s, %zu events, %ld bits\n", path, ic_status_name(c.status), c.count,
                (long)c.precision);
        ic_certificate_clear(&c);
        ic_setup_close(&setup);
    }
    return true;
}
