/* SPDX-License-Identifier: MIT */
/** What the parts of the reader of scenes share: names, units and formulas. */
#ifndef IC_AUDIT_SCENE_SCENE_READER_H
#define IC_AUDIT_SCENE_SCENE_READER_H

#include "audit/scene/scene_file.h"
#include "casefile/formula.h"

enum { IC_SCENE_DEFINITIONS_MOST = 64 };

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

    ic_dimension dimensions[IC_SCENE_PARAMETERS_MOST];

    struct {
        const char *name;
        ic_term term;
    } definitions[IC_SCENE_DEFINITIONS_MOST];
    size_t n_definitions;

    /* What the formula that is being read may use. */
    unsigned use;

    /* The constant of the mistake that is being read; NULL: none. It follows the parameters. */
    const char *constant;
    ic_dimension constant_dimension;

    /* answers of the case, with their dimensions */
    ic_dimension answer_dimensions[IC_SCENE_ANSWERS_MOST];

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

/** Whether a mapping has all keys; the list ends with NULL. `what` needs them: "a hinge". */
bool ic_scene_needs(ic_scene_reader *r, const ic_yaml *mapping, const char *what, const char *const *keys);

/** Whether a mapping has known keys only; the list ends with NULL. */
bool ic_scene_keys(ic_scene_reader *r, const ic_yaml *mapping, const char *const *known);

/** The text of a key, or `otherwise`; NULL: a fault was added. */
const char *ic_scene_text(ic_scene_reader *r, const ic_yaml *mapping, const char *key, const char *otherwise);

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
bool ic_scene_read_vary(ic_scene_reader *r, const ic_yaml *vary, const ic_yaml *added);
bool ic_scene_read_bodies(ic_scene_reader *r, const ic_yaml *bodies);
bool ic_scene_read_hinges(ic_scene_reader *r, const ic_yaml *hinges);
bool ic_scene_read_figures(ic_scene_reader *r, const ic_yaml *figures);
bool ic_scene_read_mistakes(ic_scene_reader *r, const ic_yaml *mistakes);
bool ic_scene_read_case(ic_scene_reader *r, const ic_yaml *section);
bool ic_scene_read_motion(ic_scene_reader *r, const ic_yaml *motion);

#endif
