// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/generic_kernel.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/cuda/loops/generic_kernel_writer.h"
#include "agent/playbook/codegen/cuda/loops/mapping_rationale.h"
#include "agent/playbook/codegen/cuda/loops/moment_lines.h"
#include "agent/playbook/codegen/cuda/loops/shared_memory_gather.h"
#include "agent/playbook/codegen/cuda/loops/templates/unaligned_rows.h"
#include "agent/playbook/codegen/cuda/loops/unaligned_rows.h"
#include "agent/playbook/codegen/cuda/thread_mapping_text.h"
#include "agent/playbook/codegen/scatter.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/online_argmax.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/register_cache.h"
#include "agent/playbook/schedule/struct_loads.h"

#include <algorithm>

namespace warpwright {
const QString expBelowMax = QStringLiteral("expBelowMax");

namespace {

constexpr std::int64_t fewRowsInRegisters = 16 * 1024; ///< floats of a row: an SM's registers hold four

std::set<int> together(std::set<int> some, const std::set<int> &others) {
    some.insert(others.begin(), others.end());
    return some;
}

} // namespace

GenericKernelWriter::GenericKernelWriter(const KernelSource &source)
    : m_source(source),
      m_mapping(threadMappingOf(source.kernel, source.knobs)),
      m_onlineSoftmaxes(hasOnlineSoftmax(source.kernel) ? onlineSoftmaxOf(source.kernel)
                                                        : std::vector<OnlineSoftmax>()),
      m_kernel(m_onlineSoftmaxes.empty() && !m_mapping.isPersistent
                   ? withOnlineArgmax(source.kernel)
                   : withOnlineSums(source.kernel, m_onlineSoftmaxes)),
      m_mode(m_mapping.mode),
      m_width(elementsPerAccess(source.kernel, source.knobs)),
      m_hasStructs(source.knobs.hasWideLoads && structsPerLoad(source.kernel)),
      m_sharedMemoryGather(m_mapping.usesSharedGather ? sharedMemoryGatherOf(source.kernel) : std::nullopt),
      m_unaligned(m_width > 1 ? unalignedRowsOf(source.kernel) : std::nullopt),
      m_moments(m_mapping.isClustered ? rowMomentsOf(source.kernel) : std::nullopt),
      m_cachedAsLoaded(cachedAsLoaded(m_kernel, m_mapping, m_width)),
      m_schedule(scheduleOf(m_kernel, m_mapping.isPersistent ? RowCaching::All : RowCaching::Nothing,
                            together(m_moments ? m_moments->centred : std::set<int>(), m_cachedAsLoaded))),
      m_loops(m_kernel),
      m_argmax(source.kernel, m_kernel, m_loops),
      m_text(m_kernel, CodeDialect::Cuda, [this](int input) { return inputText(input); }),
      m_vecs(m_kernel, source.names, m_width, m_unaligned, m_loops, m_text,
             [this](int step, int position) {
                 return inVector(QString::number(position), [&] { return m_text.text(step); });
             }),
      m_scans(m_kernel, m_mode == MappingMode::BlockPerRow, m_text) {
    for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
        if (isExponentialOfDistance(m_kernel, static_cast<int>(i)) ||
            isExponentialBelowMaximumChain(m_kernel, static_cast<int>(i)))
            m_text.approximate(static_cast<int>(i));
    if (!m_onlineSoftmaxes.empty())
        m_text.calls(expBelowMax);
}

QString GenericKernelWriter::run() {
    const QString body = kernelText();
    QString ours =
        cudaConstants(m_kernel, m_mapping, m_width) + helperFunctions(m_text.functions(), CodeDialect::Cuda);
    ours += m_width > 1 ? vecText : QString();
    ours += m_vecs.hasStructs() ? alignedArrayText : QString();
    if (m_kernel.isScattered())
        ours += scatterFunctions(m_kernel, m_width);
    if (m_unaligned)
        ours += storePartialVecText;
    ours += blockReductionFunctions(m_kernel, m_mapping, m_moments.has_value());
    return cudaHead(m_source.kernel, m_source.names, mappingRationale(m_source.kernel, m_mapping)) +
           QStringLiteral("namespace {\n\n") + ours + body + QLatin1String("} // namespace\n\n") +
           cudaLauncher(m_source, genericConfigs(m_source.kernel, m_source.knobs));
}

void GenericKernelWriter::line(const QString &text) {
    const bool isDirective = text.startsWith(QLatin1Char('#'));
    m_body += QString(isDirective ? 0 : m_indent * 4, QLatin1Char(' ')) + text + QLatin1Char('\n');
}

void GenericKernelWriter::lines(const QStringList &texts) {
    for (const QString &text : texts)
        line(text);
}

QString GenericKernelWriter::kernelText() {
    m_indent = 1;
    m_mode == MappingMode::Flat ? flatBody() : rowBody();
    return cudaBounds(m_mapping) + cudaSignature(m_source.graph, m_source.program, m_source.names).mid(4) +
           withInt32Indexing(m_kernel, m_body) + QLatin1String("}\n\n");
}

void GenericKernelWriter::flatBody() {
    line(QStringLiteral("const std::int64_t gridThreads = std::int64_t(gridDim.x) * kThreads;"));
    lines(cudaFlatLoopLines(m_mapping));
    m_indent += bracketsOf(m_mapping);
    const QString vec = vecIndexType(m_kernel, m_width) + QStringLiteral("(vector)");
    if (m_kernel.outer > 0)
        line(QStringLiteral("const std::int64_t row = %1 / kVectorsPerRow;").arg(vec));
    const QString ofRow =
        m_kernel.outer > 0 ? vec + QStringLiteral(" % kVectorsPerRow") : QStringLiteral("vector");
    if (!m_unaligned && !m_kernel.loops.empty())
        line(QStringLiteral("const std::int64_t c = %1%2;")
                 .arg(ofRow, m_width > 1 ? QStringLiteral(" * kWidth") : QString()));
    lines(m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)));
    if (m_unaligned)
        lines(leadLines(m_unaligned, m_loops.allCounters()) + flatUnalignedVectorLines(*m_unaligned, ofRow));
    nameRowSteps(0);
    emitElements(m_schedule.passes[0], true);
    // Per-row results are stored by the thread of the row's first element.
    for (const int position : m_schedule.rowStores) {
        if (m_kernel.outer > 0)
            line(QStringLiteral("if (c == 0)"));
        line(QString(m_kernel.outer > 0 ? 4 : 0, QLatin1Char(' ')) + storeOfRow(position));
    }
    closeLoop();
}

