/* SPDX-License-Identifier: MIT */
/* impactcheck-equations CASE > reference/equations/CASE.csv */
#include "validation/checks/equations.h"
#include "registry/registry.h"

int main(int argc, char **argv)
{
    ic_error error = {"usage: impactcheck-equations CASE > reference/equations/CASE.csv"};
    const ic_case *system = argc == 2 ? ic_case_find(argv[1]) : NULL;
    if (system != NULL && ic_equations_write(stdout, system, &error)) return 0;
    fprintf(stderr, "%s\n", error.text);
    return 2;
}
