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
