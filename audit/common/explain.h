/* SPDX-License-Identifier: MIT */
/**
 * Which mistake explains what was observed. A product has a table of the changes that mistakes make to what should be,
 * each with at most a few numbers, and says whether a hypothesis, a base with some of them, gives all that was
 * observed. The search is the same for laws and maps: bases alone, then with one change, then with two; of as many
 * changes the specific ones first. Nothing is named where nothing is exact. Scenes, whose figures have tolerances, name
 * the best of the mistakes that fit, if it has no rival.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Numbers of several observations within this relative difference are one: sixteen roundings of single precision. */
#define IC_SAME_NUMBER 1e-6

/** Of two that fit, the first is named alone if the misfit of the second is this many times its own, or more. */
#define IC_APART 10.0

/** A product's hypotheses. They are opaque here: `size` bytes, which may be copied. */
typedef struct ic_explainer {
    /* given to all functions */
    void *of;

    /* bytes of a hypothesis */
    size_t size;

    /* room for as many hypotheses as changes may be added to a base */
    void *room;

    /**
     * Lists the changes that may explain what a hypothesis with `added` changes more than its base leaves, specific
     * ones first. Returns how many.
     */
    size_t (*list)(void *of, const void *hypothesis, int added);

    /** `more` becomes the hypothesis with a change of that list. false: they exclude each other. */
    bool (*add)(void *of, void *more, const void *hypothesis, size_t change, int added);

    bool (*is_exact)(void *of, const void *hypothesis);

    /** Takes an exact hypothesis. false: others with as many changes are of interest, too. */
    bool (*take)(void *of, const void *hypothesis, int added);

    /** All hypotheses with as many changes are tried: whether one of them was enough. NULL: none was. */
    bool (*settle)(void *of, int added);
} ic_explainer;

/** Tries all bases with `least` changes, then with one more, up to `most`. true: an exact hypothesis was taken. */
bool ic_explain(const ic_explainer *explainer, const void *bases, size_t n, int least, int most);

/** The candidates that fit best, if each has a misfit. Begins as IC_NO_BEST. */
typedef struct ic_best {
    /* the best, and the best with another name; SIZE_MAX: none */
    size_t first, second;

    int name;
    double misfit, second_misfit;
} ic_best;

#define IC_NO_BEST ((ic_best){SIZE_MAX, SIZE_MAX, 0, INFINITY, INFINITY})

/** Another candidate; forms of one mistake, which have one name, are no rivals. true: it is the best now. */
bool ic_best_offer(ic_best *best, size_t candidate, int name, double misfit);

/**
 * The numbers that occur at least `least` times, the most frequent first, but for `usual` (NAN: none is usual). Returns
 * how many there are, at most `most` and 8; the values are sorted.
 */
size_t ic_frequent_numbers(double *found, size_t most, double *values, size_t n, size_t least, double usual);
