/* SPDX-License-Identifier: MIT */
/**
 * Nodes of a graph as a list of instructions, which program.c interprets and emit_c.c translates to
 * C.
 */
#pragma once

#include "casefile/graph.h"
#include "core/equations.h"

typedef struct ic_instruction {
    ic_operation operation;

    /* Registers of the operands; only CALL has four. STATE, PARAMETER, INPUT: a is the index. */
    int a, b, c, d;

    /* The function of CALL. */
    const ic_external *external;

    double number;

    /* NUMBER: the exact text; NULL: `number` is exact. */
    const char *text;
} ic_instruction;

typedef struct ic_program {
    /* Instruction i computes the value of register i. */
    ic_instruction *instructions;
    size_t n;

    /* registers of the results */
    int *results;
    size_t n_results;
} ic_program;

/** Make a program that computes the nodes given. false: memory ran out. */
bool ic_program_make(ic_program *program, const ic_graph *g, const ic_node *nodes, size_t n);

/** The input of a program. A pointer that the program does not use may be NULL. */
typedef struct ic_program_input {
    double t;
    const double *x, *par, *input;
} ic_program_input;

void ic_program_run(const ic_program *program, double *results, const ic_program_input *in);
