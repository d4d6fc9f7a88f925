// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/overview_page.h"

#include "app/ide/kit/actions.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/pane.h"

#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpwright {

OverviewLine::OverviewLine(const Look &look, const Actions &actions, QWidget *parent)
    : CardButton(look, false, parent), m_actions(actions) {
    connect(&look, &Look::changed, this, &OverviewLine::place);
}

void OverviewLine::show(const OverviewRow &row) {
    const OverviewRow before = std::exchange(m_row, row);
    setObjectName(QStringLiteral("overview-") + row.page);
    QStringList said{row.title, row.words, row.value};
    said.removeAll(QString());
    setAccessibleName(said.join(QStringLiteral(", ")));
    setToolTip(row.words);
    if (before.wanted != row.wanted) {
        for (ActionButton *button : std::exchange(m_buttons, {})) {
            button->hide();
            button->deleteLater(); // the click that ends it may be its own
        }
        for (QAction *action : m_actions.all()) {
            if (!row.wanted.contains(action->objectName()))
                continue;
            auto *button = new ActionButton(look(), ActionButton::Kind::Plain, this);
            button->setSmall(true);
            button->setAction(action);
            button->setIconName(action->property("iconName").toString());
            button->show();
            m_buttons.push_back(button);
        }
        place();
    }
    update();
}

void OverviewLine::setWordsAt(int x) {
    if (std::exchange(m_wordsAt, x) != x)
        update();
}

int OverviewLine::titleWidth() const {
    return QFontMetrics(look().font(TextRole::Small, QFont::DemiBold)).horizontalAdvance(m_row.title);
}

QSize OverviewLine::sizeHint() const {
    return {look().px(240), look().px(m_row.part == OverviewRow::Part::Verdict ? 40 : 30)};
}

void OverviewLine::place() {
    int right = width() - look().px(12);
    // The name of the line comes first: in a narrow pane a button elides, its tool tip says it all.
    const int least = look().px(12 + 26) + titleWidth() + look().px(8);
    for (ActionButton *button : m_buttons) {
        const QSize hint = button->sizeHint();
        button->resize(std::min(hint.width(), std::max(look().px(60), right - least)), hint.height());
        button->setProperty("elides", button->width() < hint.width());
        button->move(right - button->width(), (height() - button->height()) / 2);
        right = button->x() - look().px(8);
    }
}

void OverviewLine::resizeEvent(QResizeEvent *event) {
    CardButton::resizeEvent(event);
    place();
}

void OverviewLine::paintFace(QPainter &painter) {
    const bool isVerdict = m_row.part == OverviewRow::Part::Verdict;
    const int centre = height() / 2;
    const int margin = look().px(12);
    painter.fillRect(0, height() - 1, width(), 1, look().color("border.subtle"));
    drawIcon(painter, m_row.icon, margin, centre, isVerdict ? 18 : 14,
             m_row.isQuiet ? "text.tertiary" : m_row.token);
    const int titleAt = margin + look().px(26);
    int right = (m_buttons.empty() ? width() - margin : m_buttons.back()->x() - look().px(8));
    const TextRole role = isVerdict ? TextRole::Body : TextRole::Small;
    const int least = titleAt + look().px(90); // a title is told before a value
    if (!m_row.value.isEmpty()) {
        painter.setFont(look().font(role, QFont::DemiBold));
        const int valueAt = right - painter.fontMetrics().horizontalAdvance(m_row.value);
        if (valueAt > least) {
            drawLine(painter, m_row.value, valueAt, right + 2, centre, role,
                     m_row.isQuiet ? "text.tertiary" : "text.primary", QFont::DemiBold);
            right = valueAt - look().px(12);
        }
    }
    const int reached = drawLine(painter, m_row.title, titleAt, right, centre, role,
                                 m_row.isQuiet ? "text.secondary" : "text.primary", QFont::DemiBold);
    const bool isInColumn = m_row.part == OverviewRow::Part::Pages;
    const int wordsAt = std::max(reached + look().px(10), isInColumn ? m_wordsAt : 0);
    if (right - wordsAt > look().px(40))
        drawLine(painter, m_row.words, wordsAt, right, centre, TextRole::Small,
                 m_row.isQuiet ? "text.tertiary" : "text.secondary");
}

