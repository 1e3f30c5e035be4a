/* SPDX-License-Identifier: MIT */
#include "tests/judge/second_method.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_COLUMNS = 24, MOST_NEWTON = 60, MOST_TURNS = 90, MOST_REJECTED = 60, MOST_STEPS = 60000 };

/* No state of a family is as large. */
#define LARGEST 1e12

/* The state of a run while it is computed. */
typedef struct run {
    const second_machine *machine;
    const struct draw *d;
    const second_accuracy *accuracy;
    second_answer *answer;
    int mode;

    /* time and states */
    mpfr_t t, y[SECOND_MOST_STATES];

    /* time and states after a trial step of some length */
    mpfr_t t_next, next[SECOND_MOST_STATES];

    /* of the run, s */
    mpfr_t end;

    /* of the trial step, relative to the sizes of states */
    double error;

    /* sizes of states so far */
    double sizes[SECOND_MOST_STATES];

    /* signs of guards; 0: none or not decided */
    int sides[SECOND_MOST_GUARDS];

    /* table of the extrapolation */
    mpfr_t table[MOST_COLUMNS][SECOND_MOST_STATES], work[3][SECOND_MOST_STATES], h, part, reach;
} run;

/* ---- the midpoint rule and its extrapolation */

// cppcheck-suppress constParameter ; an array of mpfr_t does not convert to one of const mpfr_t
static void find_rates(run *r, num t, mpfr_t *y, num *rates)
{
    num states[SECOND_MOST_STATES];
    for (int i = 0; i < r->machine->n_states; i++) {
        states[i] = y[i];
        rates[i] = NULL;
    }
    r->answer->evaluations++;
    r->machine->rates(r->d, r->mode, t, states, rates);
}

/* z = y + h f */
static void move(run *r, mpfr_t *z, mpfr_t *y, num h, const num *rates)
{
    for (int i = 0; i < r->machine->n_states; i++) {
        if (rates[i] == NULL) mpfr_set(z[i], y[i], MPFR_RNDN);
        else mpfr_fma(z[i], h, rates[i], y[i], MPFR_RNDN);
    }
}

/* The midpoint rule with an even number of parts of the step `h`. */
static void midpoint_rule(run *r, mpfr_t *result, num h, long parts)
{
    const size_t mark = r_mark();
    num rates[SECOND_MOST_STATES], part = r_over(h, parts), twice = r_times(part, 2);
    mpfr_t *before = r->work[0], *now = r->work[1], *after = r->work[2];
    find_rates(r, r->t, r->y, rates);
    for (int i = 0; i < r->machine->n_states; i++) mpfr_set(before[i], r->y[i], MPFR_RNDN);
    move(r, now, r->y, part, rates);
    for (long k = 1; k < parts; k++) {
        const size_t inner = r_mark();
        find_rates(r, r_add(r->t, r_times(part, k)), now, rates);
        move(r, after, before, twice, rates);
        r_forget(inner);
        mpfr_t *free = before;
        before = now, now = after, after = free;
    }
    for (int i = 0; i < r->machine->n_states; i++) mpfr_set(result[i], now[i], MPFR_RNDN);
    r_forget(mark);
}

static double largest_difference(const run *r, mpfr_t *a, mpfr_t *b)
{
    double largest = 0;
    mpfr_t d;
    mpfr_init2(d, 53);
    for (int i = 0; i < r->machine->n_states; i++) {
        mpfr_sub(d, a[i], b[i], MPFR_RNDN);
        const double e = fabs(mpfr_get_d(d, MPFR_RNDN)) / r->sizes[i];
        if (!(e <= largest)) largest = e;
    }
    mpfr_clear(d);
    return largest;
}

/* Neville's scheme in the square of the part: table[j] becomes the value from the columns j, ..., k. */
static void extrapolate(run *r, int j, int k)
{
    const long a = (k + 1L) * (k + 1), b = (j + 1L) * (j + 1);
    for (int i = 0; i < r->machine->n_states; i++) {
        mpfr_sub(r->part, r->table[j + 1][i], r->table[j][i], MPFR_RNDN);
        mpfr_mul_si(r->part, r->part, b, MPFR_RNDN);
        mpfr_div_si(r->part, r->part, a - b, MPFR_RNDN);
        mpfr_add(r->table[j][i], r->table[j + 1][i], r->part, MPFR_RNDN);
    }
}

