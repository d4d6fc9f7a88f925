// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hunk_evidence.h"
#include "agent/session.h"
#include "app/cli/terminal.h"

#include <QByteArray>
#include <QObject>

class QProcess;
class QSocketNotifier;

namespace warpwright {

/// The person's side of a session in a terminal: shows one hunk after the other and reads the answers from
/// standard input, a line each. It never blocks: Ctrl-C and measurements go on while it waits. Where standard
/// input ends, or a pipe answers wrong again and again, the run is stopped: nobody is left to answer.
class TuneReview : public QObject {
    Q_OBJECT
public:
    /// `descriptor`: what answers are read from. `words`: where hunks and questions are written to.
    TuneReview(Session &session, const Terminal &terminal, int descriptor, int words,
               QObject *parent = nullptr);

private:
    void read();
    void takeLine(const QString &line);
    void show();
    void tellProposal(const Proposal &proposal);
    void showHunk(const Hunk &hunk);
    void ask(const QString &question);
    void takeReviewAnswer(const QString &answer, const QString &reason);
    void takeConflictAnswer(const QString &answer, const QString &reason);
    void takeStepAnswer(const QString &answer);
    void takePromptAnswer(const QString &line);
    void tell(const QString &text) const;
    void sayWrong(const QString &words);
    void measureHunks();
    void takeHunkMeasured(int hunk, bool isWithout, const Evidence &evidence);
    void edit(int hunk);
    void edited(int hunk, const QString &file, int exitCode);
    [[nodiscard]] bool waitsForStep() const;

    Session &m_session;
    Terminal m_terminal;
    int m_input;
    int m_words;
    QSocketNotifier *m_notifier;
    QByteArray m_unread;
    QString m_shownProposal;
    QString m_shownPrompt;     ///< the agent's question that waits; empty: none
    int m_shown = 0;           ///< the hunk that was asked about; 0: none
    HunkEvidences m_evidences; ///< of the proposal that is shown
    int m_awaited = 0;         ///< measurements of its hunks
    bool m_asksStep = false;
    int m_wrongAnswers = 0; ///< one after the other
    QProcess *m_editor = nullptr;
};

} // namespace warpwright
