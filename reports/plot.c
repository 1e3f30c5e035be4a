/* SPDX-License-Identifier: MIT */
#include "reports/plot.h"
#include "reports/html.h"
#include "reports/lines.h"
#include "reports/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Units of the picture; a page shows it 350 to 560 pixels wide. */
enum {
    WIDTH = 440,
    HEIGHT = 290,
    LEFT = 62,
    RIGHT = 430,
    TOP = 10,
    BOTTOM = 246,
    LOOKS = 8,
    LEGEND_LINE = 18,
    TITLE_LINE = 17
};
enum { LEGEND_MARK = 22, LETTER = 7, MOST_TICKS = 6, MARK = 3, ROOM = 5, MANY = 2000 };

/* Beside the frame of a file of its own, for half a label: on a page it may overlap the margin. */
enum { ALONE_RIGHT = 14 };

/* Width of a column of points, of which four are drawn: of lines with MANY points, and of others. */
static const double APART = 0.6, CLOSE = 0.02;
/* Beyond it, spans would overflow. */
static const double LARGEST = 1e100;
static const double DOTS_APART = 0.8, COARSER = 1.25;

/* Rows of cells overlap by so much, or hairlines would be seen between them. */
static const double OVERLAP = 0.12;

/* So many dots, or runs of cells, keep a figure below 1 MB, whatever it shows. */
enum { MOST_DOTS = 45000, FINEST_CELLS = 720 };

ic_plot_series *ic_plot_add(ic_plot *plot, const char *label, ic_plot_style style, int look)
{
    if (plot->n_series == IC_PLOT_SERIES) return NULL;
    ic_plot_series *series = &plot->series[plot->n_series++];
    *series = (ic_plot_series){.label = label, .style = style, .look = look};
    return series;
}

void ic_plot_point(ic_plot *plot, ic_plot_series *series, double x, double y)
{
    if (series->n == series->capacity) {
        const size_t capacity = series->capacity == 0 ? 256 : 2 * series->capacity;
        double *points = realloc(series->points, 2 * capacity * sizeof *points);
        if (points == NULL) {
            plot->out_of_memory = true;
            return;
        }
        series->points = points;
        series->capacity = capacity;
    }
    series->points[2 * series->n] = x;
    series->points[2 * series->n + 1] = y;
    series->n++;
}

void ic_plot_free(ic_plot *plot)
{
    for (size_t i = 0; i < plot->n_series; i++) free(plot->series[i].points);
    *plot = (ic_plot){0};
}

/* ---- scales */

typedef struct scale {
    bool log;

    /* of values, or of their logarithms */
    double from, to;

    /* of the ticks */
    double first, step;

    /* in the picture */
    double start, stop;
} scale;

static double on_axis(const ic_plot_axis *axis, double value)
{
    if (!axis->log) return value;
    return value > 0 ? log10(value) : NAN;
}

static bool is_drawn(const ic_plot *plot, const double *point)
{
    const double x = on_axis(&plot->x, point[0]), y = on_axis(&plot->y, point[1]);
    return fabs(x) <= LARGEST && fabs(y) <= LARGEST; /* NAN is not */
}

/*
 * A line may leave the range of the figure, and is clipped there. A mark outside the range is not
 * drawn.
 */
static bool in_range(const ic_plot *plot, const double *point)
{
    const double x = on_axis(&plot->x, point[0]);
    const bool left_of = !isnan(plot->x.from) && x < on_axis(&plot->x, plot->x.from);
    const bool right_of = !isnan(plot->x.to) && x > on_axis(&plot->x, plot->x.to);
    return is_drawn(plot, point) && !left_of && !right_of;
}

bool ic_plot_has_data(const ic_plot *plot)
{
    for (size_t i = 0; i < plot->n_series; i++) {
        for (size_t k = 0; k < plot->series[i].n; k++) {
            if (in_range(plot, plot->series[i].points + 2 * k)) return true;
        }
    }
    return false;
}

/* 1, 2 or 5 times a power of ten, so that there are at most MOST_TICKS of them. */
static double round_step(double span)
{
    static const double nice[] = {1, 2, 5, 10};
    const double rough = span / MOST_TICKS, power = pow(10, floor(log10(rough)));
    for (size_t i = 0; i < sizeof nice / sizeof *nice; i++) {
        if (nice[i] * power >= rough * (1 - 1e-9)) return nice[i] * power;
    }
    return 10 * power;
}

