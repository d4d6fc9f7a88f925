// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <QString>

#include <vector>

namespace warpwright {

/// What is left of a certifying check that was ended between its processes: the samples of those that had
/// come to their end. They are kept and told, and decide nothing: `profile` itself has no times then.
class CertifyLeft {
public:
    /// What the judge tells of a process when it is over (`measured` of its progress); what is no time is
    /// left out.
    void add(const Json &measured);
    [[nodiscard]] int processes() const { return static_cast<int>(m_processes.size()); }

    /// "after 3 of about 5 processes, no verdict"; empty: there were none. `expected`: how many there would
    /// have been.
    [[nodiscard]] QString words(int expected) const;
    /// A line an arm, the candidate first: "candidate: 24.1, 24.0, 24.2 us", the median of each process.
    [[nodiscard]] QString detail() const;
    /// `profile.unfinished`
    [[nodiscard]] OrderedJson section(int expected) const;

private:
    std::vector<OrderedJson> m_processes;
};

} // namespace warpwright
