// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestHeatOf();
QObject *makeTestHeatText();

int main(int argc, char **argv) {
    return runRooms(argc, argv, {{"TestHeatOf", makeTestHeatOf}, {"TestHeatText", makeTestHeatText}});
}
