/* SPDX-License-Identifier: MIT */
/* The answer of an audit for programs. The Python package has it, too: it prints nothing. */
#include "cli/audit_text.h"

static void finding_json(ic_json *json, const ic_finding *f)
{
    static const char *const verdicts[] = {
        [IC_FINDING_PASS] = "pass", [IC_FINDING_FAIL] = "fail", [IC_FINDING_OPEN] = "open"};
    IC_JSON_ROW(json, NULL, IC_TEXT("verdict", verdicts[f->verdict]), IC_TEXT("subject", f->subject),
                IC_TEXT("place", f->place), IC_TEXT("check", f->check->name), IC_TEXT("code", f->check->code),
                IC_TEXT("what", f->check->what), IC_FLAG("needed", f->check->needed),
                IC_REAL("measured", f->measured), IC_REAL("tolerance", f->tolerance), IC_TEXT("unit", f->unit),
                IC_TEXT("origin", f->origin), IC_TEXT("detail", f->detail),
                IC_TEXT("cause", f->cause == IC_NO_MISTAKE ? NULL : ic_mistake_name(f->cause)),
                IC_TEXT("cause_code", f->cause == IC_NO_MISTAKE ? NULL : ic_mistake_code(f->cause)),
                IC_TEXT("because", f->because[0] == '\0' ? NULL : f->because),
                IC_TEXT("reference", f->check->reference));
}

static void classification_json(ic_json *json, const ic_classification *c)
{
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("question", c->question), IC_TEXT("subject", c->subject),
                    IC_TEXT("answer", c->decided ? c->candidates[0].name : NULL), IC_REAL("margin", c->margin),
                    IC_TEXT("detail", c->detail));
    ic_json_array(json, "candidates");
    for (size_t i = 0; i < c->count; i++) {
        IC_JSON_ROW(json, NULL, IC_TEXT("name", c->candidates[i].name),
                    IC_REAL("misfit", c->candidates[i].misfit));
    }
    ic_json_end(json);
    ic_json_end(json);
}

static void restitution_json(ic_json *json, const ic_restitution_point *points, size_t count)
{
    ic_json_array(json, "restitution");
    for (size_t i = 0; i < count; i++) {
        IC_JSON_ROW(json, NULL, IC_TEXT("subject", points[i].subject), IC_REAL("e_in", points[i].e_in),
                    IC_REAL("speed", points[i].speed), IC_REAL("e_out", points[i].e_out),
                    IC_REAL("told", points[i].told));
    }
    ic_json_end(json);
}

void cli_audit_json_verdict(ic_json *json, const cli_audit_result *result)
{
    ic_json_text(json, result->input, result->path);
    const ic_audit_judgement j = cli_audit_judge(result);
    IC_JSON_MEMBERS(json, IC_FLAG("good", j.verdict == IC_AUDIT_GOOD),
                    IC_TEXT("verdict", ic_audit_verdict_text(j.verdict)),
                    IC_TEXT("summary", cli_audit_headline(result).text));
    ic_likely_cause causes[IC_MISTAKE_COUNT];
    const size_t n_causes = ic_findings_causes(result->findings, causes);
    ic_json_array(json, "causes");
    for (size_t i = 0; i < n_causes; i++) {
        IC_JSON_ROW(json, NULL, IC_TEXT("name", ic_mistake_name(causes[i].mistake)),
                    IC_TEXT("code", ic_mistake_code(causes[i].mistake)),
                    IC_TEXT("text", ic_mistake_text(causes[i].mistake)), IC_WHOLE("rows", causes[i].rows));
    }
    ic_json_end(json);
    ic_json_object(json, "counts");
    IC_JSON_MEMBERS(json, IC_WHOLE("pass", j.passed), IC_WHOLE("fail", j.failed), IC_WHOLE("open", j.open));
    ic_json_end(json);
}

void cli_audit_json_members(ic_json *json, const cli_audit_result *result)
{
    cli_audit_json_verdict(json, result);
    ic_json_array(json, "findings");
    for (size_t i = 0; i < result->findings->count; i++) finding_json(json, &result->findings->rows[i]);
    ic_json_end(json);
    ic_json_array(json, "classifications");
    for (size_t i = 0; i < result->n_classifications; i++)
        classification_json(json, &result->classifications[i]);
    ic_json_end(json);
    if (result->of_plugin) {
        restitution_json(json, result->points, result->n_points);
        ic_json_integer(json, "seed", (long long)result->seed);
    }
}
