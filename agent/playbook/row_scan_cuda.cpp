// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/row_scan_cuda.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/cuda_head.h"
#include "agent/playbook/cuda_helpers.h"
#include "agent/playbook/cuda_launcher.h"
#include "agent/playbook/kernel_schedule.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/scalar_text.h"
#include "agent/playbook/whole_numbers.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {
namespace {

constexpr int packBytes = 16;
constexpr int fewest = 4; ///< elements of a pack: of whole numbers of 64 bits that is two loads
constexpr int most = 8;
constexpr std::int64_t leastColumns = 64;  ///< in shorter rows hardly any thread has a pack
constexpr std::int64_t longPieces = 65536; ///< beyond it float loses digits that torch's sums keep

bool isBackward(const AffineIndex &address) {
    return address.steps.back() == -1;
}

bool isAlongRow(const FusedKernel &kernel, const AffineIndex &address) {
    return !address.steps.empty() && std::abs(address.steps.back()) == 1 &&
           std::all_of(address.steps.begin(), address.steps.end() - 1,
                       [](std::int64_t step) { return step >= 0; }) &&
           address.offset - (isBackward(address) ? kernel.columns() - 1 : 0) >= 0;
}

/// Elements of the first pack that come before the row, modulo `width`: a row that is read backwards begins
/// with the last element of a pack.
AffineIndex leadOf(const FusedKernel &kernel, const AffineIndex &address, int width) {
    const std::int64_t sign = isBackward(address) ? width - 1 : 1; // -1, modulo `width`
    AffineIndex lead{sign * (address.offset + (isBackward(address) ? 1 : 0)) % width,
                     std::vector<std::int64_t>(kernel.loops.size(), 0)};
    for (std::size_t k = 0; k < kernel.outer; ++k)
        lead.steps[k] = sign * address.steps[k] % width;
    return lead;
}

/// Whether packs of those rows are packs at this address as well, and the memory is whole packs.
bool liesIn(const FusedKernel &kernel, const RaggedRows &rows, const AffineIndex &address) {
    if (!isAlongRow(kernel, address) || leadOf(kernel, address, rows.width) != rows.lead)
        return false;
    const std::int64_t further = kernel.columns() - 1;
    std::int64_t end = address.offset + (isBackward(address) ? 0 : further) + 1;
    for (std::size_t k = 0; k < kernel.outer; ++k)
        end += address.steps[k] * (kernel.loops[k] - 1);
    // An offset of its own may stand for memory that begins anywhere: a window of a loop over time.
    return (address.offset - (isBackward(address) ? further : 0)) % rows.width == 0 && end % rows.width == 0;
}

bool isWhole(const FusedKernel &kernel, const RaggedRows &rows) {
    return !rows.hasLead() && kernel.columns() % rows.width == 0;
}

/// Each element is read where the loops say, and what is computed of a neighbour's harms nobody.
bool isOfElements(const FusedKernel &kernel) {
    const auto isPlain = [](const KernelLeaf &leaf) {
        return leaf.isPlain();
    };
    const auto isHarmless = [&kernel](const KernelStep &step) {
        const bool isDivision = step.op == KernelOp::Divide || step.op == KernelOp::Remainder ||
                                step.op == KernelOp::TruncatedRemainder;
        return !isReduction(step.op) && !step.isGuarded &&
               !(isDivision && step.type == ElementType::Int64 &&
                 kernel.step(step.operands[1]).op != KernelOp::Number);
    };
    return std::all_of(kernel.leaves.begin(), kernel.leaves.end(), isPlain) &&
           std::all_of(kernel.steps.begin(), kernel.steps.end(), isHarmless);
}

const QString rowScanText = QStringLiteral(
    R"(@functions@// The running values of each thread's piece, in a row that the block goes through round by round: first within the
// piece, then from thread to thread of a warp, by looking back 1, 2, 4 ... of them, then behind the warps before it.
// `carry` is what came before the round, and is brought up to its end. `partials` must not be in use for the round
// before.
template <int THREADS, typename T, typename Combine>
__device__ void scanPieces(T (&values)[kWidth], T &carry, T *partials, Combine combine) {
#pragma unroll
    for (int k = 1; k < kWidth; ++k)
        values[k] = combine(values[k - 1], values[k]);
    T whole = values[kWidth - 1];
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const T other = __shfl_up_sync(0xffffffffu, whole, distance);
        if (lane >= distance)
            whole = combine(other, whole);
    }
    T before = carry;
    if constexpr (THREADS == 32) {
        carry = combine(carry, __shfl_sync(0xffffffffu, whole, 31));
    } else {
        if (lane == 31)
            partials[threadIdx.x / 32] = whole;
        __syncthreads();
#pragma unroll
        for (int warp = 0; warp < THREADS / 32; ++warp) {
            if (warp == threadIdx.x / 32)
                before = carry;
            carry = combine(carry, partials[warp]);
        }
    }
    const T ofOthers = __shfl_up_sync(0xffffffffu, whole, 1);
    if (lane > 0)
        before = combine(before, ofOthers);
#pragma unroll
    for (int k = 0; k < kWidth; ++k)
        values[k] = combine(before, values[k]);
}

@parts@template <int THREADS>
__global__ void __launch_bounds__(THREADS)
@head@
@rowLines@    int turn = 0; // of the memory to meet in: who is late still reads the other
    for (int first = @begin@; first < kColumns; first += THREADS * kWidth, turn ^= 1) {
        const int c = first + static_cast<int>(threadIdx.x) * kWidth; // the first of the thread's elements
@elements@    }
}

} // namespace

