// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabBar>

namespace warpwright {

class Look;

/// Tabs in a pane's head: text over a 2 px accent line for the open one, an icon where a tab has a verdict to
/// tell. Where a few tabs find no room they stand closer, as close as they must. Keyboard and screen reader
/// as QTabBar gives them.
class TabStrip : public QTabBar {
    Q_OBJECT
public:
    explicit TabStrip(const Look &look, QWidget *parent = nullptr);

    /// An icon of ours before the text, in `token`'s colour; an empty name removes it.
    void setTabMark(int index, const QString &iconName, const char *token = "text.secondary");
    /// A dot after the text: unsaved.
    void setTabDirty(int index, bool isDirty);

    [[nodiscard]] QSize sizeHint() const override;
    /// With the tabs as close as they may stand.
    [[nodiscard]] int leastWidth() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;

private:
    struct Mark {
        QString icon;
        const char *token = "text.secondary";
        bool isDirty = false;
    };
    [[nodiscard]] Mark markOf(int index) const;
    [[nodiscard]] int tabWidth(int index, int padding) const;
    [[nodiscard]] int widthWith(int padding) const; ///< of all
    [[nodiscard]] int padding() const;              ///< at each side of a tab
    void setMark(int index, const Mark &mark);

    const Look &m_look;
};

} // namespace warpwright
