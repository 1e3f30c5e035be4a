/* SPDX-License-Identifier: MIT */
/**
 * Audit of physics engines of one body: each that follows a law is told with its law, each wrong one
 * fails and its mistake is named, none of them is an engine.
 */
#include "audit/engine/engine.h"
#include "audit/scene/scene.h"
#include "audit/scene/scene_file.h"
#include "tests/tests.h"

IC_SUITE(audits, "audit of physics engines")

/* s; the planted engine answers in milliseconds, sanitized ones in tens of them */
#define LIMIT 20.0
#define LIMIT_OF_HANGING 0.3

/* Table 2 prints three decimals */
#define HALF_A_DIGIT 5e-4

/* N s, m/s; where an impact ends is found by halving to rounding: with e = 0 no damping is great
   enough, and 1e6 leaves log(1e6)/1e6 */
#define ENDS 2e-5

typedef struct outcome {
    ic_scenes scenes;
    ic_scene_result results[IC_MOST_SCENES];
} outcome;

/* The planted engine with this variant plays these scenes: tests/programs/planted_engine.c. */
static outcome *play(const char *scenes, const char *program, const char *variant, double limit)
{
    static outcome o;
    ic_error error = {""};
    ic_scene_player player = {.program = program, .variant = variant, .config = "default", .seconds = limit};
    CU_ASSERT_FATAL(ic_scenes_read(&o.scenes, scenes, NULL, &error) && ic_scenes_certify(&o.scenes, &error));
    for (size_t i = 0; i < o.scenes.n; i++)
        CU_ASSERT_FATAL(ic_scene_audit(&o.results[i], o.scenes.files[i], o.scenes.answers[i], &player));
    ic_scene_share_causes(o.results, o.scenes.n);
    ic_scene_player_close(&player);
    return &o;
}

static void release(outcome *o)
{
    for (size_t i = 0; i < o->scenes.n; i++) ic_scene_result_free(&o->results[i]);
    ic_scenes_free(&o->scenes);
}

/* The number of figures that fail and have this mistake; `said`: in the words on it. All of them are counted. */
static size_t count(const outcome *o, ic_mistake_id mistake, const char *said, size_t *failed)
{
    size_t n = 0;
    *failed = 0;
    for (size_t i = 0; i < o->scenes.n; i++) {
        const ic_scene_result *r = &o->results[i];
        for (size_t k = 0; k < r->file->n_figures; k++) {
            const ic_figure_result *f = &r->figures[k];
            if (f->failed == 0) continue;
            ++*failed;
            n += f->cause == mistake && strstr(f->because, said) != NULL;
        }
        n += r->broken > 0 && mistake == IC_MISTAKE_NOT_FINITE && said[0] == '\0' &&
             r->ends[r->first_broken] == IC_MOTION_NOT_FINITE;
    }
    return n;
}

static void print_failed(const outcome *o, const char *variant)
{
    for (size_t i = 0; i < o->scenes.n; i++) {
        const ic_scene_result *r = &o->results[i];
        for (size_t k = 0; k < r->file->n_figures; k++) {
            if (r->figures[k].failed > 0)
                printf("\n  %s, %s, %s: %s: %s", variant, r->file->name, r->file->figures[k].name,
                       ic_mistake_name(r->figures[k].cause), r->figures[k].because);
        }
    }
}

/* Follows a law exactly: all figures but that of energy pass; Stronge's law passes that as well. */
static void check_law(const char *law, ic_mistake_id gains)
{
    outcome *o = play("rough-bar,ball-on-ground,slow-flight", IC_TEST_ENGINE, law, LIMIT);
    const ic_scene_result *r = &o->results[0];
    size_t failed = 0;
    const size_t named = count(o, gains, "", &failed);
    CU_ASSERT_EQUAL(failed, gains != IC_NO_MISTAKE);
    CU_ASSERT_EQUAL(named, failed);
    if (named != failed || failed > 1) print_failed(o, law);
    CU_ASSERT_EQUAL_FATAL(r->broken, 0);
    CU_ASSERT(r->law.found.decided);
    CU_ASSERT_STRING_EQUAL(r->law.found.candidates[0].name, law);
    release(o);
}

