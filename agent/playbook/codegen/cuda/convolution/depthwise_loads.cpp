// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/convolution/depthwise_loads.h"

#include "agent/playbook/codegen/cuda/convolution/templates/depthwise.h"
#include "agent/playbook/codegen/depthwise_boundary.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/depthwise_space.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t registersInFlight = 16; ///< of loads that a thread has in flight

class DepthwiseLoads {
public:
    DepthwiseLoads(const ConvolutionSizes &sizes, ElementType type, const QString &compute)
        : m_sizes(sizes), m_type(type), m_compute(compute), m_memory(cTypeName(type, true)) {}

    /// The loop that loads a block's tile.
    [[nodiscard]] QString fetch() const {
        return fetchInside() + (hasWidthBoundary(m_sizes) ? fetchAdjacent() : QString());
    }

    /// Loads the elements left and right of the image by the boundary mode, one by one.
    QString fetchAdjacent() const {
        return fillTemplate(depthwiseBoundaryLoads,
                            {{"rowPlace", boundedIndex(m_sizes, 1, QStringLiteral("top + line % kTileRows"))},
                             {"columnPlace", boundedIndex(m_sizes, 2, QStringLiteral("w"))},
                             {"element", value(QStringLiteral("in[inside]"))}});
    }

    QString fetchInside() const {
        const std::int64_t width = loadWidth(m_sizes);
        const QString batch = QString::number(std::max<std::int64_t>(
            registersInFlight / std::max<std::int64_t>(width * bytesOf(m_type) / 4, 1), 1));
        const QString padding =
            (hasWidthBoundary(m_sizes) ? QString()
                                       : QStringLiteral("%1// Outside of the image is padding: zeros.\n")) +
            QStringLiteral("%1const bool isInBounds = ");
        if (width == 4) {
            const QString row =
                QStringLiteral("k < kTileSize && sourcePlane < kPlanes && h >= 0 && h < kHeight");
            return fillTemplate(
                depthwiseVectorLoads,
                {{"batch", batch},
                 {"rowPlace", boundedIndex(m_sizes, 1, QStringLiteral("top + k / kTileVectors % kTileRows"))},
                 {"whether", padding.arg(QString(8, QLatin1Char(' '))) +
                                 QStringLiteral("%1 && w >= 0 && w < kWidth@depthTest@;\n").arg(row)},
                 {"tileLoad", indentedText(tileLoad(width, QStringLiteral("loaded[b]")), 8)},
                 {"tileStore", indentedText(tileStore(width, QStringLiteral("tile[begin + b * kThreads]"),
                                                      QStringLiteral("loaded[b]")),
                                            12)}});
        }
        const QString target =
            width == 2
                ? QStringLiteral("reinterpret_cast<Pair<%1> *>(tile)[k * kTileLoads + part]").arg(m_compute)
                : QStringLiteral("tile[k * kTileVectors + part / 4].at[part % 4]");
        return fillTemplate(
            depthwiseScalarLoads,
            {{"batch", batch},
             {"piece", width == 2 ? QStringLiteral("Pair<%1>").arg(m_memory) : m_memory},
             {"rowPlace",
              boundedIndex(m_sizes, 1, QStringLiteral("PLANES == 1 ? top + k : top + k % kTileRows"))},
             {"whether", padding.arg(QString(12, QLatin1Char(' '))) +
                             QStringLiteral("isRow && w >= 0 && w < kWidth;\n")},
             {"tileLoad", indentedText(tileLoad(width, QStringLiteral("loaded[b][i]")), 12)},
             {"tileStore", indentedText(tileStore(width, target, QStringLiteral("loaded[b][i]")), 16)},
             {"timesWidth", width == 1 ? QString() : QStringLiteral(" * %1").arg(width)}});
    }

private:
    /// Loads without conversion, which would wait for the load.
    QString tileLoad(std::int64_t width, const QString &target) const {
        if (width == 1)
            return QStringLiteral("%1 = isInBounds ? in[w] : %2();").arg(target, m_memory);
        return QStringLiteral("%1 = isInBounds ? *reinterpret_cast<const %2<%3> *>(in + w) : %2<%3>();")
            .arg(target, width == 4 ? QStringLiteral("Vec") : QStringLiteral("Pair"), m_memory);
    }
    QString tileStore(std::int64_t width, const QString &target, const QString &fetched) const {
        if (width == 1 || bytesOf(m_type) != 2)
            return QStringLiteral("%1 = %2;").arg(target, value(fetched));
        return QStringLiteral("%1<%2> converted;\n"
                              "#pragma unroll\n"
                              "for (int n = 0; n < %3; ++n)\n"
                              "    converted.at[n] = %4;\n"
                              "%5 = converted;")
            .arg(width == 4 ? QStringLiteral("Vec") : QStringLiteral("Pair"), m_compute)
            .arg(width)
            .arg(value(fetched + QStringLiteral(".at[n]")), target);
    }

    [[nodiscard]] QString value(const QString &element) const {
        return m_type == ElementType::Float16    ? QStringLiteral("__half2float(%1)").arg(element)
               : m_type == ElementType::BFloat16 ? QStringLiteral("__bfloat162float(%1)").arg(element)
                                                 : element;
    }

    const ConvolutionSizes &m_sizes;
    ElementType m_type;
    QString m_compute;
    QString m_memory;
};

} // namespace

QString depthwiseLoads(const ConvolutionSizes &sizes, ElementType type, const QString &compute) {
    return DepthwiseLoads(sizes, type, compute).fetch();
}

QString indentedText(const QString &text, int depth) {
    QStringList lines = text.split(QLatin1Char('\n'));
    while (!lines.isEmpty() && lines.back().isEmpty())
        lines.removeLast();
    for (QString &line : lines)
        if (!line.isEmpty() && !line.startsWith(QLatin1Char('#')))
            line.prepend(QString(depth, QLatin1Char(' ')));
    return lines.join(QLatin1Char('\n'));
}

} // namespace warpwright
