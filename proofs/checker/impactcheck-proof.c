/* SPDX-License-Identifier: MIT */
/*
 * impactcheck-proof FILE: checks a proof that `impactcheck certify --proof FILE` has written, with
 * another library of intervals (MPFI). docs/proof-format.md has the format and the theorems. It
 * prints the problem and what is proved. Exit status: 0 accepted, 1 refused, 2 malformed. Every check
 * reads "proved, or refused"; what is undefined is NaN, of which no comparison is true.
 */
#include <ctype.h>
#include <math.h>
#include <mpfi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MANY = 20000, NAME = 64, ORDERS = 4, POWERS = 16, MOST_ORDERS = 200 };

/* Series from the centre of the set, of the set, of the tube; and over a place. */
enum { CENTRE, NEAR, TUBE, PLACE, SERIES };

/* WHERE: b if a > 0, else c. The others from INV on are functions of a; POW: a to the constant b, c is 1/a. */
typedef enum { NUMBER, VARIABLE, ADD, MUL, WHERE, INV, POW, EXP, LOG, SIN, COS, ATAN } kind;

typedef struct { /* all numbers within r of m */
    double m, r;
} ball;

typedef struct {
    kind kind;
    int a, b, c, slope, same,
        side;           /* operands; derivative by a; in this phase: `side` times that node, or -1 */
    bool fixed, wanted; /* in this phase: constant, is evaluated */
    ball *jet[SERIES];  /* coefficients of the value and of its derivative by each column of the frame */
    mpfr_t *middle;     /* of the value from the centre */
} node;

static struct { /* of a jump: departure d is that of guard[d] */
    int mode, condition, departures, guard[MOST], order[MOST], side[MOST], set[MOST];
} alternatives[MANY], *departed;

static struct { /* a jump and its alternatives; or a mode and its guards */
    char name[NAME];
    int first, last, rate[MOST];
    bool ends;
} jumps[MANY], modes[MANY], *now = modes;

static struct { /* a guard; or a time event, whose value is its time; fired: and no time has passed since */
    int jump, direction, level, value, enabled;
    bool fired;
} events[MANY];

static struct {
    char text[NAME];
    int node;
} names[MANY];

static FILE *file;
static char *line, *here;
static int line_number, bits, stride, most, n, n_names, n_modes, n_jumps, n_alternatives, n_events, n_guards,
    from;
static int count, zero, one, minus_one, length, state[MOST];
static node nodes[MANY];
static mpfi_t w[8];
static mpfr_t sum, term, rough;

__attribute__((format(printf, 2, 3), noreturn)) static void leave(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    printf("\n%s: line %d: ", status == 1 ? "refused" : "malformed", line_number);
    vprintf(format, list);
    va_end(list);
    printf("\n");
    exit(status);
}
#define WANT(condition, ...) ((condition) ? (void)0 : leave(2, __VA_ARGS__)) /* or the proof is malformed */
#define NEED(condition, ...) ((condition) ? (void)0 : leave(1, __VA_ARGS__)) /* or the proof is refused */

static void *room(int items, size_t size)
{
    void *memory = calloc((size_t)items, size);
    WANT(memory != NULL, "memory ran out");
    return memory;
}

static mpfi_t *vector(int size)
{
    mpfi_t *v = room(size, sizeof *v);
    for (int i = 0; i < size; i++) mpfi_init2(v[i], bits), mpfi_set_ui(v[i], 0);
    return v;
}

/* ---- reading: words between spaces */

static bool next_line(bool show)
{
    static size_t size;
    const ssize_t read = getline(&line, &size, file);
    if (read <= 0) return false;
    line_number++;
    WANT(line[read - 1] == '\n' && strlen(line) == (size_t)read, "the line is not complete");
    line[read - 1] = '\0', here = line;
    if (show) puts(line);
    return true;
}

static char *word(void)
{
    char *text = strsep(&here, " ");
    WANT(text != NULL && *text != '\0', "the line is too short");
    return text;
}

static void next(const char *text) /* the next line begins with it */
{
    NEED(next_line(false) && strcmp(word(), text) == 0, "'%s' is missing", text);
}

static int whole(int least, int greatest)
{
    char *end;
    const long x = strtol(word(), &end, 10);
    WANT(*end == '\0' && x >= least && x <= greatest, "no whole number from %d to %d", least, greatest);
    return (int)x;
}

static void exact(mpfi_ptr x) /* such as -0x1afp-40 */
{
    char *end;
    const int rounded = mpfr_strtofr(&x->left, word(), &end, 0, MPFR_RNDN);
    WANT(*end == '\0' && rounded == 0 && mpfr_number_p(&x->left), "this is no exact number");
    mpfi_set_fr(x, &x->left);
}

/* ---- balls: underflow loses less than TINY UNIT, rounding of radii less than SPARE of these */

static const double TINY = 0x1p-900, SPARE = 0x1p-40, UNIT = 0x1p-52;
static double fine_unit; /* of middles from the centre, instead of UNIT */

static bool is_zero(ball x)
{
    return x.m == 0 && x.r == 0;
}

static int sign(ball x) /* 0: it is not known */
{
    return fabs(x.m) * (1 - SPARE) > x.r ? (x.m > 0) - (x.m < 0) : 0;
}

static ball with_error(ball x, double error)
{
    x.r += error;
    return x.r == 0 ? x : (ball){x.m, x.r * (1 + SPARE) + TINY};
}

/* Sums add a number to *size: times the unit of rounding, it bounds the error. */
static ball plus(ball x, ball y, int side, double *size)
{
    const double m = x.m + side * y.m;
    *size += is_zero(x) || is_zero(y) ? 0 : 2 * fabs(m);
    return (ball){m, x.r + y.r};
}

/* The sum of a_j b_(k-j), first <= j <= last; or of j/k times that. */
static ball dot(const ball *a, const ball *b, int k, int first, int last, bool weighted, double *size)
{
    double m = 0, r = 0, total = 0, f = weighted ? first : 1;
    bool wide = false;
    for (int j = first; j <= last; j++, f += weighted) {
        const ball x = a[j], y = b[k - j];
        if (is_zero(x) || is_zero(y)) continue;
        const double xm = f * x.m;
        m += xm * y.m, total += fabs(xm * y.m) + TINY, wide = wide || x.r > 0 || y.r > 0;
        r += fabs(xm) * y.r + f * x.r * (fabs(y.m) + y.r);
    }
    *size += total / (weighted ? k : 1) * (last - first + 12);
    r += wide ? TINY : 0;
    return weighted ? (ball){m / k, r / k} : (ball){m, r};
}

static ball times(ball x, ball y)
{
    double size = 0;
    const ball z = dot(&x, &y, 0, 0, 0, false, &size);
    return with_error(z, size * UNIT);
}

/* Coefficient k > 0 of y = a^p, by a y' = p a' y: the sum of (p j - (k - j)) a_j y_(k-j), j from 1 to k, by k a_0. */
static ball coefficient_of_power(const ball *a, ball p, ball by_a0, const ball *y, int k, double *size)
{
    static ball *weighted;
    double lost = 0;
    if (weighted == NULL) weighted = room(stride, sizeof *weighted);
    for (int j = 1; j <= k; j++) {
        const double m = p.m * j - (k - j);
        weighted[j] = times(with_error((ball){m, p.r * j}, UNIT * (fabs(p.m) * j + fabs(m))), a[j]);
    }
    const ball products = dot(weighted, y, k, 1, k, false, &lost);
    const ball by_k = with_error((ball){products.m / k, products.r / k}, lost * UNIT);
    return dot(&by_k, &by_a0, 0, 0, 0, false, size);
}

