// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/matmul/group_product_text.h"

#include "agent/playbook/codegen/cuda/far_angles.h"

#include <QStringList>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int listed = 12; ///< operands in a line

QString unitsWord(ElementType type) {
    return type == ElementType::Float16    ? QStringLiteral("f16")
           : type == ElementType::BFloat16 ? QStringLiteral("bf16")
                                           : QStringLiteral("tf32");
}

} // namespace

const QString barrierInstructions = QStringLiteral(R"(// ---- one small function for each instruction ----

__device__ __forceinline__ void initBarrier(unsigned barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

// Waits until the phase of this parity is over. A fresh barrier counts as one whose odd phase is over.
__device__ __forceinline__ void waitFor(unsigned barrier, unsigned parity) {
    unsigned isOver;
    do
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(isOver)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    while (!isOver);
}

// Arrives, and says how many bytes the copies still to come will bring.
__device__ __forceinline__ void expectBytes(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Arrives where `really`. No branch: the compiler orders products badly around branches.
__device__ __forceinline__ void arrive(unsigned barrier, bool really) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %1, 0;\n"
                 "@p mbarrier.arrive.shared::cta.b64 _, [%0];\n}" ::"r"(barrier),
                 "r"(int(really))
                 : "memory");
}

)");

const QString copyBoxInstruction = QStringLiteral(
    R"(// The copy engine brings a box of a matrix, zeros for what lies outside, and tells the barrier.
__device__ __forceinline__ void copyBox(unsigned to, const CUtensorMap *map, unsigned barrier, int k, int row) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
                 "%4}], [%2];" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(k), "r"(row)
                 : "memory");
}

)");

const QString copyBatchInstruction = QStringLiteral(
    R"(// The copy engine brings a box of a batch's matrix, zeros for what lies outside, and tells the barrier.
__device__ __forceinline__ void copyBatchBox(unsigned to, const CUtensorMap *map, unsigned barrier, int k, int row,
                                             int batch) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
                 "%4, %5}], [%2];" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(k), "r"(row), "r"(batch)
                 : "memory");
}

)");

const QString groupProductInstructions = QStringLiteral(
    R"(// What wgmma is told of a box: where it begins (in 16 bytes), that 8 rows are 1024 bytes from the next 8, and
// that the 16 bytes of a row of 128 lie crosswise.
__device__ __forceinline__ std::uint64_t boxAt(unsigned box) {
    return std::uint64_t(box >> 4 & 0x3FFF) | 1ull << 16 | std::uint64_t(1024 >> 4) << 32 | 1ull << 62;
}

__device__ __forceinline__ void beginProducts() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void commitProducts() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int LEFT> __device__ __forceinline__ void waitForProducts() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
}

)");

const QString turnedBoxInstruction = QStringLiteral(
    R"(// The same of boxes of 64 columns, which lie side by side in a row: the next 64 columns are in the next box.
__device__ __forceinline__ std::uint64_t boxesAt(unsigned box) {
    return std::uint64_t(box >> 4 & 0x3FFF) | std::uint64_t(64 * 128 >> 4) << 16 | std::uint64_t(1024 >> 4) << 32 |
           1ull << 62;
}

)");

const QString copyingGroupBegins = QStringLiteral(R"(    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kStages; ++stage) {
            initBarrier(full + 8 * stage, 1);  // the thread that copies
            initBarrier(empty + 8 * stage, 8); // the warps that multiply
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    const int group = __shfl_sync(0xFFFFFFFF, threadIdx.x / 128, 0) - 1; // -1 copies
    unsigned turn = 0;                                                   // stages of the ring that were used
    if (group < 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;"); // registers are for those that multiply
        if (threadIdx.x != 0)
            return;
)");

const QString tensorMapEncoder = QStringLiteral(R"(    using Encode = decltype(&cuTensorMapEncodeTiled);
    static const Encode encode = [] { // through the runtime, for the driver's library is not linked
        void *found = nullptr;
        cudaDriverEntryPointQueryResult answer;
        const cudaError_t status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                                                    cudaEnableDefault, &answer);
        return status == cudaSuccess ? reinterpret_cast<Encode>(found) : nullptr;
    }();
)");

