/* SPDX-License-Identifier: MIT */
/*
 * impactcheck-proof FILE: checks a proof that `impactcheck certify --proof FILE` has written, in interval
 * arithmetic of its own (MPFI). docs/proof-format.md has the format and the theorems. It prints the problem
 * and what is proved. Exit status: 0 accepted, 1 refused, 2 malformed. Every check reads "proved, or refused";
 * what is undefined is NaN, of which no comparison is true.
 */
#include <ctype.h>
#include <mpfi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOW = 64, MOST = 128, MOST_NODES = 100000, NAME = 64, MOST_POWER = 64 };

/* Taylor expansions: from the centre of a set, over the set, over the tube, and of few orders over a place */
enum { CENTRE, NEAR, TUBE, PLACE, EXPANSIONS, PLACE_LENGTH = 4 };

typedef enum kind {
    NUMBER,
    VARIABLE,
    ADD,
    SUB,
    MUL,
    INV,
    WHERE,
    EXP,
    LOG,
    SIN,
    COS
} kind; /* WHERE: b if a > 0, else c */

typedef struct node {
    int kind, a, b, c, slope, mark,
        image;                /* slope: derivative by a; image: what the walk `mark` made of the node */
    bool fixed, heavy, ready; /* fixed: constant in this phase; heavy: has weights */
    mpfi_t value;             /* if fixed */
    mpfi_t *jet[EXPANSIONS], *own[EXPANSIONS], *weight[EXPANSIONS]; /* coefficients; coefficient k times k */
} node;

typedef struct alternative { /* of a jump */
    int mode, condition, departures, guard[MOST], order[MOST], side[MOST], set[MOST];
} alternative;

static struct jump {
    char name[NAME];
    int first, last; /* alternatives */
} jumps[MOST_NODES];

static struct mode {
    char name[NAME];
    int first, last, rate[MOST]; /* guards */
    bool ends;
} modes[MOST], *now;

static struct event { /* a guard; or a time event, whose value is its time */
    int jump, direction, value, enabled, level;
    bool fired; /* and no time has passed since */
} events[MOST_NODES];

static FILE *file;
static char *line, *here, names[MOST_NODES][NAME];
static int bits, most_order, order, range_order, slope_order, line_number,
    n; /* n: coordinates, the states and at last the time */
static node nodes[MOST_NODES];
static int count, kept, walks, zero, one, n_names, named[MOST_NODES];
static alternative alternatives[MOST_NODES];
static int n_modes, n_jumps, n_alternatives, n_events, n_guards, next_time, from, state[MOST];
static mpfi_t *sum, *term; /* work space, by expansion */
static bool hulls;         /* what is either of two values is in their hull, as far as only values matter */

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

static mpfi_t *vector(int length, int precision)
{
    mpfi_t *v = malloc((size_t)(length + 1) * sizeof *v);
    WANT(v != NULL, "memory ran out");
    for (int i = 0; i < length; i++) mpfi_init2(v[i], precision), mpfi_set_ui(v[i], 0);
    return v;
}

static bool is_sign(mpfi_srcptr x, int sign)
{
    return sign > 0 ? mpfi_is_strictly_pos(x) : sign < 0 && mpfi_is_strictly_neg(x);
}

static bool not_after(mpfi_srcptr x, mpfi_srcptr y)
{
    return mpfr_lessequal_p(&x->right, &y->left);
}

/* ---- reading */

static bool next_line(void)
{
    static size_t size;
    const ssize_t length = getline(&line, &size, file);
    if (length <= 0) return false;
    WANT(line[length - 1] == '\n' && strlen(line) == (size_t)length, "the line is not complete");
    line[length - 1] = '\0', here = line, line_number++;
    return true;
}

static bool word(const char *text) /* skips it, if it is next */
{
    const size_t length = strlen(text);
    here += strspn(here, " ");
    if (strncmp(here, text, length) != 0 ||
        (isalnum((unsigned char)text[0]) && isalnum((unsigned char)here[length])))
        return false;
    here += length;
    return true;
}

static void next(const char *text) /* the next line begins with it */
{
    NEED(next_line() && word(text), "'%s' is missing", text);
}

static int whole(int least, int most)
{
    char *end;
    const long x = strtol(here, &end, 10);
    WANT(end != here && x >= least && x <= most, "a whole number from %d to %d is missing", least, most);
    here = end;
    return (int)x;
}

static void name(char *text, const char *form) /* scanned by a form that ends with %n */
{
    int used = 0;
    WANT(sscanf(here, form, text, &used) == 1 && used > 0, "a name is missing");
    here += used;
}

static void exact(mpfi_ptr x) /* such as -0x1afp-40 */
{
    char *end;
    const int rounded = mpfr_strtofr(&x->left, here, &end, 0, MPFR_RNDN);
    WANT(end != here && rounded == 0 && mpfr_number_p(&x->left), "an exact number is missing");
    mpfi_set_fr(x, &x->left);
    here = end;
}

/* ---- formulas */

static void compute(int e, node *x, int k);

static bool is_zero(int i)
{
    return i >= 0 && nodes[i].fixed && mpfi_is_zero(nodes[i].value);
}

static void hold(node *x) /* decides whether a node is constant, and finds its value */
{
    const node *a = &nodes[x->a], *b = x->b < 0 ? a : &nodes[x->b], *c = x->c < 0 ? a : &nodes[x->c];
    if (x->kind > VARIABLE)
        x->fixed = (a->fixed && b->fixed && c->fixed) || (x->kind == MUL && (is_zero(x->a) || is_zero(x->b)));
    if (x->kind == WHERE && a->fixed) x->fixed = mpfi_is_strictly_pos(a->value) ? b->fixed : c->fixed;
    for (int e = 0; e < EXPANSIONS; e++) x->jet[e] = x->fixed ? &x->value : x->own[e];
    if (x->kind == MUL && x->fixed && !(a->fixed && b->fixed)) mpfi_set_ui(x->value, 0);
    else if (x->fixed) compute(CENTRE, x, 0);
}

