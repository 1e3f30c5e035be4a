/* SPDX-License-Identifier: MIT */
#include "reports/csv.h"
#include "reports/number.h"

#include <math.h>
#include <string.h>

void ic_csv_text(FILE *stream, const char *text)
{
    if (strpbrk(text, ",\"\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', stream);
}

void ic_csv_number(FILE *stream, double value)
{
    if (!isnan(value)) fputs(ic_number_exact(value).text, stream);
}
