/* SPDX-License-Identifier: MIT */
/**
 * Audit of engines by scenes: a right engine passes, each wrong one fails and its mistake is named,
 * programs that return no motion are told apart, and the examples for users pass.
 *
 * Each wrong engine plays one scene; with IC_TESTS_PART=0/1 it plays all, and no wrong name may be given.
 */
#include "audit/scene/scene.h"
#include "audit/scene/scene_file.h"
#include "tests/tests.h"

IC_SUITE(audits, "audit of scenes")
IC_OWNED_POINTER(ic_exact_place, free)

/* m and m/s: some hundred small steps of the right engine, each rounded to 1e-15, with a margin */
#define SUMMED 1e-9
/* s; a scene takes some hundredths, sanitized ones more */
#define LIMIT 60.0
#define LIMIT_OF_HANGING 0.3

enum { MOST_EXTRA = 4 };

typedef struct played {
    ic_scenes scenes;
    ic_scene_result results[IC_MOST_SCENES];
} played;

/* settings are drawn and scenes disguised with this seed; NULL: they are not */
static const uint64_t *drawn;

/* In one process; each worst setting once more, in a second one. */
static void play_text(played *p, const char *program, const char *variant, const char *config, double seconds)
{
    for (int again = 0; again < 2; again++) {
        ic_scene_player player = {.program = program,
                                  .variant = variant,
                                  .config = config,
                                  .seconds = seconds,
                                  .disguised = drawn != NULL,
                                  .seed = drawn != NULL ? *drawn : 0};
        for (size_t i = 0; i < p->scenes.n; i++) {
            ic_scene_result *r = &p->results[i];
            const double *answers = p->scenes.answers[i];
            CU_ASSERT_FATAL(again != 0 ? ic_scene_repeat(r, answers, &player)
                                       : ic_scene_audit(r, p->scenes.files[i], answers, &player));
        }
        ic_scene_player_close(&player);
    }
}

static void play(played *p, const char *scenes, const char *program, const char *variant, double seconds)
{
    ic_error error = {""};
    IC_EXPECT_FATAL(ic_scenes_read(&p->scenes, scenes, drawn, &error) && ic_scenes_certify(&p->scenes, &error),
                    "%s", error.text);
    play_text(p, program, variant, "default", seconds);
}

static void release(played *p)
{
    for (size_t i = 0; i < p->scenes.n; i++) ic_scene_result_free(&p->results[i]);
    ic_scenes_free(&p->scenes);
}

static bool plays_everything(void)
{
    return ic_tests_part_wanted().stride == 1;
}

/* ---- right engines */

static void check_passes(const char *program, const char *variant, const char *scenes)
{
    static played p;
    play(&p, scenes, program, variant, LIMIT);
    for (size_t i = 0; i < p.scenes.n; i++) {
        const ic_scene_result *r = &p.results[i];
        CU_ASSERT_EQUAL(r->verdict, IC_SCENE_PASSED);
        CU_ASSERT_EQUAL(r->broken, 0);
        CU_ASSERT_EQUAL(r->spread, 0);
        for (size_t k = 0; k < r->file->n_figures; k++) {
            if (r->figures[k].failed == 0) continue;
            printf("\n  %s fails %s: %s", program, r->file->name, r->file->figures[k].name);
        }
    }
    release(&p);
}

IC_TEST(test_right)
{
    check_passes(IC_TEST_SCENE_ENGINE, "right", "all");
}

/* ---- exact motions */

/* rad, or 1 less the cosine of half of it */
#define TURNED 0.005
/* m: where bodies rest, the right engine's iterations leave tenths of it */
#define AT_REST 1e-6

/*
 * The greatest distance of a body from its exact motion over what it moves in a row at each of its
 * impacts, which may be seen late; infinite if it turns otherwise.
 */
