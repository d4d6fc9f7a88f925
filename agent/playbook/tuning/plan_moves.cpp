// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/plan_moves.h"

#include "agent/playbook/lowering/plan_of_graph.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/own_convolution.h"
#include "agent/playbook/schedule/sampled_images.h"
#include "agent/playbook/schedule/staged_gathers.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

// What was chosen for kernels of the one plan, for those of the other: there are no pairs of them.
std::vector<KernelTuning> carriedOver(const KernelPlan &from, const std::vector<KernelTuning> &tunings,
                                      const KernelPlan &to) {
    const auto any = [&](bool isLibrary, bool KernelTuning::*choice) {
        for (std::size_t i = 0; i < tunings.size(); ++i)
            if ((from.kernels[i].anchor != Anchor::None) == isLibrary && tunings[i].*choice)
                return true;
        return false;
    };
    std::vector<KernelTuning> carried = plainTunings(to);
    for (std::size_t i = 0; i < carried.size(); ++i) {
        const bool isLibrary = to.kernels[i].anchor != Anchor::None;
        for (const auto choice :
             {&KernelTuning::hasWideLoads, &KernelTuning::isOnePass, &KernelTuning::isClustered,
              &KernelTuning::stagesRows, &KernelTuning::usesTf32, &KernelTuning::usesWarpGroups})
            carried[i].*choice = any(isLibrary, choice);
        // Whether the device has room for a large segment, its own move asks.
        const auto staged = stagedGatherOf(to.kernels[i]);
        carried[i].stagesRows = carried[i].stagesRows && !(staged && staged->isLarge());
    }
    return carried;
}

// Convolutions that the matrix units compute, and for which they get their operands in another order.
int reorderedCalls(const KernelPlan &plan, const std::vector<KernelTuning> &tunings) {
    int count = 0;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        count += isReorderedByLibrary(plan.kernels[i], tunings[i]) ? 1 : 0;
    return count;
}

int countOf(const KernelPlan &plan, Anchor anchor) {
    return static_cast<int>(
        std::count_if(plan.kernels.begin(), plan.kernels.end(),
                      [anchor](const FusedKernel &kernel) { return kernel.anchor == anchor; }));
}

bool hasOwnConvolution(const KernelPlan &plan) {
    return std::any_of(plan.kernels.begin(), plan.kernels.end(), isOwnConvolution);
}

double scatteredOf(const KernelPlan &plan) {
    double bytes = 0;
    for (const FusedKernel &kernel : plan.kernels)
        bytes += scatteredBytes(kernel);
    return bytes;
}

class PlanMoves {
public:
    PlanMoves(const ReferenceGraph &graph, const KernelPlan &plan, const std::vector<KernelTuning> &tunings,
              const PlaybookDevice &device)
        : m_graph(graph), m_plan(plan), m_tunings(tunings), m_device(device) {}

    [[nodiscard]] std::optional<PlaybookMove> channelsLast() const {
        const int before = reorderedCalls(m_plan, m_tunings);
        if (m_plan.choices.isChannelsLast || before == 0)
            return std::nullopt;
        PlanChoices choices = m_plan.choices;
        choices.isChannelsLast = true;
        std::optional<PlaybookMove> move =
            moveTo(choices, QStringLiteral("if a library's passes take twice as long as they must"));
        const int after = move ? reorderedCalls(*move->plan, move->tunings) : before;
        if (after == before)
            return std::nullopt;
        move->move = QStringLiteral("channels-last");
        move->title = QStringLiteral("Let images lie with channels last between kernels");
        move->reason =
            QStringLiteral(
                "The matrix units sum over channels first, and want them side by side. Of images by rows "
                "cuDNN "
                "makes that order itself, and undoes it afterwards, for each call: here %1 of %2. Kernels of "
                "ours that are there anyway can write in this order; what is left is one pass for what comes "
                "from outside, and filters are small. Results of forward keep torch's order.")
                .arg(before - after)
                .arg(countOf(m_plan, Anchor::Convolution));
        return move;
    }

