/* SPDX-License-Identifier: MIT */
#include "cli/hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

bool cli_is_hdf5(const char *path)
{
    return cli_ends_with(path, ".h5");
}

/*
 * ---- every result is checked: if memory runs out, HDF5 may continue without an object that it
 * could not make, and report success
 */

static bool memory_ran_out(void)
{
    return errno == ENOMEM; /* the child begins with 0 */
}

bool cli_hdf5_closes(hid_t id, herr_t (*close)(hid_t id))
{
    return !memory_ran_out() && id >= 0 && close(id) >= 0 && !memory_ran_out();
}

/* ---- attributes */

static bool put_attribute(hid_t at, const char *name, hid_t type, hid_t space, const void *data)
{
    const hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, type, data) >= 0;
    return cli_hdf5_closes(attribute, H5Aclose) && good;
}

/* Texts of `size` bytes each, and takes `space`. */
static bool put_text_in(hid_t at, const char *name, hid_t space, const char *texts, size_t size)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    const bool good = type >= 0 && space >= 0 && H5Tset_size(type, size) >= 0 &&
                      H5Tset_cset(type, H5T_CSET_UTF8) >= 0 && put_attribute(at, name, type, space, texts);
    const bool closed = cli_hdf5_closes(type, H5Tclose);
    return cli_hdf5_closes(space, H5Sclose) && closed && good;
}

bool cli_hdf5_put_text(hid_t at, const char *name, const char *text)
{
    return put_text_in(at, name, H5Screate(H5S_SCALAR), text, strlen(text) + 1);
}

bool cli_hdf5_put_number(hid_t at, const char *name, double value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const bool good = space >= 0 && put_attribute(at, name, H5T_NATIVE_DOUBLE, space, &value);
    return cli_hdf5_closes(space, H5Sclose) && good;
}

bool cli_hdf5_put_texts(hid_t at, const char *name, const char *texts, size_t n)
{
    const hsize_t dims = n;
    return put_text_in(at, name, H5Screate_simple(1, &dims, NULL), texts, CLI_HDF5_TEXT);
}

/* ---- groups and data sets: laid out in full before they are filled, and without the time of day
 */

hid_t cli_hdf5_group(hid_t at, const char *name)
{
    const hid_t how = H5Pcreate(H5P_GROUP_CREATE);
    const bool good = how >= 0 && H5Pset_obj_track_times(how, false) >= 0;
    const hid_t made = good ? H5Gcreate2(at, name, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    return cli_hdf5_closes(how, H5Pclose) ? made : -1;
}

hid_t cli_hdf5_data_set(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims)
{
    const hid_t space = H5Screate_simple(rank, dims, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    const bool good = space >= 0 && how >= 0 && H5Pset_obj_track_times(how, false) >= 0 &&
                      H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY) >= 0 &&
                      H5Pset_fill_time(how, H5D_FILL_TIME_NEVER) >= 0;
    const hid_t set = good ? H5Dcreate2(at, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    const bool closed = cli_hdf5_closes(how, H5Pclose);
    return cli_hdf5_closes(space, H5Sclose) && closed ? set : -1;
}

bool cli_hdf5_fill(hid_t set, hid_t type, hsize_t first, hsize_t n, const void *data)
{
    hsize_t dims[3], begin[3] = {first, 0, 0};
    const hid_t space = H5Dget_space(set);
    const int rank = space >= 0 ? H5Sget_simple_extent_dims(space, dims, NULL) : -1;
    if (rank < 1) return false;
    dims[0] = n;
    const hid_t memory = H5Screate_simple(rank, dims, NULL);
    const bool good = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, dims, NULL) >= 0 &&
                      H5Dwrite(set, type, memory, space, H5P_DEFAULT, data) >= 0;
    const bool closed = cli_hdf5_closes(memory, H5Sclose);
    return cli_hdf5_closes(space, H5Sclose) && closed && good;
}

/* ---- the file is written by a child, because HDF5 itself crashes if memory runs out within it */

/* Exit statuses of the child: errno if it gives the reason, otherwise this one. */
enum { NO_REASON = 255 };

static bool write_file(const char *path, cli_hdf5_body *body, void *context)
{
    const hid_t how = H5Pcreate(H5P_FILE_CREATE);
    if (how < 0 || H5Pset_obj_track_times(how, false) < 0) return false;
    const hid_t root = H5Fcreate(path, H5F_ACC_TRUNC, how, H5P_DEFAULT);
    return root >= 0 && body(root, context) && cli_hdf5_closes(root, H5Fclose) && H5close() >= 0 &&
           !memory_ran_out();
}

static bool says_why(int why)
{
    return why == ENOSPC || why == EFBIG || why == EDQUOT || why == EIO || why == ENOMEM || why == EMFILE ||
           why == ENFILE;
}

static _Noreturn void be_child(const char *path, cli_hdf5_body *body, void *context)
{
    /* Discards the messages of HDF5; the command reports the failure. */
    const int nowhere = open("/dev/null", O_WRONLY);
    const bool silent = nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0;
    if (silent) errno = 0;
    if (silent && write_file(path, body, context)) _exit(0);
    _exit(says_why(errno) ? errno : NO_REASON);
}

static bool wait_for_child(pid_t child, int *why)
{
    int state = 0;
    pid_t ended = -1;
    do ended = waitpid(child, &state, 0);
    while (ended < 0 && errno == EINTR);
    *why = ended == child && WIFEXITED(state) ? WEXITSTATUS(state) : NO_REASON;
    return *why == 0;
}

bool cli_hdf5_write(const cli_file *file, cli_hdf5_body *body, void *context, ic_error *error)
{
    int why = NO_REASON;
    const pid_t child = fork();
    if (child == 0) be_child(file->part, body, context);
    if (child < 0) why = errno;
    if (child > 0 && wait_for_child(child, &why)) return true;
    ic_error_set(error, "cannot write '%s': %s", file->path,
                 why == NO_REASON ? "HDF5 failed" : cli_file_why(why));
    return false;
}

bool cli_hdf5_can_be(const char *path, ic_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return true;
    ic_error_set(error, "'%s' is not a regular file, which HDF5 requires; use CSV instead", path);
    return false;
}
