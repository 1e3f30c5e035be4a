/* SPDX-License-Identifier: MIT */
/*
 * A trajectory as HDF5: the rows and columns of the CSV file, a data set for each column.
 *
 *     /t             s; attribute unit
 *     /mode          numbers of modes; -1: none; attribute names
 *     /NAME          a state or an output; attributes unit, meaning
 *     /parameters    no data; attributes NAME of all parameters
 *     /              attributes: version, case, preset, variant, solver
 */
#include "cli/hdf5_file.h"
#include "cli/result.h"

#include <stdlib.h>

/* A column on its way: the time, a state, or an output. */
typedef struct result_column {
    const ic_problem *problem;
    double *values;
    int *modes;
    size_t n;

    /* NULL: a state, or the time */
    const ic_output *output;

    size_t state;
} result_column;

static void count_row(void *self, double t, int mode, const double *x)
{
    (void)t, (void)mode, (void)x;
    ++*(size_t *)self;
}

static void take_time(void *self, double t, int mode, const double *x)
{
    (void)x;
    result_column *c = self;
    c->modes[c->n] = mode;
    c->values[c->n++] = t;
}

static void take_value(void *self, double t, int mode, const double *x)
{
    result_column *c = self;
    c->values[c->n++] = c->output != NULL ? c->output->value(t, x, mode, c->problem->par) : x[c->state];
}

static bool put_column(hid_t root, const result_column *c, const char *name, const char *unit,
                       const char *meaning)
{
    const hsize_t n = c->n;
    const hid_t set = cli_hdf5_data_set(root, name, H5T_NATIVE_DOUBLE, 1, &n);
    const bool good = set >= 0 && (n == 0 || cli_hdf5_fill(set, H5T_NATIVE_DOUBLE, 0, n, c->values)) &&
                      cli_hdf5_put_text(set, "unit", unit) && cli_hdf5_put_text(set, "meaning", meaning);
    return cli_hdf5_closes(set, H5Dclose) && good;
}

static bool put_modes(hid_t root, const result_column *c)
{
    const ic_variant *variant = c->problem->variant;
    const hsize_t n = c->n;
    const hid_t set = cli_hdf5_data_set(root, "mode", H5T_NATIVE_INT, 1, &n);
    char *names = calloc(variant->n_modes, CLI_HDF5_TEXT);
    bool good = set >= 0 && names != NULL;
    for (size_t i = 0; i < variant->n_modes && good; i++)
        snprintf(names + i * CLI_HDF5_TEXT, CLI_HDF5_TEXT, "%s", variant->modes[i].name);
    good = good && (n == 0 || cli_hdf5_fill(set, H5T_NATIVE_INT, 0, n, c->modes)) &&
           cli_hdf5_put_texts(set, "names", names, variant->n_modes);
    free(names);
    return cli_hdf5_closes(set, H5Dclose) && good;
}

static bool put_rows(hid_t root, const cli_result *result, result_column *c)
{
    const ic_case *system = c->problem->system;
    cli_result_rows(result, take_time, c);
    bool good = put_column(root, c, "t", "s", "time") && put_modes(root, c);
    for (c->state = 0; c->state < system->n_states && good; c->state++) {
        const ic_state *s = &system->states[c->state];
        c->n = 0;
        cli_result_rows(result, take_value, c);
        good = put_column(root, c, s->name, s->unit, s->meaning);
    }
    for (size_t i = 0; i < system->n_outputs && good; i++) {
        c->output = &system->outputs[i];
        if (cli_repeats_state(system, c->output)) continue;
        c->n = 0;
        cli_result_rows(result, take_value, c);
        good = put_column(root, c, c->output->name, c->output->unit, c->output->meaning);
    }
    return good;
}

static bool put_request(hid_t root, const cli_result *result)
{
    const ic_problem *problem = &result->instance->setup.problem;
    const hid_t parameters = cli_hdf5_group(root, "parameters");
    bool good = parameters >= 0;
    for (size_t i = 0; i < problem->system->n_parameters && good; i++) {
        const char *name = problem->system->parameters[i].name;
        if (H5Aexists(parameters, name) <= 0) good = cli_hdf5_put_number(parameters, name, problem->par[i]);
    }
    return cli_hdf5_closes(parameters, H5Gclose) && good &&
           cli_hdf5_put_text(root, "version", "impactcheck " IC_VERSION) &&
           cli_hdf5_put_text(root, "case", problem->system->name) &&
           cli_hdf5_put_text(root, "preset", result->instance->setup.preset->name) &&
           cli_hdf5_put_text(root, "variant", problem->variant->name) &&
           cli_hdf5_put_text(root, "solver", result->solver->name);
}

static bool fill_file(hid_t root, void *context)
{
    const cli_result *result = context;
    result_column c = {.problem = &result->instance->setup.problem};
    size_t n = 0;
    cli_result_rows(result, count_row, &n);
    c.values = calloc(n + 1, sizeof *c.values);
    c.modes = calloc(n + 1, sizeof *c.modes);
    const bool good =
        c.values != NULL && c.modes != NULL && put_request(root, result) && put_rows(root, result, &c);
    free(c.values);
    free(c.modes);
    return good;
}

bool cli_result_hdf5(const cli_result *result, const cli_file *file, ic_error *error)
{
    cli_result copy = *result;
    return cli_hdf5_write(file, fill_file, &copy, error);
}
