/* SPDX-License-Identifier: MIT */
/* The result of a run, as tables. */
#include "casefile/casefile.h"
#include "cli/command.h"
#include "cli/result.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reports/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8, TIME_DIGITS = 10, EVENT_DIGITS = 6 };
enum { FIRST_EVENTS = 10, LAST_EVENTS = 5, MOST_NOTES = 10, MOST_STATES = 8 };
enum { INDENT = 2 };

/*
 * Changes below this fraction of a state's typical magnitude count as rounding in tables: they are
 * not jumps, and are printed as 0.
 */
#define NEGLIGIBLE 1e-9

/* ---- events */

/* The table of events. */
typedef struct event_table {
    const cli_result *result;
    const ic_problem *problem;

    /* the states that are shown */
    size_t n_events, n_states, state[MOST_STATES];

    /* events shown at the beginning and at the end */
    size_t first, last;

    /* States that some shown event changes; both sides are shown. */
    bool jumps[MOST_STATES];

    double negligible[MOST_STATES];
    ic_number_column format[MOST_STATES], time_format;
} event_table;

static bool is_shown(const event_table *events, size_t i)
{
    return i < events->first || i + events->last >= events->n_events;
}

static double round_to_visible(const event_table *events, size_t state, double value)
{
    return fabs(value) < events->negligible[state] ? 0 : value;
}

static void add_value(cli_table *table, const event_table *events, size_t state, double value)
{
    cli_table_cell(table,
                   ic_number_in_column(round_to_visible(events, state, value), events->format[state]).text);
}

/* `k`: number of the state among those that are shown */
static void lay_out_state(event_table *events, size_t k, double *values)
{
    const size_t state = events->state[k];
    double change = 0;
    size_t n = 0;
    for (size_t i = 0; i < events->n_events; i++) {
        if (!is_shown(events, i)) continue;
        const ic_event event = ic_log_event_at(events->result->log, i);
        const double pre = round_to_visible(events, k, event.x_pre[state]);
        const double post = round_to_visible(events, k, event.x_post[state]);
        values[n++] = pre;
        values[n++] = post;
        change = fmax(change, fabs(post - pre));
    }
    events->jumps[k] = change > events->negligible[k];
    events->format[k] = ic_number_column_for(values, n, EVENT_DIGITS);
}

static bool lay_out_events(event_table *events)
{
    double scale[IC_MAX_STATES];
    double *values = calloc(2 * (events->first + events->last) + 1, sizeof *values);
    if (values == NULL) return false;
    ic_state_scales(events->problem, scale);
    for (size_t k = 0; k < events->n_states; k++) {
        events->negligible[k] = NEGLIGIBLE * scale[events->state[k]];
        lay_out_state(events, k, values);
    }
    const double t_last = ic_log_event_at(events->result->log, events->n_events - 1).t;
    events->time_format = ic_number_column_for(&t_last, 1, TIME_DIGITS);
    free(values);
    return true;
}

static cli_table *open_event_table(const event_table *events, ic_hint *titles)
{
    enum { FIXED = 5, MOST = FIXED + 2 * MOST_STATES };
    cli_column columns[MOST] = {
        {"#", CLI_RIGHT}, {"t, s", CLI_RIGHT}, {"event", CLI_LEFT}, {"mode", CLI_LEFT}, {"seq", CLI_RIGHT}};
    size_t n = FIXED;
    for (size_t i = 0; i < events->n_states; i++) {
        const ic_state *state = &events->problem->system->states[events->state[i]];
        for (int side = events->jumps[i] ? 0 : 1; side < 2; side++) {
            const char *sign = !events->jumps[i] ? "" : side == 0 ? "-" : "+";
            snprintf(titles[n].text, sizeof titles[n].text, "%s%s, %s", state->name, sign, state->unit);
            columns[n] = (cli_column){titles[n].text, CLI_RIGHT};
            n++;
        }
    }
    return cli_table_new(columns, n);
}

static void add_event(cli_table *table, const event_table *events, size_t i)
{
    const ic_event event = ic_log_event_at(events->result->log, i);
    const char *from = cli_mode_name(events->problem, event.mode_from);
    const char *to = cli_mode_name(events->problem, event.mode_to);
    char text[256];
    snprintf(text, sizeof text, "%zu", i + 1);
    CLI_ROW(table, text, ic_number_in_column(event.t, events->time_format).text);
    snprintf(text, sizeof text, "%s%s", event.name,
             event.kind == IC_EVENT_ACCUMULATION ? " (accumulation)"
             : event.kind == IC_EVENT_TIME       ? " (time)"
                                                 : "");
    cli_table_cell(table, text);
    if (event.mode_from == event.mode_to) snprintf(text, sizeof text, "%s", from != NULL ? from : "?");
    else snprintf(text, sizeof text, "%s %s %s", from != NULL ? from : "?", cli_arrow(), to != NULL ? to : "?");
    cli_table_cell(table, text);
    snprintf(text, sizeof text, "%d", event.sequence);
    cli_table_cell(table, text);
    for (size_t s = 0; s < events->n_states; s++) {
        if (events->jumps[s]) add_value(table, events, s, event.x_pre[events->state[s]]);
        add_value(table, events, s, event.x_post[events->state[s]]);
    }
}

