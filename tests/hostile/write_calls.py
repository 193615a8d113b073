#!/usr/bin/env python3
"""Writes C that calls every public function with generated arguments, from the public headers.

    write_calls.py INCLUDE_FOLDER OUTPUT

The output is included by tests/hostile/hostile.c, which calls hostile_functions[i].call; the values
(hostile_<type>) come from hostile_values.c and hostile_callbacks.c. A new public function, struct or enum is called without any change here;
a type that the generator does not know makes it fail.
"""
import re
import sys
from pathlib import Path

# Functions that the files beside this call themselves, in their own way.
BY_HAND = {
    "tn_world_create", "tn_world_create_checked", "tn_world_destroy", "tn_graph_create",
    "tn_graph_destroy", "tn_tree_create", "tn_tree_destroy",
    "tn_graph_add_function", "tn_world_set_contact_filter", "tn_world_set_pre_solve",
    "tn_force_output_add_slope",  # for callbacks, which make one
    "tn_mesh_create", "tn_mesh_retain", "tn_mesh_release",
    "tn_height_field_create", "tn_height_field_retain", "tn_height_field_release",
    "tn_compound_create", "tn_compound_retain", "tn_compound_release",
    "tn_hull_create", "tn_hull_retain", "tn_hull_release", "tn_hull_save", "tn_hull_load",
    "tn_mesh_save", "tn_mesh_load", "tn_height_field_save", "tn_height_field_load",
    "tn_compound_save", "tn_compound_load", "tn_world_save", "tn_world_load",
    "tn_world_load_bodies",
    "tn_record_start", "tn_recording_get_info", "tn_replay_start",
}
# These change a world, but nothing that a recording is to have: they make, destroy or load
# objects, step, record, or write into memory of the caller alone.
NO_SETTERS = {
    "tn_body_destroy", "tn_shape_destroy", "tn_joint_destroy", "tn_force_destroy",
    "tn_reduced_destroy", "tn_world_clear", "tn_world_step", "tn_record_stop", "tn_replay_stop",
    "tn_replay_step", "tn_replay_seek", "tn_world_draw", "tn_character_move",
    "tn_world_set_user_data",  # each world keeps its own
}
# What these return is of the last step or of the program, and no state of the world.
NO_GETTERS = {
    "tn_world_get_telemetry", "tn_world_get_events", "tn_world_get_user_data",
    "tn_record_is_active",
    "tn_replay_count_steps", "tn_replay_get_step", "tn_replay_get_divergence",
}
# Called more often, since they refuse most of what they are given.
PICKY = {
    "tn_custom_joint_set_row", "tn_escapement_joint_set_angles", "tn_function_joint_set_row",
    "tn_function_joint_set_input", "tn_goal_force_set_input", "tn_goal_force_get_input",
    "tn_planar_joint_set_y", "tn_planar_joint_set_z", "tn_six_axis_joint_set_axis",
}
NUMBERS = {"float", "double", "bool", "uint32_t", "int32_t", "uint16_t", "uint8_t", "uint64_t"}
# Callbacks, and pointers handed through to them, come from hostile_callbacks.c.
CALLBACKS = {
    "tn_custom_joint_fn", "tn_force_fn", "tn_motion_path_joint_fn", "tn_reduced_fn",
    "tn_surface_joint_fn", "tn_alloc_fn", "tn_free_fn", "tn_query_accept_fn", "tn_report_fn",
    "tn_task_enqueue_fn", "tn_task_finish_fn", "tn_tree_visit_fn", "tn_mesh_progress_fn",
}
# How many numbers an array holds for each thing that is counted, where that is not one.
NUMBERS_EACH = {"out_poses": 7}
# What a field that points to constants is given.
POINTERS = {
    "const tn_graph *": "hostile_sound_graph(h)",
    "const double *": "hostile_doubles(h)",
    "const float *": "hostile_floats(h)",
    "const uint32_t *": "hostile_indices(h)",
    "const uint16_t *": "hostile_places(h)",
    "const uint8_t *": "hostile_bytes(h)",
    "const tn_vec3 *": "hostile_points(h)",
    "const tn_body_id *": "hostile_bodies(h)",
    "const tn_query_filter *": "hostile_query_filter(h)",
    "const tn_hull *": "hostile_hull(h)",
}


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def read_headers(folder):
    paths = sorted(p for p in Path(folder, "tenon").glob("*.h") if p.name != "cglm.h")
    return "\n".join(strip_comments(p.read_text()) for p in paths)


