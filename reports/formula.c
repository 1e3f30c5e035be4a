/* SPDX-License-Identifier: MIT */
/*
 * A parser by recursive descent. MathML puts operators between operands, but fractions and powers
 * around them: so a factor is first written to memory, and then where it belongs.
 */
#include "reports/formula.h"
#include "reports/html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct display_parser {
    const char *at;

    /* Position of the error, or NULL. */
    const char *wrong;

    int depth;

    /* True if a line may end before an operator outside parentheses. */
    bool may_break;
} display_parser;

/* A piece of MathML: one element. */
typedef struct formula_piece {
    char *text;

    /* the same without its parentheses, or NULL */
    char *bare;
} formula_piece;

enum { MOST_DEPTH = 32, LONG = 30 /* letters, beyond which a formula may be broken */ };

static void write_expression(display_parser *p, FILE *out);

static void skip_blanks(display_parser *p)
{
    while (*p->at == ' ') p->at++;
}

static bool take_text(display_parser *p, const char *text)
{
    skip_blanks(p);
    const size_t n = strlen(text);
    if (strncmp(p->at, text, n) != 0) return false;
    p->at += n;
    return true;
}

static void note_error(display_parser *p)
{
    if (p->wrong == NULL) p->wrong = p->at;
}

const char *ic_formula_greek(const char *name, size_t n)
{
    static const struct {
        const char *name, *sign;
    } known[] = {{"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"},    {"delta", "δ"}, {"epsilon", "ε"},
                 {"eps", "ε"},   {"zeta", "ζ"},  {"theta", "θ"},    {"kappa", "κ"}, {"lambda", "λ"},
                 {"mu", "μ"},    {"nu", "ν"},    {"xi", "ξ"},       {"pi", "π"},    {"rho", "ρ"},
                 {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},      {"psi", "ψ"},   {"omega", "ω"},
                 {"Delta", "Δ"}, {"Omega", "Ω"}, {"infinity", "∞"}, {"star", "*"},  {"plus", "+"},
                 {"minus", "−"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) == n && strncmp(known[i].name, name, n) == 0) return known[i].sign;
    }
    return NULL;
}

static bool is_function(const char *name, size_t n)
{
    static const char *const known[] = {"sin",  "cos",  "tan",  "exp",  "log",  "min",  "max",  "asin",
                                        "acos", "atan", "sinh", "cosh", "tanh", "sign", "step", "where"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i]) == n && strncmp(known[i], name, n) == 0) return true;
    }
    return false;
}

static void write_name(FILE *out, const char *name, size_t n)
{
    const char *sign = ic_formula_greek(name, n);
    if (sign != NULL) fprintf(out, "<mi>%s</mi>", sign);
    else
        fprintf(out, is_function(name, n) ? "<mi mathvariant=\"normal\">%.*s</mi>" : "<mi>%.*s</mi>", (int)n,
                name);
}

static size_t name_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n])) n++;
    return n;
}

/* ---- atoms */

static formula_piece parse_parenthesis(display_parser *p);

static void write_subscript(display_parser *p, FILE *out)
{
    if (*p->at == '(') {
        p->at++;
        const formula_piece index = parse_parenthesis(p);
        fputs(index.bare != NULL ? index.bare : "<mrow></mrow>", out);
        free(index.text);
        free(index.bare);
        return;
    }
    size_t n = name_length(p->at);
    if (n == 0) note_error(p);
    if (isdigit((unsigned char)*p->at)) fprintf(out, "<mn>%.*s</mn>", (int)n, p->at);
    else write_name(out, p->at, n);
    p->at += n;
}

static size_t take_primes(display_parser *p)
{
    const size_t n = strspn(p->at, "'");
    p->at += n;
    return n;
}

/* A superscript would raise the sign a second time. */
static const char *prime_sign(size_t n)
{
    return n == 1 ? "<mo class=\"prime\" lspace=\"0\" rspace=\"0\">′</mo>"
                  : "<mo class=\"prime\" lspace=\"0\" rspace=\"0\">″</mo>";
}

static void name_with_subscript(display_parser *p, FILE *out, const char *name, size_t n)
{
    char *index = NULL;
    size_t size = 0;
    FILE *below = open_memstream(&index, &size);
    if (below == NULL) return;
    write_subscript(p, below);
    fclose(below);
    const size_t primes = take_primes(p);
    if (n == 3 && strncmp(name, "sum", n) == 0) {
        fprintf(out, "<munder><mo>∑</mo>%s</munder>", index);
        free(index);
        return;
    }
    fputs(primes > 0 ? "<mrow><msub>" : "<msub>", out);
    write_name(out, name, n);
    fputs(index, out);
    fputs("</msub>", out);
    if (primes > 0) fprintf(out, "%s</mrow>", prime_sign(primes));
    free(index);
}

