#!/usr/bin/env python3
"""Plants the faults of faults.txt into a copy of the sources, one at a time, and says which of them
the tests notice.

    tests/planted/run.py                 all of them: ten minutes on two cores, six more for each survivor
    tests/planted/run.py 7 20-25         these numbers
    tests/planted/run.py solver/exact    those whose file's name contains this
    tests/planted/run.py --list          checks that each text stands in its file exactly once

The suites that mirror a fault's file or that its head names run first, then those of its room, then
all, and golden hashes last: a fault that only a hash notices wants a test that says what is wrong. It is
printed as a survivor with --near. The exit code is 1 when fewer than 95 % are noticed.
The copy and what is built from it stand in build/planted, under TENON_BUILD_DIR if that is set, and
stay there: only what a fault changes is built again.
"""

import argparse
import fnmatch
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TREE = ROOT / os.environ.get("TENON_BUILD_DIR", "build") / "planted"
BUILD = TREE / "build/quick"
LIST = pathlib.Path(__file__).resolve().parent / "faults.txt"
LEAST_NOTICED = 0.95
TIMEOUT_S = 600  # what takes longer hangs, which is noticed; --timeout for machines that are slow
LONGEST_PATTERN = 1000  # characters
# Rooms whose faults show in tests that do not mirror their file.
NEAR_ROOMS = {
    "src/solver/exact": ["tests/world/mechanisms"],
    "src/solver/matrix": ["tests/world/mechanisms"],
    "src/solver/touches": ["tests/world/mechanisms"],
    "src/solver/gradients": ["tests/world/mechanisms"],
    "src/solver/contacts": ["tests/world/collide"],
    "src/solver/movers": ["tests/world/movers"],
    "src/solver/stacks": ["tests/world/step"],
    "src/solver/rows": ["tests/joints"],
    "src/solver/joints": ["tests/joints", "tests/world/step"],
    "src/solver/bodies": ["tests/world/api", "tests/world/step"],
    "src/solver/step": ["tests/world/step"],
    "src/collision/path": ["tests/collision"],
    "src/joints/parts": ["tests/joints", "tests/joints/paths", "tests/joints/transmissions"],
    "src/joints/functions": ["tests/world/movers"],
    "src/joints/paths": ["tests/joints"],
    "src/joints/transmissions": ["tests/joints"],
}


class Fault:
    """One entry of the list: in `path`, `old` becomes `new`; `hints` names tests to run first."""

    def __init__(self, number, path):
        self.number, self.path = number, path
        self.old, self.new, self.why, self.hints = [], [], [], []

    def plant(self, text):
        """The text of the file with the fault; ends the program if it is not where it should be."""
        old = "\n".join(self.old)
        if text.count(old) != 1:
            sys.exit(f"{LIST}: fault {self.number}: the text stands in {self.path} "
                     f"{text.count(old)} times, not once:\n{old}")
        return text.replace(old, "\n".join(self.new))


def read_faults():
    faults = []
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        kind, rest = line[:2], line[2:]
        if not line or kind == "# ":
            continue
        if kind == "@ ":
            faults.append(Fault(len(faults) + 1, rest))
        elif kind in ("- ", "+ ", "= ", "? ") and faults:
            fault = faults[-1]
            {"-": fault.old, "+": fault.new, "=": fault.why, "?": fault.hints}[kind[0]].append(rest)
        else:
            sys.exit(f"{LIST}:{number}: a line begins with '@ ', '- ', '+ ', '= ', '? ' or '# '")
    tests = ["/".join(test) for test in find_tests((ROOT / "tests").rglob("test_*.c"))]
    for fault in faults:
        if not fault.old or not fault.new or not fault.why or fault.old == fault.new:
            sys.exit(f"{LIST}: fault {fault.number} is not whole")
        fault.plant((ROOT / fault.path).read_text())
        for hint in fault.hints:
            if not any(fnmatch.fnmatchcase(test, hint) for test in tests):
                sys.exit(f"{LIST}: fault {fault.number}: no test is called {hint}")
    return faults


def choose(faults, words):
    if not words:
        return faults
    numbers = set()
    for word in words:
        span = re.fullmatch(r"(\d+)(?:-(\d+))?", word)
        if span:
            numbers.update(range(int(span[1]), int(span[2] or span[1]) + 1))
    names = [word for word in words if not re.fullmatch(r"\d+(-\d+)?", word)]
    return [f for f in faults if f.number in numbers or any(name in f.path for name in names)]


# ---- the copy -----------------------------------------------------------------------------------


