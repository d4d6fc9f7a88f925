// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation_summary.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <optional>

namespace warpwright {

/// Who wrote a text. The words in the history are `you`, `playbook`, `model`, `acp`, `replay`, `script`,
/// `mcp`: a client of our tools that has submitted.
enum class AuthorKind { You, Playbook, Model, Acp, Replay, Script, Mcp };

QString authorKindName(AuthorKind kind);
/// You for a word that is none of ours.
AuthorKind authorKindFromName(const QString &word);

struct Author {
    AuthorKind kind = AuthorKind::You;
    QString name; ///< of a model, an agent, a login; empty: the kind's word

    bool operator==(const Author &) const = default;
};

/// One state of the candidate's text: a node in a tree. Numbers begin at 1 and are never given twice.
struct Iteration {
    int number = 0;
    int parent = 0; ///< the one it was made from; 0: none
    Author author;
    QString note; ///< one line: what was changed
    QDateTime time;
    QString textHash; ///< as textHashOf() says it

    bool operator==(const Iteration &) const = default;
};

/// What a run left in the tree that nobody has kept, or that nothing is to be said of.
enum class IterationMark {
    None,
    NotDecided, ///< proposed, and the run ended before anybody had decided on it
    TakenBack,  ///< tried in the workspace, and taken back because the run ended before it was kept
    BesideCode, ///< of a proposal the comments alone were taken: its time is that of the code before it
};
QString iterationMarkName(IterationMark mark); ///< in the history: "", "not-decided", "taken-back",
                                               ///< "beside-code"
IterationMark iterationMarkFromName(const QString &word);
/// «not decided: the run ended»; empty for None, and for BesideCode, which is said in the note.
QString iterationMarkWords(IterationMark mark);

/// A row of the tree: the iteration and what was found about it.
struct IterationRecord {
    Iteration iteration;
    /// Ids, oldest first; empty: not run. One that tells less than the one before it (tellsLess()) stands
    /// before that: the last is what is shown.
    QStringList evaluations;
    std::optional<EvaluationSummary> latest; ///< of the last of them that can be read
    QString problem;                         ///< why it cannot be read; empty: it can
    IterationMark mark = IterationMark::None;

    bool operator==(const IterationRecord &) const = default;
};

/// Whether it may be the best at all: it was checked, and is not BesideCode.
[[nodiscard]] bool competes(const IterationRecord &record);

/// What was changed, and what a run has left of it: «Fuse the rows (not decided: the run ended)».
[[nodiscard]] QString noteOf(const IterationRecord &record);

} // namespace warpwright
