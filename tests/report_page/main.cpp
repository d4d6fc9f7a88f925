// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

QObject *makeTestInBrowser();
QObject *makeTestPageDrawings();
QObject *makeTestReportPage();
QObject *makeTestReportedRuns();
QObject *makeTestShownIterations();

int main(int argc, char **argv) {
    return runTestClasses(argc, argv,
                          {{"TestShownIterations", makeTestShownIterations},
                           {"TestPageDrawings", makeTestPageDrawings},
                           {"TestReportPage", makeTestReportPage},
                           {"TestReportedRuns", makeTestReportedRuns},
                           {"TestInBrowser", makeTestInBrowser}});
}
