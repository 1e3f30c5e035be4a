/* SPDX-License-Identifier: MIT */
#include "reference/flow/flow_record.h"

#include "reference/flow/certify.h"
#include "reference/flow/flow_formulas.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Bits of the checker beyond the precision; orders beyond those of steps. */
    SPARE_BITS = 16,
    SPARE_ORDERS = 1,

    /* The checker's orders for the whole set are as low as remainders allow; before a crossing, these are smaller. */
    LEAST_RANGE_ORDER = 6,
    LEAST_DERIVATIVE_ORDER = 4,
    REMAINDER_BITS = 18,
    DERIVATIVE_BITS = 15,
    CROSSING_REMAINDER_BITS = 44,

    /* by roots the checker's remainders are greater than the certifier's */
    ROOT_BITS = 6,
    WIDER_TUBE_BITS = 4,

    /* From the centre they are below 2^-CENTRE_BITS of rounding: short steps end where values are small. */
    CENTRE_BITS = 64,

    /* Bits of a frame, of its inverse beyond its thinness, of the calculation of the latter, and of tubes. */
    SHORT_BITS = 24,
    INVERSE_BITS = 40,
    WORKING_BITS = 4 * IC_SECTION_BITS,
    TUBE_BITS = 48,

    /* Radii grow by 2^-SLACK_BITS of themselves in each step, more in events and by roots: what the checker may lose. */
    SLACK_BITS = 12,
    EVENT_SLACK_BITS = 6,

    /* In no direction is a set thinner than this, in bits: derivatives of the checker are doubles. */
    MOST_THINNESS = 30,

    /* The whole set crosses in a part of the step that is shorter than the way to it by this. */
    WINDOW_BITS = 30,

    /* The checker may lose so much of the states' values by rounding. */
    LOST_BITS = 44,

    /* Coefficients that a claim may concern, attempts to halve a part, and parts of a step. */
    CLAIM_ORDERS = 4,
    MOST_HALVINGS = 40,
    MOST_PARTS = 10000
};

/* ---- numbers */

static void write_double(FILE *stream, double x)
{
    IC_FLOATS(exact);
    arf_set_d(exact, x);
    ic_flow_exact_write(stream, exact);
}

static void write_ends(FILE *stream, const arb_t x, slong bits)
{
    IC_FLOATS(end);
    arb_get_lbound_arf(end, x, bits);
    ic_flow_exact_write(stream, end);
    arb_get_ubound_arf(end, x, bits);
    ic_flow_exact_write(stream, end);
}

/* ---- the problem */

/* A guard of a mode, or of the mode's number of guards: the guards of all modes before it come first. */
static size_t guard_number(const ic_flow *f, int mode, size_t guard)
{
    const ic_variant *variant = f->problem->variant;
    for (int i = 0; i < mode; i++) guard += variant->modes[i].terminal ? 0 : variant->modes[i].n_guards;
    return guard;
}

static size_t all_guards(const ic_flow *f)
{
    return guard_number(f, (int)f->problem->variant->n_modes, 0);
}

/* The earliest of the occurrences of time events that are left, before the end; -1: none. */
static int earliest_time(ic_flow *f, const long *occurrences, const arb_t t_end)
{
    const ic_variant *variant = f->problem->variant;
    int first = -1;
    IC_BALLS(t, earliest);
    arb_set(earliest, t_end);
    for (size_t i = 0; i < variant->n_time_events; i++) {
        const ic_time_event *event = &variant->time_events[i];
        if (event->occurrences > 0 && occurrences[i] >= event->occurrences) continue;
        if (!ic_flow_number(t, f, event->linear, &occurrences[i]) || !arb_lt(t, earliest)) continue;
        arb_set(earliest, t);
        first = (int)i;
    }
    return first;
}

/* The times of all time events, and of the end. */
static bool write_times(ic_flow *f)
{
    enum { MOST_TIMES = 50000 };
    const ic_variant *variant = f->problem->variant;
    IC_ZEROS(long, occurrences, variant->n_time_events);
    IC_BALLS(t_end);
    bool good = true;
    f->most_times = f->n_times = 0;
    for (size_t i = 0; good && i < variant->n_time_events; i++) {
        occurrences[i] = f->next_occurrence[i];
        good = variant->time_events[i].linear != NULL;
    }
    good = good && ic_flow_number(t_end, f, f->problem->t_end_text, NULL);
    for (int i = 0; good && i >= 0 && f->most_times < MOST_TIMES;) {
        i = earliest_time(f, occurrences, t_end);
        if (i < 0) break;
        good =
            ic_flow_formulas_time(f->proof, f->problem, (long)all_guards(f) + i, variant->time_events[i].linear,
                                  occurrences[i]++, f->message, sizeof f->message);
        f->most_times++;
    }
    return good && ic_flow_formulas_time(f->proof, f->problem, -1, f->problem->t_end_text, -1, f->message,
                                         sizeof f->message);
}

