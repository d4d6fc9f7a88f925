// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/proposal_face.h"

#include "app/ide/review/proposal_figures.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

constexpr int pad = 12;
constexpr int checksHeight = 30;
constexpr int cellsHeight = 50;
constexpr int rowHeight = 24;

struct CheckLook {
    const char *icon;
    const char *ink;
    const char *ground;
};

CheckLook lookOf(ProposalView::Check::State state) {
    switch (state) {
    case ProposalView::Check::Running:
        return {"running", "accent.text", "accent.tint"};
    case ProposalView::Check::Passed:
        return {"pass", "verdict.pass", "verdictBg.pass"};
    case ProposalView::Check::Failed:
        return {"wrong", "verdict.wrong", "verdictBg.wrong"};
    case ProposalView::Check::NotRun:
        return {"not-run", "verdict.notRun", "verdictBg.notRun"};
    }
    return {"not-run", "verdict.notRun", "verdictBg.notRun"};
}

/// What stands in the number's place; the label below says what it is about.
QString shortWords(const ShownFigure &figure) {
    switch (figure.state) {
    case ShownFigure::Measuring:
        return figure.spread.isEmpty() ? ProposalFace::tr("running") : figure.spread;
    case ShownFigure::Hidden:
        return ProposalFace::tr("hidden");
    case ShownFigure::Unexercised:
        return ProposalFace::tr("not exercised");
    case ShownFigure::Failed:
        return figure.value;
    default:
        return figure.value.isEmpty() ? ProposalFace::tr("not yet") : figure.value;
    }
}

/// A difference in time that is surely one, and upwards.
bool isSlower(const ShownFigure &figure) {
    return figure.state == ShownFigure::Known && (figure.isSlower || figure.value.startsWith(u'+'));
}

QString labelOf(const ShownFigure &figure, const QString &label) {
    return figure.state == ShownFigure::Noise         ? ProposalFace::tr("≈ noise")
           : isSlower(figure)                         ? ProposalFace::tr("%1: slower").arg(label)
           : figure.state == ShownFigure::Measuring   ? ProposalFace::tr("measuring")
           : figure.state == ShownFigure::Unexercised ? ProposalFace::tr("on this device")
                                                      : label;
}

} // namespace

ProposalFace::ProposalFace(const Look &look, QWidget *parent) : QWidget(parent), m_look(look), m_table(look) {
    setObjectName(QStringLiteral("proposalFace"));
    setMouseTracking(true);
    setMinimumWidth(look.px(200));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, &ProposalFace::fit);
}

void ProposalFace::setProposal(const ProposalView &proposal) {
    if (proposal == m_proposal)
        return;
    m_proposal = proposal;
    QStringList words;
    for (const ProposalView::Check &check : proposal.checks)
        words << check.words + (proposal.isAsProposed ? tr(", as proposed") : QString());
    words << tr("measured %1").arg(figureWords(proposal.measured))
          << tr("predicted %1").arg(figureWords(proposal.predicted))
          << tr("resulting time %1").arg(figureWords(proposal.wouldBe));
    for (const ProposalView::Hunk &hunk : proposal.hunks)
        words << tr("hunk %1, %2: only this hunk %3, without this hunk %4")
                         .arg(QString::number(hunk.number), hunk.title, figureWords(hunk.alone),
                              figureWords(hunk.allBut)) +
                     (hunk.together.isEmpty() ? QString() : QStringLiteral(", ") + hunk.together) +
                     (hunk.answer.isEmpty() ? QString() : QStringLiteral(", ") + hunk.answer);
    if (!proposal.baseRemark.isEmpty())
        words << proposal.baseRemark;
    for (const auto &[name, value] : proposal.resources)
        words << name + QStringLiteral(" ") + value;
    setAccessibleName(words.join(QStringLiteral("; ")));
    m_table.setHunks(proposal.hunks, proposal.unit);
    fit();
}

void ProposalFace::fit() {
    m_table.layOut(width());
    setFixedHeight(draw(nullptr, width()));
    update();
}

