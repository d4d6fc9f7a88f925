// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/findings/findings_model.h"

#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"

#include <QLocale>

#include <array>

namespace warpwright {
namespace {

// Exact values, each with where it was read.
QString toolTipOf(const Finding &finding) {
    QStringList lines{finding.title};
    for (const FindingEvidence &evidence : finding.evidence) {
        QString value = QString::number(evidence.value, 'g', QLocale::FloatingPointShortest);
        if (!evidence.unit.isEmpty())
            value += QLatin1Char(' ') + evidence.unit;
        lines << QStringLiteral("%1: %2 (%3)").arg(evidence.what, value, evidence.source);
    }
    if (finding.gainMicroseconds)
        lines << QStringLiteral("gain: at most %1 of a call").arg(timeText(*finding.gainMicroseconds));
    if (finding.gainShare)
        lines << QStringLiteral("that is %1 of its time").arg(percentText(*finding.gainShare));
    if (!finding.gainBasis.isEmpty())
        lines << finding.gainBasis;
    lines << (finding.isMeasured ? QStringLiteral("measured")
                                 : QStringLiteral("from text and compiler alone, not measured"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void FindingsModel::setFindings(std::vector<Finding> findings) {
    beginResetModel();
    m_findings = std::move(findings);
    endResetModel();
}

QString FindingsModel::gainText(const Finding &finding) {
    if (finding.isNote)
        return QStringLiteral("a note");
    if (!finding.gainMicroseconds)
        return QStringLiteral("gain not known");
    return *finding.gainMicroseconds > 0 ? QStringLiteral("up to ") + timeText(*finding.gainMicroseconds)
                                         : QStringLiteral("no gain");
}

QString FindingsModel::placeText(const Finding &finding) {
    if (finding.file.isEmpty())
        return {};
    return finding.line > 0 ? QStringLiteral("%1:%2").arg(finding.file).arg(finding.line) : finding.file;
}

QString FindingsModel::summary() const {
    QStringList sentences{countText(static_cast<qsizetype>(m_findings.size()), QStringLiteral("finding")) +
                          QLatin1Char('.')};
    for (const Finding &finding : m_findings)
        sentences << QStringLiteral("%1, %2: %3").arg(finding.title, gainText(finding), finding.message);
    return sentences.join(QLatin1Char(' '));
}

int FindingsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_findings.size());
}

int FindingsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const Finding &finding = m_findings[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::ToolTipRole:
        return toolTipOf(finding);
    case FileRole:
        return finding.line > 0 ? QVariant(finding.file) : QVariant();
    case LineRole:
        return finding.line;
    case Qt::DisplayRole:
    case ValueRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case Title:
        return finding.title;
    case Gain:
        if (role == ValueRole)
            return finding.gainMicroseconds ? QVariant(*finding.gainMicroseconds) : QVariant();
        return gainText(finding);
    case Kernel:
        return finding.kernel;
    case Place:
        return placeText(finding);
    case Message:
        return finding.message;
    case Advice:
        return finding.advice;
    default:
        return finding.isMeasured ? QStringLiteral("measured") : QStringLiteral("text and compiler");
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array heads{"finding", "gain",        "kernel", "place",
                                      "message", "what to try", "basis"};
    static constexpr std::array names{"finding", "gain_at_most_us", "kernel", "place",
                                      "message", "advice",          "basis"};
    if (role == ValueRole)
        return QLatin1String(names[static_cast<std::size_t>(section)]);
    return role == Qt::DisplayRole ? QVariant(QLatin1String(heads[static_cast<std::size_t>(section)]))
                                   : QVariant();
}

} // namespace warpwright