static int make(int kind, int a, int b, int c)
{
    if ((kind == MUL && (is_zero(a) || is_zero(b))) || (kind == SUB && a == b)) return zero;
    if ((kind == MUL && a == one) || (kind == ADD && is_zero(a))) return b;
    if ((kind == MUL && b == one) || ((kind == ADD || kind == SUB) && is_zero(b))) return a;
    WANT(count < MOST_NODES, "more than %d parts of formulas", MOST_NODES);
    node *x = &nodes[count];
    if (!x->ready) mpfi_init2(x->value, bits);
    x->ready = true, x->kind = kind, x->a = a, x->b = b, x->c = c, x->slope = -1, x->mark = 0, x->heavy = false;
    x->fixed = kind == NUMBER, hold(x);
    if (x->fixed && kept == 0) x->kind = NUMBER; /* for ever */
    return count++;
}

static int number(mpfi_srcptr value)
{
    if (count > 1 && mpfi_is_zero(value)) return zero;
    const int i = make(NUMBER, 0, -1, -1);
    mpfi_set(nodes[i].value, value);
    return i;
}

static int integer(long value)
{
    mpfi_set_si(term[CENTRE], value);
    return number(term[CENTRE]);
}

static int raise_to(int a, int b) /* whole powers are products, others exp(b log a) */
{
    mpfr_srcptr power = &nodes[b].value->left;
    WANT(nodes[b].fixed, "an exponent is not constant");
    if (!mpfr_equal_p(power, &nodes[b].value->right) || !mpfr_integer_p(power))
        return make(EXP, make(MUL, b, make(LOG, a, -1, -1), -1), -1, -1);
    const long p = mpfr_get_si(power, MPFR_RNDN);
    int result = one;
    WANT(labs(p) <= MOST_POWER, "an exponent is above %d", MOST_POWER);
    for (long i = 0; i < labs(p); i++) result = make(MUL, result, a, -1);
    return p < 0 ? make(INV, result, -1, -1) : result;
}

static int look_up(const char *text)
{
    int i = n_names - 1;
    while (i >= 0 && strcmp(names[i], text) != 0) i--;
    WANT(i >= 0, "the name '%s' is not known", text);
    return named[i];
}

static int formula(void) /* DECIMAL, NAME, (-A), (A + B), and so with - * / ^, or FUNCTION(A, ...) */
{
    static const char *const words[] = {"where", "exp", "log", "sin", "cos"};
    char text[NAME];
    int used, a, b = -1, c = -1, w = 0;
    if (word("(-")) {
        a = make(MUL, integer(-1), formula(), -1);
    } else if (word("(")) {
        a = formula(), here += strspn(here, " ");
        const char sign = *here;
        WANT(sign != '\0' && strchr("+-*/^", sign) != NULL, "'%c' is no operation", sign);
        here++, b = formula(), b = sign == '/' ? make(INV, b, -1, -1) : b;
        a = sign == '^' ? raise_to(a, b) : make(sign == '+' ? ADD : sign == '-' ? SUB : MUL, a, b, -1);
    } else if (isdigit((unsigned char)*here)) {
        char *end;
        strtod(here, &end), used = (int)(end - here);
        WANT(used < NAME && here[1] != 'x', "a number is too long"), memcpy(text, here, (size_t)used),
            text[used] = '\0', here = end;
        WANT(mpfi_set_str(sum[CENTRE], text, 10) == 0, "'%s' is no number", text);
        return number(sum[CENTRE]);
    } else {
        name(text, "%63[A-Za-z0-9_]%n");
        if (*here != '(')
            return strcmp(text, "pi") == 0 ? (mpfi_const_pi(sum[CENTRE]), number(sum[CENTRE])) : look_up(text);
        while (w < 5 && strcmp(words[w], text) != 0) w++;
        WANT(w < 5 && word("("), "the function '%s' is not known", text);
        a = formula();
        if (w == 0) WANT(word(","), "a comma"), b = formula(), WANT(word(","), "a comma"), c = formula();
        a = make((int)WHERE + w, a, b, c);
    }
    WANT(word(")"), "')' is missing at '%.20s'", here);
    return a;
}

/* ---- the problem */

static int defined(void) /* STATE = FORMULA, which remains to be read */
{
    char text[NAME];
    int v = 0;
    name(text, " %63[A-Za-z0-9_] = %n");
    while (v < n && state[v] != look_up(text)) v++;
    WANT(v < n - 1, "'%s' is no state", text);
    return v;
}

static void read_alternative(void)
{
    alternative *a = &alternatives[n_alternatives++];
    a->mode = whole(-1, MOST - 2), a->condition = one, jumps[n_jumps - 1].last = n_alternatives;
    for (; word("departs"); a->departures++) {
        WANT(a->departures < MOST, "too many departures");
        a->guard[a->departures] = whole(0, MOST_NODES), a->order[a->departures] = whole(1, PLACE_LENGTH - 1);
        a->side[a->departures] = whole(-1, 1);
    }
    if (word("if")) a->condition = formula();
    for (int v = 0; v < n; v++) a->set[v] = state[v];
}

static void new_name(const char *form)
{
    name(names[n_names], form);
    for (int i = 0; i < n_names; i++)
        WANT(strcmp(names[i], names[n_names]) != 0, "'%s' has a meaning already", names[i]);
}