static scale scale_for(const ic_plot *plot, const ic_plot_axis *axis, size_t coordinate)
{
    scale s = {.log = axis->log, .from = INFINITY, .to = -INFINITY};
    for (size_t i = 0; i < plot->n_series; i++) {
        for (size_t k = 0; k < plot->series[i].n; k++) {
            const double *point = plot->series[i].points + 2 * k;
            if (!in_range(plot, point)) continue;
            const double value = on_axis(axis, point[coordinate]);
            s.from = fmin(s.from, value);
            s.to = fmax(s.to, value);
        }
    }
    if (!(s.from <= s.to)) s.from = s.to = 0;
    if (!isnan(axis->from)) s.from = on_axis(axis, axis->from);
    if (!isnan(axis->to)) s.to = on_axis(axis, axis->to);
    if (!(s.to - s.from > 1e-12 * fmax(fabs(s.from), fabs(s.to)))) {
        const double half = s.log || s.from == 0 ? 1 : 0.5 * fabs(s.from);
        s.from -= half;
        s.to += half;
    }
    s.step = s.log ? fmax(1, ceil((s.to - s.from) / MOST_TICKS)) : round_step(s.to - s.from);
    /*
     * Ends that are not given are moved out to a tick, so that the ends of the frame have labels.
     */
    if (isnan(axis->from)) s.from = floor(s.from / s.step + 1e-9) * s.step;
    if (isnan(axis->to)) s.to = ceil(s.to / s.step - 1e-9) * s.step;
    s.first = ceil(s.from / s.step - 1e-9) * s.step;
    return s;
}

static double place_value(const scale *s, double value)
{
    return s->start + (s->stop - s->start) * (value - s->from) / (s->to - s->from);
}

/* The area in which a plot is drawn. */
typedef struct picture {
    const ic_plot *plot;
    FILE *stream;
    scale x, y;
} picture;

static double place_x(const picture *p, const double *point)
{
    return place_value(&p->x, on_axis(&p->plot->x, point[0]));
}

static double place_y(const picture *p, const double *point)
{
    return place_value(&p->y, on_axis(&p->plot->y, point[1]));
}

/* ---- the frame */

static const char MINUS[] = "\xe2\x88\x92";

/* A label: `digits`, and a power of ten that stands behind them, or for them where there are none. */
typedef struct tick {
    char digits[48];
    bool has_power;
    int power;
} tick;

static tick tick_at(const scale *s, int i)
{
    tick label = {.has_power = s->log};
    double value = s->first + i * s->step;
    if (fabs(value) < 1e-9 * s->step) value = 0;
    if (s->log) {
        label.power = (int)lround(value);
        return label;
    }
    const double largest = fmax(fabs(s->from), fabs(s->to));
    const char *sign = value < 0 ? MINUS : "";
    if (largest >= 1e5 || largest < 1e-3) {
        label.power = (int)floor(log10(largest));
        label.has_power = value != 0;
        snprintf(label.digits, sizeof label.digits, "%s%.3g", sign, fabs(value) / pow(10, label.power));
        return label;
    }
    snprintf(label.digits, sizeof label.digits, "%s%s", sign, ic_number_short(fabs(value), 6).text);
    return label;
}

static void write_tick(FILE *stream, const tick *label)
{
    fputs(label->digits, stream);
    if (!label->has_power) return;
    fprintf(stream, "%s10<tspan class=\"up\" dy=\"-5\">%s%d</tspan>",
            label->digits[0] != '\0' ? "\xc2\xb7" : "", label->power < 0 ? MINUS : "", abs(label->power));
}

/* For the page's script: where the axis lies in the picture, and its values (of a logarithm: powers of ten). */
static void write_scale(FILE *stream, const char *name, const scale *s)
{
    fprintf(stream, " data-%s=\"%g %g %.9g %.9g %d\"", name, s->start, s->stop, s->from, s->to, s->log);
}

static int count_ticks(const scale *s)
{
    return (int)floor((s->to - s->first) / s->step + 1e-6) + 1;
}

/* By how much labels of the ordinate are wider than the space that they have. */
static int excess_width(const scale *y)
{
    int widest = 0;
    for (int i = 0; i < count_ticks(y); i++) {
        const tick label = tick_at(y, i);
        const int letters =
            (int)strlen(label.digits) - (label.digits[0] == MINUS[0] ? 2 : 0) + (label.has_power ? 5 : 0);
        widest = letters > widest ? letters : widest;
    }
    return widest > ROOM ? LETTER * (widest - ROOM) : 0;
}

