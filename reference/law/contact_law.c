/* SPDX-License-Identifier: MIT */
/* Reads the problem from its texts and chooses the precision; the answers come from the module for
   the kind of law. */
#include "reference/law/contact_law.h"
#include "reference/expression.h"
#include "reference/law/contact_law_parts.h"

#include <stdio.h>
#include <string.h>

/* Bounds beyond which certification is refused. 1 - a e is about exp(-a) for large a: beyond 2^30,
   its logarithm and the departure, which is exponential in time, take too long. */
enum { MOST_BITS = 16384, MOST_DAMPING_BITS = 30 };

void ic_law_certificate_init(ic_law_certificate *c)
{
    *c = (ic_law_certificate){.status = IC_INVALID};
    c->par = _arb_vec_init(IC_LAW_MOST_PARAMETERS);
    arb_init(c->K), arb_init(c->n), arb_init(c->a), arb_init(c->c), arb_init(c->m), arb_init(c->v0);
    arb_init(c->e_out), arb_init(c->u_peak), arb_init(c->d_max), arb_init(c->F_max), arb_init(c->duration);
}

void ic_law_certificate_clear(ic_law_certificate *c)
{
    _arb_vec_clear(c->par, IC_LAW_MOST_PARAMETERS);
    arb_clear(c->K), arb_clear(c->n), arb_clear(c->a), arb_clear(c->c), arb_clear(c->m), arb_clear(c->v0);
    arb_clear(c->e_out), arb_clear(c->u_peak), arb_clear(c->d_max), arb_clear(c->F_max), arb_clear(c->duration);
}

/* ---- kinds of laws */

typedef enum law_kind { POWER, ELASTIC, LINEAR, OTHER } law_kind;

static law_kind kind_of(const ic_law *law)
{
    const bool damped = law->damping != NULL || law->restitution != NULL;
    const bool power = law->stiffness != NULL && law->power != NULL;
    if (law->dashpot != NULL) return power && !damped && strcmp(law->power, "1") == 0 ? LINEAR : OTHER;
    if (!damped) return OTHER;
    if (power) return POWER;
    return law->elastic != NULL && law->energy != NULL ? ELASTIC : OTHER;
}

bool ic_law_has_closed_form(const ic_law *law)
{
    return kind_of(law) != OTHER;
}

/* ---- the problem from its texts */

/* Exactly one of law (with texts) and problem is set. */
typedef struct source {
    const ic_law *law;
    const char *const *par_texts;
    const char *m_text, *v0_text;
    const ic_problem *problem;
} source;

/* A parameter's text may name those before it, so texts are evaluated in a case that consists of
   them alone. */
static bool read_parameters(ic_law_certificate *c, const source *from, slong prec)
{
    const ic_law *law = from->law;
    for (size_t i = 0; i < law->n_parameters; i++) {
        const ic_case before = {.parameters = law->parameters, .n_parameters = i};
        const ic_ball_names names = {.system = &before, .par = c->par};
        const bool given = from->par_texts != NULL && from->par_texts[i] != NULL;
        const char *text = given ? from->par_texts[i] : law->parameters[i].value;
        if (!ic_ball_number(c->par + i, text, &names, prec, c->message, sizeof c->message)) return false;
    }
    const ic_case all = {.parameters = law->parameters, .n_parameters = law->n_parameters};
    const ic_ball_names names = {.system = &all, .par = c->par};
    return ic_ball_number(c->m, from->m_text, &names, prec, c->message, sizeof c->message) &&
           ic_ball_number(c->v0, from->v0_text, &names, prec, c->message, sizeof c->message);
}

static bool take_parameter(arb_t value, const ic_problem *problem, arb_srcptr par, const char *name,
                           ic_law_certificate *c)
{
    for (size_t i = 0; i < problem->system->n_parameters; i++) {
        if (strcmp(problem->system->parameters[i].name, name) != 0) continue;
        arb_set(value, par + i);
        return true;
    }
    snprintf(c->message, sizeof c->message, "the case has no parameter '%.60s'", name);
    return false;
}

