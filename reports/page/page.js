"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

/* Functions that the implementation lacks. */
const missing = JSON.parse(document.getElementById("missing").textContent);

/* Elements */

function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith("on")) {
            made.addEventListener(name.slice(2), value);
        } else if (value !== null && value !== undefined && value !== false) {
            made.setAttribute(name, value);
        }
    }
    made.append(...children.filter((child) => child !== null));
    return made;
}

function verdictMark(text, verdict = text) {
    return element(
        "span",
        { class: bad(verdict) ? "bad" : "good" },
        bad(verdict) ? "\u2715" : "\u2713",
        element("span", { class: "word" }, " " + text),
    );
}

const BAR = "Bar: how far the case nearest to its own bound goes to it, or over it.";

/* The bound of the worst case is the whole track. */
function meter(tally) {
    const share = tally.share_of_bound;
    if (mustBeExact(tally.worst.share_of_bound)) {
        return element("span", { class: "exact" }, shareText(tally.worst.share_of_bound));
    }
    const track = element("span", { class: "track" });
    if (share !== null) {
        const fill = element("span", { class: share > 1 ? "fill over" : "fill" });
        fill.style.width = Math.min(100, 100 * share) + "%";
        track.append(fill);
    }
    return element(
        "span",
        { class: "meter", title: BAR },
        track,
        element("span", { class: "number" }, shareText(tally.worst.share_of_bound)),
    );
}

/* Cases */

function copyButton(text) {
    const button = element("button", { class: "copy", type: "button" }, "Copy");
    button.addEventListener("click", async () => {
        try {
            await navigator.clipboard.writeText(text);
        } catch {
            const area = element("textarea", {}, text);
            document.body.append(area);
            area.select();
            document.execCommand("copy");
            area.remove();
        }
        button.textContent = "Copied";
        setTimeout(() => {
            button.textContent = "Copy";
        }, 1500);
    });
    return button;
}

function outputName(subject, what, i) {
    const name = subject.outputs[i].name;
    return name ? what + " " + name : what;
}

/* Hexfloats for the record, decimals for the eye. */
function decimal(text) {
    return text
        .split(";")
        .map((one) => {
            const parts = /^(-?)0x([01])\.?([0-9a-f]*)p([+-]?\d+)$/.exec(one);
            if (!parts) {
                return one;
            }
            const digits = parts[2] + parts[3];
            const value =
                parseInt(digits, 16) *
                2 ** (Math.max(Number(parts[4]), -1000) - 4 * parts[3].length) *
                2 ** Math.min(Number(parts[4]) + 1000, 0);
            return parts[1] + String(value);
        })
        .join("; ");
}

function caseCard(subject, heading, kept, className) {
    const lines = element("dl", {});
    const line = (name, value) =>
        lines.append(element("dt", {}, name), element("dd", {}, element("code", {}, value)));
    for (const [name, value] of Object.entries(kept.inputs ?? {})) {
        line(name, value === "" ? "(none)" : decimal(value));
    }
    (kept.result || []).forEach((value, i) =>
        line(outputName(subject, "result", i), decimal(value)),
    );
    (kept.exact || []).forEach((value, i) =>
        line(outputName(subject, "exact", i), value.replaceAll(";", "; ")),
    );
    const facts =
        kept.error_scaled === null
            ? ""
            : figure(kept.error_scaled) +
              " " +
              errorUnit(subject) +
              ", " +
              shareText(kept) +
              (mustBeExact(kept) ? "; " : " of the bound; ") +
              figure(kept.error_ulp) +
              " ulp";
    return element(
        "div",
        { class: "case " + (className || "") },
        element("h3", {}, heading),
        element(
            "p",
            { class: "note" },
            "domain " +
                kept.domain +
                ", case " +
                group(kept.case) +
                (kept.note ? ": " + kept.note : "") +
                (facts ? ": " + facts : ""),
        ),
        lines,
        element("div", { class: "command" }, element("code", {}, kept.eval), copyButton(kept.eval)),
    );
}

