/* SPDX-License-Identifier: MIT */
#include "core/shapes.h"

#define END                                                                                                    \
    {                                                                                                          \
        NULL, 0, false                                                                                         \
    }

static const ic_shape_part way[] = {{"from", 2, true}, {"to", 2, true}, END}, place[] = {{"at", 2, true}, END},
                           ball[] = {{"at", 2, true}, {"radius", 1, true}, {"angle", 1, false}, END},
                           box[] = {{"at", 2, true}, {"size", 2, true}, {"angle", 1, false}, END};

const ic_shape_form ic_shape_forms[] = {
    [IC_SHAPE_GROUND] = {"ground", way}, [IC_SHAPE_BALL] = {"ball", ball},
    [IC_SHAPE_BOX] = {"box", box},       [IC_SHAPE_SPRING] = {"spring", way},
    [IC_SHAPE_DAMPER] = {"damper", way}, [IC_SHAPE_ROD] = {"rod", way},
    [IC_SHAPE_LINE] = {"line", way},     [IC_SHAPE_ARROW] = {"arrow", way},
    [IC_SHAPE_PIVOT] = {"pivot", place}, [IC_SHAPE_DOT] = {"dot", place},
    [IC_SHAPE_BELT] = {"belt", way},     [IC_SHAPE_TEXT] = {"text", place},
};

size_t ic_shape_size(ic_shape_kind kind)
{
    size_t n = 0;
    for (const ic_shape_part *part = ic_shape_forms[kind].parts; part->name != NULL; part++) n += part->n;
    return n;
}

size_t ic_sketch_size(const ic_case *system)
{
    if (system->n_shapes == 0) return 0;
    const ic_shape *last = &system->shapes[system->n_shapes - 1];
    return last->first + ic_shape_size(last->kind);
}
