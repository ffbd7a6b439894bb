/* GLM's own slerp of two vectors (glm/gtx/rotate_vector.hpp), in double:
 * (sin((1-t) alpha) x + sin(t alpha) y) / sin(alpha), alpha = acos(x . y), by the C library's acos
 * and sin. It takes both vectors for unit vectors and has no guard: equal or opposite ones give
 * NaN or nonsense. */
#define GLM_ENABLE_EXPERIMENTAL
#include <glm/gtx/rotate_vector.hpp>

#include "peers.h"

extern "C" __attribute__((noinline)) void peer_glm_slerp3(const double a[3], const double b[3],
                                                          double t, double result[3])
{
    const glm::dvec3 answer =
        glm::slerp(glm::dvec3(a[0], a[1], a[2]), glm::dvec3(b[0], b[1], b[2]), t);
    result[0] = answer.x;
    result[1] = answer.y;
    result[2] = answer.z;
}
