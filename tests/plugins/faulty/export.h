/* SPDX-License-Identifier: MIT */
/* Entry points of plugins that export one law or one impact map. */
#ifndef IC_TESTS_PLUGINS_FAULTY_EXPORT_H
#define IC_TESTS_PLUGINS_FAULTY_EXPORT_H

#include "impactcheck/impactcheck.h"

/* First members of a law. */
#define LAW_OF(parameters_, force_)                                                                            \
    IC_ABI(ic_law), .parameters = (parameters_), .n_parameters = IC_COUNT(parameters_), .force = (force_)

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

#endif
