/* SPDX-License-Identifier: MIT */
/*
 * Files that are made to exhaust the reader or to be run by somebody: each is refused with a place,
 * in little memory. Time is not tested: the commit that added a limit measured it.
 */
#include "casefile/casefile.h"
#include "tests/allocations.h"
#include "tests/tests.h"

IC_SUITE(light, "hostile case files")

/*
 * The most memory that a file may take, bytes; udunits and libyaml, which are not counted, take
 * some 5 MB.
 */
enum { MOST_MEMORY = 127 << 20 };

/* ---- files */

/* Writes a part of a text; ~ stands for i, # for i + 1, | for i blanks, and ! for a zero byte. */
static void put_part(FILE *stream, const char *part, size_t length, size_t i)
{
    for (const char *c = part; c < part + length; c++) {
        if (*c == '~' || *c == '#') fprintf(stream, "%zu", *c == '~' ? i : i + 1);
        else if (*c == '|') fprintf(stream, "%*s", (int)i, "");
        else fputc(*c == '!' ? '\0' : *c, stream);
    }
}

/* Writes a text, in which "@N part@" stands for a part that is written N times, with i from 0 on. */
static void put(FILE *stream, const char *text)
{
    while (*text != '\0') {
        const bool repeated = *text == '@';
        char *part = (char *)text;
        const size_t n = repeated ? strtoul(text + 1, &part, 10) : 1;
        part += repeated;
        const size_t length = strcspn(part, "@");
        for (size_t i = 0; i < n; i++) put_part(stream, part, length, i);
        text = part + length + repeated;
    }
}

/* A formula follows, and the end of a file. */
#define FLOW "states: {x: 1}\nparameters: {T: 1 s}\nflow: {x: "
#define END "}\npresets: {default: {until: 1 s}}\n"

static const struct {
    const char *what, *text;

    /* place, "" if it is the file as a whole, and what the message contains */
    const char *place, *says;
} rows[] = {
    {"ten megabytes", FLOW "x/T}\n@10000000 x@", "", "longer than the limit for case files"},
    {"nested parentheses", FLOW "@10000 (@x@10000 )@" END, ":3:211", "nested too deeply"},
    {"minuses", FLOW "@10000 -@x" END, ":3:212", "nested too deeply"},
    {"nested functions", FLOW "@10000 sin(@x@10000 )@" END, ":3:811", "nested too deeply"},
    {"nested unit", "states: {x: @10000 (@m@10000 )@" END, ":1:13", "nested too deeply"},
    {"nested lists", "states: @100000 [@", ":1:32", "nested too deeply"},
    {"nested mappings", "@1000 |a:\n@", ":25:25", "nested too deeply"},
    {"aliases",
     "a0: &a0 [x, x, x, x, x, x, x, x, x]\n@9 a#: &a# [*a~, *a~, *a~, *a~, *a~, *a~, *a~, *a~, *a~]\n@", ":1:5",
     "anchors"},
    {"circle", "definitions: {a: b, b: c, c: a}\n" FLOW "a" END, ":1:30",
     "the definition of 'a' in line 1 depends on itself"},
    {"long circle", "definitions:\n@1899   a~: a# + 1\n@  a1899: a0 + 1\n" FLOW "a0/T" END, ":201:9",
     "nested too deeply"},
    {"long chain", "definitions:\n@1900   a#: sin(a~)\n@  a0: x\n" FLOW "a1900/T" END, ":1802:14",
     "nested too deeply"},
    {"a million states", "states: {for i in 1..1000: {for k in 1..1000: {\"x[i, k]\": 1}}" END, ":1:29",
     "more than 2000 entries"},
    {"a million states by a parameter", "parameters: {N: 1e6}\nstates: {for i in 1..N: {\"x[i]\": 1}" END,
     ":2:22", "below a million"},
    {"families of families",
     "states: {for i in 1..1000: {for j in 1..1000: {for k in 1..1000: {for l in 1..1000: {}}}}" END, ":1:67",
     "too many members"},
    {"sums of sums", FLOW "\"sum(i in 1..1000, sum(j in 1..1000, sum(k in 1..1000, sum(l in 1..0, x))))\"" END,
     ":3:81", "too many members"},
    {"long sum", FLOW "(x@390000 +x@)/T" END, ":3:11", "needs too much memory"},
    {"long guard", FLOW "x/T}\nuntil: {e: {falls: x@390000 +x@}" END, ":4:20", "needs too much memory"},
    /* derivatives of a product are long: n^2 operations */
    {"long product", FLOW "x/T}\nuntil: {e: {falls: x@4000 *(x + ~*t/T)@}" END, "", "needs too much memory"},
    {"keys", "states: {@70000 x~: 1, @}\n", ":1:", "more than 4096 keys"},
    {"modes",
     "states: {x: 1}\nparameters: {T: 1 s}\nmodes: {\n"
     "@4000   m~: {flow: {x: 1/T}, until: {e: {falls: x - ~, then: {mode: m#}}}},\n@  m4000: {flow: {x: 0}}" END,
     ":260:3", "more than 256 modes"},
    {"events", FLOW "x/T}\nuntil: {@2000 e~: {falls: x}, @" END, ":4:8", "more than 500 events"},
    {"alternatives", FLOW "x/T}\nuntil: {e: {falls: x, then: [@20000 {if: x > ~, x: 0}, @]}" END, ":4:29",
     "more than 100 alternatives"},
    {"variants", FLOW "x/T}\nvariants: {@4000 v~: {flow: {x: 2*x/T}}, @" END, "", "needs too much memory"},
    {"keyword", FLOW "x/T}\nuntil: {for: {falls: x, then: {void: 1}}" END, ":4:32", "'void' is not a state"},
    {"shell text as a name", "states: {\"$(touch pwned)\": 1, \"`touch pwned`\": 1" END, ":1:11",
     "a comma within braces"},
    {"shell text in a formula", FLOW "\"x/T; system('touch pwned')\"" END, ":3:15", "text follows"},
    {"a format", FLOW "'%s%n%s%n'" END, ":3:12", "expected a number or a name"},
    {"huge exponent", FLOW "x*1e99999999999999999999/T" END, ":3:13", "exceeds the range"},
    {"huge unit", "states: {x: m^99999999999999" END, ":1:13", "the exponent is out of range"},
    {"digits", FLOW "x*0.@100000 1@" END, ":3:13", "too many digits"},
    {"zero byte", FLOW "!" END, ":3:11", "control characters"},
    {"invalid UTF-8", FLOW "\xC3\xA9\xFF" END, ":3:12", "invalid leading UTF-8"},
};