static double distance_from_exact(const ic_scene_result *r, const ic_world *world, const ic_exact_place *exact,
                                  size_t body)
{
    double most = 0, speed = 0, impacts = 1, before = 0;
    for (size_t i = 0; i < r->motion.n_rows; i++) {
        const double *q = r->motion.rows + i * r->motion.row_size + body * IC_SCENE_QUANTITY_COUNT;
        const double *turned = r->motion.turned + 4 * (i * world->n_bodies + body);
        const ic_exact_place *place = &exact[i * world->n_bodies + body];
        const double apart = hypot(hypot(q[IC_SCENE_X] - place->at[0], q[IC_SCENE_Y] - place->at[1]),
                                   q[IC_SCENE_Z] - place->at[2]);
        double along = 0;
        for (int k = 0; k < 4; k++) along += turned[k] * place->turned[k];
        impacts += before < -0.1 && q[IC_SCENE_VY] > 0.1;
        before = q[IC_SCENE_VY];
        speed = fmax(speed, hypot(hypot(q[IC_SCENE_VX], q[IC_SCENE_VY]), q[IC_SCENE_VZ]));
        most = fmax(most, apart);
        if (world->file->dimension == 2 && !(fabs(q[IC_SCENE_ANGLE] - place->angle) < TURNED)) return INFINITY;
        if (ic_scene_given(&world->file->bodies[body].path.turned[0]) && !(fabs(along) > 1 - TURNED))
            return INFINITY;
    }
    return most / (impacts * speed * world->step + AT_REST);
}

/* The motion of the right engine in the worst setting is the exact one. Returns the number of bodies. */
static size_t check_exact(const ic_scene_result *r)
{
    ic_world world;
    ic_error error = {""};
    size_t n = 0;
    ic_world_make(&world, r->file, r->shown);
    if (!ic_scene_exact_any(&world)) return 0;
    IC_OWN(ic_exact_place) *exact = ic_scene_exact_motion(&world, 1, r->motion.n_rows, &error);
    IC_EXPECT_FATAL(exact != NULL, "%s: %s", r->file->name, error.text);
    for (size_t b = 0; b < world.n_bodies; b++) {
        if (!ic_scene_exact_known(&world, b)) continue;
        const double distance = distance_from_exact(r, &world, exact, b);
        IC_EXPECT(distance < 0.5, "%s: '%s' is off by %g", r->file->name, world.bodies[b].name, distance);
        n++;
    }
    return n;
}

