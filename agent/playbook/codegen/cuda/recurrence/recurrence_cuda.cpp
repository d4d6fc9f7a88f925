// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/recurrence/recurrence_cuda.h"

#include "agent/playbook/codegen/cuda/cuda_helpers.h"
#include "agent/playbook/codegen/cuda/recurrence/recurrence_frame.h"
#include "agent/playbook/codegen/cuda/turns_inside.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/codegen/scalar_text.h"
#include "agent/playbook/schedule/kernel_schedule.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

class RecurrenceEmitter : private RecurrenceFrame {
public:
    RecurrenceEmitter(const ReferenceGraph &graph, const KernelPlan &plan, std::size_t kernel,
                      const KernelNames &names)
        : RecurrenceFrame(graph, plan, kernel, names),
          m_loops(m_kernel),
          m_schedule(scheduleOf(m_kernel, Keeping::All)),
          m_text(m_kernel, TextDialect::Cuda, [this](int leaf) { return leafText(leaf); }) {
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
            if (isRateOfState(static_cast<int>(i)))
                m_text.approximate(static_cast<int>(i), QStringLiteral("exponentialOfRate"));
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

    // A loop over a thread's packs of a row. `work`: its lines.
    template <typename Work>
    void forPacks(const Work &work) {
        const bool isLoop = m_sharing.packs > 1;
        if (isLoop) {
            line(QStringLiteral("#pragma unroll"));
            open(QStringLiteral("for (int p = 0; p < kPacks; ++p) {"));
        } else {
            open(QStringLiteral("{"));
        }
        const QString lane = isLoop ? QStringLiteral("p * kLanes + lane") : QStringLiteral("lane");
        const QString wide = !isWide() ? lane
                             : isLoop  ? QStringLiteral("(%1) * kWidth").arg(lane)
                                       : lane + QStringLiteral(" * kWidth");
        const QString before = std::exchange(m_body, {});
        m_indent += isSplit() ? 1 : 0;
        work();
        m_indent -= isSplit() ? 1 : 0;
        const QString inside = std::exchange(m_body, before);
        const QStringList counters = narrowed(namedIn(inside, m_loops.innerCounterLines()));
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
        m_isInPack = isWide();
        work();
        m_isInPack = false;
        if (isWide())
            close();
    }

    static QStringList narrowed(QStringList counters) {
        for (QString &counter : counters)
            counter.replace(QLatin1String("std::int64_t"), QLatin1String("int"));
        return counters;
    }

    QString elementIndex(const AffineIndex &address) const {
        QString text = indexText(address, m_loops.allCounters());
        if (m_isInPack && !address.steps.empty() && address.steps.back() != 0)
            text += address.steps.back() == 1 ? QStringLiteral(" + k")
                                              : QStringLiteral(" + k * %1").arg(address.steps.back());
        return text;
    }

    QString inRegisters(const TurnInput &input) const {
        QString text =
            input.kind == TurnInput::Kind::Given ? QStringLiteral("now[ahead].") + input.name : input.name;
        return text + (input.isRow ? QString() : ofElement());
    }
    [[nodiscard]] QString ofPack() const { return m_sharing.packs > 1 ? QStringLiteral("[p]") : QString(); }
    [[nodiscard]] QString ofElement() const {
        return ofPack() + (isWide() ? QStringLiteral(".at[k]") : QString());
    }

    QString leafText(int leaf) const {
        return leaf < 0 ? elementIndex(m_kernel.step(-1 - leaf).index)
                        : inRegisters(m_inputs[static_cast<std::size_t>(leaf)]);
    }

    // Loads what a leaf has for this thread. `target`: its registers; `place`: where it is at this turn.
    void loadRow(std::size_t leaf, const QString &target, const QString &place) {
        line(QStringLiteral("%1 = %2;").arg(target, elementAt(leaf, place)));
    }
    void loadPack(std::size_t leaf, const QString &target, const QString &place) {
        const KernelLeaf &what = m_kernel.leaves[leaf];
        line(QStringLiteral("%1%2 = %3;")
                 .arg(target, ofPack(),
                      isWide() ? packLoad(cType(what.type), m_names.nameOf(what.buffer),
                                          sum(place, indexText(what.address, m_loops.allCounters())), {})
                               : elementAt(leaf, place)));
    }
    QString elementAt(std::size_t leaf, const QString &place) const {
        const KernelLeaf &what = m_kernel.leaves[leaf];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                            sum(place, indexText(what.address, m_loops.allCounters())));
    }
    static QString sum(const QString &place, const QString &index) {
        return place.isEmpty()               ? index
               : index == QLatin1String("0") ? place
                                             : place + QStringLiteral(" + ") + index;
    }

