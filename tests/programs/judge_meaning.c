/* SPDX-License-Identifier: MIT */
/*
 * impactcheck-meaning [--draws N] [--seed S] [--first K] [--kind NAME] [--jobs J] [--show K] [--plant]
 *
 * Judges certified answers and solvers' finishes of random machines by a simulation of what their texts mean: one line
 * for each machine that does not agree, then a summary. --show K: machine K alone, with its text and all answers.
 * --plant: the simulation reads comparisons wrongly. Exit status 1 if a certificate is false, a finish is wrong, or a
 * process has ended.
 */
#include "tests/judge/meaning.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the processes share. */
typedef struct board {
    atomic_long next;

    /* by number of the draw */
    struct {
        /* whether a process has begun it */
        bool is_begun, is_done;
        meaning_result result;
    } draws[];
} board;

static meaning_kind find_kind(const char *name)
{
    int k = 0;
    while (k < MEANING_KINDS && strcmp(meaning_kind_names[k], name) != 0) k++;
    return (meaning_kind)k;
}

static void print_line(long number, const meaning_result *r)
{
    printf("%5ld %-10s %-17s %.2f %.2f %.2f s ", number, meaning_kind_names[r->kind],
           meaning_verdict_names[r->verdict], r->simulation_seconds, r->certifier_seconds, r->solver_seconds);
    for (int i = 0; i < MEANING_SOLVERS; i++)
        if (r->is_away[i] || r->is_unfinished[i])
            printf(" %s %s", meaning_solver_names[i], r->is_away[i] ? "AWAY" : "unfinished");
    printf("  %s\n", r->reason);
    fflush(stdout);
}

/* A process: judges draws until there are none. */
static void work(board *b, long draws, meaning_request request, long first)
{
    for (long k = atomic_fetch_add(&b->next, 1); k < draws; k = atomic_fetch_add(&b->next, 1)) {
        b->draws[k].is_begun = true;
        request.number = (uint64_t)(first + k);
        meaning_judge(&b->draws[k].result, &request);
        b->draws[k].is_done = true;
        if (b->draws[k].result.verdict != MEANING_AGREES) print_line(first + k, &b->draws[k].result);
    }
}

/* Keeps some processes until all draws are done; one that ends early has a successor. */
static void work_all(board *b, long draws, meaning_request request, long first, int jobs)
{
    int alive = 0;
    fflush(stdout);
    while (alive > 0 || atomic_load(&b->next) < draws) {
        if (alive < jobs && atomic_load(&b->next) < draws) {
            const pid_t child = fork();
            if (child == 0) work(b, draws, request, first), _exit(0);
            if (child < 0) abort();
            alive++;
        } else if (wait(NULL) > 0) alive--;
    }
}

static bool print_summary(board *b, long draws, long first)
{
    long counts[MEANING_KINDS + 1][MEANING_VERDICTS] = {{0}}, away[MEANING_SOLVERS] = {0},
                                unfinished[MEANING_SOLVERS] = {0}, certified = 0;
    double seconds[3] = {0};
    for (long k = 0; k < draws; k++) {
        meaning_result *r = &b->draws[k].result;
        if (!b->draws[k].is_done) {
            r->verdict = MEANING_CRASH;
            print_line(first + k, r);
        }
        counts[r->kind][r->verdict]++;
        counts[MEANING_KINDS][r->verdict]++;
        certified += r->is_certified;
        seconds[0] += r->simulation_seconds;
        seconds[1] += r->certifier_seconds;
        seconds[2] += r->solver_seconds;
        for (int i = 0; i < MEANING_SOLVERS; i++) {
            away[i] += r->is_away[i];
            unfinished[i] += r->is_unfinished[i];
        }
    }
    printf("\n%-12s", "");
    for (int v = 0; v < MEANING_VERDICTS; v++) printf(" %17s", meaning_verdict_names[v]);
    for (int k = 0; k <= MEANING_KINDS; k++) {
        printf("\n%-12s", k < MEANING_KINDS ? meaning_kind_names[k] : "all");
        for (int v = 0; v < MEANING_VERDICTS; v++) printf(" %17ld", counts[k][v]);
    }
    printf("\n%ld certified; away, unfinished:", certified);
    for (int i = 0; i < MEANING_SOLVERS; i++)
        printf(" %s %ld, %ld;", meaning_solver_names[i], away[i], unfinished[i]);
    printf(" simulation %.1f s, certifier %.1f s, solvers %.1f s\n", seconds[0], seconds[1], seconds[2]);
    const long *all = counts[MEANING_KINDS];
    return all[MEANING_FALSE_CERTIFICATE] + all[MEANING_WRONG_FINISH] + all[MEANING_CRASH] == 0;
}

int main(int argc, char **argv)
{
    const char *show = draw_option(argc, argv, "--show", NULL);
    const long draws = strtol(draw_option(argc, argv, "--draws", "2000"), NULL, 10),
               first = strtol(draw_option(argc, argv, "--first", "0"), NULL, 10);
    const int jobs = (int)strtol(draw_option(argc, argv, "--jobs", "2"), NULL, 10);
    meaning_request request = {.seed = strtoul(draw_option(argc, argv, "--seed", "1"), NULL, 10),
                               .kind = find_kind(draw_option(argc, argv, "--kind", "all"))};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--plant") == 0) request.planted = true;
    if (show != NULL) {
        meaning_result r;
        request.number = strtoul(show, NULL, 10);
        request.show = stdout;
        meaning_judge(&r, &request);
        print_line((long)request.number, &r);
        return r.verdict == MEANING_FALSE_CERTIFICATE || r.verdict == MEANING_WRONG_FINISH;
    }
    const size_t size = sizeof(board) + (size_t)draws * sizeof((board *)NULL)->draws[0];
    board *b = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED) abort();
    work_all(b, draws, request, first, jobs);
    return print_summary(b, draws, first) ? 0 : 1;
}
