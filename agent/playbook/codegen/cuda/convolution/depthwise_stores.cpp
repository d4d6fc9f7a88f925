// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/convolution/depthwise_stores.h"

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

constexpr int vectorWidth = 4;
constexpr std::size_t maxVectorReads = 12;

/// Whether `width` adjacent elements are contiguous and aligned for one load.
bool isVectorAligned(const AffineExpr &address, std::int64_t width) {
    const std::vector<std::int64_t> &steps = address.steps;
    return steps.back() == 1 && address.offset % width == 0 &&
           std::all_of(steps.begin(), steps.end() - 1,
                       [width](std::int64_t step) { return step % width == 0; });
}

std::int64_t lastOf(const std::vector<std::int64_t> &every) {
    return every.empty() ? 1 : every.back();
}

class DepthwiseStores {
public:
    DepthwiseStores(const Kernel &kernel, const KernelNames &names, bool isDirect,
                    std::set<QString> &functions)
        : m_kernel(kernel),
          m_names(names),
          m_dimensions(kernel.convolution()->sizes.dimensions()),
          m_memory(cTypeName(kernel.inputs[0].type, true)),
          m_row(isDirect ? QStringLiteral("row") : QStringLiteral("firstRow + row")),
          m_column(isDirect ? QStringLiteral("column") : QStringLiteral("firstColumn + column")),
          m_functions(functions) {
        m_counters = QStringList(static_cast<qsizetype>(kernel.loops.size()), QString());
        m_counters[0] = QStringLiteral("image");
        m_counters[1] = QStringLiteral("channel");
        if (m_dimensions == 3)
            m_counters[2] = QStringLiteral("depth");
        if (m_dimensions > 1)
            m_counters[m_counters.size() - 2] = QStringLiteral("outRow");
        m_counters.back() = QStringLiteral("outColumn");
    }

    QString vectorized() {
        QStringList before;
        QStringList counters = m_counters;
        counters.back() = QStringLiteral("(outColumn + k)");
        std::vector<QString> reads(m_kernel.inputs.size());
        for (std::size_t i = 2; i < m_kernel.inputs.size() && i - 2 < maxVectorReads; ++i) {
            const KernelInput &input = m_kernel.inputs[i];
            if (!isVectorAligned(input.address, vectorWidth))
                continue;
            reads[i] = QStringLiteral("read%1").arg(i - 1);
            before << QStringLiteral("const Vec<%1> %2 = *reinterpret_cast<const Vec<%1> *>(%3 + %4);")
                          .arg(m_memory, reads[i], m_names.nameOf(input.buffer),
                               indexExpression(input.address, m_counters));
        }
        // A value with several stores is computed once.
        Kernel once = m_kernel;
        std::map<int, QString> vecs;
        std::vector<StoredElement> targets;
        QStringList after;
        once.stores.clear();
        for (const KernelStore &store : m_kernel.stores) {
            const auto [vec, isNew] =
                vecs.emplace(store.step, vecs.empty() ? QStringLiteral("vec")
                                                      : QStringLiteral("vec%1").arg(vecs.size() + 1));
            if (isNew) {
                once.stores.push_back(store);
                targets.push_back({vec->second + QStringLiteral(".at[k]")});
            }
            after += after.isEmpty()
                         ? QStringList(QStringLiteral(
                                           "*reinterpret_cast<Vec<%1> *>(out + j * kOutRowStride + i) = vec;")
                                           .arg(m_memory))
                         : vectorStored(store, vec->second);
        }
        QStringList names;
        for (const StoredElement &target : targets)
            names << target.target.section(QLatin1Char('.'), 0, 0);
        before << QStringLiteral("Vec<%1> %2;").arg(m_memory, names.join(QLatin1String(", ")));
        const QStringList statements = epilogueStatements(
            once,
            [&](int input) {
                const auto position = static_cast<std::size_t>(input);
                return reads[position].isEmpty() ? element(input, counters)
                                                 : reads[position] + QStringLiteral(".at[k]");
            },
            QStringLiteral("sum[j][i + k]"), targets, m_functions, CodeDialect::Cuda);
        const bool isBlock = statements.size() > 1;
        const QStringList all = before + statements + after;
        QString text = rows(all);
        text += QStringLiteral("        for (int i = 0; i < TILE_W; i += 4) {\n"
                               "            if (%1 + i >= kOutWidth)\n"
                               "                break;\n")
                    .arg(m_column);
        if (!all.filter(QStringLiteral("outColumn")).isEmpty())
            text += QStringLiteral("            const std::int64_t outColumn = %1 + i;\n").arg(m_column);
        text += wrappedLines(before, 12) +
                QStringLiteral("#pragma unroll\n            for (int k = 0; k < 4; ++k)%1\n")
                    .arg(isBlock ? QStringLiteral(" {") : QString()) +
                wrappedLines(statements, 16) + (isBlock ? QStringLiteral("            }\n") : QString()) +
                wrappedLines(after, 12);
        return text + QStringLiteral("        }\n    }\n");
    }

