/* SPDX-License-Identifier: MIT */
/**
 * Scenes as text, motions as text, their quantities, and mistakes that are fitted to figures. No
 * engine runs here.
 */
#include "audit/scene/scene.h"
#include "tests/tests.h"

IC_SUITE(light, "scenes")
IC_OWNED_POINTER(double, free)
IC_OWNED_POINTER(ic_scene_file, ic_scene_file_free)
IC_OWNED(ic_scene_motion, ic_scene_motion_free)

/* of values that follow from a few operations */
#define EXACT 1e-12
/* m and 1: exact motions are later than their rows by a part of 1e-9 of a step */
#define LATE 1e-8
/* of a constant that is fitted by halving a grid twelve times */
#define FITTED 1e-3

/* ---- reading */

static const char good[] =
    "title: A ball\n"
    "dimension: 2\n"
    "parameters:\n"
    "  v: {value: 1 m/s, meaning: speed}\n"
    "  e: 0.5\n"
    "vary:\n"
    "  - {v: [1 m/s, 2 m/s], e: {from: 0, to: 1, points: 3}}\n"
    "step: 0.1 s\n"
    "until: 0.5 s\n"
    "gravity: [0, -10 m/s^2, 0]\n"
    "material: {restitution: e, friction: 0}\n"
    "bodies:\n"
    "  ground: {fixed: true, plane: true}\n"
    "  ball: {mass: 2 kg, inertia: [1 kg m^2, 2 kg m^2, 3 kg m^2], sphere: 1 m, at: [1 m, 2 m, 0], "
    "velocity: [v, 0, 0]}\n"
    "  rod: {mass: 1 kg, box: [1 m, 2 m, 3 m], turned: 0.5 rad}\n"
    "hinges:\n"
    "  - {of: [ball, rod], at: [0, 0, 0], axis: [0, 0, 1], from: -1 rad, to: 1 rad}\n"
    "figures:\n"
    "  speed: {measure: ball.vx/v, is: 1, tolerance: 0.1, because: nothing acts}\n"
    "mistakes:\n"
    "  - {name: damped-flight, says: slower, fit: {c: {from: 0, to: 2}}, predicts: {speed: exp(-c)}}\n";

/* The text in which one part is replaced by another. */
static ic_scene_file *read_changed(const char *part, const char *by, ic_error *error)
{
    char text[4096];
    const char *at = strstr(good, part);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    const int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, by, at + strlen(part));
    CU_ASSERT_FATAL(length > 0 && (size_t)length < sizeof text);
    return ic_scene_file_read("scenes/test.yaml", text, (size_t)length, error);
}

