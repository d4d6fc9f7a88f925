// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

struct WindowParts;

/// Tells wherever the window is what the agent needs: an answer, a review, leave to go on after its run was
/// broken off. And brings what failed in the panes before it.
class AgentWatch : public QObject {
    Q_OBJECT
public:
    AgentWatch(const WindowParts &parts, QObject *parent);

private:
    void connectBreaks();
    void connectQuestions();
    void connectFailure();

    const WindowParts &m_parts;
};

} // namespace warpwright
