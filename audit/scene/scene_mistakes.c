/* SPDX-License-Identifier: MIT */
/*
 * Which mistake explains the figures that fail: a mistake predicts figures in all settings, with at
 * most one constant, which is fitted. It is named if its predictions hold where the exact values do
 * not, and no other mistake fits as well.
 *
 * A figure that no mistake explains may be a consequence: of a mistake that explains another one and
 * acts in all settings in which this one fails, or of an earlier figure that fails there, too. If not,
 * it has the cause that the scene gives it, unless the scene knows mistakes for it: all are wrong then.
 */
#include "audit/common/explain.h"
#include "audit/scene/scene.h"

#include <stdlib.h>
#include <string.h>

/* a prediction holds within this many tolerances */
#define HOLDS 2.0
/* and the root mean square is less than this part of that of the exact values */
#define LEFT_BY_MISTAKE 0.5
/* another mistake fits as well if its root mean square is less than this many times the best */
#define RIVAL 1.5
/* below this root mean square, in tolerances, fits are alike */
#define ALIKE 0.1
/* a mistake acts in a setting if its predictions differ from the exact values by this many tolerances */
#define ACTS 1e-3
/* part by which rounding makes equal fits differ */
#define ROUNDING 1e-9
/* refinements of a fitted constant around the best point of the grid */
enum { REFINEMENTS = 12 };

/* How well a mistake with a constant explains its figures; constants of the grid that explain them as well. */
typedef struct fit {
    double misfit, worst, constant;
    double least, most;

    /* misfit of the exact values of the same figures */
    double exact;
} fit;

#define NO_FIT ((fit){INFINITY, INFINITY, NAN, NAN, NAN, NAN})

/* The mistake that explains a figure; NULL: none does, or two do. */
typedef struct explained {
    const ic_scene_mistake *mistake;
    fit fit;
    bool known;
} explained;

/* Values of the parameters that the engine uses in a setting. */
static void parameters_of(double *par, const ic_scene_file *file, size_t setting,
                          const ic_scene_mistake *mistake)
{
    double asked[IC_MOST_SCENE_PARAMETERS];
    ic_scene_parameters(asked, file, setting);
    memcpy(par, asked, file->n_parameters * sizeof *par);
    for (size_t i = 0; i < mistake->n_others; i++)
        par[mistake->others[i].parameter] =
            ic_scene_evaluate(&mistake->others[i].value, &(ic_scene_values){.par = asked});
}

static fit fit_at(const ic_scene_result *r, const double *answers, const ic_scene_mistake *mistake,
                  double constant)
{
    double par[IC_MOST_SCENE_PARAMETERS + 1], sum = 0, exact = 0;
    fit f = {.constant = constant, .least = constant, .most = constant};
    size_t n = 0;
    for (size_t i = 0; i < r->n_settings; i++) {
        const ic_scene_values values = {.par = par, .known = answers + i * IC_MOST_SCENE_ANSWERS};
        parameters_of(par, r->file, i, mistake);
        par[r->file->n_parameters] = constant;
        for (size_t k = 0; k < mistake->n_predictions; k++) {
            const ic_scene_prediction *p = &mistake->predictions[k];
            const ic_scene_point *point = ic_scene_point_of(r, i, p->figure);
            if (point->verdict == IC_POINT_NONE) continue;
            const double off = fabs(point->measured - ic_scene_evaluate(&p->value, &values)) / point->tolerance,
                         wrong = fabs(point->measured - point->exact) / point->tolerance;
            f.worst = fmax(f.worst, isnan(off) ? INFINITY : off);
            sum += off * off;
            exact += isnan(wrong) ? INFINITY : wrong * wrong;
            n++;
        }
    }
    f.misfit = n > 0 ? sqrt(sum / (double)n) : INFINITY;
    if (isnan(f.misfit)) f.misfit = INFINITY;
    f.exact = n > 0 ? sqrt(exact / (double)n) : 0;
    return f;
}

static double constant_at(const ic_scene_mistake *mistake, double part)
{
    const double from = ic_scene_evaluate(&mistake->from, &(ic_scene_values){0}),
                 to = ic_scene_evaluate(&mistake->to, &(ic_scene_values){0});
    return mistake->logarithmic ? from * pow(to / from, part) : from + part * (to - from);
}