/* One card where one case is the worst in every respect. */
function worstCards(subject, tally) {
    const kinds = [
        [
            "share_of_bound",
            tally.share_of_bound > 1 ? "Farthest over the bound" : "Nearest to the bound",
        ],
        ["error_scaled", "Largest in " + errorUnit(subject)],
        ["error_ulp", "Largest in ulp"],
    ];
    const cards = [];
    for (const [kind, heading] of kinds) {
        const kept = tally.worst[kind];
        if (
            !kept ||
            (kind === "error_scaled" &&
                kept.error_scaled === tally.worst.share_of_bound.error_scaled)
        ) {
            continue;
        }
        const same = cards.find((card) => card.kept.eval === kept.eval);
        if (same) {
            same.headings.push(heading.toLowerCase());
        } else {
            cards.push({ kept, headings: [heading] });
        }
    }
    return cards.map((card) => caseCard(subject, card.headings.join(" and "), card.kept));
}

function findingCards(subject, tally) {
    return tally.findings.map((finding) =>
        caseCard(
            subject,
            finding.kind +
                ": " +
                group(finding.count) +
                (finding.count === 1 ? " case" : " cases; the first"),
            finding.first,
            "finding",
        ),
    );
}

/* Tables */

/* A domain's columns; the counts of what was not compared only where there is something. */
function domainColumns(subject) {
    const unit = errorUnit(subject);
    const rare = ["undefined", "undecided", "crash", "skipped"]
        .filter((kind) => subject.total.counts[kind] > 0)
        .map((kind) => [kind, "wide", (tally) => group(tally.counts[kind])]);
    return [
        ["compared", "wide", (tally) => group(tally.counts.compared)],
        ...rare,
        ["mean", "wide", (tally) => figure(tally.error_scaled.mean)],
        ["p50", "wide", (tally) => figure(tally.error_scaled.p50)],
        ["p99.9", "wide", (tally) => figure(high(tally))],
        ["max, " + unit, "", (tally) => figure(tally.error_scaled.max)],
        ...(unit === "ulp" ? [] : [["max, ulp", "wide", (tally) => figure(tally.error_ulp.max)]]),
        ["misrounded", "wide", (tally) => frequency(tally.share_misrounded)],
        ["share of the bound", "", (tally) => meter(tally)],
        [
            "",
            "left verdict",
            (tally) => verdictMark(bad(tally.verdict) ? tally.verdict : "", tally.verdict),
        ],
    ];
}

function domainTable(subject, choose) {
    const columns = domainColumns(subject);
    const row = (name, tally, attributes) =>
        element(
            "tr",
            attributes,
            element("th", { class: "left", scope: "row" }, name),
            ...columns.map(([, style, cell]) => element("td", { class: style }, cell(tally))),
        );
    const rows = subject.domains.map((domain) =>
        row(domain.name, domain, {
            class: "choice" + (bad(domain.verdict) ? " finding" : ""),
            title: domain.summary,
            onclick: () => choose(domain.name),
        }),
    );
    const table = element(
        "table",
        {},
        element(
            "caption",
            {},
            "By domain: the kinds of input that the cases were drawn from. " +
                "Choose one to see it in the charts and cases.",
        ),
        element(
            "thead",
            {},
            element(
                "tr",
                {},
                element("th", { class: "left", scope: "col" }, "domain"),
                ...columns.map(([name, style]) =>
                    element("th", { class: style, scope: "col" }, name),
                ),
            ),
        ),
        element("tbody", {}, ...rows),
        element("tfoot", {}, row("all", subject.total, {})),
    );
    return { table: element("div", { class: "scroll" }, table), rows };
}

/* One function */

class FunctionView {
    constructor(subject) {
        this.subject = subject;
        this.tally = subject.total;
        this.charts = [];
        this.canvases = ["histogram", "axis"].map(() => element("canvas", { role: "img" }));
        this.note = element("p", { class: "note" });
        this.findings = element("div", { class: "cases" });
        this.cases = element("div", { class: "cases" });
        this.summary = element("p", { class: "note" });
        this.select = element(
            "select",
            { onchange: () => this.choose(this.select.value) },
            element("option", { value: "" }, "all domains"),
            ...subject.domains.map((domain) =>
                element("option", { value: domain.name }, domain.name),
            ),
        );
        this.domains = domainTable(subject, (name) =>
            this.choose(this.tally.name === name ? "" : name),
        );
        this.element = this.build();
        this.fill();
    }

