/* SPDX-License-Identifier: MIT */
#include "bench/cost.h"
#include "bench/statistics.h"
#include "core/array.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef IC_VERSION
#define IC_VERSION "unknown"
#endif
#ifndef IC_COMMIT
#define IC_COMMIT "unknown"
#endif
#ifndef IC_COMPILE_FLAGS
#define IC_COMPILE_FLAGS "unknown"
#endif
#ifdef __clang__
#define COMPILER_PREFIX ""
#else
#define COMPILER_PREFIX "gcc "
#endif

/* ---- the machine */

static void read_cpu_model(char *model, size_t size)
{
    char line[256];
    FILE *stream = fopen("/proc/cpuinfo", "r");
    snprintf(model, size, "unknown");
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", strlen("model name")) != 0 || colon == NULL) continue;
        colon += strspn(colon, ": \t");
        snprintf(model, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (stream != NULL) fclose(stream);
}

/* FNV-1a hash over the bytes of a number. */
static uint64_t update_hash(uint64_t hash, double value)
{
    unsigned char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    for (size_t i = 0; i < sizeof bytes; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Volatile, so that no compiler computes the values at compile time. */
static uint64_t hash_arithmetic(void)
{
    enum { ARGUMENTS = 1000 };
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 1; i <= ARGUMENTS; i++) {
        volatile double x = 0.0137 * i;
        hash = update_hash(hash, sin(x));
        hash = update_hash(hash, cos(x));
        hash = update_hash(hash, exp(-x));
        hash = update_hash(hash, log(x));
        hash = update_hash(hash, pow(x, 1.5));
        hash = update_hash(hash, cbrt(x));
        hash = update_hash(hash, atan2(x, 3));
    }
    return hash;
}

ic_cost_machine ic_cost_this_machine(void)
{
    ic_cost_machine machine = {.cores = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    const time_t now = time(NULL);
    struct tm utc;
    read_cpu_model(machine.cpu, sizeof machine.cpu);
    snprintf(machine.compiler, sizeof machine.compiler, "%s", COMPILER_PREFIX __VERSION__);
    snprintf(machine.flags, sizeof machine.flags, "%s", IC_COMPILE_FLAGS);
    snprintf(machine.version, sizeof machine.version, "%s", IC_VERSION);
    snprintf(machine.commit, sizeof machine.commit, "%s", IC_COMMIT);
    snprintf(machine.arithmetic, sizeof machine.arithmetic, "%016" PRIx64, hash_arithmetic());
    if (gmtime_r(&now, &utc) != NULL) strftime(machine.date, sizeof machine.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return machine;
}

bool ic_cost_same_machine(const ic_cost_machine *a, const ic_cost_machine *b)
{
    return strcmp(a->cpu, b->cpu) == 0 && strcmp(a->compiler, b->compiler) == 0 &&
           strcmp(a->flags, b->flags) == 0;
}

/* ---- results */

const ic_cost_overhead ic_cost_overhead_none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
const ic_cost_load ic_cost_load_none = {NAN, NAN, NAN, NAN, 0, 0};
const ic_cost_floor ic_cost_floor_none = {.exp = NAN, .sin = NAN, .cos = NAN, .event = NAN};
const ic_cost_diagram ic_cost_diagram_none = {"",  "",  NAN, NAN, NAN, NAN, NAN, NAN,
                                              NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

ic_cost_results ic_cost_results_new(void)
{
    return (ic_cost_results){.machine = ic_cost_this_machine(),
                             .calibration = NAN,
                             .load = ic_cost_load_none,
                             .overhead = ic_cost_overhead_none,
                             .floor = ic_cost_floor_none,
                             .diagram = ic_cost_diagram_none};
}

void ic_cost_results_free(ic_cost_results *results)
{
    free(results->rows);
    free(results->pairs);
    results->rows = NULL;
    results->pairs = NULL;
    results->count = results->capacity = results->n_pairs = results->most_pairs = 0;
}

bool ic_cost_add_pair(ic_cost_results *results, const ic_cost_pair *pair)
{
    ic_cost_pair *pairs =
        ic_array_reserve(results->pairs, &results->most_pairs, results->n_pairs, sizeof *pairs);
    if (pairs == NULL) return false;
    results->pairs = pairs;
    results->pairs[results->n_pairs++] = *pair;
    return true;
}

bool ic_cost_is_noisy(const ic_cost_row *row)
{
    return 3 * row->disturbed > (double)row->n_times;
}

ic_cost_row *ic_cost_results_add(ic_cost_results *results)
{
    ic_cost_row *rows = ic_array_reserve(results->rows, &results->capacity, results->count, sizeof *rows);
    if (rows == NULL) return NULL;
    results->rows = rows;
    ic_cost_row *row = &results->rows[results->count++];
    *row = (ic_cost_row){.events = NAN,
                         .simulated = NAN,
                         .error = NAN,
                         .radius = NAN,
                         .noise = NAN,
                         .work = {NAN, NAN, NAN, NAN, NAN}};
    return row;
}

const ic_cost_row *ic_cost_find(const ic_cost_results *results, const ic_cost_row *like)
{
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        if (row->setting == like->setting && strcmp(row->subject, like->subject) == 0 &&
            strcmp(row->solver, like->solver) == 0 && strcmp(row->control, like->control) == 0) {
            return row;
        }
    }
    return NULL;
}

const ic_cost_pair *ic_cost_find_pair(const ic_cost_results *results, const ic_cost_pair *like)
{
    for (size_t i = 0; i < results->n_pairs; i++) {
        const ic_cost_pair *pair = &results->pairs[i];
        if (pair->level == like->level && strcmp(pair->subject, like->subject) == 0 &&
            strcmp(pair->solver, like->solver) == 0 && strcmp(pair->peer, like->peer) == 0)
            return pair;
    }
    return NULL;
}

double ic_cost_seconds(const ic_cost_row *row)
{
    return ic_median(row->seconds, row->n_times);
}

double ic_cost_per_second(const ic_cost_row *row)
{
    return row->simulated > 0 ? ic_cost_seconds(row) / row->simulated : NAN;
}

double ic_cost_per_event(const ic_cost_row *row)
{
    return row->events > 0 ? ic_cost_seconds(row) / row->events : NAN;
}
