/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_play.h"
#include "audit/common/plugin_load.h"
#include "core/expression.h"

#include <stdio.h>

/* Exit statuses of the process. */
enum { GOOD = 0, NO_LIBRARY = 2, GAVE_UP = 4 };

/* ---- rows */

typedef struct packet {
    const ic_seal *seal;
    char text[IC_ENGINE_PACKET];
    size_t length;
} packet;

enum { ROW_MOST = 256 }; /* bytes: seven numbers of 17 digits */

static void send_packet(packet *p)
{
    if (p->length > 0) ic_seal_write(p->seal, p->text, p->length);
    p->length = 0;
}

static bool take(void *context, const ic_body_row *row)
{
    packet *p = context;
    if (p->length + ROW_MOST > sizeof p->text) send_packet(p);
    p->length += (size_t)snprintf(p->text + p->length, ROW_MOST, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                                  row->t, row->x, row->y, row->phi, row->vx, row->vy, row->omega);
    return true;
}

int ic_engine_play(const ic_seal *seal, const char *library, size_t index, const ic_engine_scene *asked)
{
    static packet rows;
    ic_error error;
    const ic_plugin *plugin = ic_plugin_load(library, &error);
    if (plugin == NULL || index >= plugin->n_engines) return NO_LIBRARY;
    const ic_scene scene = ic_scene_of(asked);
    rows.seal = seal;
    rows.length = (size_t)snprintf(rows.text, sizeof rows.text, "t,x,y,phi,vx,vy,omega\n");
    const ic_status status = plugin->engines[index]->run(&scene, take, &rows);
    send_packet(&rows);
    return status == IC_OK ? GOOD : GAVE_UP;
}
