// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "app/cli/process/progress_line.h"
#include "app/cli/process/terminal.h"
#include "app/cli/tuning/line_stream.h"

#include <QObject>

namespace warpwright {

/// What an agent says and does, in a terminal: its messages line by line as they come (where nobody looks on:
/// whole), a line a call, what it waits for in the progress line. Thinking is not shown.
class TuneTalk : public QObject {
    Q_OBJECT
public:
    /// `words`: where it is written to.
    TuneTalk(Agent &agent, const Terminal &terminal, int words, ProgressLine &progress,
             QObject *parent = nullptr);

private:
    [[nodiscard]] LineStream streamOf(const QString &who) const;
    void tell(const QString &who, bool isBegun, const QStringList &lines);
    void takePiece(const QString &id, const QString &piece);
    void takeMessage(const AgentMessage &message);
    void giveUp(const QString &id);

    Agent &m_agent;
    Terminal m_terminal;
    int m_words;
    ProgressLine &m_progress;
    QString m_id; ///< of the message that comes in pieces; empty: none
    LineStream m_stream{0, 0};
    QString m_plan; ///< as it was shown last
};

} // namespace warpwright
