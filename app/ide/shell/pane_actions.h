// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

struct WindowParts;

/// The actions about panes and docks: sizes, which one has the keys, pictures of the charts.
class PaneActions : public QObject {
    Q_OBJECT
public:
    PaneActions(const WindowParts &parts, QObject *parent);

signals:
    /// All stand as at first: docks are to be folded by the window's width.
    void layoutReset();

private:
    void connectDocks();
    void walk(int by);

    const WindowParts &m_parts;
};

} // namespace warpwright
