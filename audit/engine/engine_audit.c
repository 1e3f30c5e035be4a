/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_audit.h"
#include "audit/engine/engine_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const ic_audit_check ic_engine_check_runs = {.name = "runs",
                                             .what = "runs that return no motion",
                                             .why = "the engine cannot be judged",
                                             .reference = "docs/engines.md"};

void ic_engine_subject(char *text, size_t size, const ic_engine_audit *a)
{
    if (a->request->library != NULL) snprintf(text, size, "engine '%.60s'", a->row->name);
    else snprintf(text, size, "%.80s, %s", a->row->name, a->row->config);
}

void ic_engine_add(ic_engine_audit *a, const ic_audit_check *check, const char *place,
                   const ic_engine_judged *j, const char *format, ...)
{
    ic_finding f = {
        .check = check, .measured = j->measured, .tolerance = j->tolerance, .unit = j->unit, .cause = j->cause};
    f.verdict = j->measured <= j->tolerance ? IC_FINDING_PASS : IC_FINDING_FAIL;
    if (isnan(j->measured) && j->cause == IC_NO_MISTAKE) f.verdict = IC_FINDING_OPEN;
    if (f.verdict != IC_FINDING_FAIL) f.cause = IC_NO_MISTAKE;
    ic_engine_subject(f.subject, sizeof f.subject, a);
    snprintf(f.place, sizeof f.place, "%s", place);
    snprintf(f.origin, sizeof f.origin, "%s", j->origin);
    va_list list;
    va_start(list, format);
    vsnprintf(f.detail, sizeof f.detail, format, list);
    va_end(list);
    ic_findings_add(a->findings, &f);
}

static void add_failed_run(ic_engine_audit *a, const ic_engine_scene *scene, const ic_engine_motion *motion)
{
    static const struct {
        const char *what;
        ic_mistake_id cause;
    } ends[] = {
        [IC_ENGINE_REFUSED] = {"could not be started", IC_NO_MISTAKE},
        [IC_ENGINE_CRASHED] = {"crashed", IC_MISTAKE_CRASHES},
        [IC_ENGINE_HUNG] = {"did not end", IC_MISTAKE_HANGS},
        [IC_ENGINE_FAILED] = {"gave up", IC_NO_MISTAKE},
        [IC_ENGINE_GARBAGE] = {"wrote no valid motion", IC_NO_MISTAKE},
        [IC_ENGINE_FORGED] = {"writes out of bounds", IC_MISTAKE_WRITES_OUT_OF_BOUNDS},
        [IC_ENGINE_LIMITED] = {"was ended", IC_MISTAKE_LIMIT_EXCEEDED},
        [IC_ENGINE_NOT_FINITE] = {"wrote a value that is not finite", IC_MISTAKE_NOT_FINITE},
    };
    a->row->broken = a->row->failed = true;
    a->hangs |= motion->end == IC_ENGINE_HUNG;
    if (motion->end == IC_ENGINE_NO_MEMORY) {
        a->findings->no_memory = true;
        return;
    }
    const ic_engine_judged j = {1, 0, "runs", "none may", ends[motion->end].cause};
    ic_engine_add(a, &ic_engine_check_runs, scene->bar ? "bar" : "ball", &j,
                  "it %s: %s (step %g s, e = %g, mu = %g)", ends[motion->end].what, motion->detail, scene->step,
                  ic_scene_of(scene).e, ic_scene_of(scene).mu);
}

/* Without bars, balls can be judged still; a later refusal leaves checks without what they compare. */
static void add_not_offered(ic_engine_audit *a, const ic_engine_scene *scene, const ic_engine_motion *motion)
{
    ic_finding f = {.check = &ic_engine_check_runs,
                    .measured = NAN,
                    .unit = "runs",
                    .verdict = IC_FINDING_OPEN,
                    .open_as = "not offered"};
    const bool none = scene->bar && !a->bar_flown;
    a->no_bar |= none;
    a->row->not_offered = true;
    a->row->broken |= !none;
    ic_engine_subject(f.subject, sizeof f.subject, a);
    snprintf(f.place, sizeof f.place, "%s", scene->bar ? "bar" : "ball");
    ic_finding_describe(&f, "%s (step %g s, e = %g, mu = %g)", motion->detail, scene->step,
                        ic_scene_of(scene).e, ic_scene_of(scene).mu);
    ic_findings_add(a->findings, &f);
}

bool ic_engine_run_scene(ic_engine_audit *a, ic_engine_scene *scene, ic_engine_motion *motion)
{
    const ic_engine_source source = {a->request->program != NULL ? &a->player : NULL, a->request->library,
                                     a->request->index};
    if (a->row->broken || (scene->bar && a->no_bar)) return false;
    scene->config = a->row->config;
    scene->variant = a->request->variant;
    ic_engine_scene asked = *scene;
    /* A motion that is slower than its rows say takes longer. */
    if (a->flight.clock < 1) asked.until = ic_scene_of(scene).until / a->flight.clock;
    *motion = ic_engine_run(&source, &asked, a->request->time_limit);
    if (motion->end == IC_ENGINE_UNSUPPORTED) add_not_offered(a, scene, motion);
    else if (motion->end != IC_ENGINE_GOOD) add_failed_run(a, scene, motion);
    else if (motion->n_rows > 1) {
        a->bar_flown |= scene->bar;
        ic_engine_flight_correct(motion, &a->flight);
        return true;
    }
    ic_engine_motion_free(motion);
    return false;
}

ic_engine_impact ic_engine_first_impact(ic_engine_audit *a, ic_engine_scene *scene)
{
    ic_engine_impact impact = {0};
    ic_engine_motion motion;
    if (!ic_engine_run_scene(a, scene, &motion)) return impact;
    ic_engine_body body = ic_engine_body_of(scene);
    /* Where a point inside the body touches instead of its surface, that is where its impulse acts. */
    if (body.bar) body.arm *= fmax(1 + fmin(a->bar_displaced, 0) / IC_ENGINE_BAR_HALF, 0);
    else body.arm *= fmax(1 + fmin(a->displaced, 0) / IC_ENGINE_BALL_RADIUS, 0);
    impact = ic_engine_impact_in(&motion, &body, scene->step, &a->flight);
    ic_engine_motion_free(&motion);
    a->depth = fmax(a->depth, impact.depth);
    return impact;
}
