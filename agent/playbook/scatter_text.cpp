// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/scatter_text.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/loop_text.h"

namespace warpwright {
namespace {

constexpr auto cudaBody = R"(#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr std::int64_t kCount = @count@; // rows that go somewhere
constexpr std::int64_t kRows = @rows@; // of the result
constexpr int kColumns = @columns@;
constexpr int kWidth = @width@; // neighbours that a thread takes at once
constexpr int kPacks = kColumns / kWidth; // of a row

struct alignas(sizeof(@type@) * kWidth) Pack {
    @type@ at[kWidth];
};

@one@__device__ void @verb@(@type@ *place, const Pack &pack) {
@what@}

template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    @function@(const @type@ *__restrict__ @values@, const std::int64_t *__restrict__ @places@, @type@ *__restrict__ @result@) {
    const std::int64_t all = std::int64_t(gridDim.x) * THREADS;
    for (std::int64_t pack = std::int64_t(blockIdx.x) * THREADS + threadIdx.x; pack < kCount * kPacks; pack += all) {
        const std::int64_t row = pack / kPacks;
        const int c = static_cast<int>(pack % kPacks) * kWidth;
        const std::int64_t place = @places@[row];
        if (place >= 0 && place < kRows) // else it would be somebody else's memory
            @verb@(@result@ + place * kColumns + c, *reinterpret_cast<const Pack *>(@values@ + row * kColumns + c));
    }
}

template <int THREADS> int launch(@parameters@, cudaStream_t stream) {
    constexpr std::int64_t kBlocks = (kCount * kPacks + THREADS - 1) / THREADS;
    constexpr std::int64_t kMost = 1 << 16;
    @begin@;
    @function@<THREADS><<<unsigned(kBlocks < kMost ? kBlocks : kMost), THREADS, 0, stream>>>(@values@, @places@, @result@);
    return cudaGetLastError();
}

} // namespace

)";

constexpr auto additions = R"(#pragma unroll
    for (int k = 0; k < kWidth; ++k)
        @atomic@;
)";

// As whole numbers, floats of one sign are in order; NaN goes beyond all of them, as torch has it.
constexpr auto floatExtreme = R"(
__device__ void @verb@One(float *place, float value) {
    value = value != value ? __int_as_float(@nan@) : value + 0.0f; // a zero without a sign
    if (@isPlain@)
        atomic@same@(reinterpret_cast<int *>(place), __float_as_int(value));
    else
        atomic@other@(reinterpret_cast<unsigned *>(place), __float_as_uint(value));
}
)";

// Sixteen bytes with one instruction: from Hopper on.
constexpr auto vectorAddition = R"(#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    atomicAdd(reinterpret_cast<float4 *>(place), make_float4(pack.at[0], pack.at[1], pack.at[2], pack.at[3]));
#else
@each@#endif
)";

constexpr auto cpuBody = R"(#include <cstdint>
#include <cstring>

namespace {

constexpr std::int64_t kCount = @count@; // rows that go somewhere
constexpr std::int64_t kRows = @rows@; // of the result
constexpr std::int64_t kColumns = @columns@;
constexpr std::int64_t kParts = 8; // of the result: more cores than that wait for memory

} // namespace

)";

constexpr auto cpuLauncher = R"(    @begin@;
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t part = 0; part < kParts; ++part) {
        const std::int64_t first = part * kRows / kParts;
        const std::int64_t end = (part + 1) * kRows / kParts;
        for (std::int64_t row = 0; row < kCount; ++row) {
            const std::int64_t place = @places@[row];
            if (place < first || place >= end)
                continue;
            const @type@ *const from = @values@ + row * kColumns;
            @type@ *const to = @result@ + place * kColumns;
            for (std::int64_t c = 0; c < kColumns; ++c)
                @update@;
        }
    }
    return 0;
}
)";

struct Words {
    Words(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
          const KernelNames &names)
        : values(names.nameOf(kernel.leaves[0].buffer)),
          places(names.nameOf(kernel.leaves[1].buffer)),
          base(kernel.leaves.size() > 2 ? names.nameOf(kernel.leaves[2].buffer) : QString()),
          result(names.nameOf(kernel.stores[0].buffer)),
          type(cTypeName(kernel.stores[0].type, false)),
          parameters(launcherParameters(graph, plan, kernel, names)) {}

