// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace warpwright {

/// Text of an SM90 GEMM's epilogue; a tile's sums are in `sums`, in the accumulator layout of wgmma.
struct Sm90Epilogue {
    int sharedBytes = 0; ///< per block, besides the stages; as a C++ term below, and what they are for
    QString sharedTerm;
    QString sharedPurpose;
    QString constants;
    QString types;
    QString instructions;
    QString held;   ///< before the loop over tiles
    QString before; ///< before a tile's main loop
    QString after;  ///< after it
    std::set<QString> functions;
};

/// Base of both epilogue writers, vectorized and scalar.
class EpilogueWriter {
public:
    EpilogueWriter(const Kernel &kernel, const KernelNames &names)
        : m_kernel(kernel),
          m_names(names),
          m_type(kernel.inputs[0].type),
          m_element(cTypeName(m_type, true)),
          m_isPair(secondSumOf(kernel) >= 0) {
        for (std::size_t i = firstEpilogueInput(kernel); i < kernel.inputs.size(); ++i) {
            const auto operand = epilogueOperandOf(kernel, kernel.inputs[i]);
            (operand == EpilogueOperand::LikeOutput  ? m_matrices
             : operand == EpilogueOperand::PerColumn ? m_vectors
                                                     : m_rows)
                .push_back(static_cast<int>(i));
        }
    }

protected:
    [[nodiscard]] const KernelInput &inputOf(int input) const {
        return m_kernel.inputs[static_cast<std::size_t>(input)];
    }
    /// Columns of each result in a tile.
    [[nodiscard]] int columnsOfOne() const { return sm90TileColumns(m_kernel) / (m_isPair ? 2 : 1); }
    [[nodiscard]] QString columnsConstant() const {
        return m_isPair ? QStringLiteral("kHalfTileN") : QStringLiteral("kTileN");
    }
    /// "x + row * 512 + column"
    [[nodiscard]] QString addressOf(int buffer, const AffineExpr &address) const {
        return QStringLiteral("%1 + %2").arg(
            m_names.nameOf(buffer),
            indexExpression(address,
                            hasBatches(m_kernel)
                                ? QStringList{QStringLiteral("batch"), QStringLiteral("row"),
                                              QStringLiteral("column"), QString()}
                                : QStringList{QStringLiteral("row"), QStringLiteral("column"), QString()}));
    }
    [[nodiscard]] QString addressOf(int input) const {
        return addressOf(inputOf(input).buffer, inputOf(input).address);
    }
    [[nodiscard]] static std::optional<std::size_t> among(const std::vector<int> &list, int input) {
        const auto found = std::find(list.begin(), list.end(), input);
        return found == list.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - list.begin()));
    }
    /// Names of a thread's result vectors, one for each of the kernel's stores.
    [[nodiscard]] QStringList results() const {
        return m_kernel.stores.size() == 1 ? QStringList{QStringLiteral("result")}
                                           : QStringList{QStringLiteral("result"), QStringLiteral("result2")};
    }
    [[nodiscard]] QString resultVectors(int indent) const {
        return QStringLiteral("%1Vec %2;\n")
            .arg(QString(indent, QLatin1Char(' ')), results().join(QLatin1String(", ")));
    }
    QStringList statementsOf(const std::function<QString(int input)> &elementOf, const QString &sum,
                             std::set<QString> &functions) const {
        std::vector<StoredElement> targets;
        for (const QString &name : results())
            targets.push_back({name + QLatin1String(".at[k]"), {}});
        return epilogueStatements(m_kernel, elementOf, sum, targets, functions, CodeDialect::Cuda);
    }
    /// The body of the branch that stores them, from behind its condition on.
    [[nodiscard]] QString storesText(int indent) const {
        const QString space(indent, QLatin1Char(' '));
        const QStringList names = results();
        const auto out = [this](std::size_t i) {
            return QStringLiteral("reinterpret_cast<Vec *>(%1)")
                .arg(addressOf(m_kernel.stores[i].buffer, m_kernel.stores[i].address));
        };
        if (names.size() == 1)
            return QStringLiteral("\n%1    *%2 = result;\n").arg(space, out(0));
        QString lines = QStringLiteral(" {\n");
        if (areInterleaved(m_kernel)) // a vector holds two elements of each result
            for (int half = 0; half < 2; ++half)
                lines += QStringLiteral("%1    %2[%3] = {result.at[%4], result2.at[%4], result.at[%5], "
                                        "result2.at[%5]};\n")
                             .arg(space, out(0))
                             .arg(half)
                             .arg(2 * half)
                             .arg(2 * half + 1);
        else
            for (std::size_t i = 0; i < 2; ++i)
                lines +=
                    QStringLiteral("%1    *%2 = %3;\n").arg(space, out(i), names[static_cast<qsizetype>(i)]);
        return lines + space + QStringLiteral("}\n");
    }
    static QString readName(std::size_t i) { return QStringLiteral("read%1").arg(i + 1); }
    static QString heldName(std::size_t i) { return QStringLiteral("smemColumn%1").arg(i + 1); }
    static QString vectorName(std::size_t i) { return QStringLiteral("perColumn%1").arg(i + 1); }
    static QString oneName(std::size_t i) { return QStringLiteral("perRow%1").arg(i + 1); }

    const Kernel &m_kernel;
    const KernelNames &m_names;
    ElementType m_type;
    QString m_element;
    bool m_isPair;               ///< two GEMMs with one first matrix: each has half of the width
    std::vector<int> m_matrices; ///< epilogue operands (inputs), by how they are read
    std::vector<int> m_vectors;
    std::vector<int> m_rows;
};

} // namespace warpwright
