/* SPDX-License-Identifier: MIT */
/*
 * Machines with impacts by PETSc's TS and its event handler, which applies the impact. Usage: petsc_ts METHOD CASE RTOL
 * NAME=VALUE..., METHOD a Runge-Kutta method of TSRK (5dp, 8vr); prints as scipy_ivp.py.
 */
#include <petscts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 4, MOST_EVENTS = 1000 };
#define FIRST_STEP 1e-3 /* s */

static char **words;
static int n_words;
static double times[MOST_EVENTS];
static int n_times;

static double number(const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < n_words; i++) {
        if (strncmp(words[i], name, n) == 0 && words[i][n] == '=') return atof(words[i] + n + 1);
    }
    fprintf(stderr, "petsc_ts: '%s' is missing\n", name);
    exit(2);
}

/* Numbers are looked up once: `p` in the order of the names of a machine. */
typedef struct machine {
    const char *path;
    int n, direction;
    const char *start[MOST], *names[12];
    void (*flow)(double *f, double t, const double *x, const double *p);
    double (*guard)(const double *x, const double *p);
    void (*impact)(double *x, const double *p);
} machine;

static void fall(double *f, double t, const double *x, const double *p)
{
    f[0] = x[1], f[1] = -p[0] + 0 * t;
}
static double height(const double *x, const double *p)
{
    return x[0] + 0 * p[0];
}
static void bounce(double *x, const double *p)
{
    x[0] = 0, x[1] *= -p[1];
}

static void swing(double *f, double t, const double *x, const double *p)
{
    f[0] = x[1];
    f[1] = (p[0] * cos(p[1] * t) - p[2] * x[1] - p[3] * x[0] - p[4] * x[0] * x[0] * x[0]) / p[5];
}
static double beyond_stop(const double *x, const double *p)
{
    return x[0] - p[6];
}
static void rebound(double *x, const double *p)
{
    x[1] *= -p[7];
}

static void push_two(double *f, double t, const double *x, const double *p)
{
    f[0] = x[1];
    f[1] = (p[0] * cos(p[10] * t + p[8]) - p[2] * x[0] - p[4] * x[1]) / p[6];
    f[2] = x[3];
    f[3] = (p[1] * cos(p[10] * t + p[9]) - p[3] * x[2] - p[5] * x[3]) / p[7];
}
static double gap(const double *x, const double *p)
{
    return x[2] - x[0] + 0 * p[0];
}
static void collide(double *x, const double *p)
{
    const double m1 = p[6], m2 = p[7], mean = (m1 * x[1] + m2 * x[3]) / (m1 + m2);
    const double apart = p[11] * (x[1] - x[3]) / (m1 + m2);
    x[1] = mean - m2 * apart, x[3] = mean + m1 * apart;
}

static const machine machines[] = {
    {"bouncing-ball/lively", 2, -1, {"h", "v0"}, {"g", "e"}, fall, height, bounce},
    {"impact-oscillator/duffing",
     2,
     1,
     {"x0", "v0"},
     {"F", "omega", "c", "k", "k_3", "m", "gap_r", "e"},
     swing,
     beyond_stop,
     rebound},
    {"two-mass/forced",
     4,
     -1,
     {"u1", "v1", "u3", "v3"},
     {"f1", "f2", "k1", "k2", "c1", "c2", "m1", "m2", "p1", "p2", "omega", "e"},
     push_two,
     gap,
     collide},
};
static const machine *m = machines;
static double p[12];

static PetscErrorCode rhs(TS ts, PetscReal t, Vec x, Vec f, void *self)
{
    const PetscScalar *from;
    PetscScalar *to;
    PetscCall(VecGetArrayRead(x, &from));
    PetscCall(VecGetArray(f, &to));
    m->flow(to, t, from, p);
    PetscCall(VecRestoreArray(f, &to));
    return VecRestoreArrayRead(x, &from);
}

static PetscErrorCode value_of_event(TS ts, PetscReal t, Vec x, PetscScalar *value, void *self)
{
    const PetscScalar *from;
    PetscCall(VecGetArrayRead(x, &from));
    value[0] = m->guard(from, p);
    return VecRestoreArrayRead(x, &from);
}

static PetscErrorCode after_event(TS ts, PetscInt n, PetscInt list[], PetscReal t, Vec x, PetscBool forward,
                                  void *self)
{
    PetscScalar *to;
    if (n == 0) return 0;
    PetscCall(VecGetArray(x, &to));
    m->impact(to, p);
    if (n_times < MOST_EVENTS) times[n_times++] = t;
    PetscCall(TSRestartStep(ts));
    return VecRestoreArray(x, &to);
}

static PetscErrorCode run(const char *method, double rtol)
{
    PetscInt direction = m->direction;
    PetscBool stops = PETSC_FALSE;
    PetscScalar *to;
    TS ts;
    Vec x;
    n_times = 0;
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, m->n, &x));
    PetscCall(VecGetArray(x, &to));
    for (int i = 0; i < m->n; i++) to[i] = number(m->start[i]);
    PetscCall(VecRestoreArray(x, &to));
    PetscCall(TSCreate(PETSC_COMM_SELF, &ts));
    PetscCall(TSSetType(ts, TSRK));
    PetscCall(TSRKSetType(ts, method));
    PetscCall(TSSetRHSFunction(ts, NULL, rhs, NULL));
    PetscCall(TSSetTolerances(ts, rtol * 1e-2, NULL, rtol, NULL));
    PetscCall(TSSetTimeStep(ts, FIRST_STEP));
    PetscCall(TSSetMaxSteps(ts, 10000000));
    PetscCall(TSSetMaxTime(ts, number("t_end")));
    PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
    PetscCall(TSSetEventHandler(ts, 1, &direction, &stops, value_of_event, after_event, NULL));
    PetscCall(TSSetFromOptions(ts));
    PetscCall(TSSolve(ts, x));
    PetscCall(TSDestroy(&ts));
    return VecDestroy(&x);
}

int main(int argc, char **argv)
{
    double best = 1e9;
    if (argc < 4) return 2;
    words = argv + 4, n_words = argc - 4;
    PetscCall(PetscInitializeNoArguments());
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        if (strcmp(machines[i].path, argv[2]) == 0) m = &machines[i];
    }
    for (int i = 0; i < 12 && m->names[i] != NULL; i++) p[i] = number(m->names[i]);
    for (int i = 0; i < 3; i++) {
        const clock_t begin = clock();
        PetscCall(run(argv[1], atof(argv[3])));
        best = fmin(best, (double)(clock() - begin) / CLOCKS_PER_SEC);
    }
    printf("time %.9g\n", best);
    for (int i = 0; i < n_times; i++) printf("event %.17g\n", times[i]);
    return PetscFinalize();
}
