# SPDX-License-Identifier: GPL-3.0-or-later
# The relocatable package: cmake --build --preset release --target package
#   bin/                  the programs, which look for libraries in ../lib first
#   lib/                  the Qt they need, and what that needs, down to what every Linux with g++ has
#   libexec/warpwright/   test programs with the label gpu (tests/gpu/run starts them)
#   share/warpwright/     resources/ as it is, the judge's sources in referee/, the suite of attacks in cheats/
#   share/doc/warpwright/ what packaging/documents.txt names, in the same folders

# warpwright_package_test(TARGET): this test program travels in the package, for machines without Qt.
function(warpwright_package_test target)
    set_property(GLOBAL APPEND PROPERTY WARPWRIGHT_PACKAGE_TESTS ${target})
endfunction()

# Called once, last in the root: every target exists by then.
function(warpwright_make_package)
    get_property(package_tests GLOBAL PROPERTY WARPWRIGHT_PACKAGE_TESTS)
    foreach(program IN ITEMS wright warpwright)
        if(TARGET ${program})
            warpwright_install_program(${program} bin "$ORIGIN/../lib")
        endif()
    endforeach()
    foreach(program IN LISTS package_tests)
        warpwright_install_program(${program} libexec/warpwright "$ORIGIN/../../lib")
    endforeach()

    # No Qt in them: they need no library of ours.
    install(TARGETS warpwright-nvcc warpwright-sandbox RUNTIME DESTINATION libexec/warpwright)

    if(TARGET warpwright)
        warpwright_install_window()
    endif()

    if(TARGET wright)
        # Qt speaks TLS by a plugin, which takes OpenSSL 3 from the system, where security updates reach it.
        warpwright_install_plugin(tls QTlsBackendOpenSSLPlugin Qt6Network_DIR)
        install(FILES "${PROJECT_SOURCE_DIR}/packaging/desktop/qt.conf" DESTINATION bin)
        # Debian 12's libstdc++ is older than any distribution's we mean, so the system's serves; with glibc it
        # must be the system's, for torch is loaded beside it. All else travels.
        install(RUNTIME_DEPENDENCY_SET warpwright_programs
            PRE_EXCLUDE_REGEXES
                "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|BrokenLocale)\\.so"
                "^libstdc\\+\\+\\.so" "^libgcc_s\\.so" "^linux-vdso"
            LIBRARY DESTINATION lib)
    endif()

    install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/" DESTINATION share/warpwright
        PATTERN ".warpwright" EXCLUDE PATTERN "__pycache__" EXCLUDE REGEX "resources/README.md$" EXCLUDE)
    # The attacks that `wright selftest` tries the judge with.
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/cheats" DESTINATION share/warpwright
        PATTERN "__pycache__" EXCLUDE PATTERN ".warpwright" EXCLUDE PATTERN "README.md" EXCLUDE PATTERN "tools" EXCLUDE)
    if(EXISTS "${PROJECT_SOURCE_DIR}/toolchain/referee")
        install(DIRECTORY "${PROJECT_SOURCE_DIR}/toolchain/referee" DESTINATION share/warpwright
            PATTERN "__pycache__" EXCLUDE)
        # The user's machine builds the judge and need not have this header.
        find_path(WARPWRIGHT_JSON_INCLUDE nlohmann/json.hpp REQUIRED)
        mark_as_advanced(WARPWRIGHT_JSON_INCLUDE)
        install(DIRECTORY "${WARPWRIGHT_JSON_INCLUDE}/nlohmann" DESTINATION share/warpwright/referee/include)
    endif()
    warpwright_install_documents()
    install(PROGRAMS "${PROJECT_SOURCE_DIR}/tests/gpu/run" DESTINATION libexec/warpwright/gpu)
    install(FILES "${PROJECT_SOURCE_DIR}/tests/gpu/measurements" "${PROJECT_SOURCE_DIR}/tests/gpu/report.py" "${PROJECT_SOURCE_DIR}/tests/gpu/counters.py" "${PROJECT_SOURCE_DIR}/tests/gpu/devices.py"
        DESTINATION libexec/warpwright/gpu)
    # Last, when lib/ is filled: the licences of what travels with us.
    install(SCRIPT "${PROJECT_SOURCE_DIR}/cmake/copy_copyrights.cmake")

    set(CPACK_PACKAGE_NAME warpwright)
    set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
    set(CPACK_PACKAGE_FILE_NAME "warpwright-${PROJECT_VERSION}-linux-x86_64")
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
    set(CPACK_GENERATOR TXZ)
    set(CPACK_STRIP_FILES ON)
    set(CPACK_THREADS 0)
    set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
    include(CPack)