    QString oneByOne() {
        std::vector<StoredElement> targets;
        for (std::size_t i = 0; i < m_kernel.stores.size(); ++i) {
            const KernelStore &store = m_kernel.stores[i];
            targets.push_back(
                i == 0 ? StoredElement{QStringLiteral("out[j * kOutRowStride + i * kOutColumnStride]")}
                       : StoredElement{stored(store, m_counters), conditionOf(store, m_counters.size())});
        }
        const QStringList statements = epilogueStatements(
            m_kernel, [this](int input) { return element(input, m_counters); }, QStringLiteral("sum[j][i]"),
            targets, m_functions, CodeDialect::Cuda);
        // Only loads and stores besides the sums depend on the position.
        const bool needsColumn = !statements.filter(m_counters.back()).isEmpty();
        const bool isBlock = statements.size() > 1 || needsColumn;
        QString text = rows(statements) + QStringLiteral("        for (int i = 0; i < TILE_W; ++i)\n"
                                                         "            if (%1 + i < kOutWidth)%2\n")
                                              .arg(m_column, isBlock ? QStringLiteral(" {") : QString());
        if (needsColumn)
            text += QStringLiteral("                const std::int64_t outColumn = %1 + i;\n").arg(m_column);
        text += wrappedLines(statements, 16) + (isBlock ? QStringLiteral("            }\n") : QString());
        return text + QStringLiteral("    }\n");
    }

private:
    /// The head of the loop over rows, up to the inner loop.
    [[nodiscard]] QString rows(const QStringList &statements) const {
        QString text = QStringLiteral("#pragma unroll\n"
                                      "    for (int j = 0; j < TILE_H; ++j) {\n"
                                      "        if (%1 + j >= kOutHeight)\n"
                                      "            break;\n")
                           .arg(m_row);
        if (m_dimensions > 1 && !statements.filter(QStringLiteral("outRow")).isEmpty())
            text += QStringLiteral("        const std::int64_t outRow = %1 + j;\n").arg(m_row);
        return text + QLatin1String("#pragma unroll\n");
    }

    [[nodiscard]] QString element(int input, const QStringList &counters) const {
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                            indexExpression(what.address, counters));
    }

    /// The address of a store's element, or of the first one of a vector.
    [[nodiscard]] QString addressOf(const KernelStore &store, QStringList counters) const {
        for (std::size_t d = 0; d < store.every.size(); ++d)
            if (store.every[d] > 1)
                counters[static_cast<qsizetype>(d)] =
                    QStringLiteral("(%1 / %2)").arg(counters[static_cast<qsizetype>(d)]).arg(store.every[d]);
        return indexExpression(store.address, counters);
    }
    [[nodiscard]] QString stored(const KernelStore &store, const QStringList &counters) const {
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(store.buffer), addressOf(store, counters));
    }

    /// The condition on the first `count` counters under which it stores; empty: always.
    [[nodiscard]] QString conditionOf(const KernelStore &store, qsizetype count) const {
        QStringList words;
        for (qsizetype d = 0; d < std::min(count, static_cast<qsizetype>(store.every.size())); ++d)
            if (store.every[static_cast<std::size_t>(d)] > 1)
                words << QStringLiteral("%1 % %2 == 0")
                             .arg(m_counters[d])
                             .arg(store.every[static_cast<std::size_t>(d)]);
        return words.join(QLatin1String(" && "));
    }

    /// Statements that store a vector of four results, or those of the four that are stored.
    [[nodiscard]] QStringList vectorStored(const KernelStore &store, const QString &vec) const {
        const std::int64_t every = lastOf(store.every);
        const std::int64_t count = vectorWidth / every;
        const QString position =
            QStringLiteral("%1 + %2").arg(m_names.nameOf(store.buffer), addressOf(store, m_counters));
        QStringList lines;
        if (count == vectorWidth && isVectorAligned(store.address, count))
            lines << QStringLiteral("*reinterpret_cast<Vec<%1> *>(%2) = %3;").arg(m_memory, position, vec);
        else if (count == 2 && isVectorAligned(store.address, count))
            lines << QStringLiteral("*reinterpret_cast<Pair<%1> *>(%2) = {{%3.at[0], %3.at[2]}};")
                         .arg(m_memory, position, vec);
        else
            for (std::int64_t k = 0; k < count; ++k) {
                QStringList counters = m_counters;
                if (k > 0)
                    counters.back() = QStringLiteral("(outColumn + %1)").arg(k * every);
                lines << QStringLiteral("%1 = %2.at[%3];").arg(stored(store, counters), vec).arg(k * every);
            }
        if (const QString condition = conditionOf(store, m_counters.size() - 1); !condition.isEmpty()) {
            for (QString &line : lines)
                line.prepend(QLatin1String("    "));
            const bool isBlock = lines.size() > 1;
            lines.prepend(
                QStringLiteral("if (%1)%2").arg(condition, isBlock ? QStringLiteral(" {") : QString()));
            if (isBlock)
                lines << QStringLiteral("}");
        }
        return lines;
    }

    const Kernel &m_kernel;
    const KernelNames &m_names;
    std::size_t m_dimensions;
    QString m_memory;
    QString m_row, m_column;
    QStringList m_counters;
    std::set<QString> &m_functions;
};

} // namespace

bool storesVectors(const Kernel &kernel) {
    return kernel.convolution()->sizes.output.back() % vectorWidth == 0 &&
           std::all_of(kernel.stores.begin(), kernel.stores.end(), [](const KernelStore &store) {
               return store.every.empty() ? isVectorAligned(store.address, vectorWidth)
                                          : vectorWidth % lastOf(store.every) == 0;
           });
}

bool storesPairs(const Kernel &kernel) {
    return std::any_of(kernel.stores.begin(), kernel.stores.end(), [](const KernelStore &store) {
        return lastOf(store.every) == 2 && isVectorAligned(store.address, 2);
    });
}

QString depthwiseStores(const Kernel &kernel, const KernelNames &names, bool isDirect, bool isVectorized,
                        std::set<QString> &functions) {
    DepthwiseStores results(kernel, names, isDirect, functions);
    return isVectorized ? results.vectorized() : results.oneByOne();
}

} // namespace warpwright
