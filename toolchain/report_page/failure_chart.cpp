// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/failure_map/failure_pattern.h"
#include "toolchain/report_page/charts.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr double width = 960;
constexpr double left = 120;
constexpr double mapWidth = 640;
constexpr int mostRows = 32;
constexpr int mostColumns = 64;

QString count(qint64 number) {
    return numberText(static_cast<double>(number));
}

/// Several blocks of a picture as one.
struct Tile {
    qint64 wrong = 0;
    qint64 nan = 0;
    double ratio = 0;

    void add(const FailureCell &cell) {
        wrong += cell.wrong;
        nan += cell.nan;
        if (cell.wrong > cell.nan)
            ratio = std::max(ratio, cell.ratio);
    }
    /// 0: nothing is wrong; 1 to 4: up to 10, 10³, 10⁵ times what is allowed, and more; 5: mostly NaN.
    [[nodiscard]] int level() const {
        return wrong == 0        ? 0
               : nan * 2 > wrong ? 5
               : ratio <= 10     ? 1
               : ratio <= 1e3    ? 2
               : ratio <= 1e5    ? 3
                                 : 4;
    }
};

const char *const levelWords[] = {
    "right", "to 10 times what is allowed", "to 10³ times", "to 10⁵ times", "above that", "mostly NaN"};
const char *const levelClasses[] = {"", "t1", "t2", "t3", "t4", "t5"};

QString rangeText(const OutputFailure &output, std::size_t axis, qint64 block, int first, int end) {
    const qint64 from = block * first;
    const qint64 to = std::min(block * end, output.axes[axis].size) - 1;
    return output.placeText(axis, from, to);
}

class FailureChart {
public:
    FailureChart(Markup &page, const OutputFailure &output, const FailurePicture &picture)
        : m_page(page), m_output(output), m_picture(picture) {
        m_down = (picture.rows + mostRows - 1) / mostRows;
        m_across = (picture.columns + mostColumns - 1) / mostColumns;
        m_rows = (picture.rows + m_down - 1) / m_down;
        m_columns = (picture.columns + m_across - 1) / m_across;
        m_cellWidth = mapWidth / m_columns;
        m_cellHeight = std::clamp(320.0 / m_rows, 8.0, 20.0);
    }

    void draw(const QString &label) {
        const double height = m_cellHeight * m_rows;
        beginChart(m_page, width, height + 64, label);
        m_page.mark("rect", {{"class", "frame"},
                             {"x", placeText(left)},
                             {"y", "4"},
                             {"width", placeText(mapWidth)},
                             {"height", placeText(height)}});
        for (int row = 0; row < m_rows; ++row)
            drawRow(row);
        drawAxes(height);
        drawLegend();
        endChart(m_page);
    }

private:
    [[nodiscard]] Tile tileAt(int row, int column) const {
        Tile tile;
        for (int r = row * m_down; r < std::min((row + 1) * m_down, m_picture.rows); ++r)
            for (int c = column * m_across; c < std::min((column + 1) * m_across, m_picture.columns); ++c)
                tile.add(m_picture.at(r, c));
        return tile;
    }

    // Neighbours of one level are one rectangle.
    void drawRow(int row) {
        for (int column = 0; column < m_columns;) {
            Tile all = tileAt(row, column);
            const int level = all.level();
            int end = column + 1;
            while (end < m_columns && tileAt(row, end).level() == level) {
                const Tile next = tileAt(row, end++);
                all.wrong += next.wrong;
                all.nan += next.nan;
                all.ratio = std::max(all.ratio, next.ratio);
            }
            if (level > 0)
                drawRun(row, column, end, all, level);
            column = end;
        }
    }

