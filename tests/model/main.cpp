// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestConversation();
QObject *makeTestModelRun();
QObject *makeTestModelTroubles();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestConversation", makeTestConversation},
                           {"TestModelRun", makeTestModelRun},
                           {"TestModelTroubles", makeTestModelTroubles}});
}
