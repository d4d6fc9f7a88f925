// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/attention_cpu.h"

#include "agent/playbook/codegen/cpu/templates/attention.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"

#include <algorithm>

namespace warpwright {
namespace {

class AttentionCpu : private KernelWriter {
public:
    explicit AttentionCpu(const KernelSource &source)
        : KernelWriter(source), m_last(source.kernel.loops.size() - 1) {
        for (std::size_t k = 0; k < source.kernel.loops.size(); ++k)
            m_counters << (k < source.kernel.outer ? QStringLiteral("i%1").arg(k)
                           : k + 1 < m_last        ? QStringLiteral("j%1").arg(k - source.kernel.outer)
                           : k < m_last            ? QStringLiteral("at")
                                                   : QStringLiteral("column"));
    }

    QString run() {
        ExpressionPrinter text(m_kernel, CodeDialect::VectorCpu,
                               [this](int number) { return loaded(number); });
        const auto element = [&](int input) {
            for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
                if (m_kernel.steps[i].op == Opcode::Load && m_kernel.steps[i].input == input)
                    return text.text(static_cast<int>(i));
            return QString();
        };
        const QString matmul = QStringLiteral("%1 * %2").arg(element(0), element(1));
        const QString value = element(2);
        text.name(m_kernel.attention()->score, QStringLiteral("score"));
        const QString logit = text.text(m_kernel.attention()->logit);
        text.name(m_kernel.resultStep(), QStringLiteral("result"));
        const KernelStore &store = m_kernel.stores[0];
        const QString stored = text.stored(store.step, store.type);
        return fillTemplate(
            attentionCpuFile,
            {{"stem", m_names.stem},
             {"head",
              kernelHeadComment(m_kernel, m_names,
                                QStringLiteral("Scores never go through memory: those of one query stay in "
                                               "the cache of the core that computes it."))},
             {"queries", QString::number(m_kernel.rows())},
             {"keys",
              QString::number(m_kernel.columns() / m_kernel.loops[m_last] / m_kernel.loops[m_last - 1])},
             {"width", QString::number(m_kernel.loops[m_last - 1])},
             {"values", QString::number(m_kernel.loops[m_last])},
             {"functions", helperFunctions(text.functions(), CodeDialect::VectorCpu)},
             {"launcher",
              wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                          launcherParameters(m_graph, m_program, m_names) + QStringLiteral(", int"),
                          QStringLiteral(") {"))
                  .chopped(1)},
             {"casts", casts()},
             {"outer", lines(0, m_kernel.outer, QStringLiteral("query"), 8)},
             {"keyLines", lines(m_kernel.outer, m_last - 1 - m_kernel.outer, QStringLiteral("key"), 12)},
             {"product", matmul},
             {"logit", logit},
             {"value", value},
             {"inverse", m_kernel.attention()->isSafe
                             ? QStringLiteral("largest == -INFINITY ? 0.0f : 1.0f / sum")
                             : QStringLiteral("1.0f / sum")},
             {"target", at(store.buffer, store.address)},
             {"stored", stored}});
    }

private:
    bool isHalf(int buffer) const { return bytesOf(typeOfBuffer(m_graph, m_program, buffer)) == 2; }
    QString at(int buffer, const AffineExpr &address) const {
        const QString name = m_names.nameOf(buffer) + (isHalf(buffer) ? QStringLiteral("Halves") : QString());
        return QStringLiteral("%1[%2]").arg(name, indexExpression(address, m_counters));
    }
    QString loaded(int number) const {
        if (number < 0)
            return indexExpression(m_kernel.step(-1 - number).index, m_counters);
        const KernelInput &input = m_kernel.inputs[static_cast<std::size_t>(number)];
        return at(input.buffer, input.address);
    }

    QString casts() const {
        QString text;
        const auto add = [&](int buffer, const char *constant) {
            if (isHalf(buffer))
                text += QStringLiteral("    %1%2 *const %3Halves = static_cast<%1%2 *>(%3);\n")
                            .arg(QLatin1String(constant),
                                 cTypeName(typeOfBuffer(m_graph, m_program, buffer), false),
                                 m_names.nameOf(buffer));
        };
        for (const int buffer : m_names.readBuffers)
            add(buffer, "const ");
        for (const int buffer : m_names.writtenBuffers)
            add(buffer, "");
        return text;
    }

    /// Declares the loop counters, computed from one number.
    QString lines(std::size_t first, std::size_t count, const QString &number, int depth) const {
        QString text;
        std::int64_t span = 1;
        for (std::size_t k = first + count; k-- > first;) {
            QString line = QStringLiteral("const std::int64_t %1 = %2").arg(m_counters[qsizetype(k)], number);
            if (span > 1)
                line += QStringLiteral(" / %1").arg(span);
            span *= m_kernel.loops[k];
            if (k > first)
                line += QStringLiteral(" % %1").arg(m_kernel.loops[k]);
            text.prepend(QString(depth, QLatin1Char(' ')) + line + QLatin1String(";\n"));
        }
        return text;
    }

    std::size_t m_last; ///< the loop over a value's elements
    QStringList m_counters;
};

} // namespace

QString attentionCpuText(const KernelSource &source) {
    return AttentionCpu(source).run();
}

} // namespace warpwright
