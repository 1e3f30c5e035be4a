/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include "core/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After this many settings that hang, or this many in a row without a motion, the others are not tried. */
enum { MOST_HANGS = 2, MOST_FAILURES = 3 };
/* Other settings in which a program must be right by the names of a scene, at most. */
enum { NAMED_SETTINGS = 4 };

const char *ic_scene_verdict_text(ic_scene_verdict verdict)
{
    static const char *const texts[] = {[IC_SCENE_PASSED] = "pass",
                                        [IC_SCENE_FAILED] = "FAIL",
                                        [IC_SCENE_UNPROMISED] = "not promised",
                                        [IC_SCENE_UNSUPPORTED] = "not offered",
                                        [IC_SCENE_UNDECIDED] = "undecided"};
    return texts[verdict];
}

ic_scene_point *ic_scene_point_of(const ic_scene_result *r, size_t setting, size_t figure)
{
    return &r->points[setting * r->file->n_figures + figure];
}

/* In one setting, with what the exact values and tolerances of its figures are by these answers. */
static bool answer_setting(double *answers, const ic_scene_file *file, size_t i, ic_error *error)
{
    double par[IC_MOST_SCENE_PARAMETERS] = {0};
    ic_error why;
    char setting[120];
    const ic_file_place place = file->answer.place;
    ic_scene_parameters(par, file, i);
    if (ic_scene_answer(answers, file, par, &why)) return ic_scene_check_figures(file, i, answers, error);
    ic_scene_setting_text(setting, sizeof setting, file, i);
    ic_error_set(error, "%s:%zu:%zu: %s: %s", file->path, place.line, place.column, setting, why.text);
    return false;
}

double *ic_scene_all_answers(const ic_scene_file *file, ic_error *error)
{
    const size_t n = ic_scene_settings(file);
    double *answers = calloc(n * IC_MOST_SCENE_ANSWERS, sizeof *answers);
    if (answers == NULL) ic_error_no_memory(error);
    for (size_t i = 0; answers != NULL && i < n; i++) {
        if (answer_setting(answers + i * IC_MOST_SCENE_ANSWERS, file, i, error)) continue;
        free(answers);
        return NULL;
    }
    return answers;
}

/* ---- measuring */

typedef struct measuring {
    const ic_world *world;
    const ic_scene_motion *motion;

    /* of the case, and of the first row */
    double known[IC_MOST_SCENE_KNOWN];
} measuring;

static double value_at(const measuring *m, const ic_scene_formula *formula, size_t row)
{
    const ic_scene_values values = {.t = m->motion->times[row],
                                    .row = m->motion->rows + row * m->motion->row_size,
                                    .par = m->world->par,
                                    .known = m->known};
    return ic_scene_evaluate(formula, &values);
}

static double value_of(const measuring *m, const ic_scene_formula *formula)
{
    return ic_scene_evaluate(formula, &(ic_scene_values){.par = m->world->par, .known = m->known});
}

static double measure(const measuring *m, const ic_scene_figure *figure)
{
    size_t first = 0, last = 0;
    double least = INFINITY, most = -INFINITY, sum = 0;
    if (!ic_world_window(m->world, figure, &first, &last)) return NAN;
    if (figure->take == IC_TAKE_START) return value_at(m, &figure->measure, first);
    if (figure->take == IC_TAKE_END) return value_at(m, &figure->measure, last);
    for (size_t i = first; i <= last; i++) {
        const double value = value_at(m, &figure->measure, i);
        least = fmin(least, value);
        most = fmax(most, value);
        sum += value;
    }
    switch (figure->take) {
    case IC_TAKE_MOST: return most;
    case IC_TAKE_LEAST: return least;
    case IC_TAKE_RANGE: return most - least;
    default: return sum / (double)(last - first + 1);
    }
}

double ic_scene_excess(const ic_scene_figure *figure, const ic_scene_point *p)
{
    const double over = p->measured - p->exact;
    const double beyond = figure->bound == IC_BOUND_IS      ? fabs(over)
                          : figure->bound == IC_BOUND_BELOW ? over
                                                            : -over;
    if (isnan(beyond)) return INFINITY;
    return p->tolerance > 0 || beyond > 0 ? beyond / p->tolerance : 0;
}

