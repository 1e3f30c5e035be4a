/* SPDX-License-Identifier: MIT */
/* Checks of a contact-force law: a row for each measure, at the worst setting of the parameters and
   the worst speed. */
#include "audit/common/tolerances.h"
#include "audit/law/law.h"

#include <math.h>

/* Changes of an answer by less are those of rounding. */
#define ROUNDING 1e-12

static bool keeps_parameter(const ic_law_measures *m)
{
    return m->calls.kept_parameter < m->probe.law->n_parameters;
}

/* A mistake that explains all other failures: they get no cause of their own. */
static ic_mistake_id whole_cause(const ic_law_measures *m)
{
    if (ic_guarded_damage(&m->probe.par) + m->probe.written > 0) return IC_MISTAKE_WRITES_OUT_OF_BOUNDS;
    if (m->calls.unset > 0) return IC_MISTAKE_UNSET_MEMORY;
    if (m->memory > ROUNDING || m->memory_stuck || keeps_parameter(m)) return IC_MISTAKE_MEMORY_NOT_RESET;
    if (m->calls.rounding && m->memory > 0) return IC_MISTAKE_ROUNDING_MODE;
    return m->pulls ? IC_MISTAKE_SIGN_REVERSED : IC_NO_MISTAKE;
}

static ic_mistake_id choose_cause(const ic_law_measures *m, ic_law_measure measure, ic_mistake_id mistake)
{
    const ic_mistake_id whole = whole_cause(m);
    if (whole != IC_NO_MISTAKE) return whole;
    if (!isfinite(m->worst[measure].value)) return IC_MISTAKE_NOT_FINITE;
    if (m->calls.single != NULL && mistake == IC_MISTAKE_RATE_WRONG) return IC_MISTAKE_SINGLE_PRECISION;
    const bool follows = measure == IC_OF_ONSET || measure == IC_OF_CONTINUITY ||
                         measure == IC_OF_DISSIPATION || measure == IC_OF_REBOUND;
    if (follows && m->claim.explained && !m->claim.named[mistake]) return IC_NO_MISTAKE;
    return m->explained && mistake == IC_MISTAKE_ENERGY_APPEARS ? IC_NO_MISTAKE : mistake;
}

static void add_row(ic_finding_writer *writer, const ic_law_measures *m, ic_plugin_check check,
                    ic_law_measure measure, ic_mistake_id mistake)
{
    const ic_law_worst *w = &m->worst[measure];
    const ic_tolerance *t = measure < IC_OF_RATE ? &ic_tolerance_law_integration : &ic_tolerance_law_rate;
    const ic_judged_value measured = {w->value, t->value, t->derivation, choose_cause(m, measure, mistake)};
    ic_writer_set_place(writer, "impact at %g m/s%.50s", w->v0,
                        ic_law_setting_text(m->probe.law, &w->setting).text);
    if (measure == IC_OF_REBOUND)
        ic_write_measured(writer, check, &measured, "e_out is %.6g there%s", w->value + 1,
                          w->value + 1 >= IC_MOST_PROBE_SPEED ? " or more: the simulation ends at that"
                                                              : ", the greatest");
    else if (measure == IC_OF_ONSET && !isnan(m->begins))
        ic_write_measured(
            writer, check, &measured,
            "reach() says that contact begins at d = %.4g m, but the force begins elsewhere, such as %.4g m",
            w->d, m->begins);
    else if (isnan(w->d)) ic_write_measured(writer, check, &measured, "worst there");
    else ic_write_measured(writer, check, &measured, "worst there at d = %.4g m, v = %.4g m/s", w->d, w->v);
    ic_writer_set_place(writer, "%s", "");
}

static void add_promised_row(ic_finding_writer *writer, const ic_law_measures *m, unsigned promise,
                             ic_plugin_check check, ic_law_measure measure, ic_mistake_id mistake,
                             const char *promise_text)
{
    if ((m->probe.law->promises & promise) != 0) add_row(writer, m, check, measure, mistake);
    else ic_write_open(writer, check, m->worst[measure].value, "%s is not promised", promise_text);
}

