// SPDX-License-Identifier: GPL-3.0-or-later
// Sorted rows as C++ for a CPU.
#include "agent/playbook/codegen/sort.h"

#include "agent/playbook/codegen/cpu/templates/sort.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"

namespace warpwright {
namespace {

class SortCpu : private KernelWriter {
public:
    explicit SortCpu(const KernelSource &source)
        : KernelWriter(source),
          m_loops(source.kernel),
          m_text(source.kernel, CodeDialect::PlainCpu, [this](int input) { return inputText(input); }) {}

    QString run() {
        const SortedRows &sort = *m_kernel.sortedRows();
        const bool isAll = sort.kept == m_kernel.columns();
        const QString most = isAll ? QStringLiteral("kColumns") : QStringLiteral("kSelected");
        const int element = m_kernel.stores[0].step;
        const ElementType type = m_kernel.step(element).type;
        const QString value = m_text.text(element);
        const QString found = sort.isStable ? QStringLiteral("entries[std::size_t(c)].value")
                                            : QStringLiteral("entries[std::size_t(c)]");
        m_text.name(element, found);
        QString stores;
        const auto store = [&](int number, const QString &stored) {
            stores += wrappedLine(
                QStringLiteral("%1[row * %2 + c] = %3;")
                    .arg(memory(m_kernel.stores[static_cast<std::size_t>(number)].buffer), most, stored));
        };
        if (sort.values >= 0)
            store(sort.values,
                  m_text.stored(element, m_kernel.stores[static_cast<std::size_t>(sort.values)].type));
        if (sort.positions >= 0)
            store(sort.positions, QStringLiteral("entries[std::size_t(c)].index"));
        QString rowLines;
        for (const QString &line : m_loops.outerCounterLines())
            rowLines += QStringLiteral("        %1\n").arg(line);
        const QString typeName = cTypeName(type, false);
        const QString order = isFloating(type)    ? sort.isDescending
                                                        ? QStringLiteral("a > b || (a != a && b == b)")
                                                        : QStringLiteral("a < b || (a == a && b != b)")
                                 : sort.isDescending ? QStringLiteral("a > b")
                                                  : QStringLiteral("a < b");
        QString entry =
            QStringLiteral("%1inline bool isBefore(%2 a, %2 b) {\n    return %3;\n}\n")
                .arg(isFloating(type) ? QStringLiteral("// NaN is larger than any number.\n") : QString(),
                     typeName, order);
        if (sort.isStable)
            entry += QLatin1Char('\n') + fillTemplate(stableSortEntry, {{"type", typeName}});
        const QString entryName = sort.isStable ? QStringLiteral("Entry") : typeName;
        return fillTemplate(
            sortCpuFile,
            {{"stem", m_names.stem},
             {"head", kernelHeadComment(m_kernel, m_names,
                                        QStringLiteral("A row is sorted in the cache of one core."))},
             {"rows", QString::number(m_kernel.rows())},
             {"columns", QString::number(m_kernel.columns())},
             {"kept", isAll ? QString()
                            : QStringLiteral("constexpr std::int64_t kSelected = %1; // of a sorted row\n")
                                  .arg(sort.kept)},
             {"functions", helperFunctions(m_text.functions(), CodeDialect::PlainCpu)},
             {"entry", entry},
             {"launcher",
              wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                          launcherParameters(m_graph, m_program, m_names) + QStringLiteral(", int"),
                          QStringLiteral(") {"))
                  .chopped(1)},
             {"casts", casts()},
             {"rowLines", rowLines},
             {"name", entryName},
             {"elements",
              wrappedLine(sort.isStable
                              ? QStringLiteral("entries[std::size_t(c)] = {%1, std::int32_t(c)};").arg(value)
                              : QStringLiteral("entries[std::size_t(c)] = %1;").arg(value))},
             {"sort",
              QStringLiteral(
                  "std::%1entries.end(), [](const auto &a, const auto &b) { return isBefore(a, b); })")
                  .arg(isAll
                           ? QStringLiteral("sort(entries.begin(), ")
                           : QStringLiteral("partial_sort(entries.begin(), entries.begin() + kSelected, "))},
             {"most", most},
             {"stores", stores}});
    }

private:
    QString wrappedLine(const QString &line) const {
        return wrapped(line, QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
    }

    [[nodiscard]] bool isHalf(int buffer) const {
        const ElementType type = typeOfBuffer(m_graph, m_program, buffer);
        return type == ElementType::Float16 || type == ElementType::BFloat16;
    }

    [[nodiscard]] QString memory(int buffer) const {
        return m_names.nameOf(buffer) + (isHalf(buffer) ? QStringLiteral("Halves") : QString());
    }

    QString inputText(int input) const {
        if (input < 0)
            return indexExpression(m_kernel.step(-1 - input).index, m_loops.allCounters());
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(memory(what.buffer),
                                            indexExpression(what.address, m_loops.allCounters()));
    }

    QString casts() const {
        QString text;
        const auto add = [&](int buffer, const QString &constant) {
            if (isHalf(buffer))
                text += QStringLiteral("    %1%2 *const %3Halves = static_cast<%1%2 *>(%3);\n")
                            .arg(constant, cTypeName(typeOfBuffer(m_graph, m_program, buffer), false),
                                 m_names.nameOf(buffer));
        };
        for (const int buffer : m_names.readBuffers)
            add(buffer, QStringLiteral("const "));
        for (const int buffer : m_names.writtenBuffers)
            add(buffer, {});
        return text;
    }

    LoopNames m_loops;
    ExpressionPrinter m_text;
};

} // namespace

QString sortCpuText(const KernelSource &source) {
    return SortCpu(source).run();
}

} // namespace warpwright
