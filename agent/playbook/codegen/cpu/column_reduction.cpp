// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/column_reduction.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/cpu_blocking.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t wideTile = 256;  ///< a quarter of a page per step: few pages, and 1 KB per sum
constexpr std::int64_t narrowTile = 64; ///< if a wide tile would leave threads without work
constexpr std::int64_t enoughTasks = 16;
constexpr std::int64_t longSum =
    256; ///< each sum is one chain: beyond it float loses digits that torch's sums keep

std::int64_t tasks(const Kernel &kernel, std::int64_t tileWidth) {
    const std::int64_t neighbours = kernel.loops[kernel.outer - 1];
    return kernel.rows() / neighbours * ((neighbours + tileWidth - 1) / tileWidth);
}

class ColumnReductionCodegen : private KernelWriter {
public:
    explicit ColumnReductionCodegen(const KernelSource &source)
        : KernelWriter(source),
          m_schedule(scheduleOf(source.kernel, RowCaching::Nothing)),
          m_loops(source.kernel),
          m_text(source.kernel, source.knobs.hasVectorMath ? CodeDialect::VectorCpu : CodeDialect::PlainCpu,
                 [this](int input) {
                     return input < 0
                                ? indexExpression(m_kernel.step(-1 - input).index, m_loops.allCounters())
                                : element(m_kernel.inputs[static_cast<std::size_t>(input)].buffer,
                                          m_kernel.inputs[static_cast<std::size_t>(input)].address);
                 }) {}

    QString run(std::set<QString> &functions) {
        m_indent = 1;
        castHalves();
        const std::int64_t neighbours = m_kernel.loops[m_kernel.outer - 1];
        const std::int64_t tileWidth = tileWidthOf(m_kernel);
        line(QStringLiteral("constexpr std::int64_t kTileWidth = %1;       // sums side by side")
                 .arg(tileWidth));
        line(QStringLiteral("constexpr std::int64_t kAdjacentRows = %1; // rows that lie side by side")
                 .arg(neighbours));
        line(QStringLiteral(
            "constexpr std::int64_t kBlocks = (kAdjacentRows + kTileWidth - 1) / kTileWidth;"));
        if (isWorthThreads(m_kernel))
            m_body += QLatin1String("#pragma omp parallel for schedule(static)\n");
        line(QStringLiteral(
            "for (std::int64_t block = 0; block < kRows / kAdjacentRows * kBlocks; ++block) {"));
        ++m_indent;
        line(QStringLiteral("const std::int64_t first = block % kBlocks * kTileWidth;"));
        line(QStringLiteral("const std::int64_t count = first + kTileWidth < kAdjacentRows ? kTileWidth : "
                            "kAdjacentRows - first;"));
        std::int64_t span = 1;
        for (std::size_t k = m_kernel.outer - 1; k-- > 0;) {
            const QString digit = span == 1 ? QStringLiteral("block / kBlocks")
                                            : QStringLiteral("block / kBlocks / %1").arg(span);
            line(QStringLiteral("const std::int64_t %1 = %2%3;")
                     .arg(m_loops.counter(k), digit,
                          k > 0 ? QStringLiteral(" % %1").arg(m_kernel.loops[k]) : QString()));
            span *= m_kernel.loops[k];
        }
        for (std::size_t p = 0; p < m_schedule.passes.size(); ++p) {
            nameRowSteps(p);
            emitPass(p);
        }
        nameRowSteps(m_schedule.passes.size());
        if (!m_schedule.rowStores.empty()) {
            beginTile();
            for (const int position : m_schedule.rowStores)
                store(position);
            endTile();
        }
        --m_indent;
        line(QStringLiteral("}"));
        functions = m_text.functions();
        return wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(m_names.launcher()),
                           launcherParameters(m_graph, m_program, m_names) + QStringLiteral(", int"),
                           QStringLiteral(") {")) +
               m_body + QLatin1String("}\n");
    }