static void add_call_rows(ic_finding_writer *writer, const ic_law_measures *m)
{
    const ic_law_probe *p = &m->probe;
    const size_t damage = ic_guarded_damage(&p->par) + p->written;
    const ic_judged_value bounds = {(double)damage, 0, "none may change", IC_MISTAKE_WRITES_OUT_OF_BOUNDS};
    const ic_judged_value finite = {(double)p->not_finite, 0, "none", IC_MISTAKE_NOT_FINITE};
    ic_write_measured(writer, IC_CHECK_BOUNDS, &bounds, "bytes in and around the table of %zu parameters",
                      p->law->n_parameters);
    ic_write_measured(writer, IC_CHECK_FINITE, &finite, "forces, rates and memories for finite arguments%s%s",
                      p->not_finite > 0 ? ic_law_setting_text(p->law, &m->spoilt).text : "",
                      p->not_finite > 0 ? " at first" : "");
}

static bool exceeds(const ic_law_measures *m, ic_law_measure measure)
{
    return m->worst[measure].measured && !(m->worst[measure].value <= ic_tolerance_law_integration.value);
}

/* A mistake by which the force differs from that of the law of the same name, unless a closer one is found. */
static ic_mistake_id shape_cause(const ic_law_measures *m)
{
    if (exceeds(m, IC_OF_GAP)) return IC_MISTAKE_FORCE_WITHOUT_CONTACT;
    const bool onset = (m->probe.law->promises & IC_LAW_CONTINUOUS_ONSET) != 0 && exceeds(m, IC_OF_ONSET);
    return onset || exceeds(m, IC_OF_CONTINUITY) ? IC_MISTAKE_FORCE_JUMPS : IC_NO_MISTAKE;
}

static void add_memory_row(ic_finding_writer *writer, const ic_law_measures *m)
{
    const bool kept = keeps_parameter(m);
    const ic_judged_value memory = {
        m->memory_stuck || kept ? 1 : m->memory, 0, "the same arguments, the same answer",
        m->memory > ROUNDING || m->memory_stuck || kept ? IC_MISTAKE_MEMORY_NOT_RESET : whole_cause(m)};
    if (kept)
        ic_write_measured(
            writer, IC_CHECK_LAW_MEMORY, &memory,
            "forces with another '%.40s' depend on whether the law was called with its default before",
            m->probe.law->parameters[m->calls.kept_parameter].name);
    else
        ic_write_measured(
            writer, IC_CHECK_LAW_MEMORY, &memory, "%s",
            m->memory_stuck ? "remember() returns the same for impacts at 0.01 to 30 m/s"
            : m->memory > ROUNDING
                ? "forces depend on earlier calls: what a contact remembers, such as its greatest depth, "
                  "belongs in the memory that the caller keeps (update in the public header)"
                : "forces at 1e-9 to 1e-3 m before and after others, and other impacts");
}

