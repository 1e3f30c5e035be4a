/* SPDX-License-Identifier: MIT */
/* Three to five balls in a row, with gaps; the first one hits the others, through laws of the element `contact`. */
#include "tests/judge/families.h"
#include "tests/judge/laws.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 5, POSITION = 0, SPEED = MOST, CONTACT = 2 * MOST, MEMORY = 3 * MOST - 1, STATES = 4 * MOST - 2 };
/* parameters: masses, starts, speeds from these on; each of MOST */
enum { MASS = 0, PLACE = MOST, START_SPEED = 2 * MOST, K = 3 * MOST, E };

static second_guard guards[2 * (MOST - 1)];
static char names[STATES][24], guard_names[2 * (MOST - 1)][24];
static const char *states[STATES];

static int start(const draw *d, num *y)
{
    for (int i = 0; i < STATES; i++) y[i] = r_si(0);
    for (int i = 0; i < d->kind / LAWS; i++) {
        y[POSITION + i] = d->par[PLACE + i];
        y[SPEED + i] = d->par[START_SPEED + i];
    }
    return 0;
}

/* x_i - x_(i+1), negative apart. */
static num depth(const num *y, int contact)
{
    return r_sub(y[POSITION + contact], y[POSITION + contact + 1]);
}

static void rates(const draw *d, int mode, num t, const num *y, num *rates)
{
    const int balls = d->kind / LAWS;
    num force[MOST] = {NULL};
    (void)t;
    for (int i = 0; i < balls - 1; i++) {
        force[i] = r_si(0);
        if (!(mode & (1 << i))) continue;
        num approach = r_sub(y[SPEED + i], y[SPEED + i + 1]);
        num factor = r_add(r_si(1), r_mul(y[MEMORY + i], approach));
        force[i] = r_mul(r_mul(d->par[K], r_power(depth(y, i), d->p, d->q)), factor);
    }
    for (int i = 0; i < balls; i++) {
        num pushed = i == 0 ? r_si(0) : force[i - 1];
        if (i < balls - 1) pushed = r_sub(pushed, force[i]);
        rates[POSITION + i] = y[SPEED + i];
        rates[SPEED + i] = r_div(pushed, d->par[MASS + i]);
    }
}

/* Even: a contact begins; odd: it ends. The mode has a bit for each contact. */
static num guard(const draw *d, int mode, int guard, num t, const num *y)
{
    (void)d, (void)t;
    const int contact = guard / 2;
    return ((mode >> contact) & 1) == guard % 2 ? depth(y, contact) : NULL;
}

static int jump(const draw *d, int mode, int guard, num t, num *y)
{
    const int i = guard / 2;
    (void)t;
    y[CONTACT + i] = r_si(guard % 2 == 0);
    y[MEMORY + i] = r_si(0);
    if (guard % 2 == 0 && d->kind % LAWS != LAW_HERTZ)
        y[MEMORY + i] = r_div(law_damping(d->kind % LAWS, d->par[E]), r_sub(y[SPEED + i], y[SPEED + i + 1]));
    return mode ^ (1 << i);
}

static void name_states(const draw *d, int balls)
{
    for (int i = 0; i < STATES; i++) states[i] = NULL;
    for (int i = 0; i < balls; i++) {
        snprintf(names[POSITION + i], sizeof names[0], "x%d", i + 1);
        snprintf(names[SPEED + i], sizeof names[0], "v%d", i + 1);
        states[POSITION + i] = names[POSITION + i];
        states[SPEED + i] = names[SPEED + i];
    }
    for (int i = 0; i < balls - 1; i++) {
        snprintf(names[CONTACT + i], sizeof names[0], "c%d", i + 1);
        snprintf(names[MEMORY + i], sizeof names[0], "c%d_memory", i + 1);
        states[CONTACT + i] = names[CONTACT + i];
        if (d->kind % LAWS != LAW_HERTZ) states[MEMORY + i] = names[MEMORY + i];
        snprintf(guard_names[2L * i], sizeof guard_names[0], "c%d", i + 1);
        snprintf(guard_names[2L * i + 1], sizeof guard_names[0], "c%d leaves", i + 1);
        guards[2L * i] = (second_guard){guard_names[2L * i], 1, true};
        guards[2L * i + 1] = (second_guard){guard_names[2L * i + 1], -1, true};
    }
}

static void write(draw *d, int balls)
{
    draw_write(d, "title: Balls in a row\nparameters:\n");
    for (int i = 0; i < balls; i++) {
        draw_write(d, "  m_%d: %s kg\n  p_%d: %s m\n  w_%d: %s m/s\n", i + 1, d->decimals[MASS + i], i + 1,
                   d->decimals[PLACE + i], i + 1, d->decimals[START_SPEED + i]);
    }
    draw_write(d, "  n: %d/%d\n", d->p, d->q);
    draw_line(d, "K", K, "N/m^n");
    if (d->kind % LAWS != LAW_HERTZ) draw_line(d, "e", E, "");
    draw_write(d, "states:\n");
    for (int i = 1; i <= balls; i++)
        draw_write(d, "  x%d: {unit: m, start: p_%d}\n  v%d: {unit: m/s, start: w_%d}\n", i, i, i, i);
    draw_write(d, "flow: {");
    for (int i = 1; i <= balls; i++)
        draw_write(d, "x%d: v%d, v%d: 0 m/s^2%s", i, i, i, i < balls ? ", " : "}\n");
    draw_write(d, "elements:\n");
    for (int i = 1; i < balls; i++)
        draw_write(d,
                   "  c%d: {contact: {indentation: x%d - x%d, law: %s, pushes: {v%d: -1/m_%d, v%d: 1/m_%d}}}\n",
                   i, i, i + 1, law_names[d->kind % LAWS], i, i, i + 1, i + 1);
}

/* Balls that are at rest or come slowly, and a fast first one. */
void draw_chain(draw *d)
{
    const int balls = 3 + draw_choice(d, 3), law = draw_choice(d, LAWS), power = draw_choice(d, LAW_POWERS);
    d->p = law_powers[power][0], d->q = law_powers[power][1];
    d->kind = balls * LAWS + law;
    for (int i = 0; i < MOST; i++) draw_parameter(d, 0.05, 2, 3);
    double place = 0;
    for (int i = 0; i < MOST; i++) {
        draw_number(d, place, 6);
        place += pow(10, -5 + 0.1 * draw_choice(d, 40));
    }
    for (int i = 0; i < MOST; i++)
        draw_number(d, i == 0 ? 1 : draw_choice(d, 2) ? 0 : -0.001 * draw_choice(d, 400), 4);
    const double size = pow(10, -4 + 0.1 * draw_choice(d, 30)), n = (double)d->p / d->q;
    draw_number(d, 0.3 / pow(size, n + 1), 5);
    draw_parameter(d, law_least_e(law), 1, 3);
    draw_number(d, 1.5 * place + 6 * balls * size, 4);
    write(d, balls);
    name_states(d, balls);
    snprintf(d->what, sizeof d->what, "%d balls, %s, n = %d/%d", balls, law_names[law], d->p, d->q);
    d->states = states;
    d->machine = DRAW_MACHINE(2 * (balls - 1), guards, size, size);
}
