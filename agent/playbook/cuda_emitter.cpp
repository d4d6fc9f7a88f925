// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/cuda_emitter.h"

#include "agent/playbook/cuda_choices.h"
#include "agent/playbook/cuda_head.h"
#include "agent/playbook/cuda_helpers.h"
#include "agent/playbook/cuda_launcher.h"
#include "agent/playbook/cuda_packs.h"
#include "agent/playbook/cuda_scans.h"
#include "agent/playbook/cuda_sharing.h"
#include "agent/playbook/far_angles.h"
#include "agent/playbook/kernel_schedule.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/ragged_rows.h"
#include "agent/playbook/ranked_text.h"
#include "agent/playbook/row_moments.h"
#include "agent/playbook/running_places.h"
#include "agent/playbook/running_softmax.h"
#include "agent/playbook/scalar_text.h"
#include "agent/playbook/scatter_text.h"
#include "agent/playbook/staged_gathers.h"
#include "agent/playbook/whole_numbers.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t longSum = 2048; ///< beyond it float loses digits that torch's sums keep
const QString exponentialOfDistance = QStringLiteral("exponentialOfDistance");

bool isIn(const std::vector<int> &steps, int step) {
    return std::find(steps.begin(), steps.end(), step) != steps.end();
}

class CudaEmitter {
public:
    CudaEmitter(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
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
          m_width(tuning.hasWideLoads ? widthOf(kernel) : 1),
          m_staged(stagedGatherOf(kernel)),
          m_ragged(m_width > 1 ? raggedRowsOf(kernel) : std::nullopt),
          m_moments(m_sharing.isClustered ? rowMomentsOf(kernel) : std::nullopt),
          m_schedule(scheduleOf(m_kernel, m_sharing.isOnePass ? Keeping::All : Keeping::Nothing,
                                m_moments ? m_moments->centred : std::set<int>())),
          m_loops(m_kernel),
          m_places(kernel, m_kernel, m_loops),
          m_text(m_kernel, TextDialect::Cuda, [this](int leaf) { return leafText(leaf); }),
          m_packs(m_kernel, names, m_width, m_ragged, m_loops, m_text,
                  [this](int step, int place) {
                      return inPack(QString::number(place), [&] { return m_text.text(step); });
                  }),
          m_scans(m_kernel, m_mode == CudaMode::BlockOfRow, m_text) {
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
            if (isExponentialOfDistance(m_kernel, static_cast<int>(i)))
                m_text.approximate(static_cast<int>(i));
        if (!m_running.empty())
            m_text.calls(exponentialOfDistance);
    }

    QString run() {
        const QString body = kernelText();
        QString ours = cudaConstants(m_kernel, m_sharing, m_width) +
                       functionTexts(m_text.functions(), TextDialect::Cuda);
        ours += m_width > 1 ? packText() : QString();
        if (!m_kernel.scatter.isEmpty())
            ours += scatterFunctions(m_kernel, m_width);
        if (m_ragged)
            ours += partsOfRowsText();
        ours += cudaMeetingTexts(m_kernel, m_sharing, m_moments.has_value());
        return cudaHead(m_planned, m_names, m_sharing) + QStringLiteral("namespace {\n\n") + ours + body +
               QLatin1String("} // namespace\n\n") +
               cudaLauncher(m_graph, m_plan, m_kernel, m_names, m_tuning);
    }

private:
    QString cType(ElementType type) const { return cTypeName(type, true); }

    QString leafText(int leaf) const {
        if (leaf < 0)
            return elementIndex(m_kernel.step(-1 - leaf).index);
        if (const QString element = m_packs.elementOf(leaf); !element.isEmpty())
            return element;
        const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
        if (m_staged && m_staged->holds(leaf))
            return stagedElement(*m_staged, what);
        return elementOf(what.buffer, what.address);
    }

    QString elementOf(int buffer, const AffineIndex &address) const {
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(buffer), elementIndex(address));
    }

    QString elementIndex(const AffineIndex &address) const {
        return indexInPack(m_kernel, address, m_loops, m_inPack);
    }

    template <typename Text>
    QString inPack(const QString &place, const Text &text) {
        const QString before = std::exchange(m_inPack, place);
        const QString made = text();
        m_inPack = before;
        return made;
    }

    void line(const QString &text) {
        const bool isDirective = text.startsWith(QLatin1Char('#'));
        m_body += QString(isDirective ? 0 : m_indent * 4, QLatin1Char(' ')) + text + QLatin1Char('\n');
    }

    void lines(const QStringList &texts) {
        for (const QString &text : texts)
            line(text);
    }

