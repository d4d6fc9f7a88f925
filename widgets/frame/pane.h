// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QStackedWidget;

namespace warpwright {

class Look;
class TabMenu;
class TabStrip;

/// One room of the window: a head of 32 px with icon, title, tabs and what belongs to its right end; below it
/// pages. While the focus is inside, a 2 px accent line runs along its top.
class Pane : public QFrame {
    Q_OBJECT
public:
    Pane(const Look &look, const QString &iconName, const QString &title, QWidget *parent = nullptr);

    /// Adds a page and its tab; a pane with one page and an empty name shows no tab.
    int addPage(QWidget *page, const QString &name);
    /// One content below tabs that the owner fills through tabs() himself.
    void setContent(QWidget *content);
    [[nodiscard]] QWidget *page(int index) const;
    void setCurrentPage(int index);
    [[nodiscard]] int currentPage() const;
    [[nodiscard]] TabStrip *tabs() const { return m_tabs; }
    /// At the right end of the head.
    void addToHead(QWidget *widget);
    /// Tertiary words at the right end: "read-only". Empty: none.
    void setRemark(const QString &text, const QString &tooltip = {});
    [[nodiscard]] QString title() const;
    /// Its usual one; who has no room for it may set a smaller minimum.
    [[nodiscard]] int leastWidth() const;
    /// Where the tabs find no room beside the title, the icon alone stands for it.
    void setTitleYields();

signals:
    void currentPageChanged(int index);
    void headDoubleClicked();
    void headMenuAsked(const QPoint &globalPosition);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void restyle();
    void makeRoomForTabs();

    const Look &m_look;
    QString m_iconName;
    QWidget *m_head;
    QHBoxLayout *m_headRow;
    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_remark;
    TabStrip *m_tabs;
    TabMenu *m_more;
    QStackedWidget *m_pages;
    bool m_hasFocusInside = false;
    bool m_titleYields = false;
};

/// A section head inside a pane: name in 600, a remark behind it in tertiary; 28 px on bg.bar.
class SectionHead : public QWidget {
    Q_OBJECT
public:
    SectionHead(const Look &look, const QString &title, QWidget *parent = nullptr);
    void setTitle(const QString &title);
    /// `atRight`: at the end of the line instead of behind the title.
    void setRemark(const QString &remark, bool atRight = false);
    /// As it is painted: cut where there is no room before what stands in the head.
    [[nodiscard]] QString shownRemark() const;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    [[nodiscard]] QRect remarkRect() const;

    const Look &m_look;
    QString m_title;
    QString m_remark;
    bool m_isAtRight = false;
};

} // namespace warpwright
