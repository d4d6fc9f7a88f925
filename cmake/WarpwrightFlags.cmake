# SPDX-License-Identifier: GPL-3.0-or-later
# warpwright_flags: the one INTERFACE target that carries warnings, C++20, the include root and the linker.
# Every target of ours links it PRIVATE (or PUBLIC where its headers need the include root).

option(WARPWRIGHT_WERROR "Warnings are errors" OFF)
set(WARPWRIGHT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

add_library(warpwright_flags INTERFACE)
target_compile_features(warpwright_flags INTERFACE cxx_std_20)
target_include_directories(warpwright_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(warpwright_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
    # GCC needs this to let ccache see through a precompiled header.
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
    # The same object whatever folder the clone lies in.
    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
if(WARPWRIGHT_WERROR)
    target_compile_options(warpwright_flags INTERFACE -Werror)
endif()
if(WARPWRIGHT_SANITIZE)
    target_compile_options(warpwright_flags INTERFACE "-fsanitize=${WARPWRIGHT_SANITIZE}" -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    target_link_options(warpwright_flags INTERFACE "-fsanitize=${WARPWRIGHT_SANITIZE}")
endif()

find_program(WARPWRIGHT_MOLD mold)
mark_as_advanced(WARPWRIGHT_MOLD)
if(WARPWRIGHT_MOLD)
    target_link_options(warpwright_flags INTERFACE -fuse-ld=mold)
endif()
target_link_options(warpwright_flags INTERFACE -Wl,--as-needed)

# warpwright_precompile(TARGET [HEADERS...])
# The common short list of headers that cost most, and those named besides.
function(warpwright_precompile target)
    target_precompile_headers(${target} PRIVATE
        <QByteArray> <QHash> <QObject> <QString> <QStringList> <QVector>
        <nlohmann/json.hpp> <algorithm> <functional> <memory> <optional> <string> <vector> ${ARGN})
endfunction()