static bool says(const ic_error *error, const char *place, const char *what)
{
    char start[64];
    const size_t n =
        (size_t)snprintf(start, sizeof start, "hostile.yaml%s%s", place, place[0] == '\0' ? ": " : "");
    return strncmp(error->text, start, n) == 0 && strstr(error->text, what) != NULL;
}

IC_TEST(test_refused_with_a_place)
{
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        char *bytes = NULL;
        size_t size = 0;
        ic_error error = {""};
        FILE *stream = open_memstream(&bytes, &size);
        CU_ASSERT_FATAL(stream != NULL);
        put(stream, rows[i].text);
        fclose(stream);
        ic_allocations_begin(IC_NO_FAILURE);
        ic_casefile *c = ic_casefile_read("hostile.yaml", bytes, size, NULL, 0, &error);
        const ic_allocations used = ic_allocations_end();
        const bool good = c == NULL && says(&error, rows[i].place, rows[i].says);
        IC_EXPECT(good && used.peak <= MOST_MEMORY && used.left <= 0,
                  "%s: '%.200s', %zu MB, %td bytes are left", rows[i].what, error.text, used.peak >> 20,
                  used.left);
        ic_casefile_free(c);
        free(bytes);
    }
}

/* Planted: another place and another message are not what is expected. */
IC_TEST(test_other_messages_are_seen)
{
    ic_error error;
    snprintf(error.text, sizeof error.text, "hostile.yaml:3:211: nested too deeply");
    CU_ASSERT(says(&error, ":3:211", "nested too deeply"));
    CU_ASSERT_FALSE(says(&error, ":3:212", "nested too deeply"));
    CU_ASSERT_FALSE(says(&error, "", "nested too deeply"));
    CU_ASSERT_FALSE(says(&error, ":3:211", "needs too much memory"));
}

/*
 * Names that C gives a meaning to, and texts that a shell would run, are names and texts of a case.
 */
IC_TEST(test_names_are_only_names)
{
    static const char text[] =
        "parameters: {while: 1 1/s}\n"
        "states: {int: 1, return: 1, goto: {unit: 1, meaning: \"$(touch pwned); `id` */ \\\" %s\"}}\n"
        "definitions: {struct: int*return}\n"
        "flow: {int: while*return, return: -while*int, goto: struct*while}\n"
        "until: {for: {falls: int}, \"`touch pwned`; $HOME\": {rises: int, meaning: \"*/ }\"}}\n"
        "outputs: {double: int}\n"
        "presets: {\"`touch pwned`\": {until: 1 s}}\n";
    ic_error error = {""};
    ic_casefile *c = ic_casefile_read("$(touch pwned).yaml", text, sizeof text - 1, NULL, 0, &error);
    IC_EXPECT_FATAL(c != NULL, "%s", error.text);
    const double x[] = {2, 3, 5}, par[] = {7};
    double rates[3] = {0}, compiled[3] = {0};
    ic_casefile_case(c)->variants[0].modes[0].flow(rates, 0, x, par);
    CU_ASSERT(rates[0] == 21 && rates[1] == -14 && rates[2] == 42);
    CU_ASSERT(ic_casefile_compile(c, &error));
    ic_casefile_case(c)->variants[0].modes[0].flow(compiled, 0, x, par);
    for (size_t i = 0; i < IC_COUNT(rates); i++) CU_ASSERT_EQUAL(rates[i], compiled[i]);
    CU_ASSERT_PTR_NULL(fopen("pwned", "r"));
    ic_casefile_free(c);
}
