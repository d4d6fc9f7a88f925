// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/kernel_text.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/depthwise_edges.h"
#include "agent/playbook/codegen/reserved_words.h"
#include "agent/playbook/codegen/scalar_text.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/own_convolution.h"

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

QString safeName(const QString &wanted, const QString &otherwise, QSet<QString> &taken, bool isAnchor) {
    QString name = wanted;
    const bool isGood = !name.isEmpty() && name[0].isLetter() && name[0].isLower() && name.size() <= 24;
    // Names of counters and of values in the loops are short and lower: x is fine, h and j0 are ours. So are
    // the constants: kColumns.
    static const QSet<QString> ours = {QStringLiteral("h"), QStringLiteral("e"), QStringLiteral("v"),
                                       QStringLiteral("p"), QStringLiteral("k")};
    static const QRegularExpression counted(QStringLiteral("^[a-z]\\d+$"));
    // What a text has several of it numbers, and names what it needs of them by them: kept1, sum2Partials,
    // runningCarry, xPack. Its kernels and their launchers are named by their families.
    static const QRegularExpression derived(QStringLiteral(
        "^(kept|sum|running|largest|smallest|product|ranked|read|held|batch|power)(\\d+|\\d*[A-Z]\\w*)$|"
        "^result\\d*[A-Z]|^(launch|fused|cuda|cublas|cudnn)[A-Z]|^(matrixProduct|convolution\\d|sortedRows)|"
        "(Pack|Packs|Tile|Ahead|Now|Next|Result)\\d*$"));
    const bool isConstant = name.size() > 1 && name[0] == QLatin1Char('k') && name[1].isUpper();
    if (!isGood)
        name = otherwise;
    else if (ours.contains(name) || isConstant || counted.match(name).hasMatch())
        name += QStringLiteral("In");
    else if (derived.match(name).hasMatch() || reservedWords().contains(name) ||
             (isAnchor && anchorWords().contains(name)))
        name += QStringLiteral("Values");
    QString unique = name;
    for (int i = 2; taken.contains(unique); ++i)
        unique = name + QString::number(i);
    taken.insert(unique);
    return unique;
}

/// "x times a plus 0.5 h times b, as matrices", of a sum of one that hasTerms().
QString termsText(const FusedKernel &kernel, int sum,
                  const std::function<QString(const KernelLeaf &leaf)> &nameOf) {
    QString text;
    for (const ProductTerm &term : termsOf(kernel, sum)) {
        const double scale = std::abs(term.factor);
        text += term.factor < 0 ? (text.isEmpty() ? QStringLiteral("-") : QStringLiteral(" less "))
                                : (text.isEmpty() ? QString() : QStringLiteral(" plus "));
        text += (scale == 1 ? QString() : QString::number(scale) + QLatin1Char(' ')) +
                QStringLiteral("%1 times %2")
                    .arg(nameOf(kernel.leaves[term.first]), nameOf(kernel.leaves[term.second]));
    }
    return text + QLatin1String(", as matrices");
}

/// "y = each row of scores + prior in order, from the largest on", a line for each result. `element`: what is
/// sorted.
QStringList sortFormula(const FusedKernel &kernel, const KernelNames &names, const QString &element) {
    const SortSizes &sort = kernel.sorting;
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
    if (sort.places >= 0)
        lines << (sort.values >= 0 ? QStringLiteral("%1 = where in its row each was").arg(nameOf(sort.places))
                                   : QStringLiteral("%1 = where in its row each of %2 of %3 was, %4")
                                         .arg(nameOf(sort.places), which, element, order));
    return lines;
}

} // namespace

