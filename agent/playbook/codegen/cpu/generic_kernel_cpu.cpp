// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/generic_kernel_cpu.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/cpu/column_reduction.h"
#include "agent/playbook/codegen/cpu/cpu_scans.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/radix_select.h"
#include "agent/playbook/codegen/scatter.h"
#include "agent/playbook/schedule/cpu_blocking.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t fewRows = 16;   ///< maybe fewer than cores: then threads share a row
constexpr std::int64_t longRow = 8192; ///< worth sharing among threads
/// Beyond it one chain of additions, or one per SIMD lane, loses digits that torch's sums keep.
constexpr std::int64_t longChain = 128;
constexpr std::int64_t longVectorSum = 4096;
constexpr std::int64_t mostStreamedRow = 65536;

class GenericKernelCpu : private KernelWriter {
public:
    explicit GenericKernelCpu(const KernelSource &source)
        : KernelWriter(source),
          m_schedule(scheduleOf(m_kernel, source.knobs.cachesRow ? RowCaching::Costly : RowCaching::Nothing)),
          m_loops(m_kernel),
          m_text(m_kernel, source.knobs.hasVectorMath ? CodeDialect::VectorCpu : CodeDialect::PlainCpu,
                 [this](int input) { return inputText(input); }),
          m_scans(m_kernel, m_kernel.columns() > longChain, m_text) {
        m_sharesRow = m_kernel.rows() < fewRows;
        m_isFlat = m_kernel.outer == 0 && !m_kernel.hasReductions();
        m_streams = source.knobs.streamsResults && canStreamResults(m_kernel) && !m_sharesRow;
    }

    QString run() {
        std::set<QString> functions;
        const bool hasColumnTiles = m_knobs.hasColumnTiles && isColumnReduction(m_kernel);
        const QString body = hasColumnTiles ? columnReductionLauncher(source(), functions) : launcher();
        QString text = head(hasColumnTiles);
        const auto dialect = m_knobs.hasVectorMath ? CodeDialect::VectorCpu : CodeDialect::PlainCpu;
        QString ours =
            constants() + helperFunctions(hasColumnTiles ? functions : m_text.functions(), dialect);
        if (m_streams)
            ours += streamFunction();
        text += QStringLiteral("namespace {\n\n%1} // namespace\n\n").arg(ours);
        return text + body;
    }

private:
    QString head(bool hasColumnTiles) const {
        QString text =
            QStringLiteral("// The CPU twin of %1.cu: the same contract, without the stream.\n//\n")
                .arg(m_names.stem);
        for (const QString &line : formulaOf(m_kernel, m_names).split(QLatin1Char('\n')))
            text += wrapped(line, QStringLiteral("//   "), QStringLiteral("//       "));
        text += QLatin1String("//\n");
        const auto append = [&text](const QString &words) {
            text += wrapped(words, QStringLiteral("// "), QStringLiteral("// "));
        };
        if (hasColumnTiles)
            append(QStringLiteral(
                "The elements of one sum lie far apart, and adjacent sums side by side. So a thread forms "
                "many sums at once: every cache line is used whole, and the additions are vectorized."));
        else if (m_kernel.hasScans())
            append(QStringLiteral("A scan needs the element before, so a thread takes a row from its "
                                  "first element to its last; rows are shared by threads."));
        else if (familyOf(m_kernel) == KernelFamily::Windows)
            append(QStringLiteral("Each result reads few elements. What overlapping windows share is in the "
                                  "cache from the second time on."));
        else if (m_schedule.passes.size() > 1)
            append(
                (m_knobs.cachesRow
                     ? QStringLiteral(
                           "A row is read from memory once. It is worked on in %1 loops while it is in the "
                           "cache, and computed values are kept there from one loop to the next.")
                     : QStringLiteral(
                           "Each row is read %1 times: a sum has to be complete before it is used. "
                           "From the second time on the row is in the cache."))
                    .arg(m_schedule.passes.size()));
        else
            append(QStringLiteral("Every element is read and written once; nothing else reaches memory."));
        if (m_knobs.hasVectorMath)
            append(
                QStringLiteral("Calls of math functions for each element would cost more than all the rest, "
                               "so they are spelled out as plain arithmetic, which vectorizes."));
        QStringList headers = {QStringLiteral("cmath"), QStringLiteral("cstdint"), QStringLiteral("cstring")};
        if (!m_schedule.cached.empty() || m_streams)
            headers << QStringLiteral("vector");
        for (const QString &header : headers)
            text += QStringLiteral("#include <%1>\n").arg(header);
        if (m_streams)
            text += QLatin1String("#ifdef __SSE__\n#include <immintrin.h>\n#endif\n");
        if (m_knobs.hasVectorMath)
            text +=
                QLatin1String("\n// By the standard sqrt reports negative numbers in errno. Nobody reads it "
                              "here, and without\n"
                              "// it the loop can be vectorized.\n#pragma GCC optimize(\"no-math-errno\")\n");
        return text + QLatin1Char('\n');
    }