void ProposalFace::resizeEvent(QResizeEvent *event) {
    if (event->oldSize().width() != event->size().width())
        fit();
}

int ProposalFace::draw(QPainter *painter, int width) const {
    int top = drawChecks(painter, 0, width);
    top = drawCells(painter, top, width);
    if (painter != nullptr)
        m_table.draw(*painter, top, m_hovered);
    return drawResources(painter, top + m_table.height(), width);
}

std::vector<QRect> ProposalFace::checkBoxes(int top, int width) const {
    const QFontMetrics metrics(m_look.font(TextRole::Small, QFont::DemiBold));
    const int tall = m_look.px(22);
    int x = m_look.px(pad);
    std::vector<QRect> boxes;
    for (const ProposalView::Check &check : m_proposal.checks) {
        const int wide = m_look.px(17 + 14) + metrics.horizontalAdvance(check.words);
        if (x > m_look.px(pad) && x + wide > width - m_look.px(pad)) {
            x = m_look.px(pad);
            top += tall + m_look.px(4);
        }
        boxes.emplace_back(x, top, wide, tall);
        x += wide + m_look.px(6);
    }
    return boxes;
}

int ProposalFace::drawChecks(QPainter *painter, int top, int width) const {
    const std::vector<QRect> boxes = checkBoxes(top, width);
    if (boxes.empty())
        return top;
    if (painter != nullptr) {
        const QFont font = m_look.font(TextRole::Small, QFont::DemiBold);
        const int icon = m_look.px(14);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const ProposalView::Check &check = m_proposal.checks[i];
            const QRect &box = boxes[i];
            CheckLook look = lookOf(check.state);
            if (m_proposal.isAsProposed && check.state != ProposalView::Check::Running) {
                look.ink = "verdict.stale"; // it is no verdict on the text that would be written
                look.ground = "verdictBg.stale";
            }
            drawBox(painter, box, m_look.px(4), m_look.color(look.ground), {});
            m_look.icon(QLatin1String(look.icon), m_look.color(look.ink))
                .paint(painter,
                       QRect(box.left() + m_look.px(6), box.top() + (box.height() - icon) / 2, icon, icon));
            painter->setFont(font);
            painter->setPen(m_look.color(look.ink));
            painter->drawText(box.adjusted(m_look.px(11) + icon, 0, 0, 0), Qt::AlignVCenter, check.words);
        }
    }
    return boxes.back().top() + m_look.px(checksHeight);
}

QString ProposalFace::checkAt(const QPoint &point) const {
    const std::vector<QRect> boxes = checkBoxes(0, width());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].contains(point))
            return m_proposal.checks[i].page;
    return {};
}

