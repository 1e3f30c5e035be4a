/* SPDX-License-Identifier: MIT */
/**
 * HTML as text: text from results is escaped here, and nowhere else. Errors are the stream's
 * own (ferror).
 */
#pragma once

#include <stdio.h>

/**
 * Text, or the value of an attribute in quotes: & < > " ' become entities, and control characters
 * that HTML forbids U+FFFD.
 */
void ic_html_text(FILE *stream, const char *text);

/**
 * Text with holes: each `%` of `format` is the next of `texts`, escaped; all other characters are
 * written unchanged. `texts` ends with NULL.
 *
 *     ic_html_format(stream, "<h2 id=\"%\">%</h2>\n", (const char *[]){id, title, NULL});
 */
void ic_html_format(FILE *stream, const char *format, const char *const *texts);

#define IC_HTML(stream, format, ...) ic_html_format(stream, format, (const char *const[]){__VA_ARGS__, NULL})