static void widen(mpfi_ptr x, double r)
{
    mpfr_sub_d(&x->left, &x->left, r, MPFR_RNDD), mpfr_add_d(&x->right, &x->right, r, MPFR_RNDU);
}

static void to_interval(mpfi_ptr x, int e, int i, int k)
{
    const ball y = nodes[i].jet[e][k];
    if (e == CENTRE) mpfi_set_fr(x, nodes[i].middle[k]);
    else mpfi_set_d(x, y.m);
    widen(x, y.r);
}

static ball ball_around(mpfr_ptr middle, mpfi_srcptr x) /* which becomes the middle, rounded */
{
    mpfi_mid(middle, x), mpfr_sub(sum, &x->right, middle, MPFR_RNDU),
        mpfr_sub(term, middle, &x->left, MPFR_RNDU);
    mpfr_max(sum, sum, term, MPFR_RNDU);
    const double m = mpfr_get_d(middle, MPFR_RNDN), lost = fabs(m) > TINY || mpfr_zero_p(middle) ? 0 : TINY;
    return with_error((ball){m, mpfi_nan_p(x) ? NAN : mpfr_get_d(sum, MPFR_RNDU)}, lost);
}

static void from_interval(int e, int i, int k, mpfi_srcptr x)
{
    nodes[i].jet[e][k] = ball_around(e == CENTRE ? nodes[i].middle[k] : rough, x);
}

/* ---- series of nodes: Taylor coefficients, and their derivatives by the columns of the frame */

static ball coefficient(int e, const node *x, int k, int column, double *size)
{
    const int at = column * stride;
    const node *A = &nodes[x->a], *B = &nodes[x->b];
    const ball *a = A->jet[e], *b = B->jet[e], *by_a = nodes[x->slope].jet[e], none = {0, 0};
    if (x->same >= 0) return plus(none, nodes[x->same].jet[e][at + k], x->side, size);
    if (x->kind == ADD) return plus(a[at + k], b[at + k], 1, size);
    if (x->kind == POW && e != CENTRE && column == 0) /* middles from the centre are those of `slope` */
        return coefficient_of_power(a, b[0], nodes[x->c].jet[e][0], x->jet[e], k, size);
    if (x->kind >= INV) return dot(a + at, by_a, k, column == 0, k, column == 0, size);
    if (x->kind == MUL && column == 0) return dot(a, b, k, B->fixed ? k : 0, A->fixed ? 0 : k, false, size);
    if (x->kind == MUL)
        return plus(!A->fixed ? dot(a + at, b, k, B->fixed ? k : 0, k, false, size) : none,
                    !B->fixed ? dot(a, b + at, k, 0, A->fixed ? 0 : k, false, size) : none, 1, size);
    if (x->kind == WHERE) {
        const bool up = sign(a[0]) > 0, known = up || sign(a[0]) < 0 || is_zero(a[0]);
        return known ? (up ? b : nodes[x->c].jet[e])[at + k] : (ball){NAN, NAN};
    }
    const ball y = dot(a, b + at, k - 1, 0, 0, false, size); /* of a variable: length of the step times rate */
    return (ball){y.m / k, y.r / k};
}

