// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;

namespace warpwright {

class CandidatePanel;
class Dock;
class FourPanes;
class Presentation;
class WindowPages;
class Workbench;

/// The action that presents the pane with the keys, and ends it.
class PresentAction : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QAction &action;
        const Dock &agentDock;
        const Workbench &bench;
        CandidatePanel &candidate;
        const FourPanes &four;
        WindowPages &pages;
        Presentation &presentation;
    };
    PresentAction(const Parts &parts, QObject *parent);

private:
    void begin();

    const Parts m_parts;
};

} // namespace warpwright
