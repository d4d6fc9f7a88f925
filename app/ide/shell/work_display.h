// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class AgentController;
class BuildPanel;
class DisplayedIterations;
class VerdictBanner;
class WindowNotices;
class Workbench;
struct BannerState;
struct Evaluation;

/// How the work stands: what is shown, the check that runs, the agent's proposal. Shows it in the banner, and
/// tells those who show it elsewhere.
class WorkDisplay : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        VerdictBanner &banner;
        Workbench &bench;
        DisplayedIterations &shown;
    };
    WorkDisplay(const Parts &parts, QObject *parent);
    void setAgent(AgentController &agent) { m_agent = &agent; } ///< once it is made

    void showNow();

signals:
    void shown(const warpwright::BannerState &state);

private:
    [[nodiscard]] BannerState stateNow() const;
    void showNext(const BannerState &state);

    const Parts m_parts;
    AgentController *m_agent = nullptr; ///< made later
};

/// A check has ended: its page of the build pane, and what cannot be seen there.
void announce(const Evaluation &evaluation, BuildPanel &build, WindowNotices &notices);

} // namespace warpwright
