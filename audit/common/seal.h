/* SPDX-License-Identifier: MIT */
/**
 * Packets that only our own code in a child can write. Each begins with a secret of the run, which
 * the child has on a page that cannot be read but while a packet is written: what else writes into
 * the same descriptor, by a guess of its number, is told apart. An audited library that makes that
 * page readable, or searches /proc/self/mem, is not kept from it.
 */
#ifndef IC_AUDIT_COMMON_SEAL_H
#define IC_AUDIT_COMMON_SEAL_H

#include <stdbool.h>
#include <stddef.h>

enum { IC_SECRET_SIZE = 32 };

typedef struct ic_secret {
    unsigned char bytes[IC_SECRET_SIZE];
} ic_secret;

/** A new one. false: the system has no random numbers. */
bool ic_secret_make(ic_secret *secret);

/** Whether a packet begins with it; what it holds stands IC_SECRET_SIZE bytes behind its begin. */
bool ic_secret_begins(const ic_secret *secret, const void *packet, size_t size);

/** The writing side. */
typedef struct ic_seal {
    /* of a socket that keeps packets apart */
    int fd;

    unsigned char *page;
    size_t page_size;
} ic_seal;

/** Take the secret into hiding; nothing is left of it where it was. false: the system refuses. */
bool ic_seal_open(ic_seal *seal, int fd, ic_secret *secret);

/** Write a packet. A reader that has gone ends the process: there is nobody to report to. */
void ic_seal_write(const ic_seal *seal, const void *bytes, size_t size);

#endif
