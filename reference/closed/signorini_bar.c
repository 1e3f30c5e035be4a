/* SPDX-License-Identifier: MIT */
#include "reference/closed/signorini_bar.h"
#include "reference/ball.h"

#include <fmpz.h>

/* Numbers of a piece. */
enum { PIECE_NUMBERS = 5 };

/* ---- one piece */

static bool piece_of(size_t *i, const ic_signorini_bar *bar, const fmpq_t t)
{
    for (*i = bar->n_pieces; *i > 0; --*i) {
        if (fmpq_cmp(bar->pieces[*i - 1].from, t) > 0) continue;
        --*i;
        return true;
    }
    return false;
}

/* q at t, and the change of Q from the start of the piece to t */
static void follow(fmpq_t q, fmpq_t rise, const ic_signorini_piece *piece, const fmpq_t t)
{
    IC_RATIONALS(s, half);
    fmpq_sub(s, t, piece->from);
    fmpq_mul(half, piece->rate, s);
    fmpq_add(q, piece->q, half);
    fmpq_div_2exp(half, half, 1);
    fmpq_add(rise, piece->q, half);
    fmpq_mul(rise, rise, s);
}

static void leaving_at(fmpq_t r, const ic_signorini_bar *bar, const fmpq_t t, fmpq_t rate)
{
    IC_RATIONALS(rise);
    size_t i = 0;
    (void)piece_of(&i, bar, t);
    const ic_signorini_piece *piece = &bar->pieces[i];
    follow(r, rise, piece, t);
    fmpq_set(rate, piece->rate);
    if (piece->contact) fmpq_neg(r, r), fmpq_neg(rate, rate);
}

/* P or Q at t */
static void potential_at(fmpq_t value, const ic_signorini_bar *bar, const fmpq_t t, bool leaving)
{
    IC_RATIONALS(q, rise);
    size_t i = 0;
    (void)piece_of(&i, bar, t);
    const ic_signorini_piece *piece = &bar->pieces[i];
    follow(q, rise, piece, t);
    if (leaving && piece->contact) fmpq_neg(rise, rise);
    fmpq_add(value, leaving ? piece->P : piece->Q, rise);
}

/* ---- from piece to piece */

/* Begins a piece at t, whose q, rate and mode are given, where the last one ends. */
static bool add_piece(ic_signorini_bar *bar, const fmpq_t t, const fmpq_t q, const fmpq_t rate, bool contact)
{
    if (bar->n_pieces == IC_SIGNORINI_PIECES) return false;
    ic_signorini_piece *piece = &bar->pieces[bar->n_pieces];
    potential_at(piece->P, bar, t, true);
    potential_at(piece->Q, bar, t, false);
    fmpq_set(piece->from, t);
    fmpq_set(piece->q, q);
    fmpq_set(piece->rate, rate);
    piece->contact = contact;
    bar->n_pieces++;
    return true;
}

static bool rational_root(fmpq_t root, const fmpq_t square)
{
    if (fmpq_sgn(square) < 0 || !fmpz_is_square(fmpq_numref(square)) || !fmpz_is_square(fmpq_denref(square)))
        return false;
    fmpz_sqrt(fmpq_numref(root), fmpq_numref(square));
    fmpz_sqrt(fmpq_denref(root), fmpq_denref(square));
    return true;
}

/*
 * Time s in (0, most] at which u + q s + rate s^2/2 falls to 0, from u >= 0: s = 2 u/(-q + sqrt(q^2 - 2 rate u)),
 * or s = most without a fall. false: it is no rational number.
 */
