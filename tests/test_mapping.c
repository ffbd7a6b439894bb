/* impl/mapping.md: what it says of other engines' parameters, against their formulas. */
#include "suite.h"

#include "../impl/truelerp.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page's code, word for word. */

/* A handle from a key to a control point, `run` along and `rise` up, both counted in the direction
 * of time: of the in side, from the control point to the key. */
static void handle(double run, double rise, double duration, double *weight, double *slope)
{
    if (run == 0 && rise != 0) {
        run = duration * 0x1p-100;
    }
    *weight = run / duration;
    *slope = run == 0 ? 0 : rise / run;
}

static void from_css(double x1, double y1, double x2, double y2, tl_key *k0, tl_key *k1)
{
    *k0 = (tl_key){.time = 0, .value = 0, .weighted_mode = TL_WEIGHTED_OUT};
    *k1 = (tl_key){.time = 1, .value = 1, .weighted_mode = TL_WEIGHTED_IN};
    handle(x1, y1, 1, &k0->out_weight, &k0->out_tangent);
    handle(1 - x2, 1 - y2, 1, &k1->in_weight, &k1->in_tangent);
}

/* right and left are the points (frame, value) of the first key's right and the second key's left
 * handle. */
static void from_blender(const double right[2], const double left[2], tl_key *k0, tl_key *k1)
{
    double h = k1->time - k0->time;
    k0->weighted_mode = TL_WEIGHTED_OUT;
    k1->weighted_mode = TL_WEIGHTED_IN;
    handle(right[0] - k0->time, right[1] - k0->value, h, &k0->out_weight, &k0->out_tangent);
    handle(k1->time - left[0], k1->value - left[1], h, &k1->in_weight, &k1->in_tangent);
}

/* `current` turned towards `target` by `most` radians, but not beyond it; with most < 0 away from
 * it, but not beyond the opposite direction. The length stays. */
static void turn_toward(const double current[3], const double target[3], double most,
                        double result[3])
{
    const double pi = 3.141592653589793;
    double angle = tl_angle3(current, target);
    tl_rotate_toward3(current, target, fmax(fmin(most, angle), angle - pi), result);
}

/* The rotation from unit quaternion p on the way to q, turned by at most `most` radians (a
 * limit in degrees times pi / 180). */
static void rotate_toward(const double p[4], const double q[4], double most, double result[4])
{
    double near = 0, far = 0;
    for (int i = 0; i < 4; i++) {
        near += (p[i] - q[i]) * (p[i] - q[i]);
        far += (p[i] + q[i]) * (p[i] + q[i]);
    }
    /* q and -q are the same rotation */
    double angle = 4 * atan2(sqrt(fmin(near, far)), sqrt(fmax(near, far)));
    tl_slerp4(p, q, angle > 0 ? most / angle : 1, result);
}

static tl_key from_gltf(double time, double in_tangent, double value, double out_tangent)
{
    return (
        tl_key){.time = time, .value = value, .in_tangent = in_tangent, .out_tangent = out_tangent};
}

/* The weight of a side with that slope and Unreal's tangent weight, in a segment of that
 * duration. */
static double from_unreal(double tangent_weight, double slope, double duration)
{
    return tangent_weight / sqrt(1 + slope * slope) / duration;
}

/* Their formulas. */

struct point {
    long double x, y;
};