IC_TEST(test_laws)
{
    check_law("newton", IC_MISTAKE_NEWTON_ENERGY_GAIN);
    check_law("poisson", IC_NO_MISTAKE);
    check_law("newton-at-once", IC_MISTAKE_NEWTON_ENERGY_GAIN);
    check_law("stronge", IC_NO_MISTAKE);
}

/* Its mistake is named, if it is given with these words, and by as many figures as any other. */
static void check_mistake(const char *variant, ic_mistake_id mistake, const char *said)
{
    outcome *o = play("thrown-ball,slow-flight,ball-on-ground,falling-ball,rough-bar,spin-in-plane",
                      IC_TEST_ENGINE, variant, LIMIT);
    size_t failed = 0;
    const size_t right = count(o, mistake, said, &failed);
    bool good = right > 0 && count(o, mistake, "planted", &failed) == 0;
    for (int other = IC_NO_MISTAKE + 1; mistake != IC_NO_MISTAKE && other < IC_MISTAKE_COUNT; other++)
        good &= count(o, (ic_mistake_id)other, "", &failed) <= count(o, mistake, "", &failed);
    CU_ASSERT(good);
    if (!good) print_failed(o, variant);
    release(o);
}

/* A fitted mistake is reported with its factor; two mistakes of one kind are distinguished; a bar is observed in flight. */
IC_TEST(test_mistakes)
{
    static const struct {
        const char *variant;
        ic_mistake_id mistake;
        const char *said;
    } mistakes[] = {
        {"ignores-e", IC_MISTAKE_RESTITUTION_IGNORED, "c = 0.1"},
        {"half", IC_MISTAKE_RESTITUTION_IGNORED, "c = 0.5"},
        {"threshold", IC_MISTAKE_RESTITUTION_THRESHOLD, ""},
        {"by-phase", IC_MISTAKE_RESTITUTION_BY_PHASE, ""},
        {"frictionless", IC_MISTAKE_FRICTIONLESS, ""},
        {"gains", IC_MISTAKE_ENERGY_APPEARS, ""},
        {"falls-through", IC_MISTAKE_FALLS_THROUGH, ""},
        {"not-finite", IC_MISTAKE_NOT_FINITE, ""},
        {"fixed-bound", IC_MISTAKE_FRICTION_BOUND, ""},
        {"fades", IC_MISTAKE_DAMPED_FLIGHT, "c = 0.1"},
        {"bar-fades", IC_MISTAKE_DAMPED_FLIGHT, ""},
        {"thin", IC_MISTAKE_TUNNELS, ""},
        {"half-friction", IC_MISTAKE_FRICTION_FACTOR, "with the coefficient of friction times 0.5"},
        {"rigid-solves", IC_MISTAKE_ROTATION_IGNORED, "with the impulse of a body that does not rotate"},
        {"no-turn", IC_MISTAKE_ROTATION_IGNORED, "of a body that does not rotate"},
        {"centre-slip", IC_MISTAKE_ROTATION_IGNORED, "with the tangential velocity of the centre as the slip"},
        {"turns-late", IC_NO_MISTAKE, "none of the mistakes"},
    };
    const ic_tests_part part = ic_tests_part_wanted();
    for (size_t i = part.first; i < IC_COUNT(mistakes); i += part.stride)
        check_mistake(mistakes[i].variant, mistakes[i].mistake, mistakes[i].said);
}

