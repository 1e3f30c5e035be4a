/* SPDX-License-Identifier: MIT */
#include "impactcheck/impactcheck.h"

static const char *const texts[] = {
#define TEXT(name, text) text,
    IC_STATUS_TABLE(TEXT)
#undef TEXT
};

const char *ic_status_text(ic_status status)
{
    if ((size_t)status >= IC_COUNT(texts)) return "unknown status";
    return texts[status];
}

const char *ic_status_name(ic_status status)
{
    switch (status) {
    case IC_OK: return "ok";
    case IC_INVALID: return "invalid";
    case IC_NO_MEMORY: return "no_memory";
    case IC_UNSUPPORTED: return "unsupported";
    case IC_NOT_FINITE: return "not_finite";
    case IC_STEP_TOO_SMALL: return "step_too_small";
    case IC_TOO_MUCH_WORK: return "too_much_work";
    case IC_ROOT_LOST: return "root_lost";
    case IC_CHAIN: return "chain";
    case IC_ZENO: return "zeno";
    case IC_UNDECIDED: return "undecided";
    case IC_IO: return "io";
    case IC_CONTRADICTED: return "contradicted";
    }
    return "unknown";
}
