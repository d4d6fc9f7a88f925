// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestAcpBadLuck();
QObject *makeTestAcpGoesOn();
QObject *makeTestAcpParts();
QObject *makeTestAcpRun();
QObject *makeTestAcpSdk();
QObject *makeTestAgentsCommand();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestAcpBadLuck", makeTestAcpBadLuck},
                           {"TestAcpGoesOn", makeTestAcpGoesOn},
                           {"TestAcpParts", makeTestAcpParts},
                           {"TestAcpRun", makeTestAcpRun},
                           {"TestAcpSdk", makeTestAcpSdk},
                           {"TestAgentsCommand", makeTestAgentsCommand}});
}
