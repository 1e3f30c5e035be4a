/* SPDX-License-Identifier: MIT */
/* The web pages: what is planted in results must show on them, escaped; formulas and figures that
   are compiled in can be read. */
#include "audit/common/finding.h"
#include "audit/common/process.h"
#include "reference/embedded.h"
#include "reports/columns.h"
#include "reports/formula.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/lines.h"
#include "reports/looks.h"
#include "reports/number.h"
#include "reports/plot.h"
#include "reports/web.h"
#include "reports/web_parts.h"
#include "tests/machine.h"

#include <sys/stat.h>
#include <unistd.h>

IC_SUITE(light, "report")
IC_OWNED(ic_columns, ic_columns_free)
IC_OWNED(ic_plot, ic_plot_free)
IC_OWNED_POINTER(ic_web, ic_web_close)
IC_OWNED_POINTER(json_t, json_decref)

/* ---- numbers */

/* Numbers that differ are printed with digits enough to show it. */
IC_TEST(digits_apart)
{
    CU_ASSERT_EQUAL(ic_number_digits_apart(1, 2, 3), 3);
    CU_ASSERT_EQUAL(ic_number_digits_apart(2.0001e-3, 2e-3, 3), 5);
    CU_ASSERT_EQUAL(ic_number_digits_apart(-1, -1.00051, 3), 4);
    CU_ASSERT_EQUAL(ic_number_digits_apart(1, nextafter(1, 2), 3), 17);
    CU_ASSERT_EQUAL(ic_number_digits_apart(0.3, 0.3, 3), 3);
    CU_ASSERT_EQUAL(ic_number_digits_apart(NAN, 0.3, 3), 3);
    CU_ASSERT_EQUAL(ic_number_digits_apart(INFINITY, INFINITY, 3), 3);
}

/* Text that is written to a stream. */
static struct {
    FILE *stream;
    char *text;
    size_t size;
} written;

static FILE *begin_text(void)
{
    written.stream = open_memstream(&written.text, &written.size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(written.stream);
    return written.stream;
}

/* What was written, to be freed. */
static char *end_text(void)
{
    fclose(written.stream);
    return written.text;
}

/* ---- JSON */

static const char json_text[] =
    "{\n  \"text\": \"a \\\"b\\\"\",\n  \"list\": [\n    0.1,\n    5,\n    1e-300,\n    null,\n    true\n  ],\n"
    "  \"empty\": {}\n}\n";

/* A Jansson object is written as by the writer alone, and read back unchanged. */
IC_TEST(test_json)
{
    json_t *list =
        json_pack("[o, i, o, o, b]", ic_json_real(0.1), 5, ic_json_real(1e-300), ic_json_real(NAN), 1);
    IC_OWN(json_t) *value = json_pack("{s:s, s:o, s:{}}", "text", "a \"b\"", "list", list, "empty");
    CU_ASSERT_PTR_NOT_NULL_FATAL(value);
    ic_json json = ic_json_to(begin_text());
    ic_json_value(&json, NULL, value);
    IC_OWN(char) *text = end_text();
    CU_ASSERT_STRING_EQUAL(text, json_text);
    IC_OWN(json_t) *read = json_loads(text, 0, NULL);
    CU_ASSERT(json_equal(read, value));
}

/* ---- a folder of results */

static const char list_json[] =
    "{\"cases\": [{\"name\": \"spring\", \"title\": \"A <spring>\", \"source\": \"Hooke 1678\"}],"
    " \"solvers\": [{\"name\": \"euler\", \"title\": \"Euler's\", \"source\": \"\", \"order\": 1, \"control\": "
    "\"rtol\", \"variant\": null}],"
    " \"checks\": [{\"name\": \"energy\", \"meaning\": \"adds up\"}], \"traps\": [], \"studies\": []}";

/* `share`: of the tolerance, in the second row. */
static const char verify_format[] =
    "{\"rows\": [{\"check\": \"energy\", \"subject\": \"spring/a\", \"solver\": \"euler\", \"what\": \"sum\", "
    "\"error\": 0.25, \"radius\": null,"
    " \"tolerance\": 1, \"unit\": \"J\", \"origin\": \"\", \"detail\": \"\", \"verdict\": \"pass\"},"
    " {\"check\": \"energy\", \"subject\": \"spring/b\", \"solver\": \"euler\", \"what\": \"a & b\", "
    "\"error\": %s, \"radius\": null,"
    " \"tolerance\": 1, \"unit\": \"J\", \"origin\": \"\", \"detail\": \"<script>alert('planted')</script>\", "
    "\"verdict\": \"%s\"}]}";

typedef struct folder {
    char path[64];
} folder;

static void put(const folder *f, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%.60s", f->path, name);
    ic_tests_write(path, text);
}

static folder make_folder(void)
{
    folder f = {"/tmp/impactcheck-report-XXXXXX"};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(f.path));
    put(&f, "list.json", list_json);
    return f;
}

static void put_verdict(const folder *f, const char *error, const char *verdict)
{
    char text[1024];
    snprintf(text, sizeof text, verify_format, error, verdict);
    put(f, "verify.json", text);
}

static void remove_folder(folder *f)
{
    ic_folder_remove(f->path);
}
IC_OWNED(folder, remove_folder)

/* A file of the report, to be freed, or NULL. */
static char *page_of(const folder *f, const char *name)
{
    char *text = NULL;
    ic_web_error error;
    IC_OWN(ic_web) *web = ic_web_open(f->path, &error);
    CU_ASSERT_PTR_NOT_NULL(web);
    for (size_t i = 0; web != NULL && i < ic_web_files(web); i++) {
        if (strcmp(ic_web_file_name(web, i), name) != 0) continue;
        CU_ASSERT(ic_web_write(web, i, begin_text()));
        text = end_text();
    }
    return text;
}

static bool holds(const char *page, const char *text)
{
    return page != NULL && strstr(page, text) != NULL;
}

