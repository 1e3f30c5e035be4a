/* SPDX-License-Identifier: MIT */
/*
 * Coordinates of the machine become units of the picture with one scale for x and y. Lines, hatches,
 * coils and letters have the same size in all sketches. Labels are placed last, each at the first
 * place beside its shape that is free of lines.
 */
#include "reports/sketch.h"

#include "reports/formula.h"
#include "reports/html.h"
#include "reports/reports.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in units of the picture: the largest drawing, its margin, letters. */
static const double WIDEST = 400, HIGHEST = 260, MARGIN = 10, FONT = 15, LETTER = 8, LINE_HEIGHT = 14;

/* Hatches, coils, dashpots, rollers, joints, dots, heads of arrows; distance of labels from lines. */
static const double HATCH = 8, COIL = 7, LEAD = 12, POT = 24, ROLLER = 9, JOINT = 10, DOT = 3, HEAD = 9,
                    AWAY = 4;

/* Differences below it are not seen. */
static const double VISIBLE = 1;

/* Larger coordinates, of a run that diverges, are not drawn: differences of them would overflow. */
static const double LARGEST = 1e100;
enum { COILS = 8, CORNERS = 24 /* of a circle as an obstacle for labels */, LABEL = 80 };

#define STROKE " fill=\"none\" stroke=\"currentColor\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
#define THIN STROKE " stroke-width=\"1\""
#define LINE STROKE " stroke-width=\"1.6\""
#define THICK STROKE " stroke-width=\"4\""
#define SOLID " fill=\"currentColor\""

typedef struct point {
    double x, y;
} point;

typedef struct box {
    double left, top, right, bottom;
} box;

/* A line that labels avoid. */
typedef struct line {
    point from, to;
} line;

/* A shape in the picture. Coordinates are points, lengths or angles as in list.json. */
typedef struct shape {
    const char *kind, *label;
    bool dashed, marked;

    /* from, to: a, b. at: a. size or radius: b. */
    point a, b;
    double angle;
} shape;

typedef struct drawing {
    FILE *out;
    double scale;
    bool faint, out_of_memory;

    /* Everything drawn so far. */
    box bounds;
    line *lines;
    size_t n_lines, capacity;

    /* Labels placed so far. */
    box *labels;
    size_t n_labels;
} drawing;

/* ---- shapes of list.json */

static bool is_kind(const shape *s, const char *kind)
{
    return strcmp(s->kind, kind) == 0;
}

static bool is_body(const shape *s)
{
    return is_kind(s, "ball") || is_kind(s, "box");
}

/* A number, or one of a pair. false: it is null, or cannot be drawn. */
static bool take_number(double *value, const json_t *number)
{
    *value = json_number_value(number);
    return json_is_number(number) && fabs(*value) <= LARGEST;
}

static bool take_pair(point *p, const json_t *item, const char *name)
{
    const json_t *pair = json_object_get(item, name);
    return take_number(&p->x, json_array_get(pair, 0)) && take_number(&p->y, json_array_get(pair, 1));
}

/* false: a coordinate is not a finite number. */
static bool read_shape(shape *s, const json_t *item)
{
    *s = (shape){.kind = ic_report_text(item, "kind"),
                 .label = ic_report_text(item, "label"),
                 .dashed = json_is_true(json_object_get(item, "dashed"))};
    const json_t *angle = json_object_get(item, "angle");
    s->marked = angle != NULL && is_kind(s, "ball");
    if (angle != NULL && !take_number(&s->angle, angle)) return false;
    if (json_object_get(item, "from") != NULL)
        return take_pair(&s->a, item, "from") && take_pair(&s->b, item, "to");
    if (!take_pair(&s->a, item, "at")) return false;
    if (is_kind(s, "box")) return take_pair(&s->b, item, "size");
    return !is_kind(s, "ball") || take_number(&s->b.x, json_object_get(item, "radius"));
}

bool ic_sketch_can_draw(const json_t *item)
{
    shape s;
    return read_shape(&s, item);
}

/* Whether a shape reaches from a point to another. */
static bool is_way(const shape *s)
{
    return !is_body(s) && !is_kind(s, "pivot") && !is_kind(s, "dot") && !is_kind(s, "text");
}

