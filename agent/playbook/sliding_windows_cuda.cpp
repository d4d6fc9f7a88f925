// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/sliding_windows_cuda.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/cuda_head.h"
#include "agent/playbook/cuda_launcher.h"
#include "agent/playbook/kernel_schedule.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/scalar_text.h"
#include "agent/playbook/whole_numbers.h"
#include "agent/playbook/wide_windows_cuda.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t leastAcross = 16;       ///< neighbours that read a line of memory together
constexpr std::int64_t leastThreads = 1 << 15; ///< fewer would wait for memory
constexpr std::int64_t mostAtOnce = 8;         ///< with 16 of 7 by 7 an H100 took 216 us, with 8 184
constexpr std::int64_t mostElements = 400;     ///< of a thread, all of them unrolled
constexpr double worthwhile = 0.7;             ///< of the rows that windows one by one would read

const QString slidingText = QStringLiteral(
    R"(constexpr int kDown = @downSize@; // windows below each other
constexpr int kStep = @step@; // rows from one of them to the next
constexpr int kTall = @tall@; // rows of each
constexpr int kAtOnce = @atOnce@; // windows of a thread
constexpr int kSlices = (kAtOnce - 1) * kStep + kTall; // rows that these have
constexpr int kStripsDown = (kDown - 1) / kAtOnce + 1;
constexpr std::int64_t kStrips = std::int64_t(@others@) * kStripsDown; // a thread each

@functions@template <int THREADS>
__global__ void __launch_bounds__(THREADS)
@head@
    const std::int64_t strip = std::int64_t(blockIdx.x) * THREADS + threadIdx.x;
    if (strip >= kStrips)
        return;
@places@    const std::int64_t wanted = unsigned(strip)@overAcross@ % kStripsDown * kAtOnce;
    const std::int64_t first = wanted < kDown - kAtOnce ? wanted : kDown - kAtOnce; // the last ones overlap
@begin@#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
@elements@#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (slice >= k * kStep && slice < k * kStep + kTall) {
@taken@            }
        // A window is done with its last row, while that is near.
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (slice == k * kStep + kTall - 1) {
@results@            }
    }
}

} // namespace

@launcher@)");

std::int64_t stepAlong(const AffineIndex &index, std::size_t loop) {
    return loop < index.steps.size() ? index.steps[loop] : 0;
}

/// The steps that a window's sums are made of.
std::set<int> elementsOf(const FusedKernel &kernel) {
    std::set<int> found;
    for (std::size_t i = kernel.steps.size(); i-- > 0;) {
        const KernelStep &step = kernel.steps[i];
        if (isReduction(step.op) || found.contains(static_cast<int>(i)))
            found.insert(step.operands.begin(), step.operands.end());
    }
    return found;
}

const AffineIndex *indexOf(const FusedKernel &kernel, int number) {
    const KernelStep &step = kernel.step(number);
    return step.op == KernelOp::Index  ? &step.index
           : step.op == KernelOp::Load ? &kernel.leaves[static_cast<std::size_t>(step.leaf)].address
                                       : nullptr;
}

/// Rows from a window to the next; 0: the two loops are no such pair.
std::int64_t distanceOf(const FusedKernel &kernel, const std::set<int> &elements, std::size_t down,
                        std::size_t slice) {
    std::int64_t distance = 0;
    for (const int number : elements) {
        const AffineIndex *index = indexOf(kernel, number);
        if (index == nullptr)
            continue;
        const std::int64_t ofWindow = stepAlong(*index, down);
        const std::int64_t ofRow = stepAlong(*index, slice);
        if (ofWindow == 0 && ofRow == 0)
            continue;
        if (ofRow == 0 || ofWindow % ofRow != 0 || ofWindow / ofRow < 1 ||
            (distance != 0 && ofWindow / ofRow != distance))
            return 0;
        distance = ofWindow / ofRow;
    }
    return distance;
}

/// What differs from window to window of a thread.
std::set<int> stepsOfWindows(const FusedKernel &kernel, std::size_t down) {
    std::set<int> found;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const auto number = static_cast<int>(i);
        const AffineIndex *index = indexOf(kernel, number);
        const std::vector<int> &operands = kernel.steps[i].operands;
        if ((index != nullptr && stepAlong(*index, down) != 0) || isReduction(kernel.steps[i].op) ||
            std::any_of(operands.begin(), operands.end(),
                        [&found](int some) { return found.contains(some); }))
            found.insert(number);
    }
    return found;
}

class Writer {
public:
    Writer(const FusedKernel &kernel, const KernelNames &names)
        : m_kernel(kernel),
          m_names(names),
          m_sliding(*slidingWindowsOf(kernel)),
          m_schedule(scheduleOf(kernel, Keeping::Nothing)),
          m_loops(kernel),
          m_counters(m_loops.allCounters()),
          m_text(kernel, TextDialect::Cuda, [this](int leaf) { return leafText(leaf); }) {}

