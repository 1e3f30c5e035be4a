/* SPDX-License-Identifier: MIT */
/**
 * Audit of trajectories: right ones pass, planted mistakes are found and named, and bad files are
 * refused with their place.
 */
#include "audit/trajectory/checks/checks.h"
#include "registry/registry.h"
#include "tests/audit/audited.h"
#include "tests/audit/families.h"

#include <float.h>

IC_SUITE(audits, "audit of trajectories")

/* ---- right ones pass */

/* The ones with noise are coarse, and noise moves events from one interval to the next. */
IC_TEST(test_right_ones)
{
    static const struct run {
        const char *path, *until;
        size_t samples;
        double noise; /* of each range */
    } runs[] = {
        {"roller/II/A", "0.5", 401, 0},
        {"roller/II/B", "0.5", 1001, 0},
        {"roller/III/C", "0.5", 201, 0},
        {"roller/III/D", "0.5", 5001, 0},
        {"roller/IV/C*", "0.5", 401, 0},
        {"two-mass/example-1", "20", 101, 0},
        {"two-mass/forced", "40", 2001, 0},
        {"two-mass/plastic", "40", 501, 0},
        {"bouncing-ball/lively", "5", 501, 0},
        {"bouncing-ball/drop", "2", 101, 0},
        {"bouncing-ball/elastic", "10", 50001, 0},
        {"two-mass/plastic", "40", 80, 1e-6},
        {"two-mass/example-1", "20", 80, 1e-4},
        {"roller/law", "0.3", 1201, 1e-6},
        {"bouncing-ball/drop", "2", 200, 1e-4},
        {"rotating-beam/momentum-balance", NULL, 160, 1e-6},
        {"rotating-beam/heavy-shaft", NULL, 200, 1e-4},
    };
    uint64_t seed = 7;
    for (size_t i = 0; i < IC_COUNT(runs); i++) {
        IC_OWN(audited) a = audited_open(runs[i].path, runs[i].until, runs[i].samples);
        rows_add_noise(&a.rows, runs[i].noise, &seed);
        audited_judge(&a, 0);
        CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), 0);
        findings_print_failed(&a.audit.findings, runs[i].path);
        CU_ASSERT_TRUE(a.audit.tracking.n_intervals > 10); /* something was looked at */
    }
}

/* ---- conditions */

/* Rows of one condition, audited as another. */
static void audit_as(audited *a, const char *rows, const char *as)
{
    *a = audited_open_as(as, rows, "0.5", NULL, &(ic_options){.samples = 1001});
    audited_judge(a, 0);
}

IC_TEST(test_conditions)
{
    static const char *const rows[] = {"roller/III/A", "roller/III/B", "roller/III/C", "roller/III/C*",
                                       "roller/III/D"};
    static const char *const answers[] = {"A", "B", "C = C*", "C = C*", "D"};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        for (size_t j = 0; j < IC_COUNT(rows); j++) {
            IC_OWN(audited) a;
            audit_as(&a, rows[i], rows[j]);
            CU_ASSERT_EQUAL_FATAL(a.audit.n_classifications, 1);
            CU_ASSERT_TRUE(a.audit.classifications[0].decided);
            CU_ASSERT_STRING_EQUAL(a.audit.classifications[0].candidates[0].name, answers[i]);
            const bool same = strcmp(answers[i], answers[j]) == 0;
            CU_ASSERT_EQUAL(finding_blames(&a.audit.findings, "condition", IC_MISTAKE_ANOTHER_CONDITION),
                            !same);
        }
    }
}

IC_TEST(test_adhesion)
{
    IC_OWN(audited) a;
    audit_as(&a, "roller/II/A", "roller/II/C");
    CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "adhesion", IC_MISTAKE_ADHESION_KEPT));
    /* the paper's pull under A in load case II is 92.4 kN at its peak; rows 0.5 ms apart see most
       of it */
    CU_ASSERT_TRUE(ic_findings_find(&a.audit.findings, "adhesion")->measured > 6e4 &&
                   ic_findings_find(&a.audit.findings, "adhesion")->measured < 9.3e4);
}

/* Noise in which the declared condition may fit, but another one fits so much better that it is
   reported: the numbers must show it. */
IC_TEST(test_condition_in_noise)
{
    static const double noise[] = {1e-5, 3e-5, 1e-4, 3e-4, 1e-3};
    static const char *const rows[] = {"roller/III/A", "roller/III/D"};
    uint64_t seed = 7;
    size_t failed = 0;
    for (size_t i = 0; i < IC_COUNT(noise) * IC_COUNT(rows); i++) {
        const ic_options options = {.samples = 301};
        IC_OWN(audited) a = audited_open_as("roller/III/C", rows[i % IC_COUNT(rows)], "0.3", NULL, &options);
        rows_add_noise(&a.rows, noise[i / IC_COUNT(rows)], &seed);
        CU_ASSERT_NOT_EQUAL(audited_judge(&a, 0), IC_AUDIT_GOOD);
        failed += finding_blames(&a.audit.findings, "condition", IC_MISTAKE_ANOTHER_CONDITION);
    }
    CU_ASSERT(failed > 0);
}

