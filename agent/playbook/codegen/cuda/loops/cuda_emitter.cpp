// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/cuda_emitter.h"

#include "agent/playbook/analysis/whole_numbers.h"
#include "agent/playbook/codegen/cuda/cuda_head.h"
#include "agent/playbook/codegen/cuda/cuda_helpers.h"
#include "agent/playbook/codegen/cuda/cuda_launcher.h"
#include "agent/playbook/codegen/cuda/cuda_sharing.h"
#include "agent/playbook/codegen/cuda/loops/cuda_emission.h"
#include "agent/playbook/codegen/cuda/loops/moment_lines.h"
#include "agent/playbook/codegen/cuda/loops/shared_memory_gather.h"
#include "agent/playbook/codegen/cuda/loops/templates/unaligned_rows.h"
#include "agent/playbook/codegen/cuda/loops/unaligned_rows.h"
#include "agent/playbook/codegen/scatter_text.h"
#include "agent/playbook/schedule/grouped_elements.h"
#include "agent/playbook/schedule/kept_packs.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/running_places.h"

#include <algorithm>

namespace warpwright {
const QString exponentialOfDistance = QStringLiteral("exponentialOfDistance");

namespace {

constexpr std::int64_t fewRowsInRegisters = 16 * 1024; ///< floats of a row: a multiprocessor keeps four such

std::set<int> together(std::set<int> some, const std::set<int> &others) {
    some.insert(others.begin(), others.end());
    return some;
}

} // namespace

CudaEmitter::CudaEmitter(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                         const KernelNames &names, const KernelTuning &tuning)
    : m_graph(graph),
      m_plan(plan),
      m_names(names),
      m_tuning(tuning),
      m_planned(kernel),
      m_sharing(cudaSharingOf(kernel, tuning)),
      m_running(runsAlong(kernel) ? runningSoftmaxOf(kernel) : std::vector<RunningSoftmax>()),
      m_kernel(m_running.empty() && !m_sharing.isOnePass ? withRunningPlaces(kernel)
                                                         : withRunningSums(kernel, m_running)),
      m_mode(m_sharing.mode),
      m_width(takenAtOnce(kernel, tuning)),
      m_hasGroups(tuning.hasWideLoads && widthOfGroups(kernel)),
      m_staged(m_sharing.isStaged ? stagedGatherOf(kernel) : std::nullopt),
      m_ragged(m_width > 1 ? raggedRowsOf(kernel) : std::nullopt),
      m_moments(m_sharing.isClustered ? rowMomentsOf(kernel) : std::nullopt),
      m_asRead(keptAsRead(m_kernel, m_sharing, m_width)),
      m_schedule(scheduleOf(m_kernel, m_sharing.isOnePass ? Keeping::All : Keeping::Nothing,
                            together(m_moments ? m_moments->centred : std::set<int>(), m_asRead))),
      m_loops(m_kernel),
      m_places(kernel, m_kernel, m_loops),
      m_text(m_kernel, TextDialect::Cuda, [this](int leaf) { return leafText(leaf); }),
      m_packs(m_kernel, names, m_width, m_ragged, m_loops, m_text,
              [this](int step, int place) {
                  return inPack(QString::number(place), [&] { return m_text.text(step); });
              }),
      m_scans(m_kernel, m_mode == CudaMode::BlockOfRow, m_text) {
    for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
        if (isExponentialOfDistance(m_kernel, static_cast<int>(i)) ||
            isExponentialBesideLargest(m_kernel, static_cast<int>(i)))
            m_text.approximate(static_cast<int>(i));
    if (!m_running.empty())
        m_text.calls(exponentialOfDistance);
}

QString CudaEmitter::run() {
    const QString body = kernelText();
    QString ours =
        cudaConstants(m_kernel, m_sharing, m_width) + functionTexts(m_text.functions(), TextDialect::Cuda);
    ours += m_width > 1 ? packText : QString();
    ours += m_packs.hasGroups() ? groupText : QString();
    if (!m_kernel.scatter.isEmpty())
        ours += scatterFunctions(m_kernel, m_width);
    if (m_ragged)
        ours += partsOfRowsText;
    ours += cudaMeetingTexts(m_kernel, m_sharing, m_moments.has_value());
    return cudaHead(m_planned, m_names, m_sharing) + QStringLiteral("namespace {\n\n") + ours + body +
           QLatin1String("} // namespace\n\n") + cudaLauncher(m_graph, m_plan, m_planned, m_names, m_tuning);
}

void CudaEmitter::line(const QString &text) {
    const bool isDirective = text.startsWith(QLatin1Char('#'));
    m_body += QString(isDirective ? 0 : m_indent * 4, QLatin1Char(' ')) + text + QLatin1Char('\n');
}

void CudaEmitter::lines(const QStringList &texts) {
    for (const QString &text : texts)
        line(text);
}

QString CudaEmitter::kernelText() {
    m_indent = 1;
    m_mode == CudaMode::Flat ? flatBody() : rowBody();
    return cudaBounds(m_sharing) + cudaSignature(m_graph, m_plan, m_names).mid(4) +
           withNarrowNumbers(m_kernel, m_body) + QLatin1String("}\n\n");
}

void CudaEmitter::flatBody() {
    line(QStringLiteral("const std::int64_t all = std::int64_t(gridDim.x) * kThreads;"));
    lines(cudaFlatLoopLines(m_sharing));
    m_indent += bracketsOf(m_sharing);
    const QString pack = packType(m_kernel, m_width) + QStringLiteral("(pack)");
    if (m_kernel.outer > 0)
        line(QStringLiteral("const std::int64_t row = %1 / kPacksPerRow;").arg(pack));
    const QString ofRow =
        m_kernel.outer > 0 ? pack + QStringLiteral(" % kPacksPerRow") : QStringLiteral("pack");
    if (!m_ragged && !m_kernel.loops.empty())
        line(QStringLiteral("const std::int64_t c = %1%2;")
                 .arg(ofRow, m_width > 1 ? QStringLiteral(" * kWidth") : QString()));
    lines(m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)));
    if (m_ragged)
        lines(leadLines(m_ragged, m_loops.allCounters()) + flatRaggedPackLines(*m_ragged, ofRow));
    nameRowSteps(0);
    emitElements(m_schedule.passes[0], true);
    // What all elements of a row share is written by the first of them.
    for (const int place : m_schedule.rowStores) {
        if (m_kernel.outer > 0)
            line(QStringLiteral("if (c == 0)"));
        line(QString(m_kernel.outer > 0 ? 4 : 0, QLatin1Char(' ')) + storeOfRow(place));
    }
    closeLoop();
}

