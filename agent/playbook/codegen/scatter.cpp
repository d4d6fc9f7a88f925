// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/scatter.h"

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/codegen/templates/scatter.h"
#include "agent/playbook/codegen/templates/scatter_cpu.h"

#include <algorithm>

namespace warpwright {
namespace {

// Compared as integers, floats of one sign are in order; NaN is beyond all of them, as in torch. One 16-byte
// instruction: from Hopper on.
const KernelInput &inputAt(const Kernel &kernel, int input) {
    return kernel.inputs[static_cast<std::size_t>(input)];
}

struct UpdateWords {
    explicit UpdateWords(const KernelSource &source)
        : values(source.names.nameOf(source.kernel.inputs[0].buffer)),
          positions(source.names.nameOf(inputAt(source.kernel, source.kernel.scatter()->positions).buffer)),
          base(source.kernel.scatter()->base >= 0
                   ? source.names.nameOf(inputAt(source.kernel, source.kernel.scatter()->base).buffer)
                   : QString()),
          result(source.names.nameOf(source.kernel.stores[0].buffer)),
          type(cTypeName(source.kernel.stores[0].type, false)),
          parameters(launcherParameters(source.graph, source.program, source.names)) {}

    QString values, positions, base, result, type, parameters;
};

QString numbered(const QString &text, const Kernel &kernel) {
    return fillTemplate(text, {{"count", QString::number(kernel.scatter()->count)},
                               {"rows", QString::number(kernel.scatter()->rows)},
                               {"columns", QString::number(kernel.scatter()->columns)}});
}

QString verbOf(ScatterKind kind) {
    switch (kind) {
    case ScatterKind::Put:
        return QStringLiteral("scatterStore");
    case ScatterKind::Add:
        return QStringLiteral("scatterAdd");
    case ScatterKind::Maximum:
        return QStringLiteral("scatterMax");
    case ScatterKind::Minimum:
        return QStringLiteral("scatterMin");
    }
    return {};
}

bool isExtreme(const Kernel &kernel) {
    return kernel.scatter()->kind == ScatterKind::Maximum || kernel.scatter()->kind == ScatterKind::Minimum;
}

// The update of one float, if that is more than one instruction.
QString oneText(const Kernel &kernel) {
    if (!isExtreme(kernel) || kernel.stores[0].type != ElementType::Float32)
        return {};
    const bool isMaximum = kernel.scatter()->kind == ScatterKind::Maximum;
    const QString most = QStringLiteral("Max");
    const QString least = QStringLiteral("Min");
    return fillTemplate(
               scatterFloatExtreme,
               {{"verb", verbOf(kernel.scatter()->kind)},
                {"before",
                 kernel.scatter()->base < 0 && !kernel.scatter()->isInitialized
                     ? QString()
                     : QStringLiteral(
                           "    if (*target != *target) // a NaN that was there before may have other bits\n"
                           "        value = __int_as_float(@nan@);\n")},
                {"nan", isMaximum ? QStringLiteral("0x7fffffff") : QStringLiteral("-1")},
                {"isPlain", isMaximum ? QStringLiteral("value >= 0.0f || value != value")
                                      : QStringLiteral("value >= 0.0f")},
                {"same", isMaximum ? most : least},
                {"other", isMaximum ? least : most}}) +
           QLatin1Char('\n');
}

QString extremeText(const Kernel &kernel) {
    const QString atomic = kernel.scatter()->kind == ScatterKind::Maximum ? QStringLiteral("atomicMax")
                                                                          : QStringLiteral("atomicMin");
    switch (kernel.stores[0].type) {
    case ElementType::Float32:
        return verbOf(kernel.scatter()->kind) + QStringLiteral("Float(target + k, vec.at[k])");
    case ElementType::Int64:
        return atomic + QStringLiteral(
                            "(reinterpret_cast<long long *>(target + k), static_cast<long long>(vec.at[k]))");
    default:
        return atomic + QStringLiteral("(target + k, vec.at[k])");
    }
}

QString additionText(const Kernel &kernel) {
    return kernel.stores[0].type == ElementType::Int64
               ? QStringLiteral("atomicAdd(reinterpret_cast<unsigned long long *>(target + k), "
                                "static_cast<unsigned long long>(vec.at[k]))")
               : QStringLiteral("atomicAdd(target + k, vec.at[k])");
}

// A thread's update of its vector, as lines of a function.
QString vectorStoreText(const Kernel &kernel, int width) {
    if (kernel.scatter()->kind == ScatterKind::Put)
        return QStringLiteral("    *reinterpret_cast<Vec *>(target) = vec;\n");
    if (isExtreme(kernel))
        return fillTemplate(scatterPerElement, {{"atomic", extremeText(kernel)}});
    const QString each = fillTemplate(scatterPerElement, {{"atomic", additionText(kernel)}});
    const bool isFourFloats = width == 4 && kernel.stores[0].type == ElementType::Float32;
    return isFourFloats ? fillTemplate(scatterVectorAddition, {{"each", each}}) : each;
}

QString updateText(ScatterKind kind) {
    switch (kind) {
    case ScatterKind::Put:
        return QStringLiteral("to[c] = from[c]");
    case ScatterKind::Add:
        return QStringLiteral("to[c] += from[c]");
    case ScatterKind::Maximum: // NaN above all, as in torch
        return QStringLiteral("to[c] = from[c] > to[c] || from[c] != from[c] ? from[c] : to[c]");
    case ScatterKind::Minimum:
        return QStringLiteral("to[c] = from[c] < to[c] || from[c] != from[c] ? from[c] : to[c]");
    }
    return {};
}

int vectorWidthOf(const Kernel &kernel) {
    constexpr int bytes = 16;
    const int width = bytes / bytesOf(kernel.stores[0].type);
    const bool canBe = kernel.scatter()->kind == ScatterKind::Put || isExtreme(kernel) ||
                       kernel.stores[0].type == ElementType::Float32;
    return canBe && kernel.scatter()->columns % width == 0 ? width : 1;
}

// The result's initialization, as a line of a launcher.
QString beginText(const Kernel &kernel, const QString &result, const QString &base, bool isCuda) {
    if (kernel.scatter()->isInitialized)
        return {};
    const QString size = QStringLiteral("sizeof(%1) * %2 * %3")
                             .arg(cTypeName(kernel.stores[0].type, false))
                             .arg(kernel.scatter()->rows)
                             .arg(kernel.scatter()->columns);
    if (!isCuda)
        return base.isEmpty() ? QStringLiteral("    std::memset(%1, 0, %2);\n").arg(result, size)
                              : QStringLiteral("    std::memcpy(%1, %2, %3);\n").arg(result, base, size);
    return base.isEmpty()
               ? QStringLiteral("    cudaMemsetAsync(%1, 0, %2, stream);\n").arg(result, size)
               : QStringLiteral("    cudaMemcpyAsync(%1, %2, %3, cudaMemcpyDeviceToDevice, stream);\n")
                     .arg(result, base, size);
}

} // namespace

QString scatterCudaText(const KernelSource &source) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const UpdateWords words(source);
    const int width = vectorWidthOf(kernel);
    QString text = kernelHeadComment(
        kernel, names,
        isExtreme(kernel)
            ? QStringLiteral(
                  "Which rows collide is known only once the indices are read. So each element raises "
                  "or "
                  "lowers what is there by an atomic operation, which the units beside L2 "
                  "do: threads send it off and do not wait.")
        : kernel.scatter()->kind == ScatterKind::Add
            ? QStringLiteral(
                  "Which rows collide is known only once the indices are read. So each element is "
                  "added where it belongs by an atomic addition, which the units beside L2 "
                  "do: threads send it off and do not wait. Sums are formed in the order in which rows "
                  "arrive, so their last digits differ from call to call, as those of torch do.")
            : QStringLiteral(
                  "Threads take neighbouring elements of a row, so that lines of memory are read and "
                  "written whole. Of two rows with one index either may stay, as with torch."));
    text += fillTemplate(numbered(scatterCudaBody, kernel),
                         {{"width", QString::number(width)},
                          {"type", words.type},
                          {"what", vectorStoreText(kernel, width)},
                          {"one", oneText(kernel)},
                          {"verb", verbOf(kernel.scatter()->kind)},
                          {"function", names.function},
                          {"values", words.values},
                          {"places", words.positions},
                          {"result", words.result},
                          {"parameters", words.parameters},
                          {"begin", beginText(kernel, words.result, words.base, true)}});
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

std::vector<int> scatterThreads() {
    return {256, 128, 512, 1024};
}

QString scatterCpuText(const KernelSource &source) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const UpdateWords words(source);
    QString text = kernelHeadComment(
        kernel, names,
        QStringLiteral("Two threads must not add to one row at once. So each has a part of the "
                       "result for its own, goes through all indices, and takes what is for it."));
    text += numbered(scatterCpuBody, kernel);
    text += wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(names.launcher()),
                        words.parameters + QStringLiteral(", int"), QStringLiteral(") {"));
    return text +
           fillTemplate(scatterCpuLauncher, {{"update", updateText(kernel.scatter()->kind)},
                                             {"begin", beginText(kernel, words.result, words.base, false)},
                                             {"places", words.positions},
                                             {"type", words.type},
                                             {"values", words.values},
                                             {"result", words.result}});
}

