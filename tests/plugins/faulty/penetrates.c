/* SPDX-License-Identifier: MIT */
/* Half of the impulse is lost: the bodies still approach where e is small. */
#define END(f, compressed) (0.5 * stronge_end(f, compressed))

#include "tests/plugins/faulty/map_base.h"
