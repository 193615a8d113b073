// scenes/registry.h: the records of all scenes, one per file.
#ifndef SCENES_REGISTRY_H
#define SCENES_REGISTRY_H

#include "scenes/scene.h"

extern const scene scene_air_hockey;
extern const scene scene_arch;
extern const scene scene_arm;
extern const scene scene_atwood;
extern const scene scene_barrier;
extern const scene scene_bead;
extern const scene scene_bead_rope;
extern const scene scene_bowl;
extern const scene scene_bridge;
extern const scene scene_cam;
extern const scene scene_car;
extern const scene scene_card_house;
extern const scene scene_cardan;
extern const scene scene_catapult;
extern const scene scene_chain;
extern const scene scene_clock;
extern const scene scene_coaster;
extern const scene scene_roller_coaster;
extern const scene scene_torus;
extern const scene scene_kapitza;
extern const scene scene_magnets;
extern const scene scene_raft;
extern const scene scene_skyscraper;
extern const scene scene_crane;
extern const scene scene_dominoes;
extern const scene scene_door;
extern const scene scene_door_bolt;
extern const scene scene_hand;
extern const scene scene_drawing;
extern const scene scene_snap;
extern const scene scene_double_pendulum;
extern const scene scene_excavator;
extern const scene scene_four_bar;
extern const scene scene_heap;
extern const scene scene_heavy_top;
extern const scene scene_hoist;
extern const scene scene_house;
extern const scene scene_hybrid_crank;
extern const scene scene_hyperbola;
extern const scene scene_inline_four;
extern const scene scene_joint_grid;
extern const scene scene_junkyard;
extern const scene scene_lagrangian_pendulum;
extern const scene scene_lattice;
extern const scene scene_kept_volume;
extern const scene scene_tackle;
extern const scene scene_capstan;
extern const scene scene_belt_drive;
extern const scene scene_net;
extern const scene scene_tinkertoys;
extern const scene scene_newtons_cradle;
extern const scene scene_optical_table;
extern const scene scene_pendulum;
extern const scene scene_pendulum_wave;
extern const scene scene_pile;
extern const scene scene_piston;
extern const scene scene_piston_stop;
extern const scene scene_planetary_gear;
extern const scene scene_pyramid;
extern const scene scene_rack_jack;
extern const scene scene_radial_engine;
extern const scene scene_ragdoll;
extern const scene scene_ragdolls;
extern const scene scene_rain;
extern const scene scene_resting;
extern const scene scene_rope;
extern const scene scene_screw_press;
extern const scene scene_scissor_lift;
extern const scene scene_shake_table;
extern const scene scene_slider_crank;
extern const scene scene_t_handle;
extern const scene scene_top_heavy_stack;
extern const scene scene_tower;
extern const scene scene_trebuchet;
extern const scene scene_walker;
extern const scene scene_wall;
extern const scene scene_washer;
extern const scene scene_winch;

#endif
