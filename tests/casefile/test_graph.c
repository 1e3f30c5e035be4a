/* SPDX-License-Identifier: MIT */
/* Graphs of expressions: values, derivatives by differences, substitution, texts that read back. */
#include "casefile/graph.h"
#include "casefile/program.h"
#include "core/expression.h"
#include "tests/tests.h"

IC_SUITE(light, "graphs of expressions")

typedef struct bench {
    ic_arena arena;
    ic_graph graph;
    ic_node x, y, t, p;
} bench;

static void open_bench(bench *b)
{
    *b = (bench){0};
    b->graph.arena = &b->arena;
    b->x = ic_graph_indexed(&b->graph, IC_OP_STATE, 0);
    b->y = ic_graph_indexed(&b->graph, IC_OP_STATE, 1);
    b->t = ic_graph_leaf(&b->graph, IC_OP_TIME);
    b->p = ic_graph_indexed(&b->graph, IC_OP_PARAMETER, 0);
}

static double value_at(bench *b, ic_node node, double x, double y)
{
    ic_program program;
    double value = NAN;
    const double state[] = {x, y}, par[] = {1.5};
    const ic_program_input in = {.t = 0.7, .x = state, .par = par};
    CU_ASSERT_FATAL(ic_program_make(&program, &b->graph, &node, 1));
    ic_program_run(&program, &value, &in);
    return value;
}

/* d/dx and d/dy of every operation, at a place where it is smooth. */
IC_TEST(test_derivatives)
{
    bench b;
    open_bench(&b);
    ic_graph *g = &b.graph;
    for (int operation = IC_OP_ADD; operation <= IC_OP_CHOOSE; operation++) {
        const ic_operation op = (ic_operation)operation;
        const ic_node second = op == IC_OP_POWER ? b.p : b.y;
        const ic_node node = ic_graph_apply(g, op, b.x, second, ic_graph_two(g, IC_OP_MULTIPLY, b.x, b.y));
        const ic_node leaves[] = {b.x, b.y};
        const double x = 0.4, y = 0.3, h = 1e-5;
        for (int k = 0; k < 2; k++) {
            const double dx = k == 0 ? h : 0, dy = k == 1 ? h : 0;
            const double expected =
                (value_at(&b, node, x + dx, y + dy) - value_at(&b, node, x - dx, y - dy)) / (2 * h);
            const double derived = value_at(&b, ic_graph_derivative(g, node, leaves[k]), x, y);
            IC_EXPECT(fabs(derived - expected) < 1e-8,
                      "operation %d, leaf %d: derivative %.12g, by differences %.12g", operation, k, derived,
                      expected);
            CU_ASSERT_FALSE(fabs(derived + 1e-3 - expected) < 1e-8); /* planted */
        }
    }
    ic_arena_free(&b.arena);
}

IC_TEST(test_rate)
{
    bench b;
    open_bench(&b);
    ic_graph *g = &b.graph;
    /* d/dt sin(t x) with x' = y: cos(t x) (x + t y) */
    const ic_node tx = ic_graph_two(g, IC_OP_MULTIPLY, b.t, b.x);
    const ic_node rates[] = {b.y, ic_graph_integer(g, 0)};
    const ic_node rate = ic_graph_rate(g, ic_graph_one(g, IC_OP_SIN, tx), rates, 2);
    CU_ASSERT(fabs(value_at(&b, rate, 0.4, 0.3) - cos(0.28) * (0.4 + 0.7 * 0.3)) < 1e-15);
    /* planted: t is forgotten */
    CU_ASSERT_FALSE(fabs(value_at(&b, rate, 0.4, 0.3) - cos(0.28) * 0.4) < 1e-15);
    ic_arena_free(&b.arena);
}

