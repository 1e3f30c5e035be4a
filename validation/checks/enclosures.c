/* SPDX-License-Identifier: MIT */
#include "validation/checks/enclosures.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/certified.h"
#include "validation/truth.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SECONDS = 90 };

/*
 * Of more than four times STRIDE events, only one in STRIDE and the last ones are stored with their times, where names
 * repeat. STRIDE is a prime, and more than the usual periods of names, so that events of each name are met.
 */
enum { STRIDE = 11, LAST_ONES = 4 };

static void write_ball(FILE *out, const arb_t ball)
{
    char *value = NULL, *radius = NULL;
    if (ic_ball_decimal(&value, &radius, ball, IC_STORED_DIGITS)) fprintf(out, ";%s;%s", value, radius);
    free(value);
    free(radius);
}

static bool same_names(const ic_ball_event *a, const ic_ball_event *b)
{
    return strcmp(a->name, b->name) == 0 && a->mode_from == b->mode_from && a->mode_to == b->mode_to;
}

/* The distance at which the names of all events from number `from` to before `to` repeat earlier ones; 0: none. */
static size_t period_of(const ic_certificate *c, size_t from, size_t to)
{
    for (size_t period = 1; period <= from; period++) {
        size_t i = from;
        while (i < to && same_names(&c->events[i], &c->events[i - period])) i++;
        if (i == to) return period;
    }
    return 0;
}

/* The next event after number i that is stored with its time. All of an accumulation are. */
static size_t next_stored(const ic_certificate *c, size_t i)
{
    size_t next = (i / STRIDE + 1) * STRIDE;
    if (c->count <= 4 * (size_t)STRIDE || i + LAST_ONES >= c->count) return i + 1;
    if (next + LAST_ONES > c->count) next = c->count - LAST_ONES;
    for (size_t k = i + 1; k < c->count; k++) {
        if (c->events[k].kind == IC_EVENT_ACCUMULATION) return i + 1;
    }
    return c->status == IC_OK && period_of(c, i + 1, next) > 0 ? next : i + 1;
}

/* How many events before number `to` are omitted, which earlier ones they repeat, and the mean of their times. */
static void write_omitted(FILE *out, const ic_certificate *c, size_t from, size_t to)
{
    IC_BALLS(mean);
    for (size_t i = from; i < to; i++) arb_add(mean, mean, c->events[i].t, c->precision);
    arb_div_ui(mean, mean, to - from, c->precision);
    fprintf(out, ";%zu;%zu", to - from, period_of(c, from, to));
    write_ball(out, mean);
}

static void write_event(FILE *out, const ic_mode *modes, const ic_ball_event *event)
{
    fprintf(out, event->kind == IC_EVENT_ACCUMULATION ? "limit" : "event");
    write_ball(out, event->t);
    fprintf(out, ";%s;%s;%s", event->name, modes[event->mode_from].name, modes[event->mode_to].name);
}

/* The lines of a preset, without its name. */
static void write_certificate(FILE *out, const ic_problem *problem, const ic_certificate *c)
{
    const ic_mode *modes = problem->variant->modes;
    fprintf(out, "status;%s;%s\n", ic_status_name(c->status), c->reason);
    for (size_t i = 0, from = 0; i < c->count; from = i + 1, i = next_stored(c, i)) {
        write_event(out, modes, &c->events[i]);
        if (from < i) write_omitted(out, c, from, i);
        fprintf(out, "\n");
    }
    fprintf(out, "end");
    write_ball(out, c->t);
    fprintf(out, ";%s\n", modes[c->mode].name);
    for (slong k = 0; k < c->n; k++) {
        fprintf(out, "state;%s", problem->system->states[k].name);
        write_ball(out, c->x + k);
        fprintf(out, "\n");
    }
}

/* Certifies a preset. The text of its certificate is to be freed; NULL: it has none, or `error` gives the reason. */
static char *certify_preset(const ic_case *system, size_t preset, ic_error *error)
{
    char path[128], *text = NULL;
    size_t size = 0;
    ic_setup setup;
    ic_certificate c;
    snprintf(path, sizeof path, "%s/%s", system->name, system->presets[preset].name);
    if (!ic_setup_open(&setup, &(ic_request){.path = path}, error)) return NULL;
    FILE *stream = setup.problem.variant->free_impact != NULL ? NULL /* answers come from its closed form */
                                                              : open_memstream(&text, &size);
    if (stream != NULL) {
        ic_certify_case(&c, &setup.problem,
                        &(ic_certify_options){.digits = IC_CERTIFIED_DIGITS, .time_limit = MOST_SECONDS});
        write_certificate(stream, &setup.problem, &c);
        fclose(stream);
        fprintf(stderr, "%s: %s, %zu events, %ld bits\n", path, ic_status_name(c.status), c.count,
                (long)c.precision);
        ic_certificate_clear(&c);
    }
    ic_setup_close(&setup);
    return text;
}

/* Writes the lines of a preset, or the name of an earlier one with the same lines. */
static void write_lines(FILE *out, const ic_case *system, char *const *texts, size_t preset)
{
    const char *name = system->presets[preset].name;
    for (size_t p = 0; p < preset; p++) {
        if (texts[p] == NULL || strcmp(texts[p], texts[preset]) != 0) continue;
        fprintf(out, "%s;same as;%s\n", name, system->presets[p].name);
        return;
    }
    for (const char *line = texts[preset]; *line != '\0'; line += strcspn(line, "\n") + 1)
        fprintf(out, "%s;%.*s\n", name, (int)strcspn(line, "\n"), line);
}

bool ic_enclosures_write(FILE *out, const ic_case *system, ic_error *error)
{
    fprintf(out, "# Certified enclosures of the presets of '%s', from the start to each preset's own end.\n",
            system->name);
    fprintf(out,
            "# Made by impactcheck-enclosures (validation/checks/enclosures.c) from reference/flow/certify.c: "
            "Taylor series in\n");
    fprintf(
        out,
        "# ball arithmetic with proven remainders and proof that no event is skipped; %d digits or better.\n"
        "# too_much_work: the proof ends after %d s of processor time.\n",
        IC_CERTIFIED_DIGITS, MOST_SECONDS);
    fprintf(out, "# Parameters are exact: the texts of cases/, with pi itself.\n");
    char **texts = calloc(system->n_presets, sizeof *texts);
    error->text[0] = '\0';
    for (size_t p = 0; p < system->n_presets && texts != NULL && error->text[0] == '\0'; p++) {
        texts[p] = certify_preset(system, p, error);
        if (texts[p] != NULL) write_lines(out, system, texts, p);
    }
    for (size_t p = 0; p < system->n_presets && texts != NULL; p++) free(texts[p]);
    free(texts);
    return texts != NULL && error->text[0] == '\0';
}