ic_status ic_flow_record_problem(ic_flow *f)
{
    if (f->proof == NULL) return IC_OK;
    fprintf(f->proof, "impactcheck-proof 2 %ld %ld %ld\n", (long)(f->prec + SPARE_BITS),
            (long)ic_step_order(f->prec) + SPARE_ORDERS, (long)f->n + 1);
    return ic_flow_formulas_write(f->proof, f->problem, f->prec + SPARE_BITS, f->message, sizeof f->message) &&
                   write_times(f)
               ? IC_OK
               : IC_UNSUPPORTED;
}

/* ---- sets */

/* The coordinates that are not exact. Returns their number. */
static slong find_axes(slong *axes, const ic_flow_set *set)
{
    slong m = 0;
    for (slong i = 0; i < set->n; i++) {
        bool exact = true;
        for (slong j = 0; j < set->columns; j++) exact = exact && arb_is_zero(arb_mat_entry(set->frame, i, j));
        if (!exact) axes[m++] = i;
    }
    return m;
}

/* Rounds the frame, and finds radii with which the set contains what it was. */
static void shorten(ic_flow_set *set, const slong *axes, slong m, slong slack)
{
    IC_BOUND_VECTOR(radius, m);
    IC_BOUNDS(size);
    IC_BALL_MATRIX(whole, m, m);
    IC_BALL_MATRIX(rounded, m, m);
    IC_BALL_MATRIX(inverse, m, m);
    for (slong i = 0; i < m; i++) {
        for (slong j = 0; j < m; j++) {
            arb_srcptr entry = arb_mat_entry(set->frame, axes[i], j);
            arb_set(arb_mat_entry(whole, i, j), entry);
            arb_set_round(arb_mat_entry(rounded, i, j), entry, SHORT_BITS);
            arb_get_mid_arb(arb_mat_entry(rounded, i, j), arb_mat_entry(rounded, i, j));
        }
    }
    if (arb_mat_inv(inverse, rounded, IC_SECTION_BITS) != 0) {
        arb_mat_mul(inverse, inverse, whole, IC_SECTION_BITS);
        for (slong i = 0; i < m; i++) {
            for (slong j = 0; j < m; j++) {
                arb_get_mag(size, arb_mat_entry(inverse, i, j));
                mag_addmul(radius + i, size, set->radius + j);
                arb_set(arb_mat_entry(set->frame, axes[i], j), arb_mat_entry(rounded, i, j));
            }
        }
        for (slong i = 0; i < m; i++) mag_swap(set->radius + i, radius + i);
    }
    for (slong i = 0; i < m; i++) {
        mag_mul_2exp_si(size, set->radius + i, -slack);
        mag_add(set->radius + i, set->radius + i, size);
    }
}

/* Columns of the frame become of the size of 1, so that doubles can hold them; the set remains the same. */
static void scale_columns(ic_flow_set *set)
{
    IC_BOUNDS(largest, size);
    for (slong j = 0; j < set->columns; j++) {
        mag_zero(largest);
        for (slong i = 0; i < set->n; i++) {
            arb_get_mag(size, arb_mat_entry(set->frame, i, j));
            mag_max(largest, largest, size);
        }
        if (mag_is_special(largest)) continue;
        const slong exponent = MAG_EXP(largest);
        for (slong i = 0; i < set->n; i++)
            arb_mul_2exp_si(arb_mat_entry(set->frame, i, j), arb_mat_entry(set->frame, i, j), -exponent);
        mag_mul_2exp_si(set->radius + j, set->radius + j, exponent);
    }
}

/* The inverse of the frame, approximately; zero: there is none. */
static void invert_frame(arb_mat_t inverse, const ic_flow_set *set, const slong *axes)
{
    const slong m = arb_mat_nrows(inverse);
    for (slong i = 0; i < m * m; i++)
        arb_set(arb_mat_entry(inverse, i / m, i % m), arb_mat_entry(set->frame, axes[i / m], i % m));
    if (arb_mat_inv(inverse, inverse, WORKING_BITS) == 0) arb_mat_zero(inverse);
}