endfunction()

# In the folders that they lie in here, so that their links are whole there, too. A component of its own: a guard
# installs it alone and follows them.
function(warpwright_install_documents)
    file(STRINGS "${PROJECT_SOURCE_DIR}/packaging/documents.txt" documents REGEX "^[^#]")
    foreach(document IN LISTS documents)
        if(document MATCHES "/$")
            install(DIRECTORY "${PROJECT_SOURCE_DIR}/${document}" DESTINATION "share/doc/warpwright/${document}"
                COMPONENT documents)
        else()
            cmake_path(GET document PARENT_PATH folder)
            install(FILES "${PROJECT_SOURCE_DIR}/${document}" DESTINATION "share/doc/warpwright/${folder}"
                COMPONENT documents)
        endif()
    endforeach()
endfunction()

# A plugin of Qt; `package` names the variable with the folder of the module that describes it.
function(warpwright_install_plugin folder name package)
    find_package(Qt6${name} QUIET PATHS "${${package}}" NO_DEFAULT_PATH)
    if(NOT TARGET Qt6::${name})
        message(FATAL_ERROR "Qt has no plugin ${name}: install qt6-base-dev again.")
    endif()
    install(IMPORTED_RUNTIME_ARTIFACTS Qt6::${name} RUNTIME_DEPENDENCY_SET warpwright_programs
        LIBRARY DESTINATION lib/qt6/plugins/${folder})
endfunction()

# What a window needs besides: Qt's platforms (with and without a display), where to look for them, the desktop entry.
function(warpwright_install_window)
    foreach(plugin IN ITEMS platforms:QXcbIntegrationPlugin platforms:QOffscreenIntegrationPlugin
            xcbglintegrations:QXcbGlxIntegrationPlugin platforminputcontexts:QComposePlatformInputContextPlugin)
        string(REPLACE ":" ";" parts "${plugin}")
        list(GET parts 0 folder)
        list(GET parts 1 name)
        warpwright_install_plugin(${folder} ${name} Qt6Gui_DIR)
    endforeach()
    set(desktop "${PROJECT_SOURCE_DIR}/packaging/desktop")
    install(FILES "${desktop}/fonts.conf" DESTINATION share/warpwright)
    install(FILES "${desktop}/warpwright.desktop" DESTINATION share/applications)
    install(FILES "${PROJECT_SOURCE_DIR}/resources/look/logo.svg" DESTINATION share/icons/hicolor/scalable/apps
        RENAME warpwright.svg)
    foreach(font IN ITEMS fonts-inter fonts-jetbrains-mono)
        install(FILES "/usr/share/doc/${font}/copyright" DESTINATION share/doc/warpwright RENAME "copyright-${font}")
    endforeach()
endfunction()

function(warpwright_install_program target folder rpath)
    # DT_RPATH, not DT_RUNPATH: only the former is also asked for the libraries of our libraries (Qt's ICU), whose
    # own files stay as the distribution made them.
    target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}" BUILD_RPATH "${rpath}")
    install(TARGETS ${target} RUNTIME_DEPENDENCY_SET warpwright_programs RUNTIME DESTINATION ${folder})
endfunction()