static bool read_problem(void) /* one line; whether there are more */
{
    struct event *e = &events[n_events];
    WANT(n_events + 2 < MOST_NODES && n_names + 2 < MOST_NODES && n_jumps + 2 < MOST_NODES &&
             n_alternatives + 2 < MOST_NODES && n + 2 < MOST && n_modes + 2 < MOST,
         "the problem is too large");
    if (word("case")) return true;
    if (word("parameter") || word("let")) {
        new_name(" %63[A-Za-z0-9_] = %n"), named[n_names] = formula(), n_names++;
    } else if (word("number")) { /* NAME from LOW to HIGH: what is proved holds for all in between */
        new_name(" %63[A-Za-z0-9_] from%n"), named[n_names++] = integer(2);
        exact(sum[CENTRE]), WANT(word("to"), "the other end is missing"), exact(term[CENTRE]);
        mpfi_put(sum[CENTRE], term[CENTRE]), mpfi_set(nodes[count - 1].value, sum[CENTRE]);
    } else if (word("state")) {
        new_name(" %63[A-Za-z0-9_]%n"), named[n_names++] = state[n++] = make(VARIABLE, 0, -1, -1);
    } else if (word("mode")) {
        now = &modes[n_modes++], now->first = now->last = n_events;
        name(now->name, " \"%63[^\"]\"%n"), now->ends = word("ends");
    } else if (word("rate")) {
        const int v = defined();
        now->rate[v] = formula();
    } else if (word("guard")) { /* falls or rises or crosses, its jump, its value, and when it is enabled */
        e->direction = word("falls") ? -1 : word("rises") ? 1 : !word("crosses") * 2, e->level = word("level");
        e->jump = whole(0, MOST_NODES), e->value = formula(), e->enabled = word("if") ? formula() : one;
        WANT(e->direction < 2 && now != NULL && n_guards == n_events, "a guard"),
            now->last = n_guards = ++n_events;
    } else if (word("jump")) {
        name(jumps[n_jumps].name, " \"%63[^\"]\"%n"), jumps[n_jumps].first = n_alternatives, n_jumps++;
    } else if (word("to")) {
        WANT(n_jumps > 0, "a jump is missing"), read_alternative();
    } else if (word("set")) {
        const int v = defined();
        WANT(n_alternatives > 0, "a jump is missing"), alternatives[n_alternatives - 1].set[v] = formula();
    } else if (word("at")) { /* time events, in their order, and at last the end, without a jump */
        e->jump = whole(-1, MOST_NODES), e->value = formula(), e->enabled = one, e->direction = 1, n_events++;
        return e->jump >= 0;
    } else {
        WANT(word("from"), "'%.20s' is not known", here), from = formula();
    }
    return true;
}

/* ---- Taylor coefficients */

static mpfi_srcptr coefficient(int e, int i, int k)
{
    return k > 0 && nodes[i].fixed ? nodes[zero].value : nodes[i].jet[e][k];
}

static void multiply(int e, mpfi_ptr y, mpfi_srcptr a, mpfi_srcptr b) /* which ends, is a matter of signs */
{
    mpfr_srcptr al = &a->left, ar = &a->right, bl = &b->left, br = &b->right;
    const bool a_up = mpfr_sgn(al) >= 0, a_down = mpfr_sgn(ar) <= 0, b_up = mpfr_sgn(bl) >= 0,
               b_down = mpfr_sgn(br) <= 0;
    if (mpfr_nan_p(al) || mpfr_nan_p(ar) || mpfr_nan_p(bl) || mpfr_nan_p(br)) {
        mpfr_set_nan(&y->left), mpfr_set_nan(&y->right);
    } else if (!a_up && !a_down && !b_up && !b_down) {
        mpfr_mul(&y->left, al, br, MPFR_RNDD), mpfr_mul(&sum[e]->left, ar, bl, MPFR_RNDD);
        mpfr_mul(&y->right, al, bl, MPFR_RNDU), mpfr_mul(&sum[e]->right, ar, br, MPFR_RNDU);
        mpfr_min(&y->left, &y->left, &sum[e]->left, MPFR_RNDD),
            mpfr_max(&y->right, &y->right, &sum[e]->right, MPFR_RNDU);
    } else {
        mpfr_mul(&y->left, (a_up || !a_down ? b_up : !b_down) ? al : ar, a_up || (!a_down && !b_up) ? bl : br,
                 MPFR_RNDD);
        mpfr_mul(&y->right, (a_up ? !b_down : b_up) ? ar : al, a_up || (!a_down && b_up) ? br : bl, MPFR_RNDU);
    }
}

static void add_product(int e, mpfi_ptr y, mpfi_srcptr a, mpfi_srcptr b)
{
    multiply(e, term[e], a, b);
    mpfr_add(&y->left, &y->left, &term[e]->left, MPFR_RNDD),
        mpfr_add(&y->right, &y->right, &term[e]->right, MPFR_RNDU);
}

static void dot(int e, mpfi_ptr y, mpfi_t *a, mpfi_t *b, int first,
                int k) /* sum of a_j b_(k-j), first <= j <= k */
{
    multiply(e, y, a[first], b[k - first]);
    for (int j = first + 1; j <= k; j++) add_product(e, y, a[j], b[k - j]);
}

static void square(int e, mpfi_ptr y, mpfi_t *a, int k) /* the same for a = b, from 0 to k */
{
    if (k == 0) {
        mpfi_sqr(y, a[0]);
        return;
    }
    multiply(e, y, a[0], a[k]);
    for (int j = 1; 2 * j < k; j++) add_product(e, y, a[j], a[k - j]);
    mpfi_mul_2ui(y, y, 1);
    if (k % 2 == 0) add_product(e, y, a[k / 2], a[k / 2]);
}

static void compute(int e, node *x, int k)
{
    static int (*const functions[])(mpfi_ptr, mpfi_srcptr) = {mpfi_exp, mpfi_log, mpfi_sin, mpfi_cos};
    const node *A = &nodes[x->a], *B = &nodes[x->b < 0 ? x->a : x->b];
    mpfi_ptr y = x->jet[e][k];
    mpfi_srcptr a = coefficient(e, x->a, k), first = A->jet[e][0];
    const bool up = mpfi_is_strictly_pos(first), below = mpfi_is_nonpos(first);
    const bool exists = x->kind == INV     ? !mpfi_has_zero(first)
                        : x->kind == LOG   ? up
                        : x->kind == WHERE ? up || below
                                           : true;
    if (x->kind <= VARIABLE) return;
    if (!exists && x->kind == WHERE && k == 0 && hulls)
        mpfi_union(y, coefficient(e, x->b, 0), coefficient(e, x->c, 0));
    else if (!exists) mpfr_set_nan(&y->left), mpfr_set_nan(&y->right);
    else if (x->kind == ADD) mpfi_add(y, a, coefficient(e, x->b, k));
    else if (x->kind == SUB) mpfi_sub(y, a, coefficient(e, x->b, k));
    else if (x->kind == MUL && A->fixed) multiply(e, y, first, coefficient(e, x->b, k));
    else if (x->kind == MUL && B->fixed) multiply(e, y, B->jet[e][0], a);
    else if (x->kind == MUL && A == B) square(e, y, A->jet[e], k);
    else if (x->kind == MUL) dot(e, y, A->jet[e], B->jet[e], 0, k);
    else if (x->kind == WHERE) mpfi_set(y, coefficient(e, up ? x->b : x->c, k));
    else if (k == 0) (x->kind == INV ? mpfi_inv : functions[x->kind - EXP])(y, a);
    else if (x->kind == INV)
        dot(e, y, A->jet[e], x->jet[e], 1, k), mpfi_mul(y, y, x->jet[e][0]), mpfi_neg(y, y);
    else dot(e, y, A->weight[e], nodes[x->slope].jet[e], 1, k), mpfi_div_ui(y, y, (unsigned long)k);
}

