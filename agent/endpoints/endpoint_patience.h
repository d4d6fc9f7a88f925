// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpwright {

/// How long is waited for what, by an endpoint and by its rule of asking again; milliseconds.
struct EndpointPatience {
    int connectMs = 10'000;
    /// Without a byte: a large model is loaded, a long prompt is read, a model thinks and shows nothing of
    /// it.
    int silenceMs = 600'000;
    int wholeMs = 1'800'000; ///< of one try
    int tries = 3;           ///< of one ask(), however long they take
    /// And more tries for so long where an endpoint is only busy, or has answered before: a run that a
    /// person has left alone is not to end at a passing failure.
    int keepsTryingMs = 300'000;
    int longestPauseMs = 60'000; ///< that an endpoint may ask for in the tries that everybody gets
    int firstPauseMs = 500;      ///< doubled each time, up to 30 s, with jitter

    bool operator==(const EndpointPatience &) const = default;
};

} // namespace warpwright
