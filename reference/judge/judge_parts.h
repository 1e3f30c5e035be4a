/* SPDX-License-Identifier: MIT */
/** The parts of reference/judge/judge.c: what is watched, views of a step, forces and events. */
#pragma once

#include "reference/flow/flow_parts.h"
#include "reference/store.h"
#include "reference/text/text.h"

typedef struct ic_text_judge ic_text_judge;

/**
 * The sign of a quantity over a step, its ends left out: STAYS: it is zero all along. MIXED: it has both signs. UNKNOWN:
 * not decided.
 */
typedef enum ic_text_judged_sign { BELOW = -1, STAYS = 0, ABOVE = 1, MIXED, UNKNOWN } ic_text_judged_sign;

typedef enum ic_watch_kind {
    WATCH_NOTHING,

    /* a, or a - b */
    WATCH_NODE,

    /* what has the sign of a contact's force in contact */
    WATCH_FORCE,
} ic_watch_kind;

/** A quantity whose sign matters: a kink's argument, a quantity of an element, the value of an event. */
typedef struct ic_text_judge_watch {
    ic_watch_kind kind;
    ic_text_node a, b;

    /* WATCH_FORCE */
    size_t element;
} ic_text_judge_watch;

/** A mode of the text, prepared. Watches: those of the kinks, two for each element, those of the events. */
typedef struct ic_text_judge_mode {
    const ic_text_mode *text;
    ic_text_program *program;
    const ic_text_node *kinks;
    size_t n_kinks, n_watches;
    ic_text_judge_watch *watches;

    /* by state: its rate is another state; the text gives no other force on it */
    bool *position;
} ic_text_judge_mode;

/** Values at a place of a step, or over a part of it. */
typedef struct ic_view {
    slong prec;

    /* states of the text, their rates by the certificate, and the time */
    arb_ptr x, rates, t;

    /* by watch: its value, and its rate */
    arb_ptr value, slope;

    /* by event: the truth of its condition */
    signed char *truth;

    /* for these assumptions */
    int pass;

    ic_store store;
} ic_view;

/* Views of parts are numbered as a heap: 1 is the whole step, 2k and 2k + 1 are the halves of k. */
enum { IC_VIEW_PARTS = 32 };

/* Both ends, two places between them, and the middle of parts. */
enum {
    VIEW_START = IC_VIEW_PARTS,
    VIEW_END,
    VIEW_MIDDLE,
    VIEW_POINT,
    VIEW_CENTRES,
    IC_VIEWS = VIEW_CENTRES + IC_VIEW_PARTS
};

/** The step that is judged. */
typedef struct ic_text_judged_step {
    const ic_step *step;
    arb_srcptr end;

    /* upper bound of the end, as a part of the step */
    double last;

    /* number of the present assumptions */
    int pass;

    ic_view *views[IC_VIEWS];

    /* by watch */
    ic_text_judged_sign *signs;
    bool *is_decided;

    /* by kink: what is assumed of it */
    signed char *assumed;
} ic_text_judged_step;

/** What the judge knows of an element: its state by the rules of the text. */
typedef struct ic_text_judged_element {
    /* stop: 1 at rest; friction: sign of the slip; contact: 1 in contact; switch; delay: see `value` */
    int state;

    /* delay: its input, its state, and the time since which the input has been constant */
    arb_ptr input, value, since;

    /* contact: factor of the rate in its force, from its onset */
    arb_ptr memory;

    /* contact: whether bodies have separated since the last one */
    bool separated;
} ic_text_judged_element;

/** An event that has fired at this instant. */
typedef struct ic_text_judge_fired {
    /* NULL: its jump, or a later one, has moved it off zero */
    const ic_text_event *event;

    /* the side to which it has fired; 0: not known */
    int to;

    /* another event has come before it at this instant */
    bool follows;
} ic_text_judge_fired;

enum { MOST_FIRED = 64 };

