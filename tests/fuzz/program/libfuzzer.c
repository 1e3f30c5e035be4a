/* SPDX-License-Identifier: MIT */
/* The program of one target, IC_FUZZ_THIS; libFuzzer provides main(). */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *broken = IC_FUZZ_THIS(data, size);
    if (broken == NULL) return 0;
    fprintf(stderr, "a promise is broken: %s\n", broken);
    abort();
}
