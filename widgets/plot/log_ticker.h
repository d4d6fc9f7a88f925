// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <functional>

namespace warpwright {

/// Ticks of a logarithmic axis that can be read: 1, 2, 5, 10, 20, 50, as many as there is room for, each with
/// its whole number; over many decades the powers of ten alone.
class LogTicker : public QCPAxisTicker {
public:
    explicit LogTicker(std::function<QString(double tick)> text) : m_text(std::move(text)) {}

    /// Those within `range`, about `most` of them; a range that holds fewer than two takes even steps.
    [[nodiscard]] static QVector<double> ticksIn(const QCPRange &range, int most);

protected:
    QVector<double> createTickVector(double step, const QCPRange &range) override;
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return m_text(tick); }

private:
    std::function<QString(double)> m_text;
};

/// What lies this far apart is not to be read from one linear axis: the small ones are all alike there.
[[nodiscard]] constexpr bool needsLogAxis(double least, double most) {
    return least > 0 && most > 10 * least;
}

} // namespace warpwright
