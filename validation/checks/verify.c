/* SPDX-License-Identifier: MIT */
#include "validation/checks/verify.h"
#include "registry/registry.h"
#include "validation/distributed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IC_CHECK(code, name) extern const ic_check ic_check_##name;
#include "validation/checks/checks.def"
#undef IC_CHECK

const ic_check *const ic_checks[] = {
#define IC_CHECK(code, name) &ic_check_##name,
#include "validation/checks/checks.def"
#undef IC_CHECK
};
const size_t ic_check_count = IC_COUNT(ic_checks);

const char *const ic_check_codes[] = {
#define IC_CHECK(code, name) code,
#include "validation/checks/checks.def"
#undef IC_CHECK
};

static void set_codes(ic_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        ic_result *row = &results->rows[i];
        for (size_t k = 0; k < ic_check_count; k++) {
            if (strcmp(ic_checks[k]->name, row->check) == 0)
                snprintf(row->code, sizeof row->code, "%s", ic_check_codes[k]);
        }
    }
}

static bool is_of(const ic_result *row, const char *case_name)
{
    const size_t length = strcspn(row->subject, "/");
    return strlen(case_name) == length && strncmp(row->subject, case_name, length) == 0;
}

/* Number of rows of a case and a solver (NULL: all), and whether any of them was judged. */
static size_t count_rows(const ic_results *results, const char *case_name, const char *solver, bool *judged)
{
    size_t n = 0;
    *judged = false;
    for (size_t i = 0; i < results->count; i++) {
        const ic_result *row = &results->rows[i];
        if (!is_of(row, case_name) || (solver != NULL && strcmp(row->solver, solver) != 0)) continue;
        /* a sound case does not judge its solvers */
        const bool sound = row->verdict == IC_PASS && (strcmp(row->check, ic_check_case.name) == 0 ||
                                                       strcmp(row->check, ic_check_equations.name) == 0);
        *judged = *judged || (row->verdict != IC_SKIPPED && !sound);
        n++;
    }
    return n;
}

static void name_undecided(char *what, size_t size, const char *case_name, const char *solver)
{
    ic_text_append(what, size, "%s%s%s%s", what[0] == '\0' ? "no row was judged for " : ", ", case_name,
                   solver == NULL ? "" : " by ", solver == NULL ? "" : solver);
}

bool ic_verify_undecided(const ic_results *results, const ic_selection *selection, char *what, size_t size)
{
    what[0] = '\0';
    for (size_t c = 0; c < ic_case_count; c++) {
        const char *name = ic_cases[c]->name;
        bool judged = false;
        if (!ic_selects_case(selection, ic_cases[c])) continue;
        /* the selected solver may be unable to solve this case */
        if (count_rows(results, name, NULL, &judged) == 0 && selection->solvers != NULL) continue;
        if (!judged) name_undecided(what, size, name, NULL);
        for (size_t s = 0; s < ic_solver_count && judged; s++) {
            bool by_solver = false;
            if (count_rows(results, name, ic_solvers[s]->name, &by_solver) > 0 && !by_solver)
                name_undecided(what, size, name, ic_solvers[s]->name);
        }
    }
    return what[0] != '\0';
}

/* Rows are ordered by part: those of a check follow those of the check before. */
enum { MOST_PARTS = 1 << 16 };

/*
 * Distributed work starts with the last check. The checks at the end have the longest parts, which
 * should not be left to one process.
 */
static void run_checks(ic_results *results, const ic_selection *selection)
{
    for (size_t k = 0; k < ic_check_count; k++) {
        const size_t i = results->distributed == NULL ? k : ic_check_count - 1 - k;
        /* a table of a paper is about a built-in case */
        const bool table = ic_checks[i] == &ic_check_continuity;
        if (ic_checks[i] == &ic_check_case || (table && !ic_registry_is_built_in())) continue;
        results->part = (unsigned)(i + 1) * MOST_PARTS;
        results->cost = 0;
        ic_results_part(results); /* for checks without parts */
        results->cost = ic_checks[i]->cost;
        if (ic_checks[i]->run != NULL) ic_checks[i]->run(results, selection);
        else ic_for_each_subject(results, selection, ic_checks[i]->name, ic_checks[i]->visit);
    }
}

bool ic_case_contradicts_itself(const ic_results *results, const ic_case *system)
{
    for (size_t i = 0; i < results->count; i++) {
        const ic_result *row = &results->rows[i];
        if (row->verdict == IC_FAIL && strcmp(row->check, "case") == 0 &&
            strcmp(row->subject, system->name) == 0)
            return true;
    }
    return false;
}

/* Returns the selection without inconsistent cases, whose solvers are not to blame. */
static bool select_sound(ic_selection *sound, bool **contradicts, const ic_results *results,
                         const ic_selection *selection)
{
    *sound = *selection;
    sound->left_out = *contradicts = calloc(ic_case_count + 1, sizeof **contradicts);
    for (size_t i = 0; i < ic_case_count && *contradicts != NULL; i++)
        (*contradicts)[i] = ic_case_contradicts_itself(results, ic_cases[i]);
    return *contradicts != NULL;
}

void ic_verify(ic_results *results, const ic_selection *selection)
{
    ic_selection sound;
    bool *contradicts;
    ic_check_case.run(results, selection);
    if (select_sound(&sound, &contradicts, results, selection)) run_checks(results, &sound);
    else results->out_of_memory = true;
    set_codes(results);
    free(contradicts);
}

static void walk_cases(ic_results *results, const void *context)
{
    results->part = 0;
    ic_check_case.run(results, context);
}

static void walk_checks(ic_results *results, const void *context)
{
    run_checks(results, context);
}

bool ic_verify_distributed(ic_results *results, const ic_selection *selection, size_t jobs, ic_error *error)
{
    ic_selection sound;
    bool *contradicts;
    if (!ic_distribute(results, walk_cases, selection, jobs, error)) return false;
    const bool good = select_sound(&sound, &contradicts, results, selection)
                          ? ic_distribute(results, walk_checks, &sound, jobs, error)
                          : ic_error_no_memory(error);
    set_codes(results);
    free(contradicts);
    return good;
}