    QString run(const QString &head, const QString &launcher) {
        const KernelPass &pass = m_schedule.passes.front();
        const auto down = static_cast<qsizetype>(m_sliding.down);
        const QString window = m_counters[down];
        std::int64_t across = 1;
        QString places;
        for (std::size_t k = m_kernel.outer; k-- > 0;) {
            if (k == m_sliding.down) {
                m_overAcross = across == 1 ? QString() : QStringLiteral(" / %1").arg(across);
                continue;
            }
            const bool isBelow = k < m_sliding.down;
            const QString over = isBelow ? QStringLiteral(" / (%1 * kStripsDown)").arg(across)
                                         : (across == 1 ? QString() : QStringLiteral(" / %1").arg(across));
            places.prepend(QStringLiteral("    const std::int64_t %1 = unsigned(strip)%2%3;\n")
                               .arg(m_counters[static_cast<qsizetype>(k)], over,
                                    k == 0 ? QString() : QStringLiteral(" % %1").arg(m_kernel.loops[k])));
            across *= m_kernel.loops[k];
        }
        m_counters[down] = QStringLiteral("first");
        m_counters[static_cast<qsizetype>(m_sliding.slice)] = QStringLiteral("slice");

        const std::set<int> ofWindows = stepsOfWindows(m_kernel, m_sliding.down);
        QString begin;
        for (const int step : m_schedule.named.front())
            if (!ofWindows.contains(step))
                define(begin, 4, step, QStringLiteral("r%1").arg(++m_rowNames));
        QString starts;
        for (const int step : pass.reductions) {
            begin += QStringLiteral("    %1 %2[kAtOnce];\n").arg(sumOf(step).type, m_loops.sumName(step));
            starts += QStringLiteral("        %1[k] = %2;\n").arg(m_loops.sumName(step), sumOf(step).start);
        }
        begin +=
            QStringLiteral("#pragma unroll\n    for (int k = 0; k < kAtOnce; ++k) {\n%1    }\n").arg(starts);
        const QString elements = elementLines(pass);
        QString taken;
        for (const int step : pass.reductions)
            taken += update(step, m_loops.sumName(step) + QStringLiteral("[k]"), partName(step), 16);
        for (const int step : pass.computed)
            m_text.forget(step);

        m_counters[down] = window;
        for (const int step : pass.reductions) {
            const QString own = cTypeName(m_kernel.step(step).type, false);
            const QString name = m_loops.sumName(step) + QStringLiteral("[k]");
            m_text.name(step, sumOf(step).type == own ? name : QStringLiteral("%1(%2)").arg(own, name));
        }
        QString results;
        for (const std::vector<int> &named : m_schedule.named)
            for (const int step : named)
                if (!m_text.isNamed(step))
                    define(results, 16, step, QStringLiteral("r%1").arg(++m_rowNames));
        for (const int place : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            results += wrapped(QStringLiteral("%1[%2] = %3;")
                                   .arg(m_names.nameOf(store.buffer), indexText(store.address, m_counters),
                                        m_text.stored(store.step, store.type)),
                               QString(16, QLatin1Char(' ')), QString(20, QLatin1Char(' ')));
        }
        results.prepend(QStringLiteral("                const std::int64_t %1 = first + k;\n").arg(window));
        const QString body =
            filled(slidingText, {{"downSize", QString::number(m_kernel.loops[m_sliding.down])},
                                 {"step", QString::number(m_sliding.step)},
                                 {"tall", QString::number(m_kernel.loops[m_sliding.slice])},
                                 {"atOnce", QString::number(m_sliding.atOnce)},
                                 {"others", QString::number(across)},
                                 {"overAcross", m_overAcross},
                                 {"places", places},
                                 {"begin", begin},
                                 {"elements", elements},
                                 {"taken", taken},
                                 {"results", results},
                                 {"functions", QStringLiteral("@functions@")},
                                 {"head", QStringLiteral("@head@")},
                                 {"launcher", QStringLiteral("@launcher@")}});
        return filled(withNarrowNumbers(m_kernel, body),
                      {{"functions", functionTexts(m_text.functions(), TextDialect::Cuda)},
                       {"head", head},
                       {"launcher", launcher}});
    }

private:
    [[nodiscard]] QString leafText(int leaf) const {
        if (leaf < 0)
            return indexText(m_kernel.step(-1 - leaf).index, m_counters);
        const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer), indexText(what.address, m_counters));
    }

    [[nodiscard]] SumText sumOf(int step) const { return sumText(m_kernel, step, false); }

    /// What a row comes to, or its one element.
    [[nodiscard]] QString partName(int step) const {
        const QString sum = m_loops.sumName(step);
        return sum + QStringLiteral("OfRow");
    }

    void define(QString &lines, int indent, int step, const QString &name) {
        const QString before(indent, QLatin1Char(' '));
        lines += wrapped(QStringLiteral("const %1 %2 = %3;")
                             .arg(cTypeName(m_kernel.step(step).type, true), name, m_text.definition(step)),
                         before, before + QString(4, QLatin1Char(' ')));
        m_text.name(step, name);
    }

    QString update(int step, const QString &name, const QString &element, int indent) {
        const SumText sum = sumOf(step);
        const QString before(indent, QLatin1Char(' '));
        QString text = sum.isExtreme() ? QStringLiteral("%1 = %2;").arg(name, sum.extreme(element, name))
                                       : sum.update(name, element);
        if (sum.isExtreme() && sum.type == QLatin1String("float")) {
            const QString function = sum.sign == QLatin1String("max") ? QStringLiteral("largerOfTwo")
                                                                      : QStringLiteral("smallerOfTwo");
            m_text.calls(function);
            text = QStringLiteral("%1 = %2(%1, %3);").arg(name, function, element);
        }
        return wrapped(text, before, before + QString(4, QLatin1Char(' ')));
    }

    /// What a row of all windows comes to, by its other inner loops.
    QString elementLines(const KernelPass &pass) {
        std::vector<std::size_t> along;
        for (const std::size_t loop : m_loops.innerLoops())
            if (loop != m_sliding.slice)
                along.push_back(loop);
        const int indent = 8 + 4 * static_cast<int>(along.size());
        QString lines;
        int count = 0;
        for (const int step : pass.computed)
            if (usesIn(m_kernel, pass, step) > 1)
                define(lines, indent, step, QStringLiteral("h%1").arg(++count));
        QString starts;
        for (const int step : pass.reductions) {
            const QString element = m_text.text(m_kernel.step(step).operands[0]);
            if (along.empty()) {
                lines += wrapped(
                    QStringLiteral("const %1 %2 = %3;").arg(sumOf(step).type, partName(step), element),
                    QString(8, QLatin1Char(' ')), QString(12, QLatin1Char(' ')));
                continue;
            }
            starts += QStringLiteral("        %1 %2 = %3;\n")
                          .arg(sumOf(step).type, partName(step), sumOf(step).start);
            lines += update(step, partName(step), element, indent);
        }
        for (std::size_t depth = along.size(); depth-- > 0;) {
            const QString before(8 + 4 * static_cast<int>(depth), QLatin1Char(' '));
            lines = QStringLiteral("#pragma unroll\n%1for (int %2 = 0; %2 < %3; ++%2) {\n%4%1}\n")
                        .arg(before, m_counters[static_cast<qsizetype>(along[depth])])
                        .arg(m_kernel.loops[along[depth]])
                        .arg(lines);
        }
        return starts + lines;
    }

    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    SlidingWindows m_sliding;
    KernelSchedule m_schedule;
    LoopText m_loops;
    QStringList m_counters;
    ScalarText m_text;
    QString m_overAcross;
    int m_rowNames = 0;
};

} // namespace