    QString constants() const {
        QString text;
        if (!m_isFlat)
            text += QStringLiteral("constexpr std::int64_t kRows = %1;\n").arg(m_kernel.rows());
        text += QStringLiteral("constexpr std::int64_t %1 = %2;\n\n")
                    .arg(m_isFlat ? QStringLiteral("kElements") : QStringLiteral("kColumns"))
                    .arg(m_kernel.columns());
        return text;
    }

    QString bufferName(int buffer) const { return m_names.nameOf(buffer); }

    // In loops over a row: through a pointer to the row that is computed once.
    QString inputText(int input) const {
        if (input < 0) // Index: the counter itself
            return indexExpression(m_kernel.step(-1 - input).index, m_loops.allCounters());
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        const auto pointer = m_pointers.find(input);
        if (pointer == m_pointers.end())
            return QStringLiteral("%1[%2]").arg(memoryName(what.buffer),
                                                indexExpression(what.address, m_loops.allCounters()));
        return QStringLiteral("%1[%2]").arg(
            pointer->second, indexExpression(m_loops.innerPart(what.address), m_loops.allCounters()));
    }

    QString storeTarget(int position) const {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
        const auto pointer = m_storePointers.find(position);
        if (pointer == m_storePointers.end())
            return QStringLiteral("%1[%2]").arg(memoryName(store.buffer),
                                                indexExpression(store.address, m_loops.allCounters()));
        return QStringLiteral("%1[%2]").arg(
            pointer->second, indexExpression(m_loops.innerPart(store.address), m_loops.allCounters()));
    }

    bool isStreamed(int position) const {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
        return m_streams && store.type == ElementType::Float32 && m_loops.isContiguousRow(store.address);
    }

    void line(const QString &text) {
        m_body += QString(m_indent * 4, QLatin1Char(' ')) + text + QLatin1Char('\n');
    }

