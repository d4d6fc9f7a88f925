// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestBashDevice();
QObject *makeTestBashTool();
QObject *makeTestBashWall();
QObject *makeTestFactsTools();
QObject *makeTestFileTools();
QObject *makeTestFolderAccess();
QObject *makeTestMeasuringTools();
QObject *makeTestPieceEdit();
QObject *makeTestToolArguments();
QObject *makeTestToolbox();
QObject *makeTestWorkFolder();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestBashDevice", makeTestBashDevice},
                     {"TestBashTool", makeTestBashTool},
                     {"TestBashWall", makeTestBashWall},
                     {"TestFactsTools", makeTestFactsTools},
                     {"TestFileTools", makeTestFileTools},
                     {"TestFolderAccess", makeTestFolderAccess},
                     {"TestMeasuringTools", makeTestMeasuringTools},
                     {"TestPieceEdit", makeTestPieceEdit},
                     {"TestToolArguments", makeTestToolArguments},
                     {"TestToolbox", makeTestToolbox},
                     {"TestWorkFolder", makeTestWorkFolder}});
}