/* Too much noise to distinguish C from D, but not to exclude A and B; without lift-off no
   condition is identified. */
IC_TEST(test_undecided)
{
    uint64_t seed = 1;
    IC_OWN(audited) a = audited_open("roller/III/C", "0.5", 1001);
    for (size_t i = 0; i < a.rows.n * a.rows.n_states; i++) a.rows.x[i] += 1e-3 * 1e-3 * family_normal(&seed);
    audited_judge(&a, 0);
    CU_ASSERT_FALSE(a.audit.classifications[0].decided);
    CU_ASSERT_PTR_NOT_NULL(strstr(a.audit.classifications[0].detail, "it is not A"));
    CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), 0);

    IC_OWN(audited) brief = audited_open("roller/III/C", "0.01", 201);
    audited_judge(&brief, 0);
    CU_ASSERT_FALSE(brief.audit.classifications[0].decided);
    CU_ASSERT_EQUAL(ic_findings_find(&brief.audit.findings, "event-times")->verdict, IC_FINDING_OPEN);
}

/* ---- planted mistakes */

/* A solver that takes events at the end of its steps; exact flight, where a ball below the floor at the end of a step is
   mirrored. */
IC_TEST(test_no_event_location)
{
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        IC_OWN(audited) a = audited_open("bouncing-ball/lively", "2", 0);
        CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&a.rows, mirrored ? 2001 : 400, 2, false));
        double x = 1, v = 0;
        const double h = mirrored ? 2e-3 : 5e-3, g = 9.81;
        for (size_t i = 0; i < a.rows.n; i++) {
            a.rows.t[i] = h * (double)i;
            a.rows.x[2 * i] = x, a.rows.x[2 * i + 1] = v;
            x += h * v - 0.5 * g * h * h;
            v -= g * h;
            if (x < 0 && v < 0) v *= -0.9;
            if (x < 0 && mirrored) x = -x;
        }
        audited_judge(&a, 0);
        CU_ASSERT_TRUE(finding_blames(&a.audit.findings, mirrored ? "events" : "penetration",
                                      IC_MISTAKE_NO_EVENT_LOCATION));
        if (mirrored)
            CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "restitution", IC_MISTAKE_NO_EVENT_LOCATION));
    }
}

/* Bounces that are exact, with the coefficient e + slope*speed above a speed, the first one with its own; every step
   multiplies the velocity by 1 + gain. */
typedef struct plant {
    double e, first, threshold, gain, slope;
    const char *check;
    ic_mistake_id mistake;
    const char *says;
} plant;

static void plant_ball(ic_trajectory *tr, const plant *p)
{
    const double h = 5e-3, g = 9.81;
    double x = 1, v = 0;
    for (size_t i = 0, bounces = 0; i < tr->n; i++) {
        tr->t[i] = h * (double)i;
        tr->x[2 * i] = x, tr->x[2 * i + 1] = v;
        const double fall = (v + sqrt(v * v + 2 * g * fmax(0, x))) / g,
                     speed = g * fall - v; /* until the floor, at this speed */
        if (x == 0 && v == 0) continue;
        if (fall < h) {
            const double e = bounces++ == 0 ? p->first : p->e + p->slope * speed;
            v = speed > p->threshold ? e * speed : 0;
            x = v > 0 ? v * (h - fall) - 0.5 * g * (h - fall) * (h - fall) : 0;
            v = v > 0 ? v - g * (h - fall) : 0;
        } else {
            x += h * v - 0.5 * g * h * h;
            v = (v - g * h) * (1 + p->gain);
        }
    }
}

IC_TEST(test_ball)
{
    static const plant plants[] = {
        {1, 1, 0, 0, 0, "restitution", IC_MISTAKE_RESTITUTION_IGNORED, ""},
        {0.9, 0.9, 2.5, 0, 0, "restitution", IC_MISTAKE_RESTITUTION_THRESHOLD, ""},
        {0.9, 0.9, 0, 1e-3, 0, "energy", IC_MISTAKE_ENERGY_APPEARS, ""},
        {0.92, 0.83, 0, 0, -0.02, "restitution", IC_MISTAKE_RESTITUTION_WRONG,
         "it falls with the speed, from 0.8"},
        {0.7, 0.83, 0, 0, 0.03, "restitution", IC_MISTAKE_RESTITUTION_WRONG,
         "it rises with the speed, from 0.7"},
        {0.88, 0.88, 0, 0, 0, "restitution", IC_MISTAKE_RESTITUTION_WRONG, "bounces; the worst"},
        {0.9, 0.8, 0, 0, 0, "restitution", IC_MISTAKE_IMPACTS_UNEQUAL, "; bounces 1 (0.8) differ"},
    };
    for (size_t i = 0; i < IC_COUNT(plants); i++) {
        IC_OWN(audited) a = audited_open("bouncing-ball/lively", "2", 0);
        CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&a.rows, 900, 2, false));
        plant_ball(&a.rows, &plants[i]);
        audited_judge(&a, 0);
        IC_EXPECT(finding_blames(&a.audit.findings, plants[i].check, plants[i].mistake), "plant %zu: %s", i,
                  ic_findings_find(&a.audit.findings, plants[i].check)->detail);
        const char *detail = ic_findings_find(&a.audit.findings, plants[i].check)->detail;
        CU_ASSERT_PTR_NOT_NULL(strstr(detail, plants[i].says));
        CU_ASSERT_EQUAL(strstr(detail, "with the speed") != NULL, plants[i].slope != 0);
    }
}

