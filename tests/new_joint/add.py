#!/usr/bin/env python3
"""Follows docs/adding_a_joint.md: copies its files and adds its lines to a copy of the library.

    add.py PAGE COPY

A row `| file | after | add |` of the page's tables copies where `after` is a linked file, and else
adds a line after each line that contains `after`.
"""

import pathlib
import re
import shutil
import sys

COPY = re.compile(r"^\| `([^`]+)` \| \[[^]]*\]\(([^)]+)\) \|")
ADD = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|")


def add_line(path, after, line):
    lines, added = [], 0
    for old in path.read_text(encoding="utf-8").splitlines():
        lines.append(old)
        if after in old:
            lines.append(re.match(r"\s*", old).group() + line)
            added += 1
    if added == 0:
        sys.exit(f"add.py: {path.name} has no line with '{after}' any more")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    page, copy = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    files, lines = 0, 0
    for row in page.read_text(encoding="utf-8").splitlines():
        if match := COPY.match(row):
            shutil.copy(page.parent / match.group(2), copy / match.group(1))
            files += 1
        elif match := ADD.match(row):
            add_line(copy / match.group(1), match.group(2), match.group(3))
            lines += 1
    print(f"adds {files} files and {lines} lines")
    if files == 0 or lines == 0:
        sys.exit("add.py: the page has no tables of files and lines")


if __name__ == "__main__":
    main()
