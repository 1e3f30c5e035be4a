/* SPDX-License-Identifier: MIT */
/**
 * The exact solution of the elastic bar at a rigid floor: d'Alembert's identity, which holds across all kinks, the
 * conditions of contact, the free end, and the motions of Doyen, Ern & Piperno 2011; data without rational events.
 */
#include "reference/ball.h"
#include "reference/closed/signorini_bar.h"
#include "tests/tests.h"

IC_SUITE(solvers, "elastic bar, exact")
IC_OWNED(ic_signorini_bar, ic_signorini_bar_clear)

/* c = 30 m/s, L = 10 m: an end-to-end wave takes 1/3 s. */
static const ic_signorini_data impact = {.L = 10, .c = 30, .g = 0, .h0 = 5, .v0 = 10};
static const ic_signorini_data bounces = {.L = 10, .c = 30, .g = 10, .h0 = 5, .v0 = 0};

static bool open_bar(ic_signorini_bar *bar, const ic_signorini_data *data, long end)
{
    IC_RATIONALS(t);
    fmpq_set_si(t, end, 1);
    return ic_signorini_bar_open(bar, data, t);
}

/* u at x = L i/12, t = k/36 s: a grid on which waves go from point to point. */
static void displacement(fmpq_t u, const ic_signorini_bar *bar, long i, long k)
{
    IC_RATIONALS(x, t);
    fmpq_set_si(x, 10 * i, 12);
    fmpq_set_si(t, k, 36);
    ic_signorini_bar_displacement(u, bar, x, t);
}

/* u(x, t + h) + u(x, t - h) = u(x + c h, t) + u(x - c h, t) - g h^2 with h = 1/36 s; g is the one that is tested. */
static bool is_a_wave(const ic_signorini_bar *bar, long i, long k, long g)
{
    IC_RATIONALS(sum, part);
    fmpq_set_si(sum, g, 36L * 36);
    displacement(part, bar, i, k + 1);
    fmpq_add(sum, sum, part);
    displacement(part, bar, i, k - 1);
    fmpq_add(sum, sum, part);
    displacement(part, bar, i + 1, k);
    fmpq_sub(sum, sum, part);
    displacement(part, bar, i - 1, k);
    fmpq_sub(sum, sum, part);
    return fmpq_is_zero(sum);
}

IC_TEST(test_waves)
{
    IC_OWN(ic_signorini_bar) bar;
    CU_ASSERT_FATAL(open_bar(&bar, &bounces, 11));
    for (long k = 1; k < 360; k++) {
        for (long i = 1; i < 12; i++) {
            CU_ASSERT(is_a_wave(&bar, i, k, 10));
            CU_ASSERT_FALSE(is_a_wave(&bar, i, k, 9));
        }
    }
}

/* u >= 0, F >= 0, F u = 0 at the lower end; with the upper end free, u_x(L) = 0: u(L, t + h) + u(L, t - h) =
   2 u(L - c h, t) - g h^2. */
IC_TEST(test_ends)
{
    IC_OWN(ic_signorini_bar) bar;
    IC_RATIONALS(u, force, t, sum);
    long pressed = 0;
    CU_ASSERT_FATAL(open_bar(&bar, &bounces, 11));
    for (long k = 1; k < 360; k++) {
        displacement(u, &bar, 0, k);
        fmpq_set_si(t, k, 36);
        ic_signorini_bar_force(force, &bar, t);
        CU_ASSERT(fmpq_sgn(u) >= 0 && fmpq_sgn(force) >= 0);
        CU_ASSERT(fmpq_is_zero(u) || fmpq_is_zero(force));
        pressed += fmpq_sgn(force) > 0;
        fmpq_set_si(sum, 10, 36L * 36);
        displacement(u, &bar, 12, k + 1);
        fmpq_add(sum, sum, u);
        displacement(u, &bar, 12, k - 1);
        fmpq_add(sum, sum, u);
        displacement(u, &bar, 11, k);
        fmpq_mul_2exp(u, u, 1);
        CU_ASSERT(fmpq_equal(sum, u));
    }
    CU_ASSERT(pressed > 80 && pressed < 110);
}

static bool event_is(const ic_signorini_bar *bar, size_t i, long p, ulong q)
{
    IC_RATIONALS(t, expected);
    fmpq_set_si(expected, p, q);
    return ic_signorini_bar_event(t, bar, i) && fmpq_equal(t, expected);
}

static bool force_is(const ic_signorini_bar *bar, long p, ulong q, long force, ulong below)
{
    IC_RATIONALS(t, value, expected);
    fmpq_set_si(t, p, q);
    fmpq_set_si(expected, force, below);
    ic_signorini_bar_force(value, bar, t);
    return fmpq_equal(value, expected);
}

/* Contact from 1/2 s for 2 L/c = 2/3 s, with the strain v0/c = 1/3. */
IC_TEST(test_impact)
{
    IC_OWN(ic_signorini_bar) bar;
    CU_ASSERT_FATAL(open_bar(&bar, &impact, 2));
    CU_ASSERT_EQUAL(ic_signorini_bar_events(&bar), 2);
    CU_ASSERT(event_is(&bar, 0, 1, 2) && event_is(&bar, 1, 7, 6));
    CU_ASSERT_FALSE(event_is(&bar, 1, 1, 1) || event_is(&bar, 2, 7, 6));
    CU_ASSERT(force_is(&bar, 1, 2, 1, 3) && force_is(&bar, 1, 1, 1, 3) && force_is(&bar, 7, 6, 0, 1));
}

/* Contacts at 1 to 5/3 s and 11/3 to 13/3 s, and again 16/3 s later; the state repeats. */
IC_TEST(test_bounces)
{
    static const long contacts[] = {3, 5, 11, 13, 19, 21, 27, 29};
    IC_OWN(ic_signorini_bar) bar;
    IC_RATIONALS(u, later);
    CU_ASSERT_FATAL(open_bar(&bar, &bounces, 10));
    for (size_t i = 0; i < sizeof contacts / sizeof *contacts; i++)
        CU_ASSERT(event_is(&bar, i, contacts[i], 3));
    /* -q/c = (v_f + g s)/c, and (5 g L/c - g s)/c in the second contact */
    CU_ASSERT(force_is(&bar, 4, 3, 40, 90) && force_is(&bar, 4, 1, 40, 90) && force_is(&bar, 11, 3, 50, 90));
    for (long k = 0; k < 160; k++) {
        for (long i = 0; i <= 12; i++) {
            displacement(u, &bar, i, k);
            displacement(later, &bar, i, k + 192);
            CU_ASSERT(fmpq_equal(u, later));
        }
    }
}

/* sqrt(2 h0/g) is no rational number; too many pieces end the solution. */
IC_TEST(test_refusals)
{
    static const ic_signorini_data irrational = {.L = 10, .c = 30, .g = 10, .h0 = 4, .v0 = 0};
    IC_OWN(ic_signorini_bar) bar, lengthy;
    CU_ASSERT_FALSE(open_bar(&bar, &irrational, 2));
    CU_ASSERT_FALSE(open_bar(&lengthy, &bounces, 1000));
}