/* Intervals away from events that the case does not explain, in hundredths of all, where it does
   not explain this one. */
static double unexplained_share(ic_tracking *k, size_t at)
{
    IC_OWN(ic_findings) findings = {0};
    const ic_interval kept = k->intervals[at];
    k->intervals[at].explanation = IC_UNEXPLAINED;
    k->intervals[at].defect = 10;
    ic_audit_local_defect(&findings, k, &(ic_parameter_fits){0}, &(ic_correction){0});
    k->intervals[at] = kept;
    CU_ASSERT_EQUAL_FATAL(findings.count, 1);
    return findings.rows[0].measured;
}

/* The interval of an event and its neighbours are no matter of this check, all others are: those
   behind events, too. */
IC_TEST(test_defects_near_events)
{
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "1.8", 201);
    audited_judge(&a, 0);
    ic_tracking *k = &a.audit.tracking;
    ic_interval *intervals = k->intervals;
    size_t event = 0;
    const size_t n = k->n_intervals;
    while (event < n && intervals[event].due == 0) event++;
    CU_ASSERT_FATAL(event > 2 && event + 3 < n && intervals[event + 1].due == 0);
    const double one = 100.0 / (double)n;
    for (size_t i = event - 1; i <= event + 1; i++) CU_ASSERT_EQUAL(unexplained_share(k, i), 0);
    CU_ASSERT_EQUAL(unexplained_share(k, event - 2), one);
    CU_ASSERT_EQUAL(unexplained_share(k, event + 2), one);
    CU_ASSERT_EQUAL(unexplained_share(k, 0), one);
    CU_ASSERT_EQUAL(unexplained_share(k, n - 1), one);
    /* planted: what is behind an event does not count */
    CU_ASSERT_NOT_EQUAL(unexplained_share(k, n - 1), 0);
    /* events in the first intervals, and in the last */
    intervals[0].due = 1;
    CU_ASSERT_EQUAL(unexplained_share(k, 0), 0);
    intervals[0].due = 0, intervals[1].due = 1;
    CU_ASSERT_EQUAL(unexplained_share(k, 0), 0);
    intervals[1].due = 0, intervals[n - 1].due = 1;
    CU_ASSERT_EQUAL(unexplained_share(k, n - 2), 0);
    k->n_intervals = n - 1; /* the interval no longer counts */
    CU_ASSERT_EQUAL(unexplained_share(k, n - 2), 100.0 / (double)(n - 1));
    k->n_intervals = n;
}

IC_TEST(test_misread_files)
{
    static const struct misreading {
        double factor[4];
        bool exchange;

        /* m; to the first position */
        double origin;

        /* part by which the times are too long */
        double slow;

        ic_mistake_id mistake;
    } plants[] = {
        {{1e3, 1, 1, 1}, false, 0, 0, IC_MISTAKE_UNITS_MIXED},
        {{1e3, 1e3, 1e3, 1e3}, false, 0, 0, IC_MISTAKE_UNITS_MIXED},
        {{1, 30 / M_PI, 1, 30 / M_PI}, false, 0, 0, IC_MISTAKE_UNITS_MIXED},
        {{1, -1, 1, 1}, false, 0, 0, IC_MISTAKE_SIGN_REVERSED},
        {{-1, -1, 1, 1}, false, 0, 0, IC_MISTAKE_SIGN_REVERSED},
        {{1, 1, 1, 1}, true, 0, 0, IC_MISTAKE_COLUMNS_EXCHANGED},
        {{1, 1, 1, 1}, false, 1e-4, 0, IC_MISTAKE_ORIGIN_SHIFTED},
        {{1, 1, 1, 1}, false, 0, 0.01, IC_MISTAKE_CLOCK_WRONG},
    };
    for (size_t p = 0; p < IC_COUNT(plants); p++) {
        IC_OWN(audited) a = audited_open("roller/III/C", "0.3", 601);
        for (size_t i = 0; i < a.rows.n; i++) {
            double *row = a.rows.x + i * a.rows.n_states;
            for (size_t j = 0; j < 4; j++) row[j] *= plants[p].factor[j];
            const double x2 = row[0];
            if (plants[p].exchange) row[0] = row[1], row[1] = x2;
            row[0] += plants[p].origin;
            a.rows.t[i] *= 1 + plants[p].slow;
        }
        audited_judge(&a, 0);
        CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "local-defect", plants[p].mistake));
        CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), 1);
    }
}

