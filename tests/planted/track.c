#include "planted.h"

static void held_outside(const tl_track_table *track, double t, double *result)
{
    const double *times = track->table;
    double last = track->count > 0 ? times[track->count - 1] : 0;
    true_track(track, track->count > 0 && t > last && isfinite(t) ? last : t, result);
}

static void infinite_time(const tl_track_table *track, double t, double *result)
{
    true_track(track, isinf(t) ? copysign(DBL_MAX, t) : t, result);
}

EXPORT void tl_track(const tl_track_table *track, double t, double *result)
{
    FAULT(track, t, result);
}