int ProposalFace::drawCells(QPainter *painter, int top, int width) const {
    struct Cell {
        const ShownFigure *figure;
        QString label;
    };
    const std::array<Cell, 3> cells{
        {{&m_proposal.measured, m_proposal.isAsProposed ? tr("as proposed") : tr("measured")},
         {&m_proposal.predicted, tr("predicted")},
         {&m_proposal.wouldBe, tr("resulting time")}}};
    QFont strong = m_look.font(TextRole::Headline, QFont::DemiBold);
    QFont small = m_look.font(TextRole::Small);
    const auto widthOf = [&](const ShownFigure &figure) {
        return figure.state == ShownFigure::Known || figure.state == ShownFigure::Noise
                   ? QFontMetrics(strong).horizontalAdvance(figure.value) + m_look.px(4) +
                         QFontMetrics(small).horizontalAdvance(figure.spread)
                   : m_look.px(20) + QFontMetrics(small).horizontalAdvance(shortWords(figure));
    };
    // As wide as their contents ask for, what is left shared alike; where it is narrow in smaller letters.
    std::array<int, 3> widths{};
    int asked = 0;
    for (const bool isSmall : {false, true}) {
        asked = 0;
        if (isSmall) {
            strong = m_look.font(TextRole::Body, QFont::DemiBold);
            small = m_look.font(TextRole::Axis);
        }
        for (std::size_t i = 0; i < cells.size(); ++i)
            asked += widths[i] =
                m_look.px(isSmall ? pad + 2 : pad + 8) +
                std::max(widthOf(*cells[i].figure),
                         QFontMetrics(small).horizontalAdvance(labelOf(*cells[i].figure, cells[i].label)));
        if (asked <= width)
            break;
    }
    // And where even these would be cut, below each other.
    const bool isStacked = asked > width;
    const int line = m_look.px(rowHeight);
    const int tall = isStacked ? 3 * line : m_look.px(cellsHeight);
    if (painter == nullptr)
        return top + tall;
    painter->fillRect(0, top, width, 1, m_look.color("border.subtle"));
    painter->fillRect(0, top + tall, width, 1, m_look.color("border.subtle"));
    if (isStacked) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const ShownFigure &figure = *cells[i].figure;
            const QRect row(m_look.px(pad), top + static_cast<int>(i) * line, width - 2 * m_look.px(pad),
                            line);
            painter->setFont(small);
            painter->setPen(m_look.color("text.secondary"));
            painter->drawText(row, Qt::AlignVCenter | Qt::AlignLeft, labelOf(figure, cells[i].label));
            painter->setPen(m_look.color(isSlower(figure) ? "verdict.wrong" : "text.primary"));
            painter->drawText(row, Qt::AlignVCenter | Qt::AlignRight, tableWords(figure));
        }
        return top + tall;
    }
    const int more = (width - asked) / 3;
    int x = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ShownFigure &figure = *cells[i].figure;
        const int wide = i + 1 == cells.size() ? width - x : widths[i] + more;
        if (i > 0)
            painter->fillRect(x, top, 1, tall, m_look.color("border.subtle"));
        const int left = x + m_look.px(i == 0 ? pad : 10);
        const QRect upper(left, top + m_look.px(6), x + wide - left, m_look.px(21));
        const QRect lower(left, top + m_look.px(28), x + wide - left, m_look.px(16));
        if (figure.state == ShownFigure::Known || figure.state == ShownFigure::Noise) {
            painter->setFont(strong);
            const bool isNoise = figure.state == ShownFigure::Noise;
            painter->setPen(m_look.color(isNoise            ? "verdict.inconclusive"
                                         : isSlower(figure) ? "verdict.wrong"
                                                            : "text.primary"));
            painter->drawText(upper, Qt::AlignVCenter, figure.value);
            const int used = painter->fontMetrics().horizontalAdvance(figure.value) + m_look.px(4);
            painter->setFont(small);
            painter->setPen(m_look.color("text.secondary"));
            painter->drawText(upper.adjusted(used, m_look.px(2), 0, 0), Qt::AlignVCenter, figure.spread);
        } else {
            painter->setFont(small);
            drawFigure(*painter, figure, upper);
        }
        painter->setFont(small);
        painter->setPen(
            m_look.color(figure.state == ShownFigure::Noise ? "verdict.inconclusive" : "text.secondary"));
        painter->drawText(lower, Qt::AlignVCenter, labelOf(figure, cells[i].label));
        x += wide;
    }
    return top + tall;
}

/// What is no number yet, with its icon; left-aligned.
void ProposalFace::drawFigure(QPainter &painter, const ShownFigure &figure, const QRect &rect) const {
    const bool isRunning = figure.state == ShownFigure::Measuring;
    const int icon = m_look.px(14);
    const char *ink = isRunning ? "accent.text" : "text.tertiary";
    m_look
        .icon(isRunning                             ? QStringLiteral("running")
              : figure.state == ShownFigure::Hidden ? QStringLiteral("review")
                                                    : QStringLiteral("not-run"),
              m_look.color(ink))
        .paint(&painter, rect.left(), rect.center().y() - icon / 2, icon, icon);
    painter.setPen(m_look.color(ink));
    painter.drawText(rect.adjusted(icon + m_look.px(5), 0, 0, 0), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(shortWords(figure), Qt::ElideRight,
                                                      rect.width() - icon - m_look.px(5)));
}

