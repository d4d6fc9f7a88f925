// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/turn_product_cuda.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/cuda_head.h"
#include "agent/playbook/cuda_launcher.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/own_product.h"
#include "agent/playbook/turn_product.h"

#include <algorithm>

namespace warpwright {
namespace {

const QString turnProductText = QStringLiteral(R"(@head@#include <cuda_runtime.h>
@include@
#include <cmath>
#include <cstdint>

namespace {

constexpr int kRows = @rows@; // of the result
constexpr int kUnits = @units@; // its columns@gateWords@
constexpr int kGates = @gates@;
constexpr int kInner = @inner@; // what is summed over

constexpr int kBlockRows = @blockRows@; // that a block makes
constexpr int kBlockUnits = @blockUnits@;
constexpr int kDown = kBlockRows / 16; // tiles of 16 rows by 8 columns
constexpr int kSides = @sides@; // warps with the same rows, each with its columns
constexpr int kAcross = (kBlockUnits * kGates + 8 * kSides - 1) / (8 * kSides);
constexpr int kDepth = @depth@; // of what is summed over, that four threads load at once
constexpr int kSteps = (kInner + kDepth - 1) / kDepth;
constexpr int kPitch = kSides * kAcross * 8 + @gap@; // of sums in shared memory: threads that store together meet all banks

// Of each thread, for what is on its way from one matrix.
template <int WARPS> constexpr int kRegisters = WARPS <= 8 ? 64 : 32;
constexpr int least(int one, int other) {
    return one < 1 || other < 1 ? 1 : one < other ? one : other;
}

@functions@// 16 bytes: what the matrix units take of a row in two instructions.
struct alignas(16) Pack {
    unsigned at[4];
};

@multiply@template <int WARPS>
__global__ void __launch_bounds__(WARPS * 32, 1)
@signature@    extern __shared__ __align__(1024) unsigned char shared[];
    float *const sums = reinterpret_cast<float *>(shared);
    constexpr int kThreads = WARPS * 32;
    constexpr int kEach = (kBlockRows * kBlockUnits + kThreads - 1) / kThreads; // results of a thread
    constexpr int kParts = WARPS / kSides;                                      // of what is summed over
    constexpr int kOwn = (kSteps + kParts - 1) / kParts;                        // steps of a warp
    constexpr int kHeld = least(kOwn, kRegisters<WARPS> / (kAcross * 4)); // of which columns are on their way
    constexpr int kBrought = least(kOwn, kRegisters<WARPS> / (kDown * 8)); // and rows
    const int thread = threadIdx.x;
    const int part = thread / 32 / kSides;
    const int side = thread / 32 % kSides;
    const int lane = thread % 32;
    const int firstRow = int(blockIdx.y) * kBlockRows;
    const int firstUnit = int(blockIdx.x) * kBlockUnits;
    // Kernels of a stream follow each other, but for their beginnings: the next one's blocks may come now.
    asm volatile("griddepcontrol.launch_dependents;");
    // Rows beyond the last one are taken for it, and not stored. Each thread has one of eight neighbours, and
    // of their elements a quarter: which of them the units multiply first is all the same, as long as it is
    // the same in both matrices.
    int rowAt[2 * kDown], columnAt[kAcross];
#pragma unroll
    for (int i = 0; i < 2 * kDown; ++i) {
        const int row = firstRow + i * 8 + lane / 4;
        rowAt[i] = @rowPlace@;
    }
#pragma unroll
    for (int i = 0; i < kAcross; ++i) {
        const int place = (side * kAcross + i) * 8 + lane / 4;
        const int gate = place / kBlockUnits < kGates ? place / kBlockUnits : kGates - 1;
        const int unit = firstUnit + place % kBlockUnits;
        columnAt[i] = @columnPlace@;
    }
    const auto placeOf = [&](int i) { return (part + i * kParts) * kDepth + lane % 4 * (kDepth / 4); };
    const auto isThere = [](int k) { return kInner % (kDepth * kParts) == 0 || k < kInner; };
    Pack columns[kHeld][kAcross], rows[kBrought][2 * kDown];
    const auto askColumns = [&](int i) {
        const int k = placeOf(i);
#pragma unroll
        for (int j = 0; j < kAcross; ++j)
            if (isThere(k))
@askColumn@            else
                columns[i % kHeld][j] = Pack{};
    };
    const auto askRows = [&](int i) {
        const int k = placeOf(i);
#pragma unroll
        for (int j = 0; j < 2 * kDown; ++j)
            rows[i % kBrought][j] = isThere(k) ? *reinterpret_cast<const Pack *>(@first@ + rowAt[j] + k) : Pack{};
    };
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
        askColumns(i);
    asm volatile("griddepcontrol.wait;" ::: "memory"); // From here on what other kernels have left is there.
#pragma unroll
    for (int i = 0; i < kBrought; ++i)
        askRows(i);
@declareBeside@
    float own[kDown][kAcross][4] = {};
#pragma unroll
    for (int step = 0; step < kOwn; ++step) {
        const Pack(&factors)[kAcross] = columns[step % kHeld];
        const Pack(&given)[2 * kDown] = rows[step % kBrought];
#pragma unroll
        for (int k = 0; k < 4; k += 2) {
            unsigned squares[kDown][4];
#pragma unroll
            for (int i = 0; i < kDown; ++i) {
                squares[i][0] = @rounded@(given[2 * i].at[k]);
                squares[i][1] = @rounded@(given[2 * i + 1].at[k]);
                squares[i][2] = @rounded@(given[2 * i].at[k + 1]);
                squares[i][3] = @rounded@(given[2 * i + 1].at[k + 1]);
            }
#pragma unroll
            for (int j = 0; j < kAcross; ++j) {
                const unsigned first = @rounded@(factors[j].at[k]);
                const unsigned second = @rounded@(factors[j].at[k + 1]);
#pragma unroll
                for (int i = 0; i < kDown; ++i)
                    multiply(own[i][j], squares[i], first, second);
            }
        }
        if (step + kHeld < kOwn)
            askColumns(step + kHeld);
        if (step + kBrought < kOwn)
            askRows(step + kBrought);
    }
    // Each warp has a part of its sums.
#pragma unroll
    for (int i = 0; i < kDown; ++i)
#pragma unroll
        for (int j = 0; j < kAcross; ++j) {
            float *const target =
                sums + (part * kBlockRows + i * 16 + lane / 4) * kPitch + (side * kAcross + j) * 8 + lane % 4 * 2;
            target[0] = own[i][j][0];
            target[1] = own[i][j][1];
            target[8 * kPitch] = own[i][j][2];
            target[8 * kPitch + 1] = own[i][j][3];
        }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        const int place = thread + i * kThreads;
        const int row = firstRow + place / kBlockUnits;
        const int column = firstUnit + place % kBlockUnits;
        if (place >= kBlockRows * kBlockUnits || row >= kRows || column >= kUnits)
            continue;
        const float *const parts = sums + place / kBlockUnits * kPitch + place % kBlockUnits;
@declareSums@#pragma unroll
        for (int other = 0; other < kParts; ++other) {
@addSums@        }
@statements@    }
}

@start@    constexpr int kBytes = WARPS / kSides * kBlockRows * kPitch * int(sizeof(float));
    if (const cudaError_t status =
            cudaFuncSetAttribute(@function@<WARPS>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
        status != cudaSuccess)
        return int(status);
    // The next turn's blocks may come while this one's are still at work: they wait before they read what it leaves.
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const dim3 blocks((kUnits + kBlockUnits - 1) / kBlockUnits, (kRows + kBlockRows - 1) / kBlockRows);
    const cudaLaunchConfig_t launch{blocks, dim3(WARPS * 32), kBytes, stream, &early, 1};
@call@}

} // namespace

// config = warps that share what is summed over: @choiceWords@.
@launcher@    switch (config) {
@cases@    }
}
)");