static void write_ticks(FILE *stream, const scale *x, const scale *y)
{
    fputs("<g class=\"grid\">", stream);
    const int n_x = count_ticks(x), n_y = count_ticks(y);
    for (int i = 0; i < n_x; i++)
        fprintf(stream, "<path d=\"M%.1f %dV%d\"/>", place_value(x, x->first + i * x->step), TOP, BOTTOM);
    for (int i = 0; i < n_y; i++)
        fprintf(stream, "<path d=\"M%d %.1fH%d\"/>", LEFT, place_value(y, y->first + i * y->step), RIGHT);
    fputs("</g>\n<g class=\"ticks\">", stream);
    for (int i = 0; i < n_x; i++) {
        const tick label = tick_at(x, i);
        fprintf(stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
                place_value(x, x->first + i * x->step), BOTTOM + 16);
        write_tick(stream, &label);
        fputs("</text>", stream);
    }
    for (int i = 0; i < n_y; i++) {
        const tick label = tick_at(y, i);
        fprintf(stream, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6,
                place_value(y, y->first + i * y->step) + 4);
        write_tick(stream, &label);
        fputs("</text>", stream);
    }
    fputs("</g>\n", stream);
}

static void write_frame(const ic_plot *plot, int left, FILE *stream)
{
    fprintf(stream, "<path class=\"frame\" d=\"M%d %dH%dV%dH%dZ\"/>\n", LEFT, TOP, RIGHT, BOTTOM, LEFT);
    fprintf(stream, "<text class=\"of-x\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + RIGHT) / 2,
            BOTTOM + 36);
    ic_html_text(stream, plot->x.label != NULL ? plot->x.label : "");
    fprintf(stream,
            "</text>\n<text class=\"of-y\" transform=\"translate(%d %d) rotate(-90)\" text-anchor=\"middle\">",
            left + 13, (TOP + BOTTOM) / 2);
    ic_html_text(stream, plot->y.label != NULL ? plot->y.label : "");
    fputs("</text>\n", stream);
}

/* ---- the series */

/* Points of a line that follow one another in a column of the picture: it needs four of them. */
typedef struct column {
    size_t first, lowest, highest, last;
} column;

static double line_y(const picture *p, const ic_plot_series *series, size_t i)
{
    return fmin(fmax(place_y(p, series->points + 2 * i), -HEIGHT), 2 * HEIGHT);
}

static void write_column(const picture *p, const ic_plot_series *series, const column *c, bool begins)
{
    const bool rises = c->lowest < c->highest;
    const size_t points[] = {c->first, rises ? c->lowest : c->highest, rises ? c->highest : c->lowest, c->last};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        if (k > 0 && points[k] == points[k - 1]) continue;
        const double x = place_x(p, series->points + 2 * points[k]), y = line_y(p, series, points[k]);
        if (k > 0 && series->n > MANY) fprintf(p->stream, "V%.1f", y);
        else fprintf(p->stream, "%c%.2f %.2f", begins && k == 0 ? 'M' : 'L', x, y);
    }
}

/* A line, without points that would be invisible; one with few points has them all, for those who look closer. */
static void write_line(const picture *p, const ic_plot_series *series)
{
    const double apart = series->n > MANY ? APART : CLOSE;
    bool pen_down = false, open = false;
    column c = {0};
    for (size_t i = 0; i < series->n; i++) {
        const double *point = series->points + 2 * i;
        const bool drawn = is_drawn(p->plot, point);
        if (open && drawn && fabs(place_x(p, point) - place_x(p, series->points + 2 * c.first)) < apart) {
            if (line_y(p, series, i) < line_y(p, series, c.lowest)) c.lowest = i;
            if (line_y(p, series, i) > line_y(p, series, c.highest)) c.highest = i;
            c.last = i;
            continue;
        }
        if (open) write_column(p, series, &c, !pen_down);
        pen_down = drawn && (pen_down || open);
        open = drawn;
        c = (column){i, i, i, i};
    }
    if (open) write_column(p, series, &c, !pen_down);
}

static void write_dot(FILE *stream, const ic_plot_series *series, double x, double y)
{
    (void)series;
    fprintf(stream, "M%.2f %.2fh0", x, y);
}