/* A file of the report has these texts, and none of those after a '!'. */
static void expect_page(const folder *f, const char *name, const char *const *texts)
{
    IC_OWN(char) *page = page_of(f, name);
    for (; *texts != NULL; texts++) {
        const bool wanted = (*texts)[0] != '!', good = holds(page, *texts + !wanted) == wanted;
        IC_EXPECT(good, "%s: %s: %s", name, wanted ? "missing" : "not wanted", *texts);
    }
}
#define EXPECT_PAGE(folder_, name_, ...) expect_page(folder_, name_, (const char *const[]){__VA_ARGS__, NULL})

IC_TEST(planted_failure)
{
    IC_OWN(folder) f = make_folder();
    put_verdict(&f, "7.5", "FAIL");
    IC_OWN(char) *page = page_of(&f, "index.html");
    CU_ASSERT(holds(page, "1 of 2 checks fails</h1>"));
    CU_ASSERT(holds(page, "✗ 7.5"));
    CU_ASSERT(holds(page, "verify 'spring*' --solver euler") ||
              holds(page, "verify &#39;spring*&#39; --solver euler"));
    const char *why = page != NULL ? strstr(page, "&lt;script&gt;alert(&#39;planted&#39;)") : NULL;
    const char *matrix = page != NULL ? strstr(page, "class=\"matrix ") : NULL;
    CU_ASSERT(why != NULL && matrix != NULL && why < matrix); /* what fails stands at the top */
    CU_ASSERT(!holds(page, "<script>alert"));
    CU_ASSERT(holds(page, "a &amp; b"));
    EXPECT_PAGE(&f, "case-spring.html", "A &lt;spring&gt;", "Failures");
    EXPECT_PAGE(&f, "solver-euler.html", "Failures");
}

/* A case that is a file: its equations are typeset from its text, and nothing in it is markup. */
IC_TEST(case_of_a_file)
{
    static const char list[] =
        "{\"cases\": [{\"name\": \"mine\", \"title\": \"</script><b>t</b>\", \"source\": \"s\", \"file\": \"my file.yaml\","
        " \"text\": {\"about\": \"<i>about</i>\", \"definitions\": {\"w2\": \"k*x/m - 1e-3*x[i+1]\", \"u_[i]\": \"w\"},"
        " \"flow\": {\"for i in 1..<N>\": {\"x[i]\": \"v\"}, \"v\": \"<script>alert(1)</script>\"},"
        " \"mass\": {\"of\": [\"a\", \"b\"], \"matrix\": [[\"J + 1\", \"0\"], [\"0\", \"K\"]], \"force\": [\"p\", \"q\"]},"
        " \"elements\": {\"wall<\": {\"stop\": {\"gap\": \"gap - x\", \"pushes\": {\"v\": \"1/m\"}}}},"
        " \"until\": {\"hit\": {\"falls\": \"x - l\", \"then\": [{\"if\": \"v > 0\", \"mode\": \"<u>\"}, {\"v\": \"-v\"}]}}},"
        " \"variants\": [{\"name\": \"A\", \"meaning\": \"\", \"modes\": [{\"name\": \"<free>\", \"meaning\": \"\","
        " \"guards\": [{\"name\": \"<hit>\", \"jump\": [{\"mode\": \"held\"}]}]}, {\"name\": \"held\", \"guards\": []}]}],"
        " \"presets\": [{\"path\": \"mine/a\", \"variant\": \"A\"}]}], \"solvers\": []}";
    IC_OWN(folder) f = make_folder();
    put(&f, "list.json", list);
    EXPECT_PAGE(&f, "index.html",
                /* k x / m as one fraction, and an index that is a sum */
                "<mfrac><mrow><mi>k</mi><mspace width=\"0.17em\"></mspace><mi>x</mi></mrow><mi>m</mi></mfrac>",
                "<msub><mi>x</mi><mrow><mi>i</mi><mo form=\"infix\">+</mo><mn>1</mn></mrow></msub>",
                "<msub><mi>u</mi><mrow><mi>i</mi></mrow></msub>",
                "<mi>J</mi><mo form=\"infix\">+</mo><mn>1</mn>", "wall&lt;: stop", "gap:\u00a0", "falls",
                "&lt;script&gt;alert", "for\u00a0i\u00a0in\u00a01..&lt;N&gt;", "&lt;free&gt;</text>",
                "&lt;hit&gt;</text>", "States of wall&lt;, a stop", "&lt;i&gt;about",
                "check &#39;my file.yaml&#39;", "!is missing", "!<script>alert", "!<b>t", "!<free>", "!<hit>",
                "!<u>", "!<N>", "!<i>about");
}

/*
 * The page of a built-in case has the words of reports/text/NAME.txt and the equations of its file;
 * the page of a user's file has its own equations only, whatever its name is.
 */
IC_TEST(case_of_the_suite)
{
    static const char flow[] =
        "\"title\": \"t\", \"text\": {\"flow\": {\"y\": \"3*z\"}}, \"variants\": [], \"presets\": []";
    static const char paper[] = "A steel ball hits a fixed specimen", rate[] = "<mi>y</mi><mo class=\"prime\"";
    static const struct {
        const char *name, *file;
        bool paper;
    } rows[] = {{"ball", "", true}, {"ball", ", \"file\": \"ball.yaml\"", false}, {"mine", "", false}};
    IC_OWN(folder) f = make_folder();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char list[1024], html[64];
        snprintf(list, sizeof list, "{\"cases\": [{\"name\": \"%s\", %s%s}], \"solvers\": []}", rows[i].name,
                 flow, rows[i].file);
        snprintf(html, sizeof html, rows[i].file[0] != '\0' ? "index.html" : "case-%s.html", rows[i].name);
        put(&f, "list.json", list);
        IC_OWN(char) *page = page_of(&f, html);
        CU_ASSERT(holds(page, rate));
        CU_ASSERT_EQUAL(holds(page, paper), rows[i].paper);
        CU_ASSERT(!holds(page, "class=\"missing\">No linear view"));
    }
}

static void put_in(const folder *f, const char *folder_name, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", f->path, folder_name);
    CU_ASSERT_EQUAL(mkdir(path, 0777), 0);
    snprintf(path, sizeof path, "%s/%s", folder_name, name);
    put(f, path, text);
}