/*
 * By how many bits errors of the size of the set exceed its radius in the direction in which it is thinnest.
 * Where it is too thin for the checker, the radius grows.
 */
static slong thicken(ic_flow_set *set, const slong *axes, const arb_mat_t inverse)
{
    slong bits = 0;
    IC_BOUNDS(sum, size, extent);
    for (slong k = 0; k < arb_mat_nrows(inverse); k++) {
        mag_zero(sum);
        for (slong i = 0; i < arb_mat_nrows(inverse); i++) {
            ic_flow_set_spread(extent, set, axes[i]);
            arb_get_mag(size, arb_mat_entry(inverse, k, i));
            mag_addmul(sum, size, extent);
        }
        if (mag_is_special(sum)) continue;
        mag_mul_2exp_si(size, sum, -MOST_THINNESS);
        mag_max(set->radius + k, set->radius + k, size);
        mag_div(sum, sum, set->radius + k);
        bits = FLINT_MAX(bits, (slong)MAG_EXP(sum));
    }
    return bits;
}

/* Each row of the frame is followed by one of its inverse, approximately. */
static void write_set(FILE *stream, const ic_flow_set *set, const slong *axes, const arb_mat_t inverse,
                      slong thinness)
{
    const slong m = arb_mat_nrows(inverse);
    IC_FLOATS(radius, entry);
    fprintf(stream, "set %ld", (long)m);
    for (slong i = 0; i < set->n; i++) ic_flow_exact_write(stream, arb_midref(set->centre + i));
    fputc('\n', stream);
    for (slong i = 0; i < m; i++) {
        fprintf(stream, "axis %ld", (long)axes[i]);
        for (slong j = 0; j < m; j++)
            ic_flow_exact_write(stream, arb_midref(arb_mat_entry(set->frame, axes[i], j)));
        for (slong j = 0; j < m; j++) {
            arf_set_round(entry, arb_midref(arb_mat_entry(inverse, i, j)), INVERSE_BITS + thinness,
                          ARF_RND_NEAR);
            ic_flow_exact_write(stream, entry);
        }
        fputc('\n', stream);
    }
    if (m == 0) return;
    fputs("radius", stream);
    for (slong j = 0; j < m; j++) {
        arf_set_mag(radius, set->radius + j);
        ic_flow_exact_write(stream, radius);
    }
    fputc('\n', stream);
}

void ic_flow_record_set(ic_flow *f)
{
    if (f->proof == NULL) return;
    IC_ZEROS(slong, axes, f->set.n);
    const slong m = find_axes(axes, &f->set);
    shorten(&f->set, axes, m, f->in_event || f->clock.guard >= 0 ? EVENT_SLACK_BITS : SLACK_BITS);
    scale_columns(&f->set);
    IC_BALL_MATRIX(inverse, m, m);
    invert_frame(inverse, &f->set, axes);
    f->thinness = thicken(&f->set, axes, inverse);
    write_set(f->proof, &f->set, axes, inverse, f->thinness);
}

/* ---- orders */

/* Bounds coefficient k of a term over the tube, times the power of the part of the step that is recorded. */
static void remainder_at(mag_t bound, const ic_step *step, int term, slong k, double end)
{
    IC_BOUNDS(part);
    mag_set_d(part, end);
    mag_pow_ui(part, part, (ulong)k);
    ic_step_remainder(bound, step, term, k);
    mag_mul(bound, bound, part);
}

/* The least order with which the remainder from the centre is below rounding: short steps need few. */
static slong centre_order(const ic_flow *f, const ic_step *step, slong least, double end)
{
    slong order = least;
    IC_BOUNDS(size, part);
    for (slong v = 0; v <= f->n; v++) {
        const int term = f->phase.formulas.variables[v];
        mag_set_d(size, f->sizes[v]);
        mag_mul_2exp_si(size, size, -f->prec - CENTRE_BITS);
        for (bool small = term < 0; !small && order <= step->order; order += !small) {
            remainder_at(part, step, term, order, end);
            small = mag_cmp(part, size) <= 0;
        }
    }
    return order > step->order ? step->order + SPARE_ORDERS : order;
}

/* The least order with which the remainder of the range is far below the width of the tube. */
static slong range_order(const ic_flow *f, const ic_step *step, double end, bool crosses)
{
    slong order = LEAST_RANGE_ORDER;
    IC_BOUNDS(width, part);
    for (slong v = 0; v <= f->n; v++) {
        const int term = f->phase.formulas.variables[v];
        mag_mul_2exp_si(width, arb_radref(step->box + v), crosses ? -CROSSING_REMAINDER_BITS : -REMAINDER_BITS);
        for (bool small = term < 0; !small && order < step->low_order; order += !small) {
            remainder_at(part, step, term, order, end);
            small = mag_cmp(part, width) <= 0;
        }
    }
    return order;
}

