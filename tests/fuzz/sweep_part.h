/* SPDX-License-Identifier: MIT */
/** The target of FILE.part, with another reader in place of ours: tests plant wrong ones. */
#pragma once

#include "sweep/part.h"

#include <stdint.h>

typedef ic_part_end ic_fuzz_part_reader(ic_sweep_counts *counts, long *end, FILE *stream, const ic_sweep *sweep,
                                        const ic_part_format *format);
const char *ic_fuzz_sweep_part_by(ic_fuzz_part_reader *read, const uint8_t *data, size_t size);
