// SPDX-License-Identifier: GPL-3.0-or-later
// What a FailureMapView paints; where it lies is found in failure_map_view.cpp.
#include "profiler_views/failure_map/failure_map_view.h"

#include "profiler_views/series_paint.h"
#include "toolchain/base/figures.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"
#include "widgets/plot/plot_marks.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr double leastGapped = 5; ///< px: smaller tiles touch each other
constexpr int leastFilled = 3;    ///< px of a tile, and with its gap 2 are seen

QColor colorOf(const Look &look, FailureMapModel::Level level) {
    if (level == FailureMapModel::Within)
        return look.color("bg.pane");
    return look.theme().heat()[static_cast<std::size_t>(level) - 1];
}

} // namespace

// As much of a tile, from below, as is wrong in it: one element of ten thousand is a line, and not all of it.
QRectF FailureMapView::filledPart(const QRectF &tile, double share) const {
    const double least = std::min<double>(tile.height(), m_look.px(leastFilled));
    QRectF part = tile;
    part.setTop(tile.bottom() - std::max(least, tile.height() * std::clamp(share, 0.0, 1.0)));
    return part;
}

void FailureMapView::draw(QPainter &painter) {
    if (m_failure.picture().cells.empty())
        return;
    drawTiles(painter);
    drawBreaks(painter);
    if (m_failure.picture().rowAxis != m_failure.picture().columnAxis)
        drawLabels(painter, true);
    drawLabels(painter, false);
    drawLegend(painter);
}

