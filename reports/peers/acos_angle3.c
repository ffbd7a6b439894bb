/* The angle as the arc cosine of the normalised vectors' product: two square roots, and the C
 * library's acos. Near 0 and pi it loses half the digits. */
#include "peers.h"

#include <math.h>

__attribute__((noinline)) double peer_acos_angle3(const double a[3], const double b[3])
{
    const double length_a = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    const double length_b = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    return acos((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (length_a * length_b));
}
