/* SPDX-License-Identifier: MIT */
/* Sketches: coordinates from case files, faults with places, and the picture of each shape. */
#include "casefile/casefile.h"
#include "core/shapes.h"
#include "reports/sketch.h"
#include "tests/machine.h"

IC_SUITE(light, "sketches")
IC_OWNED_POINTER(json_t, json_decref)

/* ---- coordinates from case files */

#define HEAD                                                                                                   \
    "parameters: {N: 3, R: 0.1 m, k: 100 1/s^2, for i in 1..N: {\"m[i]\": 1 kg}}\n"                            \
    "states: {x: m, v: m/s}\n"                                                                                 \
    "flow: {x: v, v: -k*x}\n"                                                                                  \
    "presets: {default: {until: 1 s}}\n"

enum { MOST = 64 };

static void expect_coordinates(const ic_case *system, int mode, const double *x, const double *expected,
                               size_t n)
{
    double par[16] = {0}, found[MOST];
    const double t = 0.5;
    ic_error error;
    CU_ASSERT_EQUAL_FATAL(ic_sketch_size(system), n);
    const ic_choices choices = {.preset = NULL};
    IC_OWN(ic_instance) *instance = ic_instance_new(system, &choices, &error);
    CU_ASSERT_FATAL(instance != NULL);
    memcpy(par, ic_instance_problem(instance)->par, system->n_parameters * sizeof *par);
    system->sketch(found, t, x, mode, par);
    for (size_t i = 0; i < n; i++) {
        const bool same = found[i] == expected[i] || (isnan(found[i]) && isnan(expected[i]));
        IC_EXPECT(same, "mode %d, coordinate %zu: %.17g instead of %.17g", mode, i, found[i], expected[i]);
        CU_ASSERT_FALSE(found[i] == expected[i] + 1); /* planted */
    }
}

/* Families, units, states, the time, optional parts; the same numbers compiled. */
IC_TEST(test_coordinates)
{
    static const char text[] =
        HEAD "indices: {i: 1..N}\n"
             "sketch:\n"
             "  - wall: {from: [0, -20 mm], to: [0, 2*R]}\n"
             "  - for i in 1..N: {ball: {at: [i*x, t*v], radius: R/i, label: \"m[i]\"}}\n"
             "  - ball: {at: [x, 0], radius: R, angle: x/R}\n"
             "  - box: {at: [x, 1 m], size: [R, 2*R], label: m_1}\n"
             "  - line: {from: [0, 0], to: [\"where(x > 0, x, none)\", 0], dashed: true}\n"
             "  - text: {at: [0, 0], says: \"says: this\"}\n";
    static const double expected[] = {0,   -0.02, 0, 0.2,     0.25, 1,    0.1, 0,   0.5, 1,    0.1 / 2,
                                      0,   0.75,  1, 0.1 / 3, 0,    0.25, 0,   0.1, 2.5, 0.25, 1,
                                      0.1, 0.2,   0, 0,       0,    0.25, 0,   0,   0};
    static const double x[] = {0.25, 2}, below[] = {-0.25, 2};
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    const ic_case *system = ic_casefile_case(c);
    CU_ASSERT_EQUAL(system->n_shapes, 8);
    CU_ASSERT_STRING_EQUAL(system->sketch_unit, "m");
    CU_ASSERT_STRING_EQUAL(system->shapes[2].label, "m2");
    CU_ASSERT_EQUAL(system->shapes[0].kind, IC_SHAPE_GROUND);
    CU_ASSERT(system->shapes[4].marked && !system->shapes[3].marked);
    CU_ASSERT(system->shapes[6].dashed);
    expect_coordinates(system, 0, x, expected, IC_COUNT(expected));
    double none[MOST];
    memcpy(none, expected, sizeof expected);
    system->sketch(none, 0, below, 0, (const double[16]){3, 0.1, 100});
    CU_ASSERT(isnan(none[27]));
    system->sketch(none, 0, x, 7, (const double[16]){3, 0.1, 100}); /* a mode that does not exist */
    CU_ASSERT(isnan(none[0]) && isnan(none[IC_COUNT(expected) - 1]));
    if (ic_casefile_compile(c, NULL)) expect_coordinates(system, 0, x, expected, IC_COUNT(expected));
}

