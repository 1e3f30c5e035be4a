/* SPDX-License-Identifier: MIT */
/**
 * Contact-force laws: the promised properties of their force, and agreement of their texts, rates
 * and energies with the force.
 */
#include "core/expression.h"
#include "core/free_impact.h"
#include "core/random.h"
#include "core/restitution.h"
#include "registry/registry.h"
#include "tests/tests.h"

#include <float.h>

IC_SUITE(light, "laws")

/* A dozen roundings. */
#define SUMMATION (16 * DBL_EPSILON)
/* The closed form of Liu's energy loses three digits before its series replaces it. */
#define ENERGY_SUMMATION (1000 * DBL_EPSILON)

/* Central differences with the step h relative to a quantity are wrong by h^2 and by rounding over
   h: 1e-10 and 1e-11 for h = 1e-5. */
#define DIFFERENCE 1e-5
#define DIFFERENCE_TOLERANCE 1e-8

enum { MOST_PARAMETERS = 16, POINTS = 200 };

/* A law with values, and a state of a contact that began at v0. */
typedef struct subject {
    const ic_law *law;

    /* the law's parameters, v0, d */
    ic_parameter table[MOST_PARAMETERS + 2];

    double par[MOST_PARAMETERS + 2];
    double d, v, v0, memory, m;
} subject;

static double force_of(const subject *s, double d, double v)
{
    return s->law->force(d, v, s->memory, s->par);
}

/* A quantity that the law states in terms of its parameters, v0 and d. */
static double stated_value(const subject *s, const char *text)
{
    const ic_case system = {.parameters = s->table, .n_parameters = s->law->n_parameters + 2};
    const ic_names names = {.system = &system, .par = s->par};
    double value = NAN;
    CU_ASSERT(ic_expression_number(&value, text, &names, NULL));
    return value;
}

static void set_defaults(subject *s, const ic_law *law)
{
    *s = (subject){.law = law};
    CU_ASSERT_FATAL(law->n_parameters <= MOST_PARAMETERS);
    for (size_t i = 0; i < law->n_parameters; i++) s->table[i] = law->parameters[i];
    for (size_t i = 0; i < law->n_parameters; i++) s->par[i] = stated_value(s, law->parameters[i].value);
    s->table[law->n_parameters].name = "v0";
    s->table[law->n_parameters + 1].name = "d";
}

static void set_memory(subject *s, double v0)
{
    s->v0 = s->par[s->law->n_parameters] = v0;
    s->memory = s->law->remember != NULL ? s->law->remember(v0, s->par) : 0;
}

/* Draws parameters around their defaults, any e, and a point during the contact. Half of the powers
   are 3/2. */
static void draw_point(subject *s, const ic_law *law, uint64_t *seed)
{
    set_defaults(s, law);
    for (size_t i = 0; i < law->n_parameters; i++) {
        if (strcmp(law->parameters[i].name, "e") == 0) s->par[i] = 0.01 + 0.98 * ic_uniform(seed, 0, 1);
        else if (strcmp(law->parameters[i].name, "n") == 0)
            s->par[i] = ic_uniform(seed, 0, 1) < 0.5 ? 1.5 : 1 + ic_uniform(seed, 0, 1);
        else s->par[i] *= 0.5 + ic_uniform(seed, 0, 1);
    }
    set_memory(s, 0.1 + ic_uniform(seed, 0, 1));
    s->d = s->par[law->n_parameters + 1] = 1e-3 * (0.01 + ic_uniform(seed, 0, 1));
    s->v = s->v0 * (2 * ic_uniform(seed, 0, 1) - 1);
    s->m = 0.1 + ic_uniform(seed, 0, 1);
}

static bool is_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

/* By its texts f (1 + a v/v0) or f + c v is the force; the text of the energy is the energy. */
static void check_texts(const subject *s)
{
    const ic_law *law = s->law;
    const double elastic = law->stiffness != NULL
                               ? stated_value(s, law->stiffness) * pow(s->d, stated_value(s, law->power))
                               : stated_value(s, law->elastic);
    const double drag = law->dashpot != NULL   ? stated_value(s, law->dashpot) * s->v
                        : law->damping != NULL ? elastic * stated_value(s, law->damping) * s->v / s->v0
                                               : force_of(s, s->d, s->v) - elastic;
    const double value = force_of(s, s->d, s->v), size = elastic + fabs(drag);
    CU_ASSERT(is_near(value, elastic + drag, SUMMATION * size));
    CU_ASSERT_FALSE(is_near(value, 1.001 * elastic + drag, SUMMATION * size)); /* planted */
    if (law->energy == NULL) return;
    const double energy = stated_value(s, law->energy), known = law->stored_energy(s->d, s->par);
    /* The text of the energy is for arithmetic of any precision: its terms are like Delta_R^2. */
    const double terms = stated_value(s, "pi*E_star*L*Delta_R*(Delta_R + d)");
    CU_ASSERT(is_near(energy, known, SUMMATION * terms + ENERGY_SUMMATION * known));
    CU_ASSERT_FALSE(
        /* planted */
        is_near(energy, known + 0.01 * terms, SUMMATION * terms + ENERGY_SUMMATION * known));
}