/* The fit of a mistake that uses other parameters, whose answers are certified now. */
static fit fit_with_others(const ic_scene_result *r, const ic_scene_mistake *mistake)
{
    fit best = NO_FIT;
    double *answers = calloc(r->n_settings * IC_MOST_SCENE_ANSWERS, sizeof *answers);
    bool known = answers != NULL;
    for (size_t i = 0; known && i < r->n_settings; i++) {
        double par[IC_MOST_SCENE_PARAMETERS];
        ic_error error;
        parameters_of(par, r->file, i, mistake);
        known = ic_scene_answer(answers + i * IC_MOST_SCENE_ANSWERS, r->file, par, &error);
    }
    if (known) best = fit_at(r, answers, mistake, NAN);
    free(answers);
    return best;
}

/* A threshold between the settings fits wherever it is. */
static void widen(fit *best, const fit *other)
{
    if (!(other->misfit <= best->misfit * (1 + ROUNDING))) return;
    best->least = fmin(best->least, other->constant);
    best->most = fmax(best->most, other->constant);
}

static fit best_fit(const ic_scene_result *r, const double *answers, const ic_scene_mistake *mistake)
{
    if (mistake->n_others > 0) return fit_with_others(r, mistake);
    if (mistake->constant[0] == '\0') return fit_at(r, answers, mistake, NAN);
    fit best = NO_FIT;
    double part = 0, width = 1 / (double)(mistake->points - 1);
    for (size_t i = 0; i < mistake->points; i++) {
        const fit f = fit_at(r, answers, mistake, constant_at(mistake, (double)i * width));
        if (!(f.misfit < best.misfit)) {
            widen(&best, &f);
            continue;
        }
        best = f;
        part = (double)i * width;
    }
    for (int i = 0; i < REFINEMENTS; i++) {
        width /= 2;
        for (int side = -1; side <= 1; side += 2) {
            const double tried = fmax(0, fmin(1, part + side * width));
            const fit f = fit_at(r, answers, mistake, constant_at(mistake, tried));
            if (!(f.misfit < best.misfit)) continue;
            best = f;
            part = tried;
            break;
        }
    }
    return best;
}

static bool predicts(const ic_scene_mistake *mistake, size_t figure)
{
    size_t k = 0;
    while (k < mistake->n_predictions && mistake->predictions[k].figure != figure) k++;
    return k < mistake->n_predictions;
}

static void describe(ic_figure_result *f, const ic_scene_mistake *mistake, const fit *best)
{
    f->cause = mistake->id;
    f->explained = true;
    f->everywhere = mistake->everywhere;
    f->constant = best->constant;
    if (mistake->constant[0] == '\0') snprintf(f->because, sizeof f->because, "%s", mistake->says);
    else if (best->most > best->least)
        snprintf(f->because, sizeof f->because, "%s; %s is between %.3g and %.3g", mistake->says,
                 mistake->constant, best->least, best->most);
    else
        snprintf(f->because, sizeof f->because, "%s; %s = %.3g", mistake->says, mistake->constant,
                 best->constant);
}

/* ---- without a hypothesis */

/* Whether a figure depends on the phase of a step alone, which is then the first list of a product. */
static bool varies_in_group(const ic_scene_result *r, size_t figure, size_t start, size_t n)
{
    double least = INFINITY, most = -INFINITY, tolerance = 0;
    for (size_t i = start; i < start + n; i++) {
        const ic_scene_point *p = ic_scene_point_of(r, i, figure);
        if (p->verdict == IC_POINT_NONE) continue;
        least = fmin(least, p->measured);
        most = fmax(most, p->measured);
        tolerance = fmax(tolerance, p->tolerance);
    }
    return most - least > HOLDS * tolerance;
}

static bool varies_by_phase(const ic_scene_result *r, size_t figure)
{
    const ic_scene_file *file = r->file;
    size_t start = 0;
    for (size_t i = 0; i < file->n_products; i++) {
        const ic_scene_list *list = &file->products[i].lists[0];
        const bool phases = strcmp(file->parameters[list->parameter].name, "phase") == 0;
        size_t n = 1;
        for (size_t k = 0; k < file->products[i].n; k++) n *= file->products[i].lists[k].n;
        for (size_t k = 0; phases && k < n; k += list->n) {
            if (varies_in_group(r, figure, start + k, list->n)) return true;
        }
        start += n;
    }
    return false;
}

static bool is_outside(const ic_scene_point *p)
{
    return p->verdict == IC_POINT_FAIL || p->verdict == IC_POINT_UNPROMISED;
}

/* An earlier figure that is outside in all settings in which this one is; n_figures: there is none. */
static size_t find_earlier(const ic_scene_result *r, size_t figure)
{
    for (size_t k = 0; k < figure; k++) {
        bool all = true;
        for (size_t i = 0; i < r->n_settings; i++)
            all &= !is_outside(ic_scene_point_of(r, i, figure)) || is_outside(ic_scene_point_of(r, i, k));
        if (all) return k;
    }
    return r->file->n_figures;
}

