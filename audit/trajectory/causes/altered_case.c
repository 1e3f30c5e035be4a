/* SPDX-License-Identifier: MIT */
/*
 * For unexplained rows: are they those of the case with one change of its text? A missing term, a force that is clipped
 * or is not, a contact that ends otherwise, friction by tanh(slip/width). The rows are followed with the changed case,
 * which must explain nearly all that the case does not.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"
#include "casefile/casefile.h"
#include "core/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 20, LEAST = 2, ROUNDS = 4, WIDTHS = 14, MOST_WORSE = 3, SECTIONS = 24, PAIR = 2 };

/* Part of the unexplained intervals that the changed case may leave. */
#define LEFT 0.1
/* The same of some rows around one interval. */
#define LEFT_OF_SOME 0.2
/* The same of all where another cause explains the rows, too. */
#define LEFT_BESIDE 0.01
/* The widths that are tried are powers of this, relative to the greatest range of a velocity. */
#define NARROWER 0.4
/* Width at which tanh(slip/width) is the sign of the slip. */
#define NO_WIDTH 1e-12
/* Processor time for the search, s. */
#define MOST_EFFORT 2.0
/* Defects beyond this, in tolerances, are all alike. */
#define FAR_OFF 1e6
/* Part of the greatest distance from the case's threshold at which rows show no other one. */
#define AT_THRESHOLD 0.1
/* A width is known if its deviation is below this part of it. */
#define KNOWN 0.5
/* Tolerances by which a fitted value differs from the case's. */
#define FITTED_OFF 2.0
/* Part of the case's value below which a value says that its term is missing. */
#define NO_VALUE 1e-3

/* The changed case as a problem, and rows with its states. */
typedef struct changed {
    ic_casefile *file;
    ic_setup setup;
    ic_altered what;

    /* of each state: its number in the case; n_states of it: none */
    size_t from[IC_MAX_STATES];

    /* Width of friction or value of a parameter, and its standard deviation; NAN: none. */
    double number, deviation;

    /* Length of steps from one of which to the next friction changes its sign, s; NAN: none. */
    double step;
} changed;

typedef struct search {
    const ic_tracking *k;

    /* The case itself, with parameters of its own. */
    changed own;

    /* Processor time at which the search began, s. */
    double began;

    /* Some rows around one that is unexplained, and a few of them. */
    ic_trajectory some, few;

    /* Share of the intervals that the case leaves: in all rows, some and a few. */
    double before_all, before_some, before_few;
} search;

static bool is_spent(const search *s)
{
    return ic_effort_now() - s->began > MOST_EFFORT;
}

/* Whether an interval is none of the case with its guards. */
static bool is_wrong(const ic_interval *interval)
{
    return interval->explanation != IC_BY_GUARDS && interval->explanation != IC_IN_DOUBT &&
           !(interval->explanation == IC_ANOTHER_MODE && interval->unknown);
}

static double share_wrong(const ic_tracking *k)
{
    size_t count = 0;
    for (size_t i = 0; i < k->n_intervals; i++) count += is_wrong(&k->intervals[i]);
    return k->n_intervals > 0 ? (double)count / (double)k->n_intervals : 1;
}

/* ---- the changed case */

static bool open_changed(changed *c, const ic_problem *problem, ic_alteration kind, size_t place)
{
    const ic_case *system = problem->system;
    ic_error error;
    const ic_request request = {.variant = problem->variant->name};
    *c = (changed){.number = NAN, .deviation = NAN, .step = NAN};
    c->file = ic_casefile_altered(system, kind, place, &c->what);
    if (c->file == NULL) return false;
    if (!ic_setup_open_case(&c->setup, ic_casefile_case(c->file), &request, &error)) {
        ic_casefile_free(c->file);
        c->file = NULL;
        return false;
    }
    ic_problem *own = &c->setup.problem;
    for (size_t i = 0; i < own->system->n_parameters; i++) {
        const size_t p = ic_parameter_find(system, own->system->parameters[i].name);
        if (p < system->n_parameters) c->setup.par[i] = problem->par[p];
    }
    for (size_t j = 0; j < own->system->n_states; j++)
        c->from[j] = ic_state_find(system, own->system->states[j].name);
    own->par_text = NULL;
    own->t_start = problem->t_start;
    own->t_end = problem->t_end;
    own->t_end_text = NULL;
    return true;
}