QString scatterFunctions(const Kernel &kernel, int width) {
    const QString type = cTypeName(kernel.stores[0].type, false);
    const QString verb = verbOf(kernel.scatter()->kind);
    if (width > 1)
        return oneText(kernel) +
               QStringLiteral("__device__ void %1(%2 *target, const Vec<%2> &vec) {\n").arg(verb, type) +
               vectorStoreText(kernel, width)
                   .replace(QLatin1String("Vec *"), QStringLiteral("Vec<%1> *").arg(type)) +
               QStringLiteral("}\n\n");
    QString what = kernel.scatter()->kind == ScatterKind::Put ? QStringLiteral("*target = value")
                   : isExtreme(kernel)                        ? extremeText(kernel)
                                                              : additionText(kernel);
    what.replace(QLatin1String("target + k"), QLatin1String("target"))
        .replace(QLatin1String("vec.at[k]"), QLatin1String("value"));
    return oneText(kernel) +
           QStringLiteral("__device__ void %1(%2 *target, %2 value) {\n    %3;\n}\n\n").arg(verb, type, what);
}

QStringList scatterLines(const Kernel &kernel, const KernelNames &names, const QString &row,
                         const QString &column, const QString &value) {
    return {QStringLiteral("const std::int64_t targetRow = %1[%2];")
                .arg(names.nameOf(inputAt(kernel, kernel.scatter()->positions).buffer), row),
            QStringLiteral("if (targetRow >= 0 && targetRow < %1) // else out of bounds")
                .arg(kernel.scatter()->rows),
            QStringLiteral("    %1(%2 + targetRow * %3 + %4, %5);")
                .arg(verbOf(kernel.scatter()->kind), names.nameOf(kernel.stores[0].buffer))
                .arg(kernel.scatter()->columns)
                .arg(column, value)};
}

