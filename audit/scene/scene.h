/* SPDX-License-Identifier: MIT */
/** Scenes that are played: their motion, and what an engine makes of it. */
#pragma once

#include "audit/engine/engine.h"
#include "audit/scene/scene_file.h"
#include "casefile/faults.h"

/** scene_answers.c: Certified answers of the case of a scene. */

/** Digits to which answers are certified. */
enum { IC_SCENE_DIGITS = 12 };

/**
 * Fill `answers` with the states and outputs that figures and mistakes use, at the end of the case's
 * run with these parameters. false: `error` gives the reason.
 */
bool ic_scene_answer(double *answers, const ic_scene_file *file, const double *par, ic_error *error);

/**
 * The same, and those of exact motions, at n times, ascending, s: n x IC_MOST_SCENE_ANSWERS. The case's
 * run goes on to the last one.
 */
bool ic_scene_answers_at(double *answers, const ic_scene_file *file, const double *par, const double *times,
                         size_t n, ic_error *error);

/** scene_check.c: Checks of the numbers of a scene, in each of its settings. */

/** Check bodies, hinges and windows in all settings, to the first that has a fault. false: faults were added. */
bool ic_scene_check(const ic_scene_file *file, ic_faults *faults);

/** Check what figures must be in a setting, by the answers of the case there. false: `error` has the place. */
bool ic_scene_check_figures(const ic_scene_file *file, size_t setting, const double *answers, ic_error *error);

/** scene_world.c: A scene with numbers in place of formulas, in one setting of its parameters. */

/** Length of a name; longer ones are cut off. */
enum { IC_WORLD_NAME = 64 };

/** Steps of a motion at most. */
#define IC_MOST_WORLD_STEPS 1e6

/** A rigid body. Quaternions are W X Y Z. */
typedef struct ic_world_body {
    /* that the program sees */
    char name[IC_WORLD_NAME];
    bool fixed;

    /* kg, kg m^2 */
    double mass, inertia[3];

    /* m, 1, m/s, rad/s */
    double at[3], turned[4], velocity[3], spin[3];

    struct {
        ic_scene_shape_kind kind;

        /* radius, or half lengths, m */
        double size[3];

        /* centre, m */
        double at[3];
    } shapes[IC_MOST_SCENE_SHAPES];
    size_t n_shapes;
} ic_world_body;

typedef struct ic_world_hinge {
    size_t bodies[2];
    double at[3], axis[3], from, to;
} ic_world_hinge;

typedef struct ic_world {
    const ic_scene_file *file;

    /* the name of the scene that the program sees */
    char name[IC_WORLD_NAME];

    /* parameters */
    double par[IC_MOST_SCENE_PARAMETERS];

    /* m/s^2 */
    double gravity[3];

    /* coefficients, 1 */
    double restitution, friction;

    /* length of a step, s */
    double step;

    /* number of steps of a motion */
    size_t steps;

    ic_world_body bodies[IC_MOST_SCENE_BODIES];
    size_t n_bodies, n_moving;

    /* numbers of the bodies in the order in which the program sees them; others, which are not there, are fixed */
    size_t order[IC_MOST_SCENE_BODIES], n_seen;

    ic_world_hinge hinges[IC_MOST_SCENE_HINGES];
    size_t n_hinges;
} ic_world;

/** Values of the parameters in setting number `setting`. */
void ic_scene_parameters(double *par, const ic_scene_file *file, size_t setting);

/** A number as text: "0.25", or "not a number". */
void ic_scene_number_text(char *text, size_t size, double value, int digits);

/** A setting as text: "v = 3 m/s, phase = 0.25"; "as it comes" if the scene has only one. */
void ic_scene_setting_text(char *text, size_t size, const ic_scene_file *file, size_t setting);

/** The scene in a setting, which its reader has checked. */
void ic_world_make(ic_world *world, const ic_scene_file *file, size_t setting);

/** Give the scene and its bodies drawn names and another order: neither tells a program what it plays. */
void ic_world_disguise(ic_world *world, uint64_t seed);

/** Whether a figure is judged in the setting of the world. */
bool ic_world_judges(const ic_world *world, const ic_scene_figure *figure);

/** The first and last row from which a figure is taken, from its `from` to its `to`. false: there is none. */
bool ic_world_window(const ic_world *world, const ic_scene_figure *figure, size_t *first, size_t *last);

/** Whether a condition holds in the setting of the world; one that is not given does. */
bool ic_world_holds(const ic_world *world, const ic_scene_formula *condition);

/** Whether a body looks the same however it is turned: a sphere about its centre of mass. */
bool ic_world_is_round(const ic_world_body *body);

/** Angle about z of an orientation, rad. */
double ic_world_angle(const double turned[4]);