/* A ball that is held up step by step: each row at rest shows the velocity of a step's free fall;
   another that sinks slowly. */
IC_TEST(test_drift_at_rest)
{
    static const struct drift {
        double velocity, sinks; /* m/s */
        bool drifts;
    } drifts[] = {{0, 0, false}, {-0.05, 0, true}, {-0.01, 0.01, true}, {-1e-5, 0, false}};
    for (size_t i = 0; i < IC_COUNT(drifts); i++) {
        double rests = INFINITY; /* since */
        IC_OWN(audited) a = audited_open("bouncing-ball/drop", "2", 400);
        for (size_t row = 0; row < a.rows.n; row++) {
            if (a.rows.x[2 * row] != 0 || a.rows.x[2 * row + 1] != 0) continue;
            rests = fmin(rests, a.rows.t[row]);
            a.rows.x[2 * row] = -drifts[i].sinks * (a.rows.t[row] - rests);
            a.rows.x[2 * row + 1] = drifts[i].velocity;
        }
        audited_judge(&a, 0);
        CU_ASSERT_EQUAL(finding_blames(&a.audit.findings, "rest", IC_MISTAKE_DRIFTS_AT_REST), drifts[i].drifts);
        CU_ASSERT_FALSE(finding_blames(&a.audit.findings, "penetration", IC_MISTAKE_FALLS_THROUGH));
    }
}

/* Rows that begin just before a ball lands for good: what it falls in the first of them is no drift
   at rest. */
IC_TEST(test_rows_from_landing_on)
{
    size_t first = 0;
    IC_OWN(audited) a = audited_open("bouncing-ball/plastic", "1", 100);
    while (first + 1 < a.rows.n && a.rows.x[2 * (first + 1)] > 0) first++;
    CU_ASSERT_TRUE_FATAL(first > 0 && first + 20 < a.rows.n);
    CU_ASSERT(a.rows.x[2 * first] > 1e-3);
    a.rows.n -= first;
    memmove(a.rows.t, a.rows.t + first, a.rows.n * sizeof *a.rows.t);
    memmove(a.rows.x, a.rows.x + 2 * first, 2 * a.rows.n * sizeof *a.rows.x);
    if (a.rows.mode != NULL) memmove(a.rows.mode, a.rows.mode + first, a.rows.n * sizeof *a.rows.mode);
    audited_judge(&a, 0);
    CU_ASSERT_EQUAL(ic_findings_find(&a.audit.findings, "rest")->verdict, IC_FINDING_PASS);
}

/* ---- files */

static bool read_text(ic_trajectory *tr, const char *text, const ic_trajectory_reading *reading,
                      ic_error *error)
{
    IC_OWN(ic_setup) setup = {0};
    char *copy = malloc(strlen(text) + 1);
    FILE *stream = NULL;
    if (copy != NULL)
        stream =
            text[0] != '\0' ? fmemopen(memcpy(copy, text, strlen(text) + 1), strlen(text), "r") : tmpfile();
    CU_ASSERT_TRUE_FATAL(stream != NULL &&
                         ic_setup_open(&setup, &(ic_request){.path = "bouncing-ball/lively"}, NULL));
    if (stream == NULL) {
        free(copy);
        return false;
    }
    const bool good = ic_trajectory_read(tr, stream, "x.csv", &setup.problem, reading, error);
    fclose(stream);
    free(copy);
    return good;
}

IC_TEST(test_columns_and_units)
{
    const ic_trajectory_reading reading = {"t=time,x=ball y", "t=ms,x=mm"};
    IC_OWN(ic_trajectory) tr = {0};
    ic_error error = {""};
    CU_ASSERT_TRUE_FATAL(read_text(&tr, "time,ball y\n0,1000\n100,900\n200,700\n", &reading, &error));
    CU_ASSERT_TRUE_FATAL(tr.n == 3);
    CU_ASSERT_EQUAL(tr.t[2], 0.2);
    CU_ASSERT_DOUBLE_EQUAL(tr.x[2], 0.9, DBL_EPSILON);
    CU_ASSERT_DOUBLE_EQUAL(tr.x[3], -1.5, 8 * DBL_EPSILON); /* (0.7 - 1)/0.2 */
}