/* An engine that returns no motion. Others are with the scenes' tests. */
static void check_broken(const char *program, const char *variant, ic_motion_end end, double limit,
                         const char *said)
{
    outcome *o = play("rough-bar", program, variant, limit);
    const ic_scene_result *r = &o->results[0];
    CU_ASSERT_EQUAL(r->broken, r->n_settings);
    CU_ASSERT_EQUAL(r->verdict, IC_SCENE_FAILED);
    CU_ASSERT_EQUAL(r->ends[0], end);
    CU_ASSERT_EQUAL(r->law.found.count, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->detail, said));
    if (strstr(r->detail, said) == NULL || r->ends[0] != end) printf("\n  %s: %s", variant, r->detail);
    release(o);
}

IC_TEST(test_broken)
{
    check_broken(IC_TEST_ENGINE, "crashes", IC_MOTION_CRASHED, LIMIT, "signal");
    check_broken(IC_TEST_ENGINE, "hangs", IC_MOTION_HUNG, LIMIT_OF_HANGING, "still running after");
    check_broken(IC_TEST_ENGINE, "hides", IC_MOTION_HUNG, LIMIT_OF_HANGING, "still running after");
    check_broken(IC_TEST_ENGINE, "fails", IC_MOTION_FAILED, LIMIT, "exit status 3");
    check_broken(IC_TEST_ENGINE, "garbage", IC_MOTION_GARBAGE, LIMIT, "the protocol has no such line");
    check_broken(IC_TEST_ENGINE, "cut-short", IC_MOTION_GARBAGE, LIMIT, "rows");
    check_broken(IC_TEST_ENGINE, "back-in-time", IC_MOTION_GARBAGE, LIMIT, "is due");
    check_broken(IC_TEST_ENGINE, "silent", IC_MOTION_FAILED, LIMIT, "ended without a motion");
    check_broken("/no/such/program", "", IC_MOTION_FAILED, LIMIT, "exit status 127");
}

/* What an engine does not offer is no failure, others are judged; the law follows from half of the impacts at least. */
static void check_not_offered(const char *variant, ic_scene_verdict bar, ic_scene_verdict ball, bool law)
{
    outcome *o = play("rough-bar,ball-on-ground", IC_TEST_ENGINE, variant, LIMIT);
    CU_ASSERT_EQUAL(o->results[0].verdict, bar);
    CU_ASSERT_EQUAL(o->results[1].verdict, ball);
    CU_ASSERT_EQUAL(o->results[0].law.found.decided, law);
    release(o);
}

IC_TEST(test_not_offered)
{
    check_not_offered("stronge", IC_SCENE_PASSED, IC_SCENE_PASSED, true);
    check_not_offered("no-bars", IC_SCENE_PASSED, IC_SCENE_PASSED, false);
    check_not_offered("no-balls", IC_SCENE_FAILED, IC_SCENE_UNSUPPORTED, true);
    check_not_offered("no-friction", IC_SCENE_FAILED, IC_SCENE_PASSED, true);
    check_not_offered("no-bars-half", IC_SCENE_PASSED, IC_SCENE_FAILED, false);
}

/* ---- laws */

/* The impact, for impact maps, of a body of this mass and inertia at the point r, m, with velocity v, m/s. */
static ic_impact impact_at(double mass, double inertia, const double r[2], const double v[2], double mu,
                           double e)
{
    return (ic_impact){.v = {v[0], v[1]},
                       .w_xx = 1 / mass + r[1] * r[1] / inertia,
                       .w_xy = -r[0] * r[1] / inertia,
                       .w_yy = 1 / mass + r[0] * r[0] / inertia,
                       .mu = mu,
                       .e = e,
                       .k_x = 1,
                       .k_y = 1};
}

/* The impact of a slender bar of 1 kg and 1 m at this angle, degrees. */
static ic_impact bar_impact(double angle, const double v[2], double mu, double e)
{
    const double phi = angle * M_PI / 180, r[] = {-sin(phi) / 2, -cos(phi) / 2};
    return impact_at(1, 1.0 / 12, r, v, mu, e);
}

