// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class LessonController;
class PlaceOpener;
class ReplayController;
class WindowNotices;
class WindowPages;
class Workbench;

/// The page of a lesson: shown, left, exported, and where its links lead.
class LessonReading : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Workbench &bench;
        LessonController &lesson;
        WindowNotices &notices;
        WindowPages &pages;
        PlaceOpener &places;
        ReplayController &replay;
    };
    LessonReading(const Parts &parts, QWidget *window);

private:
    void exportAs(const QString &kind);

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
