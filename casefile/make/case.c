/* SPDX-License-Identifier: MIT */
/*
 * impactcheck-case FILE.yaml SYMBOL > FILE.c: the build uses it to turn the case files of the tree
 * into C.
 */
#include "casefile/casefile.h"

int main(int argc, char **argv)
{
    ic_error error = {"usage: impactcheck-case FILE.yaml SYMBOL > FILE.c"};
    if (argc == 3 && ic_casefile_emit(stdout, argv[2], argv[1], &error)) return 0;
    fprintf(stderr, "%s\n", error.text);
    return 2;
}
