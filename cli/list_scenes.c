/* SPDX-License-Identifier: MIT */
/* impactcheck list engines, scenes and threads. */
#include "audit/scene/scene.h"
#include "audit/scene/scene_file.h"
#include "cli/engine_list.h"
#include "cli/list_topics.h"

/* ---- engines */

static bool engine_name(size_t i, ic_hint *name)
{
    return i < cli_known_engine_count && cli_topic_take_name(name, cli_known_engines[i].name);
}

static void add_engine(cli_table *table, size_t i, bool long_form)
{
    (void)long_form;
    CLI_ROW(table, cli_known_engines[i].name, cli_engine_is_built(cli_known_engines[i].name) ? "yes" : "no",
            cli_known_engines[i].from);
}

static void engine_json(ic_json *json, size_t i)
{
    ic_json_object_line(json, NULL);
    IC_JSON_TEXTS(json, {"name", cli_known_engines[i].name}, {"comes_from", cli_known_engines[i].from});
    ic_json_bool(json, "built", cli_engine_is_built(cli_known_engines[i].name));
    ic_json_end(json);
}

const cli_topic cli_topic_engines = {.name = "engines",
                                     .name_at = engine_name,
                                     .titles = "engine|built|comes from",
                                     .add = add_engine,
                                     .json = engine_json};

/* ---- scenes */

/* All scenes of scenes/, which a test has read. They are kept until the program ends. */
static const ic_scenes *all_scenes(void)
{
    static ic_scenes scenes;
    ic_error error;
    if (scenes.n == 0 && !ic_scenes_read(&scenes, "all", NULL, &error)) ic_scenes_free(&scenes);
    return &scenes;
}

static bool scene_name(size_t i, ic_hint *name)
{
    return i < all_scenes()->n && cli_topic_take_name(name, all_scenes()->files[i]->name);
}

static void add_scene(cli_table *table, size_t i, bool long_form)
{
    const ic_scene_file *scene = all_scenes()->files[i];
    (void)long_form;
    CLI_ROW(table, scene->name, scene->title, scene->asks);
}

static void scene_json(ic_json *json, size_t i)
{
    const ic_scene_file *scene = all_scenes()->files[i];
    ic_json_object(json, NULL);
    IC_JSON_TEXTS(json, {"name", scene->name}, {"title", scene->title}, {"asks", scene->asks});
    ic_json_integer(json, "settings", (long long)ic_scene_settings(scene));
    ic_json_array_line(json, "figures");
    for (size_t k = 0; k < scene->n_figures; k++) ic_json_text(json, NULL, scene->figures[k].name);
    ic_json_end(json);
    ic_json_end(json);
}

const cli_topic cli_topic_scenes = {.name = "scenes",
                                    .name_at = scene_name,
                                    .titles = "scene|title|question",
                                    .add = add_scene,
                                    .json = scene_json};

/* ---- threads */

static const ic_scene_threads *all_threads(void)
{
    static ic_scene_threads threads;
    ic_error error;
    if (threads.n == 0 && !ic_scene_threads_read(&threads, &error)) ic_scene_threads_free(&threads);
    return &threads;
}

static bool thread_name(size_t i, ic_hint *name)
{
    return i < all_threads()->n && cli_topic_take_name(name, all_threads()->threads[i].id);
}

static void add_thread(cli_table *table, size_t i, bool long_form)
{
    const ic_scene_thread *t = &all_threads()->threads[i];
    (void)long_form;
    CLI_ROW(table, t->id, t->engine, t->scene->name, t->title, t->state);
}

static void thread_json(ic_json *json, size_t i)
{
    const ic_scene_thread *t = &all_threads()->threads[i];
    ic_json_object(json, NULL);
    IC_JSON_TEXTS(json, {"name", t->id}, {"title", t->title}, {"says", t->says}, {"engine", t->engine},
                  {"config", t->config}, {"scene", t->scene->name},
                  {"figure", t->scene->figures[t->figure].name}, {"mistake", ic_mistake_name(t->mistake)},
                  {"state", t->state});
    ic_json_bool(json, "seen", t->seen);
    ic_json_end(json);
}

const cli_topic cli_topic_threads = {.name = "threads",
                                     .name_at = thread_name,
                                     .titles = "thread|engine|scene|title|state",
                                     .add = add_thread,
                                     .json = thread_json};
