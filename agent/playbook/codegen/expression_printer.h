// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QStringList>

#include <functional>
#include <map>
#include <set>

namespace warpwright {

/// Whose instructions a text is for.
enum class CodeDialect {
    PlainCpu,  ///< the functions of <cmath>, one element after the other
    VectorCpu, ///< written out as arithmetic, which the compiler makes vector code of
    Cuda,
};

/// Steps of a kernel as C++ expressions. Remembers which functions of ours they call.
class ExpressionPrinter {
public:
    /// `load`: the text of an element of that leaf.
    ExpressionPrinter(const Kernel &kernel, CodeDialect dialect, std::function<QString(int input)> load);

    /// From now on the step is called that.
    void name(int step, const QString &name) { m_names[step] = name; }
    void forget(int step) { m_names.erase(step); }
    [[nodiscard]] QString nameOf(int step) const;
    [[nodiscard]] bool isNamed(int step) const { return m_names.contains(step); }
    /// The name, or the expression.
    [[nodiscard]] QString text(int step);
    /// The expression, also of a step that has a name.
    [[nodiscard]] QString definition(int step);
    /// The line that makes a constant of the step, which is called `name` from then on.
    [[nodiscard]] QString constant(int step, const QString &name, int indent);
    /// What the Load step computes with, where `element` is what it finds: converted, and under its
    /// condition.
    [[nodiscard]] QString loaded(const KernelStep &load, const QString &element);
    /// Which element the Load step finds, where a step says: "c + places[row] * 64"; `address`: what the
    /// loops say.
    [[nodiscard]] QString position(const KernelStep &load, const QString &address);
    /// As the memory's type.
    [[nodiscard]] QString stored(int step, ElementType type);

    /// An exponential by the unit that has powers of two, as that function of ours has it.
    void approximate(int exponential, const QString &function = QStringLiteral("exponentialOfDistance")) {
        m_approximate[exponential] = function;
    }
    /// The text around calls that function of ours.
    void calls(const QString &function) { m_functions.insert(function); }
    [[nodiscard]] const std::set<QString> &functions() const { return m_functions; }

private:
    struct Piece {
        QString text;
        int rank = 3; ///< 0 ?:, 1 comparison, 2 sum, 3 product, 4 unary and calls
    };
    Piece piece(int step, bool isDefinition);
    Piece loadPiece(const KernelStep &step);
    Piece loadedPiece(const KernelStep &step, QString element);
    QString indexTerm(const KernelStep &step, std::size_t operandNumber);
    Piece quotientPiece(int number);
    Piece call(const QString &plain, const QString &ours, const KernelStep &step);
    QString operand(const KernelStep &step, std::size_t index, int rank);
    [[nodiscard]] bool usesHelperFunctions(const KernelStep &step) const;
    [[nodiscard]] bool isPerElement(const KernelStep &step) const;
    [[nodiscard]] QString literal(double value, ElementType type) const;

    const Kernel &m_kernel;
    CodeDialect m_dialect;
    bool m_isMatmulEpilogue; ///< of a product of ours, whose few warps hide no branch
    std::function<QString(int)> m_load;
    std::map<int, QString> m_names;
    std::map<int, QString> m_approximate;
    std::set<QString> m_functions;
};

/// The functions of ours by these names, and what they call, as text of an anonymous namespace.
[[nodiscard]] QString helperFunctions(const std::set<QString> &names, CodeDialect dialect);

/// An index as C++: "row * 4096 + 3". `counters`: the names of the loops' counters; empty ones are left out.
[[nodiscard]] QString indexExpression(const AffineExpr &index, const QStringList &counters);

} // namespace warpwright
