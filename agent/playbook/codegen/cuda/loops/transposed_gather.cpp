// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/transposed_gather.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/loops/templates/transpose_tile.h"
#include "agent/playbook/codegen/cuda/loops/tile_launcher.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/schedule/transpose_tile.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {
namespace {

const QString rationale = QStringLiteral(
    "Elements that are adjacent where they are gathered are strided where the results go. So a "
    "block computes one tile: its threads first run along the input, where a sector is used as "
    "a whole and an index is computed once for several results; the tile is transposed in "
    "shared memory, and stored with the threads along the output (coalesced).");

class TransposedGatherWriter : private KernelWriter {
public:
    TransposedGatherWriter(const KernelSource &source, const TransposeTile &tiled)
        : KernelWriter(source),
          m_tiled(tiled),
          m_width(widthAcross(m_kernel, tiled)),
          m_together(vectorsAcross(m_width)),
          m_variesAcross(differsAlong(m_kernel, tiled.across)),
          m_text(m_kernel, CodeDialect::Cuda, [this](int input) { return inputText(input); }) {
        for (std::size_t k = 0; k + 1 < m_kernel.loops.size(); ++k)
            m_counters << QStringLiteral("i%1").arg(k);
        m_counters << QStringLiteral("c");
        nameTiles();
    }

    QString run() {
        const QString index =
            hasInt32Indexing(m_kernel) ? QStringLiteral("int") : QStringLiteral("std::int64_t");
        const QString read = withInt32Indexing(m_kernel, readText(index));
        const QString written = withInt32Indexing(m_kernel, writtenText());
        const std::int64_t planes = planesOf(m_kernel, m_tiled.across);
        return cudaHead(m_kernel, m_names, rationale) + QStringLiteral("namespace {\n\n") +
               fillTemplate(
                   transposedGatherText,
                   {{"index", index},
                    {"columns", QString::number(m_kernel.loops.back())},
                    {"across", QString::number(m_kernel.loops[m_tiled.across])},
                    {"width", widthText()},
                    {"planes", planes > 1 ? QStringLiteral("%1 * ").arg(planes) : QString()},
                    {"functions", helperFunctions(m_text.functions(), CodeDialect::Cuda)},
                    {"pack", m_width > 1 ? vecText : QString()},
                    {"head", cudaSignature(m_graph, m_program, m_names).chopped(1)},
                    {"ofThread", ofThread()},
                    {"neighbours", neighbours()},
                    {"divisor", m_width > 1 ? QStringLiteral("(%1)").arg(neighbours()) : neighbours()},
                    {"tiles", m_tiles},
                    {"planeCounters", planeCounters(m_kernel, m_tiled.across, index)},
                    {"read", read},
                    {"acrossCounter", acrossCounter()},
                    {"written", written},
                    {"launcher", tileLauncher(source(), tileSizes(m_kernel, m_tiled))}});
    }

private:
    [[nodiscard]] const KernelInput &inputOf(int step) const {
        return m_kernel.inputs[static_cast<std::size_t>(m_kernel.step(step).input)];
    }
    [[nodiscard]] bool variesAcross(int step) const { return m_variesAcross[static_cast<std::size_t>(step)]; }
    [[nodiscard]] QString acrossCounter() const { return m_counters[static_cast<qsizetype>(m_tiled.across)]; }

    [[nodiscard]] QString widthText() const {
        QString text;
        if (m_width > 1)
            text += QStringLiteral("constexpr int kWidth = %1; // adjacent elements per load\n").arg(m_width);
        if (m_together > 1)
            text += QStringLiteral(
                        "constexpr int kLoadsPerThread = %1; // %2 per thread: indices are computed once "
                        "for all of them\n")
                        .arg(m_together)
                        .arg(m_width > 1 ? QStringLiteral("vectors") : QStringLiteral("elements"));
        return text;
    }
    [[nodiscard]] QString ofThread() const {
        return m_width == 1      ? QStringLiteral("kLoadsPerThread")
               : m_together == 1 ? QStringLiteral("kWidth")
                                 : QStringLiteral("(kWidth * kLoadsPerThread)");
    }
    [[nodiscard]] QString neighbours() const {
        return m_width > 1 ? QStringLiteral("kThreadsPerPosition * kWidth")
                           : QStringLiteral("kThreadsPerPosition");
    }

