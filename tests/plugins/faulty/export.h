/* SPDX-License-Identifier: MIT */
/* Entry points of plugins that export one law or one impact map. */
#pragma once

#include "impactcheck/impactcheck.h"

#include <math.h>

/* First members of a law. */
#define LAW_OF(parameters_, force_)                                                                            \
    IC_ABI(ic_law), .parameters = (parameters_), .n_parameters = IC_COUNT(parameters_), .force = (force_)

/* Functions of a law, by expressions. */
#define FORCE(expression_)                                                                                     \
    static double force(double d, double v, double memory, const double *par)                                  \
    {                                                                                                          \
        (void)d, (void)v, (void)memory, (void)par;                                                             \
        return expression_;                                                                                    \
    }
#define FORCE_RATE(expression_)                                                                                \
    static double force_rate(double d, double v, double acceleration, double memory, const double *par)        \
    {                                                                                                          \
        (void)d, (void)v, (void)acceleration, (void)memory, (void)par;                                         \
        return expression_;                                                                                    \
    }
#define LAW_FUNCTION(name_, of_, expression_)                                                                  \
    static double name_(double of_, const double *par)                                                         \
    {                                                                                                          \
        (void)of_, (void)par;                                                                                  \
        return expression_;                                                                                    \
    }

/* A plugin with one law of `parameters` and `force`; behind its promises its condition and other members. */
#define LAW(name_, title_, source_, promises_, ...)                                                            \
    static const ic_law law = {LAW_OF(parameters, force), .name = (name_),         .title = (title_),          \
                               .source = (source_),       .promises = (promises_), .condition = __VA_ARGS__};  \
    EXPORT_LAW(law)
/* Parameters of a spring K, N/m, and a dashpot C, N s/m. */
#define SPRING_AND_DASHPOT(stiffness_, damping_)                                                               \
    enum { K, C };                                                                                             \
    static const ic_parameter parameters[] = {                                                                 \
        [K] = {"k", "N/m", "stiffness", stiffness_, "(0, inf)"},                                               \
        [C] = {"c", "N s/m", "damping", damping_, "[0, inf)"},                                                 \
    };
#define ONSET IC_LAW_CONTINUOUS_ONSET
#define PUSHES IC_LAW_NO_TENSION
#define LOSES IC_LAW_ONLY_LOSES

#define EXPORT_LAW(law_)                                                                                       \
    const ic_plugin *impactcheck_plugin(void)                                                                  \
    {                                                                                                          \
        static const ic_law *const laws[] = {&(law_)};                                                         \
        static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "correct", .laws = laws, .n_laws = 1};     \
        return &plugin;                                                                                        \
    }

#define EXPORT_MAP(name_, title_, source_, map_)                                                               \
    const ic_plugin *impactcheck_plugin(void)                                                                  \
    {                                                                                                          \
        static const ic_impact_map one = {IC_ABI(ic_impact_map), .name = (name_), .title = (title_),           \
                                          .source = (source_), .map = (map_)};                                 \
        static const ic_impact_map *const maps[] = {&one};                                                     \
        static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "correct", .impact_maps = maps,            \
                                         .n_impact_maps = 1};                                                  \
        return &plugin;                                                                                        \
    }
