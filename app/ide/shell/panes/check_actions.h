// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace warpwright {

class Actions;
class CandidatePanel;
class CounterController;
class PaneOpener;
class PlaceOpener;
class Workbench;

/// The actions that check, stop a check, and go through the iterations.
class CheckActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        CandidatePanel &candidate;
        CounterController &counters;
        PaneOpener &panes;
        PlaceOpener &places;
    };
    CheckActions(const Parts &parts, QObject *parent);

private:
    void connectIterations();
    void startCheck(const std::function<void()> &check);

    const Parts m_parts;
};

} // namespace warpwright
