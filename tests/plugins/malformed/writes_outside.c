/* SPDX-License-Identifier: MIT */
/*
 * When it is loaded, it writes into its own temporary folder, which is permitted, and tries to
 * create, change and remove the files named by IC_MALFORMED_MAKES and IC_MALFORMED_CHANGES. If it
 * cannot use its own folder, it ends the process.
 */
#include "tests/plugins/faulty/law_base.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *open_in_own_folder(void)
{
    char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/inside", folder != NULL ? folder : "/nowhere");
    return fopen(path, "w");
}

__attribute__((constructor)) static void write_files(void)
{
    const char *makes = getenv("IC_MALFORMED_MAKES"), *changes = getenv("IC_MALFORMED_CHANGES");
    FILE *inside = open_in_own_folder();
    if (inside == NULL || fclose(inside) != 0) _exit(3);
    FILE *made = makes != NULL ? fopen(makes, "w") : NULL;
    if (made != NULL) fclose(made);
    FILE *changed = changes != NULL ? fopen(changes, "w") : NULL;
    if (changed != NULL) fclose(changed);
    if (changes != NULL) remove(changes);
}
