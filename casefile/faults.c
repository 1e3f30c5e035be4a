/* SPDX-License-Identifier: MIT */
#include "casefile/faults.h"

#include "core/expression.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ic_fault_add(ic_faults *faults, ic_file_place place, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is started above
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (faults->n_faults >= IC_FAULTS_KEPT) return false;
    for (size_t i = 0; i < faults->n_faults; i++) { /* a definition that several formulas use */
        const ic_fault *f = &faults->faults[i];
        if (f->place.line == place.line && f->place.column == place.column && strcmp(f->text, text) == 0)
            return false;
    }
    ic_fault *added = ic_arena_append(faults->arena, &faults->faults, &faults->n_faults, sizeof *added);
    if (added == NULL) return false;
    added->place = place;
    added->text = ic_arena_copy(faults->arena, text, strlen(text));
    if (added->text == NULL) faults->n_faults--;
    return false;
}

void ic_faults_error(const ic_faults *faults, const char *file, ic_error *error)
{
    char more[64] = "", place[48] = "";
    if (faults->n_faults == 0) {
        ic_error_set(error, "%s: the case needs too much memory", file);
        return;
    }
    const ic_fault *f = &faults->faults[0];
    if (f->place.line > 0) snprintf(place, sizeof place, ":%zu:%zu", f->place.line, f->place.column);
    if (faults->n_faults > 1)
        snprintf(more, sizeof more, " (%zu more: impactcheck check shows them)", faults->n_faults - 1);
    ic_error_set(error, "%s%s: %s%s", file, place, f->text, more);
}

/* ---- the name that was meant */

enum { LONGEST = 40 };

/* What it costs to write b in place of a: less if only the case differs. */
static int change_cost(char a, char b)
{
    const int letter = a | ('a' - 'A'), other = b | ('a' - 'A');
    if (a == b) return 0;
    return letter == other && letter >= 'a' && letter <= 'z' ? 1 : 2;
}

static int least_of(int a, int b, int c)
{
    const int least = a < b ? a : b;
    return least < c ? least : c;
}

/* Changes, insertions and removals that turn a into b (Levenshtein), twice as many. */
static int count_changes(const char *a, const char *b)
{
    int row[LONGEST + 1];
    const int n = (int)strlen(b);
    for (int j = 0; j <= n; j++) row[j] = 2 * j;
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = 2 * i;
        for (int j = 1; j <= n; j++) {
            const int least = least_of(diagonal + change_cost(a[i - 1], b[j - 1]), row[j] + 2, row[j - 1] + 2);
            diagonal = row[j];
            row[j] = least;
        }
    }
    return row[n];
}

const char *ic_meant_name(const char *wrong, const char *const *names, size_t n)
{
    const char *best = NULL;
    const size_t length = strlen(wrong);
    int least = length <= 1 ? 2 : length <= 5 ? 3 : 5;
    if (length > LONGEST) return NULL;
    for (size_t i = 0; i < n; i++) {
        if (strlen(names[i]) > LONGEST) continue;
        const int changes = count_changes(wrong, names[i]);
        if (changes >= least) continue;
        least = changes;
        best = names[i];
    }
    return best;
}