/* A step of the length h from (t, y) to `next`, with an estimate of its error. */
static void try_step(run *r, num h)
{
    const int columns = r->accuracy->columns;
    mpfr_t *previous = r->work[2];
    r->error = INFINITY;
    for (int k = 0; k < columns; k++) {
        midpoint_rule(r, r->table[k], h, 2L * (k + 1));
        for (int i = 0; i < r->machine->n_states; i++) mpfr_set(previous[i], r->table[0][i], MPFR_RNDN);
        for (int j = k - 1; j >= 0; j--) extrapolate(r, j, k);
    }
    r->error = largest_difference(r, r->table[0], previous);
    for (int i = 0; i < r->machine->n_states; i++) mpfr_set(r->next[i], r->table[0][i], MPFR_RNDN);
    mpfr_add(r->t_next, r->t, h, MPFR_RNDN);
}

static void accept(run *r)
{
    for (int i = 0; i < r->machine->n_states; i++) {
        mpfr_set(r->y[i], r->next[i], MPFR_RNDN);
        const double size = fabs(mpfr_get_d(r->y[i], MPFR_RNDN));
        if (size > r->sizes[i]) r->sizes[i] = size;
        if (!(size < LARGEST)) r->answer->failure = "states grow without bounds";
    }
    mpfr_set(r->t, r->t_next, MPFR_RNDN);
    r->answer->steps++;
}

/* ---- guards */

// cppcheck-suppress constParameter ; an array of mpfr_t does not convert to one of const mpfr_t
static num guard_value(run *r, int guard, num t, mpfr_t *y)
{
    num states[SECOND_MOST_STATES];
    for (int i = 0; i < r->machine->n_states; i++) states[i] = y[i];
    return r->machine->guard(r->d, r->mode, guard, t, states);
}

/* The rate of a guard along the flow, by a central difference; its error is about 1e-20 of its size. */
static double guard_rate(run *r, int guard, num t, mpfr_t *y)
{
    const size_t mark = r_mark();
    num rates[SECOND_MOST_STATES], moved[SECOND_MOST_STATES], values[2];
    mpfr_ptr step = r_new();
    mpfr_set_d(step, ldexp(r->machine->longest_step, -40), MPFR_RNDN);
    find_rates(r, t, y, rates);
    for (int side = 0; side < 2; side++) {
        if (side == 1) mpfr_neg(step, step, MPFR_RNDN);
        for (int i = 0; i < r->machine->n_states; i++)
            moved[i] = rates[i] == NULL ? y[i] : r_add(y[i], r_mul(step, rates[i]));
        values[side] = r->machine->guard(r->d, r->mode, guard, r_add(t, step), moved);
    }
    const double rate = -mpfr_get_d(r_div(r_sub(values[0], values[1]), r_times(step, 2)), MPFR_RNDN);
    r_forget(mark);
    return rate;
}

static int sign_of(run *r, int guard, num t, mpfr_t *y)
{
    const size_t mark = r_mark();
    num value = guard_value(r, guard, t, y);
    const int sign = value == NULL ? 0 : mpfr_sgn(value);
    r_forget(mark);
    return sign;
}

static double magnitude(run *r, int guard, num t, mpfr_t *y)
{
    const size_t mark = r_mark();
    const double value = fabs(mpfr_get_d(guard_value(r, guard, t, y), MPFR_RNDN));
    r_forget(mark);
    return value;
}

/* Signs of guards just after the present place: those a little later where they are zero here. */
static void find_sides(run *r)
{
    const double small = r->machine->size * 1e-24, little = r->machine->longest_step * 1e-8;
    mpfr_set_d(r->h, little, MPFR_RNDN);
    try_step(r, r->h);
    for (int g = 0; g < r->machine->n_guards; g++) {
        r->sides[g] = sign_of(r, g, r->t, r->y);
        if (r->sides[g] == 0 && sign_of(r, g, r->t_next, r->next) == 0) continue;
        if (magnitude(r, g, r->t, r->y) > small) continue;
        r->sides[g] = magnitude(r, g, r->t_next, r->next) > small ? sign_of(r, g, r->t_next, r->next) : 0;
    }
}

/* ---- steps */

static void set_length(run *r, double h)
{
    mpfr_set_d(r->h, h, MPFR_RNDN);
}

/* Tries steps from the length `h` until the error is small; returns the length for the next one; 0: failed. */
static double find_step(run *r, double *h)
{
    for (int i = 0; i < MOST_REJECTED; i++) {
        set_length(r, *h);
        try_step(r, r->h);
        const double ratio = r->error / r->accuracy->tolerance;
        const double factor = ratio > 0 ? 0.8 * pow(ratio, -1.0 / (2 * r->accuracy->columns - 1)) : 4;
        if (ratio <= 1) return *h * fmin(factor, 4);
        *h *= isfinite(factor) ? fmax(0.05, fmin(factor, 0.8)) : 0.05;
    }
    return 0;
}