/** A program that is made when it is first needed. */
typedef struct ic_text_judge_program {
    const void *what;
    ic_text_program *program;
} ic_text_judge_program;

struct ic_text_judge {
    const ic_problem *problem;
    ic_text_machine *machine;

    /* what the judge does not know; "": nothing */
    char ignorance[200];

    /* by state of the text: that of the certificate, -1: it has none */
    int *own;

    /* formulas use forces of elements */
    bool uses_forces;

    size_t n_states, n_elements, most_events, most_watches;
    ic_text_judge_mode *modes;

    /* rates are rounded: they need not be inside the balls of both sides of a kink, even if these overlap */
    bool rounded;

    /* ---- of a run */
    slong prec;
    arb_ptr parameters;

    /* the mode, whether the run is over, discrete states (by state), elements, occurrences of time events */
    int mode;
    bool over;
    arb_ptr discrete;

    /* by state: its own start, to which the start of the text refers */
    arb_ptr starts;

    ic_text_judged_element *elements;
    arb_ptr element_states, element_forces;
    long *occurrences;

    /* no step has been taken */
    bool at_start;

    /* the certificate's states and time where the present step begins, and where it ends */
    arb_ptr box, end_box;

    /* what has fired at this instant */
    ic_text_judge_fired fired[MOST_FIRED];
    size_t n_fired;

    /* by event of the mode: its sign before the instant, or 0 */
    int *last_signs;

    /* an event of any kind has happened at this instant */
    bool jumped;

    /* states and time after the last three events, the latest first, and what fired, if it was the same each time */
    arb_ptr rounds[3];
    const char *fires;
    int n_rounds;

    /* programs of jumps and times, by what they are for */
    ic_text_judge_program *programs;
    size_t n_programs;

    ic_text_judged_step now;

    /* the greatest misfit of the last comparison of rates, a part of the rate's size, and its state */
    double misfit;
    size_t misfit_state;

    /* the signs of kinks and elements for which rates were compared last, in these modes of the text and the certificate */
    ic_text_judged_sign *compared;
    int compared_mode, compared_own;

    ic_store store;
};

/** Set the message. Return the status, IC_UNDECIDED or IC_CONTRADICTED. */
ic_status ic_text_judge_says(const ic_text_judge *j, ic_flow *f, ic_status status, const char *format, ...);

/** The judge does not know something, and ends its work. Returns IC_OK. */
ic_status ic_text_judge_ignores(ic_text_judge *j, const char *format, ...);

ic_text_judge_mode *ic_text_judge_mode_of(ic_text_judge *j);

/** Number of the first watch of an element, and that of an event's value. */
size_t ic_text_judge_watch_of(const ic_text_judge_mode *m, size_t element);
size_t ic_text_judge_event_watch(const ic_text_judge *j, const ic_text_judge_mode *m, size_t event);

/** The quantity of a stop, friction or contact whose rate its force opposes; IC_TEXT_NONE: there is none. */
ic_text_node ic_text_judge_quantity(const ic_text_element *e);

/** The condition of a contact: 'A', 'B', 'C', '*' for C*, or 'D'. */
char ic_text_judge_condition(const ic_text_element *e);

/** -1, 0 (not definite), +1. */
int ic_text_judge_sign(const arb_t x);

/** A judge of a problem by a text; NULL: the text of its case. */
ic_text_judge *ic_text_judge_new(const ic_problem *problem, const char *text);
void ic_text_judge_free(ic_text_judge *j);

/** Parameters of the text. One that the run sets, or a law adds, has the value of the flow. */
ic_status ic_text_judge_parameters(ic_text_judge *j, ic_flow *f);

/** Whether the flow is in a mode of the text, of which its own may be a part: "motion, wall: 1". */
bool ic_text_judge_is_in_mode(const ic_text_judge *j, const ic_flow *f, int mode);

/** Apply a jump of the text where the certificate has a jump: sets mode and discrete states. */
ic_status ic_text_judge_jump(ic_text_judge *j, ic_flow *f, const ic_text_jump *jump, const char *name,
                             const long *count);

