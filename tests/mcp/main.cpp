// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestMcpConfig();
QObject *makeTestMcpMessages();
QObject *makeTestMcpServer();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestMcpConfig", makeTestMcpConfig},
                           {"TestMcpMessages", makeTestMcpMessages},
                           {"TestMcpServer", makeTestMcpServer}});
}
