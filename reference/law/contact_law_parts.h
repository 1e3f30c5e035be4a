/* SPDX-License-Identifier: MIT */
/**
 * Functions shared by the certificates of all kinds of contact laws. Precision: `prec` bits for
 * answers, `fine` bits for terms that cancel at small a, where H = O(1) is a difference divided by
 * a^2.
 */
#pragma once

#include "impactcheck/impactcheck.h"

#include <arb.h>

typedef struct ic_law_certificate ic_law_certificate;

enum { IC_LAW_GUARD_BITS = 32, IC_LAW_MOST_PARAMETERS = 32 };

typedef struct ic_law_bits {
    slong prec, fine;
} ic_law_bits;

/** h(x) = x - ln(1 + x) */
void ic_law_h(arb_t value, const arb_t x, slong prec);

/** H(u) = (h(a) - h(a u))/a^2, or (1 - u^2)/2 */
void ic_law_energy_spent(arb_t value, const arb_t a, const arb_t u, slong prec);

/** e_out from a, and x_end = 1 - a e_out, which is tiny for large a. */
void ic_law_find_restitution(arb_t e_out, arb_t x_end, const arb_t a, slong prec);

/**
 * The a >= 0 that results in e, for 0 < e <= 1; not finite where this precision does not decide.
 */
void ic_law_find_damping(arb_t a, const arb_t e, slong prec);

/**
 * All answers of a law of each kind, from the problem in the certificate: IC_OK, whatever their
 * width; otherwise the certificate's message explains the failure.
 */
ic_status ic_law_answer_power(ic_law_certificate *certificate, ic_law_bits bits);
ic_status ic_law_answer_elastic(ic_law_certificate *certificate, ic_law_bits bits);
ic_status ic_law_answer_linear(ic_law_certificate *certificate, ic_law_bits bits);

/** The indentation where d' = u v0, for u between the ends of the contact. */
void ic_law_path_power(arb_t d, const ic_law_certificate *certificate, ic_law_bits bits, const arb_t u);
void ic_law_path_elastic(arb_t d, const ic_law_certificate *certificate, ic_law_bits bits, const arb_t u);