/* Definitions of a mode; discrete states that combinations of elements replace. */
IC_TEST(test_modes)
{
    static const char own[] =
        "parameters: {a: 2}\n"
        "states: {x: 1}\n"
        "modes:\n"
        "  low: {definitions: {h: a*x}, flow: {x: 1 s^-1}, until: {up: {rises: x - 1, then: {mode: high}}}}\n"
        "  high: {definitions: {h: 7}, flow: {x: 1 s^-1}}\n"
        "presets: {default: {until: 1 s}}\n"
        "sketch: [{dot: {at: [x, h]}}]\n";
    static const char stop[] = "states: {x: {unit: m, start: 1 m}, v: m/s}\n"
                               "flow: {x: v, v: -9.81 m/s^2}\n"
                               "elements: {floor: {stop: {gap: x, restitution: 1/2}}}\n"
                               "presets: {default: {until: 1 s}}\n"
                               "sketch: [{dot: {at: [x, \"where(floor = 1, (3 m), x)\"]}}]\n";
    static const double x[] = {0.25, 2};
    IC_OWN(ic_casefile) *c = ic_tests_read(own);
    CU_ASSERT_STRING_EQUAL(ic_casefile_case(c)->sketch_unit, "1");
    expect_coordinates(ic_casefile_case(c), 0, x, (const double[]){0.25, 0.5}, 2);
    expect_coordinates(ic_casefile_case(c), 1, x, (const double[]){0.25, 7}, 2);
    IC_OWN(ic_casefile) *resting = ic_tests_read(stop);
    const ic_variant *variant = ic_casefile_case(resting)->variants;
    CU_ASSERT_EQUAL(ic_casefile_case(resting)->n_states, 2); /* the state of the element is a mode */
    size_t pressed = 0;
    for (int m = 0; m < (int)variant->n_modes; m++) {
        const bool is_pressed = strstr(variant->modes[m].name, "floor: 1") != NULL;
        pressed += is_pressed;
        if (is_pressed) expect_coordinates(ic_casefile_case(resting), m, x, (const double[]){0.25, 3}, 2);
        if (strcmp(variant->modes[m].name, "motion") == 0)
            expect_coordinates(ic_casefile_case(resting), m, x, (const double[]){0.25, 0.25}, 2);
    }
    CU_ASSERT_EQUAL(pressed, 1);
}

IC_TEST(test_faults)
{
    static const struct {
        const char *sketch, *place, *says;
    } rows[] = {
        {"sketch: []\n", "5:9", "a sketch has from 1 to 1000 shapes, but this has 0"},
        {"sketch: {ball: 1}\n", "5:9", "expected a list"},
        {"sketch: [ball]\n", "5:10", "expected a mapping"},
        {"sketch: [{bal: {at: [x, x]}}]\n", "5:11", "unknown key 'bal'; did you mean 'ball'?"},
        {"sketch: [{zigzag: {at: [x, x]}}]\n", "5:11", "known here: ground, ball,"},
        {"sketch: [{ball: {at: [x, x]}}]\n", "5:17", "a ball needs 'radius': a length"},
        {"sketch: [{dot: {at: x}}]\n", "5:21", "'at' must have two values: at: [x, y]"},
        {"sketch: [{box: {at: [x, x], size: [R]}}]\n", "5:35", "size: [width, height]"},
        {"sketch: [{dot: {at: [x, x], radius: R}}]\n", "5:29", "unknown key 'radius'"},
        {"sketch: [{dot: {at: [x, y]}}]\n", "5:25", "unknown name 'y'"},
        {"sketch: [{dot: {at: [x, v]}}]\n", "5:25",
         "coordinates of a sketch are lengths, or numbers without unit, but this is in m/s"},
        {"sketch: [{dot: {at: [x, 2]}}]\n", "5:25",
         "the coordinates before this one are in m, but this is in 1"},
        {"sketch: [{ball: {at: [x, x], radius: 2}}]\n", "5:38", "are in m, but this is in 1"},
        {"sketch: [{ball: {at: [x, x], radius: R, angle: x}}]\n", "5:48",
         "an angle has no unit, but this is in m"},
        {"sketch: [{text: {at: [x, x]}}]\n", "5:17", "a text in a sketch needs 'says'"},
        {"sketch: [{line: {from: [0, 0], to: [R, R], dashed: 2}}]\n", "5:52", "'dashed' must be true or false"},
        {"variants: {a: {definitions: {h: x}}, b: {definitions: {h: 2*x}}}\nsketch: [{dot: {at: [x, h]}}]\n",
         "6:25", "this coordinate differs between the variants 'a' and 'b'"},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", HEAD, rows[i].sketch);
        CU_ASSERT(ic_tests_refused(text, rows[i].place, rows[i].says));
    }
}