static void judge_point(ic_scene_point *p, const measuring *m, const ic_scene_figure *figure, bool strict)
{
    *p = (ic_scene_point){NAN, value_of(m, &figure->exact), value_of(m, &figure->tolerance), IC_POINT_NONE};
    if (!ic_world_judges(m->world, figure) || figure->take == IC_TAKE_LAW) return;
    p->measured = measure(m, figure);
    const bool good = ic_scene_excess(figure, p) <= 1;
    const bool promised =
        strict || ic_unpromised_find(m->motion->unpromised, m->motion->n_unpromised, figure->topic) == NULL;
    p->verdict = good ? IC_POINT_PASS : promised ? IC_POINT_FAIL : IC_POINT_UNPROMISED;
}

static void judge_motion(ic_scene_point *points, const ic_world *world, const ic_scene_motion *motion,
                         const double *answers, bool strict)
{
    measuring m = {.world = world, .motion = motion};
    memcpy(m.known, answers, IC_MOST_SCENE_ANSWERS * sizeof *answers);
    memcpy(m.known + IC_MOST_SCENE_ANSWERS, motion->rows, motion->row_size * sizeof *motion->rows);
    for (size_t k = 0; k < world->file->n_figures; k++)
        judge_point(&points[k], &m, &world->file->figures[k], strict);
}

/* ---- all settings */

static void note_broken(ic_scene_result *r, size_t setting, const ic_scene_motion *motion)
{
    if (motion->end == IC_MOTION_COMPLETE) return;
    const bool first = r->broken == 0, unsupported = r->ends[r->first_broken] == IC_MOTION_UNSUPPORTED;
    r->broken++;
    /* a scene that is not offered is the reason only where nothing worse happens */
    if (!first && (motion->end == IC_MOTION_UNSUPPORTED || !unsupported)) return;
    r->first_broken = setting;
    r->broken_cause = motion->cause;
    snprintf(r->detail, sizeof r->detail, "%s", motion->detail);
}

/* Nothing is judged in a setting. */
static void clear_points(ic_scene_result *r, size_t setting)
{
    for (size_t k = 0; k < r->file->n_figures; k++)
        *ic_scene_point_of(r, setting, k) = (ic_scene_point){NAN, NAN, NAN, IC_POINT_NONE};
}

/* It crashed after it had played the setting before. */
static void note_crash_after_end(ic_scene_result *r, size_t setting, const char *detail)
{
    const ic_scene_motion crashed = {.end = IC_MOTION_CRASHED};
    if (detail[0] == '\0' || setting == 0 || r->ends[setting - 1] != IC_MOTION_COMPLETE) return;
    note_broken(r, setting - 1, &crashed);
    r->ends[setting - 1] = IC_MOTION_CRASHED;
    if (r->first_broken == setting - 1) snprintf(r->detail, sizeof r->detail, "after `end`: %.200s", detail);
}

/* The world of a setting, as the program sees it: the same whenever this setting is played. */
static void make_world(ic_world *world, const ic_scene_file *file, size_t setting,
                       const ic_scene_player *player)
{
    ic_world_make(world, file, setting);
    if (player->disguised) ic_world_disguise(world, player->seed + 1000003 * (uint64_t)setting);
}

/* false: memory ran out. */
static bool play_setting(ic_scene_result *r, size_t setting, const double *answers, ic_scene_player *player,
                         ic_engine_probe *impacts)
{
    const size_t law = ic_scene_law_figure(r->file);
    ic_world world;
    ic_scene_motion motion = {.end = IC_MOTION_FAILED};
    clear_points(r, setting);
    make_world(&world, r->file, setting, player);
    ic_scene_play(player, &world, &motion);
    note_crash_after_end(r, setting, player->after_end);
    r->ends[setting] = motion.end;
    note_broken(r, setting, &motion);
    if (motion.engine[0] != '\0') snprintf(r->engine, sizeof r->engine, "%s", motion.engine);
    if (motion.setting[0] != '\0') snprintf(r->setting, sizeof r->setting, "%s", motion.setting);
    if (motion.end == IC_MOTION_COMPLETE)
        judge_motion(ic_scene_point_of(r, setting, 0), &world, &motion,
                     answers + setting * IC_MOST_SCENE_ANSWERS, r->strict);
    if (motion.end == IC_MOTION_COMPLETE && law < r->file->n_figures)
        impacts[setting] = ic_scene_impact_of(&world, &motion, law);
    else if (law < r->file->n_figures) impacts[setting].asked = ic_world_judges(&world, &r->file->figures[law]);
    /* topics that are not promised in some setting */
    for (size_t i = 0; i < motion.n_unpromised && r->n_unpromised < IC_MOST_UNPROMISED; i++) {
        if (ic_unpromised_find(r->unpromised, r->n_unpromised, motion.unpromised[i].topic) == NULL)
            r->unpromised[r->n_unpromised++] = motion.unpromised[i];
    }
    const bool good = motion.end != IC_MOTION_NO_MEMORY;
    ic_scene_motion_free(&motion);
    return good;
}