QString CudaEmitter::storeOfRow(int place) {
    const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
    return inPack(placeInPack(m_sharing.sums), [&] {
        return elementOf(store.buffer, store.address) + QLatin1String(" = ") +
               m_text.stored(store.step, store.type) + QLatin1Char(';');
    });
}

void CudaEmitter::closeLoop() {
    for (int bracket = bracketsOf(m_sharing); bracket > 0; --bracket)
        closeBracket();
}

void CudaEmitter::closeBracket() {
    --m_indent;
    line(QStringLiteral("}"));
}

void CudaEmitter::rowBody() {
    if (m_staged && m_staged->hasRows()) {
        line(QStringLiteral("const std::int64_t firstRow = std::int64_t(blockIdx.x) * kRowsOfBlock;"));
        lines(stagingLines(*m_staged, m_kernel, m_names,
                           QStringLiteral("firstRow * %1").arg(m_staged->elements)));
    } else {
        lines(cudaRowLines(m_kernel, m_sharing));
        lines(m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)));
        lines(leadLines(m_ragged, m_loops.allCounters()));
        if (m_staged)
            lines(stagingLines(*m_staged, m_kernel, m_names, elementIndex(m_staged->begin)));
    }
    int number = 0;
    for (const int step : m_schedule.kept) {
        const QString name =
            QStringLiteral("kept%1").arg(m_schedule.kept.size() > 1 ? QString::number(++number) : QString());
        line(QStringLiteral("%1 %2[kPacks]%3;")
                 .arg(cType(m_kernel.step(step).type), name,
                      m_width > 1 ? QStringLiteral("[kWidth]") : QString()));
        m_kept[step] = name;
    }
    lines(m_packs.keepAsRead(m_asRead));
    for (const KernelStep &step : m_kernel.steps)
        if (isReduction(step.op))
            declarePartials(static_cast<int>(&step - m_kernel.steps.data()));
    for (std::size_t p = 0; p < m_schedule.passes.size(); ++p) {
        const bool isAroundPart = m_moments && isIn(m_schedule.passes[p].reductions, m_moments->squares);
        isAroundPart ? takeMeanOfPart() : nameRowSteps(p);
        emitPass(p);
        if (isAroundPart)
            nameRowSteps(p);
    }
    nameRowSteps(m_schedule.passes.size());
    QStringList stores;
    for (const int place : m_schedule.rowStores)
        stores << storeOfRow(place);
    lines(cudaRowStoreLines(m_sharing, stores));
}

