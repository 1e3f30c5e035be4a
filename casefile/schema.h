/* SPDX-License-Identifier: MIT */
/**
 * Schemas: what each part of a file may contain, with a line about each key. The readers refuse what is not in them,
 * and `impactcheck schema` writes the same for editors.
 */
#pragma once

#include <stdbool.h>

typedef struct ic_schema ic_schema;

/** Whether a mapping must have a key. Of those with IC_KEY_ONE_OF it must have exactly one. */
typedef enum ic_key_need { IC_KEY_OPTIONAL, IC_KEY_REQUIRED, IC_KEY_ONE_OF } ic_key_need;

typedef struct ic_key {
    /* NULL ends the list. */
    const char *name;

    /* Schema of the value. */
    const ic_schema *schema;

    ic_key_need need;

    /* One line, without a capital and a full stop. */
    const char *meaning;
} ic_key;

/** What may stand in place of a mapping or a list. */
typedef enum ic_schema_scalar {
    IC_SCALAR_NOT,
    IC_SCALAR_TEXT,
    IC_SCALAR_FLAG,
    IC_SCALAR_EMPTY
} ic_schema_scalar;

/** Whether entries override those of another mapping, so that they may be incomplete, or "none". */
typedef enum ic_schema_override {
    IC_OVERRIDES_NOT,

    /* All entries do, where the key `like` names the other mapping. */
    IC_OVERRIDES_LIKE,

    IC_OVERRIDES_FILE,
} ic_schema_override;

struct ic_schema {
    /* With its article: "a preset". */
    const char *what;

    ic_schema_scalar scalar;

    /* The words that a text may be, NULL after the last; NULL: any text. */
    const char *const *(*words)(void);

    /* Keys of a mapping. NULL: it has none with a meaning of their own. */
    const ic_key *keys;

    /* Schema of the values of all other keys, which are names; NULL: other keys are refused. */
    const ic_schema *entries;

    /* Schema of the items of a list; NULL: it may not be a list. */
    const ic_schema *items;

    /* A key may be `for i in 1..N`, whose value has this schema, too. */
    bool families;

    ic_schema_override overrides;
};

/** The key of a name, or NULL. */
const ic_key *ic_schema_key(const ic_schema *schema, const char *name);

/** Schemas that all files share: a text, a formula, true or false; lists and mappings of formulas. */
extern const ic_schema ic_schema_text, ic_schema_texts, ic_schema_formula, ic_schema_formulas, ic_schema_flag,
    ic_schema_settings;

/** casefile/schemas.c: A whole case file, and the parts of it that have keys. */
extern const ic_schema ic_schema_case, ic_schema_parameter, ic_schema_requirement, ic_schema_state,
    ic_schema_discrete, ic_schema_mass, ic_schema_element, ic_schema_stop, ic_schema_friction,
    ic_schema_contact, ic_schema_switch, ic_schema_delay, ic_schema_mode, ic_schema_event, ic_schema_invariant,
    ic_schema_energy, ic_schema_time, ic_schema_output, ic_schema_variant, ic_schema_preset,
    ic_schema_contact_view, ic_schema_trial, ic_schema_law, ic_schema_free_impact, ic_schema_impact,
    ic_schema_rigid_stop, ic_schema_statement, ic_schema_closed_form, ic_schema_figure, ic_schema_curve,
    ic_schema_points, ic_schema_vary, ic_schema_shape;