/* Compares rates and energy with differences of the force. */
static void check_rates(const subject *s)
{
    const ic_law *law = s->law;
    const double h = DIFFERENCE, d = s->d, v = s->v, a = -force_of(s, d, v) / s->m, dt = h * d / s->v0;
    const double ahead = force_of(s, d + v * dt, v + a * dt), behind = force_of(s, d - v * dt, v - a * dt);
    const double rate = law->force_rate(d, v, a, s->memory, s->par),
                 by_difference = (ahead - behind) / (2 * dt);
    const double size = (fabs(force_of(s, d, s->v0)) + fabs(force_of(s, d, -s->v0))) * s->v0 / d +
                        fabs(force_of(s, d, 1) - force_of(s, d, 0)) * fabs(a);
    const double steep = law->kink != NULL ? 1e4 : 1; /* T varies over eps << d */
    CU_ASSERT(is_near(rate, by_difference, DIFFERENCE_TOLERANCE * steep * size));
    /* planted */
    CU_ASSERT_FALSE(is_near(rate, by_difference + 0.01 * size, DIFFERENCE_TOLERANCE * steep * size));
    const double energy =
        (law->stored_energy(d * (1 + h), s->par) - law->stored_energy(d * (1 - h), s->par)) / (2 * h * d);
    CU_ASSERT(is_near(energy, force_of(s, d, 0), DIFFERENCE_TOLERANCE * force_of(s, d, 0)));
    /* planted */
    CU_ASSERT_FALSE(is_near(energy, 1.001 * force_of(s, d, 0), DIFFERENCE_TOLERANCE * force_of(s, d, 0)));
    /* `rising` has the sign of the force's rate wherever the contact does not pull */
    const double rising = law->rising(d, v, s->m, s->memory, s->par);
    if (force_of(s, d, v) > 0 && fabs(rate) > 1e-6 * size) CU_ASSERT((rising > 0) == (rate > 0));
    const double later = law->rising(d + v * dt, v + a * dt, s->m, s->memory, s->par);
    const double before = law->rising(d - v * dt, v - a * dt, s->m, s->memory, s->par);
    const double rising_rate = law->rising_rate(d, v, s->m, s->memory, s->par);
    const double rising_size = fabs(rising_rate) + (fabs(later) + fabs(before)) * s->v0 / d;
    CU_ASSERT(
        is_near(rising_rate, (later - before) / (2 * dt), DIFFERENCE_TOLERANCE * 100 * steep * rising_size));
}

/* A law whose force ends at the surface: outside, nothing changes. */
static bool ends_at_the_surface(const subject *s)
{
    const ic_law *law = s->law;
    if (force_of(s, -1, s->v0) != 0 || force_of(s, -s->d, s->v0) != 0 || force_of(s, -s->d, -s->v0) != 0)
        return false;
    CU_ASSERT_EQUAL(law->force_rate(-1, s->v0, 1, s->memory, s->par), 0);
    CU_ASSERT_EQUAL(law->force_rate(-s->d, s->v0, -1, s->memory, s->par), 0);
    CU_ASSERT_EQUAL(law->stored_energy(-s->d, s->par), 0);
    /* planted: inside it does change */
    CU_ASSERT(law->force_rate(s->d, s->v0, 0, s->memory, s->par) > 0);
    return true;
}

IC_TEST(test_functions)
{
    uint64_t seed = 1;
    size_t ending = 0;
    for (size_t l = 0; l < ic_law_count; l++) {
        for (int k = 0; k < POINTS; k++) {
            subject s;
            draw_point(&s, ic_laws[l], &seed);
            if (ic_law_is_solved(s.law)) check_texts(&s);
            check_rates(&s);
            ending += ends_at_the_surface(&s);
        }
    }
    CU_ASSERT(ending >= POINTS);
}

/* The force starts at 0 and never pulls during a free impact; damping is not negative. */
IC_TEST(test_promises)
{
    uint64_t seed = 2;
    for (size_t l = 0; l < ic_law_count; l++) {
        const ic_law *law = ic_laws[l];
        bool starts = false, pulls = false;
        for (int k = 0; k < POINTS; k++) {
            subject s;
            ic_impact_outcome out = {0};
            draw_point(&s, law, &seed);
            set_memory(&s, s.v0);
            CU_ASSERT(ic_law_impact(&out, law, s.par, s.m, s.v0, NULL));
            if (law->condition != IC_CONDITION_B && force_of(&s, 0, s.v0) > 0) starts = true;
            const double e = ic_law_is_solved(law) || law->restitution == NULL
                                 ? out.restitution
                                 : stated_value(&s, law->restitution);
            if (law->condition == IC_CONDITION_A &&
                force_of(&s, 1e-12, -e * s.v0) < -SUMMATION * force_of(&s, 1e-12, s.v0))
                pulls = true;
            if (!ic_law_is_solved(law)) continue;
            CU_ASSERT(out.damping >= 0 && out.restitution > 0 && out.restitution <= 1);
            const double gone =
                /* planted: faster than a free impact */
                force_of(&s, s.d, -1.001 * s.v0 / out.damping);
            CU_ASSERT(law->dashpot != NULL || out.damping == 0 || gone < 0);
        }
        CU_ASSERT_EQUAL(starts, (law->promises & IC_LAW_CONTINUOUS_ONSET) == 0);
        CU_ASSERT_EQUAL(pulls, (law->promises & IC_LAW_NO_TENSION) == 0);
    }
}

