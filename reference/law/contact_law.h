/* SPDX-License-Identifier: MIT */
/**
 * Certified answers for the free impact of a mass m, at the speed v0, on a contact-force law that
 * has a first integral or is linear.
 *
 * F = f(d) (1 + a d'/v0). With u = d'/v0, h(x) = x - ln(1 + x) and the energy U of f, -m d'' = F
 * separates:
 *
 *     U(d) = m v0^2 H(u),     H(u) = (h(a) - h(a u))/a^2     ((1 - u^2)/2 for a = 0).
 *
 * Restitution: d = 0 again at u = -e; x = 1 - a e solves x exp(-x) = (1 + a) exp(-(1 + a)) below 1:
 * x = -W_0(-(1 + a) exp(-(1 + a))). If a law states e instead, a is the only positive zero of h(a) -
 * h(-a e), which lies between (1 - e)/e and 1/e; a = 0 for e = 1.
 *
 * f = K d^n (contact_law_power.c). With D = (m v0^2/K)^(1/(n+1)), d = D ((n + 1) H(u))^(1/(n+1)).
 * Peak force: f(x) = h(a) - h(x) - q x, q = n/(n + 1), is 0 at x = a u. On (0, a) it falls from
 * h(a) > 0 to -q a < 0, at least as fast as q: there is one zero, and |x - zero| <= |f(x)|/q.
 * Duration: dt = -m v0 du/F, and 1 + a u = exp(a y) gives T = D/v0 (n + 1)^(-q) integral Q(y)^(-q)
 * dy between the zeros of Q(y) = (h(a) + 1 + a y - exp(a y))/a^2, which is entire and concave. From
 * either zero to y = 0, at the distance z from it,
 *
 *     Q = z g(z),  g = phi(-a z) - z psi(-a z) on approach,  g = e phi(a z) - z psi(a z) on departure,
 *     phi(x) = (exp(x) - 1)/x,  psi(x) = (phi(x) - 1)/x,
 *
 * and z = Z s^(r(n+1)), where Z is the whole distance, removes the singular power: with r = 1
 * for integer n, else 2,
 *
 *     T = D/v0 (n + 1)^(1/(n+1)) r sum over both sides of Z^(1/(n+1)) I(Z),
 *     I(Z) = integral from 0 to 1 of s^(r-1) g(Z s^(r(n+1)))^(-q) ds.
 *
 * For a = 0, T = 2 sqrt(pi) Gamma(1 + 1/(n+1))/Gamma(1/2 + 1/(n+1)) d_max/v0.
 *
 * For any other f, contact_law_elastic.c states equations and conditions.
 *
 * F = k d + c d' (contact_law_linear.c), zeta = c/(2 sqrt(k m)), theta = arccos(zeta), z = sqrt(1 -
 * zeta^2), omega = sqrt(k/m), and Theta = theta/z, which is analytic across zeta = 1. A, C and D
 * begin at d = 0, B at F = 0:
 *
 *     A     e = exp(-pi zeta/z),      T = pi/(z omega),    d_max = v0/omega exp(-zeta Theta)
 *     B     e and T as A,                                  d_max = v0/omega exp(-zeta (pi - theta)/z)
 *     C, D  e = exp(-2 zeta Theta),   T = 2 Theta/omega,   d_max as A
 *     A, C, D   F_max = sqrt(k m) v0 exp(-zeta (3 theta - pi)/z) for zeta < 1/2,
 *               where u = 2 zeta F_max/(sqrt(k m) v0);
 *               c v0 at once, u = 1, for zeta >= 1/2
 *     B         F_max = sqrt(k m) v0 exp(-zeta Theta), where u = 2 zeta F_max/(sqrt(k m) v0)
 *
 * Under A and B with zeta >= 1 the contact never opens: e = 0, T = infinity, and under B d_max = 0,
 * the bound that d approaches.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

typedef struct ic_law_certificate {
    /* IC_OK: every number below is proved to the requested digits */
    ic_status status;

    /* explanation where status is not IC_OK */
    char message[320];

    /* precision that sufficed, bits */
    slong precision;

    const ic_law *law;

    /* the law's parameters, then v0 */
    arb_ptr par;

    /* numbers of the problem */
    arb_t m, v0;

    /* power laws; in linear laws K is k */
    arb_t K, n;

    /* laws with a first integral */
    arb_t a;

    /* linear laws */
    arb_t c;

    /* coefficient of restitution; 0 where the contact never opens */
    arb_t e_out;

    /* d'/v0 at the peak force */
    arb_t u_peak;

    /* m */
    arb_t d_max;

    /* N */
    arb_t F_max;

    /* duration, s; exactly +infinity if the contact never opens */
    arb_t duration;
} ic_law_certificate;

void ic_law_certificate_init(ic_law_certificate *certificate);
void ic_law_certificate_clear(ic_law_certificate *certificate);

/**
 * Encloses all answers, each with a relative radius of at most 10^-digits. par_texts has one exact
 * text for each of the law's parameters; a NULL element, or NULL, selects the default. m_text and
 * v0_text may name parameters. IC_INVALID: a text is malformed, a requirement of the law is
 * violated, one of K, n, m, v0 is not positive, or a or c is negative. IC_UNSUPPORTED: the law has
 * no first integral and is not linear, or a condition of contact_law_elastic.c is not proved.
 * IC_UNDECIDED: the digits were not reached, or a sign was not decided, at the highest precision.
 */
void ic_law_certify(ic_law_certificate *certificate, const ic_law *law, const char *const *par_texts,
                    const char *m_text, const char *v0_text, long digits);

/** Whether a law has a first integral, or is linear: otherwise nothing here applies to it. */
bool ic_law_has_closed_form(const ic_law *law);

/**
 * The same for a problem whose variant is a free impact on its law. Parameters are exact where
 * problem->par_text provides them; where it is NULL, they are the doubles problem->par.
 * IC_UNSUPPORTED also for a variant that is not a free impact.
 */
void ic_law_certify_problem(ic_law_certificate *certificate, const ic_problem *problem, long digits);

/**
 * Path in the phase plane: the indentation at which d' = u v0, for -e_out <= u <= 1, from a
 * certificate that is IC_OK. false: u is outside, or the law is linear, where u may take a value
 * twice.
 */
bool ic_law_indentation(arb_t d, const ic_law_certificate *certificate, const arb_t u);
