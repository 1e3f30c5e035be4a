/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include <math.h>

static void set_subject(ic_finding *f, const ic_scene_result *r, const char *engine)
{
    snprintf(f->subject, sizeof f->subject, "%.80s%s%s", engine, r->config[0] != '\0' ? ", " : "", r->config);
    snprintf(f->place, sizeof f->place, "%.60s", r->file->name);
}

static void add_run(ic_findings *findings, const ic_scene_result *r, const char *engine)
{
    static const ic_mistake_id causes[] = {[IC_MOTION_CRASHED] = IC_MISTAKE_CRASHES,
                                           [IC_MOTION_HUNG] = IC_MISTAKE_HANGS,
                                           [IC_MOTION_LIMITED] = IC_MISTAKE_LIMIT_EXCEEDED,
                                           [IC_MOTION_NOT_FINITE] = IC_MISTAKE_NOT_FINITE,
                                           [IC_MOTION_NO_MEMORY] = IC_NO_MISTAKE};
    char setting[120];
    size_t unsupported = 0;
    for (size_t i = 0; i < r->n_settings; i++) unsupported += r->ends[i] == IC_MOTION_UNSUPPORTED;
    const ic_motion_end end = r->broken > 0 ? r->ends[r->first_broken] : IC_MOTION_COMPLETE;
    ic_finding f = {.check = &ic_plugin_checks[IC_CHECK_ENGINE_PLAYS],
                    .measured = (double)(r->broken - unsupported),
                    .unit = "settings",
                    .verdict = r->broken > unsupported ? IC_FINDING_FAIL : IC_FINDING_PASS};
    set_subject(&f, r, engine);
    ic_finding_set_origin(&f, "all settings that the engine offers must be played");
    ic_scene_setting_text(setting, sizeof setting, r->file, r->first_broken);
    if (f.verdict == IC_FINDING_FAIL) {
        f.cause = r->broken_cause != IC_NO_MISTAKE ? r->broken_cause : causes[end];
        ic_finding_describe(&f, "%zu of %zu; the first: %s: %s", r->broken - unsupported, r->n_settings,
                            setting, r->detail);
    } else if (unsupported == r->n_settings) {
        f.verdict = IC_FINDING_OPEN;
        f.open_as = "not offered";
        f.measured = NAN;
        ic_finding_describe(&f, "the engine does not offer this scene: %s", r->detail);
    } else ic_finding_describe(&f, "%zu of %zu settings are played", r->n_settings - r->broken, r->n_settings);
    ic_findings_add(findings, &f);
}

static void add_repeat(ic_findings *findings, const ic_scene_result *r, const char *engine)
{
    ic_finding f = {.check = &ic_plugin_checks[IC_CHECK_ENGINE_REPEATS],
                    .measured = r->spread,
                    .tolerance = 1,
                    .unit = "1",
                    .verdict = r->spread <= 1 ? IC_FINDING_PASS : IC_FINDING_FAIL,
                    .cause = r->spread <= 1 ? IC_NO_MISTAKE : IC_MISTAKE_NOT_REPEATABLE};
    set_subject(&f, r, engine);
    ic_finding_set_origin(&f, "within the tolerance of the figure");
    ic_finding_describe(&f, r->spread > 0 ? "two runs of one setting differ"
                                          : "two runs of one setting are the same");
    ic_findings_add(findings, &f);
}

static void add_figure(ic_findings *findings, const ic_scene_result *r, const char *engine, size_t k)
{
    static const char *const bounds[] = {
        [IC_BOUND_IS] = "", [IC_BOUND_BELOW] = "at most ", [IC_BOUND_ABOVE] = "at least "};
    const ic_scene_figure *figure = &r->file->figures[k];
    const ic_figure_result *result = &r->figures[k];
    const size_t judged = result->passed + result->failed + result->unpromised;
    if (judged == 0) return;
    const ic_scene_point *p = ic_scene_point_of(r, result->worst, k);
    const double over = p->measured - p->exact;
    char setting[120], measured[32];
    ic_finding f = {.check = &figure->check,
                    .measured = figure->bound == IC_BOUND_IS      ? fabs(over)
                                : figure->bound == IC_BOUND_BELOW ? over
                                                                  : -over,
                    .tolerance = p->tolerance,
                    .unit = figure->unit,
                    .verdict = result->failed > 0       ? IC_FINDING_FAIL
                               : result->unpromised > 0 ? IC_FINDING_OPEN
                                                        : IC_FINDING_PASS};
    set_subject(&f, r, engine);
    ic_finding_set_origin(&f, "%s", figure->because);
    ic_scene_setting_text(setting, sizeof setting, r->file, result->worst);
    ic_scene_number_text(measured, sizeof measured, p->measured, 6);
    ic_finding_describe(&f, "%s %s%s%.6g, worst at %s; %zu of %zu settings within", measured,
                        figure->bound == IC_BOUND_IS ? "instead of " : "where it is ", bounds[figure->bound],
                        p->exact, setting, result->passed, judged);
    if (f.verdict == IC_FINDING_OPEN) {
        ic_finding_append(&f, "; not promised: %s", result->unpromised_because);
        f.open_as = "not promised";
        f.measured = NAN;
    }
    if (f.verdict == IC_FINDING_FAIL) {
        if (r->strict && result->unpromised_because[0] != '\0')
            ic_finding_append(&f,
                              "; the program says that it does not promise this: with --lenient, no failure");
        f.cause = result->cause;
        snprintf(f.because, sizeof f.because, "%s", result->because);
    }
    ic_findings_add(findings, &f);
}

void ic_scene_add_findings(ic_findings *findings, const ic_scene_result *r, const char *engine)
{
    add_run(findings, r, engine);
    if (r->broken == r->n_settings) return;
    for (size_t k = 0; k < r->file->n_figures; k++) add_figure(findings, r, engine, k);
    add_repeat(findings, r, engine);
}
