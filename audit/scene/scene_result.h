/* SPDX-License-Identifier: MIT */
/** What an engine makes of a scene: its figures in all settings, and their verdicts. */
#ifndef IC_AUDIT_SCENE_SCENE_RESULT_H
#define IC_AUDIT_SCENE_SCENE_RESULT_H

#include "audit/scene/scene_law.h"
#include "audit/scene/scene_player.h"

typedef enum ic_point_verdict {
    IC_POINT_PASS,
    IC_POINT_FAIL,

    /* outside its tolerance, but the engine's documentation does not promise it */
    IC_POINT_UNPROMISED,

    /* not to be judged in this setting */
    IC_POINT_NONE,
} ic_point_verdict;

/** A figure in a setting. */
typedef struct ic_scene_point {
    double measured, exact, tolerance;
    ic_point_verdict verdict;
} ic_scene_point;

/** What is found about a figure over all settings. */
typedef struct ic_figure_result {
    size_t passed, failed, unpromised;

    /* the setting with the greatest deviation over its tolerance */
    size_t worst;
    double excess;

    ic_mistake_id cause;
    char because[IC_BECAUSE_LENGTH];

    /* the fitted constant of the mistake; NAN: none */
    double constant;

    /* a mistake that the scene knows explains it; its cause acts in all scenes */
    bool explained, everywhere;

    /* the reason why it is not promised; "": it is */
    char unpromised_because[IC_MOTION_TEXT];
} ic_figure_result;

typedef enum ic_scene_verdict {
    IC_SCENE_PASSED,
    IC_SCENE_FAILED,

    /* all that is outside its tolerance is not promised */
    IC_SCENE_UNPROMISED,

    /* the engine cannot play the scene */
    IC_SCENE_UNSUPPORTED,

    /* no figure could be judged */
    IC_SCENE_UNDECIDED,
} ic_scene_verdict;

typedef struct ic_scene_result {
    const ic_scene_file *file;
    ic_scene_verdict verdict;

    /* "default" or "best"; as the engine says it */
    const char *config;
    char engine[80], setting[IC_MOTION_TEXT];

    /* what the engine does not promise in some setting */
    ic_unpromised unpromised[IC_UNPROMISED_MOST];
    size_t n_unpromised;

    size_t n_settings;
    ic_motion_end *ends;

    /* settings without a motion, the first of them, and why */
    size_t broken, first_broken;
    ic_mistake_id broken_cause;
    char detail[IC_MOTION_TEXT];

    /* n_settings x n_figures */
    ic_scene_point *points;
    ic_figure_result *figures;

    ic_scene_law law;

    /* greatest difference of a figure in a second run of the worst setting, over its tolerance */
    double spread;

    /* the worst setting, and its motion */
    size_t shown;
    ic_scene_motion motion;

    /* wall time, s */
    double seconds;
} ic_scene_result;

/** A figure in a setting. */
ic_scene_point *ic_scene_point_of(const ic_scene_result *result, size_t setting, size_t figure);

/** By how much a figure is beyond its exact value, over its tolerance. */
double ic_scene_excess(const ic_scene_figure *figure, const ic_scene_point *point);

/** The figure that is farthest outside in any setting. */
size_t ic_scene_worst_figure(const ic_scene_result *result);

/** Exact answers of all settings of a scene: n_settings x IC_SCENE_ANSWERS_MOST. NULL: `error`. */
double *ic_scene_all_answers(const ic_scene_file *file, ic_error *error);

/**
 * Play a scene in all settings and judge it. false: memory ran out. Release with
 * ic_scene_result_free in any case.
 */
bool ic_scene_audit(ic_scene_result *result, const ic_scene_file *file, const double *answers,
                    ic_scene_player *player);

/**
 * Play the worst setting once more, which gives `motion` and `spread`; by another process than
 * before. false: memory ran out.
 */
bool ic_scene_repeat(ic_scene_result *result, const double *answers, ic_scene_player *player);
void ic_scene_result_free(ic_scene_result *result);

/** Pass a result to another process that has the same scene: write it, and read it. */
void ic_scene_result_write(FILE *out, const ic_scene_result *result);

/** `*bytes` moves on to the next result. false: memory ran out. */
bool ic_scene_result_read(ic_scene_result *result, const char **bytes);

/** "pass", "FAIL", "not promised", "not offered", "undecided" */
const char *ic_scene_verdict_text(ic_scene_verdict verdict);

/** Add the findings of a result, one for each figure, and one for runs that failed. */
void ic_scene_add_findings(ic_findings *findings, const ic_scene_result *result, const char *engine);

/**
 * What acts in all scenes, as one of the results of an engine shows, is the cause of figures of the others that no
 * mistake explains.
 */
void ic_scene_share_causes(ic_scene_result *results, size_t n);

/**
 * Find the mistakes that explain the figures that fail. Those that the engine does not promise to
 * avoid are not failures.
 */
void ic_scene_name_mistakes(ic_scene_result *result, const double *answers);

#endif
