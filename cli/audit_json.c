/* SPDX-License-Identifier: MIT */
/* The answer of an audit for programs. The Python package has it, too: it prints nothing. */
#include "cli/audit_text.h"

static void finding_json(ic_json *json, const ic_finding *f)
{
    static const char *const verdicts[] = {
        [IC_FINDING_PASS] = "pass", [IC_FINDING_FAIL] = "fail", [IC_FINDING_OPEN] = "open"};
    ic_json_object_line(json, NULL);
    IC_JSON_TEXTS(json, {"verdict", verdicts[f->verdict]}, {"subject", f->subject}, {"place", f->place},
                  {"check", f->check->name}, {"code", f->check->code}, {"what", f->check->what});
    ic_json_bool(json, "needed", f->check->needed);
    IC_JSON_NUMBERS(json, {"measured", f->measured}, {"tolerance", f->tolerance});
    IC_JSON_TEXTS(json, {"unit", f->unit}, {"origin", f->origin}, {"detail", f->detail},
                  {"cause", f->cause == IC_NO_MISTAKE ? NULL : ic_mistake_name(f->cause)},
                  {"cause_code", f->cause == IC_NO_MISTAKE ? NULL : ic_mistake_code(f->cause)},
                  {"because", f->because[0] == '\0' ? NULL : f->because}, {"reference", f->check->reference});
    ic_json_end(json);
}

static void classification_json(ic_json *json, const ic_classification *c)
{
    ic_json_object(json, NULL);
    IC_JSON_TEXTS(json, {"question", c->question}, {"subject", c->subject},
                  {"answer", c->decided ? c->candidates[0].name : NULL});
    ic_json_number(json, "margin", c->margin);
    ic_json_text(json, "detail", c->detail);
    ic_json_array(json, "candidates");
    for (size_t i = 0; i < c->count; i++) {
        ic_json_object_line(json, NULL);
        ic_json_text(json, "name", c->candidates[i].name);
        ic_json_number(json, "misfit", c->candidates[i].misfit);
        ic_json_end(json);
    }
    ic_json_end(json);
    ic_json_end(json);
}

static void restitution_json(ic_json *json, const ic_restitution_point *points, size_t count)
{
    ic_json_array(json, "restitution");
    for (size_t i = 0; i < count; i++) {
        ic_json_object_line(json, NULL);
        ic_json_text(json, "subject", points[i].subject);
        IC_JSON_NUMBERS(json, {"e_in", points[i].e_in}, {"speed", points[i].speed}, {"e_out", points[i].e_out},
                        {"told", points[i].told});
        ic_json_end(json);
    }
    ic_json_end(json);
}

void cli_audit_json_verdict(ic_json *json, const cli_audit_result *result)
{
    ic_json_text(json, result->input, result->path);
    const ic_audit_judgement j = cli_audit_judge(result);
    ic_json_bool(json, "good", j.verdict == IC_AUDIT_GOOD);
    ic_json_text(json, "verdict", ic_audit_verdict_text(j.verdict));
    ic_json_text(json, "summary", cli_audit_headline(result).text);
    ic_likely_cause causes[IC_MISTAKE_COUNT];
    const size_t n_causes = ic_findings_causes(result->findings, causes);
    ic_json_array(json, "causes");
    for (size_t i = 0; i < n_causes; i++) {
        ic_json_object_line(json, NULL);
        IC_JSON_TEXTS(json, {"name", ic_mistake_name(causes[i].mistake)},
                      {"code", ic_mistake_code(causes[i].mistake)},
                      {"text", ic_mistake_text(causes[i].mistake)});
        ic_json_integer(json, "rows", (long long)causes[i].rows);
        ic_json_end(json);
    }
    ic_json_end(json);
    ic_json_object(json, "counts");
    ic_json_integer(json, "pass", (long long)j.passed);
    ic_json_integer(json, "fail", (long long)j.failed);
    ic_json_integer(json, "open", (long long)j.open);
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