static void close_changed(changed *c)
{
    if (c->file == NULL) return;
    ic_setup_close(&c->setup);
    ic_casefile_free(c->file);
}

/* Rows with the states of the changed case, of which those that the case does not have are followed. */
static bool copy_rows(ic_trajectory *rows, const ic_trajectory *given, const changed *c)
{
    const size_t n = c->setup.problem.system->n_states;
    if (!ic_trajectory_open(rows, given->n, n, false)) return false;
    for (size_t j = 0; j < n; j++)
        rows->source[j] = c->from[j] >= given->n_states ? IC_FROM_TRACKING : given->source[c->from[j]];
    for (size_t i = 0; i < given->n; i++) {
        rows->t[i] = given->t[i];
        for (size_t j = 0; j < n; j++)
            rows->x[i * n + j] = c->from[j] >= given->n_states ? 0 : given->x[i * given->n_states + c->from[j]];
    }
    return true;
}

/* Follows rows with the changed case. false: memory ran out. */
static bool track_changed(ic_tracking *tracked, ic_trajectory *rows, const search *s, const changed *c,
                          const ic_trajectory *given)
{
    const ic_trajectory_options options = {.accept = s->k->accept, .time_scale = s->k->time_scale};
    double noise[IC_MAX_STATES];
    for (size_t j = 0; j < c->setup.problem.system->n_states; j++)
        noise[j] = c->from[j] >= given->n_states ? 0 : s->k->noise[c->from[j]];
    if (!copy_rows(rows, given, c)) return false;
    if (ic_track(tracked, rows, &c->setup.problem, noise, &options)) return true;
    ic_trajectory_close(rows);
    return false;
}

/* Share of the intervals that the changed case leaves; *misfit, unless NULL, receives the mean logarithm of defects. */
static double share_left(const search *s, const changed *c, const ic_trajectory *given, double *misfit)
{
    ic_trajectory rows;
    ic_tracking tracked;
    double sum = 0, share = 1;
    if (misfit != NULL) *misfit = INFINITY;
    if (!track_changed(&tracked, &rows, s, c, given)) return 1;
    const size_t n = tracked.n_intervals;
    for (size_t i = 0; i < n; i++) sum += log1p(fmin(tracked.intervals[i].defect, FAR_OFF));
    if (n > 0) share = share_wrong(&tracked);
    if (n > 0 && misfit != NULL) *misfit = sum / (double)n;
    ic_tracking_close(&tracked);
    ic_trajectory_close(&rows);
    return share;
}

/* ---- the width of friction */

/* The greatest range of a state with a unit. */
static double greatest_range(const ic_tracking *k, const char *unit)
{
    double most = 0;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (strcmp(k->problem->system->states[j].unit, unit) == 0) most = fmax(most, k->range[j]);
    }
    return most;
}

/* Improves a parameter by a fit to rows; the change, relative to its deviation. NAN: it is not known. */
static double improve_number(changed *c, const search *s, const ic_trajectory *given, size_t p)
{
    ic_trajectory rows;
    ic_tracking tracked;
    ic_parameter_fits fits = {0};
    double change = NAN;
    if (!track_changed(&tracked, &rows, s, c, given)) return NAN;
    if (ic_fit_parameters(&fits, &tracked, c->setup.problem.system->parameters[p].name) && fits.count == 1) {
        c->number = fits.rows[0].value;
        c->deviation = fits.rows[0].deviation;
        change = fabs(c->number - c->setup.par[p]) / c->deviation;
        c->setup.par[p] = c->number;
    }
    ic_parameter_fits_close(&fits);
    ic_tracking_close(&tracked);
    ic_trajectory_close(&rows);
    return change;
}

/* Improves a parameter until it stays within its deviation. false: it is not known. */
static bool improve(changed *c, const search *s, const ic_trajectory *given, size_t p)
{
    double change = INFINITY;
    for (int round = 0; round < ROUNDS && change > 1; round++) change = improve_number(c, s, given, p);
    return isfinite(change);
}