/* The shape in units of the picture, in which y points downwards. */
static shape scaled(const shape *s, double scale)
{
    shape p = *s;
    p.a = (point){scale * s->a.x, -scale * s->a.y};
    p.b = is_way(s) ? (point){scale * s->b.x, -scale * s->b.y} : (point){scale * s->b.x, scale * s->b.y};
    p.angle = -s->angle;
    return p;
}

/* ---- geometry */

static point along(point from, point u, double s, point n, double t)
{
    return (point){from.x + s * u.x + t * n.x, from.y + s * u.y + t * n.y};
}

static void include(box *b, double x, double y)
{
    b->left = fmin(b->left, x);
    b->right = fmax(b->right, x);
    b->top = fmin(b->top, y);
    b->bottom = fmax(b->bottom, y);
}

static box nothing(void)
{
    return (box){INFINITY, INFINITY, -INFINITY, -INFINITY};
}

/* The corners of a box that is turned. */
static void find_corners(point corners[4], const shape *s)
{
    const point u = {cos(s->angle), sin(s->angle)}, n = {-u.y, u.x};
    for (int i = 0; i < 4; i++)
        corners[i] = along(s->a, u, (i == 0 || i == 3 ? -0.5 : 0.5) * s->b.x, n, (i < 2 ? -0.5 : 0.5) * s->b.y);
}

/* Extent of a shape without hatches, coils and labels, which do not depend on the scale. */
static void include_shape(box *b, const shape *s)
{
    point corners[4];
    include(b, s->a.x, s->a.y);
    if (is_way(s)) include(b, s->b.x, s->b.y);
    if (is_kind(s, "ball")) {
        include(b, s->a.x - fabs(s->b.x), s->a.y - fabs(s->b.x));
        include(b, s->a.x + fabs(s->b.x), s->a.y + fabs(s->b.x));
    }
    if (!is_kind(s, "box")) return;
    find_corners(corners, s);
    for (int i = 0; i < 4; i++) include(b, corners[i].x, corners[i].y);
}

/* ---- lines and circles, as drawn and as obstacles */

static void avoid(drawing *d, point from, point to)
{
    include(&d->bounds, from.x, from.y);
    include(&d->bounds, to.x, to.y);
    if (d->faint) return; /* labels may lie on faint lines */
    if (d->n_lines == d->capacity) {
        const size_t capacity = d->capacity == 0 ? 256 : 2 * d->capacity;
        line *lines = realloc(d->lines, capacity * sizeof *lines);
        if (lines == NULL) {
            d->out_of_memory = true;
            return;
        }
        d->lines = lines;
        d->capacity = capacity;
    }
    d->lines[d->n_lines++] = (line){from, to};
}

/* Hundredths, without zeros at the end and without -0. */
static double rounded(double value)
{
    return round(100 * value) / 100 + 0.0;
}

static void put_point(FILE *out, char command, point p)
{
    fprintf(out, "%c%.10g %.10g", command, rounded(p.x), rounded(p.y));
}

/* The `d` of a line through n points; every point after a pair begins anew if `pairs`. */
static void draw_points(drawing *d, const point *p, size_t n, bool pairs, bool closed, const char *attributes)
{
    fputs("<path d=\"", d->out);
    for (size_t i = 0; i < n; i++) {
        const bool begins = i == 0 || (pairs && i % 2 == 0);
        put_point(d->out, begins ? 'M' : 'L', p[i]);
        if (!begins) avoid(d, p[i - 1], p[i]);
    }
    if (closed) avoid(d, p[n - 1], p[0]);
    fprintf(d->out, "%s\"%s/>\n", closed ? "Z" : "", attributes);
}

static void draw_line(drawing *d, point from, point to, const char *attributes)
{
    draw_points(d, (const point[]){from, to}, 2, false, false, attributes);
}