    // ---- the kernel

    void body() {
        line(QStringLiteral("const int thread = int(blockIdx.x) * THREADS + threadIdx.x;"));
        const bool hasNeighbours = m_sharing.isAcross && m_sharing.lanes > 1;
        line(QStringLiteral("const int wanted = %1;")
                 .arg(hasNeighbours ? QStringLiteral("thread / 32 * (32 / kLanes) + thread % (32 / kLanes)")
                      : m_sharing.lanes > 1 ? QStringLiteral("thread / kLanes")
                                            : QStringLiteral("thread")));
        line(QStringLiteral("const bool isThere = wanted < kRows; // beyond, the last row is taken again"));
        line(QStringLiteral("const int row = isThere ? wanted : kRows - 1;"));
        const QString before = std::exchange(m_body, {});
        rowLines();
        const QString rest = std::exchange(m_body, before);
        if (isNamed(rest, QStringLiteral("lane")))
            line(QStringLiteral("const int lane = %1;")
                     .arg(m_sharing.lanes == 1 ? QStringLiteral("0")
                          : hasNeighbours      ? QStringLiteral("thread % 32 / (32 / kLanes)")
                                               : QStringLiteral("thread % kLanes")));
        m_body += rest;
    }

    // A row through all turns.
    void rowLines() {
        lines(narrowed(m_loops.outerCounterLines(true)));
        loadOnce();
        if (hasGiven()) {
            askLines();
            line(QStringLiteral("Given next[kAhead];"));
            line(QStringLiteral("#pragma unroll"));
            line(QStringLiteral("for (int ahead = 0; ahead < kAhead; ++ahead)"));
            line(QStringLiteral("    next[ahead] = ask(ahead);"));
            open(QStringLiteral("for (int begin = 0; begin < kTurns; begin += kAhead) {"));
            line(QStringLiteral("Given now[kAhead];"));
            line(QStringLiteral("#pragma unroll"));
            open(QStringLiteral("for (int ahead = 0; ahead < kAhead; ++ahead) {"));
            line(QStringLiteral("const int later = begin + kAhead + ahead;"));
            line(QStringLiteral("now[ahead] = next[ahead];"));
            line(QStringLiteral("next[ahead] = ask(later < kTurns ? later : kTurns - 1);"));
            close();
            line(QStringLiteral("#pragma unroll"));
            open(QStringLiteral("for (int ahead = 0; ahead < kAhead; ++ahead) {"));
            line(QStringLiteral("const %1 turn = begin + ahead;").arg(turnType()));
            if (m_turns % m_sharing.ahead != 0) {
                line(QStringLiteral("if (turn >= kTurns)"));
                line(QStringLiteral("    break;"));
            }
            turnLines();
            close();
            close();
        } else {
            open(QStringLiteral("for (%1 turn = 0; turn < kTurns; ++turn) {").arg(turnType()));
            turnLines();
            close();
        }
        leaveLast();
    }

