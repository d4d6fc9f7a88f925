# SPDX-License-Identifier: GPL-3.0-or-later
# warpwright_test(TARGET [NAME name] [LABELS unit tools gpu ...] [TIMEOUT seconds] [COST seconds] [ARGUMENTS ...] [SERIAL])
# Registers a test program with ctest. Exit code 77 counts as «skipped» (a tool or a GPU is missing).
# COST: about how long it takes, where that is long: a fresh clone has no times of its own yet, and what takes longest
# is to start first, or one core waits for the other at the end. Tests of one program run one after the other, for they
# share workspaces, caches and the turn on a device (tests/toolchain/places.h): the COST of one counts those after it.
# TIMEOUT: at least four times what it takes on two cores that have other work (default 300): one that is reached says
# nothing of the rest.
# SERIAL: measures time, so nothing else may run beside it.

enable_testing()

# Off in the release preset: there only those tests are built that travel in the package.
option(WARPWRIGHT_TESTS "Build all tests" ON)

function(warpwright_test target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "NAME;TIMEOUT;COST" "LABELS;ARGUMENTS")
    if(NOT arg_NAME)
        set(arg_NAME ${target})
    endif()
    if(NOT arg_LABELS)
        set(arg_LABELS unit)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    add_test(NAME ${arg_NAME} COMMAND ${target} ${arg_ARGUMENTS})
    set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77
        RESOURCE_LOCK ${target})
    if(arg_COST)
        set_tests_properties(${arg_NAME} PROPERTIES COST ${arg_COST})
    endif()
    if(arg_SERIAL)
        set_tests_properties(${arg_NAME} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()
