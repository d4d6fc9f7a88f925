// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/program_moves.h"
#include "agent/playbook/schedule/kernel_seconds.h"

#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/sampled_tensors.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/sm90_convolution.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace warpwright {
namespace {

// Knobs of one program's kernels for those of another: kernels do not correspond, so any of a kind decides.
std::vector<Knobs> carriedOver(const Program &from, const std::vector<Knobs> &knobSets, const Program &to) {
    const auto any = [&](bool isLibrary, bool Knobs::*choice) {
        for (std::size_t i = 0; i < knobSets.size(); ++i)
            if (from.kernels[i].isLoops() != isLibrary && knobSets[i].*choice)
                return true;
        return false;
    };
    std::vector<Knobs> carried = plainKnobs(to);
    for (std::size_t i = 0; i < carried.size(); ++i) {
        const bool isLibrary = !to.kernels[i].isLoops();
        for (const auto choice : {&Knobs::hasWideLoads, &Knobs::isPersistent, &Knobs::isClustered,
                                  &Knobs::gathersThroughShared, &Knobs::usesTf32, &Knobs::usesWarpGroups})
            carried[i].*choice = any(isLibrary, choice);
        // Whether the device has room for a large segment is decided by its own move.
        const auto gather = sharedMemoryGatherOf(to.kernels[i]);
        carried[i].gathersThroughShared = carried[i].gathersThroughShared && !(gather && gather->isLarge());
    }
    return carried;
}

// Convolutions on tensor cores, whose operands the library converts to NHWC.
int reorderedCalls(const Program &program, const std::vector<Knobs> &knobSets) {
    int count = 0;
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        count += isReorderedByLibrary(program.kernels[i], knobSets[i]) ? 1 : 0;
    return count;
}

int countOf(const Program &program, bool (Kernel::*isCounted)() const) {
    return static_cast<int>(
        std::count_if(program.kernels.begin(), program.kernels.end(), std::mem_fn(isCounted)));
}

bool hasSm90Convolution(const Program &program) {
    return std::any_of(program.kernels.begin(), program.kernels.end(), isSm90Convolution);
}

double scatteredOf(const Program &program) {
    double bytes = 0;
    for (const Kernel &kernel : program.kernels)
        bytes += scatteredBytes(kernel);
    return bytes;
}

class ProgramMoves {
public:
    ProgramMoves(const ReferenceGraph &graph, const Program &program, const std::vector<Knobs> &knobSets,
                 const Target &target)
        : m_graph(graph), m_program(program), m_knobSets(knobSets), m_target(target) {}

    [[nodiscard]] std::optional<PlaybookMove> channelsLast() const {
        const int before = reorderedCalls(m_program, m_knobSets);
        if (m_program.choices.isChannelsLast || before == 0)
            return std::nullopt;
        ProgramChoices choices = m_program.choices;
        choices.isChannelsLast = true;
        std::optional<PlaybookMove> move = moveTo(
            choices, QStringLiteral("if a library's layout conversions take twice as long as they must"));
        const int after = move ? reorderedCalls(*move->program, move->knobSets) : before;
        if (after == before)
            return std::nullopt;
        move->move = QStringLiteral("channels-last");
        move->title = QStringLiteral("Keep images in NHWC (channels last) between kernels");
        move->reason =
            QStringLiteral(
                "The tensor cores sum over channels first, and need them contiguous. For NCHW tensors cuDNN "
                "converts the layout itself, and back afterwards, in each call: here %1 of %2. Kernels of "
                "ours that are there anyway can write NHWC; what is left is one pass over inputs from "
                "outside, and filters are small. Results of forward keep torch's layout.")
                .arg(before - after)
                .arg(countOf(m_program, &Kernel::isConvolution));
        return move;
    }

