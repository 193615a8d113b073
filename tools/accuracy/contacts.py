#!/usr/bin/env python3
"""Runs tenon_contacts, tenon_stacks, tenon_machines and a few scenes, and writes what they say into
the sections "Contacts", "Stacks" and "Random machines" of docs/accuracy.md and into the table of
contacts in README.md.

  contacts.py                        both pages
  options: --programs FOLDER (build/release)  --print (on the terminal, pages untouched)

accuracy.py writes the same sections with the rest of docs/accuracy.md. Plain Python, nothing to
install.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the tree

import page

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
README_BEGIN, README_END = "<!-- contacts: begin -->\n", "<!-- contacts: end -->\n"

# A family: its title, and the error that is allowed.
CONTACTS = {
    "slide_seams": ("bodies slide over level tiles without friction, 0.05 to 40 m/s",
                    "way within 0.3 %, vertical speed below 0.02 m/s"),
    "slide_yawed": ("the same, turned about the vertical", "the same"),
    "slide_lower": ("on to tiles 1 or 5 mm lower", "not slowed by 0.3 %, no rise of 0.2 mm"),
    "slide_steps": ("against steps of 5 to 50 mm", "at most 0.7 of the speed left"),
    "slide_blocks": ("over two free blocks side by side", "way within 1 %, 0.02 m/s"),
    "fall_on_seam": ("box and ball fall on a seam", "1 mm; boxes 6 mm"),
    "slide_far": ("over tiles 100 km from the origin", "as above"),
    "slide_straddle": ("with friction, half on each of two long tiles, and on a slab",
                       "way within 0.3 %, 1 mm aside, turned by 0.002 rad"),
    "slide_floors": ("over hull tiles, a staggered grid, tiles in a plane, thin and turned ones",
                     "as above, and within 1 mm of a straight line"),
    "slide_bodies": ("bodies on a joint and affine bodies over tiles", "the same"),
    "roll_seams": ("ball and capsule roll over tiles with friction, 100 m",
                   "as above, and within 1 mm of a straight line"),
    "roll_car": ("a car on four ball wheels over tiles, up to 40 m/s",
                 "height within 5 mm, speed within 0.5 %"),
    "roll_off_edge": ("a ball rolls off a real edge", "its surface within 0.1 mm of the edge"),
    "plank_tips": ("a plank tips over an edge on a lower box", "2 mm deep, 1 mm at rest"),
    "pass_corner": ("slantwise past a corner, 1 to 21 mm clear", "velocity equal to the last bit"),
    "pass_pairs": ("every pair of shapes passes, 1 to 11 mm clear", "the same"),
    "pass_over_block": ("a ball flies over a block, 1 to 10 mm clear",
                        "bits as without the block"),
    "pass_beside_wall": ("bodies fall along a wall, 1 to 10 mm clear", "bits as without the wall"),
    "pass_swing": ("a bob on one or two hinges swings past a block, 1 to 10 mm clear",
                   "as without the block, within 1e-4 m/s"),
    "ball_on_edge": ("a ball strikes a block's edge", "velocity within 5 % of the closed form"),
    "pass_far": ("past a corner 100 km from the origin", "velocity equal to the last bit"),
    "mirror": ("collisions mirrored, a and b exchanged", "0.1 mm apart after 0.5 s"),
    "bullets": ("bullets of 50 to 900 m/s on sheets of 1 to 50 mm", "none through"),
    "thrown": ("bodies at rest that a force, a spring or gravity throws at a sheet of 1 cm, 2 to 1,700 m/s a step", "none through"),
    "blade": ("a blade of 120 rad/s against a thin rod", "stopped, or the rod struck away"),
    "room": ("a ball of restitution 1, up to 170 m/s, a minute in a room of 2 m", "not out"),
    "room_crowd": ("40 of them together", "none out"),
    "room_corner": ("into a corner at 100 m/s", "not out; balls within 1 % of the closed form"),
    "flail": ("a flail's head of up to 200 m/s against a wall of 5 cm",
              "not through; joints within 1 mm, swept ones gain no energy"),
    "stick": ("a stick on a ball joint, 30 to 90 rad/s, strikes a thin rod", "not past it"),
    "random_passes": ("random pairs that pass 1 mm or more clear", "velocity as without the other"),
    "random_meetings": ("random pairs that meet", "felt, and not through"),
    "random_throws": ("random bodies thrown among ten shapes",
                      "energy grows by 0.1 % at most, none inside at the end"),
    "turntable": ("a box on a turntable, 1.5 m from its axis, for 10 s", "2 mm"),
    "turntable_ball": ("a ball that rolls on a turntable", "1 cm from its circle"),
    "bowl": ("scene `bowl`, height at the end for 0.381 m", "2 cm"),
    "spinning_ball": ("a spinning ball bounces three times", "rms 2 mm, spin within 0.05 rad/s"),
    "random_bars": ("bars of random angle and spin at 30 to 240 Hz", "the same"),
    "turning_bar": ("a turning bar strikes with both ends", "rms 2 mm, spin within 0.05 rad/s"),
    "reduced_passes": ("an arm given by its angle swings past a block, 1 to 10 mm clear",
                       "velocity equal to the last bit"),
    "reduced_seams": ("bodies given by coordinates over level tiles", "as slide_seams"),
    "reduced_bullets": ("the same as bullets of 30 to 900 m/s on thin sheets", "none through"),
    "reduced_blade": ("a blade given by its angle against a thin rod",
                      "stopped, or the rod struck away"),
    "reduced_blows": ("a box given by coordinates strikes a floor", "twice the rigid box's error"),
    "reduced_table": ("a box given by coordinates on a turntable", "2 mm"),
    "reduced_valley": ("a ball given by coordinates in a faceted valley",
                       "the height of a rigid ball"),
    "affine_passes": ("affine bodies pass 1 mm clear", "velocity equal to the last bit"),
    "affine_seams": ("affine bodies over level tiles", "as on one slab"),
    "affine_bullets": ("affine bullets of 50 to 900 m/s on thin sheets", "none through"),
    "affine_table": ("an affine box on a turntable", "2 mm"),
    "affine_valley": ("an affine ball in a faceted valley", "the height of a rigid ball"),
}
STACKS = {
    "towers": ("towers of 20 to 60 boxes, 60 s", "still, a sink of 1e-4 of the size a box"),
    "tower_rates": ("a tower of 40 at 30 to 240 Hz", "the same"),
    "sizes": ("five cubes of 1 mm to 50 m at 1.6 to 981 m/s^2", "the same"),
    "small": ("five cubes of 5 cm at 310 m/s^2, three of 1 mm", "the same"),
    "heavy_tops": ("a top box 10 to 1,000 times heavier", "the same"),
    "pyramids": ("pyramids of base 8 to 30, awake", "still, drift of 1 mm; large ones 3 mm"),
    "sleep": ("towers, pyramids up to base 100, arch, cards", "asleep within 15 s, standing"),
    "baumgarte": ("towers with Baumgarte bias", "as towers"),
    "tower_hit": ("a tower hit in the middle at 1 m/s", "stands, energy rises by 50 J at most"),
    "standing": ("tower, pyramid, arch, cards, heavy top and wall at 30 to 240 Hz, with a blow",
                 "stand and sleep before it and after"),
    "overhang": ("overhangs 10 and 3 % from the verge", "stands below it, falls beyond"),
    "arch": ("arches of 15 stones, 15 and 5 % from the least thickness", "stands above it"),
    "friction": ("friction 5 and 1 % from its angle", "1 mm below it, 2 % of the way beyond"),
    "tipping": ("tipping 10 and 3 % from its angle", "stands below it, tips beyond"),
    "dominoes": ("speed of falling dominoes", "2 % of that of fine steps"),
    "ladder": ("energy of a sliding ladder", "0.1 %"),
    "pivot": ("energy of a domino that turns on its edge", "0.1 %"),
    "tiny_inertia": ("a sliding cube of small inertia", "way within 20 %, no jump of 1 mm"),
    "shake_table": ("a block on a shaken table", "its slide within 5 % or 1 mm"),
    "drops": ("25 and 60 random boxes fall", "energy rises by 0.1 % at most"),
    "plates_dropped": ("plates of 7 x 7 to 20 x 20 welded cubes fall on posts",
                       "energy never above that of the start"),
    "plates_by_edge": ("the same held by an edge, swept", "the same"),
    "plates_exact": ("the same under the direct solver", "no motion within the plate after it"),
    "large_sinks": ("pyramids of base 30 to 100, a wall, a pile",
                    "half of the sink before contacts had a lift"),
}

# Scenes that Box3D 0.1 was measured on: what, the scene and its options, steps at 60 Hz, and pairs
# of a figure of the scene and Box3D's.
PEERS = [
    ("tower of 30", "tower", [], 1200, [("stands", 1), ("sink_max_m", 0.24)]),
    ("pyramid of base 30", "pyramid", [], 600, [("stands", 1), ("kinetic_J", 0.005)]),
    ("pyramid of base 60", "pyramid", ["base=60"], 1200, [("stands", 1)]),
    ("8 boxes, the top one 10 times heavier", "top_heavy_stack", [], 600,
     [("stands", 1), ("overlap_m", 0.009)]),
    ("8 boxes, the top one 100 times heavier", "top_heavy_stack", ["ratio=100"], 600,
     [("sink_max_m", 0.38), ("overlap_m", 0.081)]),
    ("5,000 boxes into a pile", "pile", ["count=5000"], 300, [("overlap_m", 0.012)]),
    ("5,000 boxes in a heap", "heap", ["count=5000"], 400, [("overlap_m", 0.126)]),
]
MACHINE_SOLVERS = [("AUTO", "auto"), ("the direct solver", "direct")]
FIGURE_NAMES = {"sink_max_m": "largest sink", "overlap_m": "deepest overlap",
                "stands": "stands", "kinetic_J": "kinetic energy at the end"}


def run_families(program):
    """The families that a program prints, in its order, each with its runs."""
    done = subprocess.run([program, "--verbose"], stdout=subprocess.PIPE, text=True, check=True)
    families, runs = [], []
    for line in done.stdout.split("\n"):
        run = re.match(r"    (right|WRONG) +(\S+) +(.*)$", line)
        head = re.match(r"(\w+): (\d+) runs, (\d+) wrong, worst (\S+) (.*?) \((.*)\)$", line)
        if run:
            runs.append(dict(is_right=run[1] == "right", figure=float(run[2]), text=run[3]))
        elif head:
            families.append(dict(name=head[1], runs=int(head[2]), wrong=int(head[3]),
                                 worst=float(head[4]), unit=head[5], text=head[6], all=runs))
            runs = []
    return families


def run_scene(tool, scene, settings, steps, folder):
    path = os.path.join(folder, "summary.json")
    command = [tool, "run", scene, "--time", "%.9g" % (steps / 60.0), "--quiet", "--summary", path]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    with open(path) as file:
        summary = json.load(file)
    figures = summary["figures"]
    overlap = figures.get("penetration_end_m", summary["deepest_penetration_m"])
    return dict(figures, kinetic_J=summary["energy"]["kinetic_J"], overlap_m=overlap)


def run_machines(program, solver):
    """The counts of the first thousand random machines, and the largest gain of one."""
    done = subprocess.run([program, "--seed", "1", "--count", "1000", "--solver", solver],
                          stdout=subprocess.PIPE, text=True, check=True)
    counts = re.search(r"^all +(\d+) runs: +(\d+) gained, +(\d+) opened, +(\d+) lost, +(\d+) slow",
                       done.stdout, re.M)
    most = re.search(r"^ +seed \d+ .*?: gain (\S+) of", done.stdout, re.M)
    return [int(count) for count in counts.groups()] + [float(most[1])]


def measure(programs):
    """All that the sections and the table are made of."""
    machines = [(name, run_machines(os.path.join(programs, "tenon_machines"), solver))
                for name, solver in MACHINE_SOLVERS]
    contacts = run_families(os.path.join(programs, "tenon_contacts"))
    stacks = run_families(os.path.join(programs, "tenon_stacks"))
    tool = os.path.join(programs, "tenon")
    with tempfile.TemporaryDirectory() as folder:
        peers = [(what, figures, run_scene(tool, scene, settings, steps, folder))
                 for what, scene, settings, steps, figures in PEERS]
    return dict(contacts=contacts, stacks=stacks, machines=machines, peers=peers)


def figure_text(key, value):
    if value is None:
        return ""
    if key == "stands":
        return "yes" if value else "no"
    if key == "kinetic_J":
        return "%.2g J" % value
    return "%.3g mm" % (1000 * value) if abs(value) < 0.1 else "%.2g m" % value


def family_rows(families, titles):
    rows = []
    for family in families:
        what, allowed = titles.get(family["name"], (family["name"], ""))
        wrong = str(family["wrong"]) if family["wrong"] == 0 else "**%d**" % family["wrong"]
        rows.append([what, allowed, str(family["runs"]), wrong,
                     "%.2g %s" % (family["worst"], family["unit"])])
    return rows


def family_table(families, titles):
    return page.table(["what", "allowed", "runs", "wrong", "worst"], family_rows(families, titles))


def peer_table(peers):
    rows = []
    for what, figures, measured in peers:
        for key, theirs in figures:
            rows.append([what, FIGURE_NAMES[key], figure_text(key, measured.get(key)),
                         figure_text(key, theirs)])
    return page.table(["scene", "figure", "tenon", "Box3D 0.1"], rows)


def machine_table(machines):
    rows = [[name, *["%d" % count for count in counts], "%.2g %%" % (100.0 * most)]
            for name, (*counts, most) in machines]
    return page.table(["solver", "runs", "gained", "opened", "lost", "slow", "largest gain"], rows)


def sections(measured):
    """Four sections of docs/accuracy.md."""
    return """## Contacts

