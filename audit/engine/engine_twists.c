/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_twists.h"

#include "audit/engine/engine_compliant.h"
#include "audit/engine/engine_friction.h"
#include "audit/impact/impact_hypotheses.h"

#include <math.h>
#include <stdio.h>

/* How much better a mistake must fit than the nearest law where that does not fit, and where it
   does; and than any other mistake. */
#define BETTER 3.0
#define FAR_BETTER 10.0
#define APART 2.0
/* Two that are both this near cannot be told apart: what engines in double precision leave of a
   right explanation. */
#define SAME 1e-4

/* A factor is looked for among these, and then between its neighbours. */
#define LEAST_FACTOR 0.1
#define MOST_FACTOR 10.0
enum { FACTORS = 33, REFINEMENTS = 30 };

/* m/s; slip that no impact stops */
#define ENDLESS_SLIP 1e6
/* kg m^2, by the body's: it does not turn */
#define NEVER_TURNS 1e12

/* What an engine takes an impact for. */
typedef struct assumed {
    /* by which the impulse is found, and by which it moves the body */
    ic_engine_body solves, moves;

    /* m/s */
    double v[2];

    /* 1; the last two multiply impulse and change of spin */
    double mu, e, tangential, spin;

    /* of the impact as a map sees it */
    ic_twist twist;
} assumed;

typedef enum kind {
    RIGHT,
    FRICTION,
    TANGENTIAL,
    RESTITUTION,
    FIXED_RESTITUTION,
    SQUARED,
    ROOT,
    UNCOUPLED,
    REVERSED,
    INVERSE,
    DEGREES,
    ENDLESS,
    FIXED_BOUND,
    STICKS,
    UNIT_MASS,
    UNIT_MASS_SOLVES,
    UNIT_MASS_MOVES,
    INERTIA,
    INERTIA_SOLVES,
    INERTIA_MOVES,
    USUAL_INERTIA,
    CENTRE_VELOCITY,
    RIGID_SOLVES,
    NO_TURN,
    KINDS
} kind;

static const struct {
    ic_mistake_id mistake;
    bool fitted;
    const char *text; /* the factor follows, where it is fitted */
} kinds[KINDS] = {
    [RIGHT] = {IC_NO_MISTAKE, false, ""},
    [FRICTION] = {IC_MISTAKE_FRICTION_FACTOR, true, "with the coefficient of friction times"},
    [TANGENTIAL] = {IC_MISTAKE_TANGENTIAL_SCALED, true, "with the tangential impulse times"},
    [RESTITUTION] = {IC_MISTAKE_RESTITUTION_WRONG, true, "with the restitution times"},
    [FIXED_RESTITUTION] = {IC_MISTAKE_RESTITUTION_IGNORED, true, "with a restitution that is always"},
    [SQUARED] = {IC_MISTAKE_RESTITUTION_SQUARED, false, "with e^2 in the place of e"},
    [ROOT] = {IC_MISTAKE_RESTITUTION_SQUARED, false, "with sqrt(e) in the place of e"},
    [UNCOUPLED] = {IC_MISTAKE_COUPLING_IGNORED, false, "with w_xy = 0"},
    [REVERSED] = {IC_MISTAKE_SIGN_REVERSED, false, "with -w_xy in the place of w_xy"},
    [INVERSE] = {IC_MISTAKE_MASS_FOR_INVERSE, false, "with W^-1 in the place of W"},
    [DEGREES] = {IC_MISTAKE_UNITS_MIXED, false, "with the friction angle in degrees"},
    [ENDLESS] = {IC_MISTAKE_FRICTION_REVERSES_SLIP, false, "with friction against the first slip to the end"},
    [FIXED_BOUND] = {IC_MISTAKE_FRICTION_BOUND, false,
                     "with friction up to mu times the impulse that there is without"},
    [STICKS] = {IC_MISTAKE_NO_REVERSE_SLIDING, false, "with sticking where the slip should reverse"},
    [UNIT_MASS] = {IC_MISTAKE_MASS_WRONG, false, "with a mass of 1 kg always"},
    [UNIT_MASS_SOLVES] = {IC_MISTAKE_MASS_WRONG, false, "with 1 kg always where the impulse is found"},
    [UNIT_MASS_MOVES] = {IC_MISTAKE_MASS_WRONG, false, "with 1 kg always where the impulse moves the centre"},
    [INERTIA] = {IC_MISTAKE_INERTIA_WRONG, true, "with the inertia times"},
    [INERTIA_SOLVES] = {IC_MISTAKE_INERTIA_WRONG, true, "with, where the impulse is found, the inertia times"},
    [INERTIA_MOVES] = {IC_MISTAKE_SPIN_WRONG, true, "with the change of spin times"},
    [USUAL_INERTIA] = {IC_MISTAKE_INERTIA_WRONG, false,
                       "with the inertia of a slender bar or solid ball always"},
    [CENTRE_VELOCITY] = {IC_MISTAKE_ROTATION_IGNORED, false, "with the centre's velocity for the contact's"},
    [RIGID_SOLVES] = {IC_MISTAKE_ROTATION_IGNORED, false, "with the impulse of a body that does not turn"},
    [NO_TURN] = {IC_MISTAKE_ROTATION_IGNORED, false, "of a body that does not turn"},
};

