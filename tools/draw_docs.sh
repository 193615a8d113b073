#!/usr/bin/env bash
# Draws docs/pictures/ anew with the tool and two demos: draw_docs.sh build/release
# Runs are short and scenes small, so that a picture stays under 90 KB.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
programs="$(realpath "${1:?usage: draw_docs.sh FOLDER_WITH_THE_TOOL}")"
pictures="$root/docs/pictures"
mkdir -p "$pictures"

draw() {
    local picture="$1" scene="$2" time="$3"
    "$programs/tenon" run "$scene" --time "$time" --quiet --svg "$pictures/$picture.svg" "${@:4}"
}

draw air_hockey air_hockey 0.7 --set pucks=3
draw arch arch 3 --set stones=9
draw arm arm 1
draw barrier barrier 4.2
draw bead bead 1
draw belt_drive belt_drive 0.3
draw bead_rope bead_rope 0.5 --set count=50
draw bowl bowl 3 --set sectors=16 --set rings=5
draw bridge bridge 5 --set planks=12 --set loads=2
draw buggy buggy 11.5 --set cell=4
draw cardan cardan 0.1
draw cam cam 0.96
draw capstan capstan 1
draw car car 3
draw catapult catapult 3
draw chain chain 1.5
draw character character 28.9
draw clock clock 0.016
draw coaster coaster 2.2
draw door door 3
draw door_bolt door_bolt 1
draw double_pendulum double_pendulum 2
draw drawing drawing 5
draw fit_circle fit_circle 5
draw fit_coupler fit_coupler 5
draw fit_spline fit_spline 5
draw four_bar four_bar 1
draw gate gate 1.05
draw hand hand 4
draw hoist hoist 1
draw house house 4
draw hybrid_crank hybrid_crank 0.6
draw hyperbola hyperbola 5
draw kapitza kapitza 0.42
draw kept_volume kept_volume 3
draw lagrangian_pendulum lagrangian_pendulum 1.2
draw net net 3 --set side=10
draw mesh_ground mesh_ground 4 --set cuts=12 --set count=12
draw magnets magnets 0.6
draw newtons_cradle newtons_cradle 2
draw optical_table optical_table 5
draw pinball pinball 2
draw piston piston 0.09
draw planetary_gear planetary_gear 0.016
draw pyramid pyramid 3 --set base=11
draw queries queries 1
draw rack_jack rack_jack 0.6
draw raft raft 12
draw ragdoll ragdoll 1.2 --set steps=8
draw roller_coaster roller_coaster 4
draw rope rope 1.2
draw shake_table shake_table 2
draw screw_press screw_press 0.8
draw snake snake 3.5
draw shapes shapes 3
draw skittles skittles 0.8
draw skyscraper skyscraper 60 --set gust=9
draw snap snap 11
draw t_handle t_handle 2
draw tank tank 8
draw tackle tackle 6
draw winch winch 7.4
draw vehicle vehicle 11.5 --set cell=4
draw tinkertoys tinkertoys 10 --set layers=7 --solver direct
draw torus torus 6
draw jelly jelly 0.95
draw balls balls 1.2
draw troids troids 0.7
draw puppet puppet 1.5

# docs/methods.md; tools/write_methods.py fills in its tables.
compare() {
    local picture="$1" scene="$2"
    "$programs/tenon" compare "$scene" --plot "$pictures/methods_$picture.svg" "${@:3}" > /dev/null
}

compare bead_steps bead --hz 60,600,1500
compare bead bead
compare double_pendulum double_pendulum --time 2 --hz 240
compare slider_crank slider_crank --hz 240

# The demos write into out/ of the folder it runs in.
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/out"
(cd "$scratch" && "$programs/demo_trebuchet" > /dev/null && "$programs/demo_piston" > /dev/null)
cp "$scratch/out/trebuchet.svg" "$scratch/out/piston_four.svg" "$scratch/out/piston_radial.svg" \
    "$pictures/"

find "$pictures" -size +60k -printf 'draw_docs: %f is %k KB\n'
