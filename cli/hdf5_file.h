/* SPDX-License-Identifier: MIT */
/** HDF5 files whose bytes do not depend on the time at which they are written. */
#pragma once

#include "cli/file.h"

#include <hdf5.h>

/** Whether the name of a file selects HDF5: it ends in .h5. */
bool cli_is_hdf5(const char *path);

/**
 * Whether an HDF5 file of this name can be written. false: `error` gives the reason: it is not a
 * regular file.
 */
bool cli_hdf5_can_be(const char *path, ic_error *error);

/**
 * Fills the file; false: something failed. It runs in a child, and changes nothing in the caller.
 */
typedef bool cli_hdf5_body(hid_t root, void *context);

/**
 * Write the temporary file of `file` as HDF5; the file still has to be committed. false: `error`
 * gives the reason.
 */
bool cli_hdf5_write(const cli_file *file, cli_hdf5_body *body, void *context, ic_error *error);

/**
 * Close an object by H5Dclose or a similar function. false: the object is not valid, or closing
 * failed.
 */
bool cli_hdf5_closes(hid_t id, herr_t (*close)(hid_t id));

/** Length of each text of cli_hdf5_put_texts. */
enum { CLI_HDF5_TEXT = 80 };

/** Attributes: a text, a number, or n texts of CLI_HDF5_TEXT bytes each in one array. */
bool cli_hdf5_put_text(hid_t at, const char *name, const char *text);
bool cli_hdf5_put_number(hid_t at, const char *name, double value);
bool cli_hdf5_put_texts(hid_t at, const char *name, const char *texts, size_t n);

hid_t cli_hdf5_group(hid_t at, const char *name);

/** A data set, whose full size is reserved before it is filled. */
hid_t cli_hdf5_data_set(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims);

/** Write `n` entries of its first dimension, from `first` on. */
bool cli_hdf5_fill(hid_t set, hid_t type, hsize_t first, hsize_t n, const void *data);
