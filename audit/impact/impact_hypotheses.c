/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact_hypotheses.h"

#include "audit/impact/impact_laws.h"

#include <math.h>
#include <stdio.h>

/* The factor by which the second hypothesis must fit worse. */
#define APART 10

static const char *const names[IC_HYPOTHESES + 1] = {"newton",         "poisson",      "stronge",
                                                     "newton-at-once", "frictionless", "no known hypothesis"};

static const struct {
    const char *text;
    ic_mistake_id mistake;
} faults[IC_IMPACT_FAULTS] = {
    [IC_NO_FAULT] = {"", IC_NO_MISTAKE},
    [IC_E_SQUARED] = {"with e^2 in place of e", IC_MISTAKE_RESTITUTION_SQUARED},
    [IC_E_ROOT] = {"with sqrt(e) in place of e", IC_MISTAKE_RESTITUTION_SQUARED},
    [IC_UNCOUPLED] = {"with w_xy = 0", IC_MISTAKE_COUPLING_IGNORED},
    [IC_COUPLING_REVERSED] = {"with -w_xy in place of w_xy", IC_MISTAKE_SIGN_REVERSED},
    [IC_MASS_FOR_INVERSE] = {"with W^-1 in place of W", IC_MISTAKE_MASS_FOR_INVERSE},
    [IC_DEGREES] = {"with the friction angle in degrees", IC_MISTAKE_UNITS_MIXED},
};

const char *ic_hypothesis_name(ic_hypothesis hypothesis)
{
    return names[hypothesis];
}

ic_impact ic_impact_with_fault(const ic_impact *impact, ic_impact_fault fault)
{
    ic_impact p = *impact;
    const double det = p.w_xx * p.w_yy - p.w_xy * p.w_xy;
    switch (fault) {
    case IC_E_SQUARED: p.e *= p.e; break;
    case IC_E_ROOT: p.e = sqrt(p.e); break;
    case IC_UNCOUPLED: p.w_xy = 0; break;
    case IC_COUPLING_REVERSED: p.w_xy = -p.w_xy; break;
    case IC_MASS_FOR_INVERSE:
        p.w_xx = impact->w_yy / det, p.w_yy = impact->w_xx / det, p.w_xy = -impact->w_xy / det;
        break;
    case IC_DEGREES: p.mu = tan(atan(p.mu) * M_PI / 180); break;
    default: break;
    }
    return p;
}

void ic_hypotheses_compare(ic_hypothesis_fits *fits, const ic_impact *impact, const double P[2])
{
    for (int t = 0; t < IC_IMPACT_FAULTS; t++) {
        const ic_impact p = ic_impact_with_fault(impact, (ic_impact_fault)t);
        for (int h = 0; h < IC_HYPOTHESES; h++) {
            double known[2], *worst = &fits->misfit[h][t];
            if (!ic_impact_law_find(names[h])->impulse(known, &p)) continue;
            const double scale = hypot(known[0], known[1]) + fabs(p.v[1]) / p.w_yy;
            *worst = fmax(*worst, hypot(P[0] - known[0], P[1] - known[1]) / scale);
        }
    }
}

static bool is_alone(const ic_hypothesis_fits *fits, int hypothesis)
{
    for (int k = 0; k < IC_HYPOTHESES; k++) {
        if (k != hypothesis && fits->misfit[k][IC_NO_FAULT] <= APART * fits->misfit[hypothesis][IC_NO_FAULT])
            return false;
    }
    return true;
}

/* The hypothesis that fits, or the first that fits with a fault: some faults make two hypotheses
   equal. */
static ic_hypothesis_found find_hypothesis(const ic_hypothesis_fits *fits, double tolerance)
{
    for (int t = 0; t < IC_IMPACT_FAULTS; t++) {
        for (int h = 0; h < IC_HYPOTHESES; h++) {
            if (fits->misfit[h][t] <= tolerance && (t != IC_NO_FAULT || is_alone(fits, h)))
                return (ic_hypothesis_found){(ic_hypothesis)h, (ic_impact_fault)t, faults[t].mistake};
        }
    }
    return (ic_hypothesis_found){IC_HYPOTHESES, IC_NO_FAULT, IC_NO_MISTAKE};
}

ic_hypothesis_found ic_hypotheses_classify(ic_finding_writer *writer, const ic_hypothesis_fits *fits,
                                           double tolerance, size_t impacts)
{
    const ic_hypothesis_found found = find_hypothesis(fits, tolerance);
    ic_classification c = {.question = "impact hypothesis"};
    for (size_t h = 0; h < IC_HYPOTHESES; h++)
        ic_classification_add(&c, names[h], fits->misfit[h][IC_NO_FAULT] / tolerance);
    ic_classification_decide(&c, 1, APART);
    if (c.decided)
        snprintf(c.detail, sizeof c.detail, "%zu impacts; misfit 1 is a deviation of %g of the impulse",
                 impacts, tolerance);
    else if (found.hypothesis != IC_HYPOTHESES)
        snprintf(c.detail, sizeof c.detail, "none of these, but %s %s, in all of %zu impacts",
                 names[found.hypothesis], faults[found.fault].text, impacts);
    else
        snprintf(c.detail, sizeof c.detail,
                 "none of these: the nearest deviates by %.2g of the impulse in the worst of %zu impacts",
                 c.candidates[0].misfit * tolerance, impacts);
    ic_write_classification(writer, &c);
    return found;
}