/* The width of friction from which a fit begins is that which leaves least of a few rows. */
static double begin_width(changed *c, const search *s, size_t p)
{
    double best = INFINITY, found = NAN;
    double width = greatest_range(s->k, c->setup.problem.system->parameters[p].unit);
    for (int i = 0, worse = 0; i < WIDTHS && worse < MOST_WORSE && !is_spent(s); i++, width *= NARROWER) {
        double misfit;
        c->setup.par[p] = width;
        (void)share_left(s, c, &s->few, &misfit);
        worse = misfit < best ? 0 : worse + 1;
        if (misfit < best) best = misfit, found = width;
    }
    return found;
}

/* ---- a threshold: rows that leave a mode elsewhere do not depend on its parameter, which no fit then finds */

/* The value of a parameter, of those near the given one, with which a guard is zero; NAN: it has no part in it. */
static double value_at_zero(const ic_guard *guard, double t, const double *x, double *par, size_t p)
{
    const double kept = par[p], delta = 1e-6 * (kept != 0 ? fabs(kept) : 1), here = guard->value(t, x, par);
    par[p] += delta;
    const double change = guard->value(t, x, par) - here;
    par[p] = kept;
    return fabs(change) > 0 ? kept - here * delta / change : NAN;
}

/* A value of parameter p, known within a width; NAN: there is none. */
typedef struct threshold {
    size_t p;
    double value, width;
} threshold;

/* The value of a parameter with which a guard is zero where rows leave its mode without it. */
static threshold find_threshold(const search *s, const changed *c, size_t p, int mode, size_t guard)
{
    const ic_tracking *k = s->k;
    const ic_guard *g = &c->setup.problem.variant->modes[mode].guards[guard];
    double found[FEW], x[IC_MAX_STATES], most = 0, *par = c->setup.par;
    const double kept = par[p];
    size_t n = 0, far = 0;
    threshold t = {.p = p};
    for (size_t i = 0; i < k->n_intervals && n < FEW; i++) {
        const ic_interval *interval = &k->intervals[i];
        const double from = k->trajectory->t[interval->from], to = k->trajectory->t[interval->to];
        ic_prediction end;
        /* rows that stay in a mode beyond its end do not leave it there */
        if (interval->explanation == IC_UNHELD || !is_wrong(interval) || interval->tracked != mode) continue;
        ic_interval_state_in(x, k, interval, mode);
        const double first = value_at_zero(g, from, x, par, p);
        if (isnan(first)) continue;
        ic_predict(&end, &k->predictor, false, from, x, mode, to);
        const double last = end.good ? value_at_zero(g, to, end.x, par, p) : first;
        found[n++] = 0.5 * (first + (isnan(last) ? first : last));
        most = fmax(most, fabs(found[n - 1] - kept));
        t.width = fmax(t.width, fabs(found[n - 1] - first));
    }
    /* rows that miss an event of the case are at its threshold, those that have one of another guard beyond 0 */
    for (size_t i = 0; i < n; i++) {
        if (fabs(found[i] - kept) > AT_THRESHOLD * most && found[i] * kept >= 0) found[far++] = found[i];
    }
    t.value = ic_audit_median(found, far);
    return t;
}

/* The first threshold that rows show. */
static double begin_threshold(const search *s, const changed *c, size_t p)
{
    const ic_variant *variant = c->setup.problem.variant;
    double found = NAN;
    for (size_t m = 0; m < variant->n_modes; m++) {
        for (size_t g = 0; g < variant->modes[m].n_guards && !isfinite(found); g++)
            found = find_threshold(s, c, p, (int)m, g).value;
    }
    return found;
}

