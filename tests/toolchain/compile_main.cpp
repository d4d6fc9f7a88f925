// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestCompileCuda();
QObject *makeTestCompileFaults();
QObject *makeTestCompileRun();
QObject *makeTestInspectionRun();
QObject *makeTestRealTools();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestRealTools", makeTestRealTools},
                     {"TestCompileRun", makeTestCompileRun},
                     {"TestCompileFaults", makeTestCompileFaults},
                     {"TestInspectionRun", makeTestInspectionRun},
                     {"TestCompileCuda", makeTestCompileCuda}});
}
