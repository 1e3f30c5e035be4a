/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene_answers.h"

#include "core/expression.h"
#include "core/model.h"
#include "reference/certify.h"
#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* bits at which outputs are enclosed */
#define PRECISION 128

/* A state at the end, or an output there. false: it has no value. */
static bool take_answer(double *value, const ic_problem *problem, const ic_certificate *c, const char *name)
{
    const ic_case *system = problem->system;
    arb_t output;
    for (size_t i = 0; i < system->n_states; i++) {
        if (strcmp(system->states[i].name, name) != 0) continue;
        *value = arf_get_d(arb_midref(c->x + i), ARF_RND_NEAR);
        return true;
    }
    size_t i = 0;
    while (i < system->n_outputs && strcmp(system->outputs[i].name, name) != 0) i++;
    if (i == system->n_outputs) return false;
    arb_init(output);
    const bool known =
        ic_certified_output(output, problem, &system->outputs[i], c->mode, c->t, c->x, PRECISION);
    *value = arf_get_d(arb_midref(output), ARF_RND_NEAR);
    arb_clear(output);
    return known;
}

static bool certify(double *answers, const ic_scene_file *file, const ic_problem *problem, ic_error *error)
{
    ic_certificate c;
    ic_certify(&c, problem, &(ic_certify_options){.digits = IC_SCENE_DIGITS});
    bool good = c.status == IC_OK;
    if (!good) ic_error_set(error, "case %s is not certified to its end: %s", file->answer.path, c.reason);
    for (size_t i = 0; good && i < file->answer.n_answers; i++) {
        good = take_answer(&answers[i], problem, &c, file->answer.answers[i]);
        if (!good)
            ic_error_set(error, "case %s: '%s' has no value at the end", file->answer.path,
                         file->answer.answers[i]);
    }
    ic_certificate_clear(&c);
    return good;
}

/* "NAME=VALUE" of each setting; one that memory lacks is NULL. */
static char **write_settings(const ic_scene_file *file, const double *par)
{
    const ic_scene_case *answer = &file->answer;
    char **settings = calloc(answer->n + 1, sizeof *settings);
    for (size_t i = 0; settings != NULL && i < answer->n; i++) {
        const double value = ic_scene_evaluate(&answer->values[i], &(ic_scene_values){.par = par});
        const size_t room = strlen(answer->names[i]) + 40;
        settings[i] = malloc(room);
        if (settings[i] != NULL) snprintf(settings[i], room, "%s=%.17g", answer->names[i], value);
    }
    return settings;
}

bool ic_scene_answer(double *answers, const ic_scene_file *file, const double *par, ic_error *error)
{
    const ic_scene_case *answer = &file->answer;
    if (answer->path == NULL || answer->n_answers == 0) return true;
    char until[40];
    char **settings = write_settings(file, par);
    bool good = settings != NULL;
    for (size_t i = 0; good && i < answer->n; i++) good = settings[i] != NULL;
    snprintf(until, sizeof until, "%.17g", ic_scene_evaluate(&answer->until, &(ic_scene_values){.par = par}));
    const ic_request request = {.path = answer->path,
                                .settings = (const char *const *)settings,
                                .n_settings = answer->n,
                                .until = ic_scene_given(&answer->until) ? until : NULL,
                                .variant = answer->variant[0] != '\0' ? answer->variant : NULL};
    ic_setup setup = {0}, exact = {0};
    if (!good) ic_error_no_memory(error);
    good = good && ic_setup_open(&setup, &request, error);
    if (good) {
        const bool known = ic_setup_exact(&exact, &setup.problem, error);
        good = known && certify(answers, file, &exact.problem, error);
        if (known) ic_setup_close(&exact);
        ic_setup_close(&setup);
    }
    for (size_t i = 0; settings != NULL && i < answer->n; i++) free(settings[i]);
    free(settings);
    return good;
}
