/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/common/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

unsigned ic_input_byte(ic_input *input)
{
    if (input->left == 0) return 0;
    input->left--;
    return *input->at++;
}

static char *take_bytes(ic_input *input, size_t n)
{
    char *text = malloc(n + 1);
    if (text == NULL) return NULL;
    if (n > 0) memcpy(text, input->at, n);
    text[n] = '\0';
    input->at += n;
    input->left -= n;
    return text;
}

char *ic_input_line(ic_input *input)
{
    size_t n = 0;
    while (n < input->left && input->at[n] != '\n') n++;
    char *line = take_bytes(input, n);
    if (line != NULL && input->left > 0) ic_input_byte(input);
    return line;
}

char *ic_input_text(ic_input *input)
{
    return take_bytes(input, input->left);
}

FILE *ic_input_stream(const ic_input *input)
{
    static char nothing;
    /* the input is not modified */
    return fmemopen(input->left > 0 ? (void *)input->at : &nothing, input->left, "r");
}

bool ic_input_no_memory(const ic_error *error)
{
    return strstr(error->text, "memory") != NULL;
}

static bool is_number(const char **at)
{
    char *end = NULL;
    if (**at < '1' || **at > '9') return false;
    strtoul(*at, &end, 10);
    *at = end + 1;
    return *end == ':';
}

bool ic_input_has_place(const ic_error *error, const char *path)
{
    const size_t n = strlen(path);
    const char *at = error->text + n + 1;
    if (strncmp(error->text, path, n) != 0 || error->text[n] != ':' || !is_number(&at)) return false;
    if (*at != ' ' && !is_number(&at)) return false;
    return at[0] == ' ' && at[1] != '\0';
}

bool ic_input_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}
