# How far each source file is optimised. Few files take nearly all the time of a step: they are
# compiled as the build type says, and the rest for size. The library is two thirds as large for it
# and builds in half the time, and a step takes 0 to 5 % more instructions. The lists were found by
# counting, for each file, the instructions that speed saves in fifteen scenes per byte of code
# (callgrind with --dump-instr, and the linker's map). A new file whose loops a step runs belongs here.
#
# Of the inner loops that are compiled twice (tenon_wide.cmake) those for AVX2 alone are fast.

# Folders and files of src/ at the build type's level, with kernels inlined by force.
set(TENON_HOT
    collision collision/concave collision/manifold collision/path core core/memory
    joints/ball_joint joints/distance_joint joints/fixed_joint
    joints/functions/graph_curvature joints/functions/graph_value joints/functions/rope_joint
    joints/hinge_joint joints/joint joints/joint_exact joints/parts joints/paths/field
    joints/paths/spline joints/pin joints/slider_joint joints/transmissions/azimuth
    joints/transmissions/profile joints/wheel_joint solver/bodies/integrate
    solver/bodies/integrate_free solver/bodies/integrate_wide solver/bodies/rotate
    solver/bodies/rotate_wide solver/contacts/contact_follow solver/contacts/contact_group
    solver/contacts/contact_prepare solver/contacts/contact_prepare_wide
    solver/contacts/contact_sweep_wide solver/contacts/contact_work_wide solver/exact/mechanism
    solver/exact/mechanism_actor solver/exact/mechanism_anchor solver/exact/mechanism_block
    solver/exact/mechanism_carry solver/exact/mechanism_close solver/exact/mechanism_force
    solver/exact/mechanism_project solver/exact/mechanism_reduce
    solver/exact/mechanism_run solver/exact/mechanism_stage solver/exact/mechanism_sway
    solver/exact/mechanism_system solver/exact/mechanism_work solver/exact/midpoint
    solver/gradients/conjugate_gradients solver/gradients/gradient_lanes
    solver/gradients/gradient_load_wide solver/gradients/gradient_passes_wide
    solver/gradients/gradients_run solver/joints/joint_angles solver/joints/joint_block
    solver/joints/joint_bounded solver/joints/joint_foresee solver/joints/joint_group
    solver/joints/joint_group_wide solver/joints/joint_limits solver/joints/joint_part
    solver/joints/joint_store
    solver/joints/joint_threads_wide solver/movers/affine solver/movers/affine_motion
    solver/movers/affine_shape solver/movers/affine_strain solver/movers/reduced
    solver/movers/rope_tension solver/movers/span_contact_arms solver/movers/span_contact_net
    solver/movers/span_contact_row solver/movers/span_rope solver/rows/drive solver/stacks/stack_factor_wide
    solver/stacks/stack_matrix solver/stacks/stack_newton solver/stacks/stack_order
    solver/stacks/stack_rows solver/step/color_rests solver/step/substep solver/step/work
    solver/touches/touch solver/touches/touch_pose solver/touches/touch_row solver/touches/touch_way
    world/api/body world/api/body_mass world/api/body_pose world/api/shape_motion
    world/collide/broad_phase world/collide/contact world/collide/contact_blows
    world/collide/contact_order_colors world/collide/contact_path world/collide/contact_recycle
    world/collide/manifold_pass world/collide/manifold_update world/collide/pairs world/joints/joint
    world/mechanisms/mechanism_fill world/mechanisms/mechanism_groups
    world/mechanisms/mechanism_records world/movers/affine
    world/movers/reduced world/movers/step_span_contacts world/records/hash world/snapshot/snapshot_bodies
    world/snapshot/snapshot_contacts world/snapshot/snapshot_joints
    world/snapshot/snapshot_lists world/snapshot/snapshot_shapes world/step/events world/step/island
    world/step/joint_plan world/step/joint_reaction world/step/sleep world/step/stacks
    world/step/step_balance world/step/step_contacts world/step/step_gather
    world/step/step_gradients world/step/step_joints world/step/step_lost world/step/step_mechanisms
    world/step/step_net world/step/step_scatter)
# The same, but the compiler chooses what it inlines: a third to two thirds as large, 0 to 3 % slower.
set(TENON_WARM
    solver/gradients/gradient_start_wide solver/joints/joint_block_wide
    solver/joints/joint_group_refresh_wide
    solver/matrix/block_ldl solver/rows/pin)
# WebAssembly is sent over a network: there the sweeps over contacts and the passes over bodies are
# fast, and the rest is as small as can be.
set(TENON_WEB_HOT
    collision/manifold/box_box collision/manifold/box_clip collision/manifold/clip
    collision/manifold/manifold collision/manifold/sat collision/tree solver/bodies/integrate
    solver/bodies/integrate_free solver/bodies/integrate_wide
    solver/contacts/contact_follow solver/contacts/contact_group solver/contacts/contact_sweep_wide
    solver/contacts/contact_work_wide solver/step/substep world/collide/broad_phase
    world/collide/contact_recycle world/collide/manifold_pass world/collide/manifold_update
    world/collide/pairs world/step/step_contacts world/step/step_gather world/step/step_scatter)
# These are at -Os there: at -Oz clang 14 gives tni_mechanism_ask_for_lead other bits (its selection
# of instructions does, by -opt-bisect-limit).
set(TENON_WEB_CARE solver/exact/mechanism_carry)
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

# A file that was moved would lose its level without a word.
foreach(name IN LISTS TENON_HOT TENON_WARM TENON_WEB_HOT TENON_WEB_CARE)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/${name} AND NOT EXISTS ${PROJECT_SOURCE_DIR}/src/${name}.c)
        message(FATAL_ERROR "cmake/tenon_hot.cmake lists ${name}, which is not in src/.")
    endif()
endforeach()

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
    # Copies of a function or a loop for one of its cases save time in the matrix alone, where they
    # take a quarter of the walking machine's instructions off.
    set(no_copies $<$<C_COMPILER_ID:GNU>:-fno-ipa-cp-clone;-fno-peel-loops;-fno-split-loops;-fno-unswitch-loops>)
    foreach(source IN LISTS ARGN)
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src ${source})
        string(REGEX REPLACE "[.]c$" "" name ${name})
        get_filename_component(folder ${name} DIRECTORY)
        set(is_fast "$<OR:${TENON_IS_FAST}>")
        set(is_cold "${is_fast}")
        set(is_plain "${is_fast}")
        set(level ${small})
        set(copies ${no_copies})
        if(folder STREQUAL "solver/matrix")
            set(copies "")
        endif()
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
            COMPILE_OPTIONS "${copies};$<${is_cold}:${level}>;$<${is_plain}:${plain}>"
            COMPILE_DEFINITIONS "$<${is_plain}:TENON_SMALL>")
    endforeach()
endfunction()
