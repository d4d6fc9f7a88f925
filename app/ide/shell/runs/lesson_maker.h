// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class AgentController;
class Dock;
class LessonController;
class LessonFaults;
class WindowNotices;
class Workbench;
class WorkspaceOpener;

/// Makes the workspace of a lesson, and opens it.
class LessonMaker : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const AgentController &agent;
        Dock &agentDock;
        const Workbench &bench;
        LessonFaults &faults;
        LessonController &lesson;
        WindowNotices &notices;
        WorkspaceOpener &opener;
    };
    LessonMaker(const Parts &parts, QWidget *window);

    /// No run goes on; else that is told.
    [[nodiscard]] bool mayBegin() const;
    /// `lesson`: the name of one that ships, or the folder of another. `folder`: where its workspace is to
    /// lie; empty: the next free one of ours.
    void beginIn(const QString &lesson, const QString &folder);
    void beginElsewhere(const QString &lesson); ///< asks for the folder
    void showOpened();

private:
    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