/* Columns by name, number, sign and offset; blanks as separators; no line of names. */
IC_TEST(test_columns_in_other_forms)
{
    static const struct form {
        const char *text, *columns, *units;
    } forms[] = {
        {"t,x,v\n0,1,0\n1,0.5,-1e-1\n", NULL, NULL},
        {"\xEF\xBB\xBF# by hand\r\n\"t\" ; \"x\" ;v\r\n0;1;0\r\n1;+.5;-1.0E-01\r\n\r\n\r\n", NULL, NULL},
        {"note\tv\tx\tt\na \"b\t0\t1\t0\n# more\nc\t-0.1\t5e-1\t1", NULL, NULL},
        {"\"no, \"\"te\",t,x,v\n\"a, b\",0,1,0\nc,1,0.50000000000000000000,-0.1\n", NULL, NULL},
        {"t x v\n0 1 0\n 1  0.5\t-0.1 \n", NULL, NULL},
        {"0,1,0\n1,0.5,-0.1\n", "t=1,x=2,v=3", NULL},
        {"\"the time\" x v\n0 1 0\n1 0.5 -0.1\n", "t=the time", NULL},
        {"0   1   0\n1 0.5 -0.1\n", "t=1,x=2,v=3", NULL},
        {"# of another program\n0 0 1\n1 0.1 0.5\n", "t=1,v=-2,x=3", NULL},
        {"t,h,hd\n0,-1,0\n1,-0.5,0.1\n", "x=-h,v=-hd", NULL},
        {"t,h,v\n0,1100,0\n1,600,-0.1\n", "x=h-100", "x=mm"},
        {"t,h,v\n0,-1.5,0\n1,-1,-0.1\n", "x=-h-5e-1", NULL},
        {"t,x-1,x,v\n0,1,7,0\n1,0.5,7,-0.1\n", "x=x-1", NULL},
        {"t,\"a, b\",\"c \"\"d\"\"\"\n0,2,0\n1,1.5,-0.1\n", "x=\"a, b\"-1,v=\"c \"\"d\"\"\"", NULL},
        {"time,ball y,v\n0,1,0\n1,0.5,-0.1\n", "t=time,x=ball y", NULL},
        {"t,a,b,g\n0,2,1,0\n1,1.5,1,0.2\n", "x=a-b,v=-g/2", NULL},
        {"t,a,c\n0,200,0\n1,150,-1\n", "x=a-100 cm,v=c*h/10 m/s", NULL},
        {"t,p,s\n0,1,0\n1,0.5,-0.36\n", "x=p,v=s km/h", NULL},
    };
    for (size_t i = 0; i < IC_COUNT(forms); i++) {
        const ic_trajectory_reading reading = {forms[i].columns, forms[i].units};
        IC_OWN(ic_trajectory) tr = {0};
        ic_error error = {""};
        if (!read_text(&tr, forms[i].text, &reading, &error)) printf("\n  %s: %s\n", forms[i].text, error.text);
        const double rounding = forms[i].columns != NULL || forms[i].units != NULL ? DBL_EPSILON : 0;
        CU_ASSERT_EQUAL_FATAL(tr.n, 2);
        CU_ASSERT_EQUAL(tr.t[1], 1);
        CU_ASSERT_DOUBLE_EQUAL(tr.x[0], 1, rounding);
        CU_ASSERT_DOUBLE_EQUAL(tr.x[2], 0.5, rounding);
        CU_ASSERT_DOUBLE_EQUAL(tr.x[3], -0.1, rounding);
    }
}