/* ---- the equations of a phase: of the coordinates, and of their derivatives along the columns of the set's frame */

static int rate[MOST * MOST], program[MOST_NODES], flow, derived,
    all; /* nodes of rates of coordinates, of derivatives, of guards */
static mpfi_t *centre, *frame, *radius, *old_radius, *box, *tube, *over, *image, *spread, *work;
static int m,
    axis[MOST]; /* the set {centre + A r: |r| <= radius}: A has rows for the coordinates `axis`, and m columns */

static node *variable(int v) /* a coordinate; or, from n on, its derivative along a column */
{
    return &nodes[v < n ? state[v] : kept + v - n];
}

static int slope(int i) /* the derivative of a function of a by a */
{
    node *x = &nodes[i];
    if (x->slope >= 0) return x->slope;
    if (x->kind == EXP) return x->slope = i;
    if (x->kind == INV) return x->slope = make(MUL, integer(-1), make(MUL, i, i, -1), -1);
    if (x->kind == LOG) return x->slope = make(INV, x->a, -1, -1);
    const int other = make(x->kind == SIN ? COS : SIN, x->a, -1, -1),
              minus = make(MUL, integer(-1), x->kind == SIN ? i : other, -1);
    nodes[other].slope = x->kind == SIN ? minus : i;
    return x->slope = x->kind == SIN ? other : minus;
}

static int derivative(int i) /* along the direction that the present walk has given to the variables */
{
    node *x = &nodes[i];
    if (x->fixed || (x->kind == VARIABLE && x->mark != walks)) return zero;
    if (x->mark == walks) return x->image;
    const int a = x->kind == WHERE ? x->a : derivative(x->a), b = x->b < 0 ? x->b : derivative(x->b);
    const int made = x->kind == ADD || x->kind == SUB ? make(x->kind, a, b, -1)
                     : x->kind == MUL
                         ? (x->a == x->b ? make(MUL, integer(2), make(MUL, x->a, a, -1), -1)
                                         : make(ADD, make(MUL, x->a, b, -1), make(MUL, a, x->b, -1), -1))
                     : x->kind == WHERE ? make(WHERE, a, b, derivative(x->c))
                                        : make(MUL, slope(i), a, -1);
    x->mark = walks;
    return x->image = made;
}

static void reach(int i) /* puts a node into the program, after its operands */
{
    node *x = &nodes[i];
    if (x->fixed || x->mark == walks) return;
    x->mark = walks;
    const bool choice = x->kind == WHERE && nodes[x->a].fixed,
               up = choice && mpfi_is_strictly_pos(nodes[x->a].value);
    if (x->kind > VARIABLE) reach(x->a);
    if (x->b >= 0 && (!choice || up)) reach(x->b);
    if (x->c >= 0 && (!choice || !up)) reach(x->c);
    for (int e = 0; e < EXPANSIONS; x->jet[e] = x->own[e], e++) {
        const int length = e == PLACE ? PLACE_LENGTH : most_order + 1, precision = e == CENTRE ? bits : LOW;
        if (x->own[e] == NULL) x->own[e] = vector(length, precision), x->weight[e] = vector(length, precision);
    }
    if (x->kind >= EXP) nodes[x->a].heavy = true;
    program[all++] = i;
    if (x->kind >= EXP) reach(slope(i));
}

static void direction(int j) /* begins a walk along column j of the frame */
{
    walks++;
    for (int v = 0; v < n; v++) variable(v)->mark = walks, variable(v)->image = kept + j * n + v;
}

static bool is_axis(int v)
{
    int k = 0;
    while (k < m && axis[k] != v) k++;
    return k < m;
}

static void begin_phase(void)
{
    for (int v = 0; v < n; v++) { /* exact states that do not move are constants */
        variable(v)->fixed = v < n - 1 && !is_axis(v) && now->rate[v] == zero;
        mpfi_set(variable(v)->value, centre[v]), rate[v] = v < n - 1 ? now->rate[v] : one;
    }
    for (int i = 0; i < kept; i++) hold(&nodes[i]), nodes[i].slope = -1, nodes[i].heavy = false;
    count = kept, all = 0;
    for (int v = 0; v < n * m; v++) make(VARIABLE, 0, -1, -1);
    for (int v = n; v < n + n * m; v++) {
        if (v % n == 0) direction(v / n - 1);
        rate[v] = derivative(rate[v % n]);
    }
    walks++;
    for (int v = 0; v < n; v++) reach(state[v]), reach(rate[v]);
    flow = all;
    for (int v = n; v < n + n * m; v++) reach(kept + v - n), reach(rate[v]);
    derived = all;
    for (int g = now->first; g < now->last; g++) reach(events[g].value), reach(events[g].enabled);
}

static void run(int e, int first, int last, int k) /* coefficient k of a part of the program */
{
    for (int p = first; p < last; p++) {
        node *x = &nodes[program[p]];
        compute(e, x, k);
        if (x->heavy) mpfi_mul_ui(x->weight[e][k], x->jet[e][k], (unsigned long)k);
    }
}