/** The lowest point of the body's sphere when it is turned by this angle, from its centre of mass, m. */
void ic_world_lever(double r[2], const ic_world_body *body, double angle);

/** The lines of the protocol. */
void ic_world_write(FILE *out, const ic_world *world, const char *config, const char *variant);

/** scene_exact.c: The exact motion of the bodies of a scene, as its file states it. */

/** Place of the centre of mass, m, and orientation of a body: its angle about z, rad, or a unit quaternion. */
typedef struct ic_exact_place {
    double at[3], angle, turned[4];
} ic_exact_place;

/** Whether the motion of a body is known in the setting of the world. */
bool ic_scene_exact_known(const ic_world *world, size_t body);

/** Whether the motion of any body is known. */
bool ic_scene_exact_any(const ic_world *world);

/**
 * Exact places of all bodies after `stride` steps, twice as many and so on, and at the start before: n x n_bodies.
 * Bodies whose motion is not known have no place there. NULL: `error`. Release with free.
 */
ic_exact_place *ic_scene_exact_motion(const ic_world *world, size_t stride, size_t n, ic_error *error);

/** scene_motion.c: The motion that an engine writes, and its quantities (audit/scene/scene_file.h). */

typedef enum ic_motion_end {
    IC_MOTION_COMPLETE,

    /* the engine does not play this scene; `detail` says why */
    IC_MOTION_UNSUPPORTED,

    /* the lines are not those of the protocol */
    IC_MOTION_GARBAGE,

    /* a number is not finite */
    IC_MOTION_NOT_FINITE,

    /* the first row is not the start of the scene */
    IC_MOTION_STARTS_ELSEWHERE,

    /* it ended by a signal, by its exit status, by a limit, or did not end in time */
    IC_MOTION_CRASHED,
    IC_MOTION_FAILED,
    IC_MOTION_LIMITED,
    IC_MOTION_HUNG,

    /* the system could not start it */
    IC_MOTION_REFUSED,

    IC_MOTION_NO_MEMORY,
} ic_motion_end;

/** Topics of a motion; room for a text of 240 characters. */
enum { IC_MOST_UNPROMISED = 8, IC_MOTION_TEXT = 241 };

/** What the documentation of an engine does not promise, and where it says so. */
typedef struct ic_unpromised {
    char topic[32], text[IC_MOTION_TEXT];
} ic_unpromised;

typedef struct ic_scene_motion {
    ic_motion_end end;

    /* the reason if it is not complete */
    char detail[IC_MOTION_TEXT];

    /* what is mistaken if it starts elsewhere, or writes what it should not */
    ic_mistake_id cause;

    /* "rapier3d 0.19.3" */
    char engine[80];

    /* settings, joined by "; " */
    char setting[IC_MOTION_TEXT];

    ic_unpromised unpromised[IC_MOST_UNPROMISED];
    size_t n_unpromised;

    /* of the rows, s */
    double *times;

    /* rows of quantities, IC_MOST_SCENE_ROW values at most each */
    double *rows;
    size_t n_rows, row_size;

    /* orientations of all bodies in all rows, 4 numbers each */
    double *turned;
} ic_scene_motion;

/**
 * Read the lines of one motion, which a zero byte follows. Sets `end` and `detail`; IC_MOTION_FAILED:
 * the lines are right, but rows are missing at the end.
 */
void ic_scene_motion_read(ic_scene_motion *motion, const ic_world *world, char *text);

/** Whether a line, to its end or a zero byte, begins with a word of the protocol, or is blank. */
bool ic_scene_line_known(const char *line);

/** The beginning of a line in printable ASCII: other bytes as \xNN, "..." for what is cut off. */
void ic_scene_excerpt(char *to, size_t size, const char *bytes, size_t length);

void ic_scene_motion_free(ic_scene_motion *motion);

/** The reason why a topic is not promised in a list of n; NULL: it is. */
const char *ic_unpromised_find(const ic_unpromised *list, size_t n, const char *topic);

/**
 * scene_law.c: The impact law of a scene's body, which a figure of kind `law` asks for: of all its settings
 * together.
 */

typedef struct ic_scene_law {
    /* no candidates where it is not asked for, or nothing was played; `detail` says why none is told */
    ic_classification found;

    /* false: too few impacts ended, or they differ by their places in a step */
    bool judged;

    /* root mean square of the difference from the nearest law, 1 */
    double misfit;

    /* the greatest that is no failure: less than the tolerance where one with a mistake fits far better */
    double most;

    bool fails;

    /* the mistake that explains impacts which fail, and how */
    ic_mistake_id mistake;
    char because[IC_BECAUSE_LENGTH];
} ic_scene_law;

/** The figure that asks for the law; n_figures: there is none. */
size_t ic_scene_law_figure(const ic_scene_file *file);

