# SPDX-License-Identifier: GPL-3.0-or-later
# warpwright_embed(TARGET FILES...): templates of text (FOLDER/NAME.cu.in) as strings of the target. Each section
# of a file is a QString of its own, declared in a header that is included as "FOLDER/NAME.h" from the root of the
# sources. A changed text compiles the one source that is made of it; the header changes with the names alone.
# To be called where the target is made: its objects wait for the sources that way.
function(warpwright_embed target)
    set(generated "${CMAKE_BINARY_DIR}/generated")
    foreach(file IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE input)
        cmake_path(RELATIVE_PATH input BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
        string(REGEX REPLACE "\\.[a-z]+\\.in$" "" base "${generated}/${name}")
        add_custom_command(OUTPUT "${base}.cpp" BYPRODUCTS "${base}.h"
            COMMAND "${CMAKE_COMMAND}" "-DINPUT=${name}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DHEADER=${base}.h"
                "-DOUTPUT=${base}.cpp" -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
            DEPENDS "${input}" "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
            COMMENT "" VERBATIM)
        set_source_files_properties("${base}.cpp" PROPERTIES SKIP_AUTOMOC ON)
        target_sources(${target} PRIVATE "${base}.cpp")
    endforeach()
    target_include_directories(${target} PRIVATE "${generated}")
endfunction()
