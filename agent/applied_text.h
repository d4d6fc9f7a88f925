// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/iteration_store.h"
#include "toolchain/workspace.h"

namespace warpwright {

/// Makes an accepted text an iteration and the workspace's text, so that a death at any moment between the
/// two is made good at the next start: first the history has it, then <state>/applying.json says that the
/// files are being written, then they are.
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
    /// Back to an iteration that was before; nothing is removed from the history.
    [[nodiscard]] Result<void> goBack(int iteration) const;
    /// Finishes what a dead process began: only where each file is as it was before or as it is to be. Where
    /// a person has changed something since, it stays as it is. Gives the iteration finished; 0: none.
    [[nodiscard]] Result<int> finish() const;

    [[nodiscard]] const IterationStore &store() const { return m_store; }

private:
    [[nodiscard]] QString markFile() const;
    [[nodiscard]] Result<void> put(const CandidateTexts &texts, int before, int iteration) const;

    Workspace m_workspace;
    IterationStore m_store;
};

} // namespace warpwright
