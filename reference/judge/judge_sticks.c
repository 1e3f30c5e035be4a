/* SPDX-License-Identifier: MIT */
/*
 * A body whose slip ends sticks if static friction suffices. The certificate's motion, in which it slips on, may balance
 * too; so the balance in which it sticks is asked for. With the change y of the rates,
 *
 *     M (x' + y) - f = sum_j c_j lambda_j,    d(slip)/dt + G y = 0 where bodies stick.
 *
 * Other bodies without slip stick (|lambda| <= mu_s N) or begin to slip, which takes that neither kinetic nor static
 * friction holds them; stops that are closed stay so (lambda >= 0) or open.
 */
#include "reference/judge/judge_parts.h"

#include <math.h>

/* Elements besides the friction in question that may hold or not. */
enum { MOST_OTHERS = 4 };

/* Of a typical rate: what is known less well depends on the side of a condition. */
#define OPEN_RATE 1e-6

typedef struct question {
    ic_text_judge *j;
    const ic_view *v;
    arb_ptr gradients, columns, residual;

    /* by state: a size of its rate */
    double *typical;

    /* the elements that may hold, the friction in question first */
    size_t which[MOST_OTHERS + 1], n;

    /* whether each is a stop */
    bool stop[MOST_OTHERS + 1];

    /* by element that may hold: 0: it does; otherwise the sign of its slip, or 1: the stop opens */
    int side[MOST_OTHERS + 1];

    /* number of rows: balances by state, rates by element that may hold, limits of their forces */
    size_t rows;

    /* number of columns so far */
    size_t used;

    /* columns, one after the other */
    double *matrix;
    double *right, *sizes;
    bool finite;
} question;

static double middle(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

static double *add_column(question *q)
{
    return q->matrix + q->rows * q->used++;
}

/* The greatest force of a friction. */
static double find_limit(const question *q, size_t element, ic_text_part coefficient)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(q->j);
    const ic_text_element *e = &m->text->elements[element];
    return middle(ic_text_value(m->program, e->parts[IC_TEXT_NORMAL])) *
           middle(ic_text_value(m->program, e->parts[coefficient]));
}

/* The force that changes rates by a typical size. */
static double size_of_force(const question *q, size_t element)
{
    double size = INFINITY;
    for (size_t k = 0; k < q->j->n_states; k++) {
        const double c = fabs(middle(q->columns + element * q->j->n_states + k));
        if (c > 0) size = fmin(size, q->sizes[k] / c);
    }
    return isfinite(size) && size > 0 ? size : 1;
}

/* Unknown forces of what holds, and known ones of frictions that begin to slip, by their coefficient. */
static void add_force(question *q, size_t i, ic_text_part coefficient)
{
    const size_t n = q->j->n_states, element = q->which[i];
    if (q->side[i] == 0) coefficient = IC_TEXT_STATIC;
    const double limit = q->stop[i] ? size_of_force(q, element) : find_limit(q, element, coefficient);
    arb_srcptr column = q->columns + element * n;
    q->finite = q->finite && isfinite(limit);
    if (q->side[i] != 0) {
        for (size_t k = 0; k < n && !q->stop[i]; k++) q->right[k] += q->side[i] * limit * middle(column + k);
        add_column(q)[n + i] = -1;
        return;
    }
    for (int sign = 1; sign >= (q->stop[i] ? 1 : -1); sign -= 2) {
        double *to = add_column(q);
        q->finite = ic_text_judge_numbers(to, column, n, sign * limit) && q->finite;
        if (!q->stop[i]) to[n + q->n + i] = 1;
    }
    if (q->stop[i]) return;
    q->right[n + q->n + i] = 1;
    add_column(q)[n + q->n + i] = 1;
}

/* The changes of rates: their effect on balances and on the rates of slips and gaps. */
static void add_changes(question *q)
{
    const ic_text_judge *j = q->j;
    const ic_text_judge_mode *m = ic_text_judge_mode_of(q->j);
    const slong n = (slong)j->n_states;
    IC_BALL_VECTOR(unit, n);
    IC_BALL_VECTOR(rows, n);
    for (slong k = 0; k < n; k++) {
        if (j->machine->states[k].discrete || m->position[k]) continue;
        arb_one(unit + k);
        ic_text_judge_rows(rows, j, unit, q->v->prec);
        arb_zero(unit + k);
        for (int sign = 1; sign >= -1; sign -= 2) {
            double *to = add_column(q);
            q->finite = ic_text_judge_numbers(to, rows, (size_t)n, -sign * q->typical[k]) && q->finite;
            for (size_t i = 0; i < q->n; i++)
                to[(size_t)n + i] = (q->side[i] < 0 ? -sign : sign) * q->typical[k] *
                                    middle(q->gradients + q->which[i] * (size_t)n + (size_t)k);
        }
    }
}

