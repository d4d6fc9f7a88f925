# SPDX-License-Identifier: GPL-3.0-or-later
# warpwright_version: a static library with one tiny source, so that a new commit compiles that one file and
# links again, nothing more. Use:  target_link_libraries(... warpwright_version)  #include "warpwright_version.h"

set(generated "${CMAKE_BINARY_DIR}/generated")
configure_file("${PROJECT_SOURCE_DIR}/cmake/warpwright_version.h.in" "${generated}/warpwright_version.h" @ONLY)

# Runs in every build, but writes the file only when the revision is another one.
add_custom_target(warpwright_revision
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DVERSION=${PROJECT_VERSION}"
        "-DOUTPUT=${generated}/warpwright_version.cpp" -P "${PROJECT_SOURCE_DIR}/cmake/write_version.cmake"
    BYPRODUCTS "${generated}/warpwright_version.cpp"
    COMMENT "" VERBATIM)

add_library(warpwright_version STATIC "${generated}/warpwright_version.cpp")
add_dependencies(warpwright_version warpwright_revision)
set_target_properties(warpwright_version PROPERTIES AUTOMOC OFF)
target_include_directories(warpwright_version PUBLIC "${generated}")
target_link_libraries(warpwright_version PRIVATE warpwright_flags)