/* The part of the way to the zero of a guard by its rate; INFINITY: it moves away. */
static double distance(run *r, int guard)
{
    const double rate = guard_rate(r, guard, r->t, r->y);
    return r->sides[guard] * rate < 0 ? magnitude(r, guard, r->t, r->y) / fabs(rate) : INFINITY;
}

static bool is_far(run *r, int guard)
{
    return magnitude(r, guard, r->t, r->y) > r->accuracy->floor * r->machine->size;
}

/* Steps do not reach a singular zero until they are very near. */
static double limit_step(run *r, double h)
{
    for (int g = 0; g < r->machine->n_guards; g++) {
        if (!r->machine->guards[g].singular || r->sides[g] == 0 || !is_far(r, g)) continue;
        h = fmin(h, 0.7 * distance(r, g));
    }
    return fmin(h, r->machine->longest_step);
}

/* Whether a guard, between two places on one side, may have been on the other. */
static bool may_have_turned(run *r, int guard)
{
    return r->sides[guard] * guard_rate(r, guard, r->t, r->y) < 0 &&
           r->sides[guard] * guard_rate(r, guard, r->t_next, r->next) > 0;
}

/* The length of a step at which a guard that turns within the step `h` is beyond zero; 0: it does not get there. */
static double find_turn(run *r, int guard, double h)
{
    double low = 0, high = h;
    double low_rate = r->sides[guard] * guard_rate(r, guard, r->t, r->y);
    double high_rate = r->sides[guard] * guard_rate(r, guard, r->t_next, r->next);
    for (int i = 0; i < MOST_TURNS; i++) {
        /* between the secant and the middle */
        const double part = fmin(0.9, fmax(0.1, low_rate / (low_rate - high_rate)));
        const double middle = low + (high - low) * (i % 3 == 2 ? 0.5 : part);
        set_length(r, middle);
        try_step(r, r->h);
        if (sign_of(r, guard, r->t_next, r->next) != r->sides[guard]) return middle;
        const double rate = r->sides[guard] * guard_rate(r, guard, r->t_next, r->next);
        /* what is left cannot bring it to zero */
        if (fabs(rate) * (high - low) * 4 < magnitude(r, guard, r->t_next, r->next)) break;
        if (rate < 0) low = middle, low_rate = rate;
        else high = middle, high_rate = rate;
    }
    return 0;
}

/* The first guard that is on its other side after the step; -1: none. */
static int crossed(const run *r, const int *after)
{
    for (int g = 0; g < r->machine->n_guards; g++) {
        if (r->sides[g] != 0 && after[g] != 0 && after[g] != r->sides[g]) return g;
    }
    return -1;
}

static void find_signs(run *r, int *after)
{
    for (int g = 0; g < r->machine->n_guards; g++) after[g] = sign_of(r, g, r->t_next, r->next);
}

static bool fires(const run *r, int guard)
{
    const int direction = r->machine->guards[guard].direction;
    return direction == 0 || direction == -r->sides[guard];
}

/* Newton's next length after `root`, or half way between `low` and `high`, which close in on it. */
static num better_root(run *r, int guard, mpfr_t root, mpfr_t low, mpfr_t high)
{
    try_step(r, root);
    num value = guard_value(r, guard, r->t_next, r->next);
    mpfr_set(mpfr_sgn(value) == r->sides[guard] ? low : high, root, MPFR_RNDN);
    mpfr_ptr better = r_new();
    mpfr_set_d(better, guard_rate(r, guard, r->t_next, r->next), MPFR_RNDN);
    if (mpfr_zero_p(better)) mpfr_set_ui(better, 1, MPFR_RNDN);
    mpfr_div(better, value, better, MPFR_RNDN);
    mpfr_sub(better, root, better, MPFR_RNDN);
    if (mpfr_cmp(better, low) < 0 || mpfr_cmp(better, high) > 0) {
        mpfr_add(better, low, high, MPFR_RNDN);
        mpfr_div_2ui(better, better, 1, MPFR_RNDN);
    }
    return better;
}

/* The length of the step at which a guard is zero, between 0 and `h`; false: not found. */
static bool find_root(run *r, int guard, double h, mpfr_t root)
{
    mpfr_t low, high;
    mpfr_inits2(r->answer->bits, low, high, NULL);
    mpfr_set_zero(low, 1);
    mpfr_set_d(high, h, MPFR_RNDN);
    mpfr_set(root, high, MPFR_RNDN);
    bool found = false;
    double last = h;
    for (int i = 0; i < MOST_NEWTON && !found; i++) {
        const size_t mark = r_mark();
        num better = better_root(r, guard, root, low, high);
        const double moved = fabs(mpfr_get_d(r_sub(better, root), MPFR_RNDN));
        found = moved < 1e-40 * r->machine->longest_step && last < 1e-18 * r->machine->longest_step;
        last = moved;
        mpfr_set(root, better, MPFR_RNDN);
        r_forget(mark);
    }
    if (found) try_step(r, root);
    mpfr_clears(low, high, NULL);
    return found;
}

