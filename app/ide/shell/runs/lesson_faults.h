// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QWidget;

namespace warpwright {

class GuidePage;
class Look;
class WindowPages;

/// Why a lesson cannot be followed: in sight while it is mended, one fault after the other, in another
/// program.
class LessonFaults : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Look &look;
        WindowPages &pages;
    };
    LessonFaults(const Parts &parts, QWidget *window);

    void show(const QString &faults, const std::function<void()> &tryAgain);

private:
    const Parts m_parts;
    QWidget *m_window;
    QPointer<GuidePage> m_page; ///< that is shown, or was the last
};

} // namespace warpwright