QString scatterInitialization(const Kernel &kernel, const KernelNames &names) {
    if (!kernel.isScattered())
        return {};
    const QString base = kernel.scatter()->base >= 0
                             ? names.nameOf(inputAt(kernel, kernel.scatter()->base).buffer)
                             : QString();
    return beginText(kernel, names.nameOf(kernel.stores[0].buffer), base, true);
}

QString scatteredCpuText(const QString &rowsText, const KernelSource &source) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const UpdateWords words(source);
    const QString head = wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(names.launcher()),
                                     words.parameters + QStringLiteral(", int"), QStringLiteral(") {"));
    const qsizetype begin = rowsText.indexOf(head);
    Q_ASSERT(begin >= 0);
    // Buffers that only hold the indices are not parameters.
    QStringList taken;
    QStringList given;
    for (const QString &part : words.parameters.split(QLatin1String(", "))) {
        const QString name = part.section(QLatin1Char('*'), -1);
        const bool isUsed =
            std::any_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
                return step.op == Opcode::Load && names.nameOf(inputAt(kernel, step.input).buffer) == name;
            });
        if (name != words.result && !isUsed)
            continue;
        taken << part;
        given << (name == words.result ? QStringLiteral("rows.get()") : name);
    }
    const QString number = QString::number(kernel.scatter()->rows);
    QString scatter =
        fillTemplate(scatterCpuLauncher, {{"update", updateText(kernel.scatter()->kind)},
                                          {"begin", beginText(kernel, words.result, words.base, false)},
                                          {"places", words.positions},
                                          {"type", words.type},
                                          {"values", QStringLiteral("rows.get()")},
                                          {"result", words.result}});
    scatter.replace(QLatin1String("kRows"), number)
        .replace(QLatin1String("kCount"), QString::number(kernel.scatter()->count))
        .replace(QLatin1String("kColumns"), QString::number(kernel.scatter()->columns))
        .replace(QLatin1String("kParts"), QStringLiteral("8"))
        .remove(QStringLiteral("    return 0;\n"));
    QString text = rowsText.left(begin) +
                   wrappedCall(QStringLiteral("static void computeRows("), taken.join(QLatin1String(", ")),
                               QStringLiteral(") {")) +
                   rowsText.mid(begin + head.size()) + QLatin1Char('\n') + head +
                   QStringLiteral("    const std::unique_ptr<%1[]> rows(new %1[%2]);\n")
                       .arg(words.type)
                       .arg(kernel.scatter()->count * kernel.scatter()->columns) +
                   wrappedCall(QStringLiteral("    computeRows("), given.join(QLatin1String(", ")),
                               QStringLiteral(");")) +
                   scatter;
    return text.replace(QLatin1String("#include <cstring>\n"),
                        QLatin1String("#include <cstring>\n#include <memory>\n"));
}

} // namespace warpwright
