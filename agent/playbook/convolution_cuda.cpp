// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/convolution_cuda.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/buffer_layout.h"
#include "agent/playbook/convolution_graph_text.h"
#include "agent/playbook/loop_text.h"

namespace warpwright {
namespace {

const QString convolutionText = QStringLiteral(R"(@head@#include <cuda_runtime.h>
#include <cudnn.h>

#include <array>
#include <cstdint>
#include <map>

namespace {

constexpr int kDimensions = @dimensions@; // images, channels and space@flat@
constexpr int kInput[] = {@input@};
constexpr int kInputSteps[] = {@inputSteps@};
constexpr int kFilters[] = {@filters@}; // @filterWords@, taps
constexpr int kResult[] = {@result@};
constexpr int kResultSteps[] = {@resultSteps@};
constexpr int kPadding[] = {@padding@};
constexpr int kStride[] = {@stride@};
constexpr int kDilation[] = {@dilation@};
constexpr int kGroups = @groups@;
constexpr cudnnDataType_t kType = @type@;
@math@
constexpr std::size_t kMostWorkspace = std::size_t(1) << 30;

// Leaves the function with the library's status when a call fails.
#define TRY(call)                                                            \
    if (const cudnnStatus_t status = (call); status != CUDNN_STATUS_SUCCESS) \
    return status

struct Plan {
    cudnnHandle_t handle = nullptr;
    cudnnTensorDescriptor_t input = nullptr;
    cudnnTensorDescriptor_t result = nullptr;
    cudnnFilterDescriptor_t filters = nullptr;
    cudnnConvolutionDescriptor_t convolution = nullptr;
    cudnnTensorDescriptor_t bias = nullptr;
    cudnnActivationDescriptor_t activation = nullptr;
    cudnnConvolutionFwdAlgo_t algorithm{};
    void *workspace = nullptr;
    std::size_t workspaceBytes = 0;
};

cudnnStatus_t describe(Plan &plan) {
    TRY(cudnnCreate(&plan.handle));
    TRY(cudnnCreateTensorDescriptor(&plan.input));
    TRY(cudnnSetTensorNdDescriptor(plan.input, kType, kDimensions, kInput, kInputSteps));
    TRY(cudnnCreateTensorDescriptor(&plan.result));
    TRY(cudnnSetTensorNdDescriptor(plan.result, kType, kDimensions, kResult, kResultSteps));
    TRY(cudnnCreateFilterDescriptor(&plan.filters));
    TRY(cudnnSetFilterNdDescriptor(plan.filters, kType, CUDNN_TENSOR_@format@, kDimensions, kFilters));
    TRY(cudnnCreateConvolutionDescriptor(&plan.convolution));
    TRY(cudnnSetConvolutionNdDescriptor(plan.convolution, kDimensions - 2, kPadding, kStride, kDilation,
                                        CUDNN_CROSS_CORRELATION, @computeType@));
    TRY(cudnnSetConvolutionGroupCount(plan.convolution, kGroups));
@describe@    return cudnnSetConvolutionMathType(plan.convolution, kMath);
}

cudnnStatus_t makePlan(Plan &plan, int config) {
    TRY(describe(plan));
    // Proposals come best first, by the library's own estimate. It is only an estimate: try the others.
    std::array<cudnnConvolutionFwdAlgoPerf_t, 16> proposals;
    int count = 0;
    TRY(cudnnGetConvolutionForwardAlgorithm_v7(plan.handle, plan.input, plan.filters, plan.convolution,
                                               plan.result, int(proposals.size()), &count,
                                               proposals.data()));
    int wanted = config;
    bool isFound = false;
    for (int i = 0; i < count; ++i) {
        if (proposals[i].status != CUDNN_STATUS_SUCCESS || proposals[i].memory > kMostWorkspace)
            continue;
@only@        plan.algorithm = proposals[i].algo;
@chosenMath@        plan.workspaceBytes = proposals[i].memory;
        isFound = true;
        if (wanted-- == 0)
            break;
    }
    if (!isFound)
        return CUDNN_STATUS_NOT_SUPPORTED;
    if (plan.workspaceBytes > 0 && cudaMalloc(&plan.workspace, plan.workspaceBytes) != cudaSuccess)
        return CUDNN_STATUS_ALLOC_FAILED;
    return CUDNN_STATUS_SUCCESS;
}

} // namespace

// config = which of the library's proposals, 0 to 3. Returns 0, or a cudnnStatus_t.
// Not for several host threads at once; a call from Python holds the interpreter lock.
@launcher@
    int device = 0;
    cudaGetDevice(&device);
    // The stream is part of the key because the workspace is: two streams must not share one.
    using Key = std::array<std::intptr_t, 3>;
    static std::map<Key, Plan> plans;
    const Key key{device, reinterpret_cast<std::intptr_t>(stream), config};
    auto found = plans.find(key);
    if (found == plans.end()) {
        Plan plan;
        TRY(makePlan(plan, config));
        TRY(cudnnSetStream(plan.handle, stream));
        found = plans.emplace(key, plan).first;
    }

    const Plan &plan = found->second;
    const @scale@ one = 1;
    const @scale@ zero = 0;
@call@}
)");

QString numbers(const Shape &shape) {
    QStringList parts;
    for (const std::int64_t size : shape)
        parts << QString::number(size);
    return parts.join(QLatin1String(", "));
}

/// cuDNN knows no space of one dimension: a second one of size 1 goes before it.
Shape padded(Shape shape, std::size_t at, std::int64_t value) {
    if (shape.size() - at == 1)
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), value);
    return shape;
}