static bool print_event_table(const event_table *events)
{
    ic_hint titles[5 + 2 * MOST_STATES];
    char text[96];
    cli_table *table = open_event_table(events, titles);
    for (size_t i = 0; i < events->n_events; i++) {
        if (is_shown(events, i)) {
            add_event(table, events, i);
        } else if (i == events->first) {
            snprintf(text, sizeof text, "... %zu more (--all-events shows them)",
                     events->n_events - events->first - events->last);
            cli_table_line(table, text);
        }
    }
    return cli_table_finish(table, INDENT, true);
}

/* A state that tables leave out. */
static bool is_internal(const cli_result *result, size_t state)
{
    return !result->verbose && ic_casefile_state_is_internal(result->instance->setup.problem.system, state);
}

static bool print_events(const cli_result *result)
{
    const ic_problem *problem = &result->instance->setup.problem;
    event_table events = {.result = result, .problem = problem, .n_events = ic_log_event_count(result->log)};
    char title[96];
    size_t n_internal = 0;
    for (size_t i = 0; i < problem->system->n_states; i++) {
        const bool internal = is_internal(result, i);
        n_internal += internal;
        if (!internal && events.n_states < MOST_STATES) events.state[events.n_states++] = i;
    }
    const bool all = result->all_events || events.n_events <= FIRST_EVENTS + LAST_EVENTS + 1;
    events.first = all ? events.n_events : FIRST_EVENTS;
    events.last = all ? 0 : LAST_EVENTS;
    if (events.n_events == 0) {
        cli_table_heading("No events");
        return true;
    }
    snprintf(title, sizeof title, "Events: %zu", events.n_events);
    cli_table_heading(title);
    if (!lay_out_events(&events) || !print_event_table(&events)) return false;
    const size_t left_out = problem->system->n_states - n_internal - events.n_states;
    if (left_out > 0) printf("%*s(%zu more states: --json shows them)\n", INDENT, "", left_out);
    return true;
}

/* ---- end, extremes, work, notes */

static bool print_end(const cli_result *result)
{
    const ic_problem *problem = &result->instance->setup.problem;
    const ic_sample end = ic_log_end(result->log);
    const char *mode = cli_mode_name(problem, end.mode);
    char title[128];
    cli_table *table = cli_table_of("state|value.|unit|meaning");
    snprintf(title, sizeof title, "At the end: t = %s s, mode %s", ic_number_short(end.t, TIME_DIGITS).text,
             mode != NULL ? mode : "?");
    cli_table_heading(title);
    for (size_t i = 0; i < problem->system->n_states; i++) {
        const ic_state *state = &problem->system->states[i];
        if (is_internal(result, i)) continue;
        CLI_ROW(table, state->name, ic_number_short(end.x[i], DIGITS).text, state->unit, state->meaning);
    }
    return cli_table_finish(table, INDENT, true);
}

static bool print_extremes(const cli_result *result)
{
    const ic_case *system = result->instance->setup.problem.system;
    if (system->n_outputs == 0) return true;
    cli_table *table = cli_table_of("output|unit|min.|at t, s.|max.|at t, s.|at the end.");
    cli_table_heading("Outputs: extremes, with one-sided limits at events");
    for (size_t i = 0; i < system->n_outputs; i++) {
        const ic_extreme extreme = ic_log_extreme(result->log, i);
        const double values[] = {extreme.min, extreme.t_min, extreme.max, extreme.t_max, extreme.final};
        CLI_ROW(table, system->outputs[i].name, system->outputs[i].unit);
        for (size_t j = 0; j < IC_COUNT(values); j++) {
            cli_table_cell(table, ic_number_short(values[j], DIGITS).text);
        }
    }
    return cli_table_finish(table, INDENT, true);
}

