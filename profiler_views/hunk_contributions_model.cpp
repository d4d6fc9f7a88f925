// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/hunk_contributions_model.h"

#include "profiler_views/value_role.h"

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

QString differenceText(const TimeScale &times, const TimeDifference &difference) {
    return times.difference(difference.value, difference.low, difference.high);
}

} // namespace

void HunkContributionsModel::setContributions(const HunkContributions &contributions) {
    beginResetModel();
    m_contributions = contributions;
    endResetModel();
}

QString HunkContributionsModel::summary() const {
    if (m_contributions.isEmpty())
        return QStringLiteral("No contributions of hunks.");
    QStringList sentences;
    const TimeScale &times = m_contributions.times;
    if (m_contributions.all)
        sentences << QStringLiteral("All hunks together: %1 against %2.")
                         .arg(differenceText(times, *m_contributions.all), m_contributions.base);
    for (const HunkContribution &hunk : m_contributions.hunks) {
        QStringList words;
        if (hunk.alone)
            words << QStringLiteral("only this hunk %1").arg(differenceText(times, *hunk.alone));
        if (hunk.allBut)
            words << QStringLiteral("without this hunk %1").arg(differenceText(times, *hunk.allBut));
        if (hunk.isUnexercised)
            words << QStringLiteral("not exercised on this device");
        if (const QString failed = hunk.failedWords(); !failed.isEmpty())
            words << failed;
        if (words.isEmpty())
            words << QStringLiteral("not measured yet");
        sentences << QStringLiteral("Hunk %1, %2: %3.")
                         .arg(QString::number(hunk.number), hunk.title, words.join(QStringLiteral(", ")));
    }
    return sentences.join(QLatin1Char(' '));
}

int HunkContributionsModel::rowCount(const QModelIndex &parent) const {
    if (parent.isValid() || m_contributions.hunks.empty())
        return 0;
    return static_cast<int>(m_contributions.hunks.size()) + 1;
}

int HunkContributionsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HunkContributionsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const int column = index.column();
    const auto row = static_cast<std::size_t>(index.row());
    const bool isAll = row == m_contributions.hunks.size();
    if (role == EmphasisRole)
        return isAll;
    if (role == Qt::TextAlignmentRole && column >= Alone)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ValueRole)
        return {};
    const HunkContribution hunk = isAll ? HunkContribution() : m_contributions.hunks[row];
    if (column == Hunk)
        return isAll ? QVariant(QStringLiteral("all")) : QVariant(QString::number(hunk.number));
    if (column == Title)
        return isAll ? QVariant(QStringLiteral("all of them")) : QVariant(hunk.title);
    const std::optional<TimeDifference> difference =
        isAll             ? (column < AllBut ? m_contributions.all : std::nullopt)
        : column < AllBut ? hunk.alone
                          : hunk.allBut;
    if (!difference)
        return {};
    const std::array<double, 3> parts{difference->value, difference->low, difference->high};
    const double part = parts[static_cast<std::size_t>((column - Alone) % 3)];
    if (role == ValueRole)
        return part;
    return signedText(part / m_contributions.times.unitMicroseconds, m_contributions.times.decimals);
}

QVariant HunkContributionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != ValueRole))
        return {};
    const QString unit = m_contributions.times.unit;
    const auto head = [&](const QString &name) {
        return QStringLiteral("%1, %2").arg(name, unit);
    };
    static const std::array<const char *, ColumnCount> names{
        "hunk",          "title",         "alone_us",          "alone_low_us",
        "alone_high_us", "all_but_it_us", "all_but_it_low_us", "all_but_it_high_us"};
    if (role == ValueRole)
        return QLatin1String(names[static_cast<std::size_t>(section)]);
    switch (section) {
    case Hunk:
        return QStringLiteral("hunk");
    case Title:
        return QStringLiteral("change");
    case Alone:
        return head(QStringLiteral("only this hunk"));
    case AllBut:
        return head(QStringLiteral("without this hunk"));
    case AloneLow:
    case AllButLow:
        return head(QStringLiteral("low"));
    default:
        return head(QStringLiteral("high"));
    }
}

} // namespace warpwright
