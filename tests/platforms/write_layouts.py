#!/usr/bin/env python3
"""Writes C that compiles only where structs, enums and constants are as bindings/api.json says.

    write_layouts.py OUTPUT
"""
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write_layout(struct, layout, lines):
    """Where the fields of a struct are, under one width of pointers."""
    name = struct["name"]
    lines.append('CHECK(sizeof(%s) == %d, "size of %s");' % (name, layout["size"], name))
    for field, offset in zip(struct["fields"], layout["offsets"]):
        what = "%s.%s" % (name, field["name"])
        lines.append('CHECK(offsetof(%s, %s) == %d, "place of %s");' % (name, field["name"], offset, what))


def main():
    api = json.loads((ROOT / "bindings" / "api.json").read_text())
    lines = ['#include "tenon/%s"' % header
             for header in sorted({entry["header"] for entry in api["functions"]})]
    lines.append("#define CHECK(condition, text) _Static_assert(condition, text)")
    for constant in api["constants"]:
        lines.append('CHECK(%s == %d, "%s");' % (constant["name"], constant["value"], constant["name"]))
    for enum in api["enums"]:
        lines.append('CHECK(sizeof(%s) == 4, "size of %s");' % (enum["name"], enum["name"]))
        for value in enum["values"]:
            lines.append('CHECK(%s == %d, "%s");' % (value["name"], value["value"], value["name"]))
    for bits, limit in ((64, "0xffffffffffffffff"), (32, "0xffffffff")):
        lines.append("#if UINTPTR_MAX == %s" % limit)
        for struct in api["structs"]:
            write_layout(struct, struct["layouts"]["pointer%d" % bits], lines)
        lines.append("#define KNOWS_POINTERS")
        lines.append("#endif")
    lines += ["#ifndef KNOWS_POINTERS", "#error pointers of another width", "#endif"]
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n")


main()
