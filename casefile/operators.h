/* SPDX-License-Identifier: MIT */
/*
 * Short names for operations on nodes. A file that includes this header first defines GRAPH as the
 * graph that its functions use.
 */
#pragma once

#include "casefile/graph.h"

#define ADD(a_, b_) ic_graph_two(GRAPH, IC_OP_ADD, a_, b_)
#define SUB(a_, b_) ic_graph_two(GRAPH, IC_OP_SUBTRACT, a_, b_)
#define MUL(a_, b_) ic_graph_two(GRAPH, IC_OP_MULTIPLY, a_, b_)
#define DIV(a_, b_) ic_graph_two(GRAPH, IC_OP_DIVIDE, a_, b_)
#define NEG(a_) ic_graph_one(GRAPH, IC_OP_NEGATE, a_)
#define INT(i_) ic_graph_integer(GRAPH, i_)
#define IF_POSITIVE(a_, b_, c_) ic_graph_apply(GRAPH, IC_OP_CHOOSE, a_, b_, c_)
