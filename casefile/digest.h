/* SPDX-License-Identifier: MIT */
/** SHA-256 (FIPS 180-4): names of compiled case files, which nobody can make to coincide. */
#ifndef IC_CASEFILE_DIGEST_H
#define IC_CASEFILE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/** Digits of a digest in hexadecimal, and a zero byte. */
enum { IC_DIGEST_TEXT = 65 };

/** Zero-initialized: not begun. */
typedef struct ic_digest {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
} ic_digest;

/** Begin, add bytes, and write the digest in hexadecimal. */
void ic_digest_begin(ic_digest *digest);
void ic_digest_add(ic_digest *digest, const void *bytes, size_t size);
void ic_digest_end(ic_digest *digest, char text[IC_DIGEST_TEXT]);

#endif
