/* SPDX-License-Identifier: MIT */
/** Functions that all files share that read sections of a case file. */
#pragma once

#include "casefile/casefile.h"
#include "casefile/formula.h"
#include "casefile/functions.h"
#include "casefile/yaml.h"

/** An entry of a mapping, with the indices of the families around it. */
typedef struct ic_file_entry {
    /* Name: "x2", written "x[i]" in the file. */
    const char *name;

    const ic_yaml *key, *value;

    const ic_index *indices;
} ic_file_entry;

typedef struct ic_file_entries {
    ic_file_entry *entries;
    size_t n;

    /* True if names may be any text: those of modes, guards and presets. */
    bool any_text;
} ic_file_entries;

/**
 * A defined quantity. It is read when it is first used, and again in each mode if it depends on the
 * mode.
 */
typedef struct ic_definition {
    ic_file_entry entry;

    ic_term term;

    /*
     * of_mode: it depends on quantities of the mode. hidden: some mode has a definition of the same
     * name.
     */
    bool of_mode, hidden;

    enum { IC_DEFINITION_UNREAD, IC_DEFINITION_OPEN, IC_DEFINITION_READ, IC_DEFINITION_WRONG } status;
} ic_definition;

typedef struct ic_definitions {
    /* The mapping from which the definitions were read. */
    const ic_yaml *mapping;

    ic_definition *definitions;
    size_t n;
} ic_definitions;

/** A kink in a flow, at u = 0: |u| is s u, where s is the sign of u. */
typedef struct ic_kink {
    /* The innermost function that depends on s, and node of u. */
    ic_node node, argument;

    /* u without its constant factor, and a node with the sign of that. */
    ic_node core, factor;

    /* u with inner kinks replaced by their smooth functions. */
    ic_node smooth;

    /* In the mode that is being read: the flows of the negative and the positive side; NULL: not known. */
    ic_node *flows[2];

    /* In that mode: positive while an element holds u at zero, so that the text holds as it is written for 0. */
    ic_node rest;

    /* Index of the state s, and depth of u. */
    int state, depth;

    /*
     * By number of another kink: the sides of that one, IC_IDLE_ABOVE and IC_IDLE_BELOW, on which neither the flow
     * nor a side that it needs depends on s.
     */
    unsigned char *idle;

    /* A node of sides that is > 0 where s matters, and its event can happen; IC_NO_NODE: always. */
    ic_node gate;

    /* s where it does not matter: 1 or -1. */
    int parked;
} ic_kink;

enum { IC_IDLE_ABOVE = 1, IC_IDLE_BELOW = 2 };

/** An element of the case, see casefile/elements.h. */
typedef struct ic_element {
    const char *name, *type;

    /* Section of the file; NULL if the variant that is being read does not have the element. */
    const ic_yaml *section;
    const ic_index *indices;

    /* Index of its discrete state. */
    int state;

    /* Delay: index of the state that holds the time of the last change of the input. */
    int since;

    /* Contact: index of the state of its memory, and of its residual indentation; -1: none. */
    int memory, set;

    /* In the mode that is being read: its force, and its discrete state at a start. */
    ic_term force;
    ic_node start;

    /*
     * velocity: the slip, the rate of the gap, the input of a delay, or the indentation of a
     * contact. gap: that of a stop.
     */
    ic_node velocity;
    ic_term gap;
} ic_element;

typedef struct ic_coordinate {
    const ic_yaml *text;
    const ic_index *indices;

    /* True for an angle, which is not a length. */
    bool angle;

    /* Its node, if that is known and the same in all modes of the variant; otherwise IC_NO_NODE. */
    ic_node node;
} ic_coordinate;

