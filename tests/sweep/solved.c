/* SPDX-License-Identifier: MIT */
#include "tests/sweep/solved.h"

ic_sweep_request request_of(const char *path, const char *vary, const char *record, size_t skip, size_t keep)
{
    ic_error error;
    ic_sweep_request request = {
        .request = {.path = path}, .record = record, .method = "scalar", .skip = skip, .keep = keep};
    CU_ASSERT_TRUE_FATAL(ic_grid_add(&request.grid, vary, &error));
    return request;
}

void open_solved(solved *s, const ic_sweep_request *request)
{
    ic_error error = {""};
    s->request = *request;
    IC_EXPECT_FATAL(ic_sweep_open(&s->sweep, &s->request, &error) && ic_chunk_open(&s->chunk, &s->sweep), "%s",
                    error.text);
    CU_ASSERT_EQUAL_FATAL(ic_chunk_solve(&s->chunk, 0), IC_OK);
}

void close_solved(solved *s)
{
    ic_chunk_close(&s->chunk);
    ic_sweep_close(&s->sweep);
}
