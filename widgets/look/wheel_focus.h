// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace warpwright {

/// Leaves the mouse wheel to the page: a drop-down, a spin box or a slider takes it only while it has the
/// focus by a click or a key, so that scrolling past one changes nothing. Focus that the program gave, or
/// that came with the window, does not count. One for the whole application, which it is to filter;
/// HouseStyle installs it.
class WheelFocus : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QPointer<QWidget> m_taken; ///< where a person put the focus last
};

} // namespace warpwright
