/* SPDX-License-Identifier: MIT */
/** Reading a case file: what its sections share. */
#ifndef IC_CASEFILE_READER_H
#define IC_CASEFILE_READER_H

#include "casefile/formula.h"
#include "casefile/functions.h"
#include "casefile/yaml.h"

/** An entry of a mapping, with the indices of the families around it. */
typedef struct ic_file_entry {
    /* "x[i]" read as "x2" */
    const char *name;

    const ic_yaml *key, *value;

    const ic_index *indices;
} ic_file_entry;

typedef struct ic_file_entries {
    ic_file_entry *entries;
    size_t n;

    /* names may be any text: modes, guards, presets */
    bool any_text;
} ic_file_entries;

/** A defined quantity: it is read when it is first used, in each mode again if it depends on the mode. */
typedef struct ic_definition {
    ic_file_entry entry;

    ic_term term;

    /* whether it uses what each mode has its own of; whether a mode has a definition of its name */
    bool of_mode, hidden;

    enum { IC_DEFINITION_UNREAD, IC_DEFINITION_OPEN, IC_DEFINITION_READ, IC_DEFINITION_WRONG } status;
} ic_definition;

typedef struct ic_definitions {
    /* what they were read from */
    const ic_yaml *mapping;

    ic_definition *definitions;
    size_t n;
} ic_definitions;

/** A function with a kink in a flow: |u| is s u, where s is the sign of u. */
typedef struct ic_kink {
    /* the node, and u */
    ic_node node, argument;

    /* u, with the signs of kinks within it in their place */
    ic_node smooth;

    /* index of s in the state */
    int state;
} ic_kink;

/** An element of the case, see casefile/elements.h. */
typedef struct ic_element {
    const char *name, *type;

    /* NULL: the variant being read is without it */
    const ic_yaml *section;
    const ic_index *indices;

    /* index of its discrete state */
    int state;

    /* delay: index of the state that holds the time since which the input stands */
    int since;

    /* contact: the state of its memory, and the indentation that the surface keeps; -1: none */
    int memory, set;

    /* in the mode being read: its force, and, at a start, its state */
    ic_term force;
    ic_node start;

    /* slip, or velocity of the gap, or input of a delay, or indentation of a contact; and the gap of a stop */
    ic_node velocity;
    ic_term gap;
} ic_element;

typedef struct ic_case_reader {
    ic_arena *arena;
    ic_graph *graph;
    ic_faults *faults;
    ic_functions *functions;

    /* the file, or the file as overridden by a variant */
    const ic_yaml *root;

    /* SI, with exact texts */
    ic_parameter *parameters;
    ic_dimension *parameter_dimensions;
    double *parameter_values;
    size_t n_parameters;

    /* whether the size of a family depends on it */
    bool *parameter_sizes;

    /* its value in its own unit, "20 mm", if that is not one of the SI; else NULL */
    const char **parameter_written;

    /* settings that take the place of defaults, n of them: for families that depend on parameters */
    const char *const *settings;
    size_t n_settings;

    ic_state *states;
    ic_dimension *state_dimensions;

    /* the state's value at a start that says nothing else: a node */
    ic_node *state_starts;
    bool *state_discrete;

    /* the list `values`, or NULL */
    const ic_yaml **state_values;
    size_t n_states;

    /* M of M v' = force in the mode being read, n_mass x n_mass by rows; v: indices of states */
    ic_node *mass;
    int *mass_velocities;

    /* dimension of the force in each row */
    ic_dimension *mass_forces;
    size_t n_mass;

    ic_element *elements;
    size_t n_elements;

    /* what the elements require of parameters */
    ic_requirement *requirements;
    size_t n_requirements;
    ic_kink *kinks;
    size_t n_kinks;

    /* of the mode being read, then of the whole case */
    ic_definitions mode_definitions, case_definitions;

    /* names of the case's that modes have definitions of */
    const char **hidden;
    size_t n_hidden;

    /* whether a formula has used what each mode has its own of: its definitions, quantities of elements and laws */
    bool used_mode;

    /* what formulas may use; STARTS: states, which stand for their values at the start; NONE: that there
       is no value */
    enum {
        IC_USE_PARAMETERS = 1,
        IC_USE_STATES = 2,
        IC_USE_TIME = 4,
        IC_USE_COUNT = 8,
        IC_USE_STARTS = 16,
        IC_USE_NONE = 32
    } uses;

    long work;

    /* of the formula being read */
    int depth;

    /* ic_reader_linear_text by node, while names mean the same: NULL: not asked; "": there is none */
    struct {
        const char **texts;
        size_t size, n_states, n_parameters;
        bool states;
    } linear;

    /* law of the variant being read, or NULL; state with its memory, the last one, if any variant has a law */
    const ic_law *law;
    int memory;

    /* modes of all variants: their numbers mean the same everywhere. The first n_declared are those of the
       section `modes`, the others those to which `ends` leads. */
    const char **mode_names;
    size_t n_modes, n_declared;
} ic_case_reader;

