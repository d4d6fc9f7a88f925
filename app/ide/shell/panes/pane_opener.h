// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class FourPanes;
class Presentation;
class ProfilePanel;
class WindowDocks;
class WindowPages;
class Workbench;

/// Brings one of the four panes in sight, or a page of one. Panes by their order: reference, candidate,
/// build, profile.
class PaneOpener : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Workbench &bench;
        FourPanes &four;
        WindowPages &pages;
        ProfilePanel &profile;
    };
    PaneOpener(const Parts &parts, QObject *parent);
    void setPresentation(Presentation &presentation) { m_presentation = &presentation; } ///< once it is made

    /// Only where a pane is presented: it yields to this one.
    void presentInstead(int pane);
    /// All alike again, where another than this one is enlarged; -1: whichever is.
    void evenOut(int pane = -1);
    void showPane(int pane); ///< both
    /// Most of the room for this one, else all alike; where a pane is presented this one is, in its place.
    void enlarge(int pane);
    void resetSizes();                    ///< and none is presented
    void toggleAgent(WindowDocks &docks); ///< where a pane is presented the agent's is, in its place
    void showBuild();
    /// Wherever the window is: the four panes come back, and the profile pane with this page.
    void showProfilePage(const QString &name);

private:
    const Parts m_parts;
    Presentation *m_presentation = nullptr;
};

} // namespace warpwright