/** The impact of a motion: from its first row, without gravity, to its last. */
ic_engine_probe ic_scene_impact_of(const ic_world *world, const ic_scene_motion *motion, size_t figure);

/**
 * Find the law of the impacts of all settings, which get their scatter; those that are asked for but have no mass
 * were not played. `tolerance`: of the figure.
 */
void ic_scene_find_law(ic_scene_law *law, const ic_scene_file *file, ic_engine_probe *impacts,
                       double tolerance);

/**
 * scene_player.c: An engine's program that plays scenes, one after another in one process (docs/engines.md). A
 * program that ends, crashes or hangs is started again for the next scene.
 */

typedef struct ic_scene_player {
    /* path; NULL or "": none */
    const char *program, *variant, *config;

    /* path of a plugin, whose engine of this number plays; NULL: the program does */
    const char *library;
    size_t engine;

    /* time limit of a scene, s */
    double seconds;

    /* scenes, bodies and their order are disguised with the seed */
    bool disguised;
    uint64_t seed;

    /* what the program does not promise is a failure all the same */
    bool strict;

    /* the rest is the player's own, and zero at first */
    ic_process process;
    bool running;

    /* scenes that the running process has played */
    size_t played;

    /* the end to which scenes are written */
    int input;

    /* its output */
    char *bytes;
    size_t length, room;

    /*
     * How it crashed after the last scene but one: another process plays the last one. "": it did
     * not.
     */
    char after_end[IC_MOTION_TEXT];
} ic_scene_player;

/** Play a scene by the program. The caller frees the motion. */
void ic_scene_play_program(ic_scene_player *player, const ic_world *world, ic_scene_motion *motion);

/** Makes room for so many bytes of a motion. false: memory ran out, or a motion is not so long. */
bool ic_scene_player_room(ic_scene_player *player, size_t more);

/** End the program. */
void ic_scene_player_close(ic_scene_player *player);

/**
 * scene_plugin.c: An engine of a plugin, which plays the scenes of one ball or bar on the ground, each in a
 * process of its own.
 */

/** Whether the public header has a scene for this world: one sphere in the plane, above the ground or without it. */
bool ic_scene_fits_plugin(const ic_world *world);

/** Play a scene, by the program or the plugin of the player. The caller frees the motion. */
void ic_scene_play(ic_scene_player *player, const ic_world *world, ic_scene_motion *motion);

/** scene_result.c: What an engine makes of a scene: its figures in all settings, and their verdicts. */

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

    /* "default" or "best" */
    const char *config;

    /* name and version of the engine, as it says them */
    char engine[80];

    /* settings of the engine, as it says them */
    char setting[IC_MOTION_TEXT];

    /* what the engine does not promise in some setting */
    ic_unpromised unpromised[IC_MOST_UNPROMISED];
    size_t n_unpromised;

    /* that is no excuse */
    bool strict;

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

/** Exact answers of all settings of a scene: n_settings x IC_MOST_SCENE_ANSWERS. NULL: `error`. */
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

/** scene_start.c: Whether the first row of a motion is the start of its scene. */

/**
 * Compare the first row of a complete motion with the bodies of the scene, to single precision. A
 * motion that starts elsewhere ends with IC_MOTION_STARTS_ELSEWHERE; `cause` and `detail` say how.
 */
void ic_scene_check_start(ic_scene_motion *motion, const ic_world *world);

/**
 * scene_threads.c: Public reports of faults in engines, each with the scene that shows it
 * (scenes/threads/threads.yaml).
 */

enum { IC_MOST_THREADS = 128 };

/** A report, and where it is seen. */
typedef struct ic_scene_thread {
    /* "piqnt/planck.js#223" */
    const char *id;

    /* its title */
    const char *title;

    /* what it says, in a line */
    const char *says;

    /* engine and its variant ("": none), configuration */
    const char *engine, *variant, *config;

    /* its state at the time of writing: "open", "mended in 1.4", "documented" */
    const char *state;

    /* whether the audit sees it in this engine */
    bool seen;

    /* the scene, in the settings of the thread */
    ic_scene_file *scene;

    /* number of the figure that shows the fault */
    size_t figure;

    /* the mistake that this is */
    ic_mistake_id mistake;
} ic_scene_thread;

typedef struct ic_scene_threads {
    ic_arena arena;
    ic_scene_thread threads[IC_MOST_THREADS];
    size_t n;
} ic_scene_threads;

/** Read all threads. false: `error` gives the reason. Release with ic_scene_threads_free in any case. */
bool ic_scene_threads_read(ic_scene_threads *threads, ic_error *error);
void ic_scene_threads_free(ic_scene_threads *threads);

/** The thread with this ID, or with this part of it: "planck.js#223". NULL: none, or several. */
const ic_scene_thread *ic_scene_thread_find(const ic_scene_threads *threads, const char *id);
