/* SPDX-License-Identifier: MIT */
/* impactcheck certify: the enclosure itself, for any parameters. */
#include "reference/flow/certify.h"
#include "cli/certified.h"
#include "cli/command.h"
#include "cli/derivative.h"
#include "cli/doubling.h"
#include "cli/file.h"
#include "cli/instance.h"
#include "cli/orbit.h"
#include "cli/parts.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/linear_view.h"
#include "reference/deadline.h"
#include "reference/flow/flow_extremes.h"
#include "reference/judge/judge.h"
#include "reference/law/contact_law.h"
#include "registry/registry.h"
#include "reports/number.h"
#include "validation/certified.h"
#include "validation/selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    VARIANT,
    SET,
    UNTIL,
    ORBIT,
    DOUBLING,
    RUN,
    DIGITS,
    MAX_PRECISION,
    TIME_LIMIT,
    ALL_EVENTS,
    EXTREMES,
    DERIVATIVE,
    PROOF,
    PLOT,
    SHOW,
    JSON,
    JOBS,
    TIMES,
    QUIET
};

static const cli_option options[] = {
    [VARIANT] = {CLI_OPTION_VARIANT},
    [SET] = {CLI_OPTION_SET},
    [UNTIL] = {CLI_OPTION_UNTIL},
    [ORBIT] = {"--orbit", NULL,
               "prove the existence and stability of a periodic orbit, instead of enclosing a run", false},
    [DOUBLING] =
        {"--doubling", "NAME=FROM:TO",
         "prove that the orbit of the steady state doubles its period once where a parameter goes from one value to the other",
         false},
    [RUN] = {"--run", NULL,
             "of a free impact on a contact-force law, enclose the run in time, not the law's closed form",
             false},
    [DIGITS] = {"--digits", "N", "radii of at most 10^-N typical times and typical states; default 15", false},
    [MAX_PRECISION] = {"--max-precision", "BITS", "greatest precision that is tried; default 16384", false},
    [TIME_LIMIT] = {"--time-limit", "SECONDS",
                    "end after this processor time with what is proved until then; default: no limit", false},
    [ALL_EVENTS] = {"--all-events", NULL, "show every event, not only the first ten and the last five", false},
    [EXTREMES] = {"--extremes", NULL, "enclose the greatest and least values of outputs and energy, too",
                  false},
    [DERIVATIVE] =
        {"--derivative", "NAME,...",
         "enclose the derivatives of all events and of the end by parameters or states at the start, too",
         false},
    [PROOF] = {"--proof", "FILE", "write a proof of the answer, step by step, that impactcheck-proof checks",
               false},
    [PLOT] = {CLI_OPTION_PLOT("of --orbit: draw what --show names over the period, with its events")},
    [SHOW] = {CLI_OPTION_SHOW},
    [JSON] = {CLI_OPTION_JSON},
    [JOBS] = {CLI_OPTION_JOBS},
    [TIMES] = {CLI_OPTION_TIMES},
    [QUIET] = {"--quiet", NULL, "no tables or progress; --json and --plot are still written", false},
};

enum {
    DEFAULT_DIGITS = 15,
    MOST_DIGITS = 1000,
    MOST_SECONDS = 1000000,
    LEAST_PRECISION = 64,
    MOST_PRECISION = 1000000
};
/* log2(10), a little more */
#define BITS_PER_DIGIT 3.322

/* All that is asked about one preset. */
typedef struct certify_plan {
    const cli_arguments *arguments;
    cli_certified_format format;
    ic_certify_options options;

    cli_instance instance;

    /* whether the closed form of a law is asked for */
    bool by_law;

    /* of a run: the problem is read again from the text of its case if there is one */
    cli_instance exact;
    bool is_exact;

    /* of a run: the values of --set, and the file of --proof */
    const char **settings;
    size_t n_settings;
    cli_file proof;

    /* of a run: by what it is differentiated */
    cli_directions directions;

    /* of an orbit; NULL: no figure */
    cli_plot *shown;
    cli_figure figure;
} certify_plan;

/* ---- the answer */

/* Without a value, if an output has no expression. */
static void add_outputs(cli_certified *answer, cli_quantities *to, int mode, arb_srcptr t, arb_srcptr x)
{
    const ic_problem *problem = &answer->instance->setup.problem;
    arb_t value;
    arb_init(value);
    for (size_t i = 0; i < problem->system->n_outputs; i++) {
        const ic_output *output = &problem->system->outputs[i];
        const bool known = ic_certified_output(value, problem, output, mode, t, x, answer->precision);
        cli_quantity *added = cli_certified_add(answer, to, output->name, known ? value : NULL);
        added->unit = output->unit;
        added->meaning = output->meaning;
    }
    arb_clear(value);
}

