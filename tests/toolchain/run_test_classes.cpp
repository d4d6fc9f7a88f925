// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_test_classes.h"

#include <QCoreApplication>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <sys/prctl.h>

int runTestClasses(int argc, char **argv, const std::vector<TestClass> &classes) {
    const QCoreApplication application(argc, argv);
    return runTestClasses(application, classes);
}

int runTestClasses(const QCoreApplication &, const std::vector<TestClass> &classes) {
    // A test must end with its ctest: it would write into a closed pipe, and Qt Test's crash handler would
    // then call gdb in an endless loop (Qt 6.4.2). With the stack dump disabled it catches its own SIGABRT in
    // an endless loop, so the handler is disabled as well.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    qputenv("QTEST_DISABLE_STACK_DUMP", "1");
    qputenv("WARPWRIGHT_HEADERS", "0"); // nothing may still run when a test has ended
    QStringList arguments = QCoreApplication::arguments() << QStringLiteral("-nocrashhandler");
    QStringList wanted;
    for (const TestClass &one : classes) {
        const QString name = QString::fromLatin1(one.name);
        if (arguments.removeAll(name) > 0)
            wanted << name;
    }
    int failed = 0;
    int ran = 0;
    for (const TestClass &one : classes) {
        if (!wanted.isEmpty() && !wanted.contains(QString::fromLatin1(one.name)))
            continue;
        const std::unique_ptr<QObject> test(one.make());
        failed += QTest::qExec(test.get(), arguments) != 0 ? 1 : 0;
        ++ran;
    }
    std::printf("%d classes, %d with failures\n", ran, failed);
    return std::min(failed, 70);
}
