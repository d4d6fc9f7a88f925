// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>

namespace warpwright {

class WindowState;

/// Brings the window's state onto the disk soon after a person did something, so that a window that is killed
/// comes back as it was, too. Whatever a person changes follows a key, a click or the wheel: those are what
/// it waits for, instead of a signal of every splitter and scroll bar.
class StateKeeper : public QObject {
    Q_OBJECT
public:
    static constexpr int writesAfterMs = 500;

    /// `gather` puts what is to be kept into `state`, and ends with write().
    StateKeeper(WindowState &state, std::function<void()> gather, QObject *parent);

    /// Something changed that no person's hand was at: a workspace was opened, an iteration shown.
    void touch();
    /// Written when it comes back, unless it is the time for it: then in the pool.
    void write();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    WindowState &m_state;
    std::function<void()> m_gather;
    QTimer m_timer;
    QThreadPool m_pool; ///< of its own: behind the long work of others it would be too late for a kill
    bool m_isTime = false;
};

} // namespace warpwright
