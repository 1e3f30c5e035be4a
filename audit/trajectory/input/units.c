/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include "casefile/dimension.h"

#include <string.h>

bool ic_unit_to_si(double *factor, const char *name, const char *si, ic_error *error)
{
    ic_unit given, wanted;
    size_t offset = 0;
    *factor = 1;
    if (strcmp(name, si) == 0) return true;
    if (!ic_unit_read(&given, name, NULL, NULL, &offset, error)) return false;
    *factor = given.factor;
    if (ic_unit_read(&wanted, si, NULL, NULL, &offset, NULL) &&
        ic_dimensions_equal(&given.dimension, &wanted.dimension))
        return true;
    ic_error_set(error, "'%s' is not a unit of a quantity measured in %s", name, si);
    return false;
}
