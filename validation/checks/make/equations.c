/* SPDX-License-Identifier: MIT */
/*
 * impactcheck-equations CASE [PLACES] > reference/equations/CASE.csv: 3 places of each variant, from which
 * reference/equations/README.md says which ones to keep
 */
#include "validation/checks/equations.h"
#include "registry/registry.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    ic_error error = {"usage: impactcheck-equations CASE [PLACES] > reference/equations/CASE.csv"};
    const ic_case *system = argc == 2 || argc == 3 ? ic_case_find(argv[1]) : NULL;
    const int places = argc == 3 ? atoi(argv[2]) : 3;
    if (system != NULL && places > 0 && ic_equations_write(stdout, system, (unsigned)places, &error)) return 0;
    fprintf(stderr, "%s\n", error.text);
    return 2;
}
