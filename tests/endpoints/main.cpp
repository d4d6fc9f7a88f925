// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestAnswers();
QObject *makeTestBadLuck();
QObject *makeTestBodies();
QObject *makeTestKeys();
QObject *makeTestModelList();
QObject *makeTestModelProfiles();
QObject *makeTestModelsCommand();
QObject *makeTestRetries();
QObject *makeTestSseStream();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestAnswers", makeTestAnswers},
                           {"TestBadLuck", makeTestBadLuck},
                           {"TestBodies", makeTestBodies},
                           {"TestKeys", makeTestKeys},
                           {"TestModelList", makeTestModelList},
                           {"TestModelProfiles", makeTestModelProfiles},
                           {"TestModelsCommand", makeTestModelsCommand},
                           {"TestRetries", makeTestRetries},
                           {"TestSseStream", makeTestSseStream}});
}
