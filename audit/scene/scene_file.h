/* SPDX-License-Identifier: MIT */
/**
 * Scenes as text: arrangements of bodies whose motion is known, for engines to play (docs/engines.md).
 *
 * A file gives parameters, the bodies as formulas in them, the values over which they vary, the
 * figures that are measured on a motion with their exact values and tolerances, and the mistakes
 * that explain other values.
 */
#pragma once

#include "audit/common/finding.h"
#include "casefile/dimension.h"
#include "casefile/formula.h"
#include "casefile/program.h"
#include "casefile/yaml.h"

#include <stdint.h>
#include <stdio.h>

enum {
    IC_MOST_SCENE_BODIES = 24,
    IC_MOST_SCENE_SHAPES = 8,
    IC_MOST_SCENE_HINGES = 8,
    IC_MOST_SCENE_PARAMETERS = 48,
    IC_MOST_SCENE_ANSWERS = 64,
    IC_MOST_SCENE_SETTINGS = 4096,
};

/** A formula in parameters, the quantities of a row, and the answers of a case. */
typedef struct ic_scene_formula {
    ic_program program;
    ic_dimension dimension;

    /* as written, and where */
    const char *text;
    ic_file_place place;
} ic_scene_formula;

/** Quantities of a moving body in a row, which formulas call BODY.NAME; start.BODY.NAME in the first row. */
#define IC_SCENE_QUANTITIES(ROW)                                                                               \
    ROW(X, "x", "m")                                                                                           \
    ROW(Y, "y", "m")                                                                                           \
    ROW(Z, "z", "m")                                                                                           \
    ROW(VX, "vx", "m/s")                                                                                       \
    ROW(VY, "vy", "m/s")                                                                                       \
    ROW(VZ, "vz", "m/s")                                                                                       \
    ROW(WX, "wx", "rad/s")                                                                                     \
    ROW(WY, "wy", "rad/s")                                                                                     \
    ROW(WZ, "wz", "rad/s")                                                                                     \
    /* angle about z since the start, counted over whole turns, for motions in the plane */                    \
    ROW(ANGLE, "angle", "rad")                                                                                 \
    /* angle between the y axis of the body and the vertical */                                                \
    ROW(TILT, "tilt", "rad")

/** Quantities of all bodies together. Angular momentum is about the origin. */
#define IC_SCENE_TOTALS(ROW)                                                                                   \
    ROW(ENERGY, "energy", "J")                                                                                 \
    ROW(KINETIC, "kinetic_energy", "J")                                                                        \
    ROW(PX, "momentum.x", "kg m/s")                                                                            \
    ROW(PY, "momentum.y", "kg m/s")                                                                            \
    ROW(PZ, "momentum.z", "kg m/s")                                                                            \
    ROW(LX, "angular_momentum.x", "kg m^2/s")                                                                  \
    ROW(LY, "angular_momentum.y", "kg m^2/s")                                                                  \
    ROW(LZ, "angular_momentum.z", "kg m^2/s")

typedef enum ic_scene_quantity {
#define IC_SCENE_QUANTITY(id_, name_, unit_) IC_SCENE_##id_,
    IC_SCENE_QUANTITIES(IC_SCENE_QUANTITY) IC_SCENE_QUANTITY_COUNT
} ic_scene_quantity;

typedef enum ic_scene_total {
    IC_SCENE_TOTALS(IC_SCENE_QUANTITY) IC_SCENE_TOTAL_COUNT
#undef IC_SCENE_QUANTITY
} ic_scene_total;

/** Number of values of a row: those of all bodies, then the totals. */
enum { IC_MOST_SCENE_ROW = IC_MOST_SCENE_BODIES * IC_SCENE_QUANTITY_COUNT + IC_SCENE_TOTAL_COUNT };

typedef struct ic_scene_parameter {
    const char *name, *meaning;
    ic_scene_formula value;

    /* its unit as written; "": none */
    const char *unit;
} ic_scene_parameter;

/** Values that parameters take: the products of all lists of an entry of `vary`. */
typedef struct ic_scene_list {
    size_t parameter;
    ic_scene_formula *values;
    size_t n;
} ic_scene_list;

typedef struct ic_scene_product {
    ic_scene_list *lists;
    size_t n;
} ic_scene_product;

typedef enum ic_scene_shape_kind {
    IC_SCENE_SHAPE_SPHERE,
    IC_SCENE_SHAPE_BOX,
    IC_SCENE_SHAPE_PLANE
} ic_scene_shape_kind;

typedef struct ic_scene_shape {
    ic_scene_shape_kind kind;

    /* radius; or whole lengths of the edges, m */
    ic_scene_formula size[3];

    /* centre in the frame of the body, m */
    ic_scene_formula at[3];
} ic_scene_shape;

