// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/hunk_evidence.h"
#include "agent/session/session.h"
#include "app/cli/process/terminal.h"

#include <QByteArray>
#include <QObject>

class QProcess;
class QSocketNotifier;

namespace warpwright {

/// The person's side of a session in a terminal: shows one hunk after the other and reads the answers from
/// standard input, a line each. At a terminal what was typed before a question was shown is no answer to it,
/// and a line that is typed while the agent works is a message to the agent. It never blocks: Ctrl-C and
/// measurements go on while it waits. Where standard input ends, or a pipe answers wrong again and again, the
/// run is stopped: nobody is left to answer.
class TuneReview : public QObject {
    Q_OBJECT
public:
    /// `listener`: the name of the agent that reads messages; empty: it reads none. `descriptor`: what
    /// answers are read from. `words`: where hunks and questions are written to.
    TuneReview(Session &session, QString listener, const Terminal &terminal, int descriptor, int words,
               QObject *parent = nullptr);

private:
    void read();
    void listen();
    void stopListeningFor(int milliseconds);
    [[nodiscard]] bool isInForeground() const;
    void takeLine(const QString &line);
    void takeMessage(const QString &line);
    void show();
    void tellProposal(const Proposal &proposal);
    void showHunk(const Hunk &hunk);
    void ask(const QString &question);
    void askPaused();
    void takeReviewAnswer(const QString &line);
    void takeConflictAnswer(const QString &line);
    void takeStepAnswer(const QString &line);
    void takePromptAnswer(const QString &line);
    void tell(const QString &text) const;
    void sayWrong(const QString &words);
    void measureHunks();
    void takeHunkMeasured(int hunk, bool isWithout, const Evidence &evidence);
    void edit(int hunk);
    void edited(int hunk, const QString &file, int exitCode);
    [[nodiscard]] bool waitsForStep() const;

    Session &m_session;
    QString m_listener;
    Terminal m_terminal;
    int m_input;
    int m_words;
    bool m_isTerminal; ///< what answers are read from
    QSocketNotifier *m_notifier;
    bool m_isAsking = false;
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