def split_declarator(text):
    """`const tn_vec3 *points[4]` as its type, name and array suffix."""
    match = re.fullmatch(r"(.*?)(\w+)\s*((?:\[\w+\])*)", text.strip(), flags=re.S)
    if not match:
        sys.exit(f"cannot read the declarator '{text}'")
    return " ".join(match[1].split()), match[2], match[3]


def parse_fields(body):
    fields = []
    for statement in body.split(";"):
        if not statement.strip():
            continue
        first, *others = statement.split(",")
        kind, name, suffix = split_declarator(first)
        fields.append((kind, name, suffix))
        base = kind.rstrip("* ")
        for other in others:
            stars = "*" * other.count("*")
            _, name, suffix = split_declarator("x " + other.replace("*", " "))
            fields.append((f"{base} {stars}".strip(), name, suffix))
    return fields


def parse(text):
    structs = {m[2]: parse_fields(m[1])
               for m in re.finditer(r"typedef struct \w* ?\{(.*?)\}\s*(\w+);", text, flags=re.S)}
    enums = set(re.findall(r"typedef enum \w* ?\{.*?\}\s*(\w+);", text, flags=re.S))
    functions = []
    for m in re.finditer(r"TN_API\s+([^;{]*?)\s*\(([^;{]*?)\)\s*;", text, flags=re.S):
        returned, name, _ = split_declarator(" ".join(m[1].split()))
        arguments = [] if m[2].strip() == "void" else [split_declarator(a)
                                                       for a in m[2].split(",")]
        functions.append((returned, name, arguments))
    if len(functions) != len(re.findall(r"\bTN_API\s+(?!__)\w", re.sub(r"^\s*#.*", "", text, flags=re.M))):
        sys.exit("some functions of the headers were not understood")
    return structs, enums, functions


def check_by_hand(declared):
    """The caller itself calls what it is said to call, and nothing else is left out."""
    source = "".join(path.read_text() for path in Path(__file__).parent.glob("*.c"))
    for name in sorted(BY_HAND):
        if name not in declared or f"{name}(" not in source:
            sys.exit(f"the caller is to call {name}, or no header declares it")


