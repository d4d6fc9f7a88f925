// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace warpwright {

/// What goes on in the open workspace, and what would end it.
struct LeaveQuestion {
    QString title;
    QString text;
    QString stopWords;                   ///< of the button that ends it: "Stop the check and open"
    std::function<void()> stop;          ///< it is ended, and what was asked for done
    std::function<void()> inWindow = {}; ///< empty: it cannot be done beside it
};

/// Asks before work that goes on would be ended. The dialog is opened and not waited for, so that the work
/// goes on as ever behind it; Enter alone ends nothing.
void askBeforeLeaving(QWidget *parent, const LeaveQuestion &question);

} // namespace warpwright