/* All but the scenes without an exact motion, among them the chain with e < 1. */
IC_TEST(test_exact)
{
    static played p;
    size_t n = 0;
    play(&p, "all", IC_TEST_SCENE_ENGINE, "right", LIMIT);
    for (size_t i = 0; i < p.scenes.n; i++) n += check_exact(&p.results[i]);
    CU_ASSERT(n >= 25);
    release(&p);
    /* planted */
    play(&p, "spin-in-plane", IC_TEST_SCENE_ENGINE, "frictionless", LIMIT);
    const ic_scene_result *r = &p.results[0];
    ic_world world;
    ic_error error = {""};
    ic_world_make(&world, r->file, r->shown);
    IC_OWN(ic_exact_place) *exact = ic_scene_exact_motion(&world, 1, r->motion.n_rows, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
    CU_ASSERT(!(distance_from_exact(r, &world, exact, 1) < 0.5));
    release(&p);
}

/* ---- */

/* One step to a row, as engines of games take: tolerances leave room for it. */
IC_TEST(test_one_step)
{
    check_passes(
        IC_TEST_SCENE_ENGINE, "one-step",
        "ball-at-rest,ball-on-ground,two-balls,falling-ball,grazing-ball,gyroscope,hinge-stop,overlap,ramp,"
        "rolling-ball,rough-bar,sliding-box,sliding-direction,slow-flight,spin-in-plane,spin-in-space,"
        "tipping-box,chain");
}

#define BALLS                                                                                                  \
    "ball-at-rest,ball-on-ground,two-balls,chain,falling-ball,grazing-ball,overlap,rolling-ball,slow-flight,"  \
    "spin-in-plane,spin-in-space"

static bool is_installed(const char *program)
{
    char command[64];
    snprintf(command, sizeof command, "command -v %s > /dev/null", program);
    return system(command) == 0; /* NOLINT(cert-env33-c): a fixed command */
}

/* The interpreted ones play all of them in the full tier. */
IC_TEST(test_examples)
{
    const char *const scenes = plays_everything() ? BALLS : "overlap,spin-in-space";
    check_passes(IC_TEST_SCENE_EXAMPLE, "", BALLS);
    if (is_installed("python3")) check_passes(IC_TEST_SOURCE_DIR "/examples/engine/engine.py", "", scenes);
    if (is_installed("node")) check_passes(IC_TEST_SOURCE_DIR "/examples/engine/engine.js", "", scenes);
}

/* ---- wrong engines */

static const struct wrong {
    const char *variant, *scene;
    ic_mistake_id mistake;

    /* other names that its figures may get, as they are true as well */
    ic_mistake_id also[MOST_EXTRA];
} wrong_engines[] = {
    {"overlap-gives-velocity", "overlap", IC_MISTAKE_OVERLAP_GIVES_VELOCITY, {IC_NO_MISTAKE}},
    {"pyramid", "sliding-direction", IC_MISTAKE_FRICTION_ANISOTROPIC, {IC_NO_MISTAKE}},
    /* between its axes it is weaker by a factor, in the plane always */
    {"pyramid-inside", "spin-in-space", IC_MISTAKE_FRICTION_ANISOTROPIC, {IC_MISTAKE_FRICTION_FACTOR}},
    {"threshold", "two-balls", IC_MISTAKE_RESTITUTION_THRESHOLD, {IC_NO_MISTAKE}},
    {"inertia-exchanged", "gyroscope", IC_MISTAKE_INERTIA_EXCHANGED, {IC_NO_MISTAKE}},
    {"sleeping", "slow-flight", IC_MISTAKE_SLEEPING, {IC_NO_MISTAKE}},
    {"tunnels", "thin-wall", IC_MISTAKE_TUNNELS, {IC_NO_MISTAKE}},
    {"linear-damping", "slow-flight", IC_MISTAKE_DAMPED_FLIGHT, {IC_NO_MISTAKE}},
    {"angular-damping", "gyroscope", IC_MISTAKE_DAMPED_FLIGHT, {IC_NO_MISTAKE}},
    {"no-gyroscopic-term", "gyroscope", IC_MISTAKE_GYROSCOPIC_WRONG, {IC_NO_MISTAKE}},
    {"friction-factor", "sliding-direction", IC_MISTAKE_FRICTION_FACTOR, {IC_NO_MISTAKE}},
    {"friction-squared", "spin-in-space", IC_MISTAKE_FRICTION_SQUARED, {IC_NO_MISTAKE}},
    {"friction-root", "spin-in-space", IC_MISTAKE_FRICTION_SQUARED, {IC_MISTAKE_OUTSIDE_CONE}},
    {"frictionless", "rolling-ball", IC_MISTAKE_FRICTIONLESS, {IC_NO_MISTAKE}},
    {"restitution-squared", "two-balls", IC_MISTAKE_RESTITUTION_SQUARED, {IC_MISTAKE_RESTITUTION_WRONG}},
    {"restitution-ignored", "grazing-ball", IC_MISTAKE_RESTITUTION_IGNORED, {IC_MISTAKE_RESTITUTION_WRONG}},
    {"restitution-by-phase", "two-balls", IC_MISTAKE_RESTITUTION_BY_PHASE, {IC_NO_MISTAKE}},
    {"first-restitution-only", "falling-ball", IC_MISTAKE_IMPACTS_UNEQUAL, {IC_NO_MISTAKE}},
    {"tangential-restitution", "spin-in-space", IC_MISTAKE_TANGENTIAL_RESTITUTION, {IC_MISTAKE_ENERGY_APPEARS}},
    {"no-lever",
     "spin-in-plane",
     IC_MISTAKE_ROTATION_IGNORED,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_SPIN_WRONG}},
    {"stop-passed", "hinge-stop", IC_MISTAKE_STOP_PASSED, {IC_NO_MISTAKE}},
    {"momentum-lost", "two-balls", IC_MISTAKE_MOMENTUM_LOST, {IC_MISTAKE_ENERGY_APPEARS}},
    {"margin", "grazing-ball", IC_MISTAKE_CONTACT_DISPLACED, {IC_NO_MISTAKE}},
    {"gravity", "falling-ball", IC_MISTAKE_GRAVITY_WRONG, {IC_NO_MISTAKE}},
    {"rebound-less-constant",
     "ball-on-ground",
     IC_MISTAKE_REBOUND_LESS_CONSTANT,
     {IC_MISTAKE_RESTITUTION_WRONG}},
    {"lone-explicit-euler", "bystander", IC_MISTAKE_EXPLICIT_EULER, {IC_MISTAKE_ENERGY_APPEARS}},
    {"friction-force-as-impulse",
     "sliding-box",
     IC_MISTAKE_FRICTION_FORCE_AS_IMPULSE,
     {IC_MISTAKE_OUTSIDE_CONE}},
    {"stays-below",
     "falling-ball",
     IC_MISTAKE_STAYS_BELOW,
     {IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_RESTITUTION_BY_PHASE, IC_MISTAKE_RESTITUTION_IGNORED,
      IC_MISTAKE_CONTACT_SOFT}},
    {"outside-cone",
     "spin-in-plane",
     IC_MISTAKE_OUTSIDE_CONE,
     {IC_MISTAKE_FRICTION_WRONG, IC_MISTAKE_SPIN_WRONG, IC_MISTAKE_FRICTION_FACTOR, IC_MISTAKE_PENETRATES}},
    {"newton", "rough-bar", IC_MISTAKE_NEWTON_ENERGY_GAIN, {IC_NO_MISTAKE}},
};