QString GenericKernelWriter::storeOfRow(int position) {
    const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
    return inVector(positionInVector(m_mapping.sums), [&] {
        return elementOf(store.buffer, store.address) + QLatin1String(" = ") +
               m_text.stored(store.step, store.type) + QLatin1Char(';');
    });
}

void GenericKernelWriter::closeLoop() {
    for (int bracket = bracketsOf(m_mapping); bracket > 0; --bracket)
        closeBracket();
}

void GenericKernelWriter::closeBracket() {
    --m_indent;
    line(QStringLiteral("}"));
}

void GenericKernelWriter::rowBody() {
    if (m_sharedMemoryGather && m_sharedMemoryGather->hasRows()) {
        line(QStringLiteral("const std::int64_t firstRow = std::int64_t(blockIdx.x) * kRowsPerBlock;"));
        lines(stagingLines(*m_sharedMemoryGather, m_kernel, m_source.names,
                           QStringLiteral("firstRow * %1").arg(m_sharedMemoryGather->elements)));
    } else {
        lines(cudaRowLines(m_kernel, m_mapping));
        lines(m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)));
        lines(leadLines(m_unaligned, m_loops.allCounters()));
        if (m_sharedMemoryGather)
            lines(stagingLines(*m_sharedMemoryGather, m_kernel, m_source.names,
                               elementIndex(m_sharedMemoryGather->begin)));
    }
    int number = 0;
    for (const int step : m_schedule.cached) {
        const QString name = QStringLiteral("cached%1")
                                 .arg(m_schedule.cached.size() > 1 ? QString::number(++number) : QString());
        line(QStringLiteral("%1 %2[kVectors]%3;")
                 .arg(cType(m_kernel.step(step).type), name,
                      m_width > 1 ? QStringLiteral("[kWidth]") : QString()));
        m_cached[step] = name;
    }
    lines(m_vecs.declareCachedAsLoaded(m_cachedAsLoaded));
    for (const KernelStep &step : m_kernel.steps)
        if (isReduction(step.op))
            declarePartials(static_cast<int>(&step - m_kernel.steps.data()));
    for (std::size_t p = 0; p < m_schedule.passes.size(); ++p) {
        const bool isAroundChunk = m_moments && isIn(m_schedule.passes[p].reductions, m_moments->squares);
        isAroundChunk ? useMeanOfPart() : nameRowSteps(p);
        emitPass(p);
        if (isAroundChunk)
            nameRowSteps(p);
    }
    nameRowSteps(m_schedule.passes.size());
    QStringList stores;
    for (const int position : m_schedule.rowStores)
        stores << storeOfRow(position);
    lines(cudaRowStoreLines(m_mapping, stores));
}