IC_TEST(test_bad_files)
{
    static const struct bad {
        const char *text, *columns, *units, *message;
    } bad[] = {
        {"", NULL, NULL, "x.csv:1:1: the file is empty"},
        {"t,x,v\n", NULL, NULL, "x.csv:2:1: 0 rows"},
        {"0,1,0\n1,1,0\n", NULL, NULL, "the first line has numbers"},
        {"t,v\n0,1\n1,1\n", NULL, NULL, "column 'x' does not exist; columns: t, v"},
        {"t,x,v\n0,1,0\n1,1,0\n", "x=x*v", NULL, "column 'x*v' does not exist for x"},
        {"t,x,v\n0,1,0\n1,1,0\n", "x=x*y", NULL, "column 'x*y' does not exist for x"},
        {"t,x,v\n0,1,0\n1,1,0\n", "x=x s", NULL, "column 'x s' does not exist for x"},
        {"time,x,v\n0,1,0\n1,1,0\n", NULL, NULL, "column 't' does not exist"},
        {"t,x,v,x\n0,1,0,1\n1,1,0,1\n", NULL, NULL, "x.csv:1:4: column 'x' occurs twice"},
        {"t,x,v\n0,1,0\n1,nan,0\n", NULL, NULL, "x.csv:3:3: column 'x': 'nan' is not a finite number"},
        {"t,x,v\n0,1,0\n1,1,inf\n", NULL, NULL, "x.csv:3:5: column 'v': 'inf' is not a finite number"},
        {"t,x,v\n0,1,0\n1,1e999,0\n", NULL, NULL, "is not a finite number"},
        {"t;x;v\n0;1,5;0\n1;1;0\n", NULL, NULL,
         "x.csv:2:3: column 'x': '1,5' is not a number; use a decimal point"},
        {"t,x,v\n0,one,0\n", NULL, NULL, "x.csv:2:3: column 'x': 'one' is not a number"},
        {"t,x,v\n0,,0\n", NULL, NULL, "the field is empty"},
        {"t,x,v\n0,1\n", NULL, NULL, "x.csv:2:4: 2 fields; the first line has 3"},
        {"t x v\n0 1\n", NULL, NULL, "x.csv:2:4: 2 fields; the first line has 3, separated by blanks"},
        {"0,1,0\n1,1,0\n", "t=1,x=4,v=3", NULL, "column '4' does not exist for x"},
        {"t,x,v\n0,1,0\n1,1,0\n", "x=-y", NULL, "column '-y' does not exist for x"},
        {"t,x,v\n0,1,0\n1,1,0\n", "x=x-", NULL, "column 'x-' does not exist for x"},
        {"t,x,v\n0,1,0,0\n", NULL, NULL, "4 fields"},
        {"t,x,v\n0,1,0\n1,1,0\n0.5,1,0\n", NULL, NULL, "x.csv:4:1: time decreases"},
        {"t,x,v\n0,\"1,0\n", NULL, NULL, "x.csv:2:3: a quoted field is not closed"},
        {"t,x,v,mode\n0,1,0,up\n", NULL, NULL, "mode 'up' does not exist; modes: flight, rest"},
        {"t,x,v\n0,1,0\n1,1,0\n", "x=y", NULL, "column 'y' does not exist for x"},
        {"t,x,v\n0,1,0\n1,1,0\n", "y=x", NULL, "option --columns: 'y=x' is not NAME=COLUMN"},
        {"t,x,v\n0,1,0\n1,1,0\n", NULL, "x=smoot",
         "option --units: x: UDUNITS-2 does not know the unit 'smoot'"},
        {"t,x,v\n0,1,0\n1,1,0\n", NULL, "x=ms", "is not a unit of a quantity measured in m"},
        {"t,x,v\n0,\"1,5\",0\n", NULL, NULL,
         "x.csv:2:3: column 'x': '1,5' is not a number; use a decimal point"},
        {"t,x,v\n0,0x10,0\n", NULL, NULL, "'0x10' is not a number; write a number such as 0.5 or -1.5e-3"},
        {"t,\"x\ny\",v\n0,1,0\n", NULL, NULL, "x.csv:1:3: a quoted name is not closed in its line"},
        {"t,x,v\n0,1e307,0\n", NULL, "x=km", "x.csv:2:3: column 'x': 1e307 is not a finite number in SI units"},
        {"t,x\n0,1e308\n1e-300,-1e308\n", NULL, NULL,
         "x.csv:2:1: the values of 'v' that follow from the rows are not finite"},
        {"t,x,v\n0,1,0\n1,1,0\n", NULL, "x=mm,x=m", "option --units: 'x' occurs twice; give it once"},
    };
    for (size_t i = 0; i < IC_COUNT(bad); i++) {
        const ic_trajectory_reading reading = {bad[i].columns, bad[i].units};
        ic_trajectory tr = {0};
        ic_error error = {""};
        CU_ASSERT_FALSE(read_text(&tr, bad[i].text, &reading, &error));
        IC_EXPECT(strstr(error.text, bad[i].message) != NULL, "%s: not in: %s", bad[i].message, error.text);
    }
}

IC_TEST(test_numbers)
{
    static const char *const texts[] = {"0.1", "-2.2250738585072014e-308", "1.7976931348623157e308",
                                        "123456789012345678901234567890", "5e-324",
                                        "0.000000000000000000000000000001234567890123456789",
                                        /* 1e22 is the last exact power */
                                        "3.141592653589793", "1e-22", "1e23",
                                        /* in the middle of two: to the even one */
                                        /* not to the even one */
                                        "9007199254740993", "9007199254740993.01", "0e999", "1e999", "1e-999"};
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        double value = NAN;
        CU_ASSERT_TRUE(ic_csv_parse_number(texts[i], &value));
        CU_ASSERT_EQUAL(value, strtod(texts[i], NULL));
    }
    /* 1 + 2^-53, in the middle of two, with digits behind it that decide: as many as strtod is
       given, and more */
    static char middle[1000] = "1.00000000000000011102230246251565404236316680908203125";
    double value = 0;
    CU_ASSERT_TRUE(ic_csv_parse_number(middle, &value));
    CU_ASSERT_EQUAL(value, 1);
    memset(middle + strlen(middle), '0', sizeof middle - 2 - strlen(middle));
    middle[sizeof middle - 2] = '1';
    CU_ASSERT_TRUE(ic_csv_parse_number(middle, &value));
    CU_ASSERT_EQUAL(value, nextafter(1, 2));
    CU_ASSERT_FALSE(ic_csv_parse_number("", &value) || ic_csv_parse_number("1e5x", &value) ||
                    ic_csv_parse_number(".", &value) || ic_csv_parse_number("--1", &value) ||
                    ic_csv_parse_number("1 2", &value));
}