/*
 * Dots and marks on a grid of this size, one in a place. Returns their number; where `write` is NULL, they are counted
 * only.
 */
static size_t put_places(const picture *p, const ic_plot_series *series, double apart,
                         void (*write)(FILE *, const ic_plot_series *, double, double))
{
    enum { ACROSS = 1000 };
    static unsigned char taken[ACROSS * ACROSS];
    size_t n = 0;
    memset(taken, 0, sizeof taken);
    for (size_t i = 0; i < series->n; i++) {
        const double *point = series->points + 2 * i;
        if (!in_range(p->plot, point)) continue;
        const double x = place_x(p, point), y = place_y(p, point);
        if (x < 0 || y < 0 || x > WIDTH || y > HEIGHT) continue;
        unsigned char *cell = &taken[(size_t)(x / apart) * ACROSS + (size_t)(y / apart)];
        if (!*cell && write != NULL) write(p->stream, series, x, y);
        n += !*cell;
        *cell = 1;
    }
    return n;
}

static void write_dots(const picture *p, const ic_plot_series *series)
{
    double apart = DOTS_APART;
    while (put_places(p, series, apart, NULL) > MOST_DOTS) apart *= COARSER;
    put_places(p, series, apart, write_dot);
}

/* Colours begin again after LOOKS series; then marks are full, and each colour has another mark. */
static const char *class_of(const ic_plot_series *series)
{
    static const char *const classes[2][LOOKS] = {
        {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"},
        {"full s1", "full s2", "full s3", "full s4", "full s5", "full s6", "full s7", "full s0"}};
    if (series->class != NULL) return series->class;
    return series->look < 0 ? "sb" : classes[series->look / LOOKS % 2][series->look % LOOKS];
}

/* ---- cells */

/* The cells of all series: whose each is. */
typedef struct raster {
    unsigned char *owner;
    size_t across, down;
} raster;

/* The cell of a value, from the start of an axis on. */
static size_t cell_at(const scale *s, double value, size_t n)
{
    const double at = floor((value - s->from) / (s->to - s->from) * (double)n);
    return at < 0 ? 0 : at < (double)n ? (size_t)at : n - 1;
}

static void fill_raster(const picture *p, raster *r)
{
    memset(r->owner, 0, r->across * r->down);
    for (size_t i = 0; i < p->plot->n_series; i++) {
        const ic_plot_series *series = &p->plot->series[i];
        for (size_t k = 0; k < series->n && series->style == IC_PLOT_CELLS; k++) {
            const double *point = series->points + 2 * k;
            const size_t x = cell_at(&p->x, on_axis(&p->plot->x, point[0]), r->across);
            const size_t y = cell_at(&p->y, on_axis(&p->plot->y, point[1]), r->down);
            r->owner[y * r->across + x] = (unsigned char)(i + 1);
        }
    }
}

/* Each run of cells of one series in a row, as a line as wide as a cell. Returns their number; `stream` NULL: counts. */
static size_t put_runs(const picture *p, const raster *r, size_t series, FILE *stream)
{
    size_t n = 0;
    const double width = (p->x.stop - p->x.start) / (double)r->across;
    const double height = (p->y.stop - p->y.start) / (double)r->down;
    for (size_t y = 0; y < r->down; y++) {
        const unsigned char *row = r->owner + y * r->across;
        for (size_t x = 0, end; x < r->across; x = end) {
            for (end = x + 1; end < r->across && row[end] == row[x];) end++;
            if (row[x] != series + 1) continue;
            n++;
            if (stream != NULL)
                fprintf(stream, "M%.2f %.2fh%.2f", p->x.start + (double)x * width,
                        p->y.start + ((double)y + 0.5) * height, (double)(end - x) * width);
        }
    }
    return n;
}

static size_t count_runs(const picture *p, const raster *r)
{
    size_t n = 0;
    for (size_t i = 0; i < p->plot->n_series; i++) n += put_runs(p, r, i, NULL);
    return n;
}

/* Cells that are smaller than the picture can show share one, of which the last is seen. */
static void write_cells(const picture *p)
{
    const ic_plot *plot = p->plot;
    size_t finest = FINEST_CELLS;
    raster r = {.owner = malloc(plot->cells_x * plot->cells_y)};
    if (r.owner == NULL) return;
    do {
        r.across = plot->cells_x < finest ? plot->cells_x : finest;
        r.down = plot->cells_y < finest ? plot->cells_y : finest;
        fill_raster(p, &r);
        finest = finest * 3 / 4;
    } while (count_runs(p, &r) > MOST_DOTS);
    const double height = (p->y.start - p->y.stop) / (double)r.down + OVERLAP;
    for (size_t i = 0; i < plot->n_series; i++) {
        if (plot->series[i].style != IC_PLOT_CELLS) continue;
        fprintf(p->stream, "<path class=\"cells %s\" stroke-width=\"%.3f\" d=\"", class_of(&plot->series[i]),
                height);
        put_runs(p, &r, i, p->stream);
        fputs("\"/>\n", p->stream);
    }
    free(r.owner);
}

/* Circle, square, triangle, diamond, wedge; its path begins at the point, which the page's script moves. */
static void write_mark(FILE *stream, const ic_plot_series *series, double x, double y)
{
    fprintf(stream, "M%.2f %.2f", x, y);
    switch (series->class != NULL ? series->mark : series->look < 0 ? 0 : series->look % 4) {
    case 0:
        fprintf(stream, "m-%d 0a%d %d 0 1 0 %d 0a%d %d 0 1 0 -%d 0", MARK, MARK, MARK, 2 * MARK, MARK, MARK,
                2 * MARK);
        break;
    case 1: fprintf(stream, "m-%d -%dh%dv%dh-%dz", MARK, MARK, 2 * MARK, 2 * MARK, 2 * MARK); break;
    case 2: fprintf(stream, "m0 -%dl%d %dh-%dz", MARK + 1, MARK + 1, 2 * MARK, 2 * MARK + 2); break;
    case 3:
        fprintf(stream, "m0 -%dl%d %dl-%d %dl-%d -%dz", MARK + 1, MARK + 1, MARK + 1, MARK + 1, MARK + 1,
                MARK + 1, MARK + 1);
        break;
    default: fprintf(stream, "m0 %dl%d -%dh-%dz", MARK + 1, MARK + 1, 2 * MARK, 2 * MARK + 2); break;
    }
}

static void write_marks(const picture *p, const ic_plot_series *series)
{
    put_places(p, series, DOTS_APART, write_mark);
}

static void write_path(const picture *p, const ic_plot_series *series, const char *class,
                       void (*write)(const picture *p, const ic_plot_series *series))
{
    fprintf(p->stream, "<path class=\"%s %s\" d=\"", class, class_of(series));
    write(p, series);
    fprintf(p->stream, "\" data-s=\"%d\"/>\n", (int)(series - p->plot->series));
}

static bool has_line(const ic_plot_series *series)
{
    return series->style == IC_PLOT_LINE || series->style == IC_PLOT_LINE_MARKS;
}

static void write_series(const picture *p, const ic_plot_series *series)
{
    if (series->n == 0) return;
    if (series->style == IC_PLOT_DOTS) write_path(p, series, "dots", write_dots);
    if (has_line(series)) write_path(p, series, "line", write_line);
    if (series->style == IC_PLOT_BARS) write_path(p, series, "bars", write_line);
    if (series->style == IC_PLOT_MARKS || series->style == IC_PLOT_LINE_MARKS)
        write_path(p, series, "marks", write_marks);
}

/* Below the picture, so that it hides nothing; in as many lines as the labels need. Returns how
   many. */
static int write_legend(const ic_plot *plot, FILE *stream)
{
    int lines = 0;
    double x = LEFT;
    for (size_t i = 0; i < plot->n_series; i++) {
        const ic_plot_series *series = &plot->series[i];
        if (series->label == NULL || series->label[0] == '\0') continue;
        const double width = LEGEND_MARK + 14 + LETTER * (double)strlen(series->label);
        if (lines == 0 || x + width > RIGHT + LETTER) {
            lines++;
            x = LEFT;
        }
        const double y = HEIGHT + LEGEND_LINE * (lines - 1) + 8;
        fprintf(stream, "<g class=\"key\" data-s=\"%zu\">", i);
        if (has_line(series)) {
            fprintf(stream, "<path class=\"line %s\" d=\"M%.1f %.1fh%d\"/>", class_of(series), x, y,
                    LEGEND_MARK);
        }
        if (series->style == IC_PLOT_CELLS) {
            fprintf(stream, "<path class=\"cells %s\" stroke-width=\"11\" d=\"M%.1f %.1fh%d\"/>",
                    class_of(series), x, y, LEGEND_MARK);
        } else if (series->style == IC_PLOT_DOTS) {
            fprintf(stream, "<path class=\"dots %s\" style=\"stroke-width: 4\" d=\"M%.1f %.1fh0\"/>",
                    class_of(series), x + 0.5 * LEGEND_MARK, y);
        } else if (series->style != IC_PLOT_LINE) {
            fprintf(stream, "<path class=\"marks %s\" d=\"", class_of(series));
            write_mark(stream, series, x + 0.5 * LEGEND_MARK, y);
            fputs("\"/>", stream);
        }
        fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\">", x + LEGEND_MARK + 5, y + 4);
        ic_html_text(stream, series->label);
        fputs("</text></g>\n", stream);
        x += width;
    }
    return lines;
}

