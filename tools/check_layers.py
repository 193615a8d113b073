#!/usr/bin/env python3
"""Reads every #include line and says which one breaks the order of the folders.

    core <- collision <- joints <- forces <- solver <- world

A file under src/ includes only its own folder and those to its left, and the public headers.
Scenes, demos, tools, benchmarks and examples include only the public headers and one another.
So do tests, but those in tests/core/ to tests/solver/ test internal files: they may include what
the folder they mirror may. A public header includes only the
standard library and other public headers (tenon/cglm.h alone may include cglm), and inside src/
only core/maths.h includes cglm and only core/simd.h, lanes.h, wide.h and float_environment.c the
compiler's vector headers. A room (a folder inside one of these) includes only the rooms that ROOMS names.
A boolean of the interface is a statement that can be true: is_awake, has_mass, keeps_awake.
No struct of solver/ has more than MOST_MEMBERS.
No file of solver/ asks for a joint's type or looks into its definition.
Only core/platform.c and its headers name a system, and only they and a few files of core/ a compiler.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = ["core", "collision", "joints", "forces", "solver", "world"]
OUTSIDE = ["scenes", "demos", "tools", "bench", "examples"]
# Beside its own, and beside the headers of the folder that it is in, which all share.
ROOMS = {
    "core": {"memory": []},
    "collision": {
        "concave": [],
        "manifold": ["concave", "path"],
        "path": ["manifold"],
    },
    "joints": {
        "parts": [],
        "functions": ["parts"],
        "paths": ["parts"],
        "transmissions": ["parts"],
    },
    "solver": {
        "rows": [],
        "matrix": [],
        "stacks": ["contacts"],
        "contacts": ["bodies", "movers"],
        "bodies": ["contacts", "joints"],
        "gradients": ["bodies", "joints", "rows"],
        "joints": ["bodies", "gradients", "rows", "step"],
        "methods": ["exact"],
        "exact": ["matrix", "movers", "step", "touches"],
        "touches": ["contacts", "exact", "step"],
        "movers": ["bodies", "contacts", "exact", "joints", "rows", "step", "touches"],
        "step": ["bodies", "contacts", "joints", "matrix", "movers", "stacks"],
    },
    "world": {
        "records": [],
        "joints": ["records"],
        "collide": ["records", "step"],
        "mechanisms": ["collide", "step"],
        "movers": ["collide", "records", "step"],
        "queries": ["records"],
        "character": ["queries", "records"],
        "vehicle": ["queries", "records"],
        "api": ["collide", "joints", "records", "step"],
        "step": ["api", "collide", "joints", "records"],
        "snapshot": ["joints", "records", "step"],
        "recording": ["snapshot"],
    },
}
STANDARD = set(
    "assert complex ctype errno fenv float inttypes limits locale math setjmp signal stdalign "
    "stdarg stdatomic stdbool stddef stdint stdio stdlib string tgmath threads time wchar".split()
)
# The compiler's own headers for vector units; nothing to link.
VECTOR_UNITS = {"emmintrin.h", "immintrin.h", "arm_neon.h", "wasm_simd128.h"}
# What systems have in their own ways, and the words that name them.
SYSTEM = {"malloc.h", "process.h", "pthread.h", "sched.h", "sys/mman.h", "time.h", "windows.h"}
SYSTEM_WORD = re.compile(r"\b(?:_WIN32|__APPLE__|__linux__|__wasi__|__EMSCRIPTEN\w*)\b")
SYSTEM_FILES = {ROOT / "src/core" / name for name in ("platform.c", "platform.h", "platform_threads.h")}
# Words of one compiler.
COMPILER_WORD = re.compile(
    r"\b(?:__builtin_\w+|__attribute__|__asm__|__declspec|__typeof__|__GNUC__|__clang__|_MSC_VER)\b")
COMPILER_FILES = {
    ROOT / "src/core" / name
    for name in ("base.h", "cpu.c", "float_environment.c", "float_environment.h", "platform.c", "wide.h")
}
VECTOR_FILES = {
    ROOT / "src/core" / name for name in ("simd.h", "lanes.h", "wide.h", "float_environment.c")
}
MOST_MEMBERS = 40
STRUCT = re.compile(r"struct (\w+) \{\n(.*?)\n\}", re.S)
# Members or an argument; x, y and z are axes.
BOOLEAN = re.compile(r"^\s*bool (\w+(?:, \w+)*);|\bbool (\w+)[,)]")
STATEMENT = re.compile(r"(is|has|fell|\w*[a-z]s)_|[a-z]+s$|[xyz]$")
OF_JOINTS = re.compile(r"\bTN_JOINT_TYPE_\w+|->def\.")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


def includes_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(2)


def is_standard(name):
    return name.endswith(".h") and name[:-2] in STANDARD


def fault_in_room(path, name):
    parts, target = path.relative_to(ROOT / "src").parts, name.split("/")
    rooms = ROOMS.get(parts[0])
    if rooms is None or len(parts) < 3:
        return None
    if parts[1] not in rooms:
        return f"src/{parts[0]}/{parts[1]}/ is not one of the rooms {', '.join(rooms)}"
    if target[0] != parts[0] or len(target) < 3 or target[1] in [parts[1]] + rooms[parts[1]]:
        return None
    return f"{parts[0]}/{parts[1]}/ must not know {target[1]}/: see ROOMS in tools/check_layers.py"


def fault_in_library(path, name):
    layer = path.relative_to(ROOT / "src").parts[0]
    if layer not in LAYERS:
        return f"src/{layer}/ is not one of the layers {' <- '.join(LAYERS)}"
    if name.startswith("cglm/") and path != ROOT / "src/core/maths.h":
        return "only core/maths.h includes cglm"
    if name in VECTOR_UNITS:
        is_allowed = path in VECTOR_FILES
        return None if is_allowed else "only core/simd.h, lanes.h, wide.h and float_environment.c include vector headers"
    if name in SYSTEM:
        is_allowed = path in SYSTEM_FILES
        return None if is_allowed else "only core/platform.c and its headers know systems"
    if name == "intrin.h":
        is_allowed = path == ROOT / "src/core/cpu.c"
        return None if is_allowed else "only core/cpu.c asks the CPU"
    target = name.split("/")[0]
    if target in LAYERS and LAYERS.index(target) > LAYERS.index(layer):
        return f"{layer}/ must not know {target}/: the order is {' <- '.join(LAYERS)}"
    fault = fault_in_room(path, name)
    if fault:
        return fault
    if target in LAYERS or target in ("tenon", "cglm") or is_standard(name):
        return None
    return "the library needs libc, libm and cglm's headers, nothing else"


def fault_in_public_header(path, name):
    if name.startswith("tenon/") or is_standard(name):
        return None
    if name.startswith("cglm/") and path.name == "cglm.h":
        return None
    return "a public header includes only the standard library and other public headers"


def fault_outside(_, name):
    if name.startswith("src/") or name.split("/")[0] in LAYERS:
        return "only include/tenon/ may be used here"
    return None


def fault_in_test(path, name):
    folder = path.relative_to(ROOT / "tests").parts[0]
    folder = "core" if folder == "threads" else folder  # of core/tasks.c, as plain programs
    target = name.split("/")[0]
    if target not in LAYERS:
        return None
    if folder not in LAYERS[:5]:
        return f"tests/{folder}/ tests the public API: only include/tenon/ may be used here"
    if LAYERS.index(target) > LAYERS.index(folder):
        return f"tests/{folder}/ must not know {target}/: the order is {' <- '.join(LAYERS)}"
    return None


def faults_in_booleans():
    for path in sorted((ROOT / "include").rglob("*.h")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = [names for pair in BOOLEAN.findall(line.split("//")[0]) for names in pair]
            for name in re.findall(r"\w+", " ".join(found)):
                if not STATEMENT.match(name):
                    yield f"{path.relative_to(ROOT)}:{number}: bool {name} is no statement: is_, has_ or a verb"


def faults_in_structs():
    for path in sorted((ROOT / "src/solver").rglob("*.[ch]")):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        for name, body in STRUCT.findall(text):
            members = sum(1 + ("(" not in line) * line.count(",") for line in body.split(";") if line.strip())
            if members > MOST_MEMBERS:
                yield f"{path.relative_to(ROOT)}: {name} has {members} members, more than {MOST_MEMBERS}"


def faults_in_solver():
    for path in sorted((ROOT / "src/solver").rglob("*.[ch]")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = OF_JOINTS.search(line)
            if match:
                yield f"{path.relative_to(ROOT)}:{number}: {match.group()}: solvers know rows, not joints"


def faults_in_words():
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word, files in ((SYSTEM_WORD, SYSTEM_FILES), (COMPILER_WORD, COMPILER_FILES)):
                match = word.search(line)
                if match and path not in files:
                    allowed = ", ".join(sorted(file.name for file in files))
                    yield f"{path.relative_to(ROOT)}:{number}: {match.group()}: only {allowed} may use it"


def main():
    checks = [("src", fault_in_library), ("include", fault_in_public_header), ("tests", fault_in_test)]
    checks += [(folder, fault_outside) for folder in OUTSIDE]
    faults = 0
    for fault in [*faults_in_solver(), *faults_in_structs(), *faults_in_booleans(), *faults_in_words()]:
        print(fault)
        faults += 1
    for folder, find_fault in checks:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp", ".hpp"):
                continue
            for number, name in includes_of(path):
                fault = find_fault(path, name)
                if fault:
                    print(f"{path.relative_to(ROOT)}:{number}: #include of {name}: {fault}")
                    faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
