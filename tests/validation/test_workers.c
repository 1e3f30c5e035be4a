/* SPDX-License-Identifier: MIT */
/* Processes that share work: answers in order, whatever their number; a crash loses its own part only. */
#include "tests/tests.h"
#include "validation/workers.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

IC_SUITE(light, "processes that share work")

enum { PARTS = 23, NONE = 1000 };

typedef struct sums {
    /* planted: this part crashes, and this one is the last that is wanted */
    size_t crashes, last;

    /* what has arrived */
    size_t taken, lost, next;
    bool in_order, right;
} sums;

/* An answer whose size and bytes depend on its part. */
static void answer_part(FILE *answer, size_t part, void *context)
{
    const sums *s = context;
    if (part == s->crashes) raise(SIGKILL);
    for (size_t i = 0; i < 1000 * (part % 3); i++) fputc((int)('a' + part), answer);
}

static bool take_part(const char *answer, size_t size, size_t part, void *context)
{
    sums *s = context;
    s->in_order &= part == s->next++;
    s->right &= size == 1000 * (part % 3) && (size == 0 || answer[size - 1] == (char)('a' + part));
    s->taken++;
    return part != s->last;
}

static bool lose_part(const char *how, size_t part, void *context)
{
    sums *s = context;
    s->in_order &= part == s->next++;
    s->right &= part == s->crashes && strstr(how, "signal 9") != NULL;
    s->lost++;
    return true;
}

static bool run(sums *s, size_t jobs, size_t first, bool loses)
{
    ic_error error = {""};
    s->in_order = s->right = true;
    s->next = first;
    const ic_ordered_work work = {.jobs = jobs,
                                  .first = first,
                                  .parts = PARTS,
                                  .work = answer_part,
                                  .take = take_part,
                                  .lost = loses ? lose_part : NULL,
                                  .context = s};
    const bool good = ic_workers_run_ordered(&work, &error);
    CU_ASSERT(good == (error.text[0] == '\0'));
    /* no process is left */
    CU_ASSERT(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    return good;
}

IC_TEST(test_answers_in_order)
{
    for (size_t jobs = 1; jobs <= PARTS + 2; jobs += 3) {
        sums s = {.crashes = NONE, .last = NONE}, rest = s;
        CU_ASSERT(run(&s, jobs, 0, true));
        CU_ASSERT(s.in_order && s.right && s.taken == PARTS && s.lost == 0);
        CU_ASSERT(run(&rest, jobs, 7, true));
        CU_ASSERT(rest.in_order && rest.right && rest.taken == PARTS - 7);
    }
}

IC_TEST(test_crash_of_a_part)
{
    static const size_t places[] = {0, 5, PARTS - 1};
    for (size_t k = 0; k < IC_COUNT(places); k++) {
        for (size_t jobs = 1; jobs <= 4; jobs++) {
            sums s = {.crashes = places[k], .last = NONE}, error = s;
            CU_ASSERT(run(&s, jobs, 0, true));
            CU_ASSERT(s.in_order && s.right && s.taken == PARTS - 1 && s.lost == 1);
            CU_ASSERT_FALSE(run(&error, jobs, 0, false));
        }
    }
}

/* How many parts this process has done. */
static void count_parts(FILE *answer, size_t part, void *context)
{
    static size_t done;
    (void)part, (void)context;
    done++;
    fwrite(&done, sizeof done, 1, answer);
}

static bool take_count(const char *answer, size_t size, size_t part, void *context)
{
    size_t done = 0, *most = context;
    (void)part;
    CU_ASSERT_EQUAL_FATAL(size, sizeof done);
    memcpy(&done, answer, size);
    if (done > *most) *most = done;
    return true;
}

/* A process ends after a few parts, and another one takes its place. */
IC_TEST(test_processes_are_renewed)
{
    size_t most = 0;
    ic_error error = {""};
    const ic_ordered_work work = {
        .jobs = 1, .parts = 40, .work = count_parts, .take = take_count, .context = &most};
    CU_ASSERT(ic_workers_run_ordered(&work, &error));
    CU_ASSERT(most > 1 && most < 10);
}

IC_TEST(test_no_more_answers_wanted)
{
    for (size_t jobs = 1; jobs <= 4; jobs++) {
        sums s = {.crashes = NONE, .last = 4};
        CU_ASSERT(run(&s, jobs, 0, true));
        CU_ASSERT(s.in_order && s.right && s.taken == 5);
    }
}
