// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_helpers.h"

#include "agent/playbook/codegen/cuda/loops/moment_lines.h"

#include <algorithm>

namespace warpwright {

QString reduceBlockText() {
    return QStringLiteral(
        "// Combines one value per thread of a row, and every thread gets the result: a butterfly within "
        "each "
        "warp,\n"
        "// then one word per warp through shared memory. `partials` must not be in use for anything else.\n"
        "template <int THREADS, typename T, typename Combine>\n"
        "__device__ T reduceBlock(T value, T *partials, Combine combine) {\n"
        "#pragma unroll\n"
        "    for (int distance = (THREADS < 32 ? THREADS : 32) / 2; distance > 0; distance /= 2)\n"
        "        value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));\n"
        "    if (THREADS <= 32)\n"
        "        return value;\n"
        "    if (threadIdx.x % 32 == 0)\n"
        "        partials[threadIdx.x / 32] = value;\n"
        "    __syncthreads();\n"
        "    value = partials[0];\n"
        "#pragma unroll\n"
        "    for (int warp = 1; warp < THREADS / 32; ++warp)\n"
        "        value = combine(value, partials[warp]);\n"
        "    return value;\n"
        "}\n\n");
}

QString meetOnceText() {
    return QStringLiteral(
        R"(// What each warp's values come to, by a butterfly, goes to shared memory: a word for each. So many of them are on
// their way together, and the block meets once for all.
template <typename T, typename Combine> __device__ void tellBlock(T value, T *partials, Combine combine) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
    if (threadIdx.x % 32 == 0)
        partials[threadIdx.x / 32] = value;
}

template <int THREADS, typename T, typename Combine> __device__ T toldByBlock(const T *partials, Combine combine) {
    T value = partials[0];
#pragma unroll
    for (int warp = 1; warp < THREADS / 32; ++warp)
        value = combine(value, partials[warp]);
    return value;
}

)");
}

namespace {

QString meetInClusterText() {
    return QStringLiteral(
        "// All threads of a cluster meet. What cooperative_groups does, without its headers, that take "
        "longer to compile\n"
        "// than the kernel.\n"
        "__device__ void meetInCluster() {\n"
        "    __cluster_barrier_arrive();\n"
        "    __cluster_barrier_wait();\n"
        "}\n\n");
}

QString reduceClusterText() {
    return QStringLiteral("// The same for all blocks of a cluster: each tells its part to all of them.\n"
                          "template <int BLOCKS, int THREADS, typename T, typename Combine>\n"
                          "__device__ T reduceCluster(T value, T *partials, T *ofBlocks, Combine combine) {\n"
                          "    value = reduceBlock<THREADS>(value, partials, combine);\n"
                          "    if (threadIdx.x < BLOCKS) {\n"
                          "        T *const mine = &ofBlocks[__clusterRelativeBlockRank()];\n"
                          "        *static_cast<T *>(__cluster_map_shared_rank(mine, threadIdx.x)) = value;\n"
                          "    }\n"
                          "    meetInCluster();\n"
                          "    value = ofBlocks[0];\n"
                          "#pragma unroll\n"
                          "    for (int block = 1; block < BLOCKS; ++block)\n"
                          "        value = combine(value, ofBlocks[block]);\n"
                          "    return value;\n"
                          "}\n\n");
}

QString reduceLanesText() {
    return QStringLiteral("// Combines what the groups of a block hold for each lane, and every thread "
                          "gets its lane's result.\n"
                          "// `partials` must not be in use for anything else.\n"
                          "template <int GROUPS, typename T, typename Combine>\n"
                          "__device__ T reduceLanes(T value, T (*partials)[kLanes], Combine combine) {\n"
                          "    partials[threadIdx.y][threadIdx.x] = value;\n"
                          "    __syncthreads();\n"
                          "    value = partials[0][threadIdx.x];\n"
                          "#pragma unroll\n"
                          "    for (int group = 1; group < GROUPS; ++group)\n"
                          "        value = combine(value, partials[group][threadIdx.x]);\n"
                          "    return value;\n"
                          "}\n\n");
}

QString reduceSumsOfLanesText() {
    return QStringLiteral(
        R"(// Combines what the groups of a block hold for each lane's neighbours, and every thread gets its lane's results.
// `partials` must not be in use for anything else.
template <int GROUPS, typename T, typename Combine>
__device__ void reduceLanes(T (&values)[kWidth], T (*partials)[GROUPS][kLanes], Combine combine) {
#pragma unroll
    for (int k = 0; k < kWidth; ++k)
        partials[k][threadIdx.y][threadIdx.x] = values[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
        values[k] = partials[k][0][threadIdx.x];
#pragma unroll
        for (int group = 1; group < GROUPS; ++group)
            values[k] = combine(values[k], partials[k][group][threadIdx.x]);
    }
}

)");
}

QString scanBlockText(bool hasBefore) {
    return QStringLiteral(
               R"(// The running value of every thread's element, in a row that the block goes through piece by piece: first within
// each warp, by looking back 1, 2, 4 ... threads, then behind the warps before it. `carry` is what came before the
// piece, and is brought up to its end.
template <int THREADS, typename T, typename Combine>
__device__ T scanBlock(T value, T &carry, T *partials, Combine combine%1) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const T before = __shfl_up_sync(0xffffffffu, value, distance);
        if (threadIdx.x % 32 >= distance)
            value = combine(before, value);
    }
    if (threadIdx.x % 32 == 31)
        partials[threadIdx.x / 32] = value;
    __syncthreads();
    T before = carry;
#pragma unroll
    for (int warp = 0; warp < THREADS / 32; ++warp) {
        if (warp == threadIdx.x / 32)
            before = carry;
        carry = combine(carry, partials[warp]);
    }
    __syncthreads(); // From here on `partials` may be written again.
%2    return combine(before, value);
}

)")
        .arg(hasBefore ? QStringLiteral(", T *beforeElement") : QString(),
             hasBefore
                 ? QStringLiteral("    const T ofOthers = __shfl_up_sync(0xffffffffu, value, 1);\n"
                                  "    *beforeElement = threadIdx.x % 32 > 0 ? combine(before, ofOthers) : "
                                  "before;\n")
                 : QString());
}

} // namespace

