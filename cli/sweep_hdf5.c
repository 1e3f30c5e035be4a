/* SPDX-License-Identifier: MIT */
/*
 * A sweep as HDF5. While it grows, FILE.part holds the lanes as they are in memory, one after the other; a file of HDF5 that is not
 * closed could be read by nobody. In the end it is made of that in one go, always in the same order, without any time of day in it:
 * so its bytes, too, are the same however the lanes were computed.
 *
 *     /axes/NAME     the values of a varied parameter                            attribute unit
 *     /parameters    no data; attributes NAME of all that is not varied
 *     /status        lanes; attribute names
 *     /events        lanes; how many on the whole way
 *     /mode          lanes x rows (strobe only); attribute names
 *     /rows          lanes x rows x columns                                      attributes columns, units
 *     /              attributes: version, case, preset, variant, solver, engine, record, skip, keep, request
 */
#include "cli/file.h"
#include "cli/sweep_file.h"

#include <stdlib.h>
#include <string.h>

#ifdef IC_HDF5

#include <hdf5.h>

bool cli_sweep_has_hdf5(void)
{
    return true;
}

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

static bool put_text(hid_t at, const char *name, const char *text)
{
    const hid_t type = text_type(strlen(text) + 1), space = H5Screate(H5S_SCALAR);
    const bool good = put(at, name, type, space, text);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

static bool put_number(hid_t at, const char *name, double value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const bool good = put(at, name, H5T_NATIVE_DOUBLE, space, &value);
    H5Sclose(space);
    return good;
}

enum { TEXT = 80 };

/* n texts of TEXT bytes each, one behind the other. */
static bool put_texts(hid_t at, const char *name, const char *texts, size_t n)
{
    const hsize_t dims = n;
    const hid_t type = text_type(TEXT), space = H5Screate_simple(1, &dims, NULL);
    const bool good = put(at, name, type, space, texts);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

/* ---- data sets: laid out in full before they are filled, and without the time of day */

static hid_t data_set(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims)
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

/* `n` lanes from `first` on. */
static bool fill(hid_t set, hid_t type, hsize_t first, hsize_t n, const void *data)
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

/* ---- the file */

typedef struct book {
    const cli_sweep_file *file;
    hid_t root, status, events, mode, rows; /* mode: < 0 without modes */
    /* a chunk of lanes */
    double *row_values, *event_values;
    unsigned char *mode_values, *status_values;
} book;

static hid_t group(hid_t at, const char *name)
{
    const hid_t how = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(how, false);
    const hid_t made = H5Gcreate2(at, name, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    return made;
}

static const ic_parameter *parameter(const ic_case *system, const char *name)
{
    for (size_t i = 0; i < system->n_parameters; i++) {
        if (strcmp(system->parameters[i].name, name) == 0) return &system->parameters[i];
    }
    return NULL;
}

static bool put_axis(hid_t axes, const ic_sweep *sweep, const ic_axis *axis)
{
    const ic_parameter *of = parameter(sweep->plan.problem->system, axis->name);
    const hsize_t n = axis->count;
    double *values = calloc(axis->count, sizeof *values);
    if (values == NULL) return false;
    for (size_t i = 0; i < axis->count; i++) values[i] = ic_axis_value(axis, i);
    const hid_t set = data_set(axes, axis->name, H5T_NATIVE_DOUBLE, 1, &n);
    const bool good = set >= 0 && fill(set, H5T_NATIVE_DOUBLE, 0, n, values) &&
                      put_text(set, "unit", of->unit) && put_text(set, "meaning", of->meaning);
    if (set >= 0) H5Dclose(set);
    free(values);
    return good;
}

static bool put_axes(const book *b)
{
    const ic_grid *grid = &b->file->sweep->request->grid;
    const hid_t axes = group(b->root, "axes");
    bool good = axes >= 0;
    for (size_t k = 0; k < grid->n_axes && good; k++) good = put_axis(axes, b->file->sweep, &grid->axes[k]);
    if (axes >= 0) H5Gclose(axes);
    return good;
}

static bool is_varied(const ic_grid *grid, const char *name)
{
    for (size_t k = 0; k < grid->n_axes; k++) {
        if (strcmp(grid->axes[k].name, name) == 0) return true;
    }
    return false;
}

/* What is not varied. A default that depends on what is varied has the first lane's value. */
static bool put_parameters(const book *b)
{
    const ic_problem *problem = b->file->sweep->plan.problem;
    const hid_t parameters = group(b->root, "parameters");
    bool good = parameters >= 0;
    for (size_t i = 0; i < problem->system->n_parameters && good; i++) {
        const ic_parameter *p = &problem->system->parameters[i];
        if (is_varied(&b->file->sweep->request->grid, p->name) || H5Aexists(parameters, p->name) > 0) continue;
        good = put_number(parameters, p->name, problem->par[i]);
    }
    if (parameters >= 0) H5Gclose(parameters);
    return good;
}

static bool put_request(const book *b)
{
    const ic_sweep *sweep = b->file->sweep;
    const ic_problem *problem = sweep->plan.problem;
    return put_text(b->root, "version", "impactcheck " IC_VERSION) &&
           put_text(b->root, "case", problem->system->name) &&
           put_text(b->root, "preset", sweep->first.preset->name) &&
           put_text(b->root, "variant", problem->variant->name) &&
           put_text(b->root, "solver", sweep->plan.solver->name) &&
           put_text(b->root, "engine", sweep->engine->name) &&
           put_text(b->root, "record", sweep->request->record) &&
           put_number(b->root, "skip", (double)sweep->plan.skip) &&
           put_number(b->root, "keep", (double)sweep->plan.keep) &&
           put_text(b->root, "request", b->file->header.data);
}

static bool put_names(const book *b)
{
    const ic_sweep *sweep = b->file->sweep;
    const size_t n = sweep->plan.n_columns;
    char *columns = calloc(n, TEXT), *units = calloc(n, TEXT);
    bool good = columns != NULL && units != NULL;
    for (size_t i = 0; i < n && good; i++)
        snprintf(units + i * TEXT, TEXT, "%s", cli_sweep_column(columns + i * TEXT, sweep, i));
    good = good && put_texts(b->rows, "columns", columns, n) && put_texts(b->rows, "units", units, n);
    free(columns);
    free(units);
    return good;
}

static bool put_meanings(const book *b)
{
    const ic_variant *variant = b->file->sweep->plan.problem->variant;
    char statuses[IC_STATUS_COUNT][TEXT] = {{0}};
    for (int s = 0; s < IC_STATUS_COUNT; s++) snprintf(statuses[s], TEXT, "%s", ic_status_name((ic_status)s));
    if (!put_texts(b->status, "names", statuses[0], IC_STATUS_COUNT)) return false;
    if (b->mode < 0) return true;
    char *modes = calloc(variant->n_modes, TEXT);
    bool good = modes != NULL;
    for (size_t i = 0; i < variant->n_modes && good; i++)
        snprintf(modes + i * TEXT, TEXT, "%s", variant->modes[i].name);
    good = good && put_texts(b->mode, "names", modes, variant->n_modes);
    free(modes);
    return good;
}

static bool lay_out(book *b)
{
    const ic_sweep *sweep = b->file->sweep;
    const hsize_t dims[3] = {sweep->request->grid.n_lanes, sweep->n_rows, sweep->plan.n_columns};
    b->status = data_set(b->root, "status", H5T_NATIVE_UCHAR, 1, dims);
    b->events = data_set(b->root, "events", H5T_NATIVE_DOUBLE, 1, dims);
    if (sweep->plan.record == IC_RECORD_STROBE) b->mode = data_set(b->root, "mode", H5T_NATIVE_UCHAR, 2, dims);
    b->rows = data_set(b->root, "rows", H5T_NATIVE_DOUBLE, 3, dims);
    return b->status >= 0 && b->events >= 0 && b->rows >= 0;
}

/* Lanes of FILE.part, a chunk at a time. */
static bool copy_chunk(const book *b, size_t first, size_t n)
{
    const size_t n_rows = b->file->sweep->n_rows, n_columns = b->file->sweep->plan.n_columns;
    for (size_t i = 0; i < n; i++) {
        ic_status status = IC_OK;
        if (!ic_part_read_lane(b->file->stream, b->file->sweep, &status, &b->event_values[i],
                               b->mode_values + i * n_rows, b->row_values + i * n_rows * n_columns))
            return false;
        b->status_values[i] = (unsigned char)status;
    }
    return fill(b->status, H5T_NATIVE_UCHAR, first, n, b->status_values) &&
           fill(b->events, H5T_NATIVE_DOUBLE, first, n, b->event_values) &&
           (b->mode < 0 || fill(b->mode, H5T_NATIVE_UCHAR, first, n, b->mode_values)) &&
           fill(b->rows, H5T_NATIVE_DOUBLE, first, n, b->row_values);
}

static bool copy_lanes(book *b)
{
    const ic_sweep *sweep = b->file->sweep;
    const size_t n_lanes = sweep->request->grid.n_lanes, most = sweep->chunk_lanes;
    b->row_values = calloc(most * sweep->n_rows * sweep->plan.n_columns + 1, sizeof *b->row_values);
    b->event_values = calloc(most, sizeof *b->event_values);
    b->mode_values = calloc(most, sweep->n_rows);
    b->status_values = calloc(most, 1);
    bool good = b->row_values != NULL && b->event_values != NULL && b->mode_values != NULL &&
                b->status_values != NULL && fseek(b->file->stream, (long)b->file->header.n - 1, SEEK_SET) == 0;
    for (size_t first = 0; first < n_lanes && good; first += most)
        good = copy_chunk(b, first, n_lanes - first < most ? n_lanes - first : most);
    free(b->row_values);
    free(b->event_values);
    free(b->mode_values);
    free(b->status_values);
    return good;
}

static bool write_book(book *b)
{
    const bool good = put_request(b) && put_axes(b) && put_parameters(b) && lay_out(b) && put_names(b) &&
                      put_meanings(b) && copy_lanes(b);
    const hid_t sets[] = {b->status, b->events, b->mode, b->rows};
    for (size_t i = 0; i < IC_COUNT(sets); i++) {
        if (sets[i] >= 0) H5Dclose(sets[i]);
    }
    return good;
}

static bool finish(cli_sweep_file *file, ic_error *error)
{
    book b = {.file = file, .root = -1, .status = -1, .events = -1, .mode = -1, .rows = -1};
    cli_file named;
    if (!cli_file_open(&named, file->path, error)) return false;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is told by us */
    const hid_t how = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(how, false);
    b.root = H5Fcreate(named.part, H5F_ACC_TRUNC, how, H5P_DEFAULT);
    H5Pclose(how);
    bool good = b.root >= 0 && write_book(&b);
    if (b.root >= 0) good = H5Fclose(b.root) >= 0 && good;
    if (good) return cli_file_commit(&named, error);
    ic_error_set(error, "cannot write '%s': HDF5 failed", file->path);
    cli_file_discard(&named);
    return false;
}

#else

bool cli_sweep_has_hdf5(void)
{
    return false;
}

static bool finish(cli_sweep_file *file, ic_error *error)
{
    ic_error_set(error, "'%s': built without HDF5", file->path);
    return false;
}

#endif

const cli_sweep_format cli_sweep_hdf5 = {
    .extension = ".h5",
    .what = "lanes on their way to HDF5",
    .part = &ic_part_binary,
    .finish = finish,
};