    QString kernelText() {
        m_indent = 1;
        m_mode == CudaMode::Flat ? flatBody() : rowBody();
        return cudaBounds(m_sharing) + cudaSignature(m_graph, m_plan, m_names).mid(4) +
               withNarrowNumbers(m_kernel, m_body) + QLatin1String("}\n\n");
    }

    void flatBody() {
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

    QString storeOfRow(int place) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
        return inPack(placeInPack(m_sharing.sums), [&] {
            return elementOf(store.buffer, store.address) + QLatin1String(" = ") +
                   m_text.stored(store.step, store.type) + QLatin1Char(';');
        });
    }

    void closeLoop() {
        for (int bracket = bracketsOf(m_sharing); bracket > 0; --bracket)
            closeBracket();
    }

    void closeBracket() {
        --m_indent;
        line(QStringLiteral("}"));
    }

    void rowBody() {
        lines(cudaRowLines(m_kernel, m_sharing));
        lines(m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)));
        lines(leadLines(m_ragged, m_loops.allCounters()));
        if (m_staged)
            lines(stagingLines(*m_staged, m_kernel, m_names, elementIndex(m_staged->begin)));
        int number = 0;
        for (const int step : m_schedule.kept) {
            const QString name = QStringLiteral("kept%1").arg(
                m_schedule.kept.size() > 1 ? QString::number(++number) : QString());
            line(QStringLiteral("%1 %2[kPacks]%3;")
                     .arg(cType(m_kernel.step(step).type), name,
                          m_width > 1 ? QStringLiteral("[kWidth]") : QString()));
            m_kept[step] = name;
        }
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

    [[nodiscard]] bool isMoment(int step) const {
        return m_moments && (step == m_moments->sum || step == m_moments->squares);
    }

    void declarePartials(int step) {
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
    void takeMeanOfPart() {
        line(meanOfPartLine(sumOf(m_moments->sum).type, m_loops.sumName(m_moments->sum)));
        m_text.name(m_moments->mean, QStringLiteral("center"));
    }

    void nameRowSteps(std::size_t p) {
        for (const int step : m_schedule.named[p]) {
            const QString name = QStringLiteral("r%1").arg(++m_rowNames);
            const QString value =
                inPack(placeInPack(m_sharing.sums), [&] { return m_text.definition(step); });
            lines(cudaRowValueLines(m_sharing, cType(m_kernel.step(step).type), name, value));
            m_text.name(step, cudaSumOfThread(m_sharing, name));
        }
    }

    void emitPass(std::size_t p) {
        const KernelPass &pass = m_schedule.passes[p];
        if (!pass.reductions.empty() || !pass.stores.empty() || !pass.kept.empty()) {
            if (p > 0)
                m_body += QLatin1Char('\n');
            for (const int step : pass.reductions) {
                const SumText sum = sumOf(step);
                line(cudaSumLine(m_sharing, sum.type, m_loops.sumName(step), sum.start));
            }
            emitLoop(pass, p == 0);
            for (const int step : pass.reductions)
                combine(step);
        }
        for (const KernelPass &search : pass.ranked)
            emitSearch(search);
    }

    void emitSearch(const KernelPass &search) {
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
            line(cudaCombineLine(m_sharing, QStringLiteral("int"), m_search->counter(),
                                 QStringLiteral("a + b"), RankedText::partOfShared()));
        m_indent = 1;
        lines(m_search->end());
        m_text.name(step, m_loops.sumName(step));
    }

    void emitLoop(const KernelPass &pass, bool isFirst) {
        lines(m_scans.declare(pass));
        m_meets = m_mode == CudaMode::BlockOfRow && !m_scans.isEmpty();
        lines(cudaLoopLines(m_kernel, m_sharing, m_width, m_meets));
        m_indent += bracketsOf(m_sharing);
        const QString before = std::exchange(m_body, {});
        emitElements(pass, isFirst);
        const QString elements = std::exchange(m_body, before);
        lines(namedIn(elements, m_loops.innerCounterLines()));
        m_body += elements;
        closeLoop();
    }

    void beginCluster() {
        if (m_sharing.isClustered && !std::exchange(m_hasBegun, true))
            line(QStringLiteral("__cluster_barrier_wait(); // All have begun."));
    }

    void combine(int step) {
        const QString name = m_loops.sumName(step);
        const SumText sum = sumOf(step);
        if (m_mode != CudaMode::ThreadOfRow)
            meet(step, name, sum);
        const QString type = cTypeName(m_kernel.step(step).type, false);
        const QString whole = cudaSumOfThread(m_sharing, name);
        m_text.name(step, sum.type == type ? whole : QStringLiteral("%1(%2)").arg(type, whole));
    }

    // Threads that share a row put together what each has.
    void meet(int step, const QString &name, const SumText &sum) {
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
            line(cudaCombineLine(sharing, sum.type, name,
                                 sum.isExtreme() ? sum.extreme(QStringLiteral("a"), QStringLiteral("b"))
                                                 : QStringLiteral("a %1 b").arg(sum.sign)));
    }

    // A group's part of a sum over far elements is one chain of additions.
    SumText sumOf(int step) const {
        return sumText(m_kernel, step, m_mode != CudaMode::BlockOfRow && m_kernel.columns() > longSum);
    }

    // What one thread does with a pack of neighbours, or with one element.
    void emitElements(const KernelPass &pass, bool isFirst) {
        m_packs.clear();
        if (m_width > 1) {
            lines(m_packs.load(pass.computed));
            lines(m_packs.beginStores(pass.stores));
        }
        const bool hasParts = m_ragged && (m_sharing.isOnePass ? !isFirst : !m_running.empty());
        if (hasParts) {
            line(QStringLiteral("const auto take = [&](auto isThere) {"));
            ++m_indent;
        }
        const bool isGuarded = m_ragged && (m_mode != CudaMode::Flat || !m_packs.isAll(pass));
        const QStringList guard = isGuarded ? guardOfRaggedPack(hasParts) : QStringList();
        emitRises(pass, guard);
        const qsizetype before = m_body.size();
        if (m_width > 1) {
            line(QStringLiteral("#pragma unroll"));
            line(QStringLiteral("for (int k = 0; k < kWidth; ++k) {"));
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
            line(sum.isExtreme() ? QStringLiteral("%1 = %2;").arg(name, sum.extreme(element, name))
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
        if (m_width > 1) {
            closeBracket();
            m_inPack.clear();
            if (m_mode == CudaMode::Flat) // which sums nothing
                m_body = m_body.left(before) + withFarAngles(m_body.mid(before), 4 * m_indent);
            if (m_kernel.scatter.isEmpty())
                lines(m_packs.endStores());
            else
                for (const QString &pack : m_packs.packsToStore())
                    scatter(pack);
        }
        if (hasParts) {
            --m_indent;
            lines(takenPackLines());
        }
        for (const std::vector<int> &steps : {named, pass.taken})
            for (const int step : steps)
                m_text.forget(step);
        for (const RunningSoftmax &some : m_running)
            if (isIn(pass.reductions, some.largest))
                m_text.forget(some.level);
    }

    // The largest elements so far rise to those at hand; then sums are formed about these.
    void emitRises(const KernelPass &pass, const QStringList &guard) {
        for (const RunningSoftmax &some : m_running) {
            if (!isIn(pass.reductions, some.largest))
                continue;
            for (const int step : pass.computed)
                if (const QString gathered = m_packs.gathered(step); !gathered.isEmpty())
                    m_text.name(step, gathered);
            const QString element = inPack(
                placeInPack(m_width), [&] { return m_text.text(m_kernel.step(some.largest).operands[0]); });
            const RisingText rising(some, m_loops, sumOf(some.largest), element, m_width > 1, guard);
            lines(rising.lines());
            m_text.name(some.level, rising.level());
        }
    }

    void scatter(const QString &value) {
        lines(scatterLines(m_kernel, m_names, m_loops.counter(0), m_loops.counter(1), value));
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const KernelNames &m_names;
    KernelTuning m_tuning;
    const FusedKernel &m_planned;
    CudaSharing m_sharing;
    std::vector<RunningSoftmax> m_running; ///< that its loops form in one
    FusedKernel m_kernel;
    CudaMode m_mode;
    int m_width;
    std::optional<StagedGather> m_staged;
    std::optional<RaggedRows> m_ragged;
    std::optional<RowMoments> m_moments; ///< that the blocks of a cluster form together
    KernelSchedule m_schedule;
    LoopText m_loops;
    RunningPlaces m_places;
    ScalarText m_text;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    std::optional<RankedText> m_search; ///< at work
    QString m_inPack;                   ///< "k" in the loop over a pack
    bool m_hasBegun = false;            ///< the cluster's blocks are known to be there
    bool m_meets = false;               ///< threads form what runs along the row together
    std::map<int, QString> m_kept;
    CudaPacks m_packs; // of the elements at work
    CudaScans m_scans; // of the loop at work
};

} // namespace

QString fusedCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                      const KernelNames &names, const KernelTuning &tuning) {
    return CudaEmitter(graph, plan, kernel, names, tuning).run();
}

} // namespace warpwright