/**
 * The exact motion of a body, beside which an animation shows that of an engine: formulas in t and answers of the case
 * at this time. What has no program stays as at the start.
 */
typedef struct ic_scene_path {
    /* false: it is not known */
    bool given;

    /* condition of the settings in which it is known; without a program: all */
    ic_scene_formula when;

    /* place, m */
    ic_scene_formula at[3];

    /* angle about z, rad */
    ic_scene_formula angle;

    /* unit quaternion */
    ic_scene_formula turned[4];
} ic_scene_path;

typedef struct ic_rigid_body {
    const char *name;
    ic_file_place place;
    bool fixed;

    /* condition of the settings in which it is there; without a program: all */
    ic_scene_formula when;

    ic_scene_formula mass, inertia[3];

    /* false: the moments are those of its only shape, homogeneous */
    bool has_inertia;

    ic_scene_formula at[3], velocity[3], spin[3];

    /* axis and angle of its orientation */
    ic_scene_formula axis[3], angle;

    ic_scene_shape shapes[IC_MOST_SCENE_SHAPES];
    size_t n_shapes;

    ic_scene_path path;
} ic_rigid_body;

typedef struct ic_scene_hinge {
    size_t bodies[2];
    ic_file_place place;

    /* without a program, `from` and `to` are no stops */
    ic_scene_formula at[3], axis[3], from, to;
} ic_scene_hinge;

/** How a figure is taken from the values of its formula over the rows. */
typedef enum ic_scene_take {
    IC_TAKE_END,
    IC_TAKE_START,
    IC_TAKE_MOST,
    IC_TAKE_LEAST,
    IC_TAKE_MEAN,
    IC_TAKE_RANGE,

    /* not from rows, but from the impacts of all settings: how far they are from the nearest impact law */
    IC_TAKE_LAW,
} ic_scene_take;

typedef enum ic_scene_bound { IC_BOUND_IS, IC_BOUND_BELOW, IC_BOUND_ABOVE } ic_scene_bound;

typedef struct ic_scene_figure {
    const char *name, *meaning, *topic, *because;
    ic_file_place place;
    ic_audit_check check;
    ic_scene_take take;
    ic_scene_bound bound;
    ic_scene_formula measure, exact, tolerance;

    /* ends of the part of the motion that is judged, s, which is all of it without programs */
    ic_scene_formula from, to;

    /* condition of the settings in which it is judged; without a program: all */
    ic_scene_formula when;

    /* its unit; "1": none */
    const char *unit;

    /* the mistake if no hypothesis explains a failure */
    ic_mistake_id cause;

    /* the same if it fails in some phases of a step only, by the parameter of this name */
    ic_mistake_id cause_by_phase;

    /* the same if the impacts of the scene follow a law whose name begins with this; "": none */
    const char *law;
    ic_mistake_id cause_by_law;

    /* what `cause` names acts in all scenes */
    bool everywhere;

    /* the body whose impacts are taken, for IC_TAKE_LAW */
    size_t body;
} ic_scene_figure;

typedef struct ic_scene_prediction {
    size_t figure;
    ic_scene_formula value;
} ic_scene_prediction;

/** A mistake and the figures that it would give. */
typedef struct ic_scene_mistake {
    ic_mistake_id id;
    const char *says;

    /* what an engine that does not promise it may do: "free-flight"; "": nothing */
    const char *topic;

    /* it acts in all scenes */
    bool everywhere;

    /* a constant that is fitted; "": none */
    const char *constant;
    ic_scene_formula from, to;
    size_t points;
    bool logarithmic;

    /* Parameters that the engine uses with other values: case.NAME is the answer of the case with these. */
    struct {
        size_t parameter;
        ic_scene_formula value;
    } * others;
    size_t n_others;

    ic_scene_prediction *predictions;
    size_t n_predictions;
} ic_scene_mistake;

/** The case that knows the motion: answers are its states and outputs at the end of its run. */
typedef struct ic_scene_case {
    /* CASE/PRESET; NULL: none */
    const char *path;
    ic_file_place place;
    const char *variant;

    const char **names;
    ic_scene_formula *values;
    size_t n;

    ic_scene_formula until;

    /* states and outputs that formulas use */
    const char *answers[IC_MOST_SCENE_ANSWERS];
    size_t n_answers;

    /* those that figures and mistakes use come first; others are for exact motions */
    size_t n_judged;
} ic_scene_case;

