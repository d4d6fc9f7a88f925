// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/sweep_model.h"

#include "profiler_views/value_role.h"

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

/// By its number where two differ in nothing else.
bool isBefore(const QString &left, const QString &right) {
    const auto split = [](const QString &name) {
        qsizetype digits = name.size();
        while (digits > 0 && name.at(digits - 1).isDigit())
            --digits;
        return std::pair(name.left(digits), name.mid(digits).toInt());
    };
    const auto [leftName, leftNumber] = split(left);
    const auto [rightName, rightNumber] = split(right);
    if (leftName != rightName)
        return leftName < rightName;
    return leftNumber != rightNumber ? leftNumber < rightNumber : left < right;
}

} // namespace

void SweepModel::setSweep(const MeasuredFigures &figures, const StatedConfigs &stated) {
    beginResetModel();
    const SweepFigures &sweep = figures.sweep;
    m_rows.clear();
    m_sentences.clear();
    m_times = figures.times;
    m_hasEndedEarly = sweep.status != StageStatus::Passed;
    std::vector<QString> attributes;
    for (const auto &[attribute, times] : sweep.tried)
        attributes.push_back(attribute);
    std::sort(attributes.begin(), attributes.end(), isBefore);
    for (const QString &attribute : attributes) {
        const std::vector<std::optional<double>> &times = sweep.tried.at(attribute);
        const auto own = stated.values.find(attribute);
        const auto best = sweep.best.find(attribute);
        const auto kernel = stated.kernels.find(attribute);
        std::optional<double> ownTime;
        if (own != stated.values.end() && own->second < static_cast<int>(times.size()))
            ownTime = times[static_cast<std::size_t>(own->second)];
        for (std::size_t i = 0; i < times.size(); ++i) {
            SweptValue row;
            row.attribute = attribute;
            row.kernel = kernel != stated.kernels.end() ? kernel->second : QString();
            row.value = static_cast<int>(i);
            row.microseconds = times[i];
            if (ownTime && *ownTime > 0 && row.microseconds)
                row.ofStated = *row.microseconds / *ownTime;
            row.isStated = own != stated.values.end() && own->second == row.value;
            row.isBest = !row.isStated && best != sweep.best.end() && best->second == row.value;
            m_rows.push_back(row);
        }
    }
    conclude(sweep);
    endResetModel();
}

void SweepModel::conclude(const SweepFigures &sweep) {
    if (m_rows.empty())
        return;
    QStringList best;
    for (const SweptValue &row : m_rows)
        if (row.isBest)
            best << QStringLiteral("%1 = %2").arg(row.attribute).arg(row.value);
    if (!best.isEmpty())
        m_sentences.push_back(
            {"finding", "accent.text", best.join(QStringLiteral(", ")),
             best.size() > 1 ? QStringLiteral("together, turn by turn with the text as it stands")
                             : QStringLiteral("turn by turn with the text as it stands"),
             sweep.ratio ? QStringLiteral("%1 of its time").arg(percentText(*sweep.ratio)) : QString()});
    else if (!m_hasEndedEarly)
        m_sentences.push_back({"finding",
                               "accent.text",
                               QStringLiteral("The text's own stays"),
                               QStringLiteral("no other value was clearly quicker"),
                               {}});
    if (m_hasEndedEarly)
        m_sentences.push_back({"warning",
                               "verdict.inconclusive",
                               QStringLiteral("Ended early"),
                               sweep.reason.isEmpty() ? QStringLiteral("no reason was given") : sweep.reason,
                               {}});
}

QString SweepModel::markOf(const SweptValue &row) const {
    if (!row.microseconds)
        return m_hasEndedEarly ? QStringLiteral("not tried") : QStringLiteral("failed");
    return row.isStated ? QStringLiteral("in the text") : row.isBest ? QStringLiteral("quickest") : QString();
}

QString SweepModel::method() {
    return QStringLiteral(
        "A hint and no verdict: by the judge's clock in the candidate's process, after everything timed; "
        "the median of one to three short batches a value, one attribute after the other, each with the "
        "best of those before it. Results were not compared. A text that states other values has to be "
        "checked.");
}

QString SweepModel::summary() const {
    if (m_rows.empty())
        return QStringLiteral("No other value of a config was tried.");
    QStringList sentences;
    QStringList words;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const SweptValue &row = m_rows[i];
        const QString mark = markOf(row);
        QString said = QString::number(row.value);
        if (row.microseconds)
            said += QStringLiteral(" takes ") + m_times.text(*row.microseconds);
        if (!mark.isEmpty())
            said += QStringLiteral(" (%1)").arg(mark);
        words << said;
        if (i + 1 < m_rows.size() && m_rows[i + 1].attribute == row.attribute)
            continue;
        const QString kernel = row.kernel.isEmpty() ? QString() : QStringLiteral(" of ") + row.kernel;
        sentences << row.attribute + kernel + QStringLiteral(": ") + words.join(QStringLiteral(", ")) +
                         QLatin1Char('.');
        words.clear();
    }
    for (const SweepSentence &sentence : m_sentences)
        sentences << sentence.head + QStringLiteral(": ") + sentence.words +
                         (sentence.value.isEmpty() ? QString() : QStringLiteral(", ") + sentence.value) +
                         QLatin1Char('.');
    sentences << method();
    return sentences.join(QLatin1Char(' '));
}

int SweepModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SweepModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SweepModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const SweptValue &row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == EmphasisRole)
        return row.isStated || row.isBest;
    if (role == Qt::TextAlignmentRole && column >= Value && column <= OfStated)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ValueRole)
        return {};
    const bool isText = role == Qt::DisplayRole;
    switch (column) {
    case Attribute:
        return row.attribute;
    case Kernel:
        return row.kernel;
    case Value:
        return isText ? QVariant(QString::number(row.value)) : QVariant(row.value);
    case Time:
        if (!row.microseconds)
            return {};
        return isText ? QVariant(m_times.number(*row.microseconds)) : QVariant(*row.microseconds);
    case OfStated:
        if (!row.ofStated)
            return {};
        return isText ? QVariant(percentText(*row.ofStated)) : QVariant(*row.ofStated);
    default:
        return markOf(row);
    }
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != ValueRole))
        return {};
    static const std::array<const char *, ColumnCount> names{"attribute", "kernel",        "value",
                                                             "time_us",   "of_texts_time", "mark"};
    if (role == ValueRole)
        return QLatin1String(names[static_cast<std::size_t>(section)]);
    switch (section) {
    case Attribute:
        return QStringLiteral("attribute");
    case Kernel:
        return QStringLiteral("kernel");
    case Value:
        return QStringLiteral("value");
    case Time:
        return QStringLiteral("time, %1").arg(m_times.unit);
    case OfStated:
        return QStringLiteral("of the text's");
    default:
        return QStringLiteral("mark");
    }
}

} // namespace warpwright