/* Fits the number. false: it is not known, or out of its range. */
static bool fit_number(changed *c, const search *s, ic_alteration kind)
{
    const ic_case *system = c->setup.problem.system;
    const size_t p = ic_parameter_find(system, IC_ALTERED_NUMBER);
    const bool width = kind == IC_ALTER_FRICTION;
    if (width) c->setup.par[p] = begin_width(c, s, p);
    if (kind == IC_ALTER_PARAMETER) c->setup.par[p] = c->setup.par[ic_parameter_find(system, c->what.part)];
    if (!isfinite(c->setup.par[p])) return false;
    const ic_trajectory *rows = kind == IC_ALTER_PARAMETER ? &s->some : &s->few;
    if (!improve(c, s, rows, p) && kind == IC_ALTER_PARAMETER) {
        c->setup.par[p] = begin_threshold(s, c, p);
        if (isfinite(c->setup.par[p])) (void)improve(c, s, rows, p);
    }
    /* a value at the end of its range may be found beyond it, by its deviation */
    const double off = FITTED_OFF * c->deviation;
    return c->deviation < KNOWN * fabs(c->number) && (!width || c->number > 0) &&
           (ic_in_range(system->parameters[p].range, c->number - off) ||
            ic_in_range(system->parameters[p].range, c->number + off));
}

/* ---- the mistake */

static bool is_of(const changed *c, const char *what)
{
    return strcmp(c->what.name, what) == 0 || strcmp(c->what.section, what) == 0;
}

static bool has_name(const char *formula, const char *name)
{
    static const char around[] = "+-*/^(),<>= '";
    const size_t length = strlen(name);
    for (const char *at = formula; (at = strstr(at, name)) != NULL; at += length) {
        if ((at == formula || strchr(around, at[-1]) != NULL) && strchr(around, at[length]) != NULL)
            return true;
    }
    return false;
}

static bool has_state(const changed *c)
{
    const ic_case *system = c->setup.problem.system;
    bool found = false;
    for (size_t j = 0; j < system->n_states; j++) found |= has_name(c->what.part, system->states[j].name);
    return found;
}

static ic_mistake_id mistake_of_term(const changed *c, const ic_tracking *k)
{
    const ic_case *system = k->problem->system;
    for (size_t i = 0; i < system->n_parameters; i++) {
        const char *name = system->parameters[i].name;
        if (ic_is_of_friction(k->problem, name) && has_name(c->what.part, name)) return IC_MISTAKE_FRICTIONLESS;
    }
    for (size_t j = 0; j < system->n_states && !is_of(c, "flow") && !is_of(c, "mass"); j++) {
        if (strcmp(system->states[j].unit, "rad/s") == 0 && has_name(c->what.part, system->states[j].name))
            return IC_MISTAKE_ROTATION_IGNORED;
    }
    return is_of(c, "falls") || is_of(c, "rises")                       ? IC_MISTAKE_ANOTHER_CONDITION
           : is_of(c, "pushes") || ic_is_coupling(k, &c->setup.problem) ? IC_MISTAKE_COUPLING_LOST
                                                                        : IC_MISTAKE_TERM_MISSING;
}

static const ic_parameter *altered_parameter(const changed *c)
{
    const ic_case *system = c->setup.problem.system;
    return &system->parameters[ic_parameter_find(system, c->what.part)];
}

static ic_mistake_id mistake_of(const changed *c, const ic_tracking *k, ic_alteration kind)
{
    const char *part = c->what.part;
    const bool pulls = kind == IC_ALTER_CONDITION
                           ? strcmp(part, "A") == 0
                           : strncmp(part, "max(", 4) == 0 || strncmp(part, "min(", 4) == 0;
    switch (kind) {
    case IC_ALTER_FRICTION:
        return isfinite(c->step) ? IC_MISTAKE_FRICTION_CHATTERS : IC_MISTAKE_FRICTION_REGULARISED;
    case IC_ALTER_IMPACT: return IC_MISTAKE_FRICTIONLESS;
    case IC_ALTER_PARAMETER:
        return strcmp(altered_parameter(c)->unit, "1") == 0 ? IC_MISTAKE_IMPACTS_UNEQUAL
                                                            : IC_MISTAKE_PARAMETER_WRONG;
    case IC_ALTER_ADDED: return IC_MISTAKE_TERM_ADDED;
    case IC_ALTER_CONDITION:
    case IC_ALTER_CLIP: return pulls ? IC_MISTAKE_ADHESION_KEPT : IC_MISTAKE_FORCE_CLIPPED;
    case IC_ALTER_ONE_SIDED: return part[0] == 'o' ? IC_MISTAKE_DAMPING_ONE_SIDED : IC_MISTAKE_ADHESION_KEPT;
    case IC_ALTER_STATE: return has_state(c) ? IC_MISTAKE_STATES_CONFUSED : IC_MISTAKE_PARAMETER_WRONG;
    case IC_ALTER_SIGN: return IC_MISTAKE_SIGN_LOST;
    case IC_ALTER_TERM: break;
    }
    return mistake_of_term(c, k);
}