static void draw_circle(drawing *d, point centre, double r, const char *attributes)
{
    fprintf(d->out, "<circle cx=\"%.10g\" cy=\"%.10g\" r=\"%.10g\"%s/>\n", rounded(centre.x), rounded(centre.y),
            rounded(r), attributes);
    for (int i = 0; i < CORNERS; i++) {
        const double from = 2 * M_PI * i / CORNERS, to = 2 * M_PI * (i + 1) / CORNERS;
        avoid(d, (point){centre.x + r * cos(from), centre.y + r * sin(from)},
              (point){centre.x + r * cos(to), centre.y + r * sin(to)});
    }
}

/* A body hides what is behind it: first in the colour of the page, then with a tint. */
#define PAPER " class=\"paper\" fill=\"#fff\""
#define TINT                                                                                                   \
    " fill=\"currentColor\" fill-opacity=\".1\" stroke=\"currentColor\" stroke-width=\"1.6\" stroke-linejoin=\"round\""

static const char *body_fill(const drawing *d)
{
    return d->faint ? LINE : TINT;
}

/* ---- shapes between two points */

/* A way: its start, its direction u, the normal n to its right-hand side, and its length. */
typedef struct way {
    point a, u, n;
    double length;
} way;

static way way_of(const shape *s)
{
    const double length = hypot(s->b.x - s->a.x, s->b.y - s->a.y);
    const point u =
        length > 0 ? (point){(s->b.x - s->a.x) / length, (s->b.y - s->a.y) / length} : (point){1, 0};
    return (way){s->a, u, {-u.y, u.x}, length};
}

static point on_way(const way *w, double s, double t)
{
    return along(w->a, w->u, s, w->n, t);
}

enum { MOST_HATCHES = 200 };

static void draw_ground(drawing *d, const shape *s, const way *w)
{
    point hatches[2 * MOST_HATCHES];
    size_t n = (size_t)fmin(MOST_HATCHES, fmax(1, floor(w->length / HATCH)));
    for (size_t i = 0; i < n; i++) {
        const double at = w->length * ((double)i + 1) / (double)n;
        hatches[2 * i] = on_way(w, at, 0);
        hatches[2 * i + 1] = on_way(w, at - HATCH, HATCH);
    }
    draw_line(d, s->a, s->b, LINE);
    draw_points(d, hatches, 2 * n, true, false, THIN);
}

static void draw_spring(drawing *d, const shape *s, const way *w)
{
    point p[COILS + 4];
    const double lead = fmin(LEAD, 0.2 * w->length), coil = (w->length - 2 * lead) / COILS;
    size_t n = 0;
    p[n++] = s->a;
    p[n++] = on_way(w, lead, 0);
    for (int i = 0; i < COILS; i++) p[n++] = on_way(w, lead + (i + 0.5) * coil, i % 2 == 0 ? -COIL : COIL);
    p[n++] = on_way(w, w->length - lead, 0);
    p[n++] = s->b;
    draw_points(d, p, n, false, false, LINE);
}

/* The pot is open towards the start of the way, from which the piston comes. */
static void draw_damper(drawing *d, const shape *s, const way *w)
{
    const double middle = 0.5 * w->length, half = 0.5 * fmin(POT, 0.5 * w->length);
    const point rods[] = {s->a, on_way(w, middle, 0),         on_way(w, middle + half, 0),
                          s->b, on_way(w, middle, -COIL + 2), on_way(w, middle, COIL - 2)};
    const point pot[] = {on_way(w, middle - half, -COIL), on_way(w, middle + half, -COIL),
                         on_way(w, middle + half, COIL), on_way(w, middle - half, COIL)};
    draw_points(d, rods, 6, true, false, LINE);
    draw_points(d, pot, 4, false, false, LINE);
}

static void draw_arrow(drawing *d, const shape *s, const way *w)
{
    const double head = fmin(HEAD, w->length);
    const point tip[] = {s->b, on_way(w, w->length - head, -0.4 * head),
                         on_way(w, w->length - head, 0.4 * head)};
    draw_line(d, s->a, on_way(w, w->length - 0.9 * head, 0), LINE);
    draw_points(d, tip, 3, false, true, SOLID);
}

