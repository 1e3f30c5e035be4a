/* SPDX-License-Identifier: MIT */
/**
 * What texts mean: random machines as trees of formulas, written as case files, and simulated from the trees alone.
 * Neither the reader of case files nor its translation of kinks and elements takes part in the simulation.
 */
#pragma once

#include "tests/judge/draw.h"

#include <stdbool.h>
#include <stdio.h>

enum {
    MEANING_NODES = 600,
    MEANING_STATES = 8,
    MEANING_KINKS = 120,
    MEANING_BODIES = 3,
    MEANING_ELEMENTS = 3,
    MEANING_MODES = 2,
    MEANING_EVENTS = 3
};

typedef enum meaning_op {
    MEANING_CONSTANT,
    MEANING_STATE,
    MEANING_TIME,
    MEANING_ADD,
    MEANING_SUBTRACT,
    MEANING_MULTIPLY,
    MEANING_SIN,
    MEANING_COS,
    /* operations with a kink */
    MEANING_ABS,
    MEANING_SIGN,
    MEANING_STEP,
    MEANING_MIN,
    MEANING_MAX,
    MEANING_LESS,
    MEANING_LESS_EQUAL,
    MEANING_GREATER,
    MEANING_GREATER_EQUAL,
    /* of conditions, which are 0 or 1 */
    MEANING_AND,
    MEANING_OR,
    MEANING_WHERE
} meaning_op;

typedef struct meaning_node {
    meaning_op op;

    /* operands, or the number of the state, or one of meaning_member */
    int a, b, c;

    /* number of an operation with a kink; -1: of another one */
    int kink;

    /* of a constant */
    double value;
} meaning_node;

typedef enum meaning_element_kind { MEANING_STOP, MEANING_FRICTION, MEANING_CONTACT } meaning_element_kind;

/** An element of bodies: its gap is offset + g x + amplitude sin(frequency t); its slip is offset + g v. */
typedef struct meaning_element {
    meaning_element_kind kind;

    /* by body: 0, 1 or -1 */
    int g[MEANING_BODIES];
    double offset, amplitude, frequency;

    /* of a stop, 1 */
    double restitution;

    /* normal force of friction, N */
    double normal;

    /* coefficients of friction, 1 */
    double static_mu, kinetic_mu;

    /* of a contact (Kelvin-Voigt, condition A), N/m */
    double stiffness;

    /* of such a contact, N s/m */
    double damping;
} meaning_element;

/** In the flow of a family, in place of the number of a state: x[i], x[i+1] (0 for the last one), i. */
enum meaning_member { MEANING_SELF = -1, MEANING_NEXT = -2, MEANING_INDEX = -3 };

/** An event of a mode: a formula falls or rises through 0, and a state changes. */
typedef struct meaning_event {
    int mode, next, guard;
    bool rises;

    /* -1: none */
    int condition, state, value;
} meaning_event;

/**
 * A machine without units: x_i' = flow_i, in seconds. A machine of bodies has the states x1, v1, x2, v2, ... in m and
 * m/s, and flows of velocities are forces in N.
 */
typedef struct meaning_machine {
    meaning_node nodes[MEANING_NODES];
    int n_nodes, n_kinks;

    /* names in formulas */
    char names[MEANING_STATES][16];

    /* values at the start */
    double starts[MEANING_STATES];

    /* roots of the flows */
    int flows[MEANING_MODES][MEANING_STATES];

    /* roots of the rates with the forces of contacts */
    int rates[MEANING_MODES][MEANING_STATES];
    int n_states, n_modes, n_events;
    meaning_event events[MEANING_EVENTS];

    /* a family of states: the first flow is that of x[i], which starts at slope*i + first */
    bool is_family;
    double slope, first;

    /* bodies, and what acts on them in addition to flows */
    double masses[MEANING_BODIES];
    int n_bodies, n_elements;
    meaning_element elements[MEANING_ELEMENTS];

    /* end of the run, s */
    double end;
} meaning_machine;

/** The answer of the simulation at the end. */
typedef struct meaning_answer {
    /* whether runs with other regularisations and starts agree; otherwise why not */
    bool is_settled;
    const char *why;

    double x[MEANING_STATES];

    /* of the states, absolute */
    double error;

    /* the largest amount of a state, at least 1 */
    double scale;

    /* time of the last event, s */
    double last;

    /* processor time, s */
    double seconds;
} meaning_answer;

typedef enum meaning_verdict {
    MEANING_AGREES,

    /* an enclosure does not contain the settled answer */
    MEANING_FALSE_CERTIFICATE,

    /* a solver finishes elsewhere */
    MEANING_WRONG_FINISH,

    /* no certificate; all that finish agree */
    MEANING_UNDECIDED,

    /* the reader refuses the text */
    MEANING_REFUSED,

    /* the simulation is not settled */
    MEANING_NOT_SETTLED,

    /* the process has ended */
    MEANING_CRASH
} meaning_verdict;

enum { MEANING_VERDICTS = MEANING_CRASH + 1, MEANING_SOLVERS = 6 };

typedef enum meaning_kind {
    MEANING_OF_KINKS,
    MEANING_OF_ELEMENTS,
    MEANING_OF_MODES,
    MEANING_OF_FAMILIES,
    MEANING_KINDS
} meaning_kind;

typedef struct meaning_request {
    uint64_t seed, number;

    /* a kind of machine; MEANING_KINDS: by the number */
    meaning_kind kind;

    /* planted: the simulation takes > and >= for < */
    bool planted;

    /* receives the text, and all answers; may be NULL */
    FILE *show;
} meaning_request;

typedef struct meaning_result {
    meaning_verdict verdict;
    meaning_kind kind;

    /* a solver finished away from the answer, or did not finish */
    bool is_away[MEANING_SOLVERS], is_unfinished[MEANING_SOLVERS];

    /* of the certificate: status is IC_OK */
    bool is_certified;
    double simulation_seconds, certifier_seconds, solver_seconds;
    char reason[400];
} meaning_result;

extern const char *const meaning_verdict_names[MEANING_VERDICTS],
    *const meaning_kind_names[MEANING_KINDS], *const meaning_solver_names[MEANING_SOLVERS];

/** Draws a machine of a kind, and writes its text. */
void meaning_draw(meaning_machine *machine, draw *d, meaning_kind kind);

/** Simulates a machine from its start to its end. */
void meaning_simulate(meaning_answer *answer, const meaning_machine *machine);

/** Draws, simulates and judges a machine. */
void meaning_judge(meaning_result *result, const meaning_request *request);
