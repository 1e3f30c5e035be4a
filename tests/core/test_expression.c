/* SPDX-License-Identifier: MIT */
/* The expression language in double precision, and the numbers it reads from a command line. */
#include "core/expression.h"
#include "tests/tests.h"

IC_SUITE(light, "expressions")

/* A few roundings of numbers of order 1. */
#define ROUNDING 1e-15

static double value_of(const char *text)
{
    double value = NAN;
    return ic_expression_number(&value, text, NULL, NULL) ? value : NAN;
}

/* All functions of case files, of constants. */
IC_TEST(test_functions)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"tan(0.5)", 0.54630248984379051},
                {"asin(0.5)", 0.52359877559829882},
                {"acos(0.5)", 1.0471975511965979},
                {"atan(2)", 1.1071487177940904},
                {"atan2(-1, -1)", -2.3561944901923448},
                {"sinh(0.5)", 0.52109530549374738},
                {"cosh(0.5)", 1.1276259652063807},
                {"tanh(0.5)", 0.46211715726000973},
                {"abs(-2)", 2},
                {"sign(-3)", -1},
                {"sign(0)", 0},
                {"min(2, 1 + 2)", 2},
                {"max(2, 1 + 2)", 3},
                {"max(min(1, 2), -4)*2", 2}};
    ic_error error;
    double value = 0;
    for (size_t i = 0; i < IC_COUNT(rows); i++)
        CU_ASSERT_DOUBLE_EQUAL(value_of(rows[i].text), rows[i].value, ROUNDING);
    CU_ASSERT(isnan(value_of("asin(2)")) && isnan(value_of("min(1)")) && isnan(value_of("max(1, 2, 3)")) &&
              isnan(value_of("atan2(1")) && isnan(value_of("abs(1, 2)")));
    CU_ASSERT_FALSE(ic_expression_number(&value, "min", NULL, &error));
    CU_ASSERT(strstr(error.text, "expected '('") != NULL);
    /* a parameter of a C case may have such a name */
    static const ic_parameter own = {"max", "1", "", "7", "(-inf, inf)"};
    const ic_case system = {.parameters = &own, .n_parameters = 1};
    const double par[] = {7};
    const ic_names names = {.system = &system, .par = par};
    CU_ASSERT(ic_expression_number(&value, "max + max(1, 2)", &names, NULL) && value == 9);
}

IC_TEST(test_numbers)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"0.1", 0.1},
        {"3/2", 1.5},
        {"5.06e5", 506000},
        {"80pi", 80 * 3.14159265358979323846},
        {"-2", -2},
        {"2^10", 1024},
        {"2^-1", 0.5},
        {"-2^2", -4},
        {"1 - 2 - 3", -4},
        {"8/4/2", 1},
        {"2(3 + 1)", 8},
        {"pi/6", 3.14159265358979323846 / 6},
        {"sqrt(2)^2", 2},
        {"cos(0) + sin(0)", 1},
        {"exp(1)", M_E},
        {" ( 1 ) ", 1},
        {"-1.5e-3", -0.0015},
        {".5", 0.5},
        {"2(3 + 1)^2", 32},
        {"3pi^2/3", 3.14159265358979323846 * 3.14159265358979323846},
        {"1/(2pi)*pi", 0.5},
        {"--1", 1},
        {"1e3pi", 1000 * 3.14159265358979323846},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        CU_ASSERT(fabs(value_of(rows[i].text) - rows[i].value) <= ROUNDING * fabs(rows[i].value));
        /* planted */
        CU_ASSERT_FALSE(fabs(value_of(rows[i].text) - (rows[i].value + 1)) <= ROUNDING);
    }
}

