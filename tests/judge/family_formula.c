/* SPDX-License-Identifier: MIT */
/* Random formulas of many functions as rates, guards and jumps. */
#include "tests/judge/families.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 400, STATES = 3, MOST_EVENTS = 3, MOST_TICKS = 2, DEPTH = 2 };

typedef enum node_kind {
    /* leaves */
    STATE,
    TIME,
    CONSTANT,
    /* of bounded values, so that nothing grows beyond bounds */
    SINE,
    COSINE,
    TANH,
    ATAN,
    BELL,      /* exp(-a^2) */
    INVERSE,   /* 1/(c + a^2) */
    QUOTIENT,  /* a/(c + a^2) */
    ROOT,      /* 1/sqrt(c + a^2) */
    CUBIC,     /* 1/cbrt(c + a^2) */
    POWER,     /* (c + a^2)^(-p/q) */
    LOGARITHM, /* log(c + sin(a)), c > 1 */
    BOUNDED,
    SUM = BOUNDED,
    DIFFERENCE,
    PRODUCT,
    ALL
} node_kind;

typedef struct node {
    node_kind kind;
    int a, b, constant, p, q;
} node;

/* A machine's formulas; made anew for each draw. */
static struct {
    node nodes[MOST_NODES];
    int n;
    int rates[STATES], guards[MOST_EVENTS], jumps[MOST_EVENTS + MOST_TICKS], changed[MOST_EVENTS + MOST_TICKS];
    int n_events, n_ticks, ticks[MOST_TICKS], starts[STATES];
    second_guard list[MOST_EVENTS + MOST_TICKS];
} machine;

static const char *const names[] = {"x", "y", "z"};
static const char *const events[] = {"first", "second", "third", "tick", "tock"};

static int add(node n)
{
    machine.nodes[machine.n] = n;
    return machine.n++;
}

static int leaf(draw *d)
{
    const int which = draw_choice(d, STATES + 2);
    if (which == STATES) return add((node){.kind = TIME});
    if (which > STATES) return add((node){.kind = CONSTANT, .constant = draw_parameter(d, 0.1, 3, 3)});
    return add((node){.kind = STATE, .a = which});
}

static int bounded(draw *d, int depth);

/* A formula of any size. */
static int formula(draw *d, int depth)
{
    if (depth == 0) return leaf(d);
    const node_kind kind = (node_kind)(SUM + draw_choice(d, ALL - SUM));
    const int a = draw_choice(d, 2) ? formula(d, depth - 1) : bounded(d, depth - 1);
    return add((node){.kind = kind, .a = a, .b = formula(d, depth - 1)});
}

/* A formula whose values are of the order of 1. */
static int bounded(draw *d, int depth)
{
    const node_kind kind = (node_kind)(SINE + draw_choice(d, BOUNDED - SINE));
    const int a = formula(d, depth);
    return add((node){.kind = kind,
                      .a = a,
                      .constant = draw_parameter(d, 1.1, 3, 3),
                      .p = 1 + draw_choice(d, 5),
                      .q = 2 + draw_choice(d, 6)});
}

/* constant*bounded, or a product of two */
static int term(draw *d, double size)
{
    const int constant = add((node){.kind = CONSTANT, .constant = draw_parameter(d, size / 5, size, 3)});
    int factor = bounded(d, DEPTH);
    if (draw_choice(d, 2)) factor = add((node){.kind = PRODUCT, .a = factor, .b = bounded(d, DEPTH)});
    return add((node){.kind = PRODUCT, .a = constant, .b = factor});
}

/* ---- as text */

static void write(draw *d, int i);

static void write_two(draw *d, const char *before, int a, const char *between, const char *c, const char *after)
{
    draw_write(d, "%s", before);
    write(d, a);
    draw_write(d, "%s%s%s", between, c, after);
}

static void write_square(draw *d, const char *before, const node *n, const char *after)
{
    draw_write(d, "%s%s + (", before, d->decimals[n->constant]);
    write(d, n->a);
    draw_write(d, ")^2%s", after);
}

static void write_pair(draw *d, const node *n, const char *sign)
{
    draw_write(d, "(");
    write(d, n->a);
    draw_write(d, "%s", sign);
    write(d, n->b);
    draw_write(d, ")");
}

