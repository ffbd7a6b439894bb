/* truelerp-bench, which `truelerp bench` runs: the library's speed, as ratios to named peers that
 * are measured in the same run.
 *
 * Google Benchmark times the loops. A round measures every loop once, a function next to its
 * peers, and every other round runs in reverse order, so that a drift of the clock hits both sides
 * of a ratio alike. A ratio is formed within each round; the median of the rounds is reported with
 * the median of the distances from it. Speed is told and never judged: it changes no exit code.
 */
#include "bench.h"

extern "C" {
#include "../oracle/environment.h"
}

#include <getopt.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bench
{

void fail(int code, const std::string &message)
{
    std::fprintf(stderr, "truelerp bench: %s\n", message.c_str());
    std::exit(code);
}

namespace
{

/* Takes each loop's time from Google Benchmark; a benchmark's name is its loop's index. */
class collector : public benchmark::BenchmarkReporter
{
  public:
    explicit collector(const std::vector<timing> &all) : loops(all)
    {
    }

    bool ReportContext(const Context &) override
    {
        return true;
    }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs) {
            if (run.run_type != Run::RT_Iteration) {
                continue;
            }
            measurement &loop = *loops[std::stoul(run.run_name.function_name)];
            if (run.error_occurred) {
                loop.error = run.error_message;
                continue;
            }
            loop.passes = run.iterations;
            loop.nanoseconds.push_back(1e9 * run.cpu_accumulated_time /
                                       static_cast<double>(run.iterations) / CALLS);
        }
    }

  private:
    const std::vector<timing> &loops;
};

