/* SPDX-License-Identifier: MIT */
/* Parameters set from text: settings, ranges, defaults that depend on others, and the messages for
   mistakes. */
#include "core/parameters.h"
#include "registry/registry.h"
#include "tests/tests.h"

IC_SUITE(light, "parameters")
IC_OWNED(ic_parameters, ic_parameters_close)

enum { K, N, C };

static const ic_parameter table[] = {
    [K] = {"K", "N/m", "stiffness", "1e10", "(0, inf)"},
    [N] = {"n", "1", "power", "3/2", "[1, 2]"},
    [C] = {"damping", "N s/m", "damping", "2*n*K", "[0, inf)"},
};

static bool opens(ic_parameters *parameters)
{
    ic_error error = {""};
    const bool good = ic_parameters_open(parameters, "law", "test", table, IC_COUNT(table), &error);
    CU_ASSERT_FATAL(good);
    return good;
}

IC_TEST(test_defaults)
{
    ic_parameters p;
    ic_error error = {""};
    double value = NAN;
    opens(&p);
    CU_ASSERT(ic_parameters_evaluate(&p, &error));
    CU_ASSERT(p.value[K] == 1e10 && p.value[N] == 1.5 && p.value[C] == 3e10);
    CU_ASSERT_STRING_EQUAL(p.text[N], "3/2");
    CU_ASSERT(ic_parameters_number(&p, &value, "K*n/damping", &error) && value == 0.5);
    CU_ASSERT_FALSE(ic_parameters_number(&p, &value, "K*m", &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "unknown name"));
    CU_ASSERT_FALSE(ic_parameters_number(&p, &value, "t", NULL));
    ic_parameters_close(&p);
    CU_ASSERT(p.text == NULL && p.n == 0);
}

IC_TEST(test_settings)
{
    IC_OWN(ic_parameters) p;
    opens(&p);
    CU_ASSERT(ic_parameters_set_list(&p, " K=2e8, n=4/3", NULL) && ic_parameters_evaluate(&p, NULL));
    CU_ASSERT(p.value[K] == 2e8 && p.value[N] == 4.0 / 3 && p.value[C] == 2 * (4.0 / 3) * 2e8);
    CU_ASSERT(ic_parameters_set(&p, "n=1", NULL) && ic_parameters_evaluate(&p, NULL));
    CU_ASSERT(p.value[N] == 1 && p.value[C] == 4e8); /* the default follows */
    CU_ASSERT(ic_parameters_set(&p, "damping=7", NULL) && ic_parameters_set(&p, "n=2", NULL));
    /* a value that is set does not */
    CU_ASSERT(ic_parameters_evaluate(&p, NULL) && p.value[C] == 7);
    CU_ASSERT(ic_parameters_set_list(&p, "", NULL) && ic_parameters_set_list(&p, ", ,", NULL));
}

/* Setting and evaluating fails with the message `complaint`. */
static void expect_refusal(const char *setting, const char *complaint)
{
    IC_OWN(ic_parameters) p;
    ic_error error = {""};
    opens(&p);
    CU_ASSERT_FALSE(ic_parameters_set(&p, setting, &error) && ic_parameters_evaluate(&p, &error));
    CU_ASSERT_STRING_EQUAL(error.text, complaint);
}

IC_TEST(test_messages)
{
    expect_refusal("K", "'K': expected NAME=VALUE");
    expect_refusal("=1", "'=1': expected NAME=VALUE");
    expect_refusal("dampin=1", "law 'test' has no parameter 'dampin'; did you mean 'damping'? "
                               "(impactcheck list laws --long shows all)");
    expect_refusal("stiffness=1",
                   "law 'test' has no parameter 'stiffness' (impactcheck list laws --long shows all)");
    expect_refusal("K=-1", "parameter 'K' = -1 is outside its range (0, inf) N/m (stiffness)");
    expect_refusal("n=5/2", "parameter 'n' = 5/2 = 2.5 is outside its range [1, 2] (power)");
    expect_refusal("n=1/K", "parameter 'n': '1/K', character 3: unknown name; "
                            "expected a number such as 0.1, 3/2, 80pi or 5.06e5");
    expect_refusal("damping=3*n*K", "parameter 'damping': '3*n*K', character 3: unknown name; "
                                    "expected a number such as 0.1, 3/2, 80pi or 5.06e5");
}

/* The hint is the nearest name, the first of equally near ones, and never one that shares no
   letter. */
IC_TEST(test_nearest)
{
    ic_nearest nearest = {.wrong = "hat"};
    CU_ASSERT_STRING_EQUAL(ic_nearest_hint(&nearest).text, "");
    ic_nearest_offer(&nearest, "dog");
    CU_ASSERT_STRING_EQUAL(ic_nearest_hint(&nearest).text, "");
    ic_nearest_offer(&nearest, "cats");
    ic_nearest_offer(&nearest, "cat");
    ic_nearest_offer(&nearest, "bat");
    CU_ASSERT_STRING_EQUAL(ic_nearest_hint(&nearest).text, "; did you mean 'cat'?");
}

/* Every law opens with its defaults, for which its texts are numbers. */
IC_TEST(test_laws)
{
    for (size_t i = 0; i < ic_law_count; i++) {
        const ic_law *law = ic_laws[i];
        IC_OWN(ic_parameters) p;
        double value = NAN;
        CU_ASSERT(ic_parameters_open(&p, "law", law->name, law->parameters, law->n_parameters, NULL));
        CU_ASSERT(ic_parameters_evaluate(&p, NULL));
        CU_ASSERT(law->stiffness == NULL || ic_parameters_number(&p, &value, law->stiffness, NULL));
    }
}
