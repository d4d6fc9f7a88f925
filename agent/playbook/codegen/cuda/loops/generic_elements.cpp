// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/generic_kernel_writer.h"
#include "agent/playbook/codegen/cuda/thread_mapping_text.h"

#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/loops/moment_lines.h"
#include "agent/playbook/codegen/cuda/loops/online_softmax.h"
#include "agent/playbook/codegen/cuda/loops/shared_memory_gather.h"
#include "agent/playbook/codegen/cuda/loops/unaligned_rows.h"
#include "agent/playbook/codegen/cuda/trig_range_reduction.h"
#include "agent/playbook/codegen/scatter.h"

#include <algorithm>

namespace warpwright {
namespace {

// Longer sums in float lose digits that torch's sums keep.
constexpr std::int64_t longSum = 2048;
constexpr std::int64_t longSumOfBlock = 1 << 18; ///< 64 threads x 4,096; float stops counting at 2^24

} // namespace

bool GenericKernelWriter::isIn(const std::vector<int> &steps, int step) {
    return std::find(steps.begin(), steps.end(), step) != steps.end();
}

QString GenericKernelWriter::inputText(int input) const {
    if (input < 0)
        return elementIndex(m_kernel.step(-1 - input).index);
    if (const QString element = m_vecs.elementOf(input); !element.isEmpty())
        return element;
    if (const auto loaded = m_loaded.find(input); loaded != m_loaded.end())
        return loaded->second + QStringLiteral("[k]");
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
    if (m_sharedMemoryGather && m_sharedMemoryGather->holds(input))
        return gatheredElement(*m_sharedMemoryGather, what);
    return elementOf(what.buffer, what.address);
}

QString GenericKernelWriter::elementOf(int buffer, const AffineExpr &address) const {
    return QStringLiteral("%1[%2]").arg(m_source.names.nameOf(buffer), elementIndex(address));
}

QString GenericKernelWriter::elementIndex(const AffineExpr &address) const {
    return addressInVector(m_kernel, address, m_loops, m_inVector);
}

void GenericKernelWriter::combine(int step) {
    const QString name = m_loops.accumulatorName(step);
    const ReductionCode sum = sumOf(step);
    if (m_mode != MappingMode::ThreadPerRow)
        reduceAcrossThreads(step, name, sum);
    const QString type = cTypeName(m_kernel.step(step).type, false);
    const QString whole = cudaSumOfThread(m_mapping, name);
    m_text.name(step, sum.type == type ? whole : QStringLiteral("%1(%2)").arg(type, whole));
}

namespace {

QString combined(const ReductionCode &sum) {
    return sum.isExtreme() ? sum.extreme(QStringLiteral("a"), QStringLiteral("b"))
                           : QStringLiteral("a %1 b").arg(sum.sign);
}

} // namespace

// One barrier for all reductions of the pass.
void GenericKernelWriter::reduceOnce(const std::vector<int> &sums) {
    for (const int step : sums)
        line(cudaStorePartialLine(sumOf(step).type, m_loops.accumulatorName(step), combined(sumOf(step))));
    lines(cudaFusedReductionLines());
}

// Combines the partial results of the threads that share a row.
void GenericKernelWriter::reduceAcrossThreads(int step, const QString &name, const ReductionCode &sum) {
    ThreadMapping mapping = m_mapping;
    mapping.isClustered = mapping.isClustered && !isMoment(step);
    if (!m_moments || step != m_moments->sum)
        beginCluster();
    lines(m_argmax.linesBeforeReduction(step));
    for (const OnlineSoftmax &some : m_onlineSoftmaxes) {
        if (some.largest == step)
            line(QStringLiteral("const float %1OfThread = %1;").arg(name));
        if (!isIn(some.sums, step))
            continue;
        const QString level = m_text.text(some.level);
        line(QStringLiteral("%1 *= %2(%3OfThread - %4);")
                 .arg(name, expBelowMax, m_loops.accumulatorName(some.largest),
                      some.level == some.largest ? level : QStringLiteral("(%1)").arg(level)));
    }
    if (m_moments && step == m_moments->squares)
        line(combineMomentsLine(m_loops.accumulatorName(m_moments->sum), name));
    else
        line(cudaCombineLine(mapping, sum.type, name, combined(sum)));
}

// Each thread adds its part in one chain, in both mappings. (1.9 billion squares summed by 256 threads in
// float were 2 % too small.)
ReductionCode GenericKernelWriter::sumOf(int step) const {
    return reductionCode(
        m_kernel, step, m_kernel.columns() > (m_mode == MappingMode::BlockPerRow ? longSumOfBlock : longSum));
}

// Work of one thread for one vector, or for one element.
void GenericKernelWriter::emitElements(const ReductionPass &pass, bool isFirst) {
    m_vecs.clear();
    if (m_width > 1 || m_hasStructs)
        lines(m_vecs.load(pass.computed));
    if (m_width > 1)
        lines(m_vecs.beginStores(pass.stores));
    const bool isAtOnce = batchesRescaling(pass);
    const bool hasFullPath =
        isAtOnce || (m_unaligned && (m_mapping.isPersistent ? !isFirst : !m_onlineSoftmaxes.empty()));
    const bool isKnown = m_unaligned && m_mapping.isPersistent;
    if (isKnown)
        lines(fullVectorLines(cudaThreadsOf(m_mapping)));
    if (hasFullPath) {
        line(QStringLiteral("const auto process = [&](auto isInBounds) {"));
        ++m_indent;
    }
    const bool isGuarded = m_unaligned && (m_mode != MappingMode::Flat || !m_vecs.isAll(pass));
    const QStringList guard = isAtOnce    ? cudaRescalingGuard(m_mapping)
                              : isGuarded ? unalignedElementGuard(hasFullPath, isKnown)
                                          : QStringList();
    const QString count = isAtOnce      ? cudaRescalingCount(m_mapping)
                          : m_width > 1 ? QStringLiteral("kWidth")
                                        : QString();
    if (isAtOnce && m_mode == MappingMode::BlockPerRow)
        emitLoadsOfAll(pass, count);
    emitRescaling(pass, count, guard);
    const qsizetype before = m_body.size();
    if (!count.isEmpty()) {
        line(QStringLiteral("#pragma unroll"));
        line(QStringLiteral("for (int k = 0; k < %1; ++k) {").arg(count));
        ++m_indent;
        lines(guard);
        m_inVector = positionInVector(m_width);
    }
    const QString position = m_width > 1 ? QStringLiteral("[p][k]") : QStringLiteral("[p]");
    for (const int step : pass.reused)
        m_text.name(step, m_cached[step] + position);
    std::vector<int> named;
    int names = 0;
    for (const int step : pass.computed) {
        const bool isCached = isIn(pass.cached, step);
        if (m_scans.contains(step)) {
            lines(m_scans.update(step, m_indent));
            named.push_back(step);
            continue;
        }
        const QString gathered = m_vecs.gathered(step);
        if (!isCached && usesIn(m_kernel, pass, step) < 2) {
            if (!gathered.isEmpty()) {
                m_text.name(step, gathered);
                named.push_back(step);
            }
            continue;
        }
        const QString name = QStringLiteral("h%1").arg(++names);
        line(QStringLiteral("const %1 %2 = %3;")
                 .arg(cType(m_kernel.step(step).type), name,
                      gathered.isEmpty() ? m_text.definition(step) : gathered));
        m_text.name(step, name);
        named.push_back(step);
        if (isCached)
            line(QStringLiteral("%1%2 = %3;").arg(m_cached[step], position, name));
    }
    if (m_hasBlockScan) {
        line(QStringLiteral("if (isInBounds) {"));
        ++m_indent;
    }
    for (const int step : pass.reductions) {
        if (isLargestOf(m_onlineSoftmaxes, step) || m_argmax.isArgmax(step))
            continue;
        if (m_argmax.isExtreme(step)) {
            lines(m_argmax.update(step, m_text));
            continue;
        }
        if (m_kernel.step(step).op == Opcode::RowKthValue) {
            line(m_search->update(m_text.text(m_kernel.step(step).operands[0])));
            continue;
        }
        const ReductionCode sum = sumOf(step);
        const QString name = cudaSumOfThread(m_mapping, m_loops.accumulatorName(step));
        const QString element = m_text.text(m_kernel.step(step).operands[0]);
        if (const QString function = sum.extremeFunction(); !function.isEmpty())
            m_text.calls(function);
        line(sum.isExtreme() ? QStringLiteral("%1 = %2;").arg(name, sum.cudaExtreme(element, name))
                             : sum.update(name, element));
    }
    for (const int some : pass.stores) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
        const QString vectorized = m_vecs.elementToStore(some);
        if (vectorized.isEmpty() && m_kernel.isScattered()) {
            scatter(m_text.stored(store.step, store.type));
            continue;
        }
        const QString target = vectorized.isEmpty() ? elementOf(store.buffer, store.address) : vectorized;
        const QString value = m_text.stored(store.step, store.type);
        if (m_mapping.elementsPerThread > 1)
            lines(cudaPredicatedStore(cType(store.type), QStringLiteral("h%1").arg(++names), target, value));
        else
            line(QStringLiteral("%1 = %2;").arg(target, value));
    }
    if (m_hasBlockScan)
        closeBracket();
    if (isAtOnce)
        closeBracket();
    if (m_width > 1) {
        closeBracket();
        m_inVector.clear();
        const bool addsApart = m_kernel.isScattered() && m_vecs.vectorsToStore().empty();
        if (m_mode == MappingMode::Flat && !addsApart) // where no accumulator is updated
            m_body = m_body.left(before) + withTrigRangeReduction(m_body.mid(before), 4 * m_indent);
        if (!m_kernel.isScattered())
            lines(m_vecs.endStores());
        else
            for (const QString &vec : m_vecs.vectorsToStore())
                scatter(vec);
    }
    if (hasFullPath) {
        --m_indent;
        lines(isAtOnce ? cudaRescalingLines(m_mapping) : fullOrPartialVectorLines(isKnown));
    }
    m_loaded.clear();
    for (const std::vector<int> &steps : {named, pass.reused})
        for (const int step : steps)
            m_text.forget(step);
    for (const OnlineSoftmax &some : m_onlineSoftmaxes)
        if (isIn(pass.reductions, some.largest))
            m_text.forget(some.level);
}

