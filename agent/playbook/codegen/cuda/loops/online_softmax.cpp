// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/online_softmax.h"

namespace warpwright {

OnlineSoftmaxUpdate::OnlineSoftmaxUpdate(const OnlineSoftmax &softmax, const LoopNames &loops,
                                         const ReductionCode &extreme, QString element, QString count,
                                         QStringList guard)
    : m_largest(loops.accumulatorName(softmax.largest)),
      m_element(std::move(element)),
      m_larger(extreme.countsNans ? extreme.extreme(m_largest + QStringLiteral("Candidate"), ahead())
                                  : extreme.cudaExtreme(m_largest + QStringLiteral("Candidate"), ahead())),
      m_count(std::move(count)),
      m_isSafe(softmax.level != softmax.largest),
      m_guard(std::move(guard)) {
    for (const int sum : softmax.sums)
        m_sums << loops.accumulatorName(sum);
}

QStringList OnlineSoftmaxUpdate::lines() const {
    QStringList found{QStringLiteral("float %1 = %2;").arg(ahead(), m_largest)};
    if (!m_count.isEmpty()) {
        found << QStringLiteral("#pragma unroll")
              << QStringLiteral("for (int k = 0; k < %1; ++k) {").arg(m_count);
        for (const QString &line : m_guard)
            found << QStringLiteral("    ") + line;
        found << QStringLiteral("    const float %1Candidate = %2;").arg(m_largest, m_element)
              << QStringLiteral("    %1 = %2;").arg(ahead(), m_larger) << QStringLiteral("}");
    } else {
        found << QStringLiteral("const float %1Candidate = %2;").arg(m_largest, m_element)
              << QStringLiteral("%1 = %2;").arg(ahead(), m_larger);
    }
    found << QStringLiteral(
                 "// If all elements so far are -INFINITY any level works: the exponentials are 0.")
          << (m_isSafe ? QStringLiteral("const float %1 = fabsf(%2) == INFINITY ? 0.0f : %2;")
                       : QStringLiteral("const float %1 = %2 == -INFINITY ? 0.0f : %2;"))
                 .arg(level(), ahead());
    const QString less = QStringLiteral("expBelowMax(%1 - %2)").arg(m_largest, level());
    if (m_sums.size() == 1)
        found << QStringLiteral("%1 *= %2;").arg(m_sums[0], less);
    else {
        found << QStringLiteral("const float %1Scale = %2;").arg(m_largest, less);
        for (const QString &sum : m_sums)
            found << QStringLiteral("%1 *= %2Scale;").arg(sum, m_largest);
    }
    return found << QStringLiteral("%1 = %2;").arg(m_largest, ahead());
}

} // namespace warpwright