    QString values, places, base, result, type, parameters;
};

QString numbered(const char *text, const FusedKernel &kernel) {
    return filled(text, {{"count", QString::number(kernel.scatter.count)},
                         {"rows", QString::number(kernel.scatter.rows)},
                         {"columns", QString::number(kernel.scatter.columns)}});
}

QString verbOf(ScatterKind kind) {
    switch (kind) {
    case ScatterKind::Put:
        return QStringLiteral("put");
    case ScatterKind::Add:
        return QStringLiteral("add");
    case ScatterKind::Maximum:
        return QStringLiteral("raise");
    case ScatterKind::Minimum:
        return QStringLiteral("lower");
    }
    return {};
}

bool isExtreme(const FusedKernel &kernel) {
    return kernel.scatter.kind == ScatterKind::Maximum || kernel.scatter.kind == ScatterKind::Minimum;
}

// What is done with one float, where that is more than one instruction.
QString oneText(const FusedKernel &kernel) {
    if (!isExtreme(kernel) || kernel.stores[0].type != ElementType::Float32)
        return {};
    const bool isMaximum = kernel.scatter.kind == ScatterKind::Maximum;
    const QString most = QStringLiteral("Max");
    const QString least = QStringLiteral("Min");
    return filled(floatExtreme, {{"verb", verbOf(kernel.scatter.kind)},
                                 {"nan", isMaximum ? QStringLiteral("0x7fffffff") : QStringLiteral("-1")},
                                 {"isPlain", isMaximum ? QStringLiteral("value >= 0.0f || value != value")
                                                       : QStringLiteral("value >= 0.0f")},
                                 {"same", isMaximum ? most : least},
                                 {"other", isMaximum ? least : most}})
               .mid(1) +
           QLatin1Char('\n');
}

QString extremeText(const FusedKernel &kernel) {
    const QString atomic = kernel.scatter.kind == ScatterKind::Maximum ? QStringLiteral("atomicMax")
                                                                       : QStringLiteral("atomicMin");
    switch (kernel.stores[0].type) {
    case ElementType::Float32:
        return verbOf(kernel.scatter.kind) + QStringLiteral("One(place + k, pack.at[k])");
    case ElementType::Int64:
        return atomic + QStringLiteral(
                            "(reinterpret_cast<long long *>(place + k), static_cast<long long>(pack.at[k]))");
    default:
        return atomic + QStringLiteral("(place + k, pack.at[k])");
    }
}

// What a thread does with its pack, as lines of a function.
QString packText(const FusedKernel &kernel, int width) {
    if (kernel.scatter.kind == ScatterKind::Put)
        return QStringLiteral("    *reinterpret_cast<Pack *>(place) = pack;\n");
    if (isExtreme(kernel))
        return filled(additions, {{"atomic", extremeText(kernel)}});
    const bool isLong = kernel.stores[0].type == ElementType::Int64;
    const QString each = filled(
        additions,
        {{"atomic", isLong ? QStringLiteral("atomicAdd(reinterpret_cast<unsigned long long *>(place + k), "
                                            "static_cast<unsigned long long>(pack.at[k]))")
                           : QStringLiteral("atomicAdd(place + k, pack.at[k])")}});
    return width == 4 ? filled(vectorAddition, {{"each", each}}) : each;
}

QString updateText(ScatterKind kind) {
    switch (kind) {
    case ScatterKind::Put:
        return QStringLiteral("to[c] = from[c]");
    case ScatterKind::Add:
        return QStringLiteral("to[c] += from[c]");
    case ScatterKind::Maximum: // and NaN before all, as torch has it
        return QStringLiteral("to[c] = from[c] > to[c] || from[c] != from[c] ? from[c] : to[c]");
    case ScatterKind::Minimum:
        return QStringLiteral("to[c] = from[c] < to[c] || from[c] != from[c] ? from[c] : to[c]");
    }
    return {};
}

int widthOfPack(const FusedKernel &kernel) {
    constexpr int bytes = 16;
    const int width = bytes / bytesOf(kernel.stores[0].type);
    const bool canBe = kernel.scatter.kind == ScatterKind::Put || isExtreme(kernel) ||
                       kernel.stores[0].type == ElementType::Float32;
    return canBe && kernel.scatter.columns % width == 0 ? width : 1;
}

} // namespace

