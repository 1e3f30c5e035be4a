/* SPDX-License-Identifier: MIT */
#include "reference/flow/flow_formulas.h"

#include "reference/flow/flow_translate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    FILE *stream;
    const ic_problem *problem;

    /* formulas that occur more than once have names e1, e2, ... in the file: how many there are */
    size_t named;

    /* by operation of `equations`: how often it occurs, and its number among the named ones, or 0 */
    const ic_equations *equations;
    size_t *uses, *names;

    /* jumps of guards so far; and what n stands for in a text, -1: for a parameter */
    size_t jumps;
    long n;

    char *message;
    size_t size;
    bool good;
} writer;

static void refuse(writer *w, const char *format, const char *name)
{
    if (w->good) snprintf(w->message, w->size, format, name);
    w->good = false;
}

void ic_flow_exact_write(FILE *stream, const arf_t x)
{
    fmpz_t mantissa, exponent;
    fmpz_init(mantissa), fmpz_init(exponent);
    arf_get_fmpz_2exp(mantissa, exponent, x);
    const bool minus = fmpz_sgn(mantissa) < 0;
    fmpz_abs(mantissa, mantissa);
    char *digits = fmpz_get_str(NULL, 16, mantissa);
    fprintf(stream, " %s0x%s", minus ? "-" : "", digits);
    if (!fmpz_is_zero(exponent)) fprintf(stream, "p%ld", (long)fmpz_get_si(exponent));
    flint_free(digits);
    fmpz_clear(mantissa), fmpz_clear(exponent);
}

/* ---- names */

static bool is_name(const char *text)
{
    const char *c = text;
    if (!isalpha((unsigned char)*c)) return false;
    while (isalnum((unsigned char)*c) || *c == '_') c++;
    return *c == '\0';
}

/* A parameter that has the name of a state has another one in a proof. */
static const char *parameter_prefix(const ic_problem *problem, const char *name, size_t length)
{
    for (size_t v = 0; v < problem->system->n_states; v++) {
        const char *state = problem->system->states[v].name;
        if (strlen(state) == length && strncmp(state, name, length) == 0) return "given_";
    }
    return "";
}

/* A state or a parameter in a formula. */
static void write_name(writer *w, const char *name)
{
    if (!is_name(name) || strlen(name) > 60) refuse(w, "the name '%.60s' has no place in a formula", name);
    fputs(name, w->stream);
}

/* Whether an earlier parameter has this name: that of the case, which a law has too. */
static bool repeats(const ic_case *system, size_t parameter)
{
    for (size_t i = 0; i < parameter; i++) {
        if (strcmp(system->parameters[i].name, system->parameters[parameter].name) == 0) return true;
    }
    return false;
}

/* Whether a law's parameter is the one of the case. */
static bool is_same(const ic_problem *problem, size_t i)
{
    const char *text = problem->par_text == NULL ? NULL : problem->par_text[i];
    return repeats(problem->system, i) &&
           (text == NULL || strcmp(text, problem->system->parameters[i].name) == 0);
}

static void write_parameter(writer *w, size_t i)
{
    const char *name = w->problem->system->parameters[i].name;
    if (repeats(w->problem->system, i) && !is_same(w->problem, i)) fputs("law_", w->stream);
    fputs(parameter_prefix(w->problem, name, strlen(name)), w->stream);
    write_name(w, name);
}

/* ---- texts of the expression language, with a bracket around each operation */

typedef struct text_reader {
    writer *w;
    const char *here;
} text_reader;

static char *text_sum(text_reader *r);

/* Releases the operands. NULL: memory ran out, or an operand was NULL. */
static char *joined(const char *format, char *a, char *b)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = a == NULL || b == NULL ? NULL : open_memstream(&text, &size);
    if (stream != NULL) {
        fprintf(stream, format, a, b);
        fclose(stream);
    }
    free(a);
    free(b);
    return text;
}

static bool next_is(text_reader *r, char c)
{
    while (*r->here == ' ') r->here++;
    if (*r->here != c) return false;
    r->here++;
    return true;
}

static char *text_call(text_reader *r, const char *name, size_t length)
{
    static const char *const functions[][2] = {
        {"sqrt", "(%s^(1/2))%s"}, {"cbrt", "(%s^(1/3))%s"}, {"exp", "exp(%s)%s"},          {"log", "log(%s)%s"},
        {"sin", "sin(%s)%s"},     {"cos", "cos(%s)%s"},     {"step", "where((-%s),0,1)%s"}};
    char *argument = text_sum(r);
    if (!next_is(r, ')')) {
        free(argument);
        return NULL;
    }
    for (size_t i = 0; i < IC_COUNT(functions); i++) {
        if (strlen(functions[i][0]) == length && strncmp(functions[i][0], name, length) == 0)
            return joined(functions[i][1], argument, strdup(""));
    }
    free(argument);
    return NULL;
}