/* ---- the picture */

/* The sketch of these shapes as text, to be freed; NULL: nothing can be drawn. */
static char *draw(const char *shapes, const char *later, bool alone)
{
    char *text = NULL;
    size_t size = 0;
    json_error_t error;
    IC_OWN(json_t) *now = json_loads(shapes, 0, &error),
                   *then = later == NULL ? NULL : json_loads(later, 0, &error);
    FILE *out = open_memstream(&text, &size);
    CU_ASSERT_FATAL(now != NULL && out != NULL);
    const ic_sketch sketch = {.shapes = now, .later = then, .title = "A & B", .alone = alone};
    const bool drawn = ic_sketch_write(out, &sketch);
    fclose(out);
    CU_ASSERT(drawn || size == 0);
    if (drawn) return text;
    free(text);
    return NULL;
}

/* The line makes the picture 400 wide: ten units for each unit of the machine. */
#define SCALE "{\"kind\": \"line\", \"from\": [0, 0], \"to\": [40, 0]}"

/* Whether the picture of a shape contains a text. */
static bool shows(const char *shape, const char *wanted)
{
    char shapes[512];
    snprintf(shapes, sizeof shapes, "[" SCALE ", %s]", shape);
    IC_OWN(char) *text = draw(shapes, NULL, true);
    return text != NULL && strstr(text, wanted) != NULL;
}

