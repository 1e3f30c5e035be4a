/* SPDX-License-Identifier: MIT */
/*
 * The certificate's rates against the text's flow and the forces of elements. With the mass matrix M (the unit matrix
 * where the text gives rates), the free force f of the mode, and columns c_j of forces,
 *
 *     M x' - f_known = sum_k alpha_k (f_k - f_known) + sum_j c_j lambda_j,    alpha >= 0, sum_k alpha_k = 1,
 *
 * where k counts the sides of kinks that stay open, and lambda are the forces of stops that are touched (>= 0) and of
 * frictions that stick (|lambda| <= mu_s N).
 */
#include "reference/judge/judge_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a typical rate, below which rates count as rounding; and of a rate, within which it is known. */
#define LEAST_RATE 1e-3
#define NARROW_RATE 0x1p-20

enum { MOST_OPEN_KINKS = 5, MOST_COLUMNS = 60 };

/* ---- laws of contacts */

/* Factors of a besides 1 - e or 1 - e^2: 1, 1/e, exp(2(1 - e)), 1/((2e - 1)^2 + 3). */
typedef enum law_factor { PLAIN, OVER_E, EXPONENTIAL, HERBERT } law_factor;

/* k d + c d' (linear), or K d^n (1 + a d'/v0) with a = numerator/denominator (1 - e^power) factor. */
typedef struct law {
    const char *name;
    bool linear;
    slong numerator, denominator;
    ulong power;
    law_factor factor;
} law;

static const law laws[] = {
    {.name = "kelvin-voigt", .linear = true},   {.name = "kelvin-voigt-B", .linear = true},
    {.name = "kelvin-voigt-C", .linear = true}, {"hertz", false, 0, 1, 1, PLAIN},
    {"hunt-crossley", false, 3, 2, 1, PLAIN},   {"herbert-mcwhannell", false, 6, 1, 1, HERBERT},
    {"lee-wang", false, 3, 4, 1, PLAIN},        {"lankarani-nikravesh", false, 3, 4, 2, PLAIN},
    {"gonthier", false, 1, 1, 2, OVER_E},       {"zhiying-qishao", false, 3, 4, 2, EXPONENTIAL},
    {"wang-liu", false, 3, 4, 2, EXPONENTIAL},  {"hu-guo", false, 3, 2, 1, OVER_E},
    {"flores", false, 8, 5, 1, OVER_E},
};

static void law_damping(arb_t a, const law *l, const arb_t e, slong prec)
{
    IC_BALLS(factor);
    arb_pow_ui(a, e, l->power, prec);
    arb_sub_si(a, a, 1, prec);
    arb_mul_si(a, a, -l->numerator, prec);
    arb_div_si(a, a, l->denominator, prec);
    arb_mul_si(factor, e, 2, prec);
    if (l->factor == OVER_E) arb_div(a, a, e, prec);
    if (l->factor == EXPONENTIAL) {
        arb_sub_si(factor, factor, 2, prec);
        arb_neg(factor, factor);
        arb_exp(factor, factor, prec);
        arb_mul(a, a, factor, prec);
    }
    if (l->factor == HERBERT) {
        arb_sub_si(factor, factor, 1, prec);
        arb_mul(factor, factor, factor, prec);
        arb_add_si(factor, factor, 3, prec);
        arb_div(a, a, factor, prec);
    }
}

static const law *law_of(const ic_text_element *e)
{
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        if (strcmp(laws[i].name, e->law) == 0) return &laws[i];
    }
    return NULL;
}

char ic_text_judge_condition(const ic_text_element *e)
{
    const char *given = e->condition != NULL                        ? e->condition
                        : strncmp(e->law, "kelvin-voigt-", 13) == 0 ? e->law + 13
                                                                    : "A";
    return (char)(given[0] == 'C' && given[1] != '\0' ? '*' : given[0]);
}

bool ic_text_judge_knows_law(const ic_text_element *e)
{
    const law *l = law_of(e);
    const char condition = ic_text_judge_condition(e);
    return l != NULL && condition != 'D' && (condition != '*' || l->linear);
}

