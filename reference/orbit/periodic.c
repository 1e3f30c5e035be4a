/* SPDX-License-Identifier: MIT */
#include "reference/orbit/periodic.h"

#include <math.h>
#include <stdlib.h>

/* w period/(2 pi) this close to an integer is meant to be that integer. */
#define INTEGER 1e-9

/* A term as a function of time: rate * t + a periodic function. */
typedef struct time_form {
    /* contains the time at all */
    bool varies;

    /* is of this form */
    bool known;

    double rate;

    /* if it is a constant in parameters: known, and its value */
    bool constant;
    double value;
} time_form;

static const time_form unknown = {.varies = true};

static time_form with_rate(bool varies, double rate)
{
    return (time_form){.varies = varies, .known = true, .rate = rate};
}

static time_form sum(time_form a, time_form b, double sign)
{
    if (!a.known || !b.known) return unknown;
    time_form c = with_rate(a.varies || b.varies, a.rate + sign * b.rate);
    c.constant = a.constant && b.constant;
    c.value = a.value + sign * b.value;
    return c;
}

static time_form product(time_form a, time_form b)
{
    if (!a.known || !b.known) return unknown;
    if ((a.rate != 0 && !b.constant) || (b.rate != 0 && !a.constant)) return unknown;
    const double rate = b.constant ? a.rate * b.value : a.constant ? a.value * b.rate : 0;
    time_form c = with_rate(a.varies || b.varies, rate);
    c.constant = a.constant && b.constant;
    c.value = a.value * b.value;
    return c;
}

static time_form quotient(time_form a, time_form b)
{
    if (b.constant && b.value != 0) /* else it has no value, at any time */
        return product(a, (time_form){.known = true, .constant = true, .value = 1 / b.value});
    return a.known && b.known && a.rate == 0 && b.rate == 0 ? with_rate(a.varies || b.varies, 0) : unknown;
}

/* A function of operands that are periodic is periodic. */
static time_form function_of(const time_form *forms, const ic_equation_term *t)
{
    const int operands[] = {t->a, t->b, t->c};
    time_form f = with_rate(false, 0);
    for (size_t i = 0; i < IC_COUNT(operands); i++) {
        if (operands[i] < 0) continue;
        const time_form *x = &forms[operands[i]];
        if (!x->known || x->rate != 0) return unknown;
        f.varies = f.varies || x->varies;
    }
    return f;
}

/* A power or a root, whose value is `value` where its operands are constant. */
static time_form power_of(const time_form *forms, const ic_equation_term *t, bool constant, double value)
{
    time_form f = function_of(forms, t);
    f.constant = f.known && constant;
    f.value = f.constant ? value : 0;
    return f;
}

/* A sine or cosine of a form. */
static time_form wave_of(time_form a, double period)
{
    const double turns = a.rate * period / (2 * acos(-1));
    const bool whole = a.known && fabs(turns - round(turns)) <= INTEGER * fmax(1, fabs(turns));
    return whole ? with_rate(a.varies, 0) : unknown;
}

static time_form leaf_form(const ic_equation_term *t, const ic_problem *problem)
{
    switch (t->operation) {
    case IC_OP_NUMBER: return (time_form){.known = true, .constant = true, .value = t->number};
    case IC_OP_PI: return (time_form){.known = true, .constant = true, .value = acos(-1)};
    case IC_OP_PARAMETER: return (time_form){.known = true, .constant = true, .value = problem->par[t->a]};
    case IC_OP_TIME: return with_rate(true, 1);
    default: return with_rate(false, 0); /* a state */
    }
}

static time_form form_of(const time_form *forms, const ic_equation_term *t, const ic_problem *problem,
                         double period)
{
    static const time_form zero = {.known = true, .constant = true};
    if (t->operation <= IC_OP_PARAMETER || t->a < 0) return leaf_form(t, problem);
    const time_form a = forms[t->a], b = t->b < 0 ? zero : forms[t->b];
    switch (t->operation) {
    case IC_OP_ADD: return sum(a, b, 1);
    case IC_OP_SUBTRACT: return sum(a, b, -1);
    case IC_OP_NEGATE: return sum(zero, a, -1);
    case IC_OP_MULTIPLY: return product(a, b);
    case IC_OP_DIVIDE: return quotient(a, b);
    case IC_OP_POWER: return power_of(forms, t, a.constant && b.constant, pow(a.value, b.value));
    case IC_OP_SQRT: return power_of(forms, t, a.constant, sqrt(fmax(0, a.value)));
    case IC_OP_SIN:
    case IC_OP_COS: return wave_of(a, period);
    default: return function_of(forms, t);
    }
}

typedef struct time_search {
    const ic_problem *problem;
    double period;

    /* every result is */
    bool periodic;

    /* no result contains the time */
    bool autonomous;
} time_search;

static void search(time_search *s, const ic_equations *e)
{
    if (e == NULL) return;
    time_form *forms = calloc(e->n_terms + 1, sizeof *forms);
    if (forms == NULL) {
        s->periodic = s->autonomous = false;
        return;
    }
    for (size_t i = 0; i < e->n_terms; i++) forms[i] = form_of(forms, &e->terms[i], s->problem, s->period);
    for (size_t i = 0; i < e->n_results; i++) {
        if (e->results[i] < 0) continue;
        const time_form *f = &forms[e->results[i]];
        s->periodic = s->periodic && f->known && f->rate == 0;
        s->autonomous = s->autonomous && !f->varies;
    }
    free(forms);
}

/* The conditions of guards, the first quantities of a mode. */
static void search_conditions(time_search *s, const ic_mode *mode)
{
    if (mode->quantities == NULL) return;
    ic_equations conditions = *mode->quantities;
    if (conditions.n_results > mode->n_guards) conditions.n_results = mode->n_guards;
    search(s, &conditions);
}

/* Whether occurrence n + k is a period after occurrence n, for some k and the first n. */
static bool repeats(const ic_time_event *event, const double *par, double period)
{
    enum { CHECKED = 16, MOST = 10000 };
    int k = 0;
    if (event->occurrences != 0 || event->when == NULL) return false;
    const double first = event->when(0, par);
    if (!(first >= 0)) return false;
    while (k < MOST && event->when(k, par) < first + period * (1 - INTEGER)) k++;
    for (int n = 0; n < CHECKED; n++) {
        const double later = event->when(n + k, par) - event->when(n, par);
        if (!(fabs(later - period) <= INTEGER * period)) return false;
    }
    return first < period * (1 - INTEGER);
}

static time_search search_all(const ic_problem *problem, double period)
{
    const ic_variant *variant = problem->variant;
    time_search s = {.problem = problem, .period = period, .periodic = true, .autonomous = true};
    for (size_t m = 0; m < variant->n_modes; m++) {
        const ic_mode *mode = &variant->modes[m];
        search(&s, mode->equations);
        search_conditions(&s, mode);
        for (size_t i = 0; i < mode->n_guards; i++) search(&s, mode->guards[i].jump.equations);
    }
    for (size_t i = 0; i < variant->n_time_events; i++) {
        search(&s, variant->time_events[i].jump.equations);
        s.autonomous = false;
        s.periodic = s.periodic && repeats(&variant->time_events[i], problem->par, period);
    }
    return s;
}

bool ic_is_autonomous(const ic_problem *problem)
{
    return search_all(problem, 1).autonomous;
}

bool ic_has_period(const ic_problem *problem, double period)
{
    return search_all(problem, period).periodic;
}
