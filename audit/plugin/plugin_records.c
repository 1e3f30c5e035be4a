/* SPDX-License-Identifier: MIT */
#include "audit/plugin/plugin.h"

#include <stdio.h>
#include <string.h>

const char *ic_plugin_kind_name(ic_plugin_kind kind)
{
    static const char *const names[IC_PLUGIN_KINDS] = {[IC_PLUGIN_LAW] = "law",
                                                       [IC_PLUGIN_IMPACT_MAP] = "impact map",
                                                       [IC_PLUGIN_SOLVER] = "solver",
                                                       [IC_PLUGIN_ENGINE] = "engine"};
    return names[kind];
}

/* false: the kind does not exist, or there are too many subjects. */
static bool add_subject(ic_plugin_said *said, const ic_record *record)
{
    if (said->n_subjects == IC_MOST_PLUGIN_SUBJECTS || record->number >= IC_PLUGIN_KINDS) return false;
    ic_plugin_subject *s = &said->subjects[said->n_subjects];
    s->kind = (ic_plugin_kind)record->number;
    s->index = 0;
    for (size_t i = 0; i < said->n_subjects; i++) s->index += said->subjects[i].kind == s->kind;
    snprintf(s->name, sizeof s->name, "%.*s", IC_MOST_PLUGIN_NAME - 1, record->text);
    said->n_subjects++;
    return true;
}

void ic_plugin_take_record(ic_record *record, void *context)
{
    ic_plugin_said *said = context;
    bool good = false;
    switch (record->kind) {
    case IC_RECORD_ERROR:
        ic_error_set(said->error, "%s", record->text);
        said->refused = good = true;
        said->report->refused |= record->number != 0;
        said->report->findings.no_memory |= strcmp(record->text, "memory ran out") == 0;
        break;
    case IC_RECORD_SUBJECT: good = add_subject(said, record); break;
    case IC_RECORD_MISTAKE: good = ic_known_take(&said->known, record); break;
    case IC_RECORD_POINT:
    case IC_RECORD_FINDING:
    case IC_RECORD_CLASSIFICATION: good = ic_report_record(said->report, record); break;
    default: break;
    }
    said->n_broken += !good;
}
