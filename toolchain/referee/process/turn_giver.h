// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/control_page.h"

#include <cstdint>
#include <random>
#include <vector>

namespace warpwright {

/// The calls of one timed batch, as the judge hands them out.
struct BatchCalls {
    std::vector<int> sets; ///< call i is made over the input set `sets[i % size]`; empty: no calls
    uint32_t count = 0;
    double callSeconds = 0.0;   ///< of one, as far as it is known
    uint32_t stopsAfter = 0;    ///< the worker is stopped once it has made so many; 0: it comes to its end
    bool isGivenAtOnce = false; ///< one launch makes all of them
};

/// Names the turns of a batch, each as late as the judge can without making the worker wait.
///
/// A judge that spins names a turn when the one before the last named one has been made. One that sleeps
/// looks at irregular times and names what may be made until the next look. So many calls can be seen ahead;
/// where the worker had to wait for its turn, `window` of the next batch should be larger.
class TurnGiver {
public:
    TurnGiver(ControlPage &page, const BatchCalls &calls, bool spins, uint32_t window);

    /// Before the release: what can be made at once.
    void begin();
    /// Names further turns, or says that there are none.
    void look();
    /// No turn is named any more: after a stop.
    void end();

    [[nodiscard]] uint32_t made() const; ///< as the worker claims: at most what was named
    [[nodiscard]] bool isStopDue() const { return m_calls.stopsAfter > 0 && made() >= m_calls.stopsAfter; }
    /// All turns were named and, as the worker claims, made.
    [[nodiscard]] bool isOver() const { return m_isEnding && made() == m_named; }
    /// Nanoseconds until the next look; for a judge that sleeps.
    uint64_t rest();
    /// The worker was seen without a turn, though there were more.
    [[nodiscard]] bool hasStarved() const { return m_hasStarved; }

    /// How many calls are to be named ahead, where one takes `callSeconds` (0: not known).
    static uint32_t windowFor(double callSeconds, bool spins);

private:
    void release(uint32_t upTo);

    ControlPage &m_page;
    const BatchCalls &m_calls;
    bool m_spins;
    uint32_t m_window;
    uint32_t m_named = 0;
    bool m_isEnding = false;
    bool m_hasStarved = false;
    std::minstd_rand m_random;
};

} // namespace warpwright
