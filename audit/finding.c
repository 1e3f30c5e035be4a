/* SPDX-License-Identifier: MIT */
#include "audit/finding.h"

#include <math.h>
#include <stdlib.h>

static const char *const mistakes[IC_MISTAKE_COUNT][2] = {
    [IC_NO_MISTAKE] = {"", ""},
#define IC_MISTAKE(id_, name_, text_) [IC_MISTAKE_##id_] = {name_, text_},
#include "audit/mistakes.def"
#undef IC_MISTAKE
};

const char *ic_mistake_name(ic_mistake_id id)
{
    return mistakes[id][0];
}

const char *ic_mistake_text(ic_mistake_id id)
{
    return mistakes[id][1];
}

const char *ic_finding_verdict_text(ic_finding_verdict verdict)
{
    static const char *const texts[] = {
        [IC_FINDING_PASS] = "pass", [IC_FINDING_FAIL] = "FAIL", [IC_FINDING_OPEN] = "cannot tell"};
    return texts[verdict];
}

void ic_findings_add(ic_findings *findings, const ic_finding *finding)
{
    if (findings->count == findings->capacity) {
        const size_t capacity = findings->capacity == 0 ? 16 : 2 * findings->capacity;
        ic_finding *grown = realloc(findings->rows, capacity * sizeof *grown);
        if (grown == NULL) {
            findings->no_memory = true;
            return;
        }
        findings->rows = grown;
        findings->capacity = capacity;
    }
    findings->rows[findings->count++] = *finding;
}

size_t ic_findings_with(const ic_findings *findings, ic_finding_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++) count += findings->rows[i].verdict == verdict;
    return count;
}

ic_audit_verdict ic_findings_verdict(const ic_findings *findings)
{
    bool open = ic_findings_with(findings, IC_FINDING_PASS) == 0;
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].verdict == IC_FINDING_FAIL) return IC_AUDIT_FAILED;
        open |= findings->rows[i].verdict == IC_FINDING_OPEN && findings->rows[i].check->needed;
    }
    return open ? IC_AUDIT_UNDECIDED : IC_AUDIT_GOOD;
}

void ic_findings_free(ic_findings *findings)
{
    free(findings->rows);
    *findings = (ic_findings){0};
}

static int by_misfit(const void *a, const void *b)
{
    const double x = ((const ic_candidate *)a)->misfit, y = ((const ic_candidate *)b)->misfit;
    return (x > y) - (x < y);
}

void ic_classification_decide(ic_classification *c, double fits, double apart)
{
    qsort(c->candidates, c->count, sizeof *c->candidates, by_misfit);
    const double first = c->count > 0 ? c->candidates[0].misfit : INFINITY;
    const double second = c->count > 1 ? c->candidates[1].misfit : INFINITY;
    c->margin = second / first;
    c->decided = first <= fits && second >= apart * first;
}
