// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/blas_matmul.h"

#include "agent/playbook/codegen/cpu/cell_matmul_cpu.h"
#include "agent/playbook/codegen/cpu/templates/blas_matmul.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/matmul_terms.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t mostTileRows = 256;
constexpr std::int64_t mostTileColumns = 512; ///< with the rows 512 KB in float
constexpr std::int64_t leastTile = 64;
constexpr std::int64_t enoughTiles = 24; ///< for all threads

/// A BLAS operand's layout: row-major, or column-major, which BLAS calls transposed.
struct LeadingDimension {
    bool isTransposed = false;
    std::int64_t leading = 1;
};

LeadingDimension leadingDimension(std::int64_t rows, std::int64_t rowStep, std::int64_t columns,
                                  std::int64_t columnStep) {
    const bool byRows = (columnStep == 1 || columns == 1) && (rowStep >= columns || rows == 1);
    return byRows ? LeadingDimension{false, std::max(rowStep, columns)}
                  : LeadingDimension{true, std::max(columnStep, rows)};
}

class BlasMatmul : private KernelWriter {
public:
    explicit BlasMatmul(const KernelSource &source)
        : KernelWriter(source),
          m_batches(source.kernel.outer - 2),
          m_rows(source.kernel.loops[m_batches]),
          m_columns(source.kernel.loops[m_batches + 1]),
          m_inner(source.kernel.loops[m_batches + 2]),
          m_isHalf(source.kernel.inputs[0].type == ElementType::Float16 ||
                   source.kernel.inputs[0].type == ElementType::BFloat16),
          m_isPair(secondSumOf(source.kernel) >= 0),
          m_type(source.kernel.inputs[0].type == ElementType::Float64 ? QStringLiteral("double")
                                                                      : QStringLiteral("float")) {
        const std::vector<int> sums = sumsOf(source.kernel);
        for (std::size_t sum = 0; sum < sums.size(); ++sum) {
            std::vector<MatmulTerm> terms{{0, sum + 1, m_inner, 1}};
            if (hasTerms(source.kernel))
                terms = termsOf(source.kernel, sums[sum]);
            for (std::size_t i = 0; i < terms.size(); ++i)
                m_matmuls.push_back({terms[i], sum, i > 0});
        }
        if (m_matmuls.empty()) // without an epilogue
            m_matmuls.push_back({{0, 1, m_inner, 1}, 0, false});
    }

    QString run() {
        const QString body = launcher();
        std::set<QString> functions = m_functions;
        if (m_isHalf)
            functions.insert(QStringLiteral("toFloat-") + elementTypeName(m_kernel.inputs[0].type));
        QString text =
            QStringLiteral("// The CPU twin of %1.cu: the same contract, without the stream.%2\n//\n")
                .arg(m_names.stem, m_type == QLatin1String("float") && !m_isHalf
                                       ? QStringLiteral(" All in float: no TF32 here.")
                                       : QString());
        text += kernelHeadComment(
            m_kernel, m_names,
            m_isHalf
                ? QStringLiteral("BLAS multiplies floats. A tile of each matrix is converted, multiplied "
                                 "while it is in the cache, and the result is rounded once.")
                : QStringLiteral("BLAS has no epilogue. So the matmul is computed in "
                                 "tiles that stay in the cache of a core%1")
                      .arg(!m_kernel.hasEpilogue()
                               ? QStringLiteral(", each by the next free thread.")
                               : QStringLiteral(", and the epilogue is applied to a tile while "
                                                "it is still there.")));
        text +=
            QLatin1String("#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n");
        if (hasTiles())
            text += QLatin1String("#include <vector>\n");
        text += QLatin1String("#if __has_include(<cblas.h>)\n#include <cblas.h>\n#endif\n\nnamespace {\n\n");
        return text + constants() + helperFunctions(functions, CodeDialect::VectorCpu) + multiplications() +
               QLatin1String("} // namespace\n\n") + body;
    }

private:
    /// Stride of an operand along rows (0), columns (1) or K (2).
    std::int64_t step(std::size_t input, std::size_t loop) const {
        return m_kernel.inputs[input].address.steps[m_batches + loop];
    }
    /// Sums of a tile do not go into the result directly.
    [[nodiscard]] bool hasTiles() const { return m_isHalf || m_isPair || m_kernel.stores.size() > 1; }
    std::int64_t resultStep(std::size_t loop) const {
        return m_kernel.stores[0].address.steps[m_batches + loop];
    }

