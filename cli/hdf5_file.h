/* SPDX-License-Identifier: MIT */
/** Files of HDF5 whose bytes are the same whenever they are written: without times of day. */
#ifndef IC_CLI_HDF5_FILE_H
#define IC_CLI_HDF5_FILE_H

#include "cli/file.h"

#include <hdf5.h>

/** Whether a name asks for it: it ends in .h5. */
bool cli_is_hdf5(const char *path);

/** false: `error` says why nothing of this name can be written: it is no regular file. */
bool cli_hdf5_can_be(const char *path, ic_error *error);

/**
 * Fills the file; false: something failed. It runs in a child, and changes nothing in the caller.
 */
typedef bool cli_hdf5_body(hid_t root, void *context);

/**
 * Make the temporary file of `file` one of HDF5; it is still to be committed. false: `error` says
 * why not.
 */
bool cli_hdf5_write(const cli_file *file, cli_hdf5_body *body, void *context, ic_error *error);

/** Close it by H5Dclose or its kin. false: it is none, or that failed. */
bool cli_hdf5_closes(hid_t id, herr_t (*close)(hid_t id));

/** Length of each text of cli_hdf5_put_texts. */
enum { CLI_HDF5_TEXT = 80 };

/** Attributes: a text, a number, or n texts of CLI_HDF5_TEXT bytes each, one behind the other. */
bool cli_hdf5_put_text(hid_t at, const char *name, const char *text);
bool cli_hdf5_put_number(hid_t at, const char *name, double value);
bool cli_hdf5_put_texts(hid_t at, const char *name, const char *texts, size_t n);

hid_t cli_hdf5_group(hid_t at, const char *name);

/** A data set, laid out in full before it is filled. */
hid_t cli_hdf5_data_set(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims);

/** Write `n` entries of its first dimension, from `first` on. */
bool cli_hdf5_fill(hid_t set, hid_t type, hsize_t first, hsize_t n, const void *data);

#endif