    /* What the form of the formula costs, whatever the arithmetic. */
    condition() {
        const found = this.subject.total.figure;
        return (
            this.subject.figure +
            ": up to " +
            figure(found.p50) +
            " in half of the cases, up to " +
            figure(found["p99.9"]) +
            " in 99.9\u202f% of them, at most " +
            figure(found.max)
        );
    }

    build() {
        const subject = this.subject;
        const facts = element("dl", {});
        const fact = (name, ...value) =>
            facts.append(element("dt", {}, name), element("dd", {}, ...value));
        fact("Formula", element("pre", {}, "F = " + subject.formula));
        if (subject.scale) {
            fact("Scale", element("pre", {}, "S = " + subject.scale));
        }
        fact("Promise", element("pre", {}, subject.bound));
        fact("Found", this.found());
        const known = subject.largest_known;
        if (known && known.error_scaled !== null) {
            const where = known.domain === "stored" ? "a stored case" : `domain ${known.domain}`;
            fact(
                "Largest known error",
                `${figure(known.error_scaled)} ${errorUnit(subject)}, ${shareText(known)}` +
                    `${mustBeExact(known) ? "" : " of the bound"} (${where})`,
                element(
                    "div",
                    { class: "command" },
                    element("code", {}, known.eval),
                    copyButton(known.eval),
                ),
            );
        }
        if (subject.total.figure) {
            fact("Condition", this.condition());
        }
        fact("Arguments", subject.domain);
        const charts = [
            ["How the errors are distributed", this.note],
            ["Largest error over " + subject.axis.label, null],
        ].map(([title, note], i) =>
            element(
                "figure",
                {},
                element("h3", {}, title),
                element("div", { class: "canvas" }, this.canvases[i]),
                note,
            ),
        );
        return element(
            "section",
            { id: subject.name },
            element(
                "div",
                { class: "title" },
                element("h2", {}, subject.name),
                verdictMark(subject.total.verdict),
            ),
            element("p", { class: "soft" }, subject.summary),
            facts,
            this.findings,
            element("label", { class: "controls" }, "Show ", this.select),
            this.summary,
            element("div", { class: "charts" }, ...charts),
            this.domains.table,
            this.cases,
        );
    }

    found() {
        const total = this.subject.total;
        if (total.error_scaled.max === null) {
            return "nothing could be measured";
        }
        const unit = errorUnit(this.subject);
        const nearest = total.worst.share_of_bound;
        return (
            `largest error ${figure(total.error_scaled.max)} ${unit}; ` +
            (mustBeExact(nearest)
                ? `a value that must be exact is not (domain ${nearest.domain})`
                : `the case nearest to its own bound reaches ${shareText(nearest)} of it ` +
                  `(domain ${nearest.domain})`) +
            (high(total) === null
                ? ""
                : `; 99.9\u202f% of the cases stay within ${figure(high(total))} ${unit}`)
        );
    }

    choose(name) {
        this.tally =
            this.subject.domains.find((domain) => domain.name === name) || this.subject.total;
        this.select.value = name;
        this.fill();
        if (this.charts.length > 0) {
            this.draw();
        }
    }

    fill() {
        const { subject, tally } = this;
        const whole = tally === subject.total;
        subject.domains.forEach((domain, i) =>
            this.domains.rows[i].classList.toggle("chosen", domain === tally),
        );
        this.summary.textContent = whole
            ? ""
            : tally.summary +
              (tally.typical ? " (everyday data)" : "") +
              (tally.hardest ? " (the hardest for the reference)" : "") +
              ". Grey: all domains.";
        const below = histogramPoints(tally).below;
        this.note.textContent =
            below > 0
                ? "Exact, or off by less than " +
                  figure(FLOOR) +
                  " " +
                  errorUnit(subject) +
                  ": " +
                  frequency(below) +
                  " of the cases."
                : "";
        this.findings.replaceChildren(...findingCards(subject, tally));
        this.cases.replaceChildren(...worstCards(subject, tally));
    }

    draw() {
        this.charts.forEach((chart) => chart.destroy());
        const { subject, tally } = this;
        const configurations = [
            histogramConfiguration(subject, tally),
            axisConfiguration(subject, tally),
        ];
        this.charts = configurations.map((configuration, i) => {
            this.canvases[i].setAttribute(
                "aria-label",
                (i === 0
                    ? "Distribution of the errors of "
                    : "Largest error over the parameter of ") + subject.name,
            );
            return new Chart(this.canvases[i], { ...configuration, plugins: [boundLine] });
        });
    }
}

