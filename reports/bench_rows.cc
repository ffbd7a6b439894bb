/* The rows of `truelerp bench`: which function is measured against which peers, with which loops.
 * The table stands at the end. */
#include "bench.h"
#include "peers/peers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <type_traits>

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

/* The numbers of a list. */
std::vector<double> numbers(const struct function *function, const values &inputs,
                            const std::string &name)
{
    for (size_t i = 0; i < function->input_count; i++) {
        if (function->inputs[i].name == name) {
            const double *const first = values_field(&inputs, i);
            return {first, first + values_length(&inputs, i)};
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

/* double f(vector, vector), with the first component for t */
struct directions {
    static constexpr size_t outputs = 1;
    static constexpr bool chained = true;
    double t, ay, az, b[3];

    directions(const struct function *function, const values &inputs)
        : t(number(function, inputs, "ax")), ay(number(function, inputs, "ay")),
          az(number(function, inputs, "az")), b{number(function, inputs, "bx"),
                                                number(function, inputs, "by"),
                                                number(function, inputs, "bz")}
    {
    }

    template <auto function> void call(double component, double *result) const
    {
        const double a[3] = {component, ay, az};
        *result = function(a, b);
    }
};

/* void f(quaternion, quaternion, t, quaternion) */
struct quaternions {
    static constexpr size_t outputs = 4;
    static constexpr bool chained = true;
    double p[4], q[4], t;

    quaternions(const struct function *function, const values &inputs)
        : p{number(function, inputs, "px"), number(function, inputs, "py"),
            number(function, inputs, "pz"), number(function, inputs, "pw")},
          q{number(function, inputs, "qx"), number(function, inputs, "qy"),
            number(function, inputs, "qz"), number(function, inputs, "qw")},
          t(number(function, inputs, "t"))
    {
    }

    template <auto function> void call(double time, double *result) const
    {
        function(p, q, time, result);
    }
};

/* The same, of length 1: Eigen takes them for such. */
struct unit_quaternions : quaternions {
    unit_quaternions(const struct function *function, const values &inputs)
        : quaternions(function, inputs)
    {
        for (double *quaternion : {p, q}) {
            const double length = std::hypot(std::hypot(quaternion[0], quaternion[1]),
                                             std::hypot(quaternion[2], quaternion[3]));
            for (size_t i = 0; i < 4; i++) {
                quaternion[i] /= length;
            }
        }
    }
};

/* void f(table, t, result) of one channel, or GSL's double f(times, differences, count, t). What
 * was built for either lies in the same block, one behind the other. */
struct four_nodes {
    static constexpr size_t outputs = 1;
    static constexpr bool chained = true;
    static constexpr size_t count = 4;
    std::shared_ptr<double[]> block;
    tl_newton_table table;
    double *times;
    double *differences;
    double t;

    four_nodes(const struct function *function, const values &inputs)
        : block(new double[tl_newton_size(count, 1) + 2 * count]), times(&block[2 * count]),
          differences(times + count), t(number(function, inputs, "t"))
    {
        const auto given = numbers(function, inputs, "times");
        const auto y = numbers(function, inputs, "values");
        std::vector<double> memory(tl_newton_size(count, 1));
        if (tl_newton_build(&table, given.data(), y.data(), count, 1, memory.data(), nullptr) !=
            TL_OK) {
            fail(3, "a drawn polynomial cannot be built");
        }
        std::copy_n(memory.data(), 2 * count, block.get());
        table.table = block.get();
        std::copy_n(given.data(), count, times);
        std::fill_n(differences, count, 0);
        if (peer_gsl_newton_build != nullptr) {
            peer_gsl_newton_build(times, y.data(), count, differences);
        }
    }

    template <auto function> void call(double time, double *result) const
    {
        if constexpr (std::is_invocable_v<decltype(function), const tl_newton_table *, double,
                                          double *>) {
            function(&table, time, result);
        } else {
            *result = function(times, differences, count, time);
        }
    }
};

/* A curve of many keys, as ours and as GSL's, which are the same one, and times to look it up at.
 */
struct many_keys {
    static constexpr size_t count = 64;
    std::vector<tl_key> keys;
    std::vector<double> memory;
    std::vector<double> times;
    tl_curve_table table;
    peer_spline *spline = nullptr;

    many_keys(const many_keys &) = delete;
    many_keys &operator=(const many_keys &) = delete;

    ~many_keys()
    {
        if (spline != nullptr) {
            peer_gsl_spline_free(spline);
        }
    }

    explicit many_keys(bool rising) : keys(count), memory(tl_curve_size(count)), times(CALLS)
    {
        std::mt19937_64 bits(SEED);
        const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
        std::vector<double> x(count), y(count), slopes(count);
        for (size_t i = 0; i < count; i++) {
            x[i] = static_cast<double>(i) + 0.9 * uniform();
            y[i] = 2 * uniform() - 1;
        }
        if (peer_gsl_spline_build != nullptr) {
            spline = peer_gsl_spline_build(x.data(), y.data(), count, slopes.data());
        }
        for (size_t i = 0; i < count; i++) {
            keys[i] = key(x[i], y[i], slopes[i]);
        }
        for (double &time : times) {
            time = x.front() + (x.back() - x.front()) * uniform();
        }
        if (rising) {
            std::sort(times.begin(), times.end());
        }
        if (tl_curve_build(&table, keys.data(), count, TL_CLAMP, TL_CLAMP, memory.data(),
                           nullptr) != TL_OK) {
            fail(3, "the curve cannot be built");
        }
    }
};

/* double f(curve, t) */
struct curve_time {
    static constexpr size_t outputs = 1;
    static constexpr bool chained = true;
    std::shared_ptr<const many_keys> curve;
    double t;

    template <auto function> void call(double time, double *result) const
    {
        if constexpr (std::is_invocable_v<decltype(function), const tl_curve_table *, double>) {
            *result = function(&curve->table, time);
        } else {
            *result = function(curve->spline, time);
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

/* One call of void f(curve, times, count, results) for all of a curve's times. */
template <auto function>
void many_times(benchmark::State &state, const std::vector<curve_time> &inputs, double *results)
{
    const many_keys &curve = *inputs[0].curve;
    for (auto _ : state) {
        if constexpr (std::is_invocable_v<decltype(function), const tl_curve_table *,
                                          const double *, size_t, double *>) {
            function(&curve.table, curve.times.data(), CALLS, results);
        } else {
            function(curve.spline, curve.times.data(), CALLS, results);
        }
        benchmark::DoNotOptimize(results);
        benchmark::ClobberMemory();
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

/* Is a drawn case one that the kind can hold? */
template <class input> bool fits(const struct function *, const values &)
{
    return true;
}

template <> bool fits<four_nodes>(const struct function *function, const values &inputs)
{
    return numbers(function, inputs, "times").size() == four_nodes::count &&
           numbers(function, inputs, "values").size() == four_nodes::count;
}

template <class input>
std::shared_ptr<std::vector<input>> draw(const struct function *function,
                                         const struct domain *domain)
{
    auto inputs = std::make_shared<std::vector<input>>();
    values drawn = {};
    for (uint64_t i = 0; inputs->size() < CALLS; i++) {
        draw_case(SEED, function, domain, i, &drawn);
        if (fits<input>(function, drawn)) {
            inputs->emplace_back(function, drawn);
        }
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

/* A function and its peers, with inputs from its everyday domain as the kind `input`. Returns the
 * function's own throughput. */
template <auto function, class input>
timing add_everyday(plan &plan, const char *name, const std::vector<contender<input>> &peers)
{
    const struct function *const entry = catalog_find(name);
    const struct domains *const domains = domains_of(entry);
    const auto inputs = draw<input>(entry, &domains->list[domains->typical]);
    const auto own = peer<input, function>(name);
    add_view(plan, view::throughput, name, own, peers, inputs);
    const timing reference = plan.lines.back().ours;
    if (input::chained) {
        add_view(plan, view::latency, name, own, peers, inputs);
    }
    return reference;
}

/* The row of a function of the catalogue. Over the whole range, where its slow paths are and where
 * peers have no answer, it is measured by itself, with inputs of the kind `raw`. */
template <auto function, class input, class raw = input>
row compare(const char *name, std::vector<contender<input>> peers)
{
    return {name, [name, peers](plan &plan) {
                const timing reference = add_everyday<function>(plan, name, peers);
                const struct function *const entry = catalog_find(name);
                if (const struct domain *const all = whole_range(domains_of(entry))) {
                    add_view<raw>(plan, view::whole_range, name, peer<raw, function>(name), {},
                                  draw<raw>(entry, all));
                    plan.lines.back().peer = "everyday";
                    plan.lines.back().status = peer_status::measured;
                    plan.lines.back().theirs = reference;
                }
            }};
}

/* Four nodes only: over the whole range, most polynomials have coefficients beyond it. */
row compare_newton()
{
    return {"newton", [](plan &plan) {
                add_everyday<tl_newton, four_nodes>(plan, "newton",
                                                    {peer<four_nodes, peer_gsl_newton>("GSL", 1)});
            }};
}

/* At random times, one call each, and at times that rise, all of them in one call. */
row compare_curve()
{
    return {"curve", [](plan &plan) {
                const auto add = [&](view kind, const contender<curve_time> &own,
                                     const contender<curve_time> &other,
                                     const std::shared_ptr<const many_keys> &curve) {
                    auto inputs = std::make_shared<std::vector<curve_time>>();
                    for (const double time : curve->times) {
                        inputs->push_back({curve, time});
                    }
                    add_view(plan, kind, "curve", own, {other}, inputs);
                };
                const auto curve = std::make_shared<many_keys>(false);
                const auto rising = std::make_shared<many_keys>(true);
                const auto own = peer<curve_time, tl_curve>("curve");
                const auto other = peer<curve_time, peer_gsl_spline>("GSL spline", 0.5);
                add(view::throughput, own, other, curve);
                add(view::throughput, {"curve", 0, true, many_times<tl_curve_many>, nullptr},
                    {"GSL sorted", 0.4, other.installed, many_times<peer_gsl_spline_many>, nullptr},
                    rising);
                add(view::latency, own, other, curve);
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
        compare_newton(),
        compare<tl_slerp3, unit_vectors, vectors>(
            "slerp3", {peer<unit_vectors, peer_glm_slerp3>("GLM", 0.95)}),
        compare<tl_slerp3_unclamped, unit_vectors, vectors>(
            "slerp3_unclamped", {peer<unit_vectors, peer_glm_slerp3>("GLM")}),
        compare<tl_slerp4, unit_quaternions, quaternions>(
            "slerp4", {peer<unit_quaternions, peer_eigen_slerp4>("Eigen", 1)}),
        compare<tl_angle3, directions>("angle3", {peer<directions, peer_acos_angle3>("acos", 2.5)}),
        compare_curve(),
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
