// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/frame/action_button.h"

namespace warpwright {

class TabStrip;

/// «More» beside tabs that find no room: a menu of all of them, so that none is behind an arrow alone. It is
/// away where all are in sight.
class TabMenu : public ActionButton {
    Q_OBJECT
public:
    /// Both lie in one row, `spacing` px apart.
    TabMenu(const Look &look, TabStrip &tabs, int spacing, QWidget *parent);

    /// Their widths, or which there are, have changed.
    void follow();
    /// Off: whoever owns the tabs has a menu of his own.
    void setOn(bool isOn);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void open();
    [[nodiscard]] int wanted() const;
    void showThoseThatFit(int room);

    TabStrip &m_tabs;
    int m_spacing;
    bool m_isOn = true;
};

} // namespace warpwright
