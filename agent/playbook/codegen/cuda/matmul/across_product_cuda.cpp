// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/across_product_cuda.h"

#include "agent/playbook/codegen/anchor_text.h"
#include "agent/playbook/codegen/cuda/matmul/group_product_text.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/schedule/matmul/across_product.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostShared = 227 * 1024; ///< bytes of a block
constexpr int rowBytes = 128;          ///< of a stage
constexpr int tileColumns = acrossTileColumns;
constexpr int barrierBytes = 16; ///< of a stage

const QString text = QStringLiteral(R"(@head@#include <cuda.h>
@runtime@

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

constexpr int kBatches = @batches@; // products of their own@sharedWords@
constexpr int kRows = @rows@; // of each result
constexpr int kColumns = @columns@; // side by side in memory
constexpr int kInner = @inner@; // what is summed over

constexpr int kTileRows = @width@;
constexpr int kTileColumns = 256;
constexpr int kTilesDown = (kRows + kTileRows - 1) / kTileRows;
constexpr int kTilesAcross = (kColumns + kTileColumns - 1) / kTileColumns;
constexpr int kTiles = kBatches * kTilesAcross * kTilesDown;
constexpr int kDepth = 32; // of what is summed over in a stage: 128 bytes of each row
constexpr int kTurns = (kInner + 2 * kDepth - 1) / (2 * kDepth); // of two stages: each has registers of its own
constexpr int kBoxColumns = 32;
constexpr int kBoxBytes = kDepth * kBoxColumns * 4;
constexpr int kColumnBytes = kTileColumns / kBoxColumns * kBoxBytes;
constexpr int kStageBytes = kColumnBytes + kTileRows * 128;
constexpr int kStages = @stages@; // as many as shared memory holds
constexpr int kSharedBytes = kStages * (kStageBytes + 16); // with two barriers for each stage
constexpr int kAtOnce = @atOnce@; // packs of a thread whose loads do not wait for each other

// Four neighbours, which one instruction loads or stores.
struct alignas(16) Pack {
    float at[4];
};

@functions@@instructions@@prefetch@// sums += first * second: 64 columns, of which a thread has four registers, by kTileRows rows of 32 bytes each. A
// thread has kTileRows / 2 of the sums. `goesOn` = 0 begins anew.
__device__ __forceinline__ void multiply(float (&sums)[kTileRows / 2], const unsigned (&first)[4],
                                         std::uint64_t second, int goesOn) {
@multiply@}

struct Tile {
    int batch, firstRow, firstColumn;
};
// Tiles with the same columns are neighbours: these come from memory once.
__device__ __forceinline__ Tile tileAt(int number) {
    return {number / (kTilesDown * kTilesAcross), number % kTilesDown * kTileRows,
            number / kTilesDown % kTilesAcross * kTileColumns};
}

// One block lives on each multiprocessor until there are no tiles left. Of its three groups of 128 threads one
// copies, stage by stage, into a ring in shared memory; the others multiply 128 columns of the tile each.
__global__ void __launch_bounds__(384, 1)
    @function@(const __grid_constant__ CUtensorMap firstMap, const __grid_constant__ CUtensorMap secondMap@parameters@) {
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned columnBox = unsigned(__cvta_generic_to_shared(shared));
    const unsigned rowBox = columnBox + kStages * kColumnBytes;
    const unsigned full = rowBox + kStages * kTileRows * 128;
    const unsigned empty = full + kStages * 8;
@begin@        for (int number = blockIdx.x; number < kTiles; number += gridDim.x) {
            const Tile tile = tileAt(number);
            for (int step = 0; step < 2 * kTurns; ++step, ++turn) {
                const unsigned stage = turn % kStages;
                waitFor(empty + 8 * stage, (turn / kStages + 1) & 1);
                expectBytes(full + 8 * stage, kStageBytes);
                for (int box = 0; box < kTileColumns / kBoxColumns; ++box)
                    copyBatchBox(columnBox + stage * kColumnBytes + box * kBoxBytes, &secondMap, full + 8 * stage,
                                tile.firstColumn + box * kBoxColumns, step * kDepth, tile.batch);
                @copyRows@(rowBox + stage * kTileRows * 128, &firstMap, full + 8 * stage, step * kDepth,
                        tile.firstRow@ofBatch@);
            }
        }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    const int lane = threadIdx.x % 32;
    // A warp has a box of 32 columns, and a thread four neighbours of them. wgmma wants columns lane / 4 and 8 more
    // of 16 in a thread, and does not know which they are: so these are two of one product and two of another.
    // In a box 16 bytes lie crosswise; which four are whose is such that no banks collide.
    const int box = group * 4 + threadIdx.x % 128 / 32;
    const int mine = lane / 4 % 2 * 4 + lane / 8;
    const int k = lane % 4;
    const unsigned char *const low = shared + box * kBoxBytes + k * 128 + ((mine ^ k) << 4);
    const unsigned char *const high = shared + box * kBoxBytes + (k + 4) * 128 + ((mine ^ (k + 4)) << 4);
    for (int number = blockIdx.x; number < kTiles; number += gridDim.x) {
        const Tile tile = tileAt(number);
        const int batch = tile.batch;
        const int column = min(tile.firstColumn + box * kBoxColumns + mine * 4, kColumns - 4);
@prefetches@        float sums[2][kTileRows / 2];
        unsigned taken[2][2][4][4]; // by stage, product, part: what is being multiplied must stay where it is
        for (int step = 0; step < kTurns; ++step) {
#pragma unroll
            for (int odd = 0; odd < 2; ++odd, ++turn) {
                const unsigned stage = turn % kStages;
                waitFor(full + 8 * stage, turn / kStages & 1);
#pragma unroll
                for (int part = 0; part < 4; ++part) {
                    const int place = int(stage) * kColumnBytes + part * 1024;
                    const uint4 one = *reinterpret_cast<const uint4 *>(low + place);
                    const uint4 other = *reinterpret_cast<const uint4 *>(high + place);
                    taken[odd][0][part][0] = one.x;
                    taken[odd][0][part][1] = one.y;
                    taken[odd][0][part][2] = other.x;
                    taken[odd][0][part][3] = other.y;
                    taken[odd][1][part][0] = one.z;
                    taken[odd][1][part][1] = one.w;
                    taken[odd][1][part][2] = other.z;
                    taken[odd][1][part][3] = other.w;
                }
                const std::uint64_t second = boxAt(rowBox + stage * kTileRows * 128);
                beginProducts();
#pragma unroll
                for (int part = 0; part < 4; ++part) // 32 bytes of each row at once
#pragma unroll
                    for (int product = 0; product < 2; ++product)
                        multiply(sums[product], taken[odd][product][part], second + 2 * part, step | odd | part);
                commitProducts();
                waitForProducts<1>(); // of the stage before, which is free now
                arrive(empty + 8 * ((turn - 1) % kStages), lane == 0 && (step | odd) > 0);
            }
        }
        waitForProducts<0>();
#pragma unroll
        for (int i = 0; i < kTileRows; ++i)
            asm volatile("" : "+f"(sums[i % 2][i / 2])); // the compiler shall not read a sum before it is there
        arrive(empty + 8 * ((turn - 1) % kStages), lane == 0);

        if (tile.firstRow >= kRows)
            continue; // never so; without a branch here sums are read too early
        const bool isColumn = tile.firstColumn + box * kBoxColumns + mine * 4 < kColumns;
        const auto rowOf = [&](int piece) {
            return tile.firstRow + piece / 2 * 8 + lane % 4 * 2 + piece % 2;
        };
#pragma unroll
        for (int first = 0; first < kTileRows / 4; first += kAtOnce) {
@reads@#pragma unroll
            for (int i = 0; i < kAtOnce; ++i) {
                const int row = rowOf(first + i);
                const int place = (first + i) / 2 * 4 + i % 2;
                const float sum[4] = {sums[0][place], sums[0][place + 2], sums[1][place], sums[1][place + 2]};
                Pack result;
@finish@                makeAnyway(result);
                if (row < kRows && isColumn)
                    *reinterpret_cast<Pack *>(@out@) = result;
            }
        }
    }
}

// What the copy engine is told of memory: sizes, from the innermost, how far these are apart, and what it brings
// at once. It rounds floats to what the matrix units read; left as they are, those would cut them off.
bool describe(CUtensorMap &map, const float *memory, int dimensions, const cuuint64_t *sizes,
              const cuuint64_t *strides, const cuuint32_t *box) {
@encoder@    const cuuint32_t apart[3] = {1, 1, 1};
    return encode && encode(&map, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, cuuint32_t(dimensions),
                            const_cast<float *>(memory), sizes, strides, box, apart,
                            CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                            CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

} // namespace

// config means nothing. Returns 0, or a cudaError_t.
@launcher@
    CUtensorMap firstMap, secondMap;
    const cuuint64_t firstSizes[@firstRank@] = {kInner, kRows@firstBatches@};
    const cuuint64_t firstStrides[@firstStrides@] = {@firstPitch@ * sizeof(float)@firstApart@};
    const cuuint32_t firstBox[@firstRank@] = {kDepth, kTileRows@firstOne@};
    const cuuint64_t secondSizes[3] = {kColumns, kInner, kBatches};
    const cuuint64_t secondStrides[2] = {@secondPitch@ * sizeof(float), @batchPitch@ * sizeof(float)};
    const cuuint32_t secondBox[3] = {kBoxColumns, kDepth, 1};
    if (!describe(firstMap, @firstMatrix@, @firstRank@, firstSizes, firstStrides, firstBox) ||
        !describe(secondMap, @secondMatrix@, 3, secondSizes, secondStrides, secondBox))
        return int(cudaErrorInvalidValue);
    int device = 0;
    int processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (const cudaError_t status = cudaFuncSetAttribute(@function@, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                        kSharedBytes);
        status != cudaSuccess)
        return int(status);
    @function@<<<std::min(processors, kTiles), 384, kSharedBytes, stream>>>(firstMap, secondMap@arguments@);
    return int(cudaGetLastError());
}
)");