QString makeAnywayText(ElementType type, int elements) {
    QString body;
    if (type == ElementType::Float32) {
        QStringList each;
        for (int k = 0; k < elements; ++k)
            each << QStringLiteral("\"+f\"(pack.at[%1])").arg(k);
        body = QStringLiteral("    asm volatile(\"\" : %1);\n").arg(each.join(QLatin1String(", ")));
    } else {
        body = QStringLiteral("    %1 words;\n"
                              "    std::memcpy(&words, &pack, sizeof words);\n"
                              "    asm volatile(\"\" : %2);\n"
                              "    std::memcpy(&pack, &words, sizeof words);\n")
                   .arg(elements == 1 ? QStringLiteral("std::uint16_t") : QStringLiteral("uint2"),
                        elements == 1 ? QStringLiteral("\"+h\"(words)")
                                      : QStringLiteral("\"+r\"(words.x), \"+r\"(words.y)"));
    }
    return QStringLiteral(
               "// The pack is made here, and not behind the branch that follows: there two warps, of which "
               "each part of the\n"
               "// multiprocessor has no more, would wait for each function's answer.\n"
               "__device__ __forceinline__ void makeAnyway(Pack &pack) {\n") +
           body + QStringLiteral("}\n\n");
}

QString loopOverPack(const QString &statements, int indent, const QString &count) {
    return QStringLiteral("#pragma unroll\n%1for (int k = 0; k < %3; ++k) {\n%2%1}\n")
        .arg(QString(indent, QLatin1Char(' ')), statements, count);
}

QString finishedPack(const QString &statements, int indent, const QString &count) {
    return withFarAngles(loopOverPack(statements, indent, count), indent);
}

QString groupProductText(const GroupProduct &product) {
    const int sums = product.columns / 2;
    const int registers = product.isFirstInRegisters ? 4 : 1; // of the first matrix
    const bool isHalf = product.type != ElementType::Float32;
    QString text = QStringLiteral("    asm volatile(\"{\\n.reg .pred p;\\nsetp.ne.b32 p, %%1, 0;\\n\"\n"
                                  "                 \"wgmma.mma_async.sync.aligned.m64n%2k%3.f32.%4.%4 {\"\n")
                       .arg(sums + registers + 1)
                       .arg(product.columns)
                       .arg(isHalf ? 16 : 8)
                       .arg(unitsWord(product.type));
    for (int first = 0; first < sums; first += listed) {
        QStringList items;
        for (int i = first; i < std::min(first + listed, sums); ++i)
            items << QStringLiteral("%%1").arg(i);
        text += QStringLiteral("                 \"%1%2\"\n")
                    .arg(items.join(QLatin1String(", ")),
                         first + listed >= sums ? QString() : QStringLiteral(", "));
    }
    const QString taken =
        product.isFirstInRegisters
            ? QStringLiteral("{%%1, %%2, %%3, %%4}").arg(sums).arg(sums + 1).arg(sums + 2).arg(sums + 3)
            : QStringLiteral("%%1").arg(sums);
    const QString turns = !isHalf                       ? QString()
                          : !product.isFirstInRegisters ? QStringLiteral(", %1, %2")
                                                              .arg(product.isFirstTurned ? 1 : 0)
                                                              .arg(product.isSecondTurned ? 1 : 0)
                          : product.isSecondTurned ? QStringLiteral(", 1")
                                                   : QStringLiteral(", 0");
    text += QStringLiteral("                 \"}, %1, %%2, p, 1, 1%3;\\n}\"\n                 : ")
                .arg(taken)
                .arg(sums + registers)
                .arg(turns);
    QStringList results;
    for (int i = 0; i < sums; ++i)
        results << (product.isOfPieces ? QStringLiteral("\"+f\"(sums[%1][%2])").arg(i / 4).arg(i % 4)
                                       : QStringLiteral("\"+f\"(sums[%1])").arg(i));
    for (qsizetype i = 0; i < results.size(); i += listed / 2)
        text += (i == 0 ? QString() : QStringLiteral("                   ")) +
                results.mid(i, listed / 2).join(QLatin1String(", ")) +
                (i + listed / 2 < results.size() ? QStringLiteral(",\n") : QStringLiteral("\n"));
    const QString given =
        product.isFirstInRegisters
            ? QStringLiteral("\"r\"(first[0]), \"r\"(first[1]), \"r\"(first[2]), \"r\"(first[3])")
            : QStringLiteral("\"l\"(first)");
    return text + QStringLiteral("                 : %1, \"l\"(second), \"r\"(goesOn));\n").arg(given);
}

} // namespace warpwright