`tenon_contacts` runs families of cases whose right answers are known: by a closed form, by the same run without the obstacle, or
because something cannot happen. Each figure is the worst of a family's runs (`--verbose` prints them all), at 60 Hz with 4 substeps
unless a run says otherwise. Every family varies shapes, speeds and gaps; a wrong result is **bold**. For comparison: Box3D 0.1 makes
contacts 2 cm ahead at any speed, sweeps fast bodies after the step, only against static bodies unless they are marked as
bullets, and lets no body turn by more than 45 degrees a step. Its figures for stacks follow below.

%s
One case is not good. A mechanism that presses a large heap of loose bodies alternates with sweeps, so that both see the same load, unless
one of its joints ties masses of more than 16 : 1. A ball of 8 t that comes at 5.8 m/s into 125 crates of 150 kg before a wall pushes
them 0.07 m into one another on a rod (sweeps alone: 0.07 m), and 0.26 m on a chain of links of 20 kg (0.055 m, but then the chain opens by
0.06 m). Sweeps over the chain in turns with exact joints let it open as far.

## Stacks

`tenon_stacks` does the same for bodies that stand, hold, slide and fall.

%s
The pyramid of base 100, of 5,050 boxes, sways while it settles and is asleep after 3.6 to 3.9 s at all rates from 58 to 62 Hz, and after 2 s at 120
and 240 Hz. It falls at 30 Hz. If it may not sleep, it falls, too: a wall 100 m high and 1 m thick on soft contacts buckles, and its lean
doubles every second, however many sweeps there are. One of base 120 falls before it sleeps. Pyramids up to base 60 sleep after 1 s.

