// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestAcpBadLuck();
QObject *makeTestAcpGoesOn();
QObject *makeTestAcpParts();
QObject *makeTestAcpRun();
QObject *makeTestAcpSdk();
QObject *makeTestAgentsCommand();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestAcpBadLuck", makeTestAcpBadLuck},
                     {"TestAcpGoesOn", makeTestAcpGoesOn},
                     {"TestAcpParts", makeTestAcpParts},
                     {"TestAcpRun", makeTestAcpRun},
                     {"TestAcpSdk", makeTestAcpSdk},
                     {"TestAgentsCommand", makeTestAgentsCommand}});
}
