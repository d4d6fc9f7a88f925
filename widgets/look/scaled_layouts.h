// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Look;

/// Rooms take their margins and gaps from the Look while they are built. When the text is made larger in a
/// window that stands open, they are set anew: of all its layouts, and of its labels. To be made before the
/// first room, so that a room that sets its own anew has the last word.
class ScaledLayouts : public QObject {
    Q_OBJECT
public:
    ScaledLayouts(const Look &look, QWidget &window);

private:
    void follow();

    const Look &m_look;
    QWidget &m_window;
    double m_unit; ///< pixels that one at 96 dpi takes, as the margins are now
};

} // namespace warpwright
