/* SPDX-License-Identifier: MIT */
/**
 * Public reports of faults in engines, each with the scene that shows it (scenes/threads/threads.yaml).
 */
#ifndef IC_AUDIT_SCENE_SCENE_THREADS_H
#define IC_AUDIT_SCENE_SCENE_THREADS_H

#include "audit/scene/scene_file.h"

enum { IC_THREADS_MOST = 128 };

/** A report, and where it is seen. */
typedef struct ic_scene_thread {
    /* "piqnt/planck.js#223"; its title; what it says, in a line */
    const char *id, *title, *says;

    /* engine and its variant ("": none), configuration */
    const char *engine, *variant, *config;

    /* its state at the time of writing: "open", "mended in 1.4", "documented" */
    const char *state;

    /* whether the audit sees it in this engine */
    bool seen;

    /* the scene, in the settings of the thread; the figure that shows the fault, and the mistake */
    ic_scene_file *scene;
    size_t figure;
    ic_mistake_id mistake;
} ic_scene_thread;

typedef struct ic_scene_threads {
    ic_arena arena;
    ic_scene_thread threads[IC_THREADS_MOST];
    size_t n;
} ic_scene_threads;

/** Read all threads. false: `error` gives the reason. Release with ic_scene_threads_free in any case. */
bool ic_scene_threads_read(ic_scene_threads *threads, ic_error *error);
void ic_scene_threads_free(ic_scene_threads *threads);

/** The thread with this ID, or with this part of it: "planck.js#223". NULL: none, or several. */
const ic_scene_thread *ic_scene_thread_find(const ic_scene_threads *threads, const char *id);

#endif
