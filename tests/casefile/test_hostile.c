/* SPDX-License-Identifier: MIT */
/*
 * Files that are made to exhaust the reader or to be run by somebody: each is refused with a place,
 * in little memory. Time is not tested: the commit that added a limit measured it.
 */
#include "casefile/casefile.h"
#include "tests/allocations.h"
#include "tests/tests.h"

#include <stdarg.h>

IC_SUITE(light, "hostile case files")

/*
 * The most memory that a file may take, bytes; udunits and libyaml, which are not counted, take
 * some 5 MB.
 */
enum { MOST_MEMORY = 127 << 20 };

/* ---- making files */

typedef struct text {
    char *bytes;
    size_t size;
    FILE *stream;
} text;

static void put(const text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(t->stream, format, arguments);
    va_end(arguments);
}

static void repeat(const text *t, const char *what, size_t n)
{
    for (size_t i = 0; i < n; i++) fputs(what, t->stream);
}

/* what, n, separated by `between`; %zu in `what` is the number. */
static void number_each(const text *t, const char *before, const char *after, const char *between, size_t n)
{
    for (size_t i = 0; i < n; i++) put(t, "%s%s%zu%s", i > 0 ? between : "", before, i, after);
}

static void put_preset(const text *t)
{
    put(t, "presets: {default: {until: 1 s}}\n");
}

/* states: {x: 1}, flow: {x: FORMULA}, where `formula` is written by the caller */
static void begin_flow(const text *t)
{
    put(t, "states: {x: 1}\nparameters: {T: 1 s}\nflow: {x: ");
}

static void end_flow(const text *t)
{
    put(t, "}\n");
    put_preset(t);
}

/* A file of one flow, which some calls write. */
#define FLOW(name_, ...)                                                                                       \
    static void name_(const text *t)                                                                           \
    {                                                                                                          \
        begin_flow(t);                                                                                         \
        __VA_ARGS__;                                                                                           \
        end_flow(t);                                                                                           \
    }

static void make_ten_megabytes(const text *t)
{
    begin_flow(t);
    put(t, "x/T}\n# ");
    repeat(t, "x", 10000000);
}

FLOW(make_nested, repeat(t, "(", 10000); put(t, "x"); repeat(t, ")", 10000))

FLOW(make_minuses, repeat(t, "-", 10000); put(t, "x"))

FLOW(make_nested_functions, repeat(t, "sin(", 10000); put(t, "x"); repeat(t, ")", 10000))

static void make_nested_unit(const text *t)
{
    put(t, "states: {x: ");
    repeat(t, "(", 10000);
    put(t, "m");
    repeat(t, ")", 10000);
    end_flow(t);
}

static void make_nested_lists(const text *t)
{
    put(t, "states: ");
    repeat(t, "[", 100000);
}

static void make_nested_mappings(const text *t)
{
    for (int i = 0; i < 1000; i++) put(t, "%*sa:\n", i, "");
}

static void make_aliases(const text *t)
{
    put(t, "a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
        put(t, "a%d: &a%d [*a%d", i, i, i - 1);
        for (int k = 0; k < 8; k++) put(t, ", *a%d", i - 1);
        put(t, "]\n");
    }
}

static void make_circle(const text *t)
{
    put(t, "definitions: {a: b, b: c, c: a}\n");
    begin_flow(t);
    put(t, "a");
    end_flow(t);
}

static void make_long_circle(const text *t)
{
    put(t, "definitions:\n");
    for (int i = 0; i < 1900; i++) put(t, "  a%d: a%d + 1\n", i, (i + 1) % 1900);
    begin_flow(t);
    put(t, "a0/T");
    end_flow(t);
}

static void make_long_chain(const text *t)
{
    put(t, "definitions:\n");
    for (int i = 0; i < 1900; i++) put(t, "  a%d: sin(a%d)\n", i + 1, i);
    put(t, "  a0: x\n");
    begin_flow(t);
    put(t, "a1900/T");
    end_flow(t);
}

static void make_million_states(const text *t)
{
    put(t, "states: {for i in 1..1000: {for k in 1..1000: {\"x[i, k]\": 1}}}\n");
    put_preset(t);
}

static void make_million_named_states(const text *t)
{
    put(t, "parameters: {N: 1e6}\nstates: {for i in 1..N: {\"x[i]\": 1}}\n");
    put_preset(t);
}

static void make_families_of_families(const text *t)
{
    put(t, "states: {for i in 1..1000: {for j in 1..1000: {for k in 1..1000: {for l in 1..1000: {}}}}}\n");
    put_preset(t);
}

FLOW(make_sums_of_sums,
     put(t, "\"sum(i in 1..1000, sum(j in 1..1000, sum(k in 1..1000, sum(l in 1..0, x))))\""))

FLOW(make_long_sum, put(t, "(x"); repeat(t, "+x", 390000); put(t, ")/T"))

FLOW(make_long_guard, put(t, "x/T}\nuntil: {e: {falls: x"); repeat(t, "+x", 390000); put(t, "}"))

/* Derivatives of a product are long: n^2 operations. */
FLOW(make_long_product, put(t, "x/T}\nuntil: {e: {falls: "); number_each(t, "(x + ", "*t/T)", "*", 4000);
     put(t, "}"))

static void make_keys(const text *t)
{
    put(t, "states: {");
    number_each(t, "x", ": 1", ", ", 70000);
    put(t, "}\n");
}