static bool has_mistakes(const ic_scene_file *file, size_t figure)
{
    bool has = false;
    for (size_t i = 0; i < file->n_mistakes; i++) has |= predicts(&file->mistakes[i], figure);
    return has;
}

/* Whether a mistake changes any of its figures in a setting. */
static bool acts_in(const ic_scene_result *r, size_t setting, const double *answers,
                    const ic_scene_mistake *mistake, double constant)
{
    double par[IC_MOST_SCENE_PARAMETERS + 1];
    bool acts = mistake->n_others > 0;
    parameters_of(par, r->file, setting, mistake);
    par[r->file->n_parameters] = constant;
    const ic_scene_values values = {.par = par, .known = answers + setting * IC_MOST_SCENE_ANSWERS};
    for (size_t k = 0; k < mistake->n_predictions && !acts; k++) {
        const ic_scene_prediction *p = &mistake->predictions[k];
        const ic_scene_point *point = ic_scene_point_of(r, setting, p->figure);
        if (point->verdict == IC_POINT_NONE) continue;
        acts = fabs(ic_scene_evaluate(&p->value, &values) - point->exact) > ACTS * point->tolerance;
    }
    return acts;
}

/* A mistake that explains another figure, and acts wherever this one fails; NULL: there is none. */
static const ic_scene_mistake *find_behind(const ic_scene_result *r, const double *answers,
                                           const explained *explained, size_t figure)
{
    for (size_t k = 0; k < r->file->n_figures; k++) {
        bool all = explained[k].mistake != NULL;
        for (size_t i = 0; i < r->n_settings && all; i++)
            all = !is_outside(ic_scene_point_of(r, i, figure)) ||
                  acts_in(r, i, answers, explained[k].mistake, explained[k].fit.constant);
        if (all) return explained[k].mistake;
    }
    return NULL;
}

/* A figure that a mistake explains which the engine does not promise to avoid. */
static void excuse(ic_scene_result *r, size_t figure, const ic_scene_mistake *mistake)
{
    ic_figure_result *f = &r->figures[figure];
    const char *why = ic_unpromised_find(r->unpromised, r->n_unpromised, mistake->topic);
    if (why == NULL || r->strict) return;
    for (size_t i = 0; i < r->n_settings; i++) {
        ic_scene_point *point = ic_scene_point_of(r, i, figure);
        if (point->verdict == IC_POINT_FAIL) point->verdict = IC_POINT_UNPROMISED;
    }
    f->unpromised += f->failed;
    f->failed = 0;
    snprintf(f->unpromised_because, sizeof f->unpromised_because, "%s", why);
}

/* A figure that depends on what a file lists is off by this multiple of its listed deviations elsewhere. */
#define FAR_WORSE 2.0

/* Whether it is right in all settings that a file lists, and in most drawn ones wrong, and far worse. */
static bool is_hard_coded(const ic_scene_result *r, size_t figure)
{
    double listed = -INFINITY;
    size_t wrong = 0, right = 0; /* drawn settings */
    for (size_t i = 0; i < r->n_settings; i++) {
        const ic_scene_point *p = ic_scene_point_of(r, i, figure);
        if (i >= r->file->first_drawn) {
            wrong += is_outside(p);
            right += p->verdict == IC_POINT_PASS && !is_outside(p);
            continue;
        }
        if (is_outside(p)) return false;
        if (p->verdict == IC_POINT_PASS) listed = fmax(listed, ic_scene_excess(&r->file->figures[figure], p));
    }
    return wrong > right && listed > -INFINITY && r->figures[figure].excess > FAR_WORSE * listed;
}

