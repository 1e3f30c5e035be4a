/* SPDX-License-Identifier: MIT */
#include "casefile/mass.h"

#define GRAPH g
#include "casefile/operators.h"

#include "casefile/program.h"

#include <math.h>
#include <string.h>

void ic_graph_solve(ic_graph *g, ic_node *matrix, ic_node *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n; k++) {
            if (ic_graph_is(g, matrix[k * n + i], 0)) continue;
            const ic_node factor = DIV(matrix[k * n + i], matrix[i * n + i]);
            for (size_t j = i + 1; j < n; j++)
                matrix[k * n + j] = SUB(matrix[k * n + j], MUL(factor, matrix[i * n + j]));
            right[k] = SUB(right[k], MUL(factor, right[i]));
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) right[i] = SUB(right[i], MUL(matrix[i * n + j], right[j]));
        right[i] = DIV(right[i], matrix[i * n + i]);
    }
}

/* Reads the velocities of the mass matrix as indices of states. */
static bool read_velocities(ic_case_reader *r, const ic_yaml *list, int *velocities, size_t *n)
{
    ic_file_entries entries = {0};
    if (!ic_list_read(&entries, r, list, NULL)) return false;
    if (entries.n == 0 || entries.n > IC_MAX_STATES)
        return ic_fault_add(r->faults, list->place, "expected the velocities of the mass matrix: [v1, v2]");
    for (size_t i = 0; i < entries.n; i++) {
        const ic_file_entry *e = &entries.entries[i];
        const ic_scope scope = ic_reader_scope(r, e->indices);
        const char *name = e->value->kind == IC_YAML_SCALAR ? ic_name_read(e->value, &scope) : NULL;
        velocities[i] = name == NULL ? -1 : ic_reader_state(r, name);
        if (velocities[i] < 0)
            return ic_fault_add(r->faults, e->value->place, "'%s' is not a state",
                                name != NULL ? name : "a list");
        if (r->state_discrete[velocities[i]])
            return ic_fault_add(r->faults, e->value->place, "'%s' is discrete: events change it, not forces",
                                name);
    }
    *n = entries.n;
    return true;
}

/* Whether two formulas differ in value at some state. cos(a - b) and cos(b - a) do not. */
static bool values_differ(ic_case_reader *r, ic_node a, ic_node b)
{
    const ic_node nodes[] = {a, b};
    double x[IC_MAX_STATES], values[2];
    ic_program program;
    if (a == b || !ic_program_make(&program, r->graph, nodes, 2)) return false;
    for (size_t i = 0; i < IC_MAX_STATES; i++) x[i] = 0.3 + 0.1 * sin((double)i);
    ic_program_run(&program, values, &(ic_program_input){.t = 0.7, .x = x, .par = r->parameter_values});
    return fabs(values[0] - values[1]) > 1e-9 * (fabs(values[0]) + fabs(values[1]));
}

/*
 * Checks that the matrix is symmetric, and that its diagonal is positive where it is constant. No
 * more can be checked for a matrix that varies.
 */
static bool check_matrix(ic_case_reader *r, const ic_file_entry *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const ic_scope scope = ic_reader_scope(r, NULL);
        if (scope.constant(r->mass[i * n + i], scope.context) <= 0)
            return ic_fault_add(r->faults, rows[i].value->place,
                                "the diagonal of a mass matrix must be positive, but row %zu is not", i + 1);
        for (size_t j = 0; j < i; j++) {
            if (values_differ(r, r->mass[i * n + j], r->mass[j * n + i]))
                return ic_fault_add(
                    r->faults, rows[i].value->place,
                    "a mass matrix must be symmetric: column %zu of row %zu must equal column %zu of row "
                    "%zu",
                    j + 1, i + 1, i + 1, j + 1);
        }
    }
    return true;
}