static char *named(const text_reader *r, const char *name, size_t length)
{
    return joined("%s%s", strdup(parameter_prefix(r->w->problem, name, length)), strndup(name, length));
}

static char *text_name(text_reader *r)
{
    const char *name = r->here;
    while (isalnum((unsigned char)*r->here) || *r->here == '_') r->here++;
    const size_t length = (size_t)(r->here - name);
    if (next_is(r, '(')) return text_call(r, name, length);
    if (length == 2 && strncmp(name, "pi", 2) == 0) return strdup("pi");
    if (length != 1 || *name != 'n' || r->w->n < 0) return named(r, name, length);
    char digits[24];
    snprintf(digits, sizeof digits, "%ld", r->w->n);
    return strdup(digits);
}

static char *text_atom(text_reader *r)
{
    if (next_is(r, '(')) {
        char *inner = text_sum(r);
        if (next_is(r, ')')) return inner;
        free(inner);
        return NULL;
    }
    if (isalpha((unsigned char)*r->here)) return text_name(r);
    const char *number = r->here;
    while (isdigit((unsigned char)*r->here) || *r->here == '.') r->here++;
    if (r->here == number) return NULL;
    if (*r->here == 'e' && (isdigit((unsigned char)r->here[1]) || isdigit((unsigned char)r->here[2]))) {
        r->here += 2;
        while (isdigit((unsigned char)*r->here)) r->here++;
    }
    return strndup(number, (size_t)(r->here - number));
}

static char *text_power(text_reader *r)
{
    if (next_is(r, '-')) return joined("(-%s)%s", text_power(r), strdup(""));
    const bool is_number = isdigit((unsigned char)*r->here) || *r->here == '.';
    char *base = text_atom(r);
    /* 80pi */
    if (is_number && isalpha((unsigned char)*r->here)) return joined("(%s*%s)", base, text_power(r));
    return next_is(r, '^') ? joined("(%s^%s)", base, text_power(r)) : base;
}

static char *text_product(text_reader *r)
{
    char *product = text_power(r);
    for (;;) {
        if (next_is(r, '*')) product = joined("(%s*%s)", product, text_power(r));
        else if (next_is(r, '/')) product = joined("(%s/%s)", product, text_power(r));
        else return product;
    }
}

static char *text_sum(text_reader *r)
{
    char *sum = text_product(r);
    for (;;) {
        if (next_is(r, '+')) sum = joined("(%s+%s)", sum, text_product(r));
        else if (next_is(r, '-')) sum = joined("(%s-%s)", sum, text_product(r));
        else return sum;
    }
}

/* A number with its sign, or an expression in parameters. */
static void write_text(writer *w, const char *text)
{
    text_reader reader = {.w = w, .here = text};
    char *formula = text_sum(&reader);
    if (formula == NULL || *reader.here != '\0')
        refuse(w, "the expression '%.80s' has no place in a proof yet", text);
    else fputs(formula, w->stream);
    free(formula);
}

/* ---- formulas */

static const char *const words[] = {
#define OPERATION_WORD(name, operands, word) [IC_OP_##name] = (word),
    IC_OPERATION_TABLE(OPERATION_WORD)
#undef OPERATION_WORD
};

static int operands(const ic_equation_term *t)
{
    static const int counts[] = {
#define COUNT(name, operands, word) [IC_OP_##name] = (operands),
        IC_OPERATION_TABLE(COUNT)
#undef COUNT
    };
    return counts[t->operation];
}

static int operand(const ic_equation_term *t, int i)
{
    return i == 0 ? t->a : i == 1 ? t->b : t->c;
}

/* A constant of a table, such as "-0.73 cantilever_A(2, 1)": the name in a proof, 0 where there is none. */
static size_t table_name(char *name, size_t size, const char *text)
{
    const char *table = text == NULL ? NULL : strchr(text, ' ');
    size_t n = 0;
    for (const char *c = table == NULL ? "" : table + 1; *c != '\0' && n + 1 < size; c++) {
        if (isalnum((unsigned char)*c) || *c == '_') name[n++] = *c;
        else if (*c == ',' || *c == '(') name[n++] = '_';
    }
    name[n] = '\0';
    return n;
}