static void describe(char *detail, size_t size, const changed *c, ic_alteration kind, bool everywhere)
{
    static const char *const forms[] = {"without the term '%s' of '%s'",
                                        "without%s '%s' in impacts",
                                        "with '%s' of '%s' alone another one,",
                                        "and a multiple of '%s' in the rate of '%s', in SI units,",
                                        "with condition %s of '%s'",
                                        "with %s damping '%s'",
                                        "with '%s' in '%s'",
                                        "with '%s' of '%s' clipped the other way",
                                        "without '%s' in '%s'",
                                        "with friction by tanh((%s)/width) of '%s', width ="};
    char change[200];
    snprintf(change, sizeof change, forms[kind], c->what.part, c->what.name);
    if (isfinite(c->step))
        snprintf(detail, size, "Steps of %.3g s lead to the rows, with friction by the sign of '%s' in each",
                 c->step, c->what.part);
    else
        snprintf(detail, size, "The rows are those of the case %s%s", change,
                 everywhere ? " and all others alike" : "");
    if (isfinite(c->number)) ic_text_append(detail, size, " %.5g +- %.1g", c->number, c->deviation);
}

/* ---- the search */

/* Whether a changed case leaves no more than this part of what the case leaves, in some rows and in all. */
static bool leaves_little(const search *s, const changed *c, double left)
{
    return share_left(s, c, &s->some, NULL) <= LEFT_OF_SOME * s->before_some &&
           share_left(s, c, s->k->trajectory, NULL) <= left * s->before_all;
}

/* The same, and before in a few rows, which are soon followed. */
static bool leaves_little_of_few(const search *s, const changed *c, double left)
{
    return share_left(s, c, &s->few, NULL) <= LEFT * s->before_few && leaves_little(s, c, left);
}

/* Whether a part of a gap, or of a switch's input, has a state: without it no event is where it was. */
static bool is_of_place(const changed *c)
{
    return has_state(c) && (is_of(c, "gap") || is_of(c, "input"));
}

static bool explains(const search *s, changed *c, ic_alteration kind, double left)
{
    if ((kind == IC_ALTER_TERM || kind == IC_ALTER_STATE) && is_of_place(c)) return false;
    if (kind == IC_ALTER_IMPACT && !ic_is_of_friction(s->k->problem, c->what.name)) return false;
    if (kind == IC_ALTER_FRICTION) {
        c->setup.par[ic_parameter_find(c->setup.problem.system, IC_ALTERED_NUMBER)] = NO_WIDTH;
        c->step = ic_find_chatter(s->k, &c->setup.problem, c->from, c->what.name);
        if (isfinite(c->step)) return true;
    }
    const bool has_number = kind == IC_ALTER_FRICTION || kind == IC_ALTER_PARAMETER || kind == IC_ALTER_ADDED;
    return (!has_number || fit_number(c, s, kind)) && leaves_little_of_few(s, c, left);
}

static bool open_search(search *s, const ic_tracking *k)
{
    size_t wrong[FEW], n = 0;
    changed *own = &s->own;
    for (size_t i = 0; i < k->n_intervals && n < FEW; i++) {
        if (is_wrong(&k->intervals[i])) wrong[n++] = i;
    }
    if (n < LEAST || !ic_copy_some_rows(&s->some, k, ic_tracked_row(k, k->intervals[wrong[n / 2]].from)))
        return false;
    s->few = s->some;
    if (s->some.n > FEW) {
        const double t = k->trajectory->t[k->intervals[wrong[n / 2]].from];
        size_t first = 0;
        while (first + FEW < s->some.n && s->some.t[first + FEW / 2] < t) first++;
        s->few.n = FEW;
        s->few.t += first;
        s->few.x += first * s->some.n_states;
    }
    s->few.mode = NULL;
    own->setup.problem = *k->problem;
    own->setup.par = ic_own_parameters(&own->setup.problem);
    for (size_t j = 0; j < k->trajectory->n_states; j++) own->from[j] = j;
    s->before_all = share_wrong(k);
    s->before_some = share_left(s, own, &s->some, NULL);
    s->before_few = share_left(s, own, &s->few, NULL);
    return own->setup.par != NULL;
}

