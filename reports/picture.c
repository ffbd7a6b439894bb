#include "picture.h"

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* In the image's units. The curves lie in a box with room for labels to the left and below, and the
 * legend to the right. */
enum {
    LEFT_LEAST = 56,
    TOP = 56,
    BOX_WIDTH = 560,
    BOX_HEIGHT = 340,
    BOTTOM = 52,
    LEGEND_GAP = 28,
    LEGEND_WIDTH = 190,
    LEGEND_LINE = 24,
    DIGIT_WIDTH = 8,
    LABEL_GAP = 12,
    MARGIN = 20
};

enum {
    SAMPLES = 240,
    TICKS = 6,     /* about so many on an axis */
    PARTS_MAX = 8, /* so many of the curves through fewer nodes are drawn */
    LEGEND_DIGITS = 6
};

/* An axis. Extended precision keeps the width of the whole range of doubles finite. */
struct axis {
    long double low, high;
    long double step;       /* between ticks, which stand at multiples of it: */
    long first_tick, ticks; /* the first one's multiple, and how many there are */
    int decimals;           /* of their labels; negative: in the scientific form, so many less 1 */
};

struct picture {
    FILE *stream;
    const struct differences *differences;
    const char *caption;
    struct axis time, value;
    size_t parts; /* curves through fewer than all nodes, from the one through the first on */
    double left, width, height;
    mpfr_t *coefficients;
    mpfr_t sum, factor, node;
};

/* Many bits: the coefficients of many nodes cancel, and a curve that is drawn must be the right
 * one. */
enum { PRECISION = 1024 };

/* The value at t of the polynomial through the first `count` nodes. */
static long double evaluate(struct picture *picture, size_t count, long double t)
{
    mpfr_set_zero(picture->sum, 1);
    for (size_t i = count; i-- > 0;) {
        mpfr_set_ld(picture->factor, t, MPFR_RNDN);
        mpfr_set_d(picture->node, picture->differences->times[i], MPFR_RNDN);
        mpfr_sub(picture->factor, picture->factor, picture->node, MPFR_RNDN);
        mpfr_fma(picture->sum, picture->sum, picture->factor, picture->coefficients[i], MPFR_RNDN);
    }
    return mpfr_get_ld(picture->sum, MPFR_RNDN);
}

static void picture_create(struct picture *picture)
{
    size_t count = picture->differences->count;
    picture->coefficients = calloc(count, sizeof *picture->coefficients);
    if (!picture->coefficients) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        mpfr_init2(picture->coefficients[i], PRECISION);
        mpfr_set_q(picture->coefficients[i], differences_entry(picture->differences, i, 0),
                   MPFR_RNDN);
    }
    mpfr_inits2(PRECISION, picture->sum, picture->factor, picture->node, (mpfr_ptr)0);
    picture->parts = count - 1 < PARTS_MAX ? count - 1 : PARTS_MAX;
}

static void picture_free(struct picture *picture)
{
    for (size_t i = 0; i < picture->differences->count; i++) {
        mpfr_clear(picture->coefficients[i]);
    }
    free(picture->coefficients);
    mpfr_clears(picture->sum, picture->factor, picture->node, (mpfr_ptr)0);
}

/* Axes. */

static void widen(struct axis *axis, long double number)
{
    axis->low = number < axis->low ? number : axis->low;
    axis->high = number > axis->high ? number : axis->high;
}

/* Some room on both sides, and some width in any case. */
static void pad(struct axis *axis)
{
    long double room = (axis->high - axis->low) * 0.06L;
    if (!(room > 0)) {
        room = axis->low == 0 ? 1 : fabsl(axis->low) / 2;
    }
    axis->low -= room;
    axis->high += room;
}

/* The step is 1, 2 or 5 times a power of ten. */
static void set_ticks(struct axis *axis)
{
    long double least = (axis->high - axis->low) / TICKS;
    long double power = powl(10, floorl(log10l(least)));
    axis->step = 10 * power;
    static const int factors[] = {5, 2, 1};
    for (size_t i = 0; i < 3; i++) {
        axis->step = factors[i] * power >= least * 0.8L ? factors[i] * power : axis->step;
    }
    axis->first_tick = (long)ceill(axis->low / axis->step);
    axis->ticks = (long)floorl(axis->high / axis->step) - axis->first_tick + 1;
    int exponent = (int)floorl(log10l(axis->step) + 1e-9L);
    long double most = fmaxl(fabsl(axis->low), fabsl(axis->high));
    int leading = (int)floorl(log10l(most));
    int digits = leading - exponent; /* behind the first one */
    bool plain = exponent > -6 && (most < 1e6L || leading < digits + 5);
    axis->decimals = plain ? (exponent < 0 ? -exponent : 0) : -1 - (digits > 0 ? digits : 0);
}

