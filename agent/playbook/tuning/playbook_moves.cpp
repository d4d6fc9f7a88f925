// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/playbook_moves.h"

#include "agent/playbook/codegen/cpu/column_reduction.h"
#include "agent/playbook/codegen/cpu/cpu_templates.h"
#include "agent/playbook/codegen/cpu/generic_kernel_cpu.h"
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/attention_space.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/kernel_seconds.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace warpwright {
namespace {

constexpr double worthTrying =
    0.15; ///< of the program's time: a kernel that takes less is not worth a check of its variants
constexpr std::size_t mostConfigs = 4; ///< the launcher's first ones; best expected first

double launchSeconds(const Kernel &kernel, const Knobs &knobs, const Target &target, double bandwidth) {
    return target.cpu
               ? cpuTemplateOf(kernel).seconds(kernel, knobs, bandwidth, std::max(target.cpu->threads, 1))
               : cudaTemplateOf(kernel, knobs).seconds(kernel, knobs, bandwidth);
}

QString megabytes(double bytes) {
    return QStringLiteral("%1 MB").arg(bytes / 1e6, 0, 'f', bytes < 1e7 ? 2 : 0);
}

struct Draft {
    const char *move;
    QString title;
    QString reason;
    bool (*canChange)(const Kernel &kernel, const Knobs &knobs);
    void (*change)(Knobs &knobs);
    bool isOfLibraries = false; ///< of kernels that a library computes; else of our own
    bool changesPrecision = false;
};

bool hasCalls(const Kernel &kernel) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
        const bool isOurs = step.op >= Opcode::Exp && step.op <= Opcode::Sqrt;
        const bool isQuotient =
            step.op == Opcode::Tanh || step.op == Opcode::Sigmoid || step.op == Opcode::Erf;
        return (isOurs || isQuotient) && step.type == ElementType::Float32 && step.level >= StepLevel::Column;
    });
}

std::vector<Draft> cpuDrafts() {
    return {
        {"vector-math",
         QStringLiteral("Write exp and its like as arithmetic, so that the loop is vector code"),
         QStringLiteral(
             "A call of `std::exp` handles one element in some 20 cycles, and a loop with a call in it "
             "stays scalar. Written as a polynomial and a few operations on bits it is plain arithmetic: "
             "the compiler handles 8 or 16 elements with each instruction. The error stays at about one "
             "unit in the last place."),
         [](const Kernel &kernel, const Knobs &knobs) { return !knobs.hasVectorMath && hasCalls(kernel); },
         [](Knobs &knobs) {
             knobs.hasVectorMath = true;
         }},
        {"keep-row", QStringLiteral("Keep computed values of a row in the cache"),
         QStringLiteral("The loops after a sum need the same values as the loop before it. A row fits the "
                        "cache of the core: stored there, a value costs a load instead of all operations "
                        "that lead to it."),
         [](const Kernel &kernel, const Knobs &knobs) {
             return !knobs.cachesRow && !knobs.hasColumnTiles &&
                    !scheduleOf(kernel, RowCaching::Costly).cached.empty();
         },
         [](Knobs &knobs) {
             knobs.cachesRow = true;
         }},
        {"stream-results", QStringLiteral("Write results past the cache (non-temporal stores)"),
         QStringLiteral("Before a usual store changes a cache line, the processor reads that line from "
                        "memory, only to overwrite all of it. Non-temporal stores skip that: each result "
                        "crosses the memory bus once instead of twice."),
         [](const Kernel &kernel, const Knobs &knobs) {
             return !knobs.streamsResults && !knobs.hasColumnTiles && canStreamResults(kernel) &&
                    storedBytes(kernel) > 8e6;
         },
         [](Knobs &knobs) {
             knobs.streamsResults = true;
         }},
    };
}

Draft clusterDraft() {
    return {
        "cluster", QStringLiteral("Let the blocks of a cluster share a row"),
        QStringLiteral(
            "Where rows are few and long, one block per row leaves most of the device idle, and no block's "
            "registers hold such a row. The blocks of a thread block cluster run side by side and write "
            "into each other's shared memory: together they take a row, each caches its part, and partial "
            "sums are exchanged without going through memory."),
        [](const Kernel &kernel, const Knobs &knobs) { return !knobs.isClustered && canBeClustered(kernel); },
        [](Knobs &knobs) {
            knobs.isClustered = true;
            knobs.isPersistent = true; // where registers hold it
        }};
}

