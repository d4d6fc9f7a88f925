// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMainWindow;
class QWidget;

namespace warpwright {

class AgentController;
class Dock;
class Look;

/// The docks beside the four panes: hidden while another page is shown, and folded where the window is
/// narrow.
class WindowDocks : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Dock &agentDock;
        QMainWindow &inner;
        Dock &iterationsDock;
        const Look &look;
    };
    WindowDocks(const Parts &parts, QWidget *window);
    void setAgent(const AgentController &agent) { m_agent = &agent; } ///< once it is made

    void hide();
    void show(); ///< those that were hidden
    [[nodiscard]] bool areHidden() const { return !m_hidden.isEmpty(); }
    /// How they stand when none is hidden, as QMainWindow::saveState() writes it.
    [[nodiscard]] QByteArray state() const;

    void toggleIterations();
    void toggleAgent();
    void foldForWidth();
    void foldAnew(); ///< as if the window had another width
    void reset();    ///< both whole, at their sides; while another page is shown, once they are there again

    /// As state() and folds() told of them; the docks fold so once the window has its size.
    void restore(const QByteArray &state, const QByteArray &folds);
    void forgetFolds() { m_ignoresFolds = true; } ///< those that were kept: for pictures and tests
    /// "2 0 1 248 312": the class of width, what is a rail, and how wide the docks are. Empty: not known now.
    [[nodiscard]] QByteArray folds() const;

private:
    bool unfoldAsKept(int widthClass);

    const Parts m_parts;
    QWidget *m_window;
    const AgentController *m_agent = nullptr;
    bool m_isAway = false;  ///< another page is shown, or one pane alone
    QList<Dock *> m_hidden; ///< meanwhile
    QByteArray m_before;    ///< how they stood before it
    QByteArray m_keptFolds; ///< until the window has its size
    int m_widthClass = -1;
    bool m_ignoresFolds = false;
};

} // namespace warpwright