/* Properties shared by the laws of one source, and their exact relations. */
IC_TEST(test_relations)
{
    uint64_t seed = 3;
    const ic_law *bai_zhao = ic_law_find("bai-zhao");
    for (int k = 0; k < POINTS; k++) {
        subject exact, liu, hybrid;
        ic_impact_outcome out;
        draw_point(&exact, ic_law_find("gonthier-exact"), &seed);
        CU_ASSERT(ic_law_impact(&out, exact.law, exact.par, exact.m, exact.v0, NULL));
        CU_ASSERT(is_near(out.restitution, exact.par[2], 1e-14));
        CU_ASSERT_FALSE(is_near(out.restitution, exact.par[2] + 1e-12, 1e-14)); /* planted */
        draw_point(&liu, ic_law_find("liu"), &seed);
        set_defaults(&hybrid, bai_zhao);
        memcpy(hybrid.par, liu.par, liu.law->n_parameters * sizeof *liu.par);
        set_memory(&hybrid, liu.v0);
        /* K_n = F_L': force_rate is F_L' v */
        const double slope = liu.law->force_rate(liu.d, 1, 0, 0, liu.par);
        CU_ASSERT(is_near(force_of(&hybrid, liu.d, 0), slope * liu.d, SUMMATION * slope * liu.d));
        CU_ASSERT_FALSE(
            /* planted */
            is_near(force_of(&hybrid, liu.d, 0), force_of(&liu, liu.d, 0), SUMMATION * slope * liu.d));
    }
}

/* Eq. (4) by its branches, including the ends of each, and the limit of the law. */
IC_TEST(test_improved)
{
    static const struct {
        double first, second, K_star;
    } rows[] = {{400, 200, 2},
                {399, 200, 399. / 599},
                {200, 200, 1},
                {201, 200, 201. / 401},
                {100, 200, 0.5},
                {2050, 330, 2050. / 1720},
                {1815, 2050, 1815. / 2050}};
    const ic_law *law = ic_law_find("improved");
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        subject s;
        set_defaults(&s, law);
        s.par[2] = rows[i].first, s.par[3] = rows[i].second;
        s.par[4] = stated_value(&s, law->parameters[4].value);
        CU_ASSERT(is_near(s.par[4], rows[i].K_star, SUMMATION * rows[i].K_star));
        /* planted */
        CU_ASSERT_FALSE(is_near(s.par[4], 1.001 * rows[i].K_star, SUMMATION * rows[i].K_star));
        const double end = pow(0.26 * s.par[4], -3);
        ic_impact_outcome out;
        ic_error error;
        CU_ASSERT(ic_law_impact(&out, law, s.par, 1, 0.999 * end, &error));
        CU_ASSERT(isfinite(law->remember(0.999 * end, s.par)));
        CU_ASSERT_FALSE(ic_law_impact(&out, law, s.par, 1, 1.001 * end, &error));
        CU_ASSERT(isnan(law->remember(1.001 * end, s.par)));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the law ends at v0"));
    }
}

/* The equation a (1 + e) = ln((1 + a)/(1 - a e)) itself where it is well-conditioned, and its
   limits. */
IC_TEST(test_restitution)
{
    for (int k = 0; k <= 67; k++) { /* 0.05 to 30 */
        const double a = 0.05 * pow(1.1, k);
        const double e = ic_effective_restitution(a);
        const double residual = a * (1 + e) - log1p(a) + log1p(-a * e), slope = a - a / (1 - a * e);
        CU_ASSERT(fabs(residual / slope) <= SUMMATION * (1 + 1 / a));
        CU_ASSERT_FALSE(fabs(residual / slope + 1e-9) <= SUMMATION * (1 + 1 / a)); /* planted */
        const double u = ic_velocity_at_peak_force(a, 1.5);
        CU_ASSERT(fabs(a - log1p(a) - (a * u - log1p(a * u)) - 0.6 * a * u) <= SUMMATION * (1 + a));
    }
    CU_ASSERT(ic_effective_restitution(0) == 1 && isnan(ic_effective_restitution(-0.1)));
    CU_ASSERT(fabs(ic_effective_restitution(1e-6) - (1 - 2e-6 / 3 + 4e-12 / 9)) < SUMMATION);
    CU_ASSERT(fabs(ic_effective_restitution(1e3) - 1e-3) < DBL_EPSILON);
    /* elastic: (1/2) m v0^2 = K d^(n+1)/(n + 1) */
    CU_ASSERT(fabs(ic_peak_indentation(0, 1, 2, 8, 3) - 1.5) < SUMMATION);
    CU_ASSERT(fabs(ic_peak_force(0, 1, 2, 8, 3) - 12) < 12 * SUMMATION);
}