static void draw_belt(drawing *d, const shape *s, const way *w)
{
    const point ends[] = {on_way(w, 0, ROLLER), on_way(w, w->length, ROLLER)},
                back[] = {on_way(w, w->length, 2 * ROLLER), on_way(w, 0, 2 * ROLLER)};
    fputs("<path d=\"", d->out);
    put_point(d->out, 'M', s->a);
    put_point(d->out, 'L', s->b);
    fprintf(d->out, "A%.10g %.10g 0 0 1 %.10g %.10g", ROLLER, ROLLER, rounded(back[0].x), rounded(back[0].y));
    put_point(d->out, 'L', back[1]);
    fprintf(d->out, "A%.10g %.10g 0 0 1 %.10g %.10g\"" LINE "/>\n", ROLLER, ROLLER, rounded(s->a.x),
            rounded(s->a.y));
    avoid(d, s->a, s->b);
    avoid(d, back[0], back[1]);
    for (int i = 0; i < 2; i++) {
        draw_circle(d, ends[i], ROLLER - 2.5, THIN);
        draw_circle(d, ends[i], 1, SOLID);
        avoid(d, on_way(w, i == 0 ? -ROLLER : w->length + ROLLER, 0),
              on_way(w, i == 0 ? -ROLLER : w->length + ROLLER, 2 * ROLLER));
    }
}

static void draw_way(drawing *d, const shape *s)
{
    const way w = way_of(s);
    if (!(w.length > VISIBLE)) return;
    if (is_kind(s, "ground")) draw_ground(d, s, &w);
    else if (is_kind(s, "spring")) draw_spring(d, s, &w);
    else if (is_kind(s, "damper")) draw_damper(d, s, &w);
    else if (is_kind(s, "arrow")) draw_arrow(d, s, &w);
    else if (is_kind(s, "belt")) draw_belt(d, s, &w);
    else
        draw_line(d, s->a, s->b,
                  is_kind(s, "rod") ? THICK
                  : s->dashed       ? THIN " stroke-dasharray=\"5 4\""
                                    : THIN);
}

/* ---- bodies, joints and points */

static void draw_ball(drawing *d, const shape *s)
{
    const double r = s->b.x;
    if (!d->faint) draw_circle(d, s->a, r, PAPER);
    draw_circle(d, s->a, r, body_fill(d));
    if (s->marked) draw_line(d, s->a, (point){s->a.x + r * cos(s->angle), s->a.y + r * sin(s->angle)}, LINE);
}

static void draw_box(drawing *d, const shape *s)
{
    point corners[4];
    find_corners(corners, s);
    if (!d->faint) draw_points(d, corners, 4, false, true, PAPER);
    draw_points(d, corners, 4, false, true, body_fill(d));
}

static void draw_pivot(drawing *d, point at)
{
    const point foot[] = {at, {at.x - JOINT, at.y + 1.4 * JOINT}, {at.x + JOINT, at.y + 1.4 * JOINT}};
    const shape base = {.a = {at.x - 1.5 * JOINT, foot[1].y}, .b = {at.x + 1.5 * JOINT, foot[1].y}};
    const way w = way_of(&base);
    draw_points(d, foot, 3, false, true, LINE);
    draw_ground(d, &base, &w);
    draw_circle(d, at, DOT, PAPER " stroke=\"currentColor\" stroke-width=\"1.6\"");
}

/* Whether a body is smaller than a dot, or its size has no meaning. */
static bool has_no_extent(const shape *s)
{
    if (is_kind(s, "ball")) return !(s->b.x > VISIBLE);
    return !(s->b.x >= 0 && s->b.y >= 0 && fmax(s->b.x, s->b.y) > VISIBLE);
}

static void draw_shape(drawing *d, const shape *s)
{
    if (is_way(s)) draw_way(d, s);
    else if (is_kind(s, "pivot")) draw_pivot(d, s->a);
    else if (is_kind(s, "dot") || (is_body(s) && has_no_extent(s))) draw_circle(d, s->a, DOT, SOLID);
    else if (is_kind(s, "ball")) draw_ball(d, s);
    else if (is_kind(s, "box")) draw_box(d, s);
}

/* ---- labels */

/* Length of a name or index at the start of a text: letters with digits behind them, or digits. */
static size_t name_length(const char *at)
{
    size_t n = 0;
    while (isalpha((unsigned char)at[n])) n++;
    return n;
}

