// tools/tenon/record.c: the CSV of the bodies, and the other files of a run opened and closed.
//
// Numbers have 17 significant digits, with which a double is read back as it was.
#include "tools/tenon/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *record_open_file(const char *path, char *error) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s: cannot be written: %s", path, strerror(errno));
    }
    return file;
}

void record_write_text(FILE *file, const char *text) {
    if (strpbrk(text, ",\"\n") == NULL) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"') {
            fputc('"', file);
        }
        fputc(*c, file);
    }
    fputc('"', file);
}

static void record_write_bodies(FILE *file, const run_subject *subject, double time) {
    const tn_world *world = subject->world;
    for (uint32_t i = 0; i < subject->body_count; i++) {
        const subject_body *body = &subject->bodies[i];
        if (body->is_static || !tn_body_is_valid(world, body->id)) {
            continue;
        }
        tn_vec3 p = tn_body_get_center(world, body->id);
        tn_pose pose = tn_body_get_pose(world, body->id);
        tn_velocity v = tn_body_get_velocity(world, body->id);
        const double values[13] = {p.x,
                                   p.y,
                                   p.z,
                                   pose.rotation.x,
                                   pose.rotation.y,
                                   pose.rotation.z,
                                   pose.rotation.w,
                                   v.linear.x,
                                   v.linear.y,
                                   v.linear.z,
                                   v.angular.x,
                                   v.angular.y,
                                   v.angular.z};
        fprintf(file, "%.17g,", time);
        record_write_text(file, body->name);
        for (uint32_t k = 0; k < 13; k++) {
            fprintf(file, ",%.17g", values[k]);
        }
        fputc('\n', file);
    }
}

// The moment of a release has rows of its own: velocities turn there, and a reader who interpolates
// between steps would miss it.
static void record_release(double time, void *user_data) {
    const run_record *files = user_data;
    const case_model *model = files->subject->model->model;
    if (files->csv != NULL) {
        record_write_bodies(files->csv, files->subject, time);
    }
    if (files->events != NULL) {
        fprintf(files->events, "%.17g,release,", time);
        record_write_text(files->events, model->joints[model->release.joint].name);
        fputs(",,,,,,,,,\n", files->events);
    }
}

bool record_open(run_record *files, const run_options *options, run_subject *subject, char *error) {
    memset(files, 0, sizeof *files);
    files->subject = subject;
    if (subject->model != NULL) {
        subject->model->on_release = record_release;
        subject->model->user_data = files;
    }
    if (options->csv != NULL) {
        files->csv = record_open_file(options->csv, error);
        if (files->csv == NULL) {
            return false;
        }
        fputs("t,body,px,py,pz,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz\n", files->csv);
    }
    if (options->events != NULL) {
        files->events = record_open_file(options->events, error);
        if (files->events == NULL) {
            return false;
        }
        fputs("t,kind,a,b,px,py,pz,nx,ny,nz,speed,impulse\n", files->events);
    }
    if (options->outputs != NULL) {
        FILE *file = record_open_file(options->outputs, error);
        if (file == NULL) {
            return false;
        }
        files->outputs = output_record_create(file, subject);
        if (files->outputs == NULL) {
            fclose(file);
            snprintf(error, OPTIONS_ERROR_SIZE, "not enough memory");
            return false;
        }
    }
    return true;
}

void record_step(run_record *files, run_subject *subject, double time, bool is_sample) {
    if (files->csv != NULL && is_sample) {
        record_write_bodies(files->csv, subject, time);
    }
    if (files->outputs != NULL) {
        output_record_step(files->outputs, subject, time, is_sample);
    }
    if (files->events != NULL) {
        record_write_events(files->events, subject, files->time, time);
    }
    files->time = time;
}

static bool record_close_file(FILE *file) {
    if (file == NULL) {
        return true;
    }
    bool is_whole = ferror(file) == 0;
    return fclose(file) == 0 && is_whole;
}

bool record_close(run_record *files, run_subject *subject, double dt, uint32_t substeps) {
    bool is_whole = true;
    if (subject->model != NULL) {
        subject->model->on_release = NULL;
    }
    if (files->outputs != NULL) {
        if (output_record_is_pending(files->outputs) &&
            subject_step(subject, dt, substeps) == TN_RESULT_OK) {
            output_record_step(files->outputs, subject, 0.0, false);
        }
        is_whole = output_record_destroy(files->outputs);
    }
    is_whole = record_close_file(files->csv) && is_whole;
    is_whole = record_close_file(files->events) && is_whole;
    memset(files, 0, sizeof *files);
    return is_whole;
}
