// SPDX-License-Identifier: MIT
//
// impactcheck-benchmarks [options of Google Benchmark: --benchmark_filter=law/.*, --benchmark_format=json, ...]
//
// Google Benchmark around the C functions of bench/micro.h; nothing is computed here.
#include "bench/micro.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdio>

static void measure(benchmark::State &state, const ic_micro *item)
{
    for (auto _ : state) benchmark::DoNotOptimize(item->run(item->self));
    if (std::isfinite(item->iterations)) state.counters["iterations"] = item->iterations;
}

int main(int argc, char **argv)
{
    enum { BAD_INPUT = 2, FAILURE = 3 };
    ic_micro_list list;
    ic_error error;
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return BAD_INPUT;
    const bool good = ic_micro_open(&list, &error);
    if (good) {
        for (size_t i = 0; i < list.count; i++)
            benchmark::RegisterBenchmark(list.items[i].name, measure, &list.items[i]);
        benchmark::RunSpecifiedBenchmarks();
    } else {
        std::fprintf(stderr, "impactcheck-benchmarks: %s\n", error.text);
    }
    ic_micro_close(&list);
    return good ? 0 : FAILURE;
}