void FailureMapView::drawTiles(QPainter &painter) {
    const FailurePicture &picture = m_failure.picture();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(m_area, m_look.color("bg.pane"));
    const bool hasGaps = m_area.width() / picture.columns >= m_look.px(leastGapped) &&
                         m_area.height() / picture.rows >= m_look.px(leastGapped);
    for (int row = 0; row < picture.rows; ++row) {
        for (int column = 0; column < picture.columns; ++column) {
            const int tile = row * picture.columns + column;
            const FailureMapModel::Level level = FailureMapModel::levelOf(picture.at(row, column));
            if (level == FailureMapModel::Within)
                continue;
            const auto filled = [this](int of) {
                return filledPart(tileRect(of), m_failure.wrongShare(of));
            };
            QRectF rect = filled(tile);
            if (level != FailureMapModel::NoNumber) {
                painter.fillRect(hasGaps ? rect.adjusted(0, 0, -m_look.px(1), -m_look.px(1)) : rect,
                                 isStale() ? m_look.color("bg.hover") : colorOf(m_look, level));
                continue;
            }
            // Neighbours in a row of which as much is wrong are hatched as one.
            int last = column;
            while (last + 1 < picture.columns &&
                   FailureMapModel::levelOf(picture.at(row, last + 1)) == FailureMapModel::NoNumber &&
                   qFuzzyCompare(filled(row * picture.columns + last + 1).height(), rect.height()))
                ++last;
            rect.setRight(tileRect(row * picture.columns + last).right());
            drawHatched(painter, rect, m_look.color("bg.pane"), inkOf("text.secondary"), m_look.px(6));
            column = last;
        }
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
    painter.drawRect(m_area);
    if (m_selected < 0 || static_cast<std::size_t>(m_selected) >= picture.cells.size())
        return;
    const double width = m_look.px(2);
    painter.setPen(QPen(m_look.color("text.primary"), width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(tileRect(m_selected).adjusted(-width / 2, -width / 2, width / 2, width / 2));
}

/// A line where the first pattern begins or ends.
void FailureMapView::drawBreaks(QPainter &painter) {
    const FailurePicture &picture = m_failure.picture();
    if (m_failure.patterns().empty())
        return;
    painter.setPen(QPen(inkOf("verdict.wrong"), m_look.px(1)));
    for (const FailurePattern::Break &one : m_failure.patterns().front().breaks) {
        const qint64 size = m_failure.failure().axes[one.axis].size;
        for (const qint64 at : {one.first, one.last + 1}) {
            if (at == 0 || at == size)
                continue;
            const double place = static_cast<double>(at);
            if (one.axis == picture.columnAxis) {
                const double x =
                    m_area.left() +
                    m_area.width() * place / static_cast<double>(picture.columnBlock * picture.columns);
                painter.drawLine(QPointF(x, m_area.top() - m_look.px(3)),
                                 QPointF(x, m_area.bottom() + m_look.px(3)));
            } else if (one.axis == picture.rowAxis) {
                const double y = m_area.top() + m_area.height() * place /
                                                    static_cast<double>(picture.rowBlock * picture.rows);
                painter.drawLine(QPointF(m_area.left() - m_look.px(3), y),
                                 QPointF(m_area.right() + m_look.px(3), y));
            }
        }
    }
}

/// The indices at the breaks, then both ends and what has room between them.
void FailureMapView::drawLabels(QPainter &painter, bool areRows) {
    const FailurePicture &picture = m_failure.picture();
    const OutputFailure &failure = m_failure.failure();
    const std::size_t axis = areRows ? picture.rowAxis : picture.columnAxis;
    const qint64 size = failure.axes[axis].size;
    const qint64 block = areRows ? picture.rowBlock : picture.columnBlock;
    const double extent = static_cast<double>(block) * (areRows ? picture.rows : picture.columns);
    painter.setFont(m_look.font(TextRole::Axis));
    const QFontMetricsF metrics = painter.fontMetrics();
    struct Label {
        qint64 index;
        bool isBreak;
    };
    std::vector<Label> labels;
    if (!m_failure.patterns().empty()) {
        for (const FailurePattern::Break &one : m_failure.patterns().front().breaks) {
            if (one.axis != axis)
                continue;
            if (one.first > 0)
                labels.push_back({one.first, true});
            if (one.last + 1 < size)
                labels.push_back({one.last, true});
        }
    }
    for (const qint64 index : {qint64{0}, size - 1, size / 2, size / 4, size / 4 * 3})
        labels.push_back({index, false});
    std::vector<std::pair<double, double>> taken;
    for (const Label &label : labels) {
        const QString text = numberText(static_cast<double>(label.index));
        const double share = static_cast<double>(label.index) / extent;
        const double room = areRows ? metrics.height() : metrics.horizontalAdvance(text) + m_look.px(8);
        const double low =
            areRows ? m_area.top() + m_area.height() * share : m_area.left() + m_area.width() * share;
        const double least = (areRows ? m_area.top() : m_area.left()) + (areRows ? 0 : room / 2);
        const double most = (areRows ? m_area.bottom() : m_area.right()) - (areRows ? 0 : room / 2);
        const double middle = std::clamp(low, least, std::max(least, most));
        const bool isTaken = std::any_of(taken.begin(), taken.end(), [&](const auto &other) {
            return middle - room / 2 < other.second && middle + room / 2 > other.first;
        });
        if (isTaken)
            continue;
        taken.emplace_back(middle - room / 2, middle + room / 2);
        painter.setFont(m_look.font(TextRole::Axis, label.isBreak ? QFont::DemiBold : QFont::Normal));
        const QColor color = label.isBreak ? inkOf("verdict.wrong") : m_look.color("text.tertiary");
        if (areRows)
            drawWord(painter, m_look, QPointF(m_area.left() - m_look.px(6), middle),
                     Qt::AlignRight | Qt::AlignVCenter, text, color, false);
        else
            drawWord(painter, m_look, QPointF(middle, m_area.bottom() + m_look.px(5)),
                     Qt::AlignHCenter | Qt::AlignTop, text, color, false);
    }
    painter.setFont(m_look.font(TextRole::Axis));
    const QString title = block > 1 ? QStringLiteral("%1 (%2 a tile)")
                                          .arg(failure.axisWord(axis), numberText(static_cast<double>(block)))
                                    : failure.axisWord(axis);
    if (areRows)
        drawWord(painter, m_look, QPointF(0, m_area.top() - m_look.px(4)), Qt::AlignLeft | Qt::AlignBottom,
                 title, m_look.color("text.tertiary"), false);
    else
        drawWord(painter, m_look,
                 QPointF(m_area.center().x(), m_area.bottom() + m_look.px(7) + metrics.height()),
                 Qt::AlignHCenter | Qt::AlignTop, title, m_look.color("text.tertiary"), false);
}

void FailureMapView::drawLegend(QPainter &painter) {
    const OutputFailure &failure = m_failure.failure();
    painter.setFont(m_look.font(TextRole::Small));
    const QFontMetricsF metrics = painter.fontMetrics();
    const double line = metrics.height() + m_look.px(4);
    double y = m_legend.top() + line / 2;
    const auto write = [&](const QString &text, double x, Qt::Alignment alignment, const QColor &color,
                           QFont::Weight weight = QFont::Normal) {
        painter.setFont(m_look.font(TextRole::Small, weight));
        const QString shown = painter.fontMetrics().elidedText(
            text, Qt::ElideMiddle, static_cast<int>(m_legend.right() - (alignment & Qt::AlignRight ? 0 : x)));
        drawWord(painter, m_look, QPointF(x, y), alignment | Qt::AlignVCenter, shown, color, false);
    };
    write(failure.isWhole() ? QStringLiteral("Off by") : QStringLiteral("Error / allowed"), m_legend.left(),
          Qt::AlignLeft, inkOf("text.primary"), QFont::DemiBold);
    for (const QString &words :
         {QStringLiteral("colour: a tile's worst"), QStringLiteral("height: how much is wrong")}) {
        y += line;
        write(words, m_legend.left(), Qt::AlignLeft, inkOf("text.tertiary"));
    }
    const double box = m_look.px(10);
    const double right = std::min(m_legend.right(), m_legend.left() + m_look.px(180));
    for (int at = FailureMapModel::LevelCount; at-- > 0;) {
        const auto level = static_cast<FailureMapModel::Level>(at);
        y += line;
        const QRectF rect(m_legend.left(), std::round(y - box / 2), box, box);
        if (level == FailureMapModel::NoNumber)
            drawHatched(painter, rect, m_look.color("bg.pane"), inkOf("text.secondary"), m_look.px(4));
        else
            painter.fillRect(rect, colorOf(m_look, level));
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
        painter.drawRect(rect);
        write(m_failure.levelName(level), m_legend.left() + m_look.px(18), Qt::AlignLeft,
              inkOf("text.primary"));
        write(percentText(m_failure.levelShare(level)), right, Qt::AlignRight, inkOf("text.secondary"));
    }
    y += line + m_look.px(8);
    if (m_selected < 0 || static_cast<std::size_t>(m_selected) >= m_failure.picture().cells.size())
        return;
    const FailureCell &cell = m_failure.picture().cells[static_cast<std::size_t>(m_selected)];
    if (cell.place < 0) {
        write(QStringLiteral("Selected: nothing is wrong here"), m_legend.left(), Qt::AlignLeft,
              inkOf("text.secondary"));
        return;
    }
    write(QStringLiteral("Selected: %1").arg(indexText(failure.indexOf(cell.place))), m_legend.left(),
          Qt::AlignLeft, inkOf("text.primary"));
    for (const QString &text : m_failure.worstOf(m_selected)) {
        y += line;
        write(text, m_legend.left(), Qt::AlignLeft, inkOf("text.secondary"));
    }
}

} // namespace warpwright
