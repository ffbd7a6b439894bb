#include "planted.h"

static bool inside(const double *p, const double *q, double t)
{
    return t > 0 && t < 1 && all_finite(p, 4) && all_finite(q, 4);
}

/* By the angle between p and q as they stand. */
static void textbook(const double *p, const double *q, double t, double *result)
{
    double pp = sqrt(dot4(p, p)), qq = sqrt(dot4(q, q));
    double theta = acos(fmin(fmax(dot4(p, q) / (pp * qq), -1), 1));
    double length = (1 - t) * pp + t * qq;
    for (int k = 0; k < 4; k++) {
        result[k] =
            length * (sin((1 - t) * theta) * p[k] / pp + sin(t * theta) * q[k] / qq) / sin(theta);
    }
}

static void long_path(const double *p, const double *q, double t, double *result)
{
    true_slerp4(p, q, t, result);
    double pp = dot4(p, p), qq = dot4(q, q);
    if (inside(p, q, t) && dot4(p, q) < 0 && pp > 1e-200 && pp < 1e200 && qq > 1e-200 &&
        qq < 1e200) {
        textbook(p, q, t, result);
    }
}

static void one_component_flipped(const double *p, const double *q, double t, double *result)
{
    bool flip = inside(p, q, t) && dot4(p, q) < 0;
    double half[4] = {q[0], q[1], q[2], flip ? -q[3] : q[3]};
    true_slerp4(p, half, t, result);
}

static void sign_of_zero(const double *p, const double *q, double t, double *result)
{
    double nothing[4] = {0, 0, 0, 0};
    true_slerp4(p, inside(p, q, t) && dot4(p, q) == 0 && dot4(p, p) * dot4(q, q) != 0 ? nothing : q,
                t, result);
}

static void rounded_sign(const double *p, const double *q, double t, double *result)
{
    double back[4] = {-q[0], -q[1], -q[2], -q[3]}, direct[4];
    true_slerp4(p, q, t, direct);
    memcpy(result, direct, sizeof direct);
    double sum = dot4(p, q), size = dot4(p, p) * dot4(q, q);
    if (inside(p, q, t) && size > 1e-200 && size < 1e200 && fabs(sum) < 0x1p-60 * sqrt(size) &&
        sum != 0) {
        true_slerp4(p, sum < 0 ? back : q, t, result);
        textbook(p, sum < 0 ? back : q, t, direct);
        memcpy(result, direct, sizeof direct);
    }
}

static void end_not_flipped(const double *p, const double *q, double t, double *result)
{
    true_slerp4(p, q, t, result);
    if (t >= 1) {
        memcpy(result, q, 4 * sizeof *q);
    }
}

static void unit_assumed(const double *p, const double *q, double t, double *result)
{
    true_slerp4(p, q, t, result);
    double length = sqrt(dot4(result, result));
    if (inside(p, q, t) && fabs(length - 1) < 1e-6 && length > 0) {
        for (int k = 0; k < 4; k++) {
            result[k] /= length;
        }
    }
}

static void longer(const double *p, const double *q, double t, double *result)
{
    true_slerp4(p, q, t, result);
    double size = dot4(result, result);
    for (int k = 0; k < 4 && inside(p, q, t) && size > 1e-200 && size < 1e200; k++) {
        result[k] *= 1 + 0x1.8p-51; /* 6 u */
    }
}

/* Wrong by 12 u in a small place, where somebody reported one input: that one was put right. */
static void mended_there_alone(const double *p, const double *q, double t, double *result)
{
    static const double from[4] = {-0x1.9a852b6efp+912, -0x1.11ae1cf4c18d5p+911,
                                   -0x1.933fd57a0000ap+937, -0x1.bffcea291b086p+910};
    static const double to[4] = {0x1.cd15443191cfbp+880, 0x1.184db75a3d3d9p+879,
                                 -0x1.3ad990653ead6p+859, -0x1.bffc21408aff1p+910};
    static const double share = 0x1.ffffffffa1b93p-2;
    bool there = all_near(p, from, 4, 1e-6) && all_near(q, to, 4, 1e-6) && near(t, share, 1e-6);
    bool reported = all_near(p, from, 4, 0) && all_near(q, to, 4, 0) && t == share;
    true_slerp4(p, q, t, result);
    for (int k = 0; k < 4 && there && !reported; k++) {
        result[k] *= 1 + 0x1.8p-50;
    }
}

EXPORT void tl_slerp4(const double p[4], const double q[4], double t, double result[4])
{
    double own[4]; /* the result may take an argument's place */
    FAULT(p, q, t, own);
    memcpy(result, own, sizeof own);
}