IC_TEST(test_refused)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "abc",
                                        "nan",
                                        "inf",
                                        "1e999",
                                        "0x10",
                                        "1..2",
                                        "1/0",
                                        "1 2",
                                        "(1",
                                        "1)",
                                        "2^0.5",
                                        "2^(1)",
                                        "*1",
                                        "1+",
                                        "sqrt",
                                        "sqrt(-1)",
                                        "sin 1",
                                        "2^65",
                                        "0^-1",
                                        "t",
                                        "x",
                                        "1e",
                                        "pi2",
                                        "1/2pi",
                                        "1/2(3)",
                                        "exp(1e9)",
                                        "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1"};
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        ic_error error = {""};
        double value = 7;
        CU_ASSERT_FALSE(ic_expression_number(&value, texts[i], NULL, &error));
        CU_ASSERT(strlen(error.text) > 0);
        CU_ASSERT_EQUAL(value, 7); /* untouched */
    }
}

IC_TEST(test_message_says_where)
{
    ic_error error = {""};
    double value = 0;
    CU_ASSERT_FALSE(ic_expression_number(&value, "80pj", NULL, &error));
    CU_ASSERT(strstr(error.text, "character 3") != NULL && strstr(error.text, "unknown name") != NULL);
}

/* "-(k*x2 + c*v2 + F_w*sin(omega*t + phase))/m2" of the roller: every coefficient by hand. */
IC_TEST(test_affine_form)
{
    const ic_case *roller = ic_case_find("roller");
    const double par[] = {2000, 1000, 1e6, 1e4, 9.81, 0, 58800, 3, 0.5, 2e8, 5e5};
    const ic_names names = {.system = roller, .par = par, .states = true, .time = true};
    const double x[] = {0.1, 0.2, 0.3, 0.4, 0.5};
    ic_form form;
    CU_ASSERT(ic_expression(&form, "-(k*x2 + c*v2 + F_w*sin(omega*t + phase))/m2 + 1", &names, NULL));
    CU_ASSERT_EQUAL(form.state[0], -1e5);
    CU_ASSERT_EQUAL(form.state[1], -250);
    CU_ASSERT_EQUAL(form.state[2], 0);
    CU_ASSERT_EQUAL(form.constant, 1);
    CU_ASSERT_EQUAL(form.frequency, 3);
    const double expected = -(2e8 * 0.1 + 5e5 * 0.2 + 58800 * sin(3 * 0.7 + 0.5)) / 2000 + 1;
    CU_ASSERT(fabs(ic_form_value(&form, 5, 0.7, x) - expected) <= 16 * ROUNDING * fabs(expected));
    CU_ASSERT_FALSE(fabs(ic_form_value(&form, 5, 0.8, x) - expected) <=
                    16 * ROUNDING * fabs(expected)); /* planted */
}

/* Terms that cancel are counted; divisors and arguments stay as they are. */
IC_TEST(test_magnitudes)
{
    const ic_names names = {.magnitudes = true};
    ic_form form;
    CU_ASSERT(ic_expression(&form, "-3 + (3 - 1)*2", &names, NULL) && form.constant == 11);
    CU_ASSERT(ic_expression(&form, "(5 - 4)/(5 - 3) - sqrt(5 - 1)", &names, NULL) && form.constant == 6.5);
}

IC_TEST(test_what_is_not_affine)
{
    const ic_case *roller = ic_case_find("roller");
    const double par[] = {2000, 1000, 1e6, 1e4, 9.81, 0, 58800, 3, 0.5, 2e8, 5e5};
    const ic_names names = {.system = roller, .par = par, .states = true, .time = true};
    static const char *const texts[] = {"x2*v2", "1/x2",   "sqrt(x2)", "sin(x2)",          "t",
                                        "x2^2",  "exp(t)", "t*x2",     "sin(t) + sin(2t)", "sin(sin(t))"};
    ic_form form;
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        ic_error error = {""};
        CU_ASSERT_FALSE(ic_expression(&form, texts[i], &names, &error));
        CU_ASSERT(strlen(error.text) > 0);
    }
    CU_ASSERT(ic_expression(&form, "x2*2 + sin(t) - cos(t)/3 + sin(2)*v2", &names, NULL));
}
