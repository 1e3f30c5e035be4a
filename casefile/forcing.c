/* SPDX-License-Identifier: MIT */
#include "casefile/forcing.h"

#include <stdlib.h>

/* The search for angular frequencies. */
typedef struct forcing_search {
    ic_case_reader *r;
    bool *seen;

    /* Number of nodes when the search began. */
    size_t n_nodes;

    ic_node frequency;

    /* Whether there are several frequencies, or one that is not constant. */
    bool several;

    /* Whether time is outside sines and cosines. */
    bool elsewhere;
} forcing_search;

static void meet_frequency(forcing_search *s, ic_node node)
{
    ic_graph *g = s->r->graph;
    const ic_node time = ic_graph_leaf(g, IC_OP_TIME), argument = g->nodes[node].a;
    const ic_node frequency = ic_graph_derivative(g, argument, time);
    const bool constant =
        frequency >= 0 && g->nodes[frequency].varies == 0 && (g->nodes[argument].varies & IC_VARIES_STATE) == 0;
    if (!constant || (s->frequency >= 0 && s->frequency != frequency)) s->several = true;
    s->frequency = frequency;
}

/*
 * Visits operands that vary with time down to sines and cosines. Time outside them has no period.
 */
static void visit_node(forcing_search *s, ic_node node)
{
    const ic_graph *g = s->r->graph;
    if (node < 0 || (size_t)node >= s->n_nodes || s->several || s->seen[node]) return;
    const ic_graph_node n = g->nodes[node];
    s->seen[node] = true;
    if ((n.varies & IC_VARIES_TIME) == 0) return;
    if (n.operation == IC_OP_TIME) s->elsewhere = true;
    if (n.operation == IC_OP_SIN || n.operation == IC_OP_COS) {
        meet_frequency(s, node);
        return;
    }
    visit_node(s, n.a);
    visit_node(s, n.b);
    visit_node(s, n.c);
}

static void visit_mode(forcing_search *s, const ic_plan_mode *mode)
{
    for (size_t i = 0; i < s->r->n_states; i++) visit_node(s, mode->flow[i]);
    for (size_t i = 0; i < mode->n_guards; i++) visit_node(s, mode->guards[i].value);
}

static bool begin_search(forcing_search *s, ic_case_reader *r)
{
    *s = (forcing_search){.r = r, .n_nodes = r->graph->n_nodes, .frequency = IC_NO_NODE};
    s->seen = calloc(s->n_nodes + 1, sizeof *s->seen);
    r->arena->failed = r->arena->failed || s->seen == NULL;
    return s->seen != NULL;
}

const char *ic_forcing_text(ic_case_reader *r, const ic_plan *plans, size_t n)
{
    forcing_search s;
    if (!begin_search(&s, r)) return NULL;
    for (size_t i = 0; i < n; i++) {
        s.elsewhere = s.elsewhere || plans[i].n_times > 0;
        for (size_t m = 0; m < r->n_modes; m++) {
            if (plans[i].modes[m].exists) visit_mode(&s, &plans[i].modes[m]);
        }
    }
    free(s.seen);
    const bool periodic = !s.several && !s.elsewhere && s.frequency >= 0;
    const char *text = periodic ? ic_reader_linear_text(r, s.frequency) : NULL;
    return text == NULL ? NULL : ic_arena_print(r->arena, "2*pi/(%s)", text);
}

bool ic_forcing_is_single(ic_case_reader *r, const ic_plan_mode *mode)
{
    forcing_search s;
    if (!begin_search(&s, r)) return false;
    visit_mode(&s, mode);
    free(s.seen);
    return !s.several;
}
