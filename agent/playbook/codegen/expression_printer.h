// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QStringList>

#include <functional>
#include <map>
#include <set>

namespace warpwright {

/// The instruction set of a text.
enum class CodeDialect {
    PlainCpu,  ///< functions of <cmath>, one element after the other
    VectorCpu, ///< spelled out as arithmetic that the compiler can vectorize
    Cuda,
};

/// Steps of a kernel as C++ expressions; records which helper functions they call.
class ExpressionPrinter {
public:
    /// `load`: the text of an element of that input.
    ExpressionPrinter(const Kernel &kernel, CodeDialect dialect, std::function<QString(int input)> load);

    /// From now on the step has that name.
    void name(int step, const QString &name) { m_names[step] = name; }
    void forget(int step) { m_names.erase(step); }
    [[nodiscard]] QString nameOf(int step) const;
    [[nodiscard]] bool isNamed(int step) const { return m_names.contains(step); }
    /// The name, or the expression.
    [[nodiscard]] QString text(int step);
    /// The expression, also of a step that has a name.
    [[nodiscard]] QString definition(int step);
    /// The line that defines a constant for the step, called `name` from then on.
    [[nodiscard]] QString constant(int step, const QString &name, int indent);
    /// The value of the Load step, if `element` is what is in memory: converted, and guarded by its
    /// condition.
    [[nodiscard]] QString loaded(const KernelStep &load, const QString &element);
    /// Position of the Load step's element with data-dependent indices: "c + indices[row] * 64"; `address`:
    /// the affine part.
    [[nodiscard]] QString position(const KernelStep &load, const QString &address);
    /// Converted to the memory's type.
    [[nodiscard]] QString stored(int step, ElementType type);

    /// Prints an exponential by ex2.approx, through that helper function.
    void approximate(int exponential, const QString &function = QStringLiteral("expBelowMax")) {
        m_approximate[exponential] = function;
    }
    /// The text around calls that helper function.
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
    bool m_isMatmulEpilogue; ///< of our own matmul, whose few warps hide no branch
    std::function<QString(int)> m_load;
    std::map<int, QString> m_names;
    std::map<int, QString> m_approximate;
    std::set<QString> m_functions;
};

/// The helper functions of these names, and what they call, as text for an anonymous namespace.
[[nodiscard]] QString helperFunctions(const std::set<QString> &names, CodeDialect dialect);

/// An index as C++: "row * 4096 + 3". `counters`: names of the loop counters; empty ones are left out.
[[nodiscard]] QString indexExpression(const AffineExpr &index, const QStringList &counters);

} // namespace warpwright
