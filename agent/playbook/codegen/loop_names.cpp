// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/loop_names.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype widest = 110;

// exp(x - maximum) is NaN where an element is, and so is their sum: softmax needs no NaN count.
bool isVisibleLater(const Kernel &kernel, int maximum) {
    const int element = kernel.step(maximum).operands[0];
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &sum) {
        if (sum.op != Opcode::RowSum)
            return false;
        const KernelStep &power = kernel.step(sum.operands[0]);
        if (power.op != Opcode::Exp)
            return false;
        const KernelStep &difference = kernel.step(power.operands[0]);
        return difference.op == Opcode::Subtract && difference.operands[0] == element &&
               difference.operands[1] == maximum;
    });
}

} // namespace

LoopNames::LoopNames(const Kernel &kernel) : m_kernel(kernel) {
    const std::size_t inner = kernel.loops.size() - kernel.outer;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        const bool isOuter = k < kernel.outer;
        m_counters << (isOuter ? (kernel.outer == 1 ? QStringLiteral("row") : QStringLiteral("i%1").arg(k))
                               : (inner == 1 ? QStringLiteral("c")
                                             : QStringLiteral("j%1").arg(k - kernel.outer)));
    }
}

std::vector<std::size_t> LoopNames::innerLoops() const {
    std::vector<std::size_t> loops;
    for (std::size_t k = m_kernel.outer; k < m_kernel.loops.size(); ++k)
        loops.push_back(k);
    return loops;
}

QStringList LoopNames::counterLines(std::size_t begin, std::size_t end, const QString &flat) const {
    QStringList lines;
    std::int64_t span = 1;
    for (std::size_t k = end; k-- > begin;) {
        QString value = span == 1 ? flat : QStringLiteral("%1 / %2").arg(flat).arg(span);
        if (k > begin)
            value += QStringLiteral(" % %1").arg(m_kernel.loops[k]);
        lines.prepend(QStringLiteral("const std::int64_t %1 = %2;").arg(counter(k), value));
        span *= m_kernel.loops[k];
    }
    return lines;
}

QStringList LoopNames::outerCounterLines(bool is32Bit) const {
    return m_kernel.outer <= 1
               ? QStringList()
               : counterLines(0, m_kernel.outer,
                              is32Bit ? QStringLiteral("unsigned(row)") : QStringLiteral("row"));
}

QStringList LoopNames::innerCounterLines() const {
    return m_kernel.loops.size() - m_kernel.outer <= 1
               ? QStringList()
               : counterLines(m_kernel.outer, m_kernel.loops.size(), QStringLiteral("c"));
}

AffineExpr LoopNames::outerPart(const AffineExpr &index) const {
    AffineExpr part = index;
    std::fill(part.steps.begin() + static_cast<std::ptrdiff_t>(m_kernel.outer), part.steps.end(), 0);
    return part;
}

AffineExpr LoopNames::innerPart(const AffineExpr &index) const {
    AffineExpr part = index;
    std::fill(part.steps.begin(), part.steps.begin() + static_cast<std::ptrdiff_t>(m_kernel.outer), 0);
    part.offset = 0;
    return part;
}

QString LoopNames::flatColumn() const {
    QStringList parts;
    std::int64_t span = 1;
    for (std::size_t k = m_kernel.loops.size(); k-- > m_kernel.outer;) {
        parts.prepend(span == 1 ? counter(k) : QStringLiteral("%1 * %2").arg(counter(k)).arg(span));
        span *= m_kernel.loops[k];
    }
    return parts.isEmpty() ? QStringLiteral("0") : parts.join(QLatin1String(" + "));
}

bool LoopNames::isContiguousRow(const AffineExpr &address) const {
    std::int64_t span = 1;
    for (std::size_t k = m_kernel.loops.size(); k-- > m_kernel.outer;) {
        if (address.steps[k] != span)
            return false;
        span *= m_kernel.loops[k];
    }
    return true;
}

QString LoopNames::accumulatorName(int step) const {
    const Opcode op = m_kernel.step(step).op;
    const QString word = op == Opcode::RowSum        ? QStringLiteral("sum")
                         : op == Opcode::RowProduct  ? QStringLiteral("product")
                         : op == Opcode::RowMaximum  ? QStringLiteral("largest")
                         : op == Opcode::RowKthValue ? QStringLiteral("kthValue")
                                                     : QStringLiteral("smallest");
    int number = 0;
    for (int i = 0; i <= step; ++i)
        number += m_kernel.step(i).op == op ? 1 : 0;
    return word + (number > 1 ? QString::number(number) : QString());
}

