"""Error metrics of a run against a case's reference solution. Plain Python.

Positions are those of centres of mass; errors are taken at the reference's times, interpolated between
rows where a row is missing (cubic Hermite for positions, slerp for rotations, straight for the rest).
Where the reference does not move, every row of the run counts.
"""
import bisect
import csv
import math

COLUMNS = ("px", "py", "pz", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz")


def read_bodies(path):
    """body -> (times, rows)"""
    found = {}
    with open(path, newline="") as file:
        for line in csv.DictReader(file):
            found.setdefault(line["body"], {})[float(line["t"])] = [float(line[c]) for c in COLUMNS]
    return {body: (sorted(rows), [rows[t] for t in sorted(rows)]) for body, rows in found.items()}


def read_hits(path):
    """The times of all hits, in order."""
    with open(path, newline="") as file:
        return sorted(float(line["t"]) for line in csv.DictReader(file) if line["kind"] == "hit")


# ---- vectors ----

def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def length(a):
    return math.sqrt(dot(a, a))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    size = length(a)
    return [x / size for x in a] if size > 0 else list(a)


def matrix(q):
    """Rows of the rotation matrix of a quaternion x, y, z, w."""
    x, y, z, w = unit(q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def times(m, v):
    return [dot(row, v) for row in m]


def transposed(m):
    return [list(column) for column in zip(*m)]


def product(m, n):
    columns = transposed(n)
    return [[dot(row, column) for column in columns] for row in m]


def slerp(p, q, u):
    """Between two unit quaternions, the shorter way round."""
    cosine = dot(p, q)
    if cosine < 0:
        q, cosine = [-x for x in q], -cosine
    if cosine > 0.9995:
        return unit([x + u * (y - x) for x, y in zip(p, q)])
    angle = math.acos(min(cosine, 1))
    return unit([math.sin((1 - u) * angle) * x + math.sin(u * angle) * y for x, y in zip(p, q)])


# ---- rows ----

def row_at(track, t, near=1e-6):
    """The row at a time, interpolated; None outside the run."""
    stamps, rows = track
    i = bisect.bisect_left(stamps, t)
    for k in (i - 1, i):
        if 0 <= k < len(stamps) and abs(stamps[k] - t) <= near:
            return rows[k]
    if i == 0 or i >= len(stamps):
        return None
    h = stamps[i] - stamps[i - 1]
    u = (t - stamps[i - 1]) / h
    a, b = rows[i - 1], rows[i]
    weights = (2 * u ** 3 - 3 * u * u + 1, (u ** 3 - 2 * u * u + u) * h, -2 * u ** 3 + 3 * u * u,
               (u ** 3 - u * u) * h)
    position = [weights[0] * a[c] + weights[1] * a[7 + c] + weights[2] * b[c] + weights[3] * b[7 + c]
                for c in range(3)]
    return position + slerp(unit(a[3:7]), unit(b[3:7]), u) + [x + u * (y - x) for x, y in zip(a[7:], b[7:])]


def inertia_times(body, row, w):
    inertia = body["inertia"]
    turn = matrix(row[3:7])
    local = times(transposed(turn), w)
    if isinstance(inertia[0], list):
        local = times(inertia, local)
    else:
        local = [i * x for i, x in zip(inertia, local)]
    return times(turn, local)


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values)) if values else 0.0


# ---- trajectories ----

def extent(rows, first, last):
    return max(max(r[c] for r in rows) - min(r[c] for r in rows) for c in range(first, last))


def measure_errors(case, run):
    reference = case["reference"]
    result = dict(max=0.0, rms=0.0, turn=0.0, velocity=0.0)
    still = all(extent(rows, 0, 13) < 1e-12 for rows in reference["bodies"].values())
    for name, rows in reference["bodies"].items():
        stamps = run[name][0] if still else reference["times"]
        position, turn, velocity = [], [], []
        for k, t in enumerate(stamps):
            if t > reference["times"][-1] + 1e-9:
                break
            got = row_at(run[name], t)
            want = rows[0] if still else rows[k]
            if got is None:
                continue
            position.append(length(sub(got[:3], want[:3])))
            q = unit(got[3:7])
            chord = min(length(sub(q, want[3:7])), length(add(q, want[3:7])))
            turn.append(4 * math.asin(min(chord / 2, 1)))
            velocity.append(length(sub(got[7:10], want[7:10])))
        result["max"] = max(result["max"], max(position))
        result["rms"] = max(result["rms"], rms(position))
        result["turn"] = max(result["turn"], max(turn))
        result["velocity"] = max(result["velocity"], max(velocity))
    return result


