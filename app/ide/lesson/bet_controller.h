// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class WindowState;

/// Whether a person bets before results are shown: on in a lesson, which asks for predictions, off elsewhere.
/// What a person chose for either is kept, and each change is told, wherever it was made.
class BetController : public QObject {
    Q_OBJECT
public:
    BetController(Actions &actions, WindowState &state, QObject *parent = nullptr);

    /// Of the workspace that is open now.
    void setLesson(bool isLesson);

signals:
    void told(const QString &title, const QString &text); ///< a person has changed it

private:
    void follow();
    void take(bool isOn);

    Actions &m_actions;
    WindowState &m_state;
    bool m_isLesson = false;
    bool m_isFollowing = false; ///< the change is ours, not a person's
};

} // namespace warpwright