Both engines were measured on these scenes, at 60 Hz with 4 substeps, without sleep:

%s
## Random machines

`tenon_machines` makes machines of 2 to 10 bodies of 1 g to 1 t: trees and loops, hung or free, with limits, motors and a
floor, by seed. Each runs for 5 s at 60 Hz with 4 substeps. *Gained*: the energy, less the motors' work, rose by more than 0.5 %% of
the energy that moved, or of the machine's weight over 1 mm. *Opened*: a joint stood open by more than 1 mm for longer than ten
steps. *Lost*: a body flew off or was not finite. *Slow*: a step took more than 20 times the iterations of the median.

%s
No machine is lost or opens. These are the others, and the reasons:

- Two gain, under the direct solver. One, with 1.5 %%, stands in a dead point, where closing a joint by 4 µm lifts a body by
  centimetres: its joints lift it while it has no motion that could pay. They had let it sink by more before. In the other, with
  0.6 %% and masses of 1 : 160,000, a contact sinks by 4 mm in a blow, and what pushes it out lifts the machine. Elsewhere the account
  of each island takes back what joints, limits and contacts give it for nothing, as long as it moves. Of the seeds 1001 to 3000,
  one gains (0.6 %%).
- The slow ones are loops and limits in such poses: their stages are cut up to 120 times in a step, to keep the promised 1e-6 m.
  If such stages could coast by a share of their length, half of these cuts would go, but a winch and limits would no longer hold.