class AcrossProduct {
public:
    AcrossProduct(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                  const KernelNames &names)
        : m_graph(graph), m_plan(plan), m_kernel(kernel), m_names(names), m_width(acrossTileRows(kernel)) {
        for (std::size_t i = 2; i < kernel.leaves.size(); ++i)
            if (std::find(m_beside.begin(), m_beside.end(), kernel.leaves[i].buffer) == m_beside.end())
                m_beside.push_back(kernel.leaves[i].buffer);
    }

    QString run() {
        const KernelStore &store = m_kernel.stores[0];
        const QString statements = this->statements();
        const int stageBytes = (tileColumns + m_width) * rowBytes + barrierBytes;
        return filled(
            text,
            {{"instructions", barrierInstructions + ofShared(copyBoxInstruction) + copyBatchInstruction +
                                  groupProductInstructions + makeAnywayText(ElementType::Float32)},
             {"head", opening()},
             {"sharedWords", ofShared(QStringLiteral(", with the same first matrix"))},
             {"copyRows", isFirstOfBatch() ? QStringLiteral("copyBatchBox") : QStringLiteral("copyBox")},
             {"ofBatch", ofFirst(QStringLiteral(", tile.batch"))},
             {"firstRank", isFirstOfBatch() ? QStringLiteral("3") : QStringLiteral("2")},
             {"firstStrides", isFirstOfBatch() ? QStringLiteral("2") : QStringLiteral("1")},
             {"firstBatches", ofFirst(QStringLiteral(", kBatches"))},
             {"firstApart", ofFirst(QStringLiteral(", %1 * sizeof(float)").arg(leafOf(0).address.steps[0]))},
             {"firstOne", ofFirst(QStringLiteral(", 1"))},
             {"begin", copyingGroupBegins},
             {"encoder", tensorMapEncoder},
             {"runtime", QStringLiteral("#include <cuda_runtime.h>")},
             {"batches", number(0)},
             {"rows", number(1)},
             {"columns", number(2)},
             {"inner", number(3)},
             {"width", QString::number(m_width)},
             {"stages", QString::number(mostShared / stageBytes)},
             {"functions", functionTexts(m_functions, TextDialect::Cuda)},
             {"multiply", groupProductText({m_width, ElementType::Float32, true})},
             {"function", m_names.function},
             {"parameters", parameters()},
             // As many registers, of however many tensors.
             {"atOnce", QString::number(packsBeside(m_kernel) <= 1   ? 8
                                        : packsBeside(m_kernel) == 2 ? 4
                                                                     : 2)},
             {"prefetches", prefetches()},
             {"prefetch", prefetchText()},
             {"reads", reads()},
             {"finish", finishedPack(statements, 16)},
             {"out", placeOf(store.buffer, store.address)},
             {"launcher", launcher()},
             {"firstPitch", QString::number(leafOf(0).address.steps[1])},
             {"secondPitch", QString::number(leafOf(1).address.steps[3])},
             {"batchPitch", QString::number(leafOf(1).address.steps[0])},
             {"firstMatrix", matrix(0)},
             {"secondMatrix", matrix(1)},
             {"arguments", arguments()}});
    }

private:
    [[nodiscard]] QString number(std::size_t loop) const { return QString::number(m_kernel.loops[loop]); }
    [[nodiscard]] const KernelLeaf &leafOf(std::size_t leaf) const { return m_kernel.leaves[leaf]; }
    /// Whether each batch has a first matrix of its own.
    [[nodiscard]] bool isFirstOfBatch() const { return leafOf(0).address.steps[0] != 0; }
    [[nodiscard]] QString ofShared(const QString &words) const {
        return isFirstOfBatch() ? QString() : words;
    }
    [[nodiscard]] QString ofFirst(const QString &words) const { return isFirstOfBatch() ? words : QString(); }