/* A parameter of a law: of `with`, or of the case. */
static void law_parameter(arb_t value, const ic_text_judge *j, const ic_text_element *e, const char *name)
{
    for (size_t i = 0; i < e->n_with; i++) {
        if (strcmp(e->with[i].name, name) != 0) continue;
        arb_set(value, ic_text_value(j->modes[j->mode].program, e->with[i].value));
        return;
    }
    const int own = ic_text_find_parameter(j->machine, name);
    arb_indeterminate(value);
    if (own >= 0) arb_set(value, j->parameters + own);
}

void ic_text_judge_memory(arb_t memory, const ic_text_judge *j, const ic_text_element *e, const arb_t rate,
                          slong prec)
{
    const law *l = law_of(e);
    IC_BALLS(restitution);
    arb_zero(memory);
    if (l == NULL || l->numerator == 0) return;
    law_parameter(restitution, j, e, "e");
    law_damping(memory, l, restitution, prec);
    arb_div(memory, memory, rate, prec);
}

/* The force of a contact with an indentation and a rate; and what has its sign. */
static void contact_force(arb_t force, arb_t pushing, const ic_text_judge *j, size_t element, const arb_t d,
                          const arb_t rate, slong prec)
{
    const ic_text_element *e = &j->modes[j->mode].text->elements[element];
    const law *l = law_of(e);
    IC_BALLS(a, b);
    law_parameter(a, j, e, l->linear ? "k" : "K");
    law_parameter(b, j, e, l->linear ? "c" : "n");
    if (l->linear) {
        arb_mul(force, a, d, prec);
        arb_addmul(force, b, rate, prec);
        arb_set(pushing, force);
    } else {
        /* a law of a power acts where d >= 0 only */
        arb_nonnegative_part(force, d);
        if (arb_is_zero(force)) arb_zero(force);
        else if (arb_equal_si(b, 1)) arb_set(force, d);
        else arb_pow(force, force, b, prec);
        arb_mul(force, force, a, prec);
        arb_mul(a, j->elements[element].memory, rate, prec);
        arb_add_si(a, a, 1, prec);
        arb_mul(force, force, a, prec);
        arb_mul(pushing, d, a, prec);
    }
}

/* ---- evaluation */

static void evaluate(const ic_text_judge *j, const ic_view *v, const signed char *signs, bool with_forces)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    const ic_text_values values = {.parameters = j->parameters,
                                   .states = v->x,
                                   .time = v->t,
                                   .element_states = j->element_states,
                                   .element_forces = with_forces ? j->element_forces : NULL,
                                   .state_rates = v->rates,
                                   .signs = signs};
    ic_text_run(m->program, &values, v->prec);
}

/* Forces of elements that do not follow from balances: of contacts, of friction that slips, of stops that are not touched. */
static void find_forces(ic_text_judge *j, const ic_view *v)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    IC_BALLS(pushing);
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_element *e = &m->text->elements[i];
        arb_ptr force = j->element_forces + i;
        const int state = j->elements[i].state;
        arb_zero(force);
        if (e->removed) continue;
        if (e->type == IC_TEXT_STOP && state != 0) arb_indeterminate(force);
        if (e->type == IC_TEXT_CONTACT && state != 0)
            contact_force(force, pushing, j, i, ic_text_value(m->program, e->parts[IC_TEXT_INDENTATION]),
                          ic_text_rate(m->program, e->parts[IC_TEXT_INDENTATION]), v->prec);
        if (e->type != IC_TEXT_FRICTION) continue;
        arb_mul(force, ic_text_value(m->program, e->parts[IC_TEXT_NORMAL]),
                ic_text_value(m->program, e->parts[IC_TEXT_KINETIC]), v->prec);
        arb_mul_si(force, force, -state, v->prec);
        if (state == 0) arb_indeterminate(force);
    }
}

