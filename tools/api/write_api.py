#!/usr/bin/env python3
"""Writes bindings/api.json: the public interface as data, for bindings and for the tests of the binary interface.

    write_api.py           writes api.json anew
    write_api.py --check   fails where api.json is not what the headers say

clang reads the headers. What it finds, with the comments, is a list of each kind:

    constants   name, value, doc
    handles     names of structs with one number, which stand for objects of a world
    opaque      names of types that only the library knows, and doc
    enums       name, doc, values (name, value, doc)
    structs     name, doc, default (the function that fills one in, or null), fields (name, type, doc, count
                for arrays: a list of lengths), layouts (of 64-bit and of 32-bit pointers: size, align, offsets)
    callbacks   name, doc, returns, parameters (name, type)
    functions   name, doc, returns, parameters

Each has the header that it stands in. Types are written as in C.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
OUTPUT = ROOT / "bindings" / "api.json"

SCALARS = {"bool": 1, "char": 1, "uint8_t": 1, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "float": 4,
           "int64_t": 8, "uint64_t": 8, "double": 8}


def fail(text):
    sys.exit("write_api: " + text)


def read_tree(headers):
    """clang's syntax tree of all headers together."""
    with tempfile.NamedTemporaryFile("w", suffix=".c") as source:
        source.write("".join('#include "tenon/%s"\n' % header for header in headers))
        source.flush()
        command = ["clang", "-std=c99", "-I", str(INCLUDE), "-fsyntax-only", "-fparse-all-comments",
                   "-Xclang", "-ast-dump=json", source.name]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def add_files(tree):
    """Writes the header's name into every declaration: clang says a file only where it changes."""
    current = None

    def visit_place(place):
        nonlocal current
        for inner in ("spellingLoc", "expansionLoc"):
            if inner in place:
                visit_place(place[inner])
        current = place.get("file", current)

    for node in tree["inner"]:
        stack = [node]
        first = True
        while stack:
            at = stack.pop()
            visit_place(at.get("loc", {}))
            if first:
                node["header"] = Path(current).name if current else None
                node["is_public"] = current is not None and Path(current).parent == INCLUDE / "tenon"
                first = False
            for end in ("begin", "end"):
                visit_place(at.get("range", {}).get(end, {}))
            stack.extend(reversed(at.get("inner", [])))


def comment_of(node):
    """The text of the comment at a declaration, one line."""
    def text(at):
        own = at.get("text", "") if at["kind"] == "TextComment" else ""
        return own + " ".join(text(child) for child in at.get("inner", []))
    comments = [child for child in node.get("inner", []) if child["kind"] == "FullComment"]
    return " ".join(" ".join(text(child) for child in comments).split())


def comments_above(header):
    """By function: the comment above it, or above the first of the functions that stand together."""
    comments, block, last = {}, [], ""
    text = (INCLUDE / "tenon" / header).read_text()
    text = re.sub(r"(?m)^(TN_API[^;]*);", lambda match: " ".join(match[0].split()), text)
    for line in text.splitlines():
        if line.startswith("///"):
            block.append(line[3:].strip())
            continue
        found = re.match(r"TN_API .*?(tn_[a-z0-9_]+)\(", line)
        if found:
            last = " ".join(block) if block else last
            comments[found[1]] = last
        elif line.strip() == "":
            last = ""
        block = []
    return comments


def split_array(spelled):
    """'double[3][2]' is a double and [3, 2]."""
    counts = [int(count) for count in re.findall(r"\[(\d+)\]", spelled)]
    return re.sub(r"\s*(\[\d+\])+$", "", spelled), counts


def spell(kind):
    """clang says _Bool for the macro bool."""
    return re.sub(r"\b_Bool\b", "bool", kind)


def read_struct(node, header):
    fields = []
    for child in node.get("inner", []):
        if child["kind"] == "FieldDecl":
            kind, counts = split_array(spell(child["type"]["qualType"]))
            field = {"name": child["name"], "type": kind, "doc": comment_of(child)}
            if counts:
                field["count"] = counts
            fields.append(field)
    return {"name": node["name"], "header": header, "doc": comment_of(node), "fields": fields}


def read_enum(node, header):
    values, value = [], -1
    for child in node.get("inner", []):
        if child["kind"] == "EnumConstantDecl":
            given = [inner for inner in child.get("inner", []) if "value" in inner]
            value = int(given[0]["value"]) if given else value + 1
            values.append({"name": child["name"], "value": value, "doc": comment_of(child)})
    return {"name": node["name"], "header": header, "doc": comment_of(node), "values": values}


def read_function(node, header, comments):
    parameters = [{"name": child["name"], "type": spell(child["type"]["qualType"])}
                  for child in node.get("inner", []) if child["kind"] == "ParmVarDecl"]
    returns = spell(node["type"]["qualType"].split("(")[0].strip())
    return {"name": node["name"], "header": header, "doc": comments.get(node["name"], ""),
            "returns": returns, "parameters": parameters}


def read_callback(node, header, text):
    """The names of a callback's parameters are in the header alone."""
    found = re.search(r"typedef ([\w \*]+?)\(\*%s\)\((.*?)\);" % node["name"], text, re.S)
    if not found:
        fail("the callback %s is not where it was looked for" % node["name"])
    parameters = []
    for parameter in " ".join(found[2].split()).split(","):
        kind, name = re.match(r"(.*?[\s\*])(\w+)$", parameter.strip()).groups()
        parameters.append({"name": name, "type": kind.strip()})
    return {"name": node["name"], "header": header, "doc": comment_of(node),
            "returns": found[1].strip(), "parameters": parameters}


