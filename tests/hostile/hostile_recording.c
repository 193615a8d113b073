// tests/hostile/hostile_recording.c: records worlds, and replays what was recorded of them: whole,
// cut or changed.
#include "hostile.h"

#include <stdlib.h>
#include <string.h>

#define RECORDING_CAPACITY (1u << 20)

// It ends by itself when it is long, and now and then.
static bool recording_take(const void *bytes, uint64_t size, void *user_data) {
    hostile_place *place = user_data;
    hostile_call_back(place);
    if (place->recorded == NULL || hostile_chance(place->h, 200) ||
        size > RECORDING_CAPACITY - place->recorded_size) {
        return false;
    }
    memcpy(place->recorded + place->recorded_size, bytes, (size_t)size);
    place->recorded_size += size;
    return true;
}

static void recording_start(hostile *h, hostile_place *place) {
    tn_record_stop(place->world); // before its bytes go
    free(place->recorded);
    place->recorded = malloc(RECORDING_CAPACITY);
    place->recorded_size = 0;
    tn_record_def def = tn_record_def_default();
    def.write = hostile_chance(h, h->malice) ? NULL : recording_take;
    def.user_data = place;
    def.key_interval = hostile_chance(h, h->malice) ? 0 : 1 + hostile_below(h, 20);
    def.has_motions = hostile_bool(h);
    def.note = hostile_chance(h, 2) ? NULL : "hostile";
    tn_result result = tn_record_start(place->world, &def);
    h->is_wrong |= tn_record_is_active(place->world) != (result == TN_RESULT_OK);
}

static void recording_replay(hostile *h, hostile_place *place) {
    const hostile_place *from = &h->places[hostile_below(h, HOSTILE_WORLDS)];
    tn_replay_stop(place->world); // before its bytes go
    free(place->replayed);
    place->replayed = from->recorded_size > 0 ? malloc((size_t)from->recorded_size) : NULL;
    if (place->replayed == NULL) {
        return;
    }
    memcpy(place->replayed, from->recorded, (size_t)from->recorded_size);
    uint64_t size = from->recorded_size;
    uint64_t given = hostile_chance(h, 4) ? hostile_below(h, (uint32_t)size) : size;
    bool is_changed = hostile_chance(h, 4);
    if (is_changed) {
        place->replayed[hostile_below(h, (uint32_t)size)] ^=
            (unsigned char)(1 + hostile_below(h, 255));
    }
    tn_recording_info info;
    tn_result read = tn_recording_get_info(place->replayed, given, &info);
    tn_result result = tn_replay_start(place->world, place->replayed, given);
    bool is_whole = !is_changed && given == size;
    h->is_wrong |= result == TN_RESULT_OK && read != TN_RESULT_OK;
    h->is_wrong |= is_whole && read != TN_RESULT_OK;
    h->is_wrong |= read == TN_RESULT_OK && !is_whole && !info.is_cut;
    h->is_wrong |= result == TN_RESULT_OK && tn_replay_count_steps(place->world) != info.step_count;
    for (uint32_t i = 0; i < 8 && result == TN_RESULT_OK; ++i) {
        result = hostile_chance(h, 4)
                     ? tn_replay_seek(place->world, hostile_below(h, (uint32_t)info.step_count + 1))
                     : tn_replay_step(place->world);
    }
}

void hostile_record(hostile *h) {
    hostile_place *place = &h->places[h->at];
    if (hostile_chance(h, 2)) {
        recording_start(h, place);
    } else {
        recording_replay(h, place);
    }
}

void hostile_forget_recordings(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_WORLDS; ++i) {
        free(h->places[i].recorded);
        free(h->places[i].replayed);
    }
}
