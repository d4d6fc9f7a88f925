// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class RunOffers;
struct WindowParts;

/// Lessons in the window: how one begins and where it lies, and its page.
class LessonStarts : public QObject {
    Q_OBJECT
public:
    LessonStarts(const WindowParts &parts, RunOffers &offers, QObject *parent);

    void showOpened();

private:
    void connectPage();
    void connectRun();
    void connectBets();
    void connectActions();
    void ask(const QString &name); ///< where it was begun before: go on, or begin anew
    /// `lesson`: the name of one that ships, or the folder of another. `folder`: where its workspace is to
    /// lie; empty: the next free one of ours.
    void beginIn(const QString &lesson, const QString &folder);
    void beginElsewhere(const QString &lesson); ///< asks for the folder
    void beginAnew();
    void showFaults(const QString &lesson, const QString &folder, const QString &faults);
    void exportAs(const QString &kind);

    const WindowParts &m_parts;
    RunOffers &m_offers;
};

} // namespace warpwright