std::int64_t SlidingWindows::slices(const FusedKernel &kernel) const {
    return (atOnce - 1) * step + kernel.loops[slice];
}

std::optional<SlidingWindows> slidingWindowsOf(const FusedKernel &kernel) {
    constexpr std::int64_t most32 = std::int64_t(1) << 31;
    if (kernel.anchor != Anchor::None || !kernel.hasReductions() || kernel.hasScans() || kernel.hasRanks() ||
        kernel.isOfPlaces || !kernel.scatter.isEmpty() || kernel.outer < 2 || kernel.passCount() != 1 ||
        kernel.rows() >= most32 || kernel.loops[kernel.outer - 1] < leastAcross ||
        familyOf(kernel) != KernelFamily::Windows ||
        std::any_of(kernel.stores.begin(), kernel.stores.end(), [&kernel](const KernelStore &store) {
            return kernel.levelOf(store.address) >= StepLevel::Column ||
                   kernel.step(store.step).level >= StepLevel::Column;
        }))
        return std::nullopt;
    const std::set<int> elements = elementsOf(kernel);
    std::optional<SlidingWindows> best;
    double leastRows = worthwhile;
    for (std::size_t down = 0; down + 1 < kernel.outer; ++down)
        for (std::size_t slice = kernel.outer; slice < kernel.loops.size(); ++slice) {
            const std::int64_t tall = kernel.loops[slice];
            SlidingWindows some{down, slice, distanceOf(kernel, elements, down, slice)};
            if (some.step == 0 || some.step >= tall)
                continue;
            for (some.atOnce = std::min<std::int64_t>(kernel.loops[down], mostAtOnce);
                 some.atOnce > 1 && (kernel.rows() / some.atOnce < leastThreads ||
                                     some.slices(kernel) * kernel.columns() / tall > mostElements);)
                some.atOnce /= 2;
            const double rows =
                static_cast<double>(some.slices(kernel)) / static_cast<double>(some.atOnce * tall);
            if (rows <= leastRows) {
                leastRows = rows;
                best = some;
            }
        }
    return best;
}

bool slidesDown(const FusedKernel &kernel, const KernelTuning &tuning) {
    return (!tuning.hasWideLoads || rowsOfThread(kernel) == 1 || readsRowsSingly(kernel)) &&
           slidingWindowsOf(kernel).has_value();
}

QString slidingWindowsCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                               const KernelNames &names, const KernelTuning &tuning) {
    return cudaHead(kernel, names, {CudaMode::SlidingWindows}) + QStringLiteral("namespace {\n\n") +
           Writer(kernel, names)
               .run(cudaSignature(graph, plan, names).chopped(1),
                    cudaLauncher(graph, plan, kernel, names, tuning));
}

} // namespace warpwright