// A block has to opt in for more than 48 KiB of shared memory, and on a small device it gets none.
template <bool canBeLarge>
Draft sharedGatherDraft() {
    return {
        "stage-rows", QStringLiteral("Gather through shared memory"),
        QStringLiteral(
            "Each row gathers elements of a segment of memory, in an order that depends on data. A warp "
            "whose 32 elements lie in as many cache lines keeps the L1 cache busy for 32 cycles. So a "
            "block takes a row, copies the segment into the SM's shared memory, line by line, and gathers "
            "there, where 32 random addresses take three or four cycles."),
        [](const Kernel &kernel, const Knobs &knobs) {
            const auto gather = knobs.gathersThroughShared ? std::nullopt : sharedMemoryGatherOf(kernel);
            return gather && (canBeLarge || !gather->isLarge());
        },
        [](Knobs &knobs) {
            knobs.gathersThroughShared = true;
        }};
}

Draft warpGroupsDraft() {
    return {
        "warp-groups",
        QStringLiteral("Multiply attention's tiles by four warps together (wgmma)"),
        QStringLiteral(
            "A warp that multiplies by itself (mma) first loads keys and values from shared memory into "
            "its registers, and the tensor cores of this device are twice as fast as those loads can feed "
            "them. With wgmma four warps multiply together: the tensor cores read keys and values from "
            "shared memory themselves, and registers hold only queries, scores and results."),
        [](const Kernel &kernel, const Knobs &knobs) {
            return !knobs.usesWarpGroups && canTakeWarpGroups(kernel);
        },
        [](Knobs &knobs) { knobs.usesWarpGroups = true; },
        true};
}

std::vector<Draft> cudaDrafts(const Device &device) {
    std::vector<Draft> drafts = {
        {"wide-loads", QStringLiteral("Load and store 16 bytes with each instruction"),
         QStringLiteral("A load of 4 bytes needs as many instructions and as many slots in the queue to "
                        "memory as one of 16. With vector loads (float4) each thread has four times the "
                        "bytes in flight, which is what hides the memory's latency."),
         [](const Kernel &kernel, const Knobs &knobs) {
             return !knobs.hasWideLoads && canBeVectorized(kernel);
         },
         [](Knobs &knobs) {
             knobs.hasWideLoads = true;
         }},
        {"one-pass", QStringLiteral("Keep a row in registers: read it once"),
         QStringLiteral(
             "By its formula the kernel passes over a row several times. The registers of a block hold the "
             "row (a persistent reduction), so it is read once, and what was computed on the way to a sum "
             "is there when the sum is complete."),
         [](const Kernel &kernel, const Knobs &knobs) {
             return !knobs.isPersistent && canBePersistent(kernel, false);
         },
         [](Knobs &knobs) {
             knobs.isPersistent = true;
         }},
        {"tf32", QStringLiteral("Let the tensor cores multiply, in TF32"),
         QStringLiteral(
             "Plain float is computed by the CUDA cores, which do everything else as well. The tensor "
             "cores take floats that are rounded to 10 bits of mantissa, add in float, and are many times "
             "as fast. This is a change of precision: the result is compared with baselines that may use "
             "TF32, too, and a task that does not allow it refuses it."),
         [](const Kernel &kernel, const Knobs &knobs) {
             return !knobs.usesTf32 && cudaTemplateOf(kernel, knobs).takesTf32 &&
                    kernel.inputs[0].type == ElementType::Float32;
         },
         [](Knobs &knobs) { knobs.usesTf32 = true; }, true, true},
    };
    drafts.push_back(hasClusters(device) ? sharedGatherDraft<true>() : sharedGatherDraft<false>());
    if (hasClusters(device))
        drafts.push_back(clusterDraft());
    if (hasWarpGroups(device))
        drafts.push_back(warpGroupsDraft());
    return drafts;
}

} // namespace

std::vector<Knobs> plainKnobs(const Program &program) {
    std::vector<Knobs> knobSets(program.kernels.size());
    // A strided sum that reads a cache line for each element would take minutes: no first text.
    for (std::size_t i = 0; i < knobSets.size(); ++i)
        knobSets[i].hasColumnTiles = isColumnReduction(program.kernels[i]);
    return knobSets;
}

double predictedSeconds(const Program &program, const std::vector<Knobs> &knobSets, const Target &target) {
    double seconds = 0;
    const double bandwidth = target.bandwidth(deviceOf(program));
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        seconds += static_cast<double>(program.timeStepsOf(i)) *
                   launchSeconds(program.kernels[i], knobSets[i], target, bandwidth);
    return seconds;
}

