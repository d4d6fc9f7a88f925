// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Look;

/// Breaks the lines of tooltips that are wider than 480 px. Qt does so with rich text alone, and a tooltip of
/// plain words in one line is as wide as the screen.
class TipWidth : public QObject {
    Q_OBJECT
public:
    static constexpr int most = 480; ///< at 96 dpi

    /// `tip`: Qt's own label of tooltips, which is used for one after the other.
    TipWidth(const Look &look, QWidget *tip);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    const Look &m_look;
};

} // namespace warpwright