// Loads of a batch, all in flight together: a row streams through L1 only once, and what all rows read does
// not stay there for long.
void GenericKernelWriter::emitLoadsOfAll(const ReductionPass &pass, const QString &count) {
    QStringList loads;
    std::map<int, QString> names;
    for (const int step : pass.computed) {
        const KernelStep &load = m_kernel.step(step);
        if (load.op != Opcode::Load || load.isGuarded || names.contains(load.input))
            continue;
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
        if (!what.isPlain() || m_kernel.levelOf(what.address) < StepLevel::Column)
            continue;
        const QString name = vecName(m_source.names.nameOf(what.buffer), names, QStringLiteral("Loaded"));
        line(QStringLiteral("%1 %2[%3];").arg(cType(what.type), name, count));
        loads << QStringLiteral("%1[k] = %2;").arg(name, elementOf(what.buffer, what.address));
        names[load.input] = name;
    }
    if (loads.isEmpty())
        return;
    line(QStringLiteral("#pragma unroll"));
    line(QStringLiteral("for (int k = 0; k < %1; ++k) {").arg(count));
    ++m_indent;
    lines(cudaRescalingIndex(m_mapping) + loads);
    closeBracket();
    m_loaded = names;
}

// Updates the maxima with the current elements and rescales the sums, before these elements are added.
void GenericKernelWriter::emitRescaling(const ReductionPass &pass, const QString &count,
                                        const QStringList &guard) {
    for (const OnlineSoftmax &some : m_onlineSoftmaxes) {
        if (!isIn(pass.reductions, some.largest))
            continue;
        for (const int step : pass.computed)
            if (const QString gathered = m_vecs.gathered(step); !gathered.isEmpty())
                m_text.name(step, gathered);
        const QString element = inVector(
            positionInVector(m_width), [&] { return m_text.text(m_kernel.step(some.largest).operands[0]); });
        const OnlineSoftmaxUpdate rescaling(some, m_loops, sumOf(some.largest), element, count, guard);
        lines(rescaling.lines());
        m_text.name(some.level, rescaling.level());
    }
}

// Else the sums would be rescaled for each element.
bool GenericKernelWriter::batchesRescaling(const ReductionPass &pass) const {
    return m_mapping.batchesRescaling && m_width == 1 &&
           std::any_of(pass.reductions.begin(), pass.reductions.end(),
                       [this](int step) { return isLargestOf(m_onlineSoftmaxes, step); });
}

void GenericKernelWriter::scatter(const QString &value) {
    lines(scatterLines(m_kernel, m_source.names, m_loops.counter(0), m_loops.counter(1), value));
}

} // namespace warpwright
