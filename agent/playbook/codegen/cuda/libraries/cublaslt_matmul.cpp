// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/libraries/cublaslt_matmul.h"

#include "agent/playbook/codegen/cuda/libraries/templates/cublaslt_matmul.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/kernel_seconds.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

constexpr std::int64_t mostAlignment = 16; ///< bytes; the least alignment of a torch tensor

struct CudaTypes {
    QString element; ///< type behind pointers
    QString data;    ///< cudaDataType_t
    QString scale;
    QString scaleType;
};

CudaTypes typesOf(ElementType type) {
    const QString isFloat = QStringLiteral("CUDA_R_32F");
    switch (type) {
    case ElementType::Float64:
        return {QStringLiteral("double"), QStringLiteral("CUDA_R_64F"), QStringLiteral("double"),
                QStringLiteral("CUDA_R_64F")};
    case ElementType::Float16:
        return {QStringLiteral("__half"), QStringLiteral("CUDA_R_16F"), QStringLiteral("float"), isFloat};
    case ElementType::BFloat16:
        return {QStringLiteral("__nv_bfloat16"), QStringLiteral("CUDA_R_16BF"), QStringLiteral("float"),
                isFloat};
    default:
        return {QStringLiteral("float"), isFloat, QStringLiteral("float"), isFloat};
    }
}

class CublasLtMatmul : private KernelWriter {
public:
    explicit CublasLtMatmul(const KernelSource &source)
        : KernelWriter(source),
          m_epilogue(source.kernel.matmul()->epilogue),
          m_type(source.kernel.inputs[0].type),
          m_types(typesOf(m_type)),
          m_usesTf32(source.knobs.usesTf32 && m_type == ElementType::Float32),
          m_batches(source.kernel.outer - 2) {
        // The largest batch loop becomes a strided batch of one call, the others are loops over calls.
        m_strided = m_batches;
        for (std::size_t k = 0; k < m_batches; ++k)
            if (m_strided == m_batches || source.kernel.loops[k] > source.kernel.loops[m_strided])
                m_strided = k;
    }

    QString run() const {
        const std::int64_t rows = loop(0);
        const std::int64_t columns = loop(1);
        const std::int64_t inner = loop(2);
        // Row-major or column-major: which of the two loops has stride 1; the other one's stride is the
        // leading dimension.
        const bool firstByRows = isUnit(0, 2, inner) && (step(0, 0) >= inner || rows == 1);
        const bool secondByRows = isUnit(1, 1, columns) && (step(1, 2) >= columns || inner == 1);
        const auto layout = [&](bool byRows, std::size_t input, std::size_t down, std::size_t across) {
            const QString leading = QString::number(byRows ? std::max(step(input, down), loop(across))
                                                           : std::max(step(input, across), loop(down)));
            const QString sizes = byRows ? QStringLiteral("%1, %2").arg(size(across), size(down))
                                         : QStringLiteral("%1, %2").arg(size(down), size(across));
            return QStringLiteral("%1, %2%3").arg(sizes, leading, batchStep(addressOf(input)));
        };
        const auto op = [](bool byRows) {
            return byRows ? QStringLiteral("CUBLAS_OP_N") : QStringLiteral("CUBLAS_OP_T");
        };
        const QString result = QStringLiteral("kColumns, kRows, %1%2")
                                   .arg(std::max(m_kernel.stores[0].address.steps[m_batches], columns))
                                   .arg(batchStep(m_kernel.stores[0].address));
        const QString head = wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                         launcherParameters(m_graph, m_program, m_names) +
                                             QStringLiteral(", int config, cudaStream_t stream"),
                                         QStringLiteral(") {"));
        return opening() + constants() +
               fillTemplate(
                   cublasLtPlan,
                   {{"batchWords", hasBatch()
                                       ? QStringLiteral(", `batchStride` elements from one to the next")
                                       : QString()},
                    {"batchParameter", hasBatch() ? QStringLiteral(", std::int64_t batchStride") : QString()},
                    {"makeMatrix", makeMatrix()},
                    {"scaleType", m_types.scaleType},
                    {"scale", m_types.scale},
                    {"opA", op(firstByRows)},
                    {"opB", op(secondByRows)},
                    {"layoutA", layout(firstByRows, 0, 0, 2)},
                    {"layoutB", layout(secondByRows, 1, 2, 1)},
                    {"layoutY", result},
                    {"epilogue", epilogue()},
                    {"proposals", QString::number(cublasLtProposals)},
                    {"last", QString::number(cublasLtProposals - 1)},
                    {"head", head.chopped(1)},
                    {"bias", biasLines()},
                    {"beta",
                     isAdded()
                         ? QStringLiteral("    const %1 beta = 1; // the addend is the library's matrix C\n")
                               .arg(m_types.scale)
                         : QStringLiteral("    const %1 beta = 0;\n").arg(m_types.scale)},
                    {"call", calls()}});
    }

