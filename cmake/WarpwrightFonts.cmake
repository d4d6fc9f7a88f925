# SPDX-License-Identifier: GPL-3.0-or-later
# warpwright_make_fonts(OUT): Warpwright Sans (Inter with tabular figures, made by resources/look/tabular.py) and
# Warpwright Mono (JetBrains Mono without ligatures, by plain_mono.py) into <build>/fonts. Both are OFL; their texts are
# installed beside the program.
# warpwright_qscintilla: QScintilla for Qt 6, which has no CMake package of its own.

function(warpwright_make_fonts out)
    set(paths)
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/fonts")
    foreach(weight IN ITEMS Regular Medium SemiBold)
        find_file(WARPWRIGHT_INTER_${weight} Inter-${weight}.otf PATHS /usr/share/fonts PATH_SUFFIXES opentype/inter
            REQUIRED NO_DEFAULT_PATH)
        mark_as_advanced(WARPWRIGHT_INTER_${weight})
        set(font "${CMAKE_BINARY_DIR}/fonts/WarpwrightSans-${weight}.otf")
        # The system's Python: it has Debian's fontTools, a virtual environment need not.
        add_custom_command(OUTPUT "${font}"
            COMMAND /usr/bin/python3 "${PROJECT_SOURCE_DIR}/resources/look/tabular.py" "${WARPWRIGHT_INTER_${weight}}" "${font}"
            DEPENDS "${PROJECT_SOURCE_DIR}/resources/look/tabular.py" "${WARPWRIGHT_INTER_${weight}}"
            COMMENT "Warpwright Sans ${weight}" VERBATIM)
        list(APPEND paths "${font}")
    endforeach()
    foreach(weight IN ITEMS Regular Medium Bold)
        find_file(WARPWRIGHT_MONO_${weight} JetBrainsMono-${weight}.ttf PATHS /usr/share/fonts
            PATH_SUFFIXES truetype/jetbrains-mono REQUIRED NO_DEFAULT_PATH)
        mark_as_advanced(WARPWRIGHT_MONO_${weight})
        set(font "${CMAKE_BINARY_DIR}/fonts/WarpwrightMono-${weight}.ttf")
        add_custom_command(OUTPUT "${font}"
            COMMAND /usr/bin/python3 "${PROJECT_SOURCE_DIR}/resources/look/plain_mono.py" "${WARPWRIGHT_MONO_${weight}}" "${font}"
            DEPENDS "${PROJECT_SOURCE_DIR}/resources/look/plain_mono.py" "${WARPWRIGHT_MONO_${weight}}"
            COMMENT "Warpwright Mono ${weight}" VERBATIM)
        list(APPEND paths "${font}")
    endforeach()
    set(${out} "${paths}" PARENT_SCOPE)
endfunction()

find_library(WARPWRIGHT_QSCINTILLA qscintilla2_qt6 REQUIRED)
find_path(WARPWRIGHT_QSCINTILLA_INCLUDE Qsci/qsciscintilla.h PATH_SUFFIXES qt6 x86_64-linux-gnu/qt6 REQUIRED)
mark_as_advanced(WARPWRIGHT_QSCINTILLA WARPWRIGHT_QSCINTILLA_INCLUDE)
add_library(warpwright_qscintilla INTERFACE)
target_include_directories(warpwright_qscintilla SYSTEM INTERFACE "${WARPWRIGHT_QSCINTILLA_INCLUDE}")
target_link_libraries(warpwright_qscintilla INTERFACE "${WARPWRIGHT_QSCINTILLA}")
