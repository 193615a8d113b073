// bench/peers/mujoco_scene.h: a model in MuJoCo's XML.
#ifndef BENCH_PEERS_MUJOCO_SCENE_H
#define BENCH_PEERS_MUJOCO_SCENE_H

#include "bench/model.h"

#include <string>
#include <vector>

struct MujocoScene {
    std::string xml;              // body i is called "b<i>", its joint "j<i>"
    std::vector<uint8_t> is_free; // by body: has all six degrees of freedom
};

// False when the model holds something that MuJoCo has no equal of.
bool mujoco_write_scene(const bench_model &model, double dt, MujocoScene &out_scene);

#endif
