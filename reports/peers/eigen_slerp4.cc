/* Eigen's slerp of two unit quaternions, in double: by the C library's acos and three of its sines,
 * the short way round, and a plain lerp where |p . q| rounds to 1. */
#include <Eigen/Geometry>

#include "peers.h"

extern "C" __attribute__((noinline)) void peer_eigen_slerp4(const double p[4], const double q[4],
                                                            double t, double result[4])
{
    /* x, y, z, w, as Eigen stores them */
    const Eigen::Map<const Eigen::Quaterniond> from(p), to(q);
    Eigen::Map<Eigen::Quaterniond> answer(result);
    answer = from.slerp(t, to);
}