typedef struct ic_scene_file {
    ic_arena arena;

    /* of the file, as it was given */
    const char *path;

    const char *name, *title, *asks, *source;

    /* 2 or 3 */
    int dimension;

    ic_scene_parameter parameters[IC_MOST_SCENE_PARAMETERS];
    size_t n_parameters;

    ic_scene_product *products;
    size_t n_products;

    /* settings that were added to those of the file: from this number on */
    size_t first_added;

    /* settings with drawn values come last: from this number on */
    size_t first_drawn;

    ic_scene_formula gravity[3], step, until, restitution, friction;

    ic_rigid_body bodies[IC_MOST_SCENE_BODIES];
    size_t n_bodies;

    ic_scene_hinge *hinges;
    size_t n_hinges;

    ic_scene_case answer;

    ic_scene_figure *figures;
    size_t n_figures;

    ic_scene_mistake *mistakes;
    size_t n_mistakes;
} ic_scene_file;

/**
 * Read a scene and check it in all settings. `name` is the name of its file, which messages use. NULL:
 * `error` has the faults, FILE:LINE:COLUMN: TEXT in a line each. Release with ic_scene_file_free.
 */
ic_scene_file *ic_scene_file_read(const char *name, const char *bytes, size_t size, ic_error *error);

/**
 * The same with further settings: a list as `vary` in a file, and one for each of the file's that has several values,
 * drawn between these with a seed; NULL: none.
 */
ic_scene_file *ic_scene_file_read_with(const char *name, const char *bytes, size_t size, const ic_yaml *added,
                                       const uint64_t *seed, ic_error *error);
void ic_scene_file_free(ic_scene_file *file);

/** The values that a formula may use; a pointer to what it does not use may be NULL. */
typedef struct ic_scene_values {
    double t;

    /* quantities of a row */
    const double *row;

    /* parameters, then the constant of a mistake */
    const double *par;

    /* answers of the case, IC_MOST_SCENE_ANSWERS, then the quantities of the first row */
    const double *known;
} ic_scene_values;

enum { IC_MOST_SCENE_KNOWN = IC_MOST_SCENE_ANSWERS + IC_MOST_SCENE_ROW };

/** The value of a formula; 0 if it has no program. */
double ic_scene_evaluate(const ic_scene_formula *formula, const ic_scene_values *values);

/** Number of the figure of a name; n_figures: there is none. */
size_t ic_scene_figure_find(const ic_scene_file *file, const char *name);

/** Whether the formula is given. */
bool ic_scene_given(const ic_scene_formula *formula);

size_t ic_scene_settings(const ic_scene_file *file);

/** scene_list.c: The scenes of an audit: those of scenes/, and files of the user's. */

enum { IC_MOST_SCENES = 64 };

typedef struct ic_scenes {
    ic_scene_file *files[IC_MOST_SCENES];

    /* certified answers of all settings (audit/scene/scene.h) */
    double *answers[IC_MOST_SCENES];
    size_t n;
} ic_scenes;

/**
 * Read "all", or names of scenes and paths of files with commas between them; those of scenes/ with drawn settings,
 * too, if there is a seed. false: `error` gives the reason. Release with ic_scenes_free in any case.
 */
bool ic_scenes_read(ic_scenes *scenes, const char *names, const uint64_t *seed, ic_error *error);

/** A scene of scenes/ by its name, with further settings (ic_scene_file_read_with). NULL: `error`. */
ic_scene_file *ic_scene_built_in(const char *name, const ic_yaml *added, ic_error *error);

/** Read those of scenes/ that engines of plugins can play. false: `error` gives the reason. */
bool ic_scenes_read_for_plugins(ic_scenes *scenes, const uint64_t *seed, ic_error *error);

/** Certify the answers of all. false: `error` gives the reason. */
bool ic_scenes_certify(ic_scenes *scenes, ic_error *error);
void ic_scenes_free(ic_scenes *scenes);

/** scene_reader.c: What the parts of the reader of scenes share: names, units and formulas. */

enum { IC_MOST_SCENE_DEFINITIONS = 64 };

/** What formulas may use besides parameters and definitions; sums of these. Rows come with the time. */
typedef enum ic_scene_use {
    IC_USE_PARAMETERS = 0,
    IC_USE_ANSWERS = 1,
    IC_USE_ROWS = 2,
    IC_USE_TIME = 4,

    /* numbers only, without parameters */
    IC_USE_NUMBERS = 8,
} ic_scene_use;