const QString multiplyFloats = QStringLiteral(
    R"(// Sums of 16 rows and 8 columns += 16 rows of 8 elements times 8 columns of 8: what the matrix units do in
// one instruction for a warp. Of each factor they take the first 10 bits of mantissa.
__device__ void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
}

// Rounded to TF32: the units cut off the last 13 bits, and half of the last one that stays makes of that a
// rounding.
__device__ unsigned rounded(unsigned bits) {
    return bits + 0x1000u;
}

)");

const QString multiplyHalves = QStringLiteral(
    R"(// Sums of 16 rows and 8 columns += 16 rows of 16 elements times 8 columns of 16: what the matrix units do in
// one instruction for a warp. Each register has two neighbours.
__device__ void multiply(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.@word@.@word@.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(first), "r"(second));
}

)");

class TurnProduct {
public:
    TurnProduct(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                const KernelNames &names)
        : m_graph(graph),
          m_plan(plan),
          m_kernel(kernel),
          m_names(names),
          m_type(kernel.leaves[0].type),
          m_isHalf(m_type != ElementType::Float32),
          m_tile(turnTile(kernel)),
          m_gates(static_cast<int>(firstBeside(kernel)) - 1) {}

    QString run() {
        const QString statements = this->statements();
        const std::vector<int> warps = turnProductWarps(m_kernel);
        QStringList words;
        QString cases;
        for (std::size_t i = warps.size(); i-- > 0;)
            cases += (i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i)) +
                     wrappedCall(QStringLiteral("        return start<%1>(").arg(warps[i]),
                                 cudaArguments(m_graph, m_plan, m_names).join(QLatin1String(", ")) +
                                     QStringLiteral(", stream"),
                                 QStringLiteral(");"));
        for (std::size_t i = 0; i < warps.size(); ++i)
            words << QStringLiteral("%1 -> %2").arg(i).arg(warps[i]);
        const int across =
            (m_tile.units * m_gates + 8 * m_tile.sides - 1) / (8 * m_tile.sides) * 8 * m_tile.sides;
        return filled(
            turnProductText,
            {{"head", head()},
             {"include", m_type == ElementType::Float16    ? QStringLiteral("#include <cuda_fp16.h>\n")
                         : m_type == ElementType::BFloat16 ? QStringLiteral("#include <cuda_bf16.h>\n")
                                                           : otherIncludes()},
             {"rows", QString::number(m_kernel.loops[0])},
             {"units", QString::number(m_kernel.loops[1])},
             {"gateWords", m_gates > 1 ? QStringLiteral(", of each of several products with one first matrix")
                                       : QString()},
             {"gates", QString::number(m_gates)},
             {"inner", QString::number(m_kernel.loops[2])},
             {"blockRows", QString::number(m_tile.rows)},
             {"sides", QString::number(m_tile.sides)},
             {"blockUnits", QString::number(m_tile.units)},
             {"depth", QString::number(64 / bytesOf(m_type))},
             {"gap", QString::number(across % 16 == 8 ? 0 : 8)},
             {"functions", functionTexts(m_functions, TextDialect::Cuda)},
             {"multiply", m_isHalf ? filled(multiplyHalves, {{"word", m_type == ElementType::Float16
                                                                          ? QStringLiteral("f16")
                                                                          : QStringLiteral("bf16")}})
                                   : multiplyFloats},
             {"signature", signature()},
             {"declareBeside", declareBeside()},
             {"rowPlace", place(0, QStringLiteral("(row < kRows ? row : kRows - 1)"), {}, {})},
             {"columnPlace",
              place(1, {}, QStringLiteral("(unit < kUnits ? unit : kUnits - 1)"), QStringLiteral("gate"))},
             {"first", m_names.nameOf(m_kernel.leaves[0].buffer)},
             {"askColumn", askColumn()},
             {"rounded", m_isHalf ? QString() : QStringLiteral("rounded")},
             {"declareSums", declareSums()},
             {"addSums", addSums()},
             {"statements", statements},
             {"function", m_names.function},
             {"start",
              wrappedCall(QStringLiteral("template <int WARPS> int start("),
                          parameters() + QStringLiteral(", cudaStream_t stream"), QStringLiteral(") {"))},
             {"call", wrappedCall(QStringLiteral("    return int(cudaLaunchKernelEx("),
                                  QStringLiteral("&launch, %1<WARPS>, ").arg(m_names.function) + names(),
                                  QStringLiteral("));"))},
             {"choiceWords", words.join(QLatin1String(", "))},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_plan, m_kernel, m_names) +
                                          QStringLiteral(", int config, cudaStream_t stream"),
                                      QStringLiteral(") {"))},
             {"cases", cases}});
    }

