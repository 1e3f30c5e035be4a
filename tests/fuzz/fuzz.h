/* SPDX-License-Identifier: MIT */
/**
 * Fuzz targets for readers of outside bytes.
 *
 * A target passes any bytes to one reader and checks the result against the reader's promises.
 * tools/check-fuzz.sh lets libFuzzer search for bytes that break a promise, under sanitizers; the
 * unit tests run the stored inputs.
 */
#pragma once

#include "audit/common/finding.h"
#include "audit/scene/scene.h"
#include "audit/trajectory/input/input.h"
#include "bench/cost.h"
#include "casefile/casefile.h"
#include "core/parameters.h"
#include "sweep/grid.h"

#include <stddef.h>
#include <stdint.h>

/**
 * NULL: every promise is kept, whether the bytes are accepted or refused; otherwise the broken
 * promise. Running out of memory breaks none.
 */
typedef const char *ic_fuzz_target(const uint8_t *data, size_t size);

#define IC_FUZZ_TARGET(name_, reader_) ic_fuzz_target ic_fuzz_##name_;
#include "tests/fuzz/targets.def"
#undef IC_FUZZ_TARGET

/* The same with another reader in place of ours: tests plant wrong ones. */

typedef bool ic_fuzz_number_reader(const char *text, double *value);
const char *ic_fuzz_number_by(ic_fuzz_number_reader *read, const uint8_t *data, size_t size);

typedef bool ic_fuzz_expression_reader(double *value, const char *text, const ic_names *names, ic_error *error);
const char *ic_fuzz_expression_by(ic_fuzz_expression_reader *read, const uint8_t *data, size_t size);

typedef bool ic_fuzz_settings_reader(ic_parameters *parameters, const char *settings, ic_error *error);
const char *ic_fuzz_settings_by(ic_fuzz_settings_reader *read, const uint8_t *data, size_t size);

typedef bool ic_fuzz_axis_reader(ic_grid *grid, const char *text, ic_error *error);
const char *ic_fuzz_axis_by(ic_fuzz_axis_reader *read, const uint8_t *data, size_t size);

typedef bool ic_fuzz_trajectory_reader(ic_trajectory *trajectory, FILE *stream, const char *path,
                                       const ic_problem *problem, const ic_trajectory_reading *reading,
                                       ic_error *error);
const char *ic_fuzz_trajectory_by(ic_fuzz_trajectory_reader *read, const uint8_t *data, size_t size);

typedef bool ic_fuzz_costs_reader(ic_cost_results *results, FILE *stream, const char *path, ic_error *error);
const char *ic_fuzz_costs_by(ic_fuzz_costs_reader *read, const uint8_t *data, size_t size);

const char *ic_fuzz_records_by(ic_child_reader *read, const uint8_t *data, size_t size);

typedef ic_casefile *ic_fuzz_casefile_reader(const char *file, const char *bytes, size_t size,
                                             const char *const *settings, size_t n_settings, ic_error *error);
const char *ic_fuzz_casefile_by(ic_fuzz_casefile_reader *read, const uint8_t *data, size_t size);

typedef ic_scene_file *ic_fuzz_scene_reader(const char *name, const char *bytes, size_t size, ic_error *error);
const char *ic_fuzz_scene_by(ic_fuzz_scene_reader *read, const uint8_t *data, size_t size);

typedef void ic_fuzz_motion_reader(ic_scene_motion *motion, const ic_world *world, char *text);
const char *ic_fuzz_motion_by(ic_fuzz_motion_reader *read, const uint8_t *data, size_t size);