/* (...), written with and without its parentheses. */
static formula_piece parse_parenthesis(display_parser *p)
{
    formula_piece made = {0};
    size_t size = 0, bare_size = 0;
    char *inner = NULL;
    size_t inner_size = 0;
    FILE *inside = open_memstream(&inner, &inner_size);
    if (inside == NULL) return made;
    write_expression(p, inside);
    fclose(inside);
    if (!take_text(p, ")")) note_error(p);
    FILE *whole = open_memstream(&made.text, &size), *bare = open_memstream(&made.bare, &bare_size);
    if (whole != NULL) {
        fprintf(whole, "<mrow><mo>(</mo>%s<mo>)</mo></mrow>", inner);
        fclose(whole);
    }
    if (bare != NULL) {
        fprintf(bare, "<mrow>%s</mrow>", inner);
        fclose(bare);
    }
    free(inner);
    return made;
}

/* Functions with a notation of their own: the text before and after the argument. */
static bool has_notation_of(const char *name, size_t n, const char **before, const char **behind)
{
    static const struct {
        const char *name, *before, *behind;
    } known[] = {{"sqrt", "<msqrt>", "</msqrt>"},
                 {"dot", "<mover accent=\"true\">", "<mo>˙</mo></mover>"},
                 {"ddot", "<mover accent=\"true\">", "<mo>¨</mo></mover>"},
                 {"abs", "<mrow><mo>|</mo>", "<mo>|</mo></mrow>"},
                 {"int", "<mrow><mo>∫</mo>", "</mrow>"},
                 {"sum", "<mrow><munder><mo>∑</mo><mi>r</mi></munder>", "</mrow>"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) != n || strncmp(known[i].name, name, n) != 0) continue;
        *before = known[i].before;
        *behind = known[i].behind;
        return true;
    }
    return false;
}

static void write_name_atom(display_parser *p, FILE *out)
{
    const char *name = p->at, *before, *behind;
    const size_t n = name_length(name);
    p->at += n;
    const bool has_notation = *p->at == '(' && has_notation_of(name, n, &before, &behind);
    if (has_notation || (*p->at == '(' && is_function(name, n))) {
        p->at++;
        const formula_piece argument = parse_parenthesis(p);
        if (has_notation) {
            fprintf(out, "%s%s%s", before, argument.bare != NULL ? argument.bare : "", behind);
        } else { /* One factor with its argument: cos(phi)/rho differs from cos(phi/rho). */
            fputs("<mrow>", out);
            write_name(out, name, n);
            fprintf(out, "<mo>&#x2061;</mo>%s</mrow>", argument.text != NULL ? argument.text : "");
        }
        free(argument.text);
        free(argument.bare);
    } else if (*p->at == '_') {
        p->at++;
        name_with_subscript(p, out, name, n);
    } else {
        write_name(out, name, n);
    }
}

static void write_text_atom(display_parser *p, FILE *out)
{
    const char *end = strchr(++p->at, '"');
    if (end == NULL) {
        note_error(p);
        return;
    }
    fputs("<mtext>", out);
    for (; p->at < end; p->at++) {
        const char one[2] = {*p->at, '\0'};
        if (*p->at == ' ') fputs("\xc2\xa0", out); /* blanks at its ends would be dropped */
        else ic_html_text(out, one);
    }
    fputs("</mtext>", out);
    p->at++;
}

static formula_piece parse_atom(display_parser *p)
{
    formula_piece made = {0};
    size_t size = 0;
    skip_blanks(p);
    if (*p->at == '(') {
        p->at++;
        return parse_parenthesis(p);
    }
    FILE *out = open_memstream(&made.text, &size);
    if (out == NULL) return made;
    if (isdigit((unsigned char)*p->at)) {
        const size_t n = strspn(p->at, "0123456789.");
        fprintf(out, "<mn>%.*s</mn>", (int)n, p->at);
        p->at += n;
    } else if (isalpha((unsigned char)*p->at)) {
        write_name_atom(p, out);
    } else if (*p->at == '"') {
        write_text_atom(p, out);
    } else {
        note_error(p);
    }
    fclose(out);
    return made;
}

