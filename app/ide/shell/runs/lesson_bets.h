// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class LessonController;
class WindowNotices;
class WindowState;
class Workbench;

/// Bets in a lesson, and what the key says where there is nothing to bet on.
class LessonBets : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        const Workbench &bench;
        LessonController &lesson;
        WindowNotices &notices;
        WindowState &state;
    };
    LessonBets(const Parts &parts, QWidget *window);

private:
    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