bool CudaEmitter::isMoment(int step) const {
    return m_moments && (step == m_moments->sum || step == m_moments->squares);
}

void CudaEmitter::declarePartials(int step) {
    if (m_kernel.step(step).op == KernelOp::RowRanked)
        return lines(cudaPartialsLines(m_sharing, QStringLiteral("int"),
                                       RankedText::counterOf(m_loops.sumName(step)), true));
    const QString type = sumOf(step).type;
    CudaSharing sharing = m_sharing;
    sharing.isClustered = sharing.isClustered && !isMoment(step);
    lines(cudaPartialsLines(sharing, type, m_loops.sumName(step)));
    if (m_moments && step == m_moments->squares)
        lines(partOfRowLines(type, m_width));
}

// Until the blocks meet, the mean is that of a block's part.
void CudaEmitter::takeMeanOfPart() {
    line(meanOfPartLine(sumOf(m_moments->sum).type, m_loops.sumName(m_moments->sum)));
    m_text.name(m_moments->mean, QStringLiteral("center"));
}

void CudaEmitter::nameRowSteps(std::size_t p) {
    for (const int step : m_schedule.named[p]) {
        const QString name = QStringLiteral("r%1").arg(++m_rowNames);
        const QString value = inPack(placeInPack(m_sharing.sums), [&] { return m_text.definition(step); });
        lines(cudaRowValueLines(m_sharing, cType(m_kernel.step(step).type), name, value));
        m_text.name(step, cudaSumOfThread(m_sharing, name));
    }
}

void CudaEmitter::emitPass(std::size_t p) {
    const KernelPass &pass = m_schedule.passes[p];
    if (!pass.reductions.empty() || !pass.stores.empty() || !pass.kept.empty()) {
        if (p > 0)
            m_body += QLatin1Char('\n');
        for (const int step : pass.reductions) {
            const SumText sum = sumOf(step);
            line(cudaSumLine(m_sharing, sum.type, m_loops.sumName(step), sum.start));
        }
        emitLoop(pass, p == 0);
        if (m_sharing.meetsOnce)
            meetOnce(pass.reductions);
        for (const int step : pass.reductions)
            combine(step);
    }
    for (const KernelPass &search : pass.ranked)
        emitSearch(search);
}

void CudaEmitter::emitSearch(const KernelPass &search) {
    const int step = search.reductions[0];
    m_search.emplace(m_kernel, step, m_loops.sumName(step), true);
    m_body += QLatin1Char('\n');
    beginCluster();
    if (m_search->isNearEnd(m_sharing)) {
        lines(m_search->beginLargest());
        emitLoop(search, false);
        lines(m_search->beginFew());
        emitLoop(search, false);
        lines(m_search->beginBits());
        ++m_indent;
    }
    m_search->tellFunctions(m_text);
    lines(m_search->begin());
    ++m_indent;
    emitLoop(search, false);
    if (m_mode != CudaMode::ThreadOfRow)
        line(cudaCombineLine(m_sharing, QStringLiteral("int"), m_search->counter(), QStringLiteral("a + b"),
                             RankedText::partOfShared()));
    m_indent = 1;
    lines(m_search->end());
    m_text.name(step, m_loops.sumName(step));
}

