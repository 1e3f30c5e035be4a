/* SPDX-License-Identifier: MIT */
#include "audit/common/finding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hypothesis[] = "impact hypothesis", law[] = "damping law";

void ic_audit_report_free(ic_audit_report *report)
{
    ic_findings_free(&report->findings);
    free(report->points);
    *report = (ic_audit_report){0};
}

/* ---- the writing side */

void ic_writer_set_place(ic_finding_writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(writer->place, sizeof writer->place, format, arguments);
    va_end(arguments);
}

void ic_writer_explain(ic_finding_writer *writer, const char *because)
{
    snprintf(writer->because, sizeof writer->because, "%s", because);
}

static const char *const units[] = {"1", "s", "events", "m", "m/s", "runs", ""};

static void write_record(ic_finding_writer *writer, ic_record *record)
{
    snprintf(record->subject, sizeof record->subject, "%s", writer->subject);
    if (record->place[0] == '\0') snprintf(record->place, sizeof record->place, "%s", writer->place);
    if (writer->report == NULL) ic_seal_write(writer->seal, record, sizeof *record);
    else if (record->kind <= IC_RECORD_CLASSIFICATION || record->kind == IC_RECORD_POINT)
        ic_report_record(writer->report, record);
}

void ic_write_record(ic_finding_writer *writer, ic_finding_record_kind kind, unsigned number, const char *text)
{
    ic_record record = {.kind = kind, .number = number};
    snprintf(record.text, sizeof record.text, "%s", text);
    write_record(writer, &record);
}

void ic_write_refusal(ic_finding_writer *writer)
{
    ic_write_record(writer, IC_RECORD_ERROR, 1, IC_REFUSED_PROCESS);
}

void ic_announce_operation(ic_finding_writer *writer, const char *what)
{
    ic_write_record(writer, IC_RECORD_DOING, 0, what);
}

ic_mistake_id ic_write_measured(ic_finding_writer *writer, ic_plugin_check check, const ic_judged_value *m,
                                const char *format, ...)
{
    const bool good = m->value <= m->tolerance;
    const ic_mistake_id cause = good ? IC_NO_MISTAKE : m->cause;
    ic_record record = {.kind = IC_RECORD_FINDING,
                        .number = check,
                        .verdict = good ? IC_FINDING_PASS : IC_FINDING_FAIL,
                        .cause = (int)cause,
                        .value = m->value,
                        .tolerance = m->tolerance,
                        .unit = "1"};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(record.text, sizeof record.text, format, arguments);
    va_end(arguments);
    snprintf(record.origin, sizeof record.origin, "%s", m->origin);
    if (!good) snprintf(record.because, sizeof record.because, "%s", writer->because);
    writer->because[0] = '\0';
    write_record(writer, &record);
    return cause;
}

void ic_write_open(ic_finding_writer *writer, ic_plugin_check check, double value, const char *format, ...)
{
    ic_record record = {.kind = IC_RECORD_FINDING,
                        .number = check,
                        .verdict = IC_FINDING_OPEN,
                        .value = value,
                        .tolerance = NAN,
                        .unit = "1"};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(record.text, sizeof record.text, format, arguments);
    va_end(arguments);
    write_record(writer, &record);
}

void ic_write_kept(ic_finding_writer *writer, ic_plugin_check check, const ic_judged_value *kept,
                   const char *what)
{
    if (!isnan(kept->value)) ic_write_measured(writer, check, kept, "%s", what);
    else
        ic_write_open(writer, check, NAN,
                      "the allocator of this process does not report what is in use: run the audit without it");
}

void ic_write_finding(ic_finding_writer *writer, ic_plugin_check check, const ic_finding *f)
{
    ic_record record = {.kind = IC_RECORD_FINDING,
                        .number = check,
                        .verdict = (int)f->verdict,
                        .cause = (int)f->cause,
                        .value = f->measured,
                        .tolerance = f->tolerance};
    snprintf(record.unit, sizeof record.unit, "%s", f->unit);
    snprintf(record.place, sizeof record.place, "%s", f->place);
    snprintf(record.origin, sizeof record.origin, "%s", f->origin);
    snprintf(record.text, sizeof record.text, "%s", f->detail);
    write_record(writer, &record);
}

void ic_write_classification(ic_finding_writer *writer, const ic_classification *c)
{
    ic_record record = {.kind = IC_RECORD_CLASSIFICATION,
                        .number = (unsigned)c->count,
                        .verdict = c->decided,
                        .cause = strcmp(c->question, law) == 0,
                        .value = c->margin};
    for (size_t i = 0; i < c->count && i < IC_MOST_CANDIDATES; i++) {
        snprintf(record.names[i], sizeof record.names[i], "%s", c->candidates[i].name);
        record.misfits[i] = c->candidates[i].misfit;
    }
    snprintf(record.text, sizeof record.text, "%s", c->detail);
    write_record(writer, &record);
}

