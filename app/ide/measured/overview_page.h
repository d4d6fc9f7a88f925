// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/card.h"
#include "app/ide/measured/overview_rows.h"

namespace warpwright {

class Actions;
class ActionButton;
class SectionHead;

/// One line of the overview; pressed, it leads to its page.
class OverviewLine : public CardButton {
    Q_OBJECT
public:
    OverviewLine(const Look &look, const Actions &actions, QWidget *parent);

    void show(const OverviewRow &row);
    [[nodiscard]] const OverviewRow &row() const { return m_row; }
    /// Where the words of all lines begin.
    void setWordsAt(int x);
    [[nodiscard]] int titleWidth() const;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintFace(QPainter &painter) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    using QWidget::show;
    void place();

    const Actions &m_actions;
    OverviewRow m_row;
    std::vector<ActionButton *> m_buttons; ///< from the right end
    int m_wordsAt = 0;
};

/// All that is known of the shown text at a glance: verdict and speed-up, why it takes its time, and what
/// each of the other pages has, or what would bring it. Every line leads to its page.
class OverviewPage : public QScrollArea {
    Q_OBJECT
public:
    OverviewPage(const Look &look, const Actions &actions, QWidget *parent = nullptr);

    /// Below the verdict, where the page is large enough that the lines stay in sight. The page owns them.
    void setCharts(QWidget *charts);
    [[nodiscard]] bool hasRoomForCharts() const;
    void show(const std::vector<OverviewRow> &rows);
    [[nodiscard]] const std::vector<OverviewRow> &rows() const { return m_rows; }
    using QWidget::show;

signals:
    void pageAsked(const QString &page);
    void roomChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] OverviewLine *makeLine();
    void alignWords();

    const Look &m_look;
    const Actions &m_actions;
    std::vector<OverviewRow> m_rows;
    SectionHead *m_why;
    SectionHead *m_pages;
    QVBoxLayout *m_column;
    QWidget *m_charts = nullptr;
    std::vector<OverviewLine *> m_lines;
};

} // namespace warpwright
