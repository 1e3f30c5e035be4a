/* SPDX-License-Identifier: MIT */
#include "reports/lines.h"
#include "reports/embedded.h"

#include <stdio.h>
#include <string.h>

const char *ic_report_embedded(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "text/%s", name);
    for (size_t i = 0; i < ic_report_text_count; i++) {
        if (strcmp(ic_report_texts[i].path, path) == 0) return ic_report_texts[i].text;
    }
    return NULL;
}

bool ic_next_line(const char **at, char line[IC_LINE_SIZE])
{
    while (**at != '\0') {
        const size_t length = strcspn(*at, "\n");
        snprintf(line, IC_LINE_SIZE, "%.*s", (int)length, *at);
        *at += length + ((*at)[length] == '\n');
        if (line[0] != '#' && line[0] != '\0') return true;
    }
    return false;
}

static char *trim_blanks(char *text)
{
    while (*text == ' ') text++;
    for (char *end = text + strlen(text); end > text && end[-1] == ' '; end--) end[-1] = '\0';
    return text;
}

size_t ic_line_fields(char *line, const char *fields[IC_LINE_FIELDS])
{
    size_t n = 0;
    for (char *rest = line; rest != NULL && n < IC_LINE_FIELDS; n++) {
        char *end = strchr(rest, '|');
        if (end != NULL) *end = '\0';
        fields[n] = trim_blanks(rest);
        rest = end != NULL ? end + 1 : NULL;
    }
    for (size_t i = n; i < IC_LINE_FIELDS; i++) fields[i] = "";
    return n;
}

void ic_shell_word(char *quoted, size_t size, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    size_t n = 0;
    if (strspn(path, plain) == strlen(path)) {
        snprintf(quoted, size, "%s", path);
        return;
    }
    quoted[n++] = '\'';
    for (const char *c = path; *c != '\0' && n + 8 < size; c++) {
        if (*c == '\'') n += (size_t)snprintf(quoted + n, size - n, "'\\''");
        else quoted[n++] = *c;
    }
    snprintf(quoted + n, size - n, "'");
}
