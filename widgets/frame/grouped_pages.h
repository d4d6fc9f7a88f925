// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QStackedWidget;

namespace warpwright {

class Look;
class TabStrip;

/// Pages that share one tab of a pane: their names in a row of their own, below it the open one. So a pane
/// with many pages keeps all of its tabs in sight.
class GroupedPages : public QWidget {
    Q_OBJECT
public:
    /// `name`: of the group, for screen readers.
    GroupedPages(const Look &look, const QString &name, QWidget *parent = nullptr);

    void addPage(QWidget *page, const QString &name);
    [[nodiscard]] QWidget *page(int index) const;
    [[nodiscard]] int indexOf(const QWidget *page) const;
    void setCurrentPage(int index);
    [[nodiscard]] int currentPage() const;

signals:
    void currentPageChanged(int index);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Look &m_look;
    TabStrip *m_tabs;
    QStackedWidget *m_pages;
};

} // namespace warpwright