static void write(draw *d, int i)
{
    const node *n = &machine.nodes[i];
    char power[40];
    switch (n->kind) {
    case STATE: draw_write(d, "%s", names[n->a]); break;
    case TIME: draw_write(d, "(t/(1 s))"); break;
    case CONSTANT: draw_write(d, "%s", d->decimals[n->constant]); break;
    case SINE: write_two(d, "sin(", n->a, "", "", ")"); break;
    case COSINE: write_two(d, "cos(", n->a, "", "", ")"); break;
    case TANH: write_two(d, "tanh(", n->a, "", "", ")"); break;
    case ATAN: write_two(d, "atan(", n->a, "", "", ")"); break;
    case BELL: write_two(d, "exp(-(", n->a, "", "", ")^2)"); break;
    case INVERSE: write_square(d, "1/(", n, ")"); break;
    case QUOTIENT:
        write_two(d, "(", n->a, "", "", ")");
        write_square(d, "/(", n, ")");
        break;
    case ROOT: write_square(d, "1/sqrt(", n, ")"); break;
    case CUBIC: write_square(d, "1/cbrt(", n, ")"); break;
    case POWER:
        snprintf(power, sizeof power, ")^(-%d/%d)", n->p, n->q);
        write_square(d, "(", n, power);
        break;
    case LOGARITHM:
        draw_write(d, "log(%s + ", d->decimals[n->constant]);
        write_two(d, "sin(", n->a, "", "", "))");
        break;
    case SUM: write_pair(d, n, " + "); break;
    case DIFFERENCE: write_pair(d, n, " - "); break;
    default: write_pair(d, n, "*"); break;
    }
}

/* ---- as numbers */

static num value(const draw *d, int i, num t, const num *y);

static num square_sum(const draw *d, const node *n, num t, const num *y)
{
    return r_add(d->par[n->constant], r_square(value(d, n->a, t, y)));
}

static num of_one(const draw *d, const node *n, num t, const num *y)
{
    num a = value(d, n->a, t, y), one = r_si(1);
    switch (n->kind) {
    case SINE: return r_sin(a);
    case COSINE: return r_cos(a);
    case TANH: return r_tanh(a);
    case ATAN: return r_atan(a);
    case BELL: return r_exp(r_neg(r_square(a)));
    case INVERSE: return r_div(one, square_sum(d, n, t, y));
    case QUOTIENT: return r_div(a, square_sum(d, n, t, y));
    case ROOT: return r_div(one, r_sqrt(square_sum(d, n, t, y)));
    case CUBIC: return r_div(one, r_cbrt(square_sum(d, n, t, y)));
    case POWER: return r_div(one, r_power(square_sum(d, n, t, y), n->p, n->q));
    default: return r_log(r_add(d->par[n->constant], r_sin(a)));
    }
}

static num value(const draw *d, int i, num t, const num *y)
{
    const node *n = &machine.nodes[i];
    switch (n->kind) {
    case STATE: return y[n->a];
    case TIME: return t;
    case CONSTANT: return d->par[n->constant];
    case SUM: return r_add(value(d, n->a, t, y), value(d, n->b, t, y));
    case DIFFERENCE: return r_sub(value(d, n->a, t, y), value(d, n->b, t, y));
    case PRODUCT: return r_mul(value(d, n->a, t, y), value(d, n->b, t, y));
    default: return of_one(d, n, t, y);
    }
}

static int start(const draw *d, num *y)
{
    for (int i = 0; i < STATES; i++) y[i] = d->par[machine.starts[i]];
    return 0;
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    (void)mode;
    for (int i = 0; i < STATES; i++) rates[i] = value(d, machine.rates[i], t, y);
}

static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)mode;
    if (guard < machine.n_events) return value(d, machine.guards[guard], t, y);
    return r_sub(t, d->par[machine.ticks[guard - machine.n_events]]);
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    (void)mode;
    if (machine.jumps[guard] >= 0) y[machine.changed[guard]] = value(d, machine.jumps[guard], t, y);
    return 0;
}

/* ---- the draw */