/* The same for derivatives: their remainders times the radii are far below the size of the set. */
static slong derivative_order(const ic_flow *f, const ic_step *step, bool crosses)
{
    slong order = LEAST_DERIVATIVE_ORDER;
    IC_BOUNDS(size, part);
    for (slong v = 0; v <= f->n; v++) {
        const int term = f->phase.formulas.variables[v];
        if (term < 0) continue;
        ic_step_spread(size, step, term, 0);
        mag_mul_2exp_si(size, size,
                        (crosses ? -CROSSING_REMAINDER_BITS : -DERIVATIVE_BITS - f->thinness) -
                            (f->clock.guard >= 0 ? ROOT_BITS : 0));
        for (bool small = false; !small && order < step->low_order; order += !small) {
            ic_step_spread(part, step, term, order);
            small = mag_cmp(part, size) <= 0;
        }
    }
    return order;
}

/* ---- claims about guards */

/* The letter of a claim about coefficient k of a guard's value. */
static char letter(slong k, int sign)
{
    static const char letters[] = "-+duDUvV";
    return letters[2 * k + (sign > 0)];
}

static bool is_declared(const ic_flow *f, size_t guard, int order, int side)
{
    const ic_branch *branch = f->departed;
    for (size_t i = 0; branch != NULL && i < branch->n_departures; i++) {
        const ic_departure *d = &branch->departures[i];
        if ((size_t)d->guard == guard && d->order == order && d->side == side) return true;
    }
    return false;
}

/* The sign of derivative k of a guard's value by the time; 0: it is not known. A root that is the clock may fall. */
static int sign_in_time(const ic_flow *f, const ic_jets *jets, size_t guard, int term, slong k)
{
    const bool backwards = k % 2 == 1 && f->clock.guard >= 0 && !f->clock.rises;
    if (k > 0 && f->phase.powers[guard] > 0) return 0;
    return (backwards ? -1 : 1) * ic_ball_sign(ic_jet(jets, term) + k);
}

/* Encloses a formula of the mode as the checker does; `both`: it does not know the branch of a `where`. */
static void enclose(arb_t x, bool *both, const ic_flow *f, int i, arb_srcptr y)
{
    const ic_equation_term *t = &ic_flow_mode(f)->equations->terms[i];
    IC_BALLS(a, b);
    if (t->operation != IC_OP_STATE && t->operation != IC_OP_PARAMETER && t->a < i && t->b < i) {
        if (t->a >= 0) enclose(a, both, f, t->a, y);
        if (t->b >= 0) enclose(b, both, f, t->b, y);
    }
    switch (t->operation) {
    case IC_OP_NUMBER: arb_set_d(x, t->number); break;
    case IC_OP_TIME: arb_set(x, y + f->n); break;
    case IC_OP_STATE: arb_set(x, y + t->a); break;
    case IC_OP_PARAMETER: arb_set(x, f->par + t->a); break;
    case IC_OP_NEGATE: arb_neg(x, a); break;
    case IC_OP_ADD: arb_add(x, a, b, IC_FRAME_BITS); break;
    case IC_OP_SUBTRACT: arb_sub(x, a, b, IC_FRAME_BITS); break;
    case IC_OP_MULTIPLY: arb_mul(x, a, b, IC_FRAME_BITS); break;
    case IC_OP_DIVIDE: arb_div(x, a, b, IC_FRAME_BITS); break;
    case IC_OP_EXP: arb_exp(x, a, IC_FRAME_BITS); break;
    case IC_OP_POWER:
        arb_nonnegative_part(a, a);
        arb_pow(x, a, b, IC_FRAME_BITS);
        break;
    case IC_OP_CHOOSE:
        enclose(x, both, f, t->c, y);
        *both = *both || (!arb_is_positive(a) && !arb_is_nonpositive(a));
        if (arb_is_positive(a)) arb_set(x, b);
        else if (!arb_is_nonpositive(a)) arb_union(x, x, b, IC_FRAME_BITS);
        break;
    case IC_OP_MAX:
        *both = *both || arb_overlaps(a, b);
        arb_max(x, a, b, IC_FRAME_BITS);
        break;
    default: arb_indeterminate(x);
    }
}