static int legend_lines(const ic_plot *plot)
{
    FILE *nowhere = fopen("/dev/null", "w");
    const int lines = nowhere != NULL ? write_legend(plot, nowhere) : 1;
    if (nowhere != NULL) fclose(nowhere);
    return lines;
}

/* The value of a variable of the style: the first one, which is for light ground and for paper. */
static void write_variable(FILE *stream, const char *style, const char *name, size_t length)
{
    char definition[32];
    snprintf(definition, sizeof definition, "%.*s: ", (int)length, name);
    const char *at = strstr(style, definition);
    if (at != NULL) fprintf(stream, "%.*s", (int)strcspn(at + length + 2, ";"), at + length + 2);
}

/* Writes the rules of the pages' style that are for figures; without variables, which few programs for SVG know. */
static void write_style(FILE *stream)
{
    static const char variable[] = "var(";
    const char *style = ic_report_embedded("report.css");
    const char *at = style != NULL ? strstr(style, "svg.plot {") : NULL;
    const char *end = at != NULL ? strstr(at, "ul.findings") : NULL;
    fputs("<style>\n", stream);
    while (at != NULL && at < end) {
        const char *next = strstr(at, variable);
        if (next == NULL || next > end) next = end;
        fwrite(at, 1, (size_t)(next - at), stream);
        at = next;
        if (next == end) break;
        at += strlen(variable);
        write_variable(stream, style, at, strcspn(at, ")"));
        at += strcspn(at, ")") + 1;
    }
    fputs("svg.plot { max-width: none; font-family: sans-serif; }\n</style>\n", stream);
}

