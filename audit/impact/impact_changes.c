/* SPDX-License-Identifier: MIT */
/* Groups, mistakes and words of the changes that a model knows. */
#include "audit/impact/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char number[] = "%.7g";

static const struct {
    ic_change_group group;
    ic_mistake_id mistake;

    /* with at most one number, in %.7g */
    const char *text;
} changes[IC_CHANGE_KINDS] = {
    [IC_CHANGE_NONE] = {IC_GROUP_NONE, IC_NO_MISTAKE, "nothing"},
#define IC_WALKED(group_, kind_, mistake_, text_)                                                              \
    [IC_##group_##_##kind_] = {IC_GROUP_##group_, IC_MISTAKE_##mistake_, text_},
#define IC_BELIEF(group_, kind_, mistake_, text_, ...) IC_WALKED(group_, kind_, mistake_, text_)
#define IC_ANSWER IC_BELIEF
#include "audit/impact/impact_changes.def"
};

ic_change_group ic_change_group_of(ic_change_kind kind)
{
    return changes[kind].group;
}

bool ic_change_has_number(ic_change_kind kind)
{
    return strstr(changes[kind].text, number) != NULL || kind == IC_MU_CURVE || kind == IC_E_CURVE;
}

bool ic_change_breaks_momentum(const ic_impact_change *c)
{
    if (c->true_velocity || c->kind == IC_V_SHIFTED_X || c->kind == IC_V_SLIP_HELD) return false;
    return c->kind <= IC_V_SLIP_HELD || (c->kind >= IC_P_X_SIGN);
}

static bool is_power_of_ten(double factor)
{
    const double power = log10(factor);
    return fabs(power) > 0.5 && fabs(power - round(power)) <= 1e-6;
}

ic_mistake_id ic_change_mistake(const ic_impact_change *change)
{
    if (change->kind == IC_MU_CURVE || change->kind == IC_E_CURVE)
        return ic_impact_curve_mistake(change->curve, changes[change->kind].mistake);
    if (change->kind == IC_E_CONSTANT && change->by < 0) return IC_MISTAKE_PENETRATES;
    /* part of the slip is kept: that has no name */
    if ((change->kind == IC_V_X_RETURNED || change->kind == IC_V_X_RETURNED_E) && change->by < 0)
        return IC_NO_MISTAKE;
    if (change->kind == IC_END_SCALED && change->by < 1) return IC_MISTAKE_PENETRATES;
    const bool by_unit = change->kind == IC_P_SCALED || change->kind == IC_OUT_V_SCALED;
    return by_unit && !is_power_of_ten(change->by) ? IC_MISTAKE_MOMENTUM_BROKEN : changes[change->kind].mistake;
}

/* The texts contain their number as "%.7g". */
void ic_change_describe(char *text, size_t size, const ic_impact_change *change)
{
    if (change->kind == IC_MU_CURVE || change->kind == IC_E_CURVE) {
        ic_impact_curve_describe(text, size, change->curve, change->kind == IC_MU_CURVE ? "mu" : "e");
        return;
    }
    const char *whole = changes[change->kind].text, *at = strstr(whole, number);
    if (at == NULL) snprintf(text, size, "%s", whole);
    else
        snprintf(text, size, "%.*s%.7g%s", (int)(at - whole), whole,
                 change->kind == IC_MU_ROUNDED || change->kind == IC_E_ROUNDED ? fabs(change->by) : change->by,
                 at + sizeof number - 1);
}
