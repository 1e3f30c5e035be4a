/* SPDX-License-Identifier: MIT */
/*
 * A sweep as HDF5. While it grows, FILE.part holds the parameter sets in the format of memory,
 * because an HDF5 file that is not closed cannot be read. At the end FILE is made from it, always
 * in the same order and without the time of day, so that its bytes do not depend on how the sets
 * were computed.
 *
 *     /axes/NAME   the values of a varied parameter; attribute unit
 *     /parameters  no data; attributes NAME of all parameters that are not varied
 *     /status      sets; attribute names
 *     /events      sets; number of events in the whole run
 *     /mode        sets x rows (strobe only); attribute names
 *     /rows        sets x rows x columns; attributes columns, units
 *     /            attributes: version, case, preset, variant, solver, method, record, skip,
 *                  keep, request
 */
#include "cli/hdf5_file.h"
#include "cli/sweep_file.h"
#include "core/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- the file */

typedef struct book {
    const cli_sweep_file *file;

    /* mode: < 0 without modes */
    hid_t root, status, events, mode, rows;

    /* a chunk of parameter sets */
    double *row_values, *event_values;
    unsigned char *mode_values, *status_values;
} book;

static bool put_axis(hid_t axes, const ic_sweep *sweep, const ic_axis *axis)
{
    const ic_case *system = sweep->plan.problem->system;
    const ic_parameter *of = &system->parameters[ic_parameter_find(system, axis->name)];
    const hsize_t n = axis->count;
    double *values = calloc(axis->count, sizeof *values);
    if (values == NULL) return false;
    for (size_t i = 0; i < axis->count; i++) values[i] = ic_axis_value(axis, i);
    const hid_t set = cli_hdf5_data_set(axes, axis->name, H5T_NATIVE_DOUBLE, 1, &n);
    const bool good = set >= 0 && cli_hdf5_fill(set, H5T_NATIVE_DOUBLE, 0, n, values) &&
                      cli_hdf5_put_text(set, "unit", of->unit) &&
                      cli_hdf5_put_text(set, "meaning", of->meaning);
    free(values);
    return cli_hdf5_closes(set, H5Dclose) && good;
}

static bool put_axes(const book *b)
{
    const ic_grid *grid = &b->file->sweep->request->grid;
    const hid_t axes = cli_hdf5_group(b->root, "axes");
    bool good = axes >= 0;
    for (size_t k = 0; k < grid->n_axes && good; k++) good = put_axis(axes, b->file->sweep, &grid->axes[k]);
    return cli_hdf5_closes(axes, H5Gclose) && good;
}

static bool is_varied(const ic_grid *grid, const char *name)
{
    for (size_t k = 0; k < grid->n_axes; k++) {
        if (strcmp(grid->axes[k].name, name) == 0) return true;
    }
    return false;
}

/* The parameters that are not varied. A default that depends on a varied one has the value of the
   first set. */
static bool put_parameters(const book *b)
{
    const ic_problem *problem = b->file->sweep->plan.problem;
    const hid_t parameters = cli_hdf5_group(b->root, "parameters");
    bool good = parameters >= 0;
    for (size_t i = 0; i < problem->system->n_parameters && good; i++) {
        const ic_parameter *p = &problem->system->parameters[i];
        if (is_varied(&b->file->sweep->request->grid, p->name) || H5Aexists(parameters, p->name) > 0) continue;
        good = cli_hdf5_put_number(parameters, p->name, problem->par[i]);
    }
    return cli_hdf5_closes(parameters, H5Gclose) && good;
}

static bool put_request(const book *b)
{
    const ic_sweep *sweep = b->file->sweep;
    const ic_problem *problem = sweep->plan.problem;
    return cli_hdf5_put_text(b->root, "version", "impactcheck " IC_VERSION) &&
           cli_hdf5_put_text(b->root, "case", problem->system->name) &&
           cli_hdf5_put_text(b->root, "preset", sweep->first.preset->name) &&
           cli_hdf5_put_text(b->root, "variant", problem->variant->name) &&
           cli_hdf5_put_text(b->root, "solver", sweep->plan.solver->name) &&
           cli_hdf5_put_text(b->root, "method", sweep->method->name) &&
           cli_hdf5_put_text(b->root, "record", sweep->request->record) &&
           cli_hdf5_put_number(b->root, "skip", (double)sweep->plan.skip) &&
           cli_hdf5_put_number(b->root, "keep", (double)sweep->plan.keep) &&
           cli_hdf5_put_text(b->root, "request", b->file->header.data);
}

static bool put_names(const book *b)
{
    const ic_sweep *sweep = b->file->sweep;
    const size_t n = sweep->plan.n_columns;
    char *columns = calloc(n, CLI_HDF5_TEXT), *units = calloc(n, CLI_HDF5_TEXT);
    bool good = columns != NULL && units != NULL;
    for (size_t i = 0; i < n && good; i++)
        snprintf(units + i * CLI_HDF5_TEXT, CLI_HDF5_TEXT, "%s",
                 cli_sweep_column(columns + i * CLI_HDF5_TEXT, sweep, i));
    good = good && cli_hdf5_put_texts(b->rows, "columns", columns, n) &&
           cli_hdf5_put_texts(b->rows, "units", units, n);
    free(columns);
    free(units);
    return good;
}