    QString launcher() {
        const QString parameters = launcherParameters(m_graph, m_program, m_names);
        m_body.clear();
        m_indent = 1;
        castHalves();
        if (m_isFlat) {
            line(QStringLiteral("// Threads get equal parts; the compiler vectorizes within one."));
            nameRowSteps(0);
            m_schedule.passes[0].stores.empty() ? void() : emitPass(0); // one or two values need no loop
            storeOnceARow();
        } else {
            emitRows();
        }
        return wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(m_names.launcher()),
                           parameters + QStringLiteral(", int"), QStringLiteral(") {")) +
               m_body + QLatin1String("}\n");
    }

    // The launcher takes half types as void *; Half and BFloat16 are private to this file.
    void castHalves() {
        const auto cast = [this](int buffer, const char *constant) {
            const ElementType type = typeOfBuffer(m_graph, m_program, buffer);
            if (type != ElementType::Float16 && type != ElementType::BFloat16)
                return;
            const QString name = bufferName(buffer);
            const QString words = QLatin1String(constant) + cTypeName(type, false);
            line(QStringLiteral("%1 *const %2Halves = static_cast<%1 *>(%2);").arg(words, name));
            m_halves.insert(buffer);
        };
        for (const int buffer : m_names.readBuffers)
            cast(buffer, "const ");
        for (const int buffer : m_names.writtenBuffers)
            cast(buffer, "");
    }

    QString memoryName(int buffer) const {
        return bufferName(buffer) + (m_halves.contains(buffer) ? QStringLiteral("Halves") : QString());
    }

    void emitRows() {
        const bool hasOwn = !m_schedule.cached.empty() || m_streams;
        const bool isShared = !m_sharesRow && isWorthThreads(m_kernel);
        if (isShared && hasOwn) {
            line(QStringLiteral("// Each thread has a private buffer for a row, which stays in its cache."));
            m_body += QLatin1String("#pragma omp parallel\n");
            line(QStringLiteral("{"));
            ++m_indent;
        }
        if (hasOwn)
            declareCached();
        if (isShared)
            m_body += hasOwn ? QLatin1String("#pragma omp for schedule(static)\n")
                             : QLatin1String("#pragma omp parallel for schedule(static)\n");
        line(QStringLiteral("for (std::int64_t row = 0; row < kRows; ++row) {"));
        ++m_indent;
        for (const QString &text : m_loops.outerCounterLines())
            line(text);
        declarePointers();
        for (std::size_t p = 0; p < m_schedule.passes.size(); ++p) {
            nameRowSteps(p);
            emitPass(p);
        }
        nameRowSteps(m_schedule.passes.size());
        storeOnceARow();
        for (std::size_t position = 0; position < m_kernel.stores.size(); ++position)
            if (isStreamed(static_cast<int>(position)))
                line(QStringLiteral("stream(%1 + %2, %3, kColumns);")
                         .arg(bufferName(m_kernel.stores[position].buffer),
                              indexExpression(m_loops.outerPart(m_kernel.stores[position].address),
                                              m_loops.allCounters()),
                              m_storePointers[static_cast<int>(position)]));
        --m_indent;
        line(QStringLiteral("}"));
        if (isShared && hasOwn) {
            --m_indent;
            line(QStringLiteral("}"));
        }
    }

    void storeOnceARow() {
        for (const int position : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
            line(
                QStringLiteral("%1 = %2;").arg(storeTarget(position), m_text.stored(store.step, store.type)));
        }
    }

    void declareCached() {
        int number = 0;
        for (const int step : m_schedule.cached) {
            const QString name =
                QStringLiteral("cached%1")
                    .arg(m_schedule.cached.size() > 1 ? QString::number(++number) : QString());
            const QString type = cTypeName(m_kernel.step(step).type, false);
            line(QStringLiteral("std::vector<%1> %2Row(kColumns);")
                     .arg(type == QLatin1String("bool") ? QStringLiteral("char") : type, name));
            line(QStringLiteral("auto *const %1 = %1Row.data();").arg(name));
            m_cached[step] = name;
        }
        number = 0;
        for (std::size_t position = 0; position < m_kernel.stores.size(); ++position)
            if (isStreamed(static_cast<int>(position))) {
                const QString name =
                    QStringLiteral("result%1").arg(number++ > 0 ? QString::number(number) : QString());
                line(QStringLiteral("std::vector<float> %1Row(kColumns);").arg(name));
                line(QStringLiteral("float *const %1 = %1Row.data();").arg(name));
                m_storePointers[static_cast<int>(position)] = name;
            }
    }

    void declarePointers() {
        std::map<QString, int> count;
        const auto declare = [&](int buffer, const AffineExpr &address, const char *constant) {
            const int number = ++count[memoryName(buffer)];
            const QString name = bufferName(buffer) + QStringLiteral("Row") +
                                 (number > 1 ? QString::number(number) : QString());
            line(QStringLiteral("%1%2 *const %3 = %4 + %5;")
                     .arg(QLatin1String(constant), cTypeName(typeOfBuffer(m_graph, m_program, buffer), false),
                          name, memoryName(buffer),
                          indexExpression(m_loops.outerPart(address), m_loops.allCounters())));
            return name;
        };
        for (std::size_t i = 0; i < m_kernel.inputs.size(); ++i) {
            const KernelInput &input = m_kernel.inputs[i];
            if (m_kernel.levelOf(input.address) == StepLevel::Element)
                m_pointers[static_cast<int>(i)] = declare(input.buffer, input.address, "const ");
        }
        for (std::size_t i = 0; i < m_kernel.stores.size(); ++i) {
            const KernelStore &store = m_kernel.stores[i];
            const bool isElement = m_kernel.levelOf(store.address) == StepLevel::Element;
            if (isElement && !isStreamed(static_cast<int>(i)))
                m_storePointers[static_cast<int>(i)] = declare(store.buffer, store.address, "");
        }
    }

    void nameRowSteps(std::size_t p) {
        for (const int step : m_schedule.named[p]) {
            const QString name = QStringLiteral("r%1").arg(++m_rowNames);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cTypeName(m_kernel.step(step).type, false), name, m_text.definition(step)));
            m_text.name(step, name);
        }
    }

    void emitPass(std::size_t p) {
        const ReductionPass &pass = m_schedule.passes[p];
        if (!pass.reductions.empty() || !pass.stores.empty() || !pass.cached.empty()) {
            if (p > 0)
                m_body += QLatin1Char('\n');
            const QString clauses = declareSums(pass);
            emitLoop(pass, clauses);
            finishSums(pass);
        }
        for (const ReductionPass &search : pass.selects)
            emitSearch(search);
    }

    void emitSearch(const ReductionPass &search) {
        const int step = search.reductions[0];
        const RadixSelect selects(m_kernel, step, m_loops.accumulatorName(step), false);
        selects.appendFunctions(m_text);
        m_body += QLatin1Char('\n');
        for (const QString &text : selects.begin())
            line(text);
        ++m_indent;
        emitLoop(search, QStringLiteral(" reduction(+ : %1)").arg(selects.counter()));
        --m_indent;
        for (const QString &text : selects.end())
            line(text);
        m_text.name(step, m_loops.accumulatorName(step));
    }

    void emitLoop(const ReductionPass &pass, const QString &clauses) {
        for (const QString &text : m_scans.declare(pass))
            line(text);
        const std::vector<std::size_t> inner = m_loops.innerLoops();
        // The innermost loop is vectorized; with few rows, threads share the outermost one.
        for (std::size_t i = 0; i < inner.size() || i == 0; ++i) {
            const bool isLast = i + 1 >= inner.size();
            // A scan is carried from element to element.
            const bool isShared =
                i == 0 && (m_sharesRow || m_isFlat) && m_kernel.columns() >= longRow && m_scans.isEmpty();
            if (isShared && isLast)
                m_body += QStringLiteral("#pragma omp parallel for simd schedule(static)%1\n").arg(clauses);
            else if (isShared)
                m_body += QStringLiteral("#pragma omp parallel for schedule(static)%1\n").arg(clauses);
            else if (isLast && m_scans.isEmpty())
                m_body += QStringLiteral("#pragma omp simd%1\n").arg(clauses);
            const QString counter = inner.empty() ? QStringLiteral("c") : m_loops.counter(inner[i]);
            const QString limit = inner.size() <= 1
                                      ? (m_isFlat ? QStringLiteral("kElements") : QStringLiteral("kColumns"))
                                      : QString::number(m_kernel.loops[inner[i]]);
            line(QStringLiteral("for (std::int64_t %1 = 0; %1 < %2; ++%1)%3")
                     .arg(counter, limit, isLast ? QStringLiteral(" {") : QString()));
            ++m_indent;
        }
        emitElement(pass);
        m_indent -= static_cast<int>(std::max<std::size_t>(inner.size(), 1));
        line(QString(static_cast<int>(std::max<std::size_t>(inner.size(), 1) - 1) * 4, QLatin1Char(' ')) +
             QStringLiteral("}"));
    }

    // A loop with calls in it stays scalar: its sum is one long chain.
    bool needsDouble() const {
        const bool hasCalls =
            !m_knobs.hasVectorMath &&
            std::any_of(m_kernel.steps.begin(), m_kernel.steps.end(), [](const KernelStep &step) {
                return isExpensive(step.op) && step.level >= StepLevel::Column;
            });
        return m_kernel.columns() > (hasCalls ? longChain : longVectorSum);
    }

    QString declareSums(const ReductionPass &pass) {
        QString clauses;
        for (const int step : pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, needsDouble());
            const QString name = m_loops.accumulatorName(step);
            line(QStringLiteral("%1 %2 = %3;").arg(sum.type, name, sum.start));
            clauses += QStringLiteral(" reduction(%1 : %2)").arg(sum.sign, name);
            if (sum.countsNans) {
                line(QStringLiteral("int %1Nans = 0; // counted: comparisons skip NaN").arg(name));
                clauses += QStringLiteral(" reduction(+ : %1Nans)").arg(name);
            }
        }
        return clauses;
    }

    void emitElement(const ReductionPass &pass) {
        for (const int step : pass.reused)
            m_text.name(step, QStringLiteral("%1[%2]").arg(m_cached[step], m_loops.flatColumn()));
        std::vector<int> named;
        for (const int step : pass.computed) {
            const bool isCached =
                std::find(pass.cached.begin(), pass.cached.end(), step) != pass.cached.end();
            if (m_scans.contains(step)) {
                for (const QString &text : m_scans.update(step))
                    line(text);
                named.push_back(step);
                if (isCached)
                    line(QStringLiteral("%1[%2] = %3;")
                             .arg(m_cached[step], m_loops.flatColumn(), m_text.text(step)));
                continue;
            }
            if (!isCached && (usesIn(m_kernel, pass, step) < 2 || m_kernel.step(step).op == Opcode::Number))
                continue;
            const QString name = QStringLiteral("h%1").arg(++m_elementNames);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cTypeName(m_kernel.step(step).type, false), name, m_text.definition(step)));
            m_text.name(step, name);
            named.push_back(step);
            if (isCached)
                line(QStringLiteral("%1[%2] = %3;").arg(m_cached[step], m_loops.flatColumn(), name));
        }
        for (const int step : pass.reductions) {
            const QString name = m_loops.accumulatorName(step);
            if (m_kernel.step(step).op == Opcode::RowKthValue) {
                line(RadixSelect(m_kernel, step, name, false)
                         .update(m_text.text(m_kernel.step(step).operands[0])));
                continue;
            }
            const ReductionCode sum = reductionCode(m_kernel, step, needsDouble());
            line(sum.update(name, m_text.text(m_kernel.step(step).operands[0])));
            if (sum.countsNans)
                line(QStringLiteral("%1Nans += %2 != %2;")
                         .arg(name, m_text.text(m_kernel.step(step).operands[0])));
        }
        for (const int position : pass.stores)
            line(QStringLiteral("%1 = %2;")
                     .arg(storeTarget(position),
                          m_text.stored(m_kernel.stores[static_cast<std::size_t>(position)].step,
                                        m_kernel.stores[static_cast<std::size_t>(position)].type)));
        for (const int step : named)
            m_text.forget(step);
        for (const int step : pass.reused)
            m_text.forget(step);
    }

    void finishSums(const ReductionPass &pass) {
        for (const int step : pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, needsDouble());
            const QString name = m_loops.accumulatorName(step);
            if (sum.countsNans)
                line(QStringLiteral("if (%1Nans > 0)\n%2%1 = NAN;")
                         .arg(name, QString((m_indent + 1) * 4, QLatin1Char(' '))));
            m_text.name(step,
                        sum.type == cTypeName(m_kernel.step(step).type, false)
                            ? name
                            : QStringLiteral("%1(%2)").arg(cTypeName(m_kernel.step(step).type, false), name));
        }
    }

    ReductionSchedule m_schedule;
    LoopNames m_loops;
    ExpressionPrinter m_text;
    bool m_sharesRow = false;
    bool m_isFlat = false;
    bool m_streams = false;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    int m_elementNames = 0;
    CpuScans m_scans; // of the current loop
    std::set<int> m_halves;
    std::map<int, QString> m_cached;
    std::map<int, QString> m_pointers;
    std::map<int, QString> m_storePointers;
};

} // namespace

bool canStreamResults(const Kernel &kernel) {
    const Kernel blocks = withRowBlocking(kernel);
    const LoopNames loops(blocks);
    return blocks.columns() >= 64 && blocks.columns() <= mostStreamedRow && blocks.rows() >= fewRows &&
           std::any_of(blocks.stores.begin(), blocks.stores.end(), [&loops](const KernelStore &store) {
               return store.type == ElementType::Float32 && loops.isContiguousRow(store.address);
           });
}

QString genericKernelCpuText(const KernelSource &source) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const Kernel blocked = knobs.streamsResults ? withRowBlocking(kernel) : kernel;
    const QString text = GenericKernelCpu({graph, program, blocked, names, knobs}).run();
    return kernel.isScattered() ? scatteredCpuText(text, source) : text;
}

} // namespace warpwright
