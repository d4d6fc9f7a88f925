// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/libraries/cudnn_convolution.h"

#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/codegen/cuda/libraries/templates/cudnn_graph.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/tensor_layout.h"
#include "agent/playbook/schedule/kernel_seconds.h"

namespace warpwright {
namespace {

/// cuDNN has no 1-D convolution: inserts a spatial dimension of size 1 before the only one.
Shape padded(Shape shape, std::size_t at, std::int64_t value) {
    if (shape.size() - at == 1)
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), value);
    return shape;
}

/// A float's digits, enough to round-trip.
QString floatText(double value) {
    const QString text = QString::number(value, 'g', 9);
    return text.contains(QLatin1Char('.')) || text.contains(QLatin1Char('e')) ? text
                                                                              : text + QStringLiteral(".0");
}

class CudnnConvolution : private KernelWriter {
public:
    explicit CudnnConvolution(const KernelSource &source)
        : KernelWriter(source),
          m_sizes(source.kernel.convolution()->sizes),
          m_epilogue(source.kernel.convolution()->epilogue),
          m_type(source.kernel.inputs[0].type),
          m_usesTf32(source.knobs.usesTf32 && m_type == ElementType::Float32) {}

    QString run() const {
        const bool isTransposed = m_sizes.isTransposed;
        const Shape filters = padded(m_sizes.weight, 2, 1);
        const Shape filterSteps =
            m_sizes.isChannelsLast ? channelsLastLayout(filters).strides : contiguousStrides(filters);
        const KernelStore &store = m_kernel.stores[0];
        QStringList pointers = {pointerTo(m_kernel.inputs[0].buffer, m_sizes.inputOffset, true),
                                m_names.nameOf(m_kernel.inputs[1].buffer),
                                pointerTo(store.buffer, store.address.offset, false)};
        for (const int input : {m_epilogue.bias, m_epilogue.added})
            if (input >= 0)
                pointers << m_names.nameOf(m_kernel.inputs[static_cast<std::size_t>(input)].buffer);
        QStringList alignments;
        for (const QString &pointer : pointers)
            alignments << QStringLiteral("alignmentOf(%1)").arg(pointer);
        for (const GraphNumber &number : graphNumbers())
            pointers << QStringLiteral("&") + constantFor(QLatin1String(number.name));
        return fillTemplate(
            withEpilogue(described(cudnnGraphText)),
            {{"filterStrides", commaSeparated(filterSteps)},
             {"units", m_type == ElementType::Float32 && !m_usesTf32 ? QStringLiteral("false; // no TF32")
                                                                     : QStringLiteral("true;")},
             {"scaleType",
              m_type == ElementType::Float64 ? QStringLiteral("DOUBLE") : QStringLiteral("FLOAT")},
             {"operation", isTransposed ? QStringLiteral("BACKWARD_DATA") : QStringLiteral("FORWARD")},
             {"words", isTransposed ? QStringLiteral("BWD_DATA") : QStringLiteral("FORWARD")},
             {"x", isTransposed ? QStringLiteral("DY") : QStringLiteral("X")},
             {"y", isTransposed ? QStringLiteral("DX") : QStringLiteral("Y")},
             {"tensors", QString::number(pointers.size())},
             {"inMemory", QString::number(alignments.size())},
             {"alignments", alignments.join(QLatin1String(", "))},
             {"arguments", pointers.join(QLatin1String(", "))}});
    }

private:
    // The stride of the inserted dimension.
    std::int64_t rowStep(const Shape &steps) const { return steps[m_sizes.isChannelsLast ? 0 : 1]; }

    QString described(const QString &text) const {
        const Shape &strides = m_kernel.stores[0].address.steps;
        const bool isDouble = m_type == ElementType::Float64;
        return fillTemplate(
            text,
            {{"head", opening()},
             {"dimensions", QString::number(padded(m_sizes.input, 2, 1).size())},
             {"flat", m_sizes.dimensions() == 1 ? QStringLiteral("; cuDNN needs two dimensions at least")
                                                : QString()},
             {"input", commaSeparated(padded(m_sizes.input, 2, 1))},
             {"inputStrides", commaSeparated(padded(m_sizes.inputStrides, 2, rowStep(m_sizes.inputStrides)))},
             {"filters", commaSeparated(padded(m_sizes.weight, 2, 1))},
             {"filterWords", filterComment()},
             {"result", commaSeparated(padded(m_sizes.output, 2, 1))},
             {"resultStrides", commaSeparated(padded(strides, 2, rowStep(strides)))},
             {"biasSizes", biasSizes()},
             {"padding", commaSeparated(padded(m_sizes.padding, 0, 0))},
             {"stride", commaSeparated(padded(m_sizes.stride, 0, 1))},
             {"dilation", commaSeparated(padded(m_sizes.dilation, 0, 1))},
             {"type", dataType()},
             {"computeType",
              isDouble ? QStringLiteral("CUDNN_DATA_DOUBLE") : QStringLiteral("CUDNN_DATA_FLOAT")},
             {"scale", isDouble ? QStringLiteral("double") : QStringLiteral("float")},
             {"launcher", launcherHead()}});
    }

