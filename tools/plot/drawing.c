// tools/plot/drawing.c: adds bodies, joints and contacts of a world to the sheet.
#include "tools/plot/drawing_sheet.h"

#include <math.h>
#include <stdlib.h>

#define DRAWING_MAX_ANCHORS 64  // of joints on one body
#define DRAWING_FEW_BODIES  12  // up to here every body has a color of its own
#define DRAWING_MIN_KINDS   3   // with fewer kinds of bodies, a crowd is colored body by body
#define DRAWING_MANY_PINS   40  // more are drawn small
#define DRAWING_MANY_JOINTS 600 // more would hide what they hold together, but for threads
#define DRAWING_CAM_SIDES   120 // of a profile
#define DRAWING_PI          3.14159265358979323846

// A rod and a rope are lines, which hide nothing.
static bool drawing_is_thread(tn_joint_type type) {
    return type == TN_JOINT_TYPE_DISTANCE || type == TN_JOINT_TYPE_PULLEY ||
           type == TN_JOINT_TYPE_ROPE;
}

// A body without shapes is drawn as the links from its centre to the anchors of its joints.
static void drawing_add_links(drawing_sheet *sheet, const drawing_brush *brush,
                              const tn_world *world, tn_body_id body) {
    tn_joint_id joints[DRAWING_MAX_ANCHORS];
    uint32_t count = tn_body_get_joints(world, body, joints, DRAWING_MAX_ANCHORS);
    count = count < DRAWING_MAX_ANCHORS ? count : DRAWING_MAX_ANCHORS;
    svg_point center = drawing_project(sheet, tn_body_get_center(world, body));
    svg_style line = {.stroke = drawing_fade(brush->color, brush->fade), .stroke_width = 3.5};
    for (uint32_t i = 0; i < count; i++) {
        if (drawing_is_thread(tn_joint_get_type(world, joints[i]))) {
            continue; // it draws itself
        }
        tn_joint_def def = tn_joint_get_def(world, joints[i]);
        bool is_a = def.body_a.value == body.value;
        tn_pose frame = drawing_joint_frame(world, body, is_a ? &def.frame_a : &def.frame_b);
        svg_point link[2] = {center, drawing_project(sheet, frame.position)};
        drawing_add_shape(sheet, brush, DRAWING_KIND_POLYLINE, link, 2, line);
    }
    svg_style dot = {.fill = line.stroke};
    drawing_item *item = drawing_add_shape(sheet, brush, DRAWING_KIND_MARK, &center, 1, dot);
    if (item != NULL) {
        item->radius = 4.0;
    }
}

// The kinds of bodies that move, in the order in which they come: by their shape and mass.
typedef struct drawing_kinds {
    uint32_t count;
    tn_shape_type types[SVG_PALETTE_SIZE];
    double masses[SVG_PALETTE_SIZE];
} drawing_kinds;

// The index of a body's kind, which is added when it is new; SVG_PALETTE_SIZE when there are too
// many.
static uint32_t drawing_find_kind(drawing_kinds *kinds, const tn_world *world, tn_body_id body) {
    tn_shape_id shape;
    bool has_shape = tn_body_get_shapes(world, body, &shape, 1) > 0;
    tn_shape_type type = has_shape ? tn_shape_get_type(world, shape) : TN_SHAPE_TYPE_SPHERE;
    double mass = tn_body_get_mass(world, body).mass;
    uint32_t index = 0;
    while (index < kinds->count &&
           (kinds->types[index] != type || fabs(kinds->masses[index] - mass) > 1e-3 * mass)) {
        index += 1;
    }
    if (index == kinds->count && index < SVG_PALETTE_SIZE) {
        kinds->types[index] = type;
        kinds->masses[index] = mass;
        kinds->count += 1;
    }
    return index;
}

// Few bodies have a color each. Of many, each kind has one, in shades; where there are hardly any
// kinds, or too many, colors go round.
static uint32_t drawing_body_color(drawing_kinds *kinds, const tn_world *world, tn_body_id body,
                                   uint32_t index, bool is_by_kind) {
    if (!is_by_kind) {
        return svg_color_mix(svg_color_palette(index), DRAWING_PAPER,
                             0.1 * (double)(index / SVG_PALETTE_SIZE % 3));
    }
    uint32_t color = svg_color_palette(drawing_find_kind(kinds, world, body));
    return svg_color_mix(color, DRAWING_PAPER, 0.12 * (index % 3));
}

