/* SPDX-License-Identifier: MIT */
/** Certified answers of random problems, judged by the second method. */
#pragma once

#include "tests/judge/draw.h"

#include <stdint.h>
#include <stdio.h>

typedef enum judge_verdict {
    /* every enclosure contains the second answer, within that answer's error */
    JUDGE_INSIDE,

    /* an enclosure does not, or events differ */
    JUDGE_OUTSIDE,

    /* the certifier has proved only a part, which contains the second answer */
    JUDGE_UNDECIDED,

    /* the second answer is not known to JUDGE_ERROR */
    JUDGE_NOT_JUDGED
} judge_verdict;

enum { JUDGE_VERDICTS = JUDGE_NOT_JUDGED + 1, JUDGE_DIGITS = 25, JUDGE_SECONDS = 60 };

/* The largest error of a second answer that judges, relative to the states' sizes. */
#define JUDGE_ERROR 1e-18

typedef struct judge_result {
    judge_verdict verdict;

    /* events that were compared */
    int events;

    /* of the second answer, relative to the sizes of states */
    double error;

    /* processor times, s */
    double certifier_seconds, second_seconds;

    /* of the verdict, in words */
    char reason[512];

    /* what was drawn, in words */
    char what[120];
} judge_result;

typedef struct judge_request {
    /* its name in families.def */
    const char *family;
    uint64_t seed, number;

    /* added to the first event's time, relative to it: a planted wrong answer */
    double planted;

    /* receives the text of the machine, and both answers; may be NULL */
    FILE *show;

    /* where to write a proof, of an answer that is proved to the end; NULL: nowhere */
    const char *proof;
} judge_request;

extern const char *const judge_verdict_names[JUDGE_VERDICTS];

/** Families by number; NULL: there are no more. */
const char *judge_family(int number);

void judge_draw(judge_result *result, const judge_request *request);
