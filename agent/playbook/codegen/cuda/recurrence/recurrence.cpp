// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/recurrence/recurrence.h"

#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/recurrence/recurrence_frame.h"
#include "agent/playbook/codegen/cuda/time_loop.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

class RecurrenceEmitter : private RecurrenceFrame {
public:
    RecurrenceEmitter(const ReferenceGraph &graph, const Program &program, std::size_t kernel,
                      const KernelNames &names)
        : RecurrenceFrame(graph, program, kernel, names),
          m_loops(m_kernel),
          m_schedule(scheduleOf(m_kernel, RowCaching::All)),
          m_text(m_kernel, CodeDialect::Cuda, [this](int input) { return inputText(input); }) {
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
            if (isRateOfState(static_cast<int>(i)))
                m_text.approximate(static_cast<int>(i), QStringLiteral("expOfDecay"));
    }

    QString run() {
        m_indent = 1;
        body();
        return before(m_text.functions()) + m_body + after();
    }

private:
    static QString cType(ElementType type) { return cTypeName(type, true); }

    // ---- lines

    void line(const QString &text) {
        const bool isDirective = text.startsWith(QLatin1Char('#'));
        m_body += wrappedLine(text, isDirective ? 0 : m_indent) + QLatin1Char('\n');
    }
    static QString wrappedLine(const QString &text, int indent) {
        return QString(indent * 4, QLatin1Char(' ')) + text;
    }
    void lines(const QStringList &texts) {
        for (const QString &text : texts)
            line(text);
    }
    void open(const QString &text) {
        line(text);
        ++m_indent;
    }
    void close(const QString &text = QStringLiteral("}")) {
        --m_indent;
        line(text);
    }

    // A loop over a thread's vectors of a row. `work`: appends its body.
    template <typename Work>
    void forVectors(const Work &work) {
        const bool isLoop = m_mapping.vecs > 1;
        if (isLoop) {
            line(QStringLiteral("#pragma unroll"));
            open(QStringLiteral("for (int p = 0; p < kVectors; ++p) {"));
        } else {
            open(QStringLiteral("{"));
        }
        const QString lane = isLoop ? QStringLiteral("p * kThreadsPerRow + lane") : QStringLiteral("lane");
        const QString wide = !isWide() ? lane
                             : isLoop  ? QStringLiteral("(%1) * kWidth").arg(lane)
                                       : lane + QStringLiteral(" * kWidth");
        const QString before = std::exchange(m_body, {});
        m_indent += isSplit() ? 1 : 0;
        work();
        m_indent -= isSplit() ? 1 : 0;
        const QString inside = std::exchange(m_body, before);
        const QStringList counters = with32BitCounters(namedIn(inside, m_loops.innerCounterLines()));
        if (isSplit() || !counters.isEmpty() || isNamed(inside, QStringLiteral("c")))
            line(QStringLiteral("const int c = %1;").arg(wide));
        if (isSplit())
            open(QStringLiteral("if (c < kColumns) {"));
        lines(counters);
        m_body += inside;
        if (isSplit())
            close();
        close();
    }

