/* SPDX-License-Identifier: MIT */
/**
 * Certified answers: enclosures of every event time and state of a problem with a linear view, with proof that no event
 * was skipped and that each is a simple crossing.
 */
#ifndef IC_REFERENCE_CERTIFY_H
#define IC_REFERENCE_CERTIFY_H

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

/** An event, with balls that are proved to hold the truth. */
typedef struct ic_ball_event {
    ic_event_kind kind;
    const char *name; /* of the guard or time event */
    int sequence, mode_from, mode_to;
    arb_t t;        /* s */
    arb_ptr before; /* n states */
    arb_ptr after;  /* n states */
} ic_ball_event;

typedef struct ic_certificate {
    ic_status status; /* IC_OK: proved to the end. Else what is here is proved, up to the reason why it ends */
    char reason[320]; /* for people, where status is not IC_OK */
    slong precision;  /* bits that sufficed */
    slong n;          /* states */
    ic_ball_event *events;
    size_t count, capacity;
    arb_t t;   /* time reached: the end where status is IC_OK */
    arb_ptr x; /* state there */
    int mode;  /* mode there */
} ic_certificate;

/** How far to go. Zero in a field asks for its default. */
typedef struct ic_certify_options {
    long digits;        /* radii <= 10^-digits typical times, or scales of states; 15 */
    long max_precision; /* bits; 16384 */
    size_t max_events;  /* 100000 */
    /* called now and then with the time reached, for progress; may be NULL */
    void (*watch)(double t, size_t events, void *context);
    void *context;
} ic_certify_options;

/**
 * Certify a problem from its start to its end. Parameters are exact where problem->par_text gives them. The precision is
 * doubled until the digits are reached. Release with ic_certificate_clear in any case.
 */
void ic_certify(ic_certificate *certificate, const ic_problem *problem, const ic_certify_options *options);
void ic_certificate_clear(ic_certificate *certificate);

/**
 * Enclose the output of an event's or the final state as stated by output->linear for a mode. false: the output has no
 * expression.
 */
bool ic_certified_output(arb_t value, const ic_problem *problem, const ic_output *output, int mode,
                         const arb_t t, arb_srcptr x, slong precision);

/**
 * Decimal text of a ball: `digits` significant digits of its centre and a radius (2 digits, rounded up, which includes the
 * rounding of the centre). Strings are released with free().
 */
bool ic_ball_decimal(char **value, char **radius, const arb_t ball, long digits);

#endif
