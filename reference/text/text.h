/* SPDX-License-Identifier: MIT */
/**
 * A second reader of case files (docs/case-files.md), which shares no code with casefile/: from the text of a case
 * and the name of a variant it makes a machine, whose formulas are nodes of one graph, and it evaluates
 * these formulas, and their rates, in ball arithmetic. What a certificate states can so be judged against the text.
 *
 * Formulas mean what the text says: comparisons keep their strictness, elements are described and not resolved
 * into forces, kinks are not made into states. Units are converted by exact factors, but not checked: the text has
 * passed the reader of casefile/ before. Sections without effect on a motion (outputs, energy, sketch, presets, ...) are
 * not read, nor are `departs` and `keeps`.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

#include <stdbool.h>
#include <stddef.h>

/** Number of a node. The operands of a node have smaller numbers. Equal nodes have one number. */
typedef int ic_text_node;

/** No node. */
enum { IC_TEXT_NONE = -1 };

/** Modes after a jump that are no modes of the machine. */
enum { IC_TEXT_SAME_MODE = -1, IC_TEXT_ENDS = -2 };

/**
 * Operations on a, b and c. NUMBER: `number` is its exact value. TABLE: a number of a built-in table. PARAMETER, STATE, ELEMENT: number `index` of these; FORCE: that of element `index`, NAME.force. LAW:
 * a quantity law.NAME of the section `law`. COUNT: n = 0, 1, 2, ..., the occurrence of a time event. POWER: b
 * contains neither states nor time. SIGN: -1, 0, 1. STEP: 1 for a >= 0, else 0. WHERE: b if the condition a holds, else c.
 * From LESS on: conditions; comparisons are as written.
 */
typedef enum ic_text_operation {
    /* clang-format off */
    IC_TEXT_NUMBER, IC_TEXT_PI, IC_TEXT_TABLE, IC_TEXT_PARAMETER, IC_TEXT_STATE, IC_TEXT_ELEMENT, IC_TEXT_FORCE,
    IC_TEXT_LAW, IC_TEXT_TIME, IC_TEXT_COUNT, IC_TEXT_ADD, IC_TEXT_SUBTRACT, IC_TEXT_MULTIPLY, IC_TEXT_DIVIDE,
    IC_TEXT_POWER, IC_TEXT_ATAN2, IC_TEXT_MIN, IC_TEXT_MAX, IC_TEXT_NEGATE, IC_TEXT_SQRT, IC_TEXT_CBRT,
    IC_TEXT_EXP, IC_TEXT_LOG, IC_TEXT_SIN, IC_TEXT_COS, IC_TEXT_TAN, IC_TEXT_ASIN, IC_TEXT_ACOS, IC_TEXT_ATAN,
    IC_TEXT_SINH, IC_TEXT_COSH, IC_TEXT_TANH, IC_TEXT_ABS, IC_TEXT_SIGN, IC_TEXT_STEP, IC_TEXT_WHERE,
    IC_TEXT_LESS, IC_TEXT_LESS_EQUAL, IC_TEXT_GREATER, IC_TEXT_GREATER_EQUAL, IC_TEXT_EQUAL, IC_TEXT_AND,
    IC_TEXT_OR, IC_TEXT_TRUE, IC_TEXT_FALSE
    /* clang-format on */
} ic_text_operation;

typedef struct ic_text_term {
    ic_text_operation operation;

    /* Operands; IC_TEXT_NONE where there is none. */
    ic_text_node a, b, c;

    /* Number of a parameter, state or element; for a TABLE that of ic_text_tables, times 10000, + 100 row + column. */
    int index;

    /* NUMBER; otherwise NULL. */
    const fmpq *number;

    /*
     * Where it is not smooth: the node that times `turn` is a - b (comparisons, MIN, MAX) or a (ABS, SIGN,
     * STEP, and POWER and SQRT, which may need its sign). Otherwise IC_TEXT_NONE.
     */
    ic_text_node kink;

    /* 1 or -1 */
    int turn;

    /* Whether the value is never negative, whatever the states are, as far as its form shows. */
    bool nonnegative;

    /* Whether it contains a state, an element, time or a count: it may change during a run. */
    bool varies;
} ic_text_term;

extern const char *const ic_text_tables[5];

/** A value that belongs to a name: a state or an element that a jump sets, a parameter of a law. */
typedef struct ic_text_entry {
    /* Name as written, with its indices replaced: "x2". */
    const char *name;

    /* Number of the state; -1 if the name is that of an element, or a parameter of a law. */
    int state;

    /* Number of the element; -1 if the name is not that of one. */
    int element;

    ic_text_node value;
} ic_text_entry;

