// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestCompileCuda();
QObject *makeTestCompileFaults();
QObject *makeTestCompileReuse();
QObject *makeTestCompileRun();
QObject *makeTestHeaderPrecompile();
QObject *makeTestInspectionRun();
QObject *makeTestPassRun();
QObject *makeTestRealTools();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestRealTools", makeTestRealTools},
                           {"TestCompileRun", makeTestCompileRun},
                           {"TestCompileReuse", makeTestCompileReuse},
                           {"TestHeaderPrecompile", makeTestHeaderPrecompile},
                           {"TestCompileFaults", makeTestCompileFaults},
                           {"TestInspectionRun", makeTestInspectionRun},
                           {"TestPassRun", makeTestPassRun},
                           {"TestCompileCuda", makeTestCompileCuda}});
}