/* On one processor, so that no round pays for a move. */
bool pin()
{
    const int processor = sched_getcpu();
    if (processor < 0 || processor >= CPU_SETSIZE) {
        return false;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

void run(const plan &plan, const settings &settings)
{
    collector collector(plan.loops);
    const auto add = [&](size_t i) {
        const timing loop = plan.loops[i];
        return benchmark::RegisterBenchmark(std::to_string(i).c_str(),
                                            [loop](benchmark::State &state) {
                                                loop->loop(state, loop->results.data());
                                            })
            ->Repetitions(1);
    };

    /* The first round warms up and finds out how many passes fill the time; it does not count. */
    for (size_t i = 0; i < plan.loops.size(); i++) {
        plan.loops[i]->results.assign(CALLS * OUTPUTS, 0);
        add(i)->MinTime(settings.minimum_time);
    }
    benchmark::RunSpecifiedBenchmarks(&collector, nullptr, ".");
    benchmark::ClearRegisteredBenchmarks();
    for (const timing &loop : plan.loops) {
        loop->nanoseconds.clear();
    }

    for (int round = 0; round < settings.rounds; round++) {
        for (size_t i = 0; i < plan.loops.size(); i++) {
            const size_t next = round % 2 == 0 ? i : plan.loops.size() - 1 - i;
            if (plan.loops[next]->error.empty()) {
                add(next)->Iterations(plan.loops[next]->passes);
            }
        }
    }
    benchmark::RunSpecifiedBenchmarks(&collector, nullptr, ".");
    benchmark::ClearRegisteredBenchmarks();
}

/* A peer that answers something else was wired wrongly, and its time means nothing. Peers are not
 * accurate, so this asks for agreement to 1e-6 of the largest result only. */
bool agree(const measurement &ours, const measurement &theirs)
{
    double largest = 0;
    for (const double result : ours.results) {
        largest = std::max(largest, std::fabs(result));
    }
    for (size_t i = 0; i < ours.results.size(); i++) {
        if (!(std::fabs(ours.results[i] - theirs.results[i]) <= 1e-6 * largest)) {
            return false;
        }
    }
    return largest > 0;
}

/* Returns whether all could be measured. */
bool check(plan &plan, int rounds)
{
    bool well = true;
    for (line &line : plan.lines) {
        for (const timing &loop : {line.ours, line.theirs}) {
            if (loop && loop->nanoseconds.size() != static_cast<size_t>(rounds)) {
                std::fprintf(stderr, "truelerp bench: %s%s%s: not measured: %s\n",
                             line.function.c_str(), loop == line.ours ? "" : " against ",
                             loop == line.ours ? "" : line.peer.c_str(), loop->error.c_str());
                well = false;
            }
        }
        if (line.kind == view::throughput && line.status == peer_status::measured &&
            !agree(*line.ours, *line.theirs)) {
            std::fprintf(stderr, "truelerp bench: %s and its peer %s give different answers\n",
                         line.function.c_str(), line.peer.c_str());
            line.status = peer_status::disagrees;
            well = false;
        }
    }
    return well;
}

constexpr const char *HELP =
    "Usage: truelerp bench [FUNCTION...] [--json] [--repetitions N] [--min-time S]\n"
    "\n"
    "Measures the library's functions (all, unless some are named) and, in the same\n"
    "run, named peers, and reports the ratio of the times: smaller is better.\n"
    "`truelerp bench oracle` measures what judging a result costs.\n"
    "\n"
    "  --json            the same facts as JSON\n"
    "  --repetitions N   interleaved rounds, 1 to 1000 (15)\n"
    "  --min-time S      seconds that a loop runs in a round, 1e-6 to 60 (0.02)\n"
    "  --help            this text\n"
    "\n"
    "The exit code does not depend on any goal: 0 measured, 1 a function and its peer\n"
    "give different answers, 2 wrong usage or unwritable output, 3 nothing measured,\n"
    "for arithmetic is not what it should be here.\n";

double option_number(const char *option, const char *text, double low, double high)
{
    double number = 0;
    if (!number_read(text, std::strlen(text), &number) || !(number >= low && number <= high)) {
        fail(2, std::string(option) + ": '" + text + "' is no number in its range");
    }
    return number;
}

/* A full disk must not look like success. */
void flush_output()
{
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        fail(2, std::string("standard output cannot be written: ") + std::strerror(errno));
    }
}

settings read_arguments(int count, char **arguments)
{
    static const option options[] = {{"json", no_argument, nullptr, 'j'},
                                     {"repetitions", required_argument, nullptr, 'r'},
                                     {"min-time", required_argument, nullptr, 't'},
                                     {"help", no_argument, nullptr, 'h'},
                                     {nullptr, 0, nullptr, 0}};
    settings settings;
    opterr = 0;
    for (int code; (code = getopt_long(count, arguments, ":", options, nullptr)) != -1;) {
        switch (code) {
        case 'j':
            settings.json = true;
            break;
        case 'r': {
            const double rounds = option_number("--repetitions", optarg, 1, 1000);
            if (rounds != std::floor(rounds)) {
                fail(2, std::string("--repetitions: '") + optarg + "' is no whole number");
            }
            settings.rounds = static_cast<int>(rounds);
            break;
        }
        case 't':
            settings.minimum_time = option_number("--min-time", optarg, 1e-6, 60);
            break;
        case 'h':
            std::fputs(HELP, stdout);
            flush_output();
            std::exit(0);
        case ':':
            fail(2, std::string(arguments[optind - 1]) + " needs a value");
        default:
            fail(2, std::string("unknown option '") + arguments[optind - 1] + "'");
        }
    }
    for (int i = optind; i < count; i++) {
        if (catalog_find(arguments[i]) == nullptr) {
            std::string names;
            for (size_t known = 0; known < catalog_count; known++) {
                names += std::string(" ") + catalog[known]->name;
            }
            fail(2, std::string("unknown function '") + arguments[i] + "'; known are:" + names);
        }
        settings.functions.push_back(arguments[i]);
    }
    return settings;
}

} // namespace
} // namespace bench

int main(int count, char **arguments)
{
    const bench::settings settings = bench::read_arguments(count, arguments);
    const char *fault = environment_fault();
    if (fault != nullptr) {
        bench::fail(3, std::string("no answer given here could be trusted: ") + fault);
    }
    bench::plan plan = bench::make_plan(settings);
    const bool pinned = bench::pin();
    bench::run(plan, settings);
    const bool well = bench::check(plan, settings.rounds);
    if (settings.json) {
        bench::print_json(plan, settings, pinned);
    } else {
        bench::print_table(plan, settings, pinned);
    }
    bench::flush_output();
    return well ? 0 : 1;
}