/* The sum of products as in `dot`, of middles. Whether it is rounded. */
static bool dot_middles(mpfr_ptr y, mpfr_t *a, mpfr_t *b, int k, int first, int last, bool weighted)
{
    const bool square = a == b && !weighted && first == 0 && last == k;
    int rounded = 0;
    mpfr_set_zero(sum, 1);
    for (int j = first; j <= (square ? k / 2 : last); j++) {
        if (mpfr_zero_p(a[j]) || mpfr_zero_p(b[k - j])) continue;
        rounded |= mpfr_mul(term, a[j], b[k - j], MPFR_RNDN);
        if (weighted) rounded |= mpfr_mul_si(term, term, j, MPFR_RNDN);
        if (square && 2 * j < k) mpfr_mul_2ui(term, term, 1, MPFR_RNDN);
        rounded |= mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    return mpfr_div_si(y, sum, weighted ? k : 1, MPFR_RNDN) != 0 || rounded != 0;
}

/* Coefficient k of the middles. Whether it is rounded. */
static bool middle_coefficient(const node *x, int k)
{
    mpfr_ptr y = x->middle[k];
    mpfr_t *a = nodes[x->a].middle, *b = nodes[x->b].middle, *c = nodes[x->c].middle;
    if (x->same >= 0) return mpfr_mul_si(y, nodes[x->same].middle[k], x->side, MPFR_RNDN) != 0;
    if (x->kind == ADD) return mpfr_add(y, a[k], b[k], MPFR_RNDN) != 0;
    if (x->kind == WHERE) return mpfr_set(y, (sign(nodes[x->a].jet[CENTRE][0]) > 0 ? b : c)[k], MPFR_RNDN) != 0;
    if (x->kind == MUL) return dot_middles(y, a, b, k, 0, k, false);
    if (x->kind >= INV) return dot_middles(y, a, nodes[x->slope].middle, k, 1, k, true);
    const bool rounded = dot_middles(y, a, b, k - 1, 0, 0, false); /* of a variable */
    return mpfr_div_si(y, y, k, MPFR_RNDN) != 0 || rounded;
}

static void evaluate_function(int e, int i) /* at the value of its operand; or a WHERE that has either value */
{
    static int (*const functions[])(mpfi_ptr, mpfi_srcptr) = {mpfi_exp, mpfi_log, mpfi_sin, mpfi_cos,
                                                              mpfi_atan};
    const node *x = &nodes[i], *a = &nodes[x->a];
    to_interval(w[0], e, x->kind == WHERE ? x->c : x->a, 0), to_interval(w[1], e, x->b, 0);
    if (x->kind == WHERE) mpfi_union(w[0], w[0], w[1]);
    else if (x->kind == INV) mpfi_inv(w[0], w[0]);
    else if (x->kind != POW) functions[x->kind - EXP](w[0], w[0]);
    else if (a->kind == WHERE && a->a == a->b && a->c == zero && mpfr_sgn(&w[0]->left) < 0)
        mpfr_set_zero(&w[0]->left, 1); /* where(A,A,0) is not negative */
    if (x->kind == POW) mpfi_log(w[0], w[0]), mpfi_mul(w[0], w[0], w[1]), mpfi_exp(w[0], w[0]);
    from_interval(e, i, 0, w[0]);
}

static void compute(int e, int i, int k, int column)
{
    node *x = &nodes[i];
    double size = 0, unit = UNIT;
    const bool first = k == 0 && column == 0 && x->same < 0;
    if (first && x->kind >= INV) {
        evaluate_function(e, i);
        return;
    }
    ball y = coefficient(e, x, k, column, &size);
    const bool is_product = x->same < 0 && (x->kind == MUL || x->kind >= INV || x->kind == VARIABLE);
    if (e == CENTRE && k > 0 && is_product && size * UNIT < fine_unit * fabs(x->jet[e][0].m)) {
        mpfr_set_d(x->middle[k], y.m, MPFR_RNDN); /* late ones are so small that doubles are enough */
    } else if (e == CENTRE && !isnan(y.m)) {
        unit = middle_coefficient(x, k) ? fine_unit : 0;
        y.m = mpfr_get_d(x->middle[k], MPFR_RNDN), y.r += y.m == 0 && !mpfr_zero_p(x->middle[k]) ? TINY : 0;
    }
    x->jet[e][column * stride + k] = with_error(y, size * unit);
    if (first && isnan(y.m) && e == PLACE && x->kind == WHERE) evaluate_function(e, i);
}

/* ---- nodes: equal formulas are one */

static int power_of(int i) /* of the root that is the clock; 0: it is none */
{
    const int p = nodes[i].same - length;
    return p > 0 && p <= POWERS ? p : 0;
}

static void replace(int i, int other, int side) /* node i is `side` times that one in this phase */
{
    const node *y = &nodes[other];
    nodes[i].same = y->same >= 0 ? y->same : other, nodes[i].side = y->same >= 0 ? side * y->side : side;
    nodes[i].fixed = y->fixed;
}

static void clear(int i) /* all coefficients of a variable */
{
    for (int e = 0; e < SERIES; e++) memset(nodes[i].jet[e], 0, (size_t)((most + 1) * stride) * sizeof(ball));
    for (int k = 0; k < stride; k++) mpfr_set_zero(nodes[i].middle[k], 1);
}

/* Finds, from what is found about its operands, whether formula i is constant in this phase, or a power of u. */
static void classify(int i)
{
    node *x = &nodes[i];
    const node *a = &nodes[x->a], *b = &nodes[x->b], *c = &nodes[x->c];
    const bool fixed = x->fixed;
    const int known = a->fixed ? sign(a->jet[NEAR][0]) : power_of(x->a) > 0 ? a->side : 0;
    const double power = power_of(x->a) * b->jet[NEAR][0].m;
    x->same = -1, x->fixed = a->fixed && b->fixed && c->fixed;
    if (x->kind == MUL && x->a == minus_one) replace(i, x->b, -1);
    if (x->kind == WHERE && (known != 0 || x->a == zero)) replace(i, known > 0 ? x->b : x->c, 1);
    if (x->kind == POW && power > 0 && a->side > 0 && power <= POWERS && power == floor(power) &&
        b->jet[CENTRE][0].r == 0)
        replace(i, length + (int)power, 1);
    if (x->fixed && !fixed) clear(i);
    for (int e = 0; e < SERIES && x->fixed; e++) compute(e, i, 0, 0);
}

static int new_node(kind kind, int a, int b, int c)
{
    node *x = &nodes[count];
    WANT(count < MANY, "more than %d parts of formulas", MANY);
    *x = (node){.kind = kind, .a = a, .b = b, .c = c, .same = -1, .side = 1, .fixed = kind == NUMBER};
    for (int e = 0; e < SERIES; e++) x->jet[e] = room((most + 1) * stride, sizeof(ball));
    x->middle = room(stride, sizeof *x->middle);
    for (int k = 0; k < stride; k++) mpfr_init2(x->middle[k], bits), mpfr_set_zero(x->middle[k], 1);
    return count++;
}

static int make(kind kind, int a, int b, int c)
{
    int i = 0;
    if (kind == ADD && b == zero) return a;
    if (kind == MUL && (a == zero || b == zero)) return zero;
    while (i < count && (nodes[i].kind != kind || nodes[i].a != a || nodes[i].b != b || nodes[i].c != c)) i++;
    if (i < count) return i;
    new_node(kind, a, b, c), classify(i);
    if (kind == INV) a = make(MUL, minus_one, make(MUL, i, i, 0), 0);
    if (kind == POW) a = make(MUL, b, make(MUL, i, c, 0), 0);
    if (kind == LOG) a = make(INV, a, 0, 0);
    if (kind == SIN) a = make(COS, a, 0, 0);
    if (kind == COS) a = make(MUL, minus_one, make(SIN, a, 0, 0), 0);
    if (kind == ATAN) a = make(INV, make(ADD, one, make(MUL, a, a, 0), 0), 0, 0);
    nodes[i].slope = kind < INV ? 0 : kind == EXP ? i : a;
    return i;
}

static int minus(int a, int b)
{
    return make(ADD, a, make(MUL, minus_one, b, 0), 0);
}

static int number(mpfi_srcptr value)
{
    int i = 0;
    const bool is_exact = mpfr_equal_p(&value->left, &value->right);
    while (i < count && !(is_exact && nodes[i].kind == NUMBER && i != length &&
                          nodes[i].jet[CENTRE][0].r == 0 && mpfr_equal_p(nodes[i].middle[0], &value->left)))
        i++;
    if (i == count) new_node(NUMBER, 0, 0, 0);
    for (int e = 0; e < SERIES; e++) from_interval(e, i, 0, value);
    return i;
}

static int integer(int value)
{
    mpfi_set_si(w[2], value);
    return number(w[2]);
}

/* ---- formulas: DECIMAL, NAME, (-A), (A+B), and so with - * / ^, FUNCTION(A), or where(A,B,C) */

static char *rest;

static int look_up(const char *text)
{
    int i = n_names - 1;
    while (i >= 0 && strcmp(names[i].text, text) != 0) i--;
    WANT(i >= 0, "the name '%s' is not known", text);
    return names[i].node;
}

static int raise_to(int a, int b) /* whole powers are products */
{
    const ball x = nodes[b].jet[CENTRE][0];
    const int p = fabs(x.m) < 100 ? (int)fabs(x.m) : 0;
    WANT(nodes[b].fixed, "an exponent is not constant");
    if (nodes[b].jet[NEAR][0].r != 0 || x.r != 0 || p != fabs(x.m)) {
        const node y = nodes[a]; /* where a factor is a power of the root, it is a power by itself */
        const bool divides = y.kind == MUL && y.a != minus_one && y.a != y.b;
        return divides ? make(MUL, raise_to(y.a, b), raise_to(y.b, b), 0) : make(POW, a, b, make(INV, a, 0, 0));
    }
    int product = p == 0 ? one : a;
    for (int k = 1; k < p; k++) product = make(MUL, product, a, 0);
    return x.m < 0 ? make(INV, product, 0, 0) : product;
}

static void skip(const char *text)
{
    WANT(strncmp(rest, text, strlen(text)) == 0, "'%s' is missing at '%.20s'", text, rest);
    rest += strlen(text);
}

static int formula(void)
{
    static const char *const functions[] = {"exp(", "log(", "sin(", "cos(", "atan(", "where("};
    char text[NAME], operation;
    static int depth;
    int a, b, f = 0, used = 0;
    WANT(++depth < 1000, "too many brackets");
    while (f < 6 && strncmp(rest, functions[f], strlen(functions[f])) != 0) f++;
    if (f < 6) {
        skip(functions[f]), a = formula();
        if (f < 5) a = make(EXP + (kind)f, a, 0, 0);
        else skip(","), b = formula(), skip(","), a = make(WHERE, a, b, formula());
    } else if (*rest == '(' && rest[1] == '-') {
        rest += 2, a = make(MUL, minus_one, formula(), 0);
    } else if (*rest == '(') {
        rest++, a = formula(), operation = *rest;
        WANT(operation != '\0' && strchr("+-*/^", operation) != NULL, "'%c' is no operation", operation);
        rest++, b = formula();
        a = operation == '^'   ? raise_to(a, b)
            : operation == '/' ? make(MUL, a, make(INV, b, 0, 0), 0)
            : operation == '-' ? minus(a, b)
                               : make(operation == '+' ? ADD : MUL, a, b, 0);
    } else {
        const bool digit = isdigit((unsigned char)*rest);
        WANT(sscanf(rest, digit ? "%40[0-9.e]%n" : "%63[A-Za-z0-9_]%n", text, &used) == 1, "a name is missing");
        rest += used;
        depth--;
        if (!digit) return strcmp(text, "pi") == 0 ? (mpfi_const_pi(w[3]), number(w[3])) : look_up(text);
        if (rest[-1] == 'e' && sscanf(rest, "%9[-+0-9]%n", text + strlen(text), &used) == 1) rest += used;
        WANT(strlen(text) < 50 && mpfi_set_str(w[3], text, 10) == 0, "'%s' is no number", text);
        return number(w[3]);
    }
    skip(")"), depth--;
    return a;
}

static int read_formula(void)
{
    rest = word();
    const int i = formula();
    WANT(*rest == '\0', "'%s' is not expected", rest);
    return i;
}

/* ---- the problem */

/* A new name: that of a (s)tate, of a (n)umber between two others, or of a formula. */
static void define(char what)
{
    WANT(n_names < MANY - 2, "too many names");
    snprintf(names[n_names].text, NAME, "%s", word());
    for (int i = 0; i < n_names; i++)
        WANT(strcmp(names[i].text, names[n_names].text) != 0, "'%s' has a meaning already", names[i].text);
    if (what == 'n') exact(w[4]), exact(w[5]), mpfi_put(w[4], w[5]);
    const int i = what == 's'   ? new_node(VARIABLE, length, zero, 0)
                  : what == 'n' ? number(w[4])
                                : read_formula();
    names[n_names++].node = i;
}

static void assign(int *list, int count_of_owners) /* STATE FORMULA, of the last mode or alternative */
{
    const int x = look_up(word());
    int v = 0;
    while (v < n && state[v] != x) v++;
    WANT(v < n - 1 && count_of_owners > 0, "this is no state of a mode or a jump");
    list[v] = read_formula();
}

static bool read_problem(void) /* one line; whether there are more */
{
    const char *what = word(), *const directions[] = {"falls", "crosses", "rises", "below", "above"};
    int d = 0, i;
    WANT(n_events < MANY - 2 && n_jumps < MANY - 2 && n_alternatives < MANY - 2 && n_modes < MANY - 2,
         "the problem is too large");
    if (strcmp(what, "case") == 0) return true;
    if (strcmp(what, "parameter") == 0 || strcmp(what, "let") == 0 || strcmp(what, "number") == 0) {
        define(*what);
    } else if (strcmp(what, "state") == 0) {
        WANT(n < most && n_modes == 0, "too many states, or one after the modes");
        define('s'), state[n++] = names[n_names - 1].node;
    } else if (strcmp(what, "mode") == 0) {
        now = &modes[n_modes++], now->first = now->last = n_events;
        snprintf(now->name, NAME, "%s", word()), now->ends = here != NULL;
        for (int v = 0; v < n; v++) now->rate[v] = v < n - 1 ? zero : one;
    } else if (strcmp(what, "rate") == 0) {
        assign(now->rate, n_modes);
    } else if (strcmp(what, "guard") == 0) {
        for (what = word(); d < 5 && strcmp(what, directions[d]) != 0;) d++;
        WANT(d < 5 && n_guards == n_events && n_modes > 0, "a direction is missing");
        events[n_events].level = d > 2, events[n_events].direction = d > 2 ? 2 * d - 7 : d - 1;
        events[n_events].jump = whole(0, MANY - 1), events[n_events].value = read_formula();
        events[n_events].enabled = read_formula(), now->last = n_guards = ++n_events;
    } else if (strcmp(what, "jump") == 0) {
        snprintf(jumps[n_jumps].name, NAME, "%s", word()), jumps[n_jumps++].first = n_alternatives;
    } else if (strcmp(what, "to") == 0) {
        WANT(n_jumps > 0, "a jump is missing");
        alternatives[n_alternatives].mode = whole(-1, n_modes - 1);
        alternatives[n_alternatives].condition = read_formula();
        memcpy(alternatives[n_alternatives].set, state, sizeof state),
            jumps[n_jumps - 1].last = ++n_alternatives;
    } else if (strcmp(what, "departs") == 0) {
        i = n_alternatives - 1;
        WANT(i >= 0 && alternatives[i].departures < MOST, "a jump is missing");
        d = alternatives[i].departures++, alternatives[i].guard[d] = whole(0, MANY);
        alternatives[i].order[d] = whole(1, ORDERS - 1), alternatives[i].side[d] = whole(-1, 1);
    } else if (strcmp(what, "set") == 0) {
        assign(alternatives[n_alternatives > 0 ? n_alternatives - 1 : 0].set, n_alternatives);
    } else if (strcmp(what, "at") == 0) { /* time events, in their order, and at last the end, without a jump */
        i = n_events++;
        events[i].jump = whole(-1, MANY - 1), events[i].value = read_formula(), events[i].enabled = one,
        events[i].direction = 1;
        return events[i].jump >= 0;
    } else {
        WANT(strcmp(what, "from") == 0, "'%s' is not known", what), from = read_formula();
    }
    return true;
}

/* ---- the phase: from an event, or a change of the clock, to the next one */

static int program[MANY], flow, all;              /* nodes of rates, and all that are evaluated */
static int order, range_order, slope_order;       /* of the present step */
static int columns, rate[MOST], coordinate[MOST]; /* of the frame; of the states, by the clock */
/* The clock is u, and side u^order_of_root is the state `base`; or -1: the clock is the time. */
static int base = -1, side, order_of_root;
static mpfi_t *centre, *frame, *inverse, *radius, *old_radius, *box, *tube, *over, *image, *spread;

static void want(int i) /* puts a node into the program, after its operands */
{
    node *x = &nodes[i];
    if (x->wanted || x->fixed) return;
    x->wanted = true;
    if (x->same >= 0) want(x->same);
    else if (x->kind == VARIABLE) return;
    else want(x->a), want(x->b), want(x->c);
    program[all++] = i;
    if (x->same < 0) want(x->slope);
}

static void begin_phase(void)
{
    const int base_rate = base < 0 ? zero : now->rate[base];
    const int power = base < 0   ? -1
                      : side > 0 ? state[base]
                                 : make(MUL, minus_one, state[base], 0); /* of the root */
    int du = one, dt = one; /* rates of the base, and of time, by the clock */
    if (base >= 0) {
        du = make(MUL, integer(side * order_of_root), length + order_of_root - 1, 0);
        dt = make(MUL, du, make(INV, base_rate, 0, 0), 0);
    }
    for (int v = 0; v < n; v++) {
        node *x;
        const bool is_point = mpfr_equal_p(&box[v]->left, &box[v]->right);
        const node *by_time = &nodes[now->rate[v]];
        rate[v] = base < 0                    ? now->rate[v]
                  : now->rate[v] == base_rate ? du
                  : by_time->kind == MUL && by_time->a == minus_one && by_time->b == base_rate
                      ? make(MUL, minus_one, du, 0)
                      : make(MUL, dt, now->rate[v], 0);
        coordinate[v] = state[v] == power ? length + POWERS + 1 : state[v], x = &nodes[coordinate[v]];
        clear(coordinate[v]), x->b = rate[v], x->same = -1, x->fixed = is_point && now->rate[v] == zero;

        for (int e = 0; e < SERIES && x->fixed; e++) from_interval(e, state[v], 0, box[v]);
    }
    for (int i = 0; i < count; i++) {
        nodes[i].wanted = false;
        if (i == power) replace(i, length + order_of_root, 1);
        else if (nodes[i].kind > VARIABLE) classify(i);
        else nodes[i].same = -1;
    }
    all = 0;
    for (int v = 0; v < n; v++) want(coordinate[v]), want(rate[v]);
    flow = all;
    for (int g = now->first; g < now->last; g++) want(events[g].value), want(events[g].enabled);
}

static bool moves(int v)
{
    return !nodes[coordinate[v]].fixed && nodes[coordinate[v]].same < 0;
}

/* Coefficient k of a part of the program, and its derivatives. */
static void run(int e, int first, int last, int k, bool derived)
{
    for (int j = 0; j <= (derived ? columns : 0); j++)
        for (int p = first; p < last; p++) compute(e, program[p], k, j);
}

/* Values of the coordinates, and of the columns of derivatives if there are some. */
static void start(int e, mpfi_t *y, mpfi_t *d, mpfi_srcptr u)
{
    if (base >= 0) from_interval(e, length + 1, 0, u);
    for (int v = 0; v < n; v++) {
        if (!moves(v)) continue;
        from_interval(e, coordinate[v], 0, y[v]);
        for (int j = 0; j < columns && d != NULL; j++)
            from_interval(e, coordinate[v], (j + 1) * stride, d[j * n + v]);
    }
}

/* Coefficients `first` to `last` - 1 of rates, derivatives up to `slopes` - 1; variables have one more. */
static void expand(int e, int first, int last, int slopes)
{
    for (int k = first; k < last; k++) {
        run(e, 0, flow, k, k < slopes);
        if (base >= 0 && k == 0) compute(e, length + 1, 1, 0);
        for (int v = 0; v < n && k + 1 < stride; v++)
            for (int j = 0; j <= (k < slopes ? columns : 0) && moves(v); j++)
                compute(e, coordinate[v], k + 1, j);
    }
}

/*
 * A coordinate, or a column of its derivative, over a place of the step: the polynomial of the first
 * coefficients from the middle of the place, and if it is wanted the remainder over the tube.
 */
static void range(mpfi_ptr y, int v, int column, mpfi_srcptr place, bool remainder)
{
    const int orders = column == 0 ? range_order : slope_order;
    const ball *c = nodes[coordinate[v]].jet[NEAR] + (size_t)(column * stride),
               *beyond = nodes[coordinate[v]].jet[TUBE] + (size_t)(column * stride);
    const ball part = ball_around(rough, place), middle = {part.m, 0};
    ball q[MOST_ORDERS];
    double r = 0, power = 1;
    memcpy(q, c, (size_t)orders * sizeof *q);
    for (int j = 0; j < (part.r > 0 ? orders : 1); j++) {
        for (int k = orders - 2; k >= j; k--) {
            double size = 0;
            q[k] = plus(q[k], dot(&q[k + 1], &middle, 0, 0, 0, false, &size), 1, &size),
            q[k] = with_error(q[k], size * UNIT);
        }
        if (j > 0) power *= part.r, r += power * (fabs(q[j].m) + q[j].r) + (is_zero(q[j]) ? 0 : TINY);
    }
    mpfi_set_d(y, q[0].m), widen(y, with_error(q[0], r * (1 + SPARE)).r);
    if (!remainder) return;
    mpfi_set_d(w[0], beyond[orders].m), widen(w[0], beyond[orders].r), mpfi_put_si(w[0], 0),
        mpfi_add(y, y, w[0]);
}

/* ---- sets {centre + frame r : |r| <= radius}: frame has rows for coordinates `axis`, others are exact */

static int axis[MOST];

static void read_set(void)
{
    next("set");
    columns = whole(0, n);
    for (int v = 0; v < n; v++) exact(centre[v]), mpfi_set(box[v], centre[v]);
    for (int k = 0; k < n * n; k++) mpfi_set_ui(frame[k], 0);
    for (int k = 0; k < columns; k++) {
        next("axis");
        axis[k] = whole(k == 0 ? 0 : axis[k - 1] + 1, n - 1);
        for (int j = 0; j < columns; j++) exact(frame[j * n + axis[k]]);
        for (int j = 0; j < columns; j++) exact(inverse[k * n + j]);
    }
    if (columns > 0) next("radius");
    for (int j = 0; j < columns; j++) {
        exact(radius[j]);
        NEED(mpfi_is_nonneg(radius[j]), "a radius is negative");
        mpfi_neg(w[0], radius[j]), mpfi_union(w[0], w[0], radius[j]);
        for (int v = 0; v < n; v++) mpfi_mul(w[1], frame[j * n + v], w[0]), mpfi_add(box[v], box[v], w[1]);
    }
}

/* |row k of B times x, - minus| factor */
static void add_row(mpfi_ptr y, int k, mpfi_t *x, mpfi_srcptr factor, int minus)
{
    mpfi_set_si(w[1], -minus);
    for (int i = 0; i < columns; i++)
        mpfi_mul(w[2], inverse[k * n + i], x[axis[i]]), mpfi_add(w[1], w[1], w[2]);
    mpfi_abs(w[1], w[1]), mpfi_mul(w[1], w[1], factor), mpfi_add(y, y, w[1]);
}

/* Reads the next set, which must contain that of `image`, the centre's, and `spread`, the columns'. */
static void next_set(bool new_phase)
{
    int old_axis[MOST], k = 0;
    const int old = columns;
    for (int j = 0; j < old; j++) mpfi_set(old_radius[j], radius[j]), old_axis[j] = axis[j];
    read_set();
    for (int v = 0; v < n; v++) {
        mpfi_sub(image[v], image[v], centre[v]);
        bool same = mpfi_is_zero(image[v]);
        for (int j = 0; j < old; j++) same = same && mpfi_is_zero(spread[j * n + v]);
        k += k < columns && axis[k] < v;
        NEED(same || (k < columns && axis[k] == v), "coordinate %d is not exact", v);
    }
    mpfi_set_ui(w[5], 1);
    for (k = 0; k < columns; k++) { /* |B (image - centre)| + |B spread| old radii + |1 - B A| radii <= radii */
        mpfi_set_ui(w[3], 0), mpfi_set_ui(w[4], 0), add_row(w[3], k, image, w[5], 0);
        for (int j = 0; j < old; j++) add_row(w[3], k, &spread[(size_t)(j * n)], old_radius[j], 0);
        for (int j = 0; j < columns; j++) add_row(w[4], k, &frame[(size_t)(j * n)], radius[j], j == k);
        mpfi_add(w[3], w[3], w[4]);
        NEED(mpfr_lessequal_p(&w[3]->right, &radius[k]->left), "radius %d of the set is too small", k + 1);
        NEED(mpfi_is_zero(w[4]) || mpfr_less_p(&w[4]->right, &radius[k]->left), "the frame has no inverse");
    }
    if (new_phase || old != columns || memcmp(axis, old_axis, (size_t)columns * sizeof *axis) != 0)
        begin_phase();
}

/* ---- steps: places of a step are parts of it, from 0 to 1 */

static mpfi_t *u, *s, *slope, step_length; /* the clock, now and over a place; places of a crossing */
static int course, zero_at = -1, crossed = -1, next_time; /* of u; a formula that is zero; the event reached */

static void set_clock(mpfi_srcptr place)
{
    mpfi_mul(u[1], place, step_length), mpfi_add(u[1], u[1], u[0]);
}

static void inflate(mpfi_ptr y, unsigned long part)
{
    mpfi_mag(&w[0]->left, y), mpfr_div_ui(&w[0]->left, &w[0]->left, part, MPFR_RNDU),
        mpfi_increase(y, &w[0]->left);
}

/* Whether the enclosure of a coordinate, or of column j of its derivative, is within its tube. */
static bool in_tube(int v, int j)
{
    mpfi_t *y = &tube[j * n + v];
    const bool starts = j > 0 || mpfi_is_inside(box[v], *y);
    range(w[5], v, j, s[0], true);
    if (starts && is_zero(nodes[coordinate[v]].jet[TUBE][j * stride + 1])) return true; /* it rests */
    if (mpfi_is_strictly_inside(w[5], *y)) return true;
    NEED(j > 0, "the tube of coordinate %d is too small", v);
    mpfi_union(*y, *y, w[5]), inflate(*y, 4);
    return false;
}

static void check_tube(void)
{
    const int all_columns = n * (columns + 1);
    bool holds = false;
    start(NEAR, box, frame, u[0]), expand(NEAR, 0, range_order - 1, slope_order - 1), set_clock(s[0]);
    for (int i = n; i < all_columns; i++)
        if (moves(i % n)) range(tube[i], i % n, i / n, s[0], false), inflate(tube[i], 256);
    for (int attempt = 0; !holds; attempt++) {
        NEED(attempt < 8, "no tube of the derivatives is found");
        start(TUBE, tube, tube + n, u[1]), expand(TUBE, 0, range_order, slope_order);
        holds = true;
        for (int i = 0; i < all_columns; i++) holds = (!moves(i % n) || in_tube(i % n, i / n)) && holds;
    }
    expand(TUBE, range_order, order, 0);
    start(CENTRE, centre, NULL, u[0]), expand(CENTRE, 0, order - 1, 0);
}

static void centre_at(mpfi_t *y, mpfi_srcptr place) /* the solution from the centre */
{
    for (int v = 0; v < n; v++) {
        const int i = coordinate[v];
        mpfi_set(y[v], centre[v]);
        if (!moves(v)) continue;
        to_interval(y[v], TUBE, i, order), mpfi_put_si(y[v], 0);
        for (int k = order - 1; k >= 0; k--)
            mpfi_mul(y[v], y[v], place), to_interval(w[0], CENTRE, i, k), mpfi_add(y[v], y[v], w[0]);
    }
    set_clock(place);
}

static void expand_at(mpfi_srcptr place, int orders, bool derived) /* all formulas, for the whole set */
{
    for (int i = 0; i < n * (derived ? columns + 1 : 1); i++)
        if (moves(i % n)) range(over[i], i % n, i / n, place, true), mpfi_intersect(over[i], over[i], tube[i]);
    set_clock(place), start(PLACE, over, derived ? over + n : NULL, u[1]), expand(PLACE, 0, orders, derived);
    for (int k = 0; k < orders; k++) run(PLACE, flow, all, k, derived && k == 0);
}

/* The sign of coefficient k of a formula over the present place; within a step the root is positive. */
static int sign_of(int i, int k)
{
    const node *x = &nodes[i];
    const int known = x->fixed && k > 0 ? 0 : sign(x->jet[PLACE][k]);
    if (known != 0) return known;
    if (x->same >= 0) return x->side * sign_of(x->same, k);
    if (base >= 0 && i == state[base] && k < 2) return k == 0 ? side : side * course;
    if (base >= 0 && i > length && i <= length + POWERS && k < 2) return k == 0 ? 1 : course;
    return k == 0 && x->kind == MUL ? sign_of(x->a, 0) * sign_of(x->b, 0) : 0;
}

/* Whether a claim about a guard holds over a part of a step, and implies that the guard does not fire there. */
static bool claim_holds(char claim, int g, bool first)
{
    static const char claims[] = "-+duDUvV";
    const char *found = strchr(claims, claim);
    const int value = events[g].value, enabled = events[g].enabled, direction = events[g].direction;
    if (claim == '*') return g == crossed && sign_of(value, 1) != 0 && sign_of(value, 1) != -direction;
    if (claim == 'n') return sign_of(enabled, 0) < 0 || is_zero(nodes[enabled].jet[PLACE][0]);
    if (claim == 'm') return first && enabled == zero_at && sign_of(enabled, 1) < 0;
    WANT(claim != '\0' && found != NULL, "the claim '%c' is not known", claim);
    const int k = (int)(found - claims) / 2, to = (found - claims) % 2 == 1 ? 1 : -1;
    if (sign_of(value, k) != to) return false;
    const bool may_start = first && direction == to, from_zero = base >= 0 && mpfi_is_zero(u[0]);
    if (k == 0 && !(may_start && (from_zero || (departed != NULL && events[g].level)))) return true;
    if ((k == 0 && !from_zero) || (k == 1 && direction == -to)) return k == 1;
    for (int d = 0; first && departed != NULL && d < departed->departures; d++)
        if (departed->guard[d] == g - now->first && departed->side[d] == to &&
            departed->order[d] == (k == 0 ? 1 : k))
            return true;
    return k < 2 && first && events[g].fired && value == zero_at && !events[g].level;
}

/* Maps the set to where g is zero: from the centre between s[3] and s[4], from the whole set after s[2]. */
static void cross(int g, int direction, int enabled)
{
    const int end = all;
    want(g), mpfi_interv_fr(s[5], &s[2]->left, &s[1]->right), expand_at(s[5], 2, true);
    direction = direction == 0 ? sign_of(g, 1) : direction;
    NEED(direction != 0 && sign_of(g, 1) == direction, "the rate of what is crossed");
    NEED(sign_of(enabled, 0) > 0, "the guard is not enabled");
    to_interval(w[6], PLACE, g, 1);
    for (int i = 0; i < n * columns; i++) { /* D - f (dg D)/(dg/ds) */
        const int first = (i / n + 1) * stride;
        to_interval(w[1], PLACE, g, first), mpfi_div(w[1], w[1], w[6]),
            to_interval(w[2], PLACE, coordinate[i % n], 1);
        to_interval(spread[i], PLACE, coordinate[i % n], first), mpfi_mul(w[1], w[1], w[2]),
            mpfi_sub(spread[i], spread[i], w[1]);
    }
    for (int v = 0; v < n; v++) to_interval(slope[v], PLACE, coordinate[v], 1);
    for (int i = 1; i <= 4; i++) { /* signs after and before: from the whole set, then from the centre */
        if (i < 3) expand_at(s[i], 1, false);
        else centre_at(image, s[i]), start(CENTRE, image, NULL, u[1]), run(CENTRE, 0, all, 0, false);
        const int found = sign(nodes[g].jet[i < 3 ? PLACE : CENTRE][0]);
        NEED(found == (i == 1 || i == 4 ? direction : -direction), "the value %s the crossing",
             i % 3 == 1 ? "after" : "before");
        start(CENTRE, centre, NULL, u[0]);
    }
    NEED(mpfr_lessequal_p(&s[2]->left, &s[3]->left) && mpfr_lessequal_p(&s[4]->left, &s[1]->left),
         "the crossing is elsewhere");
    centre_at(image, s[3]), mpfi_sub(w[5], s[4], s[3]), mpfi_put_si(w[5], 0); /* and on, by the rates */
    for (int v = 0; v < n; v++) mpfi_mul(w[6], w[5], slope[v]), mpfi_add(image[v], image[v], w[6]);
    all = end;
}

static void set_length(void) /* of the step, as a number in formulas */
{
    for (int e = 0; e < SERIES; e++) from_interval(e, length, 0, step_length);
}

static mpfi_t root_value; /* of the state where the pending root becomes the clock */
static int pending = -1;

static void read_step(int *hits)
{
    exact(step_length), set_length(), course = mpfi_is_strictly_pos(step_length) ? 1 : -1;
    order = whole(3, stride - 1), range_order = whole(2, order - 1 < MOST_ORDERS ? order - 1 : MOST_ORDERS),
    slope_order = whole(2, range_order);
    NEED(base >= 0 || course > 0, "the length or the order of the step");
    *hits = whole(-1, n_events + n_guards);
    for (int i = 2; i < 5 && *hits >= 0; i++) exact(s[i]);
    NEED(*hits < 0 || (*hits >= now->first && *hits < now->last) || *hits == next_time || *hits >= n_events,
         "what is hit");
    next("tube");
    for (int v = 0; v < n; v++) mpfi_set(tube[v], box[v]);
    while (here != NULL) {
        const int v = whole(0, n - 1);
        exact(w[0]), exact(w[1]), mpfi_interv_fr(tube[v], &w[0]->left, &w[1]->left);
    }
}

static void check_parts(void)
{
    bool near = false, first = true;
    mpfi_set_ui(s[6], 0);
    while (mpfr_cmp_ui(&s[6]->left, 1) != 0) {
        next("part"), mpfi_set(s[5], s[6]), exact(s[6]);
        NEED(mpfr_less_p(&s[5]->left, &s[6]->left), "the parts of the step are not in order");
        mpfi_put(s[5], s[6]), expand_at(s[5], first && departed != NULL ? ORDERS : 2, false);
        const char *claims = now->first < now->last ? word() : NULL;
        for (int g = now->first; g < now->last; g++, claims++) {
            NEED(claim_holds(*claims, g, first) && (g != crossed || !near || *claims == '*'),
                 "guard '%s' may fire", jumps[events[g].jump].name);
            near = near || *claims == '*';
        }
        first = false;
    }
}

static bool check_step(void) /* whether another phase begins */
{
    int hits, exact_state = -1, value = zero; /* on some sections a state has a value */
    NEED(crossed < 0, "the event that is reached is left out");
    read_step(&hits), check_tube(), crossed = hits, check_parts(), zero_at = -1;
    NEED(base < 0 || sign(nodes[now->rate[base]].jet[TUBE][0]) * side == course, "time does not go on");
    for (int i = 0; i < n * columns; i++) mpfi_set_ui(spread[i], 0);
    if (hits < 0) {
        centre_at(image, s[1]);
        for (int i = 0; i < n * columns; i++)
            if (moves(i % n)) range(spread[i], i % n, i / n + 1, s[1], true);
    } else if (hits < n_guards) {
        zero_at = events[hits].value, cross(zero_at, events[hits].direction, events[hits].enabled);
        for (int v = 0; v < n; v++)
            if (zero_at == state[v] || nodes[zero_at].same == state[v]) exact_state = v;
    } else if (hits < n_events) {
        exact_state = n - 1, value = events[hits].value, cross(minus(state[n - 1], value), 1, one);
    } else if (hits < n_events + n_guards) {
        zero_at = events[hits - n_events].enabled, cross(zero_at, 0, one);
    } else {
        NEED(pending >= 0, "a root is missing");
        exact_state = pending, value = number(root_value), cross(minus(state[pending], value), -side, one);
    }
    for (int j = 0; j < columns && exact_state >= 0; j++) mpfi_set_ui(spread[j * n + exact_state], 0);
    if (exact_state >= 0) to_interval(image[exact_state], CENTRE, value, 0);
    for (int g = 0; g < n_guards; g++) events[g].fired = false;
    departed = NULL, crossed = hits >= n_events ? -1 : hits;
    if (hits < 0) {
        if (base >= 0) mpfi_add(u[0], u[0], step_length);
        NEED(mpfi_is_nonneg(u[0]), "the root is negative");
        if (base >= 0 && mpfi_is_zero(u[0])) zero_at = state[base];
        return false;
    } /* a section is crossed at values of a root that differ within the set: such a root ends there */
    base = hits == n_events + n_guards ? pending : -1, pending = -1, course = 0;
    return true;
}

/* root V SIDE ORDER U: from here on, or where the next step ends, the state V is SIDE u^ORDER. */
static void read_root(void)
{
    const int v = whole(0, n - 2);
    side = whole(-1, 1), order_of_root = whole(2, POWERS), exact(u[0]);
    NEED(side != 0 && base < 0 && crossed < 0, "a root within a phase");
    mpfi_set_si(root_value, side);
    for (int k = 0; k < order_of_root; k++) mpfi_mul(root_value, root_value, u[0]);
    pending = v;
    if (mpfi_is_strictly_pos(u[0])) return;
    const bool negative = zero_at >= 0 && nodes[zero_at].kind == MUL && nodes[zero_at].a == minus_one;
    NEED(mpfi_is_zero(u[0]) &&
             (mpfi_is_zero(box[v]) || (zero_at >= 0 && (negative ? nodes[zero_at].b : zero_at) == state[v])),
         "the state is not zero where its root begins");
    base = v, pending = -1, course = 0, begin_phase();
}

/* ---- events */

static bool depends(int i, const int *set) /* whether a formula contains a state that a jump changes */
{
    static bool found[MANY];
    for (int j = 0; j <= i; j++) { /* operands come first */
        const node *x = &nodes[j];
        found[j] = x->kind > VARIABLE && (found[x->a] || found[x->b] || found[x->c]);
        for (int v = 0; v < n; v++) found[j] = found[j] || (state[v] == j && set[v] != j);
    }
    return found[i];
}

static void check_jump(int jump, int chosen) /* by one of its alternatives */
{
    const int end = all, first = jumps[jump].first;
    NEED(jump < n_jumps && first + chosen < jumps[jump].last, "the jump has no such alternative");
    departed = &alternatives[first + chosen];
    for (int i = first; i <= first + chosen; i++) want(alternatives[i].condition);
    for (int v = 0; v < n; v++) want(departed->set[v]);
    start(CENTRE, centre, NULL, u[0]), run(CENTRE, 0, all, 0, false);
    start(PLACE, box, frame, u[0]), run(PLACE, 0, all, 0, true);
    for (int i = first; i <= first + chosen; i++) {
        const ball x = nodes[alternatives[i].condition].jet[PLACE][0];
        NEED(i < first + chosen ? sign(x) < 0 || is_zero(x) : sign(x) > 0, "a condition of the jump");
    }
    for (int v = 0; v < n; v++) to_interval(image[v], CENTRE, departed->set[v], 0);
    for (int i = 0; i < n * columns; i++)
        to_interval(spread[i], PLACE, departed->set[i % n], (i / n + 1) * stride);
    if (zero_at >= 0 && depends(zero_at, departed->set)) zero_at = -1;
    if (departed->mode >= 0) now = &modes[departed->mode];
    base = pending = -1, all = end;
}

/* Whether a guard fires before any time passes; those before it in the table do not. */
static bool is_due(int g)
{
    const bool at_end = base >= 0 && mpfi_is_zero(u[0]); /* of a step by a root */
    mpfi_set_ui(step_length, 1), set_length(), start(PLACE, box, NULL, u[0]), expand(PLACE, 0, 2, 0);
    for (int k = 0; k < 2; k++) run(PLACE, flow, all, k, false);
    for (int i = now->first; i <= g; i++) {
        const int value = events[i].value, direction = events[i].direction;
        const ball x = nodes[value].jet[PLACE][0], enabled = nodes[events[i].enabled].jet[PLACE][0];
        const int base_side = !at_end                            ? 0
                              : power_of(value) == order_of_root ? nodes[value].side
                              : value == state[base]             ? side
                                                                 : 0;
        const int rate_sign = base < 0 ? sign(nodes[value].jet[PLACE][1]) : base_side * course;
        const bool level = events[i].level && sign(x) == direction && direction != 0;
        const bool leaves = rate_sign != 0 && rate_sign == direction && (is_zero(x) || base_side != 0);
        if (i == g) return sign(enabled) > 0 && (level || (leaves && !events[i].fired));
        const bool against = rate_sign != 0 && rate_sign == -direction;
        if (sign(enabled) >= 0 && !is_zero(enabled) && (level || (!against && sign(x) == 0))) return false;
    }
    return false;
}

/* The printed numbers, MIDDLE RADIUS, contain the box of the set. */
static void show(const char *what, bool states)
{
    next("printed"), printf("%s", what);
    for (int v = -1; v < n - 1; v++) {
        mpfi_srcptr x = box[v < 0 ? n - 1 : v];
        const char *middle = word(), *size = word();
        WANT(mpfi_set_str(w[0], middle, 10) == 0 && mpfi_set_str(w[1], size, 10) == 0, "a printed number");
        mpfi_sub(w[2], w[0], w[1]), mpfi_add(w[3], w[0], w[1]);
        NEED(mpfr_lessequal_p(&w[2]->right, &x->left) && mpfr_lessequal_p(&x->right, &w[3]->left),
             "%s is printed, with %s", middle, size);
        if (v < 0 || states) printf(" %s +- %s", middle, size);
    }
}

static bool not_after(mpfi_srcptr x, mpfi_srcptr y)
{
    return mpfr_lessequal_p(&x->right, &y->left);
}

static void check_event(void)
{
    const int e = whole(0, n_events - 2), chosen = whole(0, MANY - 1), before = (int)(now - modes);
    mpfi_srcptr t = box[n - 1];
    to_interval(w[6], CENTRE, events[next_time].value, 0);
    if (crossed < 0 && e < n_guards) {
        NEED(e >= now->first && e < now->last && is_due(e), "the guard does not fire here");
        zero_at = events[e].level ? -1 : events[e].value;
    } else {
        NEED(e == crossed || (crossed < 0 && e == next_time && not_after(w[6], t) && not_after(t, w[6])),
             "the event is not reached");
    }
    NEED(e == next_time || not_after(t, w[6]), "a time event is earlier");
    printf("event '%s'", jumps[events[e].jump].name), show(" at t =", false);
    check_jump(events[e].jump, chosen), events[e].fired = true;
    printf(", '%s' to '%s'\n", modes[before].name, now->name);
    if (e == next_time) {
        to_interval(w[5], CENTRE, events[++next_time].value, 0);
        NEED(not_after(w[6], w[5]), "the order of time events");
    }
    crossed = -1, next_set(true), show("  then t =", true), printf("\n");
}

static void prepare(void) /* what the first line gives the size of */
{
    bits = whole(54, 1000000), stride = whole(3, 10000) + 1, most = whole(1, MOST - 1);
    fine_unit = fmax(ldexp(1, 1 - bits), TINY);
    for (int i = 0; i < 8; i++) mpfi_init2(w[i], bits);
    mpfr_init2(sum, bits), mpfr_init2(term, bits), mpfr_init2(rough, 53);
    mpfi_init2(step_length, bits), mpfi_init2(root_value, bits),
        u = vector(2), s = vector(7), mpfi_interv_si(s[0], 0, 1), mpfi_set_ui(s[1], 1);
    mpfi_t **vectors[] = {&centre, &radius,  &old_radius, &box,  &image, &slope,
                          &frame,  &inverse, &spread,     &tube, &over};
    for (int i = 0; i < 11; i++) *vectors[i] = vector(i < 6 ? most : most * (most + 1));
    zero = integer(0), one = integer(1), minus_one = integer(-1), length = new_node(NUMBER, 0, 0, 0);
    for (int p = 1, i = length; p <= POWERS; p++)
        i = p == 1 ? new_node(VARIABLE, length, one, 0) : make(MUL, i, length + 1, 0);
    new_node(VARIABLE, length, zero, 0);
}

int main(int argc, char **argv)
{
    long steps = 0, happened = 0;
    file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (argc != 2)
        return fprintf(stderr, "usage: impactcheck-proof FILE, a proof by impactcheck certify --proof\n"), 2;
    if (file == NULL) return perror(argv[1]), 2;
    WANT(next_line(false) && strcmp(word(), "impactcheck-proof") == 0 && whole(2, 2) == 2,
         "this is no proof of version 2");
    prepare();
    do WANT(next_line(true), "the problem ends too early");
    while (read_problem());
    WANT(n > 0 && n_modes > 0 && n_jumps > 0, "the problem is not complete");
    for (int v = 0; v < n; v++) mpfr_set_nan(&box[v]->left), mpfr_set_nan(&centre[v]->left); /* no states yet */
    now = &modes[n_modes], now->first = now->last = 0, next_time = n_guards;
    for (int v = 0; v < n; v++) now->rate[v] = zero;
    begin_phase(), next("begin"), check_jump(n_jumps - 1, whole(0, MANY - 1));
    to_interval(image[n - 1], CENTRE, from, 0), next_set(true);
    while (next_line(false)) {
        const char *what = word();
        if (strcmp(what, "end") == 0) break;
        NEED(!now->ends, "the run is over");
        if (strcmp(what, "step") == 0) steps++, next_set(check_step());
        else if (strcmp(what, "root") == 0) read_root();
        else if (strcmp(what, "time") == 0) base = -1, begin_phase();
        else WANT(strcmp(what, "event") == 0, "'%s' is not known", what), happened++, check_event();
    }
    NEED(!feof(file), "the proof ends too early");
    NEED(now->ends || crossed == n_events - 1, "the end is not reached");
    show("end at t =", true), printf(", in '%s'\n", now->name);
    NEED(!next_line(false), "the proof goes on after its end");
    printf("accepted: %ld steps, %ld events\n", steps, happened);
    return 0;
}