    /// A pointwise operation of cuDNN, with its names in the text.
    struct PointwiseStep {
        const char *mode;  ///< CUDNN_POINTWISE_…
        const char *other; ///< second operand, the first being the previous result; empty: none
        const char *made;  ///< its result
    };
    /// A scalar operand.
    struct GraphNumber {
        const char *name;
        double value;
    };

    // In the order for which cuDNN has fused kernels: the added image, the bias, the activation.
    std::vector<PointwiseStep> pointwiseSteps() const {
        std::vector<PointwiseStep> steps;
        if (m_epilogue.added >= 0 && !m_epilogue.isAddedLast)
            steps.push_back({"ADD", "added", "withAdded"});
        if (m_epilogue.bias >= 0)
            steps.push_back({"ADD", "bias", "withBias"});
        const char *before = steps.empty() ? "sums" : steps.back().made;
        if (m_epilogue.activation == EpilogueActivation::HardSwish)
            steps.push_back({"ADD", "three", "moved"});
        if (const char *mode = activationMode())
            steps.push_back({mode, "", "activated"});
        if (hasMost())
            steps.push_back({"MIN", "most", "clipped"});
        if (m_epilogue.activation == EpilogueActivation::HardSwish)
            steps.insert(steps.end(), {{"MUL", before, "weighed"}, {"MUL", "sixth", "scaled"}});
        if (m_epilogue.isAddedLast)
            steps.push_back({"ADD", "added", ""});
        if (!steps.empty())
            steps.back().made = "result";
        return steps;
    }

    bool hasMost() const {
        return m_epilogue.activation == EpilogueActivation::ClippedRelu ||
               m_epilogue.activation == EpilogueActivation::HardSwish;
    }

    std::vector<GraphNumber> graphNumbers() const {
        if (m_epilogue.activation == EpilogueActivation::HardSwish)
            return {{"three", 3}, {"most", 6}, {"sixth", 1.0 / 6}};
        return hasMost() ? std::vector<GraphNumber>{{"most", m_epilogue.number}} : std::vector<GraphNumber>();
    }

    /// cuDNN's name of the activation; null: none.
    const char *activationMode() const {
        switch (m_epilogue.activation) {
        case EpilogueActivation::None:
            return nullptr;
        case EpilogueActivation::Relu:
        case EpilogueActivation::LeakyRelu:
        case EpilogueActivation::ClippedRelu:
        case EpilogueActivation::HardSwish:
            return "RELU_FWD";
        case EpilogueActivation::Elu:
            return "ELU_FWD";
        case EpilogueActivation::GeluTanh:
            return "GELU_APPROX_TANH_FWD";
        case EpilogueActivation::Gelu:
            return "GELU_FWD";
        case EpilogueActivation::Silu:
            return "SWISH_FWD";
        case EpilogueActivation::Sigmoid:
            return "SIGMOID_FWD";
        case EpilogueActivation::Tanh:
            return "TANH_FWD";
        }
        return nullptr;
    }

    // Sets the slope of a leaky ReLU, an attribute of cuDNN's operation.
    QString slopeLines() const {
        if (m_epilogue.activation != EpilogueActivation::LeakyRelu)
            return QString();
        return QStringLiteral(
                   "    constexpr double kSlope = %1; // of negative inputs\n"
                   "    if (mode == CUDNN_POINTWISE_RELU_FWD)\n"
                   "        TRY(cudnnBackendSetAttribute(step, CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, "
                   "CUDNN_TYPE_DOUBLE, 1, &kSlope));\n")
            .arg(QString::number(m_epilogue.number, 'g', 9));
    }

    static QString constantFor(const QString &tensor) {
        return QLatin1Char('k') + tensor[0].toUpper() + tensor.mid(1);
    }
    static QString nameFor(const QString &tensor) { return constantFor(tensor) + QStringLiteral("Uid"); }