/* ---- events */

static second_event *add_event(run *r, int guard)
{
    second_event *e = &r->answer->events[r->answer->n_events++];
    e->guard = guard;
    e->mode_from = e->mode_to = r->mode;
    mpfr_init2(e->t, r->answer->bits);
    mpfr_set(e->t, r->t, MPFR_RNDN);
    for (int i = 0; i < r->machine->n_states; i++) {
        mpfr_inits2(r->answer->bits, e->before[i], e->after[i], NULL);
        mpfr_set(e->before[i], r->y[i], MPFR_RNDN);
        mpfr_set(e->after[i], r->y[i], MPFR_RNDN);
    }
    return e;
}

static void drop_event(second_answer *answer)
{
    second_event *e = &answer->events[--answer->n_events];
    mpfr_clear(e->t);
    for (int i = 0; i < answer->machine->n_states; i++) mpfr_clears(e->before[i], e->after[i], NULL);
}

/* Returns whether the run goes on. */
static bool fire(run *r, int guard)
{
    const size_t mark = r_mark();
    num states[SECOND_MOST_STATES];
    second_event *e = add_event(r, guard);
    for (int i = 0; i < r->machine->n_states; i++) states[i] = r->y[i];
    const int next = r->machine->jump(r->d, r->mode, guard, r->t, states);
    r->mode = next;
    e->mode_to = r->mode;
    for (int i = 0; i < r->machine->n_states; i++) mpfr_set(e->after[i], states[i], MPFR_RNDN);
    for (int i = 0; i < r->machine->n_states; i++) mpfr_set(r->y[i], e->after[i], MPFR_RNDN);
    r_forget(mark);
    if (r->machine->guards[guard].name == NULL) drop_event(r->answer);
    return r->machine->is_over == NULL || !r->machine->is_over(next);
}

/*
 * The earliest root of guards that have crossed within the step `h`, in r->reach, and which others have the same
 * root; -1: not found.
 */
static int first_root(run *r, const int *after, double h, bool *crosses_too)
{
    const double same = 1e-30 * r->machine->longest_step;
    int first = -1;
    mpfr_t root;
    mpfr_init2(root, r->answer->bits);
    for (int g = 0; g < r->machine->n_guards; g++) {
        crosses_too[g] = false;
        if (r->sides[g] == 0 || after[g] == r->sides[g]) continue;
        if (!find_root(r, g, h, root)) {
            first = -1;
            break;
        }
        mpfr_sub(r->part, root, r->reach, MPFR_RNDN);
        const double later = mpfr_get_d(r->part, MPFR_RNDN);
        crosses_too[g] = first >= 0 && fabs(later) <= same;
        if (first >= 0 && later >= -same) continue;
        for (int i = 0; i < g; i++) crosses_too[i] = false;
        first = g;
        mpfr_set(r->reach, root, MPFR_RNDN);
    }
    mpfr_clear(root);
    return first;
}

typedef enum outcome { WENT_ON, FIRED, OVER, FAILED } outcome;

/* Goes to the first crossing within the trial step of the length `h`. */
static outcome cross(run *r, int guard, const int *after, double *h)
{
    if (r->machine->guards[guard].singular && is_far(r, guard)) {
        *h *= 0.5;
        return WENT_ON;
    }
    const int mode = r->mode;
    bool crosses_too[SECOND_MOST_GUARDS] = {false};
    const int first = first_root(r, after, *h, crosses_too);
    if (first < 0) {
        r->answer->failure = "no root";
        return FAILED;
    }
    try_step(r, r->reach);
    accept(r);
    if (!fires(r, first)) {
        /* a crossing in the other direction is none; the sides of others remain */
        r->sides[first] = -r->sides[first];
        return WENT_ON;
    }
    bool goes_on = fire(r, first);
    for (int g = first + 1; g < r->machine->n_guards && goes_on; g++) {
        if (crosses_too[g] && (r->mode == mode || r->machine->keeps_guards) && fires(r, g))
            goes_on = fire(r, g);
    }
    if (goes_on) find_sides(r);
    return goes_on ? FIRED : OVER;
}

