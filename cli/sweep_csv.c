/* SPDX-License-Identifier: MIT */
#include "cli/file.h"
#include "cli/sweep_file.h"

#include <errno.h>

enum { BLOCK = 1 << 16 };

static bool copy_bytes(FILE *to, FILE *from, size_t n)
{
    char block[BLOCK];
    for (size_t left = n, m; left > 0; left -= m) {
        m = left < BLOCK ? left : BLOCK;
        if (fread(block, 1, m, from) != m || fwrite(block, 1, m, to) != m) return false;
    }
    return true;
}

/* FILE is FILE.part without the lines before chunks. */
static bool copy_chunks(FILE *to, cli_sweep_file *file)
{
    bool good = fseek(file->stream, 0, SEEK_SET) == 0 && copy_bytes(to, file->stream, file->header.n - 1);
    for (size_t i = 0; i < file->sweep->n_chunks && good; i++) {
        size_t length = 0;
        good = ic_part_find_chunk(file->stream, i, &length) && copy_bytes(to, file->stream, length);
    }
    return good;
}

static bool finish_csv(cli_sweep_file *file, ic_error *error)
{
    cli_file named;
    if (!cli_file_open(&named, file->path, error)) return false;
    errno = 0;
    if (copy_chunks(named.stream, file)) return cli_file_commit(&named, error);
    ic_error_set(error, "cannot write '%s': %s", file->path,
                 errno != 0 ? cli_file_why(errno) : "its .part has changed since it was written");
    cli_file_discard(&named);
    return false;
}

const cli_sweep_format cli_sweep_csv = {
    .extension = ".csv",
    .what = "CSV",
    .part = &ic_part_csv,
    .finish = finish_csv,
};
