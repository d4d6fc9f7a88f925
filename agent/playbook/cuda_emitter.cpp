// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/cuda_emitter.h"

#include "agent/playbook/cuda_choices.h"
#include "agent/playbook/cuda_head.h"
#include "agent/playbook/cuda_helpers.h"
#include "agent/playbook/cuda_launcher.h"
#include "agent/playbook/cuda_packs.h"
#include "agent/playbook/cuda_scans.h"
#include "agent/playbook/cuda_sharing.h"
#include "agent/playbook/kernel_schedule.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/ragged_rows.h"
#include "agent/playbook/row_moments.h"
#include "agent/playbook/running_softmax.h"
#include "agent/playbook/scalar_text.h"
#include "agent/playbook/scatter_text.h"
#include "agent/playbook/whole_numbers.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t longSum = 2048; ///< beyond it float loses digits that torch's sums keep
const QString exponentialOfDistance = QStringLiteral("exponentialOfDistance");

class CudaEmitter {
public:
    CudaEmitter(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                const KernelNames &names, const KernelTuning &tuning)
        : m_graph(graph),
          m_plan(plan),
          m_running(runsAlong(kernel) ? runningSoftmaxOf(kernel) : std::vector<RunningSoftmax>()),
          m_kernel(withRunningSums(kernel, m_running)),
          m_names(names),
          m_tuning(tuning),
          m_sharing(cudaSharingOf(kernel, tuning)),
          m_mode(m_sharing.mode),
          m_width(tuning.hasWideLoads ? widthOf(kernel) : 1),
          m_ragged(m_width > 1 ? raggedRowsOf(kernel) : std::nullopt),
          m_moments(m_sharing.isClustered ? rowMomentsOf(kernel) : std::nullopt),
          m_schedule(scheduleOf(m_kernel, m_sharing.isOnePass ? Keeping::All : Keeping::Nothing,
                                m_moments ? m_moments->centred : std::set<int>())),
          m_loops(m_kernel),
          m_text(m_kernel, TextDialect::Cuda, [this](int leaf) { return leafText(leaf); }),
          m_packs(m_kernel, names, m_width, m_ragged, m_loops, m_text),
          m_scans(m_kernel, m_mode == CudaMode::BlockOfRow, m_text) {
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
            if (isExponentialOfDistance(m_kernel, static_cast<int>(i)))
                m_text.approximate(static_cast<int>(i));
        if (!m_running.empty())
            m_text.calls(exponentialOfDistance);
    }

