// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestCollectRun();
QObject *makeTestCounterStore();
QObject *makeTestKernelSums();
QObject *makeTestReportReader();
QObject *makeTestTraceRun();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestReportReader", makeTestReportReader},
                           {"TestCounterStore", makeTestCounterStore},
                           {"TestKernelSums", makeTestKernelSums},
                           {"TestCollectRun", makeTestCollectRun},
                           {"TestTraceRun", makeTestTraceRun}});
}
