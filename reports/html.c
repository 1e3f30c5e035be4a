/* SPDX-License-Identifier: MIT */
#include "reports/html.h"

#include <ctype.h>

static const char *entity(unsigned char c)
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

void ic_html_text(FILE *stream, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        const char *escaped = entity((unsigned char)*c);
        if (escaped != NULL) fputs(escaped, stream);
        else fputc(*c, stream);
    }
}

void ic_html_name(FILE *stream, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        fputc(byte < 0x80 && (isalnum(byte) || byte == '.' || byte == '_') ? byte : '-', stream);
    }
}

void ic_html_format(FILE *stream, const char *format, const char *const *texts)
{
    for (const char *c = format; *c != '\0'; c++) {
        if (*c != '%') fputc(*c, stream);
        else if (*texts != NULL) ic_html_text(stream, *texts++);
    }
}
