/* SPDX-License-Identifier: MIT */
/* The targets with our own readers. */
#include "audit/plugin/plugin.h"
#include "audit/trajectory/input/input.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sweep_part.h"

#define IC_FUZZ_TARGET(name_, reader_)                                                                         \
    const char *ic_fuzz_##name_(const uint8_t *data, size_t size)                                              \
    {                                                                                                          \
        return ic_fuzz_##name_##_by(reader_, data, size);                                                      \
    }
#include "tests/fuzz/targets.def"
