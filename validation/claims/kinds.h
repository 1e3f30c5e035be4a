/* SPDX-License-Identifier: MIT */
/** What a row about a paper is. Only a misprint says that the paper is misprinted. */
#ifndef IC_VALIDATION_CLAIMS_KINDS_H
#define IC_VALIDATION_CLAIMS_KINDS_H

#include <stdbool.h>

typedef enum ic_kind {
    IC_KIND_STATEMENT,    /* the paper says it; it is tested, and holds or does not */
    IC_KIND_MISPRINT,     /* what is printed is wrong, which follows from the printed text itself */
    IC_KIND_AS_SCANNED,   /* what the scan reads is wrong; the paper may print it right */
    IC_KIND_GIVEN,        /* an input: a preset has exactly what is printed */
    IC_KIND_FINDING,      /* ours, and all that holds for data that are assumed */
    IC_KIND_NOT_TESTABLE, /* the row says why */
    IC_KIND_EVIDENCE,     /* more evidence for the row above; not counted by itself */
    IC_KINDS,
} ic_kind;

/** "statement", "as scanned", ... */
const char *ic_kind_text(ic_kind kind);

/** false: there is no such kind. */
bool ic_kind_read(ic_kind *kind, const char *text);

#endif