QString stemOf(const FusedKernel &kernel) {
    switch (familyOf(kernel)) {
    case KernelFamily::Pointwise:
        return QStringLiteral("fused_pointwise");
    case KernelFamily::Rows:
    case KernelFamily::Windows:
        break;
    case KernelFamily::Columns:
        return QStringLiteral("fused_columns");
    case KernelFamily::Product:
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

const GraphNode &nodeOfBuffer(const ReferenceGraph &graph, const KernelPlan &plan, int buffer) {
    return graph.nodes[static_cast<std::size_t>(plan.buffers[static_cast<std::size_t>(buffer)].node)];
}

ElementType typeOfBuffer(const ReferenceGraph &graph, const KernelPlan &plan, int buffer) {
    return nodeOfBuffer(graph, plan, buffer).type;
}

QString kernelCount(const KernelPlan &plan) {
    const auto isCall = [](const FusedKernel &kernel) {
        return kernel.anchor == Anchor::Product ||
               (kernel.anchor == Anchor::Convolution && !kernel.convolution.isDepthwise() &&
                !isOwnConvolution(kernel));
    };
    const auto calls = std::count_if(plan.kernels.begin(), plan.kernels.end(), isCall);
    const auto kernels = static_cast<std::ptrdiff_t>(plan.kernels.size()) - calls;
    QStringList parts;
    if (kernels > 0)
        parts << (kernels == 1 ? QStringLiteral("one kernel") : QStringLiteral("%1 kernels").arg(kernels));
    if (calls > 0)
        parts << (calls == 1 ? QStringLiteral("one call of a library")
                             : QStringLiteral("%1 calls of a library").arg(calls));
    return parts.join(QLatin1String(" and "));
}

namespace {

bool isLeaf(int buffer, const KernelPlan &plan) {
    return plan.buffers[static_cast<std::size_t>(buffer)].kind == PlanBuffer::Kind::Leaf;
}

// In the order of the reference's own arguments, then what kernels before have made, then parameters.
void sortAsArguments(std::vector<int> &buffers, const ReferenceGraph &graph, const KernelPlan &plan) {
    const auto rank = [&](int buffer) {
        const GraphNode &node = nodeOfBuffer(graph, plan, buffer);
        return std::pair(!isLeaf(buffer, plan)                 ? 1
                         : node.kind == GraphNode::Kind::Input ? 0
                                                               : 2,
                         node.position);
    };
    std::stable_sort(buffers.begin(), buffers.end(), [&](int a, int b) { return rank(a) < rank(b); });
}

QString wordsOf(int buffer, const ReferenceGraph &graph, const KernelPlan &plan) {
    const GraphNode &node = nodeOfBuffer(graph, plan, buffer);
    const bool isWindow = plan.buffers[static_cast<std::size_t>(buffer)].kind == PlanBuffer::Kind::Window;
    return isWindow && plan.repeats.empty()      ? QStringLiteral("part%1").arg(buffer)
           : isWindow                            ? node.name
           : !isLeaf(buffer, plan)               ? QStringLiteral("partial%1").arg(buffer)
           : node.kind == GraphNode::Kind::Input ? graph.argumentNames.value(node.position)
                                                 : node.path;
}

} // namespace

std::vector<KernelNames> kernelNames(const ReferenceGraph &graph, const KernelPlan &plan) {
    std::vector<KernelNames> all;
    std::map<QString, int> counts;
    std::map<QString, int> numbers;
    for (const FusedKernel &kernel : plan.kernels)
        ++counts[stemOf(kernel)];
    for (const FusedKernel &kernel : plan.kernels) {
        KernelNames names;
        names.stem = stemOf(kernel);
        if (counts[names.stem] > 1)
            names.stem += QStringLiteral("_%1").arg(++numbers[stemOf(kernel)]);
        names.function = camelCase(names.stem);
        QSet<QString> taken;
        if (kernel.anchor == Anchor::Attention)
            taken = attentionWords();
        if (kernel.anchor == Anchor::SortedRows)
            taken = sortWords();
        const bool isAnchor = kernel.anchor != Anchor::None;
        for (const KernelLeaf &leaf : kernel.leaves)
            if (std::find(names.readBuffers.begin(), names.readBuffers.end(), leaf.buffer) ==
                names.readBuffers.end())
                names.readBuffers.push_back(leaf.buffer);
        sortAsArguments(names.readBuffers, graph, plan);
        for (const int buffer : names.readBuffers)
            names.buffers << safeName(camelCase(wordsOf(buffer, graph, plan)), QStringLiteral("input"), taken,
                                      isAnchor);
        for (const KernelStore &store : kernel.stores) {
            if (std::find(names.writtenBuffers.begin(), names.writtenBuffers.end(), store.buffer) !=
                names.writtenBuffers.end()) // parts of one tensor
                continue;
            names.writtenBuffers.push_back(store.buffer);
            const bool isLast =
                plan.buffers[static_cast<std::size_t>(store.buffer)].kind == PlanBuffer::Kind::Output;
            const bool isWindow =
                plan.buffers[static_cast<std::size_t>(store.buffer)].kind == PlanBuffer::Kind::Window;
            names.buffers << safeName(isLast     ? QStringLiteral("y")
                                      : isWindow ? wordsOf(store.buffer, graph, plan)
                                                 : QStringLiteral("partial"),
                                      QStringLiteral("y"), taken, isAnchor);
        }
        all.push_back(std::move(names));
    }
    return all;
}

ForwardNames forwardNames(const ReferenceGraph &graph, const KernelPlan &plan,
                          const std::vector<KernelNames> &kernels) {
    ForwardNames forward;
    const bool isOne = kernels.size() == 1;
    forward.stem = isOne ? kernels[0].stem : QStringLiteral("forward");
    forward.function = isOne ? kernels[0].function : forward.stem;
    for (const KernelNames &kernel : kernels) {
        for (const int buffer : kernel.readBuffers)
            if (const int memory = plan.memoryOf(buffer);
                isLeaf(memory, plan) && forward.names.emplace(memory, QString()).second)
                forward.readBuffers.push_back(memory);
        for (const int buffer : kernel.writtenBuffers)
            if (const int memory = plan.memoryOf(buffer); forward.names.emplace(memory, QString()).second)
                forward.madeBuffers.push_back(memory);
    }
    sortAsArguments(forward.readBuffers, graph, plan);
    QSet<QString> taken;
    for (const int buffer : forward.readBuffers)
        forward.names[buffer] =
            safeName(camelCase(wordsOf(buffer, graph, plan)), QStringLiteral("input"), taken, true);
    for (const int buffer : forward.madeBuffers) {
        const auto output = std::find(plan.outputs.begin(), plan.outputs.end(), buffer);
        forward.names[buffer] = safeName(
            output == plan.outputs.end() ? wordsOf(buffer, graph, plan)
                                         : QStringLiteral("result%1").arg(output - plan.outputs.begin() + 1),
            QStringLiteral("made"), taken, true);
        if (output != plan.outputs.end())
            forward.results.push_back(buffer);
    }
    return forward;
}

QString launcherParameters(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &,
                           const KernelNames &names) {
    QStringList parameters;
    const auto pointer = [&](int buffer, const char *constant) {
        const ElementType type = typeOfBuffer(graph, plan, buffer);
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

// What a library forms is told in its own words.
bool isLibrarysSum(const FusedKernel &kernel, const KernelStep &step) {
    return (kernel.anchor == Anchor::Product || kernel.anchor == Anchor::Convolution) && isReduction(step.op);
}

/// ", at every second row and column"; none: it is stored everywhere.
QString skippedWords(const std::vector<std::int64_t> &every) {
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

} // namespace

QString formulaOf(const FusedKernel &kernel, const KernelNames &names) {
    const auto nameOf = [&](std::size_t leaf) {
        return names.nameOf(kernel.leaves[leaf].buffer);
    };
    const auto matrixName = [&](const KernelLeaf &leaf) {
        return names.nameOf(leaf.buffer) +
               (leaf.address.offset > 0 ? QStringLiteral(" from %1 on").arg(leaf.address.offset) : QString());
    };
    const auto scattered = [&](const QString &rows) {
        const ScatterSizes &scatter = kernel.scatter;
        return QStringLiteral("%1 = %2\n%1[%3] %4, row by row")
            .arg(names.nameOf(kernel.stores[0].buffer),
                 scatter.isBegun     ? QStringLiteral("what a kernel before has written")
                 : scatter.base >= 0 ? nameOf(static_cast<std::size_t>(scatter.base))
                                     : QStringLiteral("zeros"),
                 nameOf(static_cast<std::size_t>(scatter.places)), scatterFormula(scatter.kind).arg(rows));
    };
    if (kernel.anchor == Anchor::ScatteredRows)
        return scattered(nameOf(0));
    ScalarText text(kernel, TextDialect::PlainCpu, [&](int leaf) {
        return leaf < 0 ? QStringLiteral("index")
                        : names.nameOf(kernel.leaves[static_cast<std::size_t>(leaf)].buffer);
    });
    std::vector<int> uses(kernel.steps.size(), 0);
    for (const KernelStep &step : kernel.steps)
        for (const int operand : step.operands)
            ++uses[static_cast<std::size_t>(operand)];
    QStringList lines;
    int values = 0;
    std::map<KernelOp, int> sums;
    const auto word = [](KernelOp op) {
        switch (op) {
        case KernelOp::RowSum:
        case KernelOp::ScanSum:
            return QStringLiteral("sum");
        case KernelOp::RowProduct:
        case KernelOp::ScanProduct:
            return QStringLiteral("product");
        case KernelOp::RowMaximum:
        case KernelOp::ScanMaximum:
            return QStringLiteral("largest");
        case KernelOp::RowRanked:
            return QStringLiteral("ranked");
        case KernelOp::ScanLogSumExp:
            return QStringLiteral("logOfSum");
        default:
            return QStringLiteral("smallest");
        }
    };
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        const auto number = static_cast<int>(i);
        if (isLibrarysSum(kernel, step)) {
            const QString what = kernel.anchor == Anchor::Product ? QStringLiteral("%1 times %2, as matrices")
                                 : kernel.convolution.isTransposed
                                     ? QStringLiteral("the transposed convolution of %1 with %2")
                                     : QStringLiteral("the convolution of %1 with %2");
            const QString edges = kernel.convolution.edges.empty()
                                      ? QString()
                                      : QStringLiteral(" (%1)").arg(edgeWords(kernel.convolution));
            const std::vector<int> all = sumsOf(kernel);
            const auto place =
                static_cast<std::size_t>(std::find(all.begin(), all.end(), number) - all.begin());
            const QString name = place == 0              ? QStringLiteral("sum")
                                 : isTurnProduct(kernel) ? QStringLiteral("sum%1").arg(place + 1)
                                                         : QStringLiteral("other");
            lines << QStringLiteral("%1 = ").arg(name) +
                         (hasTerms(kernel) ? termsText(kernel, number, matrixName)
                                           : what.arg(names.nameOf(kernel.leaves[0].buffer) + edges,
                                                      matrixName(kernel.leaves[place + 1])));
            text.name(number, name);
            continue;
        }
        if (isReduction(step.op)) {
            const int count = ++sums[step.op];
            const QString name = word(step.op) + (count > 1 ? QString::number(count) : QString());
            const QString what = step.op == KernelOp::RowRanked
                                     ? QStringLiteral("number %1 from the largest on")
                                           .arg(kernel.step(step.operands[1]).number)
                                     : word(step.op);
            lines << QStringLiteral("%1 = %2 over a row of %3").arg(name, what, text.text(step.operands[0]));
            text.name(number, name);
        } else if (isScan(step.op)) {
            const int count = ++sums[step.op];
            const QString name = QStringLiteral("running") +
                                 QString(word(step.op)).replace(0, 1, word(step.op).at(0).toUpper()) +
                                 (count > 1 ? QString::number(count) : QString());
            lines << QStringLiteral("%1 = %2 so far of %3")
                         .arg(name, word(step.op), text.text(step.operands[0]));
            text.name(number, name);
        } else if (step.op == KernelOp::ScanBefore) {
            text.name(number, text.text(step.operands[0]) + QStringLiteral(" before"));
        } else if (step.op > KernelOp::Index && uses[i] > 1 && !isInnerGuard(kernel, step)) {
            const QString name = QStringLiteral("h%1").arg(++values);
            lines << QStringLiteral("%1 = %2").arg(name, text.text(number));
            text.name(number, name);
        }
    }
    std::map<int, int> parts;
    if (kernel.anchor == Anchor::SortedRows)
        lines << sortFormula(kernel, names, text.text(kernel.stores[0].step));
    for (const KernelStore &store : kernel.stores) {
        if (kernel.anchor == Anchor::SortedRows)
            break;
        const bool isPart = std::count_if(kernel.stores.begin(), kernel.stores.end(), [&](const auto &other) {
                                return other.buffer == store.buffer;
                            }) > 1;
        if (!kernel.scatter.isEmpty()) {
            lines << QStringLiteral("rows = ") + text.text(store.step)
                  << scattered(QStringLiteral("rows")).split(QLatin1Char('\n'));
            continue;
        }
        lines << QStringLiteral("%1%2 = %3%4")
                     .arg(names.nameOf(store.buffer),
                          isPart ? QStringLiteral(", part %1").arg(++parts[store.buffer]) : QString(),
                          text.text(store.step), skippedWords(store.every));
    }
    QString all = lines.join(QLatin1Char('\n'));
    all.replace(QLatin1String("std::"), QString());
    all.replace(QLatin1String("int64_t"), QStringLiteral("int"));
    // 0.125f is a number to a reader.
    static const QRegularExpression suffix(QStringLiteral("(\\d)f\\b"));
    all.replace(suffix, QStringLiteral("\\1"));
    return all;
}

} // namespace warpwright