static void write_number(writer *w, int i)
{
    const ic_equation_term *t = &w->equations->terms[i];
    const char *text = w->equations->texts == NULL ? NULL : w->equations->texts[i];
    char name[64];
    if (text == NULL) fprintf(w->stream, t->number < 0 ? "(%.17g)" : "%.17g", t->number);
    else if (table_name(name, sizeof name, text) > 0) fprintf(w->stream, *text == '-' ? "(-%s)" : "%s", name);
    else write_text(w, text);
}

/* Whether the text is that of an earlier operation, in these equations or in those of an earlier mode. */
static bool is_known_table(const writer *w, const ic_equations *equations, size_t mode, size_t term)
{
    const char *name = strchr(equations->texts[term], ' ');
    for (size_t i = 0; i <= mode; i++) {
        const ic_equations *e = w->problem->variant->modes[i].equations;
        for (size_t k = 0; e != NULL && e->texts != NULL && k < (i == mode ? term : e->n_terms); k++) {
            const char *other = e->texts[k] == NULL ? NULL : strchr(e->texts[k], ' ');
            if (other != NULL && strcmp(other, name) == 0) return true;
        }
    }
    return false;
}

/* The constants of tables that the flows of all modes contain. */
static void write_tables(writer *w, slong prec)
{
    char name[64];
    IC_BALLS(value);
    IC_FLOATS(bound);
    for (size_t i = 0; i < w->problem->variant->n_modes; i++) {
        const ic_equations *e = w->problem->variant->modes[i].equations;
        for (size_t k = 0; e != NULL && e->texts != NULL && k < e->n_terms; k++) {
            if (table_name(name, sizeof name, e->texts[k]) == 0 || is_known_table(w, e, i, k)) continue;
            if (!ic_table_number(value, strchr(e->texts[k], ' ') + 1, prec))
                refuse(w, "the table '%.60s' is not known", name);
            fprintf(w->stream, "number %s", name);
            arb_get_lbound_arf(bound, value, prec);
            ic_flow_exact_write(w->stream, bound);
            arb_get_ubound_arf(bound, value, prec);
            ic_flow_exact_write(w->stream, bound);
            fputc('\n', w->stream);
        }
    }
}

static void write_operand(writer *w, int i);

/*
 * Proofs lack some operations of case files; these are written by others. "A" and "B" stand for the operands.
 * All other operations keep their names.
 */
static const char *form_of(ic_operation operation)
{
    switch (operation) {
    case IC_OP_NEGATE: return "(-A)";
    case IC_OP_ADD: return "(A+B)";
    case IC_OP_SUBTRACT: return "(A-B)";
    case IC_OP_MULTIPLY: return "(A*B)";
    case IC_OP_DIVIDE: return "(A/B)";
    case IC_OP_POWER: return "(A^B)";
    case IC_OP_CHOOSE: return "where(A,B,C)";
    case IC_OP_SQRT: return "(A^(1/2))";
    case IC_OP_CBRT: return "(A^(1/3))";
    case IC_OP_EXP: return "exp(A)";
    case IC_OP_LOG: return "log(A)";
    case IC_OP_SIN: return "sin(A)";
    case IC_OP_COS: return "cos(A)";
    case IC_OP_ATAN: return "atan(A)";
    case IC_OP_TAN: return "(sin(A)/cos(A))";
    case IC_OP_SINH: return "((exp(A)-exp((-A)))/2)";
    case IC_OP_COSH: return "((exp(A)+exp((-A)))/2)";
    case IC_OP_TANH: return "((exp((2*A))-1)/(exp((2*A))+1))";
    case IC_OP_ABS: return "where(A,A,(-A))";
    case IC_OP_SIGN: return "where(A,1,where((-A),(-1),0))";
    case IC_OP_STEP: return "where((-A),0,1)";
    case IC_OP_MAX: return "where((A-B),A,B)";
    case IC_OP_MIN: return "where((B-A),A,B)";
    case IC_OP_PI: return "pi";
    case IC_OP_TIME: return "t";
    default: return NULL;
    }
}

static void write_form(writer *w, const ic_equation_term *t, const char *form)
{
    for (const char *c = form; *c != '\0'; c++) {
        if (*c >= 'A' && *c <= 'C') write_operand(w, operand(t, *c - 'A'));
        else fputc(*c, w->stream);
    }
}