static void run_with_forces(ic_text_judge *j, const ic_view *v, const signed char *signs)
{
    evaluate(j, v, signs, false);
    if (j->n_elements == 0) return;
    /* a friction's normal force may be that of a contact */
    for (int pass = 0; pass < (j->uses_forces ? 2 : 1); pass++) {
        find_forces(j, v);
        if (j->uses_forces) evaluate(j, v, signs, true);
    }
    if (j->uses_forces) find_forces(j, v);
}

void ic_text_judge_run(ic_text_judge *j, ic_view *v, const signed char *signs)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    IC_BALLS(force);
    run_with_forces(j, v, signs);
    for (size_t w = 0; w < m->n_watches; w++) {
        const ic_text_judge_watch *watch = &m->watches[w];
        arb_indeterminate(v->slope + w);
        if (watch->kind == WATCH_NODE) {
            arb_set(v->value + w, ic_text_value(m->program, watch->a));
            arb_set(v->slope + w, ic_text_rate(m->program, watch->a));
        }
        if (watch->kind == WATCH_NODE && watch->b >= 0) {
            arb_sub(v->value + w, v->value + w, ic_text_value(m->program, watch->b), v->prec);
            arb_sub(v->slope + w, v->slope + w, ic_text_rate(m->program, watch->b), v->prec);
        }
        if (watch->kind == WATCH_FORCE) /* the indentation is the watch before */
            contact_force(force, v->value + w, j, watch->element, v->value + w - 1, v->slope + w - 1, v->prec);
    }
    for (size_t i = 0; i < m->text->n_events; i++) {
        const ic_text_node condition = m->text->events[i].condition;
        v->truth[i] = (signed char)(condition < 0 ? 1 : ic_text_truth(m->program, condition));
    }
}

/* ---- the effect of forces */

void ic_text_judge_rows(arb_ptr rows, const ic_text_judge *j, arb_srcptr change, slong prec)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    const size_t n = m->text->n_mass;
    _arb_vec_set(rows, change, (slong)j->n_states);
    for (size_t r = 0; r < n; r++) {
        arb_ptr row = rows + m->text->mass_states[r];
        arb_zero(row);
        for (size_t c = 0; c < n; c++)
            arb_addmul(row, ic_text_value(m->program, m->text->matrix[r * n + c]),
                       change + m->text->mass_states[c], prec);
    }
}

/* Rates along other directions than those of the motion. */
static void differentiate(const ic_text_judge *j, const ic_view *v, arb_srcptr direction)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    IC_BALLS(zero);
    const ic_text_values values = {.parameters = j->parameters,
                                   .states = v->x,
                                   .time = v->t,
                                   .element_states = j->element_states,
                                   .state_rates = direction,
                                   .time_rate = zero,
                                   .signs = j->now.assumed};
    ic_text_run(m->program, &values, v->prec);
}

ic_text_node ic_text_judge_quantity(const ic_text_element *e)
{
    return e->removed                    ? IC_TEXT_NONE
           : e->type == IC_TEXT_STOP     ? e->parts[IC_TEXT_GAP]
           : e->type == IC_TEXT_CONTACT  ? e->parts[IC_TEXT_INDENTATION]
           : e->type == IC_TEXT_FRICTION ? e->parts[IC_TEXT_SLIP]
                                         : IC_TEXT_NONE;
}

void ic_text_judge_gradients(arb_ptr gradients, const ic_text_judge *j, const ic_view *v)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    const size_t n = j->n_states;
    IC_BALL_VECTOR(unit, (slong)n);
    IC_BALL_VECTOR(moved, (slong)n);
    for (size_t k = 0; k < n; k++) {
        if (j->machine->states[k].discrete || m->position[k]) continue;
        _arb_vec_zero(unit, (slong)n);
        arb_one(unit + k);
        /* of a slip along the velocity, then of others along the states whose rates it changes */
        for (int along = 0; along < 2; along++) {
            differentiate(j, v, along == 0 ? unit : moved);
            for (size_t i = 0; i < n && along == 0; i++) {
                if (m->text->rates[i] >= 0) arb_set(moved + i, ic_text_rate(m->program, m->text->rates[i]));
            }
            for (size_t i = 0; i < j->n_elements; i++) {
                const ic_text_element *e = &m->text->elements[i];
                if (ic_text_judge_quantity(e) >= 0 && (e->type == IC_TEXT_FRICTION) == (along == 0))
                    arb_set(gradients + i * n + k, ic_text_rate(m->program, ic_text_judge_quantity(e)));
            }
        }
    }
}

