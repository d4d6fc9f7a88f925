// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/progress/certify_pace.h"

#include "toolchain/device_queue/device_wait.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {

QString CertifyPace::told(const QString &step, double nowSeconds) {
    static const QRegularExpression form(QStringLiteral("\\bprocess (\\d+)(?=\\)?$)"));
    const QRegularExpressionMatch match = form.match(step);
    if (!match.hasMatch())
        return step;
    if (const int process = match.captured(1).toInt(); process > m_process) {
        if (m_process == 0)
            m_firstBegan = nowSeconds;
        else if (m_process == 1)
            m_secondBegan = nowSeconds;
        m_began = nowSeconds;
        m_process = process;
    }
    QString words = QStringLiteral(" of about %1").arg(std::max(m_usual, m_process));
    if (const std::optional<double> left = secondsLeft(nowSeconds))
        words += QStringLiteral(", about %1 left").arg(clockText(*left));
    QString told = step;
    return told.insert(match.capturedEnd(), words);
}

// The first one is watched more closely and takes longer, so it counts only until there is another.
std::optional<double> CertifyPace::secondsLeft(double nowSeconds) const {
    if (m_process < 2)
        return std::nullopt;
    const double each = m_process == 2 ? m_secondBegan - m_firstBegan
                                       : (m_began - m_secondBegan) / static_cast<double>(m_process - 2);
    const double ofThis = std::max(0.0, each - (nowSeconds - m_began));
    return ofThis + each * std::max(0, m_usual - m_process);
}

} // namespace warpwright