static void begin(int e, mpfi_t *y, int first, int last) /* sets variables first, ..., last - 1 */
{
    for (int v = first; v < last; v++) {
        if (!variable(v)->fixed) mpfi_set(variable(v)->jet[e][0], y[v - first]);
    }
}

static void expand(int e, int from_order, int to_order,
                   int slopes) /* coefficients of derivatives to order `slopes` - 1 */
{
    for (int k = from_order; k < to_order; k++) {
        run(e, 0, k < slopes ? derived : flow, k);
        for (int v = 0;
             v < (k + 1 < slopes ? n + n * m : n) && k + 1 < (e == PLACE ? PLACE_LENGTH : most_order + 1);
             v++) {
            if (!variable(v)->fixed)
                mpfi_div_ui(variable(v)->jet[e][k + 1], coefficient(e, rate[v], k), (unsigned long)k + 1);
        }
    }
}

static void horner(int e, mpfi_ptr y, mpfi_t *c, int length, mpfi_srcptr t)
{
    mpfi_set(y, c[length - 1]);
    for (int k = length - 2; k >= 0; k--) multiply(e, term[e], y, t), mpfi_add(y, term[e], c[k]);
}

static mpfi_t *powers; /* of the length of the step */

/* The expansion of a variable from the set, of low order, over a part of the step */
static void expansion(mpfi_ptr y, int v, mpfi_srcptr a, mpfi_srcptr b)
{
    const int length = v < n ? range_order : slope_order;
    mpfi_t *c = variable(v)->jet[NEAR], *w = work;
    mpfi_interv_fr(w[0], &a->left, &b->right), mpfi_mul(w[1], w[0], powers[1]);
    horner(NEAR, y, c, length, w[1]);
    if (mpfr_equal_p(&a->left, &b->right)) return;
    mpfi_mid(&w[0]->left, w[1]), mpfi_set_fr(w[3], &w[0]->left),
        mpfi_set_ui(w[5], 0); /* or by the slope, from the middle */
    for (int k = length - 1; k > 0; k--)
        mpfi_mul_ui(w[6], c[k], (unsigned long)k), multiply(NEAR, w[2], w[5], w[1]), mpfi_add(w[5], w[2], w[6]);
    mpfi_sub(w[4], w[1], w[3]), mpfi_mul(w[4], w[4], w[5]), horner(NEAR, w[6], c, length, w[3]),
        mpfi_add(w[4], w[4], w[6]);
    mpfi_intersect(y, y, w[4]);
}

static void add_remainder(mpfi_ptr y, int v) /* over the tube */
{
    const int length = v < n ? range_order : slope_order;
    mpfi_mul(work[0], variable(v)->jet[TUBE][length], powers[length]), mpfi_put_si(work[0], 0),
        mpfi_add(y, y, work[0]);
}

static void range(mpfi_ptr y, int v, mpfi_srcptr a,
                  mpfi_srcptr b) /* of a variable over a part of the step, for the whole set */
{
    if (variable(v)->fixed) mpfi_set(y, variable(v)->value);
    else expansion(y, v, a, b), add_remainder(y, v);
}

/* ---- sets */

static mpfi_t *inverse; /* of the frame, nearly: rows of m numbers */

static bool read_set(void) /* whether it has other axes than the set before */
{
    bool changed = false;
    next("set");
    const int columns = m;
    m = whole(0, n), changed = m != columns;
    for (int v = 0; v < n; v++) exact(centre[v]), mpfi_set(box[v], centre[v]);
    for (int k = 0; k < n * n; k++) mpfi_set_ui(frame[k], 0);
    for (int k = 0; k < m; k++) {
        next("axis");
        const int v = whole(k == 0 ? 0 : axis[k - 1] + 1, n - 1);
        changed = changed || axis[k] != v, axis[k] = v;
        for (int j = 0; j < m; j++) exact(frame[j * n + v]);
        for (int j = 0; j < m; j++) exact(inverse[k * m + j]);
    }
    if (m > 0) next("radius");
    for (int j = 0; j < m; j++) exact(radius[j]), NEED(mpfi_is_nonneg(radius[j]), "a radius is negative");
    for (int k = 0; k < m * n; k++) { /* the box of the set */
        mpfi_mul(term[CENTRE], frame[k], radius[k / n]), mpfi_abs(term[CENTRE], term[CENTRE]);
        mpfr_neg(&term[CENTRE]->left, &term[CENTRE]->right, MPFR_RNDD);
        mpfi_add(box[k % n], box[k % n], term[CENTRE]);
    }
    return changed;
}

static void add_row(mpfi_ptr y, int k, mpfi_t *x, mpfi_srcptr factor,
                    int minus) /* |row k of B times x, - minus| factor */
{
    mpfi_set_si(work[4], -minus);
    for (int i = 0; i < m; i++) add_product(CENTRE, work[4], inverse[k * m + i], x[axis[i]]);
    mpfi_abs(work[1], work[4]), mpfi_mul(work[1], work[1], factor), mpfi_add(y, y, work[1]);
}

/* Reads the next set, which must contain the image of this one: `image` of its centre, `spread` of its columns */
static void next_set(bool jumped)
{
    const int columns = m;
    for (int j = 0; j < m; j++) mpfi_set(old_radius[j], radius[j]);
    const bool changed = read_set();
    for (int v = 0; v < n; v++) {
        mpfi_sub(image[v], image[v], centre[v]);
        bool same = mpfi_is_zero(image[v]);
        for (int j = 0; j < columns; j++) same = same && mpfi_is_zero(spread[j * n + v]);
        NEED(same || is_axis(v), "coordinate %d is not exact", v);
    }
    for (int k = 0; k < m; k++) { /* |B (image - centre)| + |B spread| old radii + |1 - B A| radii <= radii */
        mpfi_set_ui(work[2], 0), mpfi_set_ui(work[3], 0);
        add_row(work[2], k, image, nodes[one].value, 0);
        for (int j = 0; j < columns; j++) add_row(work[2], k, &spread[(size_t)(j * n)], old_radius[j], 0);
        for (int j = 0; j < m; j++) add_row(work[3], k, &frame[(size_t)(j * n)], radius[j], j == k);
        mpfi_add(work[2], work[2], work[3]);
        NEED(not_after(work[2], radius[k]), "radius %d of the set is too small", k + 1);
        NEED(mpfi_is_zero(work[3]) || mpfr_less_p(&work[3]->right, &radius[k]->left),
             "the frame has no inverse");
    }
    if (changed || jumped) begin_phase();
}

