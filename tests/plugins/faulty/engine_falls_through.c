/* SPDX-License-Identifier: MIT */
/* Only what overlaps by less than a tenth of a millimetre is a contact. */
#define TOUCHES(overlap) ((overlap) >= 0 && (overlap) < 1e-4)

#include "tests/plugins/faulty/engine_base.h"