static bool put_meanings(const book *b)
{
    const ic_variant *variant = b->file->sweep->plan.problem->variant;
    char statuses[IC_STATUS_COUNT][CLI_HDF5_TEXT] = {{0}};
    for (int s = 0; s < IC_STATUS_COUNT; s++)
        snprintf(statuses[s], CLI_HDF5_TEXT, "%s", ic_status_name((ic_status)s));
    if (!cli_hdf5_put_texts(b->status, "names", statuses[0], IC_STATUS_COUNT)) return false;
    if (b->mode < 0) return true;
    char *modes = calloc(variant->n_modes, CLI_HDF5_TEXT);
    bool good = modes != NULL;
    for (size_t i = 0; i < variant->n_modes && good; i++)
        snprintf(modes + i * CLI_HDF5_TEXT, CLI_HDF5_TEXT, "%s", variant->modes[i].name);
    good = good && cli_hdf5_put_texts(b->mode, "names", modes, variant->n_modes);
    free(modes);
    return good;
}

static bool lay_out_file(book *b)
{
    const ic_sweep *sweep = b->file->sweep;
    const hsize_t dims[3] = {sweep->request->grid.n_sets, sweep->n_rows, sweep->plan.n_columns};
    b->status = cli_hdf5_data_set(b->root, "status", H5T_NATIVE_UCHAR, 1, dims);
    b->events = cli_hdf5_data_set(b->root, "events", H5T_NATIVE_DOUBLE, 1, dims);
    if (sweep->plan.record == IC_RECORD_STROBE)
        b->mode = cli_hdf5_data_set(b->root, "mode", H5T_NATIVE_UCHAR, 2, dims);
    b->rows = cli_hdf5_data_set(b->root, "rows", H5T_NATIVE_DOUBLE, 3, dims);
    return b->status >= 0 && b->events >= 0 && b->rows >= 0;
}

/* Copies the parameter sets of FILE.part, a chunk at a time. */
static bool copy_chunk(const book *b, size_t first, size_t n)
{
    const size_t n_rows = b->file->sweep->n_rows, n_columns = b->file->sweep->plan.n_columns;
    size_t length = 0;
    if (!ic_part_find_chunk(b->file->stream, first / b->file->sweep->chunk_sets, &length)) return false;
    for (size_t i = 0; i < n; i++) {
        ic_status status = IC_OK;
        if (!ic_part_read_set(b->file->stream, b->file->sweep, &status, &b->event_values[i],
                              b->mode_values + i * n_rows, b->row_values + i * n_rows * n_columns))
            return false;
        b->status_values[i] = (unsigned char)status;
    }
    return cli_hdf5_fill(b->status, H5T_NATIVE_UCHAR, first, n, b->status_values) &&
           cli_hdf5_fill(b->events, H5T_NATIVE_DOUBLE, first, n, b->event_values) &&
           (b->mode < 0 || cli_hdf5_fill(b->mode, H5T_NATIVE_UCHAR, first, n, b->mode_values)) &&
           cli_hdf5_fill(b->rows, H5T_NATIVE_DOUBLE, first, n, b->row_values);
}

static bool copy_sets(book *b)
{
    const ic_sweep *sweep = b->file->sweep;
    const size_t n_sets = sweep->request->grid.n_sets, most = sweep->chunk_sets;
    b->row_values = calloc(most * sweep->n_rows * sweep->plan.n_columns + 1, sizeof *b->row_values);
    b->event_values = calloc(most, sizeof *b->event_values);
    b->mode_values = calloc(most, sweep->n_rows);
    b->status_values = calloc(most, 1);
    bool good = b->row_values != NULL && b->event_values != NULL && b->mode_values != NULL &&
                b->status_values != NULL && fseek(b->file->stream, (long)b->file->header.n - 1, SEEK_SET) == 0;
    for (size_t first = 0; first < n_sets && good; first += most)
        good = copy_chunk(b, first, n_sets - first < most ? n_sets - first : most);
    free(b->row_values);
    free(b->event_values);
    free(b->mode_values);
    free(b->status_values);
    return good;
}

static bool fill_book(hid_t root, void *context)
{
    book b = {.file = context, .root = root, .status = -1, .events = -1, .mode = -1, .rows = -1};
    bool good = put_request(&b) && put_axes(&b) && put_parameters(&b) && lay_out_file(&b) && put_names(&b) &&
                put_meanings(&b) && copy_sets(&b);
    const hid_t sets[] = {b.status, b.events, b.mode, b.rows};
    for (size_t i = 0; i < IC_COUNT(sets); i++)
        good = (sets[i] < 0 || cli_hdf5_closes(sets[i], H5Dclose)) && good;
    return good;
}

static bool finish_hdf5(cli_sweep_file *file, ic_error *error)
{
    cli_file named;
    if (!cli_file_open(&named, file->path, error)) return false;
    if (cli_hdf5_write(&named, fill_book, file, error)) return cli_file_commit(&named, error);
    cli_file_discard(&named);
    return false;
}

const cli_sweep_format cli_sweep_hdf5 = {
    .extension = ".h5",
    .what = "lanes on their way to HDF5",
    .part = &ic_part_binary,
    .finish = finish_hdf5,
};