private:
    void line(const QString &text) {
        m_body += QString(m_indent * 4, QLatin1Char(' ')) + text + QLatin1Char('\n');
    }

    QString element(int buffer, const AffineExpr &address) const {
        return QStringLiteral("%1%2[%3]")
            .arg(m_names.nameOf(buffer), m_halves.contains(buffer) ? QStringLiteral("Halves") : QString(),
                 indexExpression(address, m_loops.allCounters()));
    }

    void castHalves() {
        const auto cast = [this](int buffer, const char *constant) {
            const ElementType type = typeOfBuffer(m_graph, m_program, buffer);
            if (type != ElementType::Float16 && type != ElementType::BFloat16)
                return;
            line(QStringLiteral("%1%2 *const %3Halves = static_cast<%1%2 *>(%3);")
                     .arg(QLatin1String(constant), cTypeName(type, false), m_names.nameOf(buffer)));
            m_halves.insert(buffer);
        };
        for (const int buffer : m_names.readBuffers)
            cast(buffer, "const ");
        for (const int buffer : m_names.writtenBuffers)
            cast(buffer, "");
    }

    void beginTile() {
        m_body += QLatin1String("#pragma omp simd\n");
        line(QStringLiteral("for (std::int64_t l = 0; l < count; ++l) {"));
        ++m_indent;
        m_tileBody = m_body.size();
    }

    void endTile() {
        // The innermost outer counter, if the text uses it.
        const QString counter = m_loops.counter(m_kernel.outer - 1);
        const QRegularExpression named(QStringLiteral("\\b%1\\b").arg(counter));
        if (m_tileBody > 0 && named.match(m_body, m_tileBody).hasMatch())
            m_body.insert(m_tileBody,
                          QString(m_indent * 4, QLatin1Char(' ')) +
                              QStringLiteral("const std::int64_t %1 = first + l;\n").arg(counter));
        m_tileBody = 0;
        --m_indent;
        line(QStringLiteral("}"));
    }

    void nameRowSteps(std::size_t p) {
        if (m_schedule.named[p].empty())
            return;
        std::vector<QString> names;
        for (const int step : m_schedule.named[p]) {
            names.push_back(QStringLiteral("r%1").arg(++m_rowNames));
            line(QStringLiteral("%1 %2[kTileWidth];")
                     .arg(cTypeName(m_kernel.step(step).type, false), names.back()));
        }
        beginTile();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const int step = m_schedule.named[p][i];
            line(QStringLiteral("%1[l] = %2;").arg(names[i], m_text.definition(step)));
            m_text.name(step, names[i] + QStringLiteral("[l]"));
        }
        endTile();
    }

    void store(int position) {
        const KernelStore &some = m_kernel.stores[static_cast<std::size_t>(position)];
        line(QStringLiteral("%1 = %2;")
                 .arg(element(some.buffer, some.address), m_text.stored(some.step, some.type)));
    }

    void emitPass(std::size_t p) {
        const ReductionPass &pass = m_schedule.passes[p];
        if (pass.reductions.empty() && pass.stores.empty())
            return;
        if (p > 0)
            m_body += QLatin1Char('\n');
        const bool isLong = m_kernel.columns() > longSum;
        for (const int step : pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, isLong);
            line(QStringLiteral("%1 %2[kTileWidth];").arg(sum.type, m_loops.accumulatorName(step)));
        }
        if (!pass.reductions.empty()) {
            line(QStringLiteral("for (std::int64_t l = 0; l < count; ++l) {"));
            ++m_indent;
            for (const int step : pass.reductions)
                line(QStringLiteral("%1[l] = %2;")
                         .arg(m_loops.accumulatorName(step), reductionCode(m_kernel, step, isLong).start));
            endTile();
        }
        m_scans.clear();
        for (const int step : pass.computed) {
            if (!isScan(m_kernel.step(step).op))
                continue;
            const QString name =
                QStringLiteral("running") + (++m_scanNames > 1 ? QString::number(m_scanNames) : QString());
            const ScanCode scan = scanCode(m_kernel, step, isLong);
            line(QStringLiteral("%1 %2[kTileWidth];").arg(scan.type, name));
            line(QStringLiteral("for (std::int64_t l = 0; l < count; ++l)"));
            line(QStringLiteral("    %1[l] = %2;").arg(name, scan.start));
            m_scans[step] = name + QStringLiteral("[l]");
        }
        const std::vector<std::size_t> inner = m_loops.innerLoops();
        for (const std::size_t loop : inner) {
            line(QStringLiteral("for (std::int64_t %1 = 0; %1 < %2; ++%1) {")
                     .arg(m_loops.counter(loop))
                     .arg(m_kernel.loops[loop]));
            ++m_indent;
        }
        beginTile();
        emitElement(pass, isLong);
        endTile();
        for (std::size_t i = 0; i < inner.size(); ++i) {
            --m_indent;
            line(QStringLiteral("}"));
        }
        for (const int step : pass.reductions) {
            const QString type = cTypeName(m_kernel.step(step).type, false);
            const QString name = m_loops.accumulatorName(step) + QStringLiteral("[l]");
            m_text.name(step, reductionCode(m_kernel, step, isLong).type == type
                                  ? name
                                  : QStringLiteral("%1(%2)").arg(type, name));
        }
    }

    void emitElement(const ReductionPass &pass, bool isLong) {
        std::vector<int> named;
        int names = 0;
        for (const int step : pass.computed) {
            if (m_scans.contains(step)) {
                const ScanCode scan = scanCode(m_kernel, step, isLong);
                line(scan.update(m_scans[step], m_text.text(m_kernel.step(step).operands[0])));
                const QString type = cTypeName(m_kernel.step(step).type, false);
                m_text.name(step, m_scans[step]);
                if (scan.type != type) {
                    const QString name =
                        QString(m_scans[step]).remove(QStringLiteral("[l]")) + QStringLiteral("Rounded");
                    line(QStringLiteral("const %1 %2 = %1(%3);").arg(type, name, m_scans[step]));
                    m_text.name(step, name);
                }
                if (!scan.function.isEmpty())
                    m_text.calls(scan.function);
                named.push_back(step);
                continue;
            }
            if (usesIn(m_kernel, pass, step) < 2)
                continue;
            const QString name = QStringLiteral("h%1").arg(++names);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cTypeName(m_kernel.step(step).type, false), name, m_text.definition(step)));
            m_text.name(step, name);
            named.push_back(step);
        }
        for (const int step : pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, isLong);
            const QString name = m_loops.accumulatorName(step) + QStringLiteral("[l]");
            const QString value = m_text.text(m_kernel.step(step).operands[0]);
            // A NaN replaces the extreme, and nothing compares larger than it.
            line(sum.countsNans
                     ? QStringLiteral("%1 = %2 %3 %1 || %2 != %2 ? %2 : %1;")
                           .arg(name, value,
                                sum.sign == QLatin1String("max") ? QStringLiteral(">") : QStringLiteral("<"))
                     : sum.update(name, value));
        }
        for (const int position : pass.stores)
            store(position);
        for (const int step : named)
            m_text.forget(step);
    }

    ReductionSchedule m_schedule;
    LoopNames m_loops;
    ExpressionPrinter m_text;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    int m_scanNames = 0;
    std::map<int, QString> m_scans; ///< of the current loop
    qsizetype m_tileBody = 0;       ///< where the body of the loop over the tile begins; 0: in none
    std::set<int> m_halves;
};

} // namespace

bool isColumnReduction(const Kernel &kernel) {
    const KernelFamily family = familyOf(kernel);
    return (family == KernelFamily::Columns ||
            (family == KernelFamily::Windows && hasCoalescedRows(kernel))) &&
           canTileColumns(kernel);
}

bool canTileColumns(const Kernel &kernel) {
    return kernel.hasReductions() && !kernel.hasKthValues() && kernel.outer > 0 &&
           kernel.loops[kernel.outer - 1] >= 16 && tasks(kernel, narrowTile) >= 2;
}

std::int64_t tileWidthOf(const Kernel &kernel) {
    return tasks(kernel, wideTile) >= enoughTasks ? wideTile : narrowTile;
}

QString columnReductionLauncher(const KernelSource &source, std::set<QString> &functions) {
    return ColumnReductionCodegen(source).run(functions);
}

} // namespace warpwright