/* Whether two parameters of one unit have each the other's value. */
static bool are_exchanged(search *s, size_t p, size_t q, double left)
{
    const ic_parameter *one = &s->k->problem->system->parameters[p],
                       *other = &s->k->problem->system->parameters[q];
    double *par = s->own.setup.par;
    const double kept = par[p];
    if (strcmp(one->unit, other->unit) != 0 || kept == par[q] || one->range[0] == '{' ||
        !ic_parameter_may_be(one, kept, par[q]) || !ic_parameter_may_be(other, par[q], kept))
        return false;
    par[p] = par[q], par[q] = kept;
    const bool right = leaves_little_of_few(s, &s->own, left);
    par[q] = par[p], par[p] = kept;
    return right;
}

static ic_mistake_id try_exchanges(search *s, double left, char *detail, size_t size)
{
    const ic_case *system = s->k->problem->system;
    for (size_t p = 0; p < system->n_parameters; p++) {
        for (size_t q = p + 1; q < system->n_parameters && !is_spent(s); q++) {
            if (!are_exchanged(s, p, q, left)) continue;
            snprintf(detail, size, "With the values of %s and %s exchanged the rows are explained",
                     system->parameters[p].name, system->parameters[q].name);
            return IC_MISTAKE_PARAMETERS_EXCHANGED;
        }
    }
    return IC_NO_MISTAKE;
}

/* The value within `width` of one that leaves least of the rows, by golden section. */
static double best_near(search *s, size_t p, double value, double width)
{
    const double golden = 0.5 * (sqrt(5) - 1);
    double low = value - width, high = value + width, *par = s->own.setup.par, misfit[2];
    for (int i = 0; i < SECTIONS && !is_spent(s); i++) {
        const double at[] = {high - golden * (high - low), low + golden * (high - low)};
        for (int j = 0; j < 2; j++) {
            par[p] = at[j];
            (void)share_left(s, &s->own, s->k->trajectory, &misfit[j]);
        }
        if (misfit[0] < misfit[1]) high = at[1];
        else low = at[0];
    }
    return 0.5 * (low + high);
}

/* Improves a value that parameter p has, if one near it leaves less of the rows. */
static void improve_threshold(search *s, threshold *t)
{
    double *value = &s->own.setup.par[t->p], misfit[2];
    (void)share_left(s, &s->own, s->k->trajectory, &misfit[0]);
    *value = best_near(s, t->p, t->value, t->width);
    (void)share_left(s, &s->own, s->k->trajectory, &misfit[1]);
    if (misfit[1] < misfit[0]) t->value = *value;
    *value = t->value;
}

/* Whether such values explain the rows, which are improved. */
static bool thresholds_explain(search *s, threshold *t, size_t n)
{
    double *par = s->own.setup.par, kept[PAIR];
    for (size_t i = 0; i < n; i++) kept[i] = par[t[i].p], par[t[i].p] = t[i].value;
    bool right = leaves_little(s, &s->own, LEFT);
    for (size_t i = 0; i < n && right; i++) improve_threshold(s, &t[i]);
    right = right && leaves_little(s, &s->own, LEFT);
    const double left = right ? share_left(s, &s->own, s->k->trajectory, NULL) : 0;
    for (size_t i = 0; i < n && right; i++) {
        /* a threshold beyond which all values explain the rows as well is none: they never have the event */
        par[t[i].p] += t[i].value - kept[i];
        right = !ic_in_range(s->k->problem->system->parameters[t[i].p].range, par[t[i].p]) ||
                share_left(s, &s->own, s->k->trajectory, NULL) > left;
        par[t[i].p] = t[i].value;
    }
    for (size_t i = 0; i < n; i++) par[t[i].p] = kept[i];
    return right;
}

