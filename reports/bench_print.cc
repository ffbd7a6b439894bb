/* The printed forms of `truelerp bench`: a table of 80 columns, and JSON. */
#include "bench.h"
#include "../impl/truelerp.h"

#include <json-c/json.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace bench
{
namespace
{

struct figure {
    double median;
    double spread; /* median distance from the median */
};

double median(std::vector<double> numbers)
{
    if (numbers.empty()) {
        return NAN;
    }
    std::sort(numbers.begin(), numbers.end());
    const size_t middle = numbers.size() / 2;
    return numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

figure summary(const std::vector<double> &numbers)
{
    const double center = median(numbers);
    std::vector<double> distances(numbers);
    for (double &distance : distances) {
        distance = std::fabs(distance - center);
    }
    return {center, median(distances)};
}

/* Round by round. */
figure ratio(const line &line)
{
    const auto &ours = line.ours->nanoseconds;
    const auto &theirs = line.theirs->nanoseconds;
    std::vector<double> ratios;
    for (size_t i = 0; i < std::min(ours.size(), theirs.size()); i++) {
        ratios.push_back(ours[i] / theirs[i]);
    }
    return summary(ratios);
}

bool met(const line &line)
{
    return ratio(line).median <= line.goal;
}

const char *status_text(peer_status status)
{
    switch (status) {
    case peer_status::none:
        return "none";
    case peer_status::measured:
        return "measured";
    case peer_status::not_installed:
        return "not installed";
    case peer_status::unsupported:
        return "needs AVX2 and FMA";
    case peer_status::disagrees:
        return "gives other answers";
    }
    return "";
}

std::string processor_name()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string text; std::getline(file, text);) {
        if (text.compare(0, 10, "model name") == 0) {
            const size_t colon = text.find(": ");
            return colon == std::string::npos ? "unknown" : text.substr(colon + 2);
        }
    }
    return "unknown";
}

/* "12.34 ±0.05", in a field of `width` characters on the right. */
std::string cell(figure figure, int width)
{
    char text[64];
    const int digits = figure.median < 100 ? 2 : figure.median < 1000 ? 1 : 0;
    const int length = std::snprintf(text, sizeof text, "%.*f ±%.*f", digits, figure.median, digits,
                                     figure.spread) -
                       1; /* ± is one character in two bytes */
    return std::string(static_cast<size_t>(std::max(width - length, 1)), ' ') + text;
}

void print_line(const line &line, bool repeated)
{
    std::printf("%-20s%s", repeated ? "" : line.function.c_str(),
                cell(summary(line.ours->nanoseconds), 12).c_str());
    if (line.status == peer_status::measured) {
        std::printf("  %-8s%s%s", line.peer.c_str(),
                    cell(summary(line.theirs->nanoseconds), 12).c_str(),
                    cell(ratio(line), 12).c_str());
        if (line.goal > 0) {
            std::printf("  %.2f %s", line.goal, met(line) ? "met" : "missed");
        }
    } else if (line.status != peer_status::none) {
        std::printf("  %-8s  %s", line.peer.c_str(), status_text(line.status));
    }
    std::printf("\n");
}

void print_view(const plan &plan, view kind, const char *title, const char *other)
{
    bool started = false;
    std::string last;
    for (const line &line : plan.lines) {
        if (line.kind != kind) {
            continue;
        }
        if (!started) {
            std::printf("\n%s\n%-20s%12s  %-8s%12s%12s%s\n", title, "function", "ns", other, "ns",
                        "ratio", kind == view::throughput ? "  goal" : "");
        }
        started = true;
        print_line(line, line.function == last);
        last = line.function;
    }
}

} // namespace