/* &#39; as ': some of them are written as they are. */
static void unescape_quotes(char *page)
{
    char *to = page;
    for (const char *at = page; page != NULL && *at != '\0'; at++) {
        const bool quote = strncmp(at, "&#39;", 5) == 0;
        *to++ = (char)(quote ? '\'' : *at);
        at += quote ? 4 : 0;
    }
    if (page != NULL) *to = '\0';
}

static const char file_list[] =
    "{\"cases\": [{\"name\": \"mine\", \"title\": \"A title\", \"source\": \"\", \"file\": \"o'k/my.yaml\","
    " \"text\": {\"elements\": {\"wall\": {\"contact\": {\"indentation\": \"-x\", \"law\": \"hunt-crossley\"}}}},"
    " \"parameters\": [{\"name\": \"A\", \"unit\": \"m\", \"default\": \"0.02\", \"range\": \"\", \"meaning\": \"\","
    " \"written\": \"20 mm\"}], \"states\": [{\"name\": \"x\", \"unit\": \"m\", \"meaning\": \"\"}],"
    " \"outputs\": [{\"name\": \"force\", \"unit\": \"N\", \"meaning\": \"of the wall\"}],"
    " \"variants\": [{\"name\": \"A\", \"meaning\": \"\", \"modes\": [{\"name\": \"rocks\", \"meaning\": \"\", \"flow\": [\"0\"],"
    " \"guards\": [{\"name\": \"hit\", \"jump\": [{\"mode\": null}], \"accumulates\": [{\"mode\": \"rests\"}]}]},"
    " {\"name\": \"rests\", \"flow\": [\"0\"], \"guards\": []}]}],"
    " \"presets\": [{\"path\": \"mine/a\", \"preset\": \"a\", \"variant\": \"A\", \"settings\": \"\", \"until\": \"1\","
    " \"meaning\": \"\"}]}], \"solvers\": [{\"name\": \"euler\"}]}";

/* What the page of a file has of its results; commands name the file. */
IC_TEST(results_of_a_file)
{
    static const char verify[] =
        "{\"rows\": [{\"check\": \"orbits\", \"subject\": \"mine/a\", \"solver\": \"euler\", \"what\": \"orbit\","
        " \"error\": null, \"radius\": null, \"tolerance\": null, \"unit\": \"1\", \"detail\": \"why\", \"verdict\": \"FAIL\"}]}";
    static const char *const right[] = {"impactcheck verify 'o'\\''k/my.yaml/a' --solver euler",
                                        "impactcheck run 'o'\\''k/my.yaml/a'",
                                        "impactcheck list cases 'o'\\''k/my.yaml' --long",
                                        "<h1>A title</h1>",
                                        "<p>law: hunt-crossley</p>",
                                        "20 mm = 0.02",
                                        "<title>hit, infinitely often</title>",
                                        "<b>force.</b> of the wall",
                                        ">none</td>"};
    IC_OWN(folder) f = make_folder();
    put(&f, "list.json", file_list);
    put(&f, "verify.json", verify);
    put_in(&f, "runs", "states-mine.csv", "t,mode,x,force\n0,rocks,1,0\n1,rocks,2,3\n");
    IC_OWN(char) *page = page_of(&f, "index.html");
    unescape_quotes(page);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        IC_EXPECT(holds(page, right[i]), "missing: %s", right[i]);
    }
    CU_ASSERT(!holds(page, "class=\"source\""));
    CU_ASSERT(!holds(page, "verify 'mine"));
}

/* One verdict of a check of a case, and what its report says first. */
static void expect_standing(const folder *f, const char *solver, const char *verdict, const char *wanted,
                            const char *advice)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"rows\": [{\"check\": \"case\", \"subject\": \"mine/a\", \"solver\": \"%s\", \"verdict\": \"%s\"}]}",
        solver, verdict);
    put(f, "verify.json", text);
    EXPECT_PAGE(f, "index.html", wanted, advice, "What to do next");
}

/*
 * A report about one case: the first page says how it stands; nothing is said of results that are not there, and
 * no page is about anything else.
 */
