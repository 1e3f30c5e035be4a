/* SPDX-License-Identifier: MIT */
/* Stored enclosures: one file for each case, lines of fields separated by semicolons,
 *
 *     PRESET;status;NAME;REASON
 *     PRESET;event;T;RADIUS;GUARD;MODE FROM;MODE TO[;OMITTED;PERIOD;MEAN;RADIUS]
 *     PRESET;limit;T;RADIUS;GUARD;MODE FROM;MODE TO       of an accumulation
 *     PRESET;end;T;RADIUS;MODE
 *     PRESET;state;NAME;VALUE;RADIUS
 *
 * in the order of time. Just before an event, OMITTED others may be without a line of their own: their names and
 * modes are those of the events PERIOD earlier, and MEAN is the mean of their times.
 * Numbers are decimal; a radius includes the rounding of its number. A line
 * "# text: DIGEST" binds the file to the equations of the case file; without it, it serves any case
 * of this name. */
#include "validation/truth.h"
#include "core/array.h"
#include "core/names.h"
#include "reference/embedded.h"
#include "registry/registry.h"
#include "validation/certified.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 11, LONGEST_LINE = 512 };

void ic_truth_clear(ic_truth *truth)
{
    free(truth->events);
    *truth = (ic_truth){0};
}

bool ic_truth_counterpart(ic_event *event, size_t *at, const ic_log *log, const ic_truth *truth, size_t i,
                          double tolerance)
{
    const ic_truth_event *certified = &truth->events[i];
    const size_t count = ic_log_event_count(log);
    const bool ends = ic_log_problem(log)->variant->modes[certified->mode_to].terminal;
    if (*at >= count) return false;
    *event = ic_log_event_at(log, (*at)++);
    while (ends && *at < count && strcmp(event->name, certified->name) != 0 &&
           fabs(event->t - certified->t) <= tolerance) {
        *event = ic_log_event_at(log, (*at)++);
        event->mode_from = certified->mode_from;
    }
    return true;
}

size_t ic_truth_limit(const ic_truth *truth, size_t i)
{
    while (i < truth->count && !truth->events[i].limit) i++;
    return i;
}

static ic_truth_event *add_event(ic_truth *truth)
{
    ic_truth_event *events = ic_array_reserve(truth->events, &truth->capacity, truth->count, sizeof *events);
    if (events == NULL) return NULL;
    truth->events = events;
    truth->events[truth->count] = (ic_truth_event){.limit = false};
    return &truth->events[truth->count++];
}

/* ---- fresh */

static void to_double(double *value, double *radius, const arb_t ball)
{
    *value = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    *radius = mag_get_d(arb_radref(ball)) + fabs(*value) * DBL_EPSILON;
}

void ic_truth_certify(ic_truth *truth, const ic_problem *problem, long digits)
{
    ic_truth_certify_within(truth, problem, digits, 0);
}

void ic_truth_certify_within(ic_truth *truth, const ic_problem *problem, long digits, double seconds)
{
    ic_certificate c;
    *truth = (ic_truth){0};
    ic_certify_case(&c, problem, &(ic_certify_options){.digits = digits, .time_limit = seconds});
    truth->t_end = arf_get_d(arb_midref(c.t), ARF_RND_NEAR);
    truth->status = c.status;
    truth->mode = c.mode;
    snprintf(truth->reason, sizeof truth->reason, "%s", c.reason);
    for (size_t i = 0; i < c.count; i++) {
        ic_truth_event *event = add_event(truth);
        if (event == NULL) {
            truth->status = IC_NO_MEMORY;
            break;
        }
        to_double(&event->t, &event->radius, c.events[i].t);
        snprintf(event->name, sizeof event->name, "%s", c.events[i].name);
        event->mode_from = c.events[i].mode_from;
        event->mode_to = c.events[i].mode_to;
        event->limit = c.events[i].kind == IC_EVENT_ACCUMULATION;
    }
    for (slong k = 0; k < c.n; k++) to_double(&truth->x[k], &truth->radius[k], c.x + k);
    ic_certificate_clear(&c);
}

/* ---- stored */

typedef struct stored_file {
    const ic_case *system;
    const ic_variant *variant;
    const char *preset;
    ic_truth *truth;
    char *fields[MOST_FIELDS];
    int n_fields;
    bool seen;

    /* The preset above whose lines serve this one, too. */
    char same[LONGEST_LINE];
} stored_file;

static bool take_number(double *value, const char *text)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* The radius in the file is that of the decimal; reading it as a double rounds it once more. */
static bool take_ball(double *value, double *radius, const char *value_text, const char *radius_text)
{
    if (!take_number(value, value_text) || !take_number(radius, radius_text) || *radius < 0) return false;
    *radius += fabs(*value) * DBL_EPSILON;
    return true;
}

static bool take_status(stored_file *f)
{
    static const ic_status statuses[] = {IC_OK, IC_ZENO, IC_UNDECIDED, IC_TOO_MUCH_WORK, IC_CHAIN};
    for (size_t i = 0; i < IC_COUNT(statuses); i++) {
        if (strcmp(f->fields[2], ic_status_name(statuses[i])) != 0) continue;
        f->truth->status = statuses[i];
        snprintf(f->truth->reason, sizeof f->truth->reason, "%s", f->n_fields > 3 ? f->fields[3] : "");
        return true;
    }
    return false;
}

static bool take_count(size_t *count, const char *text)
{
    char *end = NULL;
    *count = strtoul(text, &end, 10);
    return end != text && *end == '\0' && *count > 0;
}

