"""docs/accuracy.md, and the lines on the terminal, from the figures of all runs."""

FIGURES = (("max", "largest position error"), ("rms", "rms"), ("energy", "energy"), ("gap", "joint gap"))
ALL_FIGURES = FIGURES + (("turn", "attitude"), ("momentum", "momentum"))


def number(value, key=None):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if key in ("energy", "momentum"):
        return "%.2g %%" % (100 * value)
    return "%.2g" % value


def rate_text(rate):
    return "%g x %d" % rate


def terminal_lines(run):
    return "\n".join(terminal_line(run, solver) for solver in run["results"])


def terminal_line(run, solver):
    head = "%-21s %-10s %-7s" % (run["name"], rate_text(run["rate"]), solver)
    result, peer = run["results"][solver], run["peer"] or {}
    if "refused" in result:
        return head + result["refused"]
    if "criteria" in result:
        failed = ["%s %s %s (%s to %s)" % (c["scenario"], c["quantity"], number(c["value"]),
                                           number(c["low"]), number(c["high"]))
                  for c in result["criteria"] if not c["passed"]]
        return head + "%d of %d%s" % (result["passed"], result["total"],
                                      "".join("\n%42s%s" % ("", f) for f in failed))
    parts = []
    for key, _ in ALL_FIGURES:
        if key in result and (key in ("max", "rms", "energy", "gap") or key in peer):
            text = "%s %s" % (key, number(result[key], key))
            if key in peer:
                is_worse = key in run["worse"][solver]
                text += " (%s%s)" % (number(peer[key], key), " WORSE" if is_worse else "")
            parts.append(text)
    parts += ["%s %s" % (name, number(value)) for name, value in result["events"].items()]
    return head + "  ".join(parts)


def bar_line(bars):
    return "%-21s direct against twice RATTLE: " % bars["name"] + ", ".join(
        "%s %s of %s%s" % (rate_text(pair["rate"]), number(pair["error"]), number(pair["bar"]),
                           "" if pair["error"] <= pair["bar"] else " MISSED")
        for pair in bars["pairs"] if pair)


def cell(run, key):
    """Gauss-Seidel's, the direct solver's where there are joints, Box3D's; bold where worse than that."""
    figures = []
    for solver, result in run["results"].items():
        text = number(result.get(key), key)
        figures.append("**%s**" % text if key in run["worse"][solver] else text)
    if run["peer"] and key in run["peer"]:
        figures.append("(%s)" % number(run["peer"][key], key))
    return " ".join(figures[:1] + ["/ " + figure if not figure.startswith("(") else figure
                                   for figure in figures[1:]])


def any_result(run):
    """Of both solvers: either has all quantities."""
    return next(iter(run["results"].values()))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def trajectory_table(runs):
    rows = []
    for run in runs:
        if "max" in any_result(run):
            rows.append([run["name"], rate_text(run["rate"])] + [cell(run, key) for key, _ in FIGURES])
    return table(["case", "Hz x substeps"] + [title for _, title in FIGURES], rows)


def bar_table(bars):
    rows = []
    for case in bars:
        row = [case["name"]]
        for pair in case["pairs"]:
            if pair is None:
                row += ["-", "-", "-"]
                continue
            error = number(pair["error"])
            error = error if pair["error"] <= pair["bar"] else "**%s**" % error
            row += [rate_text(pair["rate"]), error, number(pair["bar"])]
        rows.append(row)
    return table(["case"] + ["Hz x substeps", "error", "twice RATTLE's"] * 2, rows)


def rotation_table(runs):
    rows = [[run["name"], rate_text(run["rate"]), cell(run, "turn"), cell(run, "momentum")]
            for run in runs if "momentum" in any_result(run)]
    return table(["case", "Hz x substeps", "attitude error, rad", "angular momentum"], rows)


def solver_rows(runs, key, format_value):
    """A row for each quantity, a column for each solver."""
    rows = []
    for run in runs:
        for name in any_result(run).get(key, {}):
            values = [format_value(result.get(key, {}).get(name)) for result in run["results"].values()]
            rows.append([run["name"], rate_text(run["rate"]), name, " / ".join(values)])
    return rows


def event_table(runs):
    return table(["case", "Hz x substeps", "quantity", "value"], solver_rows(runs, "events", number))


