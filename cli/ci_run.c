/* SPDX-License-Identifier: MIT */
#include "casefile/digest.h"
#include "cli/call.h"
#include "cli/ci.h"
#include "cli/file.h"
#include "cli/report_files.h"
#include "cli/temporary.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WORDS = 128 };

/* ---- kept answers */

/* A file's bytes; none if it cannot be read: its audit says why. */
static void add_file(ic_digest *digest, const char *folder, const char *path)
{
    char whole[PATH_MAX], block[1 << 14];
    snprintf(whole, sizeof whole, "%s%s%s", path[0] == '/' ? "" : folder, path[0] == '/' ? "" : "/", path);
    FILE *stream = fopen(whole, "rb");
    ic_digest_add(digest, path, strlen(path) + 1);
    for (size_t n = 1; stream != NULL && n > 0;) {
        n = fread(block, 1, sizeof block, stream);
        ic_digest_add(digest, block, n);
        ic_digest_add(digest, &n, sizeof n); /* so that no two lists of files look alike */
    }
    if (stream != NULL) fclose(stream);
}

/* The program is the same for all subjects: its bytes are read once. */
static ic_digest begin_with_program(void)
{
    static ic_digest program;
    if (program.length == 0) {
        ic_digest_begin(&program);
        add_file(&program, "", "/proc/self/exe");
    }
    return program;
}

/* All on which an answer depends: this program, the subject's words, and its files. */
static void answer_path(char path[PATH_MAX], const cli_ci_file *file, const cli_ci_subject *s,
                        const char *cache)
{
    ic_digest digest = begin_with_program();
    char name[IC_DIGEST_TEXT];
    for (size_t i = 0; i < s->n_words; i++) ic_digest_add(&digest, s->words[i], strlen(s->words[i]) + 1);
    for (size_t i = 0; i < s->inputs.n; i++) add_file(&digest, file->folder, s->inputs.names[i]);
    ic_digest_end(&digest, name);
    snprintf(path, PATH_MAX, "%s/%s.json", cache, name);
}

static bool take_kept(cli_ci_answer *answer, const char *path)
{
    json_t *kept = json_load_file(path, 0, NULL);
    json_t *results = json_object_get(kept, "results"), *status = json_object_get(kept, "status");
    if (json_is_array(json_object_get(results, "rows")) && json_is_integer(status)) {
        answer->results = json_incref(results);
        answer->status = (int)json_integer_value(status);
        snprintf(answer->messages, sizeof answer->messages, "%s",
                 json_string_value(json_object_get(kept, "messages")));
        answer->kept = true;
    }
    json_decref(kept);
    return answer->kept;
}

static bool keep(const cli_ci_answer *answer, const char *path)
{
    cli_file file = {0};
    ic_error error = {"memory ran out"};
    json_t *kept = json_pack("{s:i, s:s, s:O}", "status", answer->status, "messages", answer->messages,
                             "results", answer->results);
    const bool good = kept != NULL && cli_file_open(&file, path, &error) &&
                      cli_report_json(kept, file.stream) && cli_file_commit(&file, &error);
    cli_file_discard(&file);
    json_decref(kept);
    return good || cli_refuse(&cli_ci, "--cache: %s", error.text);
}

/* ---- the audit */

/* The messages without "impactcheck audit: ", and without notes: "line; line". */
static void read_messages(cli_ci_answer *answer, const char *path)
{
    char line[1024];
    FILE *stream = fopen(path, "r");
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL) {
        const char *text = line, *colon = strstr(line, ": ");
        const size_t used = strlen(answer->messages);
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "impactcheck", strlen("impactcheck")) == 0 && colon != NULL) text = colon + 2;
        if (text[0] == '\0' || strncmp(text, "note: ", strlen("note: ")) == 0) continue;
        snprintf(answer->messages + used, sizeof answer->messages - used, "%s%s", used > 0 ? "; " : "", text);
    }
    if (stream != NULL) fclose(stream);
}

/* The files of one audit: its rows and its messages. */
typedef struct paths {
    char rows[64], messages[64];
    int n_rows, n_messages;
} paths;

static bool make_path(char path[64], int *number)
{
    snprintf(path, 64, "/tmp/impactcheck-ci-XXXXXX");
    const int descriptor = mkstemp(path);
    if (descriptor < 0) return cli_refuse(&cli_ci, "a temporary file could not be made: %s", strerror(errno));
    close(descriptor);
    *number = cli_temporary_add(path);
    return true;
}

static void remove_path(const char *path, int number)
{
    unlink(path);
    cli_temporary_forget(number);
}

/* A case file is checked first: what contradicts itself needs no solvers. */
static void audit(cli_ci_answer *answer, const cli_ci_file *file, const cli_ci_subject *s, const paths *p)
{
    const char *words[MOST_WORDS], *check[] = {"check", s->target, "--quiet"};
    const bool machine = strcmp(s->kind, "machine") == 0;
    cli_call call = {.words = check, .n = IC_COUNT(check), .messages = p->messages, .folder = file->folder};
    if (machine && s->inputs.n > 0) answer->status = cli_call_run(&call);
    if (answer->status == CLI_GOOD) {
        size_t n = 0;
        for (; n < s->n_words && n + 3 < MOST_WORDS; n++) words[n] = s->words[n];
        words[n++] = "--quiet";
        words[n++] = machine ? "--json" : "--rows";
        words[n++] = p->rows;
        call.words = words;
        call.n = n;
        answer->status = cli_call_run(&call);
        answer->results = json_load_file(p->rows, 0, NULL);
    }
    read_messages(answer, p->messages);
}

bool cli_ci_run(cli_ci_answer *answer, const cli_ci_file *file, const cli_ci_subject *s, const char *cache)
{
    char kept[PATH_MAX];
    paths p = {0};
    *answer = (cli_ci_answer){.status = CLI_GOOD};
    if (cache != NULL && s->kept) {
        answer_path(kept, file, s, cache);
        if (take_kept(answer, kept)) return true;
    }
    if (!make_path(p.rows, &p.n_rows)) return false;
    const bool made = make_path(p.messages, &p.n_messages);
    if (made) {
        audit(answer, file, s, &p);
        remove_path(p.messages, p.n_messages);
    }
    remove_path(p.rows, p.n_rows);
    if (!made || cache == NULL || !s->kept || answer->results == NULL || answer->status > CLI_CHECK_FAILED)
        return made;
    return keep(answer, kept);
}
