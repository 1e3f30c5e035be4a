/* SPDX-License-Identifier: MIT */
/*
 * Contacts collide one after another, each as if it were alone:
 *
 *     P_i += -(1 + e_i) u_i/W_ii     where u_i < 0.
 *
 * Order: sweeps over the contacts 1, 2, ..., n; each that approaches when its turn comes collides. Sweeps are
 * repeated until no contact approaches.
 *
 * Energy: each collision loses (1 - e_i^2) u_i^2/(2 W_ii) >= 0, so that the map never creates
 * energy, whatever the coefficients are. Newton's cradle with equal balls and e = 1: the velocity
 * passes from ball to ball, and the last one leaves. This is also the limit of small gaps between
 * the balls. But the answer depends on the order: a block that lands on two corners at once begins
 * to rotate.
 *
 * For e = 0, and for other small e, the sequence may be infinite: velocities then converge like
 * those of the Gauss-Seidel method. It ends where no contact approaches faster than SETTLED times
 * the fastest approach before, and these approaches are set to zero.
 *
 * A. P. Ivanov, On multiple impact (1995); C. Glocker, U. Aeberhard, The geometry of Newton's cradle (2006).
 */
#include "solvers/rigid/multi_impact.h"

#include <float.h>
#include <math.h>

/* Approaches below this fraction of the fastest one are the rounding of the sums that they are made of. */
#define SETTLED (8 * DBL_EPSILON)

/*
 * Sweeps. For a row of n equal balls and e = 0 a sweep reduces approaches by cos^2(pi/(n + 1)) at
 * least, so that n = IC_MULTI_CONTACTS needs about 15 000 for 16 digits.
 */
#define MOST_SWEEPS 1e6

/* Lets contact i collide. */
static void collide(ic_multi_impact_result *result, const ic_multi_impact *impact, size_t i)
{
    const size_t n = impact->n;
    const double P = -(1 + impact->e[i]) * result->u[i] / impact->W[i * n + i],
                 after = -impact->e[i] * result->u[i];
    result->P[i] += P;
    for (size_t k = 0; k < n; k++) result->u[k] += impact->W[k * n + i] * P;
    result->u[i] = after;
}

static ic_status map_sequential(ic_multi_impact_result *result, const ic_multi_impact *impact)
{
    double fastest = 0;
    if (ic_multi_impact_fault(impact) != NULL) return IC_INVALID;
    for (size_t i = 0; i < impact->n; i++) {
        result->P[i] = 0;
        result->u[i] = impact->u[i];
        fastest = fmax(fastest, -impact->u[i]);
    }
    bool settled = false;
    for (double sweep = 0; !settled; sweep++) {
        if (sweep == MOST_SWEEPS) return IC_TOO_MUCH_WORK;
        settled = true;
        for (size_t i = 0; i < impact->n; i++) {
            if (result->u[i] >= -SETTLED * fastest) continue;
            collide(result, impact, i);
            settled = false;
        }
    }
    for (size_t i = 0; i < impact->n; i++) result->u[i] = fmax(result->u[i], 0);
    ic_multi_impact_finish(result, impact);
    return IC_OK;
}

const ic_multi_impact_map ic_multi_impact_map_sequential = {
    IC_ABI(ic_multi_impact_map),
    .name = "sequential",
    .title = "one contact after another, in their order, until none approaches",
    .source = "Ivanov 1995; Glocker & Aeberhard 2006",
    .map = map_sequential,
};
