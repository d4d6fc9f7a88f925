// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/task_session.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <optional>
#include <random>

namespace warpwright {

/// The input sets that timed calls rotate over. Their contents change before every block, so that nothing
/// which was kept from an earlier block, or from warm-up, is right.
class TimedInputs {
public:
    /// Draws `sets` sets into the session's region, which is made large enough for `workers`. Drawing anew
    /// may take `drawBudgetSeconds` before a batch.
    TimedInputs(TaskSession &session, int sets, double drawBudgetSeconds,
                const std::vector<WorkerProcess *> &workers);

    const Json &sets() const { return m_sets; } ///< their trees

    void drawAll(); ///< anew, and watches the first ones
    [[nodiscard]] double secondsToDrawAll() const {
        return m_drawSeconds * static_cast<double>(m_sets.size());
    }

    /// As many sets as the budget allows, beginning with one of those that are called next (`order`, not
    /// empty), are drawn anew by get_inputs(); where that is not all of them, each trades a part of its rows
    /// with its neighbour: a row of a draw is as good as any other, and this costs a copy. Sets that hold
    /// whole numbers (places, lengths) are only drawn anew.
    void refresh(const std::vector<int> &order);

    /// Remembers some sets, by chance, most of them of those that are called next (`order`, not empty) and
    /// one of those that were just drawn: what was overwritten before would not change by the same again.
    void watch(const std::vector<int> &order);
    /// Whether these are still what they were.
    bool areWhole() const;

private:
    void draw(size_t first, size_t count);
    Json printOf(size_t index) const;
    bool isAlike(size_t index) const;
    bool mayTrade() const;
    at::Tensor inSets(const Json &leaf, size_t first, size_t count) const;
    void trade(const Json &leaf);

    TaskSession &m_session;
    Json m_sets = Json::array();
    double m_drawBudgetSeconds;
    double m_drawSeconds = 0.0; ///< of one set
    bool m_canTrade = true;
    std::optional<size_t> m_fresh;    ///< a set that is called next, and was drawn since the last one was
    std::map<size_t, Json> m_watched; ///< fingerprints by set
    std::mt19937_64 m_random;
};

} // namespace warpwright
