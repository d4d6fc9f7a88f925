// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the files that tell alternatives apart which one table of them should.
#pragma once

#include "tests/guards/allow_list.h"

#include <QRegularExpression>

namespace warpwright {

/// What is told apart. As a text, a line each: "NAME FOLDER PATTERN", a regular expression of code.
struct DispatchTable {
    struct Row {
        QString name;
        QString folder;
        QRegularExpression pattern;
    };
    QVector<Row> rows;
    QStringList complaints; ///< lines that cannot be read

    static DispatchTable parse(const QString &path, const QStringList &lines);
};

/// A fault for each row and file in its folder whose code has the pattern, and how often:
/// "agent/playbook/a.cpp NAME 2".
QVector<GuardFault> dispatchFaults(const DispatchTable &table, const QVector<GuardFile> &files);

/// Rows that match nothing: the code has changed, and the row has not followed.
QStringList dispatchTableComplaints(const DispatchTable &table, const QVector<GuardFault> &faults);

} // namespace warpwright
