/* SPDX-License-Identifier: MIT */
/*
 * Input: a byte that selects the case, one line each of --columns, --units and of nothing more (empty: not
 * given), then the file. An accepted file is finite and in order of time, has rows on increasing
 * lines, and written again in SI units is read unchanged. A refusal names the place and leaks
 * nothing.
 */
#include "core/model.h"
#include "registry/registry.h"
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char path[] = "rows.csv";
static const char *const presets[] = {"roller/III/C",       "roller/II/A",    "two-mass/forced",
                                      "bouncing-ball/drop", "ball/C1/0.5000", "ball/hertz"};

static const char *judge_rows(const ic_trajectory *tr, const ic_problem *problem)
{
    if (tr->n < 2 || tr->n_states != problem->system->n_states) return "there are two rows of all states";
    for (size_t k = 0; k < tr->n; k++) {
        if (!isfinite(tr->t[k])) return "every time is finite";
        if (k > 0 && !(tr->t[k] >= tr->t[k - 1])) return "times are in order";
        if (k > 0 && tr->line[k] <= tr->line[k - 1]) return "each row has a line of its own";
        if (tr->mode != NULL && (tr->mode[k] < 0 || (size_t)tr->mode[k] >= problem->variant->n_modes))
            return "a mode is known";
        for (size_t i = 0; i < tr->n_states; i++) {
            if (!isfinite(tr->x[k * tr->n_states + i])) return "every state is finite";
        }
    }
    return tr->t[tr->n - 1] > tr->t[0] ? NULL : "there are two times";
}

/* Lines of the file that are neither blank nor a comment, without the first of them: the rows. No
   row contains a zero byte. */
static size_t count_rows(const ic_input *file)
{
    size_t n = 0, begin = file->left >= 3 && memcmp(file->at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (begin < file->left) {
        size_t end = begin;
        bool blank = true;
        for (; end < file->left && file->at[end] != '\n'; end++)
            blank = blank && file->at[end] != '\0' && strchr(" \t,;\r", file->at[end]) != NULL;
        n += !blank && file->at[begin] != '#';
        begin = end + 1;
    }
    return n > 0 ? n - 1 : 0;
}

static char *write_rows(const ic_trajectory *tr, const ic_problem *problem, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    if (to == NULL) return NULL;
    fputs(tr->mode != NULL ? "mode,t" : "t", to);
    for (size_t i = 0; i < tr->n_states; i++) fprintf(to, ",%s", problem->system->states[i].name);
    for (size_t k = 0; k < tr->n; k++) {
        if (tr->mode != NULL) fprintf(to, "\n%s,%.17g", problem->variant->modes[tr->mode[k]].name, tr->t[k]);
        else fprintf(to, "\n%.17g", tr->t[k]);
        for (size_t i = 0; i < tr->n_states; i++) fprintf(to, ",%.17g", tr->x[k * tr->n_states + i]);
    }
    fputc('\n', to);
    fclose(to);
    return text;
}

static const char *compare_trajectories(const ic_trajectory *a, const ic_trajectory *b)
{
    if (a->n != b->n || (a->mode == NULL) != (b->mode == NULL)) return "written again there are as many rows";
    for (size_t k = 0; k < a->n; k++) {
        if (a->t[k] != b->t[k] || (a->mode != NULL && a->mode[k] != b->mode[k]))
            return "written again times and modes are the same";
    }
    for (size_t i = 0; i < a->n * a->n_states; i++) {
        if (a->x[i] != b->x[i]) return "written again states are the same";
    }
    return NULL;
}

static const char *read_again(ic_fuzz_trajectory_reader *read, const ic_trajectory *tr,
                              const ic_problem *problem)
{
    const ic_trajectory_reading as_named = {NULL, NULL};
    ic_trajectory again = {0};
    ic_error error = {""};
    size_t length = 0;
    const char *broken = NULL;
    char *text = write_rows(tr, problem, &length);
    FILE *from = text != NULL ? fmemopen(text, length, "r") : NULL;
    if (from != NULL) {
        if (read(&again, from, path, problem, &as_named, &error)) broken = compare_trajectories(tr, &again);
        else if (!ic_input_no_memory(&error)) broken = "what is written again is accepted";
        fclose(from);
    }
    ic_trajectory_close(&again);
    free(text);
    return broken;
}

static bool names_place(const ic_error *error)
{
    return ic_input_no_memory(error) || strncmp(error->text, "option --", strlen("option --")) == 0 ||
           ic_input_has_place(error, path);
}

static const char *judge_trajectory(ic_fuzz_trajectory_reader *read, FILE *stream, const ic_input *file,
                                    const ic_problem *problem, const ic_trajectory_reading *reading)
{
    ic_trajectory tr = {0};
    ic_error error = {""};
    if (!read(&tr, stream, path, problem, reading, &error)) {
        const bool left = tr.t != NULL || tr.x != NULL || tr.mode != NULL || tr.line != NULL;
        ic_trajectory_close(&tr);
        return left ? "what is refused leaves nothing" : names_place(&error) ? NULL : "a refusal says where";
    }
    const char *broken = judge_rows(&tr, problem);
    if (broken == NULL && memchr(file->at, '\0', file->left) != NULL) broken = "a zero byte is in no text";
    if (broken == NULL && tr.n != count_rows(file)) broken = "every line below the names is a row";
    if (broken == NULL) broken = read_again(read, &tr, problem);
    ic_trajectory_close(&tr);
    return broken;
}

static const char *next_line_of(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : NULL;
}

const char *ic_fuzz_trajectory_by(ic_fuzz_trajectory_reader *read, const uint8_t *data, size_t size)
{
    ic_input input = {data, size};
    const ic_request request = {.path = presets[ic_input_byte(&input) % IC_COUNT(presets)]};
    char *columns = ic_input_line(&input), *units = ic_input_line(&input);
    const ic_trajectory_reading reading = {next_line_of(columns), next_line_of(units)};
    const char *broken = NULL;
    ic_setup setup;
    ic_error error = {""};
    free(ic_input_line(&input));
    FILE *stream = ic_input_stream(&input);
    if (stream != NULL && ic_setup_open(&setup, &request, &error)) {
        broken = judge_trajectory(read, stream, &input, &setup.problem, &reading);
        ic_setup_close(&setup);
    }
    if (stream != NULL) fclose(stream);
    free(columns);
    free(units);
    return broken != NULL || error.text[0] == '\0' || ic_input_no_memory(&error) ? broken
                                                                                 : "the preset is there";
}