/* ---- powers, primes, fractions */

static formula_piece wrap_piece(formula_piece inner, const char *before, const formula_piece *second,
                                const char *behind)
{
    formula_piece made = {0};
    size_t size = 0;
    FILE *out = open_memstream(&made.text, &size);
    if (out != NULL) {
        fprintf(out, "%s%s%s%s", before, inner.text != NULL ? inner.text : "",
                second != NULL && second->text != NULL ? second->text : "", behind);
        fclose(out);
    }
    free(inner.text);
    free(inner.bare);
    return made;
}

static formula_piece without_parentheses(formula_piece p)
{
    if (p.bare == NULL) return p;
    free(p.text);
    return (formula_piece){.text = p.bare};
}

static formula_piece parse_factor(display_parser *p)
{
    formula_piece made = parse_atom(p);
    const size_t primes = take_primes(p);
    if (primes > 0) {
        formula_piece sign = {.text = strdup(prime_sign(primes))};
        made = wrap_piece(made, "<mrow>", &sign, "</mrow>");
        free(sign.text);
    }
    if (*p->at == '^') {
        p->at++;
        formula_piece power = without_parentheses(parse_atom(p));
        made = wrap_piece(made, "<msup>", &power, "</msup>");
        free(power.text);
    }
    return made;
}

static formula_piece parse_fraction(display_parser *p)
{
    formula_piece made = parse_factor(p);
    while (p->wrong == NULL && take_text(p, "/")) {
        formula_piece below = without_parentheses(parse_factor(p));
        made = wrap_piece(without_parentheses(made), "<mfrac>", &below, "</mfrac>");
        free(below.text);
    }
    return made;
}

static bool starts_factor(const char *at)
{
    return isalnum((unsigned char)*at) || *at == '(' || *at == '"';
}

static void write_product(display_parser *p, FILE *out)
{
    do {
        const formula_piece made = parse_fraction(p);
        fputs(made.text != NULL ? made.text : "", out);
        free(made.text);
        free(made.bare);
        skip_blanks(p);
        if (p->wrong == NULL && starts_factor(p->at)) fputs("<mspace width=\"0.17em\"></mspace>", out);
    } while (p->wrong == NULL && starts_factor(p->at));
}

/* ---- sums and relations */

static bool operator_between(display_parser *p, FILE *out)
{
    static const struct {
        const char *text, *sign;
    } known[] = {{"->", "→"},   {"<=", "≤"}, {">=", "≥"}, {"+-", "±"}, {"-+", "∓"}, {"=", "="}, {"<", "&lt;"},
                 {">", "&gt;"}, {"+", "+"},  {"-", "−"},  {",", ","},  {";", ";"},  {":", ":"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!take_text(p, known[i].text)) continue;
        const bool comma = strchr(",;:", known[i].text[0]) != NULL, breaks = p->may_break && p->depth == 1;
        const char *line_may_end = breaks ? "</mrow></math><wbr><math displaystyle=\"true\"><mrow>" : "";
        if (comma)
            fprintf(out, "<mo separator=\"true\">%s</mo><mspace width=\"1em\"></mspace>%s", known[i].sign,
                    line_may_end);
        else fprintf(out, "%s<mo form=\"infix\">%s</mo>", line_may_end, known[i].sign);
        return true;
    }
    return false;
}

static void write_expression(display_parser *p, FILE *out)
{
    if (++p->depth > MOST_DEPTH) note_error(p);
    do {
        if (p->wrong != NULL) break;
        if (take_text(p, "-+")) fputs("<mo form=\"prefix\">∓</mo>", out);
        else if (take_text(p, "+-")) fputs("<mo form=\"prefix\">±</mo>", out);
        else if (take_text(p, "-")) fputs("<mo form=\"prefix\">−</mo>", out);
        write_product(p, out);
    } while (p->wrong == NULL && operator_between(p, out));
    p->depth--;
}

bool ic_formula_write(FILE *stream, const char *text, const char **wrong)
{
    display_parser p = {.at = text, .may_break = strlen(text) > LONG};
    fputs("<p class=\"formula\"><math displaystyle=\"true\"><mrow>", stream);
    write_expression(&p, stream);
    skip_blanks(&p);
    if (*p.at != '\0') note_error(&p);
    fputs("</mrow></math></p>\n", stream);
    *wrong = p.wrong;
    return p.wrong == NULL;
}
