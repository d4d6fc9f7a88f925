// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

QObject *makeTestMcpConfig();
QObject *makeTestMcpMessages();
QObject *makeTestMcpServer();

int main(int argc, char **argv) {
    return runRooms(argc, argv,
                    {{"TestMcpConfig", makeTestMcpConfig},
                     {"TestMcpMessages", makeTestMcpMessages},
                     {"TestMcpServer", makeTestMcpServer}});
}
