/* SPDX-License-Identifier: MIT */
/*
 * impactcheck-judge [--draws N] [--seed S] [--first K] [--stride M] [--family NAME] [--show] [--plant RELATIVE] [--proofs FOLDER]
 *
 * Judges certified answers of random problems by a second method that shares no code with the certifier: one line for
 * each draw, then a summary. --proofs: writes the proof of draw K, if there is one, to FOLDER/K. Exit status 1 if an enclosure does not contain the second answer, or too many draws are not
 * decided.
 */
#include "tests/judge/judge.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FAMILIES = 100 };

/* One draw of 50 (of 100) may be undecided (not judged), where there are so many that this says something. */
enum { MOST_UNDECIDED = 50, MOST_NOT_JUDGED = 100, MANY_DRAWS = 50 };

typedef struct options {
    long draws, first, stride;
    unsigned long seed;
    const char *family, *proofs;
    bool show;
    double plant;
} options;

typedef struct tally {
    const char *family;
    int verdicts[JUDGE_VERDICTS], draws, events;
    double slowest, error;
} tally;

static options read_options(int argc, char **argv)
{
    options o = {.draws = strtol(draw_option(argc, argv, "--draws", "500"), NULL, 10),
                 .first = strtol(draw_option(argc, argv, "--first", "0"), NULL, 10),
                 .stride = strtol(draw_option(argc, argv, "--stride", "1"), NULL, 10),
                 .seed = strtoul(draw_option(argc, argv, "--seed", "1"), NULL, 10),
                 .family = draw_option(argc, argv, "--family", NULL),
                 .proofs = draw_option(argc, argv, "--proofs", NULL),
                 .plant = strtod(draw_option(argc, argv, "--plant", "0"), NULL)};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--show") == 0) o.show = true;
    }
    return o;
}

static void add(tally *t, const judge_result *r)
{
    t->draws++;
    t->verdicts[r->verdict]++;
    t->events += r->events;
    if (r->certifier_seconds > t->slowest) t->slowest = r->certifier_seconds;
    if (r->verdict != JUDGE_NOT_JUDGED && r->error > t->error) t->error = r->error;
}

static void print_tally(const tally *t)
{
    printf("%-12s %5d %6d %7d %9d %10d %7d %9.2f %9.1e\n", t->family, t->draws, t->verdicts[JUDGE_INSIDE],
           t->verdicts[JUDGE_OUTSIDE], t->verdicts[JUDGE_UNDECIDED], t->verdicts[JUDGE_NOT_JUDGED], t->events,
           t->slowest, t->error);
}

/* Whether, of many draws, few are undecided or not judged; and none of any is outside or slow. */
static bool is_good(const tally *all)
{
    const int undecided = all->verdicts[JUDGE_UNDECIDED], not_judged = all->verdicts[JUDGE_NOT_JUDGED];
    const bool few = MOST_UNDECIDED * undecided < all->draws && MOST_NOT_JUDGED * not_judged < all->draws;
    return all->verdicts[JUDGE_OUTSIDE] == 0 && all->slowest <= 1.1 * JUDGE_SECONDS &&
           (few || all->draws < MANY_DRAWS);
}

static bool print_summary(const tally *tallies)
{
    tally all = {.family = "all"};
    printf("\n%-12s %5s %6s %7s %9s %10s %7s %9s %9s\n", "family", "draws", "inside", "outside", "undecided",
           "not judged", "events", "slowest/s", "error");
    for (int i = 0; i < MOST_FAMILIES && tallies[i].family != NULL; i++) {
        const tally *t = &tallies[i];
        print_tally(t);
        for (int k = 0; k < JUDGE_VERDICTS; k++) all.verdicts[k] += t->verdicts[k];
        all.draws += t->draws;
        all.events += t->events;
        if (t->slowest > all.slowest) all.slowest = t->slowest;
        if (t->error > all.error) all.error = t->error;
    }
    print_tally(&all);
    return is_good(&all);
}

static int sum_of_weights(void)
{
    int n = 0;
    while (judge_family(n) != NULL) n++;
    return n;
}

int main(int argc, char **argv)
{
    static tally tallies[MOST_FAMILIES];
    const options o = read_options(argc, argv);
    const int families = sum_of_weights();
    for (long k = o.first; k < o.draws; k += o.stride) {
        judge_result r;
        char proof[4096];
        snprintf(proof, sizeof proof, "%s/%ld", o.proofs != NULL ? o.proofs : "", k);
        const char *family = o.family != NULL ? o.family : judge_family((int)(k % families));
        judge_draw(&r, &(judge_request){.family = family,
                                        .seed = o.seed,
                                        .number = (uint64_t)k,
                                        .planted = o.plant,
                                        .proof = o.proofs != NULL ? proof : NULL,
                                        .show = o.show ? stdout : NULL});
        printf("%4ld %-12s %-10s %3d events %6.2f s %6.2f s error %.1e  %s%s%s\n", k, family,
               judge_verdict_names[r.verdict], r.events, r.certifier_seconds, r.second_seconds, r.error, r.what,
               r.reason[0] != '\0' ? ": " : "", r.reason);
        fflush(stdout);
        int i = 0;
        while (tallies[i].family != NULL && strcmp(tallies[i].family, family) != 0) i++;
        tallies[i].family = family;
        add(&tallies[i], &r);
    }
    return print_summary(tallies) ? 0 : 1;
}
