// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class ReplayController;
class WindowNotices;
class Workbench;

/// What is told of a past run while it is open: that its hunks are not answered, where a branch lies.
class ReplayNotices : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Actions &actions;
        const Workbench &bench;
        WindowNotices &notices;
        ReplayController &replay;
    };
    ReplayNotices(const Parts &parts, QWidget *window);

private:
    void silenceReview();
    void tellBranch();

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