@launcher@)");

// As storePart() of ragged_rows, for rows that are read from their end.
const QString storeBackwardsText = QStringLiteral(
    R"(// The same of a row that is gone through from its end: `row` is where its last element lies.
template <typename T> __device__ void storePartBackwards(T *row, int c, const Pack<T> &part) {
    if (c >= 0 && c + kWidth <= kColumns) {
        *reinterpret_cast<Pack<T> *>(row - c - (kWidth - 1)) = part;
        return;
    }
#pragma unroll
    for (int k = 0; k < kWidth; ++k)
        if (unsigned(c + k) < unsigned(kColumns))
            row[-(c + k)] = part.at[kWidth - 1 - k];
}

)");

class Writer {
public:
    Writer(const FusedKernel &kernel, const KernelNames &names, const RaggedRows &rows)
        : m_kernel(kernel),
          m_names(names),
          m_rows(rows),
          m_schedule(scheduleOf(kernel, Keeping::Nothing)),
          m_pass(m_schedule.passes.front()),
          m_loops(kernel),
          m_text(kernel, TextDialect::Cuda, [this](int leaf) { return leafText(leaf); }) {
        m_counters = m_loops.allCounters();
        m_counters.back() = QStringLiteral("column");
    }

    QString run(const QString &head, const QString &launcher) {
        for (const QString &line : cudaRowLines(m_kernel, {CudaMode::BlockOfRow}) +
                                       m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)) +
                                       leadLines(m_rows, m_loops.allCounters()))
            m_rowLines += QStringLiteral("    %1\n").arg(line);
        int count = 0;
        for (const std::vector<int> &ofRow : m_schedule.named)
            for (const int step : ofRow)
                m_rowLines += m_text.constant(step, QStringLiteral("r%1").arg(++count), 4);
        findStages();
        loadPacks();
        for (std::size_t stage = 0; stage < m_scans.size(); ++stage)
            formScan(stage);
        storePacks();
        const QString body =
            filled(rowScanText, {{"functions", QStringLiteral("@functions@")},
                                 {"parts", QStringLiteral("@parts@")},
                                 {"head", QStringLiteral("@head@")},
                                 {"rowLines", m_rowLines},
                                 {"begin", m_rows.hasLead() ? QStringLiteral("-lead") : QStringLiteral("0")},
                                 {"elements", m_body},
                                 {"launcher", QStringLiteral("@launcher@")}});
        QString parts = packText();
        if (m_storesForwards)
            parts += partsOfRowsText();
        if (m_storesBackwards)
            parts += storeBackwardsText;
        return filled(withNarrowNumbers(m_kernel, body),
                      {{"functions", functionTexts(m_text.functions(), TextDialect::Cuda)},
                       {"parts", parts},
                       {"head", head},
                       {"launcher", launcher}});
    }

