/* SPDX-License-Identifier: MIT */
#include "audit/common/process.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

bool ic_secret_make(ic_secret *secret)
{
    return getentropy(secret->bytes, sizeof secret->bytes) == 0;
}

bool ic_secret_begins(const ic_secret *secret, const void *packet, size_t size)
{
    return size >= sizeof secret->bytes && memcmp(packet, secret->bytes, sizeof secret->bytes) == 0;
}

bool ic_seal_open(ic_seal *seal, int fd, ic_secret *secret)
{
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return false;
    memcpy(page, secret->bytes, sizeof secret->bytes);
    explicit_bzero(secret, sizeof *secret);
    mprotect(page, size, PROT_NONE);
    *seal = (ic_seal){fd, page, size};
    return true;
}

void ic_seal_write(const ic_seal *seal, const void *bytes, size_t size)
{
    const struct iovec parts[] = {{seal->page, IC_SECRET_SIZE}, {(void *)bytes, size}};
    ssize_t written;
    mprotect(seal->page, seal->page_size, PROT_READ);
    do written = writev(seal->fd, parts, 2);
    while (written == -1 && errno == EINTR);
    mprotect(seal->page, seal->page_size, PROT_NONE);
    if (written != (ssize_t)(size + IC_SECRET_SIZE)) _exit(1);
}