IC_TEST(test_geometry)
{
    static const struct {
        const char *shape, *shows, *planted;
    } rows[] = {
        /* hatched on the right-hand side, which is below a way to the right */
        {"{\"kind\": \"ground\", \"from\": [0, 0], \"to\": [4, 0]}", "\"M0 0L40 0\"", "\"M0 0L4 0\""},
        {"{\"kind\": \"ground\", \"from\": [0, 0], \"to\": [4, 0]}",
         "M8 0L0 8M16 0L8 8M24 0L16 8M32 0L24 8M40 0L32 8\"", "M8 0L0 -8"},
        {"{\"kind\": \"ground\", \"from\": [0, 0], \"to\": [0, 4]}", "M0 -8L8 0M", "M0 -8L-8 0M"},
        {"{\"kind\": \"ball\", \"at\": [10, 2], \"radius\": 3}", "cx=\"100\" cy=\"-20\" r=\"30\"", "cy=\"20\""},
        /* an angle of 30 degrees upwards */
        {"{\"kind\": \"ball\", \"at\": [10, 2], \"radius\": 3, \"angle\": 0.5235987755982988}",
         "M100 -20L125.98 -35\"", "M100 -20L125.98 -5\""},
        {"{\"kind\": \"box\", \"at\": [20, 5], \"size\": [4, 2]}", "M180 -60L220 -60L220 -40L180 -40Z",
         "L220 40"},
        {"{\"kind\": \"box\", \"at\": [20, 5], \"size\": [4, 2], \"angle\": 0.5235987755982988}",
         "M177.68 -48.66L212.32 -68.66L222.32 -51.34L187.68 -31.34Z", "M180 -60L"},
        {"{\"kind\": \"spring\", \"from\": [0, 0], \"to\": [12.8, 0]}",
         "M0 0L12 0L18.5 -7L31.5 7L44.5 -7L57.5 7L70.5 -7L83.5 7L96.5 -7L109.5 7L116 0L128 0\"", "L18.5 7"},
        {"{\"kind\": \"damper\", \"from\": [0, 0], \"to\": [20, 0]}", "M0 0L100 0M112 0L200 0M100 -5L100 5\"",
         "M0 0L200 0"},
        {"{\"kind\": \"damper\", \"from\": [0, 0], \"to\": [20, 0]}", "M88 -7L112 -7L112 7L88 7\"",
         "M112 -7L88 -7L88 7L112 7"},
        {"{\"kind\": \"rod\", \"from\": [0, 1], \"to\": [3, 5]}", "M0 -10L30 -50\" fill=\"none\"", "M0 10"},
        {"{\"kind\": \"rod\", \"from\": [0, 1], \"to\": [3, 5]}", "stroke-width=\"4\"", "stroke-dasharray"},
        {"{\"kind\": \"line\", \"from\": [0, 1], \"to\": [3, 5], \"dashed\": true}", "stroke-dasharray",
         "stroke-width=\"4\""},
        {"{\"kind\": \"arrow\", \"from\": [0, 1], \"to\": [10, 1]}", "M100 -10L91 -13.6L91 -6.4Z", "M0 -10L9 "},
        {"{\"kind\": \"pivot\", \"at\": [10, 0]}", "M100 0L90 14L110 14Z", "M100 0L90 -14"},
        {"{\"kind\": \"dot\", \"at\": [10, 1]}", "cx=\"100\" cy=\"-10\" r=\"3\" fill=\"currentColor\"",
         "cy=\"10\""},
        {"{\"kind\": \"belt\", \"from\": [0, 0], \"to\": [10, 0]}",
         "M0 0L100 0A9 9 0 0 1 100 18L0 18A9 9 0 0 1 0 0\"", "100 -18"},
        {"{\"kind\": \"text\", \"at\": [10, 1], \"label\": \"a < b\"}", "x=\"100\" y=\"-4.75\"", "a < b"},
        {"{\"kind\": \"text\", \"at\": [10, 1], \"label\": \"a < b\"}", ">a &lt; b<", "italic"},
        /* a label above its line, set as a symbol with an index */
        {"{\"kind\": \"rod\", \"from\": [0, 3], \"to\": [10, 3], \"label\": \"omega_0\"}",
         "x=\"50\" y=\"-35.75\"", "y=\"-24.75\""},
        {"{\"kind\": \"rod\", \"from\": [0, 3], \"to\": [10, 3], \"label\": \"omega_0\"}",
         "italic\">ω</tspan><tspan dy=\"4\" font-size=\"11\">0</tspan>", "omega_0</tspan>"},
        /* in a body, where it fits */
        {"{\"kind\": \"box\", \"at\": [20, 5], \"size\": [4, 4], \"label\": \"m\"}", "x=\"200\" y=\"-44.75\"",
         "class=\"over\""},
        /* bodies without extent are dots, and ways without length nothing */
        {"{\"kind\": \"ball\", \"at\": [10, 1], \"radius\": 0}", "r=\"3\" fill=\"currentColor\"", "r=\"0\""},
        {"{\"kind\": \"ball\", \"at\": [10, 1], \"radius\": -2}", "r=\"3\" fill=\"currentColor\"", "r=\"-20\""},
        {"{\"kind\": \"box\", \"at\": [10, 1], \"size\": [0, 0]}", "r=\"3\" fill=\"currentColor\"", "Z"},
        {"{\"kind\": \"arrow\", \"from\": [1, 1], \"to\": [1, 1], \"label\": \"F\"}", "L400 0", "italic"},
        /* a shape with a coordinate that is not finite is left out */
        {"{\"kind\": \"ball\", \"at\": [10, null], \"radius\": 1}", "L400 0", "<circle"},
        {"{\"kind\": \"ball\", \"at\": [10, 1], \"radius\": null}", "L400 0", "<circle"},
        {"{\"kind\": \"spring\", \"from\": [1, 1], \"to\": [null, 1], \"label\": \"k\"}", "L400 0", "italic"},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_EXPECT(shows(rows[i].shape, rows[i].shows), "row %zu does not show %s", i, rows[i].shows);
        CU_ASSERT_FALSE(shows(rows[i].shape, rows[i].planted));
    }
}

