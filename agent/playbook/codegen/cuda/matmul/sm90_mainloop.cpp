// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/sm90_mainloop.h"

#include "agent/playbook/codegen/cuda/matmul/templates/sm90_matmul.h"
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

std::vector<MatmulPhase> loopsOf(const Kernel &kernel) {
    if (hasTerms(kernel))
        return phasesOf(kernel);
    MatmulPhase only;
    only.inner = kernel.loops.back();
    for (std::size_t i = 0; i < sumsOf(kernel).size(); ++i) {
        only.seconds.push_back(static_cast<int>(i) + 1);
        only.before.push_back(1);
    }
    return {only};
}

/// "kInner", or "kInner2" where there are several.
QString numbered(const char *name, std::size_t phase, std::size_t count) {
    return QLatin1String(name) + (count > 1 ? QString::number(phase + 1) : QString());
}

class MainloopWriter {
public:
    MainloopWriter(const Kernel &kernel, int width)
        : m_kernel(kernel),
          m_width(width),
          m_phases(loopsOf(kernel)),
          m_isMnMajor{isMnMajor(kernel, kernel.inputs[0], kernel.loops.size() - 3),
                      isMnMajor(kernel, secondOf(m_phases[0]), kernel.loops.size() - 2)} {}

    Sm90Mainloop run(const std::function<QString(int, std::size_t)> &copyOf) const {
        Sm90Mainloop loops;
        const std::size_t count = m_phases.size();
        for (std::size_t p = 0; p < count; ++p) {
            const QString words = count == 1 ? QStringLiteral("K: what is summed over")
                                  : p == 0   ? QStringLiteral("K of the first matmul")
                                             : QStringLiteral("and of the next one");
            loops.inner += QStringLiteral("constexpr int %1 = %2; // %3\n")
                               .arg(numbered("kInner", p, count))
                               .arg(m_phases[p].inner)
                               .arg(words);
            loops.steps += QStringLiteral("constexpr int %1 = (%2 + kTileK - 1) / kTileK;\n")
                               .arg(numbered("kTilesK", p, count), numbered("kInner", p, count));
            loops.copies += fillTemplate(sm90MatmulProducerLoop, {{"steps", numbered("kTilesK", p, count)},
                                                                  {"bytes", bytesOfStage(m_phases[p])},
                                                                  {"copies", copiesOf(m_phases[p], copyOf)}});
        }
        bool isWhole = false;
        bool isHalf = false;
        for (std::size_t p = 0; p < count; ++p)
            (areAlike(p) ? isWhole : isHalf) = true;
        const auto instruction = [this](const QString &text, int width) {
            return fillTemplate(text, {{"multiply", wgmmaText({width, m_kernel.inputs[0].type, false,
                                                               m_isMnMajor[1], false, m_isMnMajor[0]})}});
        };
        loops.instructions = (isWhole ? instruction(sm90MatmulWgmma, m_width) : QString()) +
                             (isHalf ? instruction(sm90MatmulWgmmaHalf, m_width / 2) : QString());
        if (count > 1 && isOneLoop()) {
            QStringList steps;
            for (std::size_t p = 0; p < count; ++p)
                steps << numbered("kTilesK", p, count);
            loops.steps +=
                QStringLiteral("constexpr int kTilesK = %1;\n").arg(steps.join(QLatin1String(" + ")));
            loops.consumer = loopOf(0, QStringLiteral("kTilesK"));
        } else {
            for (std::size_t p = 0; p < count; ++p)
                loops.consumer += loopOf(p, numbered("kTilesK", p, count));
        }
        if (count > 1)
            loops.last = factors(lastFactors(m_kernel));
        return loops;
    }

private:
    [[nodiscard]] const KernelInput &secondOf(const MatmulPhase &phase) const {
        const auto input =
            std::find_if(phase.seconds.begin(), phase.seconds.end(), [](int second) { return second >= 0; });
        return m_kernel.inputs[static_cast<std::size_t>(*input)];
    }
    /// Whether the phase contributes to every sum.
    static bool isOfAll(const MatmulPhase &phase) {
        return std::all_of(phase.seconds.begin(), phase.seconds.end(), [](int input) { return input >= 0; });
    }
    /// Whether one consumer loop serves all phases.
    [[nodiscard]] bool isOneLoop() const {
        return std::all_of(m_phases.begin(), m_phases.end(), [](const MatmulPhase &phase) {
            return isOfAll(phase) && std::all_of(phase.before.begin(), phase.before.end(),
                                                 [](double factor) { return factor == 1; });
        });
    }
    [[nodiscard]] static QString bytesOfStage(const MatmulPhase &phase) {
        return isOfAll(phase) ? QStringLiteral("kStageBytes") : QStringLiteral("(kTileM + kHalfTileN) * 128");
    }
    static QString copiesOf(const MatmulPhase &phase,
                            const std::function<QString(int, std::size_t)> &copyOf) {
        QString lines = copyOf(static_cast<int>(phase.first), 0);
        for (std::size_t sum = 0; sum < phase.seconds.size(); ++sum)
            if (phase.seconds[sum] >= 0)
                lines += copyOf(phase.seconds[sum], sum);
        return lines;
    }
    /// Whether an earlier phase contributes to the sum.
    [[nodiscard]] bool isBegun(std::size_t sum, std::size_t phase) const {
        return std::any_of(m_phases.begin(), m_phases.begin() + static_cast<std::ptrdiff_t>(phase),
                           [sum](const MatmulPhase &one) { return one.seconds[sum] >= 0; });
    }
    /// Whether one instruction serves all sums.
    [[nodiscard]] bool areAlike(std::size_t phase) const {
        const MatmulPhase &what = m_phases[phase];
        bool are = isOfAll(what);
        for (std::size_t sum = 1; sum < what.seconds.size(); ++sum)
            are = are && isBegun(sum, phase) == isBegun(0, phase);
        return are;
    }
    [[nodiscard]] QString goesOn(std::size_t sum, std::size_t phase) const {
        return isBegun(sum, phase) ? QStringLiteral("1") : QStringLiteral("kTile | kStep");
    }
    [[nodiscard]] QString callsOf(std::size_t phase) const {
        const MatmulPhase &what = m_phases[phase];
        const QString step[] = {m_isMnMajor[0] ? QStringLiteral("128") : QStringLiteral("2"),
                                m_isMnMajor[1] ? QStringLiteral("128") : QStringLiteral("2")};
        const QString words = m_isMnMajor[0] || m_isMnMajor[1] ? QStringLiteral("16 elements along K")
                                                               : QStringLiteral("32 bytes of each row");
        const QString open =
            QStringLiteral("            for (int kStep = 0; kStep < 4; ++kStep)%1 // %2 at once\n");
        const QString space(16, QLatin1Char(' '));
        if (areAlike(phase))
            return open.arg(QString(), words) +
                   QStringLiteral("%1wgmma(sums, descA + %2 * kStep, descB + %3 * kStep, %4);\n")
                       .arg(space, step[0], step[1], goesOn(0, phase));
        QString calls;
        for (std::size_t sum = 0; sum < what.seconds.size(); ++sum)
            if (what.seconds[sum] >= 0)
                calls += wrappedCall(space + QLatin1String("wgmmaHalf("),
                                     QStringLiteral("sums%1, descA + %2 * kStep, descB + %3%4 * kStep, %5")
                                         .arg(sum == 0 ? QString() : QStringLiteral(" + kTileN / 4"), step[0],
                                              sum == 0 ? QString() : QStringLiteral("kHalfTileN * 8 + "),
                                              step[1], goesOn(sum, phase)),
                                     QStringLiteral(");"));
        return open.arg(QStringLiteral(" {"), words) + calls + QStringLiteral("            }\n");
    }
    [[nodiscard]] QString loopOf(std::size_t phase, const QString &steps) const {
        const bool isScaled = std::any_of(m_phases[phase].before.begin(), m_phases[phase].before.end(),
                                          [](double factor) { return factor != 1; });
        const QString before =
            isScaled ? QStringLiteral("        wgmmaWaitGroup<0>(); // the sums so far are scaled\n"
                                      "#pragma unroll\n"
                                      "        for (int i = 0; i < kTileN / 2; ++i)\n"
                                      "            asm volatile(\"\" : \"+f\"(sums[i]));\n") +
                           factors(m_phases[phase].before)
                     : QString();
        return fillTemplate(sm90MatmulConsumerLoop,
                            {{"before", before},
                             {"steps", steps},
                             {"descriptorB", m_isMnMajor[1] ? QStringLiteral("mnMajorDescriptor")
                                                            : QStringLiteral("smemDescriptor")},
                             {"calls", callsOf(phase)},
                             {"isFree", phase == 0 ? QStringLiteral("lane == 0 && kTile > 0")
                                                   : QStringLiteral("lane == 0")}});
    }
    [[nodiscard]] QString factors(const std::vector<double> &ofSums) const {
        const QString half = QStringLiteral("kTileN / 4");
        const QString end = QStringLiteral("kTileN / 2");
        const bool areAlike =
            std::adjacent_find(ofSums.begin(), ofSums.end(), std::not_equal_to<>()) == ofSums.end();
        QString text;
        for (std::size_t sum = 0; sum < (areAlike ? 1 : ofSums.size()); ++sum)
            if (ofSums[sum] != 1)
                text += fillTemplate(sm90MatmulScaling, {{"from", sum == 0 ? QStringLiteral("0") : half},
                                                         {"to", areAlike || sum > 0 ? end : half},
                                                         {"factor", factorText(ofSums[sum])}});
        return text;
    }
    static QString factorText(double value) {
        QString text = QString::number(value, 'g', 9);
        if (!text.contains(QLatin1Char('.')) && !text.contains(QLatin1Char('e')))
            text += QLatin1String(".0");
        return text + QLatin1Char('f');
    }

    const Kernel &m_kernel;
    int m_width;
    std::vector<MatmulPhase> m_phases;
    bool m_isMnMajor[2]; ///< of A operands, and of B operands
};

} // namespace

MainloopOperands mainloopOperands(const Kernel &kernel) {
    const std::vector<MatmulPhase> phases = loopsOf(kernel);
    MainloopOperands matrices;
    for (std::size_t p = 0; p < phases.size(); ++p) {
        const QString inner = numbered("kInner", p, phases.size());
        matrices.firsts.insert(static_cast<int>(phases[p].first));
        matrices.innerOf[static_cast<int>(phases[p].first)] = inner;
        for (const int second : phases[p].seconds)
            if (second >= 0)
                matrices.innerOf[second] = inner;
    }
    return matrices;
}

Sm90Mainloop sm90Mainloop(const Kernel &kernel, int width,
                          const std::function<QString(int input, std::size_t sum)> &copyOf) {
    return MainloopWriter(kernel, width).run(copyOf);
}

} // namespace warpwright