class ConvolutionCuda {
public:
    ConvolutionCuda(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                    const KernelNames &names, const KernelTuning &tuning)
        : m_graph(graph),
          m_plan(plan),
          m_kernel(kernel),
          m_names(names),
          m_sizes(kernel.convolution),
          m_type(kernel.leaves[0].type),
          m_usesTf32(tuning.usesTf32 && m_type == ElementType::Float32) {}

    QString run() const { return hasEpilogue() ? callWithEpilogue() : graphOfOne(); }

private:
    // What both texts say of the convolution in the same words.
    QString described(const QString &text) const {
        const Shape &strides = m_kernel.stores[0].address.steps;
        const bool isDouble = m_type == ElementType::Float64;
        return filled(
            text,
            {{"head", opening()},
             {"dimensions", QString::number(padded(m_sizes.input, 2, 1).size())},
             {"flat", m_sizes.dimensions() == 1 ? QStringLiteral("; cuDNN's has two dimensions at least")
                                                : QString()},
             {"input", numbers(padded(m_sizes.input, 2, 1))},
             {"inputSteps", numbers(padded(m_sizes.inputStrides, 2, m_sizes.inputStrides[1]))},
             {"filters", numbers(padded(m_sizes.weight, 2, 1))},
             {"filterWords", filterWords()},
             {"result", numbers(padded(m_sizes.output, 2, 1))},
             {"resultSteps", numbers(padded(strides, 2, strides[1]))},
             {"padding", numbers(padded(m_sizes.padding, 0, 0))},
             {"stride", numbers(padded(m_sizes.stride, 0, 1))},
             {"dilation", numbers(padded(m_sizes.dilation, 0, 1))},
             {"type", dataType()},
             {"computeType",
              isDouble ? QStringLiteral("CUDNN_DATA_DOUBLE") : QStringLiteral("CUDNN_DATA_FLOAT")},
             {"scale", isDouble ? QStringLiteral("double") : QStringLiteral("float")},
             {"launcher", launcherHead()}});
    }

    QString callWithEpilogue() const {
        return filled(
            described(convolutionText),
            {{"groups", QString::number(m_sizes.groups)},
             {"format", m_sizes.isChannelsLast ? QStringLiteral("NHWC") : QStringLiteral("NCHW")},
             {"math", math()},
             {"describe", describe()},
             {"only", only()},
             {"chosenMath", m_type == ElementType::Float32 && !m_usesTf32
                                ? QString()
                                : QStringLiteral("        TRY(cudnnSetConvolutionMathType(plan.convolution, "
                                                 "proposals[i].mathType));\n")},
             {"call", call()}});
    }