class Writer:
    def __init__(self, structs, enums, functions):
        self.structs, self.enums, self.functions = structs, enums, functions
        self.defaults = {returned for returned, name, arguments in functions
                         if name.endswith("_default") and not arguments}
        self.families = []

    def get_family(self, function):
        """A number for tn_hinge_joint_..., another for tn_box_shape_...; 0 for what fits all."""
        match = re.match(r"tn_(\w+?_(?:joint|force|shape))_", function)
        if not match:
            return 0
        if match[1] not in self.families:
            self.families.append(match[1])
        return self.families.index(match[1]) + 1

    def is_handle(self, kind):
        return kind.endswith("_id") or kind == "tn_node"

    def value_of(self, kind, name, has_pointer, is_argument=False, function=""):
        """An expression for one value of that type."""
        if name == "dt":
            return "hostile_dt(h)"
        if name == "substeps":
            return "hostile_substeps(h)"
        if kind in NUMBERS:
            if kind == "uint32_t" and re.search(r"count|capacity", name):
                return f"hostile_count(h, {'true' if has_pointer else 'false'})"
            return f"hostile_{kind}(h)"
        if kind in self.enums:
            return f"({kind})hostile_enum(h)"
        if kind == "tn_node" and not (is_argument and function.startswith("tn_graph_")):
            return "hostile_sound_node(h)"
        if self.is_handle(kind):
            family = self.get_family(function)
            return f"({kind}){{hostile_handle(h, HOSTILE_{kind[3:].upper()}, {family})}}"
        if kind in CALLBACKS:
            return "hostile_" + kind.rstrip(" *")[3:] + "(h)"
        if kind == "void *":
            return "hostile_context(h)"
        if kind in POINTERS:
            return POINTERS[kind]
        sys.exit(f"the generator has no value for the type '{kind}' ({name})")

    def write_struct(self, kind):
        """set_<type>: sets all fields, or each by chance where the rest stays as it is."""
        fields = self.structs[kind]
        has_pointer = any("*" in k and k not in CALLBACKS and k != "void *" and "graph" not in k
                          for k, _, _ in fields)
        lines = [f"static void set_{kind}(hostile *h, {kind} *value, bool all) {{"]
        for field_kind, name, suffix in fields:
            indices, indent, place = re.findall(r"\[(\w+)\]", suffix), "    ", f"value->{name}"
            # Handles, pointers and counts are always set, for without them nothing gets made.
            is_needed = (self.is_handle(field_kind) or "*" in field_kind or
                         field_kind in CALLBACKS or name.endswith("count"))
            chance = "" if is_needed else f"if (all || hostile_chance(h, {4 * len(fields)})) "
            if field_kind in self.structs and not self.is_handle(field_kind):
                chance = ""  # which of its fields, it decides itself
            lines.append(f"{indent}{chance}{{")
            for depth, size in enumerate(indices):
                indent += "    "
                lines.append(f"{indent}for (uint32_t i{depth} = 0; i{depth} < (uint32_t)({size}); "
                             f"++i{depth}) {{")
                place += f"[i{depth}]"
            if field_kind in self.structs and not self.is_handle(field_kind):
                lines.append(f"{indent}    set_{field_kind}(h, &{place}, all || "
                             f"hostile_chance(h, {4 * len(fields)}));")
            else:
                lines.append(f"{indent}    {place} = "
                             f"{self.value_of(field_kind, name, has_pointer)};")
            for depth in range(len(indices)):
                lines.append("    " * (len(indices) + 1 - depth) + "}")
            lines.append("    }")
        if not any(re.search(r"\ball\b", line) for line in lines[1:]):
            lines.insert(1, "    (void)all; // each field is needed")
        lines.append("}\n")
        return lines

    def write_note(self, kind):
        """note_<type>: adds all fields but arrays to the hash of what calls return."""
        lines = [f"static void note_{kind}(hostile *h, const {kind} *value) {{"]
        for field_kind, name, suffix in self.structs[kind]:
            if ("*" in field_kind and field_kind != "void *") or field_kind in CALLBACKS:
                continue
            is_struct = field_kind in self.structs and not self.is_handle(field_kind)
            if is_struct and suffix:
                size = "*".join(re.findall(r"\[(\w+)\]", suffix))
                lines.append(f"    for (uint32_t i = 0; i < (uint32_t)({size}); ++i) {{")
                lines.append(f"        note_{field_kind}(h, (const {field_kind} *)value->{name} + i);")
                lines.append("    }")
            elif is_struct:
                lines.append(f"    note_{field_kind}(h, &value->{name});")
            else:
                lines.append(f"    hostile_note(h, &value->{name}, sizeof value->{name});")
        lines.append("}\n")
        return lines

    def is_noted(self, returned):
        return returned == "void *" or ("*" not in returned and returned != "void")

    def order_structs(self, wanted):
        order = []

        def visit(kind):
            if kind in order or kind not in self.structs or self.is_handle(kind):
                return
            for field_kind, _, _ in self.structs[kind]:
                visit(field_kind)
            order.append(kind)

        for kind in sorted(wanted):
            visit(kind)
        return order

    def write_argument(self, function, kind, name, suffix, index, has_pointer, has_count,
                       has_lists):
        """The lines that make an argument, and the expression that passes it."""
        local = f"a{index}"
        if kind in ("tn_world *", "const tn_world *"):
            return [], "hostile_world(h)"
        if kind in ("tn_graph *", "const tn_graph *"):
            return [], "hostile_graph(h)"
        if kind in ("tn_tree *", "const tn_tree *"):
            return [], "hostile_tree(h)"
        if kind in ("tn_hull *", "const tn_hull *"):
            return [], "hostile_hull(h)"
        if kind in ("tn_mesh *", "const tn_mesh *"):
            return [], "hostile_mesh(h)"
        if kind in ("tn_compound *", "const tn_compound *"):
            return [], "hostile_compound(h)"
        if kind in ("tn_height_field *", "const tn_height_field *"):
            return [], "hostile_height_field(h)"
        if kind == "void *":
            sets = function.endswith("_set_user_data")  # which is for no callback
            return [], "hostile_user_data(h)" if sets else "hostile_context(h)"
        pointed = kind.replace("const ", "").rstrip(" *")
        is_struct = pointed in self.structs and not self.is_handle(pointed) and not suffix
        if is_struct and "*" in kind and kind.startswith("const") and not has_count:
            lines = [f"    {pointed} {local};", f"    memset(&{local}, 0, sizeof {local});"]
            if pointed in self.defaults:
                lines.append(f"    {local} = {pointed}_default();")
                lines.append(f"    set_{pointed}(h, &{local}, hostile_chance(h, 50));")
            else:
                lines.append(f"    set_{pointed}(h, &{local}, true);")
            return lines, f"hostile_chance(h, 100) ? NULL : &{local}"
        if "*" in kind:
            each = NUMBERS_EACH.get(name, 1)
            size = "HOSTILE_ARRAY" if each == 1 else f"{each} * HOSTILE_ARRAY"
            if has_lists and name == "out_hits":  # so many for each that is counted
                size = "HOSTILE_ARRAY * HOSTILE_ARRAY"
            lines = [f"    {pointed} {local}[{size}];",
                     f"    memset({local}, 0, sizeof {local});"]
            if kind.startswith("const"):
                fill = (f"set_{pointed}(h, &{local}[i], true)" if is_struct
                        else f"{local}[i] = {self.value_of(pointed, name, True)}")
                lines.append("    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {")
                lines.append(f"        {fill};")
                lines.append("    }")
            elif pointed == "tn_character":
                lines.append(f"    {local}[0] = tn_character_make("
                             "tn_sphere_probe_make(hostile_vector(h), 0.5f));")
            elif pointed == "tn_ray_wheel":
                lines.append("    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {")
                lines.append(f"        {local}[i] = tn_ray_wheel_make(hostile_vector(h));")
                lines.append(f"        set_tn_ray_wheel(h, &{local}[i], false);")
                lines.append("    }")
            elif pointed.endswith("_def"):
                lines.append(f"    {local}[0] = {pointed}_default();")
            return lines, f"hostile_chance(h, 100) ? NULL : {local}"
        if kind in self.structs and not self.is_handle(kind):
            lines = [f"    {kind} {local};", f"    memset(&{local}, 0, sizeof {local});",
                     f"    set_{kind}(h, &{local}, hostile_chance(h, 2));"]
            return lines, local
        return [], self.value_of(kind, name, has_pointer, True, function)

    def write_function(self, returned, name, arguments):
        has_pointer = any("*" in kind and not re.search(r"tn_(world|graph|tree|hull|mesh|compound|height_field) ", kind)
                          for kind, _, _ in arguments)
        has_count = any(re.search(r"count|capacity", argument) for _, argument, _ in arguments)
        has_lists = {"count", "capacity"} <= {argument for _, argument, _ in arguments}
        lines = [f"static void call_{name}(hostile *h) {{", "    (void)h;"]
        passed = []
        for index, (kind, argument, suffix) in enumerate(arguments):
            more, expression = self.write_argument(name, kind, argument, suffix, index,
                                                   has_pointer, has_count, has_lists)
            lines += more
            # Evaluated in order, so that a seed gives the same call from every compiler.
            if expression != f"a{index}":
                space = "" if kind.endswith("*") else " "
                lines.append(f"    {kind}{space}p{index} = {expression};")
                expression = f"p{index}"
            passed.append(expression)
        call = f"{name}({', '.join(passed)})"
        lines.append("    hostile_begin_call(h);")
        if self.is_handle(returned):
            lines.append(f"    {returned} made = {call};")
            lines.append("    hostile_end_call(h);")
            lines.append(f"    hostile_keep(h, HOSTILE_{returned[3:].upper()}, "
                         f"{self.get_family(name)}, made.value);")
        elif self.is_noted(returned):
            lines.append(f"    {returned} result = {call};")
            lines.append("    hostile_end_call(h);")
            lines.append(f"    note_{returned}(h, &result);" if returned in self.structs
                         else "    hostile_note(h, &result, sizeof result);")
        else:
            lines.append(f"    {'' if returned == 'void' else '(void)'}{call};")
            lines.append("    hostile_end_call(h);")
        lines.append("}\n")
        return lines

    def get_weight(self, returned, name):
        if name == "tn_world_step":
            return 120
        if name in ("tn_body_create",):
            return 60
        if name in PICKY:
            return 20
        if self.is_handle(returned) and returned != "tn_node":
            return 12
        if "destroy" in name:
            return 1
        return 2

    def write(self):
        wanted = {"tn_world_def", "tn_hull_def", "tn_mesh_def", "tn_height_field_def",
                  "tn_compound_child"}
        functions = [f for f in self.functions if f[1] not in BY_HAND]
        for _, _, arguments in functions:
            for kind, _, _ in arguments:
                if kind.startswith("const") or "*" not in kind:  # the others are written to
                    wanted.add(kind.replace("const ", "").rstrip(" *"))
        lines = ["// Written by tests/hostile/write_calls.py from the public headers.", ""]
        kinds = self.order_structs(wanted)
        for kind in kinds:
            if any("*" in f[0] and f[0] not in CALLBACKS and f[0] != "void *"
                   and f[0] not in POINTERS
                   for f in self.structs[kind]):
                continue  # filled by the library alone
            lines += self.write_struct(kind)
        returned_kinds = {f[0] for f in functions if self.is_noted(f[0])}
        for kind in self.order_structs(returned_kinds):
            lines += self.write_note(kind)
        for returned, name, arguments in functions:
            lines += self.write_function(returned, name, arguments)
        lines.append("static const hostile_function hostile_functions[] = {")
        for returned, name, arguments in functions:
            makes = self.is_handle(returned) and name.endswith("_create")
            sets = (not makes and name not in NO_SETTERS and arguments[:1] != [] and
                    arguments[0][0] == "tn_world *")
            reads = (self.is_noted(returned) and name not in NO_GETTERS and not sets and
                     arguments[:1] != [] and arguments[0][0].endswith("tn_world *") and
                     not any("*" in kind for kind, _, _ in arguments[1:]) and not makes and
                     name not in NO_SETTERS)
            flags = ", ".join(str(flag).lower() for flag in (makes, sets, reads))
            lines.append(f'    {{"{name}", call_{name}, {self.get_weight(returned, name)}, '
                         f'{flags}}},')
        lines.append("};")
        return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    structs, enums, functions = parse(read_headers(sys.argv[1]))
    declared = {name for _, name, _ in functions}
    check_by_hand(declared)
    for name in sorted((NO_SETTERS | NO_GETTERS) - declared):
        sys.exit(f"no header declares {name}")
    Path(sys.argv[2]).write_text(Writer(structs, enums, functions).write())


if __name__ == "__main__":
    main()