static bool time_of_fall(fmpq_t s, const fmpq_t u, const fmpq_t q, const fmpq_t rate, const fmpq_t most)
{
    IC_RATIONALS(square, part, root);
    bool rational = true;
    fmpq_mul(square, q, q);
    fmpq_mul(part, rate, u);
    fmpq_mul_2exp(part, part, 1);
    fmpq_sub(square, square, part);
    fmpq_set(s, most);
    /* u falls to 0 only if it has a zero, and if q or its rate leads down; a fall from u = 0 is seen before. */
    const bool falls = fmpq_sgn(square) >= 0 && (fmpq_sgn(q) < 0 || fmpq_sgn(rate) < 0);
    if (falls) {
        /* The end of the piece lies before the fall if u is positive there and q has not turned from - to +. */
        rational = rational_root(root, square);
        if (rational) {
            fmpq_sub(root, root, q);
            if (fmpq_sgn(u) > 0 && fmpq_sgn(root) > 0) {
                fmpq_mul_2exp(part, u, 1);
                fmpq_div(part, part, root);
                if (fmpq_cmp(part, most) < 0) fmpq_set(s, part);
            } else if (fmpq_sgn(u) == 0 && fmpq_sgn(rate) < 0) {
                fmpq_mul_si(part, q, -2);
                fmpq_div(part, part, rate);
                if (fmpq_sgn(part) > 0 && fmpq_cmp(part, most) < 0) fmpq_set(s, part);
            }
        } else {
            /* An irrational fall matters only within the piece: u at its end, and its lowest value, decide. */
            fmpq_mul(part, rate, most);
            fmpq_add(square, q, part);
            fmpq_div_2exp(part, part, 1);
            fmpq_add(part, part, q);
            fmpq_mul(part, part, most);
            fmpq_add(part, part, u);
            rational = fmpq_sgn(part) > 0 && !(fmpq_sgn(q) < 0 && fmpq_sgn(square) > 0);
        }
    }
    return rational;
}

/* Time in (0, most] until q rises to 0 in contact, or `most`. */
static void time_of_release(fmpq_t s, const fmpq_t q, const fmpq_t rate, const fmpq_t most)
{
    fmpq_set(s, most);
    if (fmpq_sgn(rate) <= 0 || fmpq_sgn(q) >= 0) return;
    IC_RATIONALS(at);
    fmpq_div(at, q, rate);
    fmpq_neg(at, at);
    if (fmpq_cmp(at, most) < 0) fmpq_set(s, at);
}

/* Next start of a piece of r after t - 2 L/c, where q may change: the time at which it arrives. */
static void next_arrival(fmpq_t next, const ic_signorini_bar *bar, const fmpq_t sent, const fmpq_t t)
{
    IC_RATIONALS(wait);
    size_t i = 0;
    (void)piece_of(&i, bar, sent);
    if (i + 1 < bar->n_pieces) fmpq_sub(wait, bar->pieces[i + 1].from, sent);
    else fmpq_sub(wait, t, sent);
    fmpq_add(next, t, wait);
}

/* One piece from t on; t becomes its end. */
static bool advance(ic_signorini_bar *bar, fmpq_t t, const fmpq_t round_trip)
{
    IC_RATIONALS(sent, q, rate, next, most, u, s, loss);
    fmpq_sub(sent, t, round_trip);
    leaving_at(q, bar, sent, rate);
    fmpq_mul(loss, bar->g, round_trip);
    fmpq_sub(q, q, loss);
    next_arrival(next, bar, sent, t);
    fmpq_sub(most, next, t);
    potential_at(u, bar, t, true);
    potential_at(s, bar, t, false);
    fmpq_add(u, u, s);
    fmpq_div_2exp(u, u, 1);
    const int presses = fmpq_sgn(q) != 0 ? -fmpq_sgn(q) : -fmpq_sgn(rate);
    const bool contact = fmpq_sgn(u) == 0 && presses > 0;
    bool good = add_piece(bar, t, q, rate, contact);
    if (good && contact) time_of_release(s, q, rate, most);
    else if (good) good = time_of_fall(s, u, q, rate, most);
    fmpq_add(t, t, s);
    return good;
}

/* The undeformed bar: r = q = -v0 - g t from -L/c on, u = h0 at t = 0. */
static void begin(ic_signorini_bar *bar, const ic_signorini_data *data, const fmpq_t crossing)
{
    ic_signorini_piece *first = &bar->pieces[0];
    IC_RATIONALS(fall, v);
    bar->n_pieces = 1;
    first->contact = false;
    fmpq_neg(first->from, crossing);
    fmpq_mul(first->q, bar->g, crossing);
    fmpq_set_si(v, data->v0, 1);
    fmpq_sub(first->q, first->q, v);
    fmpq_neg(first->rate, bar->g);
    /* u = h0 - v0 t - g t^2/2 at t = -L/c */
    fmpq_mul(fall, bar->g, crossing);
    fmpq_div_2exp(fall, fall, 1);
    fmpq_sub(fall, v, fall);
    fmpq_mul(fall, fall, crossing);
    fmpq_set_si(first->P, data->h0, 1);
    fmpq_add(first->P, first->P, fall);
    fmpq_set(first->Q, first->P);
}

