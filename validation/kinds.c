/* SPDX-License-Identifier: MIT */
#include "validation/kinds.h"

#include <string.h>

static const char *const texts[IC_KINDS] = {
    [IC_KIND_STATEMENT] = "statement", [IC_KIND_MISPRINT] = "misprint", [IC_KIND_AS_SCANNED] = "as scanned",
    [IC_KIND_GIVEN] = "given",         [IC_KIND_FINDING] = "finding",   [IC_KIND_NOT_TESTABLE] = "not testable",
    [IC_KIND_EVIDENCE] = "evidence",
};

const char *ic_kind_text(ic_kind kind)
{
    return texts[kind];
}

bool ic_kind_read(ic_kind *kind, const char *text)
{
    for (int i = 0; i < IC_KINDS; i++) {
        *kind = (ic_kind)i;
        if (strcmp(texts[i], text) == 0) return true;
    }
    return false;
}
