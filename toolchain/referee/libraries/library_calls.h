// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/stage_answer.h"
#include "referee/libraries/library_rules.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpwright {

/// What a candidate's extension was seen to call of libraries, and what the rules say to it.
///
/// The record comes from the candidate's own process: evidence, not proof. Every field of it is checked.
class LibraryCalls {
public:
    /// The `libraries` of one recorded run (PROTOCOL.md). What is no such record changes nothing.
    void add(const Json &record);

    /// Rejects, or doubts. `facts`: whether the reference has a product or a convolution.
    void judge(StageAnswer &stage, const Json &facts) const;

    /// Functions of products and convolutions that worked under forward: what may have made the results.
    std::vector<std::string> allowedWork() const;

    /// {status, calls {name: count}, brought[]} for the report; status "not-run": nobody could look.
    Json asJson() const;

private:
    using Counts = std::map<std::string, uint64_t>;

    /// Those of one use, executed under forward or, for code, at any time: "a (1), b (3)"; "": none.
    std::string named(LibraryUse use, const Counts &counts) const;
    bool has(LibraryUse use, const Counts &counts) const { return !named(use, counts).empty(); }
    void judgeWork(StageAnswer &stage, const Json &facts) const;

    bool m_wasWatched = false;
    Counts m_calls; ///< under recorded forwards
    Counts m_ever;  ///< since the extension was loaded
    std::vector<std::string> m_brought;
};

} // namespace warpwright
