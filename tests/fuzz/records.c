/* SPDX-License-Identifier: MIT */
/* Input: bytes from a plugin's child process, which may have been made to write anything. The
   report always has findings of known checks, verdicts and mistakes, classifications with known
   names, and texts that are terminated and printable. */
#include "audit/common/finding.h"
#include "audit/common/process.h"
#include "audit/plugin/plugin.h"
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SOCKET_HOLDS = 1 << 16 }; /* bytes, on Linux; more would block without a reader */

#define SECONDS 10.0

static bool is_printable(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\0') return true;
        if (text[i] < ' ' || text[i] > '~') return false;
    }
    return false;
}

#define PRINTABLE(text_) is_printable(text_, sizeof(text_))

static const char *judge_finding(const ic_finding *f)
{
    if (f->check < ic_plugin_checks || f->check >= ic_plugin_checks + IC_PLUGIN_CHECK_COUNT)
        return "a check is known";
    if (f->verdict < IC_FINDING_PASS || f->verdict > IC_FINDING_OPEN) return "a verdict is known";
    if (f->cause < IC_NO_MISTAKE || f->cause >= IC_MISTAKE_COUNT) return "a mistake is known";
    if (!PRINTABLE(f->subject) || !PRINTABLE(f->place) || !PRINTABLE(f->origin) || !PRINTABLE(f->detail))
        return "texts are printable";
    return NULL;
}

static const char *judge_classification(const ic_classification *c)
{
    if (c->count > IC_MOST_CANDIDATES) return "there is room for the candidates";
    if (c->decided && c->count == 0) return "what is decided has an answer";
    if (!PRINTABLE(c->subject) || !PRINTABLE(c->detail)) return "texts are printable";
    for (size_t i = 0; i < c->count; i++) {
        if (c->candidates[i].name[0] == '\0') return "a candidate has a name";
    }
    return NULL;
}

static const char *judge_said(const ic_plugin_said *said)
{
    const char *broken = NULL;
    for (size_t i = 0; i < said->report->findings.count && broken == NULL; i++)
        broken = judge_finding(&said->report->findings.rows[i]);
    for (size_t i = 0; i < said->report->n_classifications && broken == NULL; i++)
        broken = judge_classification(&said->report->classifications[i]);
    for (size_t i = 0; i < said->report->n_points && broken == NULL; i++) {
        if (!PRINTABLE(said->report->points[i].subject)) broken = "texts are printable";
    }
    for (size_t i = 0; i < said->n_subjects && broken == NULL; i++) {
        const ic_plugin_subject *s = &said->subjects[i];
        if (s->kind >= IC_PLUGIN_KINDS || s->index > i || !PRINTABLE(s->name)) broken = "a subject is known";
    }
    if (said->refused && !PRINTABLE(said->error->text)) broken = "the error is printable";
    return broken;
}

static const ic_secret secret = {"of a run that nobody has guessed"};

/* Returns the reading end of a socket with the records made of these bytes, each after the secret,
   and the rest without it; or -1. */
static int open_socket_of(const uint8_t *data, size_t size)
{
    uint8_t packet[IC_SECRET_SIZE + sizeof(ic_record)];
    int fds[2];
    bool good = true;
    if (size > SOCKET_HOLDS || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) != 0) return -1;
    memcpy(packet, secret.bytes, sizeof secret.bytes);
    for (; size >= sizeof(ic_record) && good; data += sizeof(ic_record), size -= sizeof(ic_record)) {
        memcpy(packet + IC_SECRET_SIZE, data, sizeof(ic_record));
        good = send(fds[1], packet, sizeof packet, MSG_DONTWAIT) == (ssize_t)sizeof packet;
    }
    if (size > 0 && good) good = send(fds[1], data, size, MSG_DONTWAIT) == (ssize_t)size;
    close(fds[1]);
    if (good) return fds[0];
    close(fds[0]);
    return -1;
}

static const char *judge_records(ic_child_reader *read, int fd, size_t size, ic_plugin_said *said)
{
    ic_child_end end = {0};
    ic_process process = {.answer = fd, .errors = -1, .line = -1, .deadline = ic_process_now() + SECONDS};
    ic_child_listen(&end, &process, &secret, read, said);
    if (end.late) return "a socket that is closed ends it";
    if (end.forged > 1) return "what begins with the secret is taken";
    if (end.whole && size < sizeof(ic_record)) return "an end that is whole was said by a record";
    if (!PRINTABLE(end.doing)) return "what was done last is printable";
    const size_t taken = said->report->findings.count + said->report->n_classifications +
                         said->report->n_points + said->n_subjects;
    if (taken + said->n_broken > size / sizeof(ic_record)) return "there are no more answers than records";
    return judge_said(said);
}

const char *ic_fuzz_records_by(ic_child_reader *read, const uint8_t *data, size_t size)
{
    ic_audit_report report = {0};
    ic_error error = {""};
    ic_plugin_said *said = calloc(1, sizeof *said);
    const int fd = said != NULL ? open_socket_of(data, size) : -1;
    const char *broken = NULL;
    if (fd >= 0) {
        said->report = &report;
        said->error = &error;
        broken = judge_records(read, fd, size, said);
        close(fd);
    }
    ic_audit_report_free(&report);
    free(said);
    return broken;
}
