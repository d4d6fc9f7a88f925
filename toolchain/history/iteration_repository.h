// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/git_library.h"
#include "toolchain/base/result.h"
#include "toolchain/history/iteration.h"
#include "toolchain/workspace/candidate_texts.h"

#include <vector>

namespace warpwright {

/// The git part of the history: a bare repository with one branch `iteration-N` for each iteration and HEAD
/// on the current one, so that `git log --graph --all` shows a person the same tree.
///
/// Opened for one act and closed again: no handle is shared between threads. A number exists from the moment
/// its branch does, which is the last thing that is written. What bites: a process that is killed between two
/// system calls may leave a lock file; one that is older than any act of ours can be is taken away.
class IterationRepository {
public:
    enum class State { Missing, Unreadable, Broken, Whole };

    explicit IterationRepository(QString folder);

    /// Opens what is there. Broken: it is no repository, or its branches cannot be listed; why() says it.
    /// Unreadable: rights or a failing disk, nothing that a new repository would mend.
    [[nodiscard]] State open();
    /// Beside its place first, then renamed: never half.
    [[nodiscard]] Result<void> create();
    [[nodiscard]] QString why() const { return m_why; }

    /// Sorted.
    [[nodiscard]] std::vector<int> numbers() const;
    /// One branch is looked up, where numbers() reads them all.
    [[nodiscard]] bool has(int number) const;
    /// All that have this text, sorted. Reads each commit's message once, and nothing else of it.
    [[nodiscard]] std::vector<int> numbersOf(const QString &textHash) const;
    [[nodiscard]] int current() const; ///< 0: none
    [[nodiscard]] Result<void> setCurrent(int number);

    [[nodiscard]] Result<Iteration> read(int number) const;
    [[nodiscard]] Result<CandidateTexts> texts(int number) const;
    /// What write() writes of a text, without the iteration: nothing names it.
    [[nodiscard]] Result<void> writeAhead(const CandidateTexts &texts) const;
    /// Gives `iteration` the next free number. Its parent may be 0, or one that can no longer be read.
    [[nodiscard]] Result<Iteration> write(const CandidateTexts &texts, Iteration iteration);

private:
    [[nodiscard]] Result<git_oid> writeTree(const CandidateTexts &texts) const;
    [[nodiscard]] GitCommit commitOf(int number) const;
    [[nodiscard]] int takeNumber(int number, const git_oid &commit) const;
    [[nodiscard]] QString cannot(const QString &what) const;
    void removeStaleLocks() const;

    QString m_folder;
    QString m_why;
    GitLibrary m_library; // before the repository: it has to outlive it
    GitRepository m_repository;
};

} // namespace warpwright