typedef struct ic_case_reader {
    ic_arena *arena;
    ic_graph *graph;
    ic_faults *faults;
    ic_functions *functions;

    /*
     * Name of the variant for which everything is given as operations, jumps and further quantities
     * too; other variants then have no operations. NULL: all variants have those of ic_mode.equations.
     */
    const char *exact;

    /* That variant has tangents along these; NULL: none. */
    const ic_casefile_directions *directions;

    /* Whether the variant that is being written is that one. */
    bool emits_all;

    /* The file, or the file with the entries that the variant replaces. */
    const ic_yaml *root;

    /* Parameters in SI units, with exact texts. */
    ic_parameter *parameters;
    ic_dimension *parameter_dimensions;

    /* By parameter: its value as a node; IC_NO_NODE: it is a number in another unit, or was added by a law. */
    ic_node *parameter_nodes;
    double *parameter_values;
    size_t n_parameters;

    /* By parameter: whether the size of a family depends on it. */
    bool *parameter_sizes;

    /*
     * By parameter: its value as written, "20 mm", if its unit is not an SI unit; otherwise NULL.
     */
    const char **parameter_written;

    /* n_settings settings that replace defaults, because sizes of families depend on them. */
    const char *const *settings;
    size_t n_settings;

    ic_state *states;
    ic_dimension *state_dimensions;

    /* By state: node of its initial value, used where `start` does not give one. */
    ic_node *state_starts;
    bool *state_discrete;

    /* By state: the list `values`, or NULL. */
    const ic_yaml **state_values;
    size_t n_states;

    /* M of M v' = force in the mode that is being read, n_mass x n_mass, by rows */
    ic_node *mass;

    /* the velocities v, as indices of states */
    int *mass_velocities;

    /* Dimension of the force of each row. */
    ic_dimension *mass_forces;
    size_t n_mass;

    ic_element *elements;
    size_t n_elements;

    /* of ic_apply_elements; NULL before it is first needed */
    struct ic_elements_workspace *workspace;

    /* Stops and frictions of the mode that was read last, if it has no other elements; or NULL. */
    struct ic_plan_stops *stops;

    /* Requirements of the elements on parameters. */
    ic_requirement *requirements;
    size_t n_requirements;
    ic_kink *kinks;
    size_t n_kinks;

    /* The sketch: its coordinates, and their dimension: `any` if it is not known yet. */
    struct {
        ic_coordinate *coordinates;
        size_t n;
        ic_dimension dimension;
    } sketch;

    /* Definitions of the mode that is being read, and those of the whole case. */
    ic_definitions mode_definitions, case_definitions;

    /* Names of definitions of the case that definitions of some mode hide. */
    const char **hidden;
    size_t n_hidden;

    /*
     * True if a formula has used a quantity that depends on the mode: its definitions, or
     * quantities of elements and laws.
     */
    bool used_mode;

    /*
     * Names that formulas may use. STARTS: states, which stand for their initial values. NONE:
     * `none`, for an output without a value.
     */
    enum {
        IC_USE_PARAMETERS = 1,
        IC_USE_STATES = 2,
        IC_USE_TIME = 4,
        IC_USE_COUNT = 8,
        IC_USE_STARTS = 16,
        IC_USE_NONE = 32
    } uses;

    long work;

    /* Depth of nesting of the formula that is being read. */
    int depth;

    /*
     * Results of ic_reader_linear_text by node, valid while names keep their meaning. NULL: not
     * computed; "": the node has no such text.
     */
    struct {
        const char **texts;
        size_t size, n_states, n_parameters;
        bool states;
    } linear;

    /*
     * law: that of the variant that is being read, or NULL. memory: index of the state of its
     * memory, which is the last state if any variant has a law.
     */
    const ic_law *law;
    int memory;

    /*
     * Names of the modes of all variants; mode numbers are the same in all variants. The first
     * n_declared are those of the section `modes`, the others those to which `ends` leads.
     */
    const char **mode_names;
    size_t n_modes, n_declared;
} ic_case_reader;

/** The scope of a formula at the place of an entry. */
ic_scope ic_reader_scope(ic_case_reader *r, const ic_index *indices);

/**
 * Read the entries of a mapping, with families expanded. NULL counts as an empty mapping. false:
 * faults were added.
 */
bool ic_entries_read(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *mapping,
                     const ic_index *indices);

/**
 * Read the items of a list, with families {for i in 1..N: item} expanded. The entries have no
 * names.
 */
