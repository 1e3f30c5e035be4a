/* SPDX-License-Identifier: MIT */
#include "validation/claims/counter_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool ic_counter_read(ic_quantity *counter, const ic_claim *claim, size_t *offset, ic_error *error)
{
    ic_setup setup;
    *offset = 0;
    if (claim->counter[0] == '\0') {
        ic_error_set(error, "there is no counter-value");
        return false;
    }
    /* "name(" before any "[" */
    if (claim->counter[strcspn(claim->counter, "[(")] == '(')
        return ic_quantity_parse(counter, claim->counter, claim->system, offset, error);
    *counter = claim->judgement.quantity;
    char *path = counter->first.arguments[0];
    if (claim->counter[0] == '[' && !ic_path_add_settings(path, claim->counter, error)) return false;
    const bool fits =
        claim->counter[0] == '[' || (snprintf(path, IC_LONGEST_PATH, "%s", claim->counter) < IC_LONGEST_PATH &&
                                     ic_path_complete(path, claim->system));
    if (!fits) {
        ic_error_set(error, "the path becomes too long");
        return false;
    }
    if (!ic_path_open(&setup, path, error)) return false;
    ic_setup_close(&setup);
    return true;
}

bool ic_counter_rejected(const ic_claim *claim, ic_claim_evaluator *evaluator, ic_error *error)
{
    ic_quantity counter = {0};
    ic_measured measured = {.value = NAN};
    size_t offset;
    if (!ic_counter_read(&counter, claim, &offset, error) ||
        !ic_quantity_measure(&measured, &counter, evaluator, error))
        return false;
    if (!isnan(measured.value) && !ic_judgement_holds(&claim->judgement, measured.value)) return true;
    ic_error_set(error, "%g %s is no counter-value: the row asks for %s",
                 measured.value / claim->judgement.factor, claim->unit,
                 ic_judgement_bound(&claim->judgement).text);
    return false;
}
