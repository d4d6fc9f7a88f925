// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/attention/attention.h"

#include "agent/playbook/analysis/softmax_pattern.h"
#include "agent/playbook/codegen/cuda/attention/attention_header.h"
#include "agent/playbook/codegen/cuda/attention/attention_loads.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/attention_loops.h"
#include "agent/playbook/schedule/attention_space.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace warpwright {
namespace {

constexpr double log2OfE = 1.4426950408889634;

/// Names the logit's steps in `text` for tiles in which every mask is known to be true: masks fold away, and
/// only the unmasked value remains.
void nameWithoutMask(const Kernel &kernel, const std::vector<MaskCondition> &visible,
                     ExpressionPrinter &text) {
    std::map<int, bool> known;
    for (const MaskCondition &where : visible)
        known[where.step] = !where.isNegated;
    // Names and numbers need no parentheses.
    const auto asName = [&](int operand) {
        const bool isWord = text.isNamed(operand) || kernel.step(operand).op == Opcode::Number;
        return isWord ? text.text(operand) : QStringLiteral("(%1)").arg(text.text(operand));
    };
    for (int number = 0; number <= kernel.attention()->logit; ++number) {
        const KernelStep &step = kernel.step(number);
        const auto truth = [&](std::size_t which) {
            const int operand = step.operands[which];
            const KernelStep &what = kernel.step(operand);
            const auto found = known.find(operand);
            return found != known.end()        ? std::optional<bool>(found->second)
                   : what.op == Opcode::Number ? std::optional<bool>(what.number != 0)
                                               : std::nullopt;
        };
        if (step.op == Opcode::Not || (step.op == Opcode::Convert && step.type == ElementType::Bool)) {
            if (const auto inside = truth(0))
                known[number] = step.op == Opcode::Not ? !*inside : *inside;
        } else if (step.op == Opcode::And || step.op == Opcode::Or) {
            const auto first = truth(0);
            const auto second = truth(1);
            if (first && second)
                known[number] = step.op == Opcode::And ? *first && *second : *first || *second;
        } else if (step.op == Opcode::Select) {
            if (const auto condition = truth(0))
                text.name(number, asName(step.operands[*condition ? 1 : 2]));
        } else if (step.op == Opcode::Add) {
            for (const std::size_t which : {0U, 1U}) // a mask that is added
                if (const int operand = step.operands[which];
                    text.isNamed(operand) && text.nameOf(operand) == QLatin1String("0.0f"))
                    text.name(number, asName(step.operands[1 - which]));
        }
    }
}

QString number(std::int64_t value) {
    return QString::number(value);
}

class AttentionWriter : private KernelWriter {
public:
    explicit AttentionWriter(const KernelSource &source)
        : KernelWriter(source),
          m_type(source.kernel.inputs[0].type),
          m_mma(takesWarpGroups(source.kernel, source.knobs) ? AttentionMma::Wgmma
                : m_type != ElementType::Float32             ? AttentionMma::Mma16
                : source.knobs.usesTf32                      ? AttentionMma::Tf32
                                                             : AttentionMma::SplitFloat),
          m_loops(source.kernel),
          m_widths(paddedWidths(source.kernel, isWgmma())) {
        m_visible = maskConditions(source.kernel);
        // With one row counter and one key counter, a tile's corners decide for the whole tile.
        const bool isSimple = m_loops.rowLoops == 1 && m_loops.keyLoops == 1;
        std::erase_if(m_visible, [&](const MaskCondition &where) {
            for (std::size_t k = 0; k < where.form.steps.size(); ++k)
                if (where.form.steps[k] != 0 && k != m_loops.firstRow && k != m_loops.firstKey)
                    return true;
            return !isSimple;
        });
        m_scaled = scaledScore(source.kernel);
    }

