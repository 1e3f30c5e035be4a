/* SPDX-License-Identifier: MIT */
/*
 * The method "series": begins a run for each parameter set, builds the tapes of its phases, queues the lanes
 * by program, and solves what kernels leave by the solver `taylor`, to the end of the phase.
 */
#include "solvers/series/method.h"
#include "core/array.h"
#include "core/model.h"
#include "sweep/series/lanes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Order p = LEAST_ORDER + ORDER_PER_LOG ln(1/rtol). */
enum { LEAST_ORDER = 3, MOST_ORDER = 40 };
#define ORDER_PER_LOG 0.75
/* Least tolerance: the rounding of one term. */
#define LEAST_RTOL 1.2e-16
/* Sets that are open at a time: enough to fill vectors of any mode. */
enum { MOST_OPEN = 64 };

const ic_lanes_kernel *const ic_lanes_kernels[] = {
#ifdef IC_BATCH_X86
    &ic_lanes_avx512,
    &ic_lanes_avx2,
#endif
    &ic_lanes_plain,
};
const size_t ic_lanes_kernel_count = IC_COUNT(ic_lanes_kernels);

/* ---- supported plans */

static bool has_series(const ic_problem *problem)
{
    for (size_t i = 0; i < problem->variant->n_modes; i++) {
        const ic_mode *mode = &problem->variant->modes[i];
        if (!mode->terminal && (mode->equations == NULL ||
                                mode->equations->n_results != problem->system->n_states + mode->n_guards))
            return false;
    }
    return true;
}

static const char *refusal_of(const ic_sweep_plan *plan)
{
    if (!ic_sweep_fuses()) return IC_SWEEP_NEEDS_FUSED;
    if (plan->options.step > 0) return "it chooses its steps (leave out --step)";
    if (plan->options.events != NULL) return "it cannot call handlers of events";
    return has_series(plan->problem) ? NULL : "not all modes of the case are given as equations";
}

/* ---- the numbers of a tape */

static size_t count_numbers(const ic_tape *tape, const ic_lanes_root *root)
{
    return tape->n_entries + 2 * tape->n_kernels + tape->equations->n_results + (size_t)root->n_rates + 1;
}

/* Writes them in the order in which kernels read them. */
static void write_numbers(const ic_tape *tape, const ic_lanes_root *root, double *numbers)
{
    for (size_t i = 0; i < tape->n_entries; i++) *numbers++ = tape->entries[i].factor;
    for (size_t i = 0; i < tape->n_kernels; i++) *numbers++ = tape->kernels[i].alpha;
    for (size_t i = 0; i < tape->n_kernels; i++) *numbers++ = tape->kernels[i].gamma;
    for (size_t i = 0; i < tape->equations->n_results; i++) *numbers++ = tape->results[i].value;
    for (int i = 0; i < root->n_rates; i++) *numbers++ = root->rates[i].factor;
    *numbers = root->constant;
}

/* ---- parameter sets that are open */

/** What is known of a mode of a set. */
typedef struct mode_numbers {
    /* Index of its program plus 1; 0: not known. */
    size_t program;

    /* States for which it was built. */
    double *held;

    double *numbers;
    size_t room;

    /* Unit of s of the last step in the mode, and whether it is that of S. */
    double unit;
    bool of_root;
} mode_numbers;

typedef struct open_set {
    ic_lane lane;
    ic_parameter_set *set;
    ic_options options;
    ic_log *log;
    ic_loop *run;
    ic_status status;

    /* Workspace of the solver, once it has been needed. */
    void *solver;

    /* By mode. */
    mode_numbers *modes;

    /* Next one in a queue. */
    struct open_set *next;
} open_set;

typedef struct queued_program {
    ic_lanes_program program;
    open_set *first;
    size_t n;
} queued_program;

typedef struct pool {
    const ic_sweep_plan *plan;
    ic_parameter_set *sets;
    size_t n_sets, n_modes;

    /* Next set to be opened. */
    size_t next;

    /* Tapes are built here. */
    ic_tape builder;
    ic_lanes_root root;
    const ic_equations **equations;
    size_t n_equations;

    open_set *open;
    size_t n_open;

    queued_program *programs;
    size_t n_programs, room;

    /* Program that is carried out. */
    size_t current;

    double rtol;
    int order;
    ic_status status;
} pool;

static bool is_stopped(const pool *p)
{
    return p->status != IC_OK || (p->plan->stop != NULL && *p->plan->stop != 0);
}