IC_TEST(test_reader)
{
    ic_error error = {""};
    IC_OWN(ic_scene_file) *file = read_changed("", "", &error);
    ic_world world;
    double par[IC_MOST_SCENE_PARAMETERS];
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_STRING_EQUAL(file->name, "test");
    CU_ASSERT_EQUAL(ic_scene_settings(file), 6);
    /* the first list changes fastest */
    ic_scene_parameters(par, file, 3);
    CU_ASSERT_DOUBLE_EQUAL(par[0], 2, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(par[1], 0.5, EXACT);
    ic_world_make(&world, file, 1);
    CU_ASSERT_EQUAL(world.steps, 5);
    CU_ASSERT_EQUAL(world.n_moving, 2);
    CU_ASSERT_DOUBLE_EQUAL(world.bodies[1].velocity[0], 2, EXACT);
    /* m (b^2 + c^2)/12 by whole edges */
    CU_ASSERT_DOUBLE_EQUAL(world.bodies[2].inertia[0], 13.0 / 12, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(world.bodies[2].inertia[2], 5.0 / 12, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(world.bodies[2].turned[3], sin(0.25), EXACT);
}

static void check_fault(const char *part, const char *by, const char *said)
{
    ic_error error = {""};
    IC_OWN(ic_scene_file) *file = read_changed(part, by, &error);
    IC_EXPECT(file == NULL && strstr(error.text, said) != NULL, "'%s' in place of '%s': '%s' does not say '%s'",
              by, part, error.text, said);
}

/* Each fault is told with its place, and what is meant where it is a slip. */
IC_TEST(test_faults)
{
    static const struct {
        const char *part, *by, *said;
    } faults[] = {
        {"title: A ball\n", "titel: A ball\n", "test.yaml:1:1: unknown key 'titel'; did you mean 'title'?"},
        {"title: A ball\n", "", "a scene needs 'title': what the scene is"},
        {"dimension: 2", "dimension: 4", "test.yaml:2:12: 'dimension' must be 2 or 3"},
        {"value: 1 m/s", "velue: 1 m/s", "test.yaml:4:7: unknown key 'velue'"},
        {"1 m/s, meaning", "1 m/sek, meaning", "test.yaml:4:"},
        {"e: 0.5", "v: 0.5", "test.yaml:5:3: 'v' is given twice; first in line 4"},
        {"{v: [1 m/s, 2 m/s]", "{w: [1 m/s, 2 m/s]", "test.yaml:7:6: there is no parameter 'w'"},
        {"[1 m/s, 2 m/s]", "[1 m/s, 2 m]", "test.yaml:7:"},
        {"[1 m/s, 2 m/s]", "[]", "expected values"},
        {"points: 3", "points: 1", "'points' must be a whole number from 2 to 4096"},
        {"points: 3", "points: three", "'points' must be a whole number"},
        {"points: 3", "points: 2.5", "'points' must be a whole number"},
        {"step: 0.1 s\n", "", "test.yaml:1:1: a scene needs 'step'"},
        {"step: 0.1 s", "step: 0.1 m", "test.yaml:8:7:"},
        {"friction: 0}", "fricton: 0}", "unknown key 'fricton'; did you mean 'friction'?"},
        {"restitution: e, ", "", "the material needs 'restitution'"},
        {"  ground: {fixed: true, plane: true}\n", "  gr-ound: {fixed: true, plane: true}\n",
         "letters, digits and _ only"},
        {"fixed: true, plane", "fixed: yes, plane", "'fixed' must be true or false"},
        {"fixed: true, plane: true", "fixed: true, mass: 1 kg, plane: true", "'mass' is of moving bodies only"},
        {"fixed: true, plane: true", "fixed: true", "'ground' needs a shape"},
        {"mass: 1 kg, box: [1 m, 2 m, 3 m]", "mass: 1 kg, plane: true",
         "a plane is a shape of fixed bodies only"},
        {"mass: 1 kg, box", "box", "'rod' needs a 'mass'"},
        {"[1 m, 2 m, 3 m]", "[1 m, 2 m]", "test.yaml:15:"},
        {"of: [ball, rod]", "of: [ball, road]", "there is no body 'road'"},
        {", from: -1 rad", "", "a hinge needs 'from'"},
        {"ball.vx/v, is", "ball.vv/v, is", "test.yaml:19:"},
        {"ball.vx/v, is", "ground.vx/v, is", "test.yaml:19:"},
        {"is: 1, ", "", "a figure needs one of 'is', 'below', 'above'"},
        {"is: 1, ", "is: 1 m, ", "units differ: the figure 'speed' is in 1"},
        {", because: nothing acts", "", "a figure needs 'because': where the tolerance comes from"},
        {"because: nothing acts", "because: nothing acts, take: last", "'take' must be end, start"},
        {"because: nothing acts", "because: nothing acts, cause: tunels", "no mistake is called 'tunels'"},
        {"name: damped-flight", "name: damped-fligth", "did you mean 'damped-flight'?"},
        {"name: damped-flight, ", "", "a mistake needs 'name'"},
        {"{speed: exp(-c)}", "{sped: exp(-c)}", "there is no figure 'sped'"},
        {"{speed: exp(-c)}", "{speed: exp(-d)}", "test.yaml:21:"},
        {"{speed: exp(-c)}", "{speed: case.v}", "the scene has no case"},
        {"fit: {c: {from: 0, to: 2}}", "fit: {c: {from: 0}}", "a range needs 'to'"},
        {"fit: {c: {from: 0, to: 2}}", "with: {f: 1}", "there is no parameter 'f'"},
        {"fit: {c: {from: 0, to: 2}}", "with: {e: 1}, fit: {c: {from: 0, to: 2}}", "'fit' or 'with', not both"},
        {"hinges:\n", "hinges: 3\nhinge:\n", "unknown key 'hinge'"},
        {"figures:\n", "motion: [ball]\nfigures:\n", "'motion' must be that of bodies"},
        {"figures:\n", "motion: {bal: {}}\nfigures:\n", "test.yaml:18:10: there is no moving body 'bal'"},
        {"figures:\n", "motion: {ground: {}}\nfigures:\n", "there is no moving body 'ground'"},
        {"figures:\n", "motion: {ball: {z: 0}}\nfigures:\n", "test.yaml:18:17: unknown key 'z'"},
        {"figures:\n", "motion: {ball: {x: 1 s}}\nfigures:\n", "test.yaml:18:20:"},
        {"figures:\n", "motion: {ball: {x: ball.x}}\nfigures:\n", "test.yaml:18:20:"},
        {"figures:\n", "motion: {ball: {x: case.x}}\nfigures:\n", "the scene has no case"},
        {"is: 1, ", "is: t/(1 s), ", "test.yaml:19:"},
        {"title: A ball\n", "title: [A ball\n", "test.yaml:"},
        /* names that mean something by themselves */
        {"e: 0.5", "e: 0.5\n  energy: 1 J", "test.yaml:6:3: 'energy' has a meaning of its own"},
        {"e: 0.5", "e: 0.5\n  pi: 3", "'pi' has a meaning of its own"},
        {"e: 0.5", "e: 0.5\n  t: 3 s", "'t' has a meaning of its own"},
        {"e: 0.5", "e: 0.5\n  start: 3 s", "'start' has a meaning of its own"},
        {"e: 0.5", "e: 0.5\n  a.b: 3", "letters, digits and _ only, a letter first"},
        {"e: 0.5\n", "e: 0.5\ndefinitions:\n  momentum: 1\n", "'momentum' has a meaning of its own"},
        {"e: 0.5\n", "e: 0.5\ndefinitions:\n  v: 1\n", "'v' is already a parameter or a definition"},
        {"  ground: {", "  momentum: {", "give the body another name"},
        {"fit: {c: {", "fit: {e: {", "'e' is already a parameter or a definition"},
        {"parameters:\n", "definitions: [1]\nparameters:\n", "test.yaml:3:14: 'definitions' must be"},
        {"[1 m/s, 2 m/s]", "[2*v, 1 m/s]", "unknown name 'v'"},
        {"[1 m/s, 2 m/s]", "[e*(1 m/s), 1 m/s]", "unknown name 'e'"},
        /* what contradicts itself */
        {"fixed: true, plane: true", "fixed: true, plane: false", "'plane' must be true"},
        {"sphere: 1 m", "sphere: 1 m, box: [1 m, 1 m, 1 m]", "only one of 'sphere', 'box' and 'plane'"},
        {"sphere: 1 m", "sphere: 1 m, shapes: [{sphere: 1 m}]", "'shapes' must not be given together"},
        {"sphere: 1 m", "shapes: [{sphere: 1 m, box: [1 m, 1 m, 1 m]}]",
         "a shape may have 'sphere' or 'box', not both"},
        {"sphere: 1 m", "shapes: [{at: [1 m, 0, 0]}]", "a shape needs one of 'sphere', 'box'"},
        {"of: [ball, rod]", "of: [rod, rod]", "test.yaml:17:10: a hinge must join two different bodies"},
        {"is: 1, ", "is: 1, above: 0, ", "a figure may have 'is' or 'above', not both"},
        {"because: nothing acts", "because: nothing acts, topic: bounces",
         "there is no topic 'bounces'; topics: restitution, slow-restitution, friction"},
        {"says: slower", "says: slower, topic: bounces", "there is no topic 'bounces'"},
        {"points: 3", "points: 3, log: yes", "'log' must be true or false"},
        {"points: 3", "points: 3, log: true", "with 'log', 'from' must be positive"},
        {"{from: 0, to: 1, points: 3}", "{from: v, to: 1, points: 3}", "without the name 'v'"},
        {"{from: 0, to: 1, points: 3}", "{from: 0, to: 1 m, points: 3}", "units differ"},
        {"{from: 0, to: 2}", "{from: 1 s, to: 2 m}", "units differ: 'from' is in s, but 'to' is in m"},
        {"{v: [1 m/s, 2 m/s], e: {from: 0, to: 1, points: 3}}",
         "{v: {from: 1 m/s, to: 2 m/s, points: 1000}, e: {from: 0, to: 1, points: 1000}}",
         "test.yaml:7:5: more than 4096 settings"},
        {"hinges:\n", "case: {preset: free-rotor, set: {I1: 1 m}}\nhinges:\n", "units differ: I1 is in"},
        {"hinges:\n", "case: {preset: free-rotor/nothing}\nhinges:\n", "has no preset 'nothing'"},
    };
    for (size_t i = 0; i < IC_COUNT(faults); i++) check_fault(faults[i].part, faults[i].by, faults[i].said);
}

/* Faults that only numbers show are told with their setting. */
IC_TEST(test_values)
{
    static const struct {
        const char *part, *by, *said;
    } faults[] = {
        {"step: 0.1 s", "step: 0*(1 s)",
         "test.yaml:8:7: step = 0 s (v = 1 m/s, e = 0): a step must be positive"},
        {"step: 0.1 s", "step: -0.1 s", "a step must be positive"},
        {"step: 0.1 s", "step: 1e-12 s", "test.yaml:9:8: until = 0.5 s (v = 1 m/s, e = 0): with this step"},
        {"until: 0.5 s", "until: 0 s", "the end must be after the start"},
        {"until: 0.5 s", "until: 1e300 s", "a motion must have at most 1000000 steps"},
        {"mass: 2 kg", "mass: 0 kg", "test.yaml:14:16: 'ball': mass = 0 kg (v = 1 m/s, e = 0): a mass must be"},
        {"mass: 2 kg", "mass: (2 kg)*(1.5 - v/(1 m/s))", "'ball': mass = -1 kg (v = 2 m/s, e = 0)"},
        {"[1 kg m^2, 2", "[-1 kg m^2, 2", "test.yaml:14:32: 'ball': moment of inertia = -1 kg m^2"},
        {"3 kg m^2]", "3.1 kg m^2]", "no mass has a moment greater than the sum of the two others"},
        {"sphere: 1 m", "sphere: 0 m", "'ball': radius = 0 m (v = 1 m/s, e = 0): a radius must be positive"},
        {"[1 m, 2 m, 3 m]", "[1 m, -2 m, 3 m]", "test.yaml:15:32: 'rod': edge of a box = -2 m"},
        {"velocity: [v,", "velocity: [v*sqrt(0.5 - e),",
         "velocity = not a number m/s (v = 1 m/s, e = 1): it must"},
        {"restitution: e", "restitution: 2*e", "restitution = 2 (v = 1 m/s, e = 1): it must be from 0 to 1"},
        {"friction: 0}", "friction: -0.1}", "test.yaml:11:38: friction = -0.1"},
        {"friction: 0}", "friction: 1e308*10}", "friction = inf"},
        {"[0, -10 m/s^2, 0]", "[0, 0, 1 m/s^2]",
         "z of the gravity = 1 m/s^2 (v = 1 m/s, e = 0): in dimension 2"},
        {"2 m, 0], velocity", "2 m, 1 m], velocity", "z of the place = 1 m"},
        {"velocity: [v, 0, 0]", "velocity: [v, 0, 1 m/s]", "z of the velocity = 1 m/s"},
        {"velocity: [v, 0, 0]", "velocity: [v, 0, 0], spin: [0, 1 rad/s, 0]", "y of the spin = 1 rad/s"},
        {"turned: 0.5 rad", "turned: {axis: [1, 0, 0], angle: 1 rad}", "an axis must be along z"},
        {"turned: 0.5 rad", "turned: {axis: [0, 0, 0], angle: 1 rad}", "an axis must have a direction"},
        {"axis: [0, 0, 1]", "axis: [0, 0, 0]", "hinge of 'ball' and 'rod': length of the axis = 0"},
        {"axis: [0, 0, 1]", "axis: [0, 1, 1]", "an axis must be along z"},
        {"from: -1 rad", "from: 0.5 rad",
         "from = 0.5 rad (v = 1 m/s, e = 0): the least angle must be at most 0"},
        {"to: 1 rad}", "to: -0.5 rad}", "the greatest angle must be at least 0"},
        {"from: -1 rad", "from: inf", "unknown name 'inf'"},
        {"because: nothing acts", "because: nothing acts, from: 0.3 s, to: 0.2 s",
         "no row is from 0.3 s to 0.2 s"},
        {"because: nothing acts", "because: nothing acts, from: 0.6 s", "rows are every 0.1 s, to 0.5 s"},
        {"because: nothing acts", "because: nothing acts, from: 0.22 s, to: 0.28 s", "test.yaml:19:83: figure"},
        {"because: nothing acts", "because: nothing acts, to: -1 s", "no row is from 0 s to -1 s"},
        {"because: nothing acts", "because: nothing acts, when: v < (0 m/s)", "'when' holds in no setting"},
    };
    for (size_t i = 0; i < IC_COUNT(faults); i++) check_fault(faults[i].part, faults[i].by, faults[i].said);
}

/* Values at the limits of these faults are allowed. */
IC_TEST(test_limits)
{
    static const char *const allowed[][2] = {
        {"from: -1 rad, to: 1 rad", "from: -inf, to: inf"},
        {"from: -1 rad, to: 1 rad", "from: 0 rad, to: 0 rad"},
        {"because: nothing acts", "because: nothing acts, from: 0.5 s, to: 9 s"},
        {"because: nothing acts", "because: nothing acts, from: 0.3000000001 s, to: 0.2999999999 s"},
        {"because: nothing acts", "because: nothing acts, when: v > (1.5 m/s)"},
        {"turned: 0.5 rad", "turned: {axis: [0, 0, -2], angle: 1 rad}"},
        {"{from: 0, to: 1, points: 3}", "[0, 1, v/(4 m/s)]"},
        {"{from: 0, to: 1, points: 3}", "{from: 1, to: 0.001, points: 2048, log: true}"},
    };
    for (size_t i = 0; i < IC_COUNT(allowed); i++) {
        ic_error error = {""};
        ic_world world;
        IC_OWN(ic_scene_file) *file = read_changed(allowed[i][0], allowed[i][1], &error);
        CU_ASSERT_PTR_NOT_NULL(file);
        if (file == NULL) {
            printf("\n  '%s': %s", allowed[i][1], error.text);
            continue;
        }
        ic_world_make(&world, file, 0);
        if (i == 0) CU_ASSERT(world.hinges[0].from == -INFINITY && world.hinges[0].to == INFINITY);
    }
}

/* The message has a line for each fault. */
IC_TEST(test_many_faults)
{
    ic_error error = {""};
    CU_ASSERT_PTR_NULL(read_changed("step: 0.1 s\nuntil: 0.5 s\n", "", &error));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(error.text,
               "a scene needs 'step': time from row to row, s\nscenes/test.yaml:1:1: a scene needs 'until'"));
}

/* Exact values may follow from answers of the case, and are checked with them. */
IC_TEST(test_figures)
{
    static const struct {
        const char *part, *by, *said;
    } faults[] = {
        {"is: 1, ", "is: log(-e), ", "test.yaml:19:35: figure 'speed': exact value = "},
        {"tolerance: 0.1", "tolerance: e - 0.5",
         "tolerance = -0.5 (v = 1 m/s, e = 0): it must be positive and finite"},
        {"tolerance: 0.1", "tolerance: 0", "tolerance = 0 (v = 1 m/s, e = 0): it must be positive and finite"},
        {"is: 1, tolerance: 0.1", "below: 1, tolerance: -1", "it must be 0 or positive, and finite"},
        {"tolerance: 0.1", "tolerance: 1e308*10", "tolerance = inf"},
        {"fit: {c: {from: 0, to: 2}}, predicts: {speed: exp(-c)}", "predicts: {speed: log(-1)}",
         "prediction = not a number"},
        {"is: 1, tolerance: 0.1", "below: 1, tolerance: 0", ""},
        {"tolerance: 0.1", "when: e > 0.5, tolerance: e - 0.5", ""},
    };
    for (size_t i = 0; i < IC_COUNT(faults); i++) {
        ic_error error = {""};
        IC_OWN(ic_scene_file) *file = read_changed(faults[i].part, faults[i].by, &error);
        IC_OWN(double) *answers = file != NULL ? ic_scene_all_answers(file, &error) : NULL;
        IC_EXPECT(file != NULL && (answers != NULL) == (faults[i].said[0] == '\0') &&
                      strstr(error.text, faults[i].said) != NULL,
                  "'%s': '%s' does not say '%s'", faults[i].by, error.text, faults[i].said);
    }
}

/* More hinges than a scene may have. */
IC_TEST(test_many_hinges)
{
    static const char one[] =
        "  - {of: [ball, rod], at: [0, 0, 0], axis: [0, 0, 1], from: -1 rad, to: 1 rad}\n";
    char many[(IC_MOST_SCENE_HINGES + 1) * sizeof one + 1] = "";
    ic_error error = {""};
    for (size_t i = 0; i <= IC_MOST_SCENE_HINGES; i++) memcpy(many + i * (sizeof one - 1), one, sizeof one);
    CU_ASSERT_PTR_NULL(read_changed(one, many, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "more than 8 hinges"));
}

/* ---- exact motions */

static const char turning[] = "title: A body turns\n"
                              "dimension: 3\n"
                              "parameters: {w: 3 rad/s, n: 1}\n"
                              "vary: [{n: [1, 2]}]\n"
                              "step: 0.25 s\n"
                              "until: 1 s\n"
                              "material: {restitution: 0, friction: 0}\n"
                              "bodies:\n"
                              "  top: {mass: 1 kg, box: [1 m, 1 m, 1 m], at: [1 m, 0, 0], spin: [0, 0, w]}\n"
                              "  other: {mass: 1 kg, sphere: 1 m, at: [5 m, 0, 0]}\n"
                              "case: {preset: free-rotor, set: {a1: 0, a2: 0, a3: w}, until: 0.5 s}\n"
                              "motion:\n"
                              "  top: {y: t*(2 m/s), turned: [case.q0, case.q1, case.q2, case.q3]}\n"
                              "  other: {when: n > 1}\n"
                              "figures:\n"
                              "  spin: {measure: top.wz, is: case.w3, tolerance: 0.1 rad/s, because: b}\n";

/* Beyond the end of the case's run, too. */
IC_TEST(test_exact_motion)
{
    ic_error error = {""};
    IC_OWN(ic_scene_file) *file = ic_scene_file_read("turning.yaml", turning, sizeof turning - 1, &error);
    ic_world world;
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    ic_world_make(&world, file, 0);
    CU_ASSERT(ic_scene_exact_known(&world, 0) && !ic_scene_exact_known(&world, 1));
    ic_exact_place *places = ic_scene_exact_motion(&world, 2, 3, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(places);
    for (size_t i = 0; i < 3; i++) {
        const double t = 0.5 * (double)i;
        const ic_exact_place *top = &places[2 * i];
        CU_ASSERT_DOUBLE_EQUAL(top->at[0], 1, EXACT);
        CU_ASSERT_DOUBLE_EQUAL(top->at[1], 2 * t, LATE);
        CU_ASSERT_DOUBLE_EQUAL(top->turned[0], cos(1.5 * t), LATE);
        CU_ASSERT_DOUBLE_EQUAL(top->turned[3], sin(1.5 * t), LATE);
    }
    free(places);
    /* planted: x is that of the start */
    world.bodies[0].at[0] = NAN;
    CU_ASSERT_PTR_NULL(ic_scene_exact_motion(&world, 2, 3, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the motion of 'top' is not finite"));
    ic_world_make(&world, file, 1);
    CU_ASSERT(ic_scene_exact_known(&world, 1));
}

/* ---- motions */

/* The motion of the scene in its first setting; release it. */
static ic_scene_motion read_motion(const char *text)
{
    ic_error error = {""};
    IC_OWN(ic_scene_file) *file = read_changed("", "", &error);
    ic_world world;
    ic_scene_motion motion = {.end = IC_MOTION_FAILED};
    IC_OWN(char) *copy = malloc(strlen(text) + 1);
    CU_ASSERT_FATAL(file != NULL && copy != NULL);
    ic_world_make(&world, file, 0);
    memcpy(copy, text, strlen(text) + 1);
    ic_scene_motion_read(&motion, &world, copy);
    return motion;
}

/*
 * Rows of both bodies: the rod turns about z by `turn` a step, from 0.5 rad; the ball has a velocity
 * (0, 3, 0), a spin (0, 0, 2), and is turned by 0.3 rad about x.
 */
static size_t write_rows(char *text, size_t size, double turn, const char *line_end)
{
    size_t used =
        (size_t)snprintf(text, size, "engine test 1%ssetting one%ssetting two%s", line_end, line_end, line_end);
    for (int i = 0; i <= 5; i++) {
        const double half = (0.5 + i * turn) / 2;
        used +=
            (size_t)snprintf(text + used, size - used,
                             "row %.17g ball 1 2 0 %.17g %.17g 0 0 0 3 0 0 0 2%s"
                             "row %.17g rod 0 0 0 %.17g 0 0 %.17g 0 0 0 0 0 0%s",
                             i * 0.1, cos(0.15), sin(0.15), line_end, i * 0.1, cos(half), sin(half), line_end);
    }
    return used + (size_t)snprintf(text + used, size - used, "end%s", line_end);
}

IC_TEST(test_quantities)
{
    char text[4096];
    write_rows(text, sizeof text, 1.5, "\n");
    IC_OWN(ic_scene_motion) m = read_motion(text);
    CU_ASSERT_EQUAL_FATAL(m.end, IC_MOTION_COMPLETE);
    CU_ASSERT_EQUAL_FATAL(m.n_rows, 6);
    CU_ASSERT_STRING_EQUAL(m.engine, "test 1");
    CU_ASSERT_STRING_EQUAL(m.setting, "one; two");
    const double *last = m.rows + 5 * m.row_size, *ball = last + IC_SCENE_QUANTITY_COUNT;
    const double *rod = last + (size_t)2 * IC_SCENE_QUANTITY_COUNT,
                 *totals = last + (size_t)3 * IC_SCENE_QUANTITY_COUNT;
    CU_ASSERT_DOUBLE_EQUAL(ball[IC_SCENE_X], 1, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(ball[IC_SCENE_VY], 3, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(ball[IC_SCENE_WZ], 2, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(ball[IC_SCENE_TILT], 0.3, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(rod[IC_SCENE_ANGLE], 0.5 + 5 * 1.5, EXACT);
    /* spin (0, 2 sin 0.3, 2 cos 0.3) along the axes of the body: moments 2 and 3 */
    const double s = sin(0.3), c = cos(0.3);
    const double kinetic = 2 * 9 / 2.0 + (2 * 4 * s * s + 3 * 4 * c * c) / 2;
    CU_ASSERT_DOUBLE_EQUAL(totals[IC_SCENE_KINETIC], kinetic, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(totals[IC_SCENE_ENERGY], kinetic + 2 * 10 * 2, EXACT);
    CU_ASSERT_DOUBLE_EQUAL(totals[IC_SCENE_PY], 6, EXACT);
    /* x m v about the origin, and the rotation's, which has a part across the spin */
    CU_ASSERT_DOUBLE_EQUAL(totals[IC_SCENE_LZ], 1 * 2 * 3 + 2 * (2 * s * s + 3 * c * c), EXACT);
    CU_ASSERT_DOUBLE_EQUAL(totals[IC_SCENE_LY], 2 * (2 - 3) * s * c, EXACT);
    write_rows(text, sizeof text, -3, "\r\n");
    IC_OWN(ic_scene_motion) turned = read_motion(text);
    CU_ASSERT_EQUAL(turned.end, IC_MOTION_COMPLETE);
    CU_ASSERT_DOUBLE_EQUAL(
        turned.rows[5 * turned.row_size + (size_t)2 * IC_SCENE_QUANTITY_COUNT + IC_SCENE_ANGLE], 0.5 - 15,
        EXACT);
}

/* Motions that are none, by one replaced part; NULL: cut off there. */
IC_TEST(test_wrong_motions)
{
    static const struct {
        const char *part, *by, *said;
        ic_motion_end end;
    } wrong[] = {
        {"engine test 1", "Engine 1.0 (debug)", "line 1 is 'Engine 1.0 (debug)': the protocol has no such line",
         IC_MOTION_GARBAGE},
        {"engine test 1", "unsupported no joints", "no joints", IC_MOTION_UNSUPPORTED},
        {"end\n", "", "`end` is missing", IC_MOTION_GARBAGE},
        {"row 0.40000000000000002 rod", NULL, "5 of 6 rows", IC_MOTION_FAILED},
        {"row 0 ball", "row 0 bal", "line 4 is 'row 0 bal 1 2 0 ", IC_MOTION_GARBAGE},
        {"row 0 ball", "row 0 bal", "...': the row of 'ball' at t = 0 s is due", IC_MOTION_GARBAGE},
        {"row 0 ball", "row 0 balls", "the row of 'ball' at t = 0 s is due", IC_MOTION_GARBAGE},
        {"row 0 ball", "row 0 rod", "the row of 'ball' at t = 0 s is due", IC_MOTION_GARBAGE},
        {"row 0.10000000000000001 rod", "row 0.1 ball", "the row of 'rod' at t = 0.1 s is due",
         IC_MOTION_GARBAGE},
        {"row 0 ball", "row ball", "'ball' is not a number", IC_MOTION_GARBAGE},
        {"row 0 ball 1", "row 0 ball one", "'one' is not a number", IC_MOTION_GARBAGE},
        {"row 0 ball 1", "row 0 ball 1,5", "'1,5' has a comma; numbers have a decimal point",
         IC_MOTION_GARBAGE},
        {"row 0 ball 1", "row 0,0 ball 1", "'0,0' has a comma", IC_MOTION_GARBAGE},
        {" 0 0 2\nrow 0 rod", " 0 0\nrow 0 rod", "less than 13 numbers", IC_MOTION_GARBAGE},
        {" 0 0 2\nrow 0 rod", " 0 0 2 7\nrow 0 rod", "more than 13 numbers", IC_MOTION_GARBAGE},
        {" 0 0 2\nrow 0 rod", " 0 0 nan\nrow 0 rod", "not finite at t = 0 s", IC_MOTION_NOT_FINITE},
        {" 0 0 2\nrow 0 rod", " 0 0 inf\nrow 0 rod", "not finite", IC_MOTION_NOT_FINITE},
        {"row 0.10000000000000001 ball", "row 0.2 ball", "where t = 0.1 s is due", IC_MOTION_GARBAGE},
        {" 1 2 0 0.98", " 1 2 0 0.58", "not a unit quaternion", IC_MOTION_GARBAGE},
        {"end\n", "row 0.6 ball 1 2 0 1 0 0 0 0 3 0 0 0 2\nend\n", "more rows than the scene has steps",
         IC_MOTION_GARBAGE},
        {"row 0.5 rod", "end\nrow 0.5 rod", "line 15 is 'end': it comes after 6 of 6 rows", IC_MOTION_GARBAGE},
        {"engine test 1\n", "", "lines without 'engine NAME VERSION', which is due", IC_MOTION_GARBAGE},
        {"engine test 1", "engine test", "line 1 is 'engine test': 'engine NAME VERSION' is due",
         IC_MOTION_GARBAGE},
        {"engine test 1", "engine test ", "'engine NAME VERSION' is due", IC_MOTION_GARBAGE},
        {"setting two", "unpromised bounces here", "line 3 is 'unpromised bounces here': no topic; those are",
         IC_MOTION_GARBAGE},
        {"setting two", "unpromised rest", "the place in the documentation is due", IC_MOTION_GARBAGE},
    };
    char text[4096], changed[4200];
    write_rows(text, sizeof text, 1.5, "\n");
    for (size_t i = 0; i < IC_COUNT(wrong); i++) {
        const char *at = strstr(text, wrong[i].part);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        const bool cut = wrong[i].by == NULL;
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, cut ? "" : wrong[i].by,
                 cut ? "" : at + strlen(wrong[i].part));
        IC_OWN(ic_scene_motion) m = read_motion(changed);
        IC_EXPECT(m.end == wrong[i].end && strstr(m.detail, wrong[i].said) != NULL, "'%s': %d, '%s'",
                  cut ? "" : wrong[i].by, (int)m.end, m.detail);
    }
}

/* ---- the first row */

/* A motion of one row. */
static ic_scene_motion start_at(ic_scene_file *file, ic_world *world, const char *row)
{
    char text[512];
    ic_world_make(world, file, 0);
    world->steps = 0;
    snprintf(text, sizeof text, "engine test 1\nrow 0 %s\nend\n", row);
    ic_scene_motion motion = {.end = IC_MOTION_FAILED};
    ic_scene_motion_read(&motion, world, text);
    CU_ASSERT_EQUAL(motion.end, IC_MOTION_COMPLETE);
    if (motion.end == IC_MOTION_COMPLETE) ic_scene_check_start(&motion, world);
    return motion;
}

IC_TEST(test_start)
{
    static const char one[] =
        "title: A box\n"
        "step: 1 s\n"
        "until: 1 s\n"
        "material: {restitution: 0, friction: 0}\n"
        "bodies:\n"
        "  box: {mass: 1 kg, box: [1 m, 1 m, 1 m], at: [1 m, 2 m, 0], turned: {axis: [1, 0, 0], "
        "angle: 1 rad}, velocity: [0, 3 m/s, 0], spin: [0, 0, 2 rad/s]}\n"
        "figures:\n"
        "  place: {measure: box.x, is: 1 m, tolerance: 1 m, because: b}\n";
    /* cos(0.5) 0.877582561890373, sin(0.5) 0.479425538604203 */
    static const struct {
        const char *row;
        ic_motion_end end;
        ic_mistake_id cause;
    } rows[] = {
        {"box 1 2 0 0.87758256 0.47942553 0 0 0 3 0 0 0 2", IC_MOTION_COMPLETE, IC_NO_MISTAKE},
        {"box 1 2.0001 0 -0.87758256 -0.47942553 0 0 0 3 0 0 0 2", IC_MOTION_COMPLETE, IC_NO_MISTAKE},
        {"box 1 2.01 0 0.87758256 0.47942553 0 0 0 3 0 0 0 2", IC_MOTION_STARTS_ELSEWHERE,
         IC_MISTAKE_START_IGNORED},
        {"box 1000 2000 0 0.87758256 0.47942553 0 0 0 3 0 0 0 2", IC_MOTION_STARTS_ELSEWHERE,
         IC_MISTAKE_UNITS_MIXED},
        {"box 1 2 0 0.47942553 0 0 0.87758256 0 3 0 0 0 2", IC_MOTION_STARTS_ELSEWHERE,
         IC_MISTAKE_COLUMNS_EXCHANGED},
        {"box 1 2 0 0.87758256 -0.47942553 0 0 0 3 0 0 0 2", IC_MOTION_STARTS_ELSEWHERE,
         IC_MISTAKE_SIGN_REVERSED},
        {"box 1 2 0 1 0 0 0 0 3 0 0 0 2", IC_MOTION_STARTS_ELSEWHERE, IC_MISTAKE_START_IGNORED},
        {"box 1 2 0 0.87758256 0.47942553 0 0 0 -3 0 0 0 2", IC_MOTION_STARTS_ELSEWHERE,
         IC_MISTAKE_SIGN_REVERSED},
        {"box 1 2 0 0.87758256 0.47942553 0 0 3 0 0 0 0 2", IC_MOTION_STARTS_ELSEWHERE,
         IC_MISTAKE_START_IGNORED},
        {"box 1 2 0 0.87758256 0.47942553 0 0 0 3 0 0 0 114.591559", IC_MOTION_STARTS_ELSEWHERE,
         IC_MISTAKE_UNITS_MIXED},
        {"box 1 2 0 0.87758256 0.47942553 0 0 0 3 0 0 0 0", IC_MOTION_STARTS_ELSEWHERE,
         IC_MISTAKE_START_IGNORED},
    };
    ic_error error = {""};
    IC_OWN(ic_scene_file) *file = ic_scene_file_read("one.yaml", one, sizeof one - 1, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_world world;
        IC_OWN(ic_scene_motion) m = start_at(file, &world, rows[i].row);
        IC_EXPECT(m.end == rows[i].end && m.cause == rows[i].cause, "%s: %s, %s", rows[i].row, m.detail,
                  ic_mistake_name(m.cause));
    }
}

/* ---- */

IC_TEST(test_unpromised)
{
    char text[4096], changed[4600];
    write_rows(text, sizeof text, 1.5, "\n");
    snprintf(changed, sizeof changed, "unpromised rest Bodies may creep, says the manual.\n%s", text);
    IC_OWN(ic_scene_motion) m = read_motion(changed);
    CU_ASSERT_EQUAL(m.end, IC_MOTION_COMPLETE);
    CU_ASSERT_STRING_EQUAL(ic_unpromised_find(m.unpromised, m.n_unpromised, "rest"),
                           "Bodies may creep, says the manual.");
    CU_ASSERT_PTR_NULL(ic_unpromised_find(m.unpromised, m.n_unpromised, "friction"));
    CU_ASSERT_PTR_NULL(ic_unpromised_find(m.unpromised, m.n_unpromised, ""));
    /* 240 characters, and one more */
    for (int length = 240; length <= 241; length++) {
        snprintf(changed, sizeof changed, "unpromised rest %0*d\n%s", length, 1, text);
        IC_OWN(ic_scene_motion) limit = read_motion(changed);
        CU_ASSERT_EQUAL(limit.end, length == 240 ? IC_MOTION_COMPLETE : IC_MOTION_GARBAGE);
        CU_ASSERT(length == 240 || strstr(limit.detail, "241 characters, where at most 240 are due") != NULL);
    }
}

/* Eight topics, and one more; what is said twice counts once. */
IC_TEST(test_many_unpromised)
{
    static const char *const topics[] = {"rest",   "friction",         "energy",      "joints",
                                         "slop",   "restitution",      "free-flight", "slow-motion",
                                         "energy", "slow-restitution", NULL};
    char rows[4096], text[4800] = "";
    size_t used = 0;
    write_rows(rows, sizeof rows, 1.5, "\n");
    for (size_t i = 0; topics[i] != NULL; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "unpromised %s here\n", topics[i]);
        snprintf(text + used, sizeof text - used, "%s", rows);
        IC_OWN(ic_scene_motion) m = read_motion(text);
        CU_ASSERT_EQUAL(m.end, i < 9 ? IC_MOTION_COMPLETE : IC_MOTION_GARBAGE);
        CU_ASSERT(i < 9 || strstr(m.detail, "it comes after 8 topics") != NULL);
    }
}

/* ---- mistakes */

/* A scene of one figure, exact value 1, measured in four settings x = 1, 2, 3, 4. */
static const char guesses[] =
    "title: Guesses\n"
    "parameters: {x: 1}\n"
    "vary: [{x: [1, 2, 3, 4]}]\n"
    "step: 1 s\n"
    "until: 1 s\n"
    "material: {restitution: 0, friction: 0}\n"
    "bodies: {ball: {mass: 1 kg, sphere: 1 m}}\n"
    "figures:\n"
    "  value: {measure: ball.x/(1 m), is: 1, tolerance: 0.01, because: it is, cause: tunnels}\n"
    "  other: {measure: ball.y/(1 m), is: 1, tolerance: 0.01, because: it is, cause: sleeping}\n"
    "mistakes:\n"
    "  - {name: friction-factor, says: c x, fit: {c: {from: 0.3, to: 3, log: true}}, predicts: {value: c*x}}\n"
    "  - {name: friction-squared, says: x^2, predicts: {value: x^2}}\n"
    "  - {name: frictionless, says: c at most, fit: {c: {from: 0, to: 5}}, predicts: {value: \"min(c, x)\"}}\n"
    "  - {name: friction-bound, says: also c x, fit: {c: {from: 1, to: 1.2}}, predicts: {value: c*x}}\n";

typedef struct guess {
    ic_mistake_id cause, other;
    double constant;
    char because[IC_BECAUSE_LENGTH];
} guess;

/* `measured`: of both figures in the four settings */
static guess name_figures(const double measured[2][4])
{
    ic_error error = {""};
    IC_OWN(ic_scene_file) *file = ic_scene_file_read("guesses.yaml", guesses, sizeof guesses - 1, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    ic_scene_point points[8];
    ic_figure_result figures[2] = {{.failed = 0}};
    IC_OWN(double) *answers = ic_scene_all_answers(file, &error);
    for (int i = 0; i < 8; i++) {
        const double value = measured[i % 2][i / 2];
        const bool good_one = fabs(value - 1) <= 0.01;
        points[i] = (ic_scene_point){value, 1, 0.01, good_one ? IC_POINT_PASS : IC_POINT_FAIL};
        figures[i % 2].failed += !good_one;
    }
    ic_scene_result r = {.file = file, .n_settings = 4, .points = points, .figures = figures};
    ic_scene_name_mistakes(&r, answers);
    guess g = {.cause = figures[0].cause, .other = figures[1].cause, .constant = figures[0].constant};
    snprintf(g.because, sizeof g.because, "%s", figures[0].because);
    return g;
}

IC_TEST(test_mistakes)
{
    /* c = 2, which is beyond the rival's range; the other figure fails where it acts */
    guess g = name_figures((const double[2][4]){{2, 4, 6, 8}, {1, 2, 1, 1}});
    CU_ASSERT_EQUAL(g.cause, IC_MISTAKE_FRICTION_FACTOR);
    CU_ASSERT_DOUBLE_EQUAL(g.constant, 2, FITTED);
    CU_ASSERT_EQUAL(g.other, IC_MISTAKE_FRICTION_FACTOR);
    g = name_figures((const double[2][4]){{1, 4, 9, 16}, {1, 1, 1, 1}});
    CU_ASSERT_EQUAL(g.cause, IC_MISTAKE_FRICTION_SQUARED);
    g = name_figures((const double[2][4]){{1, 2, 2.5, 2.5}, {1, 1, 1, 1}});
    CU_ASSERT_EQUAL(g.cause, IC_MISTAKE_FRICTIONLESS);
    CU_ASSERT_DOUBLE_EQUAL(g.constant, 2.5, FITTED);
    /* c = 1.1 of two mistakes */
    g = name_figures((const double[2][4]){{1.1, 2.2, 3.3, 4.4}, {1, 1, 1, 1}});
    CU_ASSERT_EQUAL(g.cause, IC_NO_MISTAKE);
    CU_ASSERT_PTR_NOT_NULL(strstr(g.because, "two mistakes explain it"));
    /* none of them; the other figure, which has no mistakes, fails where the first one does not */
    g = name_figures((const double[2][4]){{7, 7, 7, 1}, {1, 1, 1, 2}});
    CU_ASSERT_EQUAL(g.cause, IC_NO_MISTAKE);
    CU_ASSERT_PTR_NOT_NULL(strstr(g.because, "none of the mistakes"));
    CU_ASSERT_EQUAL(g.other, IC_MISTAKE_SLEEPING);
    /* a consequence of what nobody explains is not explained */
    g = name_figures((const double[2][4]){{7, 7, 7, 1}, {2, 1, 1, 1}});
    CU_ASSERT_EQUAL(g.other, IC_NO_MISTAKE);
}
