/* SPDX-License-Identifier: MIT */
#include "casefile/schema_options.h"

#include "casefile/law.h"

#include <string.h>

const ic_key *ic_schema_key(const ic_schema *schema, const char *name)
{
    for (const ic_key *key = schema->keys; key != NULL && key->name != NULL; key++) {
        if (strcmp(key->name, name) == 0) return key;
    }
    return NULL;
}

static const char *const *list_conditions(void)
{
    return ic_law_conditions;
}

#include "casefile/schemas.def"