/* ---- steps */

static alternative *departed; /* the jump after which no time has passed */
static int crossed = -1;      /* the event that the step has reached */
static int unchanged = -1,
           faded = -1; /* a guard of which the value, or the condition, is 0 where the step begins */
static mpfi_t *place_box;

/* Whether a claim about a guard holds at a place, and implies that the guard does not fire there */
static bool claim_holds(char claim, int g, bool first)
{
    const struct event *e = &events[g];
    const char *claims = "-+duDUvV", *found = strchr(claims, claim);
    if (claim == '*')
        return g == crossed && !mpfi_has_zero(coefficient(PLACE, e->value, 1)) &&
               (e->direction == 0 || is_sign(coefficient(PLACE, e->value, 1), e->direction));
    if (claim == 'n') return mpfi_is_nonpos(coefficient(PLACE, e->enabled, 0));
    if (claim == 'm') return first && g == faded && mpfi_is_strictly_neg(coefficient(PLACE, e->enabled, 1));
    WANT(claim != '\0' && found != NULL, "the claim '%c' is not known", claim);
    const int k = (int)(found - claims) / 2, side = (found - claims) % 2 == 1 ? 1 : -1;
    if (!is_sign(coefficient(PLACE, e->value, k), side)) return false;
    if (k == 0) return departed == NULL || !first || !e->level || e->direction != side;
    for (int d = 0; first && departed != NULL && d < departed->departures; d++) {
        if (departed->guard[d] == g - now->first && departed->order[d] == k && departed->side[d] == side)
            return true;
    }
    return k == 1 && (e->direction == -side || (first && g == unchanged));
}

static void place(mpfi_srcptr a, mpfi_srcptr b, int orders,
                  int last) /* expands rates and guards, for `last` variables */
{
    for (int v = 0; v < last; v++) {
        range(place_box[0], v, a, b);
        if (!variable(v)->fixed) mpfi_intersect(variable(v)->jet[PLACE][0], place_box[0], tube[v]);
    }
    hulls = true;
    for (int k = 0; k < orders; k++) expand(PLACE, k, k + 1, 0), run(PLACE, derived, all, k);
    hulls = false;
}

static void check_tube(void)
{
    mpfi_srcptr begins = nodes[zero].value, ends = nodes[one].value;
    bool holds = false;
    begin(NEAR, box, 0, n), begin(NEAR, frame, n, n + n * m);
    expand(NEAR, 0, range_order, slope_order);
    for (int v = 0; v < n + n * m; v++) {
        if (variable(v)->fixed) mpfi_set(over[v], variable(v)->value);
        else expansion(over[v], v, begins, ends);
        if (v >= n) mpfi_set(tube[v], over[v]);
    }
    for (int attempt = 0; attempt < 5 && !holds; attempt++) { /* tubes of derivatives: their ranges, widened */
        for (int v = n; v < n + n * m; v++) {
            mpfi_mag(&work[7]->left, tube[v]),
                mpfr_div_ui(&work[7]->left, &work[7]->left, 256 >> (2 * attempt), MPFR_RNDU);
            if (attempt > 0 || !mpfi_is_zero(tube[v]))
                mpfr_nextabove(&work[7]->left), mpfi_increase(tube[v], &work[7]->left);
        }
        begin(TUBE, tube, 0, n + n * m);
        expand(TUBE, 0, range_order + 1, slope_order + 1);
        holds = true;
        for (int v = 0; v < n + n * m; v++) {
            mpfi_set(place_box[0], over[v]);
            if (!variable(v)->fixed) add_remainder(place_box[0], v);
            const bool rests =
                mpfi_is_zero(coefficient(TUBE, rate[v], 0)) && mpfi_is_inside(place_box[0], tube[v]);
            const bool inside = rests || mpfi_is_strictly_inside(place_box[0], tube[v]);
            NEED(inside || (v >= n && attempt < 4), "the tube of variable %d is too small", v);
            if (!inside) mpfi_union(tube[v], tube[v], place_box[0]);
            holds = holds && inside;
        }
    }
    expand(TUBE, range_order + 1, order + 1, 0);
    begin(CENTRE, centre, 0, n);
    expand(CENTRE, 0, order, 0);
}

static void centre_at(mpfi_t *y, mpfi_srcptr t) /* from the centre, at a part t of the step */
{
    mpfi_mul(work[0], t, powers[1]);
    for (int v = 0; v < n; v++) {
        const node *x = variable(v);
        mpfi_set(y[v], centre[v]);
        if (x->fixed) continue;
        horner(CENTRE, y[v], x->jet[CENTRE], order, work[0]);
        mpfi_mul(work[1], x->jet[TUBE][order], powers[order]), mpfi_put_si(work[1], 0),
            mpfi_add(y[v], y[v], work[1]);
    }
}