    [[nodiscard]] std::optional<PlaybookMove> attention() const {
        if (m_plan.choices.hasAttention || countOf(m_plan, Anchor::Product) < 2)
            return std::nullopt;
        PlanChoices choices = m_plan.choices;
        choices.hasAttention = true;
        std::optional<PlaybookMove> move =
            moveTo(choices, QStringLiteral("by bytes, and by what the matrix units do beside a softmax"));
        const int count = move ? countOf(*move->plan, Anchor::Attention) : 0;
        if (count == 0)
            return std::nullopt;
        const double saved = m_plan.bytes() - move->plan->bytes();
        move->move = QStringLiteral("attention");
        move->title = QStringLiteral("Keep the scores of attention on chip");
        move->reason =
            QStringLiteral(
                "Two products with a softmax between them: as kernels of their own they write all scores to "
                "memory and read them again, several times. A softmax can be computed while keys come by, so "
                "one kernel holds a tile of scores in registers, multiplies it with the values at once, and "
                "forgets it. Saves %1 MB of memory's work.")
                .arg(saved / 1e6, 0, 'f', saved < 1e7 ? 2 : 0);
        return move;
    }

    [[nodiscard]] std::optional<PlaybookMove> ownProducts() const {
        const int convolutions = countOf(m_plan, Anchor::Convolution);
        if (m_plan.choices.hasOwnProducts || !m_device.hasWarpGroups ||
            countOf(m_plan, Anchor::Product) + convolutions == 0)
            return std::nullopt;
        PlanChoices choices = m_plan.choices;
        choices.hasOwnProducts = true;
        const QString by = QStringLiteral("by bytes, a fifth of which nothing is done beside");
        std::optional<PlaybookMove> move = moveTo(choices, by);
        // Convolutions of ours want channels last, which may be worth it for their sake alone.
        if (convolutions > 0 && !choices.isChannelsLast) {
            choices.isChannelsLast = true;
            std::optional<PlaybookMove> other = moveTo(choices, by);
            if (other && hasOwnConvolution(*other->plan) &&
                (!move || other->prediction.timeRatio < move->prediction.timeRatio))
                move = std::move(other);
        }
        int count = 0;
        for (std::size_t i = 0; move && i < move->plan->kernels.size(); ++i) {
            const FusedKernel &kernel = move->plan->kernels[i];
            if (!isOwnProduct(kernel) && !isOwnConvolution(kernel))
                continue;
            // The units round floats: that is a choice of its own.
            if (kernel.leaves[0].type == ElementType::Float32 && !move->tunings[i].usesTf32)
                return std::nullopt;
            ++count;
        }
        if (count == 0)
            return std::nullopt;
        const double saved = m_plan.bytes() - move->plan->bytes();
        move->move = QStringLiteral("own-products");
        move->title =
            hasOwnConvolution(*move->plan)
                ? QStringLiteral("Finish products and convolutions while their sums are in registers")
                : QStringLiteral("Finish products while their sums are in registers");
        move->reason =
            QStringLiteral(
                "A library multiplies well, but what is made of the result here it does not know: a kernel "
                "after "
                "it reads all of the result from memory and writes it again. A kernel of ours that feeds the "
                "matrix units by the copy engine multiplies about as fast, and does the rest on the way. "
                "%1 of them here%2.%3")
                .arg(count)
                .arg(
                    saved <= 0 ? QString()
                               : QStringLiteral("; saves %1 MB of memory's work")
                                     .arg(saved / 1e6, 0, 'f', saved < 1e7 ? 2 : 0),
                    hasOwnConvolution(*move->plan)
                        ? QStringLiteral(" Convolutions have channels last: the copy engine finds the pixels "
                                         "under each tap itself, and the result goes into whatever order is "
                                         "wanted.")
                        : QString());
        return move;
    }

