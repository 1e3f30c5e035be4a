/* SPDX-License-Identifier: MIT */
#include "reports/html.h"

#include <ctype.h>
#include <string.h>

static const char *entity_of(unsigned char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? "\xef\xbf\xbd" : NULL;
    }
}

/* Source files have names of authors without diacritics. Returns how many letters of `text` are
   replaced. */
static size_t write_author(FILE *stream, const char *text)
{
    static const struct {
        const char *plain, *name;
    } authors[] = {{"Jonsson", "Jönsson"}, {"Kecskemethy", "Kecskeméthy"}, {"Henon", "Hénon"}};
    for (size_t i = 0; i < sizeof authors / sizeof *authors; i++) {
        const size_t n = strlen(authors[i].plain);
        if (strncmp(text, authors[i].plain, n) != 0) continue;
        fputs(authors[i].name, stream);
        return n;
    }
    return 0;
}

void ic_html_text(FILE *stream, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        const size_t n = isupper((unsigned char)*c) ? write_author(stream, c) : 0;
        if (n > 0) {
            c += n - 1;
            continue;
        }
        const char *escaped = entity_of((unsigned char)*c);
        if (escaped != NULL) fputs(escaped, stream);
        else fputc(*c, stream);
    }
}

void ic_html_format(FILE *stream, const char *format, const char *const *texts)
{
    for (const char *c = format; *c != '\0'; c++) {
        if (*c != '%') fputc(*c, stream);
        else if (*texts != NULL) ic_html_text(stream, *texts++);
    }
}
