// tools/tenon/record_event.c: the events of a step as lines of CSV: begin, end, hit, break, sleep,
// wake.
#include "tools/tenon/record.h"

static void record_write_head(FILE *file, double time, const char *kind, const char *a,
                              const char *b) {
    fprintf(file, "%.17g,%s,", time, kind);
    record_write_text(file, a);
    fputc(',', file);
    record_write_text(file, b);
}

static const char *record_get_shape_name(const run_subject *subject, tn_shape_id shape) {
    if (!tn_shape_is_valid(subject->world, shape)) {
        return "?";
    }
    return subject_get_body_name(subject, tn_shape_get_body(subject->world, shape));
}

static void record_write_contacts(FILE *file, const run_subject *subject, double time,
                                  const char *kind, const tn_contact_event *events,
                                  uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        record_write_head(file, time, kind, record_get_shape_name(subject, events[i].shape_a),
                          record_get_shape_name(subject, events[i].shape_b));
        fputs(",,,,,,,,\n", file);
    }
}

// At the moment of the hit, within the step that begins at `start`.
static void record_write_hit(FILE *file, const run_subject *subject, double start,
                             const tn_hit_event *hit) {
    record_write_head(file, start + (double)hit->time, "hit",
                      record_get_shape_name(subject, hit->shape_a),
                      record_get_shape_name(subject, hit->shape_b));
    fprintf(file, ",%.17g,%.17g,%.17g,%.9g,%.9g,%.9g,%.9g,%.9g\n", hit->point.x, hit->point.y,
            hit->point.z, hit->normal.x, hit->normal.y, hit->normal.z, (double)hit->speed,
            (double)hit->impulse);
}

void record_write_events(FILE *file, const run_subject *subject, double start, double time) {
    tn_events events = tn_world_get_events(subject->world);
    record_write_contacts(file, subject, time, "begin", events.begins, events.begin_count);
    record_write_contacts(file, subject, time, "end", events.ends, events.end_count);
    for (uint32_t i = 0; i < events.hit_count; i++) {
        record_write_hit(file, subject, start, &events.hits[i]);
    }
    for (uint32_t i = 0; i < events.joint_break_count; i++) {
        const tn_joint_break_event *event = &events.joint_breaks[i];
        record_write_head(file, time, "break", subject_get_joint_name(subject, event->joint),
                          subject_get_body_name(subject, event->body_b));
        fputs(",,,,,,,,\n", file);
    }
    for (uint32_t i = 0; i < events.sleep_count; i++) {
        const tn_sleep_event *event = &events.sleeps[i];
        record_write_head(file, time, event->is_awake ? "wake" : "sleep",
                          subject_get_body_name(subject, event->body), "");
        fputs(",,,,,,,,\n", file);
    }
}
