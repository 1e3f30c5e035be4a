/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include "core/numbers.h"

#include <math.h>

/* Corners of a path: stop, end of compression, lift-off; the rest is for changed paths. */
enum { MOST_CORNERS = 8 };

typedef struct walk {
    const ic_believed_impact *b;
    ic_impact_rule rule;

    /* m/s, N s, J */
    double v[2], P[2], D[2];

    /* direction of the slip; 0: none */
    int slip;

    /* dP_x/dP_y of the present leg, without the changes by phases */
    double slope;

    bool restitution, stopped;

    /* P_y, D_N and D_T at the end of compression, P_y and D_N at the stop */
    double P_c, D_c, T_c, P_s, D_s;
} walk;

static double slope_at_rest(const ic_believed_impact *b, bool after_slip, int *slip)
{
    const double hold = -b->w[0][1] / b->w[0][0],
                 own = b->path == IC_PATH_STICKS_BY_W_YY ? b->w[1][1] : b->w[0][0];
    const bool slides_more = b->path == IC_PATH_STATIC_BACK || b->path == IC_PATH_STATIC_LEG;
    const double mu = slides_more || b->path == IC_PATH_STATIC_MORE ? b->path_by * b->mu : b->mu;
    const int back = b->path == IC_PATH_NEVER_STICKS && b->w[0][1] == 0 ? (int)b->path_by : ic_sign(b->w[0][1]);
    bool sticks = fabs(b->w[0][1]) <= mu * own;
    if (b->path == IC_PATH_ALWAYS_STICKS) sticks = true;
    if (b->path == IC_PATH_NEVER_STICKS) sticks = false;
    *slip = sticks ? 0 : back;
    if (sticks) return b->path == IC_PATH_STICKING_REVERSED ? -hold : hold;
    const bool reversed = b->path == IC_PATH_BACK_REVERSED || (b->path == IC_PATH_BACK_KEPT && after_slip);
    return (reversed ? 1 : -1) * back * (slides_more ? mu : b->mu);
}

static int first_slip(const ic_believed_impact *b)
{
    const int slip = b->held ? 0 : ic_sign(b->v[0]);
    const ic_change_kind right = slip == 0 ? IC_PATH_REST_IS_RIGHT : IC_PATH_ALWAYS_RIGHT;
    const ic_change_kind left = slip == 0 ? IC_PATH_REST_IS_LEFT : IC_PATH_ALWAYS_LEFT;
    return b->path == right ? 1 : b->path == left ? -1 : slip;
}

static void begin(walk *w)
{
    const ic_believed_impact *b = w->b;
    w->v[0] = b->v[0], w->v[1] = b->v[1];
    w->slip = first_slip(b);
    if (w->slip == 0) w->slope = slope_at_rest(b, false, &w->slip);
    else w->slope = (b->path == IC_PATH_FIRST_REVERSED ? 1 : -1) * w->slip * b->mu;
}

static double present_slope(const walk *w)
{
    if (w->b->path == IC_PATH_NOT_IN_RESTITUTION && w->restitution) return 0;
    if (w->b->path == IC_PATH_NOT_IN_COMPRESSION && !w->restitution) return 0;
    return w->slope;
}

/* distance on a line of slope `rise` on which v_y grows and returns the energy `back` */
static double distance_of_energy(double v_y, double rise, double back)
{
    const double square = v_y * v_y + 2 * rise * back;
    if (!(back > 0)) return 0;
    return square >= 0 ? 2 * back / (v_y + sqrt(square)) : INFINITY;
}

/* The impulse that restitution adds to P_c, by Poisson's hypothesis. */
static double impulse_returned(const walk *w)
{
    const double smooth = -w->b->v[1] / w->b->w[1][1];
    switch (w->b->end) {
    case IC_END_FRICTIONLESS: return w->b->e * smooth;
    case IC_END_LAST_LEG: return w->b->e * (w->P_c - (w->P_s < w->P_c ? w->P_s : 0));
    case IC_END_FIRST_LEG: return w->b->e * fmin(w->P_c, w->P_s);
    default: return w->b->e * w->P_c;
    }
}