static void name_by_default(ic_scene_result *r, const double *answers, const explained *explained,
                            size_t figure)
{
    const ic_scene_figure *text = &r->file->figures[figure];
    ic_figure_result *f = &r->figures[figure];
    const ic_scene_mistake *behind = find_behind(r, answers, explained, figure);
    const size_t earlier = find_earlier(r, figure);
    if (text->take == IC_TAKE_LAW || r->law.mistake != IC_NO_MISTAKE) {
        f->cause = r->law.mistake;
        f->explained = f->cause != IC_NO_MISTAKE;
        snprintf(f->because, sizeof f->because, "%s", r->law.because);
    } else if (is_hard_coded(r, figure)) {
        f->cause = IC_MISTAKE_HARD_CODED;
        snprintf(f->because, sizeof f->because, "all settings that the scene lists are right");
    } else if (text->law[0] != '\0' && r->law.found.decided &&
               strncmp(r->law.found.candidates[0].name, text->law, strlen(text->law)) == 0)
        f->cause = text->cause_by_law;
    else if (text->cause_by_phase != IC_NO_MISTAKE && varies_by_phase(r, figure))
        f->cause = text->cause_by_phase;
    else if (behind != NULL) {
        f->cause = behind->id;
        snprintf(f->because, sizeof f->because, "it fails where this acts: %.160s", behind->says);
        excuse(r, figure, behind);
    } else if (earlier < r->file->n_figures) {
        f->cause = r->figures[earlier].cause;
        snprintf(f->because, sizeof f->because, "it fails only where '%.60s' does",
                 r->file->figures[earlier].name);
    } else if (has_mistakes(r->file, figure))
        snprintf(f->because, sizeof f->because,
                 "none of the mistakes that this scene knows gives these values");
    else {
        f->cause = text->cause;
        f->everywhere = text->everywhere;
    }
}

/* ---- all figures */

/* `known`: a mistake, or two, explain the figure. Forms of one mistake are no rivals. */
static explained explain(ic_scene_result *r, const double *answers, size_t figure)
{
    const ic_scene_mistake *mistakes = r->file->mistakes;
    ic_best best = IC_NO_BEST;
    explained e = {.known = true};
    for (size_t i = 0; i < r->file->n_mistakes; i++) {
        if (!predicts(&mistakes[i], figure)) continue;
        const fit f = best_fit(r, answers, &mistakes[i]);
        if (f.worst > HOLDS || f.misfit > LEFT_BY_MISTAKE * f.exact) continue;
        if (ic_best_offer(&best, i, (int)mistakes[i].id, f.misfit)) e.fit = f;
    }
    if (best.first == SIZE_MAX) return (explained){.mistake = NULL};
    e.mistake = &mistakes[best.first];
    describe(&r->figures[figure], e.mistake, &e.fit);
    excuse(r, figure, e.mistake);
    if (best.second == SIZE_MAX || best.second_misfit > RIVAL * fmax(best.misfit, ALIKE)) return e;
    r->figures[figure].cause = IC_NO_MISTAKE;
    r->figures[figure].explained = r->figures[figure].everywhere = false;
    snprintf(r->figures[figure].because, sizeof r->figures[figure].because,
             "two mistakes explain it: %.70s, or %.70s", ic_mistake_name(e.mistake->id),
             ic_mistake_name(mistakes[best.second].id));
    return (explained){.known = true};
}

void ic_scene_name_mistakes(ic_scene_result *r, const double *answers)
{
    explained *found = calloc(r->file->n_figures + 1, sizeof *found);
    for (size_t k = 0; k < r->file->n_figures && found != NULL; k++) {
        if (r->figures[k].failed + r->figures[k].unpromised > 0) found[k] = explain(r, answers, k);
    }
    for (size_t k = 0; k < r->file->n_figures && found != NULL; k++) {
        if (r->figures[k].failed + r->figures[k].unpromised > 0 && !found[k].known)
            name_by_default(r, answers, found, k);
    }
    free(found);
}

/* ---- all scenes */

static bool is_failing(const ic_figure_result *f)
{
    return f->failed + f->unpromised > 0;
}

/* The scene that shows a cause which acts in all, and the figure; explained ones first. n: there is none. */
static size_t find_everywhere(const ic_scene_result *results, size_t n, size_t *figure)
{
    for (int explained = 1; explained >= 0; explained--) {
        for (size_t i = 0; i < n; i++) {
            for (*figure = 0; *figure < results[i].file->n_figures; ++*figure) {
                const ic_figure_result *f = &results[i].figures[*figure];
                if (is_failing(f) && f->everywhere && f->explained == (explained == 1)) return i;
            }
        }
    }
    return n;
}

void ic_scene_share_causes(ic_scene_result *results, size_t n)
{
    size_t figure = 0;
    const size_t shown = find_everywhere(results, n, &figure);
    if (shown == n) return;
    const ic_scene_result *by = &results[shown];
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < results[i].file->n_figures; k++) {
            ic_figure_result *f = &results[i].figures[k];
            if (!is_failing(f) || f->explained || (i == shown && k == figure)) continue;
            f->cause = by->figures[figure].cause;
            snprintf(f->because, sizeof f->because, "as '%.60s' of scene %.60s shows",
                     by->file->figures[figure].name, by->file->name);
        }
    }
}
