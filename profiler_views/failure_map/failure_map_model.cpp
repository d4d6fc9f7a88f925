// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/failure_map/failure_map_model.h"

#include "profiler_views/value_role.h"
#include "profiler_views/worst_elements_model.h"
#include "toolchain/base/figures.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpwright {
namespace {

QString count(qint64 number) {
    return numberText(static_cast<double>(number));
}

QString rangeText(const OutputFailure &output, std::size_t axis, qint64 block, int place) {
    const qint64 size = output.axes[axis].size;
    const qint64 first = block * place;
    const qint64 last = std::min(first + block, size) - 1;
    return output.placeText(axis, first, last);
}

} // namespace

void FailureMapModel::setFailure(const OutputFailure &output, std::size_t rowAxis, std::size_t columnAxis) {
    beginResetModel();
    m_output = output;
    m_picture = pictureOf(output, rowAxis, columnAxis);
    m_patterns = patternsOf(output);
    m_tiles.clear();
    for (std::size_t i = 0; i < m_picture.cells.size(); ++i) {
        if (m_picture.cells[i].wrong > 0)
            m_tiles.push_back(static_cast<int>(i));
    }
    endResetModel();
}

FailureMapModel::Level FailureMapModel::levelOf(const FailureCell &cell) {
    return cell.wrong == 0      ? Within
           : cell.isNan()       ? NoNumber
           : cell.ratio <= 10.0 ? To10
           : cell.ratio <= 1e3  ? To1000
           : cell.ratio <= 1e5  ? To100000
                                : Above;
}

QString FailureMapModel::levelName(Level level) const {
    static constexpr std::array names{"within", "1 to 10", "10 to 10³", "10³ to 10⁵", "over 10⁵", "NaN"};
    static constexpr std::array whole{"right", "up to 10", "10 to 10³", "10³ to 10⁵", "over 10⁵", "NaN"};
    const auto at = static_cast<std::size_t>(level);
    return QString::fromUtf8(m_output.isWhole() ? whole[at] : names[at]);
}

double FailureMapModel::levelShare(Level level) const {
    const qint64 some = level == Within     ? m_output.elements - m_output.wrong
                        : level == NoNumber ? m_output.nan
                                            : m_output.levels[static_cast<std::size_t>(level) - To10];
    return m_output.elements > 0 ? static_cast<double>(some) / static_cast<double>(m_output.elements) : 0;
}

int FailureMapModel::worstTile() const {
    int worst = -1;
    for (const int tile : m_tiles) {
        const bool isNumber = !cell(tile).isNan();
        if (worst < 0 || (cell(worst).isNan() ? false : !isNumber || cell(tile).ratio > cell(worst).ratio))
            worst = tile;
    }
    return worst;
}

int FailureMapModel::tileOf(const std::vector<qint64> &index) const {
    if (index.size() != m_output.sizes.size() || m_picture.cells.empty())
        return -1;
    const auto along = [&](std::size_t axis) -> qint64 {
        if (m_output.axes[axis].dimensions.empty())
            return 0;
        qint64 at = 0;
        for (const int dimension : m_output.axes[axis].dimensions) {
            const auto place = static_cast<std::size_t>(dimension);
            if (dimension < 0 || place >= index.size() || index[place] < 0 ||
                index[place] >= m_output.sizes[place])
                return -1;
            at = at * m_output.sizes[place] + index[place];
        }
        return at;
    };
    const qint64 row =
        m_picture.rows == 1 && m_picture.rowAxis == m_picture.columnAxis ? 0 : along(m_picture.rowAxis);
    const qint64 column = along(m_picture.columnAxis);
    if (row < 0 || column < 0)
        return -1;
    return static_cast<int>(row / m_picture.rowBlock * m_picture.columns + column / m_picture.columnBlock);
}