static void close_set(pool *p, open_set *s)
{
    if (s->run != NULL) s->status = ic_loop_close(s->run, s->status);
    if (s->status == IC_NO_MEMORY) p->status = IC_NO_MEMORY;
    if (s->log != NULL) ic_parameter_set_fill(p->plan, s->set, s->status, s->log);
    ic_log_free(s->log);
    ic_taylor_close(s->solver);
    for (size_t i = 0; s->modes != NULL && i < p->n_modes; i++) {
        free(s->modes[i].numbers);
        free(s->modes[i].held);
    }
    free(s->modes);
    *s = (open_set){.set = NULL};
}

/* ---- programs */

/*
 * The argument of a kink without its constant, if it is a sum of states, else NAN; with rates in place of
 * states, its rate. `factors`: those of a lane, or NULL for those of the tape.
 */
static double sum_of_states(const ic_tape *tape, int row, const double *factors, const double *x)
{
    double sum = 0;
    if (row < (int)tape->n) return row >= 0 ? x[row] : NAN;
    const ic_tape_kernel *k = ic_tape_kernel_of(tape, row);
    if (k == NULL || k->kind != IC_TAPE_SUM) return NAN;
    for (int i = k->first; i < k->first + k->count; i++) {
        if (tape->entries[i].row >= (int)tape->n) return NAN;
        sum += (factors != NULL ? factors[i] : tape->entries[i].factor) * x[tape->entries[i].row];
    }
    return sum;
}

/* The side of a kink. If its argument is zero within rounding, it is that to which it moves. */
static int side_of(const ic_phase *phase, double argument, double rate)
{
    const int side = argument < 0 ? -1 : 1;
    const bool at_zero = fabs(argument) <= fabs(rate) * ic_phase_instant_width(phase);
    return at_zero && rate * side < 0 ? -side : side;
}

static void build_tape(ic_tape *tape, const ic_phase *phase)
{
    double rates[IC_MAX_STATES];
    tape->equations = NULL; /* what it kept is that of other parameters */
    ic_tape_begin(tape, phase->mode->equations, phase->problem->par, phase->t, phase->x);
    if (tape->n_kinks == 0) return;
    phase->mode->flow(rates, phase->t, phase->x, phase->problem->par);
    for (size_t i = 0; i < tape->n_kinks; i++) {
        const ic_series_kink *kink = &tape->kinks[i];
        const double rate = sum_of_states(tape, kink->argument.row, NULL, rates);
        if (side_of(phase, kink->argument.value, rate) != kink->side) ic_tape_turn(tape, i, phase->t, phase->x);
    }
}

/* The program of the tape in `builder`; SIZE_MAX: memory ran out. */
static size_t find_program(pool *p, const open_set *s)
{
    const ic_phase *phase = s->lane.phase;
    for (size_t i = 0; i < p->n_programs; i++) {
        const ic_lanes_program *known = &p->programs[i].program;
        if (known->mode == phase->mode && ic_tape_matches(&known->tape, &p->builder) &&
            ic_lanes_root_matches(&known->root, &known->tape, &p->root, &p->builder))
            return i;
    }
    queued_program *programs = ic_array_reserve(p->programs, &p->room, p->n_programs, sizeof *programs);
    if (programs == NULL) return SIZE_MAX;
    p->programs = programs;
    queued_program *added = &p->programs[p->n_programs];
    *added = (queued_program){.program = {.mode = phase->mode,
                                          .order = p->order,
                                          .rtol = p->rtol,
                                          .root = p->root,
                                          .n_numbers = count_numbers(&p->builder, &p->root)}};
    const ic_equations *equations = phase->mode->equations;
    if (!ic_tape_open(&added->program.tape, phase->n, &equations, 1)) {
        ic_tape_close(&added->program.tape);
        return SIZE_MAX;
    }
    added->program.tape.holds_rows = true;
    build_tape(&added->program.tape, phase);
    return p->n_programs++;
}

static bool take_numbers(const pool *p, mode_numbers *m)
{
    const size_t n = count_numbers(&p->builder, &p->root);
    if (n > m->room) {
        free(m->numbers);
        m->numbers = malloc(n * sizeof *m->numbers);
        m->room = m->numbers != NULL ? n : 0;
    }
    if (m->numbers != NULL) write_numbers(&p->builder, &p->root, m->numbers);
    return m->numbers != NULL;
}

/* Whether all kinks are sums of states and on the sides of a tape, of which a lane has other numbers. */
static bool kinks_stay(const ic_tape *tape, const double *numbers, const ic_phase *phase)
{
    const double *gamma = numbers + tape->n_entries + tape->n_kernels;
    double rates[IC_MAX_STATES];
    bool stay = true;
    if (tape->n_kinks == 0) return true;
    phase->mode->flow(rates, phase->t, phase->x, phase->problem->par);
    for (size_t i = 0; i < tape->n_kinks && stay; i++) {
        const int row = tape->kinks[i].argument.row;
        const ic_tape_kernel *k = ic_tape_kernel_of(tape, row);
        const double constant = k != NULL ? gamma[k - tape->kernels] : 0;
        const double argument = sum_of_states(tape, row, numbers, phase->x) + constant;
        const double rate = sum_of_states(tape, row, numbers, rates);
        stay = !isnan(argument) && side_of(phase, argument, rate) == tape->kinks[i].side;
    }
    return stay;
}