/* The law's parameters are the last of the case's. */
static bool read_case(ic_law_certificate *c, const source *from, slong prec)
{
    const ic_problem *problem = from->problem;
    const ic_free_impact *impact = problem->variant->free_impact;
    const size_t n = problem->system->n_parameters, of_law = from->law->n_parameters;
    IC_BALL_VECTOR(par, (slong)n);
    bool good = ic_ball_parameters(par, problem, prec, c->message, sizeof c->message);
    if (good) _arb_vec_set(c->par, par + (n - of_law), (slong)of_law);
    good = good && take_parameter(c->m, problem, par, impact->mass, c) &&
           take_parameter(c->v0, problem, par, impact->speed, c);
    return good;
}

/* The law's expressions may also contain the speed v0, as a parameter after the others. */
typedef struct stated {
    ic_parameter table[IC_LAW_MOST_PARAMETERS];
    ic_case system;
    ic_ball_names names;
} stated;

static void name_parameters(stated *s, const ic_law_certificate *c)
{
    const size_t n = c->law->n_parameters;
    *s = (stated){.system = {.parameters = s->table, .n_parameters = n + 1}};
    s->names = (ic_ball_names){.system = &s->system, .par = c->par};
    for (size_t i = 0; i < n; i++) s->table[i] = c->law->parameters[i];
    s->table[n].name = "v0";
}

static bool read_problem(ic_law_certificate *c, const source *from, slong prec)
{
    const ic_law *law = c->law;
    stated s;
    const struct {
        arb_ptr value;
        const char *text;
    } rows[] = {{c->K, law->stiffness},
                {c->n, law->power},
                {c->a, law->damping},
                {c->c, law->dashpot},
                {c->e_out, law->restitution}};
    name_parameters(&s, c);
    bool good = from->problem != NULL ? read_case(c, from, prec) : read_parameters(c, from, prec);
    if (good) arb_set(c->par + law->n_parameters, c->v0);
    for (size_t i = 0; good && i < IC_COUNT(rows); i++) {
        good = rows[i].text == NULL ||
               ic_ball_number(rows[i].value, rows[i].text, &s.names, prec, c->message, sizeof c->message);
    }
    return good;
}

/* ---- the domain: IC_OK, IC_INVALID, or IC_UNDECIDED where this precision does not decide a sign */

static ic_status judge_sign(ic_law_certificate *c, const arb_t value, const char *name, bool may_be_zero)
{
    const bool zero = arb_is_zero(value);
    if (arb_is_positive(value) || (zero && may_be_zero)) return IC_OK;
    const bool wrong = zero || arb_is_negative(value);
    snprintf(c->message, sizeof c->message, "%s %s %s", name, wrong ? "must be" : "could not be proved to be",
             may_be_zero ? "at least 0" : "positive");
    return wrong ? IC_INVALID : IC_UNDECIDED;
}

static ic_status judge_numbers(ic_law_certificate *c)
{
    const ic_law *law = c->law;
    const struct {
        arb_srcptr value;
        const char *text, *name;
        bool may_be_zero;
    } rows[] = {{c->K, law->stiffness, "the stiffness K", false},
                {c->n, law->power, "the power n", false},
                {c->a, law->damping, "the damping a", true},
                {c->c, law->dashpot, "the damping c", true},
                {c->e_out, law->restitution, "the restitution e", false},
                {c->m, "m", "the mass m", false},
                {c->v0, "v0", "the speed v0", false}};
    ic_status status = IC_OK;
    for (size_t i = 0; status == IC_OK && i < IC_COUNT(rows); i++) {
        if (rows[i].text != NULL) status = judge_sign(c, rows[i].value, rows[i].name, rows[i].may_be_zero);
    }
    return status;
}