QString ReductionCode::update(const QString &name, const QString &element) const {
    if (sign == QLatin1String("max"))
        return QStringLiteral("%1 = %2 > %1 ? %2 : %1;").arg(name, element);
    if (sign == QLatin1String("min"))
        return QStringLiteral("%1 = %2 < %1 ? %2 : %1;").arg(name, element);
    if (sign == QLatin1String("||") || sign == QLatin1String("&&"))
        return QStringLiteral("%1 = %1 %2 %3;").arg(name, sign, element);
    return QStringLiteral("%1 %2= %3;").arg(name, sign, element);
}

ReductionCode reductionCode(const Kernel &kernel, int number, bool isLong) {
    const KernelStep &step = kernel.step(number);
    ReductionCode sum;
    sum.type = cTypeName(step.type, false);
    const bool isMaximum = step.op == Opcode::RowMaximum;
    if (step.op == Opcode::RowSum || step.op == Opcode::RowProduct) {
        const bool isSum = step.op == Opcode::RowSum;
        if (step.type == ElementType::Float32 && isLong)
            sum.type = QStringLiteral("double");
        sum.start =
            sum.type == QLatin1String("float")    ? (isSum ? QStringLiteral("0.0f") : QStringLiteral("1.0f"))
            : sum.type == QLatin1String("double") ? (isSum ? QStringLiteral("0.0") : QStringLiteral("1.0"))
                                                  : (isSum ? QStringLiteral("0") : QStringLiteral("1"));
        sum.sign = isSum ? QStringLiteral("+") : QStringLiteral("*");
        return sum;
    }
    if (step.type == ElementType::Bool) {
        sum.start = isMaximum ? QStringLiteral("false") : QStringLiteral("true");
        sum.sign = isMaximum ? QStringLiteral("||") : QStringLiteral("&&");
        return sum;
    }
    sum.sign = isMaximum ? QStringLiteral("max") : QStringLiteral("min");
    if (step.type == ElementType::Int64) {
        sum.start = isMaximum ? QStringLiteral("INT64_MIN") : QStringLiteral("INT64_MAX");
        return sum;
    }
    sum.start = isMaximum ? QStringLiteral("-INFINITY") : QStringLiteral("INFINITY");
    sum.countsNans = !isMaximum || !isVisibleLater(kernel, number);
    return sum;
}

QString ScanCode::combined(const QString &before, const QString &after) const {
    if (!function.isEmpty())
        return QStringLiteral("%1(%2, %3)").arg(function, before, after);
    if (sign == QLatin1String("+") || sign == QLatin1String("*"))
        return QStringLiteral("%1 %2 %3").arg(before, sign, after);
    if (type == QLatin1String("std::int64_t"))
        return QStringLiteral("%1 %2 %3 ? %1 : %3").arg(after, sign, before);
    // Once NaN, it stays NaN.
    return QStringLiteral("%1 %2 %3 || %1 != %1 ? %1 : %3").arg(after, sign, before);
}

QString ScanCode::update(const QString &name, const QString &element) const {
    if (sign == QLatin1String("+") || sign == QLatin1String("*"))
        return QStringLiteral("%1 %2= %3;").arg(name, sign, element);
    return QStringLiteral("%1 = %2;").arg(name, combined(name, element));
}

QString ReductionCode::extreme(const QString &a, const QString &b) const {
    const QString than = sign == QLatin1String("max") ? QStringLiteral(">") : QStringLiteral("<");
    return countsNans ? QStringLiteral("%1 %3 %2 || %1 != %1 ? %1 : %2").arg(a, b, than)
                      : QStringLiteral("%1 %3 %2 ? %1 : %2").arg(a, b, than);
}

QString ReductionCode::extremeFunction() const {
    if (!isExtreme() || !countsNans || type != QLatin1String("float"))
        return {};
    return sign == QLatin1String("max") ? QStringLiteral("maximum") : QStringLiteral("minimum");
}

