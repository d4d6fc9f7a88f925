// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/worst_elements_model.h"

#include "profiler_views/value_role.h"

#include <array>
#include <cmath>

namespace warpwright {
namespace {

bool isFiniteValue(const std::optional<double> &value) {
    return value && std::isfinite(*value);
}

} // namespace

QString ratioText(double ratio) {
    if (!std::isfinite(ratio))
        return std::isnan(ratio) ? QStringLiteral("not a number") : QStringLiteral("infinite");
    if (ratio < 1e3)
        return ratio < 10 ? QString::number(ratio, 'g', 2) : numberText(ratio);
    const int exponent = static_cast<int>(std::floor(std::log10(ratio)));
    static constexpr QChar digits[] = {QChar(0x2070), QChar(0x00b9), QChar(0x00b2), QChar(0x00b3),
                                       QChar(0x2074), QChar(0x2075), QChar(0x2076), QChar(0x2077),
                                       QChar(0x2078), QChar(0x2079)};
    QString raised;
    for (const QChar digit : QString::number(exponent))
        raised += digits[digit.digitValue()];
    return numberText(ratio / std::pow(10.0, exponent), 1) + QStringLiteral(" × 10") + raised;
}

QString WorstElementsModel::valueText(double value) {
    if (!std::isfinite(value))
        return numberText(value);
    return QString::number(value, 'g', 6).replace(QLatin1Char('-'), QChar(0x2212));
}

void WorstElementsModel::setElements(const std::vector<WorstElement> &elements) {
    beginResetModel();
    m_rows = elements;
    endResetModel();
}

int WorstElementsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WorstElementsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WorstElementsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const WorstElement &element = m_rows[static_cast<std::size_t>(index.row())];
    const bool isValue = role == ValueRole;
    if (role == MonospaceRole)
        return index.column() != ErrorOverAllowed;
    if (role == ColorRole)
        return index.column() == Got && element.actual && !isFiniteValue(element.actual)
                   ? QStringLiteral("verdict.wrong")
                   : QString();
    if (role == Qt::TextAlignmentRole)
        return index.column() == Index ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                       : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        QString text = element.output + element.index;
        if (element.error && element.allowed)
            text += QStringLiteral("\nrelative error %1, allowed %2")
                        .arg(valueText(*element.error), valueText(*element.allowed));
        return element.round ? text + QStringLiteral("\nround %1").arg(*element.round) : text;
    }
    if (role != Qt::DisplayRole && !isValue)
        return {};
    const auto number = [isValue](const std::optional<double> &value) {
        if (!value)
            return QVariant();
        return isValue && std::isfinite(*value) ? QVariant(*value) : QVariant(valueText(*value));
    };
    switch (index.column()) {
    case Index:
        return element.index;
    case Expected:
        return number(element.expected);
    case Got:
        return number(element.actual);
    case ErrorOverAllowed: {
        const bool isNoNumber = element.actual && std::isnan(*element.actual);
        if (isNoNumber)
            return ratioText(std::nan(""));
        const std::optional<double> ratio = element.errorOverAllowed();
        if (!ratio)
            return {};
        return isValue && std::isfinite(*ratio) ? QVariant(*ratio) : QVariant(ratioText(*ratio));
    }
    default:
        return {};
    }
}

QVariant WorstElementsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array names{"index", "expected, FP64", "got", "error / allowed"};
    static constexpr std::array csvNames{"index", "expected", "got", "error_over_allowed"};
    const auto at = static_cast<std::size_t>(section);
    if (role == ValueRole)
        return QLatin1String(csvNames[at]);
    if (role == Qt::TextAlignmentRole)
        return section == Index ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(QLatin1String(names[at])) : QVariant();
}

} // namespace warpwright
