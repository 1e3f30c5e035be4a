/* SPDX-License-Identifier: MIT */
#include "validation/certified.h"
#include "reference/judge/judge.h"
#include "registry/registry.h"

#include <string.h>

/* The name of an event as the problem has it. */
static const char *own_name(const ic_problem *problem, const ic_ball_event *event)
{
    const ic_variant *variant = problem->variant;
    const ic_mode *mode = &variant->modes[event->mode_from];
    for (size_t i = 0; event->kind != IC_EVENT_TIME && i < mode->n_guards; i++) {
        if (strcmp(mode->guards[i].name, event->name) == 0) return mode->guards[i].name;
    }
    for (size_t i = 0; event->kind == IC_EVENT_TIME && i < variant->n_time_events; i++) {
        if (strcmp(variant->time_events[i].name, event->name) == 0) return variant->time_events[i].name;
    }
    return "";
}

void ic_certify_case(ic_certificate *c, const ic_problem *problem, const ic_certify_options *options)
{
    ic_setup exact;
    ic_error error;
    if (!ic_setup_exact(&exact, problem, &error)) {
        ic_certify(c, problem, options);
        return;
    }
    ic_certify_judged(c, &exact.problem, options, NULL);
    for (size_t i = 0; i < c->count; i++) c->events[i].name = own_name(problem, &c->events[i]);
    ic_setup_close(&exact);
}