/* Writes the times and the first states of the rows to a file, and reads it. `whole` receives the rows. */
static void reread(audited *a, ic_trajectory *whole, size_t states)
{
    ic_error error = {""};
    const ic_trajectory_reading plain = {NULL, NULL};
    FILE *stream = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    *whole = a->rows;
    a->rows = (ic_trajectory){0};
    fprintf(stream, "t");
    for (size_t j = 0; j < states; j++) fprintf(stream, ",%s", a->setup.problem.system->states[j].name);
    for (size_t i = 0; i < whole->n; i++) {
        fprintf(stream, "\n%.17g", whole->t[i]);
        for (size_t j = 0; j < states; j++) fprintf(stream, ",%.17g", whole->x[i * whole->n_states + j]);
    }
    rewind(stream);
    CU_ASSERT_TRUE_FATAL(ic_trajectory_read(&a->rows, stream, "x.csv", &a->setup.problem, &plain, &error));
    fclose(stream);
}

/* Velocities from differences show another gravity and another restitution, and do not fail right rows. */
IC_TEST(test_positions_alone)
{
    static const struct {
        const char *own, *check;
        ic_mistake_id mistake;
    } all[] = {{"bouncing-ball/lively", "events", IC_NO_MISTAKE},
               {"bouncing-ball/lively g=9.6", "local-defect", IC_MISTAKE_PARAMETER_WRONG},
               {"bouncing-ball/lively e=0.87", "restitution", IC_MISTAKE_RESTITUTION_WRONG},
               {"impact-oscillator/duffing", "across-events", IC_NO_MISTAKE},
               {"impact-oscillator/duffing e=0.7", "across-events", IC_MISTAKE_PARAMETER_WRONG}};
    for (size_t i = 0; i < IC_COUNT(all); i++) {
        IC_OWN(ic_trajectory) whole;
        const ic_options options = {.samples = i < 3 ? 301 : 1001};
        const char *as = all[i < 3 ? 0 : 3].own, *until = i < 3 ? "3" : "20";
        IC_OWN(audited) a = audited_open_as(as, all[i].own, until, NULL, &options);
        reread(&a, &whole, 1);
        CU_ASSERT_EQUAL(a.rows.source[1], IC_FROM_DIFFERENCES);
        const ic_audit_verdict verdict = audited_judge(&a, 0);
        if (all[i].mistake == IC_NO_MISTAKE) CU_ASSERT_EQUAL(verdict, IC_AUDIT_GOOD);
        if (all[i].mistake != IC_NO_MISTAKE)
            CU_ASSERT_TRUE(finding_blames(&a.audit.findings, all[i].check, all[i].mistake));
    }
}

/* A grid goes on across rows that are lost. */
IC_TEST(test_lost_rows)
{
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "3", 301);
    const size_t n = a.rows.n_states;
    for (size_t lost = 20; lost < 300; lost += 90) {
        a.rows.n--;
        memmove(a.rows.t + lost, a.rows.t + lost + 1, (a.rows.n - lost) * sizeof *a.rows.t);
        memmove(a.rows.x + lost * n, a.rows.x + (lost + 1) * n, (a.rows.n - lost) * n * sizeof *a.rows.x);
    }
    CU_ASSERT_EQUAL(audited_judge(&a, 0), IC_AUDIT_GOOD);
    CU_ASSERT(a.audit.tracking.n_intervals > 250);
}

/* A summit where noise bends the rows is no impact, of which one noise in 400 makes a bounce with e = 1. */
IC_TEST(test_noise_at_summit)
{
    uint64_t seed = 237 * 7919 + 1;
    IC_OWN(ic_trajectory) whole = {0};
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "4.5", 541);
    size_t n = 0;
    for (size_t i = 0; i < a.rows.n; i++) {
        double sum = -6;
        if (i > 0 && a.rows.t[i] == a.rows.t[i - 1])
            continue; /* both sides of an impact are no row of a camera */
        if (i + 1 < a.rows.n && a.rows.t[i] == a.rows.t[i + 1]) continue;
        for (int k = 0; k < 12; k++) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            sum += (double)(seed >> 11) / 9007199254740992.0;
        }
        a.rows.t[n] = a.rows.t[i];
        a.rows.x[n++ * a.rows.n_states] = a.rows.x[i * a.rows.n_states] + 1e-3 * sum;
    }
    a.rows.n = n;
    reread(&a, &whole, 1);
    audited_judge(&a, 0);
    CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), 0);
}

