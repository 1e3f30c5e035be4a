/* SPDX-License-Identifier: MIT */
#include "tests/judge/judge.h"

#include "casefile/casefile.h"
#include "core/model.h"
#include "reference/judge/judge.h"
#include "registry/registry.h"
#include "tests/judge/families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Two runs of the second method: precisions in bits, columns, tolerance of a step, and where singular steps end. */
static const second_accuracy accuracies[] = {{160, 10, 1e-26, 1e-13}, {192, 12, 1e-29, 1e-14}};

/* The second answer's error is this many times the difference of the two, and at least the least one. */
#define SAFETY 10
#define LEAST_ERROR 1e-27
/* The size of a state that is always zero, relative to that of the machine. */
#define SMALL_STATE 1e-3
/* Events that are nearer than this times the longest step accumulate. */
#define LEAST_INTERVAL 1e-4

enum { MOST_ENDS = 3, PROOF_DIGITS = 12 };

const char *const judge_verdict_names[JUDGE_VERDICTS] = {"inside", "OUTSIDE", "undecided", "not judged"};

static const struct {
    const char *name;
    draw_family *draw;
    int weight;
} families[] = {
#define JUDGE_FAMILY(name, weight) {#name, draw_##name, weight},
#include "tests/judge/families.def"
#undef JUDGE_FAMILY
};

enum { FAMILIES = sizeof families / sizeof *families };

/* The families in turn, each as often as its weight. */
const char *judge_family(int number)
{
    for (int i = 0; i < FAMILIES; i++) {
        if (number < families[i].weight) return families[i].name;
        number -= families[i].weight;
    }
    return NULL;
}

/* ---- a comparison in progress */

typedef struct judgement {
    const judge_request *request;
    judge_result *result;
    draw d;
    second_answer second[2];

    ic_casefile *file;
    ic_setup setup, exact;
    bool is_open, is_exact;
    ic_certificate c;

    /* states of the case by number of the machine's */
    size_t column[SECOND_MOST_STATES];

    /* sizes of the machine's states */
    double sizes[SECOND_MOST_STATES];

    /* size of the time, s */
    double time_size;
} judgement;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- the certificate */

static bool open_case(judgement *j, ic_error *error)
{
    draw *d = &j->d;
    const char *settings[DRAW_MOST_SETTINGS];
    for (int i = 0; i < d->n_settings; i++) settings[i] = d->settings[i];
    const ic_request request = {.path = d->path,
                                .variant = d->variant,
                                .settings = settings,
                                .n_settings = (size_t)d->n_settings,
                                .until = d->until[0] != '\0' ? d->until : NULL};
    if (d->path != NULL) {
        j->is_open = ic_setup_open(&j->setup, &request, error);
    } else {
        j->file = ic_casefile_read("machine.yaml", d->text, d->length, NULL, 0, error);
        j->is_open =
            j->file != NULL && ic_setup_open_case(&j->setup, ic_casefile_case(j->file), &request, error);
    }
    if (!j->is_open) return false;
    j->is_exact = ic_setup_exact(&j->exact, &j->setup.problem, error);
    return j->is_exact;
}

static void certify(judgement *j)
{
    const double begin = seconds();
    ic_certify_judged(&j->c, &j->exact.problem,
                      &(ic_certify_options){.digits = JUDGE_DIGITS, .time_limit = JUDGE_SECONDS}, NULL);
    j->result->certifier_seconds = seconds() - begin;
}

/* A second certificate, with a proof. */
static void write_proof(const judgement *j)
{
    const char *name = j->request->proof;
    FILE *file = name == NULL || j->c.status != IC_OK ? NULL : fopen(name, "w");
    if (file == NULL) return;
    ic_certificate c;
    ic_certify(&c, &j->exact.problem,
               &(ic_certify_options){.digits = PROOF_DIGITS, .time_limit = JUDGE_SECONDS, .proof = file});
    const bool good = c.status == IC_OK;
    if (fclose(file) != 0 || !good) remove(name);
    ic_certificate_clear(&c);
}

/* ---- the second answer */

/* Whether the guard of an event has fired shortly before it, which the second method does not follow. */
static bool is_repeated(const second_answer *a, int k, double least)
{
    for (int i = k - 1; i >= 0; i--) {
        const double interval = mpfr_get_d(a->events[k].t, MPFR_RNDN) - mpfr_get_d(a->events[i].t, MPFR_RNDN);
        if (interval >= least) return false;
        if (a->events[i].guard == a->events[k].guard) return true;
    }
    return false;
}