static assumed rightly(const ic_engine_probe *probe)
{
    assumed a = {.solves = probe->body,
                 .moves = probe->body,
                 .mu = probe->scene.mu,
                 .e = probe->scene.e,
                 .tangential = 1,
                 .spin = 1,
                 .twist = IC_STRAIGHT};
    ic_engine_probe_meets(a.v, probe);
    return a;
}

/* The inertia that the scene has where none is asked for. */
static double usual_inertia(const ic_engine_probe *probe)
{
    ic_engine_scene scene = probe->scene;
    scene.inertia = NAN;
    return ic_engine_body_of(&scene).inertia;
}

static void twist_impact(assumed *a, kind what, double factor)
{
    switch (what) {
    case FRICTION: a->mu *= factor; break;
    case TANGENTIAL: a->tangential = factor; break;
    case RESTITUTION: a->e = fmin(a->e * factor, 1); break;
    case FIXED_RESTITUTION: a->e = fmin(factor / MOST_FACTOR, 1); break;
    case SQUARED: a->twist = IC_E_SQUARED; break;
    case ROOT: a->twist = IC_E_ROOT; break;
    case UNCOUPLED: a->twist = IC_UNCOUPLED; break;
    case REVERSED: a->twist = IC_COUPLING_REVERSED; break;
    case INVERSE: a->twist = IC_MASS_FOR_INVERSE; break;
    case DEGREES: a->twist = IC_DEGREES; break;
    case ENDLESS: a->v[0] = copysign(ENDLESS_SLIP, a->v[0]); break;
    default: break;
    }
}

static void twist_body(assumed *a, const ic_engine_probe *probe, kind what, double factor)
{
    const double usual = usual_inertia(probe);
    if (what == UNIT_MASS || what == UNIT_MASS_SOLVES) a->solves.mass = IC_ENGINE_MASS;
    if (what == UNIT_MASS || what == UNIT_MASS_MOVES) a->moves.mass = IC_ENGINE_MASS;
    if (what == INERTIA || what == INERTIA_SOLVES) a->solves.inertia *= factor;
    if (what == INERTIA) a->moves.inertia *= factor;
    if (what == INERTIA_MOVES) a->spin = factor;
    if (what == USUAL_INERTIA) a->solves.inertia = a->moves.inertia = usual;
    if (what == RIGID_SOLVES || what == NO_TURN) a->solves.inertia *= NEVER_TURNS;
    if (what == NO_TURN) a->spin = 0;
    for (int k = 0; what == CENTRE_VELOCITY && k < 2; k++) a->v[k] = probe->before[k];
}

static bool impulse_of(double P[2], const ic_impact *impact, const ic_impact_law *law, kind what)
{
    if (what == STICKS) return ic_impulse_that_sticks(P, impact, law);
    if (what != FIXED_BOUND) return law->impulse(P, impact);
    ic_impulse_fixed_bound(P, impact);
    return true;
}

/* dv = P/m, d omega = (r_y P_x - r_x P_y)/I */
static bool change_of(double change[3], const ic_engine_probe *probe, const ic_impact_law *law, kind what,
                      double factor)
{
    assumed a = rightly(probe);
    double P[2];
    twist_impact(&a, what, factor);
    twist_body(&a, probe, what, factor);
    const ic_impact seen = ic_engine_impact_at(a.solves.mass, a.solves.inertia, probe->r, a.v, a.mu, a.e);
    const ic_impact impact = ic_impact_twisted(&seen, a.twist);
    if (!impulse_of(P, &impact, law, what)) return false;
    P[0] *= a.tangential;
    change[0] = P[0] / a.moves.mass;
    change[1] = P[1] / a.moves.mass;
    change[2] = a.spin * (probe->r[1] * P[0] - probe->r[0] * P[1]) / a.moves.inertia;
    return true;
}

const ic_impact_law *ic_engine_law(size_t i)
{
    return i < IC_IMPACT_LAWS ? &ic_impact_laws[i] : &ic_law_of_hunt_crossley;
}

