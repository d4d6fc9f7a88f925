# SPDX-License-Identifier: GPL-3.0-or-later
# Run while installing: for each library put into lib/, the copyright file of the Debian package it came from.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
file(GLOB libraries "${prefix}/lib/*.so*")
# All libraries in one call: each reads the lists of all files.
execute_process(COMMAND dpkg -S "*.so*" OUTPUT_VARIABLE owners ERROR_QUIET)
string(STRIP "${owners}" owners) # an empty part of a list is complained of
string(REPLACE "\n" ";" owners "${owners}")
foreach(library IN LISTS libraries)
    get_filename_component(name "${library}" NAME)
    string(REPLACE "." "\\." name "${name}")
    string(REPLACE "+" "\\+" name "${name}")
    set(owner "${owners}")
    list(FILTER owner INCLUDE REGEX "/${name}$")
    if(owner MATCHES "^([^:,]+)")
        set(package "${CMAKE_MATCH_1}")
        if(EXISTS "/usr/share/doc/${package}/copyright")
            file(COPY_FILE "/usr/share/doc/${package}/copyright" "${prefix}/share/doc/warpwright/copyright-${package}"
                ONLY_IF_DIFFERENT)
        endif()
    endif()
endforeach()
