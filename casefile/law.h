/* SPDX-License-Identifier: MIT */
/** Variants on contact-force laws, and the quantities of a law in their formulas. */
#ifndef IC_CASEFILE_LAW_H
#define IC_CASEFILE_LAW_H

#include "casefile/reader.h"

#include <stdio.h>

/** Law number i of cases/laws/laws.def; NULL behind the last. */
const ic_law *ic_law_number(size_t i);

/** The law of a name; NULL: there is none. */
const ic_law *ic_law_of_name(const char *name);

/** Names of all laws that have a formula as text, NULL at the end. */
const char *const *ic_law_texts(void);

/** Names of the conditions, by their numbers. */
extern const char *const ic_law_conditions[IC_CONDITION_D + 1];

/** The C name of a law's constant. */
const char *ic_law_symbol(const ic_law *law);

/** Write the type `ic_law` as C without headers, as far as functions outside of a graph need it. */
void ic_law_declare(FILE *out);

/** Whether a list of a variant, `laws: [A, hertz]`, or `all`, has the law: by name or condition. */
bool ic_law_is_listed(const ic_law *law, const ic_yaml *list);

/**
 * The quantity law.NAME of the variant's law: force, elastic (without damping), stored, pushing and
 * rising (ic_law), memory and onset (of a contact that begins now), reach, kink. false: a fault was
 * added.
 */
bool ic_law_quantity(ic_term *term, ic_case_reader *r, const char *name, ic_file_place place);

/** A call of a law's function as a formula in its operands; IC_NO_NODE: the law has none for it. */
ic_node ic_law_formula(ic_case_reader *r, ic_node call);

#endif
