/* SPDX-License-Identifier: MIT */
/*
 * Modes and guards as a graph: nodes in a row, forward jumps as arcs above it, backward jumps
 * below.
 */
#include "reports/html.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NODES = 10,
    MOST_EDGES = 64,
    LABEL = 160,
    WIDTH = 230,
    NODE = 120,
    HEIGHT = 32,
    STEP = 44,
    SHOWN = 24 /* letters of a label */
};

typedef struct edge {
    int from, to;
    char label[LABEL];
} edge;

typedef struct graph {
    const char *nodes[MOST_NODES];
    int n_nodes;
    edge edges[MOST_EDGES];
    int n_edges;
} graph;

static int find_node(const graph *g, const char *name)
{
    for (int i = 0; i < g->n_nodes; i++) {
        if (strcmp(g->nodes[i], name) == 0) return i;
    }
    return -1;
}

/* Guards that lead the same way share an arc. */
static void add_edge(graph *g, int from, int to, const char *label)
{
    int i = 0;
    if (from < 0 || to < 0) return;
    while (i < g->n_edges && (g->edges[i].from != from || g->edges[i].to != to)) i++;
    if (i == MOST_EDGES) return;
    edge *e = &g->edges[i];
    if (i == g->n_edges) {
        g->n_edges++;
        *e = (edge){.from = from, .to = to};
    }
    const size_t n = strlen(e->label);
    snprintf(e->label + n, LABEL - n, "%s%s", n > 0 ? ", " : "", label);
}

static void draw_node(FILE *out, const char *name, int x, int y)
{
    fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"12\"></rect>\n",
            x - NODE / 2, y - HEIGHT / 2, NODE, HEIGHT);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\"", x, y + 4);
    if (strlen(name) > 18) fprintf(out, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", NODE - 8);
    IC_HTML(out, ">%</text>\n", name);
}

static int edge_span(const edge *e)
{
    return e->from == e->to ? 1 : abs(e->from - e->to);
}

/* The beginning of a long label. The title has the whole label. */
static void write_label(FILE *out, const char *label)
{
    char shown[LABEL];
    size_t n = strlen(label);
    if (n > SHOWN) {
        n = SHOWN - 1;
        while (n > 0 && ((unsigned char)label[n] & 0xC0u) == 0x80u) n--; /* whole characters */
    }
    snprintf(shown, sizeof shown, "%.*s%s", (int)n, label, label[n] != '\0' ? "…" : "");
    IC_HTML(out, "<title>%</title>%</text>\n", label, shown);
}

/* Start and end of an arc, and the side to which it bends: -1 up, 1 down. */
typedef struct arc {
    int from, to, y, side;
} arc;

static arc arc_of(const edge *e, int y)
{
    const bool loop = e->from == e->to, back = e->to < e->from;
    const int side = back ? 1 : -1, shift = loop ? 18 : back ? -30 : 30;
    const int from = WIDTH / 2 + e->from * WIDTH, to = WIDTH / 2 + e->to * WIDTH;
    return (arc){.from = from + (loop ? -shift : shift),
                 .to = to + (loop ? shift : -shift),
                 .y = y + side * HEIGHT / 2,
                 .side = side};
}

static void draw_arc(FILE *out, const edge *e, int y)
{
    const arc a = arc_of(e, y);
    const int far = a.y + a.side * STEP * edge_span(e);
    fprintf(out, "<path class=\"line\" stroke=\"currentColor\" d=\"M%d %d C%d %d %d %d %d %d\"></path>\n",
            a.from, a.y, a.from, far, a.to, far, a.to, a.y + a.side * 6);
    fprintf(out, "<path class=\"head\" fill=\"currentColor\" d=\"M%d %d l-4 %d h8 z\"></path>\n", a.to, a.y,
            a.side < 0 ? -8 : 8);
}

/* A cubic curve reaches three quarters of the way to its control points. */
static void draw_label(FILE *out, const edge *e, int y)
{
    const arc a = arc_of(e, y);
    fprintf(out, "<text class=\"over\" x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\">",
            (a.from + a.to) / 2, a.y + a.side * (STEP * edge_span(e) * 3 / 4 + 4) + (a.side > 0 ? 10 : 0));
    write_label(out, e->label);
}

static void draw_graph(FILE *out, const graph *g, const char *title)
{
    int above = 0, below = 0;
    for (int i = 0; i < g->n_edges; i++) {
        int *most = g->edges[i].to < g->edges[i].from ? &below : &above;
        if (edge_span(&g->edges[i]) > *most) *most = edge_span(&g->edges[i]);
    }
    const int y = HEIGHT / 2 + above * STEP * 3 / 4 + 22, height = y + HEIGHT / 2 + below * STEP * 3 / 4 + 22;
    const bool wide = g->n_nodes > 2; /* too wide for a telephone */
    fputs(wide ? "<figure class=\"wide\">\n" : "<figure>\n", out);
    IC_HTML(out, "<figcaption>%</figcaption>\n", title);
    if (wide) IC_HTML(out, "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"%\">\n", title);
    fprintf(out,
            "<svg class=\"plot\" style=\"max-width: %dpx%s\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
            g->n_nodes * WIDTH, wide ? "; min-width: 36rem" : "", g->n_nodes * WIDTH, height);
    IC_HTML(out, "%\">\n", title);
    for (int i = 0; i < g->n_nodes; i++) draw_node(out, g->nodes[i], WIDTH / 2 + i * WIDTH, y);
    for (int i = 0; i < g->n_edges; i++) draw_arc(out, &g->edges[i], y);
    for (int i = 0; i < g->n_edges; i++) draw_label(out, &g->edges[i], y); /* above all arcs */
    fputs(wide ? "</svg>\n</div>\n</figure>\n" : "</svg>\n</figure>\n", out);
}