bool ic_engine_law_change(double change[3], const ic_engine_probe *probe, size_t law)
{
    return probe->ended && change_of(change, probe, ic_engine_law(law), RIGHT, 1);
}

/* ---- fits */

static double misfit(const ic_engine_probe *probes, const ic_impact_law *law, kind what, double factor)
{
    double sum = 0;
    for (size_t i = 0; i < IC_ENGINE_PROBES; i++) {
        double change[3];
        const bool said = probes[i].ended && change_of(change, &probes[i], law, what, factor);
        const double off = said ? ic_engine_deviation(&probes[i], change) : 1;
        sum += off * off;
    }
    return sqrt(sum / IC_ENGINE_PROBES);
}

typedef struct fit {
    double misfit, factor;
} fit;

static void try_factor(fit *best, const ic_engine_probe *probes, const ic_impact_law *law, kind what,
                       double factor)
{
    const double m = misfit(probes, law, what, factor);
    if (m < best->misfit) *best = (fit){m, factor};
}

/* On a grid of equal ratios, then on ever finer ones around the best. */
static fit best_fit(const ic_engine_probe *probes, const ic_impact_law *law, kind what)
{
    fit best = {INFINITY, 1};
    double ratio = pow(MOST_FACTOR / LEAST_FACTOR, 1.0 / (FACTORS - 1));
    if (!kinds[what].fitted) {
        try_factor(&best, probes, law, what, 1);
        return best;
    }
    for (int i = 0; i < FACTORS; i++) try_factor(&best, probes, law, what, LEAST_FACTOR * pow(ratio, i));
    for (int i = 0; i < REFINEMENTS; i++) {
        const double middle = best.factor;
        ratio = sqrt(ratio);
        try_factor(&best, probes, law, what, middle / ratio);
        try_factor(&best, probes, law, what, middle * ratio);
    }
    return best;
}

typedef struct explained {
    fit fit;
    size_t law;
    kind what;
} explained;

static void describe(char *text, size_t size, const explained *e)
{
    char factor[24] = "";
    const double shown = e->what == FIXED_RESTITUTION ? e->fit.factor / MOST_FACTOR : e->fit.factor;
    if (kinds[e->what].fitted) snprintf(factor, sizeof factor, " %.3g", shown);
    snprintf(text, size, "%s %s%s", ic_engine_law(e->law)->name, kinds[e->what].text, factor);
}

/* The best of each mistake; of those the best, and the runner-up. */
static void find_two(explained two[2], const ic_engine_probe *probes)
{
    explained best[IC_MISTAKE_COUNT];
    for (int i = 0; i < IC_MISTAKE_COUNT; i++) best[i] = (explained){{INFINITY, 1}, 0, RIGHT};
    for (kind what = RIGHT + 1; what < KINDS; what++) {
        for (size_t law = 0; law < IC_ENGINE_LAWS; law++) {
            const explained e = {best_fit(probes, ic_engine_law(law), what), law, what};
            explained *same = &best[kinds[what].mistake];
            if (e.fit.misfit < same->fit.misfit) *same = e;
        }
    }
    two[0] = two[1] = best[IC_NO_MISTAKE];
    for (int i = 0; i < IC_MISTAKE_COUNT; i++) {
        if (best[i].fit.misfit < two[0].fit.misfit) {
            two[1] = two[0];
            two[0] = best[i];
        } else if (best[i].fit.misfit < two[1].fit.misfit) two[1] = best[i];
    }
}

ic_engine_explanation ic_engine_explain(const ic_engine_probe probes[IC_ENGINE_PROBES], double unexplained,
                                        double agrees)
{
    explained two[2];
    ic_engine_explanation answer = {.mistake = IC_NO_MISTAKE};
    char first[2 * sizeof answer.text], second[sizeof first];
    find_two(two, probes);
    answer.misfit = two[0].fit.misfit;
    describe(first, sizeof first, &two[0]);
    describe(second, sizeof second, &two[1]);
    const double better = unexplained > agrees ? BETTER : FAR_BETTER;
    if (answer.misfit > fmin(agrees, unexplained / better))
        snprintf(answer.text, sizeof answer.text, "and no mistake that is known explains them");
    else if (two[1].fit.misfit < APART * fmax(answer.misfit, SAME))
        snprintf(answer.text, sizeof answer.text, "which cannot be told: %.60s, or %.60s", first, second);
    else {
        answer.mistake = kinds[two[0].what].mistake;
        snprintf(answer.text, sizeof answer.text, "%.140s", first);
    }
    return answer;
}
