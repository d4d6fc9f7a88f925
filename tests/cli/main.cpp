// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestCommandLine();
QObject *makeTestFakeJudge();
QObject *makeTestInterrupt();
QObject *makeTestMissingTools();
QObject *makeTestRealJudge();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestCommandLine", makeTestCommandLine},
                     {"TestMissingTools", makeTestMissingTools},
                     {"TestFakeJudge", makeTestFakeJudge},
                     {"TestInterrupt", makeTestInterrupt},
                     {"TestRealJudge", makeTestRealJudge}});
}