    QString graphOfOne() const {
        const bool isTransposed = m_sizes.isTransposed;
        const Shape filters = padded(m_sizes.weight, 2, 1);
        const Shape filterSteps = m_sizes.isChannelsLast
                                      ? layoutInOrder(filters, {0, 2, 3, 1}, 1, filters[1]).strides
                                      : contiguousStrides(filters);
        const QString pointers[] = {inputPointer(), m_names.nameOf(m_kernel.leaves[1].buffer),
                                    m_names.nameOf(m_kernel.stores[0].buffer)};
        QStringList alignments;
        for (const QString &pointer : pointers)
            alignments << QStringLiteral("alignmentOf(%1)").arg(pointer);
        return filled(
            described(convolutionGraphText()),
            {{"filterSteps", numbers(filterSteps)},
             {"units", m_type == ElementType::Float32 && !m_usesTf32 ? QStringLiteral("false; // no TF32")
                                                                     : QStringLiteral("true;")},
             {"scaleType",
              m_type == ElementType::Float64 ? QStringLiteral("DOUBLE") : QStringLiteral("FLOAT")},
             {"operation", isTransposed ? QStringLiteral("BACKWARD_DATA") : QStringLiteral("FORWARD")},
             {"words", isTransposed ? QStringLiteral("BWD_DATA") : QStringLiteral("FORWARD")},
             {"x", isTransposed ? QStringLiteral("DY") : QStringLiteral("X")},
             {"y", isTransposed ? QStringLiteral("DX") : QStringLiteral("Y")},
             {"alignments", alignments.join(QLatin1String(", "))},
             {"arguments", QStringList(std::begin(pointers), std::end(pointers)).join(QLatin1String(", "))}});
    }

    QString filterWords() const {
        if (m_sizes.isTransposed)
            return QStringLiteral("channels in, channels out of a group");
        return QStringLiteral("channels out, channels in of a group") +
               (m_sizes.isChannelsLast ? QStringLiteral(" (these lie innermost)") : QString());
    }

