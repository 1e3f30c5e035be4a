/* SPDX-License-Identifier: MIT */
/** What checks find: one row for each thing that was compared. */
#ifndef IC_VALIDATION_RESULTS_H
#define IC_VALIDATION_RESULTS_H

#include "impactcheck/impactcheck.h"
#include "validation/claims/kinds.h"

#include <jansson.h>

typedef enum ic_verdict {
    IC_PASS,
    IC_FAIL,
    IC_ERRATUM, /* the published value does not hold; the row's detail says what does. Not a failure of ours */
    IC_SKIPPED, /* cannot be compared; the row's detail says why */
} ic_verdict;

/** "pass", "FAIL", "erratum", "skipped". */
const char *ic_verdict_text(ic_verdict verdict);

/** One row. Texts are copied (and cut) by ic_results_add. */
typedef struct ic_result {
    char check[24];   /* "enclosures" */
    char subject[64]; /* "roller/III/C" */
    char solver[32];  /* "rk4_henon"; "" where no solver is under test */
    char what[256];   /* "event times, 400 events" */
    double error;     /* what was measured; NAN where nothing was */
    double radius;    /* radius of the certified answer; NAN where there is none */
    double tolerance; /* the error must not exceed it; NAN where the verdict is not a comparison */
    char unit[16];    /* of the three */
    char origin[192]; /* where the tolerance comes from */
    char detail[384]; /* for people: what failed, what was seen */
    /* of a published statement and of an erratum that is measured; "" elsewhere */
    char kind[16];      /* "statement", see validation/claims/kinds.h */
    char place[48];     /* "Table 2" */
    char published[32]; /* "5.06e5", "< 3"; of an erratum it stands in `what` */
    char measured[32];  /* in `unit` */
    char limits[256];   /* of an erratum: what does not follow from it */
    ic_verdict verdict;
    /* set by ic_results_add */
    unsigned part;  /* of the work, to which the row belongs */
    double seconds; /* since the row before, or since the part began */
} ic_result;

struct ic_dealt;

typedef struct ic_results {
    ic_result *rows;
    size_t count, capacity;
    bool out_of_memory;
    /* called after each row, for progress; may be NULL */
    void (*watch)(const ic_result *row, void *context);
    void *context;
    /* parts of the work (validation/dealt.h) */
    struct ic_dealt *dealt; /* NULL: all parts are done here */
    unsigned part, cost;    /* its number, by which rows are ordered, and about how many ms it takes */
    bool elsewhere;         /* it is not done here: its rows are not kept */
    double since;           /* s; a clock, when the last row was added or the part began */
} ic_results;

void ic_results_free(ic_results *results);

/**
 * The next part of the work begins: whether it is done here. Every process comes by all parts in the same order, so that what
 * stands between parts must be quick, and the same in each.
 */
bool ic_results_part(ic_results *results);

/**
 * Add a row of the present part, if that is done here. Running out of memory is remembered in `out_of_memory`. One that does not pass
 * says why in `detail`: where a check has left that empty, the row becomes a failure of the check, and says so.
 */
void ic_results_add(ic_results *results, const ic_result *row);

/** Add a row as it is, that another process has made. */
void ic_results_append(ic_results *results, const ic_result *row);

/** Add a row whose verdict is error + radius <= tolerance; NAN fails. A detail that is empty becomes those numbers. */
void ic_results_compare(ic_results *results, ic_result row);

size_t ic_results_with(const ic_results *results, ic_verdict verdict);

/** Rows of a kind with a verdict. */
size_t ic_results_of_kind(const ic_results *results, ic_kind kind, ic_verdict verdict);

/**
 * The rows and their summary as JSON:
 * {"rows": [{"check", "subject", "solver", "what", "error", "radius", "tolerance", "unit", "origin", "detail",
 *  "verdict"}], "summary": {"pass", "fail", "erratum", "skipped"}}. Numbers that are NAN are null. Rows of published
 * statements and of errata have "kind", "place", "published" and "measured" as well, as text, and where there are any, "kinds" counts
 * them: {"statement": {"pass", "fail", "erratum", "skipped"}, ...}. NULL: no memory.
 */
json_t *ic_results_json(const ic_results *results);

#endif
