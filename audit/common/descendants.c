/* SPDX-License-Identifier: MIT */
#include "audit/common/process.h"
#include "core/array.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct process {
    pid_t id, parent;
    unsigned long long start;

    /* with that of children that have ended, in ticks */
    unsigned long long processor;

    bool alive, runs, descends;
} process;

typedef struct process_list {
    process *rows;
    size_t count, capacity;
} process_list;

/*
 * The field of a given number after the name, which may contain blanks and parentheses; field 3 is
 * the state.
 */
static const char *field(const char *after_name, int number)
{
    for (int i = 2; i < number && after_name != NULL; i++) {
        after_name = strchr(after_name, ' ');
        if (after_name != NULL) after_name++;
    }
    return after_name;
}

static bool read_process(process *p, const char *id)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%.20s/stat", id);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file == -1) return false;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return false;
    text[length] = '\0';
    const char *name_end = strrchr(text, ')');
    const char *state = name_end != NULL ? field(name_end, 3) : NULL;
    const char *parent = name_end != NULL ? field(name_end, 4) : NULL;
    const char *start = name_end != NULL ? field(name_end, 22) : NULL;
    if (state == NULL || parent == NULL || start == NULL) return false;
    p->id = (pid_t)strtol(id, NULL, 10);
    p->parent = (pid_t)strtol(parent, NULL, 10);
    p->start = strtoull(start, NULL, 10);
    p->processor = 0;
    for (int i = 14; i <= 17; i++) p->processor += strtoull(field(name_end, i), NULL, 10);
    p->alive = *state != 'Z' && *state != 'X';
    p->runs = *state == 'R' || *state == 'D';
    p->descends = false;
    return true;
}

static bool add_process(process_list *list, const process *p)
{
    process *rows = ic_array_reserve(list->rows, &list->capacity, list->count, sizeof *rows);
    if (rows == NULL) return false;
    list->rows = rows;
    list->rows[list->count++] = *p;
    return true;
}

static process_list list_processes(void)
{
    process_list list = {0};
    process p;
    DIR *folder = opendir("/proc");
    if (folder == NULL) return list;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const bool numbered = entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
        if (numbered && read_process(&p, entry->d_name) && !add_process(&list, &p)) break;
    }
    closedir(folder);
    return list;
}

static bool descends(const process_list *list, const process *p, pid_t root, unsigned long long since)
{
    if (p->parent == root) return p->start >= since;
    for (size_t i = 0; i < list->count; i++) {
        if (list->rows[i].id == p->parent) return list->rows[i].descends;
    }
    return false;
}

static void mark_descendants(process_list *list, pid_t root, unsigned long long since)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < list->count; i++) {
            process *p = &list->rows[i];
            if (p->descends || !descends(list, p, root, since)) continue;
            p->descends = changed = true;
        }
    }
}

unsigned long long ic_process_start_time(pid_t id)
{
    char digits[24];
    process p;
    snprintf(digits, sizeof digits, "%ld", (long)id);
    return read_process(&p, digits) ? p.start : 0;
}

size_t ic_descendants_kill(pid_t root, unsigned long long since)
{
    process_list list = list_processes();
    size_t killed = 0;
    mark_descendants(&list, root, since);
    for (size_t i = 0; i < list.count; i++) {
        if (!list.rows[i].descends || !list.rows[i].alive) continue;
        kill(list.rows[i].id, SIGKILL);
        killed++;
    }
    free(list.rows);
    return killed;
}

ic_descendants_use ic_descendants_measure(pid_t root)
{
    process_list list = list_processes();
    ic_descendants_use use = {0, false};
    unsigned long long ticks = 0;
    mark_descendants(&list, root, 0);
    for (size_t i = 0; i < list.count; i++) {
        if (!list.rows[i].descends || !list.rows[i].alive) continue;
        ticks += list.rows[i].processor;
        use.runs |= list.rows[i].runs;
    }
    use.processor = (double)ticks / (double)sysconf(_SC_CLK_TCK);
    free(list.rows);
    return use;
}