static bool drawing_goes_by_kind(const tn_world *world, const tn_body_id *bodies, uint32_t count,
                                 uint32_t moving) {
    drawing_kinds kinds = {0};
    bool fits = true;
    uint32_t particles = 0; // beads and knots, which are one thing together
    for (uint32_t i = 0; i < count; i++) {
        if (tn_body_get_type(world, bodies[i]) != TN_BODY_TYPE_STATIC) {
            fits = drawing_find_kind(&kinds, world, bodies[i]) < SVG_PALETTE_SIZE && fits;
            particles += tn_body_is_particle(world, bodies[i]);
        }
    }
    bool are_kinds = kinds.count >= DRAWING_MIN_KINDS || 2 * particles > moving;
    return moving > DRAWING_FEW_BODIES && fits && are_kinds;
}

static void drawing_add_body(drawing_sheet *sheet, const tn_world *world, tn_body_id body,
                             uint32_t color, double fade) {
    bool is_static = tn_body_get_type(world, body) == TN_BODY_TYPE_STATIC;
    drawing_brush brush = {.layer = is_static ? DRAWING_LAYER_STATIC : DRAWING_LAYER_BODY};
    brush.color = is_static ? DRAWING_STATIC : color;
    brush.fade = is_static ? 0.0 : fade;
    brush.box = is_static ? &sheet->still : &sheet->moving;
    brush.depth = drawing_get_depth(sheet, tn_body_get_center(world, body));
    uint32_t count = tn_body_get_shapes(world, body, NULL, 0);
    tn_shape_id *shapes = drawing_alloc_ids(count, sizeof *shapes);
    if (shapes == NULL) {
        sheet->failed = true;
        return;
    }
    tn_body_get_shapes(world, body, shapes, count);
    tn_pose pose = tn_body_get_pose(world, body);
    for (uint32_t i = count; i > 0; i--) { // the oldest first
        drawing_add_one_shape(sheet, &brush, world, &pose, shapes[i - 1]);
    }
    if (count == 0 && !is_static) {
        drawing_add_links(sheet, &brush, world, body);
    }
    free(shapes);
}

static void drawing_add_bodies(drawing_sheet *sheet, const tn_world *world, double fade) {
    uint32_t count = tn_world_count_bodies(world);
    tn_body_id *bodies = drawing_alloc_ids(count, sizeof *bodies);
    if (bodies == NULL) {
        sheet->failed = true;
        return;
    }
    tn_world_get_bodies(world, bodies, count);
    uint32_t moving = 0;
    for (uint32_t i = 0; i < count; i++) {
        moving += tn_body_get_type(world, bodies[i]) != TN_BODY_TYPE_STATIC;
    }
    bool is_by_kind = drawing_goes_by_kind(world, bodies, count, moving);
    drawing_kinds kinds = {0};
    uint32_t index = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (tn_body_get_type(world, bodies[i]) == TN_BODY_TYPE_STATIC) {
            if (sheet->moment == 1) {
                drawing_add_body(sheet, world, bodies[i], 0, 0.0);
            }
            continue;
        }
        uint32_t color = drawing_body_color(&kinds, world, bodies[i], index, is_by_kind);
        drawing_add_body(sheet, world, bodies[i], color, fade);
        index += 1;
    }
    free(bodies);
}

// A point in the plane of y and z of a frame.
static svg_point drawing_project_in_plane(const drawing_sheet *sheet, const tn_pose *frame,
                                          double radius, double angle) {
    tn_vec3 in_frame = {0.0, radius * cos(angle), radius * sin(angle)};
    return drawing_project(sheet, drawing_transform(frame, in_frame));
}

// The profile of a cam, and the roller of its follower.
static void drawing_add_cam(drawing_sheet *sheet, const tn_world *world, tn_joint_id joint,
                            const tn_pose *frame_a, const tn_pose *frame_b, svg_style stroke) {
    tn_cam_joint_def def = tn_cam_joint_get_def(world, joint);
    svg_point profile[DRAWING_CAM_SIDES + 1], roller[DRAWING_CAM_SIDES + 1];
    tn_pose about = *frame_a;
    about.position = frame_b->position;
    for (int i = 0; i <= DRAWING_CAM_SIDES; i++) {
        double angle = 2.0 * DRAWING_PI * i / DRAWING_CAM_SIDES;
        double radius = tn_cam_joint_get_radius(world, joint, angle);
        profile[i] = drawing_project_in_plane(sheet, frame_a, radius, angle);
        roller[i] = drawing_project_in_plane(sheet, &about, def.roller_radius, angle);
    }
    drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_POLYLINE, profile, DRAWING_CAM_SIDES + 1,
                stroke);
    if (def.follower == TN_CAM_FOLLOWER_ROLLER) {
        drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_POLYLINE, roller, DRAWING_CAM_SIDES + 1,
                    stroke);
    }
}