    QString launcherHead() const {
        return wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                           launcherParameters(m_graph, m_plan, m_kernel, m_names) +
                               QStringLiteral(", int config, cudaStream_t stream"),
                           QStringLiteral(") {"))
            .chopped(1);
    }

    bool hasEpilogue() const { return m_kernel.epilogue.bias >= 0; }
    bool isRelu() const { return m_kernel.epilogue.activation == EpilogueActivation::Relu; }

    QString opening() const {
        QStringList points;
        points << (m_usesTf32 ? QStringLiteral(
                                    "TF32. The matrix units multiply floats rounded to 10 bits of mantissa "
                                    "and add in float: many times the speed of plain float. It is a change "
                                    "of precision, so the report compares with TF32 baselines.")
                   : m_type == ElementType::Float32
                       ? QStringLiteral(
                             "Plain float, as the reference says. The matrix units would need TF32: a "
                             "change of precision, and a choice of its own.")
                       : QStringLiteral("The matrix units, which add what they multiply in float."));
        if (m_sizes.isChannelsLast)
            points << QStringLiteral(
                "Channels last. What is summed over first lies side by side, as the matrix units want "
                "it; of any other order the library makes this one, for each call.");
        if (hasEpilogue())
            points << QStringLiteral("Bias%1 in the same pass over the result.")
                          .arg(isRelu() ? QStringLiteral(" and ReLU") : QString());
        if (m_sizes.isTransposed)
            points << QStringLiteral(
                "A transposed convolution is what the gradient of a convolution with respect "
                "to its input is. cuDNN has it under that name.");
        points << QStringLiteral(
            "Everything that can be decided once is decided once. Choosing an algorithm "
            "takes longer than a convolution, so the choice is kept per device and stream.");
        QString text =
            anchorHead(m_kernel, m_names,
                       QStringLiteral("Each input is used by many filters, so arithmetic decides, and "
                                      "NVIDIA's library is hard to beat at it. What is left to win:"));
        for (qsizetype i = 0; i < points.size(); ++i)
            text += wrapped(points[i], QStringLiteral("//   %1. ").arg(i + 1), QStringLiteral("//      "));
        return text;
    }

    QString dataType() const {
        switch (m_type) {
        case ElementType::Float64:
            return QStringLiteral("CUDNN_DATA_DOUBLE");
        case ElementType::Float16:
            return QStringLiteral("CUDNN_DATA_HALF");
        case ElementType::BFloat16:
            return QStringLiteral("CUDNN_DATA_BFLOAT16");
        default:
            return QStringLiteral("CUDNN_DATA_FLOAT");
        }
    }

    QString math() const {
        if (m_type != ElementType::Float32)
            return QStringLiteral("constexpr cudnnMathType_t kMath = CUDNN_TENSOR_OP_MATH;");
        return m_usesTf32
                   ? QStringLiteral("constexpr cudnnMathType_t kMath = CUDNN_DEFAULT_MATH; // allows TF32")
                   : QStringLiteral("constexpr cudnnMathType_t kMath = CUDNN_FMA_MATH; // no TF32");
    }

    QString describe() const {
        const std::size_t dimensions = padded(m_sizes.input, 2, 1).size();
        QStringList sizes;
        QStringList steps;
        for (std::size_t d = 0; d < dimensions; ++d) {
            sizes << (d == 1 ? QString::number(m_sizes.output[1]) : QStringLiteral("1"));
            steps << (d == 0 ? QString::number(m_sizes.output[1]) : QStringLiteral("1"));
        }
        return QStringLiteral("    const int biasSizes[] = {%1};\n    const int biasSteps[] = {%2};\n"
                              "    TRY(cudnnCreateTensorDescriptor(&plan.bias));\n"
                              "    TRY(cudnnSetTensorNdDescriptor(plan.bias, kType, kDimensions, biasSizes, "
                              "biasSteps));\n"
                              "    TRY(cudnnCreateActivationDescriptor(&plan.activation));\n"
                              "    TRY(cudnnSetActivationDescriptor(plan.activation, CUDNN_ACTIVATION_%3,\n"
                              "                                     CUDNN_PROPAGATE_NAN, 0.0));\n")
            .arg(sizes.join(QLatin1String(", ")), steps.join(QLatin1String(", ")),
                 isRelu() ? QStringLiteral("RELU") : QStringLiteral("IDENTITY"));
    }

    QString only() const {
        // cuDNN's manual: with CUDNN_ACTIVATION_IDENTITY only this one.
        return !isRelu()
                   ? QStringLiteral("        // A bias without an activation can be added by this one only.\n"
                                    "        if (proposals[i].algo != "
                                    "CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM)\n"
                                    "            continue;\n")
                   : QString();
    }

    QString call() const {
        const QString input = inputPointer();
        const QString filters = m_names.nameOf(m_kernel.leaves[1].buffer);
        const QString result = m_names.nameOf(m_kernel.stores[0].buffer);
        const QString common =
            QStringLiteral("plan.handle, &one, plan.input, %1, plan.filters, %2, plan.convolution, "
                           "plan.algorithm, plan.workspace, plan.workspaceBytes, &zero, plan.result, %3")
                .arg(input, filters, result);
        const QString bias =
            m_names.nameOf(m_kernel.leaves[static_cast<std::size_t>(m_kernel.epilogue.bias)].buffer);
        return QStringLiteral(
                   "    // What is read with the factor zero, the result itself, is not looked at.\n") +
               wrappedCall(
                   QStringLiteral("    return cudnnConvolutionBiasActivationForward("),
                   common +
                       QStringLiteral(", plan.bias, %1, plan.activation, plan.result, %2").arg(bias, result),
                   QStringLiteral(");"));
    }

    QString inputPointer() const {
        const QString name = m_names.nameOf(m_kernel.leaves[0].buffer);
        if (m_sizes.inputOffset == 0)
            return name;
        const bool isHalf = m_type == ElementType::Float16 || m_type == ElementType::BFloat16;
        // Of halves the launcher knows no type: they are shorts to count by.
        return isHalf ? QStringLiteral("static_cast<const std::uint16_t *>(%1) + %2")
                            .arg(name)
                            .arg(m_sizes.inputOffset)
                      : QStringLiteral("%1 + %2").arg(name).arg(m_sizes.inputOffset);
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    const ConvolutionSizes &m_sizes;
    ElementType m_type;
    bool m_usesTf32;
};

} // namespace

QString convolutionCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                            const KernelNames &names, const KernelTuning &tuning) {
    return ConvolutionCuda(graph, plan, kernel, names, tuning).run();
}

} // namespace warpwright