IC_TEST(test_equal_expressions_are_one_node)
{
    bench b;
    open_bench(&b);
    ic_graph *g = &b.graph;
    const ic_node sum = ic_graph_two(g, IC_OP_ADD, b.x, b.y);
    CU_ASSERT_EQUAL(sum, ic_graph_two(g, IC_OP_ADD, b.x, b.y));
    /* rounding may depend on the order */
    CU_ASSERT_NOT_EQUAL(sum, ic_graph_two(g, IC_OP_ADD, b.y, b.x));
    CU_ASSERT_EQUAL(b.x, ic_graph_two(g, IC_OP_ADD, b.x, ic_graph_integer(g, 0)));
    CU_ASSERT_EQUAL(b.x, ic_graph_two(g, IC_OP_MULTIPLY, ic_graph_integer(g, 1), b.x));
    CU_ASSERT_EQUAL(b.x, ic_graph_one(g, IC_OP_NEGATE, ic_graph_one(g, IC_OP_NEGATE, b.x)));
    CU_ASSERT(
        ic_graph_is(g, ic_graph_two(g, IC_OP_SUBTRACT, ic_graph_integer(g, 2), ic_graph_integer(g, 5)), -3));
    const ic_node zero = ic_graph_integer(g, 0), bounded = ic_graph_two(g, IC_OP_MAX, b.x, zero);
    CU_ASSERT_EQUAL(bounded, ic_graph_two(g, IC_OP_MAX, bounded, zero));
    CU_ASSERT_NOT_EQUAL(bounded, ic_graph_two(g, IC_OP_MAX, bounded, b.y));
    CU_ASSERT_NOT_EQUAL(bounded, ic_graph_two(g, IC_OP_MIN, bounded, zero));
    CU_ASSERT(ic_graph_number(g, "0.1") != ic_graph_number(g, "0.10")); /* exact texts */
    const ic_node replaced = ic_graph_substitute(g, ic_graph_one(g, IC_OP_SIN, sum), &b.y, &b.x, 1);
    CU_ASSERT_EQUAL(replaced, ic_graph_one(g, IC_OP_SIN, ic_graph_two(g, IC_OP_ADD, b.x, b.x)));
    CU_ASSERT(ic_graph_uses(g, sum, b.y));
    CU_ASSERT_FALSE(ic_graph_uses(g, replaced, b.y));
    ic_arena_free(&b.arena);
}

/* The text of a node is read by another reader, that of core, to the same value. */
IC_TEST(test_texts)
{
    static const ic_state states[] = {{"x", "1", "", "1"}, {"y", "1", "", "1"}};
    static const ic_parameter parameters[] = {{"p", "1", "", "1", "(0, inf)"}};
    static const char *const state_names[] = {"x", "y"}, *const parameter_names[] = {"p"};
    const ic_case system = {.states = states, .n_states = 2, .parameters = parameters, .n_parameters = 1};
    const double par[] = {1.5}, at[] = {0.4, 0.3};
    const ic_names names = {.system = &system, .par = par, .states = true, .time = true};
    bench b;
    open_bench(&b);
    ic_graph *g = &b.graph;
    const ic_node two = ic_graph_integer(g, 2);
    const ic_node rows[] = {
        ic_graph_two(g, IC_OP_SUBTRACT, b.x, ic_graph_two(g, IC_OP_SUBTRACT, b.y, two)),
        ic_graph_two(g, IC_OP_DIVIDE, b.x, ic_graph_two(g, IC_OP_DIVIDE, b.p, two)),
        ic_graph_two(g, IC_OP_MULTIPLY, ic_graph_one(g, IC_OP_NEGATE, b.p), ic_graph_one(g, IC_OP_NEGATE, b.x)),
        ic_graph_one(g, IC_OP_NEGATE, ic_graph_two(g, IC_OP_ADD, b.x, b.y)),
        ic_graph_two(g, IC_OP_MULTIPLY, ic_graph_two(g, IC_OP_POWER, ic_graph_one(g, IC_OP_NEGATE, b.p), two),
                     b.y),
        ic_graph_two(g, IC_OP_ADD, b.y, ic_graph_one(g, IC_OP_COS, ic_graph_two(g, IC_OP_MULTIPLY, b.p, b.t))),
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const char *text = ic_graph_text(g, rows[i], state_names, parameter_names, NULL);
        ic_form form;
        CU_ASSERT_FATAL(text != NULL && ic_expression(&form, text, &names, NULL));
        const double read = ic_form_value(&form, 2, 0.7, at), expected = value_at(&b, rows[i], at[0], at[1]);
        IC_EXPECT(fabs(read - expected) < 1e-15, "%s: %.17g instead of %.17g", text, read, expected);
    }
    ic_arena_free(&b.arena);
}
