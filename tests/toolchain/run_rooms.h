// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QCoreApplication;

/// A room's test, made only when its turn comes.
struct TestRoom {
    const char *name;
    std::function<QObject *()> make;
};

/// Runs every room in one program, or only those named: `tst_toolchain TestWorkspace [Qt Test's options]`.
/// Gives the exit code: 0 when all passed.
int runRooms(int argc, char **argv, const std::vector<TestRoom> &rooms);
/// The same for a program that has made its own application: one with windows.
int runRooms(const QCoreApplication &application, const std::vector<TestRoom> &rooms);

/// A tool that is missing: skips on a laptop, fails where REQUIRE_TOOLS=1 says that it has to be there.
#define NEED_TOOL(condition, what)                                                               \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            if (qEnvironmentVariable("REQUIRE_TOOLS") == QLatin1String("1"))                     \
                QFAIL(qPrintable(QStringLiteral("REQUIRE_TOOLS=1, but missing: %1").arg(what))); \
            QSKIP(qPrintable(QStringLiteral("missing: %1").arg(what)));                          \
        }                                                                                        \
    } while (false)