std::vector<PlaybookMove> variantsFrom(const Program &program, const std::vector<Knobs> &knobSets,
                                       const Target &target) {
    std::vector<PlaybookMove> moves;
    if (!target.isCuda())
        return moves;
    const double whole = predictedSeconds(program, knobSets, target);
    const double bandwidth = target.bandwidth(deviceOf(program));
    std::vector<double> shares;
    std::vector<std::size_t> order(program.kernels.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    for (const std::size_t i : order)
        shares.push_back(static_cast<double>(program.timeStepsOf(i)) *
                         launchSeconds(program.kernels[i], knobSets[i], target, bandwidth) / whole);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
    for (const std::size_t i : order) {
        const KernelTemplate &kernelTemplate = cudaTemplateOf(program.kernels[i], knobSets[i]);
        const std::vector<int> choices = kernelTemplate.configs(program.kernels[i], knobSets[i]);
        const QStringList words = configLabels(program.kernels[i], knobSets[i], choices);
        // A kernel with a small share of the time cannot gain more than that, and each try costs seconds.
        const std::size_t most =
            std::min(choices.size(), shares[i] < worthTrying ? std::size_t(1) : mostConfigs);
        for (std::size_t config = 1; config < most; ++config) {
            const QString reason =
                kernelTemplate.isLibrary
                    ? QStringLiteral(
                          "The library ranks its algorithms by an estimate. This one is its number "
                          "%1.")
                          .arg(choices[config] + 1)
                    : QStringLiteral(
                          "How many threads share the work decides how many bytes are in flight at once, "
                          "and how often threads wait for each other. The variants are in one build; this "
                          "one: %1.")
                          .arg(words[static_cast<qsizetype>(config)]);
            PlaybookMove move{QStringLiteral("config"),
                              QStringLiteral("Kernel %1 with config %2").arg(i + 1).arg(config),
                              reason,
                              knobSets,
                              {},
                              true};
            move.knobSets[i].config = static_cast<int>(config);
            move.prediction.timeRatio = 0.99;
            move.prediction.words = QStringLiteral("a few percent, or none");
            if (move.knobSets != knobSets)
                moves.push_back(std::move(move));
        }
    }
    return moves;
}

std::vector<PlaybookMove> movesFrom(const Program &program, const std::vector<Knobs> &knobSets,
                                    const Target &target) {
    std::vector<PlaybookMove> moves;
    const double before = predictedSeconds(program, knobSets, target);
    const auto add = [&](PlaybookMove move) {
        const double after = predictedSeconds(program, move.knobSets, target);
        move.prediction.timeRatio = after / before;
        move.prediction.words = QStringLiteral("%1 ms instead of %2 ms, by bytes and instructions")
                                    .arg(after * 1e3, 0, 'g', 3)
                                    .arg(before * 1e3, 0, 'g', 3);
        moves.push_back(std::move(move));
    };
    for (const Draft &draft : target.isCuda() ? cudaDrafts(deviceOf(program)) : cpuDrafts()) {
        PlaybookMove move{QLatin1String(draft.move), draft.title, draft.reason, knobSets, {}};
        move.changesPrecision = draft.changesPrecision;
        double saved = 0;
        for (std::size_t i = 0; i < program.kernels.size(); ++i)
            if (draft.isOfLibraries != program.kernels[i].isLoops() &&
                draft.canChange(program.kernels[i], knobSets[i])) {
                draft.change(move.knobSets[i]);
                saved += draft.move == QLatin1String("stream-results") ? storedBytes(program.kernels[i]) : 0;
            }
        if (saved > 0)
            move.reason += QStringLiteral(" Saves %1 of reads.").arg(megabytes(saved));
        if (move.knobSets != knobSets)
            add(std::move(move));
    }
    std::stable_sort(moves.begin(), moves.end(), [](const PlaybookMove &a, const PlaybookMove &b) {
        return a.prediction.timeRatio < b.prediction.timeRatio;
    });
    return moves;
}

QString PlaybookMove::remembered() const {
    if (!isVariant)
        return move;
    int config = 0;
    for (const Knobs &knobs : knobSets)
        config = knobs.config > 0 ? knobs.config : config;
    return QStringLiteral("%1 %2").arg(move).arg(config);
}

QString kernelClass(const Program &program, const std::vector<Knobs> &before,
                    const std::vector<Knobs> &after) {
    // Within a factor of four kernels of a family behave alike.
    const auto magnitude = [](std::int64_t count) {
        return static_cast<int>(
            std::lround(std::log2(static_cast<double>(std::max<std::int64_t>(count, 1))) / 2));
    };
    std::set<QString> classes;
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const Kernel &kernel = program.kernels[i];
        if (i >= before.size() || i >= after.size() || before[i] != after[i])
            classes.insert(
                QStringLiteral("%1 %2 4^%3 4^%4")
                    .arg(stemOf(kernel), elementTypeName(kernel.inputs.empty() ? kernel.stores[0].type
                                                                               : kernel.inputs[0].type))
                    .arg(magnitude(kernel.rows()))
                    .arg(magnitude(kernel.columns())));
    }
    return QStringList(classes.begin(), classes.end()).join(QStringLiteral(", "));
}

} // namespace warpwright