static bool may_be_named(const struct wrong *w, ic_mistake_id cause)
{
    bool may = cause == IC_NO_MISTAKE || cause == w->mistake;
    for (int i = 0; i < MOST_EXTRA; i++) may |= cause == w->also[i];
    return may;
}

static void check_wrong(const struct wrong *w)
{
    static played p;
    bool named = false;
    play(&p, plays_everything() ? "all" : w->scene, IC_TEST_SCENE_ENGINE, w->variant, LIMIT);
    for (size_t i = 0; i < p.scenes.n; i++) {
        const ic_scene_result *r = &p.results[i];
        CU_ASSERT_EQUAL(r->broken, 0);
        for (size_t k = 0; k < r->file->n_figures; k++) {
            if (r->figures[k].failed == 0) continue;
            const ic_mistake_id cause = r->figures[k].cause;
            IC_EXPECT(may_be_named(w, cause), "%s, %s, %s: %s", w->variant, r->file->name,
                      r->file->figures[k].name, ic_mistake_name(cause));
            named |= cause == w->mistake && strcmp(r->file->name, w->scene) == 0;
        }
    }
    IC_EXPECT(named, "%s is not found by %s", w->variant, w->scene);
    release(&p);
}

IC_TEST(test_wrong)
{
    for (size_t i = 0; i < IC_COUNT(wrong_engines); i++) check_wrong(&wrong_engines[i]);
}

/* ---- drawn parameters, names and order */

/* Scenes whose settings are cheap; with IC_TESTS_PART=0/1 all. */
#define CHEAP                                                                                                  \
    "ball-on-box,box-on-box,chain,gyroscope,hinge-stop,ramp,rolling-ball,sliding-box,sliding-direction,"       \
    "slow-flight,spin-in-space,thrown-ball,tipping-box"