def local_point(case, name, point):
    if name == "world":
        return list(point)
    body = next(b for b in case["bodies"] if b["name"] == name)
    return times(transposed(matrix(body["orientation"])), sub(point, body["position"]))


def world_point(state, name, local):
    return local if name == "world" else add(state[name][:3], times(matrix(state[name][3:7]), local))


def turned(case, state, name):
    """How far a body has turned since the start, as a matrix."""
    if name == "world":
        return [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    body = next(b for b in case["bodies"] if b["name"] == name)
    return product(matrix(state[name][3:7]), transposed(matrix(body["orientation"])))


def joint_error(case, joint, state):
    """Separation in m and misalignment in rad of one joint."""
    a, b = joint.get("a", "world"), joint.get("b", "world")
    if joint["type"] in ("distance", "rope"):
        line = sub(world_point(state, b, local_point(case, b, joint["anchor_b"])),
                   world_point(state, a, local_point(case, a, joint["anchor_a"])))
        error = length(line) - joint["length"]
        return (max(error, 0.0) if joint["type"] == "rope" else abs(error)), 0.0
    gap = sub(world_point(state, b, local_point(case, b, joint["anchor"])),
              world_point(state, a, local_point(case, a, joint["anchor"])))
    turn_a, turn_b = turned(case, state, a), turned(case, state, b)
    if joint["type"] == "slider":
        axis = times(turn_a, unit(joint["axis"]))
        gap = sub(gap, [dot(gap, axis) * x for x in axis])
    if joint["type"] == "ball":
        return length(gap), 0.0
    if joint["type"] == "hinge":
        axis = unit(joint["axis"])
        return length(gap), length(cross(times(turn_a, axis), times(turn_b, axis)))
    difference = [x - y for p, q in zip(turn_a, turn_b) for x, y in zip(p, q)]
    return length(gap), length(difference) / math.sqrt(2)


def energy_of(case, state):
    """Kinetic energy, and the sum with that of gravity and springs."""
    kinetic = potential = 0.0
    for body in case["bodies"]:
        row = state[body["name"]]
        kinetic += 0.5 * body["mass"] * dot(row[7:10], row[7:10])
        kinetic += 0.5 * dot(row[10:], inertia_times(body, row, row[10:]))
        potential -= body["mass"] * dot(case["gravity"], row[:3])
    for force in case.get("forces", []):
        if force["type"] == "spring_damper":
            line = sub(world_point(state, force["b"], local_point(case, force["b"], force["anchor_b"])),
                       world_point(state, force["a"], local_point(case, force["a"], force["anchor_a"])))
            potential += 0.5 * force["k"] * (length(line) - force["rest_length"]) ** 2
    return kinetic, kinetic + potential


def measure_energy_and_joints(case, run):
    kinds = ("ball", "hinge", "fixed", "slider", "distance", "rope")
    joints = [j for j in case.get("joints", []) if j["type"] in kinds]
    release = case.get("events", {}).get("release_time_s", math.inf)
    stamps = run[case["bodies"][0]["name"]][0]
    sums, largest, gap, misalignment = [], 0.0, 0.0, 0.0
    for t in stamps[::max(1, len(stamps) // 2000)]:
        state = {body["name"]: row_at(run[body["name"]], t) for body in case["bodies"]}
        kinetic, total = energy_of(case, state)
        sums.append(total)
        largest = max(largest, kinetic)
        for joint in joints:
            if joint.get("name") == "sling" and t > release - 0.02:
                continue
            linear, angular = joint_error(case, joint, state)
            gap, misalignment = max(gap, linear), max(misalignment, angular)
    result = dict(gap=gap, misalignment=misalignment) if joints else {}
    invariants = case.get("invariants", {})
    scale = invariants.get("energy_scale_J", largest)
    if invariants.get("energy_conserved") and scale:
        result["energy"] = (sums[-1] - sums[0]) / scale
        result["energy_max"] = max(abs(e - sums[0]) for e in sums) / scale
    if "angular_momentum_world" in invariants:
        body = case["bodies"][0]
        wanted = invariants["angular_momentum_world"]
        rows = run[body["name"]][1]
        result["momentum"] = max(length(sub(inertia_times(body, r, r[10:]), wanted))
                                 for r in rows) / length(wanted)
    return result


def measure_bounces(case, run, hits):
    events, (stamps, rows) = case["events"], run["ball"]
    turns = [k for k in range(1, len(rows)) if rows[k - 1][8] < 0 <= rows[k][8] and rows[k][8] > 0.02]
    wanted = events["bounce_times_s"]
    radius = case["bodies"][0]["shape"]["radius"]
    ends = [0] + turns + [len(rows) - 1]
    tops = [max(r[1] for r in rows[a:b + 1]) - radius for a, b in zip(ends, ends[1:])]
    pairs = list(zip(tops[:-1] or tops, events["apex_heights_m"]))
    late = [abs(hit - t) for hit, t in zip(hits, wanted)]
    return {"bounces": "%d of %d" % (len(turns), len(wanted)),
            "bounce time error s": max(late) if late else float("nan"),
            "apex error m": max(abs(a - b) for a, b in pairs)}


def measure_events(case, run, hits):
    """What the family of the case adds."""
    events, family = case.get("events", {}), case["family"]
    if family == "bouncing_ball":
        return measure_bounces(case, run, hits)
    if family == "incline":
        rows = run["block"][1]
        way = length(sub(rows[-1][:3], rows[0][:3]))
        normal = case["contacts"]["plane"]["normal"]
        lift = max(abs(dot(sub(r[:3], rows[0][:3]), normal)) for r in rows)
        return {"final distance error m": abs(way - abs(events["final_distance_m"])),
                "drift along the normal m": lift}
    if family == "rolling_ball":
        speed = run["ball"][1][-1][7]
        return {"final speed error": abs(speed - events["rolling_speed"]) / abs(events["rolling_speed"])}
    if family == "newtons_cradle":
        rows = run[case["bodies"][0]["name"]][1]
        return {"first ball's height at the end m": rows[-1][1]}
    if family == "trebuchet":
        return measure_trebuchet(case, run)
    return {}


def measure_trebuchet(case, run):
    events, track = case["events"], run["projectile"]
    row = row_at(track, events["release_time_s"])
    last = track[1][-1]
    g = -case["gravity"][1]
    under = last[8] ** 2 + 2 * g * (last[1] - case["bodies"][2]["shape"]["radius"])
    reach = last[0] + last[7] * (last[8] + math.sqrt(max(under, 0.0))) / g
    wanted = events["range_from_pivot_m"]
    return {"position at release m": length(sub(row[:2], events["release_position"])),
            "velocity at release m/s": length(sub(row[7:9], events["release_velocity"])),
            "range error": abs(reach - wanted) / abs(wanted)}


def measure_trajectory(case, run, hits):
    missing = [b["name"] for b in case["bodies"] if b["name"] not in run]
    if missing:
        return dict(refused="the run lacks " + ", ".join(missing))
    result = measure_errors(case, run)
    result.update(measure_energy_and_joints(case, run))
    result["events"] = measure_events(case, run, hits)
    return result


# ---- named outputs and criteria ----

def measure_outputs(case, path):
    """name -> rms error over the largest value of the reference."""
    found = {}
    with open(path, newline="") as file:
        for line in csv.DictReader(file):
            found.setdefault(line["name"], []).append((float(line["t"]), float(line["value"])))
    result = {}
    for name, wanted in case["reference"].get("outputs", {}).items():
        got = sorted(found.get(name, []))
        scale = max((abs(w) for w in wanted), default=0.0)
        if not got or scale == 0.0:
            continue
        stamps = [t for t, _ in got]
        errors = []
        for t, w in zip(case["reference"]["times"], wanted):
            if not stamps[0] - 1e-9 <= t <= stamps[-1] + 1e-9:
                continue
            i = bisect.bisect_left(stamps, t - 1e-9)
            value = got[i][1]
            if i > 0 and abs(stamps[i] - t) > 1e-9:
                u = (t - stamps[i - 1]) / (stamps[i] - stamps[i - 1])
                value = got[i - 1][1] + u * (value - got[i - 1][1])
            errors.append(value - w)
        result[name] = rms(errors) / scale
    return result


def measure_criteria(case, path):
    found = {}
    with open(path, newline="") as file:
        for line in csv.DictReader(file):
            found[line["scenario"], line["quantity"]] = float(line["value"])
    lines = []
    for scenario in case["scenarios"]:
        for quantity, wanted in scenario["expect"].items():
            value = found.get((scenario["name"], quantity))
            tolerance = scenario.get("tolerance", {}).get(quantity, 0.0)
            low, high = wanted if isinstance(wanted, list) else (wanted - tolerance, wanted + tolerance)
            passed = value is not None and low - 1e-12 <= value <= high + 1e-12
            lines.append(dict(scenario=scenario["name"], quantity=quantity, low=low, high=high,
                              value=value, passed=passed))
    return dict(criteria=lines, passed=sum(line["passed"] for line in lines), total=len(lines))