qint64 FailureMapModel::elementsOf(int tile) const {
    const auto inTile = [this](std::size_t axis, qint64 block, int place) {
        return std::min(block, m_output.axes[axis].size - block * place);
    };
    const qint64 columns = inTile(m_picture.columnAxis, m_picture.columnBlock, tile % m_picture.columns);
    if (m_picture.rowAxis == m_picture.columnAxis)
        return columns;
    const qint64 others =
        m_output.elements / m_output.axes[m_picture.rowAxis].size / m_output.axes[m_picture.columnAxis].size;
    return columns * inTile(m_picture.rowAxis, m_picture.rowBlock, tile / m_picture.columns) * others;
}

double FailureMapModel::wrongShare(int tile) const {
    const qint64 elements = elementsOf(tile);
    return elements == 0 ? 0 : static_cast<double>(cell(tile).wrong) / static_cast<double>(elements);
}

QString FailureMapModel::whereText(int tile) const {
    const QString column =
        rangeText(m_output, m_picture.columnAxis, m_picture.columnBlock, tile % m_picture.columns);
    return m_picture.rowAxis == m_picture.columnAxis
               ? column
               : rangeText(m_output, m_picture.rowAxis, m_picture.rowBlock, tile / m_picture.columns) +
                     QStringLiteral(", ") + column;
}

QString FailureMapModel::ratioWords(const FailureCell &cell) const {
    if (std::isnan(cell.got))
        return {};
    return m_output.isWhole() ? QStringLiteral("off by %1").arg(count(static_cast<qint64>(cell.ratio)))
                              : QStringLiteral("error / allowed %1").arg(ratioText(cell.ratio));
}

QStringList FailureMapModel::worstOf(int tile) const {
    const FailureCell &one = cell(tile);
    if (one.place < 0)
        return {};
    QStringList lines{QStringLiteral("expected %1").arg(WorstElementsModel::valueText(one.expected)),
                      QStringLiteral("got %1").arg(WorstElementsModel::valueText(one.got)), ratioWords(one)};
    lines.removeAll(QString());
    return lines;
}

QString FailureMapModel::toolTipOf(int tile) const {
    const FailureCell &one = cell(tile);
    QStringList lines{whereText(tile)};
    if (one.wrong == 0)
        return (lines << QStringLiteral("nothing is wrong here")).join(QLatin1Char('\n'));
    lines << QStringLiteral("%1 of %2 elements wrong").arg(count(one.wrong), count(elementsOf(tile)));
    if (one.nan > 0)
        lines.back() += QStringLiteral(", %1 NaN").arg(count(one.nan));
    lines << QStringLiteral("worst: %1").arg(indexText(m_output.indexOf(one.place))) << worstOf(tile);
    return lines.join(QLatin1Char('\n'));
}

int FailureMapModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_tiles.size());
}

int FailureMapModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FailureMapModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != ValueRole))
        return {};
    const int tile = m_tiles[static_cast<std::size_t>(index.row())];
    const FailureCell &one = cell(tile);
    const bool isValue = role == ValueRole;
    const auto value = [isValue](double number) {
        return isValue && std::isfinite(number) ? QVariant(number)
                                                : QVariant(WorstElementsModel::valueText(number));
    };
    switch (index.column()) {
    case Where:
        return whereText(tile);
    case Wrong:
        return isValue ? QVariant(one.wrong) : QVariant(count(one.wrong));
    case NaN:
        return isValue ? QVariant(one.nan) : QVariant(count(one.nan));
    case ErrorOverAllowed:
        return isValue && std::isfinite(one.ratio)
                   ? QVariant(one.ratio)
                   : QVariant(ratioText(std::isnan(one.got) ? std::nan("") : one.ratio));
    case Index:
        return indexText(m_output.indexOf(one.place));
    case Expected:
        return value(one.expected);
    default:
        return value(one.got);
    }
}

QVariant FailureMapModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array heads{"tile", "wrong", "NaN", "error / allowed", "worst", "expected", "got"};
    static constexpr std::array names{"tile",  "wrong",    "nan", "error_over_allowed",
                                      "index", "expected", "got"};
    const auto at = static_cast<std::size_t>(section);
    if (role == ValueRole)
        return QLatin1String(names[at]);
    return role == Qt::DisplayRole ? QVariant(QLatin1String(heads[at])) : QVariant();
}

} // namespace warpwright
