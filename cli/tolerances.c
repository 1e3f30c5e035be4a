/* SPDX-License-Identifier: MIT */
#include "cli/tolerances.h"

#include "audit/common/tolerances.h"

#include <stdio.h>
#include <string.h>

const ic_tolerance *cli_tolerance_at(size_t i)
{
    if (i < ic_audit_tolerance_count) return ic_audit_tolerances[i];
    i -= ic_audit_tolerance_count;
    return i < ic_verify_tolerance_count ? ic_verify_tolerances[i] : NULL;
}

const char *cli_tolerance_command(size_t i)
{
    return i < ic_audit_tolerance_count ? "audit" : "verify";
}

static const ic_tolerance *find_tolerance(const char *name, size_t length)
{
    const ic_tolerance *tolerance = NULL;
    for (size_t i = 0; (tolerance = cli_tolerance_at(i)) != NULL; i++) {
        if (strlen(tolerance->name) == length && strncmp(tolerance->name, name, length) == 0) break;
    }
    return tolerance;
}

cli_meaning cli_with_tolerances(const char *text)
{
    cli_meaning filled = {""};
    size_t length = 0;
    while (*text != '\0' && length + 1 < sizeof filled.text) {
        const char *end = *text == '{' ? strchr(text, '}') : NULL;
        const ic_tolerance *tolerance = end != NULL ? find_tolerance(text + 1, (size_t)(end - text - 1)) : NULL;
        if (tolerance == NULL) {
            filled.text[length++] = *text++;
            filled.text[length] = '\0';
        } else {
            snprintf(filled.text + length, sizeof filled.text - length, "%g", ic_tolerance_default(tolerance));
            length += strlen(filled.text + length);
            text = end + 1;
        }
    }
    return filled;
}