/* The title above the picture, in as many lines as it needs; `stream` NULL: counts them. Returns their number. */
static int put_title(const ic_plot *plot, int left, int lines, FILE *stream)
{
    const size_t most = (size_t)((WIDTH - left) / LETTER);
    int n = 0;
    for (const char *at = plot->title; *at != '\0'; n++) {
        char line[128];
        size_t length = strlen(at), cut = length < most ? length : most;
        while (cut < length && cut > 1 && at[cut] != ' ') cut--;
        snprintf(line, sizeof line, "%.*s", (int)cut, at);
        if (stream != NULL) {
            fprintf(stream, "<text x=\"%d\" y=\"%d\" font-weight=\"600\">", left + 4,
                    TITLE_LINE * (n - lines + 1) - 4);
            ic_html_text(stream, line);
            fputs("</text>\n", stream);
        }
        at += cut + strspn(at + cut, " ");
    }
    return n;
}

static void write_head(const picture *p, int left)
{
    const ic_plot *plot = p->plot;
    FILE *stream = p->stream;
    const int lines = plot->alone ? put_title(plot, left, 0, NULL) : 0, top = -TITLE_LINE * lines;
    const int width = WIDTH - left + (plot->alone ? ALONE_RIGHT : 0);
    const int height = HEIGHT + LEGEND_LINE * legend_lines(plot) + 4 - top;
    fprintf(stream, "<svg %sclass=\"plot\" viewBox=\"%d %d %d %d\" role=\"img\" aria-label=\"",
            plot->alone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", left, top, width, height);
    ic_html_text(stream, plot->title);
    fputc('"', stream);
    write_scale(stream, "x", &p->x);
    write_scale(stream, "y", &p->y);
    fputs(">\n", stream);
    if (!plot->alone) return;
    write_style(stream);
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", left, top, width,
            height);
    put_title(plot, left, lines, stream);
}