void ic_text_judge_column(arb_ptr column, const ic_text_judge *j, size_t element, arb_srcptr gradients,
                          slong prec)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    const ic_text_element *e = &m->text->elements[element];
    const slong n = (slong)j->n_states;
    IC_BALL_VECTOR(push, n);
    for (size_t i = 0; i < e->n_pushes; i++)
        arb_set(push + e->pushes[i].state, ic_text_value(m->program, e->pushes[i].value));
    if (e->n_pushes > 0) {
        ic_text_judge_rows(column, j, push, prec);
    } else {
        /* by virtual work M times the effect is the gradient; without a mass matrix, the mass may have any value */
        _arb_vec_set(column, gradients + (slong)element * n, n);
        if (e->type == IC_TEXT_CONTACT) _arb_vec_neg(column, column, n);
    }
}

/* ---- balances */

/* A place at which rates are judged. */
typedef struct balance {
    ic_text_judge *j;
    const ic_view *v;

    /* by element and state */
    arb_ptr gradients;

    /* of forces, by element */
    arb_ptr columns;

    signed char *signs;

    /* M x' - f with known forces, by state */
    arb_ptr residual;

    /* of M x', by state */
    double *sizes;

    /* kinks that stay open and matter */
    size_t open[MOST_OPEN_KINKS], n_open;

    /* by kink: it stays at zero whatever its sides do, so that the text holds as it is written for 0 */
    signed char *written;

    /* whether any kink does */
    bool as_written;

    /* stops or frictions hold: second rates are not those of the flows */
    bool held;
} balance;

void ic_text_judge_residual(arb_ptr residual, arb_ptr columns, ic_text_judge *j, const ic_view *v,
                            arb_srcptr gradients, const signed char *signs)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    const slong n = (slong)j->n_states, prec = v->prec;
    run_with_forces(j, v, signs);
    ic_text_judge_rows(residual, j, v->rates, prec);
    for (slong i = 0; i < n; i++) {
        if (j->machine->states[i].discrete) arb_zero(residual + i);
        else if (m->text->rates[i] >= 0)
            arb_sub(residual + i, residual + i, ic_text_value(m->program, m->text->rates[i]), prec);
    }
    for (size_t r = 0; r < m->text->n_mass; r++) {
        arb_ptr row = residual + m->text->mass_states[r];
        arb_sub(row, row, ic_text_value(m->program, m->text->force[r]), prec);
    }
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_element *e = &m->text->elements[i];
        if (e->removed || e->type == IC_TEXT_SWITCH || e->type == IC_TEXT_DELAY) continue;
        ic_text_judge_column(columns + (slong)i * n, j, i, gradients, prec);
        if (!arb_is_finite(j->element_forces + i) && e->type != IC_TEXT_CONTACT) continue;
        if (arb_is_zero(j->element_forces + i)) continue;
        for (slong k = 0; k < n; k++)
            arb_submul(residual + k, columns + (slong)i * n + k, j->element_forces + i, prec);
    }
}

static void find_residual(const balance *b, arb_ptr residual)
{
    ic_text_judge_residual(residual, b->columns, b->j, b->v, b->gradients, b->signs);
}

