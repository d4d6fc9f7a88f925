// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/referee/tests.h"

#include <QCoreApplication>
#include <QTest>

int main(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    int failures = 0;
    for (QObject *test : warpwright::refereeTests()) {
        failures += QTest::qExec(test, argc, argv);
        delete test;
    }
    return failures > 0 ? 1 : 0;
}
