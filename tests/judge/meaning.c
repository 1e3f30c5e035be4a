/* SPDX-License-Identifier: MIT */
#include "tests/judge/meaning.h"

#include "casefile/casefile.h"
#include "core/model.h"
#include "reference/judge/judge.h"
#include "registry/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIGITS = 12, SECONDS = 2, MOST_STEPS = 40000, FIXED_STEPS = 1000, SAMPLES = 17 };

/* Solvers with adaptive steps, and errors beyond which a finish is wrong, relative to the scale. */
#define RTOL 1e-10
#define ADAPTIVE 1e-6
#define FIXED 0.1
/* A solver with fixed steps finishes late events after the end; a part of the run. */
#define LATE 0.01

const char *const meaning_verdict_names[MEANING_VERDICTS] = {
    "agrees", "FALSE CERTIFICATE", "WRONG FINISH", "undecided", "refused", "not settled", "CRASH"};
const char *const meaning_kind_names[MEANING_KINDS] = {"kinks", "elements", "modes", "families"};
const char *const meaning_solver_names[MEANING_SOLVERS] = {"dop853",    "taylor",       "rk45_bisection",
                                                           "rk4_henon", "refined_step", "piecewise_linear"};

typedef struct judgement {
    const meaning_request *request;
    meaning_result *result;
    meaning_machine machine;
    meaning_answer answer;

    ic_casefile *file;
    ic_setup setup;

    /* states of the case by number of the machine's */
    size_t columns[MEANING_STATES];
} judgement;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Keeps the first reason of the worst verdict. */
static void conclude(judgement *j, meaning_verdict verdict, const char *who, const char *why)
{
    meaning_result *r = j->result;
    static const int rank[MEANING_VERDICTS] = {0, 5, 4, 1, 3, 2, 6};
    if (rank[verdict] <= rank[r->verdict]) return;
    r->verdict = verdict;
    snprintf(r->reason, sizeof r->reason, "%s: %s", who, why);
}

/* Prints a text about an answer, and its states, if there are any; columns NULL: by number. */
static void show(const judgement *j, const char *who, const char *what, const double *x, const size_t *columns)
{
    FILE *out = j->request->show;
    if (out == NULL) return;
    fprintf(out, "%s: %s\n", who, what);
    for (int i = 0; i < j->machine.n_states && x != NULL; i++)
        fprintf(out, "  %s = %.12g\n", j->machine.names[i], x[columns == NULL ? (size_t)i : columns[i]]);
    fflush(out);
}

/* ---- answers of the product */

static bool open_case(judgement *j, const draw *d)
{
    ic_error error = {""};
    j->file = ic_casefile_read("machine.yaml", d->text, d->length, NULL, 0, &error);
    const bool is_read = j->file != NULL && ic_setup_open_case(&j->setup, ic_casefile_case(j->file),
                                                               &(ic_request){.path = NULL}, &error);
    if (!is_read) conclude(j, MEANING_REFUSED, "reader", error.text);
    for (int i = 0; i < j->machine.n_states && is_read; i++) {
        const ic_case *system = j->setup.problem.system;
        while (strcmp(system->states[j->columns[i]].name, j->machine.names[i]) != 0) j->columns[i]++;
    }
    return is_read;
}

/* Judges a state: its values x at the end, which may be off by `radius`. */
static void judge_state(judgement *j, meaning_verdict verdict, const char *who, int i, double x, double radius)
{
    const meaning_answer *a = &j->answer;
    char why[200];
    if (fabs(x - a->x[i]) <= radius * a->scale + a->error) return;
    snprintf(why, sizeof why, "%s = %.9g for %.9g, error %.1e", j->machine.names[i], x, a->x[i], a->error);
    conclude(j, verdict, who, why);
}

static void certify(judgement *j)
{
    ic_setup exact;
    ic_error error = {""};
    ic_certificate c;
    if (!ic_setup_exact(&exact, &j->setup.problem, &error)) {
        conclude(j, MEANING_UNDECIDED, "certify", error.text);
        return;
    }
    const double begin = seconds();
    ic_certify_judged(&c, &exact.problem, &(ic_certify_options){.digits = DIGITS, .time_limit = SECONDS}, NULL);
    j->result->certifier_seconds = seconds() - begin;
    j->result->is_certified = c.status == IC_OK;
    if (c.status != IC_OK) conclude(j, MEANING_UNDECIDED, "certify", c.reason);
    double x[MEANING_STATES] = {0};
    for (int i = 0; i < j->machine.n_states && c.status == IC_OK; i++) {
        x[i] = arf_get_d(arb_midref(c.x + j->columns[i]), ARF_RND_NEAR);
        judge_state(j, MEANING_FALSE_CERTIFICATE, "certify", i, x[i], ADAPTIVE);
    }
    show(j, "certify", c.status == IC_OK ? "ok" : c.reason, c.status == IC_OK ? x : NULL, NULL);
    ic_certificate_clear(&c);
    ic_setup_close(&exact);
}

