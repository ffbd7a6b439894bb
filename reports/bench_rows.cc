/* The rows of `truelerp bench`: which function is measured against which peers, with which loops.
 * The table stands at the end. */
#include "bench.h"
#include "peers/peers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bench
{
namespace
{

constexpr uint64_t SEED = 1;

/* Input kinds: what one call takes, read from a case of the corpus by the names of its fields.
 * call<function>(t, result) makes the call with t in place of the case's own. */

double number(const struct function *function, const values &inputs, const std::string &name)
{
    for (size_t i = 0; i < function->input_count; i++) {
        if (function->inputs[i].name == name) {
            return values_length(&inputs, i) == 1 ? *values_field(&inputs, i) : NAN;
        }
    }
    fail(3, std::string(function->name) + " has no input named " + name);
}

/* double f(a, b, t) */
struct scalars {
    static constexpr size_t outputs = 1;
    static constexpr bool chained = true;
    double a, b, t;

    scalars(const struct function *function, const values &inputs)
        : a(number(function, inputs, "a")), b(number(function, inputs, "b")),
          t(number(function, inputs, "t"))
    {
    }

    template <auto function> void call(double time, double *result) const
    {
        *result = function(a, b, time);
    }
};

tl_key key(double time, double value, double tangent)
{
    return {time, value, tangent, tangent, 0, 0, TL_WEIGHTED_NONE};
}

/* double f(key, key, t) */
struct segment {
    static constexpr size_t outputs = 1;
    static constexpr bool chained = true;
    tl_key k0, k1;
    double t;

    segment(const struct function *function, const values &inputs)
        : k0(key(number(function, inputs, "t0"), number(function, inputs, "v0"),
                 number(function, inputs, "m0"))),
          k1(key(number(function, inputs, "t1"), number(function, inputs, "v1"),
                 number(function, inputs, "m1"))),
          t(number(function, inputs, "t"))
    {
    }

    template <auto function> void call(double time, double *result) const
    {
        *result = function(&k0, &k1, time);
    }
};

void set_weights(tl_key &k0, tl_key &k1, const struct function *function, const values &inputs)
{
    const double w0 = number(function, inputs, "w0"), w1 = number(function, inputs, "w1");
    k0.weighted_mode = std::isnan(w0) ? TL_WEIGHTED_NONE : TL_WEIGHTED_OUT;
    k1.weighted_mode = std::isnan(w1) ? TL_WEIGHTED_NONE : TL_WEIGHTED_IN;
    k0.out_weight = w0;
    k1.in_weight = w1;
}

/* The same with weights, where there are any. */
struct weighted_segment : segment {
    weighted_segment(const struct function *function, const values &inputs)
        : segment(function, inputs)
    {
        set_weights(k0, k1, function, inputs);
    }
};

/* The same without values and slopes. */
struct weighted_times {
    static constexpr size_t outputs = 1;
    static constexpr bool chained = true;
    tl_key k0, k1;
    double t;

    weighted_times(const struct function *function, const values &inputs)
        : k0(key(number(function, inputs, "t0"), 0, 0)),
          k1(key(number(function, inputs, "t1"), 0, 0)), t(number(function, inputs, "t"))
    {
        set_weights(k0, k1, function, inputs);
    }

    template <auto function> void call(double time, double *result) const
    {
        *result = function(&k0, &k1, time);
    }
};

/* void f(key, key, four numbers); no argument can carry a result on to the next call */
struct key_pair {
    static constexpr size_t outputs = 4;
    static constexpr bool chained = false;
    static constexpr double t = 0;
    tl_key k0, k1;

    key_pair(const struct function *function, const values &inputs)
        : k0(key(number(function, inputs, "t0"), number(function, inputs, "v0"),
                 number(function, inputs, "m0"))),
          k1(key(number(function, inputs, "t1"), number(function, inputs, "v1"),
                 number(function, inputs, "m1")))
    {
    }

    template <auto function> void call(double, double *result) const
    {
        function(&k0, &k1, result);
    }
};

/* int f(a, b, c, d, three numbers, three counts), with the last coefficient for t */
struct polynomial {
    static constexpr size_t outputs = 3;
    static constexpr bool chained = true;
    double a, b, c, t;

    polynomial(const struct function *function, const values &inputs)
        : a(number(function, inputs, "a")), b(number(function, inputs, "b")),
          c(number(function, inputs, "c")), t(number(function, inputs, "d"))
    {
    }

    template <auto function> void call(double constant, double *result) const
    {
        int multiplicities[3];
        function(a, b, c, constant, result, multiplicities);
    }
};

/* void f(vector, vector, t, vector) */
struct vectors {
    static constexpr size_t outputs = 3;
    static constexpr bool chained = true;
    double a[3], b[3], t;

    vectors(const struct function *function, const values &inputs)
        : a{number(function, inputs, "ax"), number(function, inputs, "ay"),
            number(function, inputs, "az")},
          b{number(function, inputs, "bx"), number(function, inputs, "by"),
            number(function, inputs, "bz")},
          t(number(function, inputs, "t"))
    {
    }

    template <auto function> void call(double time, double *result) const
    {
        function(a, b, time, result);
    }
};

/* The same, of length 1: GLM knows no other. */
struct unit_vectors : vectors {
    unit_vectors(const struct function *function, const values &inputs) : vectors(function, inputs)
    {
        for (double *vector : {a, b}) {
            const double length = std::hypot(vector[0], vector[1], vector[2]);
            for (size_t i = 0; i < 3; i++) {
                vector[i] /= length;
            }
        }
    }
};

/* Independent calls. The results go to memory that the compiler must take for read: a running sum
 * would make each call wait for the one before, through the stack at that. */
template <class input, auto function>
void throughput(benchmark::State &state, const std::vector<input> &inputs, double *results)
{
    for (auto _ : state) {
        for (size_t i = 0; i < CALLS; i++) {
            inputs[i].template call<function>(inputs[i].t, results + i * input::outputs);
        }
        benchmark::DoNotOptimize(results);
        benchmark::ClobberMemory();
    }
}

/* Each call's t waits for the result of the one before, times a zero that the compiler cannot see.
 * That costs one multiplication and one addition a call, in every contender alike. What does not
 * depend on t (the angle between two vectors, as GLM computes it) is no part of the chain. */
template <class input, auto function>
void latency(benchmark::State &state, const std::vector<input> &inputs, double *results)
{
    double zero = 0;
    benchmark::DoNotOptimize(zero);
    double shift = 0;
    for (auto _ : state) {
        for (size_t i = 0; i < CALLS; i++) {
            double result[OUTPUTS];
            inputs[i].template call<function>(inputs[i].t + shift, result);
            shift = zero * result[0];
        }
        benchmark::DoNotOptimize(shift);
    }
    results[0] = shift;
    if (!(shift == 0)) {
        state.SkipWithError("a result that is no finite number broke the chain");
    }
}

template <class input> struct contender {
    using loop = void (*)(benchmark::State &, const std::vector<input> &, double *);
    const char *name;
    double goal; /* most that our time may be of its time; 0: none */
    bool installed;
    loop throughput;
    loop latency;
};

template <class input, auto function> contender<input> peer(const char *name, double goal = 0)
{
    static_assert(input::outputs <= OUTPUTS);
    auto *const address = function; /* null for a weak peer that is not linked */
    return {name, goal, address != nullptr, throughput<input, function>, latency<input, function>};
}

template <class input>
std::shared_ptr<std::vector<input>> draw(const struct function *function,
                                         const struct domain *domain)
{
    auto inputs = std::make_shared<std::vector<input>>();
    values drawn = {};
    for (uint64_t i = 0; i < CALLS; i++) {
        draw_case(SEED, function, domain, i, &drawn);
        inputs->emplace_back(function, drawn);
    }
    values_free(&drawn);
    return inputs;
}

const struct domain *whole_range(const struct domains *domains)
{
    for (size_t i = 0; i < domains->count; i++) {
        if (std::strcmp(domains->list[i].name, "any_finite") == 0) {
            return &domains->list[i];
        }
    }
    return nullptr;
}

/* Are the peers' instructions there? The library finds out for itself, they do not. */
bool peers_run()
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

/* Our loop and those of the peers that can run, side by side. */
template <class input>
void add_view(plan &plan, view kind, const char *function, const contender<input> &own,
              const std::vector<contender<input>> &peers,
              const std::shared_ptr<std::vector<input>> &inputs)
{
    const auto timed = [&](const contender<input> &contender) {
        const auto loop = kind == view::latency ? contender.latency : contender.throughput;
        return plan.add([loop, inputs](benchmark::State &state, double *results) {
            loop(state, *inputs, results);
        });
    };
    const line alone = {kind, function, "", peer_status::none, 0, timed(own), nullptr};
    if (peers.empty()) {
        plan.lines.push_back(alone);
    }
    for (const contender<input> &other : peers) {
        line compared = alone;
        compared.peer = other.name;
        compared.goal = kind == view::throughput ? other.goal : 0;
        if (!other.installed) {
            compared.status = peer_status::not_installed;
        } else if (!peers_run()) {
            compared.status = peer_status::unsupported;
        } else {
            compared.status = peer_status::measured;
            compared.theirs = timed(other);
        }
        plan.lines.push_back(compared);
    }
}

struct row {
    const char *function;
    std::function<void(plan &)> add;
};

/* The row of a function of the catalogue. It and its peers get their inputs from its everyday
 * domain, as the kind `input`. Over the whole range, where its slow paths are and where peers have
 * no answer, it is measured by itself, with inputs of the kind `raw`. */
template <auto function, class input, class raw = input>
row compare(const char *name, std::vector<contender<input>> peers)
{
    return {name, [name, peers](plan &plan) {
                const struct function *const entry = catalog_find(name);
                const struct domains *const domains = domains_of(entry);
                const struct domain *const everyday = &domains->list[domains->typical];
                const auto inputs = draw<input>(entry, everyday);
                const auto own = peer<input, function>(name);
                add_view(plan, view::throughput, name, own, peers, inputs);
                const timing reference = plan.lines.back().ours;
                if (input::chained) {
                    add_view(plan, view::latency, name, own, peers, inputs);
                }
                if (const struct domain *const all = whole_range(domains)) {
                    add_view<raw>(plan, view::whole_range, name, peer<raw, function>(name), {},
                                  draw<raw>(entry, all));
                    plan.lines.back().peer = "everyday";
                    plan.lines.back().status = peer_status::measured;
                    plan.lines.back().theirs = reference;
                }
            }};
}

/* What is measured: a function is one entry; a new peer also needs its file and its declaration in
 * peers/, a new shape of arguments its kind of input above. A goal is the most that the ratio of
 * throughputs on everyday inputs may be. */
const std::vector<row> &table()
{
    static const std::vector<row> rows = {
        compare<tl_lerp, scalars>("lerp", {peer<scalars, peer_naive_lerp>("naive", 1.5)}),
        compare<tl_lerp_cr, scalars>("lerp_cr", {peer<scalars, peer_naive_lerp>("naive", 6)}),
        compare<tl_hermite, segment>("hermite",
                                     {peer<segment, peer_expanded_hermite>("expanded", 0.9)}),
        compare<tl_hermite_coefficients, key_pair>(
            "hermite_coefficients", {peer<key_pair, peer_expanded_coefficients>("expanded")}),
        compare<tl_bezier, weighted_segment>(
            "bezier", {peer<weighted_segment, peer_closed_form_bezier>("closed form", 0.7)}),
        compare<tl_bezier_parameter, weighted_times>(
            "bezier_parameter", {peer<weighted_times, peer_closed_form_parameter>("closed form")}),
        compare<tl_cubic_roots, polynomial>(
            "cubic_roots", {peer<polynomial, peer_closed_form_cubic>("closed form", 2.5)}),
        compare<tl_slerp3, unit_vectors, vectors>(
            "slerp3", {peer<unit_vectors, peer_glm_slerp3>("GLM", 0.95)}),
        compare<tl_slerp3_unclamped, unit_vectors, vectors>(
            "slerp3_unclamped", {peer<unit_vectors, peer_glm_slerp3>("GLM")}),
    };
    return rows;
}

} // namespace

plan make_plan(const settings &settings)
{
    plan plan;
    const auto nothing = peer<scalars, peer_empty>("");
    const auto *const lerp = catalog_find("lerp");
    const auto *const domains = domains_of(lerp);
    const auto inputs = draw<scalars>(lerp, &domains->list[domains->typical]);
    add_view(plan, view::throughput, "", nothing, {}, inputs);
    add_view(plan, view::latency, "", nothing, {}, inputs);
    plan.empty_throughput = plan.lines[0].ours;
    plan.empty_latency = plan.lines[1].ours;
    plan.lines.clear();

    for (size_t i = 0; i < catalog_count; i++) {
        const std::string name = catalog[i]->name;
        const auto &wanted = settings.functions;
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) {
            continue;
        }
        const auto found = std::find_if(table().begin(), table().end(),
                                        [&](const row &row) { return name == row.function; });
        if (found == table().end()) {
            plan.without.push_back(name);
        } else {
            found->add(plan);
        }
    }
    return plan;
}

} // namespace bench
