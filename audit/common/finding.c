/* SPDX-License-Identifier: MIT */
#include "audit/common/finding.h"
#include "core/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const mistakes[IC_MISTAKE_COUNT][3] = {
    [IC_NO_MISTAKE] = {"", "", ""},
#define IC_MISTAKE(code_, id_, name_, text_) [IC_MISTAKE_##id_] = {name_, text_, code_},
#include "audit/common/mistakes.def"
};

const char *ic_mistake_code(ic_mistake_id id)
{
    return mistakes[id][2];
}

const char *ic_mistake_name(ic_mistake_id id)
{
    return mistakes[id][0];
}

const char *ic_mistake_text(ic_mistake_id id)
{
    return mistakes[id][1];
}

ic_mistake_id ic_mistake_find(const char *name)
{
    int id = IC_NO_MISTAKE + 1;
    while (id < IC_MISTAKE_COUNT && strcmp(mistakes[id][0], name) != 0) id++;
    return id < IC_MISTAKE_COUNT ? (ic_mistake_id)id : IC_NO_MISTAKE;
}

const char *ic_finding_word(const ic_finding *f)
{
    return f->verdict == IC_FINDING_OPEN && f->open_as != NULL ? f->open_as
                                                               : ic_finding_verdict_text(f->verdict);
}

const char *ic_finding_verdict_text(ic_finding_verdict verdict)
{
    static const char *const texts[] = {
        [IC_FINDING_PASS] = "pass", [IC_FINDING_FAIL] = "FAIL", [IC_FINDING_OPEN] = "undecided"};
    return texts[verdict];
}

const char *ic_audit_verdict_text(ic_audit_verdict verdict)
{
    static const char *const texts[] = {
        [IC_AUDIT_GOOD] = "good", [IC_AUDIT_FAILED] = "failed", [IC_AUDIT_UNDECIDED] = "undecided"};
    return texts[verdict];
}

bool ic_finding_agrees(const ic_finding *f)
{
    if (f->verdict == IC_FINDING_OPEN || isnan(f->measured) || isnan(f->tolerance)) return true;
    const bool within = f->check->at_least ? f->measured >= f->tolerance : f->measured <= f->tolerance;
    return within == (f->verdict == IC_FINDING_PASS);
}

/* Prints into an array from its character `used` on, as far as there is room. */
#define PRINT_AT(array_, used_, format_)                                                                       \
    do {                                                                                                       \
        va_list arguments;                                                                                     \
        va_start(arguments, format_);                                                                          \
        vsnprintf((array_) + (used_), sizeof(array_) - (used_), format_, arguments);                           \
        va_end(arguments);                                                                                     \
    } while (0)

void ic_finding_describe(ic_finding *f, const char *format, ...)
{
    PRINT_AT(f->detail, 0, format);
}

void ic_finding_append(ic_finding *f, const char *format, ...)
{
    const size_t used = strlen(f->detail);
    PRINT_AT(f->detail, used, format);
}

void ic_finding_set_origin(ic_finding *f, const char *format, ...)
{
    PRINT_AT(f->origin, 0, format);
}

void ic_finding_leave_open(ic_finding *f, const char *format, ...)
{
    f->verdict = IC_FINDING_OPEN;
    f->cause = IC_NO_MISTAKE;
    PRINT_AT(f->detail, 0, format);
}

void ic_findings_add(ic_findings *findings, const ic_finding *finding)
{
    ic_finding *rows =
        ic_array_reserve(findings->rows, &findings->capacity, findings->count, sizeof *findings->rows);
    if (rows == NULL) {
        findings->no_memory = true;
        return;
    }
    findings->rows = rows;
    ic_finding *row = &findings->rows[findings->count++];
    *row = *finding;
    if (ic_finding_agrees(row)) return;
    row->measured = row->tolerance = NAN;
    findings->contradictions++;
}

size_t ic_findings_with(const ic_findings *findings, ic_finding_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++) count += findings->rows[i].verdict == verdict;
    return count;
}

ic_finding *ic_findings_find(const ic_findings *findings, const char *check)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (strcmp(findings->rows[i].check->name, check) == 0) return &findings->rows[i];
    }
    return NULL;
}

ic_finding *ic_findings_next_failed(const ic_findings *findings, const ic_finding *after)
{
    for (size_t i = after != NULL ? (size_t)(after - findings->rows) + 1 : 0; i < findings->count; i++) {
        if (findings->rows[i].verdict == IC_FINDING_FAIL) return &findings->rows[i];
    }
    return NULL;
}

bool ic_finding_leaves_open(const ic_findings *findings, const ic_finding *finding, bool each_subject)
{
    bool check = false, subject = false; /* whether another row decides */
    if (finding->verdict != IC_FINDING_OPEN) return false;
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict == IC_FINDING_OPEN || (each_subject && strcmp(f->subject, finding->subject) != 0))
            continue;
        subject = true;
        check |= f->check == finding->check;
    }
    return !subject || (finding->check->needed && !check);
}

ic_audit_judgement ic_findings_judge(const ic_findings *findings, bool each_subject)
{
    ic_audit_judgement j = {.verdict = IC_AUDIT_GOOD,
                            .passed = ic_findings_with(findings, IC_FINDING_PASS),
                            .failed = ic_findings_with(findings, IC_FINDING_FAIL),
                            .open = ic_findings_with(findings, IC_FINDING_OPEN)};
    for (size_t i = 0; i < findings->count && j.why == NULL; i++) {
        if (ic_finding_leaves_open(findings, &findings->rows[i], each_subject)) j.why = &findings->rows[i];
    }
    if (j.failed > 0) j.verdict = IC_AUDIT_FAILED;
    else if (j.why != NULL || j.passed == 0) j.verdict = IC_AUDIT_UNDECIDED;
    return j;
}

size_t ic_findings_causes(const ic_findings *findings, ic_likely_cause *causes)
{
    size_t n = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        size_t k = 0;
        if (f->verdict != IC_FINDING_FAIL || f->cause == IC_NO_MISTAKE) continue;
        while (k < n && causes[k].mistake != f->cause) k++;
        if (k == n) causes[n++] = (ic_likely_cause){.mistake = f->cause};
        causes[k].rows++;
        for (; k > 0 && causes[k].rows > causes[k - 1].rows; k--) {
            const ic_likely_cause less = causes[k - 1];
            causes[k - 1] = causes[k], causes[k] = less;
        }
    }
    return n;
}

void ic_findings_free(ic_findings *findings)
{
    free(findings->rows);
    *findings = (ic_findings){0};
}

void ic_classification_add(ic_classification *c, const char *name, double misfit)
{
    if (c->count == IC_MOST_CANDIDATES) return;
    ic_candidate *candidate = &c->candidates[c->count++];
    snprintf(candidate->name, sizeof candidate->name, "%.*s", (int)sizeof candidate->name - 1, name);
    candidate->misfit = misfit;
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
