// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/run_rooms.h"

#include <QCoreApplication>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <sys/prctl.h>

int runRooms(int argc, char **argv, const std::vector<TestRoom> &rooms) {
    const QCoreApplication application(argc, argv);
    return runRooms(application, rooms);
}

int runRooms(const QCoreApplication &, const std::vector<TestRoom> &rooms) {
    // A test whose ctest is gone must not live on: it would write into a closed pipe, and Qt Test's crash
    // handler then calls gdb for ever (Qt 6.4.2). Without its dump it catches its own SIGABRT for ever, so it
    // goes, too.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    qputenv("QTEST_DISABLE_STACK_DUMP", "1");
    qputenv("WARPWRIGHT_HEADERS", "0"); // Nothing is to go on when a test has ended.
    QStringList arguments = QCoreApplication::arguments() << QStringLiteral("-nocrashhandler");
    QStringList wanted;
    for (const TestRoom &room : rooms) {
        const QString name = QString::fromLatin1(room.name);
        if (arguments.removeAll(name) > 0)
            wanted << name;
    }
    int failed = 0;
    int ran = 0;
    for (const TestRoom &room : rooms) {
        if (!wanted.isEmpty() && !wanted.contains(QString::fromLatin1(room.name)))
            continue;
        const std::unique_ptr<QObject> test(room.make());
        failed += QTest::qExec(test.get(), arguments) != 0 ? 1 : 0;
        ++ran;
    }
    std::printf("%d rooms, %d with failures\n", ran, failed);
    return std::min(failed, 70);
}
