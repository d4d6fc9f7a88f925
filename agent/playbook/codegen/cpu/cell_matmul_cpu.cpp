// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/cell_matmul_cpu.h"

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/matmul_terms.h"

namespace warpwright {

QString cellMatmulCpuText(const KernelSource &source) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const auto isHalf = [](ElementType type) {
        return type == ElementType::Float16 || type == ElementType::BFloat16;
    };
    QString casts;
    std::set<int> known;
    const auto cast = [&](int buffer, const char *constant) {
        const ElementType type = typeOfBuffer(graph, program, buffer);
        if (isHalf(type) && known.insert(buffer).second)
            casts += QStringLiteral("    %1%2 *const %3Halves = static_cast<%1%2 *>(%3);\n")
                         .arg(QLatin1String(constant), cTypeName(type, false), names.nameOf(buffer));
    };
    const auto name = [&](int buffer) {
        return names.nameOf(buffer) +
               (isHalf(typeOfBuffer(graph, program, buffer)) ? QStringLiteral("Halves") : QString());
    };
    for (const int buffer : names.readBuffers)
        cast(buffer, "const ");
    for (const int buffer : names.writtenBuffers)
        cast(buffer, "");
    const QStringList counters{QStringLiteral("row"), QStringLiteral("column"), QStringLiteral("k")};
    const auto elementOf = [&](int input) {
        const KernelInput &what = kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(name(what.buffer), indexExpression(what.address, counters));
    };
    std::set<QString> functions;
    ExpressionPrinter factors(kernel, CodeDialect::PlainCpu, elementOf);
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
            {QStringLiteral("%1[%2]").arg(name(store.buffer), indexExpression(store.address, counters))});
    QString statements;
    for (const QString &line : epilogueStatements(kernel, elementOf, QStringLiteral("sum"), targets,
                                                  functions, CodeDialect::PlainCpu))
        statements += wrapped(line, QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
    return QStringLiteral(
               "// The CPU twin of %1.cu: the same contract, without the stream. All in float: no TF32 "
               "here.\n//\n")
               .arg(names.stem) +
           kernelHeadComment(kernel, names,
                             QStringLiteral("Rows are few: the next free thread takes a column of a row, and "
                                            "applies the epilogue to its "
                                            "sums.")) +
           QStringLiteral(
               "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n\n"
               "namespace {\n\nconstexpr std::int64_t kRows = %1;\nconstexpr std::int64_t kColumns = "
               "%2;\nconstexpr std::int64_t kInner = %3;\n\n")
               .arg(kernel.loops[0])
               .arg(kernel.loops[1])
               .arg(kernel.loops[2]) +
           helperFunctions(functions, CodeDialect::PlainCpu) + QStringLiteral("} // namespace\n\n") +
           wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(names.launcher()),
                       launcherParameters(graph, program, names) + QStringLiteral(", int"),
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
