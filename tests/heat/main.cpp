// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestHeatOf();
QObject *makeTestHeatText();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv, {{"TestHeatOf", makeTestHeatOf}, {"TestHeatText", makeTestHeatText}});
}