/*
 * Where events accumulate, the run of the second method does not reach its end. It ends between the last two events
 * that are well apart. Returns whether it has reached its end.
 */
static bool end_before_accumulation(judgement *j)
{
    const second_answer *a = &j->second[0];
    const double least = LEAST_INTERVAL * j->d.machine.longest_step;
    int last = 0;
    while (last < a->n_events - 1 && !is_repeated(a, last, least)) last++;
    if (a->failure == NULL && last == a->n_events - 1) return true;
    /* before the events that are near this one */
    const double t = mpfr_get_d(a->events[last].t, MPFR_RNDN);
    double before = 0;
    for (int i = 0; i < last; i++) {
        const double now = mpfr_get_d(a->events[i].t, MPFR_RNDN);
        if (t - now > 10 * least) before = now;
    }
    snprintf(j->d.decimals[j->d.n_parameters - 1], DRAW_DECIMAL, "%.9g", before + (t - before) / 4);
    return false;
}

/* Solves once, and finds the end of the run. */
static void find_end(judgement *j)
{
    bool ends = false;
    for (int i = 0; i < MOST_ENDS && !ends; i++) {
        r_precision(accuracies[0].bits);
        draw_load(&j->d);
        second_solve(&j->second[0], &j->d.machine, &j->d, &accuracies[0]);
        draw_unload(&j->d);
        ends = end_before_accumulation(j);
        if (!ends) second_clear(&j->second[0]);
    }
    r_close();
    snprintf(j->d.until, sizeof j->d.until, "%s", j->d.decimals[j->d.n_parameters - 1]);
}

static void solve(judgement *j)
{
    const double begin = seconds();
    find_end(j);
    r_precision(accuracies[1].bits);
    draw_load(&j->d);
    second_solve(&j->second[1], &j->d.machine, &j->d, &accuracies[1]);
    draw_unload(&j->d);
    r_close();
    j->result->second_seconds = seconds() - begin;
}

static double magnitude(mpfr_srcptr x)
{
    return fabs(mpfr_get_d(x, MPFR_RNDN));
}

static double difference(mpfr_srcptr a, mpfr_srcptr b)
{
    mpfr_t c;
    mpfr_init2(c, 53);
    mpfr_sub(c, a, b, MPFR_RNDN);
    const double d = magnitude(c);
    mpfr_clear(c);
    return d;
}

/* The largest values of states and the time. */
static void find_sizes(judgement *j)
{
    const second_answer *a = &j->second[1];
    for (int i = 0; i < j->d.machine.n_states; i++) {
        j->sizes[i] = SMALL_STATE * j->d.machine.size;
        for (int k = 0; k < a->n_events; k++) {
            j->sizes[i] = fmax(j->sizes[i], magnitude(a->events[k].before[i]));
            j->sizes[i] = fmax(j->sizes[i], magnitude(a->events[k].after[i]));
        }
    }
    j->time_size = magnitude(a->events[a->n_events - 1].t);
}

/* The error of the second answer's event k relative to sizes. */
static double error_of(const judgement *j, int k)
{
    const second_event *a = &j->second[0].events[k], *b = &j->second[1].events[k];
    double worst = difference(a->t, b->t) / j->time_size;
    for (int i = 0; i < j->d.machine.n_states; i++) {
        worst = fmax(worst, difference(a->before[i], b->before[i]) / j->sizes[i]);
        worst = fmax(worst, difference(a->after[i], b->after[i]) / j->sizes[i]);
    }
    return fmax(SAFETY * worst, LEAST_ERROR);
}

/* Whether the two runs of the second method agree. */
static bool second_is_good(judgement *j)
{
    const second_answer *a = &j->second[0], *b = &j->second[1];
    judge_result *r = j->result;
    if (a->failure != NULL || b->failure != NULL) {
        snprintf(r->reason, sizeof r->reason, "second method: %s",
                 b->failure != NULL ? b->failure : a->failure);
        return false;
    }
    bool same = a->n_events == b->n_events;
    for (int k = 0; k < a->n_events && same; k++)
        same = a->events[k].guard == b->events[k].guard && a->events[k].mode_to == b->events[k].mode_to;
    if (!same) {
        snprintf(r->reason, sizeof r->reason, "second method: two runs have different events");
        return false;
    }
    find_sizes(j);
    for (int k = 0; k < a->n_events; k++) r->error = fmax(r->error, error_of(j, k));
    if (r->error > JUDGE_ERROR)
        snprintf(r->reason, sizeof r->reason, "second method: its error is %.1e", r->error);
    return r->error <= JUDGE_ERROR;
}

/* ---- comparison */

