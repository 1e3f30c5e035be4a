/* SPDX-License-Identifier: MIT */
/* The module that calls MPI (sweep/ranks.h). */
#include "sweep/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

enum { TAG = 1 };

static bool begin_mpi(int *rank, int *size)
{
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) return false;
    if (provided < MPI_THREAD_SERIALIZED) return false;
    return MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
           MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

/* Synchronous, so that unrequested messages do not accumulate at the receiver. */
static void *send_bytes(int to, const void *data, size_t n)
{
    MPI_Request *request = n <= INT_MAX ? malloc(sizeof(MPI_Request)) : NULL;
    if (request == NULL) return NULL;
    if (MPI_Issend(data, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD, request) == MPI_SUCCESS) return request;
    free(request);
    return NULL;
}

static bool is_sent(void *request)
{
    int done = 0;
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (done) free(request);
    return done != 0;
}

static bool is_ready(int from, size_t *n)
{
    int flag = 0, bytes = 0;
    MPI_Status status;
    MPI_Iprobe(from, TAG, MPI_COMM_WORLD, &flag, &status);
    if (!flag) return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    *n = (size_t)bytes;
    return true;
}

static bool receive_bytes(int from, void *data, size_t n)
{
    return MPI_Recv(data, (int)n, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static void broadcast_bytes(void *data, size_t n)
{
    MPI_Bcast(data, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void abort_all_ranks(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

static void end_mpi(void)
{
    MPI_Finalize();
}

extern const ic_ranks_module ic_ranks_module_of_mpi;
const ic_ranks_module ic_ranks_module_of_mpi = {
    .version = IC_RANKS_MODULE_VERSION,
    .begin = begin_mpi,
    .send = send_bytes,
    .sent = is_sent,
    .ready = is_ready,
    .receive = receive_bytes,
    .broadcast = broadcast_bytes,
    .give_up = abort_all_ranks,
    .end = end_mpi,
};
