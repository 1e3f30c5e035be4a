/* SPDX-License-Identifier: MIT */
/**
 * Audit of commands: a right one passes, each planted mistake is found and named, and what fails
 * says how.
 */
#include "audit/command/command.h"
#include "core/model.h"
#include "registry/registry.h"
#include "tests/machine.h"

IC_SUITE(audits, "audit of commands")

#define SECONDS 20.0
#define SOON 0.3
/* as many as its own steps of 0.01 s give in the 5 s of the run, and no more */
enum { OWN_ROWS = 501 };

/* The least that the planted command reads. */
static bool write_request(FILE *input, const ic_command_request *request, void *context)
{
    (void)context;
    return fprintf(
               input,
               "{\"parameters\": {\"g\": %.17g, \"e\": %.17g}, \"start\": {\"t\": %.17g, \"state\": {\"x\": "
               "%.17g, \"v\": %.17g}}, \"until\": %.17g, \"samples\": %zu, \"step\": %.17g}\n",
               request->problem->par[2], request->problem->par[3], request->problem->t_start,
               request->x_start[0], request->x_start[1], request->problem->t_end, request->samples,
               request->step) > 0;
}

typedef struct subject {
    ic_setup setup;
    ic_command_audit audit;
    ic_command_end end;
    ic_error error;
} subject;

