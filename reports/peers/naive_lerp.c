/* Linear interpolation as it is usually written. Misses b at t = 1 and overflows where b - a
 * does. */
#include "peers.h"

__attribute__((noinline)) double peer_naive_lerp(double a, double b, double t)
{
    return a + t * (b - a);
}
