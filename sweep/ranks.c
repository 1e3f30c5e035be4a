/* SPDX-License-Identifier: MIT */
#include "sweep/ranks.h"
#include "core/system.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef IC_MODULE_FOLDER /* relative to the program's folder */
#define IC_MODULE_FOLDER "../lib/impactcheck"
#endif
#define MODULE_FILE "impactcheck-mpi.so"

/* Set for each rank by Open MPI, by MPICH and Intel's MPI, and by Slurm's launcher. */
static bool was_launched(void)
{
    const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (getenv(names[i]) != NULL) return true;
    }
    return false;
}

/* The module is in the program's folder, or in the library folder of the installation. */
static void *open_module(const char *folder)
{
    char path[2 * PATH_MAX];
    if (!ic_own_folder(path, PATH_MAX)) return NULL;
    const size_t room = sizeof path - strlen(path);
    strncat(path, "/", room - 1);
    strncat(path, folder, room - 2);
    strncat(path, "/" MODULE_FILE, room - 2 - strlen(folder));
    /* libraries that MPI loads look up MPI's symbols among the global ones */
    return access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
}

bool ic_ranks_begin(ic_ranks *ranks, ic_error *error)
{
    *ranks = (ic_ranks){.rank = 0, .size = 1};
    if (!was_launched()) return true;
    void *library = open_module(".");
    if (library == NULL) library = open_module(IC_MODULE_FOLDER);
    if (library == NULL) {
        const char *why = dlerror();
        ic_error_set(
            error,
            "mpirun has launched this program, which is built without MPI (Debian packages libopenmpi-dev "
            "and openmpi-bin)%s%s: run it alone, with --threads",
            why != NULL ? "; " : "", why != NULL ? why : "");
        return false;
    }
    const ic_ranks_module *module = dlsym(library, IC_RANKS_MODULE_SYMBOL);
    if (module == NULL || module->version != IC_RANKS_MODULE_VERSION) {
        ic_error_set(error, MODULE_FILE " belongs to another version of this program");
        return false;
    }
    if (!module->begin(&ranks->rank, &ranks->size)) {
        ic_error_set(error, "MPI could not be started");
        return false;
    }
    ranks->module = module;
    return true;
}

void ic_ranks_end(ic_ranks *ranks)
{
    if (ranks->module != NULL) ranks->module->end();
    *ranks = (ic_ranks){.rank = 0, .size = 1};
}

void ic_ranks_broadcast(const ic_ranks *ranks, void *data, size_t n)
{
    if (ranks->module != NULL) ranks->module->broadcast(data, n);
}
