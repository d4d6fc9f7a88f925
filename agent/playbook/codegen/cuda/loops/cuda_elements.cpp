// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_sharing.h"
#include "agent/playbook/codegen/cuda/loops/cuda_emission.h"

#include "agent/playbook/codegen/cuda/cuda_helpers.h"
#include "agent/playbook/codegen/cuda/far_angles.h"
#include "agent/playbook/codegen/cuda/loops/moment_lines.h"
#include "agent/playbook/codegen/cuda/loops/online_softmax.h"
#include "agent/playbook/codegen/cuda/loops/shared_memory_gather.h"
#include "agent/playbook/codegen/cuda/loops/unaligned_rows.h"
#include "agent/playbook/codegen/scatter_text.h"

#include <algorithm>

namespace warpwright {
namespace {

// Beyond so many elements float loses digits that torch's sums keep.
constexpr std::int64_t longSum = 2048;
constexpr std::int64_t longSumOfBlock = 1 << 18; ///< 64 threads have 4,096 each; 16 million stand still

} // namespace

bool CudaEmitter::isIn(const std::vector<int> &steps, int step) {
    return std::find(steps.begin(), steps.end(), step) != steps.end();
}

QString CudaEmitter::leafText(int leaf) const {
    if (leaf < 0)
        return elementIndex(m_kernel.step(-1 - leaf).index);
    if (const QString element = m_packs.elementOf(leaf); !element.isEmpty())
        return element;
    if (const auto loaded = m_loaded.find(leaf); loaded != m_loaded.end())
        return loaded->second + QStringLiteral("[k]");
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
    if (m_staged && m_staged->holds(leaf))
        return stagedElement(*m_staged, what);
    return elementOf(what.buffer, what.address);
}

QString CudaEmitter::elementOf(int buffer, const AffineIndex &address) const {
    return QStringLiteral("%1[%2]").arg(m_names.nameOf(buffer), elementIndex(address));
}

QString CudaEmitter::elementIndex(const AffineIndex &address) const {
    return indexInPack(m_kernel, address, m_loops, m_inPack);
}

void CudaEmitter::combine(int step) {
    const QString name = m_loops.sumName(step);
    const SumText sum = sumOf(step);
    if (m_mode != CudaMode::ThreadOfRow)
        meet(step, name, sum);
    const QString type = cTypeName(m_kernel.step(step).type, false);
    const QString whole = cudaSumOfThread(m_sharing, name);
    m_text.name(step, sum.type == type ? whole : QStringLiteral("%1(%2)").arg(type, whole));
}

namespace {

QString combined(const SumText &sum) {
    return sum.isExtreme() ? sum.extreme(QStringLiteral("a"), QStringLiteral("b"))
                           : QStringLiteral("a %1 b").arg(sum.sign);
}

} // namespace

// So none of them waits for another to have met.
void CudaEmitter::meetOnce(const std::vector<int> &sums) {
    for (const int step : sums)
        line(cudaTellLine(sumOf(step).type, m_loops.sumName(step), combined(sumOf(step))));
    lines(cudaMeetOnceLines());
}

// Threads that share a row put together what each has.
void CudaEmitter::meet(int step, const QString &name, const SumText &sum) {
    CudaSharing sharing = m_sharing;
    sharing.isClustered = sharing.isClustered && !isMoment(step);
    if (!m_moments || step != m_moments->sum)
        beginCluster();
    lines(m_places.beforeMeeting(step));
    for (const RunningSoftmax &some : m_running) {
        if (some.largest == step)
            line(QStringLiteral("const float %1OfThread = %1;").arg(name));
        if (!isIn(some.sums, step))
            continue;
        const QString level = m_text.text(some.level);
        line(QStringLiteral("%1 *= %2(%3OfThread - %4);")
                 .arg(name, exponentialOfDistance, m_loops.sumName(some.largest),
                      some.level == some.largest ? level : QStringLiteral("(%1)").arg(level)));
    }
    if (m_moments && step == m_moments->squares)
        line(joinMomentsLine(m_loops.sumName(m_moments->sum), name));
    else
        line(cudaCombineLine(sharing, sum.type, name, combined(sum)));
}

// A group's part of a sum over far elements is one chain of additions, and so is a thread's of a block. (All
// of 1.9 billion squares by 256 threads in float were 2 % too few.)
SumText CudaEmitter::sumOf(int step) const {
    return sumText(m_kernel, step,
                   m_kernel.columns() > (m_mode == CudaMode::BlockOfRow ? longSumOfBlock : longSum));
}

// What one thread does with a pack of neighbours, or with one element.
void CudaEmitter::emitElements(const KernelPass &pass, bool isFirst) {
    m_packs.clear();
    if (m_width > 1 || m_hasGroups)
        lines(m_packs.load(pass.computed));
    if (m_width > 1)
        lines(m_packs.beginStores(pass.stores));
    const bool isAtOnce = risesAtOnce(pass);
    const bool hasParts = isAtOnce || (m_ragged && (m_sharing.isOnePass ? !isFirst : !m_running.empty()));
    const bool isKnown = m_ragged && m_sharing.isOnePass;
    if (isKnown)
        lines(wholePackLines(cudaThreadsOf(m_sharing)));
    if (hasParts) {
        line(QStringLiteral("const auto take = [&](auto isThere) {"));
        ++m_indent;
    }
    const bool isGuarded = m_ragged && (m_mode != CudaMode::Flat || !m_packs.isAll(pass));
    const QStringList guard = isAtOnce    ? cudaRisingGuard(m_sharing)
                              : isGuarded ? guardOfRaggedPack(hasParts, isKnown)
                                          : QStringList();
    const QString count = isAtOnce      ? cudaRisingCount(m_sharing)
                          : m_width > 1 ? QStringLiteral("kWidth")
                                        : QString();
    if (isAtOnce && m_mode == CudaMode::BlockOfRow)
        emitLoadsOfAll(pass, count);
    emitRises(pass, count, guard);
    const qsizetype before = m_body.size();
    if (!count.isEmpty()) {
        line(QStringLiteral("#pragma unroll"));
        line(QStringLiteral("for (int k = 0; k < %1; ++k) {").arg(count));
        ++m_indent;
        lines(guard);
        m_inPack = placeInPack(m_width);
    }
    const QString place = m_width > 1 ? QStringLiteral("[p][k]") : QStringLiteral("[p]");
    for (const int step : pass.taken)
        m_text.name(step, m_kept[step] + place);
    std::vector<int> named;
    int names = 0;
    for (const int step : pass.computed) {
        const bool isKept = isIn(pass.kept, step);
        if (m_scans.contains(step)) {
            lines(m_scans.update(step, m_indent));
            named.push_back(step);
            continue;
        }
        const QString gathered = m_packs.gathered(step);
        if (!isKept && usesIn(m_kernel, pass, step) < 2) {
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
        if (isKept)
            line(QStringLiteral("%1%2 = %3;").arg(m_kept[step], place, name));
    }
    if (m_meets) {
        line(QStringLiteral("if (isThere) {"));
        ++m_indent;
    }
    for (const int step : pass.reductions) {
        if (isLargestOf(m_running, step) || m_places.isPlace(step))
            continue;
        if (m_places.isExtreme(step)) {
            lines(m_places.update(step, m_text));
            continue;
        }
        if (m_kernel.step(step).op == KernelOp::RowRanked) {
            line(m_search->update(m_text.text(m_kernel.step(step).operands[0])));
            continue;
        }
        const SumText sum = sumOf(step);
        const QString name = cudaSumOfThread(m_sharing, m_loops.sumName(step));
        const QString element = m_text.text(m_kernel.step(step).operands[0]);
        if (const QString function = sum.extremeFunction(); !function.isEmpty())
            m_text.calls(function);
        line(sum.isExtreme() ? QStringLiteral("%1 = %2;").arg(name, sum.cudaExtreme(element, name))
                             : sum.update(name, element));
    }
    for (const int some : pass.stores) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
        const QString packed = m_packs.elementToStore(some);
        if (packed.isEmpty() && !m_kernel.scatter.isEmpty()) {
            scatter(m_text.stored(store.step, store.type));
            continue;
        }
        const QString target = packed.isEmpty() ? elementOf(store.buffer, store.address) : packed;
        const QString value = m_text.stored(store.step, store.type);
        if (m_sharing.together > 1)
            lines(cudaAskedStore(cType(store.type), QStringLiteral("h%1").arg(++names), target, value));
        else
            line(QStringLiteral("%1 = %2;").arg(target, value));
    }
    if (m_meets)
        closeBracket();
    if (isAtOnce)
        closeBracket();
    if (m_width > 1) {
        closeBracket();
        m_inPack.clear();
        const bool addsApart = !m_kernel.scatter.isEmpty() && m_packs.packsToStore().empty();
        if (m_mode == CudaMode::Flat && !addsApart) // where nothing is summed
            m_body = m_body.left(before) + withFarAngles(m_body.mid(before), 4 * m_indent);
        if (m_kernel.scatter.isEmpty())
            lines(m_packs.endStores());
        else
            for (const QString &pack : m_packs.packsToStore())
                scatter(pack);
    }
    if (hasParts) {
        --m_indent;
        lines(isAtOnce ? cudaRisenLines(m_sharing) : takenPackLines(isKnown));
    }
    m_loaded.clear();
    for (const std::vector<int> &steps : {named, pass.taken})
        for (const int step : steps)
            m_text.forget(step);
    for (const RunningSoftmax &some : m_running)
        if (isIn(pass.reductions, some.largest))
            m_text.forget(some.level);
}

// Elements whose loads are on their way together: a row goes through the first cache but once, and what all
// rows read is not long in it.
void CudaEmitter::emitLoadsOfAll(const KernelPass &pass, const QString &count) {
    QStringList loads;
    std::map<int, QString> names;
    for (const int step : pass.computed) {
        const KernelStep &load = m_kernel.step(step);
        if (load.op != KernelOp::Load || load.isGuarded || names.contains(load.leaf))
            continue;
        const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
        if (!what.isPlain() || m_kernel.levelOf(what.address) < StepLevel::Column)
            continue;
        const QString name = packName(m_names.nameOf(what.buffer), names, QStringLiteral("Loaded"));
        line(QStringLiteral("%1 %2[%3];").arg(cType(what.type), name, count));
        loads << QStringLiteral("%1[k] = %2;").arg(name, elementOf(what.buffer, what.address));
        names[load.leaf] = name;
    }
    if (loads.isEmpty())
        return;
    line(QStringLiteral("#pragma unroll"));
    line(QStringLiteral("for (int k = 0; k < %1; ++k) {").arg(count));
    ++m_indent;
    lines(cudaRisingPlace(m_sharing) + loads);
    closeBracket();
    m_loaded = names;
}

// The largest elements so far rise to those at hand; then sums are formed about these.
void CudaEmitter::emitRises(const KernelPass &pass, const QString &count, const QStringList &guard) {
    for (const RunningSoftmax &some : m_running) {
        if (!isIn(pass.reductions, some.largest))
            continue;
        for (const int step : pass.computed)
            if (const QString gathered = m_packs.gathered(step); !gathered.isEmpty())
                m_text.name(step, gathered);
        const QString element = inPack(placeInPack(m_width),
                                       [&] { return m_text.text(m_kernel.step(some.largest).operands[0]); });
        const RisingText rising(some, m_loops, sumOf(some.largest), element, count, guard);
        lines(rising.lines());
        m_text.name(some.level, rising.level());
    }
}

// Else all that was summed would be brought to a new level for each element.
bool CudaEmitter::risesAtOnce(const KernelPass &pass) const {
    return m_sharing.risesAtOnce && m_width == 1 &&
           std::any_of(pass.reductions.begin(), pass.reductions.end(),
                       [this](int step) { return isLargestOf(m_running, step); });
}

void CudaEmitter::scatter(const QString &value) {
    lines(scatterLines(m_kernel, m_names, m_loops.counter(0), m_loops.counter(1), value));
}

} // namespace warpwright