private:
    [[nodiscard]] QString head() const {
        return anchorHead(
            m_kernel, m_names,
            QStringLiteral(
                "A turn's product, and what is made of it. Rows are few, so there is little to multiply: "
                "what "
                "takes its time is to bring the second matrix from the cache, and to begin. So each block "
                "takes a few columns%1 and all that is summed over; its warps share that, load 16 bytes at a "
                "time straight into the registers that the matrix units take, and meet once, in shared "
                "memory. Then the sums of an element are with one thread, which goes on with them.%2")
                .arg(m_gates > 1 ? QStringLiteral(" of each gate") : QString(),
                     m_isHalf ? QString() : QStringLiteral(" The units round floats to TF32.")));
    }

    [[nodiscard]] QString otherIncludes() const {
        QString text;
        const auto uses = [this](ElementType type) {
            return std::any_of(m_kernel.leaves.begin(), m_kernel.leaves.end(),
                               [type](const KernelLeaf &leaf) { return leaf.type == type; }) ||
                   std::any_of(m_kernel.stores.begin(), m_kernel.stores.end(),
                               [type](const KernelStore &store) { return store.type == type; });
        };
        if (uses(ElementType::Float16))
            text += QLatin1String("#include <cuda_fp16.h>\n");
        if (uses(ElementType::BFloat16))
            text += QLatin1String("#include <cuda_bf16.h>\n");
        return text;
    }

    // What a turn leaves is no memory that it reads; but it may be another place of the same.
    [[nodiscard]] QString signature() const { return cudaSignature(m_graph, m_plan, m_names); }

    [[nodiscard]] QString parameters() const {
        QStringList list;
        for (const int buffer : m_names.readBuffers)
            list << QStringLiteral("const %1 *%2")
                        .arg(cTypeName(typeOfBuffer(m_graph, m_plan, buffer), true), m_names.nameOf(buffer));
        for (const int buffer : m_names.writtenBuffers)
            list << QStringLiteral("%1 *%2").arg(cTypeName(typeOfBuffer(m_graph, m_plan, buffer), true),
                                                 m_names.nameOf(buffer));
        return list.join(QLatin1String(", "));
    }
    [[nodiscard]] QString names() const {
        QStringList list;
        for (const std::vector<int> *buffers : {&m_names.readBuffers, &m_names.writtenBuffers})
            for (const int buffer : *buffers)
                list << m_names.nameOf(buffer);
        return list.join(QLatin1String(", "));
    }

    /// Where a row or a column of a matrix begins.
    [[nodiscard]] QString place(std::size_t leaf, const QString &row, const QString &column,
                                const QString &gate) const {
        const AffineIndex &address = m_kernel.leaves[leaf].address;
        QString text = indexText(address, {row, column, QString()});
        if (m_gates > 1 && !gate.isEmpty())
            text += QStringLiteral(" + %1 * %2")
                        .arg(gate)
                        .arg(m_kernel.leaves[2].address.offset - address.offset);
        return text;
    }

    [[nodiscard]] bool isAcross() const { return m_kernel.leaves[1].address.steps[2] != 1; }
    [[nodiscard]] QString askColumn() const {
        const QString name = m_names.nameOf(m_kernel.leaves[1].buffer);
        if (!isAcross())
            return QStringLiteral(
                       "                columns[i % kHeld][j] = *reinterpret_cast<const Pack *>(%1 + "
                       "columnAt[j] + k);\n")
                .arg(name);
        return QStringLiteral(
                   "#pragma unroll\n"
                   "                for (int n = 0; n < 4; ++n) // rows of the second matrix\n"
                   "                    columns[i % kHeld][j].at[n] = __float_as_uint(%1[columnAt[j] + (k + "
                   "n) * %2]);\n")
            .arg(name)
            .arg(m_kernel.leaves[1].address.steps[2]);
    }

    [[nodiscard]] static QString readName(std::size_t leaf) { return QStringLiteral("read%1").arg(leaf); }
    [[nodiscard]] QString declareBeside() const {
        QString declared;
        QString read;
        for (std::size_t i = firstBeside(m_kernel); i < m_kernel.leaves.size(); ++i) {
            const KernelLeaf &leaf = m_kernel.leaves[i];
            declared += QStringLiteral("    %1 %2[kEach];\n").arg(cTypeName(leaf.type, true), readName(i));
            read += QStringLiteral("        %1[i] = %2[%3];\n")
                        .arg(readName(i), m_names.nameOf(leaf.buffer),
                             indexText(leaf.address, {QStringLiteral("row"), QStringLiteral("column"), {}}));
        }
        if (declared.isEmpty())
            return {};
        return QStringLiteral(
                   "    // What is read beside the matrices is asked for first, and is there when the "
                   "sums are.\n") +
               declared +
               QStringLiteral("#pragma unroll\n"
                              "    for (int i = 0; i < kEach; ++i) {\n"
                              "        const int place = thread + i * kThreads;\n") +
               lineOf("row", "firstRow + place / kBlockUnits", "kRows", read) +
               lineOf("column", "firstUnit + place % kBlockUnits", "kUnits", read) + read +
               QStringLiteral("    }\n");
    }
    static QString lineOf(const char *name, const char *value, const char *count, const QString &text) {
        const QString word = QLatin1String(name);
        return text.contains(word) ? QStringLiteral("        const int %1 = %2 < %3 ? %2 : %3 - 1;\n")
                                         .arg(word, QLatin1String(value), QLatin1String(count))
                                   : QString();
    }

    static QString sumName(int gate) {
        return gate == 0 ? QStringLiteral("sum") : QStringLiteral("sum%1").arg(gate + 1);
    }
    [[nodiscard]] QString declareSums() const {
        QStringList list;
        for (int gate = 0; gate < m_gates; ++gate)
            list << sumName(gate) + QStringLiteral(" = 0.0f");
        return wrappedCall(QStringLiteral("        float "), list.join(QLatin1String(", ")),
                           QStringLiteral(";"));
    }
    [[nodiscard]] QString addSums() const {
        QString text;
        for (int gate = 0; gate < m_gates; ++gate)
            text += QStringLiteral("            %1 += parts[other * kBlockRows * kPitch%2];\n")
                        .arg(sumName(gate), gate == 0   ? QString()
                                            : gate == 1 ? QStringLiteral(" + kBlockUnits")
                                                        : QStringLiteral(" + %1 * kBlockUnits").arg(gate));
        return text;
    }

    QString statements() {
        std::vector<StoredElement> targets;
        for (const KernelStore &store : m_kernel.stores)
            targets.push_back({QStringLiteral("%1[%2]").arg(
                m_names.nameOf(store.buffer),
                indexText(store.address, {QStringLiteral("row"), QStringLiteral("column"), {}}))});
        QString lines;
        for (const QString &line : epilogueStatements(
                 m_kernel,
                 [](int leaf) { return readName(static_cast<std::size_t>(leaf)) + QStringLiteral("[i]"); },
                 QStringLiteral("sum"), targets, m_functions, TextDialect::Cuda))
            lines += wrapped(line, QString(8, QLatin1Char(' ')), QString(12, QLatin1Char(' ')));
        return lines;
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    ElementType m_type;
    bool m_isHalf;
    TurnTile m_tile;
    int m_gates;
    std::set<QString> m_functions;
};

} // namespace

