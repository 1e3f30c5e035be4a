/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine.h"

#include "audit/common/explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Greatest misfit of a law that fits, in tolerances. */
#define MOST_MISFIT 1.0
/*
 * Factors by which a mistake must fit better than the nearest law: if that law does not fit, and if
 * it does.
 */
#define GAIN_OVER_MISFIT 3.0
#define GAIN_OVER_FIT 10.0
/*
 * Factor by which a mistake must fit better than any other mistake, and a law better than any other
 * law.
 */
#define RIVAL 2.0
/* Misfits below this are equally good: engines in double precision leave it for the right
   explanation. */
#define ALIKE 1e-4

/*
 * Range of the grid on which a factor is searched. Refinements search between neighbouring grid
 * points.
 */
#define LEAST_FACTOR 0.1
#define MOST_FACTOR 10.0
enum { FACTORS = 33, REFINEMENTS = 30 };

/* Restitution below this need not end a contact: a spring cannot be damped without bound. */
#define PLASTIC 0.06
/* Mass of a fault, kg. */
#define UNIT 1.0
/* Deviation of an impact that has not ended, relative to the speed before. */
#define NOT_ENDED 1.0

/* The law of Schatzman-Paoli time stepping, and the number of velocities between its two steps. */
#define TWO_STEPS "newton-in-two-steps"
enum { BETWEEN = 80 };

/* slip that no impact stops, m/s */
#define ENDLESS_SLIP 1e6
/* Ratio of the inertia to that of the body for a body that does not rotate. */
#define NEVER_TURNS 1e12

/* The impact that an engine with a mistake solves. */
typedef struct assumed {
    /* The body from which the impulse is computed, and the body that the impulse moves: kg, kg m^2. */
    struct {
        double mass, inertia;
    } solves, moves;

    /* m/s */
    double v[2];

    /* coefficients of friction and restitution, 1 */
    double mu, e;

    /* factor of the tangential impulse, 1 */
    double tangential;

    /* factor of the change of spin, 1 */
    double spin;
} assumed;

typedef enum fault_model {
    RIGHT,
#define IC_ENGINE_FAULT(kind_, ...) kind_,
#define IC_ENGINE_ASSUMES IC_ENGINE_FAULT
#include "audit/engine/engine_faults.def"
    FAULT_MODELS
} fault_model;

static const struct {
    ic_mistake_id mistake;
    bool fitted;

    /* followed by the factor if it is fitted */
    const char *text;

    /* the change of the impact that is solved, by the factor; IC_CHANGE_NONE: another one */
    ic_change_kind change;
} fault_models[FAULT_MODELS] = {
#define IC_ENGINE_FAULT(kind_, mistake_, fitted_, text_, change_)                                              \
    [kind_] = {IC_MISTAKE_##mistake_, fitted_, text_, change_},
#define IC_ENGINE_ASSUMES(kind_, mistake_, fitted_, text_, ...)                                                \
    IC_ENGINE_FAULT(kind_, mistake_, fitted_, text_, IC_CHANGE_NONE)
    [RIGHT] = {IC_NO_MISTAKE, false, "", IC_CHANGE_NONE},
#include "audit/engine/engine_faults.def"
};

/* ---- impacts */

/* Velocity of the contact point before the impact, m/s. */
static void contact_velocity(double v[2], const ic_engine_probe *probe)
{
    v[0] = probe->before[0] + probe->before[2] * probe->r[1];
    v[1] = probe->before[1] - probe->before[2] * probe->r[0];
}

double ic_engine_deviation(const ic_engine_probe *probe, const double change[3])
{
    double v[2];
    if (!probe->ended) return NOT_ENDED;
    contact_velocity(v, probe);
    const double d_x = probe->change[0] - change[0], d_y = probe->change[1] - change[1],
                 turned = probe->change[2] - change[2];
    const double centre = hypot(d_x, d_y),
                 point = hypot(d_x + turned * probe->r[1], d_y - turned * probe->r[0]);
    return fmax(centre, point) / fabs(v[1]);
}

double ic_engine_scatter(const ic_engine_probes *probes)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < probes->n; i++) {
        if (!probes->of[i].asked || !probes->of[i].ended) continue;
        sum += probes->of[i].scatter * probes->of[i].scatter;
        n++;
    }
    return n > 0 ? sqrt(sum / (double)n) : 0;
}