void CudaEmitter::emitLoop(const KernelPass &pass, bool isFirst) {
    CudaSharing sharing = m_sharing;
    sharing.loadsAhead = isFirst && m_mode == CudaMode::BlockOfRow && m_sharing.isOnePass && m_width > 1 &&
                         emitLoadsAhead(pass);
    sharing.onlyLastAsks = sharing.onlyLastAsks || (!isFirst && movesKept(pass));
    lines(m_scans.declare(pass));
    m_meets = m_mode == CudaMode::BlockOfRow && !m_scans.isEmpty();
    sharing.risesAtOnce = risesAtOnce(pass);
    lines(cudaLoopLines(m_kernel, sharing, m_width, m_meets));
    m_indent += bracketsOf(m_sharing);
    const bool hasRows = m_staged && m_staged->hasRows(); // the compiler reads what these share once
    if (hasRows) {
        lines({QStringLiteral("#pragma unroll"),
               QStringLiteral("for (int ofBlock = 0; ofBlock < kRowsOfBlock; ++ofBlock) {")});
        ++m_indent;
        line(QStringLiteral("const std::int64_t row = firstRow + ofBlock;"));
    }
    const QString before = std::exchange(m_body, {});
    emitElements(pass, isFirst);
    const QString elements = std::exchange(m_body, before);
    lines(namedIn(elements, m_loops.innerCounterLines()));
    m_body += elements;
    if (hasRows)
        closeBracket();
    closeLoop();
    m_packs.forgetAhead();
}

// What is kept anew under a question that ptxas cannot answer, as where a row is whole packs of all threads,
// is in registers beside what it is made of: of 16384 floats with 256 threads 236 bytes of spills, and none
// without. Nothing is read here that could be moved before a question which is not asked. Sums alone keep
// theirs: a divergence of 10007 took 176 us for 164 without.
bool CudaEmitter::movesKept(const KernelPass &pass) const {
    return m_mode == CudaMode::BlockOfRow && m_sharing.isOnePass && !m_sharing.hasShortRows && m_width > 1 &&
           (!pass.kept.empty() || pass.reductions.empty()) &&
           std::none_of(pass.computed.begin(), pass.computed.end(), [this](int step) {
               const KernelStep &load = m_kernel.step(step);
               return load.op == KernelOp::Load && load.level >= StepLevel::Column;
           });
}

// A pack that is computed with is waited for, and so is the next one, which its question stands before.
bool CudaEmitter::emitLoadsAhead(const KernelPass &pass) {
    const std::vector<int> steps = m_packs.aheadOf(pass);
    // Of several tensors only where rows are so long that few blocks have room: else these read while one's
    // threads wait, and all those loads first cost more than they bring.
    const bool isLong =
        halvesKept(m_kernel, m_sharing, m_width) * m_kernel.columns() >= 2 * fewRowsInRegisters;
    if (steps.empty() || (steps.size() > 1 && !isLong))
        return false;
    CudaSharing sharing = m_sharing;
    sharing.loadsAhead = true;
    for (const int step : steps)
        lines(m_packs.declareAhead(step));
    lines(cudaLoopLines(m_kernel, sharing, m_width, false));
    m_indent += bracketsOf(m_sharing);
    QStringList loads;
    for (const int step : steps)
        loads << m_packs.loadAhead(step);
    lines(namedIn(loads.join(QLatin1Char('\n')), m_loops.innerCounterLines()));
    lines(loads);
    closeLoop();
    return true;
}

void CudaEmitter::beginCluster() {
    if (m_sharing.isClustered && !std::exchange(m_hasBegun, true))
        line(QStringLiteral("__cluster_barrier_wait(); // All have begun."));
}

QString fusedCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                      const KernelNames &names, const KernelTuning &tuning) {
    return CudaEmitter(graph, plan, kernel, names, tuning).run();
}

} // namespace warpwright