/* ---- modes of a variant */

static void add_jump(graph *g, int from, const json_t *jump, const char *label)
{
    bool done[MOST_NODES] = {false};
    for (size_t b = 0; b < json_array_size(jump); b++) {
        const json_t *branch = json_array_get(jump, b);
        const int named = find_node(g, ic_report_text(branch, "mode"));
        const size_t target = (size_t)(named >= 0 ? named : from);
        if (target < MOST_NODES && !done[target]) add_edge(g, from, (int)target, label);
        if (target < MOST_NODES) done[target] = true;
    }
}

/* Draws the graph. false: it has too many nodes. */
static bool graph_of_modes(graph *g, const json_t *modes)
{
    if (json_array_size(modes) > MOST_NODES) return false;
    for (size_t i = 0; i < json_array_size(modes); i++)
        g->nodes[g->n_nodes++] = ic_report_text(json_array_get(modes, i), "name");
    for (size_t i = 0; i < json_array_size(modes); i++) {
        const json_t *guards = json_object_get(json_array_get(modes, i), "guards");
        for (size_t k = 0; k < json_array_size(guards); k++) {
            const json_t *guard = json_array_get(guards, k);
            char often[LABEL];
            const char *name = ic_report_text(guard, "name");
            snprintf(often, sizeof often, "%s, infinitely often", name);
            add_jump(g, (int)i, json_object_get(guard, "jump"), name);
            add_jump(g, (int)i, json_object_get(guard, "accumulates"), often);
        }
    }
    return true;
}

/* ---- states of elements */

static const struct {
    const char *kind, *nodes[3], *edges[5][3];
} kinds[] = {
    {"stop",
     {"free", "pressed", NULL},
     {{"free", "free", "impact"},
      {"free", "pressed", "impacts accumulate"},
      {"pressed", "free", "contact force is zero"}}},
    {"friction",
     {"slips backwards", "sticks", "slips forwards"},
     {{"slips backwards", "sticks", "stops"},
      {"sticks", "slips backwards", "friction limit"},
      {"sticks", "slips forwards", "friction limit"},
      {"slips forwards", "sticks", "stops"}}},
    {"contact",
     {"apart", "in contact", NULL},
     {{"apart", "in contact", "touches"}, {"in contact", "apart", "separates"}}},
    {"switch", {"off", "on", NULL}, {{"off", "on", "input rises"}, {"on", "off", "input falls"}}},
};

static void draw_element(FILE *out, const char *name, const char *kind, const char *family)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        graph g = {.n_nodes = 0};
        char title[IC_WEB_PATH];
        if (strcmp(kinds[i].kind, kind) != 0) continue;
        for (size_t k = 0; k < 3 && kinds[i].nodes[k] != NULL; k++) g.nodes[g.n_nodes++] = kinds[i].nodes[k];
        for (size_t k = 0; k < 5 && kinds[i].edges[k][0] != NULL; k++)
            add_edge(&g, find_node(&g, kinds[i].edges[k][0]), find_node(&g, kinds[i].edges[k][1]),
                     kinds[i].edges[k][2]);
        snprintf(title, sizeof title, "States of %s, a %s%s%s", name, kind, family[0] != '\0' ? ", " : "",
                 family);
        draw_graph(out, &g, title);
    }
}

static void draw_elements(FILE *out, const json_t *elements, const char *family)
{
    const char *name;
    json_t *element;
    json_object_foreach((json_t *)elements, name, element)
    {
        if (strncmp(name, "for ", 4) == 0) {
            draw_elements(out, element, name);
            continue;
        }
        for (void *kind = json_object_iter(element); kind != NULL; kind = json_object_iter_next(element, kind))
            draw_element(out, name, json_object_iter_key(kind), family);
    }
}

void ic_page_graphs(FILE *out, const json_t *about)
{
    const json_t *variants = json_object_get(about, "variants"), *text = json_object_get(about, "text"),
                 *elements = json_object_get(text, "elements");
    const char *first = ic_report_text(json_array_get(json_object_get(about, "presets"), 0), "variant");
    fputs("<h2 id=\"graph\">Modes and events</h2>\n<div class=\"figures\">\n", out);
    for (size_t i = 0; i < json_array_size(variants); i++) {
        const json_t *variant = json_array_get(variants, i);
        graph g = {.n_nodes = 0};
        char title[IC_WEB_PATH];
        if (!ic_text_is(variant, "name", first)) continue;
        /* A case with one mode: its elements make all events. */
        if (elements != NULL && json_array_size(json_object_get(variant, "modes")) == 1) continue;
        snprintf(title, sizeof title, "Modes, and the events that lead from one to another, in variant %s",
                 first);
        if (graph_of_modes(&g, json_object_get(variant, "modes"))) draw_graph(out, &g, title);
        else fputs("<p>There are too many modes to be drawn.</p>\n", out);
    }
    draw_elements(out, elements, "");
    fputs("</div>\n", out);
}