/* Reads one row. Its elements times the rates of the velocities are forces of one dimension. */
static bool read_row(ic_case_reader *r, const ic_file_entry *row, const int *velocities, size_t n,
                     ic_node *nodes, ic_dimension *force)
{
    ic_file_entries entries = {0};
    char one[IC_DIMENSION_TEXT], other[IC_DIMENSION_TEXT];
    *force = (ic_dimension){.any = true};
    if (!ic_list_read(&entries, r, row->value, row->indices)) return false;
    if (entries.n != n)
        return ic_fault_add(r->faults, row->value->place, "expected a row of %zu formulas, not of %zu", n,
                            entries.n);
    for (size_t j = 0; j < n; j++) {
        const ic_scope scope = ic_reader_scope(r, entries.entries[j].indices);
        ic_term term;
        if (!ic_formula_read(&term, entries.entries[j].value, &scope)) return false;
        const ic_dimension rate = ic_dimension_product(&r->state_dimensions[velocities[j]], &ic_second, -1);
        const ic_dimension own = ic_dimension_product(&term.dimension, &rate, +1);
        if (!ic_dimensions_equal(&own, force))
            return ic_fault_add(r->faults, entries.entries[j].value->place,
                                "units differ: this column of the row gives a force in %s, those before in %s",
                                ic_dimension_text(one, &own), ic_dimension_text(other, force));
        if (!own.any) *force = own;
        nodes[j] = term.node;
    }
    return true;
}

bool ic_read_mass(ic_case_reader *r, const ic_yaml *section, ic_node *flow, bool *given)
{
    ic_file_entries rows = {0}, forces = {0};
    const ic_yaml *parts[3];
    r->n_mass = 0;
    if (section == NULL) return true;
    if (!ic_known_keys(r->faults, section, &ic_schema_mass)) return false;
    for (int i = 0; i < 3; i++) {
        parts[i] = ic_yaml_get(section, ic_schema_mass.keys[i].name);
        if (parts[i]->kind != IC_YAML_SEQUENCE)
            return ic_fault_add(r->faults, section->place,
                                "a mass matrix needs the lists 'of', 'matrix' and 'force'");
    }
    size_t n = 0;
    if (r->mass_velocities == NULL) r->mass_velocities = ic_arena_take(r->arena, IC_MAX_STATES * sizeof(int));
    if (r->mass_velocities == NULL || !read_velocities(r, parts[0], r->mass_velocities, &n)) return false;
    r->mass = ic_arena_take(r->arena, n * n * sizeof *r->mass);
    ic_node *matrix = ic_arena_take(r->arena, n * n * sizeof *matrix);
    r->mass_forces = ic_arena_take(r->arena, n * sizeof *r->mass_forces);
    if (r->mass == NULL || matrix == NULL || r->mass_forces == NULL) return false;
    if (!ic_list_read(&rows, r, parts[1], NULL) || !ic_list_read(&forces, r, parts[2], NULL)) return false;
    if (rows.n != n || forces.n != n)
        return ic_fault_add(r->faults, section->place,
                            "%zu velocities need as many rows and forces, not %zu and %zu", n, rows.n,
                            forces.n);
    ic_node right[IC_MAX_STATES];
    for (size_t i = 0; i < n; i++) {
        ic_dimension *force = &r->mass_forces[i];
        const ic_scope scope = ic_reader_scope(r, forces.entries[i].indices);
        if (!read_row(r, &rows.entries[i], r->mass_velocities, n, r->mass + i * n, force) ||
            !ic_formula_read_as(&right[i], forces.entries[i].value, force, "this row of the mass matrix",
                                &scope))
            return false;
    }
    if (!check_matrix(r, rows.entries, n)) return false;
    memcpy(matrix, r->mass, n * n * sizeof *matrix);
    ic_graph_solve(r->graph, matrix, right, n);
    for (size_t i = 0; i < n; i++) {
        const int state = r->mass_velocities[i];
        if (given[state])
            return ic_fault_add(r->faults, parts[0]->place, "both 'flow' and 'mass' give the rate of '%s'",
                                r->states[state].name);
        flow[state] = right[i];
        given[state] = true;
    }
    r->n_mass = n;
    return true;
}