QString turnProductCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                            const KernelNames &names) {
    return TurnProduct(graph, plan, kernel, names).run();
}

QString turnProductCpuText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                           const KernelNames &names) {
    const auto isHalf = [](ElementType type) {
        return type == ElementType::Float16 || type == ElementType::BFloat16;
    };
    QString casts;
    std::set<int> known;
    const auto cast = [&](int buffer, const char *constant) {
        const ElementType type = typeOfBuffer(graph, plan, buffer);
        if (isHalf(type) && known.insert(buffer).second)
            casts += QStringLiteral("    %1%2 *const %3Halves = static_cast<%1%2 *>(%3);\n")
                         .arg(QLatin1String(constant), cTypeName(type, false), names.nameOf(buffer));
    };
    const auto name = [&](int buffer) {
        return names.nameOf(buffer) +
               (isHalf(typeOfBuffer(graph, plan, buffer)) ? QStringLiteral("Halves") : QString());
    };
    for (const int buffer : names.readBuffers)
        cast(buffer, "const ");
    for (const int buffer : names.writtenBuffers)
        cast(buffer, "");
    const QStringList counters{QStringLiteral("row"), QStringLiteral("column"), QStringLiteral("k")};
    const auto elementOf = [&](int leaf) {
        const KernelLeaf &what = kernel.leaves[static_cast<std::size_t>(leaf)];
        return QStringLiteral("%1[%2]").arg(name(what.buffer), indexText(what.address, counters));
    };
    std::set<QString> functions;
    ScalarText factors(kernel, TextDialect::PlainCpu, elementOf);
    QStringList declared;
    QString added;
    const std::vector<int> sums = sumsOf(kernel);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const QString sum = i == 0 ? QStringLiteral("sum") : QStringLiteral("sum%1").arg(i + 1);
        declared << sum + QStringLiteral(" = 0.0f");
        added += QStringLiteral("                %1 += %2;\n")
                     .arg(sum, factors.text(kernel.step(sums[i]).operands[0]));
    }
    functions.insert(factors.functions().begin(), factors.functions().end());
    std::vector<StoredElement> targets;
    for (const KernelStore &store : kernel.stores)
        targets.push_back(
            {QStringLiteral("%1[%2]").arg(name(store.buffer), indexText(store.address, counters))});
    QString statements;
    for (const QString &line : epilogueStatements(kernel, elementOf, QStringLiteral("sum"), targets,
                                                  functions, TextDialect::PlainCpu))
        statements += wrapped(line, QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
    return QStringLiteral(
               "// The CPU twin of %1.cu: the same contract, without the stream. All in float: no TF32 "
               "here.\n//\n")
               .arg(names.stem) +
           anchorHead(
               kernel, names,
               QStringLiteral("Rows are few: whoever is free takes a row's column, and goes on with its "
                              "sums.")) +
           QStringLiteral(
               "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n\n"
               "namespace {\n\nconstexpr std::int64_t kRows = %1;\nconstexpr std::int64_t kColumns = "
               "%2;\nconstexpr std::int64_t kInner = %3;\n\n")
               .arg(kernel.loops[0])
               .arg(kernel.loops[1])
               .arg(kernel.loops[2]) +
           functionTexts(functions, TextDialect::PlainCpu) + QStringLiteral("} // namespace\n\n") +
           wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(names.launcher()),
                       launcherParameters(graph, plan, kernel, names) + QStringLiteral(", int"),
                       QStringLiteral(") {")) +
           casts +
           QStringLiteral("#pragma omp parallel for collapse(2)\n"
                          "    for (std::int64_t row = 0; row < kRows; ++row)\n"
                          "        for (std::int64_t column = 0; column < kColumns; ++column) {\n") +
           wrappedCall(QStringLiteral("            float "), declared.join(QLatin1String(", ")),
                       QStringLiteral(";")) +
           QStringLiteral("            for (std::int64_t k = 0; k < kInner; ++k) {\n") + added +
           QStringLiteral("            }\n") + statements + QStringLiteral("        }\n    return 0;\n}\n");
}

} // namespace warpwright