/** Time of an occurrence of a time event; not finite: there is none. */
void ic_text_judge_time(arb_t time, ic_text_judge *j, const ic_text_time *event, long occurrence);

/** Follow an event of the certificate; a witness of the flow. */
ic_status ic_text_judge_event(void *judge, ic_flow *f);

/** The events of the text in a step. */
ic_status ic_text_judge_events(ic_text_judge *j, ic_flow *f);

/** States of the text from the certificate's and the judge's own. */
void ic_text_judge_states(arb_ptr x, const ic_text_judge *j, arb_srcptr box);

/** Evaluate a mode at a place with signs of kinks, and with forces of elements as far as they are known. */
void ic_text_judge_run(ic_text_judge *j, ic_view *v, const signed char *signs);

/* ---- views and signs */

/** A view of the present step, for the present assumptions. */
ic_view *ic_text_judge_view(ic_text_judge *j, ic_flow *f, int number);

ic_view *ic_view_new(const ic_text_judge *j, slong prec);
void ic_view_free(ic_view *v);

/** Decide the signs of all watches, and the states of elements that follow. */
ic_status ic_text_judge_signs(ic_text_judge *j, ic_flow *f);

/** The state of an element that follows from the signs of its quantities, and its last state. */
int ic_text_judge_state(const ic_text_judge *j, size_t i, const ic_text_element *e,
                        const ic_text_judged_sign *signs);

/* ---- forces */

/** Whether the judge has the law of a contact, with its condition. */
bool ic_text_judge_knows_law(const ic_text_element *e);

/** The factor of the rate in a contact's force where contact begins with a rate. */
void ic_text_judge_memory(arb_t memory, const ic_text_judge *j, const ic_text_element *e, const arb_t rate,
                          slong prec);

/** Whether the certificate's rates are those of the text at a place, with forces that the elements can have. */
ic_status ic_text_judge_rates(ic_text_judge *j, ic_flow *f, const ic_view *v);

/** Whether frictions whose slip has ended, and that slip on, could not stick. `was`: states of elements before. */
ic_status ic_text_judge_sticking(ic_text_judge *j, ic_flow *f, const ic_view *v, const int *was);

/**
 * M x' - f less the known forces of elements, by row, where kinks have these signs; and the columns of all forces, by
 * element.
 */
void ic_text_judge_residual(arb_ptr residual, arb_ptr columns, ic_text_judge *j, const ic_view *v,
                            arb_srcptr gradients, const signed char *signs);

/** A small rate of a state. */
double ic_text_judge_typical(const ic_text_judge *j, const ic_flow *f, size_t state);

/** By element and state: derivatives of the rate of a gap or indentation, or of a slip, by velocities. */
void ic_text_judge_gradients(arb_ptr gradients, const ic_text_judge *j, const ic_view *v);

/** The effect of a force of an element, in the rows of ic_text_judge_rows. */
void ic_text_judge_column(arb_ptr column, const ic_text_judge *j, size_t element, arb_srcptr gradients,
                          slong prec);

/** By state: a change of rates, or a jump; multiplied by the mass matrix of the last run in the rows of its states. */
void ic_text_judge_rows(arb_ptr rows, const ic_text_judge *j, arb_srcptr change, slong prec);

/** Numbers for ic_text_judge_misfit, times a factor. false: one is not finite. */
bool ic_text_judge_numbers(double *to, arb_srcptr from, size_t n, double factor);

/* A misfit up to this is rounding. Sets of certificates are far narrower. */
#define IC_FITS 1e-9

/**
 * Numbers x >= 0 with sum_k x_k column_k = right side. Returns the greatest misfit, a part of its row's size, which is at
 * least that given; and its row. Columns of `rows` numbers follow each other.
 */
double ic_text_judge_misfit(double *x, size_t *row, const double *columns, const double *right,
                            const double *sizes, size_t rows, size_t n);
