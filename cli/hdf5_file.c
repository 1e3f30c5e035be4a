/* SPDX-License-Identifier: MIT */
#include "cli/hdf5_file.h"

#include <string.h>
#include <sys/stat.h>

bool cli_is_hdf5(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".h5") == 0;
}

#ifdef IC_HDF5

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUILT = true };

/* ---- attributes */

static bool put(hid_t at, const char *name, hid_t type, hid_t space, const void *data)
{
    const hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, type, data) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    return good;
}

static hid_t text_type(size_t size)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size > 0 ? size : 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

bool cli_hdf5_put_text(hid_t at, const char *name, const char *text)
{
    const hid_t type = text_type(strlen(text) + 1), space = H5Screate(H5S_SCALAR);
    const bool good = put(at, name, type, space, text);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

bool cli_hdf5_put_number(hid_t at, const char *name, double value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const bool good = put(at, name, H5T_NATIVE_DOUBLE, space, &value);
    H5Sclose(space);
    return good;
}

bool cli_hdf5_put_texts(hid_t at, const char *name, const char *texts, size_t n)
{
    const hsize_t dims = n;
    const hid_t type = text_type(CLI_HDF5_TEXT), space = H5Screate_simple(1, &dims, NULL);
    const bool good = put(at, name, type, space, texts);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

/* ---- data sets: laid out in full before they are filled, and without the time of day */

hid_t cli_hdf5_data_set(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims)
{
    const hid_t space = H5Screate_simple(rank, dims, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    const hid_t set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    return set;
}

bool cli_hdf5_fill(hid_t set, hid_t type, hsize_t first, hsize_t n, const void *data)
{
    hsize_t dims[3], begin[3] = {first, 0, 0};
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_dims(space, dims, NULL);
    dims[0] = n;
    const hid_t memory = H5Screate_simple(rank, dims, NULL);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, dims, NULL) >= 0 &&
                      H5Dwrite(set, type, memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

hid_t cli_hdf5_group(hid_t at, const char *name)
{
    const hid_t how = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(how, false);
    const hid_t made = H5Gcreate2(at, name, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    return made;
}

/* ---- the file: written by a child, since HDF5 itself crashes where memory runs out within it */

/* Exit statuses of the child: that of errno, where it says why, or this one. */
enum { NO_REASON = 255 };

static bool write_file(const char *path, cli_hdf5_body *body, void *context)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is reported by us */
    const hid_t how = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(how, false);
    const hid_t root = H5Fcreate(path, H5F_ACC_TRUNC, how, H5P_DEFAULT);
    return root >= 0 && body(root, context) && H5Fclose(root) >= 0;
}

static bool says_why(int why)
{
    return why == ENOSPC || why == EFBIG || why == EDQUOT || why == EIO || why == ENOMEM;
}

static _Noreturn void be_child(const char *path, cli_hdf5_body *body, void *context)
{
    errno = 0;
    if (write_file(path, body, context)) _exit(0);
    _exit(says_why(errno) ? errno : NO_REASON);
}

static bool wait_for(pid_t child, int *why)
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
    if (child > 0 && wait_for(child, &why)) return true;
    ic_error_set(error, "cannot write '%s': %s", file->path,
                 why == NO_REASON ? "HDF5 failed" : cli_file_why(why));
    return false;
}

#else

enum { BUILT = false };

#endif

bool cli_hdf5_can_be(const char *path, ic_error *error)
{
    struct stat status;
    if (!BUILT) {
        ic_error_set(error, "'%s': built without HDF5 (Debian package libhdf5-dev); .csv can be written", path);
        return false;
    }
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return true;
    ic_error_set(error, "'%s' is no regular file, which HDF5 needs; CSV can be written there", path);
    return false;
}