/* Whether the checker finds the sign of coefficient k of a guard, too, which the certifier has without branches. */
static bool finds_sign(const ic_flow *f, size_t guard, slong k, int sign, arb_srcptr y)
{
    bool both = false;
    IC_BALLS(x);
    if (f->clock.guard >= 0) return true;
    enclose(x, &both, f, f->values[f->mode].operations[guard], y);
    const bool same = ic_ball_sign(x) == sign;
    return !both || (k == 0 && same);
}

/* The letter of the claim that proves that a guard does not fire at the expanded place; 0: no claim does. */
static char claim(const ic_flow *f, const ic_jets *jets, size_t i, arb_srcptr y)
{
    const ic_guard *guard = ic_flow_guard(f, i);
    const size_t condition = f->values[f->mode].conditions[i];
    const int value = f->phase.values[i], term = value == IC_VALUE_DORMANT ? f->phase.dormant[i] : value;
    const int enabled = condition == 0 ? -1 : f->phase.values[condition];
    if (f->clock.guard == (int)i) return letter(0, f->clock.sign);
    if (value == IC_VALUE_NEVER || (enabled >= 0 && arb_is_nonpositive(ic_jet(jets, enabled)))) return 'n';
    if (f->faded == i && enabled >= 0 && arb_is_negative(ic_jet(jets, enabled) + 1)) return 'm';
    for (slong k = 0; k < CLAIM_ORDERS && term >= 0; k++) {
        const int sign = sign_in_time(f, jets, i, term, k);
        if (sign == 0 || !finds_sign(f, i, k, sign, y)) continue;
        const bool level =
            k == 0 && f->departed != NULL && guard->onset == IC_ONSET_LEVEL && sign == guard->direction;
        const bool leaves = (k == 1 && (guard->direction == -sign || f->unchanged == i)) ||
                            (k > 0 && is_declared(f, i, (int)k, sign));
        if ((k == 0 && !level) || leaves) return letter(k, sign);
    }
    return '\0';
}

/* A guard of the mode that crosses zero; SIZE_MAX: none. */
typedef struct crossing_guard {
    size_t number;
    int direction;

    /* the parts so far have come to the one in which it crosses */
    bool near;
} crossing_guard;

/* Whether the crossing guard falls, or rises, over the whole place. */
static bool approaches(const crossing_guard *c, const ic_flow *f, const ic_jets *jets)
{
    const int way = f->clock.guard >= 0 && !f->clock.rises ? -1 : 1;
    return ic_ball_sign(ic_jet(jets, f->phase.values[c->number]) + 1) == way * c->direction;
}

/* The root that is the clock, over a part of a step. */
static void find_clock(arb_t clock, const ic_step *step, double from, double to)
{
    IC_BALLS(end);
    arb_set_d(clock, from);
    arb_set_d(end, to);
    arb_union(clock, clock, end, IC_FRAME_BITS);
    arb_set_arf(end, step->length);
    arb_mul(clock, clock, end, IC_FRAME_BITS);
    arb_add(clock, clock, step->clock, IC_FRAME_BITS);
}

/* Claims about all guards over a part of a step; '*': the one that crosses comes to zero. false: one is not known. */
static bool find_claims(char *claims, const ic_flow *f, const ic_step *step, slong order, double end,
                        double from, double to, const crossing_guard *c)
{
    const size_t guards = ic_flow_mode(f)->n_guards;
    bool found = true;
    ic_jets jets;
    IC_BALLS(clock);
    IC_BALL_VECTOR(y, f->n + 1);
    ic_step_range(y, step, order, end, from, to);
    /* the checker may lose a little */
    for (slong v = 0; v <= f->n; v++) mag_mul_2exp_si(arb_radref(y + v), arb_radref(y + v), 1);
    ic_jets_init(&jets, &f->phase.formulas.terms, f->phase.formulas.rates, CLAIM_ORDERS, IC_FRAME_BITS);
    find_clock(clock, step, from, to);
    ic_jets_start(&jets, y, clock);
    ic_jets_extend(&jets, CLAIM_ORDERS, false);
    for (size_t i = 0; i < guards && found; i++) {
        claims[i] = '\0';
        if (i != c->number || !c->near) claims[i] = claim(f, &jets, i, y);
        if (claims[i] == '\0' && i == c->number && approaches(c, f, &jets)) claims[i] = '*';
        found = claims[i] != '\0';
    }
    claims[guards] = '\0';
    ic_jets_clear(&jets);
    return found;
}

/* A part of a step and what is claimed there, as text. */
typedef struct step_parts {
    FILE *stream;
    size_t n;
    char *claims;
    crossing_guard crossing;

    /* of the checker, for the range, for derivatives and from the centre */
    slong order, slopes, centre;
} step_parts;