/* Whether the residual depends on the side of a kink, for any sides of the first others that stay open. */
static bool matters(const balance *b, size_t kink)
{
    const ic_text_judge *j = b->j;
    const slong n = (slong)j->n_states;
    const size_t n_kinks = j->modes[j->mode].n_kinks;
    bool differs = false;
    IC_BALL_VECTOR(one, n);
    IC_BALL_VECTOR(other, n);
    for (size_t corner = 0; corner < (size_t)1 << MOST_OPEN_KINKS && !differs; corner++) {
        size_t others = 0;
        for (size_t i = 0; i < n_kinks; i++) {
            if (j->now.signs[i] != STAYS || i == kink) continue;
            b->signs[i] = (corner >> (others < MOST_OPEN_KINKS ? others : 0) & 1) == 0 ? 1 : -1;
            others++;
        }
        if (others < MOST_OPEN_KINKS && corner >> others != 0) break;
        const signed char was = b->signs[kink];
        b->signs[kink] = -1;
        find_residual(b, one);
        b->signs[kink] = 1;
        find_residual(b, other);
        b->signs[kink] = was;
        for (slong i = 0; i < n; i++)
            differs = differs || !(j->rounded ? arb_equal : arb_overlaps)(one + i, other + i);
    }
    return differs;
}

/*
 * Whether the flows of both sides of a kink move its quantity alike, in its rate and in its second rate, so that it does
 * not say which mean of them holds.
 */
static bool is_free(const balance *b, size_t kink)
{
    const ic_text_judge *j = b->j;
    const ic_text_judge_mode *m = &j->modes[j->mode];
    const ic_text_judge_watch *w = &m->watches[kink];
    const slong n = (slong)j->n_states;
    bool free = !j->rounded && m->text->n_mass == 0 && w->kind == WATCH_NODE && w->b < 0;
    if (!free) return false;
    IC_BALL_VECTOR(jump, n);
    IC_BALL_VECTOR(below, n);
    b->signs[kink] = -1;
    find_residual(b, below);
    b->signs[kink] = 1;
    find_residual(b, jump);
    _arb_vec_sub(jump, jump, below, n, b->v->prec);
    for (int order = 1; order <= (b->held ? 1 : 2) && free; order++) {
        differentiate(j, b->v, jump);
        free = arb_is_zero(ic_text_rate(m->program, w->a));
        for (slong i = 0; i < n; i++) {
            const ic_text_node rate = m->text->rates[i];
            if (rate >= 0) arb_set(jump + i, ic_text_rate(m->program, rate));
            else arb_zero(jump + i);
        }
    }
    return free;
}

/*
 * The kinks that stay open and on whose side the residual depends. One that turns within the step must not matter, since
 * the certificate's rates are smooth there.
 */
static ic_status find_open_kinks(balance *b, ic_flow *f)
{
    const ic_text_judge *j = b->j;
    const ic_text_judge_mode *m = &j->modes[j->mode];
    for (size_t k = 0; k < m->n_kinks; k++) {
        const ic_text_judged_sign sign = j->now.signs[k];
        if (sign == ABOVE || sign == BELOW || m->watches[k].kind == WATCH_NOTHING || !matters(b, k)) continue;
        if (sign == MIXED)
            return ic_text_judge_says(j, f, IC_CONTRADICTED, "a condition of the flow changes within a step");
        if (sign == UNKNOWN) return ic_text_judge_says(j, f, IC_UNDECIDED, "a condition of the flow");
        if (sign == STAYS && is_free(b, k)) {
            b->written[k] = 1;
            b->as_written = true;
            continue;
        }
        if (b->n_open == MOST_OPEN_KINKS)
            return ic_text_judge_says(j, f, IC_UNDECIDED, "many conditions stay open");
        b->open[b->n_open++] = k;
    }
    for (size_t k = 0; k < m->n_kinks; k++) {
        if (j->now.signs[k] == STAYS) b->signs[k] = b->written[k] ? 0 : 1;
    }
    find_residual(b, b->residual);
    return IC_OK;
}

bool ic_text_judge_numbers(double *to, arb_srcptr from, size_t n, double factor)
{
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        to[i] = factor * arf_get_d(arb_midref(from + i), ARF_RND_NEAR);
        good = good && isfinite(to[i]);
    }
    return good;
}

static void keep_misfit(ic_text_judge *j, double misfit, size_t state)
{
    if (!(misfit > j->misfit)) return;
    j->misfit = misfit;
    j->misfit_state = state;
}

