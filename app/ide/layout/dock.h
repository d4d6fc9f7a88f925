// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

class QStackedWidget;

namespace warpwright {

class ActionButton;
class ActionButton;
class DockHead;
class DockRail;
class Look;

/// A pane beside the four: it can be moved to either side, floated, hidden, and folded to a rail of 40 px
/// that keeps its name in sight.
class Dock : public QDockWidget {
    Q_OBJECT
public:
    Dock(const Look &look, const QString &objectName, const QString &iconName, const QString &title,
         QWidget *content, QWidget *parent = nullptr);

    void setFolded(bool isFolded);
    /// Whole, also where it was hidden or a rail.
    void reveal();
    /// Away where it is whole, else whole.
    void toggle();
    [[nodiscard]] bool isFolded() const { return m_isFolded; }
    /// Somebody is waited for here: words in the head, and beside the name while it is folded; empty: nobody.
    void setCall(const QString &words);
    /// What it holds now, in head, rail and tooltips.
    void setTitle(const QString &title);
    /// Widths at 96 dpi.
    void setWidths(int least, int usual);
    [[nodiscard]] int usualWidth() const;

signals:
    /// A person asked; the window may have folded it before on its own.
    void foldAsked(bool isFolded);

private:
    const Look &m_look;
    QStackedWidget *m_stack;
    DockHead *m_head;
    DockRail *m_rail;
    ActionButton *m_fold = nullptr;
    ActionButton *m_hide = nullptr;
    ActionButton *m_unfold = nullptr;
    int m_least = 200;
    int m_usual = 248;
    bool m_isFolded = false;
};

} // namespace warpwright