static void write_flow(draw *d)
{
    draw_write(d, "title: Random formulas\nstates:\n");
    for (int i = 0; i < STATES; i++)
        draw_write(d, "  %s: {unit: 1, scale: 1, start: %s}\n", names[i], d->decimals[machine.starts[i]]);
    draw_write(d, "time_scale: 1 s\nflow:\n");
    for (int i = 0; i < STATES; i++) {
        draw_write(d, "  %s: \"(", names[i]);
        write(d, machine.rates[i]);
        draw_write(d, ")/(1 s)\"\n");
    }
}

static void write_jump(draw *d, int i)
{
    if (machine.jumps[i] < 0) {
        draw_write(d, "{}");
        return;
    }
    draw_write(d, "{%s: \"", names[machine.changed[i]]);
    write(d, machine.jumps[i]);
    draw_write(d, "\"}");
}

static void write_events(draw *d)
{
    static const char *const directions[] = {"falls", "crosses", "rises"};
    draw_write(d, "until:\n");
    for (int i = 0; i < machine.n_events; i++) {
        draw_write(d, "  %s: {%s: \"", events[i], directions[machine.list[i].direction + 1]);
        write(d, machine.guards[i]);
        draw_write(d, "\", then: ");
        write_jump(d, i);
        draw_write(d, "}\n");
    }
    if (machine.n_ticks > 0) draw_write(d, "times:\n");
    for (int i = 0; i < machine.n_ticks; i++) {
        draw_write(d, "  %s: {at: %s s, then: ", events[MOST_EVENTS + i], d->decimals[machine.ticks[i]]);
        write_jump(d, machine.n_events + i);
        draw_write(d, "}\n");
    }
}

/* A new value of a state that is not far from the old one, or none. */
static int jump_of(draw *d, int i)
{
    machine.changed[i] = draw_choice(d, STATES);
    if (draw_choice(d, 4) == 0) return -1;
    const int state = add((node){.kind = STATE, .a = machine.changed[i]});
    return add((node){.kind = draw_choice(d, 2) ? SUM : DIFFERENCE, .a = state, .b = term(d, 0.5)});
}

static void make_events(draw *d)
{
    machine.n_events = 1 + draw_choice(d, MOST_EVENTS);
    machine.n_ticks = draw_choice(d, MOST_TICKS + 1);
    for (int i = 0; i < machine.n_events; i++) {
        const int state = add((node){.kind = STATE, .a = draw_choice(d, STATES)});
        const int constant = add((node){.kind = CONSTANT, .constant = draw_parameter(d, -1, 1, 3)});
        int sum = add((node){.kind = SUM, .a = state, .b = constant});
        if (draw_choice(d, 2)) sum = add((node){.kind = DIFFERENCE, .a = sum, .b = term(d, 0.5)});
        machine.guards[i] = sum;
        machine.list[i] = (second_guard){events[i], draw_choice(d, 3) - 1, false};
        machine.jumps[i] = jump_of(d, i);
    }
    for (int i = 0; i < machine.n_ticks; i++) {
        const int k = machine.n_events + i;
        machine.ticks[i] = draw_parameter(d, 0.1, 1.5, 3);
        machine.list[k] = (second_guard){events[MOST_EVENTS + i], 1, false};
        machine.jumps[k] = jump_of(d, k);
    }
}

void draw_formula(draw *d)
{
    memset(&machine, 0, sizeof machine);
    for (int i = 0; i < STATES; i++) machine.starts[i] = draw_parameter(d, -1, 1, 3);
    for (int i = 0; i < STATES; i++) {
        int rate = term(d, 3);
        for (int k = 0; k < 1 + draw_choice(d, 2); k++)
            rate = add((node){.kind = draw_choice(d, 2) ? SUM : DIFFERENCE, .a = rate, .b = term(d, 3)});
        machine.rates[i] = rate;
    }
    make_events(d);
    draw_parameter(d, 0.5, 3, 3);
    write_flow(d);
    write_events(d);
    snprintf(d->what, sizeof d->what, "%d nodes, %d events, %d times", machine.n, machine.n_events,
             machine.n_ticks);
    d->states = names;
    d->machine = DRAW_MACHINE(machine.n_events + machine.n_ticks, machine.list, 0.05, 1);
}
