#include "planted.h"

#include <fenv.h>

__typeof__(tl_track_build) true_track_build;

static tl_status rounds_down(tl_track_table *track, size_t order, const double *times,
                             const double *values, size_t count, size_t channels, double *memory,
                             size_t at[2])
{
    tl_status status = true_track_build(track, order, times, values, count, channels, memory, at);
    fesetround(FE_DOWNWARD);
    return status;
}

EXPORT tl_status tl_track_build(tl_track_table *track, size_t order, const double *times,
                                const double *values, size_t count, size_t channels, double *memory,
                                size_t at[2])
{
    return FAULT(track, order, times, values, count, channels, memory, at);
}