def read_constants(header, text):
    constants, values = [], {}
    pattern = r"(?m)((?:^///.*\n)*)^#define (TN_[A-Z0-9_]+) +(\(.*\)|[0-9][0-9a-fx]*u?)(?: *///<(.*))?$"
    for above, name, value, beside in re.findall(pattern, text):
        for known, number in values.items():
            value = re.sub(r"\b%s\b" % known, str(number), value)
        if not re.fullmatch(r"[0-9a-fx+*() ]+u?", value):
            fail("%s is %s, which is no number" % (name, value))
        values[name] = eval(value.rstrip("u"))
        doc = " ".join((above.replace("///", " ") + " " + beside).split())
        constants.append({"name": name, "header": header, "value": values[name], "doc": doc})
    return constants


def read_headers():
    headers = sorted(path.name for path in (INCLUDE / "tenon").glob("*.h"))
    api = {"version": None, "constants": [], "handles": [], "opaque": [], "enums": [], "structs": [],
           "callbacks": [], "functions": []}
    tree = read_tree(headers)
    add_files(tree)
    texts = {header: (INCLUDE / "tenon" / header).read_text() for header in headers}
    comments = {header: comments_above(header) for header in headers}
    for header in headers:
        api["constants"] += read_constants(header, texts[header])
    for node in tree["inner"]:
        header, name = node["header"], node.get("name", "")
        if not node["is_public"] or not name.startswith("tn_"):
            continue
        if node["kind"] == "RecordDecl" and node.get("completeDefinition"):
            api["structs"].append(read_struct(node, header))
        elif node["kind"] == "EnumDecl":
            api["enums"].append(read_enum(node, header))
        elif node["kind"] == "FunctionDecl":
            api["functions"].append(read_function(node, header, comments[header]))
        elif node["kind"] == "TypedefDecl" and "(*)" in node["type"]["qualType"]:
            api["callbacks"].append(read_callback(node, header, texts[header]))
        elif node["kind"] == "TypedefDecl":
            api["opaque"].append({"name": name, "header": header, "doc": comment_of(node)})
    known = {entry["name"] for kind in ("structs", "enums") for entry in api[kind]}
    api["opaque"] = [entry for entry in api["opaque"] if entry["name"] not in known]
    return api


def add_defaults(api):
    functions = {function["name"]: function for function in api["functions"]}
    for struct in api["structs"]:
        name = struct["name"] + "_default"
        is_there = name in functions and not functions[name]["parameters"]
        struct["default"] = name if is_there else None
        if [field["name"] for field in struct["fields"]] == ["value"] and struct["name"].endswith("_id"):
            api["handles"].append(struct["name"])


def add_layouts(api):
    """As every platform's rules lay structs out that are supported: each field at its own alignment.
    tests/platforms asks the compilers."""
    structs = {struct["name"]: struct for struct in api["structs"]}
    enums = {enum["name"] for enum in api["enums"]}
    callbacks = {callback["name"] for callback in api["callbacks"]}

    def measure(kind, pointer):
        if kind.endswith("*") or kind in callbacks or kind == "size_t":
            return pointer, pointer
        if kind in SCALARS:
            return SCALARS[kind], SCALARS[kind]
        if kind in enums:
            return 4, 4
        if kind not in structs:
            fail("a field has the type '%s', which is not known" % kind)
        layout = lay_out(structs[kind], pointer)
        return layout["size"], layout["align"]

    def lay_out(struct, pointer):
        name = "pointer%d" % (8 * pointer)
        layouts = struct.setdefault("layouts", {})
        if name not in layouts:
            at, most, offsets = 0, 1, []
            for field in struct["fields"]:
                size, align = measure(field["type"], pointer)
                for count in field.get("count", []):
                    size *= count
                at = (at + align - 1) // align * align
                offsets.append(at)
                at, most = at + size, max(most, align)
            layouts[name] = {"size": (at + most - 1) // most * most, "align": most, "offsets": offsets}
        return layouts[name]

    for struct in api["structs"]:
        for pointer in (8, 4):
            lay_out(struct, pointer)


def write(api):
    """One line for each entry, so that a change shows as the entries that it changes."""
    lists = []
    for kind, entries in api.items():
        if isinstance(entries, list):
            lines = ",\n  ".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
            entries = "[\n  %s\n ]" % lines
        else:
            entries = json.dumps(entries)
        lists.append('"%s": %s' % (kind, entries))
    return "{\n %s\n}\n" % ",\n ".join(lists)


def main():
    api = read_headers()
    add_defaults(api)
    add_layouts(api)
    numbers = {constant["name"]: constant["value"] for constant in api["constants"]}
    api["version"] = ".".join(str(numbers["TN_VERSION_" + part]) for part in ("MAJOR", "MINOR", "PATCH"))
    text = write(api)
    if sys.argv[1:] == ["--check"]:
        if not OUTPUT.exists() or OUTPUT.read_text() != text:
            fail("bindings/api.json is not what the headers say; write it anew with tools/api/write_api.py")
        return
    if len(sys.argv) > 1:
        fail("takes --check or nothing")
    OUTPUT.write_text(text)


main()
