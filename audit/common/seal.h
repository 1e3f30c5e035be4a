/* SPDX-License-Identifier: MIT */
/**
 * Packets that only our own code in a child can write. Each packet begins with a secret of the run.
 * The secret is on a page that is readable only while a packet is written, so that a library that
 * writes to a guessed descriptor is detected. A library that makes this page readable, or searches
 * /proc/self/mem, is not stopped by it.
 */
#ifndef IC_AUDIT_COMMON_SEAL_H
#define IC_AUDIT_COMMON_SEAL_H

#include <stdbool.h>
#include <stddef.h>

enum { IC_SECRET_SIZE = 32 };

typedef struct ic_secret {
    unsigned char bytes[IC_SECRET_SIZE];
} ic_secret;

/** Make a new secret. false: the system has no random numbers. */
bool ic_secret_make(ic_secret *secret);

/** Whether a packet begins with the secret; the content follows it. */
bool ic_secret_begins(const ic_secret *secret, const void *packet, size_t size);

/** The writing side. */
typedef struct ic_seal {
    /* a packet socket */
    int fd;

    unsigned char *page;
    size_t page_size;
} ic_seal;

/** Move the secret to the hidden page and erase it where it was. false: the system refuses. */
bool ic_seal_open(ic_seal *seal, int fd, ic_secret *secret);

/** Write a packet. If the reader has ended, the process exits. */
void ic_seal_write(const ic_seal *seal, const void *bytes, size_t size);

#endif