/* Whether the tape of a phase is that which was built last in its mode. */
static bool is_known(const pool *p, const mode_numbers *m, const ic_phase *phase)
{
    if (m->program == 0) return false;
    const ic_tape *tape = &p->programs[m->program - 1].program.tape;
    return ic_tape_same_held(tape, m->held, phase->x) && kinks_stay(tape, m->numbers, phase);
}

/*
 * A unit of s: the typical time, over the root of the typical d. Any unit will do that keeps powers in range.
 */
static double first_unit(const ic_lanes_program *program, const ic_phase *phase)
{
    const ic_tape *tape = &program->tape;
    const int base = program->root.base;
    double size = 0;
    if (!program->root.used) return phase->time_scale;
    if (base < (int)tape->n) return phase->time_scale / sqrt(phase->scale[base]);
    const ic_tape_kernel *k = ic_tape_kernel_of(tape, base);
    for (int i = 0; i < k->count; i++) {
        const ic_tape_entry *e = &tape->entries[k->first + i];
        size += fabs(e->factor) * (e->row < (int)tape->n ? phase->scale[e->row] : 0);
    }
    return phase->time_scale / sqrt(size > 0 ? size : 1);
}

/* Finds program and numbers of the phase that begins. */
static bool begin_phase(pool *p, open_set *s)
{
    const ic_phase *phase = s->lane.phase;
    mode_numbers *m = &s->modes[phase->mode_index];
    if (m->held == NULL) m->held = malloc(phase->n * sizeof *m->held);
    if (m->held == NULL) return false;
    if (!is_known(p, m, phase)) {
        build_tape(&p->builder, phase);
        ic_lanes_root_find(&p->root, &p->builder);
        const size_t found = find_program(p, s);
        if (found == SIZE_MAX || !take_numbers(p, m)) return false;
        m->program = found + 1;
        memcpy(m->held, phase->x, phase->n * sizeof *m->held);
    }
    const ic_lanes_program *program = &p->programs[m->program - 1].program;
    if (m->unit == 0 || m->of_root != program->root.used) m->unit = first_unit(program, phase);
    m->of_root = program->root.used;
    s->lane.unit = m->unit;
    s->lane.numbers = m->numbers;
    return true;
}

static void wait_in_queue(pool *p, open_set *s)
{
    queued_program *queue = &p->programs[s->modes[s->lane.phase->mode_index].program - 1];
    s->next = queue->first;
    queue->first = s;
    queue->n++;
}

/* ---- lanes */

/* Starts the run of a set. false: it has ended, or memory ran out. */
static bool start_run(pool *p, open_set *s)
{
    s->modes = calloc(p->n_modes, sizeof *s->modes);
    s->log = ic_parameter_set_log(p->plan, s->set, &s->options);
    if (s->modes == NULL || s->log == NULL) return false;
    s->lane.phase = ic_loop_open(&s->run, s->log, s->set->problem, &s->options, &s->status);
    if (s->lane.phase == NULL) return false;
    if (begin_phase(p, s)) return true;
    s->status = IC_NO_MEMORY;
    return false;
}

/* Opens the next set in a free place. */
static void open_next_set(pool *p, open_set *s)
{
    while (p->next < p->n_sets && !is_stopped(p)) {
        ic_parameter_set *set = &p->sets[p->next++];
        if (set->status == IC_INVALID) continue;
        ic_parameter_set_clear(p->plan, set);
        if (set->problem->variant != p->plan->problem->variant) { /* for which no tape has room */
            set->status = IC_UNSUPPORTED;
            continue;
        }
        *s = (open_set){.set = set, .status = IC_NO_MEMORY, .lane = {.landed = NAN}};
        if (start_run(p, s)) {
            wait_in_queue(p, s);
            return;
        }
        close_set(p, s);
    }
}

/* Solves the rest of a phase by the solver. */
static void solve_phase(open_set *s)
{
    ic_phase *phase = s->lane.phase;
    s->set->phases_left++;
    phase->fired = -1;
    if (s->solver == NULL) s->status = ic_taylor_open(&s->solver, s->set->problem, s->log);
    if (s->status == IC_OK) s->status = ic_taylor_method.begin(s->solver, phase);
    if (s->status == IC_OK) s->status = ic_taylor_method.advance(s->solver, phase);
}

