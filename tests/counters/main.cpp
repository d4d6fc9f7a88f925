// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestCollectRun();
QObject *makeTestCounterStore();
QObject *makeTestKernelSums();
QObject *makeTestReportReader();
QObject *makeTestTraceRun();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestReportReader", makeTestReportReader},
                     {"TestCounterStore", makeTestCounterStore},
                     {"TestKernelSums", makeTestKernelSums},
                     {"TestCollectRun", makeTestCollectRun},
                     {"TestTraceRun", makeTestTraceRun}});
}
