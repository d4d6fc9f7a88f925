// SPDX-License-Identifier: GPL-3.0-or-later
// candidate_text's bindings: from Python to the launchers.
#include "agent/playbook/candidate_text.h"
#include "agent/playbook/loop_text.h"

namespace warpwright {
namespace {

QString numbers(const Shape &shape) {
    QStringList parts;
    for (const std::int64_t size : shape)
        parts << QString::number(size);
    return parts.join(QLatin1String(", "));
}

bool isHalf(ElementType type) {
    return type == ElementType::Float16 || type == ElementType::BFloat16;
}

} // namespace

QString bindingText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                    const KernelNames &names) {
    const QString parameters = launcherParameters(graph, plan, kernel, names);
    const bool isLibrary = kernel.anchor != Anchor::None; // says whether it could
    const QString head =
        QStringLiteral("extern \"C\" %1 %2(")
            .arg(isLibrary ? QStringLiteral("int") : QStringLiteral("void"), names.launcher());
    QString text = QStringLiteral(
        "// From Python to the launcher: check what the kernel takes for granted, allocate, launch.\n"
        "#include \"../binding_registry.h\"\n\nusing namespace binding;\n\n#ifdef WARPWRIGHT_CPU\n");
    text += wrappedCall(head, parameters + QStringLiteral(", int config"), QStringLiteral(");"));
    text += QLatin1String("#else\n");
    text += wrappedCall(head, parameters + QStringLiteral(", int config, cudaStream_t stream"),
                        QStringLiteral(");"));
    text += QLatin1String(
        "#endif\n\nnamespace {\n\n"
        "// The kernel was written for one shape, and reads where this says.\n"
        "bool is(const Tensor &x, ScalarType type, std::initializer_list<std::int64_t> sizes,\n"
        "        std::initializer_list<std::int64_t> strides) {\n"
        "    bool isSo = x.scalar_type() == type && x.dim() == static_cast<std::int64_t>(sizes.size());\n"
        "    for (std::int64_t d = 0; isSo && d < x.dim(); ++d)\n"
        "        isSo = x.size(d) == sizes.begin()[d] && (x.size(d) == 1 || x.stride(d) == "
        "strides.begin()[d]);\n"
        "    return isSo;\n"
        "}\n\n");
    QStringList takes;
    for (const int buffer : names.readBuffers)
        takes << QStringLiteral("const Tensor &%1").arg(names.nameOf(buffer));
    takes << QStringLiteral("int config");
    const std::size_t results = names.writtenBuffers.size();
    QString result = QStringLiteral("Tensor");
    if (results > 1)
        result = QStringLiteral("std::tuple<%1>")
                     .arg(QStringList(static_cast<qsizetype>(results), result).join(QLatin1String(", ")));
    text += wrappedCall(QStringLiteral("%1 %2(").arg(result, names.function), takes.join(QLatin1String(", ")),
                        QStringLiteral(") {"));
    QStringList pointers;
    for (const int buffer : names.readBuffers) {
        const GraphNode &node = nodeOfBuffer(graph, plan, buffer);
        const QString name = names.nameOf(buffer);
        const PlanBuffer &what = plan.buffers[static_cast<std::size_t>(buffer)];
        const Shape &sizes = what.layout.memory;
        text +=
            QStringLiteral(
                "    STD_TORCH_CHECK(is(%1, ScalarType::%2, {%3}, {%4}),\n"
                "                    \"%5: %1 is not the %6 tensor of [%3] that it was written for\");\n")
                .arg(name, scalarTypeName(node.type), numbers(sizes),
                     numbers(what.kind == PlanBuffer::Kind::Leaf ? node.strides : contiguousStrides(sizes)),
                     names.stem, elementTypeName(node.type));
        pointers << (isHalf(node.type)
                         ? QStringLiteral("%1.const_data_ptr()").arg(name)
                         : QStringLiteral("%1.const_data_ptr<%2>()").arg(name, cTypeName(node.type, false)));
    }
    const QString like = names.nameOf(names.readBuffers.front());
    QStringList returned;
    for (const int buffer : names.writtenBuffers) {
        const GraphNode &node = nodeOfBuffer(graph, plan, buffer);
        const QString name = names.nameOf(buffer);
        text += QStringLiteral("    Tensor %1 = newEmpty(%2, {%3}, ScalarType::%4);\n")
                    .arg(name, like, numbers(plan.buffers[static_cast<std::size_t>(buffer)].layout.memory),
                         scalarTypeName(node.type));
        pointers
            << (isHalf(node.type)
                    ? QStringLiteral("%1.mutable_data_ptr()").arg(name)
                    : QStringLiteral("%1.mutable_data_ptr<%2>()").arg(name, cTypeName(node.type, false)));
        returned << name;
    }
    const QString call =
        (isLibrary ? QStringLiteral("    const int status = ") : QString(4, QLatin1Char(' '))) +
        names.launcher() + QLatin1Char('(');
    text += QLatin1String("#ifdef WARPWRIGHT_CPU\n");
    text += wrappedCall(call, pointers.join(QLatin1String(", ")) + QStringLiteral(", config"),
                        QStringLiteral(");"));
    text += QStringLiteral("#else\n    const DeviceGuard guard(%1);\n").arg(like);
    text += wrappedCall(
        call, pointers.join(QLatin1String(", ")) + QStringLiteral(", config, currentStream(%1)").arg(like),
        QStringLiteral(");"));
    if (isLibrary)
        text += QStringLiteral(
                    "#endif\n    STD_TORCH_CHECK(status == 0, \"%1: the library refused with status \", "
                    "status);\n")
                    .arg(names.stem);
    else
        text += QLatin1String("    checkLaunch(); // A refused launch is silent otherwise.\n#endif\n");
    text += returned.size() == 1
                ? QStringLiteral("    return %1;\n}\n\n} // namespace\n\n").arg(returned.front())
                : QStringLiteral("    return {%1};\n}\n\n} // namespace\n\n")
                      .arg(returned.join(QLatin1String(", ")));
    const QString what =
        familyOf(kernel) == KernelFamily::Pointwise ? QStringLiteral("a pointwise chain in one pass")
        : kernel.anchor == Anchor::Product          ? QStringLiteral("a product of matrices")
        : kernel.anchor == Anchor::Convolution      ? QStringLiteral("a convolution")
                                               : QStringLiteral("sums over rows and what surrounds them");
    return text +
           QStringLiteral("REGISTER_FUNCTION(%1, %2, \"%3\");\n").arg(names.stem, names.function, what);
}

} // namespace warpwright