/* Whether a label is a symbol, which is set in italics: m_1, x2, v_max, k; not a word or a sentence. */
static bool is_symbol(const char *label)
{
    const size_t n = name_length(label), digits = strspn(label + n, "0123456789");
    const char *rest = label + n + digits;
    const bool short_name = n == 1 || (n > 0 && ic_formula_greek(label, n) != NULL);
    return short_name && (*rest == '\0' || (*rest == '_' && strcspn(rest, " ") == strlen(rest)));
}

/* A label as SVG, with its index set lower. Returns its width in letters. */
static double write_label(FILE *out, const char *label)
{
    char part[LABEL];
    if (!is_symbol(label)) {
        double n = 0;
        for (const char *c = label; *c != '\0'; c++) n += ((unsigned char)*c & 0xC0u) != 0x80u; /* UTF-8 */
        ic_html_text(out, label);
        return n;
    }
    const size_t n = name_length(label);
    const char *index = label + n + (label[n] == '_'), *sign = ic_formula_greek(label, n);
    snprintf(part, sizeof part, "%.*s", (int)n, label);
    fputs("<tspan font-family=\"Georgia, 'DejaVu Serif', serif\" font-style=\"italic\">", out);
    ic_html_text(out, sign != NULL ? sign : part);
    fputs("</tspan>", out);
    if (*index == '\0') return 1;
    sign = ic_formula_greek(index, strlen(index));
    fputs("<tspan dy=\"4\" font-size=\"11\">", out);
    ic_html_text(out, sign != NULL ? sign : index);
    fputs("</tspan>", out);
    return 1 + 0.75 * (sign != NULL ? 1 : (double)strlen(index));
}

/* Whether a line passes through a box (Liang & Barsky 1984). */
static bool passes(const line *l, const box *b)
{
    const double dx = l->to.x - l->from.x, dy = l->to.y - l->from.y;
    const double p[] = {-dx, dx, -dy, dy};
    const double q[] = {l->from.x - b->left, b->right - l->from.x, l->from.y - b->top, b->bottom - l->from.y};
    double enters = 0, leaves = 1;
    for (int i = 0; i < 4; i++) {
        if (p[i] == 0 && q[i] < 0) return false;
        if (p[i] < 0) enters = fmax(enters, q[i] / p[i]);
        if (p[i] > 0) leaves = fmin(leaves, q[i] / p[i]);
    }
    return enters <= leaves;
}

/* Number of lines and labels that a box covers. */
static size_t count_covered(const drawing *d, const box *b)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_lines; i++) n += passes(&d->lines[i], b);
    for (size_t i = 0; i < d->n_labels; i++) {
        const box *o = &d->labels[i];
        n += 4 * (size_t)(o->left < b->right && b->left < o->right && o->top < b->bottom && b->top < o->bottom);
    }
    return n;
}

/* The places that are tried for a label: its half width and height, and the best place so far. */
typedef struct search {
    const drawing *d;
    double half_width, half_height;
    point best;
    size_t covered;
} search;

static box around(point centre, double half_width, double half_height)
{
    return (box){centre.x - half_width, centre.y - half_height, centre.x + half_width, centre.y + half_height};
}

static void try_place(search *s, point centre)
{
    const box b = around(centre, s->half_width + 1, s->half_height + 1);
    const size_t covered = count_covered(s->d, &b);
    if (covered >= s->covered) return;
    s->covered = covered;
    s->best = centre;
}

