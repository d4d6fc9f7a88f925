// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/workspace.h"
#include "toolchain/workspace/workspace_lock.h"

namespace warpwright {

/// Makes an accepted text an iteration and the workspace's text, so that a death at any moment between the
/// two is made good at the next start: first the history has it, then <state>/applying.json says that the
/// files are being written, then they are.
///
/// A text that is only tried (mode Step) is named in <state>/pending.json before it is written: until
/// keepPending() it is taken back by takeBack(), or after a death by finish().
class AppliedText {
public:
    explicit AppliedText(const Workspace &workspace);

    /// The text that lies there now.
    [[nodiscard]] Result<CandidateTexts> read() const;
    /// `texts` as a child of `parent`, on the disk, where iteration `onDisk` lies so far. What the files held
    /// before is in the history (the caller has seen to that) and in <state>/trash.
    [[nodiscard]] Result<IterationStore::Committed> apply(const CandidateTexts &texts, int parent,
                                                          const Author &author, const QString &note,
                                                          int onDisk) const;
    /// The same, until somebody says that it stays.
    [[nodiscard]] Result<IterationStore::Committed> applyPending(const CandidateTexts &texts, int parent,
                                                                 const Author &author, const QString &note,
                                                                 int onDisk) const;
    void keepPending() const; ///< it stays
    struct TakenBack {
        int pending = 0;              ///< the iteration that was taken back; 0: nothing was pending
        Iteration now;                ///< whose text lies on the disk since then
        bool isOfPerson = false;      ///< what a person typed meanwhile is in it: `now` is theirs
        bool standsOnPending = false; ///< they typed in the lines of the pending text: it stays under theirs
    };
    /// The text that was kept last lies on the disk again, with what a person typed since in other lines,
    /// which becomes an iteration of theirs; so does the whole where they typed in the pending lines. The
    /// pending iteration stays in the history, marked.
    [[nodiscard]] Result<TakenBack> takeBack() const;
    /// Back to an iteration that was before; nothing is removed from the history.
    [[nodiscard]] Result<void> goBack(int iteration) const;
    /// Finishes what a dead process began: only where each file is as it was before or as it is to be. Where
    /// a person has changed something since, it stays as it is. Then takes back what was pending. Gives the
    /// iteration finished or gone back to; 0: none.
    [[nodiscard]] Result<int> finish() const;
    [[nodiscard]] bool hasUnfinished() const; ///< there is something for finish() to look at

    [[nodiscard]] const IterationStore &store() const { return m_store; }

private:
    [[nodiscard]] QString markFile() const;
    [[nodiscard]] QString pendingFile() const;
    [[nodiscard]] Result<void> markPending(int kept, int iteration) const;
    [[nodiscard]] Result<int> finishWriting() const;
    [[nodiscard]] Result<void> put(const CandidateTexts &texts, int before, int iteration) const;

    Workspace m_workspace;
    IterationStore m_store;
};

/// For every program that is about to read the workspace: finishes what a dead one left half done there.
/// `lock` was tried to take; while another program has it that is its own concern. Gives a sentence for the
/// person; empty: there was nothing to finish.
[[nodiscard]] Result<QString> finishInterrupted(const Workspace &workspace, const WorkspaceLock &lock);

} // namespace warpwright
