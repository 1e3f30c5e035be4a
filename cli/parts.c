/* SPDX-License-Identifier: MIT */
#include "cli/parts.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/array.h"
#include "core/system.h"
#include "validation/workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 1024, LONGEST_SHOWN = 10 };

bool cli_jobs(const cli_arguments *arguments, size_t option, size_t *jobs)
{
    *jobs = ic_processors();
    return cli_whole(arguments, option, 1, MOST_JOBS, jobs);
}

/* ---- times */

void cli_times_add(cli_times *times, const char *name, double seconds)
{
    struct cli_time *rows = ic_array_reserve(times->rows, &times->capacity, times->count, sizeof *rows);
    times->out_of_memory |= rows == NULL;
    if (rows == NULL) return;
    times->rows = rows;
    struct cli_time *added = &rows[times->count++];
    snprintf(added->name, sizeof added->name, "%.*s", (int)sizeof added->name - 1, name);
    added->seconds = seconds;
}

void cli_times_json(ic_json *json, const char *key, const cli_times *times)
{
    ic_json_array(json, key);
    for (size_t i = 0; i < times->count; i++) {
        IC_JSON_ROW(json, NULL, IC_TEXT("part", times->rows[i].name),
                    IC_REAL("seconds", times->rows[i].seconds));
    }
    ic_json_end(json);
}

static int compare_times(const void *a, const void *b)
{
    const struct cli_time *one = a, *two = b;
    return (one->seconds < two->seconds) - (one->seconds > two->seconds);
}

bool cli_times_print(const cli_times *times)
{
    double sum = 0;
    char text[32];
    for (size_t i = 0; i < times->count; i++) sum += times->rows[i].seconds;
    if (times->count > 0) qsort(times->rows, times->count, sizeof *times->rows, compare_times);
    cli_table *table = cli_table_of("longest|processor time>|unit");
    for (size_t i = 0; i < times->count && i < LONGEST_SHOWN; i++) {
        snprintf(text, sizeof text, "%.3f", times->rows[i].seconds);
        CLI_ROW(table, times->rows[i].name, text, "s");
    }
    snprintf(text, sizeof text, "%.3f", sum);
    CLI_ROW(table, "all", text, "s");
    putchar('\n');
    return cli_table_finish(table, 0, true) && !times->out_of_memory;
}

void cli_times_free(cli_times *times)
{
    free(times->rows);
    *times = (cli_times){0};
}

typedef struct shown_parts {
    const cli_parts *parts;
    ic_json json;
    cli_times times;
    int status;
    bool any, no_memory;
} shown_parts;

/* ---- a process that works */

/* Begins an answer; the text of standard output follows, then the messages. */
typedef struct answer_head {
    int status;
    size_t output, messages;
    double seconds;
} answer_head;

/* Standard output goes to an empty file of this process from now on. */
static bool divert_output(void)
{
    static bool is_diverted;
    if (!is_diverted) {
        cli_terminal_keep();
        FILE *file = tmpfile();
        is_diverted = file != NULL && dup2(fileno(file), STDOUT_FILENO) != -1;
        if (file != NULL) fclose(file);
    }
    return is_diverted && ftruncate(STDOUT_FILENO, 0) == 0 && fseek(stdout, 0, SEEK_SET) == 0;
}

/* Adds to an answer what a part has written to its standard output, `size` bytes. */
static bool copy_output(FILE *answer, size_t size)
{
    char room[4096];
    for (size_t done = 0; done < size;) {
        const size_t left = size - done;
        const ssize_t n = pread(STDOUT_FILENO, room, left < sizeof room ? left : sizeof room, (off_t)done);
        if (n <= 0 || fwrite(room, 1, (size_t)n, answer) != (size_t)n) return false;
        done += (size_t)n;
    }
    return true;
}

