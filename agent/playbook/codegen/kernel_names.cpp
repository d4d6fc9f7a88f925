// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/kernel_names.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/depthwise_boundary.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/formula_reads.h"
#include "agent/playbook/codegen/reserved_words.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/sm90_convolution.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <functional>

namespace warpwright {
namespace {

// "norm.weight" -> "normWeight"
QString camelCase(const QString &words) {
    QString name;
    bool isNew = false;
    for (const QChar letter : words) {
        if (!letter.isLetterOrNumber() || letter.unicode() > 127) {
            isNew = !name.isEmpty();
            continue;
        }
        name += isNew ? letter.toUpper() : letter;
        isNew = false;
    }
    return name;
}

QString safeName(const QString &wanted, const QString &otherwise, QSet<QString> &taken, bool isStructuredOp) {
    QString name = wanted;
    const bool isGood = !name.isEmpty() && name[0].isLetter() && name[0].isLower() && name.size() <= 24;
    // Names of counters and values in the loops are short and lower case: x is fine, h and j0 are ours. So
    // are the constants: kColumns.
    static const QSet<QString> ours = {QStringLiteral("h"), QStringLiteral("e"), QStringLiteral("v"),
                                       QStringLiteral("p"), QStringLiteral("k")};
    static const QRegularExpression counted(QStringLiteral("^[a-z]\\d+$"));
    // What an emitted kernel has several of is numbered, and related names derive from it: cached1,
    // sum2Partials, runningCarry, xVec, xRow, xHalves. Kernels and their launchers are named after their
    // families.
    static const QRegularExpression derived(QStringLiteral(
        "^(cached|sum|running|largest|smallest|product|kthValue|read|held|batch|power|smemColumn|filterMap|"
        "imageMap|map[AB])(\\d+|\\d*[A-Z]\\w*)$|"
        "^result\\d*[A-Z]|^(launch|fused|cuda|cublas|cudnn)[A-Z]|^(matrixProduct|convolution\\d|sortedRows)|"
        "(Vecs?|Array|Tile|Ahead|Prefetched|Now|Current|Next|Shifted|Result|Row|Halves)\\d*$"));
    const bool isConstant = name.size() > 1 && name[0] == QLatin1Char('k') && name[1].isUpper();
    if (!isGood)
        name = otherwise;
    else if (ours.contains(name) || isConstant || counted.match(name).hasMatch())
        name += QStringLiteral("In");
    else if (derived.match(name).hasMatch() || reservedWords().contains(name) ||
             (isStructuredOp && structuredOpWords().contains(name)))
        name += QStringLiteral("Values");
    QString unique = name;
    for (int i = 2; taken.contains(unique); ++i)
        unique = name + QString::number(i);
    taken.insert(unique);
    return unique;
}

/// "x times a plus 0.5 h times b, as matrices", for a sum of one that hasTerms().
QString termsText(const Kernel &kernel, int sum,
                  const std::function<QString(const KernelInput &input)> &nameOf) {
    QString text;
    for (const MatmulTerm &term : termsOf(kernel, sum)) {
        const double scale = std::abs(term.factor);
        text += term.factor < 0 ? (text.isEmpty() ? QStringLiteral("-") : QStringLiteral(" less "))
                                : (text.isEmpty() ? QString() : QStringLiteral(" plus "));
        text += (scale == 1 ? QString() : QString::number(scale) + QLatin1Char(' ')) +
                QStringLiteral("%1 times %2")
                    .arg(nameOf(kernel.inputs[term.first]), nameOf(kernel.inputs[term.second]));
    }
    return text + QLatin1String(", as matrices");
}

/// "y = each row of scores + prior in order, from the largest on", one line per result. `element`: the sort
/// key.
QStringList sortFormula(const Kernel &kernel, const KernelNames &names, const QString &element) {
    const SortedRows &sort = *kernel.sortedRows();
    const auto nameOf = [&](int store) {
        return names.nameOf(kernel.stores[static_cast<std::size_t>(store)].buffer);
    };
    const QString which = sort.kept < kernel.columns()
                              ? QStringLiteral("the first %1 of each row").arg(sort.kept)
                              : QStringLiteral("each row");
    const QString order = sort.isDescending ? QStringLiteral("in order, from the largest on")
                                            : QStringLiteral("in order, from the smallest on");
    QStringList lines;
    if (sort.values >= 0)
        lines << QStringLiteral("%1 = %2 of %3, %4").arg(nameOf(sort.values), which, element, order);
    if (sort.positions >= 0)
        lines << (sort.values >= 0
                      ? QStringLiteral("%1 = where in its row each was").arg(nameOf(sort.positions))
                      : QStringLiteral("%1 = where in its row each of %2 of %3 was, %4")
                            .arg(nameOf(sort.positions), which, element, order));
    return lines;
}

} // namespace

QString stemOf(const Kernel &kernel) {
    switch (familyOf(kernel)) {
    case KernelFamily::Pointwise:
        return QStringLiteral("fused_pointwise");
    case KernelFamily::Rows:
    case KernelFamily::Windows:
        break;
    case KernelFamily::Columns:
        return QStringLiteral("fused_columns");
    case KernelFamily::Matmul:
        return QStringLiteral("matrix_product");
    case KernelFamily::Convolution:
        return QStringLiteral("convolution");
    case KernelFamily::Attention:
        return QStringLiteral("attention");
    case KernelFamily::ScatteredRows:
        return QStringLiteral("scattered_rows");
    case KernelFamily::SortedRows:
        return QStringLiteral("sorted_rows");
    }
    return kernel.hasScans()                           ? QStringLiteral("fused_scan")
           : familyOf(kernel) == KernelFamily::Windows ? QStringLiteral("fused_windows")
                                                       : QStringLiteral("fused_rows");
}

QString KernelNames::launcher() const {
    return QStringLiteral("launch") + function.left(1).toUpper() + function.mid(1);
}

QString KernelNames::nameOf(int buffer) const {
    for (std::size_t i = 0; i < readBuffers.size(); ++i)
        if (readBuffers[i] == buffer)
            return buffers[static_cast<qsizetype>(i)];
    for (std::size_t i = 0; i < writtenBuffers.size(); ++i)
        if (writtenBuffers[i] == buffer)
            return buffers[static_cast<qsizetype>(readBuffers.size() + i)];
    return {};
}

const GraphNode &nodeOfBuffer(const ReferenceGraph &graph, const Program &program, int buffer) {
    return graph.nodes[static_cast<std::size_t>(program.buffers[static_cast<std::size_t>(buffer)].node)];
}

ElementType typeOfBuffer(const ReferenceGraph &graph, const Program &program, int buffer) {
    return nodeOfBuffer(graph, program, buffer).type;
}

QString kernelCount(const Program &program) {
    const auto isCall = [](const Kernel &kernel) {
        return kernel.isMatmul() ||
               (kernel.isConvolution() && !kernel.isDepthwiseConvolution() && !isSm90Convolution(kernel));
    };
    const auto calls = std::count_if(program.kernels.begin(), program.kernels.end(), isCall);
    const auto kernels = static_cast<std::ptrdiff_t>(program.kernels.size()) - calls;
    QStringList parts;
    if (kernels > 0)
        parts << (kernels == 1 ? QStringLiteral("one kernel") : QStringLiteral("%1 kernels").arg(kernels));
    if (calls > 0)
        parts << (calls == 1 ? QStringLiteral("one call of a library")
                             : QStringLiteral("%1 calls of a library").arg(calls));
    return parts.join(QLatin1String(" and "));
}

namespace {

bool isInput(int buffer, const Program &program) {
    return program.buffers[static_cast<std::size_t>(buffer)].kind == ProgramBuffer::Kind::Input;
}

// In the order of the reference's arguments, then results of earlier kernels, then parameters.
void sortAsArguments(std::vector<int> &buffers, const ReferenceGraph &graph, const Program &program) {
    const auto rank = [&](int buffer) {
        const GraphNode &node = nodeOfBuffer(graph, program, buffer);
        return std::pair(!isInput(buffer, program)             ? 1
                         : node.kind == GraphNode::Kind::Input ? 0
                                                               : 2,
                         node.position);
    };
    std::stable_sort(buffers.begin(), buffers.end(), [&](int a, int b) { return rank(a) < rank(b); });
}

QString wordsOf(int buffer, const ReferenceGraph &graph, const Program &program) {
    const GraphNode &node = nodeOfBuffer(graph, program, buffer);
    const bool isWindow =
        program.buffers[static_cast<std::size_t>(buffer)].kind == ProgramBuffer::Kind::Window;
    return isWindow && program.timeLoops.empty() ? QStringLiteral("part%1").arg(buffer)
           : isWindow                            ? node.name
           : !isInput(buffer, program)           ? QStringLiteral("partial%1").arg(buffer)
           : node.kind == GraphNode::Kind::Input ? graph.argumentNames.value(node.position)
                                                 : node.path;
}

} // namespace

std::vector<KernelNames> kernelNames(const ReferenceGraph &graph, const Program &program) {
    std::vector<KernelNames> all;
    std::map<QString, int> counts;
    std::map<QString, int> numbers;
    for (const Kernel &kernel : program.kernels)
        ++counts[stemOf(kernel)];
    for (const Kernel &kernel : program.kernels) {
        KernelNames names;
        names.stem = stemOf(kernel);
        if (counts[names.stem] > 1)
            names.stem += QStringLiteral("_%1").arg(++numbers[stemOf(kernel)]);
        names.function = camelCase(names.stem);
        QSet<QString> taken;
        if (kernel.isAttention())
            taken = attentionWords();
        if (kernel.isSortedRows())
            taken = sortWords();
        const bool isStructuredOp = !kernel.isLoops();
        for (const KernelInput &input : kernel.inputs)
            if (std::find(names.readBuffers.begin(), names.readBuffers.end(), input.buffer) ==
                names.readBuffers.end())
                names.readBuffers.push_back(input.buffer);
        sortAsArguments(names.readBuffers, graph, program);
        for (const int buffer : names.readBuffers)
            names.buffers << safeName(camelCase(wordsOf(buffer, graph, program)), QStringLiteral("input"),
                                      taken, isStructuredOp);
        for (const KernelStore &store : kernel.stores) {
            if (std::find(names.writtenBuffers.begin(), names.writtenBuffers.end(), store.buffer) !=
                names.writtenBuffers.end()) // slices of one tensor
                continue;
            names.writtenBuffers.push_back(store.buffer);
            const bool isLast =
                program.buffers[static_cast<std::size_t>(store.buffer)].kind == ProgramBuffer::Kind::Output;
            const bool isWindow =
                program.buffers[static_cast<std::size_t>(store.buffer)].kind == ProgramBuffer::Kind::Window;
            names.buffers << safeName(isLast     ? QStringLiteral("y")
                                      : isWindow ? wordsOf(store.buffer, graph, program)
                                                 : QStringLiteral("partial"),
                                      QStringLiteral("y"), taken, isStructuredOp);
        }
        all.push_back(std::move(names));
    }
    return all;
}

ForwardNames forwardNames(const ReferenceGraph &graph, const Program &program,
                          const std::vector<KernelNames> &kernels) {
    ForwardNames forward;
    const bool isOne = kernels.size() == 1;
    forward.stem = isOne ? kernels[0].stem : QStringLiteral("forward");
    forward.function = isOne ? kernels[0].function : forward.stem;
    for (const KernelNames &kernel : kernels) {
        for (const int buffer : kernel.readBuffers)
            if (const int memory = program.memoryOf(buffer);
                isInput(memory, program) && forward.names.emplace(memory, QString()).second)
                forward.readBuffers.push_back(memory);
        for (const int buffer : kernel.writtenBuffers)
            if (const int memory = program.memoryOf(buffer); forward.names.emplace(memory, QString()).second)
                forward.madeBuffers.push_back(memory);
    }
    sortAsArguments(forward.readBuffers, graph, program);
    QSet<QString> taken;
    for (const int buffer : forward.readBuffers)
        forward.names[buffer] =
            safeName(camelCase(wordsOf(buffer, graph, program)), QStringLiteral("input"), taken, true);
    for (const int buffer : forward.madeBuffers) {
        const auto output = std::find(program.outputs.begin(), program.outputs.end(), buffer);
        forward.names[buffer] =
            safeName(output == program.outputs.end()
                         ? wordsOf(buffer, graph, program)
                         : QStringLiteral("result%1").arg(output - program.outputs.begin() + 1),
                     QStringLiteral("made"), taken, true);
        if (output != program.outputs.end())
            forward.results.push_back(buffer);
    }
    return forward;
}

QString launcherParameters(const ReferenceGraph &graph, const Program &program, const KernelNames &names) {
    QStringList parameters;
    const auto pointer = [&](int buffer, const char *constant) {
        const ElementType type = typeOfBuffer(graph, program, buffer);
        const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
        parameters << QLatin1String(constant) + (isHalf ? QStringLiteral("void") : cTypeName(type, false)) +
                          QLatin1String(" *") + names.nameOf(buffer);
    };
    for (const int buffer : names.readBuffers)
        pointer(buffer, "const ");
    for (const int buffer : names.writtenBuffers)
        pointer(buffer, "");
    return parameters.join(QLatin1String(", "));
}

namespace {

QString scatterFormula(ScatterKind kind) {
    switch (kind) {
    case ScatterKind::Put:
        return QStringLiteral("= %1");
    case ScatterKind::Add:
        return QStringLiteral("+= %1");
    case ScatterKind::Maximum:
        return QStringLiteral("= the larger of it and %1");
    case ScatterKind::Minimum:
        return QStringLiteral("= the smaller of it and %1");
    }
    return {};
}

// A reduction that a library does, which the formula names instead of spelling it out.
bool isSumOfLibrary(const Kernel &kernel, const KernelStep &step) {
    return (kernel.isMatmul() || kernel.isConvolution()) && isReduction(step.op);
}

std::vector<bool> sumsOfLibrary(const Kernel &kernel) {
    std::vector<bool> areSums;
    for (const KernelStep &step : kernel.steps)
        areSums.push_back(isSumOfLibrary(kernel, step));
    return areSums;
}

/// ", at every second row and column"; none: it is stored everywhere.
QString skippedText(const std::vector<std::int64_t> &every) {
    constexpr const char *numbers[] = {"", "", "second", "third", "fourth"};
    QStringList words;
    std::int64_t last = 0;
    for (std::size_t d = 2; d < every.size(); ++d) {
        if (every[d] == 1)
            continue;
        const QString number =
            every[d] == last ? QString() : QLatin1String(numbers[every[d]]) + QLatin1Char(' ');
        last = every[d];
        words << number + (d + 1 == every.size()   ? QStringLiteral("column")
                           : d + 2 == every.size() ? QStringLiteral("row")
                                                   : QStringLiteral("slice"));
    }
    return words.isEmpty() ? QString() : QStringLiteral(", at every ") + words.join(QLatin1String(" and "));
}

QString reductionWord(Opcode op) {
    switch (op) {
    case Opcode::RowSum:
    case Opcode::ScanSum:
        return QStringLiteral("sum");
    case Opcode::RowProduct:
    case Opcode::ScanProduct:
        return QStringLiteral("product");
    case Opcode::RowMaximum:
    case Opcode::ScanMaximum:
        return QStringLiteral("largest");
    case Opcode::RowKthValue:
        return QStringLiteral("kthValue");
    case Opcode::ScanLogSumExp:
        return QStringLiteral("logAddExp");
    default:
        return QStringLiteral("smallest");
    }
}

/// Steps of this name in the formula: what is read, converted and guarded.
QString readText(ExpressionPrinter &text, const KernelStep &step, const QString &name) {
    if (step.op == Opcode::Index)
        return name;
    const QString element = text.loaded(step, name);
    return step.isGuarded ? QLatin1Char('(') + element + QLatin1Char(')') : element;
}

} // namespace

QString formulaOf(const Kernel &kernel, const KernelNames &names) {
    const auto nameOf = [&](std::size_t input) {
        return names.nameOf(kernel.inputs[input].buffer);
    };
    const auto matrixName = [&](const KernelInput &input) {
        return names.nameOf(input.buffer) + (input.address.offset > 0
                                                 ? QStringLiteral(" from %1 on").arg(input.address.offset)
                                                 : QString());
    };
    const auto scattered = [&](const QString &rows) {
        const ScatterSizes &scatter = *kernel.scatter();
        return QStringLiteral("%1 = %2\n%1[%3] %4, row by row")
            .arg(names.nameOf(kernel.stores[0].buffer),
                 scatter.isInitialized ? QStringLiteral("what a kernel before has written")
                 : scatter.base >= 0   ? nameOf(static_cast<std::size_t>(scatter.base))
                                       : QStringLiteral("zeros"),
                 nameOf(static_cast<std::size_t>(scatter.positions)), scatterFormula(scatter.kind).arg(rows));
    };
    if (kernel.isScatteredRows())
        return scattered(nameOf(0));
    ExpressionPrinter text(kernel, CodeDialect::PlainCpu, [&](int input) {
        return input < 0 ? QStringLiteral("index") : nameOf(static_cast<std::size_t>(input));
    });
    const QString index = QStringLiteral("index");
    const std::vector<QString> reads = formulaReads(
        kernel, [&](int buffer) { return names.nameOf(buffer); },
        names.buffers.contains(index) ? QStringLiteral("counter") : index, sumsOfLibrary(kernel));
    std::vector<int> uses(kernel.steps.size(), 0);
    for (const KernelStep &step : kernel.steps)
        for (const int operand : step.operands)
            ++uses[static_cast<std::size_t>(operand)];
    QStringList lines;
    int values = 0;
    std::map<Opcode, int> sums;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        const auto number = static_cast<int>(i);
        if (isSumOfLibrary(kernel, step)) {
            const Convolution *convolution = kernel.convolution();
            const QString what = convolution == nullptr ? QStringLiteral("%1 times %2, as matrices")
                                 : convolution->sizes.isTransposed
                                     ? QStringLiteral("the transposed convolution of %1 with %2")
                                     : QStringLiteral("the convolution of %1 with %2");
            const QString boundaryModes =
                convolution == nullptr || convolution->sizes.boundaryModes.empty()
                    ? QString()
                    : QStringLiteral(" (%1)").arg(boundaryDescription(convolution->sizes));
            const std::vector<int> all = sumsOf(kernel);
            const auto sumIndex =
                static_cast<std::size_t>(std::find(all.begin(), all.end(), number) - all.begin());
            const QString name = sumIndex == 0          ? QStringLiteral("sum")
                                 : isCellMatmul(kernel) ? QStringLiteral("sum%1").arg(sumIndex + 1)
                                                        : QStringLiteral("other");
            lines << QStringLiteral("%1 = ").arg(name) +
                         (hasTerms(kernel) ? termsText(kernel, number, matrixName)
                                           : what.arg(names.nameOf(kernel.inputs[0].buffer) + boundaryModes,
                                                      matrixName(kernel.inputs[sumIndex + 1])));
            text.name(number, name);
            continue;
        }
        const auto input = static_cast<std::size_t>(step.input);
        if (step.op == Opcode::Index || (step.op == Opcode::Load && reads[i] != nameOf(input))) {
            if (!reads[i].isEmpty())
                text.name(number, readText(text, step, reads[i]));
        } else if (isReduction(step.op)) {
            const int count = ++sums[step.op];
            const QString name = reductionWord(step.op) + (count > 1 ? QString::number(count) : QString());
            const QString what = step.op == Opcode::RowKthValue
                                     ? QStringLiteral("number %1 from the largest on")
                                           .arg(kernel.step(step.operands[1]).number)
                                     : reductionWord(step.op);
            lines << QStringLiteral("%1 = %2 over a row of %3").arg(name, what, text.text(step.operands[0]));
            text.name(number, name);
        } else if (isScan(step.op)) {
            const int count = ++sums[step.op];
            const QString name =
                QStringLiteral("running") +
                QString(reductionWord(step.op)).replace(0, 1, reductionWord(step.op).at(0).toUpper()) +
                (count > 1 ? QString::number(count) : QString());
            lines << QStringLiteral("%1 = %2 so far of %3")
                         .arg(name, reductionWord(step.op), text.text(step.operands[0]));
            text.name(number, name);
        } else if (step.op == Opcode::ScanExclusive) {
            text.name(number, text.text(step.operands[0]) + QStringLiteral(" before"));
        } else if (step.op > Opcode::Index && uses[i] > 1 && !isInnerGuard(kernel, step)) {
            const QString name = QStringLiteral("h%1").arg(++values);
            lines << QStringLiteral("%1 = %2").arg(name, text.text(number));
            text.name(number, name);
        }
    }
    std::map<int, int> parts;
    if (kernel.isSortedRows())
        lines << sortFormula(kernel, names, text.text(kernel.stores[0].step));
    for (const KernelStore &store : kernel.stores) {
        if (kernel.isSortedRows())
            break;
        const bool isPart = std::count_if(kernel.stores.begin(), kernel.stores.end(), [&](const auto &other) {
                                return other.buffer == store.buffer;
                            }) > 1;
        if (kernel.isScattered()) {
            lines << QStringLiteral("rows = ") + text.text(store.step)
                  << scattered(QStringLiteral("rows")).split(QLatin1Char('\n'));
            continue;
        }
        lines << QStringLiteral("%1%2 = %3%4")
                     .arg(names.nameOf(store.buffer),
                          isPart ? QStringLiteral(", part %1").arg(++parts[store.buffer]) : QString(),
                          text.text(store.step), skippedText(store.every));
    }
    QString all = lines.join(QLatin1Char('\n'));
    all.replace(QLatin1String("std::"), QString());
    all.replace(QLatin1String("int64_t"), QStringLiteral("int"));
    // Readers see 0.125f as 0.125.
    static const QRegularExpression suffix(QStringLiteral("(\\d)f\\b"));
    all.replace(suffix, QStringLiteral("\\1"));
    return all;
}

} // namespace warpwright