    QString constants() {
        std::int64_t batches = 1;
        for (std::size_t k = 0; k < m_batches; ++k)
            batches *= m_kernel.loops[k];
        std::int64_t rows = std::min(m_rows, mostTileRows);
        std::int64_t columns = std::min(m_columns, mostTileColumns);
        const auto tiles = [&] {
            return batches * ((m_rows + rows - 1) / rows) * ((m_columns + columns - 1) / columns);
        };
        while (tiles() < enoughTiles && std::max(rows, columns) > leastTile)
            (columns >= rows ? columns : rows) = (std::max(rows, columns) + 1) / 2;
        QString text = QStringLiteral("constexpr std::int64_t kRows = %1; // of the result\n"
                                      "constexpr std::int64_t kColumns = %2;\n"
                                      "constexpr std::int64_t kInner = %3; // the reduction dimension K%4\n")
                           .arg(m_rows)
                           .arg(m_columns)
                           .arg(m_inner)
                           .arg(isOneFunction() ? QString() : QStringLiteral(" at most"));
        for (std::size_t i = 0; i < (isOneFunction() ? 0 : m_matmuls.size()); ++i)
            text += QStringLiteral("constexpr std::int64_t %1 = %2;\n")
                        .arg(numbered("kInner", i))
                        .arg(m_matmuls[i].term.inner);
        if (batches > 1)
            text +=
                QStringLiteral("constexpr std::int64_t kBatches = %1; // independent matmuls\n").arg(batches);
        text += QStringLiteral("// A tile and its operands fit L2, and there are "
                               "enough of them for many cores.\n"
                               "constexpr std::int64_t kTileRows = %1;\n"
                               "constexpr std::int64_t kTileColumns = %2;\n"
                               "constexpr std::int64_t kTilesDown = (kRows + kTileRows - 1) / kTileRows;\n"
                               "constexpr std::int64_t kTilesAcross = (kColumns + kTileColumns - 1) / "
                               "kTileColumns;\n"
                               "constexpr std::int64_t kTiles = %3kTilesDown * kTilesAcross;\n\n")
                    .arg(rows)
                    .arg(columns)
                    .arg(batches > 1 ? QStringLiteral("kBatches * ") : QString());
        return text;
    }

    /// A GEMM call, which makes a sum or adds to it.
    struct Matmul {
        MatmulTerm term;
        std::size_t sum = 0; ///< of two
        bool isMore = false; ///< adds to the sum
    };
    /// Whether one function serves all: two matmuls of one matrix have the same layouts.
    [[nodiscard]] bool isOneFunction() const { return !hasTerms(m_kernel); }
    [[nodiscard]] QString numbered(const char *name, std::size_t matmul) const {
        return QLatin1String(name) + (isOneFunction() ? QString() : QString::number(matmul + 1));
    }
    QString multiplications() const {
        QString text;
        for (std::size_t i = 0; i < (isOneFunction() ? 1 : m_matmuls.size()); ++i)
            text += multiply(i);
        return text;
    }

    QString multiply(std::size_t matmul) const {
        const auto &[term, sum, isMore] = m_matmuls[matmul];
        // Converted tiles are row-major, and so is the tile of sums.
        const LeadingDimension a =
            m_isHalf ? LeadingDimension{false, term.inner}
                     : leadingDimension(m_rows, step(term.first, 0), term.inner, step(term.first, 2));
        const LeadingDimension b =
            m_isHalf ? LeadingDimension{false, 0}
                     : leadingDimension(term.inner, step(term.second, 2), m_columns, step(term.second, 1));
        const auto op = [](const LeadingDimension &matrix) {
            return matrix.isTransposed ? QStringLiteral("CblasTrans") : QStringLiteral("CblasNoTrans");
        };
        const auto index = [](const LeadingDimension &matrix, const QString &row, const QString &column,
                              const QString &leading) {
            return matrix.isTransposed ? QStringLiteral("%1 * %2 + %3").arg(column, leading, row)
                                       : QStringLiteral("%1 * %2 + %3").arg(row, leading, column);
        };
        const QString ldA = QString::number(a.leading);
        const QString ldB = m_isHalf ? QStringLiteral("int(columns)") : QString::number(b.leading);
        const QString ldY =
            hasTiles() ? QStringLiteral("int(columns)") : QString::number(std::max(resultStep(0), m_columns));
        const QString suffix = m_type == QLatin1String("float") ? QStringLiteral("f") : QString();
        return fillTemplate(
            matmulTile,
            {{"type", m_type},
             {"letter", m_type.left(1).replace(QLatin1Char('f'), QLatin1Char('s'))},
             {"opA", op(a)},
             {"opB", op(b)},
             {"ldA", ldA},
             {"ldB", ldB},
             {"ldY", ldY},
             {"name", numbered("multiply", matmul)},
             {"inner", numbered("kInner", matmul)},
             {"becomes", isMore ? QStringLiteral("+=") : QStringLiteral("=")},
             {"sets", isMore ? QStringLiteral("+=") : QStringLiteral("=")},
             {"scale", term.factor == 1 ? QString() : decimal(term.factor) + suffix + QLatin1String(" * ")},
             {"one", decimal(term.factor) + suffix},
             {"zero", QStringLiteral("0.0") + suffix},
             {"begun", (isMore ? QStringLiteral("1.0") : QStringLiteral("0.0")) + suffix},
             {"indexA", index(a, QStringLiteral("row"), QStringLiteral("k"), ldA)},
             {"indexB", index(b, QStringLiteral("k"), QStringLiteral("column"), ldB)}});
    }