## Limits

How many of these pass a rigid limit by more than 1 mm or 1e-3 rad, at any step:

| | runs | AUTO | the direct solver | Gauss-Seidel | conjugate gradients |
|---|---|---|---|---|---|
| joints with two to four values, drives and limits, 60 Hz x 4 | 1,600 | 0 | 0 | 0 | 0 |
| the same, 60 Hz x 1 | 1,600 | 0 | 0 | 9 | 2 |
| the same, 30 Hz x 1 | 1,600 | 0 | 1 | 13 | 4 |
| one driven value, 30 to 240 Hz, bodies of 10 g to 1 t | 3,510 | 0 | 0 | 4 | 4 |
| drives that push through a linkage into a limit of another joint | 864 | 0 | 0 | 0 | 0 |
| one driven value, drives of 0.5 to 200 m/s or rad/s with and without a cap, 60 and 240 Hz x 1 and 4 | 4,320 | 0 | - | - | - |
| the same with springs that end beyond the limit, of up to 200 Hz or 200 kN/m | 4,080 | 9 | 9 | 88 | 184 |

- The one that passes under the direct solver, by 1.5 mm for a step, is a six-axis joint of four values. Under AUTO it passes by 0.4 mm.
- The single values that pass, by 0.1 m at 30 Hz x 1, are lengths that whip a block round by half a radian in a substep. An impulse
  along the row where the substep begins has no effect on the length where it ends. Sweeps that ask for where the drift ends stop there,
  and so does Newton's method with the row of the end. AUTO has the direct solver cut these steps,
  and looks ahead for motors that would do that in the first substep.