static void complain(judgement *j, int event, const char *what, const char *detail)
{
    judge_result *r = j->result;
    if (r->verdict == JUDGE_OUTSIDE) return;
    r->verdict = JUDGE_OUTSIDE;
    snprintf(r->reason, sizeof r->reason, "event %d: %s %s", event + 1, what, detail);
}

/* Whether a ball, widened by an error, contains a number. */
static bool contains(const arb_t ball, mpfr_srcptr x, double error)
{
    arb_t wide;
    arf_t value;
    arb_init(wide);
    arf_init(value);
    mag_t more;
    mag_init(more);
    mag_set_d(more, error);
    arb_set(wide, ball);
    arb_add_error_mag(wide, more);
    arf_set_mpfr(value, x);
    const bool inside = arb_contains_arf(wide, value);
    arb_clear(wide);
    arf_clear(value);
    mag_clear(more);
    return inside;
}

static void compare_value(judgement *j, int event, const char *name, const arb_t ball, mpfr_srcptr x,
                          double size)
{
    const double error = size * error_of(j, event);
    if (contains(ball, x, error)) return;
    char detail[200];
    char *text = arb_get_str(ball, 32, 0);
    mpfr_snprintf(detail, sizeof detail, "%s = %s, second method %.32Rg, error %.1e", name, text, x, error);
    flint_free(text);
    complain(j, event, "outside:", detail);
}

static void compare_states(judgement *j, int event, arb_srcptr balls, mpfr_t *x, const char *when)
{
    for (int i = 0; i < j->d.machine.n_states; i++) {
        if (j->d.states[i] == NULL) continue;
        char name[80];
        snprintf(name, sizeof name, "%s %s", j->d.states[i], when);
        compare_value(j, event, name, balls + j->column[i], x[i], j->sizes[i]);
    }
}

static const char *mode_name(const judgement *j, int mode)
{
    return j->exact.problem.variant->modes[mode].name;
}

static void compare_mode(judgement *j, int event, int certified, int second)
{
    const char *const *modes = j->d.machine.modes;
    const char *expected = modes == NULL ? NULL : modes[second], *got = mode_name(j, certified);
    char detail[200];
    if (expected == NULL || strcmp(expected, got) == 0) return;
    snprintf(detail, sizeof detail, "'%.80s', second method '%.80s'", got, expected);
    complain(j, event, "mode", detail);
}

static void compare_event(judgement *j, int k)
{
    const ic_ball_event *a = &j->c.events[k];
    second_event *b = &j->second[1].events[k];
    const char *name = b->guard < 0 ? "no event" : j->d.machine.guards[b->guard].name;
    if (strcmp(a->name, name) != 0) {
        char detail[200];
        char *t = arb_get_str(a->t, 12, ARB_STR_NO_RADIUS);
        snprintf(detail, sizeof detail, "'%.60s' at t = %s, second method '%.60s' at t = %.12g", a->name, t,
                 name, mpfr_get_d(b->t, MPFR_RNDN));
        flint_free(t);
        complain(j, k, "is", detail);
        return;
    }
    compare_mode(j, k, a->mode_from, b->mode_from);
    compare_mode(j, k, a->mode_to, b->mode_to);
    compare_value(j, k, "t", a->t, b->t, j->time_size);
    compare_states(j, k, a->before, b->before, "before");
    compare_states(j, k, a->after, b->after, "after");
    j->result->events++;
}

static void compare_end(judgement *j)
{
    const int last = j->second[1].n_events - 1;
    second_event *e = &j->second[1].events[last];
    if ((int)j->c.count < last) {
        complain(j, (int)j->c.count,
                 "is missing:", j->d.machine.guards[j->second[1].events[j->c.count].guard].name);
        return;
    }
    compare_mode(j, last, j->c.mode, e->mode_to);
    compare_value(j, last, "t at the end", j->c.t, e->t, j->time_size);
    compare_states(j, last, j->c.x, e->after, "at the end");
}

static void compare(judgement *j)
{
    judge_result *r = j->result;
    r->verdict = JUDGE_INSIDE;
    const int last = j->second[1].n_events - 1;
    for (int k = 0; k < (int)j->c.count && r->verdict == JUDGE_INSIDE; k++) {
        if (k > last) break;
        compare_event(j, k);
    }
    if (r->verdict == JUDGE_INSIDE && j->c.status == IC_OK) compare_end(j);
    if (r->verdict == JUDGE_INSIDE && j->c.status != IC_OK) {
        r->verdict = JUDGE_UNDECIDED;
        snprintf(r->reason, sizeof r->reason, "%s", j->c.reason);
    }
}