/* The inner picture clips the series without an id, because an id must be unique on the page. */
void ic_plot_write(const ic_plot *plot, FILE *stream)
{
    picture p = {plot, stream, scale_for(plot, &plot->x, 0), scale_for(plot, &plot->y, 1)};
    p.x.start = LEFT;
    p.x.stop = RIGHT;
    p.y.start = BOTTOM;
    p.y.stop = TOP;
    const int left = -excess_width(&p.y);
    write_head(&p, left);
    write_ticks(stream, &p.x, &p.y);
    write_frame(plot, left, stream);
    fprintf(stream, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\">\n", LEFT - MARK,
            TOP - MARK, RIGHT - LEFT + 2 * MARK, BOTTOM - TOP + 2 * MARK, LEFT - MARK, TOP - MARK,
            RIGHT - LEFT + 2 * MARK, BOTTOM - TOP + 2 * MARK);
    if (plot->cells_x > 0) write_cells(&p);
    for (size_t i = 0; i < plot->n_series; i++) write_series(&p, &plot->series[i]);
    fputs("</svg>\n", stream);
    write_legend(plot, stream);
    fputs("</svg>\n", stream);
}

/* ---- the same by characters */

/* Columns of the ordinate's labels, and lines of the picture: one for so many columns. */
enum { LABELS = 11, LEAST_ACROSS = 20, LEAST_DOWN = 8, MOST_DOWN = 24, ACROSS_FOR_DOWN = 4, TEXT = 64 };

typedef struct canvas {
    const ic_plot *plot;

    /* their places are dots, from the upper left corner on */
    scale x, y;

    /* characters */
    int across, down;

    /* dots of a character: 2 x 4 in Braille, otherwise one */
    int dots_x, dots_y;

    /* across x down: a sign; or 256 and the dots of a Braille character; 0: blank */
    unsigned short *cells;
} canvas;

/* Signs of series one after another. Those of cells lie from light to dark. */
static unsigned char sign_of(const ic_plot *plot, const ic_plot_series *series)
{
    const char *signs = series->style == IC_PLOT_CELLS ? ".:-=+*#%@" : "*o+x#%@&$=~";
    return (unsigned char)signs[(size_t)(series - plot->series) % strlen(signs)];
}

/* A sign; or, where it is 0, a dot. */
static void put_sign(const canvas *c, double x, double y, unsigned char sign)
{
    /* U+2800 and these bits: by column, then by row */
    static const unsigned char bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
    if (!(x > -0.5 && y > -0.5 && x < c->across * c->dots_x - 0.5 && y < c->down * c->dots_y - 0.5)) return;
    const int i = (int)lround(x), k = (int)lround(y);
    unsigned short *cell = &c->cells[k / c->dots_y * c->across + i / c->dots_x];
    if (sign != 0) *cell = sign;
    else if (*cell == 0 || *cell >= 256) *cell = (unsigned short)(*cell | 256u | bits[i % 2][k % 4]);
}

static void put_line(const canvas *c, const double from[2], const double to[2], unsigned char sign)
{
    const double dx = to[0] - from[0], dy = to[1] - from[1];
    const int steps = (int)fmin(ceil(fmax(fabs(dx), fabs(dy))), 1e4);
    for (int i = 0; i <= steps; i++) {
        const double part = steps > 0 ? (double)i / steps : 0;
        put_sign(c, from[0] + part * dx, from[1] + part * dy, sign);
    }
}

/* A line alone, or dots alone, are drawn by dots of Braille; of several series, each has its sign. */
static void put_series(const canvas *c, const ic_plot_series *series)
{
    const bool dots = c->dots_x == 2 && series->style != IC_PLOT_MARKS && series->style != IC_PLOT_CELLS;
    const unsigned char sign = dots ? 0 : sign_of(c->plot, series);
    const picture p = {.plot = c->plot, .x = c->x, .y = c->y};
    double before[2] = {NAN, NAN};
    for (size_t i = 0; i < series->n; i++) {
        const double *point = series->points + 2 * i;
        double at[2] = {NAN, NAN};
        if (is_drawn(c->plot, point)) {
            at[0] = place_x(&p, point);
            at[1] = place_y(&p, point);
            put_line(c, has_line(series) && !isnan(before[0]) ? before : at, at, sign);
        }
        memcpy(before, at, sizeof at);
    }
}