enum { SEEDS = 20, FEW_SEEDS = 2 };

IC_TEST(test_drawn_right)
{
    const uint64_t n = plays_everything() ? SEEDS : FEW_SEEDS;
    for (uint64_t seed = 1; seed <= n; seed++) {
        drawn = &seed;
        check_passes(IC_TEST_SCENE_ENGINE, "right", plays_everything() ? "all" : CHEAP);
        check_passes(IC_TEST_SCENE_EXAMPLE, "", plays_everything() ? BALLS : "slow-flight,spin-in-space");
    }
    drawn = NULL;
}

/* A program that recognises our scenes fails. */
IC_TEST(test_drawn_wrong)
{
    static const struct wrong cheaters[] = {
        {"knows-names", "two-balls", IC_MISTAKE_RECOGNISES_NAMES, {IC_NO_MISTAKE}},
        {"hard-coded", "two-balls", IC_MISTAKE_HARD_CODED, {IC_NO_MISTAKE}},
    };
    static const uint64_t seed = 1;
    for (size_t i = 0; i < IC_COUNT(cheaters); i++) {
        static played p;
        play(&p, cheaters[i].scene, IC_TEST_SCENE_ENGINE, cheaters[i].variant, LIMIT);
        CU_ASSERT_EQUAL(p.results[0].verdict, IC_SCENE_PASSED);
        release(&p);
        drawn = &seed;
        check_wrong(&cheaters[i]);
        drawn = NULL;
    }
}

/* The constants of mistakes are those that were planted. */
IC_TEST(test_constants)
{
    static const struct {
        const char *variant, *scene, *figure;
        double constant, error;
    } fitted[] = {
        {"friction-factor", "sliding-direction", "speed", 0.8, 0.01},
        {"linear-damping", "slow-flight", "velocity", 0.1, 1e-3},
        {"angular-damping", "gyroscope", "angular momentum", 0.1, 1e-3},
        {"gravity", "falling-ball", "fall", 1.02, 2e-3},
    };
    for (size_t i = 0; i < IC_COUNT(fitted); i++) {
        static played p;
        play(&p, fitted[i].scene, IC_TEST_SCENE_ENGINE, fitted[i].variant, LIMIT);
        const ic_scene_file *file = p.scenes.files[0];
        size_t k = 0;
        while (k < file->n_figures && strcmp(file->figures[k].name, fitted[i].figure) != 0) k++;
        CU_ASSERT_FATAL(k < file->n_figures);
        CU_ASSERT_DOUBLE_EQUAL(p.results[0].figures[k].constant, fitted[i].constant, fitted[i].error);
        release(&p);
    }
}

/* ---- programs that return no motion */

static void check_broken(const char *program, const char *variant, ic_motion_end end, const char *said,
                         double limit)
{
    static played p;
    play(&p, "slow-flight", program, variant, limit);
    const ic_scene_result *r = &p.results[0];
    CU_ASSERT_EQUAL(r->verdict, IC_SCENE_FAILED);
    CU_ASSERT_EQUAL(r->broken, r->n_settings);
    CU_ASSERT_EQUAL(r->ends[0], end);
    /* not tried any more */
    CU_ASSERT_EQUAL(r->ends[r->n_settings - 1], end);
    IC_EXPECT(strstr(r->detail, said) != NULL, "%s: '%s'", variant, r->detail);
    for (size_t k = 0; k < r->file->n_figures; k++)
        CU_ASSERT_EQUAL(r->figures[k].passed + r->figures[k].failed, 0);
    release(&p);
}