static void write_operation(writer *w, int i)
{
    const ic_equation_term *t = &w->equations->terms[i];
    switch (t->operation) {
    case IC_OP_NUMBER: write_number(w, i); return;
    case IC_OP_STATE: write_name(w, w->problem->system->states[t->a].name); return;
    case IC_OP_PARAMETER: write_parameter(w, (size_t)t->a); return;
    default: break;
    }
    const char *form = form_of(t->operation);
    if (form != NULL) write_form(w, t, form);
    else
        refuse(w, "the operation '%.60s' has no place in a proof yet",
               words[t->operation][0] != '\0' ? words[t->operation] : "damping factor");
}

static void write_operand(writer *w, int i)
{
    if (w->names[i] > 0) fprintf(w->stream, "e%zu", w->names[i]);
    else write_operation(w, i);
}

static void count_uses(writer *w, int i)
{
    const ic_equation_term *t = &w->equations->terms[i];
    if (w->uses[i]++ > 0) return;
    for (int k = 0; k < operands(t); k++) count_uses(w, operand(t, k));
}

/* Begins with the formulas of some results, and names those parts of them that occur more than once. */
static void begin(writer *w, const ic_equations *equations, const int *results, size_t n)
{
    w->equations = equations;
    w->uses = calloc(equations->n_terms + 1, sizeof *w->uses);
    w->names = calloc(equations->n_terms + 1, sizeof *w->names);
    if (w->uses == NULL || w->names == NULL) {
        refuse(w, "%s", "memory ran out");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (results[i] >= 0) count_uses(w, results[i]);
    }
    for (size_t i = 0; i < equations->n_terms; i++) {
        if (w->uses[i] < 2 || operands(&equations->terms[i]) == 0) continue;
        fprintf(w->stream, "let e%zu ", w->named + 1);
        write_operation(w, (int)i);
        fputc('\n', w->stream);
        w->names[i] = ++w->named;
    }
}

static void end(writer *w)
{
    free(w->uses);
    free(w->names);
    w->uses = w->names = NULL;
}

static void write_line(writer *w, int result)
{
    if (!w->good) return;
    write_operand(w, result);
    fputc('\n', w->stream);
}

/* ---- the parts of a problem */

/* A name without spaces, which divide the words of a line. */
static void write_title(writer *w, const char *what, const char *name)
{
    fprintf(w->stream, "%s ", what);
    for (const char *c = name; *c != '\0'; c++) fputc(isspace((unsigned char)*c) ? '_' : *c, w->stream);
}

static void write_departures(writer *w, const ic_branch *branch)
{
    for (size_t i = 0; i < branch->n_departures; i++) {
        const ic_departure *d = &branch->departures[i];
        fprintf(w->stream, "departs %d %d %d\n", d->guard, d->order, d->side);
    }
}

static void write_jump(writer *w, const char *name, const ic_jump *jump)
{
    const ic_equations *e = jump->equations;
    const size_t n = w->problem->system->n_states;
    if (e == NULL) {
        refuse(w, "the jump of '%.60s' is not known as formulas", name);
        return;
    }
    write_title(w, "jump", name);
    fputc('\n', w->stream);
    begin(w, e, e->results, e->n_results);
    for (size_t b = 0; b < jump->n_branches && w->good; b++) {
        const ic_branch *branch = &jump->branches[b];
        const int *results = e->results + b * (n + 1);
        fprintf(w->stream, "to %d ", branch->mode);
        if (results[0] >= 0) write_line(w, results[0]);
        else fputs("1\n", w->stream);
        write_departures(w, branch);
        for (size_t v = 0; v < n && w->good; v++) {
            const ic_equation_term *t = &e->terms[results[v + 1]];
            if (t->operation == IC_OP_STATE && (size_t)t->a == v) continue;
            fprintf(w->stream, "set %s ", w->problem->system->states[v].name);
            write_line(w, results[v + 1]);
        }
    }
    end(w);
}

/* Names the conditions of guards: their numbers, 0 for those that a guard does not have. */
static void write_conditions(writer *w, const ic_mode *mode, size_t *numbers)
{
    const ic_equations *q = mode->quantities;
    if (q == NULL || !w->good) return;
    begin(w, q, q->results, mode->n_guards);
    for (size_t i = 0; i < mode->n_guards && w->good; i++) {
        if (q->results[i] < 0) continue;
        if (ic_flow_is_joined(q, q->results[i]))
            refuse(w, "the condition of '%.60s' has several parts, which has no place in a proof yet",
                   mode->guards[i].name);
        fprintf(w->stream, "let e%zu ", w->named + 1);
        write_line(w, q->results[i]);
        numbers[i] = ++w->named;
    }
    end(w);
}

