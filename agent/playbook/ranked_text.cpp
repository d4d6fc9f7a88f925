// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ranked_text.h"

namespace warpwright {

RankedText::RankedText(const FusedKernel &kernel, int step, QString name, bool isCuda)
    : m_name(std::move(name)),
      m_rank(static_cast<qint64>(kernel.step(kernel.step(step).operands[1]).number)),
      m_isCuda(isCuda) {}

QStringList RankedText::begin() const {
    QStringList lines{
        QStringLiteral(
            "// Number %1 of the row from the largest on, bit by bit: a bit is one where so many are no "
            "smaller then.")
            .arg(m_rank),
        QStringLiteral("std::uint32_t %1 = 0;").arg(order())};
    if (m_isCuda)
        lines << QStringLiteral("#pragma unroll 1");
    return lines << QStringLiteral("for (int bit = 31; bit >= 0; --bit) {")
                 << QStringLiteral("    const std::uint32_t asked = %1 | 1u << bit;").arg(order())
                 << QStringLiteral("    const std::uint32_t flips = flipsOf(asked);")
                 << QStringLiteral("    int %1 = 0;").arg(counter());
}

QString RankedText::update(const QString &element) const {
    return QStringLiteral("%1 += isNoSmaller(%2, asked, flips);").arg(counter(), element);
}

QStringList RankedText::end() const {
    return {QStringLiteral("    if (%1 >= %2)").arg(counter()).arg(m_rank),
            QStringLiteral("        %1 = asked;").arg(order()), QStringLiteral("}"),
            QStringLiteral("const float %1 = %2(%3 ^ flipsOf(%3));")
                .arg(m_name, m_isCuda ? QStringLiteral("__uint_as_float") : QStringLiteral("bitsAsFloat"),
                     order())};
}

void RankedText::tellFunctions(ScalarText &text) {
    text.calls(QStringLiteral("flips"));
}

} // namespace warpwright
