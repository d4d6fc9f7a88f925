// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestBashDevice();
QObject *makeTestBashTool();
QObject *makeTestBashSandbox();
QObject *makeTestCountersTools();
QObject *makeTestFactsTools();
QObject *makeTestFileTools();
QObject *makeTestFolderAccess();
QObject *makeTestGuides();
QObject *makeTestMeasuringTools();
QObject *makeTestPieceEdit();
QObject *makeTestRealMeasuring();
QObject *makeTestToolArguments();
QObject *makeTestToolbox();
QObject *makeTestWorkFolder();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestBashDevice", makeTestBashDevice},
                           {"TestBashTool", makeTestBashTool},
                           {"TestBashSandbox", makeTestBashSandbox},
                           {"TestCountersTools", makeTestCountersTools},
                           {"TestFactsTools", makeTestFactsTools},
                           {"TestFileTools", makeTestFileTools},
                           {"TestFolderAccess", makeTestFolderAccess},
                           {"TestGuides", makeTestGuides},
                           {"TestMeasuringTools", makeTestMeasuringTools},
                           {"TestPieceEdit", makeTestPieceEdit},
                           {"TestRealMeasuring", makeTestRealMeasuring},
                           {"TestToolArguments", makeTestToolArguments},
                           {"TestToolbox", makeTestToolbox},
                           {"TestWorkFolder", makeTestWorkFolder}});
}
