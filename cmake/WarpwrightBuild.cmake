# SPDX-License-Identifier: GPL-3.0-or-later
# Where things are built, and with what help. Nothing here changes what a program does.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_AUTOMOC ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

# ccache: the settings make a second clone in another folder hit the same cache, precompiled headers
# included. They go in by the environment because ccache 4.7 takes no KEY=VALUE words on its command line.
# `locale`: packaging/ sets one, a person's shell another, and both are to hit what the other has made.
# With the inode cache a precompiled header of 200 MB is hashed once, and not for each file that includes it.
find_program(WARPWRIGHT_CCACHE ccache)
mark_as_advanced(WARPWRIGHT_CCACHE)
if(WARPWRIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime,locale"
        "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_INODECACHE=1 "${WARPWRIGHT_CCACHE}")
endif()

# Archives name their objects and hold none: with debug information that is a gigabyte that nobody copies.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcT <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_CXX_ARCHIVE_APPEND "<CMAKE_AR> qT <TARGET> <LINK_FLAGS> <OBJECTS>")
endif()

# warpwright_quick_moc(FOLDER): its targets and those below it have moc by way of moc.sh.in. Called once, last.
function(warpwright_quick_moc folder)
    get_target_property(moc Qt6::moc LOCATION)
    set(quick "${CMAKE_BINARY_DIR}/generated/moc")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/moc.sh.in" "${quick}" @ONLY FILE_PERMISSIONS
        OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    if(targets)
        set_target_properties(${targets} PROPERTIES AUTOMOC_EXECUTABLE "${quick}")
    endif()
    get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(one IN LISTS below)
        warpwright_quick_moc("${one}")
    endforeach()
endfunction()
