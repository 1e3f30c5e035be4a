/* SPDX-License-Identifier: MIT */
#include "adapters/engines/scene.h"
#include "adapters/engines/scene_output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The original standard output. */
static FILE *out;

void scene_take_output(void)
{
    if (out != NULL) return;
    fflush(stdout);
    const int motions = dup(STDOUT_FILENO);
    out = motions >= 0 ? fdopen(motions, "w") : NULL;
    if (out == NULL || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) exit(3);
}

void scene_engine(const char *name, const char *version)
{
    fprintf(out, "engine %s %s\n", name, version);
}

void scene_setting(const char *format, ...)
{
    va_list arguments;
    fprintf(out, "setting ");
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fprintf(out, "\n");
}

void scene_unpromised(const char *topic, const char *text)
{
    fprintf(out, "unpromised %s %s\n", topic, text);
}

void scene_unsupported(const char *format, ...)
{
    va_list arguments;
    fprintf(out, "unsupported ");
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fprintf(out, "\n");
    scene_end();
}

static void write_numbers(const double *v, int n)
{
    for (int i = 0; i < n; i++) fprintf(out, " %.17g", v[i]);
}

void scene_row(double t, const scene_body *body, const double position[3], const double turn[4],
               const double velocity[3], const double spin[3])
{
    fprintf(out, "row %.17g %s", t, body->name);
    write_numbers(position, 3);
    write_numbers(turn, 4);
    write_numbers(velocity, 3);
    write_numbers(spin, 3);
    fprintf(out, "\n");
}

void scene_row_2d(double t, const scene_body *body, const double position[2], double angle,
                  const double velocity[2], double spin)
{
    const double x[3] = {position[0], position[1], 0}, v[3] = {velocity[0], velocity[1], 0};
    const double w[3] = {0, 0, spin};
    double turn[4];
    scene_turn_of(turn, angle);
    scene_row(t, body, x, turn, v, w);
}

void scene_end(void)
{
    fprintf(out, "end\n");
    fflush(out);
}

int scene_close(void)
{
    return ferror(out) || fclose(out) != 0 ? 3 : 0;
}
