// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/result.h"
#include "toolchain/evaluation/evaluation_summary.h"

#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// A workspace that was open before, as the start page shows it.
struct RecentWorkspace {
    QString path; ///< absolute; a folder or a lone file
    QString name;
    QDateTime lastOpened;
    bool isMissing = false;                  ///< moved or removed since
    std::optional<EvaluationSummary> latest; ///< of the text; else the newest one; empty: never checked
    bool isStale = false;                    ///< the text was changed after it
    bool isRecording = false;                ///< somebody else's run, to be watched; `latest` is its best

    bool operator==(const RecentWorkspace &) const = default;
};

/// The workspaces that were open last, in <data>/recent.json. Two programs that write at once lose nothing:
/// each reads, changes and writes under a lock. A file that is broken is renamed, and the list begins anew.
class RecentWorkspaces {
public:
    static constexpr int most = 20;

    explicit RecentWorkspaces(DataFolders folders);

    /// Latest first. Reads each one's newest evaluation and its text: work for the pool.
    [[nodiscard]] std::vector<RecentWorkspace> list() const;
    /// Puts it at the top.
    [[nodiscard]] Result<void> opened(const QString &path) const;
    [[nodiscard]] Result<void> forget(const QString &path) const;

    [[nodiscard]] QString file() const { return m_folders.data + QStringLiteral("/recent.json"); }

private:
    DataFolders m_folders;
};

} // namespace warpwright