/* Beside a way, at a distance from its line to either side; upwards first, or to the right. */
static void try_way(search *s, const shape *shape)
{
    static const double fractions[] = {0.5, 0.4, 0.6, 0.25, 0.75, 0.1, 0.9};
    const way w = way_of(shape);
    const bool coiled = is_kind(shape, "spring") || is_kind(shape, "damper");
    const double to_the_right = is_kind(shape, "ground") ? HATCH : is_kind(shape, "belt") ? 2 * ROLLER : 0;
    const double room = fabs(w.n.x) * s->half_width + fabs(w.n.y) * s->half_height + AWAY;
    const int upwards = w.n.y < -0.1 || (fabs(w.n.y) <= 0.1 && w.n.x > 0) ? 1 : -1;
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        for (int k = 0; k < 2; k++) {
            const int side = k == 0 ? upwards : -upwards;
            const double deep = coiled ? COIL : side > 0 ? to_the_right : 0;
            try_place(s, on_way(&w, fractions[i] * w.length, side * (deep + room)));
        }
    }
    try_place(s, on_way(&w, w.length + fabs(w.u.x) * s->half_width + fabs(w.u.y) * s->half_height + AWAY, 0));
}

/* In the middle of a body or elsewhere in it, or around it. */
static void try_point(search *s, const shape *shape)
{
    static const point directions[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
    box b = around(shape->a, DOT, DOT);
    if (is_body(shape)) include_shape(&b, shape);
    if (is_body(shape) && !has_no_extent(shape)) {
        try_place(s, shape->a);
        for (int i = 0; i < 4; i++)
            try_place(s, (point){shape->a.x + 0.25 * directions[i].x * (b.right - b.left),
                                 shape->a.y + 0.25 * directions[i].y * (b.bottom - b.top)});
    }
    for (int i = 0; i < 8; i++) {
        const bool corner = i >= 4;
        const double out_x = corner && is_kind(shape, "ball") ? 0.3 * (b.right - b.left) / 2 : 0;
        const double out_y = corner && is_kind(shape, "ball") ? 0.3 * (b.bottom - b.top) / 2 : 0;
        try_place(
            s,
            (point){shape->a.x + directions[i].x * (0.5 * (b.right - b.left) - out_x + s->half_width + AWAY),
                    shape->a.y + directions[i].y * (0.5 * (b.bottom - b.top) - out_y + s->half_height + AWAY)});
    }
}

static void draw_label(drawing *d, const shape *shape)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        d->out_of_memory = true;
        return;
    }
    const double width = LETTER * write_label(out, shape->label) + 2;
    d->out_of_memory = fclose(out) != 0 || d->out_of_memory;
    search s = {d, 0.5 * width, 0.5 * LINE_HEIGHT, shape->a, SIZE_MAX};
    if (is_way(shape)) try_way(&s, shape);
    else if (!is_kind(shape, "text")) try_point(&s, shape);
    fprintf(d->out,
            "<text%s x=\"%.10g\" y=\"%.10g\" text-anchor=\"middle\" font-size=\"%g\" fill=\"currentColor\">%s"
            "</text>\n",
            s.covered > 0 ? " class=\"over\"" : "", rounded(s.best.x), rounded(s.best.y + 0.35 * FONT), FONT,
            text == NULL ? "" : text);
    free(text);
    const box b = around(s.best, s.half_width, s.half_height);
    include(&d->bounds, b.left, b.top);
    include(&d->bounds, b.right, b.bottom);
    d->labels[d->n_labels++] = b;
}

/* ---- the picture */

/* Whether a shape is somewhere else in another state. */
static bool differs(const shape *a, const shape *b)
{
    const double turned = is_kind(a, "ball") && !a->marked ? 0 : a->angle - b->angle;
    const double arm = fmax(fabs(a->b.x), fabs(a->b.y));
    return hypot(a->a.x - b->a.x, a->a.y - b->a.y) > VISIBLE ||
           hypot(a->b.x - b->b.x, a->b.y - b->b.y) > VISIBLE ||
           (is_body(a) && 2 * arm * fabs(sin(0.5 * turned)) > VISIBLE);
}

/* The scale at which all shapes fit. 0: none can be drawn. */
static double find_scale(const ic_sketch *sketch)
{
    box b = nothing();
    const json_t *const both[] = {sketch->shapes, sketch->later};
    size_t i;
    json_t *item;
    shape s;
    for (int k = 0; k < 2; k++) {
        json_array_foreach(both[k], i, item) if (read_shape(&s, item)) include_shape(&b, &s);
    }
    if (!(b.right >= b.left)) return 0;
    const double scale = fmin(WIDEST / (b.right - b.left), HIGHEST / (b.bottom - b.top));
    return isfinite(scale) ? scale : 1; /* a single point */
}