/* Judges the figure that asks for the law, the same in all settings. */
static void judge_law(ic_scene_result *r, ic_engine_probe *impacts)
{
    const size_t figure = ic_scene_law_figure(r->file);
    double par[IC_MOST_SCENE_PARAMETERS];
    if (figure == r->file->n_figures) return;
    ic_scene_parameters(par, r->file, 0);
    const double tolerance =
        ic_scene_evaluate(&r->file->figures[figure].tolerance, &(ic_scene_values){.par = par});
    ic_scene_find_law(&r->law, r->file, impacts, tolerance);
    for (size_t i = 0; i < r->n_settings && r->law.judged; i++) {
        ic_scene_point *p = ic_scene_point_of(r, i, figure);
        if (!impacts[i].asked) continue;
        p->measured = r->law.misfit;
        p->tolerance = r->law.most;
        p->verdict = r->law.fails ? IC_POINT_FAIL : IC_POINT_PASS;
    }
}

static void count_points(ic_scene_result *r)
{
    for (size_t k = 0; k < r->file->n_figures; k++) {
        ic_figure_result *f = &r->figures[k];
        const char *why = ic_unpromised_find(r->unpromised, r->n_unpromised, r->file->figures[k].topic);
        if (why != NULL) snprintf(f->unpromised_because, sizeof f->unpromised_because, "%s", why);
        f->constant = NAN;
        f->excess = -INFINITY;
        for (size_t i = 0; i < r->n_settings; i++) {
            const ic_scene_point *p = ic_scene_point_of(r, i, k);
            if (p->verdict == IC_POINT_NONE) continue;
            f->passed += p->verdict == IC_POINT_PASS;
            f->failed += p->verdict == IC_POINT_FAIL;
            f->unpromised += p->verdict == IC_POINT_UNPROMISED;
            const double excess = ic_scene_excess(&r->file->figures[k], p);
            if (!(excess > f->excess)) continue;
            f->excess = excess;
            f->worst = i;
        }
    }
}

static ic_scene_verdict verdict_of(const ic_scene_result *r)
{
    size_t passed = 0, failed = 0, unpromised = 0, unsupported = 0;
    for (size_t k = 0; k < r->file->n_figures; k++) {
        passed += r->figures[k].passed;
        failed += r->figures[k].failed;
        unpromised += r->figures[k].unpromised;
    }
    for (size_t i = 0; i < r->n_settings; i++) unsupported += r->ends[i] == IC_MOTION_UNSUPPORTED;
    if (unsupported == r->n_settings) return IC_SCENE_UNSUPPORTED;
    if (failed > 0 || r->broken > unsupported) return IC_SCENE_FAILED;
    if (unpromised > 0) return IC_SCENE_UNPROMISED;
    return passed > 0 ? IC_SCENE_PASSED : IC_SCENE_UNDECIDED;
}

size_t ic_scene_worst_figure(const ic_scene_result *r)
{
    size_t worst = 0;
    for (size_t k = 1; k < r->file->n_figures; k++) {
        if (r->figures[k].excess > r->figures[worst].excess) worst = k;
    }
    return worst;
}

/* Whether a figure is right in a setting once the program sees the names of the scene. */
static bool is_right_by_names(const ic_scene_result *r, const double *answers, ic_scene_player *player,
                              ic_scene_point *points, size_t figure, size_t setting)
{
    ic_world world;
    ic_scene_motion motion;
    ic_world_make(&world, r->file, setting);
    ic_scene_play(player, &world, &motion);
    const bool played = motion.end == IC_MOTION_COMPLETE;
    if (played) judge_motion(points, &world, &motion, answers + setting * IC_MOST_SCENE_ANSWERS, r->strict);
    ic_scene_motion_free(&motion);
    return played && points[figure].verdict == IC_POINT_PASS;
}

