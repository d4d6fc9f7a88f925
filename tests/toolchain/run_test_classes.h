// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QCoreApplication;

/// A test class; its object is made just before it runs.
struct TestClass {
    const char *name;
    std::function<QObject *()> make;
};

/// Runs every test class of a program, or only those named: `tst_toolchain TestWorkspace [Qt Test's
/// options]`. Gives the exit code: 0 when all passed.
int runTestClasses(int argc, char **argv, const std::vector<TestClass> &classes);
/// The same for a program that has made its own application: one with windows.
int runTestClasses(const QCoreApplication &application, const std::vector<TestClass> &classes);

/// A tool that is missing: skips on a laptop, fails where REQUIRE_TOOLS=1 says that it has to be there.
#define NEED_TOOL(condition, what)                                                               \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            if (qEnvironmentVariable("REQUIRE_TOOLS") == QLatin1String("1"))                     \
                QFAIL(qPrintable(QStringLiteral("REQUIRE_TOOLS=1, but missing: %1").arg(what))); \
            QSKIP(qPrintable(QStringLiteral("missing: %1").arg(what)));                          \
        }                                                                                        \
    } while (false)
