// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class LessonController;
class LessonMaker;
class StartPage;
class Workbench;
class WorkspaceOpener;

/// How a lesson is asked for: by the start page and the actions, anew or where it was begun before.
class LessonStarts : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        const Workbench &bench;
        LessonController &lesson;
        LessonMaker &maker;
        WorkspaceOpener &opener;
        StartPage &start;
    };
    LessonStarts(const Parts &parts, QWidget *window);

private:
    void ask(const QString &name); ///< where it was begun before: go on, or begin anew
    void beginAnew();

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
