/* SPDX-License-Identifier: MIT */
#include "audit/child.h"

#include "audit/process.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct job {
    ic_child_work *work;
    void *context;
} job;

/* In the child: nothing on standard output, which is the report's. */
static int be_child(int answer, void *context)
{
    const job *j = context;
    ic_sink sink = {.fd = answer};
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere != -1) dup2(nowhere, STDOUT_FILENO);
    j->work(&sink, j->context);
    ic_sink_record(&sink, IC_RECORD_END, 0, "");
    return 0;
}

/* One record, or what there is until the deadline. 1: a record; 0: the end; -1: too late. */
static int receive(int fd, ic_record *record, double deadline)
{
    char *at = (char *)record;
    size_t left = sizeof *record;
    while (left > 0) {
        const ssize_t got = ic_process_read(fd, at, left, deadline);
        if (got <= 0) return (int)got;
        at += got;
        left -= (size_t)got;
    }
    return 1;
}

void ic_child_listen(ic_child_end *end, int fd, ic_child_reader *reader, void *context, double deadline)
{
    ic_record record;
    int got = 0;
    while (!end->whole && (got = receive(fd, &record, deadline)) == 1) {
        ic_record_make_printable(&record);
        if (record.kind == IC_RECORD_END) end->whole = true;
        else if (record.kind == IC_RECORD_EXCUSED) end->excused = true;
        else if (record.kind == IC_RECORD_DOING) {
            memcpy(end->doing, record.text, sizeof end->doing);
            end->excused = false;
        } else reader(&record, context);
    }
    end->late = got == -1;
}

ic_child_end ic_child_run(ic_child_work *work, ic_child_reader *reader, void *context, double seconds)
{
    ic_child_end end = {0};
    job j = {work, context};
    const double deadline = ic_process_now() + seconds;
    int answer = -1, state = 0;
    const pid_t child = ic_process_start(&answer, be_child, &j);
    end.started = child > 0;
    if (!end.started) return end;
    ic_child_listen(&end, answer, reader, context, deadline);
    /* it has said all, or is dead, or is late; one that only hides its end must not be waited for */
    if (!ic_process_finish(child, end.late || end.whole, &state, deadline)) end.late = true;
    if (!end.late && WIFSIGNALED(state)) end.signal = WTERMSIG(state);
    if (WIFEXITED(state)) end.status = WEXITSTATUS(state);
    close(answer);
    return end;
}