    static bool isNamed(const QString &text, const QString &word) {
        return text.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(word)));
    }

    template <typename Work>
    void forElements(const Work &work) {
        if (isWide()) {
            line(QStringLiteral("#pragma unroll"));
            open(QStringLiteral("for (int k = 0; k < kWidth; ++k) {"));
        }
        m_isInVector = isWide();
        work();
        m_isInVector = false;
        if (isWide())
            close();
    }

    static QStringList with32BitCounters(QStringList counters) {
        for (QString &counter : counters)
            counter.replace(QLatin1String("std::int64_t"), QLatin1String("int"));
        return counters;
    }

    QString elementIndex(const AffineExpr &address) const {
        QString text = indexExpression(address, m_loops.allCounters());
        if (m_isInVector && !address.steps.empty() && address.steps.back() != 0)
            text += address.steps.back() == 1 ? QStringLiteral(" + k")
                                              : QStringLiteral(" + k * %1").arg(address.steps.back());
        return text;
    }

    QString inRegisters(const LoopInput &loopInput) const {
        QString text = loopInput.kind == LoopInput::Kind::PerTimeStep
                           ? QStringLiteral("current[slot].") + loopInput.name
                           : loopInput.name;
        return text + (loopInput.isRow ? QString() : ofElement());
    }
    [[nodiscard]] QString ofVector() const { return m_mapping.vecs > 1 ? QStringLiteral("[p]") : QString(); }
    [[nodiscard]] QString ofElement() const {
        return ofVector() + (isWide() ? QStringLiteral(".at[k]") : QString());
    }

    QString inputText(int input) const {
        return input < 0 ? elementIndex(m_kernel.step(-1 - input).index)
                         : inRegisters(m_loopInputs[static_cast<std::size_t>(input)]);
    }

    // Loads a thread's part of an input. `target`: its registers; `position`: its offset at this time step.
    void loadRow(std::size_t input, const QString &target, const QString &position) {
        line(QStringLiteral("%1 = %2;").arg(target, elementAt(input, position)));
    }
    void loadVector(std::size_t input, const QString &target, const QString &position) {
        const KernelInput &what = m_kernel.inputs[input];
        line(QStringLiteral("%1%2 = %3;")
                 .arg(target, ofVector(),
                      isWide()
                          ? vecLoad(cType(what.type), m_names.nameOf(what.buffer),
                                    sum(position, indexExpression(what.address, m_loops.allCounters())), {})
                          : elementAt(input, position)));
    }
    QString elementAt(std::size_t input, const QString &position) const {
        const KernelInput &what = m_kernel.inputs[input];
        return QStringLiteral("%1[%2]").arg(
            m_names.nameOf(what.buffer), sum(position, indexExpression(what.address, m_loops.allCounters())));
    }
    static QString sum(const QString &position, const QString &index) {
        return position.isEmpty()            ? index
               : index == QLatin1String("0") ? position
                                             : position + QStringLiteral(" + ") + index;
    }

    // ---- the kernel

    void body() {
        line(QStringLiteral("const int thread = int(blockIdx.x) * THREADS + threadIdx.x;"));
        const bool hasNeighbours = m_mapping.areRowsAdjacent && m_mapping.threadsPerRow > 1;
        line(QStringLiteral("const int wanted = %1;")
                 .arg(hasNeighbours
                          ? QStringLiteral(
                                "thread / 32 * (32 / kThreadsPerRow) + thread % (32 / kThreadsPerRow)")
                      : m_mapping.threadsPerRow > 1 ? QStringLiteral("thread / kThreadsPerRow")
                                                    : QStringLiteral("thread")));
        line(QStringLiteral("const bool isInBounds = wanted < kRows; // beyond the end, the last row again"));
        line(QStringLiteral("const int row = isInBounds ? wanted : kRows - 1;"));
        const QString before = std::exchange(m_body, {});
        rowLines();
        const QString rest = std::exchange(m_body, before);
        if (isNamed(rest, QStringLiteral("lane")))
            line(QStringLiteral("const int lane = %1;")
                     .arg(m_mapping.threadsPerRow == 1 ? QStringLiteral("0")
                          : hasNeighbours              ? QStringLiteral("thread % 32 / (32 / kThreadsPerRow)")
                                                       : QStringLiteral("thread % kThreadsPerRow")));
        m_body += rest;
    }

    // All time steps of a row.
    void rowLines() {
        lines(with32BitCounters(m_loops.outerCounterLines(true)));
        loadOnce();
        if (hasPerTimeStep()) {
            prefetchLines();
            line(QStringLiteral("StepInputs prefetched[kPrefetchDepth];"));
            line(QStringLiteral("#pragma unroll"));
            line(QStringLiteral("for (int slot = 0; slot < kPrefetchDepth; ++slot)"));
            line(QStringLiteral("    prefetched[slot] = loadInputs(slot);"));
            open(QStringLiteral("for (int begin = 0; begin < kTimeSteps; begin += kPrefetchDepth) {"));
            line(QStringLiteral("StepInputs current[kPrefetchDepth];"));
            line(QStringLiteral("#pragma unroll"));
            open(QStringLiteral("for (int slot = 0; slot < kPrefetchDepth; ++slot) {"));
            line(QStringLiteral("const int next = begin + kPrefetchDepth + slot;"));
            line(QStringLiteral("current[slot] = prefetched[slot];"));
            line(QStringLiteral("prefetched[slot] = loadInputs(next < kTimeSteps ? next : kTimeSteps - 1);"));
            close();
            line(QStringLiteral("#pragma unroll"));
            open(QStringLiteral("for (int slot = 0; slot < kPrefetchDepth; ++slot) {"));
            line(QStringLiteral("const %1 timeStep = begin + slot;").arg(timeStepType()));
            if (m_timeSteps % m_mapping.prefetchDepth != 0)
                lines({QStringLiteral("if (timeStep >= kTimeSteps)"), QStringLiteral("    break;")});
            timeStepLines();
            close();
            close();
        } else {
            open(QStringLiteral("for (%1 timeStep = 0; timeStep < kTimeSteps; ++timeStep) {")
                     .arg(timeStepType()));
            timeStepLines();
            close();
        }
        storeLast();
    }

    // Loads invariant inputs and initial states.
    void loadOnce() {
        bool hasVectors = false;
        for (std::size_t i = 0; i < m_loopInputs.size(); ++i) {
            const LoopInput &loopInput = m_loopInputs[i];
            if (loopInput.kind == LoopInput::Kind::PerTimeStep)
                continue;
            line(declared(m_kernel.inputs[i].type, loopInput.isRow, loopInput.name));
            if (loopInput.isRow)
                loadRow(i, loopInput.name, {});
            hasVectors = hasVectors || !loopInput.isRow;
        }
        if (!hasVectors)
            return;
        forVectors([&] {
            for (std::size_t i = 0; i < m_loopInputs.size(); ++i)
                if (m_loopInputs[i].kind != LoopInput::Kind::PerTimeStep && !m_loopInputs[i].isRow)
                    loadVector(i, m_loopInputs[i].name, {});
        });
    }

    void prefetchLines() {
        open(QStringLiteral("const auto loadInputs = [&](%1 timeStep) {").arg(timeStepType()));
        line(QStringLiteral("StepInputs inputs;"));
        bool hasVectors = false;
        const auto offsetOf = [this](std::size_t input) {
            return timeWindowOffset(bufferOf(m_kernel.inputs[input].buffer).window);
        };
        for (std::size_t i = 0; i < m_loopInputs.size(); ++i) {
            if (m_loopInputs[i].kind != LoopInput::Kind::PerTimeStep)
                continue;
            if (m_loopInputs[i].isRow)
                loadRow(i, QStringLiteral("inputs.") + m_loopInputs[i].name, offsetOf(i));
            hasVectors = hasVectors || !m_loopInputs[i].isRow;
        }
        if (hasVectors)
            forVectors([&] {
                for (std::size_t i = 0; i < m_loopInputs.size(); ++i)
                    if (m_loopInputs[i].kind == LoopInput::Kind::PerTimeStep && !m_loopInputs[i].isRow)
                        loadVector(i, QStringLiteral("inputs.") + m_loopInputs[i].name, offsetOf(i));
            });
        line(QStringLiteral("return inputs;"));
        close(QStringLiteral("};"));
    }

    void timeStepLines() {
        for (std::size_t i = 0; i < m_loopInputs.size(); ++i)
            if (m_loopInputs[i].kind == LoopInput::Kind::State && isFirstOfState(i))
                line(declared(m_kernel.inputs[i].type, m_loopInputs[i].isRow, nextName(m_loopInputs[i])));
        int number = 0;
        for (const int step : m_schedule.cached) {
            if (m_kernel.step(step).op == Opcode::Load)
                continue;
            const QString name = QStringLiteral("kept%1").arg(++number);
            line(QStringLiteral("%1 %2%3%4;")
                     .arg(cType(m_kernel.step(step).type), name,
                          m_mapping.vecs > 1 ? QStringLiteral("[kVectors]") : QString(),
                          isWide() ? QStringLiteral("[kWidth]") : QString()));
            m_cached[step] = name;
        }
        m_rowNames = 0;
        for (std::size_t p = 0; p < m_schedule.passes.size(); ++p) {
            nameRowSteps(p);
            passLines(m_schedule.passes[p]);
        }
        nameRowSteps(m_schedule.passes.size());
        rowStores();
        for (std::size_t i = 0; i < m_loopInputs.size(); ++i) {
            const LoopInput &loopInput = m_loopInputs[i];
            if (loopInput.kind != LoopInput::Kind::State || !isFirstOfState(i))
                continue;
            if (loopInput.isRow || m_mapping.vecs == 1) {
                line(QStringLiteral("%1 = %2;").arg(loopInput.name, nextName(loopInput)));
                continue;
            }
            line(QStringLiteral("#pragma unroll"));
            line(QStringLiteral("for (int p = 0; p < kVectors; ++p)"));
            line(QStringLiteral("    %1[p] = %2[p];").arg(loopInput.name, nextName(loopInput)));
        }
    }

    void nameRowSteps(std::size_t p) {
        for (const int step : m_schedule.named[p]) {
            const QString name = QStringLiteral("r%1").arg(++m_rowNames);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cType(m_kernel.step(step).type), name, m_text.definition(step)));
            m_text.name(step, name);
        }
    }

    void rowStores() {
        QStringList left;
        for (const int position : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
            QString value = m_text.stored(store.step, store.type);
            if (const LoopInput *state = stateOf(position)) {
                line(QStringLiteral("%1 = %2;").arg(nextName(*state), value));
                value = nextName(*state);
                if (!isStoredEachTimeStep(store))
                    continue;
            }
            left << QStringLiteral("%1[%2] = %3;")
                        .arg(m_names.nameOf(store.buffer), storePosition(store), value);
        }
        if (left.isEmpty())
            return;
        open(m_mapping.threadsPerRow > 1 ? QStringLiteral("if (isInBounds && lane == 0) {")
                                         : QStringLiteral("if (isInBounds) {"));
        lines(left);
        close();
    }

    QString storePosition(const KernelStore &store) const {
        const ProgramBuffer &buffer = bufferOf(store.buffer);
        return sum(buffer.kind == ProgramBuffer::Kind::Window ? timeWindowOffset(buffer.window) : QString(),
                   indexExpression(store.address, m_loops.allCounters()));
    }

    void passLines(const ReductionPass &pass) {
        if (pass.reductions.empty() && pass.stores.empty() && pass.cached.empty())
            return;
        for (const int step : pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, false);
            line(QStringLiteral("%1 %2 = %3;").arg(sum.type, m_loops.accumulatorName(step), sum.start));
        }
        forVectors([&] { elementLines(pass); });
        for (const int step : pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, false);
            const QString name = m_loops.accumulatorName(step);
            if (m_mapping.threadsPerRow > 1)
                line(QStringLiteral("%1 = reduceRow(%1, [](%2 a, %2 b) { return %3; });")
                         .arg(name, sum.type,
                              sum.isExtreme() ? sum.extreme(QStringLiteral("a"), QStringLiteral("b"))
                                              : QStringLiteral("a %1 b").arg(sum.sign)));
            m_text.name(step, name);
        }
    }

    void elementLines(const ReductionPass &pass) {
        std::map<int, QString> vecs; // by store: the vector that it writes
        for (const int position : pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
            if (!isWide() || (stateOf(position) && !isStoredEachTimeStep(store)))
                continue;
            vecs[position] = stateOf(position) ? nextName(*stateOf(position)) + ofVector()
                                               : QStringLiteral("stored%1").arg(position + 1);
            if (!stateOf(position))
                line(QStringLiteral("Vec<%1> %2;").arg(cType(store.type), vecs[position]));
        }
        forElements([&] { computeElement(pass); });
        QStringList left;
        for (const auto &[position, vec] : vecs) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
            left << vecStore(cType(store.type), m_names.nameOf(store.buffer), storePosition(store), vec);
        }
        for (const int position : pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
            if (!isWide() && (!stateOf(position) || isStoredEachTimeStep(store)))
                left << QStringLiteral("%1[%2] = %3;")
                            .arg(m_names.nameOf(store.buffer), storePosition(store),
                                 stateOf(position) ? nextName(*stateOf(position)) + ofVector()
                                                   : QStringLiteral("stored%1").arg(position + 1));
        }
        if (left.isEmpty())
            return;
        open(QStringLiteral("if (isInBounds) {"));
        lines(left);
        close();
    }

    void computeElement(const ReductionPass &pass) {
        const QString cachedPosition = ofVector() + (isWide() ? QStringLiteral("[k]") : QString());
        std::vector<int> named;
        int names = 0;
        for (const int step : pass.reused)
            if (m_cached.contains(step))
                m_text.name(step, m_cached[step] + cachedPosition);
        for (const int step : pass.computed) {
            const bool isCached = m_cached.contains(step) && std::find(pass.cached.begin(), pass.cached.end(),
                                                                       step) != pass.cached.end();
            if (!isCached && usesIn(m_kernel, pass, step) < 2)
                continue;
            const QString name = QStringLiteral("h%1").arg(++names);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cType(m_kernel.step(step).type), name, m_text.definition(step)));
            m_text.name(step, name);
            named.push_back(step);
            if (isCached)
                line(QStringLiteral("%1%2 = %3;").arg(m_cached[step], cachedPosition, name));
        }
        for (const int step : pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, false);
            const QString name = m_loops.accumulatorName(step);
            const QString element = m_text.text(m_kernel.step(step).operands[0]);
            line(sum.isExtreme() ? QStringLiteral("%1 = %2;").arg(name, sum.extreme(element, name))
                                 : sum.update(name, element));
        }
        for (const int position : pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
            const QString value = m_text.stored(store.step, store.type);
            if (const LoopInput *state = stateOf(position))
                line(QStringLiteral("%1%2 = %3;").arg(nextName(*state), ofElement(), value));
            else if (isWide())
                line(QStringLiteral("stored%1.at[k] = %2;").arg(position + 1).arg(value));
            else
                line(QStringLiteral("const %1 stored%2 = %3;")
                         .arg(cType(store.type))
                         .arg(position + 1)
                         .arg(value));
        }
        for (const int step : named)
            m_text.forget(step);
        for (const int step : pass.reused)
            if (m_cached.contains(step))
                m_text.forget(step);
    }

    // Stores the last states that are read after the loop.
    void storeLast() {
        std::vector<std::size_t> left;
        bool hasRows = false;
        bool hasVectors = false;
        for (std::size_t i = 0; i < m_loopInputs.size(); ++i) {
            if (m_loopInputs[i].kind != LoopInput::Kind::State || !isFirstOfState(i))
                continue;
            const KernelStore &store = storeOf(m_loopInputs[i]);
            if (bufferOf(store.buffer).window.ring == 0 || !isReadElsewhere(store))
                continue;
            left.push_back(i);
            (m_loopInputs[i].isRow ? hasRows : hasVectors) = true;
        }
        const auto write = [&](bool isRow) {
            for (const std::size_t i : left) {
                const LoopInput &loopInput = m_loopInputs[i];
                if (loopInput.isRow != isRow)
                    continue;
                const KernelStore &store = storeOf(loopInput);
                const TimeStepWindow &window = bufferOf(store.buffer).window;
                const std::int64_t position = (m_timeSteps - 1 + window.first) % window.ring * window.step;
                const QString index = sum(position == 0 ? QString() : QString::number(position),
                                          indexExpression(store.address, m_loops.allCounters()));
                line(isWide() && !isRow ? vecStore(cType(store.type), m_names.nameOf(store.buffer), index,
                                                   loopInput.name + ofVector())
                                        : QStringLiteral("%1[%2] = %3%4;")
                                              .arg(m_names.nameOf(store.buffer), index, loopInput.name,
                                                   isRow ? QString() : ofVector()));
            }
        };
        if (left.empty())
            return;
        lines({QStringLiteral("if (!isInBounds)"), QStringLiteral("    return;")});
        if (hasVectors)
            forVectors([&] { write(false); });
        if (hasRows) {
            open(m_mapping.threadsPerRow > 1 ? QStringLiteral("if (lane == 0) {") : QStringLiteral("{"));
            write(true);
            close();
        }
    }
    LoopNames m_loops;
    ReductionSchedule m_schedule;
    ExpressionPrinter m_text;
    std::map<int, QString> m_cached;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    bool m_isInVector = false;
};

} // namespace

QString recurrenceCudaText(const ReferenceGraph &graph, const Program &program, std::size_t kernel,
                           const KernelNames &names) {
    return RecurrenceEmitter(graph, program, kernel, names).run();
}

} // namespace warpwright