bool GenericKernelWriter::isMoment(int step) const {
    return m_moments && (step == m_moments->sum || step == m_moments->squares);
}

void GenericKernelWriter::declarePartials(int step) {
    if (m_kernel.step(step).op == Opcode::RowKthValue)
        return lines(cudaPartialsLines(m_mapping, QStringLiteral("int"),
                                       RadixSelect::counterOf(m_loops.accumulatorName(step)), true));
    const QString type = sumOf(step).type;
    ThreadMapping mapping = m_mapping;
    mapping.isClustered = mapping.isClustered && !isMoment(step);
    lines(cudaPartialsLines(mapping, type, m_loops.accumulatorName(step)));
    if (m_moments && step == m_moments->squares)
        lines(partOfRowLines(type, m_width));
}

// Until the cluster's barrier the mean is that of a block's part.
void GenericKernelWriter::useMeanOfPart() {
    line(meanOfPartLine(sumOf(m_moments->sum).type, m_loops.accumulatorName(m_moments->sum)));
    m_text.name(m_moments->mean, QStringLiteral("partMean"));
}

void GenericKernelWriter::nameRowSteps(std::size_t p) {
    for (const int step : m_schedule.named[p]) {
        const QString name = QStringLiteral("r%1").arg(++m_rowNames);
        const QString value =
            inVector(positionInVector(m_mapping.sums), [&] { return m_text.definition(step); });
        lines(cudaRowValueLines(m_mapping, cType(m_kernel.step(step).type), name, value));
        m_text.name(step, cudaSumOfThread(m_mapping, name));
    }
}

void GenericKernelWriter::emitPass(std::size_t p) {
    const ReductionPass &pass = m_schedule.passes[p];
    if (!pass.reductions.empty() || !pass.stores.empty() || !pass.cached.empty()) {
        if (p > 0)
            m_body += QLatin1Char('\n');
        for (const int step : pass.reductions) {
            const ReductionCode sum = sumOf(step);
            line(cudaSumLine(m_mapping, sum.type, m_loops.accumulatorName(step), sum.start));
        }
        emitLoop(pass, p == 0);
        if (m_mapping.fusesBlockReductions)
            reduceOnce(pass.reductions);
        for (const int step : pass.reductions)
            combine(step);
    }
    for (const ReductionPass &search : pass.selects)
        emitSearch(search);
}

void GenericKernelWriter::emitSearch(const ReductionPass &search) {
    const int step = search.reductions[0];
    m_search.emplace(m_kernel, step, m_loops.accumulatorName(step), true);
    m_body += QLatin1Char('\n');
    beginCluster();
    if (m_search->isNearEnd(m_mapping)) {
        lines(m_search->beginLargest());
        emitLoop(search, false);
        lines(m_search->beginCandidates());
        emitLoop(search, false);
        lines(m_search->beginBits());
        ++m_indent;
    }
    m_search->appendFunctions(m_text);
    lines(m_search->begin());
    ++m_indent;
    emitLoop(search, false);
    if (m_mode != MappingMode::ThreadPerRow)
        line(cudaCombineLine(m_mapping, QStringLiteral("int"), m_search->counter(), QStringLiteral("a + b"),
                             RadixSelect::partOfShared()));
    m_indent = 1;
    lines(m_search->end());
    m_text.name(step, m_loops.accumulatorName(step));
}