OverviewPage::OverviewPage(const Look &look, const Actions &actions, QWidget *parent)
    : QScrollArea(parent),
      m_look(look),
      m_actions(actions),
      m_why(new SectionHead(look, tr("Why"))),
      m_pages(new SectionHead(look, tr("What is known"))) {
    setObjectName(QStringLiteral("overviewPage"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    verticalScrollBar()->setSingleStep(look.px(30));
    auto *content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(m_why);
    m_column->addWidget(m_pages);
    m_column->addStretch(1);
    m_pages->setRemark(tr("each line leads to its page"));
    setWidget(content);
    content->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    connect(&look, &Look::changed, this, &OverviewPage::alignWords);
}

OverviewLine *OverviewPage::makeLine() {
    auto *line = new OverviewLine(m_look, m_actions, widget());
    connect(line, &QAbstractButton::clicked, this, [this, line] { emit pageAsked(line->row().page); });
    return line;
}

// Lines are used again, so that the focus stays where it is while numbers change.
void OverviewPage::show(const std::vector<OverviewRow> &rows) {
    if (rows == m_rows)
        return;
    m_rows = rows;
    while (m_lines.size() > rows.size()) {
        m_lines.back()->hide();
        m_lines.back()->deleteLater();
        m_lines.pop_back();
    }
    while (m_lines.size() < rows.size())
        m_lines.push_back(makeLine());
    for (QWidget *widget : std::initializer_list<QWidget *>{m_why, m_pages, m_charts})
        if (widget != nullptr)
            m_column->removeWidget(widget);
    bool isWrong = false;
    bool hasHints = false;
    int at = 0;
    OverviewRow::Part part = OverviewRow::Part::Verdict;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        m_column->removeWidget(m_lines[i]);
        if (rows[i].part != part && rows[i].part == OverviewRow::Part::Why) {
            m_column->insertWidget(at++, m_why);
        } else if (rows[i].part != part) {
            m_column->insertWidget(at++, m_pages);
        }
        part = rows[i].part;
        if (part == OverviewRow::Part::Why)
            (rows[i].page == QLatin1String("verify") ? isWrong : hasHints) = true;
        m_lines[i]->show(rows[i]);
        m_lines[i]->updateGeometry();
        m_column->insertWidget(at++, m_lines[i]);
        m_lines[i]->setVisible(true);
        if (i == 0 && m_charts != nullptr)
            m_column->insertWidget(at++, m_charts);
    }
    // Where a wrong result is wrong is what the verdict is of, and no hint.
    m_why->setRemark(!isWrong   ? tr("the largest gain first; hints, no part of the verdict")
                     : hasHints ? tr("where the result is wrong; then hints, no part of the verdict")
                                : tr("where the result is wrong"));
    m_why->setVisible(isWrong || hasHints);
    alignWords();
}

void OverviewPage::setCharts(QWidget *charts) {
    m_charts = charts;
    m_column->insertWidget(0, charts);
    charts->setVisible(hasRoomForCharts());
}

bool OverviewPage::hasRoomForCharts() const {
    return height() >= m_look.px(580) && width() >= m_look.px(640);
}

void OverviewPage::resizeEvent(QResizeEvent *event) {
    QScrollArea::resizeEvent(event);
    if (m_charts == nullptr)
        return;
    m_charts->setFixedHeight(std::clamp(height() - m_look.px(400), m_look.px(220), m_look.px(340)));
    if (m_charts->isHidden() == hasRoomForCharts()) {
        m_charts->setVisible(hasRoomForCharts());
        emit roomChanged();
    }
}

void OverviewPage::alignWords() {
    int widest = 0;
    for (const OverviewLine *line : m_lines)
        if (line->row().part == OverviewRow::Part::Pages)
            widest = std::max(widest, line->titleWidth());
    for (OverviewLine *line : m_lines)
        line->setWordsAt(m_look.px(12 + 26 + 10) + widest);
}

void OverviewPage::paintEvent(QPaintEvent *) {
    QPainter(viewport()).fillRect(viewport()->rect(), m_look.color("bg.pane"));
}

} // namespace warpwright
