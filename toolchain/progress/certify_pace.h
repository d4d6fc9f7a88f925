// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace warpwright {

/// How far a certifying check is, and for how long it will still take: it times everything in fresh
/// processes, one after the other, until the speed-up is certain, so how many there will be is known of the
/// last time only. From the judge's words for each step, and the clock.
class CertifyPace {
public:
    /// The fewest that the judge takes.
    static constexpr int leastProcesses = 3;

    /// `usual`: how many the last such check of this workspace took; none: unknown.
    explicit CertifyPace(std::optional<int> usual = {}) : m_usual(usual.value_or(leastProcesses)) {}

    /// A step of the judge's begins: "block 3 of at most 30 in process 2". Gives it with what is to come:
    /// "block 3 of at most 30 in process 2 of about 5, about 1:40 left". A step without a process stays.
    [[nodiscard]] QString told(const QString &step, double nowSeconds);
    /// Of those begun; 0: none yet.
    [[nodiscard]] int processes() const { return m_process; }
    /// How many there may be in all.
    [[nodiscard]] int usual() const { return m_usual; }

private:
    [[nodiscard]] std::optional<double> secondsLeft(double nowSeconds) const;

    int m_usual;
    int m_process = 0;
    double m_firstBegan = 0;
    double m_secondBegan = 0;
    double m_began = 0; ///< the one at work
};

} // namespace warpwright
