# SPDX-License-Identifier: GPL-3.0-or-later
# LibGit2::LibGit2. Debian's libgit2-dev brings no CMake package, and pkg-config need not be there.
find_path(LIBGIT2_INCLUDE git2.h)
find_library(LIBGIT2_LIBRARY git2)
if(LIBGIT2_INCLUDE)
    file(STRINGS "${LIBGIT2_INCLUDE}/git2/version.h" version REGEX "^#define LIBGIT2_VERSION +\"")
    string(REGEX MATCH "[0-9]+\\.[0-9.]+" LIBGIT2_VERSION "${version}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibGit2 REQUIRED_VARS LIBGIT2_LIBRARY LIBGIT2_INCLUDE VERSION_VAR LIBGIT2_VERSION)
if(LibGit2_FOUND AND NOT TARGET LibGit2::LibGit2)
    add_library(LibGit2::LibGit2 UNKNOWN IMPORTED)
    set_target_properties(LibGit2::LibGit2 PROPERTIES
        IMPORTED_LOCATION "${LIBGIT2_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${LIBGIT2_INCLUDE}")
endif()
mark_as_advanced(LIBGIT2_INCLUDE LIBGIT2_LIBRARY)