static ic_status judge_requirements(ic_law_certificate *c, slong prec)
{
    ic_status status = IC_OK;
    stated s;
    IC_BALLS(value);
    name_parameters(&s, c);
    for (size_t i = 0; status == IC_OK && i < c->law->n_requirements; i++) {
        const ic_requirement *requirement = &c->law->requirements[i];
        if (!ic_ball_number(value, requirement->positive, &s.names, prec, c->message, sizeof c->message)) {
            status = IC_INVALID;
        } else if (!arb_is_positive(value)) {
            status = arb_is_nonpositive(value) ? IC_INVALID : IC_UNDECIDED;
            snprintf(c->message, sizeof c->message, "%.180s: %.80s is not %spositive", requirement->meaning,
                     requirement->positive, status == IC_UNDECIDED ? "proved to be " : "");
        }
    }
    return status;
}

/* e <= 1, and the damping that results in e */
static ic_status judge_restitution(ic_law_certificate *c, slong prec)
{
    IC_BALLS(one);
    if (c->law->restitution == NULL) return IC_OK;
    arb_one(one);
    const ic_status status = arb_le(c->e_out, one) ? IC_OK : arb_gt(c->e_out, one) ? IC_INVALID : IC_UNDECIDED;
    if (status != IC_OK) {
        snprintf(c->message, sizeof c->message, "the restitution e %s at most 1",
                 status == IC_INVALID ? "must be" : "could not be proved to be");
    } else {
        ic_law_find_damping(c->a, c->e_out, prec);
    }
    return status;
}

static ic_status judge_damping(ic_law_certificate *c, slong prec)
{
    IC_BOUNDS(most);
    arb_get_mag(most, c->a);
    const bool within = mag_cmp_2exp_si(most, MOST_DAMPING_BITS) <= 0;
    if (within) return IC_OK;
    if (arb_is_finite(c->a)) {
        snprintf(c->message, sizeof c->message, "a damping a above 2^%d is not certified", MOST_DAMPING_BITS);
        return IC_UNSUPPORTED;
    }
    snprintf(c->message, sizeof c->message, "the damping a is not enclosed with %ld bits", (long)prec);
    return IC_UNDECIDED;
}

static ic_status read_and_judge(ic_law_certificate *c, const source *from, slong prec)
{
    if (!read_problem(c, from, prec)) return IC_INVALID;
    ic_status status = judge_requirements(c, prec);
    if (status == IC_OK) status = judge_numbers(c);
    if (status == IC_OK) status = judge_restitution(c, prec);
    if (status == IC_OK) status = judge_damping(c, prec);
    return status;
}

/* ---- certification */

/* Bits beyond `prec` for differences that are divided by a^2. */
static slong bits_for_small(const arb_t a)
{
    IC_BOUNDS(low);
    slong bits = 0;
    arb_get_mag_lower(low, a);
    if (!mag_is_special(low) && mag_cmp_2exp_si(low, -MOST_BITS) > 0 && mag_cmp_2exp_si(low, 0) < 0) {
        bits = -2 * (slong)MAG_EXP(low) + 4;
    }
    return bits;
}

static ic_law_bits precision_bits(const ic_law_certificate *c, slong prec)
{
    return (ic_law_bits){prec, prec + bits_for_small(c->a)};
}

/* 10^digits radius <= |value|, or exactly infinite */
static bool is_accurate(const arb_t value, long digits)
{
    IC_BALLS(limit, radius);
    if (arb_is_exact(value) && arf_is_pos_inf(arb_midref(value))) return true;
    arb_set_si(limit, 10);
    arb_pow_ui(limit, limit, (ulong)digits, (slong)2 * IC_LAW_GUARD_BITS);
    arb_get_rad_arb(radius, value);
    arb_mul(radius, radius, limit, (slong)2 * IC_LAW_GUARD_BITS);
    arb_abs(limit, value);
    return arb_is_finite(value) && arb_le(radius, limit);
}

