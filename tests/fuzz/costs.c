/* SPDX-License-Identifier: MIT */
/* Input: a file of results. An accepted file is written and read again unchanged; numbers are not
   negative, and no two rows have the same setting. A refusal names the place. */
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char path[] = "costs.json";

#define SAME(member_) ic_input_same(a->member_, b->member_)
#define SAME_TEXT(member_) (strcmp(a->member_, b->member_) == 0)

static bool same_machine(const ic_cost_machine *a, const ic_cost_machine *b)
{
    return a->cores == b->cores && SAME_TEXT(cpu) && SAME_TEXT(compiler) && SAME_TEXT(flags) &&
           SAME_TEXT(version) && SAME_TEXT(commit) && SAME_TEXT(date) && SAME_TEXT(arithmetic);
}

static bool same_work(const ic_work *a, const ic_work *b)
{
    return SAME(flow_calls) && SAME(guard_calls) && SAME(steps) && SAME(rejected_steps) &&
           SAME(root_iterations);
}

static bool same_row(const ic_cost_row *a, const ic_cost_row *b)
{
    bool same = a->order == b->order && a->n_times == b->n_times && SAME_TEXT(subject) && SAME_TEXT(solver) &&
                SAME_TEXT(control) && SAME_TEXT(status) && SAME_TEXT(truth) && SAME(setting) && SAME(events) &&
                SAME(simulated) && SAME(error) && SAME(radius) && SAME(noise) && same_work(&a->work, &b->work);
    for (size_t i = 0; i < a->n_times && same; i++) same = SAME(seconds[i]) && SAME(relative[i]);
    return same;
}

/* Parts that were not measured are only marked as such. */
static bool same_parts(const ic_cost_results *a, const ic_cost_results *b)
{
    return SAME(calibration) && SAME(overhead.ratio) && SAME(floor.event) && SAME(diagram.events) &&
           (isnan(a->overhead.ratio) ||
            (SAME(overhead.by_hand) && SAME(overhead.registry) && SAME(overhead.solver))) &&
           (isnan(a->floor.event) || (SAME_TEXT(floor.vectors) && a->floor.width == b->floor.width &&
                                      SAME(floor.exp) && SAME(floor.sin) && SAME(floor.cos))) &&
           (isnan(a->diagram.events) ||
            (SAME_TEXT(diagram.method) && SAME_TEXT(diagram.solver) && SAME(diagram.sets) &&
             SAME(diagram.periods) && SAME(diagram.left) && SAME(diagram.processor) && SAME(diagram.opening) &&
             SAME(diagram.one) && SAME(diagram.two)));
}

static const char *compare_results(const ic_cost_results *a, const ic_cost_results *b)
{
    if (!same_machine(&a->machine, &b->machine)) return "written again the machine is the same";
    if (!same_parts(a, b)) return "written again what was measured once is the same";
    if (a->count != b->count) return "written again there are as many rows";
    for (size_t i = 0; i < a->count; i++) {
        if (!same_row(&a->rows[i], &b->rows[i])) return "written again a row is the same";
    }
    return NULL;
}

static const char *read_again(ic_fuzz_costs_reader *read, const ic_cost_results *results)
{
    char *text = NULL;
    size_t length = 0;
    ic_error error = {""};
    ic_cost_results again = {0};
    FILE *to = open_memstream(&text, &length);
    if (to == NULL) return NULL;
    const bool written = ic_cost_write(results, to);
    fclose(to);
    FILE *from = text != NULL ? fmemopen(text, length, "r") : NULL;
    const char *broken = written ? NULL : "what was read can be written";
    if (from != NULL && written) {
        if (read(&again, from, path, &error)) broken = compare_results(results, &again);
        else if (!ic_input_no_memory(&error)) broken = "what is written again is accepted";
    }
    if (from != NULL) fclose(from);
    ic_cost_results_free(&again);
    free(text);
    return broken;
}

static const char *judge_rows(const ic_cost_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        if (row->error < 0 || row->events < 0 || row->setting < 0 || row->work.steps < 0 || isinf(row->error))
            return "no measurement is negative or infinite";
        if (row->n_times > IC_COST_MOST_TIMES) return "there is room for the times";
        if (!isnan(row->setting) && ic_cost_find(results, row) != row) return "no two rows are of one setting";
    }
    return NULL;
}

const char *ic_fuzz_costs_by(ic_fuzz_costs_reader *read, const uint8_t *data, size_t size)
{
    const ic_input input = {data, size};
    ic_error error = {""};
    ic_cost_results results = {0};
    const char *broken = NULL;
    FILE *stream = ic_input_stream(&input);
    if (stream == NULL) return NULL;
    if (read(&results, stream, path, &error)) {
        broken = judge_rows(&results);
        if (broken == NULL) broken = read_again(read, &results);
    } else if (strncmp(error.text, path, sizeof path - 1) != 0 || error.text[sizeof path - 1] != ':') {
        broken = "a refusal says where";
    }
    fclose(stream);
    ic_cost_results_free(&results);
    return broken;
}
