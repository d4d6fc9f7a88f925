// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestMeasuredRatio();
QObject *makeTestPrediction();
QObject *makeTestReplay();
QObject *makeTestRunIndex();
QObject *makeTestTextChange();
QObject *makeTestTrajectoryCrash();
QObject *makeTestTrajectoryFile();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestMeasuredRatio", makeTestMeasuredRatio},
                     {"TestPrediction", makeTestPrediction},
                     {"TestReplay", makeTestReplay},
                     {"TestRunIndex", makeTestRunIndex},
                     {"TestTextChange", makeTestTextChange},
                     {"TestTrajectoryFile", makeTestTrajectoryFile},
                     {"TestTrajectoryCrash", makeTestTrajectoryCrash}});
}
