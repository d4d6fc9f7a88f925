// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/base/control_page.h"

#include <map>
#include <string>

namespace warpwright {

/// What the judge's own care costs within one call of it: seconds by phase, "wall", "inputs", "compare" …
/// "reference" is what the oracle and the reference take to compute.
class Phases {
public:
    void clear() { m_seconds.clear(); }
    Json toJson() const { return m_seconds; }

    /// Adds the time of its life to a phase. A phase within another counts for the outer one alone.
    class Span {
    public:
        Span(Phases &phases, const char *name)
            : m_phases(phases),
              m_name(name),
              m_start(monotonicNanoseconds()),
              m_isOuter(phases.m_depth++ == 0) {}
        ~Span() {
            --m_phases.m_depth;
            if (m_isOuter)
                m_phases.m_seconds[m_name] += static_cast<double>(monotonicNanoseconds() - m_start) * 1e-9;
        }
        Span(const Span &) = delete;
        Span &operator=(const Span &) = delete;

    private:
        Phases &m_phases;
        const char *m_name;
        uint64_t m_start;
        bool m_isOuter;
    };

private:
    std::map<std::string, double> m_seconds;
    int m_depth = 0;
};

} // namespace warpwright
