// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/frame/tab_names.h"

#include <QTabBar>

#include <vector>

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
    /// `words`: what it means, for the tooltip.
    void setTabMark(int index, const QString &iconName, const char *token = "text.secondary",
                    const QString &words = {});
    /// A dot after the text: unsaved.
    void setTabDirty(int index, bool isDirty);

    [[nodiscard]] QSize sizeHint() const override;
    /// With the tabs as close as they may stand.
    [[nodiscard]] int leastWidth() const;
    /// Of one tab where room is short, in pixels.
    [[nodiscard]] int leastWidthOf(int index) const;
    /// Where names find no room all but the open one are shortened, in their middle. What tells them apart
    /// stays.
    void setOthersYield();
    /// Not all names are whole.
    [[nodiscard]] bool isCrowded() const { return m_isCrowded; }
    /// The text of that tab as there is room for it.
    [[nodiscard]] QString shownText(int index) const;

signals:
    void crowdedChanged(bool isCrowded);
    /// Other tabs, names or widths.
    void laidOut();

protected:
    bool event(QEvent *event) override;
    void tabLayoutChange() override;
    void paintEvent(QPaintEvent *event) override;
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;

private:
    struct Mark {
        QString icon;
        const char *token = "text.secondary";
        bool isDirty = false;
        QString words;
    };
    struct Name {
        QString text;
        TellingName telling;
        int whole = 0;    ///< px that it takes
        int shortest = 0; ///< and with what tells it from all others
    };
    [[nodiscard]] Mark markOf(int index) const;
    [[nodiscard]] int tabWidth(int index, int padding) const;
    [[nodiscard]] int widthWith(int padding) const; ///< of all
    [[nodiscard]] int padding() const;              ///< at each side of a tab
    [[nodiscard]] int closestPadding() const;
    [[nodiscard]] int mostOfOthers() const;               ///< how wide a tab that is not open may be
    [[nodiscard]] int leastOfOther(int index) const;      ///< how wide it must be, to be told from others
    [[nodiscard]] int besideText(const Mark &mark) const; ///< what stands there, without padding
    [[nodiscard]] const Name &nameOf(int index) const;
    void setMark(int index, const Mark &mark);
    void layOut();

    const Look &m_look;
    bool m_othersYield = false;
    bool m_isCrowded = false;
    mutable std::vector<Name> m_names; ///< as measured at the scale below
    mutable double m_measuredAt = 0;
};

} // namespace warpwright
