/* SPDX-License-Identifier: MIT */
#include "bench/load.h"
#include "validation/workers.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static double load_average(void)
{
    double average = NAN;
    FILE *stream = fopen("/proc/loadavg", "r");
    if (stream == NULL) return NAN;
    if (fscanf(stream, "%lf", &average) != 1) average = NAN;
    fclose(stream);
    return average;
}

ic_load_ticks ic_load_ticks_of(const char *line)
{
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
    double ticks[FIELDS], all = 0;
    if (sscanf(line, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &ticks[USER], &ticks[NICE], &ticks[SYSTEM],
               &ticks[IDLE], &ticks[IOWAIT], &ticks[IRQ], &ticks[SOFTIRQ], &ticks[STEAL]) != FIELDS)
        return (ic_load_ticks){NAN, NAN, NAN};
    for (int i = 0; i < FIELDS; i++) all += ticks[i];
    return (ic_load_ticks){all, all - ticks[IDLE] - ticks[IOWAIT] - ticks[STEAL], ticks[STEAL]};
}

static ic_load_ticks read_ticks(void)
{
    char line[256] = "";
    FILE *stream = fopen("/proc/stat", "r");
    if (stream != NULL && fgets(line, sizeof line, stream) == NULL) line[0] = '\0';
    if (stream != NULL) fclose(stream);
    return ic_load_ticks_of(line);
}

ic_load_watch ic_load_begin(ic_cost_load *load)
{
    *load = ic_cost_load_none;
    load->before = load_average();
    return (ic_load_watch){read_ticks(), ic_processor_time()};
}

void ic_load_end(ic_cost_load *load, const ic_load_watch *watch)
{
    const ic_load_ticks now = read_ticks();
    const double all = now.all - watch->ticks.all;
    const double own = (ic_processor_time() - watch->own) * (double)sysconf(_SC_CLK_TCK);
    load->after = load_average();
    if (!(all > 0)) return;
    load->others = fmax(0, (now.busy - watch->ticks.busy - own) / all);
    load->stolen = (now.stolen - watch->ticks.stolen) / all;
}

void ic_load_describe(char *text, size_t size, const ic_cost_load *load, int cores)
{
    const double disturbed = load->disturbed / load->timings;
    const bool noisy =
        disturbed > IC_LOAD_DISTURBED || load->stolen > IC_LOAD_STOLEN || load->after > (double)cores;
    text[0] = '\0';
    if (!(load->timings > 0)) return;
    snprintf(
        text, size,
        "%s: %.0f %% of %.0f timings disturbed; load average %.2g before and %.2g after, on %d processors; "
        "%.0f %% of their time went to other processes, %.0f %% to other machines",
        noisy ? "noisy" : "quiet", 100 * disturbed, load->timings, load->before, load->after, cores,
        100 * load->others, 100 * load->stolen);
}