- The nine springs have 150 to 200 Hz, or as much stiffness, at 60 Hz x 1: they turn by 20 radians in a step, and would move light bars
  at some km/s. The direct solver finds no stage that ends at the limit there.
- In the linkages, limits hold, and the joints between the drive and the limit open: 684 of 864 by more than 5 mm under
  Gauss-Seidel, 291 under conjugate gradients, none otherwise. Two thirds of these tie masses of 1 : 100. There are two reasons. A drive may
  always give what holds the whole machine up: without that 443 and 91 are left, but a hand drops what it carries, and a winch lifts
  nothing. And rows are soft: with rigid ones 335 are left under Gauss-Seidel, since light links take more sweeps than there are.
- Of 17,280 motors of 0.02 to 1,000 m/s under the direct solver, 28 stand still: some of 500 m/s and more, in steps of one substep, on
  bodies that hard limits hold in all other values. They pass no limit. With more iterations after a limit is met, or with longer steps in
  these, their stages do not converge either.

Energy at limits: bars of 32 kg on hinges, sliders, ropes, tethers, ball, universal, planar and swing-twist joints, one or two of them,
with ends that bounce or do not, 4 s at 60 and 240 Hz x 1 and 4. Counted are runs whose energy rises by more than 0.5 %% of the largest
kinetic energy from where it was least:

| | runs | AUTO | the direct solver | Gauss-Seidel | conjugate gradients |
|---|---|---|---|---|---|
| more than 0.5 %% | 128 | 1 | 1 | 41 | 11 |
| largest | | 0.52 %% | 0.52 %% | 22 %% | 5.8 %% |
| largest at 60 Hz x 4 | | 0.37 %% | 0.37 %% | 6.2 %% | 5.8 %% |

- The one under AUTO and the direct solver is two bars on tethers that bounce, at 60 Hz x 1, where a body turns by 0.3 rad in a step: a
  blow is met on a straight way.