    [[nodiscard]] std::optional<PlaybookMove> attention() const {
        if (m_program.choices.hasAttention || !hasWarpMma(deviceOf(m_program)) ||
            countOf(m_program, &Kernel::isMatmul) < 2)
            return std::nullopt;
        ProgramChoices choices = m_program.choices;
        choices.hasAttention = true;
        std::optional<PlaybookMove> move =
            moveTo(choices, QStringLiteral("by bytes, and by the tensor cores' rate with a softmax"));
        const int count = move ? countOf(*move->program, &Kernel::isAttention) : 0;
        if (count == 0)
            return std::nullopt;
        const double saved = m_program.bytes() - move->program->bytes();
        move->move = QStringLiteral("attention");
        move->title = QStringLiteral("Keep the scores of attention on chip");
        move->reason =
            QStringLiteral(
                "Two matmuls with a softmax between them: as separate kernels they write all scores to "
                "memory and read them again, several times. An online softmax is computed while keys are "
                "loaded, so one kernel holds a tile of scores in registers, multiplies it with the values "
                "at once, and drops it. Saves %1 MB of memory traffic.")
                .arg(saved / 1e6, 0, 'f', saved < 1e7 ? 2 : 0);
        return move;
    }

    [[nodiscard]] std::optional<PlaybookMove> customMatmuls() const {
        const int convolutions = countOf(m_program, &Kernel::isConvolution);
        if (m_program.choices.hasSm90Matmuls || !hasWarpGroups(deviceOf(m_program)) ||
            countOf(m_program, &Kernel::isMatmul) + convolutions == 0)
            return std::nullopt;
        ProgramChoices choices = m_program.choices;
        choices.hasSm90Matmuls = true;
        const QString by = QStringLiteral("by bytes, a fifth of which nothing overlaps");
        std::optional<PlaybookMove> move = moveTo(choices, by);
        // Convolutions of ours need NHWC, which may be worth it for their sake alone.
        if (convolutions > 0 && !choices.isChannelsLast) {
            choices.isChannelsLast = true;
            std::optional<PlaybookMove> other = moveTo(choices, by);
            if (other && hasSm90Convolution(*other->program) &&
                (!move || other->prediction.timeRatio < move->prediction.timeRatio))
                move = std::move(other);
        }
        int count = 0;
        for (std::size_t i = 0; move && i < move->program->kernels.size(); ++i) {
            const Kernel &kernel = move->program->kernels[i];
            if (!isSm90Matmul(kernel) && !isSm90Convolution(kernel))
                continue;
            // Tensor cores round floats: that is a choice of its own.
            if (kernel.inputs[0].type == ElementType::Float32 && !move->knobSets[i].usesTf32)
                return std::nullopt;
            ++count;
        }
        if (count == 0)
            return std::nullopt;
        const double saved = m_program.bytes() - move->program->bytes();
        move->move = QStringLiteral("own-products");
        move->title = hasSm90Convolution(*move->program)
                          ? QStringLiteral("Fuse epilogues into matmuls and convolutions")
                          : QStringLiteral("Fuse epilogues into matmuls");
        move->reason =
            QStringLiteral(
                "A library multiplies well, but it does not know what is computed from the result here: a "
                "kernel after it reads all of the result from memory and writes it again. A kernel of ours "
                "that feeds the tensor cores by TMA multiplies about as fast, and computes the rest (the "
                "epilogue) while the sums are in registers. %1 of them here%2.%3")
                .arg(count)
                .arg(saved <= 0 ? QString()
                                : QStringLiteral("; saves %1 MB of memory traffic")
                                      .arg(saved / 1e6, 0, 'f', saved < 1e7 ? 2 : 0),
                     hasSm90Convolution(*move->program)
                         ? QStringLiteral(" Convolutions are in NHWC (channels last): TMA loads the pixels "
                                          "under each tap, and the result is stored in any layout.")
                         : QString());
        return move;
    }