static void add_extremes(cli_certified *answer, const ic_certificate *c)
{
    const ic_case *system = answer->instance->setup.problem.system;
    arb_t extremes[2];
    arb_init(extremes[0]), arb_init(extremes[1]);
    for (size_t i = 0; i < c->n_extremes; i++) {
        const bool output = i < system->n_outputs;
        const bool known = ic_flow_extreme_get(extremes[0], extremes[1], &c->extremes[i], answer->precision);
        for (int k = 0; k < 2; k++) {
            cli_quantity *added = cli_certified_add(answer, k == 0 ? &answer->greatest : &answer->least,
                                                    output ? system->outputs[i].name : "stored_energy",
                                                    known ? extremes[k] : NULL);
            if (output) added->unit = system->outputs[i].unit;
            if (!known) added->undecided = c->extremes[i].why;
        }
    }
    arb_clear(extremes[0]), arb_clear(extremes[1]);
}

static void add_event(cli_certified *answer, const ic_ball_event *event)
{
    const ic_problem *problem = &answer->instance->setup.problem;
    cli_certified_event *added = cli_certified_add_event(answer, event->t);
    added->kind = cli_event_kinds[event->kind];
    added->name = event->name;
    added->from = cli_mode_name(problem, event->mode_from);
    added->to = cli_mode_name(problem, event->mode_to);
    added->sequence = event->sequence;
    if (!answer->format.json) return;
    const slong n = (slong)problem->system->n_states;
    cli_certified_add_states(answer, &added->before, event->before, n);
    cli_certified_add_states(answer, &added->after, event->after, n);
    add_outputs(answer, &added->outputs, event->mode_to, event->t, event->after);
}

static void fill_answer(cli_certified *answer, const ic_certificate *c)
{
    const bool reached = c->mode >= 0 && c->x != NULL;
    const bool good = c->status == IC_OK;
    cli_certified_set_status(answer, c->status, "certified", c->reason);
    answer->colour = good ? CLI_GREEN : c->status == IC_UNDECIDED ? CLI_YELLOW : CLI_RED;
    answer->steps = c->steps;
    answer->judged = c->judged[0] != '\0' ? c->judged : NULL;
    if (good)
        snprintf(answer->outcome, sizeof answer->outcome, " to the end, with %ld bits", (long)c->precision);
    else snprintf(answer->outcome, sizeof answer->outcome, "%s: %s", reached ? " after that" : "", c->reason);
    answer->has_text = answer->has_json && reached;
    if (!answer->has_json) return;
    answer->precision = c->precision;
    cli_certified_add_parameters(answer, reached);
    for (size_t i = 0; i < c->count; i++) add_event(answer, &c->events[i]);
    if (!reached) return;
    const slong n = (slong)answer->instance->setup.problem.system->n_states;
    cli_certified_add(answer, &answer->t, "t", c->t);
    answer->t_shown = arf_get_d(arb_midref(c->t), ARF_RND_NEAR);
    answer->mode = cli_mode_name(&answer->instance->setup.problem, c->mode);
    cli_certified_add_states(answer, &answer->state, c->x, n);
    add_outputs(answer, &answer->outputs, c->mode, c->t, c->x);
    add_extremes(answer, c);
}

/* ---- the command */

static void show_progress(double t, size_t events, void *context)
{
    const ic_problem *problem = context;
    char text[120];
    snprintf(text, sizeof text, "certify: t = %s s of %s s, %zu events", ic_number_short(t, 6).text,
             ic_number_short(problem->t_end, 6).text, events);
    cli_progress_say(text);
}

/* Orbits and their doublings have no end of a run and no table of events. */
static bool only_orbit(const cli_arguments *arguments, size_t option)
{
    static const size_t unfit[] = {UNTIL, MAX_PRECISION, ALL_EVENTS, RUN, PROOF, EXTREMES, DERIVATIVE, ORBIT};
    for (size_t i = 0; i < IC_COUNT(unfit) && cli_has(arguments, option); i++) {
        if (unfit[i] == option || !cli_has(arguments, unfit[i])) continue;
        return cli_refuse(
            arguments->command,
            "option %s can be combined with --variant, --set, --digits, --time-limit, %s--json and "
            "--quiet only",
            options[option].name, option == ORBIT ? "--plot, --show, " : "");
    }
    return true;
}