// A circle about the x axis of a frame.
static void drawing_add_circle(drawing_sheet *sheet, const tn_pose *frame, double radius,
                               svg_style stroke) {
    svg_point circle[DRAWING_CAM_SIDES + 1];
    for (int i = 0; i <= DRAWING_CAM_SIDES; i++) {
        double angle = 2.0 * DRAWING_PI * i / DRAWING_CAM_SIDES;
        circle[i] = drawing_project_in_plane(sheet, frame, radius, angle);
    }
    drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_POLYLINE, circle, DRAWING_CAM_SIDES + 1,
                stroke);
}

// Its strands touch both pulleys where the direction from their centres makes, with the line of
// centres, an angle whose cosine is (r_a - r_b) / d, crossed (r_a + r_b) / d.
static void drawing_add_belt(drawing_sheet *sheet, const tn_world *world, tn_joint_id joint,
                             const tn_pose *frame_a, const tn_pose *frame_b, svg_style stroke) {
    tn_belt_joint_def def = tn_belt_joint_get_def(world, joint);
    tn_vec3 y = drawing_transform(frame_a, (tn_vec3){0.0, 1.0, 0.0});
    tn_vec3 z = drawing_transform(frame_a, (tn_vec3){0.0, 0.0, 1.0});
    const tn_vec3 *from = &frame_a->position, *to = &frame_b->position;
    double line[3] = {to->x - from->x, to->y - from->y, to->z - from->z};
    double of_y = line[0] * (y.x - from->x) + line[1] * (y.y - from->y) + line[2] * (y.z - from->z);
    double of_z = line[0] * (z.x - from->x) + line[1] * (z.y - from->y) + line[2] * (z.z - from->z);
    double sign = def.is_crossed ? -1.0 : 1.0, toward = atan2(of_z, of_y);
    double open =
        acos(fmax(-1.0, fmin((def.radius_a - sign * def.radius_b) / hypot(of_y, of_z), 1.0)));
    tn_pose about_b = *frame_a;
    about_b.position = frame_b->position;
    for (int side = -1; side <= 1; side += 2) {
        double angle = toward + side * open;
        svg_point strand[2] = {
            drawing_project_in_plane(sheet, frame_a, def.radius_a, angle),
            drawing_project_in_plane(sheet, &about_b, sign * def.radius_b, angle)};
        drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_POLYLINE, strand, 2, stroke);
    }
    drawing_add_circle(sheet, frame_a, def.radius_a, stroke);
    drawing_add_circle(sheet, &about_b, def.radius_b, stroke);
}

// Through its points.
static void drawing_add_curve(drawing_sheet *sheet, const tn_world *world, tn_joint_id joint,
                              const tn_pose *frame, svg_style stroke) {
    tn_curve_joint_def def = tn_curve_joint_get_def(world, joint);
    size_t count = def.point_count + (def.is_closed ? 1u : 0u);
    svg_point *line = malloc(count * sizeof *line);
    if (line == NULL) {
        sheet->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        tn_vec3 at = def.points[i % def.point_count];
        line[i] = drawing_project(sheet, drawing_transform(frame, at));
        drawing_box_include(&sheet->moving, line[i], 0.0);
    }
    drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_POLYLINE, line, count, stroke);
    free(line);
}

// A particle is its own mark.
static bool drawing_is_point(const tn_world *world, tn_body_id body) {
    return body.value != 0 && tn_body_is_particle(world, body);
}