/* The impact, for impact maps, as it is assumed. */
static ic_impact impact_of(const assumed *a, const double r[2])
{
    const double mass = a->solves.mass, inertia = a->solves.inertia;
    return (ic_impact){.v = {a->v[0], a->v[1]},
                       .w_xx = 1 / mass + r[1] * r[1] / inertia,
                       .w_xy = -r[0] * r[1] / inertia,
                       .w_yy = 1 / mass + r[0] * r[0] / inertia,
                       .mu = a->mu,
                       .e = a->e,
                       .k_x = 1,
                       .k_y = 1};
}

static assumed assume_right(const ic_engine_probe *probe)
{
    assumed a = {.solves = {probe->mass, probe->inertia},
                 .moves = {probe->mass, probe->inertia},
                 .mu = probe->mu,
                 .e = probe->e,
                 .tangential = 1,
                 .spin = 1};
    contact_velocity(a.v, probe);
    return a;
}

/* Fitted shares, from 0 to 1, are searched like factors. */
static double share_of(double factor)
{
    return fmin(factor / MOST_FACTOR, 1);
}

static void apply_fault(assumed *a, const ic_engine_probe *probe, fault_model model, double factor)
{
    switch (model) {
#define IC_ENGINE_FAULT(...)
#define IC_ENGINE_ASSUMES(kind_, mistake_, fitted_, text_, ...)                                                \
    case kind_:                                                                                                \
        __VA_ARGS__;                                                                                           \
        break;
#include "audit/engine/engine_faults.def"
    default: break;
    }
}

static bool find_impulse(double P[2], const ic_impact *seen, const ic_impact_law *law, fault_model model,
                         double factor)
{
    const ic_change_kind kind = fault_models[model].change;
    const double by = model == FIXED_RESTITUTION ? share_of(factor) : factor;
    ic_impact p = ic_impact_believed(seen, &(ic_impact_model){.changes = {{.kind = kind, .by = by}}});
    p.e = fmin(p.e, 1);
    switch (model) {
    case STICKS:
    case KEEPS_SIGN:
    case FRICTION_SIGN: return ic_impulse_on_path(P, &p, law, kind);
    case EDGE_BY_SLIP: ic_impulse_edge_by_slip(P, &p); return true;
    case FIXED_BOUND: return ic_rule_friction_bound(P, &p);
    case TANGENTIAL_RESTITUTION: ic_impulse_with_tangential_restitution(P, &p, share_of(factor)); return true;
    default: return law->impulse(P, &p);
    }
}

/* dv = P/m, d omega = (r_y P_x - r_x P_y)/I */
static bool predict_change(double change[3], const ic_engine_probe *probe, const ic_impact_law *law,
                           fault_model model, double factor)
{
    assumed a = assume_right(probe);
    double P[2];
    apply_fault(&a, probe, model, factor);
    const ic_impact seen = impact_of(&a, probe->r);
    if (!find_impulse(P, &seen, law, model, factor)) return false;
    P[0] *= a.tangential;
    change[0] = P[0] / a.moves.mass;
    change[1] = P[1] / a.moves.mass;
    change[2] = a.spin * (probe->r[1] * P[0] - probe->r[0] * P[1]) / a.moves.inertia;
    return true;
}

/* ---- fits */

/* Laws of engines: those of audit/impact/impact.h, and that of Hunt and Crossley. */
enum { LAWS = IC_IMPACT_LAWS + 1 };

static const ic_impact_law *law_at(size_t i)
{
    return i < IC_IMPACT_LAWS ? &ic_impact_laws[i] : &ic_law_of_hunt_crossley;
}