static bool read_options(certify_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    ic_certify_options *o = &plan->options;
    size_t digits = DEFAULT_DIGITS, precision = 0, seconds = 0;
    if (!cli_whole(arguments, DIGITS, 1, MOST_DIGITS, &digits) ||
        !cli_whole(arguments, MAX_PRECISION, LEAST_PRECISION, MOST_PRECISION, &precision) ||
        !cli_whole(arguments, TIME_LIMIT, 1, MOST_SECONDS, &seconds)) {
        return false;
    }
    if (!cli_compatible(arguments, ALL_EVENTS, JSON, "JSON has every event anyway") ||
        !cli_compatible(arguments, ALL_EVENTS, QUIET, "no table is shown"))
        return false;
    if (precision > 0 && (double)precision < BITS_PER_DIGIT * (double)digits)
        return cli_refuse(arguments->command,
                          "option --max-precision: %zu bits are not enough for %zu digits; use at least %.0f",
                          precision, digits, ceil(BITS_PER_DIGIT * (double)digits));
    if (!only_orbit(arguments, ORBIT) || !only_orbit(arguments, DOUBLING)) return false;
    if (!cli_has(arguments, ORBIT) && (cli_has(arguments, PLOT) || cli_has(arguments, SHOW)))
        return cli_refuse(arguments->command, "options --plot and --show require --orbit, which they draw");
    o->digits = (long)digits;
    o->extremes = cli_has(arguments, EXTREMES);
    o->max_precision = (long)precision;
    o->time_limit = (double)seconds;
    o->watch = show_progress;
    plan->format = (cli_certified_format){.digits = o->digits,
                                          .json = cli_has(arguments, JSON),
                                          .quiet = cli_has(arguments, QUIET),
                                          .all_events = cli_has(arguments, ALL_EVENTS)};
    return true;
}

/* ---- what decides a run that is undecided */

/* Seconds for the search, and for each attempt; changes of a parameter by these parts of it are tried. */
#define SEARCH_SECONDS 2.0
#define ATTEMPT_SECONDS 0.5
static const double changes[] = {1e-3, -1e-3};

/* Whether the run with one more setting is certified to its end within these seconds. */
static bool is_decided_with(const char *setting, const certify_plan *plan, double seconds)
{
    const ic_problem *problem = &plan->instance.setup.problem;
    const size_t name = strcspn(setting, "=") + 1;
    ic_setup setup;
    ic_error error;
    ic_certificate c;
    size_t at = 0; /* of the setting that it replaces; there is room for one more */
    while (at < plan->n_settings && strncmp(plan->settings[at], setting, name) != 0) at++;
    const ic_request request = {.path = plan->arguments->operands[0],
                                .variant = cli_value(plan->arguments, VARIANT),
                                .until = cli_has(plan->arguments, UNTIL) ? problem->t_end_text : NULL,
                                .settings = plan->settings,
                                .n_settings = plan->n_settings + (at == plan->n_settings)};
    const char *before = plan->settings[at];
    plan->settings[at] = setting;
    bool decided = ic_setup_open(&setup, &request, &error);
    plan->settings[at] = before;
    if (!decided) return false;
    ic_certify_case(&c, &setup.problem, &(ic_certify_options){.time_limit = seconds});
    decided = c.status == IC_OK;
    ic_certificate_clear(&c);
    ic_setup_close(&setup);
    return decided;
}

/* A value of a parameter near the present one with which the run is decided. false: none is found in some seconds. */
static bool find_decider(char *setting, size_t size, const certify_plan *plan)
{
    const ic_problem *problem = &plan->instance.setup.problem;
    const clock_t begun = clock();
    for (size_t i = 0; i < problem->system->n_parameters; i++) {
        for (size_t k = 0; k < IC_COUNT(changes) && problem->par[i] != 0; k++) {
            const double left = SEARCH_SECONDS - (double)(clock() - begun) / CLOCKS_PER_SEC;
            snprintf(setting, size, "%s=%.10g", problem->system->parameters[i].name,
                     problem->par[i] * (1 + changes[k]));
            if (left <= 0) return false;
            if (is_decided_with(setting, plan, fmin(left, ATTEMPT_SECONDS))) return true;
        }
    }
    return false;
}

/* ---- the answers */

