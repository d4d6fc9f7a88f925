// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/json.h"
#include "toolchain/base/result.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// One candidate of the suite: an attack on the judge, or an honest one that looks like an attack.
struct SuiteRow {
    QString name;
    bool isAttack = true;
    QString task; ///< of tasks/
    QString does; ///< one sentence
    /// "wrong", "rejected", "run-failed", "impossible", "unverifiable", "pass"; after a colon the rule that
    /// was broken or the precision that was measured; "pass:degenerate"; "pass+doubt"; "harmless": the same
    /// verdict and ratio as the task's own honest candidate. Alternatives have a bar between them.
    QString expected;
    bool isTimed = false; ///< false: verification alone shows it
    QStringList devices;  ///< "cpu", "cuda"
    bool isNative = false;
    QString needs; ///< of the Python environment: a module; empty: nothing
    Json settings; ///< of .warpwright/task.json; null: none

    /// Rows that one opened task serves have the same.
    [[nodiscard]] QString group() const;
    /// «harmless» is expected, or one of what is.
    [[nodiscard]] bool mayBeHarmless() const;
    bool operator==(const SuiteRow &) const = default;
};

/// The attacks that the judge is tried with, and their table: data, shipped beside the samples.
struct CheatSuite {
    QString folder;
    std::vector<SuiteRow> rows; ///< those of one group together
};

/// `other`, or else <resources>/cheats, or tests/cheats in the source tree.
[[nodiscard]] Result<CheatSuite> readCheatSuite(const DataFolders &folders, const QString &other = {});

/// Shard `index` (from 1) of `count`: neighbours, so that few tasks are opened twice.
[[nodiscard]] std::vector<SuiteRow> shardOf(const std::vector<SuiteRow> &rows, int index, int count);

/// Makes `folder` the row's workspace: what all share, what its task gives, what is its own. Its state in
/// .warpwright stays: all rows are compiled in one folder, so that their objects are compiled once.
[[nodiscard]] Result<void> assembleRow(const CheatSuite &suite, const SuiteRow &row, const QString &folder);

} // namespace warpwright