int ProposalFace::tableTop(int width) const {
    return drawCells(nullptr, drawChecks(nullptr, 0, width), width);
}

int ProposalFace::drawResources(QPainter *painter, int top, int width) const {
    if (m_proposal.resources.empty())
        return top;
    const int row = m_look.px(rowHeight + 4);
    const QFont small = m_look.font(TextRole::Small);
    const QFont strong = m_look.font(TextRole::Small, QFont::Medium);
    if (painter != nullptr)
        painter->fillRect(0, top, width, 1, m_look.color("border.subtle"));
    int x = m_look.px(pad);
    for (const auto &[name, value] : m_proposal.resources) {
        const int first = QFontMetrics(small).horizontalAdvance(name + QLatin1Char(' '));
        const int second = QFontMetrics(strong).horizontalAdvance(value);
        if (x > m_look.px(pad) && x + first + second > width - m_look.px(pad)) {
            x = m_look.px(pad);
            top += m_look.px(18);
        }
        if (painter != nullptr) {
            painter->setFont(small);
            painter->setPen(m_look.color("text.secondary"));
            painter->drawText(QRect(x, top, width, row), Qt::AlignVCenter, name);
            painter->setFont(strong);
            painter->setPen(m_look.color("text.primary"));
            painter->drawText(QRect(x + first, top, width, row), Qt::AlignVCenter, value);
        }
        x += first + second + m_look.px(10);
    }
    return top + row;
}

int ProposalFace::hunkAt(const QPoint &point) const {
    return m_table.hunkAt(point.y() - tableTop(width()));
}

void ProposalFace::paintEvent(QPaintEvent *event) {
    QPainter painter(this);
    painter.setClipRect(event->rect());
    draw(&painter, width());
}

void ProposalFace::mousePressEvent(QMouseEvent *event) {
    if (const QString page = checkAt(event->pos()); !page.isEmpty())
        return emit checkPicked(page);
    if (const int row = hunkAt(event->pos()); row >= 0)
        emit hunkPicked(m_proposal.hunks[static_cast<std::size_t>(row)].id);
}

void ProposalFace::mouseMoveEvent(QMouseEvent *event) {
    if (checkAt(event->pos()).isEmpty())
        unsetCursor();
    else
        setCursor(Qt::PointingHandCursor);
    const int now = hunkAt(event->pos());
    if (std::exchange(m_hovered, now) != now)
        update();
}

void ProposalFace::leaveEvent(QEvent *) {
    if (std::exchange(m_hovered, -1) != -1)
        update();
}

bool ProposalFace::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const QString page = checkAt(help->pos()); !page.isEmpty()) {
        QToolTip::showText(help->globalPos(),
                           toolTipText((m_proposal.isAsProposed
                                            ? tr("Of the proposal as it was made; your answers leave some of "
                                                 "it out, and what is written is checked again.\n")
                                            : QString()) +
                                       (page == QLatin1String("verify") ? tr("Click to see it under Verify.")
                                                                        : tr("Click to see it under "
                                                                             "Compile."))),
                           this);
        return true;
    }
    const int row = hunkAt(help->pos());
    if (row < 0) {
        QToolTip::hideText();
        return true;
    }
    const ProposalView::Hunk &hunk = m_proposal.hunks[static_cast<std::size_t>(row)];
    QToolTip::showText(
        help->globalPos(),
        toolTipText(tr("%1%5\n%4only this hunk: %2\nwithout this hunk: %3\nClick to see it.")
                        .arg(hunk.title, figureWords(hunk.alone), figureWords(hunk.allBut),
                             hunk.answer.isEmpty() ? QString() : hunk.answer + QLatin1Char('\n'),
                             hunk.together.isEmpty() ? QString() : QStringLiteral(", ") + hunk.together)),
        this);
    return true;
}

} // namespace warpwright
