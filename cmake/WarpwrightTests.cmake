# SPDX-License-Identifier: GPL-3.0-or-later
# warpwright_test(TARGET [NAME name] [LABELS unit tools gpu ...] [TIMEOUT seconds] [ARGUMENTS ...] [SERIAL])
# Registers a test program with ctest. Exit code 77 counts as «skipped» (a tool or a GPU is missing).
# SERIAL: measures time, so nothing else may run beside it.

enable_testing()

# Off in the release preset: there only those tests are built that travel in the package.
option(WARPWRIGHT_TESTS "Build all tests" ON)

function(warpwright_test target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "NAME;TIMEOUT" "LABELS;ARGUMENTS")
    if(NOT arg_NAME)
        set(arg_NAME ${target})
    endif()
    if(NOT arg_LABELS)
        set(arg_LABELS unit)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    add_test(NAME ${arg_NAME} COMMAND ${target} ${arg_ARGUMENTS})
    set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
    if(arg_SERIAL)
        set_tests_properties(${arg_NAME} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()