/** One alternative of a jump. The first whose condition holds is taken. */
typedef struct ic_text_branch {
    /* IC_TEXT_NONE: always. */
    ic_text_node condition;

    /* Number of the next mode, IC_TEXT_SAME_MODE, or IC_TEXT_ENDS: the run is over. */
    int mode;

    /* What it sets; formulas use the values before the jump. Other states and elements keep theirs. */
    const ic_text_entry *entries;
    size_t n_entries;
} ic_text_branch;

/** A jump always has a last branch without condition; one without changes is added if the text has none. */
typedef struct ic_text_jump {
    const ic_text_branch *branches;
    size_t n;
} ic_text_jump;

typedef struct ic_text_event {
    const char *name;

    /* -1: falls through 0, +1: rises, 0: either. */
    int direction;

    ic_text_node value;

    /* The event's `if`; IC_TEXT_NONE: always. */
    ic_text_node condition;

    ic_text_jump jump;

    /* `accumulates`; n is 0 if the text has none */
    ic_text_jump limit;
} ic_text_event;

typedef enum ic_text_element_type {
    IC_TEXT_STOP,
    IC_TEXT_FRICTION,
    IC_TEXT_CONTACT,
    IC_TEXT_SWITCH,
    IC_TEXT_DELAY
} ic_text_element_type;

/**
 * Parts of a stop: GAP, RESTITUTION (default 0); of friction: SLIP, NORMAL, KINETIC, STATIC (default KINETIC); of a contact:
 * INDENTATION; of a switch: INPUT, ON, OFF (default ON); of a delay: INPUT, DELAY_TIME. Others are IC_TEXT_NONE.
 */
typedef enum ic_text_part {
    /* clang-format off */
    IC_TEXT_GAP, IC_TEXT_RESTITUTION, IC_TEXT_SLIP, IC_TEXT_NORMAL, IC_TEXT_KINETIC, IC_TEXT_STATIC,
    IC_TEXT_INDENTATION, IC_TEXT_INPUT, IC_TEXT_ON, IC_TEXT_OFF, IC_TEXT_DELAY_TIME, IC_TEXT_PARTS
    /* clang-format on */
} ic_text_part;

/** An element, as a mode has it: its formulas may use definitions of the mode. */
typedef struct ic_text_element {
    const char *name;
    ic_text_element_type type;

    /* True if the variant removes the element. Its state is then constant, and it has no parts. */
    bool removed;

    ic_text_node parts[IC_TEXT_PARTS];

    /* contact: "kelvin-voigt" if the text gives none */
    const char *law;

    /* contact: NULL: that of the law */
    const char *condition;

    /* contact: `with` */
    const ic_text_entry *with;
    size_t n_with;

    /* `pushes`; n_pushes is 0 if the text gives none */
    const ic_text_entry *pushes;
    size_t n_pushes;
} ic_text_element;

typedef struct ic_text_mode {
    const char *name;

    /* True if the run is over when the mode is entered. */
    bool ends;

    /* By state: its rate without elements. IC_TEXT_NONE for discrete states, and states of `mass`. */
    const ic_text_node *rates;

    /* Equations matrix v' = force without elements: numbers of the n_mass states v, n_mass^2 and n_mass nodes. */
    size_t n_mass;
    const int *mass_states;
    const ic_text_node *matrix, *force;

    /* Its own events, then those of the file that it does not replace. */
    const ic_text_event *events;
    size_t n_events;

    /* All elements of the machine, in one order for all modes. */
    const ic_text_element *elements;
} ic_text_mode;

typedef struct ic_text_time {
    const char *name;

    /* Time of occurrence n (IC_TEXT_COUNT). */
    ic_text_node at;

    /* Number of occurrences; 0: without end. */
    int count;

    ic_text_jump jump;
} ic_text_time;

typedef struct ic_text_parameter {
    const char *name;

    /* Value in SI units, a formula in the parameters before it. IC_TEXT_NONE: the text does not have the parameter. */
    ic_text_node value;
} ic_text_parameter;

typedef struct ic_text_state {
    const char *name;

    /* True if only events change it. */
    bool discrete;

    /* Start, a formula in parameters; that of `start` of the machine comes on top. */
    ic_text_node start;
} ic_text_state;

