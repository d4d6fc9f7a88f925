# SPDX-License-Identifier: GPL-3.0-or-later
# The relocatable package: bin/, lib/ (the Qt it brings), share/warpwright/, libexec/warpwright/ (gpu tests).

# warpwright_package_test(TARGET): this test program travels in the package, for machines without Qt.
function(warpwright_package_test target)
    set_property(GLOBAL APPEND PROPERTY WARPWRIGHT_PACKAGE_TESTS ${target})
endfunction()

function(warpwright_make_package)
endfunction()
