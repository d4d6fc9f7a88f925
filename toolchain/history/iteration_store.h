// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/history/iteration.h"
#include "toolchain/workspace/text_comparison.h"

#include <QString>

#include <vector>

namespace warpwright {

/// The history of one workspace: every text that was checked, as a tree in <state>/history.git, and which
/// evaluations were made of it.
///
/// A value that holds nothing but a path: copy it into the thread pool, every call opens and closes the
/// repository for itself. Nothing is ever removed. A text is in the history as soon as commit() returns, on
/// the disk; an iteration whose evaluation was never linked (a crash between the two) shows as not run. A
/// repository that is broken is renamed to history.git.broken-<time> by the next commit(), which begins a new
/// one and says so.
class IterationStore {
public:
    explicit IterationStore(const QString &stateFolder);

    struct Committed {
        Iteration iteration;
        bool isNew = true; ///< false: the text is the parent's, which is given back
        QString notice;    ///< what a person has to be told though all went well; mostly empty
    };
    /// Keeps `texts` as a child of `parent` (0: as a root) and makes it the current one. An empty note is
    /// made from what changed.
    [[nodiscard]] Result<Committed> commit(const CandidateTexts &texts, int parent, const Author &author,
                                           const QString &note = {}) const;
    /// The same beside the text: what is current stays it.
    [[nodiscard]] Result<Committed> commitBeside(const CandidateTexts &texts, int parent,
                                                 const Author &author, const QString &note = {}) const;
    /// A text that may soon be committed: what takes longest, each of its files safely on the disk, commit()
    /// then finds done. For the pool, beside any other act. It is no iteration, and where it cannot be
    /// written (false) commit() does it all, and says what is wrong.
    bool writeAhead(const CandidateTexts &texts) const;
    /// Says what a run has left of it. The newest mark holds; None takes it away.
    [[nodiscard]] Result<void> mark(int iteration, IterationMark mark) const;

    /// Says that the stored evaluation `evaluationId` is one of this iteration. The newest link wins. Its
    /// summary is held against the parent's where the document is not.
    [[nodiscard]] Result<void> link(int iteration, const QString &evaluationId) const;

    /// The last iteration before this one whose code ran, with what was found of it: what its evaluation is
    /// held against. Empty: there is none.
    [[nodiscard]] std::optional<CheckedParent> checkedParent(int iteration) const;

    /// By number. Without a history: none.
    [[nodiscard]] Result<std::vector<IterationRecord>> list() const;
    /// Only these, as list() has them, by number; one that there is none of is left out. Of all others
    /// nothing is read but the names of their branches.
    [[nodiscard]] Result<std::vector<IterationRecord>> records(std::vector<int> numbers) const;
    /// Ids of the evaluations of all iterations that have this very text, as they were linked. Reads the
    /// messages of all commits, and the links of those iterations.
    [[nodiscard]] QStringList evaluationsOf(const QString &textHash) const;
    /// The newest of them, by their own time, but for one that tells less than one before it (tellsLess());
    /// empty: none.
    [[nodiscard]] QString evaluationOf(const QString &textHash) const;
    /// The last iteration that both come from, either may be it; 0: none. Reads the parents until they meet.
    [[nodiscard]] int commonAncestor(int one, int other) const;
    [[nodiscard]] Result<CandidateTexts> texts(int number) const;
    /// What stands left is of `left`; 0 stands for an empty text.
    [[nodiscard]] Result<TextComparison> compare(int left, int right) const;

    /// The newest number; 0: none yet.
    [[nodiscard]] int head() const;
    /// The one that the workspace's text was made from, and the next commit's parent; 0: none yet.
    [[nodiscard]] int current() const;
    /// «Branch from here».
    [[nodiscard]] Result<void> setCurrent(int number) const;

    [[nodiscard]] QString folder() const { return m_folder; }

private:
    [[nodiscard]] Result<Committed> keep(const CandidateTexts &texts, int parent, const Author &author,
                                         const QString &note, bool becomesCurrent) const;
    [[nodiscard]] Result<std::vector<IterationRecord>> recordsOf(const std::vector<int> *wanted) const;
    [[nodiscard]] Result<void> mayLink(int iteration) const;
    [[nodiscard]] QString linksFile() const;
    [[nodiscard]] Result<QString> moveAside(const QString &why) const;

    QString m_state;
    QString m_folder;
};

} // namespace warpwright
