/* SPDX-License-Identifier: MIT */
#include "audit/common/explain.h"
#include "audit/common/tolerances.h"
#include "audit/law/law.h"
#include "core/random.h"

#include <math.h>

enum { RESTITUTIONS = 5, SPEEDS = 4, DRAWN = 16 };
static const double restitutions[RESTITUTIONS] = {0.1, 0.3, 0.5, 0.7, 0.9};
static const double speeds[SPEEDS] = {0.01, 0.1, 1, 10}; /* m/s */

typedef struct restitution_curve {
    ic_law_probe *probe;

    /* number of values of e_in; 0: the law has no such parameter */
    size_t rows;

    /* those that the table shows, then drawn ones */
    ic_restitution_point points[RESTITUTIONS * SPEEDS + DRAWN];
    size_t count, all;
} restitution_curve;

static void add_point(restitution_curve *c, const ic_law_setting *setting, double speed)
{
    ic_law_probe *p = c->probe;
    if (!ic_law_probe_set(p, setting, speed)) return;
    ic_restitution_point *point = &c->points[c->all++];
    point->e_in = setting->parameter < p->law->n_parameters ? setting->value : NAN;
    point->speed = speed;
    const ic_free_flight flight = ic_law_probe_impact(p, speed, IC_PROBE_LONG);
    point->e_out = flight.restitution;
    /* the rebound of a body that creeps is not known exactly */
    point->told = flight.creeps ? NAN : ic_law_stated_restitution(p, speed);
}

static void add_points(restitution_curve *c, const ic_law_setting *setting)
{
    for (size_t i = 0; i < SPEEDS; i++) add_point(c, setting, speeds[i]);
    c->count = c->all;
}

/* Between the values of the table. */
static void add_drawn(restitution_curve *c, size_t e)
{
    const ic_law *law = c->probe->law;
    uint64_t seed = c->probe->seed;
    const bool states = law->restitution != NULL || law->damping != NULL;
    for (size_t i = 0; i < DRAWN && states; i++) {
        const ic_law_setting setting = {e, ic_uniform(&seed, restitutions[0], restitutions[RESTITUTIONS - 1])};
        const double speed = ic_log_uniform(&seed, speeds[0], speeds[SPEEDS - 1]);
        if (e == law->n_parameters || ic_in_range(law->parameters[e].range, setting.value))
            add_point(c, &setting, speed);
    }
}

/* Whether e_out is this power of the stated restitution. */
static bool is_power(const restitution_curve *c, double power)
{
    for (size_t i = 0; i < c->all; i++) {
        const ic_restitution_point *point = &c->points[i];
        if (!(fabs(point->e_out - pow(point->told, power)) <= ic_tolerance_law_integration.value)) return false;
    }
    return true;
}

static bool is_constant(const restitution_curve *c)
{
    for (size_t i = 1; i < c->count; i++) {
        if (!(fabs(c->points[i].e_out - c->points[0].e_out) <= IC_SAME_NUMBER)) return false;
    }
    return c->rows > 1;
}

static ic_mistake_id find_cause(const restitution_curve *c, ic_mistake_id texts, bool explained)
{
    if (explained) return IC_NO_MISTAKE;
    if (texts != IC_NO_MISTAKE) return texts;
    if (is_constant(c)) return IC_MISTAKE_RESTITUTION_IGNORED;
    return is_power(c, 2) || is_power(c, 0.5) ? IC_MISTAKE_RESTITUTION_SQUARED : IC_MISTAKE_RESTITUTION_WRONG;
}

/* NAN: one of both is not a number. */
static double deviation(const ic_restitution_point *point)
{
    return fabs(point->e_out - point->told);
}

static void write_unclaimed(ic_finding_writer *writer, ic_law_probe *p)
{
    const size_t possible = ic_law_probe_possible_restitution(p);
    if (possible == p->law->n_parameters) return;
    const char *name = p->law->parameters[possible].name;
    ic_write_open(
        writer, IC_CHECK_LAW_RESTITUTION, NAN,
        "the law claims no restitution: if '%.30s' is one, declare .restitution = \"%.30s\"; if a formula for the "
        "damping is known, .damping or .dashpot",
        name, name);
}

static void add_row(ic_finding_writer *writer, const restitution_curve *c, ic_mistake_id texts, bool explained)
{
    const ic_law *law = c->probe->law;
    size_t worst = 0, stated = 0;
    for (size_t i = 0; i < c->all; i++) {
        if (isnan(c->points[i].told)) continue;
        if (stated++ == 0 || !(deviation(&c->points[i]) <= deviation(&c->points[worst]))) worst = i;
    }
    if (stated == 0) {
        write_unclaimed(writer, c->probe);
        return;
    }
    const ic_restitution_point *at = &c->points[worst];
    const ic_judged_value m =
        IC_JUDGED(deviation(at), ic_tolerance_law_integration, find_cause(c, texts, explained));
    const ic_law_setting with = {
        isnan(at->e_in) ? law->n_parameters : ic_law_probe_possible_restitution(c->probe), at->e_in};
    ic_writer_set_place(writer, "impact at %g m/s%.50s", at->speed, ic_law_setting_text(law, &with).text);
    ic_write_measured(writer, IC_CHECK_LAW_RESTITUTION, &m,
                      "e_out = %.6g; the law's text of its %s states %.6g; worst of %zu impacts", at->e_out,
                      law->restitution != NULL ? "restitution" : "damping", at->told, c->all);
    ic_writer_set_place(writer, "%s", "");
}

void ic_law_check_restitution(ic_finding_writer *writer, ic_law_probe *p, ic_mistake_id texts, bool explained)
{
    const bool by_damping = p->law->damping != NULL || p->law->dashpot != NULL;
    const size_t e = by_damping ? ic_law_probe_possible_restitution(p) : ic_law_probe_restitution(p),
                 not_finite = p->not_finite;
    const ic_law_setting by_default = {.parameter = p->law->n_parameters};
    restitution_curve c = {.probe = p};
    for (size_t i = 0; i < RESTITUTIONS && e < p->law->n_parameters; i++) {
        const ic_law_setting setting = {e, restitutions[i]};
        if (!ic_in_range(p->law->parameters[e].range, restitutions[i])) continue;
        c.rows++;
        add_points(&c, &setting);
    }
    if (c.rows == 0) add_points(&c, &by_default);
    add_drawn(&c, e);
    ic_law_probe_set(p, &by_default, 1);
    p->not_finite = not_finite; /* another check reports these */
    for (size_t i = 0; i < c.count; i++) ic_write_point(writer, &c.points[i]);
    if (c.count > 0) add_row(writer, &c, texts, explained);
}
