// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class KeptPlace;
class Pane;
class StateKeeper;
struct WindowParts;

/// Layout and sizes of the window: kept, brought back, and docks that fold where the window is narrow.
class WindowLayout : public QObject {
    Q_OBJECT
public:
    WindowLayout(const WindowParts &parts, QObject *parent);

    void restore();
    void keep(const KeptPlace &place); ///< from now on, of an open workspace this
    void save();
    void keepNothing();
    void foldForWidth();
    void foldAnew(); ///< as if the window had another width

signals:
    void saving(); ///< into the window's state

private:
    void gatherWindow();
    [[nodiscard]] QByteArray foldsNow() const;
    bool unfoldAsKept(int widthClass);
    [[nodiscard]] QList<std::pair<QString, Pane *>>
    pagedPanes() const; ///< by what the state calls their open page

    const WindowParts &m_parts;
    const KeptPlace *m_place = nullptr;
    StateKeeper *m_keeper = nullptr;
    QByteArray m_keptFolds; ///< of the docks, until the window has its size
    int m_widthClass = -1;
    bool m_keepsLayout = true;
};

} // namespace warpwright