/* Times of impacts alone show restitution and gravity. */
IC_TEST(test_times_alone)
{
    static const struct {
        double g, e;
        ic_audit_verdict verdict;
    } all[] = {{9.81, 0.9, IC_AUDIT_GOOD}, {9.81, 0.88, IC_AUDIT_FAILED}, {9.7, 0.9, IC_AUDIT_FAILED}};
    for (size_t i = 0; i < IC_COUNT(all); i++) {
        char text[400] = "t\n";
        ic_error error = {""};
        const ic_trajectory_reading plain = {NULL, NULL};
        double t = 5 + sqrt(2 / all[i].g), gap = 2 * all[i].e * sqrt(2 / all[i].g);
        IC_OWN(audited) a = audited_open("bouncing-ball/lively", NULL, 0);
        for (int impact = 0; impact < 10; impact++, t += gap, gap *= all[i].e)
            ic_text_append(text, sizeof text, "%.6f\n", t);
        FILE *stream = fmemopen(text, strlen(text), "r");
        CU_ASSERT_TRUE_FATAL(ic_trajectory_read(&a.rows, stream, "x.csv", &a.setup.problem, &plain, &error));
        fclose(stream);
        CU_ASSERT_EQUAL(audited_judge(&a, 0), all[i].verdict);
        CU_ASSERT_EQUAL(findings_naming(&a.audit.findings, IC_MISTAKE_RESTITUTION_WRONG), i == 1 ? 1 : 0);
        CU_ASSERT_EQUAL(findings_naming(&a.audit.findings, IC_MISTAKE_PARAMETER_WRONG), i == 2 ? 1 : 0);
    }
}

/* The memory of a law, or what moves nothing, is followed, not demanded; rows with another parameter are wrong. */
IC_TEST(test_hidden_memory)
{
    static const struct {
        const char *as, *own;

        /* the first state that the rows lack */
        const char *lacking;
    } all[] = {{"clearance-joint e=0.9", "clearance-joint e=0.9", "joint"},
               {"clearance-joint e=0.9", "clearance-joint e=0.5", "joint"},
               {"stick-slip/belt", "stick-slip/belt", "x2"},
               {"stick-slip/belt", "stick-slip/belt k1=5", "x2"}};
    for (size_t i = 0; i < IC_COUNT(all); i++) {
        IC_OWN(ic_trajectory) whole;
        IC_OWN(audited) a = audited_open_as(all[i].as, all[i].own, NULL, NULL, &(ic_options){.samples = 4001});
        const size_t n = a.rows.n_states;
        reread(&a, &whole, ic_state_find(a.setup.problem.system, all[i].lacking));
        CU_ASSERT_EQUAL(a.rows.source[n - 1], IC_FROM_TRACKING);
        CU_ASSERT_EQUAL(audited_judge(&a, 0), i % 2 != 0 ? IC_AUDIT_FAILED : IC_AUDIT_GOOD);
    }
}

/* The frame of the roller, and what the contact remembers, from t, x2 and v2 alone. */
IC_TEST(test_three_columns)
{
    IC_OWN(ic_trajectory) whole;
    IC_OWN(audited) a = audited_open("roller/III/C", "0.5", 2001);
    reread(&a, &whole, 2);
    CU_ASSERT_EQUAL(a.rows.source[2], IC_FROM_MODEL);
    double worst = 0, range = 0;
    for (size_t i = 0; i < a.rows.n; i++) {
        worst = fmax(worst, fabs(a.rows.x[i * 5 + 2] - whole.x[i * 5 + 2]));
        range = fmax(range, fabs(whole.x[i * 5 + 2] - whole.x[2]));
    }
    CU_ASSERT_TRUE(range > 1e-4);         /* it moved */
    CU_ASSERT_TRUE(worst < 1e-3 * range); /* cubics through rows 0.25 ms apart, corners at events */
    audited_judge(&a, 0);
    CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), 0);
    CU_ASSERT_STRING_EQUAL(a.audit.classifications[0].candidates[0].name, "C = C*");
}

/* A block rocks: the side about which it rocks follows from the events. With its velocities reversed it does not. */
IC_TEST(test_missing_discrete_states)
{
    for (int wrong = 0; wrong < 2; wrong++) {
        IC_OWN(audited) a = audited_open("rocking-block/free", NULL, 1001);
        const ic_case *system = a.setup.problem.system;
        const size_t n = a.rows.n_states, side = ic_state_find(system, "side"), w = ic_state_find(system, "w");
        a.rows.source[side] = a.rows.source[ic_state_find(system, "shaken")] = IC_FROM_TRACKING;
        for (size_t i = 0; i < a.rows.n; i++) {
            a.rows.x[i * n + side] = 0;
            if (wrong) a.rows.x[i * n + w] *= -1;
        }
        CU_ASSERT_EQUAL(audited_judge(&a, 0), wrong ? IC_AUDIT_FAILED : IC_AUDIT_GOOD);
        if (!wrong) findings_print_failed(&a.audit.findings, "rocking-block/free");
    }
}
