/* SPDX-License-Identifier: MIT */
/* Writes the seeds of the target `records` to the folder given as its argument: they are ic_record
   as stored in memory, and change with it. */
#include "audit/common/finding.h"
#include "audit/plugin/plugin.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RECORDS = 5 };

/* A text without a terminator. */
#define FULL_OF(record_, field_, letter_) memset((record_).field_, letter_, sizeof(record_).field_)

static const ic_record end = {.kind = IC_RECORD_END};
static const ic_record loading = {.kind = IC_RECORD_DOING, .text = "loading the library"};
static const ic_record finding = {.kind = IC_RECORD_FINDING,
                                  .number = 1,
                                  .value = 0.5,
                                  .tolerance = 1,
                                  .unit = "1",
                                  .subject = "law 'mine'",
                                  .place = "impact at 1 m/s",
                                  .origin = "rounding",
                                  .text = "at d = 0.1 m"};

static const struct seed {
    const char *name;
    ic_record records[MOST_RECORDS];
    size_t n;
} seeds[] = {
    {"nothing", {{0}}, 0},
    {"classification",
     {{.kind = IC_RECORD_CLASSIFICATION,
       .number = 2,
       .verdict = 1,
       .value = 30,
       .subject = "map 'mine'",
       .text = "two candidates",
       .names = {"newton", "stronge"},
       .misfits = {0.1, 3}},
      {.kind = IC_RECORD_END}},
     2},
    {"law-classification",
     {{.kind = IC_RECORD_CLASSIFICATION,
       .number = 3,
       .verdict = 1,
       .cause = 1,
       .value = 2,
       .subject = "l",
       .names = {"hertz", "flores", "no law"},
       .misfits = {0.1, 0.2, INFINITY}},
      {.kind = IC_RECORD_END}},
     2},
    {"restitution",
     {{.kind = IC_RECORD_POINT, .value = 0.49, .tolerance = 0.5, .subject = "law 'mine'", .misfits = {0.5, 1}},
      {.kind = IC_RECORD_POINT, .value = NAN, .tolerance = NAN, .subject = "law \033[2J", .misfits = {NAN, 1}},
      {.kind = IC_RECORD_END}},
     3},
    {"error", {{.kind = IC_RECORD_ERROR, .text = "no symbol impactcheck_plugin"}, {.kind = IC_RECORD_END}}, 2},
    {"failure",
     {{.kind = IC_RECORD_FINDING,
       .number = 2,
       .verdict = IC_FINDING_FAIL,
       .cause = 3,
       .value = 2,
       .tolerance = 1},
      {.kind = IC_RECORD_END}},
     2},
    {"explanation",
     {{.kind = IC_RECORD_MISTAKE, .number = IC_MISTAKE_STALE_TIME},
      {.kind = IC_RECORD_MISTAKE, .number = IC_KNOWN_ROLES * IC_MISTAKE_COUNT},
      {.kind = IC_RECORD_EXCUSED},
      {.kind = IC_RECORD_END}},
     4},
    {"listing",
     {{.kind = IC_RECORD_DOING, .text = "loading the library"},
      {.kind = IC_RECORD_SUBJECT, .number = IC_PLUGIN_LAW, .text = "mine"},
      {.kind = IC_RECORD_SUBJECT, .number = IC_PLUGIN_IMPACT_MAP, .text = "map"},
      {.kind = IC_RECORD_SUBJECT, .number = IC_PLUGIN_ENGINE, .text = "engine"},
      {.kind = IC_RECORD_END}},
     5},
    {"regression-decided-for-nobody",
     {{.kind = IC_RECORD_CLASSIFICATION, .verdict = 1}, {.kind = IC_RECORD_END}},
     2},
    {"regression-escape-sequences",
     {{.kind = IC_RECORD_SUBJECT, .text = "\x1b[2J\xff"},
      {.kind = IC_RECORD_FINDING,
       .number = 1,
       .verdict = 1,
       .cause = 1,
       .value = NAN,
       .tolerance = INFINITY,
       .unit = "\x1b",
       .subject = "\x1b[31m",
       .origin = "\x07",
       .text = "line\nline"},
      {.kind = IC_RECORD_DOING, .text = "\x9b"},
      {.kind = IC_RECORD_END}},
     4},
    {"too-many-candidates",
     {{.kind = IC_RECORD_CLASSIFICATION, .number = IC_MOST_CANDIDATES + 1},
      {.kind = IC_RECORD_CLASSIFICATION, .number = ~0u},
      {.kind = IC_RECORD_END}},
     3},
    {"unknown-check", {{.kind = IC_RECORD_FINDING, .number = 9999}, {.kind = IC_RECORD_END}}, 2},
    {"unknown-kind",
     {{.kind = (ic_finding_record_kind)77}, {.kind = IC_RECORD_SUBJECT, .number = 9}, {.kind = IC_RECORD_END}},
     3},
    {"unknown-mistake",
     {{.kind = IC_RECORD_FINDING, .verdict = 1, .cause = -1},
      {.kind = IC_RECORD_FINDING, .verdict = 1, .cause = 9999},
      {.kind = IC_RECORD_END}},
     3},
    {"unknown-verdict", {{.kind = IC_RECORD_FINDING, .number = 1, .verdict = 7}, {.kind = IC_RECORD_END}}, 2},
};

static bool write_seed(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    bool good = stream != NULL && (size == 0 || fwrite(bytes, size, 1, stream) == 1);
    if (stream != NULL) good &= fclose(stream) == 0;
    if (!good) fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return good;
}

static bool write_endless(const char *folder)
{
    ic_record endless[] = {
        {.kind = IC_RECORD_FINDING, .number = 1}, {.kind = IC_RECORD_DOING}, {.kind = IC_RECORD_SUBJECT}, end};
    for (size_t i = 0; i < 3; i++) {
        FULL_OF(endless[i], subject, 's');
        FULL_OF(endless[i], origin, 'o');
        FULL_OF(endless[i], text, 't');
        FULL_OF(endless[i], unit, 'u');
    }
    return write_seed(folder, "texts-without-end", endless, sizeof endless);
}

int main(int count, char **arguments)
{
    const ic_record right[] = {loading, finding, end};
    if (count != 2) {
        fprintf(stderr, "an argument is missing: the folder of the seeds, tests/fuzz/corpus/records\n");
        return 2;
    }
    bool good = write_endless(arguments[1]) && write_seed(arguments[1], "finding", right, sizeof right) &&
                write_seed(arguments[1], "no-end", right, 2 * sizeof *right) &&
                write_seed(arguments[1], "cut-off", &finding, sizeof finding / 2);
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds && good; i++)
        good = write_seed(arguments[1], seeds[i].name, seeds[i].records, seeds[i].n * sizeof(ic_record));
    return good ? 0 : 1;
}
