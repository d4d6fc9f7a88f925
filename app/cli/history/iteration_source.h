// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_index.h"
#include "agent/record/run_iterations.h"
#include "toolchain/workspace/workspace.h"

#include <QTemporaryDir>

#include <memory>
#include <optional>
#include <vector>

namespace warpwright {

/// Where iterations are read from: the history of a workspace, or what a run recorded of its own, which also
/// a recording has that comes without a history.
struct IterationSource {
    QString name;                       ///< of the workspace, or of the folder of the record
    QString place;                      ///< as a sentence names it
    QString state;                      ///< folder with runs/ and evaluations/
    QString run;                        ///< whose iterations are meant; empty: the workspace's own
    std::optional<Workspace> workspace; ///< empty: a record that belongs to none
    std::vector<IterationRecord> records;
    std::map<int, CandidateTexts> texts;    ///< of a run: of those that were asked for
    std::shared_ptr<QTemporaryDir> scratch; ///< of a record that belongs to no workspace

    [[nodiscard]] bool isRun() const { return !run.isEmpty(); }
    [[nodiscard]] const IterationRecord *record(int number) const; ///< null: it has none
    [[nodiscard]] Result<CandidateTexts> textsOf(int number) const;
};

/// Whether `path`, absolute, is the record of a run or a folder with one.
[[nodiscard]] bool isRecord(const QString &path);

/// `path`: a workspace, a trajectory.jsonl, or a folder with one. `wanted`: iterations whose texts are
/// needed. Where a workspace's own history does not have all of them, they are those of its newest run that
/// has. An error, a sentence, where there is no such iteration.
[[nodiscard]] Result<IterationSource> iterationSource(const QString &path, const DataFolders &folders,
                                                      const std::vector<int> &wanted);

} // namespace warpwright