    [[nodiscard]] std::optional<PlaybookMove> sampledImages() const {
        if (m_plan.choices.copiesSampled || scatteredOf(m_plan) == 0)
            return std::nullopt;
        PlanChoices choices = m_plan.choices;
        choices.copiesSampled = true;
        std::optional<PlaybookMove> move = moveTo(
            choices, QStringLiteral("if neighbours read at places of their own, and caches have most of "
                                    "what they read in vain"));
        const double spared = move ? scatteredOf(m_plan) - scatteredOf(*move->plan) : 0;
        if (spared <= 0)
            return std::nullopt;
        move->move = QStringLiteral("sampled-images");
        move->title = QStringLiteral("Copy images that are sampled, with channels last");
        move->reason =
            QStringLiteral(
                "At a place that another tensor holds, all channels of an image are read, and by rows each "
                "lies "
                "in a "
                "sector of memory of its own: 32 bytes for the 4 that are asked for. In a copy with channels "
                "last they share sectors, one load brings several, and each thread works out a place once "
                "for "
                "them. Spares %1 MB of sectors, for one pass over the images.")
                .arg(spared / 1e6, 0, 'f', spared < 1e7 ? 2 : 0);
        return move;
    }

private:
    // Nothing where there is none, or where it promises nothing.
    [[nodiscard]] std::optional<PlaybookMove> moveTo(const PlanChoices &choices, const QString &by) const {
        PlaybookMove move;
        move.plan = planOf(m_graph, choices);
        if (!move.plan->cannot.isEmpty())
            return std::nullopt;
        move.tunings = carriedOver(m_plan, m_tunings, *move.plan);
        const double seconds = predictedSeconds(m_plan, m_tunings, m_device);
        const double then = predictedSeconds(*move.plan, move.tunings, m_device);
        if (then >= seconds)
            return std::nullopt;
        move.prediction.timeRatio = then / seconds;
        move.prediction.words = QStringLiteral("%1 ms instead of %2 ms, %3")
                                    .arg(then * 1e3, 0, 'g', 3)
                                    .arg(seconds * 1e3, 0, 'g', 3)
                                    .arg(by);
        return move;
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const std::vector<KernelTuning> &m_tunings;
    const PlaybookDevice &m_device;
};

} // namespace

std::vector<PlaybookMove> planMovesFrom(const ReferenceGraph &graph, const KernelPlan &plan,
                                        const std::vector<KernelTuning> &tunings,
                                        const PlaybookDevice &device) {
    std::vector<PlaybookMove> moves;
    if (!device.isCuda)
        return moves;
    const PlanMoves all(graph, plan, tunings, device);
    for (std::optional<PlaybookMove> move :
         {all.channelsLast(), all.attention(), all.ownProducts(), all.sampledImages()})
        if (move)
            moves.push_back(std::move(*move));
    return moves;
}

std::vector<PlaybookMove> allMovesFrom(const ReferenceGraph &graph, const KernelPlan &plan,
                                       const std::vector<KernelTuning> &tunings,
                                       const PlaybookDevice &device) {
    std::vector<PlaybookMove> moves = movesFrom(plan, tunings, device);
    for (PlaybookMove &move : planMovesFrom(graph, plan, tunings, device))
        moves.push_back(std::move(move));
    std::stable_sort(moves.begin(), moves.end(), [](const PlaybookMove &a, const PlaybookMove &b) {
        return a.prediction.timeRatio < b.prediction.timeRatio;
    });
    return moves;
}

QString kernelClassOf(const KernelPlan &plan, const std::vector<KernelTuning> &tunings,
                      const PlaybookMove &move) {
    if (!move.plan)
        return kernelClass(plan, tunings, move.tunings);
    // Attention and products of ours are kernels of the other plan, what samples images by rows is one of
    // this, and a convolution that is asked in another order one of both.
    const bool isAttention = move.plan->choices.hasAttention && !plan.choices.hasAttention;
    const bool isProducts = move.plan->choices.hasOwnProducts && !plan.choices.hasOwnProducts;
    const bool isSampled = move.plan->choices.copiesSampled && !plan.choices.copiesSampled;
    const bool isOfOther = isAttention || isProducts;
    const KernelPlan &where = isOfOther ? *move.plan : plan;
    const std::vector<KernelTuning> &usual = isOfOther ? move.tunings : tunings;
    std::vector<KernelTuning> changed = usual;
    for (std::size_t i = 0; i < changed.size(); ++i)
        if (isAttention  ? where.kernels[i].anchor == Anchor::Attention
            : isProducts ? isOwnProduct(where.kernels[i]) || isOwnConvolution(where.kernels[i])
            : isSampled  ? scatteredBytes(where.kernels[i]) > 0
                         : isReorderedByLibrary(where.kernels[i], usual[i]))
            changed[i].config = -1;
    return kernelClass(where, usual, changed);
}

} // namespace warpwright
