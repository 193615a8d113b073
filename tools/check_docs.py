#!/usr/bin/env python3
"""Keeps the pages true: compiles every ```c and ```cpp block of README.md and docs/, and follows
every link. The public names in docs/ have to be in the headers, and the files in
docs/architecture.md's table of ways have to be there.

The blocks of docs/hello.md are pieces of one program: pasted one after the other they are the last block
of the page, which is compiled and run as C and as C++. A block with a main is compiled as it stands. In
any other block, what begins with `static`, `typedef` or `#` in the first column goes to file scope, and
the rest into a function whose parameters (below) are the world and the handles a page talks about. A ```cpp block
is always compiled as it stands, as C++20.

    check_docs.py                  compile (syntax and warnings only)
    check_docs.py BUILD/libtenon.a ... and run every program that is followed by a ```text block,
                                   which must be what it prints
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILER = [
    os.environ.get("CC", "gcc"), "-std=c17", "-O1", "-ffp-contract=off", "-Wall", "-Wpedantic",
    "-Werror", "-Wno-unused", "-I", str(ROOT / "include"), "-I", str(ROOT),
]
CPP_COMPILER = [
    os.environ.get("CXX", "g++"), "-std=c++20", "-O1", "-Wall", "-Wpedantic", "-Werror",
    "-Wno-unused", "-I", str(ROOT / "include"),
]
PRELUDE = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/machines.h>
"""
FUNCTION = """
void page_block(tn_world *world, double dt, tn_body_id body, tn_body_id other, tn_body_id ground,
                tn_shape_id shape, tn_joint_id joint, tn_contact_id contact, tn_hull *hull);
void page_block(tn_world *world, double dt, tn_body_id body, tn_body_id other, tn_body_id ground,
                tn_shape_id shape, tn_joint_id joint, tn_contact_id contact, tn_hull *hull) {
    {
#line %d "%s"
%s
    }
}
"""
LANGUAGES = ("c", "cpp")
PASTED = ROOT / "docs/hello.md"
NEW_JOINT = ROOT / "docs/adding_a_joint.md"  # it names a joint that is not in the library
FENCE = re.compile(r"^```(\w*)\s*$")
LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]*)?\)")
NAME = re.compile(r"\btn_\w+")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
HAS_MAIN = re.compile(r"^int main\(", re.MULTILINE)


def pages():
    yield ROOT / "README.md"
    yield ROOT / "CONTRIBUTING.md"
    yield ROOT / "CHANGELOG.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def blocks_of(page):
    """Yields (language, first line number, text) of each fenced block."""
    language, start, lines = None, 0, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if fence and language is None:
            language, start, lines = fence.group(1), number + 1, []
        elif fence:
            yield language, start, "\n".join(lines)
            language = None
        elif language is not None:
            lines.append(line)


def is_file_scope(line):
    return line.startswith(("static ", "typedef ", "#"))


def split_scopes(text):
    """Parts the lines of a block into those of file scope and those of a function's body. Each list
    keeps a blank line for every line of the other, so that line numbers stay true."""
    outside, inside, depth, in_definition = [], [], 0, False
    for line in text.split("\n"):
        if depth == 0 and not in_definition:
            in_definition = is_file_scope(line)
        (outside if in_definition else inside).append(line)
        (inside if in_definition else outside).append("")
        depth += line.count("{") - line.count("}")
        if in_definition and depth == 0 and (line.startswith(("}", "#")) or line.endswith(";")):
            in_definition = False
    return "\n".join(outside), "\n".join(inside)


def source_of(language, page, start, text):
    if language == "cpp" or HAS_MAIN.search(text):
        return f'#line {start} "{page}"\n{text}\n'
    outside, inside = split_scopes(text)
    return f'{PRELUDE}#line {start} "{page}"\n{outside}\n' + FUNCTION % (start, page, inside)


def compile_block(language, source, arguments):
    compiler = CPP_COMPILER + ["-x", "c++"] if language == "cpp" else COMPILER + ["-x", "c"]
    return subprocess.run(compiler + ["-", "-x", "none"] + arguments, input=source, text=True,
                          capture_output=True).stderr