    static QString decimal(double value) {
        const QString text = QString::number(value, 'g', 9);
        return text.contains(QLatin1Char('.')) || text.contains(QLatin1Char('e'))
                   ? text
                   : text + QLatin1String(".0");
    }

    QString name(int buffer) const {
        return m_names.nameOf(buffer) + (m_isHalf ? QStringLiteral("Halves") : QString());
    }

    /// All loop counters, with these for rows, columns and K.
    QStringList counters(const QString &row, const QString &column) const {
        QStringList names;
        for (std::size_t k = 0; k < m_batches; ++k)
            names << (m_batches == 1 ? QStringLiteral("batch") : QStringLiteral("batch%1").arg(k + 1));
        return names << row << column << QString();
    }

    QString batchLines() const {
        QString text;
        std::int64_t span = 1;
        const QStringList names = counters({}, {});
        for (std::size_t k = m_batches; k-- > 0;) {
            QString value = QStringLiteral("tile / kTilesAcross / kTilesDown");
            if (span > 1)
                value += QStringLiteral(" / %1").arg(span);
            if (k > 0)
                value += QStringLiteral(" % %1").arg(m_kernel.loops[k]);
            text.prepend(QStringLiteral("        const std::int64_t %1 = %2;\n")
                             .arg(names[static_cast<qsizetype>(k)], value));
            span *= m_kernel.loops[k];
        }
        return text;
    }

    /// The tile of a matmul's sums.
    static QString tile(std::size_t sum) {
        return sum == 0 ? QStringLiteral("sums.data()") : QStringLiteral("others.data()");
    }

    QString work() {
        const KernelStore &y = m_kernel.stores[0];
        const QStringList first = counters(QStringLiteral("firstRow"), QStringLiteral("firstColumn"));
        const QStringList here = counters(QStringLiteral("row"), QStringLiteral("column"));
        const QString indent(8, QLatin1Char(' '));
        QString text;
        if (m_isHalf) {
            const auto converted = [&](const KernelInput &input, const QString &length, const char *to,
                                       const char *outer, const char *inner) {
                QStringList positions =
                    counters(QStringLiteral("(firstRow + row)"), QStringLiteral("(firstColumn + column)"));
                positions.back() = QStringLiteral("k");
                text += QStringLiteral("        for (std::int64_t %1 = 0; %1 < %2; ++%1)\n"
                                       "            for (std::int64_t %3 = 0; %3 < %4; ++%3)\n"
                                       "                %5[%1 * %4 + %3] = toFloat(%6[%7]);\n")
                            .arg(QLatin1String(outer),
                                 outer == QLatin1String("k") ? length : QStringLiteral("rows"),
                                 QLatin1String(inner),
                                 inner == QLatin1String("k") ? length : QStringLiteral("columns"),
                                 QLatin1String(to), name(input.buffer),
                                 indexExpression(input.address, positions));
            };
            for (std::size_t i = 0; i < m_matmuls.size(); ++i) {
                const MatmulTerm &term = m_matmuls[i].term;
                const QString length = numbered("kInner", i);
                if (i == 0 || m_matmuls[i - 1].term.first != term.first)
                    converted(m_kernel.inputs[term.first], length, "a", "row", "k");
                converted(m_kernel.inputs[term.second], length, "b", "k", "column");
                text += indent + QStringLiteral("%1(a.data(), b.data(), %2, rows, columns);\n")
                                     .arg(numbered("multiply", i), tile(m_matmuls[i].sum));
            }
        } else {
            for (std::size_t i = 0; i < m_matmuls.size(); ++i) {
                const KernelInput &a = m_kernel.inputs[m_matmuls[i].term.first];
                const KernelInput &b = m_kernel.inputs[m_matmuls[i].term.second];
                text +=
                    wrappedCall(indent + numbered("multiply", i) + QLatin1Char('('),
                                QStringLiteral("%1 + %2, %3 + %4, %5, rows, columns")
                                    .arg(name(a.buffer), indexExpression(a.address, first), name(b.buffer),
                                         indexExpression(b.address, first),
                                         hasTiles() ? tile(m_matmuls[i].sum)
                                                    : QStringLiteral("%1 + %2").arg(
                                                          name(y.buffer), indexExpression(y.address, first))),
                                QStringLiteral(");"));
            }
        }
        std::vector<StoredElement> targets;
        for (const KernelStore &store : m_kernel.stores)
            targets.push_back(
                {QStringLiteral("%1[%2]").arg(name(store.buffer), indexExpression(store.address, here)), {}});
        const QStringList lines = epilogueStatements(
            m_kernel,
            [&](int input) {
                const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
                return QStringLiteral("%1[%2]").arg(name(what.buffer), indexExpression(what.address, here));
            },
            hasTiles() ? QStringLiteral("sums[(row - firstRow) * columns + column - firstColumn]")
                       : targets[0].target,
            targets, m_functions, CodeDialect::VectorCpu);
        if (lines.isEmpty())
            return text;
        text += indent + QLatin1String("for (std::int64_t row = firstRow; row < firstRow + rows; ++row)\n") +
                QLatin1String("#pragma omp simd\n") + indent +
                QLatin1String(
                    "    for (std::int64_t column = firstColumn; column < firstColumn + columns; ++column)") +
                (lines.size() > 1 ? QStringLiteral(" {\n") : QStringLiteral("\n"));
        for (const QString &line : lines)
            text +=
                wrapped(line, indent + QString(8, QLatin1Char(' ')), indent + QString(12, QLatin1Char(' ')));
        return text + (lines.size() > 1 ? indent + QStringLiteral("    }\n") : QString());
    }

