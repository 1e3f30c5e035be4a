/* SPDX-License-Identifier: MIT */
/* The module that speaks MPI (sweep/ranks.h). */
#include "sweep/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

enum { TAG = 1 };

static bool begin(int *rank, int *size)
{
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) return false;
    if (provided < MPI_THREAD_SERIALIZED) return false;
    return MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
           MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

/* Synchronous, so that nothing piles up unasked at the receiver. */
static void *send_bytes(int to, const void *data, size_t n)
{
    MPI_Request *request = n <= INT_MAX ? malloc(sizeof(MPI_Request)) : NULL;
    if (request == NULL) return NULL;
    if (MPI_Issend(data, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD, request) == MPI_SUCCESS) return request;
    free(request);
    return NULL;
}

static bool sent(void *request)
{
    int done = 0;
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (done) free(request);
    return done != 0;
}

static bool ready(int from, size_t *n)
{
    int flag = 0, bytes = 0;
    MPI_Status status;
    MPI_Iprobe(from, TAG, MPI_COMM_WORLD, &flag, &status);
    if (!flag) return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    *n = (size_t)bytes;
    return true;
}

static bool receive(int from, void *data, size_t n)
{
    return MPI_Recv(data, (int)n, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static void broadcast(void *data, size_t n)
{
    MPI_Bcast(data, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void give_up(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

static void end(void)
{
    MPI_Finalize();
}

extern const ic_ranks_module ic_ranks_module_of_mpi;
const ic_ranks_module ic_ranks_module_of_mpi = {
    .version = IC_RANKS_MODULE_VERSION,
    .begin = begin,
    .send = send_bytes,
    .sent = sent,
    .ready = ready,
    .receive = receive,
    .broadcast = broadcast,
    .give_up = give_up,
    .end = end,
};