/** The scope of a formula in the place of an entry. */
ic_scope ic_reader_scope(ic_case_reader *r, const ic_index *indices);

/** Entries of a mapping, families written out. NULL is an empty mapping. false: faults. */
bool ic_entries_read(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *mapping,
                     const ic_index *indices);

/** Items of a list, families {for i in 1..N: item} written out. The entries have no names. */
bool ic_list_read(ic_file_entries *entries, ic_case_reader *r, const ic_yaml *list, const ic_index *indices);

/** The text of a scalar; `otherwise` if there is none; NULL: a fault was added. */
const char *ic_reader_text(ic_case_reader *r, const ic_yaml *mapping, const char *key, const char *otherwise);

/** Whether a key of a mapping, or of NULL, is true; false without the key. A fault if it is neither. */
bool ic_reader_flag(ic_case_reader *r, const ic_yaml *mapping, const char *key);

/** Refuse keys of a mapping that are not in the list, which NULL ends. "for ..." is allowed. */
bool ic_reader_keys(ic_case_reader *r, const ic_yaml *mapping, const char *const *known);

/**
 * Whether the name of an entry can be given: false: it has a meaning already, and a fault was added. A state
 * may have the name of a parameter, which then is its value at the start.
 */
bool ic_reader_new_name(ic_case_reader *r, const ic_file_entry *entry, bool state);

/** Read a unit of the SI, without factor. Its exponents may be parameters. false: a fault was added. */
bool ic_reader_si_unit(ic_unit *unit, ic_case_reader *r, const char *text, ic_file_place place);

/** Read parameters, states, definitions; a definition is read when it is used. */
bool ic_read_parameters(ic_case_reader *r);
bool ic_read_states(ic_case_reader *r);
bool ic_read_definitions(ic_definitions *definitions, ic_case_reader *r, const ic_yaml *mapping);

/** Read all definitions that no formula has used, so that faults in them are found. */
void ic_check_definitions(ic_case_reader *r, ic_definitions *definitions);

/** Forget what definitions mean: formulas may use something else. */
void ic_forget_definitions(ic_definitions *definitions);

/** Another mode, whose own definitions have been read: forget what the case's mean, as far as it depends on the mode. */
void ic_begin_mode_definitions(ic_case_reader *r);

/** Number of a mode; it is a new one if none has the name. -1: memory ran out. */
int ic_reader_mode(ic_case_reader *r, const char *name);

/** Declare a state for every kink in the flows of a variant, before anything else is read. */
bool ic_find_variant_kinks(ic_case_reader *r);

/** Read the outputs but for their values. */
bool ic_read_outputs(ic_case_reader *r, ic_output **outputs, size_t *n);

/** Whether a text belongs to the language of the public header. */
bool ic_reader_can_read(const ic_case_reader *r, const char *text);

/** The node as text if it belongs to the language of the public header, else NULL. */
const char *ic_reader_linear_text(ic_case_reader *r, ic_node node);

/** The same for a condition, which may be several joined by " and ". */
const char *ic_reader_condition_text(ic_case_reader *r, ic_node node);

/** Add a function of the case, which will be set at `slot`. The nodes are copied. */
bool ic_reader_function(ic_case_reader *r, ic_function_kind kind, const ic_node *nodes, size_t n, void *slot);

/** Add a parameter without an entry. `like` has its texts; the unit is in SI. */
bool ic_reader_add_parameter(ic_case_reader *r, const ic_parameter *like, ic_file_place place);

/** Whether a formula may use a name: a parameter, a definition. */
bool ic_reader_has_name(ic_case_reader *r, const char *name);

/** Whether a node that is given to a state, if it is a number, is one of those that the file lists as its values. */
bool ic_reader_check_value(ic_case_reader *r, int state, ic_node node, ic_file_place place);

/** Whether only events change a node: it depends on discrete states and parameters alone. */
bool ic_reader_is_discrete(ic_case_reader *r, ic_node node);

/** Add a discrete state without an entry of its own. -1: a fault was added. */
int ic_reader_add_discrete(ic_case_reader *r, const char *name, const char *unit, const char *meaning,
                           ic_file_place place);

/** Index of a state, or of a parameter; -1: there is none. */
int ic_reader_state(const ic_case_reader *r, const char *name);
int ic_reader_parameter(const ic_case_reader *r, const char *name);

/** Text of a node in the names of the case. NULL: too long. */
const char *ic_reader_node_text(const ic_case_reader *r, ic_node node);

#endif
