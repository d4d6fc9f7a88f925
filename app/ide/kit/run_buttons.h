// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;

namespace warpwright {

class ActionButton;
class Look;

/// Run, Pause and Stop. While there is nothing to run, Run says what is going on instead of going grey
/// without a word; Stop says that it has heard. Run and Pause are hidden until there is a session.
class RunButtons : public QWidget {
    Q_OBJECT
public:
    enum State { Idle, Running, WaitingForYou, Paused, Stopping };

    /// Who owns the actions enables them; in Stopping the words say so at once.
    RunButtons(const Look &look, QAction *run, QAction *pause, QAction *stop, QWidget *parent = nullptr);

    void setSession(bool hasSession);
    /// `isNext`: pressing Run is the next step, so it is the filled button.
    void setState(State state, bool isNext = false);

signals:
    void said(); ///< other words, of another width

private:
    void say();

    QAction *m_stopAction;
    ActionButton *m_run;
    ActionButton *m_pause;
    ActionButton *m_stop;
    State m_state = Idle;
};

} // namespace warpwright
