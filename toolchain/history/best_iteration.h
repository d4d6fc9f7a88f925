// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/history/iteration.h"

#include <QString>

#include <map>
#include <vector>

namespace warpwright {

/// Whether one of them is faster for certain: their intervals meet neither of the speed-up over eager, which
/// each check measured beside the candidate, nor of the time. Eager itself scatters from check to check: the
/// speed-up alone would call one faster that took longer. Where one check timed both side by side, and its
/// interval does not hold 1, they are, whatever the times of two checks say.
[[nodiscard]] bool areToldApart(const EvaluationSummary &one, const EvaluationSummary &other);

/// Which iteration is the best, by one rule wherever the word stands: of those that passed and were measured
/// the fastest by isFaster(), or of those that are not told apart from it the one with the least time; unless
/// the clock left open one that is faster still (isOutdone()): then none is. One that was slower side by side
/// with another that passed is never it, however the times of their own checks lie. They are taken one by
/// one, so that it can be asked up to each.
class BestIteration {
public:
    void take(int place, const EvaluationSummary &summary);
    /// What cannot be the best itself, but what others may have been timed beside.
    void takeBeside(const EvaluationSummary &summary);
    /// As it was given to take(); −1: there is none.
    [[nodiscard]] int place() const;
    /// The others that are not told apart from the fastest, in the order of take().
    [[nodiscard]] std::vector<int> others() const;

private:
    struct Taken {
        int place = -1;
        EvaluationSummary summary;
        bool isRival = false;  ///< it may be the best
        bool isBeaten = false; ///< side by side with another of them
    };
    void add(const Taken &taken);
    void settle(Taken &one, Taken &other); ///< which of them is beaten, if one check timed both
    void consider(std::size_t at);
    void offer(std::size_t at); ///< as the best

    std::vector<Taken> m_taken;                   ///< all that passed
    std::multimap<QString, std::size_t> m_byText; ///< of m_taken
    std::multimap<QString, std::size_t> m_beside; ///< of m_taken, by the text that each was timed beside
    std::vector<std::size_t> m_near; ///< of m_taken: the fastest, and those that are not told apart from it
    std::size_t m_fastest = 0;       ///< of m_taken, by isFaster()
    std::size_t m_best = 0;          ///< of m_taken
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
