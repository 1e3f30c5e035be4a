/* SPDX-License-Identifier: MIT */
/** The words of tables of schemas (casefile/schemas.def), for the files that make constants of them. */
#pragma once

#include "casefile/schema.h"

#include <stddef.h>

/* clang-format off */
#define PLAIN(name_, what_, options_) const ic_schema ic_schema_##name_ = {options_ .what = what_};
#define SCHEMA(name_, what_, options_, ...)                                                                    \
    const ic_schema ic_schema_##name_ = {                                                                      \
        options_ .what = what_, .keys = (const ic_key[]){__VA_ARGS__, {.name = NULL}}};
#define KEY(name_, schema_, meaning_) {name_, &ic_schema_##schema_, IC_KEY_OPTIONAL, meaning_}
#define NEED(name_, schema_, meaning_) {name_, &ic_schema_##schema_, IC_KEY_REQUIRED, meaning_}
#define ONE(name_, schema_, meaning_) {name_, &ic_schema_##schema_, IC_KEY_ONE_OF, meaning_}

/* Options: nothing; a text, true or false, or nothing in its place; words that a text may be, by a function; values of
   all other keys; items of a list; families of members; what it overrides. */
#define MAPPING
#define TEXT .scalar = IC_SCALAR_TEXT,
#define FLAG .scalar = IC_SCALAR_FLAG,
#define EMPTY .scalar = IC_SCALAR_EMPTY,
#define WORDS(list_) .words = (list_),
#define EACH(schema_) .entries = &ic_schema_##schema_,
#define ITEMS(schema_) .items = &ic_schema_##schema_,
#define FAMILIES .families = true,
#define OVERRIDES(what_) .overrides = IC_OVERRIDES_##what_,
/* clang-format on */