/*
 * NAN: the impact decides nothing. Friction along the slip may drive a contact for ever, in which
 * case its impulse is that of the engine's patience.
 */
static double probe_error(const ic_engine_probe *probe, const ic_impact_law *law, fault_model model,
                          double factor)
{
    double change[3];
    /* impacts with less restitution need not end: the contact goes on */
    if (!probe->ended) return probe->e <= PLASTIC ? NAN : 1;
    if (predict_change(change, probe, law, model, factor)) {
        const double error = ic_engine_deviation(probe, change);
        /* Rounding may move a contact out of sticking, from where it slides as it should. */
        if (model == STICKS && predict_change(change, probe, law, RIGHT, 1))
            return fmin(error, ic_engine_deviation(probe, change));
        return error;
    }
    return model == FRICTION_SIGN ? NAN : 1;
}

/* Root mean square over the impacts, of which at least half must decide. */
static double misfit_of(const ic_engine_probes *probes, const ic_impact_law *law, fault_model model,
                        double factor)
{
    double sum = 0;
    size_t n = 0, asked = 0;
    for (size_t i = 0; i < probes->n; i++) {
        if (!probes->of[i].asked) continue;
        const double error = probe_error(&probes->of[i], law, model, factor);
        asked++;
        if (isnan(error)) continue;
        sum += error * error;
        n++;
    }
    return 2 * n >= asked && n > 0 ? sqrt(sum / (double)n) : 1;
}

/* The least deviation over the velocity between two steps, which depends on where in a step the impact falls. */
static double two_step_error(const ic_engine_probe *probe)
{
    const assumed a = assume_right(probe);
    const ic_impact p = impact_of(&a, probe->r);
    double least = 1;
    /* from just after the approach to just before the end; never 0 */
    for (int i = 0; probe->ended && i < BETWEEN; i++) {
        double P[2];
        ic_impulse_in_two_steps(P, &p, p.v[1] * (1 - (1 + p.e) * (i + 0.499) / BETWEEN));
        const double change[] = {P[0] / a.moves.mass, P[1] / a.moves.mass,
                                 (probe->r[1] * P[0] - probe->r[0] * P[1]) / a.moves.inertia};
        least = fmin(least, ic_engine_deviation(probe, change));
    }
    return least;
}

static double two_step_misfit(const ic_engine_probes *probes)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < probes->n; i++) {
        if (!probes->of[i].asked) continue;
        const double error = two_step_error(&probes->of[i]);
        sum += error * error;
        n++;
    }
    return sqrt(sum / (double)n);
}

/* "stronge in 29 of 29 impacts to within 0.02 of the speed before" */
static void describe_law(ic_classification *c, const ic_engine_probes *probes, double agrees)
{
    size_t agreeing = 0, asked = 0, law = 0;
    while (strcmp(law_at(law)->name, c->candidates[0].name) != 0) law++;
    for (size_t k = 0; k < probes->n; k++) {
        if (!probes->of[k].asked) continue;
        asked++;
        agreeing += probe_error(&probes->of[k], law_at(law), RIGHT, 1) <= agrees;
    }
    snprintf(c->detail, sizeof c->detail, "%s in %zu of %zu impacts to within %g of the speed before",
             c->candidates[0].name, agreeing, asked, agrees);
}

void ic_engine_classify(ic_classification *c, const ic_engine_probes *probes, double agrees)
{
    c->question = "impact law";
    c->count = 0;
    for (size_t i = 0; i < LAWS; i++)
        ic_classification_add(c, law_at(i)->name, misfit_of(probes, law_at(i), RIGHT, 1) / agrees);
    ic_classification_decide(c, MOST_MISFIT, RIVAL);
    /* It has a number to choose for each impact, so that it counts only where no law fits. */
    const double in_two = c->candidates[0].misfit > MOST_MISFIT ? two_step_misfit(probes) / agrees : INFINITY;
    if (in_two > MOST_MISFIT) {
        describe_law(c, probes, agrees);
        return;
    }
    ic_classification_add(c, TWO_STEPS, in_two);
    ic_classification_decide(c, MOST_MISFIT, RIVAL);
    snprintf(c->detail, sizeof c->detail, "%s, to within %.2g of the speed before", TWO_STEPS, in_two * agrees);
}