bool ic_list_read(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *list, const ic_index *indices);

/**
 * Whether a key of a mapping is true; false if the key does not exist. `mapping` may be NULL. Any
 * other value adds a fault.
 */
bool ic_reader_flag(ic_case_reader *r, const ic_yaml *mapping, const char *key);

/**
 * Whether the name of an entry is free. false: it has a meaning already, and a fault was added. A
 * state may have the name of a parameter, which is then its initial value.
 */
bool ic_reader_new_name(ic_case_reader *r, const ic_file_entry *entry, bool state);

/** Read an SI unit without a factor. Exponents may be parameters. false: a fault was added. */
bool ic_reader_si_unit(ic_unit *unit, ic_case_reader *r, const char *text, ic_file_place place);

/**
 * Read parameters, states and definitions. The formula of a definition is read when it is first
 * used.
 */
bool ic_read_parameters(ic_case_reader *r);
bool ic_read_states(ic_case_reader *r);
bool ic_read_definitions(ic_definitions *definitions, ic_case_reader *r, const ic_yaml *mapping);

/** Read all definitions that no formula has used, so that faults in them are found. */
void ic_check_definitions(ic_case_reader *r, ic_definitions *definitions);

/** Forget the formulas of definitions, because the names that they may use have changed. */
void ic_forget_definitions(ic_definitions *definitions);

/**
 * Begin a mode whose own definitions have been read: forget the definitions of the case that depend
 * on the mode.
 */
void ic_begin_mode_definitions(ic_case_reader *r);

/** Number of the mode of this name, which is added if it does not exist. -1: memory ran out. */
int ic_reader_mode(ic_case_reader *r, const char *name);

/**
 * Declare a state for every kink in the flows of a variant. This comes before anything else is
 * read.
 */
bool ic_find_variant_kinks(ic_case_reader *r);

/** Read the outputs without their values. */
bool ic_read_outputs(ic_case_reader *r, ic_output **outputs, size_t *n);

/** Whether a text is an expression as defined in the public header. */
bool ic_reader_can_read(const ic_case_reader *r, const char *text);

/** Whether it cannot be read only because it has no value for the default parameters: sqrt(-1). */
bool ic_reader_has_no_value(const ic_case_reader *r, const char *text);

/** The node as an expression of the public header, or NULL if it cannot be written as one. */
const char *ic_reader_linear_text(ic_case_reader *r, ic_node node);

/** The same for a condition, which may consist of several expressions joined by " and ". */
const char *ic_reader_condition_text(ic_case_reader *r, ic_node node);

/** Add a function of the case. The pointer at `slot` is set to it later. The nodes are copied. */
bool ic_reader_function(ic_case_reader *r, ic_function_kind kind, const ic_node *nodes, size_t n, void *slot);

/**
 * Add a parameter that the file does not list. `like` provides its texts; the unit is an SI unit.
 */
bool ic_reader_add_parameter(ic_case_reader *r, const ic_parameter *like, ic_file_place place);

/** Whether a name is known in formulas: that of a parameter or a definition. */
bool ic_reader_has_name(ic_case_reader *r, const char *name);

/**
 * Check the value that a state receives. If it is a number, it must be in the list `values` of the
 * state. false: a fault was added.
 */
bool ic_reader_check_value(ic_case_reader *r, int state, ic_node node, ic_file_place place);

/**
 * Whether only events change the value of a node: it depends on discrete states and parameters
 * alone.
 */
bool ic_reader_is_discrete(ic_case_reader *r, ic_node node);

/** Add a discrete state that the file does not list. Returns its index; -1: a fault was added. */
int ic_reader_add_discrete(ic_case_reader *r, const char *name, const char *unit, const char *meaning,
                           ic_file_place place);

/** Index of the state, or of the parameter, of this name; -1 if it does not exist. */
int ic_reader_state(const ic_case_reader *r, const char *name);
int ic_reader_parameter(const ic_case_reader *r, const char *name);

/** A node as text in the names of the case. NULL: the text is too long. */
const char *ic_reader_node_text(const ic_case_reader *r, ic_node node);