/* The crossing between `low` and `high` from the centre, between `start` and the end of the step from the whole set */
static void check_crossing(mpfi_srcptr start, mpfi_srcptr low, mpfi_srcptr high)
{
    const struct event *e = &events[crossed < n_events ? crossed : crossed - n_events];
    const bool timed = crossed >= n_guards && crossed < n_events;
    const int g = timed                ? make(SUB, state[n - 1], e->value, -1)
                  : crossed < n_guards ? e->value
                                       : e->enabled,
              end = all;
    int gradient[MOST] = {0}, sign = e->direction;
    for (int j = 0; j < m; j++) direction(j), gradient[j] = derivative(g);
    walks++, reach(g);
    for (int j = 0; j < m; j++) reach(gradient[j]);
    place(start, nodes[one].value, 2, n + n * m), run(PLACE, end, all, 0), run(PLACE, end, all, 1);
    mpfi_set(work[7], coefficient(PLACE, g, 1));
    if (sign == 0 || crossed >= n_events) sign = mpfi_is_strictly_pos(work[7]) ? 1 : -1;
    NEED(is_sign(work[7], sign), "the rate of what is crossed");
    NEED(crossed >= n_events || mpfi_is_strictly_pos(coefficient(PLACE, e->enabled, 0)),
         "the guard is not enabled");
    for (int i = 0; i < 4; i++) { /* signs before and after: from the whole set, from the centre */
        mpfi_srcptr t = i == 0 ? start : i == 1 ? nodes[one].value : i == 2 ? low : high;
        if (i < 2) place(t, t, 1, n), run(PLACE, end, all, 0);
        else centre_at(image, t), begin(CENTRE, image, 0, n), run(CENTRE, end, all, 0);
        mpfi_set(work[6], coefficient(i < 2 ? PLACE : CENTRE, g, 0)), begin(CENTRE, centre, 0, n);
        NEED(is_sign(work[6], i % 2 == 1 ? sign : -sign), "the value %s the crossing",
             i % 2 == 1 ? "after" : "before");
    }
    place(start, nodes[one].value, 1, n + n * m), run(PLACE, end, all, 0);
    for (int j = 0; j < m; j++) {
        mpfi_div(work[5], coefficient(PLACE, gradient[j], 0), work[7]);
        for (int v = 0; v < n; v++) {
            mpfi_mul(work[6], work[5], coefficient(PLACE, rate[v], 0));
            mpfi_sub(spread[j * n + v], coefficient(PLACE, kept + j * n + v, 0), work[6]);
        }
    }
    NEED(not_after(start, low) && not_after(high, nodes[one].value), "the crossing is outside its place");
    centre_at(image, low); /* and on, by the rates */
    mpfi_sub(work[4], high, low), mpfi_put_si(work[4], 0), mpfi_mul(work[4], work[4], powers[1]);
    for (int v = 0; v < n; v++)
        mpfi_mul(work[5], work[4], coefficient(PLACE, rate[v], 0)), mpfi_add(image[v], image[v], work[5]);
    if (timed) mpfi_set(image[n - 1], nodes[e->value].value);
    all = end;
}

static void check_step(void)
{
    static mpfi_t *
        part; /* the ends of a part; what is crossed: from the whole set after [2], from the centre between [3] and [4] */
    bool near = false;
    if (part == NULL)
        part = vector(5, bits), powers = vector(most_order + 1, bits), place_box = vector(1, bits);
    exact(powers[1]), order = whole(2, most_order), range_order = whole(1, order - 1),
                      slope_order = whole(1, range_order);
    const int parts = whole(1, 100000);
    crossed = word("hits") ? whole(0, n_events + n_guards - 1) : -1;
    for (int i = 2; i < 5 && crossed >= 0; i++) exact(part[i]);
    NEED(mpfi_is_strictly_pos(powers[1]), "the step has no length");
    NEED(crossed < n_guards ? crossed < 0 || (crossed >= now->first && crossed < now->last)
                            : crossed == next_time || crossed >= n_events,
         "what the step hits");
    for (int k = 2; k <= order; k++) mpfi_mul(powers[k], powers[k - 1], powers[1]);
    next("tube");
    for (int v = 0; v < n; v++) mpfi_set(tube[v], box[v]);
    for (int v; *here != '\0';)
        v = whole(0, n - 1), exact(work[0]), exact(work[1]),
        mpfi_interv_fr(tube[v], &work[0]->left, &work[1]->left);
    check_tube(), mpfi_set_ui(part[1], 0);
    for (int i = 0; i < parts; i++) {
        mpfi_set(part[0], part[1]);
        next("part");
        exact(part[1]), place(part[0], part[1], i == 0 && departed != NULL ? PLACE_LENGTH : 2, n), word("");
        NEED(mpfr_less_p(&part[0]->left, &part[1]->left), "the parts of the step are not in order");
        for (int g = now->first; g < now->last; g++, here++) {
            NEED(claim_holds(*here, g, i == 0) && (g != crossed || !near || *here == '*'),
                 "guard '%s' may fire", jumps[events[g].jump].name);
            near = near || *here == '*';
        }
    }
    NEED(mpfr_equal_p(&part[1]->left, &nodes[one].value->left), "the parts of the step do not fill it");
    if (crossed >= 0) check_crossing(part[2], part[3], part[4]);
    else centre_at(image, nodes[one].value);
    for (int v = n; v < n + n * m && crossed < 0; v++)
        range(spread[v - n], v, nodes[one].value, nodes[one].value);
    for (int g = 0; g < n_guards; g++) events[g].fired = false;
    departed = NULL, unchanged = -1, faded = crossed >= n_events ? crossed - n_events : -1,
    crossed = faded >= 0 ? -1 : crossed;
}

/* ---- events */

static bool depends(int i, const alternative *a) /* whether a formula contains a state that a jump changes */
{
    node *x = &nodes[i];
    int v = n - 1;
    if (x->mark == walks || x->kind == NUMBER) return false;
    x->mark = walks;
    while (x->kind == VARIABLE && v >= 0 && state[v] != i) v--;
    if (x->kind == VARIABLE) return v < 0 || a->set[v] != i;
    return depends(x->a, a) || (x->b >= 0 && depends(x->b, a)) || (x->c >= 0 && depends(x->c, a));
}

static void check_jump(const struct jump *jump,
                       int chosen) /* by one of its alternatives: maps the centre and the columns */
{
    const int end = all;
    int gradient[MOST] = {0};
    NEED(jump->first + chosen < jump->last && alternatives[jump->first + chosen].mode < n_modes,
         "the jump has no such alternative");
    begin(PLACE, box, 0, n), begin(PLACE, frame, n, n + n * m), begin(CENTRE, centre, 0, n);
    departed = &alternatives[jump->first + chosen], walks++;
    for (const alternative *a = &alternatives[jump->first]; a <= departed; a++) reach(a->condition);
    for (int v = 0; v < n; v++) reach(departed->set[v]);
    run(CENTRE, end, all, 0), run(PLACE, end, all, 0);
    for (const alternative *a = &alternatives[jump->first]; a <= departed; a++) {
        mpfi_srcptr c = coefficient(PLACE, a->condition, 0);
        NEED(a < departed ? mpfi_is_nonpos(c) : mpfi_is_strictly_pos(c), "a condition of the jump");
    }
    for (int v = 0; v < n; v++) mpfi_set(image[v], coefficient(CENTRE, departed->set[v], 0));
    for (int j = 0; j < m; j++) {
        direction(j);
        for (int v = 0; v < n; v++) gradient[v] = derivative(departed->set[v]);
        walks++;
        for (int v = 0; v < n; v++) reach(gradient[v]);
        run(PLACE, end, all, 0);
        for (int v = 0; v < n; v++) mpfi_set(spread[j * n + v], coefficient(PLACE, gradient[v], 0));
    }
    if (departed->mode >= 0) now = &modes[departed->mode];
}