    QString launcher() {
        QString casts;
        if (m_isHalf) {
            const auto cast = [&](int buffer, const char *constant) {
                casts += QStringLiteral("    %1%2 *const %3Halves = static_cast<%1%2 *>(%3);\n")
                             .arg(QLatin1String(constant), cTypeName(m_kernel.inputs[0].type, false),
                                  m_names.nameOf(buffer));
            };
            std::set<int> known;
            for (const KernelInput &input : m_kernel.inputs)
                if (known.insert(input.buffer).second)
                    cast(input.buffer, "const ");
            for (const KernelStore &store : m_kernel.stores)
                if (known.insert(store.buffer).second)
                    cast(store.buffer, "");
        }
        const QString head = wrappedCall(
            QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
            launcherParameters(m_graph, m_program, m_names) + QStringLiteral(", int"), QStringLiteral(") {"));
        QStringList tiles;
        if (m_isHalf)
            tiles << QStringLiteral("a(kTileRows * kInner)") << QStringLiteral("b(kInner * kTileColumns)");
        tiles << QStringLiteral("sums(kTileRows * kTileColumns)");
        if (m_isPair)
            tiles << QStringLiteral("others(kTileRows * kTileColumns)");
        const QString own =
            QStringLiteral("#pragma omp parallel\n    {\n    // Tiles%1, private to each thread.\n")
                .arg(m_isHalf ? QStringLiteral(" as floats") : QString()) +
            wrapped(QStringLiteral("std::vector<%1> %2;").arg(m_type, tiles.join(QLatin1String(", "))),
                    QStringLiteral("    "), QStringLiteral("        ")) +
            QStringLiteral("#pragma omp for schedule(dynamic)");
        return fillTemplate(
            matmulLaunch,
            {{"head", head.chopped(1)},
             {"casts", casts},
             {"parallel", hasTiles() ? own : QStringLiteral("#pragma omp parallel for schedule(dynamic)")},
             {"batches", batchLines()},
             {"work", work()},
             {"end", QString::fromLatin1(hasTiles() ? "    }\n" : "") + QStringLiteral("    return 0;\n")}});
    }

    std::size_t m_batches;
    std::int64_t m_rows;
    std::int64_t m_columns;
    std::int64_t m_inner;
    bool m_isHalf;
    bool m_isPair; ///< two matmuls of one matrix
    QString m_type;
    std::vector<Matmul> m_matmuls;
    std::set<QString> m_functions;
};

} // namespace

QString matmulCpuText(const KernelSource &source) {
    const auto &[graph, program, kernel, names, knobs] = source;
    return isCellMatmul(kernel) ? cellMatmulCpuText(source) : BlasMatmul(source).run();
}

} // namespace warpwright