    void drawRun(int row, int column, int end, const Tile &tile, int level) {
        m_page.begin("rect", {{"class", QLatin1String(levelClasses[level])},
                              {"x", placeText(left + m_cellWidth * column)},
                              {"y", placeText(4 + m_cellHeight * row)},
                              {"width", placeText(m_cellWidth * (end - column))},
                              {"height", placeText(m_cellHeight)}});
        QString words = rangeText(m_output, m_picture.columnAxis, m_picture.columnBlock, column * m_across,
                                  std::min(end * m_across, m_picture.columns));
        if (m_picture.rowAxis != m_picture.columnAxis)
            words = rangeText(m_output, m_picture.rowAxis, m_picture.rowBlock, row * m_down,
                              std::min((row + 1) * m_down, m_picture.rows)) +
                    QStringLiteral(", ") + words;
        words += QStringLiteral(": %1 wrong").arg(count(tile.wrong));
        if (tile.nan > 0)
            words += QStringLiteral(", %1 NaN").arg(count(tile.nan));
        if (tile.ratio > 0 && std::isfinite(tile.ratio))
            words +=
                QStringLiteral(", worst %1 times what is allowed").arg(QString::number(tile.ratio, 'g', 2));
        m_page.add("title", words);
        m_page.end();
    }

    void drawAxes(double height) {
        const qint64 columns = m_output.axes[m_picture.columnAxis].size;
        m_page.add("text", {{"x", placeText(left)}, {"y", placeText(height + 18)}}, QStringLiteral("0"));
        m_page.add("text", {{"class", "e"}, {"x", placeText(left + mapWidth)}, {"y", placeText(height + 18)}},
                   count(columns - 1));
        m_page.add("text",
                   {{"class", "m"}, {"x", placeText(left + mapWidth / 2)}, {"y", placeText(height + 18)}},
                   m_output.axisWord(m_picture.columnAxis, 2));
        if (m_picture.rowAxis == m_picture.columnAxis)
            return;
        m_page.add("text", {{"class", "e"}, {"x", placeText(left - 6)}, {"y", "14"}}, QStringLiteral("0"));
        m_page.add("text", {{"class", "e"}, {"x", placeText(left - 6)}, {"y", placeText(height + 2)}},
                   count(m_output.axes[m_picture.rowAxis].size - 1));
        m_page.add("text", {{"class", "e"}, {"x", placeText(left - 6)}, {"y", placeText(height / 2 + 8)}},
                   m_output.axisWord(m_picture.rowAxis, 2));
    }

    void drawLegend() {
        double y = 14;
        for (int level = 1; level <= 5; ++level) {
            m_page.mark("rect", {{"class", QLatin1String(levelClasses[level])},
                                 {"x", placeText(left + mapWidth + 16)},
                                 {"y", placeText(y - 9)},
                                 {"width", "12"},
                                 {"height", "10"}});
            m_page.add("text", {{"x", placeText(left + mapWidth + 34)}, {"y", placeText(y)}},
                       QString::fromUtf8(levelWords[level]));
            y += 16;
        }
    }

    Markup &m_page;
    const OutputFailure &m_output;
    const FailurePicture &m_picture;
    int m_down = 1; ///< blocks of the picture in one row of tiles
    int m_across = 1;
    int m_rows = 1;
    int m_columns = 1;
    double m_cellWidth = 1;
    double m_cellHeight = 1;
};

} // namespace

void drawFailureMap(Markup &page, const OutputFailure &output, int round) {
    const std::vector<FailurePattern> patterns = patternsOf(output);
    page.paragraph(QStringLiteral("%1, %2 %3, round %4: %5 of %6 elements are wrong; %7.")
                       .arg(output.name, output.dtype, indexText(output.sizes))
                       .arg(round)
                       .arg(count(output.wrong), count(output.elements),
                            patterns.empty() ? QStringLiteral("no pattern")
                                             : QStringLiteral("pattern: ") + patterns.front().name));
    for (const FailurePattern &pattern : patterns)
        page.paragraph(pattern.sentence);
    if (output.axes.empty())
        return;
    const auto axes = shownAxes(output);
    const FailurePicture picture = pictureOf(output, axes.first, axes.second);
    if (picture.cells.empty())
        return page.paragraph(QStringLiteral("No picture of it was stored."), "faint");
    FailureChart(page, output, picture)
        .draw(QStringLiteral("Where %1 is wrong, by the error over what is allowed").arg(output.name));
}

} // namespace warpwright