static int certify_run(certify_plan *plan)
{
    const cli_instance *instance = plan->is_exact ? &plan->exact : &plan->instance;
    ic_problem problem = instance->setup.problem;
    const cli_command *command = plan->arguments->command;
    const cli_directions *directions = &plan->directions;
    ic_derivatives d = {.directions = 0};
    ic_certificate *certificate = &d.run;
    ic_error error;
    char setting[160];
    plan->options.proof = plan->proof.stream;
    plan->options.context = &problem;
    cli_progress_begin("certify", plan->format.quiet);
    if (directions->n == 0) ic_certify_judged(certificate, &problem, &plan->options, NULL);
    else ic_derivatives_certify(&d, &problem, directions->list, directions->n, &plan->options);
    cli_progress_end();
    const bool proved = certificate->status == IC_OK;
    const bool advised = certificate->status == IC_UNDECIDED && plan->options.time_limit == 0 &&
                         directions->n == 0 && find_decider(setting, sizeof setting, plan);
    cli_certified answer = {.instance = instance,
                            .format = plan->format,
                            .method = "ball arithmetic; parameters are exact",
                            .events_are = "each proved; proved complete",
                            .is_run = true,
                            .has_events = true,
                            .both_sides = true,
                            .has_final = true,
                            .at_end = proved,
                            .has_outputs = true};
    fill_answer(&answer, certificate);
    if (directions->n > 0) cli_derivatives_add(&answer, &d, directions);
    if (advised) cli_certified_add_advice(&answer, setting);
    int status = cli_certified_show(&answer, command);
    if (!proved && plan->proof.stream != NULL)
        cli_failure(command, "option --proof: no file is written, since the run is not proved to its end");
    else if (plan->proof.stream != NULL && !cli_file_commit(&plan->proof, &error))
        status = cli_bad_input(command, "option --proof: %s", error.text);
    ic_derivatives_clear(&d);
    flint_cleanup();
    return status;
}

/* ---- what is asked */

/* A free impact is over when the contact opens, if it opens at all: its answers have no end of a run and no events. */
static bool accepts_law_options(const cli_arguments *arguments)
{
    static const int unfit[] = {UNTIL,      ORBIT, DOUBLING, MAX_PRECISION, TIME_LIMIT,
                                ALL_EVENTS, PROOF, EXTREMES, DERIVATIVE};
    for (size_t i = 0; i < IC_COUNT(unfit); i++) {
        if (!cli_has(arguments, (size_t)unfit[i])) continue;
        return cli_refuse(arguments->command,
                          "option %s: the closed form of a free impact on a contact-force law accepts only "
                          "--variant, --set, --digits, --json and --quiet; --run encloses the run in time",
                          options[unfit[i]].name);
    }
    return true;
}

static bool read_run(certify_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    const ic_problem *problem = &plan->instance.setup.problem;
    ic_error error;
    plan->exact = plan->instance;
    plan->is_exact = ic_setup_exact(&plan->exact.setup, problem, &error);
    plan->exact.setup.preset = plan->instance.setup.preset;
    if (!plan->is_exact && (!ic_is_linear(problem->variant) || cli_has(arguments, PROOF)))
        return cli_refuse(arguments->command, "%s: it cannot be certified", error.text);
    if (!cli_directions_read(&plan->directions, arguments, DERIVATIVE,
                             plan->is_exact ? &plan->exact.setup.problem : problem))
        return false;
    if (!cli_compatible(arguments, DERIVATIVE, PROOF, "a proof has no place for derivatives yet") ||
        !cli_compatible(arguments, DERIVATIVE, EXTREMES, "derivatives of extremes are not enclosed yet"))
        return false;
    plan->settings = cli_settings(arguments, SET, &plan->n_settings);
    return plan->settings != NULL && cli_file_open_option(&plan->proof, arguments, PROOF);
}

static bool read_plan(certify_plan *plan)
{
    const cli_arguments *arguments = plan->arguments;
    const ic_problem *problem = &plan->instance.setup.problem;
    if (!read_options(plan)) return false;
    if (cli_has(arguments, DOUBLING)) return true;
    if (!cli_instance_open(&plan->instance, arguments, VARIANT, SET, UNTIL)) return false;
    const bool impact = problem->variant->free_impact != NULL;
    plan->by_law = impact && ic_law_has_closed_form(problem->variant->law) && !cli_has(arguments, RUN);
    if (plan->by_law) return accepts_law_options(arguments);
    if (cli_has(arguments, RUN) && !impact)
        return cli_refuse(
            arguments->command,
            "option --run: '%s' is no free impact on a contact-force law: its run is enclosed anyway",
            problem->system->name);
    if (!cli_has(arguments, ORBIT)) return read_run(plan);
    return cli_plot_open(&plan->shown, &plan->figure, arguments, (const size_t[]){PLOT, SHOW, JSON},
                         problem->system);
}