private:
    std::int64_t loop(std::size_t which) const { return m_kernel.loops[m_batches + which]; }
    static QString size(std::size_t which) {
        return which == 0   ? QStringLiteral("kRows")
               : which == 1 ? QStringLiteral("kColumns")
                            : QStringLiteral("kInner");
    }
    const AffineExpr &addressOf(std::size_t input) const { return m_kernel.inputs[input].address; }
    std::int64_t step(std::size_t input, std::size_t which) const {
        return addressOf(input).steps[m_batches + which];
    }
    bool isUnit(std::size_t input, std::size_t which, std::int64_t elements) const {
        return step(input, which) == 1 || elements == 1;
    }
    bool hasBatch() const { return m_batches > 0; }
    bool isAdded() const { return m_epilogue.added >= 0; }
    QString batchStep(const AffineExpr &address) const {
        return hasBatch() ? QStringLiteral(", %1").arg(address.steps[m_strided]) : QString();
    }

    QString opening() const {
        const bool isFused = !m_epilogue.isEmpty();
        QString text = kernelHeadComment(
            m_kernel, m_names,
            isComputeBoundInLibrary(m_kernel, m_knobs)
                ? QStringLiteral("Each element of the matrices is used many times, so it is compute-bound, "
                                 "and NVIDIA's library is hard to beat at it. What is left to win is around "
                                 "it:")
                : QStringLiteral("A call of NVIDIA's library. What is left to win is around it:"));
        QStringList points;
        points << (m_usesTf32 ? QStringLiteral(
                                    "TF32. The tensor cores multiply floats rounded to 10 bits of mantissa "
                                    "and add in float: many times the speed of plain float. It is a change "
                                    "of precision, so the report compares with TF32 baselines.")
                   : m_type == ElementType::Float32
                       ? QStringLiteral(
                             "Plain float, as in the reference. The tensor cores would need TF32: a "
                             "change of precision, and a separate choice.")
                       : QStringLiteral("The tensor cores, which accumulate in float."));
        if (isFused)
            points << QStringLiteral("A fused epilogue. It is applied to sums while these are still in "
                                     "registers. A separate kernel would read and write all of the result "
                                     "again.");
        points << QStringLiteral("A cached plan. Choosing an algorithm takes longer than a matmul, so the "
                                 "choice is cached per device and stream.");
        for (qsizetype i = 0; i < points.size(); ++i)
            text += wrapped(points[i], QStringLiteral("//   %1. ").arg(i + 1), QStringLiteral("//      "));
        text += QLatin1String("#include <cublasLt.h>\n");
        if (m_type == ElementType::Float16)
            text += QLatin1String("#include <cuda_fp16.h>\n");
        if (m_type == ElementType::BFloat16)
            text += QLatin1String("#include <cuda_bf16.h>\n");
        return text +
               QLatin1String(
                   "#include <cuda_runtime.h>\n\n#include <array>\n#include <cstdint>\n#include <map>\n\n"
                   "namespace {\n\n");
    }

    // The alignment of all matrices, in bytes.
    std::int64_t alignment() const {
        std::int64_t bytes = mostAlignment;
        const auto alignTo = [&](const AffineExpr &address) {
            bytes = std::gcd(bytes, address.offset * bytesOf(m_type));
            for (std::size_t k = 0; k < m_batches; ++k)
                bytes = std::gcd(bytes, address.steps[k] * bytesOf(m_type));
        };
        alignTo(addressOf(0));
        alignTo(addressOf(1));
        alignTo(m_kernel.stores[0].address);
        return bytes;
    }

    QString constants() const {
        QString text = QStringLiteral("constexpr int kRows = %1; // of the result\n"
                                      "constexpr int kColumns = %2;\n"
                                      "constexpr int kInner = %3; // K: what is summed over\n")
                           .arg(loop(0))
                           .arg(loop(1))
                           .arg(loop(2));
        if (hasBatch())
            text += QStringLiteral("constexpr std::int32_t kBatch = %1; // separate matmuls, in one call\n")
                        .arg(m_kernel.loops[m_strided]);
        const QString compute =
            m_type == ElementType::Float64 ? QStringLiteral("CUBLAS_COMPUTE_64F;")
            : m_usesTf32                   ? QStringLiteral("CUBLAS_COMPUTE_32F_FAST_TF32;")
            : m_type == ElementType::Float32
                ? QStringLiteral("CUBLAS_COMPUTE_32F; // 23 bits of mantissa in every step")
                : QStringLiteral("CUBLAS_COMPUTE_32F; // sums are float");
        return text + QStringLiteral(
                          "constexpr cublasComputeType_t kCompute = %1\n"
                          "constexpr std::size_t kWorkspaceBytes = 32u << 20; // what NVIDIA recommends for "
                          "Hopper\n"
                          "// The alignment of every matrix. The library assumes 256 unless this is set.\n"
                          "constexpr std::uint32_t kAlignment = %2;\n\n")
                          .arg(compute)
                          .arg(alignment());
    }

    QString makeMatrix() const {
        const QString make =
            QStringLiteral("cublasLtMatrixLayoutCreate(layout, %1, rows, columns, leadingDimension)")
                .arg(m_types.data);
        if (!hasBatch())
            return QStringLiteral("    return %1;\n").arg(make);
        return QStringLiteral(
                   "    TRY(%1);\n"
                   "    TRY(cublasLtMatrixLayoutSetAttribute(*layout, "
                   "CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &kBatch,\n"
                   "                                         sizeof kBatch));\n"
                   "    return cublasLtMatrixLayoutSetAttribute(*layout, "
                   "CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,\n"
                   "                                            &batchStride, sizeof batchStride);\n")
            .arg(make);
    }

    QString epilogue() const {
        const Epilogue &what = m_epilogue;
        if (what.bias < 0 && what.activation == EpilogueActivation::None)
            return {};
        const QString word = what.activation == EpilogueActivation::Relu       ? QStringLiteral("RELU")
                             : what.activation == EpilogueActivation::GeluTanh ? QStringLiteral("GELU")
                                                                               : QString();
        QStringList parts;
        if (!word.isEmpty())
            parts << word;
        if (what.bias >= 0)
            parts << QStringLiteral("BIAS");
        const QString comment = what.activation == EpilogueActivation::GeluTanh
                                    ? QStringLiteral(" // GELU in its tanh form.")
                                    : QString();
        return QStringLiteral("    TRY(set(plan.matmulDesc, CUBLASLT_MATMUL_DESC_EPILOGUE, "
                              "CUBLASLT_EPILOGUE_%1));%2\n")
            .arg(parts.join(QLatin1Char('_')), comment);
    }

    QString biasLines() const {
        if (m_epilogue.bias < 0)
            return {};
        const KernelInput &bias = m_kernel.inputs[static_cast<std::size_t>(m_epilogue.bias)];
        const QString name = m_names.nameOf(bias.buffer);
        const QString at =
            bias.address.offset == 0 ? name : QStringLiteral("%1 + %2").arg(name).arg(bias.address.offset);
        return QStringLiteral(
                   "    // One element for each of our columns, which are the library's rows: its bias "
                   "epilogue.\n"
                   "    TRY(set(plan.matmulDesc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, %1));\n")
            .arg(at);
    }

    // One call, or loops over the batches that are not in the library's strided batch.
    QString calls() const {
        QString text;
        QStringList counters(static_cast<qsizetype>(m_kernel.loops.size()), QString());
        int depth = 1;
        for (std::size_t k = 0; k < m_batches; ++k) {
            if (k == m_strided)
                continue;
            const QString name = QStringLiteral("i%1").arg(k);
            counters[static_cast<qsizetype>(k)] = name;
            text +=
                QString(4 * depth++, QLatin1Char(' ')) +
                QStringLiteral("for (std::int64_t %1 = 0; %1 < %2; ++%1)\n").arg(name).arg(m_kernel.loops[k]);
        }
        const auto pointer = [&](int buffer, const AffineExpr &address, const char *constant) {
            const QString index = indexExpression(address, counters);
            QString name = m_names.nameOf(buffer);
            if (index == QLatin1String("0"))
                return name;
            if (m_type == ElementType::Float16 || m_type == ElementType::BFloat16)
                name = QStringLiteral("static_cast<%1%2 *>(%3)")
                           .arg(QLatin1String(constant), m_types.element, name);
            return QStringLiteral("%1 + %2").arg(name, index);
        };
        const QString first = pointer(m_kernel.inputs[0].buffer, addressOf(0), "const ");
        const QString second = pointer(m_kernel.inputs[1].buffer, addressOf(1), "const ");
        const QString result = pointer(m_kernel.stores[0].buffer, m_kernel.stores[0].address, "");
        const QString added =
            isAdded() ? m_names.nameOf(m_kernel.inputs[static_cast<std::size_t>(m_epilogue.added)].buffer)
                      : result;
        const QString arguments =
            QStringLiteral(
                "plan.handle, plan.matmulDesc, &alpha, %1, plan.layoutB, %2, plan.layoutA, &beta, %4, "
                "plan.layoutD, %3, plan.layoutD, &plan.algorithm, plan.workspace, kWorkspaceBytes, stream")
                .arg(second, first, result, added);
        const QString indent(4 * depth, QLatin1Char(' '));
        if (depth == 1)
            return text + wrappedCall(indent + QStringLiteral("return cublasLtMatmul("), arguments,
                                      QStringLiteral(");"));
        return text +
               wrappedCall(indent + QStringLiteral("TRY(cublasLtMatmul("), arguments, QStringLiteral("));")) +
               QLatin1String("    return CUBLAS_STATUS_SUCCESS;\n");
    }

    const Epilogue &m_epilogue;
    ElementType m_type;
    CudaTypes m_types;
    bool m_usesTf32;
    std::size_t m_batches;
    std::size_t m_strided = 0;
};

} // namespace

QString cublasLtMatmulCudaText(const KernelSource &source) {
    return CublasLtMatmul(source).run();
}

} // namespace warpwright