void print_table(const plan &plan, const settings &settings, bool pinned)
{
    std::printf("truelerp %s (%s), %s, %s\n%s\n"
                "Nanoseconds a call, median ±median deviation of %d interleaved rounds%s.\n",
                tl_version(), tl_instruction_set(), COMPILER, BUILD_TYPE, processor_name().c_str(),
                settings.rounds, pinned ? "" : ", not pinned");
    print_view(plan, view::throughput, "Throughput: independent calls, everyday inputs", "peer");
    print_view(plan, view::latency, "Latency: each call's t waits for the result of the one before",
               "peer");
    print_view(plan, view::whole_range,
               "Whole range: independent calls, slow paths included, against everyday inputs",
               "inputs");
    std::printf("\nAn empty function:%s ns (throughput),%s ns (latency).\n",
                cell(summary(plan.empty_throughput->nanoseconds), 1).c_str(),
                cell(summary(plan.empty_latency->nanoseconds), 1).c_str());
    for (const std::string &name : plan.without) {
        std::printf("%s: no benchmark\n", name.c_str());
    }
}

namespace
{

json_object *json_number(double number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    return std::isfinite(number) ? json_object_new_double_s(number, text) : nullptr;
}

json_object *json_figure(figure figure)
{
    json_object *const object = json_object_new_object();
    json_object_object_add(object, "median", json_number(figure.median));
    json_object_object_add(object, "spread", json_number(figure.spread));
    return object;
}

json_object *json_text(const std::string &text)
{
    return json_object_new_string(text.c_str());
}

json_object *json_line(const line &line)
{
    json_object *const object = json_object_new_object();
    const bool latency = line.kind == view::latency;
    const bool whole = line.kind == view::whole_range;
    json_object_object_add(object, "function", json_text(line.function));
    json_object_object_add(object, "measure", json_text(latency ? "latency" : "throughput"));
    json_object_object_add(object, "inputs", json_text(whole ? "whole range" : "everyday"));
    json_object_object_add(object, "nanoseconds", json_figure(summary(line.ours->nanoseconds)));
    if (line.status == peer_status::none) {
        return object;
    }
    json_object_object_add(object, "peer", json_text(line.peer));
    json_object_object_add(object, "peer_status", json_text(status_text(line.status)));
    if (line.goal > 0) {
        json_object_object_add(object, "goal", json_number(line.goal));
    }
    if (line.status == peer_status::measured) {
        json_object_object_add(object, "peer_nanoseconds",
                               json_figure(summary(line.theirs->nanoseconds)));
        json_object_object_add(object, "ratio", json_figure(ratio(line)));
        if (line.goal > 0) {
            json_object_object_add(object, "met", json_object_new_boolean(met(line)));
        }
    }
    return object;
}

} // namespace

void print_json(const plan &plan, const settings &settings, bool pinned)
{
    json_object *const context = json_object_new_object();
    json_object_object_add(context, "version", json_text(tl_version()));
    json_object_object_add(context, "instruction_set", json_text(tl_instruction_set()));
    json_object_object_add(context, "compiler", json_text(COMPILER));
    json_object_object_add(context, "build_type", json_text(BUILD_TYPE));
    json_object_object_add(context, "processor", json_text(processor_name()));
    json_object_object_add(context, "pinned", json_object_new_boolean(pinned));
    json_object_object_add(context, "rounds", json_object_new_int(settings.rounds));
    json_object_object_add(context, "minimum_time", json_number(settings.minimum_time));
    json_object_object_add(context, "calls", json_object_new_int(CALLS));
    json_object_object_add(context, "empty_throughput",
                           json_figure(summary(plan.empty_throughput->nanoseconds)));
    json_object_object_add(context, "empty_latency",
                           json_figure(summary(plan.empty_latency->nanoseconds)));

    json_object *const rows = json_object_new_array();
    for (const line &line : plan.lines) {
        json_object_array_add(rows, json_line(line));
    }
    json_object *const without = json_object_new_array();
    for (const std::string &name : plan.without) {
        json_object_array_add(without, json_text(name));
    }
    json_object *const document = json_object_new_object();
    json_object_object_add(document, "context", context);
    json_object_object_add(document, "rows", rows);
    json_object_object_add(document, "without_benchmark", without);
    std::puts(json_object_to_json_string_ext(document, JSON_C_TO_STRING_PRETTY |
                                                           JSON_C_TO_STRING_SPACED |
                                                           JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(document);
}

} // namespace bench