std::vector<int> scatterThreads() {
    return {256, 128, 512, 1024};
}

QString scatterCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                        const KernelNames &names) {
    const Words words(graph, plan, kernel, names);
    const int width = widthOfPack(kernel);
    const QString size = QStringLiteral("sizeof(%1) * kRows * kColumns").arg(words.type);
    QString text = anchorHead(
        kernel, names,
        isExtreme(kernel)
            ? QStringLiteral(
                  "Which rows come together nobody knows before the places are read. So each element raises "
                  "or "
                  "lowers what is there by an atomic operation, which the units beside the second-level "
                  "cache do: threads send it off and do not wait.")
        : kernel.scatter.kind == ScatterKind::Add
            ? QStringLiteral(
                  "Which rows come together nobody knows before the places are read. So each element is "
                  "added where it belongs by an atomic addition, which the units beside the second-level "
                  "cache do: threads send it off and do not wait. Sums are formed in the order in which rows "
                  "come by, so their last digits differ from call to call, as those of torch do.")
            : QStringLiteral(
                  "Threads take neighbouring elements of a row, so that lines of memory are read and "
                  "written whole. Of two rows for one place either may stay, as with torch."));
    text += filled(
        numbered(cudaBody, kernel),
        {{"width", QString::number(width)},
         {"type", words.type},
         {"what", packText(kernel, width)},
         {"one", oneText(kernel)},
         {"verb", verbOf(kernel.scatter.kind)},
         {"function", names.function},
         {"values", words.values},
         {"places", words.places},
         {"result", words.result},
         {"parameters", words.parameters},
         {"begin", words.base.isEmpty()
                       ? QStringLiteral("cudaMemsetAsync(%1, 0, %2, stream)").arg(words.result, size)
                       : QStringLiteral("cudaMemcpyAsync(%1, %2, %3, cudaMemcpyDeviceToDevice, stream)")
                             .arg(words.result, words.base, size)}});
    QStringList argumentsOfLaunch;
    for (const QString &part : words.parameters.split(QLatin1String(", ")))
        argumentsOfLaunch << part.section(QLatin1Char('*'), -1).trimmed();
    QStringList meanings;
    const std::vector<int> threads = scatterThreads();
    for (std::size_t i = 0; i < threads.size(); ++i)
        meanings << QStringLiteral("%1 -> %2").arg(i).arg(threads[i]);
    text += QStringLiteral("// config = threads of a block: %1. Returns 0, or a cudaError_t.\n")
                .arg(meanings.join(QLatin1String(", ")));
    text += wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(names.launcher()),
                        words.parameters + QStringLiteral(", int config, cudaStream_t stream"),
                        QStringLiteral(") {"));
    text += QLatin1String("    switch (config) {\n");
    for (std::size_t i = threads.size(); i-- > 0;)
        text += QStringLiteral("    %1:\n        return launch<%2>(%3, stream);\n")
                    .arg(i == 0 ? QStringLiteral("default") : QStringLiteral("case %1").arg(i))
                    .arg(threads[i])
                    .arg(argumentsOfLaunch.join(QLatin1String(", ")));
    return text + QLatin1String("    }\n}\n");
}

QString scatterCpuText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                       const KernelNames &names) {
    const Words words(graph, plan, kernel, names);
    const QString size = QStringLiteral("sizeof(%1) * kRows * kColumns").arg(words.type);
    QString text =
        anchorHead(kernel, names,
                   QStringLiteral("Two threads must not add to one row at once. So each has a part of the "
                                  "result for its own, goes through all places, and takes what is for it."));
    text += numbered(cpuBody, kernel);
    text += wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(names.launcher()),
                        words.parameters + QStringLiteral(", int"), QStringLiteral(") {"));
    return text +
           filled(cpuLauncher,
                  {{"update", updateText(kernel.scatter.kind)},
                   {"begin",
                    words.base.isEmpty()
                        ? QStringLiteral("std::memset(%1, 0, %2)").arg(words.result, size)
                        : QStringLiteral("std::memcpy(%1, %2, %3)").arg(words.result, words.base, size)},
                   {"places", words.places},
                   {"type", words.type},
                   {"values", words.values},
                   {"result", words.result}});
}

} // namespace warpwright