/*
 * Whether the figure that is farthest outside is right there, and in other settings, once the program sees the names of
 * the scene. One setting is not enough: what depends on the order of bodies may be right in it by chance.
 */
static bool recognises_names(const ic_scene_result *r, const double *answers, ic_scene_player *player,
                             ic_scene_point *points)
{
    const size_t worst = ic_scene_worst_figure(r);
    bool right = player->disguised && r->figures[worst].excess > 1 && r->figures[worst].worst == r->shown &&
                 is_right_by_names(r, answers, player, points, worst, r->shown);
    for (size_t i = 0, tried = 0; i < r->n_settings && right && tried < NAMED_SETTINGS; i++) {
        if (i == r->shown || ic_scene_point_of(r, i, worst)->verdict != IC_POINT_FAIL) continue;
        right = is_right_by_names(r, answers, player, points, worst, i);
        tried++;
    }
    return right;
}

static void blame_names(ic_scene_result *r)
{
    for (size_t k = 0; k < r->file->n_figures; k++) {
        ic_figure_result *f = &r->figures[k];
        f->cause = IC_MISTAKE_RECOGNISES_NAMES;
        f->explained = f->everywhere = true;
        snprintf(f->because, sizeof f->because, "with the names of the scene the worst setting is right");
    }
}

bool ic_scene_repeat(ic_scene_result *r, const double *answers, ic_scene_player *player)
{
    const size_t n = r->file->n_figures;
    ic_world world;
    if (r->broken == r->n_settings) return true;
    r->shown = r->figures[ic_scene_worst_figure(r)].worst;
    ic_scene_point *points = calloc(n, sizeof *points);
    if (points == NULL) return false;
    make_world(&world, r->file, r->shown, player);
    ic_scene_play(player, &world, &r->motion);
    if (r->motion.end == IC_MOTION_COMPLETE && r->motion.n_rows > 0)
        judge_motion(points, &world, &r->motion, answers + r->shown * IC_MOST_SCENE_ANSWERS, r->strict);
    else r->spread = INFINITY;
    for (size_t k = 0; k < n && r->motion.n_rows > 0; k++) {
        const ic_scene_point *before = ic_scene_point_of(r, r->shown, k);
        if (before->verdict == IC_POINT_NONE) continue;
        r->spread = fmax(r->spread, fabs(points[k].measured - before->measured) / before->tolerance);
    }
    if (recognises_names(r, answers, player, points)) blame_names(r);
    free(points);
    return r->motion.end != IC_MOTION_NO_MEMORY;
}

/* A setting that is not tried has the end of the one before. */
static void skip_setting(ic_scene_result *r, size_t setting)
{
    r->ends[setting] = r->ends[setting - 1];
    r->broken++;
    clear_points(r, setting);
}

bool ic_scene_audit(ic_scene_result *r, const ic_scene_file *file, const double *answers,
                    ic_scene_player *player)
{
    const double began = ic_process_now();
    *r = (ic_scene_result){.file = file,
                           .config = player->config,
                           .strict = player->strict,
                           .n_settings = ic_scene_settings(file)};
    r->ends = calloc(r->n_settings, sizeof *r->ends);
    r->points = calloc(r->n_settings * file->n_figures, sizeof *r->points);
    r->figures = calloc(file->n_figures, sizeof *r->figures);
    ic_engine_probe *impacts = calloc(r->n_settings, sizeof *impacts);
    bool good = r->ends != NULL && r->points != NULL && r->figures != NULL && impacts != NULL;
    for (size_t i = 0, hangs = 0, failures = 0; good && i < r->n_settings; i++) {
        if (hangs < MOST_HANGS && failures < MOST_FAILURES) good = play_setting(r, i, answers, player, impacts);
        else skip_setting(r, i);
        hangs += r->ends[i] == IC_MOTION_HUNG;
        failures = r->ends[i] > IC_MOTION_UNSUPPORTED ? failures + 1 : 0;
    }
    if (good) judge_law(r, impacts);
    free(impacts);
    if (!good) return false;
    count_points(r);
    if (r->broken < r->n_settings) ic_scene_name_mistakes(r, answers);
    r->verdict = verdict_of(r);
    r->seconds = ic_process_now() - began;
    return true;
}

void ic_scene_result_free(ic_scene_result *r)
{
    free(r->ends);
    free(r->points);
    free(r->figures);
    ic_scene_motion_free(&r->motion);
}