static void write_guards(writer *w, const ic_mode *mode, const size_t *conditions)
{
    static const char *const directions[2][3] = {{"falls", "crosses", "rises"}, {"below", "crosses", "above"}};
    const ic_equations *e = mode->equations;
    for (size_t i = 0; i < mode->n_guards && w->good; i++) {
        const ic_guard *guard = &mode->guards[i];
        const bool level = guard->onset == IC_ONSET_LEVEL;
        fprintf(w->stream, "guard %s %zu ", directions[level][guard->direction + 1], w->jumps++);
        write_operand(w, e->results[e->n_results - mode->n_guards + i]);
        if (conditions[i] > 0) fprintf(w->stream, " e%zu\n", conditions[i]);
        else fputs(" 1\n", w->stream);
    }
}

static void write_mode(writer *w, const ic_mode *mode)
{
    const ic_equations *e = mode->equations;
    write_title(w, "mode", mode->name);
    fputs(mode->terminal ? " ends\n" : "\n", w->stream);
    if (mode->terminal) return;
    size_t *conditions = calloc(mode->n_guards + 1, sizeof *conditions);
    if (e == NULL || conditions == NULL) {
        refuse(w, "mode '%.60s' is not known as formulas", mode->name);
    } else {
        write_conditions(w, mode, conditions);
        begin(w, e, e->results, e->n_results);
        for (size_t v = 0; v < w->problem->system->n_states && w->good; v++) {
            fprintf(w->stream, "rate %s ", w->problem->system->states[v].name);
            write_line(w, e->results[v]);
        }
        write_guards(w, mode, conditions);
        end(w);
    }
    free(conditions);
}

static void write_parameters(writer *w)
{
    const ic_case *system = w->problem->system;
    for (size_t i = 0; i < system->n_parameters && w->good; i++) {
        if (is_same(w->problem, i)) continue;
        if (w->problem->par_text == NULL || w->problem->par_text[i] == NULL)
            refuse(w, "parameter '%.60s' is not known exactly", system->parameters[i].name);
        fputs("parameter ", w->stream);
        write_parameter(w, i);
        if (!w->good) return;
        fputc(' ', w->stream);
        write_text(w, w->problem->par_text[i]);
        fputc('\n', w->stream);
    }
    for (size_t v = 0; v < system->n_states && w->good; v++) {
        fputs("state ", w->stream);
        write_name(w, system->states[v].name);
        fputc('\n', w->stream);
    }
    fputs("state t\n", w->stream);
}

bool ic_flow_formulas_write(FILE *stream, const ic_problem *problem, slong prec, char *message, size_t size)
{
    writer w = {.stream = stream, .problem = problem, .size = size, .good = true, .n = -1};
    w.message = message;
    const ic_variant *variant = problem->variant;
    fprintf(stream, "case %s, %s\n", problem->system->name, variant->name);
    write_parameters(&w);
    write_tables(&w, prec);
    for (size_t i = 0; i < variant->n_modes && w.good; i++) write_mode(&w, &variant->modes[i]);
    for (size_t i = 0; i < variant->n_modes; i++) {
        const ic_mode *mode = &variant->modes[i];
        for (size_t k = 0; k < mode->n_guards && !mode->terminal && w.good; k++)
            write_jump(&w, mode->guards[k].name, &mode->guards[k].jump);
    }
    for (size_t i = 0; i < variant->n_time_events && w.good; i++)
        write_jump(&w, variant->time_events[i].name, &variant->time_events[i].jump);
    if (problem->x_start != NULL) refuse(&w, "%s", "a start from given numbers has no place in a proof");
    if (problem->t_end_text == NULL) refuse(&w, "%s", "the end of the run is not known exactly");
    if (w.good) write_jump(&w, "start", &variant->start);
    if (w.good) fprintf(stream, problem->t_start < 0 ? "from (%.17g)\n" : "from %.17g\n", problem->t_start);
    return w.good;
}

bool ic_flow_formulas_time(FILE *stream, const ic_problem *problem, long jump, const char *text, long n,
                           char *message, size_t size)
{
    writer w = {.stream = stream, .problem = problem, .size = size, .good = true, .n = n};
    w.message = message;
    fprintf(stream, "at %ld ", jump);
    write_text(&w, text);
    fputc('\n', stream);
    return w.good;
}
