// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

/// Escape in an open list or menu closes that, and nothing behind it: a shortcut of the page below does not
/// hear it. One for the whole application, which it is to filter; HouseStyle installs it.
class PopupEscape : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace warpwright