    QString run() {
        QString text = whole();
        // Drop declarations that no address and no condition uses.
        QStringList names = {QStringLiteral("lastKey"), QStringLiteral("lastRow"),
                             QStringLiteral("warpLastRow"), QStringLiteral("kValueDim")};
        for (std::size_t k = 0; k < m_loops.firstRow; ++k)
            names << m_loops.counters[static_cast<qsizetype>(k)];
        for (const QString &name : names)
            if (text.count(QRegularExpression(QStringLiteral("\\b%1\\b").arg(name))) == 1)
                text.remove(QRegularExpression(QStringLiteral("[^\\n]*\\b%1\\b[^\\n]*\\n").arg(name)));
        return text;
    }

private:
    QString whole() {
        const double factor = (m_scaled ? m_scaled->factor : 1) * log2OfE;
        const QString plain = logit(true);
        const QString masked = logit(false);
        const QString after = storeText();
        return fillTemplate(
            attentionText(m_mma),
            {{"head", attentionHead(m_kernel, m_names, m_mma, !m_visible.empty())},
             {"include", attentionIncludes(m_kernel, m_mma)},
             {"batches", number(m_loops.batches)},
             {"rows", number(m_loops.rows)},
             {"keys", number(m_loops.keys)},
             {"width", number(m_kernel.loops[m_loops.last - 1])},
             {"values", number(m_kernel.loops[m_loops.last])},
             {"inner", number(m_widths.query)},
             {"columns", number(m_widths.value)},
             {"pitches", attentionPitches(m_mma)},
             {"scaleWords", m_scaled && m_scaled->factor != 1
                                ? QStringLiteral(" Includes the scaling of scores: %1.").arg(m_scaled->factor)
                                : QString()},
             {"scale", QStringLiteral("%1f").arg(factor, 0, 'g', 9)},
             {"helpers", attentionHelpers(m_mma, static_cast<int>(m_widths.value), m_type)},
             {"copies", isWgmma() ? boxCopies(m_kernel) : QString()},
             {"encoder", tensorMapEncoder},
             {"mapType", m_type == ElementType::Float16 ? QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_FLOAT16")
                                                        : QStringLiteral("CU_TENSOR_MAP_DATA_TYPE_BFLOAT16")},
             {"keyMap", isWgmma() ? boxTensor(m_kernel, m_names, 1) : QString()},
             {"valueMap", isWgmma() ? boxTensor(m_kernel, m_names, 2) : QString()},
             {"functions", helperFunctions(m_functions, CodeDialect::Cuda)},
             {"signature",
              isWgmma() ? wgmmaSignature() : cudaSignature(m_graph, m_program, m_names).chopped(1)},
             {"loadTile", isWgmma() ? boxLoads(m_kernel) : threadLoads(m_kernel, m_names, m_widths)},
             {"next", next()},
             {"query",
              m_mma == AttentionMma::SplitFloat ? QStringLiteral("float") : QStringLiteral("unsigned")},
             {"kStep", isShort() ? QStringLiteral("16") : QStringLiteral("8")},
             {"batchLines", m_loops.batchLines()},
             {"blockOrder", blockOrder()},
             {"loadQuery", queryAt()},
             {"queryPlace", isShort() ? QStringLiteral("kStep * 16 + lane % 4 * 2 + part / 2 * 8")
                                      : QStringLiteral("kStep * 8 + lane % 4 + part / 2 * 4")},
             {"queryValue", queryValue()},
             {"first", m_visible.empty() ? QStringLiteral("0") : QStringLiteral("nextTile(0)")},
             {"following",
              m_visible.empty() ? QStringLiteral("tile + 1") : QStringLiteral("nextTile(tile + 1)")},
             {"scores", isWgmma() ? QString() : attentionScores(m_mma)},
             {"visits", visits(plain, masked)},
             {"results", isWgmma() ? QString() : attentionResults(m_mma)},
             {"inverseSum", m_kernel.attention()->isSafe
                                ? QStringLiteral("rowSum[t][r] == 0.0f ? 0.0f : 1.0f / rowSum[t][r]")
                                : QStringLiteral("1.0f / rowSum[t][r]")},
             {"storeRowLines", indented(m_loops.rowLines(), 12)},
             {"store", after},
             {"start",
              wrappedCall(QStringLiteral("int launch("), parameters(), QStringLiteral(") {")).chopped(1)},
             {"function", m_names.function},
             {"call",
              isWgmma()
                  ? wrappedCall(QStringLiteral("    %1<WARPS, STAGES, KEYS><<<unsigned(kBlocks), WARPS * 32, "
                                               "kBytes, stream>>>(")
                                    .arg(m_names.function),
                                wgmmaArguments(), QStringLiteral(");"))
                  : wrappedCall(QStringLiteral("    %1<WARPS, TILES, KEYS><<<unsigned(kBlocks), WARPS * 32, "
                                               "kBytes, stream>>>(")
                                    .arg(m_names.function),
                                m_names.buffers.join(QLatin1String(", ")), QStringLiteral(");"))},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_program, m_names) +
                                          QStringLiteral(", int config, cudaStream_t stream"),
                                      QStringLiteral(") {"))
                              .chopped(1)},
             {"words", attentionConfigText(m_kernel, m_mma)},
             {"cases", cases()},
             {"type", cTypeName(m_type, true)},
             {"word", m_type == ElementType::Float16 ? QStringLiteral("f16") : QStringLiteral("bf16")},
             {"pair",
              m_type == ElementType::Float16 ? QStringLiteral("__half2") : QStringLiteral("__nv_bfloat162")},
             {"makePair", m_type == ElementType::Float16 ? QStringLiteral("__floats2half2_rn")
                                                         : QStringLiteral("__floats2bfloat162_rn")}});
    }

    bool isWgmma() const { return m_mma == AttentionMma::Wgmma; }
    bool isShort() const { return m_mma == AttentionMma::Mma16 || isWgmma(); }
    const KernelInput &input(std::size_t which) const { return m_kernel.inputs[which]; }

    QString blockOrder() const {
        // Later rows may see more keys: the longest blocks start first.
        const bool isGrowing =
            std::any_of(m_visible.begin(), m_visible.end(),
                        [&](const MaskCondition &where) { return where.form.steps[m_loops.firstRow] > 0; });
        return isGrowing ? QStringLiteral(
                               "    // The last queries see most keys and take longest: they start first.\n"
                               "    const int block = kBlocks - 1 - int(blockIdx.x % kBlocks);\n")
                         : QStringLiteral("    const int block = int(blockIdx.x % kBlocks);\n");
    }

    QString asFloat(const QString &element) const {
        return m_type == ElementType::Float16    ? QStringLiteral("__half2float(%1)").arg(element)
               : m_type == ElementType::BFloat16 ? QStringLiteral("__bfloat162float(%1)").arg(element)
                                                 : element;
    }

    bool isFilledUp(std::size_t which) const {
        return which == 1 ? m_widths.query != m_kernel.loops[m_loops.last - 1]
                          : m_widths.value != m_kernel.loops[m_loops.last];
    }

    // The maximum or minimum of an affine form over a range of rows and of keys.
    QString extreme(const AffineExpr &form, bool isLargest, const QString &firstRow, const QString &lastRow,
                    const QString &firstKey, const QString &lastKey) const {
        const auto term = [&](std::int64_t step, const QString &first, const QString &last) {
            const QString corner = (step > 0) == isLargest ? last : first;
            const QString times =
                std::abs(step) == 1 ? corner : QStringLiteral("%1 * %2").arg(corner).arg(std::abs(step));
            return step == 0 ? QString() : (step < 0 ? QStringLiteral(" - ") : QStringLiteral(" + ")) + times;
        };
        QString text = term(form.steps[m_loops.firstRow], firstRow, lastRow) +
                       term(form.steps[m_loops.firstKey], firstKey, lastKey);
        if (form.offset != 0)
            text += QStringLiteral(" %1 %2")
                        .arg(form.offset < 0 ? QLatin1Char('-') : QLatin1Char('+'))
                        .arg(std::abs(form.offset));
        return text.startsWith(QLatin1String(" + ")) ? text.mid(3) : text.trimmed();
    }

    QString next() const {
        if (m_visible.empty())
            return {};
        QStringList conditions;
        for (const MaskCondition &where : m_visible)
            conditions << QStringLiteral("%1 >= 0").arg(
                extreme(where.form, true, QStringLiteral("blockRow"), QStringLiteral("lastRow"),
                        QStringLiteral("firstKey"), QStringLiteral("lastKey")));
        return QStringLiteral("    // The next tile with a key that one of the block's queries sees.\n"
                              "    const int lastRow = (blockRow + kBlockRows < kRows ? blockRow + "
                              "kBlockRows : kRows) - 1;\n"
                              "    const auto nextTile = [&](int tile) {\n"
                              "        for (; tile < kTiles; ++tile) {\n"
                              "            const int firstKey = tile * KEYS;\n"
                              "            const int lastKey = (firstKey + KEYS < kKeys ? firstKey + KEYS : "
                              "kKeys) - 1;\n"
                              "            if (%1)\n"
                              "                break;\n"
                              "        }\n"
                              "        return tile;\n"
                              "    };\n")
            .arg(conditions.join(QLatin1String(" && ")));
    }

    QString queryAt() const {
        const std::size_t along = m_loops.last - 1;
        const QString element = asFloat(QStringLiteral("%1[%2]").arg(
            m_names.nameOf(input(0).buffer),
            addressWithout(input(0).address, along, m_loops.counters, QStringLiteral("at"))));
        return QStringLiteral("    const auto loadQuery = [&](int wanted, int at) {\n"
                              "        const int row = wanted < kRows ? wanted : kRows - 1;\n") +
               indented(m_loops.rowLines(), 8) +
               wrapped(QStringLiteral("return at < kHeadDim ? %1 : 0.0f;").arg(element),
                       QString(8, QLatin1Char(' ')), QString(12, QLatin1Char(' '))) +
               QLatin1String("    };\n");
    }

    QString queryValue() const {
        switch (m_mma) {
        case AttentionMma::Mma16:
        case AttentionMma::Wgmma:
            return QStringLiteral("packPair(loadQuery(row, at), loadQuery(row, at + 1))");
        case AttentionMma::Tf32:
            return QStringLiteral("roundToTf32(loadQuery(row, at))");
        case AttentionMma::SplitFloat:
            break;
        }
        return QStringLiteral("loadQuery(row, at)");
    }

    // The expression of a logit from its score; `isWhole`: every key of the tile is visible.
    QString logit(bool isWhole) {
        ExpressionPrinter text(m_kernel, CodeDialect::Cuda,
                               [this](int number) { return loaded(number, m_loops.counters); });
        text.name(m_kernel.attention()->score, QStringLiteral("score"));
        if (m_scaled)
            for (const int scaling : m_scaled->scalings)
                text.name(scaling, text.text(m_kernel.step(scaling).operands[0]));
        if (isWhole)
            nameWithoutMask(m_kernel, m_visible, text);
        const QString value = text.text(m_kernel.attention()->logit);
        m_functions.insert(text.functions().begin(), text.functions().end());
        return value;
    }

    QString loaded(int number, const QStringList &counters) const {
        if (number < 0)
            return indexExpression(m_kernel.step(-1 - number).index, counters);
        const KernelInput &what = input(static_cast<std::size_t>(number));
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                            indexExpression(what.address, counters));
    }

    QString visits(const QString &plain, const QString &masked) const {
        const auto call = [&](const QString &value, bool isBounded) {
            QStringList lines = m_loops.rowLines() + m_loops.keyLines();
            QString text =
                QStringLiteral("            forEachScore([&](float score, int row, int key) -> float {\n");
            if (isBounded)
                text += QLatin1String(
                    "                if (key >= kKeys)\n                    return -INFINITY;\n");
            lines << QStringLiteral("return %1;").arg(value);
            return text + indented(namedLines(lines), 16) + QLatin1String("            });\n");
        };
        QStringList whole;
        if (m_visible.empty()) {
            whole << QStringLiteral("tile * KEYS + KEYS <= kKeys");
        } else {
            for (const MaskCondition &where : m_visible)
                whole << QStringLiteral("%1 >= 0").arg(
                    extreme(where.form, false, QStringLiteral("firstRow"), QStringLiteral("warpLastRow"),
                            QStringLiteral("firstKey"), QStringLiteral("(firstKey + KEYS - 1)")));
            whole << QStringLiteral("firstKey + KEYS <= kKeys");
        }
        QString text;
        if (!m_visible.empty())
            text += QLatin1String("        // Where all keys of a tile are visible to all queries of a "
                                  "warp, the mask is not evaluated.\n"
                                  "        const int firstKey = tile * KEYS;\n"
                                  "        const int warpLastRow = firstRow + TILES * 16 - 1;\n");
        text += wrapped(QStringLiteral("if (%1)").arg(whole.join(QLatin1String(" && "))),
                        QString(8, QLatin1Char(' ')), QString(12, QLatin1Char(' ')));
        return text + call(plain, false) + QLatin1String("        else\n") + call(masked, true);
    }
    // The last line, and those whose counter it uses.
    static QStringList namedLines(const QStringList &lines) {
        return namedIn(lines.last(), lines.mid(0, lines.size() - 1)) + QStringList{lines.last()};
    }

    // Statements that store two adjacent elements of a result's row.
    QString storeText() {
        const KernelStore &store = m_kernel.stores[0];
        const QString name = m_names.nameOf(store.buffer);
        const auto value = [&](const QString &sum, const QString &column) {
            QStringList counters = m_loops.counters;
            counters[static_cast<qsizetype>(m_loops.last)] = column;
            ExpressionPrinter text(m_kernel, CodeDialect::Cuda,
                                   [&](int number) { return loaded(number, counters); });
            text.name(m_kernel.resultStep(), sum);
            const QString stored = text.stored(store.step, store.type);
            m_functions.insert(text.functions().begin(), text.functions().end());
            return stored;
        };
        QStringList counters = m_loops.counters;
        QString lines;
        const auto line = [&](const QString &text) {
            lines += wrapped(text, QString(16, QLatin1Char(' ')), QString(20, QLatin1Char(' ')));
        };
        line(QStringLiteral("const float result0 = result[t][n][2 * r] * inverseSum;"));
        line(QStringLiteral("const float result1 = result[t][n][2 * r + 1] * inverseSum;"));
        counters[static_cast<qsizetype>(m_loops.last)] = QStringLiteral("column");
        const QString at = indexExpression(store.address, counters);
        const bool isTwo = isInVectors(m_kernel, store.address, m_loops.last, 2) &&
                           store.address.steps[m_loops.last] == 1 &&
                           (store.type == ElementType::Float32 || bytesOf(store.type) == 2);
        const QString second = QStringLiteral("(column + 1)");
        if (isTwo) {
            // Both in one store.
            const QString type = cTypeName(store.type, true);
            if (isFilledUp(2))
                line(QStringLiteral("if (column >= kValueDim)"));
            if (isFilledUp(2))
                lines += QStringLiteral("                    continue;\n");
            line(QStringLiteral("struct alignas(2 * sizeof(%1)) Pair { %1 low, high; };").arg(type));
            line(QStringLiteral("reinterpret_cast<Pair &>(%1[%2]) = {%3, %4};")
                     .arg(name, at, value(QStringLiteral("result0"), QStringLiteral("column")),
                          value(QStringLiteral("result1"), second)));
            return lines;
        }
        counters[static_cast<qsizetype>(m_loops.last)] = second;
        line(QStringLiteral("if (column < kValueDim)"));
        lines += QStringLiteral("    ");
        line(QStringLiteral("%1[%2] = %3;")
                 .arg(name, at, value(QStringLiteral("result0"), QStringLiteral("column"))));
        line(QStringLiteral("if (column + 1 < kValueDim)"));
        lines += QStringLiteral("    ");
        line(QStringLiteral("%1[%2] = %3;")
                 .arg(name, indexExpression(store.address, counters),
                      value(QStringLiteral("result1"), second)));
        return lines;
    }

    QString parameters() const {
        QStringList list;
        for (const int buffer : m_names.readBuffers)
            list << QStringLiteral("const %1 *%2")
                        .arg(cTypeName(typeOfBuffer(m_graph, m_program, buffer), true),
                             m_names.nameOf(buffer));
        for (const int buffer : m_names.writtenBuffers)
            list << QStringLiteral("%1 *%2").arg(cTypeName(typeOfBuffer(m_graph, m_program, buffer), true),
                                                 m_names.nameOf(buffer));
        return list.join(QLatin1String(", ")) + QStringLiteral(", cudaStream_t stream");
    }

    /// Buffers read by pointer; keys and values are read through their tensor maps.
    [[nodiscard]] std::vector<int> otherBuffersRead() const {
        std::vector<int> others;
        for (const int buffer : m_names.readBuffers)
            for (std::size_t i = 0; i < m_kernel.inputs.size(); ++i)
                if (i != 1 && i != 2 && m_kernel.inputs[i].buffer == buffer) {
                    others.push_back(buffer);
                    break;
                }
        return others;
    }
    [[nodiscard]] QString wgmmaSignature() const {
        QString list = QStringLiteral(
            "const __grid_constant__ CUtensorMap keyMap, const __grid_constant__ CUtensorMap valueMap");
        const auto add = [&](const std::vector<int> &buffers, const QString &constant) {
            for (const int buffer : buffers)
                list += QStringLiteral(", %1%2 *__restrict__ %3")
                            .arg(constant, cTypeName(typeOfBuffer(m_graph, m_program, buffer), true),
                                 m_names.nameOf(buffer));
        };
        add(otherBuffersRead(), QStringLiteral("const "));
        add(m_names.writtenBuffers, {});
        return wrappedCall(QStringLiteral("    %1(").arg(m_names.function), list, QStringLiteral(") {"))
            .chopped(1);
    }
    [[nodiscard]] QString wgmmaArguments() const {
        QStringList list{QStringLiteral("keyMap"), QStringLiteral("valueMap")};
        for (const int buffer : otherBuffersRead())
            list << m_names.nameOf(buffer);
        for (const int buffer : m_names.writtenBuffers)
            list << m_names.nameOf(buffer);
        return list.join(QLatin1String(", "));
    }

    QString cases() const {
        const QString passed = (cudaArguments(m_graph, m_program, m_names) << QStringLiteral("stream"))
                                   .join(QLatin1String(", "));
        QString text;
        const std::vector<AttentionTiling> tilings = attentionTilings(m_kernel, isWgmma());
        for (std::size_t i = tilings.size(); i-- > 0;) {
            text += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
            text += wrappedCall(QStringLiteral("        return launch<%1, %2, %3>(")
                                    .arg(tilings[i].warps)
                                    .arg(isWgmma() ? tilings[i].stages : tilings[i].tiles)
                                    .arg(tilings[i].keys),
                                passed, QStringLiteral(");"));
        }
        return text;
    }

    ElementType m_type;
    AttentionMma m_mma;
    AttentionLoops m_loops;
    AttentionWidths m_widths;
    std::vector<MaskCondition> m_visible;
    std::optional<ScaledScore> m_scaled;
    std::set<QString> m_functions;
};

} // namespace

QString attentionCudaText(const KernelSource &source) {
    return AttentionWriter(source).run();
}

} // namespace warpwright
