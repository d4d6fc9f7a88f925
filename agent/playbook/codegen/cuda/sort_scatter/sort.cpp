// SPDX-License-Identifier: GPL-3.0-or-later
// Sorted rows as CUDA.
#include "agent/playbook/codegen/sort.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/cuda/sort_scatter/templates/sort.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/sort_space.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t leastThreads = 128;    ///< of a block: short rows share one
constexpr std::int64_t freeShared = 48 << 10; ///< bytes of shared memory that need no attribute

class SortWriter : private KernelWriter {
public:
    explicit SortWriter(const KernelSource &source)
        : KernelWriter(source),
          m_sort(*source.kernel.sortedRows()),
          m_loops(source.kernel),
          m_type(comparedType(source.kernel)),
          m_is32Bit(hasInt32Indexing(source.kernel) &&
                    source.kernel.rows() * source.kernel.columns() < narrowest),
          m_text(source.kernel, CodeDialect::Cuda, [this](int input) { return inputText(input); }) {}

    QString run() {
        const std::int64_t padded = nextPowerOfTwo(m_kernel.columns());
        const bool isAll = m_sort.kept == m_kernel.columns();
        const QStringList arguments = cudaArguments(m_graph, m_program, m_names);
        const QString index = m_is32Bit ? QStringLiteral("int") : QStringLiteral("std::int64_t");
        const std::vector<int> choices = sortedPerThread(m_kernel);
        QString cases;
        QStringList words;
        for (std::size_t i = choices.size(); i-- > 0;) {
            cases += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
            cases +=
                wrappedCall(QStringLiteral("        return launch<%1>(").arg(choices[i]),
                            (arguments + QStringList(QStringLiteral("stream"))).join(QLatin1String(", ")),
                            QStringLiteral(");"));
            words.prepend(QStringLiteral("%1 -> %2").arg(i).arg(choices[i]));
        }
        QString rowLines;
        for (QString line : m_loops.outerCounterLines(m_kernel.rows() < narrowest))
            rowLines += QStringLiteral("    %1\n").arg(line.replace(QLatin1String("std::int64_t"), index));
        const QString elements = elementLines();
        const QString stores = storeLines();
        return fillTemplate(
            sortedRowsText,
            {{"head", head()},
             {"include", includes()},
             {"rows", QString::number(m_kernel.rows())},
             {"columns", QString::number(m_kernel.columns())},
             {"kept",
              isAll ? QString()
                    : QStringLiteral("constexpr int kTopK = %1; // of the sorted row\n").arg(m_sort.kept)},
             {"padded", QString::number(padded)},
             {"least", QString::number(leastThreads)},
             {"entry", entryText()},
             {"functions", helperFunctions(m_text.functions(), CodeDialect::Cuda)},
             {"signature", cudaSignature(m_graph, m_program, m_names).chopped(1)},
             {"index", index},
             {"rowLines", rowLines},
             {"sentinelIndex",
              m_sort.isStable ? (hasSign() ? QStringLiteral("2 * c") : QStringLiteral("c")) : QString()},
             {"elements", elements},
             {"most", isAll ? QStringLiteral("kColumns") : QStringLiteral("kTopK")},
             {"stores", stores},
             {"launch", wrappedCall(QStringLiteral("int launch("), typedParameters(), QStringLiteral(") {"))
                            .chopped(1)},
             {"sharedMemoryLimit",
              padded * bytesOfEntry(m_kernel) + padded * bytesOfEntry(m_kernel) / 8 > freeShared
                  ? QStringLiteral("    cudaFuncSetAttribute(%1<PER_THREAD>, "
                                   "cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);\n")
                        .arg(m_names.function)
                  : QString()},
             {"function", m_names.function},
             {"arguments", m_names.buffers.join(QLatin1String(", "))},
             {"words", words.join(QLatin1String(", "))},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_program, m_names) +
                                          QStringLiteral(", int config, cudaStream_t stream"),
                                      QStringLiteral(") {"))
                              .chopped(1)},
             {"cases", cases}});
    }