/* No label lies on a line of its own shape or of another one, where there is room. */
IC_TEST(test_labels_keep_off)
{
    static const char shapes[] =
        "[" SCALE ", {\"kind\": \"line\", \"from\": [20, -9], \"to\": [20, 9], \"label\": \"a\"},"
        "{\"kind\": \"dot\", \"at\": [20, 0], \"label\": \"b\"}, {\"kind\": \"dot\", \"at\": [20, 0], \"label\": \"c\"}]";
    IC_OWN(char) *text = draw(shapes, NULL, false);
    CU_ASSERT_FATAL(text != NULL);
    CU_ASSERT_PTR_NULL(strstr(text, "class=\"over\"")); /* the halo of a label on a line */
    char crowd[8000] = "[" SCALE;
    for (int i = 0; i < 60; i++) {
        const size_t n = strlen(crowd);
        snprintf(crowd + n, sizeof crowd - n, ", {\"kind\": \"line\", \"from\": [0, %g], \"to\": [40, %g]}",
                 0.4 * i - 12, 0.4 * i - 12);
    }
    const size_t used = strlen(crowd);
    snprintf(crowd + used, sizeof crowd - used, "%s",
             ", {\"kind\": \"dot\", \"at\": [20, 0], \"label\": \"b\"}]");
    IC_OWN(char) *crowded = draw(crowd, NULL, false);
    CU_ASSERT_FATAL(crowded != NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(crowded, "class=\"over\"")); /* planted: there is no room */
}

IC_TEST(test_whole_picture)
{
    static const char ball[] =
        "[" SCALE ", {\"kind\": \"ball\", \"at\": [10, 2], \"radius\": 3, \"label\": \"m\"}]";
    static const char near[] = "[" SCALE ", {\"kind\": \"ball\", \"at\": [10, 2.05], \"radius\": 3}]";
    static const char far[] = "[" SCALE ", {\"kind\": \"ball\", \"at\": [10, 2.5], \"radius\": 3}]";
    static const char gone[] = "[" SCALE ", {\"kind\": \"ball\", \"at\": [10, 1e300], \"radius\": 3}]";
    IC_OWN(char) *text = draw(ball, NULL, true);
    CU_ASSERT_FATAL(text != NULL);
    /* from 0 to 400 and from the ball's top at -50 to its bottom at 10, with a margin of 10 */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "viewBox=\"-10 -60 420 80\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "xmlns="));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "aria-label=\"A &amp; B: line, ball m\""));
    CU_ASSERT_PTR_NULL(strstr(text, "<g opacity"));
    IC_OWN(char) *later = draw(ball, far, false);
    CU_ASSERT_FATAL(later != NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(later, "cy=\"-25\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(later, "max-width: 420px"));
    CU_ASSERT_PTR_NULL(strstr(later, "xmlns="));
    IC_OWN(char) *same = draw(ball, near, false);
    CU_ASSERT(same != NULL && strstr(same, "cy=\"-20.5\"") == NULL); /* not visible */
    IC_OWN(char) *lost = draw(ball, gone, false);
    CU_ASSERT(lost != NULL && strstr(lost, "cy=\"-20\"") != NULL);
    CU_ASSERT_PTR_NULL(draw("[]", NULL, true));
    CU_ASSERT_PTR_NULL(draw("[{\"kind\": \"dot\", \"at\": [null, 1]}]", NULL, true));
    CU_ASSERT_PTR_NULL(draw("[{\"kind\": \"rod\", \"from\": [1, 1], \"to\": [1, 1]}]", NULL, true));
    IC_OWN(char) *point =
        draw("[{\"kind\": \"dot\", \"at\": [1e-9, 7]}]", NULL, true); /* a single point has no extent */
    CU_ASSERT_PTR_NOT_NULL(point);
}
