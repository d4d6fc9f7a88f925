// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QAction;

namespace warpwright {

class GuidePage;
struct WindowParts;

/// What is read in the window: the words used here, what the judge promises, how to write a lesson.
class GuidePages : public QObject {
    Q_OBJECT
public:
    GuidePages(const WindowParts &parts, QObject *parent);

private:
    void addLessonGuide();
    void addWords(QAction *words);
    void addPromises(QAction *words);
    void openFrom(GuidePage *page, const std::function<QString()> &file, const QString &trouble);

    const WindowParts &m_parts;
};

} // namespace warpwright