static void do_part(FILE *answer, size_t part, void *context)
{
    const cli_parts *parts = ((const shown_parts *)context)->parts;
    char *messages = NULL;
    answer_head head = {.status = CLI_FAILURE};
    FILE *stream = open_memstream(&messages, &head.messages);
    if (stream == NULL || !divert_output()) _exit(EXIT_FAILURE);
    cli_messages_to(stream, parts->name(part, parts->context));
    const double began = ic_processor_time();
    head.status = parts->work(part, parts->context);
    head.seconds = ic_processor_time() - began;
    fflush(stdout);
    cli_messages_to(NULL, NULL);
    const long end = ftell(stdout);
    head.output = end > 0 ? (size_t)end : 0;
    if (fclose(stream) != 0 || messages == NULL || ferror(stdout)) _exit(EXIT_FAILURE);
    fwrite(&head, sizeof head, 1, answer);
    if (!copy_output(answer, head.output)) _exit(EXIT_FAILURE);
    fwrite(messages, 1, head.messages, answer);
    free(messages);
}

/* ---- here */

/* A part without a result is an object with the reason. */
static void write_json(shown_parts *s, const char *name, const char *text, size_t size, const answer_head *head,
                       const char *messages)
{
    json_t *object = size > 0 ? json_loadb(text, size, 0, NULL) : json_object();
    bool good = object != NULL;
    if (good && size == 0)
        good = json_object_set_new(object, "subject", json_string(name)) == 0 &&
               json_object_set_new(object, "status", json_string("failed")) == 0 &&
               json_object_set_new(object, "reason", json_stringn(messages, strcspn(messages, "\n"))) == 0;
    if (good && s->parts->times) good = json_object_set_new(object, "seconds", json_real(head->seconds)) == 0;
    if (good) ic_json_value(&s->json, NULL, object);
    json_decref(object);
    s->no_memory |= !good;
}

static void show_answer(shown_parts *s, size_t part, const answer_head *head, const char *output,
                        const char *messages)
{
    const char *name = s->parts->name(part, s->parts->context);
    if (s->parts->json) {
        write_json(s, name, output, head->output, head, messages);
    } else if (head->output > 0) {
        if (s->any) putchar('\n');
        fwrite(output, 1, head->output, stdout);
        s->any = true;
    }
    fflush(stdout);
    fwrite(messages, 1, head->messages, stderr);
    if (s->parts->times) cli_times_add(&s->times, name, head->seconds);
    if (head->status > s->status) s->status = head->status;
    if (part + 1 < s->parts->count)
        cli_progress_part(part + 1, s->parts->count, (double)(part + 1) / (double)s->parts->count,
                          s->parts->name(part + 1, s->parts->context));
}

static bool take_answer(const char *answer, size_t size, size_t part, void *context)
{
    answer_head head;
    (void)size;
    memcpy(&head, answer, sizeof head);
    const char *output = answer + sizeof head;
    char *messages = strndup(output + head.output, head.messages);
    if (messages == NULL) return false;
    cli_progress_clear();
    show_answer(context, part, &head, output, messages);
    free(messages);
    return true;
}

static bool take_loss(const char *how, size_t part, void *context)
{
    shown_parts *s = context;
    char text[320];
    const answer_head head = {.status = CLI_FAILURE};
    const char *name = s->parts->name(part, s->parts->context);
    snprintf(text, sizeof text, "the process that did it %.200s", how);
    cli_progress_clear();
    show_answer(s, part, &head, "", text);
    cli_failure(s->parts->command, "%s: %s", name, text);
    return true;
}

int cli_parts_run(const cli_parts *parts)
{
    shown_parts s = {.parts = parts, .json = ic_json_to(stdout), .status = CLI_GOOD};
    const ic_ordered_work work = {.jobs = parts->jobs,
                                  .parts = parts->count,
                                  .work = do_part,
                                  .take = take_answer,
                                  .lost = take_loss,
                                  .context = &s};
    ic_error error = {""};
    if (parts->json) ic_json_array(&s.json, NULL);
    cli_progress_begin(parts->command->name, parts->quiet);
    const bool good = ic_workers_run_ordered(&work, &error);
    cli_progress_end();
    if (parts->json) ic_json_end(&s.json);
    if (good && parts->times && !parts->json && !parts->quiet) s.no_memory |= !cli_times_print(&s.times);
    cli_times_free(&s.times);
    if (s.no_memory) return cli_no_memory(parts->command);
    if (!good && error.text[0] != '\0') cli_failure(parts->command, "%s", error.text);
    return good ? s.status : CLI_FAILURE;
}
