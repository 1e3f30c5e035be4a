/* SPDX-License-Identifier: MIT */
/** Variants on contact-force laws, and the quantities of a law in their formulas. */
#pragma once

#include "casefile/reader.h"

#include <stdio.h>

/** Law number i of cases/laws/laws.def; NULL after the last. */
const ic_law *ic_law_number(size_t i);

/** The law of this name, or NULL if it does not exist. */
const ic_law *ic_law_of_name(const char *name);

/** Names of all laws that have a formula as text. NULL ends the list. */
const char *const *ic_law_texts(void);

/** Names of the transition conditions, by number; NULL after the last. */
extern const char *const ic_law_conditions[IC_CONDITION_D + 2];

/** C name of the constant that defines a law. */
const char *ic_law_symbol(const ic_law *law);

/**
 * Write a declaration of `ic_law` in C that needs no headers and has the fields that calls of its
 * functions use.
 */
void ic_law_declare(FILE *out);

/**
 * Whether the list `laws` of a variant contains a law, by its name or its condition: [A, hertz], or
 * `all`.
 */
bool ic_law_is_listed(const ic_law *law, const ic_yaml *list);

/**
 * The quantity law.NAME of the law of the variant: force, elastic (force without damping), stored,
 * pushing and rising (as in ic_law), memory and onset (memory and force of a contact that begins),
 * reach, kink. false: a fault was added.
 */
bool ic_law_quantity(ic_term *term, ic_case_reader *r, const char *name, ic_file_place place);

/** A call of a law's function as a formula in its operands; IC_NO_NODE: the law has none for it. */
ic_node ic_law_formula(ic_case_reader *r, ic_node call);

/** Replace calls of the law's functions in n nodes, some of which may be IC_NO_NODE, by formulas, if it has them. */
bool ic_law_write_out(ic_case_reader *r, ic_node *nodes, size_t n);
