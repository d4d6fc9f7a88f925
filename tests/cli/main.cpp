// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestBenchTasks();
QObject *makeTestClock();
QObject *makeTestCommandLine();
QObject *makeTestCompileAhead();
QObject *makeTestDevices();
QObject *makeTestExport();
QObject *makeTestFakeJudge();
QObject *makeTestHunksApart();
QObject *makeTestInspect();
QObject *makeTestInterrupt();
QObject *makeTestJudgedFaults();
QObject *makeTestKeeper();
QObject *makeTestLessonsBuild();
QObject *makeTestLog();
QObject *makeTestMeasurer();
QObject *makeTestMissingTools();
QObject *makeTestRealJudge();
QObject *makeTestReplay();
QObject *makeTestReproduce();
QObject *makeTestSchema();
QObject *makeTestSelftest();
QObject *makeTestStaleVerdict();
QObject *makeTestText();
QObject *makeTestTrajectorySchema();
QObject *makeTestTune();
QObject *makeTestTuneKills();
QObject *makeTestTunePlaybook();
QObject *makeTestTwoRuns();
QObject *makeTestWall();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestText", makeTestText},
                     {"TestCommandLine", makeTestCommandLine},
                     {"TestLog", makeTestLog},
                     {"TestLessonsBuild", makeTestLessonsBuild},
                     {"TestReplay", makeTestReplay},
                     {"TestTrajectorySchema", makeTestTrajectorySchema},
                     {"TestMissingTools", makeTestMissingTools},
                     {"TestFakeJudge", makeTestFakeJudge},
                     {"TestClock", makeTestClock},
                     {"TestReproduce", makeTestReproduce},
                     {"TestInspect", makeTestInspect},
                     {"TestSchema", makeTestSchema},
                     {"TestInterrupt", makeTestInterrupt},
                     {"TestTune", makeTestTune},
                     {"TestTuneKills", makeTestTuneKills},
                     {"TestTunePlaybook", makeTestTunePlaybook},
                     {"TestBenchTasks", makeTestBenchTasks},
                     {"TestTwoRuns", makeTestTwoRuns},
                     {"TestKeeper", makeTestKeeper},
                     {"TestDevices", makeTestDevices},
                     {"TestMeasurer", makeTestMeasurer},
                     {"TestRealJudge", makeTestRealJudge},
                     {"TestJudgedFaults", makeTestJudgedFaults},
                     {"TestStaleVerdict", makeTestStaleVerdict},
                     {"TestHunksApart", makeTestHunksApart},
                     {"TestExport", makeTestExport},
                     {"TestCompileAhead", makeTestCompileAhead},
                     {"TestSelftest", makeTestSelftest},
                     {"TestWall", makeTestWall}});
}