    // Named by the buffer that a value is stored to unchanged, if there is one.
    void nameTiles() {
        for (const int value : m_tiled.values) {
            const auto store = std::find_if(m_kernel.stores.begin(), m_kernel.stores.end(),
                                            [value](const KernelStore &some) { return some.step == value; });
            const QString stem =
                store == m_kernel.stores.end() ? QStringLiteral("value") : m_names.nameOf(store->buffer);
            QString name = stem + QStringLiteral("Tile");
            for (int number = 2; m_tiles.contains(QLatin1Char(' ') + name + QLatin1Char('[')); ++number)
                name = stem + QStringLiteral("Tile%1").arg(number);
            m_tileOf[value] = name;
            m_tiles += QStringLiteral("    __shared__ %1 %2[TILE_ROWS][kPitch];\n")
                           .arg(cTypeName(m_kernel.step(value).type, true), name);
        }
    }

    [[nodiscard]] QString inputText(int input) const {
        if (input < 0)
            return addressText(m_kernel.step(-1 - input).index);
        if (const auto vec = m_vecs.find(input); vec != m_vecs.end())
            return vec->second + QStringLiteral(".at[k]");
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer), addressText(what.address));
    }

    [[nodiscard]] QString addressText(const AffineExpr &address) const {
        const std::int64_t step = address.steps[m_tiled.across];
        const QString text = indexExpression(address, m_counters);
        if (!m_isInVector || step == 0)
            return text;
        return text + (step == 1 ? QStringLiteral(" + k") : QStringLiteral(" + k * %1").arg(step));
    }

    // Steps that `roots` depend on, in order, without those already named.
    [[nodiscard]] std::vector<int> stepsUnder(const std::vector<int> &roots) const {
        std::set<int> found;
        std::vector<int> open = roots;
        while (!open.empty()) {
            const int step = open.back();
            open.pop_back();
            if (m_text.isNamed(step) || !found.insert(step).second)
                continue;
            const std::vector<int> &operands = m_kernel.step(step).operands;
            open.insert(open.end(), operands.begin(), operands.end());
        }
        return {found.begin(), found.end()};
    }

    // Those of them that need a name: used twice, or selected by a condition.
    [[nodiscard]] std::set<int> named(const std::vector<int> &steps, const std::vector<int> &roots) const {
        std::map<int, int> uses;
        for (const int root : roots)
            ++uses[root];
        for (const int some : steps) {
            const KernelStep &step = m_kernel.step(some);
            for (std::size_t i = 0; i < step.operands.size(); ++i)
                uses[step.operands[i]] += step.op == Opcode::Select && i > 0 ? 2 : 1;
        }
        std::set<int> result;
        for (const int some : steps)
            if (uses[some] > 1 && m_kernel.step(some).op != Opcode::Number &&
                m_kernel.step(some).op != Opcode::Index)
                result.insert(some);
        return result;
    }

    QString defined(int step, const QString &name, int indent) {
        const QString before(indent, QLatin1Char(' '));
        const QString line =
            wrapped(QStringLiteral("const %1 %2 = %3;")
                        .arg(cTypeName(m_kernel.step(step).type, true), name, m_text.definition(step)),
                    before, before + QString(4, QLatin1Char(' ')));
        m_text.name(step, name);
        return line;
    }

    [[nodiscard]] bool isVectorLoad(int step) const {
        return m_width > 1 && variesAcross(step) && m_kernel.step(step).op == Opcode::Load;
    }

    // Its condition is the same for the whole vector.
    QString vectorOf(int step, int indent) {
        const KernelStep &load = m_kernel.step(step);
        const KernelInput &what = inputOf(step);
        if (what.isPlain() && m_vecs.contains(load.input))
            return {};
        const QString buffer = m_names.nameOf(what.buffer);
        const QString name = vecName(buffer, m_vecs);
        const QString value =
            vecLoad(cTypeName(what.type, true), buffer, m_text.position(load, addressText(what.address)),
                    load.isGuarded ? m_text.text(load.operands.back()) : QString());
        m_vecs[what.isPlain() ? load.input : -1 - step] = name;
        if (!what.isPlain()) {
            const QString element = m_text.loaded(load, name + QStringLiteral(".at[k]"));
            m_text.name(step, load.isGuarded ? QStringLiteral("(%1)").arg(element) : element);
        }
        const QString before(indent, QLatin1Char(' '));
        return wrapped(QStringLiteral("const auto %1 = %2;").arg(name, value), before,
                       before + QString(4, QLatin1Char(' ')));
    }

    QString readText(const QString &index) {
        const std::vector<int> steps = stepsUnder(m_tiled.values);
        std::set<int> names = named(steps, m_tiled.values);
        // Values common to all channels that per-channel values use are computed first.
        for (const int some : steps)
            if (variesAcross(some))
                for (const int operand : m_kernel.step(some).operands)
                    if (const Opcode op = m_kernel.step(operand).op;
                        !variesAcross(operand) && op != Opcode::Number && op != Opcode::Index)
                        names.insert(operand);
        QString text;
        int count = 0;
        for (const int some : steps)
            if (!variesAcross(some) && names.contains(some))
                text += defined(some, QStringLiteral("r%1").arg(++count), 8);
        const int indent = m_together > 1 ? 12 : 8;
        const QString before(indent, QLatin1Char(' '));
        QString lane = QStringLiteral("threadIdx.x % kThreadsPerPosition");
        if (m_together > 1)
            lane.prepend(QStringLiteral("j * kThreadsPerPosition + "));
        if (m_width > 1)
            lane = (m_together > 1 ? QStringLiteral("(%1)").arg(lane) : lane) + QStringLiteral(" * kWidth");
        QString of;
        of += before + QStringLiteral("const int tileRow = %1;\n").arg(lane);
        of += before +
              QStringLiteral("const %1 %2 = firstRow + tileRow < kRows ? firstRow + tileRow : "
                             "kRows - %3;\n")
                  .arg(index, acrossCounter(), m_width > 1 ? QStringLiteral("kWidth") : QStringLiteral("1"));
        for (const int some : steps)
            if (isVectorLoad(some))
                of += vectorOf(some, indent);
        m_isInVector = m_width > 1;
        const int inner = m_isInVector ? indent + 4 : indent;
        QString elements;
        count = 0;
        for (const int some : steps)
            if (variesAcross(some) && names.contains(some) && !m_text.isNamed(some))
                elements += defined(some, QStringLiteral("h%1").arg(++count), inner);
        for (const int value : m_tiled.values)
            elements += wrapped(QStringLiteral("%1[tileRow%2][tileColumn] = %3;")
                                    .arg(m_tileOf[value], m_isInVector ? QStringLiteral(" + k") : QString(),
                                         m_text.text(value)),
                                QString(inner, QLatin1Char(' ')), QString(inner + 4, QLatin1Char(' ')));
        if (m_isInVector)
            elements = QStringLiteral("#pragma unroll\n%1for (int k = 0; k < kWidth; ++k) {\n%2%1}\n")
                           .arg(before, elements);
        m_isInVector = false;
        m_vecs.clear();
        for (const int some : steps)
            m_text.forget(some);
        return text + (m_together > 1 ? QStringLiteral("#pragma unroll\n        for (int j = 0; j < "
                                                       "kLoadsPerThread; ++j) {\n%1%2        }\n")
                                            .arg(of, elements)
                                      : of + elements);
    }

    QString writtenText() {
        for (const int value : m_tiled.values)
            m_text.name(value, m_tileOf[value] + QStringLiteral("[k][threadIdx.x % TILE_COLUMNS]"));
        std::vector<int> roots;
        for (const KernelStore &store : m_kernel.stores)
            roots.push_back(store.step);
        const std::vector<int> steps = stepsUnder(roots);
        QString text;
        int count = 0;
        for (const int some : named(steps, roots))
            text += defined(some, QStringLiteral("h%1").arg(++count), 12);
        for (const KernelStore &store : m_kernel.stores)
            text += wrapped(QStringLiteral("%1[%2] = %3;")
                                .arg(m_names.nameOf(store.buffer), indexExpression(store.address, m_counters),
                                     m_text.stored(store.step, store.type)),
                            QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
        return text;
    }

    const TransposeTile &m_tiled;
    int m_width;
    int m_together;
    std::vector<bool> m_variesAcross;
    ExpressionPrinter m_text;
    QStringList m_counters;
    std::map<int, QString> m_tileOf; ///< by value
    QString m_tiles;
    std::map<int, QString> m_vecs; ///< by input, or by -1 - step for a gather
    bool m_isInVector = false;
};

} // namespace

QString transposedGatherCudaText(const KernelSource &source, const TransposeTile &tiled) {
    return TransposedGatherWriter(source, tiled).run();
}

} // namespace warpwright