/* The thresholds that rows show, at most `most`. */
static size_t list_thresholds(threshold *all, size_t most, search *s)
{
    const ic_problem *problem = s->k->problem;
    size_t n = 0;
    for (size_t p = 0; p < problem->system->n_parameters; p++) {
        const ic_parameter *parameter = &problem->system->parameters[p];
        if (parameter->range[0] == '{') continue;
        for (int mode = 0; mode < (int)problem->variant->n_modes; mode++) {
            for (size_t g = 0; g < problem->variant->modes[mode].n_guards && n < most && !is_spent(s); g++) {
                const threshold t = find_threshold(s, &s->own, p, mode, g);
                if (isfinite(t.value) && ic_in_range(parameter->range, t.value) &&
                    !ic_parameter_is_no_mass(parameter, problem->par[p], t.value))
                    all[n++] = t;
            }
        }
    }
    return n;
}

static void describe_thresholds(const search *s, const threshold *t, size_t n, char *detail, size_t size)
{
    detail[0] = '\0';
    for (size_t i = 0; i < n; i++)
        ic_text_append(detail, size, "%s%s = %.6g in place of %.6g", i == 0 ? "With " : " and ",
                       s->k->problem->system->parameters[t[i].p].name, t[i].value, s->k->problem->par[t[i].p]);
    ic_text_append(detail, size, " the rows are explained");
}

/* One threshold, or two of one unit, as the gaps on both sides of a play. */
static ic_mistake_id try_thresholds(search *s, char *detail, size_t size)
{
    threshold all[FEW];
    const ic_parameter *parameters = s->k->problem->system->parameters;
    const size_t n = list_thresholds(all, FEW, s);
    for (size_t a = 0; a < n; a++) {
        if (is_spent(s) || !thresholds_explain(s, &all[a], 1)) continue;
        describe_thresholds(s, &all[a], 1, detail, size);
        return IC_MISTAKE_PARAMETER_WRONG;
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            threshold pair[PAIR] = {all[a], all[b]};
            const ic_parameter *one = &parameters[pair[0].p], *other = &parameters[pair[1].p];
            if (one == other || strcmp(one->unit, other->unit) != 0 || is_spent(s)) continue;
            if (!thresholds_explain(s, pair, PAIR)) continue;
            describe_thresholds(s, pair, PAIR, detail, size);
            return IC_MISTAKE_PARAMETER_WRONG;
        }
    }
    return IC_NO_MISTAKE;
}

/*
 * A value that a fit has found, alone, although it does not explain most of the rows that were fitted: those of a
 * mode that the value ends.
 */
static ic_mistake_id try_fitted(search *s, char *detail, size_t size)
{
    const ic_case *system = s->k->problem->system;
    ic_mistake_id mistake = IC_NO_MISTAKE;
    ic_parameter_fits fits = {0};
    const size_t n = ic_fit_parameters(&fits, s->k, NULL) ? fits.count : 0;
    for (size_t i = 0; i < n && mistake == IC_NO_MISTAKE && !is_spent(s); i++) {
        const ic_parameter_fit *fit = &fits.rows[i];
        const double value = fabs(fit->value) < fit->smallest ? 0 : fit->value; /* e = 0 but for rounding */
        threshold t = {fit->parameter, value, fit->smallest};
        if (!(fabs(fit->value - fit->case_value) > FITTED_OFF * fit->smallest) ||
            (fabs(value) < NO_VALUE * fabs(fit->case_value) &&
             !ic_parameter_is_restitution(fit->name, s->k->problem)) ||
            !ic_parameter_may_be(&system->parameters[t.p], fit->case_value, value) ||
            !thresholds_explain(s, &t, 1))
            continue;
        describe_thresholds(s, &t, 1, detail, size);
        mistake = IC_MISTAKE_PARAMETER_WRONG;
    }
    ic_parameter_fits_close(&fits);
    return mistake;
}