static ic_lane *take_lane(void *self)
{
    pool *p = self;
    queued_program *queue = &p->programs[p->current];
    open_set *s = queue->first;
    if (s == NULL || is_stopped(p)) return NULL;
    queue->first = s->next;
    queue->n--;
    return &s->lane;
}

static ic_lane *give_lane(void *self, ic_lane *lane)
{
    pool *p = self;
    open_set *s = (open_set *)lane; /* its first member */
    s->modes[lane->phase->mode_index].unit = lane->unit;
    if (lane->outcome == IC_LANE_WAITS) {
        wait_in_queue(p, s);
        return NULL;
    }
    if (lane->outcome == IC_LANE_FAILED) s->status = IC_NO_MEMORY;
    if (lane->outcome == IC_LANE_LEFT) solve_phase(s);
    bool goes_on = ic_loop_next(s->run, &s->status);
    if (goes_on && !begin_phase(p, s)) {
        s->status = IC_NO_MEMORY;
        goes_on = false;
    }
    if (!goes_on) {
        close_set(p, s);
        open_next_set(p, s);
        return NULL;
    }
    if (s->modes[lane->phase->mode_index].program - 1 == p->current) return lane;
    wait_in_queue(p, s);
    return NULL;
}

static size_t longest_queue(const pool *p)
{
    size_t longest = 0;
    for (size_t i = 1; i < p->n_programs; i++) {
        if (p->programs[i].n > p->programs[longest].n) longest = i;
    }
    return longest;
}

static bool yields_to_another(void *self, int n_lanes)
{
    const pool *p = self;
    return is_stopped(p) || p->programs[longest_queue(p)].n > (size_t)n_lanes;
}

/* ---- the pool */

static bool open_pool(pool *p, const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets)
{
    const ic_variant *variant = plan->problem->variant;
    const ic_options options = ic_options_for(&plan->options, ic_time_scale(plan->problem));
    *p = (pool){.plan = plan, .sets = sets, .n_sets = n_sets, .n_modes = variant->n_modes};
    p->rtol = fmax(options.rtol, LEAST_RTOL);
    p->order = (int)fmin(ceil(LEAST_ORDER - ORDER_PER_LOG * log(p->rtol)), MOST_ORDER);
    p->equations = calloc(variant->n_modes, sizeof(ic_equations *));
    p->open = calloc(MOST_OPEN, sizeof *p->open);
    if (p->equations == NULL || p->open == NULL) return false;
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (!variant->modes[i].terminal) p->equations[p->n_equations++] = variant->modes[i].equations;
    }
    const bool good = ic_tape_open(&p->builder, plan->problem->system->n_states, p->equations, p->n_equations);
    p->builder.holds_rows = true;
    return good;
}

static void close_pool(pool *p)
{
    for (size_t i = 0; p->open != NULL && i < MOST_OPEN; i++) {
        if (p->open[i].set != NULL) close_set(p, &p->open[i]);
    }
    for (size_t i = 0; i < p->n_programs; i++) ic_tape_close(&p->programs[i].program.tape);
    ic_tape_close(&p->builder);
    free(p->programs);
    free(p->open);
    free((void *)p->equations);
}

ic_status ic_parameter_sets_in_lanes(const ic_sweep_plan *plan, const ic_lanes_kernel *kernel,
                                     ic_parameter_set *sets, size_t n_sets)
{
    pool p;
    const ic_lane_queue queue = {&p, take_lane, give_lane, yields_to_another};
    if (!has_series(plan->problem)) return IC_UNSUPPORTED;
    if (!open_pool(&p, plan, sets, n_sets)) p.status = IC_NO_MEMORY;
    for (size_t i = 0; p.status == IC_OK && i < MOST_OPEN; i++) open_next_set(&p, &p.open[i]);
    while (!is_stopped(&p) && p.n_programs > 0) {
        p.current = longest_queue(&p);
        if (p.programs[p.current].n == 0) break;
        const ic_lanes_program program = p.programs[p.current].program; /* the table may move */
        if (!kernel->follow(&program, &queue)) p.status = IC_NO_MEMORY;
    }
    const ic_status status = p.status;
    close_pool(&p);
    return status;
}

static ic_status solve_lanes(const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets)
{
    size_t i = 0;
    // cppcheck-suppress knownConditionTrueFalse ; builds for x86 have several kernels
    while (i + 1 < ic_lanes_kernel_count && !ic_lanes_kernels[i]->runs_here())
        i++; /* the last one runs anywhere */
    return ic_parameter_sets_in_lanes(plan, ic_lanes_kernels[i], sets, n_sets);
}

const ic_sweep_method ic_sweep_method_series = {
    .name = "series",
    .title = "Taylor series of any equations, several parameter sets in each instruction",
    .stands_in_for = "taylor",
    .general = true,
    .refusal = refusal_of,
    .solve = solve_lanes,
};