/* Divides a part of a step until claims are known. */
static bool write_parts(step_parts *p, ic_flow *f, const ic_step *step, double to)
{
    double at = 0, length = to;
    for (int halvings = 0; at < to; p->n++) {
        if (p->n == MOST_PARTS) return false;
        while (halvings <= MOST_HALVINGS &&
               !find_claims(p->claims, f, step, p->order, to, at, fmin(at + length, to), &p->crossing)) {
            length /= 2;
            halvings++;
        }
        if (halvings > MOST_HALVINGS) return false;
        at = fmin(at + length, to);
        fputs("part", p->stream);
        write_double(p->stream, at / to);
        fprintf(p->stream, *p->claims == '\0' ? "\n" : " %s\n", p->claims);
        length *= 2;
        halvings = halvings > 0 ? halvings - 1 : 0;
        p->crossing.near = p->crossing.number < strlen(p->claims) && p->claims[p->crossing.number] == '*';
        f->departed = NULL;
        f->unchanged = f->faded = SIZE_MAX;
    }
    return true;
}

/* ---- steps */

/* A number that is not below x, with few bits. */
static double round_up(double x)
{
    int exponent = 0;
    const double part = frexp(x, &exponent);
    return ldexp(ceil(ldexp(part, WINDOW_BITS + 12)), exponent - WINDOW_BITS - 12);
}

/* By a root, the checker finds wider ranges than the certifier. */
static void write_tube(ic_flow *f, const ic_step *step)
{
    IC_BALLS(range);
    IC_BOUNDS(wider);
    fputs("tube", f->proof);
    for (slong v = 0; v <= f->n; v++) {
        if (f->phase.formulas.variables[v] < 0) continue;
        arb_set(range, step->box + v);
        mag_mul_2exp_si(wider, arb_radref(range), -WIDER_TUBE_BITS);
        if (f->clock.guard >= 0) arb_add_error_mag(range, wider);
        fprintf(f->proof, " %ld", (long)v);
        write_ends(f->proof, range, TUBE_BITS);
    }
    fputc('\n', f->proof);
}

/* The term that is zero at a crossing, without a constant; -1: it is not known. */
static int crossing_term(const ic_flow *f, const ic_flow_crossing *c)
{
    if (c->kind == IC_CROSSES_TIME) return f->phase.formulas.variables[f->n];
    return f->phase.values[c->kind == IC_CROSSES_ROOT ? (size_t)c->root->guard : c->value];
}

/* The part of the step in which what is crossed changes by what the checker's rounding loses of its value. */
static double lost_part(const ic_flow *f, const ic_step *step, double s, const ic_flow_crossing *c)
{
    const int term = crossing_term(f, c);
    double lost = 0;
    ic_jets jets;
    IC_BALLS(clock);
    IC_BOUNDS(size);
    IC_BALL_VECTOR(y, f->n + 1);
    ic_step_range(y, step, step->low_order, 1, s, s);
    for (slong v = 0; v <= f->n; v++) {
        arb_get_mag(size, y + v);
        mag_mul_2exp_si(size, size, -LOST_BITS);
        arb_get_mid_arb(y + v, y + v);
        arb_add_error_mag(y + v, size);
    }
    ic_jets_init(&jets, &f->phase.formulas.terms, f->phase.formulas.rates, CLAIM_ORDERS, IC_FRAME_BITS);
    find_clock(clock, step, s, s);
    ic_jets_start(&jets, y, clock);
    ic_jets_extend(&jets, 2, false);
    if (term >= 0) {
        const double rate = fabs(ic_flow_middle(ic_jet(&jets, term) + 1));
        lost =
            mag_get_d(arb_radref(ic_jet(&jets, term))) / (rate * fabs(arf_get_d(step->length, ARF_RND_NEAR)));
    }
    ic_jets_clear(&jets);
    return lost > 0 && lost < s / 4 ? lost : 0;
}

/* The end of the step after a crossing, and the beginning of its last part, in which the whole set crosses. */
static void find_window(double *from, double *end, const ic_flow *f, const ic_step *step,
                        const ic_flow_crossing *c)
{
    const double middle = ic_flow_middle(c->s_all);
    const double around =
        ldexp(middle, -WINDOW_BITS) + 64 * mag_get_d(arb_radref(c->s_all)) + lost_part(f, step, middle, c);
    *from = middle > 2 * around ? middle - around : middle / 2;
    *end = fmin(*end, round_up(middle + around));
}

