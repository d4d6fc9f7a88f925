// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class BuildPanel;
class PaneOpener;
class ProfilePanel;
class Workbench;

/// The actions that show a page of the build or the profile pane, and take pictures of its charts.
class PageActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        const Workbench &bench;
        BuildPanel &build;
        PaneOpener &panes;
        ProfilePanel &profile;
    };
    PageActions(const Parts &parts, QObject *parent);

    void enable();

private:
    const Parts m_parts;
};

} // namespace warpwright
