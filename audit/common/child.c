/* SPDX-License-Identifier: MIT */
#include "audit/common/finding.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct child_job {
    ic_child_work *work;
    void *context;
    ic_secret secret;
} child_job;

static int be_child(int answer, void *context)
{
    child_job *j = context;
    ic_seal seal;
    ic_finding_writer writer = {.seal = &seal};
    if (!ic_seal_open(&seal, answer, &j->secret)) return 1;
    j->work(&writer, j->context);
    ic_write_record(&writer, IC_RECORD_END, 0, "");
    return 0;
}

static void receive_record(ic_child_end *end, ic_record *record, ic_child_reader *reader, void *context)
{
    ic_record_make_printable(record);
    if (record->kind == IC_RECORD_END) end->whole = true;
    else if (record->kind == IC_RECORD_EXCUSED) end->excused = true;
    else if (record->kind == IC_RECORD_DOING) {
        memcpy(end->doing, record->text, sizeof end->doing);
        end->excused = false;
    } else reader(record, context);
}

void ic_child_listen(ic_child_end *end, ic_process *process, const ic_secret *secret, ic_child_reader *reader,
                     void *context)
{
    /* one byte more, to detect packets that are too long */
    unsigned char packet[IC_SECRET_SIZE + sizeof(ic_record) + 1];
    ic_record record;
    ssize_t got = 0;
    while (!end->whole && (got = ic_process_read(process, packet, sizeof packet)) > 0) {
        if ((size_t)got == sizeof packet - 1 && ic_secret_begins(secret, packet, (size_t)got)) {
            memcpy(&record, packet + IC_SECRET_SIZE, sizeof record);
            receive_record(end, &record, reader, context);
        } else end->forged++;
    }
    end->late = got == -1;
}

static void tell_end(ic_child_end *end, const ic_process_end *ended)
{
    const int state = ended->supervised.state;
    if (!ended->in_time) end->late = true;
    end->lost = ended->lost;
    end->attempts = ended->lost ? 0 : ended->supervised.attempts;
    end->processor = ended->lost ? 0 : ended->supervised.processor;
    if (!end->late && WIFSIGNALED(state)) end->signal = WTERMSIG(state);
    if (WIFEXITED(state)) end->status = WEXITSTATUS(state);
    if (!end->late && !end->whole)
        ic_limit_that_ended(end->limit, sizeof end->limit, end->signal, &ended->supervised);
}

ic_child_end ic_child_run(ic_child_work *work, ic_child_reader *reader, void *context, double seconds)
{
    const ic_process_settings settings = {.input = -1, .confined = true, .seconds = seconds};
    ic_child_end end = {0};
    child_job j = {.work = work, .context = context};
    ic_process process;
    end.started = ic_secret_make(&j.secret) && ic_process_start(&process, be_child, &j, &settings);
    if (!end.started) return end;
    ic_child_listen(&end, &process, &j.secret, reader, context);
    /* The child is complete, dead or late. Do not wait for a child that only closed its output. */
    const ic_process_end ended = ic_process_finish(&process, end.late || end.whole);
    end.started = ended.supervised.refused == 0;
    tell_end(&end, &ended);
    ic_process_last_words(&process, end.words, sizeof end.words);
    return end;
}
