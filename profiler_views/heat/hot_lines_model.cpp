// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/heat/hot_lines_model.h"

#include "profiler_views/heat/heat_text.h"
#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"
#include "toolchain/counters/kernel_figures.h"
#include "widgets/look/heat_scale.h"

namespace warpwright {
namespace {

struct Head {
    const char *text;
    const char *name; ///< in a CSV
    const char *toolTip;
};

constexpr Head heads[] = {
    {"share", "share", "of the time that was sampled"},
    {"line", "place", "click: go there"},
    {"source", "source", "as it ran"},
    {"most of it", "top_stall", "what most of its warps waited for, their part, and which line asked for it"},
    {"samples", "samples", "of warps that stood there"},
    {"executed", "executed_warps", "instructions, by warps"},
    {"threads", "threads_of_warp", "of 32, that were not predicated off"},
    {"sectors", "sectors_over_ideal", "of global memory, over those that the same data would fill"},
    {"shared", "wavefronts_over_ideal", "wavefronts of shared memory, over those that would do"},
};

QVariant variantOf(const std::optional<double> &value) {
    return value ? QVariant(*value) : QVariant();
}

} // namespace

void HotLinesModel::setHeat(SharedHeat heat, int kernel) {
    beginResetModel();
    m_heat = std::move(heat);
    m_kernel = m_heat && kernel < static_cast<int>(m_heat->kernels.size()) ? kernel : -1;
    m_lines.clear();
    if (m_heat)
        for (const HeatLine &line :
             m_kernel < 0 ? m_heat->lines : m_heat->kernels[static_cast<std::size_t>(m_kernel)].lines)
            if (line.counts.samples > 0)
                m_lines.push_back(&line);
    endResetModel();
}

double HotLinesModel::samples() const {
    return !m_heat        ? 0
           : m_kernel < 0 ? m_heat->samples
                          : m_heat->kernels[static_cast<std::size_t>(m_kernel)].counts.samples;
}

int HotLinesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int HotLinesModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HotLinesModel::valueOf(const HeatLine &line, int column) const {
    switch (column) {
    case Share:
        return line.share;
    case Place:
        return QStringLiteral("%1:%2").arg(line.file).arg(line.line);
    case Source:
        return line.text;
    case Reason:
        return line.counts.topStall();
    case Samples:
        return line.counts.samples;
    case Executed:
        return line.counts.executed;
    case Threads:
        return variantOf(line.counts.activeThreads());
    case Sectors:
        return variantOf(line.counts.sectorsRatio());
    case Wavefronts:
        return variantOf(line.counts.wavefrontsRatio());
    default:
        return {};
    }
}

QString HotLinesModel::textOf(const HeatLine &line, int column) const {
    switch (column) {
    case Share:
        return heatWord(line.share);
    case Place:
        return QStringLiteral("%1:%2").arg(line.file.section(QLatin1Char('/'), -1)).arg(line.line);
    case Source:
        return line.text;
    case Reason: {
        const QString top = line.counts.topStall();
        const QString awaited = awaitedText(line);
        if (top.isEmpty())
            return {};
        const QString text =
            QStringLiteral("%1 %2").arg(percentText(line.counts.stallShare(top), 0), stallWords(top));
        return awaited.isEmpty() ? text : QStringLiteral("%1, %2").arg(text, awaited);
    }
    case Samples:
        return numberText(line.counts.samples);
    case Executed:
        return scaledText(line.counts.executed, QString());
    case Threads: {
        const auto threads = line.counts.activeThreads();
        return threads ? numberText(*threads, 1) : QString();
    }
    case Sectors:
        return heatRatio(line.counts.sectorsRatio());
    case Wavefronts:
        return heatRatio(line.counts.wavefrontsRatio());
    default:
        return {};
    }
}

QVariant HotLinesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const HeatLine &one = line(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return textOf(one, column);
    case ValueRole:
        return valueOf(one, column);
    case Qt::ToolTipRole:
        return heatWords(one, samples()).join(QLatin1Char('\n'));
    case Qt::TextAlignmentRole:
        return QVariant(column == Share || column >= Samples ? Qt::AlignRight | Qt::AlignVCenter
                                                             : Qt::AlignLeft | Qt::AlignVCenter);
    case FileRole:
        return one.file;
    case LineRole:
        return one.line;
    case MonospaceRole:
        return column == Place || column == Source;
    default:
        return {};
    }
}

QVariant HotLinesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const Head &head = heads[section];
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromUtf8(head.text);
    case ValueRole:
        return QString::fromUtf8(head.name);
    case Qt::ToolTipRole:
        return QString::fromUtf8(head.toolTip);
    case Qt::TextAlignmentRole:
        return QVariant(section == Share || section >= Samples ? Qt::AlignRight | Qt::AlignVCenter
                                                               : Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace warpwright
