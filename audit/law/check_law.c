/* SPDX-License-Identifier: MIT */
/* Checks of a contact-force law: a row for each measure, in the setting of its parameters and the
   speed where it is worst. */
#include "audit/law/check_law.h"
#include "audit/common/tolerances.h"
#include "audit/law/law_claim.h"
#include "audit/law/law_measures.h"
#include "audit/law/law_restitution.h"
#include "audit/law/law_texts.h"

#include <math.h>
#include <stdio.h>

/* What the law does wrong otherwise, if it answers by what it was asked before. */
static ic_mistake_id cause_of(const ic_law_measures *m, ic_law_measure measure, ic_mistake_id mistake)
{
    if (m->memory > 0 || m->memory_stuck) return IC_MISTAKE_MEMORY_NOT_RESET;
    return isfinite(m->worst[measure].value) ? mistake : IC_MISTAKE_NOT_FINITE;
}

/* ", with e = 0.02"; "" at the defaults */
static const char *with(char text[80], const ic_law *law, const ic_law_setting *setting)
{
    text[0] = '\0';
    if (setting->parameter < law->n_parameters)
        snprintf(text, 80, ", with %.40s = %.6g", law->parameters[setting->parameter].name, setting->value);
    return text;
}

static void tell(ic_sink *sink, const ic_law_measures *m, ic_plugin_check check, ic_law_measure measure,
                 ic_mistake_id mistake)
{
    const ic_law_worst *w = &m->worst[measure];
    const bool exact = measure < IC_OF_RATE;
    const ic_measured measured = {
        w->value, exact ? ic_tolerance_law_integration.value : ic_tolerance_law_rate.value,
        exact ? ic_tolerance_law_integration.derivation : ic_tolerance_law_rate.derivation,
        cause_of(m, measure, mistake)};
    char setting[80];
    ic_sink_place(sink, "impact at %g m/s%.50s", w->v0, with(setting, m->probe.law, &w->setting));
    if (isnan(w->d)) ic_sink_measure(sink, check, &measured, "worst there");
    else ic_sink_measure(sink, check, &measured, "worst there at d = %.4g m, v = %.4g m/s", w->d, w->v);
    ic_sink_place(sink, "%s", "");
}

static void tell_if_promised(ic_sink *sink, const ic_law_measures *m, unsigned promise, ic_plugin_check check,
                             ic_law_measure measure, ic_mistake_id mistake, const char *promise_text)
{
    if ((m->probe.law->promises & promise) != 0) tell(sink, m, check, measure, mistake);
    else ic_sink_open(sink, check, m->worst[measure].value, "%s is not promised", promise_text);
}

static void tell_rebound(ic_sink *sink, const ic_law_measures *m, ic_mistake_id gives)
{
    const ic_law_worst *w = &m->worst[IC_OF_REBOUND];
    const ic_measured measured = {w->value, ic_tolerance_law_integration.value,
                                  ic_tolerance_law_integration.derivation, cause_of(m, IC_OF_REBOUND, gives)};
    char setting[80];
    ic_sink_place(sink, "impact at %g m/s%.50s", w->v0, with(setting, m->probe.law, &w->setting));
    ic_sink_measure(sink, IC_CHECK_LAW_REBOUND, &measured,
                    "e_out less 1 is greatest there; it is %.5g, %.5g and %.5g at 0.3, 1 and 3 m/s",
                    m->restitution[0], m->restitution[1], m->restitution[2]);
    ic_sink_place(sink, "%s", "");
}

static void tell_memory(ic_sink *sink, const ic_law_measures *m)
{
    const ic_measured measured = {m->memory_stuck ? 1 : m->memory, 0, "the same arguments, the same answer",
                                  IC_MISTAKE_MEMORY_NOT_RESET};
    ic_sink_measure(sink, IC_CHECK_LAW_MEMORY, &measured, "%s",
                    m->memory_stuck ? "remember() says the same of impacts at 0.01 to 30 m/s"
                                    : "forces at 1e-9 to 1e-3 m before and after others, and other impacts");
}