/* Adds the untimed events before the one of this line. */
static bool take_omitted(stored_file *f, ic_truth_event *next)
{
    ic_truth *truth = f->truth;
    size_t period = 0;
    double mean = 0;
    if (!take_count(&next->omitted, f->fields[7]) || !take_count(&period, f->fields[8]) ||
        period > truth->count || !take_ball(&mean, &next->mean_radius, f->fields[9], f->fields[10]))
        return false;
    const double reach = fmax(mean - truth->events[truth->count - 1].t, next->t - mean);
    for (size_t i = 0; i < next->omitted; i++) {
        ic_truth_event *event = add_event(truth);
        if (event == NULL) return false;
        *event = event[-(ptrdiff_t)period];
        event->t = mean;
        event->radius = reach;
        event->untimed = true;
        event->omitted = 0;
    }
    return true;
}

static bool take_event(stored_file *f)
{
    ic_truth_event event = {.limit = strcmp(f->fields[1], "limit") == 0};
    if (f->n_fields != 7 && f->n_fields != 11) return false;
    snprintf(event.name, sizeof event.name, "%s", f->fields[4]);
    event.mode_from = ic_mode_find(f->variant, f->fields[5]);
    event.mode_to = ic_mode_find(f->variant, f->fields[6]);
    if (event.mode_from < 0 || event.mode_to < 0 ||
        !take_ball(&event.t, &event.radius, f->fields[2], f->fields[3]) ||
        (f->n_fields == 11 && !take_omitted(f, &event)))
        return false;
    ic_truth_event *last = add_event(f->truth);
    if (last != NULL) *last = event;
    return last != NULL;
}

static bool take_state(stored_file *f)
{
    for (size_t i = 0; f->n_fields == 5 && i < f->system->n_states; i++) {
        if (strcmp(f->fields[2], f->system->states[i].name) != 0) continue;
        return take_ball(&f->truth->x[i], &f->truth->radius[i], f->fields[3], f->fields[4]);
    }
    return false;
}

static bool take_end(stored_file *f)
{
    double radius = 0;
    if (f->n_fields != 5) return false;
    f->truth->mode = ic_mode_find(f->variant, f->fields[4]);
    return f->truth->mode >= 0 && take_ball(&f->truth->t_end, &radius, f->fields[2], f->fields[3]);
}

static bool take_line(stored_file *f, char *line)
{
    f->n_fields = 0;
    for (char *at = line; at != NULL && f->n_fields < MOST_FIELDS;) {
        char *separator = strchr(at, ';');
        f->fields[f->n_fields++] = at;
        if (separator != NULL) *separator++ = '\0';
        at = separator;
    }
    if (strcmp(f->fields[0], f->preset) != 0) return true; /* a line of another preset */
    f->seen = true;
    if (f->n_fields < 3) return false;
    if (strcmp(f->fields[1], "same as") == 0) {
        snprintf(f->same, sizeof f->same, "%s", f->fields[2]);
        return f->preset != f->same;
    }
    if (strcmp(f->fields[1], "status") == 0) return take_status(f);
    if (strcmp(f->fields[1], "event") == 0 || strcmp(f->fields[1], "limit") == 0) return take_event(f);
    if (strcmp(f->fields[1], "state") == 0) return take_state(f);
    return strcmp(f->fields[1], "end") == 0 && take_end(f);
}

/* A case file of the same name may be a changed copy of the built-in case. */
static const ic_embedded *stored_for(const ic_case *system)
{
    char path[128];
    if (!ic_registry_is_built_in()) return NULL;
    snprintf(path, sizeof path, "enclosures/%s.csv", system->name);
    for (size_t i = 0; i < ic_embedded_count; i++) {
        if (strcmp(ic_embedded_files[i].path, path) == 0) return &ic_embedded_files[i];
    }
    return NULL;
}

bool ic_truth_stored(ic_truth *truth, const ic_case *system, const ic_preset *preset, char *error, size_t size)
{
    const ic_embedded *file = stored_for(system);
    stored_file f = {.system = system, .preset = preset->name, .truth = truth};
    *truth = (ic_truth){.status = IC_IO};
    error[0] = '\0';
    for (size_t i = 0; i < system->n_variants; i++) {
        if (strcmp(system->variants[i].name, preset->variant) == 0) f.variant = &system->variants[i];
    }
    if (file == NULL || f.variant == NULL) return false;
    int number = 1;
    for (const char *at = file->text; at < file->text + file->length; number++) {
        char line[LONGEST_LINE];
        const size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        at += length + 1;
        if (line[0] == '#' || line[0] == '\0' || take_line(&f, line)) {
            if (f.preset == f.same || f.same[0] == '\0') continue;
            f.preset = f.same;
            at = file->text;
            number = 0;
            continue;
        }
        snprintf(error, size, "reference/%s:%d: the line cannot be read", file->path, number);
        ic_truth_clear(truth);
        return false;
    }
    if (!f.seen) ic_truth_clear(truth);
    return f.seen;
}

/* Digits of the answers to free impacts. */
#define IMPACT_DIGITS 18

/* Exactly the doubles that a solver receives. */
void ic_free_impact_certify(ic_law_certificate *c, const ic_problem *problem)
{
    ic_problem in_doubles = *problem;
    in_doubles.par_text = NULL;
    ic_law_certify_problem(c, &in_doubles, IMPACT_DIGITS);
}