/* The number of a guard, of a time event or the end, or of a guard's condition; SIZE_MAX: it has none. */
static size_t crossing_number(const ic_flow *f, const ic_flow_crossing *c)
{
    const size_t guards = ic_flow_mode(f)->n_guards, events = all_guards(f) + f->most_times + 1;
    if (c->kind == IC_CROSSES_GUARD) return guard_number(f, f->mode, c->value);
    if (c->kind == IC_CROSSES_ROOT) return events + all_guards(f);
    if (c->kind == IC_CROSSES_TIME) return f->stop_event != NULL ? all_guards(f) + f->n_times : events - 1;
    for (size_t i = 0; i < guards && c->value >= guards; i++) {
        if (f->values[f->mode].conditions[i] == c->value) return events + guard_number(f, f->mode, i);
    }
    return SIZE_MAX;
}

/* The header of a step, once its parts are known. */
static void write_header(ic_flow *f, const ic_step *step, const step_parts *parts, double from, double end,
                         const ic_flow_crossing *c)
{
    IC_BALLS(x, scale);
    IC_FLOATS(length);
    arb_set_d(scale, end);
    arf_mul(length, step->length, arb_midref(scale), ARF_PREC_EXACT, ARF_RND_NEAR);
    fputs("step", f->proof);
    ic_flow_exact_write(f->proof, length);
    fprintf(f->proof, " %ld %ld %ld", (long)parts->centre, (long)parts->order, (long)parts->slopes);
    if (c == NULL) {
        fputs(" -1", f->proof);
    } else {
        fprintf(f->proof, " %zu", crossing_number(f, c));
        write_double(f->proof, from / end);
        arb_div(x, c->s, scale, f->prec + SPARE_BITS);
        write_ends(f->proof, x, f->prec + SPARE_BITS);
    }
    fputc('\n', f->proof);
    write_tube(f, step);
}

/* Whether two operations of a mode are the same formula; -1: nothing. */
static bool are_equal(const ic_equation_term *terms, int i, int j)
{
    if (i == j || i < 0 || j < 0) return i == j;
    const ic_equation_term *x = &terms[i], *y = &terms[j];
    if (x->operation != y->operation || x->number != y->number) return false;
    if (x->operation == IC_OP_STATE || x->operation == IC_OP_PARAMETER) return x->a == y->a;
    return are_equal(terms, x->a, y->a) && are_equal(terms, x->b, y->b) && are_equal(terms, x->c, y->c);
}

/* An operation as the difference of two, -1: of nothing. */
static void as_difference(int *a, int *b, const ic_equation_term *terms, int i)
{
    const ic_equation_term *t = &terms[i];
    *a = t->operation == IC_OP_NEGATE ? -1 : t->operation == IC_OP_SUBTRACT ? t->a : i;
    *b = t->operation == IC_OP_NEGATE ? t->a : t->operation == IC_OP_SUBTRACT ? t->b : -1;
    if (*b >= 0 && terms[*b].operation == IC_OP_NUMBER && terms[*b].number == 0) *b = -1;
}

/* Whether a `where` of the mode changes its branch where a guard is zero: the checker has no sign for it in a tube. */
static bool crosses_kink(const ic_flow *f, const ic_flow_crossing *c)
{
    const ic_equations *e = ic_flow_mode(f)->equations;
    if (c == NULL || c->kind != IC_CROSSES_GUARD || f->clock.guard == (int)c->value) return false;
    int a, b, from, to;
    as_difference(&a, &b, e->terms, f->values[f->mode].operations[c->value]);
    for (size_t i = 0; i < e->n_terms; i++) {
        if (e->terms[i].operation != IC_OP_CHOOSE) continue;
        as_difference(&from, &to, e->terms, e->terms[i].a);
        if ((are_equal(e->terms, from, a) && are_equal(e->terms, to, b)) ||
            (are_equal(e->terms, from, b) && are_equal(e->terms, to, a)))
            return true;
    }
    return false;
}

/* The state of which the value of a guard, or of an argument, is a multiple by *side. -1: there is none. */
static int root_state(const ic_flow *f, int guard, int *side)
{
    const ic_equation_term *terms = ic_flow_mode(f)->equations->terms;
    const ic_equation_term *t = &terms[f->values[f->mode].operations[guard]];
    while (t->operation == IC_OP_NEGATE) {
        *side = -*side;
        t = &terms[t->a];
    }
    return t->operation == IC_OP_STATE ? t->a : -1;
}

