// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/session.h"
#include "app/ide/review/proposal_views.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <set>

namespace warpwright {

class Actions;
class CandidatePanel;
class CodeEditor;
class ConflictView;
class HunkBar;
class Look;
class ReasonBar;

/// The proposal under review in the candidate's editors: what is asked there goes to the session, and what
/// the session holds is what the editors show. Answers are steps of the editor's own undo; what a person
/// types meanwhile is told to the session before anything is answered.
class ReviewController : public QObject {
    Q_OBJECT
public:
    ReviewController(const Look &look, CandidatePanel &candidate, Actions &actions,
                     QObject *parent = nullptr);

    /// Null: nothing is under review any more.
    void setSession(Session *session);
    /// After the session's review or what was measured of it has changed.
    void show(const HunkEvidences &evidences);
    /// What is in the editors of it cannot be answered now: the run goes by itself, or writes it. Until
    /// show().
    void lock(const QString &why);
    void acceptAll();
    void rejectRest();
    /// What is written of why hunks were rejected is the session's.
    void keepReason();
    /// Which hunks of the proposal belong together.
    [[nodiscard]] const std::map<int, int> &groups();
    /// Brings it into view, in whichever file it is.
    void goTo(int hunk);
    /// What was typed until now is the session's.
    void takeTyped();

signals:
    void refused(const QString &message);
    /// A key asked for an answer to what is behind a page or another pane: nothing was answered.
    void outOfSight();
    /// A merge was being written when the proposal went.
    void mergeLeft(int number, const QString &text);
    /// So was a new file, which is not on the disk: what the person made of it.
    void fileLeft(const QString &file, const QString &text);

private:
    using Answer = std::function<Result<Session::Token>()>;
    void listenTo(CodeEditor *editor);
    void answer(int hunk, const Answer &give);
    void accept(int hunk, bool isOnly = false);
    void reject(int hunk, bool isOnly = false);
    [[nodiscard]] std::vector<int> answeredWith(int hunk, bool isOnly);
    void askWhy(const std::vector<int> &hunks);
    void takeBack(const std::vector<int> &hunks);
    void undoLast();
    void answerRest(const std::function<Result<Session::Token>(int)> &give);
    void edit(int hunk);
    void resolve(FileReview::Side side);
    void showCurrent();
    void showConflict();
    void step(int by);
    void bringIntoLine(const ReviewedFile &file);
    void openNewFiles();
    void forget();
    [[nodiscard]] bool isInSight();
    void sayWhatIsLeft();
    [[nodiscard]] const ProposalReview *review() const;
    [[nodiscard]] int currentHunk() const;

    CandidatePanel &m_candidate;
    Actions &m_actions;
    HunkBar *m_bar;
    ConflictView *m_conflict;
    ReasonBar *m_reason;
    Session *m_session = nullptr;
    HunkEvidences m_evidences;
    HunkPieces m_pieces;
    std::map<int, int> m_groups;
    std::vector<int> m_last;          ///< answered by one key
    QString m_grouped;                ///< the proposal that they are of
    std::set<CodeEditor *> m_editors; ///< that show hunks
    std::map<QString, QString> m_new; ///< the files that it would make, as it has them
    QTimer m_typed;
    bool m_isAnswering = false;
};

} // namespace warpwright