static int certify_one(const cli_arguments *arguments)
{
    static const cli_doubling_options doubled = {.doubling = DOUBLING, .set = SET, .variant = VARIANT};
    certify_plan plan = {.arguments = arguments};
    int status = CLI_BAD_INPUT;
    const bool good = read_plan(&plan);
    const cli_orbit_request orbit = {arguments, &plan.instance, &plan.format, plan.shown, &plan.figure};
    ic_deadline_after(plan.options.time_limit);
    if (good && cli_has(arguments, DOUBLING)) status = cli_doubling(arguments, &doubled, &plan.format);
    else if (good && plan.by_law) status = cli_certify_law(arguments, &plan.instance, &plan.format);
    else if (good && cli_has(arguments, ORBIT)) status = cli_orbit(&orbit);
    else if (good) status = certify_run(&plan);
    cli_file_discard(&plan.proof);
    cli_figure_discard(&plan.figure);
    cli_plot_free(plan.shown);
    free(plan.settings);
    if (plan.is_exact) ic_setup_close(&plan.exact.setup);
    cli_instance_close(&plan.instance);
    return status;
}

/* ---- several presets */

typedef struct several {
    ic_subject_list subjects;
    const cli_arguments *arguments;
} several;

static const char *subject_name(size_t i, void *context)
{
    const several *s = context;
    return s->subjects.names[i];
}

static int certify_subject(size_t i, void *context)
{
    const several *s = context;
    cli_arguments one = *s->arguments;
    const char *operand = s->subjects.names[i];
    one.operands = &operand;
    one.n_operands = 1;
    return certify_one(&one);
}

static int certify_all(several *s, size_t jobs)
{
    const cli_arguments *arguments = s->arguments;
    certify_plan plan = {.arguments = arguments};
    const cli_parts parts = {.command = arguments->command,
                             .jobs = jobs,
                             .count = s->subjects.count,
                             .json = cli_has(arguments, JSON),
                             .quiet = cli_has(arguments, QUIET),
                             .times = cli_has(arguments, TIMES),
                             .name = subject_name,
                             .work = certify_subject,
                             .context = s};
    if (!read_options(&plan)) return CLI_BAD_INPUT;
    if (s->subjects.count > 1 && cli_has(arguments, PROOF))
        return cli_bad_input(arguments->command,
                             "option --proof: a file has the proof of one run; give one preset");
    if (s->subjects.count > 1 && cli_has(arguments, PLOT))
        return cli_bad_input(arguments->command, "option --plot: a figure has one orbit; give one preset");
    return cli_parts_run(&parts);
}

static int run_certify(const cli_arguments *arguments)
{
    several s = {.arguments = arguments};
    size_t jobs;
    ic_error error;
    int status = CLI_BAD_INPUT;
    if (!cli_jobs(arguments, JOBS, &jobs)) return CLI_BAD_INPUT;
    /* an answer for one preset is written as it is, without a list around it */
    if (arguments->n_operands == 1 && !ic_is_pattern(arguments->operands[0]) && !cli_has(arguments, TIMES))
        return certify_one(arguments);
    bool good = true;
    for (size_t i = 0; i < arguments->n_operands && good; i++)
        good = ic_subject_list_add(&s.subjects, arguments->operands[i], &error);
    if (good) status = certify_all(&s, jobs);
    else cli_bad_input(arguments->command, "%s", error.text);
    ic_subject_list_free(&s.subjects);
    return status;
}

const cli_command cli_certify = {
    .name = "certify",
    .operands = "CASE/PRESET...",
    .least = 1,
    .most = 1024,
    .title = "Enclosures of all events and states that are proved to contain the true values.",
    .details =
        "Parameters are exact: 0.1 is one tenth, 80pi is 80 pi. "
        "The precision is raised until the digits are reached. "
        "If the course of events cannot be decided (a touch, two events at one instant), the command reports this and the time reached: "
        "exit status 1. "
        "For a free impact on a contact-force law (ball/...) the closed form is enclosed, if the law has one: "
        "restitution, peaks, duration and the path in the phase plane; --run encloses the run in time.\n"
        "Several presets, by name or by a pattern (* stands for any text, ? for one character), are certified in "
        "processes of their own: the answers follow each other in this order, in JSON as one array, and "
        "one that crashes loses its own answer only. The exit status is the greatest.",
    CLI_OPTIONS(options),
    .run = run_certify,
};