static bool write_root(ic_flow *f, const ic_root *root, const arf_t u)
{
    int side = root->sign;
    const int state = root_state(f, root->guard, &side);
    if (state < 0) return false;
    fprintf(f->proof, "root %d %d %d", state, side, root->q);
    ic_flow_exact_write(f->proof, u);
    fputc('\n', f->proof);
    return f->root_recorded = true;
}

/* A change of the clock: before this step, or where it ends. false: it has no place in a proof. */
static bool record_clock(ic_flow *f, const ic_flow_crossing *c)
{
    const ic_root root = {f->clock.guard, f->clock.sign, f->clock.q};
    bool good = true;
    if (f->clock.guard < 0 && f->root_recorded) {
        fputs("time\n", f->proof);
        f->root_recorded = false;
    } else if (f->clock.guard >= 0 && !f->root_recorded) {
        good = write_root(f, &root, arb_midref(f->clock.u));
    }
    if (c != NULL && c->kind == IC_CROSSES_ROOT) {
        IC_FLOATS(u);
        arf_set_d(u, c->u);
        good = good && write_root(f, c->root, u);
    }
    return good;
}

ic_status ic_flow_record_step(ic_flow *f, const ic_step *step, double end, const ic_flow_crossing *c)
{
    const size_t guards = ic_flow_mode(f)->n_guards;
    char *text = NULL;
    size_t size = 0;
    double from = end;
    if (f->proof == NULL) return IC_OK;
    if (!record_clock(f, c) || crosses_kink(f, c) || (c != NULL && crossing_number(f, c) == SIZE_MAX)) {
        snprintf(
            f->message, sizeof f->message,
            "a root of a formula that is no state, or a kink within a formula, has no place in a proof yet");
        return IC_UNSUPPORTED;
    }
    f->in_event = c != NULL;
    step_parts parts = {.stream = open_memstream(&text, &size),
                        .claims = malloc(guards + 1),
                        .crossing.number = SIZE_MAX,
                        .slopes = derivative_order(f, step, c != NULL)};
    if (c != NULL && c->kind == IC_CROSSES_GUARD)
        parts.crossing = (crossing_guard){.number = c->value, .direction = -f->guards[c->value].side};
    bool good = parts.stream != NULL && parts.claims != NULL;
    if (c != NULL) find_window(&from, &end, f, step, c);
    parts.order = FLINT_MAX(range_order(f, step, end, c != NULL), parts.slopes);
    if (f->clock.guard >= 0) parts.order = FLINT_MAX(parts.order, f->clock.q + 1);
    parts.centre = centre_order(f, step, parts.order + 1, end);
    if (good) good = write_parts(&parts, f, step, end);
    if (parts.stream != NULL) fclose(parts.stream);
    if (good) {
        write_header(f, step, &parts, from, end, c);
        fputs(text, f->proof);
    }
    free(text);
    free(parts.claims);
    for (size_t i = 0; c != NULL && c->kind == IC_CROSSES_VALUE && i < guards; i++) {
        if (f->values[f->mode].conditions[i] == c->value) f->faded = i;
    }
    if (good) return IC_OK;
    if (c == NULL) return ic_flow_undecided(f, "for the proof: whether a guard fires");
    snprintf(f->message, sizeof f->message, "two guards at one instant have no place in a proof yet");
    return IC_UNSUPPORTED;
}

/* ---- events */

void ic_flow_record_jump(ic_flow *f, int branch)
{
    if (f->proof == NULL) return;
    f->in_event = true;
    f->root_recorded = false;
    if (f->chain < 0) {
        fprintf(f->proof, "begin %d\n", branch);
        return;
    }
    const bool timed = f->kind == IC_EVENT_TIME;
    fprintf(f->proof, "event %zu %d\n",
            timed ? all_guards(f) + f->n_times++ : guard_number(f, f->mode_from, f->fired_number), branch);
    ic_flow_record_printed(f, f->before);
}

void ic_flow_record_printed(ic_flow *f, arb_srcptr y)
{
    char *value = NULL, *radius = NULL;
    if (f->proof == NULL) return;
    fputs("printed", f->proof);
    for (slong v = 0; v <= f->n; v++) {
        if (ic_ball_decimal(&value, &radius, y + (v == 0 ? f->n : v - 1), f->digits))
            fprintf(f->proof, " %s %s", value, radius);
        free(value);
        free(radius);
    }
    fputc('\n', f->proof);
}

void ic_flow_record_end(ic_flow *f)
{
    if (f->proof == NULL) return;
    fputs("end\n", f->proof);
    ic_flow_record_printed(f, f->now);
}
