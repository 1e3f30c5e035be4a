/* SPDX-License-Identifier: MIT */
#include "python/door.h"

#include "audit/common/plugin_load.h"
#include "audit/impact/impact.h"
#include "audit/law/law.h"
#include "casefile/casefile.h"
#include "cli/audit_text.h"
#include "core/model.h"
#include "registry/registry.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct ic_door {
    ic_setup setup;

    /* with derivatives: the problem without them */
    ic_setup plain;

    /* with derivatives: the case of `setup`; otherwise NULL */
    ic_casefile *derived;

    const ic_solver *solver;
};

static void release(ic_door *door)
{
    if (door->setup.par != NULL) ic_setup_close(&door->setup);
    if (door->plain.par != NULL) ic_setup_close(&door->plain);
    ic_casefile_free(door->derived);
}

/* Gives the problem its derivatives. */
static bool derive(ic_door *door, const ic_door_request *request, ic_error *error)
{
    if (request->n_directions == 0) return true;
    door->plain = door->setup;
    if (!ic_setup_derived(&door->setup, &door->derived, &door->plain.problem, request->directions,
                          request->n_directions, error))
        return false;
    ic_casefile_compile(door->derived, NULL); /* else its functions are interpreted */
    door->setup.preset = door->plain.preset;
    return true;
}

static bool open_door(ic_door *door, const ic_door_request *request, ic_error *error)
{
    const ic_request asked = {.path = request->path,
                              .settings = request->settings,
                              .n_settings = request->n_settings,
                              .until = request->until,
                              .variant = request->variant};
    if (!ic_setup_open(&door->setup, &asked, error) || !derive(door, request, error)) return false;
    door->solver = request->solver != NULL ? ic_solver_find(request->solver)
                                           : ic_accurate_solver(door->setup.problem.variant);
    if (door->solver == NULL) ic_error_set(error, "unknown solver '%s'; solvers() lists all", request->solver);
    if (door->solver != NULL && ic_setup_for_solver(&door->setup, door->solver, error)) {
        (void)ic_setup_prepare(&door->setup, error); /* without it runs take longer */
        return true;
    }
    return false;
}

ic_door *ic_door_open(const ic_door_request *request, ic_error *error)
{
    ic_door *door = calloc(1, sizeof *door);
    if (door != NULL && open_door(door, request, error)) return door;
    if (door == NULL) ic_error_no_memory(error);
    ic_door_close(door);
    return NULL;
}

void ic_door_close(ic_door *door)
{
    if (door == NULL) return;
    release(door);
    free(door);
}

const ic_problem *ic_door_problem(const ic_door *door)
{
    return &door->setup.problem;
}

const ic_solver *ic_door_solver(const ic_door *door)
{
    return door->solver;
}

const char *ic_door_preset(const ic_door *door)
{
    return door->setup.preset == NULL ? NULL : door->setup.preset->name;
}

/* ---- runs that Ctrl-C ends */

/* what SIGINT has done before */
static struct sigaction before;

static void end_run(int signal_number)
{
    ic_stop_requested = 1;
    before.sa_handler(signal_number);
}

/* Signals belong to the first thread. Where SIGINT ends the process or is ignored, it does so here. */
static bool listen_to_interrupts(void)
{
    struct sigaction action = {.sa_handler = end_run, .sa_flags = SA_ONSTACK};
    if (syscall(SYS_gettid) != getpid()) return false;
    ic_stop_requested = 0;
    if (sigaction(SIGINT, NULL, &before) != 0 || before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN ||
        (before.sa_flags & SA_SIGINFO) != 0)
        return false;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGINT, &action, NULL) == 0;
}

ic_status ic_door_run(const ic_door *door, ic_log *log, const ic_options *options)
{
    const bool listens = listen_to_interrupts();
    const ic_status status = ic_run(log, door->solver, options);
    if (listens) sigaction(SIGINT, &before, NULL);
    return status;
}

void ic_door_output(double *values, const ic_log *log, size_t output)
{
    const ic_problem *problem = ic_log_problem(log);
    for (size_t i = 0; i < ic_log_sample_count(log); i++) {
        const ic_sample s = ic_log_sample_at(log, i);
        values[i] = problem->system->outputs[output].value(s.t, s.x, s.mode, problem->par);
    }
}

/* ---- audits of functions */

/* The answer as JSON; releases the report. NULL: memory ran out. */
static char *answer_of(ic_audit_report *report, const char *name, size_t seed, ic_error *error)
{
    const cli_audit_result result = {.input = "function",
                                     .path = name,
                                     .findings = &report->findings,
                                     .classifications = report->classifications,
                                     .n_classifications = report->n_classifications,
                                     .points = report->points,
                                     .n_points = report->n_points,
                                     .of_plugin = true,
                                     .drawn = true,
                                     .seed = seed};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    bool good = stream != NULL && report->findings.count > 0 && !report->findings.no_memory;
    if (good) {
        ic_json json = ic_json_to(stream);
        ic_json_object(&json, NULL);
        cli_audit_json_members(&json, &result);
        ic_json_end(&json);
        good = ferror(stream) == 0;
    }
    good = stream != NULL && fclose(stream) == 0 && good;
    ic_audit_report_free(report);
    if (good) return text;
    free(text);
    ic_error_no_memory(error);
    return NULL;
}

char *ic_door_audit_law(const ic_law *law, const ic_door_host *host, unsigned long seed, ic_error *error)
{
    const ic_law_host called = {host->copy_process, host->forces};
    ic_audit_report report = {0};
    ic_finding_writer writer = {.report = &report};
    if (!ic_law_is_whole(law, 0, error)) return NULL;
    snprintf(writer.subject, sizeof writer.subject, "law '%s'", law->name);
    ic_audit_law(&writer, law, &called, seed);
    return answer_of(&report, law->name, seed, error);
}

char *ic_door_audit_impact_map(const ic_impact_map *map, unsigned long seed, ic_error *error)
{
    ic_audit_report report = {0};
    ic_finding_writer writer = {.report = &report};
    snprintf(writer.subject, sizeof writer.subject, "impact map '%s'", map->name);
    ic_audit_impact_map(&writer, map, seed);
    return answer_of(&report, map->name, seed, error);
}

void ic_door_free(char *text)
{
    free(text);
}
