# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Configure and build one preset; does almost nothing when nothing changed.

# configured_here PRESET: has this folder been configured to the end, from this very path?
configured_here() {
    local cache="$root/build/$1/CMakeCache.txt"
    [ -f "$cache" ] && [ -f "$root/build/$1/build.ninja" ] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"
}

configure_preset() { cd "$root" && step cmake --fresh --preset "$1"; }
build_preset() { cd "$root" && step cmake --build --preset "$1" -j "${WARPWRIGHT_JOBS:-$(nproc)}" "${@:2}"; }

# build PRESET [TARGET...]
build() {
    local preset=$1 targets=()
    shift
    [ $# -eq 0 ] || targets=(--target "$@")
    with_lock "$root/build/.packaging-$preset.lock"
    configured_here "$preset" || phase "Configure ($preset)" \
        "Read the log. A package that is not found should be in packaging/debian-packages.txt." configure_preset "$preset"
    phase "Build ($preset)" "Read the compiler's words in the log; \"rm -r build/$preset\" starts the build anew." \
        build_preset "$preset" "${targets[@]}"
    release_lock
}