void GenericKernelWriter::emitLoop(const ReductionPass &pass, bool isFirst) {
    ThreadMapping mapping = m_mapping;
    mapping.prefetchesLoads = isFirst && m_mode == MappingMode::BlockPerRow && m_mapping.isPersistent &&
                              m_width > 1 && emitLoadsAhead(pass);
    mapping.predicatesOnlyLast = mapping.predicatesOnlyLast || (!isFirst && movesCached(pass));
    lines(m_scans.declare(pass));
    m_hasBlockScan = m_mode == MappingMode::BlockPerRow && !m_scans.isEmpty();
    mapping.batchesRescaling = batchesRescaling(pass);
    lines(cudaLoopLines(m_kernel, mapping, m_width, m_hasBlockScan));
    m_indent += bracketsOf(m_mapping);
    const bool hasRows = m_sharedMemoryGather &&
                         m_sharedMemoryGather->hasRows(); // the compiler hoists loads that the rows share
    if (hasRows) {
        lines({QStringLiteral("#pragma unroll"),
               QStringLiteral("for (int rowInBlock = 0; rowInBlock < kRowsPerBlock; ++rowInBlock) {")});
        ++m_indent;
        line(QStringLiteral("const std::int64_t row = firstRow + rowInBlock;"));
    }
    const QString before = std::exchange(m_body, {});
    emitElements(pass, isFirst);
    const QString elements = std::exchange(m_body, before);
    lines(namedIn(elements, m_loops.innerCounterLines()));
    m_body += elements;
    if (hasRows)
        closeBracket();
    closeLoop();
    m_vecs.forgetAhead();
}

// Values cached under a bounds check that ptxas cannot prove stay live beside their inputs: 16384 floats with
// 256 threads spill 236 bytes, and none if only the last iteration is checked. Only passes without loads,
// which the compiler could hoist over a missing check. Passes with reductions alone keep their checks:
// without them a divergence of 10007 took 176 us instead of 164.
bool GenericKernelWriter::movesCached(const ReductionPass &pass) const {
    return m_mode == MappingMode::BlockPerRow && m_mapping.isPersistent && !m_mapping.hasShortRows &&
           m_width > 1 && (!pass.cached.empty() || pass.reductions.empty()) &&
           std::none_of(pass.computed.begin(), pass.computed.end(), [this](int step) {
               const KernelStep &load = m_kernel.step(step);
               return load.op == Opcode::Load && load.level >= StepLevel::Column;
           });
}

// A vector's use waits for its load, and the next load waits behind that and its bounds check.
bool GenericKernelWriter::emitLoadsAhead(const ReductionPass &pass) {
    const std::vector<int> steps = m_vecs.aheadOf(pass);
    // Several tensors only where rows are so long that few blocks are resident: else other blocks load while
    // one waits, and the prefetch costs more than it saves.
    const bool isLong =
        cachedHalves(m_kernel, m_mapping, m_width) * m_kernel.columns() >= 2 * fewRowsInRegisters;
    if (steps.empty() || (steps.size() > 1 && !isLong))
        return false;
    ThreadMapping mapping = m_mapping;
    mapping.prefetchesLoads = true;
    for (const int step : steps)
        lines(m_vecs.declareAhead(step));
    lines(cudaLoopLines(m_kernel, mapping, m_width, false));
    m_indent += bracketsOf(m_mapping);
    QStringList loads;
    for (const int step : steps)
        loads << m_vecs.loadAhead(step);
    lines(namedIn(loads.join(QLatin1Char('\n')), m_loops.innerCounterLines()));
    lines(loads);
    closeLoop();
    return true;
}

void GenericKernelWriter::beginCluster() {
    if (m_mapping.isClustered && !std::exchange(m_hasClusterStarted, true))
        line(QStringLiteral("__cluster_barrier_wait(); // Every block has started."));
}

QString genericKernelCudaText(const KernelSource &source) {
    return GenericKernelWriter(source).run();
}

} // namespace warpwright