/* Columns of stops that are touched, and of frictions that stick, with their limits; false: one is not finite. */
static bool add_forces(const balance *b, double *columns, double *right, size_t *n_used)
{
    const ic_text_judge *j = b->j;
    const ic_text_judge_mode *m = &j->modes[j->mode];
    const size_t n = j->n_states, rows = n + 1 + j->n_elements;
    size_t used = 0;
    bool finite = true;
    for (size_t i = 0; i < j->n_elements && used + 3 < MOST_COLUMNS; i++) {
        const ic_text_element *e = &m->text->elements[i];
        const bool stop = e->type == IC_TEXT_STOP;
        if (e->removed || (!stop && e->type != IC_TEXT_FRICTION) || (j->elements[i].state != 0) != stop)
            continue;
        for (int side = 1; side >= (stop ? 1 : -1); side -= 2) {
            double *column = columns + rows * used++;
            finite = finite && ic_text_judge_numbers(column, b->columns + i * n, n, -side);
            column[n + 1 + i] = stop ? 0 : 1;
        }
        if (stop) continue;
        IC_BALLS(limit);
        arb_mul(limit, ic_text_value(m->program, e->parts[IC_TEXT_NORMAL]),
                ic_text_value(m->program, e->parts[IC_TEXT_STATIC]), b->v->prec);
        finite = finite && ic_text_judge_numbers(right + n + 1 + i, limit, 1, 1);
        columns[rows * used++ + n + 1 + i] = 1;
    }
    *n_used = used;
    return finite;
}

/*
 * What rounding of states and parameters does to the residual, where rates are rounded: a stiff contact that has just
 * begun turns the last digits of positions into a force.
 */
static double effect_of_rounding(const balance *b, size_t i)
{
    return b->j->rounded ? mag_get_d(arb_radref(b->residual + i)) : 0;
}

/*
 * The misfit of the rates, with alpha and lambda: rows are those of the residual, of sum alpha = 1, and of the limits of
 * frictions. `written`: conditions that stay open hold as they are written for 0. INFINITY: a number is not finite.
 */
static double find_misfit(const balance *b, bool written, size_t *row)
{
    const ic_text_judge *j = b->j;
    const size_t n = j->n_states, rows = n + 1 + j->n_elements, most = rows * MOST_COLUMNS;
    IC_ZEROS(double, columns, most);
    IC_ZEROS(double, right, rows);
    IC_ZEROS(double, sizes, rows);
    double x[MOST_COLUMNS];
    size_t used = 0;
    /* forces first: find_residual leaves their columns as they are with the first signs */
    bool finite = add_forces(b, columns, right, &used);
    for (size_t corner = 0; corner < (size_t)1 << (written ? 0 : b->n_open); corner++) {
        if (used == MOST_COLUMNS) break;
        for (size_t k = 0; k < b->n_open; k++)
            b->signs[b->open[k]] = (signed char)(written ? 0 : (corner >> k & 1) == 0 ? 1 : -1);
        find_residual(b, b->residual);
        finite = finite && ic_text_judge_numbers(columns + rows * used, b->residual, n, 1);
        columns[rows * used++ + n] = 1;
    }
    right[n] = 1;
    *row = 0;
    for (size_t i = 0; i < n; i++) sizes[i] = b->sizes[i] + effect_of_rounding(b, i) / IC_FITS;
    if (!finite || used == MOST_COLUMNS) return INFINITY;
    return ic_text_judge_misfit(x, row, columns, right, sizes, rows, used);
}

static ic_status fit_rates(const balance *b, ic_flow *f)
{
    ic_text_judge *j = b->j;
    size_t row = 0, other = 0;
    double misfit = find_misfit(b, false, &row);
    /* Beside rounding, it does not show what stays at zero because something holds it. */
    if (misfit > IC_FITS && j->rounded && b->n_open > 0) misfit = fmin(misfit, find_misfit(b, true, &other));
    if (row < j->n_states) keep_misfit(j, misfit, row);
    if (misfit <= IC_FITS) return IC_OK;
    if (!isfinite(misfit)) return ic_text_judge_says(j, f, IC_UNDECIDED, "its forces");
    return ic_text_judge_says(j, f, IC_CONTRADICTED,
                              b->n_open > 0
                                  ? "no mean of the flows of both sides of a condition gives the rates"
                                  : "no forces that its elements can have give the rates");
}