    [[nodiscard]] QString opening() const {
        QString head = anchorHead(
            m_kernel, m_names,
            QStringLiteral("Products of matrices, and what is made of them. A library's kernels are hard to "
                           "beat at the first, but do not know the second: they would read and write all "
                           "results again. For GPUs of compute capability 9.0:"));
        for (const QString &point :
             {QStringLiteral("The matrix units (wgmma) want floats along what is summed over, but the second "
                             "matrix lies along its columns. What comes from registers lies as the threads "
                             "have it: so its columns are read into registers, and multiplied with rows of "
                             "the first matrix in shared memory."),
              QStringLiteral("The copy engine (TMA) brings boxes of both into shared memory while those "
                             "before are multiplied. Whoever copies needs few registers, and gives the "
                             "others what it has too many."),
              QStringLiteral("A thread has four neighbouring columns of each of its rows, which one "
                             "instruction stores.")})
            head += wrapped(point, QStringLiteral("//   - "), QStringLiteral("//     "));
        return head;
    }

    /// "x + batch * 3136 + row * 512 + column"
    [[nodiscard]] QString placeOf(int buffer, const AffineIndex &address) const {
        return QStringLiteral("%1 + %2").arg(
            m_names.nameOf(buffer), indexText(address, {QStringLiteral("batch"), QStringLiteral("row"),
                                                        QStringLiteral("column"), QString()}));
    }
    static QString readName(std::size_t leaf) { return QStringLiteral("read%1").arg(leaf - 1); }
    [[nodiscard]] bool isOfRow(std::size_t leaf) const { return leafOf(leaf).address.steps[2] == 0; }
    [[nodiscard]] bool isLikeResult(std::size_t leaf) const {
        return !isOfRow(leaf) && leafOf(leaf).address.steps[1] != 0;
    }

