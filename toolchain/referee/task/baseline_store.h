// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <string>

namespace warpwright {

/// Baselines measured before: per task, device, driver, torch and clock. They pick the anchor and stand
/// beside it, never in place of a measurement.
class BaselineStore {
public:
    BaselineStore(std::string file, std::string key);

    /// {arm: {medianMicroseconds, lowMicroseconds, highMicroseconds, samples}}; empty when nothing is stored
    /// or readable.
    Json arms() const;

    /// All that is stored for this key; null: nothing.
    Json all() const;

    /// Replaces what is stored for this key. Returns "" or why it could not be written: a lost cache is not
    /// an error.
    std::string store(const Json &value) const;

private:
    std::string m_file;
    std::string m_key;
};

} // namespace warpwright