static void draw_later(drawing *d, const ic_sketch *sketch)
{
    shape now, then;
    d->faint = true;
    fputs("<g opacity=\".35\">\n", d->out);
    for (size_t i = 0; i < json_array_size(sketch->later); i++) {
        const json_t *item = json_array_get(sketch->later, i);
        if (!read_shape(&then, item)) continue;
        then = scaled(&then, d->scale);
        if (read_shape(&now, json_array_get(sketch->shapes, i))) {
            now = scaled(&now, d->scale);
            if (!differs(&now, &then)) continue;
        }
        draw_shape(d, &then);
    }
    fputs("</g>\n", d->out);
    d->faint = false;
}

static void draw_all(drawing *d, const ic_sketch *sketch)
{
    shape s;
    if (sketch->later != NULL) draw_later(d, sketch);
    for (size_t i = 0; i < json_array_size(sketch->shapes); i++) {
        const json_t *item = json_array_get(sketch->shapes, i);
        if (!read_shape(&s, item)) continue;
        s = scaled(&s, d->scale);
        draw_shape(d, &s);
    }
    /* Texts stand where the author wants them; labels avoid them. */
    for (int texts = 1; texts >= 0; texts--) {
        for (size_t i = 0; i < json_array_size(sketch->shapes); i++) {
            const json_t *item = json_array_get(sketch->shapes, i);
            if (!read_shape(&s, item) || s.label[0] == '\0' || is_kind(&s, "text") != (texts == 1)) continue;
            s = scaled(&s, d->scale);
            const bool drawn = !is_way(&s) || way_of(&s).length > VISIBLE;
            if (drawn) draw_label(d, &s);
        }
    }
}

/* "A ball on a floor, at the start: ground, ball m." */
static void write_words(FILE *stream, const ic_sketch *sketch)
{
    ic_html_text(stream, sketch->title);
    for (size_t i = 0; i < json_array_size(sketch->shapes); i++) {
        const json_t *item = json_array_get(sketch->shapes, i);
        const char *label = ic_report_text(item, "label");
        IC_HTML(stream, i == 0 ? ": %" : ", %", ic_report_text(item, "kind"));
        if (label[0] != '\0') IC_HTML(stream, " %", label);
    }
}

static void write_picture(FILE *stream, const ic_sketch *sketch, const drawing *d, const char *body)
{
    const double left = floor(d->bounds.left - MARGIN), top = floor(d->bounds.top - MARGIN);
    const double width = ceil(d->bounds.right + MARGIN) - left, height = ceil(d->bounds.bottom + MARGIN) - top;
    fprintf(stream, "<svg %sviewBox=\"%.10g %.10g %.10g %.10g\" ",
            sketch->alone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "class=\"plot sketch\" ", left, top,
            width, height);
    if (sketch->alone)
        fprintf(stream, "width=\"%.10g\" height=\"%.10g\" font-family=\"sans-serif\" ", width, height);
    else fprintf(stream, "style=\"max-width: %.10gpx\" ", width);
    fputs("role=\"img\" aria-label=\"", stream);
    write_words(stream, sketch);
    fputs("\">\n", stream);
    if (sketch->alone) IC_HTML(stream, "<title>%</title>\n", sketch->title);
    fprintf(stream, "%s</svg>\n", body);
}

bool ic_sketch_write(FILE *stream, const ic_sketch *sketch)
{
    char *body = NULL;
    size_t size = 0;
    drawing d = {.scale = find_scale(sketch), .bounds = nothing()};
    if (d.scale == 0) return false;
    d.out = open_memstream(&body, &size);
    d.labels = calloc(json_array_size(sketch->shapes) + 1, sizeof *d.labels);
    bool good = d.out != NULL && d.labels != NULL;
    if (good) draw_all(&d, sketch);
    good = d.out != NULL && fclose(d.out) == 0 && good && !d.out_of_memory && d.bounds.right >= d.bounds.left;
    if (good) write_picture(stream, sketch, &d, body);
    free(d.lines);
    free(d.labels);
    free(body);
    return good;
}
