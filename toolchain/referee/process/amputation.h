// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/base/fault.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

class StageAnswer;

/// Copies of torch's libraries and numpy's that cannot compute (amputate/), in which a candidate's process
/// lives: what makes memory, views and copies works there, and everything else is traps.
class Amputation {
public:
    Amputation() = default;
    /// `made`: what `open` was given, {folder, status, reason}. Throws nothing: what cannot be used is
    /// not-run.
    explicit Amputation(const Json &made);

    bool isMade() const { return m_status == "made"; }
    Json toJson() const; ///< {status, reason, libraries} for the answer
    /// Why numpy's libraries are whole; empty: they are not, or there are none.
    const std::string &notNumpy() const { return m_notNumpy; }
    /// {copy, original}
    const std::vector<std::pair<std::string, std::string>> &covers() const { return m_covers; }
    /// {copy, original}: what takes its place in the process once the candidate is constructed
    const std::vector<std::pair<std::string, std::string>> &later() const { return m_later; }
    const std::string &farm() const { return m_farm; } ///< a folder of packages with the copies in it

    struct Trap {
        std::string function; ///< as people read it, or its place
        bool isTorch = true;  ///< else numpy's, or a library's that numpy brings
    };
    /// What a worker was doing that died of a trap.
    std::optional<Trap> trapOf(const WorkerFault &fault) const;
    /// Rejects whoever died of a trap; false: it died of something else.
    bool reject(const WorkerFault &fault, StageAnswer &stage) const;

private:
    struct Library {
        std::string name, original, traps;
        bool isTorch = true;
    };

    std::string m_status = "not-run";
    std::string m_reason = "The client said nothing of copies of torch's libraries.";
    std::string m_notNumpy, m_farm;
    std::vector<Library> m_libraries;
    std::vector<std::pair<std::string, std::string>> m_covers, m_later;
    Json m_facts = Json::array();
};

} // namespace warpwright