static bool answers_are_accurate(const ic_law_certificate *c, long digits)
{
    return is_accurate(c->e_out, digits) && is_accurate(c->u_peak, digits) && is_accurate(c->d_max, digits) &&
           is_accurate(c->F_max, digits) && is_accurate(c->duration, digits);
}

static ic_status compute_answers(ic_law_certificate *c, ic_law_bits bits)
{
    IC_BALLS(stated);
    arb_set(stated, c->e_out);
    const law_kind what = kind_of(c->law);
    const ic_status status = what == POWER     ? ic_law_answer_power(c, bits)
                             : what == ELASTIC ? ic_law_answer_elastic(c, bits)
                                               : ic_law_answer_linear(c, bits);
    if (c->law->restitution != NULL) arb_set(c->e_out, stated);
    return status;
}

static ic_status certify_at_precision(ic_law_certificate *c, const source *from, slong prec, long digits)
{
    ic_status status = read_and_judge(c, from, prec);
    if (status != IC_OK) return status;
    const ic_law_bits bits = precision_bits(c, prec);
    if (bits.fine > prec) status = read_and_judge(c, from, bits.fine);
    if (status == IC_OK) status = compute_answers(c, bits);
    if (status != IC_OK || answers_are_accurate(c, digits)) return status;
    snprintf(c->message, sizeof c->message, "%ld digits were not reached with %ld bits", digits, (long)prec);
    return IC_UNDECIDED;
}

static void certify_problem(ic_law_certificate *c, const source *from, long digits)
{
    c->law = from->law;
    c->message[0] = '\0';
    c->status = IC_UNSUPPORTED;
    arb_zero(c->K), arb_zero(c->n), arb_zero(c->a), arb_zero(c->c);
    if (kind_of(c->law) == OTHER || c->law->n_parameters >= IC_LAW_MOST_PARAMETERS) {
        snprintf(c->message, sizeof c->message,
                 "the law %s has no first integral and is not linear: its impacts have no closed form",
                 c->law->name);
        return;
    }
    c->status = IC_INVALID;
    if (digits < 1 || digits > MOST_BITS / 8) {
        snprintf(c->message, sizeof c->message, "digits must be from 1 to %d", MOST_BITS / 8);
        return;
    }
    c->status = IC_UNDECIDED;
    for (slong prec = digits * 10 / 3 + IC_LAW_GUARD_BITS; c->status == IC_UNDECIDED && prec <= MOST_BITS;
         prec *= 2) {
        c->precision = prec;
        c->status = certify_at_precision(c, from, prec, digits);
    }
    if (c->status == IC_OK) c->message[0] = '\0';
}

void ic_law_certify(ic_law_certificate *c, const ic_law *law, const char *const *par_texts, const char *m_text,
                    const char *v0_text, long digits)
{
    certify_problem(c, &(source){.law = law, .par_texts = par_texts, .m_text = m_text, .v0_text = v0_text},
                    digits);
}

void ic_law_certify_problem(ic_law_certificate *c, const ic_problem *problem, long digits)
{
    if (problem->variant->free_impact == NULL || problem->variant->law == NULL) {
        c->status = IC_UNSUPPORTED;
        snprintf(c->message, sizeof c->message, "variant '%.60s' is not a free impact on a contact-force law",
                 problem->variant->name);
        return;
    }
    certify_problem(c, &(source){.law = problem->variant->law, .problem = problem}, digits);
}

bool ic_law_indentation(arb_t d, const ic_law_certificate *c, const arb_t u)
{
    IC_BALLS(one, end);
    arb_one(one);
    arb_neg(end, c->e_out);
    const bool inside = c->status == IC_OK && kind_of(c->law) != LINEAR && !arb_gt(u, one) && !arb_lt(u, end);
    if (inside) {
        if (kind_of(c->law) == POWER) ic_law_path_power(d, c, precision_bits(c, c->precision), u);
        else ic_law_path_elastic(d, c, precision_bits(c, c->precision), u);
    }
    return inside;
}
