# How far each source file is optimised. Few files take nearly all the time of a step: they are
# compiled as the build type says, and the rest for size. The library is two thirds as large for it
# and builds in half the time, and a step takes 0 to 5 % more instructions. The lists were found by
# counting, for each file, the instructions that speed saves in fifteen scenes per byte of code
# (callgrind with --dump-instr, and the linker's map). A new file whose loops a step runs belongs here.
#
# Of the inner loops that are compiled twice (tenon_wide.cmake) those for AVX2 alone are fast.

# Folders and files of src/ at the build type's level, with kernels inlined by force.
set(TENON_HOT
    core collision joints/parts
    joints/ball_joint joints/distance_joint joints/fixed_joint joints/graph_curvature
    joints/graph_value joints/hinge_joint joints/joint joints/joint_exact joints/pin
    joints/rope_joint joints/slider_joint joints/wheel_joint solver/affine solver/affine_motion
    solver/affine_shape solver/affine_strain solver/color_rests solver/conjugate_gradients
    solver/contact_follow solver/contact_group solver/contact_prepare solver/contact_prepare_wide
    solver/contact_sweep_wide solver/contact_work_wide solver/gradient_lanes
    solver/gradient_load_wide solver/gradient_passes_wide solver/gradients_run solver/integrate
    solver/integrate_free solver/integrate_wide solver/joint_angles solver/joint_block
    solver/joint_bounded solver/joint_group solver/joint_group_wide solver/joint_part
    solver/joint_round_wide solver/joint_store solver/joint_threads_wide solver/mechanism
    solver/mechanism_actor solver/mechanism_anchor solver/mechanism_block solver/mechanism_carry
    solver/mechanism_close solver/mechanism_force solver/mechanism_lanes_wide
    solver/mechanism_project solver/mechanism_reduce solver/mechanism_run solver/mechanism_stage
    solver/mechanism_sway solver/mechanism_system solver/mechanism_work solver/midpoint
    solver/reduced solver/rope_tension solver/rotate solver/rotate_wide solver/span_contact_arms
    solver/span_contact_net solver/span_contact_row solver/span_rope solver/stack_factor_wide
    solver/stack_matrix solver/stack_newton solver/stack_order solver/stack_rows solver/substep
    solver/touch solver/touch_pose solver/touch_row solver/touch_way solver/work world/affine
    world/body world/body_mass world/body_pose world/broad_phase world/contact world/contact_blows
    world/contact_order_colors world/contact_path world/contact_recycle world/events world/hash
    world/island world/joint world/joint_plan world/joint_reaction world/manifold_update
    world/mechanism_fill world/mechanism_groups world/mechanism_records world/pairs world/reduced
    world/shape_motion world/sleep world/stacks world/step_balance world/step_contacts
    world/step_gather world/step_gradients world/step_joints world/step_lost world/step_mechanisms
    world/step_net world/step_scatter world/step_span_contacts)
# The same, but the compiler chooses what it inlines: a third to two thirds as large, 0 to 3 % slower.
set(TENON_WARM
    solver/block_lanes_wide solver/block_ldl solver/gradient_start_wide
    solver/joint_angles_refresh_wide solver/joint_angles_wide solver/joint_block_wide solver/pin)
# WebAssembly is sent over a network: there the sweeps over contacts and the passes over bodies are
# fast, and the rest is as small as can be.
set(TENON_WEB_HOT
    collision/box_box collision/box_clip collision/clip collision/manifold collision/sat
    collision/tree solver/contact_follow solver/contact_group solver/contact_sweep_wide
    solver/contact_work_wide solver/integrate solver/integrate_free solver/integrate_wide
    solver/substep world/broad_phase world/contact_recycle world/manifold_update world/pairs
    world/step_contacts world/step_gather world/step_scatter)
# These are at -Os there: at -Oz clang 14 gives tni_mechanism_ask_for_lead other bits (its selection
# of instructions does, by -opt-bisect-limit).
set(TENON_WEB_CARE solver/mechanism_carry)
# Where a project has its own level, all files keep it: -O1 of tests, -Os of a small program.
set(TENON_IS_FAST 0)
if(NOT TENON_HAS_LEVEL)
    set(TENON_IS_FAST 1)
else()
    foreach(config IN ITEMS Release RelWithDebInfo)
        string(TOUPPER ${config} upper)
        if(CMAKE_C_FLAGS_${upper} MATCHES "-O[23]")
            string(APPEND TENON_IS_FAST ",$<CONFIG:${config}>")
        endif()
    endforeach()
    if(TENON_OPTIMISE)
        string(APPEND TENON_IS_FAST ",$<CONFIG:Debug>")
    endif()
endif()

# tenon_choose_levels(SOURCE...): files of src/.
function(tenon_choose_levels)
    set(is_web 0)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
        set(is_web 1)
    endif()
    # Of WebAssembly without SIMD clang makes small files in ten times the time.
    if(MSVC OR (is_web AND NOT CMAKE_C_FLAGS MATCHES "-msimd128"))
        return()
    endif()
    set(hot ${TENON_HOT})
    set(warm ${TENON_WARM})
    set(small -Os)
    set(careful "")
    if(is_web)
        set(hot ${TENON_WEB_HOT})
        set(warm "")
        set(small -Oz)
        set(careful ${TENON_WEB_CARE})
    endif()
    # gcc warns of what it would see to be set, had it inlined more.
    set(plain $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    foreach(source IN LISTS ARGN)
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src ${source})
        string(REGEX REPLACE "[.]c$" "" name ${name})
        get_filename_component(folder ${name} DIRECTORY)
        set(is_fast "$<OR:${TENON_IS_FAST}>")
        set(is_cold "${is_fast}")
        set(is_plain "${is_fast}")
        set(level ${small})
        if(name IN_LIST careful)
            set(level -Os)
        endif()
        if(name IN_LIST hot OR folder IN_LIST hot OR name IN_LIST warm)
            if(TENON_HAS_AVX2_TWINS AND name MATCHES "_wide$")
                set(is_cold "$<AND:${is_fast},$<NOT:$<BOOL:$<TARGET_PROPERTY:TENON_IS_AVX2>>>>")
            else()
                set(is_cold 0)
            endif()
            if(NOT name IN_LIST warm)
                set(is_plain "${is_cold}")
            endif()
        endif()
        set_source_files_properties(${source} PROPERTIES
            COMPILE_OPTIONS "$<${is_cold}:${level}>;$<${is_plain}:${plain}>"
            COMPILE_DEFINITIONS "$<${is_plain}:TENON_SMALL>")
    endforeach()
endfunction()