    [[nodiscard]] std::optional<PlaybookMove> sampledTensors() const {
        if (m_program.choices.copiesSampled || scatteredOf(m_program) == 0)
            return std::nullopt;
        ProgramChoices choices = m_program.choices;
        choices.copiesSampled = true;
        std::optional<PlaybookMove> move = moveTo(
            choices, QStringLiteral("if neighbours read at positions of their own, and caches hold most "
                                    "of the unused bytes"));
        const double saved = move ? scatteredOf(m_program) - scatteredOf(*move->program) : 0;
        if (saved <= 0)
            return std::nullopt;
        move->move = QStringLiteral("sampled-images");
        move->title = QStringLiteral("Copy sampled images to NHWC (channels last)");
        move->reason =
            QStringLiteral(
                "At a position that another tensor holds, all channels of an image are read, and in NCHW "
                "each lies in a memory sector of its own: 32 bytes for the 4 that are needed. In an NHWC "
                "copy they share sectors, one load brings several, and each thread computes a position once "
                "for them. Saves %1 MB of sectors, for one pass over the images.")
                .arg(saved / 1e6, 0, 'f', saved < 1e7 ? 2 : 0);
        return move;
    }

private:
    // Empty where there is no such program, or it is not expected to gain anything.
    [[nodiscard]] std::optional<PlaybookMove> moveTo(const ProgramChoices &choices, const QString &by) const {
        PlaybookMove move;
        move.program = programOf(m_graph, m_program.device, choices);
        if (!move.program->unsupported.isEmpty())
            return std::nullopt;
        move.knobSets = carriedOver(m_program, m_knobSets, *move.program);
        const double seconds = predictedSeconds(m_program, m_knobSets, m_target);
        const double then = predictedSeconds(*move.program, move.knobSets, m_target);
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
    const Program &m_program;
    const std::vector<Knobs> &m_knobSets;
    const Target &m_target;
};

} // namespace

std::vector<PlaybookMove> programMovesFrom(const ReferenceGraph &graph, const Program &program,
                                           const std::vector<Knobs> &knobSets, const Target &target) {
    std::vector<PlaybookMove> moves;
    if (!target.isCuda())
        return moves;
    const ProgramMoves all(graph, program, knobSets, target);
    for (std::optional<PlaybookMove> move :
         {all.channelsLast(), all.attention(), all.customMatmuls(), all.sampledTensors()})
        if (move)
            moves.push_back(std::move(*move));
    return moves;
}

std::vector<PlaybookMove> allMovesFrom(const ReferenceGraph &graph, const Program &program,
                                       const std::vector<Knobs> &knobSets, const Target &target) {
    std::vector<PlaybookMove> moves = movesFrom(program, knobSets, target);
    for (PlaybookMove &move : programMovesFrom(graph, program, knobSets, target))
        moves.push_back(std::move(move));
    std::stable_sort(moves.begin(), moves.end(), [](const PlaybookMove &a, const PlaybookMove &b) {
        return a.prediction.timeRatio < b.prediction.timeRatio;
    });
    return moves;
}

QString kernelClassOf(const Program &program, const std::vector<Knobs> &knobSets, const PlaybookMove &move) {
    if (!move.program)
        return kernelClass(program, knobSets, move.knobSets);
    // Attention and SM90 matmuls are kernels of the other program, those that sample NCHW tensors are of this
    // one, and a convolution with another layout is in both.
    const bool isAttention = move.program->choices.hasAttention && !program.choices.hasAttention;
    const bool isMatmuls = move.program->choices.hasSm90Matmuls && !program.choices.hasSm90Matmuls;
    const bool isSampled = move.program->choices.copiesSampled && !program.choices.copiesSampled;
    const bool isOfOther = isAttention || isMatmuls;
    const Program &where = isOfOther ? *move.program : program;
    const std::vector<Knobs> &usual = isOfOther ? move.knobSets : knobSets;
    std::vector<Knobs> changed = usual;
    for (std::size_t i = 0; i < changed.size(); ++i)
        if (isAttention ? where.kernels[i].isAttention()
            : isMatmuls ? isSm90Matmul(where.kernels[i]) || isSm90Convolution(where.kernels[i])
            : isSampled ? scatteredBytes(where.kernels[i]) > 0
                        : isReorderedByLibrary(where.kernels[i], usual[i]))
            changed[i].config = -1;
    return kernelClass(where, usual, changed);
}

} // namespace warpwright
