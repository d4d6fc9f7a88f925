// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestConversation();
QObject *makeTestModelRun();
QObject *makeTestModelTroubles();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestConversation", makeTestConversation},
                     {"TestModelRun", makeTestModelRun},
                     {"TestModelTroubles", makeTestModelTroubles}});
}
