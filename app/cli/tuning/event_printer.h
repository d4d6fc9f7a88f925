// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/recorder.h"

namespace warpwright {

/// Prints each event as a line of JSON on standard output, once `kept` has it: what is printed is on the
/// disk.
class EventPrinter : public Recorder {
public:
    /// `isPrinted`: false: they are only handed on.
    EventPrinter(Recorder &kept, bool isPrinted) : m_kept(kept), m_isPrinted(isPrinted) {}

    [[nodiscard]] Result<void> append(const QString &kind, const Json &body) override;

private:
    Recorder &m_kept;
    bool m_isPrinted;
    int m_number = 0;
};

} // namespace warpwright
