// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QCheckBox;

namespace warpwright {

class Look;

/// «Bet before results» where a lesson asks for predictions: a box that says whether it is on, and what that
/// means. Follows the action, and triggers it.
class BetSwitch : public QWidget {
    Q_OBJECT
public:
    BetSwitch(const Look &look, QAction *betsFirst, QWidget *parent = nullptr);

private:
    void follow();

    QAction *m_action;
    QCheckBox *m_box;
};

} // namespace warpwright