IC_TEST(test_broken)
{
    check_broken(IC_TEST_SCENE_ENGINE, "crashes", IC_MOTION_CRASHED, "signal 9", LIMIT);
    check_broken(IC_TEST_SCENE_ENGINE, "hangs", IC_MOTION_HUNG, "still running after 0.3 s", LIMIT_OF_HANGING);
    check_broken(IC_TEST_SCENE_ENGINE, "garbage", IC_MOTION_GARBAGE, "Engine 1.0", LIMIT);
    check_broken(IC_TEST_SCENE_ENGINE, "not-finite", IC_MOTION_NOT_FINITE, "not finite", LIMIT);
    check_broken(IC_TEST_SCENE_ENGINE, "bytes", IC_MOTION_GARBAGE, "line 3 is '\\x07\\xFF\\x01row 0 body",
                 LIMIT);
    check_broken("/no/such/program", "", IC_MOTION_FAILED, "could not be run", LIMIT);
}

/* When time is up, the lines that came are read. */
IC_TEST(test_not_ended)
{
    check_broken(IC_TEST_SCENE_ENGINE, "hangs", IC_MOTION_HUNG, "it wrote nothing, or did not flush",
                 LIMIT_OF_HANGING);
    check_broken(IC_TEST_SCENE_ENGINE, "no-end", IC_MOTION_GARBAGE,
                 "`end` is missing, or was not flushed; still running", LIMIT_OF_HANGING);
    check_broken(IC_TEST_SCENE_ENGINE, "no-flush", IC_MOTION_HUNG, "rows; its last line is 'row ",
                 LIMIT_OF_HANGING);
    check_broken(IC_TEST_SCENE_ENGINE, "more-after-end", IC_MOTION_GARBAGE,
                 "after `end` it wrote 'that was all'", LIMIT);
    check_passes(IC_TEST_SCENE_ENGINE, "carriage-returns", "slow-flight");
}

/* The setting that follows is judged, by a new process. */
IC_TEST(test_crashes_after_end)
{
    static played p;
    play(&p, "slow-flight", IC_TEST_SCENE_ENGINE, "crashes-after-end", LIMIT);
    const ic_scene_result *r = &p.results[0];
    CU_ASSERT_EQUAL(r->verdict, IC_SCENE_FAILED);
    CU_ASSERT_EQUAL(r->broken, r->n_settings - 1);
    CU_ASSERT_EQUAL(r->ends[0], IC_MOTION_CRASHED);
    CU_ASSERT_EQUAL(r->ends[r->n_settings - 1], IC_MOTION_COMPLETE);
    CU_ASSERT_STRING_EQUAL(r->detail, "after `end`: ended by signal 9");
    for (size_t k = 0; k < r->file->n_figures; k++) CU_ASSERT_EQUAL(r->figures[k].failed, 0);
    release(&p);
}

/* A line that comes late is seen with the next scene. */
IC_TEST(test_late_line)
{
    static played p;
    play(&p, "slow-flight", IC_TEST_SCENE_ENGINE, "late-line", LIMIT);
    const ic_scene_result *r = &p.results[0];
    CU_ASSERT_EQUAL(r->verdict, IC_SCENE_FAILED);
    CU_ASSERT_EQUAL(r->ends[r->first_broken], IC_MOTION_GARBAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->detail, "'that was all'"));
    release(&p);
}

/* A program may end after each scene. */
IC_TEST(test_ends_each_time)
{
    check_passes(IC_TEST_SCENE_ENGINE, "ends-each-time", "slow-flight");
}

IC_TEST(test_not_repeatable)
{
    static played p;
    play(&p, "slow-flight", IC_TEST_SCENE_ENGINE, "not-repeatable", LIMIT);
    CU_ASSERT(p.results[0].spread > 0);
    release(&p);
}

IC_TEST(test_unsupported)
{
    static played p;
    play(&p, "ramp,hinge-stop", IC_TEST_SCENE_EXAMPLE, "", LIMIT);
    CU_ASSERT_EQUAL(p.results[0].verdict, IC_SCENE_UNSUPPORTED);
    CU_ASSERT_STRING_EQUAL(p.results[0].detail, "no box");
    CU_ASSERT_EQUAL(p.results[1].verdict, IC_SCENE_UNSUPPORTED);
    release(&p);
}