// A dot where frame b is; a thin line where there is a way between the frames.
static void drawing_add_joint(drawing_sheet *sheet, const tn_world *world, tn_joint_id joint,
                              double fade) {
    tn_joint_def def = tn_joint_get_def(world, joint);
    tn_pose frame_a = drawing_joint_frame(world, def.body_a, &def.frame_a);
    tn_pose frame_b = drawing_joint_frame(world, def.body_b, &def.frame_b);
    svg_point line[2] = {drawing_project(sheet, frame_a.position),
                         drawing_project(sheet, frame_b.position)};
    svg_style stroke = {.stroke = drawing_fade(DRAWING_INK, fade), .stroke_width = 1.1};
    svg_style dot = drawing_get_dot(stroke);
    tn_joint_type type = tn_joint_get_type(world, joint);
    if (type == TN_JOINT_TYPE_PULLEY) {
        drawing_add_pulley(sheet, world, joint, line, stroke);
        return;
    }
    if (type == TN_JOINT_TYPE_ROPE) {
        drawing_add_rope(sheet, world, joint, stroke);
        return;
    }
    if (type == TN_JOINT_TYPE_CAM) {
        drawing_add_cam(sheet, world, joint, &frame_a, &frame_b, stroke);
    }
    if (type == TN_JOINT_TYPE_BELT && fade <= 0.0) { // at the last moment
        drawing_add_belt(sheet, world, joint, &frame_a, &frame_b, stroke);
    }
    if (type == TN_JOINT_TYPE_CURVE && (def.body_a.value != 0 || sheet->moment == 1)) {
        drawing_add_curve(sheet, world, joint, &frame_a, stroke);
    }
    bool slides = type == TN_JOINT_TYPE_SLIDER || type == TN_JOINT_TYPE_CYLINDRICAL ||
                  type == TN_JOINT_TYPE_PLANAR;
    if (type == TN_JOINT_TYPE_DISTANCE || slides) {
        double depth = 0.5 * (drawing_get_depth(sheet, frame_a.position) +
                              drawing_get_depth(sheet, frame_b.position));
        stroke.dash = slides ? 3.0 : 0.0;
        drawing_add_thread(sheet, line, 2, depth, stroke);
        if (!drawing_is_point(world, def.body_a)) {
            drawing_add_mark(sheet, line[0], 1.8, dot);
        }
    }
    bool is_pin = type == TN_JOINT_TYPE_HINGE && drawing_is_end_on(sheet, &frame_b) &&
                  tn_world_count_joints(world) <= DRAWING_MANY_PINS;
    if (!drawing_is_point(world, def.body_b)) {
        drawing_add_mark(sheet, line[1], type == TN_JOINT_TYPE_DISTANCE ? 1.8 : 2.4, dot);
    }
    if (is_pin) {
        drawing_add_mark(sheet, line[1], 3.6, dot);
        drawing_add_mark(sheet, line[1], 1.0, stroke);
    }
}

static void drawing_add_joints(drawing_sheet *sheet, const tn_world *world, double fade) {
    uint32_t count = tn_world_count_joints(world);
    tn_joint_id *joints = drawing_alloc_ids(count, sizeof *joints);
    if (joints == NULL) {
        sheet->failed = true;
        return;
    }
    tn_world_get_joints(world, joints, count);
    for (uint32_t i = 0; i < count; i++) {
        if (count <= DRAWING_MANY_JOINTS ||
            drawing_is_thread(tn_joint_get_type(world, joints[i]))) {
            drawing_add_joint(sheet, world, joints[i], fade);
        }
    }
    if (sheet->moment == 1) {
        drawing_add_bearings(sheet, world, joints, count);
    }
    free(joints);
}

static void drawing_add_contacts(drawing_sheet *sheet, const tn_world *world) {
    uint32_t count = tn_world_count_contacts(world);
    tn_contact_id *contacts = drawing_alloc_ids(count, sizeof *contacts);
    if (contacts == NULL) {
        sheet->failed = true;
        return;
    }
    tn_world_get_contacts(world, contacts, count);
    svg_style style = {.fill = 0xc0392bffu};
    for (uint32_t i = 0; i < count; i++) {
        tn_contact contact = tn_contact_get(world, contacts[i]);
        for (uint32_t k = 0; k < contact.point_count; k++) {
            svg_point at = drawing_project(sheet, contact.points[k].position);
            drawing_add_mark(sheet, at, 2.0, style);
        }
    }
    free(contacts);
}

void drawing_add_world(drawing_sheet *sheet, const tn_world *world, double fade) {
    if (sheet == NULL || world == NULL) {
        return;
    }
    if (!sheet->has_view) {
        drawing_set_view(sheet, world);
    }
    sheet->moment += 1;
    sheet->fade = fade;
    if (sheet->moment == 1) {
        drawing_add_water(sheet, world);
    }
    drawing_add_bodies(sheet, world, fade);
    if (sheet->options.joints) {
        drawing_add_joints(sheet, world, fade);
        drawing_add_springs(sheet, world);
    }
    if (sheet->options.contacts) {
        drawing_add_contacts(sheet, world);
    }
}