/* Whether forces balance for the present sides. */
static bool balances(question *q, ic_text_part coefficient)
{
    const size_t n = q->j->n_states, most = 2 * n + 3 * q->n;
    size_t row;
    IC_ZEROS(double, x, most);
    IC_ZEROS(double, matrix, most * q->rows);
    IC_ZEROS(double, right, q->rows);
    q->matrix = matrix;
    q->right = right;
    q->used = 0;
    q->finite = ic_text_judge_numbers(q->right, q->residual, n, 1);
    for (size_t i = 0; i < q->n; i++) {
        const arb_struct *slope =
            q->v->slope + ic_text_judge_watch_of(ic_text_judge_mode_of(q->j), q->which[i]);
        if (!q->stop[i]) q->right[n + i] = (q->side[i] < 0 ? 1 : -1) * middle(slope);
        add_force(q, i, coefficient);
    }
    add_changes(q);
    return q->finite && ic_text_judge_misfit(x, &row, matrix, right, q->sizes, q->rows, q->used) <= IC_FITS;
}

/* Whether forces balance for any sides of the elements from number i on. */
static bool balances_from(question *q, size_t i)
{
    if (i >= q->n || i > MOST_OTHERS) return balances(q, IC_TEXT_KINETIC) && balances(q, IC_TEXT_STATIC);
    for (int side = 1; side >= (q->stop[i] ? 0 : -1); side--) {
        q->side[i] = side;
        if (balances_from(q, i + 1)) return true;
    }
    return false;
}

/* Elements that may hold besides friction k. false: there are too many. */
static bool find_others(question *q, size_t k)
{
    const ic_text_judge *j = q->j;
    const ic_text_judge_mode *m = ic_text_judge_mode_of(q->j);
    q->which[0] = k;
    q->n = 1;
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_element *e = &m->text->elements[i];
        const bool stop = e->type == IC_TEXT_STOP,
                   still = arb_contains_zero(q->v->value + ic_text_judge_watch_of(m, i));
        if (i == k || e->removed || !(stop ? j->elements[i].state != 0 : e->type == IC_TEXT_FRICTION && still))
            continue;
        if (q->n > MOST_OTHERS) return false;
        q->stop[q->n] = stop;
        q->which[q->n++] = i;
    }
    return true;
}

static bool could_stick(ic_text_judge *j, const ic_flow *f, const ic_view *v, size_t k)
{
    const slong n = (slong)j->n_states, all = n * (slong)j->n_elements;
    question q = {.j = j, .v = v};
    if (!find_others(&q, k)) return false;
    int states[MOST_OTHERS + 1] = {0};
    q.rows = (size_t)n + 2 * q.n;
    IC_BALL_VECTOR(numbers, 2 * all + 3 * n);
    IC_ZEROS(double, doubles, (size_t)n + q.rows);
    q.gradients = numbers, q.columns = numbers + all, q.residual = numbers + 2 * all;
    q.typical = doubles, q.sizes = doubles + n;
    for (size_t i = 0; i < q.n; i++) {
        states[i] = j->elements[q.which[i]].state;
        if (!q.stop[i]) j->elements[q.which[i]].state = 0;
    }
    arb_ptr typical = q.residual + n, rows = typical + n;
    for (slong i = 0; i < n; i++) {
        q.typical[i] = ic_text_judge_typical(j, f, (size_t)i) + fabs(middle(v->rates + i));
        arb_set_d(typical + i, q.typical[i]);
    }
    ic_text_judge_gradients(q.gradients, j, v);
    ic_text_judge_residual(q.residual, q.columns, j, v, q.gradients, j->now.assumed);
    ic_text_judge_rows(rows, j, typical, v->prec);
    for (slong i = 0; i < n; i++) q.sizes[i] = fabs(middle(rows + i));
    /* where a condition stays open, the balance may hold for any of its means, and is not asked for */
    bool known = true;
    for (slong i = 0; i < n; i++)
        known = known && mag_get_d(arb_radref(q.residual + i)) <= OPEN_RATE * q.sizes[i];
    const bool could = known && balances_from(&q, 1);
    for (size_t i = 0; i < q.n; i++) j->elements[q.which[i]].state = states[i];
    return could;
}

ic_status ic_text_judge_sticking(ic_text_judge *j, ic_flow *f, const ic_view *v, const int *was)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    for (size_t k = 0; k < j->n_elements; k++) {
        const ic_text_element *e = &m->text->elements[k];
        if (e->removed || e->type != IC_TEXT_FRICTION || was[k] == 0 || j->elements[k].state == 0 ||
            !arb_contains_zero(ic_text_judge_view(j, f, VIEW_START)->value + ic_text_judge_watch_of(m, k)))
            continue;
        if (could_stick(j, f, v, k))
            return ic_text_judge_says(j, f, IC_UNDECIDED, "whether '%s' sticks where its slip ends", e->name);
    }
    return IC_OK;
}