/* A turn within the step after which a guard is beyond zero: shortens the step to it. */
static bool shorten_to_turn(run *r, double *h)
{
    for (int g = 0; g < r->machine->n_guards; g++) {
        if (r->sides[g] == 0 || !may_have_turned(r, g)) continue;
        const double turn = find_turn(r, g, *h);
        if (turn > 0) {
            *h = turn;
            return true;
        }
        const double near = magnitude(r, g, r->t_next, r->next);
        if (near < r->answer->closest) r->answer->closest = near;
        set_length(r, *h);
        try_step(r, r->h);
    }
    return false;
}

/* One step, or an event; *h is the length to try, then the next one. */
static outcome advance(run *r, double *h, bool *at_end)
{
    int after[SECOND_MOST_GUARDS];
    mpfr_sub(r->part, r->end, r->t, MPFR_RNDN);
    const double left = mpfr_get_d(r->part, MPFR_RNDN);
    double length = limit_step(r, *h);
    *at_end = length >= left;
    if (*at_end) length = left;
    const double tried = length;
    double next = find_step(r, &length);
    if (next <= 0) {
        r->answer->failure = "no step is small enough";
        return FAILED;
    }
    if (length < tried) *at_end = false;
    if (shorten_to_turn(r, &length)) {
        *at_end = false;
        set_length(r, length);
        try_step(r, r->h);
    }
    find_signs(r, after);
    const int guard = crossed(r, after);
    *h = next;
    if (guard >= 0) {
        *at_end = false;
        const outcome result = cross(r, guard, after, &length);
        if (result == WENT_ON) *h = length;
        return result;
    }
    if (*at_end) {
        mpfr_sub(r->reach, r->end, r->t, MPFR_RNDN);
        try_step(r, r->reach);
    }
    accept(r);
    return WENT_ON;
}

static void follow(run *r)
{
    bool singular = false;
    for (int g = 0; g < r->machine->n_guards; g++) singular = singular || r->machine->guards[g].singular;
    const double first = r->machine->longest_step * (singular ? r->accuracy->floor : 0.01);
    double h = first;
    bool at_end = false;
    find_sides(r);
    while (!at_end && r->answer->failure == NULL) {
        const outcome result = advance(r, &h, &at_end);
        if (result == OVER || result == FAILED) break;
        if (result == FIRED) h = first;
        if (r->answer->n_events >= SECOND_MOST_EVENTS - 1) r->answer->failure = "too many events";
        if (r->answer->steps > MOST_STEPS) r->answer->failure = "too many steps";
    }
    add_event(r, -1);
}

/* ---- a run */

static void init(run *r, mpfr_prec_t bits)
{
    mpfr_inits2(bits, r->t, r->t_next, r->end, r->h, r->part, r->reach, NULL);
    for (int i = 0; i < r->machine->n_states; i++) {
        mpfr_inits2(bits, r->y[i], r->next[i], r->work[0][i], r->work[1][i], r->work[2][i], NULL);
        for (int k = 0; k < MOST_COLUMNS; k++) mpfr_init2(r->table[k][i], bits);
    }
}

static void clear(run *r)
{
    mpfr_clears(r->t, r->t_next, r->end, r->h, r->part, r->reach, NULL);
    for (int i = 0; i < r->machine->n_states; i++) {
        mpfr_clears(r->y[i], r->next[i], r->work[0][i], r->work[1][i], r->work[2][i], NULL);
        for (int k = 0; k < MOST_COLUMNS; k++) mpfr_clear(r->table[k][i]);
    }
}

void second_solve(second_answer *answer, const second_machine *machine, const struct draw *d,
                  const second_accuracy *accuracy)
{
    num states[SECOND_MOST_STATES];
    run *r = calloc(1, sizeof *r);
    *answer = (second_answer){.machine = machine, .bits = accuracy->bits, .closest = INFINITY};
    if (r == NULL) {
        answer->failure = "no memory";
        return;
    }
    *r = (run){.machine = machine, .d = d, .accuracy = accuracy, .answer = answer};
    init(r, accuracy->bits);
    mpfr_set_zero(r->t, 1);
    r->mode = machine->start(d, states);
    mpfr_set(r->end, machine->end(d), MPFR_RNDN);
    for (int i = 0; i < machine->n_states; i++) {
        mpfr_set(r->y[i], states[i], MPFR_RNDN);
        r->sizes[i] = fmax(machine->size * 1e-3, fabs(mpfr_get_d(r->y[i], MPFR_RNDN)));
    }
    r_forget(0);
    follow(r);
    clear(r);
    free(r);
}

void second_clear(second_answer *answer)
{
    while (answer->n_events > 0) drop_event(answer);
}