/* All places of a kind of change, or the sets of places that are changed together. */
static ic_mistake_id try_kind(search *s, ic_alteration kind, bool everywhere, double left, char *detail,
                              size_t size)
{
    ic_mistake_id mistake = IC_NO_MISTAKE;
    changed c = {.what = {.section = ""}};
    size_t place = everywhere ? IC_ALTERED_EVERYWHERE : 0;
    for (; mistake == IC_NO_MISTAKE && c.what.section != NULL && !is_spent(s); place++) {
        if (open_changed(&c, s->k->problem, kind, place) && explains(s, &c, kind, left)) {
            mistake = mistake_of(&c, s->k, kind);
            describe(detail, size, &c, kind, everywhere);
        }
        close_changed(&c);
    }
    return mistake;
}

/* `beside`: kinds that are sought beside other causes; `is_named`: a parameter is a cause already. */
static ic_mistake_id find_change(search *s, const ic_alteration *kinds, size_t n, bool beside, bool is_named,
                                 double left, char *detail, size_t size)
{
    ic_mistake_id mistake = beside ? IC_NO_MISTAKE : try_exchanges(s, left, detail, size);
    if (mistake != IC_NO_MISTAKE) return mistake;
    /* what a parameter explains alone is no change of the text */
    mistake = try_fitted(s, detail, size);
    if (mistake != IC_NO_MISTAKE) return is_named ? IC_NO_MISTAKE : mistake;
    if (!beside) mistake = try_thresholds(s, detail, size);
    for (size_t i = 0; i < 2 * n && mistake == IC_NO_MISTAKE; i++)
        mistake = try_kind(s, kinds[i / 2], i % 2 == 0, left, detail, size);
    return mistake;
}

/* Seeks kinds of changes where events or rows between them fail, and no other cause is certain. */
static void name_change(ic_findings *findings, const ic_tracking *k, const ic_alteration *kinds, size_t n,
                        bool beside)
{
    char detail[256];
    bool other = false, is_named = false; /* a parameter is */
    ic_finding *own = NULL, *parameters = ic_findings_find(findings, ic_row_check_parameters.name);
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        const bool judged =
            strcmp(f->check->name, "local-defect") == 0 || strcmp(f->check->name, "events") == 0;
        const bool likely =
            ic_is_of_parameter(f) || f->cause == IC_MISTAKE_NO_EVENT_LOCATION || ic_gives_way(f->cause);
        if (own == NULL && judged) own = f;
        if ((ic_is_specific(f->cause) && !likely) || f->cause == IC_MISTAKE_COARSE_STEPS ||
            f->cause == IC_MISTAKE_ROW_CORRUPTED)
            return;
        other |= likely && (judged || !beside);
        is_named |= ic_is_of_parameter(f);
    }
    if (own == NULL || k->is_again || (other && !beside) || k->problem->system->text == NULL) return;
    search s = {.k = k, .began = ic_effort_now()};
    const ic_mistake_id mistake =
        open_search(&s, k)
            ? find_change(&s, kinds, n, beside, is_named, other ? LEFT_BESIDE : LEFT, detail, sizeof detail)
            : IC_NO_MISTAKE;
    ic_trajectory_close(&s.some);
    free(s.own.setup.par);
    if (mistake == IC_NO_MISTAKE) return;
    ic_cause_alone(findings, own, mistake);
    ic_finding_append(own, ". %s", detail);
    if (parameters != NULL && parameters->verdict == IC_FINDING_FAIL)
        ic_finding_leave_open(parameters, "fitted with the case's equations, from which the rows differ");
}

void ic_cause_altered(ic_findings *findings, const ic_tracking *k)
{
    static const ic_alteration kinds[] = {IC_ALTER_FRICTION, IC_ALTER_CONDITION, IC_ALTER_CLIP,
                                          IC_ALTER_SIGN,     IC_ALTER_ONE_SIDED, IC_ALTER_IMPACT,
                                          IC_ALTER_TERM,     IC_ALTER_STATE};
    name_change(findings, k, kinds, IC_COUNT(kinds), true);
}

void ic_cause_added(ic_findings *findings, const ic_tracking *k)
{
    static const ic_alteration kinds[] = {IC_ALTER_PARAMETER, IC_ALTER_ADDED};
    name_change(findings, k, kinds, IC_COUNT(kinds), false);
}