    // What all turns read, and the first states.
    void loadOnce() {
        bool hasPacks = false;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const TurnInput &input = m_inputs[i];
            if (input.kind == TurnInput::Kind::Given)
                continue;
            line(declared(m_kernel.leaves[i].type, input.isRow, input.name));
            if (input.isRow)
                loadRow(i, input.name, {});
            hasPacks = hasPacks || !input.isRow;
        }
        if (!hasPacks)
            return;
        forPacks([&] {
            for (std::size_t i = 0; i < m_inputs.size(); ++i)
                if (m_inputs[i].kind != TurnInput::Kind::Given && !m_inputs[i].isRow)
                    loadPack(i, m_inputs[i].name, {});
        });
    }

    void askLines() {
        open(QStringLiteral("const auto ask = [&](%1 turn) {").arg(turnType()));
        line(QStringLiteral("Given some;"));
        bool hasPacks = false;
        const auto placeOf = [this](std::size_t leaf) {
            return turnPlaceText(bufferOf(m_kernel.leaves[leaf].buffer).window);
        };
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            if (m_inputs[i].kind != TurnInput::Kind::Given)
                continue;
            if (m_inputs[i].isRow)
                loadRow(i, QStringLiteral("some.") + m_inputs[i].name, placeOf(i));
            hasPacks = hasPacks || !m_inputs[i].isRow;
        }
        if (hasPacks)
            forPacks([&] {
                for (std::size_t i = 0; i < m_inputs.size(); ++i)
                    if (m_inputs[i].kind == TurnInput::Kind::Given && !m_inputs[i].isRow)
                        loadPack(i, QStringLiteral("some.") + m_inputs[i].name, placeOf(i));
            });
        line(QStringLiteral("return some;"));
        close(QStringLiteral("};"));
    }

    void turnLines() {
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            if (m_inputs[i].kind == TurnInput::Kind::State && isFirstOfState(i))
                line(declared(m_kernel.leaves[i].type, m_inputs[i].isRow, nextName(m_inputs[i])));
        int number = 0;
        for (const int step : m_schedule.kept) {
            if (m_kernel.step(step).op == KernelOp::Load)
                continue;
            const QString name = QStringLiteral("kept%1").arg(++number);
            line(QStringLiteral("%1 %2%3%4;")
                     .arg(cType(m_kernel.step(step).type), name,
                          m_sharing.packs > 1 ? QStringLiteral("[kPacks]") : QString(),
                          isWide() ? QStringLiteral("[kWidth]") : QString()));
            m_kept[step] = name;
        }
        m_rowNames = 0;
        for (std::size_t p = 0; p < m_schedule.passes.size(); ++p) {
            nameRowSteps(p);
            passLines(m_schedule.passes[p]);
        }
        nameRowSteps(m_schedule.passes.size());
        rowStores();
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const TurnInput &input = m_inputs[i];
            if (input.kind != TurnInput::Kind::State || !isFirstOfState(i))
                continue;
            if (input.isRow || m_sharing.packs == 1) {
                line(QStringLiteral("%1 = %2;").arg(input.name, nextName(input)));
                continue;
            }
            line(QStringLiteral("#pragma unroll"));
            line(QStringLiteral("for (int p = 0; p < kPacks; ++p)"));
            line(QStringLiteral("    %1[p] = %2[p];").arg(input.name, nextName(input)));
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
        for (const int place : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            QString value = m_text.stored(store.step, store.type);
            if (const TurnInput *state = stateOf(place)) {
                line(QStringLiteral("%1 = %2;").arg(nextName(*state), value));
                value = nextName(*state);
                if (!isLeftEachTurn(store))
                    continue;
            }
            left
                << QStringLiteral("%1[%2] = %3;").arg(m_names.nameOf(store.buffer), storePlace(store), value);
        }
        if (left.isEmpty())
            return;
        open(m_sharing.lanes > 1 ? QStringLiteral("if (isThere && lane == 0) {")
                                 : QStringLiteral("if (isThere) {"));
        lines(left);
        close();
    }

    QString storePlace(const KernelStore &store) const {
        const PlanBuffer &buffer = bufferOf(store.buffer);
        return sum(buffer.kind == PlanBuffer::Kind::Window ? turnPlaceText(buffer.window) : QString(),
                   indexText(store.address, m_loops.allCounters()));
    }

    void passLines(const KernelPass &pass) {
        if (pass.reductions.empty() && pass.stores.empty() && pass.kept.empty())
            return;
        for (const int step : pass.reductions) {
            const SumText sum = sumText(m_kernel, step, false);
            line(QStringLiteral("%1 %2 = %3;").arg(sum.type, m_loops.sumName(step), sum.start));
        }
        forPacks([&] { elementLines(pass); });
        for (const int step : pass.reductions) {
            const SumText sum = sumText(m_kernel, step, false);
            const QString name = m_loops.sumName(step);
            if (m_sharing.lanes > 1)
                line(QStringLiteral("%1 = meet(%1, [](%2 a, %2 b) { return %3; });")
                         .arg(name, sum.type,
                              sum.isExtreme() ? sum.extreme(QStringLiteral("a"), QStringLiteral("b"))
                                              : QStringLiteral("a %1 b").arg(sum.sign)));
            m_text.name(step, name);
        }
    }

    void elementLines(const KernelPass &pass) {
        std::map<int, QString> packs; // by store: what is written at once
        for (const int place : pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            if (!isWide() || (stateOf(place) && !isLeftEachTurn(store)))
                continue;
            packs[place] = stateOf(place) ? nextName(*stateOf(place)) + ofPack()
                                          : QStringLiteral("stored%1").arg(place + 1);
            if (!stateOf(place))
                line(QStringLiteral("Pack<%1> %2;").arg(cType(store.type), packs[place]));
        }
        forElements([&] { computeElement(pass); });
        QStringList left;
        for (const auto &[place, pack] : packs) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            left << packStore(cType(store.type), m_names.nameOf(store.buffer), storePlace(store), pack);
        }
        for (const int place : pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            if (!isWide() && (!stateOf(place) || isLeftEachTurn(store)))
                left << QStringLiteral("%1[%2] = %3;")
                            .arg(m_names.nameOf(store.buffer), storePlace(store),
                                 stateOf(place) ? nextName(*stateOf(place)) + ofPack()
                                                : QStringLiteral("stored%1").arg(place + 1));
        }
        if (left.isEmpty())
            return;
        open(QStringLiteral("if (isThere) {"));
        lines(left);
        close();
    }

    void computeElement(const KernelPass &pass) {
        const QString keptPlace = ofPack() + (isWide() ? QStringLiteral("[k]") : QString());
        std::vector<int> named;
        int names = 0;
        for (const int step : pass.taken)
            if (m_kept.contains(step))
                m_text.name(step, m_kept[step] + keptPlace);
        for (const int step : pass.computed) {
            const bool isKept = m_kept.contains(step) &&
                                std::find(pass.kept.begin(), pass.kept.end(), step) != pass.kept.end();
            if (!isKept && usesIn(m_kernel, pass, step) < 2)
                continue;
            const QString name = QStringLiteral("h%1").arg(++names);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cType(m_kernel.step(step).type), name, m_text.definition(step)));
            m_text.name(step, name);
            named.push_back(step);
            if (isKept)
                line(QStringLiteral("%1%2 = %3;").arg(m_kept[step], keptPlace, name));
        }
        for (const int step : pass.reductions) {
            const SumText sum = sumText(m_kernel, step, false);
            const QString name = m_loops.sumName(step);
            const QString element = m_text.text(m_kernel.step(step).operands[0]);
            line(sum.isExtreme() ? QStringLiteral("%1 = %2;").arg(name, sum.extreme(element, name))
                                 : sum.update(name, element));
        }
        for (const int place : pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            const QString value = m_text.stored(store.step, store.type);
            if (const TurnInput *state = stateOf(place))
                line(QStringLiteral("%1%2 = %3;").arg(nextName(*state), ofElement(), value));
            else if (isWide())
                line(QStringLiteral("stored%1.at[k] = %2;").arg(place + 1).arg(value));
            else
                line(QStringLiteral("const %1 stored%2 = %3;")
                         .arg(cType(store.type))
                         .arg(place + 1)
                         .arg(value));
        }
        for (const int step : named)
            m_text.forget(step);
        for (const int step : pass.taken)
            if (m_kept.contains(step))
                m_text.forget(step);
    }

    // The last states, where those after the loop read them.
    void leaveLast() {
        std::vector<std::size_t> left;
        bool hasRows = false;
        bool hasPacks = false;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            if (m_inputs[i].kind != TurnInput::Kind::State || !isFirstOfState(i))
                continue;
            const KernelStore &store = storeOf(m_inputs[i]);
            if (bufferOf(store.buffer).window.ring == 0 || !isReadElsewhere(store))
                continue;
            left.push_back(i);
            (m_inputs[i].isRow ? hasRows : hasPacks) = true;
        }
        const auto write = [&](bool isRow) {
            for (const std::size_t i : left) {
                const TurnInput &input = m_inputs[i];
                if (input.isRow != isRow)
                    continue;
                const KernelStore &store = storeOf(input);
                const TurnWindow &window = bufferOf(store.buffer).window;
                const std::int64_t place = (m_turns - 1 + window.first) % window.ring * window.step;
                const QString index = sum(place == 0 ? QString() : QString::number(place),
                                          indexText(store.address, m_loops.allCounters()));
                line(isWide() && !isRow ? packStore(cType(store.type), m_names.nameOf(store.buffer), index,
                                                    input.name + ofPack())
                                        : QStringLiteral("%1[%2] = %3%4;")
                                              .arg(m_names.nameOf(store.buffer), index, input.name,
                                                   isRow ? QString() : ofPack()));
            }
        };
        if (left.empty())
            return;
        line(QStringLiteral("if (!isThere)"));
        line(QStringLiteral("    return;"));
        if (hasPacks)
            forPacks([&] { write(false); });
        if (hasRows) {
            open(m_sharing.lanes > 1 ? QStringLiteral("if (lane == 0) {") : QStringLiteral("{"));
            write(true);
            close();
        }
    }
    LoopText m_loops;
    KernelSchedule m_schedule;
    ScalarText m_text;
    std::map<int, QString> m_kept;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    bool m_isInPack = false;
};

} // namespace

QString recurrenceCudaText(const ReferenceGraph &graph, const KernelPlan &plan, std::size_t kernel,
                           const KernelNames &names) {
    return RecurrenceEmitter(graph, plan, kernel, names).run();
}

} // namespace warpwright
