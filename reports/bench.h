/* What `truelerp bench` measures and keeps. */
#ifndef TRUELERP_BENCH_H
#define TRUELERP_BENCH_H

#include <benchmark/benchmark.h>
/* These bring their own C++ parts, which must not stand in the extern "C" block below. */
#include <gmp.h>
#include <mpfr.h>
#include <mpfi.h>

extern "C" {
#include "../corpus/draw.h"
#include "../corpus/number.h"
}

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench
{

constexpr size_t CALLS = 1024; /* of one pass over the inputs: they stay in the first two caches */
constexpr size_t OUTPUTS = 4;  /* of one call, at most */

struct settings {
    std::vector<std::string> functions; /* none: all */
    bool json = false;
    int rounds = 15;
    double minimum_time = 0.02;
};

/* One loop and what it took, in nanoseconds a call, one figure a round. */
struct measurement {
    std::function<void(benchmark::State &, double *results)> loop;
    benchmark::IterationCount passes = 0;
    std::vector<double> nanoseconds;
    std::vector<double> results;
    std::string error;
};
using timing = std::shared_ptr<measurement>;

enum class view { throughput, latency, whole_range };

enum class peer_status { none, measured, not_installed, unsupported, disagrees };

/* One line of the table. */
struct line {
    view kind;
    std::string function;
    std::string peer;
    peer_status status = peer_status::none;
    double goal = 0; /* 0: none */
    timing ours;
    timing theirs;
};

struct plan {
    std::vector<timing> loops; /* in the order in which a round runs them */
    std::vector<line> lines;
    std::vector<std::string> without; /* functions that no row of the table is for */
    timing empty_throughput;
    timing empty_latency;

    timing add(decltype(measurement::loop) loop)
    {
        loops.push_back(std::make_shared<measurement>());
        loops.back()->loop = std::move(loop);
        return loops.back();
    }
};

/* bench_rows.cc: the loops to run for the wanted functions. */
plan make_plan(const settings &settings);

/* bench_print.cc */
void print_table(const plan &plan, const settings &settings, bool pinned);
void print_json(const plan &plan, const settings &settings, bool pinned);

/* Ends the program, saying why. */
[[noreturn]] void fail(int code, const std::string &message);

} // namespace bench

#endif