- Under Gauss-Seidel a blow opens the joint between two bars, or the lever of the outer bar opens the inner joint. What closes it lifts
  the bars, at the cost of no motion. AUTO has the direct solver take these steps. A joint that gave way to its load and its limit
  together, and not to each alone, sank a fifth as far; but then two joints of a body drove each other up if they contradicted each
  other, and with the symmetric form of that, limits were passed by 1.5 mm at 30 Hz.
""" % (family_table(measured["contacts"], CONTACTS), family_table(measured["stacks"], STACKS),
         peer_table(measured["peers"]), machine_table(measured["machines"]))


def find_family(measured, name):
    for family in measured["contacts"] + measured["stacks"]:
        if family["name"] == name:
            return family
    return dict(name=name, runs=0, wrong=0, worst=0.0, unit="", text="", all=[])


def count_wrong(measured, names):
    families = [find_family(measured, name) for name in names]
    return "%d of %d" % (sum(f["wrong"] for f in families), sum(f["runs"] for f in families))


def first_number(measured, family, start, pattern):
    """The number that the pattern finds in the first run whose text starts so."""
    for run in find_family(measured, family)["all"]:
        found = re.search(pattern, run["text"]) if run["text"].startswith(start) else None
        if found:
            return found[1]
    return "-"


def peer_figure(measured, what, key):
    for name, _, figures in measured["peers"]:
        if name == what:
            return figure_text(key, figures.get(key))
    return "-"


def readme_table(measured):
    rows = [
        ["slides and rolls over level tiles: runs that are wrong",
         count_wrong(measured, ("slide_seams", "slide_yawed", "slide_far", "slide_floors", "slide_bodies",
                                "roll_seams", "roll_car")),
         ""],
        ["passes without touching: deflected",
         count_wrong(measured, ("pass_corner", "pass_pairs", "pass_over_block", "pass_beside_wall",
                                "pass_far", "pass_swing")), ""],
        ["bullets of up to 900 m/s on sheets of 1 to 50 mm: through",
         count_wrong(measured, ("bullets",)), ""],
        ["ball in a faceted bowl: height of the swing for 0.381 m",
         first_number(measured, "bowl", "60 Hz", r"height (\S+) m") + " m", ""],
        ["box on a turntable, 1.5 m from its axis: where it is after 10 s",
         first_number(measured, "turntable", "60 x 4", r": (\S+) m") + " m", ""],
        ["tower of 30, 20 s: largest sink", peer_figure(measured, "tower of 30", "sink_max_m"),
         "0.24 m"],
        ["pyramid of base 60, 20 s: stands", peer_figure(measured, "pyramid of base 60", "stands"),
         "yes"],
        ["8 boxes, the top one 100 times heavier: largest sink",
         peer_figure(measured, "8 boxes, the top one 100 times heavier", "sink_max_m"), "0.38 m"],
        ["5,000 boxes into a pile: deepest overlap",
         peer_figure(measured, "5,000 boxes into a pile", "overlap_m"), "12 mm"],
    ]
    return page.table(["contacts and stacks", "tenon", "Box3D 0.1"], rows)


def replace_between(text, begin, end, new):
    first = text.index(begin) + len(begin)
    return text[:first] + new + text[text.index(end, first):]


def write_readme(measured):
    path = os.path.join(ROOT, "README.md")
    with open(path) as file:
        text = file.read()
    text = replace_between(text, README_BEGIN, README_END, readme_table(measured))
    with open(path, "w") as file:
        file.write(text)


def write_sections(measured):
    """Into the page that accuracy.py wrote, in place of the sections there or before joint forces."""
    path = os.path.join(ROOT, "docs", "accuracy.md")
    with open(path) as file:
        text = file.read()
    last = text.index("## Joint forces")
    first = text.find("## Contacts\n")
    first = last if first < 0 else first
    with open(path, "w") as file:
        file.write(text[:first] + sections(measured) + "\n" + text[last:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--programs", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    measured = measure(options.programs)
    if options.print:
        print(sections(measured) + "\n" + readme_table(measured))
        return 0
    write_sections(measured)
    write_readme(measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
