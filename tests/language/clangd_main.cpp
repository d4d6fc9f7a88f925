// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestClangd();
QObject *makeTestClangdSamples();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestClangd", makeTestClangd}, {"TestClangdSamples", makeTestClangdSamples}});
}
