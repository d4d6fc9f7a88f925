// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "app/cli/progress_line.h"
#include "app/cli/terminal.h"

#include <QObject>

namespace warpwright {

/// What an agent says and does, in a terminal: its messages whole, a line a call, what it waits for in the
/// progress line. Thinking is not shown.
class TuneTalk : public QObject {
    Q_OBJECT
public:
    /// `words`: where it is written to.
    TuneTalk(Agent &agent, const Terminal &terminal, int words, ProgressLine &progress,
             QObject *parent = nullptr);

private:
    QString m_plan; ///< as it was shown last
};

} // namespace warpwright