static long double tick_at(const struct axis *axis, long i)
{
    return (long double)(axis->first_tick + i) * axis->step;
}

/* With as many digits as the labels of the axis need. */
static void number_text(const struct axis *axis, long double number, char text[DECIMAL_TEXT])
{
    if (axis->decimals >= 0) {
        snprintf(text, DECIMAL_TEXT, "%.*Lf", axis->decimals, number);
    } else if (number == 0) {
        snprintf(text, DECIMAL_TEXT, "0");
    } else {
        snprintf(text, DECIMAL_TEXT, "%.*Le", -1 - axis->decimals, number);
    }
}

/* The width of an axis's longest label. */
static double label_width(const struct axis *axis)
{
    size_t longest = 0;
    for (long i = 0; i < axis->ticks; i++) {
        char text[DECIMAL_TEXT];
        number_text(axis, tick_at(axis, i), text);
        longest = strlen(text) > longest ? strlen(text) : longest;
    }
    return (double)longest * DIGIT_WIDTH;
}

static void place_box(struct picture *picture)
{
    double label = 24 + label_width(&picture->value);
    picture->left = label > LEFT_LEAST ? label : LEFT_LEAST;
    picture->width = picture->left + BOX_WIDTH + LEGEND_GAP + LEGEND_WIDTH + MARGIN;
    picture->height = TOP + BOX_HEIGHT + BOTTOM;
}

static long double sample_time(const struct axis *time, int sample)
{
    return time->low + (time->high - time->low) * sample / SAMPLES;
}

/* All nodes and the curve between them are in sight; of the other curves, what falls in there. */
static bool set_axes(struct picture *picture)
{
    const struct differences *differences = picture->differences;
    struct axis *time = &picture->time;
    struct axis *value = &picture->value;
    *time = (struct axis){.low = differences->times[0], .high = differences->times[0]};
    *value = (struct axis){.low = differences->values[0], .high = differences->values[0]};
    for (size_t i = 0; i < differences->count; i++) {
        widen(time, differences->times[i]);
        widen(value, differences->values[i]);
    }
    for (int sample = 0; sample <= SAMPLES; sample++) {
        long double y = evaluate(picture, differences->count, sample_time(time, sample));
        if (!isfinite(y)) {
            return false;
        }
        widen(value, y);
    }
    pad(time);
    pad(value);
    if (!isfinite(value->high - value->low) || !(time->high > time->low)) {
        return false;
    }
    set_ticks(time);
    set_ticks(value);
    place_box(picture);
    return true;
}

static double x_of(const struct picture *picture, long double time)
{
    const struct axis *axis = &picture->time;
    return picture->left +
           (double)((time - axis->low) / (axis->high - axis->low) * (long double)BOX_WIDTH);
}

/* What lies far outside is clipped anyway. */
static double y_of(const struct picture *picture, long double value)
{
    const struct axis *axis = &picture->value;
    long double share = (value - axis->low) / (axis->high - axis->low);
    share = share < -3 ? -3 : share > 4 ? 4 : share;
    return TOP + (double)((1 - share) * (long double)BOX_HEIGHT);
}

/* Drawing. */

static void write_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        default:
            putc(*text, stream);
        }
    }
}

