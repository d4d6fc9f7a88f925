// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/timing/block_timer.h"

#include <map>
#include <string>

namespace warpwright {

/// Tries the values that a candidate names in `CHOICES` for attributes of its model, in the process that was
/// timed: which variants of its kernels are quickest, with nothing built and nothing started.
///
/// One attribute after the other, each with the best of those before it. What comes out is a hint: a few
/// short batches in one process, and the results are not compared with anything. Only a text that states its
/// values gets a verdict.
class ConfigSweep {
public:
    /// `arm`: prepared by `timer`, whose clock is taken.
    ConfigSweep(TaskSession &session, BlockTimer &timer, TimedArm arm);

    /// {status: passed, stopped or not-run, reason, tried[{attribute, value, microseconds}], best {attribute:
    /// value} (what differs from the text), ratio (best over the text's), batches}. No fault of the
    /// candidate's leaves it: times were taken before.
    Json run();

private:
    struct Choice {
        int count = 0; ///< values 0 to count - 1
        int stated = 0;
    };

    void readChoices();
    void sweep(const std::string &attribute, const Choice &choice);
    void compare();
    void stop(const std::string &reason);
    void assign(const std::string &attribute, int value);
    double batch();
    double secondsLeft() const;
    double patience() const; ///< with one call
    bool isLate() const { return secondsLeft() <= 0.0; }

    TaskSession &m_session;
    BlockTimer &m_timer;
    TimedArm m_arm;
    std::map<std::string, Choice> m_choices;
    std::map<std::string, int> m_best;
    Json m_answer;
    uint64_t m_started = 0;
};

} // namespace warpwright