/* The summary */

const columns = [
    ["function", "left", (f) => f.name, (f) => element("a", { href: "#" + f.name }, f.name)],
    ["compared", "wide", (f) => f.total.counts.compared, (f) => group(f.total.counts.compared)],
    [
        "largest error",
        "",
        (f) => f.total.error_scaled.max,
        (f) => figure(f.total.error_scaled.max) + "\u202f" + errorUnit(f),
    ],
    [
        "p99.9",
        "wide",
        (f) => high(f.total),
        (f) => figure(high(f.total)),
    ],
    ["bound", "wide", (f) => f.K, (f) => (f.bound_varies ? "own" : String(f.K))],
    ["share of the bound", "", (f) => f.total.share_of_bound, (f) => meter(f.total)],
    [
        "misrounded",
        "wide",
        (f) => f.total.share_misrounded,
        (f) => frequency(f.total.share_misrounded),
    ],
    ["undecided", "wide", (f) => f.total.counts.undecided, (f) => group(f.total.counts.undecided)],
    ["verdict", "left verdict", (f) => f.total.verdict, (f) => verdictMark(f.total.verdict)],
];

function compare(a, b) {
    return typeof a === "string" ? a.localeCompare(b) : (a === null) - (b === null) || a - b;
}

function summaryTable() {
    const body = element("tbody", {});
    const heads = [];
    const show = (column, descending) => {
        const sorted = data.functions.slice();
        if (column !== null) {
            sorted.sort(
                (a, b) =>
                    (descending ? -1 : 1) * compare(columns[column][2](a), columns[column][2](b)),
            );
        }
        heads.forEach((head, i) => {
            if (i === column) {
                head.setAttribute("aria-sort", descending ? "descending" : "ascending");
            } else {
                head.removeAttribute("aria-sort");
            }
        });
        body.replaceChildren(
            ...sorted.map((f) =>
                element(
                    "tr",
                    { class: bad(f.total.verdict) ? "finding" : null },
                    ...columns.map(([, style, , cell], i) =>
                        element(
                            i === 0 ? "th" : "td",
                            { class: style, scope: i === 0 ? "row" : null },
                            cell(f),
                        ),
                    ),
                ),
            ),
        );
    };
    columns.forEach(([name, style], i) => {
        const turn = () =>
            show(
                i,
                style.startsWith("left")
                    ? heads[i].getAttribute("aria-sort") === "ascending"
                    : heads[i].getAttribute("aria-sort") !== "descending",
            );
        heads.push(
            element(
                "th",
                { class: style, scope: "col" },
                element("button", { type: "button", onclick: turn }, name),
            ),
        );
    });
    show(null, false);
    return element(
        "div",
        { class: "scroll" },
        element(
            "table",
            { class: "summary" },
            element("caption", { class: "bars" }, BAR),
            element("thead", {}, element("tr", {}, ...heads)),
            body,
        ),
    );
}

/* What the table does not say by itself. */
function notes() {
    const lacking =
        missing.length > 0
            ? element(
                  "p",
                  { class: "missing" },
                  element("b", {}, "Not judged"),
                  ", for the implementation lacks them: " + missing.join(", ") + ".",
              )
            : null;
    return element(
        "div",
        { class: "notes" },
        lacking,
        element(
            "p",
            { class: "note" },
            "Share of the bound: each case against its own tolerance K u S + 2",
            element("sup", {}, "\u22121074"),
            " (as the promise of each function has it); where results are subnormal, the second " +
                "term is most of it, and the largest error may be another case's.",
        ),
        glossary(),
    );
}

function glossary() {
    const words = [
        ["violation", "an error above the bound"],
        [
            "class mismatch",
            "NaN, infinity and number confused, or the other zero where a value must be " +
                "returned bit for bit",
        ],
        ["must be exact here", "a value is due bit for bit, so there is no bound to have a share of"],
        ["undefined", "inputs for which the function promises nothing; not compared"],
        [
            "undecided",
            "the exact answer could not be enclosed narrowly enough to tell; not compared, and " +
                "never taken for within",
        ],
        [
            "misrounded",
            "another double is nearer to the exact answer; no fault, unless correct rounding is " +
                "promised",
        ],
        [
            "p50, p99.9",
            "half of the cases, or 99.9\u202f% of them, have no larger error; p99.9 is left out " +
                "below 1000 cases, of which it would be the largest",
        ],
    ];
    return element(
        "details",
        { class: "glossary" },
        element("summary", {}, "What the words mean"),
        element(
            "dl",
            {},
            ...words.flatMap(([word, meaning]) => [
                element("dt", {}, word),
                element("dd", {}, meaning),
            ]),
        ),
    );
}