void ic_write_point(ic_finding_writer *writer, const ic_restitution_point *point)
{
    ic_record record = {.kind = IC_RECORD_POINT, .value = point->e_out, .tolerance = point->told};
    record.misfits[0] = point->e_in;
    record.misfits[1] = point->speed;
    write_record(writer, &record);
}

/* ---- the reading side */

static void make_printable(char *text, size_t size)
{
    text[size - 1] = '\0';
    for (char *at = text; *at != '\0'; at++) *at = (char)(*at >= ' ' && *at <= '~' ? *at : '?');
}

void ic_record_make_printable(ic_record *record)
{
    make_printable(record->subject, sizeof record->subject);
    make_printable(record->place, sizeof record->place);
    make_printable(record->origin, sizeof record->origin);
    make_printable(record->text, sizeof record->text);
    make_printable(record->because, sizeof record->because);
    make_printable(record->unit, sizeof record->unit);
    for (size_t i = 0; i < IC_MOST_CANDIDATES; i++) make_printable(record->names[i], sizeof record->names[i]);
}

static const char *interned_unit(const char *unit)
{
    for (size_t i = 0; i < IC_COUNT(units); i++) {
        if (strcmp(units[i], unit) == 0) return units[i];
    }
    return "";
}

static bool add_classification(ic_audit_report *report, ic_record *record)
{
    if (record->number > IC_MOST_CANDIDATES) return false;
    for (size_t i = 0; i < record->number; i++) {
        if (record->names[i][0] == '\0') return false;
    }
    if (report->n_classifications == IC_MOST_AUDIT_CLASSIFICATIONS) return true;
    ic_classification *c = &report->classifications[report->n_classifications++];
    *c = (ic_classification){.question = record->cause != 0 ? law : hypothesis,
                             .decided = record->verdict != 0 && record->number > 0,
                             .margin = record->value};
    for (size_t i = 0; i < record->number; i++) ic_classification_add(c, record->names[i], record->misfits[i]);
    snprintf(c->subject, sizeof c->subject, "%s", record->subject);
    snprintf(c->detail, sizeof c->detail, "%.383s", record->text);
    return true;
}

static bool add_point(ic_audit_report *report, const ic_record *record)
{
    if (report->n_points == IC_MOST_AUDIT_POINTS) return false;
    /* grows whenever the count is a power of two */
    if ((report->n_points & (report->n_points - 1)) == 0) {
        const size_t capacity = report->n_points == 0 ? 1 : 2 * report->n_points;
        ic_restitution_point *grown = realloc(report->points, capacity * sizeof *grown);
        if (grown == NULL) {
            report->findings.no_memory = true;
            return true;
        }
        report->points = grown;
    }
    ic_restitution_point *point = &report->points[report->n_points++];
    *point = (ic_restitution_point){.e_in = record->misfits[0],
                                    .speed = record->misfits[1],
                                    .e_out = record->value,
                                    .told = record->tolerance};
    snprintf(point->subject, sizeof point->subject, "%s", record->subject);
    return true;
}

bool ic_report_record(ic_audit_report *report, ic_record *record)
{
    if (record->kind == IC_RECORD_POINT) return add_point(report, record);
    if (record->kind == IC_RECORD_CLASSIFICATION) return add_classification(report, record);
    if (record->kind != IC_RECORD_FINDING || report->findings.count >= IC_MOST_AUDIT_FINDINGS) return false;
    if (record->number >= IC_PLUGIN_CHECK_COUNT || record->verdict < IC_FINDING_PASS ||
        record->verdict > IC_FINDING_OPEN || record->cause < 0 || record->cause >= IC_MISTAKE_COUNT)
        return false;
    ic_finding finding = {.check = &ic_plugin_checks[record->number],
                          .verdict = (ic_finding_verdict)record->verdict,
                          .measured = record->value,
                          .tolerance = record->tolerance,
                          .unit = interned_unit(record->unit),
                          .cause = (ic_mistake_id)record->cause};
    snprintf(finding.subject, sizeof finding.subject, "%s", record->subject);
    snprintf(finding.place, sizeof finding.place, "%s", record->place);
    snprintf(finding.origin, sizeof finding.origin, "%s", record->origin);
    snprintf(finding.detail, sizeof finding.detail, "%s", record->text);
    snprintf(finding.because, sizeof finding.because, "%s", record->because);
    ic_findings_add(&report->findings, &finding);
    return true;
}
