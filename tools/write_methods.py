#!/usr/bin/env python3
"""Fills the tables of docs/methods.md anew: write_methods.py FOLDER_WITH_THE_TOOL

Between a line `<!-- tenon ARGUMENTS -->` and the next `<!-- end -->` stands what that command prints.
Errors are the same on every machine, times are not. tools/draw_docs.sh draws the page's pictures.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "methods.md"
BLOCK = re.compile(r"(<!-- tenon (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]) / "tenon"

    def run(block):
        printed = subprocess.run([program, *block.group(2).split()], text=True, check=True,
                                 capture_output=True, cwd=ROOT).stdout
        return f"{block.group(1)}{re.sub(' +', ' ', printed).strip()}\n{block.group(3)}"

    PAGE.write_text(BLOCK.sub(run, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


main()