static void print_work(const ic_work *work)
{
    const struct {
        const char *name;
        double count;
    } counts[] = {{"flow calls", work->flow_calls},
                  {"guard calls", work->guard_calls},
                  {"steps", work->steps},
                  {"rejected steps", work->rejected_steps},
                  {"root iterations", work->root_iterations}};
    const char *between = "";
    printf("\n%s ", cli_paint(stdout, CLI_BOLD, "Work:").text);
    for (size_t i = 0; i < IC_COUNT(counts); i++) {
        if (isnan(counts[i].count)) continue;
        printf("%s%.0f %s", between, counts[i].count, counts[i].name);
        between = ", ";
    }
    puts(between[0] == '\0' ? "not counted" : "");
}

static void print_defect(const ic_defect *d)
{
    printf("%s ", cli_paint(stdout, CLI_BOLD, "Defect:").text);
    if (isnan(d->greatest)) {
        printf("not judged: %s\n", d->reason);
        return;
    }
    printf("%s of the text's rates", ic_number_short(d->greatest, 2).text);
    if (d->state != NULL) printf(", in %s at t = %s s", d->state, ic_number_short(d->t, TIME_DIGITS).text);
    printf("; %zu places judged, %zu undecided\n", d->judged, d->undecided);
}

/* `more`: number of later notes of the same kind about the same guard. */
static void print_note(const ic_note *note, size_t more)
{
    const char *text = "";
    switch (note->kind) {
    case IC_NOTE_GRAZING: text = "grazes zero: a touch and a pair of crossings cannot be distinguished"; break;
    case IC_NOTE_FALLBACK:
        text = "the solver's own step onto the event was not safe; another one was used";
        break;
    }
    char often[48] = "";
    if (more > 0) snprintf(often, sizeof often, ", and %zu time%s later", more, more > 1 ? "s" : "");
    printf("%*st = %s s%s: guard '%s': %s\n", INDENT, "", ic_number_short(note->t, TIME_DIGITS).text, often,
           note->guard != NULL ? note->guard : "?", text);
}

static bool notes_are_alike(const ic_note *a, const ic_note *b)
{
    const char *one = a->guard != NULL ? a->guard : "", *other = b->guard != NULL ? b->guard : "";
    return a->kind == b->kind && strcmp(one, other) == 0;
}

/* Prints each kind of note of a guard once, with its number. */
static void print_different_notes(const ic_log *log)
{
    struct {
        ic_note first;
        size_t count;
    } groups[MOST_NOTES];
    size_t n = 0, left_out = 0;
    for (size_t i = 0; i < ic_log_note_count(log); i++) {
        const ic_note note = ic_log_note_at(log, i);
        size_t k = 0;
        while (k < n && !notes_are_alike(&groups[k].first, &note)) k++;
        if (k == MOST_NOTES) {
            left_out++;
            continue;
        }
        if (k == n) {
            groups[n].first = note;
            groups[n++].count = 0;
        }
        groups[k].count++;
    }
    for (size_t k = 0; k < n; k++) print_note(&groups[k].first, groups[k].count - 1);
    if (left_out > 0) printf("%*s... %zu more (--json shows them)\n", INDENT, "", left_out);
}

static void print_notes(const cli_result *result)
{
    const ic_problem *problem = &result->instance->setup.problem;
    const ic_sample end = ic_log_end(result->log);
    const size_t n_notes = ic_log_note_count(result->log);
    const bool has_mode = cli_mode_name(problem, end.mode) != NULL;
    const ic_mode *mode = has_mode ? &problem->variant->modes[end.mode] : NULL;
    const bool trapped = mode != NULL && mode->n_guards == 0 && ic_log_event_count(result->log) > 0;
    if (n_notes == 0 && !trapped) return;
    cli_table_heading("Notes");
    print_different_notes(result->log);
    if (trapped) printf("%*sno event ends the mode '%s': %s\n", INDENT, "", mode->name, mode->meaning);
}

static void print_status(const cli_result *result)
{
    const bool good = result->status == IC_OK;
    const char *detail = ic_log_text(result->log);
    if (result->trajectory != NULL) cli_print("\nTrajectory: %s\n", result->trajectory);
    printf("%s%s %s%s%s\n", result->trajectory == NULL ? "\n" : "", cli_paint(stdout, CLI_BOLD, "Status:").text,
           cli_paint(stdout, good ? CLI_GREEN : CLI_RED, ic_status_text(result->status)).text,
           detail[0] == '\0' ? "" : "; ", detail);
}

bool cli_result_print(const cli_result *result)
{
    char solver[256];
    snprintf(solver, sizeof solver, "%s: %s", result->solver->name, result->solver->title);
    if (!cli_instance_print(result->instance, "solver", solver) || !print_events(result) ||
        !print_end(result) || !print_extremes(result))
        return false;
    print_work(&result->work);
    print_defect(&result->defect);
    print_notes(result);
    print_status(result);
    return true;
}
