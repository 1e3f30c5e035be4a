/* SPDX-License-Identifier: MIT */
#include "reports/looks.h"
#include "reports/lines.h"

#include <string.h>

static const char *const marks[] = {"circle", "square", "triangle", "diamond", "wedge"};
enum { MARKS = sizeof marks / sizeof *marks, DIAMOND = 3 };

/* Fields of the table. */
enum { KIND, NAME, FAMILY, SIGN, LIGHT = 2, DARK };

/* Reads the next line that is a family, or is none. */
static bool next_of(const char **at, char line[IC_LINE_SIZE], const char *fields[IC_LINE_FIELDS], bool family)
{
    while (ic_next_line(at, line)) {
        ic_line_fields(line, fields);
        if ((strcmp(fields[KIND], "family") == 0) == family) return true;
    }
    return false;
}

/* The number of a family; those before it are counted. */
static int family_named(const char *name)
{
    const char *at = ic_report_embedded("looks.txt"), *fields[IC_LINE_FIELDS];
    char line[IC_LINE_SIZE];
    int number = 0;
    while (next_of(&at, line, fields, true) && strcmp(fields[NAME], name) != 0) number++;
    return number;
}

static int mark_named(const char *name)
{
    int mark = 0;
    while (mark < MARKS - 1 && strcmp(marks[mark], name) != 0) mark++;
    return mark;
}

bool ic_look_at(ic_look *look, size_t i)
{
    const char *at = ic_report_embedded("looks.txt"), *fields[IC_LINE_FIELDS];
    char line[IC_LINE_SIZE];
    for (size_t k = 0; k <= i; k++) {
        if (!next_of(&at, line, fields, false)) return false;
    }
    *look = (ic_look){.mark = mark_named(fields[SIGN])};
    snprintf(look->solver, sizeof look->solver, "%.31s", fields[NAME]);
    snprintf(look->class, sizeof look->class, "f%d %s", family_named(fields[FAMILY]) % 100,
             strcmp(fields[KIND], "peer") == 0 ? "peer" : "own");
    return true;
}

ic_look ic_look_of(const char *solver)
{
    ic_look look;
    for (size_t i = 0; ic_look_at(&look, i); i++) {
        if (strcmp(look.solver, solver) == 0) return look;
    }
    look = (ic_look){.mark = DIAMOND};
    snprintf(look.solver, sizeof look.solver, "%.31s", solver);
    snprintf(look.class, sizeof look.class, "f%d own", (family_named("") - 1) % 100);
    return look;
}

static void write_families(FILE *out, int ground)
{
    const char *at = ic_report_embedded("looks.txt"), *fields[IC_LINE_FIELDS];
    char line[IC_LINE_SIZE];
    for (int i = 0; next_of(&at, line, fields, true); i++)
        fprintf(out, ".f%d { stroke: %s; } .marks.own.f%d { fill: %s; }\n", i, fields[ground], i,
                fields[ground]);
}

void ic_looks_write_style(FILE *out)
{
    fputs(".line.peer { stroke-dasharray: 6 3; }\n", out);
    write_families(out, LIGHT);
    fputs("@media screen and (prefers-color-scheme: dark) {\n", out);
    write_families(out, DARK);
    fputs("}\n", out);
}