IC_TEST(report_of_one_case)
{
    static const char alone[] =
        "{\"cases\": [{\"name\": \"mine\", \"title\": \"T\", \"presets\": [], \"variants\": []}]}";
    ic_web_error error;
    IC_OWN(folder) f = make_folder();
    put(&f, "list.json", file_list);
    expect_standing(&f, "euler", "pass", "✓</span> All 1 checks pass", "!Mend what fails");
    expect_standing(&f, "euler", "FAIL", "✗</span> 1 of 1 checks fails", "A solver misses a tolerance");
    expect_standing(&f, "", "FAIL", "✗</span> 1 of 1 checks fails", "Mend what fails first");
    expect_standing(&f, "euler", "skipped", "Undecided: nothing could be checked", "!Mend what fails");
    EXPECT_PAGE(&f, "index.html", "!class=\"missing\"", "!id=\"figures\"", "!id=\"certified\"", "!costs.html",
                "!audits.html", "!solver-euler.html", "no certificate could be made");
    put(&f, "list.json", alone);
    IC_OWN(ic_web) *web = ic_web_open(f.path, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(web);
    CU_ASSERT_STRING_EQUAL(ic_web_subject(web), "mine");
    for (size_t i = 0; i < ic_web_files(web); i++) {
        const char *name = ic_web_file_name(web, i);
        CU_ASSERT(strstr(name, ".html") == NULL || strcmp(name, "index.html") == 0 ||
                  strcmp(name, "results.html") == 0);
    }
    put_in(&f, "audits", "mine.json",
           "{\"verdict\": \"failed\", \"summary\": \"Failed: 1\", \"findings\": [{\"verdict\": \"fail\", "
           "\"check\": \"energy\", \"cause\": \"no-rest\"}]}");
    EXPECT_PAGE(&f, "audits.html", "✗ FAIL", ">mine</td>", "no-rest", "!traps", "!gallery");
}

/* The first and the last of many certified events; of what is undecided, only why. */
IC_TEST(certified_digits)
{
    char text[8192] = "{\"status\": \"certified\", \"preset\": \"a\", \"variant\": \"A\", \"events\": [";
    IC_OWN(folder) f = make_folder();
    put(&f, "list.json", file_list);
    for (int i = 0; i < 46; i++) {
        ic_text_append(text, sizeof text, "%s{\"t\": \"%d.5\", \"radius\": \"0\", \"guard\": \"hit\"}",
                       i > 0 ? "," : "", i);
    }
    ic_text_append(text, sizeof text,
                   "], \"outputs\": {\"force\": {\"final\": {\"value\": \"77.25\", \"radius\": \"0\"}}}}");
    put_in(&f, "certified", "mine.json", text);
    EXPECT_PAGE(&f, "index.html", ">0.5</td>", ">4.5</td>", ">41.5</td>", "77.25", "!>5.5</td>", "!>40.5</td>",
                "… 36 more, all in <code>certified/mine.json</code> of the results …");
    put(&f, "certified/mine.json",
        "{\"status\": \"undecided\", \"reason\": \"which is first\", \"events\": [], \"outputs\": {\"force\": {\"final\": "
        "{\"value\": \"0\", \"radius\": \"2.98e-4934\"}}}}");
    EXPECT_PAGE(&f, "index.html", "Not certified to the end (undecided): which is first.", "!2.98e-4934");
}

/* Findings outside the verdict are counted below it; without an audit there is no verdict. */
IC_TEST(outside_the_verdict)
{
    IC_OWN(folder) f = make_folder();
    put_verdict(&f, "0.5", "pass");
    EXPECT_PAGE(&f, "index.html", "!Not among these checks");
    put(&f, "bench.json",
        "{\"targets\": [{\"verdict\": \"met\"}, {\"verdict\": \"missed\"}, {\"verdict\": \"not built\"}]}");
    EXPECT_PAGE(&f, "index.html", "2 <a href=\"costs.html#targets\">targets of cost</a>: 1 missed");
}

IC_TEST(all_good)
{
    IC_OWN(folder) f = make_folder();
    put_verdict(&f, "0.5", "pass");
    EXPECT_PAGE(&f, "index.html", "All 2 checks pass</h1>", "✓ 0.50", "!✗ 0", "!Failures");
}

/* Two results of an engine on a scene: `date`, verdict, deviation over the tolerance. */
static void put_engine(const folder *f, const char *file, const char *date, const char *verdict,
                       const char *excess)
{
    static const char format[] =
        "{\"date\": \"%s\", \"scenes\": [{\"scene\": \"stack\", \"title\": \"A <stack>\", \"asks\": \"does it?\"}],"
        " \"results\": [{\"engine\": \"./a/b\", \"name\": \"pebble\", \"version\": \"2\", \"config\": \"best\","
        " \"scene\": \"stack\", \"verdict\": \"pass\", \"figures\": []},"
        " {\"engine\": \"toy\", \"version\": \"1.0\", \"config\": \"best\", \"scene\": \"stack\","
        " \"verdict\": \"%s\", \"figures\": [{\"name\": \"sinks\", \"failed\": 1, \"not_promised\": 0, \"excess\": %s}]},"
        " {\"engine\": \"\", \"config\": \"best\", \"scene\": \"stack\"}, {\"engine\": \"toy\", \"config\": \"best\", \"scene\": "
        "\"none\"}]}";
    char text[1024];
    snprintf(text, sizeof text, format, date, verdict, excess);
    put(f, file, text);
}

/* The later result of a scene is shown, and those of engines/ before those of the same day. */
IC_TEST(engines_on_scenes)
{
    static const struct {
        const char *date, *verdict, *excess, *shown;
    } rows[] = {{"2026-01-01", "FAIL", "12.3", "✓ <span class=\"why\">0.5</span>"},
                {"2026-01-02", "FAIL", "12.3", "✗ <span class=\"why\">12</span>"},
                {"2026-01-03", "FAIL", "1.0004", "✗ <span class=\"why\">1.01</span>"},
                {"2026-01-03", "FAIL", "0.9", "✗ <span class=\"why\"></span>"},
                {"2026-01-03", "pass", "1", "✓ <span class=\"why\">1.0</span>"},
                {"2026-02-01", "not promised", "15800", "○ <span class=\"why\">16k</span>"},
                {"2026-02-01", "FAIL", "null", "✗ <span class=\"why\">∞</span>"}};
    IC_OWN(folder) f = make_folder();
    CU_ASSERT_PTR_NULL(page_of(&f, "engines.html"));
    put_engine(&f, "engines.json", "2026-01-02", "pass", "0.5");
    put_in(&f, "engines", "toy.json", "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_engine(&f, "engines/toy.json", rows[i].date, rows[i].verdict, rows[i].excess);
        IC_OWN(char) *page = page_of(&f, "engines.html"), *data = page_of(&f, "engines-toy-1.0-best.js");
        CU_ASSERT(holds(page, rows[i].shown));
        CU_ASSERT(holds(page, "A &lt;stack&gt;") &&
                  holds(page, "audit --engine toy --scenes stack --config best"));
        CU_ASSERT(holds(page, ">pebble <span class=\"why\">./a/b 2 best") &&
                  holds(page, "audit --engine ./a/b --scenes stack --config best"));
        CU_ASSERT(holds(data, "takeEngine(\"toy-1.0-best\", [{\"engine\": \"toy\""));
    }
    EXPECT_PAGE(&f, "index.html", "<a href=\"engines.html\">");
}

/* Every page says by which command what it lacks is made; nothing is said to have passed. */
IC_TEST(missing_results)
{
    IC_OWN(folder) f = make_folder();
    EXPECT_PAGE(&f, "index.html", "impactcheck verify --quiet --json verify.json", "No verdict yet",
                "!checks pass");
    put(&f, "verify.json", "{\"rows\": [ damaged");
    EXPECT_PAGE(&f, "index.html", "No verdict yet");
    EXPECT_PAGE(&f, "costs.html", "impactcheck bench --quiet --out bench.json", "sweep roller/III/D");
    EXPECT_PAGE(&f, "audits.html", "impactcheck audit --solver euler --json");
    put(&f, "list.json", "{}");
    ic_web_error error = {""};
    CU_ASSERT_PTR_NULL(ic_web_open(f.path, &error));
    CU_ASSERT(strstr(error.text, "impactcheck list --json") != NULL);
}

IC_TEST(same_bytes)
{
    IC_OWN(folder) f = make_folder();
    put_verdict(&f, "7.5", "FAIL");
    ic_web_error error;
    IC_OWN(ic_web) *web = ic_web_open(f.path, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(web);
    const size_t n = web != NULL ? ic_web_files(web) : 0;
    CU_ASSERT(n > 6);
    for (size_t i = 0; i < n; i++) {
        IC_OWN(char) *a = page_of(&f, ic_web_file_name(web, i)), *b = page_of(&f, ic_web_file_name(web, i));
        CU_ASSERT(a != NULL && b != NULL && a[0] != '\0' && strcmp(a, b) == 0);
    }
}

/* ---- parts */

static char *formula(const char *text, bool *good)
{
    const char *wrong;
    *good = ic_formula_write(begin_text(), text, &wrong);
    return end_text();
}

IC_TEST(formulas)
{
    static const struct {
        const char *text, *part; /* NULL: wrong */
    } samples[] = {
        {"a/b", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"},
        {"(a + b)/c", "<mfrac><mrow><mi>a</mi><mo form=\"infix\">+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>"},
        {"x_2^2", "<msup><msub><mi>x</mi><mn>2</mn></msub><mn>2</mn></msup>"},
        {"cos(phi)/x", "<mo>)</mo></mrow></mrow><mi>x</mi></mfrac>"},
        {"omega t", "<mi>ω</mi>"},
        {"q_r''",
         "<mrow><msub><mi>q</mi><mi>r</mi></msub><mo class=\"prime\" lspace=\"0\" rspace=\"0\">″</mo></mrow>"},
        {"\"a < b\" x", "<mtext>a\xc2\xa0&lt;\xc2\xa0"
                        "b</mtext>"},
        {"a +", NULL},
        {"(a", NULL},
        {"a)", NULL},
        {"\"open", NULL},
        {"a_", NULL},
        {"<b>", NULL}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        bool good = false;
        IC_OWN(char) *made = formula(samples[i].text, &good);
        CU_ASSERT_EQUAL(good, samples[i].part != NULL);
        CU_ASSERT(samples[i].part == NULL || holds(made, samples[i].part));
        CU_ASSERT(holds(made, "</math></p>"));
    }
}

IC_TEST(stored_formulas)
{
    static const char *const files[] = {"roller.txt", "two-mass.txt",      "planar-bar.txt",
                                        "ball.txt",   "rotating-beam.txt", "bouncing-ball.txt"};
    char line[IC_LINE_SIZE];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *at = ic_report_embedded(files[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        size_t n = 0;
        while (at != NULL && ic_next_line(&at, line)) {
            if (line[0] != '=') continue;
            bool good = false;
            free(formula(line + 1, &good));
            CU_ASSERT(good);
            n++;
        }
        CU_ASSERT(n > 1);
    }
}

/* Each curve of a figure names a file that a command is known for. */
IC_TEST(stored_figures)
{
    enum { MOST = 16 };
    const ic_web all = {.subject = ""};
    char line[IC_LINE_SIZE], curves[MOST][IC_FIGURE_FIELD];
    const char *fields[IC_LINE_FIELDS], *at = ic_report_embedded("figures.txt");
    size_t n = 0;
    while (at != NULL && ic_next_line(&at, line)) {
        for (size_t i = ic_figure_curves(line, curves, MOST); i > 0; i--, n++) {
            ic_line_fields(curves[i - 1], fields);
            CU_ASSERT(ic_web_recipe(&all, fields[1]).text[0] != '\0');
        }
    }
    CU_ASSERT(n > 100);
    CU_ASSERT_STRING_EQUAL(ic_web_recipe(&all, "runs/planted.csv").text, "");
}

/* ---- tables of the papers */

static const char *reference_file(const char *path)
{
    for (size_t i = 0; i < ic_embedded_count; i++) {
        if (strcmp(ic_embedded_files[i].path, path) == 0) return ic_embedded_files[i].text;
    }
    return "";
}

/* Whether a line of a reference table is what `row` names: an id, or "SOURCE, PLACE: PRINTED" of an
   erratum. */
static bool is_known(const char *row)
{
    static const char *const claims[] = {"roller", "planar-bar", "ball"};
    char line[2048], path[64];
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        snprintf(path, sizeof path, "published/claims-%s.csv", claims[i]);
        for (const char *at = reference_file(path); *at != '\0'; at += strcspn(at, "\n"), at += *at != '\0') {
            snprintf(line, sizeof line, "%.*s:", (int)strcspn(at, ";\n"), at);
            if (ic_text_is_of(line, row)) return true;
        }
    }
    for (const char *at = reference_file("errata.csv"); *at != '\0';
         at += strcspn(at, "\n"), at += *at != '\0') {
        char fields[5][512] = {""};
        const char *field = at;
        for (size_t i = 0; i < 5; i++) {
            const size_t n = strcspn(field, ";\n");
            snprintf(fields[i], sizeof fields[i], "%.*s", (int)n, field);
            field += n + (field[n] == ';');
        }
        snprintf(line, sizeof line, "%s, %s: %s", fields[2], fields[3], fields[4]);
        if (ic_text_is_of(line, row)) return true;
    }
    return strncmp(row, "Table 1, ", strlen("Table 1, ")) == 0 && strstr("A- A+ B- B+ C- C+ D- D+", row + 9);
}

/* Each row of `verify` that a cell names is made of a line in the reference tables. */
IC_TEST(stored_tables)
{
    char line[IC_LINE_SIZE], row[256];
    const char *fields[IC_LINE_FIELDS], *at = ic_report_embedded("tables.txt");
    size_t n = 0;
    while (at != NULL && ic_next_line(&at, line)) {
        CU_ASSERT(strlen(line) < IC_LINE_SIZE - 1); /* not cut */
        if (strncmp(line, "row = ", strlen("row = ")) != 0) continue;
        const size_t count = ic_line_fields(line, fields);
        for (size_t i = 1; i < count; i++) {
            const char *named = strstr(fields[i], " @");
            if (named == NULL) continue;
            snprintf(row, sizeof row, "%s", named + 2);
            static const char *const marks[] = {" / ", " * "};
            for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
                char *mark = strstr(row, marks[k]);
                if (mark != NULL) *mark = '\0';
            }
            IC_EXPECT(is_known(row), "no row for a cell of tables.txt: %s", row);
            n++;
        }
    }
    CU_ASSERT(n > 120);
    CU_ASSERT(!is_known("tableIII-C1-0.1501"));
    CU_ASSERT(!is_known("table2-kappa-1-v"));
}

/* A cell of Kecskemethy & Lange's Table 2 from rows that are made up. */
static void put_cell(const folder *f, const char *measured, const char *error, const char *verdict)
{
    char text[2048];
    put(f, "list.json",
        "{\"cases\": [{\"name\": \"planar-bar\", \"title\": \"\", \"source\": \"\"}], \"solvers\": [], "
        "\"checks\": []}");
    snprintf(
        text, sizeof text,
        "{\"rows\": [{\"check\": \"published\", \"subject\": \"planar-bar/kappa-1\", \"solver\": \"s\", "
        "\"what\": \"table2-kappa-1-vx: v\", \"error\": %s, \"radius\": null, \"tolerance\": 0.0005, \"unit\": "
        "\"m/s\", \"origin\": \"\", \"detail\": \"<why>\", \"place\": \"Table 2\", \"published\": \"-0.894\", "
        "\"measured\": \"%s\", \"verdict\": \"%s\"},"
        "{\"check\": \"errata\", \"subject\": \"planar-bar/kappa-1\", \"solver\": \"s\", \"what\": "
        "\"Kecskemethy & Lange 1999, Table 2, kappa = 100: x -0.005; should be -0.008\", \"error\": 1e-9, "
        "\"radius\": null, "
        "\"tolerance\": 1e-4, \"unit\": \"m/s\", \"origin\": \"\", \"detail\": \"\", \"place\": \"Table 2\", "
        "\"published\": \"\", \"measured\": \"-0.0075\", \"verdict\": \"erratum\"}]}",
        error, measured, verdict);
    put(f, "verify.json", text);
}

IC_TEST(printed_cells)
{
    IC_OWN(folder) f = make_folder();
    put_cell(&f, "-0.8944614862", "0.0004614862", "pass");
    IC_OWN(char) *page = page_of(&f, "case-planar-bar.html");
    CU_ASSERT(holds(
        page, "<b>-0.894</b><span class=\"ours pass\">✓ -0.89446</span> <span class=\"delta\">Δ 0.00046"));
    /* what an erratum deviates by is seen from what is printed, not from the rounding of its
       evidence */
    CU_ASSERT(holds(
        page, "<b>-0.005</b><span class=\"ours erratum\">≠ -0.00750</span> <span class=\"delta\">Δ 0.0025"));
    CU_ASSERT(holds(page, "should be: -0.008"));
    CU_ASSERT(holds(
        page, "✓ 1 of 2 cells that are judged are as printed; ≠ 1 do not hold; 18 without a value of ours"));
    put_cell(&f, "-0.8", "0.094", "FAIL");
    EXPECT_PAGE(&f, "case-planar-bar.html", "<span class=\"ours fail\">✗ -0.80000</span>", "&lt;why&gt;",
                "✗ 0 of 2 cells");
}

/* Words go on with letters and digits: roller/I is no roller/IV. */
IC_TEST(named_rows)
{
    CU_ASSERT(ic_text_is_of("table2-kappa-1-vx: tangential", "table2-kappa-1-vx"));
    CU_ASSERT(ic_text_is_of("yield-force: of C1", "yield-force:"));
    CU_ASSERT(!ic_text_is_of("yield-force-C2: of C2", "yield-force:"));
    CU_ASSERT(!ic_text_is_of("eq17-II: damping", "eq17-I"));
    CU_ASSERT(!ic_text_is_of("anything", ""));
}

IC_TEST(symbols)
{
    ic_page_symbols(begin_text(), "F_f <0, λ_x, _a, b_");
    IC_OWN(char) *made = end_text();
    CU_ASSERT_STRING_EQUAL(made, "F<sub>f</sub> &lt;0, λ<sub>x</sub>, _a, b_");
}

/* ---- studies */

IC_TEST(studies)
{
    IC_OWN(folder) f = make_folder();
    put(&f, "list.json",
        "{\"cases\": [{\"name\": \"spring\", \"title\": \"\", \"source\": \"\"}], \"solvers\": [], "
        "\"studies\": [{\"name\": \"s\", \"title\": \"A study\", \"question\": \"Why?\"}]}");
    EXPECT_PAGE(&f, "studies.html", "studies/s.json</code> is missing");
    put_in(
        &f, "studies", "s.json",
        "{\"columns\": [{\"name\": \"law\", \"unit\": null, \"meaning\": \"which\"}, {\"name\": \"a, "
        "\\\"b\\\"\", \"unit\": "
        "\"m\", \"meaning\": \"height\"}], \"rows\": [[\"x\\\"y\", 1.5], [\"z\", null]], \"findings\": [\"One "
        "<is> first.\"]}");
    EXPECT_PAGE(&f, "studies.html", "<li>One &lt;is&gt; first.</li>", "<caption>2 of 2 rows</caption>",
                "impactcheck study s");
    ic_web_error error;
    IC_OWN(ic_web) *web = ic_web_open(f.path, &error);
    IC_OWN(ic_columns) columns = {0};
    const bool read = web != NULL && ic_web_columns(web, "studies/s.json", &columns);
    CU_ASSERT_FATAL(read);
    CU_ASSERT_EQUAL(columns.n_rows, 2);
    CU_ASSERT_EQUAL(ic_columns_find(&columns, "a, \"b\""), 1);
    CU_ASSERT_STRING_EQUAL(ic_columns_text(&columns, 0, 0), "x\"y");
    CU_ASSERT_EQUAL(ic_columns_number(&columns, 0, 1), 1.5);
    CU_ASSERT(isnan(ic_columns_number(&columns, 1, 1)));
    CU_ASSERT(!ic_web_columns(web, "studies/none.json", &columns));
}

/* ---- laws */

IC_TEST(laws_of_a_case)
{
    IC_OWN(folder) f = make_folder();
    put(&f, "list.json",
        "{\"cases\": [{\"name\": \"spring\", \"title\": \"\", \"source\": \"\", \"variants\": [{\"name\": "
        "\"hertz\"}]}], "
        "\"solvers\": [], \"laws\": [{\"name\": \"hertz\", \"title\": \"F = K d^n\", \"source\": \"Hertz "
        "1881\"}, {\"name\": \"other\", \"title\": \"\", \"source\": \"\"}]}");
    EXPECT_PAGE(&f, "case-spring.html", "<tr title=\"impactcheck law hertz\">", "Hertz 1881",
                "!impactcheck law other");
}

/* ---- costs */

IC_TEST(cheapest_settings)
{
    IC_OWN(folder) f = make_folder();
    static const char row[] =
        "{\"subject\": \"spring/a\", \"solver\": \"%s\", \"error\": %s, \"simulated\": 1, \"work\": "
        "{\"flow_calls\": 3}, \"seconds\": [%s]}";
    static const struct {
        const char *solver, *error, *seconds;
    } rows[] = {{"euler", "1e-3", "1e-6"},
                {"euler", "1e-9", "5e-6, 4e-6"},
                {"fast", "1e-8", "2e-6"},
                {"coarse", "1e-7", "1e-7"}};
    char text[2048] = "{\"rows\": [";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ic_text_append(text, sizeof text, "%s", i > 0 ? ", " : "");
        ic_text_append(text, sizeof text, row, rows[i].solver, rows[i].error, rows[i].seconds);
    }
    ic_text_append(text, sizeof text, "]}");
    put(&f, "bench.json", text);
    EXPECT_PAGE(&f, "costs.html", "--solver fast\">★ 2</td>", "--solver euler\">4<span class=\"why\">×2</span>",
                "--solver coarse\">–</td>");
}

/* A row of the table, a solver that it lacks, and the families' style. */
IC_TEST(looks)
{
    const ic_look ours = ic_look_of("dop853"), peer = ic_look_of("gsl_rk8pd"), other = ic_look_of("mine");
    CU_ASSERT_STRING_EQUAL(ours.class, "f2 own");
    CU_ASSERT_STRING_EQUAL(peer.class, "f2 peer"); /* one colour for those that are compared */
    CU_ASSERT(ours.mark == 0 && peer.mark == 1 && other.mark == 3);
    CU_ASSERT_STRING_EQUAL(other.class, "f6 own");
    ic_looks_write_style(begin_text());
    IC_OWN(char) *made = end_text();
    CU_ASSERT(holds(made, ".f2 { stroke: #1d475f; }") && holds(made, ".f6 {") && !holds(made, ".f7 {"));
}

/* Colours follow the quartiles: a ratio whose quartiles lie around 1 has none. */
IC_TEST(ratios)
{
    IC_OWN(folder) f = make_folder();
    static const char pair[] = "{\"subject\": \"spring/a\", \"solver\": \"dop853\", \"peer\": \"gsl_rk8pd\", "
                               "\"level\": %s, \"setting\": %s, \"factor\": %s, \"low\": %s, \"high\": %s}";
    static const char *const of[][5] = {{"1e-6", "1e-7", "1.5", "1.4", "1.6"},
                                        {"1e-8", "1e-7", "0.8", "0.7", "0.9"},
                                        {"1e-10", "1e-7", "1.01", "0.9", "1.1"},
                                        {"1e-12", "null", "null", "null", "null"}};
    char text[2048] = "{\"rows\": [], \"load\": {\"verdict\": \"noisy: planted\"}, \"pairs\": [";
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        ic_text_append(text, sizeof text, "%s", i > 0 ? ", " : "");
        ic_text_append(text, sizeof text, pair, of[i][0], of[i][1], of[i][2], of[i][3], of[i][4]);
    }
    ic_text_append(text, sizeof text, "]}");
    put(&f, "bench.json", text);
    EXPECT_PAGE(&f, "costs.html", "The machine was noisy: planted",
                "<caption>dop853 against gsl_rk8pd</caption>", "cell pass\" data-l=\"10⁻⁶\"",
                "cell fail\" data-l=\"10⁻⁸\"", "cell plain\" data-l=\"10⁻¹⁰\"", "--ratios\">–</td>");
}

