/* SPDX-License-Identifier: MIT */
#include "core/equations.h"

#include <math.h>

/* One text for both purposes: the interpreted function, and the source of compiled programs. */
#define POWER_BODY                                                                                             \
    if (b == 1.5) return a * sqrt(a);                                                                          \
    if (b == 0.5) return sqrt(a);                                                                              \
    if (b == 1) return a;                                                                                      \
    if (b == 2) return a * a;                                                                                  \
    if (b == 3) return a * a * a;                                                                              \
    if (b == -1) return 1 / a;                                                                                 \
    return pow(a, b);
#define TEXT_OF(code) #code
#define EXPANDED_TEXT_OF(code) TEXT_OF(code)

const char ic_constant_power_source[] = EXPANDED_TEXT_OF(POWER_BODY);

double ic_constant_power(double a, double b)
{
    POWER_BODY
}

double ic_operation_value(ic_operation operation, double a, double b, double c)
{
    switch (operation) {
    case IC_OP_ADD: return a + b;
    case IC_OP_SUBTRACT: return a - b;
    case IC_OP_MULTIPLY: return a * b;
    case IC_OP_DIVIDE: return a / b;
    case IC_OP_NEGATE: return -a;
    case IC_OP_POWER: return ic_constant_power(a, b);
    case IC_OP_SQRT: return sqrt(a);
    case IC_OP_CBRT: return cbrt(a);
    case IC_OP_EXP: return exp(a);
    case IC_OP_LOG: return log(a);
    case IC_OP_SIN: return sin(a);
    case IC_OP_COS: return cos(a);
    case IC_OP_TAN: return tan(a);
    case IC_OP_ASIN: return asin(a);
    case IC_OP_ACOS: return acos(a);
    case IC_OP_ATAN: return atan(a);
    case IC_OP_ATAN2: return atan2(a, b);
    case IC_OP_SINH: return sinh(a);
    case IC_OP_COSH: return cosh(a);
    case IC_OP_TANH: return tanh(a);
    case IC_OP_ABS: return fabs(a);
    case IC_OP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : 0;
    case IC_OP_MIN: return a < b ? a : b;
    case IC_OP_MAX: return a > b ? a : b;
    case IC_OP_STEP: return a >= 0 ? 1 : 0;
    case IC_OP_CHOOSE: return a > 0 ? b : c;
    default: return NAN;
    }
}

double ic_equation_value(const ic_equation_term *term, const double *values, const ic_equation_input *in)
{
    switch (term->operation) {
    case IC_OP_NUMBER: return term->number;
    case IC_OP_PI: return 3.14159265358979323846;
    case IC_OP_TIME: return in->t;
    case IC_OP_STATE: return in->x[term->a];
    case IC_OP_PARAMETER: return in->par[term->a];
    default: break;
    }
    return ic_operation_value(term->operation, values[term->a], term->b < 0 ? 0 : values[term->b],
                              term->c < 0 ? 0 : values[term->c]);
}