private:
    static constexpr std::int64_t narrowest = std::int64_t(1) << 30;

    [[nodiscard]] bool isFloat() const { return isFloating(m_type); }
    /// Whether the lowest bit of an entry marks -0.0.
    [[nodiscard]] bool hasSign() const { return m_sort.isStable && isFloat() && m_sort.values >= 0; }

    QString inputText(int input) const {
        if (input < 0)
            return indexExpression(m_kernel.step(-1 - input).index, m_loops.allCounters());
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                            indexExpression(what.address, m_loops.allCounters()));
    }

    QString head() const {
        return kernelHeadComment(
            m_kernel, m_names,
            QStringLiteral(
                "A row is sorted by a bitonic network: which entries are compared does not depend on the "
                "values, so branches never diverge, and a sorted row takes as long as any other. "
                "Entries near each other are compared in a thread's registers, others by shuffles within a "
                "warp, and only the few steps across warps need shared memory. Global memory is read once "
                "and written once.%1")
                .arg(m_sort.isStable ? QStringLiteral(" The sort is stable: equal elements keep their order.")
                                     : QString()));
    }

    QString includes() const {
        const auto uses = [this](ElementType type) {
            const auto isIt = [type](const auto &memory) {
                return memory.type == type;
            };
            return std::any_of(m_kernel.inputs.begin(), m_kernel.inputs.end(), isIt) ||
                   std::any_of(m_kernel.stores.begin(), m_kernel.stores.end(), isIt);
        };
        QString text = QStringLiteral("#include <cuda_runtime.h>\n");
        if (uses(ElementType::Float16))
            text += QStringLiteral("#include <cuda_fp16.h>\n");
        if (uses(ElementType::BFloat16))
            text += QStringLiteral("#include <cuda_bf16.h>\n");
        return text;
    }

    QString typedParameters() const {
        QStringList parameters;
        const auto add = [&](int buffer, const QString &constant) {
            parameters << QStringLiteral("%1%2 *%3")
                              .arg(constant, cTypeName(typeOfBuffer(m_graph, m_program, buffer), true),
                                   m_names.nameOf(buffer));
        };
        for (const int buffer : m_names.readBuffers)
            add(buffer, QStringLiteral("const "));
        for (const int buffer : m_names.writtenBuffers)
            add(buffer, {});
        return parameters.join(QLatin1String(", ")) + QStringLiteral(", cudaStream_t stream");
    }

    QString entryText() const {
        const bool isStable = m_sort.isStable;
        const bool isWideKey = (bytesOf(m_type) == 8);
        const bool isDescending = m_sort.isDescending;
        const QString bits = isWideKey ? QStringLiteral("64") : QStringLiteral("32");
        const QString type = isWideKey ? QStringLiteral("double") : QStringLiteral("float");
        QString keys;
        if (isFloat()) {
            keys = floatSortKeys;
            if (m_sort.values >= 0)
                keys += floatSortValues;
            keys = fillTemplate(
                keys,
                {{"zeros", isStable ? QStringLiteral(", and both zeros are equal") : QString()},
                 {"turn", isDescending ? QStringLiteral(" Keys are complemented: the largest comes first.")
                                       : QString()},
                 {"asBits",
                  isWideKey ? QStringLiteral("__double_as_longlong") : QStringLiteral("__float_as_int")},
                 {"asValue",
                  isWideKey ? QStringLiteral("__longlong_as_double") : QStringLiteral("__int_as_float")},
                 {"plus", !isStable   ? QString()
                          : isWideKey ? QStringLiteral(" + 0.0")
                                      : QStringLiteral(" + 0.0f")},
                 {"shift", isWideKey ? QStringLiteral("63") : QStringLiteral("31")},
                 {"not", isDescending ? QStringLiteral("~") : QString()},
                 {"complement", isDescending ? QStringLiteral("    key = ~key;\n") : QString()},
                 {"type", type}});
            if (!isDescending)
                keys.replace(QLatin1String("return (value != value ? INT%1_MAX : key);"),
                             QLatin1String("return value != value ? INT%1_MAX : key;"));
        }
        return fillTemplate(!isStable   ? keySortEntry
                            : isWideKey ? wideSortEntry
                                        : packedSortEntry,
                            {{"key", keys},
                             {"sign", hasSign() ? QStringLiteral("The lowest bit marks\n// -0.0, which has "
                                                                 "the key of 0.0.")
                                                : QString()},
                             {"bits", bits}})
                   .replace(QLatin1String("were. \n"), QLatin1String("were.\n"))
                   .trimmed() +
               QLatin1Char('\n');
    }

    QString wrappedLine(const QString &line) const {
        return wrapped(line, QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
    }

    // Loads an element and makes its entry.
    QString elementLines() {
        QString lines;
        std::vector<int> uses(m_kernel.steps.size(), 0);
        for (const KernelStep &step : m_kernel.steps)
            for (const int operand : step.operands)
                ++uses[static_cast<std::size_t>(operand)];
        int count = 0;
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i) {
            const auto step = static_cast<int>(i);
            if (uses[i] < 2 || m_kernel.step(step).op <= Opcode::Index)
                continue;
            const QString name = QStringLiteral("h%1").arg(++count);
            lines += wrappedLine(
                QStringLiteral("const %1 %2 = %3;")
                    .arg(cTypeName(m_kernel.step(step).type, true), name, m_text.definition(step)));
            m_text.name(step, name);
        }
        const int element = m_kernel.stores[0].step;
        const QString number = QStringLiteral("std::int%1_t").arg(bytesOf(m_type) == 8 ? 64 : 32);
        QString value = m_text.text(element);
        if (isFloat() && (m_kernel.steps.size() > 1 || hasSign())) {
            lines += wrappedLine(QStringLiteral("const %1 value = %2;")
                                     .arg(cTypeName(m_kernel.step(element).type, true), value));
            value = QStringLiteral("value");
        }
        const QString key =
            isFloat() ? QStringLiteral("keyOf(%1)").arg(value)
                      : QStringLiteral("%1%2(%3)")
                            .arg(m_sort.isDescending ? QStringLiteral("~") : QString(), number, value);
        if (!m_sort.isStable)
            return lines + wrappedLine(QStringLiteral("entries[k] = %1;").arg(key));
        QString low = QStringLiteral("c");
        if (hasSign()) {
            lines += wrappedLine(
                (bytesOf(m_type) == 8)
                    ? QStringLiteral("const bool isMinusZero = __double_as_longlong(value) == INT64_MIN;")
                    : QStringLiteral("const bool isMinusZero = __float_as_int(value) == INT32_MIN;"));
            low = QStringLiteral("2 * c + isMinusZero");
        }
        return lines + wrappedLine((bytesOf(m_type) == 8 ? QStringLiteral("entries[k] = {%1, %2};")
                                                         : QStringLiteral("entries[k] = makeEntry(%1, %2);"))
                                       .arg(key, low));
    }

    // Stores an entry's value and index at its rank.
    QString storeLines() {
        const QString most =
            m_sort.kept == m_kernel.columns() ? QStringLiteral("kColumns") : QStringLiteral("kTopK");
        const QString low =
            bytesOf(m_type) == 8 ? QStringLiteral("entry.low") : QStringLiteral("std::int32_t(entry)");
        QString lines;
        const auto store = [&](int number, const QString &value) {
            lines +=
                wrappedLine(QStringLiteral("%1[row * %2 + c] = %3;")
                                .arg(m_names.nameOf(m_kernel.stores[static_cast<std::size_t>(number)].buffer),
                                     most, value));
        };
        if (m_sort.values >= 0) {
            const QString key = !m_sort.isStable       ? QStringLiteral("entry")
                                : bytesOf(m_type) == 8 ? QStringLiteral("entry.key")
                                                       : QStringLiteral("std::int32_t(entry >> 32)");
            const int element = m_kernel.stores[static_cast<std::size_t>(m_sort.values)].step;
            QString value = isFloat()             ? QStringLiteral("valueOf(%1)").arg(key)
                            : m_sort.isDescending ? QStringLiteral("~%1").arg(key)
                                                  : key;
            if (hasSign())
                value = QStringLiteral("%1 & 1 ? %2 : %3")
                            .arg(low, bytesOf(m_type) == 8 ? QStringLiteral("-0.0") : QStringLiteral("-0.0f"),
                                 value);
            const ElementType type = m_kernel.stores[static_cast<std::size_t>(m_sort.values)].type;
            if (isFloat()) {
                m_text.name(element, value);
                store(m_sort.values, m_text.stored(element, type));
            } else {
                store(m_sort.values, QStringLiteral("static_cast<%1>(%2)").arg(cTypeName(type, true), value));
            }
        }
        if (m_sort.positions >= 0)
            store(m_sort.positions, hasSign() ? QStringLiteral("%1 / 2").arg(low) : low);
        return lines;
    }

    const SortedRows &m_sort;
    LoopNames m_loops;
    ElementType m_type; ///< of the elements
    bool m_is32Bit;     ///< addresses fit into 32 bits
    ExpressionPrinter m_text;
};

} // namespace

QString sortCudaText(const KernelSource &source) {
    return SortWriter(source).run();
}

} // namespace warpwright