/* Plain colours, without variables, since not every viewer of SVG knows those. */
static void write_style(FILE *stream)
{
    fputs("<style>\n"
          "svg { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans',\n"
          "  sans-serif; font-variant-numeric: tabular-nums; }\n"
          "path { fill: none; stroke-linejoin: round; }\n"
          "text { fill: #5c6670; }\n"
          ".paper { fill: #ffffff; }\n"
          ".caption { font-size: 16px; }\n"
          ".name { fill: #1d2329; }\n"
          ".caption .name { font-weight: 600; }\n"
          ".grid { stroke: #e6e8ea; }\n"
          ".zero { stroke: #9aa4ae; }\n"
          ".part { stroke-width: 1.5; }\n"
          ".curve { stroke: #2b66c9; stroke-width: 3; }\n"
          ".node { fill: #ffffff; stroke: #1d2329; stroke-width: 2; }\n"
          ".hue0 { stroke: #d99a1b; } .hue1 { stroke: #e0762f; } .hue2 { stroke: #df5a4a; }\n"
          ".hue3 { stroke: #d84d78; } .hue4 { stroke: #c24fa3; } .hue5 { stroke: #a557bf; }\n"
          ".hue6 { stroke: #8a5cc9; } .hue7 { stroke: #6f62cd; }\n"
          "@media (prefers-color-scheme: dark) {\n"
          "  text { fill: #9aa4ae; }\n"
          "  .paper { fill: #1b1f23; }\n"
          "  .name { fill: #e4e7ea; }\n"
          "  .grid { stroke: #2e343a; }\n"
          "  .zero { stroke: #66707a; }\n"
          "  .curve { stroke: #7fb0ff; }\n"
          "  .node { fill: #1b1f23; stroke: #e4e7ea; }\n"
          "  .hue0 { stroke: #f0c060; } .hue1 { stroke: #f3a066; } .hue2 { stroke: #f38a7c; }\n"
          "  .hue3 { stroke: #ee82a6; } .hue4 { stroke: #de86c8; } .hue5 { stroke: #c990e2; }\n"
          "  .hue6 { stroke: #b698f0; } .hue7 { stroke: #a5a0f5; }\n"
          "}\n"
          "</style>\n",
          stream);
}

static void write_head(const struct picture *picture)
{
    FILE *stream = picture->stream;
    size_t count = picture->differences->count;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" role=\"img\" aria-labelledby=\"title description\">\n"
            "<title id=\"title\">The polynomial through %zu node%s: ",
            picture->width, picture->height, picture->width, picture->height, count,
            count == 1 ? "" : "s");
    write_text(stream, picture->caption);
    fputs("</title>\n<desc id=\"description\">", stream);
    char first[DECIMAL_TEXT], last[DECIMAL_TEXT];
    number_text(&picture->time, picture->time.low, first);
    number_text(&picture->time, picture->time.high, last);
    fprintf(stream, "The curve over times from about %s to %s.", first, last);
    if (picture->parts > 0) {
        fprintf(stream,
                " Thinner, the polynomials of degree 0 to %zu, through the first nodes "
                "only: each divided difference adds one node.",
                picture->parts - 1);
    }
    fputs("</desc>\n", stream);
    write_style(stream);
    fprintf(stream,
            "<rect class=\"paper\" width=\"100%%\" height=\"100%%\" rx=\"8\"/>\n"
            "<text class=\"caption\" x=\"%.1f\" y=\"32\"><tspan class=\"name\">",
            picture->left);
    write_text(stream, picture->caption);
    fprintf(stream, "</tspan>\u2002polynomial of degree %zu</text>\n", count - 1);
}

/* Ticks whose labels would run into one another have none. */
static void write_time_axis(const struct picture *picture)
{
    const struct axis *axis = &picture->time;
    const double bottom = TOP + BOX_HEIGHT;
    double apart = (double)(axis->step / (axis->high - axis->low) * (long double)BOX_WIDTH);
    long every = (long)((label_width(axis) + LABEL_GAP) / apart) + 1;
    for (long i = 0; i < axis->ticks; i++) {
        double x = x_of(picture, tick_at(axis, i));
        fprintf(picture->stream, "<path class=\"grid\" d=\"M%.1f %dV%.0f\"/>", x, TOP, bottom);
        if (i % every == 0) {
            char text[DECIMAL_TEXT];
            number_text(axis, tick_at(axis, i), text);
            fprintf(picture->stream, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%s</text>",
                    x, bottom + 20, text);
        }
        putc('\n', picture->stream);
    }
    fprintf(picture->stream, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"end\">t</text>\n",
            picture->left + BOX_WIDTH, bottom + 38);
}

static void write_value_axis(const struct picture *picture)
{
    const struct axis *axis = &picture->value;
    for (long i = 0; i < axis->ticks; i++) {
        char text[DECIMAL_TEXT];
        number_text(axis, tick_at(axis, i), text);
        double y = y_of(picture, tick_at(axis, i));
        fprintf(picture->stream,
                "<path class=\"%s\" d=\"M%.1f %.1fh%d\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                axis->first_tick + i == 0 ? "zero" : "grid", picture->left, y, BOX_WIDTH,
                picture->left - 10, y + 4.5, text);
    }
}