    [[nodiscard]] QString parameters() const {
        QStringList list;
        for (const int buffer : m_beside)
            list << QStringLiteral("const float *__restrict__ %1").arg(m_names.nameOf(buffer));
        list << QStringLiteral("float *__restrict__ %1").arg(m_names.nameOf(m_kernel.stores[0].buffer));
        return QStringLiteral(",\n        ") + list.join(QLatin1String(", "));
    }
    [[nodiscard]] QString arguments() const {
        QString list;
        for (const int buffer : m_beside)
            list += QStringLiteral(", ") + m_names.nameOf(buffer);
        return list + QStringLiteral(", ") + m_names.nameOf(m_kernel.stores[0].buffer);
    }
    [[nodiscard]] QString matrix(std::size_t leaf) const {
        const std::int64_t offset = leafOf(leaf).address.offset;
        return m_names.nameOf(leafOf(leaf).buffer) +
               (offset == 0 ? QString() : QStringLiteral(" + %1").arg(offset));
    }
    [[nodiscard]] QString launcher() const {
        return wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                           launcherParameters(m_graph, m_plan, m_kernel, m_names) +
                               QStringLiteral(", int, cudaStream_t stream"),
                           QStringLiteral(") {"))
            .chopped(1);
    }

    /// What lies like the result comes to the second-level cache while the tile is multiplied.
    [[nodiscard]] QString prefetches() const {
        QString lines;
        for (std::size_t i = 2; i < m_kernel.leaves.size(); ++i)
            if (isLikeResult(i))
                lines += QStringLiteral("            prefetch(%1);\n")
                             .arg(placeOf(leafOf(i).buffer, leafOf(i).address));
        if (lines.isEmpty())
            return {};
        return QStringLiteral(
                   "#pragma unroll // what is read beside the products: a line of 32 columns for each row\n"
                   "        for (int i = 0; i < kTileRows / 32; ++i) {\n"
                   "            const int row = min(tile.firstRow + i * 32 + lane, kRows - 1);\n") +
               lines + QStringLiteral("        }\n");
    }
    [[nodiscard]] QString prefetchText() const {
        return prefetches().isEmpty()
                   ? QString()
                   : QStringLiteral("__device__ __forceinline__ void prefetch(const float *place) {\n"
                                    "    asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(place));\n}\n\n");
    }

    [[nodiscard]] QString reads() const {
        QString arrays, lines;
        for (std::size_t i = 2; i < m_kernel.leaves.size(); ++i) {
            const QString place = placeOf(leafOf(i).buffer, leafOf(i).address);
            arrays += QStringLiteral("            %1 %2[kAtOnce];\n")
                          .arg(isOfRow(i) ? QStringLiteral("float") : QStringLiteral("Pack"), readName(i));
            lines += QStringLiteral("                %1[i] = *%2;\n")
                         .arg(readName(i),
                              isOfRow(i) ? QStringLiteral("(%1)").arg(place)
                                         : QStringLiteral("reinterpret_cast<const Pack *>(%1)").arg(place));
        }
        if (lines.isEmpty())
            return {};
        if (lines.contains(QRegularExpression(QStringLiteral("\\brow\\b"))))
            lines.prepend(
                QStringLiteral("                const int row = min(rowOf(first + i), kRows - 1);\n"));
        return arrays + QStringLiteral("#pragma unroll\n            for (int i = 0; i < kAtOnce; ++i) {\n") +
               lines + QStringLiteral("            }\n");
    }

    QString statements() {
        QString lines;
        const auto elementOf = [this](int leaf) {
            const auto which = static_cast<std::size_t>(leaf);
            return readName(which) + (isOfRow(which) ? QStringLiteral("[i]") : QStringLiteral("[i].at[k]"));
        };
        for (const QString &line :
             epilogueStatements(m_kernel, elementOf, QStringLiteral("sum[k]"), QStringLiteral("result.at[k]"),
                                m_functions, TextDialect::Cuda))
            lines += wrapped(line, QString(20, QLatin1Char(' ')), QString(24, QLatin1Char(' ')));
        return lines;
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    int m_width;               ///< rows of a tile
    std::vector<int> m_beside; ///< buffers read beside the matrices
    std::set<QString> m_functions;
};

} // namespace

QString acrossProductCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                              const KernelNames &names) {
    return AcrossProduct(graph, plan, kernel, names).run();
}

} // namespace warpwright
