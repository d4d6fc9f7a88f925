// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>

/// What the real `wright` said and did.
struct CliOutcome {
    int exitCode = -1;
    QString output;
    QString errors;
    warpwright::OrderedJson document; ///< standard output, when it is JSON
    double seconds = 0;
    double acknowledgedSeconds = -1; ///< from the signal to «stopping» on standard error
    double endedSeconds = -1;        ///< from the signal to the end

    [[nodiscard]] QString verdict() const { return warpwright::stringIn(document, "verdict"); }
    /// All that was said, for a failed test's message.
    [[nodiscard]] QByteArray words() const;
};

/// A small world for `wright`: temporary workspaces and settings; caches that stay in the build folder, so
/// that the judge and the bindings are compiled once and not in each run of the tests.
class CliWorld {
    QTemporaryDir m_folder; // first: the public members are made from it

public:
    CliWorld();

    QProcessEnvironment environment; ///< of the next run
    QString folder;                  ///< the working folder of the next run

    /// tests/data/workspaces/<name>, laid over a copy of base/ (or whole, where it has bindings of its own).
    /// Absolute. Only one is there at a time, unless they are given names.
    QString workspace(const QString &name, const QString &as = {}) const;
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
    QString write(const QString &name, const QByteArray &text, bool isProgram = false) const;
    /// A virtual environment of the system's Python, with a package named torch that claims this version.
    [[nodiscard]] QString pythonWithTorch(const QString &version, const QString &cuda) const;

    [[nodiscard]] CliOutcome run(const QStringList &arguments, int timeoutMs = 120000) const;
    /// Sends `signal` as soon as standard error contains `sign`, as often as is said.
    [[nodiscard]] CliOutcome interrupt(const QStringList &arguments, const QString &sign, int signal,
                                       int times = 1) const;
    /// Does `act` with the process's pid when standard error contains `sign`.
    [[nodiscard]] CliOutcome runAnd(const QStringList &arguments, const QString &sign,
                                    const std::function<void(qint64)> &act) const;

    /// What a check in this environment would work with. Waits in an event loop.
    [[nodiscard]] warpwright::Toolchain toolchain() const;

    /// Empty: the document obeys the schema.
    [[nodiscard]] static QString schemaComplaints(const warpwright::OrderedJson &document,
                                                  const QString &schema = QStringLiteral("evaluation-1"));
    /// The interpreter with torch and jsonschema; empty: there is none here.
    [[nodiscard]] static QString python();
};

void copyFolder(const QString &from, const QString &to);