/* The curve through all nodes, or through the first ones: those go through the hues. */
static void write_class(const struct picture *picture, size_t count)
{
    if (count == picture->differences->count) {
        fputs("<path class=\"curve\"", picture->stream);
        return;
    }
    size_t last = picture->parts > 1 ? picture->parts - 1 : 1;
    fprintf(picture->stream, "<path class=\"part hue%zu\"", (count - 1) * (PARTS_MAX - 1) / last);
}

static void write_curve(struct picture *picture, size_t count)
{
    write_class(picture, count);
    fputs(" d=\"", picture->stream);
    for (int sample = 0; sample <= SAMPLES; sample++) {
        long double time = sample_time(&picture->time, sample);
        fprintf(picture->stream, "%c%.1f %.1f", sample == 0 ? 'M' : 'L', x_of(picture, time),
                y_of(picture, evaluate(picture, count, time)));
    }
    fputs("\"/>\n", picture->stream);
}

static void write_nodes(const struct picture *picture)
{
    for (size_t i = 0; i < picture->differences->count; i++) {
        fprintf(picture->stream,
                "<circle class=\"node\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"><title>(%.17g, %.17g)"
                "</title></circle>\n",
                x_of(picture, picture->differences->times[i]),
                y_of(picture, picture->differences->values[i]), picture->differences->times[i],
                picture->differences->values[i]);
    }
}

/* "degree 1, f[.,.] = 0.5" */
static void write_legend_line(const struct picture *picture, size_t degree, int line)
{
    double x = picture->left + BOX_WIDTH + LEGEND_GAP;
    double y = TOP + 8 + line * LEGEND_LINE;
    char coefficient[DECIMAL_TEXT];
    decimal_text(differences_entry(picture->differences, degree, 0), LEGEND_DIGITS, coefficient);
    write_class(picture, degree + 1);
    fprintf(picture->stream,
            " d=\"M%.1f %.1fh22\"/><text x=\"%.1f\" y=\"%.1f\"><tspan class=\"name\">degree %zu"
            "</tspan>\u2002%s</text>\n",
            x, y - 4.5, x + 32, y, degree, coefficient);
}

static void write_legend(const struct picture *picture)
{
    size_t count = picture->differences->count;
    double x = picture->left + BOX_WIDTH + LEGEND_GAP;
    fprintf(picture->stream, "<text x=\"%.1f\" y=\"32\">divided differences</text>\n", x);
    int line = 0;
    for (size_t degree = 0; degree < picture->parts; degree++) {
        write_legend_line(picture, degree, line++);
    }
    if (picture->parts + 1 < count) {
        fprintf(picture->stream, "<text x=\"%.1f\" y=\"%d\">\u2026</text>\n", x + 32,
                TOP + 8 + line++ * LEGEND_LINE);
    }
    write_legend_line(picture, count - 1, line++);
    double y = TOP + 8 + line * LEGEND_LINE;
    fprintf(picture->stream,
            "<circle class=\"node\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>"
            "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%zu node%s</text>\n",
            x + 11, y - 4.5, x + 32, y, count, count == 1 ? "" : "s");
}

static void write_picture(struct picture *picture)
{
    write_head(picture);
    write_time_axis(picture);
    write_value_axis(picture);
    fprintf(picture->stream,
            "<clipPath id=\"box\"><rect x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            "</clipPath>\n<g clip-path=\"url(#box)\">\n",
            picture->left, TOP, BOX_WIDTH, BOX_HEIGHT);
    for (size_t count = 1; count <= picture->parts; count++) {
        write_curve(picture, count);
    }
    write_curve(picture, picture->differences->count);
    fputs("</g>\n", picture->stream);
    write_nodes(picture);
    write_legend(picture);
    fputs("</svg>\n", picture->stream);
}

const char *picture_write(FILE *stream, const struct differences *differences, const char *caption)
{
    struct picture picture = {.stream = stream, .differences = differences, .caption = caption};
    picture_create(&picture);
    bool drawable = set_axes(&picture);
    if (drawable) {
        write_picture(&picture);
    }
    picture_free(&picture);
    return drawable ? NULL : "the curve goes beyond what can be drawn";
}