typedef struct model_fit {
    double misfit, factor;
} model_fit;

static void try_factor(model_fit *best, const ic_engine_probes *probes, const ic_impact_law *law,
                       fault_model model, double factor)
{
    const double m = misfit_of(probes, law, model, factor);
    if (m < best->misfit) *best = (model_fit){m, factor};
}

/* Searches a grid of equal ratios, then ever finer ones around the best. */
static model_fit fit_factor(const ic_engine_probes *probes, const ic_impact_law *law, fault_model model)
{
    model_fit best = {INFINITY, 1};
    double ratio = pow(MOST_FACTOR / LEAST_FACTOR, 1.0 / (FACTORS - 1));
    if (!fault_models[model].fitted) {
        try_factor(&best, probes, law, model, 1);
        return best;
    }
    for (int i = 0; i < FACTORS; i++) try_factor(&best, probes, law, model, LEAST_FACTOR * pow(ratio, i));
    for (int i = 0; i < REFINEMENTS; i++) {
        const double middle = best.factor;
        ratio = sqrt(ratio);
        try_factor(&best, probes, law, model, middle / ratio);
        try_factor(&best, probes, law, model, middle * ratio);
    }
    return best;
}

typedef struct explained {
    model_fit fit;
    size_t law;
    fault_model model;
} explained;

static void describe_explanation(char *text, size_t size, const explained *e)
{
    char factor[24] = "";
    const bool share = e->model == FIXED_RESTITUTION || e->model == TANGENTIAL_RESTITUTION;
    const double shown = share ? share_of(e->fit.factor) : e->fit.factor;
    if (fault_models[e->model].fitted) snprintf(factor, sizeof factor, " %.3g", shown);
    snprintf(text, size, "%s %s%s", law_at(e->law)->name, fault_models[e->model].text, factor);
}

/* Finds the best two explanations by different mistakes. */
static void find_best_two(explained two[2], const ic_engine_probes *probes)
{
    explained all[FAULT_MODELS * LAWS] = {{{INFINITY, 1}, 0, RIGHT}};
    ic_best best = IC_NO_BEST;
    for (size_t i = LAWS; i < IC_COUNT(all); i++) {
        const fault_model model = (fault_model)(i / LAWS);
        all[i] = (explained){fit_factor(probes, law_at(i % LAWS), model), i % LAWS, model};
        ic_best_offer(&best, i, (int)fault_models[model].mistake, all[i].fit.misfit);
    }
    two[0] = all[best.first];
    two[1] = all[best.second];
}

ic_engine_explanation ic_engine_explain(const ic_engine_probes *probes, double unexplained, double agrees)
{
    explained two[2];
    ic_engine_explanation answer = {.mistake = IC_NO_MISTAKE};
    char first[2 * sizeof answer.text], second[sizeof first];
    find_best_two(two, probes);
    answer.misfit = two[0].fit.misfit;
    describe_explanation(first, sizeof first, &two[0]);
    describe_explanation(second, sizeof second, &two[1]);
    const double better = unexplained > agrees ? GAIN_OVER_MISFIT : GAIN_OVER_FIT;
    if (answer.misfit > fmin(agrees, unexplained / better))
        snprintf(answer.text, sizeof answer.text, "no law fits, and no known mistake explains the impacts");
    else if (two[1].fit.misfit < RIVAL * fmax(answer.misfit, ALIKE))
        snprintf(answer.text, sizeof answer.text, "two mistakes explain them equally well: %.56s, or %.56s",
                 first, second);
    else {
        answer.mistake = fault_models[two[0].model].mistake;
        snprintf(answer.text, sizeof answer.text, "%.140s", first);
    }
    return answer;
}
