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


def terminal_line(run):
    head = "%-21s %-10s" % (run["name"], rate_text(run["rate"]))
    result, peer = run["result"], run["peer"] or {}
    if "refused" in result:
        return head + result["refused"]
    if "criteria" in result:
        failed = ["%s %s %s (%s to %s)" % (c["scenario"], c["quantity"], number(c["value"]),
                                           number(c["low"]), number(c["high"]))
                  for c in result["criteria"] if not c["passed"]]
        return head + "%d of %d%s" % (result["passed"], result["total"],
                                      "".join("\n%34s%s" % ("", f) for f in failed))
    parts = []
    for key, _ in ALL_FIGURES:
        if key in result and (key in ("max", "rms", "energy", "gap") or key in peer):
            text = "%s %s" % (key, number(result[key], key))
            if key in peer:
                text += " (%s%s)" % (number(peer[key], key), " WORSE" if key in run["worse"] else "")
            parts.append(text)
    parts += ["%s %s" % (name, number(value)) for name, value in result["events"].items()]
    return head + "  ".join(parts)


def cell(run, key):
    """Ours, then Box3D's; bold where ours is worse."""
    result, peer = run["result"], run["peer"] or {}
    ours = number(result.get(key), key)
    if key in run["worse"]:
        ours = "**%s**" % ours
    return "%s / %s" % (ours, number(peer[key], key)) if key in peer else ours


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def trajectory_table(runs):
    rows = []
    for run in runs:
        if "max" in run["result"]:
            rows.append([run["name"], rate_text(run["rate"])] + [cell(run, key) for key, _ in FIGURES])
    return table(["case", "Hz x substeps"] + [title for _, title in FIGURES], rows)


def rotation_table(runs):
    rows = [[run["name"], rate_text(run["rate"]), cell(run, "turn"), cell(run, "momentum")]
            for run in runs if "momentum" in run["result"]]
    return table(["case", "Hz x substeps", "attitude error, rad", "angular momentum"], rows)


def event_table(runs):
    rows = []
    for run in runs:
        for name, value in run["result"].get("events", {}).items():
            rows.append([run["name"], rate_text(run["rate"]), name, number(value)])
    return table(["case", "Hz x substeps", "quantity", "value"], rows)


def criteria_table(runs):
    rows = []
    for run in runs:
        for c in run["result"].get("criteria", []):
            wanted = "%.3g" % c["low"]
            if c["low"] != c["high"]:
                wanted += " to %.3g" % c["high"]
            value = "not measured" if c["value"] is None else "%.3g" % c["value"]
            value = value if c["passed"] else "**%s**" % value
            rows.append([run["name"], rate_text(run["rate"]), c["scenario"], c["quantity"], value, wanted])
    return table(["case", "Hz x substeps", "scenario", "quantity", "value", "wanted"], rows)


def output_table(runs):
    rows = []
    for run in runs:
        for name, value in run["result"].get("outputs", {}).items():
            if "force" in name or "torque" in name:
                rows.append([run["name"], rate_text(run["rate"]), name, "%.2g %%" % (100 * value)])
    return table(["case", "Hz x substeps", "output", "rms error over the largest value"], rows)


def refused_list(runs):
    lines = {"- %s: %s" % (run["name"], run["result"]["refused"].split(": ", 1)[-1])
             for run in runs if "refused" in run["result"]}
    return "\n".join(sorted(lines)) + "\n" if lines else "None.\n"


def document(runs):
    worse = sum(len(run["worse"]) for run in runs)
    compared = sum(len(run["peer"] or {}) for run in runs)
    return """# Accuracy

Every case of `tests/data/cases` has a reference solution good to about ten digits: minimal coordinates or a
closed form, each checked by a second formulation. This page is written by

    python3 tools/accuracy/accuracy.py

which runs each case through `tenon run` and measures the errors (`tools/accuracy/metrics.py`). Positions
are those of centres of mass in metres, at the reference's times; energy is its change over the run, over
the largest kinetic energy; the joint gap is rebuilt from the poses and the anchors. Nothing sleeps,
nothing is damped, every impact bounces, contacts keep no overlap; all else has its default settings.
After the slash stands Box3D 0.1 on the same model (float, joints at their default softness, 4 substeps); **bold** is where
tenon is worse. Of %d figures that can be compared, %d are worse.

## Mechanisms

%s
## Free rotation

%s
## Impacts, sliding, rolling, the throw

%s
## What stands and what falls

%s
## Joint forces

A reaction is the mean over a step; at a time between two steps it is the mean of both.

%s
## Cases that are not run yet

%s""" % (compared, worse, trajectory_table(runs), rotation_table(runs), event_table(runs),
         criteria_table(runs), output_table(runs), refused_list(runs))