static void run_solver(judgement *j, int number)
{
    const char *name = meaning_solver_names[number];
    const ic_solver *solver = ic_solver_find(name);
    const bool is_fixed = strcmp(name, "rk4_henon") == 0 || strcmp(name, "refined_step") == 0;
    ic_log *log = ic_log_new(&j->setup.problem);
    const ic_options options = {.rtol = RTOL,
                                .samples = SAMPLES,
                                .step = is_fixed ? j->machine.end / FIXED_STEPS : 0,
                                .max_steps = is_fixed ? 10 * FIXED_STEPS : MOST_STEPS};
    const ic_status status = solver->solve(log, &j->setup.problem, &options);
    const bool is_late = is_fixed && j->answer.last > (1 - LATE) * j->machine.end;
    j->result->is_unfinished[number] = status != IC_OK && status != IC_UNSUPPORTED;
    for (int i = 0; i < j->machine.n_states && status == IC_OK && !is_late; i++) {
        const double x = ic_log_end(log).x[j->columns[i]], error = fabs(x - j->answer.x[i]),
                     allowed = (is_fixed ? FIXED : ADAPTIVE);
        judge_state(j, MEANING_WRONG_FINISH, name, i, x, allowed);
        if (!(error <= allowed * j->answer.scale + j->answer.error)) j->result->is_away[number] = true;
    }
    show(j, name, status == IC_OK ? "ok" : ic_log_text(log), ic_log_end(log).x, j->columns);
    ic_defect defect = {.status = IC_OK};
    if (status == IC_OK && !solver->steps_over_events) ic_judge_defect(&defect, log, NULL);
    if (defect.status != IC_OK) conclude(j, MEANING_WRONG_FINISH, name, defect.reason);
    ic_log_free(log);
}

/* ---- a machine */

/* A simulation that reads comparisons wrongly. */
static void plant(meaning_machine *m)
{
    for (int i = 0; i < m->n_nodes; i++) {
        meaning_op *op = &m->nodes[i].op;
        if (*op == MEANING_GREATER || *op == MEANING_GREATER_EQUAL) *op = MEANING_LESS;
    }
}

static void judge(judgement *j, const draw *d)
{
    const meaning_request *request = j->request;
    if (request->show != NULL) fprintf(request->show, "%s", d->text), fflush(request->show);
    if (request->planted) plant(&j->machine);
    if (!open_case(j, d)) return;
    meaning_simulate(&j->answer, &j->machine);
    j->result->simulation_seconds = j->answer.seconds;
    show(j, "simulation", j->answer.is_settled ? "settled" : j->answer.why, j->answer.x, NULL);
    if (!j->answer.is_settled) {
        conclude(j, MEANING_NOT_SETTLED, "simulation", j->answer.why);
        return;
    }
    certify(j);
    const double begin = seconds();
    for (int i = 0; i < MEANING_SOLVERS; i++) run_solver(j, i);
    j->result->solver_seconds = seconds() - begin;
}

void meaning_judge(meaning_result *result, const meaning_request *request)
{
    judgement *j = calloc(1, sizeof *j);
    draw *d = calloc(1, sizeof *d);
    const meaning_kind kind =
        request->kind < MEANING_KINDS ? request->kind : (meaning_kind)(request->number % MEANING_KINDS);
    *result = (meaning_result){.verdict = MEANING_AGREES, .kind = kind};
    if (j == NULL || d == NULL) abort();
    j->request = request;
    j->result = result;
    d->random = request->seed * 0x100000001b3u + request->number;
    meaning_draw(&j->machine, d, kind);
    judge(j, d);
    if (j->file != NULL) {
        if (result->verdict != MEANING_REFUSED) ic_setup_close(&j->setup);
        ic_casefile_free(j->file);
    }
    free(j);
    free(d);
}