static void make_modes(const text *t)
{
    put(t, "states: {x: 1}\nparameters: {T: 1 s}\nmodes:\n");
    for (int i = 0; i < 4000; i++)
        put(t, "  m%d: {flow: {x: 1/T}, until: {e: {falls: x - %d, then: {mode: m%d}}}}\n", i, i, i + 1);
    put(t, "  m4000: {flow: {x: 0}}\n");
    put_preset(t);
}

FLOW(make_events, put(t, "x/T}\nuntil: {"); number_each(t, "e", ": {falls: x}", ", ", 2000))

FLOW(make_alternatives, put(t, "x/T}\nuntil: {e: {falls: x, then: [");
     number_each(t, "{if: x > ", ", x: 0}", ", ", 20000); put(t, "]}"))

FLOW(make_variants, put(t, "x/T}\nvariants: {"); number_each(t, "v", ": {flow: {x: 2*x/T}}", ", ", 4000))

FLOW(make_keyword, put(t, "x/T}\nuntil: {for: {falls: x, then: {void: 1}}"))

static void make_shell_name(const text *t)
{
    put(t, "states: {\"$(touch pwned)\": 1, \"`touch pwned`\": 1}\n");
    put_preset(t);
}

FLOW(make_shell_formula, put(t, "\"x/T; system('touch pwned')\""))

FLOW(make_format, put(t, "'%%s%%n%%s%%n'"))

FLOW(make_huge_exponent, put(t, "x*1e99999999999999999999/T"))

static void make_huge_unit(const text *t)
{
    put(t, "states: {x: m^99999999999999}\n");
    put_preset(t);
}

FLOW(make_digits, put(t, "x*0."); repeat(t, "1", 100000))

FLOW(make_zero_byte, fputc('\0', t->stream))

FLOW(make_invalid_utf_8, put(t, "\xC3\xA9\xFF"))

/* ---- what the reader says */

static const struct {
    const char *what;
    void (*make)(const text *t);

    /* place, "" if it is the file as a whole, and what the message contains */
    const char *place, *says;
} rows[] = {{"ten megabytes", make_ten_megabytes, "", "longer than the limit for case files"},
            {"nested parentheses", make_nested, ":3:211", "nested too deeply"},
            {"minuses", make_minuses, ":3:212", "nested too deeply"},
            {"nested functions", make_nested_functions, ":3:811", "nested too deeply"},
            {"nested unit", make_nested_unit, ":1:13", "nested too deeply"},
            {"nested lists", make_nested_lists, ":1:32", "nested too deeply"},
            {"nested mappings", make_nested_mappings, ":25:25", "nested too deeply"},
            {"aliases", make_aliases, ":1:5", "anchors"},
            {"circle", make_circle, ":1:30", "the definition of 'a' in line 1 depends on itself"},
            {"long circle", make_long_circle, ":201:9", "nested too deeply"},
            {"long chain", make_long_chain, ":1802:14", "nested too deeply"},
            {"a million states", make_million_states, ":1:29", "more than 2000 entries"},
            {"a million states by a parameter", make_million_named_states, ":2:22", "below a million"},
            {"families of families", make_families_of_families, ":1:67", "too many members"},
            {"sums of sums", make_sums_of_sums, ":3:81", "too many members"},
            {"long sum", make_long_sum, ":3:11", "needs too much memory"},
            {"long guard", make_long_guard, ":4:20", "needs too much memory"},
            {"long product", make_long_product, "", "needs too much memory"},
            {"keys", make_keys, ":1:", "more than 4096 keys"},
            {"modes", make_modes, ":260:3", "more than 256 modes"},
            {"events", make_events, ":4:8", "more than 500 events"},
            {"alternatives", make_alternatives, ":4:29", "more than 100 alternatives"},
            {"variants", make_variants, "", "needs too much memory"},
            {"keyword", make_keyword, ":4:32", "'void' is not a state"},
            {"shell text as a name", make_shell_name, ":1:11", "a comma within braces"},
            {"shell text in a formula", make_shell_formula, ":3:15", "text follows"},
            {"a format", make_format, ":3:12", "expected a number or a name"},
            {"huge exponent", make_huge_exponent, ":3:13", "exceeds the range"},
            {"huge unit", make_huge_unit, ":1:13", "the exponent is out of range"},
            {"digits", make_digits, ":3:13", "too many digits"},
            {"zero byte", make_zero_byte, ":3:11", "control characters"},
            {"invalid UTF-8", make_invalid_utf_8, ":3:12", "invalid leading UTF-8"}};

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
        text t;
        ic_error error = {""};
        t = (text){.size = 0};
        t.stream = open_memstream(&t.bytes, &t.size);
        CU_ASSERT_FATAL(t.stream != NULL);
        rows[i].make(&t);
        fclose(t.stream);
        ic_allocations_begin(IC_NO_FAILURE);
        ic_casefile *c = ic_casefile_read("hostile.yaml", t.bytes, t.size, NULL, 0, &error);
        const ic_allocations used = ic_allocations_end();
        const bool good = c == NULL && says(&error, rows[i].place, rows[i].says);
        if (!good || used.peak > MOST_MEMORY || used.left > 0)
            printf("\n  %s: '%.200s', %zu MB, %td bytes are left\n", rows[i].what, error.text, used.peak >> 20,
                   used.left);
        CU_ASSERT(good);
        CU_ASSERT(used.peak <= MOST_MEMORY);
        CU_ASSERT(used.left <= 0);
        ic_casefile_free(c);
        free(t.bytes);
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
