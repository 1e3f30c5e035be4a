/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_probes.h"

#include <math.h>

/* twice the normal speed of Table 2, m/s, because some engines have thresholds at 1 m/s */
#define SPEED 2.0
#define TANGENTIAL 0.8 /* of the speed; as in Table 2 */
/*
 * duration, s: the bar is 0.05 m above the ground and approaches at 1 m/s at least. Steps are small
 * because engines complete an impact within one step.
 */
#define STEP 1e-4
#define UNTIL 0.12

/* Deviation of an impact that has not ended, relative to the speed before. */
#define NOT_ENDED 1.0

static const struct {
    /*
     * Angle, degrees; mu; e; tangential velocity relative to the normal velocity of the centre;
     * spin, rad/s.
     */
    double angle, mu, e, tangential, omega;

    /*
     * Mass, kg; inertia divided by mass length^2 (0: that of a slender bar or a solid ball);
     * length, m (0: a ball).
     */
    double mass, inertia, length;
} others[IC_ENGINE_PROBES - IC_ENGINE_BAR_PROBES] = {
    /* other bodies: a slender bar would have 1/12 = 0.083, one with all mass at its ends 0.25 */
    {35, 0.3, 0.7, 0.8, 0, 2.5, 0.05, 1},
    {50, 0.6, 0.5, 0.8, 0, 0.4, 0.15, 1.6},
    {25, 0.5, 0.8, 0.5, 0, 2.5, 0.18, 0.7},
    /* turning bars: the tip approaches more slowly than the centre, and faster */
    {30, 0.15, 0.5, 0.8, 2.5, 1, 0, 1},
    {55, 0.5, 1, 0.8, -2.5, 2.5, 0, 1},
    /* from the other side */
    {30, 0.3, 0.8, -0.8, 0, 1, 0, 1},
    {-40, 0.3, 0.5, 0.8, 0, 1, 0, 1},
    /* slip that reverses at once, and slip that does not stop */
    {45, 0.3, 0.8, 0.1, 0, 1, 0, 1},
    {10, 0.5, 0.6, 3, 0, 1, 0, 1},
    /* balls, w_xx = 3.5/m: friction stops a slip of up to 3.5 mu (1 + e) of the normal speed */
    {0, 0.1, 0.8, 0.8, 0, 2.5, 0, 0},
    {0, 0.5, 0.5, 0.4, -10, 0.4, 0.6, 0},
};

static ic_engine_scene moving_bar(double angle, double mu, double e)
{
    ic_engine_scene scene = ic_engine_scene_of(true);
    scene.angle = angle;
    scene.mu = mu;
    scene.e = e;
    scene.step = STEP;
    scene.until = UNTIL;
    scene.speed = SPEED;
    scene.tangential = SPEED * TANGENTIAL;
    return scene;
}

static ic_engine_scene other_scene(size_t i)
{
    ic_engine_scene scene = moving_bar(others[i].angle, others[i].mu, others[i].e);
    const double size = others[i].length > 0 ? others[i].length : IC_ENGINE_BALL_RADIUS;
    scene.tangential = SPEED * others[i].tangential;
    scene.omega = others[i].omega;
    scene.mass = others[i].mass;
    if (others[i].inertia > 0) scene.inertia = others[i].inertia * others[i].mass * size * size;
    scene.bar = others[i].length > 0;
    scene.length = scene.bar ? others[i].length : NAN;
    if (!scene.bar) scene.angle = NAN;
    return scene;
}

ic_engine_probe ic_engine_probe_of(size_t i)
{
    static const double angles[] = {20, 45, 60}, frictions[] = {0.2, 0.4, 1}, restitutions[] = {0.5, 1};
    ic_engine_probe probe = {.scene = i < IC_ENGINE_BAR_PROBES
                                          ? moving_bar(angles[i / 6], frictions[i / 2 % 3], restitutions[i % 2])
                                          : other_scene(i - IC_ENGINE_BAR_PROBES)};
    probe.body = ic_engine_body_of(&probe.scene);
    probe.mu = probe.scene.mu;
    probe.e = probe.scene.e;
    return probe;
}

void ic_engine_probe_measure(ic_engine_probe *probe, const ic_engine_impact impacts[IC_ENGINE_PROBE_PHASES])
{
    const ic_engine_state *before = &impacts[0].before;
    probe->ended = impacts[0].left && impacts[1].left;
    if (!probe->ended) return;
    ic_engine_lever(probe->r, &impacts[0]);
    probe->before[0] = before->vx;
    probe->before[1] = before->vy;
    probe->before[2] = before->omega;
    for (int k = 0; k < IC_ENGINE_PROBE_PHASES; k++) {
        double *change = probe->changes[k];
        change[0] = impacts[k].after.vx - impacts[k].before.vx;
        change[1] = impacts[k].after.vy - impacts[k].before.vy;
        change[2] = impacts[k].after.omega - impacts[k].before.omega;
    }
    for (int k = 0; k < 3; k++) probe->change[k] = (probe->changes[0][k] + probe->changes[1][k]) / 2;
    probe->scatter = ic_engine_deviation(probe, probe->changes[0]);
}

void ic_engine_probe_contact_velocity(double v[2], const ic_engine_probe *probe)
{
    v[0] = probe->before[0] + probe->before[2] * probe->r[1];
    v[1] = probe->before[1] - probe->before[2] * probe->r[0];
}

static double deviation(const ic_engine_probe *probe, const double measured[3], const double change[3])
{
    double v[2];
    if (!probe->ended) return NOT_ENDED;
    ic_engine_probe_contact_velocity(v, probe);
    const double d_x = measured[0] - change[0], d_y = measured[1] - change[1], turned = measured[2] - change[2];
    const double centre = hypot(d_x, d_y),
                 point = hypot(d_x + turned * probe->r[1], d_y - turned * probe->r[0]);
    return fmax(centre, point) / fabs(v[1]);
}

double ic_engine_deviation(const ic_engine_probe *probe, const double change[3])
{
    return deviation(probe, probe->change, change);
}

double ic_engine_phase_deviation(const ic_engine_probe *probe, int phase, const double change[3])
{
    return deviation(probe, probe->changes[phase], change);
}

double ic_engine_scatter(const ic_engine_probe probes[IC_ENGINE_PROBES])
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < IC_ENGINE_PROBES; i++) {
        if (!probes[i].ended) continue;
        sum += probes[i].scatter * probes[i].scatter;
        n++;
    }
    return n > 0 ? sqrt(sum / (double)n) : 0;
}