function sentence() {
    const counts = data.total.counts;
    if (!bad(data.total.verdict)) {
        return element(
            "p",
            { class: "lead" },
            element("span", { class: "good" }, "\u2713 "),
            "All of " + group(counts.compared) + " results lie within their bounds.",
        );
    }
    const kinds = [
        "violation",
        "class_mismatch",
        "crash",
        "timeout",
        "environment",
        "fault",
        "undecided",
    ]
        .filter((kind) => counts[kind] > 0)
        .map((kind) => kind.replace("_", " ") + " in " + group(counts[kind]));
    return element(
        "p",
        { class: "lead" },
        element("span", { class: "bad" }, "\u2715 "),
        "Not all is well: " +
            (kinds.join(", ") || data.total.verdict) +
            " of " +
            group(counts.cases) +
            " cases.",
    );
}

function reading() {
    const example = data.functions.find(
        (f) => (f.measure === "scaled" || f.measure === "vector") && !f.bound_varies,
    );
    return element(
        "div",
        { class: "reading" },
        element(
            "p",
            {},
            "Every result was compared with the exact answer, enclosed by arithmetic of as many " +
                "digits as it took. ",
            element("b", {}, "Errors are counted in u S"),
            ": u = 2",
            element("sup", {}, "\u221253"),
            " is the share by which one rounding may change a number, and S is the size of " +
                "what the formula adds up for the inputs at hand, so 1 u S is the harm of a " +
                "single rounding at that size. ",
            example ? example.name + " promises at most " + example.K + " u S. " : "",
            "An error in ",
            element("b", {}, "ulp"),
            " counts units in the last place of the answer instead: it grows where the data " +
                "cancel, and then the data are to blame. Misrounded are results with another " +
                "double nearer to the exact answer.",
        ),
    );
}

function header() {
    const origin = data.inputs
        ? group(data.samples) + " cases from " + data.inputs
        : group(data.samples) + " drawn cases a function, seed " + data.seed;
    return element(
        "header",
        {},
        element("h1", {}, "Accuracy of " + data.implementation),
        sentence(),
        element(
            "p",
            { class: "soft" },
            origin +
                "; " +
                data.run.date.replace("T", " ").replace("Z", " UTC") +
                ", " +
                figure(data.run.seconds) +
                " s with " +
                data.run.jobs +
                (data.run.jobs === 1 ? " job" : " jobs"),
        ),
    );
}

/* Charts are drawn when they come near the window. */
function drawInTime(views) {
    const byElement = new Map(views.map((view) => [view.element, view]));
    const observer = new IntersectionObserver(
        (entries) => {
            for (const entry of entries) {
                if (entry.isIntersecting) {
                    byElement.get(entry.target).draw();
                    observer.unobserve(entry.target);
                }
            }
        },
        { rootMargin: "800px" },
    );
    views.forEach((view) => observer.observe(view.element));
    const redraw = (all) => views.forEach((view) => (all || view.charts.length > 0) && view.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw(false));
    addEventListener("beforeprint", () => {
        document.documentElement.classList.add("paper"); /* in light colours, whatever the screen */
        redraw(true);
    });
    addEventListener("afterprint", () => {
        document.documentElement.classList.remove("paper");
        redraw(false);
    });
}

function start() {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12;
    document.title = "Accuracy of " + data.implementation;
    const views = data.functions.map((subject) => new FunctionView(subject));
    document
        .getElementById("page")
        .append(
            header(),
            reading(),
            summaryTable(),
            notes(),
            ...views.map((view) => view.element),
            element(
                "footer",
                { class: "note" },
                "Made by ",
                element("code", {}, data.run.command),
                ". All figures are in accuracy.json beside this page. " +
                    "Charts: Chart.js 3.9.1, MIT License.",
            ),
        );
    drawInTime(views);
}

start();