    // Operations after the convolution; only the last one's result is in memory.
    QString withEpilogue(const QString &text) const {
        const std::vector<PointwiseStep> steps = pointwiseSteps();
        if (steps.empty())
            return fillTemplate(
                text, {{"moreUids", QString()},
                       {"outerUids", QString()},
                       {"virtualParameter", QString()},
                       {"tensorType", tensorType("kType")},
                       {"setVirtual", QString()},
                       {"pointwiseFunction", QString()},
                       {"graphNumbers", QString()},
                       {"operations", QStringLiteral("one operation")},
                       {"moreTensors", QString()},
                       {"sums", QStringLiteral("result")},
                       {"steps", QString()},
                       {"setOperations",
                        QStringLiteral("    TRY(setDescriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, "
                                       "operation));\n")}});
        QStringList outer;
        for (const auto &[input, name] :
             {std::pair(m_epilogue.bias, "bias"), std::pair(m_epilogue.added, "added")})
            if (input >= 0)
                outer << QLatin1String(name);
        QStringList between = {QStringLiteral("sums")};
        for (std::size_t i = 0; i + 1 < steps.size(); ++i)
            between << QLatin1String(steps[i].made);
        QString names;
        QString outerNames;
        QString tensors;
        for (qsizetype i = 0; i < outer.size(); ++i) {
            const QString name = nameFor(outer[i]);
            names += QStringLiteral(", ") + name;
            outerNames += QStringLiteral(", ") + name;
            const bool isBias = outer[i] == QLatin1String("bias");
            tensors += QStringLiteral("    TRY(makeTensor(%1, %2, %3, %4, alignments[%5], true));\n")
                           .arg(outer[i], name, isBias ? QStringLiteral("kBias") : QStringLiteral("kResult"),
                                isBias ? QStringLiteral("kBiasStrides") : QStringLiteral("kResultStrides"))
                           .arg(3 + i);
        }
        QString numbersText;
        for (const GraphNumber &number : graphNumbers()) {
            const QString tensor = QLatin1String(number.name);
            names += QStringLiteral(", ") + nameFor(tensor);
            outerNames += QStringLiteral(", ") + nameFor(tensor);
            outer << tensor;
            tensors += QStringLiteral("    TRY(makeScalar(%1, %2));\n").arg(tensor, nameFor(tensor));
            numbersText += QStringLiteral("constexpr float %1 = %2f;\n")
                               .arg(constantFor(tensor), floatText(number.value));
        }
        tensors.prepend(
            QStringLiteral("    Descriptor %1;\n").arg((outer + between).join(QLatin1String(", "))));
        for (const QString &tensor : between) {
            const QString name = nameFor(tensor);
            names += QStringLiteral(", ") + name;
            tensors += QStringLiteral("    TRY(makeTensor(%1, %2, kResult, kResultStrides, 16, false));\n")
                           .arg(tensor, name);
        }
        QString lines = QStringLiteral("    std::array<Descriptor, %1> operations = {operation};\n")
                            .arg(steps.size() + 1);
        const char *from = "sums";
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const QString other =
                *steps[i].other == 0 ? QStringLiteral("nullptr") : QLatin1String(steps[i].other);
            lines +=
                QStringLiteral("    TRY(makePointwise(operations[%1], CUDNN_POINTWISE_%2, %3, %4, %5));\n")
                    .arg(i + 1)
                    .arg(QLatin1String(steps[i].mode), QLatin1String(from), other,
                         QLatin1String(steps[i].made));
            from = steps[i].made;
        }
        return fillTemplate(
            text, {{"moreUids", names},
                   {"outerUids", outerNames},
                   {"virtualParameter", QStringLiteral(",\n                         bool isInMemory = true")},
                   {"tensorType",
                    QStringLiteral("    const cudnnDataType_t type = isInMemory ? kType : kComputeType;\n") +
                        tensorType("type")},
                   {"setVirtual", QStringLiteral("    const bool isVirtual = !isInMemory;\n"
                                                 "    TRY(cudnnBackendSetAttribute(tensor, "
                                                 "CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, "
                                                 "&isVirtual));\n")},
                   {"pointwiseFunction", fillTemplate(cudnnPointwiseText, {{"slope", slopeLines()}}) +
                                             (numbersText.isEmpty() ? QString() : cudnnScalarText)},
                   {"graphNumbers", numbersText},
                   {"operations", QStringLiteral("the convolution and its epilogue")},
                   {"moreTensors", tensors},
                   {"sums", QStringLiteral("sums")},
                   {"steps", lines},
                   {"setOperations",
                    QStringLiteral("    TRY(cudnnBackendSetAttribute(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, "
                                   "CUDNN_TYPE_BACKEND_DESCRIPTOR,\n"
                                   "                                 std::int64_t(operations.size()), "
                                   "operations.data()));\n")}});
    }

    static QString tensorType(const char *type) {
        return QStringLiteral("    TRY(cudnnBackendSetAttribute(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE, "
                              "CUDNN_TYPE_DATA_TYPE, 1, &%1));\n")
            .arg(QLatin1String(type));
    }

    // Sizes and strides of the bias: one element for each channel.
    QString biasSizes() const {
        if (m_epilogue.bias < 0)
            return QString();
        Shape sizes(padded(m_sizes.output, 2, 1).size(), 1);
        sizes[1] = m_sizes.output[1];
        Shape steps(sizes.size(), 1);
        steps[0] = sizes[1];
        return QStringLiteral(
                   "constexpr std::int64_t kBias[] = {%1};\nconstexpr std::int64_t kBiasStrides[] = {%2};\n")
            .arg(commaSeparated(sizes), commaSeparated(steps));
    }

    QString filterComment() const {
        if (m_sizes.isTransposed)
            return QStringLiteral("input channels, output channels of a group");
        return QStringLiteral("output channels, input channels of a group") +
               (m_sizes.isChannelsLast ? QStringLiteral(" (innermost)") : QString());
    }

    QString launcherHead() const {
        return wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                           launcherParameters(m_graph, m_program, m_names) +
                               QStringLiteral(", int config, cudaStream_t stream"),
                           QStringLiteral(") {"))
            .chopped(1);
    }

    QString opening() const {
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
        if (m_sizes.isChannelsLast)
            points << QStringLiteral(
                "Channels last (NHWC). Channels, which are summed over first, are contiguous, as the "
                "tensor cores need it; any other layout the library would convert in each call.");
        if (const QString words = epilogueComment(); !words.isEmpty())
            points << QStringLiteral(
                          "%1 fused into the convolution: sums are still in registers, which saves "
                          "writing them, reading them again and writing the result.")
                          .arg(words);
        if (m_sizes.isTransposed)
            points << QStringLiteral(
                "A transposed convolution is the gradient of a convolution with respect to its "
                "input. cuDNN has it under that name.");
        points << QStringLiteral(
            "A cached plan. Choosing an algorithm takes longer than a convolution, so the choice "
            "is cached per device and stream.");
        QString text =
            kernelHeadComment(m_kernel, m_names,
                              isComputeBoundInLibrary(m_kernel, m_knobs)
                                  ? QStringLiteral("Multiplications take longer than memory, so it is "
                                                   "compute-bound, and NVIDIA's library is hard to beat. "
                                                   "What is left to win:")
                                  : QStringLiteral("A call of NVIDIA's library. What is left to win:"));
        for (qsizetype i = 0; i < points.size(); ++i)
            text += wrapped(points[i], QStringLiteral("//   %1. ").arg(i + 1), QStringLiteral("//      "));
        return text;
    }

    // "Bias, another image and ReLU"; empty: no epilogue.
    QString epilogueComment() const {
        static const char *const activations[] = {"",     "ReLU",       "leaky ReLU", "clipped ReLU",
                                                  "ELU",  "hard swish", "GELU",       "GELU",
                                                  "SiLU", "sigmoid",    "tanh"};
        QStringList words;
        if (m_epilogue.bias >= 0)
            words << QStringLiteral("the bias");
        if (m_epilogue.added >= 0)
            words << QStringLiteral("another image");
        if (m_epilogue.activation != EpilogueActivation::None)
            words << QLatin1String(activations[static_cast<std::size_t>(m_epilogue.activation)]);
        if (words.isEmpty())
            return QString();
        words[0][0] = words[0][0].toUpper();
        const QString last = words.takeLast();
        return words.isEmpty() ? last : words.join(QLatin1String(", ")) + QStringLiteral(" and ") + last;
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

    QString pointerTo(int buffer, std::int64_t offset, bool isRead) const {
        const QString name = m_names.nameOf(buffer);
        if (offset == 0)
            return name;
        const bool isHalf = m_type == ElementType::Float16 || m_type == ElementType::BFloat16;
        // The launcher has no type for 16-bit floats: uint16_t for pointer arithmetic.
        return isHalf ? QStringLiteral("static_cast<%1std::uint16_t *>(%2) + %3")
                            .arg(isRead ? QStringLiteral("const ") : QString(), name)
                            .arg(offset)
                      : QStringLiteral("%1 + %2").arg(name).arg(offset);
    }

    const ConvolutionSizes &m_sizes;
    const Epilogue &m_epilogue;
    ElementType m_type;
    bool m_usesTf32;
};

} // namespace

QString cudnnConvolutionCudaText(const KernelSource &source) {
    return CudnnConvolution(source).run();
}

} // namespace warpwright
