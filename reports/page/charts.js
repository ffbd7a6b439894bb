"use strict";

/* Figures as text, and the two charts of a function. */

/* Text */

function group(count) {
    return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

function figure(number) {
    if (number === null || number === undefined) {
        return "\u2013";
    }
    if (number === 0) {
        return "0";
    }
    if (number >= 1e307) {
        return "beyond 1e307"; /* where the judge's figures saturate */
    }
    if (number >= 9999.5 || number < 0.001) {
        return number.toExponential(1).replace("e+", "e");
    }
    if (number < 0.0995) {
        return number.toFixed(4);
    }
    return number < 9.995
        ? number.toFixed(2)
        : number < 99.95
          ? number.toFixed(1)
          : number.toFixed(0);
}

/* Never "100 %" for what is not quite there, or over it. */
function percentage(share) {
    if (share === null) {
        return "\u2013";
    }
    const percent = 100 * share;
    const whole = percent < 100 ? Math.floor(percent) : Math.ceil(percent);
    return whole <= 9999 ? whole + "\u202f%" : "> 9999\u202f%";
}

function mustBeExact(kept) {
    return kept !== null && kept.bound === 0 && kept.error_scaled > 0;
}

/* The share of the bound at a case. */
function shareText(kept) {
    return mustBeExact(kept) ? "must be exact here" : percentage(kept && kept.share_of_bound);
}

/* The 99.9th percentile, unless it is just the largest of too few. */
function high(tally) {
    return tally.counts.measured < 1000 ? null : tally.error_scaled["p99.9"];
}

/* Small ones keep their digits: 0.0012 %. */
function frequency(share) {
    if (share === null) {
        return "\u2013";
    }
    const percent = 100 * share;
    return (percent >= 10 ? Math.floor(percent) : Number(percent.toPrecision(2))) + "\u202f%";
}

function bad(verdict) {
    return verdict !== "within";
}

function errorUnit(subject) {
    return subject.measure === "rounded" ? "ulp" : "u\u00a0S";
}

/* Theme: the charts take their colours from the style sheet. */

function colour(name) {
    return getComputedStyle(document.documentElement)
        .getPropertyValue("--" + name)
        .trim();
}

/* A line across the plot at the bound, with its value. */
const boundLine = {
    id: "boundLine",
    afterDatasetsDraw(chart, _, options) {
        const scale = chart.scales[options.axis];
        const position = scale ? scale.getPixelForValue(options.value) : NaN;
        const area = chart.chartArea;
        const across = options.axis === "x";
        const [low, high] = across ? [area.left, area.right] : [area.top, area.bottom];
        if (!(position >= low - 1 && position <= high + 1)) {
            return;
        }
        const context = chart.ctx;
        context.save();
        context.strokeStyle = context.fillStyle = colour("bound");
        context.setLineDash([5, 4]);
        context.lineWidth = 1.5;
        context.beginPath();
        context.moveTo(across ? position : area.left, across ? area.top : position);
        context.lineTo(across ? position : area.right, across ? area.bottom : position);
        context.stroke();
        context.font = Chart.defaults.font.size + "px " + Chart.defaults.font.family;
        context.textAlign = "right";
        context.textBaseline = across ? "top" : "bottom";
        context.setLineDash([]);
        context.lineWidth = 5;
        context.lineJoin = "round";
        context.strokeStyle = colour("card"); /* legible over curve and grid */
        const place = across ? [position - 5, area.top + 2] : [area.right - 4, position - 4];
        context.strokeText(options.label, ...place);
        context.fillText(options.label, ...place);
        context.restore();
    },
};

function scaleOptions(title, more) {
    return Object.assign(
        {
            type: "linear",
            title: { display: true, text: title, color: colour("soft") },
            grid: { color: colour("line"), tickLength: 4, drawBorder: false },
            ticks: { color: colour("soft"), maxRotation: 0, autoSkipPadding: 12 },
        },
        more,
    );
}

function lineSet(points, main) {
    return {
        data: points,
        stepped: "after",
        borderColor: colour(main ? "accent" : "other"),
        backgroundColor: colour("accent-fill"),
        fill: main ? "start" : false,
        borderWidth: main ? 1.75 : 1.25,
        pointRadius: 0,
        pointHitRadius: 0,
        order: main ? 0 : 1,
        label: main ? "main" : "all",
    };
}

function chartOptions(scales, line, title, label) {
    return {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales,
        plugins: {
            legend: { display: false },
            boundLine: line,
            tooltip: {
                displayColors: false,
                filter: (item, index) => index === 0,
                callbacks: {
                    title: (items) => (items.length ? title(items[0].raw) : ""),
                    label: (item) => label(item.raw),
                },
            },
        },
    };
}

const FLOOR = 2 ** -14; /* errors below are told as a number, not drawn */

/* Bins as points at their lower edges, log10 of the share of cases over log10 of the error. */
function histogramPoints(tally, unit) {
    const histogram = tally.error_scaled.histogram;
    const total = tally.counts.measured;
    const points = [];
    const below = histogram.zero + histogram.below;
    histogram.counts.forEach((count, i) => {
        const [low, high] = [histogram.edges[i], histogram.edges[i + 1]];
        points.push({
            x: Math.log10(low),
            y: count > 0 ? Math.log10(count / total) : NaN,
            low,
            high,
            count,
            total,
            unit,
        });
    });
    if (points.length > 0) {
        points.push({
            ...points[points.length - 1],
            x: Math.log10(points[points.length - 1].high),
        });
    }
    return { points, below: total > 0 ? below / total : 0 };
}

/* Empty bins lie on the floor of the plot. */
function onFloor(points, floor) {
    return points.map((point) => (Number.isNaN(point.y) ? { ...point, y: floor } : point));
}

function histogramConfiguration(subject, tally) {
    const main = histogramPoints(tally, errorUnit(subject)).points;
    const other = tally === subject.total ? [] : histogramPoints(subject.total).points;
    const all = main.concat(other);
    const heights = all.map((point) => point.y).filter((y) => !Number.isNaN(y));
    const floor = Math.floor(Math.min(-1, ...heights) - 0.05);
    const bound = subject.bound_varies ? -Infinity : Math.log10(subject.K);
    return {
        type: "line",
        data: {
            datasets: [lineSet(onFloor(main, floor), true), lineSet(onFloor(other, floor), false)],
        },
        options: chartOptions(
            {
                x: scaleOptions("error, " + errorUnit(subject), {
                    min: Math.max(Math.log10(FLOOR), Math.min(-2, ...all.map((point) => point.x))),
                    max: Math.max(bound + 0.15, ...all.map((point) => point.x)),
                    afterBuildTicks: decades,
                    ticks: { color: colour("soft"), maxRotation: 0, callback: decade },
                }),
                y: scaleOptions("share of cases", {
                    min: floor,
                    max: 0,
                    afterBuildTicks: decades,
                    ticks: {
                        color: colour("soft"),
                        callback: (value) => decade(value + 2) + "\u202f%",
                    },
                }),
            },
            subject.bound_varies ? false : { axis: "x", value: bound, label: "bound " + subject.K },
            (point) => figure(point.low) + " to " + figure(point.high) + " " + point.unit,
            (point) => group(point.count) + " cases, " + frequency(point.count / point.total),
        ),
    };
}

/* Ticks at the powers of ten of a scale of logarithms. */
function decades(scale) {
    scale.ticks = [];
    for (let value = Math.ceil(scale.min); value <= scale.max; value++) {
        scale.ticks.push({ value });
    }
}

/* The same for a scale of the numbers themselves, that may go from 0.1 to 1e307. */
function powers(scale) {
    const [low, high] = [Math.log10(scale.min), Math.log10(scale.max)].map((end) =>
        Number(end.toFixed(9)),
    );
    const step = [1, 2, 3, 5, 10, 20, 50, 100].find((size) => (high - low) / size <= 8);
    scale.ticks = [];
    for (let power = step * Math.ceil(low / step); power <= high; power += step) {
        scale.ticks.push({ value: 10 ** power });
    }
}

function decade(value) {
    return value < -3 || value > 4
        ? "10" + superscript(value)
        : String(Number((10 ** value).toPrecision(1)));
}

function superscript(number) {
    return String(number).replace(/./g, (digit) =>
        digit === "-"
            ? "\u207b"
            : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[digit],
    );
}

/* The largest error in each bin of the axis. */
function axisPoints(subject, tally, name) {
    const values = tally.over_axis.max_error_scaled;
    const step = (subject.axis.high - subject.axis.low) / values.length;
    const points = values.map((value, i) => ({
        x: subject.axis.low + i * step,
        y: value === null ? NaN : value,
        from: subject.axis.low + i * step,
        high: subject.axis.low + (i + 1) * step,
        count: tally.over_axis.counts[i],
        domain: name || worstDomain(subject, i, value),
        unit: errorUnit(subject),
    }));
    const last = points[points.length - 1];
    return points.concat({ ...last, x: last.high });
}

function worstDomain(subject, bin, value) {
    const worst = subject.domains.find(
        (domain) => domain.over_axis.max_error_scaled[bin] === value,
    );
    return worst ? worst.name : "";
}

function axisConfiguration(subject, tally) {
    const main = axisPoints(subject, tally, tally.name);
    const other = tally === subject.total ? [] : axisPoints(subject, subject.total);
    const heights = main
        .concat(other)
        .map((point) => point.y)
        .filter((y) => !Number.isNaN(y));
    const highest = Math.max(0, ...heights);
    const wild = highest > 4 * subject.K;
    const vertical = wild
        ? {
              type: "logarithmic",
              min: subject.K / 100,
              max: 10 ** Math.min(308, Math.ceil(Math.log10(highest) + 0.1)),
              afterBuildTicks: powers,
          }
        : { min: 0, max: 1.12 * Math.max(subject.K, highest) };
    vertical.ticks = {
        color: colour("soft"),
        callback: (value, i, ticks) =>
            wild
                ? decade(Math.round(Math.log10(value)))
                : i === ticks.length - 1
                  ? null
                  : axisText(value),
    };
    return {
        type: "line",
        data: { datasets: [lineSet(main, true), lineSet(other, false)] },
        options: chartOptions(
            {
                x: scaleOptions(subject.axis.label, {
                    min: subject.axis.low,
                    max: subject.axis.high,
                    ticks: {
                        color: colour("soft"),
                        maxRotation: 0,
                        autoSkipPadding: 12,
                        callback: (value) => ended(subject.axis, value),
                    },
                }),
                y: scaleOptions("largest error, " + errorUnit(subject), vertical),
            },
            subject.bound_varies
                ? false
                : { axis: "y", value: subject.K, label: "bound " + subject.K },
            (point) => subject.axis.label + " " + binText(subject.axis, point),
            (point) =>
                figure(point.y) +
                " " +
                point.unit +
                " in " +
                point.domain +
                ", " +
                group(point.count) +
                " cases",
        ),
    };
}

/* The bins at the ends hold what lies outside, too. */
function ended(axis, value) {
    const sign = value <= axis.low ? "\u2264\u202f" : value >= axis.high ? "\u2265\u202f" : "";
    return sign + axisText(value);
}

function binText(axis, point) {
    if (point.x <= axis.low) {
        return ended({ low: point.high }, point.high);
    }
    return point.high >= axis.high - 1e-9
        ? ended({ high: point.from }, point.from)
        : axisText(point.x) + " to " + axisText(point.high);
}

function axisText(value) {
    return String(Number(value.toPrecision(4)));
}
