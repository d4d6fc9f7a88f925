// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QAction;
class QWidget;

namespace warpwright {

class Actions;
class GuidePage;
class Look;
class WindowNotices;
class WindowPages;
class Workbench;

/// What is read in the window: the words used here, what the judge promises, how to write a lesson.
class GuidePages : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        Look &look;
        WindowNotices &notices;
        WindowPages &pages;
    };
    GuidePages(const Parts &parts, QWidget *window);

private:
    void addLessonGuide();
    void addWords(QAction *words);
    void addPromises(QAction *words);
    void openFrom(GuidePage *page, const std::function<QString()> &file, const QString &trouble);

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