/* Until the first wave returns at L/c: the fall of the undeformed bar, and perhaps the first touch. */
static bool fall_to_floor(ic_signorini_bar *bar, fmpq_t t, const ic_signorini_data *data, const fmpq_t crossing)
{
    IC_RATIONALS(u, q, s, rate);
    fmpq_neg(rate, bar->g);
    fmpq_set_si(u, data->h0, 1);
    fmpq_set_si(q, -data->v0, 1);
    bool good = true;
    if (data->h0 > 0 || data->v0 < 0) good = time_of_fall(s, u, q, rate, crossing);
    if (good && fmpq_cmp(s, crossing) < 0) {
        fmpq_mul(u, rate, s);
        fmpq_add(q, q, u);
        good = add_piece(bar, s, q, rate, true);
    }
    fmpq_set(t, crossing);
    return good;
}

bool ic_signorini_bar_open(ic_signorini_bar *bar, const ic_signorini_data *data, const fmpq_t t_end)
{
    IC_RATIONALS(t, crossing, round_trip, last);
    fmpq_init(bar->L);
    fmpq_init(bar->c);
    fmpq_init(bar->g);
    for (size_t i = 0; i < IC_SIGNORINI_PIECES; i++) {
        ic_signorini_piece *piece = &bar->pieces[i];
        fmpq *all[PIECE_NUMBERS] = {piece->from, piece->q, piece->rate, piece->P, piece->Q};
        for (size_t k = 0; k < PIECE_NUMBERS; k++) fmpq_init(all[k]);
    }
    fmpq_set_si(bar->L, data->L, 1);
    fmpq_set_si(bar->c, data->c, 1);
    fmpq_set_si(bar->g, data->g, 1);
    fmpq_div(crossing, bar->L, bar->c);
    fmpq_mul_2exp(round_trip, crossing, 1);
    fmpq_add(last, t_end, crossing);
    begin(bar, data, crossing);
    bool good = fall_to_floor(bar, t, data, crossing);
    while (good && fmpq_cmp(t, last) <= 0) good = advance(bar, t, round_trip);
    return good;
}

void ic_signorini_bar_clear(ic_signorini_bar *bar)
{
    IC_EACH(fmpq_clear, bar->L, bar->c, bar->g);
    for (size_t i = 0; i < IC_SIGNORINI_PIECES; i++) {
        ic_signorini_piece *piece = &bar->pieces[i];
        fmpq *all[PIECE_NUMBERS] = {piece->from, piece->q, piece->rate, piece->P, piece->Q};
        for (size_t k = 0; k < PIECE_NUMBERS; k++) fmpq_clear(all[k]);
    }
}

/* ---- results */

void ic_signorini_bar_displacement(fmpq_t u, const ic_signorini_bar *bar, const fmpq_t x, const fmpq_t t)
{
    IC_RATIONALS(delay, at, part);
    fmpq_div(delay, x, bar->c);
    fmpq_mul(u, delay, delay);
    fmpq_mul(u, u, bar->g);
    fmpq_sub(at, t, delay);
    potential_at(part, bar, at, true);
    fmpq_add(u, u, part);
    fmpq_add(at, t, delay);
    potential_at(part, bar, at, false);
    fmpq_add(u, u, part);
    fmpq_div_2exp(u, u, 1);
}

/* Rate of the end in the piece at a time; in contact, that of the wave which the wall holds back. Returns whether there is contact. */
static bool follow_at(fmpq_t rate, const ic_signorini_bar *bar, const fmpq_t t)
{
    IC_RATIONALS(rise);
    size_t i = 0;
    (void)piece_of(&i, bar, t);
    follow(rate, rise, &bar->pieces[i], t);
    return bar->pieces[i].contact;
}

void ic_signorini_bar_force(fmpq_t strain, const ic_signorini_bar *bar, const fmpq_t t)
{
    const bool contact = follow_at(strain, bar, t);
    fmpq_div(strain, strain, bar->c);
    fmpq_neg(strain, strain);
    if (!contact) fmpq_zero(strain);
}

size_t ic_signorini_bar_events(const ic_signorini_bar *bar)
{
    size_t n = 0;
    for (size_t i = 1; i < bar->n_pieces; i++) n += bar->pieces[i].contact != bar->pieces[i - 1].contact;
    return n;
}

bool ic_signorini_bar_event(fmpq_t t, const ic_signorini_bar *bar, size_t i)
{
    for (size_t k = 1; k < bar->n_pieces; k++) {
        if (bar->pieces[k].contact == bar->pieces[k - 1].contact) continue;
        if (i-- > 0) continue;
        fmpq_set(t, bar->pieces[k].from);
        return true;
    }
    return false;
}
