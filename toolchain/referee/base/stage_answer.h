// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <string>

namespace warpwright {

/// The parts of an answer that every stage has: status, verdict, reason, advice, integrity, doubts.
///
/// The first verdict stands; what comes later is not said. Written into `answer`, which outlives this.
class StageAnswer {
public:
    explicit StageAnswer(Json &answer) : m_answer(answer) {}

    bool isOpen() const { return m_answer["verdict"].is_null(); } ///< nothing is decided yet

    void settle(const std::string &verdict, const std::string &reason, const std::string &advice) {
        if (!isOpen())
            return;
        m_answer["status"] = "failed";
        m_answer["verdict"] = verdict;
        m_answer["reason"] = reason;
        m_answer["advice"] = advice;
    }

    /// Of a verdict that was given: what it comes from, and what to do instead of what was advised.
    void explain(const std::string &reason, const std::string &advice) {
        m_answer["reason"] = m_answer["reason"].get<std::string>() + " " + reason;
        m_answer["advice"] = advice;
    }

    /// A rule that was broken, what shows it, and where ({file, line} or null). Rejects the candidate.
    void reject(const std::string &rule, const std::string &evidence, const std::string &reason,
                const std::string &advice, const Json &place = nullptr) {
        m_answer["integrity"]["status"] = "failed";
        m_answer["integrity"]["findings"].push_back(
            {{"kind", rule}, {"rule", rule}, {"evidence", evidence}, {"place", place}});
        settle("rejected", reason, advice);
    }

    void doubt(const std::string &sentence) { m_answer["doubts"].push_back(sentence); }

private:
    Json &m_answer;
};

} // namespace warpwright