static bool find_columns(judgement *j)
{
    const ic_case *system = j->exact.problem.system;
    for (int i = 0; i < j->d.machine.n_states; i++) {
        const char *name = j->d.states[i];
        size_t k = 0;
        while (name != NULL && k < system->n_states && strcmp(system->states[k].name, name) != 0) k++;
        if (k == system->n_states) {
            snprintf(j->result->reason, sizeof j->result->reason, "the case has no state %s", name);
            return false;
        }
        j->column[i] = k;
    }
    return true;
}

/* ---- planted wrong answers, and what is shown */

static void plant(judgement *j, double relative)
{
    arb_t factor;
    if (j->c.count == 0) return;
    arb_init(factor);
    arb_set_d(factor, relative);
    arb_addmul(j->c.events[0].t, j->c.events[0].t, factor, 200);
    arb_clear(factor);
}

static void show(judgement *j, FILE *out)
{
    const second_answer *a = &j->second[1];
    for (int i = 0; i < j->d.n_settings; i++)
        fprintf(out, "--set %s%s", j->d.settings[i], i + 1 < j->d.n_settings ? " " : "\n");
    fprintf(out, "--until %s\n", j->d.until);
    fprintf(out, "certified: status %d, %zu events %s\n", (int)j->c.status, j->c.count, j->c.reason);
    for (size_t k = 0; k < j->c.count; k++) {
        char *t = arb_get_str(j->c.events[k].t, 30, 0);
        fprintf(out, "  %s -> %s at %s\n", j->c.events[k].name, mode_name(j, j->c.events[k].mode_to), t);
        flint_free(t);
    }
    fprintf(out, "second: %s, %ld steps, %ld evaluations, least distance at a turn %.2e\n",
            a->failure != NULL ? a->failure : "good", a->steps, a->evaluations, a->closest);
    for (int k = 0; k < a->n_events; k++) {
        const second_event *e = &a->events[k];
        char text[64];
        mpfr_snprintf(text, sizeof text, "%.30Rg", e->t);
        fprintf(out, "  %s -> %d at %s\n", e->guard < 0 ? "end" : j->d.machine.guards[e->guard].name,
                e->mode_to, text);
    }
}

/* ---- a draw */

static draw_family *find_family(const char *name)
{
    for (int i = 0; i < FAMILIES; i++) {
        if (strcmp(families[i].name, name) == 0) return families[i].draw;
    }
    return NULL;
}

/* Both answers of a draw. */
static bool answer(judgement *j)
{
    ic_error error = {""};
    solve(j);
    const bool good = open_case(j, &error);
    if (!good) snprintf(j->result->reason, sizeof j->result->reason, "%s", error.text);
    if (!good || !find_columns(j)) return false;
    certify(j);
    write_proof(j);
    return true;
}

static void judge(judgement *j)
{
    const judge_request *request = j->request;
    if (request->show != NULL) fprintf(request->show, "%s", j->d.text), fflush(request->show);
    const bool answered = answer(j);
    if (request->planted != 0) plant(j, request->planted);
    if (request->show != NULL && answered) show(j, request->show);
    if (!answered) j->result->verdict = JUDGE_OUTSIDE;
    else if (second_is_good(j)) compare(j);
    second_clear(&j->second[0]);
    second_clear(&j->second[1]);
    if (answered) ic_certificate_clear(&j->c);
}

void judge_draw(judge_result *result, const judge_request *request)
{
    *result = (judge_result){.verdict = JUDGE_NOT_JUDGED};
    judgement *j = calloc(1, sizeof *j);
    draw_family *family = find_family(request->family);
    if (j == NULL || family == NULL) {
        snprintf(result->reason, sizeof result->reason, "%s", j == NULL ? "no memory" : "no such family");
        free(j);
        return;
    }
    j->request = request;
    j->result = result;
    j->d.random = request->seed * 0x100000001b3u + request->number;
    for (const char *c = request->family; *c != '\0'; c++)
        j->d.random = j->d.random * 0x100000001b3u + (uint64_t)*c;
    family(&j->d);
    if (j->d.path == NULL)
        draw_write(&j->d, "presets: {default: {until: %s s}}\n", j->d.decimals[j->d.n_parameters - 1]);
    snprintf(result->what, sizeof result->what, "%s", j->d.what);
    judge(j);
    if (j->is_exact) ic_setup_close(&j->exact);
    if (j->is_open) ic_setup_close(&j->setup);
    if (j->file != NULL) ic_casefile_free(j->file);
    free(j);
}
