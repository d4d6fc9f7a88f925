// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/folder_access.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/base/result.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QSet>

#include <map>

namespace warpwright {

/// A caller's own copy of a workspace, in which it may do what it likes: only the candidate's files of it
/// ever count, and the task's own are put back as they were. The workspace itself is never written to.
///
/// What stands there is other people's: every access goes through FolderAccess. A value; reads and writes
/// small files, so long work with it belongs into the pool.
class WorkFolder {
public:
    WorkFolder(Workspace workspace, QString folder);

    /// Below the cache, one for each workspace and caller: two callers do not meet.
    [[nodiscard]] static QString placeFor(const Workspace &workspace, const DataFolders &folders,
                                          const QString &caller);

    /// Makes the folder hold these texts, CUDA-Agent's utils/, the workspace's SKILL.md with its pages and
    /// the project's rules, links to what is too large for a text, and nothing else that counts.
    [[nodiscard]] Result<void> layOut(const CandidateTexts &texts);
    /// The candidate as it stands there now, the rest as it was laid out.
    [[nodiscard]] Result<CandidateTexts> texts() const;

    /// Makes the candidate what it is in these texts; the rest stays.
    [[nodiscard]] Result<void> putCandidate(const CandidateTexts &texts) const;

    /// Puts the task's own files back as they were laid out, and takes away what may not be among the
    /// candidate's (symbolic links, pipes). Gives a line for each: «model.py was changed: put back».
    [[nodiscard]] QStringList putBack() const;
    /// Files in the root that compilers and Python would find, and that are neither the task's nor the
    /// candidate's: they count for nothing.
    [[nodiscard]] QStringList uncounted() const;

    [[nodiscard]] const FolderAccess &access() const { return m_access; }
    [[nodiscard]] const QString &folder() const { return m_access.folder(); }
    [[nodiscard]] const QString &workspaceFolder() const { return m_workspace.folder; }
    [[nodiscard]] bool hasUtils() const { return m_workspace.hasUtils; }
    /// Files elsewhere that links of it point to: to be read, too.
    [[nodiscard]] QStringList linkedFiles() const;

    /// Why a tool may not write there: «model.py is the task's own …». Empty: it may.
    [[nodiscard]] QString whyNotWritable(const QString &path) const;

    /// Where commands have their temporary files, and where long outputs are kept; relative.
    static constexpr const char *scratch = ".warpwright-tmp";
    static constexpr const char *outputs = ".warpwright-output";

private:
    [[nodiscard]] Result<void> takeUtils();

    Workspace m_workspace;
    FolderAccess m_access;
    std::map<QString, QByteArray> m_task; ///< all that is laid out and not the candidate's
    QSet<QString> m_guides;               ///< of these: what is said to agents
    std::map<QString, QString> m_links;   ///< by name: the file that it stands for
};

} // namespace warpwright
