#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# findings/petsc-second-bounce.sh
#
# Expected: TS with an event handler finds every impact of a bouncing ball, since step and events are controlled and the
# handler may change the state; a smaller tolerance would find more, if anything.
# So it is: PETSc 3.18.5 locates the first event within a step, calls the handler, and then goes on to the end of that
# step in one piece. An impact in this rest is lost: the event function is zero where the piece begins, so that no change
# of sign is seen, and the ball falls through the floor without a word. Free fall is a polynomial that the method
# integrates exactly, so that steps grow however small the tolerance is. A bound on the step moves the loss to later.
# It matters: impacts that come faster and faster, as those of every ball that comes to rest, end below the floor, and a
# smaller tolerance does not help. A bound on the step below the shortest flight that counts does, for these.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/bare-machine.sh
. tools/bare-machine.sh
bare_machine bookworm
on_bare_machine apt-get update >&2
on_bare_machine apt-get install -y --no-install-recommends gcc libc6-dev pkg-config petsc-dev=3.18.5+dfsg1-1 mpi-default-dev >&2
cat >"$machine/root/ball.c" <<'END'
#include <petscts.h>
static PetscErrorCode rate(TS ts, PetscReal t, Vec x, Vec f, void *c)
{
    const PetscScalar *s;
    PetscScalar *r;
    VecGetArrayRead(x, &s), VecGetArray(f, &r);
    r[0] = s[1], r[1] = -10;
    VecRestoreArrayRead(x, &s);
    return VecRestoreArray(f, &r);
}
static PetscErrorCode height(TS ts, PetscReal t, Vec x, PetscScalar *h, void *c)
{
    const PetscScalar *s;
    VecGetArrayRead(x, &s);
    h[0] = s[0];
    return VecRestoreArrayRead(x, &s);
}
static PetscErrorCode bounce(TS ts, PetscInt n, PetscInt list[], PetscReal t, Vec x, PetscBool forward, void *c)
{
    PetscScalar *s;
    if (n == 0) return 0;
    VecGetArray(x, &s);
    s[0] = 0, s[1] = -0.5 * s[1];
    printf(" %.3f", t);
    return VecRestoreArray(x, &s);
}
int main(int argc, char **argv)
{
    const double steps[] = {1e9, 0.5, 0.05};
    PetscInitializeNoArguments();
    for (int i = 0; i < 3; i++) {
        PetscInt falling = -1;
        PetscBool no = PETSC_FALSE;
        const PetscScalar *s;
        PetscScalar *w;
        TSAdapt adapt;
        TS ts;
        Vec x;
        VecCreateSeq(PETSC_COMM_SELF, 2, &x), VecGetArray(x, &w), w[0] = 5, w[1] = 0, VecRestoreArray(x, &w);
        TSCreate(PETSC_COMM_SELF, &ts), TSSetType(ts, TSRK), TSRKSetType(ts, TSRK5DP);
        TSSetRHSFunction(ts, NULL, rate, NULL), TSSetTolerances(ts, 1e-10, NULL, 1e-10, NULL);
        TSGetAdapt(ts, &adapt), TSAdaptSetStepLimits(adapt, 1e-10, steps[i]);
        TSSetTimeStep(ts, 1e-3), TSSetMaxTime(ts, 2.9), TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP);
        TSSetEventHandler(ts, 1, &falling, &no, height, bounce, NULL);
        printf("longest step %g s: impacts at", steps[i]);
        TSSolve(ts, x), VecGetArrayRead(x, &s);
        printf(", height at the end %.2f m\n", s[0]);
        TSDestroy(&ts), VecDestroy(&x);
    }
    return PetscFinalize();
}
END
# shellcheck disable=SC2016 # the shell of that machine replaces it
on_bare_machine sh -c 'cc -O1 ball.c -o ball $(pkg-config --cflags --libs PETSc ompi-c) -lm && ./ball' | tee "$machine/root/seen"
diff "$machine/root/seen" - <<'END'
longest step 1e+09 s: impacts at 1.000 2.000 2.500, height at the end -0.30 m
longest step 0.5 s: impacts at 1.000 2.000 2.500 2.750, height at the end -0.02 m
longest step 0.05 s: impacts at 1.000 2.000 2.500 2.750 2.875, height at the end 0.00 m
END