IC_TEST(escaping)
{
    IC_HTML(begin_text(), "<a title=\"%\">%</a>", "\"><b>'&", "\x01λ<i>");
    IC_OWN(char) *made = end_text();
    CU_ASSERT_STRING_EQUAL(made, "<a title=\"&quot;&gt;&lt;b&gt;&#39;&amp;\">\xef\xbf\xbdλ&lt;i&gt;</a>");
}

IC_TEST(reading_columns)
{
    char text[] = "t,\"a,b\",c\r\n1,\"x\"\"y\",3\n2,,nan";
    FILE *stream = fmemopen(text, strlen(text), "r");
    IC_OWN(ic_columns) columns;
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    CU_ASSERT(ic_columns_read(&columns, stream));
    fclose(stream);
    CU_ASSERT_EQUAL(columns.n_rows, 2);
    CU_ASSERT_EQUAL(ic_columns_find(&columns, "a,b"), 1);
    CU_ASSERT_EQUAL(ic_columns_find(&columns, "d"), -1);
    CU_ASSERT_STRING_EQUAL(ic_columns_text(&columns, 0, 1), "x\"y");
    CU_ASSERT_EQUAL(ic_columns_number(&columns, 0, 2), 3);
    CU_ASSERT(isnan(ic_columns_number(&columns, 1, 1)));
    CU_ASSERT_EQUAL(ic_columns_number(&columns, 1, 0), 2);
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) n++;
    return n;
}

