/* SPDX-License-Identifier: MIT */
/** Readers of the parts of a file that casefile.c combines. */
#pragma once

#include "casefile/reader.h"

/** Read all variants into the tables of the case, and set the values of its outputs. */
bool ic_read_variants(ic_case_reader *r, ic_case *system, ic_output *outputs);

/** Read the typical time, or the period in its place, by the present definitions. NULL: none, or faults were added. */
const char *ic_read_time_scale(ic_case_reader *r);

/**
 * Read the sections about the case as a whole: presets, requirements, times, contact, trials, laws.
 */
bool ic_read_sections(ic_case_reader *r, ic_case *system);

/**
 * A formula in parameters as text, for those fields of the model that are texts. It must have the
 * unit of `*dimension`, or, if that is `any`, sets it. `what` names it in a fault. NULL: faults were added.
 */
const char *ic_read_parameter_text(ic_case_reader *r, const ic_yaml *text, ic_dimension *dimension,
                                   const char *what);

/**
 * The number of a setting without its unit: "2e8" for 2e8 and for 2e8 N/m. NULL: a fault was added.
 */
const char *ic_read_setting_text(ic_case_reader *r, const ic_yaml *value, int parameter);

/** Index of the parameter that a key names; -1: a fault was added. */
int ic_reader_find_parameter(ic_case_reader *r, const ic_yaml *key);

/** Reads an entry of a section, which has the name `key`. false: a fault was added. */
typedef bool ic_entry_reader(ic_case_reader *r, const ic_case *system, void *entry, const ic_yaml *key,
                             const ic_yaml *section);

/** Entries of a section: the size of their struct in bytes, and their reader. */
typedef struct ic_entry_kind {
    size_t size;
    ic_entry_reader *read;
} ic_entry_kind;

/**
 * Read a mapping of entries by name to a table of the arena. No section: no entries. false: a fault
 * was added, "expected ..." if the section is no mapping.
 */
bool ic_read_entries(ic_case_reader *r, const ic_case *system, const ic_yaml *section, const char *expected,
                     ic_entry_kind kind, const void **entries, size_t *n);

/** Reads an entry of `figures`, an ic_figure. */
ic_entry_reader ic_read_figure;

/**
 * Read the sections about the answers of the case: statements, closed forms and figures. Their measures are
 * no part of the language; ic_claims_of_case and ic_closed_form_read read them.
 */
bool ic_read_answers(ic_case_reader *r, ic_case *system);