typedef struct ic_scene_reader {
    ic_scene_file *file;
    ic_graph graph;
    ic_faults faults;

    ic_dimension dimensions[IC_MOST_SCENE_PARAMETERS];

    struct {
        const char *name;
        ic_term term;
    } definitions[IC_MOST_SCENE_DEFINITIONS];
    size_t n_definitions;

    /* What the formula that is being read may use. */
    unsigned use;

    /* The constant of the mistake that is being read; NULL: none. It follows the parameters. */
    const char *constant;
    ic_dimension constant_dimension;

    /* answers of the case, with their dimensions */
    ic_dimension answer_dimensions[IC_MOST_SCENE_ANSWERS];

    /* Finds the dimension of an answer. NULL: there is no case. */
    const ic_case *system;

    /* settings that have been read */
    size_t n_settings;

    long work;
    int depth;
} ic_scene_reader;

/** Read a formula, of any dimension, or of that of a unit. false: a fault was added. */
bool ic_scene_read_formula(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text, unsigned use);
bool ic_scene_read_quantity(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text,
                            const char *unit, const char *what);
bool ic_scene_read_quantity_in(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text,
                               const char *unit, const char *what, unsigned use);
bool ic_scene_read_condition(ic_scene_reader *r, ic_scene_formula *formula, const ic_yaml *text);

/** Three formulas of one unit. */
bool ic_scene_read_vector(ic_scene_reader *r, ic_scene_formula vector[3], const ic_yaml *list, const char *unit,
                          const char *what);

/** Read a definition and keep its term. */
bool ic_scene_read_definition(ic_scene_reader *r, const ic_yaml *name, const ic_yaml *text);

/** Whether a parameter, a definition or a constant may have a name. false: a fault was added. */
bool ic_scene_new_name(ic_scene_reader *r, const ic_yaml *name);

/** Whether a body may have a name. false: a fault was added. */
bool ic_scene_body_name(ic_scene_reader *r, const ic_yaml *name);

/** true or false, which is the default; and a whole number from 2 to `most`. false: a fault was added. */
bool ic_scene_flag(ic_scene_reader *r, const ic_yaml *mapping, const char *key, bool *flag);
bool ic_scene_points(ic_scene_reader *r, const ic_yaml *mapping, size_t otherwise, size_t most, size_t *points);

/** The ends of a range, {from, to, points, log}, of a unit or, with NULL, of any. false: a fault was added. */
bool ic_scene_read_ends(ic_scene_reader *r, ic_scene_formula ends[2], bool *logarithmic, const ic_yaml *range,
                        const char *unit);

/** The key `topic`, or "". NULL: a fault was added. */
const char *ic_scene_topic(ic_scene_reader *r, const ic_yaml *mapping);

/** Number of a parameter or of a body; -1: it does not exist. */
int ic_scene_parameter_find(const ic_scene_file *file, const char *name);
int ic_scene_body_find(const ic_scene_file *file, const char *name);

/** Sections of the file. false: a fault was added. `added`: more values of parameters, or NULL. */
bool ic_scene_read_parameters(ic_scene_reader *r, const ic_yaml *parameters);
bool ic_scene_read_definitions(ic_scene_reader *r, const ic_yaml *definitions);
bool ic_scene_read_vary(ic_scene_reader *r, const ic_yaml *vary, const ic_yaml *added, const uint64_t *seed);
bool ic_scene_read_bodies(ic_scene_reader *r, const ic_yaml *bodies);
bool ic_scene_read_hinges(ic_scene_reader *r, const ic_yaml *hinges);
bool ic_scene_read_figures(ic_scene_reader *r, const ic_yaml *figures);
bool ic_scene_read_mistakes(ic_scene_reader *r, const ic_yaml *mistakes);
bool ic_scene_read_case(ic_scene_reader *r, const ic_yaml *section);
bool ic_scene_read_motion(ic_scene_reader *r, const ic_yaml *motion);

/** scene_topics.c: What figures test, and engines may not promise (docs/engines.md). */

/** Whether a topic exists. */
bool ic_scene_topic_known(const char *topic);

/** All topics, NULL after the last; and as one text: "restitution, slow-restitution, ..." */
const char *const *ic_scene_topics(void);
const char *ic_scene_topic_list(void);

/** scene_schemas.c: A whole scene, and the parts of it that have keys. */
extern const ic_schema ic_schema_scene, ic_schema_scene_parameter, ic_schema_scene_range, ic_schema_scene_body,
    ic_schema_scene_shape, ic_schema_scene_turned, ic_schema_scene_hinge, ic_schema_scene_material,
    ic_schema_scene_case, ic_schema_scene_path_plane, ic_schema_scene_path_space, ic_schema_scene_figure,
    ic_schema_scene_mistake;

/** Names by number, NULL after the last: of ic_scene_take except IC_TAKE_LAW; of mistakes, from 1 on. */
const char *const *ic_scene_takes(void);
const char *const *ic_scene_mistake_names(void);
