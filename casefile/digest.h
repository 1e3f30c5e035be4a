/* SPDX-License-Identifier: MIT */
/**
 * SHA-256 (FIPS 180-4). It names compiled case files; no two different files with one digest are
 * known.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Length of a digest in hexadecimal, with the zero byte at its end. */
enum { IC_DIGEST_TEXT = 65 };

/** The state of a digest; zero-initialized before it begins. */
typedef struct ic_digest {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
} ic_digest;

/** Begin a digest, add bytes to it, and write it in hexadecimal. */
void ic_digest_begin(ic_digest *digest);
void ic_digest_add(ic_digest *digest, const void *bytes, size_t size);
void ic_digest_end(ic_digest *digest, char text[IC_DIGEST_TEXT]);