/** A machine. Everything lasts until ic_text_free. */
typedef struct ic_text_machine {
    const ic_text_term *terms;
    size_t n_terms;

    /* Parameters of the text, in its order, then those of the problem that the text lacks. */
    const ic_text_parameter *parameters;
    size_t n_parameters;

    /* States of the text, then its discrete states; those of elements, kinks and memories are not states here. */
    const ic_text_state *states;
    size_t n_states;

    size_t n_elements;

    const ic_text_mode *modes;
    size_t n_modes;

    const ic_text_time *times;
    size_t n_times;

    /*
     * Entries set states and elements; others have their own start, and element states follow from
     * it. Without a mode (IC_TEXT_SAME_MODE) the run starts in the first one.
     */
    ic_text_jump start;

    /* True if the variant is one on a contact-force law: law.NAME may occur, and a discrete state `memory` is the last. */
    bool on_law;
} ic_text_machine;

/**
 * Read a machine: a variant of the text of a case file (ic_variant.name; NULL: the first one, or the file alone). A problem
 * of the case gives parameters with integer values; the machine holds for these values only where they are indices or
 * sizes, or where a formula compares them with indices. Its parameters that are not in the text, because a law adds them,
 * become parameters after those of the text, without a value. NULL: the text's own values. Returns NULL if the text is
 * refused: `error` says why. Release with ic_text_free.
 */
ic_text_machine *ic_text_read(const char *text, const char *variant, const ic_problem *problem,
                              ic_error *error);

void ic_text_free(ic_text_machine *machine);

/** Number of a state, a parameter, or an element by its name; -1: it does not exist. */
int ic_text_find_state(const ic_text_machine *machine, const char *name);
int ic_text_find_parameter(const ic_text_machine *machine, const char *name);
int ic_text_find_element(const ic_text_machine *machine, const char *name);

/* ---- evaluation */

/** Sign of a kink, or truth of a condition (TRUE is +1, FALSE is -1). */
enum { IC_TEXT_OPEN = 2 };

/** The nodes on which some roots depend, evaluated together, each once. */
typedef struct ic_text_program ic_text_program;

/**
 * Prepare the evaluation of nodes of a machine, which must outlive it: values or conditions. The arguments of their kinks
 * are evaluated with them.
 */
ic_text_program *ic_text_program_new(const ic_text_machine *machine, const ic_text_node *roots, size_t n);

void ic_text_program_free(ic_text_program *program);

/**
 * The kinks of a program, in an order that does not change: places where formulas are not smooth, or change. Each is the
 * zero of a node, its argument, which stands for all of these: a < b, a <= b, a > b, a >= b, a = b, min(a, b) and max(a, b)
 * (the argument is a - b or b - a), abs(a), sign(a) and step(a) (a or -a).
 */
const ic_text_node *ic_text_program_kinks(const ic_text_program *program, size_t *n);

/** Values for an evaluation. What is NULL is unknown: nodes that depend on it are not finite (arb_is_finite). */
typedef struct ic_text_values {
    /* By parameter and state of the machine. */
    const arb_struct *parameters, *states;

    const arb_struct *time, *count;

    /* By element: its state, and its force. */
    const arb_struct *element_states, *element_forces;

    /*
     * Rates of states, and of time (NULL: 1), for the rates of nodes, of which those of forces are not
     * finite. With other directions in their place, rates are directional derivatives. states_rates NULL:
     * rates are not computed.
     */
    const arb_struct *state_rates, *time_rate;

    /*
     * By kink of the program: +1 or -1, the sign that its argument has by assumption; 0, it is 0; or IC_TEXT_OPEN, the
     * value decides, and if it does not, the kink is open. NULL: all IC_TEXT_OPEN. Results hold for those points of the
     * balls where the assumptions hold: a power or square root of a quantity that is assumed not to be negative is one
     * of its part that is not negative. Otherwise nodes are continued smoothly: abs(a) is a where +1 is assumed.
     */
    const signed char *signs;
} ic_text_values;

/**
 * Evaluate all nodes of a program. Where a kink is open, values enclose those of both sides (the hull), and
 * rates enclose the rates of both sides: they bound the function's change across the kink only if it is continuous
 * there. Nodes without value on the balls are not finite: a division by a ball that contains 0, a root of one that is
 * partly negative. atan2 has no rate where it jumps.
 */
void ic_text_run(ic_text_program *program, const ic_text_values *values, slong prec);

/** Results of the last run for a node of the program: value, rate; for a condition +1, -1 or IC_TEXT_OPEN. */
const arb_struct *ic_text_value(const ic_text_program *program, ic_text_node node);
const arb_struct *ic_text_rate(const ic_text_program *program, ic_text_node node);
int ic_text_truth(const ic_text_program *program, ic_text_node node);