/* samples: 0, the default */
static void audit_rows(subject *s, const char *how, size_t samples, bool options, double order, double seconds)
{
    char line[512];
    const ic_command command = {.line = line,
                                .options = options,
                                .write = write_request,
                                .seconds = seconds,
                                .order = order,
                                .samples = samples,
                                .phases = 4};
    snprintf(line, sizeof line, "'%s' %s", IC_TEST_COMMAND_PLANTED, how);
    *s = (subject){.setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball/lively"})};
    s->end = ic_audit_command(&s->audit, &command, &s->setup.problem, &s->error);
}

static void audit_command(subject *s, const char *how, bool options, double order, double seconds)
{
    audit_rows(s, how, 0, options, order, seconds);
}

static void close_subject(subject *s)
{
    CU_ASSERT_EQUAL(s->audit.rows.findings.contradictions, 0);
    ic_command_audit_close(&s->audit);
    ic_setup_close(&s->setup);
}
IC_OWNED(subject, close_subject)

static const ic_finding *finding(const subject *s, const char *check)
{
    return ic_findings_find(&s->audit.rows.findings, check);
}

IC_TEST(test_right_ones)
{
    static const char *const right[] = {"right", "euler"};
    for (size_t i = 0; i < IC_COUNT(right); i++) {
        IC_OWN(subject) s;
        audit_command(&s, right[i], false, i == 0 ? 0 : 1, SECONDS);
        CU_ASSERT_EQUAL_FATAL(s.end, IC_COMMAND_AUDITED);
        CU_ASSERT_EQUAL(ic_findings_with(&s.audit.rows.findings, IC_FINDING_FAIL), 0);
        CU_ASSERT_EQUAL(finding(&s, "phase")->verdict, IC_FINDING_PASS);
        CU_ASSERT_EQUAL(finding(&s, "order")->verdict, IC_FINDING_PASS);
        CU_ASSERT_EQUAL(finding(&s, "repeatable")->verdict, IC_FINDING_PASS);
        CU_ASSERT_EQUAL(finding(&s, "other-parameters")->verdict, IC_FINDING_PASS);
        CU_ASSERT_FALSE(ic_command_crashed(&s.audit));
    }
}

/* An order that is claimed is measured, or left open where errors are too small; it never passes unseen. */
IC_TEST(test_claimed_order)
{
    static const char *const subjects[] = {"right", "euler"};
    for (size_t i = 0; i < IC_COUNT(subjects); i++) {
        IC_OWN(subject) s;
        audit_command(&s, subjects[i], false, 4, SECONDS);
        CU_ASSERT_EQUAL_FATAL(s.end, IC_COMMAND_AUDITED);
        CU_ASSERT_EQUAL(finding(&s, "order")->verdict, i == 0 ? IC_FINDING_OPEN : IC_FINDING_FAIL);
        CU_ASSERT_EQUAL(ic_findings_judge(&s.audit.rows.findings, false).verdict,
                        i == 0 ? IC_AUDIT_UNDECIDED : IC_AUDIT_FAILED);
    }
}

/* States are compared halfway from the first impact to the second. */
IC_TEST(test_where_states_are_compared)
{
    enum { H, V0, G, E };
    char halfway[64], late[64];
    IC_OWN(subject) s;
    audit_command(&s, "right", false, 0, SECONDS);
    CU_ASSERT_EQUAL_FATAL(s.end, IC_COMMAND_AUDITED);
    const double *par = s.setup.problem.par, speed = sqrt(par[V0] * par[V0] + 2 * par[G] * par[H]);
    const double first = (par[V0] + speed) / par[G], second = first + 2 * par[E] * speed / par[G];
    snprintf(halfway, sizeof halfway, "at t = %.9g s", (first + second) / 2);
    snprintf(late, sizeof late, "at t = %.9g s", first + 0.6 * (second - first));
    const char *detail = finding(&s, "phase")->detail;
    IC_EXPECT(strstr(detail, halfway) != NULL, "%s: %s", halfway, detail);
    CU_ASSERT_PTR_NULL(strstr(detail, late)); /* planted */
}

IC_TEST(test_by_options)
{
    IC_OWN(subject) s;
    audit_command(&s, "right", true, 0, SECONDS);
    CU_ASSERT_EQUAL_FATAL(s.end, IC_COMMAND_AUDITED);
    CU_ASSERT_EQUAL(ic_findings_with(&s.audit.rows.findings, IC_FINDING_FAIL), 0);
}

IC_TEST(test_mistakes)
{
    static const struct mistake {
        const char *how, *check;
        ic_mistake_id cause;
        double order;
    } mistakes[] = {
        {"end-of-step", "phase", IC_MISTAKE_NO_EVENT_LOCATION, 0},
        {"euler-end-of-step", "phase", IC_MISTAKE_NO_EVENT_LOCATION, 0},
        {"by-phase", "phase", IC_MISTAKE_RESTITUTION_BY_PHASE, 0},
        {"random", "repeatable", IC_MISTAKE_NOT_REPEATABLE, 0},
        {"other-start", "start", IC_NO_MISTAKE, 0},
        {"short", "end", IC_NO_MISTAKE, 0},
        {"short", "samples", IC_MISTAKE_ROWS_MISSING, 0},
        {"two-rows", "samples", IC_MISTAKE_ROWS_MISSING, 0},
        {"every-other-row", "samples", IC_MISTAKE_ROWS_MISSING, 0},
        {"own-step", "samples", IC_MISTAKE_ROWS_MISSING, 0},
        {"crashes-with-fine-steps", "comes-back", IC_MISTAKE_CRASHES, 0},
        {"fails-with-fine-steps", "answers", IC_NO_MISTAKE, 0},
        {"worse-with-fine-steps", "order", IC_MISTAKE_ORDER_LOST, 0},
        {"built-in", "other-parameters", IC_MISTAKE_PARAMETER_IGNORED, 0},
        {"built-in-e", "other-parameters", IC_MISTAKE_PARAMETER_IGNORED, 0},
        {"replays", "other-parameters", IC_MISTAKE_PARAMETER_IGNORED, 0},
        {"euler", "order", IC_MISTAKE_ORDER_LOST, 2}, /* of order 1, which it denies */
        {"chord", "order", IC_MISTAKE_ORDER_LOST, 4},
    };
    for (size_t i = 0; i < IC_COUNT(mistakes); i++) {
        IC_OWN(subject) s;
        audit_command(&s, mistakes[i].how, false, mistakes[i].order, SECONDS);
        CU_ASSERT_EQUAL_FATAL(s.end, IC_COMMAND_AUDITED);
        const ic_finding *f = finding(&s, mistakes[i].check);
        IC_EXPECT(f->verdict == IC_FINDING_FAIL && f->cause == mistakes[i].cause, "%s: %s", mistakes[i].how,
                  f->detail);
        CU_ASSERT_EQUAL(ic_command_crashed(&s.audit), f->cause == IC_MISTAKE_CRASHES);
    }
}

/* The finding has the requested and the received number of rows. */
IC_TEST(test_rows_missing)
{
    IC_OWN(subject) s;
    audit_rows(&s, "two-rows", OWN_ROWS, false, 0, SECONDS);
    CU_ASSERT_EQUAL_FATAL(s.end, IC_COMMAND_AUDITED);
    CU_ASSERT_PTR_NOT_NULL(strstr(finding(&s, "samples")->detail, "2 rows arrived, 501 were requested"));
    CU_ASSERT_EQUAL(ic_findings_judge(&s.audit.rows.findings, false).verdict, IC_AUDIT_FAILED);
}

/* A command that ignores the requested step leaves checks open that need it. */
IC_TEST(test_no_knob)
{
    IC_OWN(subject) s;
    audit_rows(&s, "own-step", OWN_ROWS, false, 0, SECONDS);
    CU_ASSERT_EQUAL_FATAL(s.end, IC_COMMAND_AUDITED);
    CU_ASSERT_EQUAL(finding(&s, "samples")->verdict, IC_FINDING_PASS);
    CU_ASSERT_EQUAL(finding(&s, "phase")->verdict, IC_FINDING_OPEN);
    CU_ASSERT_EQUAL(finding(&s, "order")->verdict, IC_FINDING_OPEN);
    CU_ASSERT_EQUAL(ic_findings_with(&s.audit.rows.findings, IC_FINDING_FAIL), 0);
}

IC_TEST(test_failures)
{
    static const struct failure {
        const char *how;
        ic_command_end end;
        const char *said;
        double seconds;
    } failures[] = {
        {"crashes", IC_COMMAND_CRASHED, "ended by signal 9", SECONDS},
        {"hangs", IC_COMMAND_CRASHED, "still running after 0.3 s", SOON},
        {"hides", IC_COMMAND_CRASHED, "still running after 0.3 s", SOON},
        {"fails", IC_COMMAND_WRONG, "exit status 7; its last message: no licence found", SECONDS},
        {"garbage", IC_COMMAND_WRONG, ":1:1: column 't' does not exist", SECONDS},
        {"right | head -n 1", IC_COMMAND_WRONG, "0 rows below the names", SECONDS},
        {"right >&-; exit 0", IC_COMMAND_WRONG, ":1:", SECONDS},
    };
    for (size_t i = 0; i < IC_COUNT(failures); i++) {
        IC_OWN(subject) s;
        audit_command(&s, failures[i].how, false, 0, failures[i].seconds);
        CU_ASSERT_EQUAL(s.end, failures[i].end);
        IC_EXPECT(strstr(s.error.text, failures[i].said) != NULL, "%s: %s", failures[i].how, s.error.text);
    }
}
