/* SPDX-License-Identifier: MIT */
/* columns FILE.h5 [NAME...]: prints columns of a trajectory in HDF5 as CSV, for
   tests/cli/test_cli.sh, which compares them with the CSV file of the same run. `mode` is written
   by its name. Without NAME: names and units of all columns, one per line. */
#include "reports/number.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 64, TEXT = 80 };

static void stop_at(const char *what)
{
    fprintf(stderr, "columns: %s cannot be read\n", what);
    exit(3);
}

static double *read_numbers(hid_t file, const char *name, hsize_t *n)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    if (set < 0 || H5Sget_simple_extent_dims(space, n, NULL) != 1) stop_at(name);
    double *values = calloc(*n + 1, sizeof *values);
    if (values == NULL || H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        stop_at(name);
    H5Sclose(space);
    H5Dclose(set);
    return values;
}

/* An attribute of one or more texts of `size` bytes each. */
static char *read_texts(hid_t file, const char *set, const char *name)
{
    const hid_t attribute = H5Aopen_by_name(file, set, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) stop_at(name);
    const hid_t type = H5Aget_type(attribute);
    char *texts = calloc((size_t)H5Aget_storage_size(attribute) + 1, 1);
    if (texts == NULL || H5Aread(attribute, type, texts) < 0) stop_at(name);
    H5Tclose(type);
    H5Aclose(attribute);
    return texts;
}

static herr_t print_column(hid_t file, const char *name, const H5L_info_t *info, void *context)
{
    (void)info, (void)context;
    if (strcmp(name, "mode") == 0 || strcmp(name, "parameters") == 0) return 0;
    char *unit = read_texts(file, name, "unit");
    printf("%s %s\n", name, unit);
    free(unit);
    return 0;
}

static void print_cell(const char *name, double value, const char *modes)
{
    if (strcmp(name, "mode") != 0) fputs(isnan(value) ? "" : ic_number_exact(value).text, stdout);
    else if (value >= 0) fputs(modes + TEXT * (size_t)value, stdout);
}

static void print_rows(hid_t file, char *const *names, size_t n_names)
{
    double *values[MOST_COLUMNS] = {NULL};
    hsize_t n = 0, first = 0;
    char *modes = read_texts(file, "mode", "names");
    for (size_t i = 0; i < n_names; i++) {
        values[i] = read_numbers(file, names[i], &n);
        if (i == 0) first = n;
        if (n != first) stop_at(names[i]);
        printf("%s%c", names[i], i + 1 < n_names ? ',' : '\n');
    }
    for (hsize_t row = 0; row < first; row++) {
        for (size_t i = 0; i < n_names; i++) {
            print_cell(names[i], values[i][row], modes);
            putchar(i + 1 < n_names ? ',' : '\n');
        }
    }
    for (size_t i = 0; i < n_names; i++) free(values[i]);
    free(modes);
}

int main(int argc, char **argv)
{
    const hid_t file =
        argc >= 2 && argc - 2 <= MOST_COLUMNS ? H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    if (file < 0) stop_at("the file");
    if (argc == 2) H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, print_column, NULL);
    else print_rows(file, argv + 2, (size_t)argc - 2);
    H5Fclose(file);
    return 0;
}
