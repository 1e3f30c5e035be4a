/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include "core/expression.h"
#include "core/model.h"
#include "core/names.h"
#include "reference/flow/certify.h"
#include "registry/registry.h"

#include <stdlib.h>
#include <string.h>

/* processor time of a certification, s; those of scenes take some hundredths */
#define SECONDS 20.0
/* bits at which outputs are enclosed */
#define PRECISION 128

/* A state at the end, or an output there. false: it has no value. */
static bool take_answer(double *value, const ic_problem *problem, const ic_certificate *c, const char *name)
{
    const ic_case *system = problem->system;
    arb_t output;
    const size_t state = ic_state_find(system, name), i = ic_output_find(system, name);
    if (state < system->n_states) {
        *value = arf_get_d(arb_midref(c->x + state), ARF_RND_NEAR);
        return true;
    }
    if (i == system->n_outputs) return false;
    arb_init(output);
    const bool known =
        ic_certified_output(output, problem, &system->outputs[i], c->mode, c->t, c->x, PRECISION);
    *value = arf_get_d(arb_midref(output), ARF_RND_NEAR);
    arb_clear(output);
    return known;
}

typedef struct taking {
    const ic_scene_file *file;
    const ic_problem *problem;
    double *answers;

    /* how many of them are taken */
    size_t n;

    /* the answer that has no value; NULL: none */
    const char *missing;
} taking;

/* Takes all answers at the time that the certificate has reached. */
static void take_answers(size_t number, const ic_certificate *c, void *context)
{
    taking *t = context;
    double *answers = t->answers + number * IC_MOST_SCENE_ANSWERS;
    for (size_t i = 0; i < t->n; i++) {
        if (!take_answer(&answers[i], t->problem, c, t->file->answer.answers[i]))
            t->missing = t->file->answer.answers[i];
    }
}

/* The answers at n - 1 times, and at the end of the run. */
static bool certify(taking *t, const double *times, size_t n, ic_error *error)
{
    ic_certificate c;
    ic_certify(&c, t->problem,
               &(ic_certify_options){.digits = IC_SCENE_DIGITS,
                                     .time_limit = SECONDS,
                                     .times = times,
                                     .n_times = n - 1,
                                     .at_time = take_answers,
                                     .context = t});
    const char *path = t->file->answer.path;
    if (c.status == IC_OK) take_answers(n - 1, &c, t);
    else ic_error_set(error, "case %s is not certified to its end: %s", path, c.reason);
    if (t->missing != NULL) ic_error_set(error, "case %s: '%s' has no value", path, t->missing);
    const bool good = c.status == IC_OK && t->missing == NULL;
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

bool ic_scene_answers_at(double *answers, const ic_scene_file *file, const double *par, const double *times,
                         size_t n, ic_error *error)
{
    const ic_scene_case *answer = &file->answer;
    const size_t taken = times != NULL ? answer->n_answers : answer->n_judged;
    if (answer->path == NULL || taken == 0) return true;
    char until[40];
    char **settings = write_settings(file, par);
    bool good = settings != NULL;
    for (size_t i = 0; good && i < answer->n; i++) good = settings[i] != NULL;
    const double end =
        times != NULL ? times[n - 1] : ic_scene_evaluate(&answer->until, &(ic_scene_values){.par = par});
    snprintf(until, sizeof until, "%.17g", end);
    const ic_request request = {.path = answer->path,
                                .settings = (const char *const *)settings,
                                .n_settings = answer->n,
                                .until = times != NULL || ic_scene_given(&answer->until) ? until : NULL,
                                .variant = answer->variant[0] != '\0' ? answer->variant : NULL};
    ic_setup setup = {0}, exact = {0};
    if (!good) ic_error_no_memory(error);
    good = good && ic_setup_open(&setup, &request, error);
    if (good) {
        const bool known = ic_setup_exact(&exact, &setup.problem, error);
        taking t = {.file = file, .problem = &exact.problem, .n = taken};
        t.answers = answers;
        good = known && certify(&t, times, n, error);
        if (known) ic_setup_close(&exact);
        ic_setup_close(&setup);
    }
    for (size_t i = 0; settings != NULL && i < answer->n; i++) free(settings[i]);
    free(settings);
    return good;
}

bool ic_scene_answer(double *answers, const ic_scene_file *file, const double *par, ic_error *error)
{
    return ic_scene_answers_at(answers, file, par, NULL, 1, error);
}
