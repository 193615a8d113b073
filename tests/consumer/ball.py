#!/usr/bin/env python3
"""Reads the public headers with cffi, as a Python binding would, and lets a ball fall with the shared library.

    ball.py INCLUDE_FOLDER LIBRARY API

Every struct must be as large to cffi as the description of the interface (API) says, and every function of
the description must be in the library. The ball falls as by Galilei; a bad call is reported to a callback.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

import cffi


def read_headers(include):
    """The declarations of all headers as one text, without directives; cffi knows the standard types."""
    text = (include / "tenon" / "tenon.h").read_text() + (include / "tenon" / "machines.h").read_text()
    texts, seen = [], set()

    def add(name):
        if name not in seen:
            seen.add(name)
            own = (include / name).read_text()
            for inner in re.findall(r'#include "(tenon/\w+\.h)"', own):
                add(inner)
            texts.append(re.sub(r"(?m)^#include.*$", "", own))
    for name in re.findall(r'#include "(tenon/\w+\.h)"', text):
        add(name)
    # Without __GNUC__, TN_API is nothing.
    command = ["gcc", "-std=c99", "-E", "-P", "-U__GNUC__", "-x", "c", "-"]
    return subprocess.run(command, input="\n".join(texts), check=True, capture_output=True, text=True).stdout


def check_sizes(ffi, library, api):
    pointer = "pointer%d" % (8 * ffi.sizeof("void *"))
    for struct in api["structs"]:
        size, known = ffi.sizeof(struct["name"]), struct["layouts"][pointer]["size"]
        assert size == known, "%s has %d bytes and not %d" % (struct["name"], size, known)
    for function in api["functions"]:
        getattr(library, function["name"])


def let_fall(ffi, tn):
    """Returns how far a ball falls in a second, m."""
    reports = []

    @ffi.callback("tn_report_fn")
    def report(what, _):
        reports.append(what.result)

    world_def = tn.tn_world_def_default()
    world_def.report = report
    world = tn.tn_world_create(ffi.new("tn_world_def *", world_def), ffi.NULL)
    body_def = tn.tn_body_def_default()
    body_def.pose.position.y = 100.0
    body = tn.tn_body_create(world, ffi.new("tn_body_def *", body_def))
    shape_def = ffi.new("tn_shape_def *", tn.tn_shape_def_default())
    tn.tn_sphere_shape_create(world, body, shape_def, 0.5)
    for _ in range(60):
        assert tn.tn_world_step(world, 1.0 / 60.0, 4) == tn.TN_RESULT_OK
    height = tn.tn_body_get_center(world, body).y
    tn.tn_body_destroy(world, body)
    assert not tn.tn_body_is_valid(world, body)
    tn.tn_body_set_awake(world, body, True)
    assert reports == [tn.TN_RESULT_INVALID_ID], reports
    tn.tn_world_destroy(world)
    return 100.0 - height


def main():
    include, path, api = Path(sys.argv[1]), sys.argv[2], json.loads(Path(sys.argv[3]).read_text())
    ffi = cffi.FFI()
    ffi.cdef(read_headers(include))
    library = ffi.dlopen(path)
    check_sizes(ffi, library, api)
    way = let_fall(ffi, library)
    assert abs(way - 0.5 * 9.81) < 1e-6, "the ball fell %g m" % way
    print("cffi: %d structs and %d functions, and a ball fell %.6f m"
          % (len(api["structs"]), len(api["functions"]), way))


main()