static bool
is_due(int g) /* whether a guard fires before any time passes; those before it in the table do not */
{
    bool due = false, apart = true;
    begin(PLACE, box, 0, n);
    for (int k = 0; k < 2; k++) expand(PLACE, k, k + 1, 0), run(PLACE, derived, all, k);
    for (int i = now->first; i <= g && apart; i++) {
        const struct event *e = &events[i];
        mpfi_srcptr x = coefficient(PLACE, e->value, 0), c = coefficient(PLACE, e->value, 1),
                    enabled = coefficient(PLACE, e->enabled, 0);
        const bool level = e->level && is_sign(x, e->direction);
        due = mpfi_is_strictly_pos(enabled) &&
              (level || (!e->fired && mpfi_is_zero(x) && is_sign(c, e->direction)));
        apart = i == g || mpfi_is_nonpos(enabled) || is_sign(c, -e->direction) ||
                (!level && (is_sign(x, 1) || is_sign(x, -1)));
    }
    return due && apart;
}

static void show(const char *what,
                 bool states) /* the printed numbers, MIDDLE RADIUS, which contain the set's box */
{
    char middle[2000], size[200];
    next("printed");
    printf("%s", what);
    for (int v = -1, used = 0; v < n - 1; v++, here += used) {
        mpfi_srcptr x = box[v < 0 ? n - 1 : v];
        WANT(sscanf(here, " %1999s %199s%n", middle, size, &used) == 2, "a printed number is missing");
        WANT(mpfi_set_str(work[0], middle, 10) == 0 && mpfi_set_str(work[1], size, 10) == 0,
             "a printed number");
        mpfi_sub(work[2], work[0], work[1]), mpfi_add(work[3], work[0], work[1]);
        NEED(mpfr_lessequal_p(&work[2]->right, &x->left) && mpfr_lessequal_p(&x->right, &work[3]->left),
             "%s is printed, with %s", middle, size);
        if (v < 0 || states) printf(" %s +- %s", middle, size);
    }
}

static void check_event(void)
{
    const int e = whole(0, n_events - 2), chosen = whole(0, MOST_NODES), before = (int)(now - modes);
    const struct event *later = &events[next_time];
    NEED(e == crossed || (crossed < 0 &&
                          (e < n_guards ? e >= now->first && e < now->last && is_due(e)
                                        : e == next_time && not_after(nodes[later->value].value, box[n - 1]))),
         "the event is not reached");
    NEED(e == next_time || not_after(box[n - 1], nodes[later->value].value), "'%s' is earlier",
         later->jump < 0 ? "the end" : jumps[later->jump].name);
    printf("event '%s'", jumps[events[e].jump].name), show(" at t =", false);
    check_jump(&jumps[events[e].jump], chosen);
    events[e].fired = true;
    walks++, unchanged = e < n_guards && now == &modes[before] && !events[e].level &&
                                 !depends(events[e].value, departed)
                             ? e
                             : -1;
    printf(", '%s' to '%s'\n", modes[before].name, now->name);
    if (e == next_time)
        NEED(not_after(nodes[later->value].value, nodes[events[e + 1].value].value),
             "the order of time events"),
            next_time++;
    crossed = faded = -1, next_set(true), show("  then t =", true), printf("\n");
}

int main(int argc, char **argv)
{
    long steps = 0, happened = 0;
    file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL)
        return fprintf(stderr, "usage: impactcheck-proof FILE, a proof by impactcheck certify --proof\n"), 2;
    WANT(next_line() && word("impactcheck-proof") && whole(1, 1) == 1, "this is no proof of version 1");
    bits = whole(LOW, 1000000), most_order = whole(2, 10000);
    sum = vector(EXPANSIONS, LOW), term = vector(EXPANSIONS, LOW), work = vector(8, bits);
    mpfi_set_prec(sum[CENTRE], bits), mpfi_set_prec(term[CENTRE], bits);
    zero = integer(0), one = integer(1);
    do WANT(next_line(), "the problem ends too early"), printf("%s\n", line);
    while (read_problem());
    now = &modes[MOST - 1], kept = count, next_time = n_guards; /* no mode yet */
    centre = vector(n, bits), frame = vector(n * n, bits), radius = vector(n, bits),
    old_radius = vector(n, bits), inverse = vector(n * n, bits), box = vector(n, bits + LOW);
    tube = vector(n + n * n, LOW), over = vector(n + n * n, LOW), image = vector(n, bits),
    spread = vector(n * n, LOW);
    begin_phase();
    next("begin");
    check_jump(&jumps[n_jumps - 1], whole(0, MOST_NODES));
    mpfi_set(image[n - 1], nodes[from].value), next_set(true);
    while (next_line() && !word("end")) {
        NEED(!now->ends, "the run is over");
        if (word("step"))
            NEED(crossed < 0, "the event that is reached is left out"), steps++, check_step(), next_set(false);
        else WANT(word("event"), "'%.20s' is not known", here), happened++, check_event();
    }
    NEED(!feof(file), "the proof ends too early");
    NEED(now->ends || crossed == n_events - 1, "the end is not reached");
    show("end at t =", true), printf(", in '%s'\n", now->name);
    NEED(!next_line(), "the proof goes on after its end");
    printf("accepted: %ld steps, %ld events\n", steps, happened);
    return 0;
}
