/* SPDX-License-Identifier: MIT */
#include "audit/solver/solver.h"

#include <stdio.h>

/* The trials of a case; without any, its first preset. */
static size_t list_trials(ic_trial *first, const ic_trial **trials, const ic_case *system)
{
    *first = (ic_trial){.preset = system->presets[0].name};
    *trials = system->trials != NULL ? system->trials : first;
    return system->trials != NULL ? system->n_trials : 1;
}

/*
 * Trial i of the repeated trials, or of the others; "" after the last. `count` receives the number
 * of trials before it.
 */
static ic_trial_path find_trial(size_t i, bool repeated, size_t *count)
{
    ic_trial_path path = {.text = ""};
    const ic_case *system;
    *count = 0;
    for (size_t c = 0; (system = ic_case_at(c)) != NULL; c++) {
        ic_trial first;
        const ic_trial *trials;
        const size_t n = list_trials(&first, &trials, system);
        for (size_t k = 0; k < n; k++) {
            if ((trials[k].again != NULL) != repeated || (*count)++ != i) continue;
            path.until = trials[k].until;
            path.again = trials[k].again;
            snprintf(path.text, sizeof path.text, "%s/%s", system->name, trials[k].preset);
            return path;
        }
    }
    return path;
}

size_t ic_audited_preset_count(void)
{
    size_t count;
    find_trial((size_t)-1, false, &count);
    return count;
}

ic_trial_path ic_audited_preset(size_t i)
{
    size_t count;
    return find_trial(i, false, &count);
}

ic_trial_path ic_repeated_preset(void)
{
    size_t count;
    return find_trial(0, true, &count);
}
