// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/factory/reopened_run.h"

#include <QObject>

class QAction;

namespace warpwright {

class WayBack;
struct WindowParts;

/// Who can be asked to begin a run, and how one begins: what the agent's pane offers where no run goes on. A
/// run that was left is looked for, and offered to be continued.
class RunOffers : public QObject {
    Q_OBJECT
public:
    RunOffers(const WindowParts &parts, QObject *parent);

    [[nodiscard]] const LeftRun &left() const { return m_left; } ///< of the open workspace
    void forgetLeft() { m_left = {}; }
    void lookForLeft();
    void showNoRun();
    void workspaceOpened();
    void continueOpened(); ///< the lesson that was opened for it
    void tellAnswers();

signals:
    void leftFound();

private:
    void connectActions();
    void begin(const AgentName &agent, const QString &source = {});
    void offerOthers(const QString &run, const AgentName &missing);
    void offer();
    void offerOfRunning();
    [[nodiscard]] bool showLesson();
    void readMessage();
    [[nodiscard]] QList<QAction *> offered() const;

    const WindowParts &m_parts;
    WayBack *m_wayBack;
    LeftRun m_left;
    QString m_talkedIn;        ///< the workspace whose run the agent's pane shows
    QString m_toldAnswers;     ///< the run whose answers in the text were told
    QList<QAction *> m_others; ///< with whom a run can go on whose own agent is gone
    AgentName m_lastAgent;     ///< a model or another program's agent that worked in it; You: none did
    QString m_lastSource;
};

} // namespace warpwright