def copy_tree():
    """Files that have not changed keep their times, so that nothing of them is built again."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT,
                            check=True, capture_output=True, text=True).stdout
    names = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for name in names:
        source, target = ROOT / name, TREE / name
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for folder in ("include", "src", "scenes", "tests", "bench", "tools"):
        for path in (TREE / folder).rglob("*"):
            if path.is_file() and str(path.relative_to(TREE)) not in names:
                path.unlink()


def build(jobs):
    if not (BUILD / "CMakeCache.txt").is_file():
        command = ["cmake", "-S", str(TREE), "-B", str(BUILD)]
        command += ["-G", "Ninja"] if shutil.which("ninja") else []
        command += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        run_quietly(command)
    return run_quietly(["cmake", "--build", str(BUILD), f"-j{jobs}", "--target", "tenon_tests"])


def run_quietly(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{result.stdout[-3000:]}{result.stderr[-3000:]}")


# ---- the tests ----------------------------------------------------------------------------------


def find_tests(paths):
    """The suites and names of all tests in these files."""
    found = []
    for text in (path.read_text() for path in paths if path.is_file()):
        for is_long, suite, name in re.findall(r"^(LONG_)?TEST\((\w+),\s*(\w+)", text, re.M | re.I):
            found.append((suite, name + ("_at_length" if is_long else "")))
    return found


def find_suites(paths):
    return sorted({suite for suite, _ in find_tests(paths)})


def list_rounds(fault, only_near):
    """Patterns of Criterion, those first that are the likeliest to notice."""
    source = pathlib.Path(fault.path)
    mirror = pathlib.Path("tests") / source.parent.relative_to("src")
    stem = re.sub(r"_wide$", "", source.stem)
    rounds = [[hint] for hint in fault.hints]
    named = re.findall(r"tests/[\w/]+\.c", (ROOT / source).read_text())  # "Test: ..." at its head
    own = find_suites([ROOT / mirror / f"test_{stem}.c"] + [ROOT / name for name in named])
    rooms = [mirror] + [pathlib.Path(room) for room in NEAR_ROOMS.get(str(source.parent), [])]
    near = find_suites(path for room in rooms for path in sorted((ROOT / room).glob("test_*.c")))
    near = [suite for suite in near if not suite.endswith("hashes") and suite not in own]
    rounds += [[f"{suite}/*" for suite in own]] if own else []
    rounds += [[f"{suite}/*" for suite in near]] if near else []
    if not only_near:
        suites = find_suites((ROOT / "tests").rglob("test_*.c"))
        rest = [s for s in suites if not s.endswith("hashes") and s not in own + near]
        rounds += [[f"{suite}/*" for suite in rest], ["*hashes/*"]]
    return rounds


def join_patterns(patterns):
    """As few patterns as there may be: Criterion refuses one that is much longer than this."""
    joined = [[]]
    for pattern in patterns:
        if sum(len(other) + 1 for other in joined[-1]) + len(pattern) > LONGEST_PATTERN:
            joined.append([])
        joined[-1].append(pattern)
    return ["@(" + "|".join(several) + ")" for several in joined if several]


def end_tests(process):
    """Each test is a process of its own, which would go on."""
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True)
    for pid in [process.pid] + [int(child) for child in children.stdout.split()]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def run_tests(pattern, jobs, seconds):
    """Returns what noticed, or None if all pass."""
    command = [str(BUILD / "tenon_tests"), f"-j{jobs}", "--fail-fast", "--color=never",
               "--filter", pattern]
    process = subprocess.Popen(command, cwd=TREE, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return "the time limit"
    finally:
        if process.poll() is None:
            end_tests(process)
    if process.returncode == 0:
        return None
    found = re.search(r"^\[FAIL\] (\w+)::(\w+)", output, re.MULTILINE)
    if not found:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{output[-3000:]}")
    return f"{found[1]}/{found[2]}"


def try_fault(fault, jobs, only_near, timeout):
    """Returns what noticed, or None."""
    target = TREE / fault.path
    sound = target.read_text()
    try:
        target.write_text(fault.plant(sound))
        build(jobs)
        end = time.monotonic() + timeout
        for patterns in list_rounds(fault, only_near):
            for pattern in join_patterns(patterns):
                noticed = run_tests(pattern, jobs, max(end - time.monotonic(), 1.0))
                if noticed is not None:
                    return noticed
        return None
    finally:
        target.write_text(sound)


def check_sound(noticed, options):
    """A test that fails without a fault has noticed nothing."""
    tests = sorted({test for test in noticed if "/" in test})
    build(options.jobs)
    for pattern in join_patterns(tests):
        failed = run_tests(pattern, options.jobs, options.timeout)
        if failed:
            sys.exit(f"{failed} fails without a fault, too")


def main():
    parser = argparse.ArgumentParser(usage="tests/planted/run.py [-jN] [--list] [--near] [--timeout S] "
                                           "[NUMBER | FROM-TO | PART OF A FILE'S NAME]...")
    parser.add_argument("-j", type=int, default=2, dest="jobs")
    parser.add_argument("--timeout", type=float, default=TIMEOUT_S)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--near", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    chosen = choose(read_faults(), options.words)
    if not chosen:
        sys.exit("there is no such fault")
    if options.list:
        for fault in chosen:
            print(f"{fault.number:3}  {fault.path}: {' '.join(fault.why)}")
        return
    copy_tree()
    build(options.jobs)
    noticed = []
    for fault in chosen:
        by = try_fault(fault, options.jobs, options.near, options.timeout)
        noticed += [by] if by else []
        verdict = f"noticed by {by}" if by else f"SURVIVES: {' '.join(fault.why)}"
        print(f"{fault.number:3}  {fault.path}: {verdict}", flush=True)
    print(f"{len(noticed)} of {len(chosen)} noticed")
    check_sound(noticed, options)
    sys.exit(len(noticed) < LEAST_NOTICED * len(chosen))


if __name__ == "__main__":
    main()
