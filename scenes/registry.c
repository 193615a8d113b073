// scenes/registry.c: the list of all scenes, by theme.
#include "scenes/registry.h"

static const scene *const registry_scenes[] = {
    // Machines.
    &scene_trebuchet,
    &scene_catapult,
    &scene_piston,
    &scene_piston_stop,
    &scene_slider_crank,
    &scene_inline_four,
    &scene_radial_engine,
    &scene_four_bar,
    &scene_walker,
    &scene_excavator,
    &scene_crane,
    &scene_scissor_lift,
    &scene_atwood,
    &scene_cardan,
    &scene_planetary_gear,
    &scene_rack_jack,
    &scene_screw_press,
    &scene_hoist,
    &scene_cam,
    &scene_winch,
    &scene_clock,
    &scene_door,
    &scene_door_bolt,
    &scene_air_hockey,
    &scene_hand,
    &scene_drawing,
    &scene_car,
    &scene_shake_table,
    &scene_barrier,

    // Stacks.
    &scene_pyramid,
    &scene_tower,
    &scene_wall,
    &scene_card_house,
    &scene_arch,
    &scene_dominoes,
    &scene_top_heavy_stack,
    &scene_pile,
    &scene_heap,
    &scene_resting,
    &scene_washer,
    &scene_junkyard,

    // Pendulums, chains and ropes.
    &scene_bead,
    &scene_coaster,
    &scene_kept_volume,
    &scene_tackle,
    &scene_capstan,
    &scene_belt_drive,
    &scene_optical_table,
    &scene_hyperbola,
    &scene_roller_coaster,
    &scene_torus,
    &scene_kapitza,
    &scene_pendulum,
    &scene_double_pendulum,
    &scene_pendulum_wave,
    &scene_newtons_cradle,
    &scene_chain,
    &scene_rope,
    &scene_bead_rope,
    &scene_net,
    &scene_joint_grid,
    &scene_lattice,
    &scene_bridge,

    // Figures, and things that fall, break and spin.
    &scene_arm,
    &scene_ragdoll,
    &scene_ragdolls,
    &scene_rain,
    &scene_house,
    &scene_bowl,
    &scene_heavy_top,
    &scene_t_handle,
};

const scene *const *scene_get_all(uint32_t *out_count) {
    *out_count = (uint32_t)(sizeof registry_scenes / sizeof registry_scenes[0]);
    return registry_scenes;
}