QString ReductionCode::cudaExtreme(const QString &a, const QString &b) const {
    if (type != QLatin1String("float"))
        return extreme(a, b);
    const QString function = countsNans                     ? extremeFunction()
                             : sign == QLatin1String("max") ? QStringLiteral("fmaxf")
                                                            : QStringLiteral("fminf");
    return QStringLiteral("%1(%2, %3)").arg(function, a, b);
}

ScanCode scanCode(const Kernel &kernel, int number, bool isLong) {
    const KernelStep &step = kernel.step(number);
    ScanCode scan;
    scan.type = cTypeName(step.type, false);
    const bool isWhole = step.type == ElementType::Int64;
    switch (step.op) {
    case Opcode::ScanSum:
    case Opcode::ScanProduct: {
        const bool isSum = step.op == Opcode::ScanSum;
        if (step.type == ElementType::Float32 && isLong)
            scan.type = QStringLiteral("double");
        scan.sign = isSum ? QStringLiteral("+") : QStringLiteral("*");
        scan.start = isSum ? QStringLiteral("0") : QStringLiteral("1");
        if (scan.type == QLatin1String("float"))
            scan.start += QLatin1String(".0f");
        else if (scan.type == QLatin1String("double"))
            scan.start += QLatin1String(".0");
        break;
    }
    case Opcode::ScanMaximum:
    case Opcode::ScanMinimum: {
        const bool isMaximum = step.op == Opcode::ScanMaximum;
        scan.sign = isMaximum ? QStringLiteral(">=") : QStringLiteral("<=");
        scan.start = isWhole ? (isMaximum ? QStringLiteral("INT64_MIN") : QStringLiteral("INT64_MAX"))
                             : (isMaximum ? QStringLiteral("-INFINITY") : QStringLiteral("INFINITY"));
        break;
    }
    default:
        scan.function = step.type == ElementType::Float64 ? QStringLiteral("logAddExpDouble")
                                                          : QStringLiteral("logAddExp");
        scan.start = QStringLiteral("-INFINITY");
        break;
    }
    return scan;
}

QStringList namedIn(const QString &text, const QStringList &counterLines) {
    QStringList named;
    for (const QString &line : counterLines) {
        const QString name = line.section(QLatin1String(" ="), 0, 0).section(QLatin1Char(' '), -1);
        if (text.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(name))))
            named << line;
    }
    return named;
}

QString commaSeparated(const Shape &numbers) {
    QStringList parts;
    for (const std::int64_t number : numbers)
        parts << QString::number(number);
    return parts.join(QLatin1String(", "));
}

QString wrapped(const QString &text, const QString &first, const QString &further) {
    QString all;
    QString line = first;
    bool isEmpty = true;
    for (const QString &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!isEmpty && line.size() + 1 + word.size() > widest) {
            all += line + QLatin1Char('\n');
            line = further;
            isEmpty = true;
        }
        line += (isEmpty ? QString() : QStringLiteral(" ")) + word;
        isEmpty = false;
    }
    return all + line + QLatin1Char('\n');
}

QString wrappedLines(const QStringList &lines, int depth) {
    QString text;
    for (const QString &line : lines) {
        const auto begin =
            std::find_if(line.begin(), line.end(), [](QChar some) { return some != QLatin1Char(' '); });
        const int first = depth + static_cast<int>(begin - line.begin());
        text += line.startsWith(QLatin1Char('#'))
                    ? line + QLatin1Char('\n')
                    : wrapped(line, QString(first, QLatin1Char(' ')), QString(first + 4, QLatin1Char(' ')));
    }
    return text;
}

QString wrappedCall(const QString &head, const QString &arguments, const QString &tail) {
    const QString further(head.size(), QLatin1Char(' '));
    QString all;
    QString line = head;
    bool isEmpty = true;
    const QStringList parts = arguments.split(QStringLiteral(", "));
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QString part = parts[i] + (i + 1 < parts.size() ? QStringLiteral(",") : tail);
        if (!isEmpty && line.size() + 1 + part.size() > widest) {
            all += line + QLatin1Char('\n');
            line = further;
            isEmpty = true;
        }
        line += (isEmpty ? QString() : QStringLiteral(" ")) + part;
        isEmpty = false;
    }
    return all + line + QLatin1Char('\n');
}

} // namespace warpwright