/* NAN and what a logarithm does not have break a line; the same points twice are drawn once. */
IC_TEST(plots)
{
    IC_OWN(ic_plot) plot = {.title = "a < b", .x = {"x", false, NAN, NAN}, .y = {"y", true, NAN, NAN}};
    CU_ASSERT(!ic_plot_has_data(&plot));
    ic_plot_series *line = ic_plot_add(&plot, "one", IC_PLOT_LINE, 0);
    const double ys[] = {1, 10, -1, 100, 1000, NAN, 1, 1, INFINITY};
    for (size_t i = 0; i < sizeof ys / sizeof *ys; i++) ic_plot_point(&plot, line, (double)i, ys[i]);
    ic_plot_point(&plot, line, 1e308, 1);
    ic_plot_point(&plot, line, -1e308, 1);
    ic_plot_series *dots = ic_plot_add(&plot, "", IC_PLOT_DOTS, 1);
    for (size_t i = 0; i < 100; i++) ic_plot_point(&plot, dots, 3, 10);
    CU_ASSERT(ic_plot_has_data(&plot));
    ic_plot_write(&plot, begin_text());
    IC_OWN(char) *made = end_text();
    const char *path = strstr(made, "class=\"line s0\" d=\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    char strokes[512] = "";
    if (path != NULL) snprintf(strokes, sizeof strokes, "%.*s", (int)strcspn(path + 19, "\""), path + 19);
    CU_ASSERT_EQUAL(count_of(strokes, "M"), 3);
    CU_ASSERT_EQUAL(count_of(made, "h0"), 1);
    CU_ASSERT(holds(made, "aria-label=\"a &lt; b\""));
    CU_ASSERT(!holds(made, "nan") && !holds(made, "inf"));
}

/* The text of a plot of (0, 0) to (1, y); the caller frees it. */
static char *plot_up_to(double y)
{
    IC_OWN(ic_plot) plot = {.title = "", .x = {"x", false, NAN, NAN}, .y = {"y", false, NAN, NAN}};
    ic_plot_series *line = ic_plot_add(&plot, "", IC_PLOT_LINE, 0);
    ic_plot_point(&plot, line, 0, 0);
    ic_plot_point(&plot, line, 1, y);
    ic_plot_write(&plot, begin_text());
    return end_text();
}

/* Cells of one series beside each other are one line; noise is drawn by coarser cells. */
IC_TEST(cells)
{
    IC_OWN(ic_plot) plot = {.x = {"x", false, 0, 4}, .y = {"y", false, 0, 2}, .cells_x = 4, .cells_y = 2};
    plot.title = "";
    ic_plot_series *one = ic_plot_add(&plot, "one", IC_PLOT_CELLS, 0);
    ic_plot_series *two = ic_plot_add(&plot, "two", IC_PLOT_CELLS, 1);
    for (int i = 0; i < 8; i++) ic_plot_point(&plot, i == 2 ? two : one, 0.5 + i % 4, i < 4 ? 0.5 : 1.5);
    ic_plot_write(&plot, begin_text());
    IC_OWN(char) *made = end_text();
    CU_ASSERT(made != NULL && holds(made, "class=\"cells s0\" stroke-width=\"118.120\" d=\"M62.00 187.00h184.00"
                                          "M338.00 187.00h92.00M62.00 69.00h368.00\""));
    CU_ASSERT(made != NULL &&
              holds(made, "class=\"cells s1\" stroke-width=\"118.120\" d=\"M246.00 187.00h92.00\""));
    plot.cells_x = plot.cells_y = 600;
    one->n = two->n = 0;
    for (int i = 0; i < 600; i++) {
        for (int k = 0; k < 600; k++)
            ic_plot_point(&plot, (i + k) % 2 == 0 ? one : two, 4 * (i + 0.5) / 600, 2 * (k + 0.5) / 600);
    }
    ic_plot_write(&plot, begin_text());
    IC_OWN(char) *noisy = end_text();
    CU_ASSERT(noisy != NULL && strlen(noisy) < 1000000 && count_of(noisy, "h") > 10000);
}

/* By characters: the ends of a line are where they belong; a peak of one point is seen. */
IC_TEST(plot_as_text)
{
    IC_OWN(ic_plot) plot = {.title = "t", .x = {"x", false, NAN, NAN}, .y = {"y", false, NAN, NAN}};
    ic_plot_series *line = ic_plot_add(&plot, "", IC_PLOT_LINE, 0);
    const double points[][2] = {{0, 0}, {0.5, 0}, {0.5, -1e3}, {0.5, 0}, {1, 0}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        ic_plot_point(&plot, line, points[i][0], points[i][1]);
    CU_ASSERT(ic_plot_write_text(&plot, begin_text(), 40, false));
    IC_OWN(char) *made = end_text();
    CU_ASSERT(made != NULL && holds(made, "        0 |****************************\n"));
    CU_ASSERT(made != NULL && holds(made, "    -1000 |              *\n"));
    CU_ASSERT(ic_plot_write_text(&plot, begin_text(), 40, true));
    IC_OWN(char) *braille = end_text();
    CU_ASSERT(braille != NULL && holds(braille, "⠉⠉⠉") && holds(braille, "    -1000 │              "));
}

/* Labels of an ordinate that are wide make the picture wider. */
IC_TEST(wide_labels)
{
    IC_OWN(char) *narrow = plot_up_to(1), *wide = plot_up_to(-4.5e-4);
    CU_ASSERT(narrow != NULL && holds(narrow, "viewBox=\"0 0 440 "));
    CU_ASSERT(wide != NULL && holds(wide, "viewBox=\"-") && !holds(wide, " 0 440 "));
    CU_ASSERT(wide != NULL && holds(wide, "\xe2\x88\x92"
                                          "4\xc2\xb7"
                                          "10<tspan"));
}