def criteria_table(runs):
    rows = []
    for run in runs:
        for c in any_result(run).get("criteria", []):
            wanted = "%.3g" % c["low"]
            if c["low"] != c["high"]:
                wanted += " to %.3g" % c["high"]
            value = "not measured" if c["value"] is None else "%.3g" % c["value"]
            value = value if c["passed"] else "**%s**" % value
            rows.append([run["name"], rate_text(run["rate"]), c["scenario"], c["quantity"], value, wanted])
    return table(["case", "Hz x substeps", "scenario", "quantity", "value", "wanted"], rows)


def output_table(runs):
    rows = [row for row in solver_rows(runs, "outputs",
                                       lambda value: "-" if value is None else "%.2g %%" % (100 * value))
            if "force" in row[2] or "torque" in row[2]]
    return table(["case", "Hz x substeps", "output", "rms error over the largest value"], rows)


def refused_list(runs):
    lines = {"- %s: %s" % (run["name"], any_result(run)["refused"].split(": ", 1)[-1])
             for run in runs if "refused" in any_result(run)}
    return "\n".join(sorted(lines)) + "\n" if lines else "None.\n"


def document(runs, bars, contacts):
    compared = sum(len(run["peer"] or {}) for run in runs)
    worse = {solver: sum(len(run["worse"].get(solver, [])) for run in runs) for solver in ("pgs", "direct")}
    pairs = [pair for case in bars for pair in case["pairs"] if pair]
    missed, total = sum(1 for pair in pairs if pair["error"] > pair["bar"]), len(pairs)
    return """# Accuracy

Every case of `tests/data/cases` has a reference solution good to about ten digits: minimal coordinates or a
closed form, each checked by a second formulation. This page is written by

    python3 tools/accuracy/accuracy.py

which runs each case through `tenon run` and measures the errors (`tools/accuracy/metrics.py`). Positions
are those of centres of mass in metres, at the reference's times. Energy is its change over the run, divided by
the largest kinetic energy. The joint gap is computed from the poses and the anchors. Nothing sleeps,
nothing is damped, every impact bounces, and contacts keep no overlap; all other settings are the defaults.

If a case has joints, the first figure is that of Gauss-Seidel (`--solver pgs`), and the second, after the slash, that of
the direct solver (`--solver direct`). The figure in brackets is that of Box3D 0.1 on the same model (float, joints at their
default softness, 4 substeps); tenon's figure is **bold** where it is worse. Of %d figures that can be compared, %d are worse with
Gauss-Seidel and %d with the direct solver. A world of default settings chooses between them for each mechanism by itself
([the solvers](manual/solver.md)).

## Mechanisms

%s
One figure separates the error of the method from that of its iterations. With every stage iterated to 1e-12 of its path,
and with guesses from two, three or four stages alike, the direct solver's double pendulum is off by 0.098 mm at 240 x 4, and
its energy by -4.7e-5 %%: that is the method's error. The error that the default of 1e-8 leaves adds to it or takes from it.

Errors of a few micrometres of bodies that slide or bounce are the round-off of velocities in float, and their last digits say
nothing: as the rate goes from 57 to 63 Hz, the final distance of `incline_slide_30` is off by 2 nm to 24 µm, and the times of
`bounce_e08` by 0.1 to 0.9 µs.

## The direct solver and RATTLE

RATTLE is the method of second order that texts recommend for mechanisms of equalities: its rows are closed to round-off
too. This table has the direct solver's largest position errors beside twice RATTLE's, whose steps are 1/240 s and 1/1000 s
(Andrews' mechanism: 1e-4 s and 2.5e-5 s). The direct solver's is **bold** where it is larger: %d of %d. At the same step of 1 ms, the direct solver
leaves 0.04 to 0.6 times the error of tenon's own RATTLE (`--integrator rattle`) on eight of these cases, 0.2 times in the median. It
is the implicit midpoint rule with the joints' forces by Simpson's rule ([mechanisms](maths/mechanism.md)), and no load makes it
unstable. Andrews' mechanism has an error of 2.6 um at 25 us by the midpoint rule alone: the spring's period makes 14 %% of it, and
the links' forces the remainder. With the direct solver it is 2.0, 0.48 and 0.11 um at 50, 25 and 12.5 us. tenon's RATTLE takes rigid
joints alone and refuses the spring.

%s
## Free rotation

%s
## Impacts, sliding, rolling, the throw

%s
## What stands and what falls

%s
%s
## Joint forces

A reaction is the mean over a step. At a time between two steps, it is the mean of both.

%s
## Cases that are not run yet

%s""" % (compared, worse["pgs"], worse["direct"], trajectory_table(runs), missed, total, bar_table(bars),
         rotation_table(runs), event_table(runs), criteria_table(runs), contacts, output_table(runs),
         refused_list(runs))