/* Without unknown forces: in ball arithmetic. */
static ic_status compare_rates(const balance *b, ic_flow *f)
{
    for (size_t i = 0; i < b->j->n_states; i++) {
        const arb_struct *rest = b->residual + i;
        const char *name = b->j->machine->states[i].name;
        const double off = fabs(arf_get_d(arb_midref(rest), ARF_RND_NEAR)) - effect_of_rounding(b, i);
        const double misfit = fmax(off, 0) / b->sizes[i];
        if (!arb_is_zero(rest)) keep_misfit(b->j, misfit, i);
        if (!arb_contains_zero(rest) && !(b->j->rounded && misfit <= IC_FITS))
            return ic_text_judge_says(b->j, f, IC_CONTRADICTED, "the rate of '%s' is another one", name);
        if (!arb_is_finite(rest) || mag_get_d(arb_radref(rest)) > NARROW_RATE * b->sizes[i])
            return ic_text_judge_says(b->j, f, IC_UNDECIDED, "the rate of '%s'", name);
    }
    return IC_OK;
}

double ic_text_judge_typical(const ic_text_judge *j, const ic_flow *f, size_t state)
{
    return j->own[state] >= 0 ? LEAST_RATE * f->sizes[j->own[state]] / f->sizes[f->n] : 0;
}

/* The sizes of rows: of M x', and at least a small part of typical rates. */
static void find_sizes(const balance *b, const ic_flow *f)
{
    const ic_text_judge *j = b->j;
    const slong n = (slong)j->n_states;
    IC_BALL_VECTOR(typical, n);
    IC_BALL_VECTOR(rows, n);
    for (slong i = 0; i < n; i++) arb_set_d(typical + i, ic_text_judge_typical(j, f, (size_t)i));
    ic_text_judge_rows(rows, j, typical, b->v->prec);
    for (slong i = 0; i < n; i++) b->sizes[i] = fabs(arf_get_d(arb_midref(rows + i), ARF_RND_NEAR));
    ic_text_judge_rows(rows, j, b->v->rates, b->v->prec);
    for (slong i = 0; i < n; i++) b->sizes[i] += fabs(arf_get_d(arb_midref(rows + i), ARF_RND_NEAR));
}

ic_status ic_text_judge_rates(ic_text_judge *j, ic_flow *f, const ic_view *v)
{
    const ic_text_judge_mode *m = &j->modes[j->mode];
    const slong n = (slong)j->n_states, all = n * (slong)j->n_elements;
    bool gradients = false;
    IC_BALL_VECTOR(numbers, 2 * all + n);
    IC_ZEROS(signed char, signs, 2 * m->n_kinks);
    IC_ZEROS(double, sizes, n);
    balance b = {.j = j,
                 .v = v,
                 .gradients = numbers,
                 .columns = numbers + all,
                 .residual = numbers + 2 * all,
                 .signs = signs,
                 .written = signs + m->n_kinks,
                 .sizes = sizes};
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_element *e = &m->text->elements[i];
        if (e->removed || e->type == IC_TEXT_SWITCH || e->type == IC_TEXT_DELAY) continue;
        b.held = b.held || (e->type == IC_TEXT_STOP && j->elements[i].state != 0) ||
                 (e->type == IC_TEXT_FRICTION && j->elements[i].state == 0);
        gradients = gradients || e->n_pushes == 0;
    }
    memcpy(b.signs, j->now.assumed, m->n_kinks);
    if (gradients) ic_text_judge_gradients(b.gradients, j, v);
    j->misfit = 0;
    ic_status status = find_open_kinks(&b, f);
    if (status == IC_OK) {
        find_sizes(&b, f);
        status = b.held || b.n_open > 0 ? fit_rates(&b, f) : compare_rates(&b, f);
    }
    if (status == IC_CONTRADICTED && b.as_written)
        status = ic_text_judge_says(j, f, IC_UNDECIDED, "what holds where a condition stays at zero");
    return status;
}
