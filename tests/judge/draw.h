/* SPDX-License-Identifier: MIT */
/**
 * A draw of a family of problems: the text of a machine in the language of case files, and the same machine as
 * equations written by hand. They share the decimals of the parameters, and nothing else.
 */
#pragma once

#include "tests/judge/second_method.h"

#include <stdint.h>

enum { DRAW_MOST_PARAMETERS = 300, DRAW_TEXT = 6000, DRAW_DECIMAL = 40, DRAW_MOST_SETTINGS = 24 };

typedef struct draw {
    uint64_t random;

    /* the text of a case file */
    char text[DRAW_TEXT];
    size_t length;

    /* in place of the text: a case of the suite; NULL: none */
    const char *path;

    /* its variant */
    const char *variant;

    /* its settings, NAME=VALUE */
    char settings[DRAW_MOST_SETTINGS][2 * DRAW_DECIMAL];
    int n_settings;

    /* the end of a run of a case of the suite, s */
    char until[DRAW_DECIMAL];

    /* parameters as decimals, and as numbers of the present precision */
    char decimals[DRAW_MOST_PARAMETERS][DRAW_DECIMAL];
    mpfr_t par[DRAW_MOST_PARAMETERS];
    int n_parameters;

    /* alternatives within the family, such as the law, or the power p/q */
    int kind, p, q;

    /* a short description */
    char what[120];

    /* the equations, and names of their states in the case; NULL: not compared */
    second_machine machine;
    const char *const *states;
} draw;

/** A family of problems: fills the text, but for its presets, and the machine of a draw. */
typedef void draw_family(draw *d);

/** A whole number from 0 to n - 1. */
int draw_choice(draw *d, int n);

/** A parameter: a decimal with `digits` digits between two numbers, even in its logarithm if both are positive. */
int draw_parameter(draw *d, double low, double high, int digits);

/** Parameters in turn: {low, high, digits} of each. */
void draw_ranges(draw *d, const double ranges[][3], size_t n);
#define DRAW_RANGES(d_, ...)                                                                                   \
    draw_ranges(d_, (const double[][3]){__VA_ARGS__},                                                          \
                sizeof(const double[][3]){__VA_ARGS__} / sizeof(double[3]))

/** A parameter with a given decimal. */
int draw_given(draw *d, const char *decimal);

/** A parameter that is a value rounded to some digits. */
int draw_number(draw *d, double value, int digits);

/** Adds to the text; `draw_write` formats, `draw_write_parameter` writes "  NAME: DECIMAL UNIT\n" or a setting. */
void draw_write(draw *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void draw_line(draw *d, const char *name, int parameter, const char *unit);
void draw_set(draw *d, const char *name, int parameter);

/** The value of a parameter, roughly. */
double draw_value(const draw *d, int parameter);

/** The last parameter, which is the end of the run. */
num draw_end(const draw *d);

/** The machine of a file with the functions start, rates, guard and jump. */
#define DRAW_MACHINE(n_guards_, guards_, longest_step_, size_)                                                 \
    (second_machine)                                                                                           \
    {                                                                                                          \
        .n_states = STATES, .n_guards = (n_guards_), .guards = (guards_), .longest_step = (longest_step_),     \
        .size = (size_), .start = start, .rates = rates, .guard = guard, .jump = jump, .end = draw_end         \
    }

/** Make the parameters numbers of the present precision; release them. */
void draw_load(draw *d);
void draw_unload(draw *d);

/** What follows an option of a program. */
const char *draw_option(int argc, char **argv, const char *name, const char *otherwise);