def run_block(language, source, library, expected, where):
    """Builds and runs one program. Returns what is wrong with it, or an empty string."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        faults = compile_block(language, source, [library, "-lm", "-lpthread", "-o", program])
        if faults:
            return faults
        run = subprocess.run([program], cwd=folder, text=True, capture_output=True)
    printed = run.stdout
    if run.returncode == 0 and (expected is None or printed.rstrip() == expected.rstrip()):
        return ""
    return f"{where}: the program prints something else than the page says:\n{printed}"


def check_pieces(page, blocks, library):
    """The pieces of a page, which are the program at its end, as C and as C++."""
    where = page.relative_to(ROOT)
    codes = [text for language, _, text in blocks if language == "c"]
    output = next((text for language, _, text in blocks if language == "text"), None)
    whole, pieces = codes[-1].split("\n"), "\n\n".join(codes[:-1]).split("\n")
    if pieces != whole:
        yield f"{where}: its pieces, one after the other, are not its last program"
    for language in LANGUAGES:
        source = source_of(language, where, 1, codes[-1])
        if library:
            yield run_block(language, source, library, output, where)
        else:
            yield compile_block(language, source, ["-fsyntax-only"])


def check_blocks(page, library):
    blocks = list(blocks_of(page))
    count = sum(language in LANGUAGES for language, _, _ in blocks)
    if page == PASTED:
        return count, [fault for fault in check_pieces(page, blocks, library) if fault]
    faults = []
    for i, (language, start, text) in enumerate(blocks):
        if language not in LANGUAGES:
            continue
        source = source_of(language, page.relative_to(ROOT), start, text)
        output = blocks[i + 1] if i + 1 < len(blocks) else ("", 0, "")
        if library and HAS_MAIN.search(text) and output[0] == "text":
            where = f"{page.relative_to(ROOT)}:{output[1]}"
            faults.append(run_block(language, source, library, output[2], where))
        else:
            faults.append(compile_block(language, source, ["-fsyntax-only"]))
    return count, [fault for fault in faults if fault]


def anchors_of(page):
    """The anchors that a page's headings get: lower case, hyphens for spaces, no punctuation."""
    for heading in HEADING.findall(page.read_text(encoding="utf-8")):
        words = re.sub(r"\]\([^)]*\)", "", heading.lower())
        yield "#" + re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def check_links(page):
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for target, anchor in LINK.findall(line):
            if "://" in target:
                continue
            file = page.parent / target if target else page
            if not file.exists():
                yield f"{page.relative_to(ROOT)}:{number}: there is no {target}"
            elif anchor and anchor not in anchors_of(file):
                yield f"{page.relative_to(ROOT)}:{number}: there is no {target}{anchor}"


def check_names(page, public):
    """Every public name that a page of docs/ says is in the headers, or begins one that is there."""
    if page.parent == ROOT or page == NEW_JOINT:
        return
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for name in NAME.findall(line):
            if name not in public and not any(other.startswith(f"{name}_") for other in public):
                yield f"{page.relative_to(ROOT)}:{number}: there is no {name}"


def check_hello():
    """README shows examples/hello.c itself."""
    example = (ROOT / "examples/hello.c").read_text(encoding="utf-8").rstrip()
    blocks = [text.rstrip() for language, _, text in blocks_of(ROOT / "README.md") if language == "c"]
    if not any(text in example for text in blocks if HAS_MAIN.search(text)):
        yield "README.md: its first program is not examples/hello.c"


def check_ways():
    """Every file that the table of ways names is there."""
    page = ROOT / "docs/architecture.md"
    text = page.read_text(encoding="utf-8").split("## The ways through the solver")[1]
    text = text.split("\n## ")[0]
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")]
    names = [name for row in rows[1:] for name in re.findall(r"`([^`]+)`", row[3])]
    if len(names) < len(rows) // 2:
        yield "docs/architecture.md: the table of ways has lost its files"
    for name in names:
        if not list((ROOT / "src/solver").rglob(name if "." in name else name + ".[ch]")):
            yield f"docs/architecture.md: there is no src/solver/{name}"


def main():
    library = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None
    count, faults = 0, list(check_hello()) + list(check_ways())
    headers = (ROOT / "include").rglob("*.h")
    public = {name for header in headers for name in NAME.findall(header.read_text(encoding="utf-8"))}
    for page in pages():
        page_count, page_faults = check_blocks(page, library)
        count += page_count
        faults += page_faults + list(check_links(page)) + list(check_names(page, public))
    print("\n".join(faults + [f"check_docs: {count} blocks of C and C++, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