QString cudaMeetingTexts(const FusedKernel &kernel, const CudaSharing &sharing, bool hasMoments) {
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    QString text;
    if (sharing.mode == CudaMode::BlockOfRow && sums > 0)
        text += sharing.meetsOnce ? meetOnceText() : reduceBlockText();
    if (sharing.isClustered)
        text += meetInClusterText();
    if (sharing.isClustered && sums > (hasMoments ? 2 : 0))
        text += reduceClusterText();
    if (hasMoments)
        text += joinMomentsText();
    if (sharing.mode == CudaMode::BlockOfRow && kernel.hasScans())
        text +=
            scanBlockText(std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
                return step.op == KernelOp::ScanBefore;
            }));
    if (sharing.mode == CudaMode::LanesOfRows)
        text += sharing.sums > 1 ? reduceSumsOfLanesText() : reduceLanesText();
    return text;
}

QString packText() {
    return QStringLiteral("// Neighbours that one instruction loads or stores.\n"
                          "template <typename T> struct alignas(sizeof(T) * kWidth) Pack {\n"
                          "    T at[kWidth];\n};\n\n");
}

QString groupText() {
    return QStringLiteral(
        "// What lies side by side from one element to the next, or of some of them: one instruction "
        "loads all of it.\n"
        "template <typename T, int N> struct alignas(sizeof(T) * N) Group {\n"
        "    T at[N];\n};\n\n");
}

QString packName(const QString &buffer, const std::map<int, QString> &packs, const QString &word) {
    const QString first = buffer + word;
    QString name = first;
    const auto isTaken = [&name](const auto &entry) {
        return entry.second == name;
    };
    for (int number = 2; std::any_of(packs.begin(), packs.end(), isTaken); ++number)
        name = first + QString::number(number);
    return name;
}

QString packLoad(const QString &type, const QString &buffer, const QString &address, const QString &guard) {
    const QString pack =
        QStringLiteral("*reinterpret_cast<const Pack<%1> *>(%2 + %3)").arg(type, buffer, address);
    return guard.isEmpty() ? pack : QStringLiteral("%1 ? %2 : Pack<%3>()").arg(guard, pack, type);
}

QString packStore(const QString &type, const QString &buffer, const QString &address, const QString &pack) {
    const QString place = address.contains(QLatin1Char(' ')) ? QStringLiteral("(%1)").arg(address) : address;
    return QStringLiteral("reinterpret_cast<Pack<%1> *>(%2)[%3 / kWidth] = %4;")
        .arg(type, buffer, place, pack);
}

} // namespace warpwright