static struct point between(struct point a, struct point b, long double s)
{
    return (struct point){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
}

static struct point on_curve(const struct point p[4], long double s)
{
    struct point a = between(p[0], p[1], s), b = between(p[1], p[2], s), c = between(p[2], p[3], s);
    return between(between(a, b, s), between(b, c, s), s);
}

/* The curve's y where its x, which rises, is t: by halving. */
static double solve(const struct point p[4], double t)
{
    if ((long double)t >= p[3].x) {
        return (double)p[3].y;
    }
    long double low = 0, high = 1;
    for (int i = 0; i < 120; i++) {
        long double middle = (low + high) / 2;
        *(on_curve(p, middle).x < (long double)t ? &low : &high) = middle;
    }
    return (double)on_curve(p, low).y;
}

static bool near(double a, double b, double distance)
{
    return fabs(a - b) <= distance;
}

static double random_unit(void)
{
    static unsigned long long state = 1;
    state = state * 6364136223846793005 + 1442695040888963407;
    return (double)(state >> 11) * 0x1p-53;
}

static void check_css_at(const double handles[4], double t, double distance)
{
    const struct point p[4] = {{0, 0}, {handles[0], handles[1]}, {handles[2], handles[3]}, {1, 1}};
    tl_key k0, k1;
    from_css(handles[0], handles[1], handles[2], handles[3], &k0, &k1);
    double wanted = solve(p, t), got = tl_bezier(&k0, &k1, t);
    suite_check(near(got, wanted, distance), "cubic-bezier(%g, %g, %g, %g) at %g: %.17g not %.17g",
                handles[0], handles[1], handles[2], handles[3], t, got, wanted);
}

static void check_css(double x1, double y1, double x2, double y2, double distance)
{
    const double handles[4] = {x1, y1, x2, y2};
    for (int i = 0; i <= 64; i++) {
        check_css_at(handles, i / 64.0, distance);
        check_css_at(handles, ldexp(1, -i), distance);
    }
}

static void css_easings(void)
{
    tl_key k0, k1;
    from_css(0.25, 0.1, 0.25, 1, &k0, &k1);
    suite_check(near(tl_bezier(&k0, &k1, 0.5), 0.80240338758485696, 1e-15), "ease: %.17g",
                tl_bezier(&k0, &k1, 0.5));
    suite_check(k0.out_weight == 0.25 && k0.out_tangent == 0.4 && k1.in_weight == 0.75 &&
                    k1.in_tangent == 0,
                "the formulas of ease");
    check_css(0.25, 0.1, 0.25, 1, 1e-14);
    check_css(0.42, 0, 1, 1, 1e-14);
    check_css(0, 0, 0.58, 1, 1e-14);
    check_css(0.42, 0, 0.58, 1, 1e-14);
    check_css(0.68, -0.6, 0.32, 1.6, 1e-14);
    for (int i = 0; i < 200; i++) {
        check_css(random_unit(), 4 * random_unit() - 2, 0.999 * random_unit(),
                  4 * random_unit() - 2, 1e-11);
    }
}

/* Also where the handles of both keys make the curve steepest. */
static void vertical_handles(void)
{
    check_css(0, 1, 0.5, 1, 1e-14);
    check_css(0, -2, 0, 1, 1e-14);
    check_css(0.3, 0, 1, 0.2, 1e-14);
    check_css(0, 1, 1, 0, 1e-14);
}

static void blender_handles(void)
{
    for (int i = 0; i < 500; i++) {
        double t0 = 1 + floor(100 * random_unit()), h = 1 + floor(50 * random_unit());
        tl_key k0 = {.time = t0, .value = 3 * random_unit()};
        tl_key k1 = {.time = t0 + h, .value = 3 * random_unit()};
        double right[2] = {t0 + h * random_unit(), 6 * random_unit()};
        double left[2] = {t0 + h * random_unit(), 6 * random_unit()};
        const struct point p[4] = {
            {k0.time, k0.value}, {right[0], right[1]}, {left[0], left[1]}, {k1.time, k1.value}};
        from_blender(right, left, &k0, &k1);
        double t = t0 + h * random_unit();
        double got = tl_bezier(&k0, &k1, t), wanted = solve(p, t);
        suite_check(near(got, wanted, 1e-11), "from %g at %g: %.17g not %.17g", t0, t, got, wanted);

        /* in seconds: times by fps, slopes times fps, weights as they are */
        const double fps = 24;
        tl_key s0 = k0, s1 = k1;
        s0.time /= fps, s1.time /= fps;
        s0.out_tangent *= fps, s1.in_tangent *= fps;
        suite_check(near(tl_bezier(&s0, &s1, t / fps), wanted, 1e-11), "in seconds, from %g", t0);
    }
}

/* Shortened to the segment, the slope kept. Keys (0, 0) and (1, 1), handles level, of 0.5 and 2
 * times the duration: Blender's value at a quarter. */
static void blender_long_handles(void)
{
    tl_key k0 = {.time = 0, .value = 0}, k1 = {.time = 1, .value = 1};
    from_blender((double[2]){0.5, 0}, (double[2]){-1, 1}, &k0, &k1);
    suite_check(near(tl_bezier(&k0, &k1, 0.25), 0.2245665818, 1e-10), "%.17g",
                tl_bezier(&k0, &k1, 0.25));
    for (int i = 0; i < 100; i++) {
        double slope = 4 * random_unit() - 2, length = 1 + random_unit(), t = random_unit();
        from_blender((double[2]){length, slope * length}, (double[2]){0.5, 1}, &k0, &k1);
        const struct point p[4] = {{0, 0}, {1, slope}, {0.5, 1}, {1, 1}};
        suite_check(near(tl_bezier(&k0, &k1, t), solve(p, t), 1e-9), "slope %g, length %g at %g",
                    slope, length, t);
    }
}

/* glTF 2.0, appendix C: v_k, b_k, v_k+1, a_k+1 and t_d = t_k+1 - t_k. */
static void gltf_cubic_splines(void)
{
    for (int i = 0; i < 500; i++) {
        double t_k = random_unit(), t_d = 0.1 + random_unit();
        double v0 = random_unit(), v1 = random_unit();
        double b0 = 4 * random_unit() - 2, a1 = 4 * random_unit() - 2;
        tl_key k0 = from_gltf(t_k, NAN, v0, b0), k1 = from_gltf(t_k + t_d, a1, v1, NAN);
        t_d = k1.time - k0.time;
        double at = t_k + t_d * random_unit(), t = (at - t_k) / t_d;
        double wanted = (2 * t * t * t - 3 * t * t + 1) * v0 +
                        t_d * (t * t * t - 2 * t * t + t) * b0 + (-2 * t * t * t + 3 * t * t) * v1 +
                        t_d * (t * t * t - t * t) * a1;
        double got = tl_hermite(&k0, &k1, at);
        suite_check(near(got, wanted, 1e-14), "t_d = %g, at %g: %.17g not %.17g", t_d, t, got,
                    wanted);
    }
}

static void random_rotation(double q[4])
{
    double length = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = 2 * random_unit() - 1;
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) {
        q[i] /= sqrt(length);
    }
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* glTF 2.0, appendix C: a = arccos(|d|), s = d / |d|. */
static void gltf_linear_rotations(void)
{
    for (int i = 0; i < 500; i++) {
        double p[4], q[4], got[4], t = random_unit();
        random_rotation(p);
        random_rotation(q);
        double d = dot(p, q, 4), a = acos(fabs(d)), s = d < 0 ? -1 : 1;
        tl_slerp4(p, q, t, got);
        for (int j = 0; j < 4; j++) {
            double wanted = sin(a * (1 - t)) / sin(a) * p[j] + s * sin(a * t) / sin(a) * q[j];
            suite_check(near(got[j], wanted, 1e-12), "component %d at %g: %.17g not %.17g", j, t,
                        got[j], wanted);
        }
    }
}

/* Unweighted sides have handles of 1/3; a slope is a slope. */
static void unity_keys(void)
{
    for (int i = 0; i < 300; i++) {
        double h = 0.1 + 3 * random_unit(), t = h * random_unit();
        tl_key k0 = {.value = random_unit(), .out_tangent = 8 * random_unit() - 4};
        tl_key k1 = {.time = h, .value = random_unit(), .in_tangent = 8 * random_unit() - 4};
        k0.out_weight = k1.in_weight = NAN; /* not read */
        long double w0 = 1 / 3.0L, w1 = 1 / 3.0L;
        if (i % 2) {
            k0.weighted_mode = TL_WEIGHTED_BOTH;
            w0 = (long double)(k0.out_weight = random_unit());
        }
        if (i % 3) {
            k1.weighted_mode = TL_WEIGHTED_IN;
            w1 = (long double)(k1.in_weight = random_unit());
        }
        long double length = (long double)h;
        const struct point p[4] = {{0, k0.value},
                                   {w0 * length, k0.value + w0 * length * k0.out_tangent},
                                   {length - w1 * length, k1.value - w1 * length * k1.in_tangent},
                                   {length, k1.value}};
        suite_check(near(tl_bezier(&k0, &k1, t), solve(p, t), 1e-10), "weights %Lg and %Lg at %g",
                    w0, w1, t / h);
    }
}

static void steps_and_lines(void)
{
    tl_key k0 = {.time = 1, .value = 5, .out_tangent = INFINITY}, k1 = {.time = 3, .value = 7};
    suite_check(tl_hermite(&k0, &k1, 2.999) == 5 && tl_hermite(&k0, &k1, 3) == 7, "a step");
    suite_check(TL_WEIGHTED_NONE == 0 && TL_WEIGHTED_IN == 1 && TL_WEIGHTED_OUT == 2 &&
                    TL_WEIGHTED_BOTH == 3,
                "Unity's numbers");
    k0.out_tangent = k1.in_tangent = (k1.value - k0.value) / (k1.time - k0.time);
    for (int i = 0; i <= 32; i++) {
        double t = 1 + i / 16.0;
        double line = tl_lerp(5, 7, (t - 1) / 2);
        suite_check(near(tl_hermite(&k0, &k1, t), line, 1e-15 * line), "a line at %g", t);
    }
}

/* Where the closed formulas of others find no root. */
static void next_to_a_quadratic(void)
{
    tl_key k0 = {.out_weight = 0.5, .weighted_mode = TL_WEIGHTED_OUT};
    tl_key k1 = {
        .time = 1, .value = 1, .in_weight = 1 / 6.0 + 1e-12, .weighted_mode = TL_WEIGHTED_IN};
    suite_check(near(tl_bezier(&k0, &k1, 0.7), 0.616117563522261, 1e-15), "%.17g",
                tl_bezier(&k0, &k1, 0.7));
}

/* Unity's Mathf.Repeat and Mathf.PingPong, of times counted from the first key. */
static double repeat(double t, double length)
{
    return t - floor(t / length) * length;
}

static double ping_pong(double t, double length)
{
    return length - fabs(repeat(t, 2 * length) - length);
}

static void wrap_modes(void)
{
    enum { COUNT = 4 };
    const tl_key keys[COUNT] = {{.time = 1, .value = 2, .out_tangent = 1},
                                {.time = 2, .value = 5, .out_tangent = INFINITY},
                                {.time = 3.5, .value = -1, .out_tangent = -2},
                                {.time = 5, .value = 1, .in_tangent = 0.5}};
    const double first = 1, length = 4;
    double *memory = calloc(tl_curve_size(COUNT), sizeof(double));
    for (int wrap = TL_CLAMP; wrap <= TL_PING_PONG; wrap++) {
        tl_curve_table curve;
        suite_check(tl_curve_build(&curve, keys, COUNT, (tl_wrap)wrap, (tl_wrap)wrap, memory,
                                   NULL) == TL_OK,
                    "wrap %d cannot be built", wrap);
        for (int i = -321; i < 320; i++) {
            double t = i / 16.0 + 0x1p-5; /* never a key */
            double there = wrap == TL_LOOP        ? first + repeat(t - first, length)
                           : wrap == TL_PING_PONG ? first + ping_pong(t - first, length)
                                                  : fmin(fmax(t, first), first + length);
            double wanted = tl_curve(&curve, there), got = tl_curve(&curve, t);
            suite_check(near(got, wanted, 1e-14), "wrap %d at %g: %g not %g", wrap, t, got, wanted);
            suite_check(there < 2 || there >= 3.5 || got == 5, "wrap %d at %g: no step", wrap, t);
        }
    }
    free(memory);
}

static void random_vector(double v[3])
{
    for (int i = 0; i < 3; i++) {
        v[i] = 2 * random_unit() - 1;
    }
}

static void turns_stop_at_the_target(void)
{
    const double degree = 3.141592653589793 / 180;
    for (int i = 0; i < 500; i++) {
        double a[3], b[3], c[3];
        random_vector(a);
        random_vector(b);
        double angle = tl_angle3(a, b), most = 360 * random_unit() - 180;
        turn_toward(a, b, most * degree, c);
        double left = tl_angle3(c, b);
        double wanted = fmin(fmax(angle - most * degree, 0), 180 * degree);
        suite_check(near(left, wanted, 1e-12), "%g of %g degrees: %g left", most, angle / degree,
                    left / degree);
        suite_check(near(dot(c, c, 3), dot(a, a, 3), 1e-14), "the length");
        double unity = acos(dot(a, b, 3) / sqrt(dot(a, a, 3) * dot(b, b, 3))) / degree;
        suite_check(near(angle * 180 / 3.141592653589793, unity, 1e-5), "in degrees: %g", unity);
    }
}

/* The angle of the rotation that leads from p to q, from the matrices' traces. */
static double rotation_between(const double p[4], const double q[4])
{
    double d = fabs(dot(p, q, 4));
    return 2 * acos(fmin(d, 1));
}

static void rotations_stop_at_the_target(void)
{
    const double degree = 3.141592653589793 / 180;
    for (int i = 0; i < 500; i++) {
        double p[4], q[4], r[4];
        random_rotation(p);
        random_rotation(q);
        double most = 200 * random_unit() * degree, angle = rotation_between(p, q);
        rotate_toward(p, q, most, r);
        double turned = rotation_between(p, r), wanted = fmin(most, angle);
        suite_check(near(turned, wanted, 1e-6), "%g of %g degrees: turned by %g", most / degree,
                    angle / degree, turned / degree);
        suite_check(near(turned + rotation_between(r, q), angle, 1e-6), "the direct way");
    }
    double p[4] = {0, 0, 0, 1}, r[4];
    rotate_toward(p, p, 1, r);
    suite_check(r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 1, "at the target already");
}

/* The handle is an arrow of that length in the slope's direction. */
static void unreal_weights(void)
{
    for (int i = 0; i < 300; i++) {
        double h = 0.1 + 3 * random_unit(), t = h * random_unit();
        double leave = 8 * random_unit() - 4, arrive = 8 * random_unit() - 4;
        double length0 = h * random_unit(), length1 = h * random_unit();
        tl_key k0 = {.value = random_unit(),
                     .out_tangent = leave,
                     .out_weight = from_unreal(length0, leave, h),
                     .weighted_mode = TL_WEIGHTED_OUT};
        tl_key k1 = {.time = h,
                     .value = random_unit(),
                     .in_tangent = arrive,
                     .in_weight = from_unreal(length1, arrive, h),
                     .weighted_mode = TL_WEIGHTED_IN};
        double a0 = atan(leave), a1 = atan(arrive);
        const struct point p[4] = {{0, k0.value},
                                   {length0 * cos(a0), k0.value + length0 * sin(a0)},
                                   {h - length1 * cos(a1), k1.value - length1 * sin(a1)},
                                   {h, k1.value}};
        suite_check(near(tl_bezier(&k0, &k1, t), solve(p, t), 1e-10), "lengths %g and %g at %g",
                    length0, length1, t);
    }
}

static char *read_file(const char *path)
{
    enum { SIZE = 1 << 18 };
    char *text = calloc(1, SIZE);
    FILE *stream = fopen(path, "rb");
    size_t length = stream ? fread(text, 1, SIZE - 1, stream) : 0;
    suite_check(length > 1000 && length < SIZE - 1, "%s cannot be read", path);
    if (stream) {
        fclose(stream);
    }
    return text;
}

static void the_page_has_the_code_above(void)
{
    char *page = read_file(SOURCE_DIRECTORY "/impl/mapping.md");
    char *code = read_file(SOURCE_DIRECTORY "/tests/test_mapping.c");
    size_t blocks = 0;
    for (char *at = strstr(page, "```c\n"); at; at = strstr(at, "```c\n")) {
        at += strlen("```c\n");
        char *end = strstr(at, "```");
        suite_check(end != NULL, "a block without end");
        if (!end) {
            break;
        }
        *end = '\0';
        suite_check(strstr(code, at) != NULL, "not in this file:\n%s", at);
        blocks++;
        at = end + 1;
    }
    suite_check(blocks == 7, "%zu blocks of code on the page", blocks);
    free(page);
    free(code);
}

int main(void)
{
    static const struct suite_test tests[] = {
        {"easings of CSS", css_easings},
        {"vertical handles", vertical_handles},
        {"handles of Blender", blender_handles},
        {"handles of Blender, longer than the segment", blender_long_handles},
        {"cubic splines of glTF", gltf_cubic_splines},
        {"linear rotations of glTF", gltf_linear_rotations},
        {"keys of Unity", unity_keys},
        {"steps and lines", steps_and_lines},
        {"next to a quadratic", next_to_a_quadratic},
        {"wrap modes", wrap_modes},
        {"turns stop at the target", turns_stop_at_the_target},
        {"rotations stop at the target", rotations_stop_at_the_target},
        {"weights of Unreal", unreal_weights},
        {"the page has the code above", the_page_has_the_code_above},
    };
    return suite_run("mapping", tests, sizeof tests / sizeof tests[0]);
}
