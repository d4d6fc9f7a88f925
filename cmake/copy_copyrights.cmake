# SPDX-License-Identifier: GPL-3.0-or-later
# Run while installing: for each library put into lib/, the copyright file of the Debian package it came from.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
file(GLOB libraries "${prefix}/lib/*.so*")
foreach(library IN LISTS libraries)
    get_filename_component(name "${library}" NAME)
    execute_process(COMMAND dpkg -S "*/${name}" OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE unknown)
    if(NOT unknown AND owner MATCHES "^([^:,]+)")
        set(package "${CMAKE_MATCH_1}")
        if(EXISTS "/usr/share/doc/${package}/copyright")
            file(COPY_FILE "/usr/share/doc/${package}/copyright" "${prefix}/share/doc/warpwright/copyright-${package}"
                ONLY_IF_DIFFERENT)
        endif()
    endif()
endforeach()