/* The energy that is still to be returned, by Stronge's hypothesis. */
static double energy_left(const walk *w)
{
    const double square = w->b->e * w->b->e, returned = w->D_c - w->D[0];
    const double smooth = 0.5 * w->b->v[1] * w->b->v[1] / w->b->w[1][1];
    const double last = w->P_s < w->P_c ? w->D_c - w->D_s : w->D_c;
    switch (w->b->end) {
    case IC_END_FRICTIONLESS: return square * smooth - returned;
    case IC_END_FRICTIONLESS_LOST: return w->D[0] - (1 - square) * smooth;
    case IC_END_TOTAL: return square * (w->D_c + w->T_c) - returned;
    case IC_END_TOTAL_LOST: return w->D[0] - (1 - square) * (w->D_c + w->T_c);
    case IC_END_LAST_LEG: return square * last - returned;
    case IC_END_LAST_LEG_LOST: return w->D[0] - (1 - square) * last;
    case IC_END_FIRST_LEG: return square * (w->P_s < w->P_c ? w->D_s : w->D_c) - returned;
    default: return square * w->D_c - returned;
    }
}

/* P_y from here to lift-off, if this leg lasts so long. */
static double distance_to_end(const walk *w, double rise)
{
    const ic_believed_impact *b = w->b;
    const double smooth = -b->v[1] / b->w[1][1];
    double d = INFINITY;
    if (w->rule == IC_RULE_OWN) return fmax(b->own_P_y - w->P[1], 0);
    if (b->end == IC_END_FRICTIONLESS_ALL) return fmax((1 + b->e) * smooth - w->P[1], 0);
    if (w->restitution && w->rule == IC_RULE_POISSON) d = w->P_c + impulse_returned(w) - w->P[1];
    if (w->restitution && w->rule == IC_RULE_STRONGE) d = distance_of_energy(w->v[1], rise, energy_left(w));
    if (w->restitution && w->rule == IC_RULE_NEWTON && rise > 0)
        d = (-b->e * b->v[1] + (b->end == IC_END_SPEED_MORE ? b->end_by : 0) - w->v[1]) / rise;
    if (b->end == IC_END_IMPULSE_LIMITED) d = fmin(d, b->end_by - w->P[1]);
    return fmax(d, 0);
}

static void advance(walk *w, double d, double slope, double run, double rise)
{
    w->D[0] -= d * (w->v[1] + 0.5 * rise * d);
    w->D[1] -= slope * d * (w->v[0] + 0.5 * run * d);
    w->v[0] += run * d, w->v[1] += rise * d;
    w->P[0] += slope * d, w->P[1] += d;
}

/* To a P_y that is a multiple of that of lift-off. */
static bool walk_scaled(ic_impact_result *r, const ic_believed_impact *b, ic_impact_rule rule)
{
    ic_believed_impact right = *b;
    right.end = IC_CHANGE_NONE;
    if (!ic_impact_walk(r, &right, rule)) return false;
    right.own_P_y = b->end_by * r->P[1];
    return ic_impact_walk(r, &right, IC_RULE_OWN);
}

static void begin_restitution(walk *w)
{
    w->restitution = true, w->v[1] = 0, w->P_c = w->P[1], w->D_c = w->D[0], w->T_c = w->D[1];
    if (w->b->path == IC_PATH_STATIC_LEG && w->slip != 0 && w->v[0] != 0) w->slope = -w->slip * w->b->mu;
}

bool ic_impact_walk(ic_impact_result *r, const ic_believed_impact *b, ic_impact_rule rule)
{
    if (b->end == IC_END_SCALED) return walk_scaled(r, b, rule);
    walk w = {.b = b, .rule = rule, .P_s = INFINITY};
    begin(&w);
    for (int k = 0; k < MOST_CORNERS; k++) {
        const double slope = present_slope(&w);
        const bool sticks = w.slip == 0 && slope == -b->w[0][1] / b->w[0][0];
        const double run = sticks ? 0 : b->w[0][1] + b->w[0][0] * slope, rise = b->w[1][1] + b->w[1][0] * slope;
        const bool may_stop = w.slip != 0 && w.v[0] * run < 0 && (b->path != IC_PATH_NO_STOP || w.stopped);
        const double stop = may_stop ? -w.v[0] / run : INFINITY;
        const double full = !w.restitution && rise > 0 ? -w.v[1] / rise : INFINITY;
        const double end = distance_to_end(&w, rise), d = fmin(fmin(stop, full), end);
        /* a right path comes to a stop where v_y does not rise */
        if (!isfinite(d) || (!(rise > 0) && !isfinite(stop))) return false;
        advance(&w, d, slope, run, rise);
        if (end <= d) {
            *r = (ic_impact_result){.v = {w.v[0], w.v[1]}, .P = {w.P[0], w.P[1]}, .D_N = w.D[0], .D_T = w.D[1]};
            return true;
        }
        if (full <= d) begin_restitution(&w);
        if (stop <= d) {
            w.stopped = true, w.v[0] = 0, w.P_s = w.P[1], w.D_s = w.D[0];
            w.slope = slope_at_rest(b, true, &w.slip);
        }
    }
    return false;
}