/*
 * Hunt and Crossley's law of an impact: a central one returns e; without damping it is Stronge's;
 * with it there is less. The plugin engine_hunt_crossley compares it with the force itself, in
 * small steps.
 */
IC_TEST(test_hunt_crossley)
{
    const double r[] = {0, -0.1}, v[] = {0.4, -1}, before[] = {0.8, -1};
    for (int i = 0; i <= 10; i++) {
        const double e = i / 10.0;
        double P[2] = {0}, known[2] = {0};
        const ic_impact central = impact_at(2, 0.01, r, v, 0.3, e);
        ic_impact oblique = bar_impact(20 + 5 * i, before, 0.2 + 0.05 * i, 1);
        CU_ASSERT_FATAL(ic_law_of_hunt_crossley.impulse(P, &central));
        CU_ASSERT_DOUBLE_EQUAL(central.v[1] + central.w_yy * P[1], e, ENDS);
        CU_ASSERT_FATAL(ic_law_of_hunt_crossley.impulse(P, &oblique));
        CU_ASSERT_FATAL(ic_impact_law_find("stronge")->impulse(known, &oblique));
        CU_ASSERT_DOUBLE_EQUAL(P[0], known[0], ENDS);
        CU_ASSERT_DOUBLE_EQUAL(P[1], known[1], ENDS);
        oblique.e = 0.5;
        CU_ASSERT(ic_law_of_hunt_crossley.impulse(P, &oblique) && P[1] < known[1]);
    }
}

/* Kecskemethy & Lange 1999, Table 2: what the engines' table is compared with. */
IC_TEST(test_table_2)
{
    static const struct {
        const char *map;

        /* E+/E-, as the study of that table has it */
        double ratio;

        /* m/s, as that study has it */
        double v_y;
    } laws[] = {{"newton", 1.122, 1}, {"poisson", 0.844, 0.520}, {"stronge", 0.902, 0.651}};
    const double before[] = {0.8, -1};
    const ic_impact p = bar_impact(45, before, 1, 1);
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        ic_impact_result result;
        CU_ASSERT_EQUAL(ic_impact_map_find(laws[i].map)->map(&result, &p), IC_OK);
        CU_ASSERT_DOUBLE_EQUAL(result.v[1], laws[i].v_y, HALF_A_DIGIT);
        const double energy = (0.8 * 0.8 + 1) / 2; /* of the bar, which only translates */
        CU_ASSERT_DOUBLE_EQUAL(1 - (result.D_N + result.D_T) / energy, laws[i].ratio, HALF_A_DIGIT);
    }
}

/* A path without a corner at which the mistake acts is that of the map. */
IC_TEST(test_path)
{
    static const char *const laws[] = {"newton", "poisson", "stronge"};
    const ic_impact slides = bar_impact(20, (const double[]){3, -1}, 0.2, 0.5),
                    sticks = bar_impact(45, (const double[]){0.8, -1}, 1, 1);
    double P[2] = {0}, known[2] = {0};
    for (size_t i = 0; i < 2 * IC_COUNT(laws); i++) {
        const ic_impact_law *law = ic_impact_law_find(laws[i / 2]);
        const ic_impact *impact = i % 2 == 0 ? &slides : &sticks;
        CU_ASSERT_FATAL(law->impulse(known, impact) &&
                        ic_impulse_on_path(P, impact, law, IC_PATH_ALWAYS_STICKS));
        CU_ASSERT_DOUBLE_EQUAL(P[0], known[0], ENDS);
        CU_ASSERT_DOUBLE_EQUAL(P[1], known[1], ENDS);
        if (i % 2 == 0)
            CU_ASSERT(ic_impulse_on_path(P, &slides, law, IC_PATH_FIRST_REVERSED) && P[0] > 0 && known[0] < 0);
    }
    CU_ASSERT_FALSE(ic_impulse_on_path(P, &sticks, ic_impact_law_find("frictionless"), IC_PATH_ALWAYS_STICKS));
}