static void tick_text(char text[TEXT], const scale *s, int i)
{
    const tick label = tick_at(s, i);
    const size_t sign = strncmp(label.digits, MINUS, strlen(MINUS)) == 0 ? strlen(MINUS) : 0;
    snprintf(text, TEXT, "%s%s", sign > 0 ? "-" : "", label.digits[0] == '\0' ? "1" : label.digits + sign);
    if (label.has_power) snprintf(text + strlen(text), TEXT - strlen(text), "e%d", label.power);
}

static void write_row(const canvas *c, int row, bool braille, FILE *stream)
{
    char label[TEXT] = "";
    for (int i = 0; i < count_ticks(&c->y); i++) {
        if ((int)lround(place_value(&c->y, c->y.first + i * c->y.step)) / c->dots_y == row)
            tick_text(label, &c->y, i);
    }
    fprintf(stream, "%*s %s", LABELS - 2, label, braille ? "│" : "|");
    const unsigned short *cells = c->cells + (size_t)row * (size_t)c->across;
    int n = c->across;
    while (n > 0 && cells[n - 1] == 0) n--;
    for (int i = 0; i < n; i++) {
        if (cells[i] < 256) fputc(cells[i] == 0 ? ' ' : cells[i], stream);
        else fprintf(stream, "\xe2%c%c", 0xa0 | (cells[i] & 0xc0) >> 6, 0x80 | (cells[i] & 0x3f));
    }
    fputc('\n', stream);
}

static void write_abscissa(const canvas *c, bool braille, FILE *stream)
{
    int column = 0;
    fprintf(stream, "%*s%s", LABELS - 1, "", braille ? "└" : "+");
    for (int i = 0; i < c->across; i++) fputs(braille ? "─" : "-", stream);
    fprintf(stream, "\n%*s", LABELS, "");
    for (int i = 0; i < count_ticks(&c->x); i++) {
        char text[TEXT];
        tick_text(text, &c->x, i);
        const int length = (int)strlen(text);
        const int at = (int)lround(place_value(&c->x, c->x.first + i * c->x.step)) / c->dots_x - length / 2;
        if (at < column && i > 0) continue; /* no room */
        fprintf(stream, "%*s%s ", at > column ? at - column : 0, "", text);
        column = (at > column ? at : column) + length + 1;
    }
    fprintf(stream, "\n%*s%s\n", LABELS + c->across / 2, "", c->plot->x.label);
}

static void write_text(const canvas *c, bool braille, FILE *stream)
{
    const ic_plot *plot = c->plot;
    for (size_t i = 0; i < plot->n_series; i++) put_series(c, &plot->series[i]);
    fprintf(stream, "%s\n%*s%s\n", plot->title, LABELS, "", plot->y.label);
    for (int row = 0; row < c->down; row++) write_row(c, row, braille, stream);
    write_abscissa(c, braille, stream);
    for (size_t i = 0; i < plot->n_series; i++) {
        const ic_plot_series *series = &plot->series[i];
        if (series->label == NULL || series->label[0] == '\0' || series->n == 0) continue;
        fprintf(stream, "%*s%c  %s\n", LABELS, "", sign_of(plot, series), series->label);
    }
}

bool ic_plot_write_text(const ic_plot *plot, FILE *stream, int width, bool braille)
{
    canvas c = {.plot = plot, .x = scale_for(plot, &plot->x, 0), .y = scale_for(plot, &plot->y, 1)};
    size_t lines = 0;
    for (size_t i = 0; i < plot->n_series; i++)
        lines += plot->series[i].style != IC_PLOT_MARKS && plot->series[i].style != IC_PLOT_CELLS;
    c.across = width - LABELS > LEAST_ACROSS ? width - LABELS - 1 : LEAST_ACROSS;
    c.down = c.across / ACROSS_FOR_DOWN;
    c.down = c.down < LEAST_DOWN ? LEAST_DOWN : c.down > MOST_DOWN ? MOST_DOWN : c.down;
    c.dots_x = braille && lines == 1 ? 2 : 1;
    c.dots_y = braille && lines == 1 ? 4 : 1;
    c.x.stop = c.across * c.dots_x - 1;
    c.y.start = c.down * c.dots_y - 1;
    c.cells = calloc((size_t)c.across * (size_t)c.down, sizeof *c.cells);
    if (c.cells == NULL) return false;
    write_text(&c, braille, stream);
    free(c.cells);
    return true;
}