private:
    [[nodiscard]] QString leafText(int leaf) const {
        if (leaf < 0)
            return indexText(m_kernel.step(-1 - leaf).index, m_counters);
        if (const auto pack = m_packs.find(leaf); pack != m_packs.end())
            return pack->second + placeIn(m_kernel.leaves[static_cast<std::size_t>(leaf)].address);
        const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer), indexText(what.address, m_counters));
    }

    [[nodiscard]] static QString placeIn(const AffineIndex &address) {
        return isBackward(address) ? QStringLiteral(".at[kWidth - 1 - k]") : QStringLiteral(".at[k]");
    }

    /// Where the pack of the thread's elements begins in memory.
    [[nodiscard]] QString beginOfPack(AffineIndex address) const {
        if (isBackward(address))
            address.offset -= m_rows.width - 1;
        return indexText(address, m_loops.allCounters());
    }

    void line(const QString &text, int indent = 2) {
        const QString before(text.startsWith(QLatin1Char('#')) ? 0 : indent * 4, QLatin1Char(' '));
        m_body += wrapped(text, before, before + QString(4, QLatin1Char(' ')));
    }

    [[nodiscard]] bool isComputed(int step) const {
        return std::find(m_pass.computed.begin(), m_pass.computed.end(), step) != m_pass.computed.end();
    }

    [[nodiscard]] bool isRead(int step) const {
        const KernelOp op = m_kernel.step(step).op;
        return op == KernelOp::Load || op == KernelOp::Index || op == KernelOp::Number;
    }

    /// Which scan, the last stage being the stores, first needs a step; and what stages after it take up.
    void findStages() {
        for (const int step : m_pass.computed)
            if (isScan(m_kernel.step(step).op))
                m_scans.push_back(step);
        for (std::size_t stage = 0; stage <= m_scans.size(); ++stage) {
            std::set<int> roots;
            if (stage < m_scans.size())
                roots.insert(m_kernel.step(m_scans[stage]).operands[0]);
            else
                for (const int some : m_pass.stores)
                    roots.insert(m_kernel.stores[static_cast<std::size_t>(some)].step);
            const auto wants = [&](int step) {
                if (isScan(m_kernel.step(step).op) || !isComputed(step))
                    return false;
                if (const auto first = m_stages.find(step);
                    first != m_stages.end() && first->second < stage) {
                    if (!isRead(step))
                        m_taken.insert(step);
                    return false;
                }
                m_stages[step] = stage;
                return true;
            };
            std::set<int> needed;
            for (const int root : roots)
                if (wants(root))
                    needed.insert(root);
            for (auto step = m_pass.computed.rbegin(); step != m_pass.computed.rend(); ++step)
                if (needed.contains(*step))
                    for (const int operand : m_kernel.step(*step).operands)
                        if (wants(operand))
                            needed.insert(operand);
        }
    }

    void loadPacks() {
        for (const int step : m_pass.computed) {
            const KernelStep &load = m_kernel.step(step);
            if (load.op != KernelOp::Load || m_packs.contains(load.leaf))
                continue;
            const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
            if (!liesIn(m_kernel, m_rows, what.address))
                continue;
            const QString buffer = m_names.nameOf(what.buffer);
            const QString name = packName(buffer, m_packs);
            line(QStringLiteral("const auto %1 = %2;")
                     .arg(name, packLoad(cTypeName(what.type, true), buffer, beginOfPack(what.address),
                                         QStringLiteral("c < kColumns"))));
            m_packs[load.leaf] = name;
        }
    }

    void beginElements() {
        line(QStringLiteral("#pragma unroll"));
        line(QStringLiteral("for (int k = 0; k < kWidth; ++k) {"));
    }

    /// The lines of a loop over the thread's elements.
    void endElements(const QString &elements) {
        static const QString beyond = QStringLiteral("c + k < kColumns ? c + k : kColumns - 1");
        for (const QString &text :
             namedIn(elements,
                     {QStringLiteral("const int column = %1;")
                          .arg(m_rows.hasLead() ? QStringLiteral("c + k < 0 ? 0 : ") + beyond : beyond)}))
            line(text, 3);
        m_body += elements;
        line(QStringLiteral("}"));
    }

    QString computed(std::size_t stage) {
        QString lines;
        for (const int step : m_pass.computed) {
            const auto first = m_stages.find(step);
            if (first == m_stages.end() || first->second != stage)
                continue;
            if (m_taken.contains(step)) {
                const QString name = QStringLiteral("kept%1").arg(m_kept[step]);
                lines += wrapped(QStringLiteral("%1[k] = %2;").arg(name, m_text.definition(step)),
                                 QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
                m_text.name(step, name + QStringLiteral("[k]"));
            } else if (usesIn(m_kernel, m_pass, step) > 1 && !isRead(step)) {
                lines += m_text.constant(step, QStringLiteral("h%1").arg(++m_named), 12);
            }
        }
        return lines;
    }

    void declareTaken(std::size_t stage) {
        for (const int step : m_taken)
            if (m_stages[step] == stage) {
                m_kept[step] = static_cast<int>(m_kept.size()) + 1;
                line(QStringLiteral("%1 kept%2[kWidth];")
                         .arg(cTypeName(m_kernel.step(step).type, true))
                         .arg(m_kept[step]));
            }
    }

    void formScan(std::size_t stage) {
        const int step = m_scans[stage];
        const int operand = m_kernel.step(step).operands[0];
        const QString name = QStringLiteral("running") + (stage > 0 ? QString::number(stage + 1) : QString());
        const ScanText scan = scanText(m_kernel, step, m_kernel.columns() > longPieces);
        if (!scan.function.isEmpty())
            m_text.calls(scan.function);
        m_rowLines +=
            QStringLiteral("    __shared__ %1 %2Partials[2][THREADS / 32];\n"
                           "    %1 %2Carry = %3;\n"
                           "    const auto %2With = [](%1 a, %1 b) { return %4; };\n")
                .arg(scan.type, name, scan.start, scan.combined(QStringLiteral("a"), QStringLiteral("b")));
        declareTaken(stage);
        line(QStringLiteral("%1 %2[kWidth];").arg(scan.type, name));
        beginElements();
        QString elements = computed(stage);
        const bool isNamed = m_text.isNamed(operand) || isRead(operand);
        if (m_rows.hasLead() && !isNamed)
            elements += m_text.constant(operand, QStringLiteral("element"), 12);
        elements += wrapped(
            QStringLiteral("%1[k] = %2%3;")
                .arg(name, m_rows.hasLead() ? QStringLiteral("c + k < 0 ? %1 : ").arg(scan.start) : QString(),
                     m_text.text(operand)),
            QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
        if (!isNamed)
            m_text.forget(operand);
        endElements(elements);
        line(QStringLiteral("scanPieces<THREADS>(%1, %1Carry, %1Partials[turn], %1With);").arg(name));
        const QString own = cTypeName(m_kernel.step(step).type, false);
        m_text.name(step, scan.type == own ? name + QStringLiteral("[k]")
                                           : QStringLiteral("%1(%2[k])").arg(own, name));
    }

    void storePacks() {
        QStringList after;
        QStringList targets;
        for (const int some : m_pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
            const QString buffer = m_names.nameOf(store.buffer);
            const QString pack = packName(buffer, m_packs);
            const QString type = cTypeName(store.type, true);
            m_packs[-1 - some] = pack; // no leaf's: the name is taken
            line(QStringLiteral("Pack<%1> %2;").arg(type, pack));
            targets << pack + placeIn(store.address);
            if (isWhole(m_kernel, m_rows)) {
                after << packStore(type, buffer, beginOfPack(store.address), pack);
                continue;
            }
            AffineIndex row = store.address;
            row.steps.back() = 0;
            const QString begin = indexText(row, m_loops.allCounters());
            after << QStringLiteral("%1(%2, c, %3);")
                         .arg(isBackward(store.address) ? QStringLiteral("storePartBackwards")
                                                        : QStringLiteral("storePart"),
                              begin == QLatin1String("0") ? buffer
                                                          : QStringLiteral("%1 + %2").arg(buffer, begin),
                              pack);
            (isBackward(store.address) ? m_storesBackwards : m_storesForwards) = true;
        }
        beginElements();
        QString elements = computed(m_scans.size());
        for (qsizetype i = 0; i < targets.size(); ++i) {
            const KernelStore &store =
                m_kernel.stores[static_cast<std::size_t>(m_pass.stores[static_cast<std::size_t>(i)])];
            elements +=
                wrapped(QStringLiteral("%1 = %2;").arg(targets[i], m_text.stored(store.step, store.type)),
                        QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
        }
        endElements(elements);
        if (isWhole(m_kernel, m_rows))
            line(QStringLiteral("if (c < kColumns) {"));
        for (const QString &text : after)
            line(text, isWhole(m_kernel, m_rows) ? 3 : 2);
        if (isWhole(m_kernel, m_rows))
            line(QStringLiteral("}"));
    }

    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    RaggedRows m_rows;
    KernelSchedule m_schedule;
    const KernelPass &m_pass;
    LoopText m_loops;
    ScalarText m_text;
    QStringList m_counters;              ///< for what lies in no pack
    std::vector<int> m_scans;            ///< in order: a stage each, the last one stores
    std::map<int, std::size_t> m_stages; ///< by step: the first that needs it
    std::set<int> m_taken;               ///< steps that later stages take up
    std::map<int, int> m_kept;           ///< their arrays' numbers
    std::map<int, QString> m_packs;      ///< by leaf
    bool m_storesForwards = false;
    bool m_storesBackwards = false;
    int m_named = 0;
    QString m_rowLines;
    QString m_body;
};

} // namespace

std::optional<RaggedRows> rowScanOf(const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::None || !kernel.hasScans() || !kernel.scatter.isEmpty() ||
        kernel.hasRanks() || familyOf(kernel) != KernelFamily::Rows ||
        kernel.loops.size() != kernel.outer + 1 || kernel.columns() < leastColumns || !isOfElements(kernel))
        return std::nullopt;
    const KernelSchedule schedule = scheduleOf(kernel, Keeping::Nothing);
    if (schedule.passes.size() != 1 || !schedule.rowStores.empty())
        return std::nullopt;
    std::vector<const KernelLeaf *> read;
    int bytes = 1;
    for (const KernelLeaf &leaf : kernel.leaves)
        if (kernel.levelOf(leaf.address) == StepLevel::Element && isAlongRow(kernel, leaf.address)) {
            read.push_back(&leaf);
            bytes = std::max(bytes, bytesOf(leaf.type));
        }
    for (int width = std::clamp(packBytes / bytes, fewest, most); width > 1; width /= 2)
        for (const KernelLeaf *leaf : read) {
            const RaggedRows rows{width, leadOf(kernel, leaf->address, width)};
            if (liesIn(kernel, rows, leaf->address) &&
                std::all_of(kernel.stores.begin(), kernel.stores.end(),
                            [&](const KernelStore &store) { return liesIn(kernel, rows, store.address); }))
                return rows;
        }
    return std::nullopt;
}

QString rowScanCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                        const KernelNames &names, const KernelTuning &tuning) {
    const RaggedRows rows = *rowScanOf(kernel);
    const CudaSharing sharing{CudaMode::BlockOfRow};
    return cudaHead(kernel, names, sharing) + QStringLiteral("namespace {\n\n") +
           cudaConstants(kernel, sharing, rows.width) +
           Writer(kernel, names, rows)
               .run(cudaSignature(graph, plan, names).chopped(1),
                    cudaLauncher(graph, plan, kernel, names, tuning));
}

} // namespace warpwright
