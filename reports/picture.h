/* A polynomial in Newton's form as a picture. */
#ifndef TRUELERP_REPORTS_PICTURE_H
#define TRUELERP_REPORTS_PICTURE_H

#include "differences.h"

#include <stdio.h>

/* Writes an SVG image: the nodes, the curve through all of them and, thinner, those through the
 * first one, two, three, ... `caption` is plain text. Returns NULL, or why there is no picture. */
const char *picture_write(FILE *stream, const struct differences *differences, const char *caption);

#endif
