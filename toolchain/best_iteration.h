// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation_summary.h"
#include "toolchain/iteration.h"

#include <QString>

#include <vector>

namespace warpwright {

/// Whether one of them is faster for certain: their intervals meet neither of the speed-up over eager, which
/// each check measured beside the candidate, nor of the time. Eager itself scatters from check to check: the
/// speed-up alone would call one faster that took longer.
[[nodiscard]] bool areToldApart(const EvaluationSummary &one, const EvaluationSummary &other);

/// Which iteration is the best, by one rule wherever the word stands: of those that passed and were measured
/// the fastest by isFaster(), or of those that are not told apart from it the one with the least time; unless
/// the clock left open one that is faster still (isOutdone()): then none is. They are taken one by one, so
/// that it can be asked up to each.
class BestIteration {
public:
    void take(int place, const EvaluationSummary &summary);
    /// As it was given to take(); −1: there is none.
    [[nodiscard]] int place() const;
    /// The others that are not told apart from the fastest, in the order of take().
    [[nodiscard]] std::vector<int> others() const;

private:
    struct Taken {
        int place = -1;
        EvaluationSummary summary;
    };
    void offer(std::size_t at); ///< as the best

    std::vector<Taken> m_near; ///< the fastest, and those that are not told apart from it
    std::size_t m_fastest = 0; ///< of m_near, by isFaster()
    std::size_t m_best = 0;    ///< of m_near
    bool m_isOutdone = false;
    std::vector<EvaluationSummary> m_undecided; ///< the fastest of each device and software
};

/// Their numbers.
struct BestOf {
    int number = 0;          ///< 0: there is none
    std::vector<int> others; ///< that are not told apart from it
};
[[nodiscard]] BestOf bestOf(const std::vector<IterationRecord> &records);
[[nodiscard]] int bestIteration(const std::vector<IterationRecord> &records);
/// «Iterations 8, 9 and 10 are not told apart (their intervals meet); 10 has the least time.» Empty: there
/// are no others, or there is no best.
[[nodiscard]] QString notToldApartText(const BestOf &best);

} // namespace warpwright
