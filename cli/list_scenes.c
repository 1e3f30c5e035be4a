/* SPDX-License-Identifier: MIT */
/* impactcheck list engines, scenes and threads. */
#include "audit/scene/scene.h"
#include "audit/scene/scene_file.h"
#include "cli/engine_list.h"
#include "cli/list_topics.h"

/* ---- engines */

CLI_TOPIC_NAMES(engine, i < cli_known_engine_count, cli_known_engines[i].name)

CLI_TOPIC_ROWS(engine, cli_known_engines[i].name, cli_engine_is_built(cli_known_engines[i].name) ? "yes" : "no",
               cli_known_engines[i].from)

static void engine_json(ic_json *json, size_t i)
{
    IC_JSON_ROW(json, NULL, IC_TEXT("name", cli_known_engines[i].name),
                IC_TEXT("comes_from", cli_known_engines[i].from),
                IC_FLAG("built", cli_engine_is_built(cli_known_engines[i].name)));
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

static const ic_scene_file *scene_at(size_t i)
{
    return all_scenes()->files[i];
}

CLI_TOPIC_NAMES(scene, i < all_scenes()->n, scene_at(i)->name)

CLI_TOPIC_ROWS(scene, scene_at(i)->name, scene_at(i)->title, scene_at(i)->asks)

static void scene_json(ic_json *json, size_t i)
{
    const ic_scene_file *scene = scene_at(i);
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", scene->name), IC_TEXT("title", scene->title),
                    IC_TEXT("asks", scene->asks), IC_WHOLE("settings", ic_scene_settings(scene)));
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

static const ic_scene_thread *thread_at(size_t i)
{
    return &all_threads()->threads[i];
}

CLI_TOPIC_NAMES(thread, i < all_threads()->n, thread_at(i)->id)

CLI_TOPIC_ROWS(thread, thread_at(i)->id, thread_at(i)->engine, thread_at(i)->scene->name, thread_at(i)->title,
               thread_at(i)->state)

static void thread_json(ic_json *json, size_t i)
{
    const ic_scene_thread *t = thread_at(i);
    ic_json_object(json, NULL);
    IC_JSON_MEMBERS(json, IC_TEXT("name", t->id), IC_TEXT("title", t->title), IC_TEXT("says", t->says),
                    IC_TEXT("engine", t->engine), IC_TEXT("config", t->config),
                    IC_TEXT("scene", t->scene->name), IC_TEXT("figure", t->scene->figures[t->figure].name),
                    IC_TEXT("mistake", ic_mistake_name(t->mistake)), IC_TEXT("state", t->state),
                    IC_FLAG("seen", t->seen));
    ic_json_end(json);
}

const cli_topic cli_topic_threads = {.name = "threads",
                                     .name_at = thread_name,
                                     .titles = "thread|engine|scene|title|state",
                                     .add = add_thread,
                                     .json = thread_json};
