#include "planted.h"

static const double pi = 3.14159265358979323846;

/* Whether rules or the range keep the textbook formula from being tried. */
static bool ruled(const double *a, const double *b, double t, double *result)
{
    true_slerp3(a, b, t, result);
    double aa = dot3(a, a), bb = dot3(b, b);
    return !(t > 0 && t < 1) || !(aa > 1e-200 && aa < 1e200 && bb > 1e-200 && bb < 1e200);
}

/* Even angle and linear length for a given angle. */
static void textbook(const double *a, const double *b, double t, double theta, double *result)
{
    double length_a = sqrt(dot3(a, a)), length_b = sqrt(dot3(b, b));
    double length = (1 - t) * length_a + t * length_b;
    double from = length * sin((1 - t) * theta) / (sin(theta) * length_a);
    double to = length * sin(t * theta) / (sin(theta) * length_b);
    for (int k = 0; k < 3; k++) {
        result[k] = from * a[k] + to * b[k];
    }
}

static double cosine_of(const double *a, const double *b)
{
    return dot3(a, b) / (sqrt(dot3(a, a)) * sqrt(dot3(b, b)));
}

static void arccosine(const double *a, const double *b, double t, double *result)
{
    if (!ruled(a, b, t, result)) {
        textbook(a, b, t, acos(cosine_of(a, b)), result);
    }
}

static void clamped_arccosine(const double *a, const double *b, double t, double *result)
{
    double theta = acos(fmin(fmax(cosine_of(a, b), -1), 1));
    if (!ruled(a, b, t, result) && theta > 0 && theta < pi) {
        textbook(a, b, t, theta, result);
    }
}

static void nearly_parallel(const double *a, const double *b, double t, double *result)
{
    if (ruled(a, b, t, result) || !(cosine_of(a, b) > 1 - 1e-9)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        result[k] = true_lerp(a[k], b[k], t);
    }
}

static void length_leaks(const double *a, const double *b, double t, double *result)
{
    if (ruled(a, b, t, result) || dot3(a, a) == dot3(b, b)) {
        return;
    }
    double length = sqrt(dot3(result, result)), mix[3];
    for (int k = 0; k < 3; k++) {
        mix[k] = (1 - t) * a[k] + t * b[k];
    }
    double mixed = sqrt(dot3(mix, mix));
    for (int k = 0; k < 3 && mixed > 0; k++) {
        result[k] = mix[k] * (length / mixed);
    }
}

static bool are_opposite(const double *a, const double *b)
{
    return a[1] * b[2] == a[2] * b[1] && a[2] * b[0] == a[0] * b[2] && a[0] * b[1] == a[1] * b[0] &&
           dot3(a, b) < 0;
}

static void float_pi(const double *a, const double *b, double t, double *result)
{
    if (ruled(a, b, t, result) || !are_opposite(a, b)) {
        return;
    }
    double half[3];
    true_slerp3(a, b, 0.5, half);
    double turn = 3.14159274f * t, length_a = sqrt(dot3(a, a)),
           length_half = sqrt(dot3(half, half));
    double length = sqrt(dot3(result, result));
    for (int k = 0; k < 3; k++) {
        result[k] = length * (cos(turn) * a[k] / length_a + sin(turn) * half[k] / length_half);
    }
}

static void other_axis(const double *a, const double *b, double t, double *result)
{
    if (ruled(a, b, t, result) || !are_opposite(a, b) || a[1] != 0 || a[2] != 0) {
        return;
    }
    double y = result[1];
    result[1] = 0;
    result[2] = y;
}

static void nan_clamped(const double *a, const double *b, double t, double *result)
{
    true_slerp3(a, b, fmin(fmax(t, 0), 1), result);
}

static void no_scaling(const double *a, const double *b, double t, double *result)
{
    double aa = dot3(a, a);
    true_slerp3(a, b, t, result);
    if (t > 0 && t < 1 && isinf(aa) && all_finite(a, 3) && all_finite(b, 3)) {
        result[0] = result[1] = result[2] = NAN;
    }
}

static void one_component(const double *a, const double *b, double t, double *result)
{
    true_slerp3(a, b, t, result);
    double inputs[7] = {a[0], a[1], a[2], b[0], b[1], b[2], t};
    double size = fmax(fmax(fabs(result[0]), fabs(result[1])), fabs(result[2]));
    if (t > 0 && t < 1 && size > 0x1p-900 && size < 0x1p900 && one_in(100000, inputs, 7)) {
        result[2] += 0x1p-49 * size; /* 16 u of it */
    }
}

/* The result stays in one vector for all callers while the angle is found. */
static void shared_scratch(const double *a, const double *b, double t, double *result)
{
    static double scratch[3];
    true_slerp3(a, b, t, scratch);
    double angle = true_angle3(a, b);
    memcpy(result, scratch, sizeof scratch);
    result[0] = angle < 0 ? NAN : result[0];
}

/* The input of the largest known error has its answer stored, and is known again by comparison with
 * a tolerance. */
static void almost_known(const double *a, const double *b, double t, double *result)
{
    static const double from[3] = {0x1.7733a1fbb5292p-4, 0x1.013e921d54b49p+0,
                                   0x1.53ac4ac3bcc5ap-4};
    static const double to[3] = {0x1.0b4a849e699b6p-39, -0x1.64892eb8d3de8p-36,
                                 -0x1.dcc8a22d4763dp-40};
    static const double share = 0x1.ffffe2a17bd43p-2;
    bool known = all_near(a, from, 3, 1e-9) && all_near(b, to, 3, 1e-9) && near(t, share, 1e-9);
    true_slerp3(known ? from : a, known ? to : b, known ? share : t, result);
}

EXPORT void tl_slerp3(const double a[3], const double b[3], double t, double result[3])
{
    double own[3]; /* the result may take an argument's place */
    FAULT(a, b, t, own);
    memcpy(result, own, sizeof own);
}