static void add_rows(ic_finding_writer *writer, const ic_law_measures *m)
{
    const ic_law *law = m->probe.law;
    const bool gives = exceeds(m, IC_OF_DISSIPATION), above = exceeds(m, IC_OF_GAP),
               jumps = exceeds(m, IC_OF_CONTINUITY);
    add_promised_row(writer, m, IC_LAW_CONTINUOUS_ONSET, IC_CHECK_LAW_ONSET, IC_OF_ONSET,
                     above              ? IC_MISTAKE_FORCE_WITHOUT_CONTACT
                     : isnan(m->begins) ? IC_MISTAKE_FORCE_JUMPS
                                        : IC_MISTAKE_CONTACT_DISPLACED,
                     "a continuous onset");
    if (m->worst[IC_OF_GAP].measured)
        add_row(writer, m, IC_CHECK_LAW_GAP, IC_OF_GAP, IC_MISTAKE_FORCE_WITHOUT_CONTACT);
    add_row(writer, m, IC_CHECK_LAW_CONTINUITY, IC_OF_CONTINUITY, IC_MISTAKE_FORCE_JUMPS);
    add_row(writer, m, IC_CHECK_LAW_LOSES, IC_OF_DISSIPATION, IC_MISTAKE_DAMPING_SIGN);
    add_row(writer, m, IC_CHECK_LAW_REBOUND, IC_OF_REBOUND,
            gives   ? IC_MISTAKE_DAMPING_SIGN
            : jumps ? IC_MISTAKE_FORCE_JUMPS
                    : IC_MISTAKE_ENERGY_APPEARS);
    add_promised_row(writer, m, IC_LAW_NO_TENSION, IC_CHECK_LAW_TENSION, IC_OF_TENSION,
                     IC_MISTAKE_ADHESION_KEPT, "that it does not pull");
    add_memory_row(writer, m);
    if (law->force_rate != NULL) add_row(writer, m, IC_CHECK_LAW_RATE, IC_OF_RATE, IC_MISTAKE_RATE_WRONG);
    else
        ic_write_open(writer, IC_CHECK_LAW_RATE, NAN,
                      "the law has no function for it: audits do without, cases need it");
    if (law->update != NULL)
        add_row(writer, m, IC_CHECK_LAW_HISTORY, IC_OF_HISTORY,
                m->history_unused ? IC_MISTAKE_HISTORY_IGNORED : IC_MISTAKE_HISTORY_BY_STEPS);
    if (law->stored_energy != NULL && law->update != NULL)
        ic_write_open(writer, IC_CHECK_LAW_ENERGY, NAN, "the energy of a law with a history depends on it");
    else if (law->stored_energy != NULL)
        add_row(writer, m, IC_CHECK_LAW_ENERGY, IC_OF_ENERGY_HELD, IC_MISTAKE_ENERGY_MISTOLD);
    if (m->worst[IC_OF_KINK].measured)
        add_row(writer, m, IC_CHECK_LAW_KINK, IC_OF_KINK, IC_MISTAKE_KINK_MISPLACED);
    if (law->rising != NULL && law->force_rate != NULL)
        add_row(writer, m, IC_CHECK_LAW_RISING, IC_OF_RISING, IC_MISTAKE_RATE_WRONG);
    if (law->pushing != NULL && law->force_rate != NULL)
        add_row(writer, m, IC_CHECK_LAW_PUSHING, IC_OF_PUSHING, IC_MISTAKE_RATE_WRONG);
}

/* Rows, those of the most general mistakes first. */
static void add_all_rows(ic_finding_writer *writer, ic_law_measures *m)
{
    const ic_mistake_id whole = whole_cause(m);
    add_call_rows(writer, m);
    ic_law_calls_write(writer, &m->calls);
    ic_announce_operation(writer, "comparison with known laws");
    ic_law_fitting fitting;
    ic_law_classify(&fitting, writer, &m->probe);
    const ic_law_claim_causes causes = {
        .fits = fitting.alone, .whole = whole, .shape = shape_cause(m), .single = m->calls.single != NULL};
    const size_t idle = ic_law_find_idle(&m->probe);
    if (idle < m->probe.law->n_parameters)
        ic_write_open(
            writer, IC_CHECK_LAW_EFFECT, NAN,
            "'%.40s' changes neither force nor memory, energy, reach or kink at any value that was tried: "
            "is it forgotten?",
            m->probe.law->parameters[idle].name);
    const bool right = ic_law_check_claim(&m->claim, writer, &m->probe, &causes);
    m->explained = !right || whole != IC_NO_MISTAKE;
    ic_law_check_identity(writer, &m->probe, &fitting, &m->claim, right);
    ic_announce_operation(writer, "its closed form");
    const ic_mistake_id texts =
        ic_law_check_texts(writer, &m->probe, m->explained, exceeds(m, IC_OF_DISSIPATION));
    if (texts == IC_MISTAKE_PARAMETERS_EXCHANGED) m->claim.explained = m->claim.named[texts] = true;
    add_rows(writer, m);
    ic_announce_operation(writer, "free impacts over e and the speed");
    ic_law_check_restitution(writer, &m->probe, texts, m->explained);
}

void ic_audit_law(ic_finding_writer *writer, const ic_law *law, const ic_law_host *host, uint64_t seed)
{
    ic_law_measures m = {.setting = {.parameter = law->n_parameters}};
    ic_error error = {""};
    ic_announce_operation(writer, "the first forces");
    ic_law_calls_begin(&m.calls, law, host);
    const bool good = ic_law_probe_open(&m.probe, law, host, seed, &error);
    const ic_judged_value measured = {good ? 0 : 1, 0, "public header", IC_NO_MISTAKE};
    ic_write_measured(writer, IC_CHECK_LAW_PARAMETERS, &measured, "%s",
                      good ? "the defaults are numbers within their ranges" : error.text);
    if (good) {
        ic_law_measure_all(&m, writer);
        add_all_rows(writer, &m);
    }
    ic_law_probe_close(&m.probe);
}