static void tell_calls(ic_sink *sink, const ic_law_measures *m)
{
    const ic_law_probe *p = &m->probe;
    const size_t damage = ic_guarded_damage(&p->par) + p->written;
    const ic_measured bounds = {(double)damage, 0, "none may change", IC_MISTAKE_WRITES_OUT_OF_BOUNDS};
    const ic_measured finite = {(double)p->not_finite, 0, "none", IC_MISTAKE_NOT_FINITE};
    char setting[80] = "";
    if (p->not_finite > 0) with(setting, p->law, &m->spoilt);
    ic_sink_measure(sink, IC_CHECK_BOUNDS, &bounds, "bytes of and around the table of %zu parameters",
                    p->law->n_parameters);
    ic_sink_measure(sink, IC_CHECK_FINITE, &finite,
                    "forces, rates and memories, of arguments that are finite%s%s", setting,
                    p->not_finite > 0 ? " at first" : "");
}

static void tell_all(ic_sink *sink, const ic_law_measures *m)
{
    const ic_law *law = m->probe.law;
    const bool gives = !(m->worst[IC_OF_DISSIPATION].value <= ic_tolerance_law_integration.value),
               above = m->worst[IC_OF_GAP].measured &&
                       !(m->worst[IC_OF_GAP].value <= ic_tolerance_law_integration.value),
               jumps = !(m->worst[IC_OF_CONTINUITY].value <= ic_tolerance_law_integration.value);
    tell_if_promised(sink, m, IC_LAW_CONTINUOUS_ONSET, IC_CHECK_LAW_ONSET, IC_OF_ONSET,
                     above ? IC_MISTAKE_FORCE_WITHOUT_CONTACT : IC_MISTAKE_FORCE_JUMPS, "a continuous onset");
    if (m->worst[IC_OF_GAP].measured)
        tell(sink, m, IC_CHECK_LAW_GAP, IC_OF_GAP, IC_MISTAKE_FORCE_WITHOUT_CONTACT);
    tell(sink, m, IC_CHECK_LAW_CONTINUITY, IC_OF_CONTINUITY, IC_MISTAKE_FORCE_JUMPS);
    tell(sink, m, IC_CHECK_LAW_LOSES, IC_OF_DISSIPATION, IC_MISTAKE_DAMPING_SIGN);
    tell_rebound(sink, m,
                 gives   ? IC_MISTAKE_DAMPING_SIGN
                 : jumps ? IC_MISTAKE_FORCE_JUMPS
                         : IC_MISTAKE_ENERGY_APPEARS);
    tell_if_promised(sink, m, IC_LAW_NO_TENSION, IC_CHECK_LAW_TENSION, IC_OF_TENSION, IC_MISTAKE_ADHESION_KEPT,
                     "that it does not pull");
    tell_memory(sink, m);
    tell(sink, m, IC_CHECK_LAW_RATE, IC_OF_RATE, IC_MISTAKE_RATE_WRONG);
    if (law->stored_energy != NULL)
        tell(sink, m, IC_CHECK_LAW_ENERGY, IC_OF_ENERGY_HELD, IC_MISTAKE_ENERGY_MISTOLD);
    if (law->rising != NULL) tell(sink, m, IC_CHECK_LAW_RISING, IC_OF_RISING, IC_MISTAKE_RATE_WRONG);
    if (law->pushing != NULL) tell(sink, m, IC_CHECK_LAW_PUSHING, IC_OF_PUSHING, IC_MISTAKE_RATE_WRONG);
}

static void audit(ic_sink *sink, ic_law_measures *m)
{
    ic_law_measure_all(m, sink);
    tell_all(sink, m);
    ic_sink_doing(sink, "its closed form, and free impacts over e and the speed");
    ic_law_check_restitution(sink, &m->probe, ic_law_check_texts(sink, &m->probe));
    ic_sink_doing(sink, "comparison with known laws");
    ic_law_check_claim(sink, &m->probe);
    ic_law_classify(sink, &m->probe);
    tell_calls(sink, m);
}

void ic_audit_law(ic_sink *sink, const ic_law *law)
{
    ic_law_measures m = {.setting = {.parameter = law->n_parameters}};
    ic_error error = {""};
    ic_sink_doing(sink, "the first forces");
    const bool good = ic_law_probe_open(&m.probe, law, &error);
    const ic_measured measured = {good ? 0 : 1, 0, "public header", IC_NO_MISTAKE};
    ic_sink_measure(sink, IC_CHECK_LAW_PARAMETERS, &measured, "%s",
                    good ? "defaults are numbers in range" : error.text);
    if (good) audit(sink, &m);
    ic_law_probe_close(&m.probe);
}
