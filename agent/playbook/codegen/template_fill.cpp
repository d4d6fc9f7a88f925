// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/template_fill.h"

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/ir/matmul_terms.h"

namespace warpwright {

QString fillTemplate(QString text, std::initializer_list<std::pair<const char *, QString>> values) {
    for (const auto &[name, value] : values)
        text.replace(QLatin1Char('@') + QLatin1String(name) + QLatin1Char('@'), value);
    return text;
}

QString linesForDimensions(const QString &text, std::size_t dimensions) {
    const QLatin1String wanted(dimensions == 3 ? "@3@" : "@2@");
    const QLatin1String other(dimensions == 3 ? "@2@" : "@3@");
    QStringList lines;
    for (const QString &line : text.split(QLatin1Char('\n')))
        if (line.startsWith(QLatin1String("@>@")))
            lines << line.mid(dimensions == 3 ? 3 : 7);
        else if (!line.startsWith(other))
            lines << (line.startsWith(wanted) ? line.mid(3) : line);
    return lines.join(QLatin1Char('\n'));
}

QString kernelHeadComment(const Kernel &kernel, const KernelNames &names, const QString &why) {
    QString text;
    for (const QString &line : formulaOf(kernel, names).split(QLatin1Char('\n')))
        text += wrapped(line, QStringLiteral("//   "), QStringLiteral("//       "));
    return text + QLatin1String("//\n") + wrapped(why, QStringLiteral("// "), QStringLiteral("// "));
}

namespace {

/// Epilogue values that are used more than once get a name.
void nameRepeated(const Kernel &kernel, ExpressionPrinter &text, QStringList &lines) {
    std::vector<int> uses(kernel.steps.size(), 0);
    for (const KernelStep &step : kernel.steps)
        for (const int operand : step.operands)
            ++uses[static_cast<std::size_t>(operand)];
    for (std::size_t i = 1; i < kernel.stores.size(); ++i) // one alone is no reason for a name
        for (const KernelStore &store : {kernel.stores[0], kernel.stores[i]})
            ++uses[static_cast<std::size_t>(store.step)];
    int names = 0;
    for (auto i = static_cast<std::size_t>(kernel.resultStep()) + 1; i < kernel.steps.size(); ++i) {
        const auto step = static_cast<int>(i);
        if (uses[i] < 2 || text.isNamed(step) || kernel.step(step).op <= Opcode::Index ||
            isInnerGuard(kernel, kernel.step(step)))
            continue;
        const QString name = QStringLiteral("h%1").arg(++names);
        lines << QStringLiteral("const %1 %2 = %3;")
                     .arg(cTypeName(kernel.step(step).type, false), name, text.definition(step));
        text.name(step, name);
    }
}

} // namespace

QString pointerParameters(const KernelNames &names, const QString &element, bool isRestricted) {
    const QString star = isRestricted ? QStringLiteral(" *__restrict__ ") : QStringLiteral(" *");
    QStringList list;
    for (const int buffer : names.readBuffers)
        list << QStringLiteral("const ") + element + star + names.nameOf(buffer);
    for (const int buffer : names.writtenBuffers)
        list << element + star + names.nameOf(buffer);
    return list.join(QLatin1String(", "));
}

QStringList castPointers(const KernelNames &names, const QString &element) {
    QStringList list;
    for (const int buffer : names.readBuffers)
        list << QStringLiteral("static_cast<const %1 *>(%2)").arg(element, names.nameOf(buffer));
    for (const int buffer : names.writtenBuffers)
        list << QStringLiteral("static_cast<%1 *>(%2)").arg(element, names.nameOf(buffer));
    return list;
}

QStringList epilogueStatements(const Kernel &kernel, const std::function<QString(int buffer)> &nameOf,
                               const QStringList &counters, const QString &sum, const QString &target,
                               std::set<QString> &functions, CodeDialect dialect) {
    const auto elementOf = [&](int input) {
        const KernelInput &what = kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(nameOf(what.buffer), indexExpression(what.address, counters));
    };
    return epilogueStatements(kernel, elementOf, sum, target, functions, dialect);
}

QStringList epilogueStatements(const Kernel &kernel, const std::function<QString(int input)> &elementOf,
                               const QString &sum, const QString &target, std::set<QString> &functions,
                               CodeDialect dialect) {
    return epilogueStatements(kernel, elementOf, sum, std::vector<StoredElement>{{target}}, functions,
                              dialect);
}

QStringList epilogueStatements(const Kernel &kernel, const std::function<QString(int input)> &elementOf,
                               const QString &sum, const std::vector<StoredElement> &targets,
                               std::set<QString> &functions, CodeDialect dialect) {
    ExpressionPrinter text(kernel, dialect, elementOf);
    QStringList lines;
    const int result = kernel.resultStep();
    text.name(result, sum);
    const std::vector<int> sums =
        kernel.isMatmul() || kernel.isConvolution() ? sumsOf(kernel) : std::vector<int>();
    for (std::size_t i = 1; i < sums.size(); ++i)
        text.name(sums[i], QString(sum).replace(0, 3,
                                                isCellMatmul(kernel) ? QStringLiteral("sum%1").arg(i + 1)
                                                                     : QStringLiteral("other")));
    const Epilogue *fused = kernel.epilogue();
    if (fused != nullptr && fused->bias >= 0 && fused->activation != EpilogueActivation::None) {
        const int biased = result + 2; // after the load of the bias
        lines << QStringLiteral("const %1 h = %2;")
                     .arg(cTypeName(kernel.step(biased).type, false), text.text(biased));
        text.name(biased, QStringLiteral("h"));
    }
    nameRepeated(kernel, text, lines);
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const auto &[target, condition] = targets[i];
        const QString value = text.stored(kernel.stores[i].step, kernel.stores[i].type);
        if (value == target)
            continue;
        if (!condition.isEmpty())
            lines << QStringLiteral("if (%1)").arg(condition);
        lines << QStringLiteral("%1%2 = %3;")
                     .arg(QString(condition.isEmpty() ? 0 : 4, QLatin1Char(' ')), target, value);
    }
    functions.insert(text.functions().begin(), text.functions().end());
    return lines;
}

} // namespace warpwright
