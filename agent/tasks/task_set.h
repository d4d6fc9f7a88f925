// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

/// The reference models of our own that agents are measured with.
namespace warpwright {

struct TuningTask {
    QString name; ///< of its file, without .py
    QString kind; ///< of its folder: "reduction"
    QString file; ///< absolute

    bool operator==(const TuningTask &) const = default;
};

/// "train" or "held-out": by the first byte of the name's SHA-256, so that a task keeps its half.
[[nodiscard]] QString splitOf(const QString &taskName);

/// Those of `resources`/tasks, by kind and name.
[[nodiscard]] Result<std::vector<TuningTask>> listTuningTasks(const QString &resources);

/// Which of them a run is to take.
struct TaskSelection {
    QString split;     ///< empty: both halves
    QStringList names; ///< in this order; empty: all
    int limit = 0;     ///< the first so many of what is left; 0: all
    int shard = 1;     ///< of `shards` parts, dealt like cards so that each part has some of every kind
    int shards = 1;

    bool operator==(const TaskSelection &) const = default;
};
/// An error names what was asked for by name and is not there.
[[nodiscard]] Result<std::vector<TuningTask>> selected(const std::vector<TuningTask> &tasks,
                                                       const TaskSelection &selection);

/// The same reference with the values of its own SMALL in place of its constants: a CPU runs it in
/// milliseconds. An error where it names a constant that the text does not define in one line.
[[nodiscard]] Result<QByteArray> atSmallSize(const QByteArray &text);

} // namespace warpwright