    QString run() {
        const QString body = kernelText();
        QString ours = cudaConstants(m_kernel, m_sharing, m_width);
        ours += functionTexts(m_text.functions(), TextDialect::Cuda);
        if (m_width > 1)
            ours += packText();
        if (!m_kernel.scatter.isEmpty())
            ours += scatterFunctions(m_kernel, m_width);
        if (m_ragged)
            ours += partsOfRowsText();
        ours += cudaMeetingTexts(m_kernel, m_sharing, m_moments.has_value());
        return cudaHead(m_kernel, m_names, m_sharing) + QStringLiteral("namespace {\n\n") + ours + body +
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
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer), elementIndex(what.address));
    }

    QString elementIndex(const AffineIndex &address) const {
        QString text = indexText(address, m_loops.allCounters());
        if (m_width > 1 && m_isInPack && !address.steps.empty() && address.steps.back() != 0)
            text += address.steps.back() == 1 ? QStringLiteral(" + k")
                                              : QStringLiteral(" + k * %1").arg(address.steps.back());
        return text;
    }

    void line(const QString &text) {
        m_body += QString(m_indent * 4, QLatin1Char(' ')) + text + QLatin1Char('\n');
    }

    QString kernelText() {
        m_indent = 1;
        if (m_mode == CudaMode::Flat)
            flatBody();
        else
            rowBody();
        return cudaBounds(m_sharing) + cudaSignature(m_graph, m_plan, m_names).mid(4) +
               withNarrowNumbers(m_kernel, m_body) + QLatin1String("}\n\n");
    }

    void flatBody() {
        line(QStringLiteral("const std::int64_t all = std::int64_t(gridDim.x) * kThreads;"));
        for (const QString &text : cudaFlatLoopLines(m_sharing))
            text.startsWith(QLatin1Char('#')) ? void(m_body += text + QLatin1Char('\n')) : line(text);
        m_indent += bracketsOf(m_sharing);
        const QString width = m_width > 1 ? QStringLiteral(" * kWidth") : QString();
        if (m_kernel.outer > 0) {
            const QString pack = packType(m_kernel, m_width) + QStringLiteral("(pack)");
            line(QStringLiteral("const std::int64_t row = %1 / kPacksPerRow;").arg(pack));
            line(QStringLiteral("const std::int64_t c = %1 % kPacksPerRow%2;").arg(pack, width));
        } else if (!m_kernel.loops.empty()) {
            line(QStringLiteral("const std::int64_t c = pack%1;").arg(width));
        }
        for (const QString &text : m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)))
            line(text);
        nameRowSteps(0);
        emitElements(0);
        // What all elements of a row share is written by the first of them.
        for (const int place : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            if (m_kernel.outer > 0)
                line(QStringLiteral("if (c == 0)"));
            line(QStringLiteral("%1%2[%3] = %4;")
                     .arg(QString(m_kernel.outer > 0 ? 4 : 0, QLatin1Char(' ')), m_names.nameOf(store.buffer),
                          indexText(store.address, m_loops.allCounters()),
                          m_text.stored(store.step, store.type)));
        }
        closeLoop();
    }

    void closeLoop() {
        for (int bracket = 0; bracket < bracketsOf(m_sharing); ++bracket) {
            --m_indent;
            line(QStringLiteral("}"));
        }
    }

    void rowBody() {
        for (const QString &text : cudaRowLines(m_kernel, m_sharing))
            line(text);
        for (const QString &text : m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)))
            line(text);
        if (m_ragged && m_ragged->hasLead())
            line(QStringLiteral(
                     "const int lead = (%1) % kWidth; // elements of the row before in the first pack")
                     .arg(indexText(m_ragged->lead, m_loops.allCounters())));
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
            const bool isAroundPart = m_moments && hasSum(p, m_moments->squares);
            isAroundPart ? takeMeanOfPart() : nameRowSteps(p);
            emitPass(p);
            if (isAroundPart)
                nameRowSteps(p);
        }
        nameRowSteps(m_schedule.passes.size());
        if (m_schedule.rowStores.empty())
            return;
        const QString isFirst = cudaIsFirst(m_sharing);
        if (!isFirst.isEmpty()) {
            line(QStringLiteral("if (%1) {").arg(isFirst));
            ++m_indent;
        }
        for (const int place : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            line(QStringLiteral("%1[%2] = %3;")
                     .arg(m_names.nameOf(store.buffer), indexText(store.address, m_loops.allCounters()),
                          m_text.stored(store.step, store.type)));
        }
        if (isFirst.isEmpty())
            return;
        --m_indent;
        line(QStringLiteral("}"));
    }

    [[nodiscard]] bool hasSum(std::size_t p, int step) const {
        const std::vector<int> &sums = m_schedule.passes[p].reductions;
        return std::find(sums.begin(), sums.end(), step) != sums.end();
    }

    [[nodiscard]] bool isMoment(int step) const {
        return m_moments && (step == m_moments->sum || step == m_moments->squares);
    }

    void declarePartials(int step) {
        const QString type = sumOf(step).type;
        CudaSharing sharing = m_sharing;
        sharing.isClustered = sharing.isClustered && !isMoment(step);
        for (const QString &text : cudaPartialsLines(sharing, type, m_loops.sumName(step)))
            line(text);
        if (!m_moments || step != m_moments->squares)
            return;
        line(QStringLiteral("__shared__ Moments<%1> ofBlocks[kBlocks];").arg(type));
        for (const QString &text : partOfRowLines(m_width))
            line(text);
    }

    // Until the blocks meet, the mean is that of a block's part.
    void takeMeanOfPart() {
        line(QStringLiteral("const %1 center = part > 0 ? %2 / part : 0;")
                 .arg(sumOf(m_moments->sum).type, m_loops.sumName(m_moments->sum)));
        m_text.name(m_moments->mean, QStringLiteral("center"));
    }

    void nameRowSteps(std::size_t p) {
        for (const int step : m_schedule.named[p]) {
            const QString name = QStringLiteral("r%1").arg(++m_rowNames);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cType(m_kernel.step(step).type), name, m_text.definition(step)));
            m_text.name(step, name);
        }
    }

    void emitPass(std::size_t p) {
        const KernelPass &pass = m_schedule.passes[p];
        if (pass.reductions.empty() && pass.stores.empty())
            return;
        if (p > 0)
            m_body += QLatin1Char('\n');
        for (const int step : pass.reductions) {
            const SumText sum = sumOf(step);
            line(QStringLiteral("%1 %2 = %3;").arg(sum.type, m_loops.sumName(step), sum.start));
        }
        for (const QString &text : m_scans.declare(pass))
            line(text);
        m_meets = m_mode == CudaMode::BlockOfRow && !m_scans.isEmpty();
        for (const QString &text : cudaLoopLines(m_kernel, m_sharing, m_width, m_meets))
            text.startsWith(QLatin1Char('#')) ? void(m_body += text + QLatin1Char('\n')) : line(text);
        m_indent += bracketsOf(m_sharing);
        const QString before = std::exchange(m_body, {});
        emitElements(p);
        const QString elements = std::exchange(m_body, before);
        for (const QString &text : namedIn(elements, m_loops.innerCounterLines()))
            line(text);
        m_body += elements;
        closeLoop();
        for (const int step : pass.reductions)
            combine(step);
    }

    void combine(int step) {
        const QString name = m_loops.sumName(step);
        const SumText sum = sumOf(step);
        if (m_mode == CudaMode::ThreadOfRow) {
            const QString own = cTypeName(m_kernel.step(step).type, false);
            m_text.name(step, sum.type == own ? name : QStringLiteral("%1(%2)").arg(own, name));
            return;
        }
        const QString how = sum.isExtreme() ? sum.extreme(QStringLiteral("a"), QStringLiteral("b"))
                                            : QStringLiteral("a %1 b").arg(sum.sign);
        CudaSharing sharing = m_sharing;
        sharing.isClustered = sharing.isClustered && !isMoment(step);
        const bool meetsCluster = m_sharing.isClustered && (!m_moments || step != m_moments->sum);
        if (meetsCluster && !std::exchange(m_hasBegun, true))
            line(QStringLiteral("__cluster_barrier_wait(); // All have begun."));
        for (const RunningSoftmax &some : m_running) {
            if (some.largest == step)
                line(QStringLiteral("const float %1OfThread = %1;").arg(name));
            if (std::find(some.sums.begin(), some.sums.end(), step) == some.sums.end())
                continue;
            const QString level = m_text.text(some.level);
            line(QStringLiteral("%1 *= %2(%3OfThread - %4);")
                     .arg(name, exponentialOfDistance, m_loops.sumName(some.largest),
                          some.level == some.largest ? level : QLatin1Char('(') + level + QLatin1Char(')')));
        }
        if (m_moments && step == m_moments->squares)
            line(QStringLiteral("joinMoments<THREADS>(%1, %2, center, part, %2Partials, ofBlocks);")
                     .arg(m_loops.sumName(m_moments->sum), name));
        else
            line(cudaCombineLine(sharing, sum.type, name, how));
        const QString type = cTypeName(m_kernel.step(step).type, false);
        m_text.name(step, sum.type == type ? name : QStringLiteral("%1(%2)").arg(type, name));
    }

    // A group's part of a sum over far elements is one chain of additions.
    SumText sumOf(int step) const {
        return sumText(m_kernel, step, m_mode != CudaMode::BlockOfRow && m_kernel.columns() > longSum);
    }

    // What one thread does with a pack of neighbours, or with one element.
    void emitElements(std::size_t p) {
        const KernelPass &pass = m_schedule.passes[p];
        m_packs.clear();
        if (m_width > 1) {
            for (const int step : pass.computed)
                if (m_kernel.step(step).op == KernelOp::Load)
                    for (const QString &text : m_packs.load(step))
                        line(text);
            for (const QString &text : m_packs.beginStores(pass.stores))
                line(text);
        }
        const bool hasParts = m_ragged && (m_sharing.isOnePass ? p > 0 : !m_running.empty());
        if (hasParts) {
            line(QStringLiteral("const auto take = [&](auto isThere) {"));
            ++m_indent;
        }
        const QStringList guard = m_ragged ? guardOfRaggedPack(hasParts) : QStringList();
        emitRises(pass, guard);
        if (m_width > 1) {
            m_body += QLatin1String("#pragma unroll\n");
            line(QStringLiteral("for (int k = 0; k < kWidth; ++k) {"));
            ++m_indent;
            for (const QString &text : guard)
                line(text);
            m_isInPack = true;
        }
        const QString place = m_width > 1 ? QStringLiteral("[p][k]") : QStringLiteral("[p]");
        for (const int step : pass.taken)
            m_text.name(step, m_kept[step] + place);
        std::vector<int> named;
        int names = 0;
        for (const int step : pass.computed) {
            const bool isKept = std::find(pass.kept.begin(), pass.kept.end(), step) != pass.kept.end();
            if (m_scans.contains(step)) {
                for (const QString &text : m_scans.update(step, m_indent))
                    line(text);
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
            if (isRunning(step))
                continue;
            const SumText sum = sumOf(step);
            const QString name = m_loops.sumName(step);
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
            if (m_sharing.together > 1)
                line(QStringLiteral("if (mine + some * all < kPacks)"));
            line(QStringLiteral("%1 = %2;")
                     .arg(packed.isEmpty() ? QStringLiteral("%1[%2]").arg(m_names.nameOf(store.buffer),
                                                                          elementIndex(store.address))
                                           : packed,
                          m_text.stored(store.step, store.type)));
        }
        if (m_meets) {
            --m_indent;
            line(QStringLiteral("}"));
        }
        if (m_width > 1) {
            --m_indent;
            line(QStringLiteral("}"));
            m_isInPack = false;
            if (m_kernel.scatter.isEmpty())
                for (const QString &text : m_packs.endStores())
                    line(text);
            else
                for (const QString &pack : m_packs.packsToStore())
                    scatter(pack);
        }
        if (hasParts) {
            --m_indent;
            for (const QString &text : takenPackLines())
                line(text);
        }
        for (const int step : named)
            m_text.forget(step);
        for (const int step : pass.taken)
            m_text.forget(step);
        for (const RunningSoftmax &some : m_running)
            m_text.forget(some.level);
    }

    [[nodiscard]] bool isRunning(int largest) const {
        return std::any_of(m_running.begin(), m_running.end(),
                           [largest](const RunningSoftmax &some) { return some.largest == largest; });
    }

    // The largest elements so far rise to those at hand; then sums are formed about these.
    void emitRises(const KernelPass &pass, const QStringList &guard) {
        for (const RunningSoftmax &some : m_running) {
            if (std::find(pass.reductions.begin(), pass.reductions.end(), some.largest) ==
                pass.reductions.end())
                continue;
            RisingText rising;
            rising.largest = m_loops.sumName(some.largest);
            rising.ahead = rising.largest + QStringLiteral("Ahead");
            rising.level = rising.largest + QStringLiteral("Level");
            rising.isPack = m_width > 1;
            rising.isSafe = some.level != some.largest;
            rising.guard = guard;
            for (const int step : pass.computed)
                if (const QString gathered = m_packs.gathered(step); !gathered.isEmpty())
                    m_text.name(step, gathered);
            m_isInPack = rising.isPack;
            rising.element = m_text.text(m_kernel.step(some.largest).operands[0]);
            m_isInPack = false;
            rising.larger =
                sumOf(some.largest).extreme(rising.largest + QStringLiteral("Next"), rising.ahead);
            for (const int sum : some.sums)
                rising.sums << m_loops.sumName(sum);
            for (const QString &text : risingLines(rising))
                text.startsWith(QLatin1Char('#')) ? void(m_body += text + QLatin1Char('\n')) : line(text);
            m_text.name(some.level, rising.level);
        }
    }

    void scatter(const QString &value) {
        const QStringList counters = m_loops.allCounters();
        for (const QString &text : scatterLines(m_kernel, m_names, counters[0], counters[1], value))
            line(text);
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    std::vector<RunningSoftmax> m_running; ///< that its loops form in one
    FusedKernel m_kernel;
    const KernelNames &m_names;
    KernelTuning m_tuning;
    CudaSharing m_sharing;
    CudaMode m_mode;
    int m_width;
    std::optional<RaggedRows> m_ragged;
    std::optional<RowMoments> m_moments; ///< that the blocks of a cluster form together
    KernelSchedule m_schedule;
    LoopText m_loops;
    ScalarText m_text;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    bool m_isInPack = false;
    bool m_hasBegun = false; ///< the cluster's blocks are known to be there
    bool m_meets = false;    ///< threads form what runs along the row together
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
