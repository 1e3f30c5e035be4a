/* SPDX-License-Identifier: MIT */
#include "bench/floor.h"
#include "bench/timing.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Arguments per call, which stay in the first cache; calls per timing, some 0.2 ms; timings, of
   which the least counts, since disturbances only lengthen them. */
enum { ARGUMENTS = 512, CALLS = 256, TIMINGS = 31 };

/* Exponents and angles of the magnitude that occurs between two events. */
#define LEAST_ARGUMENT (-3.0)
#define GREATEST_ARGUMENT 3.0

enum { EXP, SIN, COS, FUNCTIONS };
static const char *const names[FUNCTIONS] = {[EXP] = "exp", [SIN] = "sin", [COS] = "cos"};

/* Evaluates a function at all arguments. */
typedef void evaluate(void *function, double *values, const double *arguments);

/* ---- scalar functions */

typedef double scalar_function(double);

static void evaluate_one_by_one(void *function, double *values, const double *arguments)
{
    scalar_function *f = NULL;
    memcpy(&f, &function, sizeof f); /* C has no cast between pointers to data and to functions */
    for (size_t i = 0; i < ARGUMENTS; i++) values[i] = f(arguments[i]);
}

static void *set_scalar(int which)
{
    static scalar_function *const functions[FUNCTIONS] = {[EXP] = exp, [SIN] = sin, [COS] = cos};
    void *function = NULL;
    memcpy(&function, &functions[which], sizeof function);
    return function;
}

/* ---- vector functions of x86, which take and return one vector register */

typedef struct instruction_set {
    const char *name;

    /* letter in the names of vector functions: _ZGV LETTER N WIDTH v_exp */
    char letter;

    /* doubles in a vector */
    int width;

    evaluate *evaluate;
} instruction_set;

static const instruction_set none = {"none", '\0', 1, evaluate_one_by_one};

#if defined __x86_64__ && defined __GNUC__
#define IC_EVALUATE_BY_VECTORS(NAME, WIDTH, ISA)                                                               \
    typedef double NAME##_vector __attribute__((vector_size((WIDTH) * sizeof(double))));                       \
    __attribute__((target(ISA))) static void NAME(void *function, double *values, const double *arguments)     \
    {                                                                                                          \
        NAME##_vector (*f)(NAME##_vector) = NULL;                                                              \
        memcpy(&f, &function, sizeof f);                                                                       \
        for (size_t i = 0; i < ARGUMENTS; i += (WIDTH)) {                                                      \
            NAME##_vector x;                                                                                   \
            memcpy(&x, arguments + i, sizeof x);                                                               \
            x = f(x);                                                                                          \
            memcpy(values + i, &x, sizeof x);                                                                  \
        }                                                                                                      \
    }
IC_EVALUATE_BY_VECTORS(by_sse2, 2, "sse2")
IC_EVALUATE_BY_VECTORS(by_avx2, 4, "avx2,fma")
IC_EVALUATE_BY_VECTORS(by_avx512, 8, "avx512f")

/* The widest vectors that this processor and its system support. */
static const instruction_set *widest_vectors(void)
{
    static const instruction_set sse2 = {"SSE2", 'b', 2, by_sse2}, avx2 = {"AVX2", 'd', 4, by_avx2},
                                 avx512 = {"AVX-512", 'e', 8, by_avx512};
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return &avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2 : &sse2;
}
#else
static const instruction_set *widest_vectors(void)
{
    return &none;
}
#endif

/* ---- measurement */

typedef struct functions {
    const instruction_set *set;

    /* NULL: libm */
    void *library;

    void *of[FUNCTIONS];
} functions;

static bool find_vector_functions(functions *f)
{
    f->set = widest_vectors();
    if (f->set == &none) return false;
    f->library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; i < FUNCTIONS && f->library != NULL; i++) {
        char name[32];
        snprintf(name, sizeof name, "_ZGV%cN%dv_%s", f->set->letter, f->set->width, names[i]);
        f->of[i] = dlsym(f->library, name);
        if (f->of[i] == NULL) return false;
    }
    return f->library != NULL;
}

static void close_functions(functions *f)
{
    if (f->library != NULL) dlclose(f->library);
    f->library = NULL;
}

static functions open_functions(void)
{
    functions f = {.set = &none};
    if (find_vector_functions(&f)) return f;
    close_functions(&f);
    f.set = &none;
    for (int i = 0; i < FUNCTIONS; i++) f.of[i] = set_scalar(i);
    return f;
}

static void fill_arguments(double *arguments)
{
    for (size_t i = 0; i < ARGUMENTS; i++)
        arguments[i] =
            LEAST_ARGUMENT + (GREATEST_ARGUMENT - LEAST_ARGUMENT) * (double)i / (double)(ARGUMENTS - 1);
}

/* Time per element, s. */
static double time_of(const functions *f, int which)
{
    double arguments[ARGUMENTS], values[ARGUMENTS], least = INFINITY;
    fill_arguments(arguments);
    for (int k = 0; k < TIMINGS; k++) {
        const double begin = ic_time_now();
        for (int i = 0; i < CALLS; i++) f->set->evaluate(f->of[which], values, arguments);
        least = fmin(least, ic_time_now() - begin);
    }
    return least / (CALLS * (double)ARGUMENTS);
}

double ic_floor_of(double t_exp, double t_sin, double t_cos)
{
    return IC_FLOOR_EVALUATIONS * (IC_FLOOR_EXP * t_exp + IC_FLOOR_SINCOS * (t_sin + t_cos));
}

void ic_floor_measure(ic_cost_floor *floor)
{
    functions f = open_functions();
    floor->width = f.set->width;
    /* of NAN and a number, fmin returns the number */
    floor->exp = fmin(floor->exp, time_of(&f, EXP));
    floor->sin = fmin(floor->sin, time_of(&f, SIN));
    floor->cos = fmin(floor->cos, time_of(&f, COS));
    snprintf(floor->vectors, sizeof floor->vectors, "%s", f.set->name);
    floor->event = ic_floor_of(floor->exp, floor->sin, floor->cos);
    close_functions(&f);
}

double ic_floor_deviation(void)
{
    functions f = open_functions();
    double arguments[ARGUMENTS], values[ARGUMENTS], expected[ARGUMENTS], greatest = 0;
    fill_arguments(arguments);
    for (int k = 0; k < FUNCTIONS; k++) {
        f.set->evaluate(f.of[k], values, arguments);
        evaluate_one_by_one(set_scalar(k), expected, arguments);
        for (size_t i = 0; i < ARGUMENTS; i++) {
            /* NAN is not a small deviation */
            const double deviation = fabs(values[i] - expected[i]);
            if (!(deviation <= greatest)) greatest = isnan(deviation) ? INFINITY : deviation;
        }
    }
    close_functions(&f);
    return greatest;
}