/* ---- figures */

/* A ball flies by (1 - t, 2, 0), 0 <= t <= 2. */
static const char flight[] =
    "title: Flight\n"
    "parameters: {v: 1 m/s}\n"
    "vary: [{v: [1 m/s, 3 m/s]}]\n"
    "step: 0.25 s\n"
    "until: 2 s\n"
    "material: {restitution: 0, friction: 0}\n"
    "bodies: {ball: {mass: 1 kg, sphere: 1 m, at: [1 m, 2 m, 0], velocity: [-v, 0, 0]}}\n"
    "figures:\n"
    "  end: {measure: ball.x, is: -1 m, tolerance: 0.001 m, because: b, when: v < (2 m/s)}\n"
    "  start: {measure: ball.x, take: start, is: 1 m, tolerance: 0.001 m, because: b}\n"
    "  most: {measure: ball.x, take: most, below: 0.9 m, tolerance: 0.2 m, because: b}\n"
    "  least: {measure: ball.x, take: least, above: 0 m, tolerance: 0.001 m, because: b}\n"
    "  mean: {measure: ball.x, take: mean, is: 0 m, tolerance: 0.001 m, because: b}\n"
    "  range: {measure: ball.x, take: range, from: 0.5 s, to: 1.2 s, is: 0.5 m, tolerance: 0.001 m, because: b}\n"
    "  moved: {measure: ball.x - start.ball.x, to: 1 s, is: -v*(1 s), tolerance: 0.001 m, because: b}\n"
    "  time: {measure: t, from: 0.6 s, take: start, is: 0.75 s, tolerance: 0.001 s, because: b}\n";

IC_TEST(test_figures)
{
    static const struct {
        double measured[2];
        ic_point_verdict verdict[2];
    } due[] = {
        {{-1, NAN}, {IC_POINT_PASS, IC_POINT_NONE}}, {{1, 1}, {IC_POINT_PASS, IC_POINT_PASS}},
        {{1, 1}, {IC_POINT_PASS, IC_POINT_PASS}},    {{-1, -5}, {IC_POINT_FAIL, IC_POINT_FAIL}},
        {{0, -2}, {IC_POINT_PASS, IC_POINT_FAIL}},   {{0.5, 1.5}, {IC_POINT_PASS, IC_POINT_FAIL}},
        {{-1, -3}, {IC_POINT_PASS, IC_POINT_PASS}},  {{0.75, 0.75}, {IC_POINT_PASS, IC_POINT_PASS}},
    };
    static played p;
    ic_error error = {""};
    p = (played){.scenes = {.n = 1}};
    p.scenes.files[0] = ic_scene_file_read("flight.yaml", flight, sizeof flight - 1, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p.scenes.files[0]);
    CU_ASSERT_FATAL(ic_scenes_certify(&p.scenes, &error));
    play_text(&p, IC_TEST_SCENE_ENGINE, "right", "best", LIMIT);
    const ic_scene_result *r = &p.results[0];
    CU_ASSERT_EQUAL(r->file->n_figures, IC_COUNT(due));
    for (size_t k = 0; k < IC_COUNT(due); k++) {
        for (size_t i = 0; i < 2; i++) {
            const ic_scene_point *point = &r->points[i * IC_COUNT(due) + k];
            CU_ASSERT_EQUAL(point->verdict, due[k].verdict[i]);
            if (point->verdict != IC_POINT_NONE)
                CU_ASSERT_DOUBLE_EQUAL(point->measured, due[k].measured[i], SUMMED);
        }
    }
    /* the farthest outside: 5 m below 0 m */
    CU_ASSERT_EQUAL(r->shown, 1);
    release(&p);
}
